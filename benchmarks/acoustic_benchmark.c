/*
 * Zohdi 2016, section 7: 2000 spheres in a ball, four acoustic pulses of 10,000 rays, 2 seconds, over several
 * realisations. Presets (examples/acoustic/README.md):
 *
 *   printed    7.06e13 W, as printed
 *   pressure   7.07e11 W: 150 MPa times 1500 m/s times pi m^2
 *   cohesive   as pressure, with contact and bond stiffness times 10, bonds that form at 0.01 and break at 0.1
 *
 *   acoustic_benchmark [preset pressure] [realisations 3] [step limit 2.5e-4] [in flight 0|1] [threads 1]
 *
 * Prints per realisation and in the mean: reflections of each pulse, largest cluster by gap at 0.5, 1, 1.5
 * and 2 s for some gaps (in radii), radius of gyration at 2 s, user CPU seconds without the packing.
 */
#include "base/numbers/random.h"
#include "rays/ray_sources.h"
#include "schemes/discrete_element/discrete_element.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 2000, PULSES = 4, GAPS = 5 };

static const double RADIUS = 0.05, DENSITY = 6000.0, PI = 3.14159265358979323846;
static const double GAP[GAPS] = {0.0, 0.1, 0.2, 0.5, 1.0};

typedef struct outcome {
  double reflections[PULSES], absorbed;
  int largest[GAPS][PULSES];
  double gyration, seconds, imbalance;
  int64_t steps, evaluations, rejected, bonds;
} outcome;

static void fail(const environment *env, const char *what)
{
  fprintf(stderr, "%s: %s\n", what, env->message);
  exit(1);
}

/* Random sequential addition, spheres wholly inside the unit ball. */
static void pack(particles *table, uint64_t seed)
{
  double *const *at = table->column;
  for (int64_t n = 0; n < COUNT; n++) {
    int64_t id;
    if (particles_append(table, &id) != FLOC_OK) fail(table->env, "append");
    for (uint64_t attempt = 0;; attempt++) {
      double u[4], p[3], inside = 0.0;
      random_uniform4(seed, (uint64_t)n, attempt, RANDOM_POSITION, 0, u);
      for (int k = 0; k < 3; k++) p[k] = 2.0 * u[k] - 1.0, inside += p[k] * p[k];
      bool fits = inside <= (1.0 - RADIUS) * (1.0 - RADIUS);
      for (int64_t k = 0; k < n && fits; k++) {
        double x = p[0] - at[COLUMN_x][k], y = p[1] - at[COLUMN_y][k], z = p[2] - at[COLUMN_z][k];
        fits = x * x + y * y + z * z >= 4.0 * RADIUS * RADIUS;
      }
      if (!fits) continue;
      for (int k = 0; k < 3; k++) at[COLUMN_x + k][n] = p[k];
      break;
    }
    at[COLUMN_radius][n] = RADIUS;
    at[COLUMN_mass][n] = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS * DENSITY;
  }
}

static int root_of(int *parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Largest set of spheres connected by surface gaps up to `gap`. */
static int largest_cluster(const particles *table, double gap)
{
  static int parent[COUNT], size[COUNT];
  double *const *at = table->column, limit = (2.0 * RADIUS + gap) * (2.0 * RADIUS + gap);
  int largest = 0;
  for (int i = 0; i < COUNT; i++) parent[i] = i, size[i] = 0;
  for (int i = 0; i < COUNT; i++)
    for (int j = i + 1; j < COUNT; j++) {
      double x = at[COLUMN_x][i] - at[COLUMN_x][j], y = at[COLUMN_y][i] - at[COLUMN_y][j];
      double z = at[COLUMN_z][i] - at[COLUMN_z][j];
      if (x * x + y * y + z * z <= limit) parent[root_of(parent, i)] = root_of(parent, j);
    }
  for (int i = 0; i < COUNT; i++) {
    int root = root_of(parent, i);
    if (++size[root] > largest) largest = size[root];
  }
  return largest;
}

static double gyration_radius(const particles *table)
{
  double mean[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < COUNT; i++) mean[k] += table->column[COLUMN_x + k][i] / COUNT;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < COUNT; i++) {
      double way = table->column[COLUMN_x + k][i] - mean[k];
      square += way * way / COUNT;
    }
  return sqrt(square);
}

