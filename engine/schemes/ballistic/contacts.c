/*
 * Pairs, links and clusters that become one; the outer loop of the minimisation, (3.1)-(3.2). See
 * ballistic/state.h.
 */
#include "base/interruption.h"
#include "schemes/aggregation/spins.h"
#include "schemes/ballistic/state.h"

#include <math.h>
#include <stdlib.h>

/* ---- pairs ---- */

static uint32_t mark_of(const ballistic *state, int32_t first, int32_t second)
{
  return state->set.member[first].registration + state->set.member[second].registration;
}

bool ballistic_pair_counts(const ballistic *state, const neighbour_pair *pair)
{
  return state->set.member[pair->first].cluster != state->set.member[pair->second].cluster &&
         pair->mark == mark_of(state, pair->first, pair->second);
}

static floc_status append_pair(environment *env, neighbour_pair **pairs, size_t *count, size_t *capacity,
                               neighbour_pair added)
{
  if (*count == *capacity) {
    floc_status status = array_reserve(env, (void **)pairs, capacity, *count + 1, sizeof **pairs);
    if (status != FLOC_OK) return status;
  }
  (*pairs)[(*count)++] = added;
  return FLOC_OK;
}

static neighbour_pair ordered_pair(const ballistic *state, int32_t first, int32_t second)
{
  uint32_t mark = mark_of(state, first, second);
  return first < second ? (neighbour_pair){first, second, mark} : (neighbour_pair){second, first, mark};
}

floc_status ballistic_add_pair(ballistic *state, int32_t first, int32_t second)
{
  return append_pair(state->env, &state->pair, &state->pair_count, &state->pair_capacity,
                     ordered_pair(state, first, second));
}

static floc_status add_overlap(ballistic *state, int32_t first, int32_t second)
{
  return append_pair(state->env, &state->overlap, &state->overlap_count, &state->overlap_capacity,
                     ordered_pair(state, first, second));
}

floc_status ballistic_search(ballistic *state, int32_t member, bool only_later)
{
  int64_t found = 0;
  floc_status status = cluster_search(&state->set, member, state->now, only_later, &found);
  state->count.searches++;
  for (int64_t k = 0; k < found && status == FLOC_OK; k++) {
    int32_t other = state->set.found[k];
    bool both = state->moved_at[other] == state->pass && state->moved_at[member] == state->pass;
    if (both && other < member) continue; /* listed when that one searched */
    status = ballistic_add_pair(state, member, other);
  }
  return status;
}

static floc_status put_moved(ballistic *state, int32_t member)
{
  if (state->moved_at[member] == state->pass) return FLOC_OK;
  if (state->moved_count == state->moved_capacity) {
    floc_status status = array_reserve(state->env, (void **)&state->moved, &state->moved_capacity,
                                       state->moved_count + 1, sizeof *state->moved);
    if (status != FLOC_OK) return status;
  }
  state->moved_at[member] = state->pass;
  state->moved[state->moved_count++] = member;
  return FLOC_OK;
}

void ballistic_next_pass(ballistic *state)
{
  state->pass++;
  state->moved_count = 0;
}

floc_status ballistic_register_moved(ballistic *state)
{
  floc_status status = FLOC_OK;
  for (size_t k = 0; k < state->moved_count; k++) cluster_register(&state->set, state->moved[k], state->now);
  for (size_t k = 0; k < state->moved_count && status == FLOC_OK; k++)
    status = ballistic_search(state, state->moved[k], false);
  return status;
}

floc_status ballistic_renew(ballistic *state, int32_t number)
{
  cluster_set *set = &state->set;
  cluster_restart(set, number, state->now);
  cluster_find_box(set, number);
  floc_status status = FLOC_OK;
  for (int32_t k = set->body[number].first; k != NO_MEMBER && status == FLOC_OK; k = set->member[k].next_in_cluster)
    status = put_moved(state, k);
  return status;
}

floc_status ballistic_renew_expired(ballistic *state, double until)
{
  floc_status status = FLOC_OK;
  ballistic_next_pass(state);
  for (int64_t k = 0; k < state->alive_count && status == FLOC_OK; k++) {
    int32_t number = state->alive[k];
    if (state->set.body[number].count == 0) continue;
    if (cluster_travelled(&state->set.motion[number], until) > 0.5 * state->set.skin)
      status = ballistic_renew(state, number);
  }
  return status == FLOC_OK ? ballistic_register_moved(state) : status;
}

/* ---- walls ---- */

/* How far the cluster reaches through the walls of an axis, at now. */
static void reach_through(const ballistic *state, int32_t number, int axis, double *below, double *above)
{
  const cluster_motion *motion = &state->set.motion[number];
  const cluster_body *body = &state->set.body[number];
  double offset = motion->offset[axis] + motion->velocity[axis] * (state->now - motion->time);
  *below = state->set.box.lower[axis] - (body->lower[axis] + offset);
  *above = body->upper[axis] + offset - state->set.box.upper[axis];
}

