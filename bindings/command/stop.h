/*
 * Ending Lua code that does not end by itself: an endless loop in a script or in a function that it gave.
 *
 * After a signal the run loop and the engine look at a flag, which is enough for whatever comes back to them. What
 * does not within some tenths of a second of computing is stopped where it is: an error is raised in the script's
 * own code (never in the module's, so that a checkpoint that is being written is not disturbed), and again at each
 * further instruction, so that no pcall of the script holds it up.
 *
 * Lua calls a hook for that. LuaJIT's compiled loops know no hooks, but they do look whether the profiler wants a
 * sample, if it was on when they were compiled; so it is on from the start, with an interval that never ends, and
 * asked for a sample when the hook is to be heard. That look costs 2 to 15 % in loops of a few instructions,
 * nothing elsewhere.
 */
#ifndef FLOC_COMMAND_STOP_H
#define FLOC_COMMAND_STOP_H

#include <lua.h>

/* Before any script is loaded. */
void stop_prepare(lua_State *L);
/* From a signal handler: what the script does is to end soon. */
void stop_soon(void);
/* Before the state is closed: no timer rings any more. What LuaJIT's profiler has put away of its own by then would
 * let its signal end the process. */
void stop_end(void);

#endif
