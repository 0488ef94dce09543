/*
 * Lua states of tests in C, with floc linked in.
 */
#ifndef FLOC_TESTS_LUA_PRELOADED_H
#define FLOC_TESTS_LUA_PRELOADED_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

int luaopen_floc(lua_State *L);

/* The libraries of Lua, and floc where require() finds it. */
static inline void open_libraries(lua_State *L)
{
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_floc);
  lua_setfield(L, -2, "floc");
  lua_pop(L, 2);
}

#endif
