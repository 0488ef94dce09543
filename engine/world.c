/*
 * The life of a world, its settings, and the step. See world.h for what stands where.
 */
#include "world.h"

#include "base/threads/parallel.h"
#include "base/threads/pool.h"
#include "geometry/free_body.h"
#include "particles/owned.h"
#include "schemes/projection/projection.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double warned_overlap = 1e-3;

/* ---- creation ---- */

static floc_status check_axis(environment *env, const floc_world_options *options, int axis)
{
  if (options->boundary[axis] == FLOC_BOUNDARY_OPEN) return FLOC_OK;
  double lower = options->domain_lower[axis], upper = options->domain_upper[axis];
  if (isfinite(lower) && isfinite(upper) && upper > lower) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "domain on axis %d is %g to %g; both must be finite and the second above the first", axis, lower,
                upper);
}

static floc_status check_world_options(environment *env, const floc_world_options *options)
{
  floc_status status = fields_check(env, &struct_world_options, options);
  for (int axis = 0; axis < options->dimension && status == FLOC_OK; axis++)
    status = check_axis(env, options, axis);
  return status;
}

static domain make_domain(const floc_world_options *options)
{
  domain box = {.dimension = options->dimension};
  for (int axis = 0; axis < options->dimension; axis++) {
    box.boundary[axis] = options->boundary[axis];
    bool open = options->boundary[axis] == FLOC_BOUNDARY_OPEN;
    box.lower[axis] = open ? -INFINITY : options->domain_lower[axis];
    box.upper[axis] = open ? INFINITY : options->domain_upper[axis];
    if (options->boundary[axis] == FLOC_BOUNDARY_PERIODIC) box.length[axis] = box.upper[axis] - box.lower[axis];
  }
  return box;
}

