/*
 * All pairs whose balls of radius e_i and e_j meet, as sorted rows.
 *
 * Slot i looks through the cells within reach in its own level and in all coarser ones. Partners with a
 * greater slot go straight into row i, which is then sorted; that is nearly free when storage is sorted by
 * cell, and it needs no sorting of the list as a whole. Partners in coarser levels with a smaller slot
 * belong to a row that has been written before: they are kept apart ("cross") and merged in at the end.
 * Because slots are visited in order, one counting sort by first slot puts the cross pairs in order.
 *
 * Blocks of slots write into a stage of their own, a wave of blocks at a time, and the stages are appended
 * to the list in the order of blocks: the result does not depend on threads. A stage holds rows from its
 * front and cross pairs from its back. If one is too small, all stages grow and its block is done again.
 *
 * In a skew box (base/domain.h) the images beyond the faces of axis 1 are shifted along axis 0. A particle near
 * such a face looks through whole rows of cells, whatever the shift: such particles and the cells of a row are each
 * about sqrt(n) in the plane, so this costs no more than the rest.
 */
#include "neighbors/internal.h"

#include "base/interruption.h"
#include "base/numbers/wide.h"
#include "base/threads/parallel.h"

#include <math.h>
#include <string.h>

enum {
  BLOCK = 512,
  WAVE = 4, /* blocks in flight, more if there are many threads */
  STAGE_PER_PARTICLE = 6,
  SHORT_ROW = 96 /* sorted by insertion: rows are a few runs of rising slots */
};

typedef struct block_result {
  int64_t row_entries, cross_pairs, candidates;
  int32_t left_out;
  bool overflow;
} block_result;

typedef struct pair_search {
  const update *step;
  const grid_input *input;
  const grid *cells;
  double half[3], length[3]; /* half a period, or infinity */
  bool skew;
  int64_t first_block;  /* of the wave */
  int64_t stage_size;   /* numbers per block */
  block_result *result; /* [blocks of the wave] */
} pair_search;

/* ---- one row ---- */

static void sift(int32_t *row, int64_t root, int64_t count)
{
  int32_t value = row[root];
  for (int64_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && row[child + 1] > row[child]) child++;
    if (row[child] <= value) break;
    row[root] = row[child];
  }
  row[root] = value;
}

static void heap_sort(int32_t *row, int64_t count)
{
  for (int64_t root = count / 2 - 1; root >= 0; root--) sift(row, root, count);
  for (int64_t last = count - 1; last > 0; last--) {
    int32_t value = row[0];
    row[0] = row[last];
    row[last] = value;
    sift(row, 0, last);
  }
}

static inline void sort_row(int32_t *row, int64_t count)
{
  if (count > SHORT_ROW) {
    heap_sort(row, count);
    return;
  }
  for (int64_t k = 1; k < count; k++) {
    int32_t value = row[k];
    int64_t at = k;
    for (; at > 0 && row[at - 1] > value; at--) row[at] = row[at - 1];
    row[at] = value;
  }
}

/* ---- the cells around a particle ---- */

/* Buckets from cell `from` to cell `to` of an axis: one run, or two where the axis is cyclic. */
typedef struct bucket_runs {
  int64_t begin[2], end[2];
  int count;
} bucket_runs;

static inline void find_runs(const grid_axis *axis, double x, double h, bucket_runs *runs)
{
  int64_t from = grid_cell(axis, x - h), to = grid_cell(axis, x + h);
  runs->count = 1;
  if (!axis->cyclic) {
    runs->begin[0] = from < 0 ? 0 : from;
    runs->end[0] = to >= axis->count ? axis->count : to + 1;
    return;
  }
  if (to - from + 1 >= axis->count) {
    runs->begin[0] = 0;
    runs->end[0] = axis->count;
    return;
  }
  int64_t begin = grid_bucket(axis, from), last = grid_bucket(axis, to);
  runs->begin[0] = begin;
  runs->end[0] = last + 1;
  if (last >= begin) return;
  runs->end[0] = axis->count;
  runs->begin[1] = 0;
  runs->end[1] = last + 1;
  runs->count = 2;
}

/* Distance at which cells are searched around x: e_i + the level's greatest extent, and what rounding of
 * cell indices needs. */
static inline double search_distance(const grid_axis *axis, double x, double distance, bool periodic)
{
  double h = distance + 1e-15 * fabs(x);
  return periodic ? h + 1e-5 * axis->width : h;
}

