/*
 * Particles, contacts, bonds and rays of a world as datasets of VTK; bodies are in datasets_bodies.c. Particles
 * stand in the order of their ids.
 */
#include "output/datasets.h"

#include "columns_made.h"
#include "output/polyhedra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATASET_TYPE "floc.dataset"

floc_status columns_read(lua_State *L, binding *owner, particle_columns *columns)
{
  int64_t count = 0;
  floc_status status = floc_particle_ids(owner->world, &columns->ids, &columns->slots, &columns->count);
  if (status == FLOC_OK) status = column_of(L, owner, "x", &columns->x, &count);
  if (status == FLOC_OK) status = column_of(L, owner, "y", &columns->y, &count);
  if (status == FLOC_OK) status = column_of(L, owner, "z", &columns->z, &count);
  if (status == FLOC_OK) status = column_of(L, owner, "radius", &columns->radius, &count);
  return status;
}

int64_t column_slot(const particle_columns *columns, int64_t id)
{
  int64_t rank = rank_of_id(columns->ids, columns->slots, columns->count, id);
  return columns->slots[rank >= 0 ? rank : 0]; /* an id of the engine's is there */
}

static int dataset_collect(lua_State *L)
{
  vtp_free(luaL_checkudata(L, 1, DATASET_TYPE));
  return 0;
}

