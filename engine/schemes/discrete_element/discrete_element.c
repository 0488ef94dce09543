/*
 * Life of the discrete-element scheme: options, memory of pairs, checkpoints. See discrete_element.h.
 */
#include "schemes/discrete_element/model.h"

#include "base/fields.h"
#include "particles/owned.h"
#include "schemes/displacement.h"

#include <math.h>
#include <string.h>

/* What no range of one option says. */
static floc_status check_options(environment *env, const floc_discrete_element_options *o)
{
  floc_status status = fields_check(env, &struct_discrete_element_options, o);
  if (status != FLOC_OK) return status;
  if (o->friction_dynamic > o->friction_static)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "friction_dynamic is %g; it must be at most friction_static, which is %g", o->friction_dynamic,
                  o->friction_static);
  if (o->contact_force == FLOC_CONTACT_FORCE_NONE &&
      (o->friction != FLOC_FRICTION_NONE || o->bond_law != FLOC_BOND_NONE))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "contact_force is none, with friction %d and bond_law %d; both must be none as well", o->friction,
                  o->bond_law);
  if (o->rolling_friction > 0.0 && (!o->rotation || o->contact_force == FLOC_CONTACT_FORCE_NONE))
    return refuse(
        env, FLOC_INVALID_ARGUMENT,
        "rolling_friction is %g, with rotation %s and contact_force %d; it needs rotation and a contact force",
        o->rolling_friction, o->rotation ? "true" : "false", o->contact_force);
  if (o->rolling_friction > 0.0 && !(o->rolling_stiffness > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "rolling_stiffness is %g; with rolling_friction (%g) it must be above 0", o->rolling_stiffness,
                  o->rolling_friction);
  if (o->bond_bodies && o->bond_law == FLOC_BOND_NONE)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "bond_bodies is true, and bond_law is 0: without bonds it would do nothing");
  if (o->bond_strength_spread > 0.0 && o->bond_law != FLOC_BOND_PERSISTENT)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "bond_strength_spread is %g, and bond_law is %d; it needs persistent bonds (2)",
                  o->bond_strength_spread, o->bond_law);
  if (!o->thermal_softening || o->contact_force == FLOC_CONTACT_FORCE_PENALTY) return FLOC_OK;
  return refuse(env, FLOC_NOT_SUPPORTED,
                "thermal_softening needs the penalty contact force (1); contact_force is %d", o->contact_force);
}

/* ---- life ---- */

static floc_status add_attribute(particles *table, const char *name, double initial)
{
  return particles_find_column(table, name) >= 0 ? FLOC_OK : particles_add_attribute(table, name, initial);
}

static floc_status add_attributes(particles *table, int32_t dimension, const floc_discrete_element_options *options)
{
  floc_status status = FLOC_OK;
  if (options->rotation) status = particles_need_rotation(table, dimension, false);
  if (status == FLOC_OK && options->thermal_softening)
    status = add_attribute(table, "temperature", options->initial_temperature);
  if (status == FLOC_OK && options->magnetization != 0.0)
    status = add_attribute(table, "magnetization", options->magnetization);
  return status;
}

/* What turns with the direction of a pair. */
static floc_status add_turning(discrete_element *method, const char *name, int32_t *index)
{
  floc_status status = neighbors_add_memory(method->near, name, index);
  if (status == FLOC_OK) neighbors_turn_memory(method->near, *index);
  return status;
}

