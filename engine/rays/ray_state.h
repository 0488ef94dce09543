/*
 * What the files about sources share. See ray_sources.h.
 */
#ifndef FLOC_RAYS_RAY_STATE_H
#define FLOC_RAYS_RAY_STATE_H

#include "rays/ray_sources.h"
#include "rays/tracer.h"

#include <string.h>

/* A force as a row of a table: begin, end, force, torque, absorbed power. */
enum { PUSH_ROW = 9, ROW_BEGIN = 0, ROW_END = 1, ROW_FORCE = 2, ROW_TORQUE = 5, ROW_POWER = 8 };

/* A flying ray as rows of numbers. */
enum { RAY_DOUBLES = 11, RAY_INTEGERS = 5 };

/* What changes from step to step. */
typedef struct ray_state {
  double time; /* up to which rays have flown */
  int64_t push_count, flight_count;
  size_t push_capacity, id_capacity, flight_capacity;
  double *push;       /* [push_count][PUSH_ROW] */
  int64_t *push_id;   /* [push_count] particle */
  ray_record *flight; /* [flight_count] */
  size_t tally_capacity, fired_capacity, attenuated_capacity;
  ray_tally *tally; /* per source */
  compensated *attenuated;
  int64_t *fired; /* pulses fired per source */
} ray_state;

struct ray_sources {
  environment *env;
  int32_t dimension;
  uint64_t seed;
  floc_media media;
  int32_t count;
  size_t capacity;
  floc_ray_source_options *source; /* times point into memory of ours */
  ray_state state[2];
  int now; /* which of the two */
  bool begun;
  /* rows for checkpoints, filled by ray_sources_sections */
  double *row;
  int64_t *integer;
  size_t row_capacity, integer_capacity;
};

void ray_state_free(environment *env, ray_state *state);
/* Space for that number of forces, rays in flight, and sources. */
floc_status ray_state_reserve(environment *env, ray_state *state, int64_t pushes, int64_t flights, int32_t sources);
/* Copies everything. */
floc_status ray_state_copy(environment *env, ray_state *to, const ray_state *from, int32_t sources);

static inline void copy_bytes(void *to, const void *from, int64_t count, size_t size)
{
  if (count > 0) memcpy(to, from, (size_t)count * size);
}

#endif
