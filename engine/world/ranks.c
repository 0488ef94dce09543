/*
 * A world that several ranks share (floc_world_set_ranks). Before anything else they make sure that they compute
 * the same bits: same library, same structures, same mathematics.
 */
#include "world.h"

#include "base/mathematics/version.h"
#include "base/threads/parallel.h"
#include "geometry/free_body.h"
#include "geometry/joints.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_LIMIT = 1 << 20 };

STRUCT_INIT_SIZED(ranks, struct_zero);

/* What must be the same on all ranks. */
typedef struct build {
  char version[40];
  uint64_t structures, byte_order, mathematics;
} build;

static build own_build(void)
{
  build own = {.structures = sizeof(floc_world), .mathematics = mathematics_version()};
  snprintf(own.version, sizeof own.version, "%s", floc_version());
  memcpy(&own.byte_order, "floc\1\2\3\4", sizeof own.byte_order);
  return own;
}

static floc_status compare_builds(floc_world *world, const floc_ranks *ranks)
{
  const int32_t count = ranks->count;
  const build own = own_build();
  build *all = arena_allocate(&world->scratch, (size_t)count, sizeof *all);
  int64_t *bytes = arena_allocate(&world->scratch, (size_t)count, sizeof *bytes);
  if (!all || !bytes) return FLOC_OUT_OF_MEMORY;
  for (int32_t r = 0; r < count; r++) bytes[r] = sizeof *all;
  floc_status status = ranks_gather(ranks, &world->env, &own, all, bytes);
  for (int32_t r = 1; r < count && status == FLOC_OK; r++) {
    const build *first = &all[0], *other = &all[r];
    const bool same_library = memcmp(first->version, other->version, sizeof own.version) == 0 &&
                              first->structures == other->structures && first->byte_order == other->byte_order;
    if (!same_library)
      status =
          refuse(&world->env, FLOC_STRUCTURE_MISMATCH,
                 "rank 0 runs floc %.39s and rank %d another build, floc %.39s; all ranks must run the same one",
                 first->version, r, other->version);
    else if (first->mathematics != other->mathematics)
      status = refuse(&world->env, FLOC_STRUCTURE_MISMATCH,
                      "ranks 0 and %d compute other bits on the same arguments (mathematics %016" PRIx64
                      " and %016" PRIx64 "); all ranks must run the same build of floc",
                      r, first->mathematics, other->mathematics);
  }
  return status;
}

static floc_status check_ranks(environment *env, const floc_ranks *ranks)
{
  if (ranks->count < 1 || ranks->count > RANK_LIMIT)
    return refuse(env, FLOC_INVALID_ARGUMENT, "ranks.count is %d; it must be between 1 and %d", ranks->count,
                  RANK_LIMIT);
  if (ranks->number < 0 || ranks->number >= ranks->count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "ranks.number is %d; it must be between 0 and %d", ranks->number,
                  ranks->count - 1);
  const bool whole = ranks->add && ranks->maximum && ranks->exchange && ranks->gather && ranks->broadcast;
  if (ranks->count == 1 || whole) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "ranks: one of add, maximum, exchange, gather and broadcast is NULL");
}

floc_status floc_world_set_ranks(floc_world *world, const floc_ranks *ranks)
{
  WORLD_ENTER(world);
  if (world->step > 0 || world->table.last_id > 0)
    return refuse(&world->env, FLOC_WRONG_STATE,
                  "ranks are set before anything else; this world has %" PRId64 " particles and made %" PRId64
                  " steps",
                  world->table.count, world->step);
  if (!ranks) {
    world->cut.ranks = (floc_ranks){.count = 1};
    return FLOC_OK;
  }
  READ_OPTIONS(&world->env, ranks, ranks);
  floc_status status = check_ranks(&world->env, ranks);
  const arena_mark before = arena_here(&world->scratch);
  if (status == FLOC_OK && ranks->count > 1) status = compare_builds(world, ranks);
  arena_return(&world->scratch, before);
  if (status != FLOC_OK) return status;
  world->cut.ranks = *ranks;
  world->cut.near_part = 1.0;
  if (ranks->count == 1) return FLOC_OK;
  world->cut.interrupt = world->interruption.function;
  world->interruption.function = NULL;
  return status;
}

/* ---- what is refused ---- */

static bool has_servo(const bodies *all)
{
  for (int32_t k = 0; k < all->count; k++)
    if (all->body[k].motion.motion == FLOC_MOTION_SERVO) return true;
  return false;
}

