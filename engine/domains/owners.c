/*
 * The map from space to owners. See owners.h.
 */
#include "domains/owners.h"

#include <math.h>

void owners_free(environment *env, owner_map *map)
{
  array_free(env, (void **)&map->begin, &map->capacity, sizeof *map->begin);
}

floc_status owners_make(environment *env, arena *scratch, const particles *table, const domain *box, int64_t target,
                        int32_t ranks, int32_t turn, owner_map *map)
{
  patch_set patches;
  const int64_t fair = table->count / ((int64_t)OWNERS_WANTED_PATCHES * ranks) + 1;
  target = target > 0 && target < fair ? target : fair < PATCH_PARTICLES ? fair : PATCH_PARTICLES;
  const arena_mark before = arena_here(scratch);
  floc_status status = patches_find(env, scratch, table, box, target, &patches);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&map->begin, &map->capacity, (size_t)ranks, sizeof *map->begin);
  if (status != FLOC_OK) return status;
  map->ranks = ranks;
  map->turn = turn;
  map->is_alone = patches.count == 1;
  if (!map->is_alone) {
    map->lattice = patches.lattice;
    int32_t patch = 0;
    int64_t before_patch = 0;
    for (int32_t piece = 0; piece < ranks; piece++) {
      const int64_t wanted = table->count / ranks * piece;
      while (patch < patches.count && before_patch < wanted) before_patch += patches.weight[patch++];
      map->begin[piece] = piece == 0              ? 0
                          : patch < patches.count ? brick_along_curve(&map->lattice, patches.brick[patch])
                                                  : UINT64_MAX;
    }
  }
  arena_return(scratch, before);
  return FLOC_OK;
}

static int32_t owner_of_brick(const owner_map *map, uint64_t brick)
{
  const uint64_t along = brick_along_curve(&map->lattice, brick);
  int32_t low = 0, high = map->ranks; /* the last piece that begins at or before it */
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (map->begin[middle] <= along)
      low = middle;
    else
      high = middle;
  }
  return (low + map->turn) % map->ranks;
}

int32_t owner_of(const owner_map *map, const domain *box, const double position[3])
{
  return map->is_alone ? 0 : owner_of_brick(map, brick_of(&map->lattice, box, position));
}

/* Steps no longer than a brick from one end of the cube to the other meet every brick that it meets. */
int32_t owners_near(const owner_map *map, const domain *box, const double position[3], double distance,
                    int64_t mark, int64_t *marks, int32_t *found)
{
  double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {0.0, 0.0, 0.0}, at[3], step[3] = {0.0, 0.0, 0.0};
  int32_t count = 0, steps[3] = {0, 0, 0};
  if (map->is_alone) {
    found[0] = 0;
    return 1;
  }
  for (int axis = 0; axis < map->lattice.dimension; axis++) {
    lower[axis] = position[axis] - distance;
    upper[axis] = position[axis] + distance;
  }
  const uint64_t first = brick_of(&map->lattice, box, lower), last = brick_of(&map->lattice, box, upper);
  for (int axis = 0; axis < map->lattice.dimension; axis++) {
    const double side = bricks_side(&map->lattice, axis);
    const bool within = brick_place(first, axis) == brick_place(last, axis) && 2.0 * distance < side;
    steps[axis] = within ? 0 : (int32_t)ceil(2.0 * distance / side * (1.0 + 1e-9));
    step[axis] = within ? 0.0 : 2.0 * distance / steps[axis];
  }
  for (int32_t i = 0; i <= steps[0]; i++)
    for (int32_t j = 0; j <= steps[1]; j++)
      for (int32_t k = 0; k <= steps[2]; k++) {
        at[0] = i == steps[0] && i > 0 ? upper[0] : lower[0] + i * step[0];
        at[1] = j == steps[1] && j > 0 ? upper[1] : lower[1] + j * step[1];
        at[2] = k == steps[2] && k > 0 ? upper[2] : lower[2] + k * step[2];
        const int32_t owner = owner_of_brick(map, brick_of(&map->lattice, box, at));
        if (marks[owner] != mark) found[count++] = owner;
        marks[owner] = mark;
      }
  return count;
}
