/*
 * Every input of a fuzz target's corpus once more, as an ordinary test: what the fuzzer found stays found. The
 * target's source is included beside this file.
 */
#ifndef FLOC_TESTS_FUZZ_CORPUS_H
#define FLOC_TESTS_FUZZ_CORPUS_H

#include "support.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void try_file(const char *folder, const char *name)
{
  char path[400];
  static uint8_t bytes[1 << 16];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  LLVMFuzzerTestOneInput(bytes, size);
}

/* At least so many inputs must be there. */
static inline void try_corpus(const char *path, int least)
{
  DIR *folder = opendir(path);
  assert_non_null(folder);
  int tried = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    try_file(path, entry->d_name);
    tried++;
  }
  closedir(folder);
  assert_true(tried >= least);
}

#endif
