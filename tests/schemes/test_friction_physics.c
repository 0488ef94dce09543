/*
 * What friction in the projection does in experiments with known outcomes, through the public surface: bowling with
 * side spin, a sphere on an incline, stacks that stand from an angle of friction on, Coulomb's law in a collapsing
 * pile. The balance of momentum in such piles is in tests/lua/contacts_spec.lua.
 */
#include "support_projection.h"

static const double pi = 3.14159265358979323846, gravity = 10.0;

static floc_world *make_floor(int32_t dimension, double time_step, double friction, double tolerance)
{
  floc_world *world = make_world(dimension, time_step, -gravity, 1);
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = friction;
  options.tolerance = tolerance;
  set_projection(world, options);
  add_plane(world, NULL, 0.0, 1.0);
  return world;
}

/* ---- one ball ---- */

/* The speed u of the point of contact falls by 7/2 mu g without changing its direction, and the centre's by mu g:
 * when the ball rolls it has v - 2/7 u, whatever mu and the step, and what spins about the vertical continues.
 * Without spin at the start that is 5/7 v. */
static void a_bowling_ball_rolls_with_five_sevenths(void **state)
{
  (void)state;
  static const double spins[3][3] = {{0, 0, 0}, {8.0, 5.0, 0}, {-3.0, 2.0, 12.0}};
  static const char *const names[3] = {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"};
  for (int k = 0; k < 3; k++)
    for (double h = 1e-3; h < 0.02; h *= 4.0) {
      double radius = 0.1, speed = 2.0, mu = 0.25, slip[2];
      floc_world *world = make_floor(3, h, mu, 1e-12);
      int64_t id = add_ball(world, 0, radius, 0, radius, 3.0);
      set_column_value(world, "vx", id, speed);
      for (int a = 0; a < 3; a++) set_column_value(world, names[a], id, spins[k][a]);
      slip[0] = speed + radius * spins[k][2]; /* v + omega x (0, -r, 0) */
      slip[1] = -radius * spins[k][0];
      double time = 2.0 / 7.0 * hypot(slip[0], slip[1]) / (mu * gravity);
      run_steps(world, (int)(time / h) - 2); /* still sliding */
      double gone = h * ((int)(time / h) - 2), size = hypot(slip[0], slip[1]);
      assert_close(column_value(world, "vx", id), speed - mu * gravity * gone * slip[0] / size, 1e-9);
      assert_close(column_value(world, "vz", id), -mu * gravity * gone * slip[1] / size, 1e-9);
      run_steps(world, 40);
      assert_close(column_value(world, "vx", id), speed - 2.0 / 7.0 * slip[0], 1e-9);
      assert_close(column_value(world, "vz", id), -2.0 / 7.0 * slip[1], 1e-9);
      assert_close(column_value(world, names[1], id), spins[k][1], 1e-12);
      assert_close(column_value(world, names[2], id), -column_value(world, "vx", id) / radius, 1e-8);
      floc_world_destroy(world);
    }
}

/* On 20 degrees a sphere slides with g (sin - mu cos) below mu = 2/7 tan, and rolls with 5/7 g sin above; a disc
 * with 1/3 tan and 2/3 g sin. Every step adds the same, so the speed is exact. */
static void an_incline_decides_at_its_friction(void **state)
{
  (void)state;
  double angle = 20.0 * pi / 180.0, h = 1e-3;
  int steps = 200;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double share = dimension == 2 ? 1.0 / 3.0 : 2.0 / 7.0;
    const double factors[] = {0.4, 0.97, 1.03, 4.0};
    for (int k = 0; k < 4; k++) {
      double mu = factors[k] * share * tan(angle);
      floc_world *world = make_floor(dimension, h, mu, 1e-13);
      const double pull[3] = {gravity * sin(angle), -gravity * cos(angle), 0.0};
      assert_world_ok(world, floc_world_set_gravity(world, pull));
      int64_t id = add_ball(world, 0, 0.1, 0, 0.1, 2.0);
      run_steps(world, steps);
      double rate = k < 2 ? sin(angle) - mu * cos(angle) : (1.0 - share) * sin(angle);
      assert_close(column_value(world, "vx", id), gravity * rate * h * steps, 1e-10);
      assert_close(column_value(world, "y", id), 0.1, 1e-10);
      floc_world_destroy(world);
    }
  }
}

