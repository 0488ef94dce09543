/*
 * Shapes of grains. See grain_shapes.h.
 */
#include "particles/grain_shapes.h"

#include "base/fields.h"
#include "base/mathematics/mathematics.h"

#include <math.h>
#include <string.h>

enum { SHAPES_MOST = 4096, ROW = 2 + 2 * GRAIN_CORNERS, POINTS = 3 * POLYHEDRON_CORNERS };

static const double pi = 3.14159265358979323846;
static const double least_turn = 1e-9;   /* sine of the angle at a corner: less is flat */
static const double aspect_most = 100.0; /* of ellipsoids */

typedef struct point {
  double x, y;
} point;

static point way(const double from[2], const double to[2])
{
  return (point){to[0] - from[0], to[1] - from[1]};
}

static double cross(point a, point b)
{
  return a.x * b.y - a.y * b.x;
}

static double dot(point a, point b)
{
  return a.x * b.x + a.y * b.y;
}

static double length(point a)
{
  return sqrt(dot(a, a));
}

/* ---- checks ---- */

static floc_status check_numbers(environment *env, const floc_grain_shape_options *options)
{
  for (int32_t k = 0; k < 2 * options->corner_count; k++)
    if (!(fabs(options->corners[k]) <= 1e100))
      return refuse(env, FLOC_INVALID_ARGUMENT, "corner %d of the shape has the coordinate %g; it must be finite",
                    (int)(k / 2 + 1), options->corners[k]);
  for (int32_t a = 0; a < options->corner_count; a++)
    for (int32_t b = 0; b < a; b++)
      if (options->corners[2 * a] == options->corners[2 * b] &&
          options->corners[2 * a + 1] == options->corners[2 * b + 1])
        return refuse(env, FLOC_INVALID_ARGUMENT, "corners %d and %d of the shape are the same point", (int)(b + 1),
                      (int)(a + 1));
  if (options->corner_count == 2 && options->rounding == 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "rounding is 0 of a shape of two corners, which has no area then; it must be above 0");
  return FLOC_OK;
}

/* Copies the corners, in turn counterclockwise. Convex: every corner turns the same way, and the whole way round
 * turns once. */
static floc_status take_corners(environment *env, const floc_grain_shape_options *options, grain_shape *made)
{
  const int32_t n = options->corner_count;
  double turned = 0.0, doubled = 0.0;
  for (int32_t k = 0; k < n; k++) {
    const double *p = options->corners + 2 * k, *q = options->corners + 2 * ((k + 1) % n), *o = options->corners;
    doubled += cross(way(o, p), way(o, q));
  }
  for (int32_t k = 0; k < n; k++) {
    const int32_t from = doubled < 0.0 ? n - 1 - k : k;
    memcpy(made->corner[k], options->corners + 2 * from, sizeof made->corner[k]);
  }
  made->count = n;
  for (int32_t k = 0; k < n && n > 2; k++) {
    const point in = way(made->corner[(k + n - 1) % n], made->corner[k]),
                out = way(made->corner[k], made->corner[(k + 1) % n]);
    const double sine = cross(in, out) / (length(in) * length(out));
    const int32_t shown = 1 + (doubled < 0.0 ? n - 1 - k : k);
    if (!(sine > least_turn))
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "corner %d of the shape, (%g, %g), %s; corners must be those of a convex polygon, in turn",
                    (int)shown, made->corner[k][0], made->corner[k][1],
                    sine >= -least_turn ? "lies on the line through its neighbours" : "turns inward");
    turned += floc_atan2(cross(in, out), dot(in, out));
  }
  if (n > 2 && turned > 3.0 * pi)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "the %d corners of the shape go round %.0f times: the polygon crosses itself", (int)n,
                  turned / (2.0 * pi));
  return FLOC_OK;
}

/* ---- moments ---- */

static void set_normals(grain_shape *made)
{
  for (int32_t k = 0; k < made->count; k++) {
    const point edge = way(made->corner[k], made->corner[(k + 1) % made->count]);
    made->normal[k][0] = edge.y / length(edge);
    made->normal[k][1] = -edge.x / length(edge);
  }
}

