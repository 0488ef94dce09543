/*
 * Kinds of laws beyond a plain normal force: with memory, across the line of centres, with energy, at walls, rates
 * of change, parameters. The measure is the scheme's own friction: the same law through floc_pair_law_add must give
 * the same motion.
 */
#include "failing_allocator.h"
#include "support_world.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double K = 1e4, DAMPING = 2.0, KT = 4e3, DAMPING_T = 1.0, FRICTION = 0.4;

/* ---- the scheme's friction, as a law ---- */

static const char *const friction_inputs[] = {"overlap",  "normal_velocity", "slip_x",   "slip_y",
                                              "slip_z",   "normal_x",        "normal_y", "normal_z",
                                              "spring_x", "spring_y",        "spring_z", "time_step"};
static const char *const friction_outputs[] = {"normal",   "tangential_x", "tangential_y", "tangential_z",
                                               "spring_x", "spring_y",     "spring_z"};
static const char *const friction_memory[] = {"spring_x", "spring_y", "spring_z"};

/* One contact; everything is as i sees it, tangential is on j. */
static void friction_law(const double *in, double *out)
{
  memset(out, 0, 7 * sizeof *out);
  if (!(in[0] > 0.0)) return;
  double normal = K * in[0] - DAMPING * in[1], spring[3], force[3], along = 0.0, square = 0.0;
  for (int k = 0; k < 3; k++) {
    spring[k] = in[8 + k] + in[11] * in[2 + k];
    along += spring[k] * in[5 + k];
  }
  for (int k = 0; k < 3; k++) {
    spring[k] -= along * in[5 + k];
    force[k] = KT * spring[k] + DAMPING_T * in[2 + k];
    square += force[k] * force[k];
  }
  double limit = FRICTION * (normal > 0.0 ? normal : 0.0);
  if (square > limit * limit) {
    double factor = limit / sqrt(square);
    for (int k = 0; k < 3; k++) {
      force[k] *= factor;
      spring[k] = (force[k] - DAMPING_T * in[2 + k]) / KT;
    }
  }
  out[0] = normal;
  for (int k = 0; k < 3; k++) {
    out[1 + k] = -force[k];
    out[4 + k] = spring[k];
  }
}

static floc_status friction_kernel(void *context, int32_t count, const double *const *inputs,
                                   double *const *outputs)
{
  (void)context;
  for (int32_t row = 0; row < count; row++) {
    double in[12], out[7];
    for (int k = 0; k < 12; k++) in[k] = inputs[k][row];
    friction_law(in, out);
    for (int k = 0; k < 7; k++) outputs[k][row] = out[k];
  }
  return FLOC_OK;
}

static floc_law_options friction_options(void)
{
  floc_law_options options;
  floc_law_options_init(&options);
  options.name = "friction";
  options.function = friction_kernel;
  options.parallel = true;
  options.inputs = friction_inputs;
  options.input_count = 12;
  options.outputs = friction_outputs;
  options.output_count = 7;
  options.memory = friction_memory;
  options.memory_count = 3;
  return options;
}

static void set_scheme(floc_world *world, bool own_forces)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.rotation = true;
  options.contact_force = own_forces ? FLOC_CONTACT_FORCE_HOOKE : FLOC_CONTACT_FORCE_NONE;
  if (own_forces) {
    options.stiffness = K;
    options.damping = DAMPING;
    options.friction = FLOC_FRICTION_SPRING;
    options.friction_stiffness = KT;
    options.friction_damping = DAMPING_T;
    options.friction_static = options.friction_dynamic = FRICTION;
  }
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
}

