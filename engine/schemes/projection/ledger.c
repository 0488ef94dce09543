/*
 * The work of every part of a step of the projection, where an account is kept of energy
 * (schemes/energy_ledger.h).
 *
 * All impulses of a step change u into u': those of gravity, laws and rays h f, and those of contacts. The change
 * of 1/2 m u^2 is the sum of all impulses times (u + u')/2, spins likewise; so each impulse does its own work at
 * these means. What lies still gets none: gravity and the floor do not cancel, they do nothing. A contact's impulse
 * along the normal works against the mean of the normal velocities before and after: a collision that stops loses
 * what it had. Across the normal it is friction; moments, rolling and twisting. At the velocity of a body's surface
 * it is the wall's work, and only the rest the contact's.
 *
 * Contact impulses are those of the solution, before the world changes; velocities after the step are the solver's.
 * That they belong together is not taken from the solver, so the account shows it. Flow, noise, and a priori
 * velocities by a function give the velocities before contacts as a whole; what they add beside forces is an entry
 * of its own.
 *
 * Free bodies, in the plane, have the same: gravity, laws, loads, and damping, whose force is that of the velocity
 * at the step's end. Where a body's inertia counts as more for impulses (geometry/joints.h), what that takes of
 * them is the joints'. A joint's row works at the means of the velocities of what it holds.
 *
 * In a box that moves (world_cell.c) kinetic energy is that of velocities about the flow, c = u - H' s. Impulses
 * change c as they change u, and work at the means of c. Of two particles with the way s between them the relative
 * velocity is that of c and L s, so contacts and laws between two get what their forces do at the whole, and the
 * cell the rest, -F.L s: in sum -h V sigma : L. As a particle moves, its c' = c - h L c: what that changes is the
 * cell's too, -h V sigma_kinetic : L to first order.
 */
#include "schemes/projection/step.h"

#include "base/threads/parallel.h"
#include "geometry/vector.h"
#include "particles/owned.h"
#include "schemes/projection/joint_step.h"

#include <string.h>

typedef struct mean_motion {
  const projection_step *step;
  const double *force[3], *torque[3]; /* of rays; NULL: none */
  const domain *moving;               /* the box, if it moves: velocities are about its flow; NULL: it does not */
  bool by_function, drifts;           /* a priori velocities by a function; these, or a flow or noise */
  double *spin[3];                    /* columns of the table; NULL: 0 */
  double *sum;                        /* [blocks][LEDGER_PARTS] */
} mean_motion;

static double spin_after(const projection_step *step, const double *before, int axis, int64_t i)
{
  if (step->has_blocks) return step->blocks.spin[axis] ? step->blocks.spin[axis][i] : 0.0;
  return before[i] + (step->turn[axis] ? step->turn[axis][i] : 0.0);
}

static void read_position(const mean_motion *motion, int64_t i, double position[3])
{
  for (int axis = 0; axis < 3; axis++) position[axis] = motion->step->context->table->column[COLUMN_x + axis][i];
}

static void take_flow_off(const mean_motion *motion, int64_t i, double velocity[3])
{
  double position[3], flow[3];
  read_position(motion, i, position);
  domain_flow(motion->moving, position, flow);
  vector_add_scaled(velocity, -1.0, flow, velocity);
}

/* L v */
static void times_gradient(const domain *box, const double v[3], double product[3])
{
  for (int axis = 0; axis < 3; axis++) product[axis] = domain_strain_rate(box, axis) * v[axis];
  product[domain_along(box)] += domain_shear_rate(box) * v[domain_across(box)];
}

/* What velocities about the flow change by because the particle moves in it. */
static double cell_work(const mean_motion *motion, int64_t i)
{
  const projection_step *step = motion->step;
  const step_context *context = step->context;
  const domain *next = context->next_box ? context->next_box : context->box;
  double position[3], own[3], after[3], flow[3];
  for (int axis = 0; axis < 3; axis++) own[axis] = step->velocity[axis] ? step->velocity[axis][i] : 0.0;
  read_position(motion, i, position);
  vector_add_scaled(position, context->time_step, own, position);
  domain_flow(next, position, flow);
  vector_difference(own, flow, after);
  take_flow_off(motion, i, own);
  return 0.5 * context->table->column[COLUMN_mass][i] * (vector_dot(after, after) - vector_dot(own, own));
}

