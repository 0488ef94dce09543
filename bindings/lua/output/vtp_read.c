/*
 * Reading .vtp files that vtp_write wrote. The text before the appended part is a row of tags without nested
 * text, so a scanner of tags is enough; the numbers behind it are checked before memory is asked for: sizes
 * against the file's own length, points of cells against the number of points.
 */
#define _GNU_SOURCE /* memmem */
#include "output/vtp_file.h"

#include "../../byte_order.h"
#include "../../plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { NUMBER_SIZE = 8, LARGEST_BLOCK = 1 << 26, LEAST_BYTES_PER_BLOCK = 8, GREATEST_RATIO = 1100 };

typedef struct reader {
  char *bytes;
  size_t size;
  size_t at;       /* in the text */
  size_t appended; /* where the first appended byte is */
  int64_t point_count, cell_count[3];
  vtp_dataset *dataset;
  char *message;
  size_t message_size;
} reader;

typedef struct tag {
  const char *text; /* behind '<' */
  size_t length;    /* up to '>' */
} tag;

static floc_status refuse(reader *self, floc_status status, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(self->message, self->message_size, format, list);
  va_end(list);
  return status;
}

/* ---- tags -------------------------------------------------------------------------------------------- */

static bool next_tag(reader *self, tag *found)
{
  const char *end = self->bytes + self->size;
  const char *open = memchr(self->bytes + self->at, '<', self->size - self->at);
  const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
  if (!close) return false;
  *found = (tag){open + 1, (size_t)(close - open - 1)};
  self->at = (size_t)(close + 1 - self->bytes);
  return true;
}

static bool is_tag(const tag *one, const char *name)
{
  size_t length = strlen(name);
  return one->length >= length && memcmp(one->text, name, length) == 0 &&
         (one->length == length || strchr(" />", one->text[length]) != NULL);
}

/* The value of name="value"; "" where there is none, or it does not fit. */
static void attribute(const tag *one, const char *name, char *value, size_t size)
{
  char wanted[48];
  value[0] = 0;
  size_t length = (size_t)snprintf(wanted, sizeof wanted, " %s=\"", name);
  for (size_t k = 0; k + length <= one->length; k++) {
    if (memcmp(one->text + k, wanted, length) != 0) continue;
    const char *begin = one->text + k + length;
    const char *end = memchr(begin, '"', one->length - k - length);
    if (!end || (size_t)(end - begin) >= size) return;
    memcpy(value, begin, (size_t)(end - begin));
    value[end - begin] = 0;
    return;
  }
}

