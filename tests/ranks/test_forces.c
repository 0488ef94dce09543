/*
 * What else acts on discrete elements over several ranks, each with the same bits as alone: numbers by materials,
 * forces at a distance, functions of space, bonds, displacements, laws by programs, flow and noise. Run by mpirun
 * with 2 and 3 ranks; the crowd is that of crowd.h. What ranks have counted or asked the host for must be known to
 * all of them once the world is whole: their checkpoints are the same file.
 */
#include "crowd.h"

#include <math.h>

/* LAWS has more particles than a block of pairs' sums. */
typedef enum force_kind { MATERIALS, NEAR_FIELD, SPACE, BONDS, WANDER, LAWS, FORCE_KINDS } force_kind;

/* Of stiffness and friction, by what the two are. */
static floc_status by_materials(void *context, const char *quantity, int32_t i, int32_t j, double *value)
{
  (void)context;
  const double one = (i + j) % 5;
  *value = strcmp(quantity, "stiffness") == 0 ? 1.5e3 + 500.0 * one : 0.2 + 0.1 * one;
  return FLOC_OK;
}

static floc_status stirred(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = sin(3.0 * inputs[1][k] + inputs[3][k]);
    outputs[1][k] = cos(2.0 * inputs[2][k]);
    outputs[2][k] = 0.5 * inputs[0][k];
  }
  return FLOC_OK;
}

/* ---- laws ---- */

#define DO(name, a, b)                                                                                             \
  {                                                                                                                \
    FLOC_OPERATION_##name, a, b, -1                                                                                \
  }

typedef struct law_text {
  const char *const *inputs, *const *outputs;
  const floc_instruction *code;
  const int32_t *results;
  int32_t input_count, code_count, output_count;
} law_text;

#define LAW_TEXT(of)                                                                                               \
  {                                                                                                                \
    of##_inputs, of##_outputs, of##_code, of##_results, sizeof of##_inputs / sizeof *of##_inputs,                  \
        sizeof of##_code / sizeof *of##_code, sizeof of##_results / sizeof *of##_results                           \
  }

static const double constants[] = {0.2, 0.1}; /* the values behind the inputs */

/* normal = (0.2 - distance) warmth_i warmth_j + 0.1 m, tangential = 0.1 normal_random, m = m + (0.2 - distance);
 * warmth flows by 0.2 (warmth_j - warmth_i) */
static const char *const pair_inputs[] = {"distance", "m", "warmth_i", "warmth_j", "normal_random"};
static const char *const pair_outputs[] = {"normal", "tangential", "m", "rate_warmth"};
static const floc_instruction pair_code[] = {DO(SUBTRACT, 5, 0), DO(MULTIPLY, 7, 2),  DO(MULTIPLY, 8, 3),
                                             DO(ADD, 1, 7),      DO(MULTIPLY, 10, 6), DO(ADD, 9, 11),
                                             DO(MULTIPLY, 6, 4), DO(SUBTRACT, 3, 2),  DO(MULTIPLY, 14, 5)};
static const int32_t pair_results[] = {12, 13, 10, 15};
/* fx = 0.2 y, fy = 0.1 normal_random, fz = 0.2 y normal_random */
static const char *const field_inputs[] = {"y", "normal_random"}, *const field_outputs[] = {"force_x", "force_y",
                                                                                            "force_z"};
static const floc_instruction field_code[] = {DO(MULTIPLY, 2, 0), DO(MULTIPLY, 3, 1), DO(MULTIPLY, 4, 1)};
static const int32_t field_results[] = {4, 5, 6};
/* warmth grows by vx vx + uniform_random */
static const char *const rate_inputs[] = {"vx", "uniform_random"}, *const rate_outputs[] = {"warmth"};
static const floc_instruction rate_code[] = {DO(MULTIPLY, 0, 0), DO(ADD, 4, 1)};
static const int32_t rate_results[] = {5};
static const law_text pair_text = LAW_TEXT(pair), field_text = LAW_TEXT(field), rate_text = LAW_TEXT(rate);

static void describe_law(const law_text *text, floc_program_options *program, floc_law_options *law)
{
  floc_program_options_init(program);
  program->input_count = text->input_count;
  program->constants = constants;
  program->constant_count = 2;
  program->code = text->code;
  program->code_count = text->code_count;
  program->outputs = text->results;
  program->output_count = text->output_count;
  floc_law_options_init(law);
  law->inputs = text->inputs;
  law->input_count = text->input_count;
  law->outputs = text->outputs;
  law->output_count = text->output_count;
  law->program = program;
}

