/*
 * See articulation.h. The factorisation goes row by row: row k of L solves with the rows before it, along the paths
 * of the elimination tree that begin at the entries of row k of S (Liu 1990).
 */
#include "contacts/finish/articulation.h"

#include "contacts/finish/finish_order.h"

#include <math.h>
#include <string.h>

typedef enum articulation_side { SIDE_FREE, SIDE_LOWER, SIDE_UPPER } articulation_side;

enum { MOST_PIVOTS = 200, PATIENCE = 4 };
static const double least_pivot = 1e-12; /* of the diagonal */
static const double rounding = 1e-13;    /* of what is added up: what a bound may be missed by */

/* ---- which rows meet ---- */

/* Rows by body. */
typedef struct meeting {
  int64_t *start; /* [body + 1] */
  int32_t *row;
} meeting;

static bool find_meetings(arena *scratch, const articulation *it, meeting *met)
{
  met->start = arena_allocate(scratch, (size_t)it->bodies + 2, sizeof *met->start);
  met->row = arena_allocate(scratch, 2 * (size_t)it->rows, sizeof *met->row);
  if (!met->start || !met->row) return false;
  memset(met->start, 0, ((size_t)it->bodies + 2) * sizeof *met->start);
  for (int32_t r = 0; r < it->rows; r++)
    for (int side = 0; side < 2; side++)
      if (it->row[r].body[side] >= 0) met->start[it->row[r].body[side] + 2]++;
  for (int32_t b = 0; b < it->bodies; b++) met->start[b + 2] += met->start[b + 1];
  for (int32_t r = 0; r < it->rows; r++)
    for (int side = 0; side < 2; side++)
      if (it->row[r].body[side] >= 0) met->row[met->start[it->row[r].body[side] + 1]++] = r;
  return true;
}

/* Joints that share a body, each once. */
static bool find_graph(arena *scratch, const articulation *it, const meeting *met, order_graph *graph)
{
  int64_t bound = 0, used = 0;
  for (int32_t b = 0; b < it->bodies; b++) {
    const int64_t here = met->start[b + 1] - met->start[b];
    bound += here * here;
  }
  int64_t *start = arena_allocate(scratch, (size_t)it->joints + 1, sizeof *start);
  int32_t *neighbour = arena_allocate(scratch, (size_t)bound, sizeof *neighbour);
  int32_t *mark = arena_allocate(scratch, (size_t)it->joints, sizeof *mark);
  if (!start || !neighbour || !mark) return false;
  for (int32_t k = 0; k < it->joints; k++) mark[k] = -1;
  int32_t r = 0;
  for (int32_t k = 0; k < it->joints; k++) {
    start[k] = used;
    mark[k] = k;
    for (; r < it->rows && it->row[r].joint == k; r++)
      for (int side = 0; side < 2; side++) {
        const int32_t b = it->row[r].body[side];
        for (int64_t e = b < 0 ? 0 : met->start[b]; b >= 0 && e < met->start[b + 1]; e++) {
          const int32_t other = it->row[met->row[e]].joint;
          if (mark[other] == k) continue;
          mark[other] = k;
          neighbour[used++] = other;
        }
      }
  }
  start[it->joints] = used;
  *graph = (order_graph){.nodes = it->joints, .start = start, .neighbour = neighbour};
  return true;
}

/* ---- structure ---- */

static bool allocate(arena *scratch, articulation *it)
{
  const size_t rows = (size_t)it->rows;
  it->diagonal = arena_allocate(scratch, rows, sizeof *it->diagonal);
  it->place = arena_allocate(scratch, rows, sizeof *it->place);
  it->member = arena_allocate(scratch, rows, sizeof *it->member);
  it->start = arena_allocate(scratch, rows + 1, sizeof *it->start);
  it->parent = arena_allocate(scratch, rows, sizeof *it->parent);
  it->mark = arena_allocate(scratch, rows, sizeof *it->mark);
  it->stack = arena_allocate(scratch, rows, sizeof *it->stack);
  it->column = arena_allocate(scratch, rows + 1, sizeof *it->column);
  it->filled = arena_allocate(scratch, rows + 1, sizeof *it->filled);
  it->pivot = arena_allocate(scratch, rows, sizeof *it->pivot);
  it->sum = arena_allocate(scratch, rows, sizeof *it->sum);
  it->side = arena_allocate(scratch, rows, sizeof *it->side);
  it->right = arena_allocate(scratch, rows, sizeof *it->right);
  it->begun = arena_allocate(scratch, rows, sizeof *it->begun);
  it->change = arena_allocate(scratch, rows, sizeof *it->change);
  it->after = arena_allocate(scratch, rows, sizeof *it->after);
  it->velocity = arena_allocate(scratch, (size_t)it->bodies * ARTICULATION_FREEDOMS, sizeof *it->velocity);
  return it->diagonal && it->place && it->member && it->start && it->parent && it->mark && it->stack &&
         it->column && it->filled && it->pivot && it->sum && it->side && it->right && it->begun && it->change &&
         it->after && it->velocity;
}

