/*
 * Contacts of free bodies with other bodies in the projection. See projection/step.h.
 *
 * Rows are those of geometry/convex/body_parts.h: D + h G V >= 0 for every pair of features that the reach of both
 * bodies lets come together, with Coulomb's law across where there is friction. A free body's contact is with
 * another free body (both arms end in the middle of the gap, so that angular momentum is kept), or with a
 * prescribed one, whose pose and whose surface's velocity are those of the step's end, as for particles. What a row
 * had as impulse is remembered by body, shape and features, and is the next step's first guess.
 *
 * The problem of particles is assembled as ever; while it is solved its columns are copies behind which these rows
 * stand, so nothing changes where no bodies touch.
 *
 * A body that is guided, or hinged, has rows that move nothing: across its guide, or through its hinge. They are
 * left out; should a prescribed body come through it there, the step is refused.
 */
#include "schemes/projection/step.h"

#include "geometry/convex/body_parts.h"
#include "geometry/joints.h"
#include "geometry/vector.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "projection.bodies"; /* key, impulse and tangent of touch_memory, row by row */

static const double moves_nothing = 1e-12; /* of the inverse mass at a body's rim */
static const double lost_part = 0.1;       /* of the smaller body's size: deeper there is no way back */
static const double through_part = 1e-6;   /* likewise, where nothing holds it back */

/* ---- memory ---- */

static int compare_keys(const void *a, const void *b)
{
  const touch_memory *first = a, *second = b;
  for (int k = 0; k < TOUCH_KEY; k++)
    if (first->key[k] != second->key[k]) return first->key[k] < second->key[k] ? -1 : 1;
  return 0;
}

static void make_key(const bodies *all, const body_parts *parts, const body_row *row, double key[TOUCH_KEY])
{
  for (int side = 0; side < 2; side++) {
    const shape *one = &all->local[parts->part[row->part[side]].shape];
    key[3 * side] = one->body;
    key[3 * side + 1] = one->index;
    key[3 * side + 2] = row->feature[side];
  }
}

static floc_status remember(environment *env, projection *method, const body_touch *row, int64_t count)
{
  floc_status status = array_reserve(env, (void **)&method->touched, &method->touched_capacity, (size_t)count,
                                     sizeof *method->touched);
  if (status != FLOC_OK) return status;
  method->touched_count = 0;
  for (int64_t k = 0; k < count; k++)
    if (row[k].impulse > 0.0) method->touched[method->touched_count++] = row[k].was;
  if (method->touched_count > 1)
    qsort(method->touched, (size_t)method->touched_count, sizeof *method->touched, compare_keys);
  return FLOC_OK;
}

/* Of a row of the section: in the plane a tangent is one number. */
static uint32_t row_width(const projection *method)
{
  return TOUCH_KEY + 1 + (method->dimension == 2 ? 1 : 3);
}

floc_status touch_sections(projection *method, section_list *list)
{
  const size_t count = (size_t)method->touched_count, width = row_width(method);
  if (count == 0) return FLOC_OK;
  floc_status status = array_reserve(list->env, (void **)&method->touched_rows, &method->touched_rows_capacity,
                                     width * count, sizeof(double));
  if (status != FLOC_OK) return status;
  for (size_t k = 0; k < count; k++)
    memcpy(method->touched_rows + width * k, &method->touched[k], width * sizeof(double));
  return section_list_add(list, SECTION, "f64", count, (uint32_t)width, method->touched_rows, true);
}

floc_status touch_restore(environment *env, projection *method, const section_list *list)
{
  const section *found;
  method->touched_count = 0;
  if (!section_find(list, SECTION)) return FLOC_OK;
  const size_t width = row_width(method);
  floc_status status = section_expect(list, SECTION, "f64", UINT64_MAX, (uint32_t)width, &found);
  if (status == FLOC_OK) status = section_check_numbers(env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&method->touched, &method->touched_capacity, (size_t)found->rows,
                           sizeof *method->touched);
  if (status != FLOC_OK || found->rows == 0) return status;
  memset(method->touched, 0, (size_t)found->rows * sizeof *method->touched);
  for (size_t k = 0; k < found->rows; k++)
    memcpy(&method->touched[k], (const double *)found->data + width * k, width * sizeof(double));
  for (uint64_t k = 1; k < found->rows; k++)
    if (compare_keys(&method->touched[k - 1], &method->touched[k]) >= 0)
      return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": rows %llu and %llu are out of order", SECTION,
                    (unsigned long long)k - 1, (unsigned long long)k);
  method->touched_count = (int64_t)found->rows;
  return FLOC_OK;
}

