/*
 * Bonds of the discrete-element scheme from outside: as links for clusters, as a list, made and broken by
 * hand. A bond is one number of pair memory, its contact area A_0; its strain follows from the positions.
 */
#include "schemes/discrete_element/law.h"

#include "base/numbers/random.h"
#include "geometry/vector.h"
#include "particles/owned.h"

#include <stdlib.h>
#include <string.h>

floc_status element_links(void *state, const int32_t **first, const int32_t **second, int64_t *count)
{
  discrete_element *method = state;
  const pair_list *pairs = neighbors_pairs(method->near);
  memory_view memory = element_memory(method, pairs);
  *first = *second = NULL;
  *count = 0;
  if (!memory.bond) return FLOC_OK;
  int64_t bonds = 0;
  for (int64_t k = 0; k < pairs->count; k++) bonds += memory.bond[k] > 0.0;
  floc_status status = array_reserve(method->env, (void **)&method->link_first, &method->link_first_capacity,
                                     (size_t)bonds, sizeof(int32_t));
  if (status == FLOC_OK)
    status = array_reserve(method->env, (void **)&method->link_second, &method->link_second_capacity, (size_t)bonds,
                           sizeof(int32_t));
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < pairs->count; k++) {
    if (!(memory.bond[k] > 0.0)) continue;
    method->link_first[*count] = pairs->first[k];
    method->link_second[(*count)++] = pairs->second[k];
  }
  *first = method->link_first;
  *second = method->link_second;
  return FLOC_OK;
}

static floc_status check_ends(const discrete_element *method, const particles *table, int64_t id_i, int64_t id_j)
{
  if (method->options.bond_law != FLOC_BOND_PERSISTENT)
    return refuse(method->env, FLOC_WRONG_STATE,
                  "bond_law is %d; bonds can be added and removed only where it is persistent (2)",
                  method->options.bond_law);
  if (particles_find(table, id_i) < 0 || particles_find(table, id_j) < 0 || id_i == id_j)
    return refuse(method->env, FLOC_INVALID_ARGUMENT,
                  "a bond joins particles %lld and %lld; they must be two different ids from 1 to %lld%s",
                  (long long)id_i, (long long)id_j, (long long)table->last_id, particles_gaps_text(table));
  return FLOC_OK;
}

/* The entry of two particles in the list of pairs, -1 if it is not there. */
static int64_t entry_of(const pair_list *pairs, const particles *table, int64_t id_i, int64_t id_j)
{
  int64_t i = particles_find(table, id_i), j = particles_find(table, id_j);
  int64_t first = i < j ? i : j, second = i < j ? j : i;
  if (!pairs->start || first >= table->count) return -1;
  for (int64_t k = pairs->start[first]; k < pairs->start[first + 1]; k++)
    if (pairs->second[k] == second) return k;
  return -1;
}

/* One number for each bond: index 0 is of pairs of particles, by both ids, 1 of walls. */
static double strength(const floc_discrete_element_options *options, uint64_t seed, int64_t id, int64_t other,
                       uint64_t index)
{
  double u[4];
  random_uniform4(seed, (uint64_t)id, (uint64_t)other, RANDOM_BOND, index, u);
  return options->bond_breaking * (1.0 - options->bond_strength_spread * u[0]);
}

double element_bond_breaking(const floc_discrete_element_options *options, uint64_t seed, int64_t id_i,
                             int64_t id_j)
{
  return id_i < id_j ? strength(options, seed, id_i, id_j, 0) : strength(options, seed, id_j, id_i, 0);
}

double element_wall_bond_breaking(const floc_discrete_element_options *options, uint64_t seed, int64_t id,
                                  int32_t shape_number)
{
  return strength(options, seed, id, shape_number, 1);
}

/* Tensile strain between two particles, below 0 when they overlap. */
static double strain_between(const particles *table, const domain *box, int64_t i, int64_t j)
{
  double way[3], sum = table->column[COLUMN_radius][i] + table->column[COLUMN_radius][j];
  return (sqrt(particles_apart(table, box, i, j, way)) - sum) / sum;
}

