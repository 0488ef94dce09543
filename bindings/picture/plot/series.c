/*
 * Series and their legend.
 *
 * Lines with far more points than pixels are thinned before they reach Cairo: of the points that fall
 * into one quarter of a pixel only the first, least, greatest and last are drawn, which gives the same
 * picture (a time series of a million steps takes milliseconds and a small file).
 */
#include "draw/colour.h"
#include "plot/axes.h"

#include <floc/floc.h>

#include <math.h>

int32_t series_colour(const plot_panel *panel, int32_t number)
{
  const plot_series *series = &panel->series[number];
  return series->colour == PICTURE_AUTOMATIC ? colour_of_series(number) : series->colour & 0xffffff;
}

static double width_of(const canvas *sheet, const plot_series *series)
{
  return series->width > 0.0 ? series->width : 1.7 * sheet->thin;
}

static double marker_size_of(const canvas *sheet, const plot_series *series)
{
  return series->marker_size > 0.0 ? series->marker_size : 0.55 * sheet->text_size;
}

/* A point of a series on the sheet; false where it leaves a gap. */
static bool point_at(const plot_job *job, const plot_series *series, int64_t k, double *x, double *y)
{
  *x = plot_x(job, series_x(series, k));
  *y = plot_y(job, series->y[k]);
  return !isnan(*x) && !isnan(*y);
}

/* ---- lines ----------------------------------------------------------------------------------------- */

typedef struct pen {
  cairo_t *cairo;
  bool down, steps;
  double level;  /* steps: height of the last point */
  double column; /* of pixels that is being gathered */
  int64_t gathered;
  double first, least, greatest, last, x_first, x_last;
} pen;

static void pen_to(pen *line, double x, double y)
{
  if (!line->down)
    cairo_move_to(line->cairo, x, y);
  else if (line->steps) {
    cairo_line_to(line->cairo, x, line->level);
    cairo_line_to(line->cairo, x, y);
  } else
    cairo_line_to(line->cairo, x, y);
  line->down = true;
  line->level = y;
}

/* Draws what was gathered in a column. */
static void pen_flush(pen *line)
{
  if (line->gathered > 0) pen_to(line, line->x_first, line->first);
  if (line->gathered > 3) {
    double middle = line->column + 0.125;
    double x = middle < line->x_first ? line->x_first : middle > line->x_last ? line->x_last : middle;
    pen_to(line, x, line->least);
    pen_to(line, x, line->greatest);
  }
  if (line->gathered > 1) pen_to(line, line->x_last, line->last);
  line->gathered = 0;
}

static void pen_gather(pen *line, double x, double y)
{
  double column = floor(4.0 * x) * 0.25;
  if (line->gathered > 0 && (column != line->column || x < line->x_last)) pen_flush(line);
  if (line->gathered == 0) {
    line->column = column;
    line->x_first = x;
    line->first = line->least = line->greatest = y;
  }
  line->least = fmin(line->least, y);
  line->greatest = fmax(line->greatest, y);
  line->last = y;
  line->x_last = x;
  line->gathered++;
}

static void draw_curve(canvas *sheet, const plot_job *job, const plot_series *series, bool steps)
{
  pen line = {.cairo = sheet->cairo, .steps = steps};
  bool dense = series->count > 8 * (int64_t)job->frame.width;
  for (int64_t k = 0; k < series->count; k++) {
    double x, y;
    if (!point_at(job, series, k, &x, &y)) {
      pen_flush(&line);
      line.down = false;
      continue;
    }
    if (dense)
      pen_gather(&line, x, y);
    else
      pen_to(&line, x, y);
  }
  pen_flush(&line);
  double width = width_of(sheet, series);
  cairo_set_line_width(sheet->cairo, width);
  canvas_set_dash(sheet, series->dash, width);
  cairo_stroke(sheet->cairo);
  canvas_set_dash(sheet, 0, width);
}

/* ---- bands, bars, errors --------------------------------------------------------------------------- */

static bool band_at(const plot_job *job, const plot_series *series, int64_t k, double *x, double *low, double *high)
{
  *x = plot_x(job, series_x(series, k));
  *low = plot_y(job, series->band_lower[k]);
  *high = plot_y(job, series->band_upper[k]);
  return !isnan(*x) && !isnan(*low) && !isnan(*high);
}

