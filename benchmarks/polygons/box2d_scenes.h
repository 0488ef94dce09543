/*
 * Three of the scenes that Box2D 3 is measured by (its shared/benchmarks.c), as lists of squares and of lines, and
 * one measure of the state for whatever code moves them: large pyramid, 100 squares of side 1 at its base; 400
 * pyramids of 10 on 20 floors; a tumbler, 45 x 45 squares of side 0.25 in a hollow square of 19 that turns by 25
 * degrees a second. Gravity 10, friction 0.6, density 1, frames of 1/60.
 */
#ifndef FLOC_BENCHMARKS_BOX2D_SCENES_H
#define FLOC_BENCHMARKS_BOX2D_SCENES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOX2D_MOST = 24000, BOX2D_LINES = 20 };

typedef struct box2d_square {
  double x, y, angle, vx, vy, spin;
} box2d_square;

typedef struct box2d_scene {
  double half, line[BOX2D_LINES][4]; /* half a side; x, y of both ends, of the tumbler about its centre */
  double center_y, turning;          /* of the tumbler */
  long count, lines, top;            /* top: the square at the top of the (first) pyramid; -1: none */
  box2d_square at[BOX2D_MOST];
} box2d_scene;

static inline void box2d_pyramid(box2d_scene *scene, int base, double left, double floor)
{
  for (int i = 0; i < base; i++)
    for (int j = i; j < base; j++)
      scene->at[scene->count++] =
          (box2d_square){.x = left + 0.5 * (i + 1) + (j - i), .y = floor + 0.5 * (2 * i + 1)};
  if (scene->top < 0) scene->top = scene->count - 1;
}

static inline void box2d_line(box2d_scene *scene, double x0, double y0, double x1, double y1)
{
  double *line = scene->line[scene->lines++];
  line[0] = x0, line[1] = y0, line[2] = x1, line[3] = y1;
}

static inline void box2d_tumbler(box2d_scene *scene)
{
  scene->half = 0.125;
  scene->center_y = 10.0;
  scene->turning = 25.0 * 3.141592653589793 / 180.0;
  for (int i = 0; i < 45; i++)
    for (int j = 0; j < 45; j++)
      scene->at[scene->count++] = (box2d_square){.x = -9.0 + 0.4 * j, .y = 1.0 + 0.4 * i};
  box2d_line(scene, -9.5, -9.5, 9.5, -9.5);
  box2d_line(scene, 9.5, -9.5, 9.5, 9.5);
  box2d_line(scene, 9.5, 9.5, -9.5, 9.5);
  box2d_line(scene, -9.5, 9.5, -9.5, -9.5);
}

static inline box2d_scene *box2d_scene_make(const char *name)
{
  box2d_scene *scene = calloc(1, sizeof *scene);
  if (!scene) exit(1);
  scene->half = 0.5;
  scene->top = -1;
  if (strcmp(name, "large_pyramid") == 0) {
    box2d_line(scene, -100.0, 0.0, 100.0, 0.0);
    box2d_pyramid(scene, 100, -50.0, 0.0);
  } else if (strcmp(name, "many_pyramids") == 0) {
    for (int i = 0; i < 20; i++) {
      box2d_line(scene, -110.0, 11.0 * i, 110.0, 11.0 * i);
      for (int j = 0; j < 20; j++) box2d_pyramid(scene, 10, -110.0 + 11.0 * j + 0.5, 11.0 * i);
    }
  } else if (strcmp(name, "tumbler") == 0) {
    box2d_tumbler(scene);
  } else {
    fprintf(stderr, "scene '%s': large_pyramid, many_pyramids or tumbler\n", name);
    exit(1);
  }
  return scene;
}

/* By separating axes: how far b is from the sides of a. */
static inline double box2d_apart(const box2d_square *a, const box2d_square *b, double half)
{
  const double dx = b->x - a->x, dy = b->y - a->y, c = cos(a->angle), s = sin(a->angle), turn = b->angle - a->angle,
               reach = half * (fabs(cos(turn)) + fabs(sin(turn)));
  return fmax(fabs(c * dx + s * dy), fabs(c * dy - s * dx)) - half - reach;
}

/* Prints overlaps of pairs over half a side, kinetic energy of the motion of centres and of rotation for each
 * square's mass, and how far the top of the pyramid is below its start. */
static inline void box2d_measure(const box2d_scene *start, const box2d_square *now)
{
  const double half = start->half;
  double sum = 0.0, greatest = 0.0, energy = 0.0, moved = 0.0;
  long pairs = 0;
  for (long i = 0; i < start->count; i++) {
    const box2d_square *a = now + i;
    energy += 0.5 * (a->vx * a->vx + a->vy * a->vy + 2.0 / 3.0 * half * half * a->spin * a->spin);
    moved = fmax(moved, hypot(a->x - start->at[i].x, a->y - start->at[i].y));
    for (long j = i + 1; j < start->count; j++) {
      if (fabs(now[j].x - a->x) > 3.0 * half || fabs(now[j].y - a->y) > 3.0 * half) continue;
      const double apart = fmax(box2d_apart(a, now + j, half), box2d_apart(now + j, a, half));
      if (apart >= 0.0) continue;
      pairs++;
      sum -= apart;
      greatest = fmax(greatest, -apart);
    }
  }
  printf("overlap mean %.3f %%, greatest %.3f %% of half a side, over %ld pairs; kinetic energy over mass %.3g; ",
         pairs ? 100.0 * sum / (double)pairs / half : 0.0, 100.0 * greatest / half, pairs,
         energy / (double)start->count);
  if (start->top >= 0)
    printf("top %.4f lower, farthest motion %.3f; ", start->at[start->top].y - now[start->top].y, moved);
}

#endif
