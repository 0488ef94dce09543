/*
 * Blocks of up to LAW_BLOCK pairs that are in range of a law, with their geometry as far as the law needs it.
 *
 * What pairs ask of particles lies particle by particle, not column by column (particle_state): a pair's particles
 * may be anywhere, and so one or two lines of the cache hold all of one. Blocks are columns, small enough to stay
 * in the first-level cache.
 *
 * In a law i is the particle of the smaller id, whatever the order of storage.
 *
 * The functions are inlined into loops that are compiled for several instruction sets and for 2 and 3 dimensions
 * (law_pairs.c); `dimension` is a constant there. No operation is fused, so the bits are the same.
 */
#ifndef FLOC_LAWS_LAW_PAIR_BLOCK_H
#define FLOC_LAWS_LAW_PAIR_BLOCK_H

#include "laws/laws_internal.h"
#include "laws/pairs/particle_rows.h"

#include <math.h>
#include <string.h>

typedef struct pair_block {
  int32_t count;
  int32_t i[LAW_BLOCK], j[LAW_BLOCK]; /* slots; i has the smaller id */
  int32_t entry[LAW_BLOCK];
  double distance[LAW_BLOCK] __attribute__((aligned(64)));
  double sum[LAW_BLOCK], difference[LAW_BLOCK]; /* of the radii; radius_i - radius_j */
  double unit[3][LAW_BLOCK];                    /* from i to j */
  double normal_velocity[LAW_BLOCK];
  double slip[3][LAW_BLOCK];
  double turn[3][LAW_BLOCK]; /* spins times moment arms; later what the tangential force does to both */
  double tangential_velocity[LAW_BLOCK];
  double arm[2][LAW_BLOCK]; /* of i and j */
} pair_block;

/* What a collection reads. */
typedef struct pair_source {
  const pair_list *pairs;
  const particle_state *state;
  particle_push *sum;           /* what pairs do to particles is added here later */
  const uint8_t *turned;        /* per entry: has the second particle the smaller id? */
  double length[3], inverse[3]; /* of periodic axes, 0 on others */
  const domain *moving;         /* a box whose images are shifted or move; NULL: they are not and do not */
  double range;
  bool many; /* more particles than the second-level cache holds */
} pair_source;

/* Many particles do not fit into the cache: asks for those that are wanted soon. */
HOT void fetch_ahead(const pair_source *from, int64_t entry, int64_t end)
{
  enum { AHEAD = 16, LINE = 64 };
  if (!from->many) return;
  const int32_t soon = from->pairs->second[entry + AHEAD < end ? entry + AHEAD : entry];
  const char *state = (const char *)&from->state[soon];
  __builtin_prefetch(state);
  __builtin_prefetch(state + LINE);
  __builtin_prefetch(&from->sum[soon], 1);
}

/* Which of the entry's particles are i and j. */
HOT void find_order(const pair_source *from, int64_t entry, int32_t *i, int32_t *j)
{
  int32_t a = from->pairs->first[entry], b = from->pairs->second[entry];
  bool turned = from->turned[entry];
  *i = turned ? b : a;
  *j = turned ? a : b;
}

/* The way from a to b in such a box, and what the image of b has of velocity besides b's own. */
__attribute__((noinline, unused)) static void
moving_image(const domain *box, const particle_state *a, const particle_state *b, double way[3], double velocity[3])
{
  for (int axis = 0; axis < 3; axis++) {
    way[axis] = b->position[axis] - a->position[axis];
    velocity[axis] = 0.0;
  }
  domain_nearest_motion(box, way, velocity);
}

/* Writes the pair behind the last one; it stays if it is in range: no unpredictable branch. */
HOT void collect_pair(const pair_source *from, int32_t i, int32_t j, int32_t entry, pair_block *pairs,
                      const int dimension)
{
  int32_t count = pairs->count;
  pairs->i[count] = i;
  pairs->j[count] = j;
  const particle_state *a = &from->state[i], *b = &from->state[j];
  double square = 0.0, moved[3], velocity[3];
  if (from->moving) moving_image(from->moving, a, b, moved, velocity);
  for (int axis = 0; axis < dimension; axis++) {
    double way = from->moving ? moved[axis]
                              : nearest_image(b->position[axis] - a->position[axis], from->length[axis],
                                              from->inverse[axis]);
    pairs->unit[axis][count] = way;
    square += way * way;
  }
  double sum = a->radius + b->radius, reach = from->range + sum;
  pairs->entry[count] = entry;
  pairs->distance[count] = square;
  pairs->sum[count] = sum;
  pairs->difference[count] = a->radius - b->radius;
  pairs->count += !(square > reach * reach);
}

HOT void collect_one(const pair_source *from, int64_t entry, pair_block *pairs, const int dimension)
{
  int32_t i, j;
  find_order(from, entry, &i, &j);
  collect_pair(from, i, j, (int32_t)entry, pairs, dimension);
}

/* Collects entries entry .. end - 1 that are in range, looking at LAW_BLOCK at the most; returns where it stopped.
 * Until find_geometry() `unit` is the way from i to j, and `distance` its square. */
