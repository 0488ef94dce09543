/*
 * Rotation of rigid assemblies in space through the public surface: what a free top keeps, when it flips, and what
 * contacts leave of the angular momentum.
 */
#include "assembly_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Rows of the matrix of a unit quaternion, by the formula v + 2 u x (u x v + w v) for each axis. */
static void frame_of(const double q[4], double axis[3][3])
{
  for (int k = 0; k < 3; k++) {
    const double *u = q + 1;
    double v[3] = {k == 0, k == 1, k == 2}, t[3];
    for (int a = 0; a < 3; a++)
      t[a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3] + q[0] * v[a];
    for (int a = 0; a < 3; a++)
      axis[k][a] = v[a] + 2.0 * (u[(a + 1) % 3] * t[(a + 2) % 3] - u[(a + 2) % 3] * t[(a + 1) % 3]);
  }
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Angular momentum about the centre in world axes; returns the energy of rotation. axis[k]: the body's own. */
static double rotation_of(const floc_assembly_state *found, double axis[3][3], double momentum[3])
{
  frame_of(found->orientation, axis);
  const double *I = found->inertia;
  double own[3], turning[3];
  for (int k = 0; k < 3; k++) own[k] = dot(axis[k], found->angular_velocity);
  turning[0] = I[0] * own[0] + I[3] * own[1] + I[4] * own[2];
  turning[1] = I[3] * own[0] + I[1] * own[1] + I[5] * own[2];
  turning[2] = I[4] * own[0] + I[5] * own[1] + I[2] * own[2];
  for (int a = 0; a < 3; a++)
    momentum[a] = axis[0][a] * turning[0] + axis[1][a] * turning[1] + axis[2][a] * turning[2];
  return 0.5 * dot(own, turning);
}

/* Moments 1, 2, 3 about axes that are not those of the frame: their directions are the frame of this quaternion. */
static const double principal_turn[4] = {0.5, 0.1, -0.7, 0.5};

/* One ball as a body with these moments; spin: about the principal axes. */
static floc_world *make_top(double h, const double spin[3], double principal[3][3])
{
  floc_world *world = make_world(3, h, 0, 1);
  add_ball(world, 0, 0, 0, 0.1, 1);
  floc_assembly_options options = defaults();
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  frame_of(principal_turn, principal);
  for (int p = 0; p < 6; p++)
    for (int k = 0; k < 3; k++) options.inertia[p] += (k + 1) * principal[k][row[p]] * principal[k][column[p]];
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 3; k++) options.angular_velocity[a] += spin[k] * principal[k][a];
  join(world, 1, 1, &options);
  return world;
}

/* The complete elliptic integral of the first kind, by the mean of Gauss. */
static double elliptic_K(double k_squared)
{
  double a = 1.0, b = sqrt(1.0 - k_squared);
  while (fabs(a - b) > 1e-15) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 0.5 * pi / a;
}

/* Time between flips of a free body with moments 1, 2, 3 (Landau and Lifshitz, Mechanics, section 37). */
static double time_between_flips(const double spin[3])
{
  double twice_energy = spin[0] * spin[0] + 2.0 * spin[1] * spin[1] + 3.0 * spin[2] * spin[2];
  double square = spin[0] * spin[0] + 4.0 * spin[1] * spin[1] + 9.0 * spin[2] * spin[2];
  double I1 = 1.0, I3 = 3.0;
  if (square < 2.0 * twice_energy) {
    I1 = 3.0;
    I3 = 1.0;
  }
  double rate = sqrt((I3 - 2.0) * (square - twice_energy * I1) / (I1 * 2.0 * I3));
  return 2.0 * elliptic_K((2.0 - I1) * (twice_energy * I3 - square) / ((I3 - 2.0) * (square - twice_energy * I1))) /
         rate;
}

typedef struct top_run {
  double energy_error, momentum_error; /* greatest, relative */
  double period;                       /* mean time between flips; 0: fewer than two */
} top_run;

