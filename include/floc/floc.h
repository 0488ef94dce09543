/*
 * floc.h: the one public header of libfloc, an embeddable engine of particles, non-overlap
 * constraints, force fields and ray sources.
 *
 * How to read it
 *   - A world holds everything: particles, bodies, laws, a scheme. A process can have many worlds; there are no
 *     globals. Only one thread at a time may use a world.
 *   - Every call returns a floc_status: FLOC_OK (0) or a negative code. floc_world_message() then names the fault,
 *     its place, the value and the allowed range. A failed call leaves the world unchanged unless its comment states
 *     otherwise.
 *   - Options are structs: call floc_<thing>_options_init() first, then set what differs from the
 *     default. Structs that a call fills have an _init too. It stores the size that the program was compiled with
 *     in struct_size, so that programs and libraries of different versions work together: a call reads and writes
 *     only the fields that the program has; fields that an older program lacks mean "as before"; fields that a
 *     newer program sets and this library lacks (bytes other than 0) are refused. Structs only grow, at their end.
 *     _init, floc_trace, floc_world_get_contacts, floc_world_get_bonds and floc_body_get_drawing are macros in C;
 *     programs in other languages call the functions that end with `_sized` and pass the size of the struct that they read from
 *     floc_cdef().
 *   - Structs without struct_size (floc_ray, floc_ray_response, floc_instruction, ...) and those that are members of
 *     others never change.
 *   - Units are free but must be consistent; comments name the dimension: [length], [time], [mass].
 *   - Columns (x, radius, ...) are read and written in place through pointers. A pointer stays valid
 *     until the next call that adds particles or attributes, removes particles, steps, or loads. Element k of a column
 *     belongs to the particle whose id is element k of floc_particle_ids().
 *   - Functions of the host (laws, motions, hits, the log, the allocator, ...) run inside a call on their world. There they
 *     may read it, several threads at once, by floc_world_message, floc_world_get_info, floc_world_get_cell, floc_world_get_report,
 *     floc_column, floc_column_name, floc_particle_ids, floc_particle_slot, floc_body_get_state, floc_body_get_shape,
 *     floc_shape_distance, floc_joint_get_state, floc_assembly_get_state, floc_assembly_of, floc_law_get_parameter,
 *     floc_law_get_energy, floc_law_text, floc_shape_attribute_name, floc_shape_attribute_get,
 *     floc_world_get_ray_report, floc_world_check_feature and floc_attachment_get; the allocator by the first two
 *     alone. What they read is the state during the call that invoked them. All other calls on that world return
 *     FLOC_WRONG_STATE and do nothing; floc_world_destroy, which returns nothing, does nothing. The message names
 *     the call and the function; the first such message is kept until the outer call ends, and beyond it unless
 *     that call sets its own. Other worlds may be used freely. A function of the host has to return: longjmp and
 *     exceptions must not leave it.
 *   - A function of the host returns FLOC_OK, FLOC_OUT_OF_MEMORY (which the outer call then returns), or any other
 *     number if it fails: the outer call returns FLOC_CALLBACK_FAILED, and the message names the function and the
 *     number.
 *   - Every call computes in the default floating-point environment (round to nearest, no traps, denormal numbers
 *     kept), whatever the host has set, and so do the functions of the host that it calls; it leaves the host's
 *     environment, flags included, as it was. A function of the host that changes the environment has failed
 *     (FLOC_CALLBACK_FAILED); changes by the log, the allocator or the interrupt function are undone.
 *   - The text of this header, without the lines that begin with '#', is what floc_cdef() returns and
 *     LuaJIT's ffi.cdef and Python's cffi read. So: no constants by #define, no inline functions, no
 *     struct by value, only the fixed-width types.
 */
#ifndef FLOC_H
#define FLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- status codes --------------------------------------------------------------------------- */

typedef enum floc_status {
  FLOC_OK = 0,
  FLOC_INVALID_ARGUMENT = -1,   /* a value out of its range, a NULL pointer, a NaN */
  FLOC_OUT_OF_MEMORY = -2,      /* the allocator returned NULL */
  FLOC_NOT_FOUND = -3,          /* no column, body, section or file of that name */
  FLOC_ALREADY_EXISTS = -4,     /* the name is taken */
  FLOC_NO_ROOM = -5,            /* the region cannot hold that many particles */
  FLOC_OVERLAPPING = -6,        /* particles coincide, or overlap where that is not allowed */
  FLOC_NOT_A_NUMBER = -7,       /* a particle's state became NaN or infinite */
  FLOC_ESCAPED = -8,            /* a particle went through a wall or out of a closed domain */
  FLOC_CALLBACK_FAILED = -9,    /* a function of the host returned an error, or changed the rounding or the like */
  FLOC_FILE_ERROR = -10,        /* the operating system refused a file operation */
  FLOC_DAMAGED_FILE = -11,      /* a file is truncated, altered, or not of the expected kind */
  FLOC_WRONG_VERSION = -12,     /* a file of a version that this library does not read */
  FLOC_WRONG_STATE = -13,       /* the call is not allowed now, or not inside a function of the host */
  FLOC_LIMIT_EXCEEDED = -14,    /* more particles, contacts or bytes than the library can address; a step that moves
                                   a particle too far or needs too much work */
  FLOC_NOT_SUPPORTED = -15,     /* the combination of options is not available */
  FLOC_STRUCTURE_MISMATCH = -16, /* a checkpoint does not fit the world that it is loaded into */
  FLOC_INTERRUPTED = -17        /* the host interrupted the call (floc_world_set_interrupt); nothing has changed */
} floc_status;

/* The status's name in plain words, "invalid argument"; never NULL. */
const char *floc_status_name(floc_status status);

/* Version of this header. */
enum { FLOC_VERSION_MAJOR = 0, FLOC_VERSION_MINOR = 2, FLOC_VERSION_PATCH = 0 };

/* Version of the library, "0.2.0". */
const char *floc_version(void);

/* The same as a number: 10000 major + 100 minor + patch. */
int32_t floc_version_number(void);

/* This header's own text as compiled, without the lines that begin with '#'. */
const char *floc_cdef(void);

/* Numbers of a random stream, uniform in the open interval (0, 1), without state: out[k] is number first + k of the
 * stream, the same in every order, on every thread and machine. seed and stream: any numbers. first: from 0; count: 0
 * or more. FLOC_INVALID_ARGUMENT if first or count is negative or out is NULL. */
floc_status floc_random_uniform(uint64_t seed, uint64_t stream, int64_t first, int64_t count, double *out);

/* ---- mathematics ---------------------------------------------------------------------------- */

/* The functions that the engine, law programs and, in the program floc, scripts compute with, for functions of the
 * host whose results should have the same bits on every machine: made of +, -, *, / and square roots alone. Names,
 * ranges and special values are those of C. Errors in units in the last place: exp, exp2, log, log2, log10, pow below
 * 0.6, all others below 1, results that are subnormal within 1; fmod is exact. pow(x, 2) is x*x, pow(x, -1) is 1/x,
 * pow(x, 0.5) the square root. The rounding mode must be the default one, as it is in functions that a call of floc
 * invokes. They set no errno. Since 0.3.0. */
double floc_exp(double x);
double floc_exp2(double x);
double floc_expm1(double x);
double floc_log(double x);
double floc_log2(double x);
double floc_log10(double x);
double floc_log1p(double x);
double floc_pow(double x, double y);
double floc_sinh(double x);
double floc_cosh(double x);
double floc_tanh(double x);
double floc_sin(double x);
double floc_cos(double x);
double floc_tan(double x);
double floc_asin(double x);
double floc_acos(double x);
double floc_atan(double x);
double floc_atan2(double y, double x);
double floc_cbrt(double x);
double floc_hypot(double x, double y);
double floc_fmod(double x, double y);
double floc_erf(double x);
double floc_erfc(double x);
/* The exact sum of numbers, rounded once: the same in every order, and however large parts of it are that cancel. 0 for
 * none (values may be NULL then); NaN if one is NaN or there are infinities of both signs, infinite if there are those of
 * one sign or the sum is too large for a double. count: 0 or more, less counts as 0. Since 0.3.0. */
double floc_sum(const double *values, int64_t count);

/* ---- the world ------------------------------------------------------------------------------ */

typedef struct floc_world floc_world;

/* Allocator: returns memory of new_size bytes holding the first min(old_size, new_size) bytes of
 * pointer; new_size 0 frees and returns NULL; NULL when it cannot. May be called from one thread at
 * a time per world. */
typedef void *(*floc_allocate_function)(void *context, void *pointer, size_t old_size, size_t new_size);

/* Receives one line of text without line end. level: 0 information, 1 warning. */
typedef void (*floc_log_function)(void *context, int32_t level, const char *text);

typedef enum floc_boundary {
  FLOC_BOUNDARY_OPEN = 0,    /* particles may go anywhere */
  FLOC_BOUNDARY_WALL = 1,    /* both faces of the domain are planes that particles cannot pass */
  FLOC_BOUNDARY_PERIODIC = 2 /* what leaves through one face enters through the opposite one */
} floc_boundary;

typedef struct floc_world_options {
  uint32_t struct_size;
  int32_t dimension;         /* 2 to 3; default 2. In 2 the columns z, vz, fz stay 0. */
  double time_step;          /* > 0 [time]; no default. h. */
  uint64_t seed;             /* default 1. Of every random stream. */
  int32_t threads;           /* 0 to 256; default 0. 0: one per processor. The results do not depend on it. A world
                                of 256 particles or more keeps its threads from its first step until it is destroyed;
                                they sleep while there is no work, and signals do not reach them. Their stacks are 1
                                MB each; the engine itself needs no more than 128 kB, also of the caller's thread. */
  int32_t boundary[3];       /* floc_boundary; default open. Per axis. */
  double domain_lower[3];    /* [length]. Finite, and used, on axes that are not open. */
  double domain_upper[3];    /* [length]. Above domain_lower on axes that are not open. */
  double gravity[3];         /* [length/time^2]. Acceleration; default 0. */
  floc_allocate_function allocate; /* NULL: malloc and free */
  void *allocate_context;
  floc_log_function log;     /* NULL: silent */
  void *log_context;
  char message[512];         /* filled by floc_world_create when it fails */
  bool energy_ledger;        /* default false. For floc_world_get_energy_ledger. */
  int64_t patch_particles;   /* 0 to 2.147483646e9; default 0. A world of at least four times as many particles is
                                cut by space into patches that hold about that many; 0: 8192. Another cut has other
                                bits. A box that deforms is one patch. */
} floc_world_options;

floc_status floc_world_options_init_sized(floc_world_options *options, uint32_t size);
#define floc_world_options_init(options) floc_world_options_init_sized(options, sizeof(floc_world_options))

/* Creates a world. On failure *world is NULL and options->message gives the reason. */
floc_status floc_world_create(floc_world_options *options, floc_world **world);

/* Frees the world and everything in it; NULL is allowed. Inside a function of the host that runs in a call on the
 * world it only sets a message. */
void floc_world_destroy(floc_world *world);

/* Message of the last failed call on this world; "" if none failed. Valid until the next call. Inside a function of
 * the host: message of the first call that was refused there. */
const char *floc_world_message(const floc_world *world);

/* Acceleration of every particle [length/time^2], from the next step on. Finite. */
floc_status floc_world_set_gravity(floc_world *world, const double gravity[3]);

/* Changes the time step h > 0 [time] from the next step on. */
floc_status floc_world_set_time_step(floc_world *world, double time_step);

/* Axes of a simple shear. */
typedef enum floc_shear_plane {
  FLOC_SHEAR_PLANE_XY = 0,   /* velocities along x that grow with y */
  FLOC_SHEAR_PLANE_XZ = 1,
  FLOC_SHEAR_PLANE_YX = 2,
  FLOC_SHEAR_PLANE_YZ = 3,
  FLOC_SHEAR_PLANE_ZX = 4,
  FLOC_SHEAR_PLANE_ZY = 5
} floc_shear_plane;

typedef struct floc_deform_options {
  uint32_t struct_size;
  double rate[3];            /* [1/time]. Strain rates of the lengths, d(ln L)/dt; 0 on axes that are not periodic. */
  double shear_rate;         /* [1/time]; default 0. Of the velocity along x that grows with y. */
  int32_t shear_plane;       /* floc_shear_plane; default xy. Of shear_rate: the axis along which velocities are, and
                                the one with which they grow. */
  double pressure;           /* >= 0 [stress]; default 0. Held by all periodic lengths, changed alike; 0: none. */
  double stress[3];          /* [stress]. Normal stresses, compression positive, held by each length by itself; 0:
                                not held. */
  double relaxation_time;    /* >= 0 [time]; default 0. tau of held lengths: d(ln L)/dt = (stress now/stress held -
                                1)/tau, at most 0.01 a step. */
} floc_deform_options;

floc_status floc_deform_options_init_sized(floc_deform_options *options, uint32_t size);
#define floc_deform_options_init(options) floc_deform_options_init_sized(options, sizeof(floc_deform_options))

/* Lets the periodic box move from the next step on, until the next call; all 0: it stands still. Its middle stays where
 * it is. Particles move with it: where its rates change, velocities change by the flow's change, and what leaves through
 * a face enters through the opposite one with the velocity of the image there. Velocities are those of the laboratory;
 * temperatures and stresses leave the box's flow out. Above a strain of 0.1 in a step the step is refused. A box that
 * has been sheared stays skew when it stops. FLOC_NOT_SUPPORTED: a scheme (FLOC_FEATURE_DEFORMATION) or what cannot be
 * in such a box (bodies, laws, assemblies, ray sources, displacements). */
floc_status floc_world_deform(floc_world *world, const floc_deform_options *options);

typedef struct floc_cell {
  uint32_t struct_size;
  double lower[3];           /* ends of the box; -infinity and infinity on open axes */
  double upper[3];
  double offset;             /* [length] by which the image above the box (along y, or the plane's second axis) is
                                shifted along x (its first); at most half the length */
  double rate[3];            /* [1/time] strain rates of the lengths in the last step */
  double shear_rate;         /* [1/time] of the last step */
  double strain[3];          /* logarithms of the lengths over those at the start */
  double shear_strain;       /* shear rate times time since the start */
  double stress[9];          /* of the last step, row by row, compression positive: contacts and velocities; 0 in a
                                box that never moved */
  double pressure;           /* mean of its diagonal along periodic axes */
  int32_t shear_plane;       /* floc_shear_plane. of offset and shear_rate */
} floc_cell;

floc_status floc_cell_init_sized(floc_cell *cell, uint32_t size);
#define floc_cell_init(cell) floc_cell_init_sized(cell, sizeof(floc_cell))

/* The domain as it is now. */
floc_status floc_world_get_cell(const floc_world *world, floc_cell *cell);

/* Threads, as in floc_world_options. FLOC_WRONG_STATE while the world has a thread pool of the host. */
floc_status floc_world_set_threads(floc_world *world, int32_t threads);

/* A task of the engine; it calls no function of the library. */
typedef void (*floc_task)(void *argument, int32_t index);

/* Calls task(argument, index) for index 0 .. count - 1, each once, in any order, on any threads, the caller's among them,
 * and returns when all of them have returned. They need not run at the same time: no task waits for another. */
typedef void (*floc_run_function)(void *context, floc_task task, void *argument, int32_t count);

/* Threads that a host lends, those of its own task system. */
typedef struct floc_thread_pool {
  uint32_t struct_size;
  int32_t threads;           /* how many work at once, 1 to 256; loops are cut into four times as many tasks. With 1
                                the caller does the loops, and run is not called; no default */
  void *context;
  floc_run_function run;     /* no default */
} floc_thread_pool;

floc_status floc_thread_pool_init_sized(floc_thread_pool *pool, uint32_t size);
#define floc_thread_pool_init(pool) floc_thread_pool_init_sized(pool, sizeof(floc_thread_pool))

/* From now on run distributes the loops of this world's calls, and the world starts no threads of its own; existing
 * ones end. NULL, the default: the world's own threads again, as many as before. Results do not depend on it. The
 * engine calls run for each loop that is long enough: never in worlds of some hundred particles, 20 to 40 times a
 * step with 20,000. Each call costs the time that run needs to wake its threads and to wait for them, whereas the
 * world's own threads stay awake from loop to loop: with a mutex and a condition variable 5 to 10 microseconds a
 * run (20,000 discs of discrete elements, two threads, on a busy machine: 1.3 ms a step against 1.2 with the
 * world's own threads). A world that runs alone should use its own threads. Faults of run (an index twice or never,
 * or a return before all tasks have returned) never affect a result: the engine runs missing indices, and runs none
 * twice. They are detected, however: the call in which one occurs, or the next one, and all other calls that step
 * return FLOC_CALLBACK_FAILED and change nothing, until this function sets a pool again. The pool is not in
 * checkpoints. */
floc_status floc_world_set_thread_pool(floc_world *world, const floc_thread_pool *pool);

/* What ranks tell each other: processes that run the same program side by side, on one machine or many, and make the
 * same calls in the same order. Every rank calls these functions the same number of times; each returns when this
 * rank's part is done, with 0, or another number if it failed. */
/* Every element of values becomes its sum over all ranks. */
typedef int (*floc_add_ranks_function)(void *context, int64_t *values, int64_t count);
/* Every element of values becomes its maximum over all ranks; no value is NaN. */
typedef int (*floc_maximum_ranks_function)(void *context, double *values, int64_t count);
/* What goes to rank 0, then what goes to rank 1, ...: send_bytes[r] bytes for rank r, one behind the other; likewise
 * what comes. The bytes that a rank sends to itself come back. */
typedef int (*floc_exchange_ranks_function)(void *context, const void *send, const int64_t *send_bytes, void *receive,
                                            const int64_t *receive_bytes);
/* What every rank has, bytes[r] from rank r, goes to all of them, one behind the other. */
typedef int (*floc_gather_ranks_function)(void *context, const void *own, void *all, const int64_t *bytes);
/* The bytes of rank 0 go to all. */
typedef int (*floc_broadcast_ranks_function)(void *context, void *bytes, int64_t count);

/* Several processes that share one world. floc_mpi.so fills it in where a program was started by mpirun or srun. */
typedef struct floc_ranks {
  uint32_t struct_size;
  int32_t count;             /* how many ranks there are, 1 or more */
  int32_t number;            /* which of them calls, from 0 on */
  void *context;
  floc_add_ranks_function add; /* no default, as for the other functions */
  floc_maximum_ranks_function maximum;
  floc_exchange_ranks_function exchange;
  floc_gather_ranks_function gather;
  floc_broadcast_ranks_function broadcast;
} floc_ranks;

floc_status floc_ranks_init_sized(floc_ranks *ranks, uint32_t size);
#define floc_ranks_init(ranks) floc_ranks_init_sized(ranks, sizeof(floc_ranks))

/* Before anything else. From now on all ranks share this world: every rank makes the same calls in the same order, all see
 * the same numbers, and results have the same bits at any number of ranks (docs/ranks.md). Steps leave each rank with its
 * part of the particles; pointers to columns hold until the next one. NULL or a count of 1, the default: one rank alone.
 * FLOC_STRUCTURE_MISMATCH if ranks are not of the same build of the library, or compute other bits, with a message that
 * names them. Calls and schemes that several ranks do not share are refused by the next step: FLOC_NOT_SUPPORTED. */
floc_status floc_world_set_ranks(floc_world *world, const floc_ranks *ranks);

/* Returns whether a long call should be abandoned; 0: no. It must not call the library and should take only some
 * nanoseconds: typically it reads a flag that a signal handler or another thread sets. */
typedef int (*floc_interrupt_function)(void *context);

/* From now on the calling thread calls function while the world steps, searches, traces rays, inserts or measures,
 * many times a second (each sweep of a solver, each thousand events, each block of pairs). Once it has returned
 * something other than 0, the call is abandoned: it returns FLOC_INTERRUPTED, the world is what it was before, bit
 * for bit, and repeating the call produces the same bits as an uninterrupted one. Calling function never changes a
 * result. NULL, the default: calls are never abandoned. Ballistic and event-driven schemes: if the abandoned step
 * has already taken a hundred times longer than earlier ones, particles and links are restored bit for bit, but
 * the scheme's queue and lists are rebuilt from them and are equal up to rounding. */
floc_status floc_world_set_interrupt(floc_world *world, floc_interrupt_function function, void *context);

/* Maximum work of a step, 0 or above; 0, the default: 2e7 + 5e5 (particles) + 5e4 (rays in flight and of one
 * pulse); INFINITY: no limit. The unit, about 20 ns, is a contact in one matrix-vector product, or a particle that
 * the search for neighbours examines; contacts with friction, rotation or assemblies count 4, an event of the
 * event-driven scheme 12 and a search in it 4, a pair or the projection of a link in the ballistic scheme 2, a
 * ray's flight to its next hit 20. A step that needs more work is abandoned, with any number of threads and on
 * every machine: FLOC_LIMIT_EXCEEDED, whose message names a particle and the part of the step that took the work.
 * floc_step_report.work is the work of a step. The limit is not in checkpoints. */
floc_status floc_world_set_work_limit(floc_world *world, double limit);

typedef struct floc_world_info {
  uint32_t struct_size;
  int32_t dimension;
  int32_t threads;
  int32_t body_count;        /* With those that were removed, whose numbers are not given again. */
  int64_t step;              /* steps done since the start */
  int64_t particle_count;
  double time;               /* [time] */
  double time_step;          /* [time] */
  double gravity[3];
  uint64_t seed;
  int64_t last_id;           /* the greatest id that was given to a particle */
} floc_world_info;

floc_status floc_world_info_init_sized(floc_world_info *info, uint32_t size);
#define floc_world_info_init(info) floc_world_info_init_sized(info, sizeof(floc_world_info))

floc_status floc_world_get_info(const floc_world *world, floc_world_info *info);

/* Hash of the whole physical state: the same state has the same hash on every machine, at any
 * thread count. Particles and pairs count by their ids, in no order. */
floc_status floc_world_hash(floc_world *world, uint64_t *hash);

