/*
 * Insertion of many particles: random sequential addition, lattices, dense packings.
 *
 * Random sequential addition draws a uniform position for one particle after the other and keeps it if it
 * is free; the density stops growing at the jamming limit, near 0.547 of the area for equal discs and 0.38
 * of the volume for equal spheres. Every draw is a function of seed, particle and try alone, so what
 * comes out does not depend on anything else.
 *
 * The seed of the options, if there is one, counts the particles of this insertion from 1: the same options
 * give the same particles wherever in a script they stand. Otherwise particles are counted by their ids,
 * so that two insertions with the world's seed differ.
 *
 * Sites of lattices are in lattices.h. A dense packing starts from uniform positions, overlaps and all, which
 * a function of the caller relaxes, because it takes neighbour lists (insertion_place in particles.h).
 *
 * With a volume fraction radii are scaled by one factor, found from the radii that would be drawn without.
 *
 * With a temperature T velocities are drawn from normal distributions of variance T/m, and then shifted and scaled,
 * so that their sum of momenta is that of the mean velocity and their energy about it d (n - 1) T/2.
 */
#include "particles/lattices.h"
#include "particles/particles.h"
#include "particles/radii.h"
#include "particles/region.h"
#include "particles/region_field.h"

#include "base/fields.h"
#include "base/interruption.h"
#include "base/mathematics/mathematics.h"
#include "base/numbers/random.h"
#include "particles/owned.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double TOUCHING = 1e-9; /* of a radius: overlaps below it are rounding */

/* ---- checks ---- */

floc_status orientation_check(environment *env, const double orientation[4], int32_t shape, int32_t dimension)
{
  const double *q = orientation, square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!orientation_is_given(orientation)) return FLOC_OK;
  if (dimension == 2)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "orientation is %g, %g, %g, %g; in two dimensions the orientation of a shape is an angle", q[0],
                  q[1], q[2], q[3]);
  if (shape == 0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "orientation is %g, %g, %g, %g without a shape, which is what it turns", q[0], q[1], q[2], q[3]);
  if (square >= 1e-200 && square <= 1e200) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "orientation is %g, %g, %g, %g, a quaternion of the length %g; it must be from 1e-100 to 1e100",
                q[0], q[1], q[2], q[3], sqrt(square));
}

floc_status insertion_check(environment *env, const floc_insertion_options *options, int32_t dimension)
{
  floc_status status = fields_check(env, &struct_insertion_options, options);
  if (status == FLOC_OK && dimension == 2 && options->velocity[2] != 0.0)
    status = refuse(env, FLOC_INVALID_ARGUMENT, "velocity[2] is %g; in two dimensions it must be 0",
                    options->velocity[2]);
  if (status == FLOC_OK && options->temperature > 0.0 && options->velocity_spread > 0.0)
    status = refuse(env, FLOC_INVALID_ARGUMENT,
                    "temperature is %g and velocity_spread %g; only one of them may be given", options->temperature,
                    options->velocity_spread);
  if (status == FLOC_OK && !(options->angle_lower <= options->angle_upper))
    status = refuse(env, FLOC_INVALID_ARGUMENT, "angle_lower is %g and angle_upper %g; it must be at least that",
                    options->angle_lower, options->angle_upper);
  if (status == FLOC_OK && dimension == 3 && (options->angle_lower != 0.0 || options->angle_upper != 0.0))
    status = refuse(env, FLOC_INVALID_ARGUMENT,
                    "angle_upper is %g; in three dimensions the orientation of shapes is a quaternion, orientation",
                    options->angle_upper);
  if (status == FLOC_OK) status = orientation_check(env, options->orientation, options->shape, dimension);
  if (status == FLOC_OK && options->shape == 0 && (options->angle_lower != 0.0 || options->angle_upper != 0.0))
    status = refuse(env, FLOC_INVALID_ARGUMENT, "angle_upper is %g without a shape, which is what it turns",
                    options->angle_upper);
  if (status == FLOC_OK) status = radii_check(env, options, dimension);
  if (status == FLOC_OK) status = lattice_check(env, options, dimension);
  if (status == FLOC_OK) status = region_check(env, options, dimension);
  return status;
}

