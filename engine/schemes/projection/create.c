/*
 * The projection scheme as an object: its options checked, the memory of pairs and the columns that it needs.
 */
#include "schemes/projection/projection.h"

#include "base/fields.h"
#include "contacts/laws/law.h"
#include "particles/owned.h"
#include "schemes/projection/step.h"

#include <math.h>
#include <string.h>

static void projection_destroy(void *state, environment *env)
{
  projection *method = state;
  for (int k = 0; k < 4; k++)
    array_free(env, (void **)&method->start[k], &method->start_capacity[k], sizeof *method->start[k]);
  array_free(env, (void **)&method->touching, &method->touching_capacity, sizeof *method->touching);
  array_free(env, (void **)&method->touched, &method->touched_capacity, sizeof *method->touched);
  array_free(env, (void **)&method->touched_rows, &method->touched_rows_capacity, sizeof(double));
  body_forms_free(env, &method->forms);
  array_free(env, (void **)&method->staging, &method->staging_capacity, sizeof(double));
  array_free(env, &method->kept, &method->kept_capacity, 1);
  for (int q = 0; q < PAIR_QUANTITIES; q++) material_table_free(&method->pairs[q], env);
  memory_free(env, method, sizeof *method);
}

/* ---- positions at the start of the last step: contacts' impulses belong to them ---- */

floc_status projection_reserve_start(environment *env, projection *method, int64_t count)
{
  floc_status status = FLOC_OK;
  for (int k = 0; k < 4 && status == FLOC_OK; k++)
    status = array_reserve(env, (void **)&method->start[k], &method->start_capacity[k], (size_t)count,
                           sizeof *method->start[k]);
  return status;
}

/* Particles that have come since then were nowhere: where they are will do, they carry no impulse. */
static floc_status projection_permute(void *state, const particles *table, const int32_t *order)
{
  projection *method = state;
  if (method->start_count == 0) return FLOC_OK;
  floc_status status = projection_reserve_start(table->env, method, table->count);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < 3; axis++) {
    const double *from = method->start[axis], *now = table->column[COLUMN_x + axis];
    double *to = method->start[3];
    EACH_SLOT(k, table) to[k] = order[k] < method->start_count ? from[order[k]] : now[k];
    size_t capacity = method->start_capacity[axis];
    method->start[3] = method->start[axis];
    method->start[axis] = to;
    method->start_capacity[axis] = method->start_capacity[3];
    method->start_capacity[3] = capacity;
  }
  method->start_count = table->count;
  return FLOC_OK;
}

static void projection_remove(void *state, const particles *table, const int32_t *new_slot)
{
  (void)table;
  projection *method = state;
  int64_t kept = 0;
  for (int64_t k = 0; k < method->start_count; k++) {
    if (new_slot[k] < 0) continue;
    for (int axis = 0; axis < 3; axis++) method->start[axis][new_slot[k]] = method->start[axis][k];
    kept++;
  }
  method->start_count = kept;
}

static const double *const *projection_positions(const void *state, int64_t *count)
{
  const projection *method = state;
  *count = method->start_count;
  return (const double *const *)method->start;
}

static floc_status projection_set_positions(void *state, environment *env, const double *const position[3],
                                            int64_t count)
{
  projection *method = state;
  floc_status status = projection_reserve_start(env, method, count);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < 3 && count > 0; axis++)
    memcpy(method->start[axis], position[axis], (size_t)count * sizeof(double));
  method->start_count = count;
  return FLOC_OK;
}

/* ---- checks ---- */

static floc_status check_moments(environment *env, int32_t dimension, const floc_projection_options *options)
{
  const char *name = options->rolling > 0.0 ? "rolling" : "twisting";
  double value = options->rolling > 0.0 ? options->rolling : options->twisting;
  if (!projection_has_moments(options)) return FLOC_OK;
  if (options->twisting > 0.0 && dimension == 2)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "twisting is %g in two dimensions, where nothing turns about the normal of a contact; rolling "
                  "resists all turning there",
                  options->twisting);
  if (options->contact_law == FLOC_CONTACT_GLUEY && options->gluey_rule == FLOC_GLUEY_EQUALITY)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s is %g with the equality rule, under which glued pairs have no normal impulse that limits "
                  "moments; use the bounded rule",
                  name, value);
  if (options->friction_law != FLOC_FRICTION_LAW_EXACT)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "%s is %g with friction_law convex, which has no moments; use the exact law", name, value);
  if (options->solver == FLOC_SOLVER_INTERIOR_POINT)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "solver is interior_point with %s %g: it solves contacts without moments; use auto", name, value);
  return FLOC_OK;
}