void dataset_register(lua_State *L)
{
  luaL_newmetatable(L, DATASET_TYPE);
  lua_pushcfunction(L, dataset_collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

vtp_dataset *dataset_new(lua_State *L, binding *owner)
{
  vtp_dataset *dataset = lua_newuserdata(L, sizeof *dataset);
  vtp_begin(dataset);
  luaL_getmetatable(L, DATASET_TYPE);
  lua_setmetatable(L, -2);
  floc_world_info info = {.struct_size = sizeof info};
  if (owner && floc_world_get_info(owner->world, &info) == FLOC_OK) {
    dataset->time = info.time;
    dataset->step = info.step;
  }
  return dataset;
}

/* ---- particles --------------------------------------------------------------------------------------- */

/* The first is where the particles are. */
static const char *const vectors[][4] = {COLUMN_VECTORS};
enum { VECTOR_COUNT = sizeof vectors / sizeof *vectors };

static bool is_part_of_vector(const char *name)
{
  for (int k = 0; k < VECTOR_COUNT; k++)
    for (int axis = 1; axis <= 3; axis++)
      if (strcmp(name, vectors[k][axis]) == 0) return true;
  return false;
}

/* A column into one component of an array that has a tuple for each particle. */
static void copy_column(lua_State *L, binding *owner, const particle_columns *columns, const char *name,
                        double *target, int32_t components)
{
  double *values = NULL;
  int64_t count = 0;
  if (!target || column_of(L, owner, name, &values, &count) != FLOC_OK) return;
  for (int64_t k = 0; k < columns->count; k++) target[k * components] = values[columns->slots[k]];
}

static void add_points(lua_State *L, vtp_dataset *dataset, binding *owner, const particle_columns *columns)
{
  double *points = vtp_numbers(dataset, &dataset->points, columns->count);
  if (!points) return;
  for (int axis = 0; axis < 3; axis++) copy_column(L, owner, columns, vectors[0][axis + 1], points + axis, 3);
  for (int64_t k = 0; k < columns->count; k++) vtp_cell(dataset, &dataset->vertices, &k, 1);
}

/* vtp_point_data or vtp_cell_data */
typedef vtp_array *new_array(vtp_dataset *dataset, const char *name, bool integer, int32_t components);

static void add_vectors(lua_State *L, vtp_dataset *dataset, binding *owner, const particle_columns *columns,
                        new_array *add)
{
  for (int k = 1; k < VECTOR_COUNT; k++) {
    vtp_array *array = add(dataset, vectors[k][0], false, 3);
    double *target = vtp_numbers(dataset, array, columns->count);
    for (int axis = 0; target && axis < 3; axis++)
      copy_column(L, owner, columns, vectors[k][axis + 1], target + axis, 3);
  }
}

/* radius, mass and the attributes; an attribute that has the name of a vector gets another one. */
static bool add_scalars(lua_State *L, vtp_dataset *dataset, binding *owner, const particle_columns *columns,
                        new_array *add)
{
  const char *name = NULL;
  for (int32_t k = 0; (name = floc_column_name(owner->world, k)) != NULL; k++) {
    if (is_part_of_vector(name)) continue;
    char shown[VTP_NAME_SIZE];
    bool taken = false;
    for (int v = 1; v < VECTOR_COUNT; v++) taken |= strcmp(name, vectors[v][0]) == 0;
    snprintf(shown, sizeof shown, "%s%s", taken ? "attribute_" : "", name);
    vtp_array *array = add(dataset, shown, false, 1);
    if (!array) return false;
    copy_column(L, owner, columns, name, vtp_numbers(dataset, array, columns->count), 1);
  }
  return true;
}

/* Their ids and all that they have. */
static int add_columns(lua_State *L, vtp_dataset *dataset, binding *owner, const particle_columns *columns,
                       new_array *add)
{
  int64_t *ids = vtp_integers(dataset, add(dataset, "id", true, 1), columns->count);
  for (int64_t k = 0; ids && k < columns->count; k++) ids[k] = columns->ids[columns->slots[k]];
  add_vectors(L, dataset, owner, columns, add);
  if (!add_scalars(L, dataset, owner, columns, add))
    return answer_text(L, FLOC_LIMIT_EXCEEDED, "there are more attributes than a file of this kind may have");
  return 0;
}

int dataset_particles(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  particle_columns columns = {.count = 0};
  floc_status status = columns_read(L, owner, &columns);
  if (status != FLOC_OK) return answer(L, owner, status);
  add_points(L, dataset, owner, &columns);
  return add_columns(L, dataset, owner, &columns, vtp_point_data);
}

/* ---- grains that are not round ------------------------------------------------------------------------- */

/* How far the chords of an arc may be from it, in radii of the circle about the grain. */
static const double chord_depth = 0.002;

enum { ELLIPSE_POINTS = 48 };

typedef struct outline_arc {
  double begin, turn; /* angles: of the side before the corner outwards, and from there to the one behind it */
  int32_t pieces;
} outline_arc;

/* The arc about one of the corners, which go round counterclockwise. */
static outline_arc arc_of(const double *corner, int64_t count, int64_t k, double rounding, double radius)
{
  const double pi = 3.14159265358979323846;
  double angle[2];
  for (int side = 0; side < 2; side++) {
    const double *from = corner + 2 * ((k + count - 1 + side) % count), *to = corner + 2 * ((k + side) % count);
    angle[side] = floc_atan2(from[0] - to[0], to[1] - from[1]);
  }
  outline_arc arc = {angle[0], count == 2 ? pi : angle[1] - angle[0], 1};
  if (arc.turn < 0.0) arc.turn += 2.0 * pi;
  const double depth = rounding > 0.0 ? chord_depth * radius / rounding : 1.0;
  if (depth < 1.0) arc.pieces = 1 + (int32_t)(0.5 * arc.turn / floc_acos(1.0 - depth));
  return arc;
}

static void add_outline(vtp_dataset *dataset, const double centre[2], const double *corner, int64_t count,
                        double rounding, double radius)
{
  int64_t added = 0;
  for (int64_t k = 0; k < count; k++) {
    const outline_arc arc = arc_of(corner, count, k, rounding, radius);
    double *points = vtp_numbers(dataset, &dataset->points, arc.pieces + 1);
    for (int32_t piece = 0; points && piece <= arc.pieces; piece++) {
      const double angle = arc.begin + arc.turn * piece / arc.pieces;
      points[3 * piece] = centre[0] + corner[2 * k] + rounding * floc_cos(angle);
      points[3 * piece + 1] = centre[1] + corner[2 * k + 1] + rounding * floc_sin(angle);
    }
    added += arc.pieces + 1;
  }
  vtp_cell_of_last(dataset, &dataset->polygons, added);
}

/* Semi-axes in the place of corners. */
static void add_ellipse(vtp_dataset *dataset, const double centre[2], const double *axis)
{
  const double pi = 3.14159265358979323846;
  double *points = vtp_numbers(dataset, &dataset->points, ELLIPSE_POINTS);
  for (int k = 0; points && k < ELLIPSE_POINTS; k++) {
    const double c = floc_cos(2.0 * pi * k / ELLIPSE_POINTS), s = floc_sin(2.0 * pi * k / ELLIPSE_POINTS);
    for (int part = 0; part < 2; part++) points[3 * k + part] = centre[part] + c * axis[part] + s * axis[2 + part];
  }
  vtp_cell_of_last(dataset, &dataset->polygons, ELLIPSE_POINTS);
}

/* ---- and in space, where they are capsules and ellipsoids ---- */

/* Bands of a surface: of a capsule PARALLELS on each end, and one between them. */
enum { MERIDIANS = 16, PARALLELS = 4, BANDS = 2 * PARALLELS + 1, SURFACE_CELLS = MERIDIANS * BANDS };

/* Two directions across the axis. */
static void frame_of(const double along[3], double across[2][3])
{
  const double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  const double a[3] = {along[0] / length, along[1] / length, along[2] / length};
  const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
  double square = 1.0 - a[least] * a[least];
  for (int k = 0; k < 3; k++) across[0][k] = ((k == least) - a[least] * a[k]) / sqrt(square);
  for (int k = 0; k < 3; k++)
    across[1][k] = a[(k + 1) % 3] * across[0][(k + 2) % 3] - a[(k + 2) % 3] * across[0][(k + 1) % 3];
}

/* A surface from pole to pole. */
typedef struct grain_surface {
  const double *centre;
  const double *corners; /* of a capsule both ends; the semi-axes of an ellipsoid */
  double rounding;       /* 0: an ellipsoid */
  double across[2][3];
} grain_surface;

/* Ring 0 is the pole of a capsule's first end, BANDS that of the second. */
static void capsule_point(const grain_surface *of, int ring, int meridian, double point[3])
{
  const double pi = 3.14159265358979323846, around = 2.0 * pi * meridian / MERIDIANS;
  const int end = ring > PARALLELS;
  const double up = 0.5 * pi * (end ? ring - 1 : ring) / PARALLELS; /* from the first pole */
  const double *ends = of->corners;
  double along[3], length = 0.0;
  for (int k = 0; k < 3; k++) {
    along[k] = ends[3 + k] - ends[k];
    length += along[k] * along[k];
  }
  for (int k = 0; k < 3; k++)
    point[k] =
        of->centre[k] + ends[3 * end + k] +
        of->rounding * (floc_sin(up) * (floc_cos(around) * of->across[0][k] + floc_sin(around) * of->across[1][k]) -
                        floc_cos(up) * along[k] / sqrt(length));
}

/* Poles are the ends of the first axis. */
static void ellipsoid_point(const grain_surface *of, int ring, int meridian, double point[3])
{
  const double pi = 3.14159265358979323846, around = 2.0 * pi * meridian / MERIDIANS, up = pi * ring / BANDS;
  const double part[3] = {-floc_cos(up), floc_sin(up) * floc_cos(around), floc_sin(up) * floc_sin(around)};
  for (int k = 0; k < 3; k++)
    point[k] =
        of->centre[k] + part[0] * of->corners[k] + part[1] * of->corners[3 + k] + part[2] * of->corners[6 + k];
}

static void add_surface(vtp_dataset *dataset, const double centre[3], const double *corners, double rounding)
{
  grain_surface of = {.centre = centre, .corners = corners, .rounding = rounding};
  void (*const point_of)(const grain_surface *, int, int, double *) =
      rounding > 0.0 ? capsule_point : ellipsoid_point;
  const double along[3] = {corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]};
  if (rounding > 0.0) frame_of(along, of.across);
  for (int ring = 0; ring < BANDS; ring++)
    for (int meridian = 0; meridian < MERIDIANS; meridian++) {
      const bool first = ring == 0, last = ring == BANDS - 1;
      const int count = first || last ? 3 : 4;
      double *points = vtp_numbers(dataset, &dataset->points, count);
      for (int p = 0; points && p < count; p++) {
        /* around the cell, seen from outside; at the poles two corners are one */
        const int up = first  ? p > 0
                       : last ? p == 2
                              : p >= 2,
                  further = first  ? p == 1
                            : last ? p == 1
                                   : p == 1 || p == 2;
        point_of(&of, ring + up, meridian + further, points + 3 * p);
      }
      vtp_cell_of_last(dataset, &dataset->polygons, count);
    }
}

/* Without surfaces: the axis of a capsule; of an ellipsoid its centre and one end of each semi-axis. */
static void add_axes(vtp_dataset *dataset, const double centre[3], const double *corners, double rounding)
{
  const int count = rounding > 0.0 ? 2 : 4;
  double *points = vtp_numbers(dataset, &dataset->points, count);
  for (int p = 0; points && p < count; p++)
    for (int k = 0; k < 3; k++) {
      const int corner = rounding > 0.0 ? p : p - 1;
      points[3 * p + k] = centre[k] + (corner < 0 ? 0.0 : corners[3 * corner + k]);
    }
  vtp_cell_of_last(dataset, &dataset->lines, count);
}

static void add_grain(vtp_dataset *dataset, const double centre[3], const double *corners, int64_t count,
                      double rounding, double radius, bool space, bool axes)
{
  if (space && axes)
    add_axes(dataset, centre, corners, rounding);
  else if (space)
    add_surface(dataset, centre, corners, rounding);
  else if (count == 2 && rounding == 0.0)
    add_ellipse(dataset, centre, corners);
  else
    add_outline(dataset, centre, corners, count, rounding, radius);
}

/* That of a particle; places: what floc_grain_corners() says of it. */
static polyhedron_view view_of(binding *owner, const double *shape, const double *rounding, int64_t slot,
                               const double *places)
{
  polyhedron_view of = {.faces = 0};
  if (owner->dimension == 3) polyhedron_view_of(owner->world, (int32_t)shape[slot], &of); /* the shape is known */
  of.place = places;
  of.rounding = rounding[slot];
  return of;
}

/* Cells of all grains. */
static int64_t count_cells(binding *owner, const particle_columns *columns, const double *shape,
                           const double *rounding, int64_t usual, bool axes)
{
  int64_t sum = 0;
  for (int64_t k = 0; k < columns->count; k++) {
    const polyhedron_view of = view_of(owner, shape, rounding, columns->slots[k], NULL);
    sum += of.faces > 0 ? polyhedron_cells(&of, axes) : usual;
  }
  return sum;
}

int dataset_grains(lua_State *L, binding *owner, bool axes, vtp_dataset *dataset)
{
  particle_columns columns = {.count = 0};
  const int64_t *begin = NULL;
  const double *corner = NULL;
  double *rounding = NULL, *shape = NULL;
  int64_t count = 0;
  floc_status status = columns_read(L, owner, &columns);
  if (status == FLOC_OK && floc_column(owner->world, "rounding", &rounding, &count) != FLOC_OK) return 0;
  if (status == FLOC_OK) status = floc_column(owner->world, "shape", &shape, &count);
  if (status == FLOC_OK) status = floc_grain_corners(owner->world, &begin, &corner, &count);
  if (status != FLOC_OK) return answer(L, owner, status);
  const bool space = owner->dimension == 3;
  const int64_t cells = space && !axes ? SURFACE_CELLS : 1; /* of a grain */
  const int64_t all = count_cells(owner, &columns, shape, rounding, cells, axes);
  int64_t *slots = lua_newuserdata(L, (size_t)(all + 1) * sizeof *slots);
  particle_columns grains = columns;
  grains.slots = slots;
  grains.count = 0;
  for (int64_t k = 0; k < columns.count; k++) {
    const int64_t slot = columns.slots[k];
    if (begin[slot + 1] - begin[slot] < 2) continue;
    const double centre[3] = {columns.x[slot], columns.y[slot], space ? columns.z[slot] : 0.0};
    polyhedron_view solid = view_of(owner, shape, rounding, slot, corner + owner->dimension * begin[slot]);
    const int64_t own = solid.faces > 0 ? polyhedron_cells(&solid, axes) : cells;
    for (int64_t cell = 0; cell < own; cell++) slots[grains.count++] = slot;
    if (solid.faces > 0) {
      solid.centre = centre;
      polyhedron_add(dataset, &solid, axes);
      continue;
    }
    add_grain(dataset, centre, corner + owner->dimension * begin[slot], begin[slot + 1] - begin[slot],
              rounding[slot], columns.radius[slot], space, axes);
  }
  const int refused = add_columns(L, dataset, owner, &grains, vtp_cell_data);
  if (!refused) lua_pop(L, 1);
  return refused;
}

/* ---- contacts ---------------------------------------------------------------------------------------- */

/* From the particle's centre to the other's, over the point of contact: a pair across a periodic face gets its
 * line where i is. */
static void contact_line(vtp_dataset *dataset, const particle_columns *columns, const floc_contact *contact)
{
  double *points = vtp_numbers(dataset, &dataset->points, 2);
  if (!points) return;
  int64_t i = column_slot(columns, contact->id_i);
  points[0] = columns->x[i];
  points[1] = columns->y[i];
  points[2] = columns->z[i];
  double reach = contact->id_j > 0 ? columns->radius[column_slot(columns, contact->id_j)] : 0;
  reach += columns->radius[column_slot(columns, contact->id_i)] + contact->distance; /* as they stand now */
  for (int axis = 0; axis < 3; axis++) points[3 + axis] = points[axis] + contact->normal[axis] * reach;
  vtp_cell_of_last(dataset, &dataset->lines, 2);
}

static void contact_numbers(vtp_dataset *dataset, const floc_contact *contacts, int64_t count, double time_step)
{
  double *force = vtp_numbers(dataset, vtp_cell_data(dataset, "force", false, 1), count);
  double *impulse = vtp_numbers(dataset, vtp_cell_data(dataset, "impulse", false, 1), count);
  double *gamma = vtp_numbers(dataset, vtp_cell_data(dataset, "gamma", false, 1), count);
  double *distance = vtp_numbers(dataset, vtp_cell_data(dataset, "distance", false, 1), count);
  double *normal = vtp_numbers(dataset, vtp_cell_data(dataset, "normal", false, 3), count);
  double *friction = vtp_numbers(dataset, vtp_cell_data(dataset, "friction", false, 3), count);
  double *moment = vtp_numbers(dataset, vtp_cell_data(dataset, "moment", false, 3), count);
  if (!force || !impulse || !gamma || !distance || !normal || !friction || !moment) return;
  for (int64_t k = 0; k < count; k++) {
    force[k] = contacts[k].impulse / time_step;
    impulse[k] = contacts[k].impulse;
    gamma[k] = contacts[k].gamma;
    distance[k] = contacts[k].distance;
    memcpy(normal + 3 * k, contacts[k].normal, 3 * sizeof *normal);
    memcpy(friction + 3 * k, contacts[k].friction, 3 * sizeof *friction);
    memcpy(moment + 3 * k, contacts[k].moment, 3 * sizeof *moment);
  }
}

static void contact_names(vtp_dataset *dataset, const floc_contact *contacts, int64_t count)
{
  int64_t *id_i = vtp_integers(dataset, vtp_cell_data(dataset, "id_i", true, 1), count);
  int64_t *id_j = vtp_integers(dataset, vtp_cell_data(dataset, "id_j", true, 1), count);
  int64_t *body = vtp_integers(dataset, vtp_cell_data(dataset, "body", true, 1), count);
  if (!id_i || !id_j || !body) return;
  for (int64_t k = 0; k < count; k++) {
    id_i[k] = contacts[k].id_i;
    id_j[k] = contacts[k].id_j;
    body[k] = contacts[k].body;
  }
}

/* A world made from an older file alone does not know of periodic faces: what touches through one seems far apart,
 * and has no line. Anywhere else contacts are nearer than that. */
static int64_t keep_near(const particle_columns *columns, floc_contact *contacts, int64_t count)
{
  int64_t kept = 0;
  for (int64_t k = 0; k < count; k++) {
    double reach = columns->radius[column_slot(columns, contacts[k].id_i)];
    if (contacts[k].id_j > 0) reach += columns->radius[column_slot(columns, contacts[k].id_j)];
    if (contacts[k].distance <= 2 * reach) contacts[kept++] = contacts[k];
  }
  return kept;
}

int dataset_contacts(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  particle_columns columns = {.count = 0};
  floc_world_info info = {.struct_size = sizeof info};
  int64_t count = 0;
  floc_status status = columns_read(L, owner, &columns);
  if (status == FLOC_OK) status = floc_world_get_info(owner->world, &info);
  floc_contact *contacts = NULL;
  if (status == FLOC_OK) status = contacts_read(L, owner, &contacts, &count);
  if (status == FLOC_NOT_SUPPORTED) return 0; /* in flight there are none */
  if (status != FLOC_OK) return answer(L, owner, status);
  count = keep_near(&columns, contacts, count);
  for (int64_t k = 0; k < count; k++) contact_line(dataset, &columns, &contacts[k]);
  contact_numbers(dataset, contacts, count, info.time_step);
  contact_names(dataset, contacts, count);
  return 0;
}

/* ---- bonds ------------------------------------------------------------------------------------------- */

static void bond_line(vtp_dataset *dataset, const particle_columns *columns, const floc_bond *bond)
{
  double *points = vtp_numbers(dataset, &dataset->points, 2);
  if (!points) return;
  int64_t ends[2] = {column_slot(columns, bond->id_i), column_slot(columns, bond->id_j)};
  for (int end = 0; end < 2; end++) {
    points[3 * end] = columns->x[ends[end]];
    points[3 * end + 1] = columns->y[ends[end]];
    points[3 * end + 2] = columns->z[ends[end]];
  }
  vtp_cell_of_last(dataset, &dataset->lines, 2);
}

static void bond_numbers(vtp_dataset *dataset, const floc_bond *bonds, int64_t count)
{
  double *area = vtp_numbers(dataset, vtp_cell_data(dataset, "area", false, 1), count);
  double *strain = vtp_numbers(dataset, vtp_cell_data(dataset, "strain", false, 1), count);
  int64_t *id_i = vtp_integers(dataset, vtp_cell_data(dataset, "id_i", true, 1), count);
  int64_t *id_j = vtp_integers(dataset, vtp_cell_data(dataset, "id_j", true, 1), count);
  for (int64_t k = 0; area && strain && id_i && id_j && k < count; k++) {
    area[k] = bonds[k].area;
    strain[k] = bonds[k].strain;
    id_i[k] = bonds[k].id_i;
    id_j[k] = bonds[k].id_j;
  }
}

int dataset_bonds(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  particle_columns columns = {.count = 0};
  int64_t count = 0;
  floc_status status = columns_read(L, owner, &columns);
  if (status == FLOC_OK) status = floc_world_get_bonds(owner->world, NULL, 0, &count);
  if (status == FLOC_WRONG_STATE) return 0; /* other schemes have no bonds */
  if (status != FLOC_OK) return answer(L, owner, status);
  floc_bond *bonds = lua_newuserdata(L, (size_t)(count + 1) * sizeof *bonds);
  for (int64_t k = 0; k < count; k++) bonds[k].struct_size = sizeof *bonds;
  status = floc_world_get_bonds(owner->world, bonds, count, &count);
  if (status != FLOC_OK) return answer(L, owner, status);
  for (int64_t k = 0; k < count; k++) bond_line(dataset, &columns, &bonds[k]);
  bond_numbers(dataset, bonds, count);
  return 0;
}

/* ---- rays -------------------------------------------------------------------------------------------- */

/* Rays in flight: a vertex for each, with direction and power. */
static int rays_in_flight(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  int64_t count = 0;
  floc_status status = floc_world_get_rays(owner->world, NULL, 0, &count);
  if (status != FLOC_OK) return answer(L, owner, status);
  floc_ray *rays = lua_newuserdata(L, (size_t)(count + 1) * sizeof *rays);
  status = floc_world_get_rays(owner->world, rays, count, &count);
  if (status != FLOC_OK) return answer(L, owner, status);
  double *points = vtp_numbers(dataset, &dataset->points, count);
  double *direction = vtp_numbers(dataset, vtp_cell_data(dataset, "direction", false, 3), count);
  double *power = vtp_numbers(dataset, vtp_cell_data(dataset, "power", false, 1), count);
  for (int64_t k = 0; points && direction && power && k < count; k++) {
    memcpy(points + 3 * k, rays[k].position, 3 * sizeof *points);
    memcpy(direction + 3 * k, rays[k].direction, 3 * sizeof *direction);
    power[k] = rays[k].power;
    vtp_cell(dataset, &dataset->vertices, &k, 1);
  }
  return 0;
}

int dataset_rays(lua_State *L, binding *owner, int index, vtp_dataset *dataset)
{
  if (lua_isnoneornil(L, index)) return rays_in_flight(L, owner, dataset);
  const ray_paths *paths = luaL_checkudata(L, index, PATHS_TYPE);
  double *power = vtp_numbers(dataset, vtp_cell_data(dataset, "power", false, 1), paths->count);
  int64_t *ray = vtp_integers(dataset, vtp_cell_data(dataset, "ray", true, 1), paths->count);
  for (int64_t k = 0; power && ray && k < paths->count; k++) {
    double *points = vtp_numbers(dataset, &dataset->points, 2);
    if (!points) break;
    memcpy(points, paths->piece[k].from, 3 * sizeof *points);
    memcpy(points + 3, paths->piece[k].to, 3 * sizeof *points);
    vtp_cell_of_last(dataset, &dataset->lines, 2);
    power[k] = paths->piece[k].power;
    ray[k] = paths->piece[k].ray + 1;
  }
  return 0;
}
