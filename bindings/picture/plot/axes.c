/*
 * Ranges, ticks and axes of a plot.
 *
 * A range that comes from the data gets a margin of 4 % on both sides (of the logarithm on a logarithmic
 * axis); bars stand on 0, which then has no margin. Ends that are given are taken as they are.
 */
#include "plot/axes.h"

#include <floc/floc.h>

#include <float.h>
#include <math.h>

/* ---- ranges ---------------------------------------------------------------------------------------- */

double series_x(const plot_series *series, int64_t k)
{
  return series->x ? series->x[k] : (double)(k + 1);
}

double series_bar_width(const plot_series *series)
{
  if (series->bar_width > 0.0) return series->bar_width;
  double least = INFINITY;
  for (int64_t k = 1; k < series->count; k++) {
    double distance = fabs(series_x(series, k) - series_x(series, k - 1));
    if (distance > 0.0 && distance < least) least = distance;
  }
  return isinf(least) ? 1.0 : least;
}

static bool usable(double value, bool logarithmic)
{
  return isfinite(value) && (!logarithmic || value > 0.0);
}

typedef struct data_range {
  double lower, upper;
  bool logarithmic;
  double window[2]; /* ends that the user gave, or infinite: only points inside count */
} data_range;

static data_range empty_range(const plot_axis *settings)
{
  return (data_range){
      INFINITY,
      -INFINITY,
      settings->logarithmic,
      {isnan(settings->lower) ? -INFINITY : settings->lower, isnan(settings->upper) ? INFINITY : settings->upper}};
}

static void include(data_range *range, double value)
{
  if (!usable(value, range->logarithmic)) return;
  range->lower = fmin(range->lower, value);
  range->upper = fmax(range->upper, value);
}

static void include_point(const plot_series *series, int64_t k, double half_bar, data_range *x, data_range *y)
{
  double at = series_x(series, k);
  if (!usable(at, x->logarithmic) || at + half_bar < x->window[0] || at - half_bar > x->window[1]) return;
  if (series->band_lower) {
    include(y, series->band_lower[k]);
    include(y, series->band_upper[k]);
  }
  bool shown = usable(series->y[k], y->logarithmic);
  if (!shown && !series->band_lower) return;
  include(x, at - half_bar);
  include(x, at + half_bar);
  if (!shown) return;
  include(y, series->y[k]);
  if (!series->error || !(series->error[k] >= 0.0)) return;
  include(y, series->y[k] - series->error[k]);
  include(y, series->y[k] + series->error[k]);
}

static bool has_bars(const plot_panel *panel)
{
  for (int32_t k = 0; k < panel->series_count; k++)
    if (panel->series[k].style & PLOT_BARS) return true;
  return false;
}

static void collect_ranges(const plot_panel *panel, data_range *x, data_range *y)
{
  for (int32_t s = 0; s < panel->series_count; s++) {
    const plot_series *series = &panel->series[s];
    double half_bar = series->style & PLOT_BARS ? 0.5 * series_bar_width(series) : 0.0;
    for (int64_t k = 0; k < series->count; k++) include_point(series, k, half_bar, x, y);
  }
  for (int32_t k = 0; k < panel->reference_count; k++) {
    const plot_reference *reference = &panel->references[k];
    include(reference->vertical ? x : y, reference->value);
    include(reference->vertical ? x : y, reference->second);
  }
  if (has_bars(panel)) include(y, 0.0);
}

/* A margin around the data, none where bars stand on 0. */
static void widen(data_range *range, bool stands_on_zero)
{
  if (!(range->lower <= range->upper)) {
    range->lower = range->logarithmic ? 1.0 : 0.0;
    range->upper = range->logarithmic ? 10.0 : 1.0;
  }
  if (range->logarithmic) {
    double ratio = range->lower < range->upper ? floc_pow(range->upper / range->lower, 0.04) : 2.0;
    range->lower = fmax(range->lower / ratio, DBL_MIN);
    range->upper = fmin(range->upper * ratio, DBL_MAX);
    return;
  }
  double greatest = fmax(fabs(range->lower), fabs(range->upper));
  double margin = 0.04 * range->upper - 0.04 * range->lower;
  if (!(margin > 1e-12 * greatest)) margin = greatest > 0.0 ? fmax(0.1 * greatest, 1e-300) : 1.0;
  if (!(stands_on_zero && range->lower == 0.0)) range->lower = fmax(range->lower - margin, -DBL_MAX);
  if (!(stands_on_zero && range->upper == 0.0)) range->upper = fmin(range->upper + margin, DBL_MAX);
}