/* What one block writes. */
typedef struct block_output {
  int32_t *row; /* the row being written: entry `count` is next */
  int64_t count;
  int64_t room;       /* numbers left from row[0] to the cross pairs */
  int32_t *cross_end; /* cross pairs lie below, two numbers each, going down */
  int64_t cross_pairs, left_out;
  int64_t candidates; /* that were looked at */
  bool overflow;
} block_output;

typedef struct probe {
  double x[3];
  double extent;
  int32_t slot;
} probe;

/* meets() in a skew box: any image. Extents may be longer than half of the box, where the image that
 * domain_nearest() finds may be farther than one in another row. */
static bool meets_skew(const pair_search *search, const probe *at, int32_t place, const int dimension)
{
  const domain *box = search->step->box;
  double s[3] = {0.0, 0.0, 0.0}, sum = at->extent + search->cells->column[dimension][place];
  for (int a = 0; a < dimension; a++) s[a] = search->cells->column[a][place] - at->x[a];
  domain_nearest(box, s);
  const int along = domain_along(box), across = domain_across(box), rest = 3 - along - across;
  const double rows = floor(sum / box->length[across] + 0.5);
  for (double row = -rows; row <= rows; row++) {
    const double y = s[across] + row * box->length[across], way = s[along] + row * box->tilt;
    const double x = way - box->length[along] * rint(way / box->length[along]);
    if (x * x + y * y + s[rest] * s[rest] <= sum * sum) return true;
  }
  return false;
}

HOT bool meets(const pair_search *search, const probe *at, int32_t place, const int dimension, const bool periodic)
{
  double squared = 0.0;
  for (int a = 0; a < dimension; a++) {
    double separation = search->cells->column[a][place] - at->x[a];
    if (periodic) {
      separation = fabs(separation);
      if (separation > search->half[a]) separation = search->length[a] - separation;
    }
    squared += separation * separation;
  }
  double sum = at->extent + search->cells->column[dimension][place];
  return squared <= sum * sum;
}

#ifdef HAS_WIDE

/* meets() for places place .. place + 3: a bit for each. */
WIDE int meet_wide(const pair_search *search, const probe *at, int32_t place, const int dimension,
                   const bool periodic)
{
  double *const *column = search->cells->column;
  __m256d squared = _mm256_setzero_pd();
  for (int a = 0; a < dimension; a++) {
    __m256d way = _mm256_loadu_pd(&column[a][place]) - _mm256_set1_pd(at->x[a]);
    if (periodic) {
      way = _mm256_andnot_pd(_mm256_set1_pd(-0.0), way);
      __m256d beyond = _mm256_cmp_pd(way, _mm256_set1_pd(search->half[a]), _CMP_GT_OQ);
      way = _mm256_blendv_pd(way, _mm256_set1_pd(search->length[a]) - way, beyond);
    }
    squared += way * way;
  }
  __m256d sum = _mm256_set1_pd(at->extent) + _mm256_loadu_pd(&column[dimension][place]);
  return _mm256_movemask_pd(_mm256_cmp_pd(squared, sum * sum, _CMP_LE_OQ));
}

/* scan_run() in the particle's own level, four places at a time; those behind the run's end do not count. */
WIDE void scan_own_wide(const pair_search *search, const probe *at, int32_t begin, int32_t end, block_output *out,
                        const int dimension, const bool periodic)
{
  const int32_t *slot = search->cells->slot;
  int64_t count = out->count;
  for (int32_t k = begin; k < end; k += 4) {
    __m128i slots = _mm_loadu_si128((const __m128i *)&slot[k]);
    int later = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(slots, _mm_set1_epi32(at->slot))));
    int within = end - k >= 4 ? 15 : (1 << (end - k)) - 1;
    int pattern = meet_wide(search, at, k, dimension, periodic) & later & within;
    pack_numbers(&out->row[count], slots, pattern);
    count += __builtin_popcount((unsigned)pattern);
  }
  out->count = count;
}

#endif

