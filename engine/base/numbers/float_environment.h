/*
 * The floating-point environment: every call of the public surface computes in the default one (round to nearest,
 * no traps, denormal numbers kept), whatever the host has set, and gives the host's back; so results do not depend
 * on it. A function of the host that changes it is found out when it returns.
 *
 * On x86-64 the border is two reads of control words where the host's are the default ones: a few nanoseconds.
 */
#ifndef FLOC_BASE_NUMBERS_FLOAT_ENVIRONMENT_H
#define FLOC_BASE_NUMBERS_FLOAT_ENVIRONMENT_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

/* What can differ from the default. */
enum { FLOAT_ROUNDING = 1, FLOAT_TRAPS = 2, FLOAT_FLUSHING = 4, FLOAT_PRECISION = 8 };

typedef struct float_state {
  uint32_t vector; /* x86-64: MXCSR */
  bool foreign;    /* `whole` is to be set again */
  fenv_t whole;
} float_state;

/* Keeps the thread's environment and sets the default one. */
void float_enter(float_state *before);
/* Sets again what float_enter found, flags included. */
void float_leave(const float_state *before);
/* Sets the default one, and says what of FLOAT_ was otherwise. */
int32_t float_take_back(void);
/* "the rounding mode and the traps" */
const char *float_changes(int32_t changed, char text[96]);

/* The default environment until the end of the block. */
#define FLOAT_DEFAULT                                                                                              \
  __attribute__((cleanup(float_leave_scope))) float_state float_before;                                            \
  float_enter(&float_before)

static inline void float_leave_scope(float_state *before)
{
  float_leave(before);
}

#endif