static void settle(axis_range *axis, const plot_axis *settings, data_range data, bool stands_on_zero)
{
  widen(&data, stands_on_zero);
  axis->logarithmic = settings->logarithmic;
  axis->lower = isnan(settings->lower) ? data.lower : settings->lower;
  axis->upper = isnan(settings->upper) ? data.upper : settings->upper;
  if (axis->lower < axis->upper) return;
  double size = fmax(fabs(axis->lower), 1.0); /* the end that is given lies beyond all data */
  if (isnan(settings->upper))
    axis->upper = axis->logarithmic ? 10.0 * axis->lower : axis->lower + size;
  else
    axis->lower = axis->logarithmic ? 0.1 * axis->upper : axis->upper - size;
}

void plot_ranges(plot_job *job)
{
  const plot_panel *panel = job->panel;
  data_range x = empty_range(&panel->x), y = empty_range(&panel->y);
  collect_ranges(panel, &x, &y);
  settle(&job->x, &panel->x, x, false);
  settle(&job->y, &panel->y, y, has_bars(panel));
  axis_range *axes[2] = {&job->x, &job->y};
  for (int k = 0; k < 2; k++) {
    axes[k]->natural[0] = axes[k]->lower;
    axes[k]->natural[1] = axes[k]->upper;
  }
}

/* ---- from values to the sheet ---------------------------------------------------------------------- */

double axis_position(const axis_range *axis, double value)
{
  if (!usable(value, axis->logarithmic)) return NAN;
  if (axis->logarithmic)
    return (floc_log(value) - floc_log(axis->lower)) / (floc_log(axis->upper) - floc_log(axis->lower));
  return (0.5 * value - 0.5 * axis->lower) / (0.5 * axis->upper - 0.5 * axis->lower);
}

/* Positions far off the frame are limited: Cairo cannot place them, and the line's direction within the
 * frame changes by less than a pixel. */
static double limited(double position)
{
  return position < -50.0 ? -50.0 : position > 50.0 ? 50.0 : position;
}

double plot_x(const plot_job *job, double value)
{
  return job->frame.x + job->frame.width * limited(axis_position(&job->x, value));
}

double plot_y(const plot_job *job, double value)
{
  return job->frame.y + job->frame.height * (1.0 - limited(axis_position(&job->y, value)));
}

/* ---- placing --------------------------------------------------------------------------------------- */

static text_style tick_text(const canvas *sheet, text_align align)
{
  text_style style = text_ordinary(sheet, align, 0.0);
  style.size *= 0.92;
  return style;
}

static void find_ticks(axis_range *axis, int32_t wanted)
{
  if (axis->logarithmic)
    ticks_logarithmic(&axis->ticks, axis->lower, axis->upper, wanted);
  else
    ticks_linear(&axis->ticks, axis->lower, axis->upper, wanted);
}

static double widest_label(canvas *sheet, const tick_set *ticks)
{
  text_style style = tick_text(sheet, TEXT_LEFT);
  double widest = 0.0;
  for (int32_t k = 0; k < ticks->count; k++)
    widest = fmax(widest, canvas_text_width(sheet, &style, ticks->label[k]));
  return widest;
}

static bool has_label(const plot_axis *axis)
{
  return (axis->label && *axis->label) || (axis->unit && *axis->unit);
}

