/*
 * The event-driven scheme against closed forms, against a plain reference that looks at all pairs, and
 * against itself: checkpoints, reordered storage, failing memory.
 */
#include "ballistic_statistics.h"

static const double NOTHING[3] = {0, 0, 0};

static void use_event_driven(rig *all, const floc_event_driven_options *options)
{
  assert_ok(&all->env, event_driven_create(&all->env, &all->table, all->box.dimension, options, &all->method));
}

static floc_event_driven_report counts(const rig *all)
{
  floc_event_driven_report report;
  event_driven_get_report(all->method.state, &report);
  return report;
}

/* ---- closed forms ---- */

/* Surfaces are 1.5 apart and close at speed 3: contact at t = 0.5; then both continue at the mean. */
static void two_discs_meet_and_stick(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_event_driven(&all, NULL);
  rig_add(&all, (double[3]){-1, 0, 0}, (double[3]){2, 0, 0}, 0.25, 1.0);
  rig_add(&all, (double[3]){1, 0, 0}, (double[3]){-1, 0.5, 0}, 0.25, 2.0);
  rig_step(&all, 0.1); /* nothing happens yet */
  assert_close(rig_value(&all, COLUMN_x, 1), -0.8, 1e-15);
  rig_step(&all, 100.0); /* ends where one cluster is left */
  double side = (all.time * 0.5), gap = 2.0 - 3.0 * all.time;
  assert_close(gap * gap + side * side, 0.25, 1e-14);
  assert_close(rig_value(&all, COLUMN_vx, 1), 0.0, 1e-15);
  assert_close(rig_value(&all, COLUMN_vy, 1), 1.0 / 3.0, 1e-15);
  assert_close(rig_value(&all, COLUMN_vy, 2), 1.0 / 3.0, 1e-15);
  double before = all.time, y = rig_value(&all, COLUMN_y, 2);
  rig_step(&all, 3.0); /* a single cluster flies on */
  assert_close(all.time - before, 3.0, 1e-14);
  assert_close(rig_value(&all, COLUMN_y, 2), y + 1.0, 1e-14);
  assert_int_equal(counts(&all).links, 1);
  assert_int_equal(counts(&all).clusters, 1);
  rig_free(&all);
}

/* A pair that stuck is reflected as a whole when its foremost member reaches the wall, in 3-D too. */
static void clusters_are_reflected_as_a_whole(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 3, FLOC_BOUNDARY_WALL, 10.0);
  use_event_driven(&all, NULL);
  rig_add(&all, (double[3]){2, 5, 5}, (double[3]){1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){4, 5, 5}, (double[3]){0, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){5, 1, 1}, (double[3]){0, 0, 0}, 0.5, 1.0); /* never hit */
  rig_step(&all, 20.0);
  /* contact at t = 1 with x = 3, 4; then 1/2: the front reaches 10 at t = 1 + (9.5 - 4) / 0.5 = 12 */
  assert_close(rig_value(&all, COLUMN_vx, 1), -0.5, 1e-15);
  assert_close(rig_value(&all, COLUMN_x, 2), 9.5 - 0.5 * 8.0, 1e-12);
  assert_close(rig_value(&all, COLUMN_x, 1), 8.5 - 0.5 * 8.0, 1e-12);
  assert_int_equal(counts(&all).reflections, 1);
  assert_int_equal(counts(&all).clusters, 2);
  rig_free(&all);
}

/* Through the periodic face. */
static void periodic_neighbours_meet(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_PERIODIC, 10.0);
  use_event_driven(&all, NULL);
  rig_add(&all, (double[3]){1, 5, 0}, (double[3]){-1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){9, 5, 0}, (double[3]){0, 0, 0}, 0.5, 1.0);
  rig_step(&all, 50.0);
  assert_close(all.time, 1.0, 1e-14); /* from 1 to 0 = 10, where 9 + 1 touches */
  assert_close(rig_value(&all, COLUMN_vx, 2), -0.5, 1e-15);
  rig_step(&all, 100.0);
  assert_true(rig_value(&all, COLUMN_x, 1) >= 0.0 && rig_value(&all, COLUMN_x, 1) < 10.0);
  double separation[3];
  assert_close(rig_separation(&all, 0, 1, separation), 1.0, 1e-12);
  rig_free(&all);
}

