/*
 * What names of inputs and outputs consist of, for law_input.c and law_output.c.
 */
#ifndef FLOC_LAWS_LAW_NAMES_H
#define FLOC_LAWS_LAW_NAMES_H

#include "laws/law_input.h"

#include <string.h>

/* "<stem>x", y or z: the axis, or -1. */
static inline int32_t axis_of(const char *name, const char *stem)
{
  static const char *const axis_names[3] = {"x", "y", "z"};
  size_t length = strlen(stem);
  if (strncmp(name, stem, length) != 0) return -1;
  for (int32_t axis = 0; axis < 3; axis++)
    if (strcmp(name + length, axis_names[axis]) == 0) return axis;
  return -1;
}

static inline bool starts_with(const char *name, const char *stem)
{
  return strncmp(name, stem, strlen(stem)) == 0;
}

/* "<stem>ij", jk or ik: 0, 1, 2, or -1. */
static inline int32_t side_of(const char *name, const char *stem)
{
  static const char *const side_names[3] = {"ij", "jk", "ik"};
  if (!starts_with(name, stem)) return -1;
  for (int32_t side = 0; side < 3; side++)
    if (strcmp(name + strlen(stem), side_names[side]) == 0) return side;
  return -1;
}

static inline bool touches_pairs(const law *one)
{
  return one->kind == FLOC_LAW_PAIR || one->kind == FLOC_LAW_WALL;
}

/* Fills the law's outputs, and what follows from them. output_count: as of law_resolve(). */
floc_status law_resolve_outputs(environment *env, const particles *table, const bodies *obstacles,
                                const floc_law_options *options, int32_t output_count, law *one);

#endif