/* ---- particles ------------------------------------------------------------------------------ */

typedef struct floc_particle_options {
  uint32_t struct_size;
  double position[3];        /* [length]. Default 0; within a closed or periodic domain; at most 4.5e9 radii from 0,
                                where numbers are a millionth of a radius apart. */
  double velocity[3];        /* [length/time]. Default 0. */
  double radius;             /* > 0 [length]; no default. 1e-100 to 1e100, at most half of a periodic axis and the
                                whole of a closed one. */
  double mass;               /* > 0 [mass]; default 1. 1e-100 to 1e100. */
  bool allow_overlap;        /* default false. It may lie in others, or in a body. */
  double angle;              /* [rad]; default 0. Of the shape. */
  int32_t shape;             /* >= 0; default 0. Number of floc_grain_shape_add(); radius is that of the circle, or
                                ball, about it; 0: a disc or ball. */
  double orientation[4];     /* Of a shape in three dimensions: quaternion w, x, y, z of any length; 0, 0, 0, 0: as
                                the shape was given. */
} floc_particle_options;

floc_status floc_particle_options_init_sized(floc_particle_options *options, uint32_t size);
#define floc_particle_options_init(options) floc_particle_options_init_sized(options, sizeof(floc_particle_options))

/* Adds one particle; its id goes to *id (ids are 1, 2, 3, ... and never change). Overlaps are checked by the next
 * step; members of one assembly may overlap. It refuses coincident centres, and (FLOC_OVERLAPPING) a particle that
 * was added since the last step without allow_overlap and overlaps another one or a body by more than a tenth of
 * the smaller radius; in discrete elements, where contacts are overlaps, by more than half of it. A scheme without
 * contacts refuses nothing. The log warns of overlaps of 1e-3 radii and more. */
floc_status floc_particle_add(floc_world *world, const floc_particle_options *options, int64_t *id);

typedef enum floc_region_kind {
  FLOC_REGION_BOX = 1,       /* lower .. upper */
  FLOC_REGION_BALL = 2,      /* center, radius; a disc in two dimensions */
  FLOC_REGION_FUNCTION = 3   /* where region_function sets *inside, between region_lower and region_upper */
} floc_region_kind;

typedef enum floc_placement {
  FLOC_PLACEMENT_RANDOM = 1,     /* random sequential addition: uniform positions, overlaps rejected */
  FLOC_PLACEMENT_LATTICE = 2,    /* square or cubic lattice, row by row from the lower corner */
  FLOC_PLACEMENT_FCC = 3,        /* face-centred cubic lattice, likewise; in three dimensions */
  FLOC_PLACEMENT_BCC = 4,        /* body-centred cubic lattice; in three dimensions */
  FLOC_PLACEMENT_HCP = 5,        /* hexagonal close-packed lattice; in three dimensions */
  FLOC_PLACEMENT_TRIANGULAR = 6, /* triangular lattice; in two dimensions */
  FLOC_PLACEMENT_DENSE = 7       /* dense disordered packing, by relaxing overlaps */
} floc_placement;

typedef enum floc_distribution {
  FLOC_DISTRIBUTION_UNIFORM = 1,   /* between radius_lower and radius_upper */
  FLOC_DISTRIBUTION_NORMAL = 2,    /* mean and deviation, cut at radius_lower and radius_upper */
  FLOC_DISTRIBUTION_LOGNORMAL = 3, /* mean and deviation of the radius itself, cut likewise */
  FLOC_DISTRIBUTION_BY_VOLUME = 4  /* uniform in volume (area in 2-D) between the two radii */
} floc_distribution;

/* Sets *inside: may a particle of this radius have its centre there? Called for one position after the other, in an order
 * that depends on the options alone. Pure: the same numbers give the same answer. */
typedef floc_status (*floc_region_function)(void *context, const double *center, double radius, bool *inside);

typedef struct floc_insertion_options {
  uint32_t struct_size;
  int64_t count;             /* >= 1; no default. How many. */
  int32_t region_kind;       /* floc_region_kind; default box */
  double region_lower[3];    /* [length]. Box; particles lie wholly inside. */
  double region_upper[3];    /* [length]. Box; above region_lower. */
  double region_center[3];   /* [length]. Ball. */
  double region_radius;      /* > 0 [length]; no default. Ball. */
  int32_t placement;         /* floc_placement; default random */
  double spacing;            /* >= 0 [length]; default 0. Lattice constant; 0: neighbours touch, or are clearance
                                apart. */
  int32_t distribution;      /* floc_distribution; default uniform. Of radii. */
  double radius_lower;       /* > 0 [length]; no default */
  double radius_upper;       /* >= 0 [length]; default 0. At least radius_lower; 0: that. */
  double radius_mean;        /* > 0 [length]; no default. Normal and lognormal. */
  double radius_deviation;   /* >= 0 [length]; default 0. Normal and lognormal. */
  double mass;               /* >= 0 [mass]; default 1. Of each; 0: from the density. */
  double density;            /* [mass/length^dimension]; default 0. Used, and above 0, where mass is 0. */
  double velocity[3];        /* [length/time]. Of all; default 0. */
  double velocity_spread;    /* >= 0 [length/time]; default 0. A random number between minus this and this is added
                                to each component. */
  double clearance;          /* >= 0 [length]; default 0. Minimum distance between surfaces, to other particles and
                                to bodies. */
  uint64_t seed;             /* default 0. 0: from the world's seed and the number of particles before. */
  int64_t tries;             /* >= 1; default 100000. Random placement gives up after this number of rejected
                                positions in a row. */
  double temperature;        /* >= 0 [mass length^2/time^2]; default 0. Normal velocities about `velocity`, which
                                stays the mean; their energy is dimension (count - 1) temperature/2. */
  floc_region_function region_function; /* Function; no default. */
  void *region_context;
  double volume_fraction;    /* >= 0, < 1; default 0. Of the region; all radii are scaled by one factor for it; 0: as
                                given. */
  int32_t shape;             /* >= 0; default 0. Number of floc_grain_shape_add(); radii are those of circles about
                                it; 0: discs or balls. */
  double angle_lower;        /* [rad]; default 0. Orientations of shapes are uniform from here */
  double angle_upper;        /* [rad]; default 0. to here; at least angle_lower. */
  double orientation[4];     /* Of all shapes in three dimensions: quaternion w, x, y, z of any length; 0, 0, 0, 0:
                                uniform over all rotations. */
} floc_insertion_options;

floc_status floc_insertion_options_init_sized(floc_insertion_options *options, uint32_t size);
#define floc_insertion_options_init(options) floc_insertion_options_init_sized(options, sizeof(floc_insertion_options))

/* Adds options->count particles without overlaps. *first_id gets the first id; the others follow.
 * FLOC_NO_ROOM when the region cannot hold them; the message says how many fitted and which volume
 * fraction that is; nothing is added then. */
floc_status floc_particles_insert(floc_world *world, const floc_insertion_options *options, int64_t *first_id);

/* Removes particles, all or none of them: bonds and contacts, what pairs remember, forces of rays go with them. The others
 * keep their ids, and their order in the columns; ids are never given again. Between steps. FLOC_NOT_FOUND: an id that
 * was never given, or is of a particle that was removed; FLOC_INVALID_ARGUMENT: one that is named twice;
 * FLOC_NOT_SUPPORTED: a member of an assembly. Since 0.3.0. */
floc_status floc_particles_remove(floc_world *world, const int64_t *ids, int64_t count);

/* Finds the pair of particles, or particle and body, with the largest overlap. *worst gets
 * overlap/radius (0 if none; radius of the smaller one). */
floc_status floc_particles_check(floc_world *world, double *worst);

/* A column by name: x y z vx vy vz fx fy fz radius mass,
 * where there are such wx wy wz tx ty tz angle inertia material qw qx qy qz displacement_x displacement_y displacement_z shape rounding radius_rate rounding_rate, or an attribute. *values points to *count doubles in
 * storage order. Writing is allowed between steps; the next step or save checks each particle as floc_particle_add
 * checks its options: FLOC_NOT_A_NUMBER, FLOC_INVALID_ARGUMENT (radius, mass), FLOC_ESCAPED (out of a closed
 * domain), FLOC_LIMIT_EXCEEDED (too far from 0 for its radius), with particle, number and range. fx fy fz: the sum
 * of laws and fields at the last step's start; with discrete elements all forces but gravity (contacts, bonds,
 * laws, drag, near field) in the present state, which this call computes: call it again after a step. Writing them
 * has no effect there. tx ty tz: torques likewise, where particles rotate. wx wy wz were angular_velocity_x _y _z, names
 * that every call still takes. */
floc_status floc_column(floc_world *world, const char *name, double **values, int64_t *count);

typedef struct floc_grain_shape_options {
  uint32_t struct_size;
  int32_t corner_count;      /* 0 to 16; default 0. 2: a capsule; 0: an ellipse or ellipsoid of these semi_axes. */
  double corners[32];        /* x and y of each, in turn about a convex polygon; of any size, which that of a
                                particle replaces. In three dimensions the two of a capsule, in the grain's own axes,
                                where z is 0. */
  bool regular;              /* default false. The corners are those of a regular polygon, and `corners` is not read. */
  double rounding;           /* >= 0, < 1; default 0.02. Radius of the rounded corners over that of the circle about
                                the whole grain; above 0 with two corners; not read of ellipsoids. */
  double semi_axes[3];       /* Of an ellipse (two) or ellipsoid, along the grain's own axes; of any size, which that
                                of a particle replaces; none more than a hundred times another. 0, 0, 0: it has
                                corners. */
  int32_t point_count;       /* 0 to 32; default 0. In three dimensions, corners of a polyhedron, in the place of
                                corners and semi_axes; at least 4. */
  double points[96];         /* x, y and z of each, in any order; of any size, which that of a particle replaces. All
                                must be corners of their convex hull. */
} floc_grain_shape_options;
floc_status floc_grain_shape_options_init_sized(floc_grain_shape_options *options, uint32_t size);
#define floc_grain_shape_options_init(options) floc_grain_shape_options_init_sized(options, sizeof(floc_grain_shape_options))

/* Makes a shape of grains: a rounded convex polygon, in two dimensions, with two corners a capsule, in two and three; or with
 * semi_axes an ellipse, in three dimensions an ellipsoid; with points a convex polyhedron, in three. Its number is given to floc_particle_add() and
 * floc_particles_insert(); one that is equal to an
 * earlier one has that one's number. Area is that, in three dimensions the volume, of a grain whose radius, that of the
 * circle or ball about it, is 1. The engine adds the columns shape, rounding (radius of the rounded corners [length]; 0 of
 * ellipsoids) and
 * angle [rad], in three dimensions qw qx qy qz, and grains rotate, with the moments of inertia of their shape. Contacts are
 * inelastic, with friction and restitution; what knows particles as discs or balls alone refuses the next step. number,
 * area: NULL: not wanted. FLOC_INVALID_ARGUMENT: corners that are not finite, repeated, or not those of a convex polygon
 * in turn; semi_axes that are not above 0, or one more than a hundred times another; points in one plane, of which one is
 * no corner of their hull, or with the rounding 0. FLOC_NOT_SUPPORTED: more than two corners in three dimensions, points in
 * two, another scheme. FLOC_LIMIT_EXCEEDED: 4096 shapes. */
floc_status floc_grain_shape_add(floc_world *world, const floc_grain_shape_options *options, int32_t *number,
                                 double *area);

/* Where the corners of grains are that are not round: particle k of the order of storage has corners begin[k] ..
 * begin[k+1]-1, x and y (in three dimensions x, y and z) of each from the particle's centre [length], in the plane in turn
 * counterclockwise; its outline is `rounding` (the column) away from the polygon of these. Two in the plane, or three in
 * space, with a rounding of 0 are an ellipse's or ellipsoid's semi-axes as vectors. A disc or ball has one, its centre.
 * Valid until the next call. */
floc_status floc_grain_corners(floc_world *world, const int64_t **begin, const double **corners, int64_t *count);

/* Which corners make the faces of a shape, a number of floc_grain_shape_add(): face k those of the numbers (from 0 on)
 * loop[begin[k]] .. loop[begin[k+1]-1], counterclockwise seen from outside. Each particle of such a shape has in
 * floc_grain_corners() its corners, in this order, and behind them the outward unit normals of its faces. faces: 0 of shapes
 * that are no polyhedra. Valid until the next shape is added. */
floc_status floc_grain_faces(floc_world *world, int32_t shape, int32_t *corners, int32_t *faces, const uint8_t **begin,
                             const uint8_t **loop);

/* Declares an attribute: a further column of doubles that starts at initial for every particle. Some names mean
 * something to the engine: inertia [mass length^2] is a particle's moment of inertia (0: that of a uniform disc,
 * m r^2/2, or ball, 2 m r^2/5), and material its material, an integer from 0 on (without the column 0). */
floc_status floc_attribute_add(floc_world *world, const char *name, double initial);

/* Names of all columns: name number index, 0 .. count-1; NULL beyond. */
const char *floc_column_name(const floc_world *world, int32_t index);

/* ids[k] is the id of the particle at element k of every column; slots[k] is the element of the particle with the
 * (k + 1)-th id in ascending order: as long as none was removed, slots[id - 1] that of particle id. Either pointer may
 * be NULL. */
floc_status floc_particle_ids(floc_world *world, const int64_t **ids, const int64_t **slots, int64_t *count);

/* The element of a particle in every column; FLOC_NOT_FOUND: it was removed, or never there. Since 0.3.0. */
floc_status floc_particle_slot(floc_world *world, int64_t id, int64_t *slot);

/* ---- rigid assemblies ------------------------------------------------------------------------- */

/* Particles that move as one rigid body. Contacts of its members exert force and torque on it; the members' columns
 * follow its motion. Members may overlap each other; a particle belongs to one assembly at most. Only the
 * projection scheme moves assemblies. */
typedef struct floc_assembly_options {
  uint32_t struct_size;
  double mass;               /* >= 0 [mass]; default 0. 0: the sum of the members' masses. The members' masses are
                                scaled so that their sum is this. */
  bool center_is_given;      /* default false. Otherwise it is the members' common centre of mass; if they overlap,
                                the centre of their union, uniformly filled. */
  double center[3];          /* [length]. Of mass. */
  double inertia[6];         /* [mass length^2]. About the centre, xx yy zz xy xz yz; in 2-D only [2]; default 0: of
                                the members, each uniformly filled; of the union if they overlap. */
  double velocity[3];        /* [length/time]. Of the centre; default 0. */
  double angular_velocity[3]; /* [rad/time]. In 2-D only [2]; default 0. */
} floc_assembly_options;

floc_status floc_assembly_options_init_sized(floc_assembly_options *options, uint32_t size);
#define floc_assembly_options_init(options) floc_assembly_options_init_sized(options, sizeof(floc_assembly_options))

/* Makes one body of `count` particles, 1 or more; its number goes to *assembly (0, 1, 2, ...). */
floc_status floc_assembly_add(floc_world *world, const int64_t *ids, int64_t count,
                              const floc_assembly_options *options, int32_t *assembly);

typedef struct floc_assembly_state {
  uint32_t struct_size;
  int32_t member_count;
  double mass;
  double inertia[6];         /* about the centre, in the assembly's own axes */
  double position[3];        /* of the centre [length] */
  double orientation[4];     /* unit quaternion w, x, y, z; identity at the start */
  double angle;              /* 2-D: accumulated rotation [rad] */
  double velocity[3];        /* [length/time] */
  double angular_velocity[3]; /* [rad/time] */
} floc_assembly_state;

floc_status floc_assembly_state_init_sized(floc_assembly_state *state, uint32_t size);
#define floc_assembly_state_init(state) floc_assembly_state_init_sized(state, sizeof(floc_assembly_state))

floc_status floc_assembly_get_state(floc_world *world, int32_t assembly, floc_assembly_state *state);

/* The assembly that a particle belongs to, -1 if it is free. */
floc_status floc_assembly_of(floc_world *world, int64_t id, int32_t *assembly);

/* ---- geometry: shapes and bodies -------------------------------------------------------------- */

typedef enum floc_shape_kind {
  FLOC_SHAPE_PLANE = 1,      /* points[0]: a point, points[1]: normal; particles stay on the normal's side */
  FLOC_SHAPE_SEGMENT = 2,    /* points[0] to points[1], thickened by radius: a capsule; two sides and ends */
  FLOC_SHAPE_SPHERE = 3,     /* points[0]: centre, radius; particles stay outside */
  FLOC_SHAPE_HOLLOW = 4,     /* points[0]: centre, radius; particles stay inside (a drum, a round pot) */
  FLOC_SHAPE_TRIANGLE = 5,   /* points[0..2], thickened by radius; two sides and edges; 3-D only */
  FLOC_SHAPE_TORUS = 6,      /* parameters: radius of the ring around its axis z, radius of the tube; 3-D only */
  FLOC_SHAPE_CONE = 7,       /* parameters: radius at z = 0, radius at z = height, height; solid, particles stay
                                outside; 3-D only */
  FLOC_SHAPE_CONE_WALL = 8   /* parameters likewise, and the sum of its parts: 1 the disc at z = 0, 2 the side, 4 the
                                disc at z = height; thickened by radius, two sides; particles touch one part at a
                                time, so a pot is a shape of each part; 3-D only */
} floc_shape_kind;

typedef struct floc_shape {
  uint32_t struct_size;
  int32_t kind;              /* floc_shape_kind; no default */
  double points[3][3];       /* [length]. In the body's frame; those of the kind, of at most 1e150. */
  double radius;             /* 0 to 1e150 [length]; default 0. Of spheres > 0. */
  double parameters[8];      /* of kinds that have some: torus, cone, cone_wall, and those of the host
                                (floc_shape_type). These stand in a frame of their own: points[0] is its origin,
                                points[1] and points[2] are its axes x and y, as directions; both 0: the body's */
} floc_shape;

floc_status floc_shape_init_sized(floc_shape *shape, uint32_t size);
#define floc_shape_init(shape) floc_shape_init_sized(shape, sizeof(floc_shape))

typedef enum floc_motion_kind {
  FLOC_MOTION_FIXED = 0,
  FLOC_MOTION_CONSTANT = 1,    /* velocity and angular_velocity stay as given */
  FLOC_MOTION_VELOCITY = 2,    /* function(time) returns velocity and angular velocity; called for the middle of the
                                  step */
  FLOC_MOTION_POSITION = 3,    /* function(time) returns position and rotation vector; called for the end of the step */
  FLOC_MOTION_OSCILLATION = 4, /* position + amplitude sin(frequency time + phase) */
  FLOC_MOTION_PISTON = 5,      /* moves with velocity until it has gone travel, then stays or turns back */
  FLOC_MOTION_SERVO = 6,       /* m dv/dt = load - (what particles exert against direction) - damping v along
                                  direction; function(time) may give the load */
  FLOC_MOTION_FREE = 7         /* not a choice of options: floc_body_set_free */
} floc_motion_kind;

/* Writes values[0..2] (velocity or position) and values[3..5] (angular velocity, or rotation vector
 * from the body's first orientation; in 2-D only values[5] counts). */
typedef floc_status (*floc_motion_function)(void *context, double time, double *values);

typedef struct floc_body_options {
  uint32_t struct_size;
  double position[3];        /* [length]. Of the body's frame and pivot; default 0. */
  double rotation[3];        /* [rad]. Rotation vector; in 2-D only rotation[2]; default 0. */
  int32_t motion;            /* floc_motion_kind; default fixed */
  double velocity[3];        /* [length/time]. Constant, piston; default 0. */
  double angular_velocity[3]; /* [rad/time]. Constant; in 2-D only [2], counter-clockwise; default 0. */
  double amplitude[3];       /* [length]. Oscillation. */
  double frequency;          /* [rad/time]; default 0. Oscillation, angular. */
  double phase;              /* [rad]; default 0. Oscillation. */
  double travel;             /* > 0 [length]; no default. Piston: distance to go. */
  bool returns;              /* default false. Piston: goes back and forth instead of stopping. */
  floc_motion_function function; /* velocity, position */
  void *function_context;
  double roughness;          /* >= 0 [length]; default 0. Used by the gluey contact law. */
  int32_t material;          /* >= 0; default 0 */
  const char *name;          /* shown in messages; may be NULL */
  double direction[3];       /* Servo: of its load; any length but 0. */
  double load;               /* [force]; default 0. Servo; a function that is there gives it as values[0]. */
  double mass;               /* [mass]; default 0. Servo: inertia, above 0. */
  double damping;            /* >= 0 [mass/time]; default 0. Servo. */
  double greatest_speed;     /* >= 0 [length/time]; default 0. Servo; 0: none. */
} floc_body_options;

floc_status floc_body_options_init_sized(floc_body_options *options, uint32_t size);
#define floc_body_options_init(options) floc_body_options_init_sized(options, sizeof(floc_body_options))

/* Adds a body of infinite mass without shapes; its number goes to *body (0, 1, 2, ...). */
floc_status floc_body_add(floc_world *world, const floc_body_options *options, int32_t *body);

/* Adds a shape to a body, in the body's frame. */
floc_status floc_body_add_shape(floc_world *world, int32_t body, const floc_shape *shape);

/* The material of one shape of a body (its number within the body, from 0), instead of the body's; shape -1: of the body
 * and all its shapes. material >= 0. */
floc_status floc_body_set_material(floc_world *world, int32_t body, int32_t shape, int32_t material);

/* A number of every shape of every body, those to come as well: what wall laws wear off, heat or charge, by their outputs
 * rate_shape_NAME and sum_shape_NAME and their inputs shape_NAME. Stored in checkpoints. At most 16; name: letters, digits
 * and _, no digit first, at most 47. */
floc_status floc_shape_attribute_add(floc_world *world, const char *name, double initial);
/* Their names, 0 to ...; NULL past the last. Valid as long as the world. */
const char *floc_shape_attribute_name(const floc_world *world, int32_t index);
/* shape: its number within the body, from 0; set: -1 for all of the body. */
floc_status floc_shape_attribute_get(floc_world *world, int32_t body, int32_t shape, const char *name, double *value);
floc_status floc_shape_attribute_set(floc_world *world, int32_t body, int32_t shape, const char *name, double value);

