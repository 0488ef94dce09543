/*
 * What the neighbour lists cost: building, checking, memory, for clouds of N particles.
 *
 *   neighbors_benchmark [update | ratio | bodies]
 *
 * update: an aggregation-like cloud (2-D: area fraction 0.3, 3-D: volume fraction 0.2) whose particles move
 *         about a hundredth of a radius per step in directions that change slowly; storage sorted when the module
 * asks for it; one thread. CPU time. ratio:  one build at a radius ratio of 1 and of 100 (log-uniform radii, and
 * two sizes), N = 1e4 and 1e5. bodies: an update with 1, 100 and 1000 bodies away from the particles.
 */
#include "base/numbers/random.h"
#include "neighbors/neighbors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct memory_count {
  size_t now, peak;
} memory_count;

static void *counted(void *context, void *pointer, size_t old_size, size_t new_size)
{
  memory_count *count = context;
  count->now += new_size - old_size;
  if (count->now > count->peak) count->peak = count->now;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, new_size);
}

static void *plain(void *context, void *pointer, size_t old_size, size_t new_size)
{
  (void)context;
  (void)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, new_size);
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(floc_status status, const environment *env)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), env->message);
  exit(1);
}

/* ---- a cloud ---- */

typedef struct cloud {
  environment env, counted_env;
  memory_count memory;
  particles table;
  bodies obstacles;
  domain box;
  neighbors *near;
  double *reach;
  int32_t *order;
  int dimension;
  uint64_t step;
} cloud;

static void make_cloud(cloud *all, int dimension, int64_t count)
{
  memset(all, 0, sizeof *all);
  all->env = (environment){.allocate = plain, .threads = 1};
  all->counted_env = (environment){.allocate = counted, .allocate_context = &all->memory, .threads = 1};
  all->dimension = dimension;
  all->box.dimension = dimension;
  particles_init(&all->table, &all->env);
  bodies_init(&all->obstacles, &all->env, dimension);
  must(particles_reserve(&all->table, count), &all->env);
  for (int64_t i = 0; i < count; i++) {
    int64_t id;
    must(particles_append(&all->table, &id), &all->env);
  }
  must(neighbors_create(&all->counted_env, dimension, &all->near), &all->env);
  all->reach = calloc((size_t)count, sizeof *all->reach);
  all->order = calloc((size_t)count, sizeof *all->order);
}

static void free_cloud(cloud *all)
{
  neighbors_destroy(all->near);
  particles_free(&all->table);
  bodies_free(&all->obstacles);
  free(all->reach);
  free(all->order);
}

