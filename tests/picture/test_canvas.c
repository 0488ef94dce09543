/*
 * Sheets: text and its fitting, files and what is left when writing them fails.
 */
#include "images.h"

#include "draw/canvas.h"
#include "draw/layout.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char message[512];
static const picture_report report = {message, sizeof message};
static const canvas_style style = {300, 200, 14.0, 0xffffff, false};

static canvas open_measure(void)
{
  canvas sheet;
  assert_int_equal(canvas_open_measure(&sheet, report, &style), FLOC_OK);
  return sheet;
}

/* ---- text ------------------------------------------------------------------------------------------- */

static void markup_makes_no_width(void **state)
{
  (void)state;
  canvas sheet = open_measure();
  text_style text = text_ordinary(&sheet, TEXT_LEFT, 0.0);
  double plain = canvas_text_width(&sheet, &text, "m2"), raised = canvas_text_width(&sheet, &text, "m^{2}");
  assert_true(raised < plain && raised > canvas_text_width(&sheet, &text, "m"));
  assert_close(canvas_text_width(&sheet, &text, "m_{2}"), raised, 1e-9);
  assert_true(canvas_text_width(&sheet, &text, "a^{open") > canvas_text_width(&sheet, &text, "a^open"));
  assert_true(canvas_text_width(&sheet, &text, NULL) == 0.0);
  assert_true(canvas_text_width(&sheet, &text, "") == 0.0);
  assert_int_equal(canvas_finish(&sheet), FLOC_OK);
}

static void texts_fit_their_room(void **state)
{
  (void)state;
  canvas sheet = open_measure();
  char longest[4000];
  memset(longest, 'w', sizeof longest);
  longest[sizeof longest - 1] = 0;
  for (double room = 20.0; room < 400.0; room += 31.0) {
    text_style text = text_ordinary(&sheet, TEXT_LEFT, room);
    assert_true(canvas_text_width(&sheet, &text, longest) <= room * 1.001);
    assert_true(canvas_text_width(&sheet, &text, "a caption of ordinary length, \u03b3_{min} = 5") <= room * 1.001);
    assert_true(
        canvas_text_width(&sheet, &text, "a^{b}c^{d}e^{f}g^{h}i^{j}k^{l}m^{n}o^{p}q^{r}s^{t}u^{v}w^{x}y^{z}") <=
        room * 1.001);
  }
  text_style text = text_ordinary(&sheet, TEXT_LEFT, 0.0);
  double natural = canvas_text_width(&sheet, &text, "short");
  text.room = natural * 1.01;
  assert_close(canvas_text_width(&sheet, &text, "short"), natural, 1e-9);
  assert_int_equal(canvas_finish(&sheet), FLOC_OK);
}

/* Cairo goes into a lasting error state on invalid UTF-8; these must not reach it. */
static void any_bytes_can_be_drawn(void **state)
{
  (void)state;
  canvas sheet = open_measure();
  text_style text = text_ordinary(&sheet, TEXT_CENTER, 100.0);
  text.halo = 0xffffff;
  const char *const bad[] = {"\xff\xfe",         "\xc0\xaf",    "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82",
                             "a\x01\x1f\x7fz",   "^{",          "_{}",          "^{}^{}",           "}{",
                             "\xf0\x80\x80\x80", "\xe0\x80\x80"};
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) canvas_text(&sheet, &text, 5.0, 5.0, bad[k]);
  srand(5);
  for (int k = 0; k < 300; k++) {
    char bytes[64];
    for (int b = 0; b < 63; b++) bytes[b] = (char)(rand() % 255 + 1);
    bytes[63] = 0;
    canvas_text(&sheet, &text, 5.0, 5.0, bytes);
  }
  assert_int_equal(cairo_status(sheet.cairo), CAIRO_STATUS_SUCCESS);
  assert_int_equal(canvas_finish(&sheet), FLOC_OK);
}

