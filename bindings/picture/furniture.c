/*
 * What stands around a scene: scale bar, axes, note, legends.
 */
#include "draw/ticks.h"
#include "scene.h"

#include <floc/floc.h>

#include <math.h>
#include <string.h>

/* ---- in the corners -------------------------------------------------------------------------------- */

static text_style corner_text(const canvas *sheet, text_align align, double room)
{
  text_style style = text_ordinary(sheet, align, room);
  style.size *= 0.92;
  style.halo = sheet->background;
  return style;
}

/* A line that stays readable on any ground. */
static void halo_line(canvas *sheet, double x1, double y1, double x2, double y2, double width)
{
  canvas_set_colour(sheet, sheet->background, 0.85);
  cairo_set_line_width(sheet->cairo, 2.4 * width);
  canvas_line(sheet, x1, y1, x2, y2);
  canvas_set_colour(sheet, sheet->ink, 1.0);
  cairo_set_line_width(sheet->cairo, width);
  canvas_line(sheet, x1, y1, x2, y2);
}

static void draw_scale_bar(canvas *sheet, const scene_job *job)
{
  const rectangle *panel = &job->panel;
  double text = sheet->text_size;
  double length =
      round_number_below(fmax(0.22 * panel->width, fmin(4.0 * text, 0.5 * panel->width)) / job->map.scale);
  double pixels = length * job->map.scale, x = floor(panel->x + 0.7 * text),
         y = panel->y + panel->height - 0.8 * text;
  char number[64], label[160];
  format_number(number, sizeof number, length, 3);
  const char *unit = job->scene->length_unit;
  snprintf(label, sizeof label, "%s%s%s", number, unit && *unit ? " " : "", unit ? unit : "");
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_SQUARE);
  halo_line(sheet, x, y, x + pixels, y, 2.0 * sheet->thin);
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_BUTT);
  text_style style = corner_text(sheet, TEXT_LEFT, panel->width - text);
  double width = canvas_text_width(sheet, &style, label), beside = x + pixels + 0.6 * text;
  /* Beside the bar both are in the margin, and the lower wall of a box above them; narrow panels have no space
   * there. */
  if (beside + width <= panel->x + panel->width - 0.4 * text)
    canvas_text(sheet, &style, beside, y + 0.33 * text, label);
  else
    canvas_text(sheet, &style, fmax(x + 0.5 * (pixels - width), panel->x + 0.4 * text), y - 0.5 * text, label);
}

static void draw_axes(canvas *sheet, const scene_job *job)
{
  static const char *const names[3] = {"x", "y", "z"};
  const rectangle *panel = &job->panel;
  double text = sheet->text_size, arm = 2.2 * text;
  double x = panel->x + panel->width - 3.4 * text, y = panel->y + panel->height - 3.2 * text;
  text_style style = corner_text(sheet, TEXT_CENTER, 0.0);
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_ROUND);
  for (int a = 0; a < 3; a++) {
    double dx = arm * job->frame.axis[0][a], dy = -arm * job->frame.axis[1][a], length = floc_hypot(dx, dy);
    halo_line(sheet, x, y, x + dx, y + dy, 1.2 * sheet->thin);
    if (length < 0.25 * arm) continue; /* points at the viewer: its name would cover the others */
    double beyond = 1.0 + 0.6 * text / length;
    canvas_text(sheet, &style, x + beyond * dx, y + beyond * dy + 0.3 * text, names[a]);
  }
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_BUTT);
}

static void draw_notes(canvas *sheet, const scene_job *job)
{
  const rectangle *panel = &job->panel;
  double text = sheet->text_size, y = panel->y + 1.3 * text;
  text_style style = corner_text(sheet, TEXT_LEFT, panel->width - 1.2 * text);
  if (job->scene->note && *job->scene->note) {
    canvas_text(sheet, &style, panel->x + 0.6 * text, y, job->scene->note);
    y += 1.3 * text;
  }
  if (job->frame.outside == 0) return;
  char stray[96];
  snprintf(stray, sizeof stray, "%lld of %lld particles are outside of this window", (long long)job->frame.outside,
           (long long)job->scene->particle_count);
  canvas_text(sheet, &style, panel->x + 0.6 * text, y, stray);
}

