/*
 * What velocity Verlet needs over several ranks (scheme.h). Ghosts drift as their owners' particles do, because
 * position, velocity and the force of the last step are the same numbers. Their new forces come from the owners,
 * which alone have all of their neighbours; then they are kicked as well.
 */
#include "particles/owned.h"
#include "schemes/discrete_element/law.h"

#include <math.h>
#include <string.h>

static const char *refuses(const void *state)
{
  const discrete_element *method = state;
  const floc_discrete_element_options *options = &method->options;
  if (options->integrator != FLOC_INTEGRATOR_VELOCITY_VERLET) return "discrete_element with the trapezoidal rule";
  if (element_has_near_field(options) && options->near_field_range == INFINITY)
    return "discrete_element with attraction or repulsion at any distance (near_field_range is infinite)";
  return NULL;
}

static double *rows(void *state, int64_t count)
{
  discrete_element *method = state;
  return count > 0 && method->push_count == count ? (double *)(void *)method->pushes : NULL;
}

static floc_status make_rows(void *state, int64_t count, bool known, double **made)
{
  discrete_element *method = state;
  floc_status status = element_reserve(method, (size_t)count);
  method->push_count = known ? count : 0;
  method->parts_count = 0;
  method->list_followed = false;
  *made = (double *)(void *)method->pushes;
  return status;
}

/* Flow and noise act in the middle of the drift, which is done here, too, to see where it leads. */
static floc_status prepare_next(void *state, step_context *context)
{
  return laws_have_bath(context->forces) ? element_try_drift(state, context) : FLOC_OK;
}

/* As drift_block() of verlet.c. */
static void place_next(const void *state, const step_context *context, int64_t slot, double position[3])
{
  const discrete_element *method = state;
  if (laws_have_bath(context->forces)) {
    memcpy(position, method->at[slot].position, sizeof method->at[slot].position);
    return;
  }
  double *const *column = context->table->column;
  const double *frozen = particles_frozen(context->table);
  const double kick = frozen && frozen[slot] != 0.0 ? 0.0 : 0.5 * context->time_step / column[COLUMN_mass][slot];
  for (int k = 0; k < 3; k++)
    position[k] = column[COLUMN_x + k][slot] +
                  context->time_step * (column[COLUMN_vx + k][slot] + kick * method->pushes[slot].force[k]);
}

static wall_touch *touches(void *state, int64_t *count)
{
  discrete_element *method = state;
  *count = method->touch_count;
  return method->touches;
}

static void count(const void *state, int64_t contacts[2])
{
  const discrete_element *method = state;
  contacts[0] = method->contacts;
  contacts[1] = method->wall_contacts;
}

/* The energy of each particle as kick_some() of verlet.c has it. */
static double finish(void *state, const particles *table, const int64_t contacts[2])
{
  discrete_element *method = state;
  const inertias all = find_inertias(method, table);
  exact_sum sum = EXACT_ZERO;
  double *spin[3];
  method->contacts = contacts[0];
  method->wall_contacts = contacts[1];
  element_spin_columns(method, table, spin);
  EACH_OWNED(i, table) {
    const double mass = table->column[COLUMN_mass][i];
    double square = 0.0, turning = 0.0;
    for (int k = 0; k < 3; k++) square += table->column[COLUMN_vx + k][i] * table->column[COLUMN_vx + k][i];
    double energy = 0.5 * mass * square;
    for (int k = 0; k < 3; k++)
      if (spin[k]) turning += spin[k][i] * spin[k][i];
    if (method->options.rotation)
      energy += 0.5 * inertia_of(&all, mass, table->column[COLUMN_radius][i], i) * turning;
    exact_add(&sum, energy);
  }
  return exact_value(&sum);
}

/* Bonds are pairs that remember, however far their surfaces are apart before they break. */
static double range(const void *state, const laws *forces, double radius)
{
  const discrete_element *method = state;
  const floc_discrete_element_options *options = &method->options;
  const double field = element_field_range(method, forces);
  return options->bond_law == FLOC_BOND_PERSISTENT ? fmax(field, 2.0 * options->bond_breaking * radius) : field;
}

/* ---- what ranks have found out ---- */

static void part(void *state)
{
  discrete_element *method = state;
  method->before_cut[0] = method->counters.bonds_formed;
  method->before_cut[1] = method->counters.bonds_broken;
}

/* Bonds that all ranks have made and broken, and numbers of materials that any of them has asked for. */
static floc_status join(void *state, const floc_ranks *ranks)
{
  discrete_element *method = state;
  double *const counter[2] = {&method->counters.bonds_formed, &method->counters.bonds_broken};
  int64_t changes[2];
  for (int k = 0; k < 2; k++) changes[k] = (int64_t)(*counter[k] - method->before_cut[k]);
  floc_status status = ranks_add(ranks, method->env, changes, 2);
  for (int k = 0; k < 2; k++) *counter[k] = method->before_cut[k] + (double)changes[k];
  return status == FLOC_OK && method->materials ? element_materials_join(method, ranks) : status;
}

const scheme_over_ranks element_over_ranks = {.numbers = PUSH_NUMBERS,
                                              .refuses = refuses,
                                              .rows = rows,
                                              .make_rows = make_rows,
                                              .range = range,
                                              .part = part,
                                              .join = join,
                                              .prepare_next = prepare_next,
                                              .place_next = place_next,
                                              .touches = touches,
                                              .count = count,
                                              .finish = finish};
