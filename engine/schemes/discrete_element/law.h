/*
 * The force of one contact, whatever it is between.
 *
 * Conventions: the normal points from the first surface's particle to the second; velocities are those of
 * the second surface relative to the first, taken at the point of contact; the normal force is positive
 * when it is repulsive; the tangential force and the spring are those that act on the first particle, which
 * is dragged along with the second. Equation numbers are those of Zohdi 2016.
 */
#ifndef FLOC_SCHEMES_DISCRETE_ELEMENT_LAW_H
#define FLOC_SCHEMES_DISCRETE_ELEMENT_LAW_H

#include "schemes/discrete_element/model.h"

#include <math.h>

static const double ELEMENT_PI = 3.141592653589793238463;

typedef struct contact_state {
  /* what is given */
  double overlap;           /* > 0: touching; < 0: a gap */
  double strain;            /* |overlap| / (R_i + R_j), (14); with a body: / R_i */
  double area;              /* (68), 0 when apart */
  double effective_radius;  /* R* of (70); for pairs set where needs_effective_radius() */
  double effective_modulus; /* E* of (70) */
  double stiffness;         /* K_p, or k of Hooke's law */
  double normal[3];
  double normal_velocity; /* > 0: separating */
  double slip[3];         /* tangential velocity (23) */
  double increment;       /* time by which springs creep */
  double friction_time;
  double rolling[3]; /* R* times the angular velocity of the second against the first, across the normal */
  /* what is remembered: in and out */
  double spring[3];
  double roll[3];  /* the rolling spring */
  double sliding;  /* 1: the spring gave way at the last step, 0: it held */
  double bond;     /* A_0, 0: no bond */
  double breaking; /* the strain at which a persistent bond breaks */
  bool bond_formed, bond_broken;
  /* what comes out */
  double normal_force;
  double tangential[3];
  double moment[3]; /* on the first, against rolling; on the second the opposite */
} contact_state;

/* One pair: what acts on it, and on whom. */
typedef struct pair_contact {
  contact_state state;
  double separation[3], square;
  double arm_i, arm_j;
} pair_contact;

/* A particle and a body. */
typedef struct wall_contact {
  contact_state state;
  double point[3]; /* on the surface */
  double arm;      /* of the particle */
} wall_contact;

/* The strain at which the bond of two particles breaks, or of a particle and a shape by its number: (1 - spread u)
 * times bond_breaking, with u of the seed and of which they are. Nothing has to be remembered. */
double element_bond_breaking(const floc_discrete_element_options *options, uint64_t seed, int64_t id_i,
                             int64_t id_j);
double element_wall_bond_breaking(const floc_discrete_element_options *options, uint64_t seed, int64_t id,
                                  int32_t shape_number);

/* What is given of an entry of the list of pairs, or of walls, and what it remembers, for a look at its parts;
 * false: nothing acts there. */
bool element_describe_pair(const evaluation *run, int64_t entry, pair_contact *pair);
bool element_describe_wall(const evaluation *run, int64_t entry, wall_contact *wall);
/* Of the surface at a point. */
void element_surface_velocity(const body_motion *motion, const double point[3], double velocity[3]);

/* E* of (70) for two particles of one material; against a rigid body it is twice that. */
static inline double pair_modulus(const floc_discrete_element_options *options)
{
  return 0.5 * options->young_modulus / (1.0 - options->poisson_ratio * options->poisson_ratio);
}

static inline double strain_power(double strain, double exponent)
{
  if (exponent == 2.0) return strain * strain;
  if (exponent == 1.0) return strain;
  return floc_pow(strain, exponent);
}

/* (68)-(69): the circle in which two overlapping spheres cut each other; 0 where they do not. */
static inline double contact_area(double radius_i, double radius_j, double distance)
{
  double to_plane = 0.5 * (distance - (radius_j - radius_i) * (radius_j + radius_i) / distance);
  double area = ELEMENT_PI * (radius_i - to_plane) * (radius_i + to_plane);
  return area > 0.0 ? area : 0.0;
}

