/*
 * Bricks: space cut into boxes of one size, so that work can be cut by where things are and not by the order in
 * which they are stored.
 *
 * Which brick holds a point is a function of the point and of the lattice, and of nothing else. The lattice begins
 * at 0 on open axes and at the lower face on periodic ones. Lattices are nested: one of level l + 1 has bricks
 * twice as long along one axis, 0 first, then 1, and so on, so that each level doubles what a brick holds, and a
 * brick is at most twice as long as wide. At level 0 a brick is `finest` wide on open axes. Periodic axes are cut
 * into 2^k bricks at least that wide, so that there is an even number of them around, or one.
 *
 * Bricks have a parity: for each axis whether their place along it is even or odd, a number below 2^dimension. Of
 * two bricks of the same parity a whole brick lies between, also around a periodic axis, unless there is one alone
 * around; so what reaches less than half a brick far from each of them does not meet.
 *
 * Their order is that of Hilbert's curve (by J. Skilling's transform, AIP Conf. Proc. 707 (2004) 381): a part of it
 * is a compact piece of space, and neighbours in the order are neighbours in space.
 *
 * Points beyond 2^20 finest bricks from 0 belong to the outermost ones.
 */
#ifndef FLOC_DOMAINS_BRICKS_H
#define FLOC_DOMAINS_BRICKS_H

#include "base/domain.h"

#include <stdint.h>

enum { BRICK_BITS = 21 }; /* of a place along an axis */

typedef struct brick_lattice {
  int32_t dimension;
  int32_t level;
  double finest[3]; /* length of a brick of level 0 */
  double origin[3];
  int32_t bits[3];  /* there are at most 2^bits bricks of level 0 along the axis */
  int32_t shift[3]; /* how often a brick of this level is twice as long as one of level 0 */
  bool periodic[3];
} brick_lattice;

/* Bricks of level 0 are at least that wide: > 0 and finite. A box that deforms has none. */
brick_lattice bricks_make(const domain *box, double width);
/* The same lattice at another level, from 0 to bricks_top(). */
brick_lattice bricks_at_level(brick_lattice lattice, int32_t level);
/* From here on there is one brick. */
int32_t bricks_top(const brick_lattice *lattice);
/* Length of a brick along an axis. */
static inline double bricks_side(const brick_lattice *lattice, int axis)
{
  return lattice->finest[axis] * (double)(UINT64_C(1) << lattice->shift[axis]);
}

/* The number of a brick: its places along the axes, BRICK_BITS of each. */
static inline int32_t brick_place(uint64_t brick, int axis)
{
  return (int32_t)(brick >> (BRICK_BITS * axis) & ((UINT64_C(1) << BRICK_BITS) - 1));
}

/* The brick of a point; coordinates of periodic axes may be outside of the box. What is not a number is in the
 * first one. */
static inline uint64_t brick_of(const brick_lattice *lattice, const domain *box, const double position[3])
{
  uint64_t brick = 0;
  for (int axis = 0; axis < lattice->dimension; axis++) {
    double x = (domain_wrap(box, axis, position[axis]) - lattice->origin[axis]) / lattice->finest[axis];
    const double last = (double)((UINT64_C(1) << lattice->bits[axis]) - 1);
    if (!lattice->periodic[axis]) x = floor(x) + (double)(UINT64_C(1) << (BRICK_BITS - 1));
    x = x > 0.0 ? x : 0.0;
    brick |= (uint64_t)(x < last ? x : last) >> lattice->shift[axis] << (BRICK_BITS * axis);
  }
  return brick;
}

/* Of what brick it is a part at the next level. */
uint64_t brick_parent(const brick_lattice *lattice, uint64_t brick);
/* Below 2^dimension. */
int32_t brick_parity(const brick_lattice *lattice, uint64_t brick);
/* Its place along the curve: bricks of one level have different ones. */
uint64_t brick_along_curve(const brick_lattice *lattice, uint64_t brick);

#endif
