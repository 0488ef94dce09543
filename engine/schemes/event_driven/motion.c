/*
 * What happens to clusters: reflection (2.2), merging (2.9), bouncing (2.6), and the renewal of their
 * neighbour lists. See event_driven/state.h for promises and stamps.
 */
#include "schemes/aggregation/spins.h"
#include "schemes/aggregation/turning.h"
#include "schemes/event_driven/state.h"

#include <math.h>

enum { LISTED_MEMBERS = 24 }; /* clusters of this number of members have lists and slack */
enum { EXPIRY = 0 };          /* 1 + 2 axis: lower wall, 2 + 2 axis: upper wall */

/* Slack of a large cluster, in mean speeds of clusters. Larger: the list is gone through less often, but
 * each pair is re-checked more often; flat between 0.02 and 0.2 (measured). */
static const double SLACK = 0.05;

/* ---- what happens to a cluster alone ---- */

static void push_alone(event_driven *state, int32_t number, double delay, int32_t what)
{
  if (!(delay < INFINITY)) return;
  event added = {state->now + fmax(delay, 0.0), number, ~what, state->flight[number].motion};
  floc_status status = event_queue_push(&state->queue, added);
  if (status != FLOC_OK) state->failure = status;
}

/* Of a cluster that turns, which is settled at now. Where a wall's time is not known yet, it is renewed then. */
static void schedule_turning(event_driven *state, int32_t number)
{
  const cluster_set *set = &state->set;
  double least = (0.5 * set->skin - set->motion[number].travelled) / cluster_path_speed(set, number);
  int32_t what = EXPIRY;
  least = fmax(fmin(least, set->turning[number].limit), 0.0);
  for (int side = 0; side < 2 * set->dimension; side++) {
    if (set->box.boundary[side / 2] != FLOC_BOUNDARY_WALL) continue;
    contact_look found = event_wall_contact(state, number, side / 2, side % 2 == 1, least);
    if (found.delay >= least) continue;
    least = found.delay;
    what = found.is_contact ? 1 + side : EXPIRY;
  }
  push_alone(state, number, least, what);
}

/* Along gravity: what flies away from a wall may come back to it. */
static void schedule_fall(const event_driven *state, int32_t number, int axis, double *least, int32_t *what)
{
  const cluster_set *set = &state->set;
  const cluster_motion *motion = &set->motion[number];
  double place = motion->offset[axis] + set->frame_place[axis];
  double velocity = motion->velocity[axis] + set->frame_velocity[axis];
  for (int side = 0; side < 2; side++) {
    bool upper = side == 1;
    double distance = upper ? set->box.upper[axis] - (set->body[number].upper[axis] + place)
                            : set->body[number].lower[axis] + place - set->box.lower[axis];
    double delay = fall_time_to_wall(state, distance, upper ? velocity : -velocity, axis, upper);
    if (delay >= *least) continue;
    *least = delay;
    *what = 1 + 2 * axis + side;
  }
}

void flight_schedule(event_driven *state, int32_t number)
{
  if (state->set.turning && state->set.turning[number].rate > 0.0) {
    schedule_turning(state, number);
    return;
  }
  const cluster_set *set = &state->set;
  const cluster_motion *motion = &set->motion[number];
  double least = INFINITY, speed = cluster_speed(motion);
  int32_t what = EXPIRY;
  if (speed > 0.0) least = (0.5 * set->skin - motion->travelled) / speed;
  for (int axis = 0; axis < set->dimension; axis++) {
    double velocity = motion->velocity[axis], distance;
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL) continue;
    if (state->gravity[axis] != 0.0) {
      schedule_fall(state, number, axis, &least, &what);
      continue;
    }
    if (velocity == 0.0) continue;
    if (velocity > 0.0)
      distance = set->box.upper[axis] - (set->body[number].upper[axis] + motion->offset[axis]);
    else
      distance = set->body[number].lower[axis] + motion->offset[axis] - set->box.lower[axis];
    double delay = distance / fabs(velocity);
    if (delay >= least) continue;
    least = delay;
    what = velocity > 0.0 ? 2 + 2 * axis : 1 + 2 * axis;
  }
  push_alone(state, number, least, what);
}

