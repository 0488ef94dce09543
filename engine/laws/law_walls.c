/*
 * Wall laws: forces between particles and the shapes of bodies near them, as they are at the end of the step. The
 * normal points from the particle to the surface; velocities are the surface's, mean over the step, against
 * the particle's. A particle near the joint of two shapes of a body is near both.
 *
 * Entries of the list of walls are few against pairs, so results are kept whole per entry: force and torque on the
 * particle. They are added per particle in the order of its row, and per body in the order of the list.
 */
#include "laws/laws_internal.h"

#include "base/interruption.h"
#include "geometry/vector.h"
#include "laws/law_axes.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WALL_CHUNK = 2048 };

/* What acts on the particle of an entry. */
typedef struct wall_push {
  double force[3], torque[3], point[3];
  double couple[3]; /* on the body, beside the force's reaction at the point */
} wall_push;

struct wall_pass {
  laws *all;
  const laws_moment *at;
  const pair_list *walls;
  const law *which;
  wall_push *push; /* per entry */
  double *energy;  /* per chunk */
  int64_t chunks;
  chunk_mark *marks;
  law_desks desks;
  struct wall_block *blocks; /* per desk */
  double *amount;            /* of the law at work: [amount_count][walls->count] */
  double *shape_amount;      /* likewise, [shape_amount_count][walls->count] */
};

/* One entry in range. */
typedef struct wall_contact {
  int64_t entry;
  int32_t slot, body, material;
  double distance, radius, arm;
  double normal[3], point[3], slip[3];
  double normal_velocity, tangential_velocity;
} wall_contact;

typedef struct wall_block {
  int32_t count;
  wall_contact contact[LAW_BLOCK];
} wall_block;

/* ---- geometry ---- */

static void find_velocities(const wall_pass *pass, wall_contact *contact)
{
  const laws_moment *at = pass->at;
  int dimension = pass->all->dimension;
  double surface[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0}, turn[3];
  const double *n = contact->normal;
  if (pass->all->observes)
    body_last_velocity(&at->obstacles->body[contact->body], contact->point, surface);
  else
    body_point_velocity(&at->obstacles->body[contact->body], dimension, at->time_step, contact->point, surface);
  contact->normal_velocity = 0.0;
  for (int k = 0; k < dimension; k++) {
    contact->slip[k] = surface[k] - at->table->column[COLUMN_vx + k][contact->slot];
    contact->normal_velocity += contact->slip[k] * n[k];
  }
  for (int k = 0; k < 3; k++)
    if (at->spin[k]) spin[k] = at->spin[k][contact->slot];
  vector_cross(spin, n, turn);
  vector_add_scaled(contact->slip, -contact->arm, turn, contact->slip);
  vector_add_scaled(contact->slip, -contact->normal_velocity, n, contact->slip);
  const double *slip = contact->slip;
  contact->tangential_velocity = dimension == 2 ? n[0] * slip[1] - n[1] * slip[0]
                                                : sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
}

static bool find_contact(const wall_pass *pass, int64_t entry, wall_contact *contact)
{
  const laws_moment *at = pass->at;
  double *const *column = at->table->column;
  const shape *surface = &at->obstacles->world[pass->walls->second[entry]];
  int32_t slot = pass->walls->first[entry];
  double position[3] = {column[COLUMN_x][slot], column[COLUMN_y][slot], column[COLUMN_z][slot]};
  *contact = (wall_contact){.entry = entry, .slot = slot, .body = surface->body};
  contact->distance = shape_distance(surface, pass->all->dimension, position, contact->normal, contact->point);
  contact->radius = column[COLUMN_radius][slot];
  if (!(contact->distance - contact->radius <= pass->which->range)) return false;
  contact->arm =
      contact->distance > 0.0 ? contact->distance : 0.0; /* a centre behind the surface counts as on it */
  contact->material = body_material(at->obstacles, surface);
  if (pass->which->needs_velocity) find_velocities(pass, contact);
  return true;
}