/* ---- one particle ---- */

typedef struct insertion {
  particles *table;
  const floc_insertion_options *options;
  const insertion_place *place;
  int32_t dimension;
  uint64_t seed;
  uint64_t before; /* particle k (0, 1, ...) of this insertion is number before + k + 1 of the stream */
  int64_t first;   /* particles in the table before */
} insertion;

static uint64_t stream_number(const insertion *work, int64_t k)
{
  return work->before + (uint64_t)k + 1;
}

static double draw_radius(const insertion *work, int64_t k)
{
  return radius_draw(work->options, work->dimension, work->seed, stream_number(work, k));
}

static double draw_angle(const insertion *work, int64_t k)
{
  const floc_insertion_options *options = work->options;
  double u[4];
  if (options->angle_lower == options->angle_upper) return options->angle_lower;
  random_uniform4(work->seed, stream_number(work, k), 0, RANDOM_ANGLE, 0, u);
  return options->angle_lower + (options->angle_upper - options->angle_lower) * u[0];
}

/* In space: uniform over all rotations (Shoemake), or the one that is given. */
static void draw_orientation(const insertion *work, int64_t k, double orientation[4])
{
  const double *given = work->options->orientation;
  double u[4];
  if (orientation_is_given(given)) {
    for (int c = 0; c < 4; c++) orientation[c] = given[c];
    return;
  }
  random_uniform4(work->seed, stream_number(work, k), 0, RANDOM_ANGLE, 0, u);
  for (int half = 0; half < 2; half++) {
    double sine, cosine;
    const double length = sqrt(half == 0 ? u[0] : 1.0 - u[0]);
    mathematics_sine_and_cosine(2.0 * GRAIN_PI * u[1 + half], &sine, &cosine);
    orientation[2 * half] = length * cosine;
    orientation[2 * half + 1] = length * sine;
  }
}

/* Area or volume of one of the insertion's, of that radius. */
static double volume_of(const particles *table, const floc_insertion_options *options, int32_t dimension,
                        double radius)
{
  const int32_t number = options->shape;
  if (number < 1 || number > table->shapes.count) return sphere_volume(radius, dimension);
  const grain_shape *shape = &table->shapes.shape[number - 1];
  return grain_volume(shape, dimension, radius, shape->rounding * radius);
}

static newcomer newcomer_of(const insertion *work, int64_t k, const double position[3], double radius)
{
  newcomer one = {{position[0], position[1], position[2]}, radius, work->options->shape, 0.0, {1.0}};
  if (one.shape != 0 && work->dimension == 3)
    draw_orientation(work, k, one.orientation);
  else
    one.angle = draw_angle(work, k);
  return one;
}

/* Appends particle k of the insertion at a position. The table has space. */
static void append_particle(const insertion *work, int64_t k, const double position[3], double radius)
{
  static const particle_column where[] = {COLUMN_x, COLUMN_y, COLUMN_z};
  static const particle_column speed[] = {COLUMN_vx, COLUMN_vy, COLUMN_vz};
  const floc_insertion_options *options = work->options;
  particles *table = work->table;
  double u[4];
  floc_status status = particles_append(table, NULL);
  assert(status == FLOC_OK);
  (void)status;
  int64_t slot = table->count - 1;
  random_uniform4(work->seed, stream_number(work, k), 0, RANDOM_VELOCITY, 0, u);
  for (int c = 0; c < work->dimension; c++) {
    table->column[where[c]][slot] = work->place->box ? domain_wrap(work->place->box, c, position[c]) : position[c];
    table->column[speed[c]][slot] = options->velocity[c] + options->velocity_spread * (2.0 * u[c] - 1.0);
  }
  table->column[COLUMN_radius][slot] = radius;
  table->column[COLUMN_mass][slot] =
      options->mass > 0.0 ? options->mass : options->density * volume_of(table, options, work->dimension, radius);
  if (options->shape == 0) return;
  table->column[table->optional[OPTIONAL_shape]][slot] = options->shape;
  if (work->dimension == 2) {
    table->column[table->optional[OPTIONAL_angle]][slot] = draw_angle(work, k);
  } else {
    double orientation[4];
    draw_orientation(work, k, orientation);
    for (int c = 0; c < 4; c++) table->column[table->optional[OPTIONAL_qw + c]][slot] = orientation[c];
  }
  table->column[table->optional[OPTIONAL_rounding]][slot] =
      table->shapes.shape[options->shape - 1].rounding * radius;
}

