/*
 * Names of what a law can ask for, resolved once when it is added.
 */
#ifndef FLOC_LAWS_LAW_INPUT_H
#define FLOC_LAWS_LAW_INPUT_H

#include "laws/laws.h"

typedef enum input_kind {
  INPUT_DISTANCE,        /* between centres */
  INPUT_OVERLAP,         /* radius_i + radius_j - distance */
  INPUT_NORMAL_VELOCITY, /* rate of change of the distance */
  INPUT_ID_I,
  INPUT_ID_J,
  INPUT_TIME,
  INPUT_TIME_STEP,
  INPUT_COLUMN_I, /* a column of the particle (of particle i for pairs) */
  INPUT_COLUMN_J
} input_kind;

typedef struct law_input {
  input_kind kind;
  int32_t column; /* for INPUT_COLUMN_* */
} law_input;

/* A law as it is kept: the host's description with everything that points elsewhere copied or resolved. */
typedef struct law {
  char name[64];
  int32_t input_count;
  law_input input[LAW_INPUT_LIMIT];
  int32_t output_count;
  double range;
  floc_kernel_function function;
  void *context;
  bool parallel;
  bool noise_scaling; /* the force is divided by sqrt(h): see floc_attraction_options */
} law;

/* Checks options and fills result. `pair`: names end in _i and _j. */
floc_status law_resolve(environment *env, const particles *table, const floc_law_options *options, bool pair,
                        int32_t output_count, law *result);

#endif
