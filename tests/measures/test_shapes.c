/*
 * Shapes of known sets of particles: gyration, neighbours, fractal dimensions (Degond et al. 2024, 4.2 and
 * Fig. 9), of one cluster and of all, through periodic faces too.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "measures/fractal.h"
#include "measures/shape_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
  environment env;
  particles table;
  domain box;
  cluster_pairs pairs;
  int64_t *cluster_of;
  floc_cluster_summary summary;
} sample;

static void sample_init(sample *set, int32_t dimension, int32_t boundary, double side)
{
  *set = (sample){.env = test_environment(1)};
  particles_init(&set->table, &set->env);
  set->box.dimension = dimension;
  for (int axis = 0; axis < dimension; axis++) {
    set->box.boundary[axis] = boundary;
    set->box.upper[axis] = side;
    if (boundary == FLOC_BOUNDARY_PERIODIC) set->box.length[axis] = side;
  }
}

static void add(sample *set, double x, double y, double z, double radius, double mass)
{
  int64_t id;
  assert_ok(&set->env, particles_append(&set->table, &id));
  set->table.column[COLUMN_x][id - 1] = x;
  set->table.column[COLUMN_y][id - 1] = y;
  set->table.column[COLUMN_z][id - 1] = z;
  set->table.column[COLUMN_radius][id - 1] = radius;
  set->table.column[COLUMN_mass][id - 1] = mass;
}

static void find_clusters(sample *set, double gap)
{
  assert_ok(&set->env, cluster_pairs_by_gap(&set->env, &set->table, &set->box, gap, &set->pairs));
  set->cluster_of = malloc((size_t)set->table.count * sizeof *set->cluster_of);
  assert_ok(&set->env, clusters_find(&set->env, &set->table, &set->pairs, set->cluster_of, &set->summary));
}

static void sample_free(sample *set)
{
  if (set->pairs.env) cluster_pairs_free(&set->pairs);
  free(set->cluster_of);
  particles_free(&set->table);
}

static floc_gyration gyration_of(sample *set, int64_t cluster)
{
  measured_points points;
  floc_gyration gyration;
  assert_ok(&set->env,
            points_gather(&set->env, &set->table, &set->box, &set->pairs, set->cluster_of, cluster, &points));
  measure_gyration(&points, &set->box, &gyration);
  points_free(&points);
  return gyration;
}

static double box_dimension(sample *set, const floc_fractal_options *options, floc_scaling *scaling)
{
  measured_points points;
  assert_ok(&set->env, points_gather(&set->env, &set->table, &set->box, NULL, NULL, 0, &points));
  assert_ok(&set->env, measure_box_counting(&points, &set->box, options, scaling));
  points_free(&points);
  return scaling->dimension;
}

/* ---- gyration ---- */

/* A rectangle of points with sides a and b, turned by an angle: variances (a^2, b^2) / 4 for the corners. */
static void gyration_of_a_turned_rectangle(void **state)
{
  (void)state;
  for (double angle = -1.5; angle < 1.6; angle += 0.31) {
    sample set;
    sample_init(&set, 2, FLOC_BOUNDARY_OPEN, 0);
    for (int k = 0; k < 4; k++) {
      double u = k & 1 ? 3.0 : -3.0, v = k & 2 ? 1.0 : -1.0;
      add(&set, 7 + u * cos(angle) - v * sin(angle), -2 + u * sin(angle) + v * cos(angle), 0, 0.1, 2.5);
    }
    floc_gyration found = gyration_of(&set, 0);
    assert_int_equal(found.count, 4);
    assert_close(found.mass, 10.0, 1e-14);
    assert_close(found.center[0], 7.0, 1e-14);
    assert_close(found.center[1], -2.0, 1e-14);
    assert_close(found.eigenvalue[0], 9.0, 1e-13);
    assert_close(found.eigenvalue[1], 1.0, 1e-13);
    assert_close(found.aspect_ratio, 9.0, 1e-12);
    assert_close(found.radius, sqrt(10.0), 1e-14);
    assert_close(fabs(found.orientation[0] * cos(angle) + found.orientation[1] * sin(angle)), 1.0, 1e-13);
    assert_true(found.orientation[0] > 0.0);
    sample_free(&set);
  }
}

