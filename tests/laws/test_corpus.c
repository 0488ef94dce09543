/* The corpus of the fuzz target of law programs. */
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_program.c"

static void every_input_of_the_corpus_is_harmless(void **state)
{
  (void)state;
  try_corpus("tests/corpus/program", 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_is_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