/* Mirrors place and velocity at the wall; a cluster without space between both walls is put between them. The box
 * around a cluster may be too large after a minimisation; it is made exact before it counts. */
bool ballistic_reflect(ballistic *state, int32_t number)
{
  cluster_set *set = &state->set;
  cluster_motion *motion = &set->motion[number];
  const cluster_body *body = &set->body[number];
  bool reflected = false, exact = false;
  for (int axis = 0; axis < set->dimension; axis++) {
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL) continue;
    double below, above;
    reach_through(state, number, axis, &below, &above);
    if (below <= 0.0 && above <= 0.0) continue;
    if (!exact) {
      cluster_find_box(set, number);
      exact = true;
      reach_through(state, number, axis, &below, &above);
      if (below <= 0.0 && above <= 0.0) continue;
    }
    double room = set->box.upper[axis] - set->box.lower[axis] - (body->upper[axis] - body->lower[axis]);
    double shift =
        below > 0.0 ? fmin(2.0 * below, below + fmax(room, 0.0)) : -fmin(2.0 * above, above + fmax(room, 0.0));
    if (room <= 0.0) shift = 0.5 * (below - above); /* the same distance through both */
    cluster_advance(motion, state->now);
    motion->offset[axis] += shift;
    motion->travelled += fabs(shift);
    double speed = room <= 1e-9 * set->greatest_radius ? 0.0 : fabs(motion->velocity[axis]);
    motion->velocity[axis] = below > 0.0 ? speed : -speed;
    reflected = true;
  }
  state->count.reflections += reflected;
  return reflected;
}

/* ---- links ---- */

static bool linked(const ballistic *state, int32_t first, int32_t second)
{
  for (int32_t handle = state->first_link[first]; handle != NO_HANDLE;) {
    const link_record *link = &state->link[handle >> 1];
    if (link->member[1 - (handle & 1)] == second) return true;
    handle = link->next[handle & 1];
  }
  return false;
}

void ballistic_chain_link(ballistic *state, int64_t number, int32_t first, int32_t second)
{
  link_record *link = &state->link[number];
  link->member[0] = first;
  link->member[1] = second;
  link->next[0] = state->first_link[first];
  link->next[1] = state->first_link[second];
  state->first_link[first] = (int32_t)(2 * number);
  state->first_link[second] = (int32_t)(2 * number + 1);
}

/* Appends a link to the list and to the chains of its members; clusters stay as they are. */
static floc_status append_link(ballistic *state, int32_t first, int32_t second, bool loop)
{
  int64_t number = state->links.count;
  if (number >= INT32_MAX / 2)
    return refuse(state->env, FLOC_LIMIT_EXCEEDED, "more than %lld links", (long long)number);
  floc_status status = array_reserve(state->env, (void **)&state->link, &state->link_capacity, (size_t)number + 1,
                                     sizeof *state->link);
  if (status == FLOC_OK)
    status = particle_links_add(&state->links, state->set.slot[first], state->set.slot[second]);
  if (status != FLOC_OK) return status;
  state->link[number] = (link_record){.loop = loop};
  ballistic_chain_link(state, number, first, second);
  return FLOC_OK;
}

/* Members of the absorbed cluster that have travelled further since their registration than kept's are
 * registered again, so that kept's count stays true (see aggregation/clusters.h). */
/* Two clusters become one; both are advanced to the same time. */
static floc_status join(ballistic *state, int32_t a, int32_t b)
{
  cluster_set *set = &state->set;
  int32_t kept = cluster_larger(set, a, b), absorbed = kept == a ? b : a;
  double mean[3];
  bool further = set->motion[absorbed].travelled > set->motion[kept].travelled;
  if (state->set.spin) cluster_spins_join(&state->set, kept, absorbed);
  int32_t last = cluster_absorb(set, kept, absorbed, mean);
  for (int axis = 0; axis < 3; axis++) set->motion[kept].velocity[axis] = mean[axis];
  state->count.merges++;
  if (!further) return FLOC_OK;
  for (int32_t k = set->body[kept].first;; k = set->member[k].next_in_cluster) {
    floc_status status = put_moved(state, k);
    if (status != FLOC_OK || k == last) return status;
  }
}

floc_status ballistic_link(ballistic *state, int32_t first, int32_t second)
{
  cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  floc_status status = append_link(state, first, second, a == b);
  if (status != FLOC_OK) return status;
  cluster_advance(&set->motion[a], state->now);
  cluster_advance(&set->motion[b], state->now);
  if (state->set.spin) cluster_spins_align(&state->set, first, second);
  if (a == b) return FLOC_OK;
  return join(state, a, b);
}

