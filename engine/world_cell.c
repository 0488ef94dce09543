/*
 * A periodic box that moves: lengths and a shear that follow given rates, or lengths that hold a pressure.
 *
 * The lattice H (base/domain.h: lengths on the diagonal, the tilt beside them) follows H' = L H with the velocity
 * gradient L, whose diagonal are strain rates e and whose element (x, y), or that of another plane, is the shear
 * rate; H' is constant in a step, so H(t + h) = H + h H'. Velocities are those of the laboratory with the middle of
 * the box at rest: a particle at the lattice coordinates s moves with H' s + c, c its own velocity, so that x + h v
 * is (H + h H') s + h c, and an affine displacement comes of itself. Where H' changes, velocities change with it: v
 * += (H'_new - H'_old) s. Then c' = f/m - L c, the equations of motion called SLLOD (D. J. Evans and G. P. Morriss,
 * Statistical Mechanics of Nonequilibrium Liquids, section 6.3), and in simple shear at a constant rate, where H'
 * does not change, nothing is added to velocities at all: it is the boundary condition of Lees and Edwards.
 *
 * A length that is held under the normal stress P has the strain rate
 *
 *     e = (sigma/P - 1)/tau,   |e| h <= 0.01,
 *
 * sigma that of the step before: of contacts, and of velocities c about their mean. As ln L then is the integral of
 * (sigma/P - 1)/tau, the mean of sigma over a time T differs from P by P tau ln(L_end/L_begin)/T at most, whatever
 * tau.
 *
 * Contacts without a stiffness answer to a step of the rate e at once, by impulses m e x at the height x over the
 * middle, so that the stress rises by rho L^2 e/(12 h) and a length without inertia oscillates from step to step.
 * In the projection it therefore has inertia, and as much damping as makes it come to its place without swinging by
 * itself,
 *
 *     de/dt = ((sigma/P - 1)/tau - 2 e)/tau,
 *
 * and the mean of sigma over T differs from P by P tau (tau (e_end - e_begin) + 2 ln(L_end/L_begin))/T.
 *
 * Between steps the state is the box, its rates and the stress of the last step: section world.cell.
 */
#include "world.h"

#include "geometry/free_body.h"
#include "measures/statistics/stress.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double MOST_STRAIN = 0.1;      /* of given rates in a step */
static const double MOST_RELAXATION = 0.01; /* of held lengths in a step */

/* The section world.cell: numbers in this order. Lengths are 0 along axes that are not periodic. */
typedef struct cell_numbers {
  double lower[3], upper[3], box_rate[3], strain[3];
  double given_rate[3], given_stress[3];
  double tilt, tilt_rate, shear_strain;
  double given_shear_rate, given_pressure, relaxation_time;
  double is_stressed; /* 0 or 1 */
  double stress[9];
  double rate[3], shear_rate;
  double plane, unused; /* floc_shear_plane; 0 */
} cell_numbers;

enum { CELL_SECTION_NUMBERS = sizeof(cell_numbers) / sizeof(double) };
_Static_assert(CELL_SECTION_NUMBERS == 40 && sizeof(cell_numbers) == 40 * sizeof(double), "a section of files");

/* ---- what is given ---- */

static bool is_given(const floc_deform_options *options)
{
  bool given = options->shear_rate != 0.0 || options->pressure != 0.0;
  for (int axis = 0; axis < 3; axis++) given = given || options->rate[axis] != 0.0 || options->stress[axis] != 0.0;
  return given;
}

bool world_cell_is_wanted(const floc_world *world)
{
  return is_given(&world->cell.options);
}

