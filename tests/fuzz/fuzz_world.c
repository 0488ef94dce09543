/*
 * Fuzz target of loading and stepping: bytes are edits of a real checkpoint of one of the scenarios, a world of
 * which loads the forged file and makes five steps (tests/world/forged.h says what an edit is). Checksums are
 * right, so that what is tried is what modules and schemes make of numbers, not what the reader makes of bytes:
 * that is fuzz_checkpoint.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_world -timeout=10 tests/corpus/world
 */
#include "world/forged.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A fortieth of the default: with the sanitizers and the marks of libFuzzer a step takes twenty times as long. */
static const double WORK_LIMIT = 2e6;

static forgery all;

static void clear(void)
{
  forgery_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  static bool begun;
  if (!begun) {
    begun = true;
    forgery_init(&all);
    all.work_limit = WORK_LIMIT;
    atexit(clear);
  }
  if (forged_try(&all, bytes, size) != FORGED_WRONG) return 0;
  fprintf(stderr, "broken promise: %s\n", all.wrong);
  abort();
}
