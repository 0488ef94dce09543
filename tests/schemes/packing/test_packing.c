/*
 * Dense packings and crystals through the public surface: every pair is looked at, with periodic images, in loops
 * that share nothing with the engine.
 */
#include "failing_allocator.h"
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

typedef struct scene {
  floc_world *world;
  int32_t dimension;
  bool periodic;
  double side[3];
} scene;

static scene make_scene(int32_t dimension, bool periodic, double x, double y, double z, int32_t threads)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = dimension;
  options.time_step = 1e-3;
  options.threads = threads;
  options.seed = 7;
  scene made = {NULL, dimension, periodic, {x, y, z}};
  for (int axis = 0; axis < dimension; axis++) {
    options.boundary[axis] = periodic ? FLOC_BOUNDARY_PERIODIC : FLOC_BOUNDARY_WALL;
    options.domain_upper[axis] = made.side[axis];
  }
  assert_int_equal(floc_world_create(&options, &made.world), FLOC_OK);
  return made;
}

static floc_insertion_options insertion_of(const scene *in, int64_t count, int32_t placement)
{
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = count;
  options.placement = placement;
  options.radius_lower = 1.0;
  for (int axis = 0; axis < in->dimension; axis++) options.region_upper[axis] = in->side[axis];
  return options;
}

typedef struct look {
  int64_t count;
  double *x[3], *radius;
  double nearest;  /* least gap over the smaller radius */
  double volume;   /* sum */
  int64_t touch;   /* pairs closer than 1e-6 of a radius */
  int64_t fcc_gap; /* pairs at 1.36 to 1.46 mean diameters, where fcc and hcp have their second neighbours */
} look;

static double image(const scene *in, int axis, double separation)
{
  return in->periodic ? separation - in->side[axis] * floor(separation / in->side[axis] + 0.5) : separation;
}

static look look_at(const scene *in)
{
  static const char *const axes[] = {"x", "y", "z"};
  look found = {.nearest = INFINITY};
  for (int axis = 0; axis < 3; axis++)
    assert_world_ok(in->world, floc_column(in->world, axes[axis], &found.x[axis], &found.count));
  assert_world_ok(in->world, floc_column(in->world, "radius", &found.radius, &found.count));
  for (int64_t i = 0; i < found.count; i++) {
    found.volume += in->dimension == 2 ? PI * pow(found.radius[i], 2) : 4.0 / 3.0 * PI * pow(found.radius[i], 3);
    for (int axis = 0; axis < in->dimension; axis++)
      assert_true(found.x[axis][i] >= 0.0 && found.x[axis][i] <= in->side[axis]);
    for (int64_t j = 0; j < i; j++) {
      double square = 0.0, contact = found.radius[i] + found.radius[j];
      for (int axis = 0; axis < in->dimension; axis++)
        square += pow(image(in, axis, found.x[axis][i] - found.x[axis][j]), 2);
      double gap = (sqrt(square) - contact) / fmin(found.radius[i], found.radius[j]);
      found.nearest = fmin(found.nearest, gap);
      found.touch += gap < 1e-6;
      found.fcc_gap += sqrt(square) > 1.36 * contact && sqrt(square) < 1.46 * contact;
    }
  }
  return found;
}

static double box_volume(const scene *in)
{
  return in->side[0] * in->side[1] * (in->dimension == 3 ? in->side[2] : 1.0);
}

/* ---- dense ---- */

static void spheres_are_packed_to_063(void **state)
{
  (void)state;
  scene in = make_scene(3, true, 1.0, 1.0, 1.0, 1);
  floc_insertion_options options = insertion_of(&in, 500, FLOC_PLACEMENT_DENSE);
  options.volume_fraction = 0.63;
  options.mass = 0.0;
  options.density = 2.0;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  look found = look_at(&in);
  assert_int_equal(found.count, 500);
  assert_close(found.volume, 0.63, 1e-12);
  assert_true(found.nearest >= -1e-11);
  assert_close(column_value(in.world, "mass", 1), 2.0 * 0.63 / 500, 1e-12);
  /* g at root 2 diameters has its first minimum in a disordered packing, a peak in a crystal: 6 neighbours each */
  double d = 2.0 * found.radius[0], shell = 4.0 / 3.0 * PI * (pow(1.46 * d, 3) - pow(1.36 * d, 3));
  double g = 2.0 * (double)found.fcc_gap / 500.0 / (500.0 * shell);
  assert_true(g > 0.3 && g < 1.0);
  run_steps(in.world, 2); /* which refuses new overlaps above a tenth */
  assert_true(step_report(in.world).overlap < 1e-9);
  floc_world_destroy(in.world);
}

