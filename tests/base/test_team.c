/*
 * Teams of threads: every block once, ranges one after another, the same bits with any number of threads, loops
 * within loops, threads that sleep or cannot be had, processes that fork, hosts with several threads.
 */
#include "support.h"

#include "base/threads/parallel.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The thread sanitizer wants no threads in a child; qemu-user 7.2 itself breaks where a program with threads forks.
 */
#if defined __SANITIZE_THREAD__ || defined FLOC_EMULATED
#define CANNOT_FORK 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define CANNOT_FORK 1
#endif
#endif
#ifndef CANNOT_FORK
#define CANNOT_FORK 0
#endif

enum { ELEMENTS = 20000, RANGES = 7, ROUNDS = SLOWED ? 60 : 300 };

static const int32_t THREADS[] = {1, 2, 3, 8, 40};
enum { THREAD_CASES = sizeof THREADS / sizeof *THREADS };

static environment team_environment(int32_t threads)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  return env;
}

/* ---- blocks and ranges ---- */

typedef struct visit {
  int32_t times[ELEMENTS];
  int64_t block[ELEMENTS];
  int32_t range_of[ELEMENTS];
  const int64_t *start;
  int64_t size;
  atomic_int_least64_t finished; /* elements of ranges that are over, and of the one at work */
  atomic_int wrong;
} visit;

static void visit_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  visit *seen = context;
  int64_t before = seen->start[seen->range_of[begin]];
  if (atomic_load(&seen->finished) < before) atomic_fetch_add(&seen->wrong, 1); /* the range before is at work */
  if (end - begin > seen->size || end > seen->start[seen->range_of[begin] + 1]) atomic_fetch_add(&seen->wrong, 1);
  for (int64_t k = begin; k < end; k++) {
    seen->times[k]++;
    seen->block[k] = block;
  }
  atomic_fetch_add(&seen->finished, end - begin);
}

/* weight: NULL, or with blocks of one element. */
static void visit_all(const environment *env, visit *seen, const int64_t *start, int64_t size,
                      const int64_t *weight)
{
  memset(seen->times, 0, sizeof seen->times);
  atomic_store(&seen->finished, 0);
  atomic_store(&seen->wrong, 0);
  seen->start = start;
  seen->size = size;
  for (int32_t range = 0; range < RANGES; range++)
    for (int64_t k = start[range]; k < start[range + 1]; k++) seen->range_of[k] = range;
  if (weight)
    parallel_for_weighted(env, RANGES, start, weight, visit_block, seen);
  else
    parallel_for_ranges(env, RANGES, start, size, visit_block, seen);
}

static void check_visits(const visit *seen)
{
  int64_t block = 0;
  assert_int_equal(atomic_load(&seen->wrong), 0);
  for (int32_t range = 0; range < RANGES; range++) {
    int64_t begin = seen->start[range], end = seen->start[range + 1];
    for (int64_t k = begin; k < end; k++) {
      assert_int_equal(seen->times[k], 1);
      assert_int_equal(seen->block[k], block + (k - begin) / seen->size);
    }
    block += parallel_block_count(end - begin, seen->size);
  }
}

static void test_ranges_in_order(void **state)
{
  (void)state;
  static const int64_t start[RANGES + 1] = {0, 9000, 9000, 9001, 15000, 15100, 19999, ELEMENTS};
  visit *seen = malloc(sizeof *seen);
  for (int k = 0; k < THREAD_CASES; k++) {
    environment with = team_environment(THREADS[k]), without = test_environment(THREADS[k]);
    for (int round = 0; round < 40; round++) {
      visit_all(&with, seen, start, 1 + 97 * (round % 9), NULL);
      check_visits(seen);
    }
    visit_all(&without, seen, start, 128, NULL);
    check_visits(seen);
    parallel_dismiss_team(&with);
    assert_null(with.team);
  }
  free(seen);
}

/* Weights say who begins with what: whatever they are, each element is done once, in its range. */
static void test_weights_leave_nothing_out(void **state)
{
  (void)state;
  static const int64_t start[RANGES + 1] = {0, 5, 5, 6, 300, 4000, 4001, 5000};
  visit *seen = malloc(sizeof *seen);
  int64_t *weight = malloc((ELEMENTS + 1) * sizeof *weight);
  for (int k = 0; k < THREAD_CASES; k++) {
    environment env = team_environment(THREADS[k]);
    for (int kind = 0; kind < 4; kind++) {
      weight[0] = 7;
      for (int64_t e = 0; e < ELEMENTS; e++) {
        const int64_t of[] = {0, e % 17 ? 1 : 400, e == 2000 ? INT64_C(1) << 55 : 0, e * e};
        weight[e + 1] = weight[e] + of[kind];
      }
      visit_all(&env, seen, start, 1, weight);
      check_visits(seen);
    }
    parallel_dismiss_team(&env);
  }
  free(weight);
  free(seen);
}