/* The elastic part: (13), (70), or Hooke's. */
static inline double elastic_force(const floc_discrete_element_options *options, const contact_state *contact)
{
  switch (options->contact_force) {
  case FLOC_CONTACT_FORCE_PENALTY:
    return contact->stiffness * strain_power(contact->strain, options->exponent) * contact->area;
  case FLOC_CONTACT_FORCE_HERTZ:
    return 4.0 / 3.0 * contact->effective_modulus * sqrt(contact->effective_radius * contact->overlap) *
           contact->overlap;
  default:
    return contact->stiffness * contact->overlap;
  }
}

/* What (19) and friction springs are taken per: the contact area, except with Hooke's law. */
static inline double contact_weight(const floc_discrete_element_options *options, const contact_state *contact)
{
  if (options->contact_force == FLOC_CONTACT_FORCE_HOOKE) return 1.0;
  if (options->contact_force == FLOC_CONTACT_FORCE_HERTZ)
    return ELEMENT_PI * contact->effective_radius * contact->overlap;
  return contact->area;
}

/* (20)-(24): stick while K_f |v| A t stays below mu_s |F|, else slip with mu_d |F|. */
static inline void regularized_friction(const floc_discrete_element_options *options, double elastic,
                                        contact_state *contact)
{
  const double *slip = contact->slip;
  double speed = sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
  double stick = options->friction_stiffness * contact->area * contact->friction_time; /* times the speed */
  bool sticks = stick * speed < options->friction_static * elastic;
  double factor = sticks ? stick : options->friction_dynamic * elastic / speed;
  for (int k = 0; k < 3; k++) contact->tangential[k] += factor * slip[k];
}

/* Cundall and Strack 1979: the spring creeps with the slip, stays in the tangent plane, and gives way when
 * its force reaches Coulomb's limit: mu_s where it held so far, mu_d as long as it keeps giving way. */
static inline void spring_friction(const floc_discrete_element_options *options, double weight,
                                   contact_state *contact)
{
  double stiffness = options->friction_stiffness * weight, damping = options->friction_damping * weight;
  double along = 0.0, square = 0.0, force[3];
  for (int k = 0; k < 3; k++) {
    contact->spring[k] += contact->increment * contact->slip[k];
    along += contact->spring[k] * contact->normal[k];
  }
  for (int k = 0; k < 3; k++) {
    contact->spring[k] -= along * contact->normal[k];
    force[k] = stiffness * contact->spring[k] + damping * contact->slip[k];
    square += force[k] * force[k];
  }
  double normal = contact->normal_force > 0.0 ? contact->normal_force : 0.0;
  double limit = (contact->sliding > 0.0 ? options->friction_dynamic : options->friction_static) * normal;
  contact->sliding = square > limit * limit;
  if (contact->sliding > 0.0) {
    double factor = options->friction_dynamic * normal / sqrt(square);
    for (int k = 0; k < 3; k++) {
      force[k] *= factor;
      contact->spring[k] = stiffness > 0.0 ? (force[k] - damping * contact->slip[k]) / stiffness : 0.0;
    }
  }
  for (int k = 0; k < 3; k++) contact->tangential[k] += force[k];
}

/* A spring in the rolled length that gives way at mu_r |F_n|, and acts with the moment arm R* as a pure moment
 * (Luding 2008, Granular Matter 10, 235, section 4). Where it gives way it is not damped: the velocity is then that
 * of rolling on, and the moment is the limit. Below, spring and damping together stay within the limit; so no
 * energy is made. */
static inline void rolling_resistance(const floc_discrete_element_options *options, double weight,
                                      contact_state *contact)
{
  double stiffness = options->rolling_stiffness * weight, damping = options->rolling_damping * weight;
  double limit = options->rolling_friction * (contact->normal_force > 0.0 ? contact->normal_force : 0.0);
  double along = 0.0, square = 0.0, force[3], total = 0.0;
  for (int k = 0; k < 3; k++) {
    contact->roll[k] += contact->increment * contact->rolling[k];
    along += contact->roll[k] * contact->normal[k];
  }
  for (int k = 0; k < 3; k++) {
    contact->roll[k] -= along * contact->normal[k];
    force[k] = stiffness * contact->roll[k];
    square += force[k] * force[k];
  }
  bool yields = square > limit * limit;
  for (int k = 0; k < 3; k++) {
    if (yields) contact->roll[k] *= limit / sqrt(square);
    force[k] = yields ? stiffness * contact->roll[k] : force[k] + damping * contact->rolling[k];
    total += force[k] * force[k];
  }
  double factor = total > limit * limit ? limit / sqrt(total) : 1.0;
  for (int k = 0; k < 3; k++) contact->moment[k] = contact->effective_radius * factor * force[k];
}