/* Contacts of the first-order scheme only stop what approaches. */
static floc_status check_first_order(environment *env, const floc_projection_options *options)
{
  const struct {
    const char *name;
    double value;
  } others[] = {{"friction", options->friction},       {"rolling", options->rolling},
                {"twisting", options->twisting},       {"rotation", options->rotation},
                {"restitution", options->restitution}, {NULL, 0.0}};
  if (!options->first_order) return FLOC_OK;
  if (options->contact_law == FLOC_CONTACT_GLUEY)
    return refuse(env, FLOC_NOT_SUPPORTED, "first_order is 1 with gluey contacts; it needs inelastic ones");
  for (int k = 0; others[k].name; k++)
    if (others[k].value > 0.0)
      return refuse(env, FLOC_NOT_SUPPORTED,
                    "%s is %g with first_order, in which particles have neither inertia nor rotation; it must be 0",
                    others[k].name, others[k].value);
  return FLOC_OK;
}

/* What no range of one option says. */
static floc_status check_together(environment *env, int32_t dimension, const floc_projection_options *options)
{
  bool gluey = options->contact_law == FLOC_CONTACT_GLUEY;
  floc_status status;
  if (options->viscosity > 0.0 && options->gamma_min_function)
    return refuse(
        env, FLOC_INVALID_ARGUMENT,
        "viscosity is %g and gamma_min_function is given: the minimum of gamma comes from only one of them",
        options->viscosity);
  if (options->friction > 0.0 && gluey && options->gluey_rule == FLOC_GLUEY_EQUALITY)
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "friction is %g with the equality rule, under which glued pairs have no normal impulse that limits "
        "friction; use the bounded rule",
        options->friction);
  if (options->friction_law != FLOC_FRICTION_LAW_EXACT && !(options->friction > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "friction_law is %d, which would do nothing: it needs friction above 0; friction is %g",
                  (int)options->friction_law, options->friction);
  bool plane_convex = options->friction_law == FLOC_FRICTION_LAW_CONVEX && dimension == 2;
  if (options->solver == FLOC_SOLVER_INTERIOR_POINT && options->friction > 0.0 && !plane_convex)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "solver is interior_point with friction %g: it solves contacts without friction, and the convex "
                  "friction law in two dimensions; use auto",
                  options->friction);
  if (options->budget > 0 && options->tolerance > 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "budget is %d and tolerance is %g: sweeps end by their number or by a tolerance", options->budget,
                  options->tolerance);
  if (options->budget > 0 && options->solver != FLOC_SOLVER_AUTO)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "budget is %d with another solver than auto: a budget counts the sweeps of that one",
                  options->budget);
  if (options->restitution > 0.0 && gluey)
    return refuse(env, FLOC_NOT_SUPPORTED, "restitution is %g with gluey contacts, which do not rebound",
                  options->restitution);
  if (options->passes > 1 && (gluey || options->first_order || options->restitution > 0.0))
    return refuse(env, FLOC_NOT_SUPPORTED, "passes is %d, which is not supported %s; it must be 0 or 1",
                  (int)options->passes,
                  gluey                  ? "with gluey contacts"
                  : options->first_order ? "under first_order"
                                         : "with restitution");
  status = check_first_order(env, options);
  return status == FLOC_OK ? check_moments(env, dimension, options) : status;
}

/* Angular velocities, the angle in the plane, and torques, which each step fills. */
static floc_status add_rotation(particles *table, int32_t dimension)
{
  floc_status status = particles_need_rotation(table, dimension, true);
  if (status == FLOC_OK && dimension == 2) status = particles_need(table, OPTIONAL_angle, false);
  for (int axis = dimension == 2 ? 2 : 0; axis < 3 && status == FLOC_OK; axis++)
    status = particles_need(table, OPTIONAL_tx + axis, false);
  return status;
}