/* What is there that a step over ranks would do wrongly; NULL: nothing. text: for its name. */
static const char *refused_part(floc_world *world, char *text, size_t size)
{
  if (!world->method.over_ranks) return "";
  if (laws_refuse_ranks(world->forces, text, size)) return text;
  if (ray_sources_count(world->rays) > 0) return "ray sources";
  if (world->assemblies.count > 0) return "rigid assemblies";
  if (bodies_free_count(&world->obstacles) > 0) return "free bodies";
  if (has_servo(&world->obstacles)) return "a servo";
  if (joints_present(&world->obstacles) > 0) return "joints";
  if (world->table.shapes.count > 0) return "particles that are not round";
  if (world->keeps_ledger) return "energy_ledger";
  if (world->cell.is_used || domain_deforms(&world->box)) return "a cell that deforms";
  return world->method.over_ranks->refuses(world->method.state);
}

static floc_status refuse_lost(floc_world *world)
{
  return refuse(&world->env, FLOC_WRONG_STATE,
                "an earlier call that cut the world by ranks has failed; load a checkpoint into a new world");
}

floc_status world_check_ranks(floc_world *world)
{
  const int32_t count = ranks_count(&world->cut.ranks);
  if (count == 1) return FLOC_OK;
  if (world->cut.is_lost) return refuse_lost(world);
  char text[160];
  const char *part = refused_part(world, text, sizeof text);
  if (!part) return FLOC_OK;
  if (!*part)
    return refuse(&world->env, FLOC_NOT_SUPPORTED,
                  "the scheme %s is not supported over several ranks, of which there are %d; discrete_element is",
                  world->method.shown, count);
  return refuse(&world->env, FLOC_NOT_SUPPORTED, "%s: not supported over several ranks, of which there are %d",
                part, count);
}

/* ---- a step ---- */

static const double LASTING_STEPS = 40.0, LEAST_SKIN = 0.1, GREATEST_SKIN = 1.0; /* in greatest radii */

typedef struct survey {
  floc_world *world;
  const step_context *context;
  double since, next; /* greatest ways: from the reference, and of this step alone */
  double radius;
} survey;

/* Where everything owned will be when forces are found: the ways count to there. */
static void survey_ways(survey *all)
{
  floc_world *world = all->world;
  const world_cut *cut = &world->cut;
  const particles *table = &world->table;
  EACH_OWNED(slot, table) {
    double position[3], since = 0.0, next = 0.0;
    world->method.over_ranks->place_next(world->method.state, all->context, slot, position);
    for (int axis = 0; axis < world->box.dimension; axis++) {
      const double x = table->column[COLUMN_x + axis][slot], from = cut->is_cut ? cut->reference[axis][slot] : x;
      const double way = domain_shortest(&world->box, axis, position[axis] - from);
      since += way * way;
      next += (position[axis] - x) * (position[axis] - x);
    }
    all->since = fmax(all->since, since);
    all->next = fmax(all->next, next);
    all->radius = fmax(all->radius, table->column[COLUMN_radius][slot]);
  }
  all->since = sqrt(all->since);
  all->next = sqrt(all->next);
}

floc_status world_agree(floc_world *world, floc_status status)
{
  world->cut.traffic.meetings++;
  return ranks_agree(&world->cut.ranks, &world->env, status, NULL, 0);
}

static floc_status agree(void *context, floc_status status)
{
  return world_agree(context, status);
}

