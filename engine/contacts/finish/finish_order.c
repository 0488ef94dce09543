/*
 * Approximate minimum degree. See finish_order.h.
 *
 * Eliminating a node joins all its neighbours with each other. The joined are not written as pairs but as an
 * "element", the list of those that are joined; eliminating a node that belongs to elements makes of these and of
 * its remaining neighbours one new element, and the old ones are gone. So what is stored never grows. A node's
 * degree is bounded from above by the sizes of its elements outside of the newest (the paper's (5)), which one pass
 * over the elements of the newest one's members gives. Nodes whose lists are the same have the same future: one of
 * them stands for all, with a weight. A node all of whose neighbours are in the newest element goes with it. An
 * element all of whose members are in the newest is gone.
 *
 * A node of very many neighbours would be met at every elimination around it; such ones come last.
 *
 * Memory: list [begin[i], begin[i] + length[i]) of `pool` holds the elements of node i (the first element_count[i])
 * and then its neighbours; of an element its members. When the pool is full, what still lives moves to its
 * beginning. Nodes wait in lists by their degree, doubly linked.
 */
#include "contacts/finish/finish_order.h"

#include <math.h>
#include <string.h>

enum { NONE = -1, LEAST_DENSE = 16 };
static const double dense_factor = 10.0; /* times the root of the number of nodes: more neighbours are very many */

typedef enum node_state { NODE_WAITS, NODE_STANDS_BEHIND, NODE_ELEMENT, NODE_GONE } node_state;

typedef struct order_state {
  int32_t nodes;
  int32_t *pool;
  int64_t pool_size, pool_end;
  int64_t *begin;
  int32_t *length, *element_count;
  int32_t *weight; /* nodes that it stands for; 0: it stands behind another; negative: a member of the newest */
  int32_t *degree; /* a bound of it; of an element the weight of its members */
  int32_t *parent; /* of one that stands behind another: that, or the element that it went with */
  int32_t *first_of_degree, *next, *previous;
  int32_t *mark; /* of elements: `now` + the weight of their members outside of the newest */
  int32_t now;
  int32_t *hash_first; /* [nodes] chains of the newest element's members, by `next` */
  int32_t *hash;
  uint8_t *state;
  int32_t least, done; /* the least degree that may have nodes; the weight that is eliminated */
} order_state;

/* ---- the lists by degree ---- */

static void list_add(order_state *it, int32_t i)
{
  int32_t degree = it->degree[i], head = it->first_of_degree[degree];
  it->next[i] = head;
  it->previous[i] = NONE;
  if (head != NONE) it->previous[head] = i;
  it->first_of_degree[degree] = i;
  if (degree < it->least) it->least = degree;
}

static void list_remove(order_state *it, int32_t i)
{
  if (it->previous[i] != NONE)
    it->next[it->previous[i]] = it->next[i];
  else
    it->first_of_degree[it->degree[i]] = it->next[i];
  if (it->next[i] != NONE) it->previous[it->next[i]] = it->previous[i];
}

/* ---- memory ---- */

/* Closes the gaps in the pool. Each list that lives has its owner in its first place meanwhile. */
static void close_pool(order_state *it)
{
  int64_t to = 0;
  for (int32_t i = 0; i < it->nodes; i++) {
    if ((it->state[i] != NODE_WAITS && it->state[i] != NODE_ELEMENT) || it->length[i] == 0) continue;
    int32_t *head = &it->pool[it->begin[i]];
    it->begin[i] = *head;
    *head = -(i + 1);
  }
  for (int64_t from = 0; from < it->pool_end;) {
    if (it->pool[from] >= 0) {
      from++;
      continue;
    }
    int32_t owner = -it->pool[from] - 1, length = it->length[owner];
    it->pool[to] = (int32_t)it->begin[owner];
    it->begin[owner] = to;
    memmove(it->pool + to + 1, it->pool + from + 1, (size_t)(length - 1) * sizeof *it->pool);
    to += length;
    from += length;
  }
  it->pool_end = to;
}

