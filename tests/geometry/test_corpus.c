/* The corpus of the fuzz target of the STL reader. */
#define CORPUS       "tests/corpus/stl"
#define CORPUS_LEAST 4
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_stl.c"
