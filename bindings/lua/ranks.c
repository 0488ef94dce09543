/*
 * Scripts over several ranks: processes that mpirun or srun started side by side (floc_ranks in floc.h). All run
 * the same script and make the same calls; what goes wrong when they do not is caught here.
 *
 * Before ranks tell each other anything they pass a door: one reduction in which they compare a hash of all calls
 * so far, each with its line of the script and the numbers and strings that it was given (ranks_note). A rank that
 * took another way through the script stands at another door, or before the same one with another hash, and then
 * all of them learn what each did first that others did not, instead of waiting for each other for ever. A rank
 * with an error of its own comes to the door as well, and all learn of it. Doors also carry the clock of rank 0,
 * and a signal that any rank has got: so all of them stop at the same step.
 *
 * The first maximum that the engine takes in a step goes through the step's door, so that a script costs no
 * reduction more than a host in C.
 *
 *   door   {failed, number of the signal, clock of rank 0, hash, -hash}, the last two in halves, and DOOR_VALUES
 * numbers of the engine, if it has any to compare: maxima over all ranks call   what was noted since the last door
 * that all passed: hash and text of the first CALLS_KEPT
 *
 * The program begins this (bindings/command/ranks.c); in other hosts, and where there is one process, none of it
 * acts. Environment variables are those of OpenMPI, of PMIx, and of PMI (MPICH, srun --mpi=pmi2); in a job script
 * of Slurm itself, outside of srun, none of them is set.
 */
#include "ranks.h"

#include "binding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long number_in(const char *name)
{
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return -1;
  const long value = strtol(text, &end, 10);
  return *end == '\0' && value >= 0 ? value : -1;
}

static long greater(long a, long b)
{
  return a > b ? a : b;
}

long launcher_rank(void)
{
  return greater(greater(number_in("OMPI_COMM_WORLD_RANK"), number_in("PMIX_RANK")), number_in("PMI_RANK"));
}

/* PMIx tells no count; srun does, in a step that it started. */
long launcher_count(void)
{
  long count = greater(number_in("OMPI_COMM_WORLD_SIZE"), number_in("PMI_SIZE"));
  if (count < 0 && launcher_rank() >= 0) count = greater(number_in("SLURM_STEP_NUM_TASKS"), launcher_rank() + 1);
  return count;
}

/* ---- what ranks have done so far ------------------------------------------------------------------------ */

enum { CALLS_KEPT = 128, CALL_TEXT = 184 };

typedef struct call {
  uint64_t hash;
  char text[CALL_TEXT];
} call;

typedef struct call_list {
  int64_t count; /* all; the first CALLS_KEPT are there */
  call kept[CALLS_KEPT];
} call_list;

typedef enum ending { ENDING_NONE, ENDING_DIVERGED, ENDING_FAILED } ending;

static struct {
  floc_ranks host;     /* count 0: one process alone */
  floc_ranks shown;    /* what worlds get: host's functions behind doors */
  FILE *speaks;        /* what is left of the error stream of ranks behind the first */
  bool in_step;        /* the engine's own order of calls */
  bool step_waits;     /* whether all ranks are at this step is not known yet */
  ending ends;         /* nothing is told any more */
  bool has_failed;     /* this rank, by itself */
  int signal;          /* that all ranks know of */
  double clock;        /* of rank 0, at the last door [s] */
  int (*caught)(void); /* number of the signal that this rank has got, 0: none */
  uint64_t hash;
  call_list since;
  char message[1200]; /* of ENDING_DIVERGED */
} over;

bool ranks_are_several(void)
{
  return over.host.count > 1;
}

int ranks_signal(void)
{
  return over.signal;
}

double ranks_clock(void)
{
  return over.clock;
}

static uint64_t mixed(uint64_t hash, uint64_t bits)
{
  hash ^= bits;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  hash ^= hash >> 32;
  hash *= UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 29);
}

static uint64_t hash_text(uint64_t hash, const char *text, size_t length)
{
  for (size_t k = 0; k < length; k += 8) {
    uint64_t word = 0;
    memcpy(&word, text + k, length - k < 8 ? length - k : 8);
    hash = mixed(hash, word);
  }
  return mixed(hash, length);
}

static void note(const char *text, uint64_t hash)
{
  over.hash = mixed(over.hash, hash_text(hash, text, strlen(text)));
  if (over.since.count < CALLS_KEPT) {
    call *one = &over.since.kept[over.since.count];
    one->hash = over.hash;
    snprintf(one->text, sizeof one->text, "%s", text);
  }
  over.since.count++;
}