static void gyration_in_space_and_its_limits(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 3, FLOC_BOUNDARY_OPEN, 0);
  add(&set, 1, 2, 3, 0.5, 1.0);
  floc_gyration one = gyration_of(&set, 0);
  assert_close(one.aspect_ratio, 1.0, 0.0);
  assert_close(one.radius, 0.0, 0.0);
  add(&set, 1, 2, 5, 0.5, 3.0); /* masses 1 and 3: the centre at 3/4 of the way, variance 3/16 d^2 */
  floc_gyration two = gyration_of(&set, 0);
  assert_close(two.center[2], 4.5, 1e-15);
  assert_close(two.eigenvalue[0], 0.75, 1e-14);
  assert_true(isinf(two.aspect_ratio));
  assert_close(two.orientation[2], 1.0, 1e-15);
  for (int k = 0; k < 8; k++) add(&set, 100 + (k & 1) * 8, (k & 2) * 2, (k & 4) * 0.5, 0.5, 1.0);
  measured_points points;
  find_clusters(&set, 8.0);
  assert_int_equal(set.summary.count, 2);
  floc_gyration brick = gyration_of(&set, 2);
  assert_int_equal(brick.count, 8);
  assert_close(brick.eigenvalue[0], 16.0, 1e-12);
  assert_close(brick.eigenvalue[1], 4.0, 1e-12);
  assert_close(brick.eigenvalue[2], 1.0, 1e-12);
  assert_close(brick.aspect_ratio, 16.0, 1e-11);
  assert_int_equal(gyration_of(&set, -1).count, 8); /* the largest */
  assert_int_equal(points_gather(&set.env, &set.table, &set.box, &set.pairs, set.cluster_of, 3, &points),
                   FLOC_NOT_FOUND);
  sample_free(&set);
}

/* The same blob, in the middle of a periodic box and across its corner. */
static void clusters_are_put_together_across_faces(void **state)
{
  (void)state;
  floc_gyration found[2];
  for (int which = 0; which < 2; which++) {
    sample set;
    sample_init(&set, 2, FLOC_BOUNDARY_PERIODIC, 20.0);
    double shift = which == 0 ? 0.0 : 11.3;
    for (int k = 0; k < 40; k++) { /* a spiral of touching discs, 3 turns long */
      double angle = 0.45 * k, distance = 0.5 + 0.12 * k;
      add(&set, domain_wrap(&set.box, 0, 9 + shift + distance * cos(angle)),
          domain_wrap(&set.box, 1, 8 + shift + distance * sin(angle)), 0, 0.7, 1.0 + k);
    }
    find_clusters(&set, 0.9);
    assert_int_equal(set.summary.count, 1);
    found[which] = gyration_of(&set, 1);
    assert_true(found[which].center[0] >= 0.0 && found[which].center[0] < 20.0);
    sample_free(&set);
  }
  for (int k = 0; k < 2; k++) assert_close(found[0].eigenvalue[k], found[1].eigenvalue[k], 1e-11);
  assert_close(domain_wrap(&(domain){.dimension = 2, .length = {20}, .upper = {20}}, 0, found[0].center[0] + 11.3),
               found[1].center[0], 1e-12);
}

/* ---- neighbours ---- */

/* A hexagonal patch around one disc: the middle has 6 neighbours at 2R, 12 within 4R, ... */
static void neighbours_of_a_square_lattice(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 2, FLOC_BOUNDARY_PERIODIC, 12.0);
  for (int k = 0; k < 144; k++) add(&set, k % 12 + 0.5, k / 12 + 0.5, 0, 0.5, 1.0);
  measured_points points;
  assert_ok(&set.env, points_gather(&set.env, &set.table, &set.box, NULL, NULL, 0, &points));
  double number, values[5];
  assert_ok(&set.env, measure_contact_number(&points, 2.1, &number));
  assert_close(number, 4.0, 1e-14);
  assert_ok(&set.env, measure_contact_number(&points, 2.9, &number));
  assert_close(number, 8.0, 1e-14);
  const double distances[5] = {0.0, 1.0, 1.5, 2.0, 3.0};
  assert_ok(&set.env, measure_pair_distribution(&points, distances, 5, values));
  const double expected[5] = {0, 4, 8, 12, 28}; /* lattice points within r, without the origin */
  for (int k = 0; k < 5; k++) assert_close(values[k], expected[k], 1e-13);
  assert_int_equal(measure_contact_number(&points, 0.0, &number), FLOC_INVALID_ARGUMENT);
  assert_int_equal(measure_pair_distribution(&points, (double[2]){1, 0.5}, 2, values), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(set.env.message, "distances[1] is 0.5"));
  assert_int_equal(measure_pair_distribution(&points, distances, 0, values), FLOC_INVALID_ARGUMENT);
  points_free(&points);
  sample_free(&set);
}

