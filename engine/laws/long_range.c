/*
 * Forces s_i s_j / r^2 between all particles, where s is their mass, charge, or another attribute: by a tree of
 * cells (Barnes and Hut, Nature 324, 1986), at a cost of n log n. A cell that is small against its distance acts by
 * the moments of what is in it, up to the octupole; one that is not is opened.
 *
 * Particles are sorted along Morton's curve, so a cell is a range of them. A cell has its centre at the mean
 * position weighted by |s|; b is the distance of its furthest particle from there. It acts as a whole on a group of
 * neighbouring particles if b < opening d, d the distance of the centre from the box around the group. The error of
 * the force falls with the fourth power of the opening.
 *
 * With sources at R + D from a particle, D measured from the centre, q = sum s, d = sum s D, Q = sum s D D,
 * O = sum s D D D, t = sum s D |D|^2:
 *
 *   phi = q/w - (R.d)/w^3 + (3 R.Q.R/w^5 - tr Q/w^3)/2 - (5 O:RRR/w^7 - 3 R.t/w^5)/2,   w^2 = R^2 + softening^2
 *
 * the Taylor series of sum s/sqrt(r^2 + softening^2); Plummer's softening, so it converges as without. Forces are
 * its gradient. Forces of particles on each other add up to 0 but for that error.
 *
 * A group is done by one thread, in the order of the walk through the tree, so no sum depends on threads. Loops run
 * over the particles of a group side by side: nothing is summed across lanes, and every width gives the same bits.
 */
#include "laws/long_range.h"

#include "base/fields.h"
#include "base/interruption.h"
#include "base/numbers/wide.h"
#include "base/threads/parallel.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

enum { LEAF = 16, GROUP = 32, LEVELS = 21, BRANCHES = 8, STACK = BRANCHES * LEVELS + 1 };

/* ---- what the host gives ---- */

static const double default_opening = 0.3;

floc_status long_range_resolve(environment *env, const floc_long_range_options *options, const particles *table,
                               const domain *box, long_range *result)
{
  floc_status status = fields_check(env, &struct_long_range_options, options);
  if (status != FLOC_OK) return status;
  const bool charges = options->kind == FLOC_LONG_RANGE_COULOMB;
  const char *source = options->source ? options->source : charges ? "charge" : "mass";
  for (int axis = 0; axis < box->dimension; axis++)
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC)
      return refuse(
          env, FLOC_NOT_SUPPORTED,
          "long-range forces are not supported in a domain that is periodic along %c: there are no sums over "
          "images; a pair law of infinite range takes the nearest one",
          "xyz"[axis]);
  *result = (long_range){.strength = charges ? -options->constant : options->constant,
                         .softening = options->softening,
                         .opening = options->opening > 0.0 ? options->opening : default_opening,
                         .source = particles_find_column(table, source)};
  if (result->source < 0)
    return refuse(env, FLOC_NOT_FOUND, "source is \"%.40s\"; it must be mass or an attribute that has been added",
                  source);
  return FLOC_OK;
}

/* ---- the tree ---- */

typedef struct tree_cell {
  int32_t first, last;  /* particles, in the order of the tree */
  int32_t child, count; /* first child; 0: a leaf */
  double centre[3], size;
  double sum, dipole[3];
  double second[6];                  /* xx yy zz xy xz yz */
  double third[10], third_traces[3]; /* xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz; sum s D |D|^2 */
} tree_cell;

typedef struct tree_key {
  uint64_t key;
  int64_t slot;
} tree_key;

typedef struct tree_pass {
  const environment *env;
  const long_range *which;
  const particles *table;
  int32_t dimension;
  int64_t count;
  tree_key *sorted;
  double *position[3], *source; /* in the order of the tree */
  tree_cell *cell;
  int32_t cells, groups;
  int32_t *group; /* cells whose particles are done together */
  double *energy; /* per group, or NULL */
} tree_pass;

