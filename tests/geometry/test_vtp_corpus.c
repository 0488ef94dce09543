/* The corpus of the fuzz target of the VTP reader. */
#define CORPUS       "tests/corpus/vtp"
#define CORPUS_LEAST 9
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_vtp.c"
