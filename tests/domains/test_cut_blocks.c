/*
 * Contact problems with friction that are cut by patches (contacts/solvers/patch_units.h), with what may lie across
 * a brick: particles stand on a lattice whose lines are bricks' faces, so that centres, or points of contact, lie
 * exactly on faces, edges and corners, and friction, glue, rolling, assemblies, a free body, periodic faces and
 * removals are put there. Each against the run in one patch, and bit for bit over threads and after a resume in the
 * middle.
 *
 * Numbers of the lattice are powers of two: radius 1/16, so that the finest bricks are 1/4 wide and all others
 * 2^k/4.
 */
#include "support_world.h"

#include <stdio.h>

enum { ACROSS = 36, SPHERES_ACROSS = 10, STEPS = 4, PATCH = 100, REMOVED = 4 };
static const double RADIUS = 0.0625;
static const char path[] = "test_cut_blocks.floc";

typedef enum variant {
  FRICTION,
  CONVEX,
  GLUEY,
  ROLLING,
  ASSEMBLIES,
  FREE_BODY,
  PERIODIC,
  REMOVAL,
  SPACE,
  VARIANTS
} variant;

static const char *const name_of[VARIANTS] = {"friction",  "convex",   "gluey",   "rolling", "assemblies",
                                              "free body", "periodic", "removal", "space"};

static double noise_of(int k)
{
  double turn = 0.6180339887498949 * (double)(k + 1);
  return turn - floor(turn) - 0.5;
}

/* Of the lattice: where `k` stands. On faces are centres (half 0) or points of contact (half 1). */
static void place_of(variant kind, int half, int k, double position[3])
{
  const int across = kind == SPACE ? SPHERES_ACROSS : ACROSS;
  const int at[3] = {k % across, k / across % across, k / across / across};
  for (int axis = 0; axis < 3; axis++) position[axis] = 0.0;
  for (int axis = 0; axis < (kind == SPACE ? 3 : 2); axis++)
    position[axis] = 2.0 * RADIUS * (at[axis] - across / 2) + RADIUS * half;
}

static bool is_removed_for_body(const double position[3])
{
  return fabs(position[0]) < 3.5 * RADIUS && fabs(position[1]) < 3.5 * RADIUS;
}

/* They turn about 0, the corner of four bricks, go towards it, and each a little to the side: a crowd that closes
 * and rubs, with nothing around it. Where a cell is periodic they go along x, and together along y. */
static void add_lattice(floc_world *world, variant kind, int half)
{
  const int count = kind == SPACE ? SPHERES_ACROSS * SPHERES_ACROSS * SPHERES_ACROSS : ACROSS * ACROSS;
  for (int k = 0; k < count; k++) {
    floc_particle_options particle;
    floc_particle_options_init(&particle);
    place_of(kind, half, k, particle.position);
    if (kind == FREE_BODY && is_removed_for_body(particle.position)) continue;
    particle.radius = RADIUS;
    for (int axis = 0; axis < (kind == SPACE ? 3 : 2); axis++) {
      particle.velocity[axis] = 0.2 * noise_of(3 * k + axis) - 0.1 * particle.position[axis];
      if (kind == PERIODIC && axis == 0) particle.velocity[axis] = 0.1 + 0.2 * noise_of(3 * k);
    }
    if (kind != PERIODIC) {
      particle.velocity[0] -= 0.1 * particle.position[1];
      particle.velocity[1] += 0.1 * particle.position[0];
    }
    assert_world_ok(world, floc_particle_add(world, &particle, NULL));
  }
}

/* Squares of four around each crossing of every eighth line: faces go through their middle or along their contacts.
 */
static void add_assemblies(floc_world *world)
{
  for (int row = 3; row + 1 < ACROSS; row += 8)
    for (int column = 3; column + 1 < ACROSS; column += 8) {
      const int64_t first = (int64_t)row * ACROSS + column + 1,
                    ids[4] = {first, first + 1, first + ACROSS, first + ACROSS + 1};
      floc_assembly_options options;
      floc_assembly_options_init(&options);
      options.angular_velocity[2] = 0.5;
      assert_world_ok(world, floc_assembly_add(world, ids, 4, &options, NULL));
    }
}

