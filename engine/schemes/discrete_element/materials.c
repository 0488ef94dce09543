/*
 * Discrete elements by pairs of materials: what the contact law reads (element_options_of) is a copy of the options
 * for each pair of materials that has been seen, with the numbers of that pair. Copies are made before the loops
 * that read them; one number for all means the options themselves, and no look-up.
 *
 * What is asked for in a loop is [material][material] -> number of the copy, so materials go up to DENSE_MATERIALS.
 */
#include "schemes/discrete_element/model.h"

#include "base/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define QUANTITY(member)                                                                                           \
  {                                                                                                                \
#member, offsetof(floc_discrete_element_options, member)                                                       \
  }

static const struct {
  const char *name;
  size_t offset;
} quantities[ELEMENT_QUANTITIES] = {
    QUANTITY(stiffness),        QUANTITY(damping),           QUANTITY(friction_stiffness),
    QUANTITY(friction_static),  QUANTITY(friction_dynamic),  QUANTITY(friction_damping),
    QUANTITY(rolling_friction), QUANTITY(rolling_stiffness), QUANTITY(rolling_damping)};

static double *member_of(floc_discrete_element_options *options, int quantity)
{
  return (double *)(void *)((char *)options + quantities[quantity].offset);
}

/* What stands in the options for what comes by pairs: so that all that asks whether it is there finds it. */
static void mark(floc_discrete_element_options *options, int quantity)
{
  *member_of(options, quantity) = quantity == ELEMENT_FRICTION_STATIC    ? 1e6
                                  : quantity == ELEMENT_FRICTION_DYNAMIC ? 0.0
                                                                         : 1.0;
}

floc_status element_materials_create(environment *env, floc_discrete_element_options *options,
                                     element_materials **made)
{
  *made = NULL;
  if (!options->by_pair || !*options->by_pair) return FLOC_OK;
  if (!options->pair_function)
    return refuse(env, FLOC_INVALID_ARGUMENT, "by_pair is \"%.80s\", which needs pair_function; it is NULL",
                  options->by_pair);
  element_materials *all = memory_resize(env, NULL, 0, sizeof *all);
  if (!all) return refuse(env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes were refused", sizeof *all);
  memset(all, 0, sizeof *all);
  for (int k = 0; k < DENSE_MATERIALS * DENSE_MATERIALS; k++) all->of[k] = -1;
  for (int q = 0; q < ELEMENT_QUANTITIES; q++)
    all->table[q] = (material_table){.name = quantities[q].name,
                                     .range = material_range(&struct_discrete_element_options, quantities[q].name)};
  material_function ask = {options->pair_function, NULL, options->pair_context};
  floc_status status = material_choose(env, options->by_pair, ask, all->table, ELEMENT_QUANTITIES);
  floc_discrete_element_options initial;
  floc_discrete_element_options_init(&initial);
  for (int q = 0; q < ELEMENT_QUANTITIES && status == FLOC_OK; q++) {
    if (material_is_uniform(&all->table[q])) continue;
    double *member = member_of(options, q);
    if (*member != *member_of(&initial, q))
      status =
          refuse(env, FLOC_INVALID_ARGUMENT, "%s is %g and comes by pairs of materials as well: only one of them",
                 quantities[q].name, *member);
    mark(options, q);
  }
  if (status == FLOC_OK && options->thermal_softening && !material_is_uniform(&all->table[ELEMENT_STIFFNESS]))
    status = refuse(env, FLOC_NOT_SUPPORTED,
                    "stiffness comes by pairs of materials, and thermal_softening takes it from temperatures");
  if (status == FLOC_OK)
    *made = all;
  else
    memory_free(env, all, sizeof *all);
  return status;
}

static void forget(element_materials *all)
{
  for (int k = 0; k < DENSE_MATERIALS * DENSE_MATERIALS; k++) all->of[k] = -1;
  all->count = 0;
}

void element_materials_free(element_materials *all, environment *env)
{
  if (!all) return;
  for (int q = 0; q < ELEMENT_QUANTITIES; q++) material_table_free(&all->table[q], env);
  array_free(env, (void **)&all->record, &all->capacity, sizeof *all->record);
  memory_free(env, all, sizeof *all);
}

/* ---- learning ---- */

static floc_status check_material(environment *env, int32_t material)
{
  if (material < DENSE_MATERIALS) return FLOC_OK;
  return refuse(env, FLOC_LIMIT_EXCEEDED, "a material is %d; discrete elements by pairs of materials take 0 to %d",
                (int)material, DENSE_MATERIALS - 1);
}

static floc_status check_record(environment *env, const floc_discrete_element_options *o, int32_t a, int32_t b)
{
  if (o->friction_dynamic > o->friction_static)
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "friction_dynamic of materials %d and %d is %g; it must be at most friction_static, which is %g",
                  (int)a, (int)b, o->friction_dynamic, o->friction_static);
  if (o->rolling_friction > 0.0 && !(o->rolling_stiffness > 0.0))
    return refuse(env, FLOC_INVALID_ARGUMENT,
                  "rolling_stiffness of materials %d and %d is %g; with rolling_friction (%g) it must be above 0",
                  (int)a, (int)b, o->rolling_stiffness, o->rolling_friction);
  return FLOC_OK;
}

