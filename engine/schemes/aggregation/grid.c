/*
 * Registration and search. See aggregation/clusters.h for the promise that they keep.
 */
#include "schemes/aggregation/grid.h"

#include "particles/owned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const particle_column POSITION[3] = {COLUMN_x, COLUMN_y, COLUMN_z};

static const double PI = 3.14159265358979323846;
static const double NEIGHBOURS = 4.0;
static const double LEAST_SKIN = 0.5; /* greatest radii */

enum { NOBODY = -3 }; /* owns no cell: a search for members of all clusters */
enum { CELLS_PER_PARTICLE = 4, CELLS_AT_LEAST = 64, CELLS_PER_AXIS = 1 << 15 };

/* ---- sizes ---- */

/* What the cells must cover: the box, or the particles on open axes. */
static void cover_region(cluster_set *set, const particles *table)
{
  for (int axis = 0; axis < set->dimension; axis++) {
    double lower = set->box.lower[axis], upper = set->box.upper[axis];
    if (set->box.boundary[axis] == FLOC_BOUNDARY_OPEN) {
      const double *x = table->column[POSITION[axis]];
      lower = upper = x[0];
      EACH_SLOT(slot, table) {
        lower = fmin(lower, x[slot]);
        upper = fmax(upper, x[slot]);
      }
      lower -= set->greatest_radius;
      upper += set->greatest_radius;
    }
    set->covered_lower[axis] = lower;
    set->covered_upper[axis] = upper;
  }
}

/* A skin that puts NEIGHBOURS particles within reach at the mean density: a registration then lasts about
 * as long as a flight between two collisions, dense or dilute (measured: a flat optimum). */
static double natural_skin(const cluster_set *set, int64_t count)
{
  double volume = 1.0;
  for (int axis = 0; axis < set->dimension; axis++) volume *= set->covered_upper[axis] - set->covered_lower[axis];
  double share = NEIGHBOURS * volume / (double)count;
  double reach = set->dimension == 2 ? sqrt(share / PI) : floc_cbrt(0.75 * share / PI);
  return fmax(LEAST_SKIN * set->greatest_radius, reach - 2.0 * set->greatest_radius);
}

/* On a periodic axis the shortest image must be the only one that can be reached:
 * length >= 2 (2 R + skin). */
static floc_status fit_periodic(cluster_set *set)
{
  for (int axis = 0; axis < set->dimension; axis++) {
    if (set->box.boundary[axis] != FLOC_BOUNDARY_PERIODIC) continue;
    double length = set->box.length[axis], least = 6.0 * set->greatest_radius;
    if (length < least) {
      return refuse(
          set->env, FLOC_NOT_SUPPORTED,
          "the periodic axis %d is %g long; ballistic schemes need at least %g, six times the largest radius", axis,
          length, least);
    }
    set->skin = fmin(set->skin, 0.5 * length - 2.0 * set->greatest_radius);
  }
  return FLOC_OK;
}

static void choose_cells(cluster_set *set, int64_t count)
{
  const double *lower = set->covered_lower, *upper = set->covered_upper;
  double limit = (double)count * CELLS_PER_PARTICLE + CELLS_AT_LEAST;
  double width = 2.0 * set->greatest_radius + set->skin;
  for (;; width *= 1.2) {
    double total = 1.0;
    bool fits = true;
    for (int axis = 0; axis < set->dimension; axis++) {
      double cells = fmax(1.0, floor((upper[axis] - lower[axis]) / width));
      if (set->box.boundary[axis] == FLOC_BOUNDARY_OPEN) cells += 3.0;
      fits = fits && cells <= CELLS_PER_AXIS;
      set->cells[axis] = fits ? (int32_t)cells : 1;
      total *= cells;
    }
    if (fits && total <= limit) break;
  }
  for (int axis = 0; axis < set->dimension; axis++) {
    bool open = set->box.boundary[axis] == FLOC_BOUNDARY_OPEN;
    set->cells_per_length[axis] = open ? 1.0 / width : set->cells[axis] / (upper[axis] - lower[axis]);
  }
}