/* Of the core as it stands, and of a rounding r: also the first moments, by powers of r. */
static void set_moments(grain_shape *made, double first[2][4])
{
  const int32_t n = made->count;
  memset(made->area, 0, sizeof made->area);
  memset(made->polar, 0, sizeof made->polar);
  memset(first, 0, 2 * sizeof first[0]);
  for (int32_t k = 0; k < n; k++) {
    const double *p = made->corner[k], *q = made->corner[(k + 1) % n], *normal = made->normal[k],
                 *next = made->normal[(k + 1) % n];
    const point a = {p[0], p[1]}, b = {q[0], q[1]}, m = {normal[0], normal[1]}, o = {next[0], next[1]};
    const double edge = length(way(p, q)), twice = cross(a, b), squares = dot(a, a) + dot(a, b) + dot(b, b);
    const double turn = n == 2 ? pi : floc_atan2(cross(m, o), dot(m, o));
    const double arc[2] = {o.y - m.y, m.x - o.x};
    made->area[0] += 0.5 * twice;
    made->area[1] += edge;
    made->polar[0] += twice * squares / 12.0;
    made->polar[1] += edge * squares / 3.0;
    made->polar[2] += edge * dot(m, a) + 0.5 * turn * dot(b, b);
    made->polar[3] += edge / 3.0 + 2.0 / 3.0 * (q[0] * arc[0] + q[1] * arc[1]);
    for (int axis = 0; axis < 2; axis++) {
      first[axis][0] += twice * (p[axis] + q[axis]) / 6.0;
      first[axis][1] += 0.5 * edge * (p[axis] + q[axis]);
      first[axis][2] += 0.5 * edge * normal[axis] + 0.5 * turn * q[axis];
    }
  }
  made->area[2] = pi;
  made->polar[4] = 0.5 * pi;
}

static void move_and_scale(grain_shape *made, const double centre[2], double scale)
{
  for (int32_t k = 0; k < made->count; k++)
    for (int axis = 0; axis < 2; axis++) made->corner[k][axis] = scale * (made->corner[k][axis] - centre[axis]);
}

static double farthest(const grain_shape *made)
{
  double greatest = 0.0;
  for (int32_t k = 0; k < made->count; k++)
    greatest = fmax(greatest, length((point){made->corner[k][0], made->corner[k][1]}));
  return greatest;
}

/* To the centre of mass of the rounded shape, and to the scale 1. The rounding goes with the scale, which goes with
 * the centre: a few rounds. */
static void center(grain_shape *made)
{
  double first[2][4], none[2] = {0.0, 0.0}, middle[2] = {0.0, 0.0};
  for (int32_t k = 0; k < made->count; k++)
    for (int axis = 0; axis < 2; axis++) middle[axis] += made->corner[k][axis] / made->count;
  move_and_scale(made, middle, 1.0);
  move_and_scale(made, none, 1.0 / farthest(made));
  for (int round = 0; round < 60; round++) {
    const double r = made->rounding / (1.0 - made->rounding);
    set_moments(made, first);
    const double area = made->area[0] + (made->area[1] + made->area[2] * r) * r;
    for (int axis = 0; axis < 2; axis++)
      middle[axis] = (first[axis][0] + (first[axis][1] + first[axis][2] * r) * r) / area;
    move_and_scale(made, middle, 1.0);
    move_and_scale(made, none, 1.0 / farthest(made));
  }
}

static double least_axis(const grain_shape *made)
{
  return fmin(fmin(made->semi_axis[0], made->semi_axis[1]),
              made->semi_axis[2] > 0.0 ? made->semi_axis[2] : INFINITY);
}

/* What follows from the corners and the rounding, or the semi-axes, however these were found. */
static void derive(grain_shape *made)
{
  double first[2][4];
  made->turned = 1.0;
  if (made->kind == GRAIN_ELLIPSOID) { /* h = sqrt(n.Qn) lies between least and greatest, and so does its slope */
    made->turned = 1.0 - least_axis(made);
    return;
  }
  set_normals(made);
  set_moments(made, first);
}

/* Of an ellipse the third is 0. */
static floc_status take_axes(environment *env, int32_t dimension, const double given[3], grain_shape *made)
{
  double greatest = 0.0;
  for (int k = 0; k < 3; k++) {
    if (k < dimension ? !(given[k] > 0.0 && given[k] <= 1e100) : given[k] != 0.0)
      return refuse(env, FLOC_INVALID_ARGUMENT, "semi_axes[%d] of the shape is %g; it must be %s", k, given[k],
                    k < dimension ? "above 0 and finite" : "0 in two dimensions");
    greatest = fmax(greatest, given[k]);
  }
  *made = (grain_shape){.kind = GRAIN_ELLIPSOID};
  for (int k = 0; k < 3; k++) made->semi_axis[k] = given[k] / greatest;
  if (!(least_axis(made) >= 1.0 / aspect_most))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "semi_axes of the shape are %g, %g, %g; the greatest must be at most %g times the least",
                  given[0], given[1], given[2], aspect_most);
  derive(made);
  return FLOC_OK;
}