static void draw_band(canvas *sheet, const plot_job *job, const plot_series *series, int32_t colour)
{
  canvas_set_colour(sheet, colour, 0.2);
  for (int64_t k = 0; k < series->count;) {
    int64_t end = k;
    double x, low, high;
    while (end < series->count && band_at(job, series, end, &x, &low, &high)) {
      cairo_line_to(sheet->cairo, x, high);
      end++;
    }
    for (int64_t back = end - 1; back >= k; back--) {
      band_at(job, series, back, &x, &low, &high);
      cairo_line_to(sheet->cairo, x, low);
    }
    cairo_close_path(sheet->cairo);
    cairo_fill(sheet->cairo);
    k = end + 1;
  }
}

static void draw_bars(canvas *sheet, const plot_job *job, const plot_series *series, int32_t colour)
{
  double half = 0.5 * series_bar_width(series), foot = plot_y(job, 0.0);
  if (isnan(foot)) foot = job->frame.y + job->frame.height;
  cairo_set_line_width(sheet->cairo, fmax(0.6 * sheet->thin, 0.5));
  for (int64_t k = 0; k < series->count; k++) {
    double x, y, left = plot_x(job, series_x(series, k) - half), right = plot_x(job, series_x(series, k) + half);
    if (!point_at(job, series, k, &x, &y)) continue;
    if (isnan(left)) left = 2.0 * x - right; /* logarithmic axis */
    cairo_rectangle(sheet->cairo, left, fmin(y, foot), right - left, fabs(foot - y));
    canvas_set_colour(sheet, colour, 0.55);
    if (right - left < 3.0) {
      cairo_fill(sheet->cairo);
      continue;
    }
    cairo_fill_preserve(sheet->cairo);
    canvas_set_colour(sheet, colour, 1.0);
    cairo_stroke(sheet->cairo);
  }
}

static void draw_errors(canvas *sheet, const plot_job *job, const plot_series *series)
{
  double cap = 0.22 * sheet->text_size;
  cairo_set_line_width(sheet->cairo, 1.0 * sheet->thin);
  for (int64_t k = 0; k < series->count; k++) {
    double x, y;
    if (!point_at(job, series, k, &x, &y) || !(series->error[k] > 0.0)) continue;
    double high = plot_y(job, series->y[k] + series->error[k]), low = plot_y(job, series->y[k] - series->error[k]);
    if (isnan(high)) continue;
    bool cut = isnan(low); /* reaches 0 or below on a logarithmic axis */
    if (cut) low = job->frame.y + job->frame.height;
    canvas_line(sheet, x, low, x, high);
    canvas_line(sheet, x - cap, high, x + cap, high);
    if (!cut) canvas_line(sheet, x - cap, low, x + cap, low);
  }
}

/* ---- markers --------------------------------------------------------------------------------------- */

static void polygon(cairo_t *cairo, double x, double y, double radius, int corners, double turn)
{
  for (int k = 0; k < corners; k++) {
    double angle = turn + k * 6.283185307179586 / corners;
    cairo_line_to(cairo, x + radius * floc_cos(angle), y + radius * floc_sin(angle));
  }
  cairo_close_path(cairo);
}

static void marker_path(cairo_t *cairo, int32_t marker, double x, double y, double size)
{
  double r = 0.5 * size, arm = 0.85 * r;
  switch (marker) {
  case PLOT_MARKER_SQUARE:
    cairo_rectangle(cairo, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
    break;
  case PLOT_MARKER_TRIANGLE:
    polygon(cairo, x, y + 0.15 * r, 1.25 * r, 3, -1.5707963267948966);
    break;
  case PLOT_MARKER_DIAMOND:
    polygon(cairo, x, y, 1.25 * r, 4, 0.0);
    break;
  case PLOT_MARKER_CROSS:
    cairo_move_to(cairo, x - arm, y - arm);
    cairo_line_to(cairo, x + arm, y + arm);
    cairo_move_to(cairo, x - arm, y + arm);
    cairo_line_to(cairo, x + arm, y - arm);
    break;
  case PLOT_MARKER_PLUS:
    cairo_move_to(cairo, x - r, y);
    cairo_line_to(cairo, x + r, y);
    cairo_move_to(cairo, x, y - r);
    cairo_line_to(cairo, x, y + r);
    break;
  default:
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x, y, marker == PLOT_MARKER_DOT ? 0.5 * r : r, 0.0, 6.283185307179586);
    break;
  }
}

