/*
 * Whole pictures: drawn, opened again, and looked at pixel by pixel.
 */
#include "images.h"

#include "picture.h"

#include <math.h>
#include <time.h>

enum { MANY = 20500 };
static char message[PICTURE_MESSAGE_SIZE];
static double xs[MANY], ys[MANY], zs[MANY], radii[MANY], values[MANY];
static int32_t groups[MANY], colours[MANY];

static picture_scene scene_of(int64_t count)
{
  picture_scene scene;
  picture_scene_init(&scene);
  scene.particle_count = count;
  scene.x = xs;
  scene.y = ys;
  scene.z = zs;
  scene.radius = radii;
  return scene;
}

/* A window of 8 by 6 without anything around it but the margin. */
static picture_scene framed_scene(int64_t count)
{
  picture_scene scene = scene_of(count);
  scene.view.lower[0] = scene.view.lower[1] = 0.0;
  scene.view.upper[0] = 8.0;
  scene.view.upper[1] = 6.0;
  scene.scale_bar = false;
  return scene;
}

static picture_options options_of(int32_t width, int32_t height)
{
  picture_options options;
  picture_options_init(&options);
  options.width = width;
  options.height = height;
  options.text_size = 10.0; /* margin: 9 pixels */
  return options;
}

static image draw(const picture_options *options, const picture_scene *scenes, int32_t count)
{
  image result = {0};
  floc_status status = picture_size(options, scenes, count, &result.width, &result.height, message, sizeof message);
  if (status != FLOC_OK) fail_msg("%s", message);
  result.pixels = malloc(4 * (size_t)result.width * (size_t)result.height);
  memset(result.pixels, 0x5a, 4 * (size_t)result.width * (size_t)result.height);
  status =
      picture_draw(options, scenes, count, result.pixels, result.width, result.height, message, sizeof message);
  if (status != FLOC_OK) fail_msg("%s", message);
  assert_string_equal(message, "");
  return result;
}

static void put(int64_t k, double x, double y, double radius)
{
  xs[k] = x;
  ys[k] = y;
  zs[k] = 0.0;
  radii[k] = radius;
}

/* ---- particles where they should be, in the right colour --------------------------------------------- */

/* 818 by 618 pixels: 100 pixels per length, origin at (9, 609). */
static const picture_options *hundred_per_length(void)
{
  static picture_options options;
  options = options_of(818, 618);
  return &options;
}

static void particles_lie_where_they_should(void **state)
{
  (void)state;
  put(0, 2.0, 1.5, 0.5);
  put(1, 6.0, 4.0, 0.25);
  picture_scene scene = framed_scene(2);
  scene.particle_colour = 0xcc2244;
  image picture = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&picture, 9 + 200, 609 - 150, 0xcc2244, 0);
  assert_pixel(&picture, 9 + 245, 609 - 150, 0xcc2244, 0);
  assert_pixel(&picture, 9 + 253, 609 - 150, 0xffffff, 0);
  assert_pixel(&picture, 9 + 600, 609 - 400, 0xcc2244, 0);
  assert_pixel(&picture, 9 + 600, 609 - 428, 0xffffff, 0);
  uint32_t rim = pixel(&picture, 9 + 249, 609 - 150);
  assert_true((rim >> 16 & 255) < 0xb0);
  free(picture.pixels);
  scene.outline = false;
  picture = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&picture, 9 + 248, 609 - 150, 0xcc2244, 0);
  free(picture.pixels);
}

static void huge_offsets_change_nothing(void **state)
{
  (void)state;
  put(0, 2.0, 1.5, 0.5);
  put(1, 6.0, 4.0, 0.25);
  picture_scene scene = framed_scene(2);
  image near = draw(hundred_per_length(), &scene, 1);
  double offset = 1048576.0 * 1024.0;
  for (int k = 0; k < 2; k++) xs[k] += offset;
  scene.view.lower[0] += offset;
  scene.view.upper[0] += offset;
  image far = draw(hundred_per_length(), &scene, 1);
  assert_memory_equal(near.pixels, far.pixels, 4 * (size_t)near.width * (size_t)near.height);
  free(near.pixels);
  free(far.pixels);
}

