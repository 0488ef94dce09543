/*
 * Flow and noise in the projection and in discrete elements: the stationary state of the bath, and what a flow
 * turns.
 *
 * Closed forms: <v^2> = sigma^2 tau/(2 m^2); half the vorticity; relaxation with 0.3 tau (ball), 0.375 tau (disc);
 * rods of n touching spheres of radius a with the drag and the viscous torque of each sphere tumble in a shear g
 * with Jeffery's period (2 pi/g)(e + 1/e), e^2 = (1 + B)/(1 - B), B = S/(S + 4n/3), S = sum of x_i^2/a^2 over
 * places x_i.
 */
#include "support_world.h"

#include <stdbool.h>
#include <string.h>

typedef enum way { EXPLICIT, EXPONENTIAL, VERLET, TRAPEZOIDAL, WAYS } way;

static void choose(floc_world *world, way by, bool rotation)
{
  floc_projection_options projection;
  floc_discrete_element_options element;
  floc_projection_options_init(&projection);
  floc_discrete_element_options_init(&element);
  projection.rotation = element.rotation = rotation;
  element.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  element.stiffness = 100.0;
  element.integrator = by == VERLET ? FLOC_INTEGRATOR_VELOCITY_VERLET : FLOC_INTEGRATOR_TRAPEZOIDAL;
  element.adaptive = false;
  if (by == VERLET || by == TRAPEZOIDAL)
    assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  else
    assert_world_ok(world, floc_world_set_projection(world, &projection));
}

static floc_flow_options flow_of(int32_t kind, double rate, double relaxation_time, way by)
{
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = kind;
  flow.rate = rate;
  flow.relaxation_time = relaxation_time;
  flow.exponential = by == EXPONENTIAL;
  return flow;
}

static double *column_of(floc_world *world, const char *name)
{
  double *values;
  int64_t count;
  assert_world_ok(world, floc_column(world, name, &values, &count));
  return values;
}

static const char *spin_name(way by)
{
  return by == VERLET || by == TRAPEZOIDAL ? "wz" : "angular_velocity_z";
}

/* ---- the bath ---- */

enum { BATH_PARTICLES = 4096 };

/* Far apart, on a square lattice. */
static floc_world *make_bath(way by, double h, double tau, double sigma, double mass, int32_t threads)
{
  floc_world *world = make_world(2, h, 0.0, threads);
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = sigma;
  for (int k = 0; k < BATH_PARTICLES; k++) add_particle(world, 1e3 * (k % 64), 1e3 * (k / 64), 0, 0, 1e-3);
  double *masses = column_of(world, "mass");
  for (int k = 0; k < BATH_PARTICLES; k++) masses[k] = mass;
  choose(world, by, false);
  floc_flow_options flow = flow_of(FLOC_FLOW_STILL, 1.0, tau, by);
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  assert_world_ok(world, floc_world_set_noise(world, &noise));
  return world;
}

static double mean_square(floc_world *world)
{
  double sum = 0.0;
  const double *vx = column_of(world, "vx"), *vy = column_of(world, "vy");
  for (int k = 0; k < BATH_PARTICLES; k++) sum += vx[k] * vx[k] + vy[k] * vy[k];
  return sum / (2.0 * BATH_PARTICLES);
}

/* Means over independent moments: 8192 components at 6 moments are known to 0.9 % at three standard errors. */
static void velocities_have_the_temperature_at_any_step(void **state)
{
  (void)state;
  static const double ratios[] = {0.2, 1.0, 20.0};
  const double tau = 0.5, sigma = 2.0, mass = 3.0, wanted = sigma * sigma * tau / (2.0 * mass * mass);
  for (way by = EXPLICIT; by < WAYS; by++)
    for (int n = 0; n < 3; n++) {
      double ratio = ratios[n], sum = 0.0;
      if (by == EXPLICIT && ratio >= 2.0) continue; /* not stable */
      floc_world *world = make_bath(by, ratio * tau, tau, sigma, mass, 1);
      int apart = ratio < 1.0 ? 15 : 4;
      for (int moment = 0; moment < 6; moment++) {
        run_steps(world, moment == 0 ? 2 * apart : apart);
        sum += mean_square(world) / 6.0;
      }
      double bias = by == EXPLICIT ? 1.0 / (1.0 - 0.5 * ratio) : 1.0;
      assert_close(sum / wanted, bias, 0.012 * bias);
      floc_world_destroy(world);
    }
}

