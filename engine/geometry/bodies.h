/*
 * Bodies: shapes that move as one, with infinite mass and a motion in time. A step asks for the pose
 * at its end first (bodies_prepare: bodies enter the contact problem with their position at t + h,
 * Lefebvre 2009, Remark 3.5) and takes it over when the step has succeeded (bodies_commit), so a
 * failed step leaves bodies where they were.
 *
 * Memory: `body` is one array; `local` and `world` hold the shapes of all bodies in the order in which
 * they were added; shape k of both belongs together. `world` is at the pose `next`.
 */
#ifndef FLOC_GEOMETRY_BODIES_H
#define FLOC_GEOMETRY_BODIES_H

#include "base/section.h"
#include "geometry/shapes/added.h"

enum { SHAPE_PARAMETERS = sizeof((floc_shape *)0)->parameters / sizeof(double) };

typedef struct pose {
  double position[3];
  double orientation[4]; /* unit quaternion w, x, y, z */
  double angle;          /* 2-D: accumulated rotation; orientation follows from it */
} pose;

/* What makes a body free (free_body.h); axes 0: it is not. */
typedef struct free_body {
  int32_t axes; /* floc_free_options */
  double mass;
  double inertia[6];  /* about `center`, in the body's frame: xx yy zz xy xz yz; 2-D: zz */
  double center[3];   /* what it turns about, in the body's frame */
  double middle[3];   /* its centre of mass, likewise */
  double velocity[3]; /* of `center` */
  double force[3], torque[3];
  double damping, angular_damping;
} free_body;

typedef struct body {
  pose now;                 /* at the present time */
  pose next;                /* at the end of the step in progress; equals now between steps */
  pose first;               /* when added, or when the motion was last set */
  double start_time;        /* when the motion was last set */
  floc_body_options motion; /* the host's description; name points into `name` */
  char name[48];
  int32_t shape_count;
  int32_t first_shape; /* its first one among those of all bodies; mostly the others follow it */
  int32_t plane_count; /* of its shapes */
  double farthest;     /* distance from the pivot of any point of its shapes, planes left out */
  double velocity[3];  /* mean over the last step: (next - now) / h */
  double angular_velocity[3];
  double force[3];  /* on the body by all particles, mean over the last step */
  double torque[3]; /* about the body's position at the end of the step */
  free_body free;
  double reach;          /* how far a point of a free one may go in the step in progress; 0 between steps */
  double added_inertia;  /* of a free one in the step in progress (joints_raise_inertia()) */
  bool is_removed;       /* it has no shapes, and calls with its number are refused (bodies_removal.c) */
  int64_t removed_after; /* steps that were done then */
} body;

enum { SHAPE_ATTRIBUTE_LIMIT = 16, SHAPE_ATTRIBUTE_NAME = 48 };

/* Numbers of every shape that the host has named: value[attribute][shape], in the order of all shapes. */
typedef struct shape_attributes {
  int32_t count;
  char name[SHAPE_ATTRIBUTE_LIMIT][SHAPE_ATTRIBUTE_NAME];
  double initial[SHAPE_ATTRIBUTE_LIMIT]; /* of shapes to come */
  double *value[SHAPE_ATTRIBUTE_LIMIT];
  size_t capacity[SHAPE_ATTRIBUTE_LIMIT];
} shape_attributes;

struct joint;
/* Joints between them (joints.h). */
typedef struct joint_list {
  int32_t count;
  size_t capacity;
  struct joint *item;
  double *staging; /* tables of joints_sections */
  size_t staging_capacity;
} joint_list;

typedef struct bodies {
  environment *env;
  int32_t dimension;
  int32_t domain_body; /* the body whose planes are the walls of the domain, -1: there is none */
  int32_t count;
  size_t capacity;
  body *body;
  int32_t shape_count;
  size_t local_capacity, world_capacity;
  shape *local; /* in the body's frame */
  shape *world; /* at pose next */
  shape_attributes attributes;
  added_types types; /* by the host */
  joint_list joints;
  int32_t framed_count;
  size_t framed_capacity, parameter_capacity, name_capacity;
  int32_t *framed;   /* the shapes that are framed (shapes/framed.h) */
  double *parameter; /* [framed_count][SHAPE_PARAMETERS] */
  char *type_name;   /* [framed_count][SHAPE_NAME] */
  double *staging;   /* tables of bodies_sections */
  int32_t *staging_kinds;
  int64_t *staging_steps;
  size_t staging_capacity, staging_kinds_capacity, staging_steps_capacity;
} bodies;

void bodies_init(bodies *all, environment *env, int32_t dimension);
void bodies_free(bodies *all);
floc_status bodies_add(bodies *all, const floc_body_options *options, double time, int32_t *number);
floc_status bodies_add_shape(bodies *all, int32_t number, const floc_shape *description);
/* All or nothing; parts of compounds and meshes, which are not framed. */
floc_status bodies_add_shapes(bodies *all, int32_t number, const floc_shape *parts, int32_t count);
/* All or nothing. */
floc_status bodies_add_compound(bodies *all, int32_t number, const floc_compound *description);
/* The place in `local` and `world` of shape number index of a body, or -1. */
int32_t bodies_find_shape(const bodies *all, int32_t number, int32_t index);
/* Adds an attribute to all shapes, those to come as well. FLOC_ALREADY_EXISTS, FLOC_LIMIT_EXCEEDED,
 * FLOC_INVALID_ARGUMENT (not a name). */
