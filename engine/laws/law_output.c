/*
 * Resolves the names of what a law returns: forces and torques, energy, what it remembers, and amounts, which are
 * added to attributes of particles or of shapes (sums at once, exchanges at the step's end). See law_input.h and
 * floc_law_options.
 */
#include "laws/law_names.h"

#include <stdio.h>

typedef struct known_vector {
  const char *stem;
  output_kind kind;
  bool pairs_only;
} known_vector;

static bool resolve_vector(const law *one, const char *name, law_output *output)
{
  static const known_vector vectors[] = {{"force_", OUTPUT_FORCE, false},
                                         {"torque_", OUTPUT_TORQUE, false},
                                         {"torque_i_", OUTPUT_TORQUE_I, true},
                                         {"torque_j_", OUTPUT_TORQUE_J, true}};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    int32_t axis = axis_of(name, vectors[k].stem);
    if (axis < 0 || (vectors[k].pairs_only && one->kind != FLOC_LAW_PAIR)) continue;
    *output = (law_output){vectors[k].kind, axis};
    return true;
  }
  return false;
}

/* An attribute that a law may change; a sum is computed again each time, so the engine's own columns are none. */
static bool is_attribute(const particles *table, int32_t column, bool sum)
{
  if (column < BUILTIN_COLUMN_COUNT || particles_is_owed(table, column)) return false;
  for (int n = 0; n < OPTIONAL_COLUMN_COUNT && sum; n++)
    if (table->optional[n] == column) return false;
  return true;
}

enum { AMOUNT_OF_PAIR = 1, AMOUNT_OF_ANGLE = 2, AMOUNT_OF_ONE = 4 }; /* wall, field */
static const struct known_amount {
  const char *stem;
  output_kind kind;
  int32_t of;
  bool exchange;
  double on_i, on_j, on_k;
} amounts[] = {{"rate_ij_", OUTPUT_EXCHANGE_IJ, AMOUNT_OF_ANGLE, true, 1.0, -1.0, 0.0},
               {"rate_jk_", OUTPUT_EXCHANGE_JK, AMOUNT_OF_ANGLE, true, 0.0, 1.0, -1.0},
               {"rate_ik_", OUTPUT_EXCHANGE_IK, AMOUNT_OF_ANGLE, true, 1.0, 0.0, -1.0},
               {"rate_", OUTPUT_EXCHANGE, AMOUNT_OF_PAIR | AMOUNT_OF_ONE, true, 1.0, -1.0, 0.0},
               {"sum_i_", OUTPUT_SUM_I, AMOUNT_OF_PAIR | AMOUNT_OF_ANGLE, false, 1.0, 0.0, 0.0},
               {"sum_j_", OUTPUT_SUM_J, AMOUNT_OF_PAIR | AMOUNT_OF_ANGLE, false, 0.0, 1.0, 0.0},
               {"sum_k_", OUTPUT_SUM_K, AMOUNT_OF_ANGLE, false, 0.0, 0.0, 1.0},
               {"sum_", OUTPUT_SUM, AMOUNT_OF_PAIR | AMOUNT_OF_ANGLE | AMOUNT_OF_ONE, false, 1.0, 1.0, 1.0}};
enum { AMOUNT_KINDS = sizeof amounts / sizeof *amounts };

static bool resolve_amount(const particles *table, const law *one, const char *name, law_output *output)
{
  const int32_t of = one->kind == FLOC_LAW_PAIR    ? AMOUNT_OF_PAIR
                     : one->kind == FLOC_LAW_ANGLE ? AMOUNT_OF_ANGLE
                                                   : AMOUNT_OF_ONE;
  for (int k = 0; k < AMOUNT_KINDS; k++) {
    if (!starts_with(name, amounts[k].stem) || !(amounts[k].of & of)) continue;
    int32_t column = particles_find_column(table, name + strlen(amounts[k].stem));
    if (!is_attribute(table, column, !amounts[k].exchange)) continue;
    *output = (law_output){amounts[k].kind, column};
    return true;
  }
  return false;
}

