/*
 * Time stepping of ballistic aggregation: closed forms, and what must hold in every step of every variant:
 * links stay, linked particles touch, nothing overlaps by more than the tolerance, momentum is conserved
 * apart from walls, energy never grows, and in a closed box one cluster is left.
 */
#include "ballistic_variants.h"

static const double NOTHING[3] = {0, 0, 0};

/* ---- the laws, checked from outside by plain loops ---- */

typedef struct record { /* of the step before */
  int64_t links, reflections;
  int32_t *ends; /* [2 links] */
  double momentum[3], energy;
} record;

#define law(holds, ...)                                                                                            \
  do {                                                                                                             \
    if (!(holds)) {                                                                                                \
      char what_[700];                                                                                             \
      if (snprintf(what_, sizeof what_, __VA_ARGS__) < 0) what_[0] = 0;                                            \
      fail_msg("%s, step %d: %s: %s", name_of(where), (int)all->step, #holds, what_);                              \
    }                                                                                                              \
  } while (0)

/* Old links are still there, in their places; all links hold their particles together. */
static void check_links(rig *all, const situation *where, record *before)
{
  const int32_t *first, *second;
  int64_t links, stretched = 0;
  assert_int_equal(all->method.links(all->method.state, &first, &second, &links), FLOC_OK);
  law(links >= before->links, "%d links", (int)links);
  for (int64_t k = 0; k < before->links; k++)
    law(first[k] == before->ends[2 * k] && second[k] == before->ends[2 * k + 1], "link %d", (int)k);
  const double *radius = all->table.column[COLUMN_radius];
  double separation[3], tolerance = where->how->rigid ? 1e-9 : where->how->tolerance, worst = 0.0;
  for (int64_t k = 0; k < links; k++) {
    int32_t a = first[k], b = second[k];
    double gap = (rig_separation(all, a, b, separation) - radius[a] - radius[b]) / fmin(radius[a], radius[b]);
    stretched += gap > tolerance * (1 + 1e-6);
    worst = fmax(worst, -gap);
  }
  law(worst <= tolerance * (1 + 1e-6), "linked particles overlap by %g", worst);
  law(stretched <= counts(all).dropped, "%d links are stretched, %d dropped", (int)stretched,
      (int)counts(all).dropped);
  before->ends = realloc(before->ends, 2 * (size_t)links * sizeof *before->ends + 1);
  for (int64_t k = 0; k < links; k++) {
    before->ends[2 * k] = first[k];
    before->ends[2 * k + 1] = second[k];
  }
  before->links = links;
  law(rig_components(all) == counts(all).clusters, "%d clusters", (int)counts(all).clusters);
}

static void check_places(const rig *all, const situation *where)
{
  double tolerance = where->how->rigid ? 1e-9 : where->how->tolerance, worst = rig_worst_overlap(all);
  law(worst <= tolerance * (1 + 1e-6), "overlap %g", worst);
  if (where->boundary != FLOC_BOUNDARY_WALL) return;
  for (int axis = 0; axis < where->dimension; axis++) {
    for (int64_t k = 0; k < all->table.count; k++) {
      double x = all->table.column[COLUMN_x + axis][k], r = all->table.column[COLUMN_radius][k];
      double beyond = fmax(all->box.lower[axis] - x + r, x + r - all->box.upper[axis]);
      law(beyond <= 1e-9 * r, "particle %d is %g in a wall", (int)k, beyond);
    }
  }
}

static void check_motion(const rig *all, const situation *where, record *before)
{
  double momentum[3];
  rig_momentum(all, momentum);
  bool free = counts(all).reflections == before->reflections;
  for (int axis = 0; axis < 3; axis++) {
    law(!free || fabs(momentum[axis] - before->momentum[axis]) <= 1e-11, "momentum changed by %g",
        momentum[axis] - before->momentum[axis]);
    before->momentum[axis] = momentum[axis];
  }
  before->reflections = counts(all).reflections;
  /* a minimiser that moves members changes the inertia of a cluster whose angular momentum is kept */
  double slack = where->how->rotation ? 2.0 * where->how->tolerance : 1e-13;
  law(all->report.kinetic_energy <= before->energy * (1 + slack), "energy %.17g after %.17g",
      all->report.kinetic_energy, before->energy);
  before->energy = all->report.kinetic_energy;
}

/* Returns how many clusters are left. */
static int64_t obey(const situation *where, int steps)
{
  rig whole, *all = &whole;
  record before = {.energy = INFINITY};
  start(all, where);
  rig_momentum(all, before.momentum);
  for (int k = 0; k < steps && (k == 0 || counts(all).clusters > 1); k++) {
    floc_status status = rig_try_step(all, chosen_time_step(where));
    law(status == FLOC_OK, "%s", all->env.message);
    check_links(all, where, &before);
    check_places(all, where);
    check_motion(all, where, &before);
    law(counts(all).unsolved == 0, "%d links unsolved", (int)counts(all).unsolved);
  }
  int64_t clusters = counts(all).clusters;
  law(counts(all).merges + clusters == all->table.count, "%d merges", (int)counts(all).merges);
  free(before.ends);
  rig_free(all);
  return clusters;
}

static void laws_hold(const variant *how)
{
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
      for (int kind = 0; kind < 4; kind++) {
        situation where = {how, dimension, boundary, kind % 2 == 1, kind / 2 == 1, 1 + (uint64_t)kind};
        int steps = boundary == FLOC_BOUNDARY_OPEN ? 60 : 100000;
        int64_t clusters = obey(&where, steps);
        if (boundary != FLOC_BOUNDARY_OPEN && clusters != 1)
          fail_msg("%s: %d clusters are left", name_of(&where), (int)clusters);
      }
}

static void projection_keeps_the_laws(void **state)
{
  (void)state;
  for (int k = 0; k < VARIANTS; k++)
    if (!variants[k].rigid && variants[k].minimiser != FLOC_MINIMISER_ARROW_HURWICZ) laws_hold(&variants[k]);
}

static void arrow_hurwicz_keeps_the_laws(void **state)
{
  (void)state;
  for (int k = 0; k < VARIANTS; k++)
    if (variants[k].minimiser == FLOC_MINIMISER_ARROW_HURWICZ) laws_hold(&variants[k]);
}

static void rigid_clusters_keep_the_laws(void **state)
{
  (void)state;
  for (int k = 0; k < VARIANTS; k++)
    if (variants[k].rigid) laws_hold(&variants[k]);
}

/* ---- closed forms ---- */

/* (3.3): the step is a tenth of R / max|V|, or the world's where that is shorter. */
static void step_follows_the_fastest(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.1);
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){3, 4, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){9, 0, 0}, NOTHING, 0.25, 1.0);
  rig_step(&all, 1e3);
  assert_close(all.time, 0.1 * 0.25 / 5.0, 1e-17);
  rig_step(&all, 1e-3);
  assert_close(all.time, 0.006, 1e-17);
  assert_close(rig_value(&all, COLUMN_x, 1), 0.018, 1e-16);
  rig_free(&all);
}

