/*
 * One scene on its panel: what picture.c has worked out for it, and the parts that draw it.
 */
#ifndef FLOC_PICTURE_SCENE_H
#define FLOC_PICTURE_SCENE_H

#include "draw/colour.h"
#include "draw/raster.h"
#include "view.h"

enum { VECTOR_PARTICLES = 20000 }; /* more than these go into vector files as an image */

typedef struct scene_job {
  const picture_scene *scene;
  view_frame frame;
  resolved_scale particles, tubes, lines, field;
  rectangle panel; /* at whole pixels */
  view_map map;
} scene_job;

/* Draws particles, bodies, tubes and lines, cut off at the panel. */
floc_status scene_draw_flat(canvas *sheet, scene_job *job);
floc_status scene_draw_solid(canvas *sheet, scene_job *job);

/* ---- shared by both ---------------------------------------------------------------------------------- */

/* Are the corners of particle k the semi-axes of an ellipse or ellipsoid? */
static inline bool scene_is_ellipsoid(const picture_scene *scene, int64_t k, int dimension)
{
  return scene->corner_begin && scene->corner_begin[k + 1] - scene->corner_begin[k] == dimension &&
         scene->rounding[k] == 0.0;
}

int32_t particle_colour(const canvas *sheet, const scene_job *job, int64_t k);
int32_t shape_colour(const canvas *sheet, const scene_job *job, int64_t k);
int32_t line_colour(const canvas *sheet, const picture_lines *lines, const resolved_scale *scale, int64_t k);
/* Diameter of tubes and width of lines in pixels of the sheet. */
double tube_width(const canvas *sheet, const scene_job *job);
double line_width(const canvas *sheet, const scene_job *job);

/* Pixels to draw particles into: those of the sheet, or, for vector files, an image that is put onto the
 * sheet at the end. */
typedef struct pixel_layer {
  raster target;
  double x, y, magnification; /* sheet position p is at (p - x) * magnification */
  uint32_t *image;            /* own pixels; NULL: the sheet's */
} pixel_layer;

floc_status layer_begin(canvas *sheet, const rectangle *panel, pixel_layer *layer);
void layer_end(canvas *sheet, const rectangle *panel, pixel_layer *layer);

/* ---- around it --------------------------------------------------------------------------------------- */

/* Scale bar, cross of axes, note, number of strays. */
void scene_draw_furniture(canvas *sheet, const scene_job *job);

/* Legends of a scene in a column. */
double legend_width(canvas *sheet, const scene_job *job);
void legend_draw(canvas *sheet, const scene_job *job, const rectangle *column);

#endif
