/*
 * What other programs read: .vtp for ParaView (particles, bodies, contacts, bonds, rays, each a file of its own:
 * datasets.h) and frames of extended XYZ for OVITO. Particles stand in the order of their ids.
 */
#include "output/datasets.h"

#include "../../plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- vtp --------------------------------------------------------------------------------------------- */

/* Answers with the number of cells. Without any, and with skip_empty, no file is written. */
static int write_dataset(lua_State *L, vtp_dataset *dataset, const char *path, bool skip_empty)
{
  char message[512] = "";
  int64_t cells = dataset->vertices.offsets.count + dataset->lines.offsets.count + dataset->polygons.offsets.count;
  floc_status status = cells == 0 && skip_empty && !dataset->out_of_memory
                           ? FLOC_OK
                           : vtp_write(dataset, path, message, sizeof message);
  vtp_free(dataset);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushinteger(L, (lua_Integer)cells);
  return 1;
}

/* vtp_particles(sim, path) -> number of cells; likewise bodies and contacts */
static int write_kind(lua_State *L, int (*fill)(lua_State *L, binding *owner, vtp_dataset *dataset))
{
  binding *owner = check_binding(L);
  const char *path = check_path(L, 2);
  bool skip_empty = lua_toboolean(L, 3);
  vtp_dataset *dataset = dataset_new(L, owner);
  int refused = fill(L, owner, dataset);
  return refused ? refused : write_dataset(L, dataset, path, skip_empty);
}

static int write_particles(lua_State *L)
{
  return write_kind(L, dataset_particles);
}

static int grain_surfaces(lua_State *L, binding *owner, vtp_dataset *dataset)
{
  return dataset_grains(L, owner, false, dataset);
}

static int write_grains(lua_State *L)
{
  return write_kind(L, grain_surfaces);
}

static int write_bodies(lua_State *L)
{
  return write_kind(L, dataset_bodies);
}

static int write_contacts(lua_State *L)
{
  return write_kind(L, dataset_contacts);
}

/* vtp_bonds(sim, path, skip_empty) -> number of bonds */
static int write_bonds(lua_State *L)
{
  return write_kind(L, dataset_bonds);
}

/* The list `name` of the table on top of the stack: into every `stride`-th number; numbers that are not there are
 * 0. */
static void copy_list(lua_State *L, const char *name, int64_t rows, double *to, int stride)
{
  lua_getfield(L, -1, name);
  for (int64_t k = 0; k < rows; k++) {
    to[k * stride] = 0.0;
    if (!lua_istable(L, -1)) continue;
    lua_rawgeti(L, -1, (int)(k + 1));
    to[k * stride] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* vtp_points(sim, path, rows, names, lists by name) -> number of points: at x, y and z, the other lists their data
 */
static int write_points(lua_State *L)
{
  static const char *const axes[] = {"x", "y", "z"};
  binding *owner = check_binding(L);
  const char *path = check_path(L, 2);
  const int64_t rows = (int64_t)luaL_checkinteger(L, 3);
  luaL_checktype(L, 4, LUA_TTABLE);
  luaL_checktype(L, 5, LUA_TTABLE);
  vtp_dataset *dataset = dataset_new(L, owner);
  lua_pushvalue(L, 5);
  double *points = vtp_numbers(dataset, &dataset->points, rows);
  for (int axis = 0; points && axis < 3; axis++) copy_list(L, axes[axis], rows, points + axis, 3);
  for (int64_t k = 0; k < rows; k++) vtp_cell(dataset, &dataset->vertices, &k, 1);
  for (int n = 1; n <= (int)lua_rawlen(L, 4); n++) {
    lua_rawgeti(L, 4, n);
    const char *name = luaL_checkstring(L, -1); /* it stays in the list */
    lua_pop(L, 1);
    if (strcmp(name, "x") == 0 || strcmp(name, "y") == 0 || strcmp(name, "z") == 0) continue;
    vtp_array *array = vtp_point_data(dataset, name, false, 1);
    double *numbers = array ? vtp_numbers(dataset, array, rows) : NULL;
    if (numbers) copy_list(L, name, rows, numbers, 1);
  }
  return write_dataset(L, dataset, path, false);
}

/* vtp_rays(sim, path, skip_empty, paths or nil) -> number of rays, or pieces */
static int write_rays(lua_State *L)
{
  binding *owner = check_binding(L);
  const char *path = check_path(L, 2);
  lua_settop(L, 4);
  vtp_dataset *dataset = dataset_new(L, owner);
  int refused = dataset_rays(L, owner, 4, dataset);
  return refused ? refused : write_dataset(L, dataset, path, lua_toboolean(L, 3));
}

/* ---- extended XYZ ------------------------------------------------------------------------------------ */

enum { XYZ_LIMIT = 96 };

static void write_rows(FILE *file, const particle_columns *columns, double *const *values, int count)
{
  for (int64_t k = 0; k < columns->count; k++) {
    fprintf(file, "P %" PRId64, columns->ids[columns->slots[k]]);
    for (int c = 0; c < count; c++) {
      char text[PLAIN_NUMBER_SIZE];
      plain_number(values[c][columns->slots[k]], 15, text);
      fprintf(file, " %s", text);
    }
    fputc('\n', file);
  }
}

static int xyz_failed(lua_State *L, const char *path, int reason)
{
  char message[512];
  snprintf(message, sizeof message, "cannot write %s: %s", path, strerror(reason));
  return answer_text(L, FLOC_FILE_ERROR, message);
}

/* xyz_frame(sim, path, the frame's second line, list of columns) -> length of the file: appends a frame */
static int write_frame(lua_State *L)
{
  binding *owner = check_binding(L);
  const char *path = check_path(L, 2), *comment = luaL_checkstring(L, 3);
  double *values[XYZ_LIMIT];
  particle_columns columns = {.count = 0};
  floc_status status = columns_read(L, owner, &columns);
  int count = (int)lua_rawlen(L, 4);
  if (count > XYZ_LIMIT) return answer_text(L, FLOC_LIMIT_EXCEEDED, "columns has more than 96 names");
  for (int c = 0; status == FLOC_OK && c < count; c++) {
    int64_t rows = 0;
    lua_rawgeti(L, 4, c + 1);
    status = column_of(L, owner, lua_tostring(L, -1), &values[c], &rows);
    lua_pop(L, 1);
  }
  if (status != FLOC_OK) return answer(L, owner, status);
  FILE *file = fopen(path, "ab");
  if (!file) return xyz_failed(L, path, errno);
  fprintf(file, "%" PRId64 "\n%s\n", columns.count, comment);
  write_rows(file, &columns, values, count);
  bool fine = fflush(file) == 0 && !ferror(file);
  int reason = errno;
  double length = (double)ftello(file);
  if (fclose(file) != 0 && fine) {
    fine = false;
    reason = errno;
  }
  if (!fine) return xyz_failed(L, path, reason);
  lua_pushnumber(L, length);
  return 1;
}
const luaL_Reg export_functions[] = {
    {"vtp_particles", write_particles}, {"vtp_grains", write_grains}, {"vtp_contacts", write_contacts},
    {"vtp_bodies", write_bodies},       {"vtp_bonds", write_bonds},   {"vtp_rays", write_rays},
    {"vtp_points", write_points},       {"xyz_frame", write_frame},   {NULL, NULL}};
