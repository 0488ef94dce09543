/*
 * Resolves the names of a law's inputs, and takes what else the host gives of it: memory, parameters, attributes of
 * bonds, the program. Outputs are in law_output.c. See law_input.h and floc_law_options for what names mean.
 */
#include "laws/law_names.h"

#include "base/structs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *name, const char *ending, char *stem, size_t stem_size)
{
  size_t length = strlen(name), tail = strlen(ending);
  if (length <= tail || strcmp(name + length - tail, ending) != 0 || length - tail >= stem_size) return false;
  memcpy(stem, name, length - tail);
  stem[length - tail] = '\0';
  return true;
}

/* ---- inputs ---- */

static bool resolve_own(const law *one, const char *name, law_input *input)
{
  for (int32_t k = 0; k < one->parameter_count; k++)
    if (strcmp(name, one->parameter[k].name) == 0) return *input = (law_input){INPUT_PARAMETER, k}, true;
  for (int32_t k = 0; k < one->memory_count; k++)
    if (strcmp(name, one->memory[k].name) == 0) return *input = (law_input){INPUT_MEMORY, k}, true;
  return false;
}

typedef struct known_input {
  const char *name;
  input_kind kind;
} known_input;

static const known_input everywhere[] = {
    {"time", INPUT_TIME}, {"t", INPUT_TIME}, {"time_step", INPUT_TIME_STEP}, {NULL, 0}};
static const known_input of_particles[] = {{"id", INPUT_ID_I}, {NULL, 0}};
static const known_input of_contacts[] = {{"distance", INPUT_DISTANCE},
                                          {"overlap", INPUT_OVERLAP},
                                          {"normal_velocity", INPUT_NORMAL_VELOCITY},
                                          {"tangential_velocity", INPUT_TANGENTIAL_VELOCITY},
                                          {NULL, 0}};
static const known_input of_pairs[] = {{"id_i", INPUT_ID_I},
                                       {"id_j", INPUT_ID_J},
                                       {"material_i", INPUT_MATERIAL_I},
                                       {"material_j", INPUT_MATERIAL_J},
                                       {NULL, 0}};
static const known_input of_walls[] = {
    {"id", INPUT_ID_I}, {"body", INPUT_BODY}, {"material", INPUT_MATERIAL}, {NULL, 0}};

static bool find_known(const known_input *list, const char *name, law_input *input)
{
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0) return *input = (law_input){list->kind, 0}, true;
  return false;
}

static bool resolve_contact(const char *name, law_input *input)
{
  if (find_known(of_contacts, name, input)) return true;
  int32_t normal = axis_of(name, "normal_"), slip = axis_of(name, "slip_");
  if (normal < 0 && slip < 0) return false;
  *input = normal >= 0 ? (law_input){INPUT_NORMAL, normal} : (law_input){INPUT_SLIP, slip};
  return true;
}

/* "normal_random", "normal_random_2", _3, _4: independent numbers of one kind. */
static bool resolve_random(const char *name, law_input *input)
{
  static const known_input kinds[] = {{"uniform_random", INPUT_UNIFORM_RANDOM},
                                      {"normal_random", INPUT_NORMAL_RANDOM}};
  for (int k = 0; k < 2; k++) {
    size_t length = strlen(kinds[k].name);
    if (strncmp(name, kinds[k].name, length) != 0) continue;
    const char *rest = name + length;
    *input = (law_input){kinds[k].kind, 0};
    if (!*rest) return true;
    if (rest[0] != '_' || rest[1] < '2' || rest[1] > '4' || rest[2]) return false;
    input->number = rest[1] - '1';
    return true;
  }
  return false;
}

/* "axis_x" of a particle, "axis_i_x" of a pair, of the second and third axis "axis2_x", "axis3_x". */
bool law_axis_input(int32_t kind, const char *name, law_input *input)
{
  static const char *const stems[3][3] = {
      {"axis_", "axis_i_", "axis_j_"}, {"axis2_", "axis2_i_", "axis2_j_"}, {"axis3_", "axis3_i_", "axis3_j_"}};
  for (int32_t axis = 0; axis < 3; axis++)
    for (int side = kind == FLOC_LAW_PAIR; side < (kind == FLOC_LAW_PAIR ? 3 : 1); side++) {
      int32_t component = axis_of(name, stems[axis][side]);
      if (component < 0) continue;
      *input = (law_input){side == 2 ? INPUT_AXIS_J : INPUT_AXIS_I, 3 * axis + component};
      return true;
    }
  return false;
}

bool laws_take_axes(int32_t kind, const floc_law_options *options)
{
  law_input input;
  for (int32_t k = 0; k < options->input_count && options->inputs; k++)
    if (options->inputs[k] && law_axis_input(kind, options->inputs[k], &input)) return true;
  return false;
}