/* ---- pairs of materials ---- */

static const char pairs_section[] = "projection.pairs";

static double *uniform_of(floc_projection_options *options, int quantity)
{
  double *const uniform[PAIR_QUANTITIES] = {&options->friction, &options->rolling, &options->twisting,
                                            &options->restitution, &options->gamma_min};
  return uniform[quantity];
}

/* Tables from options; what they give stands as 1 in `options`, so that all that asks whether it is there finds it.
 */
static floc_status choose_pairs(environment *env, floc_projection_options *options,
                                material_table pairs[PAIR_QUANTITIES])
{
  static const char *const names[PAIR_QUANTITIES] = {"friction", "rolling", "twisting", "restitution", "gamma_min"};
  for (int q = 0; q < PAIR_QUANTITIES; q++)
    pairs[q] = (material_table){.name = names[q], .range = material_range(&struct_projection_options, names[q])};
  floc_projection_options initial;
  floc_projection_options_init(&initial);
  if (options->by_pair && *options->by_pair && !options->pair_function)
    return refuse(env, FLOC_INVALID_ARGUMENT, "by_pair is \"%.80s\", which needs pair_function; it is NULL",
                  options->by_pair);
  material_function ask = {options->pair_function, NULL, options->pair_context};
  floc_status status = material_choose(env, options->by_pair, ask, pairs, PAIR_QUANTITIES);
  for (int q = 0; q < PAIR_QUANTITIES && status == FLOC_OK; q++) {
    if (material_is_uniform(&pairs[q])) continue;
    double *uniform = uniform_of(options, q);
    if (*uniform != *uniform_of(&initial, q))
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "%s is %g and comes by pairs of materials as well: only one of them", pairs[q].name, *uniform);
    if (q != PAIR_GAMMA_MIN) *uniform = 1.0;
  }
  if (status != FLOC_OK) return status;
  if (!material_is_uniform(&pairs[PAIR_GAMMA_MIN]) && (options->gamma_min_function || options->viscosity > 0.0))
    return refuse(
        env, FLOC_INVALID_ARGUMENT,
        "gamma_min comes by pairs of materials, and %s is given: the minimum of gamma comes from only one of them",
        options->gamma_min_function ? "gamma_min_function" : "viscosity");
  if (options->gamma_min_function)
    pairs[PAIR_GAMMA_MIN].ask = (material_function){NULL, options->gamma_min_function, options->gamma_min_context};
  return FLOC_OK;
}

/* What the host said. It is no state of the hash: it follows from materials, which are. */
static floc_status projection_sections(void *state, section_list *list)
{
  projection *method = state;
  const material_table *tables[PAIR_QUANTITIES];
  for (int q = 0; q < PAIR_QUANTITIES; q++) tables[q] = &method->pairs[q];
  int64_t count = material_rows(tables, PAIR_QUANTITIES, NULL);
  floc_status status = touch_sections(method, list);
  if (status != FLOC_OK || count == 0) return status;
  status = array_reserve(list->env, (void **)&method->staging, &method->staging_capacity,
                         MATERIAL_ROW * (size_t)count, sizeof(double));
  if (status != FLOC_OK) return status;
  material_rows(tables, PAIR_QUANTITIES, method->staging);
  return section_list_add(list, pairs_section, "f64", (uint64_t)count, MATERIAL_ROW, method->staging, false);
}

/* Files without it are of before, or of a run that had seen no pair. */
static floc_status projection_restore(void *state, const section_list *list, int64_t particle_count,
                                      int32_t shape_count)
{
  (void)particle_count;
  (void)shape_count;
  projection *method = state;
  material_table *tables[PAIR_QUANTITIES];
  const section *rows;
  for (int q = 0; q < PAIR_QUANTITIES; q++) tables[q] = &method->pairs[q];
  method->torques_shown = true;
  floc_status status = touch_restore(list->env, method, list);
  if (status != FLOC_OK || !section_find(list, pairs_section)) return status;
  status = section_expect(list, pairs_section, "f64", UINT64_MAX, MATERIAL_ROW, &rows);
  return status == FLOC_OK ? material_restore(tables, PAIR_QUANTITIES, list->env, rows) : status;
}