/* "rate_shape_NAME" and "sum_shape_NAME" of a wall law. */
static bool resolve_shape_amount(const bodies *obstacles, const law *one, const char *name, law_output *output)
{
  const bool rate = starts_with(name, "rate_shape_"), sum = starts_with(name, "sum_shape_");
  if (one->kind != FLOC_LAW_WALL || !obstacles || !(rate || sum)) return false;
  const int32_t number = bodies_find_attribute(obstacles, name + (rate ? 11 : 10));
  *output = (law_output){rate ? OUTPUT_SHAPE_RATE : OUTPUT_SHAPE_SUM, number};
  return number >= 0;
}

static void note_amount(law *one, int32_t number)
{
  const law_output *output = &one->output[number];
  if (output->kind == OUTPUT_SHAPE_RATE || output->kind == OUTPUT_SHAPE_SUM)
    one->shape_amount[one->shape_amount_count++] =
        (law_shape_amount){number, output->number, output->kind == OUTPUT_SHAPE_SUM};
  for (int k = 0; k < AMOUNT_KINDS; k++) {
    if (output->kind != amounts[k].kind) continue;
    one->amount[one->amount_count++] = (law_amount){number,          output->number,  amounts[k].exchange,
                                                    amounts[k].on_i, amounts[k].on_j, amounts[k].on_k};
    if (!amounts[k].exchange) one->sums_written |= UINT64_C(1) << output->number;
  }
}

static bool resolve_output(const particles *table, const bodies *obstacles, const law *one, const char *name,
                           law_output *output)
{
  if (one->bonds && strcmp(name, "broken") == 0) return *output = (law_output){OUTPUT_BROKEN, 0}, true;
  if (one->kind == FLOC_LAW_EVOLUTION) {
    *output = (law_output){OUTPUT_RATE, particles_find_column(table, name)};
    return output->number >= BUILTIN_COLUMN_COUNT && !particles_is_owed(table, output->number);
  }
  for (int32_t k = 0; k < one->memory_count; k++)
    if (strcmp(name, one->memory[k].name) == 0) return *output = (law_output){OUTPUT_MEMORY, k}, true;
  if (strcmp(name, "energy") == 0) return *output = (law_output){OUTPUT_ENERGY, 0}, true;
  if (one->kind == FLOC_LAW_ANGLE) {
    *output = (law_output){OUTPUT_SIDE, side_of(name, "force_")};
    if (strcmp(name, "moment") == 0) *output = (law_output){OUTPUT_MOMENT, 0};
    return output->number >= 0 || resolve_amount(table, one, name, output);
  }
  if (resolve_vector(one, name, output) || resolve_amount(table, one, name, output)) return true;
  if (resolve_shape_amount(obstacles, one, name, output)) return true;
  if (!touches_pairs(one)) return false;
  int32_t axis = axis_of(name, "tangential_");
  if (axis >= 0)
    *output = (law_output){OUTPUT_TANGENTIAL_VECTOR, axis};
  else if (strcmp(name, "normal") == 0)
    *output = (law_output){OUTPUT_NORMAL, 0};
  else if (strcmp(name, "tangential") == 0)
    *output = (law_output){OUTPUT_TANGENTIAL, 0};
  else
    return false;
  return true;
}

static floc_status refuse_output(environment *env, const law *one, int32_t number, const char *name)
{
  const char *known =
      one->kind == FLOC_LAW_EVOLUTION ? "an attribute"
      : one->kind == FLOC_LAW_ANGLE
          ? "moment, force_ij, force_jk, force_ik, energy, broken, rate_ij_, rate_jk_, rate_ik_, sum_, sum_i_, "
            "sum_j_ "
            "or sum_k_ and the name of an attribute of particles, or one of the memory or attributes"
      : one->kind == FLOC_LAW_FIELD ? "force_x, _y, _z, torque_x, _y, _z, energy, rate_ or sum_ and "
                                      "the name of an attribute"
      : one->kind == FLOC_LAW_WALL
          ? "normal, tangential, tangential_x, _y, _z, force_x, _y, _z, torque_x, _y, _z, energy, "
            "rate_ or sum_ and the name of an attribute, rate_shape_ or sum_shape_ and that of one "
            "of shapes, or one of "
            "the memory"
          : "normal, tangential, tangential_x, _y, _z, force_x, _y, _z, torque_x, _y, _z, "
            "torque_i_x, torque_j_x, energy, rate_, sum_, sum_i_ or sum_j_ and the name of an "
            "attribute, or one of the memory";
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s: output %d is \"%.40s\"; it must be %s", one->name, number + 1,
                name, known);
}

