/*
 * Shapes as what is drawn: planes, segments, spheres, hollow spheres and triangles stand for themselves, all others
 * become segments (in the plane) or triangles.
 *
 * The surface is found in a grid of its distance over its box: squares are cut into two triangles, cubes into six
 * tetrahedra around a diagonal, and where the distance changes its sign along an edge the surface crosses it. The
 * crossing is found from the edge's ends in one order, so neighbours have it with the same bits and no gaps are
 * left; two steps along the distance put it onto the surface. Nothing is stored: corners are asked for again by
 * each cube.
 */
#include "geometry/shapes/shape_type.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { CELLS_FLAT = 96, CELLS_SOLID = 36 }; /* along the longest side */

typedef struct tracing {
  const shape *surface;
  int32_t dimension;
  double lower[3], width;
  int32_t cells[3];
  floc_shape *out;
  int64_t capacity, count;
} tracing;

typedef struct grid_corner {
  int64_t number; /* in the grid */
  double place[3], distance;
} grid_corner;

static void put(tracing *job, int points, double place[3][3])
{
  for (int p = 0; p < points; p++)
    if (memcmp(place[p], place[(p + 1) % points], sizeof place[p]) == 0) return; /* no length, or no area */
  int64_t at = job->count++;
  if (at >= job->capacity) return;
  floc_shape *made = &job->out[at];
  *made = (floc_shape){.struct_size = sizeof *made, .kind = points == 2 ? FLOC_SHAPE_SEGMENT : FLOC_SHAPE_TRIANGLE};
  memcpy(made->points, place, (size_t)points * sizeof *place);
}

/* Crossings stay away from the edge's ends: around a corner that nearly lies on the surface they would come to lie
 * in one point, and make slivers with any normal. The steps along the distance carry them to the surface from there
 * too. */
static const double LEAST_PART = 0.15;

static void cross_edge(const tracing *job, const grid_corner *a, const grid_corner *b, double place[3])
{
  const grid_corner *from = a->number < b->number ? a : b, *to = from == a ? b : a;
  double part = from->distance / (from->distance - to->distance), way[3], normal[3];
  part = part < LEAST_PART ? LEAST_PART : part > 1.0 - LEAST_PART ? 1.0 - LEAST_PART : part;
  vector_difference(to->place, from->place, way);
  vector_add_scaled(from->place, part, way, place);
  for (int k = 0; k < 2; k++) {
    double distance = shape_type_of(job->surface)->distance(job->surface, job->dimension, place, normal);
    vector_add_scaled(place, distance, normal, place);
  }
}

/* A triangle of the plane, with the corner that is alone on its side. */
static void trace_triangle(tracing *job, const grid_corner *const corner[3])
{
  bool inside[3];
  for (int k = 0; k < 3; k++) inside[k] = corner[k]->distance < 0.0;
  if (inside[0] == inside[1] && inside[1] == inside[2]) return;
  int alone = inside[1] == inside[2] ? 0 : inside[0] == inside[2] ? 1 : 2;
  double place[3][3];
  cross_edge(job, corner[alone], corner[(alone + 1) % 3], place[0]);
  cross_edge(job, corner[alone], corner[(alone + 2) % 3], place[1]);
  put(job, 2, place);
}

/* One corner on a side: a triangle; two: a quadrangle. */
static void trace_tetrahedron(tracing *job, const grid_corner *const corner[4])
{
  const grid_corner *in[4], *out[4];
  int ins = 0, outs = 0;
  for (int k = 0; k < 4; k++) {
    if (corner[k]->distance < 0.0)
      in[ins++] = corner[k];
    else
      out[outs++] = corner[k];
  }
  if (ins == 0 || outs == 0) return;
  double place[4][3], second[3][3];
  if (ins == 2) {
    cross_edge(job, in[0], out[0], place[0]);
    cross_edge(job, in[0], out[1], place[1]);
    cross_edge(job, in[1], out[1], place[2]);
    cross_edge(job, in[1], out[0], place[3]);
    memcpy(second[0], place[0], sizeof second[0]);
    memcpy(second[1], place[2], sizeof second[1]);
    memcpy(second[2], place[3], sizeof second[2]);
    put(job, 3, place);
    put(job, 3, second);
    return;
  }
  const grid_corner *alone = ins == 1 ? in[0] : out[0];
  for (int k = 0; k < 3; k++) cross_edge(job, alone, ins == 1 ? out[k] : in[k], place[k]);
  put(job, 3, place);
}