/* Equal spheres on a jittered lattice, in random order of storage. */
static void fill_lattice(cloud *all, double fraction)
{
  int64_t count = all->table.count;
  double *const *column = all->table.column;
  double ball = all->dimension == 2 ? 3.14159265358979 : 4.18879020478639;
  double spacing = pow(ball / fraction, 1.0 / all->dimension);
  int64_t side = (int64_t)ceil(pow((double)count, 1.0 / all->dimension) - 1e-9);
  for (int64_t k = 0; k < count; k++) all->order[k] = (int32_t)k;
  for (int64_t k = count - 1; k > 0; k--) {
    double u[4];
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    int64_t other = (int64_t)(u[0] * (double)(k + 1));
    int32_t kept = all->order[k];
    all->order[k] = all->order[other];
    all->order[other] = kept;
  }
  for (int64_t k = 0; k < count; k++) {
    int64_t i = all->order[k], cell[3] = {k % side, k / side % side, k / side / side};
    double u[4];
    random_uniform4(2, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    for (int a = 0; a < all->dimension; a++)
      column[COLUMN_x + a][i] = spacing * (double)cell[a] + (spacing - 2.0) * u[a];
    column[COLUMN_radius][i] = 0.85 + 0.3 * u[3];
  }
}

/* Velocities change slowly; positions follow; reach as in the projection scheme. The step is 1. */
static void move_cloud(cloud *all, double speed)
{
  double *const *column = all->table.column;
  double keep = 0.95, add = speed * sqrt(1.0 - keep * keep);
  all->step++;
  for (int64_t i = 0; i < all->table.count; i++) {
    double g[4], squared = 0.0;
    random_normal4(3, (uint64_t)all->table.id[i], all->step, RANDOM_NOISE, 0, g);
    for (int a = 0; a < all->dimension; a++) {
      double *v = &column[COLUMN_vx + a][i];
      *v = all->step == 1 ? speed * g[a] : keep * *v + add * g[a];
      column[COLUMN_x + a][i] += *v;
      squared += *v * *v;
    }
    all->reach[i] = fmax(0.02 * column[COLUMN_radius][i], 1.25 * sqrt(squared));
  }
}

static void sort_cloud(cloud *all, int *sorted)
{
  bool worthwhile;
  must(neighbors_sort_order(all->near, &all->table, &all->box, all->order, &worthwhile), &all->env);
  if (!worthwhile) return;
  must(particles_permute(&all->table, all->order), &all->env);
  must(neighbors_permute(all->near, &all->table, all->order), &all->env);
  ++*sorted;
}

/* What users of the list do: distances of all pairs. */
static double use_list(const cloud *all)
{
  const pair_list *list = neighbors_pairs(all->near);
  double *const *column = all->table.column;
  double sum = 0.0;
  for (int64_t k = 0; k < list->count; k++) {
    int32_t i = list->first[k], j = list->second[k];
    double squared = 0.0;
    for (int a = 0; a < all->dimension; a++) {
      double s = domain_shortest(&all->box, a, column[COLUMN_x + a][j] - column[COLUMN_x + a][i]);
      squared += s * s;
    }
    sum += sqrt(squared) - column[COLUMN_radius][i] - column[COLUMN_radius][j];
  }
  return sum;
}

/* ---- update ---- */

static void measure_update(int dimension, int64_t count, double speed, int steps)
{
  cloud all;
  make_cloud(&all, dimension, count);
  fill_lattice(&all, dimension == 2 ? 0.3 : 0.2);
  int32_t index;
  must(neighbors_add_memory(all.near, "impulse", &index), &all.env);
  double build = 0.0, check = 0.0, use = 0.0, sort = 0.0, entries = 0.0, most = 0.0;
  int builds = 0, checks = 0, sorted = 0;
  for (int step = -20; step < steps; step++) {
    if (step == 0) build = check = use = entries = 0.0, builds = checks = 0;
    move_cloud(&all, speed);
    bool rebuilt;
    double t0 = cpu_seconds();
    must(neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt),
         &all.counted_env);
    double t1 = cpu_seconds();
    volatile double sum = use_list(&all);
    (void)sum;
    double t2 = cpu_seconds();
    sort_cloud(&all, &sorted);
    sort += cpu_seconds() - t2;
    *(rebuilt ? &build : &check) += t1 - t0;
    *(rebuilt ? &builds : &checks) += 1;
    use += t2 - t1;
    entries += (double)neighbors_pairs(all.near)->count;
    most = fmax(most, (double)neighbors_pairs(all.near)->count);
  }
  double per = 1e9 / (double)count;
  printf("%d-D N=%8lld speed %.3f  build %7.1f  check %5.2f  amortised %6.1f ns/particle  every %5.1f  "
         "pairs/particle %5.2f (at most %5.2f)"
         "  use %5.1f ns/pair  bytes/particle %5.0f  sorted %d (%.0f ns)\n",
         dimension, (long long)count, speed, builds ? build / builds * per : 0.0,
         checks ? check / checks * per : 0.0, (build + check) / steps * per, builds ? (double)steps / builds : 0.0,
         entries / steps / (double)count, most / (double)count, use / entries * 1e9,
         (double)all.memory.peak / (double)count, sorted, sorted ? sort / sorted * per : 0.0);
  free_cloud(&all);
}

/* ---- radius ratio ---- */

static double log_uniform(double u, double ratio)
{
  return pow(ratio, u);
}

/* Radii between 1 and ratio; cells of a lattice for each are not possible, so positions are uniform in a
 * square that gives the fraction: some overlap, as in a dense start. */
static void fill_ratio(cloud *all, double ratio, bool two_sizes, double fraction)
{
  double *const *column = all->table.column;
  double ball = all->dimension == 2 ? 3.14159265358979 : 4.18879020478639, volume = 0.0;
  for (int64_t i = 0; i < all->table.count; i++) {
    double u[4];
    random_uniform4(4, (uint64_t)i, 0, RANDOM_RADIUS, 0, u);
    double r = two_sizes ? (u[0] < 0.01 ? ratio : 1.0) : log_uniform(u[0], ratio);
    column[COLUMN_radius][i] = r;
    volume += ball * pow(r, all->dimension);
  }
  double side = pow(volume / fraction, 1.0 / all->dimension);
  for (int64_t i = 0; i < all->table.count; i++) {
    double u[4];
    random_uniform4(5, (uint64_t)i, 0, RANDOM_POSITION, 0, u);
    for (int a = 0; a < all->dimension; a++) column[COLUMN_x + a][i] = side * u[a];
    all->reach[i] = 0.05;
  }
}

