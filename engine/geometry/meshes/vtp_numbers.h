/*
 * Arrays of numbers in VTK's XML files, decoded: as text, or as bytes in base64 or as they are, in one piece or in
 * blocks of zlib. What a number is follows from the attribute `type`.
 *
 * Bytes come with a head of unsigned integers of `head_size` bytes. Without a compressor it is one, the number of
 * bytes that follow. With one it is how many blocks there are, the length of each but the last before compression,
 * that of the last (0: as the others), then the stored length of each; the blocks follow. In base64 the head may be
 * padded by itself, so a padded group does not end the stream.
 */
#ifndef FLOC_GEOMETRY_MESHES_VTP_NUMBERS_H
#define FLOC_GEOMETRY_MESHES_VTP_NUMBERS_H

#include "geometry/meshes/mesh.h"

/* What holds for all arrays of a file. */
typedef struct vtp_format {
  environment *env;
  const char *name;
  text_reader *from; /* all of the file, for the lines of messages and for its end */
  bool big_endian, compressed;
  size_t head_size; /* 4 or 8 */
} vtp_format;

typedef enum vtp_encoding { VTP_TEXT, VTP_BASE64, VTP_BYTES } vtp_encoding;

typedef struct vtp_numbers {
  unsigned char *bytes; /* [size] in the machine's order; numbers that were text are Float64 */
  size_t size, capacity, count, width;
  enum { VTP_NONE, VTP_FLOAT, VTP_SIGNED, VTP_UNSIGNED } kind;
} vtp_numbers;

/* FLOC_DAMAGED_FILE with a message that has the file's name and the line of `place`. */
floc_status vtp_damaged(const vtp_format *format, const char *place, const char *what);

/* Replaces the numbers by those that begin at `at`; type (of `type_length` characters) is VTK's word for them. */
floc_status vtp_numbers_read(const vtp_format *format, vtp_encoding encoding, const char *type, size_t type_length,
                             const char *at, vtp_numbers *numbers);
double vtp_number(const vtp_numbers *numbers, size_t k);
void vtp_numbers_free(environment *env, vtp_numbers *numbers);

#endif
