/*
 * Reading of OBJ. See mesh.h. Vertices are kept in one array, 3 numbers each; a face refers to those above it.
 */
#include "geometry/meshes/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct obj_reader {
  environment *env;
  const char *name;
  text_reader from;
  double scale;
  double *vertex; /* [3 count] */
  size_t capacity, count;
  triangle_mesh *mesh;
} obj_reader;

static floc_status wrong(const obj_reader *self, const char *what)
{
  return refuse(self->env, FLOC_DAMAGED_FILE, "%s: line %" PRIu64 ": %s", self->name, self->from.line, what);
}

static bool is_blank(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

/* Blanks, and lines that continue after a backslash. */
static void skip_blanks(text_reader *from)
{
  for (;;) {
    size_t end = from->at[0] == '\\' ? (from->at[1] == '\r' ? 2 : 1) : 0;
    if (end > 0 && from->at[end] == '\n') {
      from->line++;
      from->at += end + 1;
    } else if (is_blank(*from->at)) {
      from->at++;
    } else {
      return;
    }
  }
}

static bool at_end_of_line(text_reader *from)
{
  skip_blanks(from);
  return *from->at == 0 || *from->at == '\n' || *from->at == '#';
}

/* A statement of one letter: the word of a line. */
static bool take_letter(text_reader *from, char letter)
{
  if (from->at[0] != letter || !is_blank(from->at[1])) return false;
  from->at++;
  return true;
}

static floc_status read_vertex(obj_reader *self)
{
  floc_status status =
      array_reserve(self->env, (void **)&self->vertex, &self->capacity, 3 * self->count + 3, sizeof *self->vertex);
  for (size_t axis = 0; axis < 3 && status == FLOC_OK; axis++) {
    double *value = &self->vertex[3 * self->count + axis];
    if (at_end_of_line(&self->from) || !text_number(&self->from, value) || !isfinite(self->scale * *value))
      return wrong(self, "a vertex must have three finite numbers");
    *value *= self->scale;
  }
  self->count++;
  return status;
}

/* The vertex of a corner "a", "a/b", "a//c" or "a/b/c"; NULL, and a message, where there is none. */
static const double *read_corner(obj_reader *self)
{
  double number;
  if (!text_number(&self->from, &number) || number != floor(number)) {
    wrong(self, "a face must have numbers of vertices");
    return NULL;
  }
  while (*self->from.at == '/' || *self->from.at == '-' || (*self->from.at >= '0' && *self->from.at <= '9'))
    self->from.at++;
  double place = number < 0.0 ? (double)self->count + number : number - 1.0;
  if (place >= 0.0 && place < (double)self->count) return self->vertex + 3 * (size_t)place;
  refuse(self->env, FLOC_DAMAGED_FILE, "%s: line %" PRIu64 ": a face has vertex %.0f; there are %zu above it",
         self->name, self->from.line, number, self->count);
  return NULL;
}

static floc_status read_face(obj_reader *self)
{
  double corner[3][3];
  int64_t count = 0;
  floc_status status = FLOC_OK;
  for (; status == FLOC_OK && !at_end_of_line(&self->from); count++) {
    const double *vertex = read_corner(self);
    if (!vertex) return FLOC_DAMAGED_FILE;
    if (count > 2) memcpy(corner[1], corner[2], sizeof corner[1]);
    memcpy(corner[count < 2 ? count : 2], vertex, sizeof corner[0]);
    if (count < 2) continue;
    if (self->mesh->count == TRIANGLE_LIMIT) return wrong(self, "there are more than 1e8 triangles");
    status = triangle_mesh_add(self->env, (const double(*)[3])corner, self->mesh);
  }
  return status == FLOC_OK && count < 3 ? wrong(self, "a face must have three corners or more") : status;
}

static floc_status read_lines(obj_reader *self)
{
  text_reader *from = &self->from;
  floc_status status = FLOC_OK;
  while (status == FLOC_OK && *from->at) {
    skip_blanks(from);
    if (take_letter(from, 'v'))
      status = read_vertex(self);
    else if (take_letter(from, 'f'))
      status = read_face(self);
    while (*from->at && *from->at != '\n') from->at++;
    if (*from->at == '\n' && status == FLOC_OK) {
      from->at++;
      from->line++;
    }
  }
  return status;
}

floc_status obj_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                     triangle_mesh *mesh)
{
  obj_reader self = {.env = env, .name = name, .scale = scale, .mesh = mesh};
  floc_status status = text_open(env, bytes, size, &self.from);
  if (status == FLOC_OK) status = read_lines(&self);
  if (status == FLOC_OK && (size_t)(self.from.at - self.from.text) < size)
    status = wrong(&self, "the text contains a byte 0");
  if (status == FLOC_OK && self.count == 0)
    status = refuse(env, FLOC_DAMAGED_FILE, "%s is no OBJ file: it has no vertex", name);
  text_close(env, &self.from);
  array_free(env, (void **)&self.vertex, &self.capacity, sizeof *self.vertex);
  return status;
}
