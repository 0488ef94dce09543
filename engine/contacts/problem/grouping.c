/*
 * Islands of a contact problem. See grouping.h.
 *
 * Memory: a part is a range of the list and the range of particles that its contacts begin with. `slot` holds, at
 * roots, the number of the island; the sort is a stable counting sort, with a row of counters for each part.
 */
#include "contacts/problem/grouping.h"

#include "base/threads/parallel.h"

#include <string.h>

enum { MOST_PARTS = 16, WORTH_CUTTING = 4096 /* contacts */, ISLAND_BLOCK = 4096 };

typedef struct grouping_pass {
  grouping *all;
  const int32_t *listed;
  int32_t parts;
  int64_t begin[MOST_PARTS + 1];    /* in the list */
  int32_t particle[MOST_PARTS + 1]; /* the first one of a part */
  int64_t found[MOST_PARTS];        /* contacts that leave the part, or islands that begin in it */
  int32_t *place;                   /* [part][island] counters, then places in the result */
} grouping_pass;

floc_status grouping_allocate(grouping *all, arena *scratch)
{
  size_t contacts = (size_t)all->problem->contact_count, particles = (size_t)all->problem->body_count;
  size_t islands = contacts < particles ? contacts : particles;
  all->parent = arena_allocate(scratch, particles, sizeof *all->parent);
  all->spent = arena_allocate(scratch, particles, sizeof *all->spent);
  all->slot = arena_allocate(scratch, particles, sizeof *all->slot);
  all->root = arena_allocate(scratch, contacts, sizeof *all->root);
  all->contact = arena_allocate(scratch, contacts, sizeof *all->contact);
  all->start = arena_allocate(scratch, islands + 1, sizeof *all->start);
  bool complete = all->parent && all->spent && all->slot && all->root && all->contact && all->start;
  return complete ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Cuts the list where a new first particle begins. */
static grouping_pass cut_list(grouping *all, const int32_t *listed, int64_t count, bool may_cut)
{
  const int32_t *first = all->problem->first;
  int32_t beyond = (int32_t)all->problem->body_count;
  grouping_pass pass = {.all = all, .listed = listed, .parts = 1};
  if (may_cut && count >= WORTH_CUTTING && !all->problem->unsorted)
    pass.parts = all->env->threads < MOST_PARTS ? all->env->threads : MOST_PARTS;
  for (int32_t part = 1; part < pass.parts; part++) {
    int64_t k = count * part / pass.parts;
    if (k < pass.begin[part - 1]) k = pass.begin[part - 1];
    while (k > 0 && k < count && first[listed[k]] == first[listed[k - 1]]) k++;
    pass.begin[part] = k;
    pass.particle[part] = k < count ? first[listed[k]] : beyond;
  }
  pass.begin[pass.parts] = count;
  pass.particle[pass.parts] = beyond;
  return pass;
}

/* ---- joining ---- */

static int32_t find_root(int32_t *parent, int32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static inline void join(grouping *all, int64_t contact)
{
  int32_t *parent = all->parent, first = all->problem->first[contact], second = all->problem->second[contact];
  if (parent[first] == parent[second]) return;
  int32_t a = find_root(parent, first), b = find_root(parent, second);
  if (a == b) return;
  int32_t root = a < b ? a : b, other = a < b ? b : a;
  parent[other] = root;
  if (all->spent[other] > all->spent[root]) all->spent[root] = all->spent[other];
}

/* Joins what lies within the part; what leaves it is noted at the part's place in `root`. With the first list, that
 * is: later ones meet trees that lead from one part into another. */
static void join_part(void *context, int64_t part, int64_t end, int64_t block)
{
  (void)end, (void)block;
  grouping_pass *pass = context;
  grouping *all = pass->all;
  int32_t limit = pass->particle[part + 1], *leaving = all->root + pass->begin[part];
  int64_t count = 0;
  for (int64_t k = pass->begin[part]; k < pass->begin[part + 1]; k++) {
    int32_t second = all->problem->second[pass->listed[k]];
    if (second >= limit)
      leaving[count++] = pass->listed[k];
    else if (second >= 0)
      join(all, pass->listed[k]);
  }
  pass->found[part] = count;
}

void grouping_join(grouping *all, const int32_t *listed, int64_t count)
{
  grouping_pass pass = cut_list(all, listed, count, !all->joined);
  all->joined = true;
  parallel_for(all->env, pass.parts, 1, join_part, &pass);
  for (int32_t part = 0; part < pass.parts; part++)
    for (int64_t k = 0; k < pass.found[part]; k++) join(all, all->root[pass.begin[part] + k]);
}

/* Without shortening the way, as find_root() does: several threads read the same trees. */
int32_t grouping_root(const grouping *all, int64_t contact)
{
  int32_t i = all->problem->first[contact];
  while (all->parent[i] != i) i = all->parent[i];
  return i;
}

/* ---- sorting ---- */

/* Finds the roots of a part's contacts and counts the islands that begin in it; slot: their number in the part. */
static void root_part(void *context, int64_t part, int64_t end, int64_t block)
{
  (void)end, (void)block;
  grouping_pass *pass = context;
  grouping *all = pass->all;
  const int32_t *first = all->problem->first;
  int32_t particle = -1, root = -1;
  int64_t islands = 0;
  for (int64_t k = pass->begin[part]; k < pass->begin[part + 1]; k++) {
    if (first[pass->listed[k]] != particle) {
      particle = first[pass->listed[k]];
      root = pass->parts > 1 ? grouping_root(all, pass->listed[k]) : find_root(all->parent, particle);
      if (root == particle || (all->problem->unsorted && all->slot[root] < 0)) all->slot[root] = (int32_t)islands++;
    }
    all->root[k] = root;
  }
  pass->found[part] = islands;
}

/* From the number of islands of each part: where its numbers begin. Returns the sum. */
static int64_t number_parts(grouping_pass *pass)
{
  int64_t islands = 0;
  for (int32_t part = 0; part < pass->parts; part++) {
    int64_t count = pass->found[part];
    pass->found[part] = islands;
    islands += count;
  }
  return islands;
}

static int32_t island_of(const grouping_pass *pass, int32_t root)
{
  int32_t part = 0;
  while (root >= pass->particle[part + 1]) part++;
  return (int32_t)pass->found[part] + pass->all->slot[root];
}

/* Counts a part's contacts by island, and names the island of each instead of its root. Neighbours in the list are
 * mostly of one island. */
static void count_part(void *context, int64_t part, int64_t end, int64_t block)
{
  (void)end, (void)block;
  grouping_pass *pass = context;
  grouping *all = pass->all;
  int32_t *place = pass->place + part * all->count, *root = all->root, known = -1, island = 0;
  memset(place, 0, (size_t)all->count * sizeof *place);
  int64_t begin = pass->begin[part], k = begin;
  for (; k < pass->begin[part + 1]; k++) {
    if (root[k] != known) {
      place[island] += (int32_t)(k - begin);
      begin = k;
      known = root[k];
      island = island_of(pass, known);
    }
    root[k] = island;
  }
  if (k > begin) place[island] += (int32_t)(k - begin);
}

static void place_islands(grouping_pass *pass)
{
  grouping *all = pass->all;
  int64_t at = 0;
  for (int64_t island = 0; island < all->count; island++) {
    all->start[island] = at;
    for (int32_t part = 0; part < pass->parts; part++) {
      int32_t *place = pass->place + part * all->count + island, count = *place;
      *place = (int32_t)at;
      at += count;
    }
  }
  all->start[all->count] = at;
}

static void fill_part(void *context, int64_t part, int64_t end, int64_t block)
{
  (void)end, (void)block;
  grouping_pass *pass = context;
  const grouping *all = pass->all;
  int32_t *place = pass->place + part * all->count;
  for (int64_t k = pass->begin[part]; k < pass->begin[part + 1]; k++)
    all->contact[place[all->root[k]]++] = pass->listed[k];
}

static void clear_slots(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const grouping *all = context;
  for (int64_t island = begin; island < end; island++)
    all->slot[grouping_root(all, all->contact[all->start[island]])] = -1;
}

floc_status grouping_sort(grouping *all, arena *scratch, const int32_t *listed, int64_t count)
{
  grouping_pass pass = cut_list(all, listed, count, true);
  parallel_for(all->env, pass.parts, 1, root_part, &pass);
  all->count = number_parts(&pass);
  arena_mark here = arena_here(scratch);
  pass.place = arena_allocate(scratch, (size_t)pass.parts * (size_t)all->count, sizeof *pass.place);
  if (!pass.place) return FLOC_OUT_OF_MEMORY;
  parallel_for(all->env, pass.parts, 1, count_part, &pass);
  place_islands(&pass);
  parallel_for(all->env, pass.parts, 1, fill_part, &pass);
  parallel_for(all->env, all->count, ISLAND_BLOCK, clear_slots, all);
  arena_return(scratch, here);
  return FLOC_OK;
}
