/*
 * A periodic box that moves (engine/world_cell.c), in the plane and in space: affine motion against closed forms,
 * images against a box that is shifted, held pressures, states that continue bit for bit, and what is refused.
 */
#include "support_world.h"

#include "base/domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double LENGTH = 10.0;

typedef struct set_up {
  int32_t dimension, threads;
  double time_step, friction;
} set_up;

static floc_status choose_elements(floc_world *world, double friction)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.stiffness = 1e4;
  options.damping = 20.0;
  options.rotation = friction > 0.0;
  if (friction > 0.0) {
    options.friction = FLOC_FRICTION_SPRING;
    options.friction_stiffness = 5e3;
    options.friction_static = options.friction_dynamic = friction;
  }
  return floc_world_set_discrete_element(world, &options);
}

static floc_world *make_cell(const set_up *wanted)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = wanted->dimension;
  options.time_step = wanted->time_step;
  options.threads = wanted->threads;
  for (int axis = 0; axis < wanted->dimension; axis++) {
    options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    options.domain_lower[axis] = 1.0 + axis;
    options.domain_upper[axis] = 1.0 + axis + LENGTH;
  }
  floc_world *world = NULL;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  assert_world_ok(world, choose_elements(world, wanted->friction));
  return world;
}

static void deform(floc_world *world, double shear_rate, const double rate[3])
{
  floc_deform_options options;
  floc_deform_options_init(&options);
  options.shear_rate = shear_rate;
  for (int axis = 0; axis < 3; axis++) options.rate[axis] = rate[axis];
  assert_world_ok(world, floc_world_deform(world, &options));
}

static void steps(floc_world *world, int count)
{
  for (int k = 0; k < count; k++) assert_world_ok(world, floc_world_step(world));
}

static double *column(floc_world *world, const char *name)
{
  double *values;
  int64_t count;
  assert_world_ok(world, floc_column(world, name, &values, &count));
  return values;
}

static floc_cell cell_of(floc_world *world)
{
  floc_cell cell = {.struct_size = sizeof cell};
  assert_int_equal(floc_world_get_cell(world, &cell), FLOC_OK);
  return cell;
}

static void fill(floc_world *world, int32_t dimension, int64_t count, double radius)
{
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = count;
  options.radius_lower = options.radius_upper = radius;
  for (int axis = 0; axis < dimension; axis++) {
    options.region_lower[axis] = 1.0 + axis + radius;
    options.region_upper[axis] = 1.0 + axis + LENGTH - radius;
  }
  int64_t first;
  assert_world_ok(world, floc_particles_insert(world, &options, &first));
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

/* ---- motion ---- */

/* A particle with a velocity of its own, c, in simple shear: x = x0 + (c_x + g y0) t + g c_y t^2/2, y = y0 + c_y t
 * about the middle, whatever faces it goes through. */
static void a_particle_flies_straight(void **state)
{
  (void)state;
  const double g = 0.7, c[3] = {0.3, 1.9, -0.4}, start[3] = {2.0, -1.5, 0.5}, h = 1e-3;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *world = make_cell(&(set_up){dimension, 1, h, 0.0});
    floc_particle_options options;
    floc_particle_options_init(&options);
    options.radius = 0.1;
    for (int axis = 0; axis < dimension; axis++) {
      options.position[axis] = start[axis] + 1.0 + axis + 0.5 * LENGTH;
      options.velocity[axis] = c[axis];
    }
    int64_t id;
    assert_world_ok(world, floc_particle_add(world, &options, &id));
    deform(world, g, (const double[3]){0.0, 0.0, 0.0});
    const int count = 20000; /* the box is sheared by 14 and crossed four times */
    steps(world, count);
    const double t = count * h, y = start[1] + c[1] * t, x = start[0] + (c[0] + g * start[1]) * t;
    const double turns = rint(y / LENGTH), offset = turns * g * LENGTH * t;
    const double here = x - offset - LENGTH * rint((x - offset) / LENGTH) + 1.0 + 0.5 * LENGTH;
    /* the lattice vector's shift and the velocity's: the particle's own velocity is c_x + g y0 in the laboratory as
     * long as no force acts, seen from images that move with -g LENGTH a turn */
    assert_true(fabs(column(world, "y")[0] - (y - turns * LENGTH + 2.0 + 0.5 * LENGTH)) < 1e-9);
    assert_true(fabs(column(world, "x")[0] - here) < 1e-8);
    assert_true(fabs(column(world, "vx")[0] - (c[0] + g * start[1] - turns * g * LENGTH)) < 1e-10);
    assert_true(fabs(column(world, "vy")[0] - c[1]) < 1e-12);
    const floc_cell cell = cell_of(world);
    assert_true(fabs(cell.offset) <= 0.5 * LENGTH * (1.0 + 1e-12));
    assert_true(fabs(cell.shear_strain - g * t) < 1e-9);
    assert_true(fabs(cell.offset - (g * t * LENGTH - LENGTH * rint(g * t))) < 1e-7);
    floc_world_destroy(world);
  }
}