static void measure_ratio(int dimension, int64_t count, double ratio, bool two_sizes)
{
  cloud all;
  make_cloud(&all, dimension, count);
  fill_ratio(&all, ratio, two_sizes, 0.3);
  int sorted = 0, repeats = 0;
  double time = 0.0;
  for (int k = 0; k < 40 && time < 1.0; k++) {
    bool rebuilt;
    neighbors_invalidate(all.near);
    double t0 = cpu_seconds();
    must(neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt),
         &all.counted_env);
    if (k >= 2) time += cpu_seconds() - t0, repeats++;
    sort_cloud(&all, &sorted);
  }
  printf("%d-D N=%7lld ratio %5.0f %-11s  build %7.1f ns/particle  pairs/particle %5.2f\n", dimension,
         (long long)count, ratio, two_sizes ? "two sizes" : "log-uniform", time / repeats * 1e9 / (double)count,
         (double)neighbors_pairs(all.near)->count / (double)count);
  free_cloud(&all);
}

/* ---- bodies ---- */

static void add_bodies(cloud *all, int count, double far)
{
  for (int k = 0; k < count; k++) {
    floc_body_options options = {.struct_size = sizeof options};
    options.position[0] = far + 3.0 * k;
    options.motion = FLOC_MOTION_CONSTANT;
    options.velocity[1] = 0.01;
    int32_t number;
    must(bodies_add(&all->obstacles, &options, 0.0, &number), &all->env);
    floc_shape sphere = {.struct_size = sizeof sphere, .kind = FLOC_SHAPE_SPHERE, .radius = 1.0};
    must(bodies_add_shape(&all->obstacles, number, &sphere), &all->env);
  }
}

static void measure_bodies(int count, double far, const char *where)
{
  cloud all;
  make_cloud(&all, 2, 100000);
  fill_lattice(&all, 0.3);
  add_bodies(&all, count, far);
  double time = 0.0;
  int steps = 100, builds = 0, sorted = 0;
  for (int step = -20; step < steps; step++) {
    if (step == 0) time = 0.0, builds = 0;
    move_cloud(&all, 0.01);
    must(bodies_prepare(&all.obstacles, step, 1.0), &all.env);
    bool rebuilt;
    double t0 = cpu_seconds();
    must(neighbors_update(all.near, &all.table, &all.obstacles, &all.box, all.reach, 0.0, &rebuilt),
         &all.counted_env);
    time += cpu_seconds() - t0;
    builds += rebuilt;
    sort_cloud(&all, &sorted);
    bodies_commit(&all.obstacles, 1.0);
  }
  printf("2-D N=100000, %4d bodies %-22s  update %6.2f ms  (%d builds in %d steps, %lld wall entries)\n", count,
         where, time / steps * 1e3, builds, steps, (long long)neighbors_walls(all.near)->count);
  free_cloud(&all);
}

int main(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "all";
  bool everything = strcmp(what, "all") == 0;
  if (everything || strcmp(what, "update") == 0)
    for (int dimension = 2; dimension <= 3; dimension++)
      for (int64_t count = 10000; count <= 1000000; count *= 10)
        measure_update(dimension, count, 0.01, count == 1000000 ? 40 : 200);
  if (everything || strcmp(what, "ratio") == 0)
    for (int dimension = 2; dimension <= 3; dimension++)
      for (int64_t count = 10000; count <= 100000; count *= 10) {
        measure_ratio(dimension, count, 1.0, false);
        measure_ratio(dimension, count, 100.0, false);
        measure_ratio(dimension, count, 100.0, true);
      }
  if (everything || strcmp(what, "bodies") == 0)
    for (int count = 1; count <= 1000; count *= count == 1 ? 100 : 10) {
      measure_bodies(count, -1e5, "away");
      measure_bodies(count, 0.0, "along the lowest row");
    }
  return 0;
}
