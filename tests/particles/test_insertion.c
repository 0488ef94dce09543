/*
 * Insertion: no overlap, inside the region, the same again, the right statistics, saturation, lattices, wrong
 * input, memory.
 */
#include "failing_allocator.h"

#include "particles/particles.h"
#include "particles/radii.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALL_LIMIT = 40000 };

/* Everything that is put, and a look at all of it for each question. */
typedef struct crowd {
  double ball[BALL_LIMIT][4]; /* position, radius */
  int64_t count, asked;
  int64_t fails_at; /* occupy number fails_at is refused; 0: none */
  bool is_open;     /* everything is free */
} crowd;

static bool is_free(void *context, const newcomer *one, double clearance)
{
  const double *position = one->position, radius = one->radius;
  crowd *all = context;
  all->asked++;
  for (int64_t k = 0; k < all->count && !all->is_open; k++) {
    const double *ball = all->ball[k];
    double squared = 0.0, least = ball[3] + radius + clearance;
    for (int c = 0; c < 3; c++) squared += (position[c] - ball[c]) * (position[c] - ball[c]);
    if (squared < least * least) return false;
  }
  return true;
}

static floc_status occupy(void *context, const newcomer *one, int64_t slot)
{
  (void)slot;
  const double *position = one->position, radius = one->radius;
  crowd *all = context;
  assert_true(all->count < BALL_LIMIT);
  double *ball = all->ball[all->count++];
  memcpy(ball, position, 3 * sizeof *ball);
  ball[3] = radius;
  return all->count == all->fails_at ? FLOC_OUT_OF_MEMORY : FLOC_OK;
}

typedef struct fixture {
  environment env;
  particles table;
  crowd *all;
  insertion_place place;
} fixture;

static void begin(fixture *f)
{
  f->env = test_environment(1);
  particles_init(&f->table, &f->env);
  f->all = calloc(1, sizeof *f->all);
  f->place = (insertion_place){.is_free = is_free, .occupy = occupy, .context = f->all};
}

static void end(fixture *f)
{
  particles_free(&f->table);
  free(f->all);
}

static floc_insertion_options insertion_defaults(int64_t count, double radius)
{
  return (floc_insertion_options){.struct_size = sizeof(floc_insertion_options),
                                  .count = count,
                                  .region_kind = FLOC_REGION_BOX,
                                  .region_upper = {1.0, 1.0, 1.0},
                                  .region_radius = 1.0,
                                  .placement = FLOC_PLACEMENT_RANDOM,
                                  .distribution = FLOC_DISTRIBUTION_UNIFORM,
                                  .radius_lower = radius,
                                  .mass = 1.0,
                                  .tries = 100000};
}

static void insert(fixture *f, const floc_insertion_options *options, int32_t dimension, uint64_t seed)
{
  assert_ok(&f->env, insertion_check(&f->env, options, dimension));
  int64_t before = f->table.count;
  assert_ok(&f->env, insertion_run(&f->table, options, dimension, seed, &f->place));
  assert_int_equal(f->table.count, before + options->count);
}

/* ---- what is put ---- */

static void check_no_overlap(const particles *table, double clearance)
{
  double *const *c = table->column;
  for (int64_t i = 0; i < table->count; i++) {
    for (int64_t j = 0; j < i; j++) {
      double dx = c[COLUMN_x][i] - c[COLUMN_x][j], dy = c[COLUMN_y][i] - c[COLUMN_y][j];
      double dz = c[COLUMN_z][i] - c[COLUMN_z][j];
      double distance = sqrt(dx * dx + dy * dy + dz * dz);
      double least = c[COLUMN_radius][i] + c[COLUMN_radius][j] + clearance;
      if (distance < least * (1.0 - 1e-9)) fail_msg("%d and %d: %g < %g", (int)i, (int)j, distance, least);
    }
  }
}

static void check_inside(const particles *table, const floc_insertion_options *options, int32_t dimension)
{
  static const particle_column where[] = {COLUMN_x, COLUMN_y, COLUMN_z};
  for (int64_t i = 0; i < table->count; i++) {
    double radius = table->column[COLUMN_radius][i], squared = 0.0;
    assert_true(radius >= options->radius_lower && radius <= radius_greatest(options));
    for (int k = 0; k < dimension; k++) {
      double value = table->column[where[k]][i], from = value - options->region_center[k];
      squared += from * from;
      if (options->region_kind == FLOC_REGION_BALL) continue;
      assert_true(value - radius >= options->region_lower[k] - 1e-9 * radius);
      assert_true(value + radius <= options->region_upper[k] + 1e-9 * radius);
    }
    if (dimension == 2) assert_true(table->column[COLUMN_z][i] == 0.0 && table->column[COLUMN_vz][i] == 0.0);
    if (options->region_kind == FLOC_REGION_BALL) {
      assert_true(sqrt(squared) + radius <= options->region_radius + 1e-9 * radius);
    }
  }
}

