/*
 * The particle table: columns of doubles, one element per particle. Storage order ("slots") may be
 * changed for locality by particles_permute(); ids are 1, 2, 3, ... and never change. Particles can be removed;
 * their ids are never used again.
 *
 * A particle's rank is its place in the order of ids, from 0: as long as none was removed, id - 1. What goes over
 * all particles in the order of ids goes over ranks; a single id is looked up by particles_find(), which takes no
 * memory that grows with the ids there ever were.
 *
 * Loops over all particles are those of particles/owned.h, which says what ghosts are.
 *
 * Memory: each column is its own array of `capacity` doubles. Built-in columns come first, in the
 * order of PARTICLE_COLUMNS, then attributes in the order in which they were declared. Columns that the engine
 * knows but not all worlds need (OPTIONAL_COLUMNS: angular velocity, torque, ...) stand among the attributes, and
 * `optional` has their numbers, so that no loop looks for them by name.
 */
#ifndef FLOC_PARTICLES_PARTICLES_H
#define FLOC_PARTICLES_PARTICLES_H

#include "base/domain.h"
#include "base/environment.h"
#include "base/section.h"
#include "particles/columns_made.h"
#include "particles/grain_shapes.h"

typedef enum particle_column {
#define X(name, moves) COLUMN_##name,
  PARTICLE_COLUMNS(X)
#undef X
      BUILTIN_COLUMN_COUNT
} particle_column;

typedef enum optional_column {
#define X(name, former, moves, owed) OPTIONAL_##name,
  OPTIONAL_COLUMNS(X)
#undef X
      OPTIONAL_COLUMN_COUNT
} optional_column;

enum { COLUMN_NAME_SIZE = 48, COLUMN_LIMIT = 64 };
enum { PARTICLE_LIMIT = INT32_MAX - 1 }; /* slots are int32_t in pair lists; so are ids, in what pairs remember */

typedef struct particles {
  environment *env;
  int64_t count;
  int64_t capacity;
  int32_t column_count;         /* built-in and attributes */
  double *column[COLUMN_LIMIT]; /* each [capacity] */
  char name[COLUMN_LIMIT][COLUMN_NAME_SIZE];
  double initial[COLUMN_LIMIT];            /* value of an attribute for new particles */
  bool formerly[COLUMN_LIMIT];             /* was declared under its former name, which files then have */
  int32_t optional[OPTIONAL_COLUMN_COUNT]; /* its column; -1: it is not there */
  int64_t *id;                             /* [capacity] id of the particle in a slot */
  int64_t *slot;                           /* [capacity] slot of the particle of a rank */
  int64_t *rank;                           /* [capacity] rank of the particle in a slot; NULL: id - 1 */
  uint8_t *ghost;                          /* [capacity] 1: a copy of one that is owned elsewhere; NULL: none is */
  int64_t last_id;                         /* the greatest that was ever given */
  grain_shapes shapes;                     /* that the column shape counts from 1 on */
  double *staging;                         /* columns in the order of ids, for particles_sections */
  size_t staging_capacity;
} particles;

