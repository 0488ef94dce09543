/*
 * Contacts of grains that are not round, from the contacts of the circles, or balls, about them: every pair of
 * features within reach is a contact of its own (geometry/convex/convex.h), with its arms and its memory. Contacts
 * of discs with discs, or with bodies, stay as they are.
 *
 * First each contact by circles is looked at, and the rows that come of it are counted; the first few are kept, so
 * that nearly all are found once. Then each has its place, and columns are filled. Contacts come in the order in
 * which the circles' came, and within one by the features' numbers, whatever the number of threads.
 */
#include "contacts/assembly/assembly.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"

#include <math.h>

enum { KEPT_ROWS = 4, FEATURE_BLOCK = 256, ROUND = -1 /* rows of one that stays as it is */ };

static const double joint_tolerance = 1e-9; /* in radii: so close, a point lies on another shape of the body */

typedef struct feature_pass {
  const contact_source *source;
  const contact_laws *laws;
  const pair_list *pairs, *walls;
  const contact_set *circles;
  contact_set *set;
  int32_t *count;                /* [contact by circles] rows, or ROUND */
  convex_row (*kept)[KEPT_ROWS]; /* [contact by circles] */
  int64_t *begin;                /* [contact by circles + 1] */
} feature_pass;

static void read_center(const contact_source *source, int64_t i, double center[3])
{
  for (int axis = 0; axis < 3; axis++) center[axis] = source->table->column[COLUMN_x + axis][i];
}

/* How far one may come to walls: with its centre, and with its corners. */
static double wall_reach(const contact_source *source, int64_t i)
{
  const pair_sweep *sweep = source->sweep;
  return sweep ? sweep->wall_reach[i] + sweep->turning[i] : source->reach[i];
}

/* What a pair may go besides the ways that are foreseen: way, of the second less that of the first. Without a sweep
 * none is foreseen. */
static double pair_reach(const contact_source *source, int64_t i, int64_t j, double way[3])
{
  const pair_sweep *sweep = source->sweep;
  const int dimension = source->obstacles->dimension;
  way[2] = 0.0;
  for (int axis = 0; axis < dimension; axis++) way[axis] = sweep ? sweep->way[axis][j] - sweep->way[axis][i] : 0.0;
  if (!sweep) return source->reach[i] + source->reach[j];
  return sweep->deviation[i] + sweep->deviation[j] + sweep->turning[i] + sweep->turning[j];
}

/* ---- rows ---- */

/* Does the row's point of the wall lie on another shape of the same body, which comes before it or is nearer to the
 * same corner? Then that has it. Those of one particle stand together. */
static bool is_joint(const feature_pass *pass, int64_t a, const convex_row *row)
{
  const contact_source *source = pass->source;
  const contact_set *circles = pass->circles;
  const int32_t i = circles->first[a], owner = source->obstacles->world[circles->shape[a]].body;
  const grain_core core = grain_core_of(source->cores, i);
  const double rounding = grain_core_rounding(&core);
  const int dimension = source->obstacles->dimension;
  double point[3], normal[3], nearest[3], corner[3];
  read_center(source, i, point);
  for (int axis = 0; axis < 3; axis++) {
    corner[axis] = point[axis] + row->first[axis] - rounding * row->normal[axis];
    point[axis] += row->first[axis] + row->distance * row->normal[axis];
  }
  int64_t b = a;
  while (b > 0 && circles->first[b - 1] == i && circles->second[b - 1] < 0) b--;
  for (; b < circles->count && circles->first[b] == i && circles->second[b] < 0; b++) {
    const shape *other = &source->obstacles->world[circles->shape[b]];
    if (b == a || other->body != owner) continue;
    if (shape_distance(other, dimension, point, normal, nearest) >
        joint_tolerance * source->table->column[COLUMN_radius][i])
      continue;
    double distance = row->distance;
    if (core.kind == GRAIN_ELLIPSOID) {
      read_center(source, i, corner);
      distance = fmin(distance, grain_wall_distance(other, &core, corner, row->distance));
    } else if (grain_feature_is_corner(&core, row->feature[0])) {
      distance = shape_distance(other, dimension, corner, normal, nearest) - rounding;
    }
    if (distance < row->distance || (distance == row->distance && b < a)) return true;
  }
  return false;
}

