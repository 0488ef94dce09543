/*
 * The floating-point environment. See float_environment.h.
 *
 * x86-64: MXCSR rules what the compiler makes, the x87 control word what long double and a few functions of the C
 * library use. Both are looked at, and set only where they differ. The barriers keep the compiler from moving
 * arithmetic across.
 */
#include "base/numbers/float_environment.h"

#include <stdio.h>

#if defined __x86_64__

enum {
  VECTOR_DEFAULT = 0x1F80, /* all exceptions masked */
  VECTOR_FLAGS = 0x003F,   /* sticky: what has happened */
  VECTOR_MASKS = 0x1F80,
  VECTOR_ROUNDING = 0x6000,
  VECTOR_FLUSHING = 0x8040, /* results (FTZ), operands (DAZ) */
  X87_DEFAULT = 0x037F,
  X87_MEANINGFUL = 0x0F3F,
  X87_MASKS = 0x003F,
  X87_PRECISION = 0x0300,
  X87_ROUNDING = 0x0C00
};

static inline uint32_t read_vector(void)
{
  uint32_t word;
  __asm__ volatile("stmxcsr %0" : "=m"(word) : : "memory");
  return word;
}

static inline void write_vector(uint32_t word)
{
  __asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
}

static inline uint32_t read_x87(void)
{
  uint16_t word;
  __asm__ volatile("fnstcw %0" : "=m"(word) : : "memory");
  return word;
}

static inline bool is_default(uint32_t vector, uint32_t x87)
{
  return (vector & ~(uint32_t)VECTOR_FLAGS) == VECTOR_DEFAULT &&
         (x87 & X87_MEANINGFUL) == (X87_DEFAULT & X87_MEANINGFUL);
}

/* Pending exceptions go first: unmasked ones would trap at the next instruction of the x87. */
static void set_default(uint32_t vector)
{
  const uint16_t x87 = X87_DEFAULT;
  __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(x87) : "memory");
  write_vector(VECTOR_DEFAULT | (vector & VECTOR_FLAGS));
}

void float_enter(float_state *before)
{
  before->vector = read_vector();
  before->foreign = !is_default(before->vector, read_x87());
  if (!before->foreign) return;
  fegetenv(&before->whole);
  set_default(before->vector);
}

void float_leave(const float_state *before)
{
  if (before->foreign)
    fesetenv(&before->whole);
  else if (read_vector() != before->vector)
    write_vector(before->vector);
}

int32_t float_take_back(void)
{
  uint32_t vector = read_vector(), x87 = read_x87(), changed = 0;
  if (is_default(vector, x87)) return 0;
  if ((vector & VECTOR_ROUNDING) || (x87 & X87_ROUNDING)) changed |= FLOAT_ROUNDING;
  if ((vector & VECTOR_MASKS) != VECTOR_MASKS || (x87 & X87_MASKS) != X87_MASKS) changed |= FLOAT_TRAPS;
  if (vector & VECTOR_FLUSHING) changed |= FLOAT_FLUSHING;
  if ((x87 & X87_PRECISION) != X87_PRECISION) changed |= FLOAT_PRECISION;
  set_default(vector);
  return (int32_t)changed;
}

#else

/* C says nothing about flushing; what fesetenv(FE_DFL_ENV) sets is what the platform calls its default. */
void float_enter(float_state *before)
{
  before->foreign = true;
  fegetenv(&before->whole);
  fesetenv(FE_DFL_ENV);
}

void float_leave(const float_state *before)
{
  fesetenv(&before->whole);
}

int32_t float_take_back(void)
{
  if (fegetround() == FE_TONEAREST) return 0;
  fesetenv(FE_DFL_ENV);
  return FLOAT_ROUNDING;
}

#endif

const char *float_changes(int32_t changed, char text[96])
{
  static const char *const name[] = {"the rounding mode", "the traps", "the flushing of denormal numbers",
                                     "the precision of the x87"};
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < 4; k++) {
    if (!(changed & (1 << k)) || used >= 96) continue;
    used += (size_t)snprintf(text + used, 96 - used, "%s%s", used ? " and " : "", name[k]);
  }
  return text;
}
