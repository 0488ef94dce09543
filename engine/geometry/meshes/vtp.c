/*
 * Reading of VTP, VTK's XML files of polygons. See mesh.h; vtp_numbers.h has how arrays are stored.
 *
 * Of XML only what VTK writes is known: elements, attributes without entities, comments. Elements are looked at in
 * their order; an array belongs to the innermost of Points, Polys, Strips that is open. A piece is turned into
 * triangles at its end. Appended arrays stand behind the "_" of AppendedData, which may hold any bytes and ends the
 * XML.
 */
#include "geometry/meshes/vtp_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct vtp_tag {
  const char *begin, *name, *end; /* end: behind the > */
  size_t name_length;
  bool closes, is_empty;
} vtp_tag;

typedef struct cell_list { /* polygons or strips */
  vtp_numbers connectivity, offsets;
} cell_list;

typedef struct vtp_reader {
  vtp_format format;
  text_reader from;
  double scale;
  const char *appended; /* the first byte of appended data, or NULL */
  vtp_encoding appended_encoding;
  vtp_numbers points;
  cell_list polygons, strips;
  enum { OUTSIDE, IN_POINTS, IN_POLYGONS, IN_STRIPS } section;
  triangle_mesh *mesh;
} vtp_reader;

/* ---- XML ----------------------------------------------------------------------------------------- */

