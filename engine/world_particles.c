/*
 * Particles of a world: adding, inserting without overlap, removing, columns, the overlap check.
 */
#include "world.h"

#include "geometry/joints.h"
#include "particles/owned.h"
#include "schemes/packing/packing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one particle ---- */

static floc_status check_number(environment *env, const char *name, double value, number_range range)
{
  if (is_within(range, value)) return FLOC_OK;
  char allowed[RANGE_TEXT];
  range_text(range, allowed);
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s is %g; it must be %s", name, value, allowed);
}

static floc_status check_position(floc_world *world, const floc_particle_options *options, int axis)
{
  environment *env = &world->env;
  double position = options->position[axis];
  if (world->box.boundary[axis] != FLOC_BOUNDARY_OPEN &&
      (position < world->box.lower[axis] || position > world->box.upper[axis]))
    return refuse(env, FLOC_INVALID_ARGUMENT, "position[%d] is %g; the domain reaches from %g to %g", axis,
                  position, world->box.lower[axis], world->box.upper[axis]);
  if (particles_is_resolved(position, options->radius)) return FLOC_OK;
  return refuse(
      env, FLOC_INVALID_ARGUMENT,
      "position[%d] is %g; neighbouring doubles differ by more than a millionth of the radius there, which is %g",
      axis, position, options->radius);
}

static floc_status check_particle(floc_world *world, const floc_particle_options *options)
{
  environment *env = &world->env;
  floc_status status = fields_check(env, &struct_particle_options, options);
  if (status == FLOC_OK) status = check_number(env, "radius", options->radius, particles_radius_range(&world->box));
  if (status == FLOC_OK) status = check_number(env, "mass", options->mass, particles_mass_range());
  for (int axis = 0; axis < world->box.dimension && status == FLOC_OK; axis++)
    status = check_position(world, options, axis);
  if (status == FLOC_OK) status = world_check_shape(world, options->shape);
  if (status == FLOC_OK && options->shape == 0 && options->angle != 0.0)
    status =
        refuse(env, FLOC_INVALID_ARGUMENT, "angle is %g without a shape, which is what it turns", options->angle);
  if (status == FLOC_OK && world->box.dimension == 3 && options->angle != 0.0)
    status = refuse(env, FLOC_INVALID_ARGUMENT,
                    "angle is %g; in three dimensions the orientation of a shape is a quaternion, orientation",
                    options->angle);
  if (status == FLOC_OK)
    status = orientation_check(env, options->orientation, options->shape, world->box.dimension);
  return status;
}

/* Uniform discs and balls are all that the rest turns. */
static floc_status check_inertia(floc_world *world, const char *when)
{
  bool any, flow = laws_find_present(world->forces).flow;
  floc_status status = particles_check_inertia(&world->table, when, &any);
  if (status != FLOC_OK || !any || (world->method.takes_inertia && !flow)) return status;
  return refuse(&world->env, FLOC_NOT_SUPPORTED,
                "particles have an inertia of their own (the column inertia), which %s does not know; set it to 0, "
                "for uniform %s",
                flow ? "a flow" : world->method.name, world->box.dimension == 2 ? "discs" : "balls");
}

floc_status world_check_particles(floc_world *world)
{
  char when[48];
  snprintf(when, sizeof when, "before step %" PRId64, world->step + 1);
  floc_status status = particles_check(&world->table, &world->box, when);
  for (int axis = 0; axis < 3 && status == FLOC_OK && world->method.turns; axis++) {
    int32_t column = world->table.optional[OPTIONAL_wx + axis];
    if (column >= 0) status = particles_check_finite(&world->table, column, when);
  }
  if (status == FLOC_OK && world->box.dimension == 3) status = particles_check_orientation(&world->table, when);
  if (status == FLOC_OK) status = world_check_shapes(world, when);
  return status == FLOC_OK && world->method.turns ? check_inertia(world, when) : status;
}

