/*
 * Laws on all pairs (engine/laws/pairs/law_tiles.c): every pair once, at the distance of its nearest images, in
 * both forms and at any number of threads with the same bits; the sums are those of a double loop.
 */
#include "laws/laws_internal.h"
#include "laws/pairs/law_tiles.h"

#include "base/numbers/random.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct room {
  environment env;
  arena scratch;
  particles table;
  neighbors *near;
  laws *all;
  domain box;
  particle_push *push;
} room;

static const double SIDE = 7.0;

static floc_status spring(void *context, int32_t count, const double *const *in, double *const *out)
{
  const bool *ordered = context;
  for (int32_t k = 0; k < count; k++) {
    if (ordered && !(in[1][k] < in[2][k])) return FLOC_CALLBACK_FAILED;
    out[0][k] = in[1][k] * in[2][k] * in[0][k];
    out[1][k] = 1.0;
  }
  return FLOC_OK;
}

static floc_status fails_once(void *context, int32_t count, const double *const *in, double *const *out)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    out[0][k] = in[1][k] == 20.0 && in[2][k] == 90.0 ? NAN : 1.0;
    out[1][k] = 1.0;
  }
  return FLOC_OK;
}

static void make_room(room *r, int64_t count, int32_t dimension, int32_t threads, bool narrow)
{
  memset(r, 0, sizeof *r);
  r->env = test_environment(threads);
  arena_init(&r->scratch, &r->env);
  particles_init(&r->table, &r->env);
  r->box = (domain){.dimension = dimension};
  r->box.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  r->box.upper[0] = r->box.length[0] = SIDE;
  for (int64_t k = 0; k < count; k++) {
    int64_t id;
    double u[4];
    assert_ok(&r->env, particles_append(&r->table, &id));
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    for (int axis = 0; axis < dimension; axis++) r->table.column[COLUMN_x + axis][k] = SIDE * u[axis];
    r->table.column[COLUMN_radius][k] = 0.01;
    r->table.column[COLUMN_mass][k] = 1.0;
  }
  int32_t *order = malloc((size_t)count * sizeof *order);
  for (int64_t k = 0; k < count; k++) order[k] = (int32_t)(k * 1709 % count);
  if (count > 1 && count % 1709 != 0) assert_ok(&r->env, particles_permute(&r->table, order));
  free(order);
  r->push = calloc((size_t)count, sizeof *r->push);
  assert_ok(&r->env, neighbors_create(&r->env, dimension, &r->near));
  assert_ok(&r->env, laws_create(&r->env, dimension, &r->all));
  r->all->narrow = narrow;
}

static void free_room(room *r)
{
  laws_destroy(r->all);
  neighbors_destroy(r->near);
  particles_free(&r->table);
  arena_free(&r->scratch);
  free(r->push);
}

static const char *const inputs[] = {"distance", "id_i", "id_j"}, *const outputs[] = {"normal", "energy"};
static bool wanted_order = true;

static floc_law_options options_of(floc_kernel_function function, double range)
{
  return (floc_law_options){.struct_size = sizeof(floc_law_options),
                            .inputs = inputs,
                            .input_count = 3,
                            .outputs = outputs,
                            .output_count = 2,
                            .function = function,
                            .context = &wanted_order,
                            .range = range,
                            .parallel = true};
}

static floc_status evaluate(room *r, floc_kernel_function function, double range)
{
  int32_t number;
  bool rebuilt;
  floc_law_options options = options_of(function, range);
  double *reach = calloc((size_t)r->table.count, sizeof *reach);
  assert_ok(&r->env, laws_add(r->all, &r->table, r->near, FLOC_LAW_PAIR, &options, &number));
  assert_ok(&r->env, neighbors_update(r->near, &r->table, NULL, &r->box, reach, laws_range(r->all), &rebuilt));
  free(reach);
  laws_moment at = {.table = &r->table, .near = r->near, .box = &r->box, .time_step = 0.01, .push = r->push};
  return laws_apply(r->all, &at, &r->scratch);
}

static double energy_of(const room *r)
{
  return r->all->of[FLOC_LAW_PAIR].item[0].energy;
}

static void assert_double_loop(const room *r)
{
  const int dimension = r->box.dimension;
  double *const *column = r->table.column;
  for (int64_t i = 0; i < r->table.count; i++) {
    double force[3] = {0.0, 0.0, 0.0}, size = 0.0;
    for (int64_t j = 0; j < r->table.count; j++)
      for (int axis = 0; axis < dimension && j != i; axis++) {
        double way = column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i];
        if (axis == 0) way -= SIDE * rint(way / SIDE);
        double part = (double)r->table.id[i] * (double)r->table.id[j] * way;
        force[axis] -= part;
        size += fabs(part);
      }
    for (int axis = 0; axis < dimension; axis++) {
      assert_true(fabs(column[COLUMN_fx + axis][i] - force[axis]) <= 1e-13 * size);
      assert_true(r->push[i].force[axis] == column[COLUMN_fx + axis][i]);
    }
  }
}

