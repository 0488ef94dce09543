/*
 * Windows of scenes, the camera, and the border that refuses wrong scenes.
 */
#include "images.h"

#include "view.h"

#include <math.h>

enum { MANY = 2000 };
static char message[512];
static const picture_report report = {message, sizeof message};
static double xs[MANY], ys[MANY], zs[MANY], radii[MANY];

static picture_scene scene_of(int32_t dimension, int64_t count)
{
  picture_scene scene;
  picture_scene_init(&scene);
  scene.dimension = dimension;
  scene.particle_count = count;
  scene.x = xs;
  scene.y = ys;
  scene.z = zs;
  scene.radius = radii;
  return scene;
}

static void fill(int64_t count, double middle, double size)
{
  srand(7);
  for (int64_t k = 0; k < count; k++) {
    xs[k] = middle + size * (rand() / (double)RAND_MAX - 0.5);
    ys[k] = middle + size * (rand() / (double)RAND_MAX - 0.5);
    zs[k] = middle + size * (rand() / (double)RAND_MAX - 0.5);
    radii[k] = 0.01 * size;
  }
}

static view_frame fit(const picture_scene *scene)
{
  view_frame frame;
  message[0] = 0;
  floc_status status = scene_check(&report, scene, 0);
  if (status == FLOC_OK) status = view_fit(&report, scene, &frame);
  if (status != FLOC_OK) fail_msg("%s", message);
  assert_true(frame.half_width > 0.0 && frame.half_height > 0.0);
  assert_true(isfinite(frame.half_width) && isfinite(frame.half_height));
  return frame;
}

static floc_shape shape_of(int32_t kind, double x1, double y1, double x2, double y2, double radius)
{
  floc_shape shape = {.kind = kind, .points = {{x1, y1, 0.0}, {x2, y2, 0.0}}, .radius = radius};
  return shape;
}

/* Every particle, with its radius, lands on the panel. */
static void check_all_visible(const picture_scene *scene, const view_frame *frame)
{
  rectangle panel = {10.0, 20.0, 640.0, 480.0};
  view_map map = view_place(frame, &panel);
  for (int64_t k = 0; k < scene->particle_count; k++) {
    double place[3], radius = scene->radius[k] * map.scale;
    view_project(&map, scene->x[k], scene->y[k], scene->z[k], place);
    assert_true(place[0] - radius >= 9.99 && place[0] + radius <= 650.01);
    assert_true(place[1] - radius >= 19.99 && place[1] + radius <= 500.01);
  }
}

static void everything_is_in_the_window(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (double middle = 0.0; middle <= 1e9; middle = middle * 1000.0 + 1.0) {
      fill(500, middle, 1.0);
      picture_scene scene = scene_of(dimension, 500);
      view_frame frame = fit(&scene);
      check_all_visible(&scene, &frame);
      assert_true(frame.half_width < 1.2 && frame.half_height < 1.2);
      assert_int_equal(frame.outside, 0);
      scene.view.direction[0] = 0.3;
      scene.view.direction[1] = -0.9;
      frame = fit(&scene);
      check_all_visible(&scene, &frame);
    }
}

static void sparse_scenes_get_a_window(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    picture_scene scene = scene_of(dimension, 0);
    fit(&scene);
    fill(1, 1e9, 1.0);
    scene.particle_count = 1;
    view_frame frame = fit(&scene);
    check_all_visible(&scene, &frame);
    radii[0] = 0.0;
    fit(&scene);
    fill(5, 3.0, 1.0);
    for (int k = 0; k < 5; k++) { /* a vertical line of points */
      xs[k] = zs[k] = 4.0;
      radii[k] = 0.0;
    }
    scene.particle_count = 5;
    frame = fit(&scene);
    check_all_visible(&scene, &frame);
  }
}

