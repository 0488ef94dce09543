/*
 * What every test of the engine needs: cmocka, an environment on malloc, and comparisons of doubles
 * that print both numbers.
 */
#ifndef FLOC_TESTS_SUPPORT_H
#define FLOC_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/environment.h"

/* Sanitizers look for wrong memory, not for wrong numbers, and are several times slower; an emulator of another
 * machine is twenty times slower: tests of many cases take fewer there, of every kind some. */
#ifdef FLOC_EMULATED
enum { EMULATED = 1 };
#else
enum { EMULATED = 0 };
#endif
#ifdef FLOC_SANITIZED
enum { SLOWED = 1 };
#else
enum { SLOWED = EMULATED };
#endif

static inline environment test_environment(int32_t threads)
{
  environment env = {.allocate = default_allocate, .threads = threads};
  return env;
}

#define assert_close(actual, expected, tolerance)                                                                  \
  do {                                                                                                             \
    double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);                                   \
    if (!(actual_ - expected_ <= tolerance_ && expected_ - actual_ <= tolerance_))                                 \
      fail_msg("%s is %.17g, expected %.17g within %g", #actual, actual_, expected_, tolerance_);                  \
  } while (0)

#define assert_ok(env, call)                                                                                       \
  do {                                                                                                             \
    floc_status status_ = (call);                                                                                  \
    if (status_ != FLOC_OK) fail_msg("%s: %s: %s", #call, floc_status_name(status_), (env)->message);              \
  } while (0)

#endif
