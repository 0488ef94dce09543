/*
 * Contacts, and forces that are looked at between steps; what of them travels in checkpoints, beside the state
 * (sections contacts.start, contacts.start_apart, laws.memory.pairs, laws.memory.walls: see docs/checkpoint.md).
 * Positions at the start of the last step (measures/contacts.c) follow from position, velocity and time step but
 * for rounding, hence the codes. Files without these sections (older ones, or with nothing to tell) give normals of
 * the present.
 */
#include "world.h"

#include "measures/contacts.h"
#include "measures/present_lists.h"
#include "particles/owned.h"

#include <math.h>
#include <string.h>

/* ---- looking at forces ---- */

floc_status world_copy_table(floc_world *world, particles *copy)
{
  *copy = world->table;
  for (int axis = 0; axis < 3; axis++) {
    copy->column[COLUMN_fx + axis] = arena_allocate(&world->scratch, (size_t)copy->count, sizeof(double));
    if (!copy->column[COLUMN_fx + axis]) return FLOC_OUT_OF_MEMORY;
  }
  return FLOC_OK;
}

floc_status world_present_lists(floc_world *world, double range, neighbors **near, neighbors **made)
{
  *made = NULL;
  *near = world->near;
  if (neighbors_hold(world->near, &world->table, &world->obstacles, &world->box, range)) return FLOC_OK;
  floc_status status = present_lists_make(&world->env, world->near, &world->table, &world->obstacles, &world->box,
                                          range, &world->scratch, made);
  *near = *made;
  return status;
}

/* Within which contacts, and what laws act on, are seen. */
static double range_of_contacts(const floc_world *world)
{
  const scheme *method = &world->method;
  double greatest = 0.0;
  EACH_SLOT(i, &world->table) greatest = fmax(greatest, world->table.column[COLUMN_radius][i]);
  return fmax(fmax(laws_range(world->forces), method->pair_range(method->state, &world->table)), 0.02 * greatest);
}

/* Columns of forces in pairs and at walls, of the scheme and of laws. */
static floc_status make_columns(floc_world *world, const neighbors *near, observed_forces *forces)
{
  floc_status status = pair_forces_make(&world->scratch, near, world->box.dimension, &forces->own);
  return status == FLOC_OK ? pair_forces_make(&world->scratch, near, world->box.dimension, &forces->laws) : status;
}

floc_status world_observe(floc_world *world, law_record *record, bool in_pairs, double range, neighbors **near,
                          neighbors **made, observed_forces *forces)
{
  const scheme *method = &world->method;
  range = fmax(range, record ? laws_range(world->forces) : range_of_contacts(world));
  particles copy;
  floc_status status = world_present_lists(world, range, near, made);
  if (status == FLOC_OK) status = world_copy_table(world, &copy);
  if (status == FLOC_OK && record) status = laws_record_make_room(world->forces, record, *near, &world->scratch);
  if (status == FLOC_OK && in_pairs) status = make_columns(world, *near, forces);
  if (status != FLOC_OK) return status;
  if (record) forces->laws = record->forces;
  step_context context = world_context(world);
  context.table = &copy;
  context.near = *near;
  if (record) laws_record_begin(world->forces, record);
  status = method->observe(method->state, &context, world->laws_again, forces);
  laws_record_end(world->forces);
  return status;
}

/* Fills shown_force. */
static floc_status find_forces(floc_world *world)
{
  size_t count = (size_t)world->table.count;
  observed_forces forces = {.on_particle = {NULL}};
  for (int axis = 0; axis < SHOWN_FORCES; axis++) {
    floc_status status = array_reserve(&world->env, (void **)&world->shown_force[axis],
                                       &world->shown_force_capacity[axis], count, sizeof(double));
    if (status != FLOC_OK) return status;
    forces.on_particle[axis] = world->shown_force[axis];
  }
  neighbors *near, *made = NULL;
  arena_mark here = arena_here(&world->scratch);
  floc_status status = world_observe(world, NULL, false, 0.0, &near, &made, &forces);
  neighbors_destroy(made);
  arena_return(&world->scratch, here);
  return status;
}

/* The columns, asked for one after the other, are those of one moment; asked for again they are found again.
 */
floc_status world_show_force(floc_world *world, int axis, double **values)
{
  bool in_a_row = world->force_column > 0 && world->force_column + 1 == world->column_calls;
  bool known = in_a_row && world->force_call == world->calls && !(world->forces_given & 1u << axis);
  if (!known) {
    WORLD_ENTER(world);
    floc_status status = find_forces(world);
    if (status != FLOC_OK) return status;
    world->forces_given = 0;
    world->force_call = world->calls;
  }
  world->forces_given |= 1u << axis;
  world->force_column = world->column_calls;
  *values = world->shown_force[axis];
  return FLOC_OK;
}

