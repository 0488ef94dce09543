/*
 * Laws written in Lua against the same laws compiled in C with the engine's own flags (-O3), in the same run:
 * CPU time over blocks of 256 pairs, as the engine hands them over, best of several rounds of each, taken in turn.
 *
 *   law_benchmark PROGRAMS [pairs 400000] [particles 1000000] [the one law to measure]
 *
 * The Lua laws stand in law_benchmark.lua beside this file and are traced by the module; their programs are written
 * out there (floc run law_benchmark.lua) and read here, so that this program needs no Lua.
 */
#include "base/numbers/random.h"
#include "laws/twins.h"
#include "stored_program.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 28, OUTPUTS = 14, BLOCK = 256, ELEMENTS = 20000000 };

/* ---- the laws in C ---- */

static floc_status spring(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *distance = inputs[0], *radius_i = inputs[1], *radius_j = inputs[2];
  double *force = outputs[0];
  for (int32_t k = 0; k < count; k++) force[k] = -1e4 * (distance[k] - radius_i[k] - radius_j[k]);
  return FLOC_OK;
}

static floc_status contact(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *distance = inputs[0], *radius_i = inputs[1], *radius_j = inputs[2], *rate = inputs[3];
  for (int32_t k = 0; k < count; k++) {
    double gap = distance[k] - radius_i[k] - radius_j[k];
    if (gap < 0.0)
      outputs[0][k] = -1e4 * gap - 5.0 * rate[k];
    else
      outputs[0][k] = 0.0;
  }
  return FLOC_OK;
}

static floc_status attraction(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *distance = inputs[0], *radius_i = inputs[1], *radius_j = inputs[2], *rate = inputs[3];
  for (int32_t k = 0; k < count; k++) {
    double gap = distance[k] - radius_i[k] - radius_j[k];
    if (gap < 0.0) {
      outputs[0][k] = -1e4 * gap - 5.0 * rate[k];
    } else {
      double t = tanh(gap / 0.02);
      outputs[0][k] = -3.0 * (1.0 - t * t);
    }
  }
  return FLOC_OK;
}

static floc_status near_field(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *distance = inputs[0], *radius_i = inputs[1], *radius_j = inputs[2];
  for (int32_t k = 0; k < count; k++) {
    double r = distance[k] / (radius_i[k] + radius_j[k]);
    outputs[0][k] = 2.0 * pow(r, -2.5) - 3.0 * pow(r, -1.5);
  }
  return FLOC_OK;
}

/* Much of the library: an exponential, a power that is no multiple of 1/4, a hyperbolic tangent. */
static floc_status screened(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *distance = inputs[0], *radius_i = inputs[1], *radius_j = inputs[2];
  for (int32_t k = 0; k < count; k++) {
    double r = distance[k] / (radius_i[k] + radius_j[k]);
    outputs[0][k] = exp(-3.0 * r) * pow(r, -1.3) - 2.0 * tanh(r - 1.0);
  }
  return FLOC_OK;
}

/* Three formulas over particles: x, y, vx, vy. */
static floc_status field(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  const double *x = inputs[0], *y = inputs[1], *vx = inputs[2], *vy = inputs[3];
  for (int32_t k = 0; k < count; k++) {
    outputs[0][k] = -0.5 * (vx[k] - 2.0 * y[k]) - x[k] * sqrt(x[k] * x[k] + y[k] * y[k]);
    outputs[1][k] = -0.5 * vy[k] - y[k] * sqrt(x[k] * x[k] + y[k] * y[k]);
    outputs[2][k] = 0.1 * (x[k] * vy[k] - y[k] * vx[k]);
  }
  return FLOC_OK;
}

/* ---- measuring ---- */

typedef struct measured_law {
  const char *name;
  floc_kernel_function in_c;
  int32_t outputs;
  double target;
  double range[INPUTS][2]; /* of inputs, where each law has its own */
} measured_law;

static floc_status run_program(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  static double space[PROGRAM_SPACE_LIMIT] __attribute__((aligned(64)));
  program_run(context, space, count, inputs, outputs);
  return FLOC_OK;
}

static double run_once(floc_kernel_function kernel, void *context, int64_t count, double *const *inputs,
                       double *const *outputs)
{
  double start = processor_seconds();
  for (int64_t first = 0; first < count; first += BLOCK) {
    int32_t block = (int32_t)(count - first < BLOCK ? count - first : BLOCK);
    const double *from[INPUTS];
    double *to[OUTPUTS];
    for (int k = 0; k < INPUTS; k++) from[k] = inputs[k] ? inputs[k] + first : NULL;
    for (int k = 0; k < OUTPUTS; k++) to[k] = outputs[k] + first;
    kernel(context, block, from, to);
  }
  return processor_seconds() - start;
}

