/*
 * Spots: where sweeps of a large island come to rest but for a few contacts. See block_spots.h.
 *
 * Contacts above a part of the target are taken one after another, each with those around it: contacts that share
 * a body with it, then those that share one with these, ring by ring, up to SPOT. What all other impulses do stays
 * as it is and becomes c of the spot's own rows,
 *
 *   c' = w - G u,   w: of the present iterate,  u: what the spot's own impulses give its bodies,
 *
 * and the spot is an island of its own, swept without momentum. Its bodies are free to move, as they are for one
 * contact in a sweep: this is block Gauss-Seidel with overlapping blocks. What it changes at the rim the next
 * sweeps of all have to mend. A contact within the inner rings of a spot counts as treated.
 *
 * Piles of 20,000 spheres that settle: at 1e-3 of the radius 20 to 80 contacts of 91,000 went up and down after 400
 * sweeps, and did so after 5,000 sweeps and gradients; with spots of 400 such a problem takes some 450 products.
 * Spots of 60 and less do not help there: what does not come to rest is larger.
 *
 * Memory (work): flags of contacts; contacts of each body, a list with starts; numbers of bodies within a spot; the
 * columns of the spot (block_system.h), the velocities of its first impulses, and what sweeps need.
 */
#include "contacts/blocks/block_spots.h"

#include "contacts/blocks/block_rows.h"

#include <string.h>

enum { SPOT = 400, SPOT_PLACES = SPOT + FOUR, SPOT_SWEEPS = 1000, SPOT_SHARE = 300, SPOT_LEAST = 4 * SPOT };

static const double spot_mark = 0.8;   /* of the target: contacts above are taken */
static const double spot_target = 0.7; /* of the target: spots are solved to this */

typedef struct spots {
  const environment *env;
  const block_island *island;
  double *impulse, *velocity; /* of the island */
  double limit;               /* on residuals without h */
  uint8_t *marked;            /* [contact] above the limit, and not treated yet */
  uint8_t *inside;            /* [contact] in the spot */
  int32_t *start, *touching;  /* [body + 1]; contacts of each body */
  int32_t *number;            /* [body] in the spot; -1 */
  int32_t *member;            /* [SPOT_PLACES] contacts of the spot */
  block_island spot;
  double *before; /* velocities that the spot's impulses gave */
  double *solver;
} spots;

bool block_spots_apply(const block_island *island)
{
  return !island->convex && island->filled >= SPOT_LEAST;
}

/* ---- memory ---- */

static block_island empty_spot(const block_island *island)
{
  return (block_island){.form = island->form,
                        .convex = island->convex,
                        .time_step = island->time_step,
                        .contact_count = SPOT_PLACES,
                        .body_count = 2 * SPOT_PLACES,
                        .parts = 1};
}

static size_t doubles(size_t count, size_t size)
{
  return (count * size + sizeof(double) - 1) / sizeof(double);
}

size_t block_spots_work_size(const block_island *island)
{
  if (island->contact_count < SPOT_LEAST) return 0;
  const block_island spot = empty_spot(island);
  const size_t contacts = (size_t)island->contact_count, bodies = (size_t)island->body_count;
  const size_t flags = 2 * doubles(contacts, 1), lists = doubles(bodies + 1, 4) + contacts + doubles(bodies, 4);
  const size_t of_spot = BLOCK_ROW_MOST + BLOCK_VECTOR_MOST + 1 + 1 + 1 + 1 + 2 * (8 + 8 + 6);
  return flags + lists + of_spot * SPOT_PLACES + block_gauss_seidel_work_size(&spot);
}

/* The next part of the working memory. */
static void *take(double **work, size_t count, size_t size)
{
  void *part = *work;
  *work += doubles(count, size);
  return part;
}

