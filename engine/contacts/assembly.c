/*
 * Assembly of the contact problem. See assembly.h.
 *
 * Blocks of particles are filled in parallel, each into its own part of columns that are long enough for
 * every list entry; then the parts are moved together. So the contacts come sorted by (first, second),
 * walls before pairs, whatever the number of threads.
 */
#include "contacts/assembly.h"

#include "base/parallel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ASSEMBLY_BLOCK = 512 };

/* A nearest point lies on another shape of the same body if it is this close, in particle radii. */
static const double joint_tolerance = 1e-9;

typedef struct assembly_pass {
  const contact_source *source;
  const contact_law *law;
  contact_set *set;
  const pair_list *pairs, *walls;
  int64_t *block_count; /* contacts per block */
  int64_t *coincident;  /* per block: pair entry whose centres coincide, or -1 */
} assembly_pass;

static double memory_value(const pair_list *list, int32_t column, int64_t entry)
{
  return column >= 0 ? list->memory[column][entry] : 0.0;
}

static int64_t add_walls(const assembly_pass *pass, int32_t i, const double position[3], double radius, int64_t at)
{
  const contact_source *source = pass->source;
  contact_set *set = pass->set;
  int dimension = source->obstacles->dimension;
  for (int64_t k = pass->walls->start[i]; k < pass->walls->start[i + 1]; k++) {
    int32_t number = pass->walls->second[k];
    double normal[3], nearest[3];
    double distance =
        shape_distance(&source->obstacles->world[number], dimension, position, normal, nearest) - radius;
    double gamma = memory_value(pass->walls, pass->law->gamma, k);
    if (distance > (source->sweep ? source->sweep->wall_reach : source->reach)[i] && gamma == 0.0) continue;
    set->first[at] = i;
    set->second[at] = -1;
    set->shape[at] = number;
    set->entry[at] = -1 - k;
    set->distance[at] = distance;
    for (int axis = 0; axis < dimension; axis++) set->normal[axis][at] = normal[axis];
    double guess = pass->law->warm_start ? memory_value(pass->walls, pass->law->impulse, k) : 0.0;
    set->lower[at] = gamma;
    set->impulse[at] = guess > gamma ? guess : gamma;
    at++;
  }
  return at;
}

/* Does the nearest point of contact a lie on the shape of contact b, which is at least as near? Then a is
 * the joint between two shapes of one body and not a contact of its own. */
static bool is_joint(const assembly_pass *pass, const double position[3], double radius, int64_t a, int64_t b)
{
  const contact_set *set = pass->set;
  const shape *on = &pass->source->obstacles->world[set->shape[b]];
  if (on->body != pass->source->obstacles->world[set->shape[a]].body) return false;
  if (set->distance[b] > set->distance[a] || (set->distance[b] == set->distance[a] && b > a)) return false;
  double point[3] = {0.0, 0.0, 0.0}, normal[3], nearest[3];
  int dimension = pass->source->obstacles->dimension;
  for (int axis = 0; axis < dimension; axis++)
    point[axis] = position[axis] + set->normal[axis][a] * (set->distance[a] + radius);
  return shape_distance(on, dimension, point, normal, nearest) <= joint_tolerance * radius;
}

static void move_contact(contact_set *set, int64_t from, int64_t to)
{
  if (from == to) return;
  set->first[to] = set->first[from];
  set->second[to] = set->second[from];
  set->shape[to] = set->shape[from];
  set->entry[to] = set->entry[from];
  set->distance[to] = set->distance[from];
  set->lower[to] = set->lower[from];
  set->impulse[to] = set->impulse[from];
  for (int axis = 0; axis < 3; axis++)
    if (set->normal[axis]) set->normal[axis][to] = set->normal[axis][from];
}

/* Takes joints out of the wall contacts begin..end-1 of one particle; what they remember goes to the
 * contact that replaces them. Returns the new end. */
