/*
 * The state of a world as a list of sections: what checkpoints hold, what the hash runs over, what a
 * resumed world takes back.
 *
 * The hash (base/section_hash.c) covers what is physical: numbers of the world, columns by id, bodies, what pairs
 * remember (by ids), the scheme's state. It leaves out what only serves speed (storage order, extent of neighbour
 * lists) and what belongs to the host (attachments).
 */
#include "world.h"

#include "base/mathematics/version.h"

#include "files/checkpoint/checkpoint.h"
#include "files/file_api.h"
#include "geometry/joints.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { COUNTER_COUNT = 8, NUMBER_COUNT = 8, OLDER_REPORT_COUNT = 8, REPORT_COUNT = 9 };

static const char attachment_prefix[] = "attachment.";

/* Small tables that are put together for a section list; the list points into them. What pairs remember is in the
 * world's scratch memory, which steps have warmed up. */
typedef struct staging {
  int64_t counter[COUNTER_COUNT];
  double number[NUMBER_COUNT];
  double report[REPORT_COUNT];
  memory_rows remembered;
} staging;

/* ---- numbers of the world ---- */

static void stage_numbers(const floc_world *world, staging *stage)
{
  int64_t counter[COUNTER_COUNT] = {world->box.dimension,      world->step,
                                    world->step_origin,        (int64_t)world->seed,
                                    laws_count(world->forces), world->obstacles.shape_count,
                                    world->unchecked,          0};
  double number[NUMBER_COUNT] = {world->time_origin, world->time_step, world->gravity[0], world->gravity[1],
                                 world->gravity[2]};
  const floc_step_report *report = &world->report;
  double kept[REPORT_COUNT] = {report->greatest_overlap,
                               report->greatest_residual,
                               (double)report->unconverged_steps,
                               (double)report->total_iterations,
                               report->kinetic_energy,
                               report->overlap,
                               report->residual,
                               report->tolerance,
                               (double)report->total_left_out};
  memcpy(stage->counter, counter, sizeof counter);
  memcpy(stage->number, number, sizeof number);
  memcpy(stage->report, kept, sizeof kept);
}

/* known: rows of kept; older files have fewer. */
static void take_numbers(floc_world *world, const int64_t *counter, const double *number, const double *kept,
                         uint64_t known)
{
  world->step = counter[1];
  world->step_origin = counter[2];
  world->seed = (uint64_t)counter[3];
  laws_set_randomness(world->forces, world->seed, world->step > 0 ? world->step - 1 : 0);
  world->unchecked = world->bodies_unchecked = counter[6] != 0;
  world_settle(world);
  world->time_origin = number[0];
  world->time_step = number[1];
  memcpy(world->gravity, number + 2, sizeof world->gravity);
  floc_step_report *report = &world->report;
  report->greatest_overlap = kept[0];
  report->greatest_residual = kept[1];
  report->unconverged_steps = whole_between(kept[2], 0, COUNTER_LIMIT);
  report->total_iterations = whole_between(kept[3], 0, COUNTER_LIMIT);
  report->kinetic_energy = kept[4];
  report->overlap = kept[5];
  report->residual = kept[6];
  report->tolerance = kept[7];
  report->total_left_out = known > OLDER_REPORT_COUNT ? whole_between(kept[8], 0, COUNTER_LIMIT) : 0;
}

/* ---- the list ---- */

