/*
 * What the tests of event-driven flight compare with: a plain program that shares no code with the scheme. Rigid
 * bodies by a classical Runge-Kutta step, in uniform gravity or none, that turn or do not; every pair and every
 * wall is looked at a thousand times in a unit of time, and the time of a contact is bisected. agree() holds a run
 * against it event for event.
 */
#ifndef FLOC_TESTS_PLAIN_RIGID_BODIES_H
#define FLOC_TESTS_PLAIN_RIGID_BODIES_H

#include "../ballistic_variants.h"

#include "schemes/event_driven/event_driven.h"

#include <stdbool.h>

static inline void use_flight(rig *all, bool rotation, double restitution, double sticking_speed, double skin)
{
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options.rotation = rotation;
  options.restitution = restitution;
  options.sticking_speed = sticking_speed;
  options.skin = skin;
  assert_ok(&all->env, event_driven_create(&all->env, &all->table, all->box.dimension, &options, &all->method));
}

static inline void use_rotation(rig *all, double restitution, double sticking_speed, double skin)
{
  use_flight(all, true, restitution, sticking_speed, skin);
}

static inline floc_event_driven_report told(const rig *all)
{
  floc_event_driven_report report;
  event_driven_get_report(all->method.state, &report);
  return report;
}

static inline double *spin_of(const rig *all, int axis)
{
  return particles_optional(&all->table, OPTIONAL_wx + axis);
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Angular momentum of all about the origin, from the table; returns the sum of the moduli of its parts. */
static inline double angular_momentum(const rig *all, double total[3])
{
  double scale = 0.0;
  total[0] = total[1] = total[2] = 0.0;
  for (int64_t slot = 0; slot < all->table.count; slot++) {
    double x[3] = {0}, v[3] = {0}, part[3], mass = all->table.column[COLUMN_mass][slot];
    double radius = all->table.column[COLUMN_radius][slot];
    double own = (all->box.dimension == 2 ? 0.5 : 0.4) * mass * radius * radius;
    for (int axis = 0; axis < all->box.dimension; axis++) {
      x[axis] = all->table.column[COLUMN_x + axis][slot];
      v[axis] = all->table.column[COLUMN_vx + axis][slot];
    }
    cross(x, v, part);
    for (int axis = 0; axis < 3; axis++) {
      double turning = spin_of(all, axis) ? own * spin_of(all, axis)[slot] : 0.0;
      total[axis] += mass * part[axis] + turning;
      scale += fabs(mass * part[axis]) + fabs(turning);
    }
  }
  return scale;
}

/* ---- the plain program ---- */

enum { MOST = 60, MOST_EVENTS = 4000 };
static const double DENSE = 0x1p-10; /* time between two looks; sums of it are exact */

typedef struct solid {
  int count, member[MOST];
  double arm[MOST][3]; /* in the body's axes */
  double mass, inertia[3][3];
  double x[3], v[3], J[3], q[4];
  bool endless; /* has reached itself through periodic faces, and turns no more */
} solid;

typedef struct happening {
  double time;
  int first, second; /* second -1: a wall */
  bool merged;
} happening;

typedef struct scene {
  int dimension, count, solids, events;
  const domain *box;
  double radius[MOST], mass[MOST], restitution, sticking_speed, time, dense, gravity[3];
  bool turns;
  int owner[MOST];
  solid body[MOST];
  double place[MOST][3], speed[MOST][3];
  happening event[MOST_EVENTS];
} scene;

static inline void rotate(const double q[4], const double a[3], double out[3])
{
  double t[3], u[3];
  cross(q + 1, a, t);
  for (int k = 0; k < 3; k++) t[k] = 2.0 * t[k];
  cross(q + 1, t, u);
  for (int k = 0; k < 3; k++) out[k] = a[k] + q[0] * t[k] + u[k];
}

/* Gauss elimination of three equations. */
static inline void solve3(const double matrix[3][3], const double right[3], double out[3])
{
  double m[3][4];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) m[r][c] = matrix[r][c];
    m[r][3] = right[r];
  }
  for (int p = 0; p < 3; p++)
    for (int r = 0; r < 3; r++) {
      if (r == p) continue;
      double factor = m[r][p] / m[p][p];
      for (int c = 0; c < 4; c++) m[r][c] -= factor * m[p][c];
    }
  for (int r = 0; r < 3; r++) out[r] = m[r][3] / m[r][r];
}