/* Signed distances of `count` points, in the shape's frame: points[axis][k] [length], axis 0 to 2, z = 0 in the plane.
 * Writes distances[k], > 0 where particles may be, and gradients[axis][k], the unit vector along which the distance grows
 * fastest; where that is not unique any of them. Distances change by no more than a point moves. Called on several
 * threads at once, with any count; pure: the same numbers give the same results, and it calls nothing of the library. */
typedef void (*floc_distance_function)(void *context, const double *parameters, int32_t count, const double *const *points, double *distances, double *const *gradients);

/* A box around the surface, in the shape's frame. false: there is no such shape; its parameters are refused. */
typedef bool (*floc_bounds_function)(void *context, const double *parameters, double *lower, double *upper);

/* Signed distance of a point from a shape that stands in the body's frame of no body: > 0 where particles may be. For regions:
 * a particle lies wholly in a solid shape where the distance is minus its radius or less. */
floc_status floc_shape_distance(floc_world *world, const floc_shape *description, const double *position, double *distance);

/* A type of shapes, by its signed distance. Contacts, rays, insertion, pictures, the page and .vtp files follow from it. */
typedef struct floc_shape_type {
  uint32_t struct_size;
  const char *name;          /* letters, digits and _, no digit first; at most 47; no default */
  int32_t dimension;         /* 2 or 3; default 0: both */
  int32_t parameter_count;   /* 0 to 8; default 0 */
  const char *const *parameters; /* their names, for messages; like name */
  bool exact;                /* the distance is that of the nearest point of the surface; else it is no larger,
                                outside and inside, and contacts act as far away as it says. default false */
  bool hollow;               /* particles stay inside: the distance is positive there, and all outside of the bounds
                                is solid; default false */
  void *context;
  floc_distance_function distance; /* no default */
  floc_bounds_function bounds; /* no default */
} floc_shape_type;

floc_status floc_shape_type_init_sized(floc_shape_type *type, uint32_t size);
#define floc_shape_type_init(type) floc_shape_type_init_sized(type, sizeof(floc_shape_type))

/* Adds a type of shapes to a world; *kind gets what floc_shape.kind is for it, 1000 or above. The strings are copied. A
 * shape's radius thickens it as all others. The function is tried at some points whenever a shape is added:
 * FLOC_CALLBACK_FAILED with point and value where it cannot be a distance. Particles get one contact with each shape, at the
 * point to which the distance leads. A checkpoint has the type's name and each shape's parameters; a world that lacks the
 * type cannot load it: FLOC_NOT_FOUND, with the name. FLOC_ALREADY_EXISTS: the name is taken. */
floc_status floc_shape_type_add(floc_world *world, const floc_shape_type *type, int32_t *kind);

/* The kind of the shape type of that name, the engine's ("plane", "segment", "sphere", "hollow sphere", "triangle",
 * "torus") or an added one. FLOC_NOT_FOUND. */
floc_status floc_shape_type_find(floc_world *world, const char *name, int32_t *kind);

typedef enum floc_compound_kind {
  FLOC_COMPOUND_POLYLINE = 1, /* points in order; closed joins the last to the first; 2-D */
  FLOC_COMPOUND_BOX = 2,      /* lower .. upper: four segments, in 3-D twelve triangles; hollow */
  FLOC_COMPOUND_FUNNEL = 3,   /* two slopes, in 3-D a cone; the centre of the outlet is the origin */
  FLOC_COMPOUND_WHEEL = 4,    /* radial paddles around the origin, in 3-D plates of the given width */
  FLOC_COMPOUND_CONTAINER = 5 /* a box without lid; the centre of the floor is the origin */
} floc_compound_kind;

typedef struct floc_compound {
  uint32_t struct_size;
  int32_t kind;              /* floc_compound_kind; no default */
  const double *points;      /* polyline: x, y pairs [length] */
  int32_t point_count;       /* default 0. Polyline: 2 or more, 3 if it is closed. */
  bool closed;               /* default false. Polyline. */
  double lower[3];           /* [length]. Box. */
  double upper[3];           /* [length]. Box; above lower. */
  double top;                /* [length]; no default. Funnel: inner width at the top; above bottom. */
  double bottom;             /* >= 0 [length]; default 0. Funnel: width of the outlet. */
  double height;             /* > 0 [length]; no default. Funnel, container. */
  double radius;             /* > 0 [length]; no default. Wheel: length of the paddles from the axis. */
  double hub;                /* [length]; default 0. Wheel: radius of the hub; below radius less half the thickness;
                                0: none. */
  int32_t paddles;           /* 1 to 100000; default 6. Wheel. */
  double width;              /* > 0 [length]; no default. Container: inner width along x; wheel in 3-D: along the
                                axis z, above the thickness. */
  double depth;              /* > 0 [length]; no default. Container in 3-D: inner width along z. */
  int32_t facets;            /* 3 to 100000; default 48. Funnel, hub of a wheel, in 3-D: flat faces around. */
  double thickness;          /* >= 0 [length]; default 0. Of every plate; plates are rounded by half of it. */
  double axis[3];            /* funnel, container: where they are open to; wheel in 3-D: what it turns about. Any
                                length; 0: y, of a wheel z. The width of a container stays along x, and a wheel
                                begins there, unless x is the coordinate axis nearest to the axis: then along -y, of
                                a wheel along y */
} floc_compound;

floc_status floc_compound_init_sized(floc_compound *compound, uint32_t size);
#define floc_compound_init(compound) floc_compound_init_sized(compound, sizeof(floc_compound))

/* Adds the shapes of a compound to a body. All or nothing. */
floc_status floc_body_add_compound(floc_world *world, int32_t body, const floc_compound *compound);

typedef struct floc_mesh_options {
  uint32_t struct_size;
  const char *path;          /* no default. STL file, binary or text, OBJ file (NAME.obj) or VTP file (NAME.vtp). */
  double scale;              /* > 0; default 1. Factor on the lengths in the file. */
  double thickness;          /* >= 0 [length]; default 0. Of the plates. */
} floc_mesh_options;

floc_status floc_mesh_options_init_sized(floc_mesh_options *options, uint32_t size);
#define floc_mesh_options_init(options) floc_mesh_options_init_sized(options, sizeof(floc_mesh_options))

/* Adds the triangles of an STL, OBJ or VTP file to a body, in three dimensions; *triangles (may be NULL) gets their number. Each is a
 * plate with two sides; triangles without area are omitted. All or nothing. FLOC_DAMAGED_FILE: the message names
 * the fault and its place in the file. */
floc_status floc_body_add_mesh(floc_world *world, int32_t body, const floc_mesh_options *options, int32_t *triangles);

typedef struct floc_body_state {
  uint32_t struct_size;
  int32_t shape_count;
  double position[3];        /* [length] */
  double orientation[4];     /* unit quaternion w, x, y, z */
  double angle;              /* 2-D: accumulated rotation [rad] */
  double velocity[3];        /* mean over the last step [length/time] */
  double angular_velocity[3]; /* mean over the last step [rad/time] */
  double force[3];           /* exerted on the body by all particles, mean over the last step */
  double torque[3];          /* about the body's position, of a free one about the point that it turns about
                                (center), likewise */
  int32_t axes;              /* those of floc_free_options; 0: the body is not free */
  double mass;               /* of a free body, else 0 */
  double inertia[6];         /* about center, in the body's frame; of a free body, else 0 */
  double center[3];          /* what it turns about: its centre of mass, or its position where no translation is free
                                [length] */
} floc_body_state;

floc_status floc_body_state_init_sized(floc_body_state *state, uint32_t size);
#define floc_body_state_init(state) floc_body_state_init_sized(state, sizeof(floc_body_state))

floc_status floc_body_get_state(floc_world *world, int32_t body, floc_body_state *state);

/* Shape number index of a body, in world coordinates at the present time, as shapes to draw it by: itself if it is of
 * the first five kinds, else segments along its outline (in the plane) or triangles of its surface (in space), without
 * gaps and without thickness. Writes up to capacity shapes; *count gets how many there are. */
floc_status floc_body_get_drawing_sized(floc_world *world, int32_t body, int32_t index, floc_shape *shapes, uint32_t size, int64_t capacity, int64_t *count);
#define floc_body_get_drawing(world, body, index, shapes, capacity, count) floc_body_get_drawing_sized(world, body, index, shapes, sizeof(floc_shape), capacity, count)

/* Shape number index of a body, in world coordinates at the present time. */
floc_status floc_body_get_shape(floc_world *world, int32_t body, int32_t index, floc_shape *shape);

/* Removes a body, between steps: its shapes are gone, with what particles remember of them, and what it was made of is
 * not asked again (its function is not called any more). Its number is never given again, and every call with it is
 * refused with FLOC_NOT_FOUND and the step; floc_world_info.body_count still counts it. A checkpoint that is written
 * afterwards is loaded into a world that has the body, as it was set up, or has removed it. The walls of a domain stay:
 * FLOC_NOT_SUPPORTED. */
floc_status floc_body_remove(floc_world *world, int32_t body);

/* Changes a body's motion from now on; options as for floc_body_add, position and rotation are
 * ignored: the body continues from its present position. */
floc_status floc_body_set_motion(floc_world *world, int32_t body, const floc_body_options *options);

/* A body with a mass, which particles, gravity and loads move. Since 0.3.0. */
typedef struct floc_free_options {
  uint32_t struct_size;
  int32_t axes;              /* no default. Sum of 1, 2, 4 for going along x, y, z and of 8, 16, 32 for turning about
                                x, y, z; in 2-D of 1, 2, 32. Of the turns in 3-D none, one or all. */
  double mass;               /* >= 0 [mass]; default 0. 0: by density. */
  double density;            /* >= 0 [mass/length^dimension]; default 0. Instead of mass. */
  double inertia[6];         /* [mass length^2]. About the centre of mass, in the body's frame, xx yy zz xy xz yz; in
                                2-D only [2]; default 0: of the shapes. */
  double velocity[3];        /* [length/time]. Of the body's position. */
  double angular_velocity[3]; /* [rad/time]. In 2-D only [2]. */
  double force[3];           /* [force]. Load. */
  double torque[3];          /* [force length]. Load; in 2-D only [2]. */
  double damping;            /* >= 0 [mass/time]; default 0. Times the velocity, against it. */
  double angular_damping;    /* >= 0 [mass length^2/time]; default 0. Times the angular velocity, against it. */
  floc_motion_function function; /* values: force and torque at the middle of a step, beside the two above */
  void *function_context;
} floc_free_options;

floc_status floc_free_options_init_sized(floc_free_options *options, uint32_t size);
#define floc_free_options_init(options) floc_free_options_init_sized(options, sizeof(floc_free_options))

/* Makes a body free from now on, with the shapes that it has (no planes), or changes what a free one is given by. Along
 * axes that are not free it stays. It turns about its centre of mass, or, if no translation is free, about its position.
 * Some of the translations together with a turn are FLOC_NOT_SUPPORTED. floc_body_set_motion() ends it. Only the
 * projection with inertia moves free bodies; what could touch another body is refused in the step in which it would.
 * Since 0.3.0. */
floc_status floc_body_set_free(floc_world *world, int32_t body, const floc_free_options *options);

/* ---- joints ------------------------------------------------------------------------------------ */

typedef enum floc_joint_kind {
  FLOC_JOINT_HINGE = 1,      /* holds a point; the ends turn about it, in 3-D about the axis */
  FLOC_JOINT_SLIDER = 2,     /* the second end goes along the axis of the first, and does not turn */
  FLOC_JOINT_BALL = 3,       /* holds a point; 3-D only */
  FLOC_JOINT_DISTANCE = 4,   /* between two anchors: a rod, a rope, a spring */
  FLOC_JOINT_WELD = 5        /* holds point and orientation */
} floc_joint_kind;

typedef struct floc_joint_options {
  uint32_t struct_size;
  int32_t kind;              /* floc_joint_kind; no default */
  int32_t first;             /* default -1. A body. -1: first_particle, or the world. */
  int32_t second;            /* default -1. Likewise. At least one end is a particle or a free body. */
  int64_t first_particle;    /* default 0. Its id; 0: none. Of a distance, a ball, or a hinge in 2-D without limits,
                                motor or spring. */
  int64_t second_particle;   /* default 0. Likewise. */
  double anchor[3];          /* [length]. A place of the world, where both ends meet now; of a distance on the first
                                end. Not read where an end is a particle, whose centre it is. */
  double second_anchor[3];   /* [length]. Of a distance: on the second end. */
  double axis[3];            /* Of a hinge in 3-D, of a slider: a direction of the world now, of any length. */
  double length;             /* >= 0 [length]; default 0. Of a distance; 0: as it is now. */
  bool rope;                 /* default false. A distance that may be shorter than its length, but not longer. */
  bool limited;              /* default false. lower and upper hold. */
  double lower;              /* default 0. Of the angle of a hinge, the displacement of a slider, both 0 now, of a
                                distance; may be -infinity. */
  double upper;              /* default 0. Likewise; may be infinity. */
  double motor_velocity;     /* [rad/time or length/time]; default 0. Of the same, which the motor holds as long as
                                its force or torque is enough. */
  double motor_greatest;     /* >= 0 [torque or force]; default 0. 0: there is no motor. */
  double stiffness;          /* >= 0 [torque/rad or force/length]; default 0. Of a spring on the angle, displacement
                                or distance. */
  double damping;            /* >= 0 [torque time/rad or force time/length]; default 0. Of the same: times its rate,
                                against it. */
  double rest;               /* [rad or length]; default 0. Where the spring is at rest; 0 of a distance: at its
                                length. */
} floc_joint_options;

floc_status floc_joint_options_init_sized(floc_joint_options *options, uint32_t size);
#define floc_joint_options_init(options) floc_joint_options_init_sized(options, sizeof(floc_joint_options))

/* Links two ends from now on, as they stand now; its number goes to *joint (0, 1, 2, ...), which no other one gets.
 * Bodies that a joint links do not touch each other. Joints go with their bodies and particles. Inelastic and gluey;
 * a step in which joints cannot all hold is FLOC_NOT_SUPPORTED with their names and what is left open. Since 0.3.0. */
floc_status floc_joint_add(floc_world *world, const floc_joint_options *options, int32_t *joint);

/* Ends it; its number is not used again. */
floc_status floc_joint_remove(floc_world *world, int32_t joint);

/* Another motor from now on: the velocity that it holds, with at most the force or torque `greatest`, 0: none. */
floc_status floc_joint_set_motor(floc_world *world, int32_t joint, double velocity, double greatest);

typedef struct floc_joint_state {
  uint32_t struct_size;
  int32_t kind;              /* floc_joint_kind */
  int32_t first;             /* bodies; -1: a particle or the world */
  int32_t second;
  int64_t first_particle;    /* 0: none */
  int64_t second_particle;
  double coordinate;         /* angle of a hinge [rad], displacement of a slider, distance [length]; 0 of others */
  double velocity;           /* its mean rate over the last step */
  double added_inertia;      /* that its bodies' inertia counted as more in the last step, because the step is long
                                for its pull; else 0 [mass length^2] */
  double anchor[3];          /* on the second end, now [length] */
  double force[3];           /* of the joint on the second end, mean over the last step; on the first the opposite */
  double torque[3];          /* likewise, about the anchor */
} floc_joint_state;

floc_status floc_joint_state_init_sized(floc_joint_state *state, uint32_t size);
#define floc_joint_state_init(state) floc_joint_state_init_sized(state, sizeof(floc_joint_state))

floc_status floc_joint_get_state(floc_world *world, int32_t joint, floc_joint_state *state);

/* ---- laws: forces as functions of the host ---------------------------------------------------- */

/* Evaluates a block: inputs[k][0..count-1] are the values of the law's k-th input, outputs[k] receives the k-th
 * output. */
typedef floc_status (*floc_kernel_function)(void *context, int32_t count, const double *const *inputs,
                                            double *const *outputs);

/* ---- law programs: straight-line code that runs on blocks of 256 particles or pairs ---- */

/* Operations on numbers. A condition is a number as well: 1 if it holds, 0 if not; anything except 0 counts as
 * true. a, b, c are the operands of floc_instruction. */
typedef enum floc_operation {
  FLOC_OPERATION_ADD = 1,
  FLOC_OPERATION_SUBTRACT = 2,
  FLOC_OPERATION_MULTIPLY = 3,
  FLOC_OPERATION_DIVIDE = 4,
  FLOC_OPERATION_NEGATE = 5,
  FLOC_OPERATION_ABSOLUTE = 6,
  FLOC_OPERATION_SQUARE_ROOT = 7,
  FLOC_OPERATION_FLOOR = 8,
  FLOC_OPERATION_CEILING = 9,
  FLOC_OPERATION_LESS = 10,         /* a < b */
  FLOC_OPERATION_LESS_EQUAL = 11,   /* a <= b */
  FLOC_OPERATION_EQUAL = 12,        /* a == b */
  FLOC_OPERATION_AND = 13,
  FLOC_OPERATION_OR = 14,
  FLOC_OPERATION_NOT = 15,
  FLOC_OPERATION_SELECT = 16,       /* a ? b : c */
  /* From here on functions of mathematics (floc_exp ...). c is a condition: where it is 0 the value is not needed
     and becomes 0; -1: needed everywhere. */
  FLOC_OPERATION_POWER = 17,        /* a to the b */
  FLOC_OPERATION_REMAINDER = 18,    /* a - floor(a/b) b, exact, with the sign of b (Lua 5.4) */
  FLOC_OPERATION_ARC_TANGENT2 = 19, /* of a/b in the quadrant of (b, a) */
  FLOC_OPERATION_TRUNCATED_REMAINDER = 20, /* fmod(a, b) */
  FLOC_OPERATION_EXPONENTIAL = 21,
  FLOC_OPERATION_LOGARITHM = 22,
  FLOC_OPERATION_LOGARITHM2 = 23,
  FLOC_OPERATION_LOGARITHM10 = 24,
  FLOC_OPERATION_SINE = 25,
  FLOC_OPERATION_COSINE = 26,
  FLOC_OPERATION_TANGENT = 27,
  FLOC_OPERATION_ARC_SINE = 28,
  FLOC_OPERATION_ARC_COSINE = 29,
  FLOC_OPERATION_ARC_TANGENT = 30,
  FLOC_OPERATION_HYPERBOLIC_SINE = 31,
  FLOC_OPERATION_HYPERBOLIC_COSINE = 32,
  FLOC_OPERATION_HYPERBOLIC_TANGENT = 33
} floc_operation;

/* Operands are numbers of values: first the inputs, then the constants, then the results of the instructions
 * before this one, in order. -1: the operation has no such operand. */
typedef struct floc_instruction {
  int32_t operation;         /* floc_operation */
  int32_t a;
  int32_t b;
  int32_t c;
} floc_instruction;

typedef struct floc_program_options {
  uint32_t struct_size;
  int32_t input_count;       /* 0 to 64; default 0 */
  const double *constants;
  int32_t constant_count;    /* 0 to 1024; default 0 */
  int32_t code_count;        /* 0 to 4096; default 0 */
  const floc_instruction *code;
  const int32_t *outputs;    /* numbers of values */
  int32_t output_count;      /* 1 to 48; no default */
  bool fast_math;            /* default false. A product and a sum may be rounded once, and library functions may be
                                off by some units in the last place: other bits than without, the same on any number
                                of threads and after a resume on the same machine and libraries. Refused where there
                                is no AVX2 with FMA, or no glibc of 2.35 or newer. */
} floc_program_options;

floc_status floc_program_options_init_sized(floc_program_options *options, uint32_t size);
#define floc_program_options_init(options) floc_program_options_init_sized(options, sizeof(floc_program_options))

/* Checks a program and runs it once over count elements: inputs[k][0..count-1], outputs likewise. message (may be
 * NULL) receives the reason of a failure. The same bits for any SIMD width and on any machine, but with fast_math. */
floc_status floc_program_evaluate(const floc_program_options *options, int32_t count, const double *const *inputs,
                                  double *const *outputs, char *message, size_t message_size);

typedef enum floc_law_kind {
  FLOC_LAW_PAIR = 1,         /* a force between particles closer than range */
  FLOC_LAW_FIELD = 2,        /* a force on every particle */
  FLOC_LAW_WALL = 3,         /* a force between particles and bodies closer than range */
  FLOC_LAW_EVOLUTION = 4,    /* attributes that change in time */
  FLOC_LAW_ANGLE = 5         /* a force between three particles that bonds name */
} floc_law_kind;

typedef enum floc_law_pairs {
  FLOC_PAIRS_NEAR = 0,       /* those within range */
  FLOC_PAIRS_BONDS = 1       /* those that floc_law_add_bonds gives it, at any distance */
} floc_law_pairs;

