/*
 * gamma_min of a contact. See gluey.h.
 */
#include "contacts/laws/gluey.h"

#include <inttypes.h>
#include <math.h>

static const double six_pi = 18.849555921538759;

/* ---- from roughness ---- */

gluey_columns gluey_find_columns(const particles *table)
{
  int32_t roughness = particles_find_column(table, "roughness");
  return (gluey_columns){roughness >= 0 ? table->column[roughness] : NULL};
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

static floc_status material_of(const particles *table, const bodies *obstacles, gluey_side side, int32_t *material)
{
  *material = side.shape >= 0 ? material_of_shape(obstacles, side.shape) : material_of_particle(table, side.slot);
  return side.shape >= 0 ? FLOC_OK : material_check(table, side.slot);
}

floc_status gluey_threshold(gluey_law *law, const gluey_columns *columns, const particles *table,
                            const bodies *obstacles, gluey_side first, gluey_side second, double *least)
{
  if (!gluey_knows_no_materials(law)) {
    int32_t a, b;
    floc_status status = material_of(table, obstacles, first, &a);
    if (status == FLOC_OK) status = material_of(table, obstacles, second, &b);
    return status == FLOC_OK ? material_ask(law->gamma_min, table->env, a, b, least) : status;
  }
  double a, b;
  floc_status status = roughness_of(columns, table, obstacles, first, &a);
  if (status == FLOC_OK) status = roughness_of(columns, table, obstacles, second, &b);
  if (status == FLOC_OK) *least = fmin(0.0, six_pi * law->viscosity * floc_log(a + b));
  return status;
}