static void random_particles_do_not_overlap(void **state)
{
  (void)state;
  for (int round = 0; round < 8; round++) {
    int32_t dimension = 2 + round % 2;
    fixture f;
    begin(&f);
    floc_insertion_options options = insertion_defaults(dimension == 2 ? 400 : 600, dimension == 2 ? 0.012 : 0.03);
    options.radius_upper = 1.5 * options.radius_lower;
    options.region_kind = round & 2 ? FLOC_REGION_BALL : FLOC_REGION_BOX;
    options.region_center[0] = 7.0;
    options.region_center[1] = -3.0;
    options.clearance = round & 4 ? 0.004 : 0.0;
    insert(&f, &options, dimension, 11);
    check_no_overlap(&f.table, options.clearance);
    check_inside(&f.table, &options, dimension);
    assert_int_equal(f.all->count, options.count);
    for (int64_t k = 0; k < options.count; k++) { /* each was made known, where it is */
      assert_true(f.all->ball[k][0] == f.table.column[COLUMN_x][k]);
      assert_true(f.all->ball[k][3] == f.table.column[COLUMN_radius][k]);
      assert_int_equal(f.table.id[k], k + 1);
    }
    options.count = 50; /* more of them, beside those that are there */
    insert(&f, &options, dimension, 11);
    check_no_overlap(&f.table, options.clearance);
    end(&f);
  }
}

static void masses_and_velocities(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fixture f;
    begin(&f);
    assert_ok(&f.env, particles_add_attribute(&f.table, "charge", 0.5));
    floc_insertion_options options = insertion_defaults(300, 0.005);
    options.radius_upper = 0.02;
    options.mass = 0.0;
    options.density = 3.0;
    options.velocity[0] = 1.0;
    options.velocity[1] = -2.0;
    insert(&f, &options, dimension, 1);
    double *const *c = f.table.column;
    for (int64_t k = 0; k < 300; k++) {
      double r = c[COLUMN_radius][k], pi = 3.14159265358979323846;
      assert_close(c[COLUMN_mass][k] / (dimension == 2 ? 3.0 * pi * r * r : 4.0 * pi * r * r * r), 1.0, 1e-14);
      assert_true(c[COLUMN_vx][k] == 1.0 && c[COLUMN_vy][k] == -2.0 && c[COLUMN_vz][k] == 0.0);
      assert_true(c[COLUMN_fx][k] == 0.0 && c[BUILTIN_COLUMN_COUNT][k] == 0.5);
    }
    options.mass = 7.0;
    insert(&f, &options, dimension, 1);
    assert_true(c[COLUMN_mass][599] == 7.0);
    end(&f);
  }
}

static void the_same_again(void **state)
{
  (void)state;
  floc_insertion_options options = insertion_defaults(200, 0.01);
  options.radius_upper = 0.02;
  options.velocity_spread = 1.0;
  fixture f[5];
  for (int k = 0; k < 5; k++) begin(&f[k]);
  insert(&f[0], &options, 2, 5);
  insert(&f[1], &options, 2, 5);
  insert(&f[2], &options, 2, 6);
  for (int32_t c = 0; c < BUILTIN_COLUMN_COUNT; c++)
    assert_memory_equal(f[0].table.column[c], f[1].table.column[c], 200 * sizeof(double));
  assert_true(f[0].table.column[COLUMN_x][0] != f[2].table.column[COLUMN_x][0]);
  assert_true(f[0].table.column[COLUMN_radius][0] != f[2].table.column[COLUMN_radius][0]);
  insert(&f[0], &options, 2, 5); /* the world's seed: other particles the second time */
  assert_true(f[0].table.column[COLUMN_radius][200] != f[0].table.column[COLUMN_radius][0]);
  options.seed = 5; /* a seed of its own: the same particles, wherever they stand */
  f[1].all->is_open = f[3].all->is_open = true;
  insert(&f[1], &options, 2, 77);
  insert(&f[3], &options, 2, 78);
  for (int32_t c = 0; c < BUILTIN_COLUMN_COUNT; c++)
    assert_memory_equal(f[1].table.column[c] + 200, f[3].table.column[c], 200 * sizeof(double));
  for (int k = 0; k < 5; k++) end(&f[k]);
}

/* ---- statistics ---- */

static double density_of(const floc_insertion_options *options, int32_t dimension, double radius)
{
  double mean = options->radius_mean, deviation = options->radius_deviation;
  if (options->distribution == FLOC_DISTRIBUTION_UNIFORM) return 1.0;
  if (options->distribution == FLOC_DISTRIBUTION_BY_VOLUME) return dimension == 2 ? radius : radius * radius;
  if (options->distribution == FLOC_DISTRIBUTION_NORMAL) {
    return exp(-0.5 * (radius - mean) * (radius - mean) / (deviation * deviation));
  }
  double variance = log(1.0 + deviation * deviation / (mean * mean)), from = log(radius / mean) + 0.5 * variance;
  return exp(-0.5 * from * from / variance) / radius;
}

