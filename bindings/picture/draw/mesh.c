/*
 * An edge is drawn if one triangle has it (a rim), if its two triangles bend by more than 25 degrees, or
 * if more than two meet there. Edges are found alike by their end points, bit for bit: triangles of a
 * compound share them so.
 */
#include "draw/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLYGON = 12, TRIANGLES_OF_PLANE = POLYGON - 2 };

static const double sharp_cosine = 0.9063; /* of 25 degrees */

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool unit(double v[3])
{
  double length = sqrt(dot(v, v));
  if (!(length > 0.0) || isinf(length)) return false;
  for (int k = 0; k < 3; k++) v[k] /= length;
  return true;
}

/* ---- planes ---------------------------------------------------------------------------------------- */

/* Keeps the part of a polygon with sign * x[axis] <= sign * limit (Sutherland and Hodgman 1974). */
static int cut_polygon(double polygon[POLYGON][3], int count, int axis, double sign, double limit)
{
  double kept[POLYGON][3];
  int result = 0;
  for (int k = 0; k < count; k++) {
    const double *here = polygon[k], *next = polygon[(k + 1) % count];
    double a = sign * (here[axis] - limit), b = sign * (next[axis] - limit);
    if (a <= 0.0 && result < POLYGON) memcpy(kept[result++], here, sizeof kept[0]);
    if ((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)) {
      if (result == POLYGON) break;
      for (int c = 0; c < 3; c++) kept[result][c] = here[c] + (next[c] - here[c]) * (a / (a - b));
      kept[result++][axis] = limit;
    }
  }
  memcpy(polygon, kept, sizeof kept[0] * (size_t)result);
  return result;
}

/* The plane's part inside the box; returns the number of corners. */
static int polygon_of_plane(const floc_shape *plane, const double lower[3], const double upper[3],
                            double polygon[POLYGON][3])
{
  double normal[3] = {plane->points[1][0], plane->points[1][1], plane->points[1][2]};
  if (!unit(normal)) return 0;
  double middle[3], size = 0.0, away[3], other[3], helper[3] = {0.0, 0.0, 0.0};
  for (int c = 0; c < 3; c++) {
    middle[c] = 0.5 * lower[c] + 0.5 * upper[c];
    size += upper[c] - lower[c];
    away[c] = middle[c] - plane->points[0][c];
  }
  double height = dot(away, normal);
  int least = fabs(normal[0]) < fabs(normal[1]) ? 0 : 1;
  if (fabs(normal[2]) < fabs(normal[least])) least = 2;
  helper[least] = 1.0;
  cross(normal, helper, away);
  if (!unit(away)) return 0;
  cross(normal, away, other);
  static const double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 3; c++)
      polygon[k][c] = middle[c] - height * normal[c] + size * (corners[k][0] * away[c] + corners[k][1] * other[c]);
  int count = 4;
  for (int c = 0; c < 3 && count > 0; c++) {
    count = cut_polygon(polygon, count, c, 1.0, upper[c]);
    if (count > 0) count = cut_polygon(polygon, count, c, -1.0, lower[c]);
  }
  return count;
}

static void add_plane(mesh *result, const floc_shape *plane, int64_t number, const double lower[3],
                      const double upper[3])
{
  double polygon[POLYGON][3];
  int count = polygon_of_plane(plane, lower, upper, polygon);
  for (int k = 1; k + 1 < count; k++) {
    mesh_triangle *triangle = &result->triangle[result->triangle_count++];
    memcpy(triangle->point[0], polygon[0], sizeof polygon[0]);
    memcpy(triangle->point[1], polygon[k], sizeof polygon[0]);
    memcpy(triangle->point[2], polygon[k + 1], sizeof polygon[0]);
    triangle->shape = number;
  }
}

/* ---- edges ----------------------------------------------------------------------------------------- */

typedef struct half_edge {
  double point[2][3]; /* the lesser end first */
  double normal[3];
  int64_t shape;
} half_edge;

static int compare_points(const double a[3], const double b[3])
{
  for (int c = 0; c < 3; c++)
    if (a[c] != b[c]) return a[c] < b[c] ? -1 : 1;
  return 0;
}