/* ---- rows ---- */

bool touch_is_known(const projection_step *step)
{
  const floc_projection_options *options = &step->method->options;
  return options->restitution == 0.0 && material_is_uniform(&step->method->pairs[PAIR_RESTITUTION]);
}

static int dimension_of(const projection_step *step)
{
  return step->context->obstacles->dimension;
}

/* 1/(effective mass) of a side, of a unit impulse along a direction. */
static double compliance(const projection_step *step, const body_touch *row, int side, const double along[3])
{
  const block_step *blocks = &step->blocks;
  if (side == 1 && !row->other_free) return 0.0;
  const int64_t own = free_number(step, row->body[side]);
  double lever[3], turned = 0.0;
  if (!blocks->tensors) {
    lever[2] = row->arm[side][0] * along[1] - row->arm[side][1] * along[0];
    return blocks->inverse_mass[own] + lever[2] * lever[2] * blocks->inverse_inertia[own];
  }
  const double *tensor = blocks->inverse_inertia + 6 * own; /* xx yy zz xy xz yz */
  vector_cross(row->arm[side], along, lever);
  for (int axis = 0; axis < 3; axis++) turned += lever[axis] * lever[axis] * tensor[axis];
  turned += 2.0 * (lever[0] * (lever[1] * tensor[3] + lever[2] * tensor[4]) + lever[1] * lever[2] * tensor[5]);
  return blocks->inverse_mass[own] + turned;
}

static double both_comply(const projection_step *step, const body_touch *row, const double along[3])
{
  return compliance(step, row, 0, along) + compliance(step, row, 1, along);
}

/* Across the normal; in space of both directions together: the trace less what is along it. */
static double comply_across(const projection_step *step, const body_touch *row, double along)
{
  const double across[3] = {-row->normal[1], row->normal[0], 0.0};
  double sum = 0.0;
  if (dimension_of(step) == 2) return both_comply(step, row, across);
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {0.0, 0.0, 0.0};
    unit[axis] = 1.0;
    sum += both_comply(step, row, unit);
  }
  return sum - along;
}

/* From what a body turns about, or what stands for it where it is guided. */
static void arm_of(const projection_step *step, int32_t number, const double point[3], double arm[3])
{
  const bodies *all = step->context->obstacles;
  const int dimension = all->dimension;
  double center[3], guide[3];
  if (body_is_guided(&all->body[number], dimension)) {
    free_guide(&all->body[number], dimension, guide);
    memcpy(arm, guide, (size_t)dimension * sizeof *arm);
    return;
  }
  body_center(&all->body[number], dimension, center);
  for (int axis = 0; axis < dimension; axis++) arm[axis] = point[axis] - center[axis];
}

static void set_surface(const projection_step *step, const body_row *from, body_touch *row)
{
  const int dimension = dimension_of(step);
  double velocity[3], along = 0.0;
  if (row->other_free) return;
  body_point_velocity(&step->context->obstacles->body[row->body[1]], dimension, step->context->time_step,
                      from->point[1], velocity);
  for (int axis = 0; axis < dimension; axis++) along += velocity[axis] * row->normal[axis];
  for (int axis = 0; axis < dimension; axis++) row->surface[axis] = velocity[axis] - along * row->normal[axis];
}