/* Two that overlap by 0.2 at the end of a step are moved apart by the other's fraction of the mass, to contact. */
static void two_discs_meet_and_stick(void **state)
{
  (void)state;
  for (int32_t minimiser = 0; minimiser < 3; minimiser++) {
    rig all;
    floc_ballistic_options options = with_step(0.0);
    options.minimiser = minimiser;
    options.tolerance = 1e-9;
    rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
    use_ballistic(&all, &options);
    rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.5, 3.0);
    rig_add(&all, (double[3]){1.8, 0, 0}, (double[3]){0, 0.4, 0}, 0.5, 3.0);
    rig_step(&all, 1.0);
    double separation[3];
    assert_close(rig_separation(&all, 0, 1, separation), 1.0, 1e-8);
    assert_close(0.5 * (rig_value(&all, COLUMN_x, 1) + rig_value(&all, COLUMN_x, 2)), 1.4, 1e-8);
    for (int64_t id = 1; id <= 2; id++) {
      assert_close(rig_value(&all, COLUMN_vx, id), 0.5, 1e-15);
      assert_close(rig_value(&all, COLUMN_vy, id), 0.2, 1e-15);
    }
    assert_int_equal(counts(&all).links, 1);
    rig_free(&all);
  }
}

/* Rigid: contact at t = 0.8 exactly, then both continue at the mean velocity; a wall on the way. */
static void rigid_clusters_meet_at_the_time_of_impact(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.0);
  options.rigid = true;
  rig_init(&all, 2, FLOC_BOUNDARY_WALL, 10.0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){1, 5, 0}, (double[3]){1, 0, 0}, 0.5, 3.0);
  rig_add(&all, (double[3]){2.8, 5, 0}, NOTHING, 0.5, 1.0);
  rig_step(&all, 1.8); /* at 0.8: x = 1.8, 2.8; then 0.75 each for 1.0 */
  assert_close(rig_value(&all, COLUMN_x, 1), 2.55, 1e-14);
  assert_close(rig_value(&all, COLUMN_x, 2), 3.55, 1e-14);
  rig_step(&all, 10.0); /* the front is at 9.5 after 5.95 / 0.75 */
  assert_close(rig_value(&all, COLUMN_vx, 1), -0.75, 1e-15);
  assert_close(rig_value(&all, COLUMN_x, 2), 9.5 - 0.75 * (10.0 - 5.95 / 0.75), 1e-12);
  rig_free(&all);
}

