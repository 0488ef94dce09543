/*
 * Functions of the host that call back into the world, return what they must not, or change the floating-point
 * environment: every function of the header (functions.h), from every kind of callback.
 */
#include "support_world.h"

#include "functions.h"

#include <ctype.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the header --------------------------------------------------------------------------------- */

static bool is_listed(const char *name, size_t length)
{
  for (int k = 0; k < FUNCTION_COUNT; k++)
    if (strlen(functions[k].name) == length && memcmp(functions[k].name, name, length) == 0) return true;
  return false;
}

/* The names before an opening bracket; comments are left out. */
static void every_function_of_the_header_is_listed(void **state)
{
  (void)state;
  const char *at = floc_cdef();
  int found = 0;
  while (*at) {
    if (at[0] == '/' && at[1] == '*') {
      at = strstr(at, "*/") + 2;
      continue;
    }
    if (!isalpha((unsigned char)*at)) {
      at++;
      continue;
    }
    const char *begin = at;
    while (isalnum((unsigned char)*at) || *at == '_') at++;
    if (*at != '(' || strncmp(begin, "floc_", 5) != 0) continue;
    found++;
    if (!is_listed(begin, (size_t)(at - begin))) fail_msg("%.*s is not listed here", (int)(at - begin), begin);
  }
  assert_int_equal(found, FUNCTION_COUNT);
}

/* The names that the head of the header gives in its sentence about reading, up to the full stop. */
static void the_header_says_which_functions_read(void **state)
{
  (void)state;
  const char *at = strstr(floc_cdef(), "may read it,");
  assert_non_null(at);
  const char *end = strstr(at, "the allocator by the first two");
  assert_non_null(end);
  int found = 0, expected = 0;
  for (int k = 0; k < FUNCTION_COUNT; k++) {
    if (functions[k].class != ANYTIME && functions[k].class != READS) continue;
    expected++;
    size_t length = strlen(functions[k].name);
    for (const char *name = at; (name = strstr(name, "floc_")) && name < end; name++)
      if (strncmp(name, functions[k].name, length) == 0 && !isalnum((unsigned char)name[length]) &&
          name[length] != '_')
        found++;
  }
  assert_int_equal(found, expected);
  int named = 0;
  for (const char *name = at; (name = strstr(name, "floc_")) && name < end; name++) named++;
  assert_int_equal(named, expected);
}

/* ---- a host that misbehaves --------------------------------------------------------------------- */

typedef enum deed { BEHAVES, CALLS_EVERYTHING, CALLS_AND_FAILS, ROUNDS_UPWARD, FLUSHES, TRAPS, RETURNS } deed;

typedef struct host {
  floc_world *world;
  deed does;
  int returns;
  atomic_int times, wrong;
  char first[300]; /* what was wrong first */
} host;

static void note_wrong(host *self, const listed *called, floc_status status)
{
  if (atomic_fetch_add(&self->wrong, 1) == 0)
    snprintf(self->first, sizeof self->first, "%s gave %s, message \"%s\"", called->name, floc_status_name(status),
             floc_world_message(self->world));
}

static void call_everything(host *self, bool allocates)
{
  for (int k = 0; k < FUNCTION_COUNT; k++) {
    const listed *one = &functions[k];
    if (!one->call) continue;
    bool allowed = one->class == ANYTIME || (one->class == READS && !allocates);
    floc_status status = one->call(self->world);
    if ((status != FLOC_WRONG_STATE) != allowed) note_wrong(self, one, status);
  }
}

static void set_flushing(void)
{
#if defined __x86_64__
  uint32_t word;
  __asm__ volatile("stmxcsr %0" : "=m"(word));
  word |= 0x8040;
  __asm__ volatile("ldmxcsr %0" : : "m"(word));
#else
  fesetround(FE_UPWARD);
#endif
}

static void set_traps(void)
{
#if defined __GLIBC__ && defined __x86_64__
  uint32_t word;
  __asm__ volatile("stmxcsr %0" : "=m"(word));
  word &= ~(uint32_t)0x0200; /* division by zero */
  __asm__ volatile("ldmxcsr %0" : : "m"(word));
#else
  fesetround(FE_UPWARD);
#endif
}

