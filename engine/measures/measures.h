/*
 * Numbers by name (floc_measure), declared in scripts/floc/surface/measures.lua; nothing here changes
 * what it looks at.
 */
#ifndef FLOC_MEASURES_MEASURES_H
#define FLOC_MEASURES_MEASURES_H

#include "schemes/scheme.h"

typedef struct measure_source {
  environment *env;
  arena *scratch;
  const particles *table;
  bodies *obstacles; /* as laws want them; nothing is changed */
  const neighbors *near;
  const domain *box;
  double gravity[3];
  const floc_step_report *report;
  const rigid_assemblies *assemblies;
  const scheme *method;
  laws *forces;
  double time, time_step;
  bool laws_again; /* see laws_view */
} measure_source;

/* FLOC_NOT_FOUND: there is no such measure; FLOC_NOT_SUPPORTED: it has no meaning with this scheme. Memory in
 * `scratch` is the caller's to give back. */
floc_status measure_by_name(const measure_source *source, const char *name, double *value);

#endif