static floc_status list_attachments(const floc_world *world, section_list *list)
{
  for (int32_t k = 0; k < world->attachment_count; k++) {
    char name[64] = "";
    strcat(strcat(name, attachment_prefix), world->attachments[k].name);
    floc_status status =
        section_list_add(list, name, "u8", world->attachments[k].length, 1, world->attachments[k].bytes, false);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* Lower and upper end of periodic axes, for code that has only the file; a load has its own domain. */
static floc_status list_periods(const floc_world *world, double periods[3][2], section_list *list)
{
  bool any = false;
  for (int axis = 0; axis < world->box.dimension; axis++) {
    if (world->box.boundary[axis] != FLOC_BOUNDARY_PERIODIC) continue;
    periods[axis][0] = world->box.lower[axis];
    periods[axis][1] = world->box.upper[axis];
    any = true;
  }
  return any ? section_list_add(list, PERIODS_SECTION, "f64", 3, 2, periods, false) : FLOC_OK;
}

/* What pairs remember: with ids, sorted by them, for the hash and for files; with ids in the order of the lists,
 * for files that are to be written in little time; as it is, where this world goes back to it. */
typedef enum memory_form { MEMORY_BY_ID, MEMORY_BY_ENTRY, MEMORY_AS_IT_IS } memory_form;

static floc_status list_state(floc_world *world, memory_form form, staging *stage, section_list *list)
{
  stage_numbers(world, stage);
  floc_status status = world_need_scheme(world);
  if (status != FLOC_OK) return status;
  status = section_list_add(list, "world.counters", "i64", COUNTER_COUNT, 1, stage->counter, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "world.numbers", "f64", NUMBER_COUNT, 1, stage->number, true);
  if (status == FLOC_OK)
    status = section_list_add(list, "world.report", "f64", REPORT_COUNT, 1, stage->report, false);
  if (status == FLOC_OK)
    status = section_list_add(list, "world.scheme", "u8", strlen(world->method.name), 1, world->method.name, true);
  if (status == FLOC_OK && world->patch_particles > 0)
    status = section_list_add(list, PATCHES_SECTION, "i64", 1, 1, &world->patch_particles, false);
  if (status == FLOC_OK) status = world_cell_sections(world, list);
  if (status == FLOC_OK) status = particles_sections(&world->table, list);
  if (status == FLOC_OK) status = bodies_sections(&world->obstacles, list);
  if (status == FLOC_OK) status = joints_sections(&world->obstacles, list);
  if (status == FLOC_OK) status = rigid_sections(&world->assemblies, list);
  if (status == FLOC_OK)
    status = form == MEMORY_AS_IT_IS ? world_memory_columns(world, list)
                                     : world_memory_sections(world, form == MEMORY_BY_ID, &stage->remembered, list);
  if (status == FLOC_OK) {
    neighbors_see_radii(world->near, &world->table);
    status = neighbors_sections(world->near, list);
  }
  if (status == FLOC_OK) status = laws_sections(world->forces, list);
  if (status == FLOC_OK) status = bond_watch_sections(&world->bonds, list);
  if (status == FLOC_OK) status = merge_watch_sections(&world->merges, list);
  if (status == FLOC_OK && world->keeps_ledger) status = energy_ledger_sections(&world->ledger, list);
  if (status == FLOC_OK && ray_sources_count(world->rays) > 0) status = ray_sources_sections(world->rays, list);
  if (status == FLOC_OK && world->method.sections) status = world->method.sections(world->method.state, list);
  return status;
}

floc_status world_state_hash(floc_world *world, uint64_t *hash)
{
  staging stage = {0};
  arena_mark before = arena_here(&world->scratch);
  section_list list;
  section_list_init(&list, &world->env);
  floc_status status = list_state(world, MEMORY_BY_ENTRY, &stage, &list);
  if (status == FLOC_OK) *hash = section_list_hash(&list);
  section_list_free(&list);
  arena_return(&world->scratch, before);
  return status;
}

floc_status floc_world_hash(floc_world *world, uint64_t *hash)
{
  WORLD_ENTER(world);
  if (!hash) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "hash is NULL");
  return world_state_hash(world, hash);
}

/* What the file omits, because it follows from other sections: which pairs remember something, the
 * component of springs along the pair, most of the positions when the lists were built. Returns how many
 * predictions. */
enum { PREDICTION_COUNT = 5 };

static int32_t make_predictions(const floc_world *world, prediction made[PREDICTION_COUNT])
{
  static const char *const position[] = {"particles.x", "particles.y", "particles.z"};
  static const char *const reference[] = {"neighbors.reference.x", "neighbors.reference.y",
                                          "neighbors.reference.z"};
  static const char remembered[] = "remembered.pairs", order[] = "particles.order";
  int32_t dimension = world->box.dimension, count = 0, vector = neighbors_turning_vector(world->near, dimension);
  if (world->table.last_id != world->table.count) return 0; /* predictions take ids for rows */
  made[count++] =
      (prediction){PREDICT_PAIRS, remembered, {"neighbors.pairs.start", "neighbors.pairs.second", order}, 0, {0}};
  if (vector >= 0) {
    prediction *spring = &made[count++];
    *spring = (prediction){.kind = PREDICT_PERPENDICULAR, .section = remembered, .column = (uint32_t)vector + 2};
    for (int32_t k = 0; k < dimension; k++) {
      spring->source[k] = position[k];
      spring->period[k] = world->box.length[k];
    }
  }
  for (int32_t k = 0; k < dimension; k++)
    made[count++] = (prediction){PREDICT_BY_ORDER, reference[k], {position[k], order}, 0, {0}};
  return count;
}

static floc_status write_list(floc_world *world, const char *path, int32_t keep, const section_list *list)
{
  const file_layer *layer = file_layer_system();
  if (world->compression == FLOC_COMPRESSION_NONE)
    return checkpoint_write_plain(&world->env, layer, path, keep, list);
  prediction predictions[PREDICTION_COUNT];
  int32_t count = make_predictions(world, predictions);
  return checkpoint_write_predicted(&world->env, layer, path, keep, list, predictions, count);
}

floc_status floc_world_set_checkpoint_compression(floc_world *world, floc_compression compression)
{
  WORLD_ENTER(world);
  if (compression != FLOC_COMPRESSION_DEFAULT && compression != FLOC_COMPRESSION_NONE)
    return refuse(&world->env, FLOC_INVALID_ARGUMENT,
                  "compression is %d; it must be FLOC_COMPRESSION_DEFAULT (0) or FLOC_COMPRESSION_NONE (1)",
                  (int)compression);
  world->compression = compression;
  return FLOC_OK;
}

floc_status floc_world_save(floc_world *world, const char *path, int32_t keep)
{
  WORLD_ENTER(world);
  if (!path) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "path is NULL");
  if (keep < 1) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "keep is %d; it must be 1 or more", keep);
  staging stage = {0};
  arena_mark before = arena_here(&world->scratch);
  section_list list;
  section_list_init(&list, &world->env);
  memory_form form = world->compression == FLOC_COMPRESSION_NONE ? MEMORY_BY_ENTRY : MEMORY_BY_ID;
  floc_status status =
      world_check_particles(world); /* what no load would take must not replace a file that is good */
  if (status == FLOC_OK) status = list_state(world, form, &stage, &list);
  if (status == FLOC_OK) status = world_contact_sections(world, &list);
  if (status == FLOC_OK) status = list_attachments(world, &list);
  double periods[3][2] = {{0.0, 0.0}};
  if (status == FLOC_OK) status = list_periods(world, periods, &list);
  int64_t version = (int64_t)mathematics_version();
  if (status == FLOC_OK) status = section_list_add(&list, MATHEMATICS_SECTION, "i64", 1, 1, &version, false);
  if (status == FLOC_OK) status = write_list(world, path, keep, &list);
  section_list_free(&list);
  arena_return(&world->scratch, before);
  return status;
}

