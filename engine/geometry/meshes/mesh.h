/*
 * Triangles from files of meshes. The kind follows from the end of the file's name: .obj, .vtp, else STL.
 *
 * STL: binary (80 bytes of anything, the number of triangles as u32, then 50 bytes each: normal, three corners as
 * little-endian f32, two bytes of anything) or text ("solid", facets with three vertices, "endsolid").
 * OBJ (Wavefront): lines "v x y z" and "f a b c ...", where a is the number of a vertex, from 1, or from the last
 * one backwards, -1; what follows it after "/" is ignored, and so are all other lines. Faces of more than three
 * corners become fans about the first one, so they must be flat and convex, as the format demands.
 * VTP (VTK's XML of polygons, as VTK and ParaView write it): arrays as text, in base64 or appended, plain or
 * compressed by zlib; polygons become fans, strips triangles; points and lines of their own, and all data, are
 * ignored.
 *
 * Normals are ignored: plates have two sides here.
 */
#ifndef FLOC_GEOMETRY_MESHES_MESH_H
#define FLOC_GEOMETRY_MESHES_MESH_H

#include "base/environment.h"
#include "base/numbers/plain_locale.h"

typedef struct triangle_mesh {
  floc_shape *triangle; /* [count], kind triangle, radius 0 */
  size_t capacity;
  int32_t count;
  int32_t dropped; /* triangles whose corners lie on one line, which bound nothing */
} triangle_mesh;

enum { TRIANGLE_LIMIT = 100000000 };

/* Reads a file's bytes; name is for messages. Corners are multiplied by scale. FLOC_DAMAGED_FILE names the place of
 * what does not belong there; then, and when memory runs out, the mesh holds nothing. To be freed in any case. */
floc_status triangle_mesh_read(environment *env, const char *name, const unsigned char *bytes, size_t size,
                               double scale, triangle_mesh *mesh);
void triangle_mesh_free(environment *env, triangle_mesh *mesh);

/* ---- for the readers ---- */

floc_status stl_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                     triangle_mesh *mesh);
floc_status obj_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                     triangle_mesh *mesh);

floc_status vtp_mesh_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                          triangle_mesh *mesh);

floc_status triangle_mesh_add(environment *env, const double corner[3][3], triangle_mesh *mesh);

/* Text that ends with a byte 0, and the line in which it is read. */
typedef struct text_reader {
  const char *at;
  uint64_t line;
  plain_locale plain; /* numbers have a decimal point whatever the program's locale */
  char *text;
  size_t size;
} text_reader;

floc_status text_open(environment *env, const unsigned char *bytes, size_t size, text_reader *from);
void text_close(environment *env, text_reader *from);
/* A number where the reader stands; false, and it stays, where there is no finite one. */
bool text_number(text_reader *from, double *value);

#endif
