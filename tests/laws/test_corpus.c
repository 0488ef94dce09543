/* The corpus of the fuzz target of law programs. */
#define CORPUS       "tests/corpus/program"
#define CORPUS_LEAST 8
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_program.c"