static void measure(const measured_law *law, FILE *file, int64_t count, double *const *inputs,
                    double *const *outputs, double *const *other)
{
  static stored_program stored; /* large */
  environment env = {.allocate = default_allocate, .threads = 1};
  program *code, *fast = NULL;
  read_program(file, law->name, &stored);
  if (program_create(&env, &stored.options, 0, &code) != FLOC_OK) {
    fprintf(stderr, "%s\n", env.message);
    exit(1);
  }
  stored.options.fast_math = true;
  program_create(&env, &stored.options, 0, &fast); /* not everywhere */
  double c = INFINITY, traced = INFINITY, in_haste = INFINITY, worst = 0.0;
  for (int64_t done = 0; done < ELEMENTS; done += count) {
    c = fmin(c, run_once(law->in_c, NULL, count, inputs, outputs));
    if (fast) in_haste = fmin(in_haste, run_once(run_program, fast, count, inputs, other));
    traced = fmin(traced, run_once(run_program, code, count, inputs, other));
  }
  for (int32_t k = 0; k < law->outputs; k++)
    for (int64_t row = 0; row < count; row++) {
      double a = outputs[k][row], b = other[k][row];
      worst = fmax(worst, fabs(a - b) / fmax(fabs(a), 1e-9));
    }
  printf("%-16s C %7.3f ns, traced %7.3f ns per element: ratio %.2f (target %.1f); greatest difference %.1g\n",
         law->name, c / (double)count * 1e9, traced / (double)count * 1e9, traced / c, law->target, worst);
  if (fast) printf("%-16s with fast_math %7.3f ns\n", law->name, in_haste / (double)count * 1e9);
  program_destroy(&env, fast);
  program_destroy(&env, code);
}

static double *numbers(int64_t count, uint64_t stream, double lowest, double highest)
{
  double *made = malloc((size_t)count * sizeof *made), u[4];
  if (!made) exit(1);
  for (int64_t k = 0; k < count; k++) {
    random_uniform4(5, (uint64_t)k, stream, RANDOM_POSITION, 0, u);
    made[k] = lowest + (highest - lowest) * u[0];
  }
  return made;
}

/* Ranges of inputs. Laws of a range of 0 get pairs that touch, and no others. */
#define GRAINS(least)                                                                                              \
  {least, 0.01}, {-1, 1}, {0.04, 0.06}, {0.04, 0.06}, {1, 2},                                                      \
  {                                                                                                                \
    1, 2                                                                                                           \
  }
#define VECTOR(size)                                                                                               \
  {-size, size}, {-size, size},                                                                                    \
  {                                                                                                                \
    -size, size                                                                                                    \
  }
#define STEP                                                                                                       \
  {                                                                                                                \
    1e-4, 1e-4                                                                                                     \
  }
#define ROLLING                                                                                                    \
  {                                                                                                                \
    GRAINS(0), VECTOR(1), VECTOR(0.6), VECTOR(5), VECTOR(5), VECTOR(0.005), VECTOR(0.01), STEP                     \
  }