static grid_corner corner_at(const tracing *job, const int32_t cell[3], int which)
{
  grid_corner corner = {.number = 0};
  double normal[3];
  for (int k = 2; k >= 0; k--) {
    int32_t at = cell[k] + (which >> k & 1);
    corner.number = corner.number * (job->cells[k] + 1) + at;
    corner.place[k] = k < job->dimension ? job->lower[k] + at * job->width : 0.0;
  }
  corner.distance = shape_type_of(job->surface)->distance(job->surface, job->dimension, corner.place, normal);
  return corner;
}

static void trace_cell(tracing *job, const int32_t cell[3])
{
  static const int halves[2][3] = {{0, 1, 3}, {0, 2, 3}};
  static const int parts[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                  {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
  grid_corner corner[8];
  int corners = job->dimension == 2 ? 4 : 8;
  corner[0] = corner_at(job, cell, 0);
  if (fabs(corner[0].distance) > job->width * 1.7320508075688774)
    return; /* its diagonal: the surface is elsewhere */
  for (int k = 1; k < corners; k++) corner[k] = corner_at(job, cell, k);
  for (int p = 0; p < (job->dimension == 2 ? 2 : 0); p++)
    trace_triangle(job,
                   (const grid_corner *[]){&corner[halves[p][0]], &corner[halves[p][1]], &corner[halves[p][2]]});
  for (int p = 0; p < (job->dimension == 2 ? 0 : 6); p++)
    trace_tetrahedron(job, (const grid_corner *[]){&corner[parts[p][0]], &corner[parts[p][1]], &corner[parts[p][2]],
                                                   &corner[parts[p][3]]});
}

/* Of cubes, a little larger than the box, and at no place of its symmetry. */
static void make_grid(tracing *job)
{
  double upper[3], longest = 0.0;
  shape_bounds(job->surface, job->dimension, 0.0, job->lower, upper);
  for (int k = 0; k < job->dimension; k++) longest = fmax(longest, upper[k] - job->lower[k]);
  job->width = 1.0271 * longest / (job->dimension == 2 ? CELLS_FLAT : CELLS_SOLID);
  for (int k = 0; k < 3; k++) {
    bool flat = k >= job->dimension;
    job->cells[k] = flat ? 1 : (int32_t)((upper[k] - job->lower[k]) / job->width) + 2;
    job->lower[k] -= 0.6137 * job->width;
  }
}

int64_t shape_drawing(const shape *surface, int32_t dimension, floc_shape *out, int64_t capacity)
{
  if (!shape_type_of(surface)->framed) {
    if (capacity < 1) return 1;
    *out = (floc_shape){.struct_size = sizeof *out, .kind = surface->kind, .radius = surface->radius};
    memcpy(out->points, surface->point, sizeof out->points);
    return 1;
  }
  if (shape_type_of(surface)->draw) return shape_type_of(surface)->draw(surface, out, capacity);
  tracing job = {.surface = surface, .dimension = dimension, .out = out, .capacity = capacity};
  make_grid(&job);
  int32_t cell[3], layers = dimension == 2 ? 1 : job.cells[2];
  for (cell[2] = 0; cell[2] < layers; cell[2]++)
    for (cell[1] = 0; cell[1] < job.cells[1]; cell[1]++)
      for (cell[0] = 0; cell[0] < job.cells[0]; cell[0]++) trace_cell(&job, cell);
  return job.count;
}
