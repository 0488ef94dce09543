/*
 * The paper's minimiser: damped Arrow-Hurwicz, (3.22)-(3.23) in the reading
 *
 *   X'' = -c X' - alpha grad_X L - gamma sum lambda phi grad phi,   lambda' = beta phi,  lambda >= 0,
 *   phi = (R_i + R_j)^2 - |X_i - X_j|^2,   L = 1/2 sum |X_i - X_j|^2 + sum lambda phi,
 *
 * as iterations
 *
 *   X+ = [2 X - (1 - c/2) X_old - alpha grad_X L - gamma sum lambda phi grad phi] / (1 + c/2),
 *   lambda+ = max(0, lambda + beta phi(X+)),
 *
 * over all members and links of each cluster that the worklist names, one cluster after the other. When all links
 * touch, lambda = 1/2 is the multiplier, so it starts there. beta and gamma are given for R = 1 and divided by the
 * square of the pair's mean radius. The parameters adapt: when the residual has not fallen in a stretch of
 * iterations, alpha, beta and gamma are made smaller and the iteration starts again from rest at the best place;
 * when it falls they come back. After `patience` iterations stretched links that close a loop lose their
 * attraction (they could keep it busy for ever). Some dense merges stall all the same; what is beyond the tolerance
 * after max_iterations is then projected, link by link.
 *
 * Memory: columns over the members of one cluster, [axis][member], in a scratch arena that is made for the
 * largest.
 */
#include "schemes/ballistic/state.h"

#include <math.h>
#include <string.h>

enum { STRETCH = 40 };
static const double SMALLER = 0.6; /* factor on the parameters after a bad stretch */
/* Smaller moves, in tolerances of the smallest particle, are not made: their members need no new registration,
 * and a cluster that is minimised again and again does not creep. */
static const double STILL = 0.01;

typedef struct local_link {
  int32_t first, second; /* local numbers of members */
  int32_t number;        /* of the link */
  double reach, radius;  /* R_i + R_j; mean radius */
  double multiplier;
} local_link;

typedef struct local_problem {
  int32_t dimension;
  int64_t member_count, link_count;
  int32_t *member;  /* [member_count] global numbers */
  local_link *link; /* [link_count] */
  double *place[3], *before[3], *force[3], *best[3];
  double *radius;
  double lower[3], upper[3]; /* walls, relative to the cluster's offset */
} local_problem;

/* ---- gathering ---- */

/* Clusters of the worklist, each once; empties the worklist. */
static int64_t take_clusters(ballistic *state, int32_t *cluster)
{
  int64_t count = 0;
  for (size_t k = state->worklist_begin; k < state->worklist_count; k++) {
    link_record *link = &state->link[state->worklist[k]];
    int32_t number = state->set.member[link->member[0]].cluster;
    link->waiting = false;
    if (!state->chosen[number]) cluster[count++] = number;
    state->chosen[number] = true;
  }
  for (int64_t k = 0; k < count; k++) state->chosen[cluster[k]] = false;
  state->worklist_begin = state->worklist_count = 0;
  return count;
}

static bool allocate_problem(ballistic *state, local_problem *local, int64_t members, int64_t links)
{
  local->dimension = state->dimension;
  local->member = arena_allocate(&state->scratch, (size_t)members, sizeof *local->member);
  local->link = arena_allocate(&state->scratch, (size_t)links, sizeof *local->link);
  double **columns[4] = {local->place, local->before, local->force, local->best};
  local->radius = arena_allocate(&state->scratch, (size_t)members, sizeof *local->radius);
  bool whole = local->member && local->link && local->radius;
  for (int k = 0; k < 4; k++)
    for (int axis = 0; axis < 3 && whole; axis++)
      whole = (columns[k][axis] = arena_allocate(&state->scratch, (size_t)members, sizeof(double))) != NULL;
  return whole;
}

static int64_t count_links(const ballistic *state, int32_t cluster)
{
  int64_t ends = 0;
  for (int32_t m = state->set.body[cluster].first; m != NO_MEMBER; m = state->set.member[m].next_in_cluster)
    for (int32_t handle = state->first_link[m]; handle != NO_HANDLE; ends++)
      handle = state->link[handle >> 1].next[handle & 1];
  return ends / 2;
}

static void take_members(const ballistic *state, local_problem *local, int32_t *local_number, int32_t cluster)
{
  const cluster_set *set = &state->set;
  const cluster_motion *motion = &set->motion[cluster];
  int32_t n = 0;
  for (int axis = 0; axis < 3; axis++) {
    bool walls = set->box.boundary[axis] == FLOC_BOUNDARY_WALL;
    double offset = motion->offset[axis] + motion->velocity[axis] * (state->now - motion->time);
    local->lower[axis] = walls ? set->box.lower[axis] - offset : -INFINITY;
    local->upper[axis] = walls ? set->box.upper[axis] - offset : INFINITY;
  }
  for (int32_t m = set->body[cluster].first; m != NO_MEMBER; m = set->member[m].next_in_cluster, n++) {
    local->member[n] = m;
    local_number[m] = n;
    local->radius[n] = set->member[m].radius;
    for (int axis = 0; axis < 3; axis++) {
      double base = set->member[m].base[axis];
      local->place[axis][n] = local->before[axis][n] = local->best[axis][n] = base;
    }
  }
  local->member_count = n;
}

