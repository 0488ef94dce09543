/*
 * Resolves the names of a law's inputs. See law_input.h.
 */
#include "laws/law_input.h"

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

static bool resolve_common(const char *name, law_input *input)
{
  if (strcmp(name, "time") == 0 || strcmp(name, "t") == 0)
    input->kind = INPUT_TIME;
  else if (strcmp(name, "time_step") == 0)
    input->kind = INPUT_TIME_STEP;
  else
    return false;
  return true;
}

static bool resolve_field_input(const particles *table, const char *name, law_input *input)
{
  if (resolve_common(name, input)) return true;
  if (strcmp(name, "id") == 0) {
    input->kind = INPUT_ID_I;
    return true;
  }
  input->kind = INPUT_COLUMN_I;
  input->column = particles_find_column(table, name);
  return input->column >= 0;
}

static bool resolve_pair_input(const particles *table, const char *name, law_input *input)
{
  static const struct {
    const char *name;
    input_kind kind;
  } known[] = {{"distance", INPUT_DISTANCE},
               {"overlap", INPUT_OVERLAP},
               {"normal_velocity", INPUT_NORMAL_VELOCITY},
               {"id_i", INPUT_ID_I},
               {"id_j", INPUT_ID_J}};
  if (resolve_common(name, input)) return true;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcmp(name, known[k].name) != 0) continue;
    input->kind = known[k].kind;
    return true;
  }
  char stem[COLUMN_NAME_SIZE];
  if (ends_with(name, "_i", stem, sizeof stem))
    input->kind = INPUT_COLUMN_I;
  else if (ends_with(name, "_j", stem, sizeof stem))
    input->kind = INPUT_COLUMN_J;
  else
    return false;
  input->column = particles_find_column(table, stem);
  return input->column >= 0;
}

static floc_status refuse_input(environment *env, const particles *table, const char *law_name, const char *name,
                                bool pair)
{
  char known[MESSAGE_SIZE];
  size_t used = (size_t)snprintf(known, sizeof known, "%s",
                                 pair ? "distance, overlap, normal_velocity, id_i, id_j, time, time_step"
                                      : "id, time, time_step");
  for (int32_t k = 0; k < table->column_count && used < sizeof known - 64; k++) {
    const char *column = table->name[k];
    used += (size_t)snprintf(known + used, sizeof known - used, pair ? ", %s_i, %s_j" : ", %s", column, column);
  }
  return refuse(env, FLOC_NOT_FOUND, "%s: unknown input \"%.40s\"; known are: %.380s", law_name, name, known);
}

static floc_status resolve_inputs(environment *env, const particles *table, const floc_law_options *options,
                                  bool pair, law *result)
{
  if (options->input_count < 0 || options->input_count > LAW_INPUT_LIMIT) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: input_count is %d; it must be between 0 and %d", result->name,
                  options->input_count, LAW_INPUT_LIMIT);
  }
  if (options->input_count > 0 && !options->inputs)
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: inputs is NULL", result->name);
  for (int32_t k = 0; k < options->input_count; k++) {
    const char *name = options->inputs[k];
    if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "%s: inputs[%d] is NULL", result->name, k);
    bool found = pair ? resolve_pair_input(table, name, &result->input[k])
                      : resolve_field_input(table, name, &result->input[k]);
    if (!found) return refuse_input(env, table, result->name, name, pair);
  }
  result->input_count = options->input_count;
  return FLOC_OK;
}

floc_status law_resolve(environment *env, const particles *table, const floc_law_options *options, bool pair,
                        int32_t output_count, law *result)
{
  *result = (law){.output_count = output_count,
                  .range = options->range,
                  .function = options->function,
                  .context = options->context,
                  .parallel = options->parallel};
  snprintf(result->name, sizeof result->name, "%s", options->name ? options->name : pair ? "pair law" : "field");
  if (!options->function) return refuse(env, FLOC_INVALID_ARGUMENT, "%s: function is NULL", result->name);
  if (options->output_count != output_count) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: output_count is %d; it must be %d", result->name,
                  options->output_count, output_count);
  }
  if (pair && !(options->range >= 0.0 && isfinite(options->range))) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s: range is %g; it must be a finite number of at least 0",
                  result->name, options->range);
  }
  return resolve_inputs(env, table, options, pair, result);
}
