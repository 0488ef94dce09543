/*
 * Cutting a world by ranks, renewing the cut, and making it whole again. See cut.h.
 *
 * What travels are rows of doubles: of particles the place in the whole, the id, all columns, and what the scheme
 * keeps for each; of pairs two ids (the second -1 - shape for walls) and the columns of memory, from the particle
 * of the smaller place to the other, which is the direction of every list. A particle's row comes from its owner
 * alone; a pair's from the owner of either particle, to the next owner of that particle.
 */
#include "world.h"

#include "base/numbers/bits.h"
#include "particles/owned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PLACE, ID, FIRST_COLUMN }; /* of a particle's row */
enum { PAIR_IDS = 2 };

/* Rows for every rank, one behind the other. */
typedef struct parcels {
  size_t width;
  int64_t *count; /* [ranks] rows */
  int64_t *next;  /* [ranks] where the next row for a rank goes */
  double *row;
  int64_t total;
} parcels;

typedef struct cutting {
  floc_world *world;
  world_cut *cut;
  int32_t ranks, own;
  int32_t columns, numbers, memory; /* of particles, of the scheme, of pairs */
  double *scheme_rows;              /* [particles][numbers]; NULL: there are no particles */
  int64_t *marks, mark;             /* of owners_near() */
  int32_t *found;                   /* [ranks] */
  int64_t *numbers_of_rows;         /* [7 ranks] */
  int32_t *owner;                   /* [particles] next owner; -1: a ghost, its owner will tell */
  int64_t whole;                    /* particles of all ranks */
  parcels particles, pairs;
} cutting;

static void position_of(const particles *table, int64_t slot, double position[3])
{
  for (int axis = 0; axis < 3; axis++) position[axis] = table->column[COLUMN_x + axis][slot];
}

static floc_status begin_parcels(cutting *all, parcels *made, size_t width)
{
  arena *scratch = &all->world->scratch;
  made->width = width;
  made->count = arena_allocate(scratch, (size_t)all->ranks, sizeof *made->count);
  made->next = arena_allocate(scratch, (size_t)all->ranks, sizeof *made->next);
  if (!made->count || !made->next) return FLOC_OUT_OF_MEMORY;
  memset(made->count, 0, (size_t)all->ranks * sizeof *made->count);
  return FLOC_OK;
}

/* After the rows were counted: space for them. */
static floc_status make_rows(cutting *all, parcels *made)
{
  made->total = 0;
  for (int32_t r = 0; r < all->ranks; r++) {
    made->next[r] = made->total;
    made->total += made->count[r];
  }
  made->row = arena_allocate(&all->world->scratch, (size_t)made->total * made->width + 1, sizeof *made->row);
  return made->row ? FLOC_OK : FLOC_OUT_OF_MEMORY;
}

static floc_status begin_cutting(floc_world *world, cutting *all)
{
  world_cut *cut = &world->cut;
  *all = (cutting){.world = world,
                   .cut = cut,
                   .ranks = ranks_count(&cut->ranks),
                   .own = ranks_number(&cut->ranks),
                   .columns = world->table.column_count,
                   .memory = neighbors_memory_count(world->near)};
  const scheme *method = &world->method;
  all->scheme_rows = method->over_ranks->rows(method->state, world->table.count);
  all->numbers =
      method->over_ranks->numbers; /* no rows are unknown here; a rank without particles has none to give */
  const size_t ranks = (size_t)all->ranks, count = (size_t)world->table.count;
  all->marks = arena_allocate(&world->scratch, ranks, sizeof *all->marks);
  all->found = arena_allocate(&world->scratch, ranks, sizeof *all->found);
  all->owner = arena_allocate(&world->scratch, count + 1, sizeof *all->owner);
  all->numbers_of_rows = arena_allocate(&world->scratch, 7 * ranks, sizeof *all->numbers_of_rows);
  if (!all->marks || !all->found || !all->owner || !all->numbers_of_rows) return FLOC_OUT_OF_MEMORY;
  memset(all->marks, 0, ranks * sizeof *all->marks);
  floc_status status =
      begin_parcels(all, &all->particles, FIRST_COLUMN + (size_t)all->columns + (size_t)all->numbers);
  return status == FLOC_OK ? begin_parcels(all, &all->pairs, PAIR_IDS + (size_t)all->memory) : status;
}