/* The inputs of a law, by name (<column> is any column or attribute):
 *   everywhere     time (or t), time_step, the law's parameters, uniform_random (between 0 and 1), normal_random (mean
 *                  0, variance 1), with _2, _3, _4 further ones: functions of seed, step, ids and the law's number
 *   field, evolution   id, <column>
 *   pair           distance (of the centres), overlap, <column>_i <column>_j, id_i id_j, material_i material_j,
 *                  normal_velocity (rate of change of the distance, > 0 when separating),
 *                  tangential_velocity (of j's surface relative to i's at the contact; 3-D: its magnitude, 2-D: along
 *                  the normal rotated by +90 degrees), normal_x normal_y normal_z (from i to j),
 *                  slip_x slip_y slip_z (the tangential velocity as a vector), the law's memory
 *   wall           distance (of the centre from the surface), overlap, <column>, id, body, material, and the inputs
 *                  of pairs from normal_velocity on; the normal points to the body, and velocities are those of the
 *                  body relative to the particle
 *   angle          angle (at j between the directions to i and k, from 0 to pi), distance_ij distance_jk distance_ik,
 *                  <column>_i <column>_j <column>_k, id_i id_j id_k
 * In a pair i is the particle of the smaller id, in an angle the end of the smaller id. A law's outputs, in this order unless outputs names them:
 *   pair, wall     normal (force, > 0 is repulsive); by name also tangential (force on j or on the body, in the
 *                  direction of tangential_velocity: friction is negative), tangential_x tangential_y tangential_z
 *                  (the same as a vector), energy, every memory, and what follows
 *   field          one per dimension, the force vector, and if there is one more, the energy; by name energy and
 *                  what follows
 *   evolution      rates of change of the attributes that outputs names
 *   angle          moment (> 0 opens the angle: minus the derivative of an energy with respect to it); by name also
 *                  force_ij force_jk force_ik (between two of the three, > 0 is repulsive), energy, for an attribute NAME
 *                  sum_NAME (to all three), sum_i_NAME sum_j_NAME sum_k_NAME, rate_ij_NAME rate_jk_NAME rate_ik_NAME
 *                  (per time: what the first gets the second gives)
 * Pairs, walls and fields, by name: force_x _y _z, torque_x _y _z (on i or the particle, at its centre; the opposite on
 * j or the body; in the plane torque_z alone), for an attribute NAME rate_NAME (per time: what i gets j gives) and
 * sum_NAME (added to both, from 0 in each evaluation; laws that read NAME, or sum_NAME, which some law must write, are
 * evaluated later, and cycles are refused). Of pairs, for one side alone: torque_i_x, torque_j_x, sum_i_NAME, ... */
typedef struct floc_law_options {
  uint32_t struct_size;
  const char *name;          /* shown in messages; may be NULL */
  const char *const *inputs; /* names of the law's inputs */
  int32_t input_count;       /* 0 to 64; default 0 */
  int32_t output_count;      /* 1 to 48; no default */
  double range;              /* >= 0 [length]; default 0. Pair, wall: maximum surface distance at which it acts.
                                Pair: INFINITY for all pairs, at their nearest images. Pairs of a law that reaches
                                across the box (the diagonal; half the length on periodic axes) and has no memory are
                                not stored. */
  floc_kernel_function function; /* no default; or program */
  void *context;
  bool parallel;             /* default false. function may run on several threads at once. */
  const char *const *outputs; /* names of its outputs; NULL: as above */
  const char *const *memory; /* pair, wall: numbers that each pair remembers from step to step, 0 for a pair that
                                comes into range; inputs and outputs. Names of up to 16 characters. */
  int32_t memory_count;      /* 0 to 32; default 0 */
  const char *const *parameters; /* names of numbers that can be changed between steps */
  const double *parameter_values;
  int32_t parameter_count;   /* 0 to 16; default 0 */
  const floc_program_options *program; /* instead of function; copied. It is stored in checkpoints. */
  int32_t pairs;             /* floc_law_pairs; default near. Pair: on which pairs it acts. With bonds range is 0. */
  const char *const *attributes; /* of laws over bonds: numbers that each bond has, by name. Inputs; an attribute
                                that is named among the outputs is set by the law. */
  const double *attribute_values; /* of bonds that are added without values */
  int32_t attribute_count;   /* 0 to 8; default 0 */
} floc_law_options;

floc_status floc_law_options_init_sized(floc_law_options *options, uint32_t size);
#define floc_law_options_init(options) floc_law_options_init_sized(options, sizeof(floc_law_options))

/* Adds a force between all pairs closer than range. *law gets its number. */
floc_status floc_pair_law_add(floc_world *world, const floc_law_options *options, int32_t *law);

/* Adds a force between the three particles of triples, which floc_law_add_bonds gives it. */
floc_status floc_angle_law_add(floc_world *world, const floc_law_options *options, int32_t *law);

/* Adds a force on every particle. *law gets its number. */
floc_status floc_field_add(floc_world *world, const floc_law_options *options, int32_t *law);

/* Adds a force between particles and bodies. *law gets its number. */
floc_status floc_wall_law_add(floc_world *world, const floc_law_options *options, int32_t *law);

/* Adds rates of change of attributes: in a step they grow by time_step times the rate at its start. */
floc_status floc_evolution_add(floc_world *world, const floc_law_options *options, int32_t *law);

/* Changes or reads a parameter of a law. Checkpoints store it. */
floc_status floc_law_set_parameter(floc_world *world, int32_t kind, int32_t law, const char *name, double value);
floc_status floc_law_get_parameter(floc_world *world, int32_t kind, int32_t law, const char *name, double *value);

/* Another program for a law that has one, with the same inputs and outputs. */
floc_status floc_law_set_program(floc_world *world, int32_t kind, int32_t law, const floc_program_options *program);

/* The sum of a law's output "energy" in the present state; 0 if it has none. If the last step did not compute it
 * (velocity Verlet evaluates laws at the end of a step), the laws are evaluated once more, and nothing changes.
 * During a step: of the last evaluation. */
floc_status floc_law_get_energy(floc_world *world, int32_t kind, int32_t law, double *energy);

/* Numbers about the pairs of a pair law or a wall law, as columns: of each pair within the law's range the numbers
 * names[0 .. name_count-1], in the engine's order. The first of names[k] is written to columns[k], the next stride bytes
 * further (sizeof(double): arrays; or the size of a struct), up to capacity; *count receives how many pairs there are.
 * columns may be NULL with capacity 0, to count; the same call directly after it copies what was counted. Names:
 *   pair             id_i id_j (id_i < id_j)
 *   wall             id, body, shape (numbers from 1, as body is for the law)
 *   angle            id_i id_j id_k, angle, distance_ij distance_jk distance_ik; each output, input and memory
 *   pair and wall    distance, overlap, normal_x normal_y normal_z as the law's inputs of these names; each output, as
 *                    the law gives it (normal, tangential, energy, ...); tangential_x tangential_y tangential_z: the
 *                    whole tangential force on j or on the body, of a law that has one; each input, as the law gets it;
 *                    each memory: what the pair remembers now, after the last step
 * The law is evaluated once more for this, as floc_law_get_energy does, and nothing changes; with discrete elements at
 * the velocities at which the last step found its forces. FLOC_NOT_FOUND: there is no such name, the message has those
 * known. FLOC_WRONG_STATE while a step is running. */
floc_status floc_law_get_pairs(floc_world *world, int32_t kind, int32_t law, const char *const *names,
                               int32_t name_count, double *const *columns, size_t stride, int64_t capacity,
                               int64_t *count);

/* The bonds of a pair law whose pairs are FLOC_PAIRS_BONDS, or of an angle law: pairs, or triples, of particles on which it acts at any distance, in a
 * periodic domain at their nearest images; nothing searches for them. Each bond has the law's memory, 0 at first, and
 * its attributes. The law removes a bond at the end of a step in which it returned something other than 0 as its
 * output "broken"; the output of an attribute's name sets that attribute. Checkpoints store bonds, and the world's hash
 * includes them. ids: two per bond, in any order; of an angle three, the middle one second. All calls take or leave all bonds.
 *   add: values[k], or NULL for attribute_values: attribute k of each bond; values may be NULL. FLOC_ALREADY_EXISTS: a
 *     pair has a bond of this law; FLOC_NOT_FOUND: there is no such particle.
 *   set: one attribute of all bonds, in the order of get; count must be their number.
 *   get: the order is that of (id_i, id_j, id_k), and the first id of a bond is below the last. names: of attributes and memory, as they are after the last
 *     step. ids may be NULL; up to capacity bonds are written; *count receives their number. */
floc_status floc_law_add_bonds(floc_world *world, int32_t kind, int32_t law, int64_t count, const int64_t *ids,
                               const double *const *values);
floc_status floc_law_remove_bonds(floc_world *world, int32_t kind, int32_t law, int64_t count, const int64_t *ids);
floc_status floc_law_set_bonds(floc_world *world, int32_t kind, int32_t law, const char *name, const double *values,
                               int64_t count);
floc_status floc_law_get_bonds(floc_world *world, int32_t kind, int32_t law, const char *const *names,
                               int32_t name_count, int64_t *ids, double *const *columns, int64_t capacity,
                               int64_t *count);

/* The program of a law as text, one line per value. *length gets the text's length; at most size bytes are
 * written, with the final zero. FLOC_WRONG_STATE if the law is no program. */
floc_status floc_law_text(floc_world *world, int32_t kind, int32_t law, char *text, size_t size, size_t *length);

/* Short-range attraction of Maury 2004, (2.8)-(2.9): a pair at surface distance D is pulled together by
 * kappa/epsilon sech^2(D/epsilon), for D below range. */
typedef struct floc_attraction_options {
  uint32_t struct_size;
  double kappa;              /* > 0 [mass length^2/time^2]; no default. Depth of the potential. */
  double epsilon;            /* > 0 [length]; no default. Distance over which it decays. */
  double range;              /* >= 0 [length]; default 0. Surface distance beyond which it is omitted; 0: 5 epsilon,
                                where it has fallen to 2e-4 of its maximum. */
  bool noise_scaling;        /* default false. false: enters a step as h F (3.7); true: as sqrt(h) F (4.3), so that
                                it keeps its weight relative to white noise. */
} floc_attraction_options;

floc_status floc_attraction_options_init_sized(floc_attraction_options *options, uint32_t size);
#define floc_attraction_options_init(options) floc_attraction_options_init_sized(options, sizeof(floc_attraction_options))
floc_status floc_attraction_add(floc_world *world, const floc_attraction_options *options, int32_t *law);

typedef enum floc_long_range_kind {
  FLOC_LONG_RANGE_GRAVITY = 0, /* sources attract each other */
  FLOC_LONG_RANGE_COULOMB = 1  /* sources of the same sign repel each other */
} floc_long_range_kind;

/* Gravity between particles, or forces between charges, at any distance: constant s_i s_j r/(r^2 + softening^2)^(3/2),
 * by a tree of cells with moments up to the octupole (docs/laws.md: errors, cost). In the plane as well 1/r^2, the force
 * between points in space. The domain may not be periodic. Looked up in the world's measures as long_range_energy. The
 * schemes are those of attraction (FLOC_FEATURE_ATTRACTION). *law: its number, may be NULL. */
typedef struct floc_long_range_options {
  uint32_t struct_size;
  int32_t kind;              /* floc_long_range_kind; no default */
  const char *source;        /* mass or an attribute, read in each step; NULL: mass, or charge with coulomb */
  double constant;           /* > 0; no default. Constant of gravity or of charges, in the units of the script. */
  double softening;          /* >= 0 [length]; default 0. Plummer's: the potential is constant s_i s_j/sqrt(r^2 +
                                softening^2). */
  double opening;            /* 0 to 1; default 0. A cell of the tree acts as a whole if its radius is below opening
                                times its distance; 0: 0.3, which gives a force error of 6e-5 (rms). */
} floc_long_range_options;

floc_status floc_long_range_options_init_sized(floc_long_range_options *options, uint32_t size);
#define floc_long_range_options_init(options) floc_long_range_options_init_sized(options, sizeof(floc_long_range_options))
floc_status floc_long_range_add(floc_world *world, const floc_long_range_options *options, int32_t *law);

/* A priori velocities by a function of the host in place of u + h f/m (Lefebvre 2009, Remark 2.8), so that a
 * fluid solver can be coupled by splitting. Inputs by name as for a field; fx fy fz are the sums of the laws at
 * the step's start. outputs: V* (output_count = dimension), followed, if wanted, by the angular velocity before
 * contacts (one more in 2-D, three more in 3-D); then something must rotate (by rotation or friction, or an
 * assembly, which takes it from its members), or the step is refused. Gravity, a flow and noise would have no
 * effect: together with it they are FLOC_NOT_SUPPORTED, in either order. options NULL: back to u + h f/m. */
floc_status floc_world_set_a_priori(floc_world *world, const floc_law_options *options);

/* What may act in addition to a scheme's own contacts. A call whose feature the world's scheme lacks is refused
 * with FLOC_NOT_SUPPORTED, and a scheme is refused if the world already has a feature that it lacks; the message
 * names the schemes that support it. docs/schemes/matrix.md has the table. */
typedef enum floc_feature {
  FLOC_FEATURE_GRAVITY = 0,
  FLOC_FEATURE_PAIR_LAWS = 1,
  FLOC_FEATURE_WALL_LAWS = 2,
  FLOC_FEATURE_FIELDS = 3,
  FLOC_FEATURE_ATTRACTION = 4,
  FLOC_FEATURE_EVOLUTION = 5,
  FLOC_FEATURE_FLOW = 6,
  FLOC_FEATURE_NOISE = 7,
  FLOC_FEATURE_A_PRIORI = 8,
  FLOC_FEATURE_BODIES = 9,
  FLOC_FEATURE_ASSEMBLIES = 10,
  FLOC_FEATURE_RAY_SOURCES = 11,
  FLOC_FEATURE_BONDS = 12,
  FLOC_FEATURE_PROBLEMS = 13,      /* floc_problem_record */
  FLOC_FEATURE_ENERGY_LEDGER = 14,
  FLOC_FEATURE_SERVO = 15,
  FLOC_FEATURE_DEFORMATION = 16,   /* floc_world_deform */
  FLOC_FEATURE_FREE_BODIES = 17,   /* floc_body_set_free */
  FLOC_FEATURE_JOINTS = 18,        /* floc_joint_add */
  FLOC_FEATURE_COUNT = 19
} floc_feature;

/* FLOC_OK, or FLOC_NOT_SUPPORTED with the message that a call of the feature would leave. */
floc_status floc_world_check_feature(floc_world *world, int32_t feature);

typedef enum floc_flow_kind {
  FLOC_FLOW_NONE = 0,
  FLOC_FLOW_UNIFORM = 1,           /* U = velocity */
  FLOC_FLOW_SHEAR = 2,             /* U = (rate y, 0, 0) */
  FLOC_FLOW_OSCILLATING_SHEAR = 3, /* U = (rate sin(frequency t) y, 0, 0), Maury 2004, (4.1) */
  FLOC_FLOW_ROTATION = 4,          /* U = rate (-y, x, 0) about center */
  FLOC_FLOW_FUNCTION = 5,          /* the kernel: inputs by name as for a field, outputs U */
  FLOC_FLOW_STILL = 6              /* U = 0: friction only */
} floc_flow_kind;

/* The law of a flow by a function: floc_law_options as it was in 0.1.0, for ever. */
typedef struct floc_flow_function {
  uint32_t struct_size;
  const char *name;
  const char *const *inputs;
  int32_t input_count;
  int32_t output_count;
  double range;
  floc_kernel_function function;
  void *context;
  bool parallel;
  const char *const *outputs;
  const char *const *memory;
  int32_t memory_count;
  const char *const *parameters;
  const double *parameter_values;
  int32_t parameter_count;
  const floc_program_options *program;
} floc_flow_function;

/* Drift in a prescribed flow, Maury 2004, (2.7): friction -m (u - U)/relaxation_time. One flow per world. What
 * rotates also experiences the torque -(4/3) (m/relaxation_time) r^2 (omega - rot U/2); rot U of a function is
 * taken by central differences of its values 1e-3 radii to both sides along each axis. */
typedef struct floc_flow_options {
  uint32_t struct_size;
  int32_t kind;              /* floc_flow_kind; default none */
  double relaxation_time;    /* > 0 [time]; no default. tau = m/xi. */
  bool exponential;          /* default false. Projection. false: explicit, as printed in (3.7), stable for h <= 2
                                tau; true: exact for a constant U over the step. Rotation of particles is always
                                exact, and so are discrete elements. */
  double velocity[3];        /* [length/time]. Uniform. */
  double rate;               /* [1/time]; default 1. Shear, rotation. */
  double frequency;          /* [rad/time]; default 0. Oscillating shear, angular. */
  double center[3];          /* [length]. Shear: where U vanishes; rotation: the axis; default 0. */
  floc_flow_function function; /* function: name, inputs, output_count = dimension */
  const floc_law_options *law; /* function: instead of `function`, if it is not NULL */
} floc_flow_options;

floc_status floc_flow_options_init_sized(floc_flow_options *options, uint32_t size);
#define floc_flow_options_init(options) floc_flow_options_init_sized(options, sizeof(floc_flow_options))
floc_status floc_world_set_flow(floc_world *world, const floc_flow_options *options);

/* White noise of Maury 2004, (4.3), m dv = ... + sigma dW: a step adds sigma sqrt(h) W/m to the a priori velocity, W
 * standard normal per component; no torque. Keyed by the world's seed, the particle's id and the step. With a flow
 * <v^2> tends to sigma^2 tau/(2 m^2) per component: at any h/tau under discrete elements (velocity Verlet: BAOAB, B.
 * Leimkuhler and C. Matthews 2013; trapezoidal: half a bath on both sides of the rule) and under the projection with
 * `exponential`, where the noise is the exact sigma sqrt(tau/2 (1 - exp(-2 h/tau))) W/m; with the explicit drift it
 * tends to that over 1 - h/(2 tau). */
typedef struct floc_noise_options {
  uint32_t struct_size;
  double sigma;              /* >= 0 [mass length/time^(3/2)]; no default. 0: none. */
} floc_noise_options;

floc_status floc_noise_options_init_sized(floc_noise_options *options, uint32_t size);
#define floc_noise_options_init(options) floc_noise_options_init_sized(options, sizeof(floc_noise_options))
floc_status floc_world_set_noise(floc_world *world, const floc_noise_options *options);

/* ---- the projection scheme -------------------------------------------------------------------- */

typedef enum floc_contact_law {
  FLOC_CONTACT_INELASTIC = 1, /* Maury 2004 (3.5)-(3.6): surfaces that touch do not penetrate */
  FLOC_CONTACT_GLUEY = 2      /* Lefebvre 2009, 3.2: pairs that were pressed together stick until they have been
                                 pulled apart by the same impulse */
} floc_contact_law;

typedef enum floc_gluey_rule {
  FLOC_GLUEY_BOUNDED = 0,    /* p >= gamma: the implicit discretisation of Lefebvre 2009, (2.6); conserves momentum
                                when a pair detaches and is solvable whenever the inelastic problem is */
  FLOC_GLUEY_EQUALITY = 1    /* Algorithm 3.3 as printed: glued pairs keep their distance exactly, and gamma is
                                clamped at 0 after the step */
} floc_gluey_rule;

/* A number for contacts between two materials, the smaller first. Called once per pair of materials; it must always
 * return the same number for a pair. */
typedef floc_status (*floc_material_function)(void *context, int32_t material_i, int32_t material_j, double *value);

/* The same for many quantities, by the name of the option: "friction". What it said is in checkpoints, and is not asked
 * again after a load. */
typedef floc_status (*floc_pair_function)(void *context, const char *quantity, int32_t material_i, int32_t material_j, double *value);

typedef enum floc_solver {
  FLOC_SOLVER_AUTO = 0,          /* working set, islands, conjugate gradient or accelerated Gauss-Seidel */
  FLOC_SOLVER_UZAWA = 1,         /* the papers' projected gradient on the dual, Maury 2004 (3.13)-(3.14) */
  FLOC_SOLVER_APGD = 2,          /* accelerated projected gradient with restart and backtracking */
  FLOC_SOLVER_INTERIOR_POINT = 3 /* interior point method with a sparse factorisation: a few dozen factorisations
                                    whatever the problem */
} floc_solver;

typedef enum floc_friction_law {
  FLOC_FRICTION_LAW_EXACT = 0, /* Coulomb's law: a contact that slides is not lifted */
  FLOC_FRICTION_LAW_CONVEX = 1 /* associated flow: a convex problem, which is always solved; a sliding contact keeps
                                  a gap of friction times the distance that it slides in a step */
} floc_friction_law;

typedef struct floc_projection_options {
  uint32_t struct_size;
  int32_t contact_law;       /* floc_contact_law; default inelastic */
  double gamma_min;          /* <= 0 [mass length/time]; default -INFINITY. Gluey: minimum of gamma; -infinity is the
                                smooth case. */
  int32_t solver;            /* floc_solver; default auto. How the contact problem is solved. */
  double tolerance;          /* >= 0 [length]; default 0. Residual at which a step counts as solved; 0: the minimum
                                of those of floc_tolerance_rule that apply. Above |gravity| time_step^2, which free
                                fall meets, the log gets a warning. */
  int32_t max_iterations;    /* >= 1; default 20000. Maximum number of products with the contact matrix per step. */
  bool warm_start;           /* default true. Start from the impulses of the last step. */
  int32_t gluey_rule;        /* floc_gluey_rule; default bounded */
  bool radius_factor;        /* default false. Gluey: gamma <- gamma - R p with R = (r_i + r_j)^2/(r_i r_j)^2, 1/r^2
                                at a body (Lefebvre 2009, Remark 3.2). */
  double viscosity;          /* >= 0 [mass/(length time)]; default 0. Gluey: above 0 the minimum of gamma of a
                                contact is 6 pi viscosity ln(s_i + s_j) (0 if that is above 0; -infinity if s_i + s_j
                                = 0), with the radius factor on, and gamma_min is not used. s: the particle attribute
                                "roughness" (0 without it), floc_body_options.roughness. */
  floc_material_function gamma_min_function; /* Gluey: minimum of gamma per pair of materials, <= 0, in place of
                                gamma_min; default NULL. Materials: the particle attribute "material" (0 without it),
                                floc_body_options.material. */
  void *gamma_min_context;
  double friction;           /* >= 0; default 0. Coulomb's coefficient. Above 0 particles rotate: the columns wz
                                (2-D, with the accumulated angle) or wx wy wz (3-D) are added; discs have the inertia
                                m r^2/2, spheres 2 m r^2/5. Adhesion (gluey) adds to the normal impulse in Coulomb's
                                limit. Not with the equality rule. */
  bool rotation;             /* default false. Particles rotate even without friction. */
  double restitution;        /* 0 to 1; default 0. A contact that closes in a step leaves with this fraction of its
                                approach speed. Only with inelastic contacts. */
  double restitution_speed;  /* >= 0 [length/time]; default 0. Slower contacts do not rebound. Nor do those that
                                approach by less than twice what the forces of the step add. */
  int32_t friction_law;      /* floc_friction_law; default exact. Only with friction. */
  double rolling;            /* >= 0 [length]; default 0. Resistance against rolling: a contact transmits a moment
                                about axes across the normal (in the plane: about z) of up to this length times the
                                normal impulse, as friction is limited, and as much as it takes to stop the relative
                                rotation. Particles rotate as with friction. Not with the equality rule, the convex
                                law or the interior point method. */
  double twisting;           /* >= 0 [length]; default 0. The same about the normal. In space only. */
  int32_t budget;            /* 0 to 1e9; default 0. Above 0: each solve of a step makes that many sweeps over its
                                contacts, fewer only in islands that meet the tolerance that would be chosen. No step
                                counts as unconverged; overlap, residual and energy_fall of the report tell what is
                                left. */
  const char *by_pair;       /* The quantities that pair_function gives, separated by spaces, of friction, rolling,
                                twisting, restitution and gamma_min; their members here are then at their defaults.
                                NULL: none. */
  floc_pair_function pair_function; /* Called once per pair of materials and quantity, when a contact of such a pair
                                is first seen: the column material (0 without it), floc_body_options.material,
                                floc_body_set_material. Its values have the ranges of the members. */
  void *pair_context;
  bool first_order;          /* default false. No inertia (Maury and Venel 2011): floc_world_set_a_priori gives the
                                velocities that particles would have alone, and contacts replace them by the nearest
                                ones in the norm sum |v|^2, where all particles weigh the same whatever their mass;
                                impulses are lengths over time. A step without these velocities is refused, and so is
                                one with forces that they do not read. The tolerance follows from radii and speeds.
                                Only with inelastic contacts, without friction, rolling, twisting, rotation or
                                restitution. */
  int32_t passes;            /* 0 to 4; default 0. 2: with grains that are not round and with free bodies, contacts
                                are found again where a step leads, and it is solved once more, so that what turns by
                                a in a step overlaps by a^3 or so of its size instead of a^2. 0 and 1: they are found
                                once. A step in which a crowd goes many radii has one pass. Not with restitution,
                                rigid assemblies or cells that deform. */
} floc_projection_options;