/* Moment of order k about `center`, by Simpson's rule over the density. */
static double moment(const floc_insertion_options *options, int32_t dimension, double center, int k)
{
  enum { STEPS = 20000 };
  double lower = options->radius_lower, width = (options->radius_upper - lower) / STEPS, sum = 0.0, whole = 0.0;
  for (int step = 0; step <= STEPS; step++) {
    double radius = lower + width * step, weight = step == 0 || step == STEPS ? 1.0 : step % 2 ? 4.0 : 2.0;
    double share = weight * density_of(options, dimension, radius);
    whole += share;
    sum += share * pow(radius - center, k);
  }
  return sum / whole;
}

static void check_moments(const double *value, int64_t count, double mean, double variance, double fourth)
{
  double sum = 0.0, squares = 0.0;
  for (int64_t k = 0; k < count; k++) sum += value[k];
  for (int64_t k = 0; k < count; k++) squares += (value[k] - mean) * (value[k] - mean);
  assert_close(sum / (double)count, mean, 5.0 * sqrt(variance / (double)count));
  assert_close(squares / (double)count, variance, 5.0 * sqrt((fourth - variance * variance) / (double)count));
}

static void radii_are_distributed_as_asked(void **state)
{
  (void)state;
  static const struct {
    int32_t distribution;
    double lower, upper, mean, deviation;
  } asked[] = {
      {FLOC_DISTRIBUTION_UNIFORM, 0.01, 0.03, 0, 0},          {FLOC_DISTRIBUTION_BY_VOLUME, 0.01, 0.05, 0, 0},
      {FLOC_DISTRIBUTION_NORMAL, 0.001, 0.05, 0.02, 0.004}, /* cut far out */
      {FLOC_DISTRIBUTION_NORMAL, 0.018, 0.03, 0.02, 0.01},  /* cut hard and askew */
      {FLOC_DISTRIBUTION_LOGNORMAL, 0.0001, 0.5, 0.02, 0.01}, {FLOC_DISTRIBUTION_LOGNORMAL, 0.01, 0.03, 0.02, 0.02},
  };
  enum { COUNT = 20000 };
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      fixture f;
      begin(&f);
      f.all->is_open = true;
      floc_insertion_options options = insertion_defaults(COUNT, asked[k].lower);
      for (int c = 0; c < 3; c++) options.region_upper[c] = 50.0;
      options.distribution = asked[k].distribution;
      options.radius_upper = asked[k].upper;
      options.radius_mean = asked[k].mean;
      options.radius_deviation = asked[k].deviation;
      insert(&f, &options, dimension, 100 + k);
      double mean = moment(&options, dimension, 0.0, 1);
      if (k == 2 || k == 4) assert_close(mean / asked[k].mean, 1.0, 1e-3); /* hardly cut: the asked mean itself */
      check_moments(f.table.column[COLUMN_radius], COUNT, mean, moment(&options, dimension, mean, 2),
                    moment(&options, dimension, mean, 4));
      check_inside(&f.table, &options, dimension);
      end(&f);
    }
  }
}

static void sharp_distributions_give_one_radius(void **state)
{
  (void)state;
  for (int32_t distribution = FLOC_DISTRIBUTION_UNIFORM; distribution <= FLOC_DISTRIBUTION_BY_VOLUME;
       distribution++) {
    floc_insertion_options options = insertion_defaults(1, 0.02);
    environment env = test_environment(1);
    options.distribution = distribution;
    options.radius_mean = 0.02;
    options.radius_deviation = 0.3;
    assert_ok(&env, insertion_check(&env, &options, 2)); /* radius_upper 0 stands for radius_lower */
    for (uint64_t k = 0; k < 10; k++) assert_true(radius_draw(&options, 2, 1, k) == 0.02);
    options.radius_upper = 0.05;
    options.radius_mean = 0.03;
    options.radius_deviation = 0.0;
    if (distribution != FLOC_DISTRIBUTION_NORMAL && distribution != FLOC_DISTRIBUTION_LOGNORMAL) continue;
    assert_ok(&env, insertion_check(&env, &options, 2));
    for (uint64_t k = 0; k < 10; k++) assert_true(radius_draw(&options, 2, 1, k) == 0.03);
  }
}