static void draw_marker(canvas *sheet, int32_t marker, double x, double y, double size, int32_t colour)
{
  cairo_new_path(sheet->cairo);
  marker_path(sheet->cairo, marker, x, y, size);
  canvas_set_colour(sheet, colour, 1.0);
  if (marker == PLOT_MARKER_CROSS || marker == PLOT_MARKER_PLUS) {
    cairo_set_line_width(sheet->cairo, 1.5 * sheet->thin);
    cairo_stroke(sheet->cairo);
    return;
  }
  cairo_fill_preserve(sheet->cairo);
  cairo_set_line_width(sheet->cairo, 0.7 * sheet->thin); /* a rim that parts markers which overlap */
  if (marker == PLOT_MARKER_DOT)
    cairo_new_path(sheet->cairo);
  else
    canvas_set_colour(sheet, sheet->background, 1.0);
  cairo_stroke(sheet->cairo);
}

static int32_t marker_of(const plot_series *series, int32_t number)
{
  static const int32_t turn[] = {PLOT_MARKER_CIRCLE,  PLOT_MARKER_SQUARE, PLOT_MARKER_TRIANGLE,
                                 PLOT_MARKER_DIAMOND, PLOT_MARKER_CROSS,  PLOT_MARKER_PLUS};
  return series->marker == PLOT_MARKER_AUTOMATIC ? turn[number % 6] : series->marker;
}

static void draw_markers(canvas *sheet, const plot_job *job, int32_t number)
{
  const plot_series *series = &job->panel->series[number];
  for (int64_t k = 0; k < series->count; k++) {
    double x, y;
    if (!point_at(job, series, k, &x, &y)) continue;
    bool inside = x >= job->frame.x - 1.0 && x <= job->frame.x + job->frame.width + 1.0 &&
                  y >= job->frame.y - 1.0 && y <= job->frame.y + job->frame.height + 1.0;
    if (inside)
      draw_marker(sheet, marker_of(series, number), x, y, marker_size_of(sheet, series),
                  series_colour(job->panel, number));
  }
}

static void clip_to_frame(canvas *sheet, const plot_job *job)
{
  cairo_save(sheet->cairo);
  cairo_rectangle(sheet->cairo, job->frame.x, job->frame.y, job->frame.width, job->frame.height);
  cairo_clip(sheet->cairo);
}

void series_draw_band(canvas *sheet, const plot_job *job, int32_t number)
{
  const plot_series *series = &job->panel->series[number];
  if (!series->band_lower) return;
  clip_to_frame(sheet, job);
  draw_band(sheet, job, series, series_colour(job->panel, number));
  cairo_restore(sheet->cairo);
}

void series_draw(canvas *sheet, const plot_job *job, int32_t number)
{
  const plot_series *series = &job->panel->series[number];
  int32_t colour = series_colour(job->panel, number);
  clip_to_frame(sheet, job);
  if (series->style & PLOT_BARS) draw_bars(sheet, job, series, colour);
  canvas_set_colour(sheet, colour, 1.0);
  if (series->error) draw_errors(sheet, job, series);
  if (series->style & PLOT_LINE) draw_curve(sheet, job, series, false);
  if (series->style & PLOT_STEPS) draw_curve(sheet, job, series, true);
  cairo_restore(sheet->cairo);
  if (series->style & PLOT_MARKERS) draw_markers(sheet, job, number); /* complete ones at the frame's edge */
}

/* ---- legend ---------------------------------------------------------------------------------------- */

static bool in_legend(const plot_series *series)
{
  return series->name && *series->name;
}

static text_style legend_text(const canvas *sheet, double room)
{
  text_style style = text_ordinary(sheet, TEXT_LEFT, room);
  style.size *= 0.92;
  return style;
}

static const double key_length = 2.0, key_gap = 0.5, row_height = 1.4, column_gap = 1.2; /* in text sizes */

