/*
 * Numbers by name (floc_measure). One table in measures.c gives name and function; nothing here changes
 * what it looks at.
 */
#ifndef FLOC_MEASURES_MEASURES_H
#define FLOC_MEASURES_MEASURES_H

#include "geometry/rigid.h"
#include "neighbors/neighbors.h"

typedef struct measure_source {
  environment *env;
  const particles *table;
  const bodies *obstacles;
  const neighbors *near;
  const domain *box;
  double gravity[3];
  const floc_step_report *report;
  const rigid_assemblies *assemblies;
} measure_source;

/* FLOC_NOT_FOUND names the nearest known name. */
floc_status measure_by_name(const measure_source *source, const char *name, double *value);

#endif
