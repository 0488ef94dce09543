/*
 * The ground floor: arena, growing arrays, parallel sums, random streams, hash.
 */
#include "support.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/numbers/random.h"
#include "base/threads/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void arena_takes_back_what_came_after_a_mark(void **state)
{
  (void)state;
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  for (int round = 0; round < 3; round++) {
    unsigned char *kept = arena_allocate(&scratch, 1000, 1);
    memset(kept, 7, 1000);
    arena_mark here = arena_here(&scratch);
    unsigned char *first = NULL;
    for (int k = 0; k < 50; k++) {
      unsigned char *lent = arena_allocate(&scratch, 100000, 1);
      assert_non_null(lent);
      memset(lent, k, 100000);
      if (k == 0) first = lent;
      if (k > 0 && round > 0) assert_ptr_equal(lent, first); /* one block serves all of them by now */
      arena_return(&scratch, here);
    }
    for (int k = 0; k < 1000; k++) assert_int_equal(kept[k], 7);
    arena_reset(&scratch);
    assert_true(scratch.size < 400000);
  }
  arena_free(&scratch);
  assert_null(scratch.blocks);
}

/* Held space stays through a return and what is allocated after it, and is used again once it is released. */
static void arena_holds_what_is_copied_to_its_end(void **state)
{
  (void)state;
  enum { HELD = 20000, PIECE = 1000 };
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  assert_non_null(arena_allocate(&scratch, PIECE, 1));
  const arena_mark here = arena_here(&scratch);
  assert_null(arena_hold(&scratch, here, 1 << 16)); /* too long */
  assert_non_null(arena_allocate(&scratch, PIECE, 1));
  unsigned char *held = arena_hold(&scratch, here, HELD);
  assert_non_null(held);
  memset(held, 7, HELD);
  arena_return(&scratch, here);
  for (int k = 0; k < 100; k++) memset(arena_allocate(&scratch, PIECE, 1), 1, PIECE);
  for (int k = 0; k < HELD; k++) assert_int_equal(held[k], 7);
  assert_null(arena_hold(&scratch, here, HELD)); /* not the newest block by now */
  arena_return(&scratch, here);
  arena_release(&scratch);
  unsigned char *last = arena_allocate(&scratch, 3 * HELD, 1);
  assert_true(last < held && last + 3 * HELD > held);
  arena_free(&scratch);
}

/* In place while it is the newest and the block has space; with its block where nothing else is in that; else it
 * moves. What was written stays, and what was allocated before. */
static void arena_grows_the_newest_in_place(void **state)
{
  (void)state;
  enum { MOST = 3 << 20 };
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  unsigned char *other = arena_allocate(&scratch, 100, 1), *grown = arena_allocate(&scratch, 10, 1),
                *before = grown;
  memset(other, 7, 100);
  size_t count = 10;
  int moves = 0;
  for (size_t k = 0; k < count; k++) grown[k] = (unsigned char)(k % 251);
  while (count < MOST) {
    const size_t more = count + count / 3 + 1;
    grown = arena_grow(&scratch, grown, count, more, 1);
    assert_non_null(grown);
    assert_int_equal((uintptr_t)grown % 64, 0);
    if (more < 40000) assert_ptr_equal(grown, before);
    for (size_t k = count; k < more; k++) grown[k] = (unsigned char)(k % 251);
    moves += grown != before;
    before = grown;
    count = more;
  }
  for (size_t k = 0; k < count; k++) assert_int_equal(grown[k], k % 251);
  for (int k = 0; k < 100; k++) assert_int_equal(other[k], 7);
  assert_true(moves > 0);
  assert_true(scratch.most < 2 * count); /* a block that grows leaves nothing behind */
  const size_t used = scratch.most;
  unsigned char *newest = arena_allocate(&scratch, 10, 1),
                *moved = arena_grow(&scratch, grown, count, count + 100, 1);
  assert_true(moved != grown && moved != newest && scratch.most > used + count);
  for (size_t k = 0; k < count; k++) assert_int_equal(moved[k], k % 251);
  assert_null(arena_grow(&scratch, moved, count + 100, SIZE_MAX / 2, 1));
  arena_free(&scratch);
}