static floc_status add_memory(discrete_element *method)
{
  static const char *const names[3] = {"spring_x", "spring_y", "spring_z"};
  static const char *const rolls[3] = {"roll_x", "roll_y", "roll_z"};
  const floc_discrete_element_options *options = &method->options;
  method->memory = (memory_columns){{-1, -1, -1}, -1, -1, {-1, -1, -1}};
  floc_status status = FLOC_OK;
  int32_t springs = options->friction == FLOC_FRICTION_SPRING ? method->dimension : 0;
  for (int32_t k = 0; k < springs && status == FLOC_OK; k++)
    status = add_turning(method, names[k], &method->memory.spring[k]);
  if (status == FLOC_OK && springs > 0 && options->friction_static != options->friction_dynamic)
    status = neighbors_add_memory(method->near, "sliding", &method->memory.sliding);
  if (status == FLOC_OK && options->bond_law == FLOC_BOND_PERSISTENT)
    status = neighbors_add_memory(method->near, BOND_AREA, &method->memory.bond);
  for (int32_t k = method->dimension == 2 ? 2 : 0; k < 3 && options->rolling_friction > 0.0 && status == FLOC_OK;
       k++)
    status = add_turning(method, rolls[k], &method->memory.roll[k]);
  return status;
}

static void destroy(void *state, environment *env)
{
  discrete_element *method = state;
  element_materials_free(method->materials, env);
  array_free(env, (void **)&method->pair_staging, &method->pair_staging_capacity, sizeof(double));
  array_free(env, (void **)&method->part_sum, &method->part_sum_capacity, sizeof(double));
  for (int k = 0; k < 2; k++)
    array_free(env, (void **)&method->parts[k], &method->parts_capacity[k], LEDGER_STORED * sizeof(push));
  array_free(env, (void **)&method->pushes, &method->push_capacity, sizeof(push));
  array_free(env, (void **)&method->fields, &method->field_capacity, sizeof(push));
  array_free(env, (void **)&method->body, &method->body_capacity, sizeof(element_body));
  array_free(env, (void **)&method->at, &method->at_capacity, sizeof(element));
  array_free(env, (void **)&method->reach, &method->reach_capacity, sizeof(double));
  array_free(env, (void **)&method->touched, &method->touched_capacity, sizeof(uint8_t));
  array_free(env, (void **)&method->foreign, &method->foreign_capacity, sizeof(int32_t));
  array_free(env, (void **)&method->foreign_start, &method->foreign_start_capacity, sizeof(int64_t));
  array_free(env, (void **)&method->link_first, &method->link_first_capacity, sizeof(int32_t));
  array_free(env, (void **)&method->link_second, &method->link_second_capacity, sizeof(int32_t));
  array_free(env, (void **)&method->touches, &method->touch_capacity, sizeof(wall_touch));
  array_free(env, (void **)&method->staging, &method->staging_capacity, sizeof(double));
  memory_free(env, method, sizeof *method);
}

static const char *not_in_cell(const void *state)
{
  const floc_discrete_element_options *options = &((const discrete_element *)state)->options;
  if (options->integrator != FLOC_INTEGRATOR_VELOCITY_VERLET)
    return "the trapezoidal rule is not supported in it; integrator = \"velocity_verlet\" is";
  if (element_has_near_field(options) && options->near_field_range == INFINITY)
    return "near fields (attraction, repulsion) on all pairs are not supported in it; with a near_field_range they "
           "are";
  return NULL;
}

static floc_status advance(void *state, step_context *context)
{
  discrete_element *method = state;
  floc_status status = FLOC_OK;
  if (method->options.contact_force != FLOC_CONTACT_FORCE_NONE)
    status = displacement_check(context, &context->table->column[COLUMN_vx], "its velocity before");
  if (status != FLOC_OK) return context->ranks ? context->ranks->agree(context->ranks->context, status) : status;
  element_watch_time_step(method, context, 0.0, false);
  status = method->options.integrator == FLOC_INTEGRATOR_VELOCITY_VERLET
               ? element_step_verlet(method, context)
               : element_step_trapezoidal(method, context);
  if (status != FLOC_OK)
    bodies_revert(context->obstacles);
  else
    element_watch_time_step(method, context, context->report->overlap, true);
  return status;
}

