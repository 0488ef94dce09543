/*
 * Pictures of a simulation: scenes are snapshots (columns in the order of ids, shapes of all bodies, tubes
 * between contacts), so that several moments of one run can stand in one picture. Drawing is done by
 * bindings/picture, which knows neither worlds nor Lua.
 */
#include "binding.h"
#include "options_made.h"

#include "movie/movie.h"
#include "output/polyhedra.h"
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_TYPE "floc.scene"
#define MOVIE_TYPE "floc.movie"

enum { BLOCK_LIMIT = 24 };

/* A scene and the memory that its pointers show to. */
typedef struct snapshot {
  picture_scene scene;
  void *blocks[BLOCK_LIMIT];
  int block_count;
} snapshot;

static void *snapshot_allocate(lua_State *L, snapshot *self, size_t count, size_t size)
{
  void *block = self->block_count < BLOCK_LIMIT ? calloc(count + 1, size) : NULL;
  if (!block) luaL_error(L, "picture: out of memory");
  self->blocks[self->block_count++] = block;
  return block;
}

static int snapshot_free(lua_State *L)
{
  snapshot *self = luaL_checkudata(L, 1, SCENE_TYPE);
  for (int k = 0; k < self->block_count; k++) free(self->blocks[k]);
  self->block_count = 0;
  return 0;
}

/* ---- options from the table at index 2 ------------------------------------------------------------ */

static const option_field scene_fields[] = {PICTURE_SCENE}, view_fields[] = {PICTURE_VIEW},
                          scale_fields[] = {PICTURE_SCALE}, field_fields[] = {PICTURE_FIELD},
                          picture_fields[] = {PICTURE_OPTIONS};

/* A copy of the text in field `name` of the table at index; NULL if there is none. */
static const char *copy_field(lua_State *L, snapshot *self, int index, const char *name)
{
  lua_getfield(L, index, name);
  const char *text = lua_tostring(L, -1);
  char *copy = NULL;
  if (text) {
    copy = snapshot_allocate(L, self, strlen(text), 1);
    strcpy(copy, text);
  }
  lua_pop(L, 1);
  return copy;
}

static void read_scale(lua_State *L, snapshot *self, const char *name, picture_scale *scale)
{
  lua_getfield(L, 2, name);
  if (lua_istable(L, -1)) {
    int index = lua_gettop(L);
    options_fill(L, index, scale_fields, scale);
    scale->map = copy_field(L, self, index, "map");
    scale->label = copy_field(L, self, index, "label");
    scale->unit = copy_field(L, self, index, "unit");
  }
  lua_pop(L, 1);
}

