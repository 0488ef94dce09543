/*
 * Cutting an island by patches. See patch_units.h.
 */
#include "contacts/solvers/patch_units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SHARED = UINT64_MAX; /* a body that several units of a phase would change */

static int32_t patch_of(const patch_cut *cut, int32_t body)
{
  const patch_set *patches = &cut->problem->patches->set;
  return body < patches->covered ? patches->of[body] : -1;
}

static int32_t rest_of(const patch_cut *cut)
{
  return 2 * cut->met;
}

/* ---- the patches that an island touches ---- */

static void meet(patch_cut *cut, int32_t patch)
{
  if (patch < 0 || cut->local[patch] >= 0) return;
  cut->local[patch] = 0;
  cut->patch[cut->met++] = patch;
}

static int compare_numbers(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void meet_patches(patch_cut *cut)
{
  const int32_t *first = cut->problem->first, *second = cut->problem->second;
  for (int64_t k = 0; k < cut->count; k++) {
    const int32_t a = cut->contact[k];
    meet(cut, patch_of(cut, first[a]));
    if (second[a] >= 0) meet(cut, patch_of(cut, second[a]));
  }
  qsort(cut->patch, (size_t)cut->met, sizeof *cut->patch, compare_numbers);
  for (int32_t n = 0; n < cut->met; n++) cut->local[cut->patch[n]] = n;
}

/* Groups of what joins patches go by parity, and by patch within one. */
static void number_groups(patch_cut *cut)
{
  int32_t group = cut->met;
  for (int32_t parity = 0; parity < 8; parity++) {
    cut->parity_group[parity] = group;
    for (int32_t n = 0; n < cut->met; n++)
      if (cut->problem->patches->set.parity[cut->patch[n]] == parity) cut->across[n] = group++;
  }
  cut->parity_group[8] = group;
  assert(group == rest_of(cut));
}

/* ---- contacts into groups ---- */

static void group_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const patch_cut *cut = context;
  const uint8_t *parity = cut->problem->patches->set.parity;
  for (int64_t k = begin; k < end; k++) {
    const int32_t a = cut->contact[k], second = cut->problem->second[a];
    const int32_t p = patch_of(cut, cut->problem->first[a]), q = second >= 0 ? patch_of(cut, second) : p;
    if (p < 0 || q < 0 || (p != q && parity[p] == parity[q]))
      cut->place[k] = rest_of(cut);
    else
      cut->place[k] = p == q ? cut->local[p] : cut->across[cut->local[parity[p] < parity[q] ? p : q]];
  }
}

static void list_groups(patch_cut *cut)
{
  const int32_t groups = rest_of(cut) + 1;
  memset(cut->start, 0, ((size_t)groups + 1) * sizeof *cut->start);
  for (int64_t k = 0; k < cut->count; k++) cut->start[cut->place[k] + 1]++;
  for (int32_t group = 0; group < groups; group++) cut->start[group + 1] += cut->start[group];
  for (int64_t k = 0; k < cut->count; k++) cut->listed[cut->start[cut->place[k]]++] = (int32_t)k;
  for (int32_t group = groups; group > 0; group--) cut->start[group] = cut->start[group - 1];
  cut->start[0] = 0;
}

static void claim(uint64_t *owner, int32_t group)
{
  const uint64_t name = (uint64_t)group + 1;
  *owner = *owner == 0 || *owner == name ? name : SHARED;
}

static void forget(const patch_cut *cut, int64_t begin, int64_t end)
{
  for (int64_t n = begin; n < end; n++) {
    const int32_t a = cut->contact[cut->listed[n]], second = cut->problem->second[a];
    cut->used[cut->problem->first[a]] = 0;
    if (second >= 0) cut->used[second] = 0;
  }
}

/* Of one parity: takes out the contacts of bodies that several would change. Returns whether there are any. */
static bool leave_over(const patch_cut *cut, int32_t first_group, int32_t end_group)
{
  const int64_t begin = cut->start[first_group], end = cut->start[end_group];
  bool any = false;
  for (int64_t n = begin; n < end; n++) {
    const int32_t k = cut->listed[n], a = cut->contact[k];
    claim(&cut->used[cut->problem->first[a]], cut->place[k]);
    claim(&cut->used[cut->problem->second[a]], cut->place[k]);
  }
  for (int64_t n = begin; n < end; n++) {
    const int32_t k = cut->listed[n], a = cut->contact[k];
    if (cut->used[cut->problem->first[a]] != SHARED && cut->used[cut->problem->second[a]] != SHARED) continue;
    cut->place[k] = rest_of(cut);
    any = true;
  }
  forget(cut, begin, end);
  return any;
}

static void group_contacts(patch_cut *cut)
{
  parallel_for(cut->env, cut->count, PARALLEL_BLOCK, group_block, cut);
  list_groups(cut);
  bool any = false;
  for (int parity = 0; parity < 8; parity++)
    any |= leave_over(cut, cut->parity_group[parity], cut->parity_group[parity + 1]);
  if (any) list_groups(cut);
}