/* ---- promises ---- */

void flight_promise(event_driven *state, int32_t number)
{
  cluster_flight *flight = &state->flight[number];
  flight->motion = flight->promise = ++state->stamp;
  flight->slack = 0.0;
  if (flight->pairs != NO_LIST) flight->slack = fmax(0.0, SLACK * state->speed_sum / (double)state->set.alive);
  for (int axis = 0; axis < 3; axis++) flight->promised[axis] = state->set.motion[number].velocity[axis];
}

static bool promise_holds(const event_driven *state, int32_t number)
{
  const cluster_flight *flight = &state->flight[number];
  double square = 0.0;
  for (int axis = 0; axis < state->dimension; axis++) {
    double difference = state->set.motion[number].velocity[axis] - flight->promised[axis];
    square += difference * difference;
  }
  return square <= flight->slack * flight->slack && flight->slack > 0.0;
}

/* Goes through the whole list of a cluster, forgets what no longer counts and predicts the rest. */
static void predict_all(event_driven *state, int32_t number)
{
  state->flight[number].pair_limit = 0;
  event_pair_list_tidy(state, number);
  for (int32_t k = state->flight[number].pairs; k >= 0 && state->failure == FLOC_OK; k = state->node[k].next)
    event_pair_predict(state, state->node[k].own, state->node[k].foreign);
}

static void predict_hot(event_driven *state, int32_t number)
{
  int32_t list = state->flight[number].hot;
  state->flight[number].hot = NO_NODE;
  for (int32_t k = list; k >= 0; k = state->node[k].next)
    if (event_pair_hot_counts(state, &state->node[k]))
      event_pair_predict(state, state->node[k].own, state->node[k].foreign);
  event_pair_list_free(state, &list);
}

/* ---- registration ---- */

static void search_and_meet(event_driven *state, int32_t member)
{
  int64_t found = 0;
  floc_status status = cluster_search(&state->set, member, state->now, false, &found);
  if (status != FLOC_OK) state->failure = status;
  state->count.searches++;
  for (int64_t k = 0; k < found && state->failure == FLOC_OK; k++)
    if (event_pair_can_meet(state, member, state->set.found[k]))
      event_pair_meet(state, member, state->set.found[k]);
}

void flight_begin_lists(event_driven *state, int32_t number)
{
  cluster_flight *flight = &state->flight[number];
  bool listed = state->set.body[number].count >= LISTED_MEMBERS && !state->set.turning;
  event_pair_list_free(state, &flight->pairs);
  event_pair_list_free(state, &flight->hot);
  flight->pairs = flight->hot = listed ? NO_NODE : NO_LIST;
  flight->pair_count = flight->pair_limit = 0;
}

void flight_renew(event_driven *state, int32_t number)
{
  cluster_set *set = &state->set;
  cluster_restart(set, number, state->now);
  if (set->turning) cluster_turning_begin(set, number);
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
    cluster_register(set, k, state->now);
  flight_begin_lists(state, number);
  flight_promise(state, number);
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster)
    search_and_meet(state, k);
  flight_schedule(state, number);
}

/* ---- change of velocity ---- */

static void set_velocity(event_driven *state, int32_t number, const double velocity[3])
{
  cluster_motion *motion = &state->set.motion[number];
  state->speed_sum -= cluster_speed(motion);
  for (int axis = 0; axis < 3; axis++) motion->velocity[axis] = velocity[axis];
  state->speed_sum += cluster_speed(motion);
}

/* The cluster, advanced to now, continues with another velocity. */
static void turn(event_driven *state, int32_t number, const double velocity[3])
{
  set_velocity(state, number, velocity);
  if (state->flight[number].pairs == NO_LIST) {
    flight_renew(state, number);
    return;
  }
  if (promise_holds(state, number)) {
    state->flight[number].motion = ++state->stamp;
    predict_hot(state, number);
  } else {
    event_pair_list_free(state, &state->flight[number].hot);
    flight_promise(state, number);
    predict_all(state, number);
  }
  flight_schedule(state, number);
}

