/*
 * Scratch memory of one step: allocations are bumps of a pointer, all freed at once by arena_reset().
 * Memory is a chain of blocks; after a step that needed several, reset joins them into one block as large as was
 * used at most, and a sixty-fourth part, so that a steady simulation allocates nothing. What is needed only for a
 * while within a step (a solver's columns, where a step solves several times) is given back with a mark. Where many
 * steps have used less than half of a large block, it shrinks: a crowd that falls needs more than the heap that it
 * becomes.
 */
#ifndef FLOC_BASE_ARENA_H
#define FLOC_BASE_ARENA_H

#include "base/environment.h"

typedef struct arena_block arena_block;

typedef struct arena {
  environment *env;
  arena_block *blocks; /* newest first */
  size_t size;         /* of the one block that a reset leaves; 0: not known yet */
  size_t before;       /* used in all blocks but the newest */
  size_t most;         /* used at once, since `resets` was 0 */
  int32_t resets;      /* since `size` was last thought over */
  arena_block *holder; /* block whose last `held` bytes are held; NULL: none has any */
  size_t held;
} arena;

typedef struct arena_mark { /* block NULL: nothing was allocated */
  arena_block *block;
  size_t used;
} arena_mark;

void arena_init(arena *scratch, environment *env);
void arena_free(arena *scratch);
/* Everything allocated since the last reset is gone. */
void arena_reset(arena *scratch);
arena_mark arena_here(const arena *scratch);
/* Everything allocated since the mark is gone. Where that is everything it is a reset. */
void arena_return(arena *scratch, arena_mark mark);
/* Space at the end of the newest block, behind all that is allocated: what was allocated since the mark can be
 * copied there, and then arena_return(mark) leaves it until arena_release(). NULL: there is none that long, or not
 * in the block that would stay. Before an arena_release() there is one at a time. */
void *arena_hold(arena *scratch, arena_mark mark, size_t bytes);
void arena_release(arena *scratch);
/* count elements of element_size bytes, aligned to 64; not cleared. NULL when out of memory (then
 * env->message reports it). count 0 gives a valid pointer. */
void *arena_allocate(arena *scratch, size_t count, size_t element_size);
/* An allocation of `present` elements gets `count`, at least as many, and keeps what is in it: in place where it is
 * the newest and there is space, else it moves. Marks since it was made are void. NULL: as above, it stays. */
void *arena_grow(arena *scratch, void *pointer, size_t present, size_t count, size_t element_size);

#endif