/* Without velocities of their own particles stay where they are in the lattice; lengths are L0 (1 + h e)^n. */
static void particles_move_as_the_box_does(void **state)
{
  (void)state;
  const double h = 1e-3, given[3] = {-0.05, 0.08, 0.02};
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    const double rate[3] = {given[0], given[1], dimension == 3 ? given[2] : 0.0};
    floc_world *world = make_cell(&(set_up){dimension, 1, h, 0.0});
    fill(world, dimension, 40, 0.01);
    double before[40][3], after[3];
    domain box = {.dimension = dimension};
    for (int axis = 0; axis < dimension; axis++) {
      box.lower[axis] = 1.0 + axis;
      box.upper[axis] = 1.0 + axis + LENGTH;
      box.length[axis] = LENGTH;
    }
    const double *x[3] = {column(world, "x"), column(world, "y"), column(world, "z")};
    for (int i = 0; i < 40; i++) domain_fraction(&box, (const double[3]){x[0][i], x[1][i], x[2][i]}, before[i]);
    deform(world, 0.3, rate);
    const int count = 3000;
    steps(world, count);
    const floc_cell cell = cell_of(world);
    for (int axis = 0; axis < dimension; axis++) {
      const double length = LENGTH * pow(1.0 + h * rate[axis], count);
      assert_true(fabs(cell.upper[axis] - cell.lower[axis] - length) < 1e-9);
      assert_true(fabs(cell.upper[axis] + cell.lower[axis] - 2.0 * (1.0 + axis) - LENGTH) < 1e-9);
      assert_true(fabs(cell.strain[axis] - log(length / LENGTH)) < 1e-9);
      box.lower[axis] = cell.lower[axis];
      box.upper[axis] = cell.upper[axis];
      box.length[axis] = box.upper[axis] - box.lower[axis];
    }
    box.tilt = cell.offset;
    const double *now[3] = {column(world, "x"), column(world, "y"), column(world, "z")};
    for (int i = 0; i < 40; i++) {
      domain_fraction(&box, (const double[3]){now[0][i], now[1][i], now[2][i]}, after);
      for (int axis = 0; axis < dimension; axis++) { /* bricks: whole lattice vectors apart */
        if (axis > 0) assert_true(fabs(after[axis] - before[i][axis]) < 1e-9);
      }
      /* the tilt may have been taken by other vectors: along x the difference is a multiple of the fraction along y
       */
      const double flips = 3.0;
      const double moved = after[0] - before[i][0];
      double least = INFINITY;
      for (double k = -flips - 1.0; k <= flips + 1.0; k++)
        least = fmin(least, fabs(moved - k * before[i][1] - rint(moved - k * before[i][1])));
      assert_true(least < 1e-6);
    }
    deform(world, 0.0, (const double[3]){0.0, 0.0, 0.0}); /* it stops, and so do they */
    steps(world, 1);
    double greatest = 0.0;
    for (int i = 0; i < 40; i++)
      greatest = fmax(greatest, fabs(column(world, "vx")[i]) + fabs(column(world, "vy")[i]));
    assert_true(greatest < 1e-9);
    floc_world_destroy(world);
  }
}