static floc_status check_axis(floc_world *world, const floc_deform_options *options, int axis)
{
  environment *env = &world->env;
  const bool periodic = world->box.length[axis] > 0.0;
  const double rate = options->rate[axis], stress = options->stress[axis];
  if (!isfinite(rate)) return refuse(env, FLOC_INVALID_ARGUMENT, "rate[%d] is %g; it must be finite", axis, rate);
  if (!(stress >= 0.0 && isfinite(stress)))
    return refuse(env, FLOC_INVALID_ARGUMENT, "stress[%d] is %g; it must be at least 0 (0: not held) and finite",
                  axis, stress);
  if (!periodic && (rate != 0.0 || stress != 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s[%d] is %g; it must be 0, because the axis %c is not periodic",
                  rate != 0.0 ? "rate" : "stress", axis, rate != 0.0 ? rate : stress, "xyz"[axis]);
  if (stress > 0.0 && rate != 0.0)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "rate[%d] is %g and stress[%d] is %g; a length either has a rate or holds a stress", axis, rate,
                  axis, stress);
  if (options->pressure > 0.0 && (rate != 0.0 || stress != 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "pressure is %g and %s[%d] is %g; pressure changes all periodic lengths alike, so it excludes "
                  "rate and stress",
                  options->pressure, rate != 0.0 ? "rate" : "stress", axis, rate != 0.0 ? rate : stress);
  return FLOC_OK;
}

static floc_status check_options(floc_world *world, const floc_deform_options *options)
{
  environment *env = &world->env;
  const double *length = world->box.length;
  floc_status status = fields_check(env, &struct_deform_options, options);
  bool held = options->pressure > 0.0;
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++) {
    status = check_axis(world, options, axis);
    held = held || options->stress[axis] > 0.0;
  }
  if (status != FLOC_OK) return status;
  if (!isfinite(options->shear_rate))
    return refuse(env, FLOC_INVALID_ARGUMENT, "shear_rate is %g; it must be finite", options->shear_rate);
  const domain plane = {.plane = options->shear_plane};
  const int along = domain_along(&plane), across = domain_across(&plane);
  if (options->shear_rate != 0.0 && !(length[along] > 0.0 && length[across] > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "shear_rate is %g; it must be 0, because the axis %c is not periodic",
                  options->shear_rate, "xyz"[length[along] > 0.0 ? across : along]);
  if (options->shear_rate != 0.0 && options->shear_plane != world->box.plane && domain_is_skew(&world->box))
    return refuse(
        env, FLOC_WRONG_STATE,
        "shear_plane is %c%c, and the cell is skew in the plane %c%c; the plane can change only while it is "
        "upright",
        "xyz"[along], "xyz"[across], "xyz"[domain_along(&world->box)], "xyz"[domain_across(&world->box)]);
  if (options->pressure > 0.0 && !(length[0] > 0.0 || length[1] > 0.0 || length[2] > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "pressure is %g; it must be 0, because no axis is periodic",
                  options->pressure);
  if (held != (options->relaxation_time > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT, "relaxation_time is %g; %s", options->relaxation_time,
                  held ? "it must be above 0 where a pressure or a stress is held"
                       : "it has no effect without pressure or stress");
  return FLOC_OK;
}

/* What cannot be in a box that moves, because it knows images that stand still, or places that are none of the
 * box's.
 */
/* Does the box move along the axis, or is it skew there? */
static bool axis_moves(const floc_world *world, const floc_deform_options *options, int axis)
{
  const domain *box = &world->box;
  if (!(box->length[axis] > 0.0)) return false;
  const domain plane = {.plane = domain_is_skew(box) ? box->plane : options->shear_plane};
  const bool shears = axis == domain_along(&plane) || axis == domain_across(&plane);
  if (shears && (options->shear_rate != 0.0 || domain_is_skew(box) || box->tilt_rate != 0.0)) return true;
  return options->rate[axis] != 0.0 || options->stress[axis] > 0.0 || options->pressure > 0.0 ||
         box->rate[axis] != 0.0;
}

/* Walls are the same wherever an image is: planes along all axes that move. */
static floc_status check_bodies(floc_world *world, const floc_deform_options *options)
{
  const bodies *obstacles = &world->obstacles;
  for (int32_t k = 0; k < obstacles->shape_count; k++) {
    const shape *surface = &obstacles->world[k];
    const body *owner = &obstacles->body[surface->body];
    if (body_is_free(owner))
      return refuse(&world->env, FLOC_NOT_SUPPORTED,
                    "body %d%s%s is free, which is not supported in a cell that deforms", surface->body,
                    owner->name[0] ? " " : "", owner->name);
    for (int axis = 0; axis < world->box.dimension; axis++)
      if (axis_moves(world, options, axis) && !shape_extends(surface, axis))
        return refuse(
            &world->env, FLOC_NOT_SUPPORTED,
            "body %d%s%s is not the same at every place along the axis %c, which deforms, so it is not supported: "
            "it would have to deform as well; planes along the axes that deform are",
            surface->body, owner->name[0] ? " " : "", owner->name, "xyz"[axis]);
  }
  if (obstacles->shape_count > 0 && laws_find_present(world->forces).wall_laws)
    return refuse(&world->env, FLOC_NOT_SUPPORTED,
                  "laws between particles and bodies are not supported in a cell that deforms");
  return FLOC_OK;
}

static floc_status check_company(floc_world *world, const floc_deform_options *options)
{
  environment *env = &world->env;
  const char *what = NULL;
  if (world->assemblies.count > 0)
    what = "rigid assemblies";
  else if (laws_find_present(world->forces).a_priori)
    what = "a priori velocities by a function";
  else if (ray_sources_count(world->rays) > 0)
    what = "ray sources";
  else if (particles_optional(&world->table, OPTIONAL_displacement_x))
    what = "displacements (the attribute displacement_x)";
  else if (world->table.shapes.count > 0)
    what = "particles that are not round";
  if (particles_find_column(&world->table, "frozen") >= 0) what = "frozen particles (the attribute frozen)";
  if (world->keeps_ledger && world->method.observe) what = "energy ledgers of discrete elements";
  if (what) return refuse(env, FLOC_NOT_SUPPORTED, "%s are not supported in a cell that deforms", what);
  const char *everywhere = laws_everywhere_name(world->forces), *turning = laws_turning_flow(world->forces);
  if (everywhere)
    return refuse(
        env, FLOC_NOT_SUPPORTED,
        "the law \"%s\" acts on all pairs, which is not supported in a cell that deforms: give a range of "
        "at most half of the cell's shortest length",
        everywhere);
  if (turning)
    return refuse(env, FLOC_NOT_SUPPORTED,
                  "a %s flow is not supported in a cell that deforms: the medium moves with the cell, whose "
                  "shear_rate is enough, and what a flow gives comes on top; uniform, still and function do",
                  turning);
  const char *why = world->method.not_in_cell ? world->method.not_in_cell(world->method.state) : NULL;
  if (why)
    return refuse(env, FLOC_NOT_SUPPORTED, "a cell that deforms under the scheme %s: %s", world->method.shown, why);
  return check_bodies(world, options);
}

floc_status world_check_cell(floc_world *world)
{
  if (!world_cell_is_wanted(world) && !domain_deforms(&world->box)) return FLOC_OK;
  floc_status status = world_need_feature(world, FLOC_FEATURE_DEFORMATION);
  return status == FLOC_OK ? check_company(world, &world->cell.options) : status;
}

floc_status floc_world_deform(floc_world *world, const floc_deform_options *options)
{
  WORLD_ENTER(world);
  READ_OPTIONS(&world->env, deform_options, options);
  floc_status status = is_given(options) ? world_need_feature(world, FLOC_FEATURE_DEFORMATION) : FLOC_OK;
  if (status == FLOC_OK) status = check_options(world, options);
  if (status == FLOC_OK && is_given(options)) status = check_company(world, options);
  if (status != FLOC_OK) return status;
  world->cell.options = *options;
  world->cell.is_used = world->cell.is_used || is_given(options);
  return FLOC_OK;
}

/* ---- a step ---- */

static double volume_of(const domain *box)
{
  double volume = 1.0;
  for (int axis = 0; axis < box->dimension; axis++)
    volume *= box->boundary[axis] == FLOC_BOUNDARY_OPEN ? 1.0 : box->upper[axis] - box->lower[axis];
  return volume;
}

static double pressure_of(const floc_world *world)
{
  double sum = 0.0, axes = 0.0;
  for (int axis = 0; axis < world->box.dimension; axis++) {
    if (!(world->box.length[axis] > 0.0)) continue;
    sum += world->cell.stress[4 * axis];
    axes += 1.0;
  }
  return axes > 0.0 ? sum / axes : 0.0;
}

/* The strain rate of an axis. */
static double find_rate(const floc_world *world, int axis)
{
  const floc_deform_options *options = &world->cell.options;
  const double held = options->pressure > 0.0 ? options->pressure : options->stress[axis];
  if (!(world->box.length[axis] > 0.0)) return 0.0;
  if (!(held > 0.0)) return options->rate[axis];
  if (!world->cell.is_stressed) return 0.0; /* no step has been made yet */
  const double stress = options->pressure > 0.0 ? pressure_of(world) : world->cell.stress[4 * axis];
  const double most = MOST_RELAXATION / world->time_step, tau = options->relaxation_time;
  const double beyond = (stress / held - 1.0) / tau, h = world->time_step;
  const double rate =
      world->method.observe ? beyond : (world->cell.rate[axis] + h / tau * beyond) / (1.0 + 2.0 * h / tau);
  return fmin(fmax(rate, -most), most);
}

/* The rates of the lattice in this step. */
static domain find_rates(const floc_world *world)
{
  domain box = world->box;
  for (int axis = 0; axis < 3; axis++) box.rate[axis] = find_rate(world, axis) * box.length[axis];
  if (!domain_is_skew(&box) && world_cell_is_wanted(world)) box.plane = world->cell.options.shear_plane;
  const int along = domain_along(&box);
  box.tilt_rate = box.length[along] > 0.0 ? find_rate(world, along) * box.tilt : 0.0;
  box.tilt_rate += world->cell.options.shear_rate * box.length[domain_across(&box)];
  return box;
}

static bool is_same_motion(const domain *a, const domain *b)
{
  return a->rate[0] == b->rate[0] && a->rate[1] == b->rate[1] && a->rate[2] == b->rate[2] &&
         a->tilt_rate == b->tilt_rate;
}

/* H + h H', with a tilt of at most half a length. */
static domain find_next(const domain *box, double time_step)
{
  domain next = domain_later(box, time_step);
  const int along = domain_along(box);
  const double length = next.length[along];
  if (fabs(next.tilt) > 0.5 * length && length > 0.0) { /* the same lattice by other vectors */
    const double turns = rint(next.tilt / length);
    next.tilt -= turns * length;
    next.tilt_rate -= turns * next.rate[along];
  }
  return next;
}

/* Velocities take part in a change of the lattice's. */
static void change_flow(floc_world *world, const domain *from, const domain *to)
{
  double *const *column = world->table.column;
  EACH_SLOT(i, &world->table) {
    const double position[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]};
    double before[3], after[3];
    domain_flow(from, position, before);
    domain_flow(to, position, after);
    for (int axis = 0; axis < world->box.dimension; axis++)
      column[COLUMN_vx + axis][i] += after[axis] - before[axis];
  }
}

/* Which image of a pair is the nearest one is certain up to half of the shortest length, and no second one is in
 * range then. */
static floc_status check_range(floc_world *world, const domain *box, double greatest)
{
  const double range = laws_range(world->forces), reach = range + 2.0 * greatest;
  for (int axis = 0; axis < box->dimension && range > 0.0; axis++)
    if (box->length[axis] > 0.0 && reach > 0.5 * box->length[axis])
      return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                    "the cell is %.4g long along %c in step %" PRId64
                    "; where it deforms that must be at least twice the reach of laws between the largest "
                    "particles, %.4g: give a larger cell or a shorter range",
                    box->length[axis], "xyz"[axis], world -> step + 1, reach);
  return FLOC_OK;
}

static floc_status check_step(floc_world *world, const domain *box)
{
  const double strain = world->time_step * domain_gradient_norm(box);
  double greatest = 0.0;
  if (!(strain <= MOST_STRAIN))
    return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                  "the cell would deform by %.3g in step %" PRId64 "; the limit is %g: give a smaller time_step or "
                  "smaller rates",
                  strain, world->step + 1, MOST_STRAIN);
  EACH_SLOT(i, &world->table) greatest = fmax(greatest, world->table.column[COLUMN_radius][i]);
  const domain next = find_next(box, world->time_step);
  for (int axis = 0; axis < box->dimension; axis++)
    if (next.length[axis] > 0.0 && next.rate[axis] < 0.0 && next.length[axis] < 4.0 * greatest)
      return refuse(&world->env, FLOC_LIMIT_EXCEEDED,
                    "the cell would shrink to %.3g along %c in step %" PRId64
                    "; it must stay at least 4 of the largest radii long, %.3g",
                    next.length[axis], "xyz"[axis], world -> step + 1, 4.0 * greatest);
  return check_range(world, &next, greatest);
}

