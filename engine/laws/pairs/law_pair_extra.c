/*
 * Vectors, sums and exchanges of pair laws. See law_pair_extra.h.
 */
#include "laws/pairs/law_pair_extra.h"

#include "laws/law_axes.h"

#include <string.h>

bool pair_amounts_make(pair_amounts *made, const law_list *list, size_t entries, bool foreign, arena *scratch)
{
  int32_t most = 0;
  for (int32_t k = 0; k < list->count; k++)
    if (list->item[k].amount_count > most) most = list->item[k].amount_count;
  if (most == 0) return true;
  bool complete = (made->gave = arena_allocate(scratch, entries, 1)) != NULL;
  for (int32_t n = 0; n < most && foreign; n++)
    complete = complete && (made->foreign[n] = arena_allocate(scratch, entries, sizeof(double)));
  return complete;
}

void pair_add_amounts(const pair_amounts *to, const law *which, const pair_block *pairs, const law_block *block,
                      int64_t end)
{
  for (int32_t n = 0; n < which->amount_count; n++) {
    const law_amount *amount = &which->amount[n];
    const double *value = block->output[amount->output];
    double *target = to->target[n];
    for (int32_t k = 0; k < pairs->count && target; k++) {
      const int32_t i = pairs->i[k], j = pairs->j[k], entry = pairs->entry[k];
      const double on_i = amount->on_i * value[k], on_j = amount->on_j * value[k];
      if (i < end) target[i] += on_i;
      if (j < end) target[j] += on_j;
      if (i < end && j < end) continue;
      to->foreign[n][entry] = i < end ? on_j : on_i;
      to->gave[entry] = 1;
    }
  }
}

void pair_settle_amounts(const pair_amounts *from, const law *which, const pair_list *pairs, int64_t begin,
                         int64_t end)
{
  const int64_t first_entry = pairs->start[begin];
  for (int32_t n = 0; n < which->amount_count; n++) {
    double *target = from->target[n];
    for (int64_t j = begin; j < end && target; j++)
      for (int64_t k = pairs->incoming_start[j]; k < pairs->incoming_start[j + 1]; k++) {
        const int32_t entry = pairs->incoming[k];
        if (entry >= first_entry) break;
        if (from->gave[entry]) target[j] += from->foreign[n][entry];
      }
  }
}

static void add_components(const law_output *output, const double *value, const push_places *to,
                           const pair_block *pairs)
{
  const int32_t axis = output->number;
  for (int32_t k = 0; k < pairs->count; k++) {
    particle_push *to_i = push_of(to, pairs->i[k], pairs->entry[k]);
    particle_push *to_j = push_of(to, pairs->j[k], pairs->entry[k]);
    if (output->kind == OUTPUT_FORCE) {
      to_i->force[axis] += value[k];
      to_j->force[axis] -= value[k];
    } else {
      if (output->kind != OUTPUT_TORQUE_J) to_i->torque[axis] += value[k];
      if (output->kind == OUTPUT_TORQUE) to_j->torque[axis] -= value[k];
      if (output->kind == OUTPUT_TORQUE_J) to_j->torque[axis] += value[k];
    }
  }
}

void pair_add_vectors(const push_places *to, const law *which, const pair_block *pairs, const law_block *block,
                      bool turns)
{
  for (int32_t n = 0; n < which->output_count; n++) {
    const output_kind kind = which->output[n].kind;
    const bool torque = kind == OUTPUT_TORQUE || kind == OUTPUT_TORQUE_I || kind == OUTPUT_TORQUE_J;
    if (kind == OUTPUT_FORCE || (torque && turns)) add_components(&which->output[n], block->output[n], to, pairs);
  }
}

/* Normal > 0 apart, tangential on the second particle of the entry: the vector is on i. */
void pair_record_vectors(const laws *all, const law *which, const pair_block *pairs, const uint8_t *turned,
                         const int32_t *shown, const law_block *block)
{
  const pair_forces *to = all->view.forces;
  for (int32_t k = 0; k < pairs->count; k++) {
    double force[3] = {0.0, 0.0, 0.0}, along = 0.0;
    for (int32_t n = 0; n < which->output_count; n++)
      if (which->output[n].kind == OUTPUT_FORCE) force[which->output[n].number] = -block->output[n][k];
    for (int axis = 0; axis < all->dimension; axis++) along += force[axis] * pairs->unit[axis][k];
    int32_t entry = pairs->entry[k];
    const double sign = turned[entry] ? -1.0 : 1.0;
    if (shown && (entry = shown[entry]) < 0) continue;
    to->normal[0][entry] += along;
    for (int axis = 0; axis < all->dimension; axis++)
      to->tangential[0][axis][entry] += sign * (force[axis] - along * pairs->unit[axis][k]);
  }
}

const double *pair_axes(const laws *all, const particles *table, const law_input *source, const int32_t *slot,
                        int32_t count, double *values)
{
  law_axes(table, all->dimension, source->number, slot, count, values);
  return values;
}

const double *pair_material(const particles *table, const int32_t *slot, int32_t count, double *values)
{
  const double *material = particles_optional(table, OPTIONAL_material);
  for (int32_t k = 0; k < count; k++) values[k] = material ? material[slot[k]] : 0.0;
  return values;
}

const double *pair_random(const laws *all, const law *which, const law_input *source, const int64_t *id,
                          const pair_block *pairs, double *values)
{
  for (int32_t k = 0; k < pairs->count; k++)
    values[k] = law_random(all, which, source, id[pairs->i[k]], id[pairs->j[k]]);
  return values;
}
