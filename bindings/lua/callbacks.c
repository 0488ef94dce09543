/*
 * Lua functions that the engine calls: kept by number in the simulation's attached table, called under
 * lua_pcall by the trampolines in bodies.c and laws.c.
 *
 * The engine is plain C with no unwinding, so no Lua error may pass through it. The trampolines therefore
 * use only calls that cannot raise (rawgeti, pushnumber, pcall) and keep the error for answer(), which runs
 * after the engine has returned.
 */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *copy_text(lua_State *L, const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (!copy) luaL_error(L, "out of memory");
  return memcpy(copy, text, size);
}

callback *callback_keep(lua_State *L, binding *self, int description, int function)
{
  callback *made = calloc(1, sizeof *made);
  if (!made) luaL_error(L, "out of memory");
  made->owner = self;
  made->next = self->callbacks;
  self->callbacks = made;
  attached_table(L, 1);
  lua_pushvalue(L, function);
  made->function = luaL_ref(L, -2);
  lua_getfield(L, description, "place");
  made->place = copy_text(L, luaL_checkstring(L, -1));
  lua_pop(L, 2);
  return made;
}

callback *callback_create(lua_State *L, binding *self)
{
  return callback_keep(L, self, 2, 3);
}

static void callback_free(callback *self)
{
  for (int32_t k = 0; self->input_names && k < self->input_count; k++) free(self->input_names[k]);
  free(self->input_names);
  workers_free(self->workers);
  free(self->label);
  free(self->place);
  free(self);
}

void callback_release(lua_State *L, callback *old)
{
  attached_table(L, 1);
  luaL_unref(L, -1, old->function);
  lua_pop(L, 1);
  old->function = LUA_NOREF;
}

void callback_discard(lua_State *L, binding *self, callback *latest)
{
  callback_release(L, latest);
  self->callbacks = latest->next;
  callback_free(latest);
}

void callbacks_free(binding *self)
{
  while (self->callbacks) {
    callback *next = self->callbacks->next;
    callback_free(self->callbacks);
    self->callbacks = next;
  }
  free(self->motions);
  self->motions = NULL;
  self->motion_capacity = 0;
}

lua_State *callback_push(callback *self)
{
  lua_State *L = self->owner->state;
  if (!L || self->owner->failed) return NULL;
  attached_table(L, 1);
  lua_rawgeti(L, -1, self->function);
  lua_remove(L, -2);
  return L;
}

/* A string gets the place behind it; another value (a script may raise any) is kept as it is. */
floc_status callback_failed(callback *self, lua_State *L)
{
  binding *owner = self->owner;
  owner->failed = true;
  if (lua_type(L, -1) == LUA_TSTRING) {
    snprintf(owner->failure, sizeof owner->failure, "%s (in %s)", lua_tostring(L, -1), self->place);
    lua_pop(L, 1);
    return FLOC_CALLBACK_FAILED;
  }
  attached_table(L, 1);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "failure");
  lua_pop(L, 2);
  return FLOC_CALLBACK_FAILED;
}
