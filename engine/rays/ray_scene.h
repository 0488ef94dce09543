/*
 * What rays can meet, arranged so that the next thing on a ray is found in a few steps: spheres in a
 * uniform grid, shapes and walls of the domain in lists.
 *
 * A sphere appears once for every periodic image that reaches into the box of the grid ("instance").
 * Everything is exact up to rounding: a ray is followed cell by cell, and the nearest hit found so far
 * counts only when no cell before it is left. A convex surface that a ray has just left is never met
 * again: it is known by particle and image, not by a small distance.
 *
 * Memory: instances are one array of structs (where a ray arrives it needs all of it). Cell c holds the
 * packets start[c] .. start[c + 1] - 1: four spheres each, column by column, so that a ray meets all of them in
 * one pass without branches (which would be unpredictable and cost more than the arithmetic). Unused places
 * hold a sphere that nothing meets. All of it lies in the arena of the caller.
 */
#ifndef FLOC_RAYS_SCENE_H
#define FLOC_RAYS_SCENE_H

#include "base/arena.h"
#include "base/domain.h"
#include "geometry/bodies.h"
#include "particles/particles.h"

typedef struct sphere_instance {
  double center[3];
  double radius;
  int64_t id; /* of the particle */
  int32_t slot;
  int32_t image; /* packed offsets */
} sphere_instance;

enum { PACK_SIZE = 4 };

typedef struct sphere_pack {
  double x[PACK_SIZE], y[PACK_SIZE], z[PACK_SIZE];
  double radius_squared[PACK_SIZE]; /* -1: unused */
} sphere_pack;

/* The surface that a ray has just left, in numbers that outlive sorting: 0 none; above 0 the particle of
 * that id; below 0 -1 - shape. */
typedef int64_t surface_name;
enum { SURFACE_NONE = 0, FIRST_SHAPE_NAME = -1 };

/* Image of a particle: offsets in box lengths, packed. */
enum { IMAGE_HOME = 0x010101 };

typedef struct ray_scene {
  const particles *table;
  const bodies *obstacles; /* may be NULL; the walls of a domain are planes of a body too */
  const domain *box;
  int32_t dimension;
  bool has_periods, has_shapes;
  double outer_lower[3], outer_upper[3]; /* around the grid and all bounded shapes */
  bool turns_up[3], turns_down[3];       /* some plane can turn a ray that runs down (up) that axis */
  bool plain_walk;           /* keeps to the form for any processor, for tests; the results are the same */
  double lower[3], upper[3]; /* of the grid: on periodic axes the domain, on others around the spheres */
  double size;               /* diagonal of lower .. upper */
  double least_radius, greatest_radius;
  int32_t cells[3];
  double cell[3], inverse_cell[3];
  int32_t *start; /* [cells + 1] */
  sphere_pack *pack;
  int32_t *number; /* [packets * PACK_SIZE] of the instances in the packets */
  int64_t instance_count;
  sphere_instance *instance;
} ray_scene;

/* Builds it for the particles as they stand and the shapes at the bodies' pose next. */
floc_status ray_scene_build(ray_scene *scene, arena *scratch, const particles *table, const bodies *obstacles,
                            const domain *box);

/* A point that moves along straight lines through a scene. */
typedef struct traveler {
  double position[3];
  double direction[3];  /* unit vector */
  surface_name left;    /* what it has just left, or is inside of */
  int32_t left_image;   /* packed, for particles */
  bool inside;          /* it is inside the particle `left` */
  bool emerging;        /* it started inside a particle; those that hold it are not there for it */
  int32_t channel_hits; /* bodies met in a row beyond everything else */
} traveler;

typedef enum flight_end {
  FLIGHT_HIT_SPHERE,
  FLIGHT_HIT_OBSTACLE, /* a shape of a body */
  FLIGHT_ESCAPED,
  FLIGHT_STOPPED, /* flew the length it was given */
  FLIGHT_LOST     /* crossed a periodic box too often without meeting anything */
} flight_end;

typedef struct flight {
  flight_end end;
  double length;   /* flown */
  double last_way; /* of a ray that escaped: until it left the box around the spheres */
  int32_t slot;    /* sphere */
  int32_t image;
  surface_name surface;
  double center[3]; /* sphere: of the instance that was met */
  double normal[3]; /* unit vector, against the ray */
} flight;

/* Moves the traveler to the next surface, at most `length` far (INFINITY: as far as it goes). */
void ray_scene_fly(const ray_scene *scene, traveler *ray, double length, flight *result);

/* Moves the traveler by `length`, then looks whether it is inside a sphere and moving inwards: the paper's
 * discrete advance. Bodies are met exactly. */
void ray_scene_advance(const ray_scene *scene, traveler *ray, double length, flight *result);

/* How far along its line the traveler leaves the box around the spheres; 0 if it does not cross it. */
double ray_scene_leave(const ray_scene *scene, const traveler *ray);

/* How far behind a traveler that will meet nothing more the box around the spheres ends; 0: it may meet something.
 */
double ray_scene_beyond(const ray_scene *scene, const traveler *ray);

/* Is the point inside a sphere? */
bool ray_scene_inside_sphere(const ray_scene *scene, const double position[3]);

#endif
