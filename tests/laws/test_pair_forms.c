/*
 * Pair laws have two forms, one for any processor and one for four pairs side by side. Both must give the
 * same bits: forces, torques, energy, and what pairs remember. Storage is out of the order of ids, there are
 * several blocks of particles, pairs out of range, coincident centres, and numbers of pairs that no four divides.
 */
#include "base/numbers/random.h"
#include "laws/laws_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 11000 };

typedef struct heap {
  environment env;
  arena scratch;
  particles table;
  neighbors *near;
  laws *all;
  domain box;
  double *spin[3], *reach;
  particle_push *push;
} heap;

/* Everything that a pair law can ask for and give, in all inputs that have a form of their own. */
static const char *const inputs[] = {"distance",
                                     "overlap",
                                     "normal_velocity",
                                     "tangential_velocity",
                                     "normal_x",
                                     "normal_y",
                                     "normal_z",
                                     "slip_x",
                                     "slip_y",
                                     "slip_z",
                                     "radius_i",
                                     "mass_j",
                                     "id_i",
                                     "age",
                                     "time"};
static const char *const outputs[] = {"normal",       "tangential", "tangential_x", "tangential_y",
                                      "tangential_z", "age",        "energy"};

static floc_status everything(void *context, int32_t count, const double *const *in, double *const *out)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    out[0][k] = 10.0 * in[1][k] - in[2][k] + 0.1 * in[0][k] + in[14][k];
    out[1][k] = -0.3 * in[3][k];
    out[2][k] = -0.2 * in[7][k] + in[4][k] * in[10][k];
    out[3][k] = -0.2 * in[8][k] + in[5][k] * in[11][k];
    out[4][k] = -0.2 * in[9][k] + in[6][k] / in[12][k];
    out[5][k] = in[13][k] + in[0][k];
    out[6][k] = in[0][k] * in[0][k] + in[13][k];
  }
  return FLOC_OK;
}

static floc_status plain(void *context, int32_t count, const double *const *in, double *const *out)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) out[0][k] = 3.0 * in[0][k];
  return FLOC_OK;
}

static void fill(heap *h, double side)
{
  for (int64_t k = 0; k < COUNT; k++) {
    int64_t id;
    double u[4], w[4];
    assert_ok(&h->env, particles_append(&h->table, &id));
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    random_uniform4(2, (uint64_t)k, 0, RANDOM_POSITION, 0, w);
    for (int axis = 0; axis < h->box.dimension; axis++) {
      h->table.column[COLUMN_x + axis][k] = side * u[axis];
      h->table.column[COLUMN_vx + axis][k] = w[axis] - 0.5;
    }
    for (int axis = h->box.dimension == 2 ? 2 : 0; axis < 3; axis++) h->spin[axis][k] = 3.0 * (u[axis] - w[axis]);
    h->table.column[COLUMN_radius][k] = 0.4 + 0.2 * u[3];
    h->table.column[COLUMN_mass][k] = 1.0 + w[3];
  }
  for (int axis = 0; axis < 3; axis++)
    h->table.column[COLUMN_x + axis][77] = h->table.column[COLUMN_x + axis][78]; /* coincident */
}

static void shuffle(heap *h)
{
  int32_t order[COUNT];
  for (int32_t k = 0; k < COUNT; k++) order[k] = (int32_t)((int64_t)k * 1709 % COUNT);
  assert_ok(&h->env, particles_permute(&h->table, order));
}

static void make_heap(heap *h, int32_t dimension, int32_t threads, bool narrow)
{
  const double side = dimension == 2 ? 100.0 : 20.0;
  memset(h, 0, sizeof *h);
  h->env = test_environment(threads);
  arena_init(&h->scratch, &h->env);
  particles_init(&h->table, &h->env);
  h->box = (domain){.dimension = dimension};
  for (int axis = 0; axis < 3; axis++) {
    bool periodic = axis != 1 && axis < dimension;
    h->box.boundary[axis] = periodic ? FLOC_BOUNDARY_PERIODIC : FLOC_BOUNDARY_OPEN;
    h->box.upper[axis] = side;
    h->box.length[axis] = periodic ? side : 0.0;
    h->spin[axis] = calloc(COUNT, sizeof(double));
  }
  h->reach = calloc(COUNT, sizeof(double));
  h->push = calloc(COUNT, sizeof *h->push);
  fill(h, side);
  shuffle(h);
  assert_ok(&h->env, neighbors_create(&h->env, dimension, &h->near));
  assert_ok(&h->env, laws_create(&h->env, dimension, &h->all));
  h->all->narrow = narrow;
}

