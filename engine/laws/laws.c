/*
 * Registry of laws, and what others ask for. See laws.h.
 */
#include "base/fields.h"
#include "base/interruption.h"
#include "laws/bonds/law_angles.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

floc_status laws_create(environment *env, int32_t dimension, laws **all)
{
  *all = memory_resize(env, NULL, 0, sizeof(laws));
  if (!*all) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof(laws));
  memset(*all, 0, sizeof(laws));
  (*all)->env = env;
  (*all)->dimension = dimension;
  (*all)->extent = INFINITY;
  return FLOC_OK;
}

void laws_set_box(laws *all, const domain *box)
{
  double square = 0.0;
  for (int axis = 0; axis < box->dimension; axis++) {
    double length = box->upper[axis] - box->lower[axis];
    if (box->boundary[axis] == FLOC_BOUNDARY_OPEN) length = INFINITY;
    if (box->boundary[axis] == FLOC_BOUNDARY_PERIODIC) length *= 0.5;
    square += length * length;
  }
  all->extent = sqrt(square);
}

void laws_set_bodies(laws *all, const bodies *obstacles)
{
  all->obstacles = obstacles;
}

void laws_destroy(laws *all)
{
  if (!all) return;
  environment *env = all->env;
  for (int32_t kind = 0; kind < LAW_KINDS; kind++) {
    law_list *list = &all->of[kind];
    for (int32_t k = 0; k < list->count; k++) law_free(env, &list->item[k]);
    array_free(env, (void **)&list->item, &list->capacity, sizeof(law));
  }
  law_free(env, &all->drift_function);
  law_free(env, &all->a_priori);
  array_free(env, (void **)&all->cut_start, &all->cut_capacity, sizeof *all->cut_start);
  array_free(env, (void **)&all->turned, &all->turned_capacity, sizeof *all->turned);
  array_free(env, (void **)&all->exchange, &all->exchange_capacity, sizeof *all->exchange);
  array_free(env, (void **)&all->wear, &all->wear_capacity, sizeof *all->wear);
  array_free(env, (void **)&all->on_body, &all->on_body_capacity, sizeof(body_push));
  array_free(env, (void **)&all->staged_words, &all->staged_words_capacity, sizeof(int32_t));
  array_free(env, (void **)&all->staged_numbers, &all->staged_numbers_capacity, sizeof(double));
  array_free(env, (void **)&all->staged_parameters, &all->staged_parameters_capacity, sizeof(double));
  array_free(env, (void **)&all->staged_text, &all->staged_text_capacity, 1);
  array_free(env, (void **)&all->staged_ids, &all->staged_ids_capacity, sizeof(int64_t));
  array_free(env, (void **)&all->staged_bonds, &all->staged_bonds_capacity, sizeof(double));
  memory_free(env, all, sizeof(laws));
}

/* Two columns of pair memory per variable: at the step's start, and as the law gives it. */
static floc_status declare_memory(environment *env, neighbors *near, law *one, int32_t number)
{
  if (one->bonds) return law_make_bonds(env, one);
  const char *prefix = one->kind == FLOC_LAW_PAIR ? "law" : "wall";
  for (int32_t k = 0; k < one->memory_count; k++) {
    law_memory *memory = &one->memory[k];
    char name[MEMORY_NAME_SIZE];
    snprintf(name, sizeof name, "%s%d.%.16s", prefix, number, memory->name);
    floc_status status = neighbors_add_memory(near, name, &memory->now);
    snprintf(name, sizeof name, "%s%d.%.16s.next", prefix, number, memory->name);
    if (status == FLOC_OK) status = neighbors_add_memory(near, name, &memory->next);
    if (status != FLOC_OK) return status;
    neighbors_spare_memory(near, memory->next);
  }
  return FLOC_OK;
}

static bool is_vector(output_kind kind)
{
  return kind == OUTPUT_FORCE || kind == OUTPUT_TORQUE || kind == OUTPUT_TORQUE_I || kind == OUTPUT_TORQUE_J;
}

floc_status laws_check_axes(const laws *all, const particles *table, const law *one)
{
  double *columns[4];
  if (!one->reads_axes || particles_orientation(table, all->dimension, columns) > 0) return FLOC_OK;
  return refuse(all->env, FLOC_WRONG_STATE, "%s takes axes of particles, which have no orientation (%s)", one->name,
                all->dimension == 2 ? "the column angle" : "the columns qw qx qy qz");
}