static int64_t collect_contacts(const wall_pass *pass, int64_t entry, int64_t end, wall_block *block)
{
  block->count = 0;
  for (; entry < end && block->count < LAW_BLOCK; entry++)
    block->count += find_contact(pass, entry, &block->contact[block->count]);
  return entry;
}

/* ---- inputs and outputs ---- */

static double axis_of(const wall_pass *pass, const law_input *source, const wall_contact *contact)
{
  double value;
  law_axes(pass->at->table, pass->all->dimension, source->number, &contact->slot, 1, &value);
  return value;
}

static double wall_input(const wall_pass *pass, const law_input *source, const wall_contact *contact)
{
  const particles *table = pass->at->table;
  switch (source->kind) {
  case INPUT_DISTANCE:
    return contact->distance;
  case INPUT_OVERLAP:
    return contact->radius - contact->distance;
  case INPUT_NORMAL_VELOCITY:
    return contact->normal_velocity;
  case INPUT_TANGENTIAL_VELOCITY:
    return contact->tangential_velocity;
  case INPUT_NORMAL:
    return contact->normal[source->number];
  case INPUT_SLIP:
    return contact->slip[source->number];
  case INPUT_MEMORY:
    return pass->walls->memory[law_memory_column(pass->all, pass->which, source->number)][contact->entry];
  case INPUT_ID_I:
    return (double)table->id[contact->slot];
  case INPUT_BODY:
    return contact->body + 1.0; /* scripts count from 1 */
  case INPUT_MATERIAL:
    return contact->material;
  case INPUT_SHAPE:
    return pass->at->obstacles->attributes.value[source->number][pass->walls->second[contact->entry]];
  case INPUT_AXIS_I:
    return axis_of(pass, source, contact);
  case INPUT_NORMAL_RANDOM:
  case INPUT_UNIFORM_RANDOM:
    return law_random(pass->all, pass->which, source, table->id[contact->slot],
                      pass->walls->second[contact->entry] + (int64_t)1);
  default:
    return table->column[source->number][contact->slot];
  }
}

static void gather_inputs(const wall_pass *pass, const wall_block *contacts, law_block *block)
{
  const law *which = pass->which;
  for (int32_t k = 0; k < which->input_count; k++) {
    if (law_fill_uniform(which, k, pass->at->time, pass->at->time_step, contacts->count, block)) continue;
    for (int32_t row = 0; row < contacts->count; row++)
      block->input[k][row] = wall_input(pass, &which->input[k], &contacts->contact[row]);
    block->from[k] = block->input[k];
  }
}

/* The tangential force on the wall. */
static void add_tangential(const wall_pass *pass, const law_output *output, double value,
                           const wall_contact *contact, double tangential[3])
{
  if (output->kind == OUTPUT_TANGENTIAL_VECTOR) {
    if (output->number < pass->all->dimension) tangential[output->number] += value;
  } else if (pass->all->dimension == 2) {
    tangential[0] -= value * contact->normal[1];
    tangential[1] += value * contact->normal[0];
  } else if (contact->tangential_velocity > 0.0) {
    vector_add_scaled(tangential, value / contact->tangential_velocity, contact->slip, tangential);
  }
}

/* Vectors and amounts. A force acts on the particle's centre and its opposite on the body at the same place, which
 * is distance times the normal away from the point. */