static floc_status set_friction(projection_step *step, const body_parts *parts, const body_row *from,
                                body_touch *row)
{
  projection *method = step->method;
  const bodies *all = step->context->obstacles;
  const double along = both_comply(step, row, row->normal);
  row->friction = method->options.friction;
  if (row->friction > 0.0 && !material_is_uniform(&method->pairs[PAIR_FRICTION])) {
    floc_status status = material_ask(&method->pairs[PAIR_FRICTION], step->context->env,
                                      material_of_shape(all, parts->part[from->part[0]].shape),
                                      material_of_shape(all, parts->part[from->part[1]].shape), &row->friction);
    if (status != FLOC_OK) return status;
  }
  if (comply_across(step, row, along) <= moves_nothing * along) row->friction = 0.0;
  return FLOC_OK;
}

static const touch_memory *find_memory(const touch_memory *key, const touch_memory *among, int64_t count)
{
  return count > 0 ? bsearch(key, among, (size_t)count, sizeof *among, compare_keys) : NULL;
}

/* The attempt before knows better than the step before. */
static void recall(const projection_step *step, body_touch *row)
{
  const projection *method = step->method;
  if (!method->laws.warm_start) return;
  const touch_memory *found = find_memory(&row->was, step->touch.before, step->touch.before_count);
  if (!found) found = find_memory(&row->was, method->touched, method->touched_count);
  if (!found) return;
  row->impulse = found->impulse;
  if (!(row->friction > 0.0)) return;
  memcpy(row->tangent, found->tangent, sizeof row->tangent);
  if (dimension_of(step) == 3) /* what it has kept along the new normal is no friction */
    vector_add_scaled(row->tangent, -vector_dot(row->tangent, row->normal), row->normal, row->tangent);
}

static floc_status refuse_overlap(const projection_step *step, const body_touch *row, double depth,
                                  const char *when)
{
  const bodies *all = step->context->obstacles;
  return refuse(step->context->env, FLOC_ESCAPED,
                "body %d (%s), which is free, and body %d (%s) overlap by %.3g %s step %" PRId64
                "; the limit is %g of the smaller one's size",
                (int)row->body[0], body_label(&all->body[row->body[0]]), (int)row->body[1],
                body_label(&all->body[row->body[1]]), depth, when, step->context->step + 1, lost_part);
}

static double size_of(const projection_step *step, const body_touch *row)
{
  const body *all = step->context->obstacles->body;
  const double first = all[row->body[0]].farthest, second = all[row->body[1]].farthest;
  return row->other_free && second < first ? second : first;
}

static floc_status add_row(projection_step *step, const body_parts *parts, const body_row *from, body_touch *row)
{
  const bodies *all = step->context->obstacles;
  const int32_t first = parts->part[from->part[0]].body, second = parts->part[from->part[1]].body;
  *row = (body_touch){
      .body = {first, second}, .other_free = body_is_free(&all->body[second]), .distance = from->distance};
  memcpy(row->normal, from->normal, sizeof row->normal);
  make_key(all, parts, from, row->was.key);
  for (int axis = 0; axis < all->dimension; axis++) {
    row->place[0][axis] = from->point[0][axis];
    row->place[1][axis] = from->point[1][axis];
    if (row->other_free)
      row->place[0][axis] = row->place[1][axis] = 0.5 * (from->point[0][axis] + from->point[1][axis]);
  }
  arm_of(step, first, row->place[0], row->arm[0]);
  if (row->other_free) arm_of(step, second, row->place[1], row->arm[1]);
  set_surface(step, from, row);
  floc_status status = set_friction(step, parts, from, row);
  if (status != FLOC_OK) return status;
  if (-row->distance > lost_part * size_of(step, row) && !step->touch.displaced)
    return refuse_overlap(step, row, -row->distance, "before");
  recall(step, row);
  return FLOC_OK;
}

/* Can anything along the normal move either of the two? */
static bool acts(const projection_step *step, const body_touch *row)
{
  double rim = 0.0;
  for (int side = 0; side < (row->other_free ? 2 : 1); side++) {
    const body *one = &step->context->obstacles->body[row->body[side]];
    const int64_t own = free_number(step, row->body[side]);
    const double farthest = one->farthest + vector_length(one->free.center);
    const double *inverse = step->blocks.inverse_inertia + (step->blocks.tensors ? 6 * own : own);
    const double turning = step->blocks.tensors ? inverse[0] + inverse[1] + inverse[2] : inverse[0];
    rim = fmax(rim, step->blocks.inverse_mass[own] + farthest * farthest * turning);
  }
  return both_comply(step, row, row->normal) > moves_nothing * rim;
}

