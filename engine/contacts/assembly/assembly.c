/*
 * Assembly of the contact problem. See assembly.h.
 *
 * Blocks of particles are filled in parallel, a wave of blocks at a time, each into its own part of columns that
 * are long enough for every list entry of the wave; then the parts of the wave are moved together while they are in
 * the cache. So the contacts come sorted by (first, second), walls before pairs, whatever the number of threads.
 *
 * Memory: a contact has 56 (in space 64) bytes here. While a crowd falls, lists have many times as many entries as
 * there are contacts, so where they are long the pairs within reach are counted first, and a block's part is as
 * long as these need.
 */
#include "contacts/assembly/assembly.h"

#include "base/interruption.h"
#include "base/threads/parallel.h"
#include "domains/patches.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ASSEMBLY_BLOCK = 512, BLOCKS_PER_THREAD = 16 /* in a wave */ };

/* Entries per particle from which on counting is worth its time: dense packings at rest have fewer. */
enum { ENTRIES_IN_PLANE = 6, ENTRIES_IN_SPACE = 8 };

/* A nearest point lies on another shape of the same body if it is this close, in particle radii. */
static const double joint_tolerance = 1e-9;

typedef struct assembly_pass {
  const contact_source *source;
  const contact_laws *laws;
  contact_set *set;
  const pair_list *pairs, *walls;
  int64_t first_block;  /* of the wave */
  int64_t *within;      /* [block] pairs within reach, and walls; NULL: not counted */
  int64_t *part;        /* of the wave: where each block's part begins */
  int64_t *block_count; /* of the wave: contacts per block */
  int64_t *coincident;  /* of the wave, per block: pair entry whose centres coincide, or -1 */
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
    double gamma = memory_value(pass->walls, pass->laws->held, k);
    double reach = (source->sweep ? source->sweep->wall_reach : source->reach)[i] +
                   source->obstacles->body[source->obstacles->world[number].body].reach;
    if (distance > reach && gamma == 0.0) continue;
    set->first[at] = i;
    set->second[at] = -1;
    set->shape[at] = number;
    set->entry[at] = (int32_t)(-1 - k);
    set->distance[at] = distance;
    for (int axis = 0; axis < dimension; axis++) set->normal[axis][at] = normal[axis];
    double guess = pass->laws->warm_start ? memory_value(pass->walls, pass->laws->impulse, k) : 0.0;
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

/* The columns that the loops over pairs use, so that they find them in registers. */
typedef struct pair_columns {
  const int32_t *first, *second; /* of the list */
  const double *position[3], *radius, *reach;
  const double *gamma, *impulse; /* NULL: not remembered, not wanted */
  domain box;
  bool skew;
} pair_columns;

static pair_columns read_pairs(const assembly_pass *pass)
{
  const contact_source *source = pass->source;
  double *const *column = source->table->column;
  pair_columns from = {.first = pass->pairs->first,
                       .second = pass->pairs->second,
                       .radius = column[COLUMN_radius],
                       .reach = source->reach,
                       .box = *source->box,
                       .skew = domain_is_skew(source->box)};
  for (int axis = 0; axis < 3; axis++) from.position[axis] = column[COLUMN_x + axis];
  if (pass->laws->held >= 0) from.gamma = pass->pairs->memory[pass->laws->held];
  if (pass->laws->warm_start) from.impulse = pass->pairs->memory[pass->laws->impulse];
  return from;
}

__attribute__((noinline)) static void skew_way(const pair_columns *from, int32_t i, int32_t j, int dimension,
                                               double way[3])
{
  for (int axis = 0; axis < dimension; axis++) way[axis] = from->position[axis][j] - from->position[axis][i];
  domain_nearest(&from->box, way);
}

/* The way from centre i to centre j, and its square. */
static inline double pair_way(const pair_columns *from, int32_t i, int32_t j, double way[3], const int dimension)
{
  double square = 0.0;
  if (from->skew) skew_way(from, i, j, dimension, way);
  for (int axis = 0; axis < dimension; axis++) {
    if (!from->skew)
      way[axis] = domain_shortest(&from->box, axis, from->position[axis][j] - from->position[axis][i]);
    square += way[axis] * way[axis];
  }
  return square;
}

/* Writes those of the entries begin .. end - 1 that are within reach or glued, from contact `at` on, and returns
 * the contact behind the last: no unpredictable branch, rejected entries are overwritten. Until
 * finish_pairs() `normal` is the way between the centres, `distance` its square and `impulse` the sum of the radii.
 */
static inline int64_t sift_pairs(const pair_columns *from, const contact_set *set, int64_t begin, int64_t end,
                                 int64_t at, const int dimension)
{
  for (int64_t k = begin; k < end; k++) {
    int32_t i = from->first[k], j = from->second[k];
    double way[3] = {0.0, 0.0, 0.0}, square = pair_way(from, i, j, way, dimension);
    for (int axis = 0; axis < dimension; axis++) set->normal[axis][at] = way[axis];
    double contact = from->radius[i] + from->radius[j], reach = contact + from->reach[i] + from->reach[j];
    double gamma = from->gamma ? from->gamma[k] : 0.0;
    set->first[at] = i;
    set->second[at] = j;
    set->shape[at] = -1;
    set->entry[at] = (int32_t)k;
    set->distance[at] = square;
    set->lower[at] = gamma;
    set->impulse[at] = contact;
    at += !(square > reach * reach) | (gamma != 0.0);
  }
  return at;
}

/* Is a pair no contact, although it is within reach? */
static bool is_excluded(const assembly_pass *pass, int64_t a, const int dimension)
{
  const contact_source *source = pass->source;
  const contact_set *set = pass->set;
  const int32_t i = set->first[a], j = set->second[a];
  if (source->assemblies->count > 0) {
    int32_t owner = rigid_owner(source->assemblies, source->table->id[i]);
    if (owner >= 0 && rigid_owner(source->assemblies, source->table->id[j]) == owner) return true;
  }
  if (contact_is_frozen(source, i) && contact_is_frozen(source, j)) return true;
  if (!source->sweep || set->lower[a] != 0.0) return false;
  double way[3];
  for (int axis = 0; axis < dimension; axis++) way[axis] = set->normal[axis][a];
  return !sweep_may_touch(source->sweep, i, j, way, set->impulse[a], dimension);
}

/* Takes excluded pairs and coincident centres out of the contacts begin .. end - 1; returns the new end. */
static int64_t remove_excluded(const assembly_pass *pass, int64_t begin, int64_t end, int64_t *coincident,
                               const int dimension)
{
  contact_set *set = pass->set;
  int64_t to = begin;
  for (int64_t a = begin; a < end; a++) {
    if (is_excluded(pass, a, dimension)) continue;
    if (set->distance[a] == 0.0) {
      if (*coincident < 0) *coincident = set->entry[a];
      continue;
    }
    move_contact(set, a, to++);
  }
  return to;
}

static inline void finish_pairs(const pair_columns *from, const contact_set *set, int64_t begin, int64_t end,
                                const int dimension)
{
  for (int64_t a = begin; a < end; a++) {
    double centres = sqrt(set->distance[a]), inverse = 1.0 / centres;
    set->distance[a] = centres - set->impulse[a];
    for (int axis = 0; axis < dimension; axis++) set->normal[axis][a] *= inverse;
  }
  for (int64_t a = begin; a < end; a++) {
    double guess = from->impulse ? from->impulse[set->entry[a]] : 0.0;
    set->impulse[a] = guess > set->lower[a] ? guess : set->lower[a];
  }
}

/* Contacts of the list's entries begin .. end - 1, from contact `at` on. */
static inline int64_t add_pairs(const assembly_pass *pass, const pair_columns *from, int64_t begin, int64_t end,
                                int64_t at, int64_t *coincident, const int dimension)
{
  const contact_source *source = pass->source;
  int64_t to = sift_pairs(from, pass->set, begin, end, at, dimension);
  bool excludes = source->assemblies->count > 0 || source->sweep || source->frozen;
  for (int64_t a = at; a < to; a++) excludes |= pass->set->distance[a] == 0.0;
  if (excludes) to = remove_excluded(pass, at, to, coincident, dimension);
  finish_pairs(from, pass->set, at, to, dimension);
  return to;
}

/* Walls come before pairs, particle by particle. */
static inline int64_t add_particle(const assembly_pass *pass, const pair_columns *from, int64_t i, int64_t at,
                                   int64_t *coincident, const int dimension)
{
  double *const *column = pass->source->table->column;
  double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
  int64_t end =
      contact_is_frozen(pass->source, i) ? at : add_walls(pass, (int32_t)i, position, from->radius[i], at);
  const bool round = !pass->source->cores || grain_is_round(pass->source->cores, i);
  if (end - at > 1 && round) end = remove_joints(pass, position, from->radius[i], at, end);
  return add_pairs(pass, from, pass->pairs->start[i], pass->pairs->start[i + 1], end, coincident, dimension);
}

/* Particles that are before a block. */
static int64_t block_start(const assembly_pass *pass, int64_t block)
{
  const int64_t begin = block * ASSEMBLY_BLOCK, count = pass->source->table->count;
  return begin < count ? begin : count;
}

/* How many contacts a block writes at most. A rejected entry is written behind the last contact. */
static int64_t space_of(const assembly_pass *pass, int64_t block)
{
  if (pass->within) return pass->within[block] + 1;
  const int64_t *pairs = pass->pairs->start, *walls = pass->walls->start;
  const int64_t begin = block_start(pass, block), end = block_start(pass, block + 1);
  return pairs[end] - pairs[begin] + walls[end] - walls[begin];
}

static inline void assemble_range(assembly_pass *pass, int64_t begin, int64_t end, int64_t number,
                                  const int dimension)
{
  const pair_columns from = read_pairs(pass);
  const int64_t *pair_start = pass->pairs->start, *wall_start = pass->walls->start;
  const int64_t first = pass->part[number];
  int64_t at = first, *coincident = &pass->coincident[number];
  *coincident = -1;
  if (wall_start[begin] == wall_start[end])
    at = add_pairs(pass, &from, pair_start[begin], pair_start[end], at, coincident, dimension);
  else
    for (int64_t i = begin; i < end; i++) at = add_particle(pass, &from, i, at, coincident, dimension);
  pass->block_count[number] = at - first;
}

static void assemble_blocks(void *context, int64_t first, int64_t last, int64_t part)
{
  (void)part;
  assembly_pass *pass = context;
  for (int64_t number = first; number < last; number++) {
    const int64_t begin = block_start(pass, pass->first_block + number);
    const int64_t end = block_start(pass, pass->first_block + number + 1);
    if (pass->source->obstacles->dimension == 2)
      assemble_range(pass, begin, end, number, 2);
    else
      assemble_range(pass, begin, end, number, 3);
  }
}

/* ---- how long columns must be ---- */

static inline int64_t count_pairs(const pair_columns *from, int64_t begin, int64_t end, const int dimension)
{
  int64_t count = 0;
  for (int64_t k = begin; k < end; k++) {
    int32_t i = from->first[k], j = from->second[k];
    double way[3] = {0.0, 0.0, 0.0}, square = pair_way(from, i, j, way, dimension);
    double reach = from->radius[i] + from->radius[j] + from->reach[i] + from->reach[j];
    count += !(square > reach * reach) | (from->gamma && from->gamma[k] != 0.0);
  }
  return count;
}

static void count_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const assembly_pass *pass = context;
  const pair_columns from = read_pairs(pass);
  const int64_t *pairs = pass->pairs->start, *walls = pass->walls->start;
  int64_t count = pass->source->obstacles->dimension == 2 ? count_pairs(&from, pairs[begin], pairs[end], 2)
                                                          : count_pairs(&from, pairs[begin], pairs[end], 3);
  pass->within[block] = count + walls[end] - walls[begin];
}