/* A cloud that falls together: many contacts that come and go, and storage that is sorted. */
static floc_world *make_cloud(int32_t dimension, bool own_forces, int32_t threads)
{
  floc_world *world = make_world(dimension, 2e-4, 0.0, threads);
  set_scheme(world, own_forces);
  floc_insertion_options cloud;
  floc_insertion_options_init(&cloud);
  cloud.count = 300;
  for (int k = 0; k < 3; k++) {
    cloud.region_lower[k] = -1.0;
    cloud.region_upper[k] = 1.0;
  }
  cloud.radius_lower = dimension == 2 ? 0.03 : 0.08;
  cloud.radius_upper = dimension == 2 ? 0.05 : 0.12;
  int64_t first, count;
  assert_world_ok(world, floc_particles_insert(world, &cloud, &first));
  double *x[3], *v[3];
  static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz"};
  for (int k = 0; k < dimension; k++) {
    assert_world_ok(world, floc_column(world, names[k], &x[k], &count));
    assert_world_ok(world, floc_column(world, names[3 + k], &v[k], &count));
  }
  for (int64_t i = 0; i < count; i++) {
    for (int k = 0; k < dimension; k++) v[k][i] = -3.0 * x[k][i];
    v[0][i] += 2.0 * x[1][i]; /* some shear, for friction */
  }
  return world;
}

static void add_friction(floc_world *world)
{
  floc_law_options options = friction_options();
  assert_world_ok(world, floc_pair_law_add(world, &options, NULL));
}

static void a_law_with_memory_is_the_schemes_friction(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *own = make_cloud(dimension, true, 1), *law = make_cloud(dimension, false, 1);
    add_friction(law);
    run_steps(own, 400);
    run_steps(law, 400);
    double worst = 0.0, spin = 0.0;
    for (int64_t id = 1; id <= 300; id++) {
      worst = fmax(worst, fabs(column_value(own, "x", id) - column_value(law, "x", id)));
      worst = fmax(worst, fabs(column_value(own, "vy", id) - column_value(law, "vy", id)));
      worst = fmax(worst, fabs(column_value(own, "wz", id) - column_value(law, "wz", id)));
      spin = fmax(spin, fabs(column_value(law, "wz", id)));
    }
    assert_true(spin > 1.0);
    assert_true(worst < 1e-6); /* rounding grows in collisions */
    floc_world_destroy(own);
    floc_world_destroy(law);
  }
}

static void threads_and_resume_give_the_same_bits(void **state)
{
  (void)state;
  char path[] = "test_kinds_XXXXXX";
  int file = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(file >= 0);
  close(file);
  floc_world *one = make_cloud(3, false, 1), *three = make_cloud(3, false, 3), *resumed = make_cloud(3, false, 2);
  add_friction(one);
  add_friction(three);
  add_friction(resumed);
  run_steps(one, 300);
  run_steps(three, 150);
  assert_world_ok(three, floc_world_save(three, path, 1));
  assert_world_ok(resumed, floc_world_load(resumed, path));
  run_steps(three, 150);
  run_steps(resumed, 150);
  assert_true(world_hash(one) == world_hash(three));
  assert_true(world_hash(one) == world_hash(resumed));
  floc_world_destroy(one);
  floc_world_destroy(three);
  floc_world_destroy(resumed);
  unlink(path);
}

/* Momentum and angular momentum of the cloud stay what they were. */
static void momentum_is_kept(void **state)
{
  (void)state;
  floc_world *world = make_cloud(2, false, 2);
  add_friction(world);
  double before[2], after[2];
  for (int when = 0; when < 2; when++) {
    double *to = when == 0 ? before : after;
    to[0] = to[1] = 0.0;
    for (int64_t id = 1; id <= 300; id++) {
      double x = column_value(world, "x", id), y = column_value(world, "y", id);
      double vx = column_value(world, "vx", id), vy = column_value(world, "vy", id);
      double radius = column_value(world, "radius", id);
      to[0] += vx;
      to[1] += x * vy - y * vx + 0.5 * radius * radius * column_value(world, "wz", id);
    }
    if (when == 0) run_steps(world, 400);
  }
  assert_close(after[0], before[0], 1e-9);
  assert_close(after[1], before[1], 1e-9);
  floc_world_destroy(world);
}

/* ---- a failed step ---- */