static inline void omega_of(const scene *all, const solid *b, const double q[4], double omega[3])
{
  double back[4] = {q[0], -q[1], -q[2], -q[3]}, seen[3], own[3];
  if (all->dimension == 2) {
    omega[0] = omega[1] = 0.0;
    omega[2] = b->J[2] / b->inertia[2][2];
    return;
  }
  rotate(back, b->J, seen);
  solve3(b->inertia, seen, own);
  rotate(q, own, omega);
}

static inline void rate_of(const scene *all, const solid *b, const double q[4], double rate[4])
{
  double w[3], part[3];
  omega_of(all, b, q, w);
  cross(w, q + 1, part);
  rate[0] = -0.5 * dot(w, q + 1);
  for (int k = 0; k < 3; k++) rate[1 + k] = 0.5 * (q[0] * w[k] + part[k]);
}

static inline void turn_solid(const scene *all, const solid *b, double time, double q[4])
{
  double k1[4], k2[4], k3[4], k4[4], t[4], square = 0;
  rate_of(all, b, b->q, k1);
  for (int c = 0; c < 4; c++) t[c] = b->q[c] + 0.5 * time * k1[c];
  rate_of(all, b, t, k2);
  for (int c = 0; c < 4; c++) t[c] = b->q[c] + 0.5 * time * k2[c];
  rate_of(all, b, t, k3);
  for (int c = 0; c < 4; c++) t[c] = b->q[c] + time * k3[c];
  rate_of(all, b, t, k4);
  for (int c = 0; c < 4; c++) q[c] = b->q[c] + time / 6.0 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]);
  for (int c = 0; c < 4; c++) square += q[c] * q[c];
  for (int c = 0; c < 4; c++) q[c] /= sqrt(square);
}

/* Places and velocities of all members `time` after the last dense step. */
static inline void look(scene *all, double time)
{
  for (int s = 0; s < all->solids; s++) {
    const solid *b = &all->body[s];
    double q[4], omega[3], around[3];
    if (b->count == 0) continue;
    turn_solid(all, b, time, q);
    omega_of(all, b, q, omega);
    for (int k = 0; k < b->count; k++) {
      double arm[3];
      rotate(q, b->arm[k], arm);
      cross(omega, arm, around);
      for (int axis = 0; axis < 3; axis++) {
        all->place[b->member[k]][axis] =
            b->x[axis] + time * (b->v[axis] + 0.5 * time * all->gravity[axis]) + arm[axis];
        all->speed[b->member[k]][axis] = b->v[axis] + time * all->gravity[axis] + around[axis];
      }
    }
  }
}

static inline void go_on(scene *all, double time)
{
  for (int s = 0; s < all->solids; s++) {
    solid *b = &all->body[s];
    double q[4];
    if (b->count == 0) continue;
    turn_solid(all, b, time, q);
    memcpy(b->q, q, sizeof q);
    for (int axis = 0; axis < 3; axis++) {
      b->x[axis] += time * (b->v[axis] + 0.5 * time * all->gravity[axis]);
      b->v[axis] += time * all->gravity[axis];
    }
  }
  all->time += time;
}

/* Gap of a pair, or of a member and a wall (second = -1 - side), and whether it closes, for the last look. */
static inline double gap_of(const scene *all, int first, int second, double normal[3], double *closing)
{
  normal[0] = normal[1] = normal[2] = 0.0;
  if (second < 0) {
    int side = -1 - second, axis = side / 2;
    normal[axis] = side % 2 ? -1.0 : 1.0;
    *closing = -dot(normal, all->speed[first]);
    double x = all->place[first][axis];
    return (side % 2 ? all->box->upper[axis] - x : x - all->box->lower[axis]) - all->radius[first];
  }
  double square = 0.0, speed[3];
  for (int axis = 0; axis < all->dimension; axis++) {
    normal[axis] = domain_shortest(all->box, axis, all->place[first][axis] - all->place[second][axis]);
    square += normal[axis] * normal[axis];
  }
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] /= sqrt(square);
    speed[axis] = all->speed[second][axis] - all->speed[first][axis];
  }
  *closing = dot(normal, speed);
  return sqrt(square) - all->radius[first] - all->radius[second];
}

