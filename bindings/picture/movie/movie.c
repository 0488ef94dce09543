/*
 * Frames to ffmpeg. The parent's end of the connection is a socket, because a write to a socket can
 * be told not to raise SIGPIPE (MSG_NOSIGNAL), which a write to a pipe cannot: a library may not change
 * the host's signal handling. ffmpeg writes to the temporary name of a floc_new_file, which takes its place when
 * the movie is closed. What ffmpeg says goes into an unnamed temporary file, of which the last line is shown when
 * something fails.
 */
#include "movie/movie.h"
#include "draw/canvas.h"
#include "draw/options.h"

#include "../../plain_numbers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct movie_format {
  const char *ending, *container;
  const char *arguments[10]; /* of ffmpeg, NULL at the end */
} movie_format;

/* Widths and heights of H.264 and VP9 are even with this way of storing colour: a last row or column is
 * added where needed. */
#define EVEN "pad=ceil(iw/2)*2:ceil(ih/2)*2"

static const movie_format formats[] = {
    {".mp4", "mp4", {"-vf", EVEN, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", NULL}},
    {".webm", "webm", {"-vf", EVEN, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", NULL}},
    {".gif", "gif", {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", NULL}},
};

enum { ARGUMENTS = 32, REASON_SIZE = 512 };

struct picture_movie {
  int32_t width, height;
  int64_t count; /* frames so far; number of the next PNG file */
  char *path;
  floc_new_file *fresh; /* ffmpeg writes to its name */
  uint32_t *pixels;     /* one frame */
  pid_t process;        /* ffmpeg; 0: PNG files */
  int socket;           /* to its standard input; -1: closed */
  FILE *words;          /* its standard error */
  size_t before, after; /* PNG: length of the path before the number, and where it continues */
  int digits;
};

/* ---- opening ----------------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending)
{
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcasecmp(path + length - end, ending) == 0;
}

static const movie_format *format_of(const char *path)
{
  for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
    if (ends_with(path, formats[k].ending)) return &formats[k];
  return NULL;
}

/* Finds the one %d, %5d or %05d of a pattern. */
static bool parse_pattern(picture_movie *movie)
{
  const char *mark = strchr(movie->path, '%');
  if (!mark || !ends_with(movie->path, ".png") || strchr(mark + 1, '%')) return false;
  const char *at = mark + 1;
  while (isdigit((unsigned char)*at)) at++;
  if (*at != 'd' || at - mark > 3) return false;
  movie->before = (size_t)(mark - movie->path);
  movie->after = (size_t)(at + 1 - movie->path);
  movie->digits = (int)strtol(mark + 1, NULL, 10);
  return true;
}

static const char *pixel_format(void)
{
  const uint32_t one = 1;
  return *(const unsigned char *)&one == 1 ? "bgra" : "argb";
}

/* Starts ffmpeg with `input` as its standard input; 0 or the reason. */
static int start(picture_movie *movie, const movie_format *format, double rate, int input)
{
  char size[32], frames[32];
  snprintf(size, sizeof size, "%dx%d", movie->width, movie->height);
  plain_print(frames, sizeof frames, "%.6g", rate);
  const char *arguments[ARGUMENTS] = {"ffmpeg",   "-hide_banner", "-loglevel",    "error", "-y", "-f",
                                      "rawvideo", "-pix_fmt",     pixel_format(), "-s",    size, "-framerate",
                                      frames,     "-i",           "pipe:0",       "-an"};
  int count = 16;
  for (int k = 0; format->arguments[k]; k++) arguments[count++] = format->arguments[k];
  arguments[count++] = "-f";
  arguments[count++] = format->container;
  arguments[count++] = floc_new_file_name(movie->fresh);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0) return reason;
  posix_spawnattr_init(&attributes); /* a group of its own: Ctrl-C is for the host, who then closes the movie */
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  reason = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (reason == 0) reason = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (reason == 0) reason = posix_spawn_file_actions_adddup2(&actions, fileno(movie->words), STDERR_FILENO);
  if (reason == 0)
    reason = posix_spawnp(&movie->process, "ffmpeg", &actions, &attributes, (char *const *)(uintptr_t)arguments,
                          environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (reason != 0) movie->process = 0;
  return reason;
}

static floc_status open_film(const picture_report *report, picture_movie *movie, const movie_format *format,
                             double rate)
{
  int ends[2] = {-1, -1};
  movie->words = tmpfile();
  if (!movie->words || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return picture_refuse(report, FLOC_FILE_ERROR, "cannot make %s: %s", movie->path, strerror(errno));
  char said[REASON_SIZE];
  floc_status status =
      floc_new_file_create(movie->path, &movie->fresh, said, sizeof said); /* a wrong folder shows here */
  if (status != FLOC_OK) picture_refuse(report, status, "%s", said);
  if (status == FLOC_OK) {
    int reason = start(movie, format, rate, ends[1]);
    if (reason == ENOENT)
      status =
          picture_refuse(report, FLOC_NOT_FOUND,
                         "%s needs the program ffmpeg, which is not installed; install it, or give a path like "
                         "frames-%%05d.png to get the frames as pictures",
                         movie->path);
    else if (reason != 0)
      status =
          picture_refuse(report, FLOC_FILE_ERROR, "cannot start ffmpeg for %s: %s", movie->path, strerror(reason));
  }
  close(ends[1]);
  if (status == FLOC_OK)
    movie->socket = ends[0];
  else
    close(ends[0]);
  return status;
}

static floc_status prepare(const picture_report *report, picture_movie *movie, const char *path, double rate)
{
  const movie_format *format = path ? format_of(path) : NULL;
  int64_t size = (int64_t)strlen(path ? path : "") + 1, count = (int64_t)movie->width * movie->height;
  movie->path = picture_allocate(size, 1);
  movie->pixels = picture_allocate(count, sizeof *movie->pixels);
  if (!movie->path || !movie->pixels) return picture_out_of_memory(report, 4.0 * (double)count);
  strcpy(movie->path, path ? path : "");
  if (!format && !parse_pattern(movie))
    return picture_refuse(report, FLOC_INVALID_ARGUMENT,
                          "path of the movie is \"%s\"; it must end with .mp4, .webm or .gif, or be a pattern like "
                          "frames-%%05d.png",
                          movie->path);
  if (!format) return FLOC_OK;
  floc_status status = options_check_value(report, &options_of_picture_movie, "frames_per_second", rate);
  return status == FLOC_OK ? open_film(report, movie, format, rate) : status;
}

floc_status picture_movie_open(const char *path, int32_t width, int32_t height, double frames_per_second,
                               picture_movie **movie, char *message, size_t message_size)
{
  const picture_report report = {message, message_size};
  if (message && message_size > 0) message[0] = 0;
  *movie = NULL;
  floc_status status = options_check_value(&report, &options_of_picture_movie, "width", width);
  if (status == FLOC_OK) status = options_check_value(&report, &options_of_picture_movie, "height", height);
  if (status != FLOC_OK) return status;
  picture_movie *made = picture_allocate(1, sizeof *made);
  if (!made) return picture_out_of_memory(&report, sizeof *made);
  made->width = width;
  made->height = height;
  made->socket = -1;
  status = prepare(&report, made, path, frames_per_second);
  if (status == FLOC_OK)
    *movie = made;
  else
    picture_movie_abandon(made);
  return status;
}

/* ---- frames ------------------------------------------------------------------------------------------ */

/* Waits for ffmpeg to end; true if it says that all is well. */
static bool wait_for_end(picture_movie *movie)
{
  int result = 0;
  pid_t ended;
  do ended = waitpid(movie->process, &result, 0);
  while (ended < 0 && errno == EINTR);
  movie->process = 0;
  if (ended < 0) return errno == ECHILD; /* the host does not keep its children's results */
  return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

/* The last line that ffmpeg wrote. */
static void last_words(picture_movie *movie, char *text, size_t size)
{
  char line[300];
  snprintf(text, size, "it reported no reason");
  rewind(movie->words);
  while (fgets(line, sizeof line, movie->words)) {
    line[strcspn(line, "\r\n")] = 0;
    if (*line) snprintf(text, size, "%s", line);
  }
}

static floc_status report_end(const picture_report *report, picture_movie *movie)
{
  char words[300];
  last_words(movie, words, sizeof words);
  return picture_refuse(report, FLOC_FILE_ERROR, "ffmpeg failed to make %s: %s", movie->path, words);
}

static floc_status send_frame(const picture_report *report, picture_movie *movie, const uint32_t *pixels)
{
  const char *bytes = (const char *)pixels;
  size_t left = (size_t)movie->width * (size_t)movie->height * sizeof *pixels;
  if (movie->socket < 0)
    return picture_refuse(report, FLOC_WRONG_STATE, "the movie %s has failed before and accepts no more frames",
                          movie->path);
  while (left > 0) {
    ssize_t sent = send(movie->socket, bytes, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      close(movie->socket);
      movie->socket = -1;
      wait_for_end(movie);
      return report_end(report, movie);
    }
    bytes += sent;
    left -= (size_t)sent;
  }
  movie->count++;
  return FLOC_OK;
}

static floc_status write_picture(const picture_report *report, picture_movie *movie, const uint32_t *pixels)
{
  size_t size = strlen(movie->path) + 64;
  char *path = picture_allocate((int64_t)size, 1);
  if (!path) return picture_out_of_memory(report, (double)size);
  snprintf(path, size, "%.*s%0*lld%s", (int)movie->before, movie->path, movie->digits, (long long)movie->count,
           movie->path + movie->after);
  canvas sheet;
  canvas_style style = {movie->width, movie->height, 0.0, 0, true};
  floc_status status = canvas_open_file(&sheet, *report, &style, path);
  if (status == FLOC_OK) {
    cairo_surface_flush(sheet.surface);
    memcpy(sheet.pixels, pixels, (size_t)movie->width * (size_t)movie->height * sizeof *pixels);
    cairo_surface_mark_dirty(sheet.surface);
    status = canvas_finish(&sheet);
  }
  free(path);
  if (status == FLOC_OK) movie->count++;
  return status;
}

floc_status picture_movie_pixels(picture_movie *movie, const uint32_t *pixels, char *message, size_t message_size)
{
  const picture_report report = {message, message_size};
  if (message && message_size > 0) message[0] = 0;
  return movie->words ? send_frame(&report, movie, pixels) : write_picture(&report, movie, pixels);
}

floc_status picture_movie_frame(picture_movie *movie, const picture_options *options, const picture_scene *scenes,
                                int32_t scene_count, char *message, size_t message_size)
{
  picture_options sized = *options;
  sized.width = movie->width;
  sized.height = movie->height;
  sized.transparent = false;
  floc_status status =
      picture_draw(&sized, scenes, scene_count, movie->pixels, movie->width, movie->height, message, message_size);
  return status == FLOC_OK ? picture_movie_pixels(movie, movie->pixels, message, message_size) : status;
}

int64_t picture_movie_count(const picture_movie *movie)
{
  return movie->count;
}

floc_status picture_movie_continue(picture_movie *movie, int64_t first, char *message, size_t message_size)
{
  const picture_report report = {message, message_size};
  if (message && message_size > 0) message[0] = 0;
  if (movie->words)
    return picture_refuse(&report, FLOC_NOT_SUPPORTED, "%s cannot be continued; numbered PNG files can",
                          movie->path);
  if (first < 0)
    return picture_refuse(&report, FLOC_INVALID_ARGUMENT, "first is %lld; it must be 0 or more", (long long)first);
  movie->count = first;
  return FLOC_OK;
}

/* ---- closing ----------------------------------------------------------------------------------------- */

static void free_movie(picture_movie *movie)
{
  if (movie->words) (void)fclose(movie->words); /* read only */
  floc_new_file_abandon(movie->fresh);
  free(movie->path);
  free(movie->pixels);
  free(movie);
}

static floc_status place_film(const picture_report *report, picture_movie *movie)
{
  char said[REASON_SIZE];
  floc_new_file *fresh = movie->fresh;
  movie->fresh = NULL;
  floc_status status = floc_new_file_finish(fresh, said, sizeof said);
  return status == FLOC_OK ? FLOC_OK : picture_refuse(report, status, "%s", said);
}

floc_status picture_movie_close(picture_movie *movie, char *message, size_t message_size)
{
  const picture_report report = {message, message_size};
  if (message && message_size > 0) message[0] = 0;
  if (!movie) return FLOC_OK;
  floc_status status = FLOC_OK;
  if (movie->words) {
    bool fed = movie->socket >= 0;
    if (fed) close(movie->socket);
    movie->socket = -1;
    if (movie->count == 0)
      status = picture_refuse(&report, FLOC_WRONG_STATE, "%s has no frames and was not written", movie->path);
    if (fed && !wait_for_end(movie) && status == FLOC_OK) fed = false;
    if (!fed)
      status = report_end(&report, movie);
    else if (status == FLOC_OK)
      status = place_film(&report, movie);
  }
  free_movie(movie);
  return status;
}

void picture_movie_abandon(picture_movie *movie)
{
  if (!movie) return;
  if (movie->socket >= 0) close(movie->socket);
  if (movie->process > 0) {
    kill(movie->process, SIGTERM);
    wait_for_end(movie);
  }
  free_movie(movie);
}