static void take_extra(const wall_pass *pass, const wall_contact *contact, const law_block *block, int32_t row)
{
  const law *which = pass->which;
  wall_push *push = &pass->push[contact->entry];
  double force[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.0}, turn[3];
  for (int32_t n = 0; n < which->output_count && which->has_vector; n++) {
    if (which->output[n].kind == OUTPUT_FORCE) force[which->output[n].number] = block->output[n][row];
    if (which->output[n].kind == OUTPUT_TORQUE) torque[which->output[n].number] = block->output[n][row];
  }
  vector_cross(contact->normal, force, turn);
  for (int k = 0; k < 3 && which->has_vector; k++) {
    push->force[k] += force[k];
    push->torque[k] += torque[k];
    push->couple[k] += contact->distance * turn[k] - torque[k];
  }
  for (int32_t n = 0; n < which->amount_count; n++)
    pass->amount[n * pass->walls->count + contact->entry] = block->output[which->amount[n].output][row];
  for (int32_t n = 0; n < which->shape_amount_count; n++)
    pass->shape_amount[n * pass->walls->count + contact->entry] = block->output[which->shape_amount[n].output][row];
  const pair_forces *forces = law_is_shown(pass->all, which) ? pass->all->view.forces : NULL;
  if (!forces || !which->has_vector) return;
  double along = vector_dot(force, contact->normal);
  forces->normal[1][contact->entry] -= along;
  for (int k = 0; k < pass->all->dimension; k++)
    forces->tangential[1][k][contact->entry] -= force[k] - along * contact->normal[k];
}

static void take_outputs(const wall_pass *pass, const wall_contact *contact, const law_block *block, int32_t row,
                         double *energy)
{
  const law *which = pass->which;
  double tangential[3] = {0.0, 0.0, 0.0}, turn[3], normal = 0.0;
  for (int32_t n = 0; n < which->output_count; n++) {
    const law_output *output = &which->output[n];
    double value = block->output[n][row];
    if (output->kind == OUTPUT_NORMAL)
      normal = value;
    else if (output->kind == OUTPUT_ENERGY)
      *energy += value;
    else if (output->kind == OUTPUT_TANGENTIAL || output->kind == OUTPUT_TANGENTIAL_VECTOR)
      add_tangential(pass, output, value, contact, tangential);
  }
  const pair_forces *forces = law_is_shown(pass->all, which) ? pass->all->view.forces : NULL;
  if (forces) forces->normal[1][contact->entry] += normal;
  for (int axis = 0; axis < pass->all->dimension && forces; axis++)
    forces->tangential[1][axis][contact->entry] += tangential[axis];
  wall_push *push = &pass->push[contact->entry];
  for (int32_t n = 0; n < which->output_count && !pass->all->observes; n++)
    if (which->output[n].kind == OUTPUT_MEMORY)
      pass->walls->memory[which->memory[which->output[n].number].next][contact->entry] = block->output[n][row];
  vector_cross(contact->normal, tangential, turn);
  for (int k = 0; k < 3; k++) {
    push->force[k] -= normal * contact->normal[k] + tangential[k];
    push->torque[k] -= contact->arm * turn[k];
    push->point[k] = contact->point[k];
  }
  if (which->has_vector || which->amount_count > 0 || which->shape_amount_count > 0)
    take_extra(pass, contact, block, row);
}

static void record_contacts(const wall_pass *pass, const wall_block *contacts, const law_block *block)
{
  int32_t entry[LAW_BLOCK];
  double distance[LAW_BLOCK], radius[LAW_BLOCK], normal[3][LAW_BLOCK];
  for (int32_t row = 0; row < contacts->count; row++) {
    const wall_contact *contact = &contacts->contact[row];
    entry[row] = (int32_t)contact->entry;
    distance[row] = contact->distance;
    radius[row] = contact->radius;
    for (int axis = 0; axis < 3; axis++) normal[axis][row] = contact->normal[axis];
  }
  const record_rows rows = {.count = contacts->count,
                            .entry = entry,
                            .distance = distance,
                            .reach = radius,
                            .normal = {normal[0], normal[1], normal[2]}};
  law_record_block(pass->all, pass->which, &rows, block);
}

/* ---- the passes ---- */