/* As many ticks along x as there is space for labels. */
static void fit_x_ticks(canvas *sheet, axis_range *axis, double width)
{
  int32_t wanted = (int32_t)fmin(9.0, fmax(2.0, width / (4.5 * sheet->text_size)));
  for (; wanted >= 1; wanted--) {
    find_ticks(axis, wanted);
    double room = width / fmax(axis->ticks.count, 1);
    if (widest_label(sheet, &axis->ticks) + 0.9 * sheet->text_size <= room) return;
  }
}

static void make_scales_equal(plot_job *job)
{
  const plot_panel *panel = job->panel;
  job->x.lower = job->x.natural[0];
  job->x.upper = job->x.natural[1];
  job->y.lower = job->y.natural[0];
  job->y.upper = job->y.natural[1];
  double per_x = (job->x.upper - job->x.lower) / job->frame.width,
         per_y = (job->y.upper - job->y.lower) / job->frame.height;
  axis_range *axis = per_x < per_y ? &job->x : &job->y;
  const plot_axis *settings = per_x < per_y ? &panel->x : &panel->y;
  double length = fmax(per_x, per_y) * (per_x < per_y ? job->frame.width : job->frame.height);
  if (isnan(settings->lower) && isnan(settings->upper)) { /* space to widen: show more */
    double middle = 0.5 * axis->lower + 0.5 * axis->upper;
    axis->lower = middle - 0.5 * length;
    axis->upper = middle + 0.5 * length;
    return;
  }
  double ratio = (axis->upper - axis->lower) / length; /* fixed: a smaller frame */
  double *size = per_x < per_y ? &job->frame.width : &job->frame.height;
  double *start = per_x < per_y ? &job->frame.x : &job->frame.y;
  *start += floor(0.5 * *size * (1.0 - ratio));
  *size = floor(*size * ratio);
}

/* What the labels need around the frame, with the ticks that fit into the frame as it is now. */
static void measure_margins(canvas *sheet, plot_job *job, const rectangle *cell)
{
  double text = sheet->text_size;
  const plot_panel *panel = job->panel;
  plot_margins *margins = &job->margins;
  find_ticks(&job->y, (int32_t)fmin(9.0, fmax(2.0, job->frame.height / (3.0 * text))));
  fit_x_ticks(sheet, &job->x, job->frame.width);
  double left = widest_label(sheet, &job->y.ticks) + 0.9 * text + (has_label(&panel->y) ? 1.6 * text : 0.0);
  bool second_line = has_label(&panel->x) || *job->x.ticks.annotation;
  double below = 1.9 * text + (second_line ? 1.3 * text : 0.0) + plot_legend_height(sheet, panel, cell->width);
  text_style style = tick_text(sheet, TEXT_LEFT);
  int32_t last = job->x.ticks.count - 1; /* the last label must not stick out of the cell */
  double half = last >= 0 ? 0.5 * canvas_text_width(sheet, &style, job->x.ticks.label[last]) : 0.0;
  double end = last >= 0 ? plot_x(job, job->x.ticks.value[last]) - job->frame.x - job->frame.width + half : 0.0;
  margins->left = fmax(margins->left, ceil(left));
  margins->right = fmax(margins->right, ceil(fmax(0.8 * text, end)));
  margins->above = fmax(margins->above, ceil((*job->y.ticks.annotation ? 1.6 : 0.6) * text));
  margins->below = fmax(margins->below, ceil(below));
}

static void place_frame(plot_job *job, const rectangle *cell)
{
  const plot_margins *margins = &job->margins;
  job->frame = (rectangle){floor(cell->x + margins->left), floor(cell->y + margins->above),
                           fmax(floor(cell->width - margins->left - margins->right), 10.0),
                           fmax(floor(cell->height - margins->above - margins->below), 10.0)};
  if (job->panel->equal_scale) make_scales_equal(job);
}

void axes_place(canvas *sheet, plot_job *job, const rectangle *cell)
{
  for (int round = 0; round < 2; round++) { /* ticks depend on the frame, the frame on the ticks' labels */
    place_frame(job, cell);
    measure_margins(sheet, job, cell);
  }
  place_frame(job, cell);
  measure_margins(sheet, job, cell);
}