/* ---- particles to rows ---- */

static int64_t place_of(const world_cut *cut, int64_t slot)
{
  return cut->is_cut ? cut->place[slot] : slot;
}

static void write_particle(const cutting *all, int64_t slot, double *row)
{
  const particles *table = &all->world->table;
  row[PLACE] = (double)place_of(all->cut, slot);
  row[ID] = (double)table->id[slot];
  for (int32_t k = 0; k < all->columns; k++) row[FIRST_COLUMN + k] = table->column[k][slot];
  for (int32_t k = 0; k < all->numbers; k++)
    row[FIRST_COLUMN + all->columns + k] = all->scheme_rows[slot * all->numbers + k];
}

/* To all who need it; where the world is whole each rank takes its own. write: else only counted. */
static void send_particle(cutting *all, int64_t slot, bool write)
{
  double position[3];
  position_of(&all->world->table, slot, position);
  const int32_t count = owners_near(&all->cut->owners, &all->world->box, position, all->cut->near, ++all->mark,
                                    all->marks, all->found);
  for (int32_t k = 0; k < count; k++) {
    const int32_t r = all->found[k];
    if (!all->cut->is_cut && r != all->own) continue;
    if (write)
      write_particle(all, slot, all->particles.row + (size_t)all->particles.next[r]++ * all->particles.width);
    else
      all->particles.count[r]++;
  }
}

static floc_status pack_particles(cutting *all)
{
  const particles *table = &all->world->table;
  EACH_SLOT(slot, table) all->owner[slot] = -1;
  EACH_OWNED(slot, table) {
    double position[3];
    position_of(table, slot, position);
    all->owner[slot] = owner_of(&all->cut->owners, &all->world->box, position);
    if (all->cut->is_cut) all->cut->moved += all->owner[slot] != all->own;
    send_particle(all, slot, false);
  }
  floc_status status = make_rows(all, &all->particles);
  if (status != FLOC_OK) return status;
  EACH_OWNED(slot, table) send_particle(all, slot, true);
  return FLOC_OK;
}

/* ---- what pairs remember, to rows ---- */

static bool remembers(const cutting *all, const pair_list *list, int64_t entry)
{
  uint64_t any = 0;
  for (int32_t k = 0; k < all->memory; k++) any |= bits_of(list->memory[k][entry]);
  return any != 0;
}

/* What was spare is of pairs that may have left since. */
static bool is_spare(const cutting *all, const double *memory)
{
  uint64_t any = 0;
  for (int32_t k = 0; k < all->memory; k++)
    if (!neighbors_memory_is_spare(all->world->near, k)) any |= bits_of(memory[k]);
  return any == 0;
}

static void send_pair(cutting *all, const pair_list *list, bool walls, int64_t entry, int32_t to, bool write)
{
  if (to < 0 || (!all->cut->is_cut && to != all->own)) return;
  if (!write) {
    all->pairs.count[to]++;
    return;
  }
  const int64_t *id = all->world->table.id;
  double *row = all->pairs.row + (size_t)all->pairs.next[to]++ * all->pairs.width;
  row[0] = (double)id[list->first[entry]];
  row[1] = walls ? -1.0 - list->second[entry] : (double)id[list->second[entry]];
  for (int32_t k = 0; k < all->memory; k++) row[PAIR_IDS + k] = list->memory[k][entry];
}

static void send_pairs(cutting *all, bool walls, bool write)
{
  const pair_list *list = walls ? neighbors_walls(all->world->near) : neighbors_pairs(all->world->near);
  for (int64_t entry = 0; entry < list->count; entry++) {
    const int32_t first = all->owner[list->first[entry]], second = walls ? -1 : all->owner[list->second[entry]];
    if ((first < 0 && second < 0) || !remembers(all, list, entry)) continue;
    send_pair(all, list, walls, entry, first, write);
    if (second != first) send_pair(all, list, walls, entry, second, write);
  }
}