static void colours_follow_values(void **state)
{
  (void)state;
  for (int k = 0; k < 6; k++) put(k, 1.0 + k, 3.0, 0.3);
  const double given[6] = {0.0, 0.25, 0.5, 1.0, NAN, INFINITY};
  memcpy(values, given, sizeof given);
  picture_scene scene = framed_scene(6);
  scene.value = values;
  scene.scale.legend = false;
  image picture = draw(hundred_per_length(), &scene, 1);
  for (int k = 0; k < 4; k++)
    assert_pixel(&picture, 9 + 100 * (k + 1), 309, picture_map_colour("viridis", given[k]), 2);
  assert_pixel(&picture, 9 + 500, 309, 0xb4b4b4, 0);
  assert_pixel(&picture, 9 + 600, 309, picture_map_colour("viridis", 1.0), 0);
  free(picture.pixels);
  scene.scale.map = "magma";
  scene.scale.lower = -1.0;
  scene.scale.upper = 1.0;
  picture = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&picture, 9 + 100, 309, picture_map_colour("magma", 0.5), 2);
  free(picture.pixels);
  for (int k = 0; k < 6; k++) {
    groups[k] = k - 1;
    colours[k] = k == 5 ? 0x123456 : PICTURE_AUTOMATIC;
  }
  scene.group = groups; /* groups go before values, explicit colours before both */
  scene.colour = colours;
  picture = draw(hundred_per_length(), &scene, 1);
  for (int k = 0; k < 5; k++) assert_pixel(&picture, 9 + 100 * (k + 1), 309, picture_group_colour(k - 1), 0);
  assert_pixel(&picture, 9 + 600, 309, 0x123456, 0);
  free(picture.pixels);
}

/* Values beyond a window, or beyond what a zoom leaves, do not stretch the colours in it. */
static void colours_are_of_what_is_seen(void **state)
{
  (void)state;
  const double ends[12] = {2.0, 4.0, 0.0, 3.0, 4.0, 0.0, 9.0, 7.0, 0.0, 12.0, 9.0, 0.0}, tubes[2] = {0.5, -70.0};
  put(0, 2.0, 3.0, 0.3);
  put(1, 4.0, 3.0, 0.3);
  put(2, 6.0, 3.0, 0.3);
  put(3, 8.2, 3.0, 0.3); /* its edge is seen */
  put(4, 8.4, 3.0, 0.3);
  put(5, 4.0, -40.0, 0.3);
  const double given[6] = {0.0, 0.25, 0.5, 1.0, 50.0, -50.0};
  memcpy(values, given, sizeof given);
  for (int zoomed = 0; zoomed < 2; zoomed++) {
    picture_scene scene = framed_scene(6);
    scene.value = values;
    scene.scale.legend = scene.tubes.scale.legend = false;
    scene.tubes.count = 2;
    scene.tubes.points = ends;
    scene.tubes.value = tubes;
    scene.tubes.scale.map = "magma";
    if (zoomed) scene.view.zoom = 2.0; /* 2 to 6 by 1.5 to 4.5; the fourth is beyond it */
    image picture = draw(hundred_per_length(), &scene, 1);
    int32_t length = zoomed ? 200 : 100; /* the middle, (4, 3), is at (409, 309) */
    assert_pixel(&picture, 409, 309, picture_map_colour("viridis", zoomed ? 0.5 : 0.25), 2);
    assert_pixel(&picture, 409 - 3 * length / 2, 309 - length, picture_map_colour("magma", 0.5), 2); /* one value */
    free(picture.pixels);
  }
}