/* The faces of a closed domain are planes of one fixed body. */
static floc_status add_domain_walls(floc_world *world)
{
  int32_t number = -1;
  for (int axis = 0; axis < world->box.dimension; axis++) {
    if (world->box.boundary[axis] != FLOC_BOUNDARY_WALL) continue;
    floc_status status = FLOC_OK;
    if (number < 0) {
      floc_body_options options;
      floc_body_options_init(&options);
      options.name = "domain";
      status = bodies_add(&world->obstacles, &options, 0.0, &number);
      if (status == FLOC_OK) world->obstacles.domain_body = number;
    }
    for (int side = 0; side < 2 && status == FLOC_OK; side++) {
      floc_shape face;
      floc_shape_init(&face);
      face.kind = FLOC_SHAPE_PLANE;
      face.points[0][axis] = side == 0 ? world->box.lower[axis] : world->box.upper[axis];
      face.points[1][axis] = side == 0 ? 1.0 : -1.0;
      status = bodies_add_shape(&world->obstacles, number, &face);
    }
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static void reset_report(floc_world *world)
{
  memset(&world->report, 0, sizeof world->report);
  world->report.struct_size = sizeof world->report;
  world->report.converged = true;
  world->report.worst_body = -1;
}

static floc_status build_rooms(floc_world *world, const floc_world_options *options)
{
  arena_init(&world->scratch, &world->env);
  particles_init(&world->table, &world->env);
  bodies_init(&world->obstacles, &world->env, options->dimension);
  rigid_init(&world->assemblies, &world->env, options->dimension);
  world->box = world->cell.made = make_domain(options);
  reset_report(world);
  floc_status status = neighbors_create(&world->env, options->dimension, &world->near);
  if (status == FLOC_OK) neighbors_share_scratch(world->near, &world->scratch);
  if (status == FLOC_OK) status = laws_create(&world->env, options->dimension, &world->forces);
  if (status == FLOC_OK) laws_set_box(world->forces, &world->box);
  if (status == FLOC_OK) laws_set_bodies(world->forces, &world->obstacles);
  if (status == FLOC_OK) status = ray_sources_create(&world->env, options->dimension, options->seed, &world->rays);
  if (status == FLOC_OK) status = add_domain_walls(world);
  /* which the host may still replace before it needs any memory */
  world->method = (scheme){.name = "projection", .shown = "inelastic"};
  return status;
}

floc_status world_need_scheme(floc_world *world)
{
  if (world->method.step) return FLOC_OK;
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  return projection_create(&world->env, world->near, &world->table, world->box.dimension, &world->contact_laws,
                           &projection, &world->method);
}

floc_status floc_world_create(floc_world_options *given, floc_world **world)
{
  if (!given || !world) return FLOC_INVALID_ARGUMENT;
  *world = NULL;
  FLOAT_DEFAULT;
  environment unheard = {0};
  floc_world_options own, *options = &own;
  if (struct_read(&unheard, "options", given, FIRST_world_options, options, sizeof *options) != FLOC_OK) {
    snprintf(given->message, sizeof given->message, "%s", unheard.message);
    return FLOC_INVALID_ARGUMENT;
  }
  environment env = {.allocate = options->allocate ? options->allocate : default_allocate,
                     .allocate_context = options->allocate_context,
                     .log = options->log,
                     .log_context = options->log_context,
                     .threads = world_choose_threads(options->threads)};
  floc_status status = check_world_options(&env, options);
  floc_world *made = status == FLOC_OK ? memory_resize(&env, NULL, 0, sizeof *made) : NULL;
  if (status == FLOC_OK && !made)
    status = refuse(&env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *made);
  if (made) {
    memset(made, 0, sizeof *made);
    made->env = env;
    made->env.interruption = &made->interruption;
    made->env.guard = &made->guard;
    work_begin(&made->work, INFINITY, false);
    made->env.work = &made->work;
    made->time_step = options->time_step;
    made->seed = options->seed;
    made->keeps_ledger = options->energy_ledger;
    merge_watch_init(&made->env, &made->merges);
    memcpy(made->gravity, options->gravity, (size_t)options->dimension * sizeof(double));
    made->patch_particles = options->patch_particles;
    status = build_rooms(made, options);
    if (status == FLOC_OK) neighbors_set_patches(made->near, made->patch_particles);
    if (status != FLOC_OK) {
      memcpy(env.message, made->env.message, sizeof env.message);
      floc_world_destroy(made);
      made = NULL;
    }
  }
  snprintf(given->message, sizeof given->message, "%s", env.message);
  *world = made;
  return status;
}

void floc_world_destroy(floc_world *world)
{
  world_call call = {0};
  if (!world || world_enter(world, __func__, &call) != FLOC_OK) return;
  atomic_store(&world->guard.kind, CALLBACK_ALLOCATOR); /* from now on nothing of it is whole */
  if (world->method.destroy) world->method.destroy(world->method.state, &world->env);
  bond_watch_free(&world->env, &world->bonds);
  merge_watch_free(&world->env, &world->merges);
  added_measures_free(&world->env, &world->added);
  ray_sources_destroy(world->rays);
  laws_destroy(world->forces);
  neighbors_destroy(world->near);
  rigid_free(&world->assemblies);
  bodies_free(&world->obstacles);
  particles_free(&world->table);
  world_cut_free(world);
  arena_free(&world->scratch);
  array_free(&world->env, (void **)&world->admitted, &world->admitted_capacity, sizeof *world->admitted);
  world_free_attachments(world);
  world_forget_problem(world);
  world_forget_contacts(world);
  world_forget_pairs(world);
  for (int axis = 0; axis < SHOWN_FORCES; axis++)
    array_free(&world->env, (void **)&world->shown_force[axis], &world->shown_force_capacity[axis], sizeof(double));
  parallel_dismiss_team(&world->env);
  pool_destroy(&world->env, world->env.pool);
  environment env = world->env;
  env.guard = NULL;
  memory_free(&env, world, sizeof *world);
  float_leave(&call.floats);
}

/* ---- settings ---- */

double world_time(const floc_world *world)
{
  return world->time_origin + (double)(world->step - world->step_origin) * world->time_step;
}

floc_status floc_world_set_gravity(floc_world *world, const double gravity[3])
{
  WORLD_ENTER(world);
  if (!gravity) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "gravity is NULL");
  floc_status status = FLOC_OK;
  for (int axis = 0; axis < world->box.dimension && status == FLOC_OK; axis++)
    status = fields_check_value(&world->env, &struct_world_options, "gravity", gravity[axis]);
  bool acts = gravity[0] != 0.0 || gravity[1] != 0.0 || (world->box.dimension == 3 && gravity[2] != 0.0);
  if (status == FLOC_OK && acts) status = world_need_feature(world, FLOC_FEATURE_GRAVITY);
  if (status == FLOC_OK) memcpy(world->gravity, gravity, (size_t)world->box.dimension * sizeof(double));
  return status;
}

floc_status floc_world_set_time_step(floc_world *world, double time_step)
{
  WORLD_ENTER(world);
  floc_status status = fields_check_value(&world->env, &struct_world_options, "time_step", time_step);
  if (status != FLOC_OK || time_step == world->time_step) return status;
  world->time_origin = world_time(world);
  world->step_origin = world->step;
  world->time_step = time_step;
  return FLOC_OK;
}

floc_status floc_world_set_interrupt(floc_world *world, floc_interrupt_function function, void *context)
{
  WORLD_ENTER(world);
  world->interruption.context = context;
  if (ranks_count(&world->cut.ranks) > 1) /* see world_begin_ranks() */
    world->cut.interrupt = function;
  else
    world->interruption.function = function;
  return FLOC_OK;
}

floc_status floc_world_get_info(const floc_world *world, floc_world_info *info)
{
  if (!world) return FLOC_INVALID_ARGUMENT;
  environment unheard = {0};
  FILL_RESULT(&unheard, world_info, info);
  FLOAT_DEFAULT;
  info->dimension = world->box.dimension;
  info->threads = world->env.threads;
  info->body_count = world->obstacles.count;
  info->step = world->step;
  info->particle_count = world->cut.is_cut ? world->cut.whole : world->table.count;
  info->time = world_time(world);
  info->time_step = world->time_step;
  memcpy(info->gravity, world->gravity, sizeof info->gravity);
  info->seed = world->seed;
  info->last_id = world->table.last_id;
  return FLOC_OK;
}

/* ---- the step ---- */

static floc_status refuse_overlap(floc_world *world, const overlap_found *found)
{
  if (found->second > 0)
    return refuse(&world->env, FLOC_OVERLAPPING,
                  "particles %" PRId64 " and %" PRId64
                  " overlap by %.2g radii of the smaller one before step %" PRId64
                  "; a new particle may overlap others by up to %g unless it has allow_overlap",
                  found->first, found->second, found->overlap, world->step + 1, world->method.overlap_limit);
  return refuse(&world->env, FLOC_OVERLAPPING,
                "particle %" PRId64 " lies %.2g radii deep in a body before step %" PRId64
                "; a new particle may be up to %g deep unless it has allow_overlap",
                found->first, found->overlap, world->step + 1, world->method.overlap_limit);
}

/* Without rotation a law's torque would be lost, and an orientation would stand still; members of assemblies rotate
 * under every scheme that has them. */
static floc_status check_rotation(floc_world *world)
{
  const char *name = laws_torque_name(world->forces), *axes = laws_axes_name(world->forces);
  const bool quaternion = world->box.dimension == 3 && world->table.optional[OPTIONAL_qw] >= 0;
  const bool orients = axes || quaternion;
  if (world->method.turns && (world->method.orients || !orients)) return FLOC_OK;
  if (!name && !orients) return FLOC_OK;
  int64_t slot = 0;
  while (slot < world->table.count && rigid_owner(&world->assemblies, world->table.id[slot]) >= 0) slot++;
  if (slot == world->table.count && (world->method.orients || !orients)) return FLOC_OK;
  if (name && !world->method.turns) return world_refuse_torque(world, name);
  return world_refuse_orientation(world, axes);
}

/* Elsewhere a particle with the attribute would move on without a word. */
static floc_status check_frozen(floc_world *world)
{
  const double *frozen = particles_frozen(&world->table);
  if (!frozen || (world->method.freezes && world->assemblies.count == 0)) return FLOC_OK;
  EACH_OWNED(slot, &world->table) {
    const int64_t id = world->table.id[slot];
    if (frozen[slot] == 0.0) continue;
    if (!world->method.freezes)
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particle %" PRId64 " is frozen (its attribute frozen is %g), which is not supported under the "
                    "scheme %s; inelastic, gluey, first_order and discrete_element do it",
                    id, frozen[slot], world->method.shown);
    if (rigid_owner(&world->assemblies, id) >= 0)
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particle %" PRId64
                    " is frozen (its attribute frozen is %g), and belongs to assembly %d; members "
                    "of assemblies cannot be frozen",
                    id, frozen[slot], rigid_owner(&world->assemblies, id));
  }
  return FLOC_OK;
}