floc_status floc_particle_add(floc_world *world, const floc_particle_options *options, int64_t *id)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, particle_options, options);
  floc_status status = check_particle(world, options);
  int64_t number = 0;
  if (status == FLOC_OK && options->allow_overlap)
    status = array_reserve(&world->env, (void **)&world->admitted, &world->admitted_capacity,
                           (size_t)world->admitted_count + 1, sizeof *world->admitted);
  if (status == FLOC_OK) status = particles_append(&world->table, &number);
  if (status != FLOC_OK) return status;
  int64_t slot = world->table.count - 1;
  double *const *column = world->table.column;
  for (int axis = 0; axis < world->box.dimension; axis++) {
    column[COLUMN_x + axis][slot] = domain_wrap(&world->box, axis, options->position[axis]);
    column[COLUMN_vx + axis][slot] = options->velocity[axis];
  }
  column[COLUMN_radius][slot] = options->radius;
  column[COLUMN_mass][slot] = options->mass;
  if (options->shape != 0) {
    column[world->table.optional[OPTIONAL_shape]][slot] = options->shape;
    if (world->box.dimension == 2) column[world->table.optional[OPTIONAL_angle]][slot] = options->angle;
    for (int k = 0; k < 4 && orientation_is_given(options->orientation); k++)
      column[world->table.optional[OPTIONAL_qw + k]][slot] = options->orientation[k];
    column[world->table.optional[OPTIONAL_rounding]][slot] =
        world->table.shapes.shape[options->shape - 1].rounding * options->radius;
  }
  if (options->allow_overlap) world->admitted[world->admitted_count++] = number;
  neighbors_invalidate(world->near);
  world->unchecked = true;
  world->energies_hold = false;
  if (id) *id = number;
  return FLOC_OK;
}

/* ---- a grid of everything that is there ---- */

typedef struct crowd {
  floc_world *world;
  cell_grid *grid;
  double greatest_radius;
} crowd;

static double greatest_radius(const particles *table)
{
  double greatest = 0.0;
  EACH_SLOT(i, table) greatest = fmax(greatest, table->column[COLUMN_radius][i]);
  return greatest;
}

static void read_position(const particles *table, int64_t slot, double position[3])
{
  for (int axis = 0; axis < 3; axis++) position[axis] = table->column[COLUMN_x + axis][slot];
}

/* A box of places that are asked for, so that an inlet in a world of many looks at few. */
typedef struct quarter {
  double center[3], half[3]; /* half INFINITY: everywhere */
} quarter;

static const quarter everywhere = {{0.0}, {INFINITY, INFINITY, INFINITY}};

/* Of what lies between the two corners. Images of a skew box are shifted: there it is everywhere. */
static quarter quarter_between(const domain *box, const double lower[3], const double upper[3])
{
  quarter part = everywhere;
  for (int axis = 0; axis < box->dimension && !domain_is_skew(box); axis++) {
    part.center[axis] = 0.5 * (lower[axis] + upper[axis]);
    part.half[axis] = 0.5 * (upper[axis] - lower[axis]);
    part.half[axis] += 1e-9 * (fabs(lower[axis]) + fabs(upper[axis])); /* rounding */
  }
  return part;
}

/* Positions that are not numbers are near: those who read them refuse them. */
static bool is_near(const domain *box, const quarter *part, const double position[3], double distance)
{
  for (int axis = 0; axis < box->dimension; axis++) {
    double way = domain_shortest(box, axis, position[axis] - part->center[axis]);
    if (fabs(way) > part->half[axis] + distance) return false;
  }
  return true;
}

/* The particles that may touch a sphere of the radius in the quarter. Cells are as wide as two of the greatest
 * spheres and the clearance. */
static floc_status crowd_create(floc_world *world, double radius, double clearance, const quarter *part, crowd *all)
{
  *all = (crowd){world, NULL, fmax(radius, greatest_radius(&world->table))};
  double cell = 2.0 * all->greatest_radius + clearance;
  floc_status status =
      cell_grid_create(&world->env, world->box.dimension, &world->box, cell > 0.0 ? cell : 1.0, &all->grid);
  EACH_SLOT(i, &world->table) {
    if (status != FLOC_OK) break;
    double position[3];
    read_position(&world->table, i, position);
    if (!is_near(&world->box, part, position, 1.001 * cell)) continue;
    status = cell_grid_add(all->grid, position, world->table.column[COLUMN_radius][i], i);
  }
  if (status != FLOC_OK) cell_grid_destroy(all->grid);
  return status;
}

/* ---- insertion ---- */

typedef struct place_query {
  const particles *table;
  double radius, clearance;
  const grain_core *core;
} place_query;

static bool leaves_room(void *context, int64_t number, const double separation[3], double radius)
{
  const place_query *query = context;
  double needed = query->radius + radius + query->clearance;
  if (separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2] >=
      needed * needed)
    return true;
  if (number < 0 || (grain_core_is_point(query->core) && !particles_shape(query->table, number))) return false;
  return world_grain_distance(query->table, query->core, number, separation, query->clearance) >= query->clearance;
}