static int64_t blocks_in_wave(const contact_source *source)
{
  return (int64_t)BLOCKS_PER_THREAD * source->env->threads;
}

static floc_status find_capacity(assembly_pass *pass, int64_t *capacity)
{
  const contact_source *source = pass->source;
  const int64_t count = source->table->count, blocks = parallel_block_count(count, ASSEMBLY_BLOCK);
  const int64_t most = source->obstacles->dimension == 2 ? ENTRIES_IN_PLANE : ENTRIES_IN_SPACE;
  *capacity = pass->pairs->count + pass->walls->count;
  if (*capacity <= most * count || blocks <= blocks_in_wave(source)) return FLOC_OK;
  pass->within = arena_allocate(source->scratch, (size_t)blocks, sizeof *pass->within);
  if (!pass->within) return FLOC_OUT_OF_MEMORY;
  slots_for(source->env, source->table, ASSEMBLY_BLOCK, count_block, pass);
  *capacity = blocks_in_wave(source); /* of each block of the last wave: space for a rejected entry */
  for (int64_t block = 0; block < blocks; block++) *capacity += pass->within[block];
  return FLOC_OK;
}

bool contacts_allocate_columns(const contact_source *source, contact_set *set, size_t capacity)
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

/* ---- the parts of a wave are moved together, a column by each thread ---- */