static void discs_of_many_sizes_are_packed_to_084(void **state)
{
  (void)state;
  scene in = make_scene(2, true, 2.0, 1.0, 0.0, 1);
  floc_insertion_options options = insertion_of(&in, 500, FLOC_PLACEMENT_DENSE);
  options.radius_upper = 1.6;
  options.volume_fraction = 0.84;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  look found = look_at(&in);
  assert_close(found.volume, 0.84 * 2.0, 1e-12);
  assert_true(found.nearest >= -1e-11);
  double least = INFINITY, greatest = 0.0;
  for (int64_t i = 0; i < found.count; i++) {
    least = fmin(least, found.radius[i]);
    greatest = fmax(greatest, found.radius[i]);
  }
  assert_true(greatest / least > 1.55 && greatest / least <= 1.6 * (1.0 + 1e-12));
  floc_world_destroy(in.world);
}

static uint64_t packed_hash(int32_t threads, uint64_t seed)
{
  scene in = make_scene(3, true, 1.0, 1.0, 1.0, threads);
  floc_insertion_options options = insertion_of(&in, 1300, FLOC_PLACEMENT_DENSE);
  options.volume_fraction = 0.6;
  options.seed = seed;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  uint64_t hash = world_hash(in.world);
  floc_world_destroy(in.world);
  return hash;
}

static void bits_are_those_of_the_seed(void **state)
{
  (void)state;
  uint64_t hash = packed_hash(1, 3);
  assert_true(packed_hash(2, 3) == hash);
  assert_true(packed_hash(3, 3) == hash);
  assert_true(packed_hash(1, 4) != hash);
}

/* Walls, a body, particles that are there, clearance. */
static void what_is_there_is_left_alone(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    scene in = make_scene(dimension, false, 2.0, 1.0, 1.0, 1);
    floc_body_options fixed;
    floc_body_options_init(&fixed);
    int32_t number;
    assert_world_ok(in.world, floc_body_add(in.world, &fixed, &number));
    floc_shape ball;
    floc_shape_init(&ball);
    ball.kind = FLOC_SHAPE_SPHERE;
    ball.points[0][0] = 0.6;
    ball.points[0][1] = ball.points[0][2] = 0.5;
    if (dimension == 2) ball.points[0][2] = 0.0;
    ball.radius = 0.3;
    assert_world_ok(in.world, floc_body_add_shape(in.world, number, &ball));
    floc_particle_options large;
    floc_particle_options_init(&large);
    large.position[0] = 1.4;
    large.position[1] = 0.5;
    large.position[2] = dimension == 3 ? 0.5 : 0.0;
    large.radius = 0.25;
    assert_world_ok(in.world, floc_particle_add(in.world, &large, NULL));
    floc_insertion_options options = insertion_of(&in, 300, FLOC_PLACEMENT_DENSE);
    options.radius_upper = 1.4;
    options.volume_fraction = dimension == 2 ? 0.5 : 0.45; /* of all, with what the two take */
    options.clearance = 1e-3;
    assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
    look found = look_at(&in);
    assert_true(found.x[0][0] == 1.4 && found.x[1][0] == 0.5 && found.radius[0] == 0.25);
    assert_close(found.volume - (dimension == 2 ? PI / 16 : PI / 48), options.volume_fraction * box_volume(&in),
                 1e-11);
    assert_true(found.nearest * found.radius[0] > 0.0);
    for (int64_t i = 1; i < found.count; i++) {
      double radius = found.radius[i], square = 0.0;
      for (int axis = 0; axis < dimension; axis++) {
        double x = found.x[axis][i];
        assert_true(x >= radius * (1.0 - 1e-9) && x <= in.side[axis] - radius * (1.0 - 1e-9));
        square += pow(x - ball.points[0][axis], 2);
      }
      assert_true(sqrt(square) >= 0.3 + radius + 1e-3 - 1e-11);
    }
    floc_world_destroy(in.world);
  }
}