/* ---- colours and rows ---- */

static void colour_group(void *context, int64_t group, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const patch_cut *cut = context;
  int32_t *rows = cut->rows[group];
  for (int64_t n = cut->start[group]; n < cut->start[group + 1]; n++) {
    const int32_t k = cut->listed[n], a = cut->contact[k];
    rows[cut->place[k] = units_choose_colour(cut->used, cut->problem->first[a], cut->problem->second[a])]++;
  }
  forget(cut, cut->start[group], cut->start[group + 1]);
}

/* Returns whether all contacts have found one. Groups of one phase share no body. */
static bool colour_groups(const patch_cut *cut)
{
  int64_t phase[11] = {0};
  for (int parity = 0; parity <= 8; parity++) phase[parity + 1] = cut->parity_group[parity];
  phase[10] = rest_of(cut) + 1;
  memset(cut->rows, 0, ((size_t)rest_of(cut) + 1) * sizeof *cut->rows);
  parallel_for_ranges(cut->env, 10, phase, 1, colour_group, (void *)cut);
  bool all = true;
  for (int32_t group = 0; group <= rest_of(cut); group++) all &= cut->rows[group][UNIT_COLOURS] == 0;
  return all;
}

static void write_units(const patch_cut *cut, unit_plan *units)
{
  unit_writer to = units_begin(units, cut->width);
  for (int32_t group = 0; group < cut->met; group++) units_write_group(&to, cut->rows[group]);
  units_end_phase(&to);
  for (int parity = 0; parity < 8; parity++) {
    const int32_t before = to.units;
    for (int32_t group = cut->parity_group[parity]; group < cut->parity_group[parity + 1]; group++)
      if (cut->start[group + 1] > cut->start[group]) units_write_group(&to, cut->rows[group]);
    if (to.units > before) units_end_phase(&to);
  }
  units_write_rest(&to, cut->rows[rest_of(cut)]);
}

static void place_group(void *context, int64_t group, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const patch_cut *cut = context;
  int32_t *next = cut->rows[group];
  for (int64_t n = cut->start[group]; n < cut->start[group + 1]; n++) {
    const int32_t k = cut->listed[n];
    cut->place[k] = next[cut->place[k]]++;
  }
}

/* ---- all together ---- */

static bool allocate_cut(arena *scratch, patch_cut *cut, unit_plan *units)
{
  const size_t groups = 2 * (size_t)cut->met + 1;
  cut->across = arena_allocate(scratch, (size_t)cut->met, sizeof *cut->across);
  cut->start = arena_allocate(scratch, groups + 1, sizeof *cut->start);
  if (!cut->listed) cut->listed = arena_allocate(scratch, (size_t)cut->count, sizeof *cut->listed);
  cut->rows = arena_allocate(scratch, groups, sizeof *cut->rows);
  return units_allocate(scratch, (int64_t)groups, cut->count, cut->met, units) && cut->across && cut->start &&
         cut->listed && cut->rows;
}

static bool plan_groups(arena *scratch, patch_cut *cut, unit_plan *units)
{
  if (cut->met < 2) return true; /* an island within a patch is solved as in a world of one */
  if (!allocate_cut(scratch, cut, units)) return false;
  number_groups(cut);
  group_contacts(cut);
  if (!colour_groups(cut)) return true;
  write_units(cut, units);
  parallel_for(cut->env, rest_of(cut) + 1, 1, place_group, cut);
  units->grounds = cut->met;
  units->by_patch = true;
  return true;
}

