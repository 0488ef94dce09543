/*
 * Runs a compiled law program on blocks of numbers. See program.h.
 *
 * Each instruction is one short loop over the block, which compilers turn into vector code. The same text is
 * compiled three times, for any processor, for AVX2 and for AVX-512, and chosen when it runs. All give the same
 * bits: no operation is fused or reordered, and functions that are not exactly rounded are those of
 * base/mathematics, which take as many numbers at a time and have the same bits as for one.
 *
 * Programs with fast_math have a form of their own: products and sums in one rounding, library functions four
 * numbers at a time (program/fast.c). Values that are the same for all elements are computed as usual.
 *
 * A region (program/regions.c) is run for one stretch of groups of elements after another: at its end the program
 * goes back to its beginning until there are no more.
 *
 * An instruction may write to the block that it reads: loops go element by element, and the compiler is told that
 * no element depends on another.
 */
#include "laws/program/program.h"

#include "base/mathematics/mathematics.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* without optimisation loops stay as they are */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 4")
#endif
/* One loop: x, y, z, w are the element's numbers. */
#define LANES(X_, Y_, Z_, W_, expression)                                                                          \
  {                                                                                                                \
    INDEPENDENT for (int32_t k = begin; k < finish; k++)                                                           \
    {                                                                                                              \
      const double x = X_, y = Y_, z = Z_, w = W_;                                                                 \
      (void)x, (void)y, (void)z, (void)w;                                                                          \
      to[k] = (expression);                                                                                        \
    }                                                                                                              \
    break;                                                                                                         \
  }

/* Lua 5.4's a % b. */
static inline double program_remainder(double a, double b)
{
  double m = floc_fmod(a, b);
  if (m > 0.0 ? b < 0.0 : (m < 0.0 && b > 0.0)) m += b;
  return m;
}

typedef double *const *places;

enum { GROUP = 8 }; /* elements for which a region is run together */

/* The operands of library functions, by element. */
typedef struct library_operands {
  const double *x, *y, *needed;
  int32_t x_step, y_step, needed_step;
} library_operands;

static const double always = 1.0;

static library_operands find_operands(const machine_instruction *step, places place)
{
  return (library_operands){
      place[step->x], step->y >= 0 ? place[step->y] : &always, step->w >= 0 ? place[step->w] : &always,
      step->form & 1, step->y >= 0 ? step->form >> 1 & 1 : 0,  step->w >= 0 ? step->form >> 2 & 1 : 0};
}

static int32_t function_of_code(int32_t code)
{
  switch (code) {
#define X(name, function)                                                                                          \
  case CODE_##name:                                                                                                \
    return MATHEMATICS_##function;
    PROGRAM_MANY_UNARY(X)
    PROGRAM_MANY_BINARY(X)
#undef X
  default:
    return -1;
  }
}

/* Everywhere. */
static inline void run_many_all(function_of_many *function, const library_operands *from, double *to, int32_t begin,
                                int32_t count)
{
  const double *x = from->x + begin * from->x_step, *y = from->y + begin * from->y_step;
  double same_x[PROGRAM_LANES], same_y[PROGRAM_LANES];
  for (int32_t k = 0; k < count && from->x_step == 0; k++) same_x[k] = *x;
  for (int32_t k = 0; k < count && from->y_step == 0; k++) same_y[k] = *y;
  function(from->x_step == 0 ? same_x : x, from->y_step == 0 ? same_y : y, to + begin, count);
}

/* Only the elements that are needed, side by side: without a branch for each, which could not be foreseen. */
static inline void run_many_needed(function_of_many *function, const library_operands *from, double *to,
                                   int32_t begin, int32_t count)
{
  enum { WHOLE = 8 }; /* lanes of the widest registers */
  const double *needed = from->needed + begin;
  int32_t at[PROGRAM_LANES + 1], some = 0;
  for (int32_t k = 0; k < count; k++) {
    at[some] = begin + k;
    some += needed[k] != 0.0;
  }
  if (some == count) {
    run_many_all(function, from, to, begin, count);
    return;
  }
  /* the result may take the place of an operand */
  double x[PROGRAM_LANES + WHOLE], y[PROGRAM_LANES + WHOLE];
  for (int32_t k = 0; k < some; k++) x[k] = from->x[at[k] * from->x_step];
  for (int32_t k = 0; k < some; k++) y[k] = from->y[at[k] * from->y_step];
  for (int32_t k = some; k < some + WHOLE; k++) x[k] = 0.75, y[k] = 1.5; /* which no function finds special */
  function(x, y, x, (some + WHOLE - 1) / WHOLE * WHOLE);
  for (int32_t k = 0; k < count; k++) to[begin + k] = 0.0;
  for (int32_t k = 0; k < some; k++) to[at[k]] = x[k];
}

