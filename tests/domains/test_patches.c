/*
 * Bricks and patches (engine/domains): which brick holds a point on a face, an edge, a corner, through a periodic
 * face; what lies between bricks of one parity; the curve; and that patches follow from where particles are alone.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "domains/patches.h"
#include "failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIDDLE = 1 << (BRICK_BITS - 1) };

static void *must_allocate(size_t count, size_t size)
{
  void *made = calloc(count, size);
  assert_non_null(made);
  return made;
}

static domain open_box(int32_t dimension)
{
  return (domain){.dimension = dimension};
}

static void close_around(domain *box, int axis, double lower, double length)
{
  box->boundary[axis] = FLOC_BOUNDARY_PERIODIC;
  box->lower[axis] = lower;
  box->upper[axis] = lower + length;
  box->length[axis] = length;
}

static int32_t place_at(const brick_lattice *lattice, const domain *box, int axis, double x)
{
  double position[3] = {0.0, 0.0, 0.0};
  position[axis] = x;
  return brick_place(brick_of(lattice, box, position), axis);
}

/* ---- faces, edges, corners ---- */

/* A face belongs to the brick above it, on both sides of 0. The widths have exact multiples. */
static void a_face_belongs_to_the_brick_above(void **state)
{
  (void)state;
  static const double widths[] = {1.0, 0.75, 0x1.8p-14};
  for (int n = 0; n < 3; n++)
    for (int32_t level = 0; level < 7; level++) {
      const domain box = open_box(3);
      const brick_lattice lattice = bricks_at_level(bricks_make(&box, widths[n]), level);
      for (int axis = 0; axis < 3; axis++) {
        const int32_t times = 1 << (level / 3 + (level % 3 > axis));
        const double side = bricks_side(&lattice, axis);
        assert_true(side == widths[n] * times);
        for (int k = -40; k <= 40; k++) {
          const double face = k * side;
          const int32_t above = MIDDLE / times + k;
          assert_int_equal(place_at(&lattice, &box, axis, face), above);
          assert_int_equal(place_at(&lattice, &box, axis, face + 0.5 * side), above);
          assert_int_equal(place_at(&lattice, &box, axis, nextafter(face, -INFINITY)), above - 1);
        }
      }
    }
}

/* Of the points of an edge and a corner each coordinate goes its own way. */
static void edges_and_corners(void **state)
{
  (void)state;
  const domain box = open_box(3);
  const brick_lattice lattice = bricks_make(&box, 2.0);
  for (int corner = 0; corner < 27; corner++) {
    const int at[3] = {corner % 3 - 1, corner / 3 % 3 - 1, corner / 9 - 1};
    double position[3];
    for (int axis = 0; axis < 3; axis++) position[axis] = at[axis] < 0 ? -1e-300 : 2.0 * at[axis];
    const uint64_t brick = brick_of(&lattice, &box, position);
    for (int axis = 0; axis < 3; axis++) assert_int_equal(brick_place(brick, axis), MIDDLE + at[axis]);
  }
}

static void far_away_is_in_the_outermost(void **state)
{
  (void)state;
  const domain box = open_box(2);
  const brick_lattice lattice = bricks_make(&box, 1.0);
  static const double far[] = {1e7, 1e300, INFINITY};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(place_at(&lattice, &box, 0, far[k]), 2 * MIDDLE - 1);
    assert_int_equal(place_at(&lattice, &box, 1, -far[k]), 0);
  }
  assert_int_equal(place_at(&lattice, &box, 0, NAN), 0);
  const brick_lattice top = bricks_at_level(lattice, bricks_top(&lattice));
  assert_int_equal(place_at(&top, &box, 0, 1e300), 0);
}

/* ---- around ---- */

static void periodic_axes_have_an_even_number(void **state)
{
  (void)state;
  for (int n = 1; n < 60; n++) {
    domain box = open_box(2);
    const double length = 0.37 * n, lower = -0.1 * n;
    close_around(&box, 1, lower, length);
    const brick_lattice lattice = bricks_make(&box, 1.0);
    const int32_t around = 1 << lattice.bits[1];
    const double side = bricks_side(&lattice, 1);
    assert_true(around == 1 || (side >= 1.0 && around % 2 == 0));
    assert_true(length / (2.0 * around) < 1.0 && fabs(side * around - length) < 1e-12 * length);
    for (int k = -9; k <= 9; k++) {
      const double x = lower + length * (k + 10) / 20.0;
      const int32_t place = place_at(&lattice, &box, 1, x);
      assert_in_range(place, 0, around - 1);
      assert_int_equal(place_at(&lattice, &box, 1, nextafter(box.upper[1], -INFINITY)), around - 1);
      assert_int_equal(place_at(&lattice, &box, 1, box.upper[1]), 0);
      assert_int_equal(place_at(&lattice, &box, 1, lower - 1e-9 * length), around - 1);
      const double within = x + 1e-6 * length; /* what is not on a face is where it is again one turn away */
      assert_int_equal(place_at(&lattice, &box, 1, within + length), place_at(&lattice, &box, 1, within));
      assert_int_equal(place_at(&lattice, &box, 1, within - length), place_at(&lattice, &box, 1, within));
    }
  }
}