floc_status world_begin_cell(floc_world *world, step_context *context, cell_step *step)
{
  step->acts = world->cell.is_used && (world_cell_is_wanted(world) || domain_moves(&world->box));
  if (!step->acts) return domain_is_skew(&world->box) ? check_step(world, &world->box) : FLOC_OK;
  const size_t count = (size_t)world->table.count;
  const domain box = find_rates(world);
  floc_status status = check_step(world, &box);
  if (status != FLOC_OK) return status;
  step->before = world->box;
  for (int axis = 0; axis < 3; axis++) {
    step->velocity[axis] = arena_allocate(&world->scratch, count, sizeof(double));
    if (!step->velocity[axis]) return FLOC_OUT_OF_MEMORY;
    if (count > 0) memcpy(step->velocity[axis], world->table.column[COLUMN_vx + axis], count * sizeof(double));
  }
  if (!is_same_motion(&box, &world->box)) change_flow(world, &world->box, &box);
  world->box = box;
  step->next = find_next(&box, world->time_step);
  context->next_box = &step->next;
  return FLOC_OK;
}

void world_revert_cell(floc_world *world, const cell_step *step)
{
  const size_t count = (size_t)world->table.count;
  if (!step->acts) return;
  world->box = step->before;
  for (int axis = 0; axis < 3 && count > 0; axis++)
    memcpy(world->table.column[COLUMN_vx + axis], step->velocity[axis], count * sizeof(double));
}

