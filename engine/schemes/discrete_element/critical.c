/*
 * The critical time step: above it an integrator with fixed steps feeds energy into some mode of the contacts.
 *
 * Let K and C be the stiffness and damping matrices of the contacts as they are now, linearised. Velocity Verlet
 * with forces from velocities half a step back obeys z^2 - (2 - h c - h^2 k) z + (1 - h c) = 0 in a mode with
 * k = omega^2 and c = damping over mass, so it is stable while h^2 k/4 + h c/2 < 1: without damping h < 2/omega,
 * the known limit of central differences (T. Belytschko, W. K. Liu, B. Moran, Nonlinear Finite Elements for
 * Continua and Structures 2000, chapter 6), with it (2/omega) (sqrt(1 + zeta^2) - zeta). The trapezoidal rule is
 * not unstable, but its fixed-point iteration multiplies an error by (phi h)^2 k + phi h c: at phi = 1/2 the same
 * limit.
 *
 * K = B^T k B with one block row of B per contact e. M^-1 K has the eigenvalues of B M^-1 B^T k, which are at most
 * the greatest sum of norms in a row of blocks (Gershgorin): for the contact e of i and j own(e) + sum over the
 * other contacts f of i of w_i(f) + the same of j, own = max(k_n (1/m_i + 1/m_j), k_t (1/m_i + a_i^2/I_i + 1/m_j +
 * a_j^2/I_j)),   w_i = max(k_n, k_t)/m_i + k_t a_i^2/I_i, where walls have no share, and a_i^2/I_i only with
 * rotation. For two particles this is exact, for more a bound from above; C goes the same way. So below the
 * critical step nothing grows; a little above it something may. With rolling springs a block has further rows, R*
 * about each centre and stiffness k_r: the block of one contact is bounded by the sum of both diagonal parts (it is
 * positive), and what i adds to others has (a_i^2 + R*^2)^(1/2) ((k_t a_i)^2 + (k_r R*)^2)^(1/2) for k_t a_i^2.
 *
 * A free body of mass M and inertia I, none of whose points is farther than R from what it turns about, counts as a
 * particle with w = max(k_n, k_t) (1/M + R^2/I), which is an upper bound.
 *
 * Before anything touches: with Hooke's law the two lightest particles, should they meet; with Hertz's, whose
 * stiffness begins at 0, the time that a Rayleigh wave needs over the surface of one particle, pi R sqrt(rho/G) /
 * (0.1631 nu + 0.8766) (Y. Li, Y. Xu, C. Thornton, Powder Technology 160 (2005) 219). Near fields and laws of the
 * host are not in it.
 */
#include "schemes/discrete_element/law.h"

#include "geometry/vector.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <string.h>

/* Stiffness and damping of one contact, or their sums over a particle, over mass. */
typedef struct rates {
  double stiffness, damping; /* [1/time^2], [1/time] */
} rates;

/* A contact, linearised. */
typedef struct linear_contact {
  double normal, tangential; /* stiffness */
  double normal_damping, tangential_damping;
  double arm[2];
  double rolling, rolling_damping, radius; /* the rolling spring, and its moment arm R* */
} linear_contact;

typedef struct stability {
  const discrete_element *method;
  const floc_discrete_element_options *options; /* of the contact that is looked at */
  const particles *table;
  const bodies *obstacles;
  const domain *box;
  const neighbors *near;
  double friction_time;
  const double *temperature; /* or NULL */
  rates *of;                 /* [particles] sums of w over their contacts */
  rates *of_body;            /* [bodies] likewise of those that are free; NULL: none is */
  critical_step found;
} stability;

static bool turns(const stability *s)
{
  return s->method->options.rotation;
}

/* square/I of a particle, 0 where it does not turn. */
static double turning(const stability *s, int64_t i, double square)
{
  if (!turns(s)) return 0.0;
  return square / element_inertia(s->method, s->table, i);
}

/* ---- one contact ---- */

