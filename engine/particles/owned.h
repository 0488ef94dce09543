/*
 * Owned particles and ghosts, and the loops over a table. A table may hold particles that another part of a world
 * owns: ghosts, copies of those near what is owned here, stored among the others in the order of the whole
 * (particles.h: `ghost`). Who loops over a table says what it means to meet:
 *
 *   owned    sums, maxima, counts, checks of the state, integration, random numbers: each particle is dealt with
 *            by its owner, and over all owners once
 *   slots    what is prepared for pairs, neighbours and patches, to which a ghost is a particle as any other; and
 *            storage
 *
 * Every loop over all particles of a table goes through here (the test structure_doors finds others). Without
 * ghosts the loops are plain loops from 0 to count; with them they go over runs of owned slots between ghosts.
 *
 *   EACH_OWNED(i, table) sum += mass[i];         owned slots in the order of storage
 *   EACH_SLOT(i, table) scale[i] = 1.0;          all slots
 *   EACH_SLOT_FROM(first, i, table) ...          all slots from one on
 *   EACH_SAMPLED_SLOT(stride, i, table) ...      every stride-th slot, the first of all
 *   EACH_OWNED_RANK(rank, table) ...             ranks of owned particles, in the order of ids
 *   EACH_RANK(rank, table) ...                   all ranks
 *
 * `break`, `continue` and `return` do what they do in a plain loop.
 */
#ifndef FLOC_PARTICLES_OWNED_H
#define FLOC_PARTICLES_OWNED_H

#include "base/threads/parallel.h"
#include "particles/particles.h"

#include <string.h>

/* Slots begin .. end - 1. */
typedef struct slot_run {
  int64_t begin, end;
  bool whole; /* the loop over it was not left early */
} slot_run;

static inline bool particles_is_ghost(const particles *table, int64_t slot)
{
  return table->ghost && table->ghost[slot] != 0;
}

/* The next run of owned slots in run->end .. limit - 1; false: there is none. */
static inline bool owned_next(const particles *table, slot_run *run, int64_t limit)
{
  run->whole = false;
  run->begin = run->end;
  run->end = limit;
  if (!table->ghost || run->begin >= limit) return run->begin < limit;
  const uint8_t *from = memchr(table->ghost + run->begin, 0, (size_t)(limit - run->begin));
  run->begin = from ? from - table->ghost : limit;
  const uint8_t *to = from ? memchr(from, 1, (size_t)(limit - run->begin)) : NULL;
  if (to) run->end = to - table->ghost;
  return from != NULL;
}

#define EACH_OWNED(i, table)                                                                                       \
  for (slot_run i##_within = {0, 0, true}; i##_within.whole && owned_next(table, &i##_within, (table)->count);)    \
    for (int64_t i = i##_within.begin; i < i##_within.end || !(i##_within.whole = true); i++)

#define EACH_SLOT(i, table) for (int64_t i = 0; i < (table)->count; i++)

#define EACH_SLOT_FROM(first, i, table) for (int64_t i = first; i < (table)->count; i++)

#define EACH_SAMPLED_SLOT(stride, i, table) for (int64_t i = 0; i < (table)->count; i += stride)

#define EACH_OWNED_RANK(rank, table)                                                                               \
  EACH_RANK(rank, table)                                                                                           \
    if (particles_is_ghost(table, (table)->slot[rank])) {                                                          \
    } else

#define EACH_RANK(rank, table) for (int64_t rank = 0; rank < (table)->count; rank++)

/* How many are owned. */
static inline int64_t owned_number(const particles *table)
{
  int64_t number = 0;
  for (slot_run run = {0, 0, true}; owned_next(table, &run, table->count);) number += run.end - run.begin;
  return number;
}

/* Memory for marks; all particles are owned until table->ghost[slot] is 1. */
static inline floc_status particles_prepare_ghosts(particles *table)
{
  if (table->ghost || table->capacity == 0) return FLOC_OK;
  table->ghost = memory_resize(table->env, NULL, 0, (size_t)table->capacity);
  if (!table->ghost)
    return refuse(table->env, FLOC_OUT_OF_MEMORY, "out of memory: marks of %lld particles were refused",
                  (long long)table->capacity);
  memset(table->ghost, 0, (size_t)table->capacity);
  return FLOC_OK;
}

/* After particles_prepare_ghosts(). */
static inline void particles_mark_ghost(particles *table, int64_t slot, bool is_ghost)
{
  table->ghost[slot] = is_ghost;
}

/* All particles are owned again, and there are no marks. */
static inline void particles_forget_ghosts(particles *table)
{
  if (table->ghost) memory_free(table->env, table->ghost, (size_t)table->capacity);
  table->ghost = NULL;
}

/* The loops of base/threads/parallel.h over owned slots. Blocks are those of all slots; what ghosts leave of a
 * block is done by several calls with its number, one after another, by the same thread. */
void owned_for(const environment *env, const particles *table, int64_t block_size, block_function function,
               void *context);
double owned_sum(const environment *env, const particles *table, int64_t block_size, block_terms function,
                 void *context);
double owned_max(const environment *env, const particles *table, int64_t block_size, double least,
                 block_value function, void *context);
/* Exact sum of a column. */
double owned_total(const environment *env, const particles *table, const double *values);

/* The same over all slots. */
static inline void slots_for(const environment *env, const particles *table, int64_t block_size,
                             block_function function, void *context)
{
  parallel_for(env, table->count, block_size, function, context);
}
static inline int64_t slots_count(const environment *env, const particles *table, int64_t block_size,
                                  block_value function, void *context)
{
  return parallel_count(env, table->count, block_size, function, context);
}
static inline double slots_sum(const environment *env, const particles *table, int64_t block_size,
                               block_terms function, void *context)
{
  return parallel_sum(env, table->count, block_size, function, context);
}
static inline double slots_total(const environment *env, const particles *table, const double *values)
{
  return parallel_total(env, table->count, values);
}
static inline void slots_copy(const environment *env, const particles *table, const double *from, double *to)
{
  parallel_copy(env, table->count, from, to);
}
static inline void slots_clear(const environment *env, const particles *table, double *values)
{
  parallel_clear(env, table->count, values);
}
static inline double slots_max(const environment *env, const particles *table, int64_t block_size, double least,
                               block_value function, void *context)
{
  return parallel_max(env, table->count, block_size, least, function, context);
}

#endif