/* ---- stacks ---- */

/* Height of the one on top after the time, in radii above the lower ones; 2 cos 30 (discs), sqrt(8/3) (spheres)
 * while the stack stands. */
static double top_of_stack(int32_t dimension, double friction, double time)
{
  double h = 1e-3, radius = 0.1;
  floc_world *world = make_floor(dimension, h, friction, 1e-10);
  int64_t top;
  if (dimension == 2) {
    add_ball(world, -radius, radius, 0, radius, 1);
    add_ball(world, radius, radius, 0, radius, 1);
    top = add_ball(world, 0, radius * (1.0 + sqrt(3.0)), 0, radius, 1);
  } else {
    double ring = 2.0 * radius / sqrt(3.0);
    for (int k = 0; k < 3; k++)
      add_ball(world, ring * cos(2.0 * pi * k / 3.0), radius, ring * sin(2.0 * pi * k / 3.0), radius, 1);
    top = add_ball(world, 0, radius * (1.0 + sqrt(8.0 / 3.0)), 0, radius, 1);
  }
  run_steps(world, (int)(time / h));
  double height = column_value(world, "y", top) / radius - 1.0;
  assert_int_equal(step_report(world).unconverged_steps, 0);
  floc_world_destroy(world);
  return height;
}

/* The force on a lower one goes from the floor to the contact above, so half the angle of that contact against the
 * vertical must be within the cone: 15 degrees for discs, 17.63 for spheres. */
static void stacks_stand_from_their_angle_on(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double upright = dimension == 2 ? sqrt(3.0) : sqrt(8.0 / 3.0);
    double least = tan(0.5 * acos(0.5 * upright)); /* 0.2679, 0.3178 */
    assert_close(least, tan((dimension == 2 ? 15.0 : 17.632) * pi / 180.0), 1e-5);
    double stands = top_of_stack(dimension, 1.008 * least, 3.0),
           falls = top_of_stack(dimension, 0.992 * least, 3.0);
    print_message("%d-D: mu %.4f: top at %.6f of %.6f radii; mu %.4f: at %.3f\n", dimension, 1.008 * least, stands,
                  upright, 0.992 * least, falls);
    assert_close(stands, upright, 1e-4);
    assert_true(falls < 0.5 * upright);
  }
}

/* ---- a pile ---- */

enum { PILE = 105 };

typedef struct place {
  double x[3], v[3], spin[3], radius;
} place;