static void run_library(const machine_instruction *step, places place, int32_t begin, int32_t finish, int32_t width)
{
  double *to = place[step->to];
  library_operands from = find_operands(step, place);
  int32_t which = function_of_code(step->code);
  if (which >= 0 && finish - begin > 1) {
    function_of_many *function = mathematics_of_many((mathematics_function)which, width);
    if (from.needed_step == 0 && from.needed[0] != 0.0)
      run_many_all(function, &from, to, begin, finish - begin);
    else if (from.needed_step == 0)
      for (int32_t k = begin; k < finish; k++) to[k] = 0.0;
    else
      run_many_needed(function, &from, to, begin, finish - begin);
    return;
  }
  switch (step->code) {
#define X(name, expression)                                                                                        \
  case CODE_##name:                                                                                                \
    for (int32_t k = begin; k < finish; k++) {                                                                     \
      double x = from.x[k * from.x_step], y = from.y[k * from.y_step];                                             \
      (void)y;                                                                                                     \
      to[k] = from.needed[k * from.needed_step] != 0.0 ? (expression) : 0.0;                                       \
    }                                                                                                              \
    break;
    PROGRAM_LIBRARY(X)
#undef X
  default:
    break;
  }
}

/* Letters of a form: V, the operand is a block; S, it is one number for all. */
#define BINARY_FORMS(name, expression)                                                                             \
  case CODE_##name##_VV:                                                                                           \
    LANES(xs[k], ys[k], 0, 0, expression)                                                                          \
  case CODE_##name##_VS:                                                                                           \
    LANES(xs[k], y1, 0, 0, expression)                                                                             \
  case CODE_##name##_SV:                                                                                           \
    LANES(x1, ys[k], 0, 0, expression)
#define UNARY_FORM(name, expression)                                                                               \
  case CODE_##name:                                                                                                \
    LANES(xs[k], 0, 0, 0, expression)
#define JOINED_FORMS(name, expression)                                                                             \
  case CODE_##name##_SS:                                                                                           \
    LANES(xs[k], y1, z1, 0, expression)                                                                            \
  case CODE_##name##_SV:                                                                                           \
    LANES(xs[k], y1, zs[k], 0, expression)                                                                         \
  case CODE_##name##_VS:                                                                                           \
    LANES(xs[k], ys[k], z1, 0, expression)                                                                         \
  case CODE_##name##_VV:                                                                                           \
    LANES(xs[k], ys[k], zs[k], 0, expression)
#define COMPARE_FORMS(name, condition)                                                                             \
  case CODE_##name##_SSS:                                                                                          \
    LANES(xs[k], y1, z1, w1, (condition) ? z : w)                                                                  \
  case CODE_##name##_SSV:                                                                                          \
    LANES(xs[k], y1, z1, ws[k], (condition) ? z : w)                                                               \
  case CODE_##name##_SVS:                                                                                          \
    LANES(xs[k], y1, zs[k], w1, (condition) ? z : w)                                                               \
  case CODE_##name##_SVV:                                                                                          \
    LANES(xs[k], y1, zs[k], ws[k], (condition) ? z : w)                                                            \
  case CODE_##name##_VSS:                                                                                          \
    LANES(xs[k], ys[k], z1, w1, (condition) ? z : w)                                                               \
  case CODE_##name##_VSV:                                                                                          \
    LANES(xs[k], ys[k], z1, ws[k], (condition) ? z : w)                                                            \
  case CODE_##name##_VVS:                                                                                          \
    LANES(xs[k], ys[k], zs[k], w1, (condition) ? z : w)                                                            \
  case CODE_##name##_VVV:                                                                                          \
    LANES(xs[k], ys[k], zs[k], ws[k], (condition) ? z : w)