/* The links of all members, each from its first side. */
static void take_links(const ballistic *state, local_problem *local, const int32_t *local_number)
{
  const cluster_set *set = &state->set;
  local->link_count = 0;
  for (int64_t n = 0; n < local->member_count; n++) {
    for (int32_t handle = state->first_link[local->member[n]]; handle != NO_HANDLE;) {
      const link_record *link = &state->link[handle >> 1];
      if ((handle & 1) == 0) {
        double a = set->member[link->member[0]].radius, b = set->member[link->member[1]].radius;
        local->link[local->link_count++] = (local_link){
            local_number[link->member[0]], local_number[link->member[1]], handle >> 1, a + b, 0.5 * (a + b),
            link->slack ? 0.0 : 0.5};
      }
      handle = link->next[handle & 1];
    }
  }
}

/* ---- iterations ---- */

typedef struct parameters {
  double descent, ascent, penalty, damping;
} parameters;

static double link_separation(const ballistic *state, const local_problem *local, const local_link *link,
                              double x[3])
{
  double square = 0.0;
  for (int axis = 0; axis < local->dimension; axis++) {
    x[axis] =
        domain_shortest(&state->set.box, axis, local->place[axis][link->first] - local->place[axis][link->second]);
    square += x[axis] * x[axis];
  }
  return square;
}

/* grad_X L times alpha, and the penalty. */
static void add_forces(const ballistic *state, local_problem *local, const parameters *now)
{
  for (int axis = 0; axis < 3; axis++) memset(local->force[axis], 0, (size_t)local->member_count * sizeof(double));
  for (int64_t k = 0; k < local->link_count; k++) {
    const local_link *link = &local->link[k];
    double x[3], square = link_separation(state, local, link, x),
                 attraction = state->link[link->number].slack ? 0 : 1;
    double phi = link->reach * link->reach - square;
    double gamma = now->penalty / (link->radius * link->radius);
    double factor = now->descent * (attraction - 2.0 * link->multiplier) - 2.0 * gamma * link->multiplier * phi;
    for (int axis = 0; axis < local->dimension; axis++) {
      local->force[axis][link->first] += factor * x[axis];
      local->force[axis][link->second] -= factor * x[axis];
    }
  }
}

/* Places are projected on what the walls leave, so that links are solved there as well. */
static void move_members(local_problem *local, const parameters *now)
{
  double whole = 1.0 / (1.0 + 0.5 * now->damping), inertia = 1.0 - 0.5 * now->damping;
  for (int axis = 0; axis < local->dimension; axis++) {
    double *place = local->place[axis], *before = local->before[axis];
    for (int64_t n = 0; n < local->member_count; n++) {
      double next = (2.0 * place[n] - inertia * before[n] - local->force[axis][n]) * whole;
      next = fmin(next, local->upper[axis] - local->radius[n]);
      before[n] = place[n];
      place[n] = fmax(next, local->lower[axis] + local->radius[n]);
    }
  }
}

/* Multipliers follow; returns the greatest distance from contact in radii of the smaller particle. */
static double update_multipliers(const ballistic *state, local_problem *local, const parameters *now)
{
  double residual = 0.0;
  for (int64_t k = 0; k < local->link_count; k++) {
    local_link *link = &local->link[k];
    const int32_t *member = state->link[link->number].member;
    double x[3], square = link_separation(state, local, link, x), gap = sqrt(square) - link->reach;
    double smaller = fmin(state->set.member[member[0]].radius, state->set.member[member[1]].radius);
    double beta = now->ascent / (link->radius * link->radius);
    link->multiplier = fmax(0.0, link->multiplier + beta * (link->reach * link->reach - square));
    residual = fmax(residual, (state->link[link->number].slack ? -gap : fabs(gap)) / smaller);
  }
  return residual;
}

static floc_status drop_stretched_loops(ballistic *state, local_problem *local)
{
  for (int64_t k = 0; k < local->link_count; k++) {
    link_record *link = &state->link[local->link[k].number];
    double x[3], gap = sqrt(link_separation(state, local, &local->link[k], x)) - local->link[k].reach;
    double smaller = fmin(state->set.member[link->member[0]].radius, state->set.member[link->member[1]].radius);
    if (!link->loop || link->slack || gap <= state->options.tolerance * smaller) continue;
    floc_status status = ballistic_drop_link(state, local->link[k].number);
    if (status != FLOC_OK) return status;
    local->link[k].multiplier = 0.0;
  }
  return FLOC_OK;
}