/* Time within the dense step at which a gap that is closed at its end closes. */
static inline double bisect(scene *all, int first, int second, double end)
{
  double low = 0.0, high = end, normal[3], closing;
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    look(all, middle);
    double gap = gap_of(all, first, second, normal, &closing);
    if (gap <= 0.0 && closing > 0.0)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* Of different bodies, or of one beside its own image. */
static inline bool may_meet(const scene *all, int a, int b)
{
  if (all->owner[a] != all->owner[b]) return true;
  if (all->body[all->owner[a]].endless) return false;
  for (int axis = 0; axis < all->dimension; axis++) {
    double x = all->place[a][axis] - all->place[b][axis];
    if (fabs(domain_shortest(all->box, axis, x) - x) > 0.1) return true;
  }
  return false;
}

static inline bool find_first(scene *all, double step, double *when, int *first, int *second)
{
  int found[64][2], count = 0;
  double normal[3], closing;
  look(all, step);
  for (int a = 0; a < all->count; a++) {
    for (int b = a + 1; b < all->count; b++)
      if (may_meet(all, a, b) && gap_of(all, a, b, normal, &closing) <= 0.0 && closing > 0.0 && count < 64)
        found[count][0] = a, found[count++][1] = b;
    for (int side = 0; side < 2 * all->dimension; side++)
      if (all->box->boundary[side / 2] == FLOC_BOUNDARY_WALL &&
          gap_of(all, a, -1 - side, normal, &closing) <= 0.0 && closing > 0.0 && count < 64)
        found[count][0] = a, found[count++][1] = -1 - side;
  }
  *when = INFINITY;
  for (int k = 0; k < count; k++) {
    double time = bisect(all, found[k][0], found[k][1], step);
    if (time < *when) *when = time, *first = found[k][0], *second = found[k][1];
  }
  return count > 0;
}

static inline void find_solid_inertia(const scene *all, solid *b)
{
  memset(b->inertia, 0, sizeof b->inertia);
  for (int k = 0; k < b->count; k++) {
    int m = b->member[k];
    double own = (all->dimension == 2 ? 0.5 : 0.4) * all->mass[m] * all->radius[m] * all->radius[m];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        b->inertia[r][c] += (r == c ? all->mass[m] * dot(b->arm[k], b->arm[k]) + own : 0.0) -
                            all->mass[m] * b->arm[k][r] * b->arm[k][c];
  }
}

/* All members of both into one, which is not turned yet; `shift`: what the second's places need to be beside. */
static inline void unite(scene *all, int first, int second)
{
  if (all->owner[first] == all->owner[second]) {
    solid *itself = &all->body[all->owner[first]];
    itself->endless = true;
    itself->J[0] = itself->J[1] = itself->J[2] = 0.0;
    return;
  }
  int keep = all->owner[first], gone = all->owner[second];
  solid *a = &all->body[keep], *b = &all->body[gone], made = {0};
  double shift[3] = {0}, orbit[3], arm[3];
  for (int axis = 0; axis < all->dimension; axis++) {
    double apart = all->place[first][axis] - all->place[second][axis];
    shift[axis] = apart - domain_shortest(all->box, axis, apart);
  }
  made.mass = a->mass + b->mass;
  made.q[0] = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    made.x[axis] = (a->mass * a->x[axis] + b->mass * (b->x[axis] + shift[axis])) / made.mass;
    made.v[axis] = (a->mass * a->v[axis] + b->mass * b->v[axis]) / made.mass;
  }
  for (int side = 0; side < 2; side++) {
    const solid *part = side ? b : a;
    double from[3], relative[3];
    for (int axis = 0; axis < 3; axis++) {
      from[axis] = part->x[axis] + (side ? shift[axis] : 0.0) - made.x[axis];
      relative[axis] = part->v[axis] - made.v[axis];
    }
    cross(from, relative, orbit);
    for (int axis = 0; axis < 3; axis++) made.J[axis] += part->J[axis] + part->mass * orbit[axis];
    for (int k = 0; k < part->count; k++) {
      rotate(part->q, part->arm[k], arm);
      for (int axis = 0; axis < 3; axis++) made.arm[made.count][axis] = from[axis] + arm[axis];
      made.member[made.count++] = part->member[k];
      all->owner[part->member[k]] = keep;
    }
  }
  made.endless = a->endless || b->endless;
  for (int axis = 0; axis < 3 && (made.endless || !all->turns); axis++) made.J[axis] = 0.0;
  find_solid_inertia(all, &made);
  b->count = 0;
  *a = made;
}