/* A column; as sum_NAME one that a law must write in the same step. */
static bool find_column(const particles *table, law *one, const char *name, int32_t *column)
{
  *column = particles_find_column(table, name);
  if (*column < 0 && strncmp(name, "sum_", 4) == 0) {
    *column = particles_find_column(table, name + 4);
    if (*column >= 0) one->sums_read |= UINT64_C(1) << *column;
  }
  if (*column >= 0) one->columns_read |= UINT64_C(1) << *column;
  return *column >= 0;
}

/* "shape_NAME" of a wall law. */
static bool resolve_shape(const bodies *obstacles, const law *one, const char *name, law_input *input)
{
  if (one->kind != FLOC_LAW_WALL || !obstacles || strncmp(name, "shape_", 6) != 0) return false;
  *input = (law_input){INPUT_SHAPE, bodies_find_attribute(obstacles, name + 6)};
  return input->number >= 0;
}

static bool resolve_column(const particles *table, law *one, const char *name, law_input *input)
{
  char stem[COLUMN_NAME_SIZE];
  input->kind = INPUT_COLUMN_I;
  const bool angle = one->kind == FLOC_LAW_ANGLE;
  if (one->kind != FLOC_LAW_PAIR && !angle) return find_column(table, one, name, &input->number);
  if (angle && ends_with(name, "_k", stem, sizeof stem)) {
    input->kind = INPUT_COLUMN_K;
  } else if (!ends_with(name, "_i", stem, sizeof stem)) {
    if (!ends_with(name, "_j", stem, sizeof stem)) return false;
    input->kind = INPUT_COLUMN_J;
  }
  return find_column(table, one, stem, &input->number);
}

static bool resolve_angle(const char *name, law_input *input)
{
  static const known_input own[] = {
      {"angle", INPUT_ANGLE}, {"id_i", INPUT_ID_I}, {"id_j", INPUT_ID_J}, {"id_k", INPUT_ID_K}, {NULL, 0}};
  *input = (law_input){INPUT_SIDE, side_of(name, "distance_")};
  return input->number >= 0 || find_known(own, name, input);
}

static bool resolve_input(const particles *table, const bodies *obstacles, law *one, const char *name,
                          law_input *input)
{
  if (resolve_own(one, name, input) || find_known(everywhere, name, input)) return true;
  if (resolve_random(name, input)) return true;
  if (one->kind == FLOC_LAW_ANGLE) return resolve_angle(name, input) || resolve_column(table, one, name, input);
  if (touches_pairs(one) && resolve_contact(name, input)) return true;
  const known_input *own = one->kind == FLOC_LAW_PAIR   ? of_pairs
                           : one->kind == FLOC_LAW_WALL ? of_walls
                                                        : of_particles;
  if (find_known(own, name, input) || resolve_column(table, one, name, input)) return true;
  if (resolve_shape(obstacles, one, name, input)) return true;
  return law_axis_input(one->kind, name, input);
}

static const char *known_names(int32_t kind)
{
  if (kind == FLOC_LAW_ANGLE)
    return "angle, distance_ij, distance_jk, distance_ik, id_i, id_j, id_k, time, time_step, uniform_random, "
           "normal_random";
  if (kind == FLOC_LAW_PAIR)
    return "distance, overlap, normal_velocity, tangential_velocity, normal_x, slip_x, id_i, id_j, "
           "material_i, material_j, axis_i_x, axis_j_x, time, time_step, uniform_random, normal_random";
  if (kind == FLOC_LAW_WALL)
    return "distance, overlap, normal_velocity, tangential_velocity, normal_x, slip_x, id, body, material, "
           "axis_x, time, time_step, uniform_random, normal_random";
  return "id, axis_x, time, time_step, uniform_random, normal_random";
}

static floc_status refuse_input(environment *env, const particles *table, const law *one, const char *name)
{
  char known[MESSAGE_SIZE];
  bool pair = one->kind == FLOC_LAW_PAIR || one->kind == FLOC_LAW_ANGLE;
  size_t used = (size_t)snprintf(known, sizeof known, "%s", known_names(one->kind));
  for (int32_t k = 0; k < table->column_count && used < sizeof known - 110; k++) {
    const char *column = table->name[k];
    if (pair)
      used += (size_t)snprintf(known + used, sizeof known - used, ", %s_i, %s_j", column, column);
    else
      used += (size_t)snprintf(known + used, sizeof known - used, ", %s", column);
  }
  return refuse(env, FLOC_NOT_FOUND, "%s: unknown input \"%.40s\"; known are: %.380s", one->name, name, known);
}