/* Means over the step. */
static void read_means(const mean_motion *motion, int64_t i, double velocity[3], double spin[3])
{
  const projection_step *step = motion->step;
  double *const *column = &step->context->table->column[COLUMN_vx];
  const bool stays = step->frozen && step->frozen[i] != 0.0; /* what moves whatever acts gets no work */
  for (int axis = 0; axis < 3; axis++) {
    velocity[axis] = step->velocity[axis] && !stays ? 0.5 * (column[axis][i] + step->velocity[axis][i]) : 0.0;
    spin[axis] = 0.0;
    if (motion->spin[axis] && !stays)
      spin[axis] = 0.5 * (motion->spin[axis][i] + spin_after(step, motion->spin[axis], axis, i));
  }
  if (motion->moving) take_flow_off(motion, i, velocity);
}

/* ---- what acts before contacts ---- */

static void free_work(const mean_motion *motion, int64_t i, double sum[LEDGER_PARTS])
{
  const projection_step *step = motion->step;
  const step_context *context = step->context;
  const particles *table = context->table;
  const double mass = table->column[COLUMN_mass][i], radius = table->column[COLUMN_radius][i],
               h = context->time_step;
  const double inertia = motion->spin[2] ? spin_inertia_factor(step, i) * mass * radius * radius : 0.0;
  double velocity[3], spin[3];
  read_means(motion, i, velocity, spin);
  if (motion->moving) sum[LEDGER_CELL] += cell_work(motion, i);
  for (int axis = 0; axis < 3; axis++) {
    const double ray = motion->force[axis] ? motion->force[axis][i] : 0.0;
    const double turning = motion->torque[axis] && motion->spin[axis] ? motion->torque[axis][i] : 0.0;
    const double weight = motion->by_function ? 0.0 : h * mass * context->gravity[axis];
    const double forced = motion->by_function ? 0.0 : h * (table->column[COLUMN_fx + axis][i] - ray);
    const double turned = step->turn[axis] && motion->spin[axis] ? inertia * step->turn[axis][i] : 0.0;
    sum[LEDGER_GRAVITY] += weight * velocity[axis];
    sum[LEDGER_LAWS] += forced * velocity[axis];
    if (!motion->by_function) sum[LEDGER_RAYS] += h * ray * velocity[axis];
    sum[LEDGER_RAYS] += h * turning * spin[axis];
    sum[motion->drifts ? LEDGER_FLOW : LEDGER_LAWS] += (turned - h * turning) * spin[axis];
    if (!motion->drifts || !step->velocity[axis]) continue;
    const double given = mass * (step->free_velocity[axis][i] - table->column[COLUMN_vx + axis][i]);
    sum[LEDGER_FLOW] += (given - weight - forced - (motion->by_function ? 0.0 : h * ray)) * velocity[axis];
  }
}

static void free_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const mean_motion *motion = context;
  double *sum = motion->sum + block * LEDGER_PARTS;
  memset(sum, 0, LEDGER_PARTS * sizeof *sum);
  for (int64_t i = begin; i < end; i++) free_work(motion, i, sum);
}

/* ---- contacts ---- */

/* The mean velocity of a particle's point of contact, `arm` along the normal from its centre. */
static void point_velocity(const mean_motion *motion, int64_t i, const double normal[3], double arm,
                           double velocity[3], double spin[3])
{
  double lever[3], turn[3];
  read_means(motion, i, velocity, spin);
  for (int axis = 0; axis < 3; axis++) lever[axis] = arm * normal[axis];
  vector_cross(spin, lever, turn);
  vector_add_scaled(velocity, 1.0, turn, velocity);
}

