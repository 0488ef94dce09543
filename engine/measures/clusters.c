/*
 * Union-find over pairs. See clusters.h. Roots are always the least id, so that numbers do not depend on
 * the order of pairs or of storage.
 */
#include "measures/clusters.h"

#include "base/fields.h"
#include "base/interruption.h"
#include "particles/owned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs by gap ---- */

typedef struct pair_search {
  cluster_pairs *pairs;
  int32_t slot;
  double radius, gap;
  floc_status status;
} pair_search;

static bool add_near(void *context, int64_t number, const double separation[3], double radius)
{
  pair_search *search = context;
  double square = separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2];
  double reach = search->radius + radius + search->gap;
  if (number <= search->slot || square > reach * reach) return true;
  cluster_pairs *pairs = search->pairs;
  search->status = array_reserve(pairs->env, (void **)&pairs->pair, &pairs->capacity, 2 * (size_t)pairs->count + 2,
                                 sizeof(int32_t));
  if (search->status != FLOC_OK) return false;
  pairs->pair[2 * pairs->count] = search->slot;
  pairs->pair[2 * pairs->count + 1] = (int32_t)number;
  pairs->count++;
  return true;
}

static int compare_pairs(const void *a, const void *b)
{
  const int32_t *left = a, *right = b;
  if (left[0] != right[0]) return left[0] < right[0] ? -1 : 1;
  return (left[1] > right[1]) - (left[1] < right[1]);
}

static void read_place(const particles *table, int64_t slot, double position[3])
{
  for (int axis = 0; axis < 3; axis++) position[axis] = table->column[COLUMN_x + axis][slot];
}

static floc_status search_all(const particles *table, const cell_grid *grid, double greatest, double gap,
                              cluster_pairs *pairs)
{
  pair_search search = {pairs, 0, 0.0, gap, FLOC_OK};
  EACH_SLOT(i, table) {
    if (search.status != FLOC_OK) break;
    double position[3];
    if (i % ASK_INTERVAL == 0 && interrupted(pairs->env)) return interruption_status(pairs->env);
    read_place(table, i, position);
    search.slot = (int32_t)i;
    search.radius = table->column[COLUMN_radius][i];
    cell_grid_visit(grid, position, search.radius + greatest + gap, add_near, &search);
  }
  return search.status;
}

floc_status cluster_pairs_by_gap(environment *env, const particles *table, const domain *box, double gap,
                                 cluster_pairs *pairs)
{
  *pairs = (cluster_pairs){.env = env};
  floc_status status = fields_check_value(env, &struct_selection, "gap", gap);
  if (status != FLOC_OK) return status;
  double greatest = 0.0;
  EACH_SLOT(i, table) greatest = fmax(greatest, table->column[COLUMN_radius][i]);
  if (table->count == 0) return FLOC_OK;
  cell_grid *grid;
  status = cell_grid_create(env, box->dimension, box, 2.0 * greatest + gap, &grid);
  if (status != FLOC_OK) return status;
  EACH_SLOT(i, table) {
    if (status != FLOC_OK) break;
    double position[3];
    read_place(table, i, position);
    status = cell_grid_add(grid, position, table->column[COLUMN_radius][i], i);
  }
  if (status == FLOC_OK) status = search_all(table, grid, greatest, gap, pairs);
  cell_grid_destroy(grid);
  if (status != FLOC_OK)
    cluster_pairs_free(pairs);
  else if (pairs->count > 1)
    qsort(pairs->pair, (size_t)pairs->count, 2 * sizeof(int32_t), compare_pairs);
  return status;
}

void cluster_pairs_free(cluster_pairs *pairs)
{
  array_free(pairs->env, (void **)&pairs->pair, &pairs->capacity, sizeof(int32_t));
  pairs->count = 0;
}

/* ---- components ---- */

