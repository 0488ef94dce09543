/*
 * Shapes that are put together from plates: polyline, box, funnel, wheel, container.
 *
 * A plate is a segment in 2-D and two triangles in 3-D, thickened by half of the thickness. Plates that meet
 * are given the same end points, computed once, bit for bit: their rounded ends cover each other, so nothing
 * gets through a corner. They are made in a frame of their own, whose y axis points up: in 3-D the wheel turns
 * about z, funnel and container are open towards +y. An axis turns that frame: points go through three directions
 * at right angles, and equal corners stay equal. Along coordinate axes, the directions are exact.
 *
 * Widths called inner are free widths: plates lie half a thickness outside of them. The box and the polyline
 * give the middle of their plates.
 */
#include "geometry/shape.h"

#include "base/fields.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double TURN = 6.283185307179586476925;

/* ---- writing plates ---- */

typedef struct plate_list {
  floc_shape *shapes;
  int32_t capacity;
  int32_t count;
  double radius;
} plate_list;

static floc_shape *add(plate_list *list, int32_t kind, double radius)
{
  int32_t place = list->count++;
  if (place >= list->capacity) return NULL;
  floc_shape *added = &list->shapes[place];
  *added = (floc_shape){.struct_size = sizeof *added, .kind = kind, .radius = radius};
  return added;
}

static void add_segment(plate_list *list, const double a[3], const double b[3])
{
  floc_shape *added = add(list, FLOC_SHAPE_SEGMENT, list->radius);
  if (!added) return;
  memcpy(added->points[0], a, sizeof added->points[0]);
  memcpy(added->points[1], b, sizeof added->points[1]);
}

static void add_triangle(plate_list *list, const double a[3], const double b[3], const double c[3])
{
  floc_shape *added = add(list, FLOC_SHAPE_TRIANGLE, list->radius);
  if (!added) return;
  memcpy(added->points[0], a, sizeof added->points[0]);
  memcpy(added->points[1], b, sizeof added->points[1]);
  memcpy(added->points[2], c, sizeof added->points[2]);
}

/* Corners in order around the plate. */
static void add_quadrangle(plate_list *list, const double a[3], const double b[3], const double c[3],
                           const double d[3])
{
  add_triangle(list, a, b, c);
  add_triangle(list, a, c, d);
}

/* ---- polyline ---- */

static floc_status check_polyline(environment *env, const floc_compound *line, int32_t dimension)
{
  int32_t least = line->closed ? 3 : 2;
  if (dimension != 2) {
    return refuse(env, FLOC_NOT_SUPPORTED, "polylines exist in two dimensions only; this world has three");
  }
  if (!line->points) return refuse(env, FLOC_INVALID_ARGUMENT, "polyline: points is NULL");
  if (line->point_count < least) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "polyline: point_count is %d; it must be at least %d%s",
                  (int)line->point_count, (int)least, line->closed ? " when closed" : "");
  }
  for (int64_t k = 0; k < 2 * (int64_t)line->point_count; k++) {
    if (isfinite(line->points[k])) continue;
    return refuse(env, FLOC_INVALID_ARGUMENT, "polyline: the %c of point %d is %g; it must be finite",
                  k % 2 ? 'y' : 'x', (int)(k / 2), line->points[k]);
  }
  int32_t pieces = line->closed ? line->point_count : line->point_count - 1;
  for (int32_t k = 0; k < pieces; k++) {
    const double *a = line->points + 2 * (int64_t)k;
    const double *b = line->points + 2 * (int64_t)((k + 1) % line->point_count);
    if (a[0] != b[0] || a[1] != b[1]) continue;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "polyline: points %d and %d are both (%g, %g); neighbours must differ", (int)k,
                  (int)((k + 1) % line->point_count), a[0], a[1]);
  }
  return FLOC_OK;
}

static void make_polyline(const floc_compound *line, plate_list *list)
{
  int32_t pieces = line->closed ? line->point_count : line->point_count - 1;
  for (int32_t k = 0; k < pieces; k++) {
    const double *a = line->points + 2 * (int64_t)k;
    const double *b = line->points + 2 * (int64_t)((k + 1) % line->point_count);
    add_segment(list, (double[3]){a[0], a[1], 0.0}, (double[3]){b[0], b[1], 0.0});
  }
}

