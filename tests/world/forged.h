/*
 * Forged checkpoints: the sections of a real one, some numbers or shapes altered, written again with every checksum
 * right. A forgery is made from bytes, so that a random stream (test_forged.c) and a fuzzer (fuzz_world.c) ask for
 * them in the same way: byte 0 chooses the scenario of scenarios.h, then every 12 bytes are one edit:
 *
 *     section | what | place (2 bytes) | number (8 bytes)
 *
 * A world of the scenario loads it and makes a few steps. Whatever is reported is right; what must not be is a
 * crash, a radius or mass after a successful step that is not a finite number above 0, a world that has changed
 * though it refused the file, or memory that does not come back.
 */
#ifndef FLOC_TESTS_WORLD_FORGED_H
#define FLOC_TESTS_WORLD_FORGED_H

#include "scratch.h"
#include "world/scenarios.h"

#include "files/checkpoint/checkpoint.h"
#include "files/memory_disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FORGED_STEPS = 5, EDIT_SIZE = 12, MOST_EDITS = 8, FORGED_SECTIONS = 96 };

typedef enum forged_outcome {
  FORGED_REFUSED,  /* when it was loaded */
  FORGED_STOPPED,  /* by one of the steps */
  FORGED_SAME,     /* ran, with the hash of the real file */
  FORGED_OTHER,    /* ran, another state */
  FORGED_UNUSABLE, /* the edits are not such that a file can be written: two sections of one name */
  FORGED_WRONG     /* see above: must not be */
} forged_outcome;

/* ---- real checkpoints ---- */

typedef struct forged_model {
  checkpoint *file;
  uint64_t end; /* hash after the steps */
} forged_model;

typedef struct forgery {
  environment env;
  forged_model model[SCENARIO_COUNT];
  memory_disk disk;
  char path[64];
  char wrong[256];   /* what is wrong */
  double work_limit; /* of a step; 0: the default */
} forgery;

static inline void forged_demand(bool condition, const char *what)
{
  if (condition) return;
  fprintf(stderr, "forged files: %s\n", what);
  abort();
}

static inline void forgery_init(forgery *all)
{
  memset(all, 0, sizeof *all);
  all->env = (environment){.allocate = default_allocate, .threads = 1};
  snprintf(all->path, sizeof all->path, "%s/floc-forged-%ld.floc", scratch_folder(), (long)getpid());
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    floc_world *world = NULL;
    floc_status status = scenario_create(&scenarios[k], 1, NULL, NULL, &world);
    THEN(status, scenario_run(world, scenarios[k].steps / 2));
    THEN(status, floc_world_save(world, all->path, 1));
    THEN(status, scenario_run(world, FORGED_STEPS));
    THEN(status, floc_world_hash(world, &all->model[k].end));
    THEN(status, checkpoint_open(&all->env, file_layer_system(), all->path, &all->model[k].file));
    forged_demand(status == FLOC_OK, world ? floc_world_message(world) : "no world");
    floc_world_destroy(world);
  }
}

static inline void forgery_free(forgery *all)
{
  for (int k = 0; k < SCENARIO_COUNT; k++) checkpoint_close(all->model[k].file);
  unlink(all->path);
}

/* ---- edits ---- */

typedef struct forged_list {
  section item[FORGED_SECTIONS];
  unsigned char *owned[FORGED_SECTIONS]; /* data that was altered; NULL: the model's */
  int32_t count;
} forged_list;

/* Numbers that are wrong more often than others; beyond these, the eight bytes themselves. */
static inline double forged_double(const uint8_t *number)
{
  static const double often[] = {0.0,      -0.0,      1.0,          -1.0,   0.5,   2.0,    NAN,
                                 INFINITY, -INFINITY, 1e300,        -1e300, 1e308, 5e-324, 1e-300,
                                 1e15,     -1e15,     2147483648.0, 9.3e18, 1e-9,  1e6};
  double value;
  if (number[7] < sizeof often / sizeof *often) return often[number[7]];
  memcpy(&value, number, sizeof value);
  return value;
}

static inline int64_t forged_whole(const uint8_t *number, uint64_t rows)
{
  const int64_t often[] = {0,
                           1,
                           -1,
                           -2,
                           INT32_MAX,
                           INT32_MIN,
                           INT64_MAX,
                           INT64_MIN,
                           INT64_MAX - 1,
                           (int64_t)1 << 32,
                           (int64_t)1 << 40,
                           (int64_t)rows,
                           (int64_t)rows - 1,
                           (int64_t)rows + 1,
                           7,
                           1000000};
  int64_t value;
  if (number[7] < sizeof often / sizeof *often) return often[number[7]];
  memcpy(&value, number, sizeof value);
  return number[7] & 1 ? value : value & 255;
}