static floc_status pack_pairs(cutting *all)
{
  send_pairs(all, false, false);
  send_pairs(all, true, false);
  floc_status status = make_rows(all, &all->pairs);
  if (status != FLOC_OK) return status;
  send_pairs(all, false, true);
  send_pairs(all, true, true);
  return FLOC_OK;
}

/* ---- rows from everywhere ---- */

static void to_bytes(const cutting *all, int64_t *bytes, const int64_t *count, size_t width)
{
  for (int32_t r = 0; r < all->ranks; r++) bytes[r] = count[r] * (int64_t)(width * sizeof(double));
}

static int64_t sent_bytes(const cutting *all, const int64_t *bytes)
{
  int64_t sum = 0;
  for (int32_t r = 0; r < all->ranks; r++) sum += r == all->own ? 0 : bytes[r];
  return sum;
}

/* Rows from all ranks take the place of one's own. All ranks agree that they have the space before any of them
 * sends. */
static floc_status swap_parcels(cutting *all, parcels *mine, const int64_t *count, bool gathers)
{
  arena *scratch = &all->world->scratch;
  const floc_ranks *ranks = &all->cut->ranks;
  environment *env = &all->world->env;
  int64_t *out = arena_allocate(scratch, 2 * (size_t)all->ranks, sizeof *out), *in = out + all->ranks, total = 0;
  for (int32_t r = 0; r < all->ranks; r++) total += count[r];
  double *row = arena_allocate(scratch, (size_t)total * mine->width + 1, sizeof *row);
  floc_status status = ranks_agree(ranks, env, out && row ? FLOC_OK : FLOC_OUT_OF_MEMORY, NULL, 0);
  if (status != FLOC_OK) return status;
  to_bytes(all, out, mine->count, mine->width);
  to_bytes(all, in, count, mine->width);
  status =
      gathers ? ranks_gather(ranks, env, mine->row, row, in) : ranks_exchange(ranks, env, mine->row, out, row, in);
  all->cut->traffic.meetings += 1 + gathers;
  all->cut->traffic.exchanges += !gathers;
  all->cut->traffic.bytes += gathers ? in[all->own] * (all->ranks - 1) : sent_bytes(all, out);
  memcpy(mine->count, count, (size_t)all->ranks * sizeof *count);
  mine->row = row;
  mine->total = total;
  return status;
}

static floc_status exchange_all(cutting *all)
{
  const size_t ranks = (size_t)all->ranks;
  int64_t *numbers = all->numbers_of_rows, *told = numbers + 2 * ranks, *bytes = told + 2 * ranks;
  int64_t *const count[2] = {bytes + ranks, bytes + 2 * ranks};
  for (size_t r = 0; r < ranks; r++) {
    numbers[2 * r] = all->particles.count[r];
    numbers[2 * r + 1] = all->pairs.count[r];
    bytes[r] = 2 * sizeof *numbers;
  }
  floc_status status = ranks_exchange(&all->cut->ranks, &all->world->env, numbers, bytes, told, bytes);
  all->cut->traffic.exchanges++;
  for (size_t r = 0; r < ranks; r++)
    for (int k = 0; k < 2; k++) count[k][r] = told[2 * r + (size_t)k];
  if (status == FLOC_OK) status = swap_parcels(all, &all->particles, count[0], false);
  return status == FLOC_OK ? swap_parcels(all, &all->pairs, count[1], false) : status;
}

/* Each rank has the same: as if every rank had sent all of its rows to all. */
static floc_status gather_all(cutting *all, parcels *mine)
{
  int64_t *count = all->numbers_of_rows;
  memset(count, 0, (size_t)all->ranks * sizeof *count);
  count[all->own] = mine->total;
  floc_status status = ranks_add(&all->cut->ranks, &all->world->env, count, all->ranks);
  all->cut->traffic.meetings++;
  return status == FLOC_OK ? swap_parcels(all, mine, count, true) : status;
}

/* ---- a table from rows ---- */

