/*
 * The promise of neighbors.h for particles and shapes: every shape, in every kind of motion.
 */
#include "scenes.h"

static const double unit_lower[3] = {0.0, 0.0, 0.0};

/* Shapes of every kind, scattered over a cube; planes only where asked for. */
static void add_random_shapes(scene *all, int32_t owner, int count, double side, bool planes)
{
  for (int k = 0; k < count; k++) {
    static const int32_t kinds[] = {FLOC_SHAPE_SPHERE, FLOC_SHAPE_SEGMENT, FLOC_SHAPE_HOLLOW, FLOC_SHAPE_TRIANGLE,
                                    FLOC_SHAPE_PLANE};
    floc_shape shape_given = {.kind = kinds[k % 5]};
    if (shape_given.kind == FLOC_SHAPE_TRIANGLE && all->dimension == 2) shape_given.kind = FLOC_SHAPE_SEGMENT;
    if (shape_given.kind == FLOC_SHAPE_PLANE && !planes) shape_given.kind = FLOC_SHAPE_SEGMENT;
    for (int p = 0; p < 3; p++)
      for (int a = 0; a < all->dimension; a++) shape_given.points[p][a] = draw(all, -0.5, 0.5) * side;
    bool ball = shape_given.kind == FLOC_SHAPE_SPHERE || shape_given.kind == FLOC_SHAPE_HOLLOW;
    shape_given.radius = ball ? draw(all, 0.02, 0.3) * side : k % 3 * 0.1;
    add_shape(all, owner, shape_given);
  }
}

typedef struct wall_run {
  int32_t dimension;
  int periodic_axes;
  double least, greatest; /* radii */
  bool planes;            /* some of the shapes; turning planes mean a new list at every step */
  double turning;         /* rad per step */
  double velocity;        /* per step */
} wall_run;

static void check_run(const wall_run *what, uint64_t seed)
{
  scene all;
  scene_init(&all, what->dimension, seed, 1);
  double side = what->dimension == 2 ? 12.0 : 6.0, upper[3] = {side, side, side};
  for (int a = 0; a < what->dimension; a++)
    if (what->periodic_axes >> a & 1) make_periodic(&all, a, 0.0, side);
  add_cloud(&all, 250, unit_lower, upper, what->least, what->greatest);
  for (int b = 0; b < 4; b++) {
    floc_body_options options = {.motion = b == 0 ? FLOC_MOTION_FIXED : FLOC_MOTION_CONSTANT};
    for (int a = 0; a < what->dimension; a++) {
      options.position[a] = draw(&all, 0.2, 0.8) * side;
      options.velocity[a] = draw(&all, -1.0, 1.0) * what->velocity;
    }
    for (int a = what->dimension == 2 ? 2 : 0; a < 3; a++)
      options.angular_velocity[a] = draw(&all, -1.0, 1.0) * what->turning;
    int32_t number = add_body(&all, options);
    add_random_shapes(&all, number, 5, side, what->planes);
  }
  int rebuilds = 0, steps = 60;
  int64_t needed = 0;
  for (int step = 0; step < steps; step++) {
    move_cloud(&all, 0.01, 0.05);
    assert_ok(&all.env, bodies_prepare(&all.obstacles, all.time, 1.0));
    rebuilds += update_scene(&all);
    needed += check_walls(&all);
    check_pairs(&all);
    bodies_commit(&all.obstacles, 1.0);
  }
  assert_true(needed > 10 * steps);
  if (!what->planes || what->turning == 0.0) assert_in_range(rebuilds, 2, steps * 2 / 3);
  scene_free(&all);
}

static void shapes_in_open_space(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    check_run(&(wall_run){dimension, 0, 0.2, 0.4, true, 0.0, 0.02}, 1);
    check_run(&(wall_run){dimension, 0, 0.2, 0.4, false, 0.003, 0.01}, 2);
    check_run(&(wall_run){dimension, 0, 0.2, 0.4, true, 0.003, 0.01}, 3);
    check_run(&(wall_run){dimension, 0, 0.02, 0.8, false, 0.003, 0.01}, 4);
  }
}

