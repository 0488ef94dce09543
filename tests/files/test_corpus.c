/* The corpus of the fuzz target of the checkpoint reader. */
#define CORPUS       "tests/corpus/checkpoint"
#define CORPUS_LEAST 8
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_checkpoint.c"