/* ---- images ---- */

/* All particles shifted by the same way, with the flow of the places where they come: the same system, cut by other
 * faces. The stress after many collisions is the same but for rounding. */
static void nothing_knows_where_the_faces_are(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double found[2][9];
    for (int k = 0; k < 2; k++) {
      floc_world *world = make_cell(&(set_up){dimension, 1, 1e-3, 0.3});
      const int64_t count = dimension == 2 ? 45 : 120;
      const double g = 0.8, shift[3] = {3.3, 4.1, -2.7};
      fill(world, dimension, count, dimension == 2 ? 0.5 : 0.7);
      for (int64_t i = 0; i < count; i++) { /* in the flow's own frame the same velocities in both */
        column(world, "vx")[i] = sin(3.0 * (double)i);
        column(world, "vy")[i] = cos(5.0 * (double)i);
      }
      if (k == 1)
        for (int axis = 0; axis < dimension; axis++) {
          double *x = column(world, axis == 0 ? "x" : axis == 1 ? "y" : "z"), lower = 1.0 + axis;
          for (int64_t i = 0; i < count; i++) {
            x[i] += shift[axis];
            x[i] -= LENGTH * floor((x[i] - lower) / LENGTH);
          }
        }
      deform(world, g, dimension == 2 ? (const double[3]){-1.2, -1.2, 0.0} : (const double[3]){-0.8, -0.8, -0.8});
      steps(world, 300);
      floc_stress stress = {.struct_size = sizeof stress};
      floc_stress_options options;
      floc_stress_options_init(&options);
      assert_world_ok(world, floc_measure_stress(world, &options, &stress));
      assert_true(stress.contact_count > 5);
      memcpy(found[k], stress.tensor, sizeof found[k]);
      const floc_cell cell = cell_of(world); /* the same by another way: summed up in the step */
      for (int c = 0; c < 9; c++)
        assert_true(fabs(cell.stress[c] - stress.tensor[c]) < 0.05 * stress.pressure + 1e-12);
      floc_world_destroy(world);
    }
    for (int c = 0; c < 9; c++)
      if (!(fabs(found[0][c] - found[1][c]) < 1e-7 * fabs(found[0][0])))
        fail_msg("dimension %d, component %d: %.17g and %.17g", dimension, c, found[0][c], found[1][c]);
  }
}

/* All pairs within a range, by the engine and by trying nine images of each pair, at many offsets. */
static int64_t count_pairs(floc_world *world, int64_t count, double range)
{
  const floc_cell cell = cell_of(world);
  const double *x = column(world, "x"), *y = column(world, "y");
  const double width = cell.upper[0] - cell.lower[0], height = cell.upper[1] - cell.lower[1];
  int64_t found = 0;
  for (int64_t i = 0; i < count; i++)
    for (int64_t j = i + 1; j < count; j++) {
      double least = INFINITY;
      for (int a = -2; a <= 2; a++)
        for (int b = -1; b <= 1; b++)
          least = fmin(least, hypot(x[j] - x[i] + a * width + b * cell.offset, y[j] - y[i] + b * height));
      found += least <= range;
    }
  return found;
}