static void balls_are_filled(void **state)
{
  (void)state;
  scene in = make_scene(3, false, 2.0, 2.0, 2.0, 1);
  floc_insertion_options options = insertion_of(&in, 400, FLOC_PLACEMENT_DENSE);
  options.region_kind = FLOC_REGION_BALL;
  for (int axis = 0; axis < 3; axis++) options.region_center[axis] = 1.0;
  options.region_radius = 0.9;
  options.volume_fraction = 0.54;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  look found = look_at(&in);
  assert_close(found.volume, 0.54 * 4.0 / 3.0 * PI * 0.729, 1e-12);
  assert_true(found.nearest >= -1e-11);
  for (int64_t i = 0; i < found.count; i++) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) square += pow(found.x[axis][i] - 1.0, 2);
    assert_true(sqrt(square) + found.radius[i] <= 0.9 * (1.0 + 1e-11));
  }
  floc_world_destroy(in.world);
}

static void refuse_insertion(const scene *in, const floc_insertion_options *options, floc_status status,
                             const char *text)
{
  assert_int_equal(floc_particles_insert(in->world, options, NULL), status);
  if (!strstr(floc_world_message(in->world), text)) fail_msg("%s", floc_world_message(in->world));
  int64_t count;
  assert_world_ok(in->world, floc_particle_ids(in->world, NULL, NULL, &count));
  assert_int_equal(count, 0);
}

static floc_status everywhere(void *context, const double position[3], double radius, bool *inside)
{
  (void)context;
  (void)position;
  (void)radius;
  *inside = true;
  return FLOC_OK;
}

static floc_status nowhere(void *context, const double *center, double radius, bool *inside)
{
  (void)context;
  (void)center;
  (void)radius;
  *inside = false;
  return FLOC_OK;
}

static void too_much_is_refused_with_what_was_reached(void **state)
{
  (void)state;
  scene in = make_scene(3, true, 1.0, 1.0, 1.0, 1);
  floc_insertion_options options = insertion_of(&in, 200, FLOC_PLACEMENT_DENSE);
  options.volume_fraction = 0.72;
  assert_int_equal(floc_particles_insert(in.world, &options, NULL), FLOC_NO_ROOM);
  double reached = 0.0;
  assert_int_equal(sscanf(floc_world_message(in.world),
                          "200 spheres were to fill 0.7200 of the region's volume; the greatest fraction that was "
                          "reached without overlap is %lf",
                          &reached),
                   1);
  assert_true(reached > 0.6 && reached < 0.66);
  options.volume_fraction = reached - 0.01; /* which there is */
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  floc_world_destroy(in.world);

  in = make_scene(3, true, 1.0, 1.0, 1.0, 1);
  options.volume_fraction = 1.0;
  refuse_insertion(&in, &options, FLOC_INVALID_ARGUMENT, "volume_fraction is 1; it must be");
  options.volume_fraction = -0.1;
  refuse_insertion(&in, &options, FLOC_INVALID_ARGUMENT, "volume_fraction is -0.1; it must be");
  options.volume_fraction = 0.3;
  options.region_kind = FLOC_REGION_FUNCTION;
  options.region_function = nowhere;
  refuse_insertion(&in, &options, FLOC_NO_ROOM, "the region is empty: its function said no");
  options.region_kind = FLOC_REGION_BOX;
  options.volume_fraction = 0.0;
  options.radius_lower = 0.2;
  refuse_insertion(&in, &options, FLOC_NO_ROOM, "0 of 200 particles were added");
  options.count = INT64_MAX;
  options.volume_fraction = 0.3;
  refuse_insertion(&in, &options, FLOC_LIMIT_EXCEEDED, "count is 9223372036854775807");
  floc_world_destroy(in.world);
}

/* A function that says yes everywhere leaves the faces of its box. */
static void functions_may_allow_everything(void **state)
{
  (void)state;
  scene in = make_scene(2, false, 2.0, 1.0, 1.0, 2);
  floc_insertion_options options = insertion_of(&in, 200, FLOC_PLACEMENT_DENSE);
  options.volume_fraction = 0.8;
  options.region_kind = FLOC_REGION_FUNCTION;
  options.region_function = everywhere;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  double fraction;
  assert_world_ok(in.world, floc_measure(in.world, "volume_fraction", &fraction));
  assert_true(fabs(fraction - 0.8) < 1e-12);
  floc_world_destroy(in.world);
}

