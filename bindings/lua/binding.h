/*
 * What the files of the Lua binding share.
 *
 * The C half is thin and internal: it turns tables of named values into the option structs of floc.h, calls
 * the engine, and turns the answer into Lua values. Names, defaults, checks that deserve a good message and
 * everything that a script sees are in the Lua half, scripts/floc.
 *
 * Convention: a function of this half returns its values (or true) on success, and nil, message, status
 * name when the engine refuses. Only misuse by the Lua half itself raises an error here.
 *
 * A simulation is a full userdata that holds a binding. Its attached table (see compat.h) holds the Lua
 * functions that the engine calls, by number, and the column views, by name. Engine calls that may call
 * back happen inside a C function whose first argument is the userdata, so a trampoline finds the attached
 * table through stack index 1.
 */
#ifndef FLOC_LUA_BINDING_H
#define FLOC_LUA_BINDING_H

#include "compat.h"
#include "floc/floc.h"

/* In the registry, from the program: lightuserdata of a volatile sig_atomic_t that says that calls of the engine
 * are to be given up (floc_world_set_interrupt). */
#define INTERRUPT_FLAG "floc.interrupt"
#define LOG_FUNCTION   "floc.log"

#define BINDING_TYPE "floc.binding"
#define VIEW_TYPE    "floc.column_view"
#define FILE_TYPE    "floc.file"
#define PATHS_TYPE   "floc.ray_paths"

/* What sim.x is made of. LuaJIT sees the same struct through FFI (scripts/floc/simulation/columns.lua), so its
 * layout is part of the contract between the two halves. count is no double, so that LuaJIT knows that writing an
 * element leaves it as it is; the engine has no more particles than fit. It is 0 while a step runs and after the
 * simulation is gone: then every id is out of range and nothing is touched. */
typedef struct column_view {
  double *values;
  const int64_t *slots;
  double above; /* values written must be above it: 0 for radius and mass, else -infinity */
  int32_t count;
  int32_t present; /* where ids are not 1 to the number of particles, because some were removed: that number, and
                      count is 0 */
  const int64_t *ids;
} column_view;

/* The place of an id among those that there are, in ascending order, from 0; -1: it is not there. */
static inline int64_t rank_of_id(const int64_t *ids, const int64_t *slots, int64_t count, int64_t id)
{
  if (id >= 1 && id <= count && ids[slots[id - 1]] == id) return id - 1; /* none before it was removed */
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[slots[middle]] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ids[slots[low]] == id ? low : -1;
}

typedef struct view_entry {
  char name[64];
  column_view *view;
  bool open; /* between runs: the Lua half has taken note of what it holds */
} view_entry;

/* A Lua function that the engine calls. */
typedef struct callback {
  struct binding *owner;
  int function; /* its place in the attached table */
  int32_t input_count;
  int32_t output_count;
  char *place;        /* "the law of add_force at script.lua:10", behind a Lua error */
  char *label;        /* laws: "script.lua:10: add_force: the law", before a wrong result */
  char **input_names; /* laws */
  int64_t calls;      /* laws: so far, and the time that they took [s] */
  double seconds;
  struct chunk_workers *workers; /* laws: worker states that run it; NULL: it is called in this one */
  struct callback *next;
} callback;

typedef struct binding {
  floc_world *world;
  int32_t dimension;
  lua_State *state;   /* the coroutine that is inside an engine call now */
  int number;         /* of the simulation in the script, for warnings */
  bool busy;          /* an engine call that may call back is running */
  bool failed;        /* a callback of this engine call failed: no other is called any more */
  char failure[1024]; /* the first failure as text; "" if it is another Lua value */
  bool between_runs;  /* views that are not open are out of range: see gap.lua */
  bool views_wait;    /* over ranks, after a step: all views are, until one is asked: see columns_shown() */
  view_entry *views;
  size_t view_count, view_capacity;
  callback *callbacks; /* all of them, to free */
  callback **motions;  /* by body; NULL where the motion is no function */
  int32_t motion_capacity;
  callback *flow;        /* the flow's function, or NULL */
  callback *a_priori;    /* the function of a priori velocities, or NULL */
  callback *of_pairs;    /* the scheme's function of materials, or NULL */
  int64_t pair_capacity; /* rows of columns that were read last, see world/pairs.c */
} binding;

/* ---- options.c: option structs from tables ------------------------------------------------------ */

