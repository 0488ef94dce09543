/*
 * Round numbers on axes: where they are, how many, what is written at them.
 */
#include "support.h"

#include "draw/ticks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tick_set ticks;

static void check_labels(const char *const *expected)
{
  int count = 0;
  for (; expected[count]; count++) {
    assert_true(count < ticks.count);
    assert_string_equal(ticks.label[count], expected[count]);
  }
  assert_int_equal(ticks.count, count);
}

static void plain_ranges_get_plain_labels(void **state)
{
  (void)state;
  ticks_linear(&ticks, 0.0, 10.0, 5);
  check_labels((const char *const[]){"0", "2", "4", "6", "8", "10", NULL});
  assert_string_equal(ticks.annotation, "");
  ticks_linear(&ticks, -0.95, 1.03, 4);
  check_labels((const char *const[]){"\u22120.5", "0.0", "0.5", "1.0", NULL});
  ticks_linear(&ticks, 0.1, 0.4, 3);
  check_labels((const char *const[]){"0.1", "0.2", "0.3", "0.4", NULL});
  assert_true(ticks.value[2] == 0.3); /* not 0.30000000000000004 */
  ticks_linear(&ticks, -3.0, -1.0, 2);
  check_labels((const char *const[]){"\u22123", "\u22122", "\u22121", NULL});
}

static void long_labels_are_shortened(void **state)
{
  (void)state;
  ticks_linear(&ticks, 0.0, 3e6, 3);
  check_labels((const char *const[]){"0", "1", "2", "3", NULL});
  assert_string_equal(ticks.annotation, "\u00d710^{6}");
  ticks_linear(&ticks, 0.0, 4e-5, 4);
  check_labels((const char *const[]){"0", "1", "2", "3", "4", NULL});
  assert_string_equal(ticks.annotation, "\u00d710^{\u22125}");
  ticks_linear(&ticks, 1e6, 1e6 + 0.4, 4);
  check_labels((const char *const[]){"0.0", "0.1", "0.2", "0.3", "0.4", NULL});
  assert_string_equal(ticks.annotation, "+10^{6}");
  ticks_linear(&ticks, -1234.56, -1234.5599, 2);
  assert_non_null(strstr(ticks.annotation, "\u22121234.56"));
  for (int k = 0; k < ticks.count; k++) assert_true(strlen(ticks.label[k]) <= 8);
}

/* What must hold for any range: inside, rising, evenly spaced, at 1, 2, 5 times a power of ten. */
static void any_range_gets_even_ticks(void **state)
{
  (void)state;
  srand(1);
  for (int k = 0; k < 20000; k++) {
    double size = pow(10.0, rand() % 60 - 30), middle = size * (rand() % 2000 - 1000);
    double half = size * (rand() % 1000 + 1) * 0.01, lower = middle - half, upper = middle + half;
    int wanted = 1 + rand() % 10;
    ticks_linear(&ticks, lower, upper, wanted);
    assert_true(ticks.count >= 2 && ticks.count <= 3 * wanted + 2);
    double step = ticks.value[1] - ticks.value[0], tolerance = 1e-8 * (upper - lower);
    for (int t = 0; t < ticks.count; t++) {
      assert_true(ticks.value[t] >= lower - tolerance && ticks.value[t] <= upper + tolerance);
      if (t > 0) assert_close(ticks.value[t] - ticks.value[t - 1], step, 1e-6 * step);
      assert_true(strlen(ticks.label[t]) > 0);
      for (int other = 0; other < t; other++) assert_string_not_equal(ticks.label[t], ticks.label[other]);
    }
    double mantissa = step / pow(10.0, floor(log10(step * 1.000001)));
    assert_true(fabs(mantissa - 1) < 1e-3 || fabs(mantissa - 2) < 1e-3 || fabs(mantissa - 5) < 1e-3);
    for (int t = 0; t < ticks.minor_count; t++)
      assert_true(ticks.minor[t] >= lower - tolerance && ticks.minor[t] <= upper + tolerance);
  }
}

/* label * factor + offset, read back, is the value. */
static double read_number(const char *text)
{
  char plain[128] = "";
  for (size_t used = 0; *text && used < 120; text++) {
    if (strncmp(text, "\u2212", 3) == 0) {
      plain[used++] = '-';
      text += 2;
    } else if (strncmp(text, "\u00d710^{", 6) == 0) {
      plain[used++] = 'e';
      text += 5;
    } else if (*text != '}') {
      plain[used++] = *text;
    }
  }
  if (strncmp(plain, "10^{", 4) == 0) return pow(10.0, atof(plain + 4));
  return atof(plain);
}

