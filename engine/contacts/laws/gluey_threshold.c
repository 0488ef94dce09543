/*
 * gamma_min of a contact. See gluey.h.
 *
 * Materials are few, so what the host has said about them is kept in a sorted row and found by bisection.
 */
#include "contacts/laws/gluey.h"

#include "base/callback.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double six_pi = 18.849555921538759;

void gluey_free(gluey_law *law, environment *env)
{
  array_free(env, (void **)&law->known, &law->known_capacity, sizeof *law->known);
}

/* ---- from roughness ---- */

gluey_columns gluey_find_columns(const particles *table)
{
  int32_t roughness = particles_find_column(table, "roughness");
  return (gluey_columns){roughness >= 0 ? table->column[roughness] : NULL,
                         particles_optional(table, OPTIONAL_material)};
}

static floc_status roughness_of(const gluey_columns *columns, const particles *table, const bodies *obstacles,
                                gluey_side side, double *length)
{
  *length = 0.0;
  if (side.shape >= 0) {
    *length = obstacles->body[obstacles->world[side.shape].body].motion.roughness;
    return FLOC_OK;
  }
  if (!columns->roughness) return FLOC_OK;
  *length = columns->roughness[side.slot];
  if (*length >= 0.0 && isfinite(*length)) return FLOC_OK;
  return refuse(table->env, FLOC_INVALID_ARGUMENT,
                "roughness of particle %" PRId64 " is %g; it must be a finite number of at least 0",
                table->id[side.slot], *length);
}

/* ---- from materials ---- */

static floc_status material_of(const gluey_columns *columns, const particles *table, const bodies *obstacles,
                               gluey_side side, int32_t *material)
{
  *material = 0;
  if (side.shape >= 0) {
    *material = obstacles->body[obstacles->world[side.shape].body].motion.material;
    return FLOC_OK;
  }
  if (!columns->material) return FLOC_OK;
  double value = columns->material[side.slot];
  if (!(value >= 0.0 && value <= INT32_MAX && value == floor(value)))
    return refuse(table->env, FLOC_INVALID_ARGUMENT,
                  "material of particle %" PRId64 " is %g; it must be an integer from 0 to %d",
                  table->id[side.slot], value, INT32_MAX);
  *material = (int32_t)value;
  return FLOC_OK;
}

/* The place of a pair of materials, or where it belongs. */
static int32_t find_place(const gluey_law *law, int32_t first, int32_t second)
{
  int32_t low = 0, high = law->known_count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    const material_value *entry = &law->known[middle];
    bool before = entry->first < first || (entry->first == first && entry->second < second);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static floc_status ask_host(gluey_law *law, environment *env, int32_t first, int32_t second, double *value)
{
  *value = NAN;
  callback_mark before = callback_begin(env, CALLBACK_GAMMA_MIN, NULL);
  floc_status status = law->function(law->context, first, second, value);
  int32_t changed = float_take_back();
  callback_end(env, before);
  status =
      callback_verdict(env, status, changed, "the function of gamma_min for materials %d and %d", first, second);
  if (status != FLOC_OK) return status;
  if (!(*value <= 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "gamma_min of materials %d and %d is %g; it must be at most 0", first,
                  second, *value);
  return FLOC_OK;
}

static floc_status value_of_materials(gluey_law *law, environment *env, int32_t first, int32_t second,
                                      double *value)
{
  int32_t place = find_place(law, first, second);
  if (place < law->known_count && law->known[place].first == first && law->known[place].second == second) {
    *value = law->known[place].value;
    return FLOC_OK;
  }
  floc_status status = array_reserve(env, (void **)&law->known, &law->known_capacity, (size_t)law->known_count + 1,
                                     sizeof *law->known);
  if (status == FLOC_OK) status = ask_host(law, env, first, second, value);
  if (status != FLOC_OK) return status;
  memmove(&law->known[place + 1], &law->known[place], (size_t)(law->known_count - place) * sizeof *law->known);
  law->known[place] = (material_value){first, second, *value};
  law->known_count++;
  return FLOC_OK;
}

floc_status gluey_threshold(gluey_law *law, const gluey_columns *columns, const particles *table,
                            const bodies *obstacles, gluey_side first, gluey_side second, double *least)
{
  if (law->function) {
    int32_t a, b;
    floc_status status = material_of(columns, table, obstacles, first, &a);
    if (status == FLOC_OK) status = material_of(columns, table, obstacles, second, &b);
    if (status != FLOC_OK) return status;
    return value_of_materials(law, table->env, a < b ? a : b, a < b ? b : a, least);
  }
  double a, b;
  floc_status status = roughness_of(columns, table, obstacles, first, &a);
  if (status == FLOC_OK) status = roughness_of(columns, table, obstacles, second, &b);
  if (status == FLOC_OK) *least = fmin(0.0, six_pi * law->viscosity * log(a + b));
  return status;
}