/* Length of the gap between two bricks along an axis, 0 where they touch or overlap. */
static double gap(const brick_lattice *lattice, int axis, int32_t a, int32_t b)
{
  int32_t apart = abs(a - b);
  if (lattice->periodic[axis]) {
    const int32_t around = 1 << (lattice->bits[axis] - lattice->shift[axis]);
    apart = around - apart < apart ? around - apart : apart;
  }
  return apart > 1 ? (apart - 1) * bricks_side(lattice, axis) : 0.0;
}

static void a_brick_lies_between_equal_parities(void **state)
{
  (void)state;
  for (int periodic = 0; periodic < 2; periodic++)
    for (int32_t level = 0; level < 5; level++) {
      domain box = open_box(2);
      for (int axis = 0; axis < 2 && periodic; axis++) close_around(&box, axis, -1.0, 8.5);
      const brick_lattice lattice = bricks_at_level(bricks_make(&box, 1.0), level);
      enum { POINTS = 120 };
      uint64_t brick[POINTS];
      for (int k = 0; k < POINTS; k++) {
        double u[4];
        random_uniform4(5, 1, 0, RANDOM_SCRIPT, (uint64_t)k, u);
        brick[k] = brick_of(&lattice, &box, (double[3]){8.5 * u[0] - 1.0, 8.5 * u[1] - 1.0, 0.0});
        assert_in_range(brick_parity(&lattice, brick[k]), 0, 3);
      }
      for (int a = 0; a < POINTS; a++)
        for (int b = 0; b < a; b++) {
          if (brick[a] == brick[b] || brick_parity(&lattice, brick[a]) != brick_parity(&lattice, brick[b]))
            continue;
          double most = 0.0;
          for (int axis = 0; axis < 2; axis++)
            most = fmax(most, gap(&lattice, axis, brick_place(brick[a], axis), brick_place(brick[b], axis)) /
                                  bricks_side(&lattice, axis));
          assert_true(most >= 1.0);
        }
    }
}

static void levels_are_nested(void **state)
{
  (void)state;
  domain box = open_box(3);
  close_around(&box, 2, 0.5, 9.0);
  for (int k = 0; k < 300; k++) {
    double u[4];
    random_uniform4(6, 1, 0, RANDOM_SCRIPT, (uint64_t)k, u);
    const double position[3] = {200.0 * u[0] - 100.0, 2000.0 * u[1] - 1000.0, 9.0 * u[2]};
    brick_lattice lattice = bricks_make(&box, 1.1);
    uint64_t brick = brick_of(&lattice, &box, position);
    for (int32_t level = 0; level < bricks_top(&lattice); level++) {
      brick = brick_parent(&lattice, brick);
      lattice = bricks_at_level(lattice, level + 1);
      assert_true(brick == brick_of(&lattice, &box, position));
    }
    assert_true(brick == 0);
  }
}

/* ---- the curve ---- */

static int compare_keys(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* From each brick of a block to the next one is one step along one axis. */
static void the_curve_visits_neighbours(void **state)
{
  (void)state;
  enum { WIDE = 8, MOST = WIDE * WIDE * WIDE };
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    const domain box = open_box(dimension);
    const brick_lattice lattice = bricks_make(&box, 1.0);
    const int count = dimension == 2 ? WIDE * WIDE : MOST;
    uint64_t pair[MOST][2];
    for (int k = 0; k < count; k++) {
      const double position[3] = {k % WIDE, k / WIDE % WIDE, k / WIDE / WIDE};
      pair[k][1] = brick_of(&lattice, &box, position);
      pair[k][0] = brick_along_curve(&lattice, pair[k][1]);
    }
    qsort(pair, (size_t)count, sizeof *pair, compare_keys);
    for (int k = 1; k < count; k++) {
      int32_t steps = 0;
      assert_true(pair[k][0] == pair[k - 1][0] + 1);
      for (int axis = 0; axis < dimension; axis++)
        steps += abs(brick_place(pair[k][1], axis) - brick_place(pair[k - 1][1], axis));
      assert_int_equal(steps, 1);
    }
  }
}

/* ---- patches ---- */

typedef struct crowd {
  environment env;
  arena scratch;
  domain box;
  particles table;
} crowd;

