/*
 * Common motion: a crowd that is carried along (uniformly, by a shear, by a rotation) keeps its lists, and
 * still no pair is missing. And the least-squares fit behind it.
 */
#include "neighbors/scenes.h"

#include "particles/affine.h"

typedef struct motion {
  double value[2], gradient[2][2], scatter;
} motion;

/* x <- x + value + gradient x + a random way of length scatter at most. */
static void carry(scene *all, const motion *how)
{
  for (int64_t i = 0; i < all->table.count; i++) {
    double x = column(all, 0)[i], y = column(all, 1)[i];
    for (int a = 0; a < 2; a++) {
      column(all, a)[i] = domain_wrap(&all->box, a,
                                      column(all, a)[i] + how->value[a] + how->gradient[a][0] * x +
                                          how->gradient[a][1] * y + draw(all, -how->scatter, how->scatter));
    }
    all->reach[i] = 0.002;
  }
}

static int rebuilds_in(scene *all, const motion *how, int updates)
{
  int rebuilds = 0;
  update_scene(all);
  for (int k = 0; k < updates; k++) {
    carry(all, how);
    rebuilds += update_scene(all);
    check_pairs(all);
  }
  return rebuilds;
}

static const double lower[3] = {-2.0, -2.0, 0.0}, upper[3] = {2.0, 2.0, 0.0};

static int carried_rebuilds(const motion *how, bool periodic)
{
  scene all;
  scene_init(&all, 2, 5, 1);
  if (periodic) make_periodic(&all, 0, -2.0, 2.0);
  all.range = 0.01;
  add_cloud(&all, 2000, lower, upper, 0.01, 0.02);
  int rebuilds = rebuilds_in(&all, how, 40);
  scene_free(&all);
  return rebuilds;
}

static void a_carried_crowd_keeps_its_lists(void **state)
{
  (void)state;
  const motion uniform = {.value = {0.7, -0.4}, .scatter = 1e-5};
  const motion shear = {.value = {0.1, 0.0}, .gradient = {{0.0, 0.01}, {0.0, 0.0}}, .scatter = 1e-5};
  const motion rotation = {.gradient = {{0.0, -0.01}, {0.01, 0.0}}, .scatter = 1e-5};
  assert_true(carried_rebuilds(&uniform, false) <= 2);
  assert_true(carried_rebuilds(&shear, false) <= 20);
  assert_true(carried_rebuilds(&rotation, false) <= 20);
  assert_true(carried_rebuilds(&uniform, true) <= 2);
}

/* Two crowds through each other have nothing in common: the lists must follow. */
static void two_streams_are_no_crowd(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 6, 1);
  add_cloud(&all, 1000, lower, upper, 0.01, 0.02);
  update_scene(&all);
  for (int k = 0; k < 30; k++) {
    for (int64_t i = 0; i < all.table.count; i++) {
      column(&all, 0)[i] += all.table.id[i] % 2 ? 0.02 : -0.02;
      all.reach[i] = 0.02;
    }
    update_scene(&all);
    check_pairs(&all);
  }
  scene_free(&all);
}

typedef struct known_field {
  const particles *table;
  double value[3], gradient[3][3], noise;
} known_field;

static void known_vector(void *context, int64_t slot, double vector[3])
{
  const known_field *known = context;
  double u[4];
  random_uniform4(3, (uint64_t)slot, 0, RANDOM_SCRIPT, 0, u);
  for (int a = 0; a < 3; a++) {
    vector[a] = known->value[a] + known->noise * (u[a] - 0.5);
    for (int b = 0; b < 3; b++) vector[a] += known->gradient[a][b] * known->table->column[COLUMN_x + b][slot];
  }
}

static void the_fit_finds_an_affine_field(void **state)
{
  (void)state;
  const double low[3] = {0, 1, 2}, high[3] = {3, 4, 9};
  affine_field exact, found[2];
  for (int threads = 1; threads <= 2; threads++) {
    scene all;
    scene_init(&all, 3, 8, threads);
    add_cloud(&all, 20000, low, high, 0.01, 0.02);
    known_field known = {&all.table, {1, 2, 3}, {{0.1, 0.2, 0.3}, {-0.4, 0.5, 0.6}, {0.7, -0.8, 0.9}}, 0.0};
    assert_true(affine_fit(&all.table, &all.box, known_vector, &known, &exact));
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) assert_close(exact.gradient[a][b], known.gradient[a][b], 1e-12);
    known.noise = 0.1;
    assert_true(affine_fit(&all.table, &all.box, known_vector, &known, &found[threads - 1]));
    known_field nothing = {&all.table, {0}, {{0}}, 1.0};
    affine_field none;
    assert_false(affine_fit(&all.table, &all.box, known_vector, &nothing, &none));
    assert_true(none.norm == 0.0 && none.value[0] == 0.0);
    scene_free(&all);
  }
  assert_memory_equal(&found[0], &found[1], sizeof found[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_carried_crowd_keeps_its_lists),
      cmocka_unit_test(two_streams_are_no_crowd),
      cmocka_unit_test(the_fit_finds_an_affine_field),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
