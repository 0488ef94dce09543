/*
 * Analysis, factorisation and solution. See finish_factor.h.
 *
 * The analysis: bodies in the order of least degree; the elimination tree (Liu 1990: the parent of a body is the
 * first later one that its column acts on), by walks with shortened ways; that tree's bodies in postorder; the
 * sizes of columns, by walking from each neighbour up the tree until what was met before; nodes of bodies whose
 * columns are the same but for themselves; and nodes joined with their last child where that adds few zeros,
 * because larger fronts are faster.
 */
#include "contacts/finish/finish_factor.h"

#include "base/interruption.h"
#include "base/numbers/wide.h"
#include "contacts/finish/finish_front.h"
#include "contacts/finish/finish_order.h"

#include <assert.h>
#include <string.h>

enum { NONE = -1, MOST_FREEDOMS = 6 };

/* ---- the graph of bodies ---- */

static floc_status make_graph(arena *scratch, const factor_rows *rows, order_graph *graph)
{
  int32_t n = rows->bodies;
  int64_t *start = arena_allocate(scratch, (size_t)n + 2, sizeof *start);
  if (!start) return FLOC_OUT_OF_MEMORY;
  memset(start, 0, ((size_t)n + 2) * sizeof *start);
  for (int64_t k = 0; k < rows->count; k++) {
    const int32_t *body = rows->body + 2 * k;
    for (int side = 0; side < 2 && body[1] >= 0; side++) start[body[side] + 2]++;
  }
  for (int32_t i = 0; i <= n; i++) start[i + 1] += start[i];
  int32_t *neighbour = arena_allocate(scratch, (size_t)start[n + 1], sizeof *neighbour);
  int32_t *seen = arena_allocate(scratch, (size_t)n, sizeof *seen);
  if (!neighbour || !seen) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < rows->count; k++) {
    const int32_t *body = rows->body + 2 * k;
    for (int side = 0; side < 2 && body[1] >= 0; side++) neighbour[start[body[side] + 1]++] = body[1 - side];
  }
  /* start[i + 1] is now the end of list i, and what is met twice goes. */
  int64_t to = 0, from = 0;
  memset(seen, NONE, (size_t)n * sizeof *seen);
  for (int32_t i = 0; i < n; i++) {
    int64_t end = start[i + 1];
    for (start[i] = to; from < end; from++) {
      int32_t j = neighbour[from];
      if (seen[j] == i || j == i) continue;
      seen[j] = i;
      neighbour[to++] = j;
    }
  }
  start[n] = to;
  *graph = (order_graph){n, start, neighbour};
  return FLOC_OK;
}

/* ---- the elimination tree ---- */

typedef struct elimination_tree {
  int32_t *order;               /* [place] body */
  int32_t *place;               /* [body] */
  int32_t *parent;              /* [place] */
  int32_t *size;                /* [place] entries of the column, with the diagonal */
  int32_t *first, *last, *next; /* children */
  int32_t *mark;
  int32_t *node_of; /* [place] */
} elimination_tree;

static void find_parents(const order_graph *graph, elimination_tree *it)
{
  int32_t *ancestor = it->mark;
  for (int32_t k = 0; k < graph->nodes; k++) {
    it->parent[k] = ancestor[k] = NONE;
    int32_t body = it->order[k];
    for (int64_t n = graph->start[body]; n < graph->start[body + 1]; n++) {
      int32_t i = it->place[graph->neighbour[n]];
      while (i < k && i != NONE) {
        int32_t up = ancestor[i];
        ancestor[i] = k;
        if (up == NONE) it->parent[i] = k;
        i = up;
      }
    }
  }
}

static void find_sizes(const order_graph *graph, elimination_tree *it)
{
  for (int32_t k = 0; k < graph->nodes; k++) {
    it->size[k] = 1;
    it->mark[k] = k;
    int32_t body = it->order[k];
    for (int64_t n = graph->start[body]; n < graph->start[body + 1]; n++) {
      int32_t i = it->place[graph->neighbour[n]];
      if (i > k) continue;
      for (; it->mark[i] != k; i = it->parent[i]) {
        it->size[i]++;
        it->mark[i] = k;
      }
    }
  }
}

