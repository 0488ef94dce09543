/*
 * What acts under which scheme. A set-up call that a scheme would ignore is refused by name, with the schemes that
 * do it: at the call if the scheme is chosen already, at the choice of the scheme if the call came before, and
 * before a step for what came another way (a checkpoint's gravity).
 *
 * The table here is the only place that knows. The manual's page docs/schemes/matrix.md and
 * tests/lua/matrix_spec.lua have a row for every call and hold each cell against what a run does.
 */
#include "world.h"

#include "geometry/free_body.h"
#include "geometry/joints.h"

#include <stdio.h>
#include <string.h>

enum { INERTIAL = 1, DISCRETE_ELEMENT = 2, BALLISTIC = 4, EVENT_DRIVEN = 8, FIRST_ORDER = 16 };
enum { PROJECTION = INERTIAL | FIRST_ORDER };

typedef struct feature_row {
  const char *name; /* as messages say it */
  const char *verb;
  unsigned schemes;
} feature_row;

static const feature_row features[FLOC_FEATURE_COUNT] = {
    [FLOC_FEATURE_GRAVITY] = {"gravity", "is", INERTIAL | DISCRETE_ELEMENT | EVENT_DRIVEN},
    [FLOC_FEATURE_PAIR_LAWS] = {"pair laws", "are", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_WALL_LAWS] = {"wall laws", "are", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_FIELDS] = {"fields", "are", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_ATTRACTION] = {"an attraction or a long-range force", "is", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_EVOLUTION] = {"evolution", "is", PROJECTION | DISCRETE_ELEMENT | BALLISTIC | EVENT_DRIVEN},
    [FLOC_FEATURE_FLOW] = {"a flow", "is", INERTIAL | DISCRETE_ELEMENT},
    [FLOC_FEATURE_NOISE] = {"noise", "is", INERTIAL | DISCRETE_ELEMENT},
    [FLOC_FEATURE_A_PRIORI] = {"an a priori velocity", "is", PROJECTION},
    [FLOC_FEATURE_BODIES] = {"bodies", "are", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_ASSEMBLIES] = {"rigid assemblies", "are", INERTIAL},
    [FLOC_FEATURE_RAY_SOURCES] = {"ray sources", "are", PROJECTION | DISCRETE_ELEMENT},
    [FLOC_FEATURE_BONDS] = {"bonds", "are", DISCRETE_ELEMENT},
    [FLOC_FEATURE_DEFORMATION] = {"a cell that deforms", "is", INERTIAL | DISCRETE_ELEMENT},
    [FLOC_FEATURE_PROBLEMS] = {"recording of contact problems", "is", PROJECTION},
    [FLOC_FEATURE_SERVO] = {"a servo", "is", DISCRETE_ELEMENT},
    [FLOC_FEATURE_FREE_BODIES] = {"free bodies", "are", INERTIAL | DISCRETE_ELEMENT},
    [FLOC_FEATURE_JOINTS] = {"joints", "are", INERTIAL},
    [FLOC_FEATURE_ENERGY_LEDGER] = {"energy_ledger", "is", INERTIAL | DISCRETE_ELEMENT},
};

/* What takes its place under inelastic and gluey, after what others do. */
static const char *const instead[FLOC_FEATURE_COUNT] = {
    [FLOC_FEATURE_SERVO] =
        "; a free body with a load, or a cell that deforms and holds the stress, takes its place"};

/* ---- names ---- */

static const struct scheme_row {
  const char *name; /* scheme.shown */
  unsigned bit;
} schemes[] = {{"inelastic", INERTIAL},      {"gluey", INERTIAL},
               {"first_order", FIRST_ORDER}, {"discrete_element", DISCRETE_ELEMENT},
               {"ballistic", BALLISTIC},     {"event_driven", EVENT_DRIVEN}};

static unsigned bit_of(const char *name)
{
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
    if (strcmp(schemes[k].name, name) == 0) return schemes[k].bit;
  return 0;
}

/* "inelastic, gluey and discrete_element do it" */
static void list_schemes(unsigned bits, char *text, size_t size)
{
  enum { COUNT = sizeof schemes / sizeof *schemes };
  int total = 0, done = 0;
  size_t used = 0;
  for (int k = 0; k < COUNT; k++) total += (bits & schemes[k].bit) != 0;
  for (int k = 0; k < COUNT && used < size; k++) {
    if (!(bits & schemes[k].bit)) continue;
    const char *before = done == 0 ? "" : done + 1 == total ? " and " : ", ";
    used += (size_t)snprintf(text + used, size - used, "%s%s", before, schemes[k].name);
    done++;
  }
  if (used < size) snprintf(text + used, size - used, total == 1 ? " does it" : " do it");
}

/* ---- checks ---- */

static floc_status refuse_feature(environment *env, floc_feature feature, const char *shown)
{
  const feature_row *row = &features[feature];
  char others[120];
  list_schemes(row->schemes, others, sizeof others);
  const char *advice = bit_of(shown) == INERTIAL && instead[feature] ? instead[feature] : "";
  return refuse(env, FLOC_NOT_SUPPORTED, "%s %s not supported under the scheme %s; %s%s", row->name, row->verb,
                shown, others, advice);
}

