/*
 * A checkpoint that is being read: what its header and contents say, once they are checked, and the chunks that are
 * in work. Shared by checkpoint/contents.c, checkpoint/read.c and checkpoint/verify.c.
 */
#ifndef FLOC_FILES_CHECKPOINT_READER_H
#define FLOC_FILES_CHECKPOINT_READER_H

#include "files/checkpoint/format.h"

typedef enum chunk_outcome { CHUNK_GOOD, CHUNK_STORED_CRC, CHUNK_STREAM, CHUNK_RAW_CRC } chunk_outcome;

typedef struct decode_slot {
  chunk_decoder *decoder;
  unsigned char *buffer; /* [greatest_stored] */
  unsigned char *raw;    /* where the raw bytes go */
  unsigned char *stored; /* what was read: in the buffer, or if it is raw bytes that are wanted, where these go */
  const section_entry *section;
  const chunk_entry *chunk;
  chunk_shape shape;
  uint64_t offset;
  chunk_outcome outcome;
} decode_slot;

typedef struct reader {
  environment *env;
  open_file file;
  uint64_t real_length;
  file_header header;
  unsigned char *contents; /* [header.contents_length] */
  const section_entry *entry;
  const chunk_entry *chunk;
  uint64_t chunk_count;
  const prediction_entry *prediction;
  unsigned char **data; /* [section_count] the sections' raw bytes */
  decode_slot *slot;
  size_t slot_count;
  size_t greatest_raw, greatest_stored;
} reader;

#define READER_STORED_BYTES_WRONG "the checksum of the stored bytes is wrong"

/* Says what is wrong with the file, and where; FLOC_DAMAGED_FILE. entry: NULL, or the section it is in. */
floc_status reader_damaged(const reader *in, const section_entry *entry, uint64_t offset, const char *reason);
/* Reads and checks the header and the contents of a file that has been opened. */
floc_status reader_read_contents(reader *in);

#endif