/* Unequal radii: contact goes by the mean of the two radii. */
static void contacts_of_unequal_radii(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 2, FLOC_BOUNDARY_OPEN, 0);
  add(&set, 0, 0, 0, 1.0, 1.0);
  add(&set, 1.25, 0, 0, 0.25, 1.0);
  add(&set, 1.85, 0, 0, 0.25, 1.0); /* 0.6 away: beyond 1.05 (R_i + R_j) */
  measured_points points;
  double number;
  assert_ok(&set.env, points_gather(&set.env, &set.table, &set.box, NULL, NULL, 0, &points));
  assert_ok(&set.env, measure_contact_number(&points, 2.1, &number));
  assert_close(number, 2.0 / 3.0, 1e-15);
  points_free(&points);
  sample_free(&set);
}

/* ---- fractal dimensions ---- */

static void add_line(sample *set, int count, double side)
{
  for (int k = 0; k < count; k++) add(set, (k + 0.5) * side / count, 0.4 * side, 0, 0.5 * side / count, 1.0);
}

static void add_lattice(sample *set, int side, double spacing)
{
  for (int k = 0; k < side * side; k++)
    add(set, (k % side + 0.5) * spacing, (k / side + 0.5) * spacing, 0, 0.5 * spacing, 1.0);
}

static void add_sierpinski(sample *set, double x, double y, double side, int depth)
{
  if (depth == 0) {
    add(set, x, y, 0, 0.5 * side, 1.0);
    return;
  }
  double half = 0.5 * side;
  add_sierpinski(set, x, y, half, depth - 1);
  add_sierpinski(set, x + half, y, half, depth - 1);
  add_sierpinski(set, x + 0.5 * half, y + half * sqrt(0.75), half, depth - 1);
}

/* Fig. 9: line 1, lattice 2, Sierpinski triangle 1.585, each to 0.05; about 900 particles. */
static void box_counting_is_calibrated(void **state)
{
  (void)state;
  const double expected[3] = {1.0, 2.0, log(3.0) / log(2.0)};
  for (int which = 0; which < 3; which++) {
    sample set;
    sample_init(&set, 2, FLOC_BOUNDARY_WALL, 120.0);
    if (which == 0) add_line(&set, 900, 120.0);
    if (which == 1) add_lattice(&set, 30, 4.0);
    if (which == 2) add_sierpinski(&set, 0.0, 0.0, 120.0, 6);
    floc_fractal_options options;
    floc_scaling scaling;
    floc_fractal_options_init(&options);
    assert_close(box_dimension(&set, &options, &scaling), expected[which], 0.05);
    assert_true(scaling.last > scaling.first);
    assert_true(scaling.x[scaling.first] <= 60.0 &&
                scaling.x[scaling.last] >= 3.0 * set.table.column[COLUMN_radius][0]);
    sample_free(&set);
  }
}