/* 4 by 3 cells of 2 by 2: each has its colour up to its edges, and what the scale has no place for stays empty. */
static void fields_are_drawn_cell_by_cell(void **state)
{
  (void)state;
  double field[12];
  for (int k = 0; k < 12; k++) field[k] = k;
  field[6] = NAN;
  put(0, 1.0, 1.0, 0.5);
  picture_scene scene = framed_scene(1);
  scene.particle_opacity = 0.0;
  scene.field.cells_x = 4;
  scene.field.cells_y = 3;
  scene.field.spacing[0] = scene.field.spacing[1] = 2.0;
  scene.field.value = field;
  scene.field.scale.legend = false;
  image picture = draw(hundred_per_length(), &scene, 1);
  for (int k = 0; k < 12; k++)
    for (int corner = 0; corner < 5; corner++) { /* the middle, and three pixels from each corner */
      const int x = 9 + 200 * (k % 4) +
                    (corner == 4  ? 100
                     : corner % 2 ? 197
                                  : 3),
                y = 609 - 200 * (k / 4) -
                    (corner == 4  ? 100
                     : corner / 2 ? 197
                                  : 3);
      assert_pixel(&picture, x, y, k == 6 ? 0xffffff : picture_map_colour("viridis", k / 11.0), 2);
    }
  free(picture.pixels);
  scene.particle_opacity = 1.0; /* over it */
  scene.particle_colour = 0xcc2244;
  scene.field.lower[0] = 4.0; /* half of it is outside of the window, and says nothing about the colours */
  scene.field.scale.logarithmic = true;
  picture = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&picture, 9 + 100, 609 - 100, 0xcc2244, 0);
  assert_pixel(&picture, 9 + 300, 609 - 100, 0xffffff, 0);
  assert_pixel(&picture, 9 + 500, 609 - 100, 0xffffff, 0); /* the value is 0 */
  assert_pixel(&picture, 9 + 700, 609 - 100, picture_map_colour("viridis", 0.0), 2);
  assert_pixel(&picture, 9 + 500, 609 - 300, picture_map_colour("viridis", log(4.0) / log(9.0)), 2);
  assert_pixel(&picture, 9 + 700, 609 - 500, picture_map_colour("viridis", 1.0), 2);
  free(picture.pixels);
  scene.field.scale.legend = true; /* it takes space */
  picture = draw(hundred_per_length(), &scene, 1);
  assert_true(pixel(&picture, 9 + 100, 609 - 100) != 0xffcc2244u);
  free(picture.pixels);
  picture_options options = options_of(400, 300);
  scene.field.spacing[1] = 0.0;
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "field.lower[1] is 0 and spacing[1] 0"));
  scene.field.spacing[1] = 2.0;
  scene.field.value = NULL;
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "field has 4 cells by 3 and value NULL"));
  scene.field.value = field;
  scene.field.cells_y = -1;
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "field.cells_y is -1"));
  scene.field.cells_y = 3;
  scene.dimension = 3;
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_NOT_SUPPORTED);
  assert_non_null(strstr(message, "field is given for a scene of 3 dimensions"));
  assert_int_equal(files_in_folder(), 0);
}

static void solid_particles_follow_values(void **state)
{
  (void)state;
  put(0, 2.0, 3.0, 1.0);
  put(1, 6.0, 3.0, 1.0);
  values[0] = 0.0;
  values[1] = 1.0;
  picture_scene scene = framed_scene(2);
  scene.dimension = 3;
  scene.view.direction[0] = scene.view.direction[1] = 0.0;
  scene.view.lower[2] = -3.0;
  scene.view.upper[2] = 3.0;
  scene.value = values;
  scene.scale.legend = scene.axes = false;
  image picture = draw(hundred_per_length(), &scene, 1);
  uint32_t violet = pixel(&picture, 818 * 0.26, 309), yellow = pixel(&picture, 818 * 0.74, 309);
  assert_true((violet & 255) > (violet >> 8 & 255) + 20);
  assert_true((yellow >> 8 & 255) > (yellow & 255) + 60 && (yellow >> 16 & 255) > (yellow & 255) + 60);
  zs[1] = 5.0; /* in front of the box that was asked for: cut away */
  image cut = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&cut, 818 * 0.74, 309, 0xffffff, 0);
  free(picture.pixels);
  free(cut.pixels);
}

/* ---- bodies, tubes, lines ---------------------------------------------------------------------------- */

