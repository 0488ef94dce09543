/*
 * Sources over time. See ray_sources.h.
 */
#include "rays/ray_state.h"

#include "base/interruption.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Pulses are due up to this fraction of a microscopic step late: times are sums of steps and carry rounding. */
static const double ROUNDING = 1e-9;

floc_status ray_sources_create(environment *env, int32_t dimension, uint64_t seed, ray_sources **all)
{
  *all = memory_resize(env, NULL, 0, sizeof **all);
  if (!*all) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof **all);
  **all = (ray_sources){.env = env, .dimension = dimension, .seed = seed};
  floc_media_init(&(*all)->media);
  return FLOC_OK;
}

static void times_free(environment *env, floc_ray_source_options *source)
{
  memory_free(env, (void *)(uintptr_t)source->times, (size_t)source->time_count * sizeof(double));
}

void ray_sources_destroy(ray_sources *all)
{
  if (!all) return;
  environment *env = all->env;
  for (int32_t k = 0; k < all->count; k++) times_free(env, &all->source[k]);
  array_free(env, (void **)&all->source, &all->capacity, sizeof(floc_ray_source_options));
  for (int k = 0; k < 2; k++) ray_state_free(env, &all->state[k]);
  array_free(env, (void **)&all->row, &all->row_capacity, RAY_DOUBLES * sizeof(double));
  array_free(env, (void **)&all->integer, &all->integer_capacity, RAY_INTEGERS * sizeof(int64_t));
  memory_free(env, all, sizeof *all);
}

floc_status ray_sources_set_media(ray_sources *all, const floc_media *media)
{
  floc_status status = media_check(all->env, media);
  if (status == FLOC_OK) all->media = *media;
  return status;
}

int32_t ray_sources_count(const ray_sources *all)
{
  return all->count;
}

int64_t ray_sources_rays(const ray_sources *all)
{
  int64_t rays = all->state[all->now].flight_count;
  for (int32_t k = 0; k < all->count; k++) rays += all->source[k].rays;
  return rays;
}

/* A copy of the host's list of times; an empty list still needs a pointer, so that it differs from none. */
static floc_status copy_times(environment *env, const floc_ray_source_options *options, const double **times)
{
  *times = NULL;
  if (!options->times) return FLOC_OK;
  size_t size = (size_t)options->time_count * sizeof(double);
  if (size == 0) return FLOC_OK;
  double *copy = memory_resize(env, NULL, 0, size);
  if (!copy) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", size);
  memcpy(copy, options->times, size);
  *times = copy;
  return FLOC_OK;
}

floc_status ray_sources_add(ray_sources *all, const floc_ray_source_options *options, int32_t *number)
{
  floc_status status = source_check(all->env, options, all->dimension);
  if (status == FLOC_OK)
    status = array_reserve(all->env, (void **)&all->source, &all->capacity, (size_t)all->count + 1,
                           sizeof(floc_ray_source_options));
  for (int k = 0; k < 2 && status == FLOC_OK; k++)
    status = ray_state_reserve(all->env, &all->state[k], 0, 0, all->count + 1);
  const double *times = NULL;
  if (status == FLOC_OK) status = copy_times(all->env, options, &times);
  if (status != FLOC_OK) return status;
  floc_ray_source_options *added = &all->source[all->count];
  *added = *options;
  added->times = times;
  if (options->times && options->time_count == 0) added->rays = 0, added->start = INFINITY;
  if (added->seed == 0) added->seed = all->seed;
  for (int k = 0; k < 2; k++) {
    all->state[k].tally[all->count] = (ray_tally){.pulses = 0.0};
    all->state[k].fired[all->count] = 0;
    all->state[k].attenuated[all->count] = (compensated){0.0, 0.0};
  }
  *number = all->count++;
  return FLOC_OK;
}

/* Time of a source's pulse number k; INFINITY if there is none. */
static double pulse_time(const floc_ray_source_options *source, int64_t k)
{
  if (source->times) return k < source->time_count ? source->times[k] : INFINITY;
  return source->pulses == 0 || k < source->pulses ? source->start + (double)k * source->period : INFINITY;
}

/* ---- a step ---- */

static bool is_due(const ray_sources *all, int32_t source, double time)
{
  double due = pulse_time(&all->source[source], all->state[!all->now].fired[source]);
  return due <= time + ROUNDING * all->source[source].duration + 1e-12 * fabs(time);
}

