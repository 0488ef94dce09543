/*
 * Discs and lines in pixels: area, place, clip, opacity.
 */
#include "images.h"

#include "draw/raster.h"

#include <math.h>

enum { SIDE = 100 };
static uint32_t pixels[SIDE * SIDE];
static const raster whole = {pixels, SIDE, 0, 0, SIDE, SIDE};

static void clear(void)
{
  for (int k = 0; k < SIDE * SIDE; k++) pixels[k] = 0xff000000u;
}

/* Sum of white in pixels of full coverage. */
static double white(void)
{
  double sum = 0.0;
  for (int k = 0; k < SIDE * SIDE; k++) sum += (pixels[k] & 255) / 255.0;
  return sum;
}

static void discs_cover_their_area(void **state)
{
  (void)state;
  for (double radius = 1.0; radius < 40.0; radius *= 1.37)
    for (double shift = 0.0; shift < 1.0; shift += 0.29) {
      clear();
      raster_disc(&whole, 50.0 + shift, 50.0 - 0.7 * shift, radius, &(disc_style){0xffffff, 0, 0.0, 1.0});
      assert_close(white() / (M_PI * radius * radius), 1.0, 0.03 + 0.12 / (radius * radius));
    }
}

static void discs_lie_where_they_should(void **state)
{
  (void)state;
  clear();
  raster_disc(&whole, 30.25, 60.75, 12.0, &(disc_style){0xffffff, 0, 0.0, 1.0});
  double x = 0.0, y = 0.0;
  for (int k = 0; k < SIDE * SIDE; k++) {
    x += (pixels[k] & 255) * (k % SIDE + 0.5);
    y += (pixels[k] & 255) * (k / SIDE + 0.5);
  }
  assert_close(x / (255.0 * white()), 30.25, 0.02);
  assert_close(y / (255.0 * white()), 60.75, 0.02);
}

static void rims_are_inside(void **state)
{
  (void)state;
  clear();
  raster_disc(&whole, 50.0, 50.0, 20.0, &(disc_style){0xffffff, 0xff0000, 4.0, 1.0});
  assert_int_equal(pixels[50 * SIDE + 50], 0xffffffffu);
  assert_int_equal(pixels[50 * SIDE + 68], 0xffff0000u);
  assert_int_equal(pixels[50 * SIDE + 71], 0xff000000u);
  assert_close(white() / (M_PI * 16.0 * 16.0), 1.0, 0.02);
}

static void tiny_discs_stay_visible(void **state)
{
  (void)state;
  for (double radius = 0.0; radius <= 0.6; radius += 0.1) {
    clear();
    raster_disc(&whole, 10.5, 10.5, radius, &(disc_style){0xffffff, 0, 0.0, 1.0});
    assert_true(white() > 0.2);
  }
}

static void opacity_mixes(void **state)
{
  (void)state;
  clear();
  raster_disc(&whole, 50.0, 50.0, 20.0, &(disc_style){0xffffff, 0, 0.0, 0.5});
  assert_close(pixels[50 * SIDE + 50] & 255, 128.0, 1.0);
  assert_int_equal(pixel_over(0xff336699u, 0x000000, 0.0), 0xff336699u);
  assert_int_equal(pixel_over(0xff336699u, 0xabcdef, 1.0), 0xffabcdefu);
  assert_int_equal(pixel_over(0, 0xffffff, 0.5), 0x7f7f7f7fu);
}

static void nothing_is_drawn_outside_of_the_clip(void **state)
{
  (void)state;
  const raster part = {pixels, SIDE, 20, 30, 70, 60};
  srand(4);
  for (int k = 0; k < 3000; k++) {
    clear();
    double x = rand() % 300 - 100, y = rand() % 300 - 100, other_x = rand() % 300 - 100,
           other_y = rand() % 300 - 100;
    if (k % 2)
      raster_disc(&part, x, y, rand() % 90, &(disc_style){0xffffff, 0xffffff, rand() % 3, 1.0});
    else
      raster_line(&part, x, y, other_x, other_y, rand() % 20, 0xffffff, 1.0);
    for (int p = 0; p < SIDE * SIDE; p++) {
      bool inside = p % SIDE >= 20 && p % SIDE < 70 && p / SIDE >= 30 && p / SIDE < 60;
      if (!inside && pixels[p] != 0xff000000u) fail_msg("pixel (%d, %d) was touched", p % SIDE, p / SIDE);
    }
  }
}

static void far_and_huge_ones_end(void **state)
{
  (void)state;
  clear();
  raster_disc(&whole, 1e15, 1e15, 1.0, &(disc_style){0xffffff, 0, 0.0, 1.0});
  raster_disc(&whole, -1e300, 5.0, 10.0, &(disc_style){0xffffff, 0, 0.0, 1.0});
  raster_line(&whole, 1e12, 1e12, 1e13, 2e12, 3.0, 0xffffff, 1.0);
  assert_true(white() == 0.0);
  raster_disc(&whole, 50.0, 50.0, 1e12, &(disc_style){0xffffff, 0, 1.0, 1.0});
  assert_close(white(), SIDE * SIDE, 1e-6);
}

static void lines_cover_their_area(void **state)
{
  (void)state;
  for (double angle = 0.0; angle < 6.28; angle += 0.4)
    for (double width = 1.0; width < 12.0; width *= 1.9) {
      clear();
      raster_line(&whole, 50.0 - 30.0 * cos(angle), 50.0 - 30.0 * sin(angle), 50.0 + 30.0 * cos(angle),
                  50.0 + 30.0 * sin(angle), width, 0xffffff, 1.0);
      assert_close(white() / (60.0 * width + 0.25 * M_PI * width * width), 1.0, 0.04);
    }
  clear();
  raster_line(&whole, 10.0, 50.0, 90.0, 50.0, 0.25, 0xffffff, 1.0); /* thinner than a pixel: fainter */
  assert_close(white(), 80.0 * 0.25, 2.0);
  clear();
  raster_line(&whole, 50.0, 50.0, 50.0, 50.0, 10.0, 0xffffff, 1.0); /* no length: a dot */
  assert_close(white() / (M_PI * 25.0), 1.0, 0.05);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(discs_cover_their_area), cmocka_unit_test(discs_lie_where_they_should),
      cmocka_unit_test(rims_are_inside),        cmocka_unit_test(tiny_discs_stay_visible),
      cmocka_unit_test(opacity_mixes),          cmocka_unit_test(nothing_is_drawn_outside_of_the_clip),
      cmocka_unit_test(far_and_huge_ones_end),  cmocka_unit_test(lines_cover_their_area),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
