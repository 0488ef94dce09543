/* What the engine takes from macOS's <math.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_MATH_H
#define MACOS_MATH_H

#define HUGE_VAL    __builtin_huge_val()
#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x)    __builtin_isinf(x)
#define isnan(x)    __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x)  __builtin_signbit(x)
double frexp(double, int *);
double ldexp(double, int);
double modf(double, double *);
double fma(double, double, double);
long lround(double);
long long llround(double);
float fabsf(float);
float fmaxf(float, float);
float fminf(float, float);
float sqrtf(float);
float floorf(float);
float ceilf(float);
double acos(double);
double asin(double);
double atan(double);
double cbrt(double);
double ceil(double);
double cos(double);
double cosh(double);
double erf(double);
double erfc(double);
double exp(double);
double exp2(double);
double expm1(double);
double fabs(double);
double floor(double);
double log(double);
double log10(double);
double log1p(double);
double log2(double);
double nearbyint(double);
double rint(double);
double round(double);
double sin(double);
double sinh(double);
double sqrt(double);
double tan(double);
double tanh(double);
double trunc(double);
double atan2(double, double);
double copysign(double, double);
double fdim(double, double);
double fmax(double, double);
double fmin(double, double);
double fmod(double, double);
double hypot(double, double);
double nextafter(double, double);
double pow(double, double);
double remainder(double, double);

#endif