static floc_status learn_pair(const discrete_element *method, int32_t a, int32_t b)
{
  element_materials *all = method->materials;
  environment *env = method->env;
  floc_discrete_element_options made = method->options;
  floc_status status = check_material(env, a > b ? a : b);
  for (int q = 0; q < ELEMENT_QUANTITIES && status == FLOC_OK; q++)
    if (!material_is_uniform(&all->table[q])) status = material_ask(&all->table[q], env, a, b, member_of(&made, q));
  if (status == FLOC_OK) status = check_record(env, &made, a, b);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&all->record, &all->capacity, (size_t)all->count + 1, sizeof *all->record);
  if (status != FLOC_OK) return status;
  all->record[all->count] = made;
  all->of[a * DENSE_MATERIALS + b] = all->of[b * DENSE_MATERIALS + a] = (int16_t)all->count++;
  return FLOC_OK;
}

floc_status element_learn(const discrete_element *method, const particles *table, const bodies *obstacles,
                          const neighbors *near)
{
  if (!method->materials) return FLOC_OK;
  const pair_list *lists[2] = {neighbors_pairs(near), neighbors_walls(near)};
  floc_status status = FLOC_OK;
  for (int which = 0; which < 2; which++)
    for (int64_t k = 0; k < lists[which]->count && status == FLOC_OK; k++) {
      int32_t i = lists[which]->first[k], j = lists[which]->second[k];
      int32_t a = material_of_particle(table, i);
      int32_t b = which == 0 ? material_of_particle(table, j) : material_of_shape(obstacles, j);
      if (a < 0) status = material_check(table, i);
      if (b < 0 && which == 0 && status == FLOC_OK) status = material_check(table, j);
      bool known = a >= 0 && b >= 0 && a < DENSE_MATERIALS && b < DENSE_MATERIALS &&
                   method->materials->of[a * DENSE_MATERIALS + b] >= 0;
      if (status == FLOC_OK && !known) status = learn_pair(method, a, b);
    }
  return status;
}

/* In the order of materials, so that all ranks ask alike. */
floc_status element_materials_join(const discrete_element *method, const floc_ranks *ranks)
{
  enum { PAIRS = DENSE_MATERIALS * (DENSE_MATERIALS + 1) / 2 };
  double seen[PAIRS];
  int k = 0;
  for (int a = 0; a < DENSE_MATERIALS; a++)
    for (int b = a; b < DENSE_MATERIALS; b++) seen[k++] = method->materials->of[a * DENSE_MATERIALS + b] >= 0;
  floc_status status = ranks_maximum(ranks, method->env, seen, PAIRS);
  k = 0;
  for (int a = 0; a < DENSE_MATERIALS; a++)
    for (int b = a; b < DENSE_MATERIALS; b++, k++)
      if (status == FLOC_OK && seen[k] > 0.0 && method->materials->of[a * DENSE_MATERIALS + b] < 0)
        status = learn_pair(method, a, b);
  return status;
}

const floc_discrete_element_options *element_record(const discrete_element *method, const particles *table,
                                                    const bodies *obstacles, int64_t i, int64_t j,
                                                    int32_t shape_number)
{
  const element_materials *all = method->materials;
  int32_t a = material_of_particle(table, i);
  int32_t b = j >= 0 ? material_of_particle(table, j) : material_of_shape(obstacles, shape_number);
  bool inside = a >= 0 && b >= 0 && a < DENSE_MATERIALS && b < DENSE_MATERIALS;
  const int32_t number = inside ? all->of[a * DENSE_MATERIALS + b] : -1;
  return number >= 0 ? &all->record[number] : &method->options;
}

/* ---- checkpoints ---- */

static const char section_name[] = "discrete_element.pairs";

floc_status element_materials_sections(element_materials *all, section_list *list, double **staging,
                                       size_t *capacity)
{
  const material_table *tables[ELEMENT_QUANTITIES];
  if (!all) return FLOC_OK;
  for (int q = 0; q < ELEMENT_QUANTITIES; q++) tables[q] = &all->table[q];
  int64_t count = material_rows(tables, ELEMENT_QUANTITIES, NULL);
  if (count == 0) return FLOC_OK;
  floc_status status =
      array_reserve(list->env, (void **)staging, capacity, MATERIAL_ROW * (size_t)count, sizeof(double));
  if (status != FLOC_OK) return status;
  material_rows(tables, ELEMENT_QUANTITIES, *staging);
  return section_list_add(list, section_name, "f64", (uint64_t)count, MATERIAL_ROW, *staging, false);
}

floc_status element_materials_restore(element_materials *all, environment *env, const section_list *list)
{
  material_table *tables[ELEMENT_QUANTITIES];
  const section *rows;
  if (!section_find(list, section_name)) return FLOC_OK;
  if (!all)
    return refuse(env, FLOC_STRUCTURE_MISMATCH,
                  "the checkpoint has numbers by pairs of materials, and this world has one number for all");
  for (int q = 0; q < ELEMENT_QUANTITIES; q++) tables[q] = &all->table[q];
  floc_status status = section_expect(list, section_name, "f64", UINT64_MAX, MATERIAL_ROW, &rows);
  if (status == FLOC_OK) status = material_restore(tables, ELEMENT_QUANTITIES, env, rows);
  if (status == FLOC_OK) forget(all);
  return status;
}
