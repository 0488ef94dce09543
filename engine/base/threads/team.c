/*
 * Teams of threads. See parallel.h and team.h.
 *
 * The threads of a team wait for loops. They look at a word in memory for some microseconds before they go to
 * sleep, so that a loop of a few microseconds, one after many like it, is worth sharing (waking threads for each
 * loop takes 3-10 microseconds, and milliseconds where they wait for each other on one processor).
 *
 * No thread waits for one that has not come. The blocks of a range are cut into shares, one for each thread, so
 * that a thread finds in its cache what it left there in the range before. Blocks are taken one by one; who is done
 * with his share waits until the range is done, and takes what is left of the others' shares when they are not
 * there or take too long. So a thread that sleeps, or that a busy machine does not run, delays no other thread for
 * longer than the one block that it is at. Which thread does a block changes no bit of it.
 *
 * Ranges and loops are numbered through. A share's cursor carries the number of its range: who comes late, with
 * a range that is over, takes nothing; the first thread that comes to a range resets the cursor. Ranges are
 * numbered from 1 again before their numbers run out, which takes some hours. A range is done when the blocks that
 * all threads have done are as many as there were up to its end.
 */
#include "base/threads/team.h"

#include "base/numbers/float_environment.h"

#include <string.h>

#ifdef FLOC_HAS_THREADS
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Of each thread, whatever the limit of the process is: laws of the host run there (floc.h says how much they
 * have). */
enum { STACK_SIZE = 1 << 20 };

enum {
  FEW_RANGES = 1000, /* a team's first numbers are so few before the last, so that every use comes past it */
  SHARES = 32,       /* of a range; of more threads, some have none of their own */
  CACHE_LINE = 64,   /* what one thread writes lies apart from what others look at */
  WORTH_WAKING = 4,  /* blocks: fewer are done before a sleeper is awake */
  MOST_SKIPPED = 64  /* loops for which no thread is woken after it was in vain */
};

/* Looks at a word in memory, each 5 to 50 ns. A waiting thread sleeps after MOST; with an eighth of it, threads
 * sleep through the serial parts of a step and come late after (2-D aggregation: 5 %). After LEAST, where waiting
 * was in vain, as on a busy machine. PATIENCE: before others' blocks are taken, because what they have in their
 * caches is sooner done by them. YIELD: before the processor is left to others. */
enum { MOST_LOOKS = 32768, LEAST_LOOKS = 512, PATIENCE = 1024, YIELD_LOOKS = 512 };

/* The state of a team: number of the loop, whether one may come in, whether the team goes home, how many of the
 * others are in the loop. */
#define STATE_LOOP   (UINT64_C(1) << 32)
#define STATE_OPEN   (UINT64_C(1) << 31)
#define STATE_OVER   (UINT64_C(1) << 30)
#define STATE_INSIDE (STATE_OVER - 1)

/* Others look at what is done while a thread takes its blocks: hence two lines. */
typedef struct team_share {
  _Alignas(CACHE_LINE) atomic_uint_least64_t cursor; /* number of a range, next block in it */
  _Alignas(CACHE_LINE) atomic_uint_least64_t done;   /* blocks, by the thread of this number */
} team_share;

typedef struct team_thread {
  parallel_team *team;
  int32_t number; /* the caller is 0 */
  pthread_t handle;
} team_thread;

struct parallel_team {
  _Alignas(CACHE_LINE) atomic_uint_least64_t state;
  block_loop loop;        /* from here on: changes only while no thread is in the loop */
  uint64_t blocks_before; /* of all loops before */
  uint32_t ranges_before;
  int32_t shares;
  _Alignas(CACHE_LINE) atomic_int asleep; /* somebody may be */
  atomic_flag at_work;                    /* a loop within a loop is its thread's own */
  int32_t skipped, to_skip;               /* loops without waking anybody */
  pthread_mutex_t sleep;
  pthread_cond_t news;
  team_share share[SHARES];
  void *memory; /* what this stands in */
  size_t size;
  pid_t process;   /* a child that was forked has the memory, but not the threads */
  int32_t threads; /* that were wanted, the caller included */
  int32_t count;   /* of the others that could be had */
  team_thread thread[];
};