/* ---- walls ---- */

static void wedge(event_driven *state, int32_t number, int axis, double velocity[3])
{
  velocity[axis] = 0.0;
  for (int k = 0; k < 3 && state->set.spin; k++) state->set.spin[number].momentum[k] = 0.0;
}

void flight_reflect(event_driven *state, int32_t number, int32_t wall)
{
  cluster_motion *motion = &state->set.motion[number];
  const cluster_body *body = &state->set.body[number];
  const domain *box = &state->set.box;
  int axis = (wall - 1) / 2;
  bool upper = (wall - 1) % 2 == 1;
  double velocity[3] = {motion->velocity[0], motion->velocity[1], motion->velocity[2]};
  cluster_settle(&state->set, number, state->now);
  double room = box->upper[axis] - box->lower[axis] - (body->upper[axis] - body->lower[axis]);
  double fall = state->set.frame_velocity[axis];
  bool wedged = room <= 1e-9 * state->set.greatest_radius;
  if (wedged)
    wedge(state, number, axis, velocity); /* between both walls: it would be reflected for ever */
  else if (state->set.turning)
    rotation_reflect(state, number, axis, upper, velocity);
  else
    velocity[axis] = (upper ? -fabs(velocity[axis] + fall) : fabs(velocity[axis] + fall)) - fall;
  if (wedged || !state->set.turning || state->set.turning[number].rate == 0.0)
    state->failure = fall_check_rebound(state, number, axis, upper, velocity[axis] + fall, wedged);
  if (state->failure != FLOC_OK) return;
  turn(state, number, velocity);
  state->count.reflections++;
}

/* ---- collisions ---- */

/* The pairs of an absorbed cluster's list now belong to `kept`, which has just turned. */
static void take_over_list(event_driven *state, int32_t kept, int32_t list)
{
  for (int32_t k = list; k >= 0 && state->failure == FLOC_OK; k = state->node[k].next) {
    event_pair_node pair = state->node[k];
    if (!event_pair_counts(state, &pair)) continue;
    event_pair_add(state, &state->flight[kept].pairs, pair.own, pair.foreign, pair.mark);
    state->flight[kept].pair_count++;
    event_pair_predict(state, pair.own, pair.foreign);
  }
  event_pair_list_free(state, &list);
  event_pair_list_tidy(state, kept);
}

/* Registers the members from the chain's begin to `last` again. */
static void take_over_members(event_driven *state, int32_t kept, int32_t last)
{
  for (int32_t k = state->set.body[kept].first;; k = state->set.member[k].next_in_cluster) {
    cluster_register(&state->set, k, state->now);
    if (k == last) break;
  }
  for (int32_t k = state->set.body[kept].first;; k = state->set.member[k].next_in_cluster) {
    search_and_meet(state, k);
    if (k == last) break;
  }
}

/* The cluster's flight ends: its events no longer count. Gives its list away. */
static int32_t end_flight(event_driven *state, int32_t number)
{
  cluster_flight *flight = &state->flight[number];
  int32_t list = flight->pairs;
  event_pair_list_free(state, &flight->hot);
  *flight = (cluster_flight){.pairs = NO_LIST, .hot = NO_LIST};
  return list;
}

/* A large cluster keeps its registration. Members of the absorbed one that have travelled further since
 * theirs, or have no list, are registered again: so kept's count of the path stays true. */