floc_status discrete_element_add_bond(scheme *method, const particles *table, const bodies *obstacles,
                                      const domain *box, int64_t id_i, int64_t id_j, double area)
{
  discrete_element *own = method->state;
  floc_status status = check_ends(own, table, id_i, id_j);
  if (status == FLOC_OK) status = fields_check_value(own->env, &arguments_bond_add, "area", area);
  if (status != FLOC_OK) return status;
  int64_t i = particles_find(table, id_i), j = particles_find(table, id_j);
  double strain = strain_between(table, box, i, j), breaking = own->options.bond_breaking;
  const double least = breaking * (1.0 - own->options.bond_strength_spread);
  if (!(strain < least))
    return refuse(own->env, FLOC_INVALID_ARGUMENT, "particles %lld and %lld are at strain %g; %s breaks at %g",
                  (long long)id_i, (long long)id_j, strain, least < breaking ? "the weakest bond" : "a bond",
                  least);
  size_t count = (size_t)table->count;
  status = array_reserve(own->env, (void **)&own->staging, &own->staging_capacity, count, sizeof(double));
  if (status != FLOC_OK) return status;
  EACH_SLOT(k, table) own->staging[k] = breaking * table->column[COLUMN_radius][k];
  bool rebuilt;
  status = neighbors_update(own->near, table, obstacles, box, own->staging, 0.0, &rebuilt);
  if (status != FLOC_OK) return status;
  const pair_list *pairs = neighbors_pairs(own->near);
  memory_view memory = element_memory(own, pairs);
  int64_t entry = entry_of(pairs, table, id_i, id_j);
  if (entry >= 0) memory.bond[entry] = area;
  return FLOC_OK;
}

floc_status discrete_element_remove_bond(scheme *method, const particles *table, int64_t id_i, int64_t id_j)
{
  discrete_element *own = method->state;
  floc_status status = check_ends(own, table, id_i, id_j);
  if (status != FLOC_OK) return status;
  const pair_list *pairs = neighbors_pairs(own->near);
  memory_view memory = element_memory(own, pairs);
  int64_t entry = pairs->count > 0 ? entry_of(pairs, table, id_i, id_j) : -1;
  if (entry < 0 || memory.bond[entry] == 0.0)
    return refuse(own->env, FLOC_NOT_FOUND, "particles %lld and %lld have no bond", (long long)id_i,
                  (long long)id_j);
  memory.bond[entry] = 0.0;
  own->counters.bonds_broken += 1.0;
  return FLOC_OK;
}

static int compare_bonds(const void *a, const void *b)
{
  const floc_bond *one = a, *other = b;
  if (one->id_i != other->id_i) return one->id_i < other->id_i ? -1 : 1;
  return one->id_j < other->id_j ? -1 : one->id_j > other->id_j;
}

static const double *areas_of(const neighbors *near)
{
  for (int32_t k = 0; k < neighbors_memory_count(near); k++)
    if (strcmp(neighbors_memory_name(near, k), BOND_AREA) == 0) return neighbors_pairs(near)->memory[k];
  return NULL;
}

int64_t bonds_list(const neighbors *near, const particles *table, const domain *box, floc_bond *bonds,
                   int64_t capacity)
{
  const pair_list *pairs = neighbors_pairs(near);
  const double *area = areas_of(near);
  int64_t count = 0;
  for (int64_t k = 0; area && k < pairs->count; k++) {
    if (!(area[k] > 0.0)) continue;
    if (count++ >= capacity) continue;
    int64_t i = pairs->first[k], j = pairs->second[k], a = table->id[i], b = table->id[j];
    bonds[count - 1] = (floc_bond){.struct_size = sizeof *bonds,
                                   .id_i = a < b ? a : b,
                                   .id_j = a < b ? b : a,
                                   .area = area[k],
                                   .strain = strain_between(table, box, i, j)};
  }
  if (count <= capacity && count > 0) qsort(bonds, (size_t)count, sizeof *bonds, compare_bonds);
  return count;
}