static void every_failing_allocation_takes_back(void **state)
{
  (void)state;
  bool done = false;
  for (int64_t refused = 1; !done; refused++) {
    failing_allocator counter = {.refused = 0};
    floc_world_options options;
    floc_world_options_init(&options);
    options.time_step = 1e-3;
    options.threads = 1;
    options.allocate = failing_allocate;
    options.allocate_context = &counter;
    for (int axis = 0; axis < 2; axis++) {
      options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
      options.domain_upper[axis] = 1.0;
    }
    scene in = {NULL, 2, true, {1.0, 1.0, 0.0}};
    assert_int_equal(floc_world_create(&options, &in.world), FLOC_OK);
    floc_insertion_options dense = insertion_of(&in, 30, FLOC_PLACEMENT_DENSE);
    dense.volume_fraction = 0.6;
    counter.calls = 0;
    counter.refused = refused;
    floc_status status = floc_particles_insert(in.world, &dense, NULL);
    done = counter.calls < refused;
    assert_int_equal(status, done ? FLOC_OK : FLOC_OUT_OF_MEMORY);
    int64_t count;
    assert_world_ok(in.world, floc_particle_ids(in.world, NULL, NULL, &count));
    assert_int_equal(count, done ? 30 : 0);
    floc_world_destroy(in.world);
    assert_int_equal(counter.bytes, 0);
  }
}

static int wants_the_end(void *context)
{
  return --*(int *)context < 0;
}

static void it_can_be_interrupted(void **state)
{
  (void)state;
  scene in = make_scene(3, true, 1.0, 1.0, 1.0, 1);
  floc_insertion_options options = insertion_of(&in, 300, FLOC_PLACEMENT_DENSE);
  options.volume_fraction = 0.63;
  int questions = 50;
  assert_world_ok(in.world, floc_world_set_interrupt(in.world, wants_the_end, &questions));
  refuse_insertion(&in, &options, FLOC_INTERRUPTED, "interrupted");
  floc_world_destroy(in.world);
}

/* ---- scaled radii elsewhere ---- */

static void a_volume_fraction_scales_radii_anywhere(void **state)
{
  (void)state;
  scene in = make_scene(2, false, 3.0, 1.0, 0.0, 1);
  floc_insertion_options options = insertion_of(&in, 200, FLOC_PLACEMENT_RANDOM);
  options.radius_upper = 2.0;
  options.volume_fraction = 0.35;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  look found = look_at(&in);
  assert_close(found.volume, 0.35 * 3.0, 1e-12);
  assert_true(found.nearest >= 0.0);
  floc_world_destroy(in.world);
}

/* ---- crystals ---- */

typedef struct crystal {
  int32_t placement, dimension;
  double period[3]; /* over the distance of neighbours */
  int32_t sites, neighbours;
  double fraction;
} crystal;

/* In periodic boxes of whole periods: each site once, without a seam, and the densities of the textbooks. */
static void crystals_have_no_seam(void **state)
{
  (void)state;
  const crystal crystals[] = {
      {FLOC_PLACEMENT_LATTICE, 2, {1, 1, 0}, 1, 4, PI / 4},
      {FLOC_PLACEMENT_TRIANGULAR, 2, {1, sqrt(3.0), 0}, 2, 6, PI / sqrt(12.0)},
      {FLOC_PLACEMENT_LATTICE, 3, {1, 1, 1}, 1, 6, PI / 6},
      {FLOC_PLACEMENT_BCC, 3, {2 / sqrt(3.0), 2 / sqrt(3.0), 2 / sqrt(3.0)}, 2, 8, PI * sqrt(3.0) / 8},
      {FLOC_PLACEMENT_FCC, 3, {sqrt(2.0), sqrt(2.0), sqrt(2.0)}, 4, 12, PI / sqrt(18.0)},
      {FLOC_PLACEMENT_HCP, 3, {1, sqrt(3.0), sqrt(8.0 / 3.0)}, 4, 12, PI / sqrt(18.0)},
  };
  for (size_t k = 0; k < sizeof crystals / sizeof *crystals; k++) {
    const crystal *c = &crystals[k];
    const double d = 0.02 * (double)(k + 3), *p = c->period;
    scene in = make_scene(c->dimension, true, 5 * d * p[0], 4 * d * p[1], 4 * d * p[2], 1);
    int64_t cells = c->dimension == 2 ? 20 : 80;
    floc_insertion_options options = insertion_of(&in, cells * c->sites, c->placement);
    options.radius_lower = 0.5 * d;
    assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
    look found = look_at(&in);
    assert_int_equal(found.count, cells * c->sites);
    assert_true(found.nearest >= -1e-9);
    assert_int_equal(found.touch, found.count * c->neighbours / 2);
    assert_close(found.volume / box_volume(&in), c->fraction, 1e-9);
    options.count = cells * c->sites + 1;
    assert_int_equal(floc_particles_insert(in.world, &options, NULL), FLOC_NO_ROOM);
    floc_world_destroy(in.world);
  }
}

