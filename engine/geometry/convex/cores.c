/*
 * Cores of particles, and their rows against bodies. See cores.h.
 */
#include "geometry/convex/cores.h"

#include "base/mathematics/mathematics.h"
#include "base/threads/parallel.h"
#include "geometry/rotation.h"
#include "geometry/vector.h"
#include "particles/owned.h"

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

static void place_axes_in_plane(const grain_shape *form, double scale, double angle, double (*corner)[2],
                                double (*normal)[2])
{
  double sine, cosine;
  (void)normal;
  mathematics_sine_and_cosine(angle, &sine, &cosine);
  const double a = scale * form->semi_axis[0], b = scale * form->semi_axis[1];
  corner[0][0] = a * cosine;
  corner[0][1] = a * sine;
  corner[1][0] = -b * sine;
  corner[1][1] = b * cosine;
}

static void place_axes_in_space(const grain_shape *form, double scale, const double orientation[4],
                                const double *turn, double (*place)[3])
{
  double unit[4], matrix[3][3];
  const double then[4] = {1.0, turn ? turn[0] : 0.0, turn ? turn[1] : 0.0, turn ? turn[2] : 0.0};
  rotation_compose(then, orientation, unit);
  rotation_matrix(unit, matrix);
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++) place[k][axis] = scale * form->semi_axis[k] * matrix[axis][k];
}

static void place_polyhedron(const grain_shape *form, double scale, const double orientation[4], const double *turn,
                             double (*place)[3])
{
  double unit[4], matrix[3][3];
  const double then[4] = {1.0, turn ? turn[0] : 0.0, turn ? turn[1] : 0.0, turn ? turn[2] : 0.0};
  rotation_compose(then, orientation, unit);
  rotation_matrix(unit, matrix);
  for (int32_t k = 0; k < form->solid.corners; k++)
    for (int axis = 0; axis < 3; axis++) place[k][axis] = scale * vector_dot(matrix[axis], form->solid.corner[k]);
  for (int32_t k = 0; k < form->solid.faces; k++)
    for (int axis = 0; axis < 3; axis++)
      place[form->solid.corners + k][axis] = vector_dot(matrix[axis], form->solid.normal[k]);
}

typedef int32_t (*pair_rows)(const grain_core *first, const grain_core *second, const double between[3],
                             double reach, convex_row *rows);
typedef int32_t (*wall_rows)(const shape *wall, const grain_core *core, const double position[3], double reach,
                             convex_row *rows);

/* What is done with grains of a kind, in the plane and in space. */
typedef struct core_kind {
  int32_t (*points)(const grain_shape *form, int32_t dimension); /* corners, or what stands for them */
  void (*in_plane)(const grain_shape *form, double scale, double angle, double (*corner)[2], double (*normal)[2]);
  void (*in_space)(const grain_shape *form, double scale, const double orientation[4], const double *turn,
                   double (*place)[3]);
  pair_rows rows[GRAIN_KINDS]; /* with a kind that is not before it in the enum */
  wall_rows corners;           /* against planes and the inside of circles and balls */
  wall_rows points_of_wall[2]; /* against what has corners: in the plane, in space */
} core_kind;

static const core_kind core_kinds[GRAIN_KINDS];

typedef struct place_call {
  double *const *turn;
  grain_cores *made;
} place_call;

