/*
 * Pair laws. Particles are cut into blocks, by their number alone. First, block by block, the rows of its
 * particles: LAW_BLOCK pairs in range at a time, geometry, kernel, and what the pair does to both particles: added
 * to the sums of the block's own particles at once; what acts on a particle of a later block (a foreign entry) is
 * put down by entry. Second, block by block, foreign entries are added to their particle in the order of the list.
 * No thread writes where another reads, and no sum depends on threads.
 *
 * Memory: what is not in range forgets.
 *
 * Laws on all pairs have no list: their pairs are collected by law_tiles.c, and the rest is the same. Laws over
 * bonds have lists of their own, at any distance; what they do to particles of later blocks is added when the law
 * is done, because the next law's entries are others.
 */
#include "laws/pairs/law_pair_kernel.h"
#include "laws/pairs/law_tiles.h"

#include "base/interruption.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <string.h>

/* Particles of a block: pairs across blocks cost twice, and there are fewer of them in large blocks; but there must
 * be enough blocks for every core. Four of moderate size first, then sixteen or more of up to the greatest size. */
enum { LEAST_BLOCK = 2048, MODERATE_BLOCK = 8192, GREATEST_BLOCK = 16384, FEW_BLOCKS = 4, MANY_BLOCKS = 16 };
/* From this number on it pays to ask the memory for particles before they are needed. */
enum { MANY = 8192 };

/* ---- the first pass ---- */

HOT void forget(const pair_pass *pass, int64_t begin, int64_t end)
{
  if (pass->all->observes || pass->which->bonds) return;
  for (int32_t k = 0; k < pass->which->memory_count; k++)
    memset(pass->pairs->memory[pass->which->memory[k].next] + begin, 0, (size_t)(end - begin) * sizeof(double));
}

/* All that comes after the collection of a block of pairs. */
HOT floc_status act_on_pairs(const pair_pass *pass, int32_t desk, int64_t end, pair_sums *sums, chunk_mark *mark,
                             const int dimension, const bool wide)
{
  law_block *restrict block = &pass->desks.block[desk];
  pair_block *restrict pairs = &pass->blocks[desk];
  if (wide)
    wide_geometry(&pass->source, pass->which, pairs, dimension);
  else
    find_geometry(&pass->source, pass->which, pairs, dimension);
  gather_inputs(pass, pairs, block, dimension, wide);
  floc_status status = law_call(pass->which, pairs->count, block);
  mark->changed = block->changed;
  if (status != FLOC_OK) return status;
  int32_t row = law_first_bad(pass->which, block, pairs->count);
  if (row >= 0) {
    mark->bad = pass->tiled ? pairs->i[row] * pass->at->table->count + pairs->j[row] : pairs->entry[row];
    return FLOC_NOT_A_NUMBER;
  }
  if (law_is_recorded(pass->all, pass->which)) {
    record_pairs(pass, pairs, block, dimension);
    if (!pass->all->view.forces && !pass->which->sums_written) return FLOC_OK; /* what it does is not read */
  }
  take_outputs(pass, pairs, block, end, sums, dimension, wide);
  return FLOC_OK;
}

