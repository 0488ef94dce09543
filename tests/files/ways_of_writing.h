/*
 * How files are written: each group of tests runs with both ways.
 */
#ifndef FLOC_TESTS_FILES_WAYS_OF_WRITING_H
#define FLOC_TESTS_FILES_WAYS_OF_WRITING_H

#include "files/checkpoint/checkpoint.h"

static floc_status (*write_file)(environment *, const file_layer *, const char *, int32_t,
                                 const section_list *) = checkpoint_write;

/* Set-up of the group that goes without compression. */
static inline int without_compression(void **state)
{
  (void)state;
  write_file = checkpoint_write_plain;
  return 0;
}

#endif