static void positions_and_velocities_are_uniform(void **state)
{
  (void)state;
  static const particle_column columns[] = {COLUMN_x, COLUMN_y, COLUMN_z, COLUMN_vx, COLUMN_vy, COLUMN_vz};
  enum { COUNT = 20000 };
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int32_t region = FLOC_REGION_BOX; region <= FLOC_REGION_BALL; region++) {
      fixture f;
      begin(&f);
      f.all->is_open = true;
      floc_insertion_options options = insertion_defaults(COUNT, 0.0001);
      options.region_kind = region;
      options.velocity_spread = 0.5;
      options.velocity[0] = 2.0;
      insert(&f, &options, dimension, 3);
      double squared[COUNT] = {0}, reach = 1.0 - 0.0001;
      for (int k = 0; k < dimension; k++) {
        const double *value = f.table.column[columns[k]];
        double width = 1.0 - 0.0002;
        if (region == FLOC_REGION_BOX) check_moments(value, COUNT, 0.5, width * width / 12, pow(width, 4) / 80);
        for (int64_t i = 0; i < COUNT; i++) squared[i] += value[i] * value[i];
        check_moments(f.table.column[columns[k + 3]], COUNT, k == 0 ? 2.0 : 0.0, 1.0 / 12, 1.0 / 80);
      }
      if (region == FLOC_REGION_BALL) { /* s = r^d is uniform in [0, reach^d] */
        double whole = pow(reach, dimension);
        for (int64_t i = 0; i < COUNT; i++) squared[i] = pow(squared[i], 0.5 * dimension);
        check_moments(squared, COUNT, 0.5 * whole, whole * whole / 12, pow(whole, 4) / 80);
      }
      end(&f);
    }
  }
}

/* ---- saturation ---- */

static void saturation_says_how_many_fitted(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fixture f;
    begin(&f);
    floc_insertion_options options = insertion_defaults(20, 0.01);
    insert(&f, &options, dimension, 1);
    f.all->is_open = false;
    int64_t put_before = f.all->count;
    options.region_lower[0] = 10.0; /* away from those */
    options.region_upper[0] = 11.0;
    options.count = dimension == 2 ? 300 : 600;
    options.radius_lower = dimension == 2 ? 0.03 : 0.07;
    options.tries = 3000;
    assert_int_equal(insertion_run(&f.table, &options, dimension, 1, &f.place), FLOC_NO_ROOM);
    int fitted = 0, of = 0, tries = 0;
    double share = 0.0;
    int read =
        sscanf(f.env.message, "%d of %d particles fitted, then %d draws in a row were rejected; they fill %lf",
               &fitted, &of, &tries, &share);
    assert_int_equal(read, 4);
    assert_int_equal(of, options.count);
    assert_int_equal(tries, 3000);
    assert_int_equal(fitted, f.all->count - put_before);
    assert_close(share, fitted * sphere_volume(options.radius_lower, dimension), 5e-5);
    /* the jamming limit, less what is lost along the region's edge */
    assert_true(share < (dimension == 2 ? 0.547 : 0.38) && share > (dimension == 2 ? 0.45 : 0.26));
    assert_non_null(
        strstr(f.env.message, dimension == 2 ? "discs saturates near 0.547" : "spheres saturates near 0.38"));
    assert_int_equal(f.table.count, 20); /* nothing was added */
    assert_true(f.table.column[COLUMN_radius][19] == 0.01);
    options.count = 2000000000; /* not even tried, and no memory asked for */
    f.all->asked = 0;
    assert_int_equal(insertion_run(&f.table, &options, dimension, 1, &f.place), FLOC_NO_ROOM);
    assert_non_null(strstr(f.env.message, "of 2000000000 particles"));
    assert_int_equal(f.all->asked, 0);
    end(&f);
  }
}

static void a_single_rejected_draw_can_be_too_many(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  floc_insertion_options options = insertion_defaults(500, 0.02);
  options.tries = 1;
  assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_NO_ROOM);
  assert_int_equal(f.table.count, 0);
  assert_true(f.all->asked == f.all->count + 1);
  end(&f);
}

/* ---- lattices ---- */

static void square_lattice_fills_row_by_row(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  floc_insertion_options options = insertion_defaults(400, 0.25);
  options.placement = FLOC_PLACEMENT_LATTICE;
  options.region_upper[0] = options.region_upper[1] = 20.0; /* as in Degond et al.: unit spacing, side sqrt(N) */
  options.spacing = 1.0;
  insert(&f, &options, 2, 1);
  for (int64_t k = 0; k < 400; k++) {
    assert_true(f.table.column[COLUMN_x][k] == 0.5 + (double)(k % 20));
    assert_true(f.table.column[COLUMN_y][k] == 0.5 + (double)(k / 20));
  }
  assert_int_equal(f.all->count, 400);
  options.count = 1;
  assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_NO_ROOM);
  assert_non_null(
      strstr(f.env.message, "0 of 1 particles fitted; 400 of the region's 400 lattice sites are occupied"));
  options.count = 401;
  assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_NO_ROOM);
  assert_non_null(
      strstr(f.env.message, "count is 401; the region holds 400 sites of a square lattice of spacing 1"));
  assert_int_equal(f.table.count, 400);
  end(&f);
}

