/*
 * Starts of the scenes that are run in several codes, made by floc and written as states (state_file.h).
 *
 *   write_scene tile STATE nx ny nz FILE     copies of a periodic state, side by side
 *   write_scene funnel COUNT TIME FILE       the sedimentation at TIME seconds, by the velocity projection
 *   write_scene funnel_bodies FILE           its bodies as lines: "segment x0 y0 x1 y1", "disc x y radius",
 *                                            "wheel x y radius paddles speed"
 *   write_scene ball COUNT FILE              equal spheres at random in the ball of radius 1, volume fraction 0.25
 */
#include "funnel_scene.h"

#include <math.h>

static void tile(const char *from, const int copies[3], const char *to)
{
  FILE *file = must_open(from, "r"), *out = must_open(to, "w");
  state_header head = read_state_header(file), whole = head;
  double *rows = malloc((size_t)head.count * STATE_COLUMNS * sizeof *rows), length[3];
  if (!rows) exit(1);
  for (long k = 0; k < head.count; k++)
    if (!read_state_row(file, rows + k * STATE_COLUMNS)) exit(1);
  for (int axis = 0; axis < 3; axis++) {
    length[axis] = head.upper[axis] - head.lower[axis];
    whole.upper[axis] = head.lower[axis] + copies[axis] * length[axis];
  }
  whole.count = head.count * copies[0] * copies[1] * copies[2];
  write_state_header(out, &whole);
  for (long copy = 0; copy < whole.count / head.count; copy++)
    for (long k = 0; k < head.count; k++) {
      double row[STATE_COLUMNS];
      memcpy(row, rows + k * STATE_COLUMNS, sizeof row);
      row[0] += length[0] * (double)(copy / (copies[1] * copies[2]));
      row[1] += length[1] * (double)(copy / copies[2] % copies[1]);
      row[2] += length[2] * (double)(copy % copies[2]);
      write_state_row(out, row);
    }
  free(rows);
  fclose(file);
  if (fclose(out) != 0) exit(1);
}

static floc_world *create(floc_world_options *options)
{
  floc_world *world;
  options->threads = 1;
  if (floc_world_create(options, &world) == FLOC_OK) return world;
  fprintf(stderr, "%s\n", options->message);
  exit(1);
}

static void make_funnel(long count, double time, const char *path)
{
  floc_world_options options;
  floc_insertion_options grains;
  floc_world_options_init(&options);
  floc_insertion_options_init(&grains);
  options.time_step = 1e-3;
  options.gravity[1] = -10.0;
  floc_world *world = create(&options);
  add_funnel_bodies(world, 0.0);
  grains.count = count;
  grains.radius_lower = 0.015;
  grains.radius_upper = 0.025;
  grains.mass = 2.0;
  grains.region_lower[0] = -1.58;
  grains.region_lower[1] = 1.65;
  grains.region_upper[0] = 1.58;
  grains.region_upper[1] = 4.65;
  must_succeed(world, floc_particles_insert(world, &grains, NULL));
  for (long step = 0; step < lround(time / options.time_step); step++) must_succeed(world, floc_world_step(world));
  write_state(path, (state_header){.dimension = 2, .time = time}, world);
  floc_world_destroy(world);
}

static void write_funnel_bodies(const char *path)
{
  FILE *file = must_open(path, "w");
  for (int k = 0; k < FUNNEL_SEGMENTS; k++)
    fprintf(file, "segment %.17g %.17g %.17g %.17g\n", FUNNEL_SEGMENT[k][0], FUNNEL_SEGMENT[k][1],
            FUNNEL_SEGMENT[k][2], FUNNEL_SEGMENT[k][3]);
  for (int k = 0; k < FUNNEL_DISCS; k++)
    fprintf(file, "disc %.17g %.17g %.17g\n", FUNNEL_DISC_X[k], funnel_disc_y(FUNNEL_DISC_X[k]),
            FUNNEL_DISC_RADIUS);
  fprintf(file, "wheel %.17g %.17g %.17g %d %.17g\n", WHEEL_CENTER[0], WHEEL_CENTER[1], WHEEL_RADIUS, WHEEL_PADDLES,
          WHEEL_SPEED);
  if (fclose(file) != 0) exit(1);
}

static void make_ball(long count, const char *path)
{
  floc_world_options options;
  floc_insertion_options spheres;
  floc_world_options_init(&options);
  floc_insertion_options_init(&spheres);
  options.dimension = 3;
  options.time_step = 1.0;
  floc_world *world = create(&options);
  spheres.count = count;
  spheres.region_kind = FLOC_REGION_BALL;
  spheres.region_radius = 1.0;
  spheres.radius_lower = 0.05 * cbrt(2000.0 / (double)count);
  must_succeed(world, floc_particles_insert(world, &spheres, NULL));
  write_state(path, (state_header){.dimension = 3}, world);
  floc_world_destroy(world);
}

int main(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "tile") == 0 && argc == 7)
    tile(argv[2], (int[3]){atoi(argv[3]), atoi(argv[4]), atoi(argv[5])}, argv[6]);
  else if (strcmp(what, "funnel") == 0 && argc == 5)
    make_funnel(atol(argv[2]), atof(argv[3]), argv[4]);
  else if (strcmp(what, "funnel_bodies") == 0 && argc == 3)
    write_funnel_bodies(argv[2]);
  else if (strcmp(what, "ball") == 0 && argc == 4)
    make_ball(atol(argv[2]), argv[3]);
  else
    return fprintf(stderr, "write_scene tile|funnel|funnel_bodies|ball ...: see the head of write_scene.c\n"), 2;
  return 0;
}
