/*
 * Scratch memory of one step: allocations are bumps of a pointer, all freed at once by arena_reset().
 * Memory is a chain of blocks; after a step that needed several, reset joins them into one block of
 * their total size, so that a steady simulation allocates nothing.
 */
#ifndef FLOC_BASE_ARENA_H
#define FLOC_BASE_ARENA_H

#include "base/environment.h"

typedef struct arena_block arena_block;

typedef struct arena {
  environment *env;
  arena_block *blocks; /* newest first */
} arena;

void arena_init(arena *scratch, environment *env);
void arena_free(arena *scratch);
/* Everything allocated since the last reset is gone. */
void arena_reset(arena *scratch);
/* count elements of element_size bytes, aligned to 64; not cleared. NULL when out of memory (then
 * env->message says so). count 0 gives a valid pointer. */
void *arena_allocate(arena *scratch, size_t count, size_t element_size);

#endif