typedef enum field_kind {
  FIELD_NUMBER,     /* double */
  FIELD_VECTOR,     /* double[3] from a list of up to 3 numbers */
  FIELD_POINTS,     /* double[3][3] from a list of up to 3 lists */
  FIELD_PARAMETERS, /* double[8] from a list of up to 8 numbers */
  FIELD_QUATERNION, /* double[4] from a list of up to 4 numbers */
  FIELD_INTEGER,    /* int32_t */
  FIELD_LONG,       /* int64_t or uint64_t */
  FIELD_BOOLEAN,
  FIELD_STRING, /* const char *, valid while the table is */
  FIELD_PATH    /* the same, the name of a file: see check_path */
} field_kind;

typedef struct option_field {
  const char *name;
  field_kind kind;
  size_t offset;
} option_field;

#define OPTION(kind, type, member)                                                                                 \
  {                                                                                                                \
#member, kind, offsetof(type, member)                                                                          \
  }

/* Fills the members that the table at index names; the list of fields ends with a NULL name. */
void options_fill(lua_State *L, int index, const option_field *fields, void *target);
void push_vector(lua_State *L, const double *values, int count);
/* Sets a field of the table on top of the stack. */
void set_number(lua_State *L, const char *name, double value);
void set_vector(lua_State *L, const char *name, const double *values, int count);

/* ---- results.c: tables from structs that calls return -------------------------------------------- */

typedef enum result_kind {
  RESULT_NUMBER,
  RESULT_INTEGER, /* int32_t */
  RESULT_LONG,    /* int64_t or uint64_t */
  RESULT_BOOLEAN,
  RESULT_TRUTH, /* int32_t: 0 or 1 */
  RESULT_WORD,  /* int32_t: which of the words */
  RESULT_TEXT,  /* char[] */
  RESULT_VECTOR,
  RESULT_AXIAL, /* double[3]: in the plane the last one alone */
  RESULT_ROWS   /* double[][3]: a list of vectors */
} result_kind;

typedef struct result_field {
  const char *name;
  result_kind kind;
  size_t offset;
  int count;         /* of numbers of a vector, or rows; 0: as many as there are axes */
  int first;         /* what 0 is in Lua */
  double absent;     /* this value is nil; NaN: none is */
  const char *words; /* one after the other */
} result_field;

/* A table of what fields name, which end with a NULL name: results_made.h has them for each struct. */
void push_result(lua_State *L, const result_field *fields, const void *result, int dimension);

/* Raises an error that begins with the line of the script, past the frames of the Lua half. */
void script_error(lua_State *L, const char *text);

/* ---- gate.c ------------------------------------------------------------------------------------- */

/* The name of a file at index, as luaL_checkstring gives it; raises an error when the sandbox has closed files. All
 * names of files are taken by it or by FIELD_PATH. */
const char *check_path(lua_State *L, int index);

/* ---- world.c ------------------------------------------------------------------------------------ */

/* The binding at index 1; raises an error when it is none, or when an engine call is running that this
 * one would disturb. */
binding *check_binding(lua_State *L);
/* The same, for calls that only look and are allowed at any time. */
binding *peek_binding(lua_State *L);
/* Number of values pushed: true, or nil, message, status name. */
int answer(lua_State *L, binding *self, floc_status status);
/* The same after a call that may have moved columns: views follow. The answer comes first, because looking at a
 * column is a call that clears the message, and views of forces may call laws. */
int answer_and_refresh(lua_State *L, binding *self, floc_status status);
/* As answer, where the message is not the world's. */
int answer_text(lua_State *L, floc_status status, const char *text);

/* Around an engine call that may call back: the Lua thread for callbacks, and the ban on other calls. The
 * first returns the thread of the surrounding call, which the second takes back. */
lua_State *engine_call_begin(lua_State *L, binding *self);
void engine_call_end(binding *self, lua_State *outer);

/* ---- columns.c ---------------------------------------------------------------------------------- */

/* All views out of range, until the next refresh. */
void views_lock(binding *self);
/* Pointers and count again, after anything that may have moved the columns. */
void views_refresh(lua_State *L, binding *self);
/* floc_column, from a call of Lua. */
floc_status column_of(lua_State *L, binding *self, const char *name, double **values, int64_t *count);
/* All contacts, in a userdata that is left on the stack if there are any to be had. */
floc_status contacts_read(lua_State *L, binding *self, floc_contact **contacts, int64_t *count);

/* ---- laws.c ------------------------------------------------------------------------------------- */

/* What a Lua value looks like in a message. Does not raise. */
void describe_value(lua_State *L, int index, char *text, size_t size);
/* "<label> returned nil for distance = 0.5, ...; it must return ...", for answer(). */
floc_status law_wrong_result(callback *self, lua_State *L, int index, const double *const *inputs, int32_t row);
/* The same as text alone. */
void describe_wrong_result(const callback *self, lua_State *L, int index, const double *const *inputs, int32_t row,
                           char *text, size_t size);