/* In the region, and free of others? */
static floc_status fits(const insertion *work, int64_t k, const double position[3], double radius, bool *free)
{
  const floc_insertion_options *options = work->options;
  const newcomer one = newcomer_of(work, k, position, radius);
  floc_status status = region_allows(work->table->env, options, position, radius, free);
  if (status == FLOC_OK && *free) *free = work->place->is_free(work->place->context, &one, options->clearance);
  return status;
}

/* Fraction of the region that the particles put so far fill. */
static double filled_share(const insertion *work)
{
  double sum = 0.0;
  EACH_SLOT_FROM(work->first, slot, work->table) sum += particles_volume(work->table, work->dimension, slot);
  return sum / region_volume(work->options, work->dimension);
}

/* ---- random sequential addition ---- */

/* The volume is unknown of a region that a function gives. */
static const char *region_name(const floc_insertion_options *options)
{
  return options->region_kind == FLOC_REGION_FUNCTION ? "box around the region, its" : "region's";
}

static floc_status refuse_saturated(const insertion *work)
{
  bool flat = work->dimension == 2;
  char others[64] = "";
  if (work->first > 0)
    snprintf(others, sizeof others, " in addition to the %" PRId64 " there were before", work->first);
  return refuse(work->table->env, FLOC_NO_ROOM,
                "%" PRId64 " of %" PRId64 " particles fitted, then %" PRId64
                " draws in a row were rejected; they fill %.4f of the %s %s%s. Random sequential addition of "
                "equal %s saturates near %s; give a larger region, fewer or smaller particles, "
                "or the placement dense or a lattice",
                work->table->count - work->first, work->options->count, work->options->tries, filled_share(work),
                region_name(work->options), flat ? "area" : "volume", others, flat ? "discs" : "spheres",
                flat ? "0.547" : "0.38");
}

/* Not even cut to pieces: no need to try, or to ask for memory. */
static floc_status check_volume(const insertion *work)
{
  const floc_insertion_options *options = work->options;
  double least = (double)options->count * volume_of(work->table, options, work->dimension, options->radius_lower);
  double share = least / region_volume(options, work->dimension);
  if (share <= 1.0) return FLOC_OK;
  return refuse(work->table->env, FLOC_NO_ROOM,
                "0 of %" PRId64
                " particles were added: with radius %g or more they need %.4g times the region's %s",
                options->count, options->radius_lower, share, work->dimension == 2 ? "area" : "volume");
}