static void flat_bodies_are_drawn(void **state)
{
  (void)state;
  floc_shape shapes[5] = {
      {.kind = FLOC_SHAPE_SEGMENT, .points = {{1, 1, 0}, {3, 1, 0}}, .radius = 0.1},
      {.kind = FLOC_SHAPE_SPHERE, .points = {{5, 4, 0}}, .radius = 0.5},
      {.kind = FLOC_SHAPE_HOLLOW, .points = {{2, 4, 0}}, .radius = 1.0},
      {.kind = FLOC_SHAPE_PLANE, .points = {{0, 0.5, 0}, {0, 1, 0}}},
      {.kind = FLOC_SHAPE_SEGMENT, .points = {{4, 2, 0}, {7, 2, 0}}, .radius = 0.0},
  };
  const int32_t own[5] = {0xff0000, PICTURE_AUTOMATIC, PICTURE_AUTOMATIC, PICTURE_AUTOMATIC, 0x00ff00};
  picture_scene scene = framed_scene(0);
  scene.shapes = shapes;
  scene.shape_count = 5;
  scene.shape_colour = own;
  scene.body_colour = 0x0000ff;
  image picture = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&picture, 9 + 200, 609 - 108, 0xff0000, 0);
  assert_pixel(&picture, 9 + 200, 609 - 112, 0xffffff, 0);
  assert_pixel(&picture, 9 + 92, 609 - 100, 0xff0000, 40); /* round end */
  uint32_t inside = pixel(&picture, 9 + 500, 609 - 400);
  assert_true((inside & 255) > (inside >> 16 & 255) + 60);
  assert_pixel(&picture, 9 + 200, 609 - 400, 0xffffff, 0); /* hollow */
  assert_true(pixels_unlike(&picture, 9 + 200, 609 - 504, 9 + 202, 609 - 496, 0xffffff) > 2);
  assert_true(pixels_unlike(&picture, 9 + 550, 609 - 204, 9 + 551, 609 - 196, 0xffffff) >= 1); /* thin, but there */
  assert_true(pixels_unlike(&picture, 9 + 100, 609 - 53, 9 + 700, 609 - 48, 0xffffff) > 500);
  assert_true(pixels_unlike(&picture, 9 + 100, 609 - 48, 9 + 700, 609 - 44, 0xffffff) > 100); /* hatched below */
  assert_int_equal(pixels_unlike(&picture, 9 + 100, 609 - 60, 9 + 700, 609 - 53, 0xffffff), 0);
  free(picture.pixels);
}

static void darker_tubes_are_more_glued(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) put(k, 1.0 + 2.0 * k, 3.0, 0.9);
  const double ends[18] = {1, 3, 0, 3, 3, 0, 3, 3, 0, 5, 3, 0, 5, 3, 0, 7, 3, 0}, gamma[3] = {-10.0, -5.0, 0.0};
  picture_scene scene = framed_scene(4);
  scene.tubes.count = 3;
  scene.tubes.points = ends;
  scene.tubes.value = gamma;
  scene.tubes.width = 0.4;
  scene.tubes.scale.legend = false;
  image picture = draw(hundred_per_length(), &scene, 1);
  for (int k = 0; k < 3; k++)
    assert_pixel(&picture, 9 + 200 * (k + 1), 309, picture_map_colour("grey", 0.5 * k), 2);
  assert_pixel(&picture, 9 + 200, 309 - 19, picture_map_colour("grey", 0.0), 3);
  assert_pixel(&picture, 9 + 200, 309 - 22, 0xffffff, 0);
  assert_true((pixel(&picture, 9 + 100, 309 - 60) & 255) > 200); /* pale particles under them */
  free(picture.pixels);
}

static void lines_and_arrows_are_drawn(void **state)
{
  (void)state;
  const double ends[12] = {1, 1, 0, 7, 1, 0, 1, 5, 0, 7, 5, 0}, energy[2] = {1.0, 2.0};
  picture_scene scene = framed_scene(0);
  scene.lines.count = 2;
  scene.lines.points = ends;
  scene.lines.value = energy;
  scene.lines.width = 4.0;
  scene.lines.scale.legend = false;
  image plain = draw(hundred_per_length(), &scene, 1);
  assert_pixel(&plain, 9 + 400, 609 - 100, picture_map_colour("inferno", 0.0), 4);
  assert_pixel(&plain, 9 + 400, 609 - 500, picture_map_colour("inferno", 1.0), 4);
  assert_pixel(&plain, 9 + 695, 609 - 105, 0xffffff, 0);
  scene.lines.arrows = true;
  image arrows = draw(hundred_per_length(), &scene, 1);
  long heads = pixels_unlike(&arrows, 9 + 680, 609 - 106, 9 + 700, 609 - 103, 0xffffff);
  assert_true(heads > 4 && pixels_unlike(&plain, 9 + 680, 609 - 106, 9 + 700, 609 - 103, 0xffffff) == 0);
  free(plain.pixels);
  free(arrows.pixels);
}

static void domains_are_outlined(void **state)
{
  (void)state;
  picture_scene scene = framed_scene(0);
  scene.boundary[0] = FLOC_BOUNDARY_WALL;
  scene.boundary[1] = FLOC_BOUNDARY_PERIODIC;
  scene.domain_lower[0] = scene.domain_lower[1] = 1.0;
  scene.domain_upper[0] = 7.0;
  scene.domain_upper[1] = 5.0;
  scene.body_colour = 0x000000;
  image picture = draw(hundred_per_length(), &scene, 1);
  long wall = pixels_unlike(&picture, 9 + 98, 609 - 450, 9 + 102, 609 - 150, 0xffffff);
  long periodic = pixels_unlike(&picture, 9 + 150, 609 - 502, 9 + 650, 609 - 498, 0xffffff);
  assert_true(wall >= 300);
  assert_true(periodic > 200 && periodic < 2 * 480); /* dashed */
  free(picture.pixels);
}

