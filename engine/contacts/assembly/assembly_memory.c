/*
 * What contacts remember from step to step: impulses, friction, moments, gamma. See assembly.h and
 * assembly_memory.h.
 */
#include "contacts/assembly/assembly_memory.h"

#include "base/threads/parallel.h"

#include <math.h>
#include <string.h>

/* ---- friction and moments ---- */

static const pair_list *list_of(const contact_source *source, const contact_set *set, int64_t a, int64_t *entry)
{
  bool pair = set->entry[a] >= 0;
  *entry = pair ? set->entry[a] : -1 - set->entry[a];
  return pair ? neighbors_pairs(source->near) : neighbors_walls(source->near);
}

/* Memory is oriented by ids, which a new storage order does not turn round. */
static double orientation(const particles *table, const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 && table->id[set->first[a]] > table->id[set->second[a]] ? -1.0 : 1.0;
}

static floc_status recall_column(const contact_source *source, bool kept, int32_t memory, const contact_set *set,
                                 double **column)
{
  *column = arena_allocate(source->scratch, (size_t)set->count, sizeof(double));
  if (!*column) return FLOC_OUT_OF_MEMORY;
  for (int64_t a = 0; a < set->count; a++) {
    int64_t entry;
    const pair_list *list = list_of(source, set, a, &entry);
    double value = kept ? list->memory[memory][entry] : 0.0;
    (*column)[a] = orientation(source->table, set, a) * value;
  }
  return FLOC_OK;
}

floc_status contacts_recall_vectors(const contact_source *source, const contact_law *law, contact_set *set)
{
  const int dimension = source->obstacles->dimension;
  floc_status status = FLOC_OK;
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++) {
    if (law->friction > 0.0 && axis < dimension)
      status = recall_column(source, law->warm_start, law->tangent[axis], set, &set->tangent[axis]);
    if (status == FLOC_OK && law->moments && (axis == 2 || dimension == 3))
      status = recall_column(source, law->warm_start, law->moment[axis], set, &set->moment[axis]);
  }
  return status;
}

/* ---- the gluey law beyond a bound of gamma ---- */

/* A radius on the other side of a contact; infinite for walls. */
static double other_radius(const contact_source *source, const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 ? source->table->column[COLUMN_radius][set->second[a]] : INFINITY;
}

floc_status contacts_set_gluey_bounds(const contact_source *source, const contact_law *law, contact_set *set)
{
  const gluey_law *gluey = law->gluey;
  set->gamma = set->lower;
  bool equality = gluey->rule == FLOC_GLUEY_EQUALITY;
  if (!equality && !gluey->radius_factor) return FLOC_OK;
  size_t count = (size_t)set->count;
  set->lower = arena_allocate(source->scratch, count, sizeof(double));
  set->factor = gluey->radius_factor ? arena_allocate(source->scratch, count, sizeof(double)) : NULL;
  if (!set->lower || (gluey->radius_factor && !set->factor)) return FLOC_OUT_OF_MEMORY;
  const double *radius = source->table->column[COLUMN_radius];
  for (int64_t a = 0; a < set->count; a++) {
    double factor = 1.0;
    if (set->factor) {
      factor = gluey_radius_factor(radius[set->first[a]], other_radius(source, set, a));
      set->factor[a] = factor;
    }
    bool free_below = equality && set->gamma[a] < 0.0;
    set->lower[a] = free_below ? -INFINITY : equality ? 0.0 : set->gamma[a] / factor;
  }
  return FLOC_OK;
}

static double next_gamma(const contact_set *set, int64_t a, double least)
{
  return gluey_next(set->gamma[a], set->factor ? set->factor[a] : 1.0, set->lower[a], set->impulse[a], least);
}

floc_status contacts_find_thresholds(const contact_source *source, const contact_law *law, contact_set *set)
{
  set->least = NULL;
  if (law->gamma < 0 || gluey_is_uniform(law->gluey)) return FLOC_OK;
  set->least = arena_allocate(source->scratch, (size_t)set->count, sizeof(double));
  if (!set->least) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  const gluey_columns columns = gluey_find_columns(source->table);
  for (int64_t a = 0; a < set->count && status == FLOC_OK; a++) {
    set->least[a] = -INFINITY;
    if (next_gamma(set, a, -INFINITY) == 0.0) continue;
    gluey_side first = {set->first[a], -1}, second = {set->second[a], set->shape[a]};
    status = gluey_threshold(law->gluey, &columns, source->table, source->obstacles, first, second, &set->least[a]);
  }
  return status;
}

