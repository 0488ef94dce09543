/*
 * Contact laws of a host. See host.h and law.h.
 *
 * The host sees contacts as columns by ids. It may change bounds in place; each is checked after, so that no number
 * that a solver cannot keep gets further. What pairs remember is a column of the set's, which the host changes
 * before the solve or after, and which becomes pair memory when the step is sure.
 */
#include "contacts/laws/host.h"

#include "base/callback.h"
#include "base/threads/parallel.h"
#include "contacts/laws/law.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the list ---- */

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static floc_status check_name(environment *env, const char *what, const char *name)
{
  size_t length = 0;
  if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "%s is NULL", what);
  while (is_letter(name[length]) || (length > 0 && name[length] >= '0' && name[length] <= '9')) length++;
  if (length > 0 && name[length] == '\0' && length < HOST_LAW_NAME) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "%s is \"%.60s\"; it must be letters, digits and _, no digit first, at most %d", what, name,
                HOST_LAW_NAME - 1);
}

static floc_status check_memory(environment *env, const floc_contact_law_type *given)
{
  if (given->memory_count < 0 || given->memory_count > HOST_LAW_MEMORY)
    return refuse(env, FLOC_INVALID_ARGUMENT, "type.memory_count is %d; it must be 0 to %d", given->memory_count,
                  (int)HOST_LAW_MEMORY);
  if (given->memory_count > 0 && !given->memory) return refuse(env, FLOC_INVALID_ARGUMENT, "type.memory is NULL");
  for (int32_t k = 0; k < given->memory_count; k++) {
    char what[32];
    snprintf(what, sizeof what, "type.memory[%d]", k);
    floc_status status = check_name(env, what, given->memory[k]);
    if (status != FLOC_OK) return status;
    for (int32_t other = 0; other < k; other++)
      if (strcmp(given->memory[k], given->memory[other]) == 0)
        return refuse(env, FLOC_ALREADY_EXISTS, "type.memory[%d] is \"%s\", as type.memory[%d] is", k,
                      given->memory[k], other);
  }
  return FLOC_OK;
}

floc_status host_laws_add(environment *env, host_laws *all, const floc_contact_law_type *given)
{
  floc_status status = check_name(env, "type.name", given->name);
  if (status == FLOC_OK && !given->bounds) status = refuse(env, FLOC_INVALID_ARGUMENT, "type.bounds is NULL");
  if (status == FLOC_OK) status = check_memory(env, given);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < all->count; k++)
    if (strcmp(all->law[k].name, given->name) == 0)
      return refuse(env, FLOC_ALREADY_EXISTS, "there is a contact law \"%s\"", given->name);
  if (all->count == HOST_LAWS_MOST)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "contact law \"%s\": there are already %d, which is the limit",
                  given->name, (int)HOST_LAWS_MOST);
  host_law *made = &all->law[all->count++];
  *made = (host_law){.given = *given};
  snprintf(made->name, sizeof made->name, "%s", given->name);
  for (int32_t k = 0; k < given->memory_count; k++)
    snprintf(made->memory[k], sizeof made->memory[k], "%s.%s", given->name, given->memory[k]);
  return FLOC_OK;
}

/* ---- what the host sees ---- */

static int64_t name_of_second(const law_input *input, int64_t a)
{
  const contact_set *set = input->set;
  if (set->second[a] >= 0) return input->source->table->id[set->second[a]];
  return -1 - (int64_t)input->source->obstacles->world[set->shape[a]].body;
}

static floc_status make_rows(const law_input *input, floc_contact_rows *rows)
{
  arena *scratch = input->source->scratch;
  contact_set *set = input->set;
  const particles *table = input->source->table;
  const double *mass = table->column[COLUMN_mass];
  const size_t count = (size_t)set->count;
  int64_t *first = arena_allocate(scratch, count, sizeof *first),
          *second = arena_allocate(scratch, count, sizeof *second);
  double *weight = arena_allocate(scratch, count, sizeof *weight);
  if (!first || !second || !weight) return FLOC_OUT_OF_MEMORY;
  for (int64_t a = 0; a < set->count; a++) {
    const int32_t i = set->first[a], j = set->second[a];
    first[a] = table->id[i];
    second[a] = name_of_second(input, a);
    weight[a] = j >= 0 ? 1.0 / (1.0 / mass[i] + 1.0 / mass[j]) : mass[i];
  }
  const host_law *host = input->law->host;
  double *const *memory = set->host_memory + HOST_LAW_MEMORY * (input->law - input->laws->law);
  *rows = (floc_contact_rows){.count = set->count,
                              .dimension = input->source->obstacles->dimension,
                              .memory_count = host->given.memory_count,
                              .time_step = input->source->time_step,
                              .first = first,
                              .second = second,
                              .distance = set->distance,
                              .weight = weight,
                              .normal = (const double *const *)set->normal,
                              .lower = set->lower,
                              .friction = set->friction,
                              .rolling = set->rolling,
                              .twisting = set->twisting,
                              .impulse = set->impulse,
                              .memory = memory};
  return FLOC_OK;
}