/* Means of a free body's velocity, of its centre, and of its spin. */
static void body_means(const projection_step *step, int32_t number, double linear[3], double spin[3])
{
  const body *one = &step->context->obstacles->body[number];
  free_read(step, number, step->blocks.velocity, step->blocks.spin, linear, spin);
  for (int axis = 0; axis < 3; axis++) {
    linear[axis] = 0.5 * (linear[axis] + one->free.velocity[axis]);
    spin[axis] = 0.5 * (spin[axis] + one->angular_velocity[axis]);
  }
}

/* At a place of the world. */
static void body_place_mean(const projection_step *step, int32_t number, const double place[2], double velocity[3])
{
  double linear[3], spin[3], center[3], arm[3] = {0.0, 0.0, 0.0}, turn[3];
  body_means(step, number, linear, spin);
  body_center(&step->context->obstacles->body[number], 2, center);
  for (int axis = 0; axis < 2; axis++) arm[axis] = place[axis] - center[axis];
  vector_cross(spin, arm, turn);
  vector_add_scaled(linear, 1.0, turn, velocity);
}

/* Of a free body's point of contact with a particle. */
static void free_surface(const projection_step *step, int64_t a, int32_t number, double velocity[3], double spin[3])
{
  double linear[3];
  body_means(step, number, linear, spin);
  free_point_velocity(step, a, number, linear, spin, velocity);
}

/* Of a body's surface where the particle touches it. */
static void surface_velocity(const projection_step *step, int64_t a, const double normal[3], double velocity[3],
                             double spin[3])
{
  const step_context *context = step->context;
  const contact_set *set = &step->contacts;
  const int32_t i = set->first[a], number = context->obstacles->world[set->shape[a]].body;
  double nearest[3];
  for (int axis = 0; axis < 3; axis++) {
    nearest[axis] = context->table->column[COLUMN_x + axis][i] +
                    normal[axis] * (context->table->column[COLUMN_radius][i] + set->distance[a]);
    spin[axis] = set->surface_spin[axis] ? set->surface_spin[axis][a] : 0.0;
  }
  body_point_velocity(&context->obstacles->body[number], context->obstacles->dimension, context->time_step, nearest,
                      velocity);
}

static void contact_work(const mean_motion *motion, int64_t a, double sum[LEDGER_PARTS])
{
  const projection_step *step = motion->step;
  const contact_set *set = &step->contacts;
  const double *radius = step->context->table->column[COLUMN_radius];
  const int32_t i = set->first[a], j = set->second[a];
  const int32_t free = free_body_of_contact(step, a);
  /* where friction acts (projection/blocks.c) */
  const double half = j >= 0 || free >= 0 ? 0.5 * set->distance[a] : 0.0;
  double normal[3] = {0.0, 0.0, 0.0}, across[3], moment[3], relative[3], turning[3];
  double own[3], own_spin[3], other[3], other_spin[3];
  for (int axis = 0; axis < 3; axis++) {
    if (axis < set->problem.dimension) normal[axis] = set->normal[axis][a];
    across[axis] = set->tangent[axis] ? set->tangent[axis][a] : 0.0;
    moment[axis] = set->moment[axis] ? set->moment[axis][a] : 0.0;
  }
  point_velocity(motion, i, normal, radius[i] + half, own, own_spin);
  if (j >= 0)
    point_velocity(motion, j, normal, -(radius[j] + half), other, other_spin);
  else if (free >= 0)
    free_surface(step, a, free, other, other_spin);
  else
    surface_velocity(step, a, normal, other, other_spin);
  vector_difference(other, own, relative);
  vector_difference(other_spin, own_spin, turning);
  if (motion->moving && j >= 0) {
    double way[3], apart[3];
    particles_apart(step->context->table, motion->moving, i, j, way);
    times_gradient(motion->moving, way, apart);
    vector_add_scaled(relative, 1.0, apart, relative);
    sum[LEDGER_CELL] -= set->impulse[a] * vector_dot(normal, apart) + vector_dot(across, apart);
  }
  sum[LEDGER_CONTACTS] += set->impulse[a] * vector_dot(normal, relative);
  sum[LEDGER_FRICTION] += vector_dot(across, relative);
  sum[LEDGER_ROLLING] += vector_dot(moment, turning);
  if (j >= 0 || free >= 0) return;
  sum[LEDGER_WALLS] -=
      set->impulse[a] * vector_dot(normal, other) + vector_dot(across, other) + vector_dot(moment, other_spin);
}