static void add_laws(floc_world *world)
{
  floc_program_options program;
  floc_law_options law;
  assert_world_ok(world, floc_attribute_add(world, "warmth", 1.0));
  describe_law(&field_text, &program, &law);
  assert_world_ok(world, floc_field_add(world, &law, NULL));
  describe_law(&rate_text, &program, &law);
  assert_world_ok(world, floc_evolution_add(world, &law, NULL));
  describe_law(&pair_text, &program, &law);
  static const char *const memory[] = {"m"};
  law.memory = memory;
  law.memory_count = 1;
  law.range = 0.15;
  assert_world_ok(world, floc_pair_law_add(world, &law, NULL));
}

/* Where forces are found at a step's end depends on its random numbers. */
static void add_wandering(floc_world *world)
{
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = 0.02;
  assert_world_ok(world, floc_world_set_noise(world, &noise));
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_SHEAR;
  flow.relaxation_time = 0.5;
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = 0.01;
  attraction.epsilon = 0.03;
  assert_world_ok(world, floc_attraction_add(world, &attraction, NULL));
}

static void choose_force(floc_world *world, int kind)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 2e3;
  options.damping = 2.0;
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 1e3;
  options.friction_static = options.friction_dynamic = 0.5;
  if (kind == MATERIALS) {
    floc_discrete_element_options plain;
    floc_discrete_element_options_init(&plain);
    options.stiffness = plain.stiffness;
    options.friction_static = plain.friction_static;
    options.friction_dynamic = 0.2;
    options.by_pair = "stiffness friction_static";
    options.pair_function = by_materials;
  } else if (kind == NEAR_FIELD) {
    options.attraction = 0.02;
    options.repulsion = 0.001;
    options.near_field_range = 0.25;
  } else if (kind == SPACE) {
    options.viscosity = 0.05;
    options.medium_flow = options.electric_field = options.magnetic_field = stirred;
    options.magnetization = 0.3;
  } else if (kind == BONDS) {
    options.bond_law = FLOC_BOND_PERSISTENT;
    options.bond_bodies = true;
    options.bond_stiffness = 4e3;
    options.bond_formation = 0.001;
    options.bond_breaking = 0.03;
    options.bond_strength_spread = 0.5;
  }
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  if (kind == LAWS) add_laws(world);
  if (kind == WANDER) add_wandering(world);
  if (kind == MATERIALS) assert_world_ok(world, floc_attribute_add(world, "material", 0.0));
  if (kind == SPACE) assert_world_ok(world, floc_attribute_add(world, "charge", 0.2));
  assert_world_ok(world, floc_attribute_add(world, "displacement_x", 0.0)); /* and the others */
}

/* Sixty-one of them: ranks meet different pairs. */
static void number_materials(floc_world *world)
{
  double *material;
  int64_t count;
  assert_world_ok(world, floc_column(world, "material", &material, &count));
  for (int64_t k = 0; k < count; k++) material[k] = (double)(world->table.id[k] % 61);
}

static floc_world *make_forces(owners how, force_kind kind)
{
  floc_world *world = crowd_make(how, kind == LAWS ? 2100 : SLOWED ? 250 : 350, choose_force, (int)kind);
  if (kind == MATERIALS) number_materials(world);
  return world;
}

/* The same on all ranks; each has counted its own part alone. */
static void assert_same_counts(floc_world *shared, floc_world *alone, force_kind kind, int turn)
{
  floc_discrete_element_report a, b;
  floc_discrete_element_report_init(&a);
  floc_discrete_element_report_init(&b);
  assert_world_ok(alone, floc_world_get_discrete_element_report(alone, &a));
  assert_world_ok(shared, floc_world_get_discrete_element_report(shared, &b));
  assert_int_equal(a.bonds, b.bonds);
  assert_int_equal(a.wall_bonds, b.wall_bonds);
  assert_int_equal(a.bonds_formed, b.bonds_formed);
  assert_int_equal(a.bonds_broken, b.bonds_broken);
  assert_true(a.near_field_energy == b.near_field_energy && a.bond_energy == b.bond_energy);
  if (kind == BONDS) assert_true(a.bonds > 0 && (turn == 0 || a.bonds_broken > 0));
  if (kind == NEAR_FIELD) assert_true(a.near_field_energy != 0.0);
}

