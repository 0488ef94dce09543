/*
 * How much work a step of a world may be, and what is reported when it is more. See base/work.h.
 */
#include "world.h"

#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>

floc_status floc_world_set_work_limit(floc_world *world, double limit)
{
  WORLD_ENTER(world);
  floc_status status = fields_check_value(&world->env, &arguments_world_set_work_limit, "limit", limit);
  if (status != FLOC_OK) return status;
  world->work_limit = limit;
  return FLOC_OK;
}

/* Where the host has given no limit: for a particle as much as 20,000 products with six contacts with friction,
 * which is a dense crowd whose problem is left unsolved, or as 30,000 events; for a ray as much as 2,500 hits. Some
 * hundred particles have seconds, a million hours. */
double world_work_limit(const floc_world *world)
{
  static const double base = 2e7, each_particle = 5e5, each_ray = 5e4;
  if (world->work_limit > 0.0) return world->work_limit;
  return base + each_particle * (double)world->table.count + each_ray * (double)ray_sources_rays(world->rays);
}

/* The slot of the particle that reaches farthest in a step by its velocity and gravity, because it is fast or
 * because it is large; -1: there is none. */
static int64_t farthest(const floc_world *world, double *way)
{
  const particles *table = &world->table;
  const double *g = world->gravity, time_step = world->time_step;
  double greatest = -1.0, fall = time_step * floc_hypot(floc_hypot(g[0], g[1]), g[2]);
  int64_t worst = -1;
  EACH_OWNED(i, table) {
    double speed = floc_hypot(floc_hypot(table->column[COLUMN_vx][i], table->column[COLUMN_vy][i]),
                              table->column[COLUMN_vz][i]);
    double reach = table->column[COLUMN_radius][i] + time_step * (speed + fall);
    if (!(reach > greatest || (reach == greatest && table->id[i] < table->id[worst]))) continue;
    worst = i;
    greatest = reach;
    *way = time_step * (speed + fall);
  }
  return worst;
}

floc_status world_refuse_work(floc_world *world)
{
  static const char *const advice[WORK_KINDS] = {
      [WORK_SOLVER] = "a smaller max_iterations",
      [WORK_SEARCH] = "smaller radii and ranges of laws",
      [WORK_EVENTS] = "a thicker skin, a sticking speed if slow collisions accumulate",
      [WORK_LINKS] = "a smaller step_factor",
      [WORK_RAYS] = "fewer rays, a longer period of pulses, fewer max_bounces or a higher power_floor"};
  work_kind kind = work_exceeded(&world->env);
  double limit = (double)world->work.limit, way = 0.0;
  int64_t worst = farthest(world, &way);
  if (worst < 0)
    return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                  "step %" PRId64
                  " needs more work than its limit of %.4g, in %s: choose %s or a larger limit of work",
                  world->step + 1, limit, work_name(kind), advice[kind]);
  double radius = world->table.column[COLUMN_radius][worst];
  return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                "step %" PRId64 " needs more work than its limit of %.4g, in %s; particle %" PRId64
                ", of radius %.3g, has the largest search radius: it moves by %.3g, %.3g of its diameters, by its "
                "velocity and "
                "gravity; take a "
                "smaller time step than %g, %s, or a larger limit of work",
                world->step + 1, limit, work_name(kind), world->table.id[worst], radius, way, way / (2.0 * radius),
                world->time_step, advice[kind]);
}