/* Can the fast loop do it? */
static bool is_plain(const floc_discrete_element_options *options)
{
  bool spherical =
      options->contact_force == FLOC_CONTACT_FORCE_HOOKE || options->contact_force == FLOC_CONTACT_FORCE_HERTZ;
  bool one_coefficient = options->friction_static == options->friction_dynamic;
  bool spring = options->friction == FLOC_FRICTION_SPRING && one_coefficient && options->rotation;
  bool alone = options->bond_law == FLOC_BOND_NONE && !(options->rolling_friction > 0.0);
  return spherical && !options->limit_damping && alone && (spring || options->friction == FLOC_FRICTION_NONE);
}

/* ---- memory of pairs ---- */

/* The columns of a view, one after another. */
enum { VIEW_COLUMNS = 8 };

static double **view_column(memory_view *view, int k)
{
  if (k >= 5) return &view->roll[k - 5];
  return k < 3 ? &view->spring[k] : k == 3 ? &view->sliding : &view->bond;
}

memory_view element_memory(const discrete_element *method, const pair_list *list)
{
  const memory_columns *at = &method->memory;
  const int32_t index[VIEW_COLUMNS] = {at->spring[0], at->spring[1], at->spring[2], at->sliding,
                                       at->bond,      at->roll[0],   at->roll[1],   at->roll[2]};
  memory_view view = {.bond = NULL};
  for (int k = 0; k < VIEW_COLUMNS; k++)
    if (index[k] >= 0) *view_column(&view, k) = list->memory[index[k]];
  return view;
}

static floc_status trial_of(arena *scratch, int64_t count, const memory_view *from, memory_view *to)
{
  memory_view source = *from;
  *to = (memory_view){.bond = NULL};
  for (int k = 0; k < VIEW_COLUMNS; k++) {
    if (!*view_column(&source, k)) continue;
    double *trial = arena_allocate(scratch, (size_t)count, sizeof *trial);
    if (!trial) return FLOC_OUT_OF_MEMORY;
    *view_column(to, k) = trial;
  }
  return FLOC_OK;
}

floc_status element_trial_memory(evaluation *run)
{
  arena *scratch = run->context->scratch;
  const neighbors *near = run->context->near;
  floc_status status = trial_of(scratch, neighbors_pairs(near)->count, &run->pairs_from, &run->pairs_to);
  if (status != FLOC_OK) return status;
  return trial_of(scratch, neighbors_walls(near)->count, &run->walls_from, &run->walls_to);
}

static void keep(int64_t count, memory_view trial, memory_view memory)
{
  for (int k = 0; k < VIEW_COLUMNS; k++)
    if (*view_column(&memory, k) && count > 0)
      memcpy(*view_column(&memory, k), *view_column(&trial, k), (size_t)count * sizeof(double));
}

void element_keep_memory(const evaluation *run)
{
  const neighbors *near = run->context->near;
  keep(neighbors_pairs(near)->count, run->pairs_to, run->pairs_from);
  keep(neighbors_walls(near)->count, run->walls_to, run->walls_from);
}

/* ---- particles ---- */

void element_spin_columns(const discrete_element *method, const particles *table, double *spin[3])
{
  for (int k = 0; k < 3; k++) {
    bool turns = method->options.rotation && (k == 2 || method->dimension == 3);
    spin[k] = turns ? particles_optional(table, OPTIONAL_wx + k) : NULL;
  }
}

int element_orientation(const discrete_element *method, const particles *table, double *column[4])
{
  return method->options.rotation ? particles_orientation(table, method->dimension, column) : 0;
}

floc_status element_make_orientation(const discrete_element *method, const step_context *context, double *made[4])
{
  const int count = element_orientation(method, context->table, made);
  for (int k = 0; k < count; k++)
    if (!(made[k] = arena_allocate(context->scratch, (size_t)context->table->count, sizeof(double))))
      return FLOC_OUT_OF_MEMORY;
  return FLOC_OK;
}