static floc_status wall_blocks(const wall_pass *pass, int32_t desk, int64_t begin, int64_t end, double *energy,
                               chunk_mark *mark)
{
  law_block *block = &pass->desks.block[desk];
  wall_block *contacts = &pass->blocks[desk];
  for (int64_t entry = begin; entry < end;) {
    if (interrupted(pass->all->env)) return FLOC_INTERRUPTED;
    entry = collect_contacts(pass, entry, end, contacts);
    if (contacts->count == 0) continue;
    gather_inputs(pass, contacts, block);
    floc_status status = law_call(pass->which, contacts->count, block);
    mark->changed = block->changed;
    if (status != FLOC_OK) return status;
    int32_t row = law_first_bad(pass->which, block, contacts->count);
    if (row >= 0) {
      mark->bad = contacts->contact[row].entry;
      return FLOC_NOT_A_NUMBER;
    }
    if (law_is_recorded(pass->all, pass->which)) record_contacts(pass, contacts, block);
    for (row = 0; row < contacts->count; row++) take_outputs(pass, &contacts->contact[row], block, row, energy);
  }
  return FLOC_OK;
}

static void wall_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  wall_pass *pass = context;
  chunk_mark *mark = &pass->marks[chunk];
  *mark = (chunk_mark){.status = FLOC_OK, .bad = -1};
  pass->energy[chunk] = 0.0;
  const law *which = pass->which;
  for (int32_t k = 0; k < which->memory_count && !pass->all->observes; k++)
    memset(pass->walls->memory[which->memory[k].next] + begin, 0, (size_t)(end - begin) * sizeof(double));
  int32_t desk = law_desk_take(&pass->desks);
  mark->status = wall_blocks(pass, desk, begin, end, &pass->energy[chunk], mark);
  law_desk_leave(&pass->desks, desk);
}

static floc_status refuse_result(const wall_pass *pass, const chunk_mark *failure)
{
  int64_t bad = failure->bad;
  if (bad < 0) return law_refuse(pass->all, pass->which, failure);
  law_block *block = pass->desks.block;
  wall_block *contacts = pass->blocks;
  char row[300];
  collect_contacts(pass, bad, bad + 1, contacts);
  gather_inputs(pass, contacts, block);
  law_call(pass->which, contacts->count, block);
  law_show_row(pass->which, block, 0, row, sizeof row);
  return refuse(pass->all->env, FLOC_NOT_A_NUMBER,
                "wall law \"%s\" returned a force that is not finite for particle %" PRId64 " and body %d: %s",
                pass->which->name, pass->at->table->id[pass->walls->first[bad]], contacts->contact[0].body + 1,
                row);
}

/* Per particle in the order of its row. */
static void settle_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  const wall_pass *pass = context;
  for (int32_t n = 0; n < pass->which->amount_count; n++) {
    double *target = laws_amount_target(pass->all, pass->at->table, &pass->which->amount[n]);
    const double *amount = pass->amount + n * pass->walls->count;
    for (int64_t i = begin; i < end && target; i++)
      for (int64_t entry = pass->walls->start[i]; entry < pass->walls->start[i + 1]; entry++)
        target[i] += amount[entry];
  }
}

/* Per shape in the order of the list. */
static void settle_shapes(const wall_pass *pass)
{
  laws *all = pass->all;
  const law *which = pass->which;
  for (int32_t n = 0; n < which->shape_amount_count && !all->observes; n++) {
    const law_shape_amount *to = &which->shape_amount[n];
    const double *amount = pass->shape_amount + n * pass->walls->count;
    double *target = all->wear + (size_t)(to->attribute + (to->sum ? all->obstacles->attributes.count : 0)) *
                                     (size_t)all->wear_shapes;
    for (int64_t entry = 0; entry < pass->walls->count; entry++)
      target[pass->walls->second[entry]] += amount[entry];
  }
}