static bool place_is_free(void *context, const newcomer *one, double clearance)
{
  const crowd *all = context;
  const bodies *obstacles = &all->world->obstacles;
  const double *position = one->position, radius = one->radius;
  grain_memory memory;
  const grain_core core = grain_core_of_newcomer(&all->world->table, all->world->box.dimension, one, &memory);
  for (int32_t k = 0; k < obstacles->shape_count; k++) {
    double normal[3], nearest[3];
    double distance = shape_distance(&obstacles->world[k], obstacles->dimension, position, normal, nearest);
    if (distance >= radius + clearance) continue;
    if (grain_core_is_point(&core) ||
        grain_wall_distance(&obstacles->world[k], &core, position, clearance) < clearance)
      return false;
  }
  place_query query = {&all->world->table, radius, clearance, &core};
  return cell_grid_visit(all->grid, position, radius + all->greatest_radius + clearance, leaves_room, &query);
}

static floc_status place_occupy(void *context, const newcomer *one, int64_t slot)
{
  crowd *all = context;
  return cell_grid_add(all->grid, one->position, one->radius, slot);
}

static floc_status place_pack(void *context, const floc_insertion_options *options, int64_t first)
{
  const crowd *all = context;
  floc_world *world = all->world;
  return packing_run(&world->env, &world->table, first, &world->obstacles, &world->box, options);
}

/* Where new particles may be. Dense packings move on from where they were drawn. */
static quarter quarter_of(const domain *box, const floc_insertion_options *options)
{
  if (options->placement == FLOC_PLACEMENT_DENSE) return everywhere;
  if (options->region_kind != FLOC_REGION_BALL)
    return quarter_between(box, options->region_lower, options->region_upper);
  double lower[3], upper[3];
  for (int axis = 0; axis < 3; axis++) {
    lower[axis] = options->region_center[axis] - options->region_radius;
    upper[axis] = options->region_center[axis] + options->region_radius;
  }
  return quarter_between(box, lower, upper);
}

floc_status floc_particles_insert(floc_world *world, const floc_insertion_options *given, int64_t *first_id)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, insertion_options, given);
  floc_insertion_options scaled;
  const floc_insertion_options *options = &scaled;
  floc_status status = insertion_scale(&world->table, given, world->box.dimension, world->seed, &scaled);
  if (status == FLOC_OK) status = insertion_check(&world->env, options, world->box.dimension);
  if (status == FLOC_OK)
    status = check_number(&world->env, "radius_lower", options->radius_lower, particles_radius_range(&world->box));
  if (status == FLOC_OK && options->radius_upper != 0.0)
    status = check_number(&world->env, "radius_upper", options->radius_upper, particles_radius_range(&world->box));
  if (status == FLOC_OK) status = world_check_shape(world, options->shape);
  if (status != FLOC_OK) return status;
  crowd all;
  const quarter part = quarter_of(&world->box, options);
  status = crowd_create(world, fmax(options->radius_lower, options->radius_upper), options->clearance, &part, &all);
  if (status != FLOC_OK) return status;
  insertion_place place = {place_is_free, place_occupy, &all, &world->box, place_pack};
  uint64_t seed = options->seed ? options->seed : world->seed;
  int64_t before = world->table.count;
  status = insertion_run(&world->table, options, world->box.dimension, seed, &place);
  cell_grid_destroy(all.grid);
  if (status == FLOC_OK) status = particles_check(&world->table, &world->box, "after the insertion");
  if (status != FLOC_OK) {
    particles_truncate(&world->table, before);
    return status;
  }
  neighbors_invalidate(world->near);
  world->unchecked = true;
  world->energies_hold = false;
  if (first_id) *first_id = world->table.last_id - options->count + 1;
  return FLOC_OK;
}

/* ---- removal ---- */

static floc_status refuse_unknown(environment *env, const particles *table, int64_t id)
{
  if (id >= 1 && id <= table->last_id)
    return refuse(env, FLOC_NOT_FOUND, "particle %" PRId64 " is not there any more: it was removed", id);
  return refuse(env, FLOC_NOT_FOUND, "there is no particle %" PRId64 "; ids are from 1 to %" PRId64 "%s", id,
                table->last_id, particles_gaps_text(table));
}

