/*
 * Random numbers without state: Philox4x64 (philox.h). The seed is the key; the counter holds what
 * the number is for: particle id, step, purpose and index. The same question always gets the same
 * answer, in any order and on any thread, so nothing of a random stream needs to be stored.
 */
#ifndef FLOC_BASE_NUMBERS_RANDOM_H
#define FLOC_BASE_NUMBERS_RANDOM_H

#include <stdint.h>

/* What a number is drawn for; values are part of the determinism contract: append only. */
typedef enum random_purpose {
  RANDOM_POSITION = 1,
  RANDOM_RADIUS = 2,
  RANDOM_VELOCITY = 3,
  RANDOM_NOISE = 4,
  RANDOM_RAY = 5,
  RANDOM_SOLVER = 6,
  RANDOM_SCRIPT = 7,
  RANDOM_LAW_UNIFORM = 8,
  RANDOM_LAW_NORMAL = 9,
  RANDOM_ANGLE = 10,
  RANDOM_BOND = 11
} random_purpose;

/* Four independent numbers, uniform in the open interval (0, 1). */
void random_uniform4(uint64_t seed, uint64_t id, uint64_t step, random_purpose purpose, uint64_t index,
                     double out[4]);
/* Four independent numbers of the standard normal distribution (Box and Muller). */
void random_normal4(uint64_t seed, uint64_t id, uint64_t step, random_purpose purpose, uint64_t index,
                    double out[4]);

#endif
