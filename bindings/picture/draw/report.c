/*
 * Refusals and memory. The folder has no world to hang an allocator on; its memory lives for one call
 * and comes from the C library. A refused allocation ends the call with FLOC_OUT_OF_MEMORY and leaves
 * nothing behind.
 */
#include "draw/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

floc_status picture_refuse(const picture_report *report, floc_status status, const char *format, ...)
{
  if (!report->text || report->size == 0) return status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->text, report->size, format, arguments);
  va_end(arguments);
  return status;
}

floc_status picture_out_of_memory(const picture_report *report, double bytes)
{
  return picture_refuse(report, FLOC_OUT_OF_MEMORY, "out of memory: %.3g MB for a picture", bytes * 1e-6);
}

void *picture_allocate(int64_t count, size_t element_size)
{
  if (count > 0 && (uint64_t)count > SIZE_MAX / 2 / element_size) return NULL;
  return calloc(count > 0 ? (size_t)count : 1, element_size);
}