static void draw_key(canvas *sheet, const plot_panel *panel, int32_t number, double x, double y)
{
  const plot_series *series = &panel->series[number];
  double text = sheet->text_size, width = width_of(sheet, series);
  int32_t colour = series_colour(panel, number);
  if (series->band_lower) {
    canvas_set_colour(sheet, colour, 0.2);
    cairo_rectangle(sheet->cairo, x, y - 0.35 * text, key_length * text, 0.7 * text);
    cairo_fill(sheet->cairo);
  }
  canvas_set_colour(sheet, colour, 1.0);
  if (series->style & PLOT_BARS) {
    cairo_rectangle(sheet->cairo, x + 0.5 * text, y - 0.35 * text, 1.0 * text, 0.7 * text);
    canvas_set_colour(sheet, colour, 0.55);
    cairo_fill(sheet->cairo);
  }
  if (series->style & (PLOT_LINE | PLOT_STEPS)) {
    canvas_set_colour(sheet, colour, 1.0);
    cairo_set_line_width(sheet->cairo, width);
    canvas_set_dash(sheet, series->dash, width);
    canvas_line(sheet, x, y, x + key_length * text, y);
    canvas_set_dash(sheet, 0, width);
  }
  if (series->style & PLOT_MARKERS)
    draw_marker(sheet, marker_of(series, number), x + 0.5 * key_length * text, y, marker_size_of(sheet, series),
                colour);
}

static int32_t legend_rows(canvas *sheet, const plot_panel *panel, double room, double *widest)
{
  text_style style = legend_text(sheet, room);
  int32_t rows = 0;
  *widest = 0.0;
  for (int32_t k = 0; k < panel->series_count; k++) {
    if (!in_legend(&panel->series[k])) continue;
    *widest = fmax(*widest, canvas_text_width(sheet, &style, panel->series[k].name));
    rows++;
  }
  return rows;
}

/* Legend below: columns of equal width. */
static int32_t columns_below(const canvas *sheet, double widest, double width, int32_t entries)
{
  double column = widest + (key_length + key_gap + column_gap) * sheet->text_size;
  int32_t columns = (int32_t)fmax(1.0, floor((width + column_gap * sheet->text_size) / column));
  return columns < entries ? columns : entries;
}

double plot_legend_height(canvas *sheet, const plot_panel *panel, double width)
{
  double widest;
  if (panel->legend != PLOT_LEGEND_BELOW) return 0.0;
  int32_t entries = legend_rows(sheet, panel, 0.8 * width, &widest);
  if (entries == 0) return 0.0;
  int32_t columns = columns_below(sheet, widest, width, entries);
  int32_t rows = (entries + columns - 1) / columns;
  return (rows * row_height + 0.4) * sheet->text_size;
}

static void draw_below(canvas *sheet, const plot_panel *panel, const rectangle *cell)
{
  double text = sheet->text_size, widest;
  int32_t entries = legend_rows(sheet, panel, 0.8 * cell->width, &widest), shown = 0;
  int32_t columns = columns_below(sheet, widest, cell->width, entries);
  double column = widest + (key_length + key_gap + column_gap) * text;
  double left = cell->x + 0.5 * (cell->width - columns * column + column_gap * text);
  double top = cell->y + cell->height - plot_legend_height(sheet, panel, cell->width) + 0.4 * text;
  text_style style = legend_text(sheet, 0.8 * cell->width);
  for (int32_t k = 0; k < panel->series_count; k++) {
    if (!in_legend(&panel->series[k])) continue;
    int32_t row = shown / columns;
    double x = left + shown % columns * column, y = top + (row + 0.5) * row_height * text;
    draw_key(sheet, panel, k, x, y);
    canvas_text(sheet, &style, x + (key_length + key_gap) * text, y + 0.33 * text, panel->series[k].name);
    shown++;
  }
}

/* How much of the data a box in a corner would cover: points inside, and lines that pass between points
 * are looked at in steps of a few pixels. */