static void strays_do_not_shrink_the_rest(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fill(1000, 0.0, 1.0);
    ys[17] = -500.0;
    ys[18] = -700.0;
    xs[19] = 90.0;
    picture_scene scene = scene_of(dimension, 1000);
    view_frame frame = fit(&scene);
    assert_true(frame.half_height < 1.5 && frame.half_width < 1.5);
    assert_true(frame.outside >= 3 && frame.outside < 60);
    floc_shape far = shape_of(FLOC_SHAPE_SEGMENT, 0.0, -500.0, 1.0, -501.0, 0.0); /* a body there: shown */
    scene.shapes = &far;
    scene.shape_count = 1;
    frame = fit(&scene);
    assert_true(frame.half_height > 200.0);
    floc_shape gate[2] = {shape_of(FLOC_SHAPE_SEGMENT, 0.0, -0.1, 1.0, -0.1, 0.0),
                          shape_of(FLOC_SHAPE_SEGMENT, -900.0, 0.0, -901.0, 0.0, 0.0)};
    bool moves[2] = {true, true}; /* a wheel among the grains, and a gate that was opened and flies on */
    scene.shapes = gate;
    scene.shape_moves = moves;
    scene.shape_count = 2;
    frame = fit(&scene);
    assert_true(frame.half_height < 1.5 && frame.half_width < 1.5);
    scene.particle_count = 0; /* with nothing else to look at, all is shown */
    frame = fit(&scene);
    assert_true(frame.half_width > 400.0);
  }
}

static void windows_are_obeyed(void **state)
{
  (void)state;
  fill(100, 0.0, 1.0);
  picture_scene scene = scene_of(2, 100);
  scene.view.lower[0] = -3.0;
  scene.view.upper[0] = 1.0;
  scene.view.lower[1] = 0.0;
  scene.view.upper[1] = 2.0;
  view_frame frame = fit(&scene);
  assert_true(frame.fixed);
  rectangle panel = {0.0, 0.0, 500.0, 500.0};
  view_map map = view_place(&frame, &panel);
  assert_close(panel.width / panel.height, 2.0, 1e-12);
  double place[3];
  view_project(&map, -3.0, 2.0, 0.0, place);
  assert_close(place[0], panel.x, 1e-9);
  assert_close(place[1], panel.y, 1e-9);
  scene.view.zoom = 2.0;
  frame = fit(&scene);
  assert_close(frame.half_width, 1.0, 1e-12);
  scene.view.zoom = 1.0;
  scene.view.lower[0] = NAN; /* one end free */
  frame = fit(&scene);
  assert_false(frame.fixed);
  assert_true(frame.middle[0] + frame.half_width <= 1.0 + 1e-9);
  scene = scene_of(3, 100);
  scene.view.lower[2] = 0.0; /* a cut: the half in front */
  frame = fit(&scene);
  assert_true(view_shows(&frame, 0.0, 0.0, 0.1));
  assert_false(view_shows(&frame, 0.0, 0.0, -0.1));
}

static void near_planes_are_in_the_window(void **state)
{
  (void)state;
  fill(100, 0.0, 1.0);
  picture_scene scene = scene_of(2, 100);
  floc_shape plane = shape_of(FLOC_SHAPE_PLANE, 7.0, -0.8, 0.0, 2.0, 0.0);
  scene.shapes = &plane;
  scene.shape_count = 1;
  view_frame frame = fit(&scene);
  assert_true(frame.middle[1] - frame.half_height < -0.8);
  assert_true(frame.half_width < 0.8); /* its point at x = 7 does not count */
  plane.points[0][1] = -1000.0;
  frame = fit(&scene);
  assert_true(frame.half_height < 0.8);
  scene.particle_count = 0; /* alone it is the scene */
  frame = fit(&scene);
  assert_true(frame.middle[1] - frame.half_height <= -1000.0);
}

static void lines_enlarge_the_window_a_little(void **state)
{
  (void)state;
  fill(100, 0.0, 1.0);
  picture_scene scene = scene_of(2, 100);
  double ray[6] = {-0.9, 0.0, NAN, 1e6, 0.0, NAN}; /* z is not read in two dimensions */
  scene.lines.count = 1;
  scene.lines.points = ray;
  view_frame frame = fit(&scene);
  assert_true(frame.middle[0] - frame.half_width < -0.89);
  assert_true(frame.half_width < 1.5);
  scene.particle_count = 0;
  frame = fit(&scene);
  assert_true(frame.half_width > 4e5);
}

static void camera_axes_are_orthonormal(void **state)
{
  (void)state;
  srand(8);
  for (int k = 0; k < 1000; k++) {
    picture_view view;
    for (int c = 0; c < 3; c++) {
      view.direction[c] = rand() % 21 - 10;
      view.up[c] = (rand() % 21 - 10) * 1e-200;
    }
    double axis[3][3];
    if (!view_axes(&view, axis)) continue;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        double product = axis[a][0] * axis[b][0] + axis[a][1] * axis[b][1] + axis[a][2] * axis[b][2];
        assert_close(product, a == b, 1e-9);
      }
    double determinant = axis[0][0] * (axis[1][1] * axis[2][2] - axis[1][2] * axis[2][1]) -
                         axis[0][1] * (axis[1][0] * axis[2][2] - axis[1][2] * axis[2][0]) +
                         axis[0][2] * (axis[1][0] * axis[2][1] - axis[1][1] * axis[2][0]);
    assert_close(determinant, 1.0, 1e-9); /* right-handed: no mirror images */
  }
}

