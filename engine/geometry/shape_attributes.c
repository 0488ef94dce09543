/*
 * Attributes of shapes: what wall laws wear off, heat or charge (laws/law_walls.c). See bodies.h. They are state,
 * and travel in checkpoints by their names.
 */
#include "geometry/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char PREFIX[] = "bodies.attribute.";

enum { SECTION_NAME_SIZE = sizeof PREFIX + SHAPE_ATTRIBUTE_NAME };

int32_t bodies_find_attribute(const bodies *all, const char *name)
{
  for (int32_t k = 0; k < all->attributes.count; k++)
    if (strcmp(all->attributes.name[k], name) == 0) return k;
  return -1;
}

static bool is_word(const char *name)
{
  if (name[0] == '\0' || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char *c = name; *c; c++)
    if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')))
      return false;
  return true;
}

static floc_status check(const bodies *all, const char *name, double initial)
{
  if (!is_word(name) || strlen(name) >= SHAPE_ATTRIBUTE_NAME)
    return refuse(
        all->env, FLOC_INVALID_ARGUMENT,
        "shape attribute \"%.60s\": a name consists of letters, digits and _, does not begin with a digit, "
        "and has at most %d characters",
        name, SHAPE_ATTRIBUTE_NAME - 1);
  if (!isfinite(initial))
    return refuse(all->env, FLOC_INVALID_ARGUMENT, "shape attribute \"%s\": initial is %g; it must be finite", name,
                  initial);
  if (bodies_find_attribute(all, name) >= 0)
    return refuse(all->env, FLOC_ALREADY_EXISTS, "\"%s\" is an attribute of shapes already", name);
  if (all->attributes.count == SHAPE_ATTRIBUTE_LIMIT)
    return refuse(all->env, FLOC_LIMIT_EXCEEDED, "shape attribute \"%s\" would be the %dth; the limit is %d", name,
                  SHAPE_ATTRIBUTE_LIMIT + 1, SHAPE_ATTRIBUTE_LIMIT);
  return FLOC_OK;
}

static floc_status reserve_one(bodies *all, int32_t number, size_t shapes)
{
  shape_attributes *list = &all->attributes;
  return array_reserve(all->env, (void **)&list->value[number], &list->capacity[number], shapes, sizeof(double));
}

floc_status bodies_add_attribute(bodies *all, const char *name, double initial)
{
  shape_attributes *list = &all->attributes;
  floc_status status = check(all, name, initial);
  if (status == FLOC_OK) status = reserve_one(all, list->count, (size_t)all->shape_count);
  if (status != FLOC_OK) return status;
  snprintf(list->name[list->count], SHAPE_ATTRIBUTE_NAME, "%s", name);
  list->initial[list->count] = initial;
  for (int32_t k = 0; k < all->shape_count; k++) list->value[list->count][k] = initial;
  list->count++;
  return FLOC_OK;
}

floc_status attributes_reserve(bodies *all, size_t shapes)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < all->attributes.count && status == FLOC_OK; k++) status = reserve_one(all, k, shapes);
  return status;
}

void attributes_begin(bodies *all, int32_t number)
{
  for (int32_t k = 0; k < all->attributes.count; k++) all->attributes.value[k][number] = all->attributes.initial[k];
}

void attributes_free(bodies *all)
{
  for (int32_t k = 0; k < SHAPE_ATTRIBUTE_LIMIT; k++)
    array_free(all->env, (void **)&all->attributes.value[k], &all->attributes.capacity[k], sizeof(double));
}

/* ---- checkpoints ---- */

floc_status attributes_sections(bodies *all, section_list *list)
{
  floc_status status = FLOC_OK;
  for (int32_t k = 0; k < all->attributes.count && status == FLOC_OK; k++) {
    char name[SECTION_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", PREFIX, all->attributes.name[k]);
    const void *values = all->shape_count > 0 ? (const void *)all->attributes.value[k] : "";
    status = section_list_add(list, name, "f64", (uint64_t)all->shape_count, 1, values, true);
  }
  return status;
}

floc_status attributes_find(const bodies *all, const section_list *list, const double *values[])
{
  for (int32_t k = 0; k < list->count; k++) {
    const char *name = list->item[k].name;
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || bodies_find_attribute(all, name + sizeof PREFIX - 1) >= 0)
      continue;
    return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                  "the checkpoint contains the attribute \"%s\" of shapes, which this world has not declared",
                  name + sizeof PREFIX - 1);
  }
  for (int32_t k = 0; k < all->attributes.count; k++) {
    char name[SECTION_NAME_SIZE];
    const section *found;
    snprintf(name, sizeof name, "%s%s", PREFIX, all->attributes.name[k]);
    if (!section_find(list, name))
      return refuse(all->env, FLOC_STRUCTURE_MISMATCH,
                    "this world declares the attribute \"%s\" of shapes, which the checkpoint does not contain",
                    all->attributes.name[k]);
    floc_status status = section_expect(list, name, "f64", (uint64_t)all->shape_count, 1, &found);
    if (status == FLOC_OK) status = section_check_numbers(all->env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
    if (status != FLOC_OK) return status;
    values[k] = found->data;
  }
  return FLOC_OK;
}

void attributes_take(bodies *all, const double *const values[])
{
  for (int32_t k = 0; k < all->attributes.count && all->shape_count > 0; k++)
    memcpy(all->attributes.value[k], values[k], (size_t)all->shape_count * sizeof(double));
}
