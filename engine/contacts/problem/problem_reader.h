/*
 * What the readers of the two kinds of recorded problems share (problem_file.h).
 */
#ifndef FLOC_CONTACTS_PROBLEM_PROBLEM_READER_H
#define FLOC_CONTACTS_PROBLEM_PROBLEM_READER_H

#include "contacts/problem/problem_file.h"

typedef struct problem_reader {
  const section_list *list;
  floc_status status; /* of the first failure; nothing is read after it */
} problem_reader;

/* The data of a section of this shape; NULL once anything has failed. */
const void *problem_read(problem_reader *from, const char *name, const char *type, uint64_t rows, uint64_t columns);
/* FLOC_DAMAGED_FILE with the number's name, value and range where it is not good. */
void problem_require(problem_reader *from, bool good, const char *what, double value, const char *range);

#endif