/* A disc in the place of what stood about 0, the corner of four bricks of any size. */
static void add_free_body(floc_world *world)
{
  floc_body_options body;
  floc_body_options_init(&body);
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &body, &number));
  floc_shape disc;
  floc_shape_init(&disc);
  disc.kind = FLOC_SHAPE_SPHERE;
  disc.radius = 3.0 * RADIUS;
  assert_world_ok(world, floc_body_add_shape(world, number, &disc));
  floc_free_options options;
  floc_free_options_init(&options);
  options.axes = 1 + 2 + 32;
  options.mass = 9.0;
  options.velocity[0] = 0.2;
  assert_world_ok(world, floc_body_set_free(world, number, &options));
}

static floc_world *make_scene(variant kind, int half, int64_t patch_particles, int32_t threads)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = kind == SPACE ? 3 : 2;
  options.time_step = 0.01;
  options.threads = threads;
  options.patch_particles = patch_particles;
  if (kind == PERIODIC) {
    options.boundary[0] = FLOC_BOUNDARY_PERIODIC;
    options.domain_lower[0] = -ACROSS * RADIUS + (half - 1) * RADIUS;
    options.domain_upper[0] = options.domain_lower[0] + 2 * ACROSS * RADIUS;
  }
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("%s", options.message);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.4;
  projection.tolerance = kind == CONVEX ? 1e-9 : kind == SPACE ? 1e-5 : 1e-6;
  if (kind == CONVEX || kind == FREE_BODY) projection.friction_law = FLOC_FRICTION_LAW_CONVEX;
  if (kind == ROLLING) projection.rolling = 0.2 * RADIUS;
  if (kind == GLUEY) {
    projection.contact_law = FLOC_CONTACT_GLUEY;
    projection.gamma_min = -0.002;
  }
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  if (kind == FREE_BODY) add_free_body(world);
  add_lattice(world, kind, half);
  if (kind == ASSEMBLIES) add_assemblies(world);
  return world;
}

/* Those that stand about 0. */
static void remove_middle(floc_world *world)
{
  const int64_t first = (int64_t)(ACROSS / 2 - 1) * ACROSS + ACROSS / 2,
                ids[REMOVED] = {first, first + 1, first + ACROSS, first + ACROSS + 1};
  assert_world_ok(world, floc_particles_remove(world, ids, REMOVED));
}

/* Adds a velocity towards 0 to all, so that every step has a problem to solve. */
static void drive(floc_world *world)
{
  double *x, *v;
  int64_t count;
  for (int axis = 0; axis < 2; axis++) {
    assert_world_ok(world, floc_column(world, axis ? "y" : "x", &x, &count));
    assert_world_ok(world, floc_column(world, axis ? "vy" : "vx", &v, &count));
    for (int64_t i = 0; i < count; i++) v[i] -= 0.02 * x[i];
  }
}

static void run(floc_world *world, variant kind, int from, int to)
{
  for (int step = from; step < to; step++) {
    if (kind == REMOVAL && step == 2) remove_middle(world);
    if (kind != PERIODIC) drive(world);
    assert_world_ok(world, floc_world_step(world));
  }
  assert_int_equal(step_report(world).unconverged_steps, 0);
}

static double measured(floc_world *world, const char *measure)
{
  double value;
  assert_world_ok(world, floc_measure(world, measure, &value));
  return value;
}

typedef struct momentum {
  double sum[3], size; /* of m v, and of m |v| */
} momentum;

static momentum momentum_of(floc_world *world, variant kind)
{
  static const char *const name[3] = {"vx", "vy", "vz"};
  momentum all = {{0.0, 0.0, 0.0}, 0.0};
  double *mass, *v;
  int64_t count;
  for (int axis = 0; axis < (kind == SPACE ? 3 : 2); axis++) {
    assert_world_ok(world, floc_column(world, "mass", &mass, &count));
    assert_world_ok(world, floc_column(world, name[axis], &v, &count));
    for (int64_t i = 0; i < count; i++) {
      all.sum[axis] += mass[i] * v[i];
      all.size += mass[i] * fabs(v[i]);
    }
  }
  if (kind == FREE_BODY) {
    floc_body_state body = {.struct_size = sizeof body};
    assert_world_ok(world, floc_body_get_state(world, 0, &body));
    for (int axis = 0; axis < 2; axis++) all.sum[axis] += body.mass * body.velocity[axis];
  }
  return all;
}

/* Nothing but contacts acts. */
static void momentum_stays(void **state)
{
  (void)state;
  for (variant kind = 0; kind < VARIANTS; kind++) {
    floc_world *world = make_scene(kind, 0, PATCH, 1);
    if (kind == REMOVAL) remove_middle(world);
    const momentum before = momentum_of(world, kind);
    run_steps(world, 3);
    const momentum after = momentum_of(world, kind);
    for (int axis = 0; axis < 3; axis++)
      if (!(fabs(after.sum[axis] - before.sum[axis]) <= 1e-14 * before.size))
        fail_msg("%s: %g along %d, of %g", name_of[kind], after.sum[axis] - before.sum[axis], axis, before.size);
    floc_world_destroy(world);
  }
}

