/*
 * Line plots from tables of numbers; bindings/picture draws them. The Lua half (scripts/floc/output/plot.lua) has
 * checked names and kinds, so what is wrong here is a fault of the binding. Copies of the data are userdata
 * on the stack: Lua frees them, whatever happens on the way.
 */
#include "binding.h"
#include "options_made.h"

#include "plot/plot.h"

#include <math.h>

static const option_field page_fields[] = {PLOT_OPTIONS}, panel_fields[] = {PLOT_PANEL},
                          axis_fields[] = {PLOT_AXIS}, series_fields[] = {PLOT_SERIES},
                          reference_fields[] = {PLOT_REFERENCE};

/* A copy of the list in field `name` of the table at index, left on the stack; NULL if there is none. */
static const double *copy_numbers(lua_State *L, int index, const char *name, int64_t *count)
{
  lua_getfield(L, index, name);
  if (!lua_istable(L, -1)) return NULL;
  int list = lua_gettop(L);
  *count = (int64_t)lua_rawlen(L, list);
  double *values = lua_newuserdata(L, ((size_t)*count + 1) * sizeof *values);
  for (int64_t k = 0; k < *count; k++) {
    lua_rawgeti(L, list, (int)(k + 1));
    values[k] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 1);
  }
  return values;
}

static void read_series(lua_State *L, int index, plot_series *series)
{
  plot_series_init(series);
  options_fill(L, index, series_fields, series);
  int64_t count = 0;
  series->y = copy_numbers(L, index, "y", &series->count);
  series->x = copy_numbers(L, index, "x", &count);
  series->error = copy_numbers(L, index, "error", &count);
  series->band_lower = copy_numbers(L, index, "band_lower", &count);
  series->band_upper = copy_numbers(L, index, "band_upper", &count);
}

static void read_axis(lua_State *L, int index, const char *name, plot_axis *axis)
{
  lua_getfield(L, index, name);
  if (lua_istable(L, -1)) options_fill(L, lua_gettop(L), axis_fields, axis);
}

/* What is read stays on the stack, so that its strings and numbers live until the plot is drawn. */
static void read_panel(lua_State *L, int index, plot_panel *panel)
{
  plot_panel_init(panel);
  options_fill(L, index, panel_fields, panel);
  read_axis(L, index, "x", &panel->x);
  read_axis(L, index, "y", &panel->y);
  lua_getfield(L, index, "series");
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  plot_series *series = lua_newuserdata(L, (size_t)(count + 1) * sizeof *series);
  luaL_checkstack(L, 12 * (count + 1), "floc.plot: too many series");
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    read_series(L, lua_gettop(L), &series[k]);
  }
  panel->series = series;
  panel->series_count = count;
  lua_getfield(L, index, "references");
  list = lua_gettop(L);
  count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 0;
  plot_reference *references = lua_newuserdata(L, (size_t)(count + 1) * sizeof *references);
  luaL_checkstack(L, count + 8, "floc.plot: too many references");
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, list, k + 1);
    plot_reference_init(&references[k]);
    options_fill(L, lua_gettop(L), reference_fields, &references[k]);
  }
  panel->references = references;
  panel->reference_count = count;
}

/* plot(path, options, { panel, ... }) */
static int plot_draw_file(lua_State *L)
{
  const char *path = check_path(L, 1);
  plot_options options;
  plot_options_init(&options);
  options_fill(L, 2, page_fields, &options);
  int count = (int)lua_rawlen(L, 3);
  plot_panel *panels = lua_newuserdata(L, (size_t)(count + 1) * sizeof *panels);
  for (int k = 0; k < count; k++) {
    luaL_checkstack(L, 16, "floc.plot: too many panels");
    lua_rawgeti(L, 3, k + 1);
    read_panel(L, lua_gettop(L), &panels[k]);
  }
  char message[PICTURE_MESSAGE_SIZE] = "";
  floc_status status = plot_write(path, &options, panels, count, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

const luaL_Reg plot_functions[] = {{"plot", plot_draw_file}, {NULL, NULL}};