/* Space for share(), which cannot fail for want of it. */
static floc_status prepare_share(floc_world *world)
{
  world_cut *cut = &world->cut;
  const size_t ranks = (size_t)ranks_count(&cut->ranks);
  const size_t width = (size_t)world->method.over_ranks->numbers * sizeof(double);
  size_t rows = 1;
  for (size_t r = 0; r < ranks; r++) rows += (size_t)(cut->out_count[r] + cut->in_count[r]);
  cut->bytes = arena_allocate(&world->scratch, 2 * ranks, sizeof *cut->bytes);
  cut->message = arena_allocate(&world->scratch, rows * width, 1);
  return cut->bytes && cut->message ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Rows of owned particles to those that have ghosts of them. */
static floc_status share(void *context, double *rows, int32_t numbers)
{
  floc_world *world = context;
  world_cut *cut = &world->cut;
  const int32_t ranks = ranks_count(&cut->ranks);
  const size_t width = (size_t)numbers * sizeof(double);
  int64_t *out = cut->bytes, *in = out + ranks, outs = 0, ins = 0;
  for (int32_t r = 0; r < ranks; r++) {
    outs += cut->out_count[r];
    ins += cut->in_count[r];
    out[r] = cut->out_count[r] * (int64_t)width;
    in[r] = cut->in_count[r] * (int64_t)width;
  }
  unsigned char *from = cut->message + (size_t)outs * width;
  for (int64_t k = 0; k < outs; k++)
    memcpy(cut->message + (size_t)k * width, rows + (size_t)cut->out_slot[k] * (size_t)numbers, width);
  floc_status status = ranks_exchange(&cut->ranks, &world->env, cut->message, out, from, in);
  for (int64_t k = 0; k < ins && status == FLOC_OK; k++)
    memcpy(rows + (size_t)cut->in_slot[k] * (size_t)numbers, from + (size_t)k * width, width);
  cut->traffic.exchanges++;
  cut->traffic.bytes += outs * (int64_t)width;
  return status;
}

/* Owners and ghosts for this step, in a world that was whole or whose particles have moved too far. */
static floc_status renew(floc_world *world, const survey *seen)
{
  world_cut *cut = &world->cut;
  const scheme *method = &world->method;
  floc_status status = FLOC_OK;
  if (!cut->is_cut) {
    method->over_ranks->part(method->state);
    cut->radius_most = seen->radius;
    status = owners_make(&world->env, &world->scratch, &world->table, &world->box, world->patch_particles,
                         ranks_count(&cut->ranks), cut->turn, &cut->owners);
  }
  const double skin =
      fmin(fmax(LASTING_STEPS * seen->next, LEAST_SKIN * cut->radius_most), GREATEST_SKIN * cut->radius_most);
  cut->skin = fmax(skin, 2.5 * seen->next);
  cut->near = cut->near_part * (1.0 + 1e-9) *
              (2.0 * cut->radius_most + method->over_ranks->range(method->state, world->forces, cut->radius_most) +
               cut->skin);
  status = world_cut_renew(world, status);
  cut->is_lost = status != FLOC_OK;
  return status;
}

/* A whole world is one that all ranks hold, and a host may have written into it: what they hold must be the same.
 * Two halves of its hash, and their negatives, become maxima over all ranks. */
enum { HASH_VALUES = 4 };

static floc_status show_hash(floc_world *world, double *halves)
{
  uint64_t hash = 0;
  const floc_status status = world_state_hash(world, &hash);
  halves[0] = (double)(hash >> 32);
  halves[1] = (double)(hash & UINT32_MAX);
  halves[2] = -halves[0];
  halves[3] = -halves[1];
  return status;
}

static floc_status check_same(floc_world *world, const double *halves)
{
  if (halves[0] == -halves[2] && halves[1] == -halves[3]) return FLOC_OK;
  return refuse(&world->env, FLOC_WRONG_STATE,
                "ranks have diverged: before step %" PRId64
                " they do not all hold the same particles and bodies; all must make the same calls, and write the "
                "same numbers",
                world->step + 1);
}

/* status: of what the step has done before. */
floc_status world_begin_ranks(floc_world *world, step_context *context, floc_status status)
{
  world_cut *cut = &world->cut;
  if (ranks_count(&cut->ranks) == 1) return status;
  const scheme *method = &world->method;
  if (status == FLOC_OK && !cut->is_cut && !method->over_ranks->rows(method->state, world->table.count))
    return FLOC_OK; /* forces are not known: it is whole, and every rank makes the step */
  survey seen = {.world = world, .context = context};
  if (status == FLOC_OK) status = method->over_ranks->prepare_next(method->state, context);
  if (status == FLOC_OK) survey_ways(&seen);
  double values[AGREED_VALUES] = {seen.since, seen.next, seen.radius};
  const bool was_whole = !cut->is_cut;
  if (was_whole && status == FLOC_OK) status = show_hash(world, values + AGREED_VALUES - HASH_VALUES);
  cut->traffic.meetings++;
  status = ranks_agree(&cut->ranks, &world->env, status, values, AGREED_VALUES);
  if (status == FLOC_OK && was_whole) status = check_same(world, values + AGREED_VALUES - HASH_VALUES);
  if (status != FLOC_OK) return status;
  seen = (survey){.world = world, .since = values[0], .next = values[1], .radius = values[2]};
  if (!cut->is_cut || !(seen.since <= 0.499 * cut->skin)) status = renew(world, &seen);
  if (status != FLOC_OK) return status;
  world->step_ranks = (step_ranks){.agree = agree, .share = share, .context = world};
  context->ranks = &world->step_ranks;
  cut->made_step = true;
  world->interruption.function = cut->interrupt; /* from here on ranks agree on what comes of it */
  return prepare_share(world);
}

floc_status world_share_exchanges(floc_world *world, const step_context *context)
{
  int32_t column[COLUMN_LIMIT];
  const int32_t count = context->ranks ? laws_exchanged(world->forces, column) : 0;
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < count && status == FLOC_OK; k++) status = share(world, world->table.column[column[k]], 1);
  if (status != FLOC_OK) world->cut.is_lost = true;
  return status;
}