/* new_slot: -1 for each of the ids. */
static floc_status mark_removed(floc_world *world, const int64_t *ids, int64_t count, int32_t *new_slot)
{
  const particles *table = &world->table;
  environment *env = &world->env;
  EACH_SLOT(slot, table) new_slot[slot] = 0;
  for (int64_t k = 0; k < count; k++) {
    const int64_t slot = particles_find(table, ids[k]);
    if (slot < 0) return refuse_unknown(env, table, ids[k]);
    if (new_slot[slot] < 0)
      return refuse(env, FLOC_INVALID_ARGUMENT, "particle %" PRId64 " is named twice", ids[k]);
    const int32_t owner = rigid_owner(&world->assemblies, ids[k]);
    if (owner >= 0)
      return refuse(env, FLOC_NOT_SUPPORTED,
                    "particle %" PRId64 " belongs to assembly %d; members of assemblies cannot be removed", ids[k],
                    owner);
    new_slot[slot] = -1;
  }
  int32_t next = 0;
  EACH_SLOT(slot, table)
    if (new_slot[slot] >= 0) new_slot[slot] = next++;
  return FLOC_OK;
}

/* What can fail. */
static floc_status prepare_removal(floc_world *world)
{
  const scheme *method = &world->method;
  if (method->step && !method->remove)
    return refuse(&world->env, FLOC_NOT_SUPPORTED, "particles cannot be removed under the scheme %s",
                  method->shown);
  floc_status status = laws_follow_bonds(world->forces, &world->table);
  return status == FLOC_OK ? particles_prepare_removal(&world->table) : status;
}

static void forget_particles(floc_world *world, const int32_t *new_slot)
{
  neighbors_remove(world->near, new_slot);
  laws_forget_particles(world->forces, new_slot);
  ray_sources_forget(world->rays, &world->table, new_slot);
  EACH_SLOT(slot, &world->table)
    if (joints_present(&world->obstacles) > 0 && new_slot[slot] < 0)
      joints_forget_particle(&world->obstacles, world->table.id[slot]);
  if (world->method.remove) world->method.remove(world->method.state, &world->table, new_slot);
  int64_t kept = 0;
  for (int64_t k = 0; k < world->admitted_count; k++)
    if (new_slot[particles_find(&world->table, world->admitted[k])] >= 0)
      world->admitted[kept++] = world->admitted[k];
  world->admitted_count = kept;
  particles_remove(&world->table, new_slot);
  laws_forget_storage(world->forces);
}

floc_status floc_particles_remove(floc_world *world, const int64_t *ids, int64_t count)
{
  WORLD_ENTER(world);
  environment *env = &world->env;
  if (count < 0) return refuse(env, FLOC_INVALID_ARGUMENT, "count is %" PRId64 "; it must be 0 or more", count);
  if (count > 0 && !ids) return refuse(env, FLOC_INVALID_ARGUMENT, "ids is NULL");
  if (count == 0) return FLOC_OK;
  arena_mark before = arena_here(&world->scratch);
  int32_t *new_slot = arena_allocate(&world->scratch, (size_t)world->table.count, sizeof *new_slot);
  floc_status status = new_slot ? mark_removed(world, ids, count, new_slot) : FLOC_OUT_OF_MEMORY;
  if (status == FLOC_OK) status = prepare_removal(world);
  if (status == FLOC_OK) {
    forget_particles(world, new_slot);
    world->energies_hold = false;
    world->column_calls++;
  }
  arena_return(&world->scratch, before);
  return status;
}

floc_status floc_particle_slot(floc_world *world, int64_t id, int64_t *slot)
{
  WORLD_READ(world, env);
  if (!slot) return refuse(env, FLOC_INVALID_ARGUMENT, "slot is NULL");
  const int64_t found = particles_find(&world->table, id);
  if (found < 0) return refuse_unknown(env, &world->table, id);
  *slot = found;
  return FLOC_OK;
}

/* ---- overlaps ---- */

typedef struct overlap_search {
  const floc_world *world;
  int64_t known; /* ids up to this one are not looked for */
  int64_t slot, id;
  int32_t owner; /* its assembly, -1: none */
  bool may;      /* overlap */
  double radius;
  grain_core core; /* of one that is not round; count 1: it is */
  overlap_found worst, refused;
} overlap_search;