floc_status floc_projection_options_init_sized(floc_projection_options *options, uint32_t size);
#define floc_projection_options_init(options) floc_projection_options_init_sized(options, sizeof(floc_projection_options))

/* What a contact law of the host sees of a step: an element for each contact. */
typedef struct floc_contact_rows {
  int64_t count;             /* contacts */
  int32_t dimension;         /* 2 or 3 */
  int32_t memory_count;      /* of the law */
  double time_step;
  const int64_t *first;      /* id of the particle that the normal points away from */
  const int64_t *second;     /* id of the other particle; -1 - the number of the body for a body or a wall of the
                                domain (number -1: 0) */
  const double *distance;    /* between the surfaces before the step, < 0 overlapping [length] */
  const double *weight;      /* 1/(1/m_first + 1/m_second): the impulse that changes the normal velocity by 1 [mass] */
  const double *const *normal; /* [3] unit vectors from first to second; normal[2] is NULL in two dimensions */
  double *lower;             /* the least normal impulse, <= 0, -infinity: glued [mass length/time] */
  double *friction;          /* coefficients >= 0; NULL unless the projection has friction */
  double *rolling;           /* >= 0 [length]; NULL unless the projection has rolling or twisting */
  double *twisting;          /* likewise; NULL in two dimensions */
  const double *impulse;     /* along the normal: before the solve the first guess, then the solution [mass
                                length/time] */
  double *const *memory;     /* [memory_count] what pairs remember */
} floc_contact_rows;

/* A law's function: may write lower, friction, rolling, twisting and memory in `bounds`, memory in `remember`. Called once
 * per attempt at a step, on the thread that steps, with all contacts; the same numbers must give the same results. It may
 * read the world as all functions of the host may, and other calls are refused. */
typedef floc_status (*floc_contact_law_function)(void *context, const floc_contact_rows *rows);

/* A contact law of the host, on top of those of the projection. */
typedef struct floc_contact_law_type {
  uint32_t struct_size;
  const char *name;          /* letters, digits and _, no digit first; at most 15; no default */
  int32_t memory_count;      /* numbers that each pair remembers, 0 to 4; default 0 */
  const char *const *memory; /* their names, at most 15 bytes each, like name */
  void *context;
  floc_contact_law_function bounds; /* no default */
  floc_contact_law_function remember; /* NULL: memory stays as bounds has left it; default NULL */
} floc_contact_law_type;

floc_status floc_contact_law_type_init_sized(floc_contact_law_type *type, uint32_t size);
#define floc_contact_law_type_init(type) floc_contact_law_type_init_sized(type, sizeof(floc_contact_law_type))

/* Adds a contact law to the projections that are chosen after (floc_world_set_projection), at most 4. Before each solve
 * `bounds` gets the bounds that the options and earlier laws have made, and may change them; a bound out of its range is
 * FLOC_CALLBACK_FAILED with the law, the two of the contact and the value. After the solve `remember` sees the impulses;
 * what it writes into memory is what pairs remember, survives in checkpoints under NAME.MEMORY, and is 0 for pairs that
 * come into contact. A checkpoint that was written with a law is loaded into a world with a law of the same names. The
 * strings are copied. FLOC_ALREADY_EXISTS: the name is taken. FLOC_LIMIT_EXCEEDED: there are 4. */
floc_status floc_contact_law_add(floc_world *world, const floc_contact_law_type *type);

/* Chooses the scheme; a new world has the inelastic projection with its defaults. */
floc_status floc_world_set_projection(floc_world *world, const floc_projection_options *options);

/* ---- ballistic aggregation: time stepping -------------------------------------------------------- */

/* Particles move in free flight and stick together when they collide; clusters are reflected at walls as a whole
 * (Degond, Dimarco, Ferreira, Hecht 2024, section 3). Each step moves all clusters, links the particles
 * that overlap then, and looks for a nearby configuration in which linked particles touch and none
 * overlap; linked clusters become one, at the mean velocity. Fields, laws, gravity and bodies are not
 * supported. Particles that touch or overlap at the start are linked. */

typedef enum floc_minimiser {
  FLOC_MINIMISER_PROJECTION = 0,    /* violated links are projected one by one, in the perturbed neighbourhood only;
                                       needs no parameters */
  FLOC_MINIMISER_ARROW_HURWICZ = 1, /* damped Arrow-Hurwicz over whole clusters, (3.22)-(3.23) */
  FLOC_MINIMISER_STOCHASTIC = 2     /* projection in an order that is drawn at random from the world's seed */
} floc_minimiser;

typedef struct floc_ballistic_options {
  uint32_t struct_size;
  int32_t minimiser;         /* floc_minimiser; default projection */
  bool rigid;                /* default false. Clusters keep their shape: they are moved back to the time at which
                                they first touched, and the minimiser is not used. */
  bool rotation;             /* default false. Clusters rotate about their centres; angular momentum is conserved at
                                merges and kept at walls; not with rigid. The columns wz (2-D) or wx wy wz (3-D) are
                                added. Clusters that reach themselves through periodic faces do not rotate. */
  double step_factor;        /* >= 0; default 1. The step is step_factor R / max|V|, (3.3), with the least radius R,
                                and not above the world's time step; 0: the world's time step. A step whose links
                                cannot be brought to contact is repeated at half its length. */
  double tolerance;          /* > 0; default 0.01. Maximum distance from contact of linked particles, in radii of the
                                smaller one. */
  int32_t max_iterations;    /* >= 1; default 1000. Of Arrow-Hurwicz per minimisation (projection does the rest), or
                                projections of one link per step. */
  int32_t patience;          /* >= 1; default 150. After this number, stretched links that close a loop lose their
                                attraction: some loops cannot be satisfied. */
  double descent;            /* > 0; default 0.1. Arrow-Hurwicz: alpha. */
  double ascent;             /* > 0; default 0.01. Arrow-Hurwicz: beta R^2. */
  double penalty;            /* > 0; default 0.0675. Arrow-Hurwicz: gamma R^2; stable below 0.08. */
  double damping;            /* > 0; default 1. Arrow-Hurwicz: c. */
  double skin;               /* >= 0 [length]; default 0. As for the event-driven scheme. */
} floc_ballistic_options;

floc_status floc_ballistic_options_init_sized(floc_ballistic_options *options, uint32_t size);
#define floc_ballistic_options_init(options) floc_ballistic_options_init_sized(options, sizeof(floc_ballistic_options))

/* Chooses the scheme from the next step on. */
floc_status floc_world_set_ballistic(floc_world *world, const floc_ballistic_options *options);

/* Counts since the scheme was chosen. */
typedef struct floc_ballistic_report {
  uint32_t struct_size;
  int64_t clusters;          /* now */
  int64_t links;             /* pairs that overlapped and stick */
  int64_t merges;            /* of two clusters */
  int64_t reflections;       /* of a cluster at a wall */
  int64_t minimisations;     /* runs of the minimiser */
  int64_t iterations;        /* projections of links, or iterations of Arrow-Hurwicz */
  int64_t dropped;           /* links of loops that lost their attraction */
  int64_t unsolved;          /* links that were beyond the tolerance when max_iterations was reached */
  int64_t searches;          /* for neighbours of one particle */
  int64_t pairs_looked_at;   /* in the search for overlaps */
  double greatest_residual;  /* distance from contact of a link after its minimisation, in radii, without the stretch
                                of those that were dropped */
  int64_t stalled;           /* minimisations that Arrow-Hurwicz did not finish; projection did */
  int64_t retried;           /* steps that were repeated at half their length, because clusters had interlocked */
} floc_ballistic_report;

floc_status floc_ballistic_report_init_sized(floc_ballistic_report *report, uint32_t size);
#define floc_ballistic_report_init(report) floc_ballistic_report_init_sized(report, sizeof(floc_ballistic_report))

/* FLOC_WRONG_STATE unless the world has the time-stepping ballistic scheme. */
floc_status floc_world_get_ballistic_report(floc_world *world, floc_ballistic_report *report);

/* ---- ballistic aggregation: the event-driven scheme -------------------------------------------- */

/* Particles move in free flight and stick together when they collide; clusters translate without rotation and
 * are reflected at walls as a whole (Degond, Dimarco, Ferreira, Hecht 2024, Appendix A). Collision times
 * are exact. Fields, laws, gravity and bodies are not supported. One step goes to time + time step with
 * all collisions in between, or ends when a single cluster is left. Particles that touch at the start
 * (within 1e-9 of the smaller radius) stick. */
typedef struct floc_event_driven_options {
  uint32_t struct_size;
  double restitution;        /* 0 to 1; default 0. Coefficient of restitution of a fast collision, (2.3). */
  double sticking_restitution; /* 0 to 1; default 0. Collisions whose coefficient is not above this stick, all others
                                bounce, (2.6). */
  double sticking_speed;     /* >= 0 [length/time]; default 0. Normal speed v_s up to which adhesion dominates; above
                                it the coefficient is restitution sqrt(1 - (v_s/v)^2). */
  double skin;               /* >= 0 [length]; default 0. Surface distance up to which neighbours are listed, at
                                least 1e-6 of the smallest radius (FLOC_LIMIT_EXCEEDED by the step); 0: chosen by the
                                engine; changes the cost only. */
  bool rotation;             /* default false. Clusters rotate about their centres, as free rigid bodies, and touch
                                at exact times; linear and angular momentum are conserved at merges. Impacts with
                                restitution and at walls are those of rigid bodies, without friction. The columns wz
                                (2-D) or wx wy wz (3-D) are added. Clusters that reach themselves through periodic
                                faces do not rotate. */
} floc_event_driven_options;

floc_status floc_event_driven_options_init_sized(floc_event_driven_options *options, uint32_t size);
#define floc_event_driven_options_init(options) floc_event_driven_options_init_sized(options, sizeof(floc_event_driven_options))

/* Chooses the scheme from the next step on. */
floc_status floc_world_set_event_driven(floc_world *world, const floc_event_driven_options *options);

/* Counts since the scheme was chosen. */
typedef struct floc_event_driven_report {
  uint32_t struct_size;
  int64_t clusters;          /* now */
  int64_t links;             /* pairs that touched and stuck */
  int64_t events;            /* taken from the queue and carried out */
  int64_t merges;            /* of two clusters */
  int64_t bounces;           /* collisions that did not stick */
  int64_t reflections;       /* of a cluster at a wall */
  int64_t expirations;       /* of a cluster's neighbour lists */
  int64_t second_looks;      /* at pairs whose collision time was bounded only */
  int64_t stale;             /* events that a later collision had made obsolete */
  int64_t predictions;       /* of a pair's collision time */
  int64_t searches;          /* for neighbours of one particle */
  int64_t queue_length;      /* now, stale events included */
  double greatest_gap;       /* |surface distance| at a collision, in radii of the smaller particle */
} floc_event_driven_report;

floc_status floc_event_driven_report_init_sized(floc_event_driven_report *report, uint32_t size);
#define floc_event_driven_report_init(report) floc_event_driven_report_init_sized(report, sizeof(floc_event_driven_report))

/* FLOC_WRONG_STATE unless the world has the event-driven scheme. */
floc_status floc_world_get_event_driven_report(floc_world *world, floc_event_driven_report *report);

/* ---- the discrete-element scheme -------------------------------------------------------------- */

/* Particles are spheres that may overlap; forces grow with the overlap (Zohdi 2016; equation numbers are
 * that paper's). In two dimensions contact areas and drag are those of spheres whose centres stay in the plane z = 0;
 * they rotate as discs, with the inertia m r^2/2, as in all schemes. */

typedef enum floc_contact_force {
  FLOC_CONTACT_FORCE_NONE = 0,    /* contacts exert no force of the scheme's own: laws do it; without friction and
                                     bonds, and contacts are not counted */
  FLOC_CONTACT_FORCE_PENALTY = 1, /* (13): stiffness E^exponent A, E the overlap over R_i + R_j (14), A the contact
                                     area (68)-(69) */
  FLOC_CONTACT_FORCE_HERTZ = 2,   /* (70), with young_modulus and poisson_ratio */
  FLOC_CONTACT_FORCE_HOOKE = 3    /* stiffness times overlap */
} floc_contact_force;

typedef enum floc_friction {
  FLOC_FRICTION_NONE = 0,
  FLOC_FRICTION_REGULARIZED = 1, /* (20)-(24): stick force proportional to the tangential velocity */
  FLOC_FRICTION_SPRING = 2       /* accumulated tangential spring (Cundall and Strack 1979) */
} floc_friction;

typedef enum floc_bond_law {
  FLOC_BOND_NONE = 0,
  FLOC_BOND_LITERAL = 1,     /* (25)-(26) as printed: acts only while the particles overlap */
  FLOC_BOND_PERSISTENT = 2   /* once formed it pulls in tension, until it breaks */
} floc_bond_law;

typedef enum floc_integrator {
  FLOC_INTEGRATOR_TRAPEZOIDAL = 1,    /* (31)-(34), fixed-point iteration with adaptive steps, 6.1 */
  FLOC_INTEGRATOR_VELOCITY_VERLET = 2 /* explicit, one evaluation of the forces per step */
} floc_integrator;

typedef enum floc_near_field_scaling {
  FLOC_NEAR_FIELD_CONSTANT = 0, /* the coefficients as they are */
  FLOC_NEAR_FIELD_MASS = 1,     /* times m_i m_j */
  FLOC_NEAR_FIELD_AREA = 2,     /* times the surface areas 4 pi R^2 */
  FLOC_NEAR_FIELD_VOLUME = 3,   /* times the volumes */
  FLOC_NEAR_FIELD_CHARGE = 4    /* times the charges q_i q_j (attribute "charge") */
} floc_near_field_scaling;

typedef struct floc_discrete_element_options {
  uint32_t struct_size;
  /* contact */
  int32_t contact_force;     /* floc_contact_force; default penalty */
  double stiffness;          /* > 0, <= 1e60 [force/length^2]; default 1e7. Penalty: K_p; Hooke: k [force/length]. */
  double exponent;           /* 0 to 100; default 2. Penalty: p_p. */
  double young_modulus;      /* > 0, <= 1e60 [force/length^2]; default 1e9. Hertz. Bodies are rigid. */
  double poisson_ratio;      /* > -1, <= 0.5; default 0.3. With hertz. */
  double damping;            /* 0 to 1e60; default 0. (19): c_cd, force per contact area and normal velocity; with
                                Hooke force per normal velocity [mass/time]. */
  bool limit_damping;        /* default false. The normal contact force never pulls; it does by default, as in the
                                paper. */
  bool rotation;             /* default false. (16)-(18): particles spin; adds the columns wx wy wz (2-D: wz)
                                [1/time]. */
  /* friction */
  int32_t friction;          /* floc_friction; default none */
  double friction_stiffness; /* 0 to 1e60 [force/length^3]; default 1e7. K_f, times the contact area; with Hooke and
                                spring: k_t [force/length]. */
  double friction_static;    /* 0 to 1e6; default 0.4. mu_s, of static friction: a contact sticks up to this times
                                its normal force. */
  double friction_dynamic;   /* 0 to 1e6; default 0.3. mu_d, the coefficient of friction of a contact that slides; at
                                most friction_static. */
  double friction_damping;   /* 0 to 1e60; default 0. Spring: c_t, along the surface; units as for damping. */
  double friction_time;      /* 0 to 1e60 [time]; default 1e-5. Regularized and bonds: the time that stands for the
                                step in (20), (21) and (26); 0: the time step itself, as printed. */
  /* bonds */
  int32_t bond_law;          /* floc_bond_law; default none */
  double bond_stiffness;     /* 0 to 1e60 [force/length^2]; default 1e6. K_nb. */
  double bond_exponent;      /* 0 to 100; default 2. p_b. */
  double bond_tangential_stiffness; /* 0 to 1e60 [force/length^3]; default 1000. K_rb of (26). */
  double bond_formation;     /* 0 to 1; default 0.01. E*: overlap strain at which a bond forms. */
  double bond_breaking;      /* > 0, <= 100; default 0.1. Persistent: tensile strain at which it breaks. */
  /* temperature */
  bool thermal_softening;    /* default false. (35)-(37): the stiffness falls with the attribute "temperature". */
  double thermal_sensitivity; /* -100 to 100; default 1. a of (35). */
  double reference_temperature; /* > 0, <= 1e60 [temperature]; default 500. Theta* of (35). */
  double initial_temperature; /* -1e60 to 1e60 [temperature]; default 300. Of particles that are given no other. */
  double least_stiffness;    /* 0 to 1e60 [force/length^2]; default 1e6. K_lim of (35). */
  /* surroundings */
  double viscosity;          /* 0 to 1e60 [mass/(length time)]; default 0. (30): c_e. */
  double medium_velocity[3]; /* -1e60 to 1e60 [length/time]. v_e; default 0. */
  floc_kernel_function medium_flow; /* instead: inputs x y z time, outputs vx vy vz; may be NULL */
  void *medium_flow_context;
  /* near field (28): attraction r^-attraction_exponent - repulsion r^-repulsion_exponent towards the other */
  double attraction;         /* -1e60 to 1e60; default 0 */
  double attraction_exponent; /* 0 to 100; default 2 */
  double repulsion;          /* -1e60 to 1e60; default 0 */
  double repulsion_exponent; /* 0 to 100; default 4 */
  int32_t near_field_scaling; /* floc_near_field_scaling; default constant. With an attribute "sign" the coefficients
                                are also multiplied by c_i c_j. */
  double near_field_range;   /* >= 0 [length]; default INFINITY. Maximum surface distance; infinite: all pairs, at a
                                cost that grows with the square of their number. */
  /* external fields: inputs x y z time, outputs three components; NULL: none */
  floc_kernel_function electric_field; /* (27), acts on the attribute "charge" */
  void *electric_field_context;
  floc_kernel_function magnetic_field; /* (27) and (29), B */
  void *magnetic_field_context;
  double magnetization;      /* -1e60 to 1e60; default 0. (29): gamma of particles that were not given another; adds
                                the attribute "magnetization" when it is not 0. */
  double magnetic_difference; /* > 0, <= 1e60 [length]; default 0.001. Over which grad(B.B) is taken by central
                                differences of fourth order. */
  bool parallel_fields;      /* default false. The field functions may run on several threads at once. */
  /* time */
  int32_t integrator;        /* floc_integrator; default trapezoidal */
  double phi;                /* 0 to 1; default 0.5. Weight of the step's end in the trapezoidal rule. */
  double tolerance;          /* > 0, <= 1; default 5e-4. Of the iteration (6.1). */
  int32_t iterations;        /* 1 to 1e6; default 10. Target (K_d). */
  bool adaptive;             /* default true. Trapezoidal: the step follows (75), at most the world's time step. When
                                it is off and K_d iterations are not enough, the step is taken all the same and
                                counts as unconverged. */
  double first_time_step;    /* 0 to 1e60 [time]; default 0. Adaptive: the first step; 0: the world's. */
  /* resistance to rolling, with rotation */
  double rolling_friction;   /* 0 to 1e6; default 0. mu_r: torque at most mu_r R* |F_n|, R* = R_i R_j/(R_i + R_j),
                                with a body R_i; 0: none */
  double rolling_stiffness;  /* 0 to 1e60 [force/length^3]; default 0. K_r, per rolled length, times the contact
                                area; Hooke: k_r [force/length] */
  double rolling_damping;    /* 0 to 1e60; default 0. of that spring; units as for damping */
  const char *by_pair;       /* The members that pair_function gives by pairs of materials, separated by spaces, of
                                stiffness, damping, friction_stiffness, friction_static, friction_dynamic,
                                friction_damping, rolling_friction, rolling_stiffness, rolling_damping; here they are
                                then at their defaults. Materials are 0 to 63. NULL: none. */
  floc_pair_function pair_function; /* Called once per pair of materials and member, when such a pair is first near. */
  void *pair_context;
  bool bond_bodies;          /* default false. Particles bond to bodies and walls as to each other; strains are then
                                over R_i. */
  double bond_strength_spread; /* 0 to 0.999; default 0. Persistent: each bond breaks at bond_breaking (1 -
                                bond_strength_spread u), u in (0, 1) of the seed and the ids; 0: all at
                                bond_breaking. */
} floc_discrete_element_options;