static void merge(event_driven *state, int32_t first, int32_t second)
{
  cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  int32_t kept = cluster_larger(set, a, b), absorbed = kept == a ? b : a;
  double mean[3];
  cluster_settle(set, kept, state->now);
  cluster_settle(set, absorbed, state->now);
  if (set->spin) cluster_spins_align(set, first, second);
  if (a == b) { /* it has reached itself through a periodic face, and turns no more */
    flight_renew(state, a);
    return;
  }
  if (set->spin) cluster_spins_join(set, kept, absorbed);
  bool further = set->motion[absorbed].travelled > set->motion[kept].travelled;
  state->speed_sum -= cluster_speed(&set->motion[absorbed]);
  int32_t last = cluster_absorb(set, kept, absorbed, mean), list = end_flight(state, absorbed);
  turn(state, kept, mean);
  state->count.merges++;
  if (state->flight[kept].pairs == NO_LIST) return;
  if (list == NO_LIST || further) {
    event_pair_list_free(state, &list);
    take_over_members(state, kept, last);
  } else {
    take_over_list(state, kept, list);
  }
}

/* Coefficient of restitution at a normal speed; 0 when the collision sticks. */
static double restitution_at(const event_driven *state, double normal_speed)
{
  const floc_event_driven_options *options = &state->options;
  if (normal_speed <= options->sticking_speed || normal_speed <= state->speed_floor) return 0.0;
  double ratio = options->sticking_speed / normal_speed;
  double coefficient = options->restitution * sqrt(1.0 - ratio * ratio);
  return coefficient > options->sticking_restitution ? coefficient : 0.0;
}

static void bounce(event_driven *state, int32_t first, int32_t second, const double normal[3], double normal_speed,
                   double coefficient)
{
  int32_t a = state->set.member[first].cluster, b = state->set.member[second].cluster;
  cluster_motion *motion_a = &state->set.motion[a], *motion_b = &state->set.motion[b];
  double mass_a = state->set.body[a].mass, mass_b = state->set.body[b].mass;
  double change = (1.0 + coefficient) * normal_speed / (mass_a + mass_b);
  double velocity_a[3], velocity_b[3];
  cluster_advance(motion_a, state->now);
  cluster_advance(motion_b, state->now);
  for (int axis = 0; axis < 3; axis++) {
    velocity_a[axis] = motion_a->velocity[axis] + mass_b * change * normal[axis];
    velocity_b[axis] = motion_b->velocity[axis] - mass_a * change * normal[axis];
  }
  if (state->set.turning)
    rotation_bounce(state, first, second, normal, (1.0 + coefficient) * normal_speed, velocity_a, velocity_b);
  turn(state, a, velocity_a);
  if (a != b) turn(state, b, velocity_b);
  state->count.bounces++;
}

void flights_collide(event_driven *state, int32_t first, int32_t second)
{
  cluster_set *set = &state->set;
  const cluster_member *i = &set->member[first], *j = &set->member[second];
  double x[3], y[3], normal[3] = {0.0, 0.0, 0.0}, square = 0.0, normal_speed = 0.0;
  cluster_position(set, first, state->now, state->dimension, x);
  cluster_position(set, second, state->now, state->dimension, y);
  for (int axis = 0; axis < state->dimension; axis++) {
    normal[axis] = domain_shortest(&set->box, axis, x[axis] - y[axis]);
    square += normal[axis] * normal[axis];
  }
  double distance = sqrt(square);
  for (int axis = 0; axis < state->dimension; axis++) {
    normal[axis] = distance > 0.0 ? normal[axis] / distance : 0.0;
    normal_speed -=
        normal[axis] * (set->motion[i->cluster].velocity[axis] - set->motion[j->cluster].velocity[axis]);
  }
  if (set->turning) normal_speed = rotation_normal_speed(state, first, second, normal);
  double gap = fabs(distance - i->radius - j->radius) / fmin(i->radius, j->radius);
  if (gap > state->count.greatest_gap) state->count.greatest_gap = gap;
  double coefficient = restitution_at(state, normal_speed);
  if (coefficient > 0.0) {
    bounce(state, first, second, normal, normal_speed, coefficient);
  } else {
    state->failure = particle_links_add(&state->links, set->slot[first], set->slot[second]);
    const bool are_two = i->cluster != j->cluster;
    if (state->failure == FLOC_OK && are_two)
      state->failure = cluster_note_merge(set, state->merges, first, second, state->now);
    if (state->failure == FLOC_OK) merge(state, first, second);
  }
}
