/*
 * Loops over fixed blocks, and teams of threads. See parallel.h.
 *
 * A team is one OpenMP region: its first thread is the caller, the others wait for loops. They look at a word in
 * memory for some microseconds before they go to sleep, so that a loop of a few microseconds, one after many like
 * it, is worth sharing (a region of its own for each takes 3-10 microseconds).
 *
 * Nobody waits for a thread that has not come. Blocks are handed out one by one, from a share of each thread so
 * that it finds in its cache what it left there, then from the others' shares; the caller closes a loop when no
 * block is left, and waits only for those who are in it. A thread that sleeps, or that a busy machine does not
 * run, leaves its share to the others. Which thread does a block changes no bit of it.
 */
#include "base/parallel.h"

#include <math.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#endif

enum { VALUES_ON_STACK = 1024 };

int64_t parallel_block_count(int64_t count, int64_t block_size)
{
  return (count + block_size - 1) / block_size;
}

static int64_t block_end(int64_t begin, int64_t count, int64_t block_size)
{
  return begin + block_size < count ? begin + block_size : count;
}

typedef struct block_loop {
  block_function function;
  void *context;
  int64_t count, block_size;
} block_loop;

static inline void do_block(const block_loop *loop, int64_t block)
{
  int64_t begin = block * loop->block_size;
  loop->function(loop->context, begin, block_end(begin, loop->count, loop->block_size), block);
}

/* ---- teams ---- */

#ifdef _OPENMP

enum {
  SHARES = 32,             /* more threads than that have a share together */
  CACHE_LINE = 64,         /* what one thread writes lies apart from what others look at */
  WORTH_WAKING = 4,        /* blocks: fewer are done before a sleeper is awake */
  MOST_LOOKS = 4096,       /* before a waiting thread sleeps; a pause takes 5 to 50 ns */
  LEAST_LOOKS = 16,        /* the same where waiting was in vain, as on a busy machine */
  LOOKS_BEFORE_YIELD = 512 /* of the caller, for those who are in its loop */
};

/* The state of a team: number of the loop, whether one may come in, whether the team goes home, how many of the
 * others are in the loop. */
#define STATE_LOOP (UINT64_C(1) << 32)
#define STATE_OPEN (UINT64_C(1) << 31)
#define STATE_OVER (UINT64_C(1) << 30)
#define STATE_INSIDE (STATE_OVER - 1)

typedef struct block_cursor {
  _Alignas(CACHE_LINE) atomic_int_least64_t next;
} block_cursor;

struct parallel_team {
  _Alignas(CACHE_LINE) atomic_uint_least64_t state;
  _Alignas(CACHE_LINE) block_loop loop; /* changes only while nobody is in it */
  int64_t blocks, shares;
  bool at_work;     /* a loop within a loop is its thread's own */
  int64_t size;     /* threads, if all come */
  block_cursor share[SHARES];
  _Alignas(CACHE_LINE) atomic_int asleep; /* somebody may be */
  pthread_mutex_t sleep;
  pthread_cond_t news;
};

