/*
 * Cores of particles, and their rows against bodies. See cores.h.
 */
#include "geometry/convex/cores.h"

#include "base/mathematics/mathematics.h"
#include "base/threads/parallel.h"
#include "geometry/rotation.h"

#include <math.h>

/* ---- particles ---- */

static void place_in_plane(const grain_shape *form, double scale, double angle, double (*corner)[2],
                           double (*normal)[2])
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

/* orientation: of any length. turn: half the rotation vector of a Cayley turn behind it, NULL: none. */
static void place_in_space(const grain_shape *form, double scale, const double orientation[4], const double *turn,
                           double (*place)[3])
{
  double unit[4], matrix[3][3];
  const double then[4] = {1.0, turn ? turn[0] : 0.0, turn ? turn[1] : 0.0, turn ? turn[2] : 0.0};
  rotation_compose(then, orientation, unit);
  rotation_matrix(unit, matrix);
  for (int32_t k = 0; k < form->count; k++)
    for (int axis = 0; axis < 3; axis++)
      place[k][axis] = scale * (matrix[axis][0] * form->corner[k][0] + matrix[axis][1] * form->corner[k][1]);
}

static void read_orientation(const particles *table, int64_t i, double orientation[4])
{
  for (int k = 0; k < 4; k++) orientation[k] = particles_optional(table, OPTIONAL_qw + k)[i];
}

typedef struct place_call {
  double *const *turn;
  grain_cores *made;
} place_call;

static void place_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const place_call *call = context;
  const particles *table = call->made->table;
  const double *angle = particles_optional(table, OPTIONAL_angle);
  const bool plane = call->made->dimension == 2;
  for (int64_t i = begin; i < end; i++) {
    const grain_shape *form = particles_shape(table, i);
    const int64_t at = call->made->begin[i];
    if (!form && plane) {
      call->made->corner[at][0] = call->made->corner[at][1] = 0.0;
    } else if (!form) {
      for (int axis = 0; axis < 3; axis++) call->made->place[at][axis] = 0.0;
    } else if (plane) {
      place_in_plane(form, grain_core_reach(table, i), angle[i] + (call->turn ? call->turn[2][i] : 0.0),
                     call->made->corner + at, call->made->normal + at);
    } else {
      double orientation[4], half[3];
      read_orientation(table, i, orientation);
      for (int axis = 0; axis < 3 && call->turn; axis++) half[axis] = 0.5 * call->turn[axis][i];
      place_in_space(form, grain_core_reach(table, i), orientation, call->turn ? half : NULL,
                     call->made->place + at);
    }
  }
}

floc_status grain_cores_place(const environment *env, arena *scratch, const particles *table, int32_t dimension,
                              double *const *turn, grain_cores *made)
{
  *made = (grain_cores){.table = table, .dimension = dimension};
  made->begin = arena_allocate(scratch, (size_t)table->count + 1, sizeof *made->begin);
  if (!made->begin) return FLOC_OUT_OF_MEMORY;
  made->begin[0] = 0;
  for (int64_t i = 0; i < table->count; i++) {
    const grain_shape *form = particles_shape(table, i);
    made->begin[i + 1] = made->begin[i] + (form ? form->count : 1);
  }
  const size_t corners = (size_t)made->begin[table->count];
  if (dimension == 2) {
    made->corner = arena_allocate(scratch, corners, sizeof *made->corner);
    made->normal = arena_allocate(scratch, corners, sizeof *made->normal);
    if (!made->corner || !made->normal) return FLOC_OUT_OF_MEMORY;
  } else {
    made->place = arena_allocate(scratch, corners, sizeof *made->place);
    if (!made->place) return FLOC_OUT_OF_MEMORY;
  }
  place_call call = {turn, made};
  parallel_for(env, table->count, PARALLEL_BLOCK, place_block, &call);
  return FLOC_OK;
}

grain_core grain_core_of(const grain_cores *all, int64_t i)
{
  const particles *table = all->table;
  const int64_t at = all->begin[i], count = all->begin[i + 1] - at;
  const double rounding =
      count == 1 ? table->column[COLUMN_radius][i] : particles_optional(table, OPTIONAL_rounding)[i];
  if (all->dimension == 2)
    return (grain_core){.dimension = 2,
                        .plane = {(int32_t)count, (const double(*)[2])(all->corner + at),
                                  (const double(*)[2])(all->normal + at), rounding}};
  return (grain_core){.dimension = 3, .solid = {(int32_t)count, (const double(*)[3])(all->place + at), rounding}};
}

static grain_core round_core(int32_t dimension, double radius, grain_memory *memory)
{
  if (dimension == 2) {
    memory->corner[0][0] = memory->corner[0][1] = 0.0;
    return (grain_core){
        .dimension = 2,
        .plane = {1, (const double(*)[2])memory->corner, (const double(*)[2])memory->normal, radius}};
  }
  for (int axis = 0; axis < 3; axis++) memory->place[0][axis] = 0.0;
  return (grain_core){.dimension = 3, .solid = {1, (const double(*)[3])memory->place, radius}};
}