/* Turns hits on particles into forces that begin now. */
static floc_status keep_pushes(ray_sources *all, const particles *table, ray_pushes *pushes, double time,
                               double duration)
{
  ray_state *next = &all->state[!all->now];
  floc_status status =
      ray_state_reserve(all->env, next, next->push_count + pushes->touched_count, next->flight_count, all->count);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < pushes->touched_count; k++) {
    int32_t slot = pushes->touched[k];
    double *row = &next->push[next->push_count * PUSH_ROW];
    row[ROW_BEGIN] = time;
    row[ROW_END] = time + duration;
    memcpy(&row[ROW_FORCE], &pushes->value[(int64_t)slot * PUSH_SIZE], PUSH_SIZE * sizeof *row);
    next->push_id[next->push_count++] = table->id[slot];
  }
  ray_pushes_clear(pushes);
  return FLOC_OK;
}

typedef struct ray_step {
  ray_sources *all;
  arena *scratch;
  const particles *table;
  ray_scene scene;
  ray_pushes pushes;
  double time;
} ray_step;

static tracer step_tracer(ray_step *step, int32_t source)
{
  ray_sources *all = step->all;
  return (tracer){.env = all->env,
                  .scene = &step->scene,
                  .media = &all->media,
                  .source = &all->source[source],
                  .time = step->time,
                  .tally = &all->state[!all->now].tally[source],
                  .attenuated = &all->state[!all->now].attenuated[source],
                  .pushes = &step->pushes};
}

/* Rays of one source that are under way continue; those of the others stay as they are, in order. */
static floc_status fly_on(ray_step *step, int32_t source, double length)
{
  ray_sources *all = step->all;
  ray_state *next = &all->state[!all->now];
  ray_record *own = arena_allocate(step->scratch, (size_t)next->flight_count, sizeof *own);
  if (!own) return FLOC_OUT_OF_MEMORY;
  int64_t own_count = 0, others = 0;
  for (int64_t k = 0; k < next->flight_count; k++) {
    if (next->flight[k].source == source)
      own[own_count++] = next->flight[k];
    else
      next->flight[others++] = next->flight[k];
  }
  tracer trace = step_tracer(step, source);
  floc_status status = trace_rays(&trace, step->scratch, own, &own_count, length);
  if (status != FLOC_OK) return status;
  copy_bytes(next->flight + others, own, own_count, sizeof *own);
  next->flight_count = others + own_count;
  return keep_pushes(all, step->table, &step->pushes, step->time, all->source[source].duration);
}

static floc_status fire(ray_step *step, int32_t source)
{
  ray_sources *all = step->all;
  ray_state *next = &all->state[!all->now];
  const floc_ray_source_options *options = &all->source[source];
  /* pulses of a period far below the time step come without end, with or without rays */
  work_add(all->env, WORK_RAYS, WORK_FLIGHT * (options->rays + 1));
  if (work_exceeded(all->env) != WORK_NONE) return interruption_status(all->env);
  pulse_identity identity = {options->seed, source, next->fired[source], step->time};
  ray_record *rays = arena_allocate(step->scratch, (size_t)options->rays, sizeof *rays);
  if (!rays) return FLOC_OUT_OF_MEMORY;
  floc_status status = emit_pulse(all->env, &step->scene, options, &identity, rays);
  if (status != FLOC_OK) return status;
  ray_tally *tally = &next->tally[source];
  for (int64_t k = 0; k < options->rays; k++) compensated_add(&tally->incident, rays[k].power);
  tally->rays += (double)options->rays;
  tally->pulses += 1.0;
  next->fired[source]++;
  int64_t count = options->rays;
  if (!options->in_flight) {
    tracer trace = step_tracer(step, source);
    status = trace_rays(&trace, step->scratch, rays, &count, INFINITY);
    if (status != FLOC_OK) return status;
    return keep_pushes(all, step->table, &step->pushes, step->time, options->duration);
  }
  status = ray_state_reserve(all->env, next, next->push_count, next->flight_count + count, all->count);
  if (status != FLOC_OK) return status;
  copy_bytes(next->flight + next->flight_count, rays, count, sizeof *rays);
  next->flight_count += count;
  return FLOC_OK;
}

static bool something_to_do(const ray_sources *all, double time)
{
  if (all->state[!all->now].flight_count > 0) return true;
  for (int32_t k = 0; k < all->count; k++)
    if (is_due(all, k, time)) return true;
  return false;
}