/* ---- one elimination ---- */

/* Takes the living nodes of a list into the new element at the end of the pool; they change sign. */
static void collect(order_state *it, int64_t begin, int32_t length, int32_t element)
{
  for (int64_t k = begin; k < begin + length; k++) {
    int32_t i = it->pool[k], weight = it->weight[i];
    if (weight <= 0) continue;
    it->weight[i] = -weight;
    it->degree[element] += weight;
    it->pool[it->pool_end++] = i;
    list_remove(it, i);
  }
}

/* Makes `pivot` an element. Returns where its members begin. */
static int64_t make_element(order_state *it, int32_t pivot)
{
  int64_t needed = it->length[pivot] - it->element_count[pivot];
  for (int32_t k = 0; k < it->element_count[pivot]; k++) needed += it->length[it->pool[it->begin[pivot] + k]];
  if (it->pool_end + needed > it->pool_size) close_pool(it);
  int64_t members = it->pool_end, begin = it->begin[pivot];
  int32_t elements = it->element_count[pivot];
  it->degree[pivot] = 0;
  it->weight[pivot] = -it->weight[pivot]; /* its own lists name it */
  for (int32_t k = 0; k < elements; k++) {
    int32_t e = it->pool[begin + k];
    collect(it, it->begin[e], it->length[e], pivot);
    it->state[e] = NODE_GONE;
    it->mark[e] = 0;
  }
  collect(it, begin + elements, it->length[pivot] - elements, pivot);
  it->weight[pivot] = -it->weight[pivot];
  it->begin[pivot] = members;
  it->length[pivot] = (int32_t)(it->pool_end - members);
  it->element_count[pivot] = 0;
  it->state[pivot] = NODE_ELEMENT;
  return members;
}

/* mark - now of an element: the weight of its members outside of the newest element. */
static void measure_elements(order_state *it, int64_t members, int64_t end)
{
  for (int64_t k = members; k < end; k++) {
    int32_t i = it->pool[k], weight = -it->weight[i];
    for (int64_t n = it->begin[i]; n < it->begin[i] + it->element_count[i]; n++) {
      int32_t e = it->pool[n];
      if (it->state[e] != NODE_ELEMENT) continue;
      if (it->mark[e] < it->now) it->mark[e] = it->now + it->degree[e];
      it->mark[e] -= weight;
    }
  }
}

static void stand_behind(order_state *it, int32_t i, int32_t other)
{
  it->parent[i] = other;
  it->weight[i] = 0;
  it->state[i] = NODE_STANDS_BEHIND;
}

/* Renews the lists and the degree of a member of the newest element, and hangs it into a chain by the hash of its
 * lists; or lets it go with the element, where it has no other neighbours. */
static void renew_member(order_state *it, int32_t i, int32_t element)
{
  int64_t begin = it->begin[i], middle = begin + it->element_count[i], end = begin + it->length[i], to = begin;
  int64_t degree = 0;
  uint32_t hash = (uint32_t)element;
  for (int64_t n = begin; n < middle; n++) {
    int32_t e = it->pool[n];
    if (it->state[e] != NODE_ELEMENT) continue;
    int32_t outside = it->mark[e] - it->now;
    if (outside == 0) {
      it->state[e] = NODE_GONE;
      continue;
    }
    degree += outside;
    hash += (uint32_t)e;
    it->pool[to++] = e;
  }
  int64_t elements = to - begin;
  /* The newest goes behind the other elements, and neighbours move on by one. There is a place for it: the pivot
   * was a neighbour, or belonged to an element with this node; both are gone. */
  int64_t kept = 0;
  int32_t held = element;
  for (int64_t n = middle; n < end; n++) {
    int32_t j = it->pool[n], weight = it->weight[j];
    if (weight <= 0 || it->state[j] != NODE_WAITS) continue;
    degree += weight;
    hash += (uint32_t)j;
    it->pool[to + kept++] = held;
    held = j;
  }
  it->pool[to + kept++] = held;
  if (degree == 0) {
    int32_t weight = -it->weight[i];
    it->degree[element] -= weight;
    it->weight[element] += weight;
    it->done += weight;
    stand_behind(it, i, element);
    return;
  }
  it->element_count[i] = (int32_t)elements + 1;
  it->length[i] = (int32_t)(elements + kept);
  if (degree < it->degree[i]) it->degree[i] = (int32_t)degree;
  it->hash[i] = (int32_t)(hash % (uint32_t)it->nodes);
  it->next[i] = it->hash_first[it->hash[i]];
  it->hash_first[it->hash[i]] = i;
}

