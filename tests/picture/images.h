/*
 * What the tests of pictures share: a folder of their own, pixels of a PNG read back through Cairo,
 * files as text, and a look at whether XML and PDF are well formed.
 */
#ifndef FLOC_TESTS_PICTURE_IMAGES_H
#define FLOC_TESTS_PICTURE_IMAGES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "support.h"

#include <cairo.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------------------- */

static char test_folder[256];

/* A group set-up and tear-down: every test program writes into a folder of its own. */
static inline int make_folder(void **state)
{
  (void)state;
  const char *parent = getenv("TMPDIR");
  snprintf(test_folder, sizeof test_folder, "%s/floc-picture-XXXXXX", parent ? parent : P_tmpdir);
  return mkdtemp(test_folder) ? 0 : -1;
}

static inline int files_in_folder(void)
{
  int count = 0;
  DIR *folder = opendir(test_folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static inline const char *in_folder(const char *name)
{
  static char path[4][600];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", test_folder, name);
  return path[turn];
}

static inline void empty_folder(void)
{
  DIR *folder = opendir(test_folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    if (entry->d_name[0] != '.') unlink(in_folder(entry->d_name));
  closedir(folder);
}

static inline int remove_folder(void **state)
{
  (void)state;
  empty_folder();
  cairo_debug_reset_static_data(); /* caches of fonts that live as long as the process look like leaks */
  void (*forget_fonts)(void);
  *(void **)&forget_fonts = dlsym(RTLD_DEFAULT, "FcFini"); /* Cairo links fontconfig, this program does not */
  if (forget_fonts) forget_fonts();
  return rmdir(test_folder);
}

/* The entire file with a 0 behind it; *size may be NULL. The caller frees. */
static inline char *read_whole(const char *path, long *size)
{
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s is not there", path);
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  char *text = malloc((size_t)length + 1);
  assert_int_equal(fread(text, 1, (size_t)length, file), length);
  text[length] = 0;
  fclose(file);
  if (size) *size = length;
  return text;
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

typedef struct image {
  int width, height;
  uint32_t *pixels;
} image;

static inline image read_png(const char *path)
{
  cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
  assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  image result = {cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), NULL};
  result.pixels = malloc(sizeof(uint32_t) * (size_t)result.width * (size_t)result.height);
  int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < result.height; y++)
    memcpy(result.pixels + (long)y * result.width, cairo_image_surface_get_data(surface) + (long)y * stride,
           sizeof(uint32_t) * (size_t)result.width);
  cairo_surface_destroy(surface);
  return result;
}

static inline uint32_t pixel(const image *picture, double x, double y)
{
  assert_true(x >= 0 && y >= 0 && x < picture->width && y < picture->height);
  return picture->pixels[(long)y * picture->width + (long)x] & 0xffffff;
}

static inline int component_distance(uint32_t a, uint32_t b)
{
  int worst = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    int distance = abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
    if (distance > worst) worst = distance;
  }
  return worst;
}

#define assert_pixel(picture, x, y, colour, tolerance)                                                             \
  do {                                                                                                             \
    uint32_t found_ = pixel(picture, x, y);                                                                        \
    if (component_distance(found_, (uint32_t)(colour)) > (tolerance))                                              \
      fail_msg("pixel (%g, %g) is %06x, expected %06x", (double)(x), (double)(y), found_, (uint32_t)(colour));     \
  } while (0)

/* Pixels in a rectangle that differ from a colour by more than a trace. */
static inline long pixels_unlike(const image *picture, double left, double top, double right, double bottom,
                                 uint32_t colour)
{
  long count = 0;
  for (int y = (int)top; y < (int)bottom; y++)
    for (int x = (int)left; x < (int)right; x++) count += component_distance(pixel(picture, x, y), colour) > 8;
  return count;
}

/* Pixels near a colour in the whole picture. */
static inline long pixels_like(const image *picture, uint32_t colour, int tolerance)
{
  long count = 0;
  for (long k = 0; k < (long)picture->width * picture->height; k++)
    count += component_distance(picture->pixels[k] & 0xffffff, colour) <= tolerance;
  return count;
}

/* ---- vector files ------------------------------------------------------------------------------------ */

/* Every element is closed in the right order, attributes are quoted, the root is svg. */
static inline void check_svg(const char *path)
{
  enum { DEPTH = 64 };
  char stack[DEPTH][32], *text = read_whole(path, NULL);
  int depth = 0, elements = 0;
  for (char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
    char *end = strchr(at, '>');
    assert_non_null(end);
    int quotes = 0;
    for (char *k = at; k < end; k++) quotes += *k == '"';
    assert_int_equal(quotes % 2, 0);
    char name[32] = "";
    sscanf(at + 1 + (at[1] == '/'), "%31[a-zA-Z0-9:]", name);
    if (at[1] == '/') {
      assert_true(depth > 0);
      assert_string_equal(stack[--depth], name);
    } else if (at[1] != '?' && at[1] != '!' && end[-1] != '/') {
      assert_true(depth < DEPTH);
      if (elements == 0) assert_string_equal(name, "svg");
      strcpy(stack[depth++], name);
    }
    elements++;
    at = end;
  }
  assert_int_equal(depth, 0);
  assert_true(elements > 5);
  free(text);
}

/* Header, trailer, and a cross-reference table where the trailer says it is. */
static inline void check_pdf(const char *path)
{
  long size;
  char *text = read_whole(path, &size);
  assert_memory_equal(text, "%PDF-1.", 7);
  assert_true(size > 600);
  char *tail = text + size - 64, *mark = NULL;
  for (long k = 0; k < 64 - 9; k++)
    if (memcmp(tail + k, "startxref", 9) == 0) mark = tail + k;
  assert_non_null(mark);
  long offset = strtol(mark + 9, NULL, 10);
  assert_true(offset > 0 && offset < size);
  assert_true(memcmp(text + offset, "xref", 4) == 0 || strstr(text + offset, " obj") != NULL);
  assert_non_null(strstr(mark, "%%EOF"));
  free(text);
}

#endif