static void count_call(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  atomic_fetch_add((atomic_int_least64_t *)context, end - begin);
}

static void test_empty_and_small_loops(void **state)
{
  (void)state;
  environment env = team_environment(3);
  atomic_int_least64_t count = 0;
  const int64_t nothing[3] = {5, 5, 5};
  parallel_for(&env, 0, 10, count_call, &count);
  parallel_for_ranges(&env, 2, nothing, 10, count_call, &count);
  parallel_for_ranges(&env, 0, nothing, 10, count_call, &count);
  assert_int_equal(atomic_load(&count), 0);
  parallel_for(&env, 1, 10, count_call, &count);
  parallel_for(&env, 11, 10, count_call, &count);
  parallel_for(&env, 3, 1, count_call, &count);
  assert_int_equal(atomic_load(&count), 15);
  parallel_dismiss_team(&env);
}

/* ---- sums ---- */

static double uneven_value(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)context;
  double sum = 0.0;
  for (int64_t k = begin; k < end; k++) sum += sin((double)k) / (double)(k + 1);
  for (int64_t k = 0; k < block % 5 * 200; k++) sum += 1e-9 * sin((double)k); /* some blocks take longer */
  return sum;
}

static void uneven_part(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  exact_add(sum, uneven_value(context, begin, end, begin / 777));
}

static void test_sums_have_the_same_bits(void **state)
{
  (void)state;
  environment one = test_environment(1);
  double sum = parallel_sum(&one, 100000, 777, uneven_part, NULL);
  double greatest = parallel_max(&one, 100000, 777, -1.0, uneven_value, NULL);
  for (int k = 0; k < THREAD_CASES; k++) {
    environment env = team_environment(THREADS[k]);
    for (int round = 0; round < 20; round++) {
      assert_true(parallel_sum(&env, 100000, 777, uneven_part, NULL) == sum);
      assert_true(parallel_max(&env, 100000, 777, -1.0, uneven_value, NULL) == greatest);
    }
    parallel_dismiss_team(&env);
  }
}

/* Each round reads what the round before wrote elsewhere, as sweeps do: plain memory, so that the thread sanitizer
 * sees whether loops are in order. */
typedef struct shift {
  double value[ELEMENTS], next[ELEMENTS];
} shift;

static void shift_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  shift *all = context;
  for (int64_t k = begin; k < end; k++)
    all->next[k] = 0.5 * (all->value[(k * 7919 + 13) % ELEMENTS] + all->value[k]);
}

static void copy_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  shift *all = context;
  memcpy(all->value + begin, all->next + begin, (size_t)(end - begin) * sizeof(double));
}

static void shift_many_times(const environment *env, shift *all, int rounds, useconds_t pause)
{
  for (int64_t k = 0; k < ELEMENTS; k++) all->value[k] = (double)(k % 1013);
  for (int round = 0; round < rounds; round++) {
    parallel_for(env, ELEMENTS, 512, shift_block, all);
    parallel_for(env, ELEMENTS, 300, copy_block, all);
    all->value[round] += 1.0; /* what the caller does alone in between */
    if (pause && round % 10 == 0) usleep(pause);
  }
}

static void test_many_loops(void **state)
{
  (void)state;
  shift *expected = malloc(sizeof *expected), *found = malloc(sizeof *found);
  environment one = test_environment(1);
  shift_many_times(&one, expected, ROUNDS, 0);
  for (int k = 0; k < THREAD_CASES; k++) {
    environment env = team_environment(THREADS[k]);
    shift_many_times(&env, found, ROUNDS, 0);
    assert_memory_equal(found->value, expected->value, sizeof found->value);
    shift_many_times(&env, found, ROUNDS, 700); /* long enough for the others to fall asleep */
    assert_memory_equal(found->value, expected->value, sizeof found->value);
    parallel_dismiss_team(&env);
  }
  free(expected);
  free(found);
}

/* ---- loops within loops, failures ---- */