void element_load(const discrete_element *method, const particles *table, element *at)
{
  double *spin[3];
  element_spin_columns(method, table, spin);
  EACH_SLOT(i, table) {
    at[i].radius = table->column[COLUMN_radius][i];
    for (int k = 0; k < 3; k++) {
      at[i].position[k] = table->column[COLUMN_x + k][i];
      at[i].velocity[k] = table->column[COLUMN_vx + k][i];
      at[i].spin[k] = spin[k] ? spin[k][i] : 0.0;
    }
  }
}

double element_field_range(const discrete_element *method, const laws *forces)
{
  const floc_discrete_element_options *options = &method->options;
  double range = laws_range(forces);
  if (element_has_near_field(options) && options->near_field_range < INFINITY)
    range = fmax(range, options->near_field_range);
  return range;
}

floc_status element_update_neighbors(discrete_element *method, const step_context *context, const double *reach)
{
  const double range = element_field_range(method, context->forces);
  bool rebuilt;
  floc_status status =
      neighbors_update(context->near, context->table, context->obstacles, context->box, reach, range, &rebuilt);
  if (status != FLOC_OK || rebuilt) method->list_followed = false;
  return status;
}

void element_finish(discrete_element *method, const step_context *context, const evaluation *run)
{
  floc_step_report *report = context->report;
  method->contacts = run->contacts;
  method->wall_contacts = run->wall_contacts;
  method->counters.bonds_formed += (double)run->bonds_formed;
  method->counters.bonds_broken += (double)run->bonds_broken;
  method->last_time_step = context->time_step;
  report->converged = true;
  report->islands = 0;
  report->contacts = report->active_contacts = run->contacts + run->wall_contacts;
  report->iterations = 0;
  report->residual = report->tolerance = 0.0;
  report->overlap = run->overlap;
  report->greatest_overlap = fmax(report->greatest_overlap, run->overlap);
}

/* ---- order of storage ---- */

/* Rows of force and torque follow the particles. Springs are turned by neighbors_permute(). */
static floc_status permute(void *state, const particles *table, const int32_t *order)
{
  discrete_element *method = state;
  int64_t count = method->push_count == table->count ? table->count : 0;
  /* the working copy is free between steps, and has space */
  push *old = (push *)(void *)method->at;
  if (count > 0) memcpy(old, method->pushes, (size_t)count * sizeof *old);
  for (int64_t k = 0; k < count; k++) method->pushes[k] = old[order[k]];
  if (method->parts_count > 0) element_parts_permute(method, order);
  method->list_followed = false;
  return FLOC_OK;
}

/* What the others feel of those that go ends at once, so all forces are found again; springs stay with the lists.
 */
static void forget_forces(void *state)
{
  discrete_element *method = state;
  method->push_count = method->parts_count = 0;
  method->body_count = 0;
  method->list_followed = false;
}

static void forget(void *state, const particles *table, const int32_t *new_slot)
{
  (void)table, (void)new_slot;
  forget_forces(state);
}

/* ---- checkpoints ---- */

static floc_status sections(void *state, section_list *list)
{
  discrete_element *method = state;
  const void *pushes = method->push_count > 0 ? (const void *)method->pushes : "";
  floc_status status =
      section_list_add(list, "discrete_element.counters", "f64", 1, COUNTER_NUMBERS, &method->counters, true);
  if (status == FLOC_OK)
    status =
        element_materials_sections(method->materials, list, &method->pair_staging, &method->pair_staging_capacity);
  if (status != FLOC_OK) return status;
  status = section_list_add(list, "discrete_element.forces", "f64", (uint64_t)method->push_count, PUSH_NUMBERS,
                            pushes, false); /* follows from the rest of the state */
  if (status == FLOC_OK) status = element_free_sections(method, list);
  return status == FLOC_OK ? element_parts_sections(method, list) : status;
}

