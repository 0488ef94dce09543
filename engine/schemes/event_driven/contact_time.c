/*
 * When members of clusters that turn touch another member or a wall.
 *
 * Between events the surfaces' distance g(t) of a pair is smooth, and its second derivative is bounded: members are
 * accelerated towards their centres by at most A = swing_i |arm_i| + swing_j |arm_j| (aggregation/turning.h). From
 * a time at which distance and velocity are known, the pair cannot touch before spheres that grow by A t^2 / 2
 * touch along straight paths. So one advances by that time, looks again, and never passes a contact: conservative
 * advancement. Near a contact the steps are those of Newton from the safe side, and double the digits. Two bounds
 * are used, and the better one of them: g - u t - A t^2 / 2 > 0, with u the speed of approach along the line of
 * centres; for t <= T, A t^2 / 2 <= (A T / 2) t: spheres that grow evenly, (A.5), which says of most pairs at once
 * that they pass each other. It is a contact where g is 0 to rounding and the pair approaches. One that touches and
 * parts has not met.
 */
#include "geometry/vector.h"
#include "schemes/aggregation/spins.h"
#include "schemes/aggregation/turning.h"
#include "schemes/event_driven/state.h"

#include <float.h>
#include <math.h>

enum { LOOKS_AT_ONCE = 200 };
static const double ROUNDING = 8.0 * DBL_EPSILON; /* of places, in their size */
static const double LEAST = 4.0 * DBL_EPSILON;    /* step, in the time that it is added to */

/* ---- a member on its way ---- */

typedef struct path {
  const cluster_set *set;
  int32_t cluster;
  double start[3]; /* of the centre, at the time asked about */
  double arm[3];   /* at motion.time */
  double since;    /* motion.time to the time asked about */
  double swing;    /* greatest acceleration */
} path;

static path path_of(const cluster_set *set, int32_t member, double now)
{
  int32_t cluster = set->member[member].cluster;
  const cluster_motion *motion = &set->motion[cluster];
  const double *center = set->spin[cluster].center;
  path result = {.set = set, .cluster = cluster, .since = now - motion->time};
  cluster_arm(set, member, center, result.arm);
  for (int axis = 0; axis < 3; axis++)
    result.start[axis] = center[axis] - set->image[member][axis] * set->box.length[axis] +
                         (motion->offset[axis] + motion->velocity[axis] * result.since);
  result.swing = set->turning[cluster].swing * vector_length(result.arm);
  return result;
}

static void place_after(const path *of, double delay, double place[3], double velocity[3])
{
  const cluster_set *set = of->set;
  const double *drift = set->motion[of->cluster].velocity;
  double turn[3][3], arm[3] = {of->arm[0], of->arm[1], of->arm[2]}, omega[3] = {0.0, 0.0, 0.0};
  if (of->swing > 0.0) {
    cluster_turn(set, of->cluster, of->since + delay, turn);
    cluster_turned_velocity(set, of->cluster, turn, omega);
    for (int row = 0; row < 3; row++) arm[row] = vector_dot(turn[row], of->arm);
  }
  vector_cross(omega, arm, velocity);
  for (int axis = 0; axis < 3; axis++) {
    place[axis] = of->start[axis] + drift[axis] * delay + arm[axis];
    velocity[axis] += drift[axis];
  }
}

/* ---- a safe step ---- */

/* Time in which g - u t - A t^2 / 2 stays positive. */
static double radial_step(double gap, double closing, double bend)
{
  gap = fmax(gap, 0.0);
  double root = sqrt(closing * closing + 2.0 * bend * gap);
  if (closing > 0.0) return 2.0 * gap / (closing + root);
  return bend > 0.0 ? (root - closing) / bend : INFINITY;
}

static double farthest(const double a[3])
{
  return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
}

/* ---- pairs ---- */

contact_look event_pair_contact(const event_driven *state, int32_t first, int32_t second, double most)
{
  const cluster_set *set = &state->set;
  const path a = path_of(set, first, state->now), b = path_of(set, second, state->now);
  const double reach = set->member[first].radius + set->member[second].radius, bend = a.swing + b.swing;
  double x[3], y[3], v[3], w[3], image[3] = {0.0, 0.0, 0.0}, delay = 0.0;
  place_after(&a, 0.0, x, v);
  place_after(&b, 0.0, y, w);
  for (int axis = 0; axis < set->dimension; axis++)
    image[axis] = domain_shortest(&set->box, axis, x[axis] - y[axis]) - (x[axis] - y[axis]);
  for (int look = 0; look < LOOKS_AT_ONCE; look++) {
    approach of = {0.0, 0.0, 0.0};
    double rounding = ROUNDING * (farthest(x) + farthest(y) + reach);
    for (int axis = 0; axis < set->dimension; axis++) {
      double separation = x[axis] - y[axis] + image[axis], velocity = v[axis] - w[axis];
      of.distance_square += separation * separation;
      of.closing += separation * velocity;
      of.speed_square += velocity * velocity;
    }
    double distance = sqrt(of.distance_square), gap = distance - reach, left = most - delay;
    double closing = distance > 0.0 ? -of.closing / distance : sqrt(of.speed_square);
    if (gap <= rounding && closing > 0.0) return (contact_look){delay, true};
    double step = radial_step(gap, closing, bend);
    if (gap > rounding) {
      double even = left < INFINITY ? event_time_to_touch(of, reach, 0.5 * bend * left) : 0.0;
      step = fmax(step, fmin(even, left));
      if (even >= left && left < INFINITY) return (contact_look){INFINITY, false};
    }
    delay += fmax(step, LEAST * (fabs(state->now) + delay));
    if (delay > most || delay == INFINITY) return (contact_look){INFINITY, false};
    place_after(&a, delay, x, v);
    place_after(&b, delay, y, w);
  }
  return (contact_look){delay, false};
}