enum { COLUMNS = 10, WORTH_SHARING = 2048 /* contacts */ };

typedef struct join_call {
  const assembly_pass *pass;
  int64_t blocks;
  char *column[COLUMNS];
  size_t size[COLUMNS]; /* of an element */
  int32_t count;
} join_call;

static void add_column(join_call *call, void *column, size_t size)
{
  if (!column) return;
  call->column[call->count] = column;
  call->size[call->count++] = size;
}

static void join_column(void *context, int64_t number, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const join_call *call = context;
  const assembly_pass *pass = call->pass;
  size_t size = call->size[number];
  char *to = call->column[number] + (size_t)pass->set->count * size;
  for (int64_t k = 0; k < call->blocks; k++) {
    const char *from = call->column[number] + (size_t)pass->part[k] * size;
    size_t bytes = (size_t)pass->block_count[k] * size;
    if (to != from && bytes > 0) memmove(to, from, bytes);
    to += bytes;
  }
}

static floc_status join_blocks(assembly_pass *pass, int64_t blocks)
{
  contact_set *set = pass->set;
  const particles *table = pass->source->table;
  int64_t joined = 0;
  for (int64_t number = 0; number < blocks; number++) {
    int64_t k = pass->coincident[number];
    if (k >= 0) {
      return refuse(pass->source->env, FLOC_OVERLAPPING,
                    "particles %" PRId64 " and %" PRId64 " are at the same point", table->id[pass->pairs->first[k]],
                    table->id[pass->pairs->second[k]]);
    }
    joined += pass->block_count[number];
  }
  join_call call = {.pass = pass, .blocks = blocks};
  add_column(&call, set->first, sizeof *set->first);
  add_column(&call, set->second, sizeof *set->second);
  add_column(&call, set->shape, sizeof *set->shape);
  add_column(&call, set->entry, sizeof *set->entry);
  add_column(&call, set->distance, sizeof *set->distance);
  add_column(&call, set->lower, sizeof *set->lower);
  add_column(&call, set->impulse, sizeof *set->impulse);
  for (int axis = 0; axis < 3; axis++) add_column(&call, set->normal[axis], sizeof *set->normal[axis]);
  if (joined >= WORTH_SHARING)
    parallel_for(pass->source->env, call.count, 1, join_column, &call);
  else
    for (int32_t number = 0; number < call.count; number++) join_column(&call, number, number + 1, number);
  set->count += joined;
  return FLOC_OK;
}

