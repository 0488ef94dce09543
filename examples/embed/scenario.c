/*
 * A program that runs a scenario in Lua inside its own Lua state and steps it from its own loop. The module floc is
 * found by require, like any other; the host asks Lua for what it wants to know.
 *
 *   scenario scenario.lua
 */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static int fail(lua_State *L)
{
  fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return 1;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "scenario FILE.lua\n");
    return 1;
  }
  lua_State *L = luaL_newstate();
  if (!L) return 1;
  luaL_openlibs(L);
  if (luaL_loadfile(L, argv[1]) || lua_pcall(L, 0, 2, 0)) return fail(L); /* returns advance and measure */
  for (int frame = 0; frame < 5; frame++) {
    lua_pushvalue(L, -2);
    lua_pushinteger(L, 20);
    if (lua_pcall(L, 1, 0, 0)) return fail(L);
    lua_pushvalue(L, -1);
    if (lua_pcall(L, 0, 2, 0)) return fail(L);
    printf("step %g: kinetic energy %.6g\n", lua_tonumber(L, -2), lua_tonumber(L, -1));
    lua_pop(L, 2);
  }
  lua_pushvalue(L, -2);
  lua_pushstring(L, "many");
  if (!lua_pcall(L, 1, 0, 0)) return 1; /* must be refused */
  printf("a wrong number of steps: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