static void contacts_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  const mean_motion *motion = context;
  double *sum = motion->sum + block * LEDGER_PARTS;
  memset(sum, 0, LEDGER_PARTS * sizeof *sum);
  for (int64_t a = begin; a < end; a++) contact_work(motion, a, sum);
}

/* ---- free bodies ---- */

/* Of a part of what acts on a body, and its own constant load. */
static double push_work(const bodies *all, int32_t number, const free_push *push, const double linear[3],
                        const double spin[3])
{
  double force[3], torque[3];
  body_pushes(all, number, push, force, torque);
  return vector_dot(force, linear) + vector_dot(torque, spin);
}

static void body_work(const projection_step *step, int32_t number, double *work)
{
  const bodies *all = step->context->obstacles;
  const body *one = &all->body[number];
  const free_push *push = &step->free.push[number], none = {{0.0}, {0.0}, {0.0}, {0.0}};
  free_push gravity = none, forces = none, load = none;
  const double h = step->context->time_step;
  double linear[3], spin[3], mean[3], turning[3];
  free_read(step, number, step->blocks.velocity, step->blocks.spin, linear, spin);
  body_means(step, number, mean, turning);
  memcpy(gravity.gravity, push->gravity, sizeof gravity.gravity);
  memcpy(forces.force, push->force, sizeof forces.force);
  memcpy(forces.torque, push->torque, sizeof forces.torque);
  memcpy(load.load, push->load, sizeof load.load);
  const double constant = push_work(all, number, &none, mean, turning);
  work[LEDGER_GRAVITY] += h * (push_work(all, number, &gravity, mean, turning) - constant);
  work[LEDGER_LAWS] += h * (push_work(all, number, &forces, mean, turning) - constant);
  work[LEDGER_LOADS] += h * push_work(all, number, &load, mean, turning);
  work[LEDGER_DRAG] -=
      h * (one->free.damping * vector_dot(linear, mean) + one->free.angular_damping * vector_dot(spin, turning));
  const double before = step->free.before[number].spin[2];
  if (body_turns_about(one, 2) >= 0) work[LEDGER_JOINTS] -= one->added_inertia * (spin[2] - before) * turning[2];
}

/* Of a row between bodies; in the plane, where alone there is a ledger with them. */
static void touch_work(const projection_step *step, const body_touch *row, double *work)
{
  const bodies *all = step->context->obstacles;
  double own[3], other[3], P[2], along = 0.0, across = 0.0, moved = 0.0;
  body_place_mean(step, row->body[0], row->place[0], own);
  if (row->other_free)
    body_place_mean(step, row->body[1], row->place[1], other);
  else
    body_point_velocity(&all->body[row->body[1]], 2, step->context->time_step,
                        (const double[3]){row->place[1][0], row->place[1][1], 0.0}, other);
  for (int axis = 0; axis < 2; axis++) {
    const double tangent = row->tangent[0] * (axis == 0 ? -row->normal[1] : row->normal[0]);
    P[axis] = row->impulse * row->normal[axis] + tangent;
    along += row->impulse * row->normal[axis] * (other[axis] - own[axis]);
    across += tangent * (other[axis] - own[axis]);
    moved += P[axis] * other[axis];
  }
  work[LEDGER_CONTACTS] += along;
  work[LEDGER_FRICTION] += across;
  if (!row->other_free) work[LEDGER_WALLS] -= moved;
}

/* ---- joints ---- */

static void member_means(const mean_motion *motion, const joint_member *one, double mean[ARTICULATION_FREEDOMS])
{
  if (one->body >= 0)
    body_means(motion->step, one->body, mean, mean + 3);
  else
    read_means(motion, one->slot, mean, mean + 3);
}