/* Candidates of one run of places. Writing is without branches: an entry that is refused is overwritten. */
HOT void scan_run(const pair_search *search, const probe *at, int32_t begin, int32_t end, bool own,
                  block_output *out, const int dimension, const bool periodic, const bool wide)
{
  const grid *cells = search->cells;
  int64_t places = end - begin + GRID_SPARE;
  if (out->count + places * (own ? 1 : 3) > out->room) {
    out->overflow = true;
    return;
  }
#ifdef HAS_WIDE
  if (wide && own) {
    scan_own_wide(search, at, begin, end, out, dimension, periodic);
    return;
  }
#else
  (void)wide;
#endif
  int64_t count = out->count;
  for (int32_t k = begin; k < end; k++) {
    int32_t slot = cells->slot[k];
    bool near =
        periodic && search->skew ? meets_skew(search, at, k, dimension) : meets(search, at, k, dimension, periodic);
    out->row[count] = slot;
    count += near & (slot > at->slot);
    if (own || !near || slot > at->slot) continue;
    out->cross_end[-2 * out->cross_pairs - 2] = slot;
    out->cross_end[-2 * out->cross_pairs - 1] = at->slot;
    out->cross_pairs++;
    out->room -= 2;
  }
  out->count = count;
}

/* Buckets from begin to end of a row in the particle's own level. Slots rise within a bucket, and with the order of
 * storage from row to row: what has no slot behind the particle's at either end of the run is left out. */
HOT void scan_buckets(const pair_search *search, const probe *at, const int32_t *row, int64_t begin, int64_t end,
                      bool own, block_output *out, const int dimension, const bool periodic, const bool wide)
{
  const int32_t *slot = search->cells->slot;
  out->candidates += row[end] - row[begin];
  while (own && begin < end && (row[begin] == row[begin + 1] || slot[row[begin + 1] - 1] < at->slot)) begin++;
  while (own && begin < end && (row[end - 1] == row[end] || slot[row[end] - 1] < at->slot)) end--;
  if (begin < end) scan_run(search, at, row[begin], row[end], own, out, dimension, periodic, wide);
}

/* Within reach of images that are shifted? */
static bool is_near_faces(const pair_search *search, const probe *at, const grid_level *level, double distance)
{
  const domain *box = search->step->box;
  const int across = domain_across(box);
  double h = search_distance(&level->axis[across], at->x[across], distance, true);
  return at->x[across] - h < box->lower[across] || at->x[across] + h >= box->upper[across];
}

HOT void scan_level(const pair_search *search, const probe *at, const grid_level *level, bool own,
                    block_output *out, const int dimension, const bool periodic, const bool wide)
{
  bucket_runs runs[3];
  double distance = at->extent + level->extent;
  for (int a = 0; a < dimension; a++) {
    bool round = periodic && search->length[a] > 0.0;
    if (!round && (at->x[a] - distance > level->upper[a] || at->x[a] + distance < level->lower[a])) return;
    find_runs(&level->axis[a], at->x[a], search_distance(&level->axis[a], at->x[a], distance, round), &runs[a]);
  }
  if (periodic && search->skew && is_near_faces(search, at, level, distance))
    runs[domain_along(search->step->box)] =
        (bucket_runs){{0, 0}, {level->axis[domain_along(search->step->box)].count, 0}, 1};
  int layers = dimension == 3 ? runs[2].count : 1;
  for (int c = 0; c < layers; c++) {
    int64_t z_begin = dimension == 3 ? runs[2].begin[c] : 0, z_end = dimension == 3 ? runs[2].end[c] : 1;
    for (int64_t z = z_begin; z < z_end; z++) {
      for (int b = 0; b < runs[1].count; b++) {
        for (int64_t y = runs[1].begin[b]; y < runs[1].end[b]; y++) {
          const int32_t *row = search->cells->start + level->offset;
          row += (z * level->axis[1].count + y) * level->axis[0].count;
          for (int k = 0; k < runs[0].count; k++)
            if (runs[0].begin[k] < runs[0].end[k])
              scan_buckets(search, at, row, runs[0].begin[k], runs[0].end[k], own, out, dimension, periodic, wide);
        }
      }
    }
  }
}

/* ---- swept pairs ---- */

static bool is_needed(const update *step, int32_t i, int32_t j, int64_t *left_out)
{
  const double *radius = step->table->column[COLUMN_radius];
  double separation[3], squared = pair_separation(step, i, j, separation);
  double contact = radius[i] + radius[j], within = contact + 2.0 * step->half_range;
  if (squared <= within * within) return true;
  if (sweep_may_touch(step->sweep, i, j, separation, contact, step->all->dimension)) return true;
  *left_out += sweep_would_hold(step->sweep, i, j, separation, contact, step->all->dimension);
  return false;
}