void world_commit_cell(floc_world *world, const step_context *context, const cell_step *step)
{
  world_cell *cell = &world->cell;
  if (step->acts) {
    for (int axis = 0; axis < 3; axis++) cell->rate[axis] = domain_strain_rate(&world->box, axis);
    cell->shear_rate = domain_shear_rate(&world->box);
    for (int axis = 0; axis < 3; axis++)
      if (world->box.length[axis] > 0.0)
        cell->strain[axis] += floc_log(step->next.length[axis] / world->box.length[axis]);
    cell->shear_strain += world->time_step * cell->shear_rate;
    world->box = step->next;
  }
  cell->is_stressed = cell->is_used && (step->acts || domain_is_skew(&world->box));
  if (!cell->is_stressed) {
    memset(cell->stress, 0, sizeof cell->stress);
    return;
  }
  const measure_source source = world_measure_source(world);
  double kinetic[9];
  stress_of_motion(&source, kinetic);
  for (int k = 0; k < 9; k++) cell->stress[k] = (kinetic[k] + context->contact_stress[k]) / volume_of(&world->box);
}

domain world_start_box(const floc_world *world)
{
  return domain_moves(&world->box) ? domain_later(&world->box, -world->time_step) : world->box;
}

/* ---- what can be read ---- */

floc_status floc_world_get_cell(const floc_world *world, floc_cell *cell)
{
  if (!world) return FLOC_INVALID_ARGUMENT;
  environment unheard = {0};
  FILL_RESULT(&unheard, cell, cell);
  FLOAT_DEFAULT;
  const domain *box = &world->box;
  for (int axis = 0; axis < 3; axis++) {
    const bool given = axis < box->dimension;
    cell->lower[axis] = given ? box->lower[axis] : 0.0;
    cell->upper[axis] = given ? box->upper[axis] : 0.0;
    cell->rate[axis] = world->cell.rate[axis];
    cell->strain[axis] = world->cell.strain[axis];
  }
  cell->offset = box->tilt;
  cell->shear_plane = box->plane;
  cell->shear_rate = world->cell.shear_rate;
  cell->shear_strain = world->cell.shear_strain;
  memcpy(cell->stress, world->cell.stress, sizeof cell->stress);
  cell->pressure = pressure_of(world);
  return FLOC_OK;
}