static floc_status resolve_inputs(environment *env, const particles *table, const bodies *obstacles,
                                  const floc_law_options *options, law *one)
{
  if (options->input_count > 0 && !options->inputs)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: inputs is NULL", one->name);
  for (int32_t k = 0; k < options->input_count; k++) {
    const char *name = options->inputs[k];
    if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "%s: inputs[%d] is NULL", one->name, k);
    if (!resolve_input(table, obstacles, one, name, &one->input[k])) return refuse_input(env, table, one, name);
    snprintf(one->input_name[k], sizeof one->input_name[k], "%s", name);
    input_kind kind = one->input[k].kind;
    one->reads_axes |= kind == INPUT_AXIS_I || kind == INPUT_AXIS_J;
    one->needs_speed |= kind == INPUT_TANGENTIAL_VELOCITY;
    one->needs_slip |= one->needs_speed || kind == INPUT_SLIP;
    one->needs_velocity |= one->needs_slip || kind == INPUT_NORMAL_VELOCITY;
  }
  one->input_count = options->input_count;
  return FLOC_OK;
}

/* ---- memory and parameters ---- */

static floc_status take_name(environment *env, const law *one, const char *list, int32_t number, const char *name,
                             size_t longest, char *to)
{
  if (!name || !*name || strlen(name) > longest)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: %s %d is \"%.40s\"; it must be a string of 1 to %zu characters",
                  one->name, list, number + 1, name ? name : "NULL", longest);
  snprintf(to, LAW_NAME_SIZE, "%s", name);
  return FLOC_OK;
}

static floc_status take_memory(environment *env, const floc_law_options *options, law *one)
{
  if (options->memory_count > 0 && !touches_pairs(one) && one->kind != FLOC_LAW_ANGLE)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: memory_count is %d; it must be 0 but for pairs and walls",
                  one->name, options->memory_count);
  if (options->memory_count > 0 && (!options->memory || !options->outputs))
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: memory or outputs is NULL", one->name);
  for (int32_t k = 0; k < options->memory_count; k++) {
    floc_status status = take_name(env, one, "memory", k, options->memory[k], 16, one->memory[k].name);
    if (status != FLOC_OK) return status;
    one->memory_count++;
  }
  return FLOC_OK;
}

/* Attributes of bonds stand behind the memory: both are numbers of a pair, by name. */
static floc_status take_attributes(environment *env, const floc_law_options *options, law *one)
{
  if (options->attribute_count > 0 && !one->bonds)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "%s: attribute_count is %d; it must be 0 but for laws over bonds (pairs = FLOC_PAIRS_BONDS)",
                  one->name, options->attribute_count);
  if (options->attribute_count > 0 && (!options->attributes || !options->attribute_values))
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: attributes or attribute_values is NULL", one->name);
  for (int32_t k = 0; k < options->attribute_count; k++) {
    law_memory *made = &one->memory[one->memory_count];
    floc_status status = take_name(env, one, "attribute", k, options->attributes[k], LAW_NAME_SIZE - 1, made->name);
    for (int32_t n = 0; n < one->memory_count && status == FLOC_OK; n++)
      if (strcmp(one->memory[n].name, made->name) == 0)
        status = refuse(env, FLOC_INVALID_ARGUMENT, "%s: \"%s\" is the name of two numbers of a bond", one->name,
                        made->name);
    if (status != FLOC_OK) return status;
    made->initial = options->attribute_values[k];
    if (!isfinite(made->initial))
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: attribute %s is %g; it must be finite", one->name, made->name,
                    made->initial);
    one->memory_count++;
    one->attribute_count++;
  }
  return FLOC_OK;
}

static floc_status take_parameters(environment *env, const floc_law_options *options, law *one)
{
  if (options->parameter_count > 0 && (!options->parameters || !options->parameter_values))
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: parameters or parameter_values is NULL", one->name);
  for (int32_t k = 0; k < options->parameter_count; k++) {
    floc_status status =
        take_name(env, one, "parameter", k, options->parameters[k], LAW_NAME_SIZE - 1, one->parameter[k].name);
    if (status != FLOC_OK) return status;
    one->parameter[k].value = options->parameter_values[k];
    if (!isfinite(one->parameter[k].value))
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: parameter %s is %g; it must be finite", one->name,
                    one->parameter[k].name, one->parameter[k].value);
    one->parameter_count++;
  }
  return FLOC_OK;
}

/* Memory that no output renews would stay 0 for ever. */
static floc_status check_memory_outputs(environment *env, law *one)
{
  for (int32_t k = 0; k < one->memory_count; k++) {
    bool given = false;
    for (int32_t n = 0; n < one->output_count; n++)
      given |= one->output[n].kind == OUTPUT_MEMORY && one->output[n].number == k;
    one->memory[k].next = given ? 0 : -1; /* its column is not known yet */
    if (!given && k < one->memory_count - one->attribute_count)
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: memory \"%s\" is not among the outputs", one->name,
                    one->memory[k].name);
  }
  return FLOC_OK;
}

