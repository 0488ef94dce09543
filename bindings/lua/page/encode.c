/*
 * Encoding of frames; the form is described in page/encode.h.
 *
 * Lengths are rounded to a step of 1/64 of the least radius, at most 1/256 of a pixel until a particle is as large
 * as four pixels: it is invisible, and what rests does not change at all. Numbers keep 12 bits of their mantissa,
 * or 8 where they only choose a colour or a width (contacts, rays): floats of any range, without a look at the
 * whole run first, so that frames go through one by one.
 */
#include "page/encode.h"

#include "../../plain_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STEPS_PER_RADIUS = 64, OUTLINE_FINER = 64, EXACT_SHIFT = 13, COARSE_SHIFT = 17, PLANES = 4 };

typedef enum word_kind { KIND_LENGTH = 'q', KIND_NUMBER = 'f', KIND_INTEGER = 'i' } word_kind;
typedef enum word_mode { MODE_PLAIN = 0, MODE_BEFORE = 1, MODE_ALONG = 2 } word_mode;

/* ---- bytes ------------------------------------------------------------------------------------------- */

static bool reserve(page_bytes *target, size_t more)
{
  if (target->size + more <= target->capacity) return true;
  size_t grown = target->capacity * 2 > target->size + more ? target->capacity * 2 : target->size + more;
  unsigned char *larger = realloc(target->bytes, grown);
  if (!larger) return false;
  target->bytes = larger;
  target->capacity = grown;
  return true;
}

bool page_deflate(page_bytes *target, const void *bytes, size_t size, int level)
{
  uLongf stored = compressBound(size);
  if (!reserve(target, stored)) return false;
  if (compress2(target->bytes + target->size, &stored, bytes, size, level) != Z_OK) return false;
  target->size += stored;
  return true;
}

bool page_base64(page_bytes *target, const unsigned char *bytes, size_t size)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (!reserve(target, (size + 2) / 3 * 4)) return false;
  unsigned char *out = target->bytes + target->size;
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k;
    uint32_t three =
        (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) | (left > 2 ? bytes[k + 2] : 0);
    *out++ = (unsigned char)digits[three >> 18];
    *out++ = (unsigned char)digits[three >> 12 & 63];
    *out++ = (unsigned char)(left > 1 ? digits[three >> 6 & 63] : '=');
    *out++ = (unsigned char)(left > 2 ? digits[three & 63] : '=');
  }
  target->size += (size + 2) / 3 * 4;
  return true;
}

static void say(page_encoder *self, const char *format, ...)
{
  char text[512];
  va_list list;
  va_start(list, format);
  int length = plain_print_list(text, sizeof text, format, list);
  va_end(list);
  if (length < 0 || length >= (int)sizeof text || !reserve(&self->text, (size_t)length)) {
    self->out_of_memory = true;
    return;
  }
  memcpy(self->text.bytes + self->text.size, text, (size_t)length);
  self->text.size += (size_t)length;
}

/* ---- tracks ------------------------------------------------------------------------------------------ */

static page_track *find_track(page_encoder *self, const char *name)
{
  for (int32_t k = 0; k < self->track_count; k++)
    if (strcmp(self->tracks[k].name, name) == 0) return &self->tracks[k];
  if (!self->tracks) self->tracks = calloc(PAGE_TRACK_LIMIT, sizeof *self->tracks);
  if (!self->tracks || self->track_count == PAGE_TRACK_LIMIT) return NULL;
  page_track *track = &self->tracks[self->track_count++];
  snprintf(track->name, sizeof track->name, "%s", name);
  track->low = INFINITY;
  track->high = -INFINITY;
  return track;
}

static void widen(page_track *track, double value)
{
  if (!isfinite(value)) return;
  if (value < track->low) track->low = value;
  if (value > track->high) track->high = value;
}

static bool keep_words(page_track *track, const uint32_t *words, int64_t count)
{
  if (count > track->capacity) {
    uint32_t *larger = realloc(track->words, (size_t)count * sizeof *larger);
    if (!larger) return false;
    track->words = larger;
    track->capacity = count;
  }
  if (count > 0) memcpy(track->words, words, (size_t)count * sizeof *words);
  track->count = count;
  return true;
}