/* Every third bit. */
static uint64_t spread(uint64_t value)
{
  value = (value | value << 32) & 0x1f00000000ffffu;
  value = (value | value << 16) & 0x1f0000ff0000ffu;
  value = (value | value << 8) & 0x100f00f00f00f00fu;
  value = (value | value << 4) & 0x10c30c30c30c30c3u;
  return (value | value << 2) & 0x1249249249249249u;
}

static void find_keys(const tree_pass *pass)
{
  double lower[3] = {0.0, 0.0, 0.0}, side = 0.0;
  for (int axis = 0; axis < pass->dimension; axis++) {
    const double *column = pass->table->column[COLUMN_x + axis];
    double least = column[0], greatest = column[0];
    EACH_SLOT(i, pass->table) {
      least = fmin(least, column[i]);
      greatest = fmax(greatest, column[i]);
    }
    lower[axis] = least;
    side = fmax(side, greatest - least);
  }
  const double most = (double)((1 << LEVELS) - 1), scale = side > 0.0 ? most / side : 0.0;
  EACH_SLOT(i, pass->table) {
    pass->sorted[i] = (tree_key){0, i};
    for (int axis = 0; axis < pass->dimension; axis++) {
      double place = (pass->table->column[COLUMN_x + axis][i] - lower[axis]) * scale;
      pass->sorted[i].key |= spread((uint64_t)fmin(place, most)) << axis;
    }
  }
}

/* By key, then by slot: eight bits at a time. */
static void sort_keys(tree_key **keys, tree_key *other, int64_t count)
{
  for (int shift = 0; shift < 64; shift += 8) {
    int64_t start[257] = {0};
    tree_key *from = *keys;
    for (int64_t i = 0; i < count; i++) start[(from[i].key >> shift & 255) + 1]++;
    for (int n = 0; n < 256; n++) start[n + 1] += start[n];
    for (int64_t i = 0; i < count; i++) other[start[from[i].key >> shift & 255]++] = from[i];
    *keys = other;
    other = from;
  }
}

