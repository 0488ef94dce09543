/*
 * Laws over triples. See law_angles.h.
 */
#include "laws/bonds/law_angles.h"

#include "base/interruption.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <string.h>

enum { ANGLE_BLOCK = 2048 };

typedef struct angle_pass {
  const laws *all;
  const law *which;
  const laws_moment *at;
  const bond_list *bonds;
  const int32_t *slot[3];
  double *on_i[3], *on_k[3];        /* by entry */
  double *amount[LAW_OUTPUT_LIMIT]; /* what it adds to attributes, [amount_count] by entry */
  double *target[LAW_OUTPUT_LIMIT]; /* where, by slot; NULL: nowhere, somebody only looks */
  double *energy, (*virial)[9];     /* per chunk */
  chunk_mark *marks;
  law_desks desks;
} angle_pass;

/* Of up to LAW_BLOCK triples in a row. */
typedef struct angle_block {
  double angle[LAW_BLOCK], side[3][LAW_BLOCK]; /* sides ij, jk, ik */
  double to_i[3][LAW_BLOCK], to_k[3][LAW_BLOCK];
} angle_block;

/* ---- what a law is given ---- */

static void find_geometry(const angle_pass *pass, int64_t first, int32_t count, angle_block *angles)
{
  double *const *column = pass->at->table->column;
  for (int32_t row = 0; row < count; row++) {
    const int64_t i = pass->slot[0][first + row], j = pass->slot[1][first + row], k = pass->slot[2][first + row];
    double a[3] = {0.0, 0.0, 0.0}, b[3] = {0.0, 0.0, 0.0}, c[3], normal[3];
    for (int axis = 0; axis < pass->all->dimension; axis++) {
      const double *x = column[COLUMN_x + axis];
      a[axis] = x[i] - x[j];
      b[axis] = x[k] - x[j];
    }
    domain_nearest(pass->at->box, a);
    domain_nearest(pass->at->box, b);
    vector_cross(a, b, normal);
    for (int axis = 0; axis < 3; axis++) {
      c[axis] = a[axis] - b[axis];
      angles->to_i[axis][row] = a[axis];
      angles->to_k[axis][row] = b[axis];
    }
    angles->angle[row] = floc_atan2(sqrt(vector_dot(normal, normal)), vector_dot(a, b));
    angles->side[0][row] = sqrt(vector_dot(a, a));
    angles->side[1][row] = sqrt(vector_dot(b, b));
    angles->side[2][row] = sqrt(vector_dot(c, c));
  }
}

static const double *angle_input(const angle_pass *pass, const law_input *source, int64_t first, int32_t count,
                                 const angle_block *angles, double *values)
{
  const particles *table = pass->at->table;
  const double *column = NULL;
  int member = 0;
  switch (source->kind) {
  case INPUT_ANGLE:
    return angles->angle;
  case INPUT_SIDE:
    return angles->side[source->number];
  case INPUT_MEMORY:
    return pass->bonds->pairs.memory[law_memory_column(pass->all, pass->which, source->number)] + first;
  case INPUT_NORMAL_RANDOM:
  case INPUT_UNIFORM_RANDOM:
    for (int32_t row = 0; row < count; row++)
      values[row] =
          law_random_of_three(pass->all, pass->which, source, table->id[pass->slot[0][first + row]],
                              table->id[pass->slot[1][first + row]], table->id[pass->slot[2][first + row]]);
    return values;
  case INPUT_ID_I:
  case INPUT_ID_J:
  case INPUT_ID_K:
    member = source->kind == INPUT_ID_I ? 0 : source->kind == INPUT_ID_J ? 1 : 2;
    for (int32_t row = 0; row < count; row++) values[row] = (double)table->id[pass->slot[member][first + row]];
    return values;
  default:
    member = source->kind == INPUT_COLUMN_I ? 0 : source->kind == INPUT_COLUMN_J ? 1 : 2;
    column = table->column[source->number];
    for (int32_t row = 0; row < count; row++) values[row] = column[pass->slot[member][first + row]];
    return values;
  }
}