/* d(elastic force)/d(overlap); slope: d(area)/d(overlap). */
static double elastic_slope(const floc_discrete_element_options *options, const contact_state *contact, double sum,
                            double slope)
{
  switch (options->contact_force) {
  case FLOC_CONTACT_FORCE_PENALTY: {
    double p = options->exponent;
    double power = p > 0.0 ? p * strain_power(contact->strain, p - 1.0) / sum * contact->area : 0.0;
    return contact->stiffness * (power + strain_power(contact->strain, p) * slope);
  }
  case FLOC_CONTACT_FORCE_HERTZ:
    return 2.0 * contact->effective_modulus * sqrt(contact->effective_radius * contact->overlap);
  case FLOC_CONTACT_FORCE_HOOKE:
    return contact->stiffness;
  default:
    return 0.0;
  }
}

static void linearise_overlap(const stability *s, const contact_state *contact, double sum, double slope,
                              linear_contact *out)
{
  const floc_discrete_element_options *o = s->options;
  double weight = contact_weight(o, contact), stiffness = elastic_slope(o, contact, sum, slope);
  out->normal = isfinite(stiffness) && stiffness > 0.0 ? stiffness : 0.0;
  out->normal_damping = o->damping * weight;
  if (o->friction == FLOC_FRICTION_SPRING) {
    out->tangential = o->friction_stiffness * weight;
    out->tangential_damping = o->friction_damping * weight;
  }
  if (o->friction == FLOC_FRICTION_REGULARIZED)
    out->tangential_damping = o->friction_stiffness * contact->area * s->friction_time;
  if (!(o->rolling_friction > 0.0)) return;
  out->rolling = o->rolling_stiffness * weight;
  out->rolling_damping = o->rolling_damping * weight;
  out->radius = contact->effective_radius;
}

static void linearise_bond(const stability *s, double strain, double sum, double bond, double area,
                           linear_contact *out)
{
  const floc_discrete_element_options *o = s->options;
  if (o->bond_law == FLOC_BOND_LITERAL && area > 0.0 && strain >= o->bond_formation) bond = area;
  if (!(bond > 0.0)) return;
  double p = o->bond_exponent;
  if (!(area > 0.0) && p > 0.0)
    out->normal = o->bond_stiffness * p * floc_pow(fmax(strain, 1e-9), p - 1.0) / sum * bond;
  out->tangential_damping += o->bond_tangential_stiffness * bond * s->friction_time;
}

static double stiffness_at(const stability *s, int64_t i)
{
  const floc_discrete_element_options *options = s->options;
  return s->temperature ? element_stiffness(options, s->temperature[i]) : options->stiffness;
}

static bool linearise_pair(const stability *s, double bond, int64_t i, int64_t j, linear_contact *out)
{
  double *const *column = s->table->column;
  double way[3], first = column[COLUMN_radius][i], second = column[COLUMN_radius][j], sum = first + second;
  const floc_discrete_element_options *o = s->options;
  double distance = sqrt(particles_apart(s->table, s->box, i, j, way));
  if (!(distance > 0.0) || (distance >= sum && !(bond > 0.0))) return false;
  *out = (linear_contact){0};
  out->arm[0] = 0.5 * (distance + (first - second) * sum / distance);
  out->arm[1] = distance - out->arm[0];
  contact_state contact = {.overlap = sum - distance,
                           .strain = fabs(sum - distance) / sum,
                           .stiffness = 0.5 * (stiffness_at(s, i) + stiffness_at(s, j)),
                           .effective_radius = first * second / sum,
                           .effective_modulus = pair_modulus(o)};
  if (distance < sum) {
    contact.area = contact_area(first, second, distance);
    double plane = 0.5 * (distance - (second - first) * sum / distance); /* from i, (69) */
    double slope = ELEMENT_PI * plane * (1.0 + (second - first) * sum / (distance * distance));
    linearise_overlap(s, &contact, sum, slope, out);
  }
  linearise_bond(s, contact.strain, sum, bond, contact.area, out);
  return true;
}

