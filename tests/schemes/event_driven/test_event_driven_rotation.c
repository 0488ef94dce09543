/*
 * Event-driven aggregation with rotation: event for event against the plain program, closed forms, what is
 * conserved, checkpoints, and the time-stepping scheme as its steps get shorter.
 */
#include "plain_rigid_bodies.h"

static const double NOTHING[3] = {0, 0, 0};

static void agrees_event_for_event(void **state)
{
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 2; seed++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        compared += agree((agreement){.dimension = dimension,
                                      .boundary = boundary,
                                      .skin = seed == 2 ? 0.7 : 0.0,
                                      .until = 5.0,
                                      .rotation = true,
                                      .seed = seed});
  print_message("%d events were compared\n", compared);
  assert_true(compared > 300);
}

/* Slow ones stick: what bounces and meets walls are clusters. */
static void bouncing_agrees_event_for_event(void **state)
{
  (void)state;
  agree((agreement){2, FLOC_BOUNDARY_WALL, .restitution = 0.8, .until = 1.5, .rotation = true, .seed = 4});
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int32_t boundary = FLOC_BOUNDARY_WALL; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
      agree((agreement){.dimension = dimension,
                        .boundary = boundary,
                        .restitution = 0.8,
                        .sticking_speed = 0.9,
                        .until = dimension == 2 ? 2.5 : 3.5,
                        .rotation = true,
                        .seed = 5});
}

/* ---- closed forms ---- */

/* Equal discs, oblique: J = m/2 (x_1 - x_2) x (v_1 - v_2), about a centre with 3 m R^2. Then the pair turns at that
 * rate, exactly however long the step is. */
static void a_pair_turns_at_the_rate_of_its_angular_momentum(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  rig_add(&all, (double[3]){-2, 0.5, 0}, (double[3]){1, 0, 0}, 0.5, 2.0);
  rig_add(&all, (double[3]){2, 0, 0}, (double[3]){0, 0, 0}, 0.5, 2.0);
  rig_add(&all, (double[3]){50, 50, 0}, (double[3]){0, 0, 0}, 0.5, 2.0);
  double met = 4.0 - sqrt(0.75), rate = -0.5 * 0.5 / (3.0 * 0.25); /* m/2 b v / (3 m R^2) */
  rig_step(&all, 40.0);
  double angle = atan2(0.5, -sqrt(0.75)) + rate * (40.0 - met);
  assert_close(spin_of(&all, 2)[0], rate, 1e-14);
  assert_close(spin_of(&all, 2)[1], rate, 1e-14);
  double separation[3];
  assert_close(rig_separation(&all, 0, 1, separation), 1.0, 1e-13);
  assert_close(separation[0], cos(angle), 1e-12);
  assert_close(separation[1], sin(angle), 1e-12);
  assert_close(all.table.column[COLUMN_vx][0], 0.5 - rate * 0.5 * sin(angle), 1e-12);
  rig_free(&all);
}

/* A pair in free flight towards a wall, which turns: the time is a root of y + V t + R |sin(a + w t)| + R; then
 * energy and angular momentum about the point of contact are kept: P = 2 v_n / (1/m + arm^2 / I). */
static void a_turning_pair_meets_a_wall_as_a_rigid_body_does(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_WALL, 20.0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  double angle = 0.3, omega = 1.7, speed = 0.4;
  for (int k = -1; k <= 1; k += 2) {
    double arm[2] = {0.5 * k * cos(angle), 0.5 * k * sin(angle)};
    int64_t id = rig_add(&all, (double[3]){10 + arm[0], 5 + arm[1], 0},
                         (double[3]){-omega * arm[1], -speed + omega * arm[0], 0}, 0.5, 1.0);
    spin_of(&all, 2)[id - 1] = omega;
  }
  rig_add(&all, (double[3]){3, 18, 0}, NOTHING, 0.5, 1.0);
  double low = 0.0, inertia = 3.0 * 0.25;
  while (5.0 - speed * low - 0.5 - 0.5 * fabs(sin(angle + omega * low)) > 0.0) low += 1e-4;
  double high = low;
  low -= 1e-4;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    *(4.5 - speed * middle - 0.5 * fabs(sin(angle + omega * middle)) > 0.0 ? &low : &high) = middle;
  }
  double turned = angle + omega * high, side = sin(turned) < 0.0 ? 1.0 : -1.0;
  double arm[2] = {0.5 * side * cos(turned), 0.5 * side * sin(turned)};
  double closing = speed - omega * arm[0], impulse = 2.0 * closing / (0.5 + arm[0] * arm[0] / inertia);
  rig_step(&all, high - 1e-9);
  assert_int_equal(told(&all).reflections, 0);
  rig_step(&all, 2e-9);
  assert_int_equal(told(&all).reflections, 1);
  assert_close(spin_of(&all, 2)[0], omega + arm[0] * impulse / inertia, 1e-11);
  double mean = 0.5 * (all.table.column[COLUMN_vy][0] + all.table.column[COLUMN_vy][1]);
  assert_close(mean, -speed + 0.5 * impulse, 1e-11);
  double energy = 0.5 * (2.0 * speed * speed + inertia * omega * omega);
  assert_close(all.report.kinetic_energy, energy, 1e-13);
  rig_free(&all);
}