/* Rows of a joint follow each other, in their order. */
static void place_rows(articulation *it, const int32_t *order, int32_t *first)
{
  int32_t next = 0;
  for (int32_t k = it->joints - 1, r = it->rows - 1; k >= 0; k--) {
    while (r >= 0 && it->row[r].joint == k) r--;
    first[k] = r + 1;
  }
  for (int32_t n = 0; n < it->joints; n++)
    for (int32_t r = first[order[n]]; r < it->rows && it->row[r].joint == order[n]; r++) {
      it->place[r] = next;
      it->member[next++] = r;
    }
}

static double meet(const articulation_row *one, const articulation_row *other)
{
  double sum = 0.0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      if (one->body[a] < 0 || one->body[a] != other->body[b]) continue;
      for (int k = 0; k < ARTICULATION_FREEDOMS; k++) sum += one->coefficient[a][k] * other->moved[b][k];
    }
  return sum;
}

static void sort(int32_t *list, int64_t count)
{
  for (int64_t k = 1; k < count; k++) {
    const int32_t value = list[k];
    int64_t m = k;
    for (; m > 0 && list[m - 1] > value; m--) list[m] = list[m - 1];
    list[m] = value;
  }
}

void articulation_refill(articulation *it)
{
  for (int32_t p = 0; p < it->rows; p++) {
    const articulation_row *row = &it->row[it->member[p]];
    for (int64_t e = it->start[p]; e < it->start[p + 1]; e++)
      it->entry[e] = meet(row, &it->row[it->member[it->near[e]]]);
    it->diagonal[it->member[p]] = meet(row, row) + row->slack;
  }
}

/* The entries of S before the diagonal. */
static bool fill_matrix(arena *scratch, articulation *it, const meeting *met)
{
  int64_t bound = 0, used = 0;
  for (int32_t b = 0; b < it->bodies; b++) {
    const int64_t here = met->start[b + 1] - met->start[b];
    bound += here * here;
  }
  it->near = arena_allocate(scratch, (size_t)bound, sizeof *it->near);
  it->entry = arena_allocate(scratch, (size_t)bound, sizeof *it->entry);
  if (!it->near || !it->entry) return false;
  for (int32_t p = 0; p < it->rows; p++) it->mark[p] = -1;
  for (int32_t p = 0; p < it->rows; p++) {
    const articulation_row *row = &it->row[it->member[p]];
    it->start[p] = used;
    it->mark[p] = p;
    for (int side = 0; side < 2; side++) {
      const int32_t b = row->body[side];
      for (int64_t e = b < 0 ? 0 : met->start[b]; b >= 0 && e < met->start[b + 1]; e++) {
        const int32_t other = it->place[met->row[e]];
        if (other >= p || it->mark[other] == p) continue;
        it->mark[other] = p;
        it->near[used++] = other;
      }
    }
    sort(it->near + it->start[p], used - it->start[p]);
  }
  it->start[it->rows] = used;
  articulation_refill(it);
  return true;
}

/* The tree, and how long columns of L are. */
static bool find_structure(arena *scratch, articulation *it)
{
  memset(it->column, 0, ((size_t)it->rows + 1) * sizeof *it->column);
  for (int32_t p = 0; p < it->rows; p++) {
    it->parent[p] = -1;
    it->mark[p] = p;
    for (int64_t e = it->start[p]; e < it->start[p + 1]; e++)
      for (int32_t k = it->near[e]; it->mark[k] != p; k = it->parent[k]) {
        if (it->parent[k] < 0) it->parent[k] = p;
        it->column[k + 1]++;
        it->mark[k] = p;
      }
  }
  for (int32_t p = 0; p < it->rows; p++) it->column[p + 1] += it->column[p];
  it->below = arena_allocate(scratch, (size_t)it->column[it->rows], sizeof *it->below);
  it->lower = arena_allocate(scratch, (size_t)it->column[it->rows], sizeof *it->lower);
  return it->below && it->lower;
}

