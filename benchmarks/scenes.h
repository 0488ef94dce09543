/*
 * Small simulations in the plane that make realistic sequences of contact problems for the solver
 * benchmark, without the rest of the engine: what is measured is the solver and nothing else.
 *
 *   aggregation  Maury 2004, 4.1: discs in an oscillating shear flow that attract each other
 *   funnel       3000 discs at rest in a closed funnel (Lefebvre 2009, 4.3), inelastic or gluey
 *   box          discs in a box with two slopes, at rest
 */
#ifndef FLOC_BENCHMARKS_SCENES_H
#define FLOC_BENCHMARKS_SCENES_H

#include "contacts/problem/problem.h"

typedef enum scene_kind { SCENE_AGGREGATION, SCENE_FUNNEL, SCENE_BOX } scene_kind;

typedef struct scene_wall {
  double start[2], end[2];
} scene_wall;

/* Contacts of one step, sorted by (first, second); second is -1 - wall for walls, until the problem is
 * handed out. */
typedef struct scene_contacts {
  int64_t count, capacity;
  int32_t *first, *second; /* second: -1 for walls */
  int32_t *key;            /* the second particle, or -1 - wall */
  double *nx, *ny, *distance, *lower, *impulse, *gamma;
} scene_contacts;

typedef struct scene {
  scene_kind kind;
  int64_t count;
  double h, time, gravity, radius;
  double gamma_min; /* 0: inelastic */
  double *x, *y, *vx, *vy, *radii, *inverse_mass, *reach;
  double *free_x, *free_y; /* V* */
  double *out_x, *out_y;   /* V */
  scene_wall wall[16];
  int wall_count;
  scene_contacts now, before;
  contact_problem problem;
} scene;

/* N discs at the start; aborts the program when memory runs out. */
void scene_create(scene *it, scene_kind kind, int64_t count, double gamma_min);
void scene_free(scene *it);
/* Neighbours, forces, contacts; impulses of the step before are in now.impulse. */
void scene_prepare(scene *it);
/* Moves with the solution that stands in now.impulse and out_x, out_y. */
void scene_advance(scene *it);
/* The state between two steps to and from a file of raw numbers (for one machine, to skip the warm-up). */
bool scene_save(const scene *it, const char *path);
bool scene_load(scene *it, const char *path);
/* Mean and greatest overlap over touching pairs, relative to the mean radius; kinetic energy. */
void scene_quality(const scene *it, double *mean, double *greatest, double *energy);

#endif
