/*
 * From the particle table and the links to a state that runs: clusters, grid, pairs, first events.
 */
#include "schemes/aggregation/grid.h"
#include "schemes/aggregation/spins.h"
#include "schemes/event_driven/state.h"

#include <math.h>
#include <string.h>

static const double TOUCHING = 1e-9; /* surface distance, in radii of the smaller particle */
static const double LOOKS = 9.0;
static const double PATIENCE = 4.0; /* searches per member */
static const double GREATEST_FACTOR = 2.5;
static const double FLOOR = 1e-9; /* of the speed below which collisions stick, in greatest speeds */

enum { COARSEN = 8, COARSEN_ENDS = 4 };

static void join(event_driven *state, int32_t first, int32_t second)
{
  cluster_set *set = &state->set;
  int32_t a = set->member[first].cluster, b = set->member[second].cluster;
  if (set->spin) cluster_spins_align(set, first, second);
  if (a == b) return;
  int32_t kept = cluster_larger(set, a, b), absorbed = kept == a ? b : a;
  double mean[3] = {0.0, 0.0, 0.0};
  if (set->spin) cluster_spins_join(set, kept, absorbed);
  cluster_absorb(set, kept, absorbed, mean);
  for (int axis = 0; axis < 3; axis++) set->motion[kept].velocity[axis] = mean[axis];
}

/* The clusters that the links of earlier steps make. */
static floc_status join_linked(event_driven *state)
{
  if (state->links.count == 0) return FLOC_OK;
  cluster_set *set = &state->set;
  size_t bytes = (size_t)set->count * sizeof(int32_t);
  int32_t *member_at = memory_resize(state->env, NULL, 0, bytes);
  if (!member_at) return refuse(state->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  for (int32_t k = 0; k < (int32_t)set->count; k++) member_at[set->slot[k]] = k;
  for (int64_t k = 0; k < state->links.count; k++) {
    join(state, member_at[state->links.first[k]], member_at[state->links.second[k]]);
  }
  memory_free(state->env, member_at, bytes);
  return FLOC_OK;
}

static bool touches(const cluster_set *set, int32_t first, int32_t second, double now)
{
  double x[3], y[3], square = 0.0;
  cluster_position(set, first, now, set->dimension, x);
  cluster_position(set, second, now, set->dimension, y);
  for (int axis = 0; axis < set->dimension; axis++) {
    double separation = domain_shortest(&set->box, axis, x[axis] - y[axis]);
    square += separation * separation;
  }
  double a = set->member[first].radius, b = set->member[second].radius, reach = a + b + TOUCHING * fmin(a, b);
  return square <= reach * reach;
}

/* Finds all pairs of neighbours once; those that touch stick, the others are staged. */
static floc_status find_pairs(event_driven *state, bool sticks)
{
  cluster_set *set = &state->set;
  state->staged_count = 0;
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    int64_t found = 0;
    floc_status status = cluster_search(set, k, state->now, true, &found);
    if (status == FLOC_OK)
      status = array_reserve(state->env, (void **)&state->staged, &state->staged_capacity,
                             state->staged_count + (size_t)found, sizeof *state->staged);
    if (status != FLOC_OK) return status;
    for (int64_t n = 0; n < found; n++) {
      int32_t other = set->found[n];
      if (sticks && touches(set, k, other, state->now)) {
        status = particle_links_add(&state->links, set->slot[k], set->slot[other]);
        const bool are_two = set->member[k].cluster != set->member[other].cluster;
        if (status == FLOC_OK && are_two) status = cluster_note_merge(set, state->merges, k, other, state->now);
        if (status != FLOC_OK) return status;
        join(state, k, other);
      } else {
        state->staged[state->staged_count++] = (member_pair){k, other};
      }
    }
  }
  return FLOC_OK;
}

floc_status event_driven_begin_flights(event_driven *state)
{
  arena_reset(&state->memory);
  state->flight = arena_allocate(&state->memory, (size_t)state->set.count, sizeof *state->flight);
  if (!state->flight) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < state->set.count; k++)
    state->flight[k] = (cluster_flight){.pairs = NO_LIST, .hot = NO_LIST};
  if (state->options.rotation) return rotation_begin(state);
  return FLOC_OK;
}

static void sum_speeds(event_driven *state)
{
  double greatest = 0.0;
  state->speed_sum = 0.0;
  for (int64_t k = 0; k < state->set.count; k++) {
    if (state->set.body[k].count == 0) continue;
    double speed = cluster_speed(&state->set.motion[k]);
    state->speed_sum += speed;
    greatest = fmax(greatest, speed);
  }
  state->speed_floor = FLOOR * greatest;
}