/* Without a flow noise is a random walk of velocities: <v^2> = sigma^2 t/m^2. */
static void noise_alone_heats(void **state)
{
  (void)state;
  for (way by = EXPLICIT; by < WAYS; by++) {
    floc_world *world = make_bath(by, 0.1, 1.0, 2.0, 3.0, 1);
    floc_flow_options none = flow_of(FLOC_FLOW_NONE, 1.0, 1.0, by);
    assert_world_ok(world, floc_world_set_flow(world, &none));
    run_steps(world, 20);
    assert_close(mean_square(world) * 9.0 / (4.0 * 2.0), 1.0, 0.05);
    floc_world_destroy(world);
  }
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

static void the_bath_does_not_know_threads(void **state)
{
  (void)state;
  for (way by = EXPLICIT; by < WAYS; by++) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
      floc_world *world = make_bath(by, 0.1, 1.0, 2.0, 3.0, k == 0 ? 1 : 3);
      run_steps(world, 5);
      hash[k] = hash_of(world);
      floc_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
  }
}

/* Drag alone, under a force: v = (f/m) tau (1 - e^{-t/tau}); the splitting is of second order. */
static void drag_brings_to_the_final_velocity(void **state)
{
  (void)state;
  for (way by = EXPONENTIAL; by < WAYS; by++) {
    floc_world *world = make_world(2, 0.01, -2.0, 1);
    add_particle(world, 0, 0, 0, 0, 0.1);
    choose(world, by, false);
    floc_flow_options flow = flow_of(FLOC_FLOW_UNIFORM, 1.0, 0.5, by);
    flow.velocity[0] = 3.0;
    assert_world_ok(world, floc_world_set_flow(world, &flow));
    run_steps(world, 100);
    double done = 1.0 - exp(-2.0);
    assert_close(column_of(world, "vx")[0], 3.0 * done, 1e-12);
    assert_close(column_of(world, "vy")[0], -1.0 * done, by == EXPONENTIAL ? 1e-12 : 1e-4);
    floc_world_destroy(world);
  }
}

/* ---- rotation ---- */

/* U = (g z, 3 x, -2 y) in space, (2 y^2, 3 x) in the plane. */
static floc_status curled(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  bool plane = *(const bool *)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = plane ? 2.0 * inputs[1][k] * inputs[1][k] : 0.5 * inputs[2][k];
    outputs[1][k] = 3.0 * inputs[0][k];
    if (!plane) outputs[2][k] = -2.0 * inputs[1][k];
  }
  return FLOC_OK;
}

static void particles_turn_with_half_the_vorticity(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (way by = EXPLICIT; by < WAYS; by++) {
      double tau = 0.4, relaxation = (dimension == 2 ? 0.375 : 0.3) * tau;
      floc_world *world = make_world(dimension, 0.01, 0.0, 1);
      add_particle(world, 0, 0, 0, 0, 0.1);
      choose(world, by, true);
      floc_flow_options flow = flow_of(FLOC_FLOW_SHEAR, 2.0, tau, by);
      assert_world_ok(world, floc_world_set_flow(world, &flow));
      run_steps(world, 10);
      assert_close(column_of(world, spin_name(by))[0], -(1.0 - exp(-0.1 / relaxation)), 1e-12);
      run_steps(world, 500);
      assert_close(column_of(world, spin_name(by))[0], -1.0, 1e-12);
      flow.kind = FLOC_FLOW_ROTATION;
      assert_world_ok(world, floc_world_set_flow(world, &flow));
      run_steps(world, 500);
      assert_close(column_of(world, spin_name(by))[0], 2.0, 1e-12);
      floc_world_destroy(world);
    }
}