/* Contacts of a set are sorted by this. */
static int64_t order_of(const contact_set *set, int64_t a)
{
  int64_t other = set->second[a] >= 0 ? set->second[a] : (int64_t)set->shape[a] + INT32_MIN;
  return ((int64_t)set->first[a] << 33) + other;
}

typedef struct carry_call {
  const contact_set *before;
  contact_set *set;
} carry_call;

/* The first contact of a set that does not come before the order. */
static int64_t find_order(const contact_set *set, int64_t order)
{
  int64_t begin = 0, end = set->count;
  while (begin < end) {
    int64_t middle = begin + (end - begin) / 2;
    if (order_of(set, middle) < order)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

static void carry_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const carry_call *call = context;
  const contact_set *before = call->before;
  contact_set *set = call->set;
  int64_t b = find_order(before, order_of(set, begin));
  for (int64_t a = begin; a < end && b < before->count; a++) {
    int64_t order = order_of(set, a);
    while (b < before->count && order_of(before, b) < order) b++;
    if (b == before->count || order_of(before, b) != order) continue;
    set->impulse[a] = before->impulse[b];
    for (int axis = 0; axis < 3; axis++) {
      if (set->tangent[axis]) set->tangent[axis][a] = before->tangent[axis][b];
      if (set->moment[axis]) set->moment[axis][a] = before->moment[axis][b];
    }
  }
}

void contacts_carry_over(const environment *env, const contact_set *before, const contact_law *law,
                         contact_set *set)
{
  carry_call call = {before, set};
  if (law->warm_start && before->count > 0) parallel_for(env, set->count, PARALLEL_BLOCK, carry_block, &call);
}

static void clear_memory(const environment *env, const pair_list *list, int32_t column)
{
  if (column >= 0) parallel_clear(env, list->count, list->memory[column]);
}

static void remember_column(const particles *table, const contact_set *set, int32_t memory, const double *column,
                            const pair_list *pairs, const pair_list *walls)
{
  clear_memory(table->env, pairs, memory);
  clear_memory(table->env, walls, memory);
  for (int64_t a = 0; a < set->count; a++) {
    const pair_list *list = set->entry[a] >= 0 ? pairs : walls;
    int64_t k = set->entry[a] >= 0 ? set->entry[a] : -1 - set->entry[a];
    list->memory[memory][k] = orientation(table, set, a) * column[a];
  }
}

typedef struct remember_call {
  const contact_set *set;
  const contact_law *law;
  const pair_list *pairs, *walls;
} remember_call;

static void remember_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const remember_call *call = context;
  const contact_set *set = call->set;
  const contact_law *law = call->law;
  for (int64_t a = begin; a < end; a++) {
    const pair_list *list = set->entry[a] >= 0 ? call->pairs : call->walls;
    int64_t k = set->entry[a] >= 0 ? set->entry[a] : -1 - set->entry[a];
    list->memory[law->impulse][k] = set->impulse[a];
    if (law->gamma < 0) continue;
    list->memory[law->gamma][k] = next_gamma(set, a, set->least ? set->least[a] : law->gamma_min);
  }
}

void contacts_remember(const contact_set *set, const contact_law *law, const particles *table, neighbors *near)
{
  const pair_list *pairs = neighbors_pairs(near), *walls = neighbors_walls(near);
  clear_memory(table->env, pairs, law->impulse);
  clear_memory(table->env, walls, law->impulse);
  clear_memory(table->env, pairs, law->gamma);
  clear_memory(table->env, walls, law->gamma);
  for (int axis = 0; axis < 3; axis++) {
    if (set->tangent[axis]) remember_column(table, set, law->tangent[axis], set->tangent[axis], pairs, walls);
    if (set->moment[axis]) remember_column(table, set, law->moment[axis], set->moment[axis], pairs, walls);
  }
  remember_call call = {set, law, pairs, walls};
  parallel_for(table->env, set->count, PARALLEL_BLOCK, remember_block, &call);
}