static floc_status restore(void *state, const section_list *list, int64_t particle_count, int32_t shape_count)
{
  (void)shape_count;
  discrete_element *method = state;
  const section *counters, *forces;
  floc_status status = section_expect(list, "discrete_element.counters", "f64", 1, COUNTER_NUMBERS, &counters);
  if (status == FLOC_OK)
    status = section_expect(list, "discrete_element.forces", "f64", UINT64_MAX, PUSH_NUMBERS, &forces);
  if (status != FLOC_OK) return status;
  if (forces->rows > (uint64_t)particle_count) /* fewer: others have come since the step, and all are found again */
    return refuse(method->env, FLOC_DAMAGED_FILE, "section \"%s\" has %llu rows; it must have %lld or fewer",
                  forces->name, (unsigned long long)forces->rows, (long long)particle_count);
  status = section_check_numbers(method->env, counters, 0, ALL_ELEMENTS, NUMBERS_FROM_0);
  if (status == FLOC_OK) status = section_check_numbers(method->env, forces, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = element_materials_restore(method->materials, method->env, list);
  if (status == FLOC_OK) status = element_reserve(method, (size_t)forces->rows);
  if (status == FLOC_OK) status = element_free_restore(method, list);
  if (status == FLOC_OK) status = element_parts_restore(method, list, (int64_t)forces->rows);
  if (status != FLOC_OK) return status;
  memcpy(&method->counters, counters->data, sizeof method->counters);
  if (forces->rows > 0) memcpy(method->pushes, forces->data, (size_t)forces->rows * sizeof(push));
  method->push_count = (int64_t)forces->rows;
  method->list_followed = false;
  return FLOC_OK;
}

floc_status discrete_element_create(environment *env, int32_t dimension, const floc_discrete_element_options *given,
                                    particles *table, neighbors *near, scheme *out)
{
  floc_discrete_element_options known = *given, *options = &known;
  element_materials *materials;
  floc_status status = fields_check(env, &struct_discrete_element_options, options);
  if (status == FLOC_OK) status = element_materials_create(env, options, &materials);
  if (status != FLOC_OK) return status;
  status = check_options(env, options);
  discrete_element *method = status == FLOC_OK ? memory_resize(env, NULL, 0, sizeof *method) : NULL;
  if (!method) {
    element_materials_free(materials, env);
    if (status != FLOC_OK) return status;
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *method);
  }
  *method = (discrete_element){.env = env, .dimension = dimension, .options = *options, .near = near};
  method->materials = materials;
  method->is_plain = is_plain(options) && !materials;
  status = add_memory(method);
  if (status == FLOC_OK) status = add_attributes(table, dimension, options);
  if (status != FLOC_OK) {
    destroy(method, env);
    return status;
  }
  *out =
      (scheme){.name = "discrete_element",
               .overlap_limit = options->contact_force == FLOC_CONTACT_FORCE_NONE ? INFINITY : SOFT_OVERLAP_LIMIT,
               .shown = "discrete_element",
               .state = method,
               .turns = options->rotation,
               .orients = true,
               .takes_inertia = true,
               .exerts_contacts = true,
               .laws_at_end = options->integrator == FLOC_INTEGRATOR_VELOCITY_VERLET,
               .freezes = true,
               .no_ledger = options->integrator == FLOC_INTEGRATOR_VELOCITY_VERLET
                                ? NULL
                                : "by the trapezoidal rule; integrator velocity_verlet does it",
               .no_free_bodies = options->integrator == FLOC_INTEGRATOR_VELOCITY_VERLET
                                     ? NULL
                                     : "by the trapezoidal rule; integrator velocity_verlet does it",
               .not_in_cell = not_in_cell,
               .over_ranks = &element_over_ranks,
               .sorts_by_step = true,
               .has_near_field = element_has_near_field(options),
               .observe = element_observe,
               .look = element_look,
               .look_at = element_look_at,
               .energies = element_energies,
               .pair_range = element_pair_range,
               .critical = element_critical,
               .step = advance,
               .sections = sections,
               .restore = restore,
               .links = element_links,
               .permute = permute,
               .remove = forget,
               .forget_forces = forget_forces,
               .destroy = destroy};
  return FLOC_OK;
}
