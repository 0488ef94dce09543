/*
 * After a solve, some particles rotate out to go farther than they were looked for. Most of what is near them
 * does no harm: here the pairs and walls that the longer reach adds are tried with the velocities found. If none
 * of them would come to overlap, they would enter the problem with impulse 0 and change nothing, and the
 * solution stands without being assembled and solved again. Where lists were built again for the longer reach, its
 * contacts look for their entries there.
 */
#include "base/threads/parallel.h"
#include "contacts/assembly/assembly.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <math.h>

enum { MISSED_BLOCK = 512 };

typedef struct missed_pass {
  const contact_source *source;
  const double *before; /* reach that the solved problem was assembled with */
  double *const *velocity;
  double *const *spin; /* of grains that are not round */
  const pair_list *pairs, *walls;
  double margin; /* that much overlap is none */
  int32_t held;  /* column of pair memory, or -1: what is held is in the problem at any distance */
} missed_pass;

static bool is_glued(const missed_pass *pass, const pair_list *list, int64_t entry)
{
  return pass->held >= 0 && list->memory[pass->held][entry] != 0.0;
}

/* Does one of the rows that the longer reach adds come to overlap? second -1: a wall, which stays. */
static bool rows_are_missed(const missed_pass *pass, const convex_row *rows, int32_t count, double before,
                            int32_t i, int32_t j)
{
  for (int32_t k = 0; k < count; k++) {
    const convex_row *row = &rows[k];
    double opening = 0.0;
    if (row->distance <= before) continue;
    for (int side = 0; side < (j < 0 ? 1 : 2); side++) {
      const int32_t own = side == 0 ? i : j;
      const double *arm = side == 0 ? row->first : row->second, *n = row->normal;
      double turning[3], rate = 0.0;
      vector_cross(arm, n, turning);
      for (int axis = 0; axis < 3; axis++) {
        if (pass->velocity[axis]) rate += n[axis] * pass->velocity[axis][own];
        if (pass->spin[axis]) rate += pass->spin[axis][own] * turning[axis];
      }
      opening += side == 0 ? -rate : rate;
    }
    if (!(row->distance + pass->source->time_step * opening >= -pass->margin)) return true;
  }
  return false;
}

static bool has_corners(const missed_pass *pass, int32_t i)
{
  return pass->source->cores && !grain_is_round(pass->source->cores, i);
}

static bool corners_are_missed(const missed_pass *pass, int32_t i, int32_t j)
{
  const contact_source *source = pass->source;
  const grain_core first = grain_core_of(source->cores, i), second = grain_core_of(source->cores, j);
  convex_row rows[CONVEX_ROWS];
  double between[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < source->obstacles->dimension; axis++) {
    const double *position = source->table->column[COLUMN_x + axis];
    between[axis] = domain_shortest(source->box, axis, position[j] - position[i]);
  }
  const int32_t count = grain_rows(&first, &second, between, source->reach[i] + source->reach[j], rows);
  return rows_are_missed(pass, rows, convex_kept(count), pass->before[i] + pass->before[j], i, j);
}

/* The way to the nearest image in a box that moves or is skew, and that image's own velocity. */
__attribute__((noinline)) static void moving_image(const contact_source *source, int32_t i, int32_t j,
                                                   double way[3], double velocity[3])
{
  double *const *x = &source->table->column[COLUMN_x];
  for (int axis = 0; axis < 3; axis++) way[axis] = x[axis][j] - x[axis][i];
  domain_nearest_motion(source->box, way, velocity);
}

/* Would the pair close within the step, if it is new? */
static inline bool pair_is_missed(const missed_pass *pass, int32_t i, int32_t j, const int dimension)
{
  const contact_source *source = pass->source;
  if (contact_is_frozen(source, i) && contact_is_frozen(source, j)) return false;
  if (has_corners(pass, i) || has_corners(pass, j)) return corners_are_missed(pass, i, j);
  double *const *column = source->table->column;
  double reach = source->reach[i] + source->reach[j], before = pass->before[i] + pass->before[j];
  double separation[3], square = 0.0, closing = 0.0, image[3] = {0.0, 0.0, 0.0};
  if (domain_deforms(source->box)) moving_image(source, i, j, separation, image);
  for (int axis = 0; axis < dimension; axis++) {
    const double *position = column[COLUMN_x + axis], *velocity = pass->velocity[axis];
    if (!domain_deforms(source->box))
      separation[axis] = domain_shortest(source->box, axis, position[j] - position[i]);
    square += separation[axis] * separation[axis];
    closing -= separation[axis] * (velocity[j] - velocity[i] + image[axis]);
  }
  double contact = column[COLUMN_radius][i] + column[COLUMN_radius][j];
  bool known = square <= (contact + before) * (contact + before);
  if (known || square > (contact + reach) * (contact + reach)) return false;
  double centres = sqrt(square);
  return !(source->time_step * closing <= centres * (centres - contact + pass->margin));
}

