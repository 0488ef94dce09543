/*
 * Particles that are removed: under every scheme the others continue with what they remember, a resume after a
 * removal has the bits of the run that was not stopped, and a world from which some were removed is the world that
 * never had them where nothing else depends on them. Ids are never given again, and no memory grows with them.
 */
#include "../world/scenarios.h"
#include "scratch.h"
#include "support_world.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MANY = 4096 };

static char path[64];

static void step(floc_world *world, int steps)
{
  for (int k = 0; k < steps; k++) assert_world_ok(world, floc_world_step(world));
}

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash = 0;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

static floc_world *make_scenario(const scenario *it, int32_t threads)
{
  floc_world *world = NULL;
  assert_int_equal(scenario_create(it, threads, NULL, NULL, &world), FLOC_OK);
  return world;
}

/* Ids that leave `rest` when divided by `by`, without members of assemblies. */
static int64_t choose(floc_world *world, int64_t by, int64_t rest, int64_t ids[MANY])
{
  const int64_t *all, *slots;
  int64_t count, chosen = 0;
  assert_world_ok(world, floc_particle_ids(world, &all, &slots, &count));
  for (int64_t k = 0; k < count; k++) {
    int32_t owner = -1;
    int64_t id = all[slots[k]];
    assert_world_ok(world, floc_assembly_of(world, id, &owner));
    if (owner < 0 && id % by == rest && chosen < MANY) ids[chosen++] = id;
  }
  return chosen;
}

static int64_t remove_every(floc_world *world, int64_t by, int64_t rest)
{
  int64_t ids[MANY], count = choose(world, by, rest, ids);
  assert_true(count > 0);
  assert_world_ok(world, floc_particles_remove(world, ids, count));
  return count;
}

/* Slots and ids are inverse to each other, ids ascend, and those that are gone are not found. */
static void check_ids(floc_world *world)
{
  const int64_t *ids, *slots;
  int64_t count, slot = -1;
  floc_world_info info = {.struct_size = sizeof info};
  assert_world_ok(world, floc_particle_ids(world, &ids, &slots, &count));
  assert_world_ok(world, floc_world_get_info(world, &info));
  assert_int_equal(info.particle_count, count);
  for (int64_t k = 0; k < count; k++) {
    if (k > 0) assert_true(ids[slots[k - 1]] < ids[slots[k]]);
    assert_world_ok(world, floc_particle_slot(world, ids[slots[k]], &slot));
    assert_int_equal(slot, slots[k]);
  }
  for (int64_t id = 1; id <= info.last_id; id++) {
    int32_t owner = -1;
    bool stays = floc_assembly_of(world, id, &owner) == FLOC_OK;
    assert_int_equal(floc_particle_slot(world, id, &slot), stays ? FLOC_OK : FLOC_NOT_FOUND);
    if (!stays) assert_true(id % 3 == 1 || id % 7 == 2);
  }
}

/* ---- every scheme ---- */

/* Steps, removes, adds, steps; resumed where `resumes` says: 0 never, 1 right after the removal, 2 some steps
 * later. */
static uint64_t course(const scenario *it, int32_t threads, int resumes)
{
  floc_world *world = make_scenario(it, threads);
  step(world, it->steps / 4);
  remove_every(world, 3, 1);
  check_ids(world);
  for (int k = 1; k <= 2; k++) {
    if (resumes == k) {
      assert_world_ok(world, floc_world_save(world, path, 1));
      uint64_t before = hash_of(world);
      floc_world_destroy(world);
      world = make_scenario(it, threads);
      assert_world_ok(world, floc_world_load(world, path));
      assert_int_equal(hash_of(world), before);
      check_ids(world);
    }
    step(world, it->steps / 8);
    if (k == 1) remove_every(world, 7, 2);
  }
  uint64_t hash = hash_of(world);
  floc_world_destroy(world);
  return hash;
}