/* ---- contacts ---- */

void world_forget_contacts(floc_world *world)
{
  array_free(&world->env, (void **)&world->found_contacts, &world->found_capacity, sizeof(floc_contact));
  world->found_count = 0;
}

/* Soft contacts are looked at block by block; laws, which act in an order of their own, are asked before. */
static floc_status look_at_contacts(floc_world *world, neighbors **made, pair_forces *exerted,
                                    contacts_source *source)
{
  const scheme *method = &world->method;
  neighbors *near;
  particles copy;
  floc_status status = world_present_lists(world, range_of_contacts(world), &near, made);
  if (status != FLOC_OK) return status;
  step_context *context = arena_allocate(&world->scratch, 1, sizeof *context);
  if (!context) return FLOC_OUT_OF_MEMORY;
  *context = world_context(world);
  context->near = near;
  source->near = near;
  if (laws_force_count(world->forces) > 0) {
    observed_forces forces = {.on_particle = {NULL}};
    status = world_copy_table(world, &copy);
    if (status == FLOC_OK) status = pair_forces_make(&world->scratch, near, world->box.dimension, &forces.laws);
    if (status != FLOC_OK) return status;
    context->table = &copy;
    status = method->observe(method->state, context, world->laws_again, &forces);
    context->table = &world->table;
    *exerted = forces.laws;
    source->laws = exerted;
  }
  source->look_at = method->look_at;
  return status == FLOC_OK ? method->look(method->state, context, &source->look) : status;
}

floc_status world_visit_contacts(floc_world *world, contact_wants wants, contacts_sink sink, void *context)
{
  const scheme *method = &world->method;
  if (method->step && !method->exerts_contacts)
    return refuse(
        &world->env, FLOC_NOT_SUPPORTED,
        "the scheme %s has no contacts with impulses; clusters by links show which particles are connected",
        method->shown);
  floc_status round = world_need_round(world, "contacts");
  if (round != FLOC_OK) return round;
  contacts_source source = {.table = &world->table,
                            .obstacles = &world->obstacles,
                            .assemblies = &world->assemblies,
                            .near = world->near,
                            .box = &world->box,
                            .time_step = world->time_step};
  neighbors *made = NULL;
  pair_forces exerted;
  floc_status status = FLOC_OK;
  arena_mark here = arena_here(&world->scratch);
  if (method->look) status = look_at_contacts(world, &made, &exerted, &source);
  const domain start_box = world_start_box(world);
  if (method->contact_positions) source.position = method->contact_positions(method->state, &source.position_count);
  source.start_box = &start_box;
  if (!method->look) source.frozen = particles_frozen(&world->table);
  if (status == FLOC_OK) contacts_visit(&source, wants, sink, context);
  neighbors_destroy(made);
  arena_return(&world->scratch, here);
  return status;
}

/* Into the world's array, which grows. */
typedef struct contact_keeping {
  floc_world *world;
  floc_status status;
} contact_keeping;

static void keep_contacts(void *context, const contact_block *block)
{
  contact_keeping *keeping = context;
  floc_world *world = keeping->world;
  if (keeping->status == FLOC_OK)
    keeping->status = array_reserve(&world->env, (void **)&world->found_contacts, &world->found_capacity,
                                    (size_t)(world->found_count + block->count), sizeof(floc_contact));
  if (keeping->status != FLOC_OK) return;
  for (int32_t row = 0; row < block->count; row++)
    contact_of_block(block, row, &world->found_contacts[world->found_count + row]);
  world->found_count += block->count;
}

bool world_has_counted(const floc_world *world)
{
  return world->found_call > 0 && world->found_call + 1 == world->calls;
}

floc_status world_count_contacts(floc_world *world, int64_t capacity)
{
  if (capacity > 0 && world_has_counted(world)) return FLOC_OK;
  contact_keeping keeping = {world, FLOC_OK};
  world->found_count = 0;
  floc_status status = world_visit_contacts(world, CONTACT_ALL, keep_contacts, &keeping);
  return status == FLOC_OK ? keeping.status : status;
}

