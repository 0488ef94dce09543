/*
 * The gluey law as a contact law (gluey.h): lower bounds from gamma, which pairs remember. See law.h.
 */
#include "contacts/laws/law.h"

#include <math.h>

static bool acts(const floc_projection_options *options)
{
  return options->contact_law == FLOC_CONTACT_GLUEY;
}

/* A radius on the other side of a contact; infinite for walls. */
static double other_radius(const contact_source *source, const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 ? source->table->column[COLUMN_radius][set->second[a]] : INFINITY;
}

/* The set's lower bounds hold gamma; those of the impulse follow from it. */
static floc_status fill(const law_input *input)
{
  const contact_source *source = input->source;
  const gluey_law *gluey = input->laws->gluey;
  contact_set *set = input->set;
  set->gamma = set->lower;
  bool equality = gluey->rule == FLOC_GLUEY_EQUALITY;
  if (!equality && !gluey->radius_factor) return FLOC_OK;
  floc_status status = law_column(input, &set->lower);
  if (status == FLOC_OK && gluey->radius_factor) status = law_column(input, &set->factor);
  if (status != FLOC_OK) return status;
  const double *radius = source->table->column[COLUMN_radius];
  for (int64_t a = 0; a < set->count; a++) {
    double factor = 1.0;
    if (set->factor) {
      factor = gluey_radius_factor(radius[set->first[a]], other_radius(source, set, a));
      set->factor[a] = factor;
    }
    bool free_below = equality && set->gamma[a] < 0.0;
    set->lower[a] = free_below ? -INFINITY : equality ? 0.0 : set->gamma[a] / factor;
  }
  return FLOC_OK;
}

static double next_gamma(const contact_set *set, int64_t a, double least)
{
  return gluey_next(set->gamma[a], set->factor ? set->factor[a] : 1.0, set->lower[a], set->impulse[a], least);
}

/* Finds gamma_min of each contact where it is not one number for all. May call the host. */
static floc_status settle(const law_input *input)
{
  const contact_source *source = input->source;
  gluey_law *gluey = input->laws->gluey;
  contact_set *set = input->set;
  set->least = NULL;
  if (gluey_is_uniform(gluey)) return FLOC_OK;
  floc_status status = law_column(input, &set->least);
  const gluey_columns columns = gluey_find_columns(source->table);
  for (int64_t a = 0; a < set->count && status == FLOC_OK; a++) {
    set->least[a] = -INFINITY;
    if (next_gamma(set, a, -INFINITY) == 0.0) continue;
    gluey_side first = {set->first[a], -1}, second = {set->second[a], set->shape[a]};
    status = gluey_threshold(gluey, &columns, source->table, source->obstacles, first, second, &set->least[a]);
  }
  return status;
}

static double remember(const law_input *input, int64_t a, int32_t number)
{
  (void)number;
  const contact_set *set = input->set;
  return next_gamma(set, a, set->least ? set->least[a] : input->laws->options.gamma_min);
}

const contact_law_type law_gluey = {.name = "gluey",
                                    .acts = acts,
                                    .memory = {"gamma"},
                                    .holds = true,
                                    .fill = fill,
                                    .settle = settle,
                                    .remember = remember};