static void schemes_continue(void **state)
{
  (void)state;
  for (size_t k = 0; k < SCENARIO_COUNT; k++) {
    uint64_t plain = course(&scenarios[k], 1, 0);
    if (course(&scenarios[k], 3, 0) != plain) fail_msg("%s: threads", scenarios[k].name);
    if (course(&scenarios[k], 1, 1) != plain) fail_msg("%s: resumed at the removal", scenarios[k].name);
    if (course(&scenarios[k], 3, 2) != plain) fail_msg("%s: resumed later", scenarios[k].name);
  }
}

/* ---- as if they had never been there ---- */

/* columns of two worlds, in the order of ids */
static void compare_columns(floc_world *one, floc_world *other)
{
  static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "radius", "mass"};
  const int64_t *slots[2];
  int64_t count[2];
  assert_world_ok(one, floc_particle_ids(one, NULL, &slots[0], &count[0]));
  assert_world_ok(other, floc_particle_ids(other, NULL, &slots[1], &count[1]));
  assert_int_equal(count[0], count[1]);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    double *values[2];
    assert_world_ok(one, floc_column(one, names[n], &values[0], &count[0]));
    assert_world_ok(other, floc_column(other, names[n], &values[1], &count[1]));
    for (int64_t k = 0; k < count[0]; k++)
      if (memcmp(&values[0][slots[0][k]], &values[1][slots[1][k]], sizeof(double)) != 0)
        fail_msg("%s of particle %d: %.17g and %.17g", names[n], (int)k, values[0][slots[0][k]],
                 values[1][slots[1][k]]);
  }
}

/* Every other particle of a scene without history is removed before the first step, or never added. */
static void compare_start(floc_status (*set_up)(floc_world *world), double time_step)
{
  floc_world *world[2];
  for (int which = 0; which < 2; which++) {
    world[which] = make_world(2, time_step, -10.0, 1);
    assert_world_ok(world[which], set_up(world[which]));
    add_segment(world[which], NULL, -1.0, 0.0, 5.0, 0.0);
    int64_t ids[MANY], goes = 0;
    for (int k = 0; k < 400; k++) {
      bool stays = (k * 7) % 3 != 1;
      if (which == 1 && !stays) continue;
      int64_t id = add_particle(world[which], 0.11 * (k % 20) + 0.01 * (k / 20 % 3), 0.06 + 0.105 * (k / 20),
                                0.3 * ((k * 5) % 7 - 3), 0.2 * ((k * 3) % 5 - 2), 0.05);
      if (!stays) ids[goes++] = id;
    }
    if (which == 0) assert_world_ok(world[0], floc_particles_remove(world[0], ids, goes));
    step(world[which], 60);
  }
  compare_columns(world[0], world[1]);
  floc_world_destroy(world[0]);
  floc_world_destroy(world[1]);
}

static floc_status set_inelastic(floc_world *world)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  return floc_world_set_projection(world, &options);
}

static floc_status set_rough(floc_world *world)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = 0.5;
  return floc_world_set_projection(world, &options);
}

static floc_status set_elements(floc_world *world)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 1e4;
  options.damping = 3.0;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 3e3;
  return floc_world_set_discrete_element(world, &options);
}

static void start_is_as_without(void **state)
{
  (void)state;
  compare_start(set_inelastic, 0.004);
  compare_start(set_rough, 0.004);
  compare_start(set_elements, 5e-4);
}

/* Two heaps far from each other; one of them goes in the middle of the run. With discrete elements nothing of one
 * depends on the other, and its springs stay. */
static void heap_is_as_without(void **state)
{
  (void)state;
  floc_world *world[2];
  for (int which = 0; which < 2; which++) {
    world[which] = make_world(2, 5e-4, -10.0, 1);
    assert_world_ok(world[which], set_elements(world[which]));
    add_segment(world[which], NULL, -1.0, 0.0, 50.0, 0.0);
    int64_t ids[MANY], goes = 0;
    for (int heap = 0; heap < 2 - which; heap++)
      for (int k = 0; k < 100; k++) {
        int64_t id = add_particle(world[which], 30.0 * heap + 0.1 * (k % 10) + 0.01 * (k / 10 % 3),
                                  0.05 + 0.1 * (k / 10), 0.1 * ((k * 5) % 7 - 3), 0.0, 0.05);
        if (heap == 1) ids[goes++] = id;
      }
    step(world[which], 400);
    if (which == 0) assert_world_ok(world[0], floc_particles_remove(world[0], ids, goes));
    step(world[which], 400);
  }
  compare_columns(world[0], world[1]);
  floc_world_destroy(world[0]);
  floc_world_destroy(world[1]);
}

