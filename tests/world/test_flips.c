/*
 * Damage to real checkpoints, of every scheme: the file cut at every byte, and single bits flipped all over it,
 * compressed and not, each refused; a world that is asked to load one stays as it is. FLOC_FLIPS says how many
 * flips (100,000 unless given, 20,000 with sanitizers; scripts/test.sh --long makes ten million).
 */
#include "scratch.h"
#include "support.h"

#include "scenarios.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOAD_EVERY = 64, MESSAGE = 512 };

static char path[64];
static const floc_compression compressions[] = {FLOC_COMPRESSION_DEFAULT, FLOC_COMPRESSION_NONE};
enum { COMPRESSIONS = 2 };

static floc_world *make_with_checkpoint(const scenario *it, floc_compression compression, off_t *size,
                                        uint64_t *hash)
{
  floc_world *world;
  remove(path); /* one that the test before has damaged is not replaced */
  floc_status status = scenario_create(it, 1, NULL, NULL, &world);
  THEN(status, scenario_run(world, 10));
  THEN(status, floc_world_set_checkpoint_compression(world, compression));
  THEN(status, floc_world_save(world, path, 1));
  THEN(status, floc_world_hash(world, hash));
  if (status != FLOC_OK) fail_msg("%s: %s", it->name, floc_world_message(world));
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  *size = about.st_size;
  return world;
}

static void expect_refusal(floc_world *world, uint64_t hash, bool load)
{
  char message[MESSAGE] = "";
  floc_file *file = NULL;
  floc_status status = floc_file_open(path, &file, message, sizeof message);
  if (status != FLOC_DAMAGED_FILE && status != FLOC_WRONG_VERSION)
    fail_msg("%s: \"%s\"", floc_status_name(status), message);
  if (!strstr(message, path)) fail_msg("\"%s\" does not name the file", message);
  if (!load) return;
  assert_int_equal(floc_world_load(world, path), status);
  uint64_t now;
  assert_int_equal(floc_world_hash(world, &now), FLOC_OK);
  assert_true(now == hash);
}

static void a_cut_at_any_byte_is_refused(void **state)
{
  (void)state;
  for (int c = 0; c < COMPRESSIONS; c++) {
    off_t size;
    uint64_t hash;
    floc_world *world = make_with_checkpoint(&scenarios[5], compressions[c], &size, &hash);
    for (off_t length = size - 1; length >= 0; length--) {
      assert_int_equal(truncate(path, length), 0);
      expect_refusal(world, hash, length % LOAD_EVERY == 0);
    }
    floc_world_destroy(world);
  }
}

static void flip(int handle, uint64_t bit)
{
  unsigned char byte;
  assert_int_equal(pread(handle, &byte, 1, (off_t)(bit / 8)), 1);
  byte ^= (unsigned char)(1u << bit % 8);
  assert_int_equal(pwrite(handle, &byte, 1, (off_t)(bit / 8)), 1);
}

static void flipped_bits_are_refused(void **state)
{
  (void)state;
  long wanted = getenv("FLOC_FLIPS") ? atol(getenv("FLOC_FLIPS")) : SLOWED ? 20000 : 100000;
  uint64_t draws = 7;
  const int files = SCENARIO_COUNT * COMPRESSIONS;
  for (int k = 0; k < files; k++) {
    off_t size;
    uint64_t hash;
    floc_world *world =
        make_with_checkpoint(&scenarios[k / COMPRESSIONS], compressions[k % COMPRESSIONS], &size, &hash);
    int handle = open(path, O_RDWR);
    assert_true(handle >= 0);
    for (long n = 0; n < (wanted + files - 1) / files; n++) {
      draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      uint64_t bit = (draws >> 20) % (uint64_t)(8 * size);
      flip(handle, bit);
      expect_refusal(world, hash, n % LOAD_EVERY == 0);
      flip(handle, bit);
    }
    close(handle);
    assert_int_equal(floc_world_load(world, path), FLOC_OK); /* whole again */
    floc_world_destroy(world);
  }
}

int main(void)
{
  snprintf(path, sizeof path, "%s/floc-flips-%ld.floc", scratch_folder(), (long)getpid());
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cut_at_any_byte_is_refused),
                                     cmocka_unit_test(flipped_bits_are_refused)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failures;
}