floc_status floc_discrete_element_options_init_sized(floc_discrete_element_options *options, uint32_t size);
#define floc_discrete_element_options_init(options) floc_discrete_element_options_init_sized(options, sizeof(floc_discrete_element_options))

/* Chooses the scheme. With adaptive steps the world's time step is the maximum, and the world's time tells how long
 * a step was. */
floc_status floc_world_set_discrete_element(floc_world *world, const floc_discrete_element_options *options);

typedef struct floc_discrete_element_report {
  uint32_t struct_size;
  int32_t iterations;        /* fixed-point iterations of the last step */
  int64_t total_iterations;  /* since the start */
  int64_t evaluations;       /* evaluations of all forces since the start */
  int64_t rejected_steps;    /* steps that were repeated with a smaller time step, since the start */
  double time_step;          /* of the last step */
  double next_time_step;     /* that the adaptive rule chose for the next step */
  double error;              /* of the last fixed-point iteration, over the tolerance (Z_K) */
  int64_t contacts;          /* overlapping pairs at the last evaluation */
  int64_t wall_contacts;
  int64_t bonds;             /* persistent bonds now */
  int64_t bonds_formed;      /* since the start, of pairs of particles */
  int64_t bonds_broken;
  double kinetic_energy;     /* translation */
  double rotational_energy;
  double contact_energy;     /* stored in the overlaps of pairs and walls */
  double friction_energy;    /* stored in tangential and rolling springs */
  double bond_energy;        /* stored in stretched persistent bonds */
  double near_field_energy;  /* of (28) */
  double critical_time_step; /* of the present state: above it contacts may gain energy; infinite without a limit */
  int64_t critical_id;       /* the particle that limits it; 0: none */
  int64_t wall_bonds;        /* persistent bonds to bodies and walls now */
} floc_discrete_element_report;

floc_status floc_discrete_element_report_init_sized(floc_discrete_element_report *report, uint32_t size);
#define floc_discrete_element_report_init(report) floc_discrete_element_report_init_sized(report, sizeof(floc_discrete_element_report))

/* Counts of the scheme and energies by kind; FLOC_WRONG_STATE with another scheme. */
floc_status floc_world_get_discrete_element_report(floc_world *world, floc_discrete_element_report *report);

/* Joins two particles by a persistent bond of the given contact area A_0 > 0 [length^2] now. Their strain must be
 * below the breaking strain. */
floc_status floc_bond_add(floc_world *world, int64_t id_i, int64_t id_j, double area);

/* Breaks a persistent bond; FLOC_NOT_FOUND if the two particles have none. */
floc_status floc_bond_remove(floc_world *world, int64_t id_i, int64_t id_j);

typedef struct floc_bond {
  uint32_t struct_size;
  int64_t id_i;              /* id_i < id_j */
  int64_t id_j;
  double area;               /* A_0: greatest contact area seen [length^2] */
  double strain;             /* distance of the surfaces over R_i + R_j; above 0 the bond pulls */
} floc_bond;

/* Copies the first of all persistent bonds in the order of (id_i, id_j), up to capacity; *count receives their
 * number. bonds may be NULL with capacity 0, to count. */
floc_status floc_world_get_bonds_sized(floc_world *world, floc_bond *bonds, uint32_t size, int64_t capacity,
                                       int64_t *count);
#define floc_world_get_bonds(world, bonds, capacity, count) floc_world_get_bonds_sized(world, bonds, sizeof(floc_bond), capacity, count)

/* ---- rays ------------------------------------------------------------------------------------- */

/* A pulse is a set of rays that carry power along straight lines, are reflected by particles and bodies,
 * and exert forces on what absorbs them (Zohdi 2016, section 3). Its power acts for the pulse's duration, so that
 * the impulse does not depend on the time step. A pulse begins with the first time step that starts at
 * or after its time. Continuous light is a source whose duration equals its period.
 * A pulse of no rays is fired and counted, and carries nothing. Rays that meet nothing escape with all their
 * power. A ray that starts inside a particle first leaves it, without a hit. Rays exert no force on bodies, which
 * only reflect and absorb. */

typedef struct floc_media {
  uint32_t struct_size;
  double density[2];         /* > 0; default 1000, 6000. Of the surroundings and of the particles. */
  double sound_speed[2];     /* > 0 [length/time]; default 1500, 4500. Likewise. */
  double body_reflectance;   /* 0 to 1; default 1. Fraction of the power that bodies and walls reflect; the rest is
                                absorbed there. */
  int32_t materials;         /* 0 to 15; default 0. Number of further materials: with any, a particle whose attribute
                                "material" is k > 0 has material_density[k - 1], material_sound_speed[k - 1]. */
  double material_density[15]; /* Of the materials from 1 on, above 0. */
  double material_sound_speed[15]; /* [length/time]. Likewise. */
  double heat_capacity[16];  /* [energy/(mass temperature)]. By material, from 0 on; only [0] without further ones:
                                absorbed energy raises the attribute "temperature" by energy / (mass heat_capacity);
                                0: it does not. */
  double attenuation[17];    /* [1/length]. [0]: of the surroundings, [k + 1]: in particles of material k. Over a way
                                d the power of a ray falls to exp(-attenuation d) of itself. */
} floc_media;

floc_status floc_media_init_sized(floc_media *media, uint32_t size);
#define floc_media_init(media) floc_media_init_sized(media, sizeof(floc_media))
floc_status floc_world_set_media(floc_world *world, const floc_media *media);

/* Reflectance (2), (60)-(62): the fraction of the power of a ray with that cosine of incidence that is reflected.
 * *refracted_cosine gets cos(theta_t), 0 beyond the critical angle; may be NULL. */
floc_status floc_reflectance(const floc_media *media, double incident_cosine, double *reflectance,
                             double *refracted_cosine);

typedef enum floc_ray_source_kind {
  FLOC_RAY_SOURCE_PLANE_WAVE = 1, /* parallel rays over a disc (2-D: over a line) */
  FLOC_RAY_SOURCE_POINT = 2,      /* from aim into a cone around direction */
  FLOC_RAY_SOURCE_FUNCTION = 3    /* whatever emit says */
} floc_ray_source_kind;

typedef enum floc_ray_sampling {
  FLOC_RAY_SAMPLING_RANDOM = 1, /* independent uniform points */
  FLOC_RAY_SAMPLING_EVEN = 2    /* sunflower arrangement, rotated at random for each pulse */
} floc_ray_sampling;

typedef enum floc_ray_method {
  FLOC_RAY_METHOD_EXACT = 1,  /* exact intersections */
  FLOC_RAY_METHOD_ADVANCE = 2 /* the paper's discrete advance (9), for verification */
} floc_ray_method;

typedef struct floc_ray {
  double position[3];        /* [length] */
  double direction[3];       /* unit vector */
  double power;              /* >= 0 */
  double area;               /* a_r of (7): cross-section that the ray stands for [length^2] */
  double solid_angle;        /* the cross-section grows by this times the squared length of the path */
} floc_ray;

/* Fills a ray: position, direction (any length), area or solid_angle; power is preset to an even fraction of the
 * source's. Called once per ray, in order. */
typedef floc_status (*floc_emit_function)(void *context, int64_t index, double time, floc_ray *ray);

typedef enum floc_hit_action {
  FLOC_HIT_REFLECT = 1,      /* the ray continues outside */
  FLOC_HIT_ABSORB = 2,       /* the ray ends; all its power is absorbed */
  FLOC_HIT_TRANSMIT = 3      /* the ray crosses the surface; its next hit is the other side, from within */
} floc_hit_action;

typedef struct floc_ray_hit {
  int64_t ray;               /* number of the ray within its pulse, from 0 */
  int64_t id;                /* the particle, or 0: a body or a wall of the domain */
  int32_t body;              /* the body; -1: a particle or a wall of the domain */
  int32_t bounces;           /* hits of this ray before this one */
  int32_t inside;            /* 1: the ray meets the surface from within the particle */
  int32_t source;            /* number of the source; -1 in floc_trace */
  double point[3];           /* [length] */
  double normal[3];          /* unit vector, against the ray */
  double direction[3];       /* of the ray */
  double power;              /* of the ray */
  double incident_cosine;    /* 0 .. 1 */
  double refracted_direction[3]; /* by Snell's law; zero at total reflection */
  double area;               /* cross-section of the ray here */
  double time;               /* [time] */
} floc_ray_hit;

typedef struct floc_ray_response {
  int32_t action;            /* floc_hit_action */
  double power;              /* of the ray that continues, 0 .. the incident power; the rest is absorbed */
  double direction[3];       /* of the ray that continues; need not be of unit length */
  double force[3];           /* on the particle, while the pulse lasts */
} floc_ray_response;

/* Decides the result of a hit. *response is preset to acoustic reflection and its force (7). */
typedef floc_status (*floc_hit_function)(void *context, const floc_ray_hit *hit, floc_ray_response *response);

typedef struct floc_ray_source_options {
  uint32_t struct_size;
  int32_t kind;              /* floc_ray_source_kind; default plane_wave */
  int64_t rays;              /* 0 to 1e9; default 10000. Per pulse; 0: the pulse carries nothing. */
  double power;              /* >= 0; default 1. Of a pulse; each ray starts with an even share. */
  double duration;           /* > 0 [time]; default 1e-5. How long the force of a hit acts; the impulse is the force
                                times this, whatever the time step. */
  const double *times;       /* when pulses start, ascending [time]; NULL: start, period, pulses */
  int32_t time_count;        /* default 0 */
  double start;              /* [time]; default 0. Of the first pulse. */
  double period;             /* [time]; default 0. Above 0 where there are several pulses. */
  int64_t pulses;            /* >= 0; default 1. 0: for ever. */
  double direction[3];       /* default 1, 0, 0. Of the beam, any length but 0. */
  double aim[3];             /* [length]. Plane wave: a point on the beam's axis; point: where the rays start;
                                default 0. */
  double radius;             /* > 0 [length]; default 1. Plane wave: of the disc. */
  double distance;           /* >= 0 [length]; default 0. Plane wave: from the plane where rays start to aim; 0:
                                before all particles. */
  double half_angle;         /* > 0, <= 3.1415926535898 [rad]; default 3.1415926535898. Point: of the cone; pi: all
                                directions. */
  int32_t sampling;          /* floc_ray_sampling; default random */
  uint64_t seed;             /* default 0. 0: from the world's seed and the source's number. */
  int32_t method;            /* floc_ray_method; default exact */
  double advance;            /* > 0, <= 1; default 0.05. Stride of the advance, in units of the smallest radius (xi). */
  bool in_flight;            /* default false. Rays travel at the sound speed of the surroundings; otherwise a pulse
                                crosses everything at once, as the paper's (9) says. */
  int32_t max_bounces;       /* 1 to 1e6; default 1000. A ray ends after this number of hits; the power that it still
                                carries counts as residual. */
  double power_floor;        /* 0 to 1; default 0. A ray ends when it carries less than this fraction of its initial
                                power. */
  floc_emit_function emit;   /* function source */
  void *emit_context;
  floc_hit_function hit;     /* NULL: acoustic reflection */
  void *hit_context;
} floc_ray_source_options;

floc_status floc_ray_source_options_init_sized(floc_ray_source_options *options, uint32_t size);
#define floc_ray_source_options_init(options) floc_ray_source_options_init_sized(options, sizeof(floc_ray_source_options))

/* Adds a source; its number goes to *source (0, 1, 2, ...). */
floc_status floc_ray_source_add(floc_world *world, const floc_ray_source_options *options, int32_t *source);

/* A straight piece of a ray's path, for pictures. */
typedef struct floc_ray_segment {
  int64_t ray;               /* number within its pulse */
  double from[3];            /* an escaping ray ends a tenth of the scene's size outside */
  double to[3];
  double power;
} floc_ray_segment;

typedef struct floc_ray_report {
  uint32_t struct_size;
  int64_t pulses;            /* started so far */
  int64_t rays;              /* emitted */
  int64_t rays_in_flight;    /* still under way */
  int64_t reflections;       /* hits on particles */
  int64_t body_reflections;  /* hits on bodies and walls */
  int64_t ended_rays;        /* ended by max_bounces or power_floor */
  double incident;           /* power emitted; = absorbed + body_absorbed + attenuated + escaped + residual +
                                in_flight */
  double absorbed;           /* by particles */
  double body_absorbed;
  double escaped;            /* left for good */
  double residual;           /* of ended rays */
  double in_flight;          /* of rays still under way */
  double exit_power[3];      /* vector sum of power times direction over escaped rays */
  double flight_power[3];    /* likewise over rays in flight; (39): (exit + flight) / incident */
  double attenuated;         /* taken by the surroundings on the way */
} floc_ray_report;

floc_status floc_ray_report_init_sized(floc_ray_report *report, uint32_t size);
#define floc_ray_report_init(report) floc_ray_report_init_sized(report, sizeof(floc_ray_report))

/* Sums over the pulses of a source since the start; source -1: all sources. */
floc_status floc_world_get_ray_report(floc_world *world, int32_t source, floc_ray_report *report);

/* Copies up to capacity rays in flight; *count receives their number. */
floc_status floc_world_get_rays(floc_world *world, floc_ray *rays, int64_t capacity, int64_t *count);

/* floc_ray_report as it was in 0.1.0, for ever. */
typedef struct floc_trace_report {
  uint32_t struct_size;
  int64_t pulses;
  int64_t rays;
  int64_t rays_in_flight;
  int64_t reflections;
  int64_t body_reflections;
  int64_t ended_rays;
  double incident;
  double absorbed;
  double body_absorbed;
  double escaped;
  double residual;
  double in_flight;
  double exit_power[3];
  double flight_power[3];
} floc_trace_report;

typedef struct floc_trace_result {
  uint32_t struct_size;
  floc_trace_report report;  /* struct_size is set by the call */
  double *force;             /* NULL, or 3 doubles per particle, in storage order: forces */
  double *absorbed;          /* NULL, or one double per particle: absorbed power */
  floc_ray_segment *segments; /* NULL, or segment_capacity pieces of paths */
  int64_t segment_capacity;
  int64_t segment_count;     /* pieces that there were */
  floc_ray_report *ray_report; /* NULL, or where the report goes as well, with what later versions add to it */
} floc_trace_result;

floc_status floc_trace_result_init_sized(floc_trace_result *result, uint32_t size);
#define floc_trace_result_init(result) floc_trace_result_init_sized(result, sizeof(floc_trace_result))

/* Traces one pulse of a source at once through the particles in their present positions; nothing in the world
 * changes. Times, duration and in_flight of the source are not used. media NULL: the world's. */
floc_status floc_trace_sized(floc_world *world, const floc_ray_source_options *source, const floc_media *media,
                             floc_trace_result *result, uint32_t segment_size);
#define floc_trace(world, source, media, result) floc_trace_sized(world, source, media, result, sizeof(floc_ray_segment))

/* ---- stepping --------------------------------------------------------------------------------- */

/* Advances one time step. If it fails, the world keeps the state before the step. FLOC_LIMIT_EXCEEDED: a particle
 * would move by more than 10,000 of its diameters and ten times the extent of all (projection; discrete elements
 * with contacts), or is so fast that the resolution of times does not determine its position to a millionth of its
 * radius (event-driven), or the step needs more work than its limit (floc_world_set_work_limit). An unsolved
 * contact problem is not an error: see floc_step_report.
 *   Projection: when particles move by more than about a radius in a step, pairs that miss each other are omitted
 *   from the contact problem. Its linear constraint D + h G.V >= 0 would stop them, because it does not take into
 *   account how far apart they pass. pairs_left_out of the report counts the pairs that it would have stopped. */
floc_status floc_world_step(floc_world *world);

enum { FLOC_STAGE_COUNT = 8 };

/* What decided the tolerance of a step. */
typedef enum floc_tolerance_rule {
  FLOC_TOLERANCE_GIVEN = 0,        /* the option tolerance; also where a scheme has none */
  FLOC_TOLERANCE_RADIUS = 1,       /* 1e-4 of the smallest radius, with friction 1e-3 */
  FLOC_TOLERANCE_ACCELERATION = 2, /* 0.01 a h^2, with friction 0.1 a h^2; a the largest acceleration by forces */
  FLOC_TOLERANCE_SPEED = 3         /* a priori velocities by a function: 1e-4 V h, V the largest of them */
} floc_tolerance_rule;

typedef struct floc_step_report {
  uint32_t struct_size;
  bool converged;            /* the last step's residual is at or below its tolerance */
  int32_t islands;           /* connected groups of contacts in the last step */
  int64_t contacts;          /* pairs and walls considered in the last step */
  int64_t active_contacts;   /* those that carry an impulse */
  int64_t iterations;        /* products with the contact matrix in the last step */
  double residual;           /* [length]; discrete elements by the trapezoidal rule: change of the last iteration,
                                relative */
  double tolerance;          /* of the residual */
  double overlap;            /* greatest overlap after the last step, in radii of the smaller particle */
  double greatest_overlap;   /* the same, over all steps since the start */
  double greatest_residual;  /* residual/tolerance, over all steps since the start */
  int64_t unconverged_steps; /* steps since the start whose residual stayed above tolerance */
  int64_t total_iterations;  /* since the start */
  double kinetic_energy;     /* after the last step, spins included */
  int64_t lists;             /* neighbour lists built by this world; 0 for a scheme without lists; not in checkpoints */
  int64_t list_entries;      /* pairs and walls in the present lists */
  double stage_seconds[FLOC_STAGE_COUNT]; /* wall time per stage since the start of this process */
  int32_t tolerance_rule;    /* floc_tolerance_rule. what decided the tolerance of the last step */
  int64_t pairs_left_out;    /* pairs omitted from the last step's problem, because they miss each other (see above) */
  int64_t total_left_out;    /* since the start */
  double work;               /* of the last step, in the units of floc_world_set_work_limit; not in checkpoints */
  double energy_fall;        /* of the last step, projection with friction, assemblies or a budget: the part by which
                                the energy objective J of contacts (docs/schemes/inelastic.md) changed in the last
                                half of the sweeps or more, in groups above the default tolerance; at most 1. Not in
                                checkpoints */
  int32_t unsolved_islands;  /* of the last step: connected groups of contacts whose residual is above the tolerance */
  int32_t worst_body;        /* where worst_residual was: the number of the body; -1 if it was a pair of particles */
  double worst_residual;     /* residual/tolerance of the unconverged step in which it was greatest; this and what
                                follows: projections, since the start of this process, not in checkpoints; 0 if there
                                was none */
  int64_t worst_step;        /* the number of that step */
  int64_t worst_particle;    /* id of the particle at the contact of that residual; 0: unconverged, with a residual
                                within the tolerance */
  int64_t worst_other;       /* id of the other particle; 0: a body */
  int64_t contacts_left_out; /* of pairs of polyhedra with more than 128 contacts within reach in a step, the number
                                of the farthest, which are no part of its problem; since the start of this process,
                                not in checkpoints */
} floc_step_report;

floc_status floc_step_report_init_sized(floc_step_report *report, uint32_t size);
#define floc_step_report_init(report) floc_step_report_init_sized(report, sizeof(floc_step_report))

floc_status floc_world_get_report(const floc_world *world, floc_step_report *report);

/* Name of a stage, 0 .. FLOC_STAGE_COUNT-1; NULL beyond. */
const char *floc_stage_name(int32_t stage);

/* ---- contacts --------------------------------------------------------------------------------- */

typedef struct floc_contact {
  uint32_t struct_size;
  int64_t id_i;              /* particle */
  int64_t id_j;              /* particle, or 0: a body */
  int32_t body;              /* the body, or -1 */
  int32_t shape;             /* the body's shape, or -1 */
  double point[3];           /* where the surfaces are nearest [length]; see below */
  double normal[3];          /* unit vector from i to j, or to the body; see below */
  double distance;           /* between the surfaces now, < 0 overlapping [length] */
  double impulse;            /* along the normal, > 0 is repulsive [mass length/time]; see below */
  double gamma;              /* gluey state, <= 0 */
  double friction[3];        /* impulse across the normal, on j (or on the body) */
  double moment[3];          /* angular impulse against rolling and twisting, on j (or on the body) [mass
                                length^2/time]; in the plane moment[2] alone */
} floc_contact;

/* Copies up to capacity contacts, in the engine's order; *count receives their number. A contact is a pair, or a
 * particle and a body, that has an impulse or a gamma, or whose surfaces are within 1 % of the (smaller) radius.
 * contacts may be NULL with capacity 0, to count; the call directly after it copies the contacts that were counted.
 *   Projection: impulse and friction are those of the last step. They were computed for the positions at its start
 *   (bodies at its end), and a contact that has any is reported with its normal and point at that time. The vectors
 *   -(impulse normal + friction) on i and their opposites on j add up to the changes of momentum by contacts.
 *   Contacts without impulse are reported in the present state. moment is that against rolling and twisting.
 *   Discrete elements: impulse and friction are the forces of the present state (after a step of velocity Verlet:
 *   those at its end) times the world's time step. They include the scheme's own contact force, friction and bond,
 *   and what pair and wall laws exert on particles that touch; near fields and laws at a distance are not included
 *   (see fx fy fz). This call computes the forces: laws are evaluated once more, and nothing changes.
 *   Ballistic and event-driven: FLOC_NOT_SUPPORTED. FLOC_WRONG_STATE while a step is running. */
floc_status floc_world_get_contacts_sized(floc_world *world, floc_contact *contacts, uint32_t size, int64_t capacity,
                                       int64_t *count);
#define floc_world_get_contacts(world, contacts, capacity, count) floc_world_get_contacts_sized(world, contacts, sizeof(floc_contact), capacity, count)

/* The same contacts as columns of numbers, see floc_law_get_pairs for columns, stride, capacity and count. Names: id_i,
 * id_j (0: a body), body and shape (numbers from 1; 0: a pair), distance, impulse, gamma, and the components of vectors
 * point_x point_y point_z, normal_x .., friction_x .., moment_x .. */
