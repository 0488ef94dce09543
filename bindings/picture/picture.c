/*
 * Pictures: the plan of a sheet (frames, scales, panels, legends) and its drawing. The plan is made from
 * the options and scenes alone, so that picture_size, picture_draw and picture_write agree.
 */
#include "picture.h"
#include "draw/layout.h"
#include "draw/options.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_aspect = 0.4, greatest_aspect = 3.0; /* width/height of a panel that is free */

typedef struct picture_plan {
  picture_report report;
  canvas_style style;
  sheet_texts texts;
  scene_job *jobs;
  int32_t count;
  bool shared_legend; /* one column at the right of all panels */
  double legend;      /* width of a legend column */
  panel_grid grid;
} picture_plan;

/* ---- defaults -------------------------------------------------------------------------------------- */

static void lines_init(picture_lines *lines)
{
  options_defaults(&options_of_picture_lines, lines);
  options_defaults(&options_of_picture_scale, &lines->scale);
}

void picture_scene_init(picture_scene *scene)
{
  memset(scene, 0, sizeof *scene);
  options_defaults(&options_of_picture_scene, scene);
  options_defaults(&options_of_picture_view, &scene->view);
  options_defaults(&options_of_picture_scale, &scene->scale);
  lines_init(&scene->tubes);
  lines_init(&scene->lines);
  options_defaults(&options_of_picture_field, &scene->field);
  options_defaults(&options_of_picture_scale, &scene->field.scale);
}

void picture_options_init(picture_options *options)
{
  memset(options, 0, sizeof *options);
  options_defaults(&options_of_picture_options, options);
}

/* ---- scales ---------------------------------------------------------------------------------------- */

enum { FIELD_USE = 3, USES }; /* particles, tubes, lines, field */

typedef struct scale_use {
  const picture_scale *scale;
  const double *value; /* NULL: not coloured by value */
  int64_t count;
  resolved_scale *resolved;
  const char *default_map;
} scale_use;

static scale_use use_of(scene_job *job, int use)
{
  const picture_scene *scene = job->scene;
  if (use == 0) {
    const double *value = scene->group ? NULL : scene->value;
    return (scale_use){&scene->scale, value, scene->particle_count, &job->particles, "viridis"};
  }
  if (use == FIELD_USE) {
    const picture_field *field = &scene->field;
    return (scale_use){&field->scale, field->value, (int64_t)field->cells_x * field->cells_y, &job->field,
                       "viridis"};
  }
  const picture_lines *lines = use == 1 ? &scene->tubes : &scene->lines;
  return (scale_use){&lines->scale, lines->value, lines->count, use == 1 ? &job->tubes : &job->lines,
                     use == 1 ? "grey" : "inferno"};
}

/* More of it than an edge. */
static bool cell_is_seen(const scene_job *job, int64_t k)
{
  static const double inset = 1e-6;
  const picture_field *field = &job->scene->field;
  const int64_t column = k % field->cells_x, row = k / field->cells_x;
  const double cell[2] = {(double)column, (double)row};
  double from[3] = {0.0, 0.0, 0.0}, to[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < 2; axis++) {
    from[axis] = field->lower[axis] + (cell[axis] + inset) * field->spacing[axis];
    to[axis] = field->lower[axis] + (cell[axis] + 1.0 - inset) * field->spacing[axis];
  }
  return view_sees(&job->frame, from, to, 0.0);
}

/* What lies outside of a window says nothing about the colours in it. */
static bool is_seen(const scene_job *job, int use, int64_t k)
{
  const picture_scene *scene = job->scene;
  bool solid = scene->dimension == 3;
  if (use == 0) {
    double at[3] = {scene->x[k], scene->y[k], solid ? scene->z[k] : 0.0};
    return view_shows(&job->frame, at[0], at[1], at[2]) && view_sees(&job->frame, at, at, scene->radius[k]);
  }
  if (use == FIELD_USE) return cell_is_seen(job, k);
  const double *ends = (use == 1 ? &scene->tubes : &scene->lines)->points + 6 * k;
  double from[3] = {ends[0], ends[1], solid ? ends[2] : 0.0}, to[3] = {ends[3], ends[4], solid ? ends[5] : 0.0};
  return view_sees(&job->frame, from, to, 0.0);
}

