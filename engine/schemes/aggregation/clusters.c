/*
 * Members, clusters and their exchange with the particle table. See aggregation/clusters.h; the grid is in
 * aggregation/grid.c.
 */
#include "schemes/aggregation/clusters.h"

#include "base/hash.h"
#include "particles/owned.h"
#include "schemes/aggregation/grid.h"
#include "schemes/aggregation/turning.h"

#include <math.h>
#include <string.h>

static const particle_column POSITION[3] = {COLUMN_x, COLUMN_y, COLUMN_z};
static const particle_column VELOCITY[3] = {COLUMN_vx, COLUMN_vy, COLUMN_vz};

_Static_assert(sizeof(cluster_member) == 64 && sizeof(cluster_motion) == 64 && sizeof(cluster_body) == 64,
               "each fills a cache line");

void cluster_set_init(cluster_set *set, environment *env, int32_t dimension)
{
  *set = (cluster_set){.env = env, .dimension = dimension};
  arena_init(&set->memory, env);
}

void cluster_set_free(cluster_set *set)
{
  arena_free(&set->memory);
  array_free(set->env, (void **)&set->found, &set->found_capacity, sizeof *set->found);
  set->count = 0;
}

/* ---- motion ---- */

void cluster_advance(cluster_motion *motion, double now)
{
  double elapsed = now - motion->time;
  motion->travelled += cluster_speed(motion) * elapsed;
  for (int axis = 0; axis < 3; axis++) motion->offset[axis] += motion->velocity[axis] * elapsed;
  motion->time = now;
}

void cluster_settle(cluster_set *set, int32_t number, double now)
{
  if (set->turning) cluster_turning_apply(set, number, now);
  cluster_advance(&set->motion[number], now);
}

/* On periodic axes a cluster that flies on and on would lose digits: its members' places are counted
 * again from within the box. */
static void rebase(cluster_set *set, int32_t number, int axis)
{
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double *base = &set->member[k].base[axis];
    *base = domain_wrap(&set->box, axis, *base + set->motion[number].offset[axis]);
  }
  set->motion[number].offset[axis] = 0.0;
}

/* The same for a cluster whose members know their images: its frame moves by whole periods only. */
static void rebase_images(cluster_set *set, int32_t number, int axis)
{
  double *offset = &set->motion[number].offset[axis], length = set->box.length[axis];
  *offset = domain_wrap(&set->box, axis, *offset);
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    double place = set->member[k].base[axis] + *offset, inside = domain_wrap(&set->box, axis, place);
    if (inside == place) continue;
    set->member[k].base[axis] = inside - *offset;
    set->image[k][axis] += (int32_t)lround((place - inside) / length);
  }
}

void cluster_restart(cluster_set *set, int32_t number, double now)
{
  cluster_settle(set, number, now);
  set->motion[number].travelled = 0.0;
  for (int axis = 0; axis < set->dimension; axis++)
    if (set->box.boundary[axis] == FLOC_BOUNDARY_PERIODIC) (set->image ? rebase_images : rebase)(set, number, axis);
}

void cluster_find_box(cluster_set *set, int32_t number)
{
  cluster_body *body = &set->body[number];
  for (int axis = 0; axis < set->dimension; axis++) {
    body->lower[axis] = INFINITY;
    body->upper[axis] = -INFINITY;
  }
  for (int32_t k = body->first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    const cluster_member *member = &set->member[k];
    for (int axis = 0; axis < set->dimension; axis++) {
      body->lower[axis] = fmin(body->lower[axis], member->base[axis] - member->radius);
      body->upper[axis] = fmax(body->upper[axis], member->base[axis] + member->radius);
    }
  }
}

