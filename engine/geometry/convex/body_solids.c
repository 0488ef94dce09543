/*
 * Parts of bodies in space. See body_parts.h.
 *
 * Triangles one behind the other are a filled polyhedron if they close: from the first on, until every edge has two
 * of them; if each of their corners is a corner of the hull of all; and if they enclose its volume. The hull is
 * found once for the same corners.
 */
#include "geometry/convex/body_parts.h"

#include "geometry/vector.h"

#include <math.h>
#include <string.h>

static const double same_volume = 1e-9; /* of the hull's */

/* Triangles, one behind the other, by their corners. */
typedef struct closed_mesh {
  int32_t triangles, corners;
  uint8_t of[POLYHEDRON_FACES][3];
  const double *local[POLYHEDRON_CORNERS], *world[POLYHEDRON_CORNERS];
} closed_mesh;

void body_forms_free(environment *env, body_forms *forms)
{
  array_free(env, (void **)&forms->form, &forms->capacity, sizeof *forms->form);
  forms->count = 0;
}

/* ---- closed meshes ---- */

/* The number of the corner, a new one's too; -1: there are too many. */
static int32_t corner_number(closed_mesh *mesh, const double *local, const double *world)
{
  for (int32_t k = 0; k < mesh->corners; k++)
    if (memcmp(mesh->local[k], local, 3 * sizeof *local) == 0) return k;
  if (mesh->corners == POLYHEDRON_CORNERS) return -1;
  mesh->local[mesh->corners] = local;
  mesh->world[mesh->corners] = world;
  return mesh->corners++;
}

/* Adds shape m, and counts the edges that have one triangle only; -1: it cannot belong to it. */
static int32_t add_triangle(const bodies *all, int32_t k, int32_t m, closed_mesh *mesh,
                            uint8_t edge[POLYHEDRON_CORNERS][POLYHEDRON_CORNERS], int32_t open)
{
  const shape *one = &all->world[m], *first = &all->world[k];
  uint8_t *of = mesh->of[mesh->triangles];
  if (mesh->triangles == POLYHEDRON_FACES || one->body != first->body || shape_core_points(one) != 3 ||
      one->radius != first->radius || one->own_material != first->own_material)
    return -1;
  for (int p = 0; p < 3; p++) {
    const int32_t number = corner_number(mesh, all->local[m].point[p], one->point[p]);
    if (number < 0) return -1;
    of[p] = (uint8_t)number;
  }
  mesh->triangles++;
  for (int p = 0; p < 3; p++) {
    const uint8_t a = of[p], b = of[(p + 1) % 3];
    uint8_t *seen = &edge[a < b ? a : b][a < b ? b : a];
    if (++*seen > 2) return -1;
    open += *seen == 1 ? 1 : -1;
  }
  return open;
}

static bool find_closed(const bodies *all, int32_t k, closed_mesh *mesh)
{
  uint8_t edge[POLYHEDRON_CORNERS][POLYHEDRON_CORNERS];
  int32_t open = 0;
  mesh->triangles = mesh->corners = 0;
  if (shape_core_points(&all->world[k]) != 3) return false;
  memset(edge, 0, sizeof edge);
  for (int32_t m = k; m < all->shape_count; m++) {
    open = add_triangle(all, k, m, mesh, edge, open);
    if (open <= 0) return open == 0;
  }
  return false;
}

/* Corners about their mean, the farthest at 1. */
static bool scale_corners(const closed_mesh *mesh, double (*corner)[3])
{
  double mean[3] = {0.0, 0.0, 0.0}, greatest = 0.0;
  for (int32_t k = 0; k < mesh->corners; k++)
    for (int axis = 0; axis < 3; axis++) mean[axis] += mesh->local[k][axis] / mesh->corners;
  for (int32_t k = 0; k < mesh->corners; k++) {
    vector_difference(mesh->local[k], mean, corner[k]);
    greatest = fmax(greatest, vector_length(corner[k]));
  }
  for (int32_t k = 0; k < mesh->corners; k++)
    for (int axis = 0; axis < 3; axis++) corner[k][axis] /= greatest;
  return greatest > 0.0;
}

/* By the way round the first triangle; of either sign. */
static double enclosed_volume(const closed_mesh *mesh, double (*corner)[3])
{
  double sum = 0.0;
  for (int32_t t = 0; t < mesh->triangles; t++) {
    double across[3];
    vector_cross(corner[mesh->of[t][1]], corner[mesh->of[t][2]], across);
    sum += vector_dot(corner[mesh->of[t][0]], across) / 6.0;
  }
  return sum;
}