/* (2.6): V_i' = V_i - (1 + e) m_j / (m_i + m_j) ((V_i - V_j) . n) n, with e reduced by adhesion. */
static void fast_collisions_bounce(void **state)
{
  (void)state;
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.restitution = 0.8;
  options.sticking_speed = 0.6;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_event_driven(&all, &options);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.5, 3.0);
  rig_add(&all, (double[3]){2, 0, 0}, (double[3]){0, 0.0, 0}, 0.5, 1.0);
  rig_step(&all, 1.5);
  double e = 0.8 * sqrt(1.0 - 0.36);
  assert_close(rig_value(&all, COLUMN_vx, 1), 1.0 - (1.0 + e) * 0.25, 1e-15);
  assert_close(rig_value(&all, COLUMN_vx, 2), (1.0 + e) * 0.75, 1e-15);
  assert_int_equal(counts(&all).bounces, 1);
  assert_int_equal(counts(&all).links, 0);
  double lost = 0.5 * 3.0 - all.report.kinetic_energy; /* half of the paper's difference of m V^2 */
  assert_close(lost, 0.5 * (3.0 * 1.0 / 4.0) * (1.0 - e * e), 1e-14);
  rig_free(&all);
}

static void slow_collisions_and_low_coefficients_stick(void **state)
{
  (void)state;
  for (int which = 0; which < 2; which++) {
    floc_event_driven_options options;
    floc_event_driven_options_init(&options);
    options.restitution = 0.8;
    if (which == 0)
      options.sticking_speed = 1.5;
    else
      options.sticking_restitution = 0.8;
    rig all;
    rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
    use_event_driven(&all, &options);
    rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.5, 1.0);
    rig_add(&all, (double[3]){2, 0, 0}, (double[3]){0, 0, 0}, 0.5, 1.0);
    rig_step(&all, 1.5);
    assert_int_equal(counts(&all).merges, 1);
    assert_int_equal(counts(&all).bounces, 0);
    rig_free(&all);
  }
}

/* Four discs that meet in the middle at one moment: ties. All become one; momentum is 0. */
static void simultaneous_collisions_are_resolved(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_event_driven(&all, NULL);
  rig_add(&all, NOTHING, NOTHING, 0.5, 1.0);
  rig_add(&all, (double[3]){3, 0, 0}, (double[3]){-1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){-3, 0, 0}, (double[3]){1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){0, 3, 0}, (double[3]){0, -1, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){0, -3, 0}, (double[3]){0, 1, 0}, 0.5, 1.0);
  rig_step(&all, 2.5);
  assert_int_equal(counts(&all).clusters, 1);
  assert_close(all.time, 2.0, 1e-14);
  for (int64_t id = 1; id <= 5; id++) {
    assert_close(rig_value(&all, COLUMN_vx, id), 0.0, 1e-15);
    assert_close(rig_value(&all, COLUMN_vy, id), 0.0, 1e-15);
  }
  rig_free(&all);
}

/* A start that touches is one cluster; so is one that overlaps, and it is told. */
static void touching_particles_start_as_clusters(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_event_driven(&all, NULL);
  for (int k = 0; k < 3; k++) rig_add(&all, (double[3]){0.2 * k, 0, 0}, (double[3]){k, 0, 0}, 0.1, 1.0);
  rig_add(&all, (double[3]){5, 5, 0}, NOTHING, 0.1, 1.0);
  rig_step(&all, 1.0);
  assert_int_equal(counts(&all).clusters, 2);
  for (int64_t id = 1; id <= 3; id++) assert_close(rig_value(&all, COLUMN_vx, id), 1.0, 1e-15);
  rig_free(&all);
}