/* A row of nine that turns in a periodic box meets its own image: l^2 + L^2 - 2 l L cos(angle) = 4 R^2. */
static void a_row_that_reaches_itself_turns_no_more(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_PERIODIC, 8.5);
  use_rotation(&all, 0.0, 0.0, 0.0);
  double start = 0.5, omega = -1.0, met = start - acos((64.0 + 8.5 * 8.5 - 1.0) / (2.0 * 8.0 * 8.5));
  for (int k = -4; k <= 4; k++) {
    double arm[2] = {k * cos(start), k * sin(start)};
    int64_t id = rig_add(&all, (double[3]){4 + arm[0], 4 + arm[1], 0},
                         (double[3]){0.3 - omega * arm[1], omega * arm[0], 0}, 0.5, 1.0);
    for (int axis = 0; axis < 2; axis++) {
      double *x = &all.table.column[COLUMN_x + axis][id - 1];
      *x = domain_wrap(&all.box, axis, *x);
    }
    spin_of(&all, 2)[id - 1] = omega;
  }
  rig_add(&all, (double[3]){4, 8.2, 0}, (double[3]){0.3, 0, 0}, 0.01, 1.0);
  rig_step(&all, met - 1e-9);
  assert_int_equal(told(&all).links, 8);
  assert_close(spin_of(&all, 2)[3], omega, 1e-13);
  rig_step(&all, 2e-9);
  assert_int_equal(told(&all).links, 9);
  assert_close(spin_of(&all, 2)[3], 0.0, 0.0);
  rig_step(&all, 1.0);
  assert_int_equal(told(&all).clusters, 2);
  assert_close(rig_value(&all, COLUMN_vx, 2), 0.3, 1e-13);
  assert_true(rig_worst_overlap(&all) < 1e-12);
  rig_free(&all);
}

/* An asymmetric top of four unequal balls, thousands of radians: energy, angular momentum, shape, and its places
 * by the plain program's short steps. */
static void a_free_top_is_exact(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 3, FLOC_BOUNDARY_OPEN, 0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  const double place[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0.9, 0}, {0, 0, 0.8}};
  const double radius[4] = {0.5, 0.5, 0.4, 0.3}, omega[3] = {0.2, 2.5, 0.3};
  for (int k = 0; k < 4; k++) {
    double v[3];
    double arm[3] = {place[k][0] - 0.5, place[k][1] - 0.27, place[k][2] - 0.32}; /* the centre rests */
    cross(omega, arm, v);
    rig_add(&all, place[k], v, radius[k], 1.0 + k);
    for (int axis = 0; axis < 3; axis++) spin_of(&all, axis)[k] = omega[axis];
  }
  rig_add(&all, (double[3]){40, 0, 0}, NOTHING, 0.5, 1.0);
  scene *plain = scene_of(&all, 0.0, 0.0);
  plain->dense = 0x1p-13;
  look(plain, 0.0);
  for (int k = 1; k < 4; k++) {
    unite(plain, 0, k);
    look(plain, 0.0);
  }
  rig_step(&all, 0x1p-13);
  run_scene(plain, all.time);
  double energy = all.report.kinetic_energy, before[3], after[3], scale = angular_momentum(&all, before);
  for (int k = 0; k < 20; k++) {
    rig_step(&all, 1.0);
    run_scene(plain, all.time);
  }
  double difference = worst_difference(&all, plain);
  rig_step(&all, 1000.0);
  angular_momentum(&all, after);
  double change[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]}, separation[3];
  double drift = fabs(rig_separation(&all, 0, 1, separation) - 1.0);
  print_message(
      "free top: plain program %.1e after 20; after 1000: energy %.1e, angular momentum %.1e, shape %.1e\n",
      difference, fabs(all.report.kinetic_energy / energy - 1.0), sqrt(dot(change, change)) / scale, drift);
  assert_true(difference < 1e-10);
  assert_true(fabs(all.report.kinetic_energy / energy - 1.0) < 1e-12);
  assert_true(sqrt(dot(change, change)) / scale < 1e-12);
  assert_true(drift < 1e-12);
  free(plain);
  rig_free(&all);
}