/* ---- taking state back ---- */

static floc_status check_structure(floc_world *world, const section_list *list, const int64_t **counter,
                                   const double **number, const double **kept)
{
  environment *env = &world->env;
  const section *counters, *numbers, *report, *method;
  floc_status status = section_expect(list, "world.counters", "i64", COUNTER_COUNT, 1, &counters);
  if (status == FLOC_OK) status = section_expect(list, "world.numbers", "f64", NUMBER_COUNT, 1, &numbers);
  if (status == FLOC_OK) status = section_expect(list, "world.report", "f64", UINT64_MAX, 1, &report);
  if (status == FLOC_OK) status = section_expect(list, "world.scheme", "u8", UINT64_MAX, 1, &method);
  if (status != FLOC_OK) return status;
  *counter = counters->data;
  *number = numbers->data;
  *kept = report->data;
  if (report->rows != REPORT_COUNT && report->rows != OLDER_REPORT_COUNT)
    return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\" has %" PRIu64 " rows; it must have %d", report->name,
                  (uint64_t)report->rows, REPORT_COUNT);
  const struct {
    const char *what;
    int64_t file, present;
  } equal[] = {{"dimension", (*counter)[0], world->box.dimension},
               {"number of laws", (*counter)[4], laws_count(world->forces)},
               {"number of shapes", (*counter)[5], world->obstacles.shape_count}};
  for (size_t k = 0; k < sizeof equal / sizeof *equal; k++) {
    if (equal[k].file != equal[k].present)
      return refuse(env, FLOC_STRUCTURE_MISMATCH,
                    "%s is %" PRId64 " in the checkpoint and %" PRId64 " in this world", equal[k].what,
                    equal[k].file, equal[k].present);
  }
  if (method->rows != strlen(world->method.name) || memcmp(method->data, world->method.name, method->rows) != 0)
    return refuse(env, FLOC_STRUCTURE_MISMATCH, "the scheme is %.*s in the checkpoint and %s in this world",
                  (int)method->rows, (const char *)method->data, world->method.name);
  return FLOC_OK;
}