static floc_status empty_cells(cluster_set *set)
{
  set->cell_count = (int64_t)set->cells[0] * set->cells[1] * set->cells[2];
  if (set->cell_count > set->cell_capacity) {
    set->cell = arena_allocate(&set->memory, (size_t)set->cell_count, sizeof *set->cell);
    if (!set->cell) return FLOC_OUT_OF_MEMORY;
    set->cell_capacity = set->cell_count;
  }
  for (int64_t k = 0; k < set->cell_count; k++) {
    set->cell[k] = (cluster_cell){.owner = NO_OWNER, .more = NO_MEMBER};
    for (int n = 0; n < MEMBERS_IN_CELL; n++) set->cell[k].member[n] = NO_MEMBER;
  }
  return FLOC_OK;
}

floc_status cluster_grid_prepare(cluster_set *set, const particles *table, double skin)
{
  cover_region(set, table);
  set->skin = skin > 0.0 ? skin : natural_skin(set, table->count);
  floc_status status = fit_periodic(set);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < 3; axis++) set->cells[axis] = 1;
  choose_cells(set, table->count);
  return empty_cells(set);
}

floc_status cluster_grid_change_skin(cluster_set *set, double skin)
{
  set->skin = fmax(skin, LEAST_SKIN * set->greatest_radius);
  floc_status status = fit_periodic(set);
  if (status != FLOC_OK) return status;
  choose_cells(set, set->count);
  for (int64_t k = 0; k < set->count; k++) set->member[k].cell = -1;
  return empty_cells(set);
}

/* ---- cells ---- */

static inline int32_t cell_coordinate(const cluster_set *set, int axis, double x)
{
  int32_t cells = set->cells[axis];
  double place = floor((x - set->covered_lower[axis]) * set->cells_per_length[axis]);
  if (place >= 0.0 && place < (double)cells) return (int32_t)place;
  if (set->box.boundary[axis] == FLOC_BOUNDARY_WALL) return place < 0.0 ? 0 : cells - 1;
  double turned = place - floor(place / (double)cells) * (double)cells;
  return turned >= 0.0 && turned < (double)cells ? (int32_t)turned : 0;
}

static inline int32_t cell_number(const cluster_set *set, const int32_t c[3])
{
  return (c[2] * set->cells[1] + c[1]) * set->cells[0] + c[0];
}

/* ---- order ---- */

typedef struct curve_place {
  uint64_t key;
  int64_t id; /* storage order must not matter */
  int32_t slot;
} curve_place;

static int compare_places(const void *a, const void *b)
{
  const curve_place *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->id < q->id ? -1 : p->id > q->id;
}

/* Bits of the coordinates in turn; 15 bits each (CELLS_PER_AXIS). */
static uint64_t interleave(const int32_t c[3], int32_t dimension)
{
  uint64_t key = 0;
  for (int bit = 0; bit < 15; bit++)
    for (int axis = 0; axis < dimension; axis++)
      key |= (uint64_t)((c[axis] >> bit) & 1) << (bit * dimension + axis);
  return key;
}