static floc_status apply_law(wall_pass *pass, law *which, int64_t chunks)
{
  laws *all = pass->all;
  pass->which = which;
  all->env->message[0] = '\0';
  which->next_is_given |= !all->observes;
  if (which->amount_count > 0)
    memset(pass->amount, 0, (size_t)which->amount_count * (size_t)pass->walls->count * sizeof *pass->amount);
  if (which->shape_amount_count > 0)
    memset(pass->shape_amount, 0,
           (size_t)which->shape_amount_count * (size_t)pass->walls->count * sizeof *pass->shape_amount);
  environment threads = law_environment(all, which);
  callback_mark before = law_begin(all, which);
  parallel_for(&threads, pass->walls->count, WALL_CHUNK, wall_chunk, pass);
  const chunk_mark *failure = chunk_marks_first(pass->marks, chunks);
  floc_status status = failure ? refuse_result(pass, failure) : FLOC_OK;
  callback_end(all->env, before);
  if (status != FLOC_OK) return status;
  which->energy = 0.0;
  for (int64_t k = 0; k < chunks; k++) which->energy += pass->energy[k];
  if (which->amount_count > 0) slots_for(all->env, pass->at->table, PARALLEL_BLOCK, settle_chunk, pass);
  settle_shapes(pass);
  return FLOC_OK;
}

static void gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  wall_pass *pass = context;
  for (int64_t i = begin; i < end; i++) {
    for (int64_t entry = pass->walls->start[i]; entry < pass->walls->start[i + 1]; entry++) {
      for (int axis = 0; axis < pass->all->dimension; axis++)
        pass->at->table->column[COLUMN_fx + axis][i] += pass->push[entry].force[axis];
      for (int axis = 0; axis < 3; axis++)
        if (pass->at->torque[axis]) pass->at->torque[axis][i] += pass->push[entry].torque[axis];
    }
  }
}

static void push_bodies(wall_pass *pass)
{
  const laws_moment *at = pass->at;
  laws *all = pass->all;
  for (int64_t entry = 0; entry < pass->walls->count; entry++) {
    int32_t number = at->obstacles->world[pass->walls->second[entry]].body;
    const wall_push *push = &pass->push[entry];
    double arm[3], turn[3];
    vector_difference(push->point, at->obstacles->body[number].next.position, arm);
    vector_cross(arm, push->force, turn);
    for (int k = 0; k < 3; k++) {
      all->on_body[number].force[k] -= push->force[k];
      all->on_body[number].torque[k] -= turn[k] - push->couple[k];
    }
  }
}

static floc_status make_room(wall_pass *pass, int64_t chunks, arena *scratch)
{
  laws *all = pass->all;
  size_t count = (size_t)pass->walls->count;
  pass->push = arena_allocate(scratch, count, sizeof *pass->push);
  pass->energy = arena_allocate(scratch, (size_t)chunks, sizeof(double));
  pass->marks = chunk_marks_make(chunks, scratch);
  const law_list *list = &all->of[FLOC_LAW_WALL];
  int32_t amounts = 0, shape_amounts = 0;
  for (int32_t k = 0; k < list->count; k++) {
    if (list->item[k].amount_count > amounts) amounts = list->item[k].amount_count;
    if (list->item[k].shape_amount_count > shape_amounts) shape_amounts = list->item[k].shape_amount_count;
  }
  if (shape_amounts > 0) {
    pass->shape_amount = arena_allocate(scratch, (size_t)shape_amounts * count, sizeof *pass->shape_amount);
    if (!pass->shape_amount) return FLOC_OUT_OF_MEMORY;
  }
  if (amounts > 0) pass->amount = arena_allocate(scratch, (size_t)amounts * count, sizeof *pass->amount);
  if (!pass->push || !pass->energy || !pass->marks || (amounts > 0 && !pass->amount)) return FLOC_OUT_OF_MEMORY;
  floc_status status = law_desks_make(&pass->desks, all->env, list->item, list->count, chunks, scratch);
  if (status != FLOC_OK) return status;
  pass->blocks = arena_allocate(scratch, (size_t)pass->desks.count, sizeof *pass->blocks);
  if (!pass->blocks) return FLOC_OUT_OF_MEMORY;
  memset(pass->push, 0, count * sizeof *pass->push);
  return array_reserve(all->env, (void **)&all->on_body, &all->on_body_capacity, (size_t)pass->at->obstacles->count,
                       sizeof *all->on_body);
}

