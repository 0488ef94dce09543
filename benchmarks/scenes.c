/*
 * Scenes of the solver benchmark. See scenes.h. One cell grid per step, sorted by counting; plain loops.
 */
#include "scenes.h"

#include "base/numbers/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must_allocate(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

/* ---- cell grid ---- */

typedef struct grid {
  double lower[2], cell;
  int64_t columns, rows;
  int64_t *start;  /* [cells + 1] */
  int32_t *member; /* [count] by cell */
} grid;

static int64_t grid_cell(const grid *it, double x, double y)
{
  return (int64_t)((y - it->lower[1]) / it->cell) * it->columns + (int64_t)((x - it->lower[0]) / it->cell);
}

static void grid_create(grid *it, const double *x, const double *y, int64_t count, double cell)
{
  double upper[2] = {-INFINITY, -INFINITY};
  it->lower[0] = it->lower[1] = INFINITY;
  for (int64_t i = 0; i < count; i++) {
    it->lower[0] = fmin(it->lower[0], x[i]);
    it->lower[1] = fmin(it->lower[1], y[i]);
    upper[0] = fmax(upper[0], x[i]);
    upper[1] = fmax(upper[1], y[i]);
  }
  it->cell = cell;
  it->columns = (int64_t)((upper[0] - it->lower[0]) / cell) + 1;
  it->rows = (int64_t)((upper[1] - it->lower[1]) / cell) + 1;
  it->start = must_allocate((size_t)(it->columns * it->rows) + 1, sizeof *it->start);
  it->member = must_allocate((size_t)count, sizeof *it->member);
  for (int64_t i = 0; i < count; i++) it->start[grid_cell(it, x[i], y[i]) + 1]++;
  for (int64_t c = 0; c < it->columns * it->rows; c++) it->start[c + 1] += it->start[c];
  for (int64_t i = count - 1; i >= 0; i--) it->member[--it->start[grid_cell(it, x[i], y[i]) + 1]] = (int32_t)i;
  /* every start has moved one cell down by now */
  memmove(it->start, it->start + 1, (size_t)(it->columns * it->rows) * sizeof *it->start);
  it->start[it->columns * it->rows] = count;
}

static void grid_free(grid *it)
{
  free(it->start);
  free(it->member);
}

/* ---- start ---- */

static double uniform(uint64_t id, uint64_t purpose_step, int k)
{
  double u[4];
  random_uniform4(1, id, purpose_step, RANDOM_POSITION, 0, u);
  return u[k];
}

/* Random places without overlap (sequential addition on a hash of cells one diameter wide). */
static void place_at_random(scene *it, const double lower[2], const double upper[2], double widest)
{
  int64_t columns = (int64_t)((upper[0] - lower[0]) / widest) + 3,
          rows = (int64_t)((upper[1] - lower[1]) / widest) + 3;
  int32_t *head = must_allocate((size_t)(columns * rows), sizeof *head);
  int32_t *next = must_allocate((size_t)it->count, sizeof *next);
  for (int64_t c = 0; c < columns * rows; c++) head[c] = -1;
  uint64_t attempt = 0;
  for (int64_t i = 0; i < it->count; i++) {
    double radius = it->radii[i];
    for (bool free_place = false; !free_place; attempt++) {
      double x = lower[0] + radius + uniform(attempt, 0, 0) * (upper[0] - lower[0] - 2 * radius);
      double y = lower[1] + radius + uniform(attempt, 0, 1) * (upper[1] - lower[1] - 2 * radius);
      int64_t cx = (int64_t)((x - lower[0]) / widest) + 1, cy = (int64_t)((y - lower[1]) / widest) + 1;
      free_place = true;
      for (int64_t c = 0; c < 9 && free_place; c++) {
        for (int32_t j = head[(cy + c / 3 - 1) * columns + cx + c % 3 - 1]; j >= 0 && free_place; j = next[j])
          free_place = hypot(it->x[j] - x, it->y[j] - y) >= radius + it->radii[j];
      }
      for (int w = 0; w < it->wall_count && free_place; w++) {
        const scene_wall *wall = &it->wall[w];
        double ex = wall->end[0] - wall->start[0], ey = wall->end[1] - wall->start[1];
        double t = ((x - wall->start[0]) * ex + (y - wall->start[1]) * ey) / (ex * ex + ey * ey);
        t = fmin(1.0, fmax(0.0, t));
        double side = ex * (y - wall->start[1]) - ey * (x - wall->start[0]);
        free_place = side > 0.0 && hypot(wall->start[0] + t * ex - x, wall->start[1] + t * ey - y) >= radius;
      }
      if (!free_place) continue;
      it->x[i] = x;
      it->y[i] = y;
      next[i] = head[cy * columns + cx];
      head[cy * columns + cx] = (int32_t)i;
    }
    if (attempt > 2000 * (uint64_t)it->count + 100000) {
      fprintf(stderr, "no room for particle %lld\n", (long long)i);
      exit(1);
    }
  }
  free(head);
  free(next);
}

