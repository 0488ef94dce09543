/*
 * The encoder of the browser page's frames, for the Lua half, fed from .vtp files (`floc view`) or from a world
 * (`floc run --live`). The page itself is in the program alone (bindings/command/page.c).
 */
#include "output/datasets.h"
#include "page/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ENCODER_TYPE "floc.page_encoder"

/* ---- packing ----------------------------------------------------------------------------------------- */

static int push_bytes(lua_State *L, page_bytes *bytes, bool fine)
{
  if (fine) lua_pushlstring(L, bytes->size ? (const char *)bytes->bytes : "", bytes->size);
  free(bytes->bytes);
  return fine ? 1 : answer_text(L, FLOC_OUT_OF_MEMORY, "out of memory");
}

/* base64(bytes) */
static int base64(lua_State *L)
{
  size_t size = 0;
  const char *text = luaL_checklstring(L, 1, &size);
  page_bytes bytes = {NULL, 0, 0};
  bool fine = page_base64(&bytes, (const unsigned char *)text, size);
  return push_bytes(L, &bytes, fine);
}

/* deflate(text) -> a zlib stream */
static int deflate_text(lua_State *L)
{
  size_t size = 0;
  const char *text = luaL_checklstring(L, 1, &size);
  page_bytes bytes = {NULL, 0, 0};
  bool fine = page_deflate(&bytes, text, size, Z_BEST_COMPRESSION);
  return push_bytes(L, &bytes, fine);
}

/* ---- the encoder ------------------------------------------------------------------------------------- */

static page_encoder *check_encoder(lua_State *L)
{
  return luaL_checkudata(L, 1, ENCODER_TYPE);
}

static int encoder_collect(lua_State *L)
{
  page_free(check_encoder(L));
  return 0;
}

static void read_columns(lua_State *L, page_encoder *self)
{
  self->columns = calloc(PAGE_COLUMN_LIMIT, sizeof *self->columns);
  if (!self->columns) luaL_error(L, "out of memory");
  for (int k = 1; k <= (int)lua_rawlen(L, 2) && k <= PAGE_COLUMN_LIMIT; k++) {
    lua_rawgeti(L, 2, k);
    snprintf(self->columns[self->column_count++], sizeof *self->columns, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
}

/* page_encoder(raw, columns of particles to keep or nil) */
static int encoder_new(lua_State *L)
{
  lua_settop(L, 2);
  page_encoder *self = lua_newuserdata(L, sizeof *self);
  memset(self, 0, sizeof *self);
  luaL_getmetatable(L, ENCODER_TYPE);
  lua_setmetatable(L, -2);
  lua_newtable(L);
  attach_table(L, -2);
  self->raw = lua_toboolean(L, 1);
  if (lua_istable(L, 2)) read_columns(L, self);
  return 1;
}

/* page_begin(encoder, whether reading can begin with this frame) */
static int encoder_begin(lua_State *L)
{
  page_frame_begin(check_encoder(L), lua_toboolean(L, 2));
  return 0;
}

/* The dataset of the frame's particles, which contacts need, stays in the encoder's attached table. */
static const vtp_dataset *particles_of_frame(lua_State *L, int encoder, const char *group, int dataset)
{
  attached_table(L, encoder);
  if (strcmp(group, "particles") == 0) {
    lua_pushvalue(L, dataset);
    lua_setfield(L, -2, "particles");
  }
  lua_getfield(L, -1, "particles");
  const vtp_dataset *particles = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return particles;
}

static int add_dataset(lua_State *L, int encoder, const char *group, vtp_dataset *dataset, int index)
{
  page_encoder *self = luaL_checkudata(L, encoder, ENCODER_TYPE);
  const vtp_dataset *particles = particles_of_frame(L, encoder, group, index);
  page_add(self, group, dataset, particles);
  lua_pushinteger(L, (lua_Integer)dataset->points.count);
  if (particles != dataset) vtp_free(dataset);
  return 1;
}

/* page_file(encoder, group, path of a .vtp) -> number of points */
static int encoder_file(lua_State *L)
{
  check_encoder(L);
  const char *group = luaL_checkstring(L, 2), *path = check_path(L, 3);
  char message[400], text[1024];
  vtp_dataset *dataset = dataset_new(L, NULL);
  floc_status status = vtp_read(dataset, path, message, sizeof message);
  if (status != FLOC_OK) {
    snprintf(text, sizeof text, "%.500s: %s", path, message);
    return answer_text(L, status, text);
  }
  return add_dataset(L, 1, group, dataset, lua_gettop(L));
}

/* page_world(sim, encoder, group, paths or nil) -> number of points */
static int encoder_world(lua_State *L)
{
  binding *owner = check_binding(L);
  luaL_checkudata(L, 2, ENCODER_TYPE);
  const char *group = luaL_checkstring(L, 3);
  lua_settop(L, 4);
  vtp_dataset *dataset = dataset_new(L, owner);
  int index = lua_gettop(L), refused;
  if (strcmp(group, "particles") == 0)
    refused = dataset_particles(L, owner, dataset);
  else if (strcmp(group, "grains") == 0)
    refused = dataset_grains(L, owner, true, dataset);
  else if (strcmp(group, "bodies") == 0)
    refused = dataset_bodies(L, owner, dataset);
  else if (strcmp(group, "contacts") == 0)
    refused = dataset_contacts(L, owner, dataset);
  else if (strcmp(group, "bonds") == 0)
    refused = dataset_bonds(L, owner, dataset);
  else
    refused = dataset_rays(L, owner, 4, dataset);
  return refused ? refused : add_dataset(L, 2, group, dataset, index);
}

/* page_end(encoder, JSON to go along or nil) -> the frame's bytes, step, time, number of particles */
static int encoder_end(lua_State *L)
{
  page_encoder *self = check_encoder(L);
  floc_status status = page_frame_end(self, luaL_optstring(L, 2, NULL));
  if (status != FLOC_OK) return answer_text(L, status, "out of memory");
  lua_pushlstring(L, (const char *)self->frame.bytes, self->frame.size);
  lua_pushnumber(L, (double)self->step);
  lua_pushnumber(L, self->time);
  lua_pushnumber(L, (double)self->particle_count);
  return 4;
}

/* page_ranges(encoder) -> { ["particles.radius"] = { least, greatest }, ... } of all frames so far */
static int encoder_ranges(lua_State *L)
{
  const page_encoder *self = check_encoder(L);
  lua_newtable(L);
  for (int32_t k = 0; k < self->track_count; k++) {
    const page_track *track = &self->tracks[k];
    if (!(track->low <= track->high)) continue;
    push_vector(L, (double[]){track->low, track->high}, 2);
    lua_setfield(L, -2, track->name);
  }
  return 1;
}

const luaL_Reg page_functions[] = {{"base64", base64},
                                   {"deflate", deflate_text},
                                   {"page_encoder", encoder_new},
                                   {"page_begin", encoder_begin},
                                   {"page_file", encoder_file},
                                   {"page_world", encoder_world},
                                   {"page_end", encoder_end},
                                   {"page_ranges", encoder_ranges},
                                   {NULL, NULL}};

void page_register(lua_State *L)
{
  luaL_newmetatable(L, ENCODER_TYPE);
  lua_pushcfunction(L, encoder_collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}
