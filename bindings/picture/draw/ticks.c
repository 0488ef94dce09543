/*
 * Ticks. A step is kept as mantissa 1, 2 or 5 and a decimal exponent, and a tick as a whole multiple
 * of it, so that the value of a tick is the double nearest to its decimal label (no 0.30000000000000004)
 * and labels never need rounding.
 */
#include "draw/ticks.h"

#include "../../plain_numbers.h"

#include <floc/floc.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct decimal_step {
  int mantissa, exponent; /* mantissa * 10^exponent */
} decimal_step;

/* multiple * step, correctly rounded as far as pow allows: division for negative exponents, because 10^-e
 * is exact only for e up to 22. */
static double step_times(decimal_step step, double multiple)
{
  double whole = multiple * step.mantissa;
  if (step.exponent < -300) return whole / 1e300 / floc_pow(10.0, -step.exponent - 300);
  return step.exponent < 0 ? whole / floc_pow(10.0, -step.exponent) : whole * floc_pow(10.0, step.exponent);
}

/* The step that is nearest (by ratio) to the length. */
static decimal_step step_near(double length)
{
  decimal_step step = {1, (int)floor(floc_log10(length))};
  double mantissa = length / step_times(step, 1.0);
  if (mantissa > 7.0710678)
    step.exponent++;
  else if (mantissa > 3.1622777)
    step.mantissa = 5;
  else if (mantissa > 1.4142136)
    step.mantissa = 2;
  return step;
}

static decimal_step next_smaller(decimal_step step)
{
  decimal_step smaller = {step.mantissa == 5   ? 2
                          : step.mantissa == 2 ? 1
                                               : 5,
                          step.mantissa == 1 ? step.exponent - 1 : step.exponent};
  return smaller;
}

double round_number_below(double limit)
{
  decimal_step step = {5, (int)floor(floc_log10(limit)) + 1};
  while (step_times(step, 1.0) > limit * (1.0 + 1e-12)) step = next_smaller(step);
  return step_times(step, 1.0);
}

/* ---- labels ---------------------------------------------------------------------------------------- */

/* Replaces '-' by the minus sign. */
static void write_with_minus(char *buffer, size_t size, const char *text)
{
  size_t used = 0;
  buffer[0] = 0;
  for (; *text; text++) {
    const char *piece = *text == '-' ? "\u2212" : (const char[]){*text, 0};
    size_t length = strlen(piece);
    if (used + length >= size) return;
    memcpy(buffer + used, piece, length + 1);
    used += length;
  }
}

static void strip_zeros(char *digits)
{
  if (!strchr(digits, '.')) return;
  size_t length = strlen(digits);
  while (length > 1 && digits[length - 1] == '0') digits[--length] = 0;
  if (digits[length - 1] == '.') digits[--length] = 0;
}

void format_number(char *buffer, size_t size, double value, int digits)
{
  char plain[64], whole[96];
  if (value == 0.0 || !isfinite(value)) {
    plain_print(plain, sizeof plain, "%g", value == 0.0 ? 0.0 : value);
    write_with_minus(buffer, size, plain);
    return;
  }
  plain_print(plain, sizeof plain, "%.*e", digits - 1, value);
  char *mark = strchr(plain, 'e');
  int exponent = (int)strtol(mark + 1, NULL, 10);
  *mark = 0;
  if (exponent >= -3 && exponent < 5) {
    int decimals = digits - 1 - exponent;
    plain_print(whole, sizeof whole, "%.*f", decimals > 0 ? decimals : 0, value);
    strip_zeros(whole);
  } else {
    strip_zeros(plain);
    if (strcmp(plain, "1") == 0)
      snprintf(whole, sizeof whole, "10^{%d}", exponent);
    else
      snprintf(whole, sizeof whole, "%s\u00d710^{%d}", plain, exponent);
  }
  write_with_minus(buffer, size, whole);
}

/* What all labels of a set share. */
typedef struct label_plan {
  double offset; /* in steps, taken from every multiple */
  int exponent;  /* labels are in units of 10^exponent */
} label_plan;

enum { LONGEST_LABEL = 6 }; /* digits beyond which an offset or a factor is used */

static int decimal_exponent(double value)
{
  return (int)floor(floc_log10(value) + 1e-12);
}