/* ---- doors ---------------------------------------------------------------------------------------------- */

static double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *text_at(const call_list *list, int64_t k)
{
  return k < list->count && k < CALLS_KEPT ? list->kept[k].text : "nothing more";
}

/* The first call of rank r that rank 0 did not make; -1: they made the same. */
static int64_t first_difference(const call_list *a, const call_list *b)
{
  const int64_t longer = a->count > b->count ? a->count : b->count;
  for (int64_t k = 0; k < longer && k < CALLS_KEPT; k++)
    if (k >= a->count || k >= b->count || a->kept[k].hash != b->kept[k].hash) return k;
  return a->count == b->count && longer <= CALLS_KEPT ? -1 : CALLS_KEPT;
}

/* All ranks know that hashes differ, and come here. */
static void find_difference(void)
{
  const size_t count = (size_t)over.host.count;
  over.ends = ENDING_DIVERGED;
  snprintf(over.message, sizeof over.message, "ranks have diverged");
  call_list *all = malloc(count * sizeof *all);
  int64_t *bytes = malloc(count * sizeof *bytes);
  for (size_t r = 0; bytes && r < count; r++) bytes[r] = sizeof *all;
  if (all && bytes && over.host.gather(over.host.context, &over.since, all, bytes) == 0) {
    for (size_t r = 1; r < count; r++) {
      const int64_t k = first_difference(&all[0], &all[r]);
      if (k < 0) continue;
      if (k < CALLS_KEPT && strcmp(text_at(&all[0], k), text_at(&all[r], k)) == 0)
        snprintf(
            over.message, sizeof over.message,
            "ranks have diverged: rank 0 and rank %d came to %s with different values; a script must do the same "
            "on all ranks",
            (int)r, text_at(&all[0], k));
      else if (k < CALLS_KEPT)
        snprintf(over.message, sizeof over.message,
                 "ranks have diverged: rank 0 came to %s, rank %d to %s; a script must do the same on all ranks",
                 text_at(&all[0], k), (int)r, text_at(&all[r], k));
      else
        snprintf(over.message, sizeof over.message,
                 "ranks have diverged, rank 0 and rank %d after %s; a script must do the same on all ranks", (int)r,
                 text_at(&all[0], CALLS_KEPT - 1));
      break;
    }
  }
  free(all);
  free(bytes);
}

enum { DOOR_OWN = 7, DOOR_VALUES = 8 };

/* Whether all ranks came through; what is noted is of this door. Values of the engine become their maxima. */
static bool door_with(bool failed, double *values, int64_t count)
{
  if (over.ends != ENDING_NONE) return false;
  over.step_waits = false;
  const int caught = over.caught ? over.caught() : 0;
  const double high = (double)(over.hash >> 32), low = (double)(over.hash & UINT32_MAX);
  double all[DOOR_OWN + DOOR_VALUES] = {
      failed ? 1.0 : 0.0, (double)caught, over.host.number == 0 ? clock_now() : 0.0, high, low, -high, -low};
  for (int64_t k = 0; k < count; k++) all[DOOR_OWN + k] = values[k];
  if (over.host.maximum(over.host.context, all, DOOR_OWN + DOOR_VALUES) != 0) {
    over.ends = ENDING_FAILED;
    return false;
  }
  for (int64_t k = 0; k < count; k++) values[k] = all[DOOR_OWN + k];
  over.signal = (int)all[1];
  over.clock = all[2];
  if (all[0] > 0.0) {
    over.ends = ENDING_FAILED;
  } else if (all[3] != -all[5] || all[4] != -all[6]) {
    find_difference();
  } else {
    over.since.count = 0;
  }
  return over.ends == ENDING_NONE;
}

static bool door(bool failed)
{
  return door_with(failed, NULL, 0);
}

static bool named_door(const char *name)
{
  if (over.in_step) return over.step_waits ? door(false) : over.ends == ENDING_NONE;
  note(name, 0);
  return door(false);
}

/* What worlds get. */

static int add(void *context, int64_t *values, int64_t count)
{
  if (!named_door("a sum over ranks")) return 1;
  return over.host.add(context, values, count);
}

