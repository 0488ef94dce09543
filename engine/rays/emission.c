/*
 * Sources of rays. See emission.h.
 *
 * A plane wave of N rays over a disc: each ray carries power / N and stands for the cross-section
 * a_r = pi R^2 / N (in two dimensions 2 R / N). A point source gives each ray the solid angle Omega / N (in
 * two dimensions an angle), so that its cross-section grows with the length of the path.
 *
 * Random rays come from Philox with the counter (ray, pulse, source): the n-th ray of a pulse does not
 * depend on how many there are, and blocks of rays are made in parallel. Even rays lie on a sunflower (Vogel 1979),
 * turned at random per pulse.
 */
#include "rays/emission.h"

#include "base/callback.h"
#include "base/fields.h"
#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_BOUNCES = 1000000 }; /* a ray between two mirrors must come to an end */

enum { RAYS_PER_BLOCK = 512 };

static const double PI = 3.141592653589793238463;
static const double GOLDEN_ANGLE = 2.399963229728653322231;

/* ---- checks ---- */

static bool all_finite(const double v[3])
{
  return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static floc_status check_schedule(environment *env, const floc_ray_source_options *options)
{
  if (!options->times) {
    if (!isfinite(options->start))
      return refuse(env, FLOC_INVALID_ARGUMENT, "start is %g; it must be finite", options->start);
    if (options->pulses < 0)
      return refuse(env, FLOC_INVALID_ARGUMENT, "pulses is %lld; it must be 0 (for ever) or more",
                    (long long)options->pulses);
    if (options->pulses != 1 && !(options->period > 0.0 && isfinite(options->period)))
      return refuse(env, FLOC_INVALID_ARGUMENT, "period is %g; it must be above 0 when there are several pulses",
                    options->period);
    return FLOC_OK;
  }
  if (options->time_count < 0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "time_count is %d; it must be 0 or more", options->time_count);
  for (int32_t k = 0; k < options->time_count; k++)
    if (!isfinite(options->times[k]) || (k > 0 && !(options->times[k] > options->times[k - 1])))
      return refuse(env, FLOC_INVALID_ARGUMENT, "times[%d] is %g; times must be finite and ascending", k,
                    options->times[k]);
  return FLOC_OK;
}

static floc_status check_beam(environment *env, const floc_ray_source_options *options, int32_t dimension)
{
  if (options->kind == FLOC_RAY_SOURCE_FUNCTION)
    return options->emit ? FLOC_OK
                         : refuse(env, FLOC_INVALID_ARGUMENT, "emit is NULL; a source with a function needs one");
  double length = all_finite(options->direction) ? vector_length(options->direction) : 0.0;
  if (!(length > 0.0 && isfinite(length)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "direction is (%g, %g, %g); it must be finite and not 0",
                  options->direction[0], options->direction[1], options->direction[2]);
  if (dimension == 2 && options->direction[2] != 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT, "direction[2] is %g; it must be 0 in two dimensions",
                  options->direction[2]);
  return FLOC_OK;
}

floc_status source_check(environment *env, const floc_ray_source_options *options, int32_t dimension)
{
  floc_status status = fields_check(env, &struct_ray_source_options, options);
  if (status == FLOC_OK) status = check_beam(env, options, dimension);
  return status == FLOC_OK ? check_schedule(env, options) : status;
}

/* ---- emission ---- */

/* An orthonormal frame whose first vector is the direction; in 2-D the third is z. */
static void beam_frame(const double direction[3], int32_t dimension, double frame[3][3])
{
  double length = vector_length(direction);
  for (int k = 0; k < 3; k++) frame[0][k] = direction[k] / length;
  double helper[3] = {0.0, 0.0, 0.0};
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(frame[0][k]) < fabs(frame[0][least])) least = k;
  helper[dimension == 2 ? 2 : least] = 1.0;
  vector_cross(helper, frame[0], frame[1]);
  length = vector_length(frame[1]);
  for (int k = 0; k < 3; k++) frame[1][k] /= length;
  vector_cross(frame[0], frame[1], frame[2]);
}

/* Distance from the start plane to aim that puts the plane before every sphere. */
static double automatic_distance(const ray_scene *scene, const double aim[3], const double axis[3])
{
  double distance = 0.0;
  for (int64_t k = 0; k < scene->instance_count; k++) {
    double upstream[3];
    vector_difference(aim, scene->instance[k].center, upstream);
    double needed = vector_dot(upstream, axis) + scene->instance[k].radius;
    if (needed > distance) distance = needed;
  }
  return distance + 1e-6 * scene->greatest_radius;
}

typedef struct emission {
  const floc_ray_source_options *options;
  int32_t dimension;
  double frame[3][3];
  double distance;
  double turn; /* even sampling: 0 .. 1 */
} emission;

static void start_plane_ray(const emission *beam, int64_t number, const double random[4], floc_ray *ray)
{
  const floc_ray_source_options *options = beam->options;
  bool even = options->sampling == FLOC_RAY_SAMPLING_EVEN;
  double n = (double)options->rays, across[2];
  if (beam->dimension == 2) {
    double place = even ? ((double)number + beam->turn) / n : random[0];
    across[0] = options->radius * (2.0 * place - 1.0);
    across[1] = 0.0;
    ray->area = 2.0 * options->radius / n;
  } else {
    double share = even ? ((double)number + 0.5) / n : random[0];
    double angle = even ? (double)number * GOLDEN_ANGLE + 2.0 * PI * beam->turn : 2.0 * PI * random[1];
    across[0] = options->radius * sqrt(share) * floc_cos(angle);
    across[1] = options->radius * sqrt(share) * floc_sin(angle);
    ray->area = PI * options->radius * options->radius / n;
  }
  for (int k = 0; k < 3; k++) {
    ray->direction[k] = beam->frame[0][k];
    ray->position[k] = options->aim[k] - beam->distance * beam->frame[0][k] + across[0] * beam->frame[1][k] +
                       across[1] * beam->frame[2][k];
  }
}

static void start_point_ray(const emission *beam, int64_t number, const double random[4], floc_ray *ray)
{
  const floc_ray_source_options *options = beam->options;
  bool even = options->sampling == FLOC_RAY_SAMPLING_EVEN;
  double n = (double)options->rays, part[3];
  if (beam->dimension == 2) {
    double place = even ? ((double)number + beam->turn) / n : random[0];
    double angle = options->half_angle * (2.0 * place - 1.0);
    part[0] = floc_cos(angle), part[1] = floc_sin(angle), part[2] = 0.0;
    ray->solid_angle = 2.0 * options->half_angle / n;
  } else {
    double cap = 1.0 - floc_cos(options->half_angle);
    double cosine = 1.0 - cap * (even ? ((double)number + 0.5) / n : random[0]);
    double sine = sqrt((1.0 - cosine) * (1.0 + cosine));
    double angle = even ? (double)number * GOLDEN_ANGLE + 2.0 * PI * beam->turn : 2.0 * PI * random[1];
    part[0] = cosine, part[1] = sine * floc_cos(angle), part[2] = sine * floc_sin(angle);
    ray->solid_angle = 2.0 * PI * cap / n;
  }
  for (int k = 0; k < 3; k++) {
    ray->position[k] = options->aim[k];
    ray->direction[k] = part[0] * beam->frame[0][k] + part[1] * beam->frame[1][k] + part[2] * beam->frame[2][k];
  }
}

static floc_status ask_emitter(environment *env, const floc_ray_source_options *options, int64_t number,
                               double time, floc_ray *ray)
{
  callback_mark before = callback_begin(env, CALLBACK_EMIT, NULL);
  floc_status status = options->emit(options->emit_context, number, time, ray);
  int32_t changed = float_take_back();
  callback_end(env, before);
  status = callback_verdict(env, status, changed, "the emit function at ray %lld", (long long)number);
  if (status != FLOC_OK) return status;
  double length = all_finite(ray->direction) ? vector_length(ray->direction) : 0.0;
  bool fits = all_finite(ray->position) && length > 0.0 && isfinite(length) && ray->power >= 0.0 &&
              isfinite(ray->power) && ray->area >= 0.0 && isfinite(ray->area) && ray->solid_angle >= 0.0 &&
              isfinite(ray->solid_angle);
  if (!fits)
    return refuse(
        env, FLOC_CALLBACK_FAILED,
        "the emit function returned for ray %lld a position, direction, power (%g), area (%g) or solid_angle (%g) "
        "that is not finite, negative, or a direction of length 0",
        (long long)number, ray->power, ray->area, ray->solid_angle);
  return FLOC_OK;
}

static void make_record(const ray_scene *scene, const floc_ray *ray, int64_t number, int32_t source,
                        ray_record *record)
{
  *record = (ray_record){.power = ray->power,
                         .first_power = ray->power,
                         .area = ray->area,
                         .solid_angle = ray->solid_angle,
                         .number = number,
                         .source = source};
  record->path.left_image = IMAGE_HOME;
  double direction[3] = {ray->direction[0], ray->direction[1], scene->dimension == 3 ? ray->direction[2] : 0.0};
  double length = vector_length(direction);
  for (int k = 0; k < 3; k++) {
    record->path.direction[k] = length > 0.0 ? direction[k] / length : k == 0;
    double x = k < scene->dimension ? ray->position[k] : 0.0;
    record->path.position[k] = k < scene->dimension ? domain_wrap(scene->box, k, x) : x;
  }
  record->path.emerging = ray_scene_inside_sphere(scene, record->path.position);
}

typedef struct pulse {
  const ray_scene *scene;
  const pulse_identity *identity;
  emission beam;
  ray_record *rays;
} pulse;

/* The source's number as random numbers count it. */
static uint64_t source_counter(const pulse_identity *identity)
{
  return identity->source < 0 ? 0 : (uint64_t)identity->source;
}

static void emit_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pulse *shot = context;
  const pulse_identity *identity = shot->identity;
  const floc_ray_source_options *options = shot->beam.options;
  for (int64_t k = begin; k < end; k++) {
    double random[4];
    floc_ray ray = {.power = options->power / (double)options->rays};
    random_uniform4(identity->seed, (uint64_t)k, (uint64_t)identity->pulse, RANDOM_RAY, source_counter(identity),
                    random);
    if (options->kind == FLOC_RAY_SOURCE_PLANE_WAVE)
      start_plane_ray(&shot->beam, k, random, &ray);
    else
      start_point_ray(&shot->beam, k, random, &ray);
    make_record(shot->scene, &ray, k, identity->source, &shot->rays[k]);
  }
}