/* Bodies that a joint links do not touch each other. The joints are gone through for those that might. */
static bool may_not_touch(const bodies *all, int32_t first, int32_t second)
{
  const body *one = &all->body[first], *other = &all->body[second];
  double apart[3];
  if (all->joints.count == 0) return false;
  vector_difference(other->now.position, one->now.position, apart);
  const double near = one->farthest + other->farthest + one->reach + other->reach;
  return other->plane_count + (vector_length(apart) <= near) > 0 && bodies_are_linked(all, first, second);
}

static floc_status add_pair(projection_step *step, const body_parts *parts, int32_t first, int32_t second)
{
  projection *method = step->method;
  const bodies *all = step->context->obstacles;
  body_row rows[BODY_ROWS];
  int32_t count;
  if (may_not_touch(all, first, second)) return FLOC_OK;
  floc_status status =
      body_rows_find(parts, first, second, all->body[first].reach + all->body[second].reach, rows, &count);
  if (status != FLOC_OK) return status;
  status = array_reserve(step->context->env, (void **)&method->touching, &method->touching_capacity,
                         (size_t)(step->touch.count + count), sizeof *method->touching);
  for (int32_t k = 0; k < count && status == FLOC_OK; k++) {
    body_touch *row = &method->touching[step->touch.count];
    status = add_row(step, parts, &rows[k], row);
    if (status != FLOC_OK || acts(step, row))
      step->touch.count++;
    else if (row->distance < -through_part * size_of(step, row))
      status = bodies_refuse_touch(all, first, second, "it is guided or hinged, and cannot give way",
                                   step->context->step + 1);
  }
  return status;
}

/* What rows of the attempt before had as impulses, in the order of their keys. */
static floc_status keep_before(projection_step *step)
{
  const size_t count = (size_t)step->touch.count;
  touch_memory *before = arena_allocate(step->context->scratch, count, sizeof *before);
  if (!before) return FLOC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++) before[k] = step->method->touching[k].was;
  if (count > 1) qsort(before, count, sizeof *before, compare_keys);
  step->touch.before = before;
  step->touch.before_count = step->touch.count;
  return FLOC_OK;
}

floc_status touch_find(projection_step *step)
{
  const bodies *all = step->context->obstacles;
  body_parts parts;
  if (!step->free.before || !touch_is_known(step)) return FLOC_OK;
  floc_status status = keep_before(step);
  step->touch.count = 0;
  if (status == FLOC_OK) status = body_parts_make(step->context->scratch, &step->method->forms, all, &parts);
  for (int32_t k = 0; k < all->count && status == FLOC_OK; k++)
    for (int32_t other = 0; other < all->count && body_is_free(&all->body[k]) && status == FLOC_OK; other++)
      if (other != k && (other > k || !body_is_free(&all->body[other]))) status = add_pair(step, &parts, k, other);
  return status;
}

/* ---- the problem that is solved ---- */

/* A column with space for the rows behind it; NULL: the problem has none. */
static bool lengthen(projection_step *step, const void **column, size_t size)
{
  const size_t count = (size_t)step->contacts.count, more = (size_t)step->touch.count;
  if (!*column) return true;
  char *made = arena_allocate(step->context->scratch, count + more, size);
  if (!made) return false;
  if (count > 0) memcpy(made, *column, count * size);
  memset(made + count * size, 0, more * size);
  *column = made;
  return true;
}

static bool lengthen_answer(projection_step *step, double *const *from, double **made)
{
  const void *column = *from;
  const bool complete = lengthen(step, &column, sizeof(double));
  *made = (double *)(uintptr_t)column;
  return complete;
}