/* Rates and sums of shapes begin with 0. */
static floc_status begin_wear(laws *all)
{
  if (all->observes || !all->obstacles || all->obstacles->attributes.count == 0) return FLOC_OK;
  const size_t size = 2 * (size_t)all->obstacles->attributes.count * (size_t)all->obstacles->shape_count;
  floc_status status = array_reserve(all->env, (void **)&all->wear, &all->wear_capacity, size, sizeof *all->wear);
  if (status != FLOC_OK) return status;
  if (size > 0) memset(all->wear, 0, size * sizeof *all->wear);
  all->wear_shapes = all->obstacles->shape_count;
  return FLOC_OK;
}

void laws_apply_wear(laws *all, bodies *obstacles, double time_step)
{
  if (all->wear_shapes == 0 || all->wear_shapes != obstacles->shape_count) return;
  const law_list *list = &all->of[FLOC_LAW_WALL];
  uint32_t summed = 0;
  for (int32_t k = 0; k < list->count; k++)
    for (int32_t n = 0; n < list->item[k].shape_amount_count; n++)
      if (list->item[k].shape_amount[n].sum) summed |= 1u << list->item[k].shape_amount[n].attribute;
  for (int32_t k = 0; k < obstacles->attributes.count; k++) {
    const double *rate = all->wear + (size_t)k * (size_t)all->wear_shapes;
    const double *sum = rate + (size_t)obstacles->attributes.count * (size_t)all->wear_shapes;
    double *value = obstacles->attributes.value[k];
    for (int32_t n = 0; n < all->wear_shapes; n++)
      value[n] = summed >> k & 1 ? sum[n] : value[n] + time_step * rate[n];
  }
}

floc_status laws_begin_walls(laws *all, const laws_moment *at, arena *scratch, wall_pass **made)
{
  law_list *list = &all->of[FLOC_LAW_WALL];
  const pair_list *walls = neighbors_walls(at->near);
  all->body_count = 0;
  *made = NULL;
  for (int32_t k = 0; k < list->count; k++) list->item[k].energy = 0.0;
  floc_status begun = begin_wear(all);
  if (begun != FLOC_OK) return begun;
  if (list->count == 0 || !at->obstacles || walls->count == 0) return FLOC_OK;
  wall_pass *pass = arena_allocate(scratch, 1, sizeof *pass);
  if (!pass) return FLOC_OUT_OF_MEMORY;
  *pass = (wall_pass){.all = all, .at = at, .walls = walls};
  pass->chunks = parallel_block_count(walls->count, WALL_CHUNK);
  floc_status status = make_room(pass, pass->chunks, scratch);
  if (status != FLOC_OK) return status;
  all->body_count = at->obstacles->count;
  memset(all->on_body, 0, (size_t)all->body_count * sizeof *all->on_body);
  *made = pass;
  return FLOC_OK;
}

floc_status laws_apply_walls(wall_pass *pass, int32_t stage)
{
  law_list *list = &pass->all->of[FLOC_LAW_WALL];
  for (int32_t k = 0; k < list->count; k++) {
    if (list->item[k].stage != stage || !law_is_wanted(pass->all, &list->item[k])) continue;
    floc_status status = apply_law(pass, &list->item[k], pass->chunks);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void laws_end_walls(wall_pass *pass)
{
  slots_for(pass->all->env, pass->at->table, PARALLEL_BLOCK, gather_chunk, pass);
  push_bodies(pass);
}

void laws_force_on_body(const laws *all, int32_t number, double force[3], double torque[3])
{
  for (int axis = 0; axis < 3; axis++) {
    force[axis] = number < all->body_count ? all->on_body[number].force[axis] : 0.0;
    torque[axis] = number < all->body_count ? all->on_body[number].torque[axis] : 0.0;
  }
}

void laws_push_bodies(const laws *all, bodies *obstacles)
{
  for (int32_t k = 0; k < all->body_count && k < obstacles->count; k++) {
    body *pushed = &obstacles->body[k];
    vector_add_scaled(pushed->force, 1.0, all->on_body[k].force, pushed->force);
    vector_add_scaled(pushed->torque, 1.0, all->on_body[k].torque, pushed->torque);
  }
}