/* Sites just touching each other and the region, at coordinates that round badly. */
static void touching_lattices_are_complete(void **state)
{
  (void)state;
  for (int n = 1; n <= 12; n++) {
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      fixture f;
      begin(&f);
      int64_t sites = dimension == 2 ? n * n : n * n * n;
      floc_insertion_options options = insertion_defaults(sites, 0.05);
      options.placement = FLOC_PLACEMENT_LATTICE;
      for (int k = 0; k < 3; k++) {
        options.region_lower[k] = 0.1 * (k + 1) * n;
        options.region_upper[k] = options.region_lower[k] + 0.1 * n;
      }
      insert(&f, &options, dimension, 1);
      check_no_overlap(&f.table, 0.0);
      check_inside(&f.table, &options, dimension);
      particles_truncate(&f.table, 0);
      f.all->count = 0;
      options.count = sites + 1;
      assert_int_equal(insertion_run(&f.table, &options, dimension, 1, &f.place), FLOC_NO_ROOM);
      end(&f);
    }
  }
}

/* Lattices side by side touch each other across the border of their regions. */
static void neighbouring_lattices_may_touch(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  for (int n = 0; n < 12; n++) {
    floc_insertion_options options = insertion_defaults(49, 0.05);
    options.placement = FLOC_PLACEMENT_LATTICE;
    options.region_lower[0] = 0.7 * n;
    options.region_upper[0] = 0.7 * (n + 1);
    options.region_upper[1] = 0.7;
    insert(&f, &options, 2, 1);
  }
  check_no_overlap(&f.table, 0.0);
  end(&f);
}

static void balls_are_filled_with_a_centred_lattice(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int size = 1; size <= 9; size++) {
      fixture f;
      begin(&f);
      floc_insertion_options options = insertion_defaults(1, 0.1);
      options.placement = FLOC_PLACEMENT_LATTICE;
      options.region_kind = FLOC_REGION_BALL;
      options.region_radius = 0.12 * size;
      options.region_center[0] = 5.0;
      options.spacing = 0.22;
      options.count = 100000;
      assert_int_equal(insertion_run(&f.table, &options, dimension, 1, &f.place), FLOC_NO_ROOM);
      int64_t sites = 0;
      assert_int_equal(sscanf(f.env.message, "count is 100000; the region holds %ld sites", &sites), 1);
      options.count = sites;
      insert(&f, &options, dimension, 1);
      check_no_overlap(&f.table, 0.0);
      check_inside(&f.table, &options, dimension);
      /* the same count by looking at every site of the surrounding square */
      int64_t half = 6, along = 2 * half + 1, expected = 0;
      for (int64_t i = 0; i < along * along * (dimension == 3 ? along : 1); i++) {
        int64_t index[3] = {i % along - half, i / along % along - half, i / along / along - half};
        double squared = 0.0;
        for (int k = 0; k < dimension; k++) squared += pow(0.22 * (double)index[k], 2.0);
        expected += sqrt(squared) + 0.1 <= options.region_radius;
      }
      assert_int_equal(sites, expected);
      double sum = 0.0; /* symmetric about the centre */
      for (int64_t k = 0; k < sites; k++) sum += f.table.column[COLUMN_x][k] - 5.0;
      assert_close(sum, 0.0, 1e-11);
      end(&f);
    }
  }
}

static void taken_sites_are_left_out(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  double obstacle[3] = {0.5, 0.5, 0.0};
  occupy(f.all, &(newcomer){{obstacle[0], obstacle[1], obstacle[2]}, 0.2, 0, 0.0, {1.0}}, 0);
  floc_insertion_options options = insertion_defaults(1, 0.05);
  options.placement = FLOC_PLACEMENT_LATTICE;
  int64_t free_sites = 0;
  for (int k = 0; k < 100; k++)
    free_sites += hypot(0.05 + 0.1 * (k % 10) - 0.5, 0.05 + 0.1 * (k / 10) - 0.5) > 0.25 - 1e-12;
  options.count = free_sites;
  insert(&f, &options, 2, 1);
  for (int64_t k = 0; k < free_sites; k++)
    assert_true(hypot(f.table.column[COLUMN_x][k] - 0.5, f.table.column[COLUMN_y][k] - 0.5) >= 0.25 * (1 - 1e-9));
  check_no_overlap(&f.table, 0.0);
  particles_truncate(&f.table, 0);
  f.all->count = 1;
  options.count = free_sites + 1;
  assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_NO_ROOM);
  assert_non_null(strstr(f.env.message, "of the region's 100 lattice sites are occupied"));
  assert_int_equal(f.table.count, 0);
  assert_int_equal(f.all->count, 1); /* nothing is made known that is not there in the end */
  end(&f);
}

