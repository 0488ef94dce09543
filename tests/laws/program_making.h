/*
 * Making a program where memory fails at the n-th request, for every n: a status each time, and no leak.
 */
#ifndef FLOC_TESTS_PROGRAM_MAKING_H
#define FLOC_TESTS_PROGRAM_MAKING_H

#include "failing_allocator.h"
#include "laws/program/program.h"

/* There are more than `least` requests. */
static inline void assert_allocations_may_fail(const floc_program_options *options, int64_t least)
{
  for (int64_t n = 1;; n++) {
    failing_allocator memory;
    environment env = failing_environment(&memory, n);
    program *made;
    floc_status status = program_create(&env, options, 0, &made);
    program_destroy(&env, made);
    assert_int_equal(memory.bytes, 0);
    if (memory.calls < n) {
      assert_int_equal(status, FLOC_OK);
      assert_true(n > least);
      return;
    }
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
  }
}

#endif
