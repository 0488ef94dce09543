/*
 * Measures of a host. See added.h.
 */
#include "measures/added.h"

#include "base/callback.h"
#include "measures/measures_made.h"

#include <math.h>
#include <string.h>

static const char *const TAKEN[] = {MEASURE_COLUMNS};

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char *name)
{
  if (!is_letter(name[0])) return false;
  size_t length = 1;
  while (is_letter(name[length]) || (name[length] >= '0' && name[length] <= '9')) length++;
  return name[length] == '\0' && length < ADDED_NAME;
}

static bool is_taken(const added_measures *all, const char *name)
{
  for (size_t k = 0; k < sizeof TAKEN / sizeof *TAKEN; k++)
    if (strcmp(name, TAKEN[k]) == 0) return true;
  for (int32_t k = 0; floc_measure_name(k); k++)
    if (strcmp(name, floc_measure_name(k)) == 0) return true;
  return added_measures_find(all, name) != NULL;
}

static floc_status check_text(environment *env, const char *what, const char *text, size_t size)
{
  if (!text || strnlen(text, size) < size) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "options.%s has %zu bytes or more; it must have fewer", what, size);
}

static floc_status check(environment *env, const added_measures *all, const floc_measure_options *options)
{
  if (!options->name) return refuse(env, FLOC_INVALID_ARGUMENT, "options.name is NULL");
  if (!is_name(options->name))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "options.name is \"%.60s\"; it must be letters, digits and _, no digit first, at most %d",
                  options->name, ADDED_NAME - 1);
  if (!options->function)
    return refuse(env, FLOC_INVALID_ARGUMENT, "measure \"%s\": options.function is NULL", options->name);
  floc_status status = check_text(env, "unit", options->unit, ADDED_UNIT);
  if (status == FLOC_OK) status = check_text(env, "text", options->text, ADDED_TEXT);
  if (status == FLOC_OK && is_taken(all, options->name))
    return refuse(env, FLOC_ALREADY_EXISTS, "there is a measure \"%s\", or a column of tables of that name",
                  options->name);
  return status;
}

static void copy(char *target, const char *text)
{
  if (text) memcpy(target, text, strlen(text) + 1);
}

floc_status added_measures_add(environment *env, added_measures *all, const floc_measure_options *options)
{
  floc_status status = check(env, all, options);
  if (status == FLOC_OK)
    status =
        array_reserve(env, (void **)&all->measure, &all->capacity, (size_t)all->count + 1, sizeof *all->measure);
  if (status != FLOC_OK) return status;
  added_measure *one = &all->measure[all->count++];
  *one = (added_measure){.function = options->function, .context = options->context};
  copy(one->name, options->name);
  copy(one->unit, options->unit);
  copy(one->text, options->text);
  return FLOC_OK;
}

const added_measure *added_measures_find(const added_measures *all, const char *name)
{
  for (int32_t k = 0; k < all->count; k++)
    if (strcmp(all->measure[k].name, name) == 0) return &all->measure[k];
  return NULL;
}

floc_status added_measure_value(environment *env, const added_measure *one, floc_world *world, double *value)
{
  double found = NAN; /* a function that forgets to write */
  callback_mark before = callback_begin(env, CALLBACK_MEASURE, one->name);
  floc_status returned = one->function(one->context, world, &found);
  int32_t changed = float_take_back();
  callback_end(env, before);
  floc_status status = callback_verdict(env, returned, changed, "measure \"%s\"", one->name);
  if (status != FLOC_OK) return status;
  if (isnan(found))
    return refuse(env, FLOC_CALLBACK_FAILED,
                  "measure \"%s\" returned nan; it must write a number, which may be infinite", one->name);
  *value = found;
  return FLOC_OK;
}

void added_measures_free(environment *env, added_measures *all)
{
  array_free(env, (void **)&all->measure, &all->capacity, sizeof *all->measure);
  all->count = 0;
}
