/*
 * Lists of foreign pairs and the prediction of collisions, (A.5). See event_driven/state.h.
 */
#include "schemes/event_driven/state.h"

#include <math.h>

/* Pairs nearer than this part of the greatest radius are hot. Smaller: fewer hot pairs, more looks. */
static const double HOT_GAP = 0.002;

enum { TIDY_AT_LEAST = 64 };

/* ---- nodes ---- */

static int32_t node_take(event_driven *state)
{
  if (state->free_node != NO_NODE) {
    int32_t number = state->free_node;
    state->free_node = state->node[number].next;
    return number;
  }
  if (state->node_count == INT32_MAX - 1) {
    state->failure = refuse(state->env, FLOC_LIMIT_EXCEEDED, "more than %d pairs of neighbours", state->node_count);
    return NO_NODE;
  }
  floc_status status = array_reserve(state->env, (void **)&state->node, &state->node_capacity,
                                     (size_t)state->node_count + 1, sizeof *state->node);
  if (status != FLOC_OK) {
    state->failure = status;
    return NO_NODE;
  }
  return state->node_count++;
}

static void node_release(event_driven *state, int32_t number)
{
  state->node[number].next = state->free_node;
  state->free_node = number;
}

void event_pair_add(event_driven *state, int32_t *list, int32_t own, int32_t foreign, uint32_t mark)
{
  int32_t number = node_take(state);
  if (number == NO_NODE) return;
  state->node[number] = (event_pair_node){own, foreign, mark, *list};
  *list = number;
}

void event_pair_list_free(event_driven *state, int32_t *list)
{
  while (*list >= 0) {
    int32_t number = *list;
    *list = state->node[number].next;
    node_release(state, number);
  }
}

static uint32_t registration_mark(const event_driven *state, int32_t first, int32_t second)
{
  return state->set.member[first].registration + state->set.member[second].registration;
}

bool event_pair_counts(const event_driven *state, const event_pair_node *pair)
{
  return state->set.member[pair->own].cluster != state->set.member[pair->foreign].cluster &&
         pair->mark == registration_mark(state, pair->own, pair->foreign);
}

/* A hot pair is remade by whichever cluster changes its velocity; until then the other's stamp holds. */
bool event_pair_hot_counts(const event_driven *state, const event_pair_node *pair)
{
  int32_t own = state->set.member[pair->own].cluster, foreign = state->set.member[pair->foreign].cluster;
  return own != foreign && pair->mark == (uint32_t)state->flight[foreign].motion;
}

void event_pair_list_tidy(event_driven *state, int32_t cluster)
{
  cluster_flight *flight = &state->flight[cluster];
  if (flight->pair_count <= flight->pair_limit) return;
  int32_t *link = &flight->pairs, kept = 0;
  while (*link != NO_NODE) {
    int32_t number = *link;
    if (event_pair_counts(state, &state->node[number])) {
      link = &state->node[number].next;
      kept++;
    } else {
      *link = state->node[number].next;
      node_release(state, number);
    }
  }
  flight->pair_count = kept;
  flight->pair_limit = 2 * kept + TIDY_AT_LEAST;
}

void event_pair_list(event_driven *state, int32_t first, int32_t second)
{
  uint32_t mark = registration_mark(state, first, second);
  const int32_t member[2] = {first, second};
  for (int side = 0; side < 2; side++) {
    int32_t cluster = state->set.member[member[side]].cluster;
    if (state->flight[cluster].pairs == NO_LIST) continue;
    event_pair_add(state, &state->flight[cluster].pairs, member[side], member[1 - side], mark);
    state->flight[cluster].pair_count++;
    event_pair_list_tidy(state, cluster);
  }
}

void event_pair_make_hot(event_driven *state, int32_t first, int32_t second)
{
  const int32_t member[2] = {first, second};
  for (int side = 0; side < 2; side++) {
    cluster_flight *flight = &state->flight[state->set.member[member[side]].cluster];
    if (flight->slack == 0.0) continue; /* looks at all of its pairs anyway */
    uint32_t mark = (uint32_t)state->flight[state->set.member[member[1 - side]].cluster].motion;
    event_pair_add(state, &flight->hot, member[side], member[1 - side], mark);
  }
}

void event_pair_meet(event_driven *state, int32_t first, int32_t second)
{
  event_pair_list(state, first, second);
  event_pair_predict(state, first, second);
}

/* ---- prediction ---- */

