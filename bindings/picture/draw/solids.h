/*
 * Three-dimensional scenes into pixels: spheres, capsules, ellipsoids and polyhedra by a depth buffer, shaded, with
 * translucent faces over them. Works on a finer grid than the picture, which is then averaged.
 *
 * All coordinates are pixels of the raster: x to the right, y downwards, depth towards the viewer.
 */
#ifndef FLOC_PICTURE_DRAW_SOLIDS_H
#define FLOC_PICTURE_DRAW_SOLIDS_H

#include "draw/canvas.h"
#include "draw/raster.h"

/* A sphere (both ends alike), a capsule, an ellipsoid, or a convex body inside of planes about its centre (both
 * ends its centre). */
typedef struct solid {
  float end[2][3];
  float radius; /* of an ellipsoid the greatest */
  bool is_ellipsoid;
  float axis[3][3]; /* its semi-axes, at right angles to each other */
  int32_t colour;
  bool shaded;             /* false: flat colour (lines) */
  bool rim;                /* dark edge */
  const float (*plane)[4]; /* [plane_count] outward unit normal, and the distance from the centre over `size` */
  int32_t plane_count;     /* 0: no such body */
  float size;
} solid;

/* A translucent triangle, or one half of a hollow sphere. */
typedef struct solid_face {
  float corner[3][3]; /* shell: corner[0] is the centre */
  float radius;       /* 0: triangle */
  bool front;         /* shell: the half that is nearer to the viewer */
  float opacity;
  int32_t colour;
  int32_t number; /* decides between faces of equal depth */
} solid_face;

typedef struct solid_scene {
  const solid *solids;
  int64_t solid_count;
  solid_face *faces; /* are sorted here by depth */
  int64_t face_count;
  double rim_width;     /* pixels */
  double shadow_radius; /* how far crevices darken, pixels; 0: not */
} solid_scene;

/* Light on a surface with that unit normal (right, up, towards the viewer): factor for the colour and
 * the amount of white that a highlight adds. */
void solid_light(const float normal[3], float *diffuse, float *highlight);

/* Draws the scene over the pixels of target. */
floc_status solids_render(const picture_report *report, const solid_scene *scene, const raster *target);

/* Back to front. */
void solid_faces_sort(solid_face *faces, int64_t count);

#endif