/* Particles that come back on the other side meet shapes there. */
static void shapes_in_periodic_boxes(void **state)
{
  (void)state;
  for (int axes = 1; axes < 4; axes++) check_run(&(wall_run){2, axes, 0.1, 0.4, true, 0.0, 0.02}, 5);
  for (int axes = 1; axes < 8; axes++) check_run(&(wall_run){3, axes, 0.1, 0.4, false, 0.003, 0.02}, 6);
}

static void a_particle_goes_through_the_face_to_a_shape(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    scene all;
    scene_init(&all, dimension, 7, 1);
    double upper[3] = {10.0, 10.0, 10.0}, place[3] = {9.0, 5.0, 5.0};
    for (int a = 0; a < dimension; a++) make_periodic(&all, a, 0.0, 10.0);
    add_cloud(&all, 50, unit_lower, upper, 0.1, 0.2);
    add_cloud(&all, 1, place, place, 0.1, 0.1);
    int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
    add_shape(
        &all, number,
        (floc_shape){.kind = FLOC_SHAPE_SPHERE, .points = {{1.0, 5.0, dimension == 2 ? 0.0 : 5.0}}, .radius = 0.5});
    int rebuilds = 0;
    int64_t needed = 0;
    for (int step = 0; step < 200; step++) {
      for (int64_t k = 0; k < 51; k++) all.reach[k] = 0.02;
      column(&all, 0)[50] = domain_wrap(&all.box, 0, 9.0 + 0.01 * step);
      rebuilds += update_scene(&all);
      needed += check_walls(&all);
    }
    assert_true(needed > 10);
    assert_in_range(rebuilds, 2, 60);
    scene_free(&all);
  }
}

/* Periodic boxes of one and two cells, with images on both sides. */
static void thin_boxes_with_shapes(void **state)
{
  (void)state;
  for (int k = 1; k <= 12; k++) {
    scene all;
    scene_init(&all, 2, (uint64_t)k, 1);
    double side = 0.3 * k, upper[3] = {side, side, 0.0};
    make_periodic(&all, 0, 0.0, side);
    make_periodic(&all, 1, 0.0, side);
    add_cloud(&all, 20, unit_lower, upper, 0.1, 0.3);
    int32_t number =
        add_body(&all, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .velocity = {0.01, 0.0, 0.0}});
    add_random_shapes(&all, number, 4, side, false);
    for (int step = 0; step < 40; step++) {
      move_cloud(&all, 0.01, 0.05);
      assert_ok(&all.env, bodies_prepare(&all.obstacles, all.time, 1.0));
      update_scene(&all);
      check_walls(&all);
      bodies_commit(&all.obstacles, 1.0);
    }
    scene_free(&all);
  }
}

/* Just below the upper face of a periodic box rounding may put a particle into a cell that does not exist. */
static void particles_just_below_the_upper_face(void **state)
{
  (void)state;
  for (int k = 0; k < 300; k++) {
    scene all;
    scene_init(&all, 2, (uint64_t)k, 1);
    double side = draw(&all, 3.0, 30.0), place[3] = {nextafter(side, 0.0), 1.0, 0.0};
    make_periodic(&all, 0, 0.0, side);
    add_cloud(&all, 1, place, place, 0.1 + 0.001 * k, 0.1 + 0.001 * k);
    assert_true(column(&all, 0)[0] == place[0]);
    int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
    add_shape(&all, number,
              (floc_shape){.kind = FLOC_SHAPE_SPHERE, .points = {{side - 0.6, 1.0, 0.0}}, .radius = 0.5});
    all.reach[0] = 0.1;
    update_scene(&all);
    assert_int_equal(check_walls(&all), 1);
    scene_free(&all);
  }
}

