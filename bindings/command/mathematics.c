/*
 * The names by which Lua calls mathematical functions, for math.* and ^: in the program they are the engine's own,
 * so that scripts have the same bits on every machine, in the interpreter and in traces.
 *
 * LuaJIT and Lua take sin, pow and so on from whatever the dynamic linker finds first, which is the program, if it
 * exports them. That fails silently where they are hidden, or in an archive from which the linker fetches nothing;
 * tests/command/mathematics_spec.lua asks every one of them. exp2 and sincos are what compilers make of pow(2, x)
 * and of sin and cos of the same number. floor, sqrt, ldexp and the like are exact everywhere. Compiled with
 * -fno-builtin, or these functions would become calls of themselves.
 */
#include <floc/floc.h>

#pragma GCC visibility push(default)

/* clang-format off */
/* Ends in a declaration, which takes the semicolon. */
#define OF_ONE(name)                                                                                               \
  double name(double x);                                                                                           \
  double name(double x)                                                                                            \
  {                                                                                                                \
    return floc_##name(x);                                                                                         \
  }                                                                                                                \
  double name(double x)
#define OF_TWO(name)                                                                                               \
  double name(double x, double y);                                                                                 \
  double name(double x, double y)                                                                                  \
  {                                                                                                                \
    return floc_##name(x, y);                                                                                      \
  }                                                                                                                \
  double name(double x, double y)

OF_ONE(exp);
OF_ONE(exp2);
OF_ONE(expm1);
OF_ONE(log);
OF_ONE(log2);
OF_ONE(log10);
OF_ONE(log1p);
OF_ONE(sinh);
OF_ONE(cosh);
OF_ONE(tanh);
OF_ONE(sin);
OF_ONE(cos);
OF_ONE(tan);
OF_ONE(asin);
OF_ONE(acos);
OF_ONE(atan);
OF_ONE(cbrt);
OF_ONE(erf);
OF_ONE(erfc);
OF_TWO(pow);
OF_TWO(atan2);
OF_TWO(hypot);
OF_TWO(fmod);

void sincos(double x, double *sine, double *cosine);
void sincos(double x, double *sine, double *cosine)
{
  *sine = floc_sin(x);
  *cosine = floc_cos(x);
}

#pragma GCC visibility pop
