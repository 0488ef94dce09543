/*
 * What the files of this module share.
 *
 * One idea carries everything: each particle has a bound b_i, and its extent is e_i = R_i + b_i. A pair is
 * listed if the balls of radius e_i and e_j around the centres meet, a particle and a shape if the ball of
 * radius e_i + margin of the body meets the shape. With effective reach rho_i = max(range/2, reach_i) and
 * the way d_i that a particle has gone since the list was built, the list is complete as long as
 *
 *     d_i + rho_i <= b_i   for every particle   and   shift <= margin   for every body,
 *
 * because max(range, reach_i + reach_j) <= rho_i + rho_j, and distances shrink by at most d_i + d_j. So
 * b_i = rho_i + margin_i, one margin per particle: a fast particle has a long list, the others do not
 * (skin.c chooses the margins). Growth of reach and range is covered by the same test.
 *
 * Who does what:
 *   skin.c       margins, the survey of a rebuild; skin_check.c: the test above; escaped.c: a re-check of those
 *                who fail it
 *   grid.c       particles sorted by cell, one grid per level of extents (levels.c)
 *   search.c     pairs from the grids
 *   walls.c      particles and shapes from the grids
 *   pair_list.c  a list with its memory: rows, merge of old and new, new names of slots
 *   neighbors.c  the order of the above; state.c: checkpoints; order.c: storage order
 *   cell_grid.c  the grid that grows point by point; shares nothing with the others
 */
#ifndef FLOC_NEIGHBORS_INTERNAL_H
#define FLOC_NEIGHBORS_INTERNAL_H

#include "neighbors/neighbors.h"
#include "particles/affine.h"

/* ---- grids ---- */

enum {
  LEVEL_LIMIT = 48, /* size levels */
  GRID_SPARE = 4,   /* places behind the last that may be read */
  BIN_LIMIT = 192   /* classes of extents from which levels are made: four per octave */
};

/* One axis of a grid. A coordinate x lies in cell floor((x - origin) * inverse) - base; cells are mapped to
 * `count` buckets, round and round where there are more cells than buckets (cyclic). */
typedef struct grid_axis {
  double origin;
  double inverse; /* 1 / width of a cell */
  double width;
  int64_t base;
  int64_t cells; /* a multiple of count on periodic axes */
  int64_t count;
  bool cyclic;
} grid_axis;

typedef struct grid_level {
  int64_t particle_count;
  double extent;             /* greatest of the level */
  double lower[3], upper[3]; /* box of the centres */
  grid_axis axis[3];         /* buckets are numbered with axis 0 fastest */
  int64_t offset;            /* of the first bucket */
  int64_t bucket_count;
} grid_level;

/* Particles sorted by level and bucket; within a bucket by slot. */
typedef struct grid {
  int32_t dimension;
  int32_t level_count; /* level 0 is the finest */
  grid_level level[LEVEL_LIMIT];
  int64_t first_bin; /* see levels.c */
  int32_t bin_count;
  uint8_t level_of_bin[BIN_LIMIT];
  int64_t bucket_count;
  int32_t *start;    /* [bucket_count + 1] first place of each bucket */
  int32_t *bucket;   /* [particles] bucket of each slot */
  int32_t *slot;     /* [particles + GRID_SPARE] slot at each place */
  double *column[4]; /* [particles + GRID_SPARE] each, in `point`: position (within the box) by axis; then, at
                        [dimension], extent */
  double *point;
  size_t start_capacity, bucket_capacity, slot_capacity, point_capacity;
} grid;

/* What a grid is made from. */
typedef struct grid_input {
  environment *env;
  const domain *box;
  int64_t count;
  const double *position[3]; /* [2] unused in two dimensions */
  const double *radius;
  const double *bound;
  double slack; /* see particle_extent */
  double extent_least, extent_greatest;
  double lower[3], upper[3]; /* of the centres, moved back into the box */
} grid_input;

/* Radius of the ball that stands for a particle in searches. What is added covers rounding: of
 * distances and of common displacements, relative to the extent, and of shifts by a period, relative to the
 * box. */
static inline double particle_extent(double radius, double bound, double slack)
{
  return (radius + bound) * (1.0 + 1e-9) + slack;
}

/* Cell of a coordinate. Monotone in x, also in floating point: so a search from x - h to x + h misses
 * nothing, wherever the origin is. */