static bool is_name_letter(char byte)
{
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

static bool is_tag(const vtp_tag *tag, const char *name)
{
  return tag->name_length == strlen(name) && memcmp(tag->name, name, tag->name_length) == 0;
}

/* The next tag from `at` on; *found is false at the end of the text. */
static floc_status next_tag(const vtp_reader *self, const char *at, vtp_tag *tag, bool *found)
{
  for (;;) {
    const char *open = strchr(at, '<');
    *found = open != NULL;
    if (!open) return FLOC_OK;
    if (open[1] != '!' && open[1] != '?') {
      at = open;
      break;
    }
    bool comment = strncmp(open, "<!--", 4) == 0;
    const char *close = strstr(open, comment ? "-->" : ">");
    if (!close) return vtp_damaged(&self->format, open, "a comment or declaration has no end");
    at = close + (comment ? 3 : 1);
  }
  *tag = (vtp_tag){.begin = at, .closes = at[1] == '/'};
  tag->name = at + 1 + tag->closes;
  while (is_name_letter(tag->name[tag->name_length])) tag->name_length++;
  char quote = 0;
  for (at = tag->name; *at && (quote || *at != '>'); at++) {
    if (quote == 0 && (*at == '"' || *at == '\''))
      quote = *at;
    else if (quote == *at)
      quote = 0;
  }
  if (!*at || tag->name_length == 0)
    return vtp_damaged(&self->format, tag->begin, "an element has no name or no end");
  tag->is_empty = at[-1] == '/';
  tag->end = at + 1;
  return FLOC_OK;
}

/* The value of an attribute, and its length; NULL where there is none. */
static const char *attribute(const vtp_tag *tag, const char *name, size_t *length)
{
  size_t name_length = strlen(name);
  const char *at = tag->name + tag->name_length;
  while (at < tag->end) {
    const char *equals = memchr(at, '=', (size_t)(tag->end - at));
    if (!equals || (equals[1] != '"' && equals[1] != '\'')) return NULL;
    const char *value = equals + 2, *close = memchr(value, equals[1], (size_t)(tag->end - value));
    if (!close) return NULL;
    while (equals > at && equals[-1] == ' ') equals--;
    *length = (size_t)(close - value);
    bool ends = (size_t)(equals - at) > name_length && memcmp(equals - name_length, name, name_length) == 0;
    if (ends && !is_name_letter(equals[-(ptrdiff_t)name_length - 1]) && equals[-(ptrdiff_t)name_length - 1] != '_')
      return value;
    at = close + 1;
  }
  return NULL;
}

static bool attribute_is(const vtp_tag *tag, const char *name, const char *wanted)
{
  size_t length;
  const char *value = attribute(tag, name, &length);
  return value && length == strlen(wanted) && memcmp(value, wanted, length) == 0;
}

/* An integer; -1 where there is none. */
static double attribute_number(const vtp_reader *self, const vtp_tag *tag, const char *name)
{
  size_t length;
  text_reader from = self->from;
  double value;
  from.at = attribute(tag, name, &length);
  return from.at && text_number(&from, &value) && value >= 0.0 && value == floor(value) ? value : -1.0;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

static vtp_numbers *target_of(vtp_reader *self, const vtp_tag *tag)
{
  if (self->section == IN_POINTS) return &self->points;
  if (self->section == OUTSIDE) return NULL;
  cell_list *cells = self->section == IN_POLYGONS ? &self->polygons : &self->strips;
  if (attribute_is(tag, "Name", "connectivity")) return &cells->connectivity;
  return attribute_is(tag, "Name", "offsets") ? &cells->offsets : NULL;
}

/* Behind the keys about an array that may stand in front of its numbers. */
static const char *skip_keys(const char *at)
{
  static const char open[] = "<InformationKey", close[] = "</InformationKey>";
  for (;;) {
    const char *next = at;
    while (*next == ' ' || (*next >= '\t' && *next <= '\r')) next++;
    const char *end = strncmp(next, open, sizeof open - 1) == 0 ? strstr(next, close) : NULL;
    if (!end) return at;
    at = end + sizeof close - 1;
  }
}

static floc_status read_array(vtp_reader *self, const vtp_tag *tag)
{
  vtp_numbers *numbers = target_of(self, tag);
  if (!numbers) return FLOC_OK;
  const vtp_format *format = &self->format;
  size_t length;
  const char *type = attribute(tag, "type", &length);
  if (!type) return vtp_damaged(format, tag->begin, "an array has no type");
  if (self->section == IN_POINTS && attribute_number(self, tag, "NumberOfComponents") != 3.0)
    return vtp_damaged(format, tag->begin, "points must have 3 components");
  if (attribute_is(tag, "format", "ascii"))
    return vtp_numbers_read(format, VTP_TEXT, type, length, skip_keys(tag->end), numbers);
  if (attribute_is(tag, "format", "binary"))
    return vtp_numbers_read(format, VTP_BASE64, type, length, skip_keys(tag->end), numbers);
  double offset = attribute_number(self, tag, "offset");
  if (!attribute_is(tag, "format", "appended") || offset < 0.0)
    return vtp_damaged(format, tag->begin, "an array must be ascii, binary, or appended with an offset");
  if (!self->appended || offset > (double)(self->from.text + self->from.size - self->appended))
    return vtp_damaged(format, tag->begin, "an array has an offset beyond the end of the appended data");
  return vtp_numbers_read(format, self->appended_encoding, type, length, self->appended + (size_t)offset, numbers);
}

/* ---- pieces -------------------------------------------------------------------------------------- */

static floc_status add_triangle(vtp_reader *self, const char *place, const cell_list *cells,
                                const size_t corners[3])
{
  double corner[3][3];
  for (int k = 0; k < 3; k++) {
    double number = vtp_number(&cells->connectivity, corners[k]);
    const size_t count = self->points.count / 3;
    if (!(number >= 0.0 && number < (double)count && number == floor(number)))
      return refuse(self->format.env, FLOC_DAMAGED_FILE, "%s: a polygon has point %.17g; there are %zu, from 0 on",
                    self->format.name, number, count);
    for (size_t axis = 0; axis < 3; axis++) {
      corner[k][axis] = self->scale * vtp_number(&self->points, 3 * (size_t)number + axis);
      if (!isfinite(corner[k][axis]))
        return vtp_damaged(&self->format, place, "the piece has a point that is not finite");
    }
  }
  if (self->mesh->count == TRIANGLE_LIMIT)
    return vtp_damaged(&self->format, place, "there are more than 1e8 triangles");
  return triangle_mesh_add(self->format.env, (const double(*)[3])corner, self->mesh);
}

/* A polygon is a fan about its first point; in a strip every second triangle shows its other side. */
static floc_status add_cell(vtp_reader *self, const char *place, const cell_list *cells, size_t begin, size_t end)
{
  bool strip = cells == &self->strips;
  floc_status status = FLOC_OK;
  for (size_t k = 2; begin + k < end && status == FLOC_OK; k++) {
    size_t odd = strip ? k % 2 : 0;
    size_t corners[3] = {strip ? begin + k - 2 + odd : begin, begin + k - 1 - odd, begin + k};
    status = add_triangle(self, place, cells, corners);
  }
  return status;
}

static floc_status add_cells(vtp_reader *self, const char *place, const cell_list *cells, double count)
{
  if ((double)cells->offsets.count != count)
    return refuse(self->format.env, FLOC_DAMAGED_FILE, "%s: a piece has %.0f %s, and offsets of %zu",
                  self->format.name, count, cells == &self->strips ? "strips" : "polygons", cells->offsets.count);
  size_t begin = 0;
  for (size_t k = 0; k < cells->offsets.count; k++) {
    double end = vtp_number(&cells->offsets, k);
    if (!(end >= (double)begin + 3.0 && end <= (double)cells->connectivity.count))
      return refuse(
          self->format.env, FLOC_DAMAGED_FILE,
          "%s: the corners of polygon %zu end at %.17g; they begin at %zu, must be 3 or more, and %zu are there",
          self->format.name, k, end, begin, cells->connectivity.count);
    floc_status status = add_cell(self, place, cells, begin, (size_t)end);
    if (status != FLOC_OK) return status;
    begin = (size_t)end;
  }
  return FLOC_OK;
}

static void forget_piece(vtp_reader *self)
{
  self->points.count = 0;
  self->polygons.connectivity.count = self->polygons.offsets.count = 0;
  self->strips.connectivity.count = self->strips.offsets.count = 0;
}

static floc_status finish_piece(vtp_reader *self, const vtp_tag *piece)
{
  double points = attribute_number(self, piece, "NumberOfPoints");
  double polygons = attribute_number(self, piece, "NumberOfPolys");
  double strips = attribute_number(self, piece, "NumberOfStrips");
  if (points < 0.0 || (double)self->points.count != 3.0 * points)
    return refuse(self->format.env, FLOC_DAMAGED_FILE, "%s: a piece has %.0f points, and %zu coordinates of them",
                  self->format.name, points, self->points.count);
  floc_status status = polygons > 0.0 ? add_cells(self, piece->begin, &self->polygons, polygons) : FLOC_OK;
  return status == FLOC_OK && strips > 0.0 ? add_cells(self, piece->begin, &self->strips, strips) : status;
}

/* ---- the file ------------------------------------------------------------------------------------ */

static floc_status read_head(vtp_reader *self, const char **at)
{
  vtp_format *format = &self->format;
  vtp_tag tag;
  bool found;
  floc_status status = next_tag(self, self->from.text, &tag, &found);
  if (status != FLOC_OK) return status;
  if (!found || !is_tag(&tag, "VTKFile") || !attribute_is(&tag, "type", "PolyData"))
    return refuse(format->env, FLOC_DAMAGED_FILE,
                  "%s is no VTP file: it does not begin with <VTKFile type=\"PolyData\">", format->name);
  size_t length;
  format->big_endian = attribute_is(&tag, "byte_order", "BigEndian");
  format->head_size = attribute_is(&tag, "header_type", "UInt64") ? 8 : 4;
  format->compressed = attribute(&tag, "compressor", &length) != NULL;
  if (format->compressed && !attribute_is(&tag, "compressor", "vtkZLibDataCompressor"))
    return vtp_damaged(format, tag.begin, "of compressors only vtkZLibDataCompressor can be read");
  *at = tag.end;
  return FLOC_OK;
}

static floc_status find_appended(vtp_reader *self, const char *at)
{
  vtp_tag tag;
  bool found;
  floc_status status;
  while ((status = next_tag(self, at, &tag, &found)) == FLOC_OK && found) {
    at = tag.end;
    if (!is_tag(&tag, "AppendedData") || tag.closes) continue;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
    if (*at != '_') return vtp_damaged(&self->format, at, "appended data must begin with _");
    self->appended = at + 1;
    self->appended_encoding = attribute_is(&tag, "encoding", "raw") ? VTP_BYTES : VTP_BASE64;
    return FLOC_OK;
  }
  return status;
}

static void enter(vtp_reader *self, const vtp_tag *tag)
{
  bool opens = !tag->closes && !tag->is_empty;
  self->section = opens && is_tag(tag, "Points")   ? IN_POINTS
                  : opens && is_tag(tag, "Polys")  ? IN_POLYGONS
                  : opens && is_tag(tag, "Strips") ? IN_STRIPS
                                                   : OUTSIDE;
}

static floc_status read_elements(vtp_reader *self, const char *at)
{
  vtp_tag tag, piece = {0};
  bool found;
  floc_status status;
  while ((status = next_tag(self, at, &tag, &found)) == FLOC_OK && found && !is_tag(&tag, "AppendedData")) {
    at = tag.end;
    if (is_tag(&tag, "DataArray")) {
      if (!tag.closes) status = read_array(self, &tag);
    } else if (!is_tag(&tag, "InformationKey") && !is_tag(&tag, "Value")) {
      enter(self, &tag);
    }
    if (status == FLOC_OK && is_tag(&tag, "Piece")) {
      if (tag.closes && piece.begin) status = finish_piece(self, &piece);
      piece = tag.closes || tag.is_empty ? (vtp_tag){0} : tag;
      forget_piece(self);
    }
    if (status != FLOC_OK) return status;
  }
  if (status == FLOC_OK && piece.begin)
    return vtp_damaged(&self->format, piece.begin, "the file ends within a piece");
  return status;
}

floc_status vtp_mesh_read(environment *env, const char *name, const unsigned char *bytes, size_t size, double scale,
                          triangle_mesh *mesh)
{
  vtp_reader self = {.format = {.env = env, .name = name}, .scale = scale, .mesh = mesh};
  self.format.from = &self.from;
  const char *at = NULL;
  floc_status status = text_open(env, bytes, size, &self.from);
  if (status == FLOC_OK) status = read_head(&self, &at);
  if (status == FLOC_OK) status = find_appended(&self, at);
  if (status == FLOC_OK) status = read_elements(&self, at);
  vtp_numbers *all[] = {&self.points, &self.polygons.connectivity, &self.polygons.offsets,
                        &self.strips.connectivity, &self.strips.offsets};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) vtp_numbers_free(env, all[k]);
  text_close(env, &self.from);
  return status;
}