/* Numbers that a set-up or a host's column could not have either. What this world goes back to is not asked: a host
 * may have written anything into its columns. */
static floc_status check_values(floc_world *world, const section_list *list)
{
  environment *env = &world->env;
  const section *counters = section_find(list, "world.counters"), *numbers = section_find(list, "world.numbers");
  const section *report = section_find(list, "world.report");
  const int64_t *counter = counters->data;
  const double *number = numbers->data;
  floc_status status = section_check_whole(env, counters, 1, 1, 0, COUNTER_LIMIT); /* step, its origin */
  if (status == FLOC_OK) status = section_check_whole(env, counters, 2, 1, 0, counter[1]);
  if (status == FLOC_OK) status = section_check_whole(env, counters, 6, 1, 0, 1);
  if (status == FLOC_OK) status = section_check_numbers(env, numbers, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK) status = section_check_numbers(env, numbers, 1, 1, NUMBERS_ABOVE_0); /* time step */
  if (status == FLOC_OK && !isfinite(number[0] + (double)(counter[1] - counter[2] + 1) * number[1]))
    status = refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": elements 0 and 1, %g and %g, are no valid time",
                    numbers->name, number[0], number[1]);
  const number_range count = {0.0, (double)COUNTER_LIMIT, false};
  if (status == FLOC_OK) status = section_check_numbers(env, report, 2, 2, count);
  if (status == FLOC_OK && report->rows == REPORT_COUNT) status = section_check_numbers(env, report, 8, 1, count);
  return status == FLOC_OK ? particles_check_sections(&world->table, &world->box, list) : status;
}

/* As the run that wrote it, so that it continues with the same bits; files that say nothing leave the world's own.
 */
static floc_status take_patches(floc_world *world, const section_list *list)
{
  const section *found = section_find(list, PATCHES_SECTION);
  if (!found) return FLOC_OK;
  floc_status status = section_expect(list, PATCHES_SECTION, "i64", 1, 1, &found);
  if (status == FLOC_OK) status = section_check_whole(&world->env, found, 0, 1, 1, PARTICLE_LIMIT);
  if (status != FLOC_OK) return status;
  world->patch_particles = *(const int64_t *)found->data;
  neighbors_set_patches(world->near, world->patch_particles);
  return FLOC_OK;
}

