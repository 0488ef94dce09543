/*
 * Flow and noise beside schemes that advance forces by themselves. The equation m dv = f dt - (m/tau)(v - U) dt +
 * sigma dW is split: forces move particles in the scheme's own way, and flow and noise act alone in between, where
 * their equation is solved exactly for U at the particle's place:
 *
 *   v' = U + c (v - U) + (sigma/m) sqrt(tau/2 (1 - c^2)) W,   c = exp(-h/tau);   without a flow v' = v + (sigma/m)
 * sqrt(h) W,
 *
 * so <v^2> of free particles is right at any h/tau (B. Leimkuhler, C. Matthews, Applied Mathematics Research
 * eXpress 2013, 34). Where in the step that is, the scheme says. Angular velocities relax likewise, without noise
 * (flow.h).
 */
#include "base/numbers/random.h"
#include "laws/laws_internal.h"
#include "particles/owned.h"

#include <math.h>

bool laws_have_bath(const laws *all)
{
  return all->drift.kind != FLOC_FLOW_NONE || all->sigma > 0.0;
}

const char *laws_turning_flow(const laws *all)
{
  switch ((floc_flow_kind)all->drift.kind) {
  case FLOC_FLOW_SHEAR:
    return "shear";
  case FLOC_FLOW_OSCILLATING_SHEAR:
    return "oscillating_shear";
  case FLOC_FLOW_ROTATION:
    return "rotation";
  default:
    return NULL;
  }
}

typedef struct bath_pass {
  const laws *all;
  const particles *table;
  const bath_moment *at;
  flow_state flow;
  particle_state *state;
  double stay, stay_turning, kick;
  bool moves; /* the medium goes along with a box that does */
} bath_pass;

/* What the box's motion adds to the flow: H' s, and half of its rotation. */
static void add_box_flow(const bath_pass *pass, const double position[3], double stream[3])
{
  double flow[3];
  domain_flow(pass->at->box, position, flow);
  for (int axis = 0; axis < 3; axis++) stream[axis] += flow[axis];
}

static void bathe_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const bath_pass *pass = context;
  const bath_moment *at = pass->at;
  int dimension = pass->all->dimension;
  for (int64_t i = begin; i < end; i++) {
    particle_state *one = &pass->state[i];
    double stream[3], spin[3], noise[4] = {0.0, 0.0, 0.0, 0.0};
    flow_velocity(&pass->flow, i, one->position[0], one->position[1], stream);
    if (pass->moves) add_box_flow(pass, one->position, stream);
    if (pass->kick > 0.0)
      random_normal4(at->seed, (uint64_t)pass->table->id[i], (uint64_t)at->step, RANDOM_NOISE, at->index, noise);
    double kick = pass->kick / pass->table->column[COLUMN_mass][i];
    for (int axis = 0; axis < dimension; axis++)
      one->velocity[axis] = stream[axis] + pass->stay * (one->velocity[axis] - stream[axis]) + kick * noise[axis];
    if (!at->turns) continue;
    flow_spin(&pass->flow, i, spin);
    if (pass->moves) domain_add_rotation(at->box, spin);
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++)
      one->spin[axis] = spin[axis] + pass->stay_turning * (one->spin[axis] - spin[axis]);
  }
}

/* A function of the host reads places and velocities from the table: the state's stand there for as long as it
 * runs. */
static floc_status find_flow(laws *all, particles *table, const bath_moment *at, const particle_state *state,
                             arena *scratch, flow_state *flow)
{
  if (!all->has_drift_function) return flow_find(all, table, at->time, at->duration, at->turns, scratch, flow);
  double *kept[6], *made = arena_allocate(scratch, 6 * (size_t)table->count, sizeof *made);
  if (!made) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(i, table) {
    double position[3], velocity[3];
    for (int axis = 0; axis < 3; axis++) {
      position[axis] = state[i].position[axis];
      velocity[axis] = state[i].velocity[axis];
    }
    domain_enter(at->box, position, velocity);
    for (int axis = 0; axis < 3; axis++) {
      made[axis * table->count + i] = position[axis];
      made[(3 + axis) * table->count + i] = velocity[axis];
    }
  }
  for (int k = 0; k < 6; k++) {
    int column = k < 3 ? COLUMN_x + k : COLUMN_vx + k - 3;
    kept[k] = table->column[column];
    table->column[column] = made + k * table->count;
  }
  floc_status status = flow_find(all, table, at->time, at->duration, at->turns, scratch, flow);
  for (int k = 0; k < 6; k++) table->column[k < 3 ? COLUMN_x + k : COLUMN_vx + k - 3] = kept[k];
  return status;
}

floc_status laws_bathe(laws *all, particles *table, const bath_moment *at, particle_state *state, arena *scratch)
{
  bath_pass pass = {.all = all,
                    .table = table,
                    .at = at,
                    .state = state,
                    .stay = 1.0,
                    .stay_turning = 1.0,
                    .moves = domain_moves(at->box) && all->drift.kind != FLOC_FLOW_NONE};
  floc_status status = find_flow(all, table, at, state, scratch, &pass.flow);
  if (status != FLOC_OK) return status;
  double h = at->duration, tau = all->drift.relaxation_time;
  pass.kick = all->sigma * sqrt(h);
  if (all->drift.kind != FLOC_FLOW_NONE) {
    pass.stay = floc_exp(-h / tau);
    pass.stay_turning = floc_exp(-h / flow_spin_time(&all->drift, at->inertia_factor));
    pass.kick = all->sigma * sqrt(-0.5 * tau * floc_expm1(-2.0 * h / tau));
  }
  slots_for(all->env, table, PARALLEL_BLOCK, bathe_block, &pass); /* ghosts as their owners' particles */
  return FLOC_OK;
}