/* Counts of boxes by hand, and the fit's range. */
static void boxes_are_counted_on_every_scale(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 2, FLOC_BOUNDARY_WALL, 16.0);
  for (int k = 0; k < 256; k++) add(&set, k % 16 + 0.5, k / 16 + 0.5, 0, 0.1, 1.0);
  floc_fractal_options options;
  floc_scaling scaling;
  floc_fractal_options_init(&options);
  options.least = 1.0;
  box_dimension(&set, &options, &scaling);
  for (int k = 0; k < scaling.count; k++) {
    assert_close(scaling.x[k], 8.0 / pow(2, k), 1e-14);
    assert_close(scaling.y[k], fmin(pow(4, k + 1), 256.0), 0.0);
  }
  assert_close(scaling.dimension, 2.0, 1e-14);
  assert_close(scaling.prefactor, 256.0, 1e-11);
  assert_close(scaling.deviation, 0.0, 1e-13);
  assert_int_equal(scaling.first, 0);
  assert_int_equal(scaling.last, 3);
  options.side = 32.0; /* the set fills a quarter of this box: 1, 4, 16, ... */
  options.corner[0] = options.corner[1] = -1e-9;
  options.greatest = 8.0;
  box_dimension(&set, &options, &scaling);
  assert_close(scaling.y[0], 1.0, 0.0);
  assert_close(scaling.y[1], 4.0, 0.0);
  assert_close(scaling.dimension, 2.0, 1e-14);
  measured_points points;
  assert_ok(&set.env, points_gather(&set.env, &set.table, &set.box, NULL, NULL, 0, &points));
  options.least = 9.0;
  assert_int_equal(measure_box_counting(&points, &set.box, &options, &scaling), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(set.env.message, "a fit needs 2"));
  points_free(&points);
  options.side = -1.0;
  assert_int_equal(fractal_check_options(&set.env, &options), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(set.env.message, "side is -1"));
  sample_free(&set);
}

static void boxes_in_space(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 3, FLOC_BOUNDARY_OPEN, 0);
  for (int k = 0; k < 4096; k++) add(&set, k % 16, k / 16 % 16, k / 256, 0.25, 1.0);
  floc_fractal_options options;
  floc_scaling scaling;
  floc_fractal_options_init(&options);
  assert_close(box_dimension(&set, &options, &scaling), 3.0, 0.05);
  sample_free(&set);
}

/* Mass within a distance from the centre: a disc of lattice points 2, a row 1. */
static void mass_radius_is_calibrated(void **state)
{
  (void)state;
  for (int which = 1; which <= 2; which++) {
    sample set;
    sample_init(&set, 2, FLOC_BOUNDARY_OPEN, 0);
    for (int k = 0; k < 201 * 201; k++) {
      int x = k % 201 - 100, y = k / 201 - 100;
      if (x * x + y * y <= 10000 && (which == 2 || y == 0)) add(&set, x, y, 0, 0.5, 2.0);
    }
    measured_points points;
    floc_fractal_options options;
    floc_scaling scaling;
    floc_fractal_options_init(&options);
    options.least = 5.0;
    assert_ok(&set.env, points_gather(&set.env, &set.table, &set.box, NULL, NULL, 0, &points));
    assert_ok(&set.env, measure_mass_radius(&points, &options, &scaling));
    assert_close(scaling.dimension, which, 0.05);
    assert_close(scaling.y[scaling.count - 1], 2.0 * (double)points.count * (which == 2 ? 0.5 : 1 / sqrt(3.0)),
                 0.02 * (double)points.count);
    points_free(&points);
    sample_free(&set);
  }
}

/* Rows of 2, 3, ... discs: the radius of gyration goes with the mass; squares: with its root. */
static void clusters_scale_as_their_kind(void **state)
{
  (void)state;
  for (int which = 1; which <= 2; which++) {
    sample set;
    sample_init(&set, 2, FLOC_BOUNDARY_PERIODIC, 400.0);
    for (int size = 2; size <= 32; size += which) {
      int count = which == 1 ? size : size * size;
      double row = 5.0 + 12.0 * (size - 2);
      for (int k = 0; k < count; k++)
        add(&set, domain_wrap(&set.box, 0, 390.0 + k % size),
            which == 1 ? row : 5.0 + 0.37 * size * size + k / size, 0, 0.5, 1.0);
    }
    find_clusters(&set, 0.01);
    floc_scaling scaling;
    assert_ok(&set.env, measure_cluster_scaling(&set.env, &set.table, &set.box, &set.pairs, set.cluster_of,
                                                set.summary.count, 8, &scaling));
    assert_close(scaling.dimension, which, 0.05);
    assert_true(scaling.count >= 2 && scaling.x[0] < scaling.x[scaling.count - 1]);
    assert_int_equal(measure_cluster_scaling(&set.env, &set.table, &set.box, &set.pairs, set.cluster_of,
                                             set.summary.count, 100000, &scaling),
                     FLOC_INVALID_ARGUMENT);
    assert_int_equal(measure_cluster_scaling(&set.env, &set.table, &set.box, &set.pairs, set.cluster_of,
                                             set.summary.count, 1, &scaling),
                     FLOC_INVALID_ARGUMENT);
    sample_free(&set);
  }
}