/* ---- grains that are not round ---- */

static floc_status refuse_beside_shapes(environment *env, const char *what)
{
  return refuse(env, FLOC_NOT_SUPPORTED,
                "grains of other shapes than discs are not supported %s; inelastic does it, with friction and "
                "restitution",
                what);
}

/* They turn, whatever else does, and pairs of them have several contacts. */
static floc_status projection_take_shapes(void *state, scheme *self, neighbors *near, particles *table)
{
  projection *method = state;
  environment *env = table->env;
  const floc_projection_options *options = &method->options;
  if (options->contact_law == FLOC_CONTACT_GLUEY) return refuse_beside_shapes(env, "under the scheme gluey");
  if (options->first_order) return refuse_beside_shapes(env, "under the scheme first_order");
  if (projection_has_moments(options)) return refuse_beside_shapes(env, "with rolling or twisting resistance");
  for (int32_t k = 0; k < method->laws.count; k++)
    if (method->laws.law[k].host) return refuse_beside_shapes(env, "with a contact law of the host");
  floc_status status = contact_laws_take_shapes(&method->laws, near, method->dimension);
  if (status == FLOC_OK && !method->turns) status = add_rotation(table, method->dimension);
  if (status == FLOC_OK) method->turns = self->turns = true;
  return status;
}

floc_status projection_create(environment *env, neighbors *near, particles *table, int32_t dimension,
                              const host_laws *hosts, const floc_projection_options *given, scheme *out)
{
  floc_projection_options known = *given, *options = &known;
  material_table pairs[PAIR_QUANTITIES];
  floc_status status = fields_check(env, &struct_projection_options, options);
  if (status == FLOC_OK) status = choose_pairs(env, options, pairs);
  if (status == FLOC_OK) status = check_together(env, dimension, options);
  if (status != FLOC_OK) return status;
  contact_laws chosen = {.options = *options, .warm_start = options->warm_start};
  bool turns = options->rotation || options->friction > 0.0 || projection_has_moments(options);
  projection *method = memory_resize(env, NULL, 0, sizeof *method);
  if (!method) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *method);
  status = contact_laws_create(&chosen, hosts, near, dimension);
  if (status == FLOC_OK && turns) status = add_rotation(table, dimension);
  if (status != FLOC_OK) {
    memory_free(env, method, sizeof *method);
    return status;
  }
  *method = (projection){
      .dimension = dimension, .options = *options, .laws = chosen, .turns = turns, .torques_shown = true};
  memcpy(method->pairs, pairs, sizeof pairs);
  method->gluey = (gluey_law){.rule = options->gluey_rule,
                              .radius_factor = options->radius_factor || options->viscosity > 0.0,
                              .viscosity = options->viscosity,
                              .gamma_min = &method->pairs[PAIR_GAMMA_MIN]};
  method->laws.gluey = &method->gluey;
  method->laws.pairs = method->pairs;
  *out = (scheme){.name = "projection",
                  .overlap_limit = HARD_OVERLAP_LIMIT,
                  .shown = options->first_order                         ? "first_order"
                           : options->contact_law == FLOC_CONTACT_GLUEY ? "gluey"
                                                                        : "inelastic",
                  .state = method,
                  .turns = turns,
                  .orients = true,
                  .takes_inertia = true,
                  .freezes = true,
                  .ledger_of_bodies = true,
                  .grows = true,
                  .exerts_contacts = true,
                  .weighs_alike = options->first_order,
                  .step = projection_advance,
                  .sections = projection_sections,
                  .restore = projection_restore,
                  .contact_positions = projection_positions,
                  .set_contact_positions = projection_set_positions,
                  .permute = projection_permute,
                  .remove = projection_remove,
                  .destroy = projection_destroy,
                  .take_shapes = projection_take_shapes};
  if (table->shapes.count == 0) return FLOC_OK;
  status = projection_take_shapes(method, out, near, table);
  if (status != FLOC_OK) projection_destroy(method, env);
  return status;
}