HOT int64_t collect_pairs(const pair_source *from, int64_t entry, int64_t end, pair_block *pairs,
                          const int dimension)
{
  pairs->count = 0;
  if (end > entry + LAW_BLOCK) end = entry + LAW_BLOCK;
  for (; entry < end; entry++) {
    fetch_ahead(from, entry, end);
    collect_one(from, entry, pairs, dimension);
  }
  return entry;
}

/* Coincident centres: any direction, the same every time. */
HOT void find_directions(pair_block *pairs, const int dimension)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    double distance = sqrt(pairs->distance[k]), alone = distance > 0.0 ? 0.0 : 1.0;
    double inverse = 1.0 / (distance + alone);
    pairs->distance[k] = distance;
    pairs->unit[0][k] = pairs->unit[0][k] * inverse + alone;
    for (int axis = 1; axis < dimension; axis++) pairs->unit[axis][k] *= inverse;
  }
}

/* Velocities of j against i, into slip; the part along the normal. */
HOT void find_velocities(const pair_source *from, pair_block *pairs, const int dimension)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    const particle_state *a = &from->state[pairs->i[k]], *b = &from->state[pairs->j[k]];
    for (int axis = 0; axis < dimension; axis++) pairs->slip[axis][k] = b->velocity[axis] - a->velocity[axis];
    if (!from->moving) continue;
    double way[3], velocity[3];
    moving_image(from->moving, a, b, way, velocity);
    for (int axis = 0; axis < dimension; axis++) pairs->slip[axis][k] += velocity[axis];
  }
  for (int32_t k = 0; k < pairs->count; k++) {
    double along = 0.0;
    for (int axis = 0; axis < dimension; axis++) along += pairs->unit[axis][k] * pairs->slip[axis][k];
    pairs->normal_velocity[k] = along;
  }
}

/* Distances of the centres from the plane in which the spheres cut each other. */
HOT void find_arms(pair_block *pairs)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    double distance = pairs->distance[k] > 0.0 ? pairs->distance[k] : 1e-100 * pairs->sum[k];
    double arm = 0.5 * (distance + pairs->difference[k] * pairs->sum[k] / distance);
    pairs->arm[0][k] = arm;
    pairs->arm[1][k] = distance - arm;
  }
}

/* In the plane only the spin about z is there. */
HOT void find_turns(const pair_source *from, pair_block *pairs, const int dimension)
{
  for (int32_t k = 0; k < pairs->count; k++) {
    const particle_state *a = &from->state[pairs->i[k]], *b = &from->state[pairs->j[k]];
    double arm_a = pairs->arm[0][k], arm_b = pairs->arm[1][k];
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++)
      pairs->turn[axis][k] = arm_a * a->spin[axis] + arm_b * b->spin[axis];
  }
}

/* Takes the normal part off the relative velocity, and what the spins do: turn x n. */
HOT void find_slip(const pair_source *from, pair_block *pairs, const int dimension)
{
  find_arms(pairs);
  find_turns(from, pairs, dimension);
  for (int32_t k = 0; k < pairs->count; k++) {
    double along = pairs->normal_velocity[k], nx = pairs->unit[0][k], ny = pairs->unit[1][k],
           tz = pairs->turn[2][k];
    if (dimension == 2) {
      pairs->slip[0][k] = pairs->slip[0][k] + tz * ny - along * nx;
      pairs->slip[1][k] = pairs->slip[1][k] - tz * nx - along * ny;
    } else {
      double nz = pairs->unit[2][k], tx = pairs->turn[0][k], ty = pairs->turn[1][k];
      pairs->slip[0][k] = pairs->slip[0][k] - (ty * nz - tz * ny) - along * nx;
      pairs->slip[1][k] = pairs->slip[1][k] - (tz * nx - tx * nz) - along * ny;
      pairs->slip[2][k] = pairs->slip[2][k] - (tx * ny - ty * nx) - along * nz;
    }
  }
}

/* Signed in the plane, counterclockwise about i. */
HOT void find_speed(pair_block *pairs, const int dimension)
{
  double(*slip)[LAW_BLOCK] = pairs->slip;
  for (int32_t k = 0; k < pairs->count; k++)
    pairs->tangential_velocity[k] =
        dimension == 2 ? pairs->unit[0][k] * slip[1][k] - pairs->unit[1][k] * slip[0][k]
                       : sqrt(slip[0][k] * slip[0][k] + slip[1][k] * slip[1][k] + slip[2][k] * slip[2][k]);
}

HOT void find_geometry(const pair_source *from, const law *which, pair_block *pairs, const int dimension)
{
  find_directions(pairs, dimension);
  if (which->needs_velocity) find_velocities(from, pairs, dimension);
  if (which->needs_slip) find_slip(from, pairs, dimension);
  if (which->needs_speed) find_speed(pairs, dimension);
}

/* ---- what pairs do ---- */

/* Where a pair's force and torque go: the sum of a particle of the block, or what is put down for one of a later
 * block. */
typedef struct push_places {
  particle_push *sum, *foreign;
  uint8_t *acted;
  int64_t end; /* of the block */
} push_places;

/* The sum of a particle of the block, or what is put down for one of a later block. */
HOT particle_push *push_of(const push_places *to, int32_t slot, int32_t entry)
{
  if (slot < to->end) return &to->sum[slot];
  particle_push *push = &to->foreign[entry];
  if (!to->acted[entry]) memset(push, 0, sizeof *push);
  to->acted[entry] = 1;
  return push;
}

#endif