/* The surface counts, not the box around it: a long slanted segment, a large hollow sphere and a plane in a
 * cloud keep short lists. */
static void only_what_is_near_is_listed(void **state)
{
  (void)state;
  const struct {
    floc_shape given;
    int64_t most;
  } cases[] = {
      {{.kind = FLOC_SHAPE_SEGMENT, .points = {{0.0, 0.0, 0.0}, {100.0, 100.0, 0.0}}}, 900},
      {{.kind = FLOC_SHAPE_HOLLOW, .points = {{50.0, 50.0, 0.0}}, .radius = 60.0}, 2400},
      {{.kind = FLOC_SHAPE_PLANE, .points = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}}, 400},
  };
  for (int k = 0; k < 3; k++) {
    scene all;
    scene_init(&all, 2, 8, 1);
    double upper[3] = {100.0, 100.0, 0.0};
    add_cloud(&all, 10000, unit_lower, upper, 0.4, 0.5);
    int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
    add_shape(&all, number, cases[k].given);
    for (int64_t i = 0; i < 10000; i++) all.reach[i] = 0.05;
    update_scene(&all);
    int64_t needed = check_walls(&all);
    assert_in_range(neighbors_walls(all.near)->count, needed, cases[k].most);
    assert_true(needed > 20);
    scene_free(&all);
  }
}

/* A plane through space that is nearly empty, and clumps far apart: cells that are laid over each other. */
static void planes_in_vast_space(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 9, 1);
  for (int clump = 0; clump < 6; clump++) {
    double far = pow(10.0, clump * 2.0) - 1.0;
    double lower[3] = {far, -far, 0.0}, upper[3] = {far + 2.0, 2.0 - far, 0.0};
    add_cloud(&all, 30, lower, upper, 0.1, 0.2);
  }
  int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
  add_shape(&all, number, (floc_shape){.kind = FLOC_SHAPE_PLANE, .points = {{1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}}});
  add_shape(&all, number,
            (floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{0.0, 0.0, 0.0}, {1e10, -1e10, 0.0}}});
  int64_t needed = 0;
  for (int step = 0; step < 10; step++) {
    move_cloud(&all, 0.01, 0.05);
    update_scene(&all);
    needed += check_walls(&all);
  }
  assert_true(needed > 300);
  scene_free(&all);
}

static void bodies_that_start_to_move(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 10, 1);
  double upper[3] = {10.0, 10.0, 0.0};
  add_cloud(&all, 200, unit_lower, upper, 0.2, 0.3);
  int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED, .position = {5.0, 5.0, 0.0}});
  add_shape(&all, number, (floc_shape){.kind = FLOC_SHAPE_SEGMENT, .points = {{-4.0, 0.0, 0.0}, {4.0, 0.0, 0.0}}});
  for (int64_t k = 0; k < 200; k++) all.reach[k] = 0.02;
  int rebuilds = 0;
  int64_t needed = 0;
  for (int step = 0; step < 80; step++) {
    floc_body_options options = {.struct_size = sizeof options, .motion = FLOC_MOTION_CONSTANT};
    options.angular_velocity[2] = 0.01;
    if (step == 20) assert_ok(&all.env, bodies_set_motion(&all.obstacles, number, &options, step));
    options.motion = FLOC_MOTION_FIXED;
    if (step == 60) assert_ok(&all.env, bodies_set_motion(&all.obstacles, number, &options, step));
    assert_ok(&all.env, bodies_prepare(&all.obstacles, step, 1.0));
    rebuilds += update_scene(&all);
    needed += check_walls(&all);
    bodies_commit(&all.obstacles, 1.0);
  }
  assert_true(needed > 400);
  assert_in_range(rebuilds, 3, 40);
  scene_free(&all);
}

