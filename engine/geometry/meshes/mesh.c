/*
 * What the readers of meshes share. See mesh.h.
 */
#define _GNU_SOURCE
#include "geometry/meshes/mesh.h"

#include "geometry/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool bounds_something(const floc_shape *triangle)
{
  double a[3], b[3], normal[3];
  vector_difference(triangle->points[1], triangle->points[0], a);
  vector_difference(triangle->points[2], triangle->points[0], b);
  vector_cross(a, b, normal);
  return vector_dot(normal, normal) > 0.0;
}

floc_status triangle_mesh_add(environment *env, const double corner[3][3], triangle_mesh *mesh)
{
  floc_shape triangle;
  floc_shape_init(&triangle);
  triangle.kind = FLOC_SHAPE_TRIANGLE;
  memcpy(triangle.points, corner, sizeof triangle.points);
  if (!bounds_something(&triangle)) {
    mesh->dropped++;
    return FLOC_OK;
  }
  floc_status status = array_reserve(env, (void **)&mesh->triangle, &mesh->capacity, (size_t)mesh->count + 1,
                                     sizeof *mesh->triangle);
  if (status == FLOC_OK) mesh->triangle[mesh->count++] = triangle;
  return status;
}

/* ---- text ---- */

floc_status text_open(environment *env, const unsigned char *bytes, size_t size, text_reader *from)
{
  *from = (text_reader){.line = 1, .size = size};
  from->text = memory_resize(env, NULL, 0, size + 1);
  if (!from->text) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size + 1);
  memcpy(from->text, bytes, size);
  from->text[size] = 0;
  from->at = from->text;
  from->plain = plain_locale_create();
  return from->plain ? FLOC_OK : refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: no locale for reading numbers");
}

void text_close(environment *env, text_reader *from)
{
  if (from->plain) plain_locale_free(from->plain);
  if (from->text) memory_free(env, from->text, from->size + 1);
}

bool text_number(text_reader *from, double *value)
{
  char *end;
  *value = plain_locale_number(from->at, &end, from->plain);
  if (end == from->at || !isfinite(*value)) return false;
  from->at = end;
  return true;
}

/* ---- all kinds ---- */

floc_status triangle_mesh_read(environment *env, const char *name, const unsigned char *bytes, size_t size,
                               double scale, triangle_mesh *mesh)
{
  *mesh = (triangle_mesh){0};
  size_t length = strlen(name);
  const char *end = name + (length > 4 ? length - 4 : length);
  bool obj = strcasecmp(end, ".obj") == 0, vtp = strcasecmp(end, ".vtp") == 0;
  floc_status status = (obj ? obj_read : vtp ? vtp_mesh_read : stl_read)(env, name, bytes, size, scale, mesh);
  if (status == FLOC_OK && mesh->count == 0)
    status = refuse(env, FLOC_DAMAGED_FILE, "%s has no triangle of positive area", name);
  if (status != FLOC_OK) triangle_mesh_free(env, mesh);
  return status;
}

void triangle_mesh_free(environment *env, triangle_mesh *mesh)
{
  array_free(env, (void **)&mesh->triangle, &mesh->capacity, sizeof *mesh->triangle);
  mesh->count = 0;
}