static void crowd_init(crowd *all, int32_t dimension, int32_t threads)
{
  memset(all, 0, sizeof *all);
  all->env = test_environment(threads);
  parallel_call_team(&all->env);
  all->box = open_box(dimension);
  arena_init(&all->scratch, &all->env);
  particles_init(&all->table, &all->env);
}

static void crowd_free(crowd *all)
{
  particles_free(&all->table);
  arena_free(&all->scratch);
  parallel_dismiss_team(&all->env);
}

static void add_one(crowd *all, double x, double y, double z, double radius)
{
  int64_t id;
  assert_ok(&all->env, particles_append(&all->table, &id));
  const int64_t i = all->table.count - 1;
  const double position[3] = {x, y, z};
  for (int axis = 0; axis < all->box.dimension; axis++)
    all->table.column[COLUMN_x + axis][i] = domain_wrap(&all->box, axis, position[axis]);
  all->table.column[COLUMN_radius][i] = radius;
}

static void add_crowd(crowd *all, int64_t count, double side, double radius)
{
  for (int64_t k = 0; k < count; k++) {
    double u[4];
    random_uniform4(9, 1, 0, RANDOM_SCRIPT, (uint64_t)all->table.count, u);
    add_one(all, side * (u[0] - 0.3), side * (u[1] - 0.3), side * u[2], radius);
  }
}

static void find(crowd *all, int64_t target, patch_set *found)
{
  assert_ok(&all->env, patches_find(&all->env, &all->scratch, &all->table, &all->box, target, found));
}

/* Patches are the bricks of their lattice; weights, parities and order are right; a level more would be too much.
 */
static void check_patches(const crowd *all, int64_t target, const patch_set *found)
{
  const brick_lattice above = bricks_at_level(found->lattice, found->lattice.level + 1);
  int64_t *weight = calloc((size_t)found->count, sizeof *weight);
  double crowded = 0.0;
  assert_non_null(weight);
  assert_true(found->covered == all->table.count && found->count > 1);
  for (int64_t i = 0; i < found->covered; i++) {
    double *const *x = &all->table.column[COLUMN_x];
    assert_in_range(found->of[i], 0, found->count - 1);
    assert_true(brick_of(&found->lattice, &all->box, (double[3]){x[0][i], x[1][i], x[2][i]}) ==
                found->brick[found->of[i]]);
    weight[found->of[i]]++;
  }
  for (int32_t k = 0; k < found->count; k++) {
    assert_true(weight[k] == found->weight[k] && weight[k] > 0);
    assert_int_equal(found->parity[k], brick_parity(&found->lattice, found->brick[k]));
    if (k > 0)
      assert_true(brick_along_curve(&found->lattice, found->brick[k]) >
                  brick_along_curve(&found->lattice, found->brick[k - 1]));
    crowded += (double)weight[k] * (double)weight[k];
  }
  assert_true(found->lattice.level == 0 || crowded <= (double)(target * found->covered));
  double merged = 0.0;
  for (int32_t a = 0; a < found->count; a++)
    for (int32_t b = 0; b < found->count; b++)
      if (brick_parent(&found->lattice, found->brick[a]) == brick_parent(&found->lattice, found->brick[b]))
        merged += (double)weight[a] * (double)weight[b];
  assert_true(merged > (double)(target * found->covered));
  for (int axis = 0; axis < all->box.dimension; axis++) assert_true(bricks_side(&above, axis) > 0.0);
  free(weight);
}

static void patches_hold_about_the_target(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int64_t target = 60; target < 1000; target *= 4) {
      crowd all;
      patch_set found;
      crowd_init(&all, dimension, 1);
      add_crowd(&all, 4000, dimension == 2 ? 60.0 : 16.0, 0.3);
      find(&all, target, &found);
      check_patches(&all, target, &found);
      for (int axis = 0; axis < dimension; axis++) assert_true(bricks_side(&found.lattice, axis) >= 1.2);
      crowd_free(&all);
    }
}

/* A dense clump in a wide cloud, and one particle very far from it: the box around all says nothing. */
static void clumps_are_cut_too(void **state)
{
  (void)state;
  crowd all;
  patch_set found;
  crowd_init(&all, 3, 1);
  add_crowd(&all, 1000, 5e3, 0.3);
  add_crowd(&all, 3000, 14.0, 0.3);
  add_one(&all, 1e12, -1e12, 0.0, 0.3);
  find(&all, 100, &found);
  check_patches(&all, 100, &found);
  crowd_free(&all);
  crowd_init(&all, 2, 1); /* more at one place than a patch should hold, and radii that keep bricks wide */
  add_crowd(&all, 1000, 1.0, 1.0);
  add_crowd(&all, 1000, 100.0, 1.0);
  find(&all, 100, &found);
  assert_int_equal(found.lattice.level, 0);
  check_patches(&all, 100, &found);
  crowd_free(&all);
}

