/*
 * Every function of floc.h with one argument, or one field of its options, wrong: NULL, negative, NaN, infinite,
 * far too large or small; in a world of every scheme, before and after its first step; then two steps. The table of
 * functions and structs is made from the header itself (wrong_calls.py). None may crash, none may take 5 s of
 * processor time, a refused call leaves the state as it was and says why.
 *
 * FLOC_CALLS says how many calls (1,500 unless given, spread over all); FLOC_CALLS=0: all there are.
 */
#include "batches.h"
#include "scenarios.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>

/* ---- what the table is made of ---- */

typedef union call_value {
  double real;
  int32_t narrow;
  int64_t wide;
  bool truth;
  void *pointer;
} call_value;

typedef enum call_kind {
  DOUBLE,
  I32,
  U32,
  I64,
  SIZE,
  BOOL,
  TEXT,
  NAMES,   /* const char *const * */
  COLUMNS, /* double *const *, or of const double */
  BUFFER,
  STRUCT,
  WORLD,
  FILE_HANDLE,
  HANDLE,
  CALLBACK
} call_kind;

typedef struct call_field {
  const char *name;
  call_kind kind;
  size_t offset;
  int number;
} call_field;

typedef struct call_struct {
  const char *name;
  size_t size;
  bool sized; /* begins with struct_size */
  void (*init)(void *);
  const call_field *field;
  size_t fields;
} call_struct;

typedef struct call_argument {
  const char *name;
  call_kind kind;
  int of; /* which struct */
} call_argument;

typedef struct call_function {
  const char *name;
  int (*call)(const call_value *);
  const call_argument *argument;
  int arguments;
  bool has_status;
} call_function;

#include "wrong_calls_table.h"

enum { FUNCTIONS = sizeof functions / sizeof *functions, STRUCTS = sizeof structs / sizeof *structs };
enum { MOST_ARGUMENTS = 16, BUFFER_SIZE = 1 << 24, MOST_POINTERS = 64, SECONDS = 5 };

/* ---- good values ---- */

/* Fields without a default, so that one wrong field is the only one. */
static const struct {
  const char *of, *field;
  double value;
} wanted[] = {{"floc_world_options", "time_step", 0.01},
              {"floc_particle_options", "radius", 0.01},
              {"floc_insertion_options", "count", 2},
              {"floc_insertion_options", "radius_lower", 0.01},
              {"floc_insertion_options", "region_upper", 0.9},
              {"floc_insertion_options", "region_radius", 0.3},
              {"floc_insertion_options", "tries", 100},
              {"floc_shape", "kind", 3},
              {"floc_shape", "points", 0.7},
              {"floc_shape", "radius", 0.01},
              {"floc_body_options", "motion", 1},
              {"floc_compound", "kind", 2},
              {"floc_compound", "upper", 0.5},
              {"floc_compound", "top", 1.0},
              {"floc_compound", "bottom", 0.2},
              {"floc_compound", "height", 0.5},
              {"floc_compound", "radius", 0.3},
              {"floc_compound", "width", 0.5},
              {"floc_compound", "depth", 0.5},
              {"floc_attraction_options", "kappa", 1e-3},
              {"floc_attraction_options", "epsilon", 1e-2},
              {"floc_long_range_options", "constant", 1.0},
              {"floc_flow_options", "kind", 1},
              {"floc_flow_options", "relaxation_time", 0.1},
              {"floc_noise_options", "sigma", 0.01},
              {"floc_ray_source_options", "direction", 1.0},
              {"floc_ray_source_options", "radius", 0.2},
              {"floc_ray_source_options", "rays", 5},
              {"floc_ray_source_options", "power", 1.0},
              {"floc_fractal_options", "cells", 8},
              {"floc_law_options", "range", 0.1}};

static unsigned char *buffer;                       /* BUFFER_SIZE bytes for whatever goes out */
static unsigned char *made[MOST_ARGUMENTS];         /* structs of the call */
static char long_text[4096], folder[64], model[80]; /* a folder of our own; a checkpoint in it */
static floc_file *file;

static void set_number(call_kind kind, void *place, int index, double real, int64_t whole)
{
  if (kind == DOUBLE) ((double *)place)[index] = real;
  if (kind == I32 || kind == U32) ((int32_t *)place)[index] = (int32_t)whole;
  if (kind == I64 || kind == SIZE) ((int64_t *)place)[index] = whole;
  if (kind == BOOL) ((bool *)place)[index] = whole != 0;
}