static inline approach approach_of(const event_driven *state, int32_t first, int32_t second,
                                   const double v_first[3], const double v_second[3], const int32_t dimension)
{
  approach result = {0.0, 0.0, 0.0};
  double x[3], y[3];
  cluster_straight_position(&state->set, first, state->now, dimension, x);
  cluster_straight_position(&state->set, second, state->now, dimension, y);
  for (int axis = 0; axis < dimension; axis++) {
    double separation = domain_shortest(&state->set.box, axis, x[axis] - y[axis]);
    double velocity = v_first[axis] - v_second[axis];
    result.distance_square += separation * separation;
    result.closing += separation * velocity;
    result.speed_square += velocity * velocity;
  }
  return result;
}

static void push(event_driven *state, event added)
{
  floc_status status = event_queue_push(&state->queue, added);
  if (status != FLOC_OK) state->failure = status;
}

static void push_collision(event_driven *state, int32_t first, int32_t second, double delay, double horizon)
{
  double time = state->now + delay;
  if (!(time <= horizon)) return;
  const cluster_member *member = state->set.member;
  uint64_t stamp = state->flight[member[first].cluster].motion + state->flight[member[second].cluster].motion;
  push(state, (event){time, first, second, stamp});
}

static void push_second_look(event_driven *state, int32_t first, int32_t second, double delay, double horizon)
{
  double time = state->now + delay;
  if (!(time <= horizon)) return;
  const cluster_member *member = state->set.member;
  uint64_t stamp = state->flight[member[first].cluster].promise + state->flight[member[second].cluster].promise;
  push(state, (event){time, ~first, second, stamp});
}

/* When the registration has expired for certain, if the promise holds: later events are found again. */
static inline double horizon_of(const event_driven *state, int32_t cluster)
{
  const double *v = state->flight[cluster].promised;
  double slowest = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - state->flight[cluster].slack;
  double left = 0.5 * state->set.skin - cluster_travelled(&state->set.motion[cluster], state->now);
  return slowest > 0.0 ? state->now + left / slowest : INFINITY;
}

/* The same of a cluster that may turn. */
static double turning_horizon_of(const event_driven *state, int32_t cluster)
{
  const cluster_set *set = &state->set;
  double speed = cluster_path_speed(set, cluster), last = set->motion[cluster].time + set->turning[cluster].limit;
  double left = 0.5 * set->skin - cluster_path(set, cluster, state->now);
  return speed > 0.0 ? fmin(last, state->now + left / speed) : INFINITY;
}

/* Returns whether one of the clusters turns; then it has been dealt with. */
static bool predict_turning(event_driven *state, int32_t first, int32_t second)
{
  const cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  if (set->turning[a].rate == 0.0 && set->turning[b].rate == 0.0) return false;
  double horizon = fmin(turning_horizon_of(state, a), turning_horizon_of(state, b));
  contact_look found = event_pair_contact(state, first, second, fmax(horizon - state->now, 0.0));
  (found.is_contact ? push_collision : push_second_look)(state, first, second, found.delay, horizon);
  return true;
}

static inline void predict(event_driven *state, int32_t first, int32_t second, const int32_t dimension)
{
  const cluster_member *i = &state->set.member[first], *j = &state->set.member[second];
  const cluster_flight *f = &state->flight[i->cluster], *g = &state->flight[j->cluster];
  double reach = i->radius + j->radius, slack = f->slack + g->slack;
  double horizon = fmin(horizon_of(state, i->cluster), horizon_of(state, j->cluster));
  approach of = approach_of(state, first, second, f->promised, g->promised, dimension);
  if (slack == 0.0) {
    push_collision(state, first, second, event_time_to_touch(of, reach, 0.0), horizon);
    return;
  }
  double near = reach + HOT_GAP * state->set.greatest_radius;
  if (of.distance_square > near * near) {
    push_second_look(state, first, second, event_time_to_touch(of, reach, slack), horizon);
    return;
  }
  const double *v_first = state->set.motion[i->cluster].velocity,
               *v_second = state->set.motion[j->cluster].velocity;
  of = approach_of(state, first, second, v_first, v_second, dimension);
  push_collision(state, first, second, event_time_to_touch(of, reach, 0.0), horizon);
  event_pair_make_hot(state, first, second);
}

void event_pair_predict(event_driven *state, int32_t first, int32_t second)
{
  state->count.predictions++;
  if (first > second) {
    int32_t other = first;
    first = second;
    second = other;
  }
  if (state->set.turning && predict_turning(state, first, second)) return;
  if (state->dimension == 2)
    predict(state, first, second, 2);
  else
    predict(state, first, second, 3);
}
