/*
 * What of laws can be changed or looked at by number, and what of them travels in checkpoints.
 *
 * Parameters are state. Programs are not (the same law traced by another Lua is another program), but they are
 * stored, so that a resumed run computes with the very program that it was started with. Three sections:
 *   laws.parameters  f64  values, law by law
 *   laws.words       i32  per law that has a program: kind (with fast_math: plus 256), number, inputs, constants,
 * code, outputs (counts), then the code (operation, a, b, c) and the outputs laws.constants   f64  constants,
 * program by program laws.names       u8   what every law is called, asks for and gives, as text: must be the same
 * in the file and in the world. Bonds have sections of their own (bonds/law_bonds.c). The numbers of kinds are
 * those of floc_law_kind; flow and a priori velocity have further ones here.
 */
#include "laws/laws_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KIND_FLOW = LAW_KINDS, KIND_A_PRIORI, KIND_END, HEADER_WORDS = 6, FAST_MATH = 256 };

/* ---- by number ---- */

static floc_status find_law(laws *all, environment *env, int32_t kind, int32_t number, law **found)
{
  if (kind < FLOC_LAW_PAIR || kind >= LAW_KINDS)
    return refuse(env, FLOC_INVALID_ARGUMENT, "kind is %d; it must be between %d and %d", kind, FLOC_LAW_PAIR,
                  LAW_KINDS - 1);
  if (number < 0 || number >= all->of[kind].count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "law is %d; there are %d of this kind", number, all->of[kind].count);
  *found = &all->of[kind].item[number];
  return FLOC_OK;
}

static floc_status find_parameter(laws *all, environment *env, int32_t kind, int32_t number, const char *name,
                                  double **value)
{
  law *one = NULL;
  floc_status status = find_law(all, env, kind, number, &one);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; name && k < one->parameter_count; k++) {
    *value = &one->parameter[k].value;
    if (strcmp(one->parameter[k].name, name) == 0) return FLOC_OK;
  }
  return refuse(env, FLOC_NOT_FOUND, "%s has no parameter \"%.40s\"", one->name, name ? name : "NULL");
}

floc_status laws_set_parameter(laws *all, int32_t kind, int32_t number, const char *name, double value)
{
  double *place = NULL;
  floc_status status = find_parameter(all, all->env, kind, number, name, &place);
  if (status == FLOC_OK && !isfinite(value))
    status = refuse(all->env, FLOC_INVALID_ARGUMENT, "parameter %s is %g; it must be finite", name, value);
  if (status == FLOC_OK) *place = value;
  return status;
}

floc_status laws_get_parameter(laws *all, environment *env, int32_t kind, int32_t number, const char *name,
                               double *value)
{
  double *place = NULL;
  floc_status status = find_parameter(all, env, kind, number, name, &place);
  if (status == FLOC_OK) *value = *place;
  return status;
}

floc_status laws_set_program(laws *all, int32_t kind, int32_t number, const floc_program_options *options)
{
  law *one = NULL;
  floc_status status = find_law(all, all->env, kind, number, &one);
  if (status == FLOC_OK && !one->code)
    status = refuse(all->env, FLOC_WRONG_STATE, "%s is a function, not a program", one->name);
  return status == FLOC_OK ? law_set_program(all->env, one, options) : status;
}

floc_status laws_get_energy(laws *all, environment *env, int32_t kind, int32_t number, double *energy)
{
  law *one = NULL;
  floc_status status = find_law(all, env, kind, number, &one);
  if (status == FLOC_OK) *energy = one->energy;
  return status;
}

floc_status laws_text(laws *all, environment *env, int32_t kind, int32_t number, char *text, size_t size,
                      size_t *length)
{
  law *one = NULL;
  floc_status status = find_law(all, env, kind, number, &one);
  if (status != FLOC_OK) return status;
  if (!one->code) return refuse(env, FLOC_WRONG_STATE, "%s is a function, not a program", one->name);
  const char *inputs[LAW_INPUT_LIMIT], *outputs[LAW_OUTPUT_LIMIT];
  for (int32_t k = 0; k < one->input_count; k++) inputs[k] = one->input_name[k];
  for (int32_t k = 0; k < one->output_count; k++) outputs[k] = one->output_name[k];
  *length = program_print(one->code, inputs, outputs, text, size);
  return FLOC_OK;
}

/* ---- all laws in order ---- */

