/*
 * Functions of the host. See callback.h.
 */
#include "base/callback.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what runs ---- */

callback_mark callback_begin(const environment *env, callback_kind kind, const char *label)
{
  call_guard *guard = env->guard;
  if (!guard) return (callback_mark){CALLBACK_NONE, NULL};
  callback_mark before = {atomic_load_explicit(&guard->kind, memory_order_relaxed),
                          atomic_load_explicit(&guard->label, memory_order_relaxed)};
  atomic_store_explicit(&guard->label, label, memory_order_relaxed);
  atomic_store_explicit(&guard->kind, (int)kind, memory_order_relaxed);
  return before;
}

void callback_end(const environment *env, callback_mark before)
{
  call_guard *guard = env->guard;
  if (!guard) return;
  atomic_store_explicit(&guard->kind, before.kind, memory_order_relaxed);
  atomic_store_explicit(&guard->label, before.label, memory_order_relaxed);
}

const char *callback_name(callback_kind kind, const char *label, char *text, size_t size)
{
  static const char *const name[CALLBACK_KINDS] = {"nothing",
                                                   "the allocator",
                                                   "the log function",
                                                   "the interrupt function",
                                                   "pair law",
                                                   "field",
                                                   "wall law",
                                                   "evolution",
                                                   "flow",
                                                   "a priori velocity",
                                                   "the motion of body",
                                                   "the function of gamma_min",
                                                   "the function of materials for",
                                                   "medium_flow",
                                                   "electric_field",
                                                   "magnetic_field",
                                                   "the emit function",
                                                   "the hit function",
                                                   "the thread pool",
                                                   "measure",
                                                   "contact law",
                                                   "the function of the region"};
  if (label)
    snprintf(text, size, "%s \"%s\"", name[kind], label);
  else
    snprintf(text, size, "%s", name[kind]);
  return text;
}

/* ---- the note ---- */

void guard_note(call_guard *guard, const char *text)
{
  int none = NOTE_NONE;
  if (!atomic_compare_exchange_strong(&guard->noted, &none, NOTE_BEING_WRITTEN)) return;
  snprintf(guard->note, sizeof guard->note, "%s", text);
  atomic_store_explicit(&guard->noted, NOTE_WRITTEN, memory_order_release);
}

const char *guard_read_note(const call_guard *guard)
{
  return atomic_load_explicit(&guard->noted, memory_order_acquire) == NOTE_WRITTEN ? guard->note : "";
}

/* ---- what they return ---- */

static bool is_status(floc_status returned)
{
  return strcmp(floc_status_name(returned), "unknown status") != 0;
}

floc_status callback_verdict(environment *env, floc_status returned, int32_t changed, const char *format, ...)
{
  if (returned == FLOC_OK && changed == 0) return FLOC_OK;
  char name[MESSAGE_SIZE / 2], what[96];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  const char *note = env->guard ? guard_read_note(env->guard) : "";
  const char *colon = note[0] ? ": " : "";
  if (returned == FLOC_OUT_OF_MEMORY) return refuse(env, returned, "%s: out of memory", name);
  if (returned == FLOC_OK)
    return refuse(env, FLOC_CALLBACK_FAILED,
                  "%s changed %s of its thread; it must leave the floating-point environment as it is", name,
                  float_changes(changed, what));
  if (is_status(returned))
    return refuse(env, FLOC_CALLBACK_FAILED, "%s failed (%s)%s%s", name, floc_status_name(returned), colon, note);
  return refuse(env, FLOC_CALLBACK_FAILED, "%s returned %d, which is no floc_status%s%s", name, (int)returned,
                colon, note);
}
