/*
 * Loops over blocks of particles. See pair_blocks.h.
 */
#include "laws/pair_blocks.h"

typedef struct block_call {
  const pair_blocks *blocks;
  block_function function;
  void *context;
} block_call;

static void call_blocks(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const block_call *call = context;
  const int64_t *start = call->blocks->start;
  for (int64_t k = begin; k < end; k++) call->function(call->context, start[k], start[k + 1], k);
}

void pair_blocks_for(const environment *env, const pair_blocks *blocks, const particles *table,
                     block_function function, void *context)
{
  block_call call = {blocks, function, context};
  if (blocks->start)
    parallel_for(env, blocks->count, 1, call_blocks, &call);
  else
    slots_for(env, table, blocks->size, function, context);
}
