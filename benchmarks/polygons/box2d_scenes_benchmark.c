/*
 * Large pyramid, many pyramids and tumbler of Box2D 3 (box2d_scenes.h) in floc: squares are grains of four corners,
 * the tumbler is a body that turns at its rate. box2d_scenes_peer.c is the same in Box2D.
 *
 *   box2d_scenes_benchmark SCENE [frames] [steps per frame] [tolerance] [sweeps] [rounding]
 *
 * A tolerance of 0 is the default one, about a tenth of what free fall meets; sweeps above 0 are a budget in
 * its place. Prints user CPU per frame, a mean
 * over all frames from the start, and the state at the end.
 */
#include "../usage.h"
#include "box2d_scenes.h"
#include "floc/floc.h"

static void require(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static void add_lines(floc_world *world, const box2d_scene *scene)
{
  floc_body_options motion;
  floc_body_options_init(&motion);
  if (scene->turning > 0.0) motion.motion = FLOC_MOTION_CONSTANT;
  motion.position[1] = scene->center_y;
  motion.angular_velocity[2] = scene->turning;
  int32_t body;
  require(world, floc_body_add(world, &motion, &body));
  floc_compound line;
  floc_compound_init(&line);
  line.kind = FLOC_COMPOUND_POLYLINE;
  line.point_count = 2;
  for (long k = 0; k < scene->lines; k++) {
    line.points = scene->line[k];
    require(world, floc_body_add_compound(world, body, &line));
  }
}

/* The radius is that of the circle about the rounded square: corners of radius r = rounding R stand back by
 * r (sqrt 2 - 1). */
static void add_squares(floc_world *world, const box2d_scene *scene, double rounding)
{
  floc_grain_shape_options shape;
  floc_grain_shape_options_init(&shape);
  shape.corner_count = 4;
  const double corners[] = {-1, -1, 1, -1, 1, 1, -1, 1};
  memcpy(shape.corners, corners, sizeof corners);
  shape.rounding = rounding;
  floc_particle_options square;
  floc_particle_options_init(&square);
  require(world, floc_grain_shape_add(world, &shape, &square.shape, NULL));
  square.radius = scene->half * sqrt(2.0) / (1.0 + rounding * (sqrt(2.0) - 1.0));
  square.mass = 4.0 * scene->half * scene->half;
  for (long k = 0; k < scene->count; k++) {
    square.position[0] = scene->at[k].x;
    square.position[1] = scene->at[k].y;
    require(world, floc_particle_add(world, &square, NULL));
  }
}

static floc_world *make_world(const box2d_scene *scene, int steps, double tolerance, int sweeps, double rounding)
{
  floc_world_options options;
  floc_world_options_init(&options);
  options.time_step = 1.0 / 60.0 / steps;
  options.gravity[1] = -10.0;
  options.threads = 1;
  floc_world *world;
  if (floc_world_create(&options, &world) != FLOC_OK) exit(1);
  floc_projection_options projection;
  floc_projection_options_init(&projection);
  projection.friction = 0.6;
  projection.tolerance = tolerance;
  projection.budget = sweeps;
  require(world, floc_world_set_projection(world, &projection));
  add_lines(world, scene);
  add_squares(world, scene, rounding);
  return world;
}

static void measure(floc_world *world, const box2d_scene *scene)
{
  static box2d_square now[BOX2D_MOST];
  static const char *const names[] = {"x", "y", "angle", "vx", "vy", "wz"};
  double *column[6];
  int64_t count;
  for (int c = 0; c < 6; c++) require(world, floc_column(world, names[c], &column[c], &count));
  for (int64_t k = 0; k < count; k++) {
    int64_t slot;
    require(world, floc_particle_slot(world, k + 1, &slot));
    now[k] = (box2d_square){column[0][slot], column[1][slot], column[2][slot],
                            column[3][slot], column[4][slot], column[5][slot]};
  }
  box2d_measure(scene, now);
}

int main(int argc, char **argv)
{
  box2d_scene *scene = box2d_scene_make(argc > 1 ? argv[1] : "large_pyramid");
  const int frames = argc > 2 ? atoi(argv[2]) : 200, steps = argc > 3 ? atoi(argv[3]) : 1;
  const double tolerance = argc > 4 ? atof(argv[4]) : 0.0, rounding = argc > 6 ? atof(argv[6]) : 0.02;
  const int sweeps = argc > 5 ? atoi(argv[5]) : 0;
  floc_world *world = make_world(scene, steps, tolerance, sweeps, rounding);
  const double before = user_seconds();
  for (int step = 0; step < frames * steps; step++) require(world, floc_world_step(world));
  printf("floc %s, %ld squares, %d frames of %d steps, tolerance %g, sweeps %d: %.2f ms user CPU a frame; ",
         argc > 1 ? argv[1] : "large_pyramid", scene->count, frames, steps, tolerance, sweeps,
         1e3 * (user_seconds() - before) / frames);
  measure(world, scene);
  floc_step_report report = {.struct_size = sizeof report};
  require(world, floc_world_get_report(world, &report));
  printf("%ld rows, %ld steps not solved, energy fall %.2f\n", (long)report.contacts,
         (long)report.unconverged_steps, report.energy_fall);
  floc_world_destroy(world);
  free(scene);
  return 0;
}