/* A caller that counts first and copies with the next call gets what was counted. */
floc_status floc_world_get_contacts_sized(floc_world *world, floc_contact *contacts, uint32_t size,
                                          int64_t capacity, int64_t *count)
{
  WORLD_ENTER(world);
  if (!count || capacity < 0 || (!contacts && capacity > 0))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "contacts or count is NULL, or capacity is below 0");
  if (!struct_size_fits(size, FIRST_contact, sizeof *contacts))
    return refuse(&world->env, FLOC_INVALID_ARGUMENT, "size is %u; it must be sizeof(floc_contact)", size);
  floc_status status = world_count_contacts(world, capacity);
  if (status != FLOC_OK) return status;
  *count = world->found_count;
  int64_t wanted = capacity < world->found_count ? capacity : world->found_count;
  for (int64_t k = 0; k < wanted; k++)
    struct_put_sized(contacts, k, size, &world->found_contacts[k], sizeof world->found_contacts[k]);
  world->found_call = capacity == 0 ? world->calls : 0;
  if (capacity > 0) world_forget_contacts(world);
  return FLOC_OK;
}

/* What programs of 0.1.0 call. */
__attribute__((visibility("default")))
floc_status(floc_world_get_contacts)(floc_world *world, floc_contact *contacts, int64_t capacity, int64_t *count);
floc_status(floc_world_get_contacts)(floc_world *world, floc_contact *contacts, int64_t capacity, int64_t *count)
{
  return floc_world_get_contacts_sized(world, contacts, FIRST_contact, capacity, count);
}

/* ---- positions at the start, in checkpoints ---- */

enum { CODE_OF_PREDICTION = 128, CODE_APART = 0 };

/* Doubles in their order as integers: neighbours differ by one. */
static int64_t rank_of(double value)
{
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >= 0 ? bits : INT64_MIN - bits;
}

static double value_of(int64_t rank)
{
  int64_t bits = rank >= 0 ? rank : INT64_MIN - rank;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double predicted_start(const floc_world *world, int axis, int64_t slot)
{
  double *const *column = world->table.column;
  return domain_wrap(&world->box, axis,
                     column[COLUMN_x + axis][slot] - world->time_step * column[COLUMN_vx + axis][slot]);
}

static bool any_impulse(const floc_world *world)
{
  for (int32_t m = 0; m < neighbors_memory_count(world->near); m++) {
    if (strcmp(neighbors_memory_name(world->near, m), "impulse") != 0) continue;
    const pair_list *lists[2] = {neighbors_pairs(world->near), neighbors_walls(world->near)};
    for (int which = 0; which < 2; which++)
      for (int64_t k = 0; k < lists[which]->count; k++)
        if (lists[which]->memory[m][k] != 0.0) return true;
  }
  return false;
}

/* Particles that came after the step have where they are. */
static double start_of(const floc_world *world, const double *const *position, int64_t known, int axis,
                       int64_t slot)
{
  return slot < known ? position[axis][slot] : world->table.column[COLUMN_x + axis][slot];
}

static floc_status list_start(floc_world *world, section_list *list)
{
  const particles *table = &world->table;
  int32_t dimension = world->box.dimension;
  int64_t known = 0, numbers = table->count * dimension, apart_count = 0;
  if (!world->method.contact_positions) return FLOC_OK;
  const double *const *position = world->method.contact_positions(world->method.state, &known);
  if (known == 0 || !any_impulse(world)) return FLOC_OK;
  uint8_t *code = arena_allocate(&world->scratch, (size_t)numbers, sizeof *code);
  double *apart = arena_allocate(&world->scratch, (size_t)numbers, sizeof *apart);
  if (!code || !apart) return FLOC_OUT_OF_MEMORY;
  EACH_RANK(rank, table)
    for (int axis = 0; axis < dimension; axis++) {
      double value = start_of(world, position, known, axis, table->slot[rank]);
      uint64_t way = (uint64_t)rank_of(value) - (uint64_t)rank_of(predicted_start(world, axis, table->slot[rank])) +
                     CODE_OF_PREDICTION;
      bool fits = way > CODE_APART && way <= UINT8_MAX;
      code[rank * dimension + axis] = fits ? (uint8_t)way : CODE_APART;
      if (!fits) apart[apart_count++] = value;
    }
  floc_status status =
      section_list_add(list, "contacts.start", "u8", (uint64_t)table->count, (uint64_t)dimension, code, false);
  if (status != FLOC_OK) return status;
  return section_list_add(list, "contacts.start_apart", "f64", (uint64_t)apart_count, 1, apart, false);
}

static floc_status decode_start(floc_world *world, const section *codes, const section *apart,
                                double *const position[3])
{
  const particles *table = &world->table;
  int32_t dimension = world->box.dimension;
  const uint8_t *code = codes->data;
  const double *left = apart->data;
  uint64_t used = 0;
  EACH_RANK(rank, table)
    for (int axis = 0; axis < dimension; axis++) {
      int64_t slot = table->slot[rank];
      uint8_t way = *code++;
      if (way == CODE_APART && used == apart->rows)
        return refuse(&world->env, FLOC_DAMAGED_FILE, "section \"%s\" has too few rows", apart->name);
      position[axis][slot] = way == CODE_APART
                                 ? left[used++]
                                 : value_of((int64_t)((uint64_t)rank_of(predicted_start(world, axis, slot)) + way -
                                                      CODE_OF_PREDICTION));
      if (!isfinite(position[axis][slot]))
        return refuse(&world->env, FLOC_DAMAGED_FILE, "section \"%s\": row %lld is not finite", codes->name,
                      (long long)rank);
    }
  return FLOC_OK;
}

static floc_status take_start(floc_world *world, const section_list *list)
{
  const section *codes = section_find(list, "contacts.start"), *apart;
  const scheme *method = &world->method;
  double *position[3] = {NULL, NULL, NULL};
  size_t count = (size_t)world->table.count;
  if (!method->set_contact_positions) return FLOC_OK;
  if (!codes) return method->set_contact_positions(method->state, &world->env, NULL, 0);
  floc_status status = section_expect(list, "contacts.start", "u8", count, (uint64_t)world->box.dimension, &codes);
  if (status == FLOC_OK) status = section_expect(list, "contacts.start_apart", "f64", UINT64_MAX, 1, &apart);
  if (status != FLOC_OK) return status;
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = arena_allocate(&world->scratch, count, sizeof(double));
    if (!position[axis]) return FLOC_OUT_OF_MEMORY;
    if (count > 0) memset(position[axis], 0, count * sizeof(double));
  }
  status = decode_start(world, codes, apart, position);
  if (status != FLOC_OK) return status;
  return method->set_contact_positions(method->state, &world->env, (const double *const *)position,
                                       world->table.count);
}

