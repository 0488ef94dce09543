/*
 * The quality of a state, by loops that share nothing with the engine or with any peer, so that one measure
 * judges all of them: overlaps of particles in radii of the smaller one, coordination number, kinetic energy.
 *
 *   measure_state FILE
 *
 * Prints lines of "name value". Cells as wide as the greatest diameter, each a chain of particles.
 */
#include "state_file.h"

#include <math.h>

typedef struct grid {
  double lower[3], cell[3];
  long cells[3];
  long *head, *next;
} grid;

typedef struct state {
  state_header header;
  double (*row)[STATE_COLUMNS];
  double widest;
} state;

static void *must_allocate(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  if (memory) return memory;
  fprintf(stderr, "out of memory\n");
  exit(1);
}

static state read_state(const char *path)
{
  state it = {0};
  FILE *file = must_open(path, "r");
  it.header = read_state_header(file);
  it.row = must_allocate((size_t)it.header.count, sizeof *it.row);
  for (long k = 0; k < it.header.count; k++) {
    if (!read_state_row(file, it.row[k])) {
      fprintf(stderr, "the state ends at particle %ld of %ld\n", k + 1, it.header.count);
      exit(1);
    }
    it.widest = fmax(it.widest, 2.0 * it.row[k][6]);
  }
  fclose(file);
  return it;
}

static bool is_periodic(const state *it, int axis)
{
  return it->header.upper[axis] > it->header.lower[axis];
}

static long cell_on_axis(const state *it, const grid *cells, long k, int axis)
{
  long c = (long)floor((it->row[k][axis] - cells->lower[axis]) / cells->cell[axis]);
  if (is_periodic(it, axis)) return (c % cells->cells[axis] + cells->cells[axis]) % cells->cells[axis];
  return c < 0 ? 0 : c >= cells->cells[axis] ? cells->cells[axis] - 1 : c;
}

static grid make_grid(const state *it)
{
  grid cells = {0};
  for (int axis = 0; axis < 3; axis++) {
    double lower = it->header.lower[axis], upper = it->header.upper[axis];
    if (!is_periodic(it, axis)) {
      lower = INFINITY, upper = -INFINITY;
      for (long k = 0; k < it->header.count; k++) {
        lower = fmin(lower, it->row[k][axis]);
        upper = fmax(upper, it->row[k][axis]);
      }
    }
    cells.cells[axis] = (long)fmax(1.0, floor((upper - lower) / it->widest));
    cells.lower[axis] = lower;
    cells.cell[axis] = fmax((upper - lower) / (double)cells.cells[axis], it->widest);
  }
  cells.head = must_allocate((size_t)(cells.cells[0] * cells.cells[1] * cells.cells[2]), sizeof *cells.head);
  cells.next = must_allocate((size_t)it->header.count, sizeof *cells.next);
  for (long k = 0; k < it->header.count; k++) { /* chains of k + 1; 0 ends */
    long cell = 0;
    for (int axis = 0; axis < 3; axis++) cell = cell * cells.cells[axis] + cell_on_axis(it, &cells, k, axis);
    cells.next[k] = cells.head[cell];
    cells.head[cell] = k + 1;
  }
  return cells;
}

static double distance_between(const state *it, long i, long j)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double d = it->row[j][axis] - it->row[i][axis], length = it->header.upper[axis] - it->header.lower[axis];
    if (length > 0.0) d -= length * rint(d / length);
    square += d * d;
  }
  return sqrt(square);
}

typedef struct overlaps {
  double sum, greatest;
  long touching;
} overlaps;

/* The cells around that of k, each once even where the box is narrower than three cells. */
static int list_near_cells(const state *it, const grid *cells, long k, long near[27])
{
  int count = 0;
  for (int n = 0; n < 27; n++) {
    const int way[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
    long cell = 0;
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
      long wide = cells->cells[axis], c = cell_on_axis(it, cells, k, axis) + way[axis];
      if (is_periodic(it, axis)) c = (c + wide) % wide;
      inside = inside && c >= 0 && c < wide;
      cell = cell * wide + c;
    }
    for (int m = 0; m < count && inside; m++) inside = near[m] != cell;
    if (inside) near[count++] = cell;
  }
  return count;
}

static overlaps find_overlaps(const state *it, const grid *cells)
{
  overlaps found = {0};
  for (long i = 0; i < it->header.count; i++) {
    long near[27];
    int count = list_near_cells(it, cells, i, near);
    for (int n = 0; n < count; n++)
      for (long j = cells->head[near[n]] - 1; j >= 0; j = cells->next[j] - 1) {
        if (j <= i) continue;
        double overlap =
            (it->row[i][6] + it->row[j][6] - distance_between(it, i, j)) / fmin(it->row[i][6], it->row[j][6]);
        if (overlap < 0.0) continue;
        found.sum += overlap;
        found.greatest = fmax(found.greatest, overlap);
        found.touching++;
      }
  }
  return found;
}

int main(int argc, char **argv)
{
  if (argc != 2) return fprintf(stderr, "measure_state FILE\n"), 2;
  state it = read_state(argv[1]);
  grid cells = make_grid(&it);
  overlaps found = find_overlaps(&it, &cells);
  double energy = 0.0;
  for (long k = 0; k < it.header.count; k++) {
    const double *v = &it.row[k][3];
    energy += 0.5 * it.row[k][7] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  printf("mean_overlap %.8g\ngreatest_overlap %.8g\ncoordination %.6f\nkinetic_energy %.8g\n",
         found.touching ? found.sum / (double)found.touching : 0.0, found.greatest,
         2.0 * (double)found.touching / (double)it.header.count, energy);
  free(it.row);
  free(cells.head);
  free(cells.next);
  return 0;
}
