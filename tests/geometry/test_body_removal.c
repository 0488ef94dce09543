/*
 * Bodies that are removed: what rests on them falls, what the others' contacts remember stays with them, a resume
 * has the bits of the run that was not stopped, and a world from which one was removed is the world that never had
 * it. Numbers are never given again, and a file that is refused gives the bodies back.
 */
#include "support_world.h"

#include "files/checkpoint/checkpoint.h"

#include <stdio.h>
#include <unistd.h>

static char path[64], lacking[64];

/* ---- scenes ---- */

static int32_t add_shape(floc_world *world, const char *name, int32_t kind, const double points[3][3],
                         const double *parameters, double radius)
{
  floc_body_options fixed;
  floc_body_options_init(&fixed);
  fixed.name = name;
  int32_t number = -1;
  assert_world_ok(world, floc_body_add(world, &fixed, &number));
  floc_shape shape;
  floc_shape_init(&shape);
  shape.kind = kind;
  memcpy(shape.points, points, sizeof shape.points);
  if (parameters) memcpy(shape.parameters, parameters, 2 * sizeof *parameters);
  shape.radius = radius;
  assert_world_ok(world, floc_body_add_shape(world, number, &shape));
  return number;
}

static void set_elements(floc_world *world, int32_t integrator)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.integrator = integrator;
  options.stiffness = 1e4;
  options.damping = 3.0;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 3e3;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
}

static void set_projection(floc_world *world, bool gluey, double friction)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.contact_law = gluey ? FLOC_CONTACT_GLUEY : FLOC_CONTACT_INELASTIC;
  if (gluey) options.gamma_min = -0.5;
  options.friction = friction;
  assert_world_ok(world, floc_world_set_projection(world, &options));
}

/* A shelf (body 0) over a floor (body 1), and a slope that moves (body 2); discs on all. */
static floc_world *make_flat(int which, int32_t threads)
{
  floc_world *world = make_world(2, which == 0 ? 5e-4 : 0.004, -10.0, threads);
  if (which == 0) set_elements(world, FLOC_INTEGRATOR_TRAPEZOIDAL);
  if (which > 0) set_projection(world, which == 1, which == 2 ? 0.4 : 0.0);
  add_segment(world, NULL, 0.0, 1.0, 1.0, 1.0);
  add_segment(world, NULL, -1.0, 0.0, 3.0, 0.0);
  floc_body_options moving;
  floc_body_options_init(&moving);
  moving.motion = FLOC_MOTION_CONSTANT;
  moving.velocity[0] = 0.2;
  moving.name = "slope";
  add_segment(world, &moving, 1.2, 0.4, 2.0, 0.1);
  for (int k = 0; k < 60; k++)
    add_particle(world, 0.055 + 0.1 * (k % 20) + 0.003 * (k % 7), (k % 20 < 10 ? 1.05 : 0.55) + 0.1 * (k / 20),
                 0.1 * (k % 5), 0.0, 0.04 + 0.001 * (k % 6));
  return world;
}

