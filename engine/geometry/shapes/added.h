/*
 * The types of shapes that a host has added to a world; kind 1000 is the first of them.
 */
#ifndef FLOC_GEOMETRY_SHAPES_ADDED_H
#define FLOC_GEOMETRY_SHAPES_ADDED_H

#include "geometry/shape.h"

enum { SHAPE_FIRST_ADDED = 1000, SHAPE_NAME = 48 /* bytes, the last one 0 */ };

typedef struct added_type added_type;

typedef struct added_types {
  added_type **type; /* each in memory of its own: shapes point to them */
  int32_t count;
  size_t capacity;
} added_types;

floc_status added_types_add(environment *env, added_types *all, const floc_shape_type *given, int32_t *kind);
void added_types_free(environment *env, added_types *all);

/* The type of that number or name, the engine's own or added; NULL: there is none. */
const shape_type *shape_type_by_kind(const added_types *added, int32_t kind);
const shape_type *shape_type_by_name(const added_types *added, const char *name, int32_t *kind);

#endif
