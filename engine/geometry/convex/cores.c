/*
 * Cores of particles, and their rows against bodies. See cores.h.
 */
#include "geometry/convex/cores.h"

#include "base/mathematics/mathematics.h"
#include "base/threads/parallel.h"

#include <math.h>

/* ---- particles ---- */

void grain_place(const grain_shape *form, double scale, double angle, double (*corner)[2], double (*normal)[2])
{
  double sine, cosine;
  mathematics_sine_and_cosine(angle, &sine, &cosine);
  for (int32_t k = 0; k < form->count; k++) {
    const double *p = form->corner[k], *n = form->normal[k];
    corner[k][0] = scale * (cosine * p[0] - sine * p[1]);
    corner[k][1] = scale * (sine * p[0] + cosine * p[1]);
    normal[k][0] = cosine * n[0] - sine * n[1];
    normal[k][1] = sine * n[0] + cosine * n[1];
  }
}

typedef struct place_call {
  const particles *table;
  const double *turn;
  grain_cores *made;
} place_call;

static void place_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const place_call *call = context;
  const double *angle = particles_optional(call->table, OPTIONAL_angle);
  for (int64_t i = begin; i < end; i++) {
    const grain_shape *form = particles_shape(call->table, i);
    const int64_t at = call->made->begin[i];
    if (form)
      grain_place(form, grain_core_reach(call->table, i), angle[i] + (call->turn ? call->turn[i] : 0.0),
                  call->made->corner + at, call->made->normal + at);
    else
      call->made->corner[at][0] = call->made->corner[at][1] = 0.0;
  }
}

floc_status grain_cores_place(const environment *env, arena *scratch, const particles *table, const double *turn,
                              grain_cores *made)
{
  *made = (grain_cores){.table = table};
  made->begin = arena_allocate(scratch, (size_t)table->count + 1, sizeof *made->begin);
  if (!made->begin) return FLOC_OUT_OF_MEMORY;
  made->begin[0] = 0;
  for (int64_t i = 0; i < table->count; i++) {
    const grain_shape *form = particles_shape(table, i);
    made->begin[i + 1] = made->begin[i] + (form ? form->count : 1);
  }
  made->corner = arena_allocate(scratch, (size_t)made->begin[table->count], sizeof *made->corner);
  made->normal = arena_allocate(scratch, (size_t)made->begin[table->count], sizeof *made->normal);
  if (!made->corner || !made->normal) return FLOC_OUT_OF_MEMORY;
  place_call call = {table, turn, made};
  parallel_for(env, table->count, PARALLEL_BLOCK, place_block, &call);
  return FLOC_OK;
}

convex_core grain_core_of(const grain_cores *all, int64_t i)
{
  const particles *table = all->table;
  const int64_t at = all->begin[i], count = all->begin[i + 1] - at;
  const double *rounding = particles_optional(table, OPTIONAL_rounding);
  return (convex_core){(int32_t)count, (const double(*)[2])(all->corner + at),
                       (const double(*)[2])(all->normal + at),
                       count == 1 ? table->column[COLUMN_radius][i] : rounding[i]};
}

convex_core grain_core_make(const particles *table, int64_t i, double angle, grain_memory *memory)
{
  const grain_shape *form = particles_shape(table, i);
  convex_core core = {1, (const double(*)[2])memory->corner, (const double(*)[2])memory->normal,
                      table->column[COLUMN_radius][i]};
  if (form) {
    grain_place(form, grain_core_reach(table, i), angle, memory->corner, memory->normal);
    core.count = form->count;
    core.rounding = particles_optional(table, OPTIONAL_rounding)[i];
  } else {
    memory->corner[0][0] = memory->corner[0][1] = 0.0;
  }
  return core;
}

/* ---- bodies ---- */

bool convex_knows_wall(const shape *wall)
{
  return shape_is_half_space(wall) || shape_is_hollow(wall) || shape_core_points(wall) > 0;
}

/* Corners alone. */
static int32_t corner_rows(const shape *wall, const convex_core *core, const double position[3], double reach,
                           convex_row *rows)
{
  int32_t count = 0;
  for (int32_t k = 0; k < core->count; k++) {
    const double place[3] = {position[0] + core->corner[k][0], position[1] + core->corner[k][1], 0.0};
    double normal[3], nearest[3];
    const double distance = shape_distance(wall, 2, place, normal, nearest) - core->rounding;
    if (!(distance <= reach)) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){.distance = distance, .normal = {normal[0], normal[1]}, .feature = {k, 0}};
    for (int axis = 0; axis < 2; axis++) row->first[axis] = core->corner[k][axis] + core->rounding * normal[axis];
  }
  return count;
}

int32_t convex_wall_rows(const shape *wall, const convex_core *core, const double position[3], double reach,
                         convex_row rows[CONVEX_ROWS])
{
  const int32_t points = shape_core_points(wall);
  if (points == 0) return corner_rows(wall, core, position, reach, rows);
  double corner[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, normal[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, between[2];
  for (int axis = 0; axis < 2; axis++) between[axis] = wall->point[0][axis] - position[axis];
  if (points == 2) {
    const double along[2] = {wall->point[1][0] - wall->point[0][0], wall->point[1][1] - wall->point[0][1]};
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    for (int axis = 0; axis < 2; axis++) corner[1][axis] = along[axis];
    normal[0][0] = along[1] / length;
    normal[0][1] = -along[0] / length;
    normal[1][0] = -normal[0][0];
    normal[1][1] = -normal[0][1];
  }
  const convex_core other = {points, (const double(*)[2])corner, (const double(*)[2])normal, wall->radius};
  return convex_rows(core, &other, between, reach, rows);
}

double convex_wall_distance(const shape *wall, const convex_core *core, const double position[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  const int32_t count = convex_wall_rows(wall, core, position, reach, rows);
  double least = INFINITY;
  for (int32_t k = 0; k < count; k++) least = fmin(least, rows[k].distance);
  return least;
}