static void all_pairs_are_found_at_every_offset(void **state)
{
  (void)state;
  enum { COUNT = 300 };
  for (int k = 0; k <= 12; k++) {
    floc_world *world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
    fill(world, 2, COUNT, 0.05);
    deform(world, k == 12 ? 1.0001 : k / 12.0, (const double[3]){0.0, 0.0, 0.0});
    steps(world, 500);
    deform(world, k == 12 ? 1.0001 : k / 12.0, (const double[3]){0.0, 0.0, 0.0});
    steps(world, 500);
    for (double range = 0.3; range < 4.0; range *= 1.7) {
      floc_pairs_options options;
      floc_pairs_options_init(&options);
      options.by = FLOC_NEIGHBORS_CENTERS;
      options.range = range;
      static const char *const name[] = {"distance"};
      int64_t found = 0;
      assert_world_ok(world, floc_world_get_pairs(world, &options, name, 1, NULL, 0, 0, &found));
      assert_int_equal(found, count_pairs(world, COUNT, range));
      assert_true(found > 20);
    }
    floc_world_destroy(world);
  }
}

/* ---- held pressures ---- */

static void the_mean_of_a_held_pressure_is_exact(void **state)
{
  (void)state;
  floc_world *world = make_cell(&(set_up){2, 1, 1e-3, 0.3});
  fill(world, 2, 60, 0.45);
  floc_deform_options options;
  floc_deform_options_init(&options);
  options.shear_rate = 0.2;
  options.pressure = 20.0;
  options.relaxation_time = 10.0;
  assert_world_ok(world, floc_world_deform(world, &options));
  steps(world, 15000);
  double sum = 0.0, shear = 0.0;
  const floc_cell before = cell_of(world);
  enum { COUNT = 40000 };
  for (int k = 0; k < COUNT; k++) {
    steps(world, 1);
    const floc_cell cell = cell_of(world);
    sum += cell.pressure;
    shear -= cell.stress[1];
  }
  const floc_cell after = cell_of(world);
  const double deviation = sum / COUNT / 20.0 - 1.0;
  /* what the control itself says of it */
  const double wanted = 10.0 * (after.strain[0] - before.strain[0]) / (COUNT * 1e-3);
  if (!(fabs(deviation) < 0.005)) fail_msg("the pressure deviates by %g", deviation);
  assert_true(fabs(deviation - wanted) < 1e-3);
  assert_true(shear > 0.1 * sum);
  floc_world_destroy(world);
}

static void stresses_are_held_axis_by_axis(void **state)
{
  (void)state;
  floc_world *world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
  fill(world, 2, 60, 0.45);
  floc_deform_options options;
  floc_deform_options_init(&options);
  options.stress[0] = 20.0;
  options.stress[1] = 22.0;
  options.relaxation_time = 10.0;
  assert_world_ok(world, floc_world_deform(world, &options));
  steps(world, 60000);
  const floc_cell cell = cell_of(world);
  assert_true(fabs(cell.stress[0] / 20.0 - 1.0) < 0.02);
  assert_true(fabs(cell.stress[4] / 22.0 - 1.0) < 0.02);
  floc_world_destroy(world);
}

/* ---- states ---- */

static int64_t lists_of(floc_world *world)
{
  floc_step_report report = {.struct_size = sizeof report};
  assert_int_equal(floc_world_get_report(world, &report), FLOC_OK);
  return report.lists;
}

static floc_world *sheared(int32_t threads)
{
  floc_world *world = make_cell(&(set_up){2, threads, 1e-3, 0.3});
  floc_deform_options options;
  floc_deform_options_init(&options);
  options.shear_rate = 0.7;
  options.pressure = 20.0;
  options.relaxation_time = 10.0;
  assert_world_ok(world, floc_world_deform(world, &options));
  return world;
}