static floc_status find_form(environment *env, body_forms *forms, const closed_mesh *mesh, int32_t *number)
{
  double corner[POLYHEDRON_CORNERS][3];
  *number = -1;
  if (mesh->corners < 4 || !scale_corners(mesh, corner)) return FLOC_OK;
  const size_t size = (size_t)mesh->corners * sizeof corner[0];
  int32_t k = 0;
  while (k < forms->count &&
         (forms->form[k].solid.corners != mesh->corners || memcmp(forms->form[k].solid.corner, corner, size) != 0))
    k++;
  if (k == forms->count) {
    floc_status status =
        array_reserve(env, (void **)&forms->form, &forms->capacity, (size_t)k + 1, sizeof *forms->form);
    if (status != FLOC_OK) return status;
    forms->form[k].is_hull = polyhedron_restore((const double(*)[3])corner, mesh->corners, &forms->form[k].solid);
    forms->count++;
  }
  const body_form *form = &forms->form[k];
  const double whole = form->is_hull ? form->solid.volume[0] : 0.0;
  if (form->is_hull && fabs(fabs(enclosed_volume(mesh, corner)) - whole) <= same_volume * whole) *number = k;
  return FLOC_OK;
}

/* ---- parts ---- */

/* Newell's sum over the face's edges. */
static void face_normal(const polyhedron *form, int32_t f, double (*corner)[3], double normal[3])
{
  const int32_t begin = form->begin[f], end = form->begin[f + 1];
  const double *origin = corner[form->loop[begin]];
  for (int axis = 0; axis < 3; axis++) normal[axis] = 0.0;
  for (int32_t k = begin + 1; k + 1 < end; k++) {
    double a[3], b[3], across[3];
    vector_difference(corner[form->loop[k]], origin, a);
    vector_difference(corner[form->loop[k + 1]], origin, b);
    vector_cross(a, b, across);
    for (int axis = 0; axis < 3; axis++) normal[axis] += across[axis];
  }
  const double length = vector_length(normal);
  for (int axis = 0; axis < 3; axis++) normal[axis] /= length;
}

static void place_corners(const double *const *world, double (*space)[3], body_part *part)
{
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0.0;
    for (int32_t k = 0; k < part->count; k++) sum += world[k][axis];
    part->center[axis] = sum / part->count;
  }
  part->farthest = 0.0;
  for (int32_t k = 0; k < part->count; k++) {
    vector_difference(world[k], part->center, space[k]);
    part->farthest = fmax(part->farthest, vector_length(space[k]));
  }
}

floc_status body_solid_make(const bodies *all, body_forms *forms, int32_t k, double (*space)[3], body_part *part,
                            int32_t *used)
{
  const shape *one = &all->world[k];
  const double *world[3] = {one->point[0], one->point[1], one->point[2]};
  closed_mesh mesh;
  *part = (body_part){.body = one->body, .shape = k, .shapes = 1, .form = -1, .rounding = one->radius};
  *used = 0;
  if (!convex_knows_wall(one)) {
    part->count = -1;
    return FLOC_OK;
  }
  if (find_closed(all, k, &mesh)) {
    floc_status status = find_form(all->env, forms, &mesh, &part->form);
    if (status != FLOC_OK) return status;
  }
  if (part->form < 0) {
    *used = part->count = shape_core_points(one);
    if (part->count > 0) place_corners(world, space, part);
    return FLOC_OK;
  }
  const polyhedron *form = &forms->form[part->form].solid;
  part->count = mesh.corners;
  part->shapes = mesh.triangles;
  place_corners(mesh.world, space, part);
  for (int32_t f = 0; f < form->faces; f++) face_normal(form, f, space, space[part->count + f]);
  *used = part->count + form->faces;
  return FLOC_OK;
}

grain_core body_solid_core(const body_parts *parts, const body_part *part)
{
  const double(*place)[3] = (const double(*)[3])(parts->place + part->begin);
  if (part->form < 0)
    return (grain_core){.dimension = 3, .kind = GRAIN_CORNERED, .solid = {part->count, place, part->rounding}};
  return (grain_core){.dimension = 3,
                      .kind = GRAIN_POLYHEDRON,
                      .hull = {&parts->forms->form[part->form].solid, place, place + part->count, part->rounding}};
}

/* ---- rows that say the same ---- */

/* Any of the part's shapes. */
static bool lies_on(const body_parts *parts, const body_part *part, const double point[3], double distance)
{
  for (int32_t k = part->shape; k < part->shape + part->shapes && part->count > 0; k++) {
    double normal[3], nearest[3];
    if (shape_distance(&parts->of->world[k], 3, point, normal, nearest) <= distance) return true;
  }
  return false;
}

static bool is_corner(const body_parts *parts, const body_row *row, int side)
{
  const bool polyhedra = parts->part[row->part[0]].form >= 0 || parts->part[row->part[1]].form >= 0;
  return row->feature[side] < (polyhedra ? (int32_t)POLYHEDRON_EDGE : (int32_t)CONVEX_EDGE);
}

bool body_solid_is_beside(const body_parts *parts, const body_row *row, const body_row *nearer, bool is_later,
                          int side, double close)
{
  const int other = 1 - side;
  if (nearer->part[side] == row->part[side] || nearer->part[other] != row->part[other]) return false;
  if (nearer->feature[other] != row->feature[other] || !is_corner(parts, row, other) ||
      !is_corner(parts, nearer, other))
    return false;
  if (!(nearer->distance < row->distance || (nearer->distance == row->distance && !is_later))) return false;
  return lies_on(parts, &parts->part[nearer->part[side]], row->point[side], close);
}