/* Renumbers: children before parents without gaps, the one of the largest column last. */
static void sort_postorder(int32_t n, elimination_tree *it, int32_t *scratch)
{
  for (int32_t k = 0; k < n; k++) it->first[k] = it->last[k] = NONE;
  int32_t *root = &it->first[n];
  *root = NONE;
  for (int32_t k = n - 1; k >= 0; k--) {
    int32_t *head = it->parent[k] == NONE ? root : &it->first[it->parent[k]];
    bool behind = *head != NONE && it->size[k] > it->size[*head]; /* the largest is kept at the head */
    it->next[k] = behind || *head == NONE ? *head : it->next[*head];
    if (behind || *head == NONE)
      *head = k;
    else
      it->next[*head] = k;
  }
  /* The head of a list is visited last: places are given from the end. */
  int32_t *new_place = it->mark, *open = scratch, count = 0, at = n;
  for (int32_t k = *root; k != NONE; k = it->next[k]) it->last[count++] = k;
  for (int32_t k = 0; k < count; k++) open[k] = it->last[count - 1 - k];
  while (count > 0) {
    int32_t k = open[--count], begin = count;
    new_place[k] = --at;
    for (int32_t child = it->first[k]; child != NONE; child = it->next[child]) open[count++] = child;
    for (int32_t a = begin, b = count - 1; a < b; a++, b--) {
      int32_t held = open[a];
      open[a] = open[b];
      open[b] = held;
    }
  }
  for (int32_t k = 0; k < n; k++) it->first[new_place[k]] = it->parent[k] == NONE ? NONE : new_place[it->parent[k]];
  for (int32_t k = 0; k < n; k++) it->last[new_place[k]] = it->size[k];
  for (int32_t k = 0; k < n; k++) it->next[new_place[k]] = it->order[k];
  memcpy(it->parent, it->first, (size_t)n * sizeof *it->parent);
  memcpy(it->size, it->last, (size_t)n * sizeof *it->size);
  memcpy(it->order, it->next, (size_t)n * sizeof *it->order);
  for (int32_t k = 0; k < n; k++) it->place[it->order[k]] = k;
}

/* ---- nodes ---- */

static double panel_blocks(double pivots, double rows)
{
  return 0.5 * pivots * (pivots + 1.0) + pivots * rows;
}

/* Is a node better joined with its last child? Rules as in other codes of this kind: fronts of a few columns cost
 * more to begin than to fill, wide ones must be nearly full. */
static bool worth_joining(const factor_node *child, const factor_node *parent, double zeros)
{
  int32_t pivots = child->pivots + parent->pivots;
  double part = zeros / panel_blocks(pivots, parent->rows);
  return pivots <= 4 || (pivots <= 12 && part < 0.5) || (pivots <= 32 && part < 0.15) || part < 0.05;
}

/* zeros: [node] of scratch. */
static void find_nodes(int32_t n, const elimination_tree *tree, sparse_factor *it, double *zeros)
{
  it->count = 0;
  for (int32_t k = 0; k < n;) {
    int32_t first = k++;
    while (k < n && tree->parent[k - 1] == k && tree->size[k - 1] == tree->size[k] + 1) k++;
    factor_node made = {.first = first, .pivots = k - first, .rows = tree->size[k - 1] - 1};
    double made_zeros = 0.0;
    while (it->count > 0) {
      const factor_node *child = &it->node[it->count - 1];
      int32_t parent = tree->parent[made.first - 1];
      if (parent == NONE || parent >= k) break;
      double more = zeros[it->count - 1] + made_zeros +
                    (double)child->pivots * (double)(made.pivots + made.rows - child->rows);
      if (!worth_joining(child, &made, more)) break;
      made.first = child->first;
      made.pivots += child->pivots;
      made_zeros = more;
      it->count--;
    }
    zeros[it->count] = made_zeros;
    it->node[it->count++] = made;
  }
  for (int32_t s = 0; s < it->count; s++)
    for (int32_t k = 0; k < it->node[s].pivots; k++) tree->node_of[it->node[s].first + k] = s;
}

