/*
 * Measures that a host adds to a world (floc_measure_add). They stand beside the engine's own table (measures.c),
 * in an array in the order in which they came; looked up by name, a few a step.
 */
#ifndef FLOC_MEASURES_ADDED_H
#define FLOC_MEASURES_ADDED_H

#include "base/environment.h"

enum { ADDED_NAME = 48, ADDED_UNIT = 48, ADDED_TEXT = 256 }; /* bytes, the last one 0 */

typedef struct added_measure {
  char name[ADDED_NAME], unit[ADDED_UNIT], text[ADDED_TEXT];
  floc_measure_function function;
  void *context;
} added_measure;

typedef struct added_measures {
  added_measure *measure;
  int32_t count;
  size_t capacity;
} added_measures;

/* Checks and copies it. */
floc_status added_measures_add(environment *env, added_measures *all, const floc_measure_options *options);
/* NULL: there is none of that name. */
const added_measure *added_measures_find(const added_measures *all, const char *name);
/* Calls the host's function. */
floc_status added_measure_value(environment *env, const added_measure *one, floc_world *world, double *value);
void added_measures_free(environment *env, added_measures *all);

#endif