/* A disc hits the end of another off centre: angular momentum about the common centre, and the angle of the pair
 * after that, in closed form. */
static void a_pair_turns(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.0);
  options.rotation = true;
  options.tolerance = 1e-12;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){0, 1, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){1 - 1e-13, 0.25, 0}, (double[3]){0, -1, 0}, 0.5, 1.0);
  rig_step(&all, 0.125); /* touch, side by side */
  assert_int_equal(counts(&all).clusters, 1);
  /* J = -2 m (R x V); I = 2 (m R^2 + m R^2 / 2) */
  double omega = -2.0 * 0.5 / (2.0 * (0.25 + 0.125));
  int32_t column = particles_find_column(&all.table, "angular_velocity_z");
  assert_close(all.table.column[column][0], omega, 1e-11);
  for (int k = 1; k <= 40; k++) {
    rig_step(&all, 0.05);
    double angle = omega * 0.05 * k;
    assert_close(rig_value(&all, COLUMN_x, 1), 0.5 - 0.5 * cos(angle), 1e-11);
    assert_close(rig_value(&all, COLUMN_y, 1), 0.125 - 0.5 * sin(angle), 1e-11);
    assert_close(rig_value(&all, COLUMN_vy, 2), 0.5 * omega * cos(angle), 1e-11);
  }
  rig_free(&all);
}

/* In space an unequal body tumbles; energy and angular momentum stay, and so they do after a pause in which the
 * state is built from the table again. */
static void free_rotation_keeps_energy_and_momentum(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.5);
  options.rotation = true;
  rig_init(&all, 3, FLOC_BOUNDARY_OPEN, 0);
  use_ballistic(&all, &options);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 2}, 0.5, 1.0);
  rig_add(&all, (double[3]){1, 0, 0}, (double[3]){-1, 3, 0}, 0.5, 2.0);
  rig_add(&all, (double[3]){1, 1, 0}, (double[3]){0, 1, -1}, 0.5, 0.5);
  rig_add(&all, (double[3]){1, 1, 1}, (double[3]){2, 0, 1}, 0.5, 1.5);
  double momentum[3], separation[3];
  rig_momentum(&all, momentum);
  rig_step(&all, 10.0);
  double energy = all.report.kinetic_energy;
  assert_int_equal(counts(&all).clusters, 1);
  for (int k = 0; k < 2000; k++) {
    if (k % 500 == 250) { /* a move of the whole: the state is built again */
      for (int slot = 0; slot < 4; slot++) all.table.column[COLUMN_x][slot] += 0.125;
    }
    rig_step(&all, 10.0);
    assert_close(all.report.kinetic_energy, energy, 1e-10 * energy);
    for (int axis = 0; axis < 3; axis++) {
      double sum = 0.0;
      for (int slot = 0; slot < 4; slot++)
        sum += all.table.column[COLUMN_mass][slot] * all.table.column[COLUMN_vx + axis][slot];
      assert_close(sum, momentum[axis], 1e-10);
    }
    for (int slot = 1; slot < 4; slot++) assert_close(rig_separation(&all, slot - 1, slot, separation), 1.0, 1e-10);
  }
  rig_free(&all);
}