floc_status cluster_grid_order(cluster_set *set, const particles *table, int32_t *order)
{
  size_t bytes = (size_t)table->count * sizeof(curve_place);
  curve_place *sorted = memory_resize(set->env, NULL, 0, bytes);
  if (!sorted) return refuse(set->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  EACH_SLOT(slot, table) {
    int32_t c[3] = {0, 0, 0};
    for (int axis = 0; axis < set->dimension; axis++)
      c[axis] = cell_coordinate(set, axis, table->column[POSITION[axis]][slot]);
    sorted[slot] = (curve_place){interleave(c, set->dimension), table->id[slot], (int32_t)slot};
  }
  qsort(sorted, (size_t)table->count, sizeof *sorted, compare_places);
  EACH_SLOT(k, table) order[k] = sorted[k].slot;
  memory_free(set->env, sorted, bytes);
  return FLOC_OK;
}

/* ---- registration ---- */

static void chain_add(cluster_set *set, cluster_cell *cell, int32_t number)
{
  cluster_member *member = &set->member[number];
  member->next_in_cell = cell->more;
  member->previous_in_cell = NO_MEMBER;
  if (cell->more != NO_MEMBER) set->member[cell->more].previous_in_cell = number;
  cell->more = number;
}

static void chain_remove(cluster_set *set, cluster_cell *cell, int32_t number)
{
  const cluster_member *member = &set->member[number];
  if (member->next_in_cell != NO_MEMBER)
    set->member[member->next_in_cell].previous_in_cell = member->previous_in_cell;
  if (member->previous_in_cell != NO_MEMBER)
    set->member[member->previous_in_cell].next_in_cell = member->next_in_cell;
  else
    cell->more = member->next_in_cell;
}

/* A place that becomes free is filled by the last of the others, or from the chain. */
static void unregister(cluster_set *set, int32_t number)
{
  cluster_cell *cell = &set->cell[set->member[number].cell];
  int place = 0, last = MEMBERS_IN_CELL - 1;
  while (place < MEMBERS_IN_CELL && cell->member[place] != number) place++;
  if (place == MEMBERS_IN_CELL) {
    chain_remove(set, cell, number);
  } else if (cell->more != NO_MEMBER) {
    cell->member[place] = cell->more;
    chain_remove(set, cell, cell->more);
  } else {
    while (cell->member[last] == NO_MEMBER) last--;
    cell->member[place] = cell->member[last];
    cell->member[last] = NO_MEMBER;
    if (last == 0) cell->owner = NO_OWNER;
  }
}

static void put_into(cluster_set *set, cluster_cell *cell, int32_t number)
{
  for (int place = 0; place < MEMBERS_IN_CELL; place++) {
    if (cell->member[place] != NO_MEMBER) continue;
    cell->member[place] = number;
    return;
  }
  chain_add(set, cell, number);
}

void cluster_register(cluster_set *set, int32_t number, double now)
{
  cluster_member *member = &set->member[number];
  double position[3];
  int32_t c[3] = {0, 0, 0};
  cluster_straight_position(set, number, now, set->dimension, position);
  for (int axis = 0; axis < set->dimension; axis++) c[axis] = cell_coordinate(set, axis, position[axis]);
  int32_t place = cell_number(set, c);
  member->registration++;
  if (place == member->cell) return;
  if (member->cell >= 0) unregister(set, number);
  cluster_cell *cell = &set->cell[place];
  member->cell = place;
  cell->owner = cell->owner == NO_OWNER || cell->owner == member->cluster ? member->cluster : SEVERAL_OWNERS;
  put_into(set, cell, number);
}

floc_status cluster_grid_restore(cluster_set *set)
{
  for (int axis = 0; axis < 3; axis++) set->cells[axis] = 1;
  choose_cells(set, set->count);
  floc_status status = empty_cells(set);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    cluster_member *member = &set->member[k];
    if (member->cell < 0 || member->cell >= set->cell_count)
      return refuse(set->env, FLOC_DAMAGED_FILE, "member %d is in cell %d of %lld", k, member->cell,
                    (long long)set->cell_count);
    cluster_cell *cell = &set->cell[member->cell];
    cell->owner = cell->owner == NO_OWNER || cell->owner == member->cluster ? member->cluster : SEVERAL_OWNERS;
    put_into(set, cell, k);
  }
  return FLOC_OK;
}

/* ---- search ---- */

/* The cells that neighbour `center` along an axis, each once; returns how many. */
static inline int neighbour_coordinates(const cluster_set *set, int axis, int32_t center, int32_t out[3])
{
  int32_t cells = set->cells[axis];
  int count = 0;
  if (set->box.boundary[axis] == FLOC_BOUNDARY_WALL) {
    for (int32_t c = center - 1; c <= center + 1; c++)
      if (c >= 0 && c < cells) out[count++] = c;
    return count;
  }
  out[count++] = center;
  if (cells > 1) out[count++] = center + 1 < cells ? center + 1 : 0;
  if (cells > 2) out[count++] = center > 0 ? center - 1 : cells - 1;
  return count;
}

typedef struct search {
  int32_t member, cluster;
  double position[3], reach, now;
  bool only_later;
} search;

