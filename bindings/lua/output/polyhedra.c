/*
 * Polyhedra as cells of data sets. See datasets.h.
 *
 * The surface that is written has the faces where they are, and in the place of what is round on edges and corners
 * the flat pieces between their ends: a rectangle along each edge, a polygon at each corner.
 */
#include "output/polyhedra.h"

floc_status polyhedron_view_of(floc_world *world, int32_t shape, polyhedron_view *made)
{
  *made = (polyhedron_view){.faces = 0};
  return floc_grain_faces(world, shape, &made->corners, &made->faces, &made->begin, &made->loop);
}

/* A corner of a face, on the surface. */
static void put_point(const polyhedron_view *of, int32_t face, int32_t corner, double point[3])
{
  for (int k = 0; k < 3; k++)
    point[k] = of->centre[k] + of->place[3 * corner + k] + of->rounding * of->place[3 * (of->corners + face) + k];
}

static int32_t following(const polyhedron_view *of, int32_t face, int32_t k)
{
  return of->loop[k + 1 < of->begin[face + 1] ? k + 1 : of->begin[face]];
}

/* The face that goes from corner a to corner b. */
static int32_t face_along(const polyhedron_view *of, int32_t a, int32_t b)
{
  for (int32_t f = 0; f < of->faces; f++)
    for (int32_t k = of->begin[f]; k < of->begin[f + 1]; k++)
      if (of->loop[k] == a && following(of, f, k) == b) return f;
  return 0;
}

static void add_face(vtp_dataset *dataset, const polyhedron_view *of, int32_t face)
{
  const int count = of->begin[face + 1] - of->begin[face];
  double *points = vtp_numbers(dataset, &dataset->points, count);
  for (int k = 0; points && k < count; k++) put_point(of, face, of->loop[of->begin[face] + k], points + 3 * k);
  vtp_cell_of_last(dataset, &dataset->polygons, count);
}

static void add_edge(vtp_dataset *dataset, const polyhedron_view *of, int32_t left, int32_t a, int32_t b)
{
  const int32_t right = face_along(of, b, a);
  double *points = vtp_numbers(dataset, &dataset->points, 4);
  if (points) {
    put_point(of, left, a, points);
    put_point(of, right, a, points + 3);
    put_point(of, right, b, points + 6);
    put_point(of, left, b, points + 9);
  }
  vtp_cell_of_last(dataset, &dataset->polygons, 4);
}

/* From each face about the corner to the one across the edge by which it comes to the corner. */
static void add_corner(vtp_dataset *dataset, const polyhedron_view *of, int32_t corner)
{
  int32_t around[UINT8_MAX], count = 0, before[UINT8_MAX], first = -1;
  for (int32_t f = 0; f < of->faces; f++)
    for (int32_t k = of->begin[f]; k < of->begin[f + 1]; k++) {
      if (following(of, f, k) != corner) continue;
      before[f] = of->loop[k];
      if (first < 0) first = f;
    }
  if (first < 0) return;
  for (int32_t f = first; count < of->faces && (count == 0 || f != first); f = face_along(of, corner, before[f]))
    around[count++] = f;
  double *points = vtp_numbers(dataset, &dataset->points, count);
  for (int32_t k = 0; points && k < count; k++) put_point(of, around[k], corner, points + 3 * k);
  vtp_cell_of_last(dataset, &dataset->polygons, count);
}

int32_t polyhedron_cells(const polyhedron_view *of, bool axes)
{
  const int32_t edges = of->begin[of->faces] / 2;
  return axes ? edges : of->faces + edges + of->corners;
}

void polyhedron_add(vtp_dataset *dataset, const polyhedron_view *of, bool axes)
{
  for (int32_t f = 0; f < of->faces && !axes; f++) add_face(dataset, of, f);
  for (int32_t f = 0; f < of->faces; f++)
    for (int32_t k = of->begin[f]; k < of->begin[f + 1]; k++) {
      const int32_t a = of->loop[k], b = following(of, f, k);
      if (a > b) continue;
      if (!axes) {
        add_edge(dataset, of, f, a, b);
        continue;
      }
      double *points = vtp_numbers(dataset, &dataset->points, 2);
      for (int c = 0; points && c < 3; c++) {
        points[c] = of->centre[c] + of->place[3 * a + c];
        points[3 + c] = of->centre[c] + of->place[3 * b + c];
      }
      vtp_cell_of_last(dataset, &dataset->lines, 2);
    }
  for (int32_t k = 0; k < of->corners && !axes; k++) add_corner(dataset, of, k);
}