/* ---- a shallow contact ---- */

/* A small disc flies past a row that turns towards it. Does it touch? The greatest depth, as the disc gets nearer,
 * begins at 0; the engine sees contacts far shallower than any step of scanning would. */
static bool touches(double height, double *depth)
{
  rig all;
  rig_init(&all, 2, FLOC_BOUNDARY_OPEN, 0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  const double omega = 2.0, angle = 1.0, speed = 1.5;
  for (int k = -3; k <= 3; k++) {
    double arm[2] = {k * cos(angle), k * sin(angle)};
    int64_t id =
        rig_add(&all, (double[3]){arm[0], arm[1], 0}, (double[3]){-omega * arm[1], omega * arm[0], 0}, 0.5, 1.0);
    spin_of(&all, 2)[id - 1] = omega;
  }
  rig_add(&all, (double[3]){-2, height, 0}, (double[3]){speed, 0, 0}, 0.25, 0.1);
  rig_add(&all, (double[3]){90, 90, 0}, NOTHING, 0.25, 0.1);
  *depth = 0.0;
  for (double t = 0.0; t < 3.0; t += 1e-5)
    for (int k = -3; k <= 3; k += 6) {
      double x = k * cos(angle + omega * t) - (-2 + speed * t), y = k * sin(angle + omega * t) - height;
      *depth = fmax(*depth, 0.75 - sqrt(x * x + y * y));
    }
  rig_step(&all, 3.0);
  bool met = told(&all).merges > 0;
  rig_free(&all);
  return met;
}

static void shallow_contacts_are_not_missed(void **state)
{
  (void)state;
  double low = 3.0, high = 4.0, depth;
  assert_true(touches(low, &depth));
  assert_false(touches(high, &depth));
  for (int k = 0; k < 40; k++) {
    double middle = 0.5 * (low + high);
    bool met = touches(middle, &depth);
    if (depth > 1e-9) assert_true(met);
    if (depth == 0.0) assert_false(met && depth < -1e-9);
    *(met ? &low : &high) = middle;
  }
  touches(low - 1e-9, &depth); /* the least height at which they meet: depth 0, up to scanning by 1e-5 */
  print_message("deepest of the contacts that are shallowest: %.1e\n", depth);
  assert_close(depth, 1e-9, 2e-9);
}

/* ---- what is kept ---- */

/* A cloud that falls together: linear and angular momentum at every step, energy only goes down, links hold. */
static void momenta_are_kept(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    rig all;
    rig_init(&all, dimension, FLOC_BOUNDARY_OPEN, 0);
    use_rotation(&all, 0.0, 0.0, 0.0);
    double side = dimension == 2 ? 30.0 : 11.0, first[3], now[3], start[3], momentum[3], worst = 0.0, drift = 0.0;
    start_turning(&all, 200, side, 7);
    for (int k = 0; k < 200; k++)
      for (int axis = 0; axis < dimension; axis++) {
        double *x = &all.table.column[COLUMN_x + axis][k];
        *x -= 0.5 * side;
        all.table.column[COLUMN_vx + axis][k] -= 0.15 * *x;
      }
    double scale = angular_momentum(&all, first), energy = INFINITY;
    rig_momentum(&all, start);
    for (int step = 0; step < 100; step++) {
      rig_step(&all, 0.25);
      angular_momentum(&all, now);
      rig_momentum(&all, momentum);
      for (int axis = 0; axis < 3; axis++) {
        worst = fmax(worst, fabs(now[axis] - first[axis]) / scale);
        drift = fmax(drift, fabs(momentum[axis] - start[axis]));
      }
      assert_true(all.report.kinetic_energy <= energy * (1.0 + 1e-13));
      energy = all.report.kinetic_energy;
    }
    print_message("%d-D, %d merges: angular momentum %.1e, momentum %.1e, gaps at contact %.1e radii\n",
                  (int)dimension, (int)told(&all).merges, worst, drift, told(&all).greatest_gap);
    assert_true(told(&all).merges > 140);
    assert_true(worst < 1e-12);
    assert_true(drift < 1e-11);
    const int32_t *a, *b;
    int64_t links;
    double separation[3];
    all.method.links(all.method.state, &a, &b, &links);
    for (int64_t k = 0; k < links; k++) {
      double reach = all.table.column[COLUMN_radius][a[k]] + all.table.column[COLUMN_radius][b[k]];
      assert_close(rig_separation(&all, a[k], b[k], separation), reach, 1e-11);
    }
    assert_true(rig_worst_overlap(&all) < 1e-11);
    rig_free(&all);
  }
}

