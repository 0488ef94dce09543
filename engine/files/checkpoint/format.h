/*
 * The bytes of a checkpoint, shared by writer and reader. docs/checkpoint.md is the specification; this is
 * its version 2.
 *
 * header (96 bytes) | stored chunks, without gaps | contents: entries of sections, of chunks, of predictions
 *
 * Every byte is covered: the header by its own CRC-32, the contents by a CRC-32 in the header, each stored
 * chunk by one in its chunk entry, each section's raw bytes by one in its section entry. The structures
 * below are the bytes in the file; they have no padding. All numbers in the file are little-endian; a machine with
 * the other order turns them where they are read and written (base/numbers/byte_order.h), so that the codecs see
 * the file's order and everything else the machine's.
 */
#ifndef FLOC_FILES_CHECKPOINT_FORMAT_H
#define FLOC_FILES_CHECKPOINT_FORMAT_H

#include "base/section.h"
#include "files/checkpoint/chunk.h"
#include "files/file_layer.h"

enum {
  FORMAT_VERSION = 2, /* what is written; 1 is read, too */
  FORMAT_OLDEST = 1,
  FORMAT_BYTE_ORDER = 0x01020304,
  CHUNK_BYTES = 1 << 20,       /* what the writer puts in a chunk, at most */
  PLAIN_CHUNK_BYTES = 1 << 18, /* the same without compression: what stays in a processor's cache from the first
                                  checksum to the copy in the system */
  CHUNK_LIMIT = 1 << 24,       /* what a reader must be able to take */
  SECTION_IS_STATE = 1,        /* flags */
  SECTION_IS_PREDICTED = 2,
  SECTION_ANY_ORDER = 4
};

#define FORMAT_MAGIC                                                                                               \
  "\x89"                                                                                                           \
  "FLOC\r\n\x1a"

typedef struct file_header {
  char magic[8];
  uint32_t byte_order;
  uint32_t version;
  uint64_t file_length; /* 0 while the file is being written */
  uint64_t contents_offset, contents_length;
  uint32_t section_count;
  uint32_t contents_crc32;
  char library[32];          /* version of the library that wrote it, zeros after */
  uint32_t prediction_count; /* 0 in version 1 */
  char reserved[8];          /* zeros */
  uint32_t header_crc32;     /* of the 92 bytes before */
} file_header;

typedef struct section_entry {
  char name[64]; /* zeros after the name; at least one */
  char type[8];
  uint64_t rows, columns;
  uint64_t raw_length, stored_length;
  uint64_t offset; /* of the first chunk; where it would be, if there is none */
  uint32_t raw_crc32;
  uint32_t flags;
  uint32_t stride;       /* bytes from a row to the next in the planes */
  uint32_t chunk_length; /* raw bytes of every chunk but the last */
} section_entry;

typedef struct chunk_entry {
  uint32_t stored_length;
  uint32_t encoding; /* chunk_encoding */
  uint32_t stored_crc32, raw_crc32;
} chunk_entry;

/* See prediction.h. In the order of sections, and of kinds within them. */
typedef struct prediction_entry {
  uint32_t kind, section, column; /* column: of what is predicted; 0 where that is given by the kind */
  uint32_t source_count, source[3];
  uint32_t reserved; /* 0 */
  double period[3];
  uint64_t more_reserved; /* 0 */
} prediction_entry;

_Static_assert(sizeof(prediction_entry) == 64, "prediction entry");
_Static_assert(sizeof(file_header) == 96, "header");
_Static_assert(sizeof(section_entry) == 128, "section entry");
_Static_assert(sizeof(chunk_entry) == 16, "chunk entry");

/* CRC-32 of zlib, for any length. */
uint32_t format_crc32(const void *bytes, size_t size);
/* The checksum of all that `sum` is of, and what follows it. */
uint32_t format_crc32_go_on(uint32_t sum, const void *bytes, size_t size);
/* The same, where what follows, `size` bytes, has been summed up by itself. */
uint32_t format_crc32_join(uint32_t sum, uint32_t following, size_t size);
/* Of a section's numbers as they stand in the file; element: bytes of each. */
uint32_t format_numbers_crc32(const void *numbers, size_t size, size_t element);
uint32_t format_header_crc32(const file_header *header);
/* From the machine's byte order to that of the file, or back: the header; contents, with these numbers of entries.
 */
void format_turn_header(file_header *header);
void format_turn_contents(unsigned char *contents, size_t sections, size_t chunks, size_t predictions);
/* Number of chunks of a section; chunk_length is not 0. */
uint64_t format_chunk_count(const section_entry *entry);
/* The shape of chunk number `index`. */
chunk_shape format_chunk_shape(const section_entry *entry, uint64_t index);
/* Fills stride and chunk_length for what the writer does; chunk_bytes: what a chunk may have. */
void format_choose_chunks(section_entry *entry, size_t chunk_bytes);
/* Is a string followed by zeros, at least one, to the end of its field? */
bool format_text_is_padded(const char *text, size_t size);
/* Is a name within 64 bytes: 1 to 63 bytes of text without control characters, then only zeros? */
bool format_name_is_good(const char name[64]);
/* Raw bytes of rows x columns numbers; false if there is no such type or the product is too great. */
bool format_raw_length(const char *type, uint64_t rows, uint64_t columns, uint64_t *length);
/* Index of the first name that stood before, or -1. names[k] starts at first_name + k * distance. */
floc_status format_find_duplicate(environment *env, const char *first_name, size_t distance, size_t count,
                                  int64_t *duplicate);

/* How many chunks are coded side by side: enough for the threads, no more than there are. */
size_t format_batch_size(const environment *env, uint64_t chunk_count);

/* Reads an entire file, its header, contents and stored bytes, and compares their checksums without decompressing;
 * *header gets its header. Used to compare what the disk holds with what was written. */
floc_status checkpoint_verify(environment *env, const file_layer *layer, const char *path, file_header *header);

#endif