static void a_run_goes_on_bit_for_bit(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-cell-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  uint64_t reference = 0;
  for (int32_t threads = 1; threads <= 3; threads++) {
    floc_world *world = sheared(threads);
    fill(world, 2, 60, 0.45);
    for (int k = 0; k < 7; k++) {
      steps(world, 333);
      unlink(path);
      assert_world_ok(world, floc_world_save(world, path, 1));
      floc_world *resumed = sheared(1);
      assert_world_ok(resumed, floc_world_load(resumed, path));
      assert_int_equal(hash_of(resumed), hash_of(world));
      const int64_t lists = lists_of(world);
      steps(resumed, 333);
      floc_world *other =
          make_cell(&(set_up){2, 2, 1e-3, 0.3}); /* that was told nothing: all comes with the file */
      assert_world_ok(other, floc_world_load(other, path));
      steps(other, 333);
      steps(world, 333);
      assert_int_equal(lists_of(resumed), lists_of(world) - lists); /* built in the same steps */
      assert_int_equal(hash_of(resumed), hash_of(world));
      assert_int_equal(hash_of(other), hash_of(world));
      floc_world_destroy(resumed);
      floc_world_destroy(other);
    }
    const uint64_t hash = hash_of(world);
    if (threads > 1) assert_int_equal(hash, reference);
    reference = hash;
    floc_world_destroy(world);
  }
  unlink(path);
}

/* A file of a box that never moved puts a box back that has. */
static void a_file_without_a_cell_makes_the_box_as_it_was(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-cell-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  floc_world *still = make_cell(&(set_up){2, 1, 1e-3, 0.3});
  fill(still, 2, 60, 0.45);
  steps(still, 5);
  unlink(path);
  assert_world_ok(still, floc_world_save(still, path, 1));
  floc_world *world = sheared(1);
  fill(world, 2, 60, 0.45);
  steps(world, 200);
  assert_world_ok(world, floc_world_load(world, path));
  const floc_cell cell = cell_of(world);
  assert_true(cell.offset == 0.0 && cell.shear_rate == 0.0 && cell.lower[0] == 1.0 &&
              cell.upper[0] == 1.0 + LENGTH);
  assert_int_equal(hash_of(world), hash_of(still));
  steps(world, 50);
  steps(still, 50);
  assert_int_equal(hash_of(world), hash_of(still));
  floc_world_destroy(still);
  floc_world_destroy(world);
  unlink(path);
}

/* A step that is refused leaves the box and velocities as they were. */
static void a_step_that_fails_changes_nothing(void **state)
{
  (void)state;
  floc_world *world = sheared(1);
  fill(world, 2, 60, 0.45);
  steps(world, 20);
  double *vx = column(world, "vx");
  const double kept = vx[3];
  const uint64_t hash = hash_of(world);
  column(world, "vx")[3] = 1e80;
  const floc_cell before = cell_of(world);
  assert_int_not_equal(floc_world_step(world), FLOC_OK);
  const floc_cell after = cell_of(world);
  assert_memory_equal(before.stress, after.stress, sizeof before.stress);
  assert_true(before.offset == after.offset && before.upper[1] == after.upper[1]);
  column(world, "vx")[3] = kept;
  assert_int_equal(hash_of(world), hash);
  floc_world_destroy(world);
}

/* ---- refusals ---- */

static void assert_refused(floc_world *world, const floc_deform_options *options, floc_status wanted,
                           const char *text)
{
  const floc_status status = floc_world_deform(world, options);
  if (status != wanted || !strstr(floc_world_message(world), text))
    fail_msg("status %d, \"%s\"; expected \"%s\"", status, floc_world_message(world), text);
}

