/*
 * Which particles and shapes are near each other, in linear time, and what a pair remembers.
 *
 * neighbors_update() guarantees that `pairs` holds every pair of particles whose surface distance is at
 * most max(range, reach[i] + reach[j]), and `walls` every particle and shape (at the bodies' pose next)
 * whose surface distance is at most reach[i]. The lists are built with a skin and reused as long as no particle has
 * moved too far; they may hold more than was asked for.
 *
 * Memory: a list is sorted by (first, second); start[i] .. start[i+1]-1 are the entries of particle i.
 * Pair memory is a set of columns beside the entries (gluey gamma, the last impulse, ...). When a list
 * is rebuilt, entries that are in both keep their values (a merge of two sorted rows: linear), new ones
 * start at 0.
 */
#ifndef FLOC_NEIGHBORS_NEIGHBORS_H
#define FLOC_NEIGHBORS_NEIGHBORS_H

#include "base/arena.h"
#include "base/domain.h"
#include "base/section.h"
#include "geometry/bodies.h"
#include "particles/particles.h"

enum { MEMORY_LIMIT = 96, MEMORY_NAME_SIZE = 32 };

typedef struct pair_list {
  uint64_t version; /* another one whenever entries have changed */
  int64_t count;
  int32_t *first;               /* [count] slot of the particle */
  int32_t *second;              /* [count] slot of the other particle, > first; or the shape's number */
  int64_t *start;               /* [particle count + 1] */
  int32_t *incoming;            /* [count] pairs only: entries ordered by (second, first), so that a particle
                                   can gather what others' rows hold for it without a scatter */
  int64_t *incoming_start;      /* [particle count + 1] */
  double *memory[MEMORY_LIMIT]; /* each [count] */
} pair_list;

typedef struct neighbors neighbors;

floc_status neighbors_create(environment *env, int32_t dimension, neighbors **all);
void neighbors_destroy(neighbors *all);
/* An update that makes lists takes memory here, and has given it back when it ends: what a step needs later is
 * large enough, so they do not have both. */
void neighbors_share_scratch(neighbors *all, arena *scratch);

/* Declares a column of pair memory and gives its index; the same name gives the same index. */
floc_status neighbors_add_memory(neighbors *all, const char *name, int32_t *index);
/* The column belongs to the direction from first to second, a component of a spring, say: where a new storage order
 * swaps a pair, it changes its sign. */
void neighbors_turn_memory(neighbors *all, int32_t index);
bool neighbors_memory_turns(const neighbors *all, int32_t index);
/* The first of `dimension` columns in a row that turn, as the components of a vector do; -1 if there are none. */
int32_t neighbors_turning_vector(const neighbors *all, int32_t dimension);
/* The column has space for what is being computed: between steps it is no state, and the world's hash leaves it
 * out.
 */
void neighbors_spare_memory(neighbors *all, int32_t index);
bool neighbors_memory_is_spare(const neighbors *all, int32_t index);
/* The entry of a pair in one of the lists, -1 if it is not there. first, second: any numbers. */
int64_t neighbors_find_entry(const neighbors *all, bool walls, int64_t first, int64_t second);
/* The two columns of a list change places. */
void neighbors_exchange_memory(neighbors *all, bool walls, int32_t a, int32_t b);
int32_t neighbors_memory_count(const neighbors *all);
/* Particles that the lists were made for: they have rows; 0 before the first update. */
int64_t neighbors_row_count(const neighbors *all);
/* How many times lists were made since this was created. */
int64_t neighbors_lists_made(const neighbors *all);
const char *neighbors_memory_name(const neighbors *all, int32_t index);

/* See the head of this file. *rebuilt tells whether the lists changed. reach: [particle count], >= 0. When it
 * fails, lists and memory are as they were. FLOC_NOT_A_NUMBER names a particle whose position, radius or
 * reach is not finite. */
floc_status neighbors_update(neighbors *all, const particles *table, const bodies *obstacles, const domain *box,
                             const double *reach, double range, bool *rebuilt);

/* The same, quicker, where particles are where they were at the last update, and only reach is longer. */
floc_status neighbors_update_reach(neighbors *all, const particles *table, const bodies *obstacles,
                                   const domain *box, const double *reach, double range, bool *rebuilt);

/* A step begins: neighbors_put_back() brings lists and what pairs remember back to what they are now. Where no host
 * may give a step up, lists that it makes stay, and so do their ages. */
void neighbors_keep(neighbors *all);
/* The step has failed. Needs memory only if lists were made. */
floc_status neighbors_put_back(neighbors *all);

/* Where a crowd goes many radii in one step, reach that covers everybody's way makes lists explode: two discs
 * that fall side by side never meet, however fast. Then each particle has a way that it is expected to go, and a
 * deviation that it may add in any direction; a pair can touch only if the two come as near as both deviations
 * while they go their ways. */
typedef struct pair_sweep {
  const double *way[3];     /* [particle count] each; [2] unused in two dimensions */
  const double *deviation;  /* [particle count], >= 0 */
  const double *wall_reach; /* [particle count], at least deviation: reach towards shapes */
  /* [particle count] how far corners may go by turning, of grains that are not round; NULL: all are. Which pairs
   * may touch does not depend on it: whatever they turn by, grains stay within the circles about them. */
  const double *turning;
} pair_sweep;