/* One patch: too few particles, a box that deforms. */
static void what_is_not_cut(void **state)
{
  (void)state;
  crowd all;
  patch_set found;
  crowd_init(&all, 2, 1);
  add_crowd(&all, 399, 40.0, 0.3);
  find(&all, 100, &found);
  assert_true(patches_are_one(&all.box, 399, 100) && found.count == 1 && !found.of);
  add_crowd(&all, 1, 40.0, 0.3);
  find(&all, 100, &found);
  assert_true(!patches_are_one(&all.box, 400, 100) && found.count > 1);
  assert_true(patches_are_one(&all.box, 32767, 0) && !patches_are_one(&all.box, 32768, 0));
  for (int axis = 0; axis < 2; axis++) close_around(&all.box, axis, -20.0, 60.0);
  all.box.tilt = 0.5;
  find(&all, 100, &found);
  assert_int_equal(found.count, 1);
  all.box.tilt = 0.0;
  all.box.rate[0] = 1e-3;
  find(&all, 100, &found);
  assert_int_equal(found.count, 1);
  crowd_free(&all);
}

/* The same particles in another storage order, with other threads: the same bricks, the same order of ids. */
static void patches_follow_from_positions_alone(void **state)
{
  (void)state;
  enum { COUNT = 5000, TARGET = 200 };
  uint64_t *first = NULL;
  int64_t *ids = NULL;
  for (int32_t threads = 1; threads <= 4; threads++) {
    crowd all;
    patch_set found;
    crowd_init(&all, 3, threads);
    close_around(&all.box, 0, -2.0, 15.0);
    add_crowd(&all, COUNT, 15.0, 0.3);
    add_one(&all, 3.0, 3.0, 3.0, 0.35);
    const int64_t count = all.table.count;
    int32_t *order = must_allocate((size_t)count, sizeof *order),
            *given = must_allocate((size_t)count, sizeof *given);
    for (int64_t k = 0; k < count; k++) order[k] = (int32_t)(k * (threads > 1 ? 1237 : 1) % count);
    assert_ok(&all.env, particles_permute(&all.table, order));
    find(&all, TARGET, &found);
    check_patches(&all, TARGET, &found);
    for (int64_t k = 0; k < count; k++) given[k] = (int32_t)all.table.slot[k]; /* by id */
    int64_t *start = must_allocate((size_t)found.count, sizeof *start);
    patches_order(&found, given, start, order);
    if (!first) {
      first = must_allocate((size_t)count, sizeof *first);
      ids = must_allocate((size_t)count, sizeof *ids);
      for (int64_t k = 0; k < count; k++) {
        ids[k] = all.table.id[order[k]];
        first[ids[k] - 1] = found.brick[found.of[order[k]]];
      }
    }
    for (int64_t k = 0; k < count; k++) {
      assert_true(all.table.id[order[k]] == ids[k]);
      assert_true(found.brick[found.of[order[k]]] == first[ids[k] - 1]);
      assert_true(k == 0 || found.of[order[k]] > found.of[order[k - 1]] ||
                  (found.of[order[k]] == found.of[order[k - 1]] && ids[k] > ids[k - 1]));
    }
    free(start);
    free(order);
    free(given);
    crowd_free(&all);
  }
  free(first);
  free(ids);
}

static void memory_may_fail(void **state)
{
  (void)state;
  crowd all;
  crowd_init(&all, 2, 1);
  add_crowd(&all, 3000, 40.0, 0.2);
  bool refused = true;
  int64_t failures = 0;
  for (; refused; failures++) {
    failing_allocator memory;
    environment env = failing_environment(&memory, failures + 1);
    arena scratch;
    patch_set found;
    arena_init(&scratch, &env);
    refused = patches_find(&env, &scratch, &all.table, &all.box, 20, &found) != FLOC_OK;
    arena_free(&scratch);
    assert_true(failures < 100 && memory.bytes == 0);
  }
  assert_true(failures > 2);
  crowd_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_face_belongs_to_the_brick_above),
      cmocka_unit_test(edges_and_corners),
      cmocka_unit_test(far_away_is_in_the_outermost),
      cmocka_unit_test(periodic_axes_have_an_even_number),
      cmocka_unit_test(a_brick_lies_between_equal_parities),
      cmocka_unit_test(levels_are_nested),
      cmocka_unit_test(the_curve_visits_neighbours),
      cmocka_unit_test(patches_hold_about_the_target),
      cmocka_unit_test(clumps_are_cut_too),
      cmocka_unit_test(what_is_not_cut),
      cmocka_unit_test(patches_follow_from_positions_alone),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