static inline void pause_processor(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static int64_t share_begin(const parallel_team *team, int64_t share)
{
  return team->blocks * share / team->shares;
}

static void do_shares(parallel_team *team, int64_t thread)
{
  const block_loop loop = team->loop;
  for (int64_t k = 0; k < team->shares; k++) {
    int64_t share = (thread + k) % team->shares, end = share_begin(team, share + 1);
    atomic_int_least64_t *next = &team->share[share].next;
    while (atomic_load_explicit(next, memory_order_relaxed) < end) {
      int64_t block = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
      if (block < end) do_block(&loop, block);
    }
  }
}

/* A thread that goes to sleep says so first and looks at the state after; who changes the state looks for
 * sleepers after: in the one order of both, one of them sees the other. */
static void wake_sleepers(parallel_team *team)
{
  if (!atomic_load(&team->asleep)) return;
  pthread_mutex_lock(&team->sleep);
  atomic_store(&team->asleep, 0);
  pthread_cond_broadcast(&team->news);
  pthread_mutex_unlock(&team->sleep);
}

static void team_run(parallel_team *team, const block_loop *loop, int64_t blocks)
{
  uint64_t number = (atomic_load_explicit(&team->state, memory_order_relaxed) / STATE_LOOP + 1) * STATE_LOOP;
  team->loop = *loop;
  team->blocks = blocks;
  team->shares = team->size < blocks ? team->size : blocks;
  if (team->shares > SHARES) team->shares = SHARES;
  team->at_work = true;
  for (int64_t share = 0; share < team->shares; share++)
    atomic_store_explicit(&team->share[share].next, share_begin(team, share), memory_order_relaxed);
  atomic_store(&team->state, number | STATE_OPEN);
  if (blocks >= WORTH_WAKING) wake_sleepers(team);
  do_shares(team, 0);
  uint64_t inside = atomic_fetch_and_explicit(&team->state, ~STATE_OPEN, memory_order_acq_rel) & STATE_INSIDE;
  for (int looks = 0; inside > 0; looks++) {
    if (looks < LOOKS_BEFORE_YIELD)
      pause_processor();
    else
      sched_yield();
    inside = atomic_load_explicit(&team->state, memory_order_acquire) & STATE_INSIDE;
  }
  team->at_work = false;
}

/* ---- the others' side of it ---- */

static uint64_t sleep_until_news(parallel_team *team, uint64_t number)
{
  uint64_t state;
  pthread_mutex_lock(&team->sleep);
  for (;;) {
    atomic_store(&team->asleep, 1);
    state = atomic_load(&team->state);
    if (state / STATE_LOOP != number) break;
    pthread_cond_wait(&team->news, &team->sleep);
  }
  pthread_mutex_unlock(&team->sleep);
  return state;
}

/* The state of a loop after number `number`. Waiting that pays lasts longer the next time. */
static uint64_t wait_for_news(parallel_team *team, uint64_t number, int *most_looks)
{
  for (int looks = 0; looks < *most_looks; looks++) {
    uint64_t state = atomic_load_explicit(&team->state, memory_order_acquire);
    if (state / STATE_LOOP != number) {
      *most_looks = 2 * *most_looks < MOST_LOOKS ? 2 * *most_looks : MOST_LOOKS;
      return state;
    }
    pause_processor();
  }
  *most_looks = *most_looks / 2 > LEAST_LOOKS ? *most_looks / 2 : LEAST_LOOKS;
  return sleep_until_news(team, number);
}

static void work_for(parallel_team *team, int64_t thread)
{
  uint64_t state = 0;
  int most_looks = MOST_LOOKS;
  for (;;) {
    state = wait_for_news(team, state / STATE_LOOP, &most_looks);
    if (state & STATE_OVER) return;
    uint64_t number = state / STATE_LOOP;
    bool inside = false;
    while (!inside && (state & STATE_OPEN) && state / STATE_LOOP == number)
      inside = atomic_compare_exchange_weak_explicit(&team->state, &state, state + 1, memory_order_acquire,
                                                     memory_order_relaxed);
    state = number * STATE_LOOP;
    if (!inside) continue;
    do_shares(team, thread);
    atomic_fetch_sub_explicit(&team->state, 1, memory_order_release);
  }
}

static void team_send_home(parallel_team *team)
{
  uint64_t number = atomic_load_explicit(&team->state, memory_order_relaxed) / STATE_LOOP + 1;
  atomic_store(&team->state, number * STATE_LOOP | STATE_OVER);
  wake_sleepers(team);
}

static void team_begin(parallel_team *team, int32_t threads)
{
  atomic_init(&team->state, 0);
  atomic_init(&team->asleep, 0);
  for (int share = 0; share < SHARES; share++) atomic_init(&team->share[share].next, 0);
  team->at_work = false;
  team->size = threads;
  pthread_mutex_init(&team->sleep, NULL);
  pthread_cond_init(&team->news, NULL);
}

static void team_end(parallel_team *team)
{
  pthread_cond_destroy(&team->news);
  pthread_mutex_destroy(&team->sleep);
}

/* A team for one loop. */
static void run_alone(int32_t threads, const block_loop *loop, int64_t blocks)
{
  parallel_team team;
  team_begin(&team, threads);
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == 0) {
      team_run(&team, loop, blocks);
      team_send_home(&team);
    } else {
      work_for(&team, omp_get_thread_num());
    }
  }
  team_end(&team);
}