static floc_status trace_step(ray_step *step, const bodies *obstacles, const domain *box)
{
  ray_sources *all = step->all;
  ray_state *next = &all->state[!all->now];
  floc_status status = media_check_materials(all->env, &all->media, step->table);
  if (status == FLOC_OK) status = media_check_heat(all->env, &all->media, step->table);
  if (status == FLOC_OK) status = ray_scene_build(&step->scene, step->scratch, step->table, obstacles, box);
  if (status == FLOC_OK) status = ray_pushes_allocate(&step->pushes, step->scratch, step->table->count);
  double length = (step->time - next->time) * all->media.sound_speed[0];
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++) {
    if (all->source[k].in_flight && next->flight_count > 0 && length > 0.0) status = fly_on(step, k, length);
    while (status == FLOC_OK && is_due(all, k, step->time)) status = fire(step, k);
  }
  return status;
}

floc_status ray_sources_begin(ray_sources *all, arena *scratch, const particles *table, const bodies *obstacles,
                              const domain *box, double time)
{
  all->begun = false;
  if (all->count == 0) return FLOC_OK;
  floc_status status = ray_state_copy(all->env, &all->state[!all->now], &all->state[all->now], all->count);
  if (status != FLOC_OK) return status;
  if (something_to_do(all, time)) {
    ray_step step = {.all = all, .scratch = scratch, .table = table, .time = time};
    status = trace_step(&step, obstacles, box);
    if (status != FLOC_OK) return status;
  }
  all->state[!all->now].time = time;
  all->begun = true;
  return FLOC_OK;
}

static double overlap(const double *row, double from, double to)
{
  double begin = row[ROW_BEGIN] > from ? row[ROW_BEGIN] : from;
  double end = row[ROW_END] < to ? row[ROW_END] : to;
  return end > begin ? end - begin : 0.0;
}

bool ray_sources_force(const ray_sources *all, const particles *table, double time, double time_step,
                       double *const force[3], double *const torque[3])
{
  const ray_state *next = &all->state[all->begun ? !all->now : all->now];
  bool acts = false;
  for (int64_t k = 0; k < next->push_count; k++) {
    const double *row = &next->push[k * PUSH_ROW];
    double share = overlap(row, time, time + time_step) / time_step;
    acts |= share > 0.0;
    if (!force || share == 0.0) continue;
    int64_t slot = particles_find(table, next->push_id[k]);
    for (int axis = 0; axis < 3; axis++) {
      force[axis][slot] += share * row[ROW_FORCE + axis];
      if (torque) torque[axis][slot] += share * row[ROW_TORQUE + axis];
    }
  }
  return acts;
}

bool ray_sources_external(const void *context, const particles *table, double time, double time_step,
                          double *const force[3], double *const torque[3])
{
  return ray_sources_force(context, table, time, time_step, force, torque);
}

void ray_sources_commit(ray_sources *all, particles *table, double time)
{
  if (!all->begun) return;
  all->begun = false;
  all->now = !all->now;
  ray_state *state = &all->state[all->now];
  const double *material = media_column(table, "material"), *mass = table->column[COLUMN_mass];
  double *energy = media_column(table, "absorbed_energy"), *temperature = media_column(table, "temperature");
  int64_t kept = 0;
  for (int64_t k = 0; k < state->push_count; k++) {
    const double *row = &state->push[k * PUSH_ROW];
    if (energy || temperature) {
      const int64_t slot = particles_find(table, state->push_id[k]);
      const double taken = overlap(row, state->time, time) * row[ROW_POWER];
      const double capacity = all->media.heat_capacity[media_material(&all->media, material, slot)];
      if (energy) energy[slot] += taken;
      if (temperature && capacity > 0.0) temperature[slot] += taken / (mass[slot] * capacity);
    }
    if (row[ROW_END] <= time) continue;
    memmove(&state->push[kept * PUSH_ROW], row, PUSH_ROW * sizeof *row);
    state->push_id[kept++] = state->push_id[k];
  }
  state->push_count = kept;
}

void ray_sources_revert(ray_sources *all)
{
  all->begun = false;
}

/* ---- what is known ---- */

static void add_tally(floc_ray_report *report, const ray_tally *tally, const compensated *attenuated)
{
  report->attenuated += compensated_value(attenuated);
  report->pulses += whole_between(tally->pulses, 0, COUNTER_LIMIT);
  report->rays += whole_between(tally->rays, 0, COUNTER_LIMIT);
  report->reflections += whole_between(tally->reflections, 0, COUNTER_LIMIT);
  report->body_reflections += whole_between(tally->body_reflections, 0, COUNTER_LIMIT);
  report->ended_rays += whole_between(tally->ended_rays, 0, COUNTER_LIMIT);
  report->incident += compensated_value(&tally->incident);
  report->absorbed += compensated_value(&tally->absorbed);
  report->body_absorbed += compensated_value(&tally->body_absorbed);
  report->escaped += compensated_value(&tally->escaped);
  report->residual += compensated_value(&tally->residual);
  for (int k = 0; k < 3; k++) report->exit_power[k] += compensated_value(&tally->exit_power[k]);
}

