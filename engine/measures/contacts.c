/*
 * Contacts of a configuration. See contacts.h.
 *
 * The impulse of a hard contact was found at the start of the step, and acts along the normal of then: a contact
 * that carries one is written with normal and point of that moment, found by the very operations of
 * contacts/assembly.c, so that what acts on a particle adds up to the change of its momentum to the last digits.
 * Forces of soft contacts are those of the present state, and so is all that is written of them.
 *
 * Entries of a list are taken LOOK_BLOCK at a time. First those that are contacts are found, which needs what
 * entries carry, and the geometry of those alone that carry nothing; then the columns that are wanted are filled
 * one by one for what was found. So a column costs what it takes to find it, and a block stays in the first-level
 * cache until it is taken.
 */
#include "measures/contacts.h"

#include <math.h>
#include <string.h>

static const double near_in_radii = 0.01;

/* What entries carry by themselves, as impulses: pair memory, or forces that were looked at. By entry. */
typedef struct carried {
  const double *impulse, *gamma, *friction[3], *moment[3]; /* NULL: 0 */
  bool signed_by_ids; /* kept as what acts on the particle with the higher id */
} carried;

typedef struct contact_finder {
  const contacts_source *from;
  contact_wants wants;
  int which; /* 0: pairs, 1: walls */
  const pair_list *list;
  carried memory; /* of hard contacts, from the list's first entry on */
  contacts_sink sink;
  void *context;
  look_block looked;
  /* the present block */
  carried here;            /* from entry `begin` on */
  int64_t begin;           /* of its entries */
  int32_t row[LOOK_BLOCK]; /* those that are contacts, from begin on */
  bool loaded[LOOK_BLOCK]; /* whether they carry forces */
  contact_block block;
} contact_finder;

static const double *find_memory(const neighbors *near, const pair_list *list, const char *name)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (strcmp(neighbors_memory_name(near, k), name) == 0) return list->memory[k];
  return NULL;
}

static void find_memories(const neighbors *near, const pair_list *list, carried *memory)
{
  static const char *const of_friction[] = {"impulse_x", "impulse_y", "impulse_z"};
  static const char *const of_moment[] = {"roll_x", "roll_y", "roll_z"};
  memory->impulse = find_memory(near, list, "impulse");
  memory->gamma = find_memory(near, list, "gamma");
  for (int axis = 0; axis < 3; axis++) {
    memory->friction[axis] = find_memory(near, list, of_friction[axis]);
    memory->moment[axis] = find_memory(near, list, of_moment[axis]);
  }
  memory->signed_by_ids = true;
}

/* ---- which entries are contacts ---- */

static double value_of(const double *column, int64_t k)
{
  return column ? column[k] : 0.0;
}

/* Forces of the present state as impulses, or memory. */
static void load_carried(contact_finder *finder, int32_t count)
{
  const contacts_source *from = finder->from;
  carried *here = &finder->here;
  if (!from->look_at) {
    const carried *all = &finder->memory;
    here->impulse = all->impulse ? all->impulse + finder->begin : NULL;
    here->gamma = all->gamma ? all->gamma + finder->begin : NULL;
    for (int axis = 0; axis < 3; axis++) {
      here->friction[axis] = all->friction[axis] ? all->friction[axis] + finder->begin : NULL;
      here->moment[axis] = all->moment[axis] ? all->moment[axis] + finder->begin : NULL;
    }
    here->signed_by_ids = true;
    return;
  }
  look_block *looked = &finder->looked;
  from->look_at(from->look, finder->which, finder->begin, count, looked);
  double(*const column[7])[LOOK_BLOCK] = {&looked->normal,        &looked->tangential[0], &looked->tangential[1],
                                          &looked->tangential[2], &looked->moment[0],     &looked->moment[1],
                                          &looked->moment[2]};
  for (int k = 0; k < (looked->turns ? 7 : 4); k++)
    for (int32_t row = 0; row < count; row++) (*column[k])[row] *= from->time_step;
  *here = (carried){.impulse = looked->normal};
  for (int axis = 0; axis < 3; axis++) {
    here->friction[axis] = looked->tangential[axis];
    here->moment[axis] = looked->turns ? looked->moment[axis] : NULL;
  }
}

