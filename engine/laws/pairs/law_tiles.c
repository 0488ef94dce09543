/*
 * All pairs of particles without a list. Particles are cut into blocks of up to 128 by slot; a tile is the pairs of
 * two blocks, or of one with itself. What a pair does is added to the sums of both particles at once, so tiles that
 * share a block must not run at the same time: they are played like a tournament (the circle method). In each round
 * every block is in one tile at most, tiles of a round run on any thread in any order, and the next round begins
 * when all are done. So each sum is taken in the order of rounds, whatever the number of threads, and each pair is
 * evaluated once. Memory is what the particles themselves need.
 *
 * Within a tile the k-th particle of one block meets the (k + shift)-th of the other, for one shift after another:
 * neighbouring pairs have no particle in common, and no sum waits for the one before it.
 */
#include "laws/pairs/law_tiles.h"

#include "base/interruption.h"
#include "laws/pairs/law_pair_wide.h"

/* Large blocks read a particle less often; small ones leave work for several threads where particles are few. */
enum { LEAST_TILE = 32, GREATEST_TILE = 128, ENOUGH_TILES = 32 };

static int64_t block_size(int64_t count)
{
  int64_t wanted = (count + ENOUGH_TILES - 1) / ENOUGH_TILES;
  return wanted < LEAST_TILE ? LEAST_TILE : wanted > GREATEST_TILE ? GREATEST_TILE : wanted;
}

int64_t law_tiles_in_round(int64_t count)
{
  return parallel_block_count(count, block_size(count)); /* of the first round */
}

/* ---- a tile ---- */

/* Pairs (i, j), (i + 1, j + 1), ... */
typedef struct tile_run {
  int32_t i, j, count;
} tile_run;

/* Where results of a tile go. */
typedef struct tile_desk {
  int32_t number;
  double *energy;
  chunk_mark *mark;
} tile_desk;

static floc_status act(const law_tiles *tiles, const tile_desk *desk)
{
  pair_block *pairs = &tiles->blocks[desk->number];
  if (interrupted(tiles->env)) return FLOC_INTERRUPTED;
  floc_status status =
      pairs->count > 0 ? tiles->act(tiles->context, desk->number, desk->energy, desk->mark) : FLOC_OK;
  pairs->count = 0;
  return status;
}

HOT void collect_ordered(const law_tiles *tiles, int32_t i, int32_t j, pair_block *pairs, const int dimension)
{
  bool turned = tiles->id[i] > tiles->id[j];
  collect_pair(tiles->source, turned ? j : i, turned ? i : j, 0, pairs, dimension);
}

