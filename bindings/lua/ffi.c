/*
 * What scripts/floc/ffi.lua needs: addresses of the public functions, and the world's pointer.
 */
#include "binding.h"

#include "ffi/symbols.h"

#include <string.h>

/* A table of light userdata by name. C has no conversion from a function's address to void *, but POSIX has one
 * representation for both. */
void push_symbols(lua_State *L)
{
  lua_newtable(L);
  for (const public_symbol *symbol = public_symbols; symbol->name; symbol++) {
    void *address;
    memcpy(&address, &symbol->address, sizeof address);
    lua_pushlightuserdata(L, address);
    lua_setfield(L, -2, symbol->name);
  }
}

/* world_pointer(sim) */
static int world_pointer(lua_State *L)
{
  lua_pushlightuserdata(L, peek_binding(L)->world);
  return 1;
}

const luaL_Reg ffi_functions[] = {{"world_pointer", world_pointer}, {NULL, NULL}};
