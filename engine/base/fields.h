/*
 * Options as data: one row per member of a struct of floc.h, made by scripts/surface.sh from the declarations that
 * the Lua half reads too. Defaults and ranges come from the rows; rules between members are functions of the rooms.
 */
#ifndef FLOC_BASE_FIELDS_H
#define FLOC_BASE_FIELDS_H

#include "base/environment.h"

typedef enum field_kind { FIELD_NUMBER, FIELD_INTEGER, FIELD_BOOLEAN, FIELD_WORD } field_kind;

enum {
  FIELD_ABOVE = 1,   /* the lower limit itself is out */
  FIELD_BELOW = 2,   /* the upper limit itself is out */
  FIELD_INFINITE = 4 /* infinite numbers are in */
};

typedef struct field_word {
  const char *word;
  int32_t value;
} field_word;

typedef struct field_row {
  const char *name;
  size_t offset;
  field_kind kind;
  int flags;
  double lower, upper, initial;
  const field_word *words; /* of FIELD_WORD; ends with NULL */
} field_row;

typedef struct struct_fields {
  const field_row *row;
  int32_t count;
} struct_fields;

extern const struct_fields struct_projection_options;

/* Into a struct full of zeros. */
void fields_defaults(const struct_fields *self, void *options);

/* Refuses the first member that is out of its range. */
floc_status fields_check(environment *env, const struct_fields *self, const void *options);

#endif
