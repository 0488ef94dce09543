/*
 * What the fuzz targets of readers share: promises, and an allocator that counts.
 */
#ifndef FLOC_TESTS_FUZZ_SUPPORT_H
#define FLOC_TESTS_FUZZ_SUPPORT_H

#include "base/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void demand(bool condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

/* Bytes that are held, and the most there were. */
typedef struct count {
  size_t held, greatest;
} count;

static void *counting_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  count *counter = context;
  counter->held = counter->held - old_size + new_size;
  if (counter->held > counter->greatest) counter->greatest = counter->held;
  return default_allocate(NULL, pointer, old_size, new_size);
}

#endif
