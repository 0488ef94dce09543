/*
 * Rigid assemblies: particles that move as one body (a red blood cell, a block, a dumbbell). The assembly has
 * mass, centre, inertia, pose and velocities; its members' columns follow it. A particle belongs to one
 * assembly at most.
 *
 * Memory: one row per assembly; members of all assemblies in one array, those of an assembly together and in
 * the order of ids. A member is known by its id, so the storage order of particles does not matter here.
 *
 * The module owns the state; what moves it (the projection scheme) reads forces from the columns and writes
 * velocities here.
 */
#ifndef FLOC_GEOMETRY_RIGID_H
#define FLOC_GEOMETRY_RIGID_H

#include "base/domain.h"
#include "particles/particles.h"

typedef struct rigid_member {
  int64_t id;
  double local[3]; /* from the centre, in the assembly's frame */
} rigid_member;

typedef struct rigid_assembly {
  int64_t first_member;
  int32_t member_count;
  double mass;
  double inertia[6];     /* about the centre, in the assembly's frame: xx yy zz xy xz yz; 2-D: zz */
  double position[3];    /* of the centre */
  double orientation[4]; /* unit quaternion w, x, y, z */
  double angle;          /* 2-D: accumulated rotation */
  double velocity[3];
  double angular_velocity[3];
} rigid_assembly;

typedef struct rigid_assemblies {
  environment *env;
  int32_t dimension;
  int32_t count;
  size_t capacity;
  rigid_assembly *assembly;
  int64_t member_count;
  size_t member_capacity;
  rigid_member *member;
  int32_t *owner; /* [id - 1] number of the assembly plus 1, 0: free */
  size_t owner_capacity;
  double *staging; /* tables of rigid_sections */
  size_t staging_capacity;
} rigid_assemblies;

void rigid_init(rigid_assemblies *all, environment *env, int32_t dimension);
void rigid_free(rigid_assemblies *all);

/* Makes an assembly of particles that are there; see floc_assembly_add. Masses of members are scaled to the
 * assembly's, and their velocities become those of the rigid motion. All or nothing. */
floc_status rigid_add(rigid_assemblies *all, particles *table, const domain *box, const int64_t *ids, int64_t count,
                      const floc_assembly_options *options, int32_t *number);
/* The assembly that a particle belongs to, or -1. */
static inline int32_t rigid_owner(const rigid_assemblies *all, int64_t id)
{
  return (size_t)id <= all->owner_capacity ? all->owner[id - 1] - 1 : -1;
}
/* The inverse of the inertia in world axes: xx yy zz xy xz yz; 2-D: 1/I in zz. */
void rigid_inverse_inertia(const rigid_assembly *one, int32_t dimension, double inverse[6]);
/* In space: the angular momentum, in world axes, of turning by this angular velocity, and the other way round. */
void rigid_momentum_of(const rigid_assembly *one, const double spin[3], double momentum[3]);
void rigid_spin_of(const rigid_assembly *one, const double momentum[3], double spin[3]);
/* In space: the mean angular velocity of a step without torque that begins at the present pose with this angular
 * momentum. rigid_turned() by it keeps the energy: the implicit midpoint rule. */
void rigid_mean_spin(const rigid_assembly *one, double time_step, const double momentum[3], double spin[3]);
/* From the centre to a member, in world axes, at the present pose or at `orientation`. */
void rigid_arm(const double orientation[4], const rigid_member *member, double arm[3]);
/* The orientation after a step with this mean angular velocity: in the plane the angle grows by h omega, in space
 * the Cayley transform of h omega turns. */
void rigid_turned(const rigid_assembly *one, int32_t dimension, double time_step, const double spin[3],
                  double orientation[4]);
/* 1/2 M V^2 + 1/2 omega.I omega */
double rigid_energy(const rigid_assembly *one, int32_t dimension);
/* Members' position and velocity columns, and angular velocities where the table has them, from the pose. */
void rigid_place_members(const rigid_assemblies *all, int32_t number, particles *table, const domain *box);

/* Assemblies in checkpoints, as state. The data are copies that live until the next call. */
floc_status rigid_sections(rigid_assemblies *all, section_list *list);
/* Takes them over, whatever is there now; without such sections there are none. FLOC_DAMAGED_FILE if they
 * contradict each other or name particles beyond particle_count; then nothing has changed. */
floc_status rigid_restore(rigid_assemblies *all, const section_list *list, int64_t particle_count);

/* ---- between the files of this module ---- */

/* Space in `owner` for particles up to this id. */
floc_status rigid_reserve_owners(rigid_assemblies *all, int64_t id);

/* What a set of spheres weighs: sums over the union, uniformly filled with density 1. */
typedef struct union_moments {
  double volume;
  double first[3];  /* integral of the coordinate */
  double second[6]; /* of xx yy zz xy xz yz */
} union_moments;

/* FLOC_INVALID_ARGUMENT unless it is positive definite; all 0 passes. */
floc_status rigid_check_inertia(environment *env, int32_t dimension, const double *inertia);
/* The inertia about `center` of mass 1, from moments. */
void rigid_reduce_moments(const union_moments *sums, const double center[3], double inertia[6]);
/* I v of a tensor xx yy zz xy xz yz. */
void rigid_symmetric_times(const double I[6], const double v[3], double result[3]);

/* Balls, in the plane discs, at center[k] with radius[k]. Chords along x are exact; the sum over them makes an
 * error of about 1e-6 of the volume in the plane and 1e-4 in space. */
floc_status union_integrate(environment *env, int32_t dimension, int64_t count, const double (*center)[3],
                            const double *radius, union_moments *moments);

#endif