/* *found: is there a free position for particle k? */
static floc_status draw_position(const insertion *work, int64_t k, double radius, double position[3], bool *found)
{
  const floc_insertion_options *options = work->options;
  *found = false;
  for (int64_t try = 0; try < options->tries && !*found; try++) {
    if (try % ASK_INTERVAL == 0 && interrupted(work->table->env)) return interruption_status(work->table->env);
    region_draw(options, work->dimension, radius, work->seed, stream_number(work, k), (uint64_t)try, position);
    floc_status status = fits(work, k, position, radius, found);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status insert_at_random(const insertion *work)
{
  const insertion_place *place = work->place;
  for (int64_t k = 0; k < work->options->count; k++) {
    double position[3], radius = draw_radius(work, k);
    bool found;
    floc_status status = draw_position(work, k, radius, position, &found);
    if (status == FLOC_OK && !found) return refuse_saturated(work);
    if (status != FLOC_OK) return status;
    append_particle(work, k, position, radius);
    const newcomer one = newcomer_of(work, k, position, radius);
    status = place->occupy(place->context, &one, work->table->count - 1);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* ---- lattice ---- */

typedef struct site_count {
  int64_t count, wanted;
} site_count;

static bool count_site(void *context, const double position[3])
{
  (void)position;
  site_count *sites = context;
  return ++sites->count < sites->wanted;
}

typedef struct lattice_filling {
  const insertion *work;
  int64_t put, taken; /* sites used, sites that were not free */
  floc_status status; /* of the region's function */
} lattice_filling;

/* Neighbouring sites touch when the spacing is a diameter: rounding must not look like an overlap. */
static bool fill_site(void *context, const double position[3])
{
  lattice_filling *filling = context;
  const insertion *work = filling->work;
  double radius = draw_radius(work, filling->put);
  bool free;
  filling->status = fits(work, filling->put, position, radius * (1.0 - TOUCHING), &free);
  if (filling->status != FLOC_OK) return false;
  if (!free) {
    filling->taken++;
    return true;
  }
  append_particle(work, filling->put, position, radius);
  if (work->options->shape != 0) { /* sites may be as near as the shapes allow */
    const newcomer one = newcomer_of(work, filling->put, position, radius);
    filling->status = work->place->occupy(work->place->context, &one, work->table->count - 1);
    if (filling->status != FLOC_OK) return false;
  }
  return ++filling->put < work->options->count;
}

/* Sites do not overlap each other, so what is put is made known only when all of it is there. */
static floc_status occupy_all(const insertion *work)
{
  static const particle_column where[] = {COLUMN_x, COLUMN_y, COLUMN_z};
  const particles *table = work->table;
  EACH_SLOT_FROM(work->first, slot, table) {
    double position[3];
    for (int k = 0; k < 3; k++) position[k] = table->column[where[k]][slot];
    const newcomer one = {
        {position[0], position[1], position[2]}, table->column[COLUMN_radius][slot], 0, 0.0, {1.0}};
    floc_status status = work->place->occupy(work->place->context, &one, slot);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status check_sites(const insertion *work, const lattice *sites)
{
  site_count counted = {0, work->options->count};
  lattice_visit(sites, count_site, &counted);
  if (counted.count >= work->options->count) return FLOC_OK;
  return refuse(work->table->env, FLOC_NO_ROOM,
                "count is %" PRId64 "; the region holds %" PRId64 " sites of a %s lattice of spacing %g",
                work->options->count, counted.count, lattice_name(work->options, work->dimension), sites->constant);
}

static floc_status insert_on_lattice(const insertion *work, const lattice *sites)
{
  lattice_filling filling = {work, 0, 0, FLOC_OK};
  lattice_visit(sites, fill_site, &filling);
  if (filling.status != FLOC_OK) return filling.status;
  if (filling.put == work->options->count) return work->options->shape == 0 ? occupy_all(work) : FLOC_OK;
  return refuse(work->table->env, FLOC_NO_ROOM,
                "%" PRId64 " of %" PRId64 " particles fitted; %" PRId64 " of the region's %" PRId64
                " lattice sites are occupied%s",
                filling.put, work->options->count, filling.taken, filling.put + filling.taken,
                work->options->region_kind == FLOC_REGION_FUNCTION ? ", or where the function of the region says no"
                                                                   : "");
}

/* ---- dense ---- */

static floc_status check_dense(const insertion *work)
{
  const floc_insertion_options *options = work->options;
  environment *env = work->table->env;
  if (options->shape != 0)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "placement is dense and shape %d: dense packings are of discs and balls; use random or a lattice",
                  options->shape);
  if (!work->place->pack) return refuse(env, FLOC_NOT_SUPPORTED, "placement is dense, which needs a world");
  return options->region_kind == FLOC_REGION_FUNCTION ? FLOC_OK : check_volume(work);
}

/* What was packed is looked at by those who know everything that is there, as if it had been drawn. */
static floc_status admit_packed(const insertion *work)
{
  static const particle_column where[] = {COLUMN_x, COLUMN_y, COLUMN_z};
  const particles *table = work->table;
  EACH_SLOT_FROM(work->first, slot, table) {
    double position[3], radius = table->column[COLUMN_radius][slot];
    for (int k = 0; k < 3; k++) position[k] = table->column[where[k]][slot];
    newcomer one = {{position[0], position[1], position[2]}, radius * (1.0 - TOUCHING), 0, 0.0, {1.0}};
    if (!work->place->is_free(work->place->context, &one, work->options->clearance))
      return refuse(table->env, FLOC_NO_ROOM,
                    "a dense packing of %" PRId64
                    " particles has one at (%g, %g, %g) that another or a body overlaps",
                    work->options->count, position[0], position[1], position[2]);
    one.radius = radius;
    floc_status status = work->place->occupy(work->place->context, &one, slot);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

/* Anywhere, but in a region of a function where that allows the centre, if such a place is found soon. */
static floc_status draw_start(const insertion *work, int64_t k, double radius, double position[3])
{
  enum { TRIES = 1000 };
  bool allowed = false;
  floc_status status = FLOC_OK;
  for (uint64_t try = 0; try < TRIES && !allowed && status == FLOC_OK; try++) {
    region_draw(work->options, work->dimension, radius, work->seed, stream_number(work, k), try, position);
    status = region_allows(work->table->env, work->options, position, 0.0, &allowed);
  }
  return status;
}

static floc_status insert_dense(const insertion *work)
{
  for (int64_t k = 0; k < work->options->count; k++) {
    double position[3], radius = draw_radius(work, k);
    floc_status status = draw_start(work, k, radius, position);
    if (status != FLOC_OK) return status;
    for (int axis = 0; axis < work->dimension; axis++) { /* through periodic faces too */
      double u[4], low = work->options->region_lower[axis], high = work->options->region_upper[axis];
      if (!region_spans(work->options, work->place->box, axis)) continue;
      random_uniform4(work->seed, stream_number(work, k), 0, RANDOM_POSITION, 0, u);
      position[axis] = low + (high - low) * u[axis];
    }
    append_particle(work, k, position, radius);
  }
  floc_status status = work->place->pack(work->place->context, work->options, work->first);
  return status == FLOC_OK ? admit_packed(work) : status;
}

/* ---- temperature ---- */

static double *velocities_of(const insertion *work, int axis)
{
  static const particle_column speed[] = {COLUMN_vx, COLUMN_vy, COLUMN_vz};
  return work->table->column[speed[axis]] + work->first;
}

static void take_mean(const insertion *work, double mean[3])
{
  const double *mass = work->table->column[COLUMN_mass] + work->first;
  double sum = 0.0;
  for (int64_t k = 0; k < work->options->count; k++) sum += mass[k];
  for (int c = 0; c < work->dimension; c++) {
    const double *v = velocities_of(work, c);
    mean[c] = 0.0;
    for (int64_t k = 0; k < work->options->count; k++) mean[c] += mass[k] / sum * v[k];
  }
}

static void warm(const insertion *work)
{
  const floc_insertion_options *options = work->options;
  const double *mass = work->table->column[COLUMN_mass] + work->first;
  const int64_t count = options->count;
  double mean[3], twice = 0.0;
  for (int64_t k = 0; k < count; k++) {
    double four[4];
    random_normal4(work->seed, stream_number(work, k), 0, RANDOM_VELOCITY, 0, four);
    for (int c = 0; c < work->dimension; c++) velocities_of(work, c)[k] = four[c] / sqrt(mass[k]);
  }
  take_mean(work, mean);
  for (int c = 0; c < work->dimension; c++)
    for (int64_t k = 0; k < count; k++) {
      double *v = &velocities_of(work, c)[k];
      *v -= mean[c];
      twice += mass[k] * *v * *v;
    }
  double wanted = (double)work->dimension * (double)(count - 1) * options->temperature;
  double factor = twice > 0.0 ? sqrt(wanted / twice) : 0.0;
  for (int c = 0; c < work->dimension; c++)
    for (int64_t k = 0; k < count; k++)
      velocities_of(work, c)[k] = options->velocity[c] + factor * velocities_of(work, c)[k];
}

/* ---- all of them ---- */

/* Its number in the stream, from what comes first in insertion_run. */
static insertion begin_insertion(particles *table, const floc_insertion_options *options, int32_t dimension,
                                 uint64_t seed)
{
  insertion work = {.table = table, .options = options, .dimension = dimension, .first = table->count};
  work.seed = options->seed != 0 ? options->seed : seed;
  work.before = options->seed != 0 ? 0 : (uint64_t)table->last_id;
  return work;
}

/* Of a region that is not checked yet: what is wrong is refused later. */
static floc_status measure_function(environment *env, const floc_insertion_options *options, int32_t dimension,
                                    double *volume)
{
  *volume = region_volume(options, dimension);
  if (options->region_kind != FLOC_REGION_FUNCTION || !options->region_function || !isfinite(*volume))
    return FLOC_OK;
  floc_status status = region_measure(env, options, dimension, volume);
  if (status != FLOC_OK || *volume > 0.0) return status;
  return refuse(env, FLOC_NO_ROOM, "the region is empty: its function said no wherever it was asked");
}

floc_status insertion_scale(particles *table, const floc_insertion_options *options, int32_t dimension,
                            uint64_t seed, floc_insertion_options *scaled)
{
  environment *env = table->env;
  *scaled = *options;
  if (options->volume_fraction == 0.0) return FLOC_OK;
  floc_status status = fields_check(env, &struct_insertion_options, options);
  if (status == FLOC_OK) status = radii_check(env, options, dimension);
  if (status != FLOC_OK) return status;
  double volume;
  status = measure_function(env, options, dimension, &volume);
  if (status != FLOC_OK) return status;
  if (options->count > PARTICLE_LIMIT)
    return refuse(env, FLOC_LIMIT_EXCEEDED, "count is %" PRId64 "; there can be %d particles", options->count,
                  PARTICLE_LIMIT);
  insertion work = begin_insertion(table, options, dimension, seed);
  double sum = 0.0;
  for (int64_t k = 0; k < options->count; k++) {
    if (k % ASK_INTERVAL == 0 && interrupted(env)) return interruption_status(env);
    sum += volume_of(table, options, dimension, draw_radius(&work, k));
  }
  double ratio = options->volume_fraction * volume / sum;
  if (!(ratio > 0.0 && isfinite(ratio))) return FLOC_OK; /* the region is refused later */
  double factor = dimension == 2 ? sqrt(ratio) : floc_cbrt(ratio);
  scaled->radius_lower *= factor;
  scaled->radius_upper *= factor;
  scaled->radius_mean *= factor;
  scaled->radius_deviation *= factor;
  return FLOC_OK;
}

static floc_status check_room(const insertion *work, const lattice *sites)
{
  if (work->options->placement == FLOC_PLACEMENT_RANDOM) return check_volume(work);
  return work->options->placement == FLOC_PLACEMENT_DENSE ? check_dense(work) : check_sites(work, sites);
}

static floc_status insert_all(const insertion *work, const lattice *sites)
{
  if (work->options->placement == FLOC_PLACEMENT_RANDOM) return insert_at_random(work);
  return work->options->placement == FLOC_PLACEMENT_DENSE ? insert_dense(work) : insert_on_lattice(work, sites);
}

floc_status insertion_run(particles *table, const floc_insertion_options *options, int32_t dimension, uint64_t seed,
                          const insertion_place *place)
{
  insertion work = begin_insertion(table, options, dimension, seed);
  work.place = place;
  lattice sites = lattice_of(options, dimension, place->box);
  floc_status status = check_room(&work, &sites);
  if (status == FLOC_OK && options->count > INT64_MAX - table->count) {
    status = refuse(table->env, FLOC_LIMIT_EXCEEDED,
                    "count is %" PRId64 "; there are %" PRId64 " particles already", options->count, table->count);
  }
  if (status == FLOC_OK) status = particles_reserve(table, table->count + options->count);
  if (status != FLOC_OK) return status;
  status = insert_all(&work, &sites);
  if (status == FLOC_OK && options->temperature > 0.0) warm(&work);
  if (status != FLOC_OK) particles_truncate(table, work.first);
  return status;
}
