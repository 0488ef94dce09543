/* The corpus of the fuzz target of the STL reader. */
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_stl.c"

static void every_input_of_the_corpus_is_harmless(void **state)
{
  (void)state;
  try_corpus("tests/corpus/stl", 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_is_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
