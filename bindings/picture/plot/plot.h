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
/* clang-format off */
typedef enum plot_style {
  PLOT_LINE = 1,             /* straight lines from point to point */
  PLOT_MARKERS = 2,          /* a marker at each point */
  PLOT_STEPS = 4,            /* level from each x to the next (a count over time) */
  PLOT_BARS = 8              /* a bar from the axis (0, or the lower end) to y at each x: histograms */
} plot_style;

typedef enum plot_dash {
  PLOT_SOLID = 0,
  PLOT_DASHED = 1,
  PLOT_DOTTED = 2,
  PLOT_DASH_DOTTED = 3
} plot_dash;

typedef enum plot_marker {
  PLOT_MARKER_AUTOMATIC = 0, /* circle, square, triangle, ... in turn */
  PLOT_MARKER_CIRCLE = 1,
  PLOT_MARKER_SQUARE = 2,
  PLOT_MARKER_TRIANGLE = 3,
  PLOT_MARKER_DIAMOND = 4,
  PLOT_MARKER_CROSS = 5,     /* x */
  PLOT_MARKER_PLUS = 6,
  PLOT_MARKER_DOT = 7        /* small and full */
} plot_marker;

typedef struct plot_series {
  const char *name;          /* In the legend; NULL: not there. */
  int64_t count;             /* >= 0; default 0. Points. */
  const double *x;           /* NULL: 1, 2, 3, ... */
  const double *y;           /* NaN, infinite and (on a logarithmic axis) values <= 0 leave a gap. */
  const double *error;       /* Half length of the error bar in y, >= 0; NaN: none; NULL: none at all. */
  const double *band_lower;  /* With band_upper: a translucent band, for a spread around y; NULL: none. */
  const double *band_upper;
  int32_t style;             /* 1 to 15; default 1. plot_style, added; by default PLOT_LINE. */
  int32_t dash;              /* plot_dash; default solid. Kind of line. */
  int32_t marker;            /* plot_marker; default automatic. Of PLOT_MARKERS. */
  int32_t colour;            /* 0xRRGGBB; default automatic. Automatic: the qualitative list in turn. */
  double width;              /* >= 0 [pixels]; default 0. Width of the line; 0: chosen automatically. */
  double marker_size;        /* >= 0 [pixels]; default 0. Diameter; 0: from the picture's size. */
  double bar_width;          /* >= 0; default 0. In units of x; 0: the smallest distance of two x. */
} plot_series;
/* clang-format on */

void plot_series_init(plot_series *series);

/* A straight line across the panel, or a band between two values. */
/* clang-format off */
typedef struct plot_reference {
  bool vertical;             /* default false. At an x instead of at a y. */
  double value;              /* no default. Position of the line. */
  double second;             /* default NaN. Not NaN: a band from value to second. */
  const char *label;         /* Next to the line; NULL: none. */
  int32_t colour;            /* 0xRRGGBB; default automatic. Automatic: grey. */
  int32_t dash;              /* plot_dash; default dashed. Kind of line. */
} plot_reference;
/* clang-format on */

void plot_reference_init(plot_reference *reference);

/* clang-format off */
typedef struct plot_axis {
  const char *label;         /* "kinetic energy"; NULL: none. */
  const char *unit;          /* Written in brackets after it; NULL: none. */
  double lower;              /* default NaN. From the data, with a margin. */
  double upper;              /* default NaN. Likewise. */
  bool logarithmic;          /* default false. Logarithmic, to base 10. */
  bool grid;                 /* default true. Thin lines at the ticks. */
} plot_axis;

typedef enum plot_legend {
  PLOT_LEGEND_AUTOMATIC = 0,   /* in the corner with the fewest points; none if no series has a name */
  PLOT_LEGEND_NONE = 1,
  PLOT_LEGEND_UPPER_RIGHT = 2,
  PLOT_LEGEND_UPPER_LEFT = 3,
  PLOT_LEGEND_LOWER_RIGHT = 4,
  PLOT_LEGEND_LOWER_LEFT = 5,
  PLOT_LEGEND_BELOW = 6        /* under the axis, in a row */
} plot_legend;

typedef struct plot_panel {
  const char *title;         /* NULL: none. */
  plot_axis x;
  plot_axis y;
  const plot_series *series;
  int32_t series_count;      /* >= 0; default 0. Length of series. */
  const plot_reference *references;
  int32_t reference_count;   /* >= 0; default 0. Length of references. */
  int32_t legend;            /* plot_legend; default automatic. Position of the legend. */
  bool equal_scale;          /* default false. One unit is as long in x as in y (trajectories). */
} plot_panel;
/* clang-format on */

void plot_panel_init(plot_panel *panel);

/* clang-format off */
typedef struct plot_options {
  int32_t width;             /* 64 to 16384 [pixels]; default 800. SVG: px, PDF: 1/96 inch. */
  int32_t height;            /* 64 to 16384 [pixels]; default 0. The same; 0: from the width and the number of
                                panels. */
  double text_size;          /* 0 to 1000 [pixels]; default 0. Of captions and legends; 0: from the size. */
  int32_t background;        /* 0xRRGGBB; default 0xffffff. Text turns white on a dark one. */
  bool transparent;          /* default false. No background at all. */
  int32_t columns;           /* >= 0; default 0. Panels per row; 0: chosen automatically. */
  const char *title;         /* Above everything; NULL: none. */
  const char *caption_left;  /* Below everything: "step 14226, t = 71.13"; NULL: none. */
  const char *caption_right; /* Below, at the right: file, parameters; NULL: none. */
} plot_options;
/* clang-format on */

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
