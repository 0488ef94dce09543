/*
 * The depth buffer: what is in front is seen, light comes from the upper left, faces let through; and
 * the triangles and edges of bodies.
 */
#include "images.h"

#include "draw/mesh.h"
#include "draw/solids.h"

#include <math.h>

enum { SIDE = 120 };
static uint32_t pixels[SIDE * SIDE];
static const raster target = {pixels, SIDE, 0, 0, SIDE, SIDE};
static char message[512];
static const picture_report report = {message, sizeof message};

static solid ball(float x, float y, float z, float radius, int32_t colour)
{
  solid body = {.end = {{x, y, z}, {x, y, z}}, .radius = radius, .colour = colour, .shaded = true};
  return body;
}

static image render(const solid *solids, int64_t count, solid_face *faces, int64_t face_count)
{
  for (int k = 0; k < SIDE * SIDE; k++) pixels[k] = 0xffffffffu;
  solid_scene scene = {solids, count, faces, face_count, 0.8, 10.0};
  assert_int_equal(solids_render(&report, &scene, &target), FLOC_OK);
  image result = {SIDE, SIDE, pixels};
  return result;
}

static bool reddish(uint32_t colour)
{
  return (colour >> 16 & 255) > 2 * (colour & 255) + 20;
}

static bool bluish(uint32_t colour)
{
  return (colour & 255) > 2 * (colour >> 16 & 255) + 20;
}

static void the_nearer_one_is_seen(void **state)
{
  (void)state;
  for (int order = 0; order < 2; order++)
    for (int front = 0; front < 2; front++) {
      solid both[2] = {ball(50, 60, front == 0 ? 40 : -40, 20, 0xff0000),
                       ball(70, 60, front == 1 ? 40 : -40, 20, 0x0000ff)};
      if (order) {
        solid first = both[0];
        both[0] = both[1];
        both[1] = first;
      }
      image picture = render(both, 2, NULL, 0);
      assert_true(reddish(pixel(&picture, 40, 60)) && bluish(pixel(&picture, 80, 60)));
      assert_true(front == 0 ? reddish(pixel(&picture, 60, 60)) : bluish(pixel(&picture, 60, 60)));
      assert_pixel(&picture, 5, 5, 0xffffff, 0);
    }
}

/* Two balls of equal depth that overlap meet in the middle. */
static void overlapping_balls_meet_in_the_middle(void **state)
{
  (void)state;
  solid both[2] = {ball(50, 60, 0, 20, 0xff0000), ball(70, 60, 0, 20, 0x0000ff)};
  image picture = render(both, 2, NULL, 0);
  assert_true(reddish(pixel(&picture, 57, 60)));
  assert_true(bluish(pixel(&picture, 62, 60)));
}

static void balls_have_their_size_and_light(void **state)
{
  (void)state;
  for (float radius = 0.7f; radius < 50.0f; radius *= 1.8f) {
    solid one = ball(60.3f, 59.6f, 0, radius, 0x40a040);
    image picture = render(&one, 1, NULL, 0);
    double covered = 0.0;
    for (int k = 0; k < SIDE * SIDE; k++) covered += component_distance(pixels[k] & 0xffffff, 0xffffff) > 40;
    double area = M_PI * radius * radius;
    assert_true(covered > 0.7 * area - 1.0 && covered < area + 7.0 * radius + 1.0);
    if (radius < 4.0f) continue;
    uint32_t lit = pixel(&picture, 60.3 - 0.35 * radius, 59.6 - 0.35 * radius);
    uint32_t dark = pixel(&picture, 60.3 + 0.6 * radius, 59.6 + 0.6 * radius);
    assert_true((lit >> 8 & 255) > (dark >> 8 & 255) + 50);
  }
}