/* Has it been there before, or was it allowed to? */
static bool may_overlap(const floc_world *world, int64_t id)
{
  if (id <= world->settled) return true;
  int64_t low = 0, high = world->admitted_count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (world->admitted[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < world->admitted_count && world->admitted[low] == id;
}

static void note(overlap_found *greatest, double overlap, int64_t first, int64_t second)
{
  if (overlap > greatest->overlap) *greatest = (overlap_found){overlap, first, second};
}

/* Who came later decides whether it may. A pair is noted once: of two that are looked for, by the first. */
static bool note_overlap(void *context, int64_t number, const double separation[3], double radius)
{
  overlap_search *search = context;
  const floc_world *world = search->world;
  int64_t id = world->table.id[number];
  if (number == search->slot || (number < search->slot && id > search->known)) return true;
  if (search->owner >= 0 && rigid_owner(&world->assemblies, id) == search->owner) return true;
  double square = separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2];
  double overlap = search->radius + radius - sqrt(square);
  if (overlap > 0.0 && (!grain_core_is_point(&search->core) || particles_shape(&world->table, number)))
    overlap = -world_grain_distance(&world->table, &search->core, number, separation, 0.0);
  overlap /= fmin(search->radius, radius);
  const bool is_first = number < search->slot;
  const int64_t first = is_first ? id : search->id, second = is_first ? search->id : id;
  note(&search->worst, overlap, first, second);
  if (overlap <= search->refused.overlap) return true;
  if (!(id > search->id ? may_overlap(world, id) : search->may)) note(&search->refused, overlap, first, second);
  return true;
}

static void note_wall_overlaps(overlap_search *search, const bodies *obstacles, const double position[3])
{
  for (int32_t k = 0; k < obstacles->shape_count; k++) {
    double normal[3], nearest[3];
    double distance = shape_distance(&obstacles->world[k], obstacles->dimension, position, normal, nearest);
    double overlap = search->radius - distance;
    if (overlap > 0.0 && !grain_core_is_point(&search->core))
      overlap = -grain_wall_distance(&obstacles->world[k], &search->core, position, 0.0);
    overlap /= search->radius;
    note(&search->worst, overlap, search->id, 0);
    if (!search->may) note(&search->refused, overlap, search->id, 0);
  }
}

/* Of those who are not known yet. */
static quarter quarter_of_newcomers(const floc_world *world, int64_t known)
{
  double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
  EACH_SLOT(i, &world->table) {
    double position[3];
    if (world->table.id[i] <= known) continue;
    read_position(&world->table, i, position);
    for (int axis = 0; axis < 3; axis++) {
      lower[axis] = fmin(lower[axis], position[axis]);
      upper[axis] = fmax(upper[axis], position[axis]);
    }
  }
  return quarter_between(&world->box, lower, upper);
}

floc_status world_find_overlaps(floc_world *world, int64_t known, overlap_found *worst, overlap_found *refused)
{
  overlap_search search = {.world = world, .known = known};
  *worst = *refused = search.worst;
  if (world->table.last_id <= known) return FLOC_OK;
  crowd all;
  const quarter part = known > 0 ? quarter_of_newcomers(world, known) : everywhere;
  floc_status status = crowd_create(world, 0.0, 0.0, &part, &all);
  if (status != FLOC_OK) return status;
  grain_memory memory;
  EACH_SLOT(i, &world->table) {
    if (status != FLOC_OK) break;
    double position[3];
    if (i % ASK_INTERVAL == 0) status = interruption_status(&world->env);
    search.slot = i;
    search.id = world->table.id[i];
    if (search.id <= known) continue;
    read_position(&world->table, i, position);
    search.owner = rigid_owner(&world->assemblies, search.id);
    search.may = may_overlap(world, search.id);
    search.radius = world->table.column[COLUMN_radius][i];
    search.core = grain_core_make(&world->table, world->box.dimension, i, &memory);
    cell_grid_visit(all.grid, position, search.radius + all.greatest_radius, note_overlap, &search);
    note_wall_overlaps(&search, &world->obstacles, position);
  }
  cell_grid_destroy(all.grid);
  *worst = search.worst;
  *refused = search.refused;
  return status;
}

void world_settle(floc_world *world)
{
  world->settled = world->table.last_id;
  world->admitted_count = 0;
}

floc_status floc_particles_check(floc_world *world, double *worst)
{
  WORLD_ENTER(world);
  if (!worst) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "worst is NULL");
  overlap_found greatest, refused;
  floc_status status = world_find_overlaps(world, 0, &greatest, &refused);
  if (status == FLOC_OK) *worst = greatest.overlap;
  return status;
}

