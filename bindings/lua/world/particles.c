/*
 * Adding particles and attributes; removing particles, and looking for those to remove.
 */
#include "binding.h"
#include "options_made.h"

static const option_field particle_fields[] = {PARTICLE_OPTIONS};
static const option_field insertion_fields[] = {INSERTION_OPTIONS};

static int answer_id(lua_State *L, binding *self, floc_status status, int64_t id)
{
  int pushed = answer_and_refresh(L, self, status);
  if (status != FLOC_OK) return pushed;
  lua_pushinteger(L, (lua_Integer)id);
  return 1;
}

/* add_particle(sim, options) -> id */
static int particle_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_particle_options options;
  floc_particle_options_init(&options);
  options_fill(L, 2, particle_fields, &options);
  int64_t id = 0;
  floc_status status = floc_particle_add(self->world, &options, &id);
  return answer_id(L, self, status, id);
}

static int answer_shape(lua_State *L, binding *self, const floc_grain_shape_options *options)
{
  int32_t number = 0;
  double size = 0.0;
  floc_status status = floc_grain_shape_add(self->world, options, &number, &size);
  int pushed = answer_and_refresh(L, self, status);
  if (status != FLOC_OK) return pushed;
  lua_pushinteger(L, number);
  lua_pushnumber(L, size);
  return 2;
}