/* Have two members the same elements and neighbours? Those of the first are marked. */
static bool same_lists(const order_state *it, int32_t j)
{
  for (int64_t n = it->begin[j]; n < it->begin[j] + it->length[j]; n++)
    if (it->mark[it->pool[n]] != it->now) return false;
  return true;
}

/* Of the members in one chain, those with the same lists become one. */
static void join_chain(order_state *it, int32_t first)
{
  for (int32_t i = first; i != NONE && it->next[i] != NONE; i = it->next[i]) {
    it->now++;
    for (int64_t n = it->begin[i]; n < it->begin[i] + it->length[i]; n++) it->mark[it->pool[n]] = it->now;
    for (int32_t before = i, j = it->next[i]; j != NONE; j = it->next[j]) {
      bool same =
          it->length[j] == it->length[i] && it->element_count[j] == it->element_count[i] && same_lists(it, j);
      if (!same) {
        before = j;
        continue;
      }
      it->weight[i] += it->weight[j];
      stand_behind(it, j, i);
      it->next[before] = it->next[j];
    }
  }
}

static void eliminate(order_state *it, int32_t pivot)
{
  list_remove(it, pivot);
  it->done += it->weight[pivot];
  int64_t members = make_element(it, pivot), end = it->pool_end;
  measure_elements(it, members, end);
  for (int64_t k = members; k < end; k++) renew_member(it, it->pool[k], pivot);
  it->now += it->nodes + 1; /* above every mark that was made */
  for (int64_t k = members; k < end; k++) {
    int32_t i = it->pool[k];
    if (it->weight[i] == 0) continue;
    int32_t first = it->hash_first[it->hash[i]];
    it->hash_first[it->hash[i]] = NONE;
    if (first != NONE) join_chain(it, first);
  }
  it->now++;
  int64_t to = members;
  for (int64_t k = members; k < end; k++) {
    int32_t i = it->pool[k], weight = -it->weight[i];
    if (weight <= 0) continue;
    it->weight[i] = weight;
    int64_t degree = (int64_t)it->degree[i] + it->degree[pivot] - weight, rest = it->nodes - it->done - weight;
    it->degree[i] = (int32_t)(degree < rest ? degree : rest);
    list_add(it, i);
    it->pool[to++] = i;
  }
  it->length[pivot] = (int32_t)(to - members);
  it->pool_end = to;
  if (it->length[pivot] == 0) it->state[pivot] = NODE_GONE;
}

/* ---- all together ---- */

static floc_status allocate_state(arena *scratch, const order_graph *graph, order_state *it)
{
  size_t n = (size_t)graph->nodes;
  it->nodes = graph->nodes;
  it->pool_size = graph->start[n] + graph->start[n] / 5 + graph->nodes + 1;
  it->pool = arena_allocate(scratch, (size_t)it->pool_size, sizeof *it->pool);
  it->begin = arena_allocate(scratch, n, sizeof *it->begin);
  int32_t **const columns[] = {&it->length,     &it->element_count, &it->weight,         &it->degree,
                               &it->parent,     &it->next,          &it->previous,       &it->mark,
                               &it->hash_first, &it->hash,          &it->first_of_degree};
  bool complete = it->pool && it->begin;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    *columns[k] = arena_allocate(scratch, n + 1, sizeof(int32_t));
    complete = complete && *columns[k];
  }
  it->state = arena_allocate(scratch, n, 1);
  return complete && it->state ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* Lists of all nodes but the very dense, which are placed at the end of the order. Returns how many these are. */
