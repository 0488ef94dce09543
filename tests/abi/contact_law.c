/*
 * A program of a host, built with floc.h and the library alone, that adds a contact law to its world: a contact
 * that was pressed resists a pull of up to `strength` until it opens. A ball hangs under a ceiling: at a weight of
 * 0.9 strength it stays, at 1.1 it falls as if each step took the strength off its weight. Nothing of the engine
 * knows of the law.
 */
#include "floc/floc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                                           \
  do {                                                                                                             \
    if (!(condition)) {                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                              \
      return 1;                                                                                                    \
    }                                                                                                              \
  } while (0)

typedef struct tape {
  double strength, wrong; /* wrong: what is written into the first lower bound, if not 0 */
  int calls;
  double weight;
  long long first, second;
} tape;

static floc_status bounds(void *context, const floc_contact_rows *rows)
{
  tape *it = context;
  it->calls++;
  for (int64_t a = 0; a < rows->count; a++) {
    if (rows->memory[0][a] > 0.0) rows->lower[a] = -rows->time_step * it->strength;
    it->weight = rows->weight[a];
    it->first = rows->first[a];
    it->second = rows->second[a];
  }
  if (it->wrong != 0.0 && rows->count > 0) rows->lower[0] = it->wrong;
  return FLOC_OK;
}

static floc_status remember(void *context, const floc_contact_rows *rows)
{
  tape *it = context;
  for (int64_t a = 0; a < rows->count; a++) {
    bool torn = rows->impulse[a] <= -rows->time_step * it->strength;
    if (rows->impulse[a] > 0.0) rows->memory[0][a] = 1.0;
    if (torn) rows->memory[0][a] = 0.0;
  }
  return FLOC_OK;
}

static const double g = 10.0, h = 1e-3, mass = 2.0;

static floc_status add_law(floc_world *world, tape *it)
{
  static const char *const memory[] = {"stuck"};
  floc_contact_law_type type;
  floc_contact_law_type_init(&type);
  type.name = "tape";
  type.memory_count = 1;
  type.memory = memory;
  type.context = it;
  type.bounds = bounds;
  type.remember = remember;
  return floc_contact_law_add(world, &type);
}

/* A ball that is pressed against a ceiling for ten steps, then hangs. */
static int make(tape *it, floc_world **world)
{
  floc_world_options options;
  CHECK(floc_world_options_init(&options) == FLOC_OK);
  options.time_step = h;
  options.gravity[1] = g; /* upwards at first */
  CHECK(floc_world_create(&options, world) == FLOC_OK);
  CHECK(add_law(*world, it) == FLOC_OK);
  CHECK(add_law(*world, it) == FLOC_ALREADY_EXISTS);
  floc_projection_options projection;
  CHECK(floc_projection_options_init(&projection) == FLOC_OK);
  CHECK(floc_world_set_projection(*world, &projection) == FLOC_OK);
  floc_body_options fixed;
  floc_shape plane;
  int32_t body;
  CHECK(floc_body_options_init(&fixed) == FLOC_OK && floc_shape_init(&plane) == FLOC_OK);
  CHECK(floc_body_add(*world, &fixed, &body) == FLOC_OK);
  plane.kind = FLOC_SHAPE_PLANE;
  plane.points[0][1] = 1.0;
  plane.points[1][1] = -1.0;
  CHECK(floc_body_add_shape(*world, body, &plane) == FLOC_OK);
  floc_particle_options ball;
  int64_t id;
  CHECK(floc_particle_options_init(&ball) == FLOC_OK);
  ball.position[1] = 0.9;
  ball.radius = 0.1;
  ball.mass = mass;
  CHECK(floc_particle_add(*world, &ball, &id) == FLOC_OK);
  for (int k = 0; k < 10; k++) CHECK(floc_world_step(*world) == FLOC_OK);
  return 0;
}

static int hangs_or_falls(double part)
{
  tape it = {.strength = mass * g / part};
  floc_world *world;
  if (make(&it, &world)) return 1;
  CHECK(it.calls >= 10 && it.weight == mass && it.first == 1 && it.second == -1);
  const double down[3] = {0.0, -g, 0.0};
  CHECK(floc_world_set_gravity(world, down) == FLOC_OK);
  for (int k = 0; k < 20; k++) CHECK(floc_world_step(world) == FLOC_OK);
  double *vy;
  int64_t count;
  CHECK(floc_column(world, "vy", &vy, &count) == FLOC_OK);
  /* the first step works against the tape, which is then torn */
  double expected = part < 1.0 ? 0.0 : -h * (20 * g - it.strength / mass);
  CHECK(fabs(vy[0] - expected) < 1e-9);
  floc_world_destroy(world);
  return 0;
}

static int wrong_numbers_are_refused(void)
{
  tape it = {.strength = 1.0};
  floc_world *world;
  if (make(&it, &world)) return 1;
  it.wrong = 0.5;
  CHECK(floc_world_step(world) == FLOC_CALLBACK_FAILED);
  CHECK(strstr(floc_world_message(world), "contact law \"tape\": lower of the contact of 1 with -1 is 0.5"));
  it.wrong = NAN;
  CHECK(floc_world_step(world) == FLOC_CALLBACK_FAILED);
  it.wrong = 0.0;
  CHECK(floc_world_step(world) == FLOC_OK);
  floc_contact_law_type type;
  floc_contact_law_type_init(&type);
  CHECK(floc_contact_law_add(world, &type) == FLOC_INVALID_ARGUMENT);
  type.name = "two words";
  type.bounds = bounds;
  CHECK(floc_contact_law_add(world, &type) == FLOC_INVALID_ARGUMENT);
  type.name = "more";
  type.memory_count = 5;
  CHECK(floc_contact_law_add(world, &type) == FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
  return 0;
}

/* What pairs remember survives: a world that is stored while the ball hangs lets it hang. */
static int a_resumed_ball_hangs(const char *path)
{
  tape it = {.strength = mass * g / 0.9};
  const double down[3] = {0.0, -g, 0.0};
  floc_world *world, *again;
  if (make(&it, &world)) return 1;
  CHECK(floc_world_set_gravity(world, down) == FLOC_OK);
  CHECK(floc_world_save(world, path, 1) == FLOC_OK);
  if (make(&it, &again)) return 1;
  CHECK(floc_world_load(again, path) == FLOC_OK);
  for (int k = 0; k < 30; k++) CHECK(floc_world_step(again) == FLOC_OK && floc_world_step(world) == FLOC_OK);
  double *y, *other;
  int64_t count;
  CHECK(floc_column(again, "y", &y, &count) == FLOC_OK && floc_column(world, "y", &other, &count) == FLOC_OK);
  CHECK(fabs(y[0] - 0.9) < 1e-9 && y[0] == other[0]);
  floc_world_destroy(world);
  floc_world_destroy(again);
  return remove(path);
}

int main(int argc, char **argv)
{
  if (hangs_or_falls(0.9) || hangs_or_falls(1.1) || wrong_numbers_are_refused()) return 1;
  return a_resumed_ball_hangs(argc > 1 ? argv[1] : "contact_law.floc");
}