/* Rows in the order of the whole: those of each rank are so already. */
static floc_status merge_rows(cutting *all, const double ***merged)
{
  const parcels *from = &all->particles;
  int64_t *next = from->next, sum = 0;
  int64_t *end = arena_allocate(&all->world->scratch, (size_t)all->ranks, sizeof *end);
  *merged = arena_allocate(&all->world->scratch, (size_t)from->total + 1, sizeof **merged);
  if (!end || !*merged) return FLOC_OUT_OF_MEMORY;
  for (int32_t r = 0; r < all->ranks; r++) {
    next[r] = sum;
    end[r] = sum += from->count[r];
  }
  for (int64_t k = 0; k < from->total; k++) {
    int32_t first = -1;
    for (int32_t r = 0; r < all->ranks; r++)
      if (next[r] < end[r] &&
          (first < 0 || from->row[(size_t)next[r] * from->width] < from->row[(size_t)next[first] * from->width]))
        first = r;
    (*merged)[k] = from->row + (size_t)next[first]++ * from->width;
  }
  return FLOC_OK;
}

static floc_status reserve_slots(floc_world *world, size_t count)
{
  world_cut *cut = &world->cut;
  environment *env = &world->env;
  floc_status status = array_reserve(env, (void **)&cut->place, &cut->place_capacity, count, sizeof *cut->place);
  if (status == FLOC_OK) status = particles_prepare_ghosts(&world->table);
  for (int axis = 0; axis < 3 && status == FLOC_OK; axis++)
    status =
        array_reserve(env, (void **)&cut->reference[axis], &cut->reference_capacity[axis], count, sizeof(double));
  return status;
}

/* The lists are empty afterwards: slots have other particles. */
static floc_status empty_lists(cutting *all)
{
  const int64_t rows = neighbors_row_count(all->world->near);
  int32_t *none = arena_allocate(&all->world->scratch, (size_t)rows + 1, sizeof *none);
  if (!none) return FLOC_OUT_OF_MEMORY;
  memset(none, -1, (size_t)rows * sizeof *none);
  neighbors_remove(all->world->near, none);
  neighbors_invalidate(all->world->near);
  return FLOC_OK;
}

static floc_status fill_table(cutting *all, bool whole)
{
  floc_world *world = all->world;
  world_cut *cut = all->cut;
  particles *table = &world->table;
  const double **row;
  const int64_t count = all->particles.total;
  int64_t *id = arena_allocate(&world->scratch, (size_t)count + 1, sizeof *id);
  if (!id) return FLOC_OUT_OF_MEMORY;
  floc_status status = merge_rows(all, &row);
  if (status == FLOC_OK) status = empty_lists(all);
  for (int64_t k = 0; k < count && status == FLOC_OK; k++) id[k] = (int64_t)row[k][ID];
  if (status == FLOC_OK) status = particles_take_rows(table, count, id);
  if (status == FLOC_OK && whole) particles_forget_ghosts(table);
  if (status == FLOC_OK && !whole) status = reserve_slots(world, (size_t)count);
  double *numbers = NULL;
  if (status == FLOC_OK)
    status = world->method.over_ranks->make_rows(world->method.state, count, all->numbers > 0, &numbers);
  if (status != FLOC_OK) return status;
  EACH_SLOT(slot, table) {
    double position[3];
    for (int32_t k = 0; k < all->columns; k++) table->column[k][slot] = row[slot][FIRST_COLUMN + k];
    for (int32_t k = 0; k < all->numbers; k++)
      numbers[slot * all->numbers + k] = row[slot][FIRST_COLUMN + all->columns + k];
    if (whole) continue;
    position_of(table, slot, position);
    cut->place[slot] = (int64_t)row[slot][PLACE];
    particles_mark_ghost(table, slot, owner_of(&cut->owners, &world->box, position) != all->own);
    for (int axis = 0; axis < 3; axis++) cut->reference[axis][slot] = position[axis];
  }
  laws_forget_storage(world->forces);
  return laws_follow_cut(world->forces, whole ? NULL : cut->place, count, all->whole);
}