/* Law number `number` of a kind; NULL past the last. */
static law *law_at(laws *all, int32_t kind, int32_t number)
{
  if (kind < LAW_KINDS) return number < all->of[kind].count ? &all->of[kind].item[number] : NULL;
  if (number > 0) return NULL;
  if (kind == KIND_FLOW) return all->has_drift_function ? &all->drift_function : NULL;
  return all->has_a_priori ? &all->a_priori : NULL;
}

typedef void law_visit(laws *all, law *one, int32_t kind, int32_t number, void *context);

static void visit_laws(laws *all, law_visit *visit, void *context)
{
  for (int32_t kind = FLOC_LAW_PAIR; kind < KIND_END; kind++) {
    law *one;
    for (int32_t number = 0; (one = law_at(all, kind, number)); number++) visit(all, one, kind, number, context);
  }
}

/* ---- writing ---- */

/* Counted first with nowhere to write, then written. */
typedef struct staging {
  int32_t *words;
  double *constants, *parameters;
  char *text;
  size_t word_count, constant_count, parameter_count, text_length;
} staging;

static void put_word(staging *to, int32_t word)
{
  if (to->words) to->words[to->word_count] = word;
  to->word_count++;
}

static void put_text(staging *to, const char *text)
{
  size_t length = strlen(text);
  if (to->text) memcpy(to->text + to->text_length, text, length);
  to->text_length += length;
}

static void put_names(staging *to, const law *one, int32_t kind)
{
  static const char *const kinds[] = {NULL, "pair", "field", "wall", "evolution", "angle", "flow", "a priori"};
  put_text(to, kinds[kind]);
  for (int32_t k = 0; k < one->memory_count && one->bonds; k++) {
    put_text(to, k == 0 ? " over bonds with " : ", ");
    put_text(to, one->memory[k].name);
  }
  if (one->bonds) put_text(to, ":");
  for (int32_t k = 0; k < one->input_count; k++) {
    put_text(to, " ");
    put_text(to, one->input_name[k]);
  }
  put_text(to, " ->");
  for (int32_t k = 0; k < one->output_count; k++) {
    /* older files are of fields without it, and their forces are the same */
    if (one->kind == FLOC_LAW_FIELD && one->output[k].kind == OUTPUT_ENERGY) continue;
    put_text(to, " ");
    put_text(to, one->output_name[k]);
  }
  put_text(to, "\n");
}

/* Files have kept the numbers of 0.2.0, where flows came behind evolutions. */
static const int32_t file_kinds[KIND_END] = {
    [FLOC_LAW_PAIR] = 1, [FLOC_LAW_FIELD] = 2, [FLOC_LAW_WALL] = 3, [FLOC_LAW_EVOLUTION] = 4,
    [KIND_FLOW] = 5,     [KIND_A_PRIORI] = 6,  [FLOC_LAW_ANGLE] = 7};

/* 0: there is none. */
static int32_t kind_of_file(int32_t number)
{
  int32_t kind = KIND_END - 1;
  while (kind > 0 && file_kinds[kind] != number) kind--;
  return kind;
}

static void put_program(staging *to, const program *code, int32_t kind, int32_t number)
{
  const floc_program_options *source = program_source(code);
  const int32_t header[HEADER_WORDS] = {file_kinds[kind] + (source->fast_math ? FAST_MATH : 0),
                                        number,
                                        source->input_count,
                                        source->constant_count,
                                        source->code_count,
                                        source->output_count};
  for (int32_t k = 0; k < HEADER_WORDS; k++) put_word(to, header[k]);
  for (int32_t k = 0; k < source->code_count; k++) {
    put_word(to, source->code[k].operation);
    put_word(to, source->code[k].a);
    put_word(to, source->code[k].b);
    put_word(to, source->code[k].c);
  }
  for (int32_t k = 0; k < source->output_count; k++) put_word(to, source->outputs[k]);
  for (int32_t k = 0; k < source->constant_count; k++) {
    if (to->constants) to->constants[to->constant_count] = source->constants[k];
    to->constant_count++;
  }
}

static void put_law(laws *all, law *one, int32_t kind, int32_t number, void *context)
{
  (void)all;
  staging *to = context;
  put_names(to, one, kind);
  for (int32_t k = 0; k < one->parameter_count; k++) {
    if (to->parameters) to->parameters[to->parameter_count] = one->parameter[k].value;
    to->parameter_count++;
  }
  if (one->code) put_program(to, one->code, kind, number);
}

