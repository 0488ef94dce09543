/*
 * OBJ files: faces of any number of corners, references from both ends, lines that continue; everything else
 * refused with its line, memory that runs out.
 */
#include "geometry/meshes/mesh.h"

#include "mesh_allocations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A square as one face, a triangle with references from the end, one without area. */
static const char text[] = "# made by hand\nmtllib none.mtl\no plate\n"
                           "v 0 0 0\nv 1.5 0 0 1.0\n  v 1.5 2e0 0\nv 0 2 0\t# the last one\r\n"
                           "vn 0 0 1\nvt 0 0\ng side\nusemtl none\ns off\n"
                           "f 1/1/1 2//1 3/1 4\n"
                           "v 0 0 -1\n"
                           "f -1 \\\n  1 2\n"
                           "f 1 1 2\n";

static triangle_mesh read_text(const char *bytes, double scale)
{
  environment env = test_environment(1);
  triangle_mesh mesh;
  assert_ok(&env, triangle_mesh_read(&env, "a.OBJ", (const unsigned char *)bytes, strlen(bytes), scale, &mesh));
  return mesh;
}

static void expect_corners(const floc_shape *triangle, const double corners[9])
{
  assert_int_equal(triangle->kind, FLOC_SHAPE_TRIANGLE);
  for (int k = 0; k < 9; k++) assert_true(triangle->points[k / 3][k % 3] == corners[k]);
}

static void faces_become_triangles(void **state)
{
  (void)state;
  environment env = test_environment(1);
  triangle_mesh mesh = read_text(text, 2.0);
  assert_int_equal(mesh.count, 3);
  assert_int_equal(mesh.dropped, 1);
  expect_corners(&mesh.triangle[0], (double[9]){0, 0, 0, 3, 0, 0, 3, 4, 0});
  expect_corners(&mesh.triangle[1], (double[9]){0, 0, 0, 3, 4, 0, 0, 4, 0});
  expect_corners(&mesh.triangle[2], (double[9]){0, 0, -2, 0, 0, 0, 3, 0, 0});
  triangle_mesh_free(&env, &mesh);
}

/* A fan of n corners has the area of the regular polygon. */
static void polygons_keep_their_area(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int n = 3; n <= 40; n++) {
    char bytes[4000] = "", line[80];
    for (int k = 0; k < n; k++) {
      double angle = 6.283185307179586 * k / n;
      (void)snprintf(line, sizeof line, "v %.17g 3 %.17g\n", cos(angle), sin(angle));
      strcat(bytes, line);
    }
    strcat(bytes, "f");
    for (int k = 1; k <= n; k++) {
      (void)snprintf(line, sizeof line, " %d", k % 2 ? k : k - n - 1);
      strcat(bytes, line);
    }
    triangle_mesh mesh = read_text(bytes, 1.0);
    assert_int_equal(mesh.count, n - 2);
    double area = 0.0;
    for (int32_t k = 0; k < mesh.count; k++) {
      double(*p)[3] = mesh.triangle[k].points;
      area += 0.5 * fabs((p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) - (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]));
    }
    assert_true(fabs(area - 0.5 * n * sin(6.283185307179586 / n)) < 1e-13);
    triangle_mesh_free(&env, &mesh);
  }
}

static void other_files_are_refused_with_their_line(void **state)
{
  (void)state;
  static const struct {
    const char *bytes, *says;
  } cases[] = {
      {"", "bad.obj is no OBJ file: it has no vertex"},
      {"solid a\n", "bad.obj is no OBJ file: it has no vertex"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "bad.obj has no triangle of positive area"},
      {"v 0 0 0\nv 1 0\nv 0 1 0\n", "bad.obj: line 2: a vertex must have three finite numbers"},
      {"v 0 0 0\n\nv 1 0 nan\n", "bad.obj: line 3: a vertex must have three finite numbers"},
      {"v 0 0 1e308\n", "bad.obj: line 1: a vertex must have three finite numbers"},
      {"v 0 0 0\nv 1 0 0\nf 1 2\n", "bad.obj: line 3: a face must have three corners or more"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "bad.obj: line 4: a face has vertex 4; there are 3 above it"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 \\\n 2 -4\n", "bad.obj: line 5: a face has vertex -4; there are 3 above it"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "a face has vertex 0; there are 3"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "bad.obj: line 4: a face must have numbers of vertices"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2.5\n", "bad.obj: line 4: a face must have numbers of vertices"},
  };
  for (size_t k = 0; k <= sizeof cases / sizeof *cases; k++) {
    environment env = test_environment(1);
    triangle_mesh mesh;
    bool last = k == sizeof cases / sizeof *cases; /* the byte 0 behind the text */
    const char *bytes = last ? text : cases[k].bytes,
               *says = last ? "bad.obj: line 18: the text contains a byte 0" : cases[k].says;
    floc_status status =
        triangle_mesh_read(&env, "bad.obj", (const unsigned char *)bytes, strlen(bytes) + last, 10.0, &mesh);
    if (status != FLOC_DAMAGED_FILE || !strstr(env.message, says))
      fail_msg("%s: \"%s\" instead of \"%s\"", floc_status_name(status), env.message, says);
    assert_null(mesh.triangle);
  }
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  read_with_failing_allocations("a.obj", text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_become_triangles),
      cmocka_unit_test(polygons_keep_their_area),
      cmocka_unit_test(other_files_are_refused_with_their_line),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