static int64_t count_of(const tag *one, const char *name)
{
  char text[32];
  attribute(one, name, text, sizeof text);
  char *end;
  long long value = strtoll(text, &end, 10);
  return text[0] && !*end && value >= 0 ? (int64_t)value : -1;
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

static floc_status cut_short(reader *self, const char *name)
{
  return refuse(self, FLOC_DAMAGED_FILE, "damaged: the array \"%s\" is truncated", name);
}

/* Size in bytes of the array at an offset, and where its blocks begin; SIZE_MAX where the numbers cannot be. */
static size_t raw_size(const reader *self, size_t offset, uint64_t numbers[3])
{
  if (self->size - self->appended < 3 * sizeof *numbers ||
      offset > self->size - self->appended - 3 * sizeof *numbers)
    return SIZE_MAX;
  size_t left = self->size - self->appended - offset;
  memcpy(numbers, self->bytes + self->appended + offset, 3 * sizeof *numbers);
  little_endian_numbers(numbers, 3);
  if (numbers[0] > left / LEAST_BYTES_PER_BLOCK || numbers[1] > LARGEST_BLOCK || numbers[2] >= numbers[1] + 1)
    return SIZE_MAX;
  if (numbers[0] == 0) return 0;
  uint64_t last = numbers[2] ? numbers[2] : numbers[1];
  uint64_t size = (numbers[0] - 1) * numbers[1] + last;
  return size / GREATEST_RATIO > left ? SIZE_MAX : (size_t)size;
}

static floc_status inflate_blocks(reader *self, const vtp_array *array, size_t offset, const uint64_t numbers[3],
                                  size_t size)
{
  const char *head = self->bytes + self->appended + offset + 3 * sizeof *numbers;
  if (numbers[0] * sizeof(uint64_t) > (size_t)(self->bytes + self->size - head))
    return cut_short(self, array->name);
  const char *block = head + numbers[0] * sizeof(uint64_t);
  size_t done = 0;
  for (uint64_t k = 0; k < numbers[0]; k++) {
    uint64_t stored;
    memcpy(&stored, head + k * sizeof stored, sizeof stored);
    stored = little_endian_number(stored);
    if (stored > (size_t)(self->bytes + self->size - block)) return cut_short(self, array->name);
    size_t wanted = k + 1 < numbers[0] || numbers[2] == 0 ? numbers[1] : numbers[2];
    if (wanted > size - done) wanted = size - done;
    uLongf length = wanted;
    if (uncompress((Bytef *)array->values + done, &length, (const Bytef *)block, stored) != Z_OK ||
        length != wanted)
      return refuse(self, FLOC_DAMAGED_FILE,
                    "damaged: block %" PRIu64 " of the array \"%s\" cannot be decompressed", k + 1, array->name);
    done += wanted;
    block += stored;
  }
  little_endian_numbers(array->values, done / NUMBER_SIZE);
  return FLOC_OK;
}

/* tuples -1: as many as there are. */
static floc_status read_values(reader *self, vtp_array *array, size_t offset, int64_t tuples)
{
  uint64_t numbers[3];
  size_t size = raw_size(self, offset, numbers), width = (size_t)array->components * NUMBER_SIZE;
  if (size == SIZE_MAX || size % width != 0) return cut_short(self, array->name);
  if (tuples >= 0 && size / width != (size_t)tuples)
    return refuse(self, FLOC_DAMAGED_FILE, "damaged: the array \"%s\" has %zu entries; it must have %" PRId64,
                  array->name, size / width, tuples);
  if (!vtp_numbers(self->dataset, array, (int64_t)(size / width))) return FLOC_OUT_OF_MEMORY;
  return inflate_blocks(self, array, offset, numbers, size);
}

typedef struct array_text {
  char name[VTP_NAME_SIZE];
  bool integer;
  int32_t components;
  size_t offset;
} array_text;

static floc_status read_array_text(reader *self, const tag *one, array_text *text)
{
  char type[16], format[16];
  attribute(one, "type", type, sizeof type);
  attribute(one, "format", format, sizeof format);
  attribute(one, "Name", text->name, sizeof text->name);
  int64_t components = count_of(one, "NumberOfComponents"), offset = count_of(one, "offset");
  text->integer = strcmp(type, "Int64") == 0;
  if (!text->name[0] || (!text->integer && strcmp(type, "Float64") != 0) || strcmp(format, "appended") != 0 ||
      components < 1 || components > 16 || offset < 0)
    return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: the array \"%s\" is of type %s, format %s",
                  text->name, type[0] ? type : "(none)", format[0] ? format : "(none)");
  text->components = (int32_t)components;
  text->offset = (size_t)offset;
  return FLOC_OK;
}

/* ---- parts ------------------------------------------------------------------------------------------- */

static floc_status read_data(reader *self, const tag *one, bool of_points)
{
  array_text text;
  floc_status status = read_array_text(self, one, &text);
  if (status != FLOC_OK) return status;
  vtp_array *array = of_points ? vtp_point_data(self->dataset, text.name, text.integer, text.components)
                               : vtp_cell_data(self->dataset, text.name, text.integer, text.components);
  if (!array) return refuse(self, FLOC_DAMAGED_FILE, "it has more than %d arrays", (int)VTP_ARRAY_LIMIT);
  int64_t cells = self->cell_count[0] + self->cell_count[1] + self->cell_count[2];
  return read_values(self, array, text.offset, of_points ? self->point_count : cells);
}

static floc_status read_points(reader *self, const tag *one)
{
  array_text text;
  floc_status status = read_array_text(self, one, &text);
  if (status == FLOC_OK && (text.integer || text.components != 3))
    return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: points need three numbers each");
  if (status == FLOC_OK && self->dataset->points.count > 0)
    return refuse(self, FLOC_DAMAGED_FILE, "points occur twice");
  return status == FLOC_OK ? read_values(self, &self->dataset->points, text.offset, self->point_count) : status;
}