static void functions_turn_as_their_curl(void **state)
{
  (void)state;
  static const char *const inputs[] = {"x", "y", "z"};
  static const char *const names[2][3] = {{"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"},
                                          {"wx", "wy", "wz"}};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (way by = EXPLICIT; by < WAYS; by++) {
      bool plane = dimension == 2;
      floc_world *world = make_world(dimension, 1e-6, 0.0, 1);
      add_particle(world, 0.2, 0.3, 0, 0, 0.1);
      choose(world, by, true);
      floc_flow_options flow = flow_of(FLOC_FLOW_FUNCTION, 1.0, 1e-7, EXPONENTIAL);
      flow.function.inputs = inputs;
      flow.function.input_count = flow.function.output_count = dimension;
      flow.function.function = curled;
      flow.function.context = &plane;
      assert_world_ok(world, floc_world_set_flow(world, &flow));
      run_steps(world, 1);
      const char *const *name = names[by >= VERLET];
      assert_close(column_of(world, name[2])[0], plane ? 0.5 * (3.0 - 4.0 * 0.3) : 1.5, 1e-5);
      if (!plane) {
        assert_close(column_of(world, name[0])[0], -1.0, 1e-5);
        assert_close(column_of(world, name[1])[0], 0.25, 1e-5);
      }
      floc_world_destroy(world);
    }
}

/* The medium of discrete elements: 8 pi c r^3. */
static void the_medium_turns_elements(void **state)
{
  (void)state;
  bool plane = false;
  floc_world *world = make_world(3, 1e-4, 0.0, 1);
  add_particle(world, 0.2, 0.3, 0, 0, 0.1);
  floc_discrete_element_options element;
  floc_discrete_element_options_init(&element);
  element.rotation = true;
  element.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  element.viscosity = 1.0;
  element.medium_flow = curled;
  element.medium_flow_context = &plane;
  assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  double tau = 1.0 / (6.0 * 3.141592653589793 * 0.1), time = 0.05;
  run_steps(world, 500);
  assert_close(column_of(world, "wz")[0], 1.5 * (1.0 - exp(-time / (0.3 * tau))), 2e-4); /* of first order in h */
  run_steps(world, 40000);
  assert_close(column_of(world, "wx")[0], -1.0, 1e-9);
  assert_close(column_of(world, "wy")[0], 0.25, 1e-9);
  assert_close(column_of(world, "wz")[0], 1.5, 1e-9);
  floc_world_destroy(world);
}

/* ---- rods ---- */

static double period_of_model(int n)
{
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += pow(2.0 * k - (n - 1), 2.0);
  double B = sum / (sum + 4.0 * n / 3.0), e = sqrt((1.0 + B) / (1.0 - B));
  return 2.0 * 3.141592653589793 * (e + 1.0 / e);
}

static void add_rod(floc_world *world, int n)
{
  int64_t ids[8];
  floc_assembly_options options;
  floc_assembly_options_init(&options);
  for (int k = 0; k < n; k++) ids[k] = add_particle(world, 0, 2.0 * k - (n - 1), 0, 0, 1.0);
  assert_world_ok(world, floc_assembly_add(world, ids, n, &options, NULL));
}

/* From one time at which the rod stands across the flow to the next. */
static double measured_period(floc_world *world, int n, double h)
{
  double before = 0.0, first = -1.0;
  for (int k = 1; k < 1000000; k++) {
    run_steps(world, 1);
    const double *x = column_of(world, "x");
    double across = x[n - 1] - x[0];
    if (k > 10 && before * across < 0.0) {
      double time = h * (k - 1 + before / (before - across));
      if (first >= 0.0) return 2.0 * (time - first);
      first = time;
    }
    before = across;
  }
  return 0.0;
}

static void rods_tumble_with_the_period_of_their_drag(void **state)
{
  (void)state;
  assert_close(period_of_model(2), 13.908, 1e-3);
  assert_close(period_of_model(3), 16.859, 1e-3);
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int n = 2; n <= 3; n++)
      for (way by = EXPLICIT; by <= EXPONENTIAL; by++) {
        double tau = 2e-3, h = 1e-3; /* the rod's inertia must not matter: the period is that of slow rods */
        floc_world *world = make_world(dimension, h, 0.0, 1);
        choose(world, by, false);
        add_rod(world, n);
        floc_flow_options flow = flow_of(FLOC_FLOW_SHEAR, 1.0, tau, by);
        assert_world_ok(world, floc_world_set_flow(world, &flow));
        assert_close(measured_period(world, n, h) / period_of_model(n), 1.0, 1e-3);
        floc_world_destroy(world);
      }
}

