/*
 * What the two forms of the fast pair loop share: discrete_element/plain.c has the loop and the form for one
 * contact, which any processor can do; discrete_element/wide.c does four side by side on those with AVX2. Every
 * operation is the same and in the same order, so both give the same bits.
 */
#ifndef FLOC_SCHEMES_DISCRETE_ELEMENT_PLAIN_H
#define FLOC_SCHEMES_DISCRETE_ELEMENT_PLAIN_H

#include "laws/pairs/particle_rows.h"
#include "schemes/discrete_element/law.h"

#include <math.h>

enum { CHUNK = 256 };

/* Constants of a pass. */
typedef struct plain_pass {
  evaluation *run;
  const pair_list *pairs;
  const element *at;
  push *pushes;
  double *spring[3];
  int32_t axes; /* of springs: 2 or 3, without friction 0 */
  uint8_t *touched;
  const int32_t *foreign;
  const int64_t *foreign_start; /* [blocks + 1] */
  bool has_fields;              /* sums hold the fields from the start */
  /* Of Hooke's law. Of Hertz's `stiffness` is 4/3 E*, and the others are per area of contact pi R* overlap. */
  double stiffness, damping, tangential_stiffness, tangential_damping, friction;
  bool hertz;
  double step;
  double length[3], inverse[3];
  bool periodic;
  bool slick; /* no friction: no torques, `touched` is not looked at */
  bool wide;  /* four contacts side by side */
} plain_pass;

/* Contacts of a chunk, column by column. */
typedef struct plain_chunk {
  int32_t count;
  int32_t entry[CHUNK];
  int32_t first[CHUNK], second[CHUNK];
  double x[CHUNK], y[CHUNK], z[CHUNK], square[CHUNK];
  double sum[CHUNK], difference[CHUNK]; /* of the radii */
} plain_chunk;

/* A pair has come apart. */
static inline void clear_spring(const plain_pass *pass, int64_t entry)
{
  for (int32_t axis = 0; axis < pass->axes; axis++) pass->spring[axis][entry] = 0.0;
}

/* The greatest overlap in radii of the smaller particle; roots are taken only where it grows. */
static inline void note_overlap(const plain_pass *pass, const plain_chunk *chunk, int32_t k, double *greatest)
{
  double a = pass->at[chunk->first[k]].radius, b = pass->at[chunk->second[k]].radius, radius = a < b ? a : b;
  double allowed = chunk->sum[k] - *greatest * radius; /* distance at which it would be as great as before */
  if (allowed > 0.0 && chunk->square[k] >= allowed * allowed) return;
  *greatest = (chunk->sum[k] - sqrt(chunk->square[k])) / radius;
}

/* The functions below may be called only where processor_is_wide(). */
/* Sifts the entries of the list [from, to) in fours, with what follows for `touched` and springs unless they are to
 * stay as they are. The first entry that was not looked at. */
int64_t element_sift_wide(const plain_pass *pass, int64_t from, int64_t to, bool stays, plain_chunk *chunk);
/* Forces of the chunk's contacts in fours. Own: on both particles as far as they come before slot `end`, springs,
 * and the greatest overlap; else on the second particle alone. The first contact that was not looked at. */
int32_t element_settle_wide(const plain_pass *pass, const plain_chunk *chunk, int64_t end, double *greatest);
int32_t element_settle_foreign_wide(const plain_pass *pass, const plain_chunk *chunk);
/* The same forces for somebody who looks at the entries from `begin` on; nothing changes. */
int32_t element_look_wide(const plain_pass *pass, const plain_chunk *chunk, int64_t begin, look_block *to);

#endif