static void labels_carry_units(void **state)
{
  (void)state;
  char text[64];
  label_with_unit(text, sizeof text, "speed", "m s^{-1}");
  assert_string_equal(text, "speed [m s^{-1}]");
  label_with_unit(text, sizeof text, "speed", NULL);
  assert_string_equal(text, "speed");
  label_with_unit(text, sizeof text, "", "m");
  assert_string_equal(text, "[m]");
  label_with_unit(text, sizeof text, NULL, NULL);
  assert_string_equal(text, "");
  char small[8];
  label_with_unit(small, sizeof small, "a long label", "m");
  assert_int_equal(strlen(small), 7);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static floc_status write_sheet(const char *path)
{
  canvas sheet;
  floc_status status = canvas_open_file(&sheet, report, &style, path);
  if (status != FLOC_OK) return status;
  canvas_set_colour(&sheet, 0xff0000, 1.0);
  cairo_rectangle(sheet.cairo, 10, 10, 50, 50);
  cairo_fill(sheet.cairo);
  text_style text = text_ordinary(&sheet, TEXT_LEFT, 0.0);
  canvas_text(&sheet, &text, 100.0, 100.0, "\u03b3 & <tag> \"quoted\"");
  return canvas_finish(&sheet);
}

static void files_are_what_their_name_says(void **state)
{
  (void)state;
  assert_int_equal(write_sheet(in_folder("a.png")), FLOC_OK);
  image picture = read_png(in_folder("a.png"));
  assert_int_equal(picture.width, 300);
  assert_int_equal(picture.height, 200);
  assert_pixel(&picture, 30, 30, 0xff0000, 0);
  assert_pixel(&picture, 290, 190, 0xffffff, 0);
  free(picture.pixels);
  assert_int_equal(write_sheet(in_folder("a.svg")), FLOC_OK);
  check_svg(in_folder("a.svg"));
  assert_int_equal(write_sheet(in_folder("a.PDF")), FLOC_OK);
  check_pdf(in_folder("a.PDF"));
  assert_int_equal(files_in_folder(), 3); /* no temporary ones */
  empty_folder();
}

/* SVG is left out: Cairo numbers its groups through the life of the process. */
static void the_same_sheet_is_the_same_file(void **state)
{
  (void)state;
  static const char *const endings[] = {"png", "pdf"};
  for (int k = 0; k < 2; k++) {
    char name[16];
    long first_size, second_size;
    snprintf(name, sizeof name, "b.%s", endings[k]);
    assert_int_equal(write_sheet(in_folder(name)), FLOC_OK);
    char *first = read_whole(in_folder(name), &first_size);
    assert_int_equal(write_sheet(in_folder(name)), FLOC_OK);
    char *second = read_whole(in_folder(name), &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, (size_t)first_size);
    assert_null(strstr(first, "CreationDate"));
    free(first);
    free(second);
  }
  empty_folder();
}

static void wrong_paths_are_refused(void **state)
{
  (void)state;
  static const char *const wrong[] = {"", "picture", "picture.jpg", "picture.png.txt", ".png", "png", "x.pn"};
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    message[0] = 0;
    assert_int_equal(write_sheet(wrong[k]), FLOC_INVALID_ARGUMENT);
    if (*wrong[k]) {
      assert_non_null(strstr(message, wrong[k]));
      assert_non_null(strstr(message, ".png, .svg or .pdf"));
    }
  }
  assert_int_equal(write_sheet(NULL), FLOC_INVALID_ARGUMENT);
  assert_int_equal(write_sheet(in_folder("missing/x.png")), FLOC_FILE_ERROR);
  assert_non_null(strstr(message, "missing/x.png"));
  assert_non_null(strstr(message, strerror(ENOENT)));
  assert_int_equal(mkdir(in_folder("folder.png"), 0777), 0);
  assert_int_equal(write_sheet(in_folder("folder.png")), FLOC_FILE_ERROR);
  assert_int_equal(files_in_folder(), 1); /* the temporary file is gone */
  assert_int_equal(rmdir(in_folder("folder.png")), 0);
}

