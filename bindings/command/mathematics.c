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
#define X(name) double name(double x); double name(double x) { return floc_##name(x); }
X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sinh) X(cosh) X(tanh) X(sin) X(cos) X(tan) X(asin) X(acos)
X(atan) X(cbrt) X(erf) X(erfc)
#undef X
#define X(name) double name(double x, double y); double name(double x, double y) { return floc_##name(x, y); }
X(pow) X(atan2) X(hypot) X(fmod)
#undef X

void sincos(double x, double *sine, double *cosine);
void sincos(double x, double *sine, double *cosine)
{
  *sine = floc_sin(x);
  *cosine = floc_cos(x);
}

#pragma GCC visibility pop
