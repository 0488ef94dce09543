/*
 * Islands of block problems. See block_islands.h.
 *
 * Union-find over bodies in which the root of a tree is its smallest body; two counting sorts, of contacts and of
 * bodies, by the islands' numbers.
 */
#include "contacts/blocks/block_islands.h"

#include <string.h>

typedef struct union_find {
  int32_t *parent; /* [body] */
  int32_t *island; /* [body] at roots, -1: none yet; then of every listed body */
} union_find;

static int32_t find_root(int32_t *parent, int32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void join(const block_problem *problem, const int32_t *listed, int64_t count, union_find *bodies)
{
  for (int64_t i = 0; i < problem->body_count; i++) bodies->parent[i] = (int32_t)i;
  for (int64_t k = 0; k < count; k++) {
    int32_t second = problem->second[listed[k]];
    if (second < 0) continue;
    int32_t a = find_root(bodies->parent, problem->first[listed[k]]), b = find_root(bodies->parent, second);
    if (a == b) continue;
    bodies->parent[a < b ? b : a] = a < b ? a : b;
  }
}

/* Numbers the islands in the order of their first contacts; contacts get theirs in `of`, bodies at their roots. */
static int64_t number_islands(const block_problem *problem, const int32_t *listed, int64_t count,
                              union_find *bodies, int32_t *of)
{
  int64_t islands = 0;
  for (int64_t i = 0; i < problem->body_count; i++) bodies->island[i] = -1;
  for (int64_t k = 0; k < count; k++) {
    int32_t root = find_root(bodies->parent, problem->first[listed[k]]);
    if (bodies->island[root] < 0) bodies->island[root] = (int32_t)islands++;
    of[k] = bodies->island[root];
  }
  return islands;
}

/* Contacts sorted by island, in their order within one; first: [island + 1] where each begins. */
static void sort_contacts(const int32_t *listed, int64_t count, const int32_t *of, int64_t islands, int64_t *first,
                          int32_t *sorted)
{
  memset(first, 0, (size_t)(islands + 2) * sizeof *first);
  for (int64_t k = 0; k < count; k++) first[of[k] + 2]++;
  for (int64_t k = 0; k < islands; k++) first[k + 2] += first[k + 1];
  for (int64_t k = 0; k < count; k++) sorted[first[of[k] + 1]++] = listed[k];
}

/* First colour that neither body has. */
static int free_colour(uint64_t taken)
{
  uint64_t available = ~taken;
  return available ? __builtin_ctzll(available) : SYSTEM_COLOURS - 1;
}

static int64_t in_fours(int64_t count)
{
  return (count + FOUR - 1) / FOUR * FOUR;
}

/* Places of a large island's contacts, colour by colour, each in fours; returns how many. used: [body] of zeros,
 * left so; colour_of: scratch. */
static int64_t colour(const block_problem *problem, const int32_t *contact, int64_t count, uint64_t *used,
                      int32_t *colour_of, int32_t *place, block_colours *made)
{
  int64_t found[SYSTEM_COLOURS] = {0}, next[SYSTEM_COLOURS] = {0}, places = 0;
  for (int64_t k = 0; k < count; k++) {
    int32_t first = problem->first[contact[k]], second = problem->second[contact[k]];
    int own = free_colour(used[first] | (second >= 0 ? used[second] : 0));
    uint64_t bit = own < SYSTEM_COLOURS - 1 ? UINT64_C(1) << own : 0;
    used[first] |= bit;
    if (second >= 0) used[second] |= bit;
    colour_of[k] = own;
    found[own]++;
  }
  *made = (block_colours){.serial_tail = found[SYSTEM_COLOURS - 1] > 0};
  for (int own = 0; own < SYSTEM_COLOURS; own++) {
    next[own] = places;
    places += in_fours(found[own]);
    if (found[own] == 0) continue;
    made->start[++made->count] = places;
    made->parts += own < SYSTEM_COLOURS - 1 ? parallel_block_count(places - next[own], SYSTEM_BLOCK) : 1;
  }
  for (int64_t k = 0; k < places; k++) place[k] = -1;
  for (int64_t k = 0; k < count; k++) {
    place[next[colour_of[k]]++] = contact[k];
    used[problem->first[contact[k]]] = 0;
    if (problem->second[contact[k]] >= 0) used[problem->second[contact[k]]] = 0;
  }
  return places;
}

/* Contacts, sorted by island, to their places. */
static floc_status place_contacts(arena *scratch, const block_problem *problem, const int64_t *first,
                                  const int32_t *sorted, int32_t *colour_of, block_plan *plan)
{
  int64_t large = 0, count = first[plan->island_count];
  for (int64_t island = 0; island < plan->island_count; island++)
    large += first[island + 1] - first[island] >= BLOCK_COLOURED;
  int64_t most = count + FOUR * plan->island_count + FOUR * SYSTEM_COLOURS * large;
  plan->contact = arena_allocate(scratch, (size_t)most, sizeof(int32_t));
  plan->colour = arena_allocate(scratch, (size_t)large, sizeof *plan->colour);
  uint64_t *used = arena_allocate(scratch, large > 0 ? (size_t)problem->body_count : 0, sizeof *used);
  if (!plan->contact || !plan->colour || !used) return FLOC_OUT_OF_MEMORY;
  if (large > 0) memset(used, 0, (size_t)problem->body_count * sizeof *used);
  large = 0;
  for (int64_t island = 0; island < plan->island_count; island++) {
    int64_t own = first[island + 1] - first[island];
    int32_t *place = plan->contact + plan->place_count;
    plan->colours[island] = own >= BLOCK_COLOURED ? (int32_t)large++ : -1;
    plan->first_place[island] = plan->place_count;
    plan->filled[island] = plan->places[island] = own;
    if (plan->colours[island] >= 0) {
      plan->places[island] = colour(problem, sorted + first[island], own, used, colour_of, place,
                                    &plan->colour[plan->colours[island]]);
    } else {
      memcpy(place, sorted + first[island], (size_t)own * sizeof *place);
      for (int64_t k = own; k < in_fours(own); k++) place[k] = -1;
    }
    plan->place_count += in_fours(plan->places[island]);
  }
  return FLOC_OK;
}

/* The bodies of an island's contacts, each counted once, and a stand-in for each contact with a prescribed body and
 * each empty one. local: 0 for those that are counted, -1 for others. */
static int64_t count_bodies(const block_problem *problem, const int32_t *contact, int64_t places, int32_t *local)
{
  int64_t count = 0;
  for (int64_t k = 0; k < places; k++) {
    int32_t a = contact[k], pair[2] = {a < 0 ? -1 : problem->first[a], a < 0 ? -1 : problem->second[a]};
    count += pair[1] < 0;
    for (int side = 0; side < 2; side++) {
      if (pair[side] < 0 || local[pair[side]] == 0) continue;
      local[pair[side]] = 0;
      count++;
    }
  }
  return count;
}

/* Bodies get their numbers within their islands in their own order; next: [island] the first number that is free.
 */
static void number_free_bodies(const block_problem *problem, union_find *bodies, int32_t *local, int64_t *next,
                               block_plan *plan)
{
  memset(next, 0, (size_t)plan->island_count * sizeof *next);
  for (int32_t i = 0; i < problem->body_count; i++) {
    if (local[i] < 0) continue;
    int32_t island = bodies->island[find_root(bodies->parent, i)];
    local[i] = (int32_t)next[island]++;
    plan->body_of[plan->first_body[island] + local[i]] = i;
  }
}

/* The bodies of each place; stand-ins get the numbers behind the island's bodies. */
static void name_bodies(const block_problem *problem, const int32_t *local, int64_t *next, block_plan *plan)
{
  for (int64_t island = 0; island < plan->island_count; island++) {
    int32_t *body_of = plan->body_of + plan->first_body[island];
    int64_t begin = plan->first_place[island], end = begin + in_fours(plan->places[island]);
    for (int64_t k = begin; k < end; k++) {
      int32_t a = plan->contact[k], stand_in = (int32_t)next[island];
      bool alone = a < 0 || problem->second[a] < 0;
      if (alone) body_of[next[island]++] = -1;
      plan->body[2 * k] = a < 0 ? stand_in : local[problem->first[a]];
      plan->body[2 * k + 1] = alone ? stand_in : local[problem->second[a]];
    }
  }
}

/* local: [body] of scratch. */
static floc_status number_bodies(arena *scratch, const block_problem *problem, union_find *bodies, int32_t *local,
                                 block_plan *plan)
{
  int64_t *next = arena_allocate(scratch, (size_t)plan->island_count, sizeof *next);
  plan->body = arena_allocate(scratch, 2 * (size_t)plan->place_count, sizeof(int32_t));
  plan->body_of = arena_allocate(scratch, 2 * (size_t)plan->place_count, sizeof(int32_t));
  if (!next || !plan->body || !plan->body_of) return FLOC_OUT_OF_MEMORY;
  for (int64_t i = 0; i < problem->body_count; i++) local[i] = -1;
  plan->first_body[0] = 0;
  for (int64_t island = 0; island < plan->island_count; island++) {
    const int32_t *contact = plan->contact + plan->first_place[island];
    int64_t count = count_bodies(problem, contact, in_fours(plan->places[island]), local);
    plan->first_body[island + 1] = plan->first_body[island] + count;
  }
  plan->body_count = plan->first_body[plan->island_count];
  number_free_bodies(problem, bodies, local, next, plan);
  name_bodies(problem, local, next, plan);
  return FLOC_OK;
}

floc_status block_plan_create(arena *scratch, const block_problem *problem, const int32_t *listed, int64_t count,
                              block_plan *plan)
{
  *plan = (block_plan){0};
  size_t bodies = (size_t)problem->body_count, contacts = (size_t)count;
  union_find all = {arena_allocate(scratch, bodies, sizeof(int32_t)),
                    arena_allocate(scratch, bodies, sizeof(int32_t))};
  int32_t *of = arena_allocate(scratch, contacts, sizeof *of),
          *local = arena_allocate(scratch, bodies, sizeof *local);
  int32_t *sorted = arena_allocate(scratch, contacts, sizeof *sorted);
  if (!all.parent || !all.island || !of || !local || !sorted) return FLOC_OUT_OF_MEMORY;
  join(problem, listed, count, &all);
  plan->island_count = number_islands(problem, listed, count, &all, of);
  size_t islands = (size_t)plan->island_count;
  int64_t *first = arena_allocate(scratch, islands + 2, sizeof *first);
  plan->first_place = arena_allocate(scratch, islands, sizeof(int64_t));
  plan->places = arena_allocate(scratch, islands, sizeof(int64_t));
  plan->filled = arena_allocate(scratch, islands, sizeof(int64_t));
  plan->first_body = arena_allocate(scratch, islands + 1, sizeof(int64_t));
  plan->colours = arena_allocate(scratch, islands, sizeof(int32_t));
  if (!first || !plan->first_place || !plan->places || !plan->filled || !plan->first_body || !plan->colours)
    return FLOC_OUT_OF_MEMORY;
  sort_contacts(listed, count, of, plan->island_count, first, sorted);
  floc_status status = place_contacts(scratch, problem, first, sorted, of, plan);
  return status == FLOC_OK ? number_bodies(scratch, problem, &all, local, plan) : status;
}