static floc_status fails_at(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  int *left = context;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = outputs[1][k] = 0.0;
  return (*left)-- > 0 ? FLOC_OK : FLOC_CALLBACK_FAILED;
}

static void a_failed_step_forgets_nothing(void **state)
{
  (void)state;
  floc_world *world = make_cloud(2, false, 1);
  add_friction(world);
  int left = 1 << 30;
  floc_law_options bad;
  floc_law_options_init(&bad);
  bad.function = fails_at;
  bad.context = &left;
  bad.output_count = 2;
  assert_world_ok(world, floc_field_add(world, &bad, NULL));
  run_steps(world, 300);
  left = 0;
  assert_int_equal(floc_world_step(world), FLOC_CALLBACK_FAILED);
  left = 1 << 30;
  run_steps(world, 20);
  floc_world *again = make_cloud(2, false, 1);
  add_friction(again);
  assert_world_ok(again, floc_field_add(again, &bad, NULL));
  run_steps(again, 320);
  assert_true(world_hash(world) == world_hash(again));
  floc_world_destroy(world);
  floc_world_destroy(again);
}

/* ---- many particles: pairs across blocks ---- */

enum { CROWD = 5000 };

static const char *const soft_inputs[] = {"overlap", "tangential_velocity"};
static const char *const soft_outputs[] = {"normal", "energy", "tangential"};

/* Repels as soon as surfaces are nearer than 0.05; context: the friction across. */
static floc_status soft_kernel(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  double across = *(double *)context;
  for (int32_t k = 0; k < count; k++) {
    double depth = inputs[0][k] + 0.05;
    outputs[0][k] = 40.0 * depth;
    outputs[1][k] = 20.0 * depth * depth;
    outputs[2][k] = -across * inputs[1][k];
  }
  return FLOC_OK;
}