/* The upper face of a skew cell is shifted, its sides lean; the automatic window holds all of it. */
static void skew_cells_are_outlined(void **state)
{
  (void)state;
  picture_scene scene = framed_scene(0);
  scene.boundary[0] = scene.boundary[1] = FLOC_BOUNDARY_PERIODIC;
  scene.domain_lower[0] = scene.domain_lower[1] = 1.0;
  scene.domain_upper[0] = 4.0;
  scene.domain_upper[1] = 5.0;
  scene.body_colour = 0x000000;
  for (int plane = 0; plane < 2; plane++) {
    scene.shear_plane = plane == 0 ? FLOC_SHEAR_PLANE_XY : FLOC_SHEAR_PLANE_YX;
    scene.domain_offset = plane == 0 ? 2.0 : -1.0;
    image picture = draw(hundred_per_length(), &scene, 1);
    /* the upper face, where it is and where the upright one ended; the middle of the side at the left */
    long top = pixels_unlike(&picture, 9 + 420, 609 - 502, 9 + 590, 609 - 498, 0xffffff);
    long side = pixels_unlike(&picture, 9 + 180, 609 - 330, 9 + 220, 609 - 270, 0xffffff);
    long upright = pixels_unlike(&picture, 9 + 98, 609 - 330, 9 + 102, 609 - 270, 0xffffff);
    long slope = pixels_unlike(&picture, 9 + 230, 609 - 80, 9 + 270, 609 - 20, 0xffffff);
    if (plane == 0)
      assert_true(top > 80 && side > 20 && upright == 0 && slope == 0);
    else
      assert_true(top == 0 && side == 0 && upright > 20 && slope > 10);
    free(picture.pixels);
  }
}

/* ---- text around the scene -------------------------------------------------------------------------- */

static void captions_legend_and_bar_are_there(void **state)
{
  (void)state;
  put(0, 2.0, 1.5, 0.5);
  values[0] = 3.0;
  picture_scene bare = framed_scene(1), full = bare;
  full.value = values;
  full.scale.label = "speed";
  full.scale.unit = "m s^{-1}";
  full.scale_bar = true;
  full.length_unit = "m";
  full.note = "a note";
  picture_options plain = options_of(700, 500), options = plain;
  options.caption_left = "step 10";
  options.caption_right = "right";
  options.title = "Title";
  image without = draw(&plain, &bare, 1), with = draw(&options, &full, 1);
  assert_int_equal(pixels_unlike(&without, 0, 492, 700, 500, 0xffffff), 0);
  assert_true(pixels_unlike(&with, 0, 480, 100, 500, 0xffffff) > 50);                     /* caption left */
  assert_true(pixels_unlike(&with, 600, 480, 700, 500, 0xffffff) > 30);                   /* caption right */
  assert_true(pixels_unlike(&with, 300, 5, 400, 25, 0xffffff) > 50);                      /* title */
  assert_true(pixels_like(&with, (uint32_t)picture_map_colour("viridis", 0.0), 12) > 20); /* colour bar */
  assert_true(pixels_like(&with, (uint32_t)picture_map_colour("viridis", 1.0), 12) > 20);
  int edge = 0; /* nothing is cut off at the sheet's edges */
  for (int k = 0; k < 700; k++) edge += pixel(&with, k, 0) != 0xffffff || pixel(&with, k, 499) != 0xffffff;
  for (int k = 0; k < 500; k++) edge += pixel(&with, 0, k) != 0xffffff || pixel(&with, 699, k) != 0xffffff;
  assert_int_equal(edge, 0);
  free(without.pixels);
  free(with.pixels);
}

