/*
 * Rounds of flights and hits. See tracer.h.
 */
#include "rays/tracer.h"

#include "base/parallel.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 2048, FLIGHT_BLOCK = 64, ADVANCE_LIMIT = 10000000 };

/* What one ray did in one round. */
typedef struct ray_event {
  flight flown;
  double from[3];
  double incident_cosine;
  double refracted[3];
  double area;
  floc_ray_response response;
} ray_event;

typedef struct ray_round {
  tracer *trace;
  interface_ratio into, out_of;
  ray_record *rays;  /* of the chunk */
  double *remaining; /* length that each may still fly */
  int32_t *active;   /* numbers within the chunk */
  ray_event *event;  /* beside active */
} ray_round;

void compensated_add(compensated *total, double term)
{
  double sum = total->sum + term;
  if (fabs(total->sum) >= fabs(term))
    total->rest += (total->sum - sum) + term;
  else
    total->rest += (term - sum) + total->sum;
  total->sum = sum;
}

double compensated_value(const compensated *total)
{
  return total->sum + total->rest;
}

floc_status ray_pushes_allocate(ray_pushes *pushes, arena *scratch, int64_t particle_count)
{
  size_t count = (size_t)particle_count;
  *pushes = (ray_pushes){.value = arena_allocate(scratch, count * PUSH_SIZE, sizeof(double)),
                         .touched = arena_allocate(scratch, count, sizeof(int32_t)),
                         .is_touched = arena_allocate(scratch, count, sizeof(bool))};
  if (!pushes->value || !pushes->touched || !pushes->is_touched) return FLOC_OUT_OF_MEMORY;
  memset(pushes->is_touched, 0, count * sizeof(bool));
  return FLOC_OK;
}

void ray_pushes_clear(ray_pushes *pushes)
{
  for (int64_t k = 0; k < pushes->touched_count; k++) pushes->is_touched[pushes->touched[k]] = false;
  pushes->touched_count = 0;
}

/* ---- flights: in parallel ---- */

static void fly(const tracer *trace, traveler *path, double length, flight *result)
{
  if (trace->source->method == FLOC_RAY_METHOD_EXACT || path->inside) {
    ray_scene_fly(trace->scene, path, length, result);
    return;
  }
  double stride = trace->scene->least_radius < INFINITY ? trace->source->advance * trace->scene->least_radius : 1.0;
  double flown = 0.0;
  for (int64_t k = 0; k < ADVANCE_LIMIT; k++) {
    bool last = !(flown + stride < length);
    ray_scene_advance(trace->scene, path, last ? length - flown : stride, result);
    flown += result->length;
    if (result->end != FLIGHT_STOPPED || last) break;
    if (k == ADVANCE_LIMIT - 1) result->end = FLIGHT_LOST;
  }
  result->length = flown;
}

static double area_here(const tracer *trace, const ray_record *ray)
{
  double growth = trace->scene->dimension == 3 ? ray->length * ray->length : ray->length;
  return ray->area + ray->solid_angle * growth;
}

static void mirror(const double direction[3], const double normal[3], double cosine, double reflected[3])
{
  for (int k = 0; k < 3; k++) reflected[k] = direction[k] + 2.0 * cosine * normal[k];
}

/* Acoustic reflection (2) and force (7); from within a particle the refracted part goes out. */
static void respond_at_sphere(const ray_round *round, const ray_record *ray, ray_event *event)
{
  const interface_ratio *ratio = ray->path.inside ? &round->out_of : &round->into;
  floc_ray_response *response = &event->response;
  double refracted_cosine;
  double reflectance = media_reflectance(ratio, event->incident_cosine, &refracted_cosine);
  response->action = FLOC_HIT_REFLECT;
  response->power = reflectance * ray->power;
  mirror(ray->path.direction, event->flown.normal, event->incident_cosine, response->direction);
  if (reflectance >= 1.0) return;
  media_refract(ratio, ray->path.direction, event->flown.normal, event->incident_cosine, refracted_cosine,
                event->refracted);
  if (ray->path.inside) {
    response->action = FLOC_HIT_TRANSMIT;
    response->power = ray->power - response->power;
    memcpy(response->direction, event->refracted, sizeof response->direction);
    return;
  }
  double force = media_force(ratio, ray->power - response->power, event->area);
  for (int k = 0; k < 3; k++) response->force[k] = force * event->refracted[k];
}

static void respond_at_obstacle(const ray_round *round, const ray_record *ray, ray_event *event)
{
  event->response.action = FLOC_HIT_REFLECT;
  event->response.power = round->trace->media->body_reflectance * ray->power;
  mirror(ray->path.direction, event->flown.normal, event->incident_cosine, event->response.direction);
}