static void read_places(floc_world *world, place *made)
{
  static const char *const names[9] = {
      "x", "y", "z", "vx", "vy", "vz", "angular_velocity_x", "angular_velocity_y", "angular_velocity_z"};
  const int64_t *slots;
  double *values;
  int64_t count;
  assert_world_ok(world, floc_particle_ids(world, NULL, &slots, &count));
  for (int c = 0; c < 9; c++) {
    bool there = floc_column(world, names[c], &values, &count) == FLOC_OK; /* in the plane there is one spin */
    for (int k = 0; k < PILE; k++)
      (c < 3 ? made[k].x : c < 6 ? made[k].v : made[k].spin)[c % 3] = there ? values[slots[k]] : 0.0;
  }
  assert_world_ok(world, floc_column(world, "radius", &values, &count));
  for (int k = 0; k < PILE; k++) made[k].radius = values[slots[k]];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Velocity of the second surface against the first across the normal, at the middle of the gap that there was
 * before. */
static void slip_of(const floc_contact *contact, const place *before, const place *after, double slip[3])
{
  const double *n = contact->normal;
  int64_t i = contact->id_i - 1, j = contact->id_j - 1;
  double half = 0.0, turn[3];
  if (j >= 0) {
    double way[3];
    for (int a = 0; a < 3; a++) way[a] = before[j].x[a] - before[i].x[a];
    half = 0.5 * (sqrt(dot(way, way)) - before[i].radius - before[j].radius);
  }
  for (int a = 0; a < 3; a++) {
    turn[a] = after[i].spin[a] * (after[i].radius + half);
    slip[a] = -after[i].v[a];
    if (j >= 0) turn[a] += after[j].spin[a] * (after[j].radius + half);
    if (j >= 0) slip[a] += after[j].v[a];
  }
  for (int a = 0; a < 3; a++) slip[a] -= turn[(a + 1) % 3] * n[(a + 2) % 3] - turn[(a + 2) % 3] * n[(a + 1) % 3];
  double along = dot(slip, n);
  for (int a = 0; a < 3; a++) slip[a] -= along * n[a];
}

typedef struct coulomb_check {
  double beyond, short_of; /* greatest excess over mu p, and what sliding ones lack of it, over mu p */
  double askew;            /* greatest distance of friction from -mu p slip/|slip|, over mu p */
  int loaded, sliding;
} coulomb_check;

static void check_step(floc_world *world, double mu, const place *before, coulomb_check *check)
{
  floc_contact contact[8 * PILE];
  place after[PILE];
  int64_t count;
  for (int k = 0; k < 8 * PILE; k++) contact[k].struct_size = sizeof *contact;
  assert_world_ok(world, floc_world_get_contacts(world, contact, 8 * PILE, &count));
  assert_true(count <= 8 * PILE);
  read_places(world, after);
  for (int64_t c = 0; c < count; c++) {
    const double *friction = contact[c].friction;
    double limit = mu * contact[c].impulse, slip[3], size = sqrt(dot(friction, friction)), askew = 0.0;
    if (!(contact[c].impulse > 0.0)) {
      assert_true(size == 0.0);
      continue;
    }
    check->loaded++;
    check->beyond = fmax(check->beyond, size / limit - 1.0);
    slip_of(&contact[c], before, after, slip);
    double speed = sqrt(dot(slip, slip));
    if (speed < 1e-3) continue;
    check->sliding++;
    check->short_of = fmax(check->short_of, 1.0 - size / limit);
    for (int a = 0; a < 3; a++) askew = fmax(askew, fabs(friction[a] + limit * slip[a] / speed));
    check->askew = fmax(check->askew, askew / limit);
  }
}

/* A column that collapses: at every contact |P_t| <= mu p, and where it slides P_t = -mu p slip/|slip|. */
static void a_collapsing_pile_obeys_coulomb(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    double mu = 0.4, h = 1e-3;
    floc_world *world = make_floor(dimension, h, mu, 1e-12);
    for (int k = 0; k < PILE; k++) {
      int across = dimension == 2 ? k % 5 : k % 3, deep = dimension == 2 ? 0 : k / 3 % 3,
          level = k / (dimension == 2 ? 5 : 9);
      double radius = 0.04 + 0.002 * (k * 7 % 6), lean = 0.02 * level;
      add_ball(world, 0.102 * across + lean, 0.06 + 0.102 * level, 0.102 * deep + 0.01 * (level % 2), radius, 1.0);
    }
    coulomb_check check = {0};
    for (int step = 0; step < 300; step++) {
      place before[PILE];
      read_places(world, before);
      run_steps(world, 1);
      check_step(world, mu, before, &check);
    }
    print_message("%d-D: %d contacts, %d slide: beyond the cone %.1e, inside it while sliding %.1e, askew %.1e\n",
                  dimension, check.loaded, check.sliding, check.beyond, check.short_of, check.askew);
    assert_true(check.loaded > 1000 && check.sliding > 200);
    assert_true(check.beyond < 1e-14);
    assert_true(check.short_of < 1e-14);
    assert_true(check.askew < (dimension == 2 ? 1e-13 : 1e-6)); /* in space the direction is iterated */
    floc_world_destroy(world);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bowling_ball_rolls_with_five_sevenths),
      cmocka_unit_test(an_incline_decides_at_its_friction),
      cmocka_unit_test(stacks_stand_from_their_angle_on),
      cmocka_unit_test(a_collapsing_pile_obeys_coulomb),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
