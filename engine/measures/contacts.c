/*
 * Contacts of a configuration. See contacts.h.
 *
 * The impulse of a hard contact was found at the start of the step, and acts along the normal of then: a contact
 * that carries one is written with normal and point of that moment, found by the very operations of
 * contacts/assembly.c, so that what acts on a particle adds up to the change of its momentum to the last digits.
 * Forces of soft contacts are those of the present state, and so is all that is written of them.
 */
#include "measures/contacts.h"

#include <math.h>
#include <string.h>

static const double near_in_radii = 0.01;

/* A block stays in the first-level cache until it is taken. */
enum { CONTACT_BLOCK = 64 };

typedef struct contact_writer {
  const contacts_source *from;
  contact_wants wants;
  contacts_sink sink;
  void *context;
  int32_t count; /* in the block */
  floc_contact block[CONTACT_BLOCK];
  int32_t impulse, gamma, friction[3], moment[3]; /* columns of pair memory, -1: none */
} contact_writer;

static int32_t find_memory(const neighbors *near, const char *name)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (strcmp(neighbors_memory_name(near, k), name) == 0) return k;
  return -1;
}

/* ---- what a contact carries ---- */

static void read_memory(const contact_writer *writer, const pair_list *list, int64_t entry, floc_contact *found)
{
  found->impulse = writer->impulse >= 0 ? list->memory[writer->impulse][entry] : 0.0;
  found->gamma = writer->gamma >= 0 ? list->memory[writer->gamma][entry] : 0.0;
  /* kept as what acts on the particle with the higher id */
  double sign = found->id_j > 0 && found->id_j < found->id_i ? -1.0 : 1.0;
  for (int axis = 0; axis < 3; axis++)
    if (writer->friction[axis] >= 0) found->friction[axis] = sign * list->memory[writer->friction[axis]][entry];
  for (int axis = 0; axis < 3; axis++)
    if (writer->moment[axis] >= 0) found->moment[axis] = sign * list->memory[writer->moment[axis]][entry];
}

static void add_forces(const contact_writer *writer, const pair_forces *forces, int which, int64_t entry,
                       floc_contact *found)
{
  double h = writer->from->time_step;
  found->impulse += h * forces->normal[which][entry];
  for (int axis = 0; axis < writer->from->box->dimension; axis++)
    found->friction[axis] += h * forces->tangential[which][axis][entry];
  for (int axis = 0; axis < 3; axis++)
    if (forces->moment[which][axis]) found->moment[axis] += h * forces->moment[which][axis][entry];
}

static bool is_loaded(const floc_contact *found)
{
  return found->impulse != 0.0 || found->friction[0] != 0.0 || found->friction[1] != 0.0 ||
         found->friction[2] != 0.0;
}

static bool is_near(const floc_contact *found, double radius)
{
  return found->distance <= near_in_radii * radius;
}

/* What an entry carries by itself. Laws act at a distance as well; that makes no contact. */
static bool read_own(const contact_writer *writer, int which, int64_t entry, floc_contact *found)
{
  const contacts_source *from = writer->from;
  const pair_list *list = which == 0 ? neighbors_pairs(from->near) : neighbors_walls(from->near);
  if (from->forces)
    add_forces(writer, &from->forces->own, which, entry, found);
  else
    read_memory(writer, list, entry, found);
  return is_loaded(found) || found->gamma != 0.0;
}

static void flush(contact_writer *writer)
{
  if (writer->count > 0) writer->sink(writer->context, writer->block, writer->count);
  writer->count = 0;
}

static floc_contact *begin_contact(contact_writer *writer, int64_t id_i, int64_t id_j, int32_t on_body,
                                   int32_t number)
{
  if (writer->count == CONTACT_BLOCK) flush(writer);
  floc_contact *found = &writer->block[writer->count];
  *found =
      (floc_contact){.struct_size = sizeof *found, .id_i = id_i, .id_j = id_j, .body = on_body, .shape = number};
  return found;
}

/* ---- pairs ---- */