static floc_status take_state(floc_world *world, memory_form form, const section_list *list)
{
  const int64_t *counter;
  const double *number, *kept;
  floc_status status = bodies_check_types(&world->obstacles, list);
  if (status == FLOC_OK) status = check_structure(world, list, &counter, &number, &kept);
  if (status == FLOC_OK) status = take_patches(world, list);
  if (status == FLOC_OK) status = world_cell_restore(world, list);
  if (status == FLOC_OK && form != MEMORY_AS_IT_IS) status = check_values(world, list);
  if (status == FLOC_OK) status = particles_restore(&world->table, list);
  if (status == FLOC_OK) status = bodies_restore(&world->obstacles, list);
  if (status == FLOC_OK) status = joints_restore(&world->obstacles, list, world->table.last_id);
  if (status == FLOC_OK) status = joints_check_particles(&world->obstacles, &world->table);
  if (status == FLOC_OK) status = rigid_restore(&world->assemblies, list, world->table.last_id);
  if (status == FLOC_OK) status = world_check_members(world);
  if (status == FLOC_OK)
    status = neighbors_restore(world->near, list, world->table.count, world->obstacles.shape_count);
  if (status == FLOC_OK) neighbors_see_radii(world->near, &world->table);
  if (status == FLOC_OK && form != MEMORY_AS_IT_IS) status = world_memory_restore(world, list);
  if (status == FLOC_OK && form == MEMORY_AS_IT_IS) world_memory_give_back(world, list);
  if (status == FLOC_OK) status = laws_restore(world->forces, &world->table, list);
  if (status == FLOC_OK) status = bond_watch_restore(&world->env, &world->bonds, list);
  if (status == FLOC_OK) status = merge_watch_restore(&world->env, &world->merges, list, world->table.last_id);
  if (status == FLOC_OK && world->keeps_ledger) status = energy_ledger_restore(&world->ledger, &world->env, list);
  if (status == FLOC_OK && ray_sources_count(world->rays) > 0)
    status = ray_sources_restore(world->rays, list, world->table.last_id, world->obstacles.shape_count);
  if (status == FLOC_OK) status = ray_sources_check_ids(world->rays, &world->table);
  if (status == FLOC_OK && world->method.restore)
    status = world->method.restore(world->method.state, list, world->table.count, world->obstacles.shape_count);
  if (status == FLOC_OK) take_numbers(world, counter, number, kept, section_find(list, "world.report")->rows);
  return status == FLOC_OK ? world_contact_restore(world, list) : status;
}

static int32_t find_attachment(const floc_world *world, const char *name)
{
  for (int32_t k = 0; k < world->attachment_count; k++)
    if (strcmp(world->attachments[k].name, name) == 0) return k;
  return -1;
}

static void remove_attachment(floc_world *world, int32_t number)
{
  attachment *old = &world->attachments[number];
  memory_free(&world->env, old->bytes, old->length);
  world->attachment_count--;
  memmove(old, old + 1, (size_t)(world->attachment_count - number) * sizeof *old);
}

static floc_status set_attachment(floc_world *world, const char *name, const void *bytes, size_t length)
{
  environment *env = &world->env;
  if (!name || (!bytes && length > 0)) return refuse(env, FLOC_INVALID_ARGUMENT, "name or bytes is NULL");
  if (strlen(name) == 0 || strlen(name) >= sizeof world->attachments->name)
    return refuse(env, FLOC_INVALID_ARGUMENT, "attachment name \"%.60s\" must have 1 to %zu characters", name,
                  sizeof world->attachments->name - 1);
  int32_t old = find_attachment(world, name);
  if (length == 0) {
    if (old >= 0) remove_attachment(world, old);
    return FLOC_OK;
  }
  floc_status status = array_reserve(env, (void **)&world->attachments, &world->attachment_capacity,
                                     (size_t)world->attachment_count + 1, sizeof(attachment));
  if (status != FLOC_OK) return status;
  attachment made = {"", memory_resize(env, NULL, 0, length), length};
  if (!made.bytes) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", length);
  memcpy(made.bytes, bytes, length);
  strcpy(made.name, name);
  if (old >= 0) remove_attachment(world, old);
  world->attachments[world->attachment_count++] = made;
  return FLOC_OK;
}