/* ---- checkpoints ---- */

/* Only of a world that has been told to deform: others are as they were without any of this. */
floc_status world_cell_sections(floc_world *world, section_list *list)
{
  const world_cell *cell = &world->cell;
  const domain *box = &world->box;
  if (!cell->is_used) return FLOC_OK;
  cell_numbers *number = arena_allocate(&world->scratch, 1, sizeof *number);
  if (!number) return FLOC_OUT_OF_MEMORY;
  *number = (cell_numbers){.tilt = box->tilt,
                           .tilt_rate = box->tilt_rate,
                           .shear_strain = cell->shear_strain,
                           .given_shear_rate = cell->options.shear_rate,
                           .plane = 8.0 * cell->options.shear_plane + box->plane,
                           .given_pressure = cell->options.pressure,
                           .relaxation_time = cell->options.relaxation_time,
                           .is_stressed = cell->is_stressed,
                           .shear_rate = cell->shear_rate};
  for (int axis = 0; axis < 3; axis++) {
    const bool periodic = box->length[axis] > 0.0;
    number->lower[axis] = periodic ? box->lower[axis] : 0.0;
    number->upper[axis] = periodic ? box->upper[axis] : 0.0;
    number->box_rate[axis] = box->rate[axis];
    number->strain[axis] = cell->strain[axis];
    number->given_rate[axis] = cell->options.rate[axis];
    number->given_stress[axis] = cell->options.stress[axis];
    number->rate[axis] = cell->rate[axis];
  }
  memcpy(number->stress, cell->stress, sizeof cell->stress);
  return section_list_add(list, CELL_SECTION, "f64", CELL_SECTION_NUMBERS, 1, number, true);
}

