/*
 * Uniform gravity in flight, exactly. All clusters fall alike, so that the frame whose place and velocity are
 *   s(t) = g (t - t_0)^2 / 2,  w(t) = g (t - t_0)
 * sees them fly straight on: pairs, lists, promises and merges are those of free flight, whatever g is, and so are
 * periodic faces, between which only differences count. What is handed out gets s and w added.
 *
 * A wall across g is at rest in the box. A surface at the distance d from it, which approaches it at the speed c
 * and the acceleration a = +-g, touches it after the smaller positive root of c t + a t^2 / 2 = d, in the form that
 * does not cancel; it is reflected in the box. So velocities in the frame grow as w does, and with them the paths
 * that lists are made for: where there are such walls, the frame is put to rest again once it has become about as
 * fast as the clusters are.
 */
#include "schemes/event_driven/state.h"

#include "particles/owned.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Frames as fast as this many mean speeds cost more in lists that expire than a new one does. */
static const double FAST = 4.0;
static const double TOUCHES = 1e-9;             /* distance from a wall, in radii, as what may reach into it */
static const double LEAST = 16.0 * DBL_EPSILON; /* time between two rebounds, in the time that it is */

void fall_to_now(event_driven *state)
{
  cluster_set *set = &state->set;
  double elapsed = state->now - state->fall_from;
  set->frame_falls = state->gravity[0] != 0.0 || state->gravity[1] != 0.0 || state->gravity[2] != 0.0;
  for (int axis = 0; axis < 3; axis++) {
    set->frame_velocity[axis] = state->gravity[axis] * elapsed;
    set->frame_place[axis] = 0.5 * set->frame_velocity[axis] * elapsed;
  }
}

bool fall_is_long(const event_driven *state)
{
  const cluster_set *set = &state->set;
  if (!set->frame_falls) return false;
  double usual = state->speed_sum / (double)set->alive;
  for (int axis = 0; axis < set->dimension; axis++) {
    if (set->box.boundary[axis] != FLOC_BOUNDARY_WALL) continue;
    /* what falls from rest by a radius is fast enough, where clusters hardly move */
    double enough = FAST * (usual + sqrt(fabs(state->gravity[axis]) * set->greatest_radius));
    if (fabs(set->frame_velocity[axis]) > enough) return true;
  }
  return false;
}

void fall_begin_anew(event_driven *state)
{
  cluster_set *set = &state->set;
  state->speed_sum = 0.0;
  for (int64_t k = 0; k < set->count; k++) {
    if (set->body[k].count == 0) continue;
    cluster_settle(set, (int32_t)k, state->now);
    for (int axis = 0; axis < 3; axis++) {
      set->motion[k].offset[axis] += set->frame_place[axis];
      set->motion[k].velocity[axis] += set->frame_velocity[axis];
    }
    state->speed_sum += cluster_speed(&set->motion[k]);
  }
  state->fall_from = state->now;
  fall_to_now(state);
}

double fall_towards(const event_driven *state, int axis, bool upper)
{
  return upper ? state->gravity[axis] : -state->gravity[axis];
}

double fall_time_to_wall(const event_driven *state, double distance, double closing, int axis, bool upper)
{
  double a = fall_towards(state, axis, upper), d = fmax(distance, 0.0);
  double discriminant = closing * closing + 2.0 * a * d;
  if (discriminant < 0.0 || (closing <= 0.0 && a <= 0.0)) return INFINITY;
  return closing > 0.0 ? 2.0 * d / (closing + sqrt(discriminant)) : (sqrt(discriminant) - closing) / a;
}

static floc_status refuse_rest(const event_driven *state, int64_t id, int axis, const char *where)
{
  return refuse(
      state->env, FLOC_NOT_SUPPORTED,
      "at time %g particle %" PRId64 ", or the cluster that it is in, %s across axis %d: under event_driven "
      "walls reflect what flies, and hold nothing up against gravity, %g on this axis; give it a velocity, "
      "or choose a scheme with contacts: inelastic, gluey or discrete_element",
      state->now, id, where, axis, state->gravity[axis]);
}

/* Is a surface that leaves the wall at this speed back before the time has changed? */
static bool rests(const event_driven *state, double leaving, int axis, bool upper)
{
  double towards = fall_towards(state, axis, upper);
  return towards > 0.0 && 2.0 * leaving <= LEAST * fabs(state->now) * towards;
}

floc_status fall_check_rebound(const event_driven *state, int32_t cluster, int axis, bool upper, double velocity,
                               bool wedged)
{
  if (state->gravity[axis] == 0.0 || !(wedged || rests(state, upper ? -velocity : velocity, axis, upper)))
    return FLOC_OK;
  const cluster_set *set = &state->set;
  return refuse_rest(state, state->id[set->slot[set->body[cluster].first]], axis,
                     wedged ? "is held between both walls" : "rests on a wall");
}

floc_status fall_check_start(const event_driven *state, const particles *table, const domain *box)
{
  for (int side = 0; side < 2 * box->dimension; side++) {
    int axis = side / 2;
    bool upper = side % 2 == 1;
    if (box->boundary[axis] != FLOC_BOUNDARY_WALL || !(fall_towards(state, axis, upper) > 0.0)) continue;
    EACH_SLOT(slot, table) {
      double x = table->column[COLUMN_x + axis][slot], v = table->column[COLUMN_vx + axis][slot];
      double radius = table->column[COLUMN_radius][slot];
      double gap = (upper ? box->upper[axis] - x : x - box->lower[axis]) - radius;
      if (gap <= TOUCHES * radius && rests(state, fabs(v), axis, upper))
        return refuse_rest(state, table->id[slot], axis, "rests on a wall");
    }
  }
  return FLOC_OK;
}
