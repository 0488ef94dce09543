/*
 * Contacts through the public surface: counting and copying, what a checkpoint gives back to the last bit, with
 * friction, soft contacts and laws that remember; refusals.
 */
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct contact_row {
  int64_t count;
  floc_contact *item;
} contact_row;

static contact_row contacts_of(floc_world *world)
{
  contact_row all = {0, NULL};
  assert_world_ok(world, floc_world_get_contacts(world, NULL, 0, &all.count));
  all.item = calloc((size_t)all.count + 1, sizeof *all.item);
  assert_non_null(all.item);
  int64_t again = -1;
  assert_world_ok(world, floc_world_get_contacts(world, all.item, all.count, &again));
  assert_int_equal(all.count, again);
  return all;
}

/* A pile that falls together, in a box that is periodic along x; law: of pairs that remember, or NULL. */
static floc_world *make_pile(bool soft, const floc_law_options *law)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = soft ? 1e-4 : 2e-3;
  options.gravity[1] = -10.0;
  options.boundary[0] = FLOC_BOUNDARY_PERIODIC;
  options.boundary[1] = FLOC_BOUNDARY_WALL;
  options.domain_upper[0] = 3.0;
  options.domain_upper[1] = 20.0;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  if (soft) {
    floc_discrete_element_options element;
    floc_discrete_element_options_init(&element);
    element.contact_force = law ? FLOC_CONTACT_FORCE_NONE : FLOC_CONTACT_FORCE_HOOKE;
    element.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
    element.stiffness = 1e4;
    element.damping = 20.0;
    element.rotation = true;
    element.friction = law ? FLOC_FRICTION_NONE : FLOC_FRICTION_SPRING;
    element.friction_stiffness = 5e3;
    assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  } else {
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    projection.friction = 0.4;
    assert_world_ok(world, floc_world_set_projection(world, &projection));
  }
  for (int k = 0; k < 24; k++)
    add_particle(world, 0.1 + 0.5 * (k % 6) + 0.1 * (k / 6), 0.3 + 0.6 * (k / 6), 0.3 * (k % 2), -1.0, 0.24);
  int32_t number;
  if (law) {
    assert_world_ok(world, floc_pair_law_add(world, law, &number));
    assert_world_ok(world, floc_wall_law_add(world, law, &number));
  }
  return world;
}

static void assert_same_contacts(floc_world *world, const contact_row *expected)
{
  contact_row found = contacts_of(world);
  assert_int_equal(found.count, expected->count);
  assert_memory_equal(found.item, expected->item, (size_t)found.count * sizeof *found.item);
  free(found.item);
}

/* Before saving, after loading into the same world and into another one, and once more. */
static void assert_kept(bool soft, const floc_law_options *law, int steps, int32_t compression)
{
  char path[] = "/tmp/floc-contacts-XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  remove(path); /* a file that is no checkpoint is not replaced */
  floc_world *world = make_pile(soft, law), *other = make_pile(soft, law);
  for (int k = 0; k < steps; k++) assert_world_ok(world, floc_world_step(world));
  contact_row before = contacts_of(world);
  int64_t loaded = 0;
  for (int64_t k = 0; k < before.count; k++) loaded += before.item[k].impulse != 0.0;
  assert_true(loaded > 10);
  assert_world_ok(world, floc_world_set_checkpoint_compression(world, compression));
  assert_world_ok(world, floc_world_save(world, path, 1));
  assert_same_contacts(world, &before);
  assert_world_ok(other, floc_world_load(other, path));
  assert_same_contacts(other, &before);
  assert_world_ok(other, floc_world_save(other, path, 1));
  for (int k = 0; k < 3; k++) assert_world_ok(world, floc_world_step(world));
  assert_world_ok(world, floc_world_load(world, path));
  assert_same_contacts(world, &before);
  uint64_t one, two;
  assert_world_ok(world, floc_world_hash(world, &one));
  assert_world_ok(other, floc_world_hash(other, &two));
  assert_true(one == two);
  free(before.item);
  floc_world_destroy(world);
  floc_world_destroy(other);
  remove(path);
}

static floc_status creeping_spring(void *context, int32_t count, const double *const *in, double *const *out)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    bool touches = in[0][k] > 0.0;
    out[0][k] = touches ? 1e4 * in[0][k] - 20.0 * in[1][k] : 0.0;
    out[2][k] = touches ? in[2][k] + in[4][k] * in[3][k] : 0.0;
    out[1][k] = -2e3 * out[2][k];
  }
  return FLOC_OK;
}

