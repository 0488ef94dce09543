/*
 * Scenes in two dimensions: a field, then discs, then contact tubes, then bodies, then lines.
 *
 * In pixels, discs, tubes and lines go through raster.c; in vector files through Cairo, except where
 * there are too many discs for a file that anyone could open.
 */
#include "scene.h"

#include <floc/floc.h>

#include <math.h>
#include <stdlib.h>

/* A rim looks right from about two pixels of radius on. */
static double rim_width(const canvas *sheet, double radius)
{
  return radius < 2.2 ? 0.0 : fmin(0.16 * radius, 0.9 * sheet->thin);
}

static int32_t rim_colour(int32_t fill)
{
  return colour_mix(fill, 0x101010, 0.55);
}

/* ---- field ------------------------------------------------------------------------------------------ */

/* The cell of a pixel's middle; -1: it is beside the grid. */
static int64_t cell_at(const scene_job *job, double x, double y)
{
  const picture_field *field = &job->scene->field;
  const double right = job->frame.middle[0] + (x - job->map.x) / job->map.scale,
               up = job->frame.middle[1] - (y - job->map.y) / job->map.scale;
  const double column = floor((right - field->lower[0]) / field->spacing[0]),
               row = floor((up - field->lower[1]) / field->spacing[1]);
  const bool inside = column >= 0.0 && column < field->cells_x && row >= 0.0 && row < field->cells_y;
  return inside ? (int64_t)row * field->cells_x + (int64_t)column : -1;
}

/* Pixel by pixel: cells that are next to each other have no seam. */
static void field_as_pixels(const scene_job *job, const pixel_layer *layer)
{
  const raster *target = &layer->target;
  for (int32_t row = target->top; row < target->bottom; row++)
    for (int32_t column = target->left; column < target->right; column++) {
      const int64_t cell = cell_at(job, layer->x + (column + 0.5) / layer->magnification,
                                   layer->y + (row + 0.5) / layer->magnification);
      if (cell < 0 || isnan(scale_position(&job->field, job->scene->field.value[cell]))) continue;
      uint32_t *pixel = &target->pixels[(int64_t)row * target->stride + column];
      *pixel = pixel_over(*pixel, scale_colour(&job->field, job->scene->field.value[cell]), 1.0);
    }
}

static floc_status draw_field(canvas *sheet, const scene_job *job)
{
  pixel_layer layer;
  if (!job->field.used) return FLOC_OK;
  floc_status status = layer_begin(sheet, &job->panel, &layer);
  if (status != FLOC_OK) return status;
  field_as_pixels(job, &layer);
  layer_end(sheet, &job->panel, &layer);
  return FLOC_OK;
}

/* ---- particles ------------------------------------------------------------------------------------- */

static void discs_as_pixels(canvas *sheet, const scene_job *job, const pixel_layer *layer)
{
  const picture_scene *scene = job->scene;
  double m = layer->magnification;
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double place[3], radius = scene->radius[k] * job->map.scale;
    view_project(&job->map, scene->x[k], scene->y[k], 0.0, place);
    disc_style style = {particle_colour(sheet, job, k), 0, 0.0, scene->particle_opacity};
    if (scene->outline) {
      style.rim_width = rim_width(sheet, radius) * m;
      style.rim = rim_colour(style.fill);
    }
    raster_disc(&layer->target, (place[0] - layer->x) * m, (place[1] - layer->y) * m, radius * m, &style);
  }
}

static bool reaches(const rectangle *panel, const double place[3], double radius)
{
  return place[0] + radius >= panel->x && place[0] - radius <= panel->x + panel->width &&
         place[1] + radius >= panel->y && place[1] - radius <= panel->y + panel->height;
}