/* A disk that becomes full: the old picture stays, nothing else does. */
static void a_full_disk_leaves_the_old_file(void **state)
{
  (void)state;
  static const char *const names[] = {"c.png", "c.svg", "c.pdf"};
  for (int k = 0; k < 3; k++) {
    FILE *old = fopen(in_folder(names[k]), "wb");
    fputs("old", old);
    fclose(old);
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    floc_status status = write_sheet(in_folder(names[k]));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, FLOC_FILE_ERROR);
    assert_non_null(strstr(message, names[k]));
    assert_non_null(strstr(message, strerror(EFBIG)));
    char *text = read_whole(in_folder(names[k]), NULL);
    assert_string_equal(text, "old");
    free(text);
  }
  assert_int_equal(files_in_folder(), 3);
  empty_folder();
}

static void a_cairo_error_leaves_no_file(void **state)
{
  (void)state;
  canvas sheet;
  assert_int_equal(canvas_open_file(&sheet, report, &style, in_folder("d.png")), FLOC_OK);
  cairo_restore(sheet.cairo); /* without save: an error state */
  assert_int_equal(canvas_finish(&sheet), FLOC_NOT_SUPPORTED);
  assert_non_null(strstr(message, cairo_status_to_string(CAIRO_STATUS_INVALID_RESTORE)));
  assert_int_equal(files_in_folder(), 0);
  assert_int_equal(canvas_open_file(&sheet, report, &style, in_folder("e.pdf")), FLOC_OK);
  canvas_abandon(&sheet);
  canvas_abandon(&sheet);
  assert_int_equal(files_in_folder(), 0);
}

/* ---- layout ------------------------------------------------------------------------------------------ */

static bool overlap(const rectangle *a, const rectangle *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static void panels_neither_overlap_nor_leave(void **state)
{
  (void)state;
  for (int32_t count = 1; count <= 20; count++)
    for (int32_t columns = 1; columns <= count; columns++) {
      rectangle area = {13.0, 41.0, 873.0, 511.0};
      panel_grid grid = {columns, (count + columns - 1) / columns, 7.0, 5.0};
      rectangle cell[20];
      for (int32_t k = 0; k < count; k++) {
        cell[k] = grid_cell(&grid, &area, k);
        assert_true(cell[k].x >= area.x && cell[k].y >= area.y + 4.5);
        assert_true(cell[k].x + cell[k].width <= area.x + area.width + 0.5);
        assert_true(cell[k].y + cell[k].height <= area.y + area.height + 0.5);
        assert_true(cell[k].x == floor(cell[k].x) && cell[k].width == floor(cell[k].width));
        for (int32_t other = 0; other < k; other++) assert_false(overlap(&cell[k], &cell[other]));
      }
    }
}

static void grids_suit_the_shape(void **state)
{
  (void)state;
  rectangle wide = {0, 0, 1000, 300}, tall = {0, 0, 300, 1000}, square = {0, 0, 900, 900};
  assert_int_equal(grid_columns(3, &wide, 5, 0, 1.0), 3);
  assert_int_equal(grid_columns(3, &tall, 5, 0, 1.0), 1);
  assert_int_equal(grid_columns(9, &square, 5, 0, 1.0), 3);
  assert_int_equal(grid_columns(4, &square, 5, 0, 1.0), 2);
  assert_int_equal(grid_columns(1, &wide, 5, 0, 1.0), 1);
  assert_int_equal(grid_columns_free(1, 1.0, 0.75), 1);
  assert_int_equal(grid_columns_free(8, 1.0, 0.75), 4);
  assert_int_equal(grid_columns_free(2, 1.0, 0.75), 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(markup_makes_no_width),          cmocka_unit_test(texts_fit_their_room),
      cmocka_unit_test(any_bytes_can_be_drawn),         cmocka_unit_test(labels_carry_units),
      cmocka_unit_test(files_are_what_their_name_says), cmocka_unit_test(the_same_sheet_is_the_same_file),
      cmocka_unit_test(wrong_paths_are_refused),        cmocka_unit_test(a_full_disk_leaves_the_old_file),
      cmocka_unit_test(a_cairo_error_leaves_no_file),   cmocka_unit_test(panels_neither_overlap_nor_leave),
      cmocka_unit_test(grids_suit_the_shape),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