/* A list of lists of numbers at index, into values[column][row]; and pushes such a list. */
void take_columns(lua_State *L, int index, int32_t columns, int32_t count, double *values);
void push_columns(lua_State *L, const double *values, int32_t columns, int32_t count);

/* ---- workers.c: laws in worker states ------------------------------------------------------- */

/* The recipe (scripts/floc/trace/chunk.lua) at index; on failure NULL, with what is wrong in text. */
struct chunk_workers *workers_create(lua_State *L, int recipe, char *text, size_t size);
void workers_free(struct chunk_workers *workers);
/* A floc_kernel_function for several threads at once; the context is the callback. */
floc_status workers_run(void *context, int32_t count, const double *const *inputs, double *const *outputs);

/* ---- rays.c ------------------------------------------------------------------------------------- */

/* Straight pieces of rays' paths; a userdata of Lua with the pieces behind it. */
typedef struct ray_paths {
  int64_t count;
  floc_ray_segment piece[];
} ray_paths;

/* ---- callbacks.c -------------------------------------------------------------------------------- */

/* Keeps the function at index 3 in the attached table of the userdata at index 1; the table at index 2
 * names its place. */
callback *callback_create(lua_State *L, binding *self);
/* The scheme's number of two materials, from a Lua function of the quantity and the two. */
floc_status pair_trampoline(void *context, const char *quantity, int32_t material_i, int32_t material_j,
                            double *value);
/* The same with the indices of the description and the function; both above 0. */
callback *callback_keep(lua_State *L, binding *self, int description, int function);
char *copy_text(lua_State *L, const char *text);
/* Releases a callback's function when something took its place; the record is freed with the rest. */
void callback_release(lua_State *L, callback *old);
/* Takes back the callback made last, when the engine refused it. */
void callback_discard(lua_State *L, binding *self, callback *latest);
void callbacks_free(binding *self);
/* The Lua thread that may run callbacks now, with the function pushed; the caller pushes arguments and
 * calls. NULL when no call may be made. Nothing here or in lua_pcall raises outside protection. */
lua_State *callback_push(callback *self);
/* Keeps the error value on top of the stack for answer(). */
floc_status callback_failed(callback *self, lua_State *L);

/* "engine" where math.* and ^ of this Lua are the engine's, else "host". */
const char *mathematics_of_scripts(lua_State *L);

/* ---- what each file adds to the module's table of functions ------------------------------------- */

extern const luaL_Reg world_functions[];
extern const luaL_Reg particle_functions[];
extern const luaL_Reg measure_functions[];
extern const luaL_Reg column_functions[];
extern const luaL_Reg body_functions[];
extern const luaL_Reg law_functions[];
extern const luaL_Reg pair_functions[];
extern const luaL_Reg law_bond_functions[];
extern const luaL_Reg worker_functions[];
extern const luaL_Reg file_functions[];
extern const luaL_Reg seal_functions[];
extern const luaL_Reg system_functions[];
extern const luaL_Reg gate_functions[];
extern const luaL_Reg picture_functions[];
extern const luaL_Reg plot_functions[];
extern const luaL_Reg assembly_functions[];
extern const luaL_Reg joint_functions[];
extern const luaL_Reg element_functions[];
extern const luaL_Reg ray_functions[];
extern const luaL_Reg ballistic_functions[];
extern const luaL_Reg problem_functions[];
extern const luaL_Reg export_functions[];
extern const luaL_Reg page_functions[];
extern const luaL_Reg ranks_functions[];

/* Pushes a table of the addresses of floc.h's functions, by name. */
void push_symbols(lua_State *L);
extern const luaL_Reg ffi_functions[];

void world_register(lua_State *L);
void column_register(lua_State *L);
void file_register(lua_State *L);
void picture_register(lua_State *L);
void ray_register(lua_State *L);
void page_register(lua_State *L);

/* Raises an error in one of several processes that mpirun or srun started, if it is not one of the program's. */
void refuse_ranks(lua_State *L);
/* Around a step: true where there are several ranks. The end raises an error where they are not all at this step.
 */
bool ranks_step_begin(lua_State *L);
void ranks_step_end(lua_State *L);

int luaopen_floc(lua_State *L) __attribute__((visibility("default")));

/* inertia = { xx, yy, zz, xy, xz, yz } of the table at index 2; without it the numbers stay. */
void read_inertia(lua_State *L, double inertia[6]);

#endif
