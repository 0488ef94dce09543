/*
 * Rays in batches of chunks. See tracer.h.
 *
 * What hits add up to is put down in a log per chunk, of fixed size: workers allocate nothing. A chunk whose log is
 * full stops, is settled with the others, and continues in the next leg of its batch. Sizes of chunks, logs and
 * batches are fixed, so the order of all sums is, too.
 *
 * Sums are in order, 5 % of the work, and made while others fly the next leg: a chunk has two logs, one that is
 * being written and one of the leg before. The last leg of a batch is settled in the first of the next. The account
 * of power and the forces know nothing of each other, so they are two parts of a leg, the first and the last: with
 * two threads each has one.
 */
#include "rays/tracer.h"

#include "base/callback.h"
#include "base/interruption.h"
#include "base/mathematics/mathematics.h"
#include "base/structs.h"
#include "base/threads/parallel.h"
#include "geometry/vector.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256, GROUP = 16, LOG = 1024, BATCH = 16, ADVANCE_LIMIT = 10000000 };

/* What one flight came to. */
typedef struct ray_event {
  flight flown;
  double from[3];
  double incident_cosine;
  double refracted[3];
  double area;
  double faded;       /* power that was lost on the way */
  int32_t faded_slot; /* of the particle that took it, or IN_SURROUNDINGS */
  floc_ray_response response;
} ray_event;

/* What is to be added up for it. */
typedef struct settlement {
  int32_t slot; /* of the particle that was hit, or one of the following */
  double power; /* absorbed, escaped, lost */
  double rest;  /* that the ray still had when it was ended here */
  double faded; /* on the way here */
  int32_t faded_slot;
  double force[3], torque[3];
} settlement;

enum {
  ON_OBSTACLE = -1,
  ESCAPED = -2,
  LOST = -3,
  UNDER_WAY = -4,
  IN_SURROUNDINGS = -1
}; /* the force is the power times the direction if it escaped */

static const double ENDED = -1.0;

typedef struct hit_log {
  settlement *entry;
  int32_t count;
} hit_log;

typedef struct ray_chunk {
  ray_record *rays;
  double *remaining; /* length that each may still fly; ENDED: it is no more */
  int32_t *active;   /* those that fly */
  int32_t count, active_count;
  hit_log log, before; /* of this leg, of the leg before */
  floc_status status;  /* of the host's function */
} ray_chunk;

typedef struct ray_batch {
  tracer *trace;
  interface_ratio into[MEDIA_MATERIALS], out_of[MEDIA_MATERIALS]; /* by material */
  const double *material;                                         /* of particles; NULL: all of one */
  double length;
  bool fades;                    /* something attenuates */
  bool in_order;                 /* one thread; what follows a failure is not done */
  int64_t chunks, chunks_before; /* of this leg; of the leg before, which is to be settled */
  ray_chunk chunk[BATCH];
} ray_batch;

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

