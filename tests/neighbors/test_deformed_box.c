/*
 * Lists in a periodic box that is sheared and strained while particles go along with it: they last for many steps,
 * because what the deformation alone does is no way, and still miss no pair, because its strain counts for what
 * particles are long (engine/neighbors/ways.h). All images of all pairs are tried in every step. Lists that are
 * read back keep in step with the others, for which they need the box of the time when they were built.
 */
#include "scenes.h"

static const double SIDE = 10.0;

typedef struct motion {
  double rate[3], shear_rate; /* strains a step */
  double own;                 /* way of a particle's own, a step */
} motion;

static void make_crowd(scene *all, int32_t dimension)
{
  const double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {SIDE, SIDE, SIDE};
  scene_init(all, dimension, 23, 1);
  for (int a = 0; a < dimension; a++) make_periodic(all, a, 0.0, SIDE);
  add_cloud(all, dimension == 2 ? 120 : 160, lower, upper, 0.3, 0.6);
  all->range = 0.05;
}

/* Lattice vectors grow at their rates, and stand for another basis where the box is sheared by half. */
static domain deformed(const domain *box, const motion *by)
{
  domain next = *box;
  for (int a = 0; a < box->dimension; a++) {
    const double middle = 0.5 * (box->lower[a] + box->upper[a]);
    next.length[a] = box->length[a] * (1.0 + by->rate[a]);
    next.lower[a] = middle - 0.5 * next.length[a];
    next.upper[a] = next.lower[a] + next.length[a];
  }
  next.tilt = box->tilt * (1.0 + by->rate[0]) + by->shear_rate * box->length[1];
  next.tilt_rate = by->shear_rate * box->length[1]; /* it moves */
  next.tilt -= next.length[0] * rint(next.tilt / next.length[0]);
  return next;
}

static void move_crowd(scene *all, const motion *by)
{
  const domain before = all->box, after = deformed(&before, by);
  domain same_basis = after;
  same_basis.tilt = before.tilt * (1.0 + by->rate[0]) + by->shear_rate * before.length[1];
  for (int64_t i = 0; i < all->table.count; i++) {
    double x[3] = {0.0, 0.0, 0.0}, fraction[3], g[4], none[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < all->dimension; a++) x[a] = column(all, a)[i];
    domain_fraction(&before, x, fraction);
    random_normal4(all->seed, (uint64_t)i, (uint64_t)all->time, RANDOM_VELOCITY, 0, g);
    for (int a = 0; a < all->dimension; a++)
      x[a] = 0.5 * (after.lower[a] + after.upper[a]) + after.length[a] * fraction[a] + by->own * g[a];
    x[0] += same_basis.tilt * fraction[1];
    domain_enter(&after, x, none);
    x[0] = domain_wrap(&after, 0, x[0]);
    for (int a = 0; a < all->dimension; a++) column(all, a)[i] = x[a];
  }
  all->box = after;
  all->time += 1.0;
}

/* Of all images. */
static double least_gap(const scene *all, int64_t i, int64_t j)
{
  const double *radius = all->table.column[COLUMN_radius];
  const int deep = all->dimension == 3 ? 1 : 0;
  double least = INFINITY, way[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < all->dimension; a++) way[a] = column(all, a)[j] - column(all, a)[i];
  for (int z = -deep; z <= deep; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -2; x <= 2; x++) {
        const double at[3] = {way[0] + x * all->box.length[0] + y * all->box.tilt, way[1] + y * all->box.length[1],
                              way[2] + z * all->box.length[2]};
        least = fmin(least, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
      }
  return least - radius[i] - radius[j];
}

static int64_t check_all_images(const scene *all)
{
  const pair_list *list = neighbors_pairs(all->near);
  int64_t needed = 0;
  for (int64_t i = 0; i < all->table.count; i++)
    for (int64_t j = i + 1; j < all->table.count; j++) {
      if (least_gap(all, i, j) > all->range) continue;
      needed++;
      if (find_entry(list, i, j) < 0)
        fail_msg("pair %d %d at a distance of %g within %g is missing at time %g", (int)i, (int)j,
                 least_gap(all, i, j), all->range, all->time);
    }
  return needed;
}

static const motion MOTIONS[] = {
    {.shear_rate = 2e-3, .own = 1e-5},                               /* simple shear */
    {.rate = {-1e-3, 1e-3, 0.0}, .own = 1e-5},                       /* pure shear */
    {.rate = {-6e-4, -6e-4, -6e-4}, .own = 1e-5},                    /* compression */
    {.rate = {1e-3, -5e-4, -5e-4}, .shear_rate = -3e-3, .own = 1e-5} /* all of it */
};

static void no_pair_is_missed_while_the_box_deforms(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (size_t k = 0; k < sizeof MOTIONS / sizeof *MOTIONS; k++) {
      enum { STEPS = 250 };
      scene all;
      int built = 0;
      int64_t needed = 0;
      make_crowd(&all, dimension);
      for (int step = 0; step < STEPS; step++) {
        move_crowd(&all, &MOTIONS[k]);
        built += update_scene(&all);
        needed += check_all_images(&all);
      }
      print_message("%d-D motion %zu: lists built %d times in %d steps, %.0f pairs\n", dimension, k, built, STEPS,
                    (double)needed / STEPS);
      assert_true(built >= 2 && built <= STEPS / 4); /* they last, and not for ever */
      assert_true(needed > 30 * STEPS);
      scene_free(&all);
    }
}

static void expect_same_pairs(const neighbors *a, const neighbors *b, int64_t rows)
{
  const pair_list *one = neighbors_pairs(a), *other = neighbors_pairs(b);
  assert_int_equal(one->count, other->count);
  assert_memory_equal(one->start, other->start, (size_t)(rows + 1) * sizeof *one->start);
  assert_memory_equal(one->second, other->second, (size_t)one->count * sizeof *one->second);
}

static void lists_that_are_read_back_keep_in_step(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int stop = 20; stop < 60; stop += 3) {
      scene all;
      make_crowd(&all, dimension);
      for (int step = 0; step < stop; step++) {
        move_crowd(&all, &MOTIONS[3]);
        update_scene(&all);
      }
      neighbors *resumed, *first = all.near;
      section_list listed;
      section_list_init(&listed, &all.env);
      assert_ok(&all.env, neighbors_sections(first, &listed));
      assert_ok(&all.env, neighbors_create(&all.env, dimension, &resumed));
      assert_ok(&all.env, neighbors_restore(resumed, &listed, all.table.count, 0));
      section_list_free(&listed);
      int built = 0;
      for (int step = 0; step < 60; step++) {
        move_crowd(&all, &MOTIONS[3]);
        const bool rebuilt = update_scene(&all);
        all.near = resumed;
        assert_int_equal(update_scene(&all), rebuilt);
        all.near = first;
        expect_same_pairs(first, resumed, all.table.count);
        built += rebuilt;
      }
      assert_true(built >= 1 && built < 30);
      neighbors_destroy(resumed);
      scene_free(&all);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_is_missed_while_the_box_deforms),
      cmocka_unit_test(lists_that_are_read_back_keep_in_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