floc_status articulation_analyse(arena *scratch, articulation *it)
{
  meeting met;
  order_graph graph;
  it->factorisations = 0;
  int32_t *order = arena_allocate(scratch, (size_t)it->joints, sizeof *order);
  int32_t *first = arena_allocate(scratch, (size_t)it->joints, sizeof *first);
  if (!order || !first || !allocate(scratch, it)) return FLOC_OUT_OF_MEMORY;
  if (!find_meetings(scratch, it, &met) || !find_graph(scratch, it, &met, &graph)) return FLOC_OUT_OF_MEMORY;
  floc_status status = finish_order(scratch, &graph, order);
  if (status != FLOC_OK) return status;
  place_rows(it, order, first);
  return fill_matrix(scratch, it, &met) && find_structure(scratch, it) ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* ---- numbers ---- */

void articulation_push(const articulation *it, const double *impulse, double *velocity)
{
  for (int32_t r = 0; r < it->rows; r++) {
    const articulation_row *row = &it->row[r];
    for (int side = 0; side < 2; side++) {
      if (row->body[side] < 0) continue;
      double *own = velocity + (size_t)row->body[side] * ARTICULATION_FREEDOMS;
      for (int k = 0; k < ARTICULATION_FREEDOMS; k++) own[k] += row->moved[side][k] * impulse[r];
    }
  }
}

/* Rows that stand at a bound have a pivot of 0 and no part in anything. */
static void factorise(articulation *it)
{
  it->factorisations++;
  for (int32_t p = 0; p < it->rows; p++) {
    it->mark[p] = -1;
    it->sum[p] = 0.0;
    it->filled[p] = it->column[p];
  }
  for (int32_t p = 0; p < it->rows; p++) {
    const int32_t r = it->member[p];
    int32_t top = it->rows;
    double pivot = it->diagonal[r];
    it->mark[p] = p;
    for (int64_t e = it->start[p]; e < it->start[p + 1]; e++) {
      int32_t length = 0;
      it->sum[it->near[e]] += it->entry[e];
      for (int32_t k = it->near[e]; it->mark[k] != p; k = it->parent[k]) {
        it->stack[length++] = k;
        it->mark[k] = p;
      }
      while (length > 0) it->stack[--top] = it->stack[--length];
    }
    for (; top < it->rows; top++) {
      const int32_t k = it->stack[top];
      const double value = it->sum[k], ratio = value * it->pivot[k];
      it->sum[k] = 0.0;
      for (int64_t e = it->column[k]; e < it->filled[k]; e++) it->sum[it->below[e]] -= it->lower[e] * value;
      it->below[it->filled[k]] = p;
      it->lower[it->filled[k]++] = ratio;
      pivot -= ratio * value;
    }
    const bool stands = it->side[r] == SIDE_FREE && pivot > least_pivot * it->diagonal[r];
    it->pivot[p] = stands ? 1.0 / pivot : 0.0;
  }
}

/* S x = right in place, by places; 0 where the pivot is: there L has a column of zeros. */
static void solve_free(const articulation *it, double *x)
{
  for (int32_t p = 0; p < it->rows; p++) {
    for (int64_t e = it->column[p]; e < it->filled[p]; e++) x[it->below[e]] -= it->lower[e] * x[p];
  }
  for (int32_t p = it->rows - 1; p >= 0; p--) {
    x[p] *= it->pivot[p];
    for (int64_t e = it->column[p]; e < it->filled[p]; e++) x[p] -= it->lower[e] * x[it->below[e]];
  }
}

/* w after impulses have changed by `change`. */
static void follow(articulation *it, const double *w, const double *change, double *result)
{
  memset(it->velocity, 0, (size_t)it->bodies * ARTICULATION_FREEDOMS * sizeof *it->velocity);
  articulation_push(it, change, it->velocity);
  for (int32_t r = 0; r < it->rows; r++) {
    const articulation_row *row = &it->row[r];
    double rate = row->slack * change[r];
    for (int side = 0; side < 2; side++) {
      if (row->body[side] < 0) continue;
      const double *own = it->velocity + (size_t)row->body[side] * ARTICULATION_FREEDOMS;
      for (int k = 0; k < ARTICULATION_FREEDOMS; k++) rate += row->coefficient[side][k] * own[k];
    }
    result[r] = w[r] + rate;
  }
}

/* ---- bounds ---- */

static bool has_bounds(const articulation_row *row)
{
  return row->lower > -INFINITY || row->upper < INFINITY;
}

static void begin_sides(articulation *it, const double *w, const double *impulse)
{
  for (int32_t r = 0; r < it->rows; r++) {
    const articulation_row *row = &it->row[r];
    it->side[r] = SIDE_FREE;
    if (impulse[r] == row->lower && w[r] >= 0.0) it->side[r] = SIDE_LOWER;
    if (impulse[r] == row->upper && w[r] <= 0.0) it->side[r] = SIDE_UPPER;
  }
}

/* Where a row belongs that is wrong on its side. */
static articulation_side right_side(const articulation *it, int32_t r, double impulse, double w, double scale)
{
  const articulation_row *row = &it->row[r];
  const double slack = rounding * scale;
  if (!has_bounds(row)) return SIDE_FREE;
  switch (it->side[r]) {
  case SIDE_LOWER:
    return w < -slack * it->diagonal[r] ? SIDE_FREE : SIDE_LOWER;
  case SIDE_UPPER:
    return w > slack * it->diagonal[r] ? SIDE_FREE : SIDE_UPPER;
  default:
    if (impulse < row->lower - slack) return SIDE_LOWER;
    return impulse > row->upper + slack ? SIDE_UPPER : SIDE_FREE;
  }
}

/* Impulses with the present sides, from those at the start. */
static void solve_sides(articulation *it, const double *w, const double *start, double *change, double *after)
{
  for (int32_t r = 0; r < it->rows; r++) {
    const articulation_row *row = &it->row[r];
    change[r] = it->side[r] == SIDE_FREE ? 0.0 : (it->side[r] == SIDE_LOWER ? row->lower : row->upper) - start[r];
  }
  follow(it, w, change, after);
  factorise(it);
  for (int32_t p = 0; p < it->rows; p++) it->right[p] = it->pivot[p] == 0.0 ? 0.0 : -after[it->member[p]];
  solve_free(it, it->right);
  for (int32_t p = 0; p < it->rows; p++)
    if (it->pivot[p] != 0.0) change[it->member[p]] = it->right[p];
  follow(it, w, change, after);
}

static double greatest_impulse(const articulation *it, const double *start, const double *change, const double *w)
{
  double greatest = 0.0;
  for (int32_t r = 0; r < it->rows; r++) {
    greatest = fmax(greatest, fmax(fabs(start[r]), fabs(change[r])));
    if (it->diagonal[r] > 0.0) greatest = fmax(greatest, fabs(w[r]) / it->diagonal[r]);
  }
  return greatest;
}

/* Swaps what is wrong: all, or the last one. Returns how many there were. */
static int32_t swap_sides(articulation *it, const double *start, const double *change, const double *w,
                          const double *after, bool all)
{
  const double scale = greatest_impulse(it, start, change, w);
  int32_t wrong = 0;
  for (int32_t r = it->rows - 1; r >= 0; r--) {
    const articulation_side side = right_side(it, r, start[r] + change[r], after[r], scale);
    if ((int)side == it->side[r]) continue;
    if (all || wrong == 0) it->side[r] = (int8_t)side;
    wrong++;
  }
  return wrong;
}

bool articulation_solve(articulation *it, const double *w, double *impulse)
{
  double *start = it->begun, *change = it->change, *after = it->after;
  int32_t fewest = INT32_MAX, patience = PATIENCE;
  begin_sides(it, w, impulse);
  memcpy(start, impulse, (size_t)it->rows * sizeof *start);
  for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
    solve_sides(it, w, start, change, after);
    const int32_t wrong = swap_sides(it, start, change, w, after, patience > 0);
    for (int32_t r = 0; r < it->rows; r++) impulse[r] = start[r] + change[r];
    if (wrong == 0) return true;
    if (wrong < fewest) {
      fewest = wrong;
      patience = PATIENCE;
    } else {
      patience--;
    }
  }
  return false;
}
