/*
 * Byte planes: plane k holds byte k of every row, so that bytes of like meaning stand together. A row of
 * `stride` bytes has `stride` planes; they follow each other. Optionally every number is first replaced by
 * its difference to the number in the same place of the row before (unsigned, modulo 2^bits, of the bit
 * pattern; the first row is kept).
 */
#ifndef FLOC_FILES_BYTE_PLANES_H
#define FLOC_FILES_BYTE_PLANES_H

#include "files/chunk.h"

/* raw and planes hold shape->length bytes each and do not overlap. */
void byte_planes_split(const unsigned char *raw, const chunk_shape *shape, bool differences, unsigned char *planes);
void byte_planes_join(const unsigned char *planes, const chunk_shape *shape, bool differences, unsigned char *raw);

#endif
