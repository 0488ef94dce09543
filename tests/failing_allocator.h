/*
 * An allocator that refuses its n-th call and counts the bytes that are out, from the sizes that it is
 * told: a wrong old_size or a leak leaves a rest.
 */
#ifndef FLOC_TESTS_FAILING_ALLOCATOR_H
#define FLOC_TESTS_FAILING_ALLOCATOR_H

#include "support.h"

typedef struct failing_allocator {
  int64_t calls;   /* requests for memory so far */
  int64_t refused; /* the request that fails, counted from 1; 0: none */
  int64_t bytes;   /* out at present */
} failing_allocator;

static inline void *failing_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  failing_allocator *counter = context;
  if (new_size > 0 && ++counter->calls == counter->refused) return NULL;
  counter->bytes += (int64_t)new_size - (pointer ? (int64_t)old_size : 0);
  return default_allocate(NULL, pointer, old_size, new_size);
}

static inline environment failing_environment(failing_allocator *counter, int64_t refused)
{
  *counter = (failing_allocator){.refused = refused};
  environment env = test_environment(1);
  env.allocate = failing_allocate;
  env.allocate_context = counter;
  return env;
}

#endif