static bool linearise_wall(const stability *s, double bond, int64_t i, int32_t number, linear_contact *out)
{
  double *const *column = s->table->column;
  const floc_discrete_element_options *o = s->options;
  double at[3] = {column[COLUMN_x][i], column[COLUMN_y][i], column[COLUMN_z][i]}, normal[3], point[3];
  double radius = column[COLUMN_radius][i];
  double distance = shape_distance(&s->obstacles->world[number], s->method->dimension, at, normal, point);
  const bool touching = distance < radius;
  if (!touching && !(bond > 0.0)) return false;
  double depth = distance > 0.0 ? distance : 0.0;
  *out = (linear_contact){.arm = {depth, 0.0}};
  contact_state contact = {.overlap = radius - distance,
                           .strain = fabs(radius - distance) / radius,
                           .stiffness = stiffness_at(s, i),
                           .area = touching ? ELEMENT_PI * (radius - depth) * (radius + depth) : 0.0,
                           .effective_radius = radius,
                           .effective_modulus = o->young_modulus / (1.0 - o->poisson_ratio * o->poisson_ratio)};
  if (touching) linearise_overlap(s, &contact, radius, 2.0 * ELEMENT_PI * depth, out);
  if (o->bond_bodies) linearise_bond(s, contact.strain, radius, bond, contact.area, out);
  return true;
}

/* ---- rows of contacts ---- */

/* What springs across and of rolling add to others' rows by the spin of particle i. */
static double share_of_spin(const stability *s, const linear_contact *e, int64_t i, double arm, double across,
                            double rolling)
{
  if (!(e->radius > 0.0)) return across * turning(s, i, arm * arm);
  return turning(s, i, floc_hypot(arm, e->radius) * floc_hypot(across * arm, rolling * e->radius));
}

/* What contact e adds to the rows of the other contacts of particle i. */
static rates share(const stability *s, const linear_contact *e, int64_t i, double arm)
{
  double inverse = 1.0 / s->table->column[COLUMN_mass][i];
  double turn = share_of_spin(s, e, i, arm, e->tangential, e->rolling);
  double damp = share_of_spin(s, e, i, arm, e->tangential_damping, e->rolling_damping);
  return (rates){fmax(e->normal, e->tangential) * inverse + turn,
                 fmax(e->normal_damping, e->tangential_damping) * inverse + damp};
}

static rates own(const stability *s, const linear_contact *e, int64_t i, int64_t j)
{
  double along = 1.0 / s->table->column[COLUMN_mass][i], across = along + turning(s, i, e->arm[0] * e->arm[0]);
  double rolling = turning(s, i, e->radius * e->radius);
  if (j >= 0) {
    along += 1.0 / s->table->column[COLUMN_mass][j];
    across += 1.0 / s->table->column[COLUMN_mass][j] + turning(s, j, e->arm[1] * e->arm[1]);
    rolling += turning(s, j, e->radius * e->radius);
  }
  return (rates){fmax(e->normal * along, e->tangential * across + e->rolling * rolling),
                 fmax(e->normal_damping * along, e->tangential_damping * across + e->rolling_damping * rolling)};
}

/* Over the body of a wall: 1/M + R^2/I, and 1/I; 0 where it is not free. */
static void body_compliance(const stability *s, int32_t number, double *all, double *turns_by)
{
  const body *one = &s->obstacles->body[number];
  const int32_t dimension = s->method->dimension;
  double inverse[6];
  *all = *turns_by = 0.0;
  if (!body_is_free(one)) return;
  const double farthest = one->farthest + vector_length(one->free.center);
  body_inverse_inertia(one, dimension, 0.0, inverse);
  *turns_by = inverse[0] + inverse[1] + inverse[2]; /* at least the greatest of them */
  *all = farthest * farthest * *turns_by;
  if (one->free.axes & FREE_TRANSLATIONS) *all += body_inverse_mass(one, 0.0);
}

/* What contact e adds to the rows of the other contacts of the wall's body. */
static rates share_of_body(const stability *s, const linear_contact *e, int32_t number)
{
  double all, turns_by;
  body_compliance(s, number, &all, &turns_by);
  const double rolling = e->radius * e->radius * turns_by;
  return (rates){fmax(e->normal, e->tangential) * all + e->rolling * rolling,
                 fmax(e->normal_damping, e->tangential_damping) * all + e->rolling_damping * rolling};
}

static void add_rates(rates *to, rates what, double sign)
{
  to->stiffness += sign * what.stiffness;
  to->damping += sign * what.damping;
}