/* A torus (body 0, a shape by its distance), a plane (body 1), and a second torus (body 2); spheres. */
static floc_world *make_solid(int32_t threads)
{
  floc_world *world = make_world(3, 0.004, -10.0, threads);
  set_projection(world, false, 0.3);
  const double upright[3][3] = {{0.5, 1.0, 0.5}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
  const double beside[3][3] = {{1.4, 0.6, 0.5}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
  const double ground[3][3] = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const double ring[2] = {0.3, 0.1}, other[2] = {0.2, 0.1};
  add_shape(world, "ring", FLOC_SHAPE_TORUS, upright, ring, 0.0);
  add_shape(world, NULL, FLOC_SHAPE_PLANE, ground, NULL, 0.0);
  add_shape(world, NULL, FLOC_SHAPE_TORUS, beside, other, 0.0);
  for (int k = 0; k < 90; k++) {
    floc_particle_options ball;
    floc_particle_options_init(&ball);
    ball.position[0] = 0.1 + 0.2 * (k % 9) + 0.003 * (k % 7);
    ball.position[1] = 1.3 + 0.2 * (k / 45);
    ball.position[2] = 0.1 + 0.2 * (k / 9 % 5);
    ball.radius = 0.07;
    assert_world_ok(world, floc_particle_add(world, &ball, NULL));
  }
  return world;
}

enum { SCENES = 4 };

static floc_world *make_scene(int which, int32_t threads)
{
  floc_world *world = which < 3 ? make_flat(which, threads) : make_solid(threads);
  assert_world_ok(world, floc_shape_attribute_add(world, "wear", 0.0));
  for (int32_t body = 0; body < 3; body++)
    assert_world_ok(world, floc_shape_attribute_set(world, body, -1, "wear", 1.0 + body));
  return world;
}

static int steps_of(int which)
{
  return which == 0 ? 600 : 60;
}

/* ---- a run ---- */

/* resumes: 0 never, 1 right after the removal, 2 some steps later. */
static uint64_t course(int which, int32_t threads, int resumes)
{
  floc_world *world = make_scene(which, threads);
  run_steps(world, steps_of(which));
  assert_world_ok(world, floc_body_remove(world, 0));
  for (int k = 1; k <= 2; k++) {
    if (resumes == k) {
      assert_world_ok(world, floc_world_save(world, path, 1));
      const uint64_t before = world_hash(world);
      floc_world_destroy(world);
      world = make_scene(which, threads);
      assert_world_ok(world, floc_world_load(world, path));
      assert_int_equal(world_hash(world), before);
      assert_int_equal(floc_body_remove(world, 0), FLOC_NOT_FOUND);
    }
    run_steps(world, steps_of(which) / 2);
  }
  for (int32_t body = 1; body < 3; body++) {
    double wear;
    assert_world_ok(world, floc_shape_attribute_get(world, body, 0, "wear", &wear));
    assert_true(wear == 1.0 + body);
  }
  const uint64_t hash = world_hash(world);
  floc_world_destroy(world);
  return hash;
}

static void runs_continue(void **state)
{
  (void)state;
  for (int which = 0; which < SCENES; which++) {
    const uint64_t plain = course(which, 1, 0);
    if (course(which, 3, 0) != plain) fail_msg("scene %d: threads", which);
    if (course(which, 1, 1) != plain) fail_msg("scene %d: resumed at the removal", which);
    if (course(which, 3, 2) != plain) fail_msg("scene %d: resumed later", which);
  }
}

/* ---- as if it had never been there ---- */

static void compare(floc_world *one, floc_world *other)
{
  static const char *const names[] = {"x", "y", "vx", "vy"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    int64_t count;
    assert_world_ok(one, floc_particle_ids(one, NULL, NULL, &count));
    for (int64_t id = 1; id <= count; id++) {
      const double a = column_value(one, names[n], id), b = column_value(other, names[n], id);
      if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s of particle %d: %.17g and %.17g", names[n], (int)id, a, b);
    }
  }
}

/* Body 0 is out of everybody's way and goes in the middle of the run: springs and gammas of contacts with the
 * floor, whose shape gets another place, stay with them. */
static void others_remember(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < 3; scheme++) {
    floc_world *world[2];
    for (int k = 0; k < 2; k++) {
      world[k] = make_world(2, scheme == 0 ? 5e-4 : 0.004, -10.0, 1);
      if (scheme == 0) set_elements(world[k], FLOC_INTEGRATOR_TRAPEZOIDAL);
      if (scheme > 0) set_projection(world[k], scheme == 1, scheme == 2 ? 0.4 : 0.0);
      if (k == 0) add_segment(world[k], NULL, 0.0, -2.0, 1.0, -2.0);
      add_segment(world[k], NULL, -5.0, 0.0, 5.0, 0.0);
      for (int i = 0; i < 20; i++)
        add_particle(world[k], 0.11 * (i % 10) + 0.02 * (i / 10), 0.05 + 0.1 * (i / 10), 0.3, 0.0, 0.05);
      run_steps(world[k], steps_of(scheme));
      if (k == 0) assert_world_ok(world[k], floc_body_remove(world[k], 0));
      run_steps(world[k], steps_of(scheme));
    }
    compare(world[0], world[1]);
    floc_world_destroy(world[0]);
    floc_world_destroy(world[1]);
  }
}

static void start_is_as_without(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < 3; scheme++) {
    floc_world *world[2];
    for (int k = 0; k < 2; k++) {
      world[k] = make_world(2, scheme == 0 ? 5e-4 : 0.004, -10.0, 1);
      if (scheme == 0) set_elements(world[k], FLOC_INTEGRATOR_TRAPEZOIDAL);
      if (scheme > 0) set_projection(world[k], scheme == 1, scheme == 2 ? 0.4 : 0.0);
      if (k == 0) add_segment(world[k], NULL, 0.0, 0.2, 1.0, 0.2);
      add_segment(world[k], NULL, -5.0, 0.0, 5.0, 0.0);
      for (int i = 0; i < 20; i++)
        add_particle(world[k], 0.11 * (i % 10) + 0.02 * (i / 10), 0.35 + 0.1 * (i / 10), 0.3, 0.0, 0.05);
      if (k == 0) assert_world_ok(world[k], floc_body_remove(world[k], 0));
      run_steps(world[k], steps_of(scheme));
    }
    compare(world[0], world[1]);
    floc_world_destroy(world[0]);
    floc_world_destroy(world[1]);
  }
}

