/*
 * Two doubles side by side. Loops over columns, and over rows in the plane, do the same operations on
 * every target, so the bits do not depend on which vector units there are. Sums run in two lanes that
 * are added at the end of a block.
 *
 * The compilers' own vectors would do, but what gcc 12 makes of masks in them is several times slower
 * than the instructions that every 64-bit x86 has; so those are named, and the vectors serve elsewhere.
 */
#ifndef FLOC_CONTACTS_SOLVERS_LANES_H
#define FLOC_CONTACTS_SOLVERS_LANES_H

#include <stdint.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(16)));

static inline lanes lanes_load(const double *from)
{
  lanes value;
  memcpy(&value, from, sizeof value);
  return value;
}

static inline void lanes_store(double *to, lanes value)
{
  memcpy(to, &value, sizeof value);
}

static inline lanes lanes_both(double value)
{
  return (lanes){value, value};
}

static inline double lanes_sum(lanes value)
{
  return value[0] + value[1];
}

/* (a[0] + a[1], b[0] + b[1]) */
static inline lanes lanes_pair_sums(lanes a, lanes b)
{
  return (lanes){a[0], b[0]} + (lanes){a[1], b[1]};
}

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128d lane_mask;

static inline lane_mask lanes_less(lanes a, lanes b)
{
  return _mm_cmplt_pd(a, b);
}

/* value where the mask is set, 0 elsewhere */
static inline lanes lanes_where(lane_mask mask, lanes value)
{
  return _mm_and_pd(mask, value);
}

static inline lanes lanes_where_not(lane_mask mask, lanes value)
{
  return _mm_andnot_pd(mask, value);
}

/* a > b ? a : b, and a < b ? a : b */
static inline lanes lanes_greater(lanes a, lanes b)
{
  return _mm_max_pd(a, b);
}

static inline lanes lanes_smaller(lanes a, lanes b)
{
  return _mm_min_pd(a, b);
}

static inline lanes lanes_absolute(lanes a)
{
  return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

#else

typedef int64_t lane_mask __attribute__((vector_size(16)));

static inline lane_mask lanes_less(lanes a, lanes b)
{
  return a < b;
}

static inline lanes lanes_where(lane_mask mask, lanes value)
{
  return (lanes)(mask & (lane_mask)value);
}

static inline lanes lanes_where_not(lane_mask mask, lanes value)
{
  return (lanes)(~mask & (lane_mask)value);
}

static inline lanes lanes_greater(lanes a, lanes b)
{
  return (lanes){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}

static inline lanes lanes_smaller(lanes a, lanes b)
{
  return (lanes){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}

static inline lanes lanes_absolute(lanes a)
{
  return (lanes)((lane_mask)a & INT64_MAX);
}

#endif
#endif