/* Distance of the surfaces, normal and point with the particles at the given positions. */
static double pair_geometry(const contacts_source *from, const double *const position[3], int32_t i, int32_t j,
                            double normal[3], double point[3])
{
  const double *radius = from->table->column[COLUMN_radius];
  double square = 0.0, way[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < from->box->dimension; axis++) way[axis] = position[axis][j] - position[axis][i];
  domain_nearest(from->box, way);
  for (int axis = 0; axis < from->box->dimension; axis++) {
    normal[axis] = way[axis];
    square += normal[axis] * normal[axis];
  }
  double centres = sqrt(square), inverse = 1.0 / centres, distance = centres - (radius[i] + radius[j]);
  for (int axis = 0; axis < from->box->dimension; axis++) {
    normal[axis] = centres > 0.0 ? normal[axis] * inverse : axis == 0;
    point[axis] = position[axis][i] + normal[axis] * (radius[i] + 0.5 * distance);
  }
  return distance;
}

static bool was_there(const contacts_source *from, int64_t slot)
{
  return from->position && slot < from->position_count;
}

static bool share_assembly(const contacts_source *from, int32_t i, int32_t j)
{
  if (from->assemblies->count == 0) return false;
  int32_t owner = rigid_owner(from->assemblies, from->table->id[i]);
  return owner >= 0 && rigid_owner(from->assemblies, from->table->id[j]) == owner;
}

static void write_pairs(contact_writer *writer)
{
  const contacts_source *from = writer->from;
  const pair_list *pairs = neighbors_pairs(from->near);
  double *const *column = from->table->column;
  const double *const now[3] = {column[COLUMN_x], column[COLUMN_y], column[COLUMN_z]};
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    if (share_assembly(from, i, j)) continue;
    floc_contact *found = begin_contact(writer, from->table->id[i], from->table->id[j], -1, -1);
    const bool carries = read_own(writer, 0, k, found),
               hard = is_loaded(found) && was_there(from, i) && was_there(from, j);
    if (!carries || writer->wants.distance || (writer->wants.place && !hard))
      found->distance = pair_geometry(from, now, i, j, found->normal, found->point);
    if (!carries && !is_near(found, fmin(column[COLUMN_radius][i], column[COLUMN_radius][j]))) continue;
    if (from->forces) add_forces(writer, &from->forces->laws, 0, k, found);
    if (hard && writer->wants.place) pair_geometry(from, from->position, i, j, found->normal, found->point);
    writer->count++;
  }
}

/* ---- walls: bodies stand since the step where they stood when it was solved ---- */

static double wall_geometry(const contacts_source *from, const double *const position[3], int32_t i, int32_t number,
                            floc_contact *found)
{
  double at[3] = {position[0][i], position[1][i], position[2][i]};
  return shape_distance(&from->obstacles->world[number], from->obstacles->dimension, at, found->normal,
                        found->point) -
         from->table->column[COLUMN_radius][i];
}

static void write_walls(contact_writer *writer)
{
  const contacts_source *from = writer->from;
  const pair_list *walls = neighbors_walls(from->near);
  double *const *column = from->table->column;
  const double *const now[3] = {column[COLUMN_x], column[COLUMN_y], column[COLUMN_z]};
  for (int64_t k = 0; k < walls->count; k++) {
    int32_t i = walls->first[k];
    const shape *surface = &from->obstacles->world[walls->second[k]];
    floc_contact *found = begin_contact(writer, from->table->id[i], 0, surface->body, surface->index);
    const bool carries = read_own(writer, 1, k, found), hard = is_loaded(found) && was_there(from, i);
    if (!carries || writer->wants.distance || (writer->wants.place && !hard))
      found->distance = wall_geometry(from, now, i, walls->second[k], found);
    if (!carries && !is_near(found, column[COLUMN_radius][i])) continue;
    if (from->forces) add_forces(writer, &from->forces->laws, 1, k, found);
    if (hard && writer->wants.place) wall_geometry(from, from->position, i, walls->second[k], found);
    writer->count++;
  }
}

void contacts_visit(const contacts_source *source, const contact_wants *wants, contacts_sink sink, void *context)
{
  const neighbors *near = source->near;
  contact_writer writer;
  writer.from = source;
  writer.wants = *wants;
  writer.sink = sink;
  writer.context = context;
  writer.count = 0;
  writer.impulse = find_memory(near, "impulse");
  writer.gamma = find_memory(near, "gamma");
  static const char *const of_friction[] = {"impulse_x", "impulse_y", "impulse_z"};
  static const char *const of_moment[] = {"roll_x", "roll_y", "roll_z"};
  for (int axis = 0; axis < 3; axis++) {
    writer.friction[axis] = find_memory(near, of_friction[axis]);
    writer.moment[axis] = find_memory(near, of_moment[axis]);
  }
  write_pairs(&writer);
  write_walls(&writer);
  flush(&writer);
}
