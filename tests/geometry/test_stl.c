/*
 * STL files: both kinds read, everything else refused with its place, memory that runs out.
 */
#include "geometry/meshes/mesh.h"

#include "mesh_allocations.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES = 3, BINARY_SIZE = 84 + 50 * TRIANGLES };

static const char text[] =
    "solid two plates\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1.5 0 0\n   vertex 0 2e0 0\n"
    "  endloop\n endfacet\n"
    " FACET NORMAL 0 0 0 OUTER LOOP VERTEX 0 0 0 VERTEX 1 1 1 VERTEX 2 2 2 ENDLOOP ENDFACET\n"
    " facet normal 0 0 1 outer loop vertex 0 0 -1 vertex 1 0 -1 vertex 0 1 -1 endloop endfacet\n"
    "endsolid two plates\n";

static void put_real(unsigned char *at, float value)
{
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  for (int k = 0; k < 4; k++) at[k] = (unsigned char)(word >> 8 * k);
}

/* Triangle k has the corners (k, 0, 0), (k + 1.5, 0, 0), (k, 2, 0). */
static void make_binary(unsigned char bytes[BINARY_SIZE])
{
  memset(bytes, 'x', BINARY_SIZE);
  memcpy(bytes, "solid", 5); /* as many binary files begin */
  memset(bytes + 80, 0, 4);
  bytes[80] = TRIANGLES;
  for (int k = 0; k < TRIANGLES; k++) {
    unsigned char *at = bytes + 84 + 50 * k + 12;
    const float corner[9] = {(float)k, 0, 0, (float)k + 1.5f, 0, 0, (float)k, 2, 0};
    for (int value = 0; value < 9; value++) put_real(at + 4 * value, corner[value]);
  }
}

static void text_and_binary_are_read(void **state)
{
  (void)state;
  environment env = test_environment(1);
  triangle_mesh mesh;
  assert_ok(&env, triangle_mesh_read(&env, "a.stl", (const unsigned char *)text, strlen(text), 2.0, &mesh));
  assert_int_equal(mesh.count, 2);
  assert_int_equal(mesh.dropped, 1);
  assert_true(mesh.triangle[0].kind == FLOC_SHAPE_TRIANGLE && mesh.triangle[0].points[1][0] == 3.0);
  assert_true(mesh.triangle[0].points[2][1] == 4.0 && mesh.triangle[1].points[0][2] == -2.0);
  triangle_mesh_free(&env, &mesh);
  unsigned char bytes[BINARY_SIZE];
  make_binary(bytes);
  assert_ok(&env, triangle_mesh_read(&env, "b.stl", bytes, sizeof bytes, 1.0, &mesh));
  assert_int_equal(mesh.count, TRIANGLES);
  for (int k = 0; k < TRIANGLES; k++) assert_true(mesh.triangle[k].points[1][0] == (double)k + 1.5);
  triangle_mesh_free(&env, &mesh);
}

static void a_decimal_comma_does_not_get_in(void **state)
{
  (void)state;
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) return; /* not installed */
  environment env = test_environment(1);
  triangle_mesh mesh;
  floc_status status = triangle_mesh_read(&env, "a.stl", (const unsigned char *)text, strlen(text), 1.0, &mesh);
  setlocale(LC_ALL, "C");
  assert_int_equal(status, FLOC_OK);
  assert_true(mesh.triangle[0].points[1][0] == 1.5);
  triangle_mesh_free(&env, &mesh);
}

static void expect_refusal(const char *bytes, size_t size, const char *says)
{
  environment env = test_environment(1);
  triangle_mesh mesh;
  floc_status status = triangle_mesh_read(&env, "bad.stl", (const unsigned char *)bytes, size, 1.0, &mesh);
  if (status != FLOC_DAMAGED_FILE || !strstr(env.message, says) || !strstr(env.message, "bad.stl"))
    fail_msg("%s: \"%s\" instead of \"%s\"", floc_status_name(status), env.message, says);
  assert_null(mesh.triangle);
}

static void other_files_are_refused_with_their_place(void **state)
{
  (void)state;
  const struct {
    const char *bytes, *says;
  } cases[] = {{"", "is no STL file"},
               {"hello", "is no STL file"},
               {"solid", "a facet or the end of the solid is expected: line 1"},
               {"solid a\nendsolid a\n", "has no triangle of positive area"},
               {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "an STL facet is expected: line 5"},
               {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", "an STL facet is expected: line 4"},
               {"solid a\nfacett normal", "a facet or the end of the solid is expected: line 2"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    expect_refusal(cases[k].bytes, strlen(cases[k].bytes), cases[k].says);
  char longer[sizeof text + 8];
  memcpy(longer, text, sizeof text);
  memcpy(longer + strlen(text), "more", 5);
  expect_refusal(longer, strlen(longer), "text follows the last solid: line 12");
  expect_refusal(text, sizeof text, "the text contains a byte 0 at offset"); /* its end */
  unsigned char bytes[BINARY_SIZE];
  make_binary(bytes);
  put_real(bytes + 84 + 50 + 12 + 8, NAN);
  expect_refusal((const char *)bytes, sizeof bytes, "a corner is not finite: triangle 2");
}

/* A string truncated anywhere is complete only where nothing but its name or white space is missing. */
static void cut_files_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  size_t end = (size_t)(strstr(text, "endsolid") + strlen("endsolid") - text);
  for (size_t size = 0; size < strlen(text); size++) {
    triangle_mesh mesh;
    floc_status status = triangle_mesh_read(&env, "cut.stl", (const unsigned char *)text, size, 1.0, &mesh);
    assert_int_equal(status, size >= end ? FLOC_OK : FLOC_DAMAGED_FILE);
    triangle_mesh_free(&env, &mesh);
  }
  unsigned char bytes[BINARY_SIZE];
  make_binary(bytes);
  for (size_t size = 0; size < sizeof bytes; size++) {
    triangle_mesh mesh;
    assert_int_equal(triangle_mesh_read(&env, "cut.stl", bytes, size, 1.0, &mesh), FLOC_DAMAGED_FILE);
  }
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  read_with_failing_allocations("a.stl", text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_and_binary_are_read),
      cmocka_unit_test(a_decimal_comma_does_not_get_in),
      cmocka_unit_test(other_files_are_refused_with_their_place),
      cmocka_unit_test(cut_files_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