void scene_draw_furniture(canvas *sheet, const scene_job *job)
{
  if (job->scene->scale_bar) draw_scale_bar(sheet, job);
  if (job->scene->dimension == 3 && job->scene->axes && job->panel.width > 12.0 * sheet->text_size)
    draw_axes(sheet, job);
  draw_notes(sheet, job);
}

/* ---- legends --------------------------------------------------------------------------------------- */

enum { LEGENDS = 5 };

typedef struct legend_entry {
  const picture_scale *scale;
  const resolved_scale *resolved;
} legend_entry;

/* Legends of a scene from top to bottom: groups first (entry with scale NULL), then colour bars. */
static int legends_of(const scene_job *job, legend_entry entries[LEGENDS])
{
  const picture_scene *scene = job->scene;
  int count = 0;
  if (scene->group && scene->group_names && scene->group_name_count > 0)
    entries[count++] = (legend_entry){NULL, NULL};
  if (job->particles.used && scene->scale.legend) entries[count++] = (legend_entry){&scene->scale, &job->particles};
  if (job->field.used && scene->field.scale.legend)
    entries[count++] = (legend_entry){&scene->field.scale, &job->field};
  if (job->tubes.used && scene->tubes.scale.legend)
    entries[count++] = (legend_entry){&scene->tubes.scale, &job->tubes};
  if (job->lines.used && scene->lines.scale.legend)
    entries[count++] = (legend_entry){&scene->lines.scale, &job->lines};
  return count;
}

static text_style legend_text(const canvas *sheet, double room)
{
  text_style style = text_ordinary(sheet, TEXT_LEFT, room);
  style.size *= 0.9;
  return style;
}

static void legend_ticks(const legend_entry *entry, double height, double text, tick_set *ticks)
{
  int32_t wanted = (int32_t)fmin(6.0, fmax(2.0, height / (3.0 * text)));
  if (entry->resolved->logarithmic)
    ticks_logarithmic(ticks, entry->resolved->lower, entry->resolved->upper, wanted);
  else
    ticks_linear(ticks, entry->resolved->lower, entry->resolved->upper, wanted);
}

static double bar_width(canvas *sheet, const legend_entry *entry)
{
  double text = sheet->text_size, widest = 0.0;
  text_style style = legend_text(sheet, 0.0);
  for (int h = 4; h <= 20; h += 4) { /* ticks depend on the height, which is not known yet */
    tick_set ticks;
    legend_ticks(entry, h * text, text, &ticks);
    for (int32_t k = 0; k < ticks.count; k++)
      widest = fmax(widest, canvas_text_width(sheet, &style, ticks.label[k]));
    widest = fmax(widest, canvas_text_width(sheet, &style, ticks.annotation) - 1.5 * text);
  }
  bool label = (entry->scale->label && *entry->scale->label) || (entry->scale->unit && *entry->scale->unit);
  return 1.6 * text + widest + (label ? 1.6 * text : 0.0);
}

static double groups_width(canvas *sheet, const scene_job *job)
{
  text_style style = legend_text(sheet, 14.0 * sheet->text_size);
  double widest = 0.0;
  for (int32_t k = 0; k < job->scene->group_name_count; k++)
    widest = fmax(widest, canvas_text_width(sheet, &style, job->scene->group_names[k]));
  return 1.6 * sheet->text_size + widest;
}

double legend_width(canvas *sheet, const scene_job *job)
{
  legend_entry entries[LEGENDS];
  int count = legends_of(job, entries);
  double widest = 0.0;
  for (int k = 0; k < count; k++)
    widest = fmax(widest, entries[k].scale ? bar_width(sheet, &entries[k]) : groups_width(sheet, job));
  return count > 0 ? ceil(widest + 0.9 * sheet->text_size) : 0.0;
}