/* What would not grow, or by an account that does not know it. */
static const char *cannot_grow(const floc_world *world, int64_t slot, bool is_rounding)
{
  if (rigid_owner(&world->assemblies, world->table.id[slot]) >= 0)
    return "is not supported of members of assemblies";
  if (world->keeps_ledger)
    return "is not supported with energy_ledger, which does not know the energy of what is added";
  const grain_shape *form = particles_shape(&world->table, slot);
  if (!is_rounding) return NULL;
  if (!form) return "has no effect on particles that are round";
  return form->kind == GRAIN_ELLIPSOID ? "is not known of ellipses and ellipsoids, which have no rounding" : NULL;
}

static floc_status check_growth(floc_world *world)
{
  static const optional_column rates[] = {OPTIONAL_radius_rate, OPTIONAL_rounding_rate};
  for (int k = 0; k < 2; k++) {
    const double *rate = particles_optional(&world->table, rates[k]);
    const char *name = k == 0 ? "radius_rate" : "rounding_rate";
    EACH_OWNED(slot, &world->table) {
      if (!rate) break;
      if (rate[slot] == 0.0) continue;
      if (!world->method.grows)
        return refuse(&world->env, FLOC_NOT_SUPPORTED,
                      "particle %" PRId64 " has the %s %g, which is not supported under the scheme %s; inelastic, "
                      "gluey and first_order do it",
                      world->table.id[slot], name, rate[slot], world->method.shown);
      const char *why = cannot_grow(world, slot, k == 1);
      if (why)
        return refuse(&world->env, FLOC_NOT_SUPPORTED, "particle %" PRId64 " has the %s %g, which %s",
                      world->table.id[slot], name, rate[slot], why);
    }
  }
  return FLOC_OK;
}