static floc_status resolve_named_outputs(environment *env, const particles *table, const bodies *obstacles,
                                         const floc_law_options *options, law *one)
{
  for (int32_t k = 0; k < options->output_count; k++) {
    const char *name = options->outputs[k];
    if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "%s: outputs[%d] is NULL", one->name, k);
    if (!resolve_output(table, obstacles, one, name, &one->output[k])) return refuse_output(env, one, k, name);
    for (int32_t n = 0; n < k; n++)
      if (one->output[n].kind == one->output[k].kind && one->output[n].number == one->output[k].number)
        return refuse(env, FLOC_INVALID_ARGUMENT, "%s: output \"%.40s\" is named twice", one->name, name);
    snprintf(one->output_name[k], sizeof one->output_name[k], "%s", name);
    output_kind kind = one->output[k].kind;
    one->has_tangential |= kind == OUTPUT_TANGENTIAL || kind == OUTPUT_TANGENTIAL_VECTOR;
    one->needs_slip |= one->has_tangential;
    one->needs_speed |= kind == OUTPUT_TANGENTIAL;
    one->needs_velocity |= one->needs_slip;
    one->has_energy |= kind == OUTPUT_ENERGY;
    one->has_line |= one->has_tangential || kind == OUTPUT_NORMAL;
    one->has_torque |= kind == OUTPUT_TORQUE || kind == OUTPUT_TORQUE_I || kind == OUTPUT_TORQUE_J;
    one->has_vector |= one->has_torque || kind == OUTPUT_FORCE;
    note_amount(one, k);
  }
  one->output_count = options->output_count;
  return FLOC_OK;
}

floc_status law_resolve_outputs(environment *env, const particles *table, const bodies *obstacles,
                                const floc_law_options *options, int32_t output_count, law *one)
{
  bool named = options->outputs && (one->kind != FLOC_LAW_FIELD || output_count == 0);
  if (named) return resolve_named_outputs(env, table, obstacles, options, one);
  one->has_line = touches_pairs(one);
  if (one->kind == FLOC_LAW_EVOLUTION)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: outputs is NULL; it must name attributes", one->name);
  one->has_energy = one->kind == FLOC_LAW_FIELD && options->output_count == output_count + 1;
  if (options->output_count != output_count && !one->has_energy) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: output_count is %d; it must be %d", one->name,
                  options->output_count, output_count);
  }
  if (one->has_energy) {
    one->output[output_count] = (law_output){OUTPUT_ENERGY, 0};
    snprintf(one->output_name[output_count], sizeof one->output_name[output_count], "energy");
  }
  for (int32_t k = 0; k < output_count; k++) {
    one->output[k] = touches_pairs(one) ? (law_output){OUTPUT_NORMAL, 0} : (law_output){OUTPUT_COMPONENT, k};
    if (one->kind == FLOC_LAW_ANGLE) one->output[k] = (law_output){OUTPUT_MOMENT, 0};
    if (one->kind == FLOC_LAW_ANGLE)
      snprintf(one->output_name[k], sizeof one->output_name[k], "moment");
    else if (touches_pairs(one))
      snprintf(one->output_name[k], sizeof one->output_name[k], "normal");
    else
      snprintf(one->output_name[k], sizeof one->output_name[k], "component %d", k + 1);
  }
  one->output_count = options->output_count;
  return FLOC_OK;
}