static void a_body_that_leaves_is_forgotten(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 13, 1);
  double upper[3] = {10.0, 10.0, 0.0};
  add_cloud(&all, 200, unit_lower, upper, 0.2, 0.3);
  floc_body_options options = {.motion = FLOC_MOTION_CONSTANT, .velocity = {3.0, 0.0, 0.0}};
  int32_t number = add_body(&all, options);
  add_shape(&all, number, (floc_shape){.kind = FLOC_SHAPE_SPHERE, .points = {{5.0, 5.0, 0.0}}, .radius = 1.0});
  update_scene(&all);
  assert_true(neighbors_walls(all.near)->count > 0);
  for (int step = 0; step < 30; step++) {
    assert_ok(&all.env, bodies_prepare(&all.obstacles, step, 1.0));
    update_scene(&all);
    check_walls(&all);
    bodies_commit(&all.obstacles, 1.0);
  }
  assert_int_equal(neighbors_walls(all.near)->count, 0);
  scene_free(&all);
}

/* Particles that are carried along together keep their pairs, but not their walls. */
static void a_crowd_is_carried_into_a_wall(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 14, 1);
  double upper[3] = {6.0, 6.0, 0.0};
  add_cloud(&all, 200, unit_lower, upper, 0.2, 0.3);
  int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
  add_shape(&all, number, (floc_shape){.kind = FLOC_SHAPE_PLANE, .points = {{9.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}}});
  int64_t needed = 0;
  for (int step = 0; step < 60; step++) {
    for (int64_t k = 0; k < 200; k++) {
      column(&all, 0)[k] += 0.1;
      all.reach[k] = 0.15;
    }
    update_scene(&all);
    needed += check_walls(&all);
    check_pairs(&all);
  }
  assert_true(needed > 500);
  scene_free(&all);
}

static void shapes_that_are_added_are_found(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 2, 11, 1);
  double upper[3] = {10.0, 10.0, 0.0};
  add_cloud(&all, 200, unit_lower, upper, 0.2, 0.3);
  int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_FIXED});
  update_scene(&all);
  assert_int_equal(neighbors_walls(all.near)->count, 0);
  for (int k = 0; k < 5; k++) {
    add_random_shapes(&all, number, 1, 10.0, false);
    assert_true(update_scene(&all));
    check_walls(&all);
    assert_false(update_scene(&all));
  }
  scene_free(&all);
}

static void walls_without_particles(void **state)
{
  (void)state;
  scene all;
  scene_init(&all, 3, 12, 1);
  int32_t number = add_body(&all, (floc_body_options){.motion = FLOC_MOTION_CONSTANT, .velocity = {1.0, 0.0, 0.0}});
  add_random_shapes(&all, number, 10, 10.0, true);
  for (int step = 0; step < 3; step++) {
    assert_ok(&all.env, bodies_prepare(&all.obstacles, step, 1.0));
    update_scene(&all);
    assert_int_equal(neighbors_walls(all.near)->count, 0);
    bodies_commit(&all.obstacles, 1.0);
  }
  bool rebuilt;
  assert_ok(&all.env, neighbors_update(all.near, &all.table, NULL, &all.box, all.reach, 0.0, &rebuilt));
  scene_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_in_open_space),
      cmocka_unit_test(shapes_in_periodic_boxes),
      cmocka_unit_test(a_particle_goes_through_the_face_to_a_shape),
      cmocka_unit_test(thin_boxes_with_shapes),
      cmocka_unit_test(particles_just_below_the_upper_face),
      cmocka_unit_test(only_what_is_near_is_listed),
      cmocka_unit_test(planes_in_vast_space),
      cmocka_unit_test(bodies_that_start_to_move),
      cmocka_unit_test(a_body_that_leaves_is_forgotten),
      cmocka_unit_test(a_crowd_is_carried_into_a_wall),
      cmocka_unit_test(shapes_that_are_added_are_found),
      cmocka_unit_test(walls_without_particles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