static int maximum(void *context, double *values, int64_t count)
{
  if (over.in_step && over.step_waits && count <= DOOR_VALUES) return door_with(false, values, count) ? 0 : 1;
  if (!named_door("a maximum over ranks")) return 1;
  return over.host.maximum(context, values, count);
}

static int exchange(void *context, const void *send, const int64_t *send_bytes, void *receive,
                    const int64_t *receive_bytes)
{
  if (!named_door("an exchange over ranks")) return 1;
  return over.host.exchange(context, send, send_bytes, receive, receive_bytes);
}

static int gather(void *context, const void *own, void *all, const int64_t *bytes)
{
  if (!named_door("a collection over ranks")) return 1;
  return over.host.gather(context, own, all, bytes);
}

static int broadcast(void *context, void *bytes, int64_t count)
{
  if (!named_door("a message to ranks")) return 1;
  return over.host.broadcast(context, bytes, count);
}

void ranks_begin(const floc_ranks *host, int (*caught)(void), FILE *speaks)
{
  over.host = over.shown = *host;
  over.caught = caught;
  over.speaks = speaks;
  over.shown.add = add;
  over.shown.maximum = maximum;
  over.shown.exchange = exchange;
  over.shown.gather = gather;
  over.shown.broadcast = broadcast;
}

floc_status ranks_share_world(floc_world *world)
{
  return ranks_are_several() ? floc_world_set_ranks(world, &over.shown) : FLOC_OK;
}

/* ---- for the Lua half ------------------------------------------------------------------------------------ */

/* What is told when ranks cannot continue together. */
static int raise_ending(lua_State *L)
{
  lua_pushstring(L, over.ends == ENDING_DIVERGED ? over.message : "another rank has failed");
  return lua_error(L);
}

/* ranks() -> number of this one from 0, and how many there are: 0, 1 for a process alone */
static int ranks_numbers(lua_State *L)
{
  lua_pushinteger(L, ranks_are_several() ? over.host.number : 0);
  lua_pushinteger(L, ranks_are_several() ? over.host.count : 1);
  return 2;
}

static uint64_t hash_value(lua_State *L, int index, int depth);

/* Entries in any order. */
static uint64_t hash_table(lua_State *L, int index, int depth) /* NOLINT(misc-no-recursion) */
{
  uint64_t sum = 0;
  if (depth > 8 || !lua_checkstack(L, 4)) return sum;
  if (index < 0) index = lua_gettop(L) + index + 1;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    sum += mixed(hash_value(L, -2, depth + 1), hash_value(L, -1, depth + 1));
    lua_pop(L, 1);
  }
  return sum;
}

/* Of functions and objects there is the kind alone: their addresses differ. */
static uint64_t hash_value(lua_State *L, int index, int depth) /* NOLINT(misc-no-recursion) */
{
  const int type = lua_type(L, index);
  uint64_t hash = (uint64_t)type + 1;
  if (type == LUA_TNUMBER) {
    const double value = lua_tonumber(L, index);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mixed(hash, bits);
  }
  if (type == LUA_TBOOLEAN) return mixed(hash, (uint64_t)lua_toboolean(L, index));
  if (type == LUA_TTABLE) return mixed(hash, hash_table(L, index, depth));
  if (type != LUA_TSTRING) return hash;
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  return hash_text(hash, text, length);
}

/* Behind what is in text. */
static void append(char *text, size_t size, const char *more)
{
  const size_t length = strlen(text);
  if (length < size) snprintf(text + length, size - length, "%s", more);
}

static void append_value(lua_State *L, int index, char *text, size_t size)
{
  char shown[48];
  describe_value(L, index, shown, sizeof shown);
  append(text, size, shown);
}

/* The place in the script from which a call came, past the frames of the Lua half. */
static void append_place(lua_State *L, char *text, size_t size)
{
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline < 0 || strncmp(frame.source, "=floc/", 6) == 0) continue;
    char place[100];
    snprintf(place, sizeof place, " (%.80s:%d)", frame.short_src, frame.currentline);
    append(text, size, place);
    return;
  }
}

bool ranks_step_begin(lua_State *L)
{
  if (!ranks_are_several()) return false;
  char text[CALL_TEXT] = "a step";
  append_place(L, text, sizeof text);
  note(text, 0);
  over.in_step = over.step_waits = true;
  return true;
}

/* A step that asked for no maximum comes to its door now. */
void ranks_step_end(lua_State *L)
{
  over.in_step = false;
  if (over.step_waits) door(false);
  if (over.ends != ENDING_NONE) raise_ending(L);
}

