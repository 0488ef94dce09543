/*
 * The rigid variant: clusters keep their shape and only translate. Those whose members touch at some time
 * of the step become one at that time (A.5), where they touch, and fly on together; adhesion is localised at
 * the contact and there is nothing to minimise.
 *
 * Impacts are carried out in the order of time: a merge changes the flight of a cluster, which may meet a
 * third one in the same step, earlier than any that is known. All pairs of the clusters are looked at, not
 * those alone that overlap at the end of the step, or clusters could pass through each other by a part of
 * themselves and a rare deep overlap would stay. For this, the pairs of the list are chained by cluster at
 * the beginning of the step; the chains of clusters that merge are joined.
 *
 * Memory: head[cluster] and next[2 pair + side] in a scratch arena, as for links.
 */
#include "base/interruption.h"
#include "schemes/aggregation/queue.h"
#include "schemes/ballistic/state.h"

#include <math.h>

enum { EXPIRY = 6 }; /* code of an event, after those of the walls */

typedef struct impact_search {
  ballistic *state;
  event_queue queue;
  double end;
  int32_t *head;                 /* [set.count] handle of a cluster's first pair */
  int32_t *next;                 /* [2 chained] */
  size_t next_capacity, chained; /* pairs of the list that are in chains */
  uint64_t *version;             /* [set.count] of a cluster's velocity */
  uint64_t versions;             /* the last one given */
} impact_search;

static void change(impact_search *search, int32_t cluster)
{
  search->version[cluster] = ++search->versions;
}

/* ---- prediction ---- */

static floc_status predict_pair(impact_search *search, const neighbour_pair *pair)
{
  const cluster_set *set = &search->state->set;
  const cluster_member *i = &set->member[pair->first], *j = &set->member[pair->second];
  const double *v = set->motion[i->cluster].velocity, *w = set->motion[j->cluster].velocity;
  double x[3], y[3], a = 0.0, b = 0.0, c = 0.0, reach = i->radius + j->radius;
  cluster_position(set, pair->first, search->state->now, set->dimension, x);
  cluster_position(set, pair->second, search->state->now, set->dimension, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    double separation = domain_shortest(&set->box, axis, x[axis] - y[axis]), speed = v[axis] - w[axis];
    a += speed * speed;
    b += separation * speed;
    c += separation * separation;
  }
  c -= reach * reach;
  double discriminant = b * b - a * c;
  if (b >= 0.0 || discriminant < 0.0) return FLOC_OK;
  double time = search->state->now + fmax(c / (sqrt(discriminant) - b), 0.0);
  if (time > search->end) return FLOC_OK;
  uint64_t stamp = search->version[i->cluster] + search->version[j->cluster];
  return event_queue_push(&search->queue, (event){time, pair->first, pair->second, stamp});
}

/* When the path of a cluster has grown to skin / 2: what is listed about it does not reach farther. */
static floc_status predict_expiry(impact_search *search, int32_t number)
{
  const ballistic *state = search->state;
  const cluster_motion *motion = &state->set.motion[number];
  double left = 0.5 * state->set.skin - cluster_travelled(motion, state->now), speed = cluster_speed(motion);
  if (state->set.alive < 2 || speed * (search->end - state->now) <= left) return FLOC_OK;
  event added = {state->now + fmax(left, 0.0) / speed, number, ~EXPIRY, search->version[number]};
  return event_queue_push(&search->queue, added);
}

