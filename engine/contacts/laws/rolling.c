/*
 * Resistance against rolling and twisting as a contact law: |Q_r| <= b (p - lo), |Q_s| <= s (p - lo), with the
 * lengths b and s of the options or of the pair of materials. Pairs remember the moment Q. A prescribed body turns
 * with its mean spin over the step.
 */
#include "contacts/laws/law.h"

#include "base/threads/parallel.h"

static bool acts(const floc_projection_options *options)
{
  return options->rolling > 0.0 || options->twisting > 0.0;
}

static void fill_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const law_input *input = context;
  const bodies *obstacles = input->source->obstacles;
  contact_set *set = input->set;
  for (int64_t a = begin; a < end; a++) {
    double spin[3] = {0.0, 0.0, 0.0};
    if (set->second[a] < 0)
      body_mean_spin(&obstacles->body[obstacles->world[set->shape[a]].body], obstacles->dimension,
                     input->source->time_step, spin);
    set->rolling[a] = input->laws->options.rolling;
    if (set->twisting) set->twisting[a] = input->laws->options.twisting;
    for (int axis = 0; axis < 3; axis++)
      if (set->surface_spin[axis]) set->surface_spin[axis][a] = spin[axis];
  }
}

static floc_status fill(const law_input *input)
{
  contact_set *set = input->set;
  const bool space = input->source->obstacles->dimension == 3;
  floc_status status = law_column(input, &set->rolling);
  if (space && status == FLOC_OK) status = law_column(input, &set->twisting);
  for (int axis = space ? 0 : 2; axis < 3 && status == FLOC_OK; axis++) {
    status = law_recall(input, axis, &set->moment[axis]);
    if (status == FLOC_OK) status = law_column(input, &set->surface_spin[axis]);
  }
  if (status != FLOC_OK) return status;
  parallel_for(input->source->env, set->count, PARALLEL_BLOCK, fill_range, (void *)input);
  status = contacts_by_pair(input->source, input->laws, set, PAIR_ROLLING, set->rolling);
  if (!space || status != FLOC_OK) return status;
  return contacts_by_pair(input->source, input->laws, set, PAIR_TWISTING, set->twisting);
}

static double remember(const law_input *input, int64_t a, int32_t axis)
{
  return input->set->moment[axis][a];
}

const contact_law_type law_rolling = {.name = "rolling",
                                      .acts = acts,
                                      .memory = {"roll_x", "roll_y", "roll_z"},
                                      .plane_first = 2,
                                      .turns = true,
                                      .fill = fill,
                                      .remember = remember};