static floc_law_options remembering_law(void)
{
  static const char *const inputs[] = {"overlap", "normal_velocity", "stretch", "tangential_velocity", "time_step"};
  static const char *const outputs[] = {"normal", "tangential", "stretch"};
  static const char *const memory[] = {"stretch"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.function = creeping_spring;
  law.inputs = inputs;
  law.input_count = 5;
  law.outputs = outputs;
  law.output_count = 3;
  law.memory = memory;
  law.memory_count = 1;
  law.range = 0.05;
  return law;
}

static void checkpoints_keep_contacts(void **state)
{
  (void)state;
  floc_law_options law = remembering_law();
  for (int32_t compression = FLOC_COMPRESSION_DEFAULT; compression <= FLOC_COMPRESSION_NONE; compression++) {
    assert_kept(false, NULL, 150, compression);
    assert_kept(true, NULL, 3000, compression);
    assert_kept(true, &law, 3000, compression);
  }
}

/* Positions that the host writes after a step do not turn the normals of its impulses. */
static void what_is_written_later_does_not_count(void **state)
{
  (void)state;
  floc_world *world = make_pile(false, NULL);
  for (int k = 0; k < 150; k++) assert_world_ok(world, floc_world_step(world));
  contact_row before = contacts_of(world);
  double *x;
  int64_t count;
  assert_world_ok(world, floc_column(world, "x", &x, &count));
  for (int64_t k = 0; k < count; k++) x[k] += 1e-3 * (double)(k % 3);
  contact_row after = contacts_of(world);
  int64_t n = 0;
  for (int64_t k = 0; k < before.count; k++) {
    if (before.item[k].impulse == 0.0) continue;
    while (n < after.count && after.item[n].impulse != before.item[k].impulse) n++;
    assert_true(n < after.count);
    assert_memory_equal(before.item[k].normal, after.item[n].normal, sizeof before.item[k].normal);
    assert_memory_equal(before.item[k].point, after.item[n].point, sizeof before.item[k].point);
  }
  free(before.item);
  free(after.item);
  floc_world_destroy(world);
}

/* Forces of soft contacts and columns fx fy are there before the first step, and looking changes no hash. */
static void soft_forces_are_there_before_the_first_step(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 1e-4, -10.0, 1);
  floc_discrete_element_options element;
  floc_discrete_element_options_init(&element);
  element.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  element.stiffness = 100.0;
  assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  add_particle(world, 0.0, 0.0, 0.0, 0.0, 0.5);
  add_particle(world, 0.9, 0.0, 0.0, 0.0, 0.5);
  uint64_t before, after;
  assert_world_ok(world, floc_world_hash(world, &before));
  contact_row found = contacts_of(world);
  assert_int_equal(found.count, 1);
  assert_true(fabs(found.item[0].impulse / 1e-4 - 10.0) < 1e-12);
  free(found.item);
  double *fx, *fy;
  int64_t count;
  assert_world_ok(world, floc_column(world, "fx", &fx, &count));
  assert_world_ok(world, floc_column(world, "fy", &fy, &count));
  assert_true(fabs(fx[0] + 10.0) < 1e-12 && fabs(fx[1] - 10.0) < 1e-12 && fy[0] == 0.0);
  assert_world_ok(world, floc_world_hash(world, &after));
  assert_true(before == after);
  floc_world_destroy(world);
}

static void wrong_input_is_refused(void **state)
{
  (void)state;
  floc_world *world = make_pile(false, NULL);
  int64_t count;
  assert_int_equal(floc_world_get_contacts(world, NULL, 3, &count), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_world_get_contacts(world, NULL, 0, NULL), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
  world = make_world(2, 1.0, 0.0, 1);
  floc_event_driven_options flight;
  floc_event_driven_options_init(&flight);
  assert_world_ok(world, floc_world_set_event_driven(world, &flight));
  assert_int_equal(floc_world_get_contacts(world, NULL, 0, &count), FLOC_NOT_SUPPORTED);
  assert_non_null(strstr(floc_world_message(world), "event_driven"));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checkpoints_keep_contacts), cmocka_unit_test(what_is_written_later_does_not_count),
      cmocka_unit_test(soft_forces_are_there_before_the_first_step), cmocka_unit_test(wrong_input_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