static floc_status act(host *self)
{
  atomic_fetch_add(&self->times, 1);
  switch (self->does) {
  case BEHAVES:
    return FLOC_OK;
  case CALLS_EVERYTHING:
    call_everything(self, false);
    return FLOC_OK;
  case CALLS_AND_FAILS:
    return floc_world_step(self->world);
  case ROUNDS_UPWARD:
    fesetround(FE_UPWARD);
    return FLOC_OK;
  case FLUSHES:
    set_flushing();
    return FLOC_OK;
  case TRAPS:
    set_traps();
    return FLOC_OK;
  case RETURNS:
    return (floc_status)self->returns;
  }
  return FLOC_OK;
}

static floc_status give(void *context, int32_t count, double *const *outputs, int32_t output_count)
{
  floc_status status = act(context);
  for (int32_t k = 0; k < output_count; k++)
    for (int32_t row = 0; row < count; row++) outputs[k][row] = 0.125 * (k + 1);
  return status;
}

static floc_status one_number(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  return give(context, count, outputs, 1);
}

static floc_status two_numbers(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  return give(context, count, outputs, 2);
}

static floc_status three_numbers(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  return give(context, count, outputs, 3);
}

static floc_status move(void *context, double time, double *values)
{
  values[0] = 0.01 * time;
  return act(context);
}

static floc_status least_gamma(void *context, int32_t i, int32_t j, double *value)
{
  (void)i, (void)j;
  *value = -1.0;
  return act(context);
}

static floc_status emit(void *context, int64_t index, double time, floc_ray *ray)
{
  (void)time;
  *ray = (floc_ray){.position = {-1.0, 0.01 * (double)index}, .direction = {1.0}, .power = 1.0, .area = 1e-4};
  return act(context);
}

static floc_status hit(void *context, const floc_ray_hit *at, floc_ray_response *response)
{
  (void)at, (void)response;
  return act(context);
}

static void hear(void *context, int32_t level, const char *text)
{
  (void)level, (void)text;
  host *self = context;
  if (self->world) act(self);
}

static void *allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  host *self = context;
  if (self->world) {
    atomic_fetch_add(&self->times, 1);
    if (self->does == CALLS_EVERYTHING) call_everything(self, true);
    if (self->does == ROUNDS_UPWARD) fesetround(FE_UPWARD);
  }
  return default_allocate(NULL, pointer, old_size, new_size);
}

/* ---- every kind of callback --------------------------------------------------------------------- */