/* ranks_note(what, ...): a call of the script that all ranks must make, with these values. */
static int ranks_note(lua_State *L)
{
  char text[CALL_TEXT];
  const int given = lua_gettop(L);
  uint64_t hash = 0;
  if (over.in_step) return 0; /* functions that a step calls are called as often as a rank has need of them */
  snprintf(text, sizeof text, "%.60s", luaL_checkstring(L, 1));
  for (int k = 2, shown = 0; k <= given; k++) {
    hash = mixed(hash, hash_value(L, k, 0));
    const int type = lua_type(L, k);
    if (shown == 3 || (type != LUA_TNUMBER && type != LUA_TSTRING)) continue;
    append(text, 120, shown++ == 0 ? " " : ", ");
    append_value(L, k, text, 120);
  }
  append_place(L, text, sizeof text);
  note(text, hash);
  return 0;
}

/* ranks_door(what): raises an error on all ranks if they are not all there. */
static int ranks_door(lua_State *L)
{
  char text[CALL_TEXT];
  snprintf(text, sizeof text, "%.60s", luaL_checkstring(L, 1));
  if (over.in_step) {
    append(text, sizeof text, " is not allowed over several ranks in a function that a step calls");
    script_error(L, text);
  }
  append_place(L, text, sizeof text);
  note(text, 0);
  return door(false) ? 0 : raise_ending(L);
}

/* ranks_tell(what, text) -> the text of rank 0 */
static int ranks_tell(lua_State *L)
{
  size_t length = 0;
  lua_settop(L, 2);
  ranks_door(L);
  const char *text = over.host.number == 0 ? luaL_checklstring(L, 2, &length) : NULL;
  int64_t bytes = (int64_t)length;
  over.host.broadcast(over.host.context, &bytes, sizeof bytes);
  char *all = lua_newuserdata(L, (size_t)bytes + 1);
  if (text) memcpy(all, text, length);
  if (bytes > 0) over.host.broadcast(over.host.context, all, bytes);
  lua_pushlstring(L, all, (size_t)bytes);
  return 1;
}

/* Which ranks have an error of their own: the lowest of them; -1: none. */
static int64_t first_failed(void)
{
  double first[] = {over.has_failed ? (double)(over.host.count - over.host.number) : 0.0,
                    over.has_failed ? 0.0 : 1.0};
  if (over.host.maximum(over.host.context, first, 2) != 0 || first[0] == 0.0) return -1;
  if (first[1] == 0.0) { /* all of them: they can do together what is left to do */
    over.ends = ENDING_NONE;
    over.hash = 0;
    over.since.count = 0;
  }
  return over.host.count - (int64_t)first[0];
}

/* Rank 0 tells what ranks have diverged in, and the first one that has an error of its own tells that. */
static void tell_failure(int64_t first, const char *text)
{
  if (over.ends == ENDING_DIVERGED && over.host.number == 0) fprintf(stderr, "floc: %s\n", over.message);
  if (over.ends != ENDING_FAILED || first != over.host.number) return;
  fprintf(over.speaks ? over.speaks : stderr, "floc: rank %d of %d alone: %s\n", over.host.number, over.host.count,
          text);
}

/* ranks_failed(text) -> true where all ranks failed, and end together; else false, and one rank has told why. */
static int ranks_failed(lua_State *L)
{
  const char *text = luaL_checkstring(L, 1);
  over.has_failed = over.ends == ENDING_NONE;
  if (over.has_failed) door(true);
  const int64_t first = over.ends == ENDING_FAILED ? first_failed() : -1;
  tell_failure(first, text);
  lua_pushboolean(L, over.ends == ENDING_NONE);
  return 1;
}

const luaL_Reg ranks_functions[] = {{"ranks", ranks_numbers},       {"ranks_note", ranks_note},
                                    {"ranks_door", ranks_door},     {"ranks_tell", ranks_tell},
                                    {"ranks_failed", ranks_failed}, {NULL, NULL}};

void refuse_ranks(lua_State *L)
{
  const long count = launcher_count();
  if (count <= 1 || ranks_are_several()) return;
  lua_pushfstring(L,
                  "this is process %d of %d that mpirun or srun started side by side, and the module runs in one "
                  "alone; mpirun -n %d floc run SCRIPT runs a script over all of them",
                  (int)launcher_rank() + 1, (int)count, (int)count);
  lua_error(L);
}