static spots lay_out(const environment *env, const block_island *island, double *work)
{
  const size_t contacts = (size_t)island->contact_count, bodies = (size_t)island->body_count;
  spots all = {.env = env, .island = island, .spot = empty_spot(island)};
  all.marked = take(&work, contacts, 1);
  all.inside = take(&work, contacts, 1);
  all.start = take(&work, bodies + 1, sizeof *all.start);
  all.touching = take(&work, 2 * contacts, sizeof *all.touching);
  all.number = take(&work, bodies, sizeof *all.number);
  all.member = take(&work, SPOT_PLACES, sizeof *all.member);
  all.spot.contact = take(&work, SPOT_PLACES, sizeof(int32_t));
  all.spot.body = take(&work, 2 * SPOT_PLACES, sizeof(int32_t));
  all.spot.body_of = take(&work, 2 * SPOT_PLACES, sizeof(int32_t));
  all.spot.row = take(&work, BLOCK_ROW_MOST * SPOT_PLACES, sizeof(double));
  all.spot.impulse = take(&work, BLOCK_VECTOR_MOST * SPOT_PLACES, sizeof(double));
  all.spot.velocity = take(&work, 16 * SPOT_PLACES, sizeof(double));
  all.before = take(&work, 16 * SPOT_PLACES, sizeof(double));
  all.spot.inertia = take(&work, 12 * SPOT_PLACES, sizeof(double));
  if (!island->inertia) all.spot.inertia = NULL;
  all.solver = work;
  memset(all.inside, 0, contacts);
  memset(all.number, -1, bodies * sizeof *all.number);
  return all;
}

/* ---- what is marked ---- */

BLOCK_INLINE double residual_of(const spots *all, int64_t k, block_form form)
{
  double row[BLOCK_ROW_MOST], P[BLOCK_VECTOR_MOST], w[BLOCK_VECTOR_MOST], w_t[3], P_t[3];
  const int forces = block_forces(form);
  block_load_row(all->island, k, row, form);
  block_load(all->impulse, k, P, form);
  block_velocity(all->island, k, row, all->velocity, w, form);
  const block_bounds of = block_row_bounds(row, form);
  double w_n = block_split(row, w, w_t, form), p = block_split(row, P, P_t, form);
  double residual = block_residual(of, all->island->convex, p, P_t, w_n, w_t, form);
  if (!block_has_moments(form)) return residual;
  const block_moment_bounds by = block_row_moment_bounds(row, form);
  return greatest(residual, __builtin_sqrt(block_moment_residual(of, by, row, p, P + forces, w + forces, form)));
}

static void mark_range(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const spots *all = context;
#define MARK(form)                                                                                                 \
  for (int64_t k = begin; k < end; k++) all->marked[k] = !(residual_of(all, k, form) <= all->limit)
  BLOCK_DISPATCH(all->island->form, MARK)
#undef MARK
}

static void list_touching(const spots *all)
{
  const block_island *island = all->island;
  int32_t *start = all->start;
  memset(start, 0, (size_t)(island->body_count + 1) * sizeof *start);
  for (int64_t k = 0; k < 2 * island->contact_count; k++) start[island->body[k]]++;
  for (int64_t body = 0, sum = 0; body <= island->body_count; body++) {
    sum += start[body];
    start[body] = (int32_t)sum; /* its end; filled from there */
  }
  for (int64_t k = 2 * island->contact_count; k-- > 0;) all->touching[--start[island->body[k]]] = (int32_t)(k / 2);
}

/* ---- one spot ---- */

/* Contacts around one; returns their number, and how many of the first are inner ones. */
static int64_t gather(const spots *all, int64_t from, int64_t *inner)
{
  int64_t count = 1, ring = 1;
  all->member[0] = (int32_t)from;
  all->inside[from] = 1;
  *inner = 1;
  for (int64_t next = 0; next < count && count < SPOT; next++) {
    if (next == ring) {
      *inner = ring;
      ring = count;
    }
    for (int side = 0; side < 2; side++) {
      const int32_t body = all->island->body[2 * all->member[next] + side];
      for (int32_t at = all->start[body]; at < all->start[body + 1] && count < SPOT; at++) {
        const int32_t k = all->touching[at];
        if (all->inside[k]) continue;
        all->inside[k] = 1;
        all->member[count++] = k;
      }
    }
  }
  for (int64_t q = 0; q < count; q++) all->inside[all->member[q]] = 0;
  return count;
}

static int32_t number_of(spots *all, int32_t body)
{
  block_island *spot = &all->spot;
  if (all->number[body] >= 0) return all->number[body];
  all->number[body] = (int32_t)spot->body_count;
  spot->body_of[spot->body_count] = body;
  if (spot->inertia)
    memcpy(spot->inertia + 6 * spot->body_count, all->island->inertia + 6 * body, 6 * sizeof(double));
  return (int32_t)spot->body_count++;
}