/* Walls on all sides: the first site touches the lower corner, and all lie inside. */
static void crystals_begin_in_the_corner(void **state)
{
  (void)state;
  const int32_t placements[] = {FLOC_PLACEMENT_TRIANGULAR, FLOC_PLACEMENT_BCC, FLOC_PLACEMENT_HCP};
  for (int k = 0; k < 3; k++) {
    scene in = make_scene(k == 0 ? 2 : 3, false, 1.0, 1.1, 0.9, 1);
    floc_insertion_options options = insertion_of(&in, 20, placements[k]);
    options.radius_lower = 0.06;
    assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
    look found = look_at(&in);
    assert_true(found.nearest >= -1e-9);
    for (int axis = 0; axis < in.dimension; axis++) assert_close(found.x[axis][0], 0.06, 1e-12);
    for (int64_t i = 0; i < found.count; i++)
      for (int axis = 0; axis < in.dimension; axis++)
        assert_true(found.x[axis][i] >= 0.06 - 1e-9 && found.x[axis][i] <= in.side[axis] - 0.06 + 1e-9);
    floc_world_destroy(in.world);
  }
}

/* 20.7 spacings: through the face the last site would overlap the first. */
static void rows_that_do_not_fit_end_before_the_face(void **state)
{
  (void)state;
  scene in = make_scene(2, true, 20.7, 20.7, 0.0, 1);
  floc_insertion_options options = insertion_of(&in, 400, FLOC_PLACEMENT_LATTICE);
  options.radius_lower = 0.5;
  assert_world_ok(in.world, floc_particles_insert(in.world, &options, NULL));
  look found = look_at(&in);
  assert_true(found.nearest >= -1e-9);
  options.count = 1;
  assert_int_equal(floc_particles_insert(in.world, &options, NULL), FLOC_NO_ROOM);
  floc_world_destroy(in.world);
}

static void crystals_of_the_other_dimension_are_refused(void **state)
{
  (void)state;
  scene flat = make_scene(2, true, 1.0, 1.0, 0.0, 1), solid = make_scene(3, true, 1.0, 1.0, 1.0, 1);
  floc_insertion_options options = insertion_of(&flat, 10, FLOC_PLACEMENT_HCP);
  options.radius_lower = 0.01;
  refuse_insertion(&flat, &options, FLOC_INVALID_ARGUMENT,
                   "placement is hcp; in two dimensions it must be random, dense, lattice or triangular");
  options.placement = FLOC_PLACEMENT_BCC;
  refuse_insertion(&flat, &options, FLOC_INVALID_ARGUMENT, "placement is bcc; in two dimensions");
  options = insertion_of(&solid, 10, FLOC_PLACEMENT_TRIANGULAR);
  options.radius_lower = 0.01;
  refuse_insertion(
      &solid, &options, FLOC_INVALID_ARGUMENT,
      "placement is triangular; in three dimensions it must be random, dense, lattice, fcc, bcc or hcp");
  floc_world_destroy(flat.world);
  floc_world_destroy(solid.world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_are_packed_to_063),
      cmocka_unit_test(discs_of_many_sizes_are_packed_to_084),
      cmocka_unit_test(bits_are_those_of_the_seed),
      cmocka_unit_test(what_is_there_is_left_alone),
      cmocka_unit_test(balls_are_filled),
      cmocka_unit_test(too_much_is_refused_with_what_was_reached),
      cmocka_unit_test(functions_may_allow_everything),
      cmocka_unit_test(every_failing_allocation_takes_back),
      cmocka_unit_test(it_can_be_interrupted),
      cmocka_unit_test(a_volume_fraction_scales_radii_anywhere),
      cmocka_unit_test(crystals_have_no_seam),
      cmocka_unit_test(crystals_begin_in_the_corner),
      cmocka_unit_test(rows_that_do_not_fit_end_before_the_face),
      cmocka_unit_test(crystals_of_the_other_dimension_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