/* Walls take no energy of clusters that turn, only a merge does. */
static void walls_keep_the_energy(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    rig all;
    double side = dimension == 2 ? 30.0 : 14.0, energy = 0.0, worst = 0.0;
    rig_init(&all, dimension, FLOC_BOUNDARY_WALL, side);
    use_rotation(&all, 0.0, 0.0, 0.0);
    start_turning(&all, 60, side, 3);
    int64_t merges = -1, reflections = 0, between = 0;
    for (int step = 0; step < 2000; step++) {
      rig_step(&all, 0.2);
      if (told(&all).merges == merges) {
        worst = fmax(worst, fabs(all.report.kinetic_energy / energy - 1.0));
        between += told(&all).reflections - reflections;
      }
      merges = told(&all).merges;
      reflections = told(&all).reflections;
      energy = all.report.kinetic_energy;
    }
    print_message("%d-D: %d reflections of clusters, energy %.1e\n", (int)dimension, (int)between, worst);
    assert_true(between > 40);
    assert_true(worst < 1e-12);
    assert_true(rig_worst_overlap(&all) < 1e-11);
    rig_free(&all);
  }
}

/* ---- the time-stepping scheme is the same model ---- */

/* Greatest difference of places at time 4 between events and steps of a length, over seeds where both make the same
 * links. */
static double difference_of_steps(double step, double *same)
{
  double sum = 0.0;
  int alike = 0;
  enum { SEEDS = 12 };
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    rig exact, stepped;
    rig *both[2] = {&exact, &stepped};
    for (int k = 0; k < 2; k++) {
      rig_init(both[k], 2, FLOC_BOUNDARY_OPEN, 0);
      if (k == 0) {
        use_rotation(both[k], 0.0, 0.0, 0.0);
      } else {
        floc_ballistic_options options = with_step(0.0);
        options.rotation = true;
        options.tolerance = 1e-9;
        use_ballistic(both[k], &options);
      }
      start_turning(both[k], 14, 6.0, seed);
      for (int m = 0; m < 14; m++)
        for (int axis = 0; axis < 2; axis++)
          both[k]->table.column[COLUMN_vx + axis][m] -= 0.3 * (both[k]->table.column[COLUMN_x + axis][m] - 3.0);
    }
    for (int k = 0; k < 4; k++) rig_step(&exact, 1.0);
    long steps = lround(4.0 / step);
    for (long k = 0; k < steps; k++) rig_step(&stepped, step);
    if (exact.time > 3.999 && rig_components(&exact) == rig_components(&stepped)) {
      double worst = 0.0;
      for (int m = 0; m < 14; m++)
        for (int axis = 0; axis < 2; axis++)
          worst =
              fmax(worst, fabs(exact.table.column[COLUMN_x + axis][m] - stepped.table.column[COLUMN_x + axis][m]));
      sum += log(worst);
      alike++;
    }
    rig_free(&exact);
    rig_free(&stepped);
  }
  *same = (double)alike / SEEDS;
  return exp(sum / alike);
}

static void steps_converge_to_events(void **state)
{
  (void)state;
  double error[5], same, mean_x = 0.0, mean_y = 0.0, above = 0.0, below = 0.0;
  for (int k = 0; k < 5; k++) {
    double step = 0.04 / (double)(1 << (2 * k));
    error[k] = difference_of_steps(step, &same);
    print_message("step %.6f: places differ by %.2e (geometric mean), the same clusters in %.0f %%\n", step,
                  error[k], 100.0 * same);
  }
  for (int k = 1; k < 5; k++) {
    mean_x -= k * log(4.0) / 4.0;
    mean_y += log(error[k]) / 4.0;
  }
  for (int k = 1; k < 5; k++) {
    above += (-k * log(4.0) - mean_x) * (log(error[k]) - mean_y);
    below += (-k * log(4.0) - mean_x) * (-k * log(4.0) - mean_x);
  }
  print_message("order %.2f\n", above / below);
  assert_close(above / below, 1.0, 0.15);
  assert_true(error[4] < 1e-3);
}