floc_status bodies_add_attribute(bodies *all, const char *name, double initial);
/* Its number by name, or -1. */
int32_t bodies_find_attribute(const bodies *all, const char *name);
/* FLOC_NOT_FOUND for a number that no body has, or that of a removed one. env: for the message. */
floc_status bodies_check_number(const bodies *all, environment *env, int32_t number);
/* All but those that were removed. */
int32_t bodies_present(const bodies *all);
/* Its shapes go, and the others move up: shape k is at new_shape[k] then, [shape_count], -1: it is gone. number: of
 * a body that is present and not the walls of the domain. */
void bodies_remove(bodies *all, int32_t number, int64_t step, int32_t *new_shape);
/* The material of one of its shapes, or (index -1) of all and of the body. */
floc_status bodies_set_material(bodies *all, int32_t number, int32_t index, int32_t material);
static inline int32_t body_material(const bodies *all, const shape *surface)
{
  return surface->own_material > 0 ? surface->own_material - 1 : all->body[surface->body].motion.material;
}
/* The body continues from where it is; the motion's clock starts at `time`. Only what describes the motion is
 * taken from the options: roughness, material and name stay. Functions get the world's time; what a position
 * function gives is absolute, so with it the next step leads there. */
floc_status bodies_set_motion(bodies *all, int32_t number, const floc_body_options *options, double time);
/* Computes pose next for time + h and the shapes there. FLOC_CALLBACK_FAILED or FLOC_NOT_A_NUMBER with
 * the body's name if a function failed or gave something that is not finite. */
floc_status bodies_prepare(bodies *all, double time, double time_step);
/* The step succeeded: now becomes next, velocities are set. */
void bodies_commit(bodies *all, double time_step);
/* Mean velocity in the step of the body's material point that is at `point` at its end. */
void body_point_velocity(const body *moved, int32_t dimension, double time_step, const double point[3],
                         double velocity[3]);
/* Mean angular velocity in the step. */
void body_mean_spin(const body *moved, int32_t dimension, double time_step, double spin[3]);
/* The velocity of a point between steps, of the last one. */
void body_last_velocity(const body *moved, const double point[3], double velocity[3]);
/* Brings the shapes of one in line with its pose next. */
void bodies_place_body(bodies *all, int32_t number);
/* The step failed: next becomes now again. */
void bodies_revert(bodies *all);
/* Brings `world` in line with pose next, after a checkpoint was read. */
void bodies_place_shapes(bodies *all);
/* A shape in world coordinates before the step in progress. */
shape bodies_shape_now(const bodies *all, int32_t index);
/* Upper bound of how far any point of the body's shapes is at pose b from where it was at pose a; infinite
 * if a plane turns. */
double body_shift(const bodies *all, int32_t number, const pose *a, const pose *b);

/* Lists what changes in a run (poses, velocities, forces, motions with their clocks) and the shapes, as
 * state. The data are copies that live until the next call. */
floc_status bodies_sections(bodies *all, section_list *list);
/* FLOC_NOT_FOUND with the name of a shape type that the file has and `all` lacks. */
floc_status bodies_check_types(const bodies *all, const section_list *list);
/* Removes the bodies that the list says were removed, before bodies_restore(). FLOC_STRUCTURE_MISMATCH: one is in
 * the list that was removed here. *copy is for bodies_take_copy() if the list is refused later, else for
 * bodies_drop_copy(); NULL: none is kept. */
floc_status bodies_remove_as_in(bodies *all, const section_list *list, bodies *copy);
void bodies_take_copy(bodies *all, bodies *copy);
void bodies_drop_copy(const bodies *all, bodies *copy);
/* Takes it over. Functions of the host cannot be stored: those of the bodies present stay. Another number of
 * bodies, other kinds of shapes, or a function in the file where the body present has none of that kind:
 * FLOC_STRUCTURE_MISMATCH. Then nothing has changed. */
floc_status bodies_restore(bodies *all, const section_list *list);

/* ---- between the files of this module ---- */

/* Space for that number of shapes in all; new ones begin with the initial values. */
floc_status attributes_reserve(bodies *all, size_t shapes);
void attributes_begin(bodies *all, int32_t number);
void attributes_free(bodies *all);
/* "bodies.attribute.NAME", a number per shape, as state. */
floc_status attributes_sections(bodies *all, section_list *list);
/* FLOC_STRUCTURE_MISMATCH where file and world have different ones. values: [count], for attributes_take. */
floc_status attributes_find(const bodies *all, const section_list *list, const double *values[]);
void attributes_take(bodies *all, const double *const values[]);

/* "bodies.removed", where a body was: the step after which each was. */
floc_status removals_sections(bodies *all, section_list *list);
void removals_take(bodies *all, const section_list *list);
/* Parameters lie in one array, which moves when it grows. */
void bodies_point_at_parameters(bodies *all);
/* Brings `farthest` of every body in line with `local`. */
void bodies_measure_shapes(bodies *all);
/* The body's name for messages; never empty. */
const char *body_label(const body *moved);
/* Checks what describes the motion. */
floc_status motion_check(environment *env, const floc_body_options *options, int32_t dimension);
/* Rows of the matrix of a pose's rotation. */
void pose_matrix(const pose *at, int32_t dimension, double matrix[3][3]);
void pose_set_angle(pose *at, double angle);
/* Asks the function of a body's motion; what it leaves alone is 0. */
floc_status motion_call(environment *env, const body *moved, int32_t number, int32_t dimension, double time,
                        double values[6]);
/* Pose at the start: from position and rotation, and from the function or the phase where the motion has one. */
floc_status motion_begin(environment *env, body *moved, int32_t number, int32_t dimension, double time);
/* Sets pose next for the end of the step time .. time + time_step. */
floc_status motion_advance(environment *env, body *moved, int32_t number, int32_t dimension, double time,
                           double time_step);

#endif