static void permute(double *column, const int32_t *order, int64_t count)
{
  double *copy = must_allocate((size_t)count, sizeof *copy);
  for (int64_t k = 0; k < count; k++) copy[k] = column[order[k]];
  memcpy(column, copy, (size_t)count * sizeof *copy);
  free(copy);
}

/* Storage by cell: what the engine does from time to time. Only before the first step, here. */
static void sort_by_cell(scene *it)
{
  grid cells;
  grid_create(&cells, it->x, it->y, it->count, 4 * it->radius);
  double *columns[] = {it->x, it->y, it->radii, it->inverse_mass};
  for (int c = 0; c < 4; c++) permute(columns[c], cells.member, it->count);
  grid_free(&cells);
}

static void add_wall(scene *it, double x0, double y0, double x1, double y1)
{
  it->wall[it->wall_count++] = (scene_wall){{x0, y0}, {x1, y1}}; /* particles are on its left */
}

void scene_create(scene *it, scene_kind kind, int64_t count, double gamma_min)
{
  *it = (scene){.kind = kind, .count = count, .gamma_min = gamma_min};
  double **columns[] = {&it->x,      &it->y,      &it->vx,    &it->vy,    &it->radii, &it->inverse_mass,
                        &it->free_x, &it->free_y, &it->out_x, &it->out_y, &it->reach};
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
    *columns[c] = must_allocate((size_t)count, sizeof(double));
  double lower[2], upper[2];
  if (kind == SCENE_AGGREGATION) {
    double side = sqrt((double)count / 1000.0);
    it->h = 0.02;
    it->radius = 0.01;
    for (int axis = 0; axis < 2; axis++) {
      lower[axis] = -0.5 * side;
      upper[axis] = 0.5 * side;
    }
  } else {
    it->h = kind == SCENE_FUNNEL ? 1e-3 : 1.0 / 240;
    it->radius = 0.02;
    it->gravity = 10.0;
    if (kind == SCENE_FUNNEL) {
      add_wall(it, -1.6, 5.2, -1.6, 1.6);
      add_wall(it, -1.6, 1.6, -0.08, 0.0);
      add_wall(it, -0.08, 0.0, 0.08, 0.0);
      add_wall(it, 0.08, 0.0, 1.6, 1.6);
      add_wall(it, 1.6, 1.6, 1.6, 5.2);
      lower[0] = -1.58;
      lower[1] = 0.05;
      upper[0] = 1.58;
      upper[1] = 3.6;
    } else {
      double width = sqrt((double)count * 0.001283 / 0.656);
      add_wall(it, 0.0, 4 * width, 0.0, 0.2 * width);
      add_wall(it, 0.0, 0.2 * width, 0.3 * width, 0.0);
      add_wall(it, 0.3 * width, 0.0, 0.7 * width, 0.0);
      add_wall(it, 0.7 * width, 0.0, width, 0.2 * width);
      add_wall(it, width, 0.2 * width, width, 4 * width);
      lower[0] = 0.0;
      lower[1] = 0.0;
      upper[0] = width;
      upper[1] = 1.7 * width;
    }
  }
  double widest = 0.0;
  for (int64_t i = 0; i < count; i++) {
    double u = uniform((uint64_t)i, 1, 2);
    bool aggregation = kind == SCENE_AGGREGATION;
    it->radii[i] = it->radius * (aggregation ? 0.85 + 0.3 * u : 0.75 + 0.5 * u);
    it->inverse_mass[i] = aggregation ? 1.0 / pow(it->radii[i] / it->radius, 3) : 0.5;
    widest = fmax(widest, 2 * it->radii[i]);
  }
  place_at_random(it, lower, upper, widest);
  sort_by_cell(it);
}