static floc_status take_attachments(floc_world *world, const section_list *list)
{
  size_t prefix = strlen(attachment_prefix);
  for (int32_t k = 0; k < list->count; k++) {
    const section *part = &list->item[k];
    if (strncmp(part->name, attachment_prefix, prefix) != 0) continue;
    floc_status status = set_attachment(world, part->name + prefix, part->data, part->rows);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static size_t bytes_of(const section *part)
{
  return part->rows * part->columns * section_type_size(part->type);
}

/* Columns in the order of ids are a copy already, which code that takes a state does not change. */
static bool is_copy(const floc_world *world, const section *part)
{
  uintptr_t begin = (uintptr_t)world->table.staging, at = (uintptr_t)part->data;
  return at >= begin && at - begin < world->table.staging_capacity * sizeof(double);
}

/* Copies what the list points at to the world's scratch memory. */
static floc_status copy_parts(floc_world *world, section_list *list)
{
  for (int32_t k = 0; k < list->count; k++) {
    section *part = &list->item[k];
    if (is_copy(world, part)) continue;
    void *copy = arena_allocate(&world->scratch, bytes_of(part), 1);
    if (!copy) return FLOC_OUT_OF_MEMORY;
    if (bytes_of(part) > 0) memcpy(copy, part->data, bytes_of(part));
    part->data = copy;
  }
  return FLOC_OK;
}

/* Takes the file's state; if a part of it is refused during the load, the world gets its own state back. */
static floc_status take_or_keep(floc_world *world, const section_list *file)
{
  staging stage = {0};
  arena_reset(&world->scratch);
  section_list before;
  section_list_init(&before, &world->env);
  floc_status status = list_state(world, MEMORY_AS_IT_IS, &stage, &before);
  if (status == FLOC_OK) status = world_contact_sections(world, &before);
  if (status == FLOC_OK) status = copy_parts(world, &before);
  bodies copy = {.env = NULL};
  if (status == FLOC_OK) status = bodies_remove_as_in(&world->obstacles, file, &copy);
  if (status == FLOC_OK) {
    status = take_state(world, MEMORY_BY_ID, file);
    if (status != FLOC_OK) {
      char message[MESSAGE_SIZE];
      memcpy(message, world->env.message, sizeof message);
      if (copy.env) bodies_take_copy(&world->obstacles, &copy);
      take_state(world, MEMORY_AS_IT_IS, &before);
      memcpy(world->env.message, message, sizeof message);
    }
  }
  if (copy.env) bodies_drop_copy(&world->obstacles, &copy);
  section_list_free(&before);
  return status;
}

/* The oldest files have no version of the mathematics, and nothing is reported for them. */
static void compare_mathematics(floc_world *world, const section_list *list, const char *name)
{
  uint64_t written, here = mathematics_version();
  if (!mathematics_of_sections(list, &written) || written == here) return;
  report_line(
      &world->env, 1,
      "%s: other mathematical functions have computed what is in it (version %016" PRIx64 ", here %016" PRIx64
      "), those of another version of floc or, before 0.3.0, of the C library: the results may differ in the last "
      "bits from those of the run that wrote it",
      name, written, here);
}

/* name: of the file, for messages. */
static floc_status take_file(floc_world *world, const section_list *file, const char *name)
{
  world->energies_hold = false;
  floc_status status = take_or_keep(world, file);
  if (status == FLOC_OK) status = take_attachments(world, file);
  if (status == FLOC_OK) compare_mathematics(world, file, name);
  return status;
}

floc_status floc_world_load(floc_world *world, const char *path)
{
  WORLD_ENTER(world);
  if (!path) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "path is NULL");
  checkpoint *file = NULL;
  floc_status status = checkpoint_open(&world->env, file_layer_system(), path, &file);
  if (status != FLOC_OK) return status;
  status = take_file(world, checkpoint_sections(file), path);
  checkpoint_close(file);
  return status;
}

floc_status floc_world_load_file(floc_world *world, const floc_file *file)
{
  WORLD_ENTER(world);
  if (!file) return refuse(&world->env, FLOC_INVALID_ARGUMENT, "file is NULL");
  return take_file(world, file_sections(file), floc_file_path(file));
}

/* ---- attachments ---- */

floc_status floc_attachment_set(floc_world *world, const char *name, const void *bytes, size_t length)
{
  WORLD_ENTER(world);
  return set_attachment(world, name, bytes, length);
}

floc_status floc_attachment_get(floc_world *world, const char *name, const void **bytes, size_t *length)
{
  WORLD_READ(world, env);
  if (!name || !bytes || !length) return refuse(env, FLOC_INVALID_ARGUMENT, "name, bytes or length is NULL");
  int32_t found = find_attachment(world, name);
  if (found < 0) return refuse(env, FLOC_NOT_FOUND, "there is no attachment \"%.60s\"", name);
  *bytes = world->attachments[found].bytes;
  *length = world->attachments[found].length;
  return FLOC_OK;
}

void world_free_attachments(floc_world *world)
{
  while (world->attachment_count > 0) remove_attachment(world, world->attachment_count - 1);
  array_free(&world->env, (void **)&world->attachments, &world->attachment_capacity, sizeof(attachment));
}