double cluster_set_energy(const cluster_set *set)
{
  double energy = 0.0;
  for (int64_t k = 0; k < set->count; k++) {
    if (set->body[k].count == 0) continue;
    double v[3];
    for (int axis = 0; axis < 3; axis++) v[axis] = set->motion[k].velocity[axis] + set->frame_velocity[axis];
    energy += 0.5 * set->body[k].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return energy;
}

/* ---- merging ---- */

int32_t cluster_larger(const cluster_set *set, int32_t a, int32_t b)
{
  int32_t count_a = set->body[a].count, count_b = set->body[b].count;
  if (count_a != count_b) return count_a > count_b ? a : b;
  return a < b ? a : b;
}

static int32_t rename_members(cluster_set *set, int32_t kept, int32_t absorbed, const double shift[3])
{
  int32_t last = NO_MEMBER;
  for (int32_t k = set->body[absorbed].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    cluster_member *member = &set->member[k];
    for (int axis = 0; axis < 3; axis++) member->base[axis] += shift[axis];
    member->cluster = kept;
    if (member->cell >= 0 && set->cell[member->cell].owner == absorbed) set->cell[member->cell].owner = kept;
    last = k;
  }
  set->member[last].next_in_cluster = set->body[kept].first;
  set->body[kept].first = set->body[absorbed].first;
  return last;
}

int32_t cluster_absorb(cluster_set *set, int32_t kept, int32_t absorbed, double mean[3])
{
  cluster_body *large = &set->body[kept], *small = &set->body[absorbed];
  const cluster_motion *motion = &set->motion[kept], *other = &set->motion[absorbed];
  double mass = large->mass + small->mass, shift[3];
  for (int axis = 0; axis < 3; axis++) {
    mean[axis] = (large->mass * motion->velocity[axis] + small->mass * other->velocity[axis]) / mass;
    shift[axis] = other->offset[axis] - motion->offset[axis];
    large->lower[axis] = fmin(large->lower[axis], small->lower[axis] + shift[axis]);
    large->upper[axis] = fmax(large->upper[axis], small->upper[axis] + shift[axis]);
  }
  int32_t last = rename_members(set, kept, absorbed, shift);
  large->mass = mass;
  large->count += small->count;
  small->count = 0;
  small->first = NO_MEMBER;
  set->alive--;
  return last;
}

/* ---- exchange with the particle table ---- */

floc_status cluster_set_reserve(cluster_set *set, int64_t number)
{
  size_t count = (size_t)number;
  arena_reset(&set->memory);
  set->cell_capacity = 0;
  set->member = arena_allocate(&set->memory, count, sizeof *set->member);
  set->slot = arena_allocate(&set->memory, count, sizeof *set->slot);
  set->motion = arena_allocate(&set->memory, count, sizeof *set->motion);
  set->body = arena_allocate(&set->memory, count, sizeof *set->body);
  return set->member && set->slot && set->motion && set->body ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static floc_status check_walls(cluster_set *set, const particles *table)
{
  const domain *box = &set->box;
  for (int axis = 0; axis < set->dimension; axis++) {
    if (box->boundary[axis] != FLOC_BOUNDARY_WALL) continue;
    EACH_SLOT(slot, table) {
      double x = table->column[POSITION[axis]][slot], radius = table->column[COLUMN_radius][slot];
      double beyond = fmax(box->lower[axis] - (x - radius), x + radius - box->upper[axis]);
      if (beyond > 1e-9 * radius) {
        return refuse(set->env, FLOC_ESCAPED,
                      "particle %lld extends %g beyond a wall of axis %d; particles must lie within the walls",
                      (long long)table->id[slot], beyond, axis);
      }
    }
  }
  return FLOC_OK;
}

static void take_member(cluster_set *set, int32_t k, const particles *table, int32_t slot, double now)
{
  double radius = table->column[COLUMN_radius][slot], mass = table->column[COLUMN_mass][slot];
  cluster_member *member = &set->member[k];
  cluster_motion *motion = &set->motion[k];
  cluster_body *body = &set->body[k];
  *member = (cluster_member){.radius = radius,
                             .mass = mass,
                             .cluster = k,
                             .cell = -1,
                             .next_in_cell = NO_MEMBER,
                             .previous_in_cell = NO_MEMBER,
                             .next_in_cluster = NO_MEMBER};
  set->slot[k] = slot;
  *motion = (cluster_motion){.time = now};
  *body = (cluster_body){.mass = mass, .count = 1, .first = k};
  for (int axis = 0; axis < set->dimension; axis++) {
    member->base[axis] = domain_wrap(&set->box, axis, table->column[POSITION[axis]][slot]);
    body->lower[axis] = member->base[axis] - radius;
    body->upper[axis] = member->base[axis] + radius;
    motion->velocity[axis] = table->column[VELOCITY[axis]][slot];
  }
}

void cluster_set_take_radii(cluster_set *set)
{
  set->greatest_radius = 0.0;
  set->smallest_radius = INFINITY;
  for (int64_t k = 0; k < set->count; k++) {
    set->greatest_radius = fmax(set->greatest_radius, set->member[k].radius);
    set->smallest_radius = fmin(set->smallest_radius, set->member[k].radius);
  }
}

/* The grid needs the greatest radius, and the members' order needs the grid. */
static double greatest_radius(const particles *table)
{
  double greatest = 0.0;
  EACH_SLOT(slot, table) greatest = fmax(greatest, table->column[COLUMN_radius][slot]);
  return greatest;
}

floc_status cluster_set_build(cluster_set *set, const particles *table, const domain *box, double skin, double now)
{
  set->box = *box;
  set->count = set->alive = 0;
  if (table->count == 0) return FLOC_OK;
  floc_status status = check_walls(set, table);
  if (status == FLOC_OK) status = cluster_set_reserve(set, table->count);
  if (status != FLOC_OK) return status;
  set->greatest_radius = greatest_radius(table);
  int32_t *order = memory_resize(set->env, NULL, 0, (size_t)table->count * sizeof *order);
  if (!order)
    return refuse(set->env, FLOC_OUT_OF_MEMORY, "out of memory: the order of %lld particles",
                  (long long)table->count);
  status = cluster_grid_prepare(set, table, skin);
  if (status == FLOC_OK) status = cluster_grid_order(set, table, order);
  if (status == FLOC_OK) {
    set->count = set->alive = table->count;
    for (int32_t k = 0; k < (int32_t)set->count; k++) take_member(set, k, table, order[k], now);
    cluster_set_take_radii(set);
  }
  memory_free(set->env, order, (size_t)table->count * sizeof *order);
  return status;
}

/* ---- what the table holds ---- */

static uint64_t hash_table(const cluster_set *set, const particles *table)
{
  size_t count = (size_t)table->count;
  uint64_t hash = (uint64_t)table->count;
  for (int axis = 0; axis < set->dimension; axis++) {
    hash = hash_numbers(hash, table->column[POSITION[axis]], count, sizeof(double));
    hash = hash_numbers(hash, table->column[VELOCITY[axis]], count, sizeof(double));
  }
  for (int axis = 0; axis < 3; axis++) {
    const double *spin = set->spin ? particles_optional(table, OPTIONAL_wx + axis) : NULL;
    if (spin) hash = hash_numbers(hash, spin, count, sizeof(double));
  }
  hash = hash_numbers(hash, table->column[COLUMN_radius], count, sizeof(double));
  return hash_numbers(hash, table->column[COLUMN_mass], count, sizeof(double));
}

/* The hash of a column as it was before its elements were moved to new_slot. */
static uint64_t hash_before(uint64_t hash, const double *column, const int32_t *new_slot, int64_t count,
                            double *gathered)
{
  for (int64_t k = 0; k < count; k++) gathered[k] = column[new_slot[k]];
  return hash_numbers(hash, gathered, (size_t)count, sizeof *gathered);
}

static floc_status rename_slots(cluster_set *set, const particles *table, const int32_t *new_slot)
{
  int64_t count = table->count;
  size_t bytes = (size_t)count * sizeof(double);
  double *gathered = memory_resize(set->env, NULL, 0, bytes);
  if (!gathered) return refuse(set->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  uint64_t hash = (uint64_t)count;
  for (int axis = 0; axis < set->dimension; axis++) {
    hash = hash_before(hash, table->column[POSITION[axis]], new_slot, count, gathered);
    hash = hash_before(hash, table->column[VELOCITY[axis]], new_slot, count, gathered);
  }
  for (int axis = 0; axis < 3; axis++) {
    const double *spin = set->spin ? particles_optional(table, OPTIONAL_wx + axis) : NULL;
    if (spin) hash = hash_before(hash, spin, new_slot, count, gathered);
  }
  hash = hash_before(hash, table->column[COLUMN_radius], new_slot, count, gathered);
  hash = hash_before(hash, table->column[COLUMN_mass], new_slot, count, gathered);
  memory_free(set->env, gathered, bytes);
  for (int64_t k = 0; k < set->count; k++) set->slot[k] = new_slot[set->slot[k]];
  if (hash == set->written) set->written = hash_table(set, table); /* else: edited before, and seen as such */
  return FLOC_OK;
}

floc_status cluster_set_permute(cluster_set *set, particle_links *links, const particles *table,
                                const int32_t *order)
{
  size_t bytes = (size_t)table->count * sizeof(int32_t);
  if (bytes == 0) return FLOC_OK;
  int32_t *new_slot = memory_resize(set->env, NULL, 0, bytes);
  if (!new_slot) return refuse(set->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  EACH_SLOT(k, table) new_slot[order[k]] = (int32_t)k;
  floc_status status = rename_slots(set, table, new_slot);
  if (status == FLOC_OK) particle_links_permute(links, new_slot);
  memory_free(set->env, new_slot, bytes);
  return status;
}

void cluster_set_note(cluster_set *set, const particles *table)
{
  set->written = hash_table(set, table);
}

bool cluster_set_match(const cluster_set *set, const particles *table)
{
  return set->count == table->count && set->written == hash_table(set, table);
}

static inline void write_members(const cluster_set *set, particles *table, double now, const int32_t dimension)
{
  double *x[3], *v[3];
  for (int axis = 0; axis < dimension; axis++) {
    x[axis] = table->column[POSITION[axis]];
    v[axis] = table->column[VELOCITY[axis]];
  }
  for (int64_t k = 0; k < set->count; k++) {
    const cluster_member *member = &set->member[k];
    const cluster_motion *motion = &set->motion[member->cluster];
    double elapsed = now - motion->time;
    int32_t slot = set->slot[k];
    for (int axis = 0; axis < dimension; axis++) {
      double place = member->base[axis] + (motion->offset[axis] + motion->velocity[axis] * elapsed);
      x[axis][slot] = domain_wrap(&set->box, axis, place);
      v[axis][slot] = motion->velocity[axis];
    }
  }
}

/* What was written is counted in the frame that falls. */
static void write_fall(const cluster_set *set, particles *table)
{
  for (int axis = 0; axis < set->dimension; axis++) {
    double *x = table->column[POSITION[axis]], *v = table->column[VELOCITY[axis]];
    for (int64_t slot = 0; slot < set->count; slot++) {
      x[slot] = domain_wrap(&set->box, axis, x[slot] + set->frame_place[axis]);
      v[slot] += set->frame_velocity[axis];
    }
  }
}

void cluster_set_write(cluster_set *set, particles *table, double now)
{
  if (set->dimension == 2)
    write_members(set, table, now, 2);
  else
    write_members(set, table, now, 3);
  if (set->frame_falls) write_fall(set, table);
  cluster_set_note(set, table);
}
