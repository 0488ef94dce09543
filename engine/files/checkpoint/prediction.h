/*
 * Predictions: numbers of a section that follow, exactly or nearly, from other sections of the same file. In the
 * file stands what is left when the prediction is taken off, in few bits; the reader puts it back.
 * docs/checkpoint.md specifies the arithmetic, which is that of the file format and of nothing else: a prediction
 * that is far off (other laws, another version of the library) costs bytes, never a bit of the state.
 *
 * What a prediction is made from are sections without predictions, complete in memory. A row's prediction depends
 * on nothing else but that row's other columns, so rows can be done in any order, and in parallel.
 */
#ifndef FLOC_FILES_CHECKPOINT_PREDICTION_H
#define FLOC_FILES_CHECKPOINT_PREDICTION_H

#include "base/section.h"
#include "files/checkpoint/format.h"

typedef enum prediction_kind {
  /* a column by storage place, from one by id and the order: position when the lists were built, from the present
     one */
  PREDICT_BY_ORDER = 1,
  /* columns 0 and 1, two ids in ascending order, from the neighbour list: the rows are some of its pairs */
  PREDICT_PAIRS = 2,
  /* a component of a vector that is perpendicular to the line between the particles that columns 0 and 1 name */
  PREDICT_PERPENDICULAR = 3
} prediction_kind;

enum { PREDICTION_SOURCES = 3 };

/* What the writer may try. Sections that are missing or of another shape are no error: nothing is predicted then.
 */
typedef struct prediction {
  prediction_kind kind;
  const char *section;
  const char *
      source[PREDICTION_SOURCES]; /* by order: column, order; pairs: start, second, order; perpendicular: x y (z) */
  uint32_t column;                /* perpendicular: of the vector's first component */
  double period[PREDICTION_SOURCES]; /* perpendicular: along each axis, 0: none */
} prediction;

/* What is needed to predict. */
typedef struct predictor {
  prediction_entry entry;
  uint64_t width;                         /* numbers in a row of the section */
  const void *source[PREDICTION_SOURCES]; /* their numbers */
  uint64_t source_rows[PREDICTION_SOURCES];
  int32_t *pair; /* [2 pair_count] pairs of ids, ascending */
  uint64_t pair_count;
  uint64_t *place; /* [place_count] of each row in the pairs; only the writer's */
  uint64_t place_count;
} predictor;

/* NULL, or why the entry makes no sense for these sections. */
const char *prediction_fault(const prediction_entry *entry, const section_entry *sections, uint32_t section_count);
/* data[k]: section k's numbers. FLOC_OUT_OF_MEMORY; or FLOC_NOT_FOUND without a message, if the sources are not
 * what they should be (a list that is none). To be freed in any case. */
floc_status predictor_init(predictor *made, environment *env, const prediction_entry *entry,
                           const section_entry *sections, const void *const *data);
/* The writer's, too: finds the rows of the section among the pairs. FLOC_NOT_FOUND if one is not there. */
floc_status predictor_find_rows(predictor *made, environment *env, const double *rows, uint64_t count);
void predictor_free(predictor *made, environment *env);

/* Replaces rows first .. first + count - 1, whose numbers start at `rows`, by what the file holds, and back. */
void predictor_take_off(const predictor *by, uint64_t first, uint64_t count, void *rows);
void predictor_put_back(const predictor *by, uint64_t first, uint64_t count, void *rows);

/* A file that has been read but for its predictions. */
typedef struct predicted_file {
  const section_entry *entry;
  uint32_t section_count;
  const chunk_entry *chunk;
  const prediction_entry *prediction;
  uint32_t prediction_count;
  unsigned char **data; /* [section_count] */
} predicted_file;

/* What is wrong where. */
typedef struct prediction_damage {
  const section_entry *entry;
  uint64_t offset;
  const char *reason;
} prediction_damage;

/* Puts all predictions back and compares the checksums. FLOC_DAMAGED_FILE without a message, but with *damage. */
floc_status predictions_undo(environment *env, const predicted_file *file, prediction_damage *damage);

#endif