/* ---- what it gives ---- */

/* p_i/|a| of p_i = a x (a x b)/(|a| |a x b|); 0 where the particles are on a line. */
static void find_across(const double a[3], const double normal[3], double across[3])
{
  const double size = vector_dot(a, a) * sqrt(vector_dot(normal, normal));
  vector_cross(a, normal, across);
  for (int axis = 0; axis < 3; axis++) across[axis] = size > 0.0 ? across[axis] / size : 0.0;
}

/* Where two particles coincide there is no direction, as in find_across(). */
static double over(double force, double length)
{
  return length > 0.0 ? force / length : 0.0;
}

/* Of the ends, about the middle. */
static void add_virial(const angle_pass *pass, int64_t first, int32_t count, const angle_block *angles,
                       double virial[9])
{
  for (int32_t n = 0; n < count; n++)
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 3; column++)
        virial[3 * row + column] += pass->on_i[row][first + n] * angles->to_i[column][n] +
                                    pass->on_k[row][first + n] * angles->to_k[column][n];
}

static void exert(const angle_pass *pass, int64_t first, int32_t count, const angle_block *angles,
                  const double *moment, const double *const side[3])
{
  for (int32_t row = 0; row < count; row++) {
    double a[3], b[3], normal[3], p_i[3], p_k[3];
    for (int axis = 0; axis < 3; axis++) {
      a[axis] = angles->to_i[axis][row];
      b[axis] = angles->to_k[axis][row];
    }
    vector_cross(a, b, normal);
    find_across(a, normal, p_i);
    find_across(b, normal, p_k);
    const double m = moment ? moment[row] : 0.0;
    double f[3];
    for (int n = 0; n < 3; n++) f[n] = side[n] ? over(side[n][row], angles->side[n][row]) : 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const double between = f[2] * (a[axis] - b[axis]);
      pass->on_i[axis][first + row] = m * p_i[axis] + f[0] * a[axis] + between;
      pass->on_k[axis][first + row] = f[1] * b[axis] - m * p_k[axis] - between;
    }
  }
}

static void take_outputs(const angle_pass *pass, int64_t first, int32_t count, const angle_block *angles,
                         const law_block *block, double *energy)
{
  const law *which = pass->which;
  const double *moment = NULL, *side[3] = {NULL, NULL, NULL};
  const bool changes = !pass->all->observes;
  for (int32_t n = 0; n < which->output_count; n++) {
    const double *value = block->output[n];
    const int32_t number = which->output[n].number;
    if (which->output[n].kind == OUTPUT_MOMENT)
      moment = value;
    else if (which->output[n].kind == OUTPUT_SIDE)
      side[number] = value;
    else if (which->output[n].kind == OUTPUT_ENERGY)
      for (int32_t row = 0; row < count; row++) *energy += value[row];
    else if (which->output[n].kind == OUTPUT_MEMORY && changes)
      memcpy(pass->bonds->pairs.memory[which->memory[number].next] + first, value, (size_t)count * sizeof *value);
    else if (which->output[n].kind == OUTPUT_BROKEN && changes)
      for (int32_t row = 0; row < count; row++) pass->bonds->broken[first + row] = value[row] != 0.0;
  }
  for (int32_t n = 0; n < which->amount_count; n++)
    memcpy(pass->amount[n] + first, block->output[which->amount[n].output], (size_t)count * sizeof(double));
  exert(pass, first, count, angles, moment, side);
}

static void record_angles(const angle_pass *pass, int64_t first, int32_t count, const angle_block *angles,
                          const law_block *block)
{
  int32_t entry[LAW_BLOCK];
  for (int32_t row = 0; row < count; row++) entry[row] = (int32_t)first + row;
  const record_rows rows = {.count = count,
                            .entry = entry,
                            .angle = angles->angle,
                            .side = {angles->side[0], angles->side[1], angles->side[2]}};
  law_record_block(pass->all, pass->which, &rows, block);
}

