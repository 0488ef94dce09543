/*
 * Reading of STL. See mesh.h.
 *
 * Which of the two it is: a binary file has exactly the length that its number of triangles asks for; the word
 * "solid" at the beginning decides nothing, many binary files have it too.
 */
#define _GNU_SOURCE
#include "geometry/meshes/mesh.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 84, TRIANGLE_SIZE = 50 };

static floc_status damaged(environment *env, const char *name, const char *what, uint64_t place)
{
  return refuse(env, FLOC_DAMAGED_FILE, "%s: %s %" PRIu64, name, what, place);
}

/* ---- binary ---- */

static uint32_t little_endian(const unsigned char *bytes)
{
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double real_at(const unsigned char *bytes)
{
  uint32_t word = little_endian(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return (double)value;
}

static floc_status read_binary(environment *env, const char *name, const unsigned char *bytes, uint32_t count,
                               double scale, triangle_mesh *mesh)
{
  floc_status status = FLOC_OK;
  for (uint32_t k = 0; k < count && status == FLOC_OK; k++) {
    const unsigned char *at = bytes + HEADER_SIZE + (size_t)TRIANGLE_SIZE * k + 12;
    double corner[3][3];
    for (int value = 0; value < 9; value++) {
      corner[value / 3][value % 3] = scale * real_at(at + (ptrdiff_t)4 * value);
      if (!isfinite(corner[value / 3][value % 3]))
        return damaged(env, name, "a corner is not finite: triangle", (uint64_t)k + 1);
    }
    status = triangle_mesh_add(env, (const double(*)[3])corner, mesh);
  }
  return status;
}

/* ---- text ---- */

static void skip_space(text_reader *from)
{
  for (; *from->at == ' ' || (*from->at >= '\t' && *from->at <= '\r'); from->at++) from->line += *from->at == '\n';
}

/* Takes a word if it is the next one; letters count alike in both cases. */
static bool take_word(text_reader *from, const char *word)
{
  skip_space(from);
  size_t length = strlen(word);
  if (strncasecmp(from->at, word, length) != 0) return false;
  char next = from->at[length];
  if (next != 0 && next != ' ' && !(next >= '\t' && next <= '\r')) return false;
  from->at += length;
  return true;
}

static bool take_number(text_reader *from, double *value)
{
  skip_space(from);
  return text_number(from, value);
}

static void skip_line(text_reader *from)
{
  while (*from->at && *from->at != '\n') from->at++;
}

static bool take_facet(text_reader *from, double scale, double corner[3][3])
{
  double unused;
  bool good = take_word(from, "normal");
  for (int axis = 0; axis < 3; axis++) good = good && take_number(from, &unused);
  good = good && take_word(from, "outer") && take_word(from, "loop");
  for (int k = 0; k < 3; k++) {
    good = good && take_word(from, "vertex");
    for (int axis = 0; axis < 3; axis++) {
      good = good && take_number(from, &corner[k][axis]);
      if (good) corner[k][axis] *= scale;
      good = good && isfinite(corner[k][axis]);
    }
  }
  return good && take_word(from, "endloop") && take_word(from, "endfacet");
}

static floc_status read_solids(environment *env, const char *name, text_reader *from, double scale,
                               triangle_mesh *mesh)
{
  while (take_word(from, "solid")) {
    skip_line(from); /* its name */
    while (take_word(from, "facet")) {
      double corner[3][3];
      if (mesh->count == TRIANGLE_LIMIT || !take_facet(from, scale, corner))
        return damaged(env, name, "an STL facet is expected: line", from->line);
      floc_status status = triangle_mesh_add(env, (const double(*)[3])corner, mesh);
      if (status != FLOC_OK) return status;
    }
    if (!take_word(from, "endsolid"))
      return damaged(env, name, "a facet or the end of the solid is expected: line", from->line);
    skip_line(from);
  }
  skip_space(from);
  return *from->at ? damaged(env, name, "text follows the last solid: line", from->line) : FLOC_OK;
}

static floc_status read_text(environment *env, const char *name, const unsigned char *bytes, size_t size,
                             double scale, triangle_mesh *mesh)
{
  text_reader from;
  floc_status status = text_open(env, bytes, size, &from);
  if (status == FLOC_OK) status = read_solids(env, name, &from, scale, mesh);
  if (status == FLOC_OK && (size_t)(from.at - from.text) < size)
    status = damaged(env, name, "the text contains a byte 0 at offset", (uint64_t)(from.at - from.text));
  text_close(env, &from);
  return status;
}

/* ---- either ---- */

floc_status stl_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                     triangle_mesh *mesh)
{
  uint32_t count = size >= HEADER_SIZE ? little_endian(bytes + HEADER_SIZE - 4) : 0;
  bool binary = size >= HEADER_SIZE && size == HEADER_SIZE + (uint64_t)TRIANGLE_SIZE * count;
  bool text = !binary && size >= 5 && strncasecmp((const char *)bytes, "solid", 5) == 0;
  if (binary && count <= TRIANGLE_LIMIT) return read_binary(env, name, bytes, count, scale, mesh);
  if (text) return read_text(env, name, bytes, size, scale, mesh);
  return refuse(env, FLOC_DAMAGED_FILE,
                "%s is no STL file: its length of %zu bytes is not that of a binary one with %" PRIu32
                " triangles, and it does not begin with \"solid\"",
                name, size, count);
}