/* fast_math: what there is a vector function for; where a result is not needed it becomes 0 afterwards. */
static void run_fast_library(const machine_instruction *step, places place, int32_t begin, int32_t finish)
{
  double *to = place[step->to] + begin;
  library_operands from = find_operands(step, place);
  const double *x = from.x + begin * from.x_step, *y = from.y + begin * from.y_step;
  double needed[PROGRAM_LANES]; /* the result may take the place of the condition */
  for (int32_t k = begin; k < finish; k++) needed[k - begin] = from.needed[k * from.needed_step];
  if (!program_fast_library(step->code, finish - begin, x, from.x_step, y, from.y_step, to)) {
    run_library(step, place, begin, finish, 256);
    return;
  }
  for (int32_t k = 0; k < finish - begin; k++) to[k] = needed[k] != 0.0 ? to[k] : 0.0;
}

/* Does a group of elements have one in which the condition is true (otherwise: false)? More may be taken than must:
 * all bits of numbers are put together, but for the sign, so that numbers other than 1 may hide each other. */
static inline bool group_takes(const double *condition, int32_t count, bool otherwise)
{
  uint64_t some = 0, all = UINT64_MAX;
  for (int32_t k = 0; k < count; k++) {
    uint64_t bits;
    memcpy(&bits, &condition[k], sizeof bits);
    some |= bits << 1;
    all &= bits << 1;
  }
  return otherwise ? all == 0 : some != 0;
}

static inline bool whole_group_takes(const double *condition, bool otherwise)
{
  return group_takes(condition, GROUP, otherwise);
}

/* The next elements from `from` on for which a region is run; false: there are no more. */
static bool next_elements(const machine_instruction *step, places place, int32_t from, int32_t count,
                          int32_t *begin, int32_t *finish)
{
  const double *condition = place[step->x];
  const bool otherwise = step->form;
  int32_t whole = count / GROUP * GROUP, k = from;
  while (k < whole && !whole_group_takes(condition + k, otherwise)) k += GROUP;
  *begin = k;
  while (k < whole && whole_group_takes(condition + k, otherwise)) k += GROUP;
  *finish = k;
  if (k == whole && k < count && group_takes(condition + k, count - k, otherwise)) *finish = count;
  return *finish > *begin;
}

static inline __attribute__((always_inline)) void run_block(const machine_instruction *step,
                                                            const machine_instruction *end, places place,
                                                            int32_t count, const int32_t width, const bool fused)
{
  int32_t begin = 0, finish = count;
  for (; step < end; step++) {
    double *to = place[step->to];
    const double *xs = place[step->x];
    const double *ys = step->y >= 0 ? place[step->y] : &always;
    const double *zs = step->z >= 0 ? place[step->z] : &always;
    const double *ws = step->w >= 0 ? place[step->w] : &always;
    const double x1 = *xs, y1 = *ys, z1 = *zs, w1 = *ws;
    switch ((machine_code)step->code) {
    case CODE_WHERE:
    case CODE_END:
      if (next_elements(step, place, step->code == CODE_END ? finish : 0, count, &begin, &finish)) {
        if (step->code == CODE_END) step -= step->length;
      } else {
        if (step->code == CODE_WHERE) step += step->length;
        begin = 0, finish = count;
      }
      break;
    case CODE_COPY_V:
      LANES(xs[k], 0, 0, 0, x)
    case CODE_COPY_S:
      LANES(x1, 0, 0, 0, x)
      PROGRAM_BINARY(BINARY_FORMS)
      PROGRAM_UNARY(UNARY_FORM)
      PROGRAM_JOINED(JOINED_FORMS)
      JOINED_FORMS(SELECT, x != 0.0 ? y : z)
      PROGRAM_COMPARE(COMPARE_FORMS)
    default:
      if (fused)
        run_fast_library(step, place, begin, finish);
      else
        run_library(step, place, begin, finish, width);
      break;
    }
  }
}

typedef void block_runner(const machine_instruction *step, const machine_instruction *end, places place,
                          int32_t count);