static void contacts_free(scene_contacts *list)
{
  free(list->first);
  free(list->second);
  free(list->key);
  double *columns[] = {list->nx, list->ny, list->distance, list->lower, list->impulse, list->gamma};
  for (int c = 0; c < 6; c++) free(columns[c]);
}

void scene_free(scene *it)
{
  double *columns[] = {it->x,      it->y,      it->vx,    it->vy,    it->radii, it->inverse_mass,
                       it->free_x, it->free_y, it->out_x, it->out_y, it->reach};
  for (int c = 0; c < 11; c++) free(columns[c]);
  contacts_free(&it->now);
  contacts_free(&it->before);
}

/* ---- a step ---- */

static void grow(scene_contacts *list)
{
  if (list->count < list->capacity) return;
  list->capacity = 2 * list->capacity + 1024;
  size_t n = (size_t)list->capacity;
  int32_t **integers[] = {&list->first, &list->second, &list->key};
  double **numbers[] = {&list->nx, &list->ny, &list->distance, &list->lower, &list->impulse, &list->gamma};
  for (int c = 0; c < 3; c++) *integers[c] = realloc(*integers[c], n * sizeof(int32_t));
  for (int c = 0; c < 6; c++) *numbers[c] = realloc(*numbers[c], n * sizeof(double));
}

static void add_contact(scene_contacts *list, int32_t first, int32_t key, double nx, double ny, double distance)
{
  grow(list);
  int64_t a = list->count++;
  list->first[a] = first;
  list->key[a] = key;
  list->second[a] = key < 0 ? -1 : key;
  list->nx[a] = nx;
  list->ny[a] = ny;
  list->distance[a] = distance;
  list->lower[a] = list->impulse[a] = list->gamma[a] = 0.0;
}

static void add_walls_of(scene *it, int32_t i)
{
  for (int w = it->wall_count - 1; w >= 0; w--) {
    const scene_wall *wall = &it->wall[w];
    double ex = wall->end[0] - wall->start[0], ey = wall->end[1] - wall->start[1];
    double t = ((it->x[i] - wall->start[0]) * ex + (it->y[i] - wall->start[1]) * ey) / (ex * ex + ey * ey);
    t = fmin(1.0, fmax(0.0, t));
    double dx = wall->start[0] + t * ex - it->x[i], dy = wall->start[1] + t * ey - it->y[i], length = hypot(dx, dy);
    if (length - it->radii[i] < 2.0 * it->reach[i])
      add_contact(&it->now, i, -1 - w, dx / length, dy / length, length - it->radii[i]);
  }
}