static inline size_t forged_bytes(const section *part)
{
  return part->rows * part->columns * section_type_size(part->type);
}

/* A copy with space for `rows` rows; those beyond the old ones repeat them, or are zeros if there were none. */
static inline unsigned char *forged_own(forged_list *list, int32_t k, uint64_t rows)
{
  section *part = &list->item[k];
  size_t row = part->columns * section_type_size(part->type), old = forged_bytes(part), size = rows * row;
  unsigned char *made = calloc(size + 1, 1);
  forged_demand(made != NULL, "out of memory");
  for (size_t at = 0; at < size && old > 0; at += old)
    memcpy(made + at, part->data, size - at < old ? size - at : old);
  free(list->owned[k]);
  list->owned[k] = made;
  part->rows = rows;
  part->data = made;
  return made;
}

static inline void forged_set(const section *part, unsigned char *data, uint64_t at, const uint8_t *number)
{
  size_t size = section_type_size(part->type);
  double real = forged_double(number);
  int64_t whole = forged_whole(number, part->rows);
  int32_t narrow = (int32_t)whole;
  uint8_t byte = (uint8_t)whole;
  const void *from = part->type[0] == 'f' ? (void *)&real
                     : size == 8          ? (void *)&whole
                     : size == 4          ? (void *)&narrow
                                          : (void *)&byte;
  memcpy(data + at * size, from, size);
}

static inline void forged_scale(const section *part, unsigned char *data, uint64_t at, const uint8_t *number)
{
  size_t size = section_type_size(part->type);
  int change = number[0] % 16 - 8;
  if (part->type[0] == 'f') {
    double value;
    memcpy(&value, data + at * size, size);
    value = number[1] & 1 ? ldexp(value, change) : value + change * 1e-3;
    memcpy(data + at * size, &value, size);
  } else if (size == 8) {
    uint64_t value;
    memcpy(&value, data + at * size, size);
    value += (uint64_t)(int64_t)change;
    memcpy(data + at * size, &value, size);
  } else if (size == 4) {
    uint32_t value;
    memcpy(&value, data + at * size, size);
    value += (uint32_t)change;
    memcpy(data + at * size, &value, size);
  }
}

static inline void forged_swap(unsigned char *a, unsigned char *b, size_t size)
{
  for (size_t k = 0; k < size; k++) {
    unsigned char kept = a[k];
    a[k] = b[k];
    b[k] = kept;
  }
}

/* Lengths and shapes. */
static inline void forged_reshape(forged_list *list, int32_t k, const uint8_t *edit)
{
  section *part = &list->item[k];
  uint64_t rows = part->rows, columns = part->columns;
  switch (edit[2] % 8) {
  case 0:
    forged_own(list, k, rows > 0 ? rows - 1 : 1);
    break;
  case 1:
    forged_own(list, k, rows + 1);
    break;
  case 2:
    forged_own(list, k, 0);
    break;
  case 3:
    part->rows = columns;
    part->columns = rows;
    break;
  case 4:
    forged_own(list, k, 2 * rows + 3);
    break;
  case 5: /* without it */
    free(list->owned[k]);
    list->count--;
    for (int32_t n = k; n < list->count; n++) {
      list->item[n] = list->item[n + 1];
      list->owned[n] = list->owned[n + 1];
    }
    list->owned[list->count] = NULL;
    break;
  case 6:
    part->name[strlen(part->name) - 1] = '_';
    break;
  default: /* the same bytes as another type of the same size */
    if (strcmp(part->type, "f64") == 0)
      strcpy(part->type, "i64");
    else if (strcmp(part->type, "i64") == 0)
      strcpy(part->type, "f64");
    part->is_state = !part->is_state;
    break;
  }
}

static inline void forged_edit(forged_list *list, const uint8_t *edit)
{
  if (list->count == 0) return;
  int32_t k = edit[0] % list->count;
  section *part = &list->item[k];
  uint64_t elements = part->rows * part->columns;
  if (elements == 0 || edit[1] % 16 >= 13 || part->columns == 0) {
    forged_reshape(list, k, edit);
    return;
  }
  size_t size = section_type_size(part->type), row = size * part->columns;
  unsigned char *data = forged_own(list, k, part->rows);
  uint64_t at = (edit[2] | (uint64_t)edit[3] << 8) % elements,
           other = (edit[4] | (uint64_t)edit[5] << 8) % elements;
  switch (edit[1] % 16) {
  case 7: /* a whole column */
    for (uint64_t n = at % part->columns; n < elements; n += part->columns) forged_set(part, data, n, edit + 4);
    break;
  case 8:
    for (uint64_t n = at % part->columns; n < elements; n += part->columns) forged_scale(part, data, n, edit + 4);
    break;
  case 9:
    forged_swap(data + at * size, data + other * size, at == other ? 0 : size);
    break;
  case 10: /* one number from another */
    memmove(data + at * size, data + other * size, size);
    break;
  case 11: /* a row twice */
    memmove(data + at / part->columns * row, data + other / part->columns * row, row);
    break;
  case 12:
  case 6:
    forged_scale(part, data, at, edit + 4);
    break;
  default:
    forged_set(part, data, at, edit + 4);
    break;
  }
}

