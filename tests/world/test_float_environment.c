/*
 * The host's floating-point environment does not reach the engine: golden hashes in every mode of rounding, with
 * denormal numbers flushed, with traps; afterwards the environment is the host's again, flags included.
 */
#include "support.h"

#include "scenarios.h"

#include "base/numbers/float_environment.h"
#include "base/threads/parallel.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined __x86_64__
static uint32_t vector_word(void)
{
  uint32_t word;
  __asm__ volatile("stmxcsr %0" : "=m"(word) : : "memory");
  return word;
}

static void set_vector_word(uint32_t word)
{
  __asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
}

static uint16_t x87_word(void)
{
  uint16_t word;
  __asm__ volatile("fnstcw %0" : "=m"(word) : : "memory");
  return word;
}

static void set_x87_word(uint16_t word)
{
  __asm__ volatile("fldcw %0" : : "m"(word) : "memory");
}
#endif

typedef struct mode {
  const char *name;
  int rounding;
  uint32_t vector; /* bits to set in MXCSR */
  uint32_t unmasked;
  uint16_t x87; /* the whole control word; 0: as it is */
} mode;

static const mode modes[] = {{"the default", FE_TONEAREST, 0, 0, 0},
                             {"upward", FE_UPWARD, 0, 0, 0},
                             {"downward", FE_DOWNWARD, 0, 0, 0},
                             {"toward zero", FE_TOWARDZERO, 0, 0, 0},
#if defined __x86_64__
                             {"flags raised", FE_TONEAREST, 0x003F, 0, 0},
                             {"flush and denormals are zero", FE_TONEAREST, 0x8040, 0, 0},
                             {"traps", FE_TONEAREST, 0, 0x0680, 0x037F & ~0x0D},
                             {"x87 of double precision, upward", FE_UPWARD, 0x8040, 0, 0x0A7F}
#endif
};

static void set_mode(const mode *it)
{
  fesetenv(FE_DFL_ENV);
  fesetround(it->rounding);
#if defined __x86_64__
  if (it->x87) set_x87_word(it->x87);
  set_vector_word((vector_word() | it->vector) & ~it->unmasked);
#endif
}

/* Both control words, in one number. */
static uint64_t words_of_now(void)
{
#if defined __x86_64__
  return (uint64_t)x87_word() << 32 | vector_word();
#else
  return (uint64_t)fegetround();
#endif
}

/* The words that a mode sets. */
static uint64_t words_of(const mode *it)
{
  set_mode(it);
  uint64_t words = words_of_now();
  fesetenv(FE_DFL_ENV);
  return words;
}

/* The scenario as in test_golden.c, from creation to hash; the environment is looked at after every call. Where the
 * scenario computes positions itself, it does so in the default environment: that is the host's arithmetic. */
static uint64_t hash_in(const mode *it, const scenario *played, int32_t threads, bool *kept)
{
  uint64_t hash = 0, words = words_of(it);
  bool computes = strcmp(played->name, "assemblies") == 0 || strcmp(played->name, "bonds") == 0;
  floc_world *world;
  if (!computes) set_mode(it);
  floc_status status = scenario_create(played, threads, NULL, NULL, &world);
  if (computes) set_mode(it);
  *kept = words_of_now() == words;
  for (int k = 0; k < played->steps && status == FLOC_OK; k++) {
    status = floc_world_step(world);
    *kept = *kept && words_of_now() == words;
  }
  THEN(status, floc_world_hash(world, &hash));
  *kept = *kept && words_of_now() == words;
  floc_world_destroy(world);
  *kept = *kept && words_of_now() == words;
  fesetenv(FE_DFL_ENV);
  assert_int_equal(status, FLOC_OK);
  return hash;
}