/* Bodies are not periodic, and contacts between two of infinite mass are none. */
static floc_status check_free_bodies(floc_world *world)
{
  const bodies *all = &world->obstacles;
  const double *frozen = particles_frozen(&world->table);
  if (bodies_free_count(all) == 0) return FLOC_OK;
  floc_status status = world_check_free_bodies(world);
  if (status != FLOC_OK) return status;
  if (world->table.shapes.count > 0)
    return refuse(&world->env, FLOC_NOT_SUPPORTED,
                  "there are free bodies and particles that are not round; contacts of the two are not supported");
  for (int32_t k = 0; k < all->count; k++)
    for (int axis = 0; axis < 3; axis++)
      if (body_is_free(&all->body[k]) && body_moves_along(&all->body[k], axis) && world->box.length[axis] > 0.0)
        return refuse(
            &world->env, FLOC_NOT_SUPPORTED,
            "body %d (%s) is free along %c, which is periodic; shapes are not periodic, so it would leave the "
            "domain",
            k, body_label(&all->body[k]), "xyz"[axis]);
  EACH_OWNED(slot, &world->table)
    if (frozen && frozen[slot] != 0.0)
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "particle %" PRId64
                    " is frozen (its attribute frozen is %g), and there are free bodies; contacts of "
                    "the two are not supported",
                    world->table.id[slot], frozen[slot]);
  return FLOC_OK;
}

static floc_status check_start(floc_world *world)
{
  floc_status status = world_check_particles(world);
  if (status == FLOC_OK) status = laws_check(world->forces, &world->table);
  if (status == FLOC_OK) status = check_rotation(world);
  if (status == FLOC_OK) status = check_frozen(world);
  if (status == FLOC_OK) status = check_growth(world);
  if (status == FLOC_OK) status = check_free_bodies(world);
  if (status == FLOC_OK) status = world_admit_scheme(world, world->method.shown);
  if (status == FLOC_OK) status = world_check_ledger(world, &world->method);
  if (status == FLOC_OK) status = world_check_cell(world);
  if (status != FLOC_OK || !world->unchecked) return status;
  overlap_found worst, refused;
  status = world_find_overlaps(world, world->bodies_unchecked ? 0 : world->settled, &worst, &refused);
  if (status == FLOC_OK && refused.overlap > world->method.overlap_limit) status = refuse_overlap(world, &refused);
  if (status != FLOC_OK) return status;
  if (worst.overlap > warned_overlap && worst.second > 0)
    report_line(&world->env, 1, "particles %" PRId64 " and %" PRId64 " overlap by %.2g radii at step %" PRId64,
                worst.first, worst.second, worst.overlap, world->step);
  else if (worst.overlap > warned_overlap)
    report_line(&world->env, 1, "particle %" PRId64 " overlaps a body by %.2g radii at step %" PRId64, worst.first,
                worst.overlap, world->step);
  return FLOC_OK;
}

