/*
 * A law as it is kept: the host's description with all names resolved once, when it is added.
 */
#ifndef FLOC_LAWS_LAW_INPUT_H
#define FLOC_LAWS_LAW_INPUT_H

#include "laws/bonds/bond_list.h"
#include "laws/laws.h"
#include "laws/program/program.h"

typedef enum input_kind {
  INPUT_DISTANCE,        /* between centres; from the centre to the surface */
  INPUT_OVERLAP,         /* radius_i + radius_j - distance */
  INPUT_NORMAL_VELOCITY, /* rate of change of the distance */
  INPUT_TANGENTIAL_VELOCITY,
  INPUT_NORMAL, /* a component of the normal */
  INPUT_SLIP,   /* a component of the tangential velocity */
  INPUT_MEMORY,
  INPUT_ID_I,
  INPUT_ID_J,
  INPUT_BODY,
  INPUT_MATERIAL,
  INPUT_SHAPE,      /* an attribute of the shape */
  INPUT_MATERIAL_I, /* of the particles; 0 where they have none */
  INPUT_MATERIAL_J,
  INPUT_UNIFORM_RANDOM, /* which of four */
  INPUT_NORMAL_RANDOM,
  INPUT_AXIS_I, /* a component of an axis of the particle: 3 axis + component */
  INPUT_AXIS_J,
  INPUT_COLUMN_I, /* a column of the particle (of particle i for pairs) */
  INPUT_COLUMN_J,
  INPUT_COLUMN_K, /* of angles, as what follows */
  INPUT_ID_K,
  INPUT_ANGLE, /* at j, from 0 to pi */
  INPUT_SIDE,  /* distance of i and j (0), j and k (1), i and k (2) */
  /* from here on the same for all elements */
  INPUT_TIME,
  INPUT_TIME_STEP,
  INPUT_PARAMETER
} input_kind;

typedef struct law_input {
  input_kind kind;
  int32_t number; /* of the column, axis, memory or parameter */
} law_input;

typedef enum output_kind {
  OUTPUT_NORMAL,
  OUTPUT_TANGENTIAL,
  OUTPUT_TANGENTIAL_VECTOR, /* a component */
  OUTPUT_ENERGY,
  OUTPUT_MEMORY,
  OUTPUT_COMPONENT, /* of a field */
  OUTPUT_RATE,      /* of an attribute, of an evolution */
  OUTPUT_FORCE,     /* a component on i, at its centre; the opposite on j or the body */
  OUTPUT_TORQUE,    /* a component on i, the opposite on j or the body */
  OUTPUT_TORQUE_I,
  OUTPUT_TORQUE_J,
  OUTPUT_EXCHANGE, /* of an attribute, per time: what i gets j gives */
  OUTPUT_SUM,      /* into an attribute of both, begun with 0 each time */
  OUTPUT_SUM_I,
  OUTPUT_SUM_J,
  OUTPUT_SHAPE_RATE,  /* of an attribute of the shape, per time */
  OUTPUT_SHAPE_SUM,   /* into an attribute of the shape, begun with 0 each time */
  OUTPUT_BROKEN,      /* of bonds: other than 0 removes it at the end of the step */
  OUTPUT_MOMENT,      /* of angles: above 0 opens it */
  OUTPUT_SIDE,        /* of angles: a force between two of the three, > 0 apart; as INPUT_SIDE */
  OUTPUT_SUM_K,       /* of angles, as what follows */
  OUTPUT_EXCHANGE_IJ, /* per time: what i gets j gives */
  OUTPUT_EXCHANGE_JK, /* what j gets k gives */
  OUTPUT_EXCHANGE_IK  /* what i gets k gives */
} output_kind;

typedef struct law_output {
  output_kind kind;
  int32_t number; /* of the axis, memory or column */
} law_output;

enum { LAW_NAME_SIZE = 32 };

/* A number that pairs remember: the columns of pair memory that hold it at the step's start and end. Of bonds also
 * an attribute; one that the law does not set has no column `next` (-1). */
typedef struct law_memory {
  char name[LAW_NAME_SIZE];
  int32_t now, next;
  double initial; /* of new bonds */
} law_memory;

/* What a law adds to an attribute of the particles: in sums at once, in exchanges as a rate for the step's end. */
typedef struct law_amount {
  int32_t output, column;
  bool exchange;
  double on_i, on_j, on_k; /* factors; on_k: of angles */
} law_amount;

/* What a wall law adds to an attribute of shapes: a rate for the step's end, or a sum. */
typedef struct law_shape_amount {
  int32_t output, attribute;
  bool sum;
} law_shape_amount;

typedef struct law_parameter {
  char name[LAW_NAME_SIZE];
  double value;
} law_parameter;

typedef struct law {
  char name[64];
  int32_t kind; /* floc_law_kind */
  int32_t input_count, output_count, memory_count, parameter_count;
  int32_t attribute_count; /* of memory_count: those behind the others are attributes of bonds */
  law_input input[LAW_INPUT_LIMIT];
  law_output output[LAW_OUTPUT_LIMIT];
  char input_name[LAW_INPUT_LIMIT][COLUMN_NAME_SIZE];
  char output_name[LAW_OUTPUT_LIMIT][COLUMN_NAME_SIZE];
  law_memory memory[LAW_MEMORY_LIMIT + LAW_ATTRIBUTE_LIMIT];
  law_parameter parameter[LAW_PARAMETER_LIMIT];
  double range;     /* may be infinite for pairs */
  bool everywhere;  /* pairs: all of them, without a list (laws_set_box) */
  bond_list *bonds; /* whose pairs or triples it acts on; NULL: it has none */
  double energy;    /* at the last evaluation */
  floc_kernel_function function;
  void *context;
  program *code; /* what runs, or NULL: a function of the host */
  bool parallel;
  bool needs_velocity, needs_slip, needs_speed; /* of the geometry of pairs */
  bool has_tangential, has_energy;
  bool next_is_given; /* the columns `next` of memory hold what this step gave */
  bool has_line;      /* gives a normal or tangential force */
  bool has_vector;    /* gives a force or torque as a vector */
  bool has_torque;    /* gives a torque */
  bool reads_axes;    /* has an input INPUT_AXIS_ */
  law_amount amount[LAW_OUTPUT_LIMIT];
  int32_t amount_count;
  law_shape_amount shape_amount[LAW_OUTPUT_LIMIT];
  int32_t shape_amount_count;
  int32_t number;                                 /* among those of its kind; part of random numbers' keys */
  uint64_t columns_read, sums_written, sums_read; /* a bit per column; sums_read: by the name of sum_NAME */
  int32_t stage; /* after all laws that write a sum which it reads (law_stages.c) */
  bool staged;   /* an evolution that reads a sum: evaluated with the forces */
} law;

/* Checks options and fills result; names of inputs are resolved against the table's columns. output_count: of a
 * field whose outputs have no names, 0 where they have. The bodies are those whose shapes have attributes, or NULL.
 * To be given back with law_free. */
floc_status law_resolve(environment *env, const particles *table, const bodies *obstacles,
                        const floc_law_options *options, int32_t kind, int32_t output_count, law *result);
/* Is the name that of a component of an axis of the particle, as laws of this kind ask for it? */
bool law_axis_input(int32_t kind, const char *name, law_input *input);
/* Bit per input that is the same for all elements of a call. */
uint64_t law_uniform_inputs(const law *one);
void law_free(environment *env, law *one);
/* Another program with the same inputs and outputs; on failure the old one stays. */
floc_status law_set_program(environment *env, law *one, const floc_program_options *options);

#endif
