/*
 * Memory that runs out: every allocation of the folder fails once, in every kind of picture; the call
 * reports it, leaves no file and leaks nothing (the last is for the sanitizer to see).
 */
#include "images.h"

#include "draw/report.h"
#include "movie/movie.h"
#include "picture.h"
#include "plot/plot.h"

#include <math.h>

static int64_t allowed; /* allocations before one fails; negative: all succeed */

/* The linker puts these in the place of picture_allocate. */
void *__real_picture_allocate(int64_t count, size_t element_size);
void *__wrap_picture_allocate(int64_t count, size_t element_size);

void *__wrap_picture_allocate(int64_t count, size_t element_size)
{
  if (allowed == 0) {
    allowed = -1;
    return NULL;
  }
  allowed -= allowed > 0;
  return __real_picture_allocate(count, element_size);
}

enum { MANY = 21000 };
static double xs[MANY], radii[MANY], values[MANY];
static const double ends[12] = {0, 0, 0, 3, 3, 3, 1, 0, 0, 0, 2, 1}, line_values[2] = {1.0, 2.0};
static floc_shape shapes[3];

static picture_scene scene_of(int32_t dimension, int64_t count)
{
  for (int k = 0; k < MANY; k++) {
    xs[k] = k % 150;
    radii[k] = 0.5;
    values[k] = k;
  }
  for (int k = 0; k < 3; k++)
    shapes[k] = (floc_shape){.kind = k == 0   ? FLOC_SHAPE_PLANE
                                     : k == 1 ? FLOC_SHAPE_HOLLOW
                                              : FLOC_SHAPE_SEGMENT,
                             .points = {{0, 0, 0}, {1, 1, 1}},
                             .radius = 1.0};
  picture_scene scene;
  picture_scene_init(&scene);
  scene.dimension = dimension;
  scene.particle_count = count;
  scene.x = scene.z = xs;
  scene.y = scene.value = values;
  scene.radius = radii;
  scene.shapes = shapes;
  scene.shape_count = 3;
  scene.tubes.count = scene.lines.count = 2;
  scene.tubes.points = scene.lines.points = ends;
  scene.tubes.value = line_values;
  return scene;
}

static void check_every_failure(const char *name, const picture_scene *scenes, int32_t count)
{
  char message[PICTURE_MESSAGE_SIZE];
  picture_options options;
  picture_options_init(&options);
  options.width = options.height = 100;
  int64_t failures = 0;
  for (;; failures++) {
    allowed = failures;
    floc_status status = picture_write(in_folder(name), &options, scenes, count, message, sizeof message);
    if (allowed >= 0) { /* it was not needed */
      assert_int_equal(status, FLOC_OK);
      break;
    }
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_non_null(strstr(message, "out of memory"));
    assert_int_equal(files_in_folder(), 0);
  }
  allowed = -1;
  assert_true(failures >= 4);
  empty_folder();
}

static void pictures_survive_every_failure(void **state)
{
  (void)state;
  static const char *const names[3] = {"m.png", "m.svg", "m.pdf"};
  for (int k = 0; k < 3; k++) {
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      picture_scene few[2] = {scene_of(dimension, 200), scene_of(dimension, 0)};
      check_every_failure(names[k], few, 2);
      picture_scene many = scene_of(dimension, MANY);
      check_every_failure(names[k], &many, 1);
    }
  }
}

static void plots_survive_every_failure(void **state)
{
  (void)state;
  char message[PICTURE_MESSAGE_SIZE];
  plot_panel panel;
  plot_panel_init(&panel);
  plot_options options;
  plot_options_init(&options);
  int64_t failures = 0;
  for (;; failures++) {
    allowed = failures;
    floc_status status = plot_write(in_folder("m.png"), &options, &panel, 1, message, sizeof message);
    if (allowed >= 0) break;
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_int_equal(files_in_folder(), 0);
  }
  allowed = -1;
  assert_true(failures >= 3);
  empty_folder();
}

static void movies_survive_every_failure(void **state)
{
  (void)state;
  char message[PICTURE_MESSAGE_SIZE];
  picture_scene scene = scene_of(2, 10);
  picture_options options;
  picture_options_init(&options);
  int64_t failures = 0;
  for (;; failures++) {
    picture_movie *movie;
    allowed = failures;
    floc_status status = picture_movie_open(in_folder("m%d.png"), 100, 100, 25, &movie, message, sizeof message);
    if (status == FLOC_OK) status = picture_movie_frame(movie, &options, &scene, 1, message, sizeof message);
    picture_movie_abandon(movie);
    if (allowed >= 0) break;
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    assert_int_equal(files_in_folder(), 0);
  }
  allowed = -1;
  assert_true(failures >= 6);
  assert_int_equal(files_in_folder(), 1);
  empty_folder();
}

static void sizes_beyond_memory_are_refused(void **state)
{
  (void)state;
  allowed = -1;
  assert_null(picture_allocate(INT64_MAX / 2, 16));
  free(picture_allocate(0, 16));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures_survive_every_failure),
      cmocka_unit_test(plots_survive_every_failure),
      cmocka_unit_test(movies_survive_every_failure),
      cmocka_unit_test(sizes_beyond_memory_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