static void joint_work(const mean_motion *motion, const joint_place *at, double *work)
{
  const joint_step *joints = motion->step->joints;
  for (int k = 0; k < at->row_count; k++) {
    const int32_t r = at->first_row + k;
    const articulation_row *row = &joints->it.row[r];
    const int part = at->row[k].law == JOINT_MOTOR    ? LEDGER_MOTORS
                     : at->row[k].law == JOINT_SPRING ? LEDGER_SPRINGS
                                                      : LEDGER_JOINTS;
    for (int side = 0; side < 2; side++) {
      double mean[ARTICULATION_FREEDOMS];
      if (row->body[side] < 0) continue;
      member_means(motion, &joints->member[row->body[side]], mean);
      for (int c = 0; c < ARTICULATION_FREEDOMS; c++)
        work[part] += joints->impulse[r] * row->coefficient[side][c] * mean[c];
    }
  }
}

static void add_bodies(const mean_motion *motion, double *work)
{
  const projection_step *step = motion->step;
  for (int32_t k = 0; step->free.push && k < step->context->obstacles->count; k++)
    if (body_is_free(&step->context->obstacles->body[k])) body_work(step, k, work);
  for (int64_t k = 0; k < step->touch.count; k++) touch_work(step, &step->method->touching[k], work);
  for (int32_t p = 0; step->joints && p < step->joints->count; p++)
    joint_work(motion, &step->joints->place[p], work);
}

/* ---- all ---- */

/* What rays exert, once more. */
static floc_status find_rays(mean_motion *motion)
{
  const step_context *context = motion->step->context;
  const size_t count = (size_t)context->table->count;
  double *column[6];
  if (!context->external_force) return FLOC_OK;
  for (int k = 0; k < 6; k++) {
    if (!(column[k] = arena_allocate(context->scratch, count, sizeof(double)))) return FLOC_OUT_OF_MEMORY;
    slots_clear(context->env, context->table, column[k]);
  }
  context->external_force(context->external_context, context->table, context->time, context->time_step, column,
                          column + 3);
  for (int axis = 0; axis < 3; axis++) {
    motion->force[axis] = column[axis];
    motion->torque[axis] = column[3 + axis];
  }
  return FLOC_OK;
}

static void add_all(const mean_motion *motion, int64_t count, block_function part, double *work)
{
  const environment *env = motion->step->context->env;
  const int64_t blocks = parallel_block_count(count, PARALLEL_BLOCK);
  parallel_for(env, count, PARALLEL_BLOCK, part, (void *)motion);
  for (int64_t block = 0; block < blocks; block++)
    for (int k = 0; k < LEDGER_PARTS; k++) work[k] += motion->sum[block * LEDGER_PARTS + k];
}

floc_status projection_add_works(projection_step *step)
{
  const step_context *context = step->context;
  const laws_present present = laws_find_present(context->forces);
  const int64_t count = context->table->count, contacts = step->contacts.count;
  const int64_t blocks = parallel_block_count(count > contacts ? count : contacts, PARALLEL_BLOCK);
  mean_motion motion = {.step = step,
                        .moving = domain_moves(context->box) ? context->box : NULL,
                        .by_function = present.a_priori,
                        .drifts = present.a_priori || present.flow || present.noise};
  for (int axis = context->obstacles->dimension == 2 ? 2 : 0; axis < 3 && step->method->turns; axis++)
    motion.spin[axis] = particles_optional(context->table, OPTIONAL_wx + axis);
  floc_status status = find_rays(&motion);
  if (status != FLOC_OK) return status;
  motion.sum = arena_allocate(context->scratch, LEDGER_PARTS * (size_t)blocks, sizeof *motion.sum);
  if (!motion.sum) return FLOC_OUT_OF_MEMORY;
  add_all(&motion, count, free_block, context->work);
  add_all(&motion, contacts, contacts_block, context->work);
  add_bodies(&motion, context->work);
  for (int axis = 0; axis < 3 && motion.moving; axis++) {
    double apart[3];
    times_gradient(motion.moving, (const double[3]){axis == 0, axis == 1, axis == 2}, apart);
    for (int row = 0; row < 3; row++) {
      const double work = context->time_step * step->law_stress[3 * row + axis] * apart[row];
      context->work[LEDGER_LAWS] += work;
      context->work[LEDGER_CELL] -= work;
    }
  }
  return FLOC_OK;
}