static int64_t remove_joints(const assembly_pass *pass, const double position[3], double radius, int64_t begin,
                             int64_t end)
{
  for (int64_t a = begin; a < end;) {
    int64_t b = begin;
    while (b < end && (b == a || !is_joint(pass, position, radius, a, b))) b++;
    if (b == end) {
      a++;
      continue;
    }
    pass->set->lower[b] += pass->set->lower[a];
    pass->set->impulse[b] += pass->set->impulse[a];
    for (int64_t k = a + 1; k < end; k++) move_contact(pass->set, k, k - 1);
    end--;
    a = begin; /* the replacement may be a joint itself */
  }
  return end;
}

/* The columns that the loop over pairs reads, so that it finds them in registers. */
typedef struct pair_reader {
  const double *position[3], *radius, *reach;
  const double *gamma, *impulse; /* NULL: not remembered, not wanted */
  double length[3];              /* of periodic axes, 0 on the others */
  const int64_t *ids;            /* NULL: there are no assemblies */
} pair_reader;

static pair_reader read_pairs(const assembly_pass *pass)
{
  const contact_source *source = pass->source;
  double *const *column = source->table->column;
  pair_reader reader = {.radius = column[COLUMN_radius], .reach = source->reach};
  for (int axis = 0; axis < 3; axis++) reader.position[axis] = column[COLUMN_x + axis];
  if (source->assemblies->count > 0) reader.ids = source->table->id;
  if (pass->law->gamma >= 0) reader.gamma = pass->pairs->memory[pass->law->gamma];
  if (pass->law->warm_start) reader.impulse = pass->pairs->memory[pass->law->impulse];
  return reader;
}

static inline int64_t add_pairs(const assembly_pass *pass, const pair_reader *reader, int32_t i, int64_t at,
                                int64_t *coincident, const int dimension)
{
  contact_set *set = pass->set;
  const int32_t *second = pass->pairs->second;
  const int64_t end = pass->pairs->start[i + 1];
  const pair_sweep *sweep = pass->source->sweep;
  const int32_t owner = reader->ids ? rigid_owner(pass->source->assemblies, reader->ids[i]) : -1;
  for (int64_t k = pass->pairs->start[i]; k < end; k++) {
    int32_t j = second[k];
    if (owner >= 0 && rigid_owner(pass->source->assemblies, reader->ids[j]) == owner) continue;
    double separation[3], square = 0.0;
    for (int axis = 0; axis < dimension; axis++) {
      separation[axis] =
          domain_shortest(pass->source->box, axis, reader->position[axis][j] - reader->position[axis][i]);
      square += separation[axis] * separation[axis];
    }
    double contact = reader->radius[i] + reader->radius[j];
    double reach = contact + reader->reach[i] + reader->reach[j];
    double gamma = reader->gamma ? reader->gamma[k] : 0.0;
    if (square > reach * reach && gamma == 0.0) continue;
    if (sweep && gamma == 0.0 && !sweep_may_touch(sweep, i, j, separation, contact, dimension)) continue;
    double centres = sqrt(square);
    if (centres == 0.0) {
      if (*coincident < 0) *coincident = k;
      continue;
    }
    double inverse = 1.0 / centres, guess = reader->impulse ? reader->impulse[k] : 0.0;
    set->first[at] = i;
    set->second[at] = j;
    set->shape[at] = -1;
    set->entry[at] = k;
    set->distance[at] = centres - contact;
    for (int axis = 0; axis < dimension; axis++) set->normal[axis][at] = separation[axis] * inverse;
    set->lower[at] = gamma;
    set->impulse[at] = guess > gamma ? guess : gamma;
    at++;
  }
  return at;
}

static inline void assemble_range(assembly_pass *pass, int64_t begin, int64_t end, int64_t block,
                                  const int dimension)
{
  double *const *column = pass->source->table->column;
  const pair_reader reader = read_pairs(pass);
  int64_t first = pass->pairs->start[begin] + pass->walls->start[begin], at = first;
  pass->coincident[block] = -1;
  for (int64_t i = begin; i < end; i++) {
    if (pass->walls->start[i] != pass->walls->start[i + 1]) {
      double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
      double radius = column[COLUMN_radius][i];
      int64_t walls_begin = at;
      at = add_walls(pass, (int32_t)i, position, radius, at);
      if (at - walls_begin > 1) at = remove_joints(pass, position, radius, walls_begin, at);
    }
    at = add_pairs(pass, &reader, (int32_t)i, at, &pass->coincident[block], dimension);
  }
  pass->block_count[block] = at - first;
}