/* ---- checkpoints, storage, memory, edits ---- */

static void copy_table(rig *to, const rig *from)
{
  for (int k = 0; k < from->table.column_count; k++)
    memcpy(to->table.column[k], from->table.column[k], (size_t)from->table.count * sizeof(double));
}

static void assert_same_table(const rig *a, const rig *b)
{
  for (int k = 0; k < a->table.column_count; k++)
    assert_memory_equal(a->table.column[k], b->table.column[k], (size_t)a->table.count * sizeof(double));
}

static void continue_both(int32_t dimension, int32_t boundary, double sticking_speed, double until)
{
  rig kept, resumed;
  rig *both[2] = {&kept, &resumed};
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], dimension, boundary, dimension == 2 ? 16.0 : 6.0);
    use_rotation(both[k], sticking_speed > 0.0 ? 0.7 : 0.0, sticking_speed, 0.0);
    start_turning(both[k], 80, dimension == 2 ? 16.0 : 6.0, 9);
  }
  if (until > 0.0) rig_step(&kept, until);
  section_list list;
  section_list_init(&list, &kept.env);
  assert_ok(&kept.env, kept.method.sections(kept.method.state, &list));
  assert_ok(&resumed.env, resumed.method.restore(resumed.method.state, &list, kept.table.count, 0));
  section_list_free(&list);
  copy_table(&resumed, &kept);
  resumed.time = kept.time;
  assert_true(state_hash(&resumed) == state_hash(&kept));
  for (int k = 0; k < 5; k++) {
    rig_step(&kept, 0.3 + 0.4 * k);
    rig_step(&resumed, 0.3 + 0.4 * k);
    assert_same_table(&kept, &resumed);
    assert_true(state_hash(&resumed) == state_hash(&kept));
    assert_int_equal(told(&kept).events, told(&resumed).events);
  }
  rig_free(&kept);
  rig_free(&resumed);
}