/* Parents, places in memory, and costs. */
static void measure_nodes(const elimination_tree *tree, sparse_factor *it, int64_t *row_count)
{
  double freedoms = it->rows->freedoms;
  int64_t f = it->rows->freedoms;
  *row_count = 0;
  it->entries = 0;
  it->operations = 0.0;
  for (int32_t s = 0; s < it->count; s++) {
    factor_node *node = &it->node[s];
    int32_t parent = tree->parent[node->first + node->pivots - 1];
    node->parent = parent == NONE ? NONE : tree->node_of[parent];
    node->row = *row_count;
    node->panel = it->entries;
    *row_count += node->rows;
    it->entries += (int64_t)(node->pivots + node->rows) * f * node->pivots * f;
    double columns = freedoms * node->pivots, height = columns + freedoms * node->rows;
    it->operations += columns * (height * (height - columns) + columns * columns / 3.0);
  }
}

/* The stack at its highest: what the children of all open nodes leave over, and one more. */
static void measure_stack(sparse_factor *it, int64_t *left)
{
  int64_t f = it->rows->freedoms, held = 0;
  it->stack_size = 1;
  for (int32_t s = 0; s < it->count; s++) left[s] = 0;
  for (int32_t s = 0; s < it->count; s++) {
    int64_t own = it->node[s].rows * f * it->node[s].rows * f;
    if (held + own > it->stack_size) it->stack_size = held + own;
    held += own - left[s];
    if (it->node[s].parent != NONE) left[it->node[s].parent] += own;
  }
}

/* The rows of nodes: row i belongs to every node on the way from a neighbour up to its own. */
static void fill_rows(const order_graph *graph, const elimination_tree *tree, sparse_factor *it)
{
  int32_t *count = tree->first, *mark = tree->mark;
  for (int32_t s = 0; s < it->count; s++) {
    count[s] = 0;
    mark[s] = NONE;
  }
  for (int32_t i = 0; i < graph->nodes; i++) {
    int32_t body = tree->order[i];
    mark[tree->node_of[i]] = i;
    for (int64_t n = graph->start[body]; n < graph->start[body + 1]; n++) {
      int32_t k = tree->place[graph->neighbour[n]];
      if (k > i) continue;
      for (int32_t s = tree->node_of[k]; mark[s] != i; s = it->node[s].parent) {
        mark[s] = i;
        it->row[it->node[s].row + count[s]++] = i;
      }
    }
  }
  for (int32_t s = 0; s < it->count; s++) assert(count[s] == it->node[s].rows);
}