static void sizes_are_counted(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 2, FLOC_BOUNDARY_OPEN, 0);
  const int size_of[6] = {1, 3, 1, 2, 3, 1};
  for (int c = 0; c < 6; c++)
    for (int k = 0; k < size_of[c]; k++) add(&set, k, 3.0 * c, 0, 0.5, 1.0);
  find_clusters(&set, 0.01);
  int64_t sizes[3], numbers[3], count;
  assert_ok(&set.env, measure_cluster_sizes(&set.env, set.cluster_of, set.table.count, set.summary.count, NULL,
                                            NULL, 0, &count));
  assert_int_equal(count, 3);
  assert_ok(&set.env, measure_cluster_sizes(&set.env, set.cluster_of, set.table.count, set.summary.count, sizes,
                                            numbers, 3, &count));
  for (int k = 0; k < 3; k++) {
    assert_int_equal(sizes[k], k + 1);
    assert_int_equal(numbers[k], k == 0 ? 3 : k == 1 ? 1 : 2);
  }
  sample_free(&set);
}

/* ---- failing memory ---- */

static void *ration(void *context, void *pointer, size_t old_size, size_t new_size)
{
  int *left = context;
  if (new_size > old_size && (*left)-- <= 0) return NULL;
  return default_allocate(NULL, pointer, old_size, new_size);
}

static floc_status measure_everything(sample *set)
{
  measured_points points;
  floc_scaling scaling;
  floc_fractal_options options;
  floc_fractal_options_init(&options);
  double number, values[2];
  int64_t count;
  floc_status status = points_gather(&set->env, &set->table, &set->box, &set->pairs, set->cluster_of, -1, &points);
  if (status != FLOC_OK) return status;
  status = measure_contact_number(&points, 2.1, &number);
  if (status == FLOC_OK) status = measure_pair_distribution(&points, (double[2]){1, 2}, 2, values);
  if (status == FLOC_OK) status = measure_box_counting(&points, &set->box, &options, &scaling);
  points_free(&points);
  if (status == FLOC_OK)
    status = measure_cluster_scaling(&set->env, &set->table, &set->box, &set->pairs, set->cluster_of,
                                     set->summary.count, 2, &scaling);
  if (status == FLOC_OK)
    status = measure_cluster_sizes(&set->env, set->cluster_of, set->table.count, set->summary.count, NULL, NULL, 0,
                                   &count);
  return status;
}

static void failing_memory_is_told(void **state)
{
  (void)state;
  sample set;
  sample_init(&set, 2, FLOC_BOUNDARY_PERIODIC, 50.0);
  for (int size = 2; size < 8; size++)
    for (int k = 0; k < size; k++) add(&set, domain_wrap(&set.box, 0, 45.0 + 2 * k), 5.0 * size, 0, 1.0, 1.0);
  find_clusters(&set, 0.1);
  int left = 0;
  set.env.allocate = ration;
  set.env.allocate_context = &left;
  floc_status status = FLOC_OUT_OF_MEMORY;
  for (int allowed = 0; status != FLOC_OK; allowed++) {
    left = allowed;
    status = measure_everything(&set);
    assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    assert_true(allowed < 500);
  }
  left = 1000;
  sample_free(&set);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gyration_of_a_turned_rectangle),
      cmocka_unit_test(gyration_in_space_and_its_limits),
      cmocka_unit_test(clusters_are_put_together_across_faces),
      cmocka_unit_test(neighbours_of_a_square_lattice),
      cmocka_unit_test(contacts_of_unequal_radii),
      cmocka_unit_test(box_counting_is_calibrated),
      cmocka_unit_test(boxes_are_counted_on_every_scale),
      cmocka_unit_test(boxes_in_space),
      cmocka_unit_test(mass_radius_is_calibrated),
      cmocka_unit_test(clusters_scale_as_their_kind),
      cmocka_unit_test(sizes_are_counted),
      cmocka_unit_test(failing_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
