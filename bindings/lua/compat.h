/*
 * The few places where the C interfaces of Lua 5.1 (LuaJIT) and Lua 5.4 differ. The binding is written
 * once, against these names.
 *
 * A simulation's Lua values (callbacks, column views) live in a table that hangs on its userdata: in 5.4
 * the user value, in 5.1 the environment. The registry would do too, but a registry entry is a root of the
 * garbage collector: a callback that mentions its own simulation would keep it alive for ever.
 */
#ifndef FLOC_LUA_COMPAT_H
#define FLOC_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM < 502
#define lua_rawlen(L, index)     lua_objlen(L, index)
#define attach_table(L, index)   lua_setfenv(L, index)
#define attached_table(L, index) lua_getfenv(L, index)
#else
#define attach_table(L, index)   lua_setiuservalue(L, index, 1)
#define attached_table(L, index) lua_getiuservalue(L, index, 1)
#endif

/* luaL_setfuncs of 5.2, which plain 5.1 lacks: sets functions in the table on top of the stack. */
static inline void set_functions(lua_State *L, const luaL_Reg *functions)
{
  for (; functions->name; functions++) {
    lua_pushcfunction(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

#endif