static int32_t start_lists(order_state *it, const order_graph *graph, int32_t *order)
{
  int32_t n = it->nodes, dense = 0;
  double many = dense_factor * sqrt((double)n);
  int64_t limit = many > LEAST_DENSE ? (int64_t)many : LEAST_DENSE;
  for (int32_t i = 0; i < n; i++) {
    it->hash_first[i] = it->first_of_degree[i] = NONE;
    it->weight[i] = 1;
    it->element_count[i] = it->mark[i] = 0;
    it->state[i] = NODE_WAITS;
    if (graph->start[i + 1] - graph->start[i] <= limit) continue;
    it->state[i] = NODE_GONE;
    it->weight[i] = 0;
    dense++;
  }
  int32_t place = n - dense;
  for (int32_t i = 0; i < n; i++) {
    it->begin[i] = it->pool_end;
    if (it->state[i] == NODE_GONE) order[place++] = i;
    for (int64_t k = graph->start[i]; k < graph->start[i + 1] && it->state[i] == NODE_WAITS; k++)
      if (it->state[graph->neighbour[k]] == NODE_WAITS) it->pool[it->pool_end++] = graph->neighbour[k];
    it->degree[i] = it->length[i] = (int32_t)(it->pool_end - it->begin[i]);
    if (it->state[i] == NODE_WAITS) list_add(it, i);
  }
  return dense;
}

/* The element that a node went with. Shortens the ways. */
static int32_t element_of(order_state *it, int32_t i)
{
  int32_t e = i;
  while (it->state[e] == NODE_STANDS_BEHIND) e = it->parent[e];
  while (it->state[i] == NODE_STANDS_BEHIND) {
    int32_t up = it->parent[i];
    it->parent[i] = e;
    i = up;
  }
  return e;
}

floc_status finish_order(arena *scratch, const order_graph *graph, int32_t *order)
{
  arena_mark here = arena_here(scratch);
  order_state it = {.now = 1};
  floc_status status = allocate_state(scratch, graph, &it);
  int32_t *turn = arena_allocate(scratch, (size_t)graph->nodes + 1, sizeof *turn);
  if (status != FLOC_OK || !turn) return FLOC_OUT_OF_MEMORY;
  int32_t n = graph->nodes, dense = start_lists(&it, graph, order), turns = 0;
  memset(turn, 0, ((size_t)n + 1) * sizeof *turn);
  it.done = dense;
  while (it.done < n) {
    while (it.first_of_degree[it.least] == NONE) it.least++;
    int32_t pivot = it.first_of_degree[it.least];
    turn[pivot] = ++turns;
    if (it.now > INT32_MAX - 4 * n - 8) { /* marks begin again */
      memset(it.mark, 0, (size_t)n * sizeof *it.mark);
      it.now = 1;
    }
    eliminate(&it, pivot);
  }
  /* Nodes by the turn of the element that they went with. */
  int32_t *count = it.first_of_degree;
  memset(count, 0, ((size_t)n + 1) * sizeof *count);
  for (int32_t i = 0; i < n; i++)
    if (turn[element_of(&it, i)]) count[turn[element_of(&it, i)]]++;
  for (int32_t k = 1; k <= turns; k++) count[k] += count[k - 1];
  for (int32_t i = 0; i < n; i++)
    if (turn[element_of(&it, i)]) order[count[turn[element_of(&it, i)] - 1]++] = i;
  arena_return(scratch, here);
  return FLOC_OK;
}
