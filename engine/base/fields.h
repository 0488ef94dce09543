/*
 * Options as data: one row per member of a struct of floc.h, made by scripts/surface.sh from the declarations that
 * the Lua half reads too. Defaults and ranges come from the rows; rules between members are functions of the
 * modules.
 */
#ifndef FLOC_BASE_FIELDS_H
#define FLOC_BASE_FIELDS_H

#include "base/environment.h"

typedef enum field_kind {
  FIELD_NUMBER,
  FIELD_INTEGER,
  FIELD_INTEGER64,
  FIELD_UNSIGNED64, /* any */
  FIELD_BOOLEAN,
  FIELD_WORD /* of an enum */
} field_kind;

enum {
  FIELD_ABOVE = 1,    /* the lower limit itself is out */
  FIELD_BELOW = 2,    /* the upper limit itself is out */
  FIELD_INFINITE = 4, /* infinite numbers are in */
  FIELD_FREE = 8      /* not checked here: its range depends on other members */
};

typedef struct field_word {
  const char *word;
  int32_t value;
} field_word;

typedef struct field_row {
  const char *name;
  size_t offset;
  field_kind kind;
  int count; /* of an array */
  int flags;
  double lower, upper, initial;
  const field_word *words; /* of FIELD_WORD; ends with NULL */
  size_t chooser;          /* offset of the word that decides whether the member is used */
  uint32_t when;           /* bit k: it is used when that word is k; 0: always */
} field_row;

typedef struct struct_fields {
  const field_row *row;
  int32_t count;
} struct_fields;

#include "base/fields_made.h"

/* Into a struct full of zeros. */
void fields_defaults(const struct_fields *self, void *options);

/* Refuses the first member that is used and out of its range. */
floc_status fields_check(environment *env, const struct_fields *self, const void *options);

/* The same, and what is refused begins with the owner: "pair law: input_count is ...". */
floc_status fields_check_of(environment *env, const char *owner, const struct_fields *self, const void *options);

/* The same for a value that is to become a member, or that a function takes beside structs (`arguments`). */
floc_status fields_check_value(environment *env, const struct_fields *self, const char *name, double value);

#endif