static void copy_places(const local_problem *local, double *const to[3], double *const from[3])
{
  for (int axis = 0; axis < 3; axis++) memcpy(to[axis], from[axis], (size_t)local->member_count * sizeof(double));
}

static void start_again(const ballistic *state, local_problem *local)
{
  copy_places(local, local->place, local->best);
  copy_places(local, local->before, local->best);
  for (int64_t k = 0; k < local->link_count; k++)
    local->link[k].multiplier = state->link[local->link[k].number].slack ? 0.0 : 0.5;
}

static floc_status iterate(ballistic *state, local_problem *local, double *reached)
{
  const floc_ballistic_options *options = &state->options;
  const parameters given = {options->descent, options->ascent, options->penalty, options->damping};
  parameters now = given;
  const double target = (1.0 - 2.0 * STILL) * options->tolerance; /* both ends of a link may stay where they are */
  double residual = INFINITY, best = INFINITY, stretch_best = INFINITY;
  for (int32_t k = 0; k < options->max_iterations && best > target; k++) {
    floc_status asked = ballistic_ask(state);
    if (asked != FLOC_OK) return asked;
    state->count.iterations++;
    add_forces(state, local, &now);
    move_members(local, &now);
    residual = update_multipliers(state, local, &now);
    if (residual < best) {
      best = residual;
      copy_places(local, local->best, local->place);
    }
    if (k + 1 == options->patience) {
      floc_status status = drop_stretched_loops(state, local);
      if (status != FLOC_OK) return status;
      best = INFINITY; /* what counts has changed */
    }
    if ((k + 1) % STRETCH != 0) continue;
    double factor = !(best < 0.9 * stretch_best) ? SMALLER : 1.0 / SMALLER;
    now.descent = fmin(given.descent, now.descent * factor);
    now.ascent = fmin(given.ascent, now.ascent * factor);
    now.penalty = fmin(given.penalty, now.penalty * factor);
    if (factor < 1.0 && !(residual < 10.0 * best)) start_again(state, local);
    stretch_best = best;
  }
  *reached = best;
  return FLOC_OK;
}

/* Places go back into the set. */
static floc_status take_back(ballistic *state, const local_problem *local)
{
  cluster_set *set = &state->set;
  const double still = STILL * state->options.tolerance * set->smallest_radius;
  for (int64_t n = 0; n < local->member_count; n++) {
    cluster_member *member = &set->member[local->member[n]];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      double shift = local->best[axis][n] - member->base[axis];
      square += shift * shift;
    }
    if (square <= still * still) continue;
    for (int axis = 0; axis < 3; axis++) member->base[axis] = local->best[axis][n];
    bool held = false;
    floc_status status = ballistic_note_move(state, local->member[n], &held);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status minimise_cluster(ballistic *state, local_problem *local, int32_t *local_number, int32_t cluster)
{
  take_members(state, local, local_number, cluster);
  take_links(state, local, local_number);
  double residual = INFINITY;
  floc_status status = iterate(state, local, &residual);
  if (status == FLOC_OK) status = take_back(state, local);
  if (status != FLOC_OK) return status;
  residual += 2.0 * STILL * state->options.tolerance;
  if (residual <= state->options.tolerance * (1.0 + 1e-9)) {
    state->count.greatest_residual = fmax(state->count.greatest_residual, residual);
    return status;
  }
  state->count.stalled++;
  for (int64_t k = 0; k < local->link_count && status == FLOC_OK; k++)
    status = ballistic_queue_link(state, local->link[k].number);
  return status == FLOC_OK ? ballistic_project(state) : status;
}

floc_status ballistic_arrow_hurwicz(ballistic *state)
{
  local_problem local = {0};
  int64_t members = 0, links = 0;
  arena_reset(&state->scratch);
  int32_t *cluster =
      arena_allocate(&state->scratch, state->worklist_count - state->worklist_begin, sizeof *cluster);
  int32_t *local_number = arena_allocate(&state->scratch, (size_t)state->set.count, sizeof *local_number);
  if (!cluster || !local_number) return FLOC_OUT_OF_MEMORY;
  int64_t cluster_count = take_clusters(state, cluster);
  for (int64_t k = 0; k < cluster_count; k++) {
    int64_t link_count = count_links(state, cluster[k]), member_count = state->set.body[cluster[k]].count;
    members = member_count > members ? member_count : members;
    links = link_count > links ? link_count : links;
  }
  if (!allocate_problem(state, &local, members, links)) return FLOC_OUT_OF_MEMORY;
  floc_status status = FLOC_OK;
  for (int64_t k = 0; k < cluster_count && status == FLOC_OK; k++)
    status = minimise_cluster(state, &local, local_number, cluster[k]);
  return status;
}