static void make_regular(floc_grain_shape_options *options)
{
  for (int32_t k = 0; k < options->corner_count; k++)
    mathematics_sine_and_cosine(2.0 * pi * k / options->corner_count, &options->corners[2 * k + 1],
                                &options->corners[2 * k]);
}

static bool has_axes(const double semi_axes[3])
{
  return semi_axes[0] != 0.0 || semi_axes[1] != 0.0 || semi_axes[2] != 0.0;
}

static floc_status check_number_of_corners(environment *env, int32_t dimension,
                                           const floc_grain_shape_options *options)
{
  static const char in_space[] = "in three dimensions shapes of grains have corner_count 2, of a capsule, or 0 "
                                 "with semi_axes of an ellipsoid, or "
                                 "with point_count and points of a polyhedron";
  if (dimension == 3 && options->regular)
    return refuse(env, FLOC_NOT_SUPPORTED, "regular is set, of a polygon; %s", in_space);
  if (dimension == 3 && options->corner_count != 2)
    return refuse(env, options->corner_count < 2 ? FLOC_INVALID_ARGUMENT : FLOC_NOT_SUPPORTED,
                  "corner_count is %d; %s", options->corner_count, in_space);
  if (options->corner_count < 2)
    return refuse(env, FLOC_INVALID_ARGUMENT, "corner_count is %d; it must be from 2 to %d, or 0 with semi_axes",
                  options->corner_count, GRAIN_CORNERS);
  return FLOC_OK;
}

static floc_status take_points(environment *env, int32_t dimension, const floc_grain_shape_options *options,
                               grain_shape *made)
{
  double corner[POLYHEDRON_CORNERS][3];
  if (dimension != 3)
    return refuse(env, FLOC_NOT_SUPPORTED, "point_count is %d; polyhedra need three dimensions",
                  options->point_count);
  if (options->corner_count != 0 || has_axes(options->semi_axes))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "point_count is %d, and corners or semi_axes are given; a polyhedron has points alone",
                  options->point_count);
  if (!(options->rounding > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "rounding is %g of a polyhedron; it must be above 0",
                  options->rounding);
  memcpy(corner, options->points, sizeof corner);
  *made = (grain_shape){.kind = GRAIN_POLYHEDRON, .rounding = options->rounding, .turned = 1.0};
  return polyhedron_make(env, (const double(*)[3])corner, options->point_count, options->rounding, &made->solid);
}

floc_status grain_shape_make(environment *env, int32_t dimension, const floc_grain_shape_options *given,
                             grain_shape *made)
{
  floc_grain_shape_options own = *given, *options = &own;
  floc_status status = fields_check(env, &struct_grain_shape_options, options);
  if (status == FLOC_OK && options->point_count != 0) return take_points(env, dimension, options, made);
  if (status == FLOC_OK && has_axes(options->semi_axes)) {
    if (options->corner_count != 0)
      return refuse(env, FLOC_INVALID_ARGUMENT,
                    "corner_count is %d, and semi_axes are given; a shape has corners or semi-axes",
                    options->corner_count);
    return take_axes(env, dimension, options->semi_axes, made);
  }
  if (status == FLOC_OK) status = check_number_of_corners(env, dimension, options);
  if (status == FLOC_OK && options->regular) make_regular(options);
  if (status == FLOC_OK) status = check_numbers(env, options);
  *made = (grain_shape){.rounding = options->rounding};
  if (status == FLOC_OK) status = take_corners(env, options, made);
  if (status != FLOC_OK) return status;
  set_normals(made);
  center(made);
  derive(made);
  return FLOC_OK;
}

/* ---- the list ---- */

static bool are_equal(const grain_shape *a, const grain_shape *b)
{
  return a->kind == b->kind && a->count == b->count && a->rounding == b->rounding &&
         memcmp(a->corner, b->corner, sizeof a->corner) == 0 &&
         memcmp(a->semi_axis, b->semi_axis, sizeof a->semi_axis) == 0 && a->solid.corners == b->solid.corners &&
         memcmp(a->solid.corner, b->solid.corner, sizeof a->solid.corner) == 0;
}