/* ---- what goes with them ---- */

static void bonds_go(void **state)
{
  (void)state;
  floc_world *world = make_scenario(&scenarios[SCENARIO_COUNT - 1], 1); /* "bonds" */
  step(world, 20);
  int64_t count = 0, left = 0, bonds[2 * MANY];
  assert_world_ok(world, floc_law_get_bonds(world, FLOC_LAW_PAIR, 0, NULL, 0, bonds, NULL, MANY, &count));
  assert_true(count > 3 && count <= MANY);
  int64_t gone = bonds[2], kept = 0;
  for (int64_t k = 0; k < count; k++) kept += bonds[2 * k] != gone && bonds[2 * k + 1] != gone;
  assert_world_ok(world, floc_particles_remove(world, &gone, 1));
  assert_world_ok(world, floc_law_get_bonds(world, FLOC_LAW_PAIR, 0, NULL, 0, bonds, NULL, MANY, &left));
  assert_int_equal(left, kept);
  assert_true(left < count);
  for (int64_t k = 0; k < 2 * left; k++) assert_true(bonds[k] != gone);
  step(world, 20);
  floc_world_destroy(world);
}

/* A pile on which a disc lies: without it the ones below do not remember it, and clusters are of those that are
 * left. */
static void contacts_and_clusters_go(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.005, -10.0, 1);
  add_segment(world, NULL, -1.0, 0.0, 2.0, 0.0);
  for (int k = 0; k < 3; k++) add_particle(world, 0.0, 0.05 + 0.1 * k, 0.0, 0.0, 0.05);
  step(world, 20);
  floc_contact contacts[8];
  int64_t count = 0, cluster_of[3], middle = 2;
  floc_cluster_summary summary = {.struct_size = sizeof summary};
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, 0.01, cluster_of, &summary));
  assert_int_equal(summary.count, 1);
  assert_world_ok(world, floc_particles_remove(world, &middle, 1));
  assert_world_ok(world, floc_clusters(world, FLOC_CLUSTER_GAP, 0.01, cluster_of, &summary));
  assert_int_equal(summary.count, 2);
  assert_int_equal(cluster_of[0], 1);
  assert_int_equal(cluster_of[1], 2);
  for (int k = 0; k < 8; k++) contacts[k].struct_size = sizeof contacts[k];
  assert_world_ok(world, floc_world_get_contacts(world, contacts, 8, &count));
  for (int64_t k = 0; k < count; k++) {
    assert_int_equal(contacts[k].id_i, 1);
    assert_int_equal(contacts[k].id_j, 0);
  }
  step(world, 100);
  double *y;
  assert_world_ok(world, floc_column(world, "y", &y, &count));
  assert_int_equal(count, 2);
  assert_true(fabs(y[0] - 0.05) < 1e-6 && fabs(y[1] - 0.15) < 1e-6);
  assert_int_equal(add_particle(world, 1.0, 1.0, 0.0, 0.0, 0.05), 4);
  floc_world_destroy(world);
}

/* Rays are under way among spheres, of which every third vanishes: those that were at one, or inside, fly on, what
 * acted on it ends, and a resume is the same. */
