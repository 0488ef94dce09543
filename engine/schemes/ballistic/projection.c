/*
 * The local minimiser: a worklist of links that are not at contact. One at a time is taken, its two
 * members are moved along their line to contact, each by the other's fraction of the mass, so that the centre
 * of mass stays (the projection on (3.1) of this pair, in the metric of the masses); then the other links of both
 * wait again. It ends when all links that were perturbed are within the tolerance. Nothing but the perturbed
 * neighbourhood is touched, whatever the cluster's size.
 *
 * Which one is taken? The first, or, with the stochastic minimiser, one that is drawn: randomised projections in
 * the sense of Strohmer and Vershynin (2009). The paper's section 5 names minimisers of this kind as a way to go. A
 * draw depends on the seed, the step, and how many there were in it.
 *
 * Some loops of links cannot be satisfied. A link that closes a loop and is still stretched after
 * `patience` projections loses its attraction, not its resistance to overlap; the spanning tree of links
 * always can be satisfied.
 */
#include "base/interruption.h"
#include "base/numbers/random.h"
#include "schemes/ballistic/state.h"

#include <math.h>

floc_status ballistic_queue_link(ballistic *state, int32_t number)
{
  link_record *link = &state->link[number];
  if (link->waiting) return FLOC_OK;
  if (state->worklist_count == state->worklist_capacity) {
    floc_status status = array_reserve(state->env, (void **)&state->worklist, &state->worklist_capacity,
                                       state->worklist_count + 1, sizeof *state->worklist);
    if (status != FLOC_OK) return status;
  }
  link->waiting = true;
  state->worklist[state->worklist_count++] = number;
  return FLOC_OK;
}

floc_status ballistic_drop_link(ballistic *state, int32_t number)
{
  floc_status status = array_reserve(state->env, (void **)&state->dropped, &state->dropped_capacity,
                                     state->dropped_count + 1, sizeof *state->dropped);
  if (status != FLOC_OK) return status;
  state->link[number].slack = true;
  state->dropped[state->dropped_count++] = number;
  state->count.dropped++;
  return FLOC_OK;
}

/* Puts one of those that wait first. */
static void draw_link(ballistic *state)
{
  size_t left = state->worklist_count - state->worklist_begin;
  uint64_t number = state->draws++, part = number % 4;
  if (part == 0 || state->draws == 1)
    random_uniform4(state->seed, 0, state->step, RANDOM_SOLVER, number / 4, state->drawn);
  size_t chosen = (size_t)(state->drawn[part] * (double)left);
  int32_t *first = &state->worklist[state->worklist_begin], *other = first + (chosen < left ? chosen : left - 1);
  int32_t kept = *first;
  *first = *other;
  *other = kept;
}

/* Takes the first; the worklist is not empty. What was taken is cut off when it is the larger part. */
static int32_t take_link(ballistic *state)
{
  int32_t number = state->worklist[state->worklist_begin++];
  state->link[number].waiting = false;
  if (state->worklist_begin > 1024 && 2 * state->worklist_begin > state->worklist_count) {
    size_t left = state->worklist_count - state->worklist_begin;
    for (size_t k = 0; k < left; k++) state->worklist[k] = state->worklist[state->worklist_begin + k];
    state->worklist_begin = 0;
    state->worklist_count = left;
  }
  return number;
}

static void clear_worklist(ballistic *state)
{
  while (state->worklist_begin < state->worklist_count) take_link(state);
  state->worklist_begin = state->worklist_count = 0;
}

floc_status ballistic_note_move(ballistic *state, int32_t number, bool *held)
{
  cluster_set *set = &state->set;
  cluster_member *member = &set->member[number];
  cluster_body *body = &set->body[member->cluster];
  const cluster_motion *motion = &set->motion[member->cluster];
  double elapsed = state->now - motion->time;
  for (int axis = 0; axis < set->dimension; axis++) {
    double *base = &member->base[axis], offset = motion->offset[axis] + motion->velocity[axis] * elapsed;
    if (set->box.boundary[axis] == FLOC_BOUNDARY_WALL) {
      double wanted = *base;
      *base = fmin(*base, set->box.upper[axis] - member->radius - offset);
      *base = fmax(*base, set->box.lower[axis] + member->radius - offset);
      *held = *held || *base != wanted;
    }
    body->lower[axis] = fmin(body->lower[axis], *base - member->radius);
    body->upper[axis] = fmax(body->upper[axis], *base + member->radius);
  }
  if (state->moved_at[number] == state->pass) return FLOC_OK;
  if (state->moved_count == state->moved_capacity) {
    floc_status status = array_reserve(state->env, (void **)&state->moved, &state->moved_capacity,
                                       state->moved_count + 1, sizeof *state->moved);
    if (status != FLOC_OK) return status;
  }
  state->moved_at[number] = state->pass;
  state->moved[state->moved_count++] = number;
  return FLOC_OK;
}