static inline int64_t grid_cell(const grid_axis *axis, double x)
{
  static const double farthest = 0x1p52;
  double cell = (x - axis->origin) * axis->inverse;
  cell = cell < -farthest ? -farthest : cell > farthest ? farthest : cell;
  int64_t whole = (int64_t)cell;
  return whole - (cell < (double)whole) - axis->base;
}

static inline int64_t grid_bucket(const grid_axis *axis, int64_t cell)
{
  if (cell >= 0 && cell < axis->count) return cell;
  int64_t rest = cell % axis->count;
  return rest < 0 ? rest + axis->count : rest;
}

/* Bucket of a point of a level, counted from the level's first. Rounding may put a point at the upper face
 * of a periodic box into a cell that does not exist. */
static inline int64_t grid_place(const grid_level *level, int32_t dimension, const double x[3])
{
  int64_t bucket = 0;
  for (int a = dimension - 1; a >= 0; a--) {
    const grid_axis *axis = &level->axis[a];
    int64_t cell = grid_cell(axis, x[a]);
    bucket = bucket * axis->count + grid_bucket(axis, cell < axis->cells ? cell : axis->cells - 1);
  }
  return bucket;
}

/* Class of an extent, four per octave. */
static inline int64_t extent_bin(double extent)
{
  union {
    double number;
    uint64_t bits;
  } view = {extent};
  return (int64_t)(view.bits >> 50);
}

static inline int32_t grid_level_of(const grid *cells, double extent)
{
  if (cells->level_count == 1) return 0;
  int64_t bin = extent_bin(extent) - cells->first_bin;
  return cells->level_of_bin[bin < 0 ? 0 : bin];
}

void grid_free(grid *cells, environment *env);
/* Sorts all particles. On failure the arrays hold nothing of use. */
floc_status grid_build(grid *cells, const grid_input *input);
/* Shapes the axes of a level for its box, extent and particle count. */
void grid_shape_level(grid_level *level, int32_t dimension, const domain *box);
/* Chooses the levels: level_count, level_of_bin, and extent, particle_count and box of each. */
void grid_choose_levels(grid *cells, const grid_input *input);

/* ---- lists ---- */

/* A list as others see it, and the next one while it is made. The old one stays whole until
 * list_commit(), which cannot fail. */
typedef struct list_store {
  pair_list view;
  int64_t rows; /* particles that the view was made for */
  size_t first_capacity, second_capacity, start_capacity, incoming_capacity, incoming_start_capacity;
  size_t memory_capacity[MEMORY_LIMIT];
  int32_t *next_second; /* [next_count] in scratch memory; NULL: the present ones have them already */
  int64_t *next_start;  /* [rows + 1] likewise */
  int64_t next_count;
  bool unchanged; /* the next list is empty, as the view is: nothing is exchanged */
  size_t next_second_capacity;
} list_store;

void list_free(list_store *list, environment *env);
/* Makes space for a commit of the next list with `rows` rows; wants_incoming for pairs. */
floc_status list_prepare(list_store *list, environment *env, int64_t rows, int32_t memory_count,
                         bool wants_incoming);
/* The next list becomes the present one; memory of entries that stay goes along. */
void list_commit(list_store *list, const environment *env, int64_t rows, int32_t memory_count);
/* `first` from start, and what follows from first and second. */
void list_complete(list_store *list, const environment *env, bool has_incoming);
/* Space for the starts of the next list's rows, if there is none; what is in it is not known. */
floc_status list_reserve_starts(list_store *list, arena *scratch, int64_t rows);
/* Space for `needed` entries of the next list; what is written stays. */
floc_status list_reserve_next(list_store *list, arena *scratch, int64_t needed);
/* New slots: row k of the new list was row order[k]; `inverse` is the inverse of order. Pairs get their
 * ends in order again. Scratch: see list_rename_scratch(). */
void list_rename(list_store *list, const environment *env, int64_t rows, const int32_t *order,
                 const int32_t *inverse, bool pairs, int32_t memory_count, double *scratch);
/* Entries whose first or second is -1 now go, with the rows of the former; the others get their new numbers. NULL:
 * the numbers stay. */
void list_remove(list_store *list, const environment *env, const int32_t *new_first, const int32_t *new_second,
                 bool has_incoming, int32_t memory_count);