floc_status parallel_with_team(environment *env, team_function function, void *context)
{
  if (env->threads == 1 || env->team) return function(context);
  parallel_team team;
  floc_status status = FLOC_OK;
  team_begin(&team, env->threads);
  env->team = &team;
#pragma omp parallel num_threads(env->threads)
  {
    if (omp_get_thread_num() == 0) {
      status = function(context);
      team_send_home(&team);
    } else {
      work_for(&team, omp_get_thread_num());
    }
  }
  env->team = NULL;
  team_end(&team);
  return status;
}

#else

floc_status parallel_with_team(environment *env, team_function function, void *context)
{
  (void)env;
  return function(context);
}

#endif

/* ---- loops ---- */

void parallel_for(const environment *env, int64_t count, int64_t block_size, block_function function, void *context)
{
  int64_t blocks = parallel_block_count(count, block_size);
  const block_loop loop = {function, context, count, block_size};
#ifdef _OPENMP
  if (env->threads > 1 && blocks > 1) {
    if (env->team && !env->team->at_work) {
      team_run(env->team, &loop, blocks);
      return;
    }
    if (!env->team && blocks >= WORTH_WAKING) {
      run_alone(env->threads, &loop, blocks);
      return;
    }
  }
#else
  (void)env;
#endif
  for (int64_t block = 0; block < blocks; block++) do_block(&loop, block);
}

/* A batch of blocks whose values are kept until they are combined in order. */
typedef struct value_batch {
  block_value function;
  void *context;
  int64_t first_block, block_size, count;
  double *value;
} value_batch;

static void evaluate(void *context, int64_t begin, int64_t end, int64_t unused)
{
  (void)unused;
  value_batch *batch = context;
  for (int64_t k = begin; k < end; k++) {
    int64_t block = batch->first_block + k;
    int64_t start = block * batch->block_size;
    batch->value[k] =
        batch->function(batch->context, start, block_end(start, batch->count, batch->block_size), block);
  }
}

typedef double (*combine_function)(double, double);

static double add(double a, double b)
{
  return a + b;
}

static double greater(double a, double b)
{
  if (isnan(a) || isnan(b)) return NAN;
  return a > b ? a : b;
}

static double combine_blocks(const environment *env, int64_t count, int64_t block_size, double start,
                             block_value function, void *context, combine_function combine)
{
  double value[VALUES_ON_STACK];
  int64_t blocks = parallel_block_count(count, block_size);
  double result = start;
  for (int64_t first = 0; first < blocks; first += VALUES_ON_STACK) {
    int64_t batch_size = blocks - first < VALUES_ON_STACK ? blocks - first : VALUES_ON_STACK;
    value_batch batch = {function, context, first, block_size, count, value};
    parallel_for(env, batch_size, 1, evaluate, &batch);
    for (int64_t k = 0; k < batch_size; k++) result = combine(result, value[k]);
  }
  return result;
}

double parallel_sum(const environment *env, int64_t count, int64_t block_size, block_value function, void *context)
{
  return combine_blocks(env, count, block_size, 0.0, function, context, add);
}

double parallel_max(const environment *env, int64_t count, int64_t block_size, double least, block_value function,
                    void *context)
{
  return combine_blocks(env, count, block_size, least, function, context, greater);
}
