/*
 * Speed and size of checkpoints: a dense packing of spheres with contact history, written and read at a
 * given number of threads.
 *
 *   checkpoint_benchmark <particles> <threads> [path]
 *
 * The packing: polydisperse spheres (radii +-20 percent) at volume fraction 0.6 in a periodic box, relaxed
 * from random positions by separating overlapping pairs, stored in cell order as the engine does. Columns
 * are those of the particle table; forces stand for a law's (noise), so do velocities. The contact history
 * holds, per touching pair, both ids (i32), gamma and multiplier (f64).
 *
 * Without a path the file is in memory: the figures are those of the coder alone, verification included.
 */
#define _GNU_SOURCE
#include "base/numbers/random.h"
#include "files/checkpoint/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../tests/files/memory_disk.h"

typedef struct packing {
  int64_t count;
  int64_t cells; /* along one axis */
  double box;
  double *column[11]; /* x y z vx vy vz fx fy fz radius mass */
  int64_t *id;
  int32_t *head, *next;
  int32_t *pair; /* [2 pair_count] */
  double *gamma, *multiplier;
  int64_t pair_count, pair_capacity;
} packing;

static void *allocate(size_t count, size_t size)
{
  void *memory = calloc(count, size);
  if (!memory) exit(1);
  return memory;
}

static double shortest(double separation, double box)
{
  return separation - box * rint(separation / box);
}

static int64_t cell_of(const packing *p, int64_t k)
{
  int64_t index = 0;
  for (int axis = 2; axis >= 0; axis--) {
    double x = p->column[axis][k];
    int64_t c = (int64_t)(x / p->box * (double)p->cells);
    index = index * p->cells + (c + p->cells) % p->cells;
  }
  return index;
}

static void fill_cells(packing *p)
{
  memset(p->head, 0xff, (size_t)(p->cells * p->cells * p->cells) * sizeof *p->head);
  for (int64_t k = p->count - 1; k >= 0; k--) {
    int64_t cell = cell_of(p, k);
    p->next[k] = p->head[cell];
    p->head[cell] = (int32_t)k;
  }
}

typedef void (*pair_action)(packing *p, int64_t i, int64_t j, const double separation[3], double distance);

static void push_apart(packing *p, int64_t i, int64_t j, const double separation[3], double distance)
{
  double overlap = p->column[9][i] + p->column[9][j] - distance;
  for (int axis = 0; axis < 3; axis++) {
    double push = 0.55 * overlap * separation[axis] / distance;
    p->column[axis][i] -= push;
    p->column[axis][j] += push;
  }
}

static void remember(packing *p, int64_t i, int64_t j, const double separation[3], double distance)
{
  (void)separation;
  (void)distance;
  if (p->pair_count == p->pair_capacity) return;
  int64_t k = p->pair_count++;
  double uniform[4];
  random_uniform4(3, (uint64_t)k, 0, RANDOM_SCRIPT, 0, uniform);
  p->pair[2 * k] = (int32_t)i;
  p->pair[2 * k + 1] = (int32_t)j;
  p->gamma[k] = -10.0 * uniform[0] * uniform[0];
  p->multiplier[k] = -log(uniform[1]);
}

static void for_pairs(packing *p, double slack, pair_action action)
{
  for (int64_t i = 0; i < p->count; i++) {
    int64_t cell = cell_of(p, i), c[3] = {cell % p->cells, cell / p->cells % p->cells, cell / p->cells / p->cells};
    for (int n = 0; n < 27; n++) {
      int64_t x = (c[0] + n % 3 - 1 + p->cells) % p->cells, y = (c[1] + n / 3 % 3 - 1 + p->cells) % p->cells;
      int64_t z = (c[2] + n / 9 - 1 + p->cells) % p->cells;
      for (int32_t j = p->head[(z * p->cells + y) * p->cells + x]; j >= 0; j = p->next[j]) {
        double separation[3], square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
          separation[axis] = shortest(p->column[axis][j] - p->column[axis][i], p->box);
          square += separation[axis] * separation[axis];
        }
        double reach = p->column[9][i] + p->column[9][j];
        if (j > i && square < reach * reach * slack * slack) action(p, i, j, separation, sqrt(square));
      }
    }
  }
}

/* Sorts particles by cell, as the engine does for locality. */
static void sort_by_cell(packing *p)
{
  fill_cells(p);
  double *sorted = allocate((size_t)p->count, sizeof *sorted);
  for (int c = 0; c < 11; c++) {
    int64_t slot = 0;
    for (int64_t cell = 0; cell < p->cells * p->cells * p->cells; cell++)
      for (int32_t k = p->head[cell]; k >= 0; k = p->next[k]) {
        if (c == 0) p->id[slot] = k + 1;
        sorted[slot++] = p->column[c][k];
      }
    double *old = p->column[c];
    memcpy(old, sorted, (size_t)p->count * sizeof *old);
    if (c < 3) continue;
  }
  free(sorted);
  fill_cells(p);
}