/* A polygon whose corners are arcs; less: this much smaller all round. Angles on the sheet run the other way. */
static void corners_as_path(cairo_t *cairo, const scene_job *job, int64_t k, double less)
{
  const picture_scene *scene = job->scene;
  const int64_t begin = scene->corner_begin[k], count = scene->corner_begin[k + 1] - begin;
  const double rounding = fmax(scene->rounding[k] * job->map.scale - less, 0.0);
  cairo_new_sub_path(cairo);
  for (int64_t c = 0; c < count; c++) {
    double angle[2], place[3];
    const double *own = scene->corners + 2 * (begin + c);
    for (int side = 0; side < 2; side++) { /* the edges before and behind it */
      const double *from = scene->corners + 2 * (begin + (c + count - 1 + side) % count),
                   *to = scene->corners + 2 * (begin + (c + side) % count);
      angle[side] = floc_atan2(to[0] - from[0], to[1] - from[1]);
    }
    view_project(&job->map, scene->x[k] + own[0], scene->y[k] + own[1], 0.0, place);
    cairo_arc_negative(cairo, place[0], place[1], rounding, angle[0], angle[1]);
  }
  cairo_close_path(cairo);
}

/* The corners are semi-axes. */
static void ellipse_as_path(cairo_t *cairo, const scene_job *job, int64_t k, double less)
{
  const picture_scene *scene = job->scene;
  const double *axis = scene->corners + 2 * scene->corner_begin[k];
  double place[3], column[2][2];
  view_project(&job->map, scene->x[k], scene->y[k], 0.0, place);
  for (int a = 0; a < 2; a++) {
    double tip[3];
    view_project(&job->map, scene->x[k] + axis[2 * a], scene->y[k] + axis[2 * a + 1], 0.0, tip);
    const double length = floc_hypot(tip[0] - place[0], tip[1] - place[1]),
                 share = fmax(length - less, 0.25) / length;
    for (int c = 0; c < 2; c++) column[a][c] = share * (tip[c] - place[c]);
  }
  cairo_matrix_t form;
  cairo_matrix_init(&form, column[0][0], column[0][1], column[1][0], column[1][1], place[0], place[1]);
  cairo_save(cairo);
  cairo_transform(cairo, &form);
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, 0.0, 0.0, 1.0, 0.0, 6.283185307179586);
  cairo_restore(cairo);
}

static void discs_as_paths(canvas *sheet, const scene_job *job)
{
  const picture_scene *scene = job->scene;
  cairo_t *cairo = sheet->cairo;
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double place[3], radius = fmax(scene->radius[k] * job->map.scale, 0.25);
    view_project(&job->map, scene->x[k], scene->y[k], 0.0, place);
    if (!reaches(&job->panel, place, radius)) continue;
    double rim = scene->outline ? rim_width(sheet, radius) : 0.0;
    int32_t fill = particle_colour(sheet, job, k);
    if (scene_is_ellipsoid(scene, k, 2)) {
      ellipse_as_path(cairo, job, k, 0.5 * rim);
    } else if (scene->corner_begin && scene->corner_begin[k + 1] - scene->corner_begin[k] > 1) {
      corners_as_path(cairo, job, k, 0.5 * rim);
    } else {
      cairo_new_sub_path(cairo);
      cairo_arc(cairo, place[0], place[1], radius - 0.5 * rim, 0.0, 6.283185307179586);
    }
    canvas_set_colour(sheet, fill, scene->particle_opacity);
    if (rim == 0.0) {
      cairo_fill(cairo);
      continue;
    }
    cairo_fill_preserve(cairo);
    cairo_set_line_width(cairo, rim);
    canvas_set_colour(sheet, rim_colour(fill), scene->particle_opacity);
    cairo_stroke(cairo);
  }
}

/* ---- tubes and lines ------------------------------------------------------------------------------- */

typedef struct ranked_line {
  double contrast;
  int64_t number;
  int32_t colour;
} ranked_line;