static void clearance_widens_the_lattice(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  floc_insertion_options options = insertion_defaults(4, 0.2);
  options.placement = FLOC_PLACEMENT_LATTICE;
  options.clearance = 0.1;
  insert(&f, &options, 2, 1);
  assert_close(f.table.column[COLUMN_x][1] - f.table.column[COLUMN_x][0], 0.5, 1e-15);
  end(&f);
}

/* Twelve neighbours at a root of a half of the lattice constant, in a periodic box of 5 cells. */
static void face_centred_lattices_are_complete(void **state)
{
  (void)state;
  fixture f;
  begin(&f);
  floc_insertion_options options = insertion_defaults(500, 0.05);
  options.placement = FLOC_PLACEMENT_FCC;
  options.spacing = 0.3;
  for (int k = 0; k < 3; k++) options.region_upper[k] = 1.5;
  insert(&f, &options, 3, 1);
  for (int64_t i = 0; i < 500; i++) {
    int32_t near = 0;
    for (int64_t j = 0; j < 500; j++) {
      double square = 0.0;
      for (int c = 0; c < 3; c++) {
        double way = f.table.column[COLUMN_x + c][j] - f.table.column[COLUMN_x + c][i];
        way -= 1.5 * rint(way / 1.5);
        square += way * way;
      }
      assert_true(i == j || sqrt(square) > 0.3 * sqrt(0.5) * (1.0 - 1e-12));
      near += i != j && sqrt(square) < 0.3 * sqrt(0.5) * (1.0 + 1e-12);
    }
    assert_int_equal(near, 12);
  }
  options.spacing = 0.0; /* neighbours touch */
  options.region_lower[0] = options.region_lower[1] = options.region_lower[2] = 2.0;
  for (int k = 0; k < 3; k++) options.region_upper[k] = 2.0 + 2.0 * 0.1 * sqrt(2.0);
  options.count = 4; /* those that lie wholly inside */
  insert(&f, &options, 3, 1);
  check_no_overlap(&f.table, 0.0);
  end(&f);
}

/* The moments of the momenta are exact, the directions are independent, and the fourth moment is that of a normal
 * distribution. */
static void a_temperature_is_met_exactly(void **state)
{
  (void)state;
  enum { COUNT = 20000 };
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    fixture f;
    begin(&f);
    floc_insertion_options options = insertion_defaults(COUNT, 0.0001);
    options.placement = FLOC_PLACEMENT_LATTICE;
    options.radius_upper = 0.001;
    options.mass = 0.0;
    options.density = 3.0;
    options.temperature = 0.7;
    options.velocity[0] = 5.0;
    insert(&f, &options, dimension, 1);
    double momentum[3] = {0.0, 0.0, 0.0}, mass = 0.0, energy[3] = {0.0, 0.0, 0.0}, cross = 0.0, fourth = 0.0;
    for (int64_t k = 0; k < COUNT; k++) {
      double m = f.table.column[COLUMN_mass][k], v[3];
      mass += m;
      for (int c = 0; c < dimension; c++) {
        v[c] = f.table.column[COLUMN_vx + c][k] - options.velocity[c];
        momentum[c] += m * v[c];
        energy[c] += 0.5 * m * v[c] * v[c];
        fourth += m * m * v[c] * v[c] * v[c] * v[c] / (COUNT * dimension);
      }
      cross += m * v[0] * v[1] / COUNT;
    }
    double sum = 0.0;
    for (int c = 0; c < dimension; c++) {
      assert_true(fabs(momentum[c]) < 1e-12 * sqrt(mass * 0.7 * COUNT));
      assert_close(energy[c] / (0.5 * 0.7 * COUNT), 1.0, 0.05);
      sum += energy[c];
    }
    assert_close(sum / (0.5 * dimension * (COUNT - 1) * 0.7), 1.0, 1e-12);
    assert_close(cross / 0.7, 0.0, 0.03);
    assert_close(fourth / (3.0 * 0.7 * 0.7), 1.0, 0.05);
    end(&f);
  }
}

/* ---- wrong input ---- */

static void refused(const floc_insertion_options *options, int32_t dimension, floc_status expected,
                    const char *text)
{
  environment env = test_environment(1);
  floc_status status = insertion_check(&env, options, dimension);
  if (status != expected) fail_msg("%s expected: %s: %s", text, floc_status_name(status), env.message);
  if (!strstr(env.message, text)) fail_msg("\"%s\" lacks \"%s\"", env.message, text);
}

#define REFUSED(text, ...) REFUSED_AS(FLOC_INVALID_ARGUMENT, 2, text, __VA_ARGS__)
#define REFUSED_AS(status, dimension, text, ...)                                                                   \
  do {                                                                                                             \
    floc_insertion_options wrong = insertion_defaults(10, 0.1);                                                    \
    __VA_ARGS__;                                                                                                   \
    refused(&wrong, dimension, status, text);                                                                      \
  } while (0)