/* In the plane forces have no z, and torques nothing else. */
static floc_status check_axes(const laws *all, const law *one)
{
  for (int32_t k = 0; k < one->output_count && all->dimension == 2; k++) {
    const law_output *output = &one->output[k];
    if (!is_vector(output->kind) || (output->kind == OUTPUT_FORCE) == (output->number < 2)) continue;
    return refuse(all->env, FLOC_INVALID_ARGUMENT,
                  "%s: there is no output \"%s\" in two dimensions; forces have x and y, torques z", one->name,
                  one->output_name[k]);
  }
  return FLOC_OK;
}

floc_status laws_add(laws *all, const particles *table, neighbors *near, int32_t kind,
                     const floc_law_options *options, int32_t *number)
{
  law_list *list = &all->of[kind];
  const int32_t next = list->count;
  if (next < 0 || next >= LAW_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "there are already %d laws of this kind, which is the limit",
                  LAW_LIMIT);
  floc_status status =
      array_reserve(all->env, (void **)&list->item, &list->capacity, (size_t)next + 1, sizeof(law));
  if (status != FLOC_OK) return status;
  law *made = &list->item[next];
  int32_t outputs = kind != FLOC_LAW_FIELD ? 1 : options->outputs ? 0 : all->dimension;
  status = law_resolve(all->env, table, all->obstacles, options, kind, outputs, made);
  made->number = next;
  if (status == FLOC_OK) status = check_axes(all, made);
  if (status == FLOC_OK) status = laws_check_axes(all, table, made);
  list->count = next + 1;
  if (status == FLOC_OK) status = laws_plan(all, table);
  if (status == FLOC_OK) status = declare_memory(all->env, near, made, next);
  if (status == FLOC_OK) {
    made->everywhere =
        kind == FLOC_LAW_PAIR && made->memory_count == 0 && !made->bonds && made->range >= all->extent;
    *number = next;
    return FLOC_OK;
  }
  list->count = next;
  law_free(all->env, made);
  laws_plan(all, table);
  return status;
}

floc_status laws_add_attraction(laws *all, const floc_attraction_options *options, int32_t *number)
{
  if (all->attraction_count == LAW_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "there are already %d attractions, which is the limit", LAW_LIMIT);
  floc_status status = attraction_resolve(all->env, options, &all->attraction[all->attraction_count]);
  if (status != FLOC_OK) return status;
  *number = all->attraction_count++;
  return FLOC_OK;
}

floc_status laws_add_long_range(laws *all, const particles *table, const domain *box,
                                const floc_long_range_options *options, int32_t *number)
{
  if (all->long_range_count == LAW_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "there are already %d long-range forces, which is the limit",
                  LAW_LIMIT);
  floc_status status = long_range_resolve(all->env, options, table, box, &all->long_range[all->long_range_count]);
  if (status != FLOC_OK) return status;
  *number = all->long_range_count++;
  return FLOC_OK;
}

floc_status laws_set_noise(laws *all, const floc_noise_options *options)
{
  floc_status status = fields_check(all->env, &struct_noise_options, options);
  if (status != FLOC_OK) return status;
  all->sigma = options->sigma;
  return FLOC_OK;
}

laws_present laws_find_present(const laws *all)
{
  return (laws_present){.pair_laws = all->of[FLOC_LAW_PAIR].count + all->of[FLOC_LAW_ANGLE].count > 0,
                        .wall_laws = all->of[FLOC_LAW_WALL].count > 0,
                        .fields = all->of[FLOC_LAW_FIELD].count > 0,
                        .attraction = all->attraction_count + all->long_range_count > 0,
                        .evolution = all->of[FLOC_LAW_EVOLUTION].count > 0,
                        .flow = all->drift.kind != FLOC_FLOW_NONE,
                        .noise = all->sigma > 0.0,
                        .a_priori = all->has_a_priori};
}

int32_t laws_force_count(const laws *all)
{
  return all->of[FLOC_LAW_PAIR].count + all->of[FLOC_LAW_WALL].count + all->of[FLOC_LAW_FIELD].count +
         all->of[FLOC_LAW_ANGLE].count + all->attraction_count + all->long_range_count;
}

/* Does a particle get two vectors or numbers of the same kind from one pair? In what order depends on which pairs
 * are evaluated together. */
static bool gives_twice(const law *one)
{
  bool both = false, single = false;
  for (int32_t k = 0; k < one->output_count; k++) {
    both |= one->output[k].kind == OUTPUT_TORQUE;
    single |= one->output[k].kind == OUTPUT_TORQUE_I || one->output[k].kind == OUTPUT_TORQUE_J;
  }
  return one->kind == FLOC_LAW_PAIR && ((one->has_line && one->has_vector) || (both && single));
}

