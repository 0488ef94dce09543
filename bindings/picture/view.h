/*
 * Which part of space a scene shows, and where a point lands on the sheet. Parallel projection in 3-D
 * (lengths can be measured in the picture, spheres stay round).
 *
 * A view has three orthonormal axes: right, up and towards the viewer. In 2-D they are x, y and z. The
 * middle is taken off before anything is multiplied, so that a scene far from the origin loses no digits.
 */
#ifndef FLOC_PICTURE_VIEW_H
#define FLOC_PICTURE_VIEW_H

#include "draw/canvas.h"
#include "picture.h"

typedef struct view_frame {
  int32_t dimension;
  double axis[3][3];              /* right, up, towards the viewer; unit vectors in space */
  double middle[3];               /* the point in space that comes to the middle of the panel */
  double half_width, half_height; /* of what must be seen [length], > 0 */
  bool fixed;                     /* a window was given: show that and nothing beside it */
  bool limited;                   /* 3-D: only particles whose centre is in lower .. upper are shown */
  double lower[3], upper[3];      /* box in space around what is shown: planes are cut there */
  int64_t outside;                /* particles beyond an automatic window */
  double median_radius;           /* of the particles; 0 if there are none */
} view_frame;

/* Checks a scene's numbers: counts, arrays, positions, radii, shapes, view. number: 1, 2, ... of the
 * panel for the message, 0 if there is only one. */
floc_status scene_check(const picture_report *report, const picture_scene *scene, int32_t number);

/* Works out the frame of a checked scene. */
floc_status view_fit(const picture_report *report, const picture_scene *scene, view_frame *frame);

/* The camera's axes in 3-D; false if up lies along direction or one of them is 0 or not finite. */
bool view_axes(const picture_view *view, double axis[3][3]);

/* A frame on a rectangle of the sheet. */
typedef struct view_map {
  const view_frame *frame;
  double scale; /* pixels per length */
  double x, y;  /* where frame->middle lands */
} view_map;

/* Fills the rectangle; for a fixed window *panel shrinks to the window's shape around its middle. */
view_map view_place(const view_frame *frame, rectangle *panel);

/* Sheet position (x to the right, y downwards) and depth (pixels towards the viewer) of a point. z may be
 * anything in 2-D. */
void view_project(const view_map *map, double x, double y, double z, double out[3]);

/* Is the particle shown at all (3-D boxes)? */
bool view_shows(const view_frame *frame, double x, double y, double z);

/* Moves a point of the upright domain to where it is in the skew cell: along the first axis of the shear plane, the
 * more the farther up along the second. */
void view_skew(const picture_scene *scene, double point[3]);

/* Does a line between two points, this thick on each side, come into the window? (Its box does; of a panel with
 * another shape than the window the rest is not asked for.) */
bool view_sees(const view_frame *frame, const double from[3], const double to[3], double radius);

#endif