/* Impulse on a rigid body: P n at the point; k = 1/m + (a x n) . I^-1 (a x n). */
static inline double softness(const scene *all, const solid *b, const double arm[3], const double normal[3])
{
  double torque[3], back[4] = {b->q[0], -b->q[1], -b->q[2], -b->q[3]}, seen[3], own[3];
  cross(arm, normal, torque);
  if (!all->turns) return 1.0 / b->mass;
  if (all->dimension == 2) return 1.0 / b->mass + torque[2] * torque[2] / b->inertia[2][2];
  rotate(back, torque, seen);
  solve3(b->inertia, seen, own);
  return 1.0 / b->mass + dot(seen, own);
}

static inline void kick(const scene *all, solid *b, const double arm[3], const double normal[3], double impulse)
{
  double torque[3];
  cross(arm, normal, torque);
  for (int axis = 0; axis < 3; axis++) {
    b->v[axis] += impulse / b->mass * normal[axis];
    b->J[axis] += all->turns ? impulse * torque[axis] : 0.0;
  }
}

static inline void happen(scene *all, int first, int second)
{
  double normal[3], closing, arm[3], other[3];
  look(all, 0.0);
  gap_of(all, first, second, normal, &closing);
  solid *a = &all->body[all->owner[first]];
  for (int axis = 0; axis < 3; axis++) arm[axis] = all->place[first][axis] - a->x[axis];
  assert_true(all->events < MOST_EVENTS);
  happening *it = &all->event[all->events++];
  *it = (happening){all->time, first, second < 0 ? -1 : second, false};
  if (second < 0) {
    kick(all, a, arm, normal, 2.0 * closing / softness(all, a, arm, normal));
  } else if (all->restitution > 0.0 && closing > all->sticking_speed) {
    double slow = all->sticking_speed / closing, coefficient = all->restitution * sqrt(1.0 - slow * slow);
    solid *b = &all->body[all->owner[second]];
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    for (int axis = 0; axis < 3; axis++) other[axis] = all->place[second][axis] - b->x[axis];
    double impulse =
        (1 + coefficient) * closing / (softness(all, a, arm, normal) + softness(all, b, other, normal));
    kick(all, a, arm, normal, impulse);
    kick(all, b, other, back, impulse);
  } else {
    it->merged = true;
    unite(all, first, second);
  }
}

static inline void run_scene(scene *all, double until)
{
  while (all->time < until) {
    double step = fmin(all->dense, until - all->time), when;
    int first = 0, second = 0;
    if (find_first(all, step, &when, &first, &second)) {
      go_on(all, when);
      happen(all, first, second);
    } else {
      go_on(all, step);
    }
  }
  look(all, 0.0);
}

static inline scene *scene_of(const rig *all, double restitution, double sticking_speed)
{
  scene *made = calloc(1, sizeof *made);
  made->turns = all->method.turns;
  memcpy(made->gravity, all->gravity, sizeof made->gravity);
  made->dimension = all->box.dimension;
  made->box = &all->box;
  made->restitution = restitution;
  made->dense = DENSE;
  made->sticking_speed = sticking_speed;
  made->count = made->solids = (int)all->table.count;
  for (int k = 0; k < made->count; k++) {
    solid *b = &made->body[k];
    made->radius[k] = all->table.column[COLUMN_radius][k];
    made->mass[k] = b->mass = all->table.column[COLUMN_mass][k];
    made->owner[k] = b->member[0] = k;
    b->count = 1;
    b->q[0] = 1.0;
    find_solid_inertia(made, b);
    for (int axis = 0; axis < 3; axis++) {
      b->x[axis] = axis < made->dimension ? all->table.column[COLUMN_x + axis][k] : 0.0;
      b->v[axis] = axis < made->dimension ? all->table.column[COLUMN_vx + axis][k] : 0.0;
      if (spin_of(all, axis)) b->J[axis] = b->inertia[axis][axis] * spin_of(all, axis)[k];
    }
  }
  return made;
}