/* Where particles of the branch end: keys are sorted. */
static int32_t end_of_branch(const tree_pass *pass, int32_t first, int32_t last, int level, uint64_t branch)
{
  while (first < last) {
    int32_t middle = first + (last - first) / 2;
    if ((pass->sorted[middle].key >> 3 * level & 7) <= branch)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/* Branches of a range that has more than one at some level below; 0: its particles are in one place, or few. */
static int32_t split(const tree_pass *pass, int32_t first, int32_t last, int *level, int32_t end[BRANCHES])
{
  if (last - first <= LEAF) return 0;
  uint64_t differ = pass->sorted[first].key ^ pass->sorted[last - 1].key;
  if (differ == 0) return 0;
  *level = (63 - __builtin_clzll(differ)) / 3;
  int32_t count = 0, from = first;
  for (uint64_t branch = 0; branch < BRANCHES; branch++) {
    int32_t to = end_of_branch(pass, from, last, *level, branch);
    if (to > from) end[count++] = to;
    from = to;
  }
  return count;
}

static size_t count_cells(const tree_pass *pass)
{
  int32_t first[STACK] = {0}, last[STACK] = {(int32_t)pass->count}, depth = 1;
  size_t cells = 1;
  while (depth > 0) {
    int32_t end[BRANCHES], from = first[--depth];
    int level;
    int32_t count = split(pass, from, last[depth], &level, end);
    for (int32_t k = 0; k < count; k++, depth++) {
      first[depth] = from;
      last[depth] = from = end[k];
    }
    cells += (size_t)count;
  }
  return cells;
}

/* Cells in the order in which they are met level by level; each has its children in a row. */
static bool build_cells(tree_pass *pass, arena *scratch)
{
  size_t cells = count_cells(pass);
  pass->cell = arena_allocate(scratch, cells, sizeof *pass->cell);
  pass->group = arena_allocate(scratch, cells, sizeof *pass->group);
  if (!pass->cell || !pass->group) return false;
  pass->cell[0] = (tree_cell){.first = 0, .last = (int32_t)pass->count};
  pass->cells = 1;
  for (int32_t n = 0; n < pass->cells; n++) {
    tree_cell *one = &pass->cell[n];
    int32_t end[BRANCHES], from = one->first;
    int level;
    one->child = pass->cells;
    one->count = split(pass, one->first, one->last, &level, end);
    for (int32_t k = 0; k < one->count; k++) {
      pass->cell[pass->cells++] = (tree_cell){.first = from, .last = end[k]};
      from = end[k];
    }
  }
  return true;
}

/* The largest cells of up to GROUP particles, and leaves. */
static void find_groups(tree_pass *pass)
{
  int32_t stack[STACK], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int32_t n = stack[--depth];
    const tree_cell *one = &pass->cell[n];
    if (one->last - one->first <= GROUP || one->count == 0)
      pass->group[pass->groups++] = n;
    else
      for (int32_t k = one->count; k-- > 0;) stack[depth++] = one->child + k;
  }
}

static void find_moments(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const tree_pass *pass = context;
  double *const *at = pass->position;
  for (int64_t n = begin; n < end; n++) {
    tree_cell *one = &pass->cell[n];
    double weight = 0.0, mean[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int32_t k = one->first; k < one->last; k++) {
      double part = fabs(pass->source[k]);
      weight += part;
      for (int axis = 0; axis < 3; axis++) mean[axis] += part * at[axis][k];
    }
    for (int axis = 0; axis < 3; axis++)
      one->centre[axis] = weight > 0.0 ? mean[axis] / weight : at[axis][one->first];
    for (int32_t k = one->first; k < one->last; k++) {
      double s = pass->source[k], x = at[0][k] - one->centre[0], y = at[1][k] - one->centre[1],
             z = at[2][k] - one->centre[2];
      square = fmax(square, x * x + y * y + z * z);
      one->sum += s;
      one->dipole[0] += s * x, one->dipole[1] += s * y, one->dipole[2] += s * z;
      one->second[0] += s * x * x, one->second[1] += s * y * y, one->second[2] += s * z * z;
      one->second[3] += s * x * y, one->second[4] += s * x * z, one->second[5] += s * y * z;
      const double xx = s * x * x, yy = s * y * y, zz = s * z * z;
      double *o = one->third;
      o[0] += xx * x, o[1] += yy * y, o[2] += zz * z, o[3] += xx * y, o[4] += xx * z;
      o[5] += yy * x, o[6] += yy * z, o[7] += zz * x, o[8] += zz * y, o[9] += s * x * y * z;
    }
    const double *o = one->third;
    one->third_traces[0] = o[0] + o[5] + o[7];
    one->third_traces[1] = o[3] + o[1] + o[8];
    one->third_traces[2] = o[4] + o[6] + o[2];
    one->size = sqrt(square);
  }
}

/* ---- forces on a group ---- */

/* Particles side by side: where they are, and the sums of source times gradient of 1/w, and of source/w. */
typedef struct tree_group {
  double x[GROUP], y[GROUP], z[GROUP];
  double fx[GROUP], fy[GROUP], fz[GROUP], potential[GROUP];
  double lower[3], upper[3];
  int32_t count;
} tree_group;

HOT void add_particles(const tree_pass *pass, const tree_cell *restrict from, tree_group *restrict to)
{
  const double soft = pass->which->softening * pass->which->softening;
  for (int32_t n = from->first; n < from->last; n++) {
    const double sx = pass->position[0][n], sy = pass->position[1][n], sz = pass->position[2][n],
                 s = pass->source[n];
    for (int32_t k = 0; k < GROUP; k++) {
      double x = sx - to->x[k], y = sy - to->y[k], z = sz - to->z[k], square = x * x + y * y + z * z + soft;
      double inverse = square > 0.0 ? 1.0 / sqrt(square) : 0.0, strength = s * inverse;
      double cube = strength * inverse * inverse;
      to->potential[k] += strength;
      to->fx[k] += cube * x, to->fy[k] += cube * y, to->fz[k] += cube * z;
    }
  }
}

HOT void add_cell(const tree_pass *pass, const tree_cell *restrict from, tree_group *restrict to)
{
  const double soft = pass->which->softening * pass->which->softening;
  const double *d = from->dipole, *q = from->second, *o = from->third, *t = from->third_traces;
  const double trace = q[0] + q[1] + q[2];
  for (int32_t k = 0; k < GROUP; k++) {
    double x = from->centre[0] - to->x[k], y = from->centre[1] - to->y[k], z = from->centre[2] - to->z[k];
    double xx = x * x, yy = y * y, zz = z * z, xy = 2.0 * x * y, xz = 2.0 * x * z, yz = 2.0 * y * z;
    double w1 = 1.0 / sqrt(xx + yy + zz + soft), w2 = w1 * w1, w3 = w2 * w1, w5 = w3 * w2, w7 = w5 * w2;
    double dr = x * d[0] + y * d[1] + z * d[2], tr = x * t[0] + y * t[1] + z * t[2];
    double qx = q[0] * x + q[3] * y + q[4] * z, qy = q[3] * x + q[1] * y + q[5] * z;
    double qz = q[4] * x + q[5] * y + q[2] * z, qr = x * qx + y * qy + z * qz;
    double ox = o[0] * xx + o[3] * xy + o[4] * xz + o[5] * yy + o[9] * yz + o[7] * zz;
    double oy = o[3] * xx + o[5] * xy + o[9] * xz + o[1] * yy + o[6] * yz + o[8] * zz;
    double oz = o[4] * xx + o[9] * xy + o[7] * xz + o[6] * yy + o[8] * yz + o[2] * zz;
    double orr = x * ox + y * oy + z * oz;
    double radial = from->sum * w3 - (3.0 * dr + 1.5 * trace) * w5 + 7.5 * (qr + tr) * w7 - 17.5 * orr * w7 * w2;
    to->potential[k] += from->sum * w1 - (dr + 0.5 * trace) * w3 + 1.5 * (qr + tr) * w5 - 2.5 * orr * w7;
    to->fx[k] += radial * x + d[0] * w3 - (3.0 * qx + 1.5 * t[0]) * w5 + 7.5 * ox * w7;
    to->fy[k] += radial * y + d[1] * w3 - (3.0 * qy + 1.5 * t[1]) * w5 + 7.5 * oy * w7;
    to->fz[k] += radial * z + d[2] * w3 - (3.0 * qz + 1.5 * t[2]) * w5 + 7.5 * oz * w7;
  }
}

/* Is the cell small against its distance from the box around the group? */
static bool is_far(const tree_pass *pass, const tree_cell *one, const tree_group *group)
{
  double square = 0.0, reach = one->size / pass->which->opening;
  for (int axis = 0; axis < 3; axis++) {
    double away = fmax(fmax(group->lower[axis] - one->centre[axis], one->centre[axis] - group->upper[axis]), 0.0);
    square += away * away;
  }
  return square > reach * reach && one->size < INFINITY;
}

HOT void walk(const tree_pass *pass, tree_group *group)
{
  int32_t stack[STACK], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const tree_cell *one = &pass->cell[stack[--depth]];
    if (is_far(pass, one, group) && one->last - one->first > 4)
      add_cell(pass, one, group);
    else if (one->count == 0)
      add_particles(pass, one, group);
    else
      for (int32_t k = one->count; k-- > 0;) stack[depth++] = one->child + k;
  }
}