floc_status patch_units_plan(arena *scratch, patch_cut *cut, unit_plan *units)
{
  int32_t *local = cut->local;
  *units = (unit_plan){0};
  cut->patch = arena_allocate(scratch, (size_t)cut->problem->patches->set.count, sizeof *cut->patch);
  if (!cut->patch) return FLOC_OUT_OF_MEMORY;
  meet_patches(cut);
  const bool made = plan_groups(scratch, cut, units);
  for (int32_t n = 0; n < cut->met; n++) local[cut->patch[n]] = units->grounds > 0 ? n : -1;
  return made ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* ---- numbers of bodies ---- */

enum {
  OUTSIDE = -2,
  INSIDE = -3
}; /* bodies of contacts that join patches, and of others alone, before they have one */

typedef struct number_call {
  const patch_cut *cut;
  contact_system *system;
  int32_t *slot;
  double *body_root;
  int32_t *next;           /* [met] body, first of those outside, then of those inside */
  int32_t *first_obstacle; /* [groups + 1] stand-in of a group's first body contact */
} number_call;

/* A body that is in no patch is numbered with those of the first. */
static int32_t ground_of(const patch_cut *cut, int32_t body)
{
  const int32_t patch = patch_of(cut, body);
  return patch >= 0 ? cut->local[patch] : 0;
}

static void note_body(const number_call *call, int32_t body, int32_t particle)
{
  call->system->particle[body] = particle;
  call->body_root[body] = particle >= 0 ? sqrt(call->cut->problem->inverse_mass[particle]) : 0.0;
  if (particle >= 0) call->slot[particle] = body;
}

typedef void (*body_function)(const number_call *call, int32_t body);

/* Bodies of contacts that join patches, in the order of these. */
static void for_outside(const number_call *call, body_function function)
{
  const patch_cut *cut = call->cut;
  for (int64_t n = cut->start[cut->met]; n < cut->count; n++) {
    const int32_t a = cut->contact[cut->listed[n]], second = cut->problem->second[a];
    function(call, cut->problem->first[a]);
    if (second >= 0) function(call, second);
  }
}

static void mark_outside(const number_call *call, int32_t body)
{
  if (call->slot[body] == OUTSIDE) return;
  call->slot[body] = OUTSIDE;
  call->system->units.first_body[ground_of(call->cut, body) + 1]++;
}

static void number_outside(const number_call *call, int32_t body)
{
  if (call->slot[body] == OUTSIDE) note_body(call, call->next[ground_of(call->cut, body)]++, body);
}

static void mark_inside(const number_call *call, int32_t body, int32_t ground)
{
  if (call->slot[body] != -1) return;
  call->slot[body] = INSIDE;
  call->system->units.first_body[ground + 1]++;
}

static void number_inside(const number_call *call, int32_t body, int32_t ground)
{
  if (call->slot[body] == INSIDE) note_body(call, call->next[ground]++, body);
}

static void mark_group(void *context, int64_t group, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const number_call *call = context;
  const patch_cut *cut = call->cut;
  int32_t obstacles = 0;
  for (int64_t n = cut->start[group]; n < cut->start[group + 1]; n++) {
    const int32_t a = cut->contact[cut->listed[n]], second = cut->problem->second[a];
    obstacles += second < 0;
    if (group >= cut->met) continue;
    mark_inside(call, cut->problem->first[a], (int32_t)group);
    if (second >= 0) mark_inside(call, second, (int32_t)group);
  }
  call->first_obstacle[group + 1] = obstacles;
}

static void number_group(void *context, int64_t group, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const number_call *call = context;
  const patch_cut *cut = call->cut;
  for (int64_t n = cut->start[group]; n < cut->start[group + 1]; n++) {
    const int32_t a = cut->contact[cut->listed[n]], second = cut->problem->second[a];
    number_inside(call, cut->problem->first[a], (int32_t)group);
    if (second >= 0) number_inside(call, second, (int32_t)group);
  }
}

static void name_group(void *context, int64_t group, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const number_call *call = context;
  const patch_cut *cut = call->cut;
  int32_t obstacle = call->first_obstacle[group];
  for (int64_t n = cut->start[group]; n < cut->start[group + 1]; n++) {
    const int32_t k = cut->listed[n], a = cut->contact[k], second = cut->problem->second[a];
    int32_t *body = &call->system->body[2 * (int64_t)cut->place[k]];
    body[0] = call->slot[cut->problem->first[a]];
    body[1] = second >= 0 ? call->slot[second] : obstacle++;
    if (second < 0) note_body(call, body[1], -1);
    call->system->contact[cut->place[k]] = a;
  }
}

void patch_units_number(const patch_cut *cut, contact_system *system, int32_t *slot, double *body_root)
{
  const int32_t groups = rest_of(cut) + 1;
  /* rows, which have their places, give way to counts: 64 numbers of each group */
  number_call call = {cut, system, slot, body_root, NULL, (int32_t *)cut->rows};
  int32_t *first_body = system->units.first_body;
  memset(first_body, 0, ((size_t)cut->met + 1) * sizeof *first_body);
  for_outside(&call, mark_outside);
  parallel_for(cut->env, groups, 1, mark_group, &call);
  for (int32_t n = 0; n < cut->met; n++) first_body[n + 1] += first_body[n];
  call.first_obstacle[0] = first_body[cut->met];
  for (int32_t group = 0; group < groups; group++) call.first_obstacle[group + 1] += call.first_obstacle[group];
  int32_t *next = call.first_obstacle + groups + 1;
  memcpy(next, first_body, (size_t)cut->met * sizeof *next);
  call.next = next;
  for_outside(&call, number_outside);
  parallel_for(cut->env, cut->met, 1, number_group, &call);
  parallel_for(cut->env, groups, 1, name_group, &call);
  system->body_count = call.first_obstacle[groups];
  patch_units_forget(cut);
}

void patch_units_forget(const patch_cut *cut)
{
  for (int32_t n = 0; n < cut->met; n++) cut->local[cut->patch[n]] = -1;
}