/* What is remembered of rolling, and no moment yet: some pairs of materials have none. */
static inline void recall_rolling(contact_state *contact, double *const column[3], int64_t entry)
{
  for (int k = 0; k < 3; k++) {
    contact->roll[k] = column[k] ? column[k][entry] : 0.0;
    contact->moment[k] = 0.0;
  }
}

/* R* times the angular velocity of the second against the first, without what turns about the normal. */
static inline void rolling_velocity(contact_state *contact, const double first[3], const double second[3])
{
  double about = 0.0;
  for (int k = 0; k < 3; k++) about += (second[k] - first[k]) * contact->normal[k];
  for (int k = 0; k < 3; k++)
    contact->rolling[k] = contact->effective_radius * (second[k] - first[k] - about * contact->normal[k]);
}

/* (26), over the given area. */
static inline void tangential_bond(const floc_discrete_element_options *options, double area,
                                   contact_state *contact)
{
  double factor = options->bond_tangential_stiffness * area * contact->friction_time;
  for (int k = 0; k < 3; k++) contact->tangential[k] += factor * contact->slip[k];
}

/* The persistent bond: its state, and its pull in tension. */
static inline void persistent_bond(const floc_discrete_element_options *options, contact_state *contact)
{
  bool touching = contact->overlap > 0.0;
  if (contact->bond == 0.0) {
    if (!touching || contact->strain < options->bond_formation) return;
    contact->bond_formed = true;
  }
  if (touching) {
    if (contact->area > contact->bond) contact->bond = contact->area;
  } else if (contact->strain >= contact->breaking) {
    contact->bond = 0.0;
    contact->bond_broken = true;
    return;
  } else {
    contact->normal_force -=
        options->bond_stiffness * strain_power(contact->strain, options->bond_exponent) * contact->bond;
  }
  tangential_bond(options, contact->bond, contact);
}

/* The literal bond (25)-(26): only while in contact, and only beyond the critical strain. */
static inline void literal_bond(const floc_discrete_element_options *options, contact_state *contact)
{
  if (!(contact->overlap > 0.0) || contact->strain < options->bond_formation) return;
  contact->normal_force -=
      options->bond_stiffness * strain_power(contact->strain, options->bond_exponent) * contact->area;
  tangential_bond(options, contact->area, contact);
}

/* Fills what comes out, and updates what is remembered. */
static inline void contact_forces(const floc_discrete_element_options *options, contact_state *contact)
{
  contact->normal_force = 0.0;
  contact->bond_formed = contact->bond_broken = false;
  for (int k = 0; k < 3; k++) contact->tangential[k] = 0.0;
  if (contact->overlap > 0.0) {
    double elastic = elastic_force(options, contact), weight = contact_weight(options, contact);
    contact->normal_force = elastic - options->damping * weight * contact->normal_velocity; /* (19) */
    if (options->limit_damping && contact->normal_force < 0.0) contact->normal_force = 0.0;
    if (options->friction == FLOC_FRICTION_REGULARIZED) regularized_friction(options, elastic, contact);
    if (options->friction == FLOC_FRICTION_SPRING) spring_friction(options, weight, contact);
    if (options->rolling_friction > 0.0) rolling_resistance(options, weight, contact);
  } else {
    for (int k = 0; k < 3; k++) contact->spring[k] = 0.0;
    for (int k = 0; k < 3 && options->rolling_friction > 0.0; k++) contact->roll[k] = 0.0;
    contact->sliding = 0.0;
  }
  if (options->bond_law == FLOC_BOND_PERSISTENT) persistent_bond(options, contact);
  if (options->bond_law == FLOC_BOND_LITERAL) literal_bond(options, contact);
}

#endif
