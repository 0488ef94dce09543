/*
 * Maury's aggregation (2004, section 4) through the public surface: steps are solved to their tolerance
 * (audited by a plain double loop), clusters form and stay, runs are reproducible, 2-D and 3-D.
 */
#include "support_world.h"

#include <stdlib.h>

static const double r = 0.01;

typedef struct setting {
  int32_t dimension, threads, solver;
  int64_t count;
  bool attraction, noise;
  uint64_t seed;
} setting;

static floc_world *make_aggregation(const setting *how)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = how->dimension;
  options.time_step = how->noise ? 0.01 : 0.02;
  options.threads = how->threads;
  options.seed = how->seed;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.tolerance = 1e-6 * r;
  projection.solver = how->solver;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = how->count;
  insertion.radius_lower = 0.85 * r;
  insertion.radius_upper = 1.15 * r;
  double side = how->dimension == 2 ? sqrt((double)how->count / 1000.0) : cbrt((double)how->count * 4.19e-6 / 0.2);
  for (int axis = 0; axis < how->dimension; axis++) {
    insertion.region_lower[axis] = -0.5 * side;
    insertion.region_upper[axis] = 0.5 * side;
  }
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  double *radius, *mass;
  int64_t count;
  assert_world_ok(world, floc_column(world, "radius", &radius, &count));
  assert_world_ok(world, floc_column(world, "mass", &mass, &count));
  for (int64_t i = 0; i < count; i++) mass[i] = pow(radius[i] / r, 3.0);
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = how->noise ? FLOC_FLOW_STILL : FLOC_FLOW_OSCILLATING_SHEAR;
  flow.frequency = 3.14159265358979323846;
  flow.relaxation_time = 0.2;
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  if (how->noise) {
    floc_noise_options noise;
    floc_noise_options_init(&noise);
    noise.sigma = 0.5;
    assert_world_ok(world, floc_world_set_noise(world, &noise));
  }
  if (!how->attraction) return world;
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = attraction.epsilon = 3e-3;
  attraction.noise_scaling = how->noise;
  assert_world_ok(world, floc_attraction_add(world, &attraction, NULL));
  return world;
}

static int64_t count_clusters(floc_world *world)
{
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, 0.05 * r, NULL, &summary));
  return summary.count;
}

/* Greatest overlap in radii by a plain loop over all pairs. */
static double plain_overlap(floc_world *world)
{
  double *column[4];
  static const char *const names[4] = {"x", "y", "z", "radius"};
  int64_t count = 0;
  for (int k = 0; k < 4; k++) assert_world_ok(world, floc_column(world, names[k], &column[k], &count));
  double worst = 0.0;
  for (int64_t i = 0; i < count; i++) {
    for (int64_t j = i + 1; j < count; j++) {
      double square = 0.0;
      for (int k = 0; k < 3; k++) square += (column[k][i] - column[k][j]) * (column[k][i] - column[k][j]);
      worst = fmax(worst, (column[3][i] + column[3][j] - sqrt(square)) / fmin(column[3][i], column[3][j]));
    }
  }
  return worst;
}

static void every_step_is_solved(void **state)
{
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    setting how = {.dimension = kind < 2 ? 2 : 3,
                   .threads = 1,
                   .count = 400,
                   .attraction = true,
                   .noise = kind % 2,
                   .seed = 3};
    floc_world *world = make_aggregation(&how);
    for (int k = 0; k < 60; k++) {
      run_steps(world, 1);
      floc_step_report report = step_report(world);
      assert_true(report.converged && report.residual <= report.tolerance);
      /* the residual bounds violations, a pair's radii are at least 0.85 r */
      if (k % 5 == 0) assert_true(plain_overlap(world) <= 1e-6 / 0.85 * 1.0001);
    }
    assert_int_equal(step_report(world).unconverged_steps, 0);
    floc_world_destroy(world);
  }
}

/* Fig. 1: the number of clusters falls, in the mean over seeds, and much less without attraction. */
static void clusters_form_and_stay(void **state)
{
  (void)state;
  enum { SAMPLES = 5, SEEDS = 4 };
  double with[SAMPLES] = {0}, without[SAMPLES] = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    for (int attraction = 0; attraction < 2; attraction++) {
      setting how = {.dimension = 2, .threads = 1, .count = 500, .attraction = attraction, .seed = seed};
      floc_world *world = make_aggregation(&how);
      for (int sample = 0; sample < SAMPLES; sample++) {
        (attraction ? with : without)[sample] += (double)count_clusters(world) / SEEDS;
        run_steps(world, 50);
      }
      floc_world_destroy(world);
    }
  }
  for (int sample = 1; sample < SAMPLES; sample++) assert_true(with[sample] < with[sample - 1]);
  assert_true(with[SAMPLES - 1] < 0.35 * with[0]);
  assert_true(without[SAMPLES - 1] > 0.7 * without[0]);
}

/* The tolerance is what makes solvers differ, not the method: positions agree after some steps. */
static void solvers_agree_on_a_run(void **state)
{
  (void)state;
  double position[3][2];
  for (int solver = 0; solver < 3; solver++) {
    setting how = {.dimension = 2, .threads = 1, .solver = solver, .count = 200, .attraction = true, .seed = 5};
    floc_world *world = make_aggregation(&how);
    run_steps(world, 40);
    assert_int_equal(step_report(world).unconverged_steps, 0);
    position[solver][0] = column_value(world, "x", 17);
    position[solver][1] = column_value(world, "y", 17);
    floc_world_destroy(world);
  }
  for (int solver = 1; solver < 3; solver++)
    for (int axis = 0; axis < 2; axis++) assert_close(position[solver][axis], position[0][axis], 1e-3 * r);
}

static void bits_do_not_depend_on_threads(void **state)
{
  (void)state;
  for (int solver = 0; solver < 3; solver++) {
    uint64_t reference = 0;
    static const int threads[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
      setting how = {.dimension = 2,
                     .threads = threads[k],
                     .solver = solver,
                     .count = solver == 0 ? 12000 : 1500,
                     .attraction = true,
                     .noise = true,
                     .seed = 7};
      floc_world *world = make_aggregation(&how);
      run_steps(world, solver == 0 ? 12 : 6);
      uint64_t hash = world_hash(world);
      if (k == 0) reference = hash;
      assert_true(hash == reference);
      floc_world_destroy(world);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_is_solved),
      cmocka_unit_test(clusters_form_and_stay),
      cmocka_unit_test(solvers_agree_on_a_run),
      cmocka_unit_test(bits_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