static int compare_ranked(const void *a, const void *b)
{
  const ranked_line *p = a, *q = b;
  if (p->contrast != q->contrast) return p->contrast < q->contrast ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

/* Faint ones first, so that what stands out from the background is never covered. */
static floc_status rank_lines(canvas *sheet, const picture_lines *lines, const resolved_scale *scale,
                              ranked_line **ranked)
{
  *ranked = picture_allocate(lines->count, sizeof **ranked);
  if (!*ranked) return picture_out_of_memory(&sheet->report, (double)lines->count * (double)sizeof **ranked);
  double background = colour_luminance(sheet->background);
  for (int64_t k = 0; k < lines->count; k++) {
    int32_t colour = line_colour(sheet, lines, scale, k);
    (*ranked)[k] = (ranked_line){lines->value ? fabs(colour_luminance(colour) - background) : 0.0, k, colour};
  }
  if (lines->value) qsort(*ranked, (size_t)lines->count, sizeof **ranked, compare_ranked);
  return FLOC_OK;
}

static void ends_on_sheet(const scene_job *job, const picture_lines *lines, int64_t k, double end[2][3])
{
  for (int e = 0; e < 2; e++) {
    const double *point = lines->points + 6 * k + 3 * e;
    view_project(&job->map, point[0], point[1], 0.0, end[e]);
  }
}

static void draw_arrow_head(canvas *sheet, double end[2][3], double width, int32_t colour)
{
  double dx = end[1][0] - end[0][0], dy = end[1][1] - end[0][1], length = floc_hypot(dx, dy);
  if (!(length > 0.0)) return;
  double size = fmin(3.2 * width + 3.0, length), c = dx / length, s = dy / length;
  cairo_move_to(sheet->cairo, end[1][0] + 0.5 * width * c, end[1][1] + 0.5 * width * s);
  cairo_line_to(sheet->cairo, end[1][0] - size * c - 0.38 * size * s, end[1][1] - size * s + 0.38 * size * c);
  cairo_line_to(sheet->cairo, end[1][0] - size * c + 0.38 * size * s, end[1][1] - size * s - 0.38 * size * c);
  cairo_close_path(sheet->cairo);
  canvas_set_colour(sheet, colour, 1.0);
  cairo_fill(sheet->cairo);
}

/* Cairo counts in 1/256 pixel with 24 bits: far ends are brought near before they overflow. */
static bool cut_far_ends(const canvas *sheet, double end[2][3])
{
  double reach = 4.0 * (sheet->width + sheet->height), from = 0.0, to = 1.0;
  for (int c = 0; c < 2; c++) {
    double step = end[1][c] - end[0][c];
    if (fabs(step) < 1e-9) {
      if (fabs(end[0][c]) > reach) return false;
      continue;
    }
    double a = (-reach - end[0][c]) / step, b = (reach - end[0][c]) / step;
    from = fmax(from, fmin(a, b));
    to = fmin(to, fmax(a, b));
  }
  if (!(from < to) && !(from == 0.0 && to == 1.0)) return false;
  for (int c = 0; c < 2; c++) {
    double start = end[0][c], step = end[1][c] - start;
    end[0][c] = start + from * step;
    end[1][c] = start + to * step;
  }
  return true;
}

static void stroke_line(canvas *sheet, double end[2][3], double width, int32_t colour)
{
  canvas_set_colour(sheet, colour, 1.0);
  cairo_set_line_width(sheet->cairo, width);
  canvas_line(sheet, end[0][0], end[0][1], end[1][0], end[1][1]);
}

static floc_status draw_lines(canvas *sheet, scene_job *job, const picture_lines *lines,
                              const resolved_scale *scale, double width)
{
  if (lines->count == 0) return FLOC_OK;
  ranked_line *ranked;
  floc_status status = rank_lines(sheet, lines, scale, &ranked);
  if (status != FLOC_OK) return status;
  pixel_layer layer = {0};
  bool pixels = sheet->kind == CANVAS_PIXELS;
  if (pixels) status = layer_begin(sheet, &job->panel, &layer);
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_ROUND);
  for (int64_t k = 0; k < lines->count && status == FLOC_OK; k++) {
    double end[2][3];
    ends_on_sheet(job, lines, ranked[k].number, end);
    if (!cut_far_ends(sheet, end)) continue;
    if (pixels)
      raster_line(&layer.target, end[0][0], end[0][1], end[1][0], end[1][1], width, ranked[k].colour, 1.0);
    else
      stroke_line(sheet, end, width, ranked[k].colour);
  }
  if (pixels && status == FLOC_OK) layer_end(sheet, &job->panel, &layer);
  for (int64_t k = 0; k < lines->count && lines->arrows && status == FLOC_OK; k++) {
    double end[2][3];
    ends_on_sheet(job, lines, ranked[k].number, end);
    if (reaches(&job->panel, end[1], 20.0 * width)) draw_arrow_head(sheet, end, width, ranked[k].colour);
  }
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_BUTT);
  free(ranked);
  return status;
}

