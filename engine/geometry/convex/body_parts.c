/*
 * Contacts of bodies with each other: parts in the plane, and rows of parts. See body_parts.h.
 */
#include "geometry/convex/body_parts.h"

#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double same_place = 1e-9; /* over the size of a part */
static const double straight = 1e-12;  /* a corner that turns the wrong way by that much over lengths is none */

/* ---- parts ---- */

static bool same_point(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1];
}

/* Of a corner: above 0 where it turns to the left. */
static double turn_at(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

/* Is all of it on the left of every edge? */
static bool is_convex(double (*corner)[2], int32_t count)
{
  for (int32_t k = 0; k < count; k++) {
    const double *a = corner[k], *b = corner[(k + 1) % count];
    const double length = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
    for (int32_t m = 0; m < count; m++)
      if (turn_at(a, b, corner[m]) < -straight * length) return false;
  }
  return true;
}

static void reverse(double (*corner)[2], int32_t count)
{
  for (int32_t k = 0; k < count / 2; k++)
    for (int axis = 0; axis < 2; axis++) {
      const double kept = corner[k][axis];
      corner[k][axis] = corner[count - 1 - k][axis];
      corner[count - 1 - k][axis] = kept;
    }
}

/* May shape m belong to an outline that begins with shape k? */
static bool goes_on(const bodies *all, int32_t k, int32_t m)
{
  const shape *one = &all->world[m], *first = &all->world[k];
  return m < all->shape_count && one->body == first->body && shape_core_points(one) == 2 &&
         one->radius == first->radius && one->own_material == first->own_material;
}

/* The unused shape among the next ones one of whose ends is there; -1: none. */
static int32_t find_next(const bodies *all, int32_t k, unsigned used, const double end[3], int *from)
{
  for (int32_t m = k + 1; m < k + CONVEX_CORNERS && goes_on(all, k, m); m++)
    for (int side = 0; side < 2 && !(used >> (m - k) & 1u); side++) {
      if (!same_point(all->local[m].point[side], end)) continue;
      *from = side;
      return m;
    }
  return -1;
}

/* Segments from shape k on, one after another in some order, that come back to its start: their number if they are
 * a convex outline, whose corners stand counterclockwise then; else 0. */
static int32_t find_outline(const bodies *all, int32_t k, double (*corner)[2])
{
  unsigned used = 1;
  int32_t count = 1;
  const double *end = all->local[k].point[1];
  memcpy(corner[0], all->world[k].point[0], sizeof corner[0]);
  while (!same_point(end, all->local[k].point[0])) {
    int from = 0;
    const int32_t m = find_next(all, k, used, end, &from);
    if (m < 0) return 0;
    memcpy(corner[count++], all->world[m].point[from], sizeof corner[0]);
    used |= 1u << (m - k);
    end = all->local[m].point[1 - from];
  }
  if (count < 3 || used != (1u << count) - 1u) return 0; /* others of the body stand between them */
  if (is_convex(corner, count)) return count;
  reverse(corner, count);
  return is_convex(corner, count) ? count : 0;
}

static void finish_part(body_part *part, double (*corner)[2], double (*normal)[2])
{
  for (int axis = 0; axis < 2; axis++) {
    double sum = 0.0;
    for (int32_t k = 0; k < part->count; k++) sum += corner[k][axis];
    part->center[axis] = sum / part->count;
    for (int32_t k = 0; k < part->count; k++) corner[k][axis] -= part->center[axis];
  }
  part->farthest = 0.0;
  for (int32_t k = 0; k < part->count; k++) {
    const double *next = corner[(k + 1) % part->count], along[2] = {next[0] - corner[k][0], next[1] - corner[k][1]};
    const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
    part->farthest = fmax(part->farthest, sqrt(corner[k][0] * corner[k][0] + corner[k][1] * corner[k][1]));
    normal[k][0] = length > 0.0 ? along[1] / length : 1.0;
    normal[k][1] = length > 0.0 ? -along[0] / length : 0.0;
  }
}

/* The part that begins with shape k; the number of its shapes. */
static int32_t make_part(const bodies *all, int32_t k, double (*corner)[2], double (*normal)[2], body_part *part)
{
  const shape *one = &all->world[k];
  *part = (body_part){.body = one->body, .shape = k, .shapes = 1, .form = -1, .rounding = one->radius};
  const int32_t points = shape_core_points(one), outline = points == 2 ? find_outline(all, k, corner) : 0;
  part->count = outline;
  if (outline == 0 && !convex_knows_wall(one)) part->count = -1;
  if (outline == 0 && points > 0) {
    part->count = points;
    for (int32_t p = 0; p < points; p++) memcpy(corner[p], one->point[p], sizeof corner[p]);
  }
  if (part->count > 0) finish_part(part, corner, normal);
  if (outline > 0) part->shapes = outline;
  return part->shapes;
}

static void sort_by_body(body_parts *made)
{
  memset(made->first, 0, ((size_t)made->of->count + 1) * sizeof *made->first);
  for (int32_t k = 0; k < made->count; k++) made->first[made->part[k].body + 1]++;
  for (int32_t k = 0; k < made->of->count; k++) made->first[k + 1] += made->first[k];
  for (int32_t k = 0; k < made->count; k++) made->order[made->first[made->part[k].body]++] = k;
  memmove(made->first + 1, made->first, (size_t)made->of->count * sizeof *made->first);
  made->first[0] = 0;
}

static bool allocate(arena *scratch, body_parts *made)
{
  const size_t shapes = (size_t)made->of->shape_count, owners = (size_t)made->of->count;
  made->part = arena_allocate(scratch, shapes, sizeof *made->part);
  made->order = arena_allocate(scratch, shapes, sizeof *made->order);
  made->of_shape = arena_allocate(scratch, shapes, sizeof *made->of_shape);
  made->first = arena_allocate(scratch, owners + 1, sizeof *made->first);
  bool complete = made->part && made->order && made->of_shape && made->first;
  if (made->of->dimension == 2) {
    made->corner = arena_allocate(scratch, 2 * shapes + CONVEX_CORNERS, sizeof *made->corner);
    made->normal = arena_allocate(scratch, 2 * shapes + CONVEX_CORNERS, sizeof *made->normal);
    return complete && made->corner && made->normal;
  }
  /* a closed mesh has less than two corners and faces together for each of its triangles */
  made->place = arena_allocate(scratch, 3 * shapes + POLYHEDRON_CORNERS + POLYHEDRON_FACES, sizeof *made->place);
  made->box = arena_allocate(scratch, owners, sizeof *made->box);
  return complete && made->place && made->box;
}

/* Infinite where a part has no end. */
static void find_boxes(body_parts *made)
{
  for (int32_t k = 0; k < made->of->count; k++)
    for (int axis = 0; axis < 3; axis++) {
      made->box[k][0][axis] = INFINITY;
      made->box[k][1][axis] = -INFINITY;
    }
  for (int32_t p = 0; p < made->count; p++) {
    const body_part *part = &made->part[p];
    double(*box)[3] = made->box[part->body];
    for (int axis = 0; axis < 3; axis++) {
      if (part->count <= 0) {
        box[0][axis] = -INFINITY;
        box[1][axis] = INFINITY;
      }
      for (int32_t k = 0; k < part->count; k++) {
        const double at = part->center[axis] + made->place[part->begin + k][axis];
        box[0][axis] = fmin(box[0][axis], at - part->rounding);
        box[1][axis] = fmax(box[1][axis], at + part->rounding);
      }
    }
  }
}

floc_status body_parts_make(arena *scratch, body_forms *forms, const bodies *all, body_parts *made)
{
  *made = (body_parts){.of = all, .forms = forms};
  if (!allocate(scratch, made)) return FLOC_OUT_OF_MEMORY;
  if (forms->count > all->shape_count) forms->count = 0; /* most are of bodies that have been removed */
  int32_t at = 0;
  for (int32_t k = 0; k < all->shape_count;) {
    body_part *part = &made->part[made->count++];
    int32_t used;
    if (all->dimension == 2) {
      make_part(all, k, made->corner + at, made->normal + at, part);
      used = part->count > 0 ? part->count : 0;
    } else {
      floc_status status = body_solid_make(all, forms, k, made->place + at, part, &used);
      if (status != FLOC_OK) return status;
    }
    for (const int32_t end = k + part->shapes; k < end; k++) made->of_shape[k] = made->count - 1;
    part->begin = at;
    at += used;
  }
  sort_by_body(made);
  if (all->dimension == 3) find_boxes(made);
  return FLOC_OK;
}

/* ---- two parts ---- */

static convex_core core_of(const body_parts *parts, const body_part *part)
{
  return (convex_core){part->count, (const double(*)[2])(parts->corner + part->begin),
                       (const double(*)[2])(parts->normal + part->begin), part->rounding};
}

static grain_core grain_core_of_part(const body_parts *parts, const body_part *part)
{
  if (parts->of->dimension == 3) return body_solid_core(parts, part);
  return (grain_core){.dimension = 2, .plane = core_of(parts, part)};
}

static bool is_filled(const body_parts *parts, const body_part *part)
{
  return parts->of->dimension == 2 ? part->count > 2 : part->form >= 0;
}

static bool are_sheets(const body_parts *parts, const body_part *a, const body_part *b)
{
  return parts->of->dimension == 3 && a->count == 3 && b->count == 3 && a->form < 0 && b->form < 0;
}

bool body_parts_know(const body_parts *parts, int32_t a, int32_t b)
{
  const body_part *first = &parts->part[a], *second = &parts->part[b];
  if (first->count < 0 || second->count < 0 || are_sheets(parts, first, second)) return false;
  if (first->count == 0 || second->count == 0) return first->count + second->count > 0;
  return first->rounding + second->rounding > 0.0 || is_filled(parts, first) || is_filled(parts, second);
}

const char *body_parts_unknown(const body_parts *parts, int32_t a, int32_t b)
{
  const body_part *first = &parts->part[a], *second = &parts->part[b];
  if (are_sheets(parts, first, second)) return "and neither belongs to a closed convex mesh of up to 32 corners";
  return first->count > 1 && second->count > 1 ? "and both have no thickness" : "of which no contacts are known";
}

/* Two circles or balls. */
static int32_t rows_of_circles(const body_part *a, const body_part *b, double reach, convex_row *row)
{
  double way[3];
  vector_difference(b->center, a->center, way);
  const double length = vector_length(way), distance = length - a->rounding - b->rounding;
  if (!(distance <= reach)) return 0;
  *row = (convex_row){.distance = distance, .normal = {1.0, 0.0, 0.0}};
  for (int axis = 0; axis < 3; axis++) {
    if (length > 0.0) row->normal[axis] = way[axis] / length;
    row->first[axis] = a->rounding * row->normal[axis];
    row->second[axis] = -b->rounding * row->normal[axis];
  }
  return 1;
}

/* A core against a plane or the inside of a circle or ball. */
static int32_t rows_of_wall(const body_parts *parts, const body_part *core, const body_part *wall, double reach,
                            convex_row *rows)
{
  const shape *surface = &parts->of->world[wall->shape];
  const grain_core own = grain_core_of_part(parts, core);
  double normal[3], nearest[3];
  if (shape_distance(surface, parts->of->dimension, core->center, normal, nearest) >
      core->farthest + core->rounding + reach)
    return 0;
  return grain_wall_rows(surface, &own, core->center, reach, rows);
}

static void place_row(const convex_row *from, const body_part *a, const body_part *b, bool wall, body_row *row)
{
  row->distance = from->distance;
  for (int side = 0; side < 2; side++) row->feature[side] = from->feature[side];
  for (int axis = 0; axis < 3; axis++) {
    row->normal[axis] = from->normal[axis];
    row->point[0][axis] = a->center[axis] + from->first[axis];
    row->point[1][axis] =
        wall ? row->point[0][axis] + from->distance * from->normal[axis] : b->center[axis] + from->second[axis];
  }
}

static void turn_round(body_row *row)
{
  for (int axis = 0; axis < 3; axis++) {
    const double kept = row->point[0][axis];
    row->point[0][axis] = row->point[1][axis];
    row->point[1][axis] = kept;
    row->normal[axis] = -row->normal[axis];
  }
  const int32_t kept = row->feature[0];
  row->feature[0] = row->feature[1];
  row->feature[1] = kept;
}

static int32_t find_rows(const body_parts *parts, int32_t first, int32_t second, double reach, body_row *to)
{
  const body_part *a = &parts->part[first], *b = &parts->part[second];
  convex_row rows[CONVEX_ROWS];
  int32_t count;
  const bool wall = a->count == 0 || b->count == 0, turned = a->count == 0;
  if (!body_parts_know(parts, first, second)) return 0;
  if (wall) {
    count = rows_of_wall(parts, turned ? b : a, turned ? a : b, reach, rows);
  } else if (a->count == 1 && b->count == 1) {
    count = rows_of_circles(a, b, reach, rows);
  } else {
    const grain_core own = grain_core_of_part(parts, a), other = grain_core_of_part(parts, b);
    double way[3];
    const double apart = a->farthest + b->farthest + a->rounding + b->rounding + reach;
    vector_difference(b->center, a->center, way);
    if (vector_dot(way, way) > apart * apart) return 0;
    count = convex_kept(grain_rows(&own, &other, way, reach, rows));
  }
  for (int32_t k = 0; k < count; k++) {
    place_row(&rows[k], turned ? b : a, turned ? a : b, wall, &to[k]);
    if (turned) turn_round(&to[k]);
    to[k].part[0] = first;
    to[k].part[1] = second;
  }
  return count;
}

/* ---- rows that say the same ---- */

static bool are_close(const double a[3], const double b[3], double distance)
{
  return fabs(a[0] - b[0]) <= distance && fabs(a[1] - b[1]) <= distance && fabs(a[2] - b[2]) <= distance;
}

/* The core's point that a row is about. */
static void core_point(const body_parts *parts, const body_row *row, int side, double point[3])
{
  const double way = (side == 0 ? -1.0 : 1.0) * parts->part[row->part[side]].rounding;
  for (int axis = 0; axis < 3; axis++) point[axis] = row->point[side][axis] + way * row->normal[axis];
}

static bool lies_on(const body_parts *parts, const body_part *part, const double point[3], double distance)
{
  if (part->count != 2) return false;
  double normal[3], nearest[3];
  return shape_distance(&parts->of->world[part->shape], 2, point, normal, nearest) + part->rounding <= distance;
}

/* Of two lines' ends: another line of the same body continues from `side`'s end and is nearer to the other's end.
 */
static bool is_beside(const body_parts *parts, const body_row *row, const body_row *nearer, int side, double close)
{
  double end[3], other[3], its[3];
  if (row->feature[0] >= CONVEX_EDGE || row->feature[1] >= CONVEX_EDGE) return false;
  if (nearer->part[side] == row->part[side] || !(nearer->distance < row->distance)) return false;
  core_point(parts, row, 1 - side, other);
  core_point(parts, nearer, 1 - side, its);
  if (!are_close(other, its, close)) return false;
  core_point(parts, row, side, end);
  return lies_on(parts, &parts->part[nearer->part[side]], end, close);
}

static int32_t drop_repeated(const body_parts *parts, body_row *rows, int32_t count)
{
  bool dropped[BODY_ROWS] = {false};
  for (int32_t k = 0; k < count; k++) {
    const body_part *a = &parts->part[rows[k].part[0]], *b = &parts->part[rows[k].part[1]];
    const double close = same_place * (a->farthest + b->farthest + a->rounding + b->rounding);
    for (int32_t m = 0; m < count && !dropped[k]; m++) {
      if (m == k) continue;
      const bool same = m < k && are_close(rows[m].point[0], rows[k].point[0], close) &&
                        are_close(rows[m].point[1], rows[k].point[1], close);
      dropped[k] = same;
      for (int side = 0; side < 2 && !dropped[k]; side++)
        dropped[k] = parts->of->dimension == 2
                         ? is_beside(parts, &rows[k], &rows[m], side, close)
                         : body_solid_is_beside(parts, &rows[k], &rows[m], m > k, side, close);
    }
  }
  int32_t left = 0;
  for (int32_t k = 0; k < count; k++)
    if (!dropped[k]) rows[left++] = rows[k];
  return left;
}

static bool may_touch(const body_parts *parts, int32_t first, int32_t second, double reach)
{
  if (parts->of->dimension == 2) return true;
  double(*a)[3] = parts->box[first], (*b)[3] = parts->box[second];
  for (int axis = 0; axis < 3; axis++)
    if (a[0][axis] - b[1][axis] > reach || b[0][axis] - a[1][axis] > reach) return false;
  return true;
}

floc_status body_rows_find(const body_parts *parts, int32_t first, int32_t second, double reach,
                           body_row rows[BODY_ROWS], int32_t *count)
{
  int32_t found = 0, pairs = 0;
  *count = 0;
  if (!may_touch(parts, first, second, reach)) return FLOC_OK;
  for (int32_t i = parts->first[first]; i < parts->first[first + 1]; i++)
    for (int32_t j = parts->first[second]; j < parts->first[second + 1]; j++) {
      body_row more[CONVEX_ROWS];
      const int32_t added = find_rows(parts, parts->order[i], parts->order[j], reach, more);
      if (found + added > BODY_ROWS)
        return refuse(parts->of->env, FLOC_LIMIT_EXCEEDED,
                      "bodies %d (%s) and %d (%s) touch at more than %d corners; the limit is %d", (int)first,
                      body_label(&parts->of->body[first]), (int)second, body_label(&parts->of->body[second]),
                      BODY_ROWS, BODY_ROWS);
      memcpy(rows + found, more, (size_t)added * sizeof *more);
      found += added;
      pairs += added > 0;
    }
  *count = pairs > 1 ? drop_repeated(parts, rows, found) : found;
  return FLOC_OK;
}