/* One ray after another, as the host's function wants it. */
static floc_status ask_for_rays(environment *env, const ray_scene *scene, const floc_ray_source_options *options,
                                const pulse_identity *identity, ray_record *rays)
{
  for (int64_t k = 0; k < options->rays; k++) {
    floc_ray ray = {.power = options->power / (double)options->rays};
    floc_status status = ask_emitter(env, options, k, identity->time, &ray);
    if (status != FLOC_OK) return status;
    make_record(scene, &ray, k, identity->source, &rays[k]);
  }
  return FLOC_OK;
}

floc_status emit_pulse(environment *env, const ray_scene *scene, const floc_ray_source_options *options,
                       const pulse_identity *identity, ray_record *rays)
{
  if (options->kind == FLOC_RAY_SOURCE_FUNCTION) return ask_for_rays(env, scene, options, identity, rays);
  pulse shot = {scene, identity, {.options = options, .dimension = scene->dimension}, rays};
  emission *beam = &shot.beam;
  double random[4];
  beam_frame(options->direction, scene->dimension, beam->frame);
  beam->distance = options->distance;
  if (options->kind == FLOC_RAY_SOURCE_PLANE_WAVE && options->distance == 0.0)
    beam->distance = automatic_distance(scene, options->aim, beam->frame[0]);
  random_uniform4(identity->seed, UINT64_MAX, (uint64_t)identity->pulse, RANDOM_RAY, source_counter(identity),
                  random);
  beam->turn = random[0];
  parallel_for(env, options->rays, RAYS_PER_BLOCK, emit_block, &shot);
  return FLOC_OK;
}
