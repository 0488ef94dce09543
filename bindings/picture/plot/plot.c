/*
 * Plots: a grid of panels on a sheet.
 */
#include "plot/plot.h"
#include "draw/layout.h"
#include "draw/options.h"
#include "plot/axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double panel_aspect = 1.45; /* width/height of a panel when the height is free */

typedef struct plot_plan {
  picture_report report;
  canvas_style style;
  sheet_texts texts;
  plot_job *jobs;
  int32_t count;
  panel_grid grid;
} plot_plan;

void plot_series_init(plot_series *series)
{
  memset(series, 0, sizeof *series);
  options_defaults(&options_of_plot_series, series);
}

void plot_reference_init(plot_reference *reference)
{
  memset(reference, 0, sizeof *reference);
  options_defaults(&options_of_plot_reference, reference);
}

void plot_panel_init(plot_panel *panel)
{
  memset(panel, 0, sizeof *panel);
  options_defaults(&options_of_plot_panel, panel);
  options_defaults(&options_of_plot_axis, &panel->x);
  options_defaults(&options_of_plot_axis, &panel->y);
}

void plot_options_init(plot_options *options)
{
  memset(options, 0, sizeof *options);
  options_defaults(&options_of_plot_options, options);
}

/* ---- the plan -------------------------------------------------------------------------------------- */

static floc_status plan_size(plot_plan *plan, const plot_options *options, int32_t count)
{
  if (!options || count < 1)
    return picture_refuse(&plan->report, FLOC_INVALID_ARGUMENT,
                          "panel_count is %d with options %s; it must be 1 or more", count,
                          options ? "given" : "NULL");
  floc_status status = options_check(&plan->report, "", &options_of_plot_options, options);
  if (status != FLOC_OK) return status;
  int32_t columns = options->columns > 0 ? options->columns : grid_columns_free(count, panel_aspect, 0.8);
  if (columns > count) columns = count;
  int32_t rows = (count + columns - 1) / columns, height = options->height;
  if (height == 0) {
    double whole = count == 1 ? 0.625 * options->width : options->width * rows / (panel_aspect * columns);
    const option_row *limits = options_row(&options_of_plot_options, "height");
    height = (int32_t)fmin(fmax(whole, limits->lower), limits->upper);
  }
  plan->style =
      (canvas_style){options->width, height, options->text_size, options->background, options->transparent};
  double text = plan->style.text_size;
  if (text == 0.0) /* with many panels the text suits them rather than the entire sheet */
    text = canvas_text_size(options->width / sqrt(columns), height / sqrt(rows));
  plan->style.text_size = text;
  plan->grid = (panel_grid){columns, rows, floor(0.8 * text), 0.0};
  plan->texts = (sheet_texts){options->title, options->caption_left, options->caption_right};
  plan->count = count;
  return FLOC_OK;
}

static floc_status make_plan(plot_plan *plan, const plot_options *options, const plot_panel *panels, int32_t count,
                             char *message, size_t message_size)
{
  *plan = (plot_plan){.report = {message, message_size}};
  if (message && message_size > 0) message[0] = 0;
  floc_status status = plan_size(plan, options, count);
  if (status != FLOC_OK) return status;
  if (!panels)
    return picture_refuse(&plan->report, FLOC_INVALID_ARGUMENT,
                          "panels is NULL; it must point at panel_count panels");
  plan->jobs = picture_allocate(count, sizeof *plan->jobs);
  if (!plan->jobs) return picture_out_of_memory(&plan->report, (double)count * (double)sizeof *plan->jobs);
  for (int32_t k = 0; k < count; k++) {
    status = plot_check(&plan->report, &panels[k], count > 1 ? k + 1 : 0);
    if (status != FLOC_OK) return status;
    plan->jobs[k].panel = &panels[k];
    plot_ranges(&plan->jobs[k]);
    if (panels[k].title && *panels[k].title) plan->grid.header = floor(1.6 * plan->style.text_size);
  }
  return FLOC_OK;
}

/* ---- drawing --------------------------------------------------------------------------------------- */