static floc_status run_waves(assembly_pass *pass)
{
  const contact_source *source = pass->source;
  int64_t blocks = parallel_block_count(source->table->count, ASSEMBLY_BLOCK);
  int64_t wave = blocks_in_wave(source);
  pass->part = arena_allocate(source->scratch, (size_t)wave + 1, sizeof *pass->part);
  pass->block_count = arena_allocate(source->scratch, (size_t)wave, sizeof *pass->block_count);
  pass->coincident = arena_allocate(source->scratch, (size_t)wave, sizeof *pass->coincident);
  if (!pass->part || !pass->block_count || !pass->coincident) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  for (; pass->first_block < blocks && status == FLOC_OK; pass->first_block += wave) {
    int64_t left = blocks - pass->first_block, count = left < wave ? left : wave;
    pass->part[0] = pass->set->count;
    for (int64_t k = 0; k < count; k++) pass->part[k + 1] = pass->part[k] + space_of(pass, pass->first_block + k);
    parallel_for(source->env, count, 1, assemble_blocks, pass);
    status = join_blocks(pass, count);
    if (status == FLOC_OK) status = interruption_status(source->env);
  }
  return status;
}

/* ---- images that move ---- */

static double *zero_column(const contact_source *source, int64_t count)
{
  double *made = arena_allocate(source->scratch, (size_t)count, sizeof *made);
  if (made) parallel_clear(source->env, count, made);
  return made;
}