floc_status grain_shapes_add(environment *env, grain_shapes *all, const grain_shape *made, int32_t *number)
{
  for (int32_t k = 0; k < all->count; k++)
    if (are_equal(&all->shape[k], made)) {
      *number = k + 1;
      return FLOC_OK;
    }
  if (all->count == SHAPES_MOST)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "there are %d shapes of grains already, which is the limit",
                  SHAPES_MOST);
  floc_status status =
      array_reserve(env, (void **)&all->shape, &all->capacity, (size_t)all->count + 1, sizeof *all->shape);
  if (status != FLOC_OK) return status;
  all->shape[all->count++] = *made;
  *number = all->count;
  return FLOC_OK;
}

void grain_shapes_free(environment *env, grain_shapes *all)
{
  array_free(env, (void **)&all->shape, &all->capacity, sizeof *all->shape);
  array_free(env, (void **)&all->staging, &all->staging_capacity, sizeof *all->staging);
  all->count = 0;
}

static const char section_name[] = "particles.shapes", points_name[] = "particles.polyhedra";

static int32_t count_polyhedra(const grain_shapes *all)
{
  int32_t count = 0;
  for (int32_t k = 0; k < all->count; k++) count += all->shape[k].kind == GRAIN_POLYHEDRON;
  return count;
}

static void write_points(const grain_shapes *all, double *to)
{
  for (int32_t k = 0; k < all->count; k++)
    if (all->shape[k].kind == GRAIN_POLYHEDRON) {
      memcpy(to, all->shape[k].solid.corner, POINTS * sizeof *to);
      to += POINTS;
    }
}

/* Corners, or with 0 for their number the semi-axes; with that of a polyhedron's corners, below 0, nothing: these
 * stand in a section of their own, a row for each. */
static void write_row(const grain_shape *shape, double row[ROW])
{
  row[0] = shape->count;
  row[1] = shape->rounding;
  memcpy(row + 2, shape->corner, sizeof shape->corner);
  if (shape->kind == GRAIN_ELLIPSOID) memcpy(row + 2, shape->semi_axis, sizeof shape->semi_axis);
  if (shape->kind == GRAIN_POLYHEDRON) row[0] = -shape->solid.corners;
}

floc_status grain_shapes_sections(grain_shapes *all, section_list *list)
{
  if (all->count == 0) return FLOC_OK;
  const size_t rows = ROW * (size_t)all->count, solids = (size_t)count_polyhedra(all);
  floc_status status = array_reserve(list->env, (void **)&all->staging, &all->staging_capacity,
                                     rows + POINTS * solids, sizeof *all->staging);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < all->count; k++) write_row(&all->shape[k], all->staging + (size_t)ROW * (size_t)k);
  status = section_list_add(list, section_name, "f64", (uint64_t)all->count, ROW, all->staging, true);
  if (status != FLOC_OK || solids == 0) return status;
  write_points(all, all->staging + rows);
  return section_list_add(list, points_name, "f64", solids, POINTS, all->staging + rows, true);
}

static floc_status compare_points(const grain_shapes *all, const section_list *list)
{
  const section *rows;
  const uint64_t solids = (uint64_t)count_polyhedra(all);
  int32_t row = 0;
  if (solids == 0) return FLOC_OK;
  floc_status status = section_expect(list, points_name, "f64", solids, POINTS, &rows);
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++) {
    if (all->shape[k].kind != GRAIN_POLYHEDRON) continue;
    const double *points = (const double *)rows->data + POINTS * (size_t)row++;
    if (memcmp(all->shape[k].solid.corner, points, POINTS * sizeof *points) != 0)
      return refuse(list->env, FLOC_STRUCTURE_MISMATCH, "shape %d of grains is another in the file", (int)(k + 1));
  }
  return status;
}

floc_status grain_shapes_compare(const grain_shapes *all, const section_list *list)
{
  const section *rows;
  if (!section_find(list, section_name)) {
    if (all->count == 0) return FLOC_OK;
    return refuse(list->env, FLOC_STRUCTURE_MISMATCH, "the file has no shapes of grains; the world has %d",
                  (int)all->count);
  }
  if (all->count == 0)
    return refuse(list->env, FLOC_STRUCTURE_MISMATCH, "the file has shapes of grains; the world has none");
  floc_status status = section_expect(list, section_name, "f64", (uint64_t)all->count, ROW, &rows);
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++) {
    double own[ROW];
    write_row(&all->shape[k], own);
    if (memcmp(own, (const double *)rows->data + (size_t)ROW * (size_t)k, sizeof own) != 0)
      return refuse(list->env, FLOC_STRUCTURE_MISMATCH, "shape %d of grains is another in the file", (int)(k + 1));
  }
  return status == FLOC_OK ? compare_points(all, list) : status;
}