/* ---- writing: through memory, because nothing here needs to outlive a loss of power ---- */

static inline bool forged_save(forgery *all, const forged_list *list)
{
  section_list made = {.env = &all->env, .item = (section *)list->item, .count = list->count};
  memory_disk *disk = &all->disk;
  disk_init(disk);
  bool saved = checkpoint_write_plain(&all->env, &disk->layer, "forged.floc", 1, &made) == FLOC_OK;
  if (saved) {
    const disk_file *file = disk_get(disk, "forged.floc");
    FILE *stream = fopen(all->path, "wb");
    forged_demand(stream && fwrite(file->bytes, 1, file->size, stream) == file->size && fclose(stream) == 0,
                  "the file cannot be written");
  }
  disk_free(disk);
  return saved;
}

/* ---- loading and stepping ---- */

static inline void *forged_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  *(int64_t *)context += (int64_t)new_size - (int64_t)old_size;
  return default_allocate(NULL, pointer, old_size, new_size);
}

/* Are all radii and masses finite and above 0? */
static inline bool forged_sizes_are_right(floc_world *world)
{
  static const char *const names[] = {"radius", "mass"};
  for (int k = 0; k < 2; k++) {
    double *values;
    int64_t count;
    if (floc_column(world, names[k], &values, &count) != FLOC_OK) return false;
    for (int64_t n = 0; n < count; n++)
      if (!(values[n] > 0.0 && isfinite(values[n]))) return false;
  }
  return true;
}

static inline forged_outcome forged_wrong(forgery *all, const char *what, const char *message)
{
  snprintf(all->wrong, sizeof all->wrong, "%s: %.180s", what, message);
  return FORGED_WRONG;
}

static inline forged_outcome forged_load(forgery *all, const scenario *it, uint64_t end, floc_world *world)
{
  uint64_t before = 0, after = 0;
  if (floc_world_hash(world, &before) != FLOC_OK) return forged_wrong(all, "no hash", floc_world_message(world));
  floc_status status = floc_world_load(world, all->path);
  if (status != FLOC_OK) {
    char message[160];
    snprintf(message, sizeof message, "%s", floc_world_message(world));
    if (!message[0]) return forged_wrong(all, it->name, "refused without a message");
    floc_world_hash(world, &after);
    return after == before ? FORGED_REFUSED : forged_wrong(all, "a refused file changed the world", message);
  }
  for (int k = 0; k < FORGED_STEPS; k++) {
    status = floc_world_step(world);
    if (status != FLOC_OK && !floc_world_message(world)[0])
      return forged_wrong(all, it->name, "a step without words");
    if (status != FLOC_OK) return FORGED_STOPPED;
    if (!forged_sizes_are_right(world)) return forged_wrong(all, it->name, "a radius or mass after a step");
  }
  if (floc_world_hash(world, &after) != FLOC_OK) return forged_wrong(all, "no hash", floc_world_message(world));
  return after == end ? FORGED_SAME : FORGED_OTHER;
}

static inline forged_outcome forged_try(forgery *all, const uint8_t *bytes, size_t size)
{
  if (size < 1) return FORGED_UNUSABLE;
  int number = bytes[0] % SCENARIO_COUNT;
  const section_list *real = checkpoint_sections(all->model[number].file);
  forged_list list = {.count = real->count};
  forged_demand(real->count <= FORGED_SECTIONS, "FORGED_SECTIONS is too small");
  memcpy(list.item, real->item, (size_t)real->count * sizeof *real->item);
  for (size_t at = 1, edits = 0; at + EDIT_SIZE <= size && edits < MOST_EDITS; at += EDIT_SIZE, edits++)
    forged_edit(&list, bytes + at);
  forged_outcome outcome = FORGED_UNUSABLE;
  if (forged_save(all, &list)) {
    int64_t held = 0;
    floc_world *world = NULL;
    floc_status status = scenario_create(&scenarios[number], 1, forged_allocate, &held, &world);
    THEN(status, floc_world_set_work_limit(world, all->work_limit));
    forged_demand(status == FLOC_OK, "the scenario cannot be made");
    outcome = forged_load(all, &scenarios[number], all->model[number].end, world);
    floc_world_destroy(world);
    if (held != 0) outcome = forged_wrong(all, scenarios[number].name, "memory is lost");
  }
  for (int32_t k = 0; k < FORGED_SECTIONS; k++) free(list.owned[k]);
  return outcome;
}

#endif