static int32_t wall_rows(const feature_pass *pass, int64_t a, convex_row *rows, int32_t *left_out)
{
  const contact_source *source = pass->source;
  const int32_t i = pass->circles->first[a];
  const grain_core core = grain_core_of(source->cores, i);
  double center[3];
  read_center(source, i, center);
  const int32_t found = grain_wall_rows(&source->obstacles->world[pass->circles->shape[a]], &core, center,
                                        wall_reach(source, i), rows);
  int32_t count = 0;
  *left_out = found - convex_kept(found);
  for (int32_t k = 0; k < convex_kept(found); k++)
    if (!is_joint(pass, a, &rows[k])) rows[count++] = rows[k];
  return count;
}

static int32_t pair_rows(const feature_pass *pass, int64_t a, convex_row *rows, int32_t *left_out)
{
  const contact_source *source = pass->source;
  const int32_t i = pass->circles->first[a], j = pass->circles->second[a];
  const grain_core first = grain_core_of(source->cores, i), second = grain_core_of(source->cores, j);
  double between[3] = {0.0, 0.0, 0.0}, way[3];
  for (int axis = 0; axis < source->obstacles->dimension; axis++) {
    const double *position = source->table->column[COLUMN_x + axis];
    between[axis] = domain_shortest(source->box, axis, position[j] - position[i]);
  }
  const double reach = pair_reach(source, i, j, way), foreseen = vector_length(way);
  const int32_t found = grain_rows(&first, &second, between, reach + foreseen, rows);
  int32_t count = 0;
  *left_out = found - convex_kept(found);
  for (int32_t k = 0; k < convex_kept(found); k++) {
    /* a corner's distance is convex, so after the way it is at least this */
    if (rows[k].distance + vector_dot(way, rows[k].normal) > reach) continue;
    rows[count] = rows[k];
    for (int axis = 0; axis < 3; axis++) { /* to the middle of the gap: friction there keeps the angular momentum */
      rows[count].first[axis] += 0.5 * rows[k].distance * rows[k].normal[axis];
      rows[count].second[axis] -= 0.5 * rows[k].distance * rows[k].normal[axis];
    }
    count++;
  }
  return count;
}

static int32_t find_rows(const feature_pass *pass, int64_t a, convex_row *rows, int32_t *left_out)
{
  const contact_set *circles = pass->circles;
  const int32_t i = circles->first[a], j = circles->second[a];
  *left_out = 0;
  if (grain_is_round(pass->source->cores, i) && (j < 0 || grain_is_round(pass->source->cores, j))) return ROUND;
  return j < 0 ? wall_rows(pass, a, rows, left_out) : pair_rows(pass, a, rows, left_out);
}

/* The number of those that are left out. */
static double count_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const feature_pass *pass = context;
  convex_row rows[CONVEX_ROWS];
  int64_t sum = 0;
  for (int64_t a = begin; a < end; a++) {
    int32_t left_out;
    const int32_t count = pass->count[a] = find_rows(pass, a, rows, &left_out);
    for (int32_t k = 0; k < count && k < KEPT_ROWS; k++) pass->kept[a][k] = rows[k];
    sum += left_out;
  }
  return (double)sum;
}

/* ---- memory ---- */

/* Which of the pair's memories has these features; -1: none. */
static int32_t find_part(const feature_pass *pass, int64_t entry, int32_t feature)
{
  const pair_list *list = entry >= 0 ? pass->pairs : pass->walls;
  const int64_t k = entry >= 0 ? entry : -1 - entry;
  for (int32_t part = 0; part < CONTACT_PARTS; part++)
    if (list->memory[pass->laws->part[part]][k] == feature + 1.0) return part;
  return -1;
}

static double remembered_impulse(const feature_pass *pass, int64_t entry, int32_t part)
{
  if (part < 0 || !pass->laws->warm_start) return 0.0;
  const int32_t column = part == 0 ? pass->laws->impulse : pass->laws->further[pass->laws->impulse][part];
  return entry >= 0 ? pass->pairs->memory[column][entry] : pass->walls->memory[column][-1 - entry];
}

/* ---- columns ---- */

static int32_t feature_of(const feature_pass *pass, int64_t a, const convex_row *row)
{
  const int64_t *id = pass->source->table->id;
  const int32_t i = pass->circles->first[a], j = pass->circles->second[a];
  const bool turned = j >= 0 && id[i] > id[j];
  const int32_t one = row->feature[turned], other = row->feature[!turned];
  if (one < CONVEX_FEATURES && other < CONVEX_FEATURES) return one * CONVEX_FEATURES + other;
  return CONVEX_FEATURES * CONVEX_FEATURES + one * POLYHEDRON_FEATURES + other; /* of polyhedra */
}