/* Lists, promises and events of all clusters from the staged pairs. */
static void first_events(event_driven *state)
{
  cluster_set *set = &state->set;
  int32_t count = (int32_t)set->count;
  state->node_count = 0;
  state->free_node = NO_NODE;
  event_queue_clear(&state->queue);
  for (int32_t k = 0; k < count; k++) {
    state->flight[k] = (cluster_flight){.pairs = NO_LIST, .hot = NO_LIST};
    if (set->body[k].count == 0) continue;
    flight_begin_lists(state, k);
    flight_promise(state, k);
  }
  for (int32_t k = 0; k < count && state->failure == FLOC_OK; k++)
    if (set->body[k].count > 0) flight_schedule(state, k);
  for (size_t k = 0; k < state->staged_count && state->failure == FLOC_OK; k++) {
    member_pair pair = state->staged[k];
    if (event_pair_can_meet(state, pair.first, pair.second)) event_pair_meet(state, pair.first, pair.second);
  }
  array_free(state->env, (void **)&state->staged, &state->staged_capacity, sizeof *state->staged);
  state->staged_count = 0;
}

/* When, and to which skin: a search should look at about LOOKS members of other clusters. Fewer: the skin
 * can be thicker, and registrations last longer; more: searches cost more than that saves. Looked at when
 * there are far fewer clusters than the last time, or when much was spent with a bad skin. */
bool event_driven_is_well_spaced(const event_driven *state)
{
  if (state->set.alive <= state->space_at) return false;
  double searches = (double)(state->count.searches - state->searches_before);
  double looks = (double)(state->set.looked_at - state->looked_before), count = (double)state->set.count;
  bool too_thin = searches > PATIENCE * count && looks < 0.25 * LOOKS * searches;
  bool too_thick = looks > PATIENCE * LOOKS * count && looks > 4.0 * LOOKS * searches;
  return !too_thin && !too_thick;
}

static double chosen_factor(const event_driven *state)
{
  double searches = (double)(state->count.searches - state->searches_before) + 1.0;
  double looks = (double)(state->set.looked_at - state->looked_before) + 1.0;
  double factor = floc_pow(LOOKS * searches / looks, 1.0 / state->dimension);
  return fmin(fmax(factor, 1.0 / GREATEST_FACTOR), GREATEST_FACTOR);
}

static void await_next_change(event_driven *state)
{
  state->space_at = state->set.alive / COARSEN >= COARSEN_ENDS ? state->set.alive / COARSEN : 0;
  state->searches_before = state->count.searches;
  state->looked_before = state->set.looked_at;
}

void event_driven_space_anew(event_driven *state)
{
  /* A frame that only became too fast says nothing of the skin. */
  double factor = event_driven_is_well_spaced(state) ? 1.0 : chosen_factor(state);
  cluster_set *set = &state->set;
  floc_status status = cluster_grid_change_skin(set, factor * set->skin);
  if (set->frame_falls) fall_begin_anew(state);
  await_next_change(state);
  for (int32_t k = 0; k < (int32_t)set->count; k++)
    if (set->body[k].count > 0) cluster_restart(set, k, state->now);
  if (set->turning) rotation_turn_all(state);
  for (int32_t k = 0; k < (int32_t)set->count; k++) cluster_register(set, k, state->now);
  if (status == FLOC_OK) status = find_pairs(state, false);
  if (status == FLOC_OK)
    first_events(state);
  else
    state->failure = status;
}

floc_status event_driven_build(event_driven *state, const particles *table, const domain *box,
                               const double gravity[3], double now)
{
  state->built = false;
  state->failure = FLOC_OK;
  state->now = state->fall_from = now;
  memcpy(state->gravity, gravity, sizeof state->gravity);
  fall_to_now(state);
  floc_status status = fall_check_start(state, table, box);
  if (status == FLOC_OK) status = cluster_set_build(&state->set, table, box, state->options.skin, now);
  if (status == FLOC_OK) status = event_driven_begin_flights(state);
  if (status == FLOC_OK && state->set.spin) cluster_spins_begin(&state->set, table);
  if (status == FLOC_OK) status = join_linked(state);
  if (status != FLOC_OK) return status;
  for (int32_t k = 0; k < (int32_t)state->set.count; k++) cluster_register(&state->set, k, now);
  sum_speeds(state);
  status = find_pairs(state, state->options.restitution <= state->options.sticking_restitution);
  if (status == FLOC_OK && state->set.turning) { /* what turns finds itself, which a start at rest does not */
    rotation_turn_all(state);
    status = find_pairs(state, false);
  }
  if (status != FLOC_OK) return status;
  sum_speeds(state); /* those that touched have become one */
  first_events(state);
  await_next_change(state);
  state->built = state->failure == FLOC_OK;
  return state->failure;
}