/* What a contact's first particle meets is an image of the second, which moves besides as its lattice vector does.
 * Where contacts have rows across the normal that is a velocity of the surface; arms go by the distance, which
 * stays. Else it is a distance that is shorter by what the image approaches in the step: *distance. */
static floc_status add_image_motion(const contact_source *source, const contact_laws *laws, contact_set *set,
                                    const double **distance)
{
  const floc_projection_options *options = &laws->options;
  const bool rows = options->friction > 0.0 || options->rolling > 0.0 || options->twisting > 0.0;
  const int dimension = source->obstacles->dimension;
  double *const *x = &source->table->column[COLUMN_x], *closer = NULL;
  bool made = (set->image_rate = zero_column(source, set->count)) != NULL;
  for (int axis = 0; axis < dimension && rows; axis++)
    if (!set->surface_velocity[axis])
      made = made && (set->surface_velocity[axis] = zero_column(source, set->count));
  if (!rows) made = made && (closer = zero_column(source, set->count));
  if (!made) return FLOC_OUT_OF_MEMORY;
  for (int64_t a = 0; a < set->count; a++) {
    double way[3] = {0.0, 0.0, 0.0}, velocity[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < dimension && set->second[a] >= 0; axis++)
      way[axis] = x[axis][set->second[a]] - x[axis][set->first[a]];
    if (set->second[a] >= 0) domain_nearest_motion(source->box, way, velocity);
    for (int axis = 0; axis < dimension; axis++) {
      set->image_rate[a] += set->normal[axis][a] * velocity[axis];
      if (rows) set->surface_velocity[axis][a] += velocity[axis];
    }
    if (closer) closer[a] = set->distance[a] + source->time_step * set->image_rate[a];
  }
  if (closer) *distance = closer;
  return FLOC_OK;
}

floc_status contacts_assemble(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  int64_t capacity;
  *set = (contact_set){0};
  assembly_pass pass = {.source = source,
                        .laws = laws,
                        .set = set,
                        .pairs = neighbors_pairs(source->near),
                        .walls = neighbors_walls(source->near)};
  floc_status status = find_capacity(&pass, &capacity);
  if (status != FLOC_OK) return status;
  if (!contacts_allocate_columns(source, set, (size_t)capacity)) return FLOC_OUT_OF_MEMORY;
  status = run_waves(&pass);
  if (status == FLOC_OK && source->cores) status = contacts_find_features(source, laws, set);
  if (status == FLOC_OK) status = contacts_fill(source, laws, set);
  const double *distance = set->distance;
  if (status == FLOC_OK && domain_moves(source->box)) status = add_image_motion(source, laws, set, &distance);
  if (status != FLOC_OK) return status;
  set->problem = (contact_problem){.dimension = source->obstacles->dimension,
                                   .time_step = source->time_step,
                                   .body_count = source->table->count,
                                   .contact_count = set->count,
                                   .first = set->first,
                                   .second = set->second,
                                   .normal = {set->normal[0], set->normal[1], set->normal[2]},
                                   .distance = distance,
                                   .lower = set->lower,
                                   .friction = set->friction,
                                   .rolling = set->rolling,
                                   .twisting = set->twisting};
  for (int axis = 0; axis < 3; axis++) {
    set->problem.surface_velocity[axis] = set->surface_velocity[axis];
    set->problem.surface_spin[axis] = set->surface_spin[axis];
  }
  if (patches_are_one(source->box, source->table->count, source->patch_particles)) return FLOC_OK;
  set->problem.patches = arena_allocate(source->scratch, 1, sizeof *set->problem.patches);
  if (!set->problem.patches) return FLOC_OUT_OF_MEMORY;
  *set->problem.patches = (patch_place){source->table, source->box, source->patch_particles, false, {0}};
  return FLOC_OK;
}
