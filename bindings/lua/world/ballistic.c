/*
 * The ballistic schemes, and shapes of clusters: gyration, contact number, pair distribution, fractal dimensions.
 */
#include "binding.h"
#include "options_made.h"
#include "results_made.h"

static const option_field ballistic_fields[] = {BALLISTIC_OPTIONS};
static const option_field event_driven_fields[] = {EVENT_DRIVEN_OPTIONS};

static const option_field selection_fields[] = {SELECTION};

static const option_field fractal_fields[] = {FRACTAL_OPTIONS};

/* ---- schemes ---- */

/* set_ballistic(sim, options) */
static int world_set_ballistic(lua_State *L)
{
  binding *self = check_binding(L);
  floc_ballistic_options options;
  floc_ballistic_options_init(&options);
  options_fill(L, 2, ballistic_fields, &options);
  floc_status status = floc_world_set_ballistic(self->world, &options);
  return answer_and_refresh(L, self, status); /* rotation adds columns */
}

/* set_event_driven(sim, options) */
static int world_set_event_driven(lua_State *L)
{
  binding *self = check_binding(L);
  floc_event_driven_options options;
  floc_event_driven_options_init(&options);
  options_fill(L, 2, event_driven_fields, &options);
  return answer(L, self, floc_world_set_event_driven(self->world, &options));
}

static const result_field event_driven_report_fields[] = {EVENT_DRIVEN_REPORT_RESULT};

static const result_field ballistic_report_fields[] = {BALLISTIC_REPORT_RESULT};

/* ballistic_report(sim) -> table, of whichever of the two schemes */
static int world_ballistic_report(lua_State *L)
{
  binding *self = check_binding(L);
  floc_event_driven_report events = {.struct_size = sizeof events};
  if (floc_world_get_event_driven_report(self->world, &events) == FLOC_OK) {
    push_result(L, event_driven_report_fields, &events, self->dimension);
    return 1;
  }
  floc_ballistic_report report = {.struct_size = sizeof report};
  floc_status status = floc_world_get_ballistic_report(self->world, &report);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, ballistic_report_fields, &report, self->dimension);
  return 1;
}

/* ---- shapes ---- */

static floc_selection read_selection(lua_State *L)
{
  floc_selection selection;
  floc_selection_init(&selection);
  options_fill(L, 2, selection_fields, &selection);
  return selection;
}

static const result_field gyration_fields[] = {GYRATION_RESULT};

/* gyration(sim, selection) -> table */
static int world_gyration(lua_State *L)
{
  binding *self = check_binding(L);
  floc_selection selection = read_selection(L);
  floc_gyration found = {.struct_size = sizeof found};
  floc_status status = floc_measure_gyration(self->world, &selection, &found);
  if (status != FLOC_OK) return answer(L, self, status);
  push_result(L, gyration_fields, &found, self->dimension);
  return 1;
}

/* contact_number(sim, selection, factor) -> number */
static int world_contact_number(lua_State *L)
{
  binding *self = check_binding(L);
  floc_selection selection = read_selection(L);
  double number = 0;
  floc_status status = floc_measure_contact_number(self->world, &selection, luaL_checknumber(L, 3), &number);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_pushnumber(L, number);
  return 1;
}

/* pair_distribution(sim, selection, distances, how many) -> list */
static int world_pair_distribution(lua_State *L)
{
  binding *self = check_binding(L);
  floc_selection selection = read_selection(L);
  int32_t count = (int32_t)luaL_checkinteger(L, 4);
  double *distances = lua_newuserdata(L, 2 * ((size_t)count + 1) * sizeof *distances), *values = distances + count;
  for (int32_t k = 0; k < count; k++) {
    lua_rawgeti(L, 3, k + 1);
    distances[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  floc_status status = floc_measure_pair_distribution(self->world, &selection, distances, count, values);
  if (status != FLOC_OK) return answer(L, self, status);
  push_vector(L, values, count);
  return 1;
}

static int push_scaling(lua_State *L, const floc_scaling *found)
{
  static const result_field fields[] = {SCALING_RESULT};
  push_result(L, fields, found, 0);
  set_vector(L, "x", found->x, found->count);
  set_vector(L, "y", found->y, found->count);
  return 1;
}

typedef floc_status (*fractal_measure)(floc_world *, const floc_selection *, const floc_fractal_options *,
                                       floc_scaling *);

static int measure_fractal(lua_State *L, fractal_measure measure)
{
  binding *self = check_binding(L);
  floc_selection selection = read_selection(L);
  floc_fractal_options options;
  floc_fractal_options_init(&options);
  options_fill(L, 3, fractal_fields, &options);
  floc_scaling found = {.struct_size = sizeof found};
  floc_status status = measure(self->world, &selection, &options, &found);
  return status == FLOC_OK ? push_scaling(L, &found) : answer(L, self, status);
}

/* box_counting(sim, selection, options) -> table; mass_radius likewise */
static int world_box_counting(lua_State *L)
{
  return measure_fractal(L, floc_measure_box_counting);
}

static int world_mass_radius(lua_State *L)
{
  return measure_fractal(L, floc_measure_mass_radius);
}

/* cluster_scaling(sim, rule, gap, least count) -> table */
static int world_cluster_scaling(lua_State *L)
{
  binding *self = check_binding(L);
  floc_scaling found = {.struct_size = sizeof found};
  floc_status status =
      floc_measure_cluster_scaling(self->world, (int32_t)luaL_checkinteger(L, 2), luaL_checknumber(L, 3),
                                   (int64_t)luaL_checknumber(L, 4), &found);
  return status == FLOC_OK ? push_scaling(L, &found) : answer(L, self, status);
}

/* cluster_sizes(sim, rule, gap) -> sizes ascending, how many clusters of each */
static int world_cluster_sizes(lua_State *L)
{
  binding *self = check_binding(L);
  int32_t rule = (int32_t)luaL_checkinteger(L, 2);
  double gap = luaL_checknumber(L, 3);
  int64_t count = 0;
  floc_status status = floc_cluster_sizes(self->world, rule, gap, NULL, NULL, 0, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  int64_t *sizes = lua_newuserdata(L, 2 * ((size_t)count + 1) * sizeof *sizes), *numbers = sizes + count;
  status = floc_cluster_sizes(self->world, rule, gap, sizes, numbers, count, &count);
  if (status != FLOC_OK) return answer(L, self, status);
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  for (int64_t k = 0; k < count; k++) {
    lua_pushnumber(L, (lua_Number)sizes[k]);
    lua_rawseti(L, -3, (int)(k + 1));
    lua_pushnumber(L, (lua_Number)numbers[k]);
    lua_rawseti(L, -2, (int)(k + 1));
  }
  return 2;
}

const luaL_Reg ballistic_functions[] = {{"set_ballistic", world_set_ballistic},
                                        {"set_event_driven", world_set_event_driven},
                                        {"ballistic_report", world_ballistic_report},
                                        {"gyration", world_gyration},
                                        {"contact_number", world_contact_number},
                                        {"pair_distribution", world_pair_distribution},
                                        {"box_counting", world_box_counting},
                                        {"mass_radius", world_mass_radius},
                                        {"cluster_scaling", world_cluster_scaling},
                                        {"cluster_sizes", world_cluster_sizes},
                                        {NULL, NULL}};