/* Of the row that slot i has found, and of its cross pairs from number `first` on, only those are kept that are
 * needed. */
static void keep_needed(const update *step, int32_t i, block_output *out, int64_t first)
{
  int64_t row = 0, cross = first;
  for (int64_t k = 0; k < out->count; k++)
    if (is_needed(step, i, out->row[k], &out->left_out)) out->row[row++] = out->row[k];
  for (int64_t k = first; k < out->cross_pairs; k++) {
    int32_t other = out->cross_end[-2 * k - 2];
    if (!is_needed(step, i, other, &out->left_out)) continue;
    out->cross_end[-2 * cross - 2] = other;
    out->cross_end[-2 * cross - 1] = i;
    cross++;
  }
  out->room += 2 * (out->cross_pairs - cross);
  out->count = row;
  out->cross_pairs = cross;
}

/* ---- a block ---- */

HOT void search_block(const pair_search *search, int64_t local, const int dimension, const bool periodic,
                      const bool wide)
{
  const grid_input *input = search->input;
  const grid *cells = search->cells;
  int64_t *next_start = search->step->all->pairs.next_start;
  int32_t *stage = search->step->all->stage + local * search->stage_size;
  block_output out = {.row = stage, .room = search->stage_size - 1, .cross_end = stage + search->stage_size};
  int64_t begin = (search->first_block + local) * BLOCK;
  int64_t end = begin + BLOCK < input->count ? begin + BLOCK : input->count;
  bool given_up = false;
  for (int64_t i = begin; i < end && !out.overflow && !given_up; i++) {
    if ((i & 63) == 0) given_up = interrupted(search->step->all->env);
    probe at = {.slot = (int32_t)i, .extent = particle_extent(input->radius[i], input->bound[i], input->slack)};
    for (int a = 0; a < dimension; a++)
      at.x[a] = periodic ? domain_wrap(input->box, a, input->position[a][i]) : input->position[a][i];
    int32_t own = grid_level_of(cells, at.extent);
    int64_t cross_before = out.cross_pairs;
    out.count = 0;
    for (int32_t k = own; k < cells->level_count; k++)
      scan_level(search, &at, &cells->level[k], k == own, &out, dimension, periodic, wide);
    if (search->step->sweep && !out.overflow) keep_needed(search->step, (int32_t)i, &out, cross_before);
    sort_row(out.row, out.count);
    next_start[i + 1] = out.count;
    out.row += out.count;
    out.room -= out.count;
  }
  search->result[local] =
      (block_result){out.row - stage, out.cross_pairs, out.candidates, (int32_t)out.left_out, out.overflow};
}

/* The same for each kind of box, so that the loops are compiled for it. */
HOT void search_any(const pair_search *search, int64_t local, const bool wide)
{
  bool periodic = search->length[0] > 0.0 || search->length[1] > 0.0 || search->length[2] > 0.0;
  if (search->cells->dimension == 2 && periodic)
    search_block(search, local, 2, true, wide);
  else if (search->cells->dimension == 2)
    search_block(search, local, 2, false, wide);
  else if (periodic)
    search_block(search, local, 3, true, wide);
  else
    search_block(search, local, 3, false, wide);
}

