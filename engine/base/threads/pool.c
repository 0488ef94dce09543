/*
 * Threads of a host. See pool.h.
 */
#include "base/threads/pool.h"

#include "base/callback.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { TASK_WAITS, TASK_TAKEN, TASK_DONE };
enum { TASKS_PER_THREAD = 4 }; /* some blocks take longer than others */

static void note_fault(host_pool *pool, pool_fault fault, int32_t index)
{
  int fine = POOL_FINE;
  if (atomic_load_explicit(&pool->fault, memory_order_relaxed) != POOL_FINE) return;
  if (!atomic_compare_exchange_strong(&pool->fault, &fine, (int)fault)) return;
  atomic_store(&pool->wrong_index, index);
  atomic_store(&pool->wrong_count, atomic_load_explicit(&pool->count, memory_order_relaxed));
}

static bool do_task(host_pool *pool, int32_t index)
{
  int waits = TASK_WAITS;
  if (!atomic_compare_exchange_strong_explicit(&pool->state[index], &waits, TASK_TAKEN, memory_order_acquire,
                                               memory_order_relaxed))
    return false;
  const block_loop *loop = &pool->loop;
  int64_t blocks = parallel_block_count(pool->end - pool->begin, loop->block_size);
  int64_t block = index * pool->blocks_each, last = block + pool->blocks_each;
  if (last > blocks) last = blocks;
  for (; block < last; block++) {
    int64_t from = pool->begin + block * loop->block_size, to = from + loop->block_size;
    loop->function(loop->context, from, to < pool->end ? to : pool->end, pool->first_block + block);
  }
  atomic_store_explicit(&pool->state[index], TASK_DONE, memory_order_release);
  return true;
}

/* What the host's function calls. Its threads have the floating-point environment of the host. */
static void run_task(void *argument, int32_t index)
{
  host_pool *pool = argument;
  if (index < 0 || index >= atomic_load_explicit(&pool->count, memory_order_acquire)) {
    note_fault(pool, POOL_OUTSIDE, index);
    return;
  }
  FLOAT_DEFAULT;
  if (!do_task(pool, index)) note_fault(pool, POOL_TWICE, index);
}

static void finish_run(host_pool *pool, int32_t count)
{
  for (int32_t k = 0; k < count; k++) {
    if (atomic_load_explicit(&pool->state[k], memory_order_acquire) == TASK_DONE) continue;
    note_fault(pool, do_task(pool, k) ? POOL_SKIPPED : POOL_EARLY, k);
    while (atomic_load_explicit(&pool->state[k], memory_order_acquire) != TASK_DONE) sched_yield();
  }
}

static void do_range(const environment *env, host_pool *pool, int64_t blocks)
{
  int64_t wanted = (int64_t)pool->lent.threads * TASKS_PER_THREAD;
  if (wanted > POOL_TASKS) wanted = POOL_TASKS;
  pool->blocks_each = (blocks + wanted - 1) / wanted;
  int32_t count = (int32_t)((blocks + pool->blocks_each - 1) / pool->blocks_each);
  atomic_store_explicit(&pool->count, count, memory_order_release);
  for (int32_t k = 0; k < count; k++) atomic_store_explicit(&pool->state[k], TASK_WAITS, memory_order_release);
  if (count > 1) {
    call_guard *guard = env->guard; /* a law that the loop evaluates is named, instead of the pool */
    bool names = guard && atomic_load_explicit(&guard->kind, memory_order_relaxed) == CALLBACK_NONE;
    callback_mark before = {0};
    if (names) before = callback_begin(env, CALLBACK_POOL, NULL);
    pool->lent.run(pool->lent.context, run_task, pool, count);
    float_take_back();
    if (names) callback_end(env, before);
    finish_run(pool, count);
  } else {
    do_task(pool, 0);
  }
}

static int64_t count_blocks(const block_loop *loop)
{
  int64_t blocks = 0;
  for (int32_t k = 0; k < loop->ranges; k++)
    blocks += parallel_block_count(loop->start[k + 1] - loop->start[k], loop->block_size);
  return blocks;
}

bool pool_takes(const environment *env, const block_loop *loop)
{
  host_pool *pool = env->pool;
  if (count_blocks(loop) <= loop->ranges || pool_failed(env)) return false;
  if (atomic_flag_test_and_set_explicit(&pool->at_work, memory_order_acquire)) return false;
  pool->loop = *loop;
  pool->first_block = 0;
  for (int32_t k = 0; k < loop->ranges; k++) {
    pool->begin = loop->start[k];
    pool->end = loop->start[k + 1];
    int64_t blocks = parallel_block_count(pool->end - pool->begin, loop->block_size);
    if (blocks > 0) do_range(env, pool, blocks);
    pool->first_block += blocks;
  }
  atomic_flag_clear_explicit(&pool->at_work, memory_order_release);
  return true;
}

floc_status pool_status(environment *env)
{
  static const char *const what[] = {[POOL_TWICE] = "ran index %d of %d more than once",
                                     [POOL_SKIPPED] = "did not run index %d of %d",
                                     [POOL_EARLY] = "returned while index %d of %d was at work",
                                     [POOL_OUTSIDE] = "ran index %d, where there were %d, counted from 0"};
  if (!pool_failed(env)) return FLOC_OK;
  host_pool *pool = env->pool;
  char text[96];
  snprintf(text, sizeof text, what[atomic_load(&pool->fault)], atomic_load(&pool->wrong_index),
           atomic_load(&pool->wrong_count));
  return refuse(env, FLOC_CALLBACK_FAILED,
                "the thread pool %s; it must run each once before it returns (floc_world_set_thread_pool gives "
                "another)",
                text);
}

floc_status pool_create(environment *env, const floc_thread_pool *lent, host_pool **pool)
{
  *pool = memory_resize(env, NULL, 0, sizeof **pool);
  if (!*pool) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof **pool);
  memset(*pool, 0, sizeof **pool);
  (*pool)->lent = *lent;
  atomic_init(&(*pool)->count, 0);
  atomic_init(&(*pool)->fault, POOL_FINE);
  atomic_flag_clear(&(*pool)->at_work);
  for (int k = 0; k < POOL_TASKS; k++) atomic_init(&(*pool)->state[k], TASK_DONE);
  return FLOC_OK;
}

void pool_destroy(environment *env, host_pool *pool)
{
  memory_free(env, pool, sizeof *pool);
}