static void capsules_join_their_ends(void **state)
{
  (void)state;
  solid tube = {.end = {{30, 30, -10}, {90, 80, 10}}, .radius = 8, .colour = 0xff0000, .shaded = true};
  image picture = render(&tube, 1, NULL, 0);
  for (double t = 0.0; t <= 1.0; t += 0.05) {
    double x = 30 + 60 * t, y = 30 + 50 * t;
    assert_true(reddish(pixel(&picture, x, y)));
    assert_pixel(&picture, x + 8.5, y - 8.5, 0xffffff, 3); /* 12 pixels off the axis */
  }
  double length = hypot(60, 50);
  long covered = pixels_unlike(&picture, 0, 0, SIDE, SIDE, 0xffffff);
  assert_close((double)covered / (16 * length + 64 * M_PI), 1.0, 0.08);
  solid towards = {.end = {{60, 60, -50}, {60, 60.001f, 50}}, .radius = 10, .colour = 0xff0000, .shaded = true};
  /* seen from its end */
  picture = render(&towards, 1, NULL, 0);
  assert_close(pixels_unlike(&picture, 0, 0, SIDE, SIDE, 0xffffff) / (100 * M_PI), 1.0, 0.12);
}

/* The capsule's light must not jump where the tube passes into its round ends. */
static void capsules_are_smooth(void **state)
{
  (void)state;
  solid tube = {.end = {{25, 60, 0}, {95, 60, 0}}, .radius = 15, .colour = 0xc0c0c0, .shaded = true};
  image picture = render(&tube, 1, NULL, 0);
  for (int y = 50; y <= 70; y += 5)
    for (int x = 18; x < 100; x++)
      assert_true(component_distance(pixel(&picture, x, y), pixel(&picture, x + 1, y)) < 32);
}

/* Seen from any side: semi-axes 40, 24, 12 turned about two axes. The silhouette's area is pi times the root of
 * the sum of squares of a b n_c, n the line of sight in its own axes. */
static void ellipsoids_have_their_outline_and_depth(void **state)
{
  (void)state;
  const double size[3] = {40.0, 24.0, 12.0};
  for (double turn = 0.0; turn < 3.0; turn += 0.7)
    for (double tilt = 0.0; tilt < 1.6; tilt += 0.5) {
      const double axis[3][3] = {{cos(turn), sin(turn) * cos(tilt), sin(turn) * sin(tilt)},
                                 {-sin(turn), cos(turn) * cos(tilt), cos(turn) * sin(tilt)},
                                 {0.0, -sin(tilt), cos(tilt)}};
      solid both[2] = {ball(60, 60, 0, 40, 0xff0000), ball(60, 60, 0, 3, 0x0000ff)};
      double square = 0.0, depth = 0.0;
      both[0].is_ellipsoid = true;
      for (int k = 0; k < 3; k++) {
        const double flat = size[(k + 1) % 3] * size[(k + 2) % 3] * axis[k][2];
        square += flat * flat;
        depth += axis[k][2] * axis[k][2] / size[k] / size[k];
        for (int part = 0; part < 3; part++) both[0].axis[k][part] = (float)(size[k] * axis[k][part]);
      }
      image picture = render(both, 1, NULL, 0);
      const double area = pixels_unlike(&picture, 0, 0, SIDE, SIDE, 0xffffff);
      assert_close(area / (M_PI * sqrt(square)), 1.0, 0.1);
      for (int front = 0; front < 2; front++) { /* a small ball on its surface, and just below it */
        both[1].end[0][2] = both[1].end[1][2] = (float)(1.0 / sqrt(depth)) + (front ? 0.0f : -5.0f);
        picture = render(both, 2, NULL, 0);
        assert_true(front ? bluish(pixel(&picture, 60, 60)) : reddish(pixel(&picture, 60, 60)));
      }
    }
}

static solid_face triangle(float z, int32_t colour, float opacity, int32_t number)
{
  solid_face face = {{{10, 10, z}, {110, 10, z}, {60, 110, z}}, 0, false, opacity, colour, number};
  return face;
}