void particles_init(particles *table, environment *env);
void particles_free(particles *table);
/* Space for count particles in all; keeps contents. At most 2^31 - 2. */
floc_status particles_reserve(particles *table, int64_t count);
/* Adds one particle with the next id, everything but attributes zero; its slot is count - 1. */
floc_status particles_append(particles *table, int64_t *id);
/* The rank of the particle in a slot. */
static inline int64_t particles_rank(const particles *table, int64_t slot)
{
  return table->rank ? table->rank[slot] : table->id[slot] - 1;
}
/* The slot of a particle, -1: it is not there. id: any number. */
static inline int64_t particles_find(const particles *table, int64_t id)
{
  int64_t low = 0, high = table->count;
  if (!table->rank) return id >= 1 && id <= high ? table->slot[id - 1] : -1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (table->id[table->slot[middle]] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table->count && table->id[table->slot[low]] == id ? table->slot[low] : -1;
}
/* Behind "ids are from 1 to n" in messages. */
static inline const char *particles_gaps_text(const particles *table)
{
  return table->last_id == table->count ? "" : ", without those of particles that were removed";
}
/* Memory for particles_remove(), which cannot fail then. */
floc_status particles_prepare_removal(particles *table);
/* new_slot: [count] -1 for those that go; for the others 0, 1, ... in the present order. */
void particles_remove(particles *table, const int32_t *new_slot);
/* Other particles in the place of those that are there: [count] their ids by slot, each once and of those that were
 * given. Columns are the caller's to fill. A failure leaves the table as it was. */
floc_status particles_take_rows(particles *table, int64_t count, const int64_t *ids);
/* Takes back the newest particles until count are left, with their ids: for insertions that failed partly. */
void particles_truncate(particles *table, int64_t count);
/* From one centre to the other, by the shortest image; returns the square of the distance. */
static inline double particles_apart(const particles *table, const domain *box, int64_t i, int64_t j,
                                     double separation[3])
{
  for (int axis = 0; axis < 3; axis++)
    separation[axis] = table->column[COLUMN_x + axis][j] - table->column[COLUMN_x + axis][i];
  domain_nearest(box, separation);
  return separation[0] * separation[0] + separation[1] * separation[1] + separation[2] * separation[2];
}
/* Index of a column by name or former name, or -1. Not for loops. */
int32_t particles_find_column(const particles *table, const char *name);
/* A column that not all worlds have, or NULL. */
static inline double *particles_optional(const particles *table, optional_column which)
{
  return table->optional[which] >= 0 ? table->column[table->optional[which]] : NULL;
}
/* The attribute frozen: particles where it is not 0 keep their velocity, whatever acts. NULL: there are none. */
static inline const double *particles_frozen(const particles *table)
{
  const int32_t column = particles_find_column(table, "frozen");
  return column < 0 ? NULL : table->column[column];
}
/* Adds it, of zeros, if it is not there; formerly: files have its former name, as those of earlier versions. */
floc_status particles_need(particles *table, optional_column which, bool formerly);
/* The same for what particles that rotate have: angular velocities and torques by axis. */
floc_status particles_need_rotation(particles *table, int32_t dimension, bool formerly);
/* The orientation of particles, from the identity on: in the plane the angle, in space all of qw qx qy qz. */
floc_status particles_need_orientation(particles *table, int32_t dimension);
/* Displacements, in the plane along x and y. */
floc_status particles_need_displacement(particles *table, int32_t dimension);
/* How many columns that takes, 0 where they are not there, and which. */
int particles_orientation(const particles *table, int32_t dimension, double *column[4]);
/* Takes back what was added behind the first `count` columns. */
void particles_drop_columns(particles *table, int32_t count);
/* The shape of a grain that is not round, or NULL. */
static inline const grain_shape *particles_shape(const particles *table, int64_t i)
{
  const double *number = particles_optional(table, OPTIONAL_shape);
  return number && number[i] != 0.0 ? &table->shapes.shape[(int32_t)number[i] - 1] : NULL;
}
/* The columns that grains of other shapes have: shape, rounding, and the orientation. */
floc_status particles_need_shapes(particles *table, int32_t dimension);
/* Volume; area in the plane. */
double particles_volume(const particles *table, int32_t dimension, int64_t i);
/* Is a particle's moment of inertia another than that of a uniform disc or ball? */
static inline bool particles_have_inertia(const particles *table)
{
  return table->optional[OPTIONAL_inertia] >= 0 || table->optional[OPTIONAL_shape] >= 0;
}
/* In space: is its inertia a tensor (geometry/convex/solid_grain.h)? */
static inline bool particles_is_tensor(const particles *table, int32_t dimension, int64_t i)
{
  const double *number = particles_optional(table, OPTIONAL_shape);
  return dimension == 3 && number && number[i] != 0.0;
}
/* Moment of inertia of a uniform one over m r^2; in space the one across the axis. */
double particles_shape_factor(const particles *table, int32_t dimension, int64_t i);
static inline double particles_uniform_factor(const particles *table, int32_t dimension, int64_t i)
{
  const double *number = particles_optional(table, OPTIONAL_shape);
  return number && number[i] != 0.0 ? particles_shape_factor(table, dimension, i) : dimension == 2 ? 0.5 : 0.4;
}
/* Moment of inertia over m r^2: the particle's own, else that of a uniform one. */
static inline double particles_inertia_factor(const particles *table, int32_t dimension, int64_t i)
{
  const double *own = particles_optional(table, OPTIONAL_inertia);
  if (!own || own[i] == 0.0) return particles_uniform_factor(table, dimension, i);
  const double radius = table->column[COLUMN_radius][i];
  return own[i] / (table->column[COLUMN_mass][i] * radius * radius);
}
/* Refuses a shape that is not in the list, a rounding that is not from 0 to below the radius (in space, above 0),
 * an angle that is not finite. any: is a particle not round? */
floc_status particles_check_shapes(const particles *table, int32_t dimension, const char *when, bool *any);
/* The name in files; is it computed again in every step? Then it is no state, and lists leave it out. */
const char *particles_file_name(const particles *table, int32_t column);
const char *particles_other_name(const particles *table, int32_t column); /* that older or newer files have */
bool particles_is_owed(const particles *table, int32_t column);
/* Declares an attribute, or an optional column. FLOC_ALREADY_EXISTS, FLOC_LIMIT_EXCEEDED, FLOC_INVALID_ARGUMENT
 * (not a name). */
floc_status particles_add_attribute(particles *table, const char *name, double initial);
/* Reorders storage: the particle in slot order[k] moves to slot k. Needs no memory and does not fail. */
floc_status particles_permute(particles *table, const int32_t *order);
/* At least one particle is there. */
double particles_mean_radius(const particles *table);
/* What numbers of particles may be in a domain (check.c): a particle must not reach itself through a periodic face;
 * the centre lies within closed faces, and is known to a millionth of the radius. */
number_range particles_radius_range(const domain *box);
number_range particles_mass_range(void);
number_range particles_position_range(const domain *box, int axis);
bool particles_is_resolved(double position, double radius);
/* Refuses the first particle, in storage order, that is otherwise, with id, number and range; `when` goes into the
 * message: "before step 3". FLOC_NOT_A_NUMBER, FLOC_INVALID_ARGUMENT (radius, mass), FLOC_ESCAPED (domain),
 * FLOC_LIMIT_EXCEEDED (too far away for its radius). */
floc_status particles_check(const particles *table, const domain *box, const char *when);
/* Refuses the first particle, in storage order, whose number in that column is not finite: FLOC_NOT_A_NUMBER. */
floc_status particles_check_finite(const particles *table, int32_t column, const char *when);
/* Refuses an inertia below 0: FLOC_INVALID_ARGUMENT. any: is one given? */
floc_status particles_check_inertia(const particles *table, const char *when, bool *any);
/* Refuses a quaternion that is 0 or not finite: FLOC_NOT_A_NUMBER. */
floc_status particles_check_orientation(const particles *table, const char *when);

/* Lists the columns in the order of ids as state ("particles.x", attributes as "attribute.<name>"), so that
 * the hash does not see the storage order, and the ids by slot ("particles.order", no state); after removals also
 * the ids in their order, followed by the last that was given ("particles.ids"). The data of the columns are a copy
 * that lives until the next call. */
floc_status particles_sections(particles *table, section_list *list);
/* Refuses sections with a number that particles_check() would refuse: section, element, value and range. Sections
 * that are missing or of another shape are left to particles_restore(). */
floc_status particles_check_sections(const particles *table, const domain *box, const section_list *list);
/* Takes over particles from sections of these names; the number of particles is the file's. An attribute
 * that is missing in the table or in the list: FLOC_STRUCTURE_MISMATCH. Then nothing has changed. */
floc_status particles_restore(particles *table, const section_list *list);

/* Insertion: draws radii and positions; asks `is_free` whether a place may be taken. Sites of one lattice do
 * not overlap each other: there `occupy` is called when all are chosen, and radii are 1e-9 smaller when
 * is_free is asked, so that what just touches is not refused for rounding. */
typedef struct newcomer {
  double position[3], radius;
  int32_t shape; /* 0: round */
  double angle;
  double orientation[4]; /* of a shape in space */
} newcomer;

typedef struct insertion_place {
  /* May it be put here, `clearance` away from everything? */
  bool (*is_free)(void *context, const newcomer *one, double clearance);
  /* Was put, into that slot: later calls of is_free must know it. */
  floc_status (*occupy)(void *context, const newcomer *one, int64_t slot);
  void *context;
  const domain *box; /* NULL: open */
  /* Moves the particles from slot `first` on until none overlaps another, or what is_free knows; NULL: cannot. */
  floc_status (*pack)(void *context, const floc_insertion_options *options, int64_t first);
} insertion_place;

/* Of a shape in space, as options have it: 0, 0, 0, 0 is none. */
static inline bool orientation_is_given(const double orientation[4])
{
  return orientation[0] != 0.0 || orientation[1] != 0.0 || orientation[2] != 0.0 || orientation[3] != 0.0;
}
/* Refuses one in the plane, or without a shape, or whose length is not a number. */
floc_status orientation_check(environment *env, const double orientation[4], int32_t shape, int32_t dimension);

/* Checks the options (every field, with name, value and range in the message). */
floc_status insertion_check(environment *env, const floc_insertion_options *options, int32_t dimension);
/* The options with radii for options->volume_fraction, where it is given; their ranges are checked, the rest
 * insertion_check() looks at afterwards. */
floc_status insertion_scale(particles *table, const floc_insertion_options *options, int32_t dimension,
                            uint64_t seed, floc_insertion_options *scaled);
/* Adds options->count particles to the table; all or nothing. */
floc_status insertion_run(particles *table, const floc_insertion_options *options, int32_t dimension, uint64_t seed,
                          const insertion_place *place);

#endif