/* A start that touches is one cluster; an overlapping one is put right. */
static void touching_particles_start_as_clusters(void **state)
{
  (void)state;
  rig all;
  floc_ballistic_options options = with_step(0.1);
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_ballistic(&all, &options);
  for (int k = 0; k < 4; k++)
    rig_add(&all, (double[3]){0.2 * k - 0.02 * (k == 3), 0, 0}, (double[3]){k, 0, 0}, 0.1, 1.0);
  rig_add(&all, (double[3]){5, 5, 0}, NOTHING, 0.1, 1.0);
  rig_step(&all, 1.0);
  assert_int_equal(counts(&all).clusters, 2);
  for (int64_t id = 1; id <= 4; id++) assert_close(rig_value(&all, COLUMN_vx, id), 1.5, 1e-15);
  assert_true(rig_worst_overlap(&all) <= 0.01);
  rig_free(&all);
}

/* A row from wall to wall is wedged, and a bar that turns against both walls comes back. */
static void wedged_clusters_stay_inside(void **state)
{
  (void)state;
  for (int turning = 0; turning < 2; turning++) {
    rig all;
    floc_ballistic_options options = with_step(0.2);
    options.rotation = turning;
    rig_init(&all, 2, FLOC_BOUNDARY_WALL, 2.0);
    use_ballistic(&all, &options);
    double radius = turning ? 0.245 : 0.25;
    for (int k = 0; k < 4; k++)
      rig_add(&all, (double[3]){radius + 2 * radius * k, 1, 0}, (double[3]){1, 0.1 + turning * k, 0}, radius, 1.0);
    double energy = INFINITY;
    for (int k = 0; k < 300; k++) {
      rig_step(&all, 1.0);
      for (int64_t id = 1; id <= 4; id++)
        for (int axis = 0; axis < 2; axis++) {
          double x = rig_value(&all, COLUMN_x + axis, id);
          assert_true(x >= radius - 1e-9 && x <= 2.0 - radius + 1e-9);
        }
      assert_true(all.report.kinetic_energy <= energy * (1 + 1e-9));
      energy = all.report.kinetic_energy;
    }
    rig_free(&all);
  }
}

/* ---- statistics ---- */

/* Shapes of the final cluster against the event-driven ones at N = 100: within the percentages of
 * examples/ballistic/README.md, plus three standard errors. The last bits are the same under sanitizers, so that
 * few seeds do. */
static void check_shapes(const floc_ballistic_options *options, double contact_part, double fractal_part)
{
  shape_statistics found = {0};
  const reference_row *reference = &reference_rows[2];
  for (uint64_t seed = 1; seed <= (SLOWED ? 12 : 60); seed++) {
    rig all;
    double value[SHAPE_COUNT];
    rig_init(&all, 2, FLOC_BOUNDARY_WALL, (double)reference->side);
    use_ballistic(&all, options);
    double radius = rig_lattice(&all, reference->side, reference->volume_fraction, seed);
    while (counts(&all).clusters != 1) rig_step(&all, 1e9);
    measure_shape(&all, radius, value);
    add_shape(&found, value);
    rig_free(&all);
  }
  finish_statistics(&found);
  const double part[2] = {contact_part, fractal_part};
  for (int k = 0; k <= FRACTAL_DIMENSION; k++) {
    double expected = reference->value.mean[k], error = 3.0 * hypot(found.error[k], reference->value.error[k]);
    if (!(fabs(found.mean[k] - expected) <= part[k] * expected + error))
      fail_msg("%s is %g +- %g, event-driven %g", shape_names[k], found.mean[k], found.error[k], expected);
  }
}

static void shapes_approach_the_event_driven_ones(void **state)
{
  (void)state;
  floc_ballistic_options options = with_step(1.0);
  check_shapes(&options, 0.10, 0.02);
  options.rigid = true;
  check_shapes(&options, 0.003, 0.004);
  options = with_step(0.1);
  check_shapes(&options, 0.02, 0.01);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_follows_the_fastest),
      cmocka_unit_test(two_discs_meet_and_stick),
      cmocka_unit_test(rigid_clusters_meet_at_the_time_of_impact),
      cmocka_unit_test(a_pair_turns),
      cmocka_unit_test(free_rotation_keeps_energy_and_momentum),
      cmocka_unit_test(touching_particles_start_as_clusters),
      cmocka_unit_test(wedged_clusters_stay_inside),
      cmocka_unit_test(projection_keeps_the_laws),
      cmocka_unit_test(arrow_hurwicz_keeps_the_laws),
      cmocka_unit_test(rigid_clusters_keep_the_laws),
      cmocka_unit_test(shapes_approach_the_event_driven_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
