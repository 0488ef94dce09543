/*
 * Every variant of time stepping, and the situations that tests put it in.
 */
#ifndef FLOC_TESTS_BALLISTIC_VARIANTS_H
#define FLOC_TESTS_BALLISTIC_VARIANTS_H

#include "ballistic_statistics.h"

#include "schemes/ballistic/ballistic.h"

static inline void use_ballistic(rig *all, const floc_ballistic_options *options)
{
  assert_ok(&all->env, ballistic_create(&all->env, &all->table, all->box.dimension, options, &all->method));
}

static inline floc_ballistic_options with_step(double step_factor)
{
  floc_ballistic_options options;
  assert_int_equal(floc_ballistic_options_init(&options), FLOC_OK);
  options.step_factor = step_factor;
  return options;
}

static inline floc_ballistic_report counts(const rig *all)
{
  floc_ballistic_report report;
  ballistic_get_report(all->method.state, &report);
  return report;
}

typedef struct variant {
  const char *name;
  int32_t minimiser;
  bool rigid, rotation;
  double step_factor; /* 0: a long step */
  double tolerance;
} variant;

static const variant variants[] = {
    {"projection", FLOC_MINIMISER_PROJECTION, false, false, 1.0, 0.01},
    {"projection, short steps", FLOC_MINIMISER_PROJECTION, false, false, 0.1, 0.01},
    {"projection, narrow tolerance", FLOC_MINIMISER_PROJECTION, false, false, 0.5, 1e-5},
    {"projection, rotation", FLOC_MINIMISER_PROJECTION, false, true, 0.5, 0.01},
    {"Arrow-Hurwicz", FLOC_MINIMISER_ARROW_HURWICZ, false, false, 1.0, 0.01},
    {"Arrow-Hurwicz, narrow tolerance", FLOC_MINIMISER_ARROW_HURWICZ, false, false, 0.3, 1e-5},
    {"Arrow-Hurwicz, rotation", FLOC_MINIMISER_ARROW_HURWICZ, false, true, 0.5, 0.01},
    {"rigid", FLOC_MINIMISER_PROJECTION, true, false, 1.0, 0.01},
    {"rigid, long steps", FLOC_MINIMISER_PROJECTION, true, false, 0.0, 0.01},
    {"stochastic", FLOC_MINIMISER_STOCHASTIC, false, false, 1.0, 0.01},
    {"projection, long steps", FLOC_MINIMISER_PROJECTION, false, false, 3.0, 0.01},
};
enum { VARIANTS = sizeof variants / sizeof *variants, USUAL_VARIANTS = VARIANTS - 1 }; /* the last takes long */

typedef struct situation {
  const variant *how;
  int32_t dimension, boundary;
  bool polydisperse, dense;
  uint64_t seed;
} situation;

static inline void start(rig *all, const situation *where)
{
  const variant *how = where->how;
  floc_ballistic_options options = with_step(how->step_factor);
  options.minimiser = how->minimiser;
  options.rigid = how->rigid;
  options.rotation = how->rotation;
  options.tolerance = how->tolerance;
  double side = where->dimension == 2 ? 12.0 : 6.0;
  rig_init(all, where->dimension, where->boundary, side);
  use_ballistic(all, &options);
  if (where->polydisperse)
    fill_random(all, where->dimension == 2 ? 110 : 80, where->dense ? 0.2 : 0.1, where->dense ? 0.55 : 0.4, side,
                where->seed);
  else
    rig_lattice(all, where->dimension == 2 ? 12 : 6, where->dense ? 0.45 : 0.15, where->seed);
}

static inline const char *name_of(const situation *where)
{
  static char text[160];
  static const char *const faces[] = {"open", "walls", "periodic"};
  snprintf(text, sizeof text, "%s, %d-D, %s, %s, %s, seed %d", where->how->name, (int)where->dimension,
           faces[where->boundary], where->polydisperse ? "unequal" : "equal", where->dense ? "dense" : "thin",
           (int)where->seed);
  return text;
}

/* The world's time step; without a factor, the fastest of the start fly fifty radii in it. */
static inline double chosen_time_step(const situation *where)
{
  return where->how->step_factor > 0.0 ? 1e3 : 7.5;
}

#endif