static void plain_walk(const tree_pass *pass, tree_group *group)
{
  walk(pass, group);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static void fast_walk(const tree_pass *pass, tree_group *group)
{
  walk(pass, group);
}
#else
#define fast_walk plain_walk
#endif

/* The last places of a group that is not full repeat its first particle. */
static void load_group(const tree_pass *pass, int32_t first, int32_t last, tree_group *group)
{
  memset(group, 0, sizeof *group);
  group->count = last - first;
  double *const to[3] = {group->x, group->y, group->z};
  for (int axis = 0; axis < 3; axis++) {
    group->lower[axis] = INFINITY, group->upper[axis] = -INFINITY;
    for (int32_t k = 0; k < GROUP; k++) {
      double place = pass->position[axis][k < group->count ? first + k : first];
      to[axis][k] = place;
      group->lower[axis] = fmin(group->lower[axis], place);
      group->upper[axis] = fmax(group->upper[axis], place);
    }
  }
}

/* Energy: half of what each has in the field of all, without its own. */
static double take_group(const tree_pass *pass, int32_t first, const tree_group *group)
{
  const double *const force[3] = {group->fx, group->fy, group->fz}, soft = pass->which->softening;
  double energy = 0.0;
  for (int32_t k = 0; k < group->count; k++) {
    double s = pass->source[first + k], factor = pass->which->strength * s;
    energy -= 0.5 * factor * (group->potential[k] - (soft > 0.0 ? s / soft : 0.0));
    for (int axis = 0; axis < pass->dimension && !pass->energy; axis++)
      pass->table->column[COLUMN_fx + axis][pass->sorted[first + k].slot] += factor * force[axis][k];
  }
  return energy;
}

static void do_group(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)end;
  const tree_pass *pass = context;
  const tree_cell *one = &pass->cell[pass->group[begin]];
  tree_group group;
  double energy = 0.0;
  for (int32_t first = one->first; first < one->last; first += GROUP) {
    if (interrupted(pass->env)) return;
    load_group(pass, first, first + GROUP < one->last ? first + GROUP : one->last, &group);
    (processor_is_wide() ? fast_walk : plain_walk)(pass, &group);
    energy += take_group(pass, first, &group);
  }
  if (pass->energy) pass->energy[number] = energy;
}