/* parent[] holds ids - 1; a root is its own parent and the least of its cluster. */
static int64_t find_root(int64_t *parent, int64_t k)
{
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

static void join(int64_t *parent, int64_t a, int64_t b)
{
  int64_t left = find_root(parent, a), right = find_root(parent, b);
  if (left < right)
    parent[right] = left;
  else
    parent[left] = right;
}

/* Roots become numbers 1, 2, ...; members take their root's. Roots come before their members. */
static int64_t number_clusters(int64_t *parent, int64_t count)
{
  int64_t clusters = 0;
  for (int64_t k = 0; k < count; k++) {
    int64_t root = parent[k];
    parent[k] = root == k ? -++clusters : parent[root] < 0 ? parent[root] : parent[find_root(parent, root)];
  }
  for (int64_t k = 0; k < count; k++) parent[k] = -parent[k];
  return clusters;
}

static floc_status summarise(environment *env, const int64_t *cluster_of, int64_t count, int64_t clusters,
                             floc_cluster_summary *summary)
{
  size_t bytes = (size_t)(clusters + 1) * sizeof(int64_t);
  int64_t *size = memory_resize(env, NULL, 0, bytes);
  if (!size) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  memset(size, 0, bytes);
  for (int64_t k = 0; k < count; k++) size[cluster_of[k]]++;
  double square = 0.0;
  summary->count = clusters;
  summary->largest = 0;
  summary->single = 0;
  for (int64_t c = 1; c <= clusters; c++) {
    if (size[c] > summary->largest) summary->largest = size[c];
    if (size[c] == 1) summary->single++;
    square += (double)size[c] * (double)size[c];
  }
  summary->mean_size = clusters > 0 ? (double)count / (double)clusters : 0.0;
  summary->weighted_mean_size = count > 0 ? square / (double)count : 0.0;
  memory_free(env, size, bytes);
  return FLOC_OK;
}

floc_status clusters_find(environment *env, const particles *table, const cluster_pairs *pairs, int64_t *cluster_of,
                          floc_cluster_summary *summary)
{
  EACH_RANK(k, table) cluster_of[k] = k;
  for (int64_t k = 0; k < pairs->count; k++)
    join(cluster_of, particles_rank(table, pairs->pair[2 * k]), particles_rank(table, pairs->pair[2 * k + 1]));
  EACH_RANK(k, table) cluster_of[k] = find_root(cluster_of, k);
  int64_t clusters = number_clusters(cluster_of, table->count);
  return summarise(env, cluster_of, table->count, clusters, summary);
}

/* ---- bonds that come and go ---- */

static int compare_bonds(const void *a, const void *b)
{
  const int64_t *left = a, *right = b;
  if (left[0] != right[0]) return left[0] < right[0] ? -1 : 1;
  return (left[1] > right[1]) - (left[1] < right[1]);
}

/* Numbers of pairs that are in one sorted list only. */
static void count_changes(const int64_t *before, int64_t before_count, const int64_t *now, int64_t now_count,
                          int64_t *made, int64_t *broken)
{
  int64_t i = 0, j = 0;
  *made = *broken = 0;
  while (i < before_count || j < now_count) {
    int order = i == before_count ? 1 : j == now_count ? -1 : compare_bonds(before + 2 * i, now + 2 * j);
    if (order < 0) (*broken)++;
    if (order > 0) (*made)++;
    i += order <= 0;
    j += order >= 0;
  }
}

floc_status bond_watch_update(environment *env, bond_watch *watch, const particles *table,
                              const cluster_pairs *pairs, int64_t *made, int64_t *broken)
{
  bond_watch next = {NULL, pairs->count, 0};
  floc_status status =
      array_reserve(env, (void **)&next.bond, &next.capacity, 2 * (size_t)pairs->count + 2, sizeof(int64_t));
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < pairs->count; k++) {
    int64_t a = table->id[pairs->pair[2 * k]], b = table->id[pairs->pair[2 * k + 1]];
    next.bond[2 * k] = a < b ? a : b;
    next.bond[2 * k + 1] = a < b ? b : a;
  }
  qsort(next.bond, (size_t)next.count, 2 * sizeof(int64_t), compare_bonds);
  *made = *broken = 0;
  if (watch->bond) count_changes(watch->bond, watch->count, next.bond, next.count, made, broken);
  bond_watch_free(env, watch);
  *watch = next;
  return FLOC_OK;
}

void bond_watch_free(environment *env, bond_watch *watch)
{
  array_free(env, (void **)&watch->bond, &watch->capacity, sizeof(int64_t));
  watch->count = 0;
}

floc_status bond_watch_sections(const bond_watch *watch, section_list *list)
{
  if (!watch->bond) return FLOC_OK;
  return section_list_add(list, "measures.bonds", "i64", (uint64_t)watch->count, 2, watch->bond, false);
}

floc_status bond_watch_restore(environment *env, bond_watch *watch, const section_list *list)
{
  bond_watch next = {NULL, 0, 0};
  if (section_find(list, "measures.bonds")) {
    const section *found;
    floc_status status = section_expect(list, "measures.bonds", "i64", UINT64_MAX, 2, &found);
    if (status == FLOC_OK)
      status =
          array_reserve(env, (void **)&next.bond, &next.capacity, 2 * (size_t)found->rows + 2, sizeof(int64_t));
    if (status != FLOC_OK) return status;
    next.count = (int64_t)found->rows;
    if (next.count > 0) memcpy(next.bond, found->data, 2 * (size_t)next.count * sizeof(int64_t));
  }
  bond_watch_free(env, watch);
  *watch = next;
  return FLOC_OK;
}