static void front_view_looks_along_minus_z(void **state)
{
  (void)state;
  fill(10, 0.0, 1.0);
  picture_scene scene = scene_of(3, 10);
  double front[3] = {0.0, 0.0, -1.0};
  memcpy(scene.view.direction, front, sizeof front);
  view_frame frame = fit(&scene);
  rectangle panel = {0.0, 0.0, 100.0, 100.0};
  view_map map = view_place(&frame, &panel);
  double origin[3], right[3], up[3], near[3];
  view_project(&map, 0, 0, 0, origin);
  view_project(&map, 1, 0, 0, right);
  view_project(&map, 0, 1, 0, up);
  view_project(&map, 0, 0, 1, near);
  assert_close(right[0] - origin[0], map.scale, 1e-9);
  assert_close(up[1] - origin[1], -map.scale, 1e-9);
  assert_close(near[2] - origin[2], map.scale, 1e-9);
}

/* ---- refusals ---------------------------------------------------------------------------------------- */

static picture_scene wrong;

#define assert_refused(expected, word)                                                                             \
  do {                                                                                                             \
    message[0] = 0;                                                                                                \
    assert_int_equal(scene_check(&report, &wrong, 3), expected);                                                   \
    if (!strstr(message, word)) fail_msg("\"%s\" does not say \"%s\"", message, word);                             \
    assert_non_null(strstr(message, "panel 3"));                                                                   \
    wrong = scene_of(3, 100);                                                                                      \
  } while (0)

static void wrong_scenes_are_refused(void **state)
{
  (void)state;
  fill(100, 0.0, 1.0);
  wrong = scene_of(3, 100);
  assert_int_equal(scene_check(&report, &wrong, 0), FLOC_OK);
  wrong.dimension = 4;
  assert_refused(FLOC_INVALID_ARGUMENT, "dimension is 4");
  wrong.particle_count = -1;
  assert_refused(FLOC_INVALID_ARGUMENT, "particle_count is -1");
  wrong.z = NULL;
  assert_refused(FLOC_INVALID_ARGUMENT, "z is NULL");
  wrong.radius = NULL;
  assert_refused(FLOC_INVALID_ARGUMENT, "radius is NULL");
  wrong.view.zoom = 0.0;
  assert_refused(FLOC_INVALID_ARGUMENT, "zoom is 0");
  wrong.view.lower[1] = 2.0;
  wrong.view.upper[1] = 1.0;
  assert_refused(FLOC_INVALID_ARGUMENT, "view.lower[1] is 2");
  wrong.view.upper[0] = INFINITY;
  assert_refused(FLOC_INVALID_ARGUMENT, "upper[0] is inf");
  memcpy(wrong.view.up, wrong.view.direction, sizeof wrong.view.up);
  assert_refused(FLOC_INVALID_ARGUMENT, "parallel");
  memset(wrong.view.direction, 0, sizeof wrong.view.direction);
  assert_refused(FLOC_INVALID_ARGUMENT, "parallel");
  wrong.view.direction[1] = NAN;
  assert_refused(FLOC_INVALID_ARGUMENT, "finite");
  wrong.boundary[1] = FLOC_BOUNDARY_WALL;
  assert_refused(FLOC_INVALID_ARGUMENT, "domain_lower[1]");
  wrong.body_opacity = 1.5;
  assert_refused(FLOC_INVALID_ARGUMENT, "body_opacity is 1.5");
  wrong.particle_opacity = NAN;
  assert_refused(FLOC_INVALID_ARGUMENT, "particle_opacity");
  wrong.lines.scale.map = "jet";
  assert_refused(FLOC_NOT_FOUND, "lines.scale.map is \"jet\"");
  wrong.tubes.width = -1.0;
  assert_refused(FLOC_INVALID_ARGUMENT, "tubes.width is -1");
  wrong.tubes.count = 2;
  assert_refused(FLOC_INVALID_ARGUMENT, "tubes.points is NULL");
}