/* ---- what laws remembered before the last step ---- */

static const char *const MEMORY_NAME[2] = {"laws.memory.pairs", "laws.memory.walls"};

static int32_t spare_columns(const neighbors *near, int32_t column[MEMORY_LIMIT])
{
  int32_t count = 0;
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (neighbors_memory_is_spare(near, k)) column[count++] = k;
  return count;
}

/* Of laws that remember in their bonds alone, what they remembered before is among the bonds' sections. */
static const char AGAIN_NAME[] = "laws.again";

static floc_status list_law_memory(floc_world *world, section_list *list)
{
  static const uint8_t again = 1;
  int32_t column[MEMORY_LIMIT], columns = spare_columns(world->near, column);
  if (world->laws_again && columns == 0) return section_list_add(list, AGAIN_NAME, "u8", 1, 1, &again, false);
  if (!world->laws_again) return FLOC_OK;
  const pair_list *lists[2] = {neighbors_pairs(world->near), neighbors_walls(world->near)};
  for (int which = 0; which < 2; which++) {
    size_t count = (size_t)lists[which]->count;
    double *rows = arena_allocate(&world->scratch, count * (size_t)columns, sizeof *rows);
    if (!rows) return FLOC_OUT_OF_MEMORY;
    for (size_t k = 0; k < count; k++)
      for (int32_t c = 0; c < columns; c++)
        rows[k * (size_t)columns + (size_t)c] = lists[which]->memory[column[c]][k];
    floc_status status = section_list_add(list, MEMORY_NAME[which], "f64", count, (uint64_t)columns, rows, false);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status take_law_memory(floc_world *world, const section_list *list)
{
  int32_t column[MEMORY_LIMIT], columns = spare_columns(world->near, column);
  const pair_list *lists[2] = {neighbors_pairs(world->near), neighbors_walls(world->near)};
  const section *rows[2];
  world->laws_again = columns == 0 && section_find(list, AGAIN_NAME) && laws_remember(world->forces);
  if (columns == 0 || !section_find(list, MEMORY_NAME[0])) return FLOC_OK;
  for (int which = 0; which < 2; which++) {
    floc_status status = section_expect(list, MEMORY_NAME[which], "f64", (uint64_t)lists[which]->count,
                                        (uint64_t)columns, &rows[which]);
    if (status != FLOC_OK) return status;
  }
  for (int which = 0; which < 2; which++)
    for (int64_t k = 0; k < lists[which]->count; k++)
      for (int32_t c = 0; c < columns; c++)
        lists[which]->memory[column[c]][k] = ((const double *)rows[which]->data)[k * columns + c];
  world->laws_again = true;
  return FLOC_OK;
}

/* ---- both ---- */

floc_status world_contact_sections(floc_world *world, section_list *list)
{
  floc_status status = list_start(world, list);
  return status == FLOC_OK ? list_law_memory(world, list) : status;
}

floc_status world_contact_restore(floc_world *world, const section_list *list)
{
  floc_status status = take_start(world, list);
  return status == FLOC_OK ? take_law_memory(world, list) : status;
}