static void wrong_options_are_refused(void **state)
{
  (void)state;
  REFUSED("count is 0; it must be an integer of at least 1", wrong.count = 0);
  REFUSED("region_kind is 4; it must be box (1), ball (2) or function (3)", wrong.region_kind = 4);
  REFUSED("region_function is NULL", wrong.region_kind = FLOC_REGION_FUNCTION);
  REFUSED("region_lower[1] is 1 and region_upper[1] is 1", wrong.region_lower[1] = 1.0);
  REFUSED("region_upper[0] is inf", wrong.region_upper[0] = INFINITY);
  REFUSED("region_lower[0] is nan", wrong.region_lower[0] = NAN);
  REFUSED_AS(FLOC_INVALID_ARGUMENT, 3, "region_upper[2] is -1", wrong.region_upper[2] = -1.0);
  REFUSED_AS(FLOC_NO_ROOM, 2, "0.1 wide along axis 1; a particle of 0.2", wrong.region_upper[1] = 0.1);
  REFUSED("region_radius is 0", wrong.region_kind = FLOC_REGION_BALL, wrong.region_radius = 0.0);
  REFUSED("region_center[1] is nan", wrong.region_kind = FLOC_REGION_BALL, wrong.region_center[1] = NAN);
  REFUSED_AS(FLOC_NO_ROOM, 2, "region_radius is 0.05", wrong.region_kind = FLOC_REGION_BALL,
             wrong.region_radius = 0.05);
  REFUSED("placement is 0", wrong.placement = 0);
  REFUSED("distribution is 5", wrong.distribution = 5);
  REFUSED("radius_lower is 0; it must be a finite number above 0", wrong.radius_lower = 0.0);
  REFUSED("radius_lower is nan", wrong.radius_lower = NAN);
  REFUSED("radius_upper is 0.05; it must be finite and at least radius_lower, which is 0.1",
          wrong.radius_upper = 0.05);
  REFUSED("radius_upper is nan", wrong.radius_upper = NAN);
  REFUSED("mass is -1", wrong.mass = -1.0);
  REFUSED("mass is nan", wrong.mass = NAN);
  REFUSED("density is 0; it must be above 0 and finite when mass is 0", wrong.mass = 0.0);
  REFUSED("density 1e-310 gives masses of", wrong.mass = 0.0, wrong.density = 1e-310, wrong.radius_lower = 1e-9);
  REFUSED("velocity[0] is inf", wrong.velocity[0] = INFINITY);
  REFUSED("velocity[2] is 1; in two dimensions it must be 0", wrong.velocity[2] = 1.0);
  REFUSED("velocity_spread is -1", wrong.velocity_spread = -1.0);
  REFUSED("clearance is -0.1", wrong.clearance = -0.1);
  REFUSED("temperature is -1", wrong.temperature = -1.0);
  REFUSED("temperature is nan", wrong.temperature = NAN);
  REFUSED("temperature is 1 and velocity_spread 2; only one", wrong.temperature = 1.0, wrong.velocity_spread = 2.0);
  REFUSED("placement is fcc; in two dimensions it must be", wrong.placement = FLOC_PLACEMENT_FCC);
  REFUSED_AS(FLOC_INVALID_ARGUMENT, 3, "spacing is 0.28; it must be finite and at least 0.282843",
             wrong.placement = FLOC_PLACEMENT_FCC, wrong.spacing = 0.28);
  REFUSED("tries is 0; it must be an integer of at least 1", wrong.tries = 0);
  REFUSED("spacing is 0.19; it must be finite and at least 0.2", wrong.placement = FLOC_PLACEMENT_LATTICE,
          wrong.spacing = 0.19);
  REFUSED("spacing is nan", wrong.placement = FLOC_PLACEMENT_LATTICE, wrong.spacing = NAN);
  REFUSED("spacing is inf", wrong.placement = FLOC_PLACEMENT_LATTICE, wrong.spacing = INFINITY);
  for (int32_t k = FLOC_DISTRIBUTION_NORMAL; k <= FLOC_DISTRIBUTION_LOGNORMAL; k++) {
    REFUSED("radius_mean is 0", wrong.distribution = k, wrong.radius_upper = 0.2);
    REFUSED("radius_deviation is -1", wrong.distribution = k, wrong.radius_upper = 0.2, wrong.radius_mean = 0.1,
            wrong.radius_deviation = -1.0);
    REFUSED("radius_mean is 0.3; it must be between radius_lower and radius_upper, 0.1 to 0.2",
            wrong.distribution = k, wrong.radius_upper = 0.2, wrong.radius_mean = 0.3);
    REFUSED("lies between radius_lower 0.1 and radius_upper 0.2; it must be at least 0.001", wrong.distribution = k,
            wrong.radius_upper = 0.2, wrong.radius_mean = 0.01, wrong.radius_deviation = 0.01);
  }
}