/* Gives back what is far more than the present list needs. */
void list_trim(list_store *list, environment *env, int32_t memory_count);
/* Doubles of scratch that list_rename() needs. */
size_t list_rename_scratch(const list_store *list, int64_t rows);

/* ---- the skin ---- */

static const double NEVER_SORTED = 2.0; /* no share */

/* What decides about the next rebuild. Travels in checkpoints. */
typedef struct skin {
  double floor;        /* least margin of a particle, length */
  double horizon;      /* updates that the margin of a fast particle should last */
  double length;       /* mean radius when the list was first built; bounds floor */
  double baseline;     /* Fraction of far entries right after the last sorting; NEVER_SORTED before the first */
  int64_t built;       /* 1: the lists were built; 0: never */
  int64_t valid;       /* 0: invalidated */
  int64_t age;         /* updates since the lists were built */
  int64_t excess;      /* entries that a list without margins would not have (estimate) */
  int64_t far_entries; /* pairs whose slots are far apart */
  double part;         /* of the margins, in the list being made: see skin_shorten(). No part of the state */
} skin;

enum { SKIN_NUMBERS = 4, SKIN_COUNTERS = 5 };

typedef struct body_reference {
  pose at; /* pose next when the lists were built */
  double margin;
} body_reference;

typedef enum rebuild_cause {
  REBUILD_NOT = 0,
  REBUILD_FORCED,  /* first list, invalidated, other counts */
  REBUILD_BROKEN,  /* somebody went beyond the margin */
  REBUILD_WASTEFUL /* margins turned out far too long */
} rebuild_cause;

/* See kept.c. */
typedef struct kept_lists {
  bool is_kept;      /* a step began */
  bool may_be_asked; /* the host may give it up */
  bool is_taken;     /* neighbors_sections() is for `list` */
  bool lists;        /* `list` and `bytes` are those of its beginning */
  skin began;
  int64_t particle_count;
  int32_t shape_count;
  section_list list;
  unsigned char *bytes;
  size_t capacity;
} kept_lists;

struct neighbors {
  environment *env;
  int32_t dimension;
  bool narrow;             /* the search keeps to the form for any processor, for tests; the results are the same */
  int64_t patch_particles; /* see neighbors_set_patches() */
  int32_t memory_count;
  char memory_name[MEMORY_LIMIT][MEMORY_NAME_SIZE];
  bool memory_turns[MEMORY_LIMIT];    /* see neighbors_turn_memory */
  bool memory_is_spare[MEMORY_LIMIT]; /* see neighbors_spare_memory */
  list_store pairs, walls;
  grid cells;
  skin skin;
  int64_t left_out;       /* of the last swept lists, see neighbors_left_out() */
  int64_t made;           /* lists since this was created; no part of the state */
  int64_t particle_count; /* that the lists were built for */
  int32_t body_count, shape_count;
  double *reference[4]; /* [particle_count] positions when the lists were built; [3]: radii */
  bool radii_known;     /* reference[3] is filled; else they are the table's, which none has changed */
  bool radii_changed;   /* the host has: growth counts as way */
  double *bound;        /* [particle_count] b */
  double *margin;       /* [particle_count] b - rho at that time */
  double *next_bound;   /* [particles] of the list being made, in scratch memory */
  double *cover;    /* [particle_count] effective reach that the list allows; where `covered`, of the last update */
  int32_t *escaped; /* [particle_count] slots beyond their covers, block by block; see skin_check.c */
  domain reference_box; /* when the lists were built; dimension 0: that of the next update */
  bool box_deforms;     /* an update has been for a box that moves or is skew */
  double box_numbers[8];
  affine_field common; /* of the last update, where covers are without it */
  bool covered;
  bool covered_in_common; /* covers are without the common motion */
  bool grid_stands;       /* `cells` are those of the list: references and bounds */
  bool moved_in_common;   /* at the last test, so that it comes first; no decision depends on it */
  size_t reference_capacity[4], bound_capacity, margin_capacity, cover_capacity, escaped_capacity;
  body_reference *body; /* [body_count] */
  body_reference *next_body;
  size_t body_capacity, next_body_capacity;
  /* Where lists are made: what others own and have no use for meanwhile, see neighbors_share_scratch(), or `own`,
   * which has memory only then. */
  arena own, *scratch;
  /* search.c: output of blocks, in scratch memory; pairs found from the finer side, likewise */
  int32_t *stage;
  int64_t stage_room, stage_size; /* of all; of a block, as long as was needed of late */
  int32_t *cross, *cross_sorted;  /* [cross_count][2] first and second; the second, by first */
  int64_t *cross_start;
  int64_t cross_count, cross_room, cross_most; /* the last: places that were needed at most */
  /* walls.c: what was found, shape by shape */
  int32_t *found_slot, *found_shape;
  size_t found_slot_capacity, found_shape_capacity;
  int64_t found_count;
  /* state.c: tables of neighbors_sections */
  double *staging;
  size_t staging_capacity;
  double numbers[SKIN_NUMBERS];
  int64_t counters[SKIN_COUNTERS + 4];
  kept_lists kept;
};