static label_plan plan_labels(tick_set *ticks, decimal_step step, double first, double last)
{
  label_plan plan = {0.0, 0};
  char number[TICK_LABEL_SIZE] = "", offset[TICK_LABEL_SIZE + 4] = "", factor[TICK_LABEL_SIZE] = "";
  double greatest = fmax(fabs(first), fabs(last)) * step.mantissa; /* in units of 10^step.exponent */
  int top = greatest > 0.0 ? decimal_exponent(greatest) + step.exponent : step.exponent;
  if (top - step.exponent >= LONGEST_LABEL && first * last > 0.0) {
    double coarse = floc_pow(10.0, decimal_exponent((last - first + 1) * step.mantissa) + 1);
    plan.offset = floor(first * step.mantissa / coarse) * coarse / step.mantissa;
    format_number(number, sizeof number, step_times(step, plan.offset), 15);
    snprintf(offset, sizeof offset, "%s%s", plan.offset > 0.0 ? "+" : "", number);
    double rest = fmax(fabs(first - plan.offset), fabs(last - plan.offset)) * step.mantissa;
    top = decimal_exponent(rest) + step.exponent;
  }
  if (top >= 5 || top < -3) {
    plan.exponent = top;
    snprintf(number, sizeof number, "\u00d710^{%d}", top);
    write_with_minus(factor, sizeof factor, number);
  }
  snprintf(ticks->annotation, sizeof ticks->annotation, "%s%s%s", factor, *factor && *offset ? " " : "", offset);
  return plan;
}

/* ---- linear ---------------------------------------------------------------------------------------- */

static void place_linear(tick_set *ticks, decimal_step step, double lower, double upper)
{
  double unit = step_times(step, 1.0), tolerance = 1e-9 * (upper - lower) / unit;
  double first = ceil(lower / unit - tolerance), last = floor(upper / unit + tolerance);
  label_plan plan = plan_labels(ticks, step, first, last);
  int decimals = plan.exponent - step.exponent;
  for (double k = first; k <= last && ticks->count < TICKS_GREATEST; k += 1.0) {
    char digits[64];
    decimal_step shown = {step.mantissa, step.exponent - plan.exponent};
    double number = step_times(shown, k - plan.offset);
    plain_print(digits, sizeof digits, "%.*f", decimals > 0 ? decimals : 0, number == 0.0 ? 0.0 : number);
    ticks->value[ticks->count] = step_times(step, k);
    write_with_minus(ticks->label[ticks->count++], TICK_LABEL_SIZE, digits);
  }
}

static void place_linear_minor(tick_set *ticks, decimal_step step, double lower, double upper)
{
  decimal_step small = step.mantissa == 1 ? (decimal_step){2, step.exponent - 1} : (decimal_step){1, step.exponent};
  int per_step = step.mantissa == 1 ? 5 : step.mantissa; /* small steps in a step */
  double unit = step_times(small, 1.0), tolerance = 1e-9 * (upper - lower) / unit;
  double last = floor(upper / unit + tolerance);
  for (double k = ceil(lower / unit - tolerance); k <= last && ticks->minor_count < TICKS_MINOR_GREATEST; k += 1.0)
    if (floc_fmod(k, per_step) != 0.0) ticks->minor[ticks->minor_count++] = step_times(small, k);
}

static double ticks_in(decimal_step step, double lower, double upper)
{
  double unit = step_times(step, 1.0);
  return floor(upper / unit + 1e-9) - ceil(lower / unit - 1e-9) + 1.0;
}

/* A range too narrow for its distance from 0 (fewer than some 1000 doubles in it) gets its ends only. */
static bool too_narrow(double lower, double upper)
{
  return !(upper - lower > 1e3 * DBL_EPSILON * fmax(fabs(lower), fabs(upper))) || !isfinite(upper - lower) ||
         upper - lower < 1e-300;
}

static void place_ends(tick_set *ticks, double lower, double upper)
{
  double ends[2] = {lower, upper};
  for (int k = 0; k < 2; k++) {
    ticks->value[k] = ends[k];
    format_number(ticks->label[k], TICK_LABEL_SIZE, ends[k], too_narrow(lower, upper) ? 17 : 4);
  }
  if (!isfinite(upper - lower) || upper - lower < 1e-300)
    for (int k = 0; k < 2; k++) format_number(ticks->label[k], TICK_LABEL_SIZE, ends[k], 3);
  ticks->count = 2;
}

