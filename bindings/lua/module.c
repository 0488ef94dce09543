/*
 * luaopen_floc: builds the internal table floc.core, makes the embedded Lua half known to require(), and
 * returns what scripts/floc/init.lua returns.
 *
 * The Lua half is compiled in, so that the module is one file and cannot meet a Lua half of another
 * version. Its chunks are named "=floc/<file>.lua": that prefix is how the Lua half tells its own stack
 * frames from the script's when it reports an error.
 */
#include "binding.h"
#include "output/datasets.h"

#include <stdio.h>
#include <string.h>

#include "scripts.h"

static int load_embedded(lua_State *L)
{
  const embedded_script *script = lua_touserdata(L, lua_upvalueindex(1));
  char chunk[96];
  snprintf(chunk, sizeof chunk, "=%s", script->path);
  if (luaL_loadbuffer(L, script->text, *script->size, chunk)) return lua_error(L);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static void set_status_names(lua_State *L)
{
  lua_newtable(L);
  for (int status = 0; status >= FLOC_INTERRUPTED; status--) {
    lua_pushstring(L, floc_status_name((floc_status)status));
    lua_rawseti(L, -2, -status);
  }
  lua_setfield(L, -2, "status_names");
}

/* Enumerators of floc.h that the Lua half writes into options. */
static void set_constants(lua_State *L)
{
  static const struct {
    const char *name;
    int value;
  } constants[] = {{"region_box", FLOC_REGION_BOX},
                   {"region_ball", FLOC_REGION_BALL},
                   {"placement_random", FLOC_PLACEMENT_RANDOM},
                   {"placement_lattice", FLOC_PLACEMENT_LATTICE},
                   {"distribution_uniform", FLOC_DISTRIBUTION_UNIFORM},
                   {"distribution_normal", FLOC_DISTRIBUTION_NORMAL},
                   {"distribution_lognormal", FLOC_DISTRIBUTION_LOGNORMAL},
                   {"distribution_by_volume", FLOC_DISTRIBUTION_BY_VOLUME},
                   {"boundary_open", FLOC_BOUNDARY_OPEN},
                   {"boundary_wall", FLOC_BOUNDARY_WALL},
                   {"boundary_periodic", FLOC_BOUNDARY_PERIODIC},
                   {"shape_plane", FLOC_SHAPE_PLANE},
                   {"shape_segment", FLOC_SHAPE_SEGMENT},
                   {"shape_sphere", FLOC_SHAPE_SPHERE},
                   {"shape_hollow", FLOC_SHAPE_HOLLOW},
                   {"shape_triangle", FLOC_SHAPE_TRIANGLE},
                   {"compound_polyline", FLOC_COMPOUND_POLYLINE},
                   {"compound_box", FLOC_COMPOUND_BOX},
                   {"compound_funnel", FLOC_COMPOUND_FUNNEL},
                   {"compound_wheel", FLOC_COMPOUND_WHEEL},
                   {"compound_container", FLOC_COMPOUND_CONTAINER},
                   {"motion_fixed", FLOC_MOTION_FIXED},
                   {"motion_constant", FLOC_MOTION_CONSTANT},
                   {"motion_velocity", FLOC_MOTION_VELOCITY},
                   {"motion_position", FLOC_MOTION_POSITION},
                   {"motion_oscillation", FLOC_MOTION_OSCILLATION},
                   {"motion_piston", FLOC_MOTION_PISTON},
                   {"law_pair", FLOC_LAW_PAIR},
                   {"law_field", FLOC_LAW_FIELD},
                   {"law_wall", FLOC_LAW_WALL},
                   {"law_evolution", FLOC_LAW_EVOLUTION},
                   {"feature_gravity", FLOC_FEATURE_GRAVITY},
                   {"flow_none", FLOC_FLOW_NONE},
                   {"flow_uniform", FLOC_FLOW_UNIFORM},
                   {"flow_shear", FLOC_FLOW_SHEAR},
                   {"flow_oscillating_shear", FLOC_FLOW_OSCILLATING_SHEAR},
                   {"flow_rotation", FLOC_FLOW_ROTATION},
                   {"flow_function", FLOC_FLOW_FUNCTION},
                   {"flow_still", FLOC_FLOW_STILL},
                   {"cluster_gap", FLOC_CLUSTER_GAP},
                   {"cluster_link", FLOC_CLUSTER_LINK},
                   {"solver_auto", FLOC_SOLVER_AUTO},
                   {"solver_uzawa", FLOC_SOLVER_UZAWA},
                   {"solver_apgd", FLOC_SOLVER_APGD}};
  lua_newtable(L);
  for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
    set_integer(L, constants[k].name, constants[k].value);
  }
  lua_setfield(L, -2, "constants");
}

static int open_core(lua_State *L)
{
  world_register(L);
  column_register(L);
  file_register(L);
  picture_register(L);
  dataset_register(L);
  page_register(L);
  ray_register(L);
  lua_newtable(L);
  set_functions(L, world_functions);
  set_functions(L, measure_functions);
  set_functions(L, particle_functions);
  set_functions(L, column_functions);
  set_functions(L, body_functions);
  set_functions(L, law_functions);
  set_functions(L, worker_functions);
  set_functions(L, file_functions);
  set_functions(L, seal_functions);
  set_functions(L, system_functions);
  set_functions(L, gate_functions);
  set_functions(L, picture_functions);
  set_functions(L, plot_functions);
  set_functions(L, assembly_functions);
  set_functions(L, element_functions);
  set_functions(L, ray_functions);
  set_functions(L, ballistic_functions);
  set_functions(L, problem_functions);
  set_functions(L, export_functions);
  set_functions(L, page_functions);
  set_constants(L);
  set_functions(L, ffi_functions);
  push_symbols(L);
  lua_setfield(L, -2, "symbols");
  set_status_names(L);
  lua_pushstring(L, floc_version());
  lua_setfield(L, -2, "version");
  lua_pushstring(L, floc_cdef());
  lua_setfield(L, -2, "cdef");
  return 1;
}

int luaopen_floc(lua_State *L)
{
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_core);
  lua_setfield(L, -2, "floc.core");
  for (const embedded_script *script = embedded_scripts; script->module; script++) {
    lua_pushlightuserdata(L, (void *)script);
    lua_pushcclosure(L, load_embedded, 1);
    lua_setfield(L, -2, script->module);
  }
  lua_getglobal(L, "require");
  lua_pushliteral(L, "floc.init");
  lua_call(L, 1, 1);
  return 1;
}
