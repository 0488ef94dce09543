/*
 * Numbers of pairs of materials: friction of rubber on glass. One table per quantity; it is one number for all
 * pairs, which costs no look-up, or the host's function gives it, asked once per pair when the pair is first seen
 * and before the loops that need it; what it said travels in checkpoints.
 *
 * Memory: materials below DENSE_MATERIALS have an array [DENSE_MATERIALS][DENSE_MATERIALS], symmetric, NaN where
 * the host has not been asked; the others are few, in a row sorted by (first, second).
 */
#ifndef FLOC_CONTACTS_PROBLEM_MATERIALS_H
#define FLOC_CONTACTS_PROBLEM_MATERIALS_H

#include "base/fields.h"
#include "base/section.h"
#include "geometry/bodies.h"
#include "particles/particles.h"

enum { DENSE_MATERIALS = 64 };

typedef struct material_value {
  int32_t first, second; /* first <= second */
  double value;
} material_value;

/* The host's function: one for many quantities, or gamma_min's of its own. */
typedef struct material_function {
  floc_pair_function pair;
  floc_material_function single;
  void *context;
} material_function;

typedef struct material_table {
  const char *name; /* of the quantity */
  number_range range;
  double uniform; /* where there is no function */
  material_function ask;
  double *dense;
  material_value *known; /* of pairs with a material from DENSE_MATERIALS on */
  int32_t known_count;
  size_t known_capacity;
} material_table;

/* The range of a quantity, from the declaration of the option that is one number for all. */
number_range material_range(const struct_fields *options, const char *quantity);

static inline bool material_is_uniform(const material_table *table)
{
  return !table->ask.pair && !table->ask.single;
}

/* The function gives those of `tables` whose names stand in `names`, separated by spaces; NULL: none. */
floc_status material_choose(environment *env, const char *names, material_function ask, material_table *tables,
                            int32_t count);
/* The least number above 0 of the pairs that have been seen; infinite: there is none. */
double material_least(const material_table *table);
void material_table_free(material_table *table, environment *env);

/* The number of a pair that may be new: asks the host. FLOC_INVALID_ARGUMENT with the materials, the value and its
 * range where that is out of it. */
floc_status material_ask(material_table *table, environment *env, int32_t first, int32_t second, double *value);
/* The number of a pair; NaN: the host has not been asked. */
double material_pair(const material_table *table, int32_t first, int32_t second);

/* Sides of contacts: particles, or (second < 0) shapes of bodies. */
typedef struct material_sides {
  const particles *table;
  const bodies *obstacles;
  const int32_t *first, *second, *shape;
} material_sides;

/* Material of a particle (the column; 0 without it); -1: what the column has is no material. */
int32_t material_of_particle(const particles *table, int64_t slot);
int32_t material_of_shape(const bodies *obstacles, int32_t number);
/* Refuses a particle whose column has no material. */
floc_status material_check(const particles *table, int64_t slot);
/* Writes the number of every contact to values[count]; asks the host for pairs that are new. The table is not
 * uniform. */
floc_status material_fill(material_table *table, environment *env, const material_sides *sides, int64_t count,
                          double *values);

/* What the host said, as rows (quantity, first, second, value) in `rows`; quantities are told apart by their place
 * in `tables`. rows NULL: counts. */
int64_t material_rows(const material_table *const *tables, int32_t table_count, double *rows);
/* Takes rows back. FLOC_DAMAGED_FILE; FLOC_STRUCTURE_MISMATCH where a quantity is one number here. */
floc_status material_restore(material_table *const *tables, int32_t table_count, environment *env,
                             const section *rows);
enum { MATERIAL_ROW = 4 };

#endif