static void clear(tick_set *ticks)
{
  ticks->count = ticks->minor_count = 0;
  ticks->annotation[0] = 0;
}

void ticks_linear(tick_set *ticks, double lower, double upper, int32_t wanted)
{
  clear(ticks);
  if (too_narrow(lower, upper)) {
    place_ends(ticks, lower, upper);
    return;
  }
  decimal_step step = step_near((upper - lower) / (wanted > 1 ? wanted : 1));
  while (ticks_in(step, lower, upper) < 2.0) step = next_smaller(step);
  place_linear(ticks, step, lower, upper);
  place_linear_minor(ticks, step, lower, upper);
}

/* ---- logarithmic ----------------------------------------------------------------------------------- */

static void add_logarithmic(tick_set *ticks, int mantissa, int exponent, bool plain)
{
  if (ticks->count == TICKS_GREATEST) return;
  decimal_step step = {mantissa, exponent};
  char text[TICK_LABEL_SIZE], *label = ticks->label[ticks->count];
  if (plain)
    plain_print(text, sizeof text, "%.*f", exponent < 0 ? -exponent : 0, step_times(step, 1.0));
  else if (mantissa == 1)
    snprintf(text, sizeof text, "10^{%d}", exponent);
  else
    snprintf(text, sizeof text, "%d\u00d710^{%d}", mantissa, exponent);
  write_with_minus(label, TICK_LABEL_SIZE, text);
  ticks->value[ticks->count++] = step_times(step, 1.0);
}

static bool inside(double value, double lower, double upper)
{
  return value >= lower * (1.0 - 1e-9) && value <= upper * (1.0 + 1e-9);
}

static double decimal(int mantissa, int exponent)
{
  return step_times((decimal_step){mantissa, exponent}, 1.0);
}

static void place_logarithmic_minor(tick_set *ticks, int first, int last, int stride, bool with_two_and_five,
                                    double lower, double upper)
{
  for (int e = first; e <= last; e++)
    for (int m = 1; m <= 9; m++) {
      bool labelled = m == 1 ? e % stride == 0 : with_two_and_five && (m == 2 || m == 5);
      bool shown = stride == 1 || m == 1;
      if (labelled || !shown || ticks->minor_count == TICKS_MINOR_GREATEST || !inside(decimal(m, e), lower, upper))
        continue;
      ticks->minor[ticks->minor_count++] = decimal(m, e);
    }
}

static void place_logarithmic(tick_set *ticks, int first, int last, int stride, bool with_two_and_five,
                              double lower, double upper)
{
  bool plain = first >= -3 && last <= 4;
  ticks->count = 0;
  for (int e = first; e <= last; e++)
    for (int m = 1; m <= 5; m += m == 1 ? 1 : 3) {
      bool chosen = m == 1 ? e % stride == 0 : with_two_and_five;
      if (chosen && inside(decimal(m, e), lower, upper)) add_logarithmic(ticks, m, e, plain);
    }
}

void ticks_logarithmic(tick_set *ticks, double lower, double upper, int32_t wanted)
{
  static const int strides[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 400, 700};
  clear(ticks);
  double decades = floc_log10(upper) - floc_log10(lower);
  if (decades < 0.7) { /* powers of ten with 2 and 5 may leave nothing: linear ticks */
    ticks_linear(ticks, lower, upper, wanted);
    return;
  }
  int first = (int)floor(floc_log10(lower) + 1e-9), last = (int)ceil(floc_log10(upper) - 1e-9), stride = 1;
  for (size_t k = 0; k < sizeof strides / sizeof strides[0]; k++) {
    stride = strides[k];
    if (decades / stride <= (wanted > 1 ? wanted : 1)) break;
  }
  bool with_two_and_five = decades <= 0.4 * wanted && decades < 3.0;
  place_logarithmic(ticks, first, last, stride, with_two_and_five, lower, upper);
  if (ticks->count < 2) {
    with_two_and_five = true;
    stride = 1;
    place_logarithmic(ticks, first, last, stride, with_two_and_five, lower, upper);
  }
  place_logarithmic_minor(ticks, first, last, stride, with_two_and_five, lower, upper);
}