static floc_status plain_block(const pair_pass *pass, int32_t desk, int64_t end, pair_sums *sums, chunk_mark *mark)
{
  return pass->all->dimension == 2 ? act_on_pairs(pass, desk, end, sums, mark, 2, false)
                                   : act_on_pairs(pass, desk, end, sums, mark, 3, false);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static floc_status fast_block(const pair_pass *pass, int32_t desk, int64_t end,
                                                              pair_sums *sums, chunk_mark *mark)
{
  return pass->all->dimension == 2 ? act_on_pairs(pass, desk, end, sums, mark, 2, true)
                                   : act_on_pairs(pass, desk, end, sums, mark, 3, true);
}
#else
#define fast_block plain_block
#endif

HOT floc_status pair_rows(const pair_pass *pass, int32_t desk, int64_t begin, int64_t end, pair_sums *sums,
                          chunk_mark *mark, const int dimension, const bool wide)
{
  pair_block *restrict pairs = &pass->blocks[desk];
  const int64_t last = pass->pairs->start[end];
  for (int64_t entry = pass->pairs->start[begin]; entry < last;) {
    if (interrupted(pass->all->env)) return FLOC_INTERRUPTED;
    const int64_t from = entry;
    entry = wide ? wide_collect(&pass->source, entry, last, pairs)
                 : collect_pairs(&pass->source, entry, last, pairs, dimension);
    forget(pass, from, entry);
    if (pairs->count == 0) continue;
    floc_status status = (wide ? fast_block : plain_block)(pass, desk, end, sums, mark);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

static floc_status plain_rows(const pair_pass *pass, int32_t desk, int64_t begin, int64_t end, pair_sums *sums,
                              chunk_mark *mark)
{
  return pass->all->dimension == 2 ? pair_rows(pass, desk, begin, end, sums, mark, 2, false)
                                   : pair_rows(pass, desk, begin, end, sums, mark, 3, false);
}

#ifdef HAS_WIDE
__attribute__((target("avx2"))) static floc_status fast_rows(const pair_pass *pass, int32_t desk, int64_t begin,
                                                             int64_t end, pair_sums *sums, chunk_mark *mark)
{
  return pass->all->dimension == 2 ? pair_rows(pass, desk, begin, end, sums, mark, 2, true)
                                   : pair_rows(pass, desk, begin, end, sums, mark, 3, true);
}
#else
#define fast_rows plain_rows
#endif

/* Of the forms, only the plain one knows images that are shifted or move, and sums virials. */
static bool is_narrow(const pair_pass *pass)
{
  return pass->all->narrow || pass->source.moving || pass->at->virial || !processor_is_wide();
}

static void law_rows(void *context, int64_t begin, int64_t end, int64_t number)
{
  pair_pass *pass = context;
  chunk_mark *mark = &pass->marks[number];
  *mark = (chunk_mark){.status = FLOC_OK, .bad = -1};
  pass->sums[number] = (pair_sums){.energy = 0.0};
  if (pass->which->amount_count > 0)
    memset(pass->amounts.gave + pass->pairs->start[begin], 0,
           (size_t)(pass->pairs->start[end] - pass->pairs->start[begin]));
  int32_t desk = law_desk_take(&pass->desks);
  mark->status = (is_narrow(pass) ? plain_rows : fast_rows)(pass, desk, begin, end, &pass->sums[number], mark);
  law_desk_leave(&pass->desks, desk);
}

/* Of a law on all pairs: both particles' sums are the tile's (law_tiles.h). */
static floc_status law_tile_block(const void *context, int32_t desk, double *energy, chunk_mark *mark)
{
  const pair_pass *pass = context;
  pair_sums sums = {.energy = *energy};
  floc_status status = (is_narrow(pass) ? plain_block : fast_block)(pass, desk, INT64_MAX, &sums, mark);
  *energy = sums.energy;
  return status;
}

/* The pair is computed once more, to say what the law was given. */
static floc_status refuse_result(const pair_pass *pass, const chunk_mark *failure)
{
  int64_t bad = failure->bad;
  if (bad < 0) return law_refuse(pass->all, pass->which, failure);
  const particles *table = pass->at->table;
  law_block *block = pass->desks.block;
  pair_block *pairs = pass->blocks;
  char row[300];
  int32_t first, second;
  if (pass->tiled)
    first = (int32_t)(bad / table->count), second = (int32_t)(bad % table->count);
  else
    find_order(&pass->source, bad, &first, &second);
  pairs->count = 0;
  if (pass->all->dimension == 2) {
    collect_pair(&pass->source, first, second, pass->tiled ? 0 : (int32_t)bad, pairs, 2);
    find_geometry(&pass->source, pass->which, pairs, 2);
  } else {
    collect_pair(&pass->source, first, second, pass->tiled ? 0 : (int32_t)bad, pairs, 3);
    find_geometry(&pass->source, pass->which, pairs, 3);
  }
  gather_inputs(pass, pairs, block, pass->all->dimension, false);
  law_call(pass->which, pairs->count, block);
  law_show_row(pass->which, block, 0, row, sizeof row);
  return refuse(pass->all->env, FLOC_NOT_A_NUMBER,
                "pair law \"%s\" returned a force that is not finite for particles %" PRId64 " and %" PRId64 ": %s",
                pass->which->name, table->id[first], table->id[second], row);
}

/* Of a law without a list: goes through all pairs, and where somebody looks at the forces of the list's pairs,
 * through these before. */
static const chunk_mark *run_tiles(pair_pass *pass, const environment *threads, law *which, int64_t blocks)
{
  const int64_t count = pass->at->table->count;
  const chunk_mark *failure = NULL;
  if (pass->all->view.forces) {
    pass->looks_only = true;
    pair_blocks_for(threads, &pass->layout, pass->at->table, law_rows, pass);
    failure = chunk_marks_first(pass->marks, blocks);
    pass->looks_only = false;
    if (failure) return failure;
  }
  pass->tiled = true;
  law_tiles tiles = {.env = threads,
                     .source = &pass->source,
                     .id = pass->at->table->id,
                     .count = count,
                     .dimension = pass->all->dimension,
                     .narrow = is_narrow(pass),
                     .desks = &pass->desks,
                     .blocks = pass->blocks,
                     .act = law_tile_block,
                     .context = pass,
                     .marks = pass->marks,
                     .energy = pass->tile_energy};
  which->energy = 0.0;
  return law_tiles_run(&tiles, &which->energy);
}

static const chunk_mark *run_list(pair_pass *pass, const environment *threads, law *which, int64_t blocks)
{
  pair_blocks_for(threads, &pass->layout, pass->at->table, law_rows, pass);
  which->energy = 0.0;
  for (int64_t k = 0; k < blocks; k++) which->energy += pass->sums[k].energy;
  for (int64_t k = 0; k < blocks && pass->at->virial; k++)
    for (int c = 0; c < 9; c++) pass->at->virial[c] += pass->sums[k].virial[c];
  return chunk_marks_first(pass->marks, blocks);
}

static void settle_amounts(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const pair_pass *pass = context;
  if (begin > 0) pair_settle_amounts(&pass->amounts, pass->which, pass->pairs, begin, end);
}

static floc_status run_law(pair_pass *pass, law *which, int64_t blocks)
{
  laws *all = pass->all;
  pass->which = which;
  pass->source.range = which->range;
  for (int32_t k = 0; k < which->amount_count; k++)
    pass->amounts.target[k] = laws_amount_target(all, pass->at->table, &which->amount[k]);
  which->next_is_given |= !all->observes;
  all->env->message[0] = '\0';
  environment threads = law_environment(all, which);
  callback_mark before = law_begin(all, which);
  pass->tiled = false;
  const chunk_mark *failure = (which->everywhere ? run_tiles : run_list)(pass, &threads, which, blocks);
  floc_status status = failure ? refuse_result(pass, failure) : FLOC_OK;
  callback_end(all->env, before);
  if (status == FLOC_OK && which->amount_count > 0 && blocks > 1 && !pass->tiled)
    pair_blocks_for(all->env, &pass->layout, pass->at->table, settle_amounts, pass);
  return status;
}

/* ---- the second pass ---- */

static inline void add_push(particle_push *to, const particle_push *more)
{
  for (int axis = 0; axis < 3; axis++) to->force[axis] += more->force[axis];
  for (int axis = 0; axis < 3; axis++) to->torque[axis] += more->torque[axis];
}

/* Rows of particles before the block, whose entries are those before the block's first one, that hold something for
 * particle j. */
static inline void add_foreign(const pair_pass *pass, int64_t j, int64_t first_entry, particle_push *sum)
{
  const pair_list *pairs = pass->pairs;
  for (int64_t n = pairs->incoming_start[j]; n < pairs->incoming_start[j + 1]; n++) {
    int32_t entry = pairs->incoming[n];
    if (entry >= first_entry) break;
    if (pass->acted[entry]) add_push(sum, &pass->foreign[entry]);
  }
}

/* ---- laws over bonds ---- */

static void settle_bonds(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const pair_pass *pass = context;
  for (int64_t i = begin; i < end && begin > 0; i++)
    add_foreign(pass, i, pass->pairs->start[begin], &pass->source.sum[i]);
}

/* Where those who look at forces find the pairs; nowhere, if these are not in the neighbour list. */
static floc_status find_shown(pair_pass *pass, const bond_list *bonds, arena *scratch)
{
  pass->shown = NULL;
  if (!pass->all->view.forces || pass->all->record) return FLOC_OK;
  int32_t *shown = arena_allocate(scratch, (size_t)bonds->count, sizeof *shown);
  if (!shown) return FLOC_OUT_OF_MEMORY;
  for (int64_t k = 0; k < bonds->count; k++)
    shown[k] = (int32_t)neighbors_find_entry(pass->at->near, false, bonds->pairs.first[k], bonds->pairs.second[k]);
  pass->shown = shown;
  return FLOC_OK;
}

static floc_status apply_bonds(pair_pass *pass, law *which, int64_t blocks)
{
  const pair_pass kept = *pass;
  arena *scratch = pass->scratch;
  const bond_list *bonds = which->bonds;
  const size_t count = (size_t)bonds->count;
  which->energy = 0.0;
  if (count == 0) return FLOC_OK;
  const arena_mark here = arena_here(scratch);
  const law_list alone = {which, 1, 1};
  pass->pairs = pass->source.pairs = &bonds->pairs;
  pass->source.turned = bonds->turned;
  pass->acted = arena_allocate(scratch, count, 1);
  bool made = pass->acted && pair_amounts_make(&pass->amounts, &alone, count, blocks > 1, scratch);
  if (made && blocks > 1) made = (pass->foreign = arena_allocate(scratch, count, sizeof(particle_push))) != NULL;
  floc_status status = made ? find_shown(pass, bonds, scratch) : FLOC_OUT_OF_MEMORY;
  if (status == FLOC_OK) {
    memset(pass->acted, 0, count);
    status = run_law(pass, which, blocks);
  }
  if (status == FLOC_OK && blocks > 1)
    pair_blocks_for(pass->all->env, &pass->layout, pass->at->table, settle_bonds, pass);
  arena_return(scratch, here);
  *pass = kept;
  return status;
}

/* ---- all together ---- */

/* Gravity, or what is there already, and the sum. */
static inline void finish_push(const pair_pass *pass, int64_t i, const particle_push *sum)
{
  const double *gravity = pass->at->gravity;
  particle_push *to = &pass->at->push[i];
  if (gravity) {
    double mass = pass->at->table->column[COLUMN_mass][i];
    for (int axis = 0; axis < 3; axis++) {
      to->force[axis] = mass * gravity[axis];
      to->torque[axis] = 0.0;
    }
  }
  add_push(to, sum);
}

static void settle_block(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const pair_pass *pass = context;
  double *const *column = pass->at->table->column;
  const int dimension = pass->all->dimension;
  for (int64_t i = begin; i < end; i++) {
    particle_push sum = pass->source.sum[i];
    if (begin > 0) add_foreign(pass, i, pass->pairs->start[begin], &sum);
    for (int axis = 0; axis < dimension; axis++) {
      double *force = &column[COLUMN_fx + axis][i];
      *force = pass->alone ? sum.force[axis] : *force + sum.force[axis];
    }
    if (pass->alone)
      finish_push(pass, i, &sum);
    else
      for (int axis = dimension == 2 ? 2 : 0; axis < 3 && pass->turns; axis++)
        pass->at->torque[axis][i] += sum.torque[axis];
  }
}

static void copy_states(const pair_pass *pass, int64_t begin, int64_t end)
{
  const particles *table = pass->at->table;
  const int dimension = pass->all->dimension;
  for (int64_t i = begin; i < end; i++) {
    particle_state *to = &pass->copy[i];
    to->radius = table->column[COLUMN_radius][i];
    for (int axis = 0; axis < 3; axis++) {
      to->position[axis] = axis < dimension ? table->column[COLUMN_x + axis][i] : 0.0;
      to->velocity[axis] = axis < dimension ? table->column[COLUMN_vx + axis][i] : 0.0;
      to->spin[axis] = pass->at->spin[axis] ? pass->at->spin[axis][i] : 0.0;
    }
  }
}

static void find_turned(const pair_pass *pass, int64_t first, int64_t last)
{
  const int64_t *id = pass->at->table->id;
  for (int64_t entry = first; entry < last; entry++)
    pass->all->turned[entry] = id[pass->pairs->first[entry]] > id[pass->pairs->second[entry]];
}

static void begin_block(void *context, int64_t begin, int64_t end, int64_t number)
{
  (void)number;
  const pair_pass *pass = context;
  if (pass->copy) copy_states(pass, begin, end);
  if (pass->find_order) find_turned(pass, pass->pairs->start[begin], pass->pairs->start[end]);
  memset(pass->source.sum + begin, 0, (size_t)(end - begin) * sizeof *pass->source.sum);
  int64_t first = pass->pairs->start[begin], last = pass->pairs->start[end];
  if (last > first) memset(pass->acted + first, 0, (size_t)(last - first));
}

static void describe_box(pair_pass *pass)
{
  for (int axis = 0; axis < 3; axis++) {
    double length = pass->at->box->length[axis];
    pass->source.length[axis] = length;
    pass->source.inverse[axis] = length > 0.0 ? 1.0 / length : 0.0;
  }
  pass->source.moving = domain_deforms(pass->at->box) ? pass->at->box : NULL;
}

/* Blocks of particles, or tiles, that may be done at the same time. */
static int64_t greatest_chunk_count(const pair_pass *pass, int64_t blocks)
{
  int64_t tiles = laws_any_everywhere(pass->all) ? law_tiles_in_round(pass->at->table->count) : 0;
  return tiles > blocks ? tiles : blocks;
}

static bool make_room(pair_pass *pass, int64_t blocks, arena *scratch)
{
  const int64_t chunks = greatest_chunk_count(pass, blocks);
  size_t entries = (size_t)pass->pairs->count, count = (size_t)pass->at->table->count;
  const law_list *list = &pass->all->of[FLOC_LAW_PAIR];
  bool made = (pass->marks = chunk_marks_make(chunks, scratch)) != NULL;
  made = made && law_desks_make(&pass->desks, pass->all->env, list->item, list->count, chunks, scratch) == FLOC_OK;
  made = made && (pass->blocks = arena_allocate(scratch, (size_t)pass->desks.count, sizeof *pass->blocks));
  made = made && (pass->sums = arena_allocate(scratch, (size_t)blocks, sizeof *pass->sums));
  if (made && laws_any_everywhere(pass->all))
    made = (pass->tile_energy = arena_allocate(scratch, (size_t)chunks, sizeof(double))) != NULL;
  if (made && !pass->at->state) made = (pass->copy = arena_allocate(scratch, count, sizeof *pass->copy)) != NULL;
  pass->source.state = pass->at->state ? pass->at->state : pass->copy;
  made = made && (pass->source.sum = arena_allocate(scratch, count, sizeof(particle_push)));
  made = made && (pass->acted = arena_allocate(scratch, entries, 1));
  made = made && pair_amounts_make(&pass->amounts, list, entries, blocks > 1, scratch);
  if (made && blocks > 1) made = (pass->foreign = arena_allocate(scratch, entries, sizeof(particle_push))) != NULL;
  return made;
}

/* Space for laws.turned, unless it is of this list. */
static floc_status follow_list(pair_pass *pass)
{
  laws *all = pass->all;
  if (all->turned_list == pass->pairs && all->turned_version == pass->pairs->version) return FLOC_OK;
  floc_status status = array_reserve(all->env, (void **)&all->turned, &all->turned_capacity,
                                     (size_t)pass->pairs->count, sizeof *all->turned);
  if (status != FLOC_OK) return status;
  pass->find_order = true;
  all->turned_list = pass->pairs;
  all->turned_version = pass->pairs->version;
  return FLOC_OK;
}

static int64_t between(int64_t least, int64_t value, int64_t most)
{
  return value < least ? least : value > most ? most : value;
}

static int64_t block_size(int64_t count)
{
  int64_t moderate = between(LEAST_BLOCK, (count / FEW_BLOCKS + 63) / 64 * 64, MODERATE_BLOCK);
  return between(moderate, (count / MANY_BLOCKS + 63) / 64 * 64, GREATEST_BLOCK);
}

pair_blocks laws_pair_blocks(const laws *all, int64_t count)
{
  if (all->cut_blocks > 0) return (pair_blocks){.start = all->cut_start, .count = all->cut_blocks};
  const int64_t size = block_size(count);
  return (pair_blocks){.size = size, .count = parallel_block_count(count, size)};
}

floc_status laws_follow_cut(laws *all, const int64_t *place, int64_t count, int64_t whole)
{
  all->cut_blocks = 0;
  if (!place) return FLOC_OK;
  const int64_t size = block_size(whole), blocks = parallel_block_count(whole, size);
  floc_status status = array_reserve(all->env, (void **)&all->cut_start, &all->cut_capacity, (size_t)blocks + 1,
                                     sizeof *all->cut_start);
  if (status != FLOC_OK) return status;
  int64_t slot = 0;
  for (int64_t k = 0; k < blocks; k++) {
    while (slot < count && place[slot] < k * size) slot++;
    all->cut_start[k] = slot;
  }
  all->cut_start[blocks] = count;
  all->cut_blocks = blocks;
  return FLOC_OK;
}

floc_status laws_begin_pairs(laws *all, const laws_moment *at, arena *scratch, pair_pass **made)
{
  const pair_list *pairs = neighbors_pairs(at->near);
  law_list *list = &all->of[FLOC_LAW_PAIR];
  int64_t count = at->table->count;
  *made = NULL;
  for (int32_t k = 0; k < list->count; k++) list->item[k].energy = 0.0;
  if (list->count == 0 || count == 0 || !laws_meet_pairs(all, at->near)) return FLOC_OK;
  floc_status status = laws_follow_bonds(all, at->table);
  if (status != FLOC_OK) return status;
  pair_pass *pass = arena_allocate(scratch, 1, sizeof *pass);
  if (!pass) return FLOC_OUT_OF_MEMORY;
  *pass =
      (pair_pass){.all = all, .at = at, .scratch = scratch, .pairs = pairs, .layout = laws_pair_blocks(all, count)};
  pass->source.pairs = pairs;
  pass->source.many = count >= MANY;
  pass->alone = laws_settle_pairs(all, at);
  pass->turns = (pass->alone || at->torque[2]) && laws_have_torque(all);
  describe_box(pass);
  if (!make_room(pass, pass->layout.count, scratch)) return FLOC_OUT_OF_MEMORY;
  status = follow_list(pass);
  if (status != FLOC_OK) return status;
  pass->source.turned = all->turned;
  pair_blocks_for(all->env, &pass->layout, at->table, begin_block, pass);
  *made = pass;
  return FLOC_OK;
}

floc_status laws_apply_pairs(pair_pass *pass, int32_t stage)
{
  law_list *list = &pass->all->of[FLOC_LAW_PAIR];
  for (int32_t k = 0; k < list->count; k++) {
    if (list->item[k].stage != stage || !law_is_wanted(pass->all, &list->item[k])) continue;
    law *which = &list->item[k];
    floc_status status = (which->bonds ? apply_bonds : run_law)(pass, which, pass->layout.count);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void laws_end_pairs(pair_pass *pass)
{
  pair_blocks_for(pass->all->env, &pass->layout, pass->at->table, settle_block, pass);
}