/* Row of partners of particle i, sorted by number (insertion: rows are short). */
static void add_pairs_of(scene *it, const grid *cells, int32_t i)
{
  int64_t begin = it->now.count;
  int64_t cx = (int64_t)((it->x[i] - cells->lower[0]) / cells->cell);
  int64_t cy = (int64_t)((it->y[i] - cells->lower[1]) / cells->cell);
  for (int64_t row = cy - 1; row <= cy + 1; row++) {
    for (int64_t column = cx - 1; column <= cx + 1; column++) {
      if (row < 0 || column < 0 || row >= cells->rows || column >= cells->columns) continue;
      int64_t cell = row * cells->columns + column;
      for (int64_t k = cells->start[cell]; k < cells->start[cell + 1]; k++) {
        int32_t j = cells->member[k];
        if (j <= i) continue;
        double dx = it->x[j] - it->x[i], dy = it->y[j] - it->y[i], reach = it->radii[i] + it->radii[j];
        double square = dx * dx + dy * dy;
        double limit = reach + it->reach[i] + it->reach[j];
        if (square >= limit * limit) continue;
        double length = sqrt(square);
        add_contact(&it->now, i, j, dx / length, dy / length, length - reach);
      }
    }
  }
  scene_contacts *list = &it->now;
  for (int64_t a = begin + 1; a < list->count; a++) {
    int32_t key = list->key[a];
    double nx = list->nx[a], ny = list->ny[a], distance = list->distance[a];
    int64_t b = a;
    for (; b > begin && list->key[b - 1] > key; b--) {
      list->key[b] = list->second[b] = list->key[b - 1];
      list->nx[b] = list->nx[b - 1];
      list->ny[b] = list->ny[b - 1];
      list->distance[b] = list->distance[b - 1];
    }
    list->key[b] = list->second[b] = key;
    list->nx[b] = nx;
    list->ny[b] = ny;
    list->distance[b] = distance;
  }
}

/* A merge of two sorted lists carries impulse and gamma over. */
static void carry_over(scene *it)
{
  scene_contacts *now = &it->now, *before = &it->before;
  int64_t b = 0;
  for (int64_t a = 0; a < now->count; a++) {
    while (b < before->count && (before->first[b] < now->first[a] ||
                                 (before->first[b] == now->first[a] && before->key[b] < now->key[a])))
      b++;
    if (b >= before->count || before->first[b] != now->first[a] || before->key[b] != now->key[a]) continue;
    now->impulse[a] = before->impulse[b];
    now->gamma[a] = before->gamma[b];
    now->lower[a] = now->gamma[a];
  }
}

static void find_contacts(scene *it)
{
  scene_contacts swap = it->before;
  it->before = it->now;
  it->now = swap;
  it->now.count = 0;
  double widest = 0.0;
  for (int64_t i = 0; i < it->count; i++) widest = fmax(widest, 2 * (it->radii[i] + it->reach[i]));
  grid cells;
  grid_create(&cells, it->x, it->y, it->count, widest);
  for (int64_t i = 0; i < it->count; i++) {
    add_walls_of(it, (int32_t)i);
    add_pairs_of(it, &cells, (int32_t)i);
  }
  grid_free(&cells);
  carry_over(it);
}

static void add_attraction(scene *it)
{
  const double kappa = 3e-3, epsilon = 3e-3;
  const scene_contacts *list = &it->now;
  for (int64_t a = 0; a < list->count; a++) {
    double c = cosh(list->distance[a] / epsilon), pull = it->h * kappa / epsilon / (c * c);
    int32_t i = list->first[a], j = list->second[a];
    if (j < 0) continue;
    it->free_x[i] += pull * it->inverse_mass[i] * list->nx[a];
    it->free_y[i] += pull * it->inverse_mass[i] * list->ny[a];
    it->free_x[j] -= pull * it->inverse_mass[j] * list->nx[a];
    it->free_y[j] -= pull * it->inverse_mass[j] * list->ny[a];
  }
}

/* How far from its surface a particle looks for contacts: what it can move in this step, and a margin for
 * what the solve adds. */
static void choose_reach(scene *it)
{
  double fall = it->gravity * it->h * it->h;
  for (int64_t i = 0; i < it->count; i++) {
    double way = 1.25 * it->h * hypot(it->vx[i], it->vy[i]);
    it->reach[i] = it->kind == SCENE_AGGREGATION ? 0.75 * it->radius
                                                 : fmin(2.0 * it->radius, 0.1 * it->radius + way + 2.0 * fall);
  }
}