static int64_t covered(const plot_job *job, const rectangle *box)
{
  int64_t hits = 0;
  for (int32_t s = 0; s < job->panel->series_count; s++) {
    const plot_series *series = &job->panel->series[s];
    int64_t step = 1 + series->count / 4000;
    double last_x = NAN, last_y = NAN;
    for (int64_t k = 0; k < series->count; k += step) {
      double x, y;
      bool shown = point_at(job, series, k, &x, &y);
      bool joined = shown && !isnan(last_x) && series->style != PLOT_MARKERS;
      int pieces = joined ? (int)fmin(64.0, 1.0 + (fabs(x - last_x) + fabs(y - last_y)) / 8.0) : 1;
      for (int p = 1; p <= pieces && shown; p++) {
        double part = (double)p / pieces, px = joined ? last_x + part * (x - last_x) : x;
        double py = joined ? last_y + part * (y - last_y) : y;
        bool under =
            series->style & PLOT_BARS ? py < box->y + box->height : py > box->y && py < box->y + box->height;
        hits += px > box->x && px < box->x + box->width && under;
      }
      last_x = shown ? x : NAN;
      last_y = y;
    }
  }
  for (int32_t k = 0; k < job->panel->reference_count; k++) { /* labels stand above their line, at the right */
    const plot_reference *reference = &job->panel->references[k];
    double y = reference->vertical ? NAN : plot_y(job, reference->value);
    bool right = box->x + box->width > job->frame.x + 0.7 * job->frame.width;
    if (reference->label && right && y > box->y - 0.3 * box->height && y < box->y + 1.3 * box->height) hits += 8;
  }
  return hits;
}

static rectangle corner_box(const plot_job *job, int32_t corner, double width, double height, double margin)
{
  const rectangle *frame = &job->frame;
  bool left = corner == PLOT_LEGEND_UPPER_LEFT || corner == PLOT_LEGEND_LOWER_LEFT;
  bool low = corner == PLOT_LEGEND_LOWER_LEFT || corner == PLOT_LEGEND_LOWER_RIGHT;
  rectangle box = {left ? frame->x + margin : frame->x + frame->width - width - margin,
                   low ? frame->y + frame->height - height - margin : frame->y + margin, width, height};
  return box;
}

static rectangle legend_box(const plot_job *job, double width, double height, double margin)
{
  if (job->panel->legend != PLOT_LEGEND_AUTOMATIC)
    return corner_box(job, job->panel->legend, width, height, margin);
  static const int32_t corners[4] = {PLOT_LEGEND_UPPER_RIGHT, PLOT_LEGEND_UPPER_LEFT, PLOT_LEGEND_LOWER_RIGHT,
                                     PLOT_LEGEND_LOWER_LEFT};
  rectangle best = {0};
  int64_t least = INT64_MAX;
  for (int k = 0; k < 4; k++) {
    rectangle box = corner_box(job, corners[k], width, height, margin);
    int64_t hits = covered(job, &box);
    if (hits >= least) continue;
    least = hits;
    best = box;
  }
  return best;
}

void plot_legend_draw(canvas *sheet, const plot_job *job, const rectangle *cell)
{
  const plot_panel *panel = job->panel;
  double text = sheet->text_size, widest, room = 0.55 * job->frame.width;
  int32_t rows = legend_rows(sheet, panel, room, &widest);
  if (rows == 0 || panel->legend == PLOT_LEGEND_NONE) return;
  if (panel->legend == PLOT_LEGEND_BELOW) {
    draw_below(sheet, panel, cell);
    return;
  }
  double width = widest + (key_length + key_gap + 0.8) * text, height = (rows * row_height + 0.3) * text;
  rectangle box = legend_box(job, width, height, 0.6 * text);
  canvas_set_colour(sheet, sheet->background, 0.85);
  cairo_rectangle(sheet->cairo, box.x, box.y, box.width, box.height);
  cairo_fill(sheet->cairo);
  text_style style = legend_text(sheet, room);
  double y = box.y + (0.15 + 0.5 * row_height) * text;
  for (int32_t k = 0; k < panel->series_count; k++) {
    if (!in_legend(&panel->series[k])) continue;
    draw_key(sheet, panel, k, box.x + 0.4 * text, y);
    canvas_text(sheet, &style, box.x + (0.4 + key_length + key_gap) * text, y + 0.33 * text, panel->series[k].name);
    y += row_height * text;
  }
}
