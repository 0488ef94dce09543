/*
 * Fuzz target of the parameter parser (floc.args and the options of its declarations): any command line at all must
 * give values within the declared ranges, or one line that begins with the script's name and shows nothing of the
 * module's inside.
 *
 * The parser is Lua, whose paths the fuzzer cannot see. So an input is tried as it is (lines are arguments), and as
 * the seed of a command line that is put together from pieces by chance.
 *
 * Build with clang and -DFLOC_FUZZ=ON, then: fuzz_lua_arguments tests/corpus/arguments
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lua/preloaded.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char harness[] =
    "local floc = require 'floc'\n"
    "local session = require 'floc.session.session'\n"
    "return function(text)\n"
    "  local list = {}\n"
    "  for line in (text .. '\\n'):gmatch '(.-)\\n' do list[#list + 1] = line end\n"
    "  session.push(session.new { script_name = 'script.lua', arguments = list, quiet = true, program = true })\n"
    "  local ok, value = pcall(floc.args, { particles = { 3000, at_least = 1, at_most = 1e6, integer = true },\n"
    "    height = { 0.1, above = 0 }, name = 'a', flag = false, model = { 'dry', one_of = { 'dry', 'gluey' } } })\n"
    "  session.pop()\n"
    "  if ok then\n"
    "    assert(value.particles >= 1 and value.particles <= 1e6 and value.particles % 1 == 0, 'particles')\n"
    "    assert(value.height > 0 and value.height < math.huge, 'height')\n"
    "    assert(type(value.name) == 'string' and type(value.flag) == 'boolean', 'types')\n"
    "    assert(value.model == 'dry' or value.model == 'gluey', 'model')\n"
    "  elseif type(value) == 'string' then\n"
    "    assert(value:sub(1, 12) == 'script.lua: ' and not value:find('floc/', 1, true), value)\n"
    "  else\n"
    "    assert(tostring(value) == 'floc: help was shown', tostring(value))\n"
    "  end\n"
    "end\n";

static lua_State *prepare(void)
{
  lua_State *L = luaL_newstate();
  if (!L) abort();
  open_libraries(L);
  if (luaL_dostring(L, harness)) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    abort();
  }
  if (!freopen("/dev/null", "w", stdout)) abort(); /* --help prints a page */
  return L;
}

static void push_command_line(lua_State *L, const uint8_t *bytes, size_t size)
{
  static const char *const pieces[] = {
      "--particles=", "--height=",   "--name=", "--flag", "--flag=",    "--model=", "--help", "\n",
      "\n",           "dry",         "gluey",   "true",   "no",         "1e6",      "1e7",    "0",
      "-1",           "0.5",         "2.5",     "nan",    "-nan",       "inf",      "-inf",   "1e999",
      "0x10",         "0x1p-1080",   "1e-400",  " ",      "--",         "=",        "-",      "--partcles=",
      "--model",      "--particles", "--name",  "--out=", "--threads=", "\xff",     "%s",     "%d"};
  uint64_t state = 14695981039346656037u;
  for (size_t k = 0; k < size; k++) state = (state ^ bytes[k]) * 1099511628211u;
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (int left = 1 + (int)(state >> 60); left > 0; left--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    luaL_addstring(&text, pieces[(state >> 33) % (sizeof pieces / sizeof *pieces)]);
  }
  luaL_pushresult(&text);
}

static void try_text(lua_State *L)
{
  lua_pushvalue(L, 1);
  lua_insert(L, -2);
  if (lua_pcall(L, 1, 0, 0) == 0) return;
  fprintf(stderr, "broken promise: %s\n", lua_tostring(L, -1));
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  static lua_State *L;
  if (!L) L = prepare();
  lua_pushlstring(L, (const char *)bytes, size);
  try_text(L);
  push_command_line(L, bytes, size);
  try_text(L);
  return 0;
}