static void wrong_numbers_are_refused_by_name(void **state)
{
  (void)state;
  floc_world *world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
  floc_deform_options none, options;
  floc_deform_options_init(&none);
  assert_world_ok(world, floc_world_deform(world, &none));
#define REFUSED(text, ...)                                                                                         \
  do {                                                                                                             \
    options = none;                                                                                                \
    __VA_ARGS__;                                                                                                   \
    assert_refused(world, &options, FLOC_INVALID_ARGUMENT, text);                                                  \
  } while (0)
  REFUSED("rate[0] is nan", options.rate[0] = NAN);
  REFUSED("rate[2] is 1; it must be 0, because the axis z is not periodic", options.rate[2] = 1.0);
  REFUSED("stress[1] is -1", options.stress[1] = -1.0);
  REFUSED("shear_rate is inf", options.shear_rate = INFINITY);
  REFUSED("pressure is -1", options.pressure = -1.0);
  REFUSED("relaxation_time is 0; it must be above 0", options.pressure = 1.0);
  REFUSED("relaxation_time is 1; it has no effect", options.relaxation_time = 1.0);
  REFUSED("pressure is 1 and stress[1] is 1", options.pressure = options.stress[1] = options.relaxation_time = 1.0);
  REFUSED("rate[1] is 1 and stress[1] is 1", options.rate[1] = options.stress[1] = options.relaxation_time = 1.0);
  floc_world_destroy(world);
  world = make_world(2, 0.01, 0.0, 1);
  assert_world_ok(world, choose_elements(world, 0.0));
  REFUSED("shear_rate is 1; it must be 0, because the axis x is not periodic", options.shear_rate = 1.0);
  REFUSED("pressure is 1; it must be 0, because no axis is periodic",
          options.pressure = options.relaxation_time = 1.0);
  floc_world_destroy(world);
}

static void add_floor(floc_world *world)
{
  floc_body_options body;
  floc_shape floor;
  int32_t number;
  floc_body_options_init(&body);
  floc_shape_init(&floor);
  floor.kind = FLOC_SHAPE_PLANE;
  floor.points[0][1] = 1.0;
  floor.points[1][1] = 1.0;
  assert_world_ok(world, floc_body_add(world, &body, &number));
  assert_world_ok(world, floc_body_add_shape(world, number, &floor));
}

static void what_cannot_be_in_it_is_refused_in_either_order(void **state)
{
  (void)state;
  floc_deform_options options;
  floc_deform_options_init(&options);
  options.shear_rate = 1.0;
  floc_world *world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
  add_floor(world);
  assert_refused(world, &options, FLOC_NOT_SUPPORTED,
                 "is not the same at every place along the axis y, which deforms");
  floc_world_destroy(world);
  world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
  assert_world_ok(world, floc_world_deform(world, &options));
  add_floor(world);
  assert_int_equal(floc_world_step(world), FLOC_NOT_SUPPORTED);
  assert_non_null(
      strstr(floc_world_message(world), "is not the same at every place along the axis y, which deforms"));
  floc_world_destroy(world);
  world = make_cell(&(set_up){2, 1, 1e-3, 0.0});
  floc_discrete_element_options element;
  floc_discrete_element_options_init(&element);
  assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  assert_refused(world, &options, FLOC_NOT_SUPPORTED, "the trapezoidal rule is not supported in it");
  floc_world_destroy(world);
  world = make_cell(&(set_up){2, 1, 1.0, 0.0});
  assert_world_ok(world, floc_world_deform(world, &options));
  fill(world, 2, 5, 0.1);
  assert_int_equal(floc_world_step(world), FLOC_LIMIT_EXCEEDED);
  assert_non_null(strstr(floc_world_message(world), "the cell would deform by 1 in step 1; the limit is 0.1"));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_particle_flies_straight),
      cmocka_unit_test(particles_move_as_the_box_does),
      cmocka_unit_test(nothing_knows_where_the_faces_are),
      cmocka_unit_test(all_pairs_are_found_at_every_offset),
      cmocka_unit_test(the_mean_of_a_held_pressure_is_exact),
      cmocka_unit_test(stresses_are_held_axis_by_axis),
      cmocka_unit_test(a_run_goes_on_bit_for_bit),
      cmocka_unit_test(a_file_without_a_cell_makes_the_box_as_it_was),
      cmocka_unit_test(a_step_that_fails_changes_nothing),
      cmocka_unit_test(wrong_numbers_are_refused_by_name),
      cmocka_unit_test(what_cannot_be_in_it_is_refused_in_either_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
