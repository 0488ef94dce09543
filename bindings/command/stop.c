/*
 * See stop.h.
 */
#include "stop.h"

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#ifdef LUA_JITLIBNAME
#include <luajit.h>
#endif

static lua_State *main_state;

/* Is the function that runs one of a script? The module's own chunks are called =floc/..., see
 * bindings/lua/module.c. */
static int is_of_script(lua_State *L, lua_Debug *at)
{
  return lua_getinfo(L, "Sl", at) && strcmp(at->what, "C") != 0 && strncmp(at->source, "=floc/", 6) != 0;
}

static void end_here(lua_State *L, lua_Debug *at)
{
  if (is_of_script(L, at)) luaL_error(L, "%s:%d: stopped", at->short_src, at->currentline);
}

#ifdef LUA_JITLIBNAME
static void take_no_sample(void *context, lua_State *L, int samples, int state)
{
  (void)context, (void)L, (void)samples, (void)state;
}
#endif

static void time_is_up(int number)
{
  (void)number;
  lua_sethook(main_state, end_here, LUA_MASKCOUNT, 1);
#ifdef LUA_JITLIBNAME
  raise(SIGPROF); /* again and again: a loop within the module is passed over */
#endif
}

void stop_prepare(lua_State *L)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = time_is_up;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  main_state = L;
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGVTALRM, &action, NULL);
#ifdef LUA_JITLIBNAME
  luaJIT_profile_start(L, "li1000000000", take_no_sample, NULL); /* l: at each line; i: milliseconds of computing */
#endif
}

void stop_soon(void)
{
  const struct itimerval computing = {{0, 100000}, {0, 300000}}, waiting = {{0, 100000}, {1, 300000}};
  setitimer(ITIMER_VIRTUAL, &computing, NULL);
  setitimer(ITIMER_REAL, &waiting, NULL);
}

void stop_end(void)
{
  const struct itimerval never = {{0, 0}, {0, 0}};
  signal(SIGALRM, SIG_IGN); /* one may have been sent already */
  signal(SIGVTALRM, SIG_IGN);
  setitimer(ITIMER_VIRTUAL, &never, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
}