static void plain_wave(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pair_search *search = context;
  for (int64_t local = begin; local < end; local++)
    if (search->result[local].overflow) search_any(search, local, false);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static void wide_wave(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const pair_search *search = context;
  for (int64_t local = begin; local < end; local++)
    if (search->result[local].overflow) search_any(search, local, true);
}
#else
#define wide_wave plain_wave
#endif

/* ---- waves ---- */

static floc_status append_cross(neighbors *all, const int32_t *cross_end, int64_t pairs)
{
  const int64_t needed = all->cross_count + pairs;
  if (!all->cross || needed > all->cross_room) {
    const int64_t longer = all->cross ? all->cross_room + all->cross_room / 2 : all->cross_most;
    const int64_t room = longer > needed ? longer : needed;
    int32_t *cross = all->cross ? arena_grow(all->scratch, all->cross, 2 * (size_t)all->cross_room,
                                             2 * (size_t)room, sizeof *cross)
                                : arena_allocate(all->scratch, 2 * (size_t)room, sizeof *cross);
    if (!cross) return FLOC_OUT_OF_MEMORY;
    all->cross = cross;
    all->cross_room = all->cross_most = room;
  }
  for (int64_t k = 0; k < pairs; k++) {
    all->cross[2 * (all->cross_count + k)] = cross_end[-2 * k - 2];
    all->cross[2 * (all->cross_count + k) + 1] = cross_end[-2 * k - 1];
  }
  all->cross_count = needed;
  return FLOC_OK;
}

static floc_status append_wave(const pair_search *search, int64_t blocks)
{
  neighbors *all = search->step->all;
  for (int64_t local = 0; local < blocks; local++) {
    const block_result *result = &search->result[local];
    const int32_t *stage = all->stage + local * search->stage_size;
    int64_t total = all->pairs.next_count + result->row_entries;
    floc_status status = list_reserve_next(&all->pairs, all->scratch, total);
    if (status == FLOC_OK && result->cross_pairs > 0)
      status = append_cross(all, stage + search->stage_size, result->cross_pairs);
    if (status != FLOC_OK) return status;
    if (result->row_entries > 0)
      memcpy(all->pairs.next_second + all->pairs.next_count, stage, (size_t)result->row_entries * sizeof *stage);
    all->pairs.next_count = total;
    all->left_out += result->left_out;
    work_add(all->env, WORK_SEARCH, WORK_CANDIDATE * result->candidates);
  }
  return interruption_status(all->env);
}

static floc_status reserve_stage(const pair_search *search, int64_t blocks)
{
  neighbors *all = search->step->all;
  const int64_t room = blocks * search->stage_size;
  if (all->stage && room <= all->stage_room) return FLOC_OK;
  all->stage = arena_allocate(all->scratch, (size_t)room, sizeof *all->stage);
  all->stage_room = room;
  return all->stage ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static floc_status run_wave(pair_search *search, int64_t blocks)
{
  const neighbors *all = search->step->all;
  block_function search_wave = all->narrow || search->skew || !processor_is_wide() ? plain_wave : wide_wave;
  for (int64_t local = 0; local < blocks; local++) search->result[local].overflow = true;
  for (;;) {
    floc_status status = reserve_stage(search, blocks);
    if (status != FLOC_OK) return status;
    parallel_for(all->env, blocks, 1, search_wave, search);
    status = interruption_status(all->env);
    if (status != FLOC_OK) return status;
    bool again = false;
    for (int64_t local = 0; local < blocks; local++) again = again || search->result[local].overflow;
    if (!again) return append_wave(search, blocks);
    /* stages move when they grow: all are done again */
    for (int64_t local = 0; local < blocks; local++) search->result[local].overflow = true;
    search->stage_size *= 2;
  }
}

/* The next list grows behind the stages. It is about as long as the one before. */
static floc_status reserve_first(pair_search *search, int64_t blocks, int64_t rows)
{
  neighbors *all = search->step->all;
  const int64_t least = rows * STAGE_PER_PARTICLE + 64, present = all->pairs.view.count;
  search->stage_size = all->stage_size > least ? all->stage_size : least;
  floc_status status = reserve_stage(search, blocks);
  if (status != FLOC_OK) return status;
  return list_reserve_next(&all->pairs, all->scratch, present < INT32_MAX / 2 ? present + present / 8 : present);
}

/* Stages that are far longer than blocks need become shorter from search to search. */
static void keep_stage_size(const pair_search *search, int64_t blocks)
{
  neighbors *all = search->step->all;
  const int64_t mean = (all->pairs.next_count + 2 * all->cross_count) / (blocks > 0 ? blocks : 1);
  all->stage_size = search->stage_size > 8 * mean ? search->stage_size / 2 : search->stage_size;
}

static floc_status run_waves(pair_search *search, int64_t most, bool *too_many)
{
  const neighbors *all = search->step->all;
  const environment *env = search->step->all->env;
  int64_t blocks = parallel_block_count(search->input->count, BLOCK);
  int64_t wave = WAVE > 4 * env->threads ? WAVE : 4 * env->threads;
  block_result result[3 * 256];
  if (wave > (int64_t)(sizeof result / sizeof *result)) wave = sizeof result / sizeof *result;
  int64_t rows = search->input->count < BLOCK ? search->input->count : BLOCK;
  search->result = result;
  floc_status status = reserve_first(search, blocks < wave ? blocks : wave, rows);
  *too_many = false;
  for (int64_t first = 0; status == FLOC_OK && first < blocks && !*too_many; first += wave) {
    search->first_block = first;
    status = run_wave(search, blocks - first < wave ? blocks - first : wave);
    *too_many = all->pairs.next_count + all->cross_count > most;
  }
  search->result = NULL;
  if (status == FLOC_OK) keep_stage_size(search, blocks);
  return status;
}

/* ---- cross pairs ---- */

/* Sorts the cross pairs by first slot into cross_start and cross_sorted. */
static floc_status sort_cross(neighbors *all, int64_t rows)
{
  all->cross_start = arena_allocate(all->scratch, (size_t)rows + 1, sizeof *all->cross_start);
  all->cross_sorted = arena_allocate(all->scratch, (size_t)all->cross_count, sizeof *all->cross_sorted);
  if (!all->cross_start || !all->cross_sorted) return FLOC_OUT_OF_MEMORY;
  int64_t *start = all->cross_start;
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  for (int64_t k = 0; k < all->cross_count; k++) start[all->cross[2 * k] + 1]++;
  for (int64_t i = 0; i < rows; i++) start[i + 1] += start[i];
  for (int64_t k = 0; k < all->cross_count; k++)
    all->cross_sorted[start[all->cross[2 * k]]++] = all->cross[2 * k + 1];
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
  return FLOC_OK;
}

/* Merges the sorted cross pairs into the rows, from the last row to the first, in place: what is still to
 * be read always lies before what is written. */
static void merge_cross(neighbors *all, int64_t rows)
{
  int32_t *second = all->pairs.next_second;
  int64_t *start = all->pairs.next_start;
  int64_t from = all->pairs.next_count, to = from + all->cross_count;
  all->pairs.next_count = to;
  for (int64_t i = rows - 1; i >= 0; i--) {
    int64_t row_begin = start[i], cross_begin = all->cross_start[i], cross = all->cross_start[i + 1];
    start[i + 1] = to;
    while (from > row_begin || cross > cross_begin) {
      bool take_cross =
          from == row_begin || (cross > cross_begin && all->cross_sorted[cross - 1] > second[from - 1]);
      second[--to] = take_cross ? all->cross_sorted[--cross] : second[--from];
    }
  }
}

static pair_search make_search(const update *step, const grid_input *input)
{
  pair_search search = {
      .step = step, .input = input, .cells = &step->all->cells, .skew = domain_is_skew(step->box)};
  for (int a = 0; a < 3; a++) {
    search.length[a] = a < step->all->dimension ? step->box->length[a] : 0.0;
    search.half[a] = search.length[a] > 0.0 ? 0.5 * search.length[a] : INFINITY;
  }
  return search;
}

/* A slot before all others: what it meets goes into its row. */
int64_t search_ball(const update *step, const double x[3], double extent, int32_t *found, int64_t room)
{
  const grid *cells = &step->all->cells;
  pair_search search = make_search(step, NULL);
  block_output out = {.row = found, .room = room};
  probe at = {.slot = -1, .extent = extent};
  for (int a = 0; a < cells->dimension; a++) at.x[a] = domain_wrap(step->box, a, x[a]);
  for (int32_t k = 0; k < cells->level_count && !out.overflow; k++) {
    if (cells->dimension == 2)
      scan_level(&search, &at, &cells->level[k], true, &out, 2, true, false);
    else
      scan_level(&search, &at, &cells->level[k], true, &out, 3, true, false);
  }
  return out.overflow ? -1 : out.count;
}

floc_status search_pairs(const update *step, const grid_input *input, int64_t most, bool *too_many)
{
  neighbors *all = step->all;
  all->pairs.next_count = 0;
  all->cross_count = 0;
  pair_search search = make_search(step, input);
  floc_status status = list_reserve_starts(&all->pairs, all->scratch, input->count);
  if (status == FLOC_OK) status = run_waves(&search, most, too_many);
  if (status != FLOC_OK || *too_many) return status;
  all->pairs.next_start[0] = 0;
  for (int64_t i = 0; i < input->count; i++) all->pairs.next_start[i + 1] += all->pairs.next_start[i];
  if (all->cross_count == 0) return FLOC_OK;
  status = list_reserve_next(&all->pairs, all->scratch, all->pairs.next_count + all->cross_count);
  if (status == FLOC_OK) status = sort_cross(all, input->count);
  if (status == FLOC_OK) merge_cross(all, input->count);
  return status;
}