static void assemble_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  assembly_pass *pass = context;
  if (pass->source->obstacles->dimension == 2)
    assemble_range(pass, begin, end, block, 2);
  else
    assemble_range(pass, begin, end, block, 3);
}

static void move_block(contact_set *set, int64_t from, int64_t to, int64_t count)
{
  if (from == to || count == 0) return;
  size_t n = (size_t)count;
  memmove(set->first + to, set->first + from, n * sizeof *set->first);
  memmove(set->second + to, set->second + from, n * sizeof *set->second);
  memmove(set->shape + to, set->shape + from, n * sizeof *set->shape);
  memmove(set->entry + to, set->entry + from, n * sizeof *set->entry);
  memmove(set->distance + to, set->distance + from, n * sizeof(double));
  memmove(set->lower + to, set->lower + from, n * sizeof(double));
  memmove(set->impulse + to, set->impulse + from, n * sizeof(double));
  for (int axis = 0; axis < 3; axis++)
    if (set->normal[axis]) memmove(set->normal[axis] + to, set->normal[axis] + from, n * sizeof(double));
}

static bool allocate_columns(const contact_source *source, contact_set *set, size_t capacity)
{
  arena *scratch = source->scratch;
  int dimension = source->obstacles->dimension;
  set->first = arena_allocate(scratch, capacity, sizeof *set->first);
  set->second = arena_allocate(scratch, capacity, sizeof *set->second);
  set->shape = arena_allocate(scratch, capacity, sizeof *set->shape);
  set->entry = arena_allocate(scratch, capacity, sizeof *set->entry);
  set->distance = arena_allocate(scratch, capacity, sizeof(double));
  set->lower = arena_allocate(scratch, capacity, sizeof(double));
  set->impulse = arena_allocate(scratch, capacity, sizeof(double));
  bool complete =
      set->first && set->second && set->shape && set->entry && set->distance && set->lower && set->impulse;
  for (int axis = 0; axis < dimension; axis++) {
    set->normal[axis] = arena_allocate(scratch, capacity, sizeof(double));
    complete = complete && set->normal[axis];
  }
  return complete;
}

static floc_status join_blocks(assembly_pass *pass, int64_t blocks)
{
  contact_set *set = pass->set;
  const particles *table = pass->source->table;
  for (int64_t block = 0; block < blocks; block++) {
    int64_t k = pass->coincident[block];
    if (k >= 0) {
      return refuse(pass->source->env, FLOC_OVERLAPPING,
                    "particles %" PRId64 " and %" PRId64 " are at the same point", table->id[pass->pairs->first[k]],
                    table->id[pass->pairs->second[k]]);
    }
    int64_t begin = block * ASSEMBLY_BLOCK;
    move_block(set, pass->pairs->start[begin] + pass->walls->start[begin], set->count, pass->block_count[block]);
    set->count += pass->block_count[block];
  }
  return FLOC_OK;
}

/* ---- friction ---- */

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

static floc_status recall_friction(const contact_source *source, const contact_law *law, contact_set *set)
{
  for (int axis = 0; axis < source->obstacles->dimension; axis++) {
    set->tangent[axis] = arena_allocate(source->scratch, (size_t)set->count, sizeof(double));
    if (!set->tangent[axis]) return FLOC_OUT_OF_MEMORY;
    for (int64_t a = 0; a < set->count; a++) {
      int64_t entry;
      const pair_list *list = list_of(source, set, a, &entry);
      double kept = law->warm_start ? list->memory[law->tangent[axis]][entry] : 0.0;
      set->tangent[axis][a] = orientation(source->table, set, a) * kept;
    }
  }
  return FLOC_OK;
}

/* ---- the gluey law beyond a bound of gamma ---- */

/* A radius on the other side of a contact; infinite for walls. */
static double other_radius(const contact_source *source, const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 ? source->table->column[COLUMN_radius][set->second[a]] : INFINITY;
}

