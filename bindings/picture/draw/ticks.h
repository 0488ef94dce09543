/*
 * Round numbers for axes, legends and scale bars: where the ticks go and what is written at them.
 *
 * Linear ticks stand at multiples of 1, 2 or 5 times a power of ten (Heckbert 1990, "Nice numbers for
 * graph labels", with the rounding downwards of the range left out: the range stays as it is). Long
 * labels are avoided by a factor or an offset that all ticks share and that is written once, as
 * annotation. Logarithmic ticks stand at powers of ten, with 2 and 5 where there are few.
 */
#ifndef FLOC_PICTURE_DRAW_TICKS_H
#define FLOC_PICTURE_DRAW_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TICKS_GREATEST = 40, TICKS_MINOR_GREATEST = 400, TICK_LABEL_SIZE = 40 };

typedef struct tick_set {
  int32_t count;
  double value[TICKS_GREATEST];
  char label[TICKS_GREATEST][TICK_LABEL_SIZE]; /* with ^{} where needed */
  int32_t minor_count;                         /* small ticks without label */
  double minor[TICKS_MINOR_GREATEST];
  char annotation[4 * TICK_LABEL_SIZE]; /* "\u00d710^{5}", "+1.25", "" */
} tick_set;

/* Ticks in lower .. upper (finite, lower < upper), about `wanted` of them, 2 or more where the range
 * allows it. */
void ticks_linear(tick_set *ticks, double lower, double upper, int32_t wanted);
/* The same for a logarithmic axis, lower > 0. */
void ticks_logarithmic(tick_set *ticks, double lower, double upper, int32_t wanted);

/* The greatest of 1, 2, 5 times a power of ten that is not above `limit` > 0. */
double round_number_below(double limit);

/* A number as people write it: "0.25", "-3", "1.5\u00d710^{7}"; `digits` significant ones at most. */
void format_number(char *buffer, size_t size, double value, int digits);

#endif
