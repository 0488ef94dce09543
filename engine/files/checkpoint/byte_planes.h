/*
 * Byte planes: plane k holds byte k of every number of a column, so that bytes of like meaning stand together.
 *
 * A filter replaces every number, taken as an unsigned integer of its size, before the planes are made. All can be
 * undone, all arithmetic is modulo 2 to the number's bits. docs/checkpoint.md specifies planes and filters.
 */
#ifndef FLOC_FILES_CHECKPOINT_BYTE_PLANES_H
#define FLOC_FILES_CHECKPOINT_BYTE_PLANES_H

#include <stddef.h>
#include <stdint.h>

typedef enum column_filter {
  FILTER_NONE = 0,
  FILTER_DIFFERENCES = 1, /* to the number above; the first stays as it is */
  FILTER_ZIGZAG = 2,      /* the same as a signed number d, as 2 d or -2 d - 1: small ones have high bytes of 0 */
  FILTER_SIGN_LAST = 3,   /* rotated left by a bit: a double's sign, often noise, leaves the exponent's byte; and
                             then,   3 + s, less s times 2 to the number's bits - 11: the highest byte of a double
                             then   has eight   exponents in common, from any multiple of 8 plus s on */
  FILTER_LAST = 10
} column_filter;

/* One column within a table. */
typedef struct column_shape {
  size_t rows, stride; /* stride: bytes from a number to the one below */
  size_t element;      /* bytes of a number: 1, 4 or 8; with 1 only differences are taken */
  column_filter filter;
} column_shape;

/* raw: the column's first number, in the byte order of files. planes: element * rows bytes, plane after plane.
 * Returns the bits in which filtered numbers differ, as they lie in memory: a byte of 0 says that all bytes of that
 * plane are equal. */
uint64_t byte_planes_split(const unsigned char *raw, const column_shape *shape, unsigned char *planes);

/* A plane to be read: `rows` bytes, or where bytes is NULL, one value throughout. */
typedef struct plane_source {
  const unsigned char *bytes;
  unsigned char value;
} plane_source;
void byte_planes_join(const plane_source *planes, const column_shape *shape, unsigned char *raw);

#endif