static void read_boundary(lua_State *L, picture_scene *scene)
{
  lua_getfield(L, 2, "boundary");
  for (int axis = 0; lua_istable(L, -1) && axis < 3; axis++) {
    lua_rawgeti(L, -1, axis + 1);
    scene->boundary[axis] = (int32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_scene(lua_State *L, snapshot *self)
{
  picture_scene *scene = &self->scene;
  options_fill(L, 2, scene_fields, scene);
  options_fill(L, 2, view_fields, &scene->view);
  read_boundary(L, scene);
  scene->title = copy_field(L, self, 2, "title");
  scene->note = copy_field(L, self, 2, "note");
  scene->length_unit = copy_field(L, self, 2, "length_unit");
  read_scale(L, self, "scale", &scene->scale);
  read_scale(L, self, "tube_scale", &scene->tubes.scale);
  read_scale(L, self, "ray_scale", &scene->lines.scale);
  read_scale(L, self, "field_scale", &scene->field.scale);
}

/* ---- particles ------------------------------------------------------------------------------------- */

static double *copy_column(lua_State *L, snapshot *self, binding *owner, const char *name)
{
  double *values = NULL;
  const int64_t *slots = NULL;
  int64_t count = 0;
  floc_status status = column_of(L, owner, name, &values, &count);
  if (status == FLOC_OK) status = floc_particle_ids(owner->world, NULL, &slots, &count);
  if (status != FLOC_OK) luaL_error(L, "picture: %s", floc_world_message(owner->world));
  double *copy = snapshot_allocate(L, self, (size_t)count, sizeof *copy);
  for (int64_t id = 1; id <= count; id++) copy[id - 1] = values[slots[id - 1]];
  return copy;
}

/* Numbers of the list in field `name`, in the order of ids; NULL if there is none. */
static double *copy_list(lua_State *L, snapshot *self, const char *name, int64_t count)
{
  lua_getfield(L, 2, name);
  double *copy = NULL;
  if (lua_istable(L, -1)) {
    copy = snapshot_allocate(L, self, (size_t)count, sizeof *copy);
    for (int64_t k = 0; k < count; k++) {
      lua_rawgeti(L, -1, (int)(k + 1));
      copy[k] = lua_isnil(L, -1) ? NAN : lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return copy;
}

static void take_groups(lua_State *L, snapshot *self, int64_t count)
{
  const double *numbers = copy_list(L, self, "group", count);
  if (!numbers) return;
  int32_t *group = snapshot_allocate(L, self, (size_t)count, sizeof *group);
  for (int64_t k = 0; k < count; k++) group[k] = isfinite(numbers[k]) ? (int32_t)numbers[k] : -1;
  self->scene.group = group;
}

/* Corners of grains that are not round, where there may be some; in the order of ids, as all that is of particles.
 */
/* A polyhedron's planes; the number of what stands as corners in `to`, NULL: only that. */
static int64_t take_planes(const polyhedron_view *of, double *to)
{
  for (int32_t f = 0; to && f < of->faces; f++) {
    const double *normal = of->place + 3 * (of->corners + f), *corner = of->place + 3 * of->loop[of->begin[f]];
    memcpy(to + 6 * f, normal, 3 * sizeof *to);
    to[6 * f + 3] = normal[0] * corner[0] + normal[1] * corner[1] + normal[2] * corner[2] + of->rounding;
    to[6 * f + 4] = to[6 * f + 5] = 0.0;
  }
  return 2 * (int64_t)of->faces;
}

static void take_corners(lua_State *L, snapshot *self, binding *owner)
{
  double *number = NULL;
  const int64_t *begin = NULL, *slots = NULL;
  const double *corners = NULL;
  int64_t count = 0;
  if (floc_column(owner->world, "shape", &number, &count) != FLOC_OK) return;
  picture_scene *scene = &self->scene;
  scene->rounding = copy_column(L, self, owner, "rounding");
  floc_status status = floc_particle_ids(owner->world, NULL, &slots, &count);
  if (status == FLOC_OK) status = floc_grain_corners(owner->world, &begin, &corners, &count);
  if (status != FLOC_OK) luaL_error(L, "picture: %s", floc_world_message(owner->world));
  int64_t *own_begin = snapshot_allocate(L, self, (size_t)count + 1, sizeof *own_begin);
  const size_t numbers = (size_t)owner->dimension; /* of a corner */
  int32_t *planes = snapshot_allocate(L, self, (size_t)count + 1, sizeof *planes);
  int64_t room = 0;
  for (int64_t slot = 0; slot < count; slot++) {
    polyhedron_view of = {.faces = 0};
    if (owner->dimension == 3) polyhedron_view_of(owner->world, (int32_t)number[slot], &of);
    room += of.faces > 0 ? take_planes(&of, NULL) : begin[slot + 1] - begin[slot];
  }
  double *own_corners = snapshot_allocate(L, self, numbers * (size_t)room, sizeof *own_corners);
  own_begin[0] = 0;
  for (int64_t rank = 0; rank < count; rank++) {
    const int64_t slot = slots[rank], corner_count = begin[slot + 1] - begin[slot];
    const double *from = corners + numbers * (size_t)begin[slot];
    double *to = own_corners + numbers * (size_t)own_begin[rank];
    polyhedron_view of = {.faces = 0};
    if (owner->dimension == 3) polyhedron_view_of(owner->world, (int32_t)number[slot], &of);
    planes[rank] = of.faces;
    of.place = from;
    of.rounding = scene->rounding[rank];
    if (of.faces == 0) memcpy(to, from, numbers * (size_t)corner_count * sizeof *to);
    own_begin[rank + 1] = own_begin[rank] + (of.faces > 0 ? take_planes(&of, to) : corner_count);
  }
  scene->plane_count = planes;
  scene->corner_begin = own_begin;
  scene->corners = own_corners;
}

/* The world keeps particles in the upright box; here each is at its image in the skew cell, as its outline shows.
 */
static void move_into_skew_cell(const picture_scene *scene, double *const column[3])
{
  const int along = scene->shear_plane / 2, other = scene->shear_plane % 2; /* xy, xz, yx, yz, zx, zy */
  const int up = other + (other >= along);
  const double lower = scene->domain_lower[along], length = scene->domain_upper[along] - lower;
  const double slope = scene->domain_offset / (scene->domain_upper[up] - scene->domain_lower[up]);
  for (int64_t k = 0; k < scene->particle_count; k++) {
    const double begin = lower + slope * (column[up][k] - scene->domain_lower[up]);
    column[along][k] -= length * floor((column[along][k] - begin) / length);
  }
}

static void take_particles(lua_State *L, snapshot *self, binding *owner, int64_t count)
{
  static const char *const names[3] = {"x", "y", "z"};
  picture_scene *scene = &self->scene;
  double *column[3] = {NULL, NULL, NULL};
  scene->particle_count = count;
  for (int axis = 0; axis < owner->dimension; axis++) column[axis] = copy_column(L, self, owner, names[axis]);
  if (scene->domain_offset != 0.0) move_into_skew_cell(scene, column);
  scene->x = column[0];
  scene->y = column[1];
  scene->z = column[2];
  scene->radius = copy_column(L, self, owner, "radius");
  lua_getfield(L, 2, "value_column");
  if (lua_isstring(L, -1)) {
    scene->value = copy_column(L, self, owner, lua_tostring(L, -1));
  } else {
    scene->value = copy_list(L, self, "values", count);
  }
  lua_pop(L, 1);
  take_groups(L, self, count);
  take_corners(L, self, owner);
}

/* ---- bodies ---------------------------------------------------------------------------------------- */

static int64_t count_shapes(binding *owner, int32_t first, int32_t body_count)
{
  int64_t count = 0;
  for (int32_t body = first; body < body_count; body++) {
    floc_body_state state = {.struct_size = sizeof state};
    if (floc_body_get_state(owner->world, body, &state) != FLOC_OK) continue;
    for (int32_t index = 0; index < state.shape_count; index++) {
      int64_t parts = 0;
      if (floc_body_get_drawing(owner->world, body, index, NULL, 0, &parts) == FLOC_OK) count += parts;
    }
  }
  return count;
}

/* first_body: 1 when body 0 is the walls of the domain, which the scene draws itself. */
static void take_shapes(lua_State *L, snapshot *self, binding *owner, int32_t body_count)
{
  lua_getfield(L, 2, "first_body");
  int32_t first = (int32_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  int64_t count = count_shapes(owner, first, body_count);
  floc_shape *shapes = snapshot_allocate(L, self, (size_t)count, sizeof *shapes);
  bool *moves = snapshot_allocate(L, self, (size_t)count, sizeof *moves);
  int64_t at = 0;
  for (int32_t body = first; body < body_count; body++) {
    floc_body_state state = {.struct_size = sizeof state};
    bool moving = floc_body_get_state(owner->world, body, &state) == FLOC_OK &&
                  (state.velocity[0] != 0 || state.velocity[1] != 0 || state.velocity[2] != 0);
    for (int32_t index = 0; index < state.shape_count && at < count; index++) {
      int64_t parts = 0, room = count - at;
      if (floc_body_get_drawing(owner->world, body, index, &shapes[at], room, &parts) != FLOC_OK) break;
      for (int64_t end = at + (parts < room ? parts : room); at < end; at++) moves[at] = moving;
    }
  }
  self->scene.shape_count = at;
  self->scene.shapes = shapes;
  self->scene.shape_moves = moves;
}

/* ---- tubes between contacts ------------------------------------------------------------------------ */

/* i, j: places of the two in the scene, -1: none. From the particle's centre to the other's: over the point of
 * contact, so that a pair across a periodic face gets a short tube at each side. In a skew cell the contact follows
 * the first of the two to its image. */
static void contact_ends(const picture_scene *scene, const floc_contact *contact, int64_t i, int64_t j,
                         double *points)
{
  const double *const column[3] = {scene->x, scene->y, scene->z};
  for (int axis = 0; axis < scene->dimension; axis++) {
    points[axis] = column[axis][i];
    points[3 + axis] = contact->point[axis];
    if (j < 0) continue;
    double reach = scene->radius[j] + 0.5 * contact->distance;
    points[3 + axis] = contact->point[axis] + contact->normal[axis] * reach;
  }
  if (scene->domain_offset == 0.0) return;
  const int along = scene->shear_plane / 2;
  const double length = scene->domain_upper[along] - scene->domain_lower[along];
  points[3 + along] += length * rint((points[along] - points[3 + along]) / length);
}

/* Colours of what presses begin at 0, so that a contact of twice the force is twice as dark. */
static void begin_at_zero(picture_lines *tubes)
{
  if (!isnan(tubes->scale.lower) || tubes->scale.logarithmic || tubes->count == 0) return;
  for (int64_t k = 0; k < tubes->count; k++) {
    if (tubes->value[k] < 0) return;
  }
  tubes->scale.lower = 0;
}

/* tubes = "gamma", "impulse" or "force": those that carry none are left out. */
static void take_tubes(lua_State *L, snapshot *self, binding *owner)
{
  lua_getfield(L, 2, "tubes");
  const char *what = lua_tostring(L, -1);
  lua_pop(L, 1);
  if (!what) return;
  bool gamma = strcmp(what, "gamma") == 0;
  floc_world_info info = {.struct_size = sizeof info, .time_step = 1.0};
  if (strcmp(what, "force") == 0) (void)floc_world_get_info(owner->world, &info);
  const int64_t *ids = NULL, *slots = NULL;
  int64_t count = 0, kept = 0, present = 0;
  int top = lua_gettop(L);
  floc_contact *contacts = NULL;
  if (contacts_read(L, owner, &contacts, &count) != FLOC_OK)
    luaL_error(L, "tubes: %s", floc_world_message(owner->world));
  (void)floc_particle_ids(owner->world, &ids, &slots, &present);
  double *points = snapshot_allocate(L, self, (size_t)count * 6, sizeof *points);
  double *value = snapshot_allocate(L, self, (size_t)count, sizeof *value);
  for (int64_t k = 0; k < count; k++) {
    double amount = gamma ? contacts[k].gamma : contacts[k].impulse / info.time_step;
    if (amount == 0) continue;
    value[kept] = amount;
    int64_t i = rank_of_id(ids, slots, present, contacts[k].id_i);
    int64_t j = rank_of_id(ids, slots, present, contacts[k].id_j);
    contact_ends(&self->scene, &contacts[k], i, j, points + 6 * kept++);
  }
  lua_settop(L, top);
  self->scene.tubes.count = kept;
  self->scene.tubes.points = points;
  self->scene.tubes.value = value;
  if (!gamma) begin_at_zero(&self->scene.tubes);
}

/* ---- rays ------------------------------------------------------------------------------------------ */

/* rays = paths of sim:trace, or arrows of rays in flight (rays.c). */
static void take_rays(lua_State *L, snapshot *self)
{
  lua_getfield(L, 2, "rays");
  if (lua_isuserdata(L, -1)) {
    const ray_paths *paths = luaL_checkudata(L, -1, PATHS_TYPE);
    double *points = snapshot_allocate(L, self, (size_t)paths->count * 6, sizeof *points);
    double *value = snapshot_allocate(L, self, (size_t)paths->count, sizeof *value);
    for (int64_t k = 0; k < paths->count; k++) {
      memcpy(points + 6 * k, paths->piece[k].from, 3 * sizeof *points);
      memcpy(points + 6 * k + 3, paths->piece[k].to, 3 * sizeof *points);
      value[k] = paths->piece[k].power;
    }
    self->scene.lines.count = paths->count;
    self->scene.lines.points = points;
    self->scene.lines.value = value;
    lua_getfield(L, 2, "ray_arrows");
    self->scene.lines.arrows = lua_toboolean(L, -1);
    lua_getfield(L, 2, "ray_width");
    self->scene.lines.width = lua_tonumber(L, -1);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

/* ---- fields ---------------------------------------------------------------------------------------- */

/* field_grid: cells_x, cells_y, lower, spacing; field: their numbers. */
static void take_field(lua_State *L, snapshot *self)
{
  picture_field *field = &self->scene.field;
  lua_getfield(L, 2, "field_grid");
  if (lua_istable(L, -1)) {
    options_fill(L, lua_gettop(L), field_fields, field);
    field->value = copy_list(L, self, "field", (int64_t)field->cells_x * field->cells_y);
  }
  lua_pop(L, 1);
}

/* ---- calls ----------------------------------------------------------------------------------------- */

/* scene(sim, options) -> userdata: the simulation as it is now */
static int scene_create(lua_State *L)
{
  binding *owner = check_binding(L);
  floc_world_info info = {.struct_size = sizeof info};
  floc_status status = floc_world_get_info(owner->world, &info);
  if (status != FLOC_OK) return answer(L, owner, status);
  lua_settop(L, 2);
  snapshot *self = lua_newuserdata(L, sizeof *self);
  memset(self, 0, sizeof *self);
  picture_scene_init(&self->scene);
  luaL_getmetatable(L, SCENE_TYPE);
  lua_setmetatable(L, -2);
  self->scene.dimension = owner->dimension;
  read_scene(L, self);
  take_particles(L, self, owner, info.particle_count);
  take_shapes(L, self, owner, info.body_count);
  take_tubes(L, self, owner);
  take_rays(L, self);
  take_field(L, self);
  return 1;
}

/* The scenes of the list at index, which stay in the userdata that is pushed. */
static picture_scene *read_scenes(lua_State *L, int index, int *count)
{
  *count = (int)lua_rawlen(L, index);
  picture_scene *scenes = lua_newuserdata(L, (size_t)(*count + 1) * sizeof *scenes);
  for (int k = 0; k < *count; k++) {
    lua_rawgeti(L, index, k + 1);
    scenes[k] = ((snapshot *)luaL_checkudata(L, -1, SCENE_TYPE))->scene;
    lua_pop(L, 1);
  }
  return scenes;
}

/* picture(path, options, { scene, ... }) */
static int scenes_write(lua_State *L)
{
  const char *path = check_path(L, 1);
  picture_options options;
  picture_options_init(&options);
  options_fill(L, 2, picture_fields, &options);
  int count = 0;
  const picture_scene *scenes = read_scenes(L, 3, &count);
  char message[PICTURE_MESSAGE_SIZE] = "";
  floc_status status = picture_write(path, &options, scenes, count, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

/* picture_size(options, { scene, ... }) -> width, height that the picture would have */
static int scenes_size(lua_State *L)
{
  picture_options options;
  picture_options_init(&options);
  options_fill(L, 1, picture_fields, &options);
  int count = 0;
  int32_t width = 0, height = 0;
  const picture_scene *scenes = read_scenes(L, 2, &count);
  char message[PICTURE_MESSAGE_SIZE] = "";
  floc_status status = picture_size(&options, scenes, count, &width, &height, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushinteger(L, width);
  lua_pushinteger(L, height);
  return 2;
}

/* ---- movies ---------------------------------------------------------------------------------------- */

/* Closed by movie_close, or by the collector: a movie is complete in both cases. */
typedef struct open_movie {
  picture_movie *movie;
} open_movie;

/* movie_open(path, width, height, frames per second, number of the first picture) -> movie */
static int movie_open(lua_State *L)
{
  const char *path = check_path(L, 1);
  open_movie *self = lua_newuserdata(L, sizeof *self);
  self->movie = NULL;
  luaL_getmetatable(L, MOVIE_TYPE);
  lua_setmetatable(L, -2);
  char message[PICTURE_MESSAGE_SIZE] = "";
  int64_t first = (int64_t)luaL_checknumber(L, 5);
  floc_status status = picture_movie_open(path, (int32_t)luaL_checkinteger(L, 2), (int32_t)luaL_checkinteger(L, 3),
                                          luaL_checknumber(L, 4), &self->movie, message, sizeof message);
  if (status == FLOC_OK && first > 0) status = picture_movie_continue(self->movie, first, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  return 1;
}

/* movie_frame(movie, options, { scene, ... }) */
static int movie_frame(lua_State *L)
{
  open_movie *self = luaL_checkudata(L, 1, MOVIE_TYPE);
  picture_options options;
  picture_options_init(&options);
  options_fill(L, 2, picture_fields, &options);
  int count = 0;
  const picture_scene *scenes = read_scenes(L, 3, &count);
  char message[PICTURE_MESSAGE_SIZE] = "the movie is closed";
  floc_status status = FLOC_WRONG_STATE;
  if (self->movie) status = picture_movie_frame(self->movie, &options, scenes, count, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

/* movie_close(movie); once more does nothing */
static int movie_close(lua_State *L)
{
  open_movie *self = luaL_checkudata(L, 1, MOVIE_TYPE);
  picture_movie *movie = self->movie;
  self->movie = NULL;
  char message[PICTURE_MESSAGE_SIZE] = "";
  floc_status status = picture_movie_close(movie, message, sizeof message);
  if (status != FLOC_OK) return answer_text(L, status, message);
  lua_pushboolean(L, 1);
  return 1;
}

/* map_name(index from 0) -> name or nil */
static int map_name(lua_State *L)
{
  lua_pushstring(L, picture_map_name((int32_t)luaL_checkinteger(L, 1)));
  return 1;
}

const luaL_Reg picture_functions[] = {
    {"scene", scene_create},       {"picture", scenes_write},     {"map_name", map_name},
    {"picture_size", scenes_size}, {"movie_open", movie_open},    {"movie_frame", movie_frame},
    {"movie_close", movie_close},  {"scene_free", snapshot_free}, {NULL, NULL}};

static void collectable(lua_State *L, const char *type, lua_CFunction collect)
{
  luaL_newmetatable(L, type);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

void picture_register(lua_State *L)
{
  collectable(L, SCENE_TYPE, snapshot_free);
  collectable(L, MOVIE_TYPE, movie_close);
}