static floc_status read_cells(reader *self, const tag *one, vtp_cells *cells, int64_t count)
{
  array_text text;
  floc_status status = read_array_text(self, one, &text);
  if (status != FLOC_OK) return status;
  bool corners = strcmp(text.name, "connectivity") == 0;
  vtp_array *array = corners ? &cells->connectivity : &cells->offsets;
  if (!text.integer || text.components != 1 || array->count > 0)
    return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: cells have the array \"%s\"", text.name);
  return read_values(self, array, text.offset, corners ? -1 : count);
}

static floc_status check_cells(reader *self, const vtp_cells *cells, int64_t count)
{
  const int64_t *corners = cells->connectivity.values, *ends = cells->offsets.values;
  int64_t last = 0;
  if (cells->offsets.count != count) return refuse(self, FLOC_DAMAGED_FILE, "damaged: cells are missing");
  for (int64_t k = 0; k < count; k++) {
    if (ends[k] <= last || ends[k] > cells->connectivity.count)
      return refuse(self, FLOC_DAMAGED_FILE, "damaged: cell %" PRId64 " has no points", k + 1);
    last = ends[k];
  }
  if (last != cells->connectivity.count)
    return refuse(self, FLOC_DAMAGED_FILE, "damaged: cells have too many points");
  for (int64_t k = 0; k < last; k++)
    if (corners[k] < 0 || corners[k] >= self->point_count)
      return refuse(self, FLOC_DAMAGED_FILE, "damaged: a cell has point %" PRId64 " of %" PRId64, corners[k],
                    self->point_count);
  return FLOC_OK;
}

/* The number between a tag and the next one, of an array with one ascii number. */
static double ascii_number(const reader *self)
{
  char text[48] = "";
  size_t length = self->size - self->at < sizeof text - 1 ? self->size - self->at : sizeof text - 1;
  memcpy(text, self->bytes + self->at, length);
  return plain_read(text, NULL);
}

static floc_status read_field(reader *self, const tag *one)
{
  char name[VTP_NAME_SIZE];
  attribute(one, "Name", name, sizeof name);
  if (strcmp(name, "TimeValue") == 0) self->dataset->time = ascii_number(self);
  if (strcmp(name, "step") == 0) {
    double step = ascii_number(self);
    if (!(step >= 0 && step < 9e15)) return refuse(self, FLOC_DAMAGED_FILE, "damaged: its step cannot be read");
    self->dataset->step = (int64_t)step;
  }
  return FLOC_OK;
}

static floc_status read_piece(reader *self, const tag *one)
{
  self->point_count = count_of(one, "NumberOfPoints");
  self->cell_count[0] = count_of(one, "NumberOfVerts");
  self->cell_count[1] = count_of(one, "NumberOfLines");
  self->cell_count[2] = count_of(one, "NumberOfPolys");
  const int64_t most = (int64_t)1 << 40;
  for (int k = 0; k < 3; k++)
    if (self->cell_count[k] < 0 || self->cell_count[k] > most) self->point_count = -1;
  if (self->point_count < 0 || self->point_count > most)
    return refuse(self, FLOC_DAMAGED_FILE,
                  "it was not written by floc: its numbers of points and cells are missing");
  return FLOC_OK;
}

/* An array, by the part of the file in which it stands. */
static floc_status read_array(reader *self, const tag *one, const char *part)
{
  if (strcmp(part, "FieldData") == 0) return read_field(self, one);
  if (self->point_count < 0)
    return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: arrays come before the piece");
  if (strcmp(part, "PointData") == 0) return read_data(self, one, true);
  if (strcmp(part, "CellData") == 0) return read_data(self, one, false);
  if (strcmp(part, "Points") == 0) return read_points(self, one);
  if (strcmp(part, "Verts") == 0) return read_cells(self, one, &self->dataset->vertices, self->cell_count[0]);
  if (strcmp(part, "Lines") == 0) return read_cells(self, one, &self->dataset->lines, self->cell_count[1]);
  if (strcmp(part, "Polys") == 0) return read_cells(self, one, &self->dataset->polygons, self->cell_count[2]);
  return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: an array is outside of all parts");
}

