/*
 * See pair_rows.h. Lists are ordered by slots, rows by ids, so that the storage order does not show.
 */
#include "measures/statistics/pair_rows.h"

#include "base/fields.h"
#include "base/interruption.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

floc_status pair_rows_check(environment *env, const floc_pairs_options *options)
{
  floc_status status = fields_check(env, &struct_pairs_options, options);
  if (status == FLOC_OK && options->by == FLOC_NEIGHBORS_TOUCHING && options->range != 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "range is %.17g, which would do nothing: it needs by = surfaces or centers; by is touching",
                  options->range);
  return status;
}

double pair_rows_range(const particles *table, const floc_pairs_options *options)
{
  double smallest = INFINITY, greatest = 0.0;
  const double *radius = table->column[COLUMN_radius];
  EACH_SLOT(slot, table) {
    smallest = fmin(smallest, radius[slot]);
    greatest = fmax(greatest, radius[slot]);
  }
  if (options->by == FLOC_NEIGHBORS_TOUCHING) return 2.0 * touching_in_radii * greatest;
  if (options->by == FLOC_NEIGHBORS_SURFACES || table->count == 0) return options->range;
  return fmax(options->range - 2.0 * smallest, 0.0) + 1e-9 * greatest;
}

/* ---- one pair ---- */

static bool is_near(const floc_pairs_options *options, const pair_row *row, double smaller)
{
  switch (options->by) {
  case FLOC_NEIGHBORS_TOUCHING:
    return row->gap <= touching_in_radii * smaller;
  case FLOC_NEIGHBORS_SURFACES:
    return row->gap <= options->range;
  default:
    return row->distance <= options->range;
  }
}

static floc_status add_pair(const particles *table, const domain *box, const floc_pairs_options *options, int64_t i,
                            int64_t j, pair_rows *rows)
{
  const double radius_i = table->column[COLUMN_radius][i], radius_j = table->column[COLUMN_radius][j];
  pair_row found = {.id_i = (double)table->id[i], .id_j = (double)table->id[j]};
  found.distance = sqrt(particles_apart(table, box, i, j, found.separation));
  found.gap = found.distance - radius_i - radius_j;
  if (!is_near(options, &found, fmin(radius_i, radius_j))) return FLOC_OK;
  floc_status status =
      array_reserve(rows->env, (void **)&rows->row, &rows->capacity, (size_t)rows->count + 1, sizeof *rows->row);
  if (status == FLOC_OK) rows->row[rows->count++] = found;
  return status;
}

/* ---- all ---- */

static int compare_rows(const void *a, const void *b)
{
  const pair_row *left = a, *right = b;
  if (left->id_i != right->id_i) return left->id_i < right->id_i ? -1 : 1;
  return (left->id_j > right->id_j) - (left->id_j < right->id_j);
}

static floc_status finish(pair_rows *rows, floc_status status)
{
  if (status != FLOC_OK)
    pair_rows_free(rows);
  else if (rows->count > 1)
    qsort(rows->row, (size_t)rows->count, sizeof *rows->row, compare_rows);
  return status;
}

floc_status pair_rows_of_all(environment *env, const particles *table, const domain *box, const pair_list *pairs,
                             const floc_pairs_options *options, pair_rows *rows)
{
  floc_status status = FLOC_OK;
  *rows = (pair_rows){.env = env};
  for (int64_t k = 0; k < pairs->count && status == FLOC_OK; k++) {
    const int32_t a = pairs->first[k], b = pairs->second[k];
    const bool ordered = table->id[a] < table->id[b];
    if (k % ASK_INTERVAL == 0 && interrupted(env)) status = interruption_status(env);
    if (status == FLOC_OK) status = add_pair(table, box, options, ordered ? a : b, ordered ? b : a, rows);
  }
  return finish(rows, status);
}

floc_status pair_rows_of_one(environment *env, const particles *table, const domain *box,
                             const floc_pairs_options *options, pair_rows *rows)
{
  floc_status status = FLOC_OK;
  const int64_t own = particles_find(table, options->particle);
  *rows = (pair_rows){.env = env};
  if (own < 0)
    return refuse(env, FLOC_NOT_FOUND, "there is no particle %" PRId64 "; ids are from 1 to %" PRId64 "%s",
                  options->particle, table->last_id, particles_gaps_text(table));
  EACH_SLOT(other, table)
    if (other != own && status == FLOC_OK) status = add_pair(table, box, options, own, other, rows);
  return finish(rows, status);
}

void pair_rows_free(pair_rows *rows)
{
  array_free(rows->env, (void **)&rows->row, &rows->capacity, sizeof *rows->row);
  rows->count = 0;
}