static floc_status call_host(const law_input *input, floc_contact_law_function function)
{
  environment *env = input->source->env;
  const host_law *host = input->law->host;
  floc_contact_rows rows;
  floc_status status = make_rows(input, &rows);
  if (status != FLOC_OK) return status;
  callback_mark before = callback_begin(env, CALLBACK_CONTACT_LAW, host->name);
  status = function(host->given.context, &rows);
  int32_t changed = float_take_back();
  callback_end(env, before);
  return callback_verdict(env, status, changed, "the contact law \"%s\"", host->name);
}

/* A number that the host has written, or may have. */
static floc_status refuse_number(const law_input *input, int64_t a, const char *what, double value,
                                 const char *range)
{
  return refuse(input->source->env, FLOC_CALLBACK_FAILED,
                "the contact law \"%s\": %s of the contact of %" PRId64 " with %" PRId64 " is %g; it must be %s",
                input->law->host->name, what, input->source->table->id[input->set->first[a]],
                name_of_second(input, a), value, range);
}

static floc_status check_limits(const law_input *input, const double *limit, const char *what)
{
  for (int64_t a = 0; limit && a < input->set->count; a++) {
    if (!(limit[a] >= 0.0 && isfinite(limit[a])))
      return refuse_number(input, a, what, limit[a], "at least 0 and finite");
    if (limit[a] > 0.0 && !isfinite(input->set->lower[a]))
      return refuse_number(input, a, "lower", input->set->lower[a], "finite beside friction and moments");
  }
  return FLOC_OK;
}

static floc_status check_bounds(const law_input *input)
{
  contact_set *set = input->set;
  for (int64_t a = 0; a < set->count; a++) {
    if (!(set->lower[a] <= 0.0)) return refuse_number(input, a, "lower", set->lower[a], "at most 0");
    if (set->impulse[a] < set->lower[a]) set->impulse[a] = set->lower[a];
  }
  floc_status status = check_limits(input, set->friction, "friction");
  if (status == FLOC_OK) status = check_limits(input, set->rolling, "rolling");
  return status == FLOC_OK ? check_limits(input, set->twisting, "twisting") : status;
}

static floc_status check_memory_written(const law_input *input)
{
  double *const *memory = input->set->host_memory + HOST_LAW_MEMORY * (input->law - input->laws->law);
  for (int32_t k = 0; k < input->law->host->given.memory_count; k++)
    for (int64_t a = 0; a < input->set->count; a++)
      if (!isfinite(memory[k][a]))
        return refuse_number(input, a, input->law->host->memory[k], memory[k][a], "finite");
  return FLOC_OK;
}

/* ---- the law ---- */

static floc_status fill(const law_input *input)
{
  contact_set *set = input->set;
  floc_status status = FLOC_OK;
  if (!set->host_memory) {
    const size_t columns = (size_t)HOST_LAW_MEMORY * LAWS_MOST;
    set->host_memory = arena_allocate(input->source->scratch, columns, sizeof *set->host_memory);
    if (!set->host_memory) return FLOC_OUT_OF_MEMORY;
    memset(set->host_memory, 0, columns * sizeof *set->host_memory);
  }
  double **memory = set->host_memory + HOST_LAW_MEMORY * (input->law - input->laws->law);
  for (int32_t k = 0; k < input->law->host->given.memory_count && status == FLOC_OK; k++)
    status = law_recall(input, k, &memory[k]);
  if (status == FLOC_OK) status = call_host(input, input->law->host->given.bounds);
  return status == FLOC_OK ? check_bounds(input) : status;
}

static floc_status settle(const law_input *input)
{
  const floc_contact_law_function function = input->law->host->given.remember;
  floc_status status = function ? call_host(input, function) : FLOC_OK;
  return status == FLOC_OK ? check_memory_written(input) : status;
}

static double remember(const law_input *input, int64_t a, int32_t number)
{
  return input->set->host_memory[HOST_LAW_MEMORY * (input->law - input->laws->law) + number][a];
}

/* Names and memory are those of the host. */
const contact_law_type law_host = {.name = "host", .fill = fill, .settle = settle, .remember = remember};
