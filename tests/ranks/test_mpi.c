/*
 * What ranks tell each other, over MPI (bindings/mpi): run by mpirun with 1, 2 and 3 ranks, each of which makes the
 * same calls and holds the answers against what it knows that the others have. And the first call of a world that
 * ranks share: those of another build are refused.
 */
#include "support.h"

#include "mpi_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static floc_ranks ranks;

static void test_add(void **state)
{
  (void)state;
  int64_t values[3] = {ranks.number + 1, -((int64_t)1 << 40) * ranks.number, 7};
  const int64_t all = (int64_t)ranks.count * (ranks.count + 1) / 2;
  assert_int_equal(ranks.add(ranks.context, values, 3), 0);
  assert_int_equal(values[0], all);
  assert_int_equal(values[1], -((int64_t)1 << 40) * (all - ranks.count));
  assert_int_equal(values[2], 7 * ranks.count);
}

static void test_maximum(void **state)
{
  (void)state;
  double values[2] = {0.1 * ranks.number, -1.0 - ranks.number};
  assert_int_equal(ranks.maximum(ranks.context, values, 2), 0);
  assert_true(values[0] == 0.1 * (ranks.count - 1) && values[1] == -1.0);
}

static void test_broadcast(void **state)
{
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "rank %d", ranks.number);
  assert_int_equal(ranks.broadcast(ranks.context, text, sizeof text), 0);
  assert_string_equal(text, "rank 0");
}

/* Rank r has 3 r bytes: rank 0 has none. */
static void test_gather(void **state)
{
  (void)state;
  int64_t *bytes = calloc((size_t)ranks.count, sizeof *bytes), total = 0;
  for (int32_t r = 0; r < ranks.count; r++) total += bytes[r] = 3 * r;
  char *own = malloc((size_t)bytes[ranks.number] + 1), *all = malloc((size_t)total + 1);
  memset(own, 'a' + ranks.number, (size_t)bytes[ranks.number]);
  all[total] = '!';
  assert_int_equal(ranks.gather(ranks.context, own, all, bytes), 0);
  for (int32_t r = 0, k = 0; r < ranks.count; r++)
    for (int64_t n = 0; n < bytes[r]; n++) assert_int_equal(all[k++], 'a' + r);
  assert_int_equal(all[total], '!');
  free(bytes), free(own), free(all);
}

/* From rank r to rank s go r + 2 s numbers, each 100 r + s. */
static void test_exchange(void **state)
{
  (void)state;
  const int32_t own = ranks.number;
  int64_t *to = calloc((size_t)ranks.count, sizeof *to), *from = calloc((size_t)ranks.count, sizeof *from);
  int64_t sent = 0, received = 0, k = 0;
  for (int32_t r = 0; r < ranks.count; r++) {
    sent += to[r] = (int64_t)sizeof(int32_t) * (own + 2 * r);
    received += from[r] = (int64_t)sizeof(int32_t) * (r + 2 * own);
  }
  int32_t *out = malloc((size_t)sent + 4), *in = malloc((size_t)received + 4);
  for (int32_t r = 0; r < ranks.count; r++)
    for (int32_t n = 0; n < own + 2 * r; n++) out[k++] = 100 * own + r;
  assert_int_equal(ranks.exchange(ranks.context, out, to, in, from), 0);
  k = 0;
  for (int32_t r = 0; r < ranks.count; r++)
    for (int32_t n = 0; n < r + 2 * own; n++) assert_int_equal(in[k++], 100 * r + own);
  free(to), free(from), free(out), free(in);
}

/* ---- the first call of a world ---- */

static floc_world *make_world(void)
{
  floc_world_options options;
  floc_world *world;
  floc_world_options_init(&options);
  options.time_step = 1e-3;
  options.dimension = 2;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  return world;
}

static void assert_says(floc_world *world, floc_status status, floc_status expected, const char *part)
{
  assert_int_equal(status, expected);
  if (!strstr(floc_world_message(world), part)) fail_msg("\"%s\" lacks \"%s\"", floc_world_message(world), part);
}

static void test_same_build(void **state)
{
  (void)state;
  floc_world *world = make_world();
  assert_int_equal(floc_world_set_ranks(world, &ranks), FLOC_OK);
  if (ranks.count == 1)
    assert_int_equal(floc_world_step(world), FLOC_OK);
  else
    assert_says(world, floc_world_step(world), FLOC_NOT_SUPPORTED, "inelastic is not supported over several ranks");
  floc_world_destroy(world);
}

static int64_t wrong_byte;

/* The last rank's answer arrives with another byte. */
static int gather_wrongly(void *context, const void *own, void *all, const int64_t *bytes)
{
  const int failed = ranks.gather(context, own, all, bytes);
  ((unsigned char *)all)[(ranks.count - 1) * bytes[0] + wrong_byte] ^= 1;
  return failed;
}

static void test_other_build(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  static const struct {
    int64_t byte;
    const char *says;
  } wrong[] = {{0, "another build"}, {40, "another build"}, {48, "another build"}, {56, "other bits"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    floc_world *world = make_world();
    floc_ranks mixed = ranks;
    char name[24];
    mixed.gather = gather_wrongly;
    wrong_byte = wrong[k].byte;
    snprintf(name, sizeof name, "%d", ranks.count - 1);
    assert_says(world, floc_world_set_ranks(world, &mixed), FLOC_STRUCTURE_MISMATCH, wrong[k].says);
    assert_non_null(strstr(floc_world_message(world), name));
    assert_int_equal(floc_world_step(world), FLOC_OK); /* it is still one rank's alone */
    floc_world_destroy(world);
  }
}

static void test_wrong_calls(void **state)
{
  (void)state;
  floc_world *world = make_world();
  floc_ranks wrong = ranks;
  wrong.count = 0;
  assert_says(world, floc_world_set_ranks(world, &wrong), FLOC_INVALID_ARGUMENT, "ranks.count is 0");
  wrong.count = 2;
  wrong.number = 2;
  assert_says(world, floc_world_set_ranks(world, &wrong), FLOC_INVALID_ARGUMENT, "between 0 and 1");
  wrong.number = 0;
  wrong.exchange = NULL;
  assert_says(world, floc_world_set_ranks(world, &wrong), FLOC_INVALID_ARGUMENT, "is NULL");
  floc_particle_options one;
  floc_particle_options_init(&one);
  one.radius = one.mass = 1.0;
  assert_int_equal(floc_particle_add(world, &one, NULL), FLOC_OK);
  assert_says(world, floc_world_set_ranks(world, &ranks), FLOC_WRONG_STATE, "before anything else");
  floc_world_destroy(world);
}

int main(void)
{
  mpi_module mpi;
  const int refused = mpi_start(&mpi, &ranks);
  if (refused) return refused;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_add),         cmocka_unit_test(test_maximum),
                                     cmocka_unit_test(test_broadcast),   cmocka_unit_test(test_gather),
                                     cmocka_unit_test(test_exchange),    cmocka_unit_test(test_same_build),
                                     cmocka_unit_test(test_other_build), cmocka_unit_test(test_wrong_calls)};
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  mpi.end(mpi.meet(failures));
  return failures;
}
