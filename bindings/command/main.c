/*
 * The program `floc`: a Lua interpreter with the module floc built in. What it does with its arguments is
 * written in Lua (scripts/floc/command/command.lua); here is what Lua cannot do: signals and the environment.
 *
 * Signals are caught only here, never in the library or the module: a host that embeds them has its own. The
 * first Ctrl-C, SIGTERM or SIGHUP sets a flag that the run loop looks at after each step and the engine within
 * steps; Lua code that continues is stopped (stop.h). With it the default action comes back, so that a second one
 * ends the program at once, whatever it is doing. SIGXCPU (a limit of CPU time), SIGUSR1 and SIGUSR2 (which batch
 * systems send before they end a job) do the same, and come again without an effect.
 *
 * What cannot be written to standard output is an error, not a death: SIGPIPE does nothing, the run loop is told of
 * it as of a signal, and the exit status is not 0. Handlers, unlike ignored signals, do not pass to programs that
 * are started.
 *
 * As one of several ranks (ranks.h) it takes all this from what ranks agree on.
 */
#include "binding.h"
#include "page.h"
#include "ranks.h"
#include "stop.h"

#include "../lua/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <lualib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t caught_signal;

static void do_nothing(int number)
{
  (void)number;
}

static void set_handler(int number, void (*handler)(int))
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void catch_signal(int number)
{
  static const char text[] = "\nfloc: stopping; a second signal stops at once\n";
  caught_signal = number;
  stop_soon();
  set_handler(SIGINT, SIG_DFL);
  set_handler(SIGTERM, SIG_DFL);
  set_handler(SIGHUP, SIG_DFL);
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

/* Over ranks all of them stop at one step (bindings/lua/ranks.c), and no code of the script is stopped on one
 * alone. A second signal means nothing: a terminal sends one, and mpirun another, which then ends those that do not
 * end. */
static void catch_over_ranks(int number)
{
  static const char text[] = "\nfloc: stopping\n";
  if (caught_signal) return;
  caught_signal = number;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

/* Another one comes each second of CPU time, or by mistake. */
static void catch_warning(int number)
{
  static const char text[] = "\nfloc: stopping\n";
  set_handler(SIGXCPU, do_nothing);
  set_handler(SIGUSR1, do_nothing);
  set_handler(SIGUSR2, do_nothing);
  if (!caught_signal) caught_signal = number;
  stop_soon();
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

static void install_handlers(void)
{
  struct sigaction before;
  set_handler(SIGINT, catch_signal);
  set_handler(SIGTERM, catch_signal);
  sigaction(SIGHUP, NULL, &before);
  if (before.sa_handler != SIG_IGN) set_handler(SIGHUP, catch_signal); /* ignored under nohup: leave it so */
  set_handler(SIGXCPU, catch_warning);
  set_handler(SIGUSR1, catch_warning);
  set_handler(SIGUSR2, catch_warning);
  set_handler(SIGPIPE, do_nothing);
  set_handler(SIGXFSZ, do_nothing); /* a file that may not grow: the write reports it */
}

static void install_over_ranks(void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};
  struct sigaction before;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    sigaction(numbers[k], NULL, &before);
    if (before.sa_handler != SIG_IGN) set_handler(numbers[k], catch_over_ranks);
  }
}

enum { OUTPUT_FAILED = 1000 }; /* as a signal that rank 0 has got */

/* For doors. */
static int own_signal(void)
{
  return caught_signal ? (int)caught_signal : ferror(stdout) ? OUTPUT_FAILED : 0;
}

/* interrupted() -> number of the signal, "output" where standard output takes no more, or false */
static int command_interrupted(lua_State *L)
{
  const int by = ranks_are_several() ? ranks_signal() : own_signal();
  if (by > 0 && by < OUTPUT_FAILED)
    lua_pushinteger(L, by);
  else if (by == OUTPUT_FAILED)
    lua_pushliteral(L, "output");
  else
    lua_pushboolean(L, 0);
  return 1;
}

/* ---- the streams ------------------------------------------------------------------------------------ */

/* A stream that the caller closed would be the next file that is opened, a checkpoint, and messages would go there.
 * In its place comes a descriptor that takes nothing. */
static void occupy_streams(void)
{
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) exit(EXIT_FAILURE);
}