/* ---- the comparison ---- */

static inline int64_t events_told(const rig *all)
{
  floc_event_driven_report report = told(all);
  return report.links + report.bounces + report.reflections;
}

static inline void to_time(rig *all, double time)
{
  if (time > all->time) rig_step(all, time - all->time);
}

static inline double worst_difference(const rig *all, const scene *plain)
{
  double worst = 0.0;
  for (int k = 0; k < plain->count; k++)
    for (int axis = 0; axis < plain->dimension; axis++) {
      double x = all->table.column[COLUMN_x + axis][k] - plain->place[k][axis];
      if (all->box.boundary[axis] == FLOC_BOUNDARY_PERIODIC) x = remainder(x, all->box.length[axis]);
      worst = fmax(worst, fabs(x));
      worst = fmax(worst, fabs(all->table.column[COLUMN_vx + axis][k] - plain->speed[k][axis]));
    }
  return worst;
}

static inline void start_turning(rig *all, int count, double side, uint64_t seed)
{
  fill_random(all, count, 0.2, 0.5, side, seed);
  for (int k = 0; k < count && all->method.turns; k++)
    for (int axis = all->box.dimension == 2 ? 2 : 0; axis < 3; axis++)
      spin_of(all, axis)[k] = 3.0 * sin(1.0 + 7.0 * k + 3.0 * axis);
  for (int k = 0; k < count; k++)
    for (int axis = 0; axis < all->box.dimension; axis++) all->table.column[COLUMN_vx + axis][k] *= 2.0;
}

/* Each event of the plain program has happened a little after its time, not a little before, between the same two.
 */
typedef struct agreement {
  int32_t dimension, boundary;
  double restitution, sticking_speed, skin, until, gravity[3];
  bool rotation;
  uint64_t seed;
} agreement;

static inline int agree(agreement on)
{
  static const double around = 1e-7;
  rig all;
  const int32_t dimension = on.dimension, boundary = on.boundary;
  const double restitution = on.restitution, sticking_speed = on.sticking_speed, until = on.until;
  double side = dimension == 2 ? 9.0 : 5.0;
  int count = dimension == 2 ? 40 : 30, compared = 0;
  rig_init(&all, dimension, boundary, side);
  memcpy(all.gravity, on.gravity, sizeof all.gravity);
  use_flight(&all, on.rotation, restitution, sticking_speed, on.skin);
  start_turning(&all, count, side, on.seed);
  scene *plain = scene_of(&all, restitution, sticking_speed);
  run_scene(plain, until);
  int64_t links_before = 0;
  for (int k = 0; k < plain->events; k++) {
    const happening *it = &plain->event[k];
    bool alone = (k == 0 || it->time - it[-1].time > 4 * around) &&
                 (k + 1 == plain->events || it[1].time - it->time > 4 * around);
    if (!alone || it->time + around > until || told(&all).clusters == 1) continue;
    to_time(&all, it->time - around);
    assert_int_equal(events_told(&all), k);
    links_before = told(&all).links;
    to_time(&all, it->time + around);
    assert_int_equal(events_told(&all), k + 1);
    assert_int_equal(told(&all).links, links_before + it->merged);
    compared++;
    if (!it->merged) continue;
    const int32_t *first, *second;
    int64_t links;
    all.method.links(all.method.state, &first, &second, &links);
    int32_t a = first[links - 1], b = second[links - 1];
    assert_int_equal(a < b ? a : b, it->first < it->second ? it->first : it->second);
    assert_int_equal(a < b ? b : a, it->first < it->second ? it->second : it->first);
  }
  if (told(&all).clusters > 1 || all.time < until) to_time(&all, until);
  double difference = all.time == until ? worst_difference(&all, plain) : 0.0;
  print_message(
      "%d-D, faces %d, restitution %g: %d of %d events, %d merges; places and velocities differ by %.1e\n",
      (int)dimension, (int)boundary, restitution, compared, plain->events, (int)told(&all).merges, difference);
  assert_true(difference < 1e-6);
  assert_true(told(&all).greatest_gap < 1e-11);
  assert_true(rig_worst_overlap(&all) < 1e-10);
  free(plain);
  rig_free(&all);
  return compared;
}

#endif