/* Why a law is not evaluated over ranks, or NULL. */
static const char *beyond_ranks(const law *one)
{
  const uint64_t forces = (uint64_t)7 << COLUMN_fx;
  if (one->kind == FLOC_LAW_WALL || one->kind == FLOC_LAW_ANGLE)
    return one->kind == FLOC_LAW_WALL ? "of walls" : "of angles";
  if (!one->code) return "a function of the host";
  if (one->code->source.fast_math) return "with fast_math";
  if (one->bonds) return "over bonds";
  if (one->everywhere || isinf(one->range)) return "on all pairs";
  if (one->sums_written || one->sums_read || one->staged) return "with sums of attributes";
  if (one->columns_read & forces) return "that reads forces";
  if (gives_twice(one))
    return "with two forces or torques on a particle (normal and force_x, torque_x and torque_i_x)";
  return NULL;
}

bool laws_refuse_ranks(const laws *all, char *text, size_t size)
{
  for (int32_t kind = FLOC_LAW_PAIR; kind < LAW_KINDS; kind++)
    for (int32_t k = 0; k < all->of[kind].count; k++) {
      const law *one = &all->of[kind].item[k];
      const char *why = beyond_ranks(one);
      if (why) snprintf(text, size, "the law \"%s\", %s", one->name, why);
      if (why) return true;
    }
  const char *other = all->long_range_count > 0                              ? "long-range forces"
                      : all->has_drift_function && !all->drift_function.code ? "a flow by a function of the host"
                                                                             : NULL;
  for (int32_t k = 0; k < all->attraction_count; k++)
    if (isinf(all->attraction[k].range)) other = "an attraction at any distance";
  if (other) snprintf(text, size, "%s", other);
  return other != NULL;
}

int32_t laws_count(const laws *all)
{
  return laws_force_count(all) + all->of[FLOC_LAW_EVOLUTION].count;
}

static double range_of(const law_list *list)
{
  double range = 0.0;
  for (int32_t k = 0; k < list->count; k++)
    if (!list->item[k].everywhere && !list->item[k].bonds) range = fmax(range, list->item[k].range);
  return range;
}

double laws_range(const laws *all)
{
  double range = fmax(range_of(&all->of[FLOC_LAW_PAIR]), 2.0 * range_of(&all->of[FLOC_LAW_WALL]));
  for (int32_t k = 0; k < all->attraction_count; k++) range = fmax(range, all->attraction[k].range);
  return range;
}

bool laws_have_torque(const laws *all)
{
  static const int32_t kinds[] = {FLOC_LAW_PAIR, FLOC_LAW_WALL, FLOC_LAW_FIELD};
  for (int n = 0; n < 3; n++)
    for (int32_t k = 0; k < all->of[kinds[n]].count; k++)
      if (all->of[kinds[n]].item[k].has_tangential || all->of[kinds[n]].item[k].has_torque) return true;
  return false;
}

bool laws_read_slip(const laws *all)
{
  for (int32_t k = 0; k < all->of[FLOC_LAW_PAIR].count; k++)
    if (all->of[FLOC_LAW_PAIR].item[k].needs_slip) return true;
  for (int32_t k = 0; k < all->of[FLOC_LAW_WALL].count; k++)
    if (all->of[FLOC_LAW_WALL].item[k].needs_slip) return true;
  return false;
}

void laws_set_randomness(laws *all, uint64_t seed, int64_t step)
{
  all->seed = seed;
  all->step = (uint64_t)step;
}

/* Of a pair law: does it ask for a column that moves? Radius and mass do not. */
static bool asks_for_motion(const law *one, const particles *table)
{
  static const bool moves[] = {
#define X(name, moves) moves,
      PARTICLE_COLUMNS(X)
#undef X
  };
  static const bool optional_moves[] = {
#define X(name, former, moves, owed) moves,
      OPTIONAL_COLUMNS(X)
#undef X
  };
  for (int32_t k = 0; k < one->input_count; k++) {
    if (one->input[k].kind == INPUT_AXIS_I || one->input[k].kind == INPUT_AXIS_J) return true;
    if (one->input[k].kind != INPUT_COLUMN_I && one->input[k].kind != INPUT_COLUMN_J) continue;
    int32_t column = one->input[k].number;
    if (column < BUILTIN_COLUMN_COUNT && moves[column]) return true;
    for (int n = 0; n < OPTIONAL_COLUMN_COUNT; n++)
      if (optional_moves[n] && table->optional[n] == column) return true;
  }
  return false;
}