static void every_pair_acts_once(void **state)
{
  (void)state;
  static const int64_t counts[] = {1, 2, 3, 31, 32, 33, 63, 65, 97, 130, 700, 1300};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      room r;
      make_room(&r, counts[n], dimension, 2, false);
      assert_ok(&r.env, evaluate(&r, spring, INFINITY));
      assert_true(neighbors_pairs(r.near)->count <= counts[n]); /* what overlaps, or nearly */
      assert_true(energy_of(&r) == 0.5 * (double)counts[n] * (double)(counts[n] - 1));
      assert_double_loop(&r);
      free_room(&r);
    }
}

/* In the plane the third component is whatever memory held: nothing reads it. */
static void assert_same_pushes(const room *a, const room *b)
{
  const int dimension = a->box.dimension;
  for (int64_t i = 0; i < a->table.count; i++) {
    assert_memory_equal(a->push[i].force, b->push[i].force, (size_t)dimension * sizeof(double));
    assert_memory_equal(&a->push[i].torque[2], &b->push[i].torque[2], sizeof(double));
    if (dimension == 3) assert_memory_equal(a->push[i].torque, b->push[i].torque, sizeof a->push[i].torque);
  }
}

static void forms_and_threads_give_the_same_bits(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    room r[4];
    for (int n = 0; n < 4; n++) {
      make_room(&r[n], 4333, dimension, n < 2 ? 1 : n, n == 1);
      assert_ok(&r[n].env, evaluate(&r[n], spring, INFINITY));
      assert_same_pushes(&r[n], &r[0]);
      assert_true(energy_of(&r[n]) == energy_of(&r[0]));
    }
    for (int n = 0; n < 4; n++) free_room(&r[n]);
  }
}

/* Not a pair is stored where the range reaches across the box; beyond its range a law does not act all the same. */
static void a_range_across_the_box_needs_no_list(void **state)
{
  (void)state;
  for (int n = 0; n < 2; n++) {
    room r;
    make_room(&r, 500, 3, 1, false);
    r.box.upper[1] = r.box.upper[2] = SIDE;
    for (int axis = 1; axis < 3; axis++) r.box.boundary[axis] = FLOC_BOUNDARY_WALL;
    laws_set_box(r.all, &r.box);
    const double across = sqrt(SIDE * SIDE * 2.25);
    assert_ok(&r.env, evaluate(&r, spring, n == 0 ? across : 0.9 * across));
    assert_true((neighbors_pairs(r.near)->count < 500) == (n == 0));
    if (n == 0) assert_true(energy_of(&r) == 0.5 * 500.0 * 499.0);
    if (n == 0) assert_double_loop(&r);
    free_room(&r);
  }
}

static void a_bad_number_names_the_pair(void **state)
{
  (void)state;
  for (int32_t threads = 1; threads <= 3; threads++) {
    room r;
    make_room(&r, 200, 3, threads, false);
    assert_int_equal(evaluate(&r, fails_once, INFINITY), FLOC_NOT_A_NUMBER);
    assert_non_null(strstr(r.env.message, "for particles 20 and 90: "));
    free_room(&r);
  }
}

static void what_cannot_be_is_refused(void **state)
{
  (void)state;
  static const char *const memory[] = {"age"}, *const given[] = {"normal", "age"};
  room r;
  int32_t number;
  make_room(&r, 10, 3, 1, false);
  floc_law_options options = options_of(spring, INFINITY);
  options.memory = memory, options.memory_count = 1, options.outputs = given;
  assert_int_equal(laws_add(r.all, &r.table, r.near, FLOC_LAW_PAIR, &options, &number), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(r.env.message, "range is infinite and there is the memory \"age\""));
  options = options_of(spring, INFINITY);
  options.inputs = NULL, options.input_count = 0;
  assert_int_equal(laws_add(r.all, &r.table, r.near, FLOC_LAW_WALL, &options, &number), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(r.env.message, "range is infinite; it must be finite but for pair laws"));
  free_room(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_acts_once),
      cmocka_unit_test(forms_and_threads_give_the_same_bits),
      cmocka_unit_test(a_range_across_the_box_needs_no_list),
      cmocka_unit_test(a_bad_number_names_the_pair),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