/* Of one that is not round: the core is that much larger than the list's. */
static double core_scale(const particles *table, int64_t i)
{
  return table->column[COLUMN_radius][i] - particles_optional(table, OPTIONAL_rounding)[i];
}

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
      core_kinds[form->kind].in_plane(form, core_scale(table, i), angle[i] + (call->turn ? call->turn[2][i] : 0.0),
                                      call->made->corner + at, call->made->normal + at);
    } else {
      double orientation[4], half[3];
      read_orientation(table, i, orientation);
      for (int axis = 0; axis < 3 && call->turn; axis++) half[axis] = 0.5 * call->turn[axis][i];
      core_kinds[form->kind].in_space(form, core_scale(table, i), orientation, call->turn ? half : NULL,
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
  EACH_SLOT(i, table) {
    const grain_shape *form = particles_shape(table, i);
    made->begin[i + 1] = made->begin[i] + (form ? core_kinds[form->kind].points(form, dimension) : 1);
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
  slots_for(env, table, PARALLEL_BLOCK, place_block, &call);
  return FLOC_OK;
}

static grain_core plane_core(grain_kind kind, int32_t count, double (*corner)[2], double (*normal)[2],
                             double rounding)
{
  if (kind == GRAIN_ELLIPSOID) return (grain_core){.dimension = 2, .kind = kind, .ellipsoid = {2, &corner[0][0]}};
  return (grain_core){.dimension = 2,
                      .kind = kind,
                      .plane = {count, (const double(*)[2])corner, (const double(*)[2])normal, rounding}};
}

/* form: NULL: a ball. */
static grain_core space_core(const grain_shape *form, int32_t count, double (*place)[3], double rounding)
{
  const grain_kind kind = form ? form->kind : GRAIN_CORNERED;
  if (kind == GRAIN_POLYHEDRON)
    return (grain_core){.dimension = 3,
                        .kind = kind,
                        .hull = {&form->solid, (const double(*)[3])place,
                                 (const double(*)[3])(place + form->solid.corners), rounding}};
  if (kind == GRAIN_ELLIPSOID) return (grain_core){.dimension = 3, .kind = kind, .ellipsoid = {3, &place[0][0]}};
  return (grain_core){.dimension = 3, .kind = kind, .solid = {count, (const double(*)[3])place, rounding}};
}

grain_core grain_core_of(const grain_cores *all, int64_t i)
{
  const particles *table = all->table;
  const int64_t at = all->begin[i];
  const int32_t count = (int32_t)(all->begin[i + 1] - at);
  const grain_shape *form = count == 1 ? NULL : particles_shape(table, i);
  const double rounding =
      count == 1 ? table->column[COLUMN_radius][i] : particles_optional(table, OPTIONAL_rounding)[i];
  if (all->dimension == 3) return space_core(form, count, all->place + at, rounding);
  return plane_core(form ? form->kind : GRAIN_CORNERED, count, all->corner + at, all->normal + at, rounding);
}

static grain_core round_core(int32_t dimension, double radius, grain_memory *memory)
{
  for (int axis = 0; axis < 3; axis++) memory->place[0][axis] = 0.0;
  return dimension == 2 ? plane_core(GRAIN_CORNERED, 1, memory->corner, memory->normal, radius)
                        : space_core(NULL, 1, memory->place, radius);
}

static grain_core placed_core(const grain_shape *form, int32_t dimension, double scale, double rounding,
                              double angle, const double orientation[4], grain_memory *memory)
{
  if (dimension == 2) {
    core_kinds[form->kind].in_plane(form, scale, angle, memory->corner, memory->normal);
    return plane_core(form->kind, form->count, memory->corner, memory->normal, rounding);
  }
  core_kinds[form->kind].in_space(form, scale, orientation, NULL, memory->place);
  return space_core(form, form->count, memory->place, rounding);
}

grain_core grain_core_make(const particles *table, int32_t dimension, int64_t i, grain_memory *memory)
{
  const grain_shape *form = particles_shape(table, i);
  double orientation[4] = {1.0, 0.0, 0.0, 0.0};
  if (!form) return round_core(dimension, table->column[COLUMN_radius][i], memory);
  if (dimension == 3) read_orientation(table, i, orientation);
  return placed_core(form, dimension, core_scale(table, i), particles_optional(table, OPTIONAL_rounding)[i],
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

static int32_t rows_of_corners(const grain_core *first, const grain_core *second, const double between[3],
                               double reach, convex_row *rows)
{
  return first->dimension == 2 ? convex_rows(&first->plane, &second->plane, between, reach, rows)
                               : solid_rows(&first->solid, &second->solid, between, reach, rows);
}

static int32_t rows_of_ellipsoids(const grain_core *first, const grain_core *second, const double between[3],
                                  double reach, convex_row *rows)
{
  return ellipsoid_rows(&first->ellipsoid, &second->ellipsoid, between, reach, rows);
}

/* Of rows of the second with the first. */
static void turn_round(convex_row *row)
{
  const int32_t feature = row->feature[0];
  row->feature[0] = row->feature[1];
  row->feature[1] = feature;
  for (int axis = 0; axis < 3; axis++) {
    const double point = row->first[axis];
    row->first[axis] = row->second[axis];
    row->second[axis] = point;
    row->normal[axis] = -row->normal[axis];
  }
}

static int32_t rows_of_ellipsoid(const grain_core *first, const grain_core *second, const double between[3],
                                 double reach, convex_row *rows)
{
  const double back[3] = {-between[0], -between[1], first->dimension == 2 ? 0.0 : -between[2]};
  const int32_t count = first->dimension == 2
                            ? ellipsoid_plane_rows(&second->ellipsoid, &first->plane, back, reach, rows)
                            : ellipsoid_solid_rows(&second->ellipsoid, &first->solid, back, reach, rows);
  for (int32_t k = 0; k < convex_kept(count); k++) turn_round(&rows[k]);
  return count;
}

static int32_t rows_of_ellipsoid_and_polyhedron(const grain_core *first, const grain_core *second,
                                                const double between[3], double reach, convex_row *rows)
{
  return ellipsoid_polyhedron_rows(&first->ellipsoid, &second->hull, between, reach, rows);
}

static int32_t rows_of_polyhedra(const grain_core *first, const grain_core *second, const double between[3],
                                 double reach, convex_row *rows)
{
  return polyhedron_rows(&first->hull, &second->hull, between, reach, rows);
}

static int32_t rows_of_polyhedron(const grain_core *first, const grain_core *second, const double between[3],
                                  double reach, convex_row *rows)
{
  const double back[3] = {-between[0], -between[1], -between[2]};
  const int32_t count = polyhedron_solid_rows(&second->hull, &first->solid, back, reach, rows);
  for (int32_t k = 0; k < convex_kept(count); k++) turn_round(&rows[k]);
  return count;
}

int32_t grain_rows(const grain_core *first, const grain_core *second, const double between[3], double reach,
                   convex_row rows[CONVEX_ROWS])
{
  if (first->kind <= second->kind)
    return core_kinds[first->kind].rows[second->kind](first, second, between, reach, rows);
  const double back[3] = {-between[0], -between[1], first->dimension == 2 ? 0.0 : -between[2]};
  const int32_t count = core_kinds[second->kind].rows[first->kind](second, first, back, reach, rows);
  for (int32_t k = 0; k < convex_kept(count); k++) turn_round(&rows[k]);
  return count;
}

double grain_distance(const grain_core *first, const grain_core *second, const double between[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, grain_rows(first, second, between, reach, rows));
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

/* The end that is nearest to a plane; inside of circles and balls, the ends. */
static int32_t ellipsoid_end_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                                  convex_row *rows)
{
  double nearest[3], place[3];
  const int dimension = core->dimension;
  if (shape_is_hollow(wall)) {
    for (int axis = 0; axis < 3; axis++) place[axis] = position[axis] - wall->point[0][axis];
    return ellipsoid_hollow_rows(&core->ellipsoid, place, wall->radius, reach, rows);
  }
  rows[0] = (convex_row){.feature = {ELLIPSOID_SIDE, 0}};
  const double height = shape_distance(wall, dimension, position, rows[0].normal, nearest);
  rows[0].distance = height - ellipsoid_support(&core->ellipsoid, rows[0].normal, rows[0].first);
  return rows[0].distance <= reach ? 1 : 0;
}

/* A wall with corners in the plane, about its first point. */
typedef struct wall_corners {
  double corner[2][2], normal[2][2];
} wall_corners;

static convex_core plane_wall(const shape *wall, wall_corners *made)
{
  const int32_t points = shape_core_points(wall);
  *made = (wall_corners){0};
  if (points == 2) {
    const double along[2] = {wall->point[1][0] - wall->point[0][0], wall->point[1][1] - wall->point[0][1]};
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    for (int axis = 0; axis < 2; axis++) made->corner[1][axis] = along[axis];
    made->normal[0][0] = along[1] / length;
    made->normal[0][1] = -along[0] / length;
    made->normal[1][0] = -made->normal[0][0];
    made->normal[1][1] = -made->normal[0][1];
  }
  return (convex_core){points, (const double(*)[2])made->corner, (const double(*)[2])made->normal, wall->radius};
}

static void way_to_wall(const shape *wall, int dimension, const double position[3], double between[3])
{
  between[2] = 0.0;
  for (int axis = 0; axis < dimension; axis++) between[axis] = wall->point[0][axis] - position[axis];
}

static int32_t cornered_plane_rows(const shape *wall, const grain_core *core, const double position[3],
                                   double reach, convex_row *rows)
{
  wall_corners memory;
  double between[3];
  const convex_core other = plane_wall(wall, &memory);
  way_to_wall(wall, 2, position, between);
  return convex_rows(&core->plane, &other, between, reach, rows);
}

static int32_t ellipse_plane_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                                  convex_row *rows)
{
  wall_corners memory;
  double between[3];
  const convex_core other = plane_wall(wall, &memory);
  way_to_wall(wall, 2, position, between);
  return ellipsoid_plane_rows(&core->ellipsoid, &other, between, reach, rows);
}

static solid_core space_wall(const shape *wall, double corner[3][3])
{
  const int32_t points = shape_core_points(wall);
  for (int32_t k = 0; k < points; k++) vector_difference(wall->point[k], wall->point[0], corner[k]);
  return (solid_core){points, (const double(*)[3])corner, wall->radius};
}

static int32_t cornered_space_rows(const shape *wall, const grain_core *core, const double position[3],
                                   double reach, convex_row *rows)
{
  double between[3], corner[3][3];
  const solid_core other = space_wall(wall, corner);
  way_to_wall(wall, 3, position, between);
  return solid_rows(&core->solid, &other, between, reach, rows);
}

static int32_t ellipsoid_space_rows(const shape *wall, const grain_core *core, const double position[3],
                                    double reach, convex_row *rows)
{
  double between[3], corner[3][3];
  const solid_core other = space_wall(wall, corner);
  way_to_wall(wall, 3, position, between);
  return ellipsoid_solid_rows(&core->ellipsoid, &other, between, reach, rows);
}

static int32_t polyhedron_corner_rows(const shape *wall, const grain_core *core, const double position[3],
                                      double reach, convex_row *rows)
{
  const grain_core corners = {.dimension = 3,
                              .solid = {core->hull.form->corners, core->hull.corner, core->hull.rounding}};
  return corner_rows(wall, &corners, position, reach, rows);
}

static int32_t polyhedron_space_rows(const shape *wall, const grain_core *core, const double position[3],
                                     double reach, convex_row *rows)
{
  double between[3], corner[3][3];
  const solid_core other = space_wall(wall, corner);
  way_to_wall(wall, 3, position, between);
  return polyhedron_solid_rows(&core->hull, &other, between, reach, rows);
}

int32_t grain_wall_rows(const shape *wall, const grain_core *core, const double position[3], double reach,
                        convex_row rows[CONVEX_ROWS])
{
  const core_kind *kind = &core_kinds[core->kind];
  if (shape_core_points(wall) == 0) return kind->corners(wall, core, position, reach, rows);
  return kind->points_of_wall[core->dimension - 2](wall, core, position, reach, rows);
}

double grain_wall_distance(const shape *wall, const grain_core *core, const double position[3], double reach)
{
  convex_row rows[CONVEX_ROWS];
  return convex_least(rows, grain_wall_rows(wall, core, position, reach, rows));
}

/* ---- kinds ---- */

static int32_t corner_count(const grain_shape *form, int32_t dimension)
{
  (void)dimension;
  return form->count;
}

static int32_t axis_count(const grain_shape *form, int32_t dimension)
{
  (void)form;
  return dimension;
}

static int32_t solid_count(const grain_shape *form, int32_t dimension)
{
  (void)dimension;
  return form->solid.corners + form->solid.faces;
}

static const core_kind core_kinds[GRAIN_KINDS] = {
    [GRAIN_CORNERED] = {.points = corner_count,
                        .in_plane = place_in_plane,
                        .in_space = place_in_space,
                        .rows = {[GRAIN_CORNERED] = rows_of_corners,
                                 [GRAIN_ELLIPSOID] = rows_of_ellipsoid,
                                 [GRAIN_POLYHEDRON] = rows_of_polyhedron},
                        .corners = corner_rows,
                        .points_of_wall = {cornered_plane_rows, cornered_space_rows}},
    [GRAIN_ELLIPSOID] =
        {.points = axis_count,
         .in_plane = place_axes_in_plane,
         .in_space = place_axes_in_space,
         .rows = {[GRAIN_ELLIPSOID] = rows_of_ellipsoids, [GRAIN_POLYHEDRON] = rows_of_ellipsoid_and_polyhedron},
         .corners = ellipsoid_end_rows,
         .points_of_wall = {ellipse_plane_rows, ellipsoid_space_rows}},
    [GRAIN_POLYHEDRON] = {.points = solid_count,
                          .in_space = place_polyhedron,
                          .rows = {[GRAIN_POLYHEDRON] = rows_of_polyhedra},
                          .corners = polyhedron_corner_rows,
                          .points_of_wall = {NULL, polyhedron_space_rows}},
};