/* Neighbours at rest never meet: nothing may wait for that, and a third that comes by still meets them. */
static void neighbours_at_rest_wait(void **state)
{
  (void)state;
  for (int moving = 0; moving < 2; moving++) {
    rig all;
    rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
    use_event_driven(&all, NULL);
    for (int k = 0; k < 5; k++) rig_add(&all, (double[3]){1.2 * k, 0, 0}, NOTHING, 0.5, 1.0);
    if (moving) rig_add(&all, (double[3]){-3, 0, 0}, (double[3]){1, 0, 0}, 0.5, 1.0);
    rig_step(&all, 4.0);
    assert_int_equal(counts(&all).clusters, moving ? 2 : 5);
    assert_close(all.time, 4.0, 1e-14);
    rig_free(&all);
  }
}

/* A row that fills the box from wall to wall is wedged; it must not be reflected for ever. */
static void wedged_cluster_comes_to_rest(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_WALL, 2.0);
  use_event_driven(&all, NULL);
  for (int k = 0; k < 4; k++) rig_add(&all, (double[3]){0.25 + 0.5 * k, 1, 0}, (double[3]){1, 0.1, 0}, 0.25, 1.0);
  rig_step(&all, 1.0);
  assert_close(rig_value(&all, COLUMN_vx, 1), 0.0, 0.0);
  assert_close(rig_value(&all, COLUMN_y, 1), 1.1, 1e-14);
  rig_free(&all);
}

/* ---- the plain reference: all pairs, all walls, at every event ---- */

typedef struct plain {
  int count, dimension;
  const domain *box;
  double x[200][3], v[200][3], radius[200], mass[200];
  int cluster[200];
  double restitution, sticking_speed;
  int merges, bounces;
} plain;

static double pair_time(const plain *all, int a, int b)
{
  double square = 0, closing = 0, speed = 0, reach = all->radius[a] + all->radius[b];
  for (int axis = 0; axis < all->dimension; axis++) {
    double x = domain_shortest(all->box, axis, all->x[a][axis] - all->x[b][axis]);
    double v = all->v[a][axis] - all->v[b][axis];
    square += x * x;
    closing += x * v;
    speed += v * v;
  }
  double sigma = closing * closing - speed * (square - reach * reach);
  if (closing >= 0 || sigma < 0) return INFINITY;
  return fmax(0.0, -(closing + sqrt(sigma)) / speed);
}

static double wall_time(const plain *all, int k, int axis)
{
  if (all->box->boundary[axis] != FLOC_BOUNDARY_WALL || all->v[k][axis] == 0) return INFINITY;
  double room = all->v[k][axis] > 0 ? all->box->upper[axis] - all->radius[k] - all->x[k][axis]
                                    : all->x[k][axis] - all->radius[k] - all->box->lower[axis];
  return fmax(0.0, room / fabs(all->v[k][axis]));
}

static double cluster_mass(const plain *all, int cluster)
{
  double mass = 0;
  for (int k = 0; k < all->count; k++) mass += all->cluster[k] == cluster ? all->mass[k] : 0.0;
  return mass;
}

static void set_cluster(plain *all, int from, int to, const double velocity[3])
{
  for (int k = 0; k < all->count; k++) {
    if (all->cluster[k] != from && all->cluster[k] != to) continue;
    all->cluster[k] = to;
    memcpy(all->v[k], velocity, sizeof all->v[k]);
  }
}

static void plain_collide(plain *all, int a, int b)
{
  double mass_a = cluster_mass(all, all->cluster[a]), mass_b = cluster_mass(all, all->cluster[b]);
  double normal[3] = {0}, square = 0, speed = 0, mean[3], va[3], vb[3];
  for (int axis = 0; axis < all->dimension; axis++) {
    normal[axis] = domain_shortest(all->box, axis, all->x[a][axis] - all->x[b][axis]);
    square += normal[axis] * normal[axis];
  }
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] /= sqrt(square);
    speed -= normal[axis] * (all->v[a][axis] - all->v[b][axis]);
  }
  double ratio = all->sticking_speed / speed,
         e = speed > all->sticking_speed ? all->restitution * sqrt(1 - ratio * ratio) : 0;
  for (int axis = 0; axis < 3; axis++) {
    mean[axis] = (mass_a * all->v[a][axis] + mass_b * all->v[b][axis]) / (mass_a + mass_b);
    va[axis] = all->v[a][axis] + (1 + e) * mass_b / (mass_a + mass_b) * speed * normal[axis];
    vb[axis] = all->v[b][axis] - (1 + e) * mass_a / (mass_a + mass_b) * speed * normal[axis];
  }
  if (e > 0) {
    set_cluster(all, all->cluster[a], all->cluster[a], va);
    set_cluster(all, all->cluster[b], all->cluster[b], vb);
    all->bounces++;
  } else {
    set_cluster(all, all->cluster[a], all->cluster[b], mean);
    all->merges++;
  }
}