static void resume_is_bit_for_bit(void **state)
{
  (void)state;
  const double moments[] = {0.0, 0.4, 2.0, 6.0};
  for (int k = 0; k < 4; k++)
    for (int32_t dimension = 2; dimension <= 3; dimension++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        continue_both(dimension, boundary, k == 2 ? 0.9 : 0.0, moments[k]);
}

/* The table alone, and the links, make the same motion: what clusters are is in velocities and spins. */
static void a_state_built_from_the_table_goes_on(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 3, FLOC_BOUNDARY_PERIODIC, 6.0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  start_turning(&all, 40, 6.0, 5);
  rig_step(&all, 1.5);
  double energy = all.report.kinetic_energy, spin = spin_of(&all, 1)[7];
  int64_t clusters = told(&all).clusters;
  all.table.column[COLUMN_mass][3] *= 1.0 + 1e-15; /* seen, and too small to matter */
  rig_step(&all, 1e-9);
  assert_int_equal(told(&all).clusters, clusters);
  assert_close(all.report.kinetic_energy, energy, 1e-11 * energy);
  assert_close(spin_of(&all, 1)[7], spin, 1e-6);
  int32_t alone = -1;
  const int32_t *first, *second;
  int64_t links;
  all.method.links(all.method.state, &first, &second, &links);
  for (int32_t k = 0; k < 40; k++) {
    bool linked = false;
    for (int64_t n = 0; n < links; n++) linked = linked || first[n] == k || second[n] == k;
    if (!linked) alone = k;
  }
  assert_true(alone >= 0);
  spin_of(&all, 2)[alone] = 55.0; /* an angular velocity that the host writes counts */
  rig_step(&all, 1e-9);
  assert_close(spin_of(&all, 2)[alone], 55.0, 1e-12);
  rig_free(&all);
}

static void storage_may_be_reordered(void **state)
{
  (void)state;
  rig same, turned;
  rig *both[2] = {&same, &turned};
  for (int k = 0; k < 2; k++) {
    rig_init(both[k], 2, FLOC_BOUNDARY_WALL, 14.0);
    use_rotation(both[k], 0.0, 0.0, 0.0);
    start_turning(both[k], 60, 14.0, 3);
    rig_step(both[k], 2.0);
  }
  int32_t order[60];
  for (int32_t k = 0; k < 60; k++) order[k] = 59 - (k * 37) % 60;
  assert_ok(&turned.env, particles_permute(&turned.table, order));
  assert_ok(&turned.env, turned.method.permute(turned.method.state, &turned.table, order));
  for (int k = 0; k < 2; k++) rig_step(both[k], 2.0);
  for (int64_t id = 1; id <= 60; id++)
    assert_true(rig_value(&same, COLUMN_x, id) == rig_value(&turned, COLUMN_x, id));
  rig_free(&same);
  rig_free(&turned);
}

/* Every allocation of a step and of a checkpoint fails once; the table stays as it was and the next try works. */
static void failing_memory_leaves_the_state(void **state)
{
  (void)state;
  bool finished = false;
  for (int allowed = 0; !finished; allowed++) {
    rig all;
    rationed stock = {INT32_MAX};
    rig_init(&all, 3, FLOC_BOUNDARY_PERIODIC, 6.0);
    all.env.allocate = ration;
    all.env.allocate_context = &stock;
    use_rotation(&all, 0.0, 0.0, 0.0);
    start_turning(&all, 40, 6.0, 4);
    double x = all.table.column[COLUMN_x][17], w = spin_of(&all, 0)[17];
    section_list list;
    section_list_init(&list, &all.env);
    stock.left = allowed;
    floc_status status = rig_try_step(&all, 0.5);
    if (status == FLOC_OK) {
      status = all.method.sections(all.method.state, &list);
      finished = status == FLOC_OK;
    } else {
      assert_true(all.table.column[COLUMN_x][17] == x && spin_of(&all, 0)[17] == w);
    }
    assert_true(status == FLOC_OK || status == FLOC_OUT_OF_MEMORY);
    section_list_free(&list);
    stock.left = INT32_MAX;
    rig_step(&all, 0.5);
    assert_int_equal(rig_components(&all), told(&all).clusters);
    rig_free(&all);
    assert_true(allowed < 2000);
  }
}

static void damaged_spins_are_refused(void **state)
{
  (void)state;
  rig all;
  rig_init(&all, 3, FLOC_BOUNDARY_PERIODIC, 6.0);
  use_rotation(&all, 0.0, 0.0, 0.0);
  start_turning(&all, 40, 6.0, 4);
  rig_step(&all, 1.0);
  section_list list;
  section_list_init(&list, &all.env);
  assert_ok(&all.env, all.method.sections(all.method.state, &list));
  uint64_t hash = state_hash(&all);
  int refused = 0;
  for (int32_t k = 0; k < list.count; k++) {
    section *one = &list.item[k], whole = *one;
    bool spins = strstr(one->name, "/spins") != NULL;
    if (!spins && !strstr(one->name, "/images")) continue;
    char *copy = malloc(one->rows * one->columns * 8);
    memcpy(copy, one->data, one->rows * one->columns * section_type_size(one->type));
    one->name[0] = 'x';
    refused += all.method.restore(all.method.state, &list, 40, 0) == FLOC_DAMAGED_FILE;
    *one = whole;
    one->rows--;
    refused += all.method.restore(all.method.state, &list, 40, 0) == FLOC_DAMAGED_FILE;
    *one = whole;
    one->data = copy;
    if (spins)
      ((double *)copy)[5] = NAN;
    else
      ((int32_t *)copy)[5] = INT32_MAX;
    refused += all.method.restore(all.method.state, &list, 40, 0) == FLOC_DAMAGED_FILE;
    *one = whole;
    free(copy);
  }
  assert_int_equal(refused, 6);
  assert_true(state_hash(&all) == hash);
  section_list_free(&list);
  rig_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_event_for_event),
      cmocka_unit_test(bouncing_agrees_event_for_event),
      cmocka_unit_test(a_pair_turns_at_the_rate_of_its_angular_momentum),
      cmocka_unit_test(a_turning_pair_meets_a_wall_as_a_rigid_body_does),
      cmocka_unit_test(a_row_that_reaches_itself_turns_no_more),
      cmocka_unit_test(a_free_top_is_exact),
      cmocka_unit_test(shallow_contacts_are_not_missed),
      cmocka_unit_test(momenta_are_kept),
      cmocka_unit_test(walls_keep_the_energy),
      cmocka_unit_test(steps_converge_to_events),
      cmocka_unit_test(resume_is_bit_for_bit),
      cmocka_unit_test(a_state_built_from_the_table_goes_on),
      cmocka_unit_test(storage_may_be_reordered),
      cmocka_unit_test(failing_memory_leaves_the_state),
      cmocka_unit_test(damaged_spins_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