static void make_struct(const call_struct *of, unsigned char *place)
{
  memset(place, 0, of->size);
  uint32_t size = (uint32_t)of->size;
  if (of->init)
    of->init(place);
  else if (of->sized)
    memcpy(place, &size, sizeof size);
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    if (strcmp(wanted[k].of, of->name) != 0) continue;
    for (size_t f = 0; f < of->fields; f++)
      if (strcmp(wanted[k].field, of->field[f].name) == 0)
        for (int n = 0; n < of->field[f].number; n++)
          set_number(of->field[f].kind, place + of->field[f].offset, n, wanted[k].value, (int64_t)wanted[k].value);
  }
}

/* As many as any function takes; all columns are the same memory. */
static void *make_pointers(call_kind kind, unsigned char *place)
{
  for (int k = 0; k < MOST_POINTERS; k++)
    ((void **)(void *)place)[k] = kind == NAMES ? (void *)"distance" : place + MOST_POINTERS * sizeof(void *);
  return place;
}

static void good_values(floc_world *world, const call_function *one, call_value *value)
{
  memset(value, 0, MOST_ARGUMENTS * sizeof *value);
  for (int k = 0; k < one->arguments; k++) {
    const call_argument *argument = &one->argument[k];
    call_kind kind = argument->kind;
    if (kind == WORLD) value[k].pointer = world;
    if (kind == FILE_HANDLE) value[k].pointer = file;
    if (kind == TEXT) value[k].pointer = (void *)"x";
    unsigned char *own = buffer + (size_t)k * (BUFFER_SIZE / MOST_ARGUMENTS);
    if (kind == BUFFER) value[k].pointer = own;
    if (kind == NAMES || kind == COLUMNS) value[k].pointer = make_pointers(kind, own);
    if (kind == STRUCT) {
      value[k].pointer = made[k];
      make_struct(&structs[argument->of], made[k]);
    }
    set_number(kind, &value[k], 0, 0.01, 1);
  }
}

/* ---- wrong values ---- */

static const double wrong_real[] = {NAN, INFINITY, -INFINITY, -1.0, 0.0, 1e300, -1e300, 5e-324, 1e-300, 1e15};
static const int32_t wrong_narrow[] = {-1, 0, 2, 3, 7, INT32_MAX, INT32_MIN, 1000000};
static const int64_t wrong_wide[] = {-1, 0, 2, INT64_MAX, INT64_MIN, INT64_C(1) << 40, 1000000};
static const int64_t wrong_size[] = {0, 1000}; /* a host that lies about its own memory cannot be told */
static const char *const wrong_text[] = {NULL, "", long_text, "\xff\xfe%s%n", "nope/nope/nope"};

/* How many wrong values there are of a kind. */
static int wrong_count(call_kind kind)
{
  switch (kind) {
  case DOUBLE:
    return sizeof wrong_real / sizeof *wrong_real;
  case I32:
  case U32:
    return sizeof wrong_narrow / sizeof *wrong_narrow;
  case I64:
    return sizeof wrong_wide / sizeof *wrong_wide;
  case SIZE:
    return sizeof wrong_size / sizeof *wrong_size;
  case BOOL:
    return 2;
  case TEXT:
    return sizeof wrong_text / sizeof *wrong_text;
  case NAMES:
    return 1 + sizeof wrong_text / sizeof *wrong_text;
  case COLUMNS:
    return 2; /* NULL, and a NULL in it */
  case CALLBACK:
  case HANDLE: /* is NULL in any case */
    return 0;
  default:
    return 1; /* NULL */
  }
}

static void set_wrong(call_kind kind, void *place, int index, int which)
{
  set_number(kind, place, index, kind == DOUBLE ? wrong_real[which] : 0.0,
             kind == I32 || kind == U32 ? wrong_narrow[which]
             : kind == I64              ? wrong_wide[which]
             : kind == SIZE             ? wrong_size[which]
                                        : which);
}

/* ---- the cases: of each function its good call, wrong arguments, wrong fields (first and last element) ---- */

typedef struct call_case {
  const call_function *one;
  int argument, field, element, which; /* argument -1: all are good; field -1: the argument itself */
} call_case;

