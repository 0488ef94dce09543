/*
 * Refusals with a message, and memory.
 */
#ifndef FLOC_PICTURE_DRAW_REPORT_H
#define FLOC_PICTURE_DRAW_REPORT_H

#include "floc/floc.h"

/* Where the text of a failure goes; text may be NULL. */
typedef struct picture_report {
  char *text;
  size_t size;
} picture_report;

/* Formats the text and returns status, so that callers write `return picture_refuse(...)`. */
floc_status picture_refuse(const picture_report *report, floc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The refusal for an allocation of that many bytes that failed. */
floc_status picture_out_of_memory(const picture_report *report, double bytes);
/* count cleared elements, NULL when out of memory; count 0 gives a valid pointer. free() frees. */
void *picture_allocate(int64_t count, size_t element_size);

#endif
