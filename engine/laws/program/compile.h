/*
 * What the files that compile law programs share: program.c (checks, life), program/compile.c, program/regions.c.
 */
#ifndef FLOC_LAWS_PROGRAM_COMPILE_H
#define FLOC_LAWS_PROGRAM_COMPILE_H

#include "laws/program/program.h"

/* Where a value is needed: everywhere, or where the value `condition` is true, or (otherwise) where it is false.
 * Elsewhere it may be anything. */
typedef struct value_need {
  int32_t condition;
  bool otherwise;
} value_need;

enum { NEEDED_NOWHERE = -2, NEEDED_EVERYWHERE = -1 };

static inline bool program_same_need(value_need a, value_need b)
{
  return a.condition == b.condition && a.otherwise == b.otherwise;
}

typedef struct value_note {
  int32_t uses;  /* by live instructions, outputs and regions */
  int32_t last;  /* place in the order of the value that uses it last */
  int32_t place; /* -1: none yet */
  int32_t cost;  /* of the region with this condition, [otherwise] */
  int32_t cost_otherwise;
  value_need need; /* where it is computed */
  bool uniform, is_output;
  bool joined;  /* computed by the instruction that uses it */
  bool ordered; /* it has its place in the order */
} value_note;

typedef struct compiler {
  environment *env;
  program *one;
  const floc_program_options *source;
  int32_t first; /* number of the first instruction's value */
  int32_t count; /* of values */
  value_note *note;
  int32_t *order; /* values that are computed for blocks, as they are computed */
  int32_t order_count;
  int32_t free_register[REGISTER_LIMIT];
  int32_t free_count;
} compiler;

/* A machine instruction as it will be, with values in place of places. */
typedef struct plan {
  int32_t family; /* first code of the forms, -1: not joined */
  int32_t inner;  /* the value that is joined */
  int32_t x, y, z, w;
} plan;

static inline const floc_instruction *program_maker(const compiler *work, int32_t value)
{
  return value >= work->first ? &work->source->code[value - work->first] : NULL;
}

/* Is there an instruction of its own for this value? */
static inline bool program_is_emitted(const compiler *work, int32_t value)
{
  return work->note[value].uses > 0 && !work->note[value].joined;
}

floc_status program_compile(environment *env, program *one);
plan program_plan(const compiler *work, int32_t value);

/* program/regions.c: fills note.need of values that are not uniform, once uses are counted. */
void program_find_regions(compiler *work);
/* Fills the order, once it is known what is joined. */
void program_find_order(compiler *work);

#endif