static picture_scene skew_scene(double offset, int32_t plane)
{
  picture_scene scene = scene_of(2, 0);
  scene.domain_offset = offset;
  scene.shear_plane = plane;
  for (int c = 0; c < 2; c++) {
    scene.boundary[c] = FLOC_BOUNDARY_PERIODIC;
    scene.domain_upper[c] = 1.0;
  }
  return scene;
}

static void skew_cells_are_checked(void **state)
{
  (void)state;
  wrong = skew_scene(0.5, FLOC_SHEAR_PLANE_XY);
  wrong.boundary[0] = FLOC_BOUNDARY_OPEN;
  assert_refused(FLOC_INVALID_ARGUMENT, "domain_offset is 0.5, but boundary[0] is open");
  wrong = skew_scene(0.5, FLOC_SHEAR_PLANE_XZ);
  assert_refused(FLOC_INVALID_ARGUMENT, "shear_plane is 1; in two dimensions it must be xy or yx");
  wrong = skew_scene(0.5, 6);
  assert_refused(FLOC_INVALID_ARGUMENT, "shear_plane is 6");
  wrong = skew_scene(NAN, FLOC_SHEAR_PLANE_XY);
  assert_refused(FLOC_INVALID_ARGUMENT, "domain_offset is nan");
  wrong = skew_scene(-0.5, FLOC_SHEAR_PLANE_YX);
  view_frame frame = fit(&wrong);
  assert_true(fabs(frame.middle[0] - 0.5) < 1e-9 && fabs(frame.middle[1] - 0.25) < 1e-9);
  assert_true(frame.half_height > 0.74 && frame.half_height < 0.9 && frame.half_width < 0.6);
}

static void numbers_that_are_none_are_named(void **state)
{
  (void)state;
  fill(100, 0.0, 1.0);
  wrong = scene_of(3, 100);
  ys[41] = NAN;
  assert_refused(FLOC_NOT_A_NUMBER, "particle 42 of 100");
  ys[41] = INFINITY;
  assert_refused(FLOC_NOT_A_NUMBER, "particle 42 of 100");
  ys[41] = 0.0;
  radii[99] = -0.5;
  assert_refused(FLOC_INVALID_ARGUMENT, "radius of particle 100 of 100 is -0.5");
  radii[99] = NAN;
  assert_refused(FLOC_NOT_A_NUMBER, "radius of particle 100");
  radii[99] = 1.0;
  double ends[12] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, NAN, 0};
  wrong.lines.count = 2;
  wrong.lines.points = ends;
  assert_refused(FLOC_NOT_A_NUMBER, "end 2 of line 2");
  floc_shape shape = shape_of(FLOC_SHAPE_SEGMENT, 0, 0, NAN, 0, 0);
  wrong.shapes = &shape;
  wrong.shape_count = 1;
  assert_refused(FLOC_NOT_A_NUMBER, "shape 1 of 1");
  shape = shape_of(9, 0, 0, 1, 0, 0);
  wrong.shapes = &shape;
  wrong.shape_count = 1;
  assert_refused(FLOC_INVALID_ARGUMENT, "kind of shape 1 is 9");
  zs[5] = NAN; /* no matter in two dimensions */
  wrong.dimension = 2;
  assert_int_equal(scene_check(&report, &wrong, 0), FLOC_OK);
}

static void scenes_beyond_numbers_are_refused(void **state)
{
  (void)state;
  fill(2, 0.0, 1.0);
  xs[0] = -1.5e308;
  xs[1] = 1.5e308;
  picture_scene scene = scene_of(2, 2);
  view_frame frame;
  assert_int_equal(scene_check(&report, &scene, 0), FLOC_OK);
  assert_int_equal(view_fit(&report, &scene, &frame), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "axis 1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_in_the_window),       cmocka_unit_test(sparse_scenes_get_a_window),
      cmocka_unit_test(strays_do_not_shrink_the_rest),     cmocka_unit_test(windows_are_obeyed),
      cmocka_unit_test(near_planes_are_in_the_window),     cmocka_unit_test(lines_enlarge_the_window_a_little),
      cmocka_unit_test(camera_axes_are_orthonormal),       cmocka_unit_test(front_view_looks_along_minus_z),
      cmocka_unit_test(wrong_scenes_are_refused),          cmocka_unit_test(numbers_that_are_none_are_named),
      cmocka_unit_test(scenes_beyond_numbers_are_refused), cmocka_unit_test(skew_cells_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