static void make_packing(packing *p, int64_t count)
{
  memset(p, 0, sizeof *p);
  p->count = count;
  p->box = cbrt((double)count * 4.0 / 3.0 * 3.14159265358979 * 1.08 / 0.6);
  p->cells = (int64_t)(p->box / 2.5);
  for (int c = 0; c < 11; c++) p->column[c] = allocate((size_t)count, sizeof(double));
  p->id = allocate((size_t)count, sizeof *p->id);
  p->next = allocate((size_t)count, sizeof *p->next);
  p->head = allocate((size_t)(p->cells * p->cells * p->cells), sizeof *p->head);
  p->pair_capacity = 8 * count;
  p->pair = allocate((size_t)p->pair_capacity, 2 * sizeof *p->pair);
  p->gamma = allocate((size_t)p->pair_capacity, sizeof(double));
  p->multiplier = allocate((size_t)p->pair_capacity, sizeof(double));
  for (int64_t k = 0; k < count; k++) {
    double place[4], speed[4], force[4];
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, place);
    random_normal4(1, (uint64_t)k, 0, RANDOM_VELOCITY, 0, speed);
    random_normal4(1, (uint64_t)k, 0, RANDOM_NOISE, 0, force);
    for (int axis = 0; axis < 3; axis++) {
      p->column[axis][k] = place[axis] * p->box;
      p->column[3 + axis][k] = 0.01 * speed[axis];
      p->column[6 + axis][k] = force[axis];
    }
    p->column[9][k] = 0.8 + 0.4 * place[3];
    p->column[10][k] = 1.0;
  }
  for (int sweep = 0; sweep < (count > 100000 ? 12 : 60); sweep++) {
    if (sweep == 0) sort_by_cell(p);
    fill_cells(p);
    for_pairs(p, 1.0, push_apart);
    for (int64_t k = 0; k < count; k++)
      for (int axis = 0; axis < 3; axis++) p->column[axis][k] -= p->box * floor(p->column[axis][k] / p->box);
  }
  sort_by_cell(p);
  for_pairs(p, 1.001, remember);
}

static void list_packing(const packing *p, section_list *list)
{
  static const char *const name[] = {"x", "y", "z", "vx", "vy", "vz", "fx", "fy", "fz", "radius", "mass"};
  uint64_t count = (uint64_t)p->count, pairs = (uint64_t)p->pair_count;
  for (int c = 0; c < 11; c++) section_list_add(list, name[c], "f64", count, 1, p->column[c], true);
  section_list_add(list, "id", "i64", count, 1, p->id, true);
  section_list_add(list, "pairs", "i32", pairs, 2, p->pair, true);
  section_list_add(list, "gamma", "f64", pairs, 1, p->gamma, true);
  section_list_add(list, "multiplier", "f64", pairs, 1, p->multiplier, true);
}

static double wall_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argument_count, char **arguments)
{
  if (argument_count < 3) return 2;
  packing p;
  make_packing(&p, atoll(arguments[1]));
  environment env = {.allocate = default_allocate, .threads = atoi(arguments[2])};
  section_list list;
  section_list_init(&list, &env);
  list_packing(&p, &list);
  double raw = 0.0;
  for (int32_t k = 0; k < list.count; k++)
    raw += (double)(list.item[k].rows * list.item[k].columns * section_type_size(list.item[k].type));
  static memory_disk disk;
  disk_init(&disk);
  const file_layer *layer = argument_count > 3 ? file_layer_system() : &disk.layer;
  const char *path = argument_count > 3 ? arguments[3] : "run.floc";
  checkpoint *file = NULL;
  double best[4] = {1e9, 1e9, 1e9, 1e9};
  for (int round = 0; round < 5; round++) {
    double processor = processor_seconds(), wall = wall_seconds();
    if (checkpoint_write(&env, layer, path, 1, &list) != FLOC_OK) return fprintf(stderr, "%s\n", env.message), 1;
    best[0] = fmin(best[0], processor_seconds() - processor);
    best[1] = fmin(best[1], wall_seconds() - wall);
    checkpoint_close(file);
    processor = processor_seconds();
    wall = wall_seconds();
    if (checkpoint_open(&env, layer, path, &file) != FLOC_OK) return fprintf(stderr, "%s\n", env.message), 1;
    best[2] = fmin(best[2], processor_seconds() - processor);
    best[3] = fmin(best[3], wall_seconds() - wall);
  }
  double stored = 0.0;
  printf("section\tbytes per row\tstored\n");
  for (int32_t k = 0; k < list.count; k++) {
    double bytes = (double)checkpoint_stored_bytes(file, k), rows = (double)list.item[k].rows;
    stored += bytes;
    printf("%s\t%.2f\t%.2f\n", list.item[k].name,
           (double)(list.item[k].columns * section_type_size(list.item[k].type)), bytes / rows);
  }
  printf("particles %lld, contacts per particle %.2f, threads %d\n", (long long)p.count,
         2.0 * (double)p.pair_count / (double)p.count, (int)env.threads);
  printf("bytes per particle: %.1f raw, %.1f stored\n", raw / (double)p.count, stored / (double)p.count);
  printf("write: %.0f MB/s of processor time, %.0f MB/s of wall time\n", raw / best[0] / 1e6, raw / best[1] / 1e6);
  printf("read: %.0f MB/s of processor time, %.0f MB/s of wall time\n", raw / best[2] / 1e6, raw / best[3] / 1e6);
  return 0;
}
