/*
 * Movies: numbered PNG files; ffmpeg missing, dying, refusing, working. A small script of the name ffmpeg
 * stands in for it, so that every way it can behave is met on every machine; the real one is used as
 * well where it is installed.
 */
#include "images.h"

#include "movie/movie.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { WIDTH = 101, HEIGHT = 80 };
static char message[PICTURE_MESSAGE_SIZE];
static char real_path[4096];

static picture_scene ball(double *column)
{
  picture_scene scene;
  picture_scene_init(&scene);
  scene.particle_count = 1;
  scene.x = scene.y = column;
  scene.radius = column + 1;
  return scene;
}

static floc_status add_frames(picture_movie *movie, int count)
{
  double column[2] = {1.0, 0.5};
  picture_scene scene = ball(column);
  picture_options options;
  picture_options_init(&options);
  floc_status status = FLOC_OK;
  for (int k = 0; k < count && status == FLOC_OK; k++) {
    column[0] = k;
    status = picture_movie_frame(movie, &options, &scene, 1, message, sizeof message);
  }
  return status;
}

static picture_movie *open_movie(const char *name, double rate)
{
  picture_movie *movie;
  floc_status status = picture_movie_open(in_folder(name), WIDTH, HEIGHT, rate, &movie, message, sizeof message);
  if (status != FLOC_OK) fail_msg("%s", message);
  return movie;
}

/* Puts a program of the name ffmpeg into the test's folder and nothing else into PATH but the shell's. */
static void stand_in(const char *script)
{
  char path[5000];
  assert_int_equal(mkdir(in_folder("bin"), 0777), 0);
  FILE *file = fopen(in_folder("bin/ffmpeg"), "w");
  fprintf(file, "#!/bin/sh\n%s\n", script);
  fclose(file);
  chmod(in_folder("bin/ffmpeg"), 0777);
  snprintf(path, sizeof path, "%s:%s", in_folder("bin"), real_path);
  setenv("PATH", path, 1);
}

static void stand_down(void)
{
  setenv("PATH", real_path, 1);
  unlink(in_folder("bin/ffmpeg"));
  rmdir(in_folder("bin"));
  assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left over */
}

static void frames_can_be_numbered_files(void **state)
{
  (void)state;
  picture_movie *movie = open_movie("frame-%03d.png", 0.0);
  assert_int_equal(add_frames(movie, 3), FLOC_OK);
  assert_int_equal(picture_movie_count(movie), 3);
  assert_int_equal(picture_movie_continue(movie, 41, message, sizeof message), FLOC_OK);
  assert_int_equal(add_frames(movie, 1), FLOC_OK);
  assert_int_equal(picture_movie_continue(movie, -1, message, sizeof message), FLOC_INVALID_ARGUMENT);
  assert_int_equal(picture_movie_close(movie, message, sizeof message), FLOC_OK);
  assert_int_equal(files_in_folder(), 4);
  static const char *const names[] = {"frame-000.png", "frame-001.png", "frame-002.png", "frame-041.png"};
  for (int k = 0; k < 4; k++) {
    image picture = read_png(in_folder(names[k]));
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    assert_true(pixels_unlike(&picture, 10, 10, 90, 70, 0xffffff) > 100);
    free(picture.pixels);
  }
  empty_folder();
}

static void ffmpeg_gets_every_byte_and_the_right_arguments(void **state)
{
  (void)state;
  char script[1200];
  snprintf(script, sizeof script, "echo \"$@\" > %s\nfor last; do :; done\ncat > \"$last\"",
           in_folder("arguments"));
  stand_in(script);
  picture_movie *movie = open_movie("a.mp4", 12.5);
  assert_int_equal(add_frames(movie, 4), FLOC_OK);
  assert_int_equal(picture_movie_continue(movie, 3, message, sizeof message), FLOC_NOT_SUPPORTED);
  if (picture_movie_close(movie, message, sizeof message) != FLOC_OK) fail_msg("%s", message);
  long size;
  char *film = read_whole(in_folder("a.mp4"), &size);
  assert_int_equal(size, 4 * 4 * WIDTH * HEIGHT);
  uint32_t first;
  memcpy(&first, film, sizeof first);
  assert_int_equal(first, 0xffffffffu);
  free(film);
  char *arguments = read_whole(in_folder("arguments"), NULL);
  assert_non_null(strstr(arguments, "-s 101x80"));
  assert_non_null(strstr(arguments, "-framerate 12.5"));
  assert_non_null(strstr(arguments, "-f mp4"));
  free(arguments);
  unlink(in_folder("arguments"));
  stand_down();
  assert_int_equal(files_in_folder(), 1);
  empty_folder();
}

static void a_missing_ffmpeg_is_named(void **state)
{
  (void)state;
  picture_movie *movie;
  setenv("PATH", test_folder, 1);
  floc_status status = picture_movie_open(in_folder("b.mp4"), 100, 100, 25, &movie, message, sizeof message);
  setenv("PATH", real_path, 1);
  assert_int_equal(status, FLOC_NOT_FOUND);
  assert_null(movie);
  assert_non_null(strstr(message, "ffmpeg, which is not installed"));
  assert_non_null(strstr(message, "%05d.png"));
  assert_int_equal(files_in_folder(), 0);
}