static void faces_let_through(void **state)
{
  (void)state;
  solid one = ball(60, 50, 0, 15, 0xff0000);
  solid_face front = triangle(50, 0x0000ff, 0.5f, 0), back = triangle(-50, 0x0000ff, 0.5f, 0);
  image picture = render(&one, 1, NULL, 0);
  uint32_t bare = pixel(&picture, 60, 50);
  picture = render(&one, 1, &front, 1);
  uint32_t veiled = pixel(&picture, 60, 50), alone = pixel(&picture, 60, 20);
  assert_true((veiled & 255) > (bare & 255) + 40 && (veiled >> 16 & 255) + 40 < (bare >> 16 & 255));
  assert_true((alone & 255) > (alone >> 16 & 255) + 60 && (alone >> 16 & 255) > 100);
  picture = render(&one, 1, &back, 1);
  assert_pixel(&picture, 60, 50, bare, 0);
  assert_pixel(&picture, 5, 100, 0xffffff, 0);
}

static void faces_are_blended_from_back_to_front(void **state)
{
  (void)state;
  solid_face faces[2] = {triangle(10, 0xff0000, 0.9f, 0), triangle(-10, 0x0000ff, 0.9f, 1)};
  image picture = render(NULL, 0, faces, 2);
  assert_true(reddish(pixel(&picture, 60, 40)));
  solid_face same[2] = {triangle(0, 0xff0000, 0.9f, 1), triangle(0, 0x0000ff, 0.9f, 0)};
  solid_faces_sort(same, 2); /* equal depth: by number, whatever the order was */
  assert_int_equal(same[0].number, 0);
}

static void hollow_spheres_are_dense_at_their_outline(void **state)
{
  (void)state;
  solid_face shell[2] = {{{{60, 60, 0}}, 50, false, 0.3f, 0x000000, 0},
                         {{{60, 60, 0}}, 50, true, 0.3f, 0x000000, 1}};
  image picture = render(NULL, 0, shell, 2);
  assert_true((pixel(&picture, 60, 60) & 255) > (pixel(&picture, 60, 12) & 255) + 40);
  assert_true((pixel(&picture, 60, 60) & 255) > 200);
  assert_pixel(&picture, 5, 5, 0xffffff, 0);
}

static void crevices_are_darker(void **state)
{
  (void)state;
  solid pile[10];
  int count = 0;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      pile[count++] = ball(30.0f + 30.0f * (float)x, 30.0f + 30.0f * (float)y, 0, 15, 0xb0b0b0);
  pile[count++] = ball(45, 45, -26, 15, 0xb0b0b0); /* seen through the gap between four */
  image picture = render(pile, count, NULL, 0);
  uint32_t deep = pixel(&picture, 45, 45);
  image alone = render(&pile[9], 1, NULL, 0);
  assert_true((pixel(&alone, 45, 45) & 255) > (deep & 255) + 15);
}

static void any_numbers_can_be_rendered(void **state)
{
  (void)state;
  srand(9);
  static solid bodies[200];
  static solid_face faces[50];
  for (int round = 0; round < 5; round++) {
    for (int k = 0; k < 200; k++) {
      bodies[k] = ball((float)(rand() % 400 - 150), (float)(rand() % 400 - 150), (float)(rand() % 100),
                       (float)(rand() % 30), rand() & 0xffffff);
      if (k % 3 == 0) bodies[k].end[1][0] += (float)(rand() % 100 - 50);
      if (k % 7 == 0) bodies[k].end[0][1] = 1e9f;
      if (k % 11 == 0) bodies[k].radius = 0.0f;
    }
    for (int k = 0; k < 50; k++) {
      faces[k] = triangle((float)(rand() % 50), rand() & 0xffffff, 0.4f, k);
      if (k % 4 == 0) faces[k].radius = (float)(rand() % 300);
      for (int c = 0; c < 9; c++) faces[k].corner[c / 3][c % 3] = (float)(rand() % 300 - 100);
      if (k % 5 == 0) memcpy(faces[k].corner[1], faces[k].corner[0], sizeof faces[k].corner[0]);
      if (k % 9 == 0) faces[k].corner[2][0] = 1e12f;
    }
    render(bodies, 200, faces, 50);
  }
}

/* ---- bodies as triangles ----------------------------------------------------------------------------- */

static const double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};