/* Space for count words twice: the second half is for the bytes' layout. */
static uint32_t *work_words(page_encoder *self, int64_t count)
{
  if (2 * count + 2 > self->word_capacity) {
    uint32_t *larger = realloc(self->words, (size_t)(2 * count + 2) * sizeof *larger);
    if (!larger) {
      self->out_of_memory = true;
      return NULL;
    }
    self->words = larger;
    self->word_capacity = 2 * count + 2;
  }
  return self->words;
}

/* ---- words ------------------------------------------------------------------------------------------- */

static uint32_t length_word(double value, double step)
{
  double steps = rint(value / step);
  if (!isfinite(steps)) return UINT32_C(0x80000000);
  if (steps > INT32_MAX) steps = INT32_MAX;
  if (steps < -INT32_MAX) steps = -INT32_MAX;
  return (uint32_t)(int32_t)steps;
}

static uint32_t number_word(double value, int shift)
{
  float single = (float)value;
  uint32_t bits;
  if (single == 0) single = 0; /* no -0 */
  memcpy(&bits, &single, sizeof bits);
  if (isnan(single)) return UINT32_C(0x7fc00000) >> shift;
  if (isfinite(single)) bits += UINT32_C(1) << (shift - 1);
  return bits >> shift;
}

static uint32_t fold(uint32_t difference)
{
  return difference << 1 ^ (difference & UINT32_C(0x80000000) ? UINT32_MAX : 0);
}

/* Differences in place, folded; false where nothing differs from the frame before. */
static bool fold_words(uint32_t *words, int64_t count, word_mode mode, const page_track *track)
{
  uint32_t any = 0, last = 0;
  for (int64_t k = 0; k < count; k++) {
    uint32_t word = words[k], before = 0;
    if (mode == MODE_BEFORE && k < track->count) before = track->words[k];
    if (mode == MODE_ALONG) before = last;
    last = word;
    words[k] = fold(word - before);
    any |= words[k];
  }
  return any != 0;
}

static void lay_out(unsigned char *planes, const uint32_t *words, int64_t count)
{
  for (int plane = 0; plane < PLANES; plane++)
    for (int64_t k = 0; k < count; k++) *planes++ = (unsigned char)(words[k] >> (8 * plane));
}

static bool append_packed(page_encoder *self, page_track *track, uint32_t *words, int64_t count, word_mode mode)
{
  bool same_count = track->count == count;
  uint32_t *folded = words + count;
  memcpy(folded, words, (size_t)count * sizeof *words);
  bool differs = fold_words(folded, count, mode, track);
  if (!keep_words(track, words, count)) return false;
  if (mode == MODE_BEFORE && same_count && !differs) return true;
  lay_out((unsigned char *)words, folded, count);
  return page_deflate(&self->arrays, words, (size_t)count * sizeof *words, Z_DEFAULT_COMPRESSION);
}

static bool append_raw(page_encoder *self, const uint32_t *words, int64_t count)
{
  size_t size = (size_t)count * sizeof *words;
  if (!reserve(&self->arrays, size)) return false;
  unsigned char *to = self->arrays.bytes + self->arrays.size;
  for (int64_t k = 0; k < count; k++)
    for (int byte = 0; byte < 4; byte++) *to++ = (unsigned char)(words[k] >> (8 * byte));
  self->arrays.size += size;
  return true;
}