static grain_core placed_core(const grain_shape *form, int32_t dimension, double scale, double rounding,
                              double angle, const double orientation[4], grain_memory *memory)
{
  if (dimension == 2) {
    place_in_plane(form, scale, angle, memory->corner, memory->normal);
    return (grain_core){
        .dimension = 2,
        .plane = {form->count, (const double(*)[2])memory->corner, (const double(*)[2])memory->normal, rounding}};
  }
  place_in_space(form, scale, orientation, NULL, memory->place);
  return (grain_core){.dimension = 3, .solid = {form->count, (const double(*)[3])memory->place, rounding}};
}

grain_core grain_core_make(const particles *table, int32_t dimension, int64_t i, grain_memory *memory)
{
  const grain_shape *form = particles_shape(table, i);
  double orientation[4] = {1.0, 0.0, 0.0, 0.0};
  if (!form) return round_core(dimension, table->column[COLUMN_radius][i], memory);
  if (dimension == 3) read_orientation(table, i, orientation);
  return placed_core(form, dimension, grain_core_reach(table, i), particles_optional(table, OPTIONAL_rounding)[i],
                     dimension == 2 ? particles_optional(table, OPTIONAL_angle)[i] : 0.0, orientation, memory);
}

grain_core grain_core_of_newcomer(const particles *table, int32_t dimension, const newcomer *one,
                                  grain_memory *memory)
{
  if (one->shape == 0) return round_core(dimension, one->radius, memory);
  const grain_shape *form = &table->shapes.shape[one->shape - 1];
  const double rounding = form->rounding * one->radius;
  return placed_core(form, dimension, one->radius - rounding, rounding, one->angle, one->orientation, memory);
}

/* ---- rows ---- */

int32_t grain_rows(const grain_core *first, const grain_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS])
{
  return first->dimension == 2 ? convex_rows(&first->plane, &second->plane, between, reach, rows)
                               : solid_rows(&first->solid, &second->solid, between, reach, rows);
}

double grain_distance(const grain_core *first, const grain_core *second, const double between[3], double reach)
{
  return first->dimension == 2 ? convex_distance(&first->plane, &second->plane, between, reach)
                               : solid_distance(&first->solid, &second->solid, between, reach);
}

/* ---- bodies ---- */

bool convex_knows_wall(const shape *wall)
{
  return shape_is_half_space(wall) || shape_is_hollow(wall) || shape_core_points(wall) > 0;
}

/* Corners alone. */
static int32_t corner_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                           convex_row *rows)
{
  const int dimension = core->dimension;
  const int32_t corners = dimension == 2 ? core->plane.count : core->solid.count;
  const double rounding = grain_core_rounding(core);
  int32_t count = 0;
  for (int32_t k = 0; k < corners; k++) {
    const double *corner = dimension == 2 ? core->plane.corner[k] : core->solid.corner[k];
    const double place[3] = {position[0] + corner[0], position[1] + corner[1],
                             dimension == 2 ? 0.0 : position[2] + corner[2]};
    double normal[3], nearest[3];
    const double distance = shape_distance(wall, dimension, place, normal, nearest) - rounding;
    if (!(distance <= reach)) continue;
    convex_row *row = &rows[count++];
    *row = (convex_row){.distance = distance, .feature = {k, 0}};
    for (int axis = 0; axis < dimension; axis++) {
      row->normal[axis] = normal[axis];
      row->first[axis] = corner[axis] + rounding * normal[axis];
    }
  }
  return count;
}

/* About the wall's first point. */
static int32_t plane_rows(const shape *wall, const convex_core *core, const double between[3], double reach,
                          convex_row *rows)
{
  const int32_t points = shape_core_points(wall);
  double corner[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, normal[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
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

int32_t grain_wall_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                        convex_row rows[CONVEX_ROWS])
{
  const int32_t points = shape_core_points(wall);
  double between[3] = {0.0, 0.0, 0.0}, corner[3][3];
  if (points == 0) return corner_rows(wall, core, position, reach, rows);
  for (int axis = 0; axis < core->dimension; axis++) between[axis] = wall->point[0][axis] - position[axis];
  if (core->dimension == 2) return plane_rows(wall, &core->plane, between, reach, rows);
  for (int32_t k = 0; k < points; k++)
    for (int axis = 0; axis < 3; axis++) corner[k][axis] = wall->point[k][axis] - wall->point[0][axis];
  const solid_core other = {points, (const double(*)[3])corner, wall->radius};
  return solid_rows(&core->solid, &other, between, reach, rows);
}

double grain_wall_distance(const shape *wall, const grain_core *core, const double position[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, grain_wall_rows(wall, core, position, reach, rows));
}