static void fly_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  ray_round *round = context;
  for (int64_t k = begin; k < end; k++) {
    ray_record *ray = &round->rays[round->active[k]];
    ray_event *event = &round->event[k];
    memcpy(event->from, ray->path.position, sizeof event->from);
    memset(event->refracted, 0, sizeof event->refracted);
    memset(event->response.force, 0, sizeof event->response.force);
    fly(round->trace, &ray->path, round->remaining[round->active[k]], &event->flown);
    ray->length += event->flown.length;
    event->area = area_here(round->trace, ray);
    if (event->flown.end != FLIGHT_HIT_SPHERE && event->flown.end != FLIGHT_HIT_OBSTACLE) continue;
    double cosine = -vector_dot(ray->path.direction, event->flown.normal);
    event->incident_cosine = cosine < 0.0 ? 0.0 : cosine > 1.0 ? 1.0 : cosine;
    if (event->flown.end == FLIGHT_HIT_SPHERE)
      respond_at_sphere(round, ray, event);
    else
      respond_at_obstacle(round, ray, event);
  }
}

/* ---- settling: in order ---- */

static void record_segment(tracer *trace, const ray_record *ray, const ray_event *event)
{
  if (trace->segment_count < trace->segment_capacity) {
    floc_ray_segment *segment = &trace->segments[trace->segment_count];
    double length = event->flown.length;
    if (event->flown.end == FLIGHT_ESCAPED) {
      traveler start = ray->path;
      memcpy(start.position, event->from, sizeof start.position);
      length = ray_scene_leave(trace->scene, &start) + 0.1 * trace->scene->size;
    }
    segment->ray = ray->number;
    segment->power = ray->power;
    memcpy(segment->from, event->from, sizeof segment->from);
    vector_add_scaled(event->from, length, ray->path.direction, segment->to);
  }
  trace->segment_count++;
}

static floc_status ask_host(const ray_round *round, const ray_record *ray, ray_event *event)
{
  const tracer *trace = round->trace;
  floc_ray_hit hit = {.ray = ray->number,
                      .body = -1,
                      .bounces = ray->bounces,
                      .inside = ray->path.inside,
                      .source = ray->source,
                      .power = ray->power,
                      .incident_cosine = event->incident_cosine,
                      .area = event->area,
                      .time = trace->time};
  if (event->flown.end == FLIGHT_HIT_SPHERE)
    hit.id = event->flown.surface;
  else if (event->flown.surface <= FIRST_SHAPE_NAME)
    hit.body = trace->scene->obstacles->world[FIRST_SHAPE_NAME - event->flown.surface].body;
  for (int k = 0; k < 3; k++) {
    hit.point[k] = ray->path.position[k];
    hit.normal[k] = event->flown.normal[k];
    hit.direction[k] = ray->path.direction[k];
    hit.refracted_direction[k] = event->refracted[k];
  }
  floc_ray_response *response = &event->response;
  floc_status status = trace->source->hit(trace->source->hit_context, &hit, response);
  if (status != FLOC_OK)
    return refuse(trace->env, FLOC_CALLBACK_FAILED, "the hit function failed (%s) at ray %lld",
                  floc_status_name(status), (long long)ray->number);
  if (response->action == FLOC_HIT_ABSORB) response->power = 0.0;
  bool known = response->action >= FLOC_HIT_REFLECT && response->action <= FLOC_HIT_TRANSMIT;
  if (!known || !(response->power >= 0.0 && response->power <= ray->power))
    return refuse(trace->env, FLOC_CALLBACK_FAILED,
                  "the hit function gave action %d and power %g; action must be 1 to 3, power 0 to %g",
                  response->action, response->power, ray->power);
  for (int k = 0; k < 3; k++)
    if (!isfinite(response->force[k]) || !isfinite(response->direction[k]))
      return refuse(trace->env, FLOC_CALLBACK_FAILED,
                    "the hit function gave a force or direction that is not finite");
  return FLOC_OK;
}

static void push_particle(tracer *trace, const ray_record *ray, const ray_event *event, double absorbed)
{
  ray_pushes *pushes = trace->pushes;
  int32_t slot = event->flown.slot;
  double *push = &pushes->value[(int64_t)slot * PUSH_SIZE];
  if (!pushes->is_touched[slot]) {
    pushes->is_touched[slot] = true;
    pushes->touched[pushes->touched_count++] = slot;
    memset(push, 0, PUSH_SIZE * sizeof *push);
  }
  double arm[3], torque[3];
  vector_difference(ray->path.position, event->flown.center, arm);
  vector_cross(arm, event->response.force, torque); /* (18) */
  for (int k = 0; k < 3; k++) {
    push[k] += event->response.force[k];
    push[3 + k] += torque[k];
  }
  push[6] += absorbed;
}

/* Direction of the ray that goes on; false if the host gave none. */
static bool turn(const tracer *trace, ray_record *ray, const double direction[3])
{
  double next[3] = {direction[0], direction[1], trace->scene->dimension == 3 ? direction[2] : 0.0};
  double length = vector_length(next);
  if (!(length > 0.0)) return false;
  for (int k = 0; k < 3; k++) ray->path.direction[k] = next[k] / length;
  return true;
}

static const double LEAST_POWER = 1e-300; /* below, numbers lose precision and never reach 0 */

