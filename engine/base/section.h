/*
 * A section is a named table of numbers. Every module that holds state lists its sections; checkpoints
 * write them, resume gives them back under the same names, and the hash of a world runs over those that
 * are marked as state, in the order in which they are listed.
 */
#ifndef FLOC_BASE_SECTION_H
#define FLOC_BASE_SECTION_H

#include "base/environment.h"
#include "base/numbers/number.h"

typedef struct section {
  char name[64];
  char type[8]; /* "f64", "i64", "i32", "u64", "u8" */
  uint64_t rows, columns;
  const void *data; /* rows * columns elements, row by row; owned by the code that listed it */
  bool is_state;    /* counts for the hash; false for what only saves time or is the host's */
  bool any_order;   /* rows of doubles that stand in any order; they count as if sorted by their first two */
} section;

typedef struct section_list {
  environment *env;
  section *item;
  int32_t count;
  size_t capacity;
} section_list;

void section_list_init(section_list *list, environment *env);
void section_list_free(section_list *list);
/* Appends a section; data is not copied. Names are unique within a list. */
floc_status section_list_add(section_list *list, const char *name, const char *type, uint64_t rows,
                             uint64_t columns, const void *data, bool is_state);
/* By name, or NULL. */
const section *section_find(const section_list *list, const char *name);
/* The section of that name if its type and shape are as expected; FLOC_DAMAGED_FILE with both in the
 * message otherwise. rows or columns UINT64_MAX: any. */
floc_status section_expect(const section_list *list, const char *name, const char *type, uint64_t rows,
                           uint64_t columns, const section **found);
/* Refuses a section of doubles (or, the second, of i64 or i32) with a number out of its range: FLOC_DAMAGED_FILE
 * with the section's name, the element, its value and the range. Asked are `count` columns of each row, from
 * `first` on, or elements of a section that has one column. */
enum { ALL_ELEMENTS = -1 };
floc_status section_check_numbers(environment *env, const section *table, int64_t first, int64_t count,
                                  number_range range);
floc_status section_check_whole(environment *env, const section *table, int64_t first, int64_t count, int64_t least,
                                int64_t greatest);
/* Bytes of one element of a type; 0 if there is no such type. */
size_t section_type_size(const char *type);
/* Hash over the state sections (section_hash.c): of particles, and of what pairs remember, a sum of the hashes of
 * rows. */
uint64_t section_list_hash(const section_list *list);

#endif
