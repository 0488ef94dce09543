/*
 * Solvers of the contact problem, measured on sequences of problems that the scenes make by themselves
 * (scenes.h). At every measured step each solver gets the same problem and the same warm start; the
 * default solver's answer moves the scene on. Prints medians of CPU time and of products with A.
 *
 *   solver_benchmark SCENE [particles=N] [warmup=STEPS] [steps=K] [tolerance=T] [cap=PRODUCTS] [threads=T]
 *                    [solvers=auto,auto-cold,apgd,uzawa,uzawa-cold] [gap=LENGTH] [state=FILE] [repeat=K]
 * [h=SECONDS] With state=FILE the scene after the warm-up is read from the file, or written to it if it is not
 * there. With repeat=K each problem is solved K times and the least time counts (on a machine that others share).
 *   SCENE: aggregation, funnel, gluey, box
 */
#include "base/threads/parallel.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAXIMUM_STEPS = 1000, VARIANTS = 5 };

typedef struct variant {
  const char *name;
  int32_t solver;
  bool warm, wanted;
  int measured, unsolved;
  double milliseconds[MAXIMUM_STEPS], products[MAXIMUM_STEPS], worst;
} variant;

static variant all_variants[VARIANTS] = {
    {.name = "auto", .solver = FLOC_SOLVER_AUTO, .warm = true},
    {.name = "auto-cold", .solver = FLOC_SOLVER_AUTO, .warm = false},
    {.name = "apgd", .solver = FLOC_SOLVER_APGD, .warm = true},
    {.name = "uzawa", .solver = FLOC_SOLVER_UZAWA, .warm = true},
    {.name = "uzawa-cold", .solver = FLOC_SOLVER_UZAWA, .warm = false},
};

static double working_gap;
static int repeat;

static double cpu_milliseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *value, int count)
{
  if (count == 0) return NAN;
  qsort(value, (size_t)count, sizeof *value, compare);
  return count % 2 ? value[count / 2] : 0.5 * (value[count / 2 - 1] + value[count / 2]);
}

static contact_report solve(environment *env, arena *scratch, scene *it, int32_t solver, double tolerance,
                            int64_t cap, double *impulse)
{
  contact_options options = {
      .solver = solver, .tolerance = tolerance, .max_iterations = cap, .working_gap = working_gap};
  contact_report report;
  contact_answer answer = {.impulse = impulse, .velocity = {it->out_x, it->out_y, NULL}};
  arena_reset(scratch);
  if (contact_solve(env, scratch, &it->problem, &options, &answer, &report) != FLOC_OK) {
    fprintf(stderr, "%s\n", env->message);
    exit(1);
  }
  return report;
}

static void measure(environment *env, arena *scratch, scene *it, variant *which, double tolerance, int64_t cap)
{
  size_t bytes = (size_t)it->now.count * sizeof(double);
  double *impulse = malloc(bytes + 8), least = INFINITY;
  contact_report report = {0};
  for (int k = 0; k < repeat; k++) {
    if (which->warm)
      memcpy(impulse, it->now.impulse, bytes);
    else
      memset(impulse, 0, bytes);
    double start = cpu_milliseconds();
    report = solve(env, scratch, it, which->solver, tolerance, cap, impulse);
    least = fmin(least, cpu_milliseconds() - start);
  }
  which->milliseconds[which->measured] = least;
  which->products[which->measured++] = (double)report.iterations;
  which->unsolved += !report.converged;
  which->worst = fmax(which->worst, report.residual);
  free(impulse);
}

static const char *option(int count, char **text, const char *name, const char *otherwise)
{
  size_t length = strlen(name);
  for (int k = 2; k < count; k++)
    if (strncmp(text[k], name, length) == 0 && text[k][length] == '=') return text[k] + length + 1;
  return otherwise;
}

static void choose_variants(const char *list)
{
  for (int v = 0; v < VARIANTS; v++) {
    const char *name = all_variants[v].name, *found = list;
    size_t length = strlen(name);
    while ((found = strstr(found, name)) != NULL) {
      bool starts = found == list || found[-1] == ',', ends = found[length] == 0 || found[length] == ',';
      if (starts && ends) all_variants[v].wanted = true;
      found += length;
    }
  }
}

