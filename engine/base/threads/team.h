/*
 * How the threads of a team share a loop. Only parallel.c and pool.c beside it look in here.
 */
#ifndef FLOC_BASE_THREADS_TEAM_H
#define FLOC_BASE_THREADS_TEAM_H

#include "base/threads/parallel.h"

typedef struct block_loop {
  block_function function;
  void *context;
  const int64_t *start; /* [range + 1] */
  int64_t block_size;
  int32_t ranges;
  const int64_t *weight; /* NULL: blocks are alike. Else those of block_size 1: that of all before */
} block_loop;

/* Does the loop with the team of env, which has one; or returns false, if it is not worth it or the team is at
 * work. */
bool team_takes(const environment *env, const block_loop *loop);

#endif