/* Distance of the surfaces, normal and point with the particles at the given positions. */
static double pair_geometry(const contacts_source *from, const double *const position[3], int32_t i, int32_t j,
                            double normal[3], double point[3])
{
  const double *radius = from->table->column[COLUMN_radius];
  double square = 0.0, way[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < from->box->dimension; axis++) way[axis] = position[axis][j] - position[axis][i];
  domain_nearest(position == from->position && from->start_box ? from->start_box : from->box, way);
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

static double wall_geometry(const contacts_source *from, const double *const position[3], int32_t i, int32_t number,
                            double normal[3], double point[3])
{
  double at[3] = {position[0][i], position[1][i], position[2][i]};
  return shape_distance(&from->obstacles->world[number], from->obstacles->dimension, at, normal, point) -
         from->table->column[COLUMN_radius][i];
}

static double geometry(const contact_finder *finder, const double *const position[3], int64_t entry,
                       double normal[3], double point[3])
{
  const int32_t i = finder->list->first[entry], other = finder->list->second[entry];
  return finder->which == 0 ? pair_geometry(finder->from, position, i, other, normal, point)
                            : wall_geometry(finder->from, position, i, other, normal, point);
}

/* Contacts of the projection that are none because neither side yields (contacts/assembly/assembly.h). */
static bool neither_yields(const contact_finder *finder, int64_t entry)
{
  const double *frozen = finder->from->frozen;
  if (!frozen || frozen[finder->list->first[entry]] == 0.0) return false;
  return finder->which == 1 || frozen[finder->list->second[entry]] != 0.0;
}

/* Bodies stand since the step where they stood when it was solved. */
static bool is_near(const contact_finder *finder, int64_t entry)
{
  double *const *column = finder->from->table->column;
  const double *const now[3] = {column[COLUMN_x], column[COLUMN_y], column[COLUMN_z]},
                      *radius = column[COLUMN_radius];
  const int32_t i = finder->list->first[entry];
  const double least = finder->which == 0 ? fmin(radius[i], radius[finder->list->second[entry]]) : radius[i];
  double normal[3], point[3];
  return geometry(finder, now, entry, normal, point) <= near_in_radii * least && !neither_yields(finder, entry);
}

static bool share_assembly(const contacts_source *from, int32_t i, int32_t j)
{
  int32_t owner = rigid_owner(from->assemblies, from->table->id[i]);
  return owner >= 0 && rigid_owner(from->assemblies, from->table->id[j]) == owner;
}

/* Laws act at a distance as well; that makes no contact. */
static void find_rows(contact_finder *finder, int32_t count)
{
  const contacts_source *from = finder->from;
  const carried *here = &finder->here;
  const bool assembled = finder->which == 0 && from->assemblies->count > 0;
  int32_t found = 0;
  for (int32_t k = 0; k < count; k++) {
    const int64_t entry = finder->begin + k;
    bool loaded = value_of(here->impulse, k) != 0.0;
    for (int axis = 0; axis < 3; axis++) loaded |= value_of(here->friction[axis], k) != 0.0;
    if (assembled && share_assembly(from, finder->list->first[entry], finder->list->second[entry])) continue;
    if (!loaded && value_of(here->gamma, k) == 0.0 && !is_near(finder, entry)) continue;
    finder->row[found] = k;
    finder->loaded[found++] = loaded;
  }
  finder->block.count = found;
}

/* ---- their columns ---- */

static bool wants_any(const contact_finder *finder, int32_t first, int32_t count)
{
  return finder->wants >> first & ((1u << count) - 1);
}

static void fill_names(contact_finder *finder)
{
  const contacts_source *from = finder->from;
  const pair_list *list = finder->list;
  contact_block *block = &finder->block;
  for (int32_t k = 0; k < block->count; k++) {
    const int64_t entry = finder->begin + finder->row[k];
    const int32_t other = list->second[entry];
    const shape *surface = finder->which == 1 ? &from->obstacles->world[other] : NULL;
    block->column[CONTACT_ID_I][k] = (double)from->table->id[list->first[entry]];
    block->column[CONTACT_ID_J][k] = surface ? 0.0 : (double)from->table->id[other];
    block->column[CONTACT_BODY][k] = surface ? surface->body + 1.0 : 0.0;
    block->column[CONTACT_SHAPE][k] = surface ? surface->index + 1.0 : 0.0;
  }
}

static bool was_there(const contacts_source *from, int64_t slot)
{
  return from->position && slot < from->position_count;
}

static void fill_geometry(contact_finder *finder)
{
  const contacts_source *from = finder->from;
  contact_block *block = &finder->block;
  double *const *column = from->table->column;
  const double *const now[3] = {column[COLUMN_x], column[COLUMN_y], column[COLUMN_z]};
  const bool distance = wants_any(finder, CONTACT_DISTANCE, 1), place = wants_any(finder, CONTACT_POINT, 6);
  for (int32_t k = 0; k < block->count; k++) {
    const int64_t entry = finder->begin + finder->row[k];
    const bool hard = finder->loaded[k] && was_there(from, finder->list->first[entry]) &&
                      (finder->which == 1 || was_there(from, finder->list->second[entry]));
    double normal[3] = {0.0, 0.0, 0.0}, point[3] = {0.0, 0.0, 0.0};
    if (distance || !hard) block->column[CONTACT_DISTANCE][k] = geometry(finder, now, entry, normal, point);
    if (hard && place) geometry(finder, from->position, entry, normal, point);
    for (int axis = 0; axis < 3; axis++) {
      block->column[CONTACT_NORMAL + axis][k] = normal[axis];
      block->column[CONTACT_POINT + axis][k] = point[axis];
    }
  }
}

/* by_law: what laws exert beside, by entry; NULL: nothing. */
static void fill_carried(contact_finder *finder, contact_column column, const double *own, const double *by_law)
{
  if (!wants_any(finder, (int32_t)column, 1)) return;
  double *to = finder->block.column[column];
  const int32_t count = finder->block.count;
  const double h = finder->from->time_step;
  for (int32_t k = 0; k < count; k++) to[k] = own ? own[finder->row[k]] : 0.0;
  for (int32_t k = 0; k < count && by_law; k++) to[k] += h * by_law[finder->begin + finder->row[k]];
}

/* Kept as what acts on the particle with the higher id; shown as what acts on j. */
static void turn_round(contact_finder *finder)
{
  const int64_t *id = finder->from->table->id;
  const pair_list *list = finder->list;
  for (int32_t k = 0; k < finder->block.count; k++) {
    const int64_t entry = finder->begin + finder->row[k];
    if (id[list->second[entry]] > id[list->first[entry]]) continue;
    for (int axis = 0; axis < 3; axis++) {
      double *friction = &finder->block.column[CONTACT_FRICTION + axis][k];
      double *moment = &finder->block.column[CONTACT_MOMENT + axis][k];
      if (finder->here.friction[axis]) *friction = -*friction;
      if (finder->here.moment[axis]) *moment = -*moment;
    }
  }
}

static void fill_block(contact_finder *finder)
{
  const carried *here = &finder->here;
  const pair_forces *exerted = finder->from->laws;
  const int which = finder->which;
  if (wants_any(finder, CONTACT_ID_I, 4)) fill_names(finder);
  if (wants_any(finder, CONTACT_DISTANCE, 1) || wants_any(finder, CONTACT_POINT, 6)) fill_geometry(finder);
  fill_carried(finder, CONTACT_IMPULSE, here->impulse, exerted ? exerted->normal[which] : NULL);
  fill_carried(finder, CONTACT_GAMMA, here->gamma, NULL);
  for (int axis = 0; axis < 3; axis++) {
    fill_carried(finder, CONTACT_FRICTION + axis, here->friction[axis],
                 exerted ? exerted->tangential[which][axis] : NULL);
    fill_carried(finder, CONTACT_MOMENT + axis, here->moment[axis], exerted ? exerted->moment[which][axis] : NULL);
  }
  if (here->signed_by_ids && which == 0 && wants_any(finder, CONTACT_FRICTION, 6)) turn_round(finder);
}

static void visit_list(contact_finder *finder, int which)
{
  const neighbors *near = finder->from->near;
  finder->which = which;
  finder->list = which == 0 ? neighbors_pairs(near) : neighbors_walls(near);
  find_memories(near, finder->list, &finder->memory);
  for (finder->begin = 0; finder->begin < finder->list->count; finder->begin += LOOK_BLOCK) {
    const int64_t left = finder->list->count - finder->begin;
    const int32_t count = left < LOOK_BLOCK ? (int32_t)left : LOOK_BLOCK;
    load_carried(finder, count);
    find_rows(finder, count);
    if (finder->block.count == 0) continue;
    fill_block(finder);
    finder->sink(finder->context, &finder->block);
  }
}

void contacts_visit(const contacts_source *source, contact_wants wants, contacts_sink sink, void *context)
{
  contact_finder finder;
  finder.from = source;
  finder.wants = wants;
  finder.sink = sink;
  finder.context = context;
  visit_list(&finder, 0);
  visit_list(&finder, 1);
}

void contact_of_block(const contact_block *block, int32_t row, floc_contact *contact)
{
  *contact = (floc_contact){.struct_size = sizeof *contact,
                            .id_i = (int64_t)block->column[CONTACT_ID_I][row],
                            .id_j = (int64_t)block->column[CONTACT_ID_J][row],
                            .body = (int32_t)block->column[CONTACT_BODY][row] - 1,
                            .shape = (int32_t)block->column[CONTACT_SHAPE][row] - 1,
                            .distance = block->column[CONTACT_DISTANCE][row],
                            .impulse = block->column[CONTACT_IMPULSE][row],
                            .gamma = block->column[CONTACT_GAMMA][row]};
  for (int axis = 0; axis < 3; axis++) {
    contact->point[axis] = block->column[CONTACT_POINT + axis][row];
    contact->normal[axis] = block->column[CONTACT_NORMAL + axis][row];
    contact->friction[axis] = block->column[CONTACT_FRICTION + axis][row];
    contact->moment[axis] = block->column[CONTACT_MOMENT + axis][row];
  }
}

void contact_to_block(const floc_contact *contact, int32_t row, contact_block *block)
{
  block->column[CONTACT_ID_I][row] = (double)contact->id_i;
  block->column[CONTACT_ID_J][row] = (double)contact->id_j;
  block->column[CONTACT_BODY][row] = contact->body + 1.0;
  block->column[CONTACT_SHAPE][row] = contact->shape + 1.0;
  block->column[CONTACT_DISTANCE][row] = contact->distance;
  block->column[CONTACT_IMPULSE][row] = contact->impulse;
  block->column[CONTACT_GAMMA][row] = contact->gamma;
  for (int axis = 0; axis < 3; axis++) {
    block->column[CONTACT_POINT + axis][row] = contact->point[axis];
    block->column[CONTACT_NORMAL + axis][row] = contact->normal[axis];
    block->column[CONTACT_FRICTION + axis][row] = contact->friction[axis];
    block->column[CONTACT_MOMENT + axis][row] = contact->moment[axis];
  }
}
