/*
 * Numbers from files and hosts: sums of counters that cannot overflow, doubles that become integers, ranges.
 * Converting a double that the type cannot hold is undefined in C, so every conversion of a number that was not
 * made here goes through whole_between().
 */
#ifndef FLOC_BASE_NUMBERS_NUMBER_H
#define FLOC_BASE_NUMBERS_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether the sum fits; then it is in *sum. */
static inline bool sum_fits(int64_t a, int64_t b, int64_t *sum)
{
  return !__builtin_add_overflow(a, b, sum);
}

/* The sum, or the nearest number there is: for counts of work that only grow. */
static inline int64_t sum_at_most(int64_t a, int64_t b)
{
  int64_t sum;
  return sum_fits(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

/* Towards zero; what is beyond a bound becomes the bound, NaN becomes `least`. Bounds within 2^53, so that they are
 * doubles. */
static inline int64_t whole_between(double value, int64_t least, int64_t greatest)
{
  if (!(value > (double)least)) return least;
  return value < (double)greatest ? (int64_t)value : greatest;
}

/* What a number may be: finite, and from least to greatest. */
typedef struct number_range {
  double least, greatest;
  bool above; /* least itself is not allowed */
} number_range;

static inline bool is_within(number_range range, double value)
{
  return (range.above ? value > range.least : value >= range.least) && value <= range.greatest;
}

/* Of counters in files: integers of doubles, and far enough from the end of the type for any run. */
static const int64_t COUNTER_LIMIT = INT64_C(1) << 53;

#define NUMBERS_FROM_0  ((number_range){0.0, 1.7976931348623157e308, false})
#define NUMBERS_ABOVE_0 ((number_range){0.0, 1.7976931348623157e308, true})
#define FINITE_NUMBERS  ((number_range){-1.7976931348623157e308, 1.7976931348623157e308, false})

/* For messages: "it must be finite", "it must be above 0 and at most 1e+100". */
enum { RANGE_TEXT = 96 };
void range_text(number_range range, char text[RANGE_TEXT]);

#endif
