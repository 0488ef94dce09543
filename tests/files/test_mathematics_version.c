/*
 * A checkpoint whose mathematics is another one's is loaded with a warning, and without one where it is ours or
 * where none is stored.
 */
#include "support_world.h"

#include "base/mathematics/version.h"
#include "files/checkpoint/checkpoint.h"

#include <stdio.h>
#include <unistd.h>

static char path[64], altered[64];

typedef struct heard {
  int warnings;
  char text[512];
} heard;

static void listen(void *context, int32_t level, const char *text)
{
  heard *to = context;
  if (level != 1) return;
  to->warnings++;
  snprintf(to->text, sizeof to->text, "%s", text);
}

static floc_world *one_grain(heard *to)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 0.01;
  options.threads = 1;
  options.log = listen;
  options.log_context = to;
  floc_world *world = NULL;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  add_particle(world, 0.0, 0.0, 1.0, 0.0, 0.1);
  return world;
}

/* The file with another number for the version, or NULL: without one. */
static void write_altered(const int64_t *version)
{
  environment env = test_environment(1);
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, file_layer_system(), path, &file));
  const section_list *all = checkpoint_sections(file);
  section_list list;
  section_list_init(&list, &env);
  int found = 0;
  for (int32_t k = 0; k < all->count; k++) {
    const section *part = &all->item[k];
    bool is_it = strcmp(part->name, MATHEMATICS_SECTION) == 0;
    found += is_it;
    if (is_it && !version) continue;
    assert_ok(&env, section_list_add(&list, part->name, part->type, part->rows, part->columns,
                                     is_it ? (const void *)version : part->data, part->is_state));
  }
  assert_int_equal(found, 1);
  assert_ok(&env, checkpoint_write_plain(&env, file_layer_system(), altered, 1, &list));
  section_list_free(&list);
  checkpoint_close(file);
}

static void load_altered(floc_world *world, uint64_t hash)
{
  uint64_t loaded;
  assert_world_ok(world, floc_world_load(world, altered));
  assert_world_ok(world, floc_world_hash(world, &loaded));
  assert_true(loaded == hash);
}

static void another_version_is_reported(void **state)
{
  (void)state;
  heard said = {0};
  floc_world *world = one_grain(&said);
  assert_world_ok(world, floc_world_step(world));
  assert_world_ok(world, floc_world_save(world, path, 1));
  uint64_t hash;
  assert_world_ok(world, floc_world_hash(world, &hash));
  int64_t ours = (int64_t)mathematics_version(), other = ours + 1;
  write_altered(&ours);
  load_altered(world, hash);
  write_altered(NULL);
  load_altered(world, hash);
  assert_int_equal(said.warnings, 0);
  write_altered(&other);
  load_altered(world, hash);
  assert_int_equal(said.warnings, 1);
  char numbers[2][20];
  snprintf(numbers[0], sizeof numbers[0], "%016llx", (unsigned long long)other);
  snprintf(numbers[1], sizeof numbers[1], "%016llx", (unsigned long long)ours);
  for (int k = 0; k < 2; k++) assert_non_null(strstr(said.text, numbers[k]));
  assert_non_null(strstr(said.text, "other mathematical functions"));
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(another_version_is_reported)};
  snprintf(path, sizeof path, "mathematics-%d.floc", (int)getpid());
  snprintf(altered, sizeof altered, "mathematics-altered-%d.floc", (int)getpid());
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  unlink(altered);
  return failed;
}