static floc_discrete_element_options example_options(const char *preset)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.thermal_softening = true;
  options.damping = 1e5;
  options.friction = FLOC_FRICTION_REGULARIZED;
  options.friction_time = 1e-5;
  options.viscosity = 1.0;
  options.bond_law = FLOC_BOND_PERSISTENT;
  options.first_time_step = 1e-5;
  if (strcmp(preset, "cohesive") == 0) {
    options.stiffness *= 10.0;
    options.least_stiffness *= 10.0;
    options.bond_stiffness *= 10.0;
    options.bond_tangential_stiffness *= 10.0;
  }
  return options;
}

static void note_pulse(environment *env, outcome *result, int pulse, const particles *table,
                       const ray_sources *rays, double before)
{
  floc_ray_report report;
  if (ray_sources_report(rays, env, -1, &report) != FLOC_OK) fail(env, "report");
  result->reflections[pulse] = (double)report.reflections - before;
  for (int k = 0; k < GAPS; k++) result->largest[k][pulse] = largest_cluster(table, GAP[k] * RADIUS);
}

static outcome realise(const char *preset, uint64_t seed, double limit, bool in_flight, int32_t threads)
{
  environment env = {.allocate = default_allocate, .threads = threads};
  arena scratch;
  particles table;
  bodies obstacles;
  neighbors *near = NULL;
  laws *forces = NULL;
  scheme method = {0};
  ray_sources *rays = NULL;
  domain box = {.dimension = 3};
  floc_step_report step_report = {.struct_size = sizeof step_report};
  outcome result = {{0}, 0, {{0}}, 0, 0, 0, 0, 0, 0, 0};
  arena_init(&scratch, &env);
  particles_init(&table, &env);
  bodies_init(&obstacles, &env, 3);
  pack(&table, seed);
  floc_discrete_element_options options = example_options(preset);
  if (neighbors_create(&env, 3, &near) != FLOC_OK || laws_create(&env, 3, &forces) != FLOC_OK ||
      discrete_element_create(&env, 3, &options, &table, near, &method) != FLOC_OK ||
      ray_sources_create(&env, 3, seed, &rays) != FLOC_OK)
    fail(&env, "create");
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.power = strcmp(preset, "printed") == 0 ? 7.06e13 : 7.07e11;
  source.period = 0.5;
  source.pulses = PULSES;
  source.in_flight = in_flight;
  int32_t number;
  if (ray_sources_add(rays, &source, &number) != FLOC_OK) fail(&env, "source");
  double start = user_seconds(), measuring = 0.0, time = 0.0, before = 0.0;
  for (int pulse = 0; pulse < PULSES; pulse++) {
    double end = 0.5 * (pulse + 1);
    while (time < end) {
      arena_reset(&scratch);
      double left = end - time;
      if (ray_sources_begin(rays, &scratch, &table, &obstacles, &box, time) != FLOC_OK) fail(&env, "rays");
      step_context context = {.env = &env,
                              .scratch = &scratch,
                              .table = &table,
                              .obstacles = &obstacles,
                              .near = near,
                              .forces = forces,
                              .box = &box,
                              .time = time,
                              .time_step = left < limit * 1.000001 ? left : limit,
                              .step = result.steps,
                              .seed = seed,
                              .external_force = ray_sources_external,
                              .external_context = rays,
                              .report = &step_report};
      if (method.step(method.state, &context) != FLOC_OK) fail(&env, "step");
      time = context.time_step == left ? end : time + context.time_step;
      ray_sources_commit(rays, &table, time);
      result.steps++;
    }
    double pause = user_seconds();
    note_pulse(&env, &result, pulse, &table, rays, before);
    before += result.reflections[pulse];
    measuring += user_seconds() - pause;
  }
  result.seconds = user_seconds() - start - measuring;
  result.gyration = gyration_radius(&table);
  floc_discrete_element_report report;
  floc_ray_report power;
  discrete_element_report(&method, &table, &obstacles, &box, near, &report);
  if (ray_sources_report(rays, &env, -1, &power) != FLOC_OK) fail(&env, "report");
  double out = power.absorbed + power.body_absorbed + power.escaped + power.residual + power.in_flight;
  result.imbalance = fabs(out - power.incident) / power.incident;
  result.absorbed = power.absorbed / power.incident;
  result.evaluations = report.evaluations;
  result.rejected = report.rejected_steps;
  result.bonds = report.bonds;
  method.destroy(method.state, &env);
  ray_sources_destroy(rays);
  laws_destroy(forces);
  neighbors_destroy(near);
  bodies_free(&obstacles);
  particles_free(&table);
  arena_free(&scratch);
  return result;
}