floc_status floc_world_get_contact_columns(floc_world *world, const char *const *names, int32_t name_count,
                                           double *const *columns, size_t stride, int64_t capacity, int64_t *count);

typedef enum floc_neighbors_by {
  FLOC_NEIGHBORS_TOUCHING = 0, /* surfaces within 1e-3 of the smaller radius, as the measure coordination_number
                                  counts */
  FLOC_NEIGHBORS_SURFACES = 1, /* surfaces at most range apart */
  FLOC_NEIGHBORS_CENTERS = 2   /* centres at most range apart */
} floc_neighbors_by;

typedef struct floc_pairs_options {
  uint32_t struct_size;
  int32_t by;                /* floc_neighbors_by; default touching */
  double range;              /* >= 0 [length]; default 0. Maximum distance of the surfaces, or of the centres. */
  int64_t particle;          /* >= 0; default 0. 0: every pair once, id_i < id_j; otherwise the pairs of the particle
                                of this id, which is id_i. */
} floc_pairs_options;

floc_status floc_pairs_options_init_sized(floc_pairs_options *options, uint32_t size);
#define floc_pairs_options_init(options) floc_pairs_options_init_sized(options, sizeof(floc_pairs_options))

/* Pairs of particles near each other, as columns in the order of ids, see floc_law_get_pairs for columns, stride, capacity
 * and count. Names: id_i, id_j; distance of the centres, gap between the surfaces
 * (< 0 overlapping) [length]; x, y, z from i to j, at the nearest image [length].
 * FLOC_NOT_FOUND: there is no such particle, or no such name. */
floc_status floc_world_get_pairs(floc_world *world, const floc_pairs_options *options, const char *const *names,
                                 int32_t name_count, double *const *columns, size_t stride, int64_t capacity, int64_t *count);

/* ---- measures --------------------------------------------------------------------------------- */

/* A number about the present state, by name:
 *   kinetic_energy [energy]: of all motion: translational_kinetic_energy + rotational_kinetic_energy
 *   potential_energy [energy]: of everything that has a potential: gravitational_energy + law_energy +
 *     attraction_energy + long_range_energy, and with discrete elements + contact_energy + friction_energy +
 *     bond_energy + near_field_energy
 *   total_mass [mass]: of all particles
 *   particle_count: number of particles
 *   momentum_x [mass length/time]: sum of m v along x
 *   momentum_y [mass length/time]: sum of m v along y
 *   momentum_z [mass length/time]: sum of m v along z
 *   center_x [length]: centre of mass
 *   center_y [length]: centre of mass
 *   center_z [length]: centre of mass
 *   greatest_speed [length/time]: of a centre, |v|, free bodies too
 *   gyration_radius [length]: root of the mean square distance from the centre of mass, weighted by mass
 *   volume_fraction: of the particles in the declared domain; on axes that are open, in their bounding box
 *   coordination_number: twice the pairs that touch (surfaces within 1e-3 of the smaller radius) over the particles
 *   contact_count: contacts that carried an impulse in the last step; not in flight (ballistic, event_driven)
 *   greatest_overlap: of all steps so far, in radii of the smaller particle
 *   translational_kinetic_energy [energy]: m v^2/2 of the centres; an assembly is one body
 *   rotational_kinetic_energy [energy]: of rotation about the centres; the inertia is m r^2/2 in two dimensions
 *     (discs), 2 m r^2/5 in three (balls), in all schemes; 0 where the scheme does not rotate particles
 *   gravitational_energy [energy]: -m g.x, about the origin
 *   law_energy [energy]: what laws and fields return as energy, or as potential; forces without one have none
 *   attraction_energy [energy]: of add_attraction, 0 at its range
 *   contact_energy [energy]: stored in overlaps with others and with bodies; discrete elements only
 *   friction_energy [energy]: stored in tangential springs; discrete elements only
 *   bond_energy [energy]: stored in stretched bonds; discrete elements only
 *   near_field_energy [energy]: of attraction and repulsion at a distance (28); discrete elements only
 *   total_energy [energy]: kinetic_energy + potential_energy
 *   critical_time_step [time]: of soft contacts, above which they may gain energy from step to step; inf where
 *     nothing limits it; discrete elements only
 *   long_range_energy [energy]: of add_long_range, 0 at infinity
 *   temperature [energy]: of velocities about their mean: sum of m |v - mean|^2 over dimension (n - 1), n particles
 *     and assemblies; Boltzmann's constant is 1
 *   granular_temperature [length^2/time^2]: mean square, weighted by mass, of a component of v - mean
 *   rotational_temperature [energy]: 2 rotational_kinetic_energy over the axes about which particles rotate (1 in the
 *     plane, else 3) and n
 *   pressure [stress]: mean of the diagonal of the stress tensor, compression positive (floc_measure_stress)
 *   stress_xx [stress]: of the stress tensor, compression positive; symmetric part
 *   stress_yy [stress]: of the stress tensor, compression positive; symmetric part
 *   stress_zz [stress]: of the stress tensor, compression positive; symmetric part
 *   stress_xy [stress]: of the stress tensor, compression positive; symmetric part
 *   stress_xz [stress]: of the stress tensor, compression positive; symmetric part
 *   stress_yz [stress]: of the stress tensor, compression positive; symmetric part
 *   fabric_xx: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   fabric_yy: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   fabric_zz: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   fabric_xy: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   fabric_xz: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   fabric_yz: of the mean of n n^T over contacts of particles that carry a force, n the normal
 *   unbalanced_force_ratio: mean size of the force left on a particle (or an assembly; free bodies do not count) over
 *     that of a contact's force; inf where no contact carries a force; not with a flow, noise or an a priori velocity
 *     of your own
 *   mean_square_displacement [length^2]: mean of the square of the displacement since the attribute displacement_x
 *     was added; refused without it
 * Those that have no meaning with the scheme are refused (FLOC_NOT_SUPPORTED). For energies of laws their functions are
 * called; not while a step is running (FLOC_WRONG_STATE). FLOC_NOT_FOUND: there is no such measure. */
floc_status floc_measure(floc_world *world, const char *name, double *value);

typedef struct floc_stress_options {
  uint32_t struct_size;
  double volume;             /* >= 0 [length^dimension]; default 0. That the particles fill; 0: of the domain, on
                                open axes of their bounding box. */
} floc_stress_options;

floc_status floc_stress_options_init_sized(floc_stress_options *options, uint32_t size);
#define floc_stress_options_init(options) floc_stress_options_init_sized(options, sizeof(floc_stress_options))

typedef struct floc_stress {
  uint32_t struct_size;
  double volume;             /* [length^dimension] */
  double pressure;           /* mean of the diagonal */
  double tensor[9];          /* kinetic + contacts + laws, row by row; compression is positive */
  double kinetic[9];         /* of velocities about their mean */
  double contacts[9];        /* of contacts, friction and bonds of the scheme, with particles and bodies */
  double laws[9];            /* of pair laws, laws over bonds, wall laws and attractions */
  double fabric[9];          /* mean of n n^T over contacts between particles */
  int64_t contact_count;     /* contacts that carry a force, with bodies too */
  double coordination_number; /* twice those between particles over the particles; an assembly is one */
} floc_stress;

floc_status floc_stress_init_sized(floc_stress *stress, uint32_t size);
#define floc_stress_init(stress) floc_stress_init_sized(stress, sizeof(floc_stress))

/* The stress tensor of all particles, compression positive [mass/(length time^2), in the plane mass/time^2]: sum of
 * m u u^T and F l^T over the volume, u velocities about their mean, F the force on the second of a pair or on a body, l from
 * the first's centre to the second's, or to the body's surface. In a box at rest the stress times the area of a wall is the
 * force on it. Forces act as floc_world_get_contacts finds them: impulses of the last step over the time step
 * (projection; FLOC_WRONG_STATE if the time step was changed since), or those of the present state. Fields, gravity and
 * drag are no part of it. FLOC_NOT_SUPPORTED with forces that are not between two: laws of angles, long-range forces, near
 * fields of discrete elements; and in ballistic and event-driven schemes. Tensors are row by row; in the plane zz is 0. */
floc_status floc_measure_stress(floc_world *world, const floc_stress_options *options, floc_stress *stress);

typedef struct floc_energy_ledger {
  uint32_t struct_size;
  double kinetic;            /* [energy] at the end of the last step, spins included */
  double start;              /* [energy] the same before the first step of the account */
  double gravity;            /* work [energy] from here to walls: what each gave the particles' motion since the
                                start, below 0 what it took */
  double laws;               /* laws of forces: pairs, walls, fields, bonds, attractions, long-range forces, and
                                their torques */
  double fields;             /* electric and magnetic fields of discrete elements */
  double near_field;         /* near field of discrete elements */
  double drag;               /* drag and viscous torque of the medium of discrete elements */
  double contacts;           /* elastic forces along normals; in the projection impulses along normals: what
                                collisions lose, above 0 what restitution or gamma give back */
  double damping;            /* viscous forces along normals of discrete elements */
  double friction;           /* tangential forces or impulses, springs and damping together */
  double rolling;            /* moments against rolling and twisting */
  double bonds;              /* bonds of discrete elements, along and across */
  double flow;               /* a flow, noise, or a priori velocities by a function */
  double rays;               /* forces and torques of rays */
  double walls;              /* bodies that move, through contacts: forces times velocities of their surfaces */
  double cell;               /* a cell that deforms, where kinetic energy is that about its flow: -stress : velocity
                                gradient, times volume and time */
  double outside;            /* what changed kinetic energy between steps: particles that came or went, columns that
                                were written, masses that grew */
  double residual;           /* kinetic - start - the sum of all works: 0 to rounding */
  double turnover;           /* sum over steps of the magnitudes of all works: what residual is to be held against */
  int64_t steps;             /* in the account */
  double loads;              /* works again: loads of free bodies; their damping is drag */
  double joints;             /* what joints and their limits gave to what they hold, prescribed bodies left out */
  double motors;             /* motors of joints */
  double springs;            /* springs and dampers of joints */
} floc_energy_ledger;

floc_status floc_energy_ledger_init_sized(floc_energy_ledger *ledger, uint32_t size);
#define floc_energy_ledger_init(ledger) floc_energy_ledger_init_sized(ledger, sizeof(floc_energy_ledger))

/* The account of energy of a world with the option energy_ledger: the work of everything that acts, summed over all steps
 * from the forces or impulses that the scheme found and the means of the velocities between which they acted, so that
 * kinetic = start + gravity + ... + outside up to rounding (residual). It travels in checkpoints. Discrete elements by
 * velocity Verlet, and projections with inertia; assemblies and other schemes refuse the option by name. FLOC_WRONG_STATE
 * without it. */
floc_status floc_world_get_energy_ledger(floc_world *world, floc_energy_ledger *ledger);

typedef struct floc_coarse_grain_options {
  uint32_t struct_size;
  double width;              /* > 0 [length]; no default. Deviation of the kernel, a product of normal densities cut
                                off at six widths. */
  int32_t cells_x;           /* 0 to 1e7; default 0. Number of cells along x; 0: as many as keep them within half a
                                width. */
  int32_t cells_y;           /* 0 to 1e7; default 0. Likewise. */
  int32_t cells_z;           /* 0 to 1e7; default 0. Likewise. */
  double lower[3];           /* [length]. Of the grid, on axes that are not periodic; default 0. */
  double upper[3];           /* [length]. Both 0 on an axis: the grid holds all kernels. */
} floc_coarse_grain_options;

floc_status floc_coarse_grain_options_init_sized(floc_coarse_grain_options *options, uint32_t size);
#define floc_coarse_grain_options_init(options) floc_coarse_grain_options_init_sized(options, sizeof(floc_coarse_grain_options))

typedef struct floc_grid {
  uint32_t struct_size;
  int32_t cells[3];          /* along each axis; 1 along z in the plane */
  double lower[3];           /* corner [length] */
  double spacing[3];         /* of the cells [length]; 1 along z in the plane */
} floc_grid;

floc_status floc_grid_init_sized(floc_grid *grid, uint32_t size);
#define floc_grid_init(grid) floc_grid_init_sized(grid, sizeof(floc_grid))

typedef enum floc_field {
  FLOC_FIELD_DENSITY = 0,         /* [mass/length^dimension] */
  FLOC_FIELD_MOMENTUM = 1,        /* x, y, z: three fields [mass/(length^(dimension-1) time)] */
  FLOC_FIELD_KINETIC_STRESS = 4,  /* nine: xx, xy, xz, yx, ... [stress] */
  FLOC_FIELD_CONTACT_STRESS = 13, /* likewise */
  FLOC_FIELD_LAW_STRESS = 22,     /* likewise */
  FLOC_FIELD_COUNT = 31           /* of fields */
} floc_field;

/* Coarse-grained fields of Goldhirsch (2010), Granular Matter 12, 239: sums over particles of mass, momentum and m u u^T (u
 * from the field momentum/density), and over contacts and laws of force times branch, each smeared by a kernel of the
 * width, as means over the cells of a grid. They satisfy the balances of mass and momentum at every point. Compression is
 * positive; contacts and laws are those of floc_measure_stress, with its refusals. Fills the grid, writes field f of cell
 * (x, y, z) to fields[(f * cells + (z * cells[1] + y) * cells[0] + x)], cells being their number, if capacity is
 * FLOC_FIELD_COUNT times cells or more (else FLOC_NO_ROOM); fields may be NULL with capacity 0, to learn the grid.
 * FLOC_LIMIT_EXCEEDED: more than 1e7 cells. */
floc_status floc_measure_coarse_grain(floc_world *world, const floc_coarse_grain_options *options, floc_grid *grid,
                                      double *fields, int64_t capacity);

typedef struct floc_radial_options {
  uint32_t struct_size;
  double range;              /* > 0 [length]; no default. Largest distance between two centres; at most half the
                                length of the box on periodic axes. */
  int32_t bins;              /* 1 to 100000; default 100. Intervals of equal width. */
} floc_radial_options;

floc_status floc_radial_options_init_sized(floc_radial_options *options, uint32_t size);
#define floc_radial_options_init(options) floc_radial_options_init_sized(options, sizeof(floc_radial_options))

/* The radial distribution function: values[k], k < bins, is the number density of centres between k and k + 1 times
 * range/bins from a centre over their mean density. The middle one is any particle; on axes that are not periodic one that
 * is at least range away from both ends of the domain (where it is open, of the particles' bounding box).
 * FLOC_INVALID_ARGUMENT: a longer range than half a period, or no particle is far enough from the ends. */
floc_status floc_measure_radial_distribution(floc_world *world, const floc_radial_options *options, double *values);

typedef struct floc_structure_options {
  uint32_t struct_size;
  double greatest;           /* > 0 [1/length]; no default. Largest wave number, 2 pi/length. */
  int32_t bins;              /* 1 to 100000; default 100. Intervals of wave numbers of equal width. */
} floc_structure_options;

floc_status floc_structure_options_init_sized(floc_structure_options *options, uint32_t size);
#define floc_structure_options_init(options) floc_structure_options_init_sized(options, sizeof(floc_structure_options))

/* The structure factor |sum of exp(i k.x)|^2 / n of the wave vectors k of a box that is periodic on all axes, 0 left out, in
 * intervals of |k|: values[j], j < bins, is the mean over the vectors[j] vectors (k and -k are one) whose length is in
 * (j, j + 1] greatest/bins, wave_numbers[j] their mean length; all 0 without one. FLOC_NOT_SUPPORTED: an axis is not
 * periodic; FLOC_LIMIT_EXCEEDED: more than 1e8 terms (particles times vectors); FLOC_WRONG_STATE: there are no particles. */
floc_status floc_measure_structure_factor(floc_world *world, const floc_structure_options *options, double *wave_numbers,
                                          double *values, double *vectors);

typedef struct floc_profile_options {
  uint32_t struct_size;
  int32_t axis;              /* 0 to 2; default 1. 0, 1, 2: x, y, z, along which the bins lie. */
  int32_t bins;              /* 1 to 100000; default 20. Intervals of equal width. */
  double lower;              /* [length]; default 0. Where the first begins. */
  double upper;              /* [length]; default 0. Where the last ends; lower and upper both 0: those of the
                                domain, on an open axis of the particles. */
} floc_profile_options;

floc_status floc_profile_options_init_sized(floc_profile_options *options, uint32_t size);
#define floc_profile_options_init(options) floc_profile_options_init_sized(options, sizeof(floc_profile_options))

/* Means of a column along an axis: counts[k], k < bins, particles have their centres in interval k, which begins at
 * lower + k (upper - lower)/bins; means[k] is the mean of the column, weighted by another (NULL: 1), NaN where the weights
 * add up to 0. ends may be NULL, or gets lower and upper. */
floc_status floc_measure_profile(floc_world *world, const floc_profile_options *options, const char *column,
                                 const char *weight, double *counts, double *means, double *ends);

typedef struct floc_force_distribution_options {
  uint32_t struct_size;
  int32_t bins;              /* 1 to 100000; default 50. Intervals of equal width. */
  double greatest;           /* > 0; default 5. Largest force, as a multiple of the mean. */
} floc_force_distribution_options;

floc_status floc_force_distribution_options_init_sized(floc_force_distribution_options *options, uint32_t size);
#define floc_force_distribution_options_init(options) floc_force_distribution_options_init_sized(options, sizeof(floc_force_distribution_options))

/* The distribution of the sizes f of normal forces of contacts (floc_measure_stress): density[k], k < bins, of f/mean
 * between k and k + 1 times greatest/bins; its integral is the fraction of contacts below greatest. *mean [force] and *count
 * are of all that carry a force, and may be NULL. */
floc_status floc_measure_force_distribution(floc_world *world, const floc_force_distribution_options *options,
                                            double *density, double *mean, int64_t *count);

typedef struct floc_bond_order_options {
  uint32_t struct_size;
  int32_t order;             /* 1 to 12; default 6. k of psi_k in the plane, l of q_l in space. */
  int32_t by;                /* floc_neighbors_by; default touching. As for floc_world_get_pairs. */
  double range;              /* >= 0 [length]; default 0. Maximum distance of the surfaces, or of the centres. */
  bool averaged;             /* default false. The vector of a particle is the mean over itself and its neighbours
                                (Lechner and Dellago 2008). */
} floc_bond_order_options;

floc_status floc_bond_order_options_init_sized(floc_bond_order_options *options, uint32_t size);
#define floc_bond_order_options_init(options) floc_bond_order_options_init_sized(options, sizeof(floc_bond_order_options))

typedef struct floc_bond_order {
  uint32_t struct_size;
  double mean;               /* of the particles' orders */
  double global;             /* length of the mean of the particles' vectors */
  double neighbors;          /* per particle, in the mean */
  int64_t alone;             /* particles without a neighbour; their vector is 0 */
} floc_bond_order;

floc_status floc_bond_order_init_sized(floc_bond_order *result, uint32_t size);
#define floc_bond_order_init(result) floc_bond_order_init_sized(result, sizeof(floc_bond_order))

/* Bond-orientational order from the directions to the neighbours of each particle, those of floc_world_get_pairs. Every
 * particle has a vector, the mean over its neighbours of exp(i k angle) in the plane, of the spherical harmonics
 * (4 pi/(2 l + 1))^(1/2) Y_lm, m = -l .. l, in space, k and l being the order. values may be NULL, or has one number per
 * particle in the order of ids: the vector's length, which is |psi_k| of Halperin and Nelson (1978), Phys. Rev. Lett. 41,
 * 121, or q_l of Steinhardt, Nelson, Ronchetti (1983), Phys. Rev. B 28, 784; both are between 0 and 1. Averaged: see Lechner
 * and Dellago (2008), J. Chem. Phys. 129, 114707. FLOC_INVALID_ARGUMENT: a range without by, or two neighbours at one
 * place. */
floc_status floc_measure_bond_order(floc_world *world, const floc_bond_order_options *options, double *values,
                                    floc_bond_order *result);

typedef struct floc_mixing_options {
  uint32_t struct_size;
  double cell;               /* > 0 [length]; no default. Side of the cells, which hold some ten particles each; as
                                many fit on an axis as come nearest to it. */
  double threshold;          /* default 0. Particles above it are of the one kind; NaN: the middle between the
                                minimum and the maximum. */
} floc_mixing_options;

floc_status floc_mixing_options_init_sized(floc_mixing_options *options, uint32_t size);
#define floc_mixing_options_init(options) floc_mixing_options_init_sized(options, sizeof(floc_mixing_options))

typedef struct floc_mixing {
  uint32_t struct_size;
  double index;              /* (segregated - variance)/(segregated - random) */
  double fraction;           /* p, of the particles above the threshold */
  double variance;           /* of that fraction over cells, weighted by their particles */
  double segregated;         /* that of pure cells, p (1 - p) */
  double random;             /* its mean in random mixtures with the same cells, p (1 - p) (cells - 1)/(particles -
                                1) */
  int64_t cells;             /* that hold particles */
} floc_mixing;

floc_status floc_mixing_init_sized(floc_mixing *result, uint32_t size);
#define floc_mixing_init(result) floc_mixing_init_sized(result, sizeof(floc_mixing))

/* How well two kinds of particles are mixed, by the variance of their fractions over the cells of a grid: the index of Lacey
 * (1954), J. Appl. Chem. 4, 257, which is 0 where all cells are pure and has the mean 1 in random mixtures. The kinds are told
 * apart by a column; centres decide on the cell. The grid fills the domain, on open axes the box of the centres.
 * FLOC_INVALID_ARGUMENT: there is one kind only, or no cell has two particles. Since 0.3.0. */
floc_status floc_measure_mixing(floc_world *world, const floc_mixing_options *options, const char *column,
                                floc_mixing *result);

/* Moment of a column about a value, Zohdi 2016 (40): sum of a (Q - about)^order over the sum of a, over all
 * particles; Q and a are columns by name, a NULL: 1. order: 1 or more. About the mean: order 2 is the variance,
 * 3 the skewness and 4 the kurtosis before division by powers of the deviation. */
