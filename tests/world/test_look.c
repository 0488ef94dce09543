/*
 * Worlds to look at, made from a checkpoint alone: their bonds, rays in flight and contacts, through a periodic
 * face too, are those of the world that wrote it.
 */
#include "support_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 400 };

/* Two discs that touch through the periodic face, two that touch inside; rays on their way. */
static floc_world *make(bool soft, int32_t boundary)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1e-4;
  options.boundary[0] = boundary;
  options.domain_lower[0] = -1.0;
  options.domain_upper[0] = 3.0;
  floc_world *world;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  if (soft) {
    floc_discrete_element_options element;
    floc_discrete_element_options_init(&element);
    element.bond_law = FLOC_BOND_PERSISTENT;
    element.bond_stiffness = 10.0;
    element.stiffness = 10.0;
    assert_world_ok(world, floc_world_set_discrete_element(world, &element));
  } else {
    floc_projection_options projection;
    floc_projection_options_init(&projection);
    assert_world_ok(world, floc_world_set_projection(world, &projection));
  }
  add_particle(world, -0.9, 1.0, -1.0, 0.0, 0.2);
  add_particle(world, 2.75, 1.0, 1.0, 0.0, 0.2);
  add_particle(world, 1.0, 1.0, 1.0, 0.0, 0.2);
  add_particle(world, 1.35, 1.0, -1.0, 0.0, 0.2);
  if (!soft) return world;
  assert_world_ok(world, floc_world_step(world));
  assert_world_ok(world, floc_bond_add(world, 3, 4, 0.1));
  if (boundary == FLOC_BOUNDARY_PERIODIC) assert_world_ok(world, floc_bond_add(world, 1, 2, 0.2));
  for (int k = 0; k < 2; k++) {
    floc_ray_source_options source;
    floc_ray_source_options_init(&source);
    source.rays = 30;
    source.in_flight = true;
    source.start = 1.5e-4;
    source.direction[1] = 0.2 * k;
    source.aim[1] = 1.0;
    assert_world_ok(world, floc_ray_source_add(world, &source, NULL));
  }
  return world;
}

static floc_world *look_at(floc_world *world)
{
  char path[] = "/tmp/floc-look-XXXXXX", message[300] = "";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  unlink(path);
  assert_world_ok(world, floc_world_save(world, path, 1));
  floc_file *file;
  floc_world *seen;
  assert_int_equal(floc_file_open(path, &file, message, sizeof message), FLOC_OK);
  if (floc_file_world(file, &seen, message, sizeof message) != FLOC_OK) fail_msg("%s", message);
  floc_file_close(file);
  unlink(path);
  return seen;
}

static void assert_same_bonds(floc_world *world, floc_world *seen, int64_t expected)
{
  floc_bond bonds[2][8];
  int64_t count[2];
  for (int k = 0; k < 8; k++) bonds[0][k].struct_size = bonds[1][k].struct_size = sizeof(floc_bond);
  assert_world_ok(world, floc_world_get_bonds(world, bonds[0], 8, &count[0]));
  assert_world_ok(seen, floc_world_get_bonds(seen, bonds[1], 8, &count[1]));
  assert_int_equal(count[0], expected);
  assert_int_equal(count[1], expected);
  for (int64_t k = 0; k < expected; k++) {
    assert_int_equal(bonds[0][k].id_i, bonds[1][k].id_i);
    assert_int_equal(bonds[0][k].id_j, bonds[1][k].id_j);
    assert_true(bonds[0][k].area == bonds[1][k].area && bonds[0][k].strain == bonds[1][k].strain);
  }
}

static void assert_same_rays(floc_world *world, floc_world *seen)
{
  static floc_ray rays[2][MOST];
  int64_t count[2];
  assert_world_ok(world, floc_world_get_rays(world, rays[0], MOST, &count[0]));
  assert_world_ok(seen, floc_world_get_rays(seen, rays[1], MOST, &count[1]));
  assert_true(count[0] > 0 && count[0] <= MOST);
  assert_int_equal(count[0], count[1]);
  assert_memory_equal(rays[0], rays[1], (size_t)count[0] * sizeof(floc_ray));
}

static void assert_same_contacts(floc_world *world, floc_world *seen, bool same_forces)
{
  floc_contact contacts[2][8];
  int64_t count[2];
  assert_world_ok(world, floc_world_get_contacts(world, contacts[0], 8, &count[0]));
  assert_world_ok(seen, floc_world_get_contacts(seen, contacts[1], 8, &count[1]));
  assert_int_equal(count[0], 2);
  for (int64_t k = 0, n; k < count[0]; k++) {
    const floc_contact *one = &contacts[0][k], *other = NULL;
    for (n = 0; n < count[1]; n++)
      if (contacts[1][n].id_i == one->id_i && contacts[1][n].id_j == one->id_j) other = &contacts[1][n];
    if (!other) fail_msg("%lld and %lld have no contact", (long long)one->id_i, (long long)one->id_j);
    if (!(fabs(one->distance - other->distance) < 1e-3 && one->distance < 0.1))
      fail_msg("%lld and %lld: %g apart, not %g", (long long)one->id_i, (long long)one->id_j, other->distance,
               one->distance);
    for (int axis = 0; axis < 2; axis++) assert_true(fabs(one->normal[axis] - other->normal[axis]) < 1e-9);
    if (same_forces) assert_true(one->impulse == other->impulse);
  }
}

static void soft_contacts_bonds_and_rays(void **state)
{
  (void)state;
  floc_world *world = make(true, FLOC_BOUNDARY_PERIODIC);
  for (int k = 0; k < 3; k++) assert_world_ok(world, floc_world_step(world));
  floc_world *seen = look_at(world);
  assert_same_bonds(world, seen, 2);
  assert_same_rays(world, seen);
  assert_same_contacts(world, seen, false);
  floc_world_destroy(seen);
  floc_world_destroy(world);
}

static void contacts_through_a_periodic_face(void **state)
{
  (void)state;
  floc_world *world = make(false, FLOC_BOUNDARY_PERIODIC);
  assert_world_ok(world, floc_world_step(world));
  floc_world *seen = look_at(world);
  assert_same_contacts(world, seen, true);
  int64_t count;
  assert_world_ok(seen, floc_world_get_bonds(seen, NULL, 0, &count));
  assert_int_equal(count, 0);
  floc_world_destroy(seen);
  floc_world_destroy(world);
}

/* An open world writes no periods, and a world that has a scheme of its own still refuses what that has not. */
static void what_is_not_there(void **state)
{
  (void)state;
  floc_world *world = make(true, FLOC_BOUNDARY_OPEN);
  assert_world_ok(world, floc_world_step(world));
  floc_world *seen = look_at(world);
  assert_same_bonds(world, seen, 1);
  floc_world_destroy(seen);
  floc_world_destroy(world);
  world = make(false, FLOC_BOUNDARY_OPEN);
  int64_t count;
  assert_int_equal(floc_world_get_bonds(world, NULL, 0, &count), FLOC_WRONG_STATE);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(soft_contacts_bonds_and_rays),
                                     cmocka_unit_test(contacts_through_a_periodic_face),
                                     cmocka_unit_test(what_is_not_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
