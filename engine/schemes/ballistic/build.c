/*
 * From the particle table and the links to a state that runs, and the choice of the skin while clusters
 * become fewer.
 */
#include "schemes/aggregation/grid.h"
#include "schemes/aggregation/spins.h"
#include "schemes/ballistic/state.h"

#include <math.h>
#include <string.h>

static const double TOUCHING = 1e-9; /* surface distance, in radii of the smaller particle */

/* A registration costs about as much as this number of checks of a pair. */
static const double SEARCH_COST = 20.0;
static const double GREATEST_FACTOR = 2.0;
enum { FEWER = 4, STEPS = 64 }; /* times fewer clusters, or this number of steps: the skin is checked again */

static void *per_member(ballistic *state, size_t size, int value)
{
  void *array = arena_allocate(&state->memory, (size_t)state->set.count, size);
  if (array) memset(array, value, (size_t)state->set.count * size);
  return array;
}

floc_status ballistic_begin(ballistic *state)
{
  arena_reset(&state->memory);
  state->first_link = per_member(state, sizeof *state->first_link, 0xff); /* NO_HANDLE */
  state->moved_at = per_member(state, sizeof *state->moved_at, 0);
  state->chosen = per_member(state, sizeof *state->chosen, 0);
  state->alive = per_member(state, sizeof *state->alive, 0);
  state->set.spin = state->options.rotation ? per_member(state, sizeof *state->set.spin, 0) : NULL;
  state->set.image = state->options.rotation ? per_member(state, sizeof *state->set.image, 0) : NULL;
  bool whole = state->first_link && state->moved_at && state->chosen && state->alive &&
               ((state->set.spin && state->set.image) || !state->options.rotation);
  state->pass = 1;
  state->pair_count = state->moved_count = state->overlap_count = state->visited_count = 0;
  state->worklist_begin = state->worklist_count = 0;
  return whole ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

/* The links of earlier steps: chains through the members, and clusters. */
static floc_status take_links(ballistic *state)
{
  int64_t count = state->links.count;
  size_t bytes = (size_t)state->set.count * sizeof(int32_t);
  if (count == 0) return FLOC_OK;
  int32_t *member_at = memory_resize(state->env, NULL, 0, bytes);
  if (!member_at) return refuse(state->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", bytes);
  for (int32_t k = 0; k < (int32_t)state->set.count; k++) member_at[state->set.slot[k]] = k;
  floc_status status = FLOC_OK;
  state->links.count = 0; /* the same links are appended again, in the same order */
  for (int64_t k = 0; k < count && status == FLOC_OK; k++) {
    int32_t a = member_at[state->links.first[k]], b = member_at[state->links.second[k]];
    bool slack = state->link[k].slack;
    status = ballistic_link(state, a, b);
    if (status == FLOC_OK) state->link[k].slack = slack;
  }
  state->links.count = count;
  memory_free(state->env, member_at, bytes);
  return status;
}

/* All neighbours, once; those that touch or overlap are linked and wait for the minimiser. */
static floc_status find_pairs(ballistic *state)
{
  cluster_set *set = &state->set;
  for (int32_t k = 0; k < (int32_t)set->count; k++) {
    int64_t found = 0;
    floc_status status = cluster_search(set, k, state->now, true, &found);
    for (int64_t n = 0; n < found && status == FLOC_OK; n++) {
      int32_t other = set->found[n];
      double a = set->member[k].radius, b = set->member[other].radius, reach = a + b + TOUCHING * fmin(a, b);
      double x[3], y[3], square = 0.0;
      cluster_position(set, k, state->now, set->dimension, x);
      cluster_position(set, other, state->now, set->dimension, y);
      for (int axis = 0; axis < set->dimension; axis++) {
        double separation = domain_shortest(&set->box, axis, x[axis] - y[axis]);
        square += separation * separation;
      }
      if (square > reach * reach) {
        status = ballistic_add_pair(state, k, other);
      } else {
        status = ballistic_meet(state, k, other);
        if (status == FLOC_OK && !state->options.rigid)
          status = ballistic_queue_link(state, (int32_t)state->links.count - 1);
      }
    }
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void ballistic_list_alive(ballistic *state)
{
  state->alive_count = 0;
  for (int32_t k = 0; k < (int32_t)state->set.count; k++)
    if (state->set.body[k].count > 0) state->alive[state->alive_count++] = k;
}

static void await_next_change(ballistic *state)
{
  state->space_at = state->set.alive / FEWER;
  state->searches_before = state->count.searches;
  state->looked_before = state->count.pairs_looked_at + state->set.gathered;
  state->steps_since = 0;
}

floc_status ballistic_build(ballistic *state, const particles *table, const domain *box, double now)
{
  state->built = false;
  state->now = now;
  floc_status status = cluster_set_build(&state->set, table, box, state->options.skin, now);
  if (status == FLOC_OK) status = ballistic_begin(state);
  if (status != FLOC_OK) return status;
  if (state->set.spin) cluster_spins_begin(&state->set, table);
  int64_t merges = state->count.merges;
  status = take_links(state);
  state->count.merges = merges; /* nothing new has merged */
  for (int32_t k = 0; k < (int32_t)state->set.count; k++) cluster_register(&state->set, k, now);
  if (status == FLOC_OK) status = find_pairs(state);
  ballistic_next_pass(state);
  ballistic_list_alive(state);
  await_next_change(state);
  if (state->set.spin) ballistic_find_spins(state);
  state->built = status == FLOC_OK;
  return status;
}

/* The skin at which looking at pairs (and, about members that a minimiser moved, at neighbours) and
 * renewing registrations cost about the same: the first grows with about the second power of it, the second
 * falls with the first. */
static double chosen_factor(const ballistic *state)
{
  double searches = SEARCH_COST * (double)(state->count.searches - state->searches_before) + 1.0;
  double looks = (double)(state->count.pairs_looked_at + state->set.gathered - state->looked_before) + 1.0;
  return fmin(fmax(floc_pow(searches / looks, 1.0 / (state->dimension + 1)), 1.0 / GREATEST_FACTOR),
              GREATEST_FACTOR);
}

floc_status ballistic_space_anew(ballistic *state)
{
  cluster_set *set = &state->set;
  if (set->alive > state->space_at && ++state->steps_since < STEPS) return FLOC_OK;
  ballistic_list_alive(state);
  double factor = chosen_factor(state);
  bool same = factor > 0.8 && factor < 1.25;
  await_next_change(state);
  if (same || set->alive < 2) return FLOC_OK;
  floc_status status = cluster_grid_change_skin(set, factor * set->skin);
  if (status != FLOC_OK) return status;
  ballistic_next_pass(state);
  state->pair_count = 0;
  for (int64_t k = 0; k < state->alive_count; k++) {
    cluster_restart(set, state->alive[k], state->now);
    cluster_find_box(set, state->alive[k]);
  }
  for (int32_t k = 0; k < (int32_t)set->count; k++) cluster_register(set, k, state->now);
  for (int32_t k = 0; k < (int32_t)set->count && status == FLOC_OK; k++) status = ballistic_search(state, k, true);
  return status;
}