static void assert_same_file(floc_world *world)
{
  char path[64];
  snprintf(path, sizeof path, "test_ranks_forces_%d_%d.floc", ranks.count, ranks.number);
  assert_world_ok(world, floc_world_save(world, path, 1));
  static unsigned char own[1 << 20], first[1 << 20];
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t size = fread(own, 1, sizeof own, file);
  fclose(file);
  remove(path);
  assert_in_range(size, 1, sizeof own - 1);
  memcpy(first, own, sizeof own);
  assert_int_equal(ranks.broadcast(ranks.context, first, sizeof first), 0);
  double differs = memcmp(first, own, sizeof own) != 0;
  assert_int_equal(ranks.maximum(ranks.context, &differs, 1), 0); /* all of them fail, and none waits for ever */
  assert_true(differs == 0.0);
}

static void test_same_bits(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  for (force_kind kind = 0; kind < FORCE_KINDS; kind++) {
    floc_world *shared = make_forces(OVER_RANKS, kind), *alone = make_forces(ALONE, kind);
    const int steps = kind == LAWS ? 10 : 30;
    for (int turn = 0; turn < 2; turn++) {
      shared->cut.turn = turn;
      run(shared, steps);
      run(alone, steps);
      assert_true(shared->cut.is_cut);
      assert_same_reports(alone, shared);
      assert_same_bodies(alone, shared);
      assert_true(hash_of(alone) == hash_of(shared));
      assert_same_counts(shared, alone, kind, turn);
      assert_same_file(shared);
    }
    floc_world_destroy(shared);
    floc_world_destroy(alone);
  }
}

/* Ghosts as far as contacts reach, but not as far as the attraction, make another world. */
static void test_too_few_ghosts(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  const int steps = 20;
  floc_world *alone = make_forces(ALONE, NEAR_FIELD), *shared = make_forces(OVER_RANKS, NEAR_FIELD);
  run(shared, 2);
  const double contacts = 2.0 * shared->cut.radius_most + shared->cut.skin;
  assert_true(shared->cut.near >= contacts + 0.25);
  hash_of(shared);
  shared->cut.near_part = contacts / shared->cut.near;
  run(alone, steps);
  run(shared, steps - 2);
  assert_true(hash_of(alone) != hash_of(shared));
  floc_world_destroy(shared);
  floc_world_destroy(alone);
}

/* Each law by its name and with the reason. */
static void test_refused_laws(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  static const char *const says[] = {"the law \"stir\", a function of the host", "the law \"wall\", of walls",
                                     "with sums of attributes", "that reads forces"};
  static const char *const outputs[4][3] = {
      [1] = {"normal", "tangential", "energy"}, [2] = {"normal", "sum_warmth", "energy"}};
  static const char *const inputs[4][2] = {
      [1] = {"distance", "overlap"}, [2] = {"distance", "overlap"}, [3] = {"fx", "vx"}};
  for (int which = 0; which < 4; which++) {
    floc_world *world = make_forces(OVER_RANKS, NEAR_FIELD);
    floc_program_options program;
    floc_law_options law;
    describe_law(which == 3 ? &rate_text : &field_text, &program, &law);
    law.name = which == 0 ? "stir" : "wall";
    assert_world_ok(world, floc_attribute_add(world, "warmth", 0.0));
    if (which == 0) {
      law.program = NULL;
      law.function = stirred;
    }
    if (outputs[which][0]) law.outputs = outputs[which];
    if (inputs[which][0]) law.inputs = inputs[which];
    floc_status (*const add[])(floc_world *, const floc_law_options *, int32_t *) = {
        floc_field_add, floc_wall_law_add, floc_pair_law_add, floc_evolution_add};
    assert_world_ok(world, add[which](world, &law, NULL));
    assert_int_equal(floc_world_step(world), FLOC_NOT_SUPPORTED);
    if (!strstr(floc_world_message(world), says[which])) fail_msg("%s", floc_world_message(world));
    floc_world_destroy(world);
  }
}

int main(void)
{
  mpi_module mpi;
  const int refused = mpi_start(&mpi, &ranks);
  if (refused) return refused;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits), cmocka_unit_test(test_too_few_ghosts),
                                     cmocka_unit_test(test_refused_laws)};
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  mpi.end(mpi.meet(failures));
  return failures;
}