static void fill_row(const feature_pass *pass, int64_t a, const convex_row *row, int64_t at)
{
  const contact_set *circles = pass->circles;
  contact_set *set = pass->set;
  set->first[at] = circles->first[a];
  set->second[at] = circles->second[a];
  set->shape[at] = circles->shape[a];
  set->entry[at] = circles->entry[a];
  set->distance[at] = row->distance;
  set->lower[at] = 0.0;
  set->feature[at] = feature_of(pass, a, row);
  set->part[at] = find_part(pass, circles->entry[a], set->feature[at]);
  const double guess = remembered_impulse(pass, circles->entry[a], set->part[at]);
  set->impulse[at] = guess > 0.0 ? guess : 0.0;
  for (int axis = 0; axis < pass->source->obstacles->dimension; axis++) {
    set->normal[axis][at] = row->normal[axis];
    set->arm_first[axis][at] = row->first[axis];
    set->arm_second[axis][at] = circles->second[a] >= 0 ? row->second[axis] : 0.0;
  }
}

/* Of two discs, or of a disc and a body. */
static convex_row round_row(const feature_pass *pass, int64_t a)
{
  const contact_set *circles = pass->circles;
  const double *radius = pass->source->table->column[COLUMN_radius];
  const int32_t j = circles->second[a];
  const double half = j >= 0 ? 0.5 * circles->distance[a] : 0.0, first = radius[circles->first[a]] + half,
               second = j >= 0 ? -(radius[j] + half) : 0.0;
  convex_row row = {.distance = circles->distance[a]};
  for (int axis = 0; axis < pass->source->obstacles->dimension; axis++) {
    row.normal[axis] = circles->normal[axis][a];
    row.first[axis] = first * row.normal[axis];
    row.second[axis] = second * row.normal[axis];
  }
  return row;
}

static void fill_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const feature_pass *pass = context;
  convex_row rows[CONVEX_ROWS];
  for (int64_t a = begin; a < end; a++) {
    const convex_row *from = pass->kept[a];
    if (pass->count[a] == ROUND) {
      rows[0] = round_row(pass, a);
      fill_row(pass, a, rows, pass->begin[a]);
      continue;
    }
    if (pass->count[a] > KEPT_ROWS) {
      int32_t left_out;
      find_rows(pass, a, rows, &left_out);
      from = rows;
    }
    for (int32_t k = 0; k < pass->count[a]; k++) fill_row(pass, a, &from[k], pass->begin[a] + k);
  }
}

static bool allocate(const contact_source *source, contact_set *set, size_t count)
{
  arena *scratch = source->scratch;
  set->feature = arena_allocate(scratch, count, sizeof *set->feature);
  set->part = arena_allocate(scratch, count, sizeof *set->part);
  bool complete = contacts_allocate_columns(source, set, count) && set->feature && set->part;
  for (int axis = 0; axis < source->obstacles->dimension; axis++) {
    set->arm_first[axis] = arena_allocate(scratch, count, sizeof(double));
    set->arm_second[axis] = arena_allocate(scratch, count, sizeof(double));
    complete = complete && set->arm_first[axis] && set->arm_second[axis];
  }
  return complete;
}

floc_status contacts_find_features(const contact_source *source, const contact_laws *laws, contact_set *set)
{
  const contact_set circles = *set;
  const size_t count = (size_t)circles.count;
  feature_pass pass = {.source = source,
                       .laws = laws,
                       .pairs = neighbors_pairs(source->near),
                       .walls = neighbors_walls(source->near),
                       .circles = &circles,
                       .set = set};
  pass.count = arena_allocate(source->scratch, count, sizeof *pass.count);
  pass.kept = arena_allocate(source->scratch, count, sizeof *pass.kept);
  pass.begin = arena_allocate(source->scratch, count + 1, sizeof *pass.begin);
  if (!pass.count || !pass.kept || !pass.begin) return FLOC_OUT_OF_MEMORY;
  set->left_out = parallel_count(source->env, circles.count, FEATURE_BLOCK, count_block, &pass);
  pass.begin[0] = 0;
  for (int64_t a = 0; a < circles.count; a++)
    pass.begin[a + 1] = pass.begin[a] + (pass.count[a] == ROUND ? 1 : pass.count[a]);
  if (!allocate(source, set, (size_t)pass.begin[circles.count])) return FLOC_OUT_OF_MEMORY;
  set->count = pass.begin[circles.count];
  parallel_for(source->env, circles.count, FEATURE_BLOCK, fill_block, &pass);
  return FLOC_OK;
}
