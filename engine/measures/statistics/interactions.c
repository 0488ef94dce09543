/*
 * See interactions.h.
 */
#include "measures/statistics/interactions.h"

#include "geometry/shape.h"

#include <math.h>
#include <string.h>

/* Where the force of an entry is found. */
typedef struct force_columns {
  const double *normal, *across[3];
  double factor; /* 1, or 1 / time step for impulses */
  bool by_id;    /* across is on the particle of the greater id, and not on the second of the entry */
} force_columns;

typedef struct visit {
  const interactions_source *from;
  const pair_list *list;
  force_columns columns;
  const double *const *position; /* NULL: where they are */
  bool walls, is_law;
  interaction_sink sink;
  void *context;
} visit;

static const double *memory_column(const neighbors *near, const pair_list *list, const char *name)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (strcmp(neighbors_memory_name(near, k), name) == 0) return list->memory[k];
  return NULL;
}

static force_columns columns_of(const pair_forces *forces, int which)
{
  force_columns columns = {.normal = forces->normal[which], .factor = 1.0};
  for (int axis = 0; axis < 3; axis++) columns.across[axis] = forces->tangential[which][axis];
  return columns;
}

static force_columns impulses_of(const neighbors *near, const pair_list *list, double time_step)
{
  static const char *const of_friction[] = {"impulse_x", "impulse_y", "impulse_z"};
  force_columns columns = {
      .normal = memory_column(near, list, "impulse"), .factor = 1.0 / time_step, .by_id = true};
  for (int axis = 0; axis < 3; axis++) columns.across[axis] = memory_column(near, list, of_friction[axis]);
  return columns;
}

/* ---- one entry ---- */

static void read_place(const visit *run, int32_t slot, double position[3])
{
  const bool was_there = run->position && slot < run->from->position_count;
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = run->from->table->column[COLUMN_x + axis][slot];
    if (was_there && axis < run->from->box->dimension) position[axis] = run->position[axis][slot];
  }
}

/* The centre that a particle moves with, from its own. */
static int32_t find_offset(const visit *run, int32_t slot, double offset[3])
{
  const interactions_source *from = run->from;
  const int32_t owner = from->assemblies->count > 0 ? rigid_owner(from->assemblies, from->table->id[slot]) : -1;
  for (int axis = 0; axis < 3; axis++) {
    offset[axis] = 0.0;
    if (owner < 0 || axis >= from->box->dimension) continue;
    const double centre = domain_wrap(from->box, axis, from->assemblies->assembly[owner].position[axis]);
    offset[axis] = domain_shortest(from->box, axis, centre - from->table->column[COLUMN_x + axis][slot]);
  }
  return owner;
}

/* Unit vector and branch, without the assemblies' part. */
static void find_branch(const visit *run, int64_t entry, interaction *found)
{
  const int32_t dimension = run->from->box->dimension;
  double at[3], nearest[3] = {0.0, 0.0, 0.0}, square = 0.0;
  read_place(run, found->first, at);
  memcpy(found->position, at, sizeof at);
  if (run->walls) {
    const shape *surface = &run->from->obstacles->world[run->list->second[entry]];
    shape_distance(surface, dimension, at, found->normal, nearest);
    for (int axis = 0; axis < dimension; axis++) found->branch[axis] = nearest[axis] - at[axis];
    return;
  }
  read_place(run, found->second, nearest);
  for (int axis = 0; axis < dimension; axis++) found->branch[axis] = nearest[axis] - at[axis];
  domain_nearest(run->position && run->from->contact_box ? run->from->contact_box : run->from->box, found->branch);
  for (int axis = 0; axis < dimension; axis++) square += found->branch[axis] * found->branch[axis];
  const double centres = sqrt(square);
  for (int axis = 0; axis < dimension; axis++)
    found->normal[axis] = centres > 0.0 ? found->branch[axis] / centres : axis == 0;
}

static bool read_force(const visit *run, int64_t entry, interaction *found, double across[3])
{
  const force_columns *columns = &run->columns;
  const int64_t *id = run->from->table->id;
  const bool reversed = columns->by_id && !run->walls && id[found->second] < id[found->first];
  found->along = columns->normal ? columns->factor * columns->normal[entry] : 0.0;
  bool acts = found->along != 0.0;
  for (int axis = 0; axis < 3; axis++) {
    across[axis] = columns->across[axis] ? columns->factor * columns->across[axis][entry] : 0.0;
    if (reversed) across[axis] = -across[axis];
    acts = acts || across[axis] != 0.0;
  }
  return acts;
}

static void visit_entry(const visit *run, int64_t entry)
{
  interaction found = {.first = run->list->first[entry],
                       .second = run->walls ? -1 : run->list->second[entry],
                       .is_law = run->is_law};
  double across[3], offset[3], other[3] = {0.0, 0.0, 0.0};
  if (!read_force(run, entry, &found, across)) return;
  const int32_t owner = find_offset(run, found.first, offset);
  if (!run->walls && find_offset(run, found.second, other) == owner && owner >= 0) return;
  find_branch(run, entry, &found);
  for (int axis = 0; axis < run->from->box->dimension; axis++) {
    found.force[axis] = found.along * found.normal[axis] + across[axis];
    found.position[axis] += offset[axis];
    found.branch[axis] += other[axis] - offset[axis];
  }
  run->sink(run->context, &found);
}

static void visit_list(visit *run, const neighbors *near, const pair_forces *forces, bool walls)
{
  run->walls = walls;
  run->list = walls ? neighbors_walls(near) : neighbors_pairs(near);
  run->columns = forces ? columns_of(forces, walls) : impulses_of(near, run->list, run->from->time_step);
  for (int64_t entry = 0; entry < run->list->count; entry++) visit_entry(run, entry);
}

void interactions_visit(const interactions_source *source, interaction_sink sink, void *context)
{
  visit run = {.from = source, .sink = sink, .context = context};
  if (source->contact_near) {
    run.position = source->contact_forces ? NULL : source->position;
    for (int walls = 0; walls < 2; walls++) visit_list(&run, source->contact_near, source->contact_forces, walls);
  }
  run.position = NULL;
  run.is_law = true;
  for (int walls = 0; walls < 2 && source->law_forces; walls++)
    visit_list(&run, source->law_near, source->law_forces, walls);
}
