/*
 * What flat and solid scenes have in common: colours, widths, the layer of pixels.
 */
#include "scene.h"

#include <math.h>
#include <stdlib.h>

static const double layer_magnification = 2.0;

static bool dark_background(const canvas *sheet)
{
  return colour_luminance(sheet->background) <= 0.4;
}

int32_t particle_colour(const canvas *sheet, const scene_job *job, int64_t k)
{
  const picture_scene *scene = job->scene;
  if (scene->colour && scene->colour[k] != PICTURE_AUTOMATIC) return scene->colour[k] & 0xffffff;
  if (scene->group) return picture_group_colour(scene->group[k]);
  if (scene->value) return scale_colour(&job->particles, scene->value[k]);
  if (scene->particle_colour != PICTURE_AUTOMATIC) return scene->particle_colour & 0xffffff;
  if (scene->tubes.count > 0) return dark_background(sheet) ? 0x505050 : 0xececec; /* tubes are the matter */
  return 0x5790bd;
}

int32_t shape_colour(const canvas *sheet, const scene_job *job, int64_t k)
{
  const picture_scene *scene = job->scene;
  if (scene->shape_colour && k >= 0 && scene->shape_colour[k] != PICTURE_AUTOMATIC)
    return scene->shape_colour[k] & 0xffffff;
  if (scene->body_colour != PICTURE_AUTOMATIC) return scene->body_colour & 0xffffff;
  return dark_background(sheet) ? 0xb4bac0 : 0x474c52;
}

int32_t line_colour(const canvas *sheet, const picture_lines *lines, const resolved_scale *scale, int64_t k)
{
  if (lines->value) return scale_colour(scale, lines->value[k]);
  if (lines->colour != PICTURE_AUTOMATIC) return lines->colour & 0xffffff;
  return dark_background(sheet) ? 0xe0e0e0 : 0x303030;
}

double tube_width(const canvas *sheet, const scene_job *job)
{
  double length = job->scene->tubes.width;
  if (length == 0.0) length = 0.6 * job->frame.median_radius;
  return length > 0.0 ? fmax(length * job->map.scale, 0.4 * sheet->thin) : 2.0 * sheet->thin;
}

double line_width(const canvas *sheet, const scene_job *job)
{
  return job->scene->lines.width > 0.0 ? job->scene->lines.width : 1.2 * sheet->thin;
}

floc_status layer_begin(canvas *sheet, const rectangle *panel, pixel_layer *layer)
{
  *layer = (pixel_layer){.magnification = 1.0};
  if (sheet->kind == CANVAS_PIXELS) {
    cairo_surface_flush(sheet->surface);
    layer->target = (raster){sheet->pixels,
                             sheet->width,
                             (int32_t)fmax(panel->x, 0.0),
                             (int32_t)fmax(panel->y, 0.0),
                             (int32_t)fmin(panel->x + panel->width, sheet->width),
                             (int32_t)fmin(panel->y + panel->height, sheet->height)};
    return FLOC_OK;
  }
  layer->x = panel->x;
  layer->y = panel->y;
  layer->magnification = layer_magnification;
  int32_t width = (int32_t)(panel->width * layer->magnification),
          height = (int32_t)(panel->height * layer->magnification);
  layer->image = picture_allocate((int64_t)width * height, sizeof *layer->image);
  if (!layer->image) return picture_out_of_memory(&sheet->report, 4.0 * width * height);
  layer->target = (raster){layer->image, width, 0, 0, width, height};
  return FLOC_OK;
}

void layer_end(canvas *sheet, const rectangle *panel, pixel_layer *layer)
{
  if (!layer->image) {
    cairo_surface_mark_dirty(sheet->surface);
    return;
  }
  const raster *target = &layer->target;
  cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)layer->image, CAIRO_FORMAT_ARGB32,
                                                                 target->right, target->bottom, 4 * target->stride);
  cairo_save(sheet->cairo);
  cairo_translate(sheet->cairo, panel->x, panel->y);
  cairo_scale(sheet->cairo, 1.0 / layer->magnification, 1.0 / layer->magnification);
  cairo_set_source_surface(sheet->cairo, surface, 0.0, 0.0);
  cairo_paint(sheet->cairo);
  cairo_restore(sheet->cairo);
  cairo_surface_finish(surface); /* a vector surface has taken its own copy */
  cairo_surface_destroy(surface);
  free(layer->image);
  layer->image = NULL;
}