static void print_statistics(const char *name, const double *value, int count)
{
  double mean = 0.0, square = 0.0;
  for (int k = 0; k < count; k++) mean += value[k] / count;
  for (int k = 0; k < count; k++) square += (value[k] - mean) * (value[k] - mean);
  printf("  %-28s %12.4f +- %.4f\n", name, mean, count > 1 ? sqrt(square / (count - 1)) : 0.0);
}

static void print_means(const outcome *all, int count)
{
  double *value = calloc((size_t)count, sizeof *value);
  char name[64];
  printf("mean and deviation over %d realisations\n", count);
  for (int k = 0; k < count; k++) {
    value[k] = 0.0;
    for (int p = 0; p < PULSES; p++) value[k] += all[k].reflections[p];
  }
  print_statistics("reflections", value, count);
  for (int p = 0; p < PULSES; p++) {
    for (int k = 0; k < count; k++) value[k] = all[k].reflections[p];
    snprintf(name, sizeof name, "reflections of pulse %d", p + 1);
    print_statistics(name, value, count);
  }
  for (int g = 0; g < GAPS; g++)
    for (int p = 0; p < PULSES; p++) {
      for (int k = 0; k < count; k++) value[k] = all[k].largest[g][p];
      snprintf(name, sizeof name, "largest, gap %g R, pulse %d", GAP[g], p + 1);
      print_statistics(name, value, count);
    }
  for (int k = 0; k < count; k++) value[k] = all[k].gyration;
  print_statistics("radius of gyration", value, count);
  for (int k = 0; k < count; k++) value[k] = all[k].seconds;
  print_statistics("user seconds", value, count);
  free(value);
}

int main(int argc, char **argv)
{
  const char *preset = argc > 1 ? argv[1] : "pressure";
  int count = argc > 2 ? atoi(argv[2]) : 3;
  double limit = argc > 3 ? atof(argv[3]) : 2.5e-4;
  bool in_flight = argc > 4 && atoi(argv[4]) != 0;
  int32_t threads = argc > 5 ? atoi(argv[5]) : 1;
  outcome *all = calloc((size_t)count, sizeof *all);
  for (int k = 0; k < count; k++) {
    all[k] = realise(preset, (uint64_t)k + 1, limit, in_flight, threads);
    const outcome *o = &all[k];
    printf("%s seed %d: reflections %.0f %.0f %.0f %.0f, absorbed %.4f, imbalance %.2g, gyration %.4f, bonds %lld; "
           "%lld steps, %lld evaluations, %lld rejected, %.2f s\n",
           preset, k + 1, o->reflections[0], o->reflections[1], o->reflections[2], o->reflections[3], o->absorbed,
           o->imbalance, o->gyration, (long long)o->bonds, (long long)o->steps, (long long)o->evaluations,
           (long long)o->rejected, o->seconds);
    fflush(stdout);
  }
  print_means(all, count);
  free(all);
  return 0;
}
