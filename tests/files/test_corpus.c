/*
 * Every input of the corpus of the checkpoint's fuzz target once more, as an ordinary test: what the fuzzer
 * found stays found.
 */
#include "support.h"

#include "../fuzz/fuzz_checkpoint.c"

#include <dirent.h>

static const char FOLDER[] = "tests/corpus/checkpoint";

static void try_file(const char *name)
{
  char path[400];
  static uint8_t bytes[1 << 16];
  snprintf(path, sizeof path, "%s/%s", FOLDER, name);
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  LLVMFuzzerTestOneInput(bytes, size);
}

static void every_input_of_the_corpus_is_harmless(void **state)
{
  (void)state;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  int tried = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    try_file(entry->d_name);
    tried++;
  }
  closedir(folder);
  assert_true(tried >= 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_is_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
