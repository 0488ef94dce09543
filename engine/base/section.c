/*
 * Lists of sections. See section.h.
 */
#include "base/section.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void section_list_init(section_list *list, environment *env)
{
  *list = (section_list){.env = env};
}

void section_list_free(section_list *list)
{
  array_free(list->env, (void **)&list->item, &list->capacity, sizeof(section));
  list->count = 0;
}

size_t section_type_size(const char *type)
{
  static const struct {
    const char *name;
    size_t size;
  } known[] = {{"f64", 8}, {"i64", 8}, {"u64", 8}, {"i32", 4}, {"u8", 1}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(type, known[k].name) == 0) return known[k].size;
  return 0;
}

floc_status section_list_add(section_list *list, const char *name, const char *type, uint64_t rows,
                             uint64_t columns, const void *data, bool is_state)
{
  floc_status status =
      array_reserve(list->env, (void **)&list->item, &list->capacity, (size_t)list->count + 1, sizeof(section));
  if (status != FLOC_OK) return status;
  section *added = &list->item[list->count++];
  *added = (section){.rows = rows, .columns = columns, .data = data, .is_state = is_state};
  strncpy(added->name, name, sizeof added->name - 1);
  strncpy(added->type, type, sizeof added->type - 1);
  return FLOC_OK;
}

const section *section_find(const section_list *list, const char *name)
{
  for (int32_t k = 0; k < list->count; k++)
    if (strcmp(list->item[k].name, name) == 0) return &list->item[k];
  return NULL;
}

floc_status section_expect(const section_list *list, const char *name, const char *type, uint64_t rows,
                           uint64_t columns, const section **found)
{
  const section *candidate = section_find(list, name);
  if (!candidate) return refuse(list->env, FLOC_DAMAGED_FILE, "section \"%s\" is missing", name);
  bool fits = strcmp(candidate->type, type) == 0 && (rows == UINT64_MAX || candidate->rows == rows) &&
              (columns == UINT64_MAX || candidate->columns == columns);
  if (!fits) {
    return refuse(
        list->env, FLOC_DAMAGED_FILE,
        "section \"%s\" is %" PRIu64 " x %" PRIu64 " of %s; expected %" PRId64 " x %" PRId64 " of %s (-1: any)",
        name, candidate->rows, candidate->columns, candidate->type, (int64_t)rows, (int64_t)columns, type);
  }
  *found = candidate;
  return FLOC_OK;
}

/* The elements that a check is about. */
typedef struct element_range {
  int64_t rows, columns, first, end;
} element_range;

static element_range find_elements(const section *table, int64_t first, int64_t count)
{
  bool list = table->columns == 1;
  element_range range = {list ? 1 : (int64_t)table->rows, list ? (int64_t)table->rows : (int64_t)table->columns,
                         first, 0};
  range.end = count == ALL_ELEMENTS || first + count > range.columns ? range.columns : first + count;
  return range;
}

/* Where a number stands: "element 3" of one column, "row 3, column 2" of several. */
enum { PLACE_TEXT = 64 };

static const char *place_text(const section *table, int64_t row, int64_t column, char text[PLACE_TEXT])
{
  if (table->columns == 1)
    snprintf(text, PLACE_TEXT, "element %" PRId64, column);
  else
    snprintf(text, PLACE_TEXT, "row %" PRId64 ", column %" PRId64, row, column);
  return text;
}

floc_status section_check_numbers(environment *env, const section *table, int64_t first, int64_t count,
                                  number_range range)
{
  element_range all = find_elements(table, first, count);
  const double *value = table->data;
  for (int64_t row = 0; row < all.rows; row++, value += all.columns) {
    for (int64_t column = all.first; column < all.end; column++) {
      if (is_within(range, value[column])) continue;
      char place[PLACE_TEXT], allowed[RANGE_TEXT];
      range_text(range, allowed);
      return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": %s is %.10g; it must be %s", table->name,
                    place_text(table, row, column, place), value[column], allowed);
    }
  }
  return FLOC_OK;
}

floc_status section_check_whole(environment *env, const section *table, int64_t first, int64_t count, int64_t least,
                                int64_t greatest)
{
  element_range all = find_elements(table, first, count);
  bool wide = section_type_size(table->type) == sizeof(int64_t);
  for (int64_t row = 0; row < all.rows; row++) {
    for (int64_t column = all.first; column < all.end; column++) {
      int64_t at = row * all.columns + column;
      int64_t value = wide ? ((const int64_t *)table->data)[at] : ((const int32_t *)table->data)[at];
      if (value >= least && value <= greatest) continue;
      char place[PLACE_TEXT];
      return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": %s is %" PRId64 "; it must be %" PRId64 " to %" PRId64,
                    table->name, place_text(table, row, column, place), value, least, greatest);
    }
  }
  return FLOC_OK;
}
