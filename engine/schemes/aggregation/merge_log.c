/*
 * See merge_log.h.
 */
#include "schemes/aggregation/merge_log.h"

#include <math.h>

void merge_row_place(merge_row *row, const particles *table, const domain *box, int64_t i, int64_t j,
                     const double x[3], const double y[3])
{
  const double a = table->column[COLUMN_radius][i], b = table->column[COLUMN_radius][j];
  double separation[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int axis = 0; axis < box->dimension; axis++) {
    separation[axis] = domain_shortest(box, axis, y[axis] - x[axis]);
    square += separation[axis] * separation[axis];
  }
  const double distance = sqrt(square), part = distance > 0.0 ? (a + 0.5 * (distance - a - b)) / distance : 0.0;
  for (int axis = 0; axis < box->dimension; axis++) {
    row->number[MERGE_PLACE + axis] = domain_wrap(box, axis, x[axis] + part * separation[axis]);
    row->number[MERGE_NORMAL + axis] = distance > 0.0 ? separation[axis] / distance : 0.0;
  }
}

floc_status merge_log_add(merge_log *log, const merge_row *row)
{
  floc_status status =
      array_reserve(log->env, (void **)&log->row, &log->capacity, (size_t)log->count + 1, sizeof *log->row);
  if (status == FLOC_OK) log->row[log->count++] = *row;
  return status;
}

void merge_log_free(merge_log *log)
{
  array_free(log->env, (void **)&log->row, &log->capacity, sizeof *log->row);
  log->count = 0;
}

floc_status cluster_note_merge(const cluster_set *set, merge_log *log, int32_t first, int32_t second, double now)
{
  if (!log) return FLOC_OK;
  if (log->table->id[set->slot[first]] > log->table->id[set->slot[second]]) {
    const int32_t other = first;
    first = second;
    second = other;
  }
  const int32_t i = set->member[first].cluster, j = set->member[second].cluster;
  const cluster_body *a = &set->body[i], *b = &set->body[j];
  merge_row row = {.number = {[MERGE_TIME] = now,
                              [MERGE_CHANGE] = -1.0,
                              [MERGE_ID_I] = (double)log->table->id[set->slot[first]],
                              [MERGE_ID_J] = (double)log->table->id[set->slot[second]],
                              [MERGE_SIZE_I] = a->count,
                              [MERGE_SIZE_J] = b->count,
                              [MERGE_MASS_I] = a->mass,
                              [MERGE_MASS_J] = b->mass}};
  double x[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 0.0, 0.0};
  cluster_position(set, first, now, set->dimension, x);
  cluster_position(set, second, now, set->dimension, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    x[axis] += set->frame_place[axis];
    y[axis] += set->frame_place[axis];
  }
  merge_row_place(&row, log->table, &set->box, set->slot[first], set->slot[second], x, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    const double u = set->motion[i].velocity[axis] + set->frame_velocity[axis];
    const double v = set->motion[j].velocity[axis] + set->frame_velocity[axis];
    row.number[MERGE_VELOCITY_I + axis] = u;
    row.number[MERGE_VELOCITY_J + axis] = v;
    row.number[MERGE_VELOCITY + axis] = (a->mass * u + b->mass * v) / (a->mass + b->mass);
  }
  return merge_log_add(log, &row);
}