static bool lengthen_all(projection_step *step)
{
  contact_problem *problem = &step->contacts.problem;
  contact_set *set = &step->contacts;
  body_touches *touch = &step->touch;
  bool complete = lengthen(step, (const void **)&problem->first, sizeof(int32_t)) &&
                  lengthen(step, (const void **)&problem->second, sizeof(int32_t)) &&
                  lengthen(step, (const void **)&problem->distance, sizeof(double)) &&
                  lengthen(step, (const void **)&problem->lower, sizeof(double)) &&
                  lengthen(step, (const void **)&problem->friction, sizeof(double)) &&
                  lengthen(step, (const void **)&problem->rolling, sizeof(double)) &&
                  lengthen_answer(step, &set->impulse, &touch->impulse);
  for (int axis = 0; axis < 3; axis++)
    complete = complete && lengthen(step, (const void **)&problem->normal[axis], sizeof(double)) &&
               lengthen(step, (const void **)&problem->arm_first[axis], sizeof(double)) &&
               lengthen(step, (const void **)&problem->arm_second[axis], sizeof(double)) &&
               lengthen(step, (const void **)&problem->surface_velocity[axis], sizeof(double)) &&
               lengthen(step, (const void **)&problem->surface_spin[axis], sizeof(double)) &&
               lengthen_answer(step, &set->tangent[axis], &touch->tangent[axis]) &&
               lengthen_answer(step, &set->moment[axis], &touch->moment[axis]);
  return complete;
}

static double *writable(const double *column)
{
  return (double *)(uintptr_t)column;
}

/* On the second, along an axis. */
static double tangent_along(const body_touch *row, int dimension, int axis)
{
  if (dimension == 3) return row->tangent[axis];
  return row->tangent[0] * (axis == 0 ? -row->normal[1] : row->normal[0]);
}

static void put_row(projection_step *step, int64_t k)
{
  const body_touch *row = &step->method->touching[k];
  const contact_problem *problem = &step->contacts.problem;
  const int64_t a = step->contacts.count + k;
  ((int32_t *)(uintptr_t)problem->first)[a] = (int32_t)free_number(step, row->body[0]);
  ((int32_t *)(uintptr_t)problem->second)[a] = row->other_free ? (int32_t)free_number(step, row->body[1]) : -1;
  writable(problem->distance)[a] = row->distance;
  if (problem->friction) writable(problem->friction)[a] = row->friction;
  step->touch.impulse[a] = row->impulse;
  for (int axis = 0; axis < dimension_of(step); axis++) {
    writable(problem->normal[axis])[a] = row->normal[axis];
    writable(problem->arm_first[axis])[a] = row->arm[0][axis];
    writable(problem->arm_second[axis])[a] = row->arm[1][axis];
    if (problem->surface_velocity[axis]) writable(problem->surface_velocity[axis])[a] = row->surface[axis];
    if (step->touch.tangent[axis]) step->touch.tangent[axis][a] = tangent_along(row, dimension_of(step), axis);
  }
}

floc_status touch_join(projection_step *step)
{
  step->touch.joined = false;
  if (step->touch.count == 0) return FLOC_OK;
  step->touch.alone = step->contacts.problem;
  if (!lengthen_all(step)) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < step->touch.count; k++) put_row(step, k);
  step->contacts.problem.contact_count += step->touch.count;
  step->touch.joined = true;
  return FLOC_OK;
}

static void take_back(const projection_step *step, const double *from, double *to)
{
  if (to && step->contacts.count > 0) memcpy(to, from, (size_t)step->contacts.count * sizeof *to);
}

void touch_part(projection_step *step)
{
  const body_touches *touch = &step->touch;
  if (!touch->joined) return;
  take_back(step, touch->impulse, step->contacts.impulse);
  for (int axis = 0; axis < 3; axis++) {
    take_back(step, touch->tangent[axis], step->contacts.tangent[axis]);
    take_back(step, touch->moment[axis], step->contacts.moment[axis]);
  }
  for (int64_t k = 0; k < touch->count; k++) {
    body_touch *row = &step->method->touching[k];
    const int64_t a = step->contacts.count + k;
    row->was.impulse = row->impulse = touch->impulse[a];
    if (touch->tangent[0] && dimension_of(step) == 2)
      row->tangent[0] = touch->tangent[1][a] * row->normal[0] - touch->tangent[0][a] * row->normal[1];
    for (int axis = 0; axis < 3 && touch->tangent[0] && dimension_of(step) == 3; axis++)
      row->tangent[axis] = touch->tangent[axis][a];
    memcpy(row->was.tangent, row->tangent, sizeof row->tangent);
  }
  step->contacts.problem = touch->alone;
  step->touch.joined = false;
}

