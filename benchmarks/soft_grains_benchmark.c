/*
 * Soft grains from a state file: Hooke's spring and dashpot with accumulated Coulomb friction and rotation,
 * velocity Verlet, through the public interface. The scenes that are also run in the peers.
 *
 *   soft_grains_benchmark state=FILE [steps=100] [warmup=20] [threads=1] [time_step=1e-4] [stiffness=2e5]
 *                         [damping=50] [friction=0.5] [frictionless=0] [tangential_stiffness=2/7 stiffness]
 * [tangential_damping=damping/2] [gravity=0] [scene=none|funnel] [scheme=soft|projection] [end=FILE]
 * [checkpoint=FILE] [compression=default|none]
 *
 * damping: force per velocity. With scheme=projection the same start is run by the velocity projection, whose
 * only constants are friction, the step and the tolerance [length]. Prints lines of "name value": user CPU seconds
 * of the stepping alone, wall seconds, peak memory, the split by stage in percent. With checkpoint=FILE: seconds of
 * writing and reading, too, and the file's bytes; compression is that of the checkpoint.
 */
#include "funnel_scene.h"
#include "state_file.h"
#include "usage.h"

#include <sys/stat.h>

static void set_soft(floc_world *world, int argc, char **argv)
{
  floc_discrete_element_options soft;
  floc_discrete_element_options_init(&soft);
  soft.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  soft.stiffness = number_option(argc, argv, "stiffness", 2e5);
  soft.damping = number_option(argc, argv, "damping", 50.0);
  soft.friction = FLOC_FRICTION_SPRING;
  soft.friction_stiffness = number_option(argc, argv, "tangential_stiffness", 2.0 / 7.0 * soft.stiffness);
  soft.friction_damping = number_option(argc, argv, "tangential_damping", 0.5 * soft.damping);
  soft.friction_static = soft.friction_dynamic = number_option(argc, argv, "friction", 0.5);
  soft.rotation = true;
  if (number_option(argc, argv, "frictionless", 0.0) > 0.0) soft.friction = FLOC_FRICTION_NONE;
  soft.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  must_succeed(world, floc_world_set_discrete_element(world, &soft));
}

static void set_projection(floc_world *world, int argc, char **argv)
{
  floc_projection_options hard;
  floc_projection_options_init(&hard);
  hard.friction = number_option(argc, argv, "friction", 0.5);
  hard.tolerance = number_option(argc, argv, "tolerance", 0.0);
  must_succeed(world, floc_world_set_projection(world, &hard));
}

/* A world without particles; *head gets what the state says. */
static floc_world *make_world(FILE *file, state_header *head, int argc, char **argv)
{
  floc_world_options options;
  floc_world_options_init(&options);
  *head = read_state_header(file);
  options.dimension = head->dimension;
  options.time_step = number_option(argc, argv, "time_step", 1e-4);
  options.threads = (int)number_option(argc, argv, "threads", 1);
  options.gravity[1] = -number_option(argc, argv, "gravity", 0.0);
  for (int axis = 0; axis < head->dimension; axis++) {
    if (head->upper[axis] == head->lower[axis]) continue;
    options.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    options.domain_lower[axis] = head->lower[axis];
    options.domain_upper[axis] = head->upper[axis];
  }
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) {
    fprintf(stderr, "%s\n", options.message);
    exit(1);
  }
  if (strcmp(text_option(argc, argv, "scene", "none"), "funnel") == 0) add_funnel_bodies(world, head->time);
  bool hard = strcmp(text_option(argc, argv, "scheme", "soft"), "projection") == 0;
  (hard ? set_projection : set_soft)(world, argc, argv);
  return world;
}

static void run(floc_world *world, long steps)
{
  for (long k = 0; k < steps; k++) must_succeed(world, floc_world_step(world));
}

static void print_stages(const floc_step_report *before, const floc_step_report *after)
{
  double sum = 0.0;
  for (int k = 0; k < FLOC_STAGE_COUNT; k++) sum += after->stage_seconds[k] - before->stage_seconds[k];
  for (int k = 0; k < FLOC_STAGE_COUNT; k++)
    printf("stage.%s %.2f\n", floc_stage_name(k),
           100.0 * (after->stage_seconds[k] - before->stage_seconds[k]) / sum);
}

static void measure_checkpoint(floc_world *world, const char *path)
{
  enum { TIMES = 100 }; /* peers count in ticks of 10 ms */
  struct stat found;
  double start = processor_seconds(), began = wall_seconds();
  for (int k = 0; k < TIMES; k++) must_succeed(world, floc_world_save(world, path, 1));
  printf("write_seconds %.6f\nwrite_wall_seconds %.6f\n", (processor_seconds() - start) / TIMES,
         (wall_seconds() - began) / TIMES);
  start = processor_seconds(), began = wall_seconds();
  for (int k = 0; k < TIMES; k++) must_succeed(world, floc_world_load(world, path));
  printf("read_seconds %.6f\nread_wall_seconds %.6f\n", (processor_seconds() - start) / TIMES,
         (wall_seconds() - began) / TIMES);
  if (stat(path, &found) == 0) printf("file_bytes %lld\n", (long long)found.st_size);
}

int main(int argc, char **argv)
{
  FILE *file = must_open(text_option(argc, argv, "state", NULL), "r");
  state_header head;
  floc_world *world = make_world(file, &head, argc, argv);
  read_state_particles(file, &head, world);
  fclose(file);
  long steps = (long)number_option(argc, argv, "steps", 100);
  run(world, (long)number_option(argc, argv, "warmup", 20));
  floc_step_report before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
  floc_world_get_report(world, &before);
  double start = user_seconds(), began = wall_seconds();
  run(world, steps);
  double seconds = user_seconds() - start, wall = wall_seconds() - began;
  floc_world_get_report(world, &after);
  printf("particles %ld\nsteps %ld\ncpu_seconds %.6f\nwall_seconds %.6f\npeak_bytes %ld\n", head.count, steps,
         seconds, wall, peak_kilobytes() * 1024);
  printf("contacts %lld\nunconverged %lld\n", (long long)after.contacts,
         (long long)(after.unconverged_steps - before.unconverged_steps));
  print_stages(&before, &after);
  floc_world_info info = {.struct_size = sizeof info};
  floc_world_get_info(world, &info);
  head.time += info.time;
  const char *end = text_option(argc, argv, "end", NULL), *checkpoint = text_option(argc, argv, "checkpoint", NULL);
  if (end) write_state(end, head, world);
  bool plain = strcmp(text_option(argc, argv, "compression", "default"), "none") == 0;
  must_succeed(world, floc_world_set_checkpoint_compression(world, plain ? FLOC_COMPRESSION_NONE
                                                                         : FLOC_COMPRESSION_DEFAULT));
  if (checkpoint) measure_checkpoint(world, checkpoint);
  floc_world_destroy(world);
  return 0;
}