/* New lists, and what pairs remember in them. Those that remember something are within reach of each other. */
static floc_status fill_lists(cutting *all)
{
  floc_world *world = all->world;
  double *reach = arena_allocate(&world->scratch, (size_t)world->table.count + 1, sizeof *reach);
  if (!reach) return FLOC_OUT_OF_MEMORY;
  EACH_SLOT(slot, &world->table) reach[slot] = 0.0;
  const double range = world->method.over_ranks->range(world->method.state, world->forces, all->cut->radius_most);
  bool rebuilt;
  floc_status status =
      neighbors_update(world->near, &world->table, &world->obstacles, &world->box, reach, range, &rebuilt);
  for (int64_t k = 0; k < all->pairs.total && status == FLOC_OK; k++) {
    const double *row = all->pairs.row + (size_t)k * all->pairs.width;
    const bool wall = row[1] < 0.0;
    const int64_t first = particles_find(&world->table, (int64_t)row[0]);
    const int64_t second = wall ? (int64_t)(-1.0 - row[1]) : particles_find(&world->table, (int64_t)row[1]);
    const int64_t entry = first < 0 ? -1 : neighbors_find_entry(world->near, wall, first, second);
    const pair_list *list = wall ? neighbors_walls(world->near) : neighbors_pairs(world->near);
    if (entry < 0 && is_spare(all, row + PAIR_IDS)) continue;
    if (entry < 0)
      return refuse(&world->env, FLOC_NOT_FOUND,
                    "rank %d: particle %.0f remembers something of %s %.0f, which is not near it", all->own, row[0],
                    wall ? "shape" : "particle", wall ? -1.0 - row[1] : row[1]);
    for (int32_t m = 0; m < all->memory; m++) list->memory[m][entry] = row[PAIR_IDS + m];
  }
  return status;
}

/* ---- who tells whom ---- */

/* Owned particles to all whose ghosts they are. place: [ranks] of the next slot; write: else slots are only
 * counted. */
static void list_outs(cutting *all, int64_t *place, bool write)
{
  world_cut *cut = all->cut;
  const particles *table = &all->world->table;
  EACH_OWNED(slot, table) {
    double position[3];
    position_of(table, slot, position);
    const int32_t count =
        owners_near(&cut->owners, &all->world->box, position, cut->near, ++all->mark, all->marks, all->found);
    for (int32_t k = 0; k < count; k++) {
      const int32_t r = all->found[k];
      if (r == all->own) continue;
      if (write) cut->out_slot[place[r]] = (int32_t)slot;
      place[r]++;
    }
  }
}

/* Ghosts from their owners. */
static void list_ins(cutting *all, int64_t *place, bool write)
{
  world_cut *cut = all->cut;
  const particles *table = &all->world->table;
  EACH_SLOT(slot, table) {
    double position[3];
    if (!particles_is_ghost(table, slot)) continue;
    position_of(table, slot, position);
    const int32_t r = owner_of(&cut->owners, &all->world->box, position);
    if (write) cut->in_slot[place[r]] = (int32_t)slot;
    place[r]++;
  }
}

static floc_status make_plan(cutting *all)
{
  world_cut *cut = all->cut;
  environment *env = &all->world->env;
  const size_t ranks = (size_t)all->ranks;
  floc_status status =
      array_reserve(env, (void **)&cut->out_count, &cut->out_count_capacity, ranks, sizeof *cut->out_count);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&cut->in_count, &cut->in_count_capacity, ranks, sizeof *cut->in_count);
  if (status != FLOC_OK) return status;
  memset(cut->out_count, 0, ranks * sizeof *cut->out_count);
  memset(cut->in_count, 0, ranks * sizeof *cut->in_count);
  list_outs(all, cut->out_count, false);
  list_ins(all, cut->in_count, false);
  int64_t *out = all->particles.count, *in = all->particles.next; /* where each rank's slots begin */
  int64_t outs = 0, ins = 0;
  for (size_t r = 0; r < ranks; r++) {
    out[r] = outs;
    in[r] = ins;
    outs += cut->out_count[r];
    ins += cut->in_count[r];
  }
  status = array_reserve(env, (void **)&cut->out_slot, &cut->out_capacity, (size_t)outs, sizeof *cut->out_slot);
  if (status == FLOC_OK)
    status = array_reserve(env, (void **)&cut->in_slot, &cut->in_capacity, (size_t)ins, sizeof *cut->in_slot);
  if (status != FLOC_OK) return status;
  list_outs(all, out, true);
  list_ins(all, in, true);
  return FLOC_OK;
}