static floc_status stage(laws *all, staging *made)
{
  environment *env = all->env;
  staging count = {NULL, NULL, NULL, NULL, 0, 0, 0, 0};
  visit_laws(all, put_law, &count);
  floc_status status = array_reserve(env, (void **)&all->staged_words, &all->staged_words_capacity,
                                     count.word_count + 1, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->staged_numbers, &all->staged_numbers_capacity,
                           count.constant_count + 1, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->staged_parameters, &all->staged_parameters_capacity,
                           count.parameter_count + 1, sizeof(double));
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->staged_text, &all->staged_text_capacity, count.text_length + 1, 1);
  if (status != FLOC_OK) return status;
  *made = (staging){all->staged_words, all->staged_numbers, all->staged_parameters, all->staged_text, 0, 0, 0, 0};
  visit_laws(all, put_law, made);
  return FLOC_OK;
}

floc_status laws_sections(laws *all, section_list *list)
{
  staging made;
  if (!law_at(all, KIND_FLOW, 0) && !law_at(all, KIND_A_PRIORI, 0) && laws_count(all) == all->attraction_count)
    return FLOC_OK;
  floc_status status = stage(all, &made);
  if (status == FLOC_OK && made.parameter_count > 0)
    status = section_list_add(list, "laws.parameters", "f64", made.parameter_count, 1, made.parameters, true);
  if (status == FLOC_OK) status = section_list_add(list, "laws.names", "u8", made.text_length, 1, made.text, false);
  if (status == FLOC_OK && made.word_count > 0)
    status = section_list_add(list, "laws.words", "i32", made.word_count, 1, made.words, false);
  if (status == FLOC_OK && made.constant_count > 0)
    status = section_list_add(list, "laws.constants", "f64", made.constant_count, 1, made.constants, false);
  return status == FLOC_OK ? laws_bond_sections(all, list) : status;
}

/* ---- reading ---- */

/* Programs of a file, made before anything in the world is changed. */
typedef struct restored {
  int32_t kind, number;
  program *code;
} restored;

typedef struct reader {
  laws *all;
  const int32_t *words;
  const double *constants;
  uint64_t word_count, constant_count, word, constant;
  restored *made;
  int32_t made_count;
  size_t made_capacity;
} reader;

static floc_status damaged(reader *from, const char *what)
{
  return refuse(from->all->env, FLOC_DAMAGED_FILE, "section \"laws.words\": %s at word %" PRIu64, what, from->word);
}

/* The uniform inputs follow from the law that the program is for. */
static floc_status read_program(reader *from)
{
  laws *all = from->all;
  if (from->word_count - from->word < HEADER_WORDS) return damaged(from, "a header is truncated");
  const int32_t *header = from->words + from->word;
  bool fast_math = header[0] >= FAST_MATH;
  int32_t kind = kind_of_file(fast_math ? header[0] - FAST_MATH : header[0]), number = header[1];
  law *one = kind >= FLOC_LAW_PAIR && kind < KIND_END && number >= 0 ? law_at(all, kind, number) : NULL;
  if (!one) return damaged(from, "a law that does not exist");
  for (int32_t k = 2; k < HEADER_WORDS; k++)
    if (header[k] < 0 || header[k] > PROGRAM_CODE_LIMIT) return damaged(from, "a count out of range");
  uint64_t needed = HEADER_WORDS + 4 * (uint64_t)header[4] + (uint64_t)header[5];
  if (from->word_count - from->word < needed) return damaged(from, "a program is truncated");
  if (from->constant_count - from->constant < (uint64_t)header[3]) return damaged(from, "constants are missing");
  bool without_energy = one->kind == FLOC_LAW_FIELD && one->has_energy && header[5] == one->output_count - 1;
  if (header[2] != one->input_count || (header[5] != one->output_count && !without_energy))
    return damaged(from, "the wrong number of inputs or outputs");
  floc_program_options options;
  floc_program_options_init(&options);
  options.input_count = header[2];
  options.constant_count = header[3];
  options.code_count = header[4];
  options.output_count = header[5];
  options.fast_math = fast_math;
  options.code = (const floc_instruction *)(const void *)(header + HEADER_WORDS);
  options.outputs = header + HEADER_WORDS + 4 * header[4];
  options.constants = from->constants + from->constant;
  floc_status status = array_reserve(all->env, (void **)&from->made, &from->made_capacity,
                                     (size_t)from->made_count + 1, sizeof *from->made);
  if (status != FLOC_OK) return status;
  restored *made = &from->made[from->made_count];
  status = program_create(all->env, &options, law_uniform_inputs(one), &made->code);
  if (status != FLOC_OK) return status == FLOC_INVALID_ARGUMENT ? FLOC_DAMAGED_FILE : status;
  made->kind = kind;
  made->number = number;
  from->made_count++;
  from->word += needed;
  from->constant += (uint64_t)header[3];
  return FLOC_OK;
}