/* The step at which (s h)^2 k + s h c = 1, with s = 1/2 (Verlet) or phi. */
static double step_of(const stability *s, rates row)
{
  const floc_discrete_element_options *o = &s->method->options;
  double part = o->integrator == FLOC_INTEGRATOR_VELOCITY_VERLET ? 0.5 : o->phi;
  double root = row.damping + sqrt(row.damping * row.damping + 4.0 * row.stiffness);
  return part * root > 0.0 ? 2.0 / (part * root) : INFINITY;
}

static void note(stability *s, double step, int64_t slot)
{
  int64_t id = s->table->id[slot];
  if (step > s->found.time_step || (step == s->found.time_step && id >= s->found.id)) return;
  s->found = (critical_step){step, id};
}

/* The lighter one is named. */
static void note_row(stability *s, rates row, int64_t i, int64_t j)
{
  const double *mass = s->table->column[COLUMN_mass];
  bool second = j >= 0 && (mass[j] < mass[i] || (mass[j] == mass[i] && s->table->id[j] < s->table->id[i]));
  note(s, step_of(s, row), second ? j : i);
}

static void sum_contacts(stability *s)
{
  const pair_list *pairs = neighbors_pairs(s->near), *walls = neighbors_walls(s->near);
  memory_view memory = element_memory(s->method, pairs), of_walls = element_memory(s->method, walls);
  linear_contact e;
  for (int pass = 0; pass < 2; pass++) {
    for (int64_t k = 0; k < pairs->count; k++) {
      int64_t i = pairs->first[k], j = pairs->second[k];
      s->options = element_options_of(s->method, s->table, s->obstacles, i, j, -1);
      if (!linearise_pair(s, memory.bond ? memory.bond[k] : 0.0, i, j, &e)) continue;
      rates of_i = share(s, &e, i, e.arm[0]), of_j = share(s, &e, j, e.arm[1]);
      rates row = own(s, &e, i, j);
      if (pass == 0) add_rates(&s->of[i], of_i, 1.0), add_rates(&s->of[j], of_j, 1.0);
      if (pass == 0) continue;
      add_rates(&row, s->of[i], 1.0), add_rates(&row, of_i, -1.0);
      add_rates(&row, s->of[j], 1.0), add_rates(&row, of_j, -1.0);
      note_row(s, row, i, j);
    }
    for (int64_t k = 0; k < walls->count; k++) {
      int64_t i = walls->first[k];
      s->options = element_options_of(s->method, s->table, s->obstacles, i, -1, walls->second[k]);
      const double bond = s->options->bond_bodies && of_walls.bond ? of_walls.bond[k] : 0.0;
      if (!linearise_wall(s, bond, i, walls->second[k], &e)) continue;
      rates of_i = share(s, &e, i, e.arm[0]), row = own(s, &e, i, -1);
      const int32_t number = s->obstacles->world[walls->second[k]].body;
      if (pass == 0) add_rates(&s->of[i], of_i, 1.0);
      if (pass == 0 && s->of_body) add_rates(&s->of_body[number], share_of_body(s, &e, number), 1.0);
      if (pass == 0) continue;
      add_rates(&row, s->of[i], 1.0), add_rates(&row, of_i, -1.0);
      if (s->of_body) add_rates(&row, s->of_body[number], 1.0); /* its own among them */
      note_row(s, row, i, -1);
    }
  }
}

/* ---- before anything touches ---- */

static void note_lightest(stability *s)
{
  const floc_discrete_element_options *o = s->options;
  const double *mass = s->table->column[COLUMN_mass], *radius = s->table->column[COLUMN_radius];
  int64_t least = -1, next = -1;
  EACH_RANK(rank, s->table) { /* in the order of ids: storage does not show */
    int64_t i = s->table->slot[rank];
    if (least < 0 || mass[i] < mass[least])
      next = least, least = i;
    else if (next < 0 || mass[i] < mass[next])
      next = i;
  }
  if (least < 0) return;
  o = element_options_of(s->method, s->table, s->obstacles, least, next >= 0 ? next : least, -1);
  linear_contact e = {.normal = o->stiffness, .normal_damping = o->damping};
  bool springs = o->friction == FLOC_FRICTION_SPRING;
  if (springs) e.tangential = o->friction_stiffness, e.tangential_damping = o->friction_damping;
  e.arm[0] = radius[least], e.arm[1] = next >= 0 ? radius[next] : 0.0;
  if (o->rolling_friction > 0.0) {
    e.rolling = o->rolling_stiffness, e.rolling_damping = o->rolling_damping;
    e.radius = next >= 0 ? radius[least] * radius[next] / (radius[least] + radius[next]) : radius[least];
  }
  note_row(s, own(s, &e, least, next), least, next);
}