static void long_texts_stay_on_the_sheet(void **state)
{
  (void)state;
  char words[600];
  for (size_t k = 0; k < sizeof words; k++) words[k] = k % 7 == 6 ? ' ' : 'M';
  words[sizeof words - 1] = 0;
  put(0, 2.0, 1.5, 0.5);
  values[0] = 1e-7;
  groups[0] = 0;
  const char *const names[3] = {words, "b", NULL};
  picture_scene scene = scene_of(1);
  scene.title = scene.note = scene.length_unit = words;
  scene.value = values;
  scene.scale.label = words;
  picture_options options = options_of(400, 300);
  options.title = options.caption_left = options.caption_right = words;
  image picture = draw(&options, &scene, 1);
  for (int k = 0; k < 300; k++)
    assert_true(pixel(&picture, 0, k) == 0xffffff && pixel(&picture, 399, k) == 0xffffff);
  free(picture.pixels);
  scene.group = groups;
  scene.group_names = names;
  scene.group_name_count = 3;
  free(draw(&options, &scene, 1).pixels);
}

static void dark_backgrounds_get_light_texts(void **state)
{
  (void)state;
  picture_scene scene = scene_of(0);
  picture_options options = options_of(300, 200);
  options.background = 0x101010;
  options.caption_left = "light";
  image picture = draw(&options, &scene, 1);
  assert_pixel(&picture, 2, 2, 0x101010, 0);
  assert_true(pixels_like(&picture, 0xf0f0f0, 120) > 20);
  free(picture.pixels);
  options.transparent = true;
  picture = draw(&options, &scene, 1);
  assert_int_equal(picture.pixels[5 * 300 + 5], 0);
  free(picture.pixels);
}

/* ---- panels ------------------------------------------------------------------------------------------ */

static void panels_share_one_scale(void **state)
{
  (void)state;
  double low[1] = {0.0}, high[1] = {10.0};
  put(0, 4.0, 3.0, 2.0);
  picture_scene scenes[2] = {framed_scene(1), framed_scene(1)};
  scenes[0].value = low;
  scenes[1].value = high;
  scenes[0].title = "left";
  scenes[1].title = "right";
  picture_options options = options_of(900, 0);
  options.columns = 2;
  image picture = draw(&options, scenes, 2);
  assert_true(picture.height < 450);
  assert_true(pixels_like(&picture, (uint32_t)picture_map_colour("viridis", 0.0), 3) > 8000);
  assert_true(pixels_like(&picture, (uint32_t)picture_map_colour("viridis", 1.0), 3) > 8000);
  free(picture.pixels);
  options.shared_scale = false; /* each its own: both values are in the middle of theirs */
  picture = draw(&options, scenes, 2);
  assert_true(pixels_like(&picture, (uint32_t)picture_map_colour("viridis", 0.5), 6) > 8000);
  assert_true(pixels_like(&picture, (uint32_t)picture_map_colour("viridis", 1.0), 3) < 4000);
  free(picture.pixels);
}

static void many_panels_are_a_grid(void **state)
{
  (void)state;
  picture_scene scenes[8];
  static double x[8], y[8], radius[8];
  for (int k = 0; k < 8; k++) {
    scenes[k] = framed_scene(1);
    x[k] = 4.0;
    y[k] = 3.0;
    radius[k] = 2.0;
    scenes[k].x = &x[k];
    scenes[k].y = &y[k];
    scenes[k].radius = &radius[k];
    scenes[k].particle_colour = picture_group_colour(k);
    scenes[k].outline = false;
  }
  picture_options options = options_of(1000, 0);
  image picture = draw(&options, scenes, 8);
  for (int k = 0; k < 8; k++) /* each is there, and all are of one size */
    assert_close((double)pixels_like(&picture, (uint32_t)picture_group_colour(k), 0) /
                     (double)pixels_like(&picture, (uint32_t)picture_group_colour(0), 0),
                 1.0, 0.05);
  free(picture.pixels);
}

/* ---- extremes ---------------------------------------------------------------------------------------- */

static void empty_and_single_scenes_are_fine(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int count = 0; count <= 1; count++) {
      put(0, 1e12, -1e12, 0.001);
      picture_scene scene = scene_of(count);
      scene.dimension = dimension;
      scene.value = values;
      picture_options options = options_of(300, 0);
      image picture = draw(&options, &scene, 1);
      if (count == 1) assert_true(pixels_unlike(&picture, 60, 60, 240, picture.height - 60, 0xffffff) > 1000);
      free(picture.pixels);
    }
}

