/*
 * A crowd of equal spheres falls into a box and settles: how much memory the engine takes at its worst moment, from
 * the filling on, and how far neighbour lists grow while everything moves.
 *
 *   falling_benchmark [particles=80000] [scheme=projection|soft] [steps=200] [fill=random|lattice] [layers=40]
 *                     [time_step=] [threads=1] [every=10] [limit=MB]
 *
 * The box is as deep as `layers` layers of spheres at rest, and the crowd begins to fall at a volume fraction of
 * about 0.3 from one diameter above the floor. Radius 1, gravity 1, mass 1, so times are in units of
 * sqrt(radius/gravity). The projection is without friction; soft spheres have Hooke's springs, as stiff as makes
 * the lowest layer overlap by a hundredth of the radius when all are at rest, and damping.
 *
 * Prints a line for each `every` steps: the engine's memory, counted by an allocator, now and at most since the
 * last line, and the process's, all in bytes per particle; entries of the lists per particle, speed, overlap.
 * limit: ends with status 2 where the engine has taken more than that.
 */
#include "../state_file.h"
#include "../usage.h"
#include "floc/floc.h"

#include <math.h>
#include <stdlib.h>

typedef struct counted_memory {
  size_t now, peak, greatest, limit;
} counted_memory;

static void *count_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counted_memory *memory = context;
  if (new_size == 0) {
    free(pointer);
    memory->now -= old_size;
    return NULL;
  }
  if (memory->now - old_size + new_size > memory->limit) return NULL;
  /* while a block moves both may be there */
  size_t both = memory->now + (pointer && new_size > old_size ? new_size : 0);
  void *moved = realloc(pointer, new_size);
  if (!moved) return NULL;
  memory->now += new_size - old_size;
  size_t most = both > memory->now ? both : memory->now;
  if (most > memory->peak) memory->peak = most;
  if (most > memory->greatest) memory->greatest = most;
  return moved;
}

/* Side of the square floor on which `layers` layers of spheres of radius 1 stand when packed at 0.6. */
static double box_side(double count, double layers)
{
  const double volume = 4.0 / 3.0 * 3.14159265358979323846 / 0.6;
  return fmax(8.0, sqrt(count * volume / (2.0 * layers)));
}

static void add_box(floc_world *world, double side, double height)
{
  int32_t body;
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  must_succeed(world, floc_body_add(world, &fixed, &body));
  floc_compound box;
  floc_compound_init(&box);
  box.kind = FLOC_COMPOUND_CONTAINER;
  box.width = box.depth = side;
  box.height = height;
  must_succeed(world, floc_body_add_compound(world, body, &box));
}

static void fill(floc_world *world, long count, double side, double height, bool lattice)
{
  floc_insertion_options insertion;
  floc_insertion_options_init(&insertion);
  insertion.count = count;
  insertion.radius_lower = 1.0;
  insertion.velocity_spread = 0.1;
  insertion.region_lower[0] = insertion.region_lower[2] = -0.5 * side;
  insertion.region_upper[0] = insertion.region_upper[2] = 0.5 * side;
  insertion.region_lower[1] = 2.0;
  insertion.region_upper[1] = height;
  if (lattice) {
    insertion.placement = FLOC_PLACEMENT_LATTICE;
    insertion.spacing = 2.2;
  }
  must_succeed(world, floc_particles_insert(world, &insertion, NULL));
}

static void set_scheme(floc_world *world, bool soft, double layers)
{
  if (!soft) {
    floc_projection_options hard;
    floc_projection_options_init(&hard);
    hard.tolerance = 1e-2;
    must_succeed(world, floc_world_set_projection(world, &hard));
    return;
  }
  floc_discrete_element_options springs;
  floc_discrete_element_options_init(&springs);
  springs.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  springs.stiffness = 100.0 * layers;
  springs.damping = 0.7 * sqrt(springs.stiffness);
  springs.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  must_succeed(world, floc_world_set_discrete_element(world, &springs));
}

static void print_line(floc_world *world, long step, long count, counted_memory *memory)
{
  floc_step_report report = {.struct_size = sizeof report};
  floc_world_get_report(world, &report);
  double speed = 0.0, n = (double)count;
  floc_measure(world, "greatest_speed", &speed);
  printf("%5ld %8.0f %8.0f %8.0f %9.2f %6lld %7.2f %7.2f %9.2e %6lld %8.3f %8.1f\n", step, (double)memory->now / n,
         (double)memory->peak / n, 1024.0 * (double)peak_kilobytes() / n, (double)report.list_entries / n,
         (long long)report.lists, (double)report.contacts / n, speed, report.kinetic_energy / n,
         (long long)report.iterations, report.overlap, user_seconds());
  fflush(stdout);
  memory->peak = memory->now;
}

int main(int argc, char **argv)
{
  long count = (long)number_option(argc, argv, "particles", 80000),
       steps = (long)number_option(argc, argv, "steps", 200), every = (long)number_option(argc, argv, "every", 10);
  double layers = number_option(argc, argv, "layers", 40.0);
  bool soft = strcmp(text_option(argc, argv, "scheme", "projection"), "soft") == 0;
  bool lattice = strcmp(text_option(argc, argv, "fill", "random"), "lattice") == 0;
  counted_memory memory = {.limit = (size_t)(1e6 * number_option(argc, argv, "limit", 1e6))};
  floc_world_options options;
  floc_world_options_init(&options);
  options.dimension = 3;
  options.gravity[1] = -1.0;
  options.threads = (int)number_option(argc, argv, "threads", 1);
  /* soft: a twentieth of the time of a contact, pi sqrt(m/(2 k)) */
  options.time_step = number_option(argc, argv, "time_step", soft ? 0.05 * 2.22 / sqrt(100.0 * layers) : 0.1);
  options.allocate = count_allocate;
  options.allocate_context = &memory;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) return 1;
  double side = box_side((double)count, layers), height = 2.0 + 2.0 * 2.0 * layers;
  add_box(world, side, 1.5 * height);
  fill(world, count, side, height, lattice);
  set_scheme(world, soft, layers);
  printf("%ld spheres, %s, side %.1f, filled to %.1f, step %g; bytes per particle\n", count,
         soft ? "soft" : "projection", side, height, options.time_step);
  printf(" step      now     peak  process   entries  lists contacts  speed    energy products overlap      CPU\n");
  print_line(world, 0, count, &memory);
  for (long k = 1; k <= steps; k++) {
    must_succeed(world, floc_world_step(world));
    if (k % every == 0 || k == steps) print_line(world, k, count, &memory);
  }
  printf("greatest %.0f bytes per particle, process %.0f\n", (double)memory.greatest / (double)count,
         1024.0 * (double)peak_kilobytes() / (double)count);
  floc_world_destroy(world);
  return memory.now == 0 ? 0 : 1;
}
