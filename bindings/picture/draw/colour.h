/*
 * From numbers to colours: maps as tables of anchor colours with straight lines in sRGB between them,
 * and the list of colours for groups and series. The scale of a use (range found from the data, map,
 * logarithm) is resolved once per picture; then a colour per value is a look-up.
 */
#ifndef FLOC_PICTURE_DRAW_COLOUR_H
#define FLOC_PICTURE_DRAW_COLOUR_H

#include "draw/canvas.h"
#include "picture.h"

enum { SCALE_COLOURS = 1024 };

extern const int32_t colour_missing; /* of NaN and of negative groups */

/* A picture_scale with its range known. */
typedef struct resolved_scale {
  bool used; /* there are values to show */
  bool logarithmic;
  double lower, upper; /* lower < upper */
  int32_t colour[SCALE_COLOURS];
} resolved_scale;

/* Checks map, lower and upper; what: "scale", "tubes.scale", ... for the message. */
floc_status scale_check(const picture_report *report, const picture_scale *scale, const char *what);

/* Widens *lower .. *upper (start with +infinity .. -infinity) by a value if it is finite; for a logarithmic
 * scale only if it is above 0. */
void scale_include(const picture_scale *scale, double value, double *lower, double *upper);

/* Fixes the range from the settings, or else from the collected data, and fills the table of colours. */
void scale_resolve(resolved_scale *resolved, const picture_scale *scale, const char *default_map, double data_lower,
                   double data_upper);

/* Where a value lies on the scale: 0 to 1, NaN if nowhere. */
double scale_position(const resolved_scale *resolved, double value);
int32_t scale_colour(const resolved_scale *resolved, double value);

/* The qualitative list for series: like the groups, without the colours that are too faint for lines. */
int32_t colour_of_series(int32_t index);

#endif