static void collect(scene_job *job, int use, double *lower, double *upper)
{
  scale_use here = use_of(job, use);
  for (int64_t k = 0; here.value && k < here.count; k++)
    if (is_seen(job, use, k)) scale_include(here.scale, here.value[k], lower, upper);
}

static bool same_text(const char *a, const char *b)
{
  return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_number(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

static bool same_scale(const picture_scale *a, const picture_scale *b)
{
  return same_text(a->map, b->map) && a->reversed == b->reversed && a->logarithmic == b->logarithmic &&
         a->legend == b->legend && same_text(a->label, b->label) && same_text(a->unit, b->unit) &&
         same_number(a->lower, b->lower) && same_number(a->upper, b->upper);
}

/* One legend serves all panels if what they show is coloured in the same way. */
static bool scales_agree(const picture_plan *plan)
{
  const scale_use none = {0};
  scale_use first[USES] = {none, none, none};
  const picture_scene *names = NULL;
  for (int32_t k = 0; k < plan->count; k++) {
    const picture_scene *scene = plan->jobs[k].scene;
    for (int use = 0; use < USES; use++) {
      scale_use here = use_of(&plan->jobs[k], use);
      if (!here.value) continue;
      if (first[use].value && !same_scale(first[use].scale, here.scale)) return false;
      first[use] = here;
    }
    if (!scene->group || !scene->group_names) continue;
    if (names && (names->group_names != scene->group_names || names->group_name_count != scene->group_name_count))
      return false;
    names = scene;
  }
  return true;
}

static void resolve_scales(picture_plan *plan, bool shared)
{
  for (int use = 0; use < USES; use++) {
    double lower = INFINITY, upper = -INFINITY;
    for (int32_t k = 0; k < plan->count && shared; k++) collect(&plan->jobs[k], use, &lower, &upper);
    for (int32_t k = 0; k < plan->count; k++) {
      scale_use here = use_of(&plan->jobs[k], use);
      if (!here.value) continue;
      if (!shared) {
        lower = INFINITY;
        upper = -INFINITY;
        collect(&plan->jobs[k], use, &lower, &upper);
      }
      here.resolved->used = here.count > 0;
      scale_resolve(here.resolved, here.scale, here.default_map, lower, upper);
    }
  }
}

/* ---- the plan -------------------------------------------------------------------------------------- */

static double aspect_of(const picture_plan *plan)
{
  double sum = 0.0;
  for (int32_t k = 0; k < plan->count; k++) {
    const view_frame *frame = &plan->jobs[k].frame;
    sum += floc_log(fmin(fmax(frame->half_width / frame->half_height, least_aspect), greatest_aspect));
  }
  return floc_exp(sum / plan->count);
}

/* The legend's width is that of the panel with the widest one. */
static floc_status measure_legends(picture_plan *plan)
{
  canvas measure;
  floc_status status = canvas_open_measure(&measure, plan->report, &plan->style);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < plan->count; k++)
    plan->legend = fmax(plan->legend, legend_width(&measure, &plan->jobs[k]));
  return canvas_finish(&measure);
}

static double clamp(double value, double least, double greatest)
{
  return value < least ? least : value > greatest ? greatest : value;
}

static void plan_height(picture_plan *plan, const picture_options *options, double aspect)
{
  double text = plan->style.text_size, margin = sheet_margin(text);
  double side = plan->shared_legend ? 0.0 : plan->legend, width = plan->style.width - 2.0 * margin;
  if (plan->shared_legend) width -= plan->legend;
  plan->grid.columns = options->columns > 0 ? options->columns : grid_columns_free(plan->count, aspect, 0.75);
  plan->grid.rows = (plan->count + plan->grid.columns - 1) / plan->grid.columns;
  double cell = (width - (plan->grid.columns - 1) * plan->grid.gap) / plan->grid.columns - side;
  double height = plan->grid.rows * (fmax(cell, 1.0) / aspect + plan->grid.header) +
                  (plan->grid.rows - 1) * plan->grid.gap + 2.0 * margin + title_height(&plan->texts, text) +
                  caption_height(&plan->texts, text);
  const option_row *limits = options_row(&options_of_picture_options, "height");
  plan->style.height = (int32_t)clamp(height, fmax(limits->lower, 0.25 * plan->style.width),
                                      fmin(limits->upper, 2.5 * plan->style.width));
}

static void plan_columns(picture_plan *plan, const picture_options *options, double aspect)
{
  double text = plan->style.text_size, margin = sheet_margin(text);
  double above = title_height(&plan->texts, text), below = caption_height(&plan->texts, text);
  rectangle area = {margin, margin + above,
                    plan->style.width - 2.0 * margin - (plan->shared_legend ? plan->legend : 0.0),
                    plan->style.height - 2.0 * margin - above - below};
  plan->grid.columns = options->columns > 0
                           ? options->columns
                           : grid_columns(plan->count, &area, plan->grid.gap, plan->grid.header, aspect);
  plan->grid.rows = (plan->count + plan->grid.columns - 1) / plan->grid.columns;
}

static floc_status check_options(const picture_report *report, const picture_options *options,
                                 const picture_scene *scenes, int32_t scene_count, canvas_style *style)
{
  if (!options || !scenes || scene_count < 1)
    return picture_refuse(report, FLOC_INVALID_ARGUMENT, "scene_count is %d with %s; it must be 1 or more",
                          scene_count,
                          !options  ? "options NULL"
                          : !scenes ? "scenes NULL"
                                    : "scenes given");
  floc_status status = options_check(report, "", &options_of_picture_options, options);
  if (status != FLOC_OK) return status;
  bool automatic = options->height == 0;
  *style = (canvas_style){options->width, automatic ? options->width : options->height, options->text_size,
                          options->background, options->transparent};
  if (style->text_size == 0.0) style->text_size = canvas_text_size(style->width, style->height);
  return FLOC_OK;
}

static floc_status fit_scenes(picture_plan *plan, const picture_scene *scenes)
{
  for (int32_t k = 0; k < plan->count; k++) {
    floc_status status = scene_check(&plan->report, &scenes[k], plan->count > 1 ? k + 1 : 0);
    if (status != FLOC_OK) return status;
    plan->jobs[k].scene = &scenes[k];
    status = view_fit(&plan->report, &scenes[k], &plan->jobs[k].frame);
    if (status != FLOC_OK) return status;
    if (scenes[k].title && *scenes[k].title) plan->grid.header = floor(1.7 * plan->style.text_size);
  }
  return FLOC_OK;
}

static floc_status make_plan(picture_plan *plan, const picture_options *options, const picture_scene *scenes,
                             int32_t count, char *message, size_t message_size)
{
  *plan = (picture_plan){.report = {message, message_size}, .count = count};
  if (message && message_size > 0) message[0] = 0;
  floc_status status = check_options(&plan->report, options, scenes, count, &plan->style);
  if (status != FLOC_OK) return status;
  plan->texts = (sheet_texts){options->title, options->caption_left, options->caption_right};
  plan->grid.gap = floor(0.8 * plan->style.text_size);
  plan->jobs = picture_allocate(count, sizeof *plan->jobs);
  if (!plan->jobs) return picture_out_of_memory(&plan->report, (double)count * (double)sizeof *plan->jobs);
  status = fit_scenes(plan, scenes);
  if (status != FLOC_OK) return status;
  bool shared = options->shared_scale && scales_agree(plan);
  resolve_scales(plan, shared);
  plan->shared_legend = shared && count > 1;
  status = measure_legends(plan);
  if (status != FLOC_OK) return status;
  if (options->height == 0)
    plan_height(plan, options, aspect_of(plan));
  else
    plan_columns(plan, options, aspect_of(plan));
  return FLOC_OK;
}

/* ---- drawing --------------------------------------------------------------------------------------- */

static void draw_frame(canvas *sheet, const rectangle *panel)
{
  cairo_rectangle(sheet->cairo, panel->x + 0.5, panel->y + 0.5, panel->width - 1.0, panel->height - 1.0);
  canvas_set_colour(sheet, colour_mix(sheet->ink, sheet->background, 0.6), 1.0);
  cairo_set_line_width(sheet->cairo, fmax(1.0, 0.8 * sheet->thin));
  cairo_stroke(sheet->cairo);
}

static floc_status draw_scene(canvas *sheet, const picture_plan *plan, scene_job *job, const rectangle *cell)
{
  job->panel = *cell;
  if (!plan->shared_legend) job->panel.width = fmax(cell->width - plan->legend, 1.0);
  rectangle column = {job->panel.x + job->panel.width, cell->y, plan->legend, cell->height};
  job->map = view_place(&job->frame, &job->panel);
  floc_status status = job->scene->dimension == 3 ? scene_draw_solid(sheet, job) : scene_draw_flat(sheet, job);
  if (status != FLOC_OK) return status;
  if (plan->count > 1 || job->frame.fixed) draw_frame(sheet, &job->panel);
  scene_draw_furniture(sheet, job);
  draw_panel_title(sheet, &job->panel, job->scene->title);
  if (!plan->shared_legend) legend_draw(sheet, job, &column);
  return FLOC_OK;
}

/* The legend of all panels: that of the first one which has every legend, else of the first with any. */
static const scene_job *job_for_legend(const picture_plan *plan)
{
  const scene_job *best = &plan->jobs[0];
  int most = -1;
  for (int32_t k = 0; k < plan->count; k++) {
    const scene_job *job = &plan->jobs[k];
    int uses = job->particles.used + job->tubes.used + job->lines.used + job->field.used +
               (job->scene->group_names != NULL);
    if (uses <= most) continue;
    most = uses;
    best = job;
  }
  return best;
}

static floc_status draw_all(canvas *sheet, picture_plan *plan)
{
  rectangle inside = sheet_inside(sheet, &plan->texts), area = inside;
  if (plan->shared_legend) area.width -= plan->legend;
  for (int32_t k = 0; k < plan->count; k++) {
    rectangle cell = grid_cell(&plan->grid, &area, k);
    floc_status status = draw_scene(sheet, plan, &plan->jobs[k], &cell);
    if (status != FLOC_OK) return status;
  }
  if (plan->shared_legend) {
    rectangle column = {area.x + area.width, area.y + plan->grid.header, plan->legend,
                        area.height - plan->grid.header};
    legend_draw(sheet, job_for_legend(plan), &column);
  }
  sheet_draw_texts(sheet, &plan->texts);
  return FLOC_OK;
}

static floc_status draw_and_finish(canvas *sheet, picture_plan *plan)
{
  floc_status status = draw_all(sheet, plan);
  if (status == FLOC_OK) return canvas_finish(sheet);
  canvas_abandon(sheet);
  return status;
}

floc_status picture_write(const char *path, const picture_options *options, const picture_scene *scenes,
                          int32_t scene_count, char *message, size_t message_size)
{
  picture_plan plan;
  canvas sheet;
  floc_status status = make_plan(&plan, options, scenes, scene_count, message, message_size);
  if (status == FLOC_OK) status = canvas_open_file(&sheet, plan.report, &plan.style, path);
  if (status == FLOC_OK) status = draw_and_finish(&sheet, &plan);
  free(plan.jobs);
  return status;
}

floc_status picture_draw(const picture_options *options, const picture_scene *scenes, int32_t scene_count,
                         uint32_t *pixels, int32_t width, int32_t height, char *message, size_t message_size)
{
  picture_plan plan;
  canvas sheet;
  floc_status status = make_plan(&plan, options, scenes, scene_count, message, message_size);
  if (status == FLOC_OK) status = canvas_open_pixels(&sheet, plan.report, &plan.style, pixels, width, height);
  if (status == FLOC_OK) status = draw_and_finish(&sheet, &plan);
  free(plan.jobs);
  return status;
}

floc_status picture_size(const picture_options *options, const picture_scene *scenes, int32_t scene_count,
                         int32_t *width, int32_t *height, char *message, size_t message_size)
{
  picture_plan plan;
  floc_status status = make_plan(&plan, options, scenes, scene_count, message, message_size);
  if (status == FLOC_OK) {
    *width = plan.style.width;
    *height = plan.style.height;
  }
  free(plan.jobs);
  return status;
}
