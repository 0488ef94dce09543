/*
 * Selected particles as columns. See points.h.
 */
#include "measures/points.h"

#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 5 };

static floc_status points_reserve(environment *env, const domain *box, int64_t count, measured_points *points)
{
  *points = (measured_points){.env = env, .box = *box, .count = count};
  points->memory = memory_resize(env, NULL, 0, (size_t)count * COLUMNS * sizeof(double));
  if (!points->memory)
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: columns of %" PRId64 " particles were refused", count);
  for (int axis = 0; axis < 3; axis++) points->position[axis] = points->memory + axis * count;
  points->radius = points->memory + 3 * count;
  points->mass = points->memory + 4 * count;
  return FLOC_OK;
}

void points_free(measured_points *points)
{
  memory_free(points->env, points->memory, (size_t)points->count * COLUMNS * sizeof(double));
  points->memory = NULL;
  points->count = 0;
}

double points_mean_radius(const measured_points *points)
{
  double sum = 0.0;
  for (int64_t k = 0; k < points->count; k++) sum += points->radius[k];
  return sum / (double)points->count;
}

double points_greatest_radius(const measured_points *points)
{
  double greatest = 0.0;
  for (int64_t k = 0; k < points->count; k++) greatest = fmax(greatest, points->radius[k]);
  return greatest;
}

/* ---- which cluster ---- */

static floc_status largest_cluster(environment *env, const int64_t *cluster_of, int64_t count, int64_t *largest)
{
  size_t bytes = (size_t)(count + 1) * sizeof(int64_t);
  int64_t *size = memory_resize(env, NULL, 0, bytes);
  if (!size) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  memset(size, 0, bytes);
  *largest = 1;
  for (int64_t k = 0; k < count; k++) size[cluster_of[k]]++;
  for (int64_t c = 2; c <= count; c++)
    if (size[c] > size[*largest]) *largest = c;
  memory_free(env, size, bytes);
  return FLOC_OK;
}

/* ---- putting a cluster together ---- */

/* index[slot] is the number of the point, or -1; start and end of each point's neighbours in `near`. */
typedef struct adjacency {
  int64_t *start; /* [count + 1] */
  int64_t *near;  /* [2 pairs] */
  int64_t *queue; /* [count] */
  bool *placed;   /* [count] */
} adjacency;

static void place_neighbours(measured_points *points, const adjacency *graph, int64_t from, int64_t *end)
{
  for (int64_t n = graph->start[from]; n < graph->start[from + 1]; n++) {
    int64_t to = graph->near[n];
    if (graph->placed[to]) continue;
    for (int axis = 0; axis < points->box.dimension; axis++) {
      double here = points->position[axis][from],
             there = domain_wrap(&points->box, axis, points->position[axis][to]);
      double inside = domain_wrap(&points->box, axis, here);
      points->position[axis][to] = here + domain_shortest(&points->box, axis, there - inside);
    }
    graph->placed[to] = true;
    graph->queue[(*end)++] = to;
  }
}

static void walk(measured_points *points, const adjacency *graph)
{
  for (int64_t first = 0; first < points->count; first++) {
    if (graph->placed[first]) continue;
    int64_t begin = 0, end = 1;
    graph->queue[0] = first;
    graph->placed[first] = true;
    while (begin < end) place_neighbours(points, graph, graph->queue[begin++], &end);
  }
}

static void fill_graph(adjacency *graph, const cluster_pairs *pairs, const int64_t *index, int64_t count)
{
  memset(graph->start, 0, (size_t)(count + 1) * sizeof(int64_t));
  for (int64_t k = 0; k < 2 * pairs->count; k++) {
    int64_t own = index[pairs->pair[k]], other = index[pairs->pair[k ^ 1]];
    if (own >= 0 && other >= 0) graph->start[own + 1]++;
  }
  for (int64_t k = 0; k < count; k++) graph->start[k + 1] += graph->start[k];
  int64_t total = graph->start[count];
  for (int64_t k = 2 * pairs->count - 1; k >= 0; k--) { /* ends become begins */
    int64_t own = index[pairs->pair[k]], other = index[pairs->pair[k ^ 1]];
    if (own >= 0 && other >= 0) graph->near[--graph->start[own + 1]] = other;
  }
  for (int64_t k = 0; k < count; k++) graph->start[k] = graph->start[k + 1];
  graph->start[count] = total;
}

