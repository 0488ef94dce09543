/*
 * The border: what every call of the public surface does first and last. See world.h and base/callback.h.
 */
#include "world.h"

#include <stdio.h>
#include <string.h>

/* A call from within another one. No world is made constant; the note is written by calls that only read as well.
 */
static floc_status refuse_within(const floc_world *world, const char *name, const char *outer)
{
  char text[MESSAGE_SIZE], function[96];
  callback_kind kind = (callback_kind)atomic_load_explicit(&world->guard.kind, memory_order_relaxed);
  const char *label = atomic_load_explicit(&world->guard.label, memory_order_relaxed);
  if (kind == CALLBACK_NONE)
    snprintf(text, sizeof text, "%s is not allowed while %s runs: only one thread at a time may use a world", name,
             outer);
  else
    snprintf(text, sizeof text, "%s is not allowed inside %s, which %s called", name,
             callback_name(kind, label, function, sizeof function), outer);
  guard_note((call_guard *)&world->guard, text);
  return FLOC_WRONG_STATE;
}

/* Calls that ask for nothing of particles, where the world is cut by ranks. */
static bool stays_cut(const char *name)
{
  static const char *const calls[] = {"floc_world_step",           "floc_world_set_gravity",
                                      "floc_world_set_time_step",  "floc_world_set_interrupt",
                                      "floc_world_set_work_limit", "floc_world_set_threads",
                                      "floc_world_destroy",        "floc_world_set_thread_pool"};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    if (strcmp(calls[k], name) == 0) return true;
  return false;
}

floc_status world_enter(floc_world *world, const char *name, world_call *call)
{
  const char *outer = NULL;
  if (!atomic_compare_exchange_strong(&world->guard.call, &outer, name)) return refuse_within(world, name, outer);
  atomic_store_explicit(&world->guard.noted, NOTE_NONE, memory_order_relaxed);
  world->env.message[0] = '\0';
  world->calls++;
  interruption_begin(&world->interruption);
  call->world = world;
  float_enter(&call->floats);
  work_begin(&world->work, INFINITY, false); /* arithmetic: after the host's environment is kept */
  return world->cut.is_cut && !stays_cut(name) ? world_make_whole(world) : FLOC_OK;
}

/* What was refused inside is told after a call that has nothing to tell itself. */
void world_leave(world_call *call)
{
  floc_world *world = call->world;
  if (!world) return;
  const char *note = guard_read_note(&world->guard);
  if (note[0] && !world->env.message[0]) snprintf(world->env.message, sizeof world->env.message, "%s", note);
  float_leave(&call->floats);
  atomic_store_explicit(&world->guard.call, NULL, memory_order_release);
}

floc_status world_check_reading(const floc_world *world, const char *name)
{
  const char *outer = atomic_load_explicit(&world->guard.call, memory_order_acquire);
  bool allocates = atomic_load_explicit(&world->guard.kind, memory_order_relaxed) == CALLBACK_ALLOCATOR;
  return outer && allocates ? refuse_within(world, name, outer) : FLOC_OK;
}

floc_status world_read_begin(floc_world *world, const char *name, world_reading *reading)
{
  reading->world = NULL;
  floc_status status = world_check_reading(world, name);
  if (status != FLOC_OK) return status;
  reading->world = world;
  reading->env = world_is_inside(world) ? &reading->own : &world->env;
  reading->env->message[0] = '\0';
  float_enter(&reading->floats);
  return world->cut.is_cut && !world_is_inside(world) ? world_make_whole(world) : FLOC_OK;
}

void world_read_end(world_reading *reading)
{
  if (!reading->world) return;
  if (reading->env == &reading->own && reading->own.message[0])
    guard_note(&reading->world->guard, reading->own.message);
  float_leave(&reading->floats);
}

const char *floc_world_message(const floc_world *world)
{
  if (!world) return "";
  if (!world_is_inside(world)) return world->env.message;
  return guard_read_note(&world->guard);
}