typedef struct link_geometry {
  double separation[3], distance, gap, tolerance;
} link_geometry;

static link_geometry geometry_of(const ballistic *state, const link_record *link)
{
  const cluster_member *i = &state->set.member[link->member[0]], *j = &state->set.member[link->member[1]];
  link_geometry found = {.tolerance = state->options.tolerance * fmin(i->radius, j->radius)};
  double square = 0.0;
  for (int axis = 0; axis < state->dimension; axis++) {
    found.separation[axis] = domain_shortest(&state->set.box, axis, i->base[axis] - j->base[axis]);
    square += found.separation[axis] * found.separation[axis];
  }
  found.distance = sqrt(square);
  found.gap = found.distance - i->radius - j->radius;
  return found;
}

static bool is_violated(const link_record *link, const link_geometry *found)
{
  return found->gap < -found->tolerance || (found->gap > found->tolerance && !link->slack);
}

static void move_to_contact(ballistic *state, const link_record *link, const link_geometry *found)
{
  cluster_member *i = &state->set.member[link->member[0]], *j = &state->set.member[link->member[1]];
  double share = j->mass / (i->mass + j->mass);
  for (int axis = 0; axis < state->dimension; axis++) {
    double normal = found->distance > 0.0 ? found->separation[axis] / found->distance : axis == 0 ? 1.0 : 0.0;
    i->base[axis] -= share * found->gap * normal;
    j->base[axis] += (1.0 - share) * found->gap * normal;
  }
}

static floc_status queue_links_of(ballistic *state, int32_t member, int32_t except)
{
  for (int32_t handle = state->first_link[member]; handle != NO_HANDLE;) {
    int32_t number = handle >> 1;
    floc_status status = number == except ? FLOC_OK : ballistic_queue_link(state, number);
    if (status != FLOC_OK) return status;
    handle = state->link[number].next[handle & 1];
  }
  return FLOC_OK;
}

/* Counts a visit; false when the link has had too many. */
static floc_status visit(ballistic *state, int32_t number, const link_geometry *found, bool *go_on)
{
  link_record *link = &state->link[number];
  floc_status status = FLOC_OK;
  *go_on = link->visits < state->options.max_iterations;
  if (link->visits == 0) {
    status = array_reserve(state->env, (void **)&state->visited, &state->visited_capacity, state->visited_count + 1,
                           sizeof *state->visited);
    if (status != FLOC_OK) return status;
    state->visited[state->visited_count++] = number;
  }
  if (link->visits++ >= state->options.patience && link->loop && found->gap > 0.0) {
    *go_on = false;
    return ballistic_drop_link(state, number);
  }
  if (!*go_on) state->count.unsolved++;
  return status;
}

/* What is left of the links that this step has touched. */
static void note_residual(ballistic *state)
{
  for (size_t k = 0; k < state->visited_count; k++) {
    const link_record *link = &state->link[state->visited[k]];
    link_geometry found = geometry_of(state, link);
    double residual = fmax(-found.gap, link->slack ? 0.0 : found.gap) * state->options.tolerance / found.tolerance;
    if (residual > state->count.greatest_residual) state->count.greatest_residual = residual;
  }
}

floc_status ballistic_project(ballistic *state)
{
  floc_status status = FLOC_OK;
  for (uint32_t taken = 0; state->worklist_begin < state->worklist_count && status == FLOC_OK; taken++) {
    if (taken % ASK_INTERVAL == 0) status = ballistic_ask(state);
    if (status != FLOC_OK) break;
    if (state->options.minimiser == FLOC_MINIMISER_STOCHASTIC) draw_link(state);
    int32_t number = take_link(state);
    link_geometry found = geometry_of(state, &state->link[number]);
    if (!is_violated(&state->link[number], &found)) continue;
    bool go_on, held = false;
    status = visit(state, number, &found, &go_on);
    if (status != FLOC_OK || !go_on) continue;
    const int32_t member[2] = {state->link[number].member[0], state->link[number].member[1]};
    state->count.iterations++;
    move_to_contact(state, &state->link[number], &found);
    for (int side = 0; side < 2 && status == FLOC_OK; side++) {
      status = ballistic_note_move(state, member[side], &held);
      if (status == FLOC_OK) status = queue_links_of(state, member[side], number);
    }
    if (held && status == FLOC_OK) status = ballistic_queue_link(state, number); /* a wall was in the way */
  }
  if (status != FLOC_OK) clear_worklist(state);
  note_residual(state);
  return status;
}