static floc_status put_together(measured_points *points, const cluster_pairs *pairs, const int64_t *index)
{
  arena scratch;
  arena_init(&scratch, points->env);
  adjacency graph = {arena_allocate(&scratch, (size_t)points->count + 2, sizeof(int64_t)), NULL, NULL, NULL};
  if (graph.start) graph.near = arena_allocate(&scratch, 2 * (size_t)pairs->count, sizeof(int64_t));
  if (graph.near) graph.queue = arena_allocate(&scratch, (size_t)points->count, sizeof(int64_t));
  if (graph.queue) graph.placed = arena_allocate(&scratch, (size_t)points->count, sizeof(bool));
  if (graph.placed) {
    memset(graph.placed, 0, (size_t)points->count * sizeof(bool));
    fill_graph(&graph, pairs, index, points->count);
    walk(points, &graph);
    for (int axis = 0; axis < 3; axis++) {
      points->box.boundary[axis] = FLOC_BOUNDARY_OPEN;
      points->box.length[axis] = 0.0;
    }
  }
  arena_free(&scratch);
  return graph.placed ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* ---- gathering ---- */

static void copy_points(measured_points *points, const particles *table, const int64_t *index)
{
  EACH_SLOT(slot, table) {
    int64_t k = index[slot];
    if (k < 0) continue;
    for (int axis = 0; axis < 3; axis++) points->position[axis][k] = table->column[COLUMN_x + axis][slot];
    points->radius[k] = table->column[COLUMN_radius][slot];
    points->mass[k] = table->column[COLUMN_mass][slot];
  }
}

static bool is_periodic(const domain *box)
{
  for (int axis = 0; axis < box->dimension; axis++)
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) return true;
  return false;
}

static floc_status gather(environment *env, const particles *table, const domain *box, const int64_t *cluster_of,
                          int64_t cluster, const cluster_pairs *pairs, bool together, measured_points *points)
{
  size_t bytes = (size_t)table->count * sizeof(int64_t);
  int64_t *index = memory_resize(env, NULL, 0, bytes), count = 0;
  if (!index) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  EACH_RANK(rank, table) {
    const int64_t slot = table->slot[rank];
    bool chosen = !particles_is_ghost(table, slot) && (cluster == 0 || cluster_of[rank] == cluster);
    index[slot] = chosen ? count++ : -1;
  }
  floc_status status = count > 0 ? points_reserve(env, box, count, points)
                                 : refuse(env, FLOC_NOT_FOUND, "there is no cluster %" PRId64, cluster);
  if (status == FLOC_OK) copy_points(points, table, index);
  if (status == FLOC_OK && together && domain_is_skew(box)) {
    status = refuse(env, FLOC_NOT_SUPPORTED, "shapes of clusters are not supported in a cell that is skew");
    points_free(points);
  } else if (status == FLOC_OK && together && is_periodic(box)) {
    status = put_together(points, pairs, index);
    if (status != FLOC_OK) points_free(points);
  }
  memory_free(env, index, bytes);
  return status;
}

floc_status points_gather(environment *env, const particles *table, const domain *box, const cluster_pairs *pairs,
                          const int64_t *cluster_of, int64_t cluster, measured_points *points)
{
  *points = (measured_points){.env = env};
  if (table->count == 0) return refuse(env, FLOC_NOT_FOUND, "there are no particles to measure");
  if (cluster < 0) {
    floc_status status = largest_cluster(env, cluster_of, table->count, &cluster);
    if (status != FLOC_OK) return status;
  }
  return gather(env, table, box, cluster_of, cluster, pairs, cluster != 0, points);
}

floc_status points_gather_together(environment *env, const particles *table, const domain *box,
                                   const cluster_pairs *pairs, measured_points *points)
{
  *points = (measured_points){.env = env};
  if (table->count == 0) return refuse(env, FLOC_NOT_FOUND, "there are no particles to measure");
  return gather(env, table, box, NULL, 0, pairs, true, points);
}