static floc_status set_gluey_bounds(const contact_source *source, const contact_law *law, contact_set *set)
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
  for (int64_t a = 0; a < set->count && status == FLOC_OK; a++) {
    set->least[a] = -INFINITY;
    if (next_gamma(set, a, -INFINITY) == 0.0) continue;
    gluey_side first = {set->first[a], -1}, second = {set->second[a], set->shape[a]};
    status = gluey_threshold(law->gluey, source->table, source->obstacles, first, second, &set->least[a]);
  }
  return status;
}

floc_status contacts_assemble(const contact_source *source, const contact_law *law, contact_set *set)
{
  *set = (contact_set){0};
  assembly_pass pass = {source, law, set, neighbors_pairs(source->near), neighbors_walls(source->near), NULL, NULL};
  int64_t blocks = parallel_block_count(source->table->count, ASSEMBLY_BLOCK);
  pass.block_count = arena_allocate(source->scratch, (size_t)blocks, sizeof *pass.block_count);
  pass.coincident = arena_allocate(source->scratch, (size_t)blocks, sizeof *pass.coincident);
  if (!pass.block_count || !pass.coincident) return FLOC_OUT_OF_MEMORY;
  if (!allocate_columns(source, set, (size_t)(pass.pairs->count + pass.walls->count))) return FLOC_OUT_OF_MEMORY;
  parallel_for(source->env, source->table->count, ASSEMBLY_BLOCK, assemble_block, &pass);
  floc_status status = join_blocks(&pass, blocks);
  if (status == FLOC_OK && law->gamma >= 0) status = set_gluey_bounds(source, law, set);
  if (status == FLOC_OK && law->friction > 0.0) status = recall_friction(source, law, set);
  if (status != FLOC_OK) return status;
  set->problem = (contact_problem){.dimension = source->obstacles->dimension,
                                   .time_step = source->time_step,
                                   .particle_count = source->table->count,
                                   .contact_count = set->count,
                                   .first = set->first,
                                   .second = set->second,
                                   .normal = {set->normal[0], set->normal[1], set->normal[2]},
                                   .distance = set->distance,
                                   .lower = set->lower};
  return FLOC_OK;
}

/* Contacts of a set are sorted by this. */
static int64_t order_of(const contact_set *set, int64_t a)
{
  int64_t other = set->second[a] >= 0 ? set->second[a] : (int64_t)set->shape[a] + INT32_MIN;
  return ((int64_t)set->first[a] << 33) + other;
}

void contacts_carry_over(const contact_set *before, const contact_law *law, contact_set *set)
{
  if (!law->warm_start) return;
  int64_t b = 0;
  for (int64_t a = 0; a < set->count && b < before->count; a++) {
    int64_t order = order_of(set, a);
    while (b < before->count && order_of(before, b) < order) b++;
    if (b == before->count || order_of(before, b) != order) continue;
    set->impulse[a] = before->impulse[b];
    for (int axis = 0; axis < 3; axis++)
      if (set->tangent[axis]) set->tangent[axis][a] = before->tangent[axis][b];
  }
}

static void clear_memory(const pair_list *list, int32_t column)
{
  if (column >= 0 && list->count > 0) memset(list->memory[column], 0, (size_t)list->count * sizeof(double));
}

static void remember_friction(const particles *table, const contact_set *set, const contact_law *law,
                              const pair_list *pairs, const pair_list *walls)
{
  for (int axis = 0; axis < set->problem.dimension; axis++) {
    clear_memory(pairs, law->tangent[axis]);
    clear_memory(walls, law->tangent[axis]);
    for (int64_t a = 0; a < set->count; a++) {
      const pair_list *list = set->entry[a] >= 0 ? pairs : walls;
      int64_t k = set->entry[a] >= 0 ? set->entry[a] : -1 - set->entry[a];
      list->memory[law->tangent[axis]][k] = orientation(table, set, a) * set->tangent[axis][a];
    }
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
  clear_memory(pairs, law->impulse);
  clear_memory(walls, law->impulse);
  clear_memory(pairs, law->gamma);
  clear_memory(walls, law->gamma);
  if (law->friction > 0.0) remember_friction(table, set, law, pairs, walls);
  remember_call call = {set, law, pairs, walls};
  parallel_for(table->env, set->count, PARALLEL_BLOCK, remember_block, &call);
}