static void plain_advance(plain *all, double time)
{
  for (int k = 0; k < all->count; k++)
    for (int axis = 0; axis < all->dimension; axis++)
      all->x[k][axis] = domain_wrap(all->box, axis, all->x[k][axis] + time * all->v[k][axis]);
}

static void plain_run(plain *all, double time)
{
  for (;;) {
    double least = time;
    int first = -1, second = -1, wall = -1;
    for (int a = 0; a < all->count; a++) {
      for (int b = a + 1; b < all->count; b++) {
        double when = all->cluster[a] == all->cluster[b] ? INFINITY : pair_time(all, a, b);
        if (when < least) least = when, first = a, second = b;
      }
      for (int axis = 0; axis < all->dimension; axis++)
        if (wall_time(all, a, axis) < least) least = wall_time(all, a, axis), first = a, second = -1, wall = axis;
    }
    plain_advance(all, least);
    time -= least;
    if (first < 0) return;
    if (second >= 0) {
      plain_collide(all, first, second);
    } else {
      double turned[3] = {all->v[first][0], all->v[first][1], all->v[first][2]};
      turned[wall] = -turned[wall];
      set_cluster(all, all->cluster[first], all->cluster[first], turned);
    }
  }
}

static void take_start(plain *reference, const rig *all)
{
  *reference = (plain){.count = (int)all->table.count, .dimension = all->box.dimension, .box = &all->box};
  for (int k = 0; k < reference->count; k++) {
    for (int axis = 0; axis < 3; axis++) {
      reference->x[k][axis] = all->table.column[COLUMN_x + axis][k];
      reference->v[k][axis] = all->table.column[COLUMN_vx + axis][k];
    }
    reference->radius[k] = all->table.column[COLUMN_radius][k];
    reference->mass[k] = all->table.column[COLUMN_mass][k];
    reference->cluster[k] = k;
  }
}

static void compare_with_reference(const rig *all, const plain *reference, double tolerance)
{
  for (int k = 0; k < reference->count; k++) {
    for (int axis = 0; axis < reference->dimension; axis++) {
      double x = all->table.column[COLUMN_x + axis][k];
      assert_close(domain_shortest(&all->box, axis, x - reference->x[k][axis]), 0.0, tolerance);
      assert_close(all->table.column[COLUMN_vx + axis][k], reference->v[k][axis], tolerance);
    }
  }
}

static void agree(int32_t dimension, int32_t boundary, double skin, double restitution, double sticking_speed,
                  uint64_t seed)
{
  rig all;
  plain reference;
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.skin = skin;
  options.restitution = restitution;
  options.sticking_speed = sticking_speed;
  rig_init(&all, dimension, boundary, 10.0);
  use_event_driven(&all, &options);
  fill_random(&all, 60, 0.15, 0.5, 10.0, seed);
  take_start(&reference, &all);
  reference.restitution = restitution;
  reference.sticking_speed = sticking_speed;
  for (int k = 0; k < 6; k++) {
    double before = all.time;
    rig_step(&all, 4.0);
    plain_run(&reference, all.time - before);
    /* a collision multiplies a difference by flight path over radius; there are tens */
    compare_with_reference(&all, &reference, 1e-7);
    assert_int_equal(counts(&all).merges, reference.merges);
    assert_int_equal(counts(&all).bounces, reference.bounces);
  }
  if (boundary != FLOC_BOUNDARY_OPEN) assert_true(reference.merges + reference.bounces > 10);
  assert_true(rig_worst_overlap(&all) < 1e-10);
  assert_int_equal(rig_components(&all), counts(&all).clusters);
  rig_free(&all);
}

