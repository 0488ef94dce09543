/*
 * Structs that a host hands in, of whatever age: floc.h promises that a program which was compiled with an older or
 * a newer header works with this library.
 *
 * A struct only grows, at its end, and what is added means "as before" when it is 0. So an older host's struct is
 * read as its bytes with zeros behind them, and a newer host's as its first bytes, if the others are 0: what this
 * library does not know must not be dropped in silence. Neither is read or written behind its struct_size.
 *
 * FIRST_x (fields_made.h) is the size of a struct in the oldest header that is served: sizeof while it has not
 * grown, then the offset of the first field declared with `since` (which may not lie in what was padding before;
 * tests/abi holds it against that header).
 */
#ifndef FLOC_BASE_STRUCTS_H
#define FLOC_BASE_STRUCTS_H

#include "base/environment.h"
#include "base/fields.h"

#include <string.h>

/* Whether that can be the size of the struct in some header. */
bool struct_size_fits(uint32_t size, uint32_t first, uint32_t own_size);

/* own: the struct of this library with its defaults. */
floc_status struct_init(void *target, uint32_t size, uint32_t first, const void *own, uint32_t own_size);

/* The host's struct as one of this library's. name: of the argument. */
floc_status struct_read(environment *env, const char *name, const void *given, uint32_t first, void *own,
                        uint32_t own_size);

/* A struct that a call fills: read when the call begins, written back to the host when it ends, however that is. */
typedef struct struct_result {
  void *target; /* the host's; NULL: it was refused */
  const void *own;
  uint32_t own_size;
} struct_result;
void struct_write_back(struct_result *result);

/* Element k of an array of the host's, whose elements have `size` bytes; those that this library does not know are
 * 0. */
void struct_put_element(void *array, int64_t k, size_t size, const void *own, size_t own_size);

/* The same for elements with a struct_size, which becomes `size`. */
void struct_put_sized(void *array, int64_t k, uint32_t size, const void *own, size_t own_size);

/* A function that floc.h no longer declares, but the library has. */
#define FOR_OLD_PROGRAMS __attribute__((visibility("default")))

static inline void struct_zero(void *target)
{
  (void)target;
}

/* Defines floc_TYPE_init_sized: the defaults that function puts into a struct full of zeros. */
#define STRUCT_INIT_SIZED(type, function)                                                                          \
  floc_status floc_##type##_init_sized(floc_##type *target, uint32_t size)                                         \
  {                                                                                                                \
    floc_##type own;                                                                                               \
    memset(&own, 0, sizeof own);                                                                                   \
    function(&own);                                                                                                \
    return struct_init(target, size, FIRST_##type, &own, sizeof own);                                              \
  }                                                                                                                \
  _Static_assert(sizeof(floc_##type) >= FIRST_##type, "structs only grow")

/* The same, and floc_TYPE_init, which programs of 0.1.0 call: it knows the struct as it was then, for ever. floc.h
 * has a macro of that name instead. */
#define STRUCT_INIT(type, function)                                                                                \
  STRUCT_INIT_SIZED(type, function);                                                                               \
  FOR_OLD_PROGRAMS floc_status(floc_##type##_init)(floc_##type * target);                                          \
  floc_status(floc_##type##_init)(floc_##type * target)                                                            \
  {                                                                                                                \
    return floc_##type##_init_sized(target, FIRST_##type);                                                         \
  }                                                                                                                \
  _Static_assert(FIRST_##type > 0, "")

/* The same for a struct that is declared with its defaults. */
#define STRUCT_INIT_DECLARED(type)                                                                                 \
  static void type##_defaults(floc_##type *own)                                                                    \
  {                                                                                                                \
    fields_defaults(&struct_##type, own);                                                                          \
  }                                                                                                                \
  STRUCT_INIT(type, type##_defaults)

/* Options from the host: from here on `options` is this library's own struct. */
#define READ_OPTIONS(env, type, options)                                                                           \
  floc_##type own_##options;                                                                                       \
  do {                                                                                                             \
    floc_status read_ = struct_read(env, #options, options, FIRST_##type, &own_##options, sizeof own_##options);   \
    if (read_ != FLOC_OK) return read_;                                                                            \
    (options) = &own_##options;                                                                                    \
  } while (0)

/* A struct to be filled: the same, and what is in it when the function returns goes back to the host. */
#define FILL_RESULT(env, type, result)                                                                             \
  floc_##type own_##result;                                                                                        \
  __attribute__((cleanup(struct_write_back))) struct_result back_##result = {0};                                   \
  do {                                                                                                             \
    floc_status read_ = struct_read(env, #result, result, FIRST_##type, &own_##result, sizeof own_##result);       \
    if (read_ != FLOC_OK) return read_;                                                                            \
    back_##result = (struct_result){result, &own_##result, sizeof own_##result};                                   \
    (result) = &own_##result;                                                                                      \
  } while (0)

#endif