floc_status floc_measure_moment(floc_world *world, const char *column, const char *weight, double about,
                                int32_t order, double *value);

/* Name of measure number index of the engine's own; NULL beyond the last. */
const char *floc_measure_name(int32_t index);

/* Writes a number about the world in its present state; called between steps, inside floc_measure. It may read the world as
 * all functions of the host may, and other calls are refused. */
typedef floc_status (*floc_measure_function)(void *context, floc_world *world, double *value);

typedef struct floc_measure_options {
  uint32_t struct_size;
  const char *name;          /* letters, digits and _, no digit first; at most 47; no default */
  const char *unit;          /* in words like length/time; NULL or "": a number without one; at most 47 bytes */
  const char *text;          /* what it is, for readers; may be NULL; at most 255 bytes */
  floc_measure_function function; /* no default */
  void *context;
} floc_measure_options;

floc_status floc_measure_options_init_sized(floc_measure_options *options, uint32_t size);
#define floc_measure_options_init(options) floc_measure_options_init_sized(options, sizeof(floc_measure_options))

/* Adds a measure of the host: floc_measure finds it by its name, and with it sim:measure and the tables of sim:observe.
 * The strings are copied. FLOC_ALREADY_EXISTS: the name is that of a measure or of another column of such tables. Measures
 * are not in checkpoints: a host adds them to the world that it loads one into. They stay until the world is destroyed. */
floc_status floc_measure_add(floc_world *world, const floc_measure_options *options);

/* Measure number index of those that the host has added, in their order: its strings (valid until another is added),
 * function and context. FLOC_NOT_FOUND beyond the last. */
floc_status floc_measure_added(floc_world *world, int32_t index, floc_measure_options *measure);

/* ---- clusters --------------------------------------------------------------------------------- */

typedef struct floc_cluster_summary {
  uint32_t struct_size;
  int64_t count;             /* clusters; a particle alone is one */
  int64_t single;            /* clusters of one particle */
  int64_t largest;           /* particles in the largest */
  double mean_size;          /* particles per cluster */
  double weighted_mean_size; /* the size of the cluster that a particle is in, on average */
} floc_cluster_summary;

floc_status floc_cluster_summary_init_sized(floc_cluster_summary *summary, uint32_t size);
#define floc_cluster_summary_init(summary) floc_cluster_summary_init_sized(summary, sizeof(floc_cluster_summary))

typedef enum floc_cluster_rule {
  FLOC_CLUSTER_GAP = 1,      /* connected if the surface distance is at most gap */
  FLOC_CLUSTER_LINK = 2      /* connected by a link or bond of the scheme */
} floc_cluster_rule;

/* Finds clusters. gap: >= 0 [length], used by FLOC_CLUSTER_GAP. cluster_of may be NULL, or has one number per
 * particle: cluster_of[k] of the (k + 1)-th id is 1, 2, ... in the order of the clusters' smallest ids. */
floc_status floc_clusters(floc_world *world, int32_t rule, double gap, int64_t *cluster_of, floc_cluster_summary *summary);

/* Bonds (pairs within gap) that formed and broke since the last call; both 0 at the first. */
floc_status floc_bond_changes(floc_world *world, double gap, int64_t *made, int64_t *broken);

/* Which clusters merge, and what happened to them. */
typedef struct floc_merge_options {
  uint32_t struct_size;
  int32_t rule;              /* floc_cluster_rule; default link */
  double gap;                /* >= 0 [length]; default 0. Of clusters by gap. */
  double apart;              /* >= 0 [length]; default 0. Of clusters by gap: a joined pair stays joined until its
                                surfaces are further apart; 0: gap. */
} floc_merge_options;

floc_status floc_merge_options_init_sized(floc_merge_options *options, uint32_t size);
#define floc_merge_options_init(options) floc_merge_options_init_sized(options, sizeof(floc_merge_options))

typedef struct floc_merge_summary {
  uint32_t struct_size;
  int64_t start;             /* clusters at the first look */
  int64_t clusters;          /* now: start - merges + splits + outside */
  int64_t merges;            /* since the first look */
  int64_t splits;            /* clusters that came apart, likewise */
  int64_t outside;           /* what particles that came (each is a cluster) and went have added to the number of
                                clusters */
  int64_t found;             /* rows of this look */
} floc_merge_summary;

floc_status floc_merge_summary_init_sized(floc_merge_summary *summary, uint32_t size);
#define floc_merge_summary_init(summary) floc_merge_summary_init_sized(summary, sizeof(floc_merge_summary))

/* Clusters that merged and came apart since the last call; the first call begins the record and finds none. Under
 * ballistic and event_driven, by links, each merge is recorded at its time, from the first call on. Otherwise clusters of
 * now are compared with those of the last call. Every call must give the same rule, gap and apart: FLOC_WRONG_STATE. By
 * links under a scheme that has none: FLOC_NOT_SUPPORTED. The record is in checkpoints. */
floc_status floc_world_find_merges(floc_world *world, const floc_merge_options *options, floc_merge_summary *summary);

/* What the last look found, row by row in the order in which it happened, until the next look; see floc_law_get_pairs for
 * columns, stride, capacity and count. Names:
 *   time                      of the merge; of clusters that are compared, of the look
 *   change                    of the number of clusters: -1 two became one, +1 one came apart
 *   id_i id_j                 the particles that touched first, or touched last; id_i < id_j
 *   size_i size_j             particles of the cluster of each
 *   mass_i mass_j             [mass]
 *   x y z                     in the middle between the surfaces of the two particles [length]
 *   normal_x normal_y normal_z  unit vector from i to j
 *   vx_i vy_i vz_i, vx_j ..   velocities of the mass centres of the two while they are apart: at the merge, or at the
 *                             look before; of one that came apart now
 *   vx vy vz                  of the one that both are: after the merge, or now; of one that came apart at the look before
 * The merges of one look are ordered by the pairs of ids that join them, so that three that become one are two rows. A
 * merge under ballistic and event_driven keeps mass_i v_i + mass_j v_j = (mass_i + mass_j) v.
 * FLOC_NOT_FOUND: there is no such name. */
floc_status floc_world_get_merges(floc_world *world, const char *const *names, int32_t name_count,
                                  double *const *columns, size_t stride, int64_t capacity, int64_t *count);

/* ---- shapes: of one cluster, or of all particles -------------------------------------------------- */

/* Which particles a shape is measured of. */
typedef struct floc_selection {
  uint32_t struct_size;
  int32_t rule;              /* floc_cluster_rule; default link */
  double gap;                /* >= 0 [length]; default 0. As for floc_clusters. */
  int64_t cluster;           /* >= -1; default 0. 0: all particles; 1, 2, ...: the cluster of that number in
                                floc_clusters; -1: the one of most particles. */
} floc_selection;

floc_status floc_selection_init_sized(floc_selection *selection, uint32_t size);
#define floc_selection_init(selection) floc_selection_init_sized(selection, sizeof(floc_selection))

/* Clusters by size: sizes[k] particles in each of numbers[k] clusters, sizes ascending. Writes up to
 * capacity entries, *count receives their number; sizes and numbers may be NULL with capacity 0. */
floc_status floc_cluster_sizes(floc_world *world, int32_t rule, double gap, int64_t *sizes, int64_t *numbers,
                               int64_t capacity, int64_t *count);

/* The gyration tensor, weighted by mass (for equal masses that of Degond et al. 2024, 4.2). A cluster that extends
 * through a periodic face is unwrapped first. */
typedef struct floc_gyration {
  uint32_t struct_size;
  int64_t count;             /* particles */
  double mass;
  double center[3];          /* of mass [length]; within the box on periodic axes */
  double tensor[9];          /* mean of y y^T, y from the centre, row by row [length^2] */
  double eigenvalue[3];      /* descending [length^2]; the last is 0 in 2-D */
  double orientation[3];     /* unit eigenvector of the largest, (4.12); its first component that is not 0 is
                                positive */
  double aspect_ratio;       /* largest over smallest eigenvalue, (4.11); 1 for one particle, infinite for particles
                                in a row */
  double radius;             /* of gyration: root of the sum of the eigenvalues [length] */
} floc_gyration;

floc_status floc_gyration_init_sized(floc_gyration *gyration, uint32_t size);
#define floc_gyration_init(gyration) floc_gyration_init_sized(gyration, sizeof(floc_gyration))

floc_status floc_measure_gyration(floc_world *world, const floc_selection *selection, floc_gyration *gyration);

/* Mean number of other particles whose centre is within factor (R_i + R_j) / 2: (4.13) with factor = 2.1,
 * without the particle itself and not divided by 6 (2-D) or 12. factor > 0. For the coordination number
 * take 2.002. */
floc_status floc_measure_contact_number(floc_world *world, const floc_selection *selection, double factor,
                                        double *number);

/* (4.14) without the particle itself: values[k] is the mean number of other particles whose centre is
 * within distances[k], which ascend and are >= 0 [length]. */
floc_status floc_measure_pair_distribution(floc_world *world, const floc_selection *selection,
                                           const double *distances, int32_t count, double *values);

/* Maximum distance between the centres of two of the selected particles [length]; 0 for one particle. */
floc_status floc_measure_greatest_distance(floc_world *world, const floc_selection *selection, double *distance);

enum { FLOC_SCALE_COUNT = 32 };

/* A power law y = prefactor x^exponent, fitted by least squares to logarithms. */
typedef struct floc_scaling {
  uint32_t struct_size;
  int32_t count;             /* points, 0 .. FLOC_SCALE_COUNT */
  int32_t first;             /* the fit uses points first .. last */
  int32_t last;
  double x[FLOC_SCALE_COUNT];
  double y[FLOC_SCALE_COUNT];
  double dimension;          /* the fractal dimension: the exponent or its opposite */
  double deviation;          /* standard error of the slope; 0 with two points */
  double prefactor;
} floc_scaling;

floc_status floc_scaling_init_sized(floc_scaling *scaling, uint32_t size);
#define floc_scaling_init(scaling) floc_scaling_init_sized(scaling, sizeof(floc_scaling))

typedef struct floc_fractal_options {
  uint32_t struct_size;
  double least;              /* >= 0 [length]; default 0. The fit's range; 0: three times the mean radius (box
                                counting, and distances from the centre). */
  double greatest;           /* >= 0 [length]; default 0. 0: half of the box (box counting), radius of gyration
                                (distances from the centre). */
  double side;               /* >= 0 [length]; default 0. Box counting: of the largest box; 0: the longest side of
                                the domain, or of the particles' bounding box on open axes. */
  double corner[3];          /* [length]. Box counting: lower corner, used when side is above 0; default 0. */
} floc_fractal_options;

floc_status floc_fractal_options_init_sized(floc_fractal_options *options, uint32_t size);
#define floc_fractal_options_init(options) floc_fractal_options_init_sized(options, sizeof(floc_fractal_options))

/* Box counting, (4.15): x are the boxes' sides side / 2^m, m = 1, 2, ..., y how many hold a centre;
 * dimension is the opposite of the slope. FLOC_INVALID_ARGUMENT if fewer than two sides are in the fit's
 * range. */
floc_status floc_measure_box_counting(floc_world *world, const floc_selection *selection,
                                      const floc_fractal_options *options, floc_scaling *scaling);

/* Mass within distances x from the centre of mass. */
floc_status floc_measure_mass_radius(floc_world *world, const floc_selection *selection,
                                     const floc_fractal_options *options, floc_scaling *scaling);

/* Mass of clusters against their radius of gyration: x are mean radii of gyration of clusters of about equal
 * mass y, over all clusters of at least least_count (2 or more) particles; dimension is the exponent of
 * mass in radius, from a fit over all of these clusters. FLOC_INVALID_ARGUMENT if there are too few. */
floc_status floc_measure_cluster_scaling(floc_world *world, int32_t rule, double gap, int64_t least_count,
                                         floc_scaling *scaling);

/* ---- contact problems as files ---------------------------------------------------------------- */

/* The contact problem of the next step (projection scheme) is written to path, with the initial guess of its
 * impulses, just before it is solved, as sections of a checkpoint file (docs/checkpoint.md). A step that is solved
 * more than once leaves the last problem. */
floc_status floc_problem_record(floc_world *world, const char *path);

typedef struct floc_problem_options {
  uint32_t struct_size;
  int32_t solver;            /* -1 to 3; default -1. floc_solver; -1: the one of the file. */
  int32_t threads;           /* 0 to 256; default 0. 0: one per processor. */
  int32_t repeat;            /* 1 to 1e6; default 1. Number of solves; the shortest time is reported. */
  int64_t max_iterations;    /* >= 0; default 0. Products with A; 0: the file's. */
  double tolerance;          /* >= 0 [length]; default 0. On the residual; 0: the file's. */
  bool warm_start;           /* default true. Begin with the impulses of the file, not with 0. */
  char message[512];         /* what was wrong */
  const char *answer;        /* The problem is written to this file again, with the answer as the initial guess of
                                its impulses; NULL: it is not. */
} floc_problem_options;

floc_status floc_problem_options_init_sized(floc_problem_options *options, uint32_t size);
#define floc_problem_options_init(options) floc_problem_options_init_sized(options, sizeof(floc_problem_options))

typedef struct floc_problem_report {
  uint32_t struct_size;
  bool converged;            /* residual <= tolerance */
  int32_t dimension;
  int32_t solver;
  int32_t islands;           /* 0 where the solver does not look for them */
  int64_t particles;
  int64_t contacts;
  int64_t active_contacts;   /* with an impulse other than 0 */
  int64_t iterations;        /* products with A that the work amounts to */
  double time_step;
  double tolerance;          /* [length] */
  double residual;           /* R, by the engine [length] */
  double audited_residual;   /* R, by plain loops that share nothing with the solvers [length] */
  double seconds;            /* CPU time of one solve, the least of all repeats; their mean where the clock is too
                                coarse for one */
} floc_problem_report;

floc_status floc_problem_report_init_sized(floc_problem_report *report, uint32_t size);
#define floc_problem_report_init(report) floc_problem_report_init_sized(report, sizeof(floc_problem_report))

/* Solves a recorded problem. When max_iterations is reached the call returns FLOC_OK with converged = false. */
floc_status floc_problem_solve(const char *path, floc_problem_options *options, floc_problem_report *report);

/* ---- checkpoints ------------------------------------------------------------------------------ */

/* Bytes of the host that are stored in the checkpoint (script text, parameters, state). Replaces earlier bytes of
 * that name; length 0 removes it. Not part of the hash. */
floc_status floc_attachment_set(floc_world *world, const char *name, const void *bytes, size_t length);

/* *bytes stays valid until the attachment is set again or the world is destroyed. */
floc_status floc_attachment_get(floc_world *world, const char *name, const void **bytes, size_t *length);

/* How floc_world_save stores the numbers. Both kinds of file hold the same state, bit for bit, are checked and put
 * in place in the same way, and are read by every version that reads either. */
typedef enum floc_compression {
  FLOC_COMPRESSION_DEFAULT = 0, /* what can be compressed at little cost: about half the bytes */
  FLOC_COMPRESSION_NONE = 1     /* the numbers as they are: the file is larger, writing and reading are faster */
} floc_compression;
floc_status floc_world_set_checkpoint_compression(floc_world *world, floc_compression compression);

/* Writes the whole state: temporary file path.new-N-PROCESS-RANDOM, flush, read back and verify, rename, flush of the
 * folder; what terminated writers of path left behind is removed. keep >= 1: number of files that stay, as path,
 * path.1, path.2, ... (newest first). A file of one of these names that is not a checkpoint is neither replaced nor
 * moved nor removed: FLOC_FILE_ERROR. Two programs that write to one path should take its lock, see floc_lock_take.
 * Particles that a step would refuse (floc_column) are not saved: no load would accept such a file, and the older
 * one stays. */
floc_status floc_world_save(floc_world *world, const char *path, int32_t keep);

/* Loads a checkpoint into a world that was set up in the same way (dimension, bodies, attributes,
 * laws in the same order: functions of the host cannot come from a file). Impossible numbers are refused with
 * section, element and value (FLOC_DAMAGED_FILE). On failure the world is unchanged. A file from a machine whose
 * mathematical functions round differently (floc_file_mathematics) is loaded, with a warning to the log. */
floc_status floc_world_load(floc_world *world, const char *path);

/* An open checkpoint, for programs that read one without a world. */
typedef struct floc_file floc_file;

typedef struct floc_section_info {
  uint32_t struct_size;
  char name[64];
  char type[8];              /* "f64", "i64", "i32", "u8" */
  uint64_t rows;
  uint64_t columns;
  uint64_t raw_bytes;
  uint64_t stored_bytes;
  uint32_t crc32;            /* of the raw bytes */
  bool is_state;             /* counts for the hash */
} floc_section_info;

floc_status floc_section_info_init_sized(floc_section_info *info, uint32_t size);
#define floc_section_info_init(info) floc_section_info_init_sized(info, sizeof(floc_section_info))

/* Opens and checks a checkpoint (header, contents, every section's CRC). message receives the reason of a failure.
 * Rows that a file may store in any order (contact history, in files without compression) are returned sorted by
 * their first two numbers, so that files of equal states read, compare and hash alike however they were written. */
floc_status floc_file_open(const char *path, floc_file **file, char *message, size_t message_size);
/* The newest valid checkpoint of a path: among the temporary files of terminated writers, path itself, path.1,
 * path.2, ..., in this order; temporary files of running writers are skipped. message receives the reasons of those
 * that were refused, a line for each, also when an older one was opened (FLOC_OK). floc_file_path returns the name,
 * floc_world_load loads the file. FLOC_NOT_FOUND: there is none. */
floc_status floc_file_open_newest(const char *path, floc_file **file, char *message, size_t message_size);
const char *floc_file_path(const floc_file *file);
void floc_file_close(floc_file *file);
int32_t floc_file_section_count(const floc_file *file);
floc_status floc_file_section(const floc_file *file, int32_t index, floc_section_info *info);
/* Copies the raw bytes of a section; capacity must be at least its raw_bytes. */
floc_status floc_file_read(const floc_file *file, int32_t index, void *bytes, size_t capacity);
/* Hash of the state sections: the value of floc_world_hash when the file was written. */
floc_status floc_file_hash(const floc_file *file, uint64_t *hash);
/* Version of the mathematical functions that computed the file, and of the library's: their results for some
 * thousand arguments, as one number. The library's is the same on every machine. If they differ, as for files of
 * versions before 0.3.0, which took the C library's functions, a run that continues here differs in its last bits.
 * FLOC_NOT_FOUND: a file older than that; *here is set nevertheless. */
floc_status floc_file_mathematics(const floc_file *file, uint64_t *written, uint64_t *here);

/* floc_world_load from an open file: the contents that were read and checked when it was opened, whatever has
 * happened to the path since. */
floc_status floc_world_load_file(floc_world *world, const floc_file *file);

/* A world for inspection, made from the file alone: particles with their attributes, bodies, contacts (of soft
 * contacts without forces), bonds, rays in flight, periodic axes, step and time. It has no laws and another scheme;
 * no part of the host's program is run. Destroy it like any other. */
floc_status floc_file_world(const floc_file *file, floc_world **world, char *message, size_t message_size);

/* How a section of one file differs from the section of the same name in another. Equal bits are equal. */
typedef struct floc_section_difference {
  uint32_t struct_size;
  bool missing;              /* the other file has no section of that name */
  bool other_kind;           /* type or number of columns differ; then nothing below is known */
  uint64_t rows_a;
  uint64_t rows_b;
  uint64_t differing;        /* numbers that differ, in the rows that both have */
  uint64_t row;              /* of the first one, from 0; rows of particles.* are ids less 1 */
  uint64_t column;
  double value_a;            /* its values */
  double value_b;
  double greatest;           /* greatest difference; NaN if a NaN is among them */
} floc_section_difference;

floc_status floc_section_difference_init_sized(floc_section_difference *difference, uint32_t size);
#define floc_section_difference_init(difference) floc_section_difference_init_sized(difference, sizeof(floc_section_difference))

floc_status floc_file_compare(const floc_file *a, int32_t index, const floc_file *b,
                              floc_section_difference *difference);

/* ---- files of other kinds, and other programs that write them ---------------------------------------- */

/* A file that is written under a temporary name next to path and takes its place when it is complete: a crash
 * leaves the old file or the new one. The descriptor is at the start of an empty file and belongs to the new file;
 * the name is for other programs that write to it. */
typedef struct floc_new_file floc_new_file;
floc_status floc_new_file_create(const char *path, floc_new_file **file, char *message, size_t message_size);
int floc_new_file_descriptor(const floc_new_file *file);
const char *floc_new_file_name(const floc_new_file *file);
/* Flush, rename, flush of the folder. The temporary file is gone afterwards, the old one as it was if that failed.
 * Frees file in any case; NULL is FLOC_INVALID_ARGUMENT. */
floc_status floc_new_file_finish(floc_new_file *file, char *message, size_t message_size);
/* Removes it. NULL is allowed. */
void floc_new_file_abandon(floc_new_file *file);

/* Keeps other programs off a path, or a folder if path ends with '/', by the system's lock (flock) on the file
 * path.lock, in the folder floc.lock, which names process and host. The lock ends with the process, however that
 * ends; floc_lock_release removes the file, which is harmless if it stays. The lock is advisory: floc_world_save
 * does not check it. A second lock of the same path in one process is refused like one of another process.
 * FLOC_WRONG_STATE: another run has it, and message names it. FLOC_FILE_ERROR: the file cannot be made, or is
 * something else. FLOC_NOT_SUPPORTED: a file system without locks. */
typedef struct floc_lock floc_lock;
floc_status floc_lock_take(const char *path, floc_lock **lock, char *message, size_t message_size);
void floc_lock_release(floc_lock *lock);

/* Whether floc_world_save may write to path: FLOC_OK if nothing is there, or a checkpoint; FLOC_FILE_ERROR with a message
 * otherwise. */
floc_status floc_checkpoint_may_replace(const char *path, char *message, size_t message_size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