static void agrees_with_the_plain_reference(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        agree(dimension, boundary, seed == 1 ? 0.3 : 0.0, 0.0, 0.0, seed);
}

static void bouncing_agrees_with_the_plain_reference(void **state)
{
  (void)state;
  for (uint64_t seed = 11; seed <= 13; seed++)
    for (int32_t boundary = FLOC_BOUNDARY_WALL; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
      agree(2 + (int32_t)(seed % 2), boundary, 0.0, 0.7, 0.3, seed);
}

/* ---- a whole run ---- */

/* Momentum, energy, links and places through an aggregation to one cluster; large clusters give promises. */
static void aggregation_keeps_its_laws(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_PERIODIC, 40.0);
  use_event_driven(&all, NULL);
  double radius = rig_lattice(&all, 40, 0.3, 5), energy = INFINITY, start[3], now[3];
  rig_momentum(&all, start);
  int64_t links = 0;
  while (counts(&all).clusters != 1) {
    rig_step(&all, 0.5 + 0.1 * all.time);
    rig_momentum(&all, now);
    for (int axis = 0; axis < 2; axis++) assert_close(now[axis], start[axis], 1e-10);
    assert_true(all.report.kinetic_energy <= energy * (1 + 1e-14));
    energy = all.report.kinetic_energy;
    assert_true(counts(&all).links >= links);
    links = counts(&all).links;
    assert_int_equal(links, counts(&all).merges);
    assert_int_equal(rig_components(&all), counts(&all).clusters);
  }
  assert_int_equal(links, 40 * 40 - 1);
  assert_true(counts(&all).second_looks > 100);
  const int32_t *first, *second;
  int64_t count;
  double separation[3];
  all.method.links(all.method.state, &first, &second, &count);
  for (int64_t k = 0; k < count; k++)
    assert_close(rig_separation(&all, first[k], second[k], separation), 2.0 * radius, 1e-10);
  assert_true(rig_worst_overlap(&all) < 1e-9);
  assert_true(counts(&all).greatest_gap < 1e-9);
  rig_free(&all);
}

/* The work per event does not grow with the number of particles. */
static void work_per_event_stays(void **state)
{
  (void)state;
  double per_event[2];
  for (int k = 0; k < 2; k++) {
    rig all;
    int64_t side = k == 0 ? 30 : 100;
    rig_init(&all, 2, FLOC_BOUNDARY_WALL, (double)side);
    use_event_driven(&all, NULL);
    rig_lattice(&all, side, 0.3, 2);
    rig_step(&all, 1e9);
    floc_event_driven_report report = counts(&all);
    assert_int_equal(report.clusters, 1);
    per_event[k] =
        (double)(report.predictions + report.searches + report.events + report.stale) / (double)report.merges;
    rig_free(&all);
  }
  assert_true(per_event[1] < 1.5 * per_event[0]);
}

/* The same run however the steps are cut, to rounding that collisions enlarge; bit for bit with the same cuts. */
static void steps_may_be_cut_anywhere(void **state)
{
  (void)state;
  rig one, many;
  rig *both[2] = {&one, &many};
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], 2, FLOC_BOUNDARY_WALL, 12.0);
    use_event_driven(both[k], NULL);
    rig_lattice(both[k], 12, 0.2, 3);
  }
  rig_step(&one, 8.0);
  for (int k = 0; k < 64; k++) rig_step(&many, 0.125);
  for (int axis = 0; axis < 2; axis++) {
    size_t bytes = (size_t)one.table.count * sizeof(double);
    assert_memory_equal(one.table.column[COLUMN_x + axis], many.table.column[COLUMN_x + axis], bytes);
  }
  rig_free(&one);
  rig_free(&many);
}

