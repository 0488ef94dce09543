/*
 * Cutting an island into strips. See strips.h.
 *
 * The list of an island's contacts is sorted by first particles, so the contacts of a strip, and those that join it
 * with a later one, are one part of the list; each part is done by one thread. Only what joins strips is left for
 * one thread to do, some percent.
 */
#include "contacts/solvers/strips.h"

#include <math.h>
#include <string.h>

enum {
  LEAST_STRIPS = 8,      /* divided evenly by 2, 4 and 8 threads */
  STRIP_CONTACTS = 8192, /* in a strip, from which there are more strips */
  SPREAD = 4 /* particles per contact between the island's first and last: more are not looked through */
};

/* Groups of contacts: strips, seams, the rest. */
typedef struct strip_cut {
  const environment *env;
  const contact_problem *problem;
  const int32_t *contact;
  int64_t count;
  strip_plan *plan;
  unit_plan *units;
  int32_t rest;      /* number of that group */
  uint64_t *used;    /* [particle] colours */
  int32_t *place;    /* [contact] colour, then row */
  colour_rows *rows; /* [group] */
} strip_cut;

static int32_t count_strips(int64_t contacts)
{
  int32_t strips = LEAST_STRIPS;
  while (strips < STRIPS_MOST && contacts > (int64_t)STRIP_CONTACTS * strips) strips *= 2;
  return strips;
}

/* Strips begin where the list is cut evenly. */
static void choose_strips(const strip_cut *cut, int32_t greatest)
{
  strip_plan *plan = cut->plan;
  const int32_t *first = cut->problem->first;
  plan->first_particle[0] = first[cut->contact[0]];
  plan->first_contact[0] = 0;
  for (int32_t s = 1; s < plan->strips; s++) {
    int64_t at = cut->count * s / plan->strips;
    int32_t particle = first[cut->contact[at]];
    while (at > 0 && first[cut->contact[at - 1]] == particle) at--;
    plan->first_particle[s] = particle;
    plan->first_contact[s] = at;
  }
  plan->first_particle[plan->strips] = greatest + 1;
  plan->first_contact[plan->strips] = cut->count;
}

/* Contacts within a strip, and the list of the others. */
static void colour_strip(void *context, int64_t strip, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const strip_cut *cut = context;
  strip_plan *plan = cut->plan;
  const int32_t *contact = cut->contact, *first = cut->problem->first, *second = cut->problem->second;
  const int32_t particle = plan->first_particle[strip], limit = plan->first_particle[strip + 1];
  int32_t *place = cut->place, *outside = plan->outside + plan->first_contact[strip], others = 0;
  int32_t *rows = cut->rows[strip];
  uint64_t *used = cut->used;
  for (int64_t k = plan->first_contact[strip], last = plan->first_contact[strip + 1]; k < last; k++) {
    int32_t i = first[contact[k]], j = second[contact[k]];
    if (j >= limit) {
      place[k] = -1;
      outside[others++] = (int32_t)k;
      continue;
    }
    rows[place[k] = units_choose_colour(used, i, j)]++;
  }
  memset(used + particle, 0, (size_t)(limit - particle) * sizeof *used);
  plan->outside_count[strip] = others;
}

static void place_strip(void *context, int64_t strip, int64_t end, int64_t block)
{
  (void)end, (void)block;
  const strip_cut *cut = context;
  int32_t *next = cut->rows[strip], *place = cut->place;
  for (int64_t k = cut->plan->first_contact[strip], last = cut->plan->first_contact[strip + 1]; k < last; k++)
    if (place[k] >= 0) place[k] = next[place[k]]++;
}

/* ---- contacts that join strips; their colours are -1 - colour until they are placed ---- */

typedef void (*outside_function)(const strip_cut *cut, int64_t k, int32_t group);

static void for_outside(const strip_cut *cut, outside_function function)
{
  const strip_plan *plan = cut->plan;
  for (int32_t strip = 0; strip < plan->strips; strip++)
    for (int32_t n = 0; n < plan->outside_count[strip]; n++) {
      int32_t k = plan->outside[plan->first_contact[strip] + n], second = cut->problem->second[cut->contact[k]];
      bool next = second < plan->first_particle[strip + 2];
      function(cut, k, next ? plan->strips + strip : cut->rest);
    }
}