static bool wall_is_missed(const missed_pass *pass, int32_t i, const shape *wall)
{
  const contact_source *source = pass->source;
  if (contact_is_frozen(source, i)) return false;
  double *const *column = source->table->column;
  double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]}, normal[3], nearest[3];
  int dimension = source->obstacles->dimension;
  if (has_corners(pass, i)) {
    convex_row rows[CONVEX_ROWS];
    const grain_core core = grain_core_of(source->cores, i);
    const int32_t count = grain_wall_rows(wall, &core, position, source->reach[i], rows);
    return rows_are_missed(pass, rows, convex_kept(count), pass->before[i], i, -1);
  }
  double distance = shape_distance(wall, dimension, position, normal, nearest) - column[COLUMN_radius][i];
  double closing = 0.0;
  for (int axis = 0; axis < dimension; axis++) closing += normal[axis] * pass->velocity[axis][i];
  const double own = source->obstacles->body[wall->body].reach; /* a free body may approach by that */
  bool known = distance <= pass->before[i] + own;
  return !known && distance <= source->reach[i] + own &&
         !(source->time_step * closing + own <= distance + pass->margin);
}

static inline bool entry_is_missed(const missed_pass *pass, int64_t entry, const int dimension)
{
  return pair_is_missed(pass, pass->pairs->first[entry], pass->pairs->second[entry], dimension) &&
         !is_glued(pass, pass->pairs, entry);
}

/* Only what has a raised particle in it can be new. */
static inline bool particle_misses(const missed_pass *pass, int64_t i, const int dimension)
{
  const pair_list *pairs = pass->pairs, *walls = pass->walls;
  for (int64_t k = pairs->start[i]; k < pairs->start[i + 1]; k++)
    if (entry_is_missed(pass, k, dimension)) return true;
  for (int64_t n = pairs->incoming_start[i]; n < pairs->incoming_start[i + 1]; n++)
    if (entry_is_missed(pass, pairs->incoming[n], dimension)) return true;
  for (int64_t k = walls->start[i]; k < walls->start[i + 1]; k++)
    if (wall_is_missed(pass, (int32_t)i, &pass->source->obstacles->world[walls->second[k]]) &&
        !is_glued(pass, walls, k))
      return true;
  return false;
}

static inline bool range_is_missed(const missed_pass *pass, int64_t begin, int64_t end, const int dimension)
{
  const double *reach = pass->source->reach, *before = pass->before;
  for (int64_t i = begin; i < end; i++)
    if (reach[i] != before[i] && particle_misses(pass, i, dimension)) return true;
  return false;
}

static double missed_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const missed_pass *pass = context;
  bool missed = pass->source->obstacles->dimension == 2 ? range_is_missed(pass, begin, end, 2)
                                                        : range_is_missed(pass, begin, end, 3);
  return missed ? 1.0 : 0.0;
}

bool contacts_are_missed(const contact_source *source, const contact_laws *laws, const double *reach_before,
                         double *const velocity[3], double *const spin[3], double margin)
{
  missed_pass pass = {
      source, reach_before, velocity, spin, neighbors_pairs(source->near), neighbors_walls(source->near),
      margin, laws->held};
  return slots_max(source->env, source->table, MISSED_BLOCK, 0.0, missed_block, &pass) > 0.0;
}

/* ---- entries of lists that were made since ---- */

typedef struct entry_call {
  const pair_list *pairs, *walls;
  contact_set *set;
} entry_call;

/* Contacts and rows of lists have the same order. The value is the number that was not found. */
static double find_entries(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const entry_call *call = context;
  const contact_set *set = call->set;
  int64_t k = 0;
  double lost = 0.0;
  for (int64_t a = begin; a < end; a++) {
    const int32_t i = set->first[a];
    const bool wall = set->second[a] < 0;
    const int32_t key = wall ? set->shape[a] : set->second[a];
    const pair_list *list = wall ? call->walls : call->pairs;
    if (a == begin || set->first[a - 1] != i || (set->second[a - 1] < 0) != wall) k = list->start[i];
    while (k < list->start[i + 1] && list->second[k] < key) k++;
    if (k == list->start[i + 1] || list->second[k] != key)
      lost += 1.0;
    else
      set->entry[a] = (int32_t)(wall ? -1 - k : k);
  }
  return lost;
}

bool contacts_find_entries(const contact_source *source, contact_set *set)
{
  entry_call call = {neighbors_pairs(source->near), neighbors_walls(source->near), set};
  return parallel_count(source->env, set->count, MISSED_BLOCK, find_entries, &call) == 0;
}