/* At the end, also by os.exit: what was printed must have got out. */
static void check_output(void)
{
  errno = 0;
  bool failed = fflush(stdout) != 0;
  if (!failed && !ferror(stdout)) return;
  fprintf(stderr, "floc: standard output could not be written%s%s\n", failed && errno ? ": " : "",
          failed && errno ? strerror(errno) : "");
  (void)fflush(stderr);
  _exit(EXIT_FAILURE);
}

/* An error that reached the top: its text with a traceback, for --traceback; other values stay. */
static int add_traceback(lua_State *L)
{
  if (lua_type(L, 1) != LUA_TSTRING) return 1;
  lua_getglobal(L, "debug");
  lua_getfield(L, -1, "traceback");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 2);
  lua_call(L, 2, 1);
  return 1;
}

static char last_words[200]; /* when the time is over */

static void time_is_over(int number)
{
  (void)number;
  if (write(STDERR_FILENO, last_words, strlen(last_words)) < 0) _exit(EXIT_FAILURE);
  _exit(EXIT_FAILURE);
}

/* limit(bytes, seconds, message): the operating system's own limits for this process, memory that is written to and
 * CPU time. For the sandbox; there is no way back. At the soft limit of time the message is written and
 * the program ends; the hard one, which kills without a word, lies behind it and is never met. */
static int command_limit(lua_State *L)
{
  const struct rlimit memory = {(rlim_t)luaL_checknumber(L, 1), (rlim_t)luaL_checknumber(L, 1)};
  const struct rlimit time = {(rlim_t)luaL_checknumber(L, 2), (rlim_t)luaL_checknumber(L, 2) + 10};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = time_is_over;
  sigemptyset(&action.sa_mask);
  snprintf(last_words, sizeof last_words, "%s\n", luaL_checkstring(L, 3));
  if (sigaction(SIGXCPU, &action, NULL) || setrlimit(RLIMIT_DATA, &memory) || setrlimit(RLIMIT_CPU, &time))
    return luaL_error(L, "the limits cannot be set");
  return 0;
}

/* The module as require() would load it. */
static void preload_module(lua_State *L)
{
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_floc);
  lua_setfield(L, -2, "floc");
  lua_pop(L, 2);
}

/* end_over_ranks(status): instead of os.exit. */
static int command_end(lua_State *L)
{
  exit(command_ranks_end((int)luaL_optinteger(L, 1, 0)));
}

/* require("floc"); return require("floc.command.command").main(arguments, interrupted, add_traceback, limit, page,
 * end_over_ranks) */
static int run_command(lua_State *L)
{
  lua_getglobal(L, "require");
  lua_pushvalue(L, -1);
  lua_pushliteral(L, "floc");
  lua_call(L, 1, 0);
  lua_pushliteral(L, "floc.command.command");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "main");
  lua_pushvalue(L, 1);
  lua_pushcfunction(L, command_interrupted);
  lua_pushcfunction(L, add_traceback);
  lua_pushcfunction(L, command_limit);
  page_push(L);
  lua_pushcfunction(L, command_end);
  lua_call(L, 6, 1);
  return 1;
}

/* Number 0 is the name that the program was called by. */
static void push_arguments(lua_State *L, int count, char **arguments)
{
  lua_createtable(L, count, 1);
  for (int k = 0; k < count; k++) {
    lua_pushstring(L, arguments[k]);
    lua_rawseti(L, -2, k);
  }
}

int main(int argument_count, char **arguments)
{
  occupy_streams();
  install_handlers();
  atexit(check_output);
  if (!command_ranks_begin(own_signal)) return EXIT_FAILURE;
  if (ranks_are_several()) install_over_ranks();
  lua_State *L = luaL_newstate();
  if (!L) {
    fprintf(stderr, "floc: out of memory\n");
    return EXIT_FAILURE;
  }
  luaL_openlibs(L);
  if (!ranks_are_several()) stop_prepare(L);
  lua_pushlightuserdata(L, (void *)&caught_signal);
  lua_setfield(L, LUA_REGISTRYINDEX, INTERRUPT_FLAG);
  preload_module(L);
  lua_pushcfunction(L, run_command);
  push_arguments(L, argument_count, arguments);
  int status = EXIT_FAILURE;
  if (lua_pcall(L, 1, 1, 0)) {
    const char *text = lua_tostring(L, -1);
    fprintf(stderr, "floc: %s\n", text ? text : "an error that is not a string");
  } else {
    status = (int)lua_tointeger(L, -1);
  }
  stop_end();
  lua_close(L);
  return command_ranks_end(status);
}