static double area_of(const mesh *bodies)
{
  double sum = 0.0;
  for (int64_t k = 0; k < bodies->triangle_count; k++) {
    const mesh_triangle *here = &bodies->triangle[k];
    double u[3], v[3], n[3];
    for (int c = 0; c < 3; c++) {
      u[c] = here->point[1][c] - here->point[0][c];
      v[c] = here->point[2][c] - here->point[0][c];
    }
    for (int c = 0; c < 3; c++) n[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
    sum += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
  return sum;
}

static void planes_end_at_the_box(void **state)
{
  (void)state;
  static const struct {
    double normal[3], point[3], area;
    int edges;
  } cases[] = {{{0, 1, 0}, {5, 0.5, 5}, 4.0, 4},
               {{0, 0, -3}, {0, 0, 0}, 4.0, 4},
               {{1, 1, 0}, {0, 0, 0}, 4.0 * 1.4142135623730951, 4},
               {{1, 1, 1}, {0, 0, 0}, 5.196152422706632, 6},
               {{1, 0, 0}, {2, 0, 0}, 0.0, 0},
               {{0, 0, 0}, {0, 0, 0}, 0.0, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    floc_shape plane = {.kind = FLOC_SHAPE_PLANE};
    memcpy(plane.points[0], cases[k].point, sizeof cases[k].point);
    memcpy(plane.points[1], cases[k].normal, sizeof cases[k].normal);
    mesh bodies;
    assert_int_equal(mesh_build(&report, &plane, 1, lower, upper, &bodies), FLOC_OK);
    assert_close(area_of(&bodies), cases[k].area, 1e-9);
    assert_int_equal(bodies.edge_count, cases[k].edges);
    for (int64_t t = 0; t < bodies.triangle_count; t++)
      for (int c = 0; c < 9; c++) assert_true(fabs(bodies.triangle[t].point[c / 3][c % 3]) <= 1.0 + 1e-12);
    mesh_free(&bodies);
  }
}

static floc_shape facet(const double a[3], const double b[3], const double c[3])
{
  floc_shape shape = {.kind = FLOC_SHAPE_TRIANGLE};
  memcpy(shape.points[0], a, sizeof shape.points[0]);
  memcpy(shape.points[1], b, sizeof shape.points[0]);
  memcpy(shape.points[2], c, sizeof shape.points[0]);
  return shape;
}

static void only_rims_and_bends_are_edges(void **state)
{
  (void)state;
  const double p[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}};
  floc_shape shapes[4] = {facet(p[0], p[1], p[2]), facet(p[0], p[2], p[3]), facet(p[0], p[1], p[5]),
                          facet(p[0], p[5], p[4])};
  mesh bodies;
  assert_int_equal(mesh_build(&report, shapes, 2, lower, upper, &bodies), FLOC_OK);
  assert_int_equal(bodies.edge_count, 4); /* a flat square: its diagonal is none */
  mesh_free(&bodies);
  assert_int_equal(mesh_build(&report, shapes, 4, lower, upper, &bodies), FLOC_OK);
  assert_int_equal(bodies.edge_count, 7); /* two squares at a right angle share a bend */
  mesh_free(&bodies);
  assert_int_equal(mesh_build(&report, NULL, 0, lower, upper, &bodies), FLOC_OK);
  assert_int_equal(bodies.triangle_count, 0);
  mesh_free(&bodies);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearer_one_is_seen),
      cmocka_unit_test(overlapping_balls_meet_in_the_middle),
      cmocka_unit_test(balls_have_their_size_and_light),
      cmocka_unit_test(capsules_join_their_ends),
      cmocka_unit_test(capsules_are_smooth),
      cmocka_unit_test(ellipsoids_have_their_outline_and_depth),
      cmocka_unit_test(faces_let_through),
      cmocka_unit_test(faces_are_blended_from_back_to_front),
      cmocka_unit_test(hollow_spheres_are_dense_at_their_outline),
      cmocka_unit_test(crevices_are_darker),
      cmocka_unit_test(any_numbers_can_be_rendered),
      cmocka_unit_test(planes_end_at_the_box),
      cmocka_unit_test(only_rims_and_bends_are_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
