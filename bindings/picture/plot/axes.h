/*
 * The inside of plots: where values land in a panel, axes, series.
 */
#ifndef FLOC_PICTURE_PLOT_AXES_H
#define FLOC_PICTURE_PLOT_AXES_H

#include "draw/canvas.h"
#include "draw/ticks.h"
#include "plot/plot.h"

/* One axis with its range known. Positions are 0 at lower and 1 at upper. */
typedef struct axis_range {
  double lower, upper; /* lower < upper; > 0 when logarithmic */
  double natural[2];   /* lower and upper before equal_scale widened them */
  bool logarithmic;
  tick_set ticks;
} axis_range;

/* Space around the frame for ticks and labels. */
typedef struct plot_margins {
  double left, right, above, below;
} plot_margins;

typedef struct plot_job {
  const plot_panel *panel;
  axis_range x, y;
  plot_margins margins; /* at least; axes_place widens them to what the labels need */
  rectangle frame;      /* inside the axes */
} plot_job;

/* Checks a panel's numbers. number: 1, 2, ... for the message, 0 if there is only one. */
floc_status plot_check(const picture_report *report, const plot_panel *panel, int32_t number);

/* Ranges from the settings and the data. */
void plot_ranges(plot_job *job);

/* Position 0 .. 1 of a value, NaN for what is not on the axis (NaN, infinite, <= 0 on a logarithm). */
double axis_position(const axis_range *axis, double value);
double plot_x(const plot_job *job, double value);
double plot_y(const plot_job *job, double value);
/* x of point k of a series. */
double series_x(const plot_series *series, int64_t k);
/* Width of the bars in units of x. */
double series_bar_width(const plot_series *series);

/* Finds job->frame inside a cell, leaving space for ticks and labels, and the ticks that fit. Called for all
 * panels first, then again with margins that line the frames up. */
void axes_place(canvas *sheet, plot_job *job, const rectangle *cell);
void axes_draw_grid(canvas *sheet, const plot_job *job);
void axes_draw(canvas *sheet, const plot_job *job);
void references_draw(canvas *sheet, const plot_job *job, bool labels);

int32_t series_colour(const plot_panel *panel, int32_t number);
/* The band of a series; drawn before all series, so that it tints none of them. */
void series_draw_band(canvas *sheet, const plot_job *job, int32_t number);
void series_draw(canvas *sheet, const plot_job *job, int32_t number);
/* Legend inside the frame or below the axis. */
void plot_legend_draw(canvas *sheet, const plot_job *job, const rectangle *cell);
/* Height of a legend below the axis, 0 if it is elsewhere. */
double plot_legend_height(canvas *sheet, const plot_panel *panel, double width);

#endif