/* An update's arguments. */
typedef struct update {
  neighbors *all;
  const particles *table;
  const bodies *obstacles; /* never NULL */
  const domain *box;
  const double *reach;
  double half_range;
  double slack;
  const pair_sweep *sweep; /* or NULL */
  bool same_positions;     /* as in the update before */
  bool moves_in_common;    /* `common` is taken out of the displacements */
  bool deformed;           /* the box is not the upright one of the lists' time: `common` is its deformation */
  affine_field common;
} update;

/* Of the present list: what it would hold without margins. */
static inline double needed_entries(const neighbors *all)
{
  const int64_t needed = all->pairs.view.count - all->skin.excess;
  return needed > 0 ? (double)needed : 0.0;
}

/* Effective reach; a NaN comes through. */
static inline double effective_reach(double reach, double half_range)
{
  return !(reach <= half_range) ? reach : half_range;
}

/* From centre i to centre j; returns the square of the distance. */
static inline double pair_separation(const update *step, int64_t i, int64_t j, double separation[3])
{
  double squared = 0.0;
  if (domain_is_skew(step->box)) return particles_apart(step->table, step->box, i, j, separation);
  for (int a = 0; a < step->all->dimension; a++) {
    const double *x = step->table->column[COLUMN_x + a];
    separation[a] = domain_shortest(step->box, a, x[j] - x[i]);
    squared += separation[a] * separation[a];
  }
  return squared;
}

/* Before the first list of a step replaces the present one; see kept.c. */
floc_status kept_take_lists(neighbors *all);
void kept_free(neighbors *all);

/* Is the box another one than when the lists were built, or skew? */
bool skin_is_deformed(const neighbors *all, const domain *box);
/* Must the lists be rebuilt? */
rebuild_cause skin_check(update *step);
/* Are all neighbours of the particles beyond their covers (`escaped`, their number) listed? */
bool escaped_are_listed(const update *step, int64_t count);
/* Work of making a list, in units of what an entry costs per update. */
double skin_rebuild_work(const neighbors *all);
/* How far a body's shapes may be from where they were at this pose. */
double skin_body_way(const bodies *obstacles, int32_t number, const pose *from);
/* `changed` gets the skin to take over when the list is made, next_body the margins of all bodies. */
floc_status skin_choose(const update *step, rebuild_cause cause, skin *changed);
/* Bounds of all particles (next_bound) for the list that is to be made, and the grid's input. */
floc_status skin_survey(const update *step, const skin *changed, grid_input *input);
/* The list became longer than skin_most_entries() with the margins of `changed`: shorter ones. false: they are as
 * short already as makes a difference. */
bool skin_shorten(skin *changed);
/* Pairs that margins may lengthen a list to. */
int64_t skin_most_entries(const neighbors *all, int64_t rows);
/* The grid's input of the present list, from its references and bounds. */
floc_status skin_present_input(const update *step, grid_input *input);
/* References and margins of the list that was made. */
void skin_commit(const update *step, const skin *changed);
/* Estimates the entries that are there only because of margins. */
int64_t skin_excess(const update *step);

/* most: ends once there are more pairs than that, which sets *too_many. */
floc_status search_pairs(const update *step, const grid_input *input, int64_t most, bool *too_many);
/* Slots whose balls in the grid meet a ball; returns how many, or -1 if they do not fit. */
int64_t search_ball(const update *step, const double x[3], double extent, int32_t *found, int64_t room);
floc_status search_walls(const update *step, int64_t *excess);

/* Number of pairs whose slots are far apart, and the distance that counts as far. */
int64_t order_far_entries(const neighbors *all);

#endif