static void labels_say_the_value(void **state)
{
  (void)state;
  srand(2);
  for (int k = 0; k < 5000; k++) {
    double size = pow(10.0, rand() % 24 - 12), middle = size * (rand() % 2000000 - 1000000);
    ticks_linear(&ticks, middle - size, middle + size * (1 + rand() % 50), 5);
    double factor = 1.0, offset = 0.0;
    const char *rest = ticks.annotation;
    if (strncmp(rest, "\u00d710^{", 6) == 0) {
      factor = pow(10.0, read_number(rest + 6));
      rest = strchr(rest, ' ') ? strchr(rest, ' ') + 1 : "";
    }
    if (*rest) offset = read_number(*rest == '+' ? rest + 1 : rest);
    for (int t = 0; t < ticks.count; t++)
      assert_close(read_number(ticks.label[t]) * factor + offset, ticks.value[t],
                   1e-6 * size + 1e-12 * fabs(middle));
  }
}

static void extreme_ranges_end(void **state)
{
  (void)state;
  static const double ranges[][2] = {{-DBL_MAX, DBL_MAX},    {0.0, DBL_MAX},   {1.0, 1.0 + DBL_EPSILON},
                                     {1e300, 1.0000001e300}, {0.0, DBL_MIN},   {-1e-300, 1e-300},
                                     {1e15, 1e15 + 1.0},     {0.0, 4.94e-324}, {-DBL_MAX, -1e307}};
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
    ticks_linear(&ticks, ranges[k][0], ranges[k][1], 5);
    assert_true(ticks.count >= 2 && ticks.count <= TICKS_GREATEST);
    for (int t = 0; t < ticks.count; t++) assert_true(isfinite(ticks.value[t]));
  }
  ticks_logarithmic(&ticks, DBL_MIN, DBL_MAX, 6);
  assert_true(ticks.count >= 2 && ticks.count <= 12);
}

static void logarithmic_ticks_are_powers_of_ten(void **state)
{
  (void)state;
  ticks_logarithmic(&ticks, 0.5, 2000.0, 6);
  check_labels((const char *const[]){"1", "10", "100", "1000", NULL});
  assert_true(ticks.minor_count > 20);
  ticks_logarithmic(&ticks, 1e-9, 1e-5, 6);
  check_labels(
      (const char *const[]){"10^{\u22129}", "10^{\u22128}", "10^{\u22127}", "10^{\u22126}", "10^{\u22125}", NULL});
  ticks_logarithmic(&ticks, 1e-12, 1e12, 5);
  assert_true(ticks.count >= 4 && ticks.count <= 6);
  ticks_logarithmic(&ticks, 3.0, 60.0, 6); /* few decades: 2 and 5 as well */
  check_labels((const char *const[]){"5", "10", "20", "50", NULL});
  ticks_logarithmic(&ticks, 2.0, 4.0, 4); /* less than a decade: linear */
  assert_true(ticks.count >= 3);
  srand(3);
  for (int k = 0; k < 5000; k++) {
    double lower = pow(10.0, (rand() % 4000 - 2000) * 0.01), upper = lower * pow(10.0, (1 + rand() % 1500) * 0.01);
    ticks_logarithmic(&ticks, lower, upper, 1 + rand() % 9);
    assert_true(ticks.count >= 2);
    for (int t = 0; t < ticks.count; t++)
      assert_true(ticks.value[t] >= lower * 0.99999 && ticks.value[t] <= upper * 1.00001);
  }
}

static void round_numbers(void **state)
{
  (void)state;
  static const double cases[][2] = {{1.0, 1.0},   {1.99, 1.0},     {2.0, 2.0},     {4.9, 2.0},  {5.0, 5.0},
                                    {99.0, 50.0}, {0.0031, 0.002}, {1e-20, 1e-20}, {7e15, 5e15}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    assert_close(round_number_below(cases[k][0]), cases[k][1], 1e-12 * cases[k][1]);
  static const struct {
    double value;
    const char *text;
  } formats[] = {{0.0, "0"},
                 {-0.0, "0"},
                 {0.25, "0.25"},
                 {-3.0, "\u22123"},
                 {20000.0, "20000"},
                 {1e5, "10^{5}"},
                 {1.5e7, "1.5\u00d710^{7}"},
                 {2e-4, "2\u00d710^{\u22124}"},
                 {0.001, "0.001"},
                 {123.456, "123"},
                 {9.999, "10"}};
  for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
    char text[64];
    format_number(text, sizeof text, formats[k].value, 3);
    assert_string_equal(text, formats[k].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_ranges_get_plain_labels),
      cmocka_unit_test(long_labels_are_shortened),
      cmocka_unit_test(any_range_gets_even_ticks),
      cmocka_unit_test(labels_say_the_value),
      cmocka_unit_test(extreme_ranges_end),
      cmocka_unit_test(logarithmic_ticks_are_powers_of_ten),
      cmocka_unit_test(round_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