static void arena_that_needed_much_once_shrinks(void **state)
{
  (void)state;
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  for (int k = 0; k < 8; k++) assert_non_null(arena_allocate(&scratch, 1 << 20, 1));
  arena_reset(&scratch);
  assert_in_range(scratch.size, 8 << 20, 10 << 20);
  for (int step = 0; step < 200; step++) {
    for (int k = 0; k < 2; k++) assert_non_null(arena_allocate(&scratch, 1 << 20, 1));
    arena_reset(&scratch);
  }
  assert_in_range(scratch.size, 2 << 20, 3 << 20);
  size_t steady = scratch.size;
  for (int step = 0; step < 200; step++) {
    assert_non_null(arena_allocate(&scratch, step % 50 == 0 ? 2 << 20 : 1 << 20, 1));
    arena_reset(&scratch);
    assert_int_equal(scratch.size, steady);
  }
  arena_free(&scratch);
}

/* A large array that needs less than half of what it has gives the rest back; a small one, or one that needs more,
 * keeps it. */
static void large_arrays_are_trimmed(void **state)
{
  (void)state;
  environment env = test_environment(1);
  int64_t *numbers = NULL;
  size_t capacity = 0;
  assert_ok(&env, array_reserve(&env, (void **)&numbers, &capacity, 1 << 20, sizeof *numbers));
  for (int k = 0; k < 1 << 20; k++) numbers[k] = k;
  array_trim(&env, (void **)&numbers, &capacity, 1 << 18, sizeof *numbers);
  assert_int_equal(capacity, 1 << 20);
  array_trim(&env, (void **)&numbers, &capacity, 1 << 17, sizeof *numbers);
  assert_int_equal(capacity, (1 << 17) + (1 << 14));
  for (int k = 0; k < 1 << 17; k++) assert_int_equal(numbers[k], k);
  assert_ok(&env, array_reserve(&env, (void **)&numbers, &capacity, capacity + 1, sizeof *numbers));
  assert_in_range(capacity, (1 << 17) + (1 << 15), (1 << 17) + (1 << 16)); /* by an eighth, not by half */
  array_trim(&env, (void **)&numbers, &capacity, 0, sizeof *numbers);
  assert_null(numbers);
  assert_ok(&env, array_reserve(&env, (void **)&numbers, &capacity, 1000, sizeof *numbers));
  array_trim(&env, (void **)&numbers, &capacity, 10, sizeof *numbers);
  assert_int_equal(capacity, 1000);
  array_free(&env, (void **)&numbers, &capacity, sizeof *numbers);
}

static void arena_gives_aligned_disjoint_memory(void **state)
{
  (void)state;
  environment env = test_environment(1);
  arena scratch;
  arena_init(&scratch, &env);
  for (int round = 0; round < 3; round++) {
    char *piece[200];
    for (int k = 0; k < 200; k++) {
      piece[k] = arena_allocate(&scratch, (size_t)k * 37, 1);
      assert_non_null(piece[k]);
      assert_int_equal((uintptr_t)piece[k] % 64, 0);
      memset(piece[k], k, (size_t)k * 37);
    }
    for (int k = 0; k < 200; k++)
      for (int b = 0; b < k * 37; b++) assert_int_equal((unsigned char)piece[k][b], k);
    arena_reset(&scratch);
  }
  assert_null(arena_allocate(&scratch, SIZE_MAX / 2, 16));
  assert_non_null(strstr(env.message, "out of memory"));
  arena_free(&scratch);
}

static void array_grows_and_keeps(void **state)
{
  (void)state;
  environment env = test_environment(1);
  int *numbers = NULL;
  size_t capacity = 0;
  for (int k = 0; k < 1000; k++) {
    assert_ok(&env, array_reserve(&env, (void **)&numbers, &capacity, (size_t)k + 1, sizeof *numbers));
    assert_int_equal(numbers[k], 0);
    numbers[k] = k;
  }
  for (int k = 0; k < 1000; k++) assert_int_equal(numbers[k], k);
  assert_int_equal(array_reserve(&env, (void **)&numbers, &capacity, SIZE_MAX / 2, sizeof *numbers),
                   FLOC_LIMIT_EXCEEDED);
  array_free(&env, (void **)&numbers, &capacity, sizeof *numbers);
}

static void harmonic_part(void *context, int64_t begin, int64_t end, exact_sum *sum)
{
  (void)context;
  for (int64_t k = begin; k < end; k++) exact_add(sum, 1.0 / (double)(k + 1));
}

static double count_odd(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)context;
  (void)block;
  double count = 0.0;
  for (int64_t k = begin; k < end; k++) count += (double)(k % 2);
  return count;
}

static double last_element(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)begin;
  (void)block;
  return ((double *)context)[end - 1];
}