/* A disc at rest on a shelf falls freely from the step after the removal on, in the steps of each scheme: the
 * projection moves it by h v of the end of the step, velocity Verlet exactly. */
static void what_rested_falls(void **state)
{
  (void)state;
  for (int scheme = 0; scheme < 3; scheme++) {
    const double h = scheme < 2 ? 5e-4 : 0.004;
    const int steps = 40;
    floc_world *world = make_world(2, h, -10.0, 1);
    if (scheme < 2)
      set_elements(world, scheme == 0 ? FLOC_INTEGRATOR_TRAPEZOIDAL : FLOC_INTEGRATOR_VELOCITY_VERLET);
    if (scheme == 2) set_projection(world, false, 0.0);
    add_segment(world, NULL, -1.0, 0.0, 1.0, 0.0);
    add_particle(world, 0.0, 0.05, 0.0, 0.0, 0.05);
    run_steps(world, scheme < 2 ? 4000 : 100);
    const double y = column_value(world, "y", 1), v = column_value(world, "vy", 1), t = steps * h;
    int64_t contacts = 0;
    assert_world_ok(world, floc_world_get_contacts(world, NULL, 0, &contacts));
    assert_int_equal(contacts, 1);
    assert_world_ok(world, floc_body_remove(world, 0));
    assert_world_ok(world, floc_world_get_contacts(world, NULL, 0, &contacts));
    assert_int_equal(contacts, 0);
    run_steps(world, steps);
    const double way = scheme < 2 ? 5.0 * t * t : 5.0 * t * (t + h);
    assert_close(column_value(world, "vy", 1), v - 10.0 * t, 1e-13);
    assert_close(column_value(world, "y", 1), y + v * t - way, 1e-13);
    floc_world_destroy(world);
  }
}

/* ---- what refers to shapes ---- */

/* Rays that have been reflected by the floor, and are near it, when the body before it goes; a file knows shapes by
 * their places. */
static void rays_do_not_meet_the_floor_again(void **state)
{
  (void)state;
  floc_ray_report report[2];
  for (int k = 0; k < 2; k++) {
    floc_world *world = make_world(3, 1e-3, 0.0, 1);
    set_elements(world, FLOC_INTEGRATOR_TRAPEZOIDAL);
    const double ground[3][3] = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, far[3][3] = {{9.0, 9.0, 9.0}};
    floc_media media;
    floc_media_init(&media);
    media.sound_speed[0] = 1.0;
    assert_world_ok(world, floc_world_set_media(world, &media));
    floc_ray_source_options source;
    floc_ray_source_options_init(&source);
    source.rays = 7;
    source.direction[0] = 0.0;
    source.direction[1] = -1.0;
    source.radius = 0.5;
    source.distance = 0.05;
    source.in_flight = true;
    if (k == 0) add_shape(world, NULL, FLOC_SHAPE_SPHERE, far, NULL, 0.1);
    add_shape(world, NULL, FLOC_SHAPE_PLANE, ground, NULL, 0.0);
    add_particle(world, 0.0, 3.0, 0.0, 0.0, 0.05);
    int32_t number;
    assert_world_ok(world, floc_ray_source_add(world, &source, &number));
    run_steps(world, 51);
    if (k == 0) assert_world_ok(world, floc_body_remove(world, 0));
    assert_world_ok(world, floc_world_save(world, path, 1));
    assert_world_ok(world, floc_world_load(world, path));
    run_steps(world, 20);
    report[k] = (floc_ray_report){.struct_size = sizeof report[k]};
    assert_world_ok(world, floc_world_get_ray_report(world, number, &report[k]));
    floc_world_destroy(world);
  }
  assert_int_equal(report[1].body_reflections, 7);
  assert_int_equal(report[0].body_reflections, 7);
}