static int compare_edges(const void *a, const void *b)
{
  const half_edge *p = a, *q = b;
  int order = compare_points(p->point[0], q->point[0]);
  if (order == 0) order = compare_points(p->point[1], q->point[1]);
  return order != 0 ? order : (p->shape > q->shape) - (p->shape < q->shape);
}

static void collect_edges(const mesh *result, half_edge *edges)
{
  for (int64_t t = 0; t < result->triangle_count; t++) {
    const mesh_triangle *triangle = &result->triangle[t];
    double u[3], v[3], normal[3];
    for (int c = 0; c < 3; c++) {
      u[c] = triangle->point[1][c] - triangle->point[0][c];
      v[c] = triangle->point[2][c] - triangle->point[0][c];
    }
    cross(u, v, normal);
    unit(normal);
    for (int k = 0; k < 3; k++) {
      half_edge *edge = &edges[3 * t + k];
      const double *a = triangle->point[k], *b = triangle->point[(k + 1) % 3];
      bool ordered = compare_points(a, b) <= 0;
      memcpy(edge->point[0], ordered ? a : b, sizeof edge->point[0]);
      memcpy(edge->point[1], ordered ? b : a, sizeof edge->point[1]);
      memcpy(edge->normal, normal, sizeof normal);
      edge->shape = triangle->shape;
    }
  }
}

static bool same_edge(const half_edge *a, const half_edge *b)
{
  return compare_points(a->point[0], b->point[0]) == 0 && compare_points(a->point[1], b->point[1]) == 0;
}

static void choose_edges(mesh *result, half_edge *edges, int64_t count)
{
  qsort(edges, (size_t)count, sizeof *edges, compare_edges);
  for (int64_t k = 0; k < count;) {
    int64_t next = k + 1;
    while (next < count && same_edge(&edges[k], &edges[next])) next++;
    if (next - k != 2 || fabs(dot(edges[k].normal, edges[k + 1].normal)) < sharp_cosine) {
      mesh_edge *edge = &result->edge[result->edge_count++];
      memcpy(edge->point, edges[k].point, sizeof edge->point);
      edge->shape = edges[k].shape;
    }
    k = next;
  }
}

static floc_status find_edges(const picture_report *report, mesh *result)
{
  int64_t count = 3 * result->triangle_count;
  half_edge *edges = picture_allocate(count, sizeof *edges);
  result->edge = picture_allocate(count, sizeof *result->edge);
  if (!edges || !result->edge) {
    free(edges);
    return picture_out_of_memory(report, (double)count * (double)sizeof *edges);
  }
  collect_edges(result, edges);
  choose_edges(result, edges, count);
  free(edges);
  return FLOC_OK;
}

floc_status mesh_build(const picture_report *report, const floc_shape *shapes, int64_t count, const double lower[3],
                       const double upper[3], mesh *result)
{
  *result = (mesh){0};
  int64_t capacity = 0;
  for (int64_t k = 0; k < count; k++)
    capacity += shapes[k].kind == FLOC_SHAPE_PLANE ? TRIANGLES_OF_PLANE : shapes[k].kind == FLOC_SHAPE_TRIANGLE;
  result->triangle = picture_allocate(capacity, sizeof *result->triangle);
  if (!result->triangle) return picture_out_of_memory(report, (double)capacity * (double)sizeof *result->triangle);
  for (int64_t k = 0; k < count; k++) {
    if (shapes[k].kind == FLOC_SHAPE_PLANE) add_plane(result, &shapes[k], k, lower, upper);
    if (shapes[k].kind != FLOC_SHAPE_TRIANGLE) continue;
    mesh_triangle *triangle = &result->triangle[result->triangle_count++];
    memcpy(triangle->point, shapes[k].points, sizeof triangle->point);
    triangle->shape = k;
  }
  floc_status status = find_edges(report, result);
  if (status != FLOC_OK) mesh_free(result);
  return status;
}

void mesh_free(mesh *result)
{
  free(result->triangle);
  free(result->edge);
  *result = (mesh){0};
}
