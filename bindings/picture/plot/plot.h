/*
 * Line plots by Cairo: axes with round numbers, linear or logarithmic, several series, error bars,
 * steps, bars, reference lines and bands, several panels in one image. Files, text, colours and error
 * reporting follow the rules at the head of picture.h.
 *
 * How to use it
 *     plot_series series;   plot_series_init(&series);   series.x = ...; series.y = ...; series.count = ...;
 *     plot_panel panel;     plot_panel_init(&panel);     panel.series = &series; panel.series_count = 1;
 *     plot_options options; plot_options_init(&options);
 *     status = plot_write("energy.pdf", &options, &panel, 1, message, sizeof message);
 */
#ifndef FLOC_PICTURE_PLOT_PLOT_H
#define FLOC_PICTURE_PLOT_PLOT_H

#include "picture.h"

/* What a series looks like: one or several, added. */
typedef enum plot_style {
  PLOT_LINE = 1, /* straight lines from point to point */
  PLOT_MARKERS = 2,
  PLOT_STEPS = 4, /* level from each x to the next (a count over time) */
  PLOT_BARS = 8   /* a bar from the axis (0, or the lower end) to y at each x: histograms */
} plot_style;

typedef enum plot_dash { PLOT_SOLID = 0, PLOT_DASHED = 1, PLOT_DOTTED = 2, PLOT_DASH_DOTTED = 3 } plot_dash;

typedef enum plot_marker {
  PLOT_MARKER_AUTOMATIC = 0, /* circle, square, triangle, ... in turn */
  PLOT_MARKER_CIRCLE = 1,
  PLOT_MARKER_SQUARE = 2,
  PLOT_MARKER_TRIANGLE = 3,
  PLOT_MARKER_DIAMOND = 4,
  PLOT_MARKER_CROSS = 5, /* x */
  PLOT_MARKER_PLUS = 6,
  PLOT_MARKER_DOT = 7 /* small and full */
} plot_marker;

typedef struct plot_series {
  const char *name;         /* in the legend; NULL: not there */
  int64_t count;            /* points, 0 or more */
  const double *x;          /* NULL: 1, 2, 3, ... */
  const double *y;          /* NaN, infinite and (on a logarithmic axis) values <= 0 leave a gap */
  const double *error;      /* half length of the error bar in y, >= 0; NaN: none; NULL: none at all */
  const double *band_lower; /* with band_upper: a translucent band, for a spread around y; NULL: none */
  const double *band_upper;
  int32_t style;      /* plot_style, added; default PLOT_LINE */
  int32_t dash;       /* plot_dash; default solid */
  int32_t marker;     /* plot_marker; default automatic */
  int32_t colour;     /* 0xRRGGBB; default PICTURE_AUTOMATIC: the qualitative list in turn */
  double width;       /* of lines in pixels; default 0: from the picture's size */
  double marker_size; /* diameter in pixels; default 0: from the picture's size */
  double bar_width;   /* in units of x; default 0: the smallest distance of two x */
} plot_series;

void plot_series_init(plot_series *series);

/* A straight line across the panel, or a band between two values. */
typedef struct plot_reference {
  bool vertical;     /* at an x instead of at a y; default false */
  double value;      /* finite */
  double second;     /* not NaN: band from value to second; default NaN */
  const char *label; /* beside the line; NULL: none */
  int32_t colour;    /* default automatic: grey */
  int32_t dash;      /* plot_dash; default dashed */
} plot_reference;

void plot_reference_init(plot_reference *reference);

typedef struct plot_axis {
  const char *label;   /* "kinetic energy"; NULL: none */
  const char *unit;    /* shown in brackets behind it; NULL: none */
  double lower, upper; /* default NaN: from the data, with a margin */
  bool logarithmic;    /* base 10; default false */
  bool grid;           /* thin lines at the ticks; default true */
} plot_axis;

typedef enum plot_legend {
  PLOT_LEGEND_AUTOMATIC = 0, /* in the corner with the fewest points; none if no series has a name */
  PLOT_LEGEND_NONE = 1,
  PLOT_LEGEND_UPPER_RIGHT = 2,
  PLOT_LEGEND_UPPER_LEFT = 3,
  PLOT_LEGEND_LOWER_RIGHT = 4,
  PLOT_LEGEND_LOWER_LEFT = 5,
  PLOT_LEGEND_BELOW = 6 /* under the axis, in a row */
} plot_legend;

typedef struct plot_panel {
  const char *title; /* NULL: none */
  plot_axis x, y;
  const plot_series *series;
  int32_t series_count; /* 0 or more */
  const plot_reference *references;
  int32_t reference_count;
  int32_t legend;   /* plot_legend; default automatic */
  bool equal_scale; /* one unit is as long in x as in y (trajectories); default false */
} plot_panel;

void plot_panel_init(plot_panel *panel);

typedef struct plot_options {
  int32_t width;            /* pixels (SVG: px, PDF: 1/96 inch), 64 to 16384; default 800 */
  int32_t height;           /* default 0: from the width and the number of panels */
  double text_size;         /* pixels; default 0: from the size */
  int32_t background;       /* 0xRRGGBB; default white */
  bool transparent;         /* default false */
  int32_t columns;          /* panels per row; default 0: chosen */
  const char *title;        /* above everything; NULL: none */
  const char *caption_left; /* below; NULL: none */
  const char *caption_right;
} plot_options;

void plot_options_init(plot_options *options);

/* Draws panel_count panels (1 or more, row by row) into a .png, .svg or .pdf file; see picture_write. */
floc_status plot_write(const char *path, const plot_options *options, const plot_panel *panels, int32_t panel_count,
                       char *message, size_t message_size);

/* The same into memory; see picture_draw. height 0 in options: 5/8 of the width for one panel. */
floc_status plot_draw(const plot_options *options, const plot_panel *panels, int32_t panel_count, uint32_t *pixels,
                      int32_t width, int32_t height, char *message, size_t message_size);

/* The size that plot_write and plot_draw use. */
floc_status plot_size(const plot_options *options, int32_t panel_count, int32_t *width, int32_t *height,
                      char *message, size_t message_size);

#endif
