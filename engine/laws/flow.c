/*
 * A priori velocities. See flow.h.
 */
#include "laws/flow.h"

#include "base/parallel.h"
#include "base/random.h"

#include <math.h>

floc_status flow_check(environment *env, const floc_flow_options *options)
{
  if (options->kind < FLOC_FLOW_NONE || options->kind > FLOC_FLOW_STILL)
    return refuse(env, FLOC_INVALID_ARGUMENT, "kind of flow is %d; it must be between 0 and %d", options->kind,
                  FLOC_FLOW_STILL);
  if (options->kind == FLOC_FLOW_NONE) return FLOC_OK;
  if (!(options->relaxation_time > 0.0 && isfinite(options->relaxation_time))) {
    return refuse(env, FLOC_INVALID_ARGUMENT, "relaxation_time is %g; it must be a finite number above 0",
                  options->relaxation_time);
  }
  bool finite = isfinite(options->rate) && isfinite(options->frequency);
  for (int axis = 0; axis < 3; axis++)
    finite = finite && isfinite(options->velocity[axis]) && isfinite(options->center[axis]);
  if (!finite) return refuse(env, FLOC_INVALID_ARGUMENT, "a parameter of the flow is not finite");
  return FLOC_OK;
}

/* Of the shear or the rotation at this time. */
static double present_rate(const free_velocity_pass *pass)
{
  const floc_flow_options *drift = pass->drift;
  if (drift->kind != FLOC_FLOW_OSCILLATING_SHEAR) return drift->rate;
  return drift->rate * sin(drift->frequency * pass->input->time);
}

/* U at a particle. */
static inline void stream_velocity(const free_velocity_pass *pass, double rate, int64_t slot, double stream[3])
{
  const floc_flow_options *drift = pass->drift;
  double x = pass->table->column[COLUMN_x][slot] - drift->center[0];
  double y = pass->table->column[COLUMN_y][slot] - drift->center[1];
  stream[0] = stream[1] = stream[2] = 0.0;
  switch ((floc_flow_kind)drift->kind) {
  case FLOC_FLOW_NONE:
  case FLOC_FLOW_STILL:
    break;
  case FLOC_FLOW_UNIFORM:
    for (int axis = 0; axis < 3; axis++) stream[axis] = drift->velocity[axis];
    break;
  case FLOC_FLOW_SHEAR:
  case FLOC_FLOW_OSCILLATING_SHEAR:
    stream[0] = rate * y;
    break;
  case FLOC_FLOW_ROTATION:
    stream[0] = -rate * y;
    stream[1] = rate * x;
    break;
  case FLOC_FLOW_FUNCTION:
    for (int axis = 0; axis < pass->dimension; axis++) stream[axis] = pass->stream[axis][slot];
    break;
  }
}

static void free_velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
  (void)chunk;
  const free_velocity_pass *pass = context;
  const free_velocity_input *input = pass->input;
  double *const *column = pass->table->column;
  double h = input->time_step, tau = pass->drift->relaxation_time;
  bool drifts = pass->drift->kind != FLOC_FLOW_NONE;
  /* u_new = stay u + (1 - stay) U + push a: one form for both updates */
  double stay = drifts ? (pass->drift->exponential ? exp(-h / tau) : 1.0 - h / tau) : 1.0;
  double rate = present_rate(pass), noise_scale = pass->sigma * sqrt(h);
  double push = drifts && pass->drift->exponential ? -tau * expm1(-h / tau) : h;
  for (int64_t i = begin; i < end; i++) {
    double inverse_mass = 1.0 / column[COLUMN_mass][i];
    double stream[3] = {0.0, 0.0, 0.0}, noise[4] = {0.0, 0.0, 0.0, 0.0};
    if (drifts) stream_velocity(pass, rate, i, stream);
    if (pass->sigma > 0.0)
      random_normal4(input->seed, (uint64_t)pass->table->id[i], (uint64_t)input->step, RANDOM_NOISE, 0, noise);
    double kick = noise_scale * inverse_mass;
    for (int axis = 0; axis < pass->dimension; axis++) {
      double acceleration = column[COLUMN_fx + axis][i] * inverse_mass + input->gravity[axis];
      pass->velocity[axis][i] = stay * column[COLUMN_vx + axis][i] + (1.0 - stay) * stream[axis] +
                                push * acceleration + kick * noise[axis];
    }
  }
}

void flow_free_velocity(const environment *env, free_velocity_pass *pass)
{
  parallel_for(env, pass->table->count, PARALLEL_BLOCK, free_velocity_chunk, pass);
}
