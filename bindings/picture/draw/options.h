/*
 * Options of pictures and plots as data: one row per member, made by scripts/surface.sh from the declarations that
 * the Lua half reads too (scripts/floc/surface/pictures.lua). Defaults and ranges come from the rows; rules between
 * members are in the check.c of pictures and of plots.
 */
#ifndef FLOC_PICTURE_DRAW_OPTIONS_H
#define FLOC_PICTURE_DRAW_OPTIONS_H

#include "draw/report.h"

typedef enum option_kind { OPTION_NUMBER, OPTION_INTEGER, OPTION_INTEGER64, OPTION_BOOLEAN } option_kind;

enum {
  OPTION_ABOVE = 1,     /* the lower limit itself is out */
  OPTION_BELOW = 2,     /* the upper limit itself is out */
  OPTION_AUTOMATIC = 4, /* NaN, or PICTURE_AUTOMATIC as a colour, is in: chosen by the picture */
  OPTION_ZERO = 8       /* 0 is in, and means the same */
};

typedef struct option_row {
  const char *name;
  size_t offset;
  option_kind kind;
  int count; /* of an array */
  int flags;
  double lower, upper, initial;
  const char *allowed; /* "an integer between 64 and 16384" */
} option_row;

typedef struct option_rows {
  const option_row *row;
  size_t count;
} option_rows;

#include "draw/options_made.h"

/* Into a struct full of zeros. */
void options_defaults(const option_rows *self, void *options);

/* Refuses the first member that is out of its range; where stands before its name: "panel 2: view." */
floc_status options_check(const picture_report *report, const char *where, const option_rows *self,
                          const void *options);

/* The row of that name, which must exist. */
const option_row *options_row(const option_rows *self, const char *name);

/* options_check for one value that is to become a member, or that a function takes beside structs. */
floc_status options_check_value(const picture_report *report, const option_rows *self, const char *name,
                                double value);

#endif