static void a_dying_ffmpeg_is_an_error_and_no_signal(void **state)
{
  (void)state;
  stand_in("echo 'Unknown encoder' >&2\nexit 1");
  picture_movie *movie = open_movie("c.webm", 25);
  floc_status status = add_frames(movie, 500);
  assert_int_equal(status, FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "Unknown encoder"));
  assert_int_equal(add_frames(movie, 1), FLOC_WRONG_STATE);
  assert_int_equal(picture_movie_close(movie, message, sizeof message), FLOC_FILE_ERROR);
  stand_down();
  stand_in("cat > /dev/null\necho 'Disk is full' >&2\nexit 1"); /* takes all, then fails */
  movie = open_movie("c.webm", 25);
  assert_int_equal(add_frames(movie, 2), FLOC_OK);
  assert_int_equal(picture_movie_close(movie, message, sizeof message), FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "Disk is full"));
  stand_down();
  assert_int_equal(files_in_folder(), 0);
}

static void an_abandoned_movie_leaves_nothing(void **state)
{
  (void)state;
  stand_in("cat > /dev/null");
  picture_movie *movie = open_movie("d.gif", 10);
  assert_int_equal(add_frames(movie, 1), FLOC_OK);
  picture_movie_abandon(movie);
  movie = open_movie("d.gif", 10);
  assert_int_equal(picture_movie_close(movie, message, sizeof message), FLOC_WRONG_STATE);
  assert_non_null(strstr(message, "no frames"));
  stand_down();
  assert_int_equal(files_in_folder(), 0);
  assert_int_equal(picture_movie_close(NULL, message, sizeof message), FLOC_OK);
  picture_movie_abandon(NULL);
}

static void wrong_movies_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *path;
    int32_t width, height;
    double rate;
    floc_status status;
  } cases[] = {
      {"x.avi", 100, 100, 25, FLOC_INVALID_ARGUMENT},       {"", 100, 100, 25, FLOC_INVALID_ARGUMENT},
      {"x.png", 100, 100, 25, FLOC_INVALID_ARGUMENT},       {"x-%s.png", 100, 100, 25, FLOC_INVALID_ARGUMENT},
      {"x-%d-%d.png", 100, 100, 25, FLOC_INVALID_ARGUMENT}, {"x-%123d.png", 100, 100, 25, FLOC_INVALID_ARGUMENT},
      {"x.mp4", 0, 100, 25, FLOC_INVALID_ARGUMENT},         {"x.mp4", 100, 99999, 25, FLOC_INVALID_ARGUMENT},
      {"x.mp4", 100, 100, 0, FLOC_INVALID_ARGUMENT},        {"x.mp4", 100, 100, 0.0 / 0.0, FLOC_INVALID_ARGUMENT},
      {"missing/x.mp4", 100, 100, 25, FLOC_FILE_ERROR}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    picture_movie *movie;
    const char *path = *cases[k].path ? in_folder(cases[k].path) : "";
    assert_int_equal(
        picture_movie_open(path, cases[k].width, cases[k].height, cases[k].rate, &movie, message, sizeof message),
        cases[k].status);
    assert_null(movie);
    assert_true(strlen(message) > 10);
  }
  picture_movie *movie;
  assert_int_equal(picture_movie_open(NULL, 100, 100, 25, &movie, NULL, 0), FLOC_INVALID_ARGUMENT);
  movie = open_movie("missing/%d.png", 1);
  assert_int_equal(add_frames(movie, 1), FLOC_FILE_ERROR);
  picture_movie_abandon(movie);
  assert_int_equal(files_in_folder(), 0);
}

static void the_real_ffmpeg_makes_films(void **state)
{
  (void)state;
  if (system("ffmpeg -version > /dev/null 2>&1") != 0) skip();
  static const char *const names[] = {"e.mp4", "e.webm", "e.gif"};
  static const char *const marks[] = {"ftyp", "\x1a\x45\xdf\xa3", "GIF89a"};
  static const int offsets[] = {4, 0, 0};
  for (int k = 0; k < 3; k++) {
    picture_movie *movie = open_movie(names[k], 25);
    assert_int_equal(add_frames(movie, 5), FLOC_OK);
    if (picture_movie_close(movie, message, sizeof message) != FLOC_OK) fail_msg("%s", message);
    long size;
    char *film = read_whole(in_folder(names[k]), &size);
    assert_true(size > 500);
    assert_memory_equal(film + offsets[k], marks[k], strlen(marks[k]));
    free(film);
  }
  assert_int_equal(files_in_folder(), 3);
  empty_folder();
}

static int prepare(void **state)
{
  snprintf(real_path, sizeof real_path, "%s", getenv("PATH") ? getenv("PATH") : "");
  return make_folder(state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_can_be_numbered_files),
      cmocka_unit_test(ffmpeg_gets_every_byte_and_the_right_arguments),
      cmocka_unit_test(a_missing_ffmpeg_is_named),
      cmocka_unit_test(a_dying_ffmpeg_is_an_error_and_no_signal),
      cmocka_unit_test(an_abandoned_movie_leaves_nothing),
      cmocka_unit_test(wrong_movies_are_refused),
      cmocka_unit_test(the_real_ffmpeg_makes_films),
  };
  return cmocka_run_group_tests(tests, prepare, remove_folder);
}