/* Corners of a shape are at most 1 from its centre, in turn about it. */
static bool is_shape(const grain_shape *made)
{
  const int32_t n = made->count;
  bool fine = made->rounding >= (n == 2 ? 1e-9 : 0.0) && made->rounding < 1.0;
  for (int32_t k = 0; k < n; k++) {
    const double *p = made->corner[k];
    fine &= fabs(p[0]) <= 1.0 + 1e-9 && fabs(p[1]) <= 1.0 + 1e-9;
    const point in = way(made->corner[(k + n - 1) % n], p), out = way(p, made->corner[(k + 1) % n]);
    fine &= length(out) > 0.0 && (n == 2 || cross(in, out) > 0.0);
  }
  return fine;
}

/* Semi-axes of which the greatest is 1. */
static bool is_ellipsoid(const grain_shape *made, int32_t dimension)
{
  double greatest = 0.0;
  bool fine = made->rounding == 0.0;
  for (int k = 0; k < 3; k++) {
    fine &= k < dimension ? made->semi_axis[k] >= 1.0 / aspect_most : made->semi_axis[k] == 0.0;
    greatest = fmax(greatest, made->semi_axis[k]);
  }
  return fine && greatest == 1.0;
}

static floc_status read_points(const section_list *list, int32_t row, grain_shape *made)
{
  const section *rows;
  floc_status status = section_expect(list, points_name, "f64", UINT64_MAX, POINTS, &rows);
  if (status != FLOC_OK) return status;
  double corner[POLYHEDRON_CORNERS][3] = {{0.0}};
  const int32_t count = made->count;
  *made = (grain_shape){.kind = GRAIN_POLYHEDRON, .rounding = made->rounding, .turned = 1.0};
  const bool is_there = (uint64_t)row < rows->rows;
  if (is_there) memcpy(corner, (const double *)rows->data + POINTS * (size_t)row, sizeof corner);
  if (!is_there || !(made->rounding >= 1e-9 && made->rounding < 1.0) ||
      !polyhedron_restore((const double(*)[3])corner, count, &made->solid))
    return refuse(list->env, FLOC_DAMAGED_FILE, "polyhedron %d of the shapes of grains is none", (int)row + 1);
  return FLOC_OK;
}

static floc_status read_row(environment *env, int32_t dimension, int number, const double row[ROW],
                            grain_shape *made)
{
  const int most = dimension == 2 ? GRAIN_CORNERS : 2;
  *made = (grain_shape){.rounding = row[1]};
  if (row[0] == 0.0) {
    made->kind = GRAIN_ELLIPSOID;
    memcpy(made->semi_axis, row + 2, sizeof made->semi_axis);
    if (!is_ellipsoid(made, dimension))
      return refuse(env, FLOC_DAMAGED_FILE, "shape %d of grains is no ellipsoid", number);
  } else {
    if (!(row[0] >= 2.0 && row[0] <= most && row[0] == floor(row[0])))
      return refuse(env, FLOC_DAMAGED_FILE, "shape %d of grains has %g corners; it must be 2 to %d", number, row[0],
                    most);
    made->count = (int32_t)row[0];
    memcpy(made->corner, row + 2, sizeof made->corner);
    if (!is_shape(made))
      return refuse(env, FLOC_DAMAGED_FILE, "shape %d of grains is no rounded convex polygon", number);
  }
  derive(made);
  return FLOC_OK;
}

floc_status grain_shapes_take(grain_shapes *all, int32_t dimension, const section_list *list)
{
  const section *rows;
  if (!section_find(list, section_name)) return FLOC_OK;
  floc_status status = section_expect(list, section_name, "f64", UINT64_MAX, ROW, &rows);
  for (uint64_t k = 0; status == FLOC_OK && k < rows->rows; k++) {
    grain_shape made;
    int32_t number;
    const double *row = (const double *)rows->data + ROW * k;
    if (dimension == 3 && row[0] <= -4.0 && row[0] >= -POLYHEDRON_CORNERS && row[0] == floor(row[0])) {
      made = (grain_shape){.count = (int32_t)-row[0], .rounding = row[1]};
      status = read_points(list, count_polyhedra(all), &made);
    } else {
      status = read_row(list->env, dimension, (int)k + 1, row, &made);
    }
    if (status == FLOC_OK) status = grain_shapes_add(list->env, all, &made, &number);
  }
  return status;
}
