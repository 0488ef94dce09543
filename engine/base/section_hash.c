/*
 * The hash of a state. Names, types and shapes of the state sections are hashed one after the other (XXH3), with
 * the contents of those that are small; what there is much of is a sum, modulo 2^64, of the hashes of its rows:
 *
 *   particles: a row for each, of its id and its numbers in all columns, in the order of these
 *   remembered.pairs, remembered.walls: a row for each pair, which begins with its ids (or id and shape)
 *
 * So the order of rows does not show, and parts of the particles may be hashed apart and added. A row is known by
 * its ids, which are different in all rows, so no two rows are equal and cancel or can be exchanged. Sections are
 * told apart by name and form, because a file has no other marks: its hash is that of the world that wrote it.
 */
#include "base/section.h"

#include "base/hash.h"

#include <string.h>

static const char IDS[] = "particles.ids"; /* in their order, then the last that was given; missing: 1, 2, 3, ... */

enum { COLUMN_MOST = 256 };

typedef struct particle_columns {
  const section *ids;
  const double *column[COLUMN_MOST];
  uint64_t count, rows;
} particle_columns;

static bool begins_with(const char *name, const char *prefix)
{
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_of_pairs(const section *part)
{
  return strcmp(part->type, "f64") == 0 && part->columns > 1 && begins_with(part->name, "remembered.");
}

/* A column with as many rows as the others; notes it. */
static bool take_column(particle_columns *all, const section *part)
{
  if (strcmp(part->type, "f64") != 0 || part->columns != 1) return false;
  if (!begins_with(part->name, "particles.") && !begins_with(part->name, "attribute.")) return false;
  if (all->count == 0) all->rows = part->rows;
  if (part->rows != all->rows || all->count == COLUMN_MOST) return false;
  all->column[all->count++] = part->data;
  return true;
}

/* Are these the particles' ids? */
static bool is_list(const section *part, const particle_columns *all)
{
  return part && part == all->ids && strcmp(part->type, "i64") == 0 && part->columns == 1 &&
         part->rows == all->rows + 1;
}

static uint64_t hash_of_rows(const section *part)
{
  uint64_t sum = 0;
  const double *row = part->data;
  for (uint64_t k = 0; k < part->rows; k++, row += part->columns)
    sum += hash_numbers(0, row, part->columns, sizeof *row);
  return sum;
}

static uint64_t hash_of_particles(const particle_columns *all)
{
  uint64_t sum = 0, row[COLUMN_MOST + 1];
  const bool listed = is_list(all->ids, all);
  for (uint64_t k = 0; k < all->rows; k++) {
    row[0] = listed ? (uint64_t)((const int64_t *)all->ids->data)[k] : k + 1;
    for (uint64_t c = 0; c < all->count; c++) memcpy(&row[c + 1], &all->column[c][k], sizeof *row);
    sum += hash_numbers(0, row, all->count + 1, sizeof *row);
  }
  return sum;
}

uint64_t section_list_hash(const section_list *list)
{
  uint64_t hash = 0;
  particle_columns all = {.ids = section_find(list, IDS)};
  for (int32_t k = 0; k < list->count; k++) {
    const section *part = &list->item[k];
    if (!part->is_state) continue;
    const uint64_t shape[2] = {part->rows, part->columns};
    hash = hash_bytes(hash, part->name, strlen(part->name));
    hash = hash_bytes(hash, part->type, strlen(part->type));
    hash = hash_numbers(hash, shape, 2, sizeof *shape);
    if (take_column(&all, part)) continue;
    const bool in_rows = is_of_pairs(part);
    const uint64_t sum = in_rows ? hash_of_rows(part) : 0;
    if (in_rows)
      hash = hash_numbers(hash, &sum, 1, sizeof sum);
    else if (is_list(part, &all))
      hash =
          hash_numbers(hash, (const int64_t *)part->data + all.rows, 1, sizeof(int64_t)); /* the rest is in rows */
    else
      hash = hash_numbers(hash, part->data, part->rows * part->columns, section_type_size(part->type));
  }
  const uint64_t sum = hash_of_particles(&all);
  return all.count > 0 ? hash_numbers(hash, &sum, 1, sizeof sum) : hash;
}
