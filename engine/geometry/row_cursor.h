/*
 * A row of a table in a checkpoint, walked along once: the same lines write it and read it, so that the two cannot
 * come apart. A row is doubles, one after the other in the order of the calls.
 */
#ifndef FLOC_GEOMETRY_ROW_CURSOR_H
#define FLOC_GEOMETRY_ROW_CURSOR_H

#include <stdbool.h>

typedef struct row_cursor {
  double *value; /* the next one */
  bool reads;    /* from the row into fields; else from fields into the row */
} row_cursor;

static inline void move_values(row_cursor *row, double *field, int count)
{
  for (int k = 0; k < count; k++) {
    if (row->reads)
      field[k] = row->value[k];
    else
      row->value[k] = field[k];
  }
  row->value += count;
}

static inline void move_truth(row_cursor *row, bool *field)
{
  double value = *field ? 1.0 : 0.0;
  move_values(row, &value, 1);
  *field = value != 0.0;
}

#endif