step_context world_context(floc_world *world)
{
  return (step_context){.env = &world->env,
                        .scratch = &world->scratch,
                        .table = &world->table,
                        .obstacles = &world->obstacles,
                        .assemblies = &world->assemblies,
                        .near = world->near,
                        .forces = world->forces,
                        .box = &world->box,
                        .gravity = {world->gravity[0], world->gravity[1], world->gravity[2]},
                        .time = world_time(world),
                        .time_step = world->time_step,
                        .step = world->step,
                        .seed = world->seed,
                        .patch_particles = world->patch_particles,
                        .record_problem = world->problem_path ? world_record_problem : NULL,
                        .record_context = world,
                        .merges = world_merge_log(world),
                        .has_newcomers = world->unchecked,
                        .report = &world->report};
}

/* The new storage order for all columns. A failure is undone: permuting particles cannot fail, neighbour lists in
 * memory that the first time has reserved. */
static floc_status permute_all(floc_world *world, const int32_t *order, const int32_t *inverse)
{
  particles_permute(&world->table, order);
  laws_forget_storage(world->forces);
  floc_status status = neighbors_permute(world->near, &world->table, order);
  bool lists = status == FLOC_OK;
  if (lists && world->method.permute) status = world->method.permute(world->method.state, &world->table, order);
  if (status == FLOC_OK) return FLOC_OK;
  particles_permute(&world->table, inverse);
  if (lists) neighbors_permute(world->near, &world->table, inverse);
  return status;
}

enum { SORT_STEPS = 1024 };

/* Of a scheme that sorts by steps. */
static bool sort_is_due(const floc_world *world)
{
  return world->step % SORT_STEPS == 0 || world->unchecked;
}

/* Brings storage into the order of cells when enough has moved, or it is time. Done before a step, so that one that
 * fails for want of memory can be made again. */
static floc_status sort_storage(floc_world *world)
{
  size_t count = (size_t)world->table.count;
  const bool by_step = world->method.sorts_by_step;
  if (by_step && !sort_is_due(world)) return FLOC_OK;
  int32_t *order = arena_allocate(&world->scratch, count, sizeof *order);
  int32_t *inverse = arena_allocate(&world->scratch, count, sizeof *inverse);
  if (!order || !inverse) return FLOC_OUT_OF_MEMORY;
  bool worthwhile = false;
  floc_status status = (by_step ? neighbors_place_order : neighbors_sort_order)(world->near, &world->table,
                                                                                &world->box, order, &worthwhile);
  if (status != FLOC_OK || !worthwhile) return status;
  EACH_SLOT(k, &world->table) inverse[order[k]] = (int32_t)k;
  return permute_all(world, order, inverse);
}

static void advance_time(floc_world *world, double went)
{
  if (went != world->time_step) {
    world->time_origin = world_time(world) + went;
    world->step_origin = world->step + 1;
  }
  world->step++; /* files are not taken from so near the end of the type (world_state.c) */
}

/* Rays in flight continue and pulses that are due are fired; the forces of rays are among the scheme's forces. */
static floc_status begin_rays(floc_world *world, step_context *context)
{
  if (ray_sources_count(world->rays) == 0) return FLOC_OK;
  floc_status status =
      ray_sources_begin(world->rays, &world->scratch, &world->table, &world->obstacles, &world->box, context->time);
  context->external_force = ray_sources_external;
  context->external_context = world->rays;
  stage_done(context, STAGE_RAYS);
  return status;
}

static void end_rays(floc_world *world, const step_context *context, floc_status status)
{
  if (!context->external_force) return;
  if (status == FLOC_OK)
    ray_sources_commit(world->rays, &world->table, context->time + context->time_step);
  else
    ray_sources_revert(world->rays);
}

/* Laws write the forces at the start of a step into the columns of the world. Where the step may be given up they
 * are kept; NULL: they are not. */
typedef struct kept_results {
  double *forces, *sums;
} kept_results;

static floc_status keep_results(floc_world *world, kept_results *kept)
{
  size_t count = (size_t)world->table.count;
  floc_status status = laws_keep_sums(world->forces, &world->table, &world->scratch, &kept->sums);
  if (status != FLOC_OK || !interruption_is_possible(&world->env)) return status;
  kept->forces = arena_allocate(&world->scratch, 3 * count, sizeof(double));
  if (!kept->forces) return FLOC_OUT_OF_MEMORY;
  for (int axis = 0; axis < 3; axis++)
    slots_copy(&world->env, &world->table, world->table.column[COLUMN_fx + axis], kept->forces + axis * count);
  return FLOC_OK;
}

static void put_back_results(floc_world *world, const kept_results *kept)
{
  size_t count = (size_t)world->table.count;
  for (int axis = 0; axis < 3 && kept->forces && count > 0; axis++)
    memcpy(world->table.column[COLUMN_fx + axis], kept->forces + axis * count, count * sizeof(double));
  laws_put_back_sums(world->forces, &world->table, kept->sums);
}