static top_run run_top(double h, int steps, const double spin[3])
{
  double principal[3][3], axis[3][3], first[3], momentum[3], before = 0.0, flips[2] = {0.0, 0.0};
  floc_world *world = make_top(h, spin, principal);
  floc_assembly_state found = state_of(world, 0);
  double energy = rotation_of(&found, axis, first);
  top_run result = {0.0, 0.0, 0.0};
  int count = 0;
  for (int step = 0; step <= steps; step++) {
    if (step > 0) run_steps(world, 1);
    found = state_of(world, 0);
    double now = rotation_of(&found, axis, momentum), square = 0.0, middle[3], about;
    for (int a = 0; a < 3; a++) square += (momentum[a] - first[a]) * (momentum[a] - first[a]);
    result.energy_error = fmax(result.energy_error, fabs(now / energy - 1.0));
    result.momentum_error = fmax(result.momentum_error, sqrt(square / dot(first, first)));
    for (int a = 0; a < 3; a++)
      middle[a] = principal[1][0] * axis[0][a] + principal[1][1] * axis[1][a] + principal[1][2] * axis[2][a];
    about = dot(middle, found.angular_velocity);
    if (step > 0 && before * about < 0.0) {
      flips[count++ > 0] = h * (step - about / (about - before));
      if (count == 1) flips[1] = flips[0];
    }
    before = about;
  }
  if (count > 1) result.period = (flips[1] - flips[0]) / (count - 1);
  floc_world_destroy(world);
  return result;
}

/* The implicit midpoint with a Cayley turn keeps both constants of a free top to rounding, whatever the step. */
static void a_free_top_keeps_energy_and_angular_momentum(void **state)
{
  (void)state;
  static const double spins[3][3] = {{1e-3, 1.0, 1e-3}, {1e-3, 1.0, -2e-2}, {0.7, -0.2, 0.4}};
  for (int k = 0; k < 3; k++)
    for (double h = 1e-3; h < 2.0; h *= 10.0) {
      top_run run = run_top(h, 10000, spins[k]);
      if (h == 1e-2)
        print_message("spin %d, 1e4 steps of %g: errors of energy %.1e, angular momentum %.1e\n", k, h,
                      run.energy_error, run.momentum_error);
      assert_true(run.energy_error < 1e-12);
      assert_true(run.momentum_error < 1e-12);
    }
}

/* Steps in which a body turns by radians are accurate no more, but still keep what is kept. */
static void a_top_in_too_long_steps_stays_finite(void **state)
{
  (void)state;
  static const double spins[3][3] = {{0.1, 1.0, 0.1}, {1.0, 1.0, 1.0}, {0.3, -0.2, 0.9}};
  for (int k = 0; k < 3; k++)
    for (double h = 2.0; h < 8.0; h += 1.7) {
      top_run run = run_top(h, 1000, spins[k]);
      assert_true(run.energy_error < 1e-12);
      assert_true(run.momentum_error < 1e-12);
    }
}

/* A body that turns about its middle axis flips again and again; the time between follows from an elliptic
 * integral, with an error of second order. */
static void a_top_flips_in_time(void **state)
{
  (void)state;
  static const double spins[2][3] = {{1e-3, 1.0, 1e-3}, {2e-2, 1.0, 1e-3}};
  for (int k = 0; k < 2; k++) {
    double exact = time_between_flips(spins[k]), error[2];
    for (int fine = 0; fine < 2; fine++) {
      top_run run = run_top(fine ? 0.025 : 0.1, fine ? 8000 : 2000, spins[k]);
      error[fine] = fabs(run.period / exact - 1.0);
    }
    print_message("time between flips: %.5f, errors %.2e (h 0.1), %.2e (h 0.025)\n", exact, error[0], error[1]);
    assert_true(error[0] < 1e-3);
    assert_true(error[1] < error[0] / 8.0); /* second order: 16 */
    assert_close(run_top(0.01, 10000, spins[k]).period, exact, 1e-4 * exact);
  }
}