/* ---- numbers ---- */

static void numbers_are_not_given_again(void **state)
{
  (void)state;
  floc_world *world = make_scene(1, 1);
  floc_body_state read = {.struct_size = sizeof read};
  floc_body_options options;
  floc_body_options_init(&options);
  floc_shape shape;
  floc_shape_init(&shape);
  double wear;
  run_steps(world, 7);
  assert_world_ok(world, floc_body_remove(world, 2));
  assert_int_equal(floc_body_remove(world, 2), FLOC_NOT_FOUND);
  assert_string_equal(floc_world_message(world), "body 2 slope was removed after step 7");
  assert_int_equal(floc_body_get_state(world, 2, &read), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_get_shape(world, 2, 0, &shape), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_set_motion(world, 2, &options), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_set_material(world, 2, -1, 1), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_add_shape(world, 2, &shape), FLOC_NOT_FOUND);
  assert_int_equal(floc_shape_attribute_get(world, 2, 0, "wear", &wear), FLOC_NOT_FOUND);
  assert_int_equal(floc_shape_attribute_set(world, 2, -1, "wear", 1.0), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_remove(world, 3), FLOC_NOT_FOUND);
  assert_int_equal(floc_body_remove(world, -1), FLOC_NOT_FOUND);
  assert_int_equal(add_segment(world, NULL, 0.0, -1.0, 1.0, -1.0), 3);
  floc_world_info info = {.struct_size = sizeof info};
  assert_world_ok(world, floc_world_get_info(world, &info));
  assert_int_equal(info.body_count, 4);
  run_steps(world, 7);
  floc_world_destroy(world);
}

/* A scheme that knows no bodies takes a world whose bodies are gone; walls of a domain stay. */
static void schemes_without_bodies(void **state)
{
  (void)state;
  floc_world *world = make_world(2, 0.01, 0.0, 1);
  floc_ballistic_options options;
  floc_ballistic_options_init(&options);
  add_segment(world, NULL, 0.0, 0.0, 1.0, 0.0);
  assert_int_equal(floc_world_set_ballistic(world, &options), FLOC_NOT_SUPPORTED);
  assert_world_ok(world, floc_body_remove(world, 0));
  assert_world_ok(world, floc_world_set_ballistic(world, &options));
  floc_world_destroy(world);
  floc_world_options walls;
  floc_world_options_init(&walls);
  walls.dimension = 2;
  walls.time_step = 0.01;
  for (int axis = 0; axis < 2; axis++) {
    walls.boundary[axis] = FLOC_BOUNDARY_WALL;
    walls.domain_upper[axis] = 1.0;
  }
  assert_int_equal(floc_world_create(&walls, &world), FLOC_OK);
  assert_int_equal(floc_body_remove(world, 0), FLOC_NOT_SUPPORTED);
  assert_string_equal(floc_world_message(world), "body 0 is the walls of the domain, which cannot be removed");
  floc_world_destroy(world);
}

/* ---- files ---- */

static void write_without(const section_list *all, int32_t left_out)
{
  environment env = test_environment(1);
  section_list list;
  section_list_init(&list, &env);
  for (int32_t k = 0; k < all->count; k++) {
    const section *part = &all->item[k];
    if (k != left_out)
      assert_ok(&env, section_list_add(&list, part->name, part->type, part->rows, part->columns, part->data,
                                       part->is_state));
  }
  assert_ok(&env, checkpoint_write_plain(&env, file_layer_system(), lacking, 1, &list));
  section_list_free(&list);
}

/* A file in which body 0 is gone, without one section, each in turn: the world that refuses it still has the body,
 * and continues as its twin. */
