/*
 * Forged checkpoints (forged.h): FLOC_FORGED says how many (2,000 unless given, 400 under an emulator;
 * scripts/test.sh --long makes 100,000), FLOC_FORGED_FIRST the number of the first one. None may crash, take more
 * than 10 s of processor time, leave a radius or mass that is not a finite number above 0 after a successful step,
 * or change a world that refuses it.
 */
#include "batches.h"
#include "forged.h"

#include <stdlib.h>

enum { SECONDS = 10 };

/* Of a step. Instrumented code takes four times as long, so it gets a quarter of the default, and an emulator a
 * twentieth. */
#if defined __SANITIZE_ADDRESS__
static const double WORK_LIMIT = 2e7;
#elif defined FLOC_EMULATED
static const double WORK_LIMIT = 4e6;
#else
static const double WORK_LIMIT = 0.0;
#endif

static forgery all;

/* Every number of the stream belongs to one case: the same whichever were tried before. */
static size_t make_bytes(long number, uint8_t bytes[1 + MOST_EDITS * EDIT_SIZE])
{
  uint64_t state = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) + 1;
  size_t size = 1 + MOST_EDITS * EDIT_SIZE;
  for (size_t k = 0; k < size; k++) {
    state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb) + 12345;
    bytes[k] = (uint8_t)(state >> 40);
  }
  bytes[0] = (uint8_t)(number % SCENARIO_COUNT);
  size_t edits = bytes[1 + EDIT_SIZE - 1] % 4 == 0 ? 2 : 1; /* most with one edit: that is what is looked at */
  for (size_t k = 0; k < edits; k++) {
    uint8_t *chosen = &bytes[1 + k * EDIT_SIZE + EDIT_SIZE - 1];
    if (*chosen % 8 != 7) *chosen = (uint8_t)(*chosen / 8 % 20); /* one of the numbers that are often wrong */
  }
  return 1 + edits * EDIT_SIZE;
}

static int try_case(void *context, long number)
{
  (void)context;
  uint8_t bytes[1 + MOST_EDITS * EDIT_SIZE];
  size_t size = make_bytes(number, bytes);
  forged_outcome outcome = forged_try(&all, bytes, size);
  if (outcome == FORGED_WRONG) print_error("case %ld: %s\n", number, all.wrong);
  return (int)outcome;
}

static void describe(void *context, long number)
{
  (void)context;
  uint8_t bytes[1 + MOST_EDITS * EDIT_SIZE];
  size_t size = make_bytes(number, bytes);
  const section_list *real = checkpoint_sections(all.model[bytes[0]].file);
  print_error("%s", scenarios[bytes[0]].name);
  for (size_t at = 1; at < size; at += EDIT_SIZE) {
    const section *part = &real->item[bytes[at] % real->count];
    print_error(", %s edit %d of element %d", part->name, bytes[at + 1] % 16, bytes[at + 2] | bytes[at + 3] << 8);
  }
  print_error("\n");
}

static void forged_files_are_refused_or_harmless(void **state)
{
  (void)state;
  long wanted = getenv("FLOC_FORGED") ? atol(getenv("FLOC_FORGED")) : EMULATED ? 400 : 2000;
  long first = getenv("FLOC_FORGED_FIRST") ? atol(getenv("FLOC_FORGED_FIRST")) : 0, count[BATCH_KINDS];
  forgery_init(&all);
  all.work_limit = WORK_LIMIT;
  int deaths = batch_run(first, first + wanted, SECONDS, try_case, NULL, describe, count);
  print_message(
      "%ld forged files: %ld refused, %ld stopped by a step, %ld ran as the real one, %ld ran otherwise, %ld "
      "could not be written; %ld wrong, %d died\n",
      wanted, count[FORGED_REFUSED], count[FORGED_STOPPED], count[FORGED_SAME], count[FORGED_OTHER],
      count[FORGED_UNUSABLE], count[FORGED_WRONG], deaths);
  forgery_free(&all);
  assert_int_equal(deaths, 0);
  assert_int_equal(count[FORGED_WRONG], 0);
  assert_true(count[FORGED_REFUSED] > wanted / 4 && count[FORGED_SAME] + count[FORGED_OTHER] > wanted / 8);
}

/* A file without any edit is the real one: the test sees what it is meant to see. */
static void a_file_without_edits_runs_as_the_real_one(void **state)
{
  (void)state;
  forgery_init(&all);
  for (uint8_t k = 0; k < SCENARIO_COUNT; k++)
    if (forged_try(&all, &k, 1) != FORGED_SAME) fail_msg("%s: %s", scenarios[k].name, all.wrong);
  forgery_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_file_without_edits_runs_as_the_real_one),
                                     cmocka_unit_test(forged_files_are_refused_or_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