static void count_parameters(laws *all, law *one, int32_t kind, int32_t number, void *context)
{
  (void)all, (void)kind, (void)number;
  *(uint64_t *)context += (uint64_t)one->parameter_count;
}

static void take_parameters(laws *all, law *one, int32_t kind, int32_t number, void *context)
{
  (void)all, (void)kind, (void)number;
  const double **from = context;
  for (int32_t k = 0; k < one->parameter_count; k++) one->parameter[k].value = *(*from)++;
}

static floc_status check_names(laws *all, const section_list *list)
{
  const section *names = section_find(list, "laws.names");
  staging made;
  floc_status status = stage(all, &made);
  if (status != FLOC_OK || !names) return status; /* written before laws had names */
  if (names->rows == made.text_length && memcmp(names->data, made.text, made.text_length) == 0) return FLOC_OK;
  return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                "a law has other inputs or outputs in the checkpoint than in "
                "this world");
}

static floc_status read_programs(reader *from, const section_list *list)
{
  const section *words = section_find(list, "laws.words"), *constants = NULL;
  if (!words) return FLOC_OK;
  floc_status status = section_expect(list, "laws.words", "i32", UINT64_MAX, 1, &words);
  if (status == FLOC_OK && section_find(list, "laws.constants"))
    status = section_expect(list, "laws.constants", "f64", UINT64_MAX, 1, &constants);
  if (status != FLOC_OK) return status;
  from->words = words->data;
  from->word_count = words->rows;
  from->constants = constants ? constants->data : NULL;
  from->constant_count = constants ? constants->rows : 0;
  while (from->word < from->word_count && status == FLOC_OK) status = read_program(from);
  return status;
}

/* Where the law is a function in this world, it stays one; so does the program of a field that gives its energy,
 * where the file's is from before fields did. */
static void take_programs(reader *from)
{
  for (int32_t k = 0; k < from->made_count; k++) {
    law *one = law_at(from->all, from->made[k].kind, from->made[k].number);
    if (!one->code || program_source(from->made[k].code)->output_count != one->output_count) continue;
    program *old = one->code;
    one->context = one->code = from->made[k].code;
    from->made[k].code = old;
  }
}

floc_status laws_restore(laws *all, const particles *table, const section_list *list)
{
  bond_list **bonds = NULL;
  size_t bonds_capacity = 0;
  const section *parameters = section_find(list, "laws.parameters");
  reader from = {.all = all};
  uint64_t parameter_count = 0;
  visit_laws(all, count_parameters, &parameter_count);
  floc_status status = FLOC_OK;
  if (parameters || parameter_count > 0)
    status = section_expect(list, "laws.parameters", "f64", parameter_count, 1, &parameters);
  for (uint64_t k = 0; status == FLOC_OK && k < parameter_count; k++)
    if (!isfinite(((const double *)parameters->data)[k]))
      status =
          refuse(all->env, FLOC_DAMAGED_FILE, "section \"laws.parameters\": number %" PRIu64 " is not finite", k);
  if (status == FLOC_OK) status = check_names(all, list);
  if (status == FLOC_OK) status = read_programs(&from, list);
  if (status == FLOC_OK) status = laws_read_bonds(all, table, list, &bonds, &bonds_capacity);
  if (status == FLOC_OK) {
    take_programs(&from);
    laws_take_bonds(all, bonds);
    const double *values = parameters ? parameters->data : NULL;
    visit_laws(all, take_parameters, &values);
  }
  laws_free_bonds(all, &bonds, &bonds_capacity);
  for (int32_t k = 0; k < from.made_count; k++) program_destroy(all->env, from.made[k].code);
  array_free(all->env, (void **)&from.made, &from.made_capacity, sizeof *from.made);
  return status;
}