static void add_law(heap *h, floc_kernel_function function, double range)
{
  int32_t number;
  floc_law_options options = {
      .struct_size = sizeof options, .inputs = inputs, .function = function, .range = range, .parallel = true};
  options.input_count = function == plain ? 1 : 15;
  options.output_count = function == plain ? 1 : 7;
  options.outputs = outputs;
  options.memory = function == plain ? NULL : &inputs[13];
  options.memory_count = function == plain ? 0 : 1;
  assert_ok(&h->env, laws_add(h->all, &h->table, h->near, FLOC_LAW_PAIR, &options, &number));
}

static void step(heap *h)
{
  bool rebuilt;
  arena_reset(&h->scratch);
  assert_ok(&h->env, neighbors_update(h->near, &h->table, NULL, &h->box, h->reach, laws_range(h->all), &rebuilt));
  laws_moment at = {.table = &h->table,
                    .near = h->near,
                    .box = &h->box,
                    .time = 0.25,
                    .time_step = 0.01,
                    .spin = {h->spin[0], h->spin[1], h->spin[2]},
                    .push = h->push};
  assert_ok(&h->env, laws_apply(h->all, &at, &h->scratch));
  laws_finish(h->all, h->near, true);
}

static void free_heap(heap *h)
{
  laws_destroy(h->all);
  neighbors_destroy(h->near);
  particles_free(&h->table);
  arena_free(&h->scratch);
  for (int axis = 0; axis < 3; axis++) free(h->spin[axis]);
  free(h->reach);
  free(h->push);
}

static void assert_same(const heap *a, const heap *b)
{
  const pair_list *pairs = neighbors_pairs(a->near);
  assert_int_equal(pairs->count, neighbors_pairs(b->near)->count);
  assert_memory_equal(a->push, b->push, COUNT * sizeof *a->push);
  for (int axis = 0; axis < 3; axis++)
    assert_memory_equal(a->table.column[COLUMN_fx + axis], b->table.column[COLUMN_fx + axis],
                        COUNT * sizeof(double));
  for (int32_t n = 0; n < a->all->of[FLOC_LAW_PAIR].count; n++) {
    const law *one = &a->all->of[FLOC_LAW_PAIR].item[n], *other = &b->all->of[FLOC_LAW_PAIR].item[n];
    assert_memory_equal(&one->energy, &other->energy, sizeof one->energy);
    for (int32_t k = 0; k < one->memory_count; k++)
      assert_memory_equal(pairs->memory[one->memory[k].now], neighbors_pairs(b->near)->memory[other->memory[k].now],
                          (size_t)pairs->count * sizeof(double));
  }
}

static void both_forms_in(int32_t dimension, floc_kernel_function function, double range, bool second)
{
  heap wide, narrow, threads;
  make_heap(&wide, dimension, 1, false);
  make_heap(&narrow, dimension, 1, true);
  make_heap(&threads, dimension, 3, false);
  heap *const heaps[] = {&wide, &narrow, &threads};
  for (int n = 0; n < 3; n++) {
    add_law(heaps[n], function, range);
    if (second) add_law(heaps[n], plain, 0.05);
    step(heaps[n]);
    step(heaps[n]); /* now with memory */
  }
  double sum = 0.0;
  for (int k = 0; k < COUNT; k++) sum += fabs(wide.push[k].force[0]);
  assert_true(sum > 1.0);
  assert_same(&wide, &narrow);
  assert_same(&wide, &threads);
  for (int n = 0; n < 3; n++) free_heap(heaps[n]);
}

static void both_forms(floc_kernel_function function, double range, bool second)
{
  both_forms_in(2, function, range, second);
  both_forms_in(3, function, range, second);
}

static void all_that_a_law_can_ask_is_the_same(void **state)
{
  (void)state;
  both_forms(everything, 0.0, false);
  both_forms(everything, 0.3, false);
}

static void a_plain_law_is_the_same(void **state)
{
  (void)state;
  both_forms(plain, 0.1, false);
}

static void two_laws_are_the_same(void **state)
{
  (void)state;
  both_forms(everything, 0.1, true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_that_a_law_can_ask_is_the_same),
      cmocka_unit_test(a_plain_law_is_the_same),
      cmocka_unit_test(two_laws_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
