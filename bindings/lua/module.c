/*
 * luaopen_floc: builds the internal table floc.core, makes the embedded Lua half known to require(), and
 * returns what scripts/floc/init.lua returns.
 *
 * The Lua half is compiled in, so that the module is one file and cannot meet a Lua half of another
 * version. Its chunks are named "=floc/<file>.lua": that prefix is how the Lua half tells its own stack
 * frames from the script's when it reports an error.
 */
#include "binding.h"
#include "output/datasets.h"

#include <stdio.h>
#include <string.h>

#include "scripts.h"

/* Upvalues: the script; the environment of all chunks (see traversal.lua), which Lua 5.4 does without. */
static int load_embedded(lua_State *L)
{
  const embedded_script *script = lua_touserdata(L, lua_upvalueindex(1));
  char chunk[96];
  snprintf(chunk, sizeof chunk, "=%s", script->path);
  if (luaL_loadbuffer(L, script->text, *script->size, chunk)) return lua_error(L);
#if LUA_VERSION_NUM < 502
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_setfenv(L, -2);
#endif
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static void set_status_names(lua_State *L)
{
  lua_newtable(L);
  for (int status = 0; status >= FLOC_INTERRUPTED; status--) {
    lua_pushstring(L, floc_status_name((floc_status)status));
    lua_rawseti(L, -2, -status);
  }
  lua_setfield(L, -2, "status_names");
}

/* Enumerators of floc.h that the Lua half writes into options. */
static int open_core(lua_State *L)
{
  world_register(L);
  column_register(L);
  file_register(L);
  picture_register(L);
  dataset_register(L);
  page_register(L);
  ray_register(L);
  lua_newtable(L);
  set_functions(L, world_functions);
  set_functions(L, measure_functions);
  set_functions(L, particle_functions);
  set_functions(L, column_functions);
  set_functions(L, body_functions);
  set_functions(L, law_functions);
  set_functions(L, pair_functions);
  set_functions(L, law_bond_functions);
  set_functions(L, worker_functions);
  set_functions(L, file_functions);
  set_functions(L, seal_functions);
  set_functions(L, system_functions);
  set_functions(L, gate_functions);
  set_functions(L, picture_functions);
  set_functions(L, plot_functions);
  set_functions(L, assembly_functions);
  set_functions(L, joint_functions);
  set_functions(L, element_functions);
  set_functions(L, ray_functions);
  set_functions(L, ballistic_functions);
  set_functions(L, problem_functions);
  set_functions(L, export_functions);
  set_functions(L, page_functions);
  set_functions(L, ranks_functions);
  set_functions(L, ffi_functions);
  push_symbols(L);
  lua_setfield(L, -2, "symbols");
  set_status_names(L);
  lua_pushstring(L, floc_version());
  lua_setfield(L, -2, "version");
  lua_pushstring(L, mathematics_of_scripts(L));
  lua_setfield(L, -2, "mathematics");
  lua_pushstring(L, floc_cdef());
  lua_setfield(L, -2, "cdef");
  return 1;
}

/* A table that reads and writes the global variables unless it has a field of that name itself. */
static void push_environment(lua_State *L)
{
  lua_newtable(L);
  lua_newtable(L);
  lua_getglobal(L, "_G");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__index");
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

int luaopen_floc(lua_State *L)
{
  refuse_ranks(L);
  push_environment(L);
  const int environment = lua_gettop(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_core);
  lua_setfield(L, -2, "floc.core");
  for (const embedded_script *script = embedded_scripts; script->module; script++) {
    lua_pushlightuserdata(L, (void *)script);
    lua_pushvalue(L, environment);
    lua_pushcclosure(L, load_embedded, 2);
    lua_setfield(L, -2, script->module);
  }
  lua_getglobal(L, "require");
  lua_pushliteral(L, "floc.init");
  lua_call(L, 1, 1);
  return 1;
}