static void every_kind_of_body_is_fine_in_space(void **state)
{
  (void)state;
  floc_shape shapes[5];
  for (int k = 0; k < 5; k++)
    shapes[k] = (floc_shape){.kind = k + 1, .points = {{k, 0, 1}, {k + 1, 1, 0}, {0, k, 2}}, .radius = 0.2 * k};
  const double ends[6] = {0, 0, 0, 3, 3, 3};
  put(0, 1.0, 1.0, 0.5);
  picture_scene scene = scene_of(1);
  scene.dimension = 3;
  scene.shapes = shapes;
  scene.shape_count = 5;
  scene.tubes.count = scene.lines.count = 1;
  scene.tubes.points = scene.lines.points = ends;
  scene.lines.arrows = true;
  for (int c = 0; c < 3; c++) {
    scene.boundary[c] = FLOC_BOUNDARY_PERIODIC;
    scene.domain_lower[c] = -1.0;
    scene.domain_upper[c] = 4.0;
  }
  picture_options options = options_of(400, 400);
  image picture = draw(&options, &scene, 1);
  assert_true(pixels_unlike(&picture, 20, 20, 380, 380, 0xffffff) > 5000);
  free(picture.pixels);
  static const char *const names[3] = {"s.png", "s.svg", "s.pdf"};
  for (int k = 0; k < 3; k++)
    assert_int_equal(picture_write(in_folder(names[k]), &options, &scene, 1, message, sizeof message), FLOC_OK);
  check_svg(in_folder("s.svg"));
  check_pdf(in_folder("s.pdf"));
  empty_folder();
}

static void a_hundred_thousand_take_about_a_second(void **state)
{
  (void)state;
  enum { COUNT = 100000 };
  double *columns = malloc(4 * COUNT * sizeof *columns);
  srand(10);
  for (int k = 0; k < 4 * COUNT; k++) columns[k] = rand() / (double)RAND_MAX;
  for (int k = 0; k < COUNT; k++) columns[3 * COUNT + k] = 0.002 + 0.002 * columns[3 * COUNT + k];
  picture_options options = options_of(700, 0);
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    picture_scene scene = scene_of(COUNT);
    scene.dimension = dimension;
    scene.x = columns;
    scene.y = columns + COUNT;
    scene.z = columns + 2 * COUNT;
    scene.radius = columns + 3 * COUNT;
    scene.value = columns;
    clock_t start = clock();
    image picture = draw(&options, &scene, 1);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(pixels_unlike(&picture, 0, 0, picture.width, picture.height, 0xffffff) > 100000);
    assert_true(seconds < 10.0); /* measured: 0.1 and 0.6; space for sanitizers and busy machines */
    free(picture.pixels);
  }
  free(columns);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void files_show_what_memory_shows(void **state)
{
  (void)state;
  put(0, 2.0, 1.5, 0.5);
  put(1, 6.0, 4.0, 0.25);
  values[0] = 1.0;
  values[1] = 2.0;
  picture_scene scene = framed_scene(2);
  scene.value = values;
  picture_options options = options_of(500, 0);
  image drawn = draw(&options, &scene, 1);
  assert_int_equal(picture_write(in_folder("p.png"), &options, &scene, 1, message, sizeof message), FLOC_OK);
  image read = read_png(in_folder("p.png"));
  assert_int_equal(read.width, drawn.width);
  assert_int_equal(read.height, drawn.height);
  for (long k = 0; k < (long)read.width * read.height; k++)
    assert_int_equal(read.pixels[k] & 0xffffff, drawn.pixels[k] & 0xffffff);
  free(drawn.pixels);
  free(read.pixels);
  empty_folder();
}

static void vectors_hold_each_particle_up_to_a_limit(void **state)
{
  (void)state;
  for (int k = 0; k < MANY; k++) {
    put(k, k % 160 * 0.05, k / 160 * 0.035, 0.01);
    zs[k] = 0.001 * k;
    values[k] = k;
  }
  picture_options options = options_of(600, 0);
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    picture_scene scene = scene_of(200);
    scene.dimension = dimension;
    scene.value = values;
    assert_int_equal(picture_write(in_folder("few.svg"), &options, &scene, 1, message, sizeof message), FLOC_OK);
    assert_int_equal(picture_write(in_folder("few.pdf"), &options, &scene, 1, message, sizeof message), FLOC_OK);
    check_svg(in_folder("few.svg"));
    check_pdf(in_folder("few.pdf"));
    char *text = read_whole(in_folder("few.svg"), NULL);
    assert_null(strstr(text, "<image"));
    int paths = 0;
    for (char *at = text; (at = strstr(at, "<path")); at++) paths++;
    assert_true(paths >= 200);
    free(text);
    scene.particle_count = MANY;
    long size;
    assert_int_equal(picture_write(in_folder("many.svg"), &options, &scene, 1, message, sizeof message), FLOC_OK);
    text = read_whole(in_folder("many.svg"), &size);
    assert_non_null(strstr(text, "<image"));
    assert_true(size < 3000000);
    free(text);
    check_svg(in_folder("many.svg"));
    assert_int_equal(picture_write(in_folder("many.pdf"), &options, &scene, 1, message, sizeof message), FLOC_OK);
    check_pdf(in_folder("many.pdf"));
  }
  empty_folder();
}

