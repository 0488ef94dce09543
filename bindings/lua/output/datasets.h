/*
 * What a world looks like as datasets of VTK: particles, grains that are not round, bodies, contacts, bonds and
 * rays, each a dataset of its own. Two use them: files for ParaView (export.c) and frames of the browser page
 * (page.c).
 */
#ifndef FLOC_LUA_OUTPUT_DATASETS_H
#define FLOC_LUA_OUTPUT_DATASETS_H

#include "binding.h"
#include "output/vtp_file.h"

/* The columns that every particle has, and where the particles stand by id. */
typedef struct particle_columns {
  const int64_t *ids, *slots;
  int64_t count;
  double *x, *y, *z, *radius;
} particle_columns;

floc_status columns_read(lua_State *L, binding *owner, particle_columns *columns);
/* Where a particle stands in the columns, by its id, which contacts or bonds gave. */
int64_t column_slot(const particle_columns *columns, int64_t id);

/* An empty dataset of the present step on top of the stack, collected by Lua, also when an error is raised. */
vtp_dataset *dataset_new(lua_State *L, binding *owner);

/* Fills a dataset with one kind of things; 0, or what answer() pushed because the engine refused.
 * dataset_rays takes in what is in flight, or, where paths are at the index, their pieces. */
int dataset_particles(lua_State *L, binding *owner, vtp_dataset *dataset);
/* Outlines of grains that are not round, a polygon each, with the columns as cell data; empty where there are none.
 * In space their surfaces, of several polygons each; or, as axes, a line each. */
int dataset_grains(lua_State *L, binding *owner, bool axes, vtp_dataset *dataset);
int dataset_bodies(lua_State *L, binding *owner, vtp_dataset *dataset);
int dataset_contacts(lua_State *L, binding *owner, vtp_dataset *dataset);
int dataset_bonds(lua_State *L, binding *owner, vtp_dataset *dataset);
int dataset_rays(lua_State *L, binding *owner, int paths, vtp_dataset *dataset);

void dataset_register(lua_State *L);

#endif
