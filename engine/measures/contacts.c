/*
 * Contacts of a configuration. See contacts.h.
 */
#include "measures/contacts.h"

#include <math.h>
#include <string.h>

static const double near_in_radii = 0.01;

typedef struct contact_writer {
  const particles *table;
  const rigid_assemblies *assemblies;
  floc_contact *contacts;
  int64_t capacity, count;
  int32_t impulse, gamma, friction[3]; /* columns of pair memory, -1: none */
} contact_writer;

static int32_t find_memory(const neighbors *near, const char *name)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (strcmp(neighbors_memory_name(near, k), name) == 0) return k;
  return -1;
}

static bool counts(const floc_contact *found, double radius)
{
  return found->impulse != 0.0 || found->gamma != 0.0 || found->distance <= near_in_radii * radius;
}

static void write_contact(contact_writer *writer, floc_contact *found, const pair_list *list, int64_t entry,
                          double radius)
{
  found->struct_size = sizeof *found;
  found->impulse = writer->impulse >= 0 ? list->memory[writer->impulse][entry] : 0.0;
  found->gamma = writer->gamma >= 0 ? list->memory[writer->gamma][entry] : 0.0;
  if (!counts(found, radius)) return;
  /* kept as what acts on the particle with the higher id */
  double sign = found->id_j > 0 && found->id_j < found->id_i ? -1.0 : 1.0;
  for (int axis = 0; axis < 3; axis++)
    if (writer->friction[axis] >= 0) found->friction[axis] = sign * list->memory[writer->friction[axis]][entry];
  if (writer->count < writer->capacity) writer->contacts[writer->count] = *found;
  writer->count++;
}

static void write_pairs(contact_writer *writer, const pair_list *pairs, const domain *box)
{
  double *const *column = writer->table->column;
  for (int64_t k = 0; k < pairs->count; k++) {
    int32_t i = pairs->first[k], j = pairs->second[k];
    int32_t owner = rigid_owner(writer->assemblies, writer->table->id[i]);
    if (owner >= 0 && rigid_owner(writer->assemblies, writer->table->id[j]) == owner) continue;
    double radius_i = column[COLUMN_radius][i], radius_j = column[COLUMN_radius][j], square = 0.0;
    floc_contact found = {.id_i = writer->table->id[i], .id_j = writer->table->id[j], .body = -1, .shape = -1};
    for (int axis = 0; axis < box->dimension; axis++) {
      found.normal[axis] = domain_shortest(box, axis, column[COLUMN_x + axis][j] - column[COLUMN_x + axis][i]);
      square += found.normal[axis] * found.normal[axis];
    }
    double centres = sqrt(square);
    found.distance = centres - radius_i - radius_j;
    for (int axis = 0; axis < box->dimension; axis++) {
      found.normal[axis] = centres > 0.0 ? found.normal[axis] / centres : (axis == 0 ? 1.0 : 0.0);
      found.point[axis] = column[COLUMN_x + axis][i] + found.normal[axis] * (radius_i + 0.5 * found.distance);
    }
    write_contact(writer, &found, pairs, k, fmin(radius_i, radius_j));
  }
}

static void write_walls(contact_writer *writer, const pair_list *walls, const bodies *obstacles)
{
  double *const *column = writer->table->column;
  for (int64_t k = 0; k < walls->count; k++) {
    int32_t i = walls->first[k];
    const shape *surface = &obstacles->world[walls->second[k]];
    double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
    double radius = column[COLUMN_radius][i];
    floc_contact found = {.id_i = writer->table->id[i], .body = surface->body, .shape = surface->index};
    found.distance = shape_distance(surface, obstacles->dimension, position, found.normal, found.point) - radius;
    write_contact(writer, &found, walls, k, radius);
  }
}

int64_t contacts_list(const particles *table, const bodies *obstacles, const rigid_assemblies *assemblies,
                      const neighbors *near, const domain *box, floc_contact *contacts, int64_t capacity)
{
  contact_writer writer = {
      .table = table,
      .assemblies = assemblies,
      .contacts = contacts,
      .capacity = capacity,
      .impulse = find_memory(near, "impulse"),
      .gamma = find_memory(near, "gamma"),
      .friction = {find_memory(near, "impulse_x"), find_memory(near, "impulse_y"), find_memory(near, "impulse_z")}};
  write_pairs(&writer, neighbors_pairs(near), box);
  write_walls(&writer, neighbors_walls(near), obstacles);
  return writer.count;
}