static inline void pause_processor(void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static inline void look_again(int looks)
{
  if (looks < YIELD_LOOKS)
    pause_processor();
  else
    sched_yield();
}

/* ---- a range ---- */

typedef struct block_range {
  const block_loop *loop;
  int64_t begin, end;
  int64_t first_block; /* in the loop */
  uint32_t number;     /* among all ranges; the first is 1 */
  uint32_t blocks;
} block_range;

/* How many blocks of a range with weights have their middle below `level`. */
static uint32_t blocks_below(const block_range *range, int64_t level)
{
  const int64_t *weight = range->loop->weight + range->begin;
  uint32_t from = 0, to = range->blocks;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (weight[middle] + weight[middle + 1] < 2 * level)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

static uint32_t share_begin(const block_range *range, int32_t share, int32_t shares)
{
  const int64_t *weight = range->loop->weight;
  if (weight && share > 0 && share < shares) {
    int64_t least = weight[range->begin], all = weight[range->end] - least;
    return blocks_below(range, least + all / shares * share);
  }
  return (uint32_t)(((uint64_t)range->blocks * (uint64_t)share + (uint64_t)shares - 1) / (uint64_t)shares);
}

/* Takes the next block of a share. */
static inline bool take_block(team_share *share, uint32_t number, uint32_t begin, uint32_t end, uint32_t *block)
{
  uint64_t cursor = atomic_load_explicit(&share->cursor, memory_order_relaxed), taken;
  do {
    uint32_t at = (uint32_t)(cursor >> 32);
    if (at > number) return false;
    *block = at == number ? (uint32_t)cursor : begin;
    if (*block >= end) return false;
    taken = (uint64_t)number << 32 | (*block + 1);
  } while (!atomic_compare_exchange_weak_explicit(&share->cursor, &cursor, taken, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

static void do_share(parallel_team *team, const block_range *range, int32_t share, int32_t thread)
{
  const block_loop *loop = range->loop;
  uint32_t begin = share_begin(range, share, team->shares), end = share_begin(range, share + 1, team->shares),
           block;
  uint64_t done = 0;
  while (take_block(&team->share[share], range->number, begin, end, &block)) {
    int64_t from = range->begin + (int64_t)block * loop->block_size, to = from + loop->block_size;
    loop->function(loop->context, from, to < range->end ? to : range->end, range->first_block + block);
    done++;
  }
  if (done > 0) atomic_fetch_add_explicit(&team->share[thread % SHARES].done, done, memory_order_release);
}

static inline bool range_is_done(parallel_team *team, const block_range *range)
{
  uint64_t done = 0, wanted = team->blocks_before + (uint64_t)range->first_block + range->blocks;
  for (int32_t share = 0; share < team->shares; share++)
    done += atomic_load_explicit(&team->share[share].done, memory_order_acquire);
  return done >= wanted;
}

static void do_range(parallel_team *team, const block_range *range, int32_t thread)
{
  if (thread < team->shares) do_share(team, range, thread, thread);
  for (int looks = 0; looks < PATIENCE && !range_is_done(team, range); looks++) {
    if (thread == 0 && (atomic_load_explicit(&team->state, memory_order_relaxed) & STATE_INSIDE) == 0) break;
    pause_processor();
  }
  if (range_is_done(team, range)) return;
  for (int32_t k = 1; k <= team->shares; k++) do_share(team, range, (thread + k) % team->shares, thread);
  for (int looks = 0; !range_is_done(team, range); looks++) look_again(looks);
}

static void do_ranges(parallel_team *team, int32_t thread)
{
  const block_loop *loop = &team->loop;
  block_range range = {.loop = loop, .number = team->ranges_before};
  for (int32_t k = 0; k < loop->ranges; k++) {
    range.begin = loop->start[k];
    range.end = loop->start[k + 1];
    range.number++;
    range.first_block += range.blocks;
    range.blocks = (uint32_t)parallel_block_count(range.end - range.begin, loop->block_size);
    if (range.blocks > 0) do_range(team, &range, thread);
  }
}

/* ---- the caller's side ---- */

/* A thread that goes to sleep announces it first and looks at the state after; code that changes the state looks
 * for sleepers after: in the one order of both, one of them sees the other. */
static bool wake_sleepers(parallel_team *team)
{
  if (!atomic_load(&team->asleep) || team->process != getpid()) return false;
  pthread_mutex_lock(&team->sleep);
  atomic_store(&team->asleep, 0);
  pthread_cond_broadcast(&team->news);
  pthread_mutex_unlock(&team->sleep);
  return true;
}

/* Waking takes as long as a short loop. Where those who are woken do not come (another program has their
 * processor) it is tried less and less often; a thread that comes, even for one block, is woken again the next
 * time: the caller finds him gone where both were done at the same moment. */
static void wake_for(parallel_team *team, uint64_t blocks)
{
  if (blocks < WORTH_WAKING || team->skipped++ < team->to_skip) return;
  if (!wake_sleepers(team)) return;
  team->skipped = 0;
  team->to_skip = team->to_skip ? 2 * team->to_skip : 1;
  if (team->to_skip > MOST_SKIPPED) team->to_skip = MOST_SKIPPED;
}

static uint64_t count_blocks(const block_loop *loop)
{
  uint64_t blocks = 0;
  for (int32_t k = 0; k < loop->ranges; k++)
    blocks += (uint64_t)parallel_block_count(loop->start[k + 1] - loop->start[k], loop->block_size);
  return blocks;
}

/* No thread is in a loop. */
static void number_anew(parallel_team *team)
{
  team->ranges_before = 0;
  for (int share = 0; share < SHARES; share++)
    atomic_store_explicit(&team->share[share].cursor, 0, memory_order_relaxed);
}

static void team_run(parallel_team *team, const block_loop *loop, uint64_t blocks)
{
  uint64_t state = atomic_load_explicit(&team->state, memory_order_relaxed);
  if (team->ranges_before > UINT32_MAX - (uint32_t)loop->ranges) number_anew(team);
  team->loop = *loop;
  atomic_store(&team->state, (state / STATE_LOOP + 1) * STATE_LOOP | STATE_OPEN);
  uint64_t own = atomic_load_explicit(&team->share[0].done, memory_order_relaxed);
  wake_for(team, blocks);
  do_ranges(team, 0);
  state = atomic_fetch_and_explicit(&team->state, ~STATE_OPEN, memory_order_acq_rel);
  own = atomic_load_explicit(&team->share[0].done, memory_order_relaxed) - own;
  if ((state & STATE_INSIDE) || own < blocks) team->to_skip = 0;
  for (int looks = 0; state & STATE_INSIDE; looks++) {
    look_again(looks);
    state = atomic_load_explicit(&team->state, memory_order_acquire);
  }
  team->blocks_before += blocks;
  team->ranges_before += (uint32_t)loop->ranges;
}

/* ---- the others' side ---- */

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

static void *work_for(void *context)
{
  const team_thread *self = context;
  parallel_team *team = self->team;
  float_take_back(); /* a thread begins with what its maker had */
  uint64_t state = 0;
  int most_looks = MOST_LOOKS;
  for (;;) {
    state = wait_for_news(team, state / STATE_LOOP, &most_looks);
    if (state & STATE_OVER) return NULL;
    uint64_t number = state / STATE_LOOP;
    bool inside = false;
    while (!inside && (state & STATE_OPEN) && state / STATE_LOOP == number)
      inside = atomic_compare_exchange_weak_explicit(&team->state, &state, state + 1, memory_order_acquire,
                                                     memory_order_relaxed);
    state = number * STATE_LOOP;
    if (!inside) continue;
    do_ranges(team, self->number);
    atomic_fetch_sub_explicit(&team->state, 1, memory_order_release);
  }
}

/* ---- from beginning to end ---- */

static parallel_team *allocate_team(environment *env, int32_t threads)
{
  size_t size = sizeof(parallel_team) + (size_t)threads * sizeof(team_thread) + CACHE_LINE;
  void *memory = memory_resize(env, NULL, 0, size);
  if (!memory) return NULL;
  parallel_team *team = (parallel_team *)(((uintptr_t)memory + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  memset(team, 0, sizeof *team);
  team->memory = memory;
  team->size = size;
  return team;
}

static void begin(parallel_team *team, int32_t threads)
{
  atomic_init(&team->state, 0);
  atomic_init(&team->asleep, 0);
  atomic_flag_clear(&team->at_work);
  for (int share = 0; share < SHARES; share++) {
    atomic_init(&team->share[share].cursor, 0);
    atomic_init(&team->share[share].done, 0);
  }
  team->ranges_before = UINT32_MAX - FEW_RANGES;
  team->threads = threads;
  team->shares = threads < SHARES ? threads : SHARES;
  team->process = getpid();
  pthread_mutex_init(&team->sleep, NULL);
  pthread_cond_init(&team->news, NULL);
}

/* The host's signals are for the host's threads; Windows has none that a thread could take. */
#ifdef _WIN32
typedef int signal_set;
#define block_signals(before)   (void)(before)
#define restore_signals(before) (void)(before)
#else
typedef sigset_t signal_set;

static void block_signals(signal_set *before)
{
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
}

static void restore_signals(const signal_set *before)
{
  pthread_sigmask(SIG_SETMASK, before, NULL);
}
#endif

/* The engine works without threads that cannot be started. */
static void start_threads(parallel_team *team, int32_t threads)
{
  signal_set before;
  pthread_attr_t stack;
  if (pthread_attr_init(&stack) != 0) return;
  pthread_attr_setstacksize(&stack, STACK_SIZE);
  block_signals(&before);
  for (int32_t k = 0; k + 1 < threads; k++) {
    team->thread[k] = (team_thread){.team = team, .number = k + 1};
    if (pthread_create(&team->thread[k].handle, &stack, work_for, &team->thread[k]) != 0) break;
    team->count++;
  }
  restore_signals(&before);
  pthread_attr_destroy(&stack);
}

void parallel_dismiss_team(environment *env)
{
  parallel_team *team = env->team;
  if (!team) return;
  env->team = NULL;
  if (team->process == getpid()) {
    uint64_t state = atomic_load_explicit(&team->state, memory_order_relaxed);
    atomic_store(&team->state, (state / STATE_LOOP + 1) * STATE_LOOP | STATE_OVER);
    wake_sleepers(team);
    for (int32_t k = 0; k < team->count; k++) pthread_join(team->thread[k].handle, NULL);
    pthread_cond_destroy(&team->news);
    pthread_mutex_destroy(&team->sleep);
  }
  memory_free(env, team->memory, team->size);
}

void parallel_call_team(environment *env)
{
  if (env->pool) return;
  const parallel_team *present = env->team;
  if (present && present->process == getpid() && present->threads == env->threads) return;
  parallel_dismiss_team(env);
  if (env->threads == 1) return;
  env->team = allocate_team(env, env->threads);
  if (!env->team) return;
  begin(env->team, env->threads);
  start_threads(env->team, env->threads);
}

bool team_takes(const environment *env, const block_loop *loop)
{
  parallel_team *team = env->team;
  uint64_t blocks = count_blocks(loop);
  if (blocks <= (uint64_t)loop->ranges || blocks > UINT32_MAX / 2) return false;
  if (atomic_flag_test_and_set_explicit(&team->at_work, memory_order_acquire)) return false;
  team_run(team, loop, blocks);
  atomic_flag_clear_explicit(&team->at_work, memory_order_release);
  return true;
}

#else

void parallel_call_team(environment *env)
{
  (void)env;
}

void parallel_dismiss_team(environment *env)
{
  (void)env;
}

bool team_takes(const environment *env, const block_loop *loop)
{
  (void)env;
  (void)loop;
  return false;
}

#endif