/* ---- bodies ---------------------------------------------------------------------------------------- */

static void corner(const scene_job *job, const floc_shape *shape, int p, double place[3])
{
  view_project(&job->map, shape->points[p][0], shape->points[p][1], 0.0, place);
}

/* The line of a wall with short strokes on the side that is closed. */
static void draw_plane(canvas *sheet, const scene_job *job, const floc_shape *shape, int32_t colour)
{
  double point[3], length = floc_hypot(shape->points[1][0], shape->points[1][1]);
  if (!(length > 0.0)) return;
  double nx = shape->points[1][0] / length, ny = -shape->points[1][1] / length; /* on the sheet */
  corner(job, shape, 0, point);
  double along = (job->map.x - point[0]) * -ny + (job->map.y - point[1]) * nx; /* nearest to the panel's middle */
  double x = point[0] - along * ny, y = point[1] + along * nx, reach = job->panel.width + job->panel.height;
  if (floc_hypot(x - job->map.x, y - job->map.y) > reach) return;
  canvas_set_colour(sheet, colour, 1.0);
  cairo_set_line_width(sheet->cairo, 1.8 * sheet->thin);
  canvas_line(sheet, x + reach * ny, y - reach * nx, x - reach * ny, y + reach * nx);
  double spacing = 0.55 * sheet->text_size, size = 0.5 * sheet->text_size;
  for (double s = -reach; s <= reach; s += spacing) {
    double px = x - s * ny, py = y + s * nx;
    cairo_move_to(sheet->cairo, px, py);
    cairo_line_to(sheet->cairo, px - size * (nx - ny) * 0.8, py - size * (ny + nx) * 0.8);
  }
  cairo_set_line_width(sheet->cairo, 0.8 * sheet->thin);
  cairo_stroke(sheet->cairo);
}

static void draw_circle(canvas *sheet, const scene_job *job, const floc_shape *shape, int32_t colour)
{
  double place[3], radius = shape->radius * job->map.scale, edge = 1.8 * sheet->thin;
  bool hollow = shape->kind == FLOC_SHAPE_HOLLOW;
  corner(job, shape, 0, place);
  if (!reaches(&job->panel, place, radius + edge)) return;
  if (radius > 1e6) return; /* its edge is beyond what Cairo can place */
  double drawn = hollow ? radius + 0.5 * edge : fmax(radius - 0.5 * edge, 0.5 * edge);
  cairo_new_sub_path(sheet->cairo);
  cairo_arc(sheet->cairo, place[0], place[1], drawn, 0.0, 6.283185307179586);
  if (!hollow) {
    canvas_set_colour(sheet, colour_mix(colour, sheet->background, 0.45), 1.0);
    cairo_fill_preserve(sheet->cairo);
  }
  canvas_set_colour(sheet, colour, 1.0);
  cairo_set_line_width(sheet->cairo, edge);
  cairo_stroke(sheet->cairo);
}

static void draw_capsule(canvas *sheet, const scene_job *job, const floc_shape *shape, int32_t colour)
{
  double end[2][3];
  corner(job, shape, 0, end[0]);
  corner(job, shape, 1, end[1]);
  if (!cut_far_ends(sheet, end)) return;
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_ROUND);
  stroke_line(sheet, end, fmax(2.0 * shape->radius * job->map.scale, 1.8 * sheet->thin), colour);
  cairo_set_line_cap(sheet->cairo, CAIRO_LINE_CAP_BUTT);
}

static void draw_triangle(canvas *sheet, const scene_job *job, const floc_shape *shape, int32_t colour)
{
  for (int p = 0; p < 3; p++) {
    double place[3];
    corner(job, shape, p, place);
    cairo_line_to(sheet->cairo, place[0], place[1]);
  }
  cairo_close_path(sheet->cairo);
  canvas_set_colour(sheet, colour_mix(colour, sheet->background, 0.45), 1.0);
  cairo_fill_preserve(sheet->cairo);
  canvas_set_colour(sheet, colour, 1.0);
  cairo_set_line_width(sheet->cairo, fmax(2.0 * shape->radius * job->map.scale, 1.8 * sheet->thin));
  cairo_stroke(sheet->cairo);
}