/* What fails while the host wants the end (a law's function that it stopped, work that was left undone) was
 * interrupted; what fails after too much work, given up for that. */
static floc_status end_failed(floc_world *world, floc_status status)
{
  if (work_exceeded(&world->env) != WORK_NONE) return world_refuse_work(world);
  floc_status wanted = interruption_status(&world->env);
  return wanted != FLOC_OK ? wanted : status;
}

/* Forces and lists as they were before the step that failed with this status. */
static floc_status undo_step(floc_world *world, const kept_results *kept, floc_status status)
{
  put_back_results(world, kept);
  floc_status lists = neighbors_put_back(world->near);
  return lists == FLOC_OK ? status : lists;
}

static floc_status make_step(floc_world *world)
{
  work_begin(&world->work, world_work_limit(world), world->work_limit > 0.0);
  arena_reset(&world->scratch);
  if (world->table.count >= LEAST_FOR_TEAM) parallel_call_team(&world->env);
  step_context context = world_context(world);
  stage_done(&context, STAGE_OTHER);
  laws_set_randomness(world->forces, context.seed, context.step);
  laws_forget_exchange(world->forces);
  floc_status status = pool_status(&world->env);
  if (status == FLOC_OK) status = world_need_scheme(world);
  if (status == FLOC_OK) status = world_check_ranks(world);
  if (world->cut.is_cut && sort_is_due(world)) {
    status = world_agree(world, status);
    if (status == FLOC_OK) status = world_make_whole(world);
    if (status != FLOC_OK) return end_failed(world, status);
  }
  if (status == FLOC_OK) status = check_start(world);
  if (status == FLOC_OK && world->radii_are_shown) neighbors_see_radii(world->near, &world->table);
  if (status == FLOC_OK) status = sort_storage(world);
  status = world_begin_ranks(world, &context, status);
  stage_done(&context, STAGE_OTHER);
  const laws_rates *rates;
  if (status == FLOC_OK)
    status =
        laws_find_rates(world->forces, &world->table, context.time, context.time_step, &world->scratch, &rates);
  kept_results kept = {NULL, NULL};
  double *start[3];
  if (status == FLOC_OK) status = world_begin_displacements(world, start);
  if (status == FLOC_OK) status = begin_rays(world, &context);
  if (status == FLOC_OK) status = keep_results(world, &kept);
  cell_step cell = {.acts = false};
  if (status == FLOC_OK) status = world_begin_cell(world, &context, &cell);
  if (status != FLOC_OK && context.ranks) status = world_agree(world, status);
  if (status != FLOC_OK) return end_failed(world, status);
  double work[LEDGER_PARTS] = {0.0};
  const double kinetic = world->keeps_ledger ? world_kinetic_energy(world) : 0.0;
  if (world->keeps_ledger) context.work = work;
  neighbors_keep(world->near);
  const int64_t merges = world->merges.log.count;
  status = world->method.step(world->method.state, &context);
  world->energies_hold =
      status == FLOC_OK && world->method.laws_at_end && !rates && !laws_exchange(world->forces) && !context.ranks;
  world->laws_again = status == FLOC_OK && world->method.laws_at_end && laws_remember(world->forces);
  end_rays(world, &context, status);
  if (laws_finish(world->forces, world->near, status == FLOC_OK)) world->energies_hold = false;
  if (status != FLOC_OK) world_revert_cell(world, &cell);
  if (status != FLOC_OK) world->merges.log.count = merges;
  if (status != FLOC_OK) return end_failed(world, undo_step(world, &kept, status));
  world_commit_cell(world, &context, &cell);
  world->unchecked = world->bodies_unchecked = false;
  if (world->keeps_ledger) world_add_to_ledger(world, kinetic, work);
  world_settle(world);
  world->report.work = (double)work_spent(&world->env);
  world_end_displacements(world, start);
  laws_evolve(rates, &world->table, context.time_step);
  laws_apply_exchange(world->forces, &world->table, context.time_step);
  laws_apply_wear(world->forces, &world->obstacles, context.time_step);
  world_forget_problem(world);
  advance_time(world, context.time_step);
  return world_share_exchanges(world, &context);
}

floc_status floc_world_step(floc_world *world)
{
  WORLD_ENTER(world);
  const floc_status status = make_step(world);
  world_end_ranks(world, status);
  return status;
}