bool event_pair_can_meet(const event_driven *state, int32_t first, int32_t second)
{
  const cluster_set *set = &state->set;
  if (set->member[first].cluster != set->member[second].cluster) return true;
  if (!set->turning || set->spin[set->member[first].cluster].endless) return false;
  double x[3], y[3];
  cluster_whole_place(set, first, x);
  cluster_whole_place(set, second, y);
  for (int axis = 0; axis < set->dimension; axis++)
    if (fabs(domain_shortest(&set->box, axis, x[axis] - y[axis]) - (x[axis] - y[axis])) > set->greatest_radius)
      return true;
  return false;
}

/* ---- walls ---- */

/* Distance of a member's surface from a wall, and how fast it gets smaller. */
static double wall_gap(const event_driven *state, const path *of, double radius, int axis, bool upper, double delay,
                       double *closing)
{
  const cluster_set *set = &state->set;
  double x[3], v[3], gained = state->gravity[axis] * delay;
  place_after(of, delay, x, v);
  x[axis] += set->frame_place[axis] + (set->frame_velocity[axis] + 0.5 * gained) * delay;
  v[axis] += set->frame_velocity[axis] + gained;
  *closing = upper ? v[axis] : -v[axis];
  return (upper ? set->box.upper[axis] - x[axis] : x[axis] - set->box.lower[axis]) - radius;
}

static double wall_rounding(const cluster_set *set, int axis)
{
  return ROUNDING * fmax(fabs(set->box.lower[axis]), fabs(set->box.upper[axis]));
}

static contact_look member_wall_contact(const event_driven *state, int32_t member, int axis, bool upper,
                                        double most)
{
  const cluster_set *set = &state->set;
  const path of = path_of(set, member, state->now);
  double delay = 0.0, closing, radius = set->member[member].radius, bend = of.swing + fabs(state->gravity[axis]);
  for (int look = 0; look < LOOKS_AT_ONCE; look++) {
    double gap = wall_gap(state, &of, radius, axis, upper, delay, &closing);
    if (gap <= wall_rounding(set, axis) && closing > 0.0) return (contact_look){delay, true};
    delay += fmax(radial_step(gap, closing, bend), LEAST * (fabs(state->now) + delay));
    if (delay > most || delay == INFINITY) return (contact_look){INFINITY, false};
  }
  return (contact_look){delay, false};
}

contact_look event_wall_contact(const event_driven *state, int32_t number, int axis, bool upper, double most)
{
  const cluster_set *set = &state->set;
  const cluster_body *body = &set->body[number];
  const double offset = set->motion[number].offset[axis] + set->frame_place[axis];
  const double drift = set->motion[number].velocity[axis] + set->frame_velocity[axis];
  const double edge = upper ? set->box.upper[axis] - offset : offset - set->box.lower[axis];
  const double gained = fmax(0.5 * fall_towards(state, axis, upper), 0.0); /* at most `most` times it */
  const double way = (upper ? drift : -drift) + set->turning[number].rate + (gained > 0.0 ? gained * most : 0.0);
  contact_look soonest = {INFINITY, false};
  if (edge - (upper ? body->upper[axis] : -body->lower[axis]) - fmax(way, 0.0) * most > wall_rounding(set, axis))
    return soonest;
  for (int32_t k = body->first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    const cluster_member *member = &set->member[k];
    double latest = fmin(most, soonest.delay);
    double room = edge - (upper ? member->base[axis] : -member->base[axis]) - member->radius;
    if (room - fmax(way, 0.0) * latest > wall_rounding(set, axis)) continue;
    contact_look found = member_wall_contact(state, k, axis, upper, latest);
    if (found.delay < soonest.delay) soonest = found;
  }
  return soonest;
}

int32_t event_wall_member(const event_driven *state, int32_t number, int axis, bool upper)
{
  const cluster_set *set = &state->set;
  int32_t nearest = set->body[number].first;
  double least = INFINITY, closing;
  for (int32_t k = set->body[number].first; k != NO_MEMBER; k = set->member[k].next_in_cluster) {
    const path of = path_of(set, k, state->now);
    double gap = wall_gap(state, &of, set->member[k].radius, axis, upper, 0.0, &closing);
    if (closing <= 0.0 || gap >= least) continue;
    least = gap;
    nearest = k;
  }
  return nearest;
}
