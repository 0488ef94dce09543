/*
 * VTP files: the same box in all ways that VTK 9.1 writes it, polygons and strips of several pieces, everything
 * else refused with its place, memory that runs out.
 */
#include "geometry/meshes/mesh.h"

#include "mesh_allocations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *read_file(const char *name, size_t *size)
{
  char path[200];
  (void)snprintf(path, sizeof path, "tests/corpus/vtp/%s", name);
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  static unsigned char bytes[1 << 16];
  *size = fread(bytes, 1, sizeof bytes, stream);
  (void)fclose(stream);
  assert_true(*size > 500 && *size < sizeof bytes);
  return bytes;
}

/* Volume of the box 2 x 1 x 0.5 by the divergence theorem, so that a triangle that shows its other side is seen. */
static double volume_of(const triangle_mesh *mesh)
{
  double sum = 0.0;
  for (int32_t k = 0; k < mesh->count; k++) {
    double(*p)[3] = mesh->triangle[k].points;
    for (int axis = 0; axis < 3; axis++)
      sum +=
          p[0][axis] * (p[1][(axis + 1) % 3] * p[2][(axis + 2) % 3] - p[1][(axis + 2) % 3] * p[2][(axis + 1) % 3]);
  }
  return sum / 6.0;
}

static const char *const files[] = {"ascii.vtp",      "base64.vtp",   "base64-zlib-strips.vtp",
                                    "appended.vtp",   "raw.vtp",      "appended-zlib.vtp",
                                    "big-endian.vtp", "raw-zlib.vtp", "big-endian-zlib.vtp"};

static void all_ways_of_VTK_give_the_same_box(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    environment env = test_environment(1);
    size_t size;
    unsigned char *bytes = read_file(files[k], &size);
    triangle_mesh mesh;
    assert_ok(&env, triangle_mesh_read(&env, files[k], bytes, size, 2.0, &mesh));
    assert_int_equal(mesh.count, 12);
    for (int32_t i = 0; i < mesh.count; i++) {
      for (int value = 0; value < 9; value++) {
        double wanted = (double[3]){4.0, 2.0, 1.0}[value % 3],
               found = mesh.triangle[i].points[value / 3][value % 3];
        if (found != 0.0 && found != wanted) fail_msg("%s: a corner has %.17g", files[k], found);
      }
    }
    if (fabs(volume_of(&mesh) - 8.0) > 1e-12) fail_msg("%s: volume %.17g", files[k], volume_of(&mesh));
    triangle_mesh_free(&env, &mesh);
  }
}

/* Cut anywhere, and with any byte changed, a file is read or refused; cut before its last array it is refused. */
static void damaged_files_are_read_or_refused(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    size_t size;
    unsigned char *bytes = read_file(files[k], &size);
    environment env = test_environment(1);
    triangle_mesh mesh;
    for (size_t length = 0; length < size; length += 7) {
      floc_status status = triangle_mesh_read(&env, "cut.vtp", bytes, length, 1.0, &mesh);
      assert_true(status == FLOC_DAMAGED_FILE || (status == FLOC_OK && length + 200 > size));
      if (status != FLOC_OK) assert_non_null(strstr(env.message, "cut.vtp"));
      triangle_mesh_free(&env, &mesh);
    }
    for (size_t place = 0; place < size; place++) {
      unsigned char kept = bytes[place];
      bytes[place] ^= (unsigned char)(1u << place % 7);
      floc_status status = triangle_mesh_read(&env, "changed.vtp", bytes, size, 1.0, &mesh);
      assert_true(status == FLOC_DAMAGED_FILE || status == FLOC_OK);
      triangle_mesh_free(&env, &mesh);
      bytes[place] = kept;
    }
  }
}

#define HEAD "<?xml version='1.0'?>\n<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">\n<PolyData>\n"
#define POINTS(list)                                                                                               \
  "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">" list "</DataArray></Points>\n"