/* Pairs at any distance are not stored, so they cannot remember. Bonds act at any distance. */
static floc_status check_range(environment *env, law *one)
{
  if (one->bonds) {
    if (one->range != 0.0)
      return refuse(env, FLOC_INVALID_ARGUMENT, "%s: range is %g; it must be 0 for laws over bonds", one->name,
                    one->range);
    one->range = INFINITY;
    return FLOC_OK;
  }
  if (one->range < INFINITY) return FLOC_OK;
  if (one->kind != FLOC_LAW_PAIR)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: range is infinite; it must be finite but for pair laws",
                  one->name);
  if (one->memory_count > 0)
    return refuse(
        env, FLOC_INVALID_ARGUMENT,
        "%s: range is infinite and there is the memory \"%s\"; range must be finite for pairs to remember, "
        "because pairs of a law without range are not stored",
        one->name, one->memory[0].name);
  return FLOC_OK;
}

/* ---- programs ---- */

uint64_t law_uniform_inputs(const law *one)
{
  uint64_t uniform = 0;
  for (int32_t k = 0; k < one->input_count; k++)
    if (one->input[k].kind >= INPUT_TIME) uniform |= UINT64_C(1) << k;
  return uniform;
}

floc_status law_set_program(environment *env, law *one, const floc_program_options *options)
{
  program *code;
  READ_OPTIONS(env, program_options, options);
  if (options->input_count != one->input_count || options->output_count != one->output_count)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "%s: the program has %d inputs and %d outputs; it must have %d and %d", one->name,
                  options->input_count, options->output_count, one->input_count, one->output_count);
  floc_status status = program_create(env, options, law_uniform_inputs(one), &code);
  if (status != FLOC_OK) return status;
  program_destroy(env, one->code);
  one->code = code;
  one->function = NULL;
  one->context = NULL;
  one->parallel = true;
  return FLOC_OK;
}

void law_free(environment *env, law *one)
{
  program_destroy(env, one->code);
  bond_list_destroy(one->bonds);
  one->code = NULL;
  one->bonds = NULL;
}

/* ---- all together ---- */

/* An empty list; its columns are added when outputs are known. */
static floc_status take_bonds(environment *env, const floc_law_options *options, law *one)
{
  if (one->kind == FLOC_LAW_ANGLE && options->pairs == FLOC_PAIRS_NEAR)
    return bond_list_create(env, 3, 0, &one->bonds);
  if (options->pairs == FLOC_PAIRS_NEAR) return FLOC_OK;
  if (one->kind != FLOC_LAW_PAIR)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: pairs is %d; it must be FLOC_PAIRS_NEAR (0) but for pair laws",
                  one->name, options->pairs);
  return bond_list_create(env, 2, 0, &one->bonds);
}

static const char *default_name(int32_t kind)
{
  return kind == FLOC_LAW_PAIR    ? "pair law"
         : kind == FLOC_LAW_ANGLE ? "angle law"
         : kind == FLOC_LAW_FIELD ? "field"
         : kind == FLOC_LAW_WALL  ? "wall law"
                                  : "evolution";
}

floc_status law_resolve(environment *env, const particles *table, const bodies *obstacles,
                        const floc_law_options *options, int32_t kind, int32_t output_count, law *result)
{
  memset(result, 0, sizeof *result);
  result->kind = kind;
  result->range = options->range;
  result->function = options->function;
  result->context = options->context;
  result->parallel = options->parallel;
  snprintf(result->name, sizeof result->name, "%s", options->name ? options->name : default_name(kind));
  if (!options->function && !options->program)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: function is NULL", result->name);
  if (options->function && options->program)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: function and program are both given", result->name);
  floc_status status = fields_check_of(env, result->name, &struct_law_options, options);
  if (status == FLOC_OK) status = take_parameters(env, options, result);
  if (status == FLOC_OK) status = take_memory(env, options, result);
  if (status == FLOC_OK) status = take_bonds(env, options, result);
  if (status == FLOC_OK) status = take_attributes(env, options, result);
  if (status == FLOC_OK) status = law_resolve_outputs(env, table, obstacles, options, output_count, result);
  if (status == FLOC_OK) status = resolve_inputs(env, table, obstacles, options, result);
  if (status == FLOC_OK) status = check_memory_outputs(env, result);
  if (status == FLOC_OK) status = check_range(env, result);
  if (status == FLOC_OK && options->program) status = law_set_program(env, result, options->program);
  return status;
}
