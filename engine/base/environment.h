/*
 * What every module of the engine needs from its surroundings: the allocator, the text of the last
 * failure, the log sink and the number of threads. One environment per world; no globals.
 *
 * A function that can fail returns floc_status and reports through refuse(), which formats the text
 * that floc_world_message() shows: the argument's name, its value, the allowed range.
 */
#ifndef FLOC_BASE_ENVIRONMENT_H
#define FLOC_BASE_ENVIRONMENT_H

#include "floc/floc.h"

enum { MESSAGE_SIZE = 512 };

typedef struct parallel_team parallel_team;
typedef struct host_pool host_pool;
typedef struct interruption interruption;
typedef struct work_budget work_budget;
typedef struct call_guard call_guard;

typedef struct environment {
  floc_allocate_function allocate;
  void *allocate_context;
  floc_log_function log;
  void *log_context;
  int32_t threads; /* 1 or more */
  char message[MESSAGE_SIZE];
  parallel_team *team; /* of threads that wait for loops (base/threads/parallel.h); NULL: none */
  host_pool *pool;     /* of the host, which does loops in place of a team (base/threads/pool.h); NULL: none */
  interruption *interruption; /* base/interruption.h; NULL: calls are never given up */
  call_guard *guard;          /* what runs in the world (base/callback.h); NULL: without one */
  work_budget *work;          /* of a step (base/work.h); NULL: not counted */
} environment;

/* Formats the message and returns status, so that callers write `return refuse(...)`. */
floc_status refuse(environment *env, floc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One line to the log sink, if there is one. level: 0 information, 1 warning. */
void report_line(environment *env, int32_t level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The allocator used when options give none: realloc and free. */
void *default_allocate(void *context, void *pointer, size_t old_size, size_t new_size);

/* Changes the size of a block of memory; new bytes are not cleared. NULL when out of memory. */
void *memory_resize(environment *env, void *pointer, size_t old_size, size_t new_size);
void memory_free(environment *env, void *pointer, size_t size);

/* Makes sure that *pointer holds at least `needed` elements, growing by half at least (an array of more than a
 * megabyte by an eighth), so that adding one by one is linear. Existing elements stay; new ones are cleared. On
 * failure nothing changes. */
floc_status array_reserve(environment *env, void **pointer, size_t *capacity, size_t needed, size_t element_size);
/* Gives back what a large array has beyond `wanted` elements and an eighth, where it has four times as many. */
void array_trim(environment *env, void **pointer, size_t *capacity, size_t wanted, size_t element_size);
/* Cuts a large array to `kept` elements; where the allocator refuses, it stays as long as it is. */
void array_fit(environment *env, void **pointer, size_t *capacity, size_t kept, size_t element_size);
/* Frees an array of array_reserve and sets pointer and capacity to zero. */
void array_free(environment *env, void **pointer, size_t *capacity, size_t element_size);

#endif