static void refused_files_give_bodies_back(void **state)
{
  (void)state;
  for (int which = 0; which < SCENES; which += 3) {
    floc_world *source = make_scene(which, 1);
    run_steps(source, 20);
    assert_world_ok(source, floc_body_remove(source, 0));
    run_steps(source, 20);
    assert_world_ok(source, floc_world_save(source, path, 1));
    floc_world_destroy(source);
    environment env = test_environment(1);
    checkpoint *file;
    assert_ok(&env, checkpoint_open(&env, file_layer_system(), path, &file));
    const section_list *list = checkpoint_sections(file);
    floc_world *world = make_scene(which, 1), *twin = make_scene(which, 1);
    run_steps(world, 30);
    run_steps(twin, 30);
    const uint64_t before = world_hash(world);
    int refused = 0;
    for (int32_t k = 0; k < list->count; k++) {
      write_without(list, k);
      if (floc_world_load(world, lacking) == FLOC_OK) {
        floc_world_destroy(world);
        world = make_scene(which, 1);
        run_steps(world, 30);
      } else {
        refused++;
      }
      if (world_hash(world) != before) fail_msg("scene %d, without %s", which, list->item[k].name);
    }
    assert_true(refused > 10);
    run_steps(world, 30);
    run_steps(twin, 30);
    assert_int_equal(world_hash(world), world_hash(twin));
    assert_world_ok(world, floc_body_remove(world, 1));
    assert_int_equal(floc_world_load(world, path), FLOC_STRUCTURE_MISMATCH);
    assert_non_null(
        strstr(floc_world_message(world), "body 1 is in the checkpoint; here it was removed after step 60"));
    floc_world_destroy(world);
    floc_world_destroy(twin);
    checkpoint_close(file);
  }
}

/* A world that is made from the file alone knows that it was removed. */
static void files_can_be_looked_at(void **state)
{
  (void)state;
  for (int which = 0; which < SCENES; which += 3) {
    floc_world *world = make_scene(which, 1), *seen = NULL;
    run_steps(world, 20);
    assert_world_ok(world, floc_body_remove(world, 1));
    assert_world_ok(world, floc_body_remove(world, 0));
    run_steps(world, 5);
    assert_world_ok(world, floc_world_save(world, path, 1));
    char message[512] = "";
    floc_file *file = NULL;
    if (floc_file_open(path, &file, message, sizeof message) != FLOC_OK) fail_msg("%s", message);
    if (floc_file_world(file, &seen, message, sizeof message) != FLOC_OK) fail_msg("%s", message);
    floc_body_state read = {.struct_size = sizeof read};
    assert_world_ok(seen, floc_body_get_state(seen, 2, &read));
    assert_int_equal(read.shape_count, 1);
    floc_shape shown[2];
    for (int k = 0; k < 2; k++) {
      floc_shape_init(&shown[k]);
      assert_world_ok(k == 0 ? world : seen, floc_body_get_shape(k == 0 ? world : seen, 2, 0, &shown[k]));
    }
    assert_memory_equal(&shown[0], &shown[1], sizeof shown[0]);
    if (which == 3) assert_true(shown[1].parameters[0] == 0.2);
    assert_int_equal(floc_body_get_state(seen, 1, &read), FLOC_NOT_FOUND);
    assert_non_null(strstr(floc_world_message(seen), "was removed after step 20"));
    floc_world_destroy(seen);
    floc_file_close(file);
    floc_world_destroy(world);
  }
}

int main(void)
{
  snprintf(path, sizeof path, "/tmp/floc-body-removal-%d.floc", (int)getpid());
  snprintf(lacking, sizeof lacking, "/tmp/floc-body-removal-%d-lacking.floc", (int)getpid());
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_continue),
                                     cmocka_unit_test(others_remember),
                                     cmocka_unit_test(start_is_as_without),
                                     cmocka_unit_test(what_rested_falls),
                                     cmocka_unit_test(rays_do_not_meet_the_floor_again),
                                     cmocka_unit_test(numbers_are_not_given_again),
                                     cmocka_unit_test(schemes_without_bodies),
                                     cmocka_unit_test(refused_files_give_bodies_back),
                                     cmocka_unit_test(files_can_be_looked_at)};
  const int result = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  remove(lacking);
  return result;
}