static void colour_outside(const strip_cut *cut, int64_t k, int32_t group)
{
  int32_t a = cut->contact[k];
  int32_t colour = units_choose_colour(cut->used, cut->problem->first[a], cut->problem->second[a]);
  cut->place[k] = -1 - colour;
  cut->rows[group][colour]++;
}

static void forget_outside(const strip_cut *cut, int64_t k, int32_t group)
{
  (void)group;
  cut->used[cut->problem->first[cut->contact[k]]] = 0;
  cut->used[cut->problem->second[cut->contact[k]]] = 0;
}

static void place_outside(const strip_cut *cut, int64_t k, int32_t group)
{
  cut->place[k] = cut->rows[group][-1 - cut->place[k]]++;
}

static bool colours_suffice(const strip_cut *cut)
{
  for (int32_t group = 0; group <= cut->rest; group++)
    if (cut->rows[group][UNIT_COLOURS] > 0) return false;
  return true;
}

/* ---- units ---- */

static void write_units(const strip_cut *cut)
{
  const int32_t strips = cut->plan->strips;
  unit_writer to = units_begin(cut->units, 1);
  for (int32_t strip = 0; strip < strips; strip++) units_write_group(&to, cut->rows[strip]);
  units_end_phase(&to);
  for (int odd = 0; odd < 2; odd++) {
    for (int32_t seam = odd; seam + 1 < strips; seam += 2) units_write_group(&to, cut->rows[strips + seam]);
    units_end_phase(&to);
  }
  units_write_rest(&to, cut->rows[cut->rest]);
}

static bool allocate_plan(arena *scratch, strip_cut *cut)
{
  strip_plan *plan = cut->plan;
  const bool made = units_allocate(scratch, 2 * (int64_t)STRIPS_MOST, cut->count, plan->strips, cut->units);
  cut->rows = arena_allocate(scratch, (size_t)cut->rest + 1, sizeof *cut->rows);
  if (!cut->rows) return false;
  memset(cut->rows, 0, ((size_t)cut->rest + 1) * sizeof *cut->rows);
  return made;
}

/* The greatest particle; infinite if the list is not in order. */
static double look_at_order(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const strip_cut *cut = context;
  const int32_t *contact = cut->contact, *first = cut->problem->first, *second = cut->problem->second;
  int32_t greatest = 0, before = first[contact[begin > 0 ? begin - 1 : 0]];
  bool in_order = true;
  for (int64_t k = begin; k < end; k++) {
    int32_t i = first[contact[k]], j = second[contact[k]];
    in_order &= (i >= before) & ((j < 0) | (j > i));
    before = i;
    greatest = j > greatest ? j : i > greatest ? i : greatest;
  }
  return in_order ? (double)greatest : (double)INFINITY;
}

floc_status strips_plan(const environment *env, arena *scratch, const contact_problem *problem,
                        const int32_t *contact, int64_t count, uint64_t *used, int32_t *place, int32_t *outside,
                        strip_plan *plan, unit_plan *units)
{
  strip_cut cut = {env, problem, contact, count, .plan = plan, .units = units, .used = used, .place = place};
  plan->strips = 0;
  plan->outside = outside;
  *units = (unit_plan){0};
  if (count < CONTACTS_WORTH_SHARING) return FLOC_OK;
  double greatest = parallel_max(env, count, PARALLEL_BLOCK, 0.0, look_at_order, &cut);
  if (greatest - problem->first[contact[0]] > SPREAD * (double)count) return FLOC_OK;
  plan->strips = count_strips(count);
  cut.rest = 2 * plan->strips - 1;
  if (!allocate_plan(scratch, &cut)) return FLOC_OUT_OF_MEMORY;
  choose_strips(&cut, (int32_t)greatest);
  parallel_for(env, plan->strips, 1, colour_strip, &cut);
  for_outside(&cut, colour_outside);
  for_outside(&cut, forget_outside);
  if (!colours_suffice(&cut)) {
    plan->strips = 0;
    return FLOC_OK;
  }
  write_units(&cut);
  units->grounds = plan->strips;
  parallel_for(env, plan->strips, 1, place_strip, &cut);
  for_outside(&cut, place_outside);
  return FLOC_OK;
}