/* ---- refusals ---------------------------------------------------------------------------------------- */

static void wrong_calls_are_refused(void **state)
{
  (void)state;
  put(0, NAN, 0.0, 1.0);
  picture_scene scene = scene_of(1);
  picture_options options = options_of(400, 300);
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_NOT_A_NUMBER);
  assert_non_null(strstr(message, "particle 1 of 1"));
  put(0, 0.0, 0.0, 1.0);
  assert_int_equal(picture_write(in_folder("n.jpg"), &options, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 0, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "scene_count is 0"));
  assert_int_equal(picture_write(in_folder("n.png"), NULL, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_int_equal(picture_write(in_folder("n.png"), &options, NULL, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  options.columns = -1;
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, NULL, 0), FLOC_INVALID_ARGUMENT);
  options = options_of(10, 10);
  assert_int_equal(picture_write(in_folder("n.png"), &options, &scene, 1, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "width is 10"));
  options = options_of(400, 300);
  uint32_t one;
  assert_int_equal(picture_draw(&options, &scene, 1, &one, 1, 1, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "400 by 300"));
  assert_int_equal(picture_draw(&options, &scene, 1, NULL, 400, 300, message, sizeof message),
                   FLOC_INVALID_ARGUMENT);
  assert_int_equal(files_in_folder(), 0);
}

static void any_size_and_text_can_be_drawn(void **state)
{
  (void)state;
  srand(11);
  for (int k = 0; k < 400; k++) {
    put(k, rand() % 100, rand() % 100, 1 + rand() % 3);
    zs[k] = rand() % 100;
    values[k] = rand() % 1000;
  }
  for (int round = 0; round < 40; round++) {
    picture_scene scenes[3];
    for (int k = 0; k < 3; k++) {
      scenes[k] = scene_of(rand() % 400);
      scenes[k].dimension = 2 + rand() % 2;
      if (rand() % 2) scenes[k].value = values;
      if (rand() % 2) scenes[k].title = "title";
      scenes[k].view.zoom = 0.2 + rand() % 5;
      scenes[k].scale.label = rand() % 2 ? "label" : NULL;
    }
    picture_options options = options_of(64 + rand() % 300, rand() % 2 ? 0 : 64 + rand() % 300);
    options.text_size = rand() % 4 ? 0.0 : 1 + rand() % 200;
    options.columns = rand() % 5;
    free(draw(&options, scenes, 1 + rand() % 3).pixels);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(particles_lie_where_they_should),
      cmocka_unit_test(huge_offsets_change_nothing),
      cmocka_unit_test(colours_follow_values),
      cmocka_unit_test(colours_are_of_what_is_seen),
      cmocka_unit_test(fields_are_drawn_cell_by_cell),
      cmocka_unit_test(solid_particles_follow_values),
      cmocka_unit_test(flat_bodies_are_drawn),
      cmocka_unit_test(darker_tubes_are_more_glued),
      cmocka_unit_test(lines_and_arrows_are_drawn),
      cmocka_unit_test(domains_are_outlined),
      cmocka_unit_test(skew_cells_are_outlined),
      cmocka_unit_test(captions_legend_and_bar_are_there),
      cmocka_unit_test(long_texts_stay_on_the_sheet),
      cmocka_unit_test(dark_backgrounds_get_light_texts),
      cmocka_unit_test(panels_share_one_scale),
      cmocka_unit_test(many_panels_are_a_grid),
      cmocka_unit_test(empty_and_single_scenes_are_fine),
      cmocka_unit_test(every_kind_of_body_is_fine_in_space),
      cmocka_unit_test(a_hundred_thousand_take_about_a_second),
      cmocka_unit_test(files_show_what_memory_shows),
      cmocka_unit_test(vectors_hold_each_particle_up_to_a_limit),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(any_size_and_text_can_be_drawn),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