floc_status ballistic_meet(ballistic *state, int32_t first, int32_t second)
{
  const cluster_member *member = state->set.member;
  floc_status status = FLOC_OK;
  if (member[first].cluster != member[second].cluster)
    status = cluster_note_merge(&state->set, state->merges, first, second, state->now);
  return status == FLOC_OK ? ballistic_link(state, first, second) : status;
}

/* ---- overlaps ---- */

static inline double distance_square(const ballistic *state, int32_t first, int32_t second, const int32_t dimension)
{
  double x[3], y[3], square = 0.0;
  cluster_position(&state->set, first, state->now, dimension, x);
  cluster_position(&state->set, second, state->now, dimension, y);
  for (int axis = 0; axis < dimension; axis++) {
    double separation = domain_shortest(&state->set.box, axis, x[axis] - y[axis]);
    square += separation * separation;
  }
  return square;
}

/* Looks at the pairs from `begin` on, forgets those that no longer count, and stages the overlaps. */
static floc_status find_overlaps(ballistic *state, size_t begin)
{
  size_t kept = begin;
  const cluster_member *member = state->set.member;
  for (size_t k = begin; k < state->pair_count; k++) {
    neighbour_pair pair = state->pair[k];
    if (!ballistic_pair_counts(state, &pair)) continue;
    state->pair[kept++] = pair;
    state->count.pairs_looked_at++; /* a checkpoint keeps these only, and the choice of the skin asks */
    double reach = member[pair.first].radius + member[pair.second].radius;
    double square = state->dimension == 2 ? distance_square(state, pair.first, pair.second, 2)
                                          : distance_square(state, pair.first, pair.second, 3);
    if (square >= reach * reach) continue;
    floc_status status = add_overlap(state, pair.first, pair.second);
    if (status != FLOC_OK) return status;
  }
  state->pair_count = kept;
  return FLOC_OK;
}

/* Stages the overlaps of moved members with anyone, their own cluster included. */
static floc_status find_moved_overlaps(ballistic *state)
{
  for (size_t k = 0; k < state->moved_count; k++) {
    int32_t member = state->moved[k];
    int64_t found = 0;
    floc_status status = k % ASK_INTERVAL == 0 ? ballistic_ask(state) : FLOC_OK;
    if (status == FLOC_OK) status = cluster_search_touching(&state->set, member, state->now, &found);
    for (int64_t n = 0; n < found && status == FLOC_OK; n++)
      if (!linked(state, member, state->set.found[n])) status = add_overlap(state, member, state->set.found[n]);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static int compare_pairs(const void *a, const void *b)
{
  const neighbour_pair *p = a, *q = b;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  return p->second < q->second ? -1 : p->second > q->second;
}

/* What overlaps is linked, in the order of member numbers, and waits for the minimiser. */
static floc_status link_overlaps(ballistic *state)
{
  floc_status status = FLOC_OK;
  if (state->overlap_count > 1) qsort(state->overlap, state->overlap_count, sizeof *state->overlap, compare_pairs);
  for (size_t k = 0; k < state->overlap_count && status == FLOC_OK; k++) {
    neighbour_pair pair = state->overlap[k];
    if (k > 0 && compare_pairs(&pair, &state->overlap[k - 1]) == 0) continue;
    status = ballistic_meet(state, pair.first, pair.second);
    if (status == FLOC_OK) status = ballistic_queue_link(state, (int32_t)state->links.count - 1);
  }
  state->overlap_count = 0;
  return status;
}

static void end_visits(ballistic *state)
{
  for (size_t k = 0; k < state->visited_count; k++) state->link[state->visited[k]].visits = 0;
  state->visited_count = 0;
}

floc_status ballistic_interact(ballistic *state)
{
  ballistic_next_pass(state);
  floc_status status = state->set.spin ? ballistic_renew_wide(state) : FLOC_OK;
  if (status == FLOC_OK) status = ballistic_register_moved(state);
  if (status == FLOC_OK) status = find_overlaps(state, 0);
  if (status == FLOC_OK) status = find_moved_overlaps(state);
  ballistic_next_pass(state);
  while (status == FLOC_OK && (state->overlap_count > 0 || state->worklist_begin < state->worklist_count)) {
    status = link_overlaps(state);
    if (status == FLOC_OK)
      status = state->options.minimiser == FLOC_MINIMISER_ARROW_HURWICZ ? ballistic_arrow_hurwicz(state)
                                                                        : ballistic_project(state);
    state->count.minimisations++;
    size_t listed = state->pair_count;
    if (status == FLOC_OK) status = ballistic_register_moved(state);
    if (status == FLOC_OK) status = find_overlaps(state, listed);
    if (status == FLOC_OK) status = find_moved_overlaps(state);
    ballistic_next_pass(state);
  }
  end_visits(state);
  return status;
}
