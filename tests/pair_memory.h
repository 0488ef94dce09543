/*
 * The world's part of a restore: what pairs remember. Lists that were restored hold zeros until then.
 */
#ifndef FLOC_TESTS_PAIR_MEMORY_H
#define FLOC_TESTS_PAIR_MEMORY_H

#include "support.h"

#include "neighbors/neighbors.h"

static inline void copy_pair_memory(const neighbors *from, neighbors *to)
{
  const pair_list *source[2] = {neighbors_pairs(from), neighbors_walls(from)};
  const pair_list *target[2] = {neighbors_pairs(to), neighbors_walls(to)};
  for (int which = 0; which < 2; which++) {
    assert_int_equal(source[which]->count, target[which]->count);
    for (int32_t column = 0; column < neighbors_memory_count(from); column++) {
      for (int64_t k = 0; k < source[which]->count; k++) {
        assert_true(target[which]->memory[column][k] == 0.0);
        target[which]->memory[column][k] = source[which]->memory[column][k];
      }
    }
  }
}

#endif