/* ---- box and container: faces of a cuboid ---- */

/* Corner number k of the box: bit 0 chooses x, bit 1 y, bit 2 z. */
static void corner_of(const double lower[3], const double upper[3], int k, double corner[3])
{
  for (int axis = 0; axis < 3; axis++) corner[axis] = k >> axis & 1 ? upper[axis] : lower[axis];
}

static void make_faces(const double lower[3], const double upper[3], int32_t dimension, bool has_lid,
                       plate_list *list)
{
  static const int edge[4][2] = {{0, 1}, {2, 0}, {1, 3}, {3, 2}}; /* floor, left, right, lid */
  static const int face[6][4] = {{0, 1, 5, 4}, {0, 4, 6, 2}, {1, 3, 7, 5},
                                 {0, 2, 3, 1}, {4, 5, 7, 6}, {2, 6, 7, 3}};
  double corner[8][3];
  for (int k = 0; k < 8; k++) corner_of(lower, upper, k, corner[k]);
  if (dimension == 2) {
    for (int k = 0; k < (has_lid ? 4 : 3); k++) add_segment(list, corner[edge[k][0]], corner[edge[k][1]]);
    return;
  }
  for (int k = 0; k < (has_lid ? 6 : 5); k++)
    add_quadrangle(list, corner[face[k][0]], corner[face[k][1]], corner[face[k][2]], corner[face[k][3]]);
}

static floc_status check_box(environment *env, const floc_compound *box, int32_t dimension)
{
  for (int k = 0; k < dimension; k++) {
    if (isfinite(box->lower[k]) && isfinite(box->upper[k]) && box->lower[k] < box->upper[k]) continue;
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "box: lower[%d] is %g and upper[%d] is %g; both must be finite and upper above lower", k,
                  box->lower[k], k, box->upper[k]);
  }
  return FLOC_OK;
}

static void make_box(const floc_compound *box, int32_t dimension, plate_list *list)
{
  double lower[3] = {box->lower[0], box->lower[1], dimension == 3 ? box->lower[2] : 0.0};
  double upper[3] = {box->upper[0], box->upper[1], dimension == 3 ? box->upper[2] : 0.0};
  make_faces(lower, upper, dimension, true, list);
}

/* The rim, the upper end of the plates' middle, is at the height. */
static void make_container(const floc_compound *pot, int32_t dimension, plate_list *list)
{
  double out = list->radius;
  double x = 0.5 * pot->width + out, z = dimension == 3 ? 0.5 * pot->depth + out : 0.0;
  make_faces((double[3]){-x, -out, 0.0 - z}, (double[3]){x, pot->height, z}, dimension, false, list);
}

/* ---- funnel ---- */

static floc_status check_funnel(environment *env, const floc_compound *funnel, int32_t dimension)
{
  if (!(isfinite(funnel->top) && funnel->top > funnel->bottom))
    return refuse(env, FLOC_INVALID_ARGUMENT, "funnel: top is %g; it must be finite and above bottom, which is %g",
                  funnel->top, funnel->bottom);
  if (dimension == 2) return FLOC_OK;
  return fields_check_value(env, &struct_compound, "facets", funnel->facets);
}

/* Corner k of a regular polygon of n corners; k and k + n give the same, bit for bit. */
static void polygon_corner(double radius, int32_t k, int32_t n, double *along, double *across)
{
  double angle = TURN * (double)(k % n) / (double)n;
  *along = radius * floc_cos(angle);
  *across = radius * floc_sin(angle);
}

/* Half a thickness is added to the half widths along the horizontal: the rounded ends then leave exactly the
 * given widths free, at the outlet and at the top. In 3-D the given widths are those across the flats, so
 * that a ball of the outlet's width fits through. */