void scene_prepare(scene *it)
{
  choose_reach(it);
  const double relaxation = 0.2, frequency = 3.14159265358979323846;
  find_contacts(it);
  double rate = sin(frequency * it->time);
  for (int64_t i = 0; i < it->count; i++) {
    bool drift = it->kind == SCENE_AGGREGATION;
    it->free_x[i] = it->vx[i] - (drift ? it->h / relaxation * (it->vx[i] - rate * it->y[i]) : 0.0);
    it->free_y[i] = it->vy[i] - (drift ? it->h / relaxation * it->vy[i] : it->h * it->gravity);
  }
  if (it->kind == SCENE_AGGREGATION) add_attraction(it);
  it->problem = (contact_problem){.dimension = 2,
                                  .time_step = it->h,
                                  .body_count = it->count,
                                  .inverse_mass = it->inverse_mass,
                                  .free_velocity = {it->free_x, it->free_y, NULL},
                                  .contact_count = it->now.count,
                                  .first = it->now.first,
                                  .second = it->now.second,
                                  .normal = {it->now.nx, it->now.ny, NULL},
                                  .distance = it->now.distance,
                                  .lower = it->now.lower};
}

void scene_advance(scene *it)
{
  for (int64_t i = 0; i < it->count; i++) {
    it->vx[i] = it->out_x[i];
    it->vy[i] = it->out_y[i];
    it->x[i] += it->h * it->vx[i];
    it->y[i] += it->h * it->vy[i];
  }
  it->time += it->h;
  if (it->gamma_min == 0.0) return;
  scene_contacts *list = &it->now;
  for (int64_t a = 0; a < list->count; a++) {
    double gamma = list->gamma[a] - list->impulse[a];
    list->gamma[a] = fmin(0.0, fmax(it->gamma_min, gamma));
  }
}

void scene_quality(const scene *it, double *mean, double *greatest, double *energy)
{
  double sum = 0.0;
  int64_t touching = 0;
  *greatest = *energy = 0.0;
  for (int64_t a = 0; a < it->now.count; a++) {
    if (it->now.distance[a] >= 0.0) continue;
    sum -= it->now.distance[a];
    touching++;
    *greatest = fmax(*greatest, -it->now.distance[a] / it->radius);
  }
  *mean = touching ? sum / (double)touching / it->radius : 0.0;
  for (int64_t i = 0; i < it->count; i++)
    *energy += 0.5 / it->inverse_mass[i] * (it->vx[i] * it->vx[i] + it->vy[i] * it->vy[i]);
}

/* Moves the state through one of fwrite and fread; false if it does not fit the scene. */
static bool transfer_state(scene *it, FILE *file, bool save)
{
  int64_t head[3] = {it->kind, it->count, it->now.count};
  bool good = save ? fwrite(head, sizeof head, 1, file) == 1 : fread(head, sizeof head, 1, file) == 1;
  if (!good || head[0] != (int64_t)it->kind || head[1] != it->count) return false;
  while (it->now.capacity < head[2]) {
    it->now.count = it->now.capacity;
    grow(&it->now);
  }
  it->now.count = head[2];
  size_t n = (size_t)it->count, m = (size_t)it->now.count;
  struct {
    void *data;
    size_t bytes;
  } part[] = {{&it->time, sizeof it->time},
              {it->x, 8 * n},
              {it->y, 8 * n},
              {it->vx, 8 * n},
              {it->vy, 8 * n},
              {it->radii, 8 * n},
              {it->inverse_mass, 8 * n},
              {it->now.first, 4 * m},
              {it->now.second, 4 * m},
              {it->now.key, 4 * m},
              {it->now.impulse, 8 * m},
              {it->now.gamma, 8 * m}};
  for (size_t k = 0; k < sizeof part / sizeof *part && good && part[k].bytes > 0; k++)
    good = (save ? fwrite(part[k].data, part[k].bytes, 1, file) : fread(part[k].data, part[k].bytes, 1, file)) == 1;
  return good;
}

bool scene_save(const scene *it, const char *path)
{
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  scene copy = *it;
  bool good = transfer_state(&copy, file, true);
  return fclose(file) == 0 && good;
}

bool scene_load(scene *it, const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  bool good = transfer_state(it, file, false);
  fclose(file);
  return good;
}