floc_status ray_sources_report(const ray_sources *all, environment *env, int32_t source, floc_ray_report *report)
{
  if (source < -1 || source >= all->count)
    return refuse(env, FLOC_INVALID_ARGUMENT, "source is %d; it must be -1 (all) to %d", source, all->count - 1);
  const ray_state *state = &all->state[all->now];
  *report = (floc_ray_report){.struct_size = sizeof *report};
  for (int32_t k = 0; k < all->count; k++)
    if (source == -1 || source == k) add_tally(report, &state->tally[k], &state->attenuated[k]);
  compensated flying = {0.0, 0.0};
  for (int64_t k = 0; k < state->flight_count; k++) {
    const ray_record *ray = &state->flight[k];
    if (source != -1 && ray->source != source) continue;
    report->rays_in_flight++;
    compensated_add(&flying, ray->power);
    for (int axis = 0; axis < 3; axis++) report->flight_power[axis] += ray->power * ray->path.direction[axis];
  }
  report->in_flight = compensated_value(&flying);
  return FLOC_OK;
}

void ray_sources_flying(const ray_sources *all, floc_ray *rays, int64_t capacity, int64_t *count)
{
  const ray_state *state = &all->state[all->now];
  *count = state->flight_count;
  for (int64_t k = 0; k < state->flight_count && k < capacity; k++) {
    const ray_record *ray = &state->flight[k];
    rays[k] = (floc_ray){.power = ray->power, .area = ray->area, .solid_angle = ray->solid_angle};
    memcpy(rays[k].position, ray->path.position, sizeof rays[k].position);
    memcpy(rays[k].direction, ray->path.direction, sizeof rays[k].direction);
  }
}

/* ---- tracing at once ---- */

static void copy_pushes(const ray_pushes *pushes, int64_t particle_count, ray_trace *result)
{
  if (result->force) memset(result->force, 0, (size_t)particle_count * 3 * sizeof(double));
  if (result->absorbed) memset(result->absorbed, 0, (size_t)particle_count * sizeof(double));
  for (int64_t k = 0; k < pushes->touched_count; k++) {
    int64_t slot = pushes->touched[k];
    const double *value = &pushes->value[slot * PUSH_SIZE];
    if (result->force) memcpy(&result->force[3 * slot], value, 3 * sizeof(double));
    if (result->absorbed) result->absorbed[slot] = value[6];
  }
}

floc_status ray_sources_trace(ray_sources *all, arena *scratch, const particles *table, const bodies *obstacles,
                              const domain *box, double time, const floc_ray_source_options *options,
                              const floc_media *media, ray_trace *result)
{
  floc_status status = source_check(all->env, options, all->dimension);
  if (status == FLOC_OK && media) status = media_check(all->env, media);
  if (status == FLOC_OK) status = media_check_materials(all->env, media ? media : &all->media, table);
  if (status != FLOC_OK) return status;
  ray_scene scene;
  ray_pushes pushes;
  ray_tally tally = {.pulses = 1.0, .rays = (double)options->rays};
  compensated attenuated = {0.0, 0.0};
  ray_record *rays = arena_allocate(scratch, (size_t)options->rays, sizeof *rays);
  status = rays ? ray_scene_build(&scene, scratch, table, obstacles, box) : FLOC_OUT_OF_MEMORY;
  if (status == FLOC_OK) status = ray_pushes_allocate(&pushes, scratch, table->count);
  if (status != FLOC_OK) return status;
  pulse_identity identity = {options->seed ? options->seed : all->seed, -1, 0, time};
  status = emit_pulse(all->env, &scene, options, &identity, rays);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < options->rays; k++) compensated_add(&tally.incident, rays[k].power);
  tracer trace = {.env = all->env,
                  .scene = &scene,
                  .media = media ? media : &all->media,
                  .source = options,
                  .time = time,
                  .tally = &tally,
                  .attenuated = &attenuated,
                  .pushes = &pushes,
                  .segments = result->segments,
                  .segment_size = result->segment_size,
                  .segment_capacity = result->segments ? result->segment_capacity : 0};
  int64_t count = options->rays;
  status = trace_rays(&trace, scratch, rays, &count, INFINITY);
  if (status != FLOC_OK) return status;
  result->report = (floc_ray_report){.struct_size = sizeof result->report};
  add_tally(&result->report, &tally, &attenuated);
  result->segment_count = trace.segment_count;
  copy_pushes(&pushes, table->count, result);
  return FLOC_OK;
}