/* ---- columns ---- */

/* Of soft contacts, which are in no column; -1: there is none. */
static int torque_axis(const floc_world *world, const char *name)
{
  static const char *const names[] = {"tx", "ty", "tz"};
  for (int axis = world->box.dimension == 2 ? 2 : 0; axis < 3 && world->method.observe && world->method.turns;
       axis++)
    if (strcmp(name, names[axis]) == 0) return axis;
  return -1;
}

floc_status floc_column(floc_world *world, const char *name, double **values, int64_t *count)
{
  WORLD_READ(world, env);
  if (!name || !values || !count) return refuse(env, FLOC_INVALID_ARGUMENT, "name, values or count is NULL");
  int32_t column = particles_find_column(&world->table, name);
  int torque = torque_axis(world, name);
  if (column < 0 && torque >= 0 && env == &world->env) {
    *count = world->table.count;
    world->column_calls++;
    return world_show_force(world, 3 + torque, values);
  }
  if (column < 0) return refuse(env, FLOC_NOT_FOUND, "there is no column \"%.60s\"", name);
  *values = world->table.column[column];
  *count = world->table.count;
  if (env != &world->env) return FLOC_OK; /* from within a call: as the laws have it */
  world->energies_hold = false;           /* the host may write there */
  world->column_calls++;
  world->radii_are_shown |= column == COLUMN_radius;
  bool is_force = column >= COLUMN_fx && column < COLUMN_fx + 3;
  return is_force && world->method.observe ? world_show_force(world, column - COLUMN_fx, values) : FLOC_OK;
}

static bool is_quaternion(const floc_world *world, const char *name)
{
  return world->box.dimension == 3 && name[0] == 'q' && strchr("wxyz", name[1]) && name[1] && !name[2];
}

/* All four columns. */
static floc_status add_orientation(floc_world *world, const char *name, double initial)
{
  if (initial != 0.0)
    return refuse(
        &world->env, FLOC_INVALID_ARGUMENT,
        "attribute \"%s\": initial is %g; an orientation (qw, qx, qy, qz) begins as 1, 0, 0, 0, so it must "
        "be 0",
        name, initial);
  if (particles_find_column(&world->table, name) >= 0)
    return refuse(&world->env, FLOC_ALREADY_EXISTS, "\"%s\" is an attribute already", name);
  return particles_need_orientation(&world->table, world->box.dimension);
}

static bool is_displacement(const floc_world *world, const char *name)
{
  static const char stem[] = "displacement_";
  const size_t length = sizeof stem - 1;
  return strncmp(name, stem, length) == 0 && name[length] >= 'x' && name[length] < 'x' + world->box.dimension &&
         !name[length + 1];
}

/* Those of all axes. */
static floc_status add_displacement(floc_world *world, const char *name, double initial)
{
  if (initial != 0.0)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT,
                  "attribute \"%s\": initial is %g; a displacement begins at 0, so it must be 0", name, initial);
  if (particles_find_column(&world->table, name) >= 0)
    return refuse(&world->env, FLOC_ALREADY_EXISTS, "\"%s\" is an attribute already", name);
  return particles_need_displacement(&world->table, world->box.dimension);
}

floc_status floc_attribute_add(floc_world *world, const char *name, double initial)
{
  WORLD_ENTER(world);
  if (!name) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "name is NULL");
  if (is_quaternion(world, name)) return add_orientation(world, name, initial);
  if (is_displacement(world, name)) return add_displacement(world, name, initial);
  return particles_add_attribute(&world->table, name, initial);
}

const char *floc_column_name(const floc_world *world, int32_t index)
{
  if (!world || world_check_reading(world, __func__) != FLOC_OK) return NULL;
  int32_t shown = 0;
  for (int32_t k = 0; k < world->table.column_count && index >= 0; k++)
    if (!particles_is_owed(&world->table, k) && shown++ == index) return world->table.name[k];
  return NULL;
}

floc_status floc_particle_ids(floc_world *world, const int64_t **ids, const int64_t **slots, int64_t *count)
{
  WORLD_READ(world, env);
  (void)env; /* nothing to refuse */
  if (ids) *ids = world->table.id;
  if (slots) *slots = world->table.slot;
  if (count) *count = world->table.count;
  return FLOC_OK;
}