static void note_rayleigh(stability *s)
{
  const floc_discrete_element_options *o = &s->method->options;
  double shear = 0.5 * o->young_modulus / (1.0 + o->poisson_ratio);
  EACH_SLOT(i, s->table) {
    double radius = s->table->column[COLUMN_radius][i];
    double density = s->table->column[COLUMN_mass][i] / (4.0 / 3.0 * ELEMENT_PI * radius * radius * radius);
    note(s, ELEMENT_PI * radius * sqrt(density / shear) / (0.1631 * o->poisson_ratio + 0.8766), i);
  }
}

/* ---- what others see ---- */

floc_status element_critical(const void *state, const particles *table, const bodies *obstacles, const domain *box,
                             const neighbors *near, double time_step, arena *scratch, critical_step *critical)
{
  const discrete_element *method = state;
  const floc_discrete_element_options *options = &method->options;
  double chosen = options->friction_time;
  stability s = {.method = method,
                 .options = options,
                 .table = table,
                 .obstacles = obstacles,
                 .box = box,
                 .near = near,
                 .friction_time = chosen > 0.0 ? chosen : time_step,
                 .found = {INFINITY, 0}};
  int32_t column = options->thermal_softening ? particles_find_column(table, "temperature") : -1;
  if (column >= 0) s.temperature = table->column[column];
  floc_status status = near ? element_learn(method, table, obstacles, near) : FLOC_OK;
  if (status != FLOC_OK) return status;
  if (options->contact_force == FLOC_CONTACT_FORCE_HOOKE) note_lightest(&s);
  if (options->contact_force == FLOC_CONTACT_FORCE_HERTZ) note_rayleigh(&s);
  *critical = s.found;
  if (!near || options->contact_force == FLOC_CONTACT_FORCE_NONE) return FLOC_OK;
  s.of = arena_allocate(scratch, (size_t)table->count, sizeof *s.of);
  if (!s.of) return FLOC_OUT_OF_MEMORY;
  if (table->count > 0) memset(s.of, 0, (size_t)table->count * sizeof *s.of);
  if (bodies_free_count(obstacles) > 0) {
    s.of_body = arena_allocate(scratch, (size_t)obstacles->count, sizeof *s.of_body);
    if (!s.of_body) return FLOC_OUT_OF_MEMORY;
    memset(s.of_body, 0, (size_t)obstacles->count * sizeof *s.of_body);
  }
  sum_contacts(&s);
  *critical = s.found;
  return FLOC_OK;
}

/* Looks again where something may have become worse: at a new time step or new particles, and when the greatest
 * overlap has grown by a quarter, which happens few times. Reports it once. */
void element_watch_time_step(discrete_element *method, const step_context *context, double overlap, bool ended)
{
  const floc_discrete_element_options *options = &method->options;
  bool fixed = options->integrator == FLOC_INTEGRATOR_VELOCITY_VERLET || !options->adaptive;
  bool changed = context->has_newcomers || context->time_step != method->watched_time_step;
  bool deeper = overlap > 1.25 * method->watched_overlap;
  if (!fixed || method->warned_of_time_step || !(ended ? deeper : changed)) return;
  critical_step critical;
  floc_status status =
      element_critical(method, context->table, context->obstacles, context->box, ended ? context->near : NULL,
                       context->time_step, context->scratch, &critical);
  if (status != FLOC_OK) return; /* no memory to look with: at the next occasion */
  method->watched_time_step = context->time_step;
  if (ended) method->watched_overlap = overlap;
  if (!(context->time_step > critical.time_step)) return;
  method->warned_of_time_step = true;
  report_line(context->env, 1,
              "the time step %.4g is above the critical time step of the contacts, %.4g (particle %" PRId64
              ", step %" PRId64
              "): they may gain energy from step to step; a tenth of the critical time step is usual",
              context->time_step, critical.time_step, critical.id, context->step + (ended ? 1 : 0));
}