static const measured_law library[] = {
    {"hertz_dmt", hertz_dmt, 2, 1.5, {GRAINS(-0.01)}},
    {"jkr", jkr, 3, 1.5, {GRAINS(-0.01), {0, 1}}},
    {"plastic_adhesive", plastic_adhesive, 3, 1.5, {{-0.01, 0.01}, {0.04, 0.06}, {0.04, 0.06}, {0, 0.01}, {0, 1}}},
    {"mdr", mdr, 4, 1.5, {GRAINS(-0.01), {0, 0.01}, {0, 0.03}, {0, 0.03}}},
    {"capillary", capillary, 3, 1.5, {{-0.01, 0.01}, {0.04, 0.06}, {0.04, 0.06}, {0, 1}}},
    {"hertz_mindlin", hertz_mindlin, 7, 1.5, {GRAINS(0), VECTOR(1), VECTOR(0.6), VECTOR(0.005), STEP}},
    {"lennard_jones", lennard_jones, 2, 1.5, {{0.9, 2.8}}},
    {"wca", wca, 2, 1.5, {{0.9, 1.4}}},
    {"screened_charge", screened_charge, 2, 1.5, {{0.8, 2.6}, {-1, 1}, {-1, 1}, {0.1, 0.2}, {0.1, 0.2}}},
    {"fene_beads", fene_beads, 2, 1.5, {{0.9, 1.4}}},
    {"fene_bonds", fene_bonds, 2, 1.5, {{0.9, 1.4}, {30, 30}, {1.5, 1.5}}},
    {"rolling_a", rolling_a, 13, 1.5, ROLLING},
    {"rolling_b", rolling_b, 13, 1.5, ROLLING},
    {"rolling_c", rolling_c, 13, 1.5, ROLLING},
    {"heat", heat, 1, 1.5, {{0, 0.01}, {0.04, 0.06}, {0.04, 0.06}, {1, 2}, {1, 2}, {-1, 1}, {-1, 1}}},
    {"dipoles", dipoles, 10, 1.5, {{1, 2.6}, VECTOR(0.6), {1, 2}, VECTOR(0.6), {1, 2}, VECTOR(0.6)}},
    {"gay_berne", gay_berne, 10, 1.5, {{3, 5.2}, VECTOR(0.57), VECTOR(0.57), VECTOR(0.57)}},
    {"patchy", patchy, 10, 1.5, {{0.9, 1.1}, {-0.22, 0.1}, VECTOR(0.57), VECTOR(0.57), VECTOR(0.57)}},
    {"archard", archard, 3, 1.5, {{0, 0.01}, {-1, 1}, {-1, 1}, {1, 2}}},
    {"bonded",
     bonded,
     14,
     1.5,
     {{0.0995, 0.1005},
      {-5e-4, 5e-4},
      {-1, 1},
      {1, 2},
      {1, 2},
      {0.04, 0.06},
      {0.04, 0.06},
      VECTOR(0.1),
      VECTOR(0.6),
      VECTOR(1),
      VECTOR(1),
      {0.1, 0.1},
      VECTOR(1),
      VECTOR(1e-3),
      {1, 1},
      STEP}},
    {"vicsek_sums", vicsek_sums, 4, 1.5, {{0, 1.2}, {-3, 3}, {-3, 3}}},
    {"vicsek_turn", vicsek_turn, 1, 1.5, {{-3, 3}, {-3, 3}, {-3, 3}, {0, 1}, {0.1, 0.1}}},
    {"density", density, 1, 1.5, {{0.8, 2.2}}},
    {"copper_sum", copper_sum, 1, 1.5, {{2.4, 8.9}}},
    {"copper_force", copper_force, 1, 1.5, {{2.4, 8.9}, {-0.1, -0.01}, {-0.1, -0.01}}}};

static bool is_wanted(const measured_law *law, const char *only)
{
  return !only || strcmp(only, law->name) == 0;
}

static void measure_library(FILE *file, const char *only, int64_t count, double *const *outputs,
                            double *const *other)
{
  for (size_t k = 0; k < sizeof library / sizeof *library; k++) {
    if (!is_wanted(&library[k], only)) continue;
    double *inputs[INPUTS];
    for (int n = 0; n < INPUTS; n++)
      inputs[n] = numbers(count, 11 + (uint64_t)n, library[k].range[n][0], library[k].range[n][1]);
    measure(&library[k], file, count, inputs, outputs, other);
    for (int n = 0; n < INPUTS; n++) free(inputs[n]);
  }
}

int main(int argc, char **argv)
{
  static const measured_law pairs[] = {{"spring", spring, 1, 1.8, {{0}}},
                                       {"contact", contact, 1, 0.9, {{0}}},
                                       {"attraction", attraction, 1, 1.0, {{0}}},
                                       {"near_field", near_field, 1, 1.0, {{0}}},
                                       {"screened", screened, 1, 1.0, {{0}}}};
  static const measured_law fields[] = {{"field", field, 3, 1.2, {{0}}}};
  int64_t pair_count = argc > 2 ? atoll(argv[2]) : 400000, particle_count = argc > 3 ? atoll(argv[3]) : 1000000;
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr,
            "law_benchmark PROGRAMS [pairs] [particles] [law]; PROGRAMS is made by floc run law_benchmark.lua\n");
    return 1;
  }
  const char *only = argc > 4 ? argv[4] : NULL;
  int64_t most = pair_count > particle_count ? pair_count : particle_count;
  double *outputs[OUTPUTS], *other[OUTPUTS];
  for (int k = 0; k < OUTPUTS; k++) {
    outputs[k] = numbers(most, 10, 0, 1);
    other[k] = numbers(most, 10, 0, 1);
  }
  double *of_pairs[INPUTS] = {numbers(pair_count, 1, 0.9, 1.1), numbers(pair_count, 2, 0.48, 0.52),
                              numbers(pair_count, 3, 0.48, 0.52), numbers(pair_count, 4, -1, 1)};
  double *of_particles[INPUTS] = {numbers(particle_count, 5, -1, 1), numbers(particle_count, 6, -1, 1),
                                  numbers(particle_count, 7, -1, 1), numbers(particle_count, 8, -1, 1)};
  measure_library(file, only, pair_count, outputs, other);
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (is_wanted(&pairs[k], only)) measure(&pairs[k], file, pair_count, of_pairs, outputs, other);
  if (is_wanted(&fields[0], only)) measure(&fields[0], file, particle_count, of_particles, outputs, other);
  fclose(file);
  return 0;
}