static call_case *cases;
static long case_count;

/* What makes a file that is to be finished, or ends a world or a file, is called by the test itself, or by others;
 * what a struct does not fit into our memory for is not, and what reads or writes as many numbers as it is told to.
 */
static bool is_left_out(const char *name)
{
  static const char *const left_out[] = {"floc_world_destroy", "floc_file_close", "floc_random_uniform", "floc_sum",
                                         "floc_new_file_create"};
  for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
    if (strcmp(name, left_out[k]) == 0) return true;
  return false;
}

static void add_case(call_case added)
{
  cases = realloc(cases, (size_t)(case_count + 1) * sizeof *cases);
  assert_non_null(cases);
  cases[case_count++] = added;
}

/* A million rays, iterations or repeats are not wrong: they take as long as they take. */
static bool is_only_long(const call_field *field, int which)
{
  bool million = (field->kind == I32 && wrong_narrow[which] == 1000000) ||
                 (field->kind == I64 && wrong_wide[which] == 1000000);
  return million && (strcmp(field->name, "rays") == 0 || strcmp(field->name, "iterations") == 0 ||
                     strcmp(field->name, "repeat") == 0);
}

static void list_function(const call_function *one)
{
  assert_true(one->arguments <= MOST_ARGUMENTS);
  add_case((call_case){one, -1, -1, 0, 0});
  for (int k = 0; k < one->arguments; k++) {
    call_kind kind = one->argument[k].kind;
    for (int which = 0; which < wrong_count(kind); which++) add_case((call_case){one, k, -1, 0, which});
    if (kind != STRUCT) continue;
    const call_struct *of = &structs[one->argument[k].of];
    for (size_t f = 0; f < of->fields; f++)
      for (int element = 0;
           element<of->field[f].number; element += of->field[f].number> 1 ? of->field[f].number - 1 : 1)
        for (int which = 0; which < wrong_count(of->field[f].kind); which++)
          if (!is_only_long(&of->field[f], which)) add_case((call_case){one, k, (int)f, element, which});
  }
}

static void spoil(const call_case *it, call_value *value)
{
  if (it->argument < 0) return;
  call_kind kind = it->one->argument[it->argument].kind;
  if (it->field >= 0) {
    const call_field *field = &structs[it->one->argument[it->argument].of].field[it->field];
    set_wrong(field->kind, made[it->argument] + field->offset, it->element, it->which);
  } else if (kind == TEXT) {
    value[it->argument].pointer = (void *)wrong_text[it->which];
  } else if ((kind == NAMES || kind == COLUMNS) && it->which > 0) {
    *(void **)value[it->argument].pointer = kind == NAMES ? (void *)wrong_text[it->which - 1] : NULL;
  } else if (kind == NAMES || kind == COLUMNS || kind == BUFFER || kind == STRUCT || kind == WORLD ||
             kind == FILE_HANDLE) {
    value[it->argument].pointer = NULL;
  } else {
    set_wrong(kind, &value[it->argument], 0, it->which);
  }
}

/* ---- one call ---- */

enum { CALL_REFUSED, CALL_TAKEN, CALL_STOPPED /* one of the steps after it */, CALL_WRONG };

static floc_world *world; /* kept from call to call while calls are refused */
static int world_of = -1;
static uint64_t hash;

static void need_world(int number)
{
  if (world && world_of == number) return;
  floc_world_destroy(world);
  world = NULL;
  const scenario *it = &scenarios[number / 2];
  floc_status status = scenario_create(it, 1, NULL, NULL, &world);
  if (SLOWED) THEN(status, floc_world_set_work_limit(world, 5e6)); /* the default one takes up to 2 s elsewhere */
  THEN(status, scenario_run(world, number % 2));                   /* before its first step, and after */
  THEN(status, floc_world_hash(world, &hash));
  if (status != FLOC_OK) abort();
  world_of = number;
}

static int judge_refusal(const call_case *it, int status)
{
  uint64_t now = 0;
  bool is_known = strcmp(floc_status_name((floc_status)status), "unknown status") != 0;
  bool stays = floc_world_hash(world, &now) == FLOC_OK && now == hash;
  if (is_known && stays) return CALL_REFUSED;
  print_error("%s: status %d, %s\n", it->one->name, status,
              stays ? "which does not exist" : "and the state has changed");
  world_of = -1;
  return CALL_WRONG;
}