/* The bar as one image of a pixel's width: the same 256 colours in pixels and vectors. */
static void draw_gradient(canvas *sheet, const resolved_scale *resolved, const rectangle *bar)
{
  enum { STOPS = 64 };
  cairo_pattern_t *pattern = cairo_pattern_create_linear(0.0, bar->y + bar->height, 0.0, bar->y);
  for (int k = 0; k <= STOPS; k++) {
    int32_t colour = resolved->colour[k * (SCALE_COLOURS - 1) / STOPS];
    cairo_pattern_add_color_stop_rgb(pattern, (double)k / STOPS, (colour >> 16 & 255) / 255.0,
                                     (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
  }
  cairo_rectangle(sheet->cairo, bar->x, bar->y, bar->width, bar->height);
  cairo_set_source(sheet->cairo, pattern);
  cairo_fill_preserve(sheet->cairo);
  cairo_pattern_destroy(pattern);
  canvas_set_colour(sheet, sheet->ink, 1.0);
  cairo_set_line_width(sheet->cairo, 0.8 * sheet->thin);
  cairo_stroke(sheet->cairo);
}

static void draw_bar(canvas *sheet, const legend_entry *entry, const rectangle *place)
{
  double text = sheet->text_size, widest = 0.0;
  text_style style = legend_text(sheet, 0.0);
  rectangle bar = {place->x, place->y + 0.5 * text, 1.0 * text, place->height - 1.0 * text};
  tick_set ticks;
  legend_ticks(entry, bar.height, text, &ticks);
  if (*ticks.annotation) {
    bar.y += 1.2 * text;
    bar.height -= 1.2 * text;
    canvas_text(sheet, &style, bar.x, bar.y - 0.7 * text, ticks.annotation);
  }
  draw_gradient(sheet, entry->resolved, &bar);
  for (int32_t k = 0; k < ticks.count; k++) {
    double y = bar.y + bar.height * (1.0 - scale_position(entry->resolved, ticks.value[k]));
    canvas_line(sheet, bar.x + bar.width, y, bar.x + bar.width + 0.3 * text, y);
    canvas_text(sheet, &style, bar.x + bar.width + 0.5 * text, y + 0.33 * text, ticks.label[k]);
    widest = fmax(widest, canvas_text_width(sheet, &style, ticks.label[k]));
  }
  char label[256];
  label_with_unit(label, sizeof label, entry->scale->label, entry->scale->unit);
  text_style upwards = text_ordinary(sheet, TEXT_CENTER, place->height);
  canvas_text_upwards(sheet, &upwards, bar.x + bar.width + 0.5 * text + widest + 1.25 * text,
                      bar.y + 0.5 * bar.height, label);
}

static double groups_height(const canvas *sheet, const scene_job *job, double room)
{
  double height = 1.45 * sheet->text_size * job->scene->group_name_count;
  return fmin(height, room);
}

static void draw_groups(canvas *sheet, const scene_job *job, const rectangle *place)
{
  double text = sheet->text_size, row = 1.45 * text;
  int32_t rows = (int32_t)fmax(1.0, floor(place->height / row + 1e-9)), count = job->scene->group_name_count;
  int32_t shown = count <= rows ? count : rows - 1; /* the last row says how many more there are */
  text_style style = legend_text(sheet, place->width - 1.6 * text);
  for (int32_t k = 0; k < shown; k++) {
    double y = place->y + (k + 0.5) * row;
    canvas_set_colour(sheet, picture_group_colour(k), 1.0);
    cairo_new_sub_path(sheet->cairo);
    cairo_arc(sheet->cairo, place->x + 0.5 * text, y, 0.45 * text, 0.0, 6.283185307179586);
    cairo_fill(sheet->cairo);
    canvas_text(sheet, &style, place->x + 1.5 * text, y + 0.33 * text, job->scene->group_names[k]);
  }
  if (shown == count) return;
  char more[48];
  snprintf(more, sizeof more, "and %d more", count - shown);
  canvas_text(sheet, &style, place->x + 1.5 * text, place->y + (shown + 0.5) * row + 0.33 * text, more);
}

void legend_draw(canvas *sheet, const scene_job *job, const rectangle *column)
{
  legend_entry entries[LEGENDS];
  int count = legends_of(job, entries), bars = count;
  if (count == 0) return;
  double text = sheet->text_size, gap = 1.2 * text, free_height = column->height - (count - 1) * gap;
  double groups = 0.0;
  if (!entries[0].scale) {
    groups = groups_height(sheet, job, count > 1 ? 0.6 * free_height : free_height);
    bars--;
  }
  double bar = bars > 0 ? fmin((free_height - groups) / bars, 26.0 * text) : 0.0;
  double used = groups + bars * bar + (count - 1) * gap;
  rectangle place = {column->x + 0.9 * text, column->y + 0.5 * (column->height - used), column->width - 0.9 * text,
                     0.0};
  for (int k = 0; k < count; k++) {
    place.height = entries[k].scale ? bar : groups;
    if (entries[k].scale)
      draw_bar(sheet, &entries[k], &place);
    else
      draw_groups(sheet, job, &place);
    place.y += place.height + gap;
  }
}