static void copy_lane(const double *from, int64_t k, double *to, int64_t q, int size)
{
  for (int c = 0; c < size; c++)
    to[FOUR * (size * (q / FOUR) + c) + q % FOUR] = from[FOUR * (size * (k / FOUR) + c) + k % FOUR];
}

/* c of a row from the present velocities. */
BLOCK_INLINE void hold_others(const spots *all, int64_t q, block_form form)
{
  const block_island *spot = &all->spot;
  const int size = block_row_size(form), forces = block_forces(form);
  double row[BLOCK_ROW_MOST], now[BLOCK_VECTOR_MOST], own[BLOCK_VECTOR_MOST];
  block_load_row(spot, q, row, form);
  block_velocity(all->island, all->member[q], row, all->velocity, now, form);
  block_velocity(spot, q, row, all->before, own, form);
  for (int c = 0; c < block_components(form); c++) {
    const int at = c < forces ? block_offset(form) + c : block_moment_place(form) + c - forces;
    spot->row[FOUR * (size * (q / FOUR) + at) + q % FOUR] = row[at] + (now[c] - own[c]);
  }
}

static void pack_spot(spots *all, int64_t count)
{
  const block_island *island = all->island;
  block_island *spot = &all->spot;
  const int size = block_row_size(island->form), components = block_components(island->form);
  spot->body_count = 0;
  spot->contact_count = spot->filled = count;
  for (int64_t q = 0; q < count; q++) {
    const int64_t k = all->member[q];
    spot->contact[q] = (int32_t)k;
    for (int side = 0; side < 2; side++) spot->body[2 * q + side] = number_of(all, island->body[2 * k + side]);
    copy_lane(island->row, k, spot->row, q, size);
    copy_lane(all->impulse, k, spot->impulse, q, components);
  }
  block_empty_places(spot);
  block_scatter(all->env, spot, spot->impulse, all->before);
#define HOLD(form)                                                                                                 \
  for (int64_t q = 0; q < count; q++) hold_others(all, q, form)
  BLOCK_DISPATCH(island->form, HOLD)
#undef HOLD
}

static void return_spot(spots *all)
{
  block_island *spot = &all->spot;
  const int components = block_components(spot->form), stride = block_stride(spot->form);
  block_scatter(all->env, spot, spot->impulse, spot->velocity);
  for (int64_t q = 0; q < spot->contact_count; q++)
    copy_lane(spot->impulse, q, all->impulse, spot->contact[q], components);
  for (int64_t body = 0; body < spot->body_count; body++) {
    const int32_t of = spot->body_of[body];
    if (of < 0) continue;
    for (int c = 0; c < stride; c++)
      all->velocity[stride * of + c] += spot->velocity[stride * body + c] - all->before[stride * body + c];
    all->number[of] = -1;
  }
}

/* ---- all ---- */

int64_t block_spots_mend(const environment *env, const block_island *island, double *impulse, double *velocity,
                         double *work, double target)
{
  spots all = lay_out(env, island, work);
  all.impulse = impulse;
  all.velocity = velocity;
  all.limit = spot_mark * target / island->time_step;
  block_for_colours(env, island, mark_range, &all);
  int64_t marked = 0, cost = island->filled;
  for (int64_t k = 0; k < island->contact_count; k++) marked += all.marked[k];
  if (marked == 0 || marked > island->filled / SPOT_SHARE) return 1;
  list_touching(&all);
  environment alone = *env;
  alone.threads = 1;
  for (int64_t k = 0; k < island->contact_count && !interrupted(env); k++) {
    if (!all.marked[k]) continue;
    int64_t inner, count = gather(&all, k, &inner);
    for (int64_t q = 0; q < inner; q++) all.marked[all.member[q]] = 0;
    pack_spot(&all, count);
    const solver_limits limits = {spot_target * target, SPOT_SWEEPS};
    cost += count *
            block_gauss_seidel_solve(&alone, &all.spot, all.solver, limits, (block_aim){.plain = true}).products;
    return_spot(&all);
  }
  return (cost + island->filled - 1) / island->filled;
}