/* ---- after the solve ---- */

/* D + h G V. */
static double distance_after(const projection_step *step, int64_t k)
{
  const body_touch *row = &step->method->touching[k];
  const int dimension = dimension_of(step);
  double rate = 0.0;
  for (int side = 0; side < (row->other_free ? 2 : 1); side++) {
    double linear[3], spin[3], center[3], arm[3] = {0.0, 0.0, 0.0}, turn[3];
    free_read(step, row->body[side], step->blocks.velocity, step->blocks.spin, linear, spin);
    body_center(&step->context->obstacles->body[row->body[side]], dimension, center);
    for (int axis = 0; axis < dimension; axis++) arm[axis] = row->place[side][axis] - center[axis];
    vector_cross(spin, arm, turn);
    for (int axis = 0; axis < dimension; axis++)
      rate += (side == 0 ? -1.0 : 1.0) * row->normal[axis] * (linear[axis] + turn[axis]);
  }
  return row->distance + step->context->time_step * rate;
}

void touch_shift(projection_step *step)
{
  for (int64_t k = 0; k < step->touch.count; k++)
    step->method->touching[k].distance += step->method->touching[k].distance - distance_after(step, k);
}

bool touch_holds(const projection_step *step, int64_t *active)
{
  bool holds = true;
  for (int64_t k = 0; k < step->touch.count; k++) {
    holds = holds && distance_after(step, k) >= -1.0001 * step->tolerance;
    *active += step->method->touching[k].impulse != 0.0;
  }
  return holds;
}

floc_status touch_check(const projection_step *step, double *greatest)
{
  for (int64_t k = 0; k < step->touch.count; k++) {
    const body_touch *row = &step->method->touching[k];
    const double overlap = -distance_after(step, k) / size_of(step, row);
    if (overlap > lost_part) return refuse_overlap(step, row, overlap * size_of(step, row), "after");
    *greatest = fmax(*greatest, overlap);
  }
  return FLOC_OK;
}

/* Of those whose contacts are not known. */
floc_status touch_check_others(const projection_step *step)
{
  const bodies *all = step->context->obstacles;
  body_parts parts;
  if (!touch_is_known(step))
    return bodies_check_apart(all, NULL, "bodies with restitution touch particles alone", step->context->step + 1);
  floc_status status = body_parts_make(step->context->scratch, &step->method->forms, all, &parts);
  return status == FLOC_OK ? bodies_check_apart(all, &parts, NULL, step->context->step + 1) : status;
}

void touch_push_bodies(const projection_step *step)
{
  bodies *all = step->context->obstacles;
  const int dimension = all->dimension;
  for (int64_t k = 0; k < step->touch.count; k++) {
    const body_touch *row = &step->method->touching[k];
    for (int side = 0; side < 2; side++) {
      body *one = &all->body[row->body[side]];
      double about[3], force[3] = {0.0, 0.0, 0.0}, arm[3] = {0.0, 0.0, 0.0}, torque[3];
      if (body_is_free(one))
        body_center(one, dimension, about); /* it is committed later */
      else
        memcpy(about, one->next.position, sizeof about);
      for (int axis = 0; axis < dimension; axis++) {
        force[axis] = (side == 0 ? -1.0 : 1.0) *
                      (row->impulse * row->normal[axis] + tangent_along(row, dimension, axis)) /
                      step->context->time_step;
        arm[axis] = row->place[side][axis] - about[axis];
        one->force[axis] += force[axis];
      }
      vector_cross(arm, force, torque);
      for (int axis = dimension == 2 ? 2 : 0; axis < 3; axis++) one->torque[axis] += torque[axis];
    }
  }
}

floc_status touch_remember(projection_step *step)
{
  if (step->touch.count == 0 && step->method->touched_count == 0) return FLOC_OK;
  return remember(step->context->env, step->method, step->method->touching, step->touch.count);
}