void world_end_ranks(floc_world *world, floc_status status)
{
  const world_cut *cut = &world->cut;
  if (ranks_count(&cut->ranks) == 1) return;
  world->interruption.function = NULL;
  if (!cut->is_cut || status != FLOC_OK) return;
  int64_t count;
  wall_touch *touch = world->method.over_ranks->touches(world->method.state, &count);
  for (int64_t k = 0; k < count; k++) touch[k].place = cut->place[touch[k].slot];
}

/* ---- the whole again ---- */

/* What a rank's part of the last step adds to the report. */
static floc_status join_reports(floc_world *world, int64_t contacts[2])
{
  const floc_ranks *ranks = &world->cut.ranks;
  floc_step_report *report = &world->report;
  double most[2] = {report->overlap, report->greatest_overlap};
  floc_status status = ranks_add(ranks, &world->env, contacts, 2);
  if (status == FLOC_OK) status = ranks_maximum(ranks, &world->env, most, 2);
  report->overlap = most[0];
  report->greatest_overlap = most[1];
  report->contacts = report->active_contacts = contacts[0] + contacts[1];
  return status;
}

static int compare_touches(const void *first, const void *second)
{
  const wall_touch *a = first, *b = second;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  return (a->shape > b->shape) - (a->shape < b->shape);
}

/* Forces on bodies, in the order in which one rank alone adds them up. */
static floc_status join_touches(floc_world *world)
{
  world_cut *cut = &world->cut;
  const size_t ranks = (size_t)ranks_count(&cut->ranks);
  int64_t count, total = 0;
  wall_touch *own = world->method.over_ranks->touches(world->method.state, &count);
  int64_t *bytes = arena_allocate(&world->scratch, ranks, sizeof *bytes);
  floc_status status = world_agree(world, bytes ? FLOC_OK : FLOC_OUT_OF_MEMORY);
  if (status != FLOC_OK) return status;
  memset(bytes, 0, ranks * sizeof *bytes);
  bytes[ranks_number(&cut->ranks)] = count * (int64_t)sizeof *own;
  status = ranks_add(&cut->ranks, &world->env, bytes, (int64_t)ranks);
  for (size_t r = 0; r < ranks; r++) total += bytes[r] / (int64_t)sizeof *own;
  wall_touch *all = arena_allocate(&world->scratch, (size_t)total + 1, sizeof *all);
  if (status == FLOC_OK) status = world_agree(world, all ? FLOC_OK : FLOC_OUT_OF_MEMORY);
  if (status == FLOC_OK) status = ranks_gather(&cut->ranks, &world->env, own, all, bytes);
  if (status != FLOC_OK) return status;
  qsort(all, (size_t)total, sizeof *all, compare_touches);
  for (int32_t k = 0; k < world->obstacles.count; k++) {
    memset(world->obstacles.body[k].force, 0, sizeof world->obstacles.body[k].force);
    memset(world->obstacles.body[k].torque, 0, sizeof world->obstacles.body[k].torque);
  }
  for (int64_t n = 0; n < total; n++) {
    body *one = &world->obstacles.body[world->obstacles.world[all[n].shape].body];
    for (int k = 0; k < 3; k++) {
      one->force[k] -= all[n].force[k];
      one->torque[k] -= all[n].torque[k];
    }
  }
  return FLOC_OK;
}

floc_status world_make_whole(floc_world *world)
{
  world_cut *cut = &world->cut;
  if (!cut->is_cut) return FLOC_OK;
  if (cut->is_lost) return refuse_lost(world);
  const scheme *method = &world->method;
  const arena_mark before = arena_here(&world->scratch);
  int64_t contacts[2];
  method->over_ranks->count(method->state, contacts);
  const bool made_step = cut->made_step;
  floc_status status = method->over_ranks->join(method->state, &cut->ranks);
  status = world_agree(world, status);
  if (status == FLOC_OK && made_step) status = join_touches(world);
  if (status == FLOC_OK && made_step) status = join_reports(world, contacts);
  if (status == FLOC_OK) status = world_cut_gather(world);
  if (status == FLOC_OK && made_step)
    world->report.kinetic_energy = method->over_ranks->finish(method->state, &world->table, contacts);
  cut->made_step = false;
  cut->is_lost = cut->is_lost || status != FLOC_OK;
  arena_return(&world->scratch, before);
  return status;
}