/* ---- cutting, and the whole again ---- */

/* status: of this rank until here. All ranks agree before anything is changed, and when all is done. */
floc_status world_cut_renew(floc_world *world, floc_status status)
{
  cutting all;
  const bool was_cut = world->cut.is_cut;
  const int64_t whole = was_cut ? world->cut.whole : world->table.count;
  if (status == FLOC_OK) status = begin_cutting(world, &all);
  all.whole = whole;
  if (status == FLOC_OK) status = pack_particles(&all);
  if (status == FLOC_OK) status = pack_pairs(&all);
  status = ranks_agree(&world->cut.ranks, &world->env, status, NULL, 0);
  if (status != FLOC_OK) return status;
  if (was_cut) status = exchange_all(&all);
  if (status == FLOC_OK) status = fill_table(&all, false);
  world->cut.is_cut = true;
  world->cut.whole = whole;
  world->cut.renewals++;
  world->cut.traffic.meetings += 2;
  if (status == FLOC_OK) status = fill_lists(&all);
  if (status == FLOC_OK) status = make_plan(&all);
  return ranks_agree(&world->cut.ranks, &world->env, status, NULL, 0);
}

/* What this rank owns; a pair comes from the owner of its first particle. */
static floc_status pack_own(cutting *all)
{
  const particles *table = &all->world->table;
  const pair_list *pairs = neighbors_pairs(all->world->near);
  EACH_SLOT(slot, table) all->owner[slot] = -1;
  EACH_OWNED(slot, table) all->owner[slot] = all->own;
  all->particles.count[all->own] = owned_number(table);
  floc_status status = make_rows(all, &all->particles);
  parcels *to = &all->particles;
  if (status != FLOC_OK) return status;
  EACH_OWNED(slot, table) write_particle(all, slot, to->row + (size_t)to->next[all->own]++ * to->width);
  for (int pass = 0; pass < 2 && status == FLOC_OK; pass++) {
    for (int64_t entry = 0; entry < pairs->count; entry++)
      if (all->owner[pairs->first[entry]] >= 0 && remembers(all, pairs, entry))
        send_pair(all, pairs, false, entry, all->own, pass == 1);
    send_pairs(all, true, pass == 1);
    if (pass == 0) status = make_rows(all, &all->pairs);
  }
  return status;
}

floc_status world_cut_gather(floc_world *world)
{
  cutting all;
  floc_status status = begin_cutting(world, &all);
  if (status == FLOC_OK) status = pack_own(&all);
  status = ranks_agree(&world->cut.ranks, &world->env, status, NULL, 0);
  if (status == FLOC_OK) status = gather_all(&all, &all.particles);
  if (status == FLOC_OK) status = gather_all(&all, &all.pairs);
  if (status == FLOC_OK) status = fill_table(&all, true);
  if (status != FLOC_OK) return status;
  world->cut.is_cut = false;
  return fill_lists(&all);
}

void world_cut_free(floc_world *world)
{
  world_cut *cut = &world->cut;
  environment *env = &world->env;
  owners_free(env, &cut->owners);
  array_free(env, (void **)&cut->place, &cut->place_capacity, sizeof *cut->place);
  for (int axis = 0; axis < 3; axis++)
    array_free(env, (void **)&cut->reference[axis], &cut->reference_capacity[axis], sizeof(double));
  array_free(env, (void **)&cut->out_count, &cut->out_count_capacity, sizeof *cut->out_count);
  array_free(env, (void **)&cut->in_count, &cut->in_count_capacity, sizeof *cut->in_count);
  array_free(env, (void **)&cut->out_slot, &cut->out_capacity, sizeof *cut->out_slot);
  array_free(env, (void **)&cut->in_slot, &cut->in_capacity, sizeof *cut->in_slot);
}