static void evaluate(const angle_pass *pass, int64_t first, int32_t count, law_block *block, angle_block *angles)
{
  find_geometry(pass, first, count, angles);
  for (int32_t k = 0; k < pass->which->input_count; k++)
    if (!law_fill_uniform(pass->which, k, pass->at->time, pass->at->time_step, count, block))
      block->from[k] = angle_input(pass, &pass->which->input[k], first, count, angles, block->input[k]);
}

static void angle_chunk(void *context, int64_t begin, int64_t end, int64_t number)
{
  angle_pass *pass = context;
  chunk_mark *mark = &pass->marks[number];
  angle_block angles;
  *mark = (chunk_mark){.status = FLOC_OK, .bad = -1};
  pass->energy[number] = 0.0;
  if (pass->virial) memset(pass->virial[number], 0, sizeof pass->virial[number]);
  const int32_t desk = law_desk_take(&pass->desks);
  law_block *block = &pass->desks.block[desk];
  for (int64_t first = begin; first < end && mark->status == FLOC_OK; first += LAW_BLOCK) {
    const int32_t count = (int32_t)(end - first < LAW_BLOCK ? end - first : LAW_BLOCK);
    evaluate(pass, first, count, block, &angles);
    mark->status = interrupted(pass->all->env) ? FLOC_INTERRUPTED : law_call(pass->which, count, block);
    mark->changed = block->changed;
    if (mark->status != FLOC_OK) break;
    const int32_t row = law_first_bad(pass->which, block, count);
    if (row >= 0) {
      mark->bad = first + row;
      mark->status = FLOC_NOT_A_NUMBER;
    } else {
      if (law_is_recorded(pass->all, pass->which)) record_angles(pass, first, count, &angles, block);
      take_outputs(pass, first, count, &angles, block, &pass->energy[number]);
      if (pass->virial) add_virial(pass, first, count, &angles, pass->virial[number]);
    }
  }
  law_desk_leave(&pass->desks, desk);
}

static floc_status refuse_result(const angle_pass *pass, const chunk_mark *failure)
{
  if (failure->bad < 0) return law_refuse(pass->all, pass->which, failure);
  angle_block angles;
  law_block *block = pass->desks.block;
  const int64_t *id = pass->at->table->id;
  char row[300];
  evaluate(pass, failure->bad, 1, block, &angles);
  law_call(pass->which, 1, block);
  law_show_row(pass->which, block, 0, row, sizeof row);
  return refuse(pass->all->env, FLOC_NOT_A_NUMBER,
                "angle law \"%s\" returned a force that is not finite for particles %" PRId64 ", %" PRId64
                " and %" PRId64 ": %s",
                pass->which->name, id[pass->slot[0][failure->bad]], id[pass->slot[1][failure->bad]],
                id[pass->slot[2][failure->bad]], row);
}

/* ---- sums ---- */

static void add_to_particles(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const angle_pass *pass = context;
  const pair_list *list = &pass->bonds->pairs;
  for (int axis = 0; axis < pass->all->dimension; axis++) {
    double *force = pass->at->table->column[COLUMN_fx + axis];
    const double *on_i = pass->on_i[axis], *on_k = pass->on_k[axis];
    for (int64_t slot = begin; slot < end; slot++)
      for (int64_t n = list->incoming_start[slot]; n < list->incoming_start[slot + 1]; n++) {
        const int32_t entry = list->incoming[n] / 3, member = list->incoming[n] % 3;
        force[slot] += member == 0 ? on_i[entry] : member == 2 ? on_k[entry] : -(on_i[entry] + on_k[entry]);
      }
  }
}