bool laws_only_pairs(const laws *all)
{
  return laws_force_count(all) == all->of[FLOC_LAW_PAIR].count && !all->has_staged;
}

bool laws_read_table(const laws *all, const particles *table)
{
  const law_list *pairs = &all->of[FLOC_LAW_PAIR];
  if (!laws_only_pairs(all)) return true;
  for (int32_t k = 0; k < pairs->count; k++)
    if (asks_for_motion(&pairs->item[k], table)) return true;
  return false;
}

const char *laws_everywhere_name(const laws *all)
{
  const law_list *pairs = &all->of[FLOC_LAW_PAIR];
  for (int32_t k = 0; k < pairs->count; k++)
    if (pairs->item[k].everywhere) return pairs->item[k].name;
  return NULL;
}

bool laws_any_everywhere(const laws *all)
{
  const law_list *pairs = &all->of[FLOC_LAW_PAIR];
  for (int32_t k = 0; k < pairs->count; k++)
    if (pairs->item[k].everywhere) return true;
  return false;
}

bool laws_meet_pairs(const laws *all, const neighbors *near)
{
  return neighbors_pairs(near)->count > 0 || laws_any_everywhere(all) || laws_have_bonds(all);
}

bool laws_settle_pushes(const laws *all, const neighbors *near)
{
  return all->of[FLOC_LAW_PAIR].count > 0 && laws_only_pairs(all) && laws_meet_pairs(all, near);
}

/* ---- a step ---- */

static void add_columns(const laws *all, const laws_moment *at)
{
  EACH_SLOT(i, at->table) {
    for (int axis = 0; axis < all->dimension; axis++)
      at->push[i].force[axis] += at->table->column[COLUMN_fx + axis][i];
    for (int axis = 0; axis < 3; axis++)
      if (at->torque[axis]) at->push[i].torque[axis] += at->torque[axis][i];
  }
}

/* Where a law over all particles adds what it gives. */
static void find_targets(const laws *all, const law *which, const laws_moment *at, double *target[])
{
  int32_t next = 0;
  for (int32_t k = 0; k < which->output_count; k++) {
    const law_output *output = &which->output[k];
    if (output->kind == OUTPUT_COMPONENT || output->kind == OUTPUT_FORCE)
      target[k] = at->table->column[COLUMN_fx + output->number];
    else if (output->kind == OUTPUT_TORQUE)
      target[k] = at->torque[output->number];
    else if (output->kind == OUTPUT_RATE)
      target[k] = laws_amount_target(all, at->table, &(law_amount){.column = output->number, .exchange = true});
    else if (output->kind != OUTPUT_ENERGY)
      target[k] = laws_amount_target(all, at->table, &which->amount[next++]);
  }
}

static floc_status apply_fields(laws *all, const laws_moment *at, int32_t stage, arena *scratch)
{
  static const int32_t kinds[] = {FLOC_LAW_FIELD, FLOC_LAW_EVOLUTION};
  for (int n = 0; n < (all->has_staged ? 2 : 1); n++)
    for (int32_t k = 0; k < all->of[kinds[n]].count; k++) {
      law *which = &all->of[kinds[n]].item[k];
      double *target[LAW_OUTPUT_LIMIT];
      if (which->stage != stage || !law_is_wanted(all, which) || (n == 1 && !which->staged)) continue;
      find_targets(all, which, at, target);
      floc_status status = laws_apply_field(all, which, at->table, at->time, at->time_step, target, scratch);
      if (status != FLOC_OK) return status;
    }
  return FLOC_OK;
}

/* Forces of pairs, walls and fields are added to the columns in this order, whatever stages there are. */
static floc_status apply_stages(laws *all, const laws_moment *at, arena *scratch)
{
  pair_pass *pairs = NULL;
  wall_pass *walls = NULL;
  floc_status status = laws_begin_pairs(all, at, scratch, &pairs);
  if (status == FLOC_OK) status = laws_begin_walls(all, at, scratch, &walls);
  for (int32_t stage = 0; stage <= all->last_stage && status == FLOC_OK; stage++) {
    bool last = stage == all->last_stage;
    if (pairs) status = laws_apply_pairs(pairs, stage);
    if (status == FLOC_OK && pairs && last) laws_end_pairs(pairs);
    if (status == FLOC_OK && walls) status = laws_apply_walls(walls, stage);
    if (status == FLOC_OK && walls && last) laws_end_walls(walls);
    if (status == FLOC_OK) status = apply_fields(all, at, stage, scratch);
    if (status == FLOC_OK) status = laws_apply_angles(all, at, stage, scratch);
  }
  return status;
}

