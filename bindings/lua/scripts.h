/*
 * The Lua half of the module, compiled in. cmake/bindings.cmake writes the list from scripts/floc.
 */
#ifndef FLOC_LUA_SCRIPTS_H
#define FLOC_LUA_SCRIPTS_H

#include <stddef.h>

typedef struct embedded_script {
  const char *module; /* "floc.simulation"; NULL ends the list */
  const char *path;   /* "floc/simulation.lua" */
  const char *text;
  const size_t *size;
} embedded_script;

extern const embedded_script embedded_scripts[];

#endif
