/*
 * Threads of a world: its own, or those that the host lends.
 */
#include "world.h"

#include "base/threads/parallel.h"
#include "base/threads/pool.h"

#ifdef _WIN32
#include <pthread.h>
#else
#include <unistd.h>
#endif

enum { THREAD_LIMIT = 256 };

STRUCT_INIT_SIZED(thread_pool, struct_zero);

floc_status world_check_threads(environment *env, int32_t threads)
{
  return fields_check_value(env, &struct_world_options, "threads", threads);
}

int32_t world_choose_threads(int32_t wanted)
{
  if (wanted > 0) return wanted;
#ifdef _WIN32
  long processors = pthread_num_processors_np();
#else
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  if (processors < 1) return 1;
  return processors > THREAD_LIMIT ? THREAD_LIMIT : (int32_t)processors;
}

floc_status floc_world_set_threads(floc_world *world, int32_t threads)
{
  WORLD_ENTER(world);
  if (world->env.pool)
    return refuse(&world->env, FLOC_WRONG_STATE,
                  "threads is %d, but the world has a thread pool of the host, with %d; "
                  "floc_world_set_thread_pool with NULL removes it",
                  threads, world->env.threads);
  floc_status status = world_check_threads(&world->env, threads);
  if (status == FLOC_OK) world->env.threads = world_choose_threads(threads); /* the team follows at the next step */
  return status;
}

static floc_status check_pool(environment *env, const floc_thread_pool *pool)
{
  if (pool->threads < 1 || pool->threads > THREAD_LIMIT)
    return refuse(env, FLOC_INVALID_ARGUMENT, "pool.threads is %d; it must be between 1 and %d", pool->threads,
                  THREAD_LIMIT);
  return pool->run ? FLOC_OK : refuse(env, FLOC_INVALID_ARGUMENT, "pool.run is NULL");
}

/* Another pool, or none: there are no loops now, so that no thread is in the one before. */
static void change_pool(floc_world *world, host_pool *pool, int32_t threads)
{
  pool_destroy(&world->env, world->env.pool);
  parallel_dismiss_team(&world->env);
  world->env.pool = pool;
  world->env.threads = threads;
}

floc_status floc_world_set_thread_pool(floc_world *world, const floc_thread_pool *pool)
{
  WORLD_ENTER(world);
  if (!pool) {
    if (world->env.pool) change_pool(world, NULL, world->own_threads);
    return FLOC_OK;
  }
  READ_OPTIONS(&world->env, thread_pool, pool);
  host_pool *made = NULL;
  floc_status status = check_pool(&world->env, pool);
  if (status == FLOC_OK) status = pool_create(&world->env, pool, &made);
  if (status != FLOC_OK) return status;
  if (!world->env.pool) world->own_threads = world->env.threads;
  change_pool(world, made, pool->threads);
  return FLOC_OK;
}
