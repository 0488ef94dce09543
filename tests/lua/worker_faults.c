/*
 * Memory runs out for laws in worker states: the n-th request fails of what the binding asks of the C
 * library, and of states, while a law is checked, run, changed and run again. The script ends with an error that
 * speaks of memory, or comes to its end with the same numbers; every state is closed, and the sanitizers see to the
 * rest.
 *
 * LuaJIT only: worker states are reached through its FFI. What a state asks for itself is not refused: LuaJIT
 * crashes if that happens while it opens a state. malloc, calloc, luaL_newstate and lua_close of the binding are
 * wrapped by the linker. One thread, so that the n-th request is the same one every time.
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

#include "preloaded.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
lua_State *__real_luaL_newstate(void);
lua_State *__wrap_luaL_newstate(void);
void __real_lua_close(lua_State *L);
void __wrap_lua_close(lua_State *L);

static const char script[] =
    "local floc = require 'floc'\n"
    "local sim = floc.simulation { dimension = 2, time_step = 1e-4, seed = 5, threads = 1 }\n"
    "for k = 1, 12 do sim:add_particle { position = { 0.9 * k, 0 }, radius = 0.4 } end\n"
    "local values = {}\n"
    "for k = 0, 20 do values[k] = math.exp(-k / 4) end\n"
    "local handle = sim:add_force { range = 1, way = 'chunked', law = function(distance)\n"
    "  return values[math.min(math.max(math.floor(10 * distance), 0), 20)]\n"
    "end }\n"
    "assert(handle.way == 'chunked')\n"
    "sim:run { steps = 2 }\n"
    "for k = 0, 20 do values[k] = 2 * values[k] end\n"
    "sim:run { steps = 2 }\n"
    "done = sim:hash()\n";

/* Requests that may fail; counted while `on`. */
static struct {
  bool on;
  int64_t calls, refused;
  int64_t states, open; /* of the laws */
} meter;

static bool may_have(void)
{
  return !meter.on || ++meter.calls != meter.refused;
}

void *__wrap_malloc(size_t size)
{
  return may_have() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
  return may_have() ? __real_calloc(count, size) : NULL;
}

lua_State *__wrap_luaL_newstate(void)
{
  lua_State *L = may_have() ? __real_luaL_newstate() : NULL;
  meter.states += L != NULL;
  meter.open += L != NULL;
  return L;
}

void __wrap_lua_close(lua_State *L)
{
  meter.open--;
  __real_lua_close(L);
}

static int run_script(lua_State *L)
{
  open_libraries(L);
  if (luaL_loadstring(L, script)) return lua_error(L);
  meter.on = true;
  lua_call(L, 0, 0);
  lua_getglobal(L, "done");
  return 1;
}

/* Whether the script came to its end; then hash is what the world hashed to. */
static bool attempt(int64_t refused, char hash[32])
{
  lua_State *L = __real_luaL_newstate();
  assert_non_null(L);
  memset(&meter, 0, sizeof meter);
  meter.refused = refused;
  lua_pushcfunction(L, run_script);
  bool done = lua_pcall(L, 0, 1, 0) == 0;
  meter.on = false;
  const char *text = lua_tostring(L, -1);
  assert_non_null(text);
  if (!done && !strstr(text, "memory")) fail_msg("request %lld: %s", (long long)refused, text);
  if (done) snprintf(hash, 32, "%s", text);
  __real_lua_close(L);
  assert_int_equal(meter.open, 0);
  return done;
}

static void every_request_may_fail(void **state)
{
  (void)state;
  char expected[32], hash[32];
  assert_true(attempt(0, expected));
  assert_true(meter.states >= 2); /* to check the law, and to run it */
  int64_t requests = meter.calls, attempts = 0, failed = 0;
  for (int64_t n = 1; n <= requests; n++) {
    bool done = attempt(n, hash);
    if (done) assert_string_equal(hash, expected);
    failed += !done;
    attempts++;
  }
  print_message("%lld requests, %lld of them refused in turn, %lld ended the script\n", (long long)requests,
                (long long)attempts, (long long)failed);
  assert_true(failed > attempts / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
