/*
 * Every input of a fuzz target's corpus once more, as an ordinary test: what the fuzzer found stays found. A
 * test defines CORPUS, the folder, and CORPUS_LEAST, how many inputs must be there, and includes the target's
 * source and this file.
 */
#ifndef FLOC_TESTS_FUZZ_CORPUS_H
#define FLOC_TESTS_FUZZ_CORPUS_H

#include "support.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_file(const char *name)
{
  char path[400];
  static uint8_t bytes[1 << 16];
  snprintf(path, sizeof path, CORPUS "/%s", name);
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  LLVMFuzzerTestOneInput(bytes, size);
}

static void every_input_of_the_corpus_is_harmless(void **state)
{
  (void)state;
  DIR *folder = opendir(CORPUS);
  assert_non_null(folder);
  int tried = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    try_file(entry->d_name);
    tried++;
  }
  closedir(folder);
  assert_true(tried >= CORPUS_LEAST);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_is_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