/* Shapes of the final cluster over 200 seeds: within three standard errors of the prototype's. */
static void shapes_agree_with_the_prototype(void **state)
{
  (void)state;
  for (size_t row = 0; row < sizeof reference_rows / sizeof *reference_rows; row++) {
    const reference_row *reference = &reference_rows[row];
    shape_statistics found = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
      rig all;
      double value[SHAPE_COUNT];
      rig_init(&all, 2, FLOC_BOUNDARY_WALL, (double)reference->side);
      use_event_driven(&all, NULL);
      double radius = rig_lattice(&all, reference->side, reference->volume_fraction, seed);
      rig_step(&all, 1e9);
      assert_int_equal(counts(&all).clusters, 1);
      measure_shape(&all, radius, value);
      add_shape(&found, value);
      rig_free(&all);
    }
    finish_statistics(&found);
    compare_shapes(&found, &reference->value, 3.0);
  }
}

/* ---- the host changes things between steps ---- */

static void edits_of_the_table_are_seen(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_event_driven(&all, NULL);
  rig_add(&all, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.5, 1.0);
  rig_add(&all, (double[3]){2, 0, 0}, NOTHING, 0.5, 1.0);
  rig_add(&all, (double[3]){20, 0, 0}, NOTHING, 0.5, 1.0);
  rig_step(&all, 2.0); /* 1 and 2 have stuck at t = 1 */
  all.table.column[COLUMN_vx][0] = 2.5;
  rig_step(&all, 1.0); /* their cluster takes the mean of 2.5 and 0.5 */
  assert_close(rig_value(&all, COLUMN_vx, 2), 1.5, 1e-15);
  rig_add(&all, (double[3]){rig_value(&all, COLUMN_x, 2) + 2.5, 0, 0}, NOTHING, 0.5, 1.0);
  rig_step(&all, 2.0);
  assert_close(rig_value(&all, COLUMN_vx, 4), 1.0, 1e-15);
  assert_int_equal(counts(&all).links, 2);
  assert_int_equal(counts(&all).clusters, 2);
  rig_free(&all);
}

static void storage_may_be_reordered(void **state)
{
  (void)state;
  rig plain_rig, turned;
  rig *both[2] = {&plain_rig, &turned};
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], 2, FLOC_BOUNDARY_WALL, 10.0);
    use_event_driven(both[k], NULL);
    rig_lattice(both[k], 10, 0.2, 3);
    rig_step(both[k], 3.0);
  }
  int32_t order[100];
  for (int32_t k = 0; k < 100; k++) order[k] = 99 - (k * 37) % 100;
  assert_ok(&turned.env, particles_permute(&turned.table, order));
  assert_ok(&turned.env, turned.method.permute(turned.method.state, &turned.table, order));
  for (int k = 0; k < 2; k++) rig_step(both[k], 3.0);
  for (int64_t id = 1; id <= 100; id++)
    assert_true(rig_value(&plain_rig, COLUMN_x, id) == rig_value(&turned, COLUMN_x, id));
  assert_int_equal(rig_components(&turned), counts(&turned).clusters);
  rig_free(&plain_rig);
  rig_free(&turned);
}

/* ---- checkpoints ---- */

static void continue_both(int32_t dimension, int32_t boundary, double restitution, double until)
{
  rig kept, resumed;
  rig *both[2] = {&kept, &resumed};
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.restitution = restitution;
  int64_t side = dimension == 2 ? 24 : 8;
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], dimension, boundary, (double)side);
    use_event_driven(both[k], &options);
    rig_lattice(both[k], side, 0.25, 9);
  }
  rig_step(&kept, until);
  section_list list;
  section_list_init(&list, &kept.env);
  assert_ok(&kept.env, kept.method.sections(kept.method.state, &list));
  assert_ok(&resumed.env, resumed.method.restore(resumed.method.state, &list, kept.table.count, 0));
  section_list_free(&list);
  for (int k = 0; k < BUILTIN_COLUMN_COUNT; k++)
    memcpy(resumed.table.column[k], kept.table.column[k], (size_t)kept.table.count * sizeof(double));
  resumed.time = kept.time;
  assert_true(state_hash(&resumed) == state_hash(&kept));
  for (int k = 0; k < 5; k++) {
    rig_step(&kept, 1.0 + 7.0 * k);
    rig_step(&resumed, 1.0 + 7.0 * k);
    for (int column = 0; column < BUILTIN_COLUMN_COUNT; column++)
      assert_memory_equal(kept.table.column[column], resumed.table.column[column],
                          (size_t)kept.table.count * sizeof(double));
    assert_true(state_hash(&resumed) == state_hash(&kept));
    assert_int_equal(counts(&kept).events, counts(&resumed).events);
    assert_int_equal(counts(&kept).merges, counts(&resumed).merges);
  }
  rig_free(&kept);
  rig_free(&resumed);
}

