/*
 * The module in several Lua states of one process: it keeps nothing outside of them. Compiled once per Lua.
 */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "preloaded.h"

static const char set_up[] = "local floc = require 'floc'\n"
                             "sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }\n"
                             "sim:add_body { shape = floc.plane { normal = { 0, 1 } } }\n"
                             "for k = 1, 20 do sim:add_particle { position = { 0.7 * k, k }, radius = 0.4 } end\n"
                             "sim:add_field { law = function(vx, t) return math.sin(t) - vx, 0 end }\n"
                             "sim:every(5, function(sim) sim.state.last = sim.step end)\n";

static lua_State *open_state(void)
{
  lua_State *L = luaL_newstate();
  assert_non_null(L);
  open_libraries(L);
  return L;
}

static void run(lua_State *L, const char *text)
{
  if (luaL_loadstring(L, text) || lua_pcall(L, 0, 0, 0)) fail_msg("%s", lua_tostring(L, -1));
}

static void hash(lua_State *L, char *text, size_t size)
{
  run(L, "result = sim:hash()");
  lua_getglobal(L, "result");
  strncpy(text, lua_tostring(L, -1), size - 1);
  text[size - 1] = 0;
  lua_pop(L, 1);
}

static void states_do_not_see_each_other(void **unused)
{
  (void)unused;
  char first[32], second[32], alone[32];
  lua_State *a = open_state(), *b = open_state(), *c = open_state();
  run(a, set_up);
  run(b, set_up);
  for (int k = 0; k < 10; k++) {
    run(a, "sim:run { steps = 10 }");
    run(b, "sim:run { steps = 5 }");
  }
  hash(a, first, sizeof first);
  lua_close(a);
  for (int k = 0; k < 10; k++) run(b, "sim:run { steps = 5 }");
  hash(b, second, sizeof second);
  run(c, set_up);
  run(c, "sim:run { steps = 100 } assert(sim.state.last == 100)");
  hash(c, alone, sizeof alone);
  assert_string_equal(first, alone);
  assert_string_equal(second, alone);
  lua_close(c);
  lua_close(b);
}

/* Set up and run: laws that are traced and one that is not, motions, callbacks. The chunk is compiled before the
 * mode is set, because numbers in the text are read by Lua. */
static const char of_all_kinds[] =
    "local floc = require 'floc'\n"
    "local table_of = { 0.3, 0.1, 0.7 }\n"
    "sim = floc.simulation { time_step = 0.005, seed = 3, threads = 2, scheme = floc.gluey { gamma_min = -0.5 },\n"
    "  gravity = function(t) return 3 * t / (1 + 9 * t * t), -10 end }\n"
    "sim:add_body { shape = floc.container { width = 2, height = 2 } }\n"
    "sim:add_body { shape = floc.wheel { radius = 0.3 }, position = { 0, 0.5 },\n"
    "  angular_velocity = function(t) return 2 / (1 + t * t) end }\n"
    "sim:add_particles { count = 60, radius = { 0.03, 0.05 }, region = floc.box { lower = { -1, 0 }, upper = { 1, "
    "2 } } }\n"
    "sim:add_field { law = function(vx, vy, t) return -0.2 * vx / 3 + 0.1 * math.exp(-t), -0.2 * vy end }\n"
    "sim:add_field { way = 'called',\n"
    "  law = function(x) return table_of[math.floor(x * x * 100) % 3 + 1] * x / 3, 0 end }\n"
    "sim:add_force { range = 0.05, law = function(distance) return -0.5 / 3 * (0.05 - distance) end }\n"
    "sim:every(10, function(sim) sim.state.last = sim.time end)\n"
    "sim:run { steps = 40 }\n"
    "result = sim:hash()\n";

static void hash_in(int mode, char *text, size_t size)
{
  lua_State *L = open_state();
  assert_int_equal(luaL_loadstring(L, of_all_kinds), 0);
  fesetround(mode);
  int failed = lua_pcall(L, 0, 0, 0), left = fegetround();
  fesetround(FE_TONEAREST);
  if (failed) fail_msg("%s", lua_tostring(L, -1));
  assert_int_equal(left, mode);
  lua_getglobal(L, "result");
  strncpy(text, lua_tostring(L, -1), size - 1);
  text[size - 1] = 0;
  lua_close(L);
}

static void the_host_may_round_otherwise(void **unused)
{
  (void)unused;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  char expected[32], found[32];
  hash_in(FE_TONEAREST, expected, sizeof expected);
  for (int k = 0; k < 3; k++) {
    hash_in(modes[k], found, sizeof found);
    assert_string_equal(found, expected);
  }
}

/* A simulation that runs inside a callback of another: the trampolines must not mix up their states. */
static void simulations_nest(void **unused)
{
  (void)unused;
  lua_State *L = open_state();
  run(L, set_up);
  run(L, "local floc = require 'floc'\n"
         "local inner = floc.simulation { time_step = 0.1 }\n"
         "inner:add_particle { position = { 0, 0 }, radius = 1 }\n"
         "inner:add_field { law = function(t) return 1, t end }\n"
         "local calls = 0\n"
         "sim:add_field { law = function(x)\n"
         "  calls = calls + 1\n"
         "  coroutine.wrap(function() inner:run { steps = 1 } end)()\n"
         "  return 0, 0 end }\n"
         "sim:run { steps = 3 }\n"
         "assert(calls == 60 and inner.step == 60)\n"
         "local ok, message = pcall(function()\n"
         "  inner:add_field { law = function() error('deep') end }\n"
         "  sim:run { steps = 1 } end)\n"
         "assert(not ok and message:find('deep'), message)\n"
         "assert(sim.step == 3)\n");
  lua_close(L);
}

static void states_come_and_go(void **unused)
{
  (void)unused;
  for (int k = 0; k < 20; k++) {
    lua_State *L = open_state();
    run(L, set_up);
    run(L, "sim:run { steps = 2 }");
    if (k % 2) run(L, "sim = nil collectgarbage() collectgarbage()");
    lua_close(L);
  }
}

/* Nothing but require makes names; the module's table is the only thing that a script gets. */
static void no_global_names_are_made(void **unused)
{
  (void)unused;
  lua_State *L = open_state();
  run(L, "local before = {}\n"
         "for name in pairs(_G) do before[name] = true end\n"
         "local floc = require 'floc'\n"
         "floc.simulation { time_step = 1 }:run { steps = 1 }\n"
         "for name in pairs(_G) do assert(before[name], name) end\n");
  lua_close(L);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_do_not_see_each_other),
      cmocka_unit_test(the_host_may_round_otherwise),
      cmocka_unit_test(simulations_nest),
      cmocka_unit_test(states_come_and_go),
      cmocka_unit_test(no_global_names_are_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