/* ---- drawing --------------------------------------------------------------------------------------- */

static bool on_axis(double position)
{
  return position >= -1e-9 && position <= 1.0 + 1e-9;
}

static double sharp(double place)
{
  return floor(place) + 0.5;
}

void axes_draw_grid(canvas *sheet, const plot_job *job)
{
  const rectangle *frame = &job->frame;
  canvas_set_colour(sheet, colour_mix(sheet->ink, sheet->background, 0.86), 1.0);
  cairo_set_line_width(sheet->cairo, fmax(0.7 * sheet->thin, 0.7));
  canvas_set_dash(sheet, 0, 1.0);
  for (int32_t k = 0; k < job->x.ticks.count && job->panel->x.grid; k++) {
    double x = sharp(plot_x(job, job->x.ticks.value[k]));
    canvas_line(sheet, x, frame->y, x, frame->y + frame->height);
  }
  for (int32_t k = 0; k < job->y.ticks.count && job->panel->y.grid; k++) {
    double y = sharp(plot_y(job, job->y.ticks.value[k]));
    canvas_line(sheet, frame->x, y, frame->x + frame->width, y);
  }
}

static void draw_x_ticks(canvas *sheet, const plot_job *job)
{
  double text = sheet->text_size, bottom = job->frame.y + job->frame.height;
  const tick_set *ticks = &job->x.ticks;
  text_style style = tick_text(sheet, TEXT_CENTER);
  for (int32_t k = 0; k < ticks->minor_count; k++) {
    double x = plot_x(job, ticks->minor[k]);
    canvas_line(sheet, x, bottom, x, bottom - 0.18 * text);
  }
  for (int32_t k = 0; k < ticks->count; k++) {
    if (!on_axis(axis_position(&job->x, ticks->value[k]))) continue;
    double x = plot_x(job, ticks->value[k]);
    canvas_line(sheet, x, bottom, x, bottom - 0.36 * text);
    canvas_text(sheet, &style, x, bottom + 1.25 * text, ticks->label[k]);
  }
}

static void draw_y_ticks(canvas *sheet, const plot_job *job)
{
  double text = sheet->text_size, left = job->frame.x;
  const tick_set *ticks = &job->y.ticks;
  text_style style = tick_text(sheet, TEXT_RIGHT);
  for (int32_t k = 0; k < ticks->minor_count; k++) {
    double y = plot_y(job, ticks->minor[k]);
    canvas_line(sheet, left, y, left + 0.18 * text, y);
  }
  for (int32_t k = 0; k < ticks->count; k++) {
    if (!on_axis(axis_position(&job->y, ticks->value[k]))) continue;
    double y = plot_y(job, ticks->value[k]);
    canvas_line(sheet, left, y, left + 0.36 * text, y);
    canvas_text(sheet, &style, left - 0.4 * text, y + 0.34 * text, ticks->label[k]);
  }
}

static void draw_axis_labels(canvas *sheet, const plot_job *job)
{
  double text = sheet->text_size;
  const rectangle *frame = &job->frame;
  const plot_panel *panel = job->panel;
  char label[256];
  text_style x_style = text_ordinary(sheet, TEXT_CENTER, frame->width),
             y_style = text_ordinary(sheet, TEXT_CENTER, frame->height);
  text_style note = tick_text(sheet, TEXT_RIGHT);
  const char *annotation = job->x.ticks.annotation;
  if (*annotation) { /* at the right end of the label's line */
    canvas_text(sheet, &note, frame->x + frame->width,
                frame->y + frame->height + (has_label(&panel->x) ? 2.75 : 2.3) * text, annotation);
    x_style.room = fmax(frame->width - 2.2 * canvas_text_width(sheet, &note, annotation), 4.0 * text);
  }
  label_with_unit(label, sizeof label, panel->x.label, panel->x.unit);
  canvas_text(sheet, &x_style, frame->x + 0.5 * frame->width, frame->y + frame->height + 2.75 * text, label);
  label_with_unit(label, sizeof label, panel->y.label, panel->y.unit);
  double left = frame->x - 0.9 * text - widest_label(sheet, &job->y.ticks);
  canvas_text_upwards(sheet, &y_style, left, frame->y + 0.5 * frame->height, label);
  note.align = TEXT_LEFT;
  canvas_text(sheet, &note, frame->x, frame->y - 0.45 * text, job->y.ticks.annotation);
}