static bool is_finite_all(const double *number)
{
  for (int k = 0; k < CELL_SECTION_NUMBERS; k++)
    if (!isfinite(number[k])) return false;
  return true;
}

/* Eight times the plane that is wanted and that in which the box is. */
static bool is_plane(double number, int32_t dimension)
{
  if (!(number >= 0.0 && number < 48.0 && number == floor(number))) return false;
  const int32_t planes[2] = {(int32_t)number / 8, (int32_t)number % 8};
  for (int k = 0; k < 2; k++) {
    if (planes[k] > FLOC_SHEAR_PLANE_ZY) return false;
    const domain plane = {.plane = planes[k]};
    if (domain_along(&plane) >= dimension || domain_across(&plane) >= dimension) return false;
  }
  return true;
}

/* *read: the numbers; NULL: there is no such section. */
static floc_status read_section(environment *env, const section_list *list, int32_t dimension,
                                const cell_numbers **read)
{
  const section *found;
  *read = NULL;
  if (!section_find(list, CELL_SECTION)) return FLOC_OK;
  floc_status status = section_expect(list, CELL_SECTION, "f64", CELL_SECTION_NUMBERS, 1, &found);
  if (status != FLOC_OK) return status;
  const cell_numbers *number = found->data;
  bool good = is_finite_all(found->data) && is_plane(number->plane, dimension);
  const domain plane = {.plane = good ? (int32_t)number->plane % 8 : 0};
  const int along = domain_along(&plane);
  good = good && fabs(number->tilt) <= 0.5 * (number->upper[along] - number->lower[along]);
  for (int axis = 0; axis < 3; axis++) {
    const double length = number->upper[axis] - number->lower[axis];
    good = good && length >= 0.0 && isfinite(length) && (length > 0.0 || number->box_rate[axis] == 0.0);
    good = good && (axis < dimension || length == 0.0) && number->given_stress[axis] >= 0.0;
  }
  good = good && number->given_pressure >= 0.0 && number->relaxation_time >= 0.0;
  good = good && (number->is_stressed == 0.0 || number->is_stressed == 1.0);
  if (!good) return refuse(env, FLOC_DAMAGED_FILE, "section \"%s\": numbers that no cell can have", CELL_SECTION);
  *read = number;
  return FLOC_OK;
}

floc_status world_cell_restore(floc_world *world, const section_list *list)
{
  const cell_numbers *number;
  floc_status status = read_section(&world->env, list, world->box.dimension, &number);
  if (status != FLOC_OK) return status;
  world_cell made = {.made = world->cell.made};
  domain box = world->cell.made;
  for (int axis = 0; axis < 3 && number; axis++) {
    const double length = number->upper[axis] - number->lower[axis];
    if ((length > 0.0) != (box.length[axis] > 0.0))
      return refuse(&world->env, FLOC_STRUCTURE_MISMATCH,
                    "the axis %c is %speriodic in the checkpoint and %speriodic "
                    "in this world",
                    "xyz"[axis], length > 0.0 ? "" : "not ", length > 0.0 ? "not " : "");
    if (length > 0.0) {
      box.lower[axis] = number->lower[axis];
      box.upper[axis] = number->upper[axis];
      box.length[axis] = length;
    }
    box.rate[axis] = number->box_rate[axis];
    made.strain[axis] = number->strain[axis];
    made.options.rate[axis] = number->given_rate[axis];
    made.options.stress[axis] = number->given_stress[axis];
  }
  if (number) {
    box.tilt = number->tilt;
    box.tilt_rate = number->tilt_rate;
    box.plane = (int32_t)number->plane % 8;
    made.options.shear_plane = (int32_t)number->plane / 8;
    made.shear_strain = number->shear_strain;
    made.options.shear_rate = number->given_shear_rate;
    made.options.pressure = number->given_pressure;
    made.options.relaxation_time = number->relaxation_time;
    made.is_stressed = number->is_stressed != 0.0;
    made.is_used = true;
    memcpy(made.stress, number->stress, sizeof made.stress);
    memcpy(made.rate, number->rate, sizeof made.rate);
    made.shear_rate = number->shear_rate;
  }
  world->box = box;
  world->cell = made;
  return FLOC_OK;
}
