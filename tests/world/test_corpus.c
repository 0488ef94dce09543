#define CORPUS       "tests/corpus/world"
#define CORPUS_LEAST 8
#include "fuzz/fuzz_world.c"

#include "fuzz/corpus.h"