/* May the pair touch? separation: from centre i to centre j. */
static inline bool sweep_may_touch(const pair_sweep *sweep, int32_t i, int32_t j, const double separation[3],
                                   double contact, const int dimension)
{
  double way[3], closing = 0.0, square = 0.0, nearest = 0.0;
  for (int a = 0; a < dimension; a++) {
    way[a] = sweep->way[a][i] - sweep->way[a][j];
    closing += separation[a] * way[a];
    square += way[a] * way[a];
  }
  double part = closing <= 0.0 ? 0.0 : closing >= square ? 1.0 : closing / square; /* of the way, to the nearest */
  for (int a = 0; a < dimension; a++) {
    double left = separation[a] - part * way[a];
    nearest += left * left;
  }
  double reach = contact + sweep->deviation[i] + sweep->deviation[j];
  return !(nearest > reach * reach);
}

/* Does the linear constraint of the pair, D + G.(way of j - way of i) >= 0, forbid those ways? It knows nothing of
 * how far beside each other two particles pass, so it may for pairs that cannot touch. */
static inline bool sweep_would_hold(const pair_sweep *sweep, int32_t i, int32_t j, const double separation[3],
                                    double contact, const int dimension)
{
  double closing = 0.0, square = 0.0;
  for (int a = 0; a < dimension; a++) {
    closing += separation[a] * (sweep->way[a][i] - sweep->way[a][j]);
    square += separation[a] * separation[a];
  }
  double centres = sqrt(square);
  return closing > centres * (centres - contact);
}

/* Lists for one step of such a crowd, always rebuilt and without a skin: the pairs within range and those that
 * may touch, the walls within wall_reach. reach says where to look: for every pair that may touch,
 * reach[i] + reach[j] is at least its gap. */
floc_status neighbors_update_swept(neighbors *all, const particles *table, const bodies *obstacles,
                                   const domain *box, const double *reach, double range, const pair_sweep *sweep);
/* Pairs that the last such lists left out although their linear constraints would hold them. */
int64_t neighbors_left_out(const neighbors *all);
/* Do the lists hold, as they are, all pairs whose surface distance is at most range, and all walls within half of
 * it? Changes nothing; false where that takes more than a look at every particle's way. */
bool neighbors_hold(const neighbors *all, const particles *table, const bodies *obstacles, const domain *box,
                    double range);
const pair_list *neighbors_pairs(const neighbors *all);
const pair_list *neighbors_walls(const neighbors *all);

/* The host may have written radii since the last call: lists that stand must still hold all who are near now.
 * Before a step, before neighbors_sections() and after neighbors_restore(). */
void neighbors_see_radii(neighbors *all, const particles *table);

/* The next update rebuilds: positions, radii or bodies were changed from outside. Memory is kept. */
void neighbors_invalidate(neighbors *all);

/* How many particles a patch of the storage order holds (domains/patches.h); 0: the default. */
void neighbors_set_patches(neighbors *all, int64_t patch_particles);
/* Storage order by patch and cell, for locality: order[k] is the slot that should move to k. Then
 * particles_permute(), then neighbors_permute() with the same order (lists are renamed and sorted again,
 * memory goes along). *worthwhile says whether enough has moved since the last time; order is filled only
 * then, and taking it over with neighbors_permute() cannot fail. */
floc_status neighbors_sort_order(neighbors *all, const particles *table, const domain *box, int32_t *order,
                                 bool *worthwhile);
/* The same order, but from nothing except where particles are and how large: neither lists nor what was before. Not
 * worthwhile are few particles in one patch. */
floc_status neighbors_place_order(neighbors *all, const particles *table, const domain *box, int32_t *order,
                                  bool *worthwhile);
floc_status neighbors_permute(neighbors *all, const particles *table, const int32_t *order);

/* Particles are removed: new_slot as for particles_remove(), before that.
 * Their entries go, with what was remembered; the lists stand if they did. Needs no memory. */
void neighbors_remove(neighbors *all, const int32_t *new_slot);
/* Shapes are removed, as bodies_remove() has told: likewise. */
void neighbors_remove_shapes(neighbors *all, const int32_t *new_shape);

/* Lists everything that must travel in a checkpoint so that the run continues bit for bit: both lists,
 * reference positions of the skin and the like. None of it counts for the hash: slots and the extent
 * of lists are no physical state. What pairs remember is not among it: the world lists that by id. */
floc_status neighbors_sections(neighbors *all, section_list *list);
/* Takes over a state from sections of the same names; checks every index. FLOC_DAMAGED_FILE if they
 * contradict each other; then nothing has changed. */
floc_status neighbors_restore(neighbors *all, const section_list *list, int64_t particle_count,
                              int32_t shape_count);

/* ---- the cell grid by itself: for insertion, checks, measures ---- */

typedef struct cell_grid cell_grid;
/* A grid over points that are added one by one; cells of `cell` [length]; hashed, so unbounded. */
floc_status cell_grid_create(environment *env, int32_t dimension, const domain *box, double cell, cell_grid **grid);
void cell_grid_destroy(cell_grid *grid);
floc_status cell_grid_add(cell_grid *grid, const double position[3], double radius, int64_t number);
/* Calls visit for every point whose cell is within `distance` of position; stops when it returns false. */
typedef bool (*cell_visit)(void *context, int64_t number, const double separation[3], double radius);
bool cell_grid_visit(const cell_grid *grid, const double position[3], double distance, cell_visit visit,
                     void *context);

#endif
