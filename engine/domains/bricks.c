/*
 * The lattice of bricks, and their order along Hilbert's curve. See bricks.h.
 */
#include "domains/bricks.h"

#include <assert.h>

brick_lattice bricks_make(const domain *box, double width)
{
  assert(width > 0.0 && !domain_deforms(box));
  brick_lattice lattice = {.dimension = box->dimension};
  for (int axis = 0; axis < box->dimension; axis++) {
    const double length = box->length[axis];
    lattice.periodic[axis] = length > 0.0;
    lattice.finest[axis] = width;
    lattice.bits[axis] = BRICK_BITS;
    if (!lattice.periodic[axis]) continue;
    int32_t bits = 0;
    while (bits < BRICK_BITS && length / (double)(UINT64_C(2) << bits) >= width) bits++;
    lattice.origin[axis] = box->lower[axis];
    lattice.finest[axis] = length / (double)(UINT64_C(1) << bits);
    lattice.bits[axis] = bits;
  }
  return lattice;
}

brick_lattice bricks_at_level(brick_lattice lattice, int32_t level)
{
  lattice.level = level;
  for (int axis = 0; axis < lattice.dimension; axis++)
    lattice.shift[axis] = (level + lattice.dimension - 1 - axis) / lattice.dimension;
  for (int axis = 0; axis < lattice.dimension; axis++)
    if (lattice.shift[axis] > lattice.bits[axis]) lattice.shift[axis] = lattice.bits[axis];
  return lattice;
}

int32_t bricks_top(const brick_lattice *lattice)
{
  return lattice->dimension * BRICK_BITS;
}

uint64_t brick_parent(const brick_lattice *lattice, uint64_t brick)
{
  const brick_lattice next = bricks_at_level(*lattice, lattice->level + 1);
  uint64_t parent = 0;
  for (int axis = 0; axis < lattice->dimension; axis++)
    parent |= (uint64_t)brick_place(brick, axis) >> (next.shift[axis] - lattice->shift[axis])
                                                        << (BRICK_BITS * axis);
  return parent;
}

int32_t brick_parity(const brick_lattice *lattice, uint64_t brick)
{
  int32_t parity = 0;
  for (int axis = 0; axis < lattice->dimension; axis++) parity |= (brick_place(brick, axis) & 1) << axis;
  return parity;
}

/* Turns and mirrors the parts of the curve into place, from the greatest part down to the smallest. */
static void turn_parts(uint32_t place[3], int dimension)
{
  for (uint32_t bit = UINT32_C(1) << (BRICK_BITS - 1); bit > 1; bit >>= 1) {
    const uint32_t lower = bit - 1;
    for (int axis = 0; axis < dimension; axis++) {
      const uint32_t swapped = place[axis] & bit ? 0 : (place[0] ^ place[axis]) & lower;
      if (place[axis] & bit) place[0] ^= lower;
      place[0] ^= swapped;
      place[axis] ^= swapped;
    }
  }
}

uint64_t brick_along_curve(const brick_lattice *lattice, uint64_t brick)
{
  const int dimension = lattice->dimension;
  uint32_t place[3] = {0, 0, 0}, mirrored = 0;
  for (int axis = 0; axis < dimension; axis++) place[axis] = (uint32_t)brick_place(brick, axis);
  turn_parts(place, dimension);
  for (int axis = 1; axis < dimension; axis++) place[axis] ^= place[axis - 1]; /* Gray code */
  for (uint32_t bit = UINT32_C(1) << (BRICK_BITS - 1); bit > 1; bit >>= 1)
    if (place[dimension - 1] & bit) mirrored ^= bit - 1;
  for (int axis = 0; axis < dimension; axis++) place[axis] ^= mirrored;
  uint64_t along = 0;
  for (int bit = BRICK_BITS - 1; bit >= 0; bit--)
    for (int axis = 0; axis < dimension; axis++) along = along << 1 | (place[axis] >> bit & 1);
  return along;
}
