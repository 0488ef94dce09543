/*
 * In place of picture.c and plot.c where floc is built without Cairo: no functions, which
 * scripts/floc/output/drawing.lua sees and tells the user of.
 */
#include "binding.h"

const luaL_Reg picture_functions[] = {{NULL, NULL}};
const luaL_Reg plot_functions[] = {{NULL, NULL}};

void picture_register(lua_State *L)
{
  (void)L;
}