static void make_funnel(const floc_compound *funnel, int32_t dimension, plate_list *list)
{
  double low = 0.5 * funnel->bottom + list->radius, high = 0.5 * funnel->top + list->radius;
  if (dimension == 2) {
    add_segment(list, (double[3]){-high, funnel->height, 0.0}, (double[3]){-low, 0.0, 0.0});
    add_segment(list, (double[3]){low, 0.0, 0.0}, (double[3]){high, funnel->height, 0.0});
    return;
  }
  int32_t n = funnel->facets;
  double to_corner = 1.0 / floc_cos(0.5 * TURN / (double)n);
  for (int32_t k = 0; k < n; k++) {
    double a[3], b[3], c[3], d[3];
    a[1] = b[1] = funnel->height;
    c[1] = d[1] = 0.0;
    polygon_corner(high * to_corner, k, n, &a[0], &a[2]);
    polygon_corner(high * to_corner, k + 1, n, &b[0], &b[2]);
    polygon_corner(low * to_corner, k + 1, n, &c[0], &c[2]);
    polygon_corner(low * to_corner, k, n, &d[0], &d[2]);
    if (low > 0.0)
      add_quadrangle(list, a, b, c, d);
    else
      add_triangle(list, a, b, c);
  }
}

/* ---- wheel ---- */

static floc_status check_wheel(environment *env, const floc_compound *wheel, int32_t dimension)
{
  double room = wheel->radius - 0.5 * wheel->thickness;
  if (!(wheel->hub >= 0.0 && wheel->hub < room)) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "wheel: hub is %g; it must be at least 0 and below radius less half the thickness, which is %g",
                  wheel->hub, room);
  }
  if (dimension == 2) return FLOC_OK;
  if (!(isfinite(wheel->width) && wheel->width > wheel->thickness)) {
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "wheel: width is %g; it must be finite and above the thickness, which is %g", wheel->width,
                  wheel->thickness);
  }
  return wheel->hub > 0.0 ? fields_check_value(env, &struct_compound, "facets", wheel->facets) : FLOC_OK;
}

/* A closed cylinder around the z axis: flat faces without thickness, their corners at the radius. */
static void make_hub(const floc_compound *wheel, plate_list *list)
{
  double half_width = 0.5 * wheel->width;
  const double front[3] = {0.0, 0.0, half_width}, back[3] = {0.0, 0.0, -half_width};
  list->radius = 0.0;
  for (int32_t k = 0; k < wheel->facets; k++) {
    double a[3], b[3], c[3], d[3];
    polygon_corner(wheel->hub, k, wheel->facets, &a[0], &a[1]);
    polygon_corner(wheel->hub, k + 1, wheel->facets, &b[0], &b[1]);
    memcpy(c, b, sizeof c);
    memcpy(d, a, sizeof d);
    a[2] = b[2] = half_width;
    c[2] = d[2] = -half_width;
    add_quadrangle(list, a, b, c, d);
    add_triangle(list, front, a, b);
    add_triangle(list, back, c, d);
  }
}

/* Paddles reach from the hub (in 3-D from the middle of its flats, so that no gap is left) to where their
 * rounded end is at the radius. */
static void make_wheel(const floc_compound *wheel, int32_t dimension, plate_list *list)
{
  double outer = wheel->radius - list->radius, half_width = 0.5 * wheel->width - list->radius;
  double inner = wheel->hub;
  if (dimension == 3 && wheel->hub > 0.0) inner *= floc_cos(0.5 * TURN / (double)wheel->facets);
  for (int32_t k = 0; k < wheel->paddles; k++) {
    double angle = TURN * (double)k / (double)wheel->paddles;
    double x = floc_cos(angle), y = floc_sin(angle), z = dimension == 3 ? half_width : 0.0;
    double a[3] = {inner * x, inner * y, z}, b[3] = {outer * x, outer * y, z};
    if (dimension == 2) {
      add_segment(list, a, b);
      continue;
    }
    double c[3] = {b[0], b[1], -z}, d[3] = {a[0], a[1], -z};
    add_quadrangle(list, a, b, c, d);
  }
  if (wheel->hub <= 0.0) return;
  if (dimension == 2)
    add(list, FLOC_SHAPE_SPHERE, wheel->hub);
  else
    make_hub(wheel, list);
}

/* ---- the axis ---- */

static const double ALONG_X[3] = {1.0, 0.0, 0.0}, ALONG_Y[3] = {0.0, 1.0, 0.0}, DOWN[3] = {0.0, -1.0, 0.0};

static bool has_axis(const floc_compound *compound)
{
  return compound->axis[0] != 0.0 || compound->axis[1] != 0.0 || compound->axis[2] != 0.0;
}