static void widen_margins(plot_margins *all, const plot_margins *one)
{
  all->left = fmax(all->left, one->left);
  all->right = fmax(all->right, one->right);
  all->above = fmax(all->above, one->above);
  all->below = fmax(all->below, one->below);
}

/* Frames of a column begin and end at the same x, frames of a row at the same y. */
static void align_panels(plot_plan *plan)
{
  for (int32_t k = 0; k < plan->count; k++) {
    plot_margins column = {0}, row = {0};
    for (int32_t other = 0; other < plan->count; other++) {
      const plot_margins *margins = &plan->jobs[other].margins;
      if (other % plan->grid.columns == k % plan->grid.columns) widen_margins(&column, margins);
      if (other / plan->grid.columns == k / plan->grid.columns) widen_margins(&row, margins);
    }
    plan->jobs[k].margins = (plot_margins){column.left, column.right, row.above, row.below};
  }
}

static void draw_panel(canvas *sheet, plot_job *job, const rectangle *cell)
{
  axes_place(sheet, job, cell);
  const rectangle *frame = &job->frame;
  axes_draw_grid(sheet, job);
  cairo_save(sheet->cairo);
  cairo_rectangle(sheet->cairo, frame->x, frame->y, frame->width, frame->height);
  cairo_clip(sheet->cairo);
  references_draw(sheet, job, false);
  cairo_restore(sheet->cairo);
  for (int32_t k = 0; k < job->panel->series_count; k++) series_draw_band(sheet, job, k);
  for (int32_t k = 0; k < job->panel->series_count; k++) series_draw(sheet, job, k);
  axes_draw(sheet, job);
  references_draw(sheet, job, true);
  plot_legend_draw(sheet, job, cell);
  rectangle above = {frame->x, cell->y, frame->width, 0.0};
  draw_panel_title(sheet, &above, job->panel->title);
}

static floc_status draw_and_finish(canvas *sheet, plot_plan *plan)
{
  rectangle area = sheet_inside(sheet, &plan->texts);
  for (int32_t k = 0; k < plan->count; k++) {
    rectangle cell = grid_cell(&plan->grid, &area, k);
    axes_place(sheet, &plan->jobs[k], &cell);
  }
  align_panels(plan);
  for (int32_t k = 0; k < plan->count; k++) {
    rectangle cell = grid_cell(&plan->grid, &area, k);
    draw_panel(sheet, &plan->jobs[k], &cell);
  }
  sheet_draw_texts(sheet, &plan->texts);
  return canvas_finish(sheet);
}

floc_status plot_write(const char *path, const plot_options *options, const plot_panel *panels, int32_t panel_count,
                       char *message, size_t message_size)
{
  plot_plan plan;
  canvas sheet;
  floc_status status = make_plan(&plan, options, panels, panel_count, message, message_size);
  if (status == FLOC_OK) status = canvas_open_file(&sheet, plan.report, &plan.style, path);
  if (status == FLOC_OK) status = draw_and_finish(&sheet, &plan);
  free(plan.jobs);
  return status;
}

floc_status plot_draw(const plot_options *options, const plot_panel *panels, int32_t panel_count, uint32_t *pixels,
                      int32_t width, int32_t height, char *message, size_t message_size)
{
  plot_plan plan;
  canvas sheet;
  floc_status status = make_plan(&plan, options, panels, panel_count, message, message_size);
  if (status == FLOC_OK) status = canvas_open_pixels(&sheet, plan.report, &plan.style, pixels, width, height);
  if (status == FLOC_OK) status = draw_and_finish(&sheet, &plan);
  free(plan.jobs);
  return status;
}

floc_status plot_size(const plot_options *options, int32_t panel_count, int32_t *width, int32_t *height,
                      char *message, size_t message_size)
{
  plot_plan plan = {.report = {message, message_size}};
  if (message && message_size > 0) message[0] = 0;
  floc_status status = plan_size(&plan, options, panel_count);
  if (status != FLOC_OK) return status;
  *width = plan.style.width;
  *height = plan.style.height;
  return FLOC_OK;
}
