/*
 * What the program adds to the module for the browser page: the page's text, and the server of `floc run --live`,
 * as a table of functions that command.main gets. The module for other hosts carries neither.
 */
#include "page.h"

#include "live_server.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* What cmake/page.cmake made; empty where it could not. */
extern const char floc_page[];
extern const size_t floc_page_size;

/* text() -> the page, or nil where this build has none */
static int page_text(lua_State *L)
{
  if (floc_page_size == 0) return 0;
  lua_pushlstring(L, floc_page, floc_page_size);
  return 1;
}

/* sleep(seconds); a signal ends it early */
static int page_sleep(lua_State *L)
{
  double seconds = luaL_checknumber(L, 1);
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
  return 0;
}

#ifdef FLOC_HAS_MICROHTTPD

#define SERVER_TYPE "floc.live_server"

static live_server *check_server(lua_State *L)
{
  live_server **server = luaL_checkudata(L, 1, SERVER_TYPE);
  if (!*server) luaL_error(L, "the server has stopped");
  return *server;
}

/* stop(server); a second time does nothing */
static int server_stop(lua_State *L)
{
  live_server **server = luaL_checkudata(L, 1, SERVER_TYPE);
  if (*server) live_server_stop(*server);
  *server = NULL;
  return 0;
}

/* start(page, port) -> server, port, key; nil, message. The page's text must be kept by the caller. */
static int server_start(lua_State *L)
{
  size_t size = 0;
  const char *page = luaL_checklstring(L, 1, &size);
  char message[256] = "";
  live_server **server = lua_newuserdata(L, sizeof *server);
  *server = live_server_start(page, size, (int)luaL_checkinteger(L, 2), message, sizeof message);
  if (!*server) {
    lua_pushnil(L);
    lua_pushstring(L, message);
    return 2;
  }
  if (luaL_newmetatable(L, SERVER_TYPE)) {
    lua_pushcfunction(L, server_stop);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  lua_pushinteger(L, live_server_port(*server));
  lua_pushstring(L, live_server_key(*server));
  return 3;
}

/* publish(server, frame), log(server, text) */
static int server_publish(lua_State *L)
{
  size_t size = 0;
  const char *bytes = luaL_checklstring(L, 2, &size);
  lua_pushboolean(L, live_server_publish(check_server(L), bytes, size));
  return 1;
}

static int server_log(lua_State *L)
{
  size_t size = 0;
  const char *text = luaL_checklstring(L, 2, &size);
  lua_pushboolean(L, live_server_log(check_server(L), text, size));
  return 1;
}

/* watch(server) -> whether a newer frame is wanted, whether the newest was taken, seconds since the last request */
static int server_watch(lua_State *L)
{
  live_server *self = check_server(L);
  lua_pushboolean(L, live_server_is_wanted(self));
  lua_pushboolean(L, live_server_is_taken(self));
  lua_pushnumber(L, live_server_silence(self));
  return 3;
}

/* command(server) -> "word\tname\tvalue", or nil */
static int server_command(lua_State *L)
{
  char text[512];
  if (!live_server_command(check_server(L), text, sizeof text)) return 0;
  lua_pushstring(L, text);
  return 1;
}

#endif

void page_push(lua_State *L)
{
  static const luaL_Reg functions[] = {{"text", page_text},
                                       {"sleep", page_sleep},
#ifdef FLOC_HAS_MICROHTTPD
                                       {"start", server_start},
                                       {"stop", server_stop},
                                       {"publish", server_publish},
                                       {"log", server_log},
                                       {"watch", server_watch},
                                       {"command", server_command},
#endif
                                       {NULL, NULL}};
  lua_newtable(L);
  set_functions(L, functions);
}
