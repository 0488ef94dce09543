/*
 * Gyration tensor, contact number and pair distribution. See shape_measures.h and floc.h.
 */
#include "measures/shape_measures.h"

#include "base/fields.h"
#include "base/interruption.h"

#include <math.h>
#include <string.h>

/* ---- gyration ---- */

static void find_center(const measured_points *points, double *mass, double center[3])
{
  *mass = 0.0;
  center[0] = center[1] = center[2] = 0.0;
  for (int64_t k = 0; k < points->count; k++) {
    *mass += points->mass[k];
    for (int axis = 0; axis < points->box.dimension; axis++)
      center[axis] += points->mass[k] * points->position[axis][k];
  }
  for (int axis = 0; axis < 3; axis++) center[axis] /= *mass;
}

static void find_tensor(const measured_points *points, const double center[3], double mass, double tensor[3][3])
{
  memset(tensor, 0, 9 * sizeof(double));
  int32_t dimension = points->box.dimension;
  for (int64_t k = 0; k < points->count; k++) {
    for (int row = 0; row < dimension; row++) {
      double y = points->mass[k] * (points->position[row][k] - center[row]);
      for (int column = 0; column < dimension; column++)
        tensor[row][column] += y * (points->position[column][k] - center[column]);
    }
  }
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) tensor[row][column] /= mass;
}

/* One rotation of Jacobi's method that makes a[p][q] zero; the rows of v follow. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
  if (a[p][q] == 0.0) return;
  double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
  double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; k++) {
    double kp = a[k][p], kq = a[k][q];
    a[k][p] = c * kp - s * kq;
    a[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; k++) {
    double pk = a[p][k], qk = a[q][k], vp = v[p][k], vq = v[q][k];
    a[p][k] = c * pk - s * qk;
    a[q][k] = s * pk + c * qk;
    v[p][k] = c * vp - s * vq;
    v[q][k] = s * vp + c * vq;
  }
}

/* Eigenvalues descending, and the eigenvector of the first. */
static void find_axes(double tensor[3][3], double value[3], double leading[3])
{
  double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(a, tensor, sizeof a);
  for (int sweep = 0; sweep < 32; sweep++) { /* converges in five or so */
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
        int other = order[j];
        order[j] = order[j + 1];
        order[j + 1] = other;
      }
  for (int k = 0; k < 3; k++) value[k] = fmax(a[order[k]][order[k]], 0.0);
  int sign = 0;
  for (int k = 2; k >= 0; k--)
    if (v[order[0]][k] != 0.0) sign = v[order[0]][k] > 0.0 ? 1 : -1;
  for (int k = 0; k < 3; k++) leading[k] = sign * v[order[0]][k] + 0.0;
}

void measure_gyration(const measured_points *points, const domain *box, floc_gyration *gyration)
{
  double tensor[3][3], least;
  gyration->count = points->count;
  find_center(points, &gyration->mass, gyration->center);
  find_tensor(points, gyration->center, gyration->mass, tensor);
  memcpy(gyration->tensor, tensor, sizeof gyration->tensor);
  find_axes(tensor, gyration->eigenvalue, gyration->orientation);
  const double *value = gyration->eigenvalue;
  least = box->dimension == 2 ? value[1] : value[2];
  gyration->radius = sqrt(value[0] + value[1] + value[2]);
  if (least > 1e-14 * value[0])
    gyration->aspect_ratio = value[0] / least;
  else
    gyration->aspect_ratio = value[0] > 0.0 ? INFINITY : 1.0;
  for (int axis = 0; axis < box->dimension; axis++)
    gyration->center[axis] = domain_wrap(box, axis, gyration->center[axis]);
}

/* ---- neighbours ---- */

typedef struct neighbour_count {
  const measured_points *points;
  int64_t center;
  double factor; /* contact number; 0: pair distribution */
  const double *distances;
  int32_t distance_count;
  int64_t *found; /* [distance_count]: within distances[k] and not within distances[k - 1] */
} neighbour_count;

static bool count_neighbour(void *context, int64_t number, const double separation[3], double radius)
{
  neighbour_count *count = context;
  if (number <= count->center) return true; /* each pair once */
  double square = separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2];
  if (count->factor > 0.0) {
    double reach = 0.5 * count->factor * (count->points->radius[count->center] + radius);
    if (square <= reach * reach) count->found[0]++;
    return true;
  }
  int32_t low = 0, high = count->distance_count; /* the first distance that is enough */
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (square <= count->distances[middle] * count->distances[middle])
      high = middle;
    else
      low = middle + 1;
  }
  if (low < count->distance_count) count->found[low]++;
  return true;
}

static floc_status visit_pairs(const measured_points *points, double reach, neighbour_count *count)
{
  cell_grid *grid;
  floc_status status = cell_grid_create(points->env, points->box.dimension, &points->box, reach, &grid);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < points->count && status == FLOC_OK; k++) {
    const double position[3] = {points->position[0][k], points->position[1][k], points->position[2][k]};
    status = cell_grid_add(grid, position, points->radius[k], k);
  }
  for (int64_t k = 0; k < points->count && status == FLOC_OK; k++) {
    const double position[3] = {points->position[0][k], points->position[1][k], points->position[2][k]};
    count->center = k;
    if (k % ASK_INTERVAL == 0 && interrupted(points->env)) status = interruption_status(points->env);
    cell_grid_visit(grid, position, reach, count_neighbour, count);
  }
  cell_grid_destroy(grid);
  return status;
}

floc_status measure_contact_number(const measured_points *points, double factor, double *number)
{
  floc_status status = fields_check_value(points->env, &arguments_measure_contact_number, "factor", factor);
  if (status != FLOC_OK) return status;
  int64_t found = 0;
  neighbour_count count = {.points = points, .factor = factor, .found = &found};
  status = visit_pairs(points, factor * points_greatest_radius(points), &count);
  *number = 2.0 * (double)found / (double)points->count;
  return status;
}

static floc_status check_distances(environment *env, const double *distances, int32_t count)
{
  if (count < 1) return refuse(env, FLOC_INVALID_ARGUMENT, "count is %d; it must be 1 or more", count);
  for (int32_t k = 0; k < count; k++) {
    double before = k > 0 ? distances[k - 1] : 0.0;
    if (!(distances[k] >= before && distances[k] < INFINITY))
      return refuse(env, FLOC_INVALID_ARGUMENT, "distances[%d] is %g; it must be at least %g and finite", k,
                    distances[k], before);
  }
  if (distances[count - 1] > 0.0) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT, "distances[%d] is 0; the last must be above 0", count - 1);
}

floc_status measure_pair_distribution(const measured_points *points, const double *distances, int32_t count,
                                      double *values)
{
  environment *env = points->env;
  floc_status status = check_distances(env, distances, count);
  if (status != FLOC_OK) return status;
  size_t bytes = (size_t)count * sizeof(int64_t);
  int64_t *found = memory_resize(env, NULL, 0, bytes), sum = 0;
  if (!found) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  memset(found, 0, bytes);
  neighbour_count counting = {.points = points, .distances = distances, .distance_count = count, .found = found};
  status = visit_pairs(points, distances[count - 1], &counting);
  for (int32_t k = 0; k < count; k++) {
    sum += found[k];
    values[k] = 2.0 * (double)sum / (double)points->count;
  }
  memory_free(env, found, bytes);
  return status;
}