typedef struct nest {
  const environment *env;
  atomic_int_least64_t inner;
  int64_t failed; /* block that reports it; -1: none */
  bool has_failed[64];
} nest;

static void outer_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)begin;
  (void)end;
  nest *all = context;
  parallel_for(all->env, 100, 9, count_call, &all->inner);
  all->has_failed[block] = block == all->failed;
}

static void test_nested_loops_and_failures(void **state)
{
  (void)state;
  environment env = team_environment(3);
  for (int64_t failed = -1; failed < 64; failed += 13) {
    nest all = {.env = &env, .failed = failed};
    parallel_for(&env, 64, 1, outer_block, &all);
    assert_int_equal(atomic_load(&all.inner), 6400);
    for (int64_t block = 0; block < 64; block++) assert_int_equal(all.has_failed[block], block == failed);
  }
  parallel_dismiss_team(&env);
}

/* ---- life ---- */

#ifdef FLOC_HAS_THREADS /* else there are no teams */
static void *count_memory(void *context, void *pointer, size_t old_size, size_t new_size)
{
  int64_t *left = context;
  if (left[0] == 0 && new_size > 0) return NULL;
  left[0] -= new_size > 0;
  left[1] += (int64_t)new_size - (int64_t)old_size;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static void test_memory_of_a_team(void **state)
{
  (void)state;
  int64_t memory[2] = {0, 0}; /* allocations left, bytes held */
  atomic_int_least64_t count = 0;
  environment env = test_environment(4);
  env.allocate = count_memory;
  env.allocate_context = memory;
  parallel_call_team(&env); /* refused: loops run without it */
  assert_null(env.team);
  parallel_for(&env, 1000, 10, count_call, &count);
  memory[0] = 1;
  parallel_call_team(&env);
  assert_non_null(env.team);
  parallel_team *team = env.team;
  parallel_call_team(&env); /* there is one */
  assert_ptr_equal(env.team, team);
  parallel_for(&env, 1000, 10, count_call, &count);
  assert_int_equal(atomic_load(&count), 2000);
  parallel_dismiss_team(&env);
  parallel_dismiss_team(&env);
  assert_int_equal(memory[1], 0);
  environment one = test_environment(1);
  parallel_call_team(&one);
  assert_null(one.team);
}
#endif

#if !CANNOT_FORK
static void test_fork(void **state)
{
  (void)state;
  environment env = team_environment(3);
  environment one = test_environment(1);
  double sum = parallel_sum(&one, 100000, 777, uneven_part, NULL);
  assert_true(parallel_sum(&env, 100000, 777, uneven_part, NULL) == sum);
  pid_t child = fork();
  if (child == 0) { /* has none of the threads */
    bool right = parallel_sum(&env, 100000, 777, uneven_part, NULL) == sum;
    parallel_call_team(&env);
    right = right && parallel_sum(&env, 100000, 777, uneven_part, NULL) == sum;
    parallel_dismiss_team(&env);
    _exit(right ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_true(parallel_sum(&env, 100000, 777, uneven_part, NULL) == sum);
  parallel_dismiss_team(&env);
}
#endif

static void *host_thread(void *context)
{
  environment env = team_environment(2);
  shift_many_times(&env, context, ROUNDS, 0);
  parallel_dismiss_team(&env);
  return NULL;
}

static void test_two_hosts(void **state)
{
  (void)state;
  shift *all = malloc(3 * sizeof *all);
  environment one = test_environment(1);
  shift_many_times(&one, &all[2], ROUNDS, 0);
  pthread_t host[2];
  for (int k = 0; k < 2; k++) assert_int_equal(pthread_create(&host[k], NULL, host_thread, &all[k]), 0);
  for (int k = 0; k < 2; k++) pthread_join(host[k], NULL);
  for (int k = 0; k < 2; k++) assert_memory_equal(all[k].value, all[2].value, sizeof all[k].value);
  free(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ranges_in_order),
    cmocka_unit_test(test_weights_leave_nothing_out),
    cmocka_unit_test(test_empty_and_small_loops),
    cmocka_unit_test(test_sums_have_the_same_bits),
    cmocka_unit_test(test_many_loops),
    cmocka_unit_test(test_nested_loops_and_failures),
#ifdef FLOC_HAS_THREADS
    cmocka_unit_test(test_memory_of_a_team),
#endif
#if !CANNOT_FORK
    cmocka_unit_test(test_fork),
#endif
    cmocka_unit_test(test_two_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
