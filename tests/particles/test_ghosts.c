/*
 * Steps of a table with ghosts. A scheme moves owned particles alone, and what it reports is theirs;
 * ghosts act on them as any particle does. So where ghosts get from elsewhere in each step what their owner made of
 * them, here from the same world without ghosts, owned particles have its bits.
 */
#include "particles/owned.h"
#include "support_world.h"
#include "world.h"

enum { GRAINS = 400, STEPS = 40 };

static floc_world *make_heap(bool soft, bool verlet, int32_t threads)
{
  floc_world *world = make_world(2, soft ? 1e-3 : 5e-3, -1.0, threads);
  add_segment(world, NULL, -1.0, 0.0, 2.0, 0.0);
  floc_discrete_element_options elements;
  floc_projection_options hard;
  floc_discrete_element_options_init(&elements);
  floc_projection_options_init(&hard);
  elements.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  elements.stiffness = 50.0;
  elements.damping = 0.05;
  elements.friction = FLOC_FRICTION_SPRING;
  elements.friction_stiffness = 20.0;
  elements.friction_static = elements.friction_dynamic = 0.5;
  elements.rotation = true;
  elements.integrator = verlet ? FLOC_INTEGRATOR_VELOCITY_VERLET : FLOC_INTEGRATOR_TRAPEZOIDAL;
  hard.tolerance = 1e-4;
  assert_world_ok(world, soft ? floc_world_set_discrete_element(world, &elements)
                              : floc_world_set_projection(world, &hard));
  insert_box(world, GRAINS, 0.0, 0.02, 0.8, 0.8, 0.01, 0.014);
  for (int axis = 0; axis < 2; axis++)
    for (int64_t i = 0; i < GRAINS; i++)
      world->table.column[COLUMN_vx + axis][i] = 2.0 * sin(7.0 * (double)i + axis);
  return world;
}

static void copy_ghosts(const floc_world *from, floc_world *to)
{
  particles *table = &to->table;
  for (int64_t slot = 0; slot < table->count; slot++) {
    const int64_t there = particles_find(&from->table, table->id[slot]);
    for (int32_t k = 0; k < table->column_count && table->ghost[slot]; k++)
      table->column[k][slot] = from->table.column[k][there];
  }
}

/* Ghosts have stayed where they were; the others are where they are in the whole world. */
static void check_step(const floc_world *whole, const floc_world *part, double *const before[2])
{
  const particles *table = &part->table;
  for (int64_t slot = 0; slot < table->count; slot++) {
    const int64_t there = particles_find(&whole->table, table->id[slot]);
    for (int axis = 0; axis < 2; axis++) {
      const double x = table->column[COLUMN_x + axis][slot], v = table->column[COLUMN_vx + axis][slot];
      if (table->ghost[slot]) {
        assert_true(x == before[axis][table->id[slot]]);
      } else {
        assert_true(x == whole->table.column[COLUMN_x + axis][there]);
        assert_true(v == whole->table.column[COLUMN_vx + axis][there]);
      }
    }
  }
}

/* Returns the contacts of all steps. */
static int64_t run_part(bool soft, bool verlet, int32_t threads, bool quarter)
{
  floc_world *whole = make_heap(soft, verlet, 1), *part = make_heap(soft, verlet, threads);
  static double x[GRAINS + 1], y[GRAINS + 1];
  double *const before[2] = {x, y};
  particles *table = &part->table;
  assert_int_equal(particles_prepare_ghosts(table), FLOC_OK);
  for (int64_t slot = 0; slot < table->count; slot++) table->ghost[slot] = (table->id[slot] % 4 == 0) == quarter;
  int64_t contacts = 0;
  for (int k = 0; k < STEPS; k++) {
    for (int64_t slot = 0; slot < table->count; slot++)
      for (int axis = 0; axis < 2; axis++) before[axis][table->id[slot]] = table->column[COLUMN_x + axis][slot];
    assert_world_ok(whole, floc_world_step(whole));
    assert_world_ok(part, floc_world_step(part));
    check_step(whole, part, before);
    floc_step_report report = {.struct_size = sizeof report};
    assert_world_ok(part, floc_world_get_report(part, &report));
    double energy = 0.0;
    assert_world_ok(part, floc_measure(part, "kinetic_energy", &energy));
    assert_close(report.kinetic_energy, energy, 1e-12 * energy);
    contacts += report.contacts;
    copy_ghosts(whole, part);
  }
  floc_world_destroy(whole);
  floc_world_destroy(part);
  return contacts;
}

/* Of two parts, each of which has the other's grains as ghosts, a contact is counted by one. */
static void check_scheme(bool soft, bool verlet, int32_t threads)
{
  const int64_t contacts = run_part(soft, verlet, threads, true) + run_part(soft, verlet, threads, false);
  if (!soft) return;
  floc_world *whole = make_heap(soft, verlet, 1);
  int64_t all = 0;
  for (int k = 0; k < STEPS; k++) {
    floc_step_report report = {.struct_size = sizeof report};
    assert_world_ok(whole, floc_world_step(whole));
    assert_world_ok(whole, floc_world_get_report(whole, &report));
    all += report.contacts;
  }
  assert_true(all > 20 * STEPS);
  assert_int_equal(contacts, all);
  floc_world_destroy(whole);
}

static void owned_grains_have_the_bits_of_the_whole_world(void **state)
{
  (void)state;
  check_scheme(true, true, 1);
  check_scheme(true, false, 1);
  check_scheme(true, true, 3);
  check_scheme(false, false, 1);
  check_scheme(false, false, 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(owned_grains_have_the_bits_of_the_whole_world)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