static floc_world *rays_world(void)
{
  floc_world *world = make_world(3, 1e-5, 0.0, 1);
  floc_particle_options grain;
  floc_particle_options_init(&grain);
  grain.radius = 0.04;
  for (int k = 0; k < 216; k++) {
    const int place[3] = {k % 6, k / 6 % 6, k / 36};
    for (int axis = 0; axis < 3; axis++) grain.position[axis] = 0.1 * place[axis] + 0.003 * ((k * 7 + axis) % 5);
    assert_world_ok(world, floc_particle_add(world, &grain, NULL));
  }
  floc_media media;
  floc_media_init(&media);
  assert_world_ok(world, floc_world_set_media(world, &media));
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.rays = 400;
  source.in_flight = true;
  source.power = 1e3;
  source.duration = 1e-4;
  source.direction[0] = 1.0;
  source.aim[0] = source.aim[1] = source.aim[2] = 0.25;
  source.radius = 0.3;
  assert_world_ok(world, floc_ray_source_add(world, &source, NULL));
  return world;
}

static void rays_continue(void **state)
{
  (void)state;
  uint64_t hash[2];
  for (int which = 0; which < 2; which++) {
    floc_world *world = rays_world();
    step(world, 30);
    floc_ray_report report = {.struct_size = sizeof report};
    assert_world_ok(world, floc_world_get_ray_report(world, 0, &report));
    assert_true(report.rays_in_flight > 50 && report.reflections > 50);
    remove_every(world, 3, 1);
    if (which == 1) {
      assert_world_ok(world, floc_world_save(world, path, 1));
      floc_world_destroy(world);
      world = rays_world();
      assert_world_ok(world, floc_world_load(world, path));
    }
    step(world, 60);
    assert_world_ok(world, floc_world_get_ray_report(world, 0, &report));
    double sum = report.absorbed + report.body_absorbed + report.escaped + report.residual + report.in_flight;
    assert_true(fabs(sum - report.incident) < 1e-9 * report.incident);
    hash[which] = hash_of(world);
    floc_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

/* ---- in and out ---- */

typedef struct counted_memory {
  size_t now, most;
} counted_memory;

static void *count_memory(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counted_memory *memory = context;
  if (new_size == 0) {
    free(pointer);
    memory->now -= old_size;
    return NULL;
  }
  void *made = realloc(pointer, new_size);
  if (!made) return NULL;
  memory->now += new_size - old_size;
  if (memory->now > memory->most) memory->most = memory->now;
  return made;
}

/* 40 times as many come and go as are there at a time. */
static void memory_is_flat(void **state)
{
  (void)state;
  counted_memory memory = {0, 0};
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 0.004;
  options.gravity[1] = -10.0;
  options.threads = 1;
  options.allocate = count_memory;
  options.allocate_context = &memory;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  size_t early = 0;
  int64_t came = 0, went = 0, present = 0;
  for (int k = 0; k < 800; k++) {
    for (int n = 0; n < 20; n++, came++) add_particle(world, 0.11 * n, 4.0, 0.0, -4.0, 0.05);
    step(world, 7);
    const int64_t *ids;
    double *y;
    int64_t gone[MANY], goes = 0;
    assert_world_ok(world, floc_particle_ids(world, &ids, NULL, &present));
    assert_world_ok(world, floc_column(world, "y", &y, &present));
    for (int64_t slot = 0; slot < present; slot++)
      if (y[slot] < 0.0) gone[goes++] = ids[slot];
    assert_world_ok(world, floc_particles_remove(world, gone, goes));
    went += goes;
    present -= goes;
    if (k == 200) early = memory.most;
  }
  assert_int_equal(came, 16000);
  assert_int_equal(came, went + present);
  assert_true(present > 200 && present < 500);
  assert_true((double)memory.most < 1.01 * (double)early);
  floc_world_destroy(world);
  assert_int_equal(memory.now, 0);
}

/* All go, and others come. */
static void world_empties(void **state)
{
  (void)state;
  for (size_t k = 0; k < SCENARIO_COUNT; k++) {
    if (strcmp(scenarios[k].name, "assemblies") == 0) continue;
    floc_world *world = make_scenario(&scenarios[k], 1);
    floc_world_info info = {.struct_size = sizeof info};
    step(world, 5);
    remove_every(world, 1, 0);
    assert_world_ok(world, floc_world_get_info(world, &info));
    assert_int_equal(info.particle_count, 0);
    step(world, 2);
    assert_world_ok(world, floc_world_save(world, path, 1));
    uint64_t before = hash_of(world);
    floc_world_destroy(world);
    world = make_scenario(&scenarios[k], 1);
    assert_world_ok(world, floc_world_load(world, path));
    assert_int_equal(hash_of(world), before);
    floc_particle_options grain;
    floc_particle_options_init(&grain);
    for (int axis = 0; axis < scenarios[k].dimension; axis++) grain.position[axis] = 0.5;
    grain.radius = 0.01;
    int64_t id = 0;
    assert_world_ok(world, floc_particle_add(world, &grain, &id));
    assert_int_equal(id, info.last_id + 1);
    step(world, 2);
    floc_world_destroy(world);
  }
}

/* ---- wrong input ---- */

static void expect(floc_world *world, const int64_t *ids, int64_t count, floc_status status, const char *text)
{
  uint64_t before = hash_of(world);
  assert_int_equal(floc_particles_remove(world, ids, count), status);
  if (!strstr(floc_world_message(world), text)) fail_msg("%s: %s", text, floc_world_message(world));
  assert_int_equal(hash_of(world), before);
}

static void wrong_ids_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  for (int k = 0; k < 6; k++) add_particle(world, k, 0.0, 0.0, 0.0, 0.1);
  floc_assembly_options options;
  floc_assembly_options_init(&options);
  assert_world_ok(world, floc_assembly_add(world, (const int64_t[]){5, 6}, 2, &options, NULL));
  assert_world_ok(world, floc_particles_remove(world, (const int64_t[]){2}, 1));
  expect(world, (const int64_t[]){1, 7}, 2, FLOC_NOT_FOUND, "there is no particle 7; ids are from 1 to 6");
  expect(world, (const int64_t[]){1, 0}, 2, FLOC_NOT_FOUND, "there is no particle 0");
  expect(world, (const int64_t[]){1, 2}, 2, FLOC_NOT_FOUND, "particle 2 is not there any more: it was removed");
  expect(world, (const int64_t[]){1, 3, 1}, 3, FLOC_INVALID_ARGUMENT, "particle 1 is named twice");
  expect(world, (const int64_t[]){1, 5}, 2, FLOC_NOT_SUPPORTED, "particle 5 belongs to assembly 0");
  expect(world, NULL, 1, FLOC_INVALID_ARGUMENT, "ids is NULL");
  expect(world, (const int64_t[]){1}, -1, FLOC_INVALID_ARGUMENT, "count is -1");
  assert_world_ok(world, floc_particles_remove(world, NULL, 0));
  int64_t slot = 0;
  assert_int_equal(floc_particle_slot(world, 2, &slot), FLOC_NOT_FOUND);
  assert_int_equal(floc_particle_slot(world, 1, NULL), FLOC_INVALID_ARGUMENT);
  int32_t number = 0;
  assert_int_equal(floc_assembly_of(world, 2, &number), FLOC_INVALID_ARGUMENT);
  assert_int_equal(floc_assembly_add(world, (const int64_t[]){1, 2}, 2, &options, NULL), FLOC_INVALID_ARGUMENT);
  assert_world_ok(world, floc_assembly_add(world, (const int64_t[]){1, 4}, 2, &options, NULL));
  step(world, 3);
  floc_world_destroy(world);
}

int main(void)
{
  snprintf(path, sizeof path, "%s/floc-removal-%ld.floc", scratch_folder(), (long)getpid());
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schemes_continue),         cmocka_unit_test(start_is_as_without),
      cmocka_unit_test(heap_is_as_without),       cmocka_unit_test(bonds_go),
      cmocka_unit_test(contacts_and_clusters_go), cmocka_unit_test(rays_continue),
      cmocka_unit_test(memory_is_flat),           cmocka_unit_test(world_empties),
      cmocka_unit_test(wrong_ids_are_refused),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