static void resume_is_bit_for_bit(void **state)
{
  (void)state;
  const double moments[] = {0.0, 0.7, 4.0, 17.0, 60.0};
  for (int k = 0; k < 5; k++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        continue_both(dimension, boundary, 0.0, moments[k]);
  continue_both(2, FLOC_BOUNDARY_WALL, 0.5, 2.0);
}

/* Every section missing, cut, or with one number that cannot be: refused or harmless, and the state stays. */
static void damaged_sections_are_refused(void **state)
{
  (void)state;
  rig all, other;
  rig *both[2] = {&all, &other};
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], 2, FLOC_BOUNDARY_WALL, 12.0);
    use_event_driven(both[k], NULL);
    rig_lattice(both[k], 12, 0.25, 4);
    rig_step(both[k], 6.0);
  }
  section_list list;
  section_list_init(&list, &all.env);
  assert_ok(&all.env, all.method.sections(all.method.state, &list));
  uint64_t hash = state_hash(&other);
  int refused = 0;
  for (int32_t k = 0; k < list.count; k++) {
    section whole = list.item[k];
    if (strstr(whole.name, "report")) continue;
    list.item[k].name[0] = 'x';
    assert_int_equal(other.method.restore(other.method.state, &list, 144, 0), FLOC_DAMAGED_FILE);
    list.item[k] = whole;
    strcpy(list.item[k].type, "u8");
    assert_int_equal(other.method.restore(other.method.state, &list, 144, 0), FLOC_DAMAGED_FILE);
    list.item[k] = whole;
    size_t size = section_type_size(whole.type), numbers = (size_t)(whole.rows * whole.columns);
    if (whole.type[0] == 'f') continue; /* any number may be true */
    for (size_t n = 0; n < numbers; n += 1 + numbers / 40) {
      char *copy = malloc(numbers * size + 1);
      memcpy(copy, whole.data, numbers * size);
      memset(copy + n * size, 0x7e, size);
      list.item[k].data = copy;
      floc_status status = other.method.restore(other.method.state, &list, 144, 0);
      assert_true(status == FLOC_OK || status == FLOC_DAMAGED_FILE);
      refused += status == FLOC_DAMAGED_FILE;
      list.item[k] = whole;
      free(copy);
      if (status == FLOC_DAMAGED_FILE) assert_true(state_hash(&other) == hash);
      assert_ok(&other.env, other.method.restore(other.method.state, &list, 144, 0));
    }
  }
  assert_true(refused > 100);
  assert_int_equal(other.method.restore(other.method.state, &list, 143, 0), FLOC_DAMAGED_FILE);
  section_list_free(&list);
  rig_free(&all);
  rig_free(&other);
}

/* ---- failures ---- */

