/* The corpus of the fuzz target of the OBJ reader. */
#define CORPUS       "tests/corpus/obj"
#define CORPUS_LEAST 4
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_obj.c"