/* When the cluster reaches a wall; the code of the event is 2 axis for the lower one, 2 axis + 1. */
static floc_status predict_walls(impact_search *search, int32_t number)
{
  const cluster_set *set = &search->state->set;
  const cluster_motion *motion = &set->motion[number];
  double elapsed = search->state->now - motion->time;
  for (int axis = 0; axis < set->dimension; axis++) {
    double velocity = motion->velocity[axis], offset = motion->offset[axis] + velocity * elapsed;
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL || velocity == 0.0) continue;
    double room = velocity > 0.0 ? set->box.upper[axis] - set->body[number].upper[axis] - offset
                                 : set->body[number].lower[axis] + offset - set->box.lower[axis];
    double time = search->state->now + fmax(room / fabs(velocity), 0.0);
    if (time > search->end) continue;
    event added = {time, number, ~(2 * axis + (velocity > 0.0)), search->version[number]};
    floc_status status = event_queue_push(&search->queue, added);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status predict_alone(impact_search *search, int32_t number)
{
  floc_status status = predict_walls(search, number);
  return status == FLOC_OK ? predict_expiry(search, number) : status;
}

static floc_status predict_cluster(impact_search *search, int32_t number)
{
  ballistic *state = search->state;
  floc_status status = predict_alone(search, number);
  for (int32_t handle = search->head[number]; handle != NO_HANDLE && status == FLOC_OK;
       handle = search->next[handle]) {
    state->count.pairs_looked_at++;
    if (ballistic_pair_counts(state, &state->pair[handle >> 1]))
      status = predict_pair(search, &state->pair[handle >> 1]);
  }
  return status;
}

/* ---- chains ---- */

/* Chains pairs that were listed since the last call, and predicts them. */
static floc_status chain_new_pairs(impact_search *search)
{
  ballistic *state = search->state;
  floc_status status = array_reserve(state->env, (void **)&search->next, &search->next_capacity,
                                     2 * state->pair_count, sizeof *search->next);
  for (; search->chained < state->pair_count && status == FLOC_OK; search->chained++) {
    const neighbour_pair *pair = &state->pair[search->chained];
    const int32_t member[2] = {pair->first, pair->second};
    for (int side = 0; side < 2; side++) {
      int32_t handle = (int32_t)(2 * search->chained) + side,
              *head = &search->head[state->set.member[member[side]].cluster];
      search->next[handle] = *head;
      *head = handle;
    }
    state->count.pairs_looked_at++;
    status = predict_pair(search, pair);
  }
  return status;
}

static void join_chains(impact_search *search, int32_t kept, int32_t absorbed)
{
  int32_t last = search->head[absorbed];
  if (last == NO_HANDLE) return;
  while (search->next[last] != NO_HANDLE) last = search->next[last];
  search->next[last] = search->head[kept];
  search->head[kept] = search->head[absorbed];
  search->head[absorbed] = NO_HANDLE;
}

static void forget_dead_pairs(ballistic *state)
{
  size_t kept = 0;
  for (size_t k = 0; k < state->pair_count; k++)
    if (ballistic_pair_counts(state, &state->pair[k])) state->pair[kept++] = state->pair[k];
  state->pair_count = kept;
}

/* ---- events ---- */

/* Members that a merge or an expiry has put into `moved`. */
static floc_status register_and_predict(impact_search *search)
{
  ballistic *state = search->state;
  floc_status status = ballistic_register_moved(state);
  ballistic_next_pass(state);
  return status == FLOC_OK ? chain_new_pairs(search) : status;
}

static floc_status merge(impact_search *search, int32_t first, int32_t second)
{
  ballistic *state = search->state;
  int32_t a = state->set.member[first].cluster, b = state->set.member[second].cluster;
  int32_t kept = cluster_larger(&state->set, a, b), absorbed = kept == a ? b : a;
  floc_status status = ballistic_meet(state, first, second);
  if (status != FLOC_OK) return status;
  join_chains(search, kept, absorbed);
  change(search, kept);
  status = register_and_predict(search);
  return status == FLOC_OK ? predict_cluster(search, kept) : status;
}

static floc_status reflect(impact_search *search, int32_t number, int32_t wall)
{
  ballistic *state = search->state;
  cluster_motion *motion = &state->set.motion[number];
  const cluster_body *body = &state->set.body[number];
  int axis = wall / 2;
  double room = state->set.box.upper[axis] - state->set.box.lower[axis] - (body->upper[axis] - body->lower[axis]);
  double speed = room <= 1e-9 * state->set.greatest_radius ? 0.0 : fabs(motion->velocity[axis]);
  cluster_advance(motion, state->now);
  motion->velocity[axis] = wall % 2 == 1 ? -speed : speed;
  state->count.reflections++;
  change(search, number);
  return predict_cluster(search, number);
}

static floc_status expire(impact_search *search, int32_t number)
{
  floc_status status = ballistic_renew(search->state, number);
  if (status == FLOC_OK) status = register_and_predict(search);
  return status == FLOC_OK ? predict_expiry(search, number) : status;
}

static floc_status happen_alone(impact_search *search, int32_t number, int32_t what)
{
  return what == EXPIRY ? expire(search, number) : reflect(search, number, what);
}

static bool counts(const impact_search *search, const event *next)
{
  if (next->second < 0) return next->stamp == search->version[next->first];
  const cluster_member *member = search->state->set.member;
  int32_t a = member[next->first].cluster, b = member[next->second].cluster;
  return a != b && next->stamp == search->version[a] + search->version[b];
}

static floc_status run_events(impact_search *search)
{
  for (uint32_t taken = 0;; taken++) {
    const event *first;
    floc_status status = taken % ASK_INTERVAL == 0 ? ballistic_ask(search->state) : FLOC_OK;
    if (status == FLOC_OK) status = event_queue_first(&search->queue, &first);
    if (status != FLOC_OK || !first) return status;
    event next = *first;
    event_queue_drop(&search->queue);
    if (!counts(search, &next)) continue;
    search->state->now = next.time;
    status =
        next.second < 0 ? happen_alone(search, next.first, ~next.second) : merge(search, next.first, next.second);
    if (status != FLOC_OK) return status;
  }
}

static floc_status prepare(impact_search *search)
{
  ballistic *state = search->state;
  size_t count = (size_t)state->set.count;
  arena_reset(&state->scratch);
  search->head = arena_allocate(&state->scratch, count, sizeof *search->head);
  search->version = arena_allocate(&state->scratch, count, sizeof *search->version);
  if (!search->head || !search->version) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < state->alive_count; k++) {
    search->head[state->alive[k]] = NO_HANDLE;
    change(search, state->alive[k]);
  }
  floc_status status = ballistic_renew_expired(state, search->end);
  forget_dead_pairs(state);
  ballistic_next_pass(state);
  for (int64_t k = 0; k < state->alive_count && status == FLOC_OK; k++)
    status = predict_alone(search, state->alive[k]);
  return status == FLOC_OK ? chain_new_pairs(search) : status;
}

floc_status ballistic_advance_rigid(ballistic *state, double end)
{
  impact_search search = {.state = state, .end = end};
  event_queue_init(&search.queue, state->env);
  floc_status status = prepare(&search);
  if (status == FLOC_OK) status = run_events(&search);
  if (status == FLOC_OK) state->now = end;
  event_queue_free(&search.queue);
  array_free(state->env, (void **)&search.next, &search.next_capacity, sizeof *search.next);
  return status;
}
