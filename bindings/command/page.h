/*
 * The browser page and its server, for the Lua half of the program: scripts/floc/command/view.lua,
 * scripts/floc/session/live.lua.
 */
#ifndef FLOC_COMMAND_PAGE_H
#define FLOC_COMMAND_PAGE_H

#include "compat.h"

/* Pushes a table of functions; those of the server are missing where libmicrohttpd was when this was built. */
void page_push(lua_State *L);

#endif
