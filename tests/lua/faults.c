/*
 * Lua runs out of memory at any moment: the n-th request of a Lua state fails while it loads the module, sets up a
 * simulation, steps it with laws, motions and callbacks in Lua, writes a checkpoint. The script ends with Lua's
 * error for that, the state closes, and all of its memory comes back; the sanitizers see to the rest.
 *
 * Requests go into tens of thousands; the first ones are all refused in turn, then every second, and so on.
 * Lua 5.4 only: LuaJIT takes no allocator of the host's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preloaded.h"

static const char script[] =
    "local floc = require 'floc'\n"
    "local sim = floc.simulation { time_step = 0.01, gravity = function(t) return 0, -10 end }\n"
    "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }\n"
    "sim:add_body { shape = floc.wheel { radius = 0.3 }, position = { 0, 2 }, angular_velocity = function(t) "
    "return t end }\n"
    "for k = 1, 6 do sim:add_particle { position = { 0.7 * k, k }, radius = 0.3 } end\n"
    "sim:add_field { law = function(vx, t) return math.sin(t) - vx, 0 end }\n"
    "sim:add_force { range = 0.1, law = function(distance) return 0.1 / distance end }\n"
    "sim.state.list = {}\n"
    "sim:every(2, function(sim) sim.state.list[#sim.state.list + 1] = sim.x[1] end)\n"
    "sim:run { steps = 6 }\n"
    "assert(#sim:contacts() >= 0 and sim:clusters { by = 'gap', gap = 0.1 }.count > 0)\n"
    "sim:checkpoint { path = PATH }\n"
    "done = sim:hash()\n";

static char path[64];

typedef struct meter {
  int64_t calls, refused;
  size_t held;
} meter;

static void *allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  meter *memory = context;
  size_t held = pointer ? old_size : 0; /* else old_size is a kind of object */
  if (new_size == 0) {
    memory->held -= held;
    free(pointer);
    return NULL;
  }
  if (new_size > held) {
    int64_t past = ++memory->calls - memory->refused;
    if (memory->refused > 0 && (past == 0 || past == 1)) return NULL; /* Lua collects garbage and asks once more */
  }
  void *moved = realloc(pointer, new_size);
  if (moved) memory->held += new_size - held;
  return moved;
}

static int run_script(lua_State *L)
{
  open_libraries(L);
  lua_pushstring(L, path);
  lua_setglobal(L, "PATH");
  if (luaL_loadstring(L, script)) return lua_error(L);
  lua_call(L, 0, 0);
  lua_getglobal(L, "done");
  return 1;
}

/* Whether the script came to its end. */
static bool attempt(meter *memory)
{
  lua_State *L = lua_newstate(allocate, memory);
  if (!L) {
    assert_int_equal(memory->held, 0);
    return false;
  }
  lua_pushcfunction(L, run_script);
  int status = lua_pcall(L, 0, 1, 0);
  if (status != LUA_OK) {
    const char *text = lua_tostring(L, -1);
    if (status != LUA_ERRMEM && !(text && strstr(text, "not enough memory")))
      fail_msg("request %lld: %s", (long long)memory->refused, text ? text : "an error that is not a string");
  }
  lua_close(L);
  assert_int_equal(memory->held, 0);
  return status == LUA_OK;
}

static void every_request_may_fail(void **state)
{
  (void)state;
  meter memory = {0};
  assert_true(attempt(&memory));
  int64_t requests = memory.calls, attempts = 0, failed = 0;
  for (int64_t n = 1; n <= requests; n += 1 + n / 100) {
    memory = (meter){.refused = n};
    failed += !attempt(&memory);
    attempts++;
  }
  print_message("%lld requests, %lld of them refused in turn, %lld ended the script\n", (long long)requests,
                (long long)attempts, (long long)failed);
  assert_true(failed > attempts / 2);
}

int main(void)
{
  snprintf(path, sizeof path, "/tmp/floc-lua-faults-%ld.floc", (long)getpid());
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failures;
}