#define CELLS(name, corners, ends)                                                                                 \
  "<" name "><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">" corners                            \
  "</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">" ends "</DataArray></" name ">\n"
#define PIECE(points, polygons, strips)                                                                            \
  "<Piece NumberOfPoints=\"" points "\" NumberOfPolys=\"" polygons "\" NumberOfStrips=\"" strips "\">\n"
#define SQUARE                     "0 0 0  1 0 0  1 1 0  0 1 0"
#define ENDED                      "</Piece></PolyData></VTKFile>\n"
#define ONE(points, corners, ends) HEAD PIECE("4", "1", "0") POINTS(points) CELLS("Polys", corners, ends) ENDED

static const char pieces[] =
    HEAD "<!-- a square as a polygon, with a line and data that do not count -->\n" PIECE("4", "1", "0")
        POINTS(SQUARE) CELLS("Polys", "0 1 2 3", "4")
            CELLS("Lines", "0 1", "2") "<CellData><DataArray type=\"String\" Name=\"a > b\" format=\"ascii\">65 "
                                       "0</DataArray></CellData></Piece>\n" PIECE("5", "0", "1")
                                           POINTS("0 0 1  1 0 1  0 1 1  1 1 1  0 2 1")
                                               CELLS("Strips", "0 1 2 3 4", "5") ENDED;

static void pieces_polygons_and_strips(void **state)
{
  (void)state;
  environment env = test_environment(1);
  triangle_mesh mesh;
  assert_ok(&env, triangle_mesh_read(&env, "A.VTP", (const unsigned char *)pieces, strlen(pieces), 1.0, &mesh));
  assert_int_equal(mesh.count, 5);
  assert_int_equal(mesh.dropped, 0);
  for (int32_t k = 0; k < mesh.count; k++) { /* all turn the same way */
    double(*p)[3] = mesh.triangle[k].points;
    double area = 0.5 * ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]));
    assert_true(area == 0.5);
    assert_true(p[0][2] == (k < 2 ? 0.0 : 1.0));
  }
  triangle_mesh_free(&env, &mesh);
}