static floc_status set_law(floc_world *world, host *self, floc_kernel_function function, int32_t outputs,
                           floc_status (*add)(floc_world *, const floc_law_options *, int32_t *))
{
  static const char *const rates[] = {"heat"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.name = "probe";
  law.function = function;
  law.context = self;
  law.output_count = outputs;
  law.range = 0.05;
  law.parallel = true;
  if (add == floc_evolution_add) law.outputs = rates;
  return add(world, &law, NULL);
}

static floc_status set_field(floc_world *world, host *self)
{
  return set_law(world, self, two_numbers, 2, floc_field_add);
}

static floc_status set_pair_law(floc_world *world, host *self)
{
  return set_law(world, self, one_number, 1, floc_pair_law_add);
}

static floc_status set_wall_law(floc_world *world, host *self)
{
  return set_law(world, self, one_number, 1, floc_wall_law_add);
}

static floc_status set_evolution(floc_world *world, host *self)
{
  floc_status status = floc_attribute_add(world, "heat", 1.0);
  return status == FLOC_OK ? set_law(world, self, one_number, 1, floc_evolution_add) : status;
}

static floc_status set_flow(floc_world *world, host *self)
{
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_FUNCTION;
  flow.relaxation_time = 1.0;
  flow.function.name = "probe";
  flow.function.function = two_numbers;
  flow.function.context = self;
  flow.function.output_count = 2;
  return floc_world_set_flow(world, &flow);
}

static floc_status a_priori(floc_world *world, const floc_law_options *law, int32_t *number)
{
  (void)number;
  return floc_world_set_a_priori(world, law);
}

static floc_status set_a_priori(floc_world *world, host *self)
{
  return set_law(world, self, two_numbers, 2, a_priori);
}

static floc_status set_motion(floc_world *world, host *self, int32_t kind)
{
  floc_body_options body;
  floc_body_options_init(&body);
  body.motion = kind;
  body.function = move;
  body.function_context = self;
  body.name = "probe";
  return floc_body_add(world, &body, NULL);
}

static floc_status set_velocity(floc_world *world, host *self)
{
  return set_motion(world, self, FLOC_MOTION_VELOCITY);
}

static floc_status set_position(floc_world *world, host *self)
{
  return set_motion(world, self, FLOC_MOTION_POSITION);
}

static floc_status set_gamma_min(floc_world *world, host *self)
{
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.contact_law = FLOC_CONTACT_GLUEY;
  projection.gamma_min_function = least_gamma;
  projection.gamma_min_context = self;
  return floc_world_set_projection(world, &projection);
}

static floc_status bound(void *context, const floc_contact_rows *rows)
{
  if (rows->count > 0) rows->lower[0] = -1e-9;
  return act(context);
}

static floc_status set_contact_law(floc_world *world, host *self)
{
  floc_contact_law_type type;
  floc_contact_law_type_init(&type);
  type.name = "probe";
  type.context = self;
  type.bounds = bound;
  type.remember = bound;
  floc_status status = floc_contact_law_add(world, &type);
  if (status != FLOC_OK) return status;
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  return floc_world_set_projection(world, &projection);
}

static floc_status set_element(floc_world *world, host *self, int which)
{
  floc_discrete_element_options element;
  floc_discrete_element_options_init(&element);
  element.stiffness = 10.0;
  element.parallel_fields = true;
  if (which == 0) {
    element.viscosity = 1e-3;
    element.medium_flow = three_numbers;
    element.medium_flow_context = self;
  } else if (which == 1) {
    element.electric_field = three_numbers;
    element.electric_field_context = self;
  } else {
    element.magnetic_field = three_numbers;
    element.magnetic_field_context = self;
  }
  floc_status status = floc_attribute_add(world, "charge", 0.1);
  return status == FLOC_OK ? floc_world_set_discrete_element(world, &element) : status;
}

static floc_status set_medium_flow(floc_world *world, host *self)
{
  return set_element(world, self, 0);
}

static floc_status set_electric_field(floc_world *world, host *self)
{
  return set_element(world, self, 1);
}

static floc_status set_magnetic_field(floc_world *world, host *self)
{
  return set_element(world, self, 2);
}

static floc_status set_source(floc_world *world, host *self, bool emits)
{
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.rays = 20;
  source.direction[0] = 1.0;
  source.duration = 10.0;
  if (emits) {
    source.kind = FLOC_RAY_SOURCE_FUNCTION;
    source.emit = emit;
    source.emit_context = self;
  } else {
    source.hit = hit;
    source.hit_context = self;
  }
  return floc_ray_source_add(world, &source, NULL);
}

static floc_status set_emit(floc_world *world, host *self)
{
  return set_source(world, self, true);
}

static floc_status set_hit(floc_world *world, host *self)
{
  return set_source(world, self, false);
}

/* Two particles that overlap are warned of. */
static floc_status set_log(floc_world *world, host *self)
{
  (void)self;
  floc_particle_options particle;
  floc_particle_options_init(&particle);
  particle.radius = 0.02;
  particle.allow_overlap = true;
  floc_status status = FLOC_OK;
  for (int k = 0; k < 2 && status == FLOC_OK; k++) {
    particle.position[0] = 5.0 + 0.03 * k;
    status = floc_particle_add(world, &particle, NULL);
  }
  return status;
}

static int interrupt(void *context)
{
  act(context);
  return 0;
}

static floc_status set_interrupt(floc_world *world, host *self)
{
  return floc_world_set_interrupt(world, interrupt, self);
}

static floc_status set_nothing(floc_world *world, host *self)
{
  (void)world, (void)self;
  return FLOC_OK;
}

typedef struct callback_case {
  const char *kind; /* as messages call it */
  floc_status (*set)(floc_world *world, host *self);
  bool fails; /* it has a status to return */
  bool logs, allocates;
} callback_case;

static const callback_case cases[] = {{"field \"probe\"", set_field, true, false, false},
                                      {"pair law \"probe\"", set_pair_law, true, false, false},
                                      {"wall law \"probe\"", set_wall_law, true, false, false},
                                      {"evolution \"probe\"", set_evolution, true, false, false},
                                      {"flow \"probe\"", set_flow, true, false, false},
                                      {"a priori velocity \"probe\"", set_a_priori, true, false, false},
                                      {"the motion of body \"probe\"", set_velocity, true, false, false},
                                      {"the motion of body \"probe\"", set_position, true, false, false},
                                      {"the function of gamma_min", set_gamma_min, true, false, false},
                                      {"contact law \"probe\"", set_contact_law, true, false, false},
                                      {"medium_flow", set_medium_flow, true, false, false},
                                      {"electric_field", set_electric_field, true, false, false},
                                      {"magnetic_field", set_magnetic_field, true, false, false},
                                      {"the emit function", set_emit, true, false, false},
                                      {"the hit function", set_hit, true, false, false},
                                      {"the log function", set_log, false, true, false},
                                      {"the interrupt function", set_interrupt, false, false, false},
                                      {"the allocator", set_nothing, false, false, true}};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* Enough particles for several blocks, on four threads; they stand on a floor and touch. */
static floc_world *case_world(const callback_case *it, host *self)
{
  *self = (host){.does = BEHAVES};
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1e-3;
  options.threads = 4;
  options.gravity[1] = it->set == set_a_priori ? 0.0 : -1.0; /* which has no part in a priori velocities */
  if (it->logs) options.log = hear, options.log_context = self;
  if (it->allocates) options.allocate = allocate, options.allocate_context = self;
  floc_world *world = NULL;
  if (floc_world_create(&options, &world) != FLOC_OK) fail_msg("floc_world_create: %s", options.message);
  add_segment(world, NULL, -1.0, 0.0, 4.0, 0.0);
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = 5000;
  insertion.placement = FLOC_PLACEMENT_LATTICE;
  insertion.radius_lower = 0.01;
  insertion.region_upper[0] = 2.0;
  insertion.region_upper[1] = 1.2;
  assert_world_ok(world, floc_particles_insert(world, &insertion, NULL));
  assert_world_ok(world, it->set(world, self));
  self->world = world;
  return world;
}

static uint64_t run_case(const callback_case *it, deed does, host *self)
{
  floc_world *world = case_world(it, self);
  self->does = does;
  for (int k = 0; k < 2; k++) assert_world_ok(world, floc_world_step(world));
  self->does = BEHAVES;
  uint64_t hash = world_hash(world);
  self->does = does;
  floc_world_destroy(world);
  return hash;
}

static void calls_from_callbacks_are_refused(void **state)
{
  (void)state;
  for (int k = 0; k < CASE_COUNT; k++) {
    host self;
    uint64_t expected = run_case(&cases[k], BEHAVES, &self);
    if (atomic_load(&self.times) == 0) fail_msg("%s was not called", cases[k].kind);
    uint64_t hash = run_case(&cases[k], CALLS_EVERYTHING, &self);
    if (self.wrong) fail_msg("inside %s: %s (%d in all)", cases[k].kind, self.first, atomic_load(&self.wrong));
    if (hash != expected) fail_msg("calls from %s have changed the state", cases[k].kind);
  }
}

/* Which functions may be called, and what the message says. */
static void messages_name_call_and_callback(void **state)
{
  (void)state;
  for (int k = 0; k < CASE_COUNT; k++) {
    const callback_case *it = &cases[k];
    char expected[200];
    host self;
    floc_world *world = case_world(it, &self);
    self.does = it->fails ? CALLS_AND_FAILS : CALLS_EVERYTHING;
    floc_status status = floc_world_step(world);
    assert_int_equal(status, it->fails ? FLOC_CALLBACK_FAILED : FLOC_OK);
    snprintf(expected, sizeof expected, "%s is not allowed inside %s, which floc_world_step called",
             it->fails ? "floc_world_step" : "floc_world_destroy", it->kind);
    if (!strstr(floc_world_message(world), expected))
      fail_msg("%s: \"%s\" does not say \"%s\"", it->kind, floc_world_message(world), expected);
    self.does = BEHAVES;
    assert_world_ok(world, floc_world_step(world));
    assert_string_equal(floc_world_message(world), "");
    floc_world_destroy(world);
  }
}

/* The step that failed has left nothing: two more come to what they come to without it. */
static void refuse_case(const callback_case *it, uint64_t undisturbed, deed does, int returns, floc_status expected,
                        const char *text)
{
  host self;
  floc_world *world = case_world(it, &self);
  self.does = does;
  self.returns = returns;
  floc_status status = floc_world_step(world);
  const char *message = floc_world_message(world);
  if (status != expected || !strstr(message, text))
    fail_msg("%s: status %d, message \"%s\"; expected %d and \"%s\"", it->kind, status, message, expected, text);
  assert_int_equal(fegetround(), FE_TONEAREST);
  self.does = BEHAVES;
  run_steps(world, 2);
  if (world_hash(world) != undisturbed) fail_msg("%s: the failed step has left something", it->kind);
  floc_world_destroy(world);
}

static void wrong_statuses_are_failures_of_the_callback(void **state)
{
  (void)state;
  for (int k = 0; k < CASE_COUNT; k++) {
    if (!cases[k].fails) continue;
    host self;
    uint64_t hash = run_case(&cases[k], BEHAVES, &self);
    refuse_case(&cases[k], hash, RETURNS, 12345, FLOC_CALLBACK_FAILED, "returned 12345, which is no floc_status");
    refuse_case(&cases[k], hash, RETURNS, -99, FLOC_CALLBACK_FAILED, "returned -99, which is no floc_status");
    refuse_case(&cases[k], hash, RETURNS, FLOC_NOT_A_NUMBER, FLOC_CALLBACK_FAILED, "failed (not a number)");
    refuse_case(&cases[k], hash, RETURNS, FLOC_CALLBACK_FAILED, FLOC_CALLBACK_FAILED, "failed (callback failed)");
    refuse_case(&cases[k], hash, RETURNS, FLOC_OUT_OF_MEMORY, FLOC_OUT_OF_MEMORY, "out of memory");
  }
}

static void callbacks_that_change_the_float_environment_are_caught(void **state)
{
  (void)state;
  for (int k = 0; k < CASE_COUNT; k++) {
    if (!cases[k].fails) continue;
    host self;
    uint64_t hash = run_case(&cases[k], BEHAVES, &self);
    refuse_case(&cases[k], hash, ROUNDS_UPWARD, 0, FLOC_CALLBACK_FAILED, "changed the rounding mode of its thread");
#if defined __x86_64__
    refuse_case(&cases[k], hash, FLUSHES, 0, FLOC_CALLBACK_FAILED, "changed the flushing of denormal numbers");
    refuse_case(&cases[k], hash, TRAPS, 0, FLOC_CALLBACK_FAILED, "changed the traps of its thread");
#endif
  }
}

/* They have no status to return: what they change is put back. */
static void log_and_allocator_change_nothing(void **state)
{
  (void)state;
  for (int k = 0; k < CASE_COUNT; k++) {
    host self;
    if (cases[k].fails) continue;
    uint64_t expected = run_case(&cases[k], BEHAVES, &self);
    assert_true(run_case(&cases[k], ROUNDS_UPWARD, &self) == expected);
    assert_int_equal(fegetround(), FE_TONEAREST);
  }
}

/* Another world is no business of the first. */
static floc_status use_another_world(void *context, int32_t count, const double *const *inputs,
                                     double *const *outputs)
{
  floc_status status = give(context, count, outputs, 2);
  (void)inputs;
  floc_world *other = make_world(2, 0.01, -1.0, 1);
  add_particle(other, 0.0, 0.0, 0.0, 0.0, 0.1);
  run_steps(other, 1);
  floc_world_destroy(other);
  return status;
}

static void other_worlds_are_free(void **state)
{
  (void)state;
  host self = {.does = BEHAVES};
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  add_particle(world, 0.0, 0.0, 0.0, 0.0, 0.1);
  assert_world_ok(world, set_law(world, &self, use_another_world, 2, floc_field_add));
  run_steps(world, 2);
  floc_world_destroy(world);
}

int main(void)
{
  fill_given();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_of_the_header_is_listed),
      cmocka_unit_test(the_header_says_which_functions_read),
      cmocka_unit_test(calls_from_callbacks_are_refused),
      cmocka_unit_test(messages_name_call_and_callback),
      cmocka_unit_test(wrong_statuses_are_failures_of_the_callback),
      cmocka_unit_test(callbacks_that_change_the_float_environment_are_caught),
      cmocka_unit_test(log_and_allocator_change_nothing),
      cmocka_unit_test(other_worlds_are_free),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