/* Every allocation of a step and of a checkpoint fails once; the table stays as it was and the next try works. */
static void failing_memory_leaves_the_state(void **state)
{
  (void)state;
  bool finished = false;
  for (int allowed = 0; !finished; allowed++) {
    rig all;
    rationed stock = {INT32_MAX};
    rig_init(&all, 2, FLOC_BOUNDARY_WALL, 12.0);
    all.env.allocate = ration;
    all.env.allocate_context = &stock;
    use_event_driven(&all, NULL);
    rig_lattice(&all, 12, 0.25, 4);
    double x = all.table.column[COLUMN_x][17];
    section_list list;
    section_list_init(&list, &all.env);
    stock.left = allowed;
    floc_status status = rig_try_step(&all, 3.0);
    if (status == FLOC_OK) {
      status = all.method.sections(all.method.state, &list);
      finished = status == FLOC_OK;
    } else {
      assert_true(all.table.column[COLUMN_x][17] == x);
      assert_true(strstr(all.env.message, "memory") != NULL);
    }
    assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    section_list_free(&list);
    stock.left = INT32_MAX;
    rig_step(&all, 3.0);
    assert_true(counts(&all).clusters < 144);
    assert_int_equal(rig_components(&all), counts(&all).clusters);
    rig_free(&all);
    assert_true(allowed < 2000);
  }
}

static void wrong_options_are_named(void **state)
{
  (void)state;
  environment env = test_environment(1);
  scheme made;
  floc_event_driven_options options;
  const struct {
    size_t place;
    double value;
    const char *text;
  } wrong[] = {{offsetof(floc_event_driven_options, restitution), 1.5, "restitution is 1.5"},
               {offsetof(floc_event_driven_options, sticking_restitution), -0.5, "sticking_restitution is -0.5"},
               {offsetof(floc_event_driven_options, sticking_speed), -1, "sticking_speed is -1"},
               {offsetof(floc_event_driven_options, skin), NAN, "skin is"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    floc_event_driven_options_init(&options);
    memcpy((char *)&options + wrong[k].place, &wrong[k].value, sizeof(double));
    assert_int_equal(event_driven_create(&env, NULL, 2, &options, &made), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(env.message, wrong[k].text));
  }
  assert_int_equal(floc_event_driven_options_init(NULL), FLOC_INVALID_ARGUMENT);
}

static void wrong_starts_are_refused(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_WALL, 10.0);
  use_event_driven(&all, NULL);
  rig_step(&all, 1.0); /* no particles: nothing happens */
  rig_add(&all, (double[3]){0.2, 5, 0}, NOTHING, 0.5, 1.0);
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_ESCAPED);
  all.table.column[COLUMN_x][0] = NAN;
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_NOT_A_NUMBER);
  all.table.column[COLUMN_x][0] = 5.0;
  rig_step(&all, 1.0);
  rig_free(&all);
  rig_init(&all, 2, FLOC_BOUNDARY_PERIODIC, 2.0);
  use_event_driven(&all, NULL);
  rig_add(&all, (double[3]){1, 1, 0}, NOTHING, 0.5, 1.0);
  assert_int_equal(rig_try_step(&all, 1.0), FLOC_NOT_SUPPORTED);
  rig_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_discs_meet_and_stick),
      cmocka_unit_test(clusters_are_reflected_as_a_whole),
      cmocka_unit_test(periodic_neighbours_meet),
      cmocka_unit_test(fast_collisions_bounce),
      cmocka_unit_test(slow_collisions_and_low_coefficients_stick),
      cmocka_unit_test(simultaneous_collisions_are_resolved),
      cmocka_unit_test(touching_particles_start_as_clusters),
      cmocka_unit_test(neighbours_at_rest_wait),
      cmocka_unit_test(wedged_cluster_comes_to_rest),
      cmocka_unit_test(agrees_with_the_plain_reference),
      cmocka_unit_test(bouncing_agrees_with_the_plain_reference),
      cmocka_unit_test(aggregation_keeps_its_laws),
      cmocka_unit_test(work_per_event_stays),
      cmocka_unit_test(steps_may_be_cut_anywhere),
      cmocka_unit_test(shapes_agree_with_the_prototype),
      cmocka_unit_test(edits_of_the_table_are_seen),
      cmocka_unit_test(storage_may_be_reordered),
      cmocka_unit_test(resume_is_bit_for_bit),
      cmocka_unit_test(damaged_sections_are_refused),
      cmocka_unit_test(failing_memory_leaves_the_state),
      cmocka_unit_test(wrong_options_are_named),
      cmocka_unit_test(wrong_starts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