/* Where place i stands in a node's front, in bodies. */
static int64_t front_position(const sparse_factor *it, const factor_node *node, int32_t i)
{
  if (i < node->first + node->pivots) return i - node->first;
  const int32_t *row = it->row + node->row;
  int32_t low = 0, high = node->rows;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    if (row[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  assert(row[low] == i);
  return node->pivots + low;
}

static int64_t node_height(const sparse_factor *it, const factor_node *node)
{
  return (int64_t)(node->pivots + node->rows) * it->rows->freedoms;
}

/* Where the block of places (row, column), row >= column, begins. */
static int64_t block_place(const sparse_factor *it, const elimination_tree *tree, int32_t row, int32_t column,
                           int32_t *stride)
{
  const factor_node *node = &it->node[tree->node_of[column]];
  int64_t f = it->rows->freedoms, height = node_height(it, node);
  *stride = (int32_t)height;
  return node->panel + (int64_t)(column - node->first) * f * height + f * front_position(it, node, row);
}

static void find_targets(const elimination_tree *tree, sparse_factor *it)
{
  const factor_rows *rows = it->rows;
  for (int64_t k = 0; k < rows->count; k++) {
    int32_t first = it->place[rows->body[2 * k]], unused;
    int64_t *target = it->target + 3 * k;
    int32_t *stride = it->stride + 2 * k;
    target[0] = block_place(it, tree, first, first, &stride[0]);
    stride[1] = 0;
    target[1] = target[2] = NONE;
    if (rows->body[2 * k + 1] < 0) continue;
    int32_t second = it->place[rows->body[2 * k + 1]];
    target[1] = block_place(it, tree, second, second, &stride[1]);
    target[2] = first < second ? block_place(it, tree, second, first, &unused)
                               : block_place(it, tree, first, second, &unused);
  }
}

/* ---- all of the analysis ---- */

static floc_status allocate_tree(arena *scratch, int32_t n, elimination_tree *it)
{
  int32_t **const columns[] = {&it->order, &it->place, &it->parent, &it->size,   &it->first,
                               &it->last,  &it->next,  &it->mark,   &it->node_of};
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    *columns[k] = arena_allocate(scratch, (size_t)n + 1, sizeof(int32_t));
    if (!*columns[k]) return FLOC_OUT_OF_MEMORY;
  }
  return FLOC_OK;
}

floc_status factor_analyse(arena *scratch, const factor_rows *rows, sparse_factor *it)
{
  assert(rows->freedoms >= 1 && rows->freedoms <= MOST_FREEDOMS);
  int32_t n = rows->bodies;
  order_graph graph;
  elimination_tree tree;
  *it = (sparse_factor){.rows = rows, .wide = processor_is_wide()};
  it->place = arena_allocate(scratch, (size_t)n, sizeof *it->place);
  it->node = arena_allocate(scratch, (size_t)n, sizeof *it->node);
  it->target = arena_allocate(scratch, 3 * (size_t)rows->count, sizeof *it->target);
  it->stride = arena_allocate(scratch, 2 * (size_t)rows->count, sizeof *it->stride);
  double *zeros = arena_allocate(scratch, (size_t)n + 1, sizeof *zeros);
  int64_t *left = arena_allocate(scratch, (size_t)n, sizeof *left);
  floc_status status = make_graph(scratch, rows, &graph);
  if (status == FLOC_OK) status = allocate_tree(scratch, n, &tree);
  if (status == FLOC_OK) status = finish_order(scratch, &graph, tree.order);
  if (status != FLOC_OK || !it->place || !it->node || !it->target || !it->stride || !zeros || !left)
    return FLOC_OUT_OF_MEMORY;
  for (int32_t k = 0; k < n; k++) tree.place[tree.order[k]] = k;
  find_parents(&graph, &tree);
  find_sizes(&graph, &tree);
  sort_postorder(n, &tree, tree.node_of);
  find_nodes(n, &tree, it, zeros);
  int64_t row_count;
  measure_nodes(&tree, it, &row_count);
  measure_stack(it, left);
  it->row = arena_allocate(scratch, (size_t)row_count, sizeof *it->row);
  if (!it->row) return FLOC_OUT_OF_MEMORY;
  fill_rows(&graph, &tree, it);
  memcpy(it->place, tree.place, (size_t)n * sizeof *it->place);
  find_targets(&tree, it);
  return FLOC_OK;
}

floc_status factor_allocate(arena *scratch, sparse_factor *it)
{
  const int64_t numbers = it->entries > it->stack_size ? it->entries : it->stack_size;
  if ((uint64_t)numbers > SIZE_MAX / sizeof(double))
    return refuse(scratch->env, FLOC_OUT_OF_MEMORY, "out of memory: a factor of %lld numbers", (long long)numbers);
  int64_t highest = 0;
  for (int32_t s = 0; s < it->count; s++) {
    int64_t height = node_height(it, &it->node[s]);
    if (height > highest) highest = height;
  }
  it->number = arena_allocate(scratch, (size_t)it->entries, sizeof *it->number);
  it->stack = arena_allocate(scratch, (size_t)it->stack_size, sizeof *it->stack);
  it->panel = arena_allocate(scratch, front_work_size(highest), sizeof *it->panel);
  it->where = arena_allocate(scratch, (size_t)it->rows->bodies, sizeof *it->where);
  it->open = arena_allocate(scratch, (size_t)it->count, sizeof *it->open);
  return it->number && it->stack && it->panel && it->where && it->open ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* ---- the numbers ---- */

/* target += weight left right^T, a block of f x f. */
static inline __attribute__((always_inline)) void add_block(double *target, int64_t stride, double weight,
                                                            const double *left, const double *right, int f)
{
  for (int column = 0; column < f; column++) {
    double factor = weight * right[column];
    for (int row = 0; row < f; row++) target[column * stride + row] += factor * left[row];
  }
}

static inline __attribute__((always_inline)) void add_rows(sparse_factor *it, const double *weight, int f)
{
  const factor_rows *rows = it->rows;
  for (int64_t k = 0; k < rows->count; k++) {
    const int64_t *target = it->target + 3 * k;
    const int32_t *stride = it->stride + 2 * k, *body = rows->body + 2 * k;
    const double *first = rows->coefficient + 2 * f * k, *second = first + f;
    double d = weight[k];
    if (d == 0.0) continue;
    add_block(it->number + target[0], stride[0], d, first, first, f);
    if (body[1] < 0) continue;
    add_block(it->number + target[1], stride[1], d, second, second, f);
    if (it->place[body[0]] < it->place[body[1]])
      add_block(it->number + target[2], stride[0], d, second, first, f);
    else
      add_block(it->number + target[2], stride[1], d, first, second, f);
  }
}

static void assemble(sparse_factor *it, const double *weight)
{
  memset(it->number, 0, (size_t)it->entries * sizeof *it->number);
  int64_t f = it->rows->freedoms;
  for (int32_t s = 0; s < it->count; s++) {
    const factor_node *node = &it->node[s];
    int64_t height = node_height(it, node);
    for (int64_t k = 0; k < node->pivots * f; k++) it->number[node->panel + k * (height + 1)] = 1.0;
  }
  if (f == 2)
    add_rows(it, weight, 2);
  else if (f == 3)
    add_rows(it, weight, 3);
  else
    add_rows(it, weight, (int)f);
}

/* Adds what a child leaves over to a node's panel and to what that leaves over. where: [place] in its front. */
static inline __attribute__((always_inline)) void add_child(const sparse_factor *it, const factor_node *child,
                                                            const double *left, const factor_node *node,
                                                            double *rest, int f)
{
  const int32_t *row = it->row + child->row;
  int64_t height = node_height(it, node), below = (int64_t)node->rows * f, child_height = (int64_t)child->rows * f;
  for (int32_t j = 0; j < child->rows; j++) {
    int32_t column = it->where[row[j]];
    bool pivot = column < node->pivots;
    int64_t stride = pivot ? height : below;
    double *target = pivot ? it->number + node->panel + column * f * height
                           : rest + (int64_t)(column - node->pivots) * f * below - (int64_t)node->pivots * f;
    const double *source = left + (int64_t)j * f * child_height;
    for (int32_t i = j; i < child->rows; i++) {
      double *to = target + (int64_t)it->where[row[i]] * f;
      const double *from = source + (int64_t)i * f;
      for (int c = 0; c < f; c++)
        for (int r = 0; r < f; r++) to[c * stride + r] += from[c * child_height + r];
    }
  }
}

static void add_child_of(const sparse_factor *it, const factor_node *child, const double *left,
                         const factor_node *node, double *rest)
{
  int f = it->rows->freedoms;
  if (f == 2)
    add_child(it, child, left, node, rest, 2);
  else if (f == 3)
    add_child(it, child, left, node, rest, 3);
  else
    add_child(it, child, left, node, rest, f);
}

bool factor_compute(const environment *env, sparse_factor *it, const double *weight)
{
  assemble(it, weight);
  int64_t f = it->rows->freedoms, top = 0;
  int32_t open = 0;
  for (int32_t s = 0; s < it->count && !interrupted(env); s++) {
    const factor_node *node = &it->node[s];
    int64_t size = node->rows * f * node->rows * f, base = top;
    double *rest = it->stack + top;
    memset(rest, 0, (size_t)size * sizeof *rest);
    for (int32_t k = 0; k < node->pivots; k++) it->where[node->first + k] = k;
    for (int32_t k = 0; k < node->rows; k++) it->where[it->row[node->row + k]] = node->pivots + k;
    for (; open > 0 && it->node[it->open[open - 1]].parent == s; open--) {
      const factor_node *child = &it->node[it->open[open - 1]];
      base -= child->rows * f * child->rows * f;
      add_child_of(it, child, it->stack + base, node, rest);
    }
    double *panel = it->number + node->panel;
    int64_t height = node_height(it, node);
    if (!front_factor(it->wide, panel, height, node->pivots * f, it->panel)) return false;
    front_leave(it->wide, panel, height, node->pivots * f, rest, it->panel);
    if (base < top) memmove(it->stack + base, rest, (size_t)size * sizeof *rest);
    top = base + size;
    it->open[open++] = s;
  }
  return !interrupted(env);
}

/* ---- solving ---- */

/* y -= column times x. */
static inline void subtract_column(const double *column, int64_t count, double x, double *y)
{
  for (int64_t i = 0; i < count; i++) y[i] -= x * column[i];
}

/* column . y in four sums. */
static inline double column_product(const double *column, int64_t count, const double *y)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += column[i + k] * y[i + k];
  for (int k = 0; i < count; i++, k++) sum[k] += column[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Numbers of y below a node's pivots, side by side, and back. */
static void gather(const sparse_factor *it, const factor_node *node, const double *y, double *below)
{
  int64_t f = it->rows->freedoms;
  for (int32_t k = 0; k < node->rows; k++)
    for (int64_t c = 0; c < f; c++) below[k * f + c] = y[it->row[node->row + k] * f + c];
}

static void forward(const sparse_factor *it, double *y)
{
  int64_t f = it->rows->freedoms;
  double *below = it->panel;
  for (int32_t s = 0; s < it->count; s++) {
    const factor_node *node = &it->node[s];
    int64_t columns = node->pivots * f, height = node_height(it, node);
    double *own = y + node->first * f;
    gather(it, node, y, below);
    for (int64_t j = 0; j < columns; j++) {
      const double *column = it->number + node->panel + j * height;
      own[j] *= column[j];
      subtract_column(column + j + 1, columns - j - 1, own[j], own + j + 1);
      subtract_column(column + columns, height - columns, own[j], below);
    }
    for (int32_t k = 0; k < node->rows; k++)
      for (int64_t c = 0; c < f; c++) y[it->row[node->row + k] * f + c] = below[k * f + c];
  }
}

static void backward(const sparse_factor *it, double *y)
{
  int64_t f = it->rows->freedoms;
  double *below = it->panel;
  for (int32_t s = it->count - 1; s >= 0; s--) {
    const factor_node *node = &it->node[s];
    int64_t columns = node->pivots * f, height = node_height(it, node);
    double *own = y + node->first * f;
    gather(it, node, y, below);
    for (int64_t j = columns - 1; j >= 0; j--) {
      const double *column = it->number + node->panel + j * height;
      double sum = column_product(column + j + 1, columns - j - 1, own + j + 1) +
                   column_product(column + columns, height - columns, below);
      own[j] = (own[j] - sum) * column[j];
    }
  }
}

void factor_solve(const sparse_factor *it, double *x, double *work)
{
  int64_t f = it->rows->freedoms, n = it->rows->bodies;
  for (int64_t b = 0; b < n; b++)
    for (int64_t c = 0; c < f; c++) work[it->place[b] * f + c] = x[b * f + c];
  forward(it, work);
  backward(it, work);
  for (int64_t b = 0; b < n; b++)
    for (int64_t c = 0; c < f; c++) x[b * f + c] = work[it->place[b] * f + c];
}