/* ---- flights ---- */

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
static void respond_at_sphere(const ray_batch *batch, const ray_record *ray, ray_event *event)
{
  const int material = media_material(batch->trace->media, batch->material, event->flown.slot);
  const interface_ratio *ratio = ray->path.inside ? &batch->out_of[material] : &batch->into[material];
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

static void respond_at_obstacle(const ray_batch *batch, const ray_record *ray, ray_event *event)
{
  event->response.action = FLOC_HIT_REFLECT;
  event->response.power = batch->trace->media->body_reflectance * ray->power;
  mirror(ray->path.direction, event->flown.normal, event->incident_cosine, event->response.direction);
}

/* exp(-attenuation d) of the power is left after a flight. A ray that escapes flies in what is described until it
 * leaves the box around the particles. */
static void fade(const ray_batch *batch, ray_record *ray, bool was_inside, ray_event *event)
{
  const tracer *trace = batch->trace;
  double length = event->flown.length, before = ray->power;
  int medium = 0;
  if (was_inside) {
    event->faded_slot = (int32_t)particles_find(trace->scene->table, ray->path.left);
    medium = 1 + media_material(trace->media, batch->material, event->faded_slot);
  }
  if (event->flown.end == FLIGHT_ESCAPED) length = event->flown.last_way;
  if (event->flown.end == FLIGHT_STOPPED) length -= fmin(length, ray_scene_beyond(trace->scene, &ray->path));
  ray->power *= floc_exp(-trace->media->attenuation[medium] * length);
  event->faded = before - ray->power;
}

/* Flies to the next surface, or as far as the ray may. */
static void fly_to_hit(const ray_batch *batch, ray_chunk *chunk, int32_t number, ray_event *event)
{
  ray_record *ray = &chunk->rays[number];
  memcpy(event->from, ray->path.position, sizeof event->from);
  memset(event->refracted, 0, sizeof event->refracted);
  memset(event->response.force, 0, sizeof event->response.force);
  event->faded = 0.0;
  event->faded_slot = IN_SURROUNDINGS;
  fly(batch->trace, &ray->path, chunk->remaining[number], &event->flown);
  ray->length += event->flown.length;
  event->area = area_here(batch->trace, ray);
  if (batch->fades) fade(batch, ray, ray->path.inside, event);
  if (event->flown.end != FLIGHT_HIT_SPHERE && event->flown.end != FLIGHT_HIT_OBSTACLE) return;
  double cosine = -vector_dot(ray->path.direction, event->flown.normal);
  event->incident_cosine = cosine < 0.0 ? 0.0 : cosine > 1.0 ? 1.0 : cosine;
  if (event->flown.end == FLIGHT_HIT_SPHERE)
    respond_at_sphere(batch, ray, event);
  else
    respond_at_obstacle(batch, ray, event);
}

/* ---- hits ---- */

static void record_segment(tracer *trace, const ray_record *ray, const ray_event *event)
{
  if (trace->segment_count < trace->segment_capacity) {
    double length = event->flown.length;
    if (event->flown.end == FLIGHT_ESCAPED) {
      traveler start = ray->path;
      memcpy(start.position, event->from, sizeof start.position);
      length = ray_scene_leave(trace->scene, &start) + 0.1 * trace->scene->size;
    }
    floc_ray_segment segment = {.ray = ray->number, .power = ray->power};
    memcpy(segment.from, event->from, sizeof segment.from);
    vector_add_scaled(event->from, length, ray->path.direction, segment.to);
    struct_put_element(trace->segments, trace->segment_count, trace->segment_size, &segment, sizeof segment);
  }
  trace->segment_count++;
}

static floc_status ask_host(const tracer *trace, const ray_record *ray, ray_event *event)
{
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
  callback_mark before = callback_begin(trace->env, CALLBACK_HIT, NULL);
  floc_status status = trace->source->hit(trace->source->hit_context, &hit, response);
  int32_t changed = float_take_back();
  callback_end(trace->env, before);
  status = callback_verdict(trace->env, status, changed, "the hit function at ray %lld", (long long)ray->number);
  if (status != FLOC_OK) return status;
  if (response->action == FLOC_HIT_ABSORB) response->power = 0.0;
  bool known = response->action >= FLOC_HIT_REFLECT && response->action <= FLOC_HIT_TRANSMIT;
  if (!known || !(response->power >= 0.0 && response->power <= ray->power))
    return refuse(trace->env, FLOC_CALLBACK_FAILED,
                  "the hit function returned action %d and power %g; action must be 1 to 3, power 0 to %g",
                  response->action, response->power, ray->power);
  for (int k = 0; k < 3; k++)
    if (!isfinite(response->force[k]) || !isfinite(response->direction[k]))
      return refuse(trace->env, FLOC_CALLBACK_FAILED,
                    "the hit function returned a force or direction that is not finite");
  return FLOC_OK;
}

/* Direction of the ray that continues; false if the host gave none. */
static bool turn(const tracer *trace, ray_record *ray, const double direction[3])
{
  double next[3] = {direction[0], direction[1], trace->scene->dimension == 3 ? direction[2] : 0.0};
  double length = vector_length(next);
  if (!(length > 0.0)) return false;
  for (int k = 0; k < 3; k++) ray->path.direction[k] = next[k] / length;
  return true;
}

static const double LEAST_POWER = 1e-300; /* below, numbers lose precision and never reach 0 */

static bool is_exhausted(const tracer *trace, const ray_record *ray)
{
  return ray->bounces >= trace->source->max_bounces || ray->power < LEAST_POWER ||
         ray->power < trace->source->power_floor * ray->first_power;
}

/* Force and torque about the centre (18) on the particle. */
static void note_push(const ray_record *ray, const ray_event *event, settlement *entry)
{
  double arm[3];
  entry->slot = event->flown.slot;
  memcpy(entry->force, event->response.force, sizeof entry->force);
  vector_difference(ray->path.position, event->flown.center, arm);
  vector_cross(arm, event->response.force, entry->torque);
}

/* The ray after a hit. *goes_on tells whether it flies on. */
static floc_status take_hit(const tracer *trace, ray_record *ray, ray_event *event, settlement *entry,
                            bool *goes_on)
{
  bool sphere = event->flown.end == FLIGHT_HIT_SPHERE;
  *goes_on = false;
  if (trace->source->hit) {
    floc_status status = ask_host(trace, ray, event);
    if (status != FLOC_OK) return status;
  }
  entry->slot = ON_OBSTACLE;
  entry->power = ray->power - event->response.power;
  if (sphere) note_push(ray, event, entry);
  ray->power = event->response.power;
  ray->bounces++;
  ray->path.emerging = false;
  ray->path.left = event->flown.surface;
  ray->path.left_image = sphere ? event->flown.image : IMAGE_HOME;
  if (sphere && event->response.action == FLOC_HIT_TRANSMIT) ray->path.inside = !ray->path.inside;
  if (event->response.action == FLOC_HIT_ABSORB) return FLOC_OK;
  if (!turn(trace, ray, event->response.direction))
    return refuse(trace->env, FLOC_CALLBACK_FAILED, "the hit function returned a direction of length 0");
  *goes_on = !is_exhausted(trace, ray) && ray->power > 0.0;
  if (!*goes_on) entry->rest = ray->power;
  return FLOC_OK;
}

static void lose_ray(const ray_record *ray, bool escaped, settlement *entry)
{
  entry->slot = escaped ? ESCAPED : LOST;
  entry->power = ray->power;
  for (int k = 0; k < 3; k++) entry->force[k] = ray->power * ray->path.direction[k];
}

/* After a flight. Whether the ray flies on. */
static bool follow(const ray_batch *batch, ray_chunk *chunk, int32_t number, ray_event *event)
{
  tracer *trace = batch->trace;
  ray_record *ray = &chunk->rays[number];
  bool goes_on = false;
  if (trace->segments) record_segment(trace, ray, event);
  chunk->remaining[number] -= event->flown.length;
  const bool stopped = event->flown.end == FLIGHT_STOPPED;
  if (stopped) chunk->remaining[number] = 0.0; /* alive, but done for now */
  if (stopped && !(event->faded > 0.0)) return false;
  settlement *entry = &chunk->log.entry[chunk->log.count++];
  *entry = (settlement){.slot = UNDER_WAY, .faded = event->faded, .faded_slot = event->faded_slot};
  if (stopped) return false;
  if (event->flown.end == FLIGHT_HIT_SPHERE || event->flown.end == FLIGHT_HIT_OBSTACLE)
    chunk->status = take_hit(trace, ray, event, entry, &goes_on);
  else
    lose_ray(ray, event->flown.end == FLIGHT_ESCAPED, entry);
  if (goes_on && chunk->remaining[number] > 0.0) return true;
  chunk->remaining[number] = goes_on ? 0.0 : ENDED;
  return false;
}

/* A group's rays fly to their next surfaces; those that fly on are put into `active` from `going_on`. In two loops:
 * while one ray waits for a root or a division others are computed. */
static int32_t fly_group(const ray_batch *batch, ray_chunk *chunk, int32_t first, int32_t going_on)
{
  ray_event event[GROUP];
  int32_t count = chunk->active_count - first < GROUP ? chunk->active_count - first : GROUP;
  for (int32_t k = 0; k < count; k++) fly_to_hit(batch, chunk, chunk->active[first + k], &event[k]);
  for (int32_t k = 0; k < count && chunk->status == FLOC_OK; k++) {
    int32_t number = chunk->active[first + k];
    if (follow(batch, chunk, number, &event[k])) chunk->active[going_on++] = number;
  }
  return going_on;
}

/* Rounds: every ray flies to its next surface. */
static void fly_chunk(const ray_batch *batch, ray_chunk *chunk)
{
  while (chunk->active_count > 0 && chunk->log.count + chunk->active_count <= LOG) {
    if (interrupted(batch->trace->env)) {
      chunk->status = FLOC_INTERRUPTED;
      return;
    }
    work_add(batch->trace->env, WORK_RAYS, WORK_FLIGHT * (int64_t)chunk->active_count);
    int32_t going_on = 0;
    for (int32_t first = 0; first < chunk->active_count; first += GROUP)
      going_on = fly_group(batch, chunk, first, going_on);
    chunk->active_count = going_on;
    if (chunk->status != FLOC_OK) return;
  }
}

/* ---- sums: in order ---- */

static double *touch(ray_pushes *pushes, int32_t slot)
{
  double *push = &pushes->value[(int64_t)slot * PUSH_SIZE];
  if (!pushes->is_touched[slot]) {
    pushes->is_touched[slot] = true;
    pushes->touched[pushes->touched_count++] = slot;
    memset(push, 0, PUSH_SIZE * sizeof *push);
  }
  return push;
}

static void push_particle(ray_pushes *pushes, const settlement *entry)
{
  double *push = touch(pushes, entry->slot);
  for (int k = 0; k < 3; k++) {
    push[k] += entry->force[k];
    push[3 + k] += entry->torque[k];
  }
  push[6] += entry->power;
}

static void end_ray(ray_tally *tally, double power)
{
  compensated_add(&tally->residual, power);
  tally->ended_rays += 1.0;
}

static void account(ray_tally *tally, compensated *attenuated, const settlement *entry)
{
  if (entry->faded > 0.0) compensated_add(entry->faded_slot >= 0 ? &tally->absorbed : attenuated, entry->faded);
  if (entry->slot == UNDER_WAY) return;
  if (entry->slot == ESCAPED) {
    compensated_add(&tally->escaped, entry->power);
    for (int k = 0; k < 3; k++) compensated_add(&tally->exit_power[k], entry->force[k]);
  } else if (entry->slot == LOST) {
    end_ray(tally, entry->power);
  } else if (entry->slot == ON_OBSTACLE) {
    compensated_add(&tally->body_absorbed, entry->power);
    tally->body_reflections += 1.0;
  } else {
    compensated_add(&tally->absorbed, entry->power);
    tally->reflections += 1.0;
  }
  if (entry->rest > 0.0) end_ray(tally, entry->rest);
}

static void account_for_leg_before(const ray_batch *batch)
{
  for (int64_t n = 0; n < batch->chunks_before; n++) {
    const hit_log *log = &batch->chunk[n].before;
    for (int32_t k = 0; k < log->count; k++) account(batch->trace->tally, batch->trace->attenuated, &log->entry[k]);
  }
}

static void push_for_leg_before(const ray_batch *batch)
{
  ray_pushes *pushes = batch->trace->pushes;
  for (int64_t n = 0; n < batch->chunks_before && pushes->value; n++) {
    const hit_log *log = &batch->chunk[n].before;
    for (int32_t k = 0; k < log->count; k++) {
      const settlement *entry = &log->entry[k];
      if (entry->slot >= 0) push_particle(pushes, entry);
      if (entry->faded > 0.0 && entry->faded_slot >= 0) touch(pushes, entry->faded_slot)[6] += entry->faded;
    }
  }
}

/* ---- legs ---- */

static void fly_one_chunk(ray_batch *batch, int64_t number)
{
  ray_chunk *chunk = &batch->chunk[number];
  chunk->log.count = 0;
  if (batch->in_order && number > 0) chunk->status = chunk[-1].status;
  if (chunk->status == FLOC_OK) fly_chunk(batch, chunk);
}

static void do_part_of_leg(void *context, int64_t begin, int64_t end, int64_t part)
{
  (void)begin, (void)end;
  ray_batch *batch = context;
  if (part == 0)
    account_for_leg_before(batch);
  else if (part > batch->chunks)
    push_for_leg_before(batch);
  else
    fly_one_chunk(batch, part - 1);
}

/* *again: a chunk is not done yet. */
static floc_status end_leg(ray_batch *batch, bool *again)
{
  *again = false;
  for (int64_t n = 0; n < batch->chunks; n++) {
    ray_chunk *chunk = &batch->chunk[n];
    if (chunk->status != FLOC_OK) return chunk->status;
    hit_log written = chunk->log;
    chunk->log = chunk->before;
    chunk->before = written;
    *again |= chunk->active_count > 0;
  }
  batch->chunks_before = batch->chunks;
  return FLOC_OK;
}

/* ---- all together ---- */

static void give_rays(ray_batch *batch, ray_record *rays, int64_t count)
{
  batch->chunks = 0;
  for (int64_t first = 0; first < count; first += CHUNK) {
    ray_chunk *chunk = &batch->chunk[batch->chunks++];
    chunk->rays = rays + first;
    chunk->count = chunk->active_count = count - first < CHUNK ? (int32_t)(count - first) : CHUNK;
    for (int32_t k = 0; k < chunk->count; k++) {
      chunk->active[k] = k;
      chunk->remaining[k] = batch->length;
    }
  }
}

static floc_status trace_batch(ray_batch *batch, ray_record *rays, int64_t count)
{
  const tracer *trace = batch->trace;
  environment threads = *trace->env;
  batch->in_order = trace->source->hit || trace->segments;
  if (batch->in_order) threads.threads = 1;
  give_rays(batch, rays, count);
  floc_status status = FLOC_OK;
  for (bool again = true; again && status == FLOC_OK;) {
    parallel_for(&threads, batch->chunks + 2, 1, do_part_of_leg, batch);
    status = end_leg(batch, &again);
  }
  return status;
}

static bool make_chunks(ray_batch *batch, arena *scratch, int64_t count)
{
  int64_t chunks = parallel_block_count(count, CHUNK);
  for (int64_t k = 0; k < BATCH && k < chunks; k++) {
    ray_chunk *chunk = &batch->chunk[k];
    chunk->log.entry = arena_allocate(scratch, LOG, sizeof *chunk->log.entry);
    chunk->before.entry = arena_allocate(scratch, LOG, sizeof *chunk->before.entry);
    chunk->remaining = arena_allocate(scratch, CHUNK, sizeof *chunk->remaining);
    chunk->active = arena_allocate(scratch, CHUNK, sizeof *chunk->active);
    if (!chunk->log.entry || !chunk->before.entry || !chunk->remaining || !chunk->active) return false;
  }
  return true;
}

floc_status trace_rays(tracer *trace, arena *scratch, ray_record *rays, int64_t *count, double length)
{
  enum { RAYS = BATCH * CHUNK };
  ray_batch batch = {.trace = trace, .material = media_column(trace->scene->table, "material"), .length = length};
  floc_status allowed = media_check_attenuation(trace->env, trace->media, trace->source);
  if (allowed != FLOC_OK) return allowed;
  for (int k = 0; k <= MEDIA_MATERIALS; k++) batch.fades |= trace->media->attenuation[k] > 0.0;
  for (int k = 0; k <= trace->media->materials; k++) {
    batch.into[k] = media_into(trace->media, k);
    batch.out_of[k] = media_out_of(trace->media, k);
  }
  if (!make_chunks(&batch, scratch, *count)) return FLOC_OUT_OF_MEMORY;
  int64_t left = 0;
  for (int64_t first = 0; first < *count; first += RAYS) {
    int64_t size = *count - first < RAYS ? *count - first : RAYS;
    floc_status status = trace_batch(&batch, rays + first, size);
    if (status != FLOC_OK) return status;
    for (int64_t k = 0; k < size; k++)
      if (batch.chunk[k / CHUNK].remaining[k % CHUNK] >= 0.0) rays[left++] = rays[first + k];
  }
  account_for_leg_before(&batch);
  push_for_leg_before(&batch);
  *count = left;
  return FLOC_OK;
}
