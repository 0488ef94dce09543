/*
 * Shape types of a host. See added.h.
 */
#include "geometry/shapes/added.h"

#include "geometry/shapes/framed.h"

#include <stdio.h>
#include <string.h>

enum { PARAMETERS = sizeof((floc_shape *)0)->parameters / sizeof(double) };

struct added_type {
  shape_type type;
  floc_shape_type given; /* its strings are those below */
  char name[SHAPE_NAME], parameter[PARAMETERS][SHAPE_NAME];
  const char *parameters[PARAMETERS];
};

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char *name)
{
  size_t length = 0;
  while (is_letter(name[length]) || (length > 0 && name[length] >= '0' && name[length] <= '9')) length++;
  return length > 0 && name[length] == '\0' && length < SHAPE_NAME;
}

static floc_status check_name(environment *env, const char *what, const char *name)
{
  if (!name) return refuse(env, FLOC_INVALID_ARGUMENT, "%s is NULL", what);
  if (is_name(name)) return FLOC_OK;
  return refuse(env, FLOC_INVALID_ARGUMENT,
                "%s is \"%.60s\"; it must be letters, digits and _, no digit first, at most %d", what, name,
                SHAPE_NAME - 1);
}

static floc_status check_parameters(environment *env, const floc_shape_type *given)
{
  if (given->parameter_count < 0 || given->parameter_count > PARAMETERS)
    return refuse(env, FLOC_INVALID_ARGUMENT, "type.parameter_count is %d; it must be 0 to %d",
                  given->parameter_count, (int)PARAMETERS);
  if (given->parameter_count > 0 && !given->parameters)
    return refuse(env, FLOC_INVALID_ARGUMENT, "type.parameters is NULL");
  for (int32_t k = 0; k < given->parameter_count; k++) {
    char what[32];
    snprintf(what, sizeof what, "type.parameters[%d]", k);
    floc_status status = check_name(env, what, given->parameters[k]);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status check(environment *env, const added_types *all, const floc_shape_type *given)
{
  int32_t kind;
  floc_status status = check_name(env, "type.name", given->name);
  if (status != FLOC_OK) return status;
  if (given->dimension != 0 && given->dimension != 2 && given->dimension != 3)
    return refuse(env, FLOC_INVALID_ARGUMENT, "type.dimension is %d; it must be 2, 3 or 0 (both)",
                  given->dimension);
  if (!given->distance || !given->bounds)
    return refuse(env, FLOC_INVALID_ARGUMENT, "type.%s is NULL", given->distance ? "bounds" : "distance");
  status = check_parameters(env, given);
  if (status == FLOC_OK && shape_type_by_name(all, given->name, &kind))
    return refuse(env, FLOC_ALREADY_EXISTS, "there is a shape type \"%s\", of kind %d", given->name, kind);
  return status;
}

static void fill(added_type *made, const floc_shape_type *given)
{
  made->given = *given;
  snprintf(made->name, sizeof made->name, "%s", given->name);
  made->given.name = made->name;
  for (int32_t k = 0; k < given->parameter_count; k++) {
    snprintf(made->parameter[k], sizeof made->parameter[k], "%s", given->parameters[k]);
    made->parameters[k] = made->parameter[k];
  }
  made->given.parameters = made->parameters;
  made->type = (shape_type){FRAMED_TYPE, .name = made->name, .dimension = given->dimension,
                            .is_hollow = given->hollow, .framed = &made->given};
}

floc_status added_types_add(environment *env, added_types *all, const floc_shape_type *given, int32_t *kind)
{
  floc_status status = check(env, all, given);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->type, &all->capacity, (size_t)all->count + 1, sizeof *all->type);
  if (status != FLOC_OK) return status;
  added_type *made = memory_resize(env, NULL, 0, sizeof *made);
  if (!made) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *made);
  memset(made, 0, sizeof *made);
  fill(made, given);
  *kind = SHAPE_FIRST_ADDED + all->count;
  all->type[all->count++] = made;
  return FLOC_OK;
}

void added_types_free(environment *env, added_types *all)
{
  for (int32_t k = 0; k < all->count; k++) memory_free(env, all->type[k], sizeof *all->type[k]);
  array_free(env, (void **)&all->type, &all->capacity, sizeof *all->type);
  all->count = 0;
}

const shape_type *shape_type_by_kind(const added_types *added, int32_t kind)
{
  if (kind < SHAPE_FIRST_ADDED) return shape_type_built_in(kind);
  int32_t number = kind - SHAPE_FIRST_ADDED;
  return added && number < added->count ? &added->type[number]->type : NULL;
}

const shape_type *shape_type_by_name(const added_types *added, const char *name, int32_t *kind)
{
  for (*kind = 1; shape_type_built_in(*kind); ++*kind)
    if (strcmp(shape_type_built_in(*kind)->name, name) == 0) return shape_type_built_in(*kind);
  for (int32_t k = 0; added && k < added->count; k++) {
    *kind = SHAPE_FIRST_ADDED + k;
    if (strcmp(added->type[k]->name, name) == 0) return &added->type[k]->type;
  }
  return NULL;
}