static void threads_and_resumes_have_the_same_bits(void **state)
{
  (void)state;
  static const int32_t threads[] = {2, 3, 8};
  for (variant kind = 0; kind < VARIANTS; kind++) {
    const int half = kind % 2;
    floc_world *one = make_scene(kind, half, PATCH, 1);
    run(one, kind, 0, STEPS / 2);
    assert_world_ok(one, floc_world_save(one, path, 1));
    run(one, kind, STEPS / 2, STEPS);
    for (int k = 0; k < (SLOWED ? 2 : 3); k++) { /* the whole run, and resumed ones */
      floc_world *other = make_scene(kind, half, PATCH, threads[k]);
      if (k > 0)
        assert_world_ok(other, floc_world_load(other, path));
      else
        run(other, kind, 0, STEPS / 2);
      run(other, kind, STEPS / 2, STEPS);
      if (world_hash(other) != world_hash(one)) fail_msg("%s: %d threads", name_of[kind], (int)threads[k]);
      floc_world_destroy(other);
    }
    floc_world_destroy(one);
  }
  remove(path);
}

static double greatest_difference(floc_world *one, floc_world *other)
{
  static const char *const name[3] = {"vx", "vy", "vz"};
  double greatest = 0.0, *v[2];
  int64_t count, slot;
  const int64_t *ids;
  assert_world_ok(one, floc_particle_ids(one, &ids, NULL, &count));
  for (int axis = 0; axis < 3; axis++) {
    assert_world_ok(other, floc_column(other, name[axis], &v[1], &count));
    assert_world_ok(one, floc_column(one, name[axis], &v[0], &count));
    for (int64_t i = 0; i < count; i++) {
      assert_world_ok(other, floc_particle_slot(other, ids[i], &slot));
      greatest = fmax(greatest, fabs(v[0][i] - v[1][slot]));
    }
  }
  return greatest;
}

/* Velocities are unique under the convex law alone: there they are the same to the tolerance, which is a velocity
 * of 1e-7. Coulomb's law has many solutions on a lattice, whose forces are not determined. */
static void another_cut_is_the_same_physics(void **state)
{
  (void)state;
  for (variant kind = 0; kind < VARIANTS; kind++)
    for (int half = 0; half < 2; half++) {
      if (SLOWED && half == (int)kind % 2) continue; /* that one is in the test of threads */
      floc_world *one = make_scene(kind, half, 0, 1), *cut = make_scene(kind, half, PATCH, 1);
      run(one, kind, 0, STEPS);
      run(cut, kind, 0, STEPS);
      const double energy = measured(cut, "kinetic_energy") / measured(one, "kinetic_energy") - 1.0,
                   difference = greatest_difference(one, cut);
      print_message("%s %d: velocities differ by %.1e, energies by %.1e\n", name_of[kind], half, difference,
                    energy);
      assert_true(world_hash(one) != world_hash(cut));
      assert_true(difference < (kind == CONVEX ? 1e-5 : 2e-2));
      assert_true(fabs(energy) < (kind == CONVEX ? 1e-7 : 3e-3));
      floc_world_destroy(one);
      floc_world_destroy(cut);
    }
}

/* They change for a stated reason alone. */
static void cuts_have_golden_hashes(void **state)
{
  (void)state;
  static const struct {
    int64_t patch_particles;
    uint64_t hash;
  } golden[] = {
      {0, 0x154c1b9064f44080}, {50, 0x201b9c6df2bdc915}, {100, 0x61c08fdf6226330a}, {300, 0xe775e1aeb1473f5b}};
  int changed = 0;
  for (int k = 0; k < 4; k++) {
    floc_world *world = make_scene(GLUEY, 0, golden[k].patch_particles, 2);
    run(world, GLUEY, 0, STEPS);
    if (world_hash(world) != golden[k].hash && ++changed)
      print_message("patches of %d: 0x%016llx\n", (int)golden[k].patch_particles,
                    (unsigned long long)world_hash(world));
    floc_world_destroy(world);
  }
  assert_int_equal(changed, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_stays),
      cmocka_unit_test(threads_and_resumes_have_the_same_bits),
      cmocka_unit_test(another_cut_is_the_same_physics),
      cmocka_unit_test(cuts_have_golden_hashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