static int run_call(void *context, long number)
{
  long stride = *(const long *)context;
  long at = number * stride;
  const call_case *it = &cases[at % case_count];
  need_world((int)(at / case_count) % (2 * SCENARIO_COUNT));
  call_value value[MOST_ARGUMENTS];
  good_values(world, it->one, value);
  spoil(it, value);
  bool is_create = strcmp(it->one->name, "floc_world_create") == 0;
  bool is_open = strcmp(it->one->name, "floc_file_open") == 0;
  int status = it->one->call(value);
  if (is_create && status == FLOC_OK) floc_world_destroy(*(floc_world **)value[1].pointer);
  if (is_open && status == FLOC_OK) floc_file_close(*(floc_file **)value[1].pointer);
  if (it->one->has_status && status != FLOC_OK) return judge_refusal(it, status);
  floc_status then = scenario_run(world, 2);
  world_of = -1;
  return then == FLOC_OK ? CALL_TAKEN : CALL_STOPPED;
}

static void describe(void *context, long number)
{
  long at = number * *(const long *)context;
  const call_case *it = &cases[at % case_count];
  const call_argument *argument = it->argument >= 0 ? &it->one->argument[it->argument] : NULL;
  const char *field = it->field >= 0 ? structs[argument->of].field[it->field].name : "";
  print_error("%s, %s, argument %s %s[%d], wrong value %d\n",
              scenarios[at / case_count % (2 * SCENARIO_COUNT) / 2].name, it->one->name,
              argument ? argument->name : "(all good)", field, it->element, it->which);
}

/* ---- the test ---- */

static void begin(void)
{
  snprintf(folder, sizeof folder, "%s/floc-calls-%ld", scratch_folder(), (long)getpid());
  snprintf(model, sizeof model, "%s/model.floc", folder);
  memset(long_text, 'n', sizeof long_text - 1);
  char command[96], message[512];
  snprintf(command, sizeof command, "mkdir -p %s", folder);
  assert_int_equal(system(command), 0);
  buffer = calloc(1, BUFFER_SIZE);
  assert_non_null(buffer);
  size_t greatest = 0;
  for (int k = 0; k < STRUCTS; k++) greatest = structs[k].size > greatest ? structs[k].size : greatest;
  for (int k = 0; k < MOST_ARGUMENTS; k++) made[k] = malloc(greatest);
  need_world(1);
  assert_int_equal(floc_world_save(world, model, 1), FLOC_OK);
  assert_int_equal(floc_file_open(model, &file, message, sizeof message), FLOC_OK);
  assert_int_equal(chdir(folder), 0); /* for calls that write what they are told to */
  for (int k = 0; k < FUNCTIONS; k++)
    if (!is_left_out(functions[k].name)) list_function(&functions[k]);
}

static void end(void)
{
  char command[96];
  floc_world_destroy(world);
  floc_file_close(file);
  free(buffer);
  free(cases);
  for (int k = 0; k < MOST_ARGUMENTS; k++) free(made[k]);
  assert_int_equal(chdir("/"), 0);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal(system(command), 0);
}

static void wrong_calls_are_refused_or_harmless(void **state)
{
  (void)state;
  begin();
  long calls = getenv("FLOC_CALLS") ? atol(getenv("FLOC_CALLS")) : 1500, count[BATCH_KINDS];
  long all = case_count * 2 * SCENARIO_COUNT;
  if (calls <= 0 || calls > all) calls = all;
  long stride = all / calls;
  int deaths = batch_run(0, calls, SECONDS, run_call, &stride, describe, count);
  print_message(
      "%ld calls of %d functions, of %ld: %ld refused, %ld taken, %ld stopped by a step; %ld wrong, %d died\n",
      calls, FUNCTIONS, all, count[CALL_REFUSED], count[CALL_TAKEN], count[CALL_STOPPED], count[CALL_WRONG],
      deaths);
  end();
  assert_true(FUNCTIONS >= 112);
  assert_int_equal(deaths, 0);
  assert_int_equal(count[CALL_WRONG], 0);
  assert_true(count[CALL_REFUSED] > calls / 4 && count[CALL_TAKEN] > calls / 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_calls_are_refused_or_harmless)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