static void sums_do_not_depend_on_threads(void **state)
{
  (void)state;
  environment one = test_environment(1);
  double reference = parallel_sum(&one, 3000000, 999, harmonic_part, NULL);
  assert_close(reference, log(3e6) + 0.57721566490153286, 1e-6);
  for (int threads = 2; threads <= 8; threads++) {
    environment env = test_environment(threads);
    double sum = parallel_sum(&env, 3000000, 999, harmonic_part, NULL);
    assert_memory_equal(&sum, &reference, sizeof sum);
  }
  static double numbers[50000];
  for (int k = 0; k < 50000; k++) numbers[k] = 1.0 / (k + 1);
  double total = parallel_total(&one, 50000, numbers);
  assert_close(total, log(5e4) + 0.57721566490153286, 1e-4);
  assert_true(parallel_total(&one, 0, numbers) == 0.0);
  for (int threads = 2; threads <= 8; threads++) {
    environment env = test_environment(threads);
    assert_true(parallel_total(&env, 50000, numbers) == total);
  }
  assert_int_equal(parallel_count(&one, 30001, 7, count_odd, NULL), 15000);
  assert_int_equal(parallel_count(&one, 0, 7, count_odd, NULL), 0);
  double values[100] = {0};
  values[49] = 7.0;
  assert_true(parallel_max(&one, 100, 10, -1.0, last_element, values) == 7.0);
  values[9] = NAN;
  assert_true(isnan(parallel_max(&one, 100, 10, -1.0, last_element, values)));
  assert_true(parallel_max(&one, 0, 10, -1.0, last_element, values) == -1.0);
}

static void random_numbers_have_the_right_moments(void **state)
{
  (void)state;
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
  int count = 50000;
  for (int k = 0; k < count; k++) {
    double u[4], g[4];
    random_uniform4(7, (uint64_t)k, 3, RANDOM_NOISE, 0, u);
    random_normal4(7, (uint64_t)k, 3, RANDOM_NOISE, 0, g);
    for (int c = 0; c < 4; c++) {
      assert_true(u[c] > 0.0 && u[c] < 1.0);
      mean += u[c];
      square += u[c] * u[c];
      normal_mean += g[c];
      normal_square += g[c] * g[c];
    }
  }
  int total = 4 * count; /* five standard errors each */
  assert_close(mean / total, 0.5, 5 * sqrt(1.0 / 12 / total));
  assert_close(square / total, 1.0 / 3, 5 * sqrt(4.0 / 45 / total));
  assert_close(normal_mean / total, 0.0, 5 * sqrt(1.0 / total));
  assert_close(normal_square / total, 1.0, 5 * sqrt(2.0 / total));
  double a[4], b[4];
  random_uniform4(1, 2, 3, RANDOM_NOISE, 4, a);
  random_uniform4(1, 2, 3, RANDOM_NOISE, 5, b);
  assert_true(a[0] != b[0]);
  random_uniform4(1, 2, 3, RANDOM_NOISE, 4, b);
  assert_memory_equal(a, b, sizeof a);
}

static void hash_depends_on_every_byte(void **state)
{
  (void)state;
  unsigned char bytes[333] = {0};
  uint64_t reference = hash_bytes(5, bytes, sizeof bytes);
  for (size_t k = 0; k < sizeof bytes; k++) {
    bytes[k] ^= 1;
    assert_true(hash_bytes(5, bytes, sizeof bytes) != reference);
    bytes[k] ^= 1;
  }
  assert_true(hash_bytes(6, bytes, sizeof bytes) != reference);
}

static void every_status_has_a_name(void **state)
{
  (void)state;
  for (int code = 0; code >= FLOC_STRUCTURE_MISMATCH; code--)
    assert_string_not_equal(floc_status_name((floc_status)code), "unknown status");
  assert_string_equal(floc_status_name((floc_status)99), "unknown status");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_aligned_disjoint_memory),
      cmocka_unit_test(arena_takes_back_what_came_after_a_mark),
      cmocka_unit_test(arena_holds_what_is_copied_to_its_end),
      cmocka_unit_test(arena_grows_the_newest_in_place),
      cmocka_unit_test(arena_that_needed_much_once_shrinks),
      cmocka_unit_test(large_arrays_are_trimmed),
      cmocka_unit_test(array_grows_and_keeps),
      cmocka_unit_test(sums_do_not_depend_on_threads),
      cmocka_unit_test(random_numbers_have_the_right_moments),
      cmocka_unit_test(hash_depends_on_every_byte),
      cmocka_unit_test(every_status_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
