/*
 * One call of each mathematical function of the engine beside the C library's, nanoseconds; processor time, the
 * best of some repeats, functions in turn. Arguments are drawn at random in ranges that scripts and laws have;
 * those that take the slow ways (overflow, subnormal numbers, angles above 1e5) are not among them.
 *
 *   mathematics_benchmark [REPEATS]
 */
#include <floc/floc.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 20000 };
static double x[COUNT], y[COUNT];

static double now(void)
{
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static double time_of_one(double (*volatile function)(double))
{
  double (*called)(double) = function, sum = 0.0, begin = now();
  for (int k = 0; k < COUNT; k++) sum += called(x[k]);
  volatile double kept = sum;
  (void)kept;
  return (now() - begin) / COUNT * 1e9;
}

static double time_of_two(double (*volatile function)(double, double))
{
  double (*called)(double, double) = function, sum = 0.0, begin = now();
  for (int k = 0; k < COUNT; k++) sum += called(x[k], y[k]);
  volatile double kept = sum;
  (void)kept;
  return (now() - begin) / COUNT * 1e9;
}

typedef struct row {
  const char *name;
  double (*own)(double), (*library)(double);
  double lower, upper;
} row;

typedef struct row_of_two {
  const char *name;
  double (*own)(double, double), (*library)(double, double);
  double lower, upper, y_lower, y_upper;
} row_of_two;

static const row rows[] = {{"exp", floc_exp, exp, -10, 10},       {"exp2", floc_exp2, exp2, -10, 10},
                           {"expm1", floc_expm1, expm1, -2, 2},   {"log", floc_log, log, 1e-3, 20},
                           {"log2", floc_log2, log2, 1e-3, 20},   {"log10", floc_log10, log10, 1e-3, 20},
                           {"log1p", floc_log1p, log1p, -0.9, 9}, {"sinh", floc_sinh, sinh, -5, 5},
                           {"cosh", floc_cosh, cosh, -5, 5},      {"tanh", floc_tanh, tanh, -3, 3},
                           {"sin", floc_sin, sin, -10, 10},       {"cos", floc_cos, cos, -10, 10},
                           {"tan", floc_tan, tan, -10, 10},       {"asin", floc_asin, asin, -1, 1},
                           {"acos", floc_acos, acos, -1, 1},      {"atan", floc_atan, atan, -5, 5},
                           {"cbrt", floc_cbrt, cbrt, -10, 10},    {"erf", floc_erf, erf, -3, 3},
                           {"erfc", floc_erfc, erfc, -3, 6}};

static const row_of_two rows_of_two[] = {{"pow", floc_pow, pow, 0.1, 3, -2, 2},
                                         {"atan2", floc_atan2, atan2, -1, 1, -1, 1},
                                         {"hypot", floc_hypot, hypot, -1, 1, -1, 1},
                                         {"fmod", floc_fmod, fmod, -100, 100, 0.5, 3}};

static void draw(double *values, double lower, double upper)
{
  for (int k = 0; k < COUNT; k++) values[k] = lower + (upper - lower) * (rand() / (RAND_MAX + 1.0));
}

static void print_row(const char *name, double own, double library)
{
  printf("%-6s %6.1f %6.1f  %.2f\n", name, own, library, own / library);
}

int main(int count, char **words)
{
  int repeats = count > 1 ? atoi(words[1]) : 15;
  printf("ns        own  glibc  ratio\n");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double own = INFINITY, library = INFINITY;
    draw(x, rows[k].lower, rows[k].upper);
    for (int n = 0; n < repeats; n++)
      own = fmin(own, time_of_one(rows[k].own)), library = fmin(library, time_of_one(rows[k].library));
    print_row(rows[k].name, own, library);
  }
  for (size_t k = 0; k < sizeof rows_of_two / sizeof *rows_of_two; k++) {
    const row_of_two *one = &rows_of_two[k];
    double own = INFINITY, library = INFINITY;
    draw(x, one->lower, one->upper), draw(y, one->y_lower, one->y_upper);
    for (int n = 0; n < repeats; n++)
      own = fmin(own, time_of_two(one->own)), library = fmin(library, time_of_two(one->library));
    print_row(one->name, own, library);
  }
  return 0;
}