void axes_draw(canvas *sheet, const plot_job *job)
{
  const rectangle *frame = &job->frame;
  canvas_set_dash(sheet, 0, 1.0);
  canvas_set_colour(sheet, sheet->ink, 1.0);
  cairo_set_line_width(sheet->cairo, fmax(0.9 * sheet->thin, 0.8));
  cairo_rectangle(sheet->cairo, sharp(frame->x), sharp(frame->y), frame->width, frame->height);
  cairo_stroke(sheet->cairo);
  draw_x_ticks(sheet, job);
  draw_y_ticks(sheet, job);
  draw_axis_labels(sheet, job);
}

/* ---- reference lines ------------------------------------------------------------------------------- */

static void draw_reference(canvas *sheet, const plot_job *job, const plot_reference *reference)
{
  const rectangle *frame = &job->frame;
  bool vertical = reference->vertical;
  int32_t colour = reference->colour == PICTURE_AUTOMATIC ? 0x777777 : reference->colour & 0xffffff;
  double first = vertical ? plot_x(job, reference->value) : plot_y(job, reference->value);
  if (!isnan(reference->second)) {
    double second = vertical ? plot_x(job, reference->second) : plot_y(job, reference->second);
    canvas_set_colour(sheet, colour, 0.16);
    if (vertical)
      cairo_rectangle(sheet->cairo, fmin(first, second), frame->y, fabs(second - first), frame->height);
    else
      cairo_rectangle(sheet->cairo, frame->x, fmin(first, second), frame->width, fabs(second - first));
    cairo_fill(sheet->cairo);
    return;
  }
  double width = 1.2 * sheet->thin;
  canvas_set_colour(sheet, colour, 1.0);
  cairo_set_line_width(sheet->cairo, width);
  canvas_set_dash(sheet, reference->dash, width);
  if (vertical)
    canvas_line(sheet, first, frame->y, first, frame->y + frame->height);
  else
    canvas_line(sheet, frame->x, first, frame->x + frame->width, first);
  canvas_set_dash(sheet, 0, width);
}

static void label_reference(canvas *sheet, const plot_job *job, const plot_reference *reference)
{
  const rectangle *frame = &job->frame;
  double text = sheet->text_size;
  text_style style = tick_text(sheet, TEXT_RIGHT);
  style.halo = sheet->background;
  style.colour =
      reference->colour == PICTURE_AUTOMATIC ? colour_mix(sheet->ink, 0x888888, 0.5) : reference->colour & 0xffffff;
  style.room = 0.6 * (reference->vertical ? frame->height : frame->width);
  double place = reference->vertical ? plot_x(job, reference->value) : plot_y(job, reference->value);
  if (reference->vertical) {
    double x = place - 0.35 * text < frame->x + text ? place + 1.1 * text : place - 0.35 * text;
    canvas_text_upwards(sheet, &style, x, frame->y + 0.5 * text, reference->label);
  } else {
    double y = place - 0.4 * text < frame->y + text ? place + 1.1 * text : place - 0.4 * text;
    canvas_text(sheet, &style, frame->x + frame->width - 0.5 * text, y, reference->label);
  }
}

void references_draw(canvas *sheet, const plot_job *job, bool labels)
{
  for (int32_t k = 0; k < job->panel->reference_count; k++) {
    const plot_reference *reference = &job->panel->references[k];
    const axis_range *axis = reference->vertical ? &job->x : &job->y;
    double position = axis_position(axis, reference->value);
    if (isnan(position)) continue;
    if (!labels)
      draw_reference(sheet, job, reference);
    else if (on_axis(position) && reference->label && *reference->label)
      label_reference(sheet, job, reference);
  }
}