/* A hit: power, push, and how the ray goes on. *goes_on tells whether it does. */
static floc_status settle_hit(const ray_round *round, ray_record *ray, ray_event *event, bool *goes_on)
{
  tracer *trace = round->trace;
  ray_tally *tally = trace->tally;
  bool sphere = event->flown.end == FLIGHT_HIT_SPHERE;
  *goes_on = false;
  if (trace->source->hit) {
    floc_status status = ask_host(round, ray, event);
    if (status != FLOC_OK) return status;
  }
  double absorbed = ray->power - event->response.power;
  compensated_add(sphere ? &tally->absorbed : &tally->body_absorbed, absorbed);
  if (sphere)
    tally->reflections += 1.0;
  else
    tally->body_reflections += 1.0;
  if (sphere && trace->pushes->value) push_particle(trace, ray, event, absorbed);
  ray->power = event->response.power;
  ray->bounces++;
  ray->path.emerging = false;
  ray->path.left = event->flown.surface;
  ray->path.left_image = sphere ? event->flown.image : IMAGE_HOME;
  if (sphere && event->response.action == FLOC_HIT_TRANSMIT) ray->path.inside = !ray->path.inside;
  if (event->response.action == FLOC_HIT_ABSORB) return FLOC_OK;
  if (!turn(trace, ray, event->response.direction))
    return refuse(trace->env, FLOC_CALLBACK_FAILED, "the hit function gave a direction of length 0");
  bool exhausted = ray->bounces >= trace->source->max_bounces || ray->power < LEAST_POWER ||
                   ray->power < trace->source->power_floor * ray->first_power;
  *goes_on = !exhausted && ray->power > 0.0;
  if (!*goes_on && ray->power > 0.0) {
    compensated_add(&tally->residual, ray->power);
    tally->ended_rays += 1.0;
  }
  return FLOC_OK;
}

static void settle_escape(tracer *trace, const ray_record *ray)
{
  compensated_add(&trace->tally->escaped, ray->power);
  for (int k = 0; k < 3; k++) compensated_add(&trace->tally->exit_power[k], ray->power * ray->path.direction[k]);
}

static const double ENDED = -1.0; /* in `remaining`: the ray is no more */

/* Settles the events of a round in order; *active_count becomes how many fly on. */
static floc_status settle_round(ray_round *round, int64_t *active_count)
{
  tracer *trace = round->trace;
  int64_t going_on = 0;
  for (int64_t k = 0; k < *active_count; k++) {
    int32_t number = round->active[k];
    ray_record *ray = &round->rays[number];
    ray_event *event = &round->event[k];
    if (trace->segments) record_segment(trace, ray, event);
    bool flies_on = false;
    round->remaining[number] -= event->flown.length;
    if (event->flown.end == FLIGHT_HIT_SPHERE || event->flown.end == FLIGHT_HIT_OBSTACLE) {
      floc_status status = settle_hit(round, ray, event, &flies_on);
      if (status != FLOC_OK) return status;
    } else if (event->flown.end == FLIGHT_ESCAPED) {
      settle_escape(trace, ray);
    } else if (event->flown.end == FLIGHT_LOST) {
      compensated_add(&trace->tally->residual, ray->power);
      trace->tally->ended_rays += 1.0;
    } else {
      round->remaining[number] = 0.0; /* stopped: alive, but done for now */
      continue;
    }
    if (flies_on && round->remaining[number] > 0.0)
      round->active[going_on++] = number;
    else
      round->remaining[number] = flies_on ? 0.0 : ENDED;
  }
  *active_count = going_on;
  return FLOC_OK;
}

static floc_status trace_chunk(ray_round *round, int64_t count, double length)
{
  const tracer *trace = round->trace;
  for (int64_t k = 0; k < count; k++) {
    round->active[k] = (int32_t)k;
    round->remaining[k] = length;
  }
  int64_t active_count = count;
  while (active_count > 0) {
    parallel_for(trace->env, active_count, FLIGHT_BLOCK, fly_block, round);
    floc_status status = settle_round(round, &active_count);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

floc_status trace_rays(tracer *trace, arena *scratch, ray_record *rays, int64_t *count, double length)
{
  ray_round round = {.trace = trace,
                     .into = media_into(trace->media),
                     .out_of = media_out_of(trace->media),
                     .remaining = arena_allocate(scratch, CHUNK, sizeof(double)),
                     .active = arena_allocate(scratch, CHUNK, sizeof(int32_t)),
                     .event = arena_allocate(scratch, CHUNK, sizeof(ray_event))};
  if (!round.remaining || !round.active || !round.event) return FLOC_OUT_OF_MEMORY;
  int64_t left = 0;
  for (int64_t first = 0; first < *count; first += CHUNK) {
    int64_t size = *count - first < CHUNK ? *count - first : CHUNK;
    round.rays = rays + first;
    floc_status status = trace_chunk(&round, size, length);
    if (status != FLOC_OK) return status;
    for (int64_t k = 0; k < size; k++)
      if (round.remaining[k] >= 0.0) rays[left++] = rays[first + k];
  }
  *count = left;
  return FLOC_OK;
}