/* ---- all together ---- */

static void load_particles(const tree_pass *pass)
{
  for (int64_t k = 0; k < pass->count; k++) {
    int64_t slot = pass->sorted[k].slot;
    pass->source[k] = pass->table->column[pass->which->source][slot];
    for (int axis = 0; axis < 3; axis++)
      pass->position[axis][k] = axis < pass->dimension ? pass->table->column[COLUMN_x + axis][slot] : 0.0;
  }
}

static bool make_tree(tree_pass *pass, arena *scratch)
{
  const size_t count = (size_t)pass->count;
  pass->sorted = arena_allocate(scratch, count, sizeof *pass->sorted);
  pass->source = arena_allocate(scratch, count, sizeof(double));
  for (int axis = 0; axis < 3; axis++) pass->position[axis] = arena_allocate(scratch, count, sizeof(double));
  tree_key *other = arena_allocate(scratch, count, sizeof *other);
  if (!pass->sorted || !pass->source || !pass->position[0] || !pass->position[1] || !pass->position[2] || !other)
    return false;
  find_keys(pass);
  sort_keys(&pass->sorted, other, pass->count);
  load_particles(pass);
  if (!build_cells(pass, scratch)) return false;
  find_groups(pass);
  parallel_for(pass->env, pass->cells, 64, find_moments, pass);
  return true;
}

floc_status long_range_apply(environment *env, const long_range *which, const particles *table, int32_t dimension,
                             arena *scratch, double *energy)
{
  tree_pass pass = {.env = env, .which = which, .table = table, .dimension = dimension, .count = table->count};
  if (energy) *energy = 0.0;
  if (table->count == 0) return FLOC_OK;
  arena_mark here = arena_here(scratch);
  bool made = make_tree(&pass, scratch);
  if (made && energy) made = (pass.energy = arena_allocate(scratch, (size_t)pass.groups, sizeof(double))) != NULL;
  if (made) parallel_for(env, pass.groups, 1, do_group, &pass);
  for (int32_t k = 0; made && energy && k < pass.groups; k++) *energy += pass.energy[k];
  arena_return(scratch, here);
  return made ? interruption_status(env) : FLOC_OUT_OF_MEMORY;
}
