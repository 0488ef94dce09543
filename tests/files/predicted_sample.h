/*
 * Sections as a world with contact history lists them: particles in a periodic box, stored in another order than
 * that of their ids, where they were when the neighbour list was built, the list, and for some of its pairs a
 * vector that is perpendicular to the way from one to the other up to rounding. Contents follow from a number.
 */
#ifndef FLOC_TESTS_FILES_PREDICTED_SAMPLE_H
#define FLOC_TESTS_FILES_PREDICTED_SAMPLE_H

#include "files/checkpoint/checkpoint.h"
#include "samples.h"

#include <math.h>

enum { PARTICLES = 60, GREATEST_PAIRS = PARTICLES * PARTICLES / 2, ROW = 6, PREDICTIONS = 5 };
static const double BOX = 4.0;

typedef struct predicted_sample {
  section_list list;
  int32_t dimension;
  double position[3][PARTICLES], reference[3][PARTICLES];
  int64_t zeros[PARTICLES], order[PARTICLES], start[PARTICLES + 1];
  int32_t second[GREATEST_PAIRS];
  double row[GREATEST_PAIRS * ROW];
  int64_t pairs;
  size_t rows;
  prediction prediction[PREDICTIONS];
  int32_t predictions;
} predicted_sample;

static inline double sample_uniform(uint64_t number)
{
  return (double)(sample_bits(number) >> 11) * 0x1p-53;
}

static inline double sample_way(const predicted_sample *made, int64_t i, int64_t j, double way[3])
{
  double square = 0.0;
  for (int32_t a = 0; a < made->dimension; a++) {
    way[a] = made->position[a][j] - made->position[a][i];
    way[a] -= BOX * rint(way[a] / BOX);
    square += way[a] * way[a];
  }
  return sqrt(square);
}

/* Particles, their order (a step of 7 through the ids), and the list of those nearer than 1. */
static inline void sample_particles(predicted_sample *made, uint64_t seed)
{
  for (int64_t k = 0; k < PARTICLES; k++) {
    for (uint64_t a = 0; a < 3; a++) made->position[a][k] = BOX * sample_uniform(seed << 32 | (uint64_t)k * 3 | a);
    made->order[k] = 7 * k % PARTICLES + 1;
  }
  for (int64_t slot = 0; slot < PARTICLES; slot++) {
    int64_t id = made->order[slot];
    for (int a = 0; a < 3; a++)
      made->reference[a][slot] = made->position[a][id - 1] + 1e-4 * sample_uniform((uint64_t)(slot + 1000 * a));
    made->start[slot] = made->pairs;
    for (int64_t other = slot + 1; other < PARTICLES; other++) {
      double way[3];
      if (sample_way(made, id - 1, made->order[other] - 1, way) < 1.0) made->second[made->pairs++] = (int32_t)other;
    }
  }
  made->start[PARTICLES] = made->pairs;
}

static inline bool sample_is_listed(const predicted_sample *made, int64_t i, int64_t j)
{
  for (int64_t slot = 0; slot < PARTICLES; slot++) {
    for (int64_t k = made->start[slot]; k < made->start[slot + 1]; k++) {
      int64_t a = made->order[slot], b = made->order[made->second[k]];
      if ((a == i && b == j) || (a == j && b == i)) return true;
    }
  }
  return false;
}

/* Rows: two ids, another number, the vector. Every fifth pair remembers nothing. */
static inline void sample_rows(predicted_sample *made)
{
  size_t width = 3 + (size_t)made->dimension;
  for (int64_t i = 1; i <= PARTICLES; i++) {
    for (int64_t j = i + 1; j <= PARTICLES; j++) {
      if (!sample_is_listed(made, i, j) || (i * 31 + j) % 5 == 0) continue;
      double way[3] = {0}, *row = made->row + made->rows++ * width, along = 0.0, vector[3];
      double length = sample_way(made, i - 1, j - 1, way);
      for (int32_t a = 0; a < made->dimension; a++) {
        vector[a] = sample_uniform((uint64_t)(i * 1000 + j * 10 + a)) - 0.5;
        along += vector[a] * way[a] / length;
      }
      row[0] = (double)i;
      row[1] = (double)j;
      row[2] = sample_uniform((uint64_t)(i + j));
      for (int32_t a = 0; a < made->dimension; a++) row[3 + a] = vector[a] - along * way[a] / length;
    }
  }
}

static inline void sample_list(predicted_sample *made, environment *env)
{
  static const char *const position[] = {"x", "y", "z"}, *const reference[] = {"rx", "ry", "rz"};
  section_list_init(&made->list, env);
  section_list *list = &made->list;
  for (int32_t a = 0; a < made->dimension; a++)
    assert_ok(env, section_list_add(list, position[a], "f64", PARTICLES, 1, made->position[a], true));
  assert_ok(env, section_list_add(list, "order", "i64", PARTICLES, 1, made->order, false));
  assert_ok(env, section_list_add(list, "rows", "f64", made->rows, 3 + (uint64_t)made->dimension, made->row, true));
  for (int32_t a = 0; a < made->dimension; a++)
    assert_ok(env, section_list_add(list, reference[a], "f64", PARTICLES, 1, made->reference[a], false));
  assert_ok(env, section_list_add(list, "start", "i64", PARTICLES + 1, 1, made->start, false));
  assert_ok(env, section_list_add(list, "second", "i32", (uint64_t)made->pairs, 1, made->second, false));
  assert_ok(env, section_list_add(list, "zeros", "i64", PARTICLES, 1, made->zeros, false));
  prediction *next = made->prediction;
  *next++ = (prediction){PREDICT_PAIRS, "rows", {"start", "second", "order"}, 0, {0}};
  *next =
      (prediction){PREDICT_PERPENDICULAR, "rows", {"x", "y", made->dimension == 3 ? "z" : NULL}, 3, {BOX, BOX, 0}};
  if (made->dimension == 3) next->period[2] = BOX;
  next++;
  for (int32_t a = 0; a < made->dimension; a++)
    *next++ = (prediction){PREDICT_BY_ORDER, reference[a], {position[a], "order"}, 0, {0}};
  made->predictions = (int32_t)(next - made->prediction);
}

static inline void predicted_make(predicted_sample *made, environment *env, int32_t dimension, uint64_t seed)
{
  memset(made, 0, sizeof *made);
  made->dimension = dimension;
  sample_particles(made, seed);
  sample_rows(made);
  sample_list(made, env);
}

#endif