/* ---- a priori ---- */

static floc_status spun(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = inputs[0][k];
    outputs[1][k] = -1.0;
    outputs[2][k] = 7.0;
  }
  return FLOC_OK;
}

static floc_law_options spinning_law(void)
{
  static const char *const inputs[] = {"vx"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = spun;
  law.inputs = inputs;
  law.input_count = 1;
  law.output_count = 3;
  return law;
}

static void the_host_may_give_an_angular_velocity(void **state)
{
  (void)state;
  floc_law_options law = spinning_law();
  floc_world *world = make_world(2, 0.1, 0.0, 1);
  add_particle(world, 0, 0, 2, 0, 0.5);
  choose(world, EXPLICIT, true);
  assert_world_ok(world, floc_world_set_a_priori(world, &law));
  run_steps(world, 3);
  assert_close(column_of(world, "angular_velocity_z")[0], 7.0, 1e-15);
  assert_close(column_of(world, "angle")[0], 2.1, 1e-14);
  assert_close(column_of(world, "vx")[0], 2.0, 1e-15);
  floc_world_destroy(world);
  world = make_world(2, 0.1, 0.0, 1); /* nothing turns */
  add_particle(world, 0, 0, 2, 0, 0.5);
  assert_world_ok(world, floc_world_set_a_priori(world, &law));
  assert_int_equal(floc_world_step(world), FLOC_NOT_SUPPORTED);
  assert_true(strstr(floc_world_message(world), "nothing rotates") != NULL);
  law.output_count = 4; /* two or three in the plane */
  assert_int_equal(floc_world_set_a_priori(world, &law), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

/* One member alone: the assembly takes all of what its member is to turn. */
static void an_assembly_takes_it_from_its_members(void **state)
{
  (void)state;
  floc_law_options law = spinning_law();
  floc_world *world = make_world(2, 0.1, 0.0, 1);
  int64_t id = add_particle(world, 0, 0, 2, 0, 0.5);
  floc_assembly_options options;
  floc_assembly_options_init(&options);
  options.inertia[2] = 0.25; /* the member's own is 1/2 m r^2 = 0.125 */
  assert_world_ok(world, floc_assembly_add(world, &id, 1, &options, NULL));
  assert_world_ok(world, floc_world_set_a_priori(world, &law));
  run_steps(world, 1);
  floc_assembly_state found = {.struct_size = sizeof found};
  assert_world_ok(world, floc_assembly_get_state(world, 0, &found));
  assert_close(found.angular_velocity[2], 3.5, 1e-14);
  floc_world_destroy(world);
}

/* ---- rotation without friction ---- */

static void a_free_disc_turns_on(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.rotation = true;
  assert_world_ok(world, floc_world_set_projection(world, &projection));
  add_particle(world, 0, 0, 0, 0, 1.0);
  add_particle(world, 2.0, 0, -1, 0, 1.0); /* pressed against it: no friction, nothing is handed on */
  column_of(world, "angular_velocity_z")[0] = 2.0;
  run_steps(world, 100);
  assert_close(column_of(world, "angle")[0], 2.0, 1e-12);
  assert_close(column_of(world, "angular_velocity_z")[0], 2.0, 0.0);
  assert_close(column_of(world, "angle")[1], 0.0, 0.0);
  floc_step_report report = {.struct_size = sizeof report};
  assert_world_ok(world, floc_world_get_report(world, &report));
  assert_close(report.kinetic_energy, 0.5 * 0.5 * 4.0 + 2.0 * 0.5 * 0.25, 1e-9);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocities_have_the_temperature_at_any_step),
      cmocka_unit_test(noise_alone_heats),
      cmocka_unit_test(the_bath_does_not_know_threads),
      cmocka_unit_test(drag_brings_to_the_final_velocity),
      cmocka_unit_test(particles_turn_with_half_the_vorticity),
      cmocka_unit_test(functions_turn_as_their_curl),
      cmocka_unit_test(the_medium_turns_elements),
      cmocka_unit_test(rods_tumble_with_the_period_of_their_drag),
      cmocka_unit_test(the_host_may_give_an_angular_velocity),
      cmocka_unit_test(an_assembly_takes_it_from_its_members),
      cmocka_unit_test(a_free_disc_turns_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
