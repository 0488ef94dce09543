/*
 * A world that several ranks share (floc_world_set_ranks). Before anything else they make sure that they compute
 * the same bits: same library, same structures, same mathematics.
 */
#include "world.h"

#include "base/mathematics/version.h"
#include "ranks/ranks.h"

#include <inttypes.h>
#include <stdio.h>
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
    world->ranks = (floc_ranks){.count = 1};
    return FLOC_OK;
  }
  READ_OPTIONS(&world->env, ranks, ranks);
  floc_status status = check_ranks(&world->env, ranks);
  const arena_mark before = arena_here(&world->scratch);
  if (status == FLOC_OK && ranks->count > 1) status = compare_builds(world, ranks);
  arena_return(&world->scratch, before);
  if (status == FLOC_OK) world->ranks = *ranks;
  return status;
}

floc_status world_check_ranks(floc_world *world)
{
  if (world->ranks.count <= 1) return FLOC_OK;
  return refuse(&world->env, FLOC_NOT_SUPPORTED, "the scheme %s is not supported over several ranks (there are %d)",
                world->method.shown, world->ranks.count);
}
