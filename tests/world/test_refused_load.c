/*
 * A world that refuses a file partly keeps its own state, to the last bit: files that lack one section, each in
 * turn, so that every module refuses once after those before it have taken their part; then the run continues as if
 * nothing had been asked.
 */
#include "scenarios.h"
#include "support_world.h"
#include "world.h"

#include "files/checkpoint/checkpoint.h"

#include <stdio.h>
#include <unistd.h>

enum { EARLY = 10, LATER = 10, AFTER = 10 };

static char early[64], later[64], lacking[64];

static uint64_t hash_of(floc_world *world)
{
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  return hash;
}

static floc_world *run_twin(const scenario *it, int steps)
{
  floc_world *world = NULL;
  assert_int_equal(scenario_create(it, 1, NULL, NULL, &world), FLOC_OK);
  assert_int_equal(scenario_run(world, steps), FLOC_OK);
  return world;
}

/* Writes the sections of a file but one. */
static void write_without(const section_list *all, int32_t left_out)
{
  environment env = test_environment(1);
  section_list list;
  section_list_init(&list, &env);
  for (int32_t k = 0; k < all->count; k++) {
    const section *part = &all->item[k];
    if (k != left_out)
      assert_ok(&env, section_list_add(&list, part->name, part->type, part->rows, part->columns, part->data,
                                       part->is_state));
  }
  assert_ok(&env, checkpoint_write_plain(&env, file_layer_system(), lacking, 1, &list));
  section_list_free(&list);
}

/* Returns whether the file was refused. A file without what can be omitted is accepted: then the world gets its
 * state back from a file of its own. */
static bool is_refused(floc_world *world, uint64_t hash, const char *what)
{
  floc_status status = floc_world_load(world, lacking);
  if (status == FLOC_OK) {
    assert_world_ok(world, floc_world_load(world, later));
  } else {
    assert_true(status == FLOC_DAMAGED_FILE || status == FLOC_STRUCTURE_MISMATCH);
    assert_true(strlen(floc_world_message(world)) > 0);
  }
  if (hash_of(world) != hash) fail_msg("without %s: another state", what);
  return status != FLOC_OK;
}

static int refuse_all(floc_world *world, uint64_t hash)
{
  environment env = test_environment(1);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), early, &file));
  const section_list *list = checkpoint_sections(file);
  int refused = 0;
  for (int32_t k = 0; k < list->count; k++) {
    write_without(list, k);
    refused += is_refused(world, hash, list->item[k].name);
  }
  checkpoint_close(file);
  return refused;
}

static void try_scenario(const scenario *it)
{
  floc_world *world = run_twin(it, EARLY), *twin = run_twin(it, EARLY);
  assert_world_ok(world, floc_world_save(world, early, 1));
  assert_int_equal(scenario_run(world, LATER), FLOC_OK);
  assert_int_equal(scenario_run(twin, LATER), FLOC_OK);
  assert_world_ok(world, floc_world_save(world, later, 1));
  uint64_t hash = hash_of(world);
  assert_true(hash == hash_of(twin));
  int refused = refuse_all(world, hash);
  if (refused < 20) fail_msg("%s: only %d sections are missed", it->name, refused);
  assert_int_equal(scenario_run(world, AFTER), FLOC_OK);
  assert_int_equal(scenario_run(twin, AFTER), FLOC_OK);
  if (!it->rebuilds && hash_of(world) != hash_of(twin)) fail_msg("%s: goes on in another way", it->name);
  floc_world_destroy(world);
  floc_world_destroy(twin);
}

static void refused_files_leave_no_trace(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++) try_scenario(&scenarios[k]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused_files_leave_no_trace)};
  snprintf(early, sizeof early, "refused-early-%d.floc", (int)getpid());
  snprintf(later, sizeof later, "refused-later-%d.floc", (int)getpid());
  snprintf(lacking, sizeof lacking, "refused-lacking-%d.floc", (int)getpid());
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(early);
  unlink(later);
  unlink(lacking);
  return failed;
}