/* Of each particle what the triples give that it is in, in their order. */
static void add_amounts(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const angle_pass *pass = context;
  const pair_list *list = &pass->bonds->pairs;
  for (int32_t a = 0; a < pass->which->amount_count; a++) {
    const law_amount *amount = &pass->which->amount[a];
    const double factor[3] = {amount->on_i, amount->on_j, amount->on_k};
    double *target = pass->target[a];
    for (int64_t slot = begin; slot < end && target; slot++)
      for (int64_t n = list->incoming_start[slot]; n < list->incoming_start[slot + 1]; n++)
        target[slot] += factor[list->incoming[n] % 3] * pass->amount[a][list->incoming[n] / 3];
  }
}

static bool make_room(angle_pass *pass, int64_t chunks, arena *scratch)
{
  const size_t count = (size_t)pass->bonds->count;
  bool made = (pass->marks = chunk_marks_make(chunks, scratch)) != NULL;
  made = made && (pass->energy = arena_allocate(scratch, (size_t)chunks, sizeof(double)));
  if (made && pass->at->virial)
    made = (pass->virial = arena_allocate(scratch, (size_t)chunks, sizeof *pass->virial)) != NULL;
  for (int axis = 0; axis < 3; axis++) {
    made = made && (pass->on_i[axis] = arena_allocate(scratch, count, sizeof(double)));
    made = made && (pass->on_k[axis] = arena_allocate(scratch, count, sizeof(double)));
  }
  for (int32_t n = 0; n < pass->which->amount_count; n++)
    made = made && (pass->amount[n] = arena_allocate(scratch, count, sizeof(double)));
  return made;
}

static floc_status apply_law(laws *all, law *which, const laws_moment *at, arena *scratch)
{
  bond_list *bonds = which->bonds;
  which->energy = 0.0;
  if (bonds->count == 0) return FLOC_OK;
  floc_status status = bond_list_follow(bonds, at->table);
  if (status != FLOC_OK) return status;
  angle_pass pass = {.all = all,
                     .which = which,
                     .at = at,
                     .bonds = bonds,
                     .slot = {bonds->pairs.first, bonds->pairs.second, bonds->third}};
  const int64_t chunks = parallel_block_count(bonds->count, ANGLE_BLOCK);
  const arena_mark here = arena_here(scratch);
  environment threads = law_environment(all, which);
  if (!make_room(&pass, chunks, scratch)) return FLOC_OUT_OF_MEMORY;
  status = law_desks_make(&pass.desks, &threads, which, 1, chunks, scratch);
  if (status != FLOC_OK) return status;
  for (int32_t n = 0; n < which->amount_count; n++)
    pass.target[n] = laws_amount_target(all, at->table, &which->amount[n]);
  which->next_is_given |= !all->observes;
  all->env->message[0] = '\0';
  callback_mark before = law_begin(all, which);
  parallel_for(&threads, bonds->count, ANGLE_BLOCK, angle_chunk, &pass);
  const chunk_mark *failure = chunk_marks_first(pass.marks, chunks);
  status = failure ? refuse_result(&pass, failure) : FLOC_OK;
  callback_end(all->env, before);
  if (status == FLOC_OK) {
    for (int64_t k = 0; k < chunks; k++) which->energy += pass.energy[k];
    for (int64_t k = 0; k < chunks && pass.virial; k++)
      for (int c = 0; c < 9; c++) at->virial[c] += pass.virial[k][c];
    slots_for(all->env, at->table, PARALLEL_BLOCK, add_to_particles, &pass);
    if (which->amount_count > 0) slots_for(all->env, at->table, PARALLEL_BLOCK, add_amounts, &pass);
  }
  arena_return(scratch, here);
  return status;
}

floc_status laws_apply_angles(laws *all, const laws_moment *at, int32_t stage, arena *scratch)
{
  for (int32_t k = 0; k < all->of[FLOC_LAW_ANGLE].count; k++) {
    law *which = &all->of[FLOC_LAW_ANGLE].item[k];
    if (which->stage != stage || !law_is_wanted(all, which)) continue;
    floc_status status = apply_law(all, which, at, scratch);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}