static void make_unit(double v[3])
{
  double greatest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  for (int k = 0; k < 3; k++) v[k] /= greatest;
  double length = vector_length(v);
  for (int k = 0; k < 3; k++) v[k] /= length;
}

/* What the directions x, y, z of the compound's own frame become; see floc_compound in floc.h. */
static void directions(const floc_compound *compound, double frame[3][3])
{
  bool turns = compound->kind == FLOC_COMPOUND_WHEEL;
  double *axis = frame[turns ? 2 : 1], *third = frame[turns ? 1 : 2];
  memcpy(axis, compound->axis, sizeof frame[0]);
  make_unit(axis);
  bool along_x = fabs(axis[0]) > fabs(axis[1]) && fabs(axis[0]) > fabs(axis[2]);
  const double *across = !along_x ? ALONG_X : turns ? ALONG_Y : DOWN;
  vector_cross(turns ? axis : across, turns ? across : axis, third);
  make_unit(third);
  vector_cross(turns ? third : axis, turns ? axis : third, frame[0]);
}

static void turn(const floc_compound *compound, floc_shape *shapes, int32_t count)
{
  double frame[3][3];
  directions(compound, frame);
  for (int32_t k = 0; k < count; k++)
    for (int p = 0; p < 3; p++) {
      double *point = shapes[k].points[p], own[3] = {point[0], point[1], point[2]};
      for (int c = 0; c < 3; c++) point[c] = own[0] * frame[0][c] + own[1] * frame[1][c] + own[2] * frame[2][c];
    }
}

static floc_status check_axis(environment *env, const floc_compound *compound, int32_t dimension)
{
  if (!has_axis(compound)) return FLOC_OK;
  if (compound->kind == FLOC_COMPOUND_POLYLINE || compound->kind == FLOC_COMPOUND_BOX)
    return refuse(env, FLOC_INVALID_ARGUMENT, "axis is given; polylines and boxes have none");
  if (dimension == 3) return FLOC_OK;
  if (compound->kind == FLOC_COMPOUND_WHEEL)
    return refuse(env, FLOC_INVALID_ARGUMENT, "wheel: axis is given; in two dimensions a wheel turns in the plane");
  if (compound->axis[2] == 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "axis[2] is %g; in two dimensions it must be 0", compound->axis[2]);
}

/* ---- all of them ---- */

static floc_status check_compound(environment *env, const floc_compound *compound, int32_t dimension)
{
  floc_status status = fields_check(env, &struct_compound, compound);
  if (status == FLOC_OK) status = check_axis(env, compound, dimension);
  if (status != FLOC_OK) return status;
  switch (compound->kind) {
  case FLOC_COMPOUND_POLYLINE:
    return check_polyline(env, compound, dimension);
  case FLOC_COMPOUND_BOX:
    return check_box(env, compound, dimension);
  case FLOC_COMPOUND_FUNNEL:
    return check_funnel(env, compound, dimension);
  case FLOC_COMPOUND_WHEEL:
    return check_wheel(env, compound, dimension);
  default:
    return dimension == 3 ? fields_check_value(env, &struct_compound, "depth", compound->depth) : FLOC_OK;
  }
}

floc_status compound_shapes(environment *env, const floc_compound *compound, int32_t dimension, floc_shape *shapes,
                            int32_t capacity, int32_t *count)
{
  floc_status status = check_compound(env, compound, dimension);
  if (status != FLOC_OK) return status;
  plate_list list = {shapes, capacity, 0, 0.5 * compound->thickness};
  switch (compound->kind) {
  case FLOC_COMPOUND_POLYLINE:
    make_polyline(compound, &list);
    break;
  case FLOC_COMPOUND_BOX:
    make_box(compound, dimension, &list);
    break;
  case FLOC_COMPOUND_FUNNEL:
    make_funnel(compound, dimension, &list);
    break;
  case FLOC_COMPOUND_WHEEL:
    make_wheel(compound, dimension, &list);
    break;
  default:
    make_container(compound, dimension, &list);
    break;
  }
  if (has_axis(compound)) turn(compound, shapes, list.count < capacity ? list.count : capacity);
  *count = list.count;
  return FLOC_OK;
}
