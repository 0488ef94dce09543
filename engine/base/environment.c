/*
 * Allocation and messages of a world. See environment.h.
 */
#include "base/callback.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>
#endif

floc_status refuse(environment *env, floc_status status, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(env->message, sizeof env->message, format, arguments);
  va_end(arguments);
  return status;
}

void report_line(environment *env, int32_t level, const char *format, ...)
{
  if (!env->log) return;
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  callback_mark before = callback_begin(env, CALLBACK_LOG, NULL);
  env->log(env->log_context, level, text);
  float_take_back();
  callback_end(env, before);
}

#if defined(__linux__)
/* Columns of large systems are walked in any order: with pages of 2 MB the processor finds their addresses without
 * looking them up in memory (measured: 6 to 9 percent of a step of soft spheres, a quarter of the tracing of
 * rays). A hint, which the system may ignore. */
static void wish_large_pages(void *pointer, size_t size)
{
  const uintptr_t page = (uintptr_t)2 << 20;
  uintptr_t begin = ((uintptr_t)pointer + page - 1) / page * page, end = ((uintptr_t)pointer + size) / page * page;
  if (end > begin) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}
#else
static void wish_large_pages(void *pointer, size_t size)
{
  (void)pointer, (void)size;
}
#endif

void *default_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  (void)context;
  (void)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  void *made = realloc(pointer, new_size);
  if (made) wish_large_pages(made, new_size);
  return made;
}

void *memory_resize(environment *env, void *pointer, size_t old_size, size_t new_size)
{
  if (env->allocate == default_allocate) return default_allocate(NULL, pointer, old_size, new_size);
  callback_mark before = callback_begin(env, CALLBACK_ALLOCATOR, NULL);
  void *made = env->allocate(env->allocate_context, pointer, old_size, new_size);
  float_take_back();
  callback_end(env, before);
  return made;
}

void memory_free(environment *env, void *pointer, size_t size)
{
  if (pointer) memory_resize(env, pointer, size, 0);
}

enum { LARGE_ARRAY = 1 << 20 /* bytes */ };

floc_status array_reserve(environment *env, void **pointer, size_t *capacity, size_t needed, size_t element_size)
{
  if (needed <= *capacity) return FLOC_OK;
  size_t grown = *capacity + *capacity / (*capacity * element_size > LARGE_ARRAY ? 8 : 2);
  if (grown < needed) grown = needed;
  if (grown < 8) grown = 8;
  if (grown > SIZE_MAX / element_size) {
    return refuse(env, FLOC_LIMIT_EXCEEDED, "%zu elements of %zu bytes exceed the address space", grown,
                  element_size);
  }
  void *larger = memory_resize(env, *pointer, *capacity * element_size, grown * element_size);
  if (!larger) {
    return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", grown * element_size);
  }
  memset((char *)larger + *capacity * element_size, 0, (grown - *capacity) * element_size);
  *pointer = larger;
  *capacity = grown;
  return FLOC_OK;
}

void array_trim(environment *env, void **pointer, size_t *capacity, size_t wanted, size_t element_size)
{
  if (*capacity / 4 > wanted) array_fit(env, pointer, capacity, wanted + wanted / 8, element_size);
}

void array_fit(environment *env, void **pointer, size_t *capacity, size_t kept, size_t element_size)
{
  if (*capacity * element_size <= LARGE_ARRAY || *capacity <= kept) return;
  if (kept == 0) {
    array_free(env, pointer, capacity, element_size);
    return;
  }
  void *smaller = memory_resize(env, *pointer, *capacity * element_size, kept * element_size);
  if (!smaller) return;
  *pointer = smaller;
  *capacity = kept;
}

void array_free(environment *env, void **pointer, size_t *capacity, size_t element_size)
{
  memory_free(env, *pointer, *capacity * element_size);
  *pointer = NULL;
  *capacity = 0;
}