/* The array whose count words are in self->words. */
static void put_words(page_encoder *self, page_track *track, word_kind kind, double parameter, word_mode mode,
                      int64_t count)
{
  size_t begin = self->arrays.size;
  if (mode == MODE_BEFORE && self->key) mode = MODE_PLAIN;
  bool fine =
      self->raw ? append_raw(self, self->words, count) : append_packed(self, track, self->words, count, mode);
  if (!fine) self->out_of_memory = true;
  say(self, "%s[\"%s\",\"%c\",%" PRId64 ",%.17g,%d,%zu]", self->text.bytes[self->text.size - 1] == '[' ? "" : ",",
      track->name, kind, count, parameter, (int)mode, self->arrays.size - begin);
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

static page_track *begin_array(page_encoder *self, const char *group, const char *name, int64_t count)
{
  char whole[VTP_NAME_SIZE + 24];
  snprintf(whole, sizeof whole, "%s.%s", group, name);
  for (char *at = whole; *at; at++) /* names of other programs' files go into JSON as they are */
    if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '_';
  page_track *track = find_track(self, whole);
  if (!track || !work_words(self, count)) {
    self->out_of_memory = true;
    return NULL;
  }
  return track;
}

static void put_lengths(page_encoder *self, const char *group, const char *name, const double *values, int stride,
                        int64_t count, word_mode mode)
{
  page_track *track = begin_array(self, group, name, count);
  if (!track) return;
  for (int64_t k = 0; k < count; k++) {
    self->words[k] = length_word(values[k * stride], self->length_step);
    widen(track, values[k * stride]);
  }
  put_words(self, track, KIND_LENGTH, self->length_step, mode, count);
}

static void put_numbers(page_encoder *self, const char *group, const char *name, const double *values, int stride,
                        int64_t count, int shift, word_mode mode)
{
  page_track *track = begin_array(self, group, name, count);
  if (!track) return;
  for (int64_t k = 0; k < count; k++) {
    self->words[k] = number_word(values[k * stride], shift);
    widen(track, values[k * stride]);
  }
  put_words(self, track, KIND_NUMBER, shift, mode, count);
}

static void put_integers(page_encoder *self, const char *group, const char *name, const int64_t *values,
                         int64_t count, word_mode mode)
{
  page_track *track = begin_array(self, group, name, count);
  if (!track) return;
  for (int64_t k = 0; k < count; k++) self->words[k] = (uint32_t)values[k];
  put_words(self, track, KIND_INTEGER, 1, mode, count);
}

static void put_points(page_encoder *self, const char *group, const vtp_dataset *dataset)
{
  static const char *const axes[] = {"x", "y", "z"};
  const double *points = dataset->points.values;
  for (int axis = 0; axis < 3; axis++)
    put_lengths(self, group, axes[axis], points ? points + axis : NULL, 3, dataset->points.count, MODE_BEFORE);
}

static const vtp_array *find_array(const vtp_array *arrays, int32_t count, const char *name)
{
  for (int32_t k = 0; k < count; k++)
    if (strcmp(arrays[k].name, name) == 0) return &arrays[k];
  return NULL;
}

static const void *cell_values(const vtp_dataset *dataset, const char *name, bool integer)
{
  const vtp_array *array = find_array(dataset->cell_data, dataset->cell_data_count, name);
  return array && array->integer == integer && array->components == 1 ? array->values : NULL;
}

/* ---- particles --------------------------------------------------------------------------------------- */

static bool is_wanted(const page_encoder *self, const char *name)
{
  if (!self->columns || strcmp(name, "radius") == 0) return true;
  for (int32_t k = 0; k < self->column_count; k++)
    if (strcmp(self->columns[k], name) == 0) return true;
  return false;
}

/* Rounded to a power of two, so that the step is exact in JSON and in a browser. */
static double step_of(const vtp_dataset *dataset)
{
  const vtp_array *radius = find_array(dataset->point_data, dataset->point_data_count, "radius");
  const double *points = dataset->points.values, *radii = radius && !radius->integer ? radius->values : NULL;
  double least = INFINITY, reach = 0;
  for (int64_t k = 0; k < dataset->points.count; k++) {
    if (radii && radii[k] > 0 && radii[k] < least) least = radii[k];
    for (int axis = 0; axis < 3; axis++)
      if (isfinite(points[3 * k + axis])) reach = fmax(reach, fabs(points[3 * k + axis]));
  }
  double step = isfinite(least) ? least / STEPS_PER_RADIUS : reach / (1 << 16);
  step = fmax(step, reach / (1 << 29));
  return step > 0 && isfinite(step) ? floc_exp2(floor(floc_log2(step))) : floc_exp2(-20);
}

static void widen_magnitude(page_encoder *self, const char *group, const vtp_array *array)
{
  char name[VTP_NAME_SIZE + 24];
  snprintf(name, sizeof name, "%s.%s", group, array->name);
  page_track *track = find_track(self, name);
  const double *values = array->values;
  if (!track) return;
  for (int64_t k = 0; k < array->count; k++)
    widen(track, sqrt(values[3 * k] * values[3 * k] + values[3 * k + 1] * values[3 * k + 1] +
                      values[3 * k + 2] * values[3 * k + 2]));
}

static void add_column(page_encoder *self, const char *group, const vtp_array *array)
{
  if (array->components == 1) {
    put_numbers(self, group, array->name, array->values, 1, array->count, EXACT_SHIFT, MODE_BEFORE);
    return;
  }
  for (int k = 0; k < array->components && k < 3; k++) {
    char name[VTP_NAME_SIZE + 8];
    snprintf(name, sizeof name, "%s.%c", array->name, 'x' + k);
    put_numbers(self, group, name, (const double *)array->values + k, array->components, array->count, EXACT_SHIFT,
                MODE_BEFORE);
  }
  if (array->components == 3) widen_magnitude(self, group, array);
}

static void add_particles(page_encoder *self, const char *group, const vtp_dataset *dataset)
{
  self->step = dataset->step;
  self->time = dataset->time;
  self->particle_count = dataset->points.count;
  put_points(self, group, dataset);
  for (int32_t k = 0; k < dataset->point_data_count; k++) {
    const vtp_array *array = &dataset->point_data[k];
    if (!array->integer && is_wanted(self, array->name)) add_column(self, group, array);
  }
}

/* ---- bodies ------------------------------------------------------------------------------------------ */

static void add_cells(page_encoder *self, const char *group, const char *name, const vtp_cells *cells)
{
  char ends[48];
  snprintf(ends, sizeof ends, "%s_ends", name);
  put_integers(self, group, name, cells->connectivity.values, cells->connectivity.count, MODE_BEFORE);
  put_integers(self, group, ends, cells->offsets.values, cells->offsets.count, MODE_BEFORE);
}

static void add_bodies(page_encoder *self, const char *group, const vtp_dataset *dataset)
{
  static const char *const names[] = {"body", "shape"};
  int64_t cells = dataset->lines.offsets.count + dataset->polygons.offsets.count;
  put_points(self, group, dataset);
  add_cells(self, group, "lines", &dataset->lines);
  add_cells(self, group, "polygons", &dataset->polygons);
  for (int k = 0; k < 2; k++) {
    const int64_t *values = cell_values(dataset, names[k], true);
    if (values) put_integers(self, group, names[k], values, cells, MODE_BEFORE);
  }
  const double *thickness = cell_values(dataset, "thickness", false);
  if (thickness) put_numbers(self, group, "thickness", thickness, 1, cells, EXACT_SHIFT, MODE_BEFORE);
}

/* ---- contacts and bonds ------------------------------------------------------------------------------ */

/* Lines between particles, without points of their own where both ends are centres. */
typedef struct line_list {
  int64_t *first, *second, *cell; /* second 0: the line ends at `ends` */
  double *ends;
  int64_t count, end_count;
} line_list;

static bool carries_something(const vtp_dataset *dataset, int64_t k)
{
  const double *force = cell_values(dataset, "force", false), *gamma = cell_values(dataset, "gamma", false);
  return (!force && !gamma) || (force && force[k] != 0) || (gamma && gamma[k] != 0);
}

/* The place of an id in the file, counted from 1; 0: it is not there. Particles stand in the order of ids, from
 * which some may be missing; older files have no ids. */
static int64_t place_of(const vtp_dataset *particles, int64_t id)
{
  const vtp_array *array = find_array(particles->point_data, particles->point_data_count, "id");
  const int64_t *ids = array && array->integer && array->components == 1 ? array->values : NULL;
  const int64_t count = particles->points.count;
  if (id >= 1 && id <= count && (!ids || ids[id - 1] == id)) return id;
  int64_t low = 0, high = ids ? count : 0;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return ids && low < count && ids[low] == id ? low + 1 : 0;
}

/* Whether a line's end is the centre of the particle in that place: it is not where the pair reaches across a
 * periodic face. */
static bool ends_there(const page_encoder *self, const vtp_dataset *particles, int64_t place, const double *end)
{
  const double *centre = (const double *)particles->points.values + 3 * (place - 1);
  double distance = fabs(end[0] - centre[0]) + fabs(end[1] - centre[1]) + fabs(end[2] - centre[2]);
  return distance <= 4 * self->length_step;
}

static void list_lines(page_encoder *self, const vtp_dataset *dataset, const vtp_dataset *particles,
                       line_list *list)
{
  const int64_t *id_i = cell_values(dataset, "id_i", true), *id_j = cell_values(dataset, "id_j", true);
  const double *points = dataset->points.values;
  for (int64_t k = 0; id_i && id_j && k < dataset->lines.offsets.count && 2 * k + 1 < dataset->points.count; k++) {
    const int64_t i = place_of(particles, id_i[k]), j = place_of(particles, id_j[k]);
    if (i == 0 || id_j[k] < 0 || (id_j[k] > 0 && j == 0) || !carries_something(dataset, k)) continue;
    const double *end = points + 6 * k + 3;
    bool between = j > 0 && ends_there(self, particles, j, end);
    if (!between) memcpy(list->ends + 3 * list->end_count++, end, 3 * sizeof *end);
    list->first[list->count] = i;
    list->second[list->count] = between ? j - i : 0;
    list->cell[list->count++] = k;
  }
}

static void put_cell_numbers(page_encoder *self, const char *group, const vtp_dataset *dataset, const char *name,
                             const line_list *list, double *room)
{
  const double *values = cell_values(dataset, name, false);
  if (!values) return;
  for (int64_t k = 0; k < list->count; k++) room[k] = values[list->cell[k]];
  put_numbers(self, group, name, room, 1, list->count, COARSE_SHIFT, MODE_PLAIN);
}

static void add_lines(page_encoder *self, const char *group, const vtp_dataset *dataset,
                      const vtp_dataset *particles)
{
  static const char *const names[] = {"force", "gamma", "strain"}, *const axes[] = {"end_x", "end_y", "end_z"};
  size_t most = (size_t)dataset->lines.offsets.count + 1;
  line_list list = {.count = 0};
  list.first = malloc(most * 3 * sizeof *list.first);
  list.ends = malloc(most * 4 * sizeof *list.ends);
  if (list.first && list.ends) {
    list.second = list.first + most;
    list.cell = list.second + most;
    list_lines(self, dataset, particles, &list);
    put_integers(self, group, "first", list.first, list.count, MODE_ALONG);
    put_integers(self, group, "second", list.second, list.count, MODE_PLAIN);
    for (int k = 0; k < 3; k++) put_cell_numbers(self, group, dataset, names[k], &list, list.ends + 3 * most);
    for (int k = 0; k < 3; k++) put_lengths(self, group, axes[k], list.ends + k, 3, list.end_count, MODE_PLAIN);
  } else {
    self->out_of_memory = true;
  }
  free(list.first);
  free(list.ends);
}

/* ---- grains that are not round ------------------------------------------------------------------------ */

static double farthest_point(const vtp_dataset *dataset)
{
  const double *points = dataset->points.values;
  double reach = 0;
  for (int64_t k = 0; k < 3 * dataset->points.count; k++)
    if (isfinite(points[k])) reach = fmax(reach, fabs(points[k]));
  return reach;
}

/* Outlines: points, finer than those of particles, as there are many on a rounded corner; where each ends, and the
 * place of its particle, from 1. In space axes, two points each, with the rounding about them; of an ellipsoid its
 * centre and the ends of its three semi-axes. */
static void add_grains(page_encoder *self, const char *group, const vtp_dataset *dataset,
                       const vtp_dataset *particles)
{
  const bool axes = dataset->lines.offsets.count > 0;
  const vtp_cells *cells = axes ? &dataset->lines : &dataset->polygons;
  const int64_t count = cells->offsets.count, *ids = cell_values(dataset, "id", true);
  const double *rounding = axes ? cell_values(dataset, "rounding", false) : NULL;
  int64_t *place = malloc(((size_t)count + 1) * sizeof *place);
  if (!place) self->out_of_memory = true;
  if (!ids || !place) {
    free(place);
    return;
  }
  for (int64_t k = 0; k < count; k++) place[k] = place_of(particles, ids[k]);
  const double step = self->length_step;
  self->length_step = fmin(step, fmax(step / OUTLINE_FINER, farthest_point(dataset) / (1 << 29)));
  put_points(self, group, dataset);
  if (rounding) put_lengths(self, group, "rounding", rounding, 1, count, MODE_BEFORE);
  self->length_step = step;
  put_integers(self, group, "ends", cells->offsets.values, count, MODE_BEFORE);
  put_integers(self, group, "place", place, count, MODE_BEFORE);
  free(place);
}

/* ---- rays -------------------------------------------------------------------------------------------- */

/* In flight: a point with a direction; paths: two points each. */
static void add_rays(page_encoder *self, const char *group, const vtp_dataset *dataset)
{
  static const char *const axes[] = {"direction.x", "direction.y", "direction.z"};
  const vtp_array *direction = find_array(dataset->cell_data, dataset->cell_data_count, "direction");
  const double *power = cell_values(dataset, "power", false);
  int64_t cells = dataset->lines.offsets.count + dataset->vertices.offsets.count;
  put_points(self, group, dataset);
  if (power) put_numbers(self, group, "power", power, 1, cells, COARSE_SHIFT, MODE_PLAIN);
  if (!direction || direction->integer || direction->components != 3) return;
  for (int k = 0; k < 3; k++)
    put_numbers(self, group, axes[k], (const double *)direction->values + k, 3, cells, COARSE_SHIFT, MODE_PLAIN);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

void page_frame_begin(page_encoder *self, bool key)
{
  self->key = key || self->raw;
  self->out_of_memory = false;
  self->text.size = self->arrays.size = self->frame.size = 0;
  say(self, "[");
}

void page_add(page_encoder *self, const char *group, const vtp_dataset *dataset, const vtp_dataset *particles)
{
  if (dataset->out_of_memory) self->out_of_memory = true;
  if (self->out_of_memory) return;
  if (self->length_step == 0 && dataset->points.count > 0) self->length_step = step_of(dataset);
  if (strcmp(group, "particles") == 0) add_particles(self, group, dataset);
  if (strcmp(group, "grains") == 0 && particles) add_grains(self, group, dataset, particles);
  if (strcmp(group, "bodies") == 0) add_bodies(self, group, dataset);
  if ((strcmp(group, "contacts") == 0 || strcmp(group, "bonds") == 0) && particles)
    add_lines(self, group, dataset, particles);
  if (strcmp(group, "rays") == 0) add_rays(self, group, dataset);
}

static bool append_head(page_encoder *self, const char *live)
{
  page_bytes text = {NULL, 0, 0};
  size_t room = self->text.size + (live ? strlen(live) : 0) + 256;
  if (!reserve(&text, room)) return false;
  int length = snprintf((char *)text.bytes, room,
                        "{\"step\":%" PRId64 ",\"time\":%.17g,\"key\":%s,\"raw\":%s,\"live\":%s,\"arrays\":%.*s]}",
                        self->step, isfinite(self->time) ? self->time : 0, self->key ? "true" : "false",
                        self->raw ? "true" : "false", live ? live : "null", (int)self->text.size,
                        (const char *)self->text.bytes);
  bool fine = reserve(&self->frame, sizeof(uint32_t));
  if (fine) self->frame.size = sizeof(uint32_t);
  fine = fine &&
         page_deflate(&self->frame, text.bytes, (size_t)length, self->raw ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION);
  free(text.bytes);
  if (!fine) return false;
  uint32_t stored = (uint32_t)(self->frame.size - sizeof stored);
  for (size_t k = 0; k < sizeof stored; k++) self->frame.bytes[k] = (unsigned char)(stored >> (8 * k));
  return true;
}

floc_status page_frame_end(page_encoder *self, const char *live)
{
  if (self->out_of_memory || !append_head(self, live) || !reserve(&self->frame, self->arrays.size))
    return FLOC_OUT_OF_MEMORY;
  if (self->arrays.size > 0) memcpy(self->frame.bytes + self->frame.size, self->arrays.bytes, self->arrays.size);
  self->frame.size += self->arrays.size;
  return FLOC_OK;
}

void page_free(page_encoder *self)
{
  for (int32_t k = 0; k < self->track_count; k++) free(self->tracks[k].words);
  free(self->tracks);
  free(self->columns);
  free(self->text.bytes);
  free(self->arrays.bytes);
  free(self->frame.bytes);
  free(self->words);
  memset(self, 0, sizeof *self);
}