/* Is there any of it in the world? What a call does at once (bonds, recording) is not looked for. */
static bool is_present(const floc_world *world, floc_feature feature, const laws_present *present)
{
  const double *g = world->gravity;
  switch (feature) {
  case FLOC_FEATURE_GRAVITY:
    return g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0;
  case FLOC_FEATURE_PAIR_LAWS:
    return present->pair_laws;
  case FLOC_FEATURE_WALL_LAWS:
    return present->wall_laws;
  case FLOC_FEATURE_FIELDS:
    return present->fields;
  case FLOC_FEATURE_ATTRACTION:
    return present->attraction;
  case FLOC_FEATURE_FLOW:
    return present->flow;
  case FLOC_FEATURE_NOISE:
    return present->noise;
  case FLOC_FEATURE_A_PRIORI:
    return present->a_priori;
  case FLOC_FEATURE_BODIES: /* the walls of the domain are a body as well; every scheme knows them */
    return bodies_present(&world->obstacles) - bodies_free_count(&world->obstacles) >
           (world->obstacles.domain_body >= 0); /* free ones are another feature */
  case FLOC_FEATURE_ASSEMBLIES:
    return world->assemblies.count > 0;
  case FLOC_FEATURE_RAY_SOURCES:
    return ray_sources_count(world->rays) > 0;
  case FLOC_FEATURE_DEFORMATION:
    return world_cell_is_wanted(world) || domain_deforms(&world->box);
  case FLOC_FEATURE_PROBLEMS:
    return world->problem_path != NULL;
  case FLOC_FEATURE_SERVO:
    for (int32_t k = 0; k < world->obstacles.count; k++)
      if (world->obstacles.body[k].motion.motion == FLOC_MOTION_SERVO) return true;
    return false;
  case FLOC_FEATURE_FREE_BODIES:
    return bodies_free_count(&world->obstacles) > 0;
  case FLOC_FEATURE_JOINTS:
    return joints_present(&world->obstacles) > 0;
  case FLOC_FEATURE_ENERGY_LEDGER:
    return world->keeps_ledger;
  case FLOC_FEATURE_EVOLUTION:
  case FLOC_FEATURE_BONDS:
  case FLOC_FEATURE_COUNT:
    break;
  }
  return false;
}

/* A function that gives a priori velocities stands for u + h f/m, so gravity, flow and noise would have no part in
 * them, and would be lost without a word. */
static floc_status refuse_beside_a_priori(environment *env, floc_feature feature)
{
  return refuse(env, FLOC_NOT_SUPPORTED,
                "%s %s not supported together with an a priori velocity by a function, which alone determines it; "
                "include this in the function",
                features[feature].name, features[feature].verb);
}

static const floc_feature beside_a_priori[] = {FLOC_FEATURE_GRAVITY, FLOC_FEATURE_FLOW, FLOC_FEATURE_NOISE};
enum { BESIDE_COUNT = sizeof beside_a_priori / sizeof *beside_a_priori };

/* `wanted` is about to come to what is there; FLOC_FEATURE_COUNT: nothing is. */
static floc_status check_a_priori(const floc_world *world, environment *env, floc_feature wanted)
{
  laws_present present = laws_find_present(world->forces);
  if (!present.a_priori && wanted != FLOC_FEATURE_A_PRIORI) return FLOC_OK;
  for (int k = 0; k < BESIDE_COUNT; k++) {
    bool comes = wanted == beside_a_priori[k];
    if (comes || is_present(world, beside_a_priori[k], &present))
      return refuse_beside_a_priori(env, beside_a_priori[k]);
  }
  return FLOC_OK;
}

static floc_status need_feature(const floc_world *world, environment *env, floc_feature feature)
{
  if (features[feature].schemes & bit_of(world->method.shown)) return check_a_priori(world, env, feature);
  return refuse_feature(env, feature, world->method.shown);
}

floc_status world_refuse_torque(floc_world *world, const char *law)
{
  return refuse(&world->env, FLOC_NOT_SUPPORTED,
                "%s gives a torque, and particles do not rotate under the scheme %s as it is set; rotation (or, in "
                "inelastic and gluey, friction) lets them",
                law, world->method.shown);
}

floc_status world_refuse_orientation(floc_world *world, const char *law)
{
  char what[120];
  if (law)
    snprintf(what, sizeof what, "%s takes axes of particles", law);
  else
    snprintf(what, sizeof what, "particles have an orientation (the columns qw qx qy qz)");
  return refuse(
      &world->env, FLOC_NOT_SUPPORTED,
      "%s, and the scheme %s does not turn them as it is set; discrete_element with rotation, and inelastic and "
      "gluey with rotation or friction, do",
      what, world->method.shown);
}

floc_status world_need_feature(floc_world *world, floc_feature feature)
{
  return need_feature(world, &world->env, feature);
}

floc_status world_check_free_bodies(floc_world *world)
{
  if (!world->method.no_free_bodies) return FLOC_OK;
  return refuse(&world->env, FLOC_NOT_SUPPORTED, "free bodies are not supported under the scheme %s %s",
                world->method.shown, world->method.no_free_bodies);
}

floc_status floc_world_check_feature(floc_world *world, int32_t feature)
{
  WORLD_READ(world, env);
  if (feature < 0 || feature >= FLOC_FEATURE_COUNT)
    return refuse(env, FLOC_INVALID_ARGUMENT, "feature is %d; it must be one of floc_feature, 0 to %d", feature,
                  FLOC_FEATURE_COUNT - 1);
  return need_feature(world, env, (floc_feature)feature);
}

floc_status world_admit_scheme(floc_world *world, const char *shown)
{
  unsigned bit = bit_of(shown);
  laws_present present = laws_find_present(world->forces);
  for (int feature = 0; feature < FLOC_FEATURE_COUNT; feature++)
    if (!(features[feature].schemes & bit) && is_present(world, (floc_feature)feature, &present))
      return refuse_feature(&world->env, (floc_feature)feature, shown);
  return check_a_priori(world, &world->env, FLOC_FEATURE_COUNT);
}