floc_status laws_apply(laws *all, const laws_moment *at, arena *scratch)
{
  particles *table = at->table;
  const pair_blocks blocks = laws_pair_blocks(all, table->count);
  bool alone = laws_settle_pairs(all, at);
  for (int axis = 0; axis < all->dimension; axis++)
    if (!alone) slots_clear(all->env, table, table->column[COLUMN_fx + axis]);
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < all->attraction_count && !all->view.energies_only && !all->record && status == FLOC_OK;
       k++)
    status = attraction_apply(all->env, &all->attraction[k], table, neighbors_pairs(at->near), at->box,
                              all->dimension, at->time_step, &blocks, scratch, at->virial);
  double *kept = NULL;
  if (status == FLOC_OK) status = laws_begin_amounts(all, table, scratch, &kept);
  for (int32_t k = 0; k < all->long_range_count && !all->view.energies_only && !all->record && status == FLOC_OK;
       k++)
    status = long_range_apply(all->env, &all->long_range[k], table, all->dimension, scratch, NULL);
  if (status == FLOC_OK) status = apply_stages(all, at, scratch);
  laws_put_back_sums(all, table, kept);
  if (status == FLOC_OK && at->push && !alone) add_columns(all, at);
  return status;
}

/* The order of ids in the list of another moment says nothing about the next one's. */
static void forget_list(laws *all)
{
  all->turned_list = NULL;
}

void laws_observe(laws *all, const laws_view *view)
{
  all->observes = true;
  all->view = *view;
  forget_list(all);
}

void laws_end_observation(laws *all)
{
  all->observes = false;
  all->view = (laws_view){false, false, NULL};
  forget_list(all);
}

bool laws_remember(const laws *all)
{
  static const int32_t kinds[] = {FLOC_LAW_PAIR, FLOC_LAW_WALL, FLOC_LAW_ANGLE};
  for (int n = 0; n < 3; n++)
    for (int32_t k = 0; k < all->of[kinds[n]].count; k++)
      if (all->of[kinds[n]].item[k].memory_count > 0) return true;
  return false;
}

floc_status laws_find_energies(laws *all, const laws_moment *at, bool again, arena *scratch, law_energies *energies)
{
  static const int32_t kinds[] = {FLOC_LAW_PAIR, FLOC_LAW_WALL, FLOC_LAW_FIELD, FLOC_LAW_ANGLE};
  *energies = (law_energies){0.0, 0.0, 0.0};
  laws_observe(all, &(laws_view){.energies_only = true, .again = again});
  floc_status status = laws_apply(all, at, scratch);
  laws_end_observation(all);
  if (status != FLOC_OK) return status;
  for (int n = 0; n < 4; n++)
    for (int32_t k = 0; k < all->of[kinds[n]].count; k++) energies->laws += all->of[kinds[n]].item[k].energy;
  for (int32_t k = 0; k < all->attraction_count; k++)
    energies->attraction += attraction_energy(&all->attraction[k], at->table, neighbors_pairs(at->near), at->box,
                                              all->dimension, at->time_step);
  for (int32_t k = 0; k < all->long_range_count && status == FLOC_OK; k++) {
    double energy;
    status = long_range_apply(all->env, &all->long_range[k], at->table, all->dimension, scratch, &energy);
    energies->long_range += energy;
  }
  return status;
}

static bool finish_memory(law_list *laws_of_kind, neighbors *near, bool walls, bool succeeded)
{
  bool broke = false;
  for (int32_t n = 0; n < laws_of_kind->count; n++) {
    law *one = &laws_of_kind->item[n];
    if (one->bonds) {
      broke |= law_finish_bonds(one, succeeded);
      continue;
    }
    for (int32_t k = 0; k < one->memory_count && one->next_is_given && succeeded; k++)
      neighbors_exchange_memory(near, walls, one->memory[k].now, one->memory[k].next);
    one->next_is_given = false;
  }
  return broke;
}

bool laws_finish(laws *all, neighbors *near, bool succeeded)
{
  bool broke = finish_memory(&all->of[FLOC_LAW_PAIR], near, false, succeeded);
  broke |= finish_memory(&all->of[FLOC_LAW_WALL], near, true, succeeded);
  return finish_memory(&all->of[FLOC_LAW_ANGLE], near, false, succeeded) || broke;
}
