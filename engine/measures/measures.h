/*
 * Numbers by name (floc_measure), declared in scripts/floc/surface/measures.lua; nothing here changes
 * what it looks at.
 */
#ifndef FLOC_MEASURES_MEASURES_H
#define FLOC_MEASURES_MEASURES_H

#include "measures/statistics/interactions.h"
#include "schemes/scheme.h"

/* What a measure asks the world about forces. */
typedef struct interactions_wanted {
  const char *what; /* the measure, for messages */
  interaction_sink sink;
  /* NULL, or gets, before the sink, what acts on every particle but gravity, by slot: all, or (has_contacts false)
   * all but contacts. */
  void (*take_forces)(void *context, double *const force[3], bool has_contacts);
} interactions_wanted;

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
  /* Hands over all forces between two in the present state; refuses where the scheme or a law has others. */
  floc_status (*visit_interactions)(void *host, const interactions_wanted *wanted, void *context);
  void *host;
} measure_source;

/* FLOC_NOT_FOUND: there is no such measure; FLOC_NOT_SUPPORTED: it has no meaning with this scheme. Memory in
 * `scratch` is the caller's to give back. */
floc_status measure_by_name(const measure_source *source, const char *name, double *value);

#endif