static floc_status read_tags(reader *self)
{
  static const char *const parts[] = {"FieldData", "PointData", "CellData", "Points", "Verts", "Lines", "Polys"};
  const char *part = "";
  tag one;
  floc_status status = FLOC_OK;
  while (status == FLOC_OK && next_tag(self, &one)) {
    if (is_tag(&one, "AppendedData")) break;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
      if (is_tag(&one, parts[k])) part = parts[k];
    if (is_tag(&one, "Piece")) status = read_piece(self, &one);
    if (is_tag(&one, "DataArray")) status = read_array(self, &one, part);
  }
  if (status != FLOC_OK) return status;
  if (self->point_count < 0) return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: it has no piece");
  if (self->dataset->points.count != self->point_count)
    return refuse(self, FLOC_DAMAGED_FILE, "damaged: points are missing");
  status = check_cells(self, &self->dataset->vertices, self->cell_count[0]);
  if (status == FLOC_OK) status = check_cells(self, &self->dataset->lines, self->cell_count[1]);
  if (status == FLOC_OK) status = check_cells(self, &self->dataset->polygons, self->cell_count[2]);
  return status;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static floc_status find_appended(reader *self)
{
  static const char begin[] = "<AppendedData encoding=\"raw\">\n_", kind[] = "<VTKFile type=\"PolyData\"";
  const char *at = memmem(self->bytes, self->size, kind, sizeof kind - 1);
  tag head;
  if (!at || at - self->bytes > 200)
    return refuse(self, FLOC_DAMAGED_FILE, "it is no VTK file of particles or lines (PolyData)");
  self->at = (size_t)(at - self->bytes);
  char found[32] = "", header[16] = "", compressor[32] = "";
  if (next_tag(self, &head)) {
    attribute(&head, "byte_order", found, sizeof found);
    attribute(&head, "header_type", header, sizeof header);
    attribute(&head, "compressor", compressor, sizeof compressor);
  }
  if (strcmp(found, "LittleEndian") != 0)
    return refuse(self, FLOC_DAMAGED_FILE, "its byte order is %s; it must be LittleEndian", found);
  if (strcmp(header, "UInt64") != 0 || strcmp(compressor, "vtkZLibDataCompressor") != 0)
    return refuse(self, FLOC_DAMAGED_FILE, "it was not written by floc: its arrays are not compressed by zlib");
  at = memmem(self->bytes, self->size, begin, sizeof begin - 1);
  if (!at) return refuse(self, FLOC_DAMAGED_FILE, "damaged: it ends before its arrays");
  self->appended = (size_t)(at - self->bytes) + sizeof begin - 1;
  return FLOC_OK;
}

static floc_status load(reader *self, const char *path)
{
  struct stat about;
  FILE *file = fopen(path, "rb");
  if (!file)
    return refuse(self, errno == ENOENT ? FLOC_NOT_FOUND : FLOC_FILE_ERROR, "%s",
                  errno == ENOENT ? "there is no such file" : strerror(errno));
  floc_status status = FLOC_OK;
  if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
    status = refuse(self, FLOC_FILE_ERROR, "it is not a file");
  } else {
    self->size = (size_t)about.st_size;
    self->bytes = malloc(self->size + 1);
    if (!self->bytes)
      status = FLOC_OUT_OF_MEMORY;
    else if (fread(self->bytes, 1, self->size, file) != self->size)
      status = refuse(self, FLOC_FILE_ERROR, "it cannot be read: %s", strerror(errno));
  }
  (void)fclose(file);
  return status;
}

floc_status vtp_read(vtp_dataset *dataset, const char *path, char *message, size_t message_size)
{
  if (message_size > 0) message[0] = 0;
  reader self = {.dataset = dataset, .message = message, .message_size = message_size, .point_count = -1};
  floc_status status = load(&self, path);
  if (status == FLOC_OK) status = find_appended(&self);
  if (status == FLOC_OK) status = read_tags(&self);
  if (status == FLOC_OUT_OF_MEMORY) refuse(&self, status, "out of memory");
  free(self.bytes);
  if (status != FLOC_OK) vtp_free(dataset);
  return status;
}
