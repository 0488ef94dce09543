/*
 * Forces between soft balls. See relax.h.
 */
#include "schemes/packing/relax.h"

#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>

typedef struct pushes {
  double force[3], load, deepest;
} pushes;

/* direction: of unit length; grown: the radii of the contact that the scale makes. */
static void add_push(pushes *sum, double overlap, double grown, const double direction[3])
{
  for (int axis = 0; axis < 3; axis++) sum->force[axis] += overlap * direction[axis];
  sum->load += overlap;
  sum->deepest = fmax(sum->deepest, overlap / grown);
}

static inline void push_by_pair(const soft_balls *all, int64_t i, int64_t j, const int dimension, pushes *sum)
{
  double *const *column = all->table.column;
  double apart[3] = {0.0, 0.0, 0.0}, square = 0.0;
  double contact = column[COLUMN_radius][i] + column[COLUMN_radius][j];
  for (int axis = 0; axis < dimension; axis++)
    apart[axis] = column[COLUMN_x + axis][i] - column[COLUMN_x + axis][j];
  domain_nearest(all->box, apart);
  for (int axis = 0; axis < dimension; axis++) square += apart[axis] * apart[axis];
  if (!(square < contact * contact)) return;
  double distance = sqrt(square);
  if (distance > 0.0) {
    for (int axis = 0; axis < dimension; axis++) apart[axis] /= distance;
  } else {
    apart[0] = all->table.id[i] < all->table.id[j] ? -1.0 : 1.0;
  }
  bool both = all->table.id[j] > all->fixed;
  add_push(sum, contact - distance, both ? contact : column[COLUMN_radius][i], apart);
}

static void push_by_ball_region(const soft_balls *all, int64_t i, const int dimension, double radius, pushes *sum)
{
  double inward[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int axis = 0; axis < dimension; axis++) {
    inward[axis] = all->options->region_center[axis] - all->table.column[COLUMN_x + axis][i];
    square += inward[axis] * inward[axis];
  }
  double distance = sqrt(square), overlap = distance + radius - all->options->region_radius;
  if (!(overlap > 0.0 && distance > 0.0)) return;
  for (int axis = 0; axis < dimension; axis++) inward[axis] /= distance;
  add_push(sum, overlap, all->table.column[COLUMN_radius][i], inward);
}

static void push_by_field(const soft_balls *all, int64_t i, double radius, pushes *sum)
{
  double *const *column = all->table.column;
  const double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
  double inward[3];
  const double depth = region_field_depth(all->edge, position, radius, inward);
  if (depth < 0.0) add_push(sum, -depth, column[COLUMN_radius][i], inward);
}

/* Particles lie wholly inside; the clearance is to others only. */
static void push_by_region(const soft_balls *all, int64_t i, const int dimension, pushes *sum)
{
  double contact = all->table.column[COLUMN_radius][i], radius = contact - 0.5 * all->options->clearance;
  if (all->options->region_kind == FLOC_REGION_BALL) {
    push_by_ball_region(all, i, dimension, radius, sum);
    return;
  }
  if (all->edge) push_by_field(all, i, radius, sum);
  for (int axis = 0; axis < dimension; axis++) {
    double position = all->table.column[COLUMN_x + axis][i], inward[3] = {0.0, 0.0, 0.0};
    double below = all->options->region_lower[axis] + radius - position;
    double above = position + radius - all->options->region_upper[axis];
    if (!all->walled[axis]) continue;
    inward[axis] = below > above ? 1.0 : -1.0;
    if (fmax(below, above) > 0.0) add_push(sum, fmax(below, above), contact, inward);
  }
}

static void push_by_bodies(const soft_balls *all, int64_t i, const int dimension, pushes *sum)
{
  const pair_list *walls = neighbors_walls(all->near);
  double *const *column = all->table.column;
  double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
  double contact = column[COLUMN_radius][i], radius = contact + 0.5 * all->options->clearance;
  for (int64_t k = walls->start[i]; k < walls->start[i + 1]; k++) {
    double normal[3], nearest[3];
    double distance =
        shape_distance(&all->obstacles->world[walls->second[k]], dimension, position, normal, nearest);
    if (!(distance < radius)) continue;
    for (int axis = 0; axis < 3; axis++) normal[axis] = -normal[axis];
    add_push(sum, radius - distance, contact, normal);
  }
}

static inline pushes pushes_on(const soft_balls *all, int64_t i, const int dimension)
{
  const pair_list *pairs = neighbors_pairs(all->near);
  pushes sum = {{0.0, 0.0, 0.0}, 0.0, 0.0};
  if (all->table.id[i] <= all->fixed) return sum;
  for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++)
    push_by_pair(all, i, pairs->second[k], dimension, &sum);
  for (int64_t k = pairs->incoming_start[i]; k < pairs->incoming_start[i + 1]; k++)
    push_by_pair(all, i, pairs->first[pairs->incoming[k]], dimension, &sum);
  push_by_region(all, i, dimension, &sum);
  push_by_bodies(all, i, dimension, &sum);
  return sum;
}

static inline void push_row(const soft_balls *all, int64_t begin, int64_t end, double *partial, const int dimension)
{
  double *const *column = all->table.column;
  for (int part = 0; part < SOFT_PARTS; part++) partial[part] = 0.0;
  for (int64_t i = begin; i < end; i++) {
    pushes sum = pushes_on(all, i, dimension);
    for (int axis = 0; axis < dimension; axis++) {
      double force = sum.force[axis], velocity = column[COLUMN_vx + axis][i];
      column[COLUMN_fx + axis][i] = force;
      partial[0] += force * velocity;
      partial[1] += force * force;
      partial[2] += velocity * velocity;
    }
    partial[3] += sum.load;
    partial[4] = fmax(partial[4], sum.deepest);
  }
}

static void push_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const soft_balls *all = context;
  double *partial = all->partial + SOFT_PARTS * block;
  if (all->box->dimension == 2)
    push_row(all, begin, end, partial, 2);
  else
    push_row(all, begin, end, partial, 3);
}

floc_status soft_balls_find_forces(soft_balls *all)
{
  bool rebuilt;
  floc_status status = neighbors_update(all->near, &all->table, all->obstacles, all->box, all->reach,
                                        all->options->clearance, &rebuilt);
  if (status != FLOC_OK) return status;
  slots_for(all->env, &all->table, SOFT_BLOCK, push_block, all);
  all->power = all->force_square = all->speed_square = all->load = all->deepest = 0.0;
  const int64_t blocks = parallel_block_count(all->table.count, SOFT_BLOCK);
  for (int64_t block = 0; block < blocks; block++) {
    const double *partial = all->partial + SOFT_PARTS * block;
    all->power += partial[0];
    all->force_square += partial[1];
    all->speed_square += partial[2];
    all->load += partial[3];
    all->deepest = fmax(all->deepest, partial[4]);
  }
  return FLOC_OK;
}
