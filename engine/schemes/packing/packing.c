/*
 * Dense packings: what is tried, and when it is given up. See packing.h.
 */
#include "schemes/packing/packing.h"

#include "base/arena.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"
#include "particles/radii.h"
#include "particles/region.h"
#include "schemes/packing/relax.h"

#include <inttypes.h>
#include <math.h>

static const double MARGIN = 2e-4;    /* of a radius */
static const double ROUNDING = 1e-12; /* likewise: of what MARGIN leaves */
static const double EXCESS = 0.1;     /* of a radius: over-compression */
static const double HOPELESS = 0.97;  /* a first minimum whose balls must shrink by more is too full by far */
enum {
  EXCESS_ITERATIONS = 100,
  ITERATIONS = 1000, /* of an attempt */
  ATTEMPTS = 30,
  EDGE_ATTEMPTS = 8,
  IN_VAIN = 6, /* attempts in a row that were no better than one before */
  HALVINGS = 6 /* for the greatest fraction there is */
};

/* ---- set up ---- */

static floc_status make_space(soft_balls *all, arena *scratch, int64_t count)
{
  const size_t n = (size_t)count;
  const size_t blocks = (size_t)parallel_block_count(count, SOFT_BLOCK);
  all->base = arena_allocate(scratch, n, sizeof *all->base);
  all->reach = arena_allocate(scratch, n, sizeof *all->reach);
  all->order = arena_allocate(scratch, n, sizeof *all->order);
  all->partial = arena_allocate(scratch, blocks * SOFT_PARTS, sizeof *all->partial);
  return all->base && all->reach && all->order && all->partial ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Larger ones have more contacts. */
static double soft_mass(double radius, double mean, int32_t dimension)
{
  double ratio = radius / mean;
  return ratio <= 1.0 ? 1.0 : dimension == 2 ? ratio : ratio * ratio;
}

static floc_status copy_in(soft_balls *all, const particles *from)
{
  const double mean = particles_mean_radius(from);
  for (int64_t i = 0; i < from->count; i++) {
    floc_status status = particles_append(&all->table, NULL);
    if (status != FLOC_OK) return status;
    double radius = from->column[COLUMN_radius][i];
    for (int axis = 0; axis < 3; axis++) all->table.column[COLUMN_x + axis][i] = from->column[COLUMN_x + axis][i];
    all->table.column[COLUMN_mass][i] = soft_mass(radius, mean, all->box->dimension);
    all->base[i] = radius + 0.5 * all->options->clearance;
    all->reach[i] = 0.0;
  }
  return FLOC_OK;
}

static void copy_out(const soft_balls *all, particles *to)
{
  EACH_SLOT(i, &all->table) {
    const int64_t id = all->table.id[i];
    for (int axis = 0; axis < all->box->dimension && id > all->fixed; axis++)
      to->column[COLUMN_x + axis][id - 1] = all->table.column[COLUMN_x + axis][i];
  }
}

/* ---- attempts ---- */

static double fraction_of(const soft_balls *all, const particles *table)
{
  double sum = 0.0;
  EACH_SLOT_FROM(all->fixed, i, table) sum += sphere_volume(table->column[COLUMN_radius][i], all->box->dimension);
  return sum / all->volume;
}

/* With all radii multiplied by `factor`. *free: by how much they could be for no overlap in what was found. */
static floc_status attempt(soft_balls *all, double factor, double *free)
{
  const double scale = (1.0 + MARGIN) * factor, allowed = 1.0 - 1.0 / (1.0 + MARGIN) - ROUNDING;
  soft_balls_scale(all, scale * (1.0 + EXCESS));
  floc_status status = soft_balls_relax(all, 0.0, EXCESS_ITERATIONS);
  if (status != FLOC_OK) return status;
  soft_balls_scale(all, scale);
  status = soft_balls_relax(all, allowed, ITERATIONS);
  *free = all->deepest <= allowed ? factor : (1.0 - all->deepest) * scale;
  return status;
}

/* *best: the greatest factor without overlap; 1: found, and all->table has it. */
static floc_status find_packing(soft_balls *all, double *best)
{
  int32_t in_vain = 0;
  *best = 0.0;
  for (int32_t k = 0; k < ATTEMPTS && in_vain < IN_VAIN; k++) {
    double free;
    floc_status status = attempt(all, 1.0, &free);
    if (status != FLOC_OK) return status;
    in_vain = free > *best ? 0 : in_vain + 1;
    *best = fmax(*best, free);
    if (*best == 1.0 || *best < HOPELESS) return FLOC_OK;
  }
  return FLOC_OK;
}

/* Between what was reached and 1, where all jams. */
static floc_status find_greatest(soft_balls *all, double *best)
{
  double jammed = 1.0;
  for (int32_t k = 0; k < HALVINGS; k++) {
    const double factor = 0.5 * (*best + jammed);
    double free;
    floc_status status = attempt(all, factor, &free);
    if (status != FLOC_OK) return status;
    if (free < factor) jammed = factor;
    *best = fmax(*best, free);
  }
  return FLOC_OK;
}

static floc_status refuse_fraction(const soft_balls *all, const particles *table, double best)
{
  const bool flat = all->box->dimension == 2;
  const double wanted = fraction_of(all, table), reached = wanted * floc_pow(best, all->box->dimension);
  return refuse(all->env, FLOC_NO_ROOM,
                "%" PRId64
                " %s were to fill %.4f of the region's %s; the greatest fraction that was reached without "
                "overlap is %.4f. Disordered packings %s; give a larger region, fewer or smaller particles",
                table->count - all->fixed, flat ? "discs" : "spheres", wanted, flat ? "area" : "volume", reached,
                flat ? "of discs of two sizes end near 0.842, equal discs crystallise"
                     : "of equal spheres end near 0.64, walls take some of it");
}

static floc_status search(soft_balls *all, const particles *table)
{
  double best;
  floc_status status = find_packing(all, &best);
  if (status != FLOC_OK || best == 1.0) return status;
  status = find_greatest(all, &best);
  return status == FLOC_OK ? refuse_fraction(all, table, best) : status;
}

/* ---- regions of functions ---- */

/* How far the particle that sticks out the most must go inwards to be where the function allows it. */
static floc_status find_outside(const soft_balls *all, const particles *table, double *farthest)
{
  const region_field *edge = all->edge;
  const double limit =
      4.0 * fmax(edge->spacing[0], fmax(edge->spacing[1], edge->dimension == 3 ? edge->spacing[2] : 0.0));
  *farthest = 0.0;
  EACH_SLOT(i, &all->table) {
    const int64_t id = all->table.id[i];
    if (id <= all->fixed) continue;
    double position[3], inward[3], moved[3] = {0.0, 0.0, 0.0}, radius = table->column[COLUMN_radius][id - 1];
    for (int axis = 0; axis < 3; axis++) position[axis] = all->table.column[COLUMN_x + axis][i];
    bool allowed;
    floc_status status = region_allows(all->env, all->options, position, radius, &allowed);
    region_field_depth(edge, position, radius, inward);
    double way = 1e-3 * limit;
    for (; status == FLOC_OK && !allowed && way < limit; way *= 1.5) {
      for (int axis = 0; axis < edge->dimension; axis++) moved[axis] = position[axis] + way * inward[axis];
      status = region_allows(all->env, all->options, moved, radius, &allowed);
      *farthest = fmax(*farthest, way);
    }
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* Where the edge bends, the field is off by a small part of its spacing: then all of it moves inwards by so much.
 */
static floc_status search_in_field(soft_balls *all, const particles *table, region_field *edge)
{
  for (int32_t k = 0; k < EDGE_ATTEMPTS; k++) {
    double farthest;
    floc_status status = search(all, table);
    if (status == FLOC_OK) status = find_outside(all, table, &farthest);
    if (status != FLOC_OK || farthest == 0.0) return status;
    edge->shift += farthest;
  }
  return refuse(
      all->env, FLOC_NO_ROOM,
      "the region that a function describes has an edge too intricate for a dense packing of particles of "
      "this size");
}

static floc_status fill_region(soft_balls *all, const particles *table)
{
  all->volume = region_volume(all->options, all->box->dimension);
  if (all->options->region_kind != FLOC_REGION_FUNCTION) return search(all, table);
  double least = INFINITY, greatest = 0.0;
  EACH_SLOT_FROM(all->fixed, i, table) {
    least = fmin(least, table->column[COLUMN_radius][i]);
    greatest = fmax(greatest, table->column[COLUMN_radius][i]);
  }
  region_field edge = {0};
  floc_status status = region_measure(all->env, all->options, all->box->dimension, &all->volume);
  if (status == FLOC_OK)
    status = region_field_create(all->env, all->options, all->box->dimension, least, greatest, &edge);
  all->edge = &edge;
  if (status == FLOC_OK) status = search_in_field(all, table, &edge);
  all->edge = NULL;
  region_field_free(&edge);
  return status;
}

floc_status packing_run(environment *env, particles *table, int64_t first, const bodies *obstacles,
                        const domain *box, const floc_insertion_options *options)
{
  arena scratch;
  soft_balls all = {.env = env, .obstacles = obstacles, .box = box, .options = options, .fixed = first};
  for (int axis = 0; axis < 3; axis++) all.walled[axis] = !region_spans(options, box, axis);
  arena_init(&scratch, env);
  particles_init(&all.table, env);
  floc_status status = neighbors_create(env, box->dimension, &all.near);
  if (status == FLOC_OK) status = make_space(&all, &scratch, table->count);
  if (status == FLOC_OK) status = particles_reserve(&all.table, table->count);
  if (status == FLOC_OK) status = copy_in(&all, table);
  if (status == FLOC_OK) status = fill_region(&all, table);
  if (status == FLOC_OK) copy_out(&all, table);
  neighbors_destroy(all.near);
  particles_free(&all.table);
  arena_free(&scratch);
  return status;
}