#ifdef HAS_WIDE
/* Four of a run. */
WIDE void wide_collect_ordered(const law_tiles *tiles, int32_t i, int32_t j, pair_block *pairs)
{
  const __m128i steps = _mm_setr_epi32(0, 1, 2, 3);
  __m256i id_i = _mm256_loadu_si256((const __m256i *)&tiles->id[i]);
  __m256i id_j = _mm256_loadu_si256((const __m256i *)&tiles->id[j]);
  __m256i larger = _mm256_cmpgt_epi64(id_i, id_j);
  __m256i packed = _mm256_permutevar8x32_epi32(larger, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  __m128i turned = _mm256_castsi256_si128(packed);
  __m128i first = _mm_add_epi32(_mm_set1_epi32(i), steps), second = _mm_add_epi32(_mm_set1_epi32(j), steps);
  int32_t of_i[4], of_j[4];
  _mm_storeu_si128((__m128i *)of_i, _mm_blendv_epi8(first, second, turned));
  _mm_storeu_si128((__m128i *)of_j, _mm_blendv_epi8(second, first, turned));
  wide_collect_pairs(tiles->source, of_i, of_j, 0, pairs);
}
#else
HOT void wide_collect_ordered(const law_tiles *tiles, int32_t i, int32_t j, pair_block *pairs)
{
  for (int32_t k = 0; k < 4; k++) collect_ordered(tiles, i + k, j + k, pairs, 3);
}
#endif

HOT floc_status do_run(const law_tiles *tiles, const tile_desk *desk, tile_run run, const int dimension,
                       const bool wide)
{
  pair_block *pairs = &tiles->blocks[desk->number];
  for (int32_t k = 0; k < run.count;) {
    if (pairs->count > LAW_BLOCK - 4) {
      floc_status status = act(tiles, desk);
      if (status != FLOC_OK) return status;
    }
    if (wide && k + 4 <= run.count) {
      wide_collect_ordered(tiles, run.i + k, run.j + k, pairs);
      k += 4;
    } else {
      collect_ordered(tiles, run.i + k, run.j + k, pairs, dimension);
      k++;
    }
  }
  return FLOC_OK;
}

/* Two blocks of particles: slots first .. last - 1; the second may be the first one itself. */
typedef struct tile {
  int32_t first[2], last[2];
} tile;

HOT floc_status do_tile(const law_tiles *tiles, const tile_desk *desk, const tile *one, const int dimension,
                        const bool wide)
{
  const int32_t rows = one->last[0] - one->first[0], columns = one->last[1] - one->first[1];
  const bool alone = one->first[0] == one->first[1];
  floc_status status = FLOC_OK;
  tiles->blocks[desk->number].count = 0;
  for (int32_t shift = alone ? 1 : 0; shift < columns; shift++) {
    int32_t end = alone ? rows - shift : rows, column = shift;
    for (int32_t k = 0; k < end && status == FLOC_OK;) {
      int32_t length = end - k < columns - column ? end - k : columns - column;
      status = do_run(tiles, desk, (tile_run){one->first[0] + k, one->first[1] + column, length}, dimension, wide);
      k += length;
      column = 0;
    }
    if (status != FLOC_OK) return status;
  }
  return act(tiles, desk);
}

static floc_status plain_tile(const law_tiles *tiles, const tile_desk *desk, const tile *one)
{
  return tiles->dimension == 2 ? do_tile(tiles, desk, one, 2, false) : do_tile(tiles, desk, one, 3, false);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static floc_status fast_tile(const law_tiles *tiles, const tile_desk *desk,
                                                             const tile *one)
{
  return tiles->dimension == 2 ? do_tile(tiles, desk, one, 2, true) : do_tile(tiles, desk, one, 3, true);
}
#else
#define fast_tile plain_tile
#endif

/* ---- the tournament ---- */

/* Which blocks are in a tile of a round, the circle method: of an even number of places the last one stays, and the
 * others move on by one from round to round. With an odd number of blocks one of them pauses: false. */
static bool find_tile(const law_tiles *tiles, int64_t number, tile *one)
{
  const int64_t size = block_size(tiles->count), blocks = parallel_block_count(tiles->count, size);
  const int64_t places = blocks + blocks % 2, around = places - 1, turn = tiles->round - 1;
  int64_t of[2] = {number, number};
  if (tiles->round > 0) {
    of[0] = number == 0 ? around : (turn + number) % around;
    of[1] = (turn + around - number) % around;
  }
  if (of[0] >= blocks || of[1] >= blocks) return false;
  if (of[0] > of[1]) {
    int64_t kept = of[0];
    of[0] = of[1], of[1] = kept;
  }
  for (int n = 0; n < 2; n++) {
    int64_t end = (of[n] + 1) * size;
    one->first[n] = (int32_t)(of[n] * size);
    one->last[n] = (int32_t)(end < tiles->count ? end : tiles->count);
  }
  return true;
}

static void play_tile(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)end;
  const law_tiles *tiles = context;
  chunk_mark *mark = &tiles->marks[number];
  tile one;
  *mark = (chunk_mark){.status = FLOC_OK, .bad = -1};
  tiles->energy[number] = 0.0;
  if (!find_tile(tiles, begin, &one)) return;
  tile_desk desk = {law_desk_take(tiles->desks), &tiles->energy[number], mark};
  bool narrow = tiles->narrow || !processor_is_wide();
  mark->status = (narrow ? plain_tile : fast_tile)(tiles, &desk, &one);
  law_desk_leave(tiles->desks, desk.number);
}

const chunk_mark *law_tiles_run(law_tiles *tiles, double *energy)
{
  const int64_t blocks = law_tiles_in_round(tiles->count), places = blocks + blocks % 2;
  const int64_t rounds = blocks > 1 ? places : 1;
  for (tiles->round = 0; tiles->round < rounds; tiles->round++) {
    int64_t in_round = tiles->round == 0 ? blocks : places / 2;
    parallel_for(tiles->env, in_round, 1, play_tile, tiles);
    const chunk_mark *failure = chunk_marks_first(tiles->marks, in_round);
    if (failure) return failure;
    for (int64_t k = 0; k < in_round; k++) *energy += tiles->energy[k];
  }
  return NULL;
}