static void hashes_are_golden_in_every_mode(void **state)
{
  (void)state;
  int wrong = 0;
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
    for (int k = 0; k < SCENARIO_COUNT; k++) {
      bool kept;
      uint64_t hash = hash_in(&modes[m], &scenarios[k], 1 + 2 * (k % 2), &kept);
      if (hash == scenarios[k].golden && kept) continue;
      print_error("%s, %s: hash 0x%016" PRIx64 ", golden 0x%016" PRIx64 "; the environment is %s\n", modes[m].name,
                  scenarios[k].name, hash, scenarios[k].golden, kept ? "kept" : "another");
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

/* One call that failed, and those without a world. */
static void every_way_out_gives_it_back(void **state)
{
  (void)state;
  floc_program_options program;
  static const floc_instruction code[] = {{FLOC_OPERATION_DIVIDE, 0, 1, -1}};
  static const int32_t output[] = {2};
  floc_program_options_init(&program);
  program.input_count = 2;
  program.code = code;
  program.code_count = 1;
  program.outputs = output;
  program.output_count = 1;
  const double one = 1.0, three = 3.0;
  const double *inputs[] = {&one, &three};
  double third, *outputs[] = {&third};
  floc_world_options options;
  floc_world *world;
  floc_world_options_init(&options);
  options.time_step = 0.1;
  assert_int_equal(floc_world_create(&options, &world), FLOC_OK);
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
    uint64_t words = words_of(&modes[m]);
    set_mode(&modes[m]);
    floc_status refused = floc_world_set_time_step(world, -1.0);
    bool kept = words_of_now() == words;
    floc_status done = floc_program_evaluate(&program, 1, inputs, outputs, NULL, 0);
    kept = kept && words_of_now() == words;
    fesetenv(FE_DFL_ENV);
    assert_int_equal(refused, FLOC_INVALID_ARGUMENT);
    assert_int_equal(done, FLOC_OK);
    assert_true(third == 1.0 / 3.0);
    if (!kept) fail_msg("%s: not given back", modes[m].name);
  }
  floc_world_destroy(world);
}

/* Threads of a team begin with what their maker had, and are made to forget it. */
static void take_back_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  int32_t *changed = context;
  (void)begin, (void)end;
  changed[block] = float_take_back();
}

static void threads_begin_with_the_default(void **state)
{
  (void)state;
  enum { BLOCKS = 4000 };
  static int32_t changed[BLOCKS];
  environment env = test_environment(4);
  fesetround(FE_UPWARD);
  parallel_call_team(&env);
  fesetround(FE_TONEAREST);
  for (int round = 0; round < 20; round++) {
    parallel_for(&env, BLOCKS, 1, take_back_block, changed);
    for (int k = 0; k < BLOCKS; k++) assert_int_equal(changed[k], 0);
  }
  parallel_dismiss_team(&env);
}

static void what_was_changed_is_named(void **state)
{
  (void)state;
  char text[96];
  assert_int_equal(float_take_back(), 0);
  fesetround(FE_DOWNWARD);
  assert_int_equal(float_take_back(), FLOAT_ROUNDING);
  assert_int_equal(fegetround(), FE_TONEAREST);
#if defined __x86_64__
  set_vector_word(vector_word() | 0x0040);
  assert_int_equal(float_take_back(), FLOAT_FLUSHING);
  set_x87_word(0x027F);
  assert_int_equal(float_take_back(), FLOAT_PRECISION);
  set_vector_word((vector_word() | 0x8000) & ~(uint32_t)0x0080);
  assert_int_equal(float_take_back(), FLOAT_FLUSHING | FLOAT_TRAPS);
  assert_int_equal(float_take_back(), 0);
#endif
  assert_string_equal(float_changes(FLOAT_TRAPS | FLOAT_FLUSHING, text),
                      "the traps and the flushing of denormal numbers");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_are_golden_in_every_mode),
      cmocka_unit_test(every_way_out_gives_it_back),
      cmocka_unit_test(threads_begin_with_the_default),
      cmocka_unit_test(what_was_changed_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