typedef void (*shape_drawing)(canvas *sheet, const scene_job *job, const floc_shape *shape, int32_t colour);

static const shape_drawing drawing_of[] = {[FLOC_SHAPE_PLANE] = draw_plane,
                                           [FLOC_SHAPE_SEGMENT] = draw_capsule,
                                           [FLOC_SHAPE_SPHERE] = draw_circle,
                                           [FLOC_SHAPE_HOLLOW] = draw_circle,
                                           [FLOC_SHAPE_TRIANGLE] = draw_triangle};

static void draw_bodies(canvas *sheet, const scene_job *job)
{
  for (int64_t k = 0; k < job->scene->shape_count; k++) {
    const floc_shape *shape = &job->scene->shapes[k];
    drawing_of[shape->kind](sheet, job, shape, shape_colour(sheet, job, k));
  }
}

/* ---- domain ---------------------------------------------------------------------------------------- */

static void draw_domain(canvas *sheet, const scene_job *job)
{
  const picture_scene *scene = job->scene;
  double window[2][2]; /* faces end where the other axis' faces are, or at the window's edge */
  for (int c = 0; c < 2; c++) {
    bool open = scene->boundary[c] == FLOC_BOUNDARY_OPEN;
    double half = (c == 0 ? job->panel.width : job->panel.height) / job->map.scale;
    window[c][0] = open ? job->frame.middle[c] - half : scene->domain_lower[c];
    window[c][1] = open ? job->frame.middle[c] + half : scene->domain_upper[c];
  }
  for (int c = 0; c < 2; c++) {
    if (scene->boundary[c] == FLOC_BOUNDARY_OPEN) continue;
    bool wall = scene->boundary[c] == FLOC_BOUNDARY_WALL;
    double width = (wall ? 1.8 : 1.0) * sheet->thin;
    canvas_set_dash(sheet, wall ? 0 : 1, width);
    for (int side = 0; side < 2; side++) {
      double end[2][3];
      for (int e = 0; e < 2; e++) {
        double point[3] = {window[0][c == 0 ? side : e], window[1][c == 1 ? side : e], 0.0};
        view_skew(scene, point);
        view_project(&job->map, point[0], point[1], 0.0, end[e]);
      }
      if (cut_far_ends(sheet, end)) stroke_line(sheet, end, width, shape_colour(sheet, job, -1));
    }
    canvas_set_dash(sheet, 0, width);
  }
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static floc_status draw_particles(canvas *sheet, scene_job *job)
{
  if (job->scene->particle_opacity == 0.0) return FLOC_OK;
  if (job->scene->corner_begin ||
      (sheet->kind != CANVAS_PIXELS && job->scene->particle_count <= VECTOR_PARTICLES)) {
    discs_as_paths(sheet, job);
    return FLOC_OK;
  }
  pixel_layer layer;
  floc_status status = layer_begin(sheet, &job->panel, &layer);
  if (status != FLOC_OK) return status;
  discs_as_pixels(sheet, job, &layer);
  layer_end(sheet, &job->panel, &layer);
  return FLOC_OK;
}

floc_status scene_draw_flat(canvas *sheet, scene_job *job)
{
  cairo_save(sheet->cairo);
  cairo_rectangle(sheet->cairo, job->panel.x, job->panel.y, job->panel.width, job->panel.height);
  cairo_clip(sheet->cairo);
  floc_status status = draw_field(sheet, job);
  if (status == FLOC_OK) status = draw_particles(sheet, job);
  if (status == FLOC_OK) status = draw_lines(sheet, job, &job->scene->tubes, &job->tubes, tube_width(sheet, job));
  if (status == FLOC_OK) {
    draw_domain(sheet, job);
    draw_bodies(sheet, job);
    status = draw_lines(sheet, job, &job->scene->lines, &job->lines, line_width(sheet, job));
  }
  cairo_restore(sheet->cairo);
  return status;
}