/* ---- regions of the host ---- */

typedef struct wedge {
  int64_t asked, fails_at; /* question number fails_at fails; 0: none */
} wedge;

/* Below the diagonal, by the radius. */
static floc_status in_wedge(void *context, const double *center, double radius, bool *inside)
{
  wedge *self = context;
  *inside = center[0] - center[1] >= sqrt(2.0) * radius;
  return ++self->asked == self->fails_at ? FLOC_INVALID_ARGUMENT : FLOC_OK;
}

static void regions_are_functions(void **state)
{
  (void)state;
  for (int32_t placement = FLOC_PLACEMENT_RANDOM; placement <= FLOC_PLACEMENT_LATTICE; placement++) {
    fixture f;
    begin(&f);
    wedge region = {0, 0};
    floc_insertion_options options = insertion_defaults(30, 0.04);
    options.placement = placement;
    options.region_kind = FLOC_REGION_FUNCTION;
    options.region_function = in_wedge;
    options.region_context = &region;
    insert(&f, &options, 2, 1);
    check_no_overlap(&f.table, 0.0);
    double *const *c = f.table.column;
    for (int64_t k = 0; k < f.table.count; k++)
      assert_true(c[COLUMN_x][k] - c[COLUMN_y][k] >= sqrt(2.0) * 0.04 * (1.0 - 1e-9));
    assert_true(region.asked > 30);
    region = (wedge){0, 35};
    int64_t before = f.table.count;
    options.seed = 5;
    assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_CALLBACK_FAILED);
    assert_non_null(strstr(f.env.message, "the function of the region at ("));
    assert_int_equal(f.table.count, before);
    options.count = 100000;
    region = (wedge){0, 0};
    assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_NO_ROOM);
    end(&f);
  }
}

/* ---- memory ---- */

static void failing_places_take_everything_back(void **state)
{
  (void)state;
  for (int32_t placement = FLOC_PLACEMENT_RANDOM; placement <= FLOC_PLACEMENT_LATTICE; placement++) {
    for (int64_t fails_at = 1; fails_at <= 10; fails_at++) {
      fixture f;
      begin(&f);
      f.all->fails_at = fails_at;
      floc_insertion_options options = insertion_defaults(10, 0.05);
      options.placement = placement;
      assert_int_equal(insertion_run(&f.table, &options, 2, 1, &f.place), FLOC_OUT_OF_MEMORY);
      assert_int_equal(f.table.count, 0);
      end(&f);
    }
  }
}

static void every_failing_allocation_is_survived(void **state)
{
  (void)state;
  crowd *all = calloc(1, sizeof *all);
  insertion_place place = {.is_free = is_free, .occupy = occupy, .context = all};
  failing_allocator counter;
  int64_t refused_call = 1;
  for (bool done = false; !done; refused_call++) {
    environment env = failing_environment(&counter, refused_call);
    particles table;
    particles_init(&table, &env);
    floc_insertion_options options = insertion_defaults(100, 0.01);
    all->count = 0;
    floc_status status = insertion_run(&table, &options, 3, 1, &place);
    done = status == FLOC_OK;
    assert_int_equal(table.count, done ? 100 : 0);
    if (!done) assert_int_equal(status, FLOC_OUT_OF_MEMORY);
    particles_free(&table);
    assert_int_equal(counter.bytes, 0);
  }
  assert_int_equal(refused_call, BUILTIN_COLUMN_COUNT + 2 + 2);
  free(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_particles_do_not_overlap),
      cmocka_unit_test(masses_and_velocities),
      cmocka_unit_test(the_same_again),
      cmocka_unit_test(radii_are_distributed_as_asked),
      cmocka_unit_test(sharp_distributions_give_one_radius),
      cmocka_unit_test(positions_and_velocities_are_uniform),
      cmocka_unit_test(saturation_says_how_many_fitted),
      cmocka_unit_test(a_single_rejected_draw_can_be_too_many),
      cmocka_unit_test(square_lattice_fills_row_by_row),
      cmocka_unit_test(touching_lattices_are_complete),
      cmocka_unit_test(neighbouring_lattices_may_touch),
      cmocka_unit_test(balls_are_filled_with_a_centred_lattice),
      cmocka_unit_test(taken_sites_are_left_out),
      cmocka_unit_test(clearance_widens_the_lattice),
      cmocka_unit_test(face_centred_lattices_are_complete),
      cmocka_unit_test(a_temperature_is_met_exactly),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(regions_are_functions),
      cmocka_unit_test(failing_places_take_everything_back),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
