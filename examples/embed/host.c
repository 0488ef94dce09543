/*
 * A program that embeds floc: makes worlds, gives them a force law in C, steps them from its own loop, reads
 * columns in place, handles an error, and runs two worlds on two threads.
 *
 * It links libfloc alone; see CMakeLists.txt (find_package) and the command with pkg-config in README.md.
 * scenario.c shows the same with a scenario in Lua.
 */
#include <floc/floc.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* What the host hands to its law. */
typedef struct spring {
  double stiffness, rest;
} spring;

/* A law works on a block of pairs; inputs come in the order in which they were asked for. */
static floc_status spring_law(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  const spring *self = context;
  const double *distance = inputs[0];
  for (int32_t k = 0; k < count; k++) outputs[0][k] = self->stiffness * (self->rest - distance[k]);
  return FLOC_OK;
}

/* Every call returns a status; the message says what was wrong. A library never ends the program, the host decides.
 */
static void check(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "floc: %s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static floc_world *make_world(uint64_t seed)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 2;
  options.time_step = 0.001;
  options.threads = 1;
  options.seed = seed;
  floc_world *world = NULL;
  if (floc_world_create(&options, &world) != FLOC_OK) {
    fprintf(stderr, "floc: %s\n", options.message);
    exit(1);
  }
  return world;
}

static void add_particles(floc_world *world)
{
  floc_insertion_options cloud;
  floc_insertion_options_init(&cloud);
  cloud.count = 200;
  cloud.region_lower[0] = cloud.region_lower[1] = -1.0;
  cloud.region_upper[0] = cloud.region_upper[1] = 1.0;
  cloud.radius_lower = 0.01;
  cloud.radius_upper = 0.02;
  cloud.velocity_spread = 0.1;
  int64_t first;
  check(world, floc_particles_insert(world, &cloud, &first));
}

static void add_spring(floc_world *world, spring *context)
{
  static const char *const inputs[] = {"distance"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.name = "spring";
  law.inputs = inputs;
  law.input_count = 1;
  law.output_count = 1;
  law.range = 0.1;
  law.function = spring_law;
  law.context = context;
  law.parallel = true; /* it only reads its context */
  check(world, floc_pair_law_add(world, &law, NULL));
}

/* Columns are read where they are, without a copy; pointers are valid until the next step. */
static double momentum_x(floc_world *world)
{
  double *vx, *mass, sum = 0.0;
  int64_t count;
  check(world, floc_column(world, "vx", &vx, &count));
  check(world, floc_column(world, "mass", &mass, &count));
  for (int64_t k = 0; k < count; k++) sum += mass[k] * vx[k];
  return sum;
}

typedef struct job {
  uint64_t seed, hash;
  double drift; /* of the momentum */
} job;

/* One world belongs to one thread at a time; several worlds share nothing. */
static void *run_world(void *context)
{
  job *mine = context;
  spring law = {5.0, 0.05};
  floc_world *world = make_world(mine->seed);
  add_particles(world);
  add_spring(world, &law);
  double before = momentum_x(world);
  for (int step = 0; step < 300; step++) check(world, floc_world_step(world));
  mine->drift = fabs(momentum_x(world) - before);
  check(world, floc_world_hash(world, &mine->hash));
  floc_world_destroy(world);
  return NULL;
}

static int show_an_error(void)
{
  floc_world *world = make_world(1);
  floc_particle_options particle;
  floc_particle_options_init(&particle);
  particle.radius = -0.5;
  int64_t id;
  floc_status status = floc_particle_add(world, &particle, &id);
  printf("a wrong radius: %s: %s\n", floc_status_name(status), floc_world_message(world));
  floc_world_destroy(world);
  return status == FLOC_INVALID_ARGUMENT ? 0 : 1;
}

int main(void)
{
  if (show_an_error()) return 1;
  job jobs[3] = {{.seed = 1}, {.seed = 2}, {.seed = 1}};
  pthread_t threads[2];
  for (int k = 0; k < 2; k++)
    if (pthread_create(&threads[k], NULL, run_world, &jobs[k]) != 0) return 1;
  for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
  run_world(&jobs[2]); /* the first again, alone */
  for (int k = 0; k < 3; k++)
    printf("world with seed %llu: hash %016llx, momentum drifted by %.1e\n", (unsigned long long)jobs[k].seed,
           (unsigned long long)jobs[k].hash, jobs[k].drift);
  bool good = jobs[0].hash == jobs[2].hash && jobs[0].hash != jobs[1].hash && jobs[0].drift < 1e-9;
  printf("%s\n", good ? "as expected" : "not as expected");
  return good ? 0 : 1;
}