int main(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "aggregation";
  bool funnel = strcmp(name, "funnel") == 0 || strcmp(name, "gluey") == 0, box = strcmp(name, "box") == 0;
  scene_kind kind = funnel ? SCENE_FUNNEL : box ? SCENE_BOX : SCENE_AGGREGATION;
  int64_t particles = atoll(option(argc, argv, "particles", funnel ? "3000" : box ? "10000" : "1000"));
  int warmup = atoi(option(argc, argv, "warmup", funnel ? "2500" : box ? "1500" : "100"));
  int steps = atoi(option(argc, argv, "steps", "20"));
  int64_t cap = atoll(option(argc, argv, "cap", "20000"));
  if (steps > MAXIMUM_STEPS) steps = MAXIMUM_STEPS;
  choose_variants(option(argc, argv, "solvers", "auto,apgd,uzawa,uzawa-cold"));
  environment env = {.allocate = default_allocate, .threads = atoi(option(argc, argv, "threads", "1"))};
  parallel_call_team(&env);
  scene it;
  scene_create(&it, kind, particles, strcmp(name, "gluey") == 0 ? -10.0 : 0.0);
  double tolerance = atof(option(argc, argv, "tolerance", "1e-6")) * it.radius;
  repeat = atoi(option(argc, argv, "repeat", "1"));
  working_gap = atof(option(argc, argv, "gap", "0"));
  arena scratch;
  arena_init(&scratch, &env);

  double begin = cpu_milliseconds();
  const char *state = option(argc, argv, "state", NULL);
  bool loaded = state && scene_load(&it, state);
  if (loaded) warmup = 0;
  for (int step = 0; step < warmup; step++) {
    scene_prepare(&it);
    contact_report report = solve(&env, &scratch, &it, FLOC_SOLVER_AUTO, tolerance, cap, it.now.impulse);
    scene_advance(&it);
    if (getenv("FLOC_BENCHMARK_VERBOSE") && step % 50 == 0) {
      double mean, greatest, energy;
      scene_quality(&it, &mean, &greatest, &energy);
      fprintf(stderr,
              "step %d: %lld contacts, %lld active, %lld products, residual/r %.2g, overlap/r %.2g max %.2g, "
              "energy %.3g\n",
              step, (long long)it.now.count, (long long)report.active, (long long)report.iterations,
              report.residual / it.radius, mean, greatest, energy);
    }
  }
  if (state && !loaded && !scene_save(&it, state)) fprintf(stderr, "%s: cannot be written\n", state);
  it.h = atof(option(argc, argv, "h", "0")) > 0.0 ? atof(option(argc, argv, "h", "0")) : it.h;
  double warmup_seconds = 1e-3 * (cpu_milliseconds() - begin);

  double contacts = 0.0, active = 0.0, islands = 0.0;
  for (int step = 0; step < steps; step++) {
    scene_prepare(&it);
    for (int v = 0; v < VARIANTS; v++)
      if (all_variants[v].wanted) measure(&env, &scratch, &it, &all_variants[v], tolerance, cap);
    contact_report report = solve(&env, &scratch, &it, FLOC_SOLVER_AUTO, tolerance, cap, it.now.impulse);
    contacts += (double)report.active * 0 + (double)it.now.count;
    active += (double)report.active;
    islands += (double)report.islands;
    scene_advance(&it);
  }
  double mean, greatest, energy;
  scene_quality(&it, &mean, &greatest, &energy);
  printf("%s: %lld particles, %.0f contacts, %.0f active, %.0f islands (means); tolerance %g r; warm-up %.1f s\n",
         name, (long long)particles, contacts / steps, active / steps, islands / steps, tolerance / it.radius,
         warmup_seconds);
  printf("overlap over radius: mean %.3g, greatest %.3g; kinetic energy %.3g\n", mean, greatest, energy);
  printf("%-12s %12s %12s %10s %12s\n", "solver", "ms/step", "products", "unsolved", "residual/r");
  for (int v = 0; v < VARIANTS; v++) {
    variant *which = &all_variants[v];
    if (!which->wanted) continue;
    printf("%-12s %12.3f %12.0f %10d %12.3g\n", which->name, median(which->milliseconds, which->measured),
           median(which->products, which->measured), which->unsolved, which->worst / it.radius);
  }
  arena_free(&scratch);
  scene_free(&it);
  parallel_dismiss_team(&env);
  return 0;
}