static floc_status no_field(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context, (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = outputs[1][k] = outputs[2][k] = 0.0;
  return FLOC_OK;
}

/* In the order of insertion neighbours are anywhere in the table, so most pairs are across blocks. */
static floc_world *make_crowd(int32_t threads, double *across)
{
  floc_world *world = make_world(3, 1e-4, 0.0, threads);
  set_scheme(world, false);
  floc_insertion_options crowd;
  floc_insertion_options_init(&crowd);
  crowd.count = CROWD;
  for (int k = 0; k < 3; k++) {
    crowd.region_lower[k] = -1.5;
    crowd.region_upper[k] = 1.5;
  }
  crowd.radius_lower = 0.04;
  crowd.radius_upper = 0.06;
  int64_t first, count;
  assert_world_ok(world, floc_particles_insert(world, &crowd, &first));
  double *x, *y, *vx, *vy;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  assert_world_ok(world, floc_column(world, "y", &y, &count));
  assert_world_ok(world, floc_column(world, "vx", &vx, &count));
  assert_world_ok(world, floc_column(world, "vy", &vy, &count));
  for (int64_t i = 0; i < count; i++) {
    vx[i] = 2.0 * y[i] - x[i];
    vy[i] = -3.0 * y[i];
  }
  floc_law_options options;
  floc_law_options_init(&options);
  options.function = soft_kernel;
  options.context = across;
  options.parallel = true;
  options.inputs = soft_inputs;
  options.input_count = 2;
  options.outputs = soft_outputs;
  options.output_count = 3;
  options.range = 0.05;
  assert_world_ok(world, floc_pair_law_add(world, &options, NULL));
  return world;
}

static double *crowd_column(floc_world *world, const char *name)
{
  double *values;
  int64_t count;
  assert_world_ok(world, floc_column(world, name, &values, &count));
  assert_int_equal(count, CROWD);
  return values;
}

static void forces_are_the_sums_over_all_pairs(void **state)
{
  (void)state;
  double across = 0.0, energy = 0.0, given;
  floc_world *world = make_crowd(2, &across);
  run_steps(world, 1);
  const double *x = crowd_column(world, "x"), *y = crowd_column(world, "y"), *z = crowd_column(world, "z");
  const double *radius = crowd_column(world, "radius"), *fx = crowd_column(world, "fx");
  double *sum = calloc(CROWD, sizeof *sum);
  assert_non_null(sum);
  int64_t found = 0;
  for (int i = 0; i < CROWD; i++)
    for (int j = i + 1; j < CROWD; j++) {
      double way[3] = {x[j] - x[i], y[j] - y[i], z[j] - z[i]};
      double distance = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      double depth = radius[i] + radius[j] + 0.05 - distance;
      if (!(depth > 0.0)) continue;
      found++;
      energy += 20.0 * depth * depth;
      sum[i] -= 40.0 * depth * way[0] / distance;
      sum[j] += 40.0 * depth * way[0] / distance;
    }
  assert_true(found > CROWD / 2);
  for (int i = 0; i < CROWD; i++) assert_close(fx[i], sum[i], 1e-12);
  assert_world_ok(world, floc_law_get_energy(world, FLOC_LAW_PAIR, 0, &given));
  assert_close(given, energy, 1e-12 * energy);
  free(sum);
  floc_world_destroy(world);
}

/* Threads do not matter, nor whether other laws make the scheme go through the table's columns. */
static void blocks_give_the_same_bits(void **state)
{
  (void)state;
  static const char *const names[] = {"x", "vy", "wx", "wz", "fz"};
  double across = 3.0;
  floc_world *one = make_crowd(1, &across);
  add_friction(one);
  run_steps(one, 10);
  for (int way = 0; way < 2; way++) {
    floc_world *other = make_crowd(3, &across);
    add_friction(other);
    floc_law_options field;
    floc_law_options_init(&field);
    field.function = no_field;
    field.output_count = 3;
    if (way == 1) assert_world_ok(other, floc_field_add(other, &field, NULL));
    run_steps(other, 10);
    if (way == 0) assert_true(world_hash(one) == world_hash(other));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      assert_memory_equal(crowd_column(one, names[k]), crowd_column(other, names[k]), CROWD * sizeof(double));
    floc_world_destroy(other);
  }
  floc_world_destroy(one);
}

static void momentum_is_kept_across_blocks(void **state)
{
  (void)state;
  double across = 3.0, before[2], after[2], spin = 0.0;
  floc_world *world = make_crowd(2, &across);
  for (int when = 0; when < 2; when++) {
    double *to = when == 0 ? before : after;
    const double *x = crowd_column(world, "x"), *y = crowd_column(world, "y"), *mass = crowd_column(world, "mass");
    const double *vx = crowd_column(world, "vx"), *vy = crowd_column(world, "vy");
    const double *radius = crowd_column(world, "radius"), *wz = crowd_column(world, "wz");
    to[0] = to[1] = 0.0;
    for (int i = 0; i < CROWD; i++) {
      to[0] += mass[i] * vx[i];
      to[1] += mass[i] * (x[i] * vy[i] - y[i] * vx[i] + 0.4 * radius[i] * radius[i] * wz[i]);
      spin = fmax(spin, fabs(wz[i]));
    }
    if (when == 0) run_steps(world, 20);
  }
  assert_true(spin > 1e-4);
  assert_close(after[0], before[0], 1e-9);
  assert_close(after[1], before[1], 1e-9);
  floc_world_destroy(world);
}

/* ---- who is i ---- */

static floc_status ids_in_order(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  int *seen = context;
  for (int32_t k = 0; k < count; k++) {
    if (!(inputs[0][k] < inputs[1][k])) return FLOC_CALLBACK_FAILED;
    if (inputs[2][k] != (inputs[3][k] > 0.0 ? inputs[2][k] : 0.0) && inputs[3][k] != 0.0)
      return FLOC_CALLBACK_FAILED;
    outputs[0][k] = 0.0;
    outputs[1][k] = inputs[0][k] + 1000.0 * inputs[1][k]; /* remembered: belongs to this pair alone */
    if (inputs[3][k] != 0.0 && inputs[3][k] != outputs[1][k]) return FLOC_CALLBACK_FAILED;
    *seen += inputs[3][k] != 0.0;
  }
  return FLOC_OK;
}

static void memory_stays_with_its_pair(void **state)
{
  (void)state;
  floc_world *world = make_cloud(2, true, 1);
  int seen = 0;
  static const char *const inputs[] = {"id_i", "id_j", "overlap", "mark"}, *const outputs[] = {"normal", "mark"},
                           *const memory[] = {"mark"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = ids_in_order;
  law.context = &seen;
  law.inputs = inputs;
  law.input_count = 4;
  law.outputs = outputs;
  law.output_count = 2;
  law.memory = memory;
  law.memory_count = 1;
  law.range = 0.02;
  assert_world_ok(world, floc_pair_law_add(world, &law, NULL));
  run_steps(world, 600);
  assert_true(seen > 10000);
  floc_world_destroy(world);
}

/* ---- walls ---- */

static floc_status wall_spring(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = inputs[0][k] > 0.0 ? 100.0 * inputs[0][k] : 0.0;
    outputs[1][k] = -3.0 * inputs[1][k];
    outputs[2][k] = inputs[0][k] > 0.0 ? 50.0 * inputs[0][k] * inputs[0][k] : 0.0;
    if (inputs[2][k] != 1.0 || inputs[3][k] != 7.0) return FLOC_CALLBACK_FAILED;
  }
  return FLOC_OK;
}

static int32_t add_belt(floc_world *world)
{
  floc_body_options motion;
  floc_body_options_init(&motion);
  motion.motion = FLOC_MOTION_CONSTANT;
  motion.velocity[0] = 2.0;
  motion.material = 7;
  return add_segment(world, &motion, -50, 0, 50, 0);
}

static void wall_laws_push_particle_and_body(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-3, 0.0, 2);
  set_scheme(world, false);
  int32_t belt = add_belt(world);
  add_particle(world, 0, 0.48, 0, 0, 0.5);
  static const char *const inputs[] = {"overlap", "tangential_velocity", "body", "material"}, *const outputs[] = {
                                                                                                  "normal",
                                                                                                  "tangential",
                                                                                                  "energy"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = wall_spring;
  law.inputs = inputs;
  law.input_count = 4;
  law.outputs = outputs;
  law.output_count = 3;
  law.range = 0.1;
  int32_t number;
  assert_world_ok(world, floc_wall_law_add(world, &law, &number));
  run_steps(world, 1);
  /* the normal points down, its turn by +90 degrees along +x; the belt goes with +2: friction on it is -6 */
  assert_close(column_value(world, "fy", 1), 2.0, 1e-3);
  assert_close(column_value(world, "fx", 1), 6.0, 0.05);
  floc_body_state belt_state = {.struct_size = sizeof belt_state};
  assert_world_ok(world, floc_body_get_state(world, belt, &belt_state));
  assert_close(belt_state.force[0], -column_value(world, "fx", 1), 1e-12);
  assert_close(belt_state.force[1], -column_value(world, "fy", 1), 1e-12);
  double energy;
  assert_world_ok(world, floc_law_get_energy(world, FLOC_LAW_WALL, number, &energy));
  double overlap = 0.5 - column_value(world, "y", 1); /* of the state that the step came to */
  assert_close(energy, 50.0 * overlap * overlap, 1e-12);
  run_steps(world, 200);
  assert_true(column_value(world, "wz", 1) > 0.1); /* the belt under it drags its lower side to the right */
  floc_world_destroy(world);
}

/* ---- rates of change and parameters ---- */

static floc_status cooling(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = -inputs[1][k] * inputs[0][k];
  return FLOC_OK;
}

static void attributes_evolve_with_a_parameter(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 2);
  assert_world_ok(world, floc_attribute_add(world, "temperature", 100.0));
  add_particle(world, 0, 0, 0, 0, 0.1);
  static const char *const inputs[] = {"temperature", "rate"}, *const outputs[] = {"temperature"},
                           *const parameters[] = {"rate"};
  double rate = 2.0;
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = cooling;
  law.inputs = inputs;
  law.input_count = 2;
  law.outputs = outputs;
  law.output_count = 1;
  law.parameters = parameters;
  law.parameter_values = &rate;
  law.parameter_count = 1;
  int32_t number;
  assert_world_ok(world, floc_evolution_add(world, &law, &number));
  run_steps(world, 50);
  double expected = 100.0 * pow(1.0 - 0.02, 50);
  assert_close(column_value(world, "temperature", 1), expected, 1e-10);
  assert_world_ok(world, floc_law_set_parameter(world, FLOC_LAW_EVOLUTION, number, "rate", 0.5));
  run_steps(world, 10);
  assert_close(column_value(world, "temperature", 1), expected * pow(1.0 - 0.005, 10), 1e-10);
  double value = 0.0;
  assert_world_ok(world, floc_law_get_parameter(world, FLOC_LAW_EVOLUTION, number, "rate", &value));
  assert_true(value == 0.5);
  assert_int_equal(floc_law_set_parameter(world, FLOC_LAW_EVOLUTION, number, "rat", 1.0), FLOC_NOT_FOUND);
  assert_int_equal(floc_law_set_parameter(world, FLOC_LAW_EVOLUTION, number, "rate", NAN), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_law_set_parameter(world, FLOC_LAW_EVOLUTION, 1, "rate", 1.0), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_law_set_parameter(world, 5, 0, "rate", 1.0), FLOC_INVALID_ARGUMENT);
  law.outputs = (const char *const[]){"x"};
  assert_int_equal(floc_evolution_add(world, &law, NULL), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

/* ---- programs in a world ---- */

/* k (length - distance), with the parameters k and length. */
static const floc_instruction spring_code[] = {{FLOC_OPERATION_SUBTRACT, 2, 0, -1},
                                               {FLOC_OPERATION_MULTIPLY, 1, 3, -1}};
static const int32_t spring_output = 4;
static const char *const spring_inputs[] = {"distance", "k", "length"}, *const spring_parameters[] = {"k",
                                                                                                      "length"};
static const double spring_values[] = {5.0, 2.0};

static floc_world *make_program_world(floc_program_options *program)
{
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  add_particle(world, 1, 0, 0, 0, 0.1);
  floc_program_options_init(program);
  program->input_count = 3;
  program->code = spring_code;
  program->code_count = 2;
  program->outputs = &spring_output;
  program->output_count = 1;
  floc_law_options law;
  floc_law_options_init(&law);
  law.inputs = spring_inputs;
  law.input_count = 3;
  law.output_count = 1;
  law.parameters = spring_parameters;
  law.parameter_values = spring_values;
  law.parameter_count = 2;
  law.program = program;
  law.range = 5.0;
  assert_world_ok(world, floc_pair_law_add(world, &law, NULL));
  return world;
}

static void programs_travel_in_checkpoints(void **state)
{
  (void)state;
  char path[] = "test_kinds_XXXXXX", text[200];
  int file = mkstemp(path);
  unlink(path); /* an empty file is no checkpoint, so none would replace it */
  assert_true(file >= 0);
  close(file);
  floc_program_options program;
  floc_world *world = make_program_world(&program);
  size_t length;
  assert_world_ok(world, floc_law_text(world, FLOC_LAW_PAIR, 0, text, sizeof text, &length));
  assert_string_equal(text, "v1 = length - distance\nv2 = k * v1\nnormal = v2\n");
  run_steps(world, 1);
  assert_close(column_value(world, "fx", 2), 5.0, 1e-12);
  assert_world_ok(world, floc_law_set_parameter(world, FLOC_LAW_PAIR, 0, "k", 7.0));
  floc_instruction other[2] = {spring_code[0], {FLOC_OPERATION_ADD, 1, 3, -1}};
  program.code = other;
  assert_world_ok(world, floc_law_set_program(world, FLOC_LAW_PAIR, 0, &program));
  run_steps(world, 1);
  assert_close(column_value(world, "fx", 2), 8.0, 1e-4);
  assert_world_ok(world, floc_world_save(world, path, 1));
  run_steps(world, 10);
  floc_world *resumed = make_program_world(&program);
  assert_world_ok(resumed, floc_world_load(resumed, path));
  assert_world_ok(resumed, floc_law_text(resumed, FLOC_LAW_PAIR, 0, text, sizeof text, &length));
  assert_string_equal(text, "v1 = length - distance\nv2 = k + v1\nnormal = v2\n");
  run_steps(resumed, 10);
  assert_true(world_hash(world) == world_hash(resumed));
  program.code = other;
  other[1].a = 9;
  assert_int_equal(floc_law_set_program(world, FLOC_LAW_PAIR, 0, &program), FLOC_INVALID_ARGUMENT);
  program.input_count = 2;
  assert_int_equal(floc_law_set_program(world, FLOC_LAW_PAIR, 0, &program), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
  floc_world_destroy(resumed);
  unlink(path);
}

/* ---- refusals ---- */

static void refuses_law(floc_world *world, const floc_law_options *options, const char *text)
{
  assert_int_equal(floc_pair_law_add(world, options, NULL), FLOC_INVALID_ARGUMENT);
  if (!strstr(floc_world_message(world), text))
    fail_msg("\"%s\" does not have \"%s\"", floc_world_message(world), text);
}

static void wrong_descriptions_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  add_particle(world, 0, 0, 0, 0, 0.1);
  uint64_t hash = world_hash(world);
  floc_law_options options = friction_options();
  options.outputs = NULL;
  refuses_law(world, &options, "memory or outputs is NULL");
  options = friction_options();
  options.output_count = 6;
  refuses_law(world, &options, "memory \"spring_z\" is not among the outputs");
  options.output_count = 49;
  refuses_law(world, &options, "output_count is 49; it must be an integer between 1 and 48");
  options = friction_options();
  options.range = -1.0;
  refuses_law(world, &options, "range is -1; it must be a number of at least 0");
  options = friction_options();
  options.memory_count = 33;
  refuses_law(world, &options, "memory_count is 33; it must be an integer between 0 and 32");
  options.memory = (const char *const[]){"a_name_that_is_too_long"};
  options.memory_count = 1;
  refuses_law(world, &options, "it must be a string of 1 to 16 characters");
  options = friction_options();
  options.outputs = (const char *const[]){"normal", "spring_x", "spring_y", "spring_z", "sideways"};
  options.output_count = 5;
  refuses_law(world, &options, "output 5 is \"sideways\"; it must be normal, tangential");
  options.outputs = (const char *const[]){"normal", "spring_x", "spring_y", "spring_z", "normal"};
  refuses_law(world, &options, "output \"normal\" is named twice");
  options = friction_options();
  options.parameter_count = 1;
  refuses_law(world, &options, "parameters or parameter_values is NULL");
  options.function = NULL;
  options.parameter_count = 0;
  refuses_law(world, &options, "function is NULL");
  assert_true(world_hash(world) == hash);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_law_with_memory_is_the_schemes_friction),
      cmocka_unit_test(threads_and_resume_give_the_same_bits),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(a_failed_step_forgets_nothing),
      cmocka_unit_test(memory_stays_with_its_pair),
      cmocka_unit_test(forces_are_the_sums_over_all_pairs),
      cmocka_unit_test(blocks_give_the_same_bits),
      cmocka_unit_test(momentum_is_kept_across_blocks),
      cmocka_unit_test(wall_laws_push_particle_and_body),
      cmocka_unit_test(attributes_evolve_with_a_parameter),
      cmocka_unit_test(programs_travel_in_checkpoints),
      cmocka_unit_test(wrong_descriptions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