/* add_polyhedron(sim, list of x, y, z, x, ..., rounding) -> number, volume at radius 1 */
static int polyhedron_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_grain_shape_options options;
  floc_grain_shape_options_init(&options);
  luaL_checktype(L, 2, LUA_TTABLE);
  const int32_t most = (int32_t)(sizeof options.points / sizeof *options.points), count = (int32_t)lua_rawlen(L, 2);
  for (int32_t k = 0; k < count && k < most; k++) {
    lua_rawgeti(L, 2, k + 1);
    options.points[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  options.point_count = count / 3;
  options.rounding = luaL_checknumber(L, 3);
  return answer_shape(L, self, &options);
}

static void read_corners(lua_State *L, floc_grain_shape_options *options)
{
  options->regular = lua_isnumber(L, 2);
  if (!options->regular) luaL_checktype(L, 2, LUA_TTABLE);
  const int32_t most = (int32_t)(sizeof options->corners / sizeof *options->corners);
  const int32_t count = options->regular ? 2 * (int32_t)lua_tointeger(L, 2) : (int32_t)lua_rawlen(L, 2);
  for (int32_t k = 0; k < count && k < most && !options->regular; k++) {
    lua_rawgeti(L, 2, k + 1);
    options->corners[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  options->corner_count = count / 2;
  options->rounding = luaL_checknumber(L, 3);
}

/* add_grain_shape(sim, list of x, y, x, y, ... or number of sides, rounding or, in place of both, nil, semi-axes)
 * -> number, area at radius 1 */
static int grain_shape_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_grain_shape_options options;
  floc_grain_shape_options_init(&options);
  if (lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 3, LUA_TTABLE);
    for (int32_t k = 0; k < 3; k++) {
      lua_rawgeti(L, 3, k + 1);
      options.semi_axes[k] = luaL_optnumber(L, -1, 0.0);
      lua_pop(L, 1);
    }
  } else {
    read_corners(L, &options);
  }
  return answer_shape(L, self, &options);
}

/* ---- insertion ----------------------------------------------------------------------------------- */

/* The Lua half gives a function that returns true or false. */
static floc_status region_trampoline(void *context, const double *center, double radius, bool *inside)
{
  callback *self = context;
  lua_State *L = callback_push(self);
  if (!L) return FLOC_CALLBACK_FAILED;
  for (int k = 0; k < 3; k++) lua_pushnumber(L, center[k]);
  lua_pushnumber(L, radius);
  if (lua_pcall(L, 4, 1, 0)) return callback_failed(self, L);
  *inside = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return FLOC_OK;
}

/* insert(sim, options, function of the region or nil) -> first id */
static int particles_insert(lua_State *L)
{
  binding *self = check_binding(L);
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options_fill(L, 2, insertion_fields, &options);
  callback *region = lua_isnoneornil(L, 3) ? NULL : callback_create(L, self);
  if (region) {
    options.region_function = region_trampoline;
    options.region_context = region;
  }
  int64_t first = 0;
  lua_State *outer = engine_call_begin(L, self);
  floc_status status = floc_particles_insert(self->world, &options, &first);
  engine_call_end(self, outer);
  int pushed = answer_id(L, self, status, first);
  if (region) callback_discard(L, self, region);
  return pushed;
}

/* ---- removal -------------------------------------------------------------------------------------- */

/* remove_particles(sim, list of ids) */
static int particles_remove(lua_State *L)
{
  binding *self = check_binding(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  int64_t count = (int64_t)lua_rawlen(L, 2);
  int64_t *ids = lua_newuserdata(L, ((size_t)count + 1) * sizeof *ids);
  for (int64_t k = 0; k < count; k++) {
    lua_rawgeti(L, 2, (int)(k + 1));
    ids[k] = (int64_t)luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  return answer_and_refresh(L, self, floc_particles_remove(self->world, ids, count));
}

/* particle_ids(sim) -> list of ids, ascending */
static int particle_ids(lua_State *L)
{
  binding *self = peek_binding(L);
  const int64_t *ids = NULL, *slots = NULL;
  int64_t count = 0;
  floc_status status = floc_particle_ids(self->world, &ids, &slots, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_createtable(L, (int)count, 0);
  for (int64_t rank = 0; rank < count; rank++) {
    lua_pushinteger(L, (lua_Integer)ids[slots[rank]]);
    lua_rawseti(L, -2, (int)(rank + 1));
  }
  return 1;
}

/* find_particle(sim, id) -> true; nil, message: it is not there */
static int particle_find(lua_State *L)
{
  binding *self = peek_binding(L);
  int64_t slot = 0;
  return answer(L, self, floc_particle_slot(self->world, (int64_t)luaL_checknumber(L, 2), &slot));
}

static void read_corner(lua_State *L, int index, int dimension, double corner[3])
{
  for (int axis = 0; axis < dimension; axis++) {
    lua_rawgeti(L, index, axis + 1);
    corner[axis] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
}

/* particles_between(sim, lower, upper) -> id, x, y, z, id, ... of those whose centres are there, by id */
static int particles_between(lua_State *L)
{
  binding *self = check_binding(L);
  const int64_t *ids = NULL, *slots = NULL;
  int64_t count = 0;
  double lower[3] = {0}, upper[3] = {0}, *x[3];
  static const char *const name[3] = {"x", "y", "z"};
  floc_status status = FLOC_OK;
  read_corner(L, 2, self->dimension, lower);
  read_corner(L, 3, self->dimension, upper);
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++)
    status = floc_column(self->world, name[axis], &x[axis], &count);
  if (status == FLOC_OK) status = floc_particle_ids(self->world, &ids, &slots, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_newtable(L);
  int place = 0;
  for (int64_t rank = 0; rank < count; rank++) {
    const int64_t slot = slots[rank];
    bool between = true;
    for (int axis = 0; axis < self->dimension; axis++)
      between &= (x[axis][slot] >= lower[axis]) & (x[axis][slot] <= upper[axis]);
    if (!between) continue;
    lua_pushinteger(L, (lua_Integer)ids[slot]);
    lua_rawseti(L, -2, ++place);
    for (int axis = 0; axis < 3; axis++) {
      lua_pushnumber(L, x[axis][slot]);
      lua_rawseti(L, -2, ++place);
    }
  }
  return 1;
}

/* check_overlap(sim) -> greatest overlap in radii */
static int particles_check(lua_State *L)
{
  binding *self = check_binding(L);
  double worst = 0;
  floc_status status = floc_particles_check(self->world, &worst);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, worst);
  return 1;
}

/* add_attribute(sim, name, initial) */
static int attribute_add(lua_State *L)
{
  binding *self = check_binding(L);
  floc_status status = floc_attribute_add(self->world, luaL_checkstring(L, 2), luaL_optnumber(L, 3, 0));
  return answer_and_refresh(L, self, status);
}

/* column_names(sim) -> list of names */
static int column_names(lua_State *L)
{
  binding *self = peek_binding(L);
  lua_newtable(L);
  const char *name = NULL;
  for (int32_t k = 0; (name = floc_column_name(self->world, k)) != NULL; k++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

const luaL_Reg particle_functions[] = {{"add_particle", particle_add},
                                       {"insert", particles_insert},
                                       {"add_grain_shape", grain_shape_add},
                                       {"add_polyhedron", polyhedron_add},
                                       {"insert", particles_insert},
                                       {"remove_particles", particles_remove},
                                       {"particle_ids", particle_ids},
                                       {"find_particle", particle_find},
                                       {"particles_between", particles_between},
                                       {"check_overlap", particles_check},
                                       {"add_attribute", attribute_add},
                                       {"column_names", column_names},
                                       {NULL, NULL}};
