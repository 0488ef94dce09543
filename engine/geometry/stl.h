/*
 * STL, the common file of triangle meshes: binary (80 bytes of anything, the number of triangles as u32, then 50
 * bytes each: normal, three corners as little-endian f32, two bytes of anything) or text ("solid", facets with
 * three vertices, "endsolid"). Normals are ignored: plates have two sides here.
 */
#ifndef FLOC_GEOMETRY_STL_H
#define FLOC_GEOMETRY_STL_H

#include "base/environment.h"

typedef struct stl_mesh {
  floc_shape *triangle; /* [count], kind triangle, radius 0 */
  size_t capacity;
  int32_t count;
  int32_t dropped; /* triangles whose corners lie on one line, which bound nothing */
} stl_mesh;

/* Reads a file's bytes; name is for messages. Corners are multiplied by scale. FLOC_DAMAGED_FILE names the place of
 * what is no STL; then, and when memory runs out, the mesh holds nothing. To be freed in any case. */
floc_status stl_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                     stl_mesh *mesh);
void stl_free(environment *env, stl_mesh *mesh);

#endif