static inline bool within_reach(const cluster_set *set, const search *about, int32_t other, const int32_t dimension,
                                const bool turning)
{
  const cluster_member *member = &set->member[other];
  double x[3], square = 0.0, path;
  if (turning) {
    cluster_position(set, other, about->now, dimension, x);
    path = cluster_path(set, member->cluster, about->now);
  } else {
    cluster_straight_position(set, other, about->now, dimension, x);
    path = cluster_travelled(&set->motion[member->cluster], about->now);
  }
  double reach = about->reach + member->radius - path;
  for (int axis = 0; axis < dimension; axis++) {
    double separation = domain_shortest(&set->box, axis, about->position[axis] - x[axis]);
    square += separation * separation;
  }
  return reach > 0.0 && square <= reach * reach;
}

static bool is_near(const cluster_set *set, const search *about, int32_t other)
{
  if (set->turning) return within_reach(set, about, other, set->dimension, true);
  return set->dimension == 2 ? within_reach(set, about, other, 2, false)
                             : within_reach(set, about, other, 3, false);
}

/* Appends the cells of row (y, z) from x = first on that may hold foreign members. */
static inline int row_cells(const cluster_set *set, int32_t own, int32_t first, int width, cluster_cell *cells[27],
                            int total)
{
  for (int x = 0; x < width; x++) {
    cluster_cell *cell = &set->cell[first + x];
    if (cell->owner != own && cell->owner != NO_OWNER) cells[total++] = cell;
  }
  return total;
}

/* At the faces of the grid: cells that do not exist, or that lie behind the other face. */
static int border_cells(const cluster_set *set, int32_t own, const int32_t c[3], cluster_cell *cells[27])
{
  int32_t near[3][3];
  int count[3] = {1, 1, 1}, total = 0;
  near[2][0] = 0;
  for (int axis = 0; axis < set->dimension; axis++)
    count[axis] = neighbour_coordinates(set, axis, c[axis], near[axis]);
  for (int z = 0; z < count[2]; z++) {
    for (int y = 0; y < count[1]; y++) {
      for (int x = 0; x < count[0]; x++) {
        const int32_t neighbour[3] = {near[0][x], near[1][y], near[2][z]};
        total = row_cells(set, own, cell_number(set, neighbour), 1, cells, total);
      }
    }
  }
  return total;
}

/* The cells about a registered member that may hold members of other clusters than `own`; returns how
 * many. */
static int neighbour_cells(const cluster_set *set, const cluster_member *member, int32_t own,
                           cluster_cell *cells[27])
{
  int32_t nx = set->cells[0], ny = set->cells[1], nz = set->cells[2], row = member->cell / nx;
  const int32_t c[3] = {member->cell % nx, row % ny, row / ny};
  bool flat = set->dimension == 2;
  bool inside = c[0] > 0 && c[0] < nx - 1 && c[1] > 0 && c[1] < ny - 1 && (flat || (c[2] > 0 && c[2] < nz - 1));
  if (!inside) return border_cells(set, own, c, cells);
  int total = 0;
  for (int32_t z = flat ? 0 : -1; z <= (flat ? 0 : 1); z++)
    for (int32_t y = -1; y <= 1; y++)
      total = row_cells(set, own, member->cell + (z * ny + y) * nx - 1, 3, cells, total);
  return total;
}

/* Appends all members of a cell to `found`. */
static floc_status gather_cell(cluster_set *set, const cluster_cell *cell, size_t *found)
{
  int32_t next = cell->more;
  for (int place = 0; place < MEMBERS_IN_CELL || next != NO_MEMBER; place++) {
    int32_t number = place < MEMBERS_IN_CELL ? cell->member[place] : next;
    if (number == NO_MEMBER) break;
    if (place >= MEMBERS_IN_CELL) next = set->member[number].next_in_cell;
    __builtin_prefetch(&set->member[number]);
    if (*found == set->found_capacity) {
      floc_status status =
          array_reserve(set->env, (void **)&set->found, &set->found_capacity, *found + 64, sizeof *set->found);
      if (status != FLOC_OK) return status;
    }
    set->found[(*found)++] = number;
  }
  return FLOC_OK;
}

/* Keeps, of found[begin .. end-1], the foreign members, at found[kept ...], and learns whether the cell
 * that they all lie in has one owner. Returns how many there are then. */