/* Momentum and angular momentum of all that there is: assemblies first, then free balls. scale: sums of moduli. */
static void total_momenta(floc_world *world, int assemblies, int64_t first_free, int64_t last, double sums[6],
                          double scale[2])
{
  static const char *const names[3][3] = {
      {"x", "y", "z"}, {"vx", "vy", "vz"}, {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"}};
  memset(sums, 0, 6 * sizeof *sums);
  scale[0] = scale[1] = 0.0;
  for (int64_t k = 0; k < assemblies + last - first_free + 1; k++) {
    double x[3], v[3], turning[3] = {0, 0, 0}, axis[3][3], mass;
    if (k < assemblies) {
      floc_assembly_state found = state_of(world, (int32_t)k);
      rotation_of(&found, axis, turning);
      memcpy(x, found.position, sizeof x);
      memcpy(v, found.velocity, sizeof v);
      mass = found.mass;
    } else {
      int64_t id = first_free + k - assemblies;
      double radius = column_value(world, "radius", id), *spin;
      mass = column_value(world, "mass", id);
      int64_t count;
      for (int a = 0; a < 3; a++) {
        x[a] = column_value(world, names[0][a], id);
        v[a] = column_value(world, names[1][a], id);
        if (floc_column(world, names[2][a], &spin, &count) == FLOC_OK)
          turning[a] = 0.4 * mass * radius * radius * column_value(world, names[2][a], id);
      }
    }
    for (int a = 0; a < 3; a++) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      double orbit = mass * (x[b] * v[c] - x[c] * v[b]);
      sums[a] += mass * v[a];
      sums[3 + a] += orbit + turning[a];
      scale[0] += mass * fabs(v[a]);
      scale[1] += fabs(orbit) + fabs(turning[a]);
    }
  }
}

/* Bodies that tumble, collide and rub exchange angular momentum, and lose none. */
static void contacts_in_space_keep_angular_momentum(void **state)
{
  (void)state;
  enum { RODS = 12, BALLS = 12 };
  for (int variant = 0; variant < 4; variant++) {
    floc_world *world = make_world(3, 2e-3, 0, 1);
    floc_projection_options options;
    floc_projection_options_init(&options);
    options.friction = variant % 2 ? 0.5 : 0.0;
    options.restitution = variant / 2 ? 0.6 : 0.0;
    assert_world_ok(world, floc_world_set_projection(world, &options));
    int64_t last = 0;
    for (int k = 0; k < RODS; k++) {
      double x = 0.4 * (k % 3), y = 0.4 * (k / 3 % 2), z = 0.4 * (k / 6);
      for (int m = 0; m < 3; m++) last = add_ball(world, x + 0.1 * m, y + (m == 2 ? 0.08 : 0.0), z, 0.06, 1 + m);
      floc_assembly_options rod = defaults();
      for (int a = 0; a < 3; a++) {
        rod.velocity[a] = -(a == 0 ? x - 0.5 : a == 1 ? y - 0.2 : z - 0.2);
        rod.angular_velocity[a] = sin(1.0 + 3 * k + a) * 8.0;
      }
      join(world, last - 2, last, &rod);
    }
    for (int k = 0; k < BALLS; k++)
      last = add_ball(world, 0.4 * (k % 3) + 0.1, 0.2 + 0.4 * (k / 3 % 2), 0.2 + 0.4 * (k / 6), 0.07, 2);
    double before[6], after[6], scale[2], worst[2] = {0.0, 0.0};
    total_momenta(world, RODS, last - BALLS + 1, last, before, scale);
    int64_t active = 0;
    for (int step = 0; step < 400; step++) {
      run_steps(world, 1);
      active += step_report(world).active_contacts;
      total_momenta(world, RODS, last - BALLS + 1, last, after, scale);
      for (int c = 0; c < 6; c++) worst[c / 3] = fmax(worst[c / 3], fabs(after[c] - before[c]) / scale[c / 3]);
      memcpy(before, after, sizeof before);
    }
    print_message("friction %g, restitution %g: %d contacts; momentum %.1e, angular momentum %.1e in a step\n",
                  options.friction, options.restitution, (int)active, worst[0], worst[1]);
    assert_true(active > 30);
    assert_true(worst[0] < 1e-14);
    assert_true(worst[1] < 1e-14);
    floc_world_destroy(world);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_free_top_keeps_energy_and_angular_momentum),
      cmocka_unit_test(a_top_in_too_long_steps_stays_finite),
      cmocka_unit_test(a_top_flips_in_time),
      cmocka_unit_test(contacts_in_space_keep_angular_momentum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