static void run_any(const machine_instruction *step, const machine_instruction *end, places place, int32_t count)
{
  run_block(step, end, place, count, 128, false);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void run_avx2(const machine_instruction *step,
                                                     const machine_instruction *end, places place, int32_t count)
{
  run_block(step, end, place, count, 256, false);
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))) static void
run_avx512(const machine_instruction *step, const machine_instruction *end, places place, int32_t count)
{
  run_block(step, end, place, count, 512, false);
}
#endif

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void
run_fast(const machine_instruction *step, const machine_instruction *end, places place, int32_t count)
{
  run_block(step, end, place, count, 256, true);
}
#else
#define run_fast run_any
#endif

/* The best runner that this processor has, at most `width` bits wide. */
static block_runner *choose_runner(int32_t width)
{
#if defined(__x86_64__)
  if (width >= 512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return run_avx512;
  if (width >= 256 && __builtin_cpu_supports("avx2")) return run_avx2;
#endif
  (void)width;
  return run_any;
}

/* With fast_math, which exists on x86-64 alone, numbers below 2.2e-308 are taken as 0. All other programs keep
 * them: not every machine can flush them, and those that can do not agree about which. */
static unsigned int flush_small_numbers(bool fast_math)
{
#if defined(__x86_64__)
  unsigned int before = _mm_getcsr();
  if (fast_math) _mm_setcsr(before | 0x8040);
  return before;
#else
  (void)fast_math;
  return 0;
#endif
}

static void restore_small_numbers(bool fast_math, unsigned int before)
{
#if defined(__x86_64__)
  if (fast_math) _mm_setcsr(before);
#else
  (void)fast_math, (void)before;
#endif
}

/* What a run needs besides inputs and outputs, one behind the other: registers, uniform results, and the table that
 * says where everything is. It is up to 213 kB, which not every thread's stack has. */
typedef struct run_space {
  size_t uniform, place, size; /* bytes */
} run_space;

static run_space lay_out(const program *one)
{
  run_space made;
  made.uniform = (size_t)one->register_count * (size_t)one->lanes * sizeof(double);
  made.place = made.uniform + (size_t)one->uniform_count * sizeof(double);
  made.size = made.place + (size_t)(first_register_place(one) + one->register_count) * sizeof(double *);
  return made;
}

size_t program_space_size(const program *one)
{
  return lay_out(one).size;
}

void program_run_width(const program *one, void *space, int32_t width, int32_t count, const double *const *inputs,
                       double *const *outputs)
{
  run_space layout = lay_out(one);
  double *scratch = space, *uniform = (double *)((char *)space + layout.uniform);
  double **place = (double **)((char *)space + layout.place);
  block_runner *run = one->source.fast_math ? run_fast : choose_runner(width);
  int32_t output = first_output_place(one), constant = first_constant_place(one);
  int32_t first_uniform = first_uniform_place(one), first_register = first_register_place(one);
  for (int32_t k = 0; k < output; k++) place[k] = (double *)inputs[k];
  for (int32_t k = 0; k < one->source.output_count; k++) place[output + k] = outputs[k];
  for (int32_t k = 0; k < one->source.constant_count; k++) place[constant + k] = &one->constants[k];
  for (int32_t k = 0; k < one->uniform_count; k++) place[first_uniform + k] = &uniform[k];
  for (int32_t k = 0; k < one->register_count; k++)
    place[first_register + k] = scratch + (size_t)k * (size_t)one->lanes;
  const machine_instruction *body = one->code + one->prologue_count, *end = one->code + one->code_count;
  if (one->nested) memset(scratch, 0, (size_t)one->register_count * (size_t)one->lanes * sizeof *scratch);
  unsigned int mode = flush_small_numbers(one->source.fast_math);
  if (count > 0 && one->prologue_count > 0) run_any(one->code, body, place, 1);
  for (int32_t begin = 0; begin < count; begin += one->lanes) {
    int32_t lanes = count - begin < one->lanes ? count - begin : one->lanes;
    run(body, end, place, lanes);
    for (int32_t k = 0; k < output; k++)
      if (!(one->uniform_inputs >> k & 1)) place[k] += lanes;
    for (int32_t k = 0; k < one->source.output_count; k++) place[output + k] += lanes;
  }
  restore_small_numbers(one->source.fast_math, mode);
}

void program_run(const program *one, void *space, int32_t count, const double *const *inputs,
                 double *const *outputs)
{
  program_run_width(one, space, 512, count, inputs, outputs);
}