static size_t keep_foreign(cluster_set *set, const search *about, cluster_cell *cell, size_t begin, size_t end,
                           size_t kept)
{
  int32_t owner = set->member[set->found[begin]].cluster;
  for (size_t k = begin; k < end; k++) {
    int32_t number = set->found[k], cluster = set->member[number].cluster;
    if (cluster != owner) owner = SEVERAL_OWNERS;
    if (cluster == about->cluster || (about->only_later && number < about->member)) continue;
    __builtin_prefetch(&set->motion[cluster]);
    set->found[kept++] = number;
  }
  cell->owner = owner;
  return kept;
}

/* In passes, so that memory answers many questions at a time: cells, members, clusters. */
floc_status cluster_search(cluster_set *set, int32_t number, double now, bool only_later, int64_t *found_count)
{
  const cluster_member *member = &set->member[number];
  search about = {.member = number, .cluster = member->cluster, .now = now, .only_later = only_later};
  cluster_cell *cells[27];
  size_t end[28], foreign = 0, found = 0;
  if (set->turning && cluster_is_wide(set, about.cluster)) about.cluster = NOBODY; /* it meets itself */
  int cell_count = neighbour_cells(set, member, about.cluster, cells);
  if (cell_count == 0) {
    *found_count = 0;
    return FLOC_OK;
  }
  about.reach = member->radius + set->skin - cluster_path(set, member->cluster, now);
  cluster_straight_position(set, number, now, set->dimension, about.position);
  end[0] = 0;
  for (int k = 0; k < cell_count; k++) {
    end[k + 1] = end[k];
    floc_status status = gather_cell(set, cells[k], &end[k + 1]);
    if (status != FLOC_OK) return status;
  }
  for (int k = 0; k < cell_count; k++) foreign = keep_foreign(set, &about, cells[k], end[k], end[k + 1], foreign);
  set->looked_at += (int64_t)foreign;
  for (size_t k = 0; k < foreign; k++) {
    int32_t other = set->found[k];
    bool near = is_near(set, &about, other);
    set->found[found] = other;
    found += near;
  }
  *found_count = (int64_t)found;
  return FLOC_OK;
}

floc_status cluster_search_touching(cluster_set *set, int32_t number, double now, int64_t *found_count)
{
  const cluster_member *member = &set->member[number];
  cluster_cell *cells[27];
  double x[3], y[3];
  size_t gathered = 0, found = 0;
  int cell_count = neighbour_cells(set, member, NOBODY, cells);
  for (int k = 0; k < cell_count; k++) {
    floc_status status = gather_cell(set, cells[k], &gathered);
    if (status != FLOC_OK) return status;
  }
  set->gathered += (int64_t)gathered;
  cluster_straight_position(set, number, now, set->dimension, x);
  for (size_t k = 0; k < gathered; k++) {
    int32_t other = set->found[k];
    double square = 0.0, reach = member->radius + set->member[other].radius;
    cluster_straight_position(set, other, now, set->dimension, y);
    for (int axis = 0; axis < set->dimension; axis++) {
      double separation = domain_shortest(&set->box, axis, x[axis] - y[axis]);
      square += separation * separation;
    }
    set->found[found] = other;
    found += other != number && square < reach * reach;
  }
  *found_count = (int64_t)found;
  return FLOC_OK;
}

void cluster_prefetch_cells(const cluster_set *set, int32_t number, double now)
{
  double position[3];
  int32_t near[3][3], c[3] = {0, 0, 0};
  int count[3] = {1, 1, 1};
  near[1][0] = near[2][0] = 0;
  cluster_straight_position(set, number, now, set->dimension, position);
  for (int axis = 0; axis < set->dimension; axis++) {
    c[axis] = cell_coordinate(set, axis, position[axis]);
    if (axis > 0) count[axis] = neighbour_coordinates(set, axis, c[axis], near[axis]);
  }
  for (int z = 0; z < count[2]; z++) {
    for (int y = 0; y < count[1]; y++) {
      const int32_t row[3] = {c[0], near[1][y], near[2][z]};
      __builtin_prefetch(&set->cell[cell_number(set, row)]);
    }
  }
}