static void other_files_are_refused_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *bytes, *says;
  } cases[] = {
      {"", "bad.vtp is no VTP file: it does not begin with <VTKFile type=\"PolyData\">"},
      {"<VTKFile type=\"UnstructuredGrid\">", "bad.vtp is no VTP file"},
      {"<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\">", "only vtkZLibDataCompressor can be read"},
      {HEAD "<Piece NumberOfPoints=\"4\"", "bad.vtp: line 4: an element has no name or no end"},
      {HEAD "<!-- ", "bad.vtp: line 4: a comment or declaration has no end"},
      {HEAD PIECE("4", "1", "0") POINTS(SQUARE), "bad.vtp: line 4: the file ends within a piece"},
      {HEAD PIECE("4", "0", "0") POINTS(SQUARE) ENDED, "bad.vtp has no triangle of positive area"},
      {ONE("0 0 0 1", "0 1 2 3", "4"), "bad.vtp: a piece has 4 points, and 4 coordinates of them"},
      {ONE("0 0 0  1 0 0  1 1 x", "0 1 2", "3"), "bad.vtp: line 5: a finite number is expected"},
      {ONE(SQUARE, "0 1 2 4", "4"), "bad.vtp: a polygon has point 4; there are 4, from 0 on"},
      {ONE(SQUARE, "0 1 -2 3", "4"), "bad.vtp: a polygon has point -2"},
      {ONE(SQUARE, "0 1 2.5 3", "4"), "bad.vtp: a polygon has point 2.5"},
      {ONE(SQUARE, "0 1", "2"),
       "the corners of polygon 0 end at 2; they begin at 0, must be 3 or more, and 2 are there"},
      {ONE(SQUARE, "0 1 2 3", "5"), "the corners of polygon 0 end at 5"},
      {ONE(SQUARE, "0 1 2 3", ""), "bad.vtp: a piece has 1 polygons, and offsets of 0"},
      {ONE("0 0 0  1e308 0 0  1 1 0  0 1 0", "0 1 2 3", "4"),
       "bad.vtp: line 4: the piece has a point that is not finite"},
      {HEAD PIECE("1", "1", "0") "<Points><DataArray type=\"Float16\" NumberOfComponents=\"3\" format=\"ascii\">",
       "line 5: an array has a type that is none of VTK's numbers"},
      {HEAD PIECE("1", "1", "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"2\" format=\"ascii\">",
       "line 5: points must have 3 components"},
      {HEAD PIECE(
           "1", "1",
           "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"appended\" offset=\"9\"/>",
       "line 5: an array has an offset beyond the end of the appended data"},
      {HEAD PIECE("1", "1", "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"hex\">",
       "line 5: an array must be ascii, binary, or appended with an offset"},
      {HEAD PIECE("1", "1",
                  "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">DAAAAAAA",
       "line 5: an array ends too early, or has a byte that does not belong there"},
      {HEAD PIECE("1", "1", "0") "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                                 "format=\"binary\">/////wAA</DataArray>",
       "line 5: an array ends too early"},
      {HEAD "<AppendedData encoding=\"raw\">ab", "line 4: appended data must begin with _"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    environment env = test_environment(1);
    triangle_mesh mesh;
    const char *bytes = cases[k].bytes;
    floc_status status =
        triangle_mesh_read(&env, "bad.vtp", (const unsigned char *)bytes, strlen(bytes), 10.0, &mesh);
    if (status != FLOC_DAMAGED_FILE || !strstr(env.message, cases[k].says))
      fail_msg("%s: \"%s\" instead of \"%s\"", floc_status_name(status), env.message, cases[k].says);
    assert_null(mesh.triangle);
  }
}

/* A block that says that it is longer than its bytes can make, and one that is not zlib's: no memory is asked for.
 */
static void compressed_lengths_are_checked(void **state)
{
  (void)state;
  static const char head[] =
      "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><Piece NumberOfPoints=\"1\">"
      "<Points><DataArray type=\"UInt8\" NumberOfComponents=\"3\" format=\"binary\">";
  static const struct {
    const char *data, *says;
  } cases[] = {{"AQAAAAAAAEAAAAAACQAAAA==AAAAAAAAAAAA", "a block is longer than zlib can make it"},
               {"AQAAAAgAAAAAAAAACQAAAA==AAAAAAAAAAAA", "a compressed block does not hold what it should"},
               {"AQAAAAgAAAAAAAAA/wAAAA==AAAAAAAAAAAA", "an array ends too early"},
               {"////fwgAAAAAAAAA/wAAAA==AAAAAAAAAAAA", "an array ends too early"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[600];
    (void)snprintf(text, sizeof text, "%s%s</DataArray></Points></Piece>", head, cases[k].data);
    environment env = test_environment(1);
    triangle_mesh mesh;
    assert_int_equal(triangle_mesh_read(&env, "a.vtp", (const unsigned char *)text, strlen(text), 1.0, &mesh),
                     FLOC_DAMAGED_FILE);
    if (!strstr(env.message, cases[k].says)) fail_msg("\"%s\" instead of \"%s\"", env.message, cases[k].says);
  }
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  read_with_failing_allocations("a.vtp", pieces);
  size_t size;
  unsigned char *bytes = read_file("base64-zlib-strips.vtp", &size);
  bytes[size] = 0;
  read_with_failing_allocations("a.vtp", (const char *)bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_ways_of_VTK_give_the_same_box),
      cmocka_unit_test(damaged_files_are_read_or_refused),
      cmocka_unit_test(pieces_polygons_and_strips),
      cmocka_unit_test(other_files_are_refused_with_their_place),
      cmocka_unit_test(compressed_lengths_are_checked),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
