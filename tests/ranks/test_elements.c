/*
 * Discrete elements over several ranks: the same bits as alone. Run by mpirun with 1, 2 and 3 ranks. A crowd of
 * spheres with friction and rotation falls through a box, periodic across, onto a floor and about a body that moves
 * through it, so that particles change hands with what their pairs remember. Each rank makes the run alone, too, in
 * another world, and holds hash, columns, reports and files of both against each other.
 *
 * FLOC_RANKS_PARTICLES, _STEPS, _THREADS, _PATCH, _GRAVITY, _SHUFFLE (of owners), _ALL (noise and attraction, too,
 * and the body turns): another size, for the numbers in
 * docs/ranks.md; then ranks print hash and traffic, and nothing is compared.
 */
#include "crowd.h"

#include <time.h>

static int particles_wanted(void)
{
  return number_of("FLOC_RANKS_PARTICLES", SLOWED ? 300 : 500);
}

/* slick: without friction, by the loops that springs do not need; general: by the loop for any law. */
typedef enum law_kind { FRICTION, SLICK, GENERAL } law_kind;

static void choose_law(floc_world *world, int kind)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = 2e3;
  options.damping = 2.0;
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.rotation = kind != SLICK;
  options.friction = kind == SLICK ? FLOC_FRICTION_NONE : FLOC_FRICTION_SPRING;
  options.friction_stiffness = 1e3;
  options.friction_static = 0.5;
  options.friction_dynamic = kind == GENERAL ? 0.3 : 0.5;
  options.rolling_friction = kind == GENERAL ? 0.1 : 0.0;
  options.rolling_stiffness = 500.0;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
}

static void choose_all(floc_world *world, int kind)
{
  choose_law(world, kind);
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = 0.01;
  assert_world_ok(world, floc_world_set_noise(world, &noise));
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = 0.01;
  attraction.epsilon = 0.02;
  assert_world_ok(world, floc_attraction_add(world, &attraction, NULL));
}

static floc_world *make_crowd(owners how, law_kind kind)
{
  if (number_of("FLOC_RANKS_ALL", 0)) return crowd_make(how, particles_wanted(), choose_all, (int)kind);
  return crowd_make(how, particles_wanted(), choose_law, (int)kind);
}

/* While the world is cut each particle is owned by one rank, and what ranks measure of their parts adds up. */
static void assert_parts_add_up(floc_world *shared, floc_world *alone)
{
  const particles *table = &shared->table;
  if (ranks.count == 1) return;
  int64_t owned[2] = {owned_number(table), 0}, bytes[8];
  double part, parts[8], sum = 0.0, whole;
  assert_true(owned[0] < table->count);
  EACH_OWNED(slot, table) owned[1] += table->id[slot];
  measure_source source = world_measure_source(shared);
  assert_int_equal(measure_by_name(&source, "kinetic_energy", &part), FLOC_OK);
  for (int r = 0; r < ranks.count; r++) bytes[r] = sizeof part;
  assert_int_equal(ranks.add(ranks.context, owned, 2), 0);
  assert_int_equal(ranks.gather(ranks.context, &part, parts, bytes), 0);
  assert_world_ok(alone, floc_measure(alone, "kinetic_energy", &whole));
  const int64_t count = alone->table.count;
  assert_int_equal(owned[0], count);
  assert_int_equal(owned[1], count * (count + 1) / 2);
  for (int r = 0; r < ranks.count; r++) sum += parts[r];
  assert_close(sum, whole, 1e-12 * whole);
}

/* All laws; what is looked at in the middle does not change a bit. */
static void test_same_bits(void **state)
{
  (void)state;
  const int steps = number_of("FLOC_RANKS_STEPS", SLOWED ? 60 : 100);
  for (law_kind kind = FRICTION; kind <= GENERAL; kind++) {
    floc_world *shared = make_crowd(OVER_RANKS, kind), *alone = make_crowd(ALONE, kind);
    run(shared, steps);
    run(alone, steps);
    assert_int_equal(shared->cut.is_cut, ranks.count > 1);
    const int64_t moved = shared->cut.moved;
    assert_parts_add_up(shared, alone);
    assert_same_reports(alone, shared);
    assert_null(shared->table.ghost);
    assert_same_bodies(alone, shared);
    assert_true(hash_of(alone) == hash_of(shared));
    run(shared, steps / 4);
    run(alone, steps / 4);
    assert_true(hash_of(alone) == hash_of(shared));
    double all = (double)moved;
    if (ranks.count > 1) assert_int_equal(ranks.maximum(ranks.context, &all, 1), 0);
    assert_true(ranks.count == 1 || all > 0.0); /* some particles have come into other hands */
    floc_world_destroy(shared);
    floc_world_destroy(alone);
  }
}

/* Owners that change in the middle do not change a bit; too few ghosts do. */
static void test_other_owners(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  const int steps = SLOWED ? 20 : 25;
  floc_world *shared = make_crowd(OVER_RANKS, FRICTION), *alone = make_crowd(ALONE, FRICTION);
  floc_world *poor = make_crowd(OVER_RANKS, FRICTION);
  poor->cut.near_part = 0.3;
  uint64_t hash = 0;
  for (int turn = 0; turn < 3; turn++) {
    shared->cut.turn = turn;
    run(shared, steps);
    run(alone, steps);
    hash = hash_of(shared);
    assert_true(hash == hash_of(alone));
  }
  bool differs = false;
  for (int step = 0; step < 3 * steps && !differs; step++) differs = floc_world_step(poor) != FLOC_OK;
  if (!differs) differs = hash_of(poor) != hash;
  assert_true(differs);
  floc_world_destroy(shared);
  floc_world_destroy(alone);
  floc_world_destroy(poor);
}

static size_t read_file(const char *path, unsigned char **bytes)
{
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  *bytes = malloc(size + 1);
  const size_t got = fread(*bytes, 1, size, file);
  fclose(file);
  return got;
}

/* Every rank writes the same file; alone the run continues from it with the same bits, and so do ranks. */
static void test_files(void **state)
{
  (void)state;
  const int steps = SLOWED ? 20 : 30;
  char path[64];
  snprintf(path, sizeof path, "test_ranks_%d_%d.floc", ranks.count, ranks.number);
  floc_world *shared = make_crowd(OVER_RANKS, FRICTION), *alone = make_crowd(ALONE, FRICTION);
  floc_world *resumed = make_crowd(OVER_RANKS, FRICTION);
  run(shared, steps);
  assert_world_ok(shared, floc_world_save(shared, path, 1));
  assert_world_ok(alone, floc_world_load(alone, path));
  assert_world_ok(resumed, floc_world_load(resumed, path));
  run(shared, steps);
  run(alone, steps);
  run(resumed, steps);
  assert_true(hash_of(alone) == hash_of(shared));
  assert_true(hash_of(alone) == hash_of(resumed));
  unsigned char *own = NULL, *first = NULL;
  const size_t size = read_file(path, &own);
  int64_t sizes[1] = {(int64_t)size};
  if (ranks.count > 1) assert_int_equal(ranks.broadcast(ranks.context, sizes, sizeof sizes), 0);
  assert_int_equal(sizes[0], (int64_t)size);
  first = malloc(size);
  memcpy(first, own, size);
  if (ranks.count > 1) assert_int_equal(ranks.broadcast(ranks.context, first, sizes[0]), 0);
  assert_memory_equal(first, own, size);
  free(own), free(first);
  remove(path);
  floc_world_destroy(shared);
  floc_world_destroy(alone);
  floc_world_destroy(resumed);
}

/* ---- what goes wrong ---- */

/* On one rank alone: the others are told, and nothing was done. */
static void *fail_at_will(void *context, void *pointer, size_t old_size, size_t new_size)
{
  int *left = context;
  if (new_size > old_size && *left > 0 && --*left == 0) return NULL;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, new_size);
}

/* Wherever memory is refused to one rank, all hear of it: the same status on all, and no rank waits for ever. */
static void test_no_memory(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  for (int nth = 1; nth < 40; nth += SLOWED ? 9 : 7) {
    int left = 0;
    allocator = fail_at_will;
    allocator_context = &left;
    floc_world *world = make_crowd(OVER_RANKS, FRICTION);
    allocator = NULL;
    run(world, 1);
    if (ranks.number == ranks.count - 1) left = nth;
    for (int step = 0; step < 3; step++) {
      double status[2] = {(double)floc_world_step(world), 0.0};
      status[1] = -status[0];
      assert_int_equal(ranks.maximum(ranks.context, status, 2), 0);
      assert_true(status[0] == -status[1] && (status[0] == FLOC_OK || status[0] == FLOC_OUT_OF_MEMORY || step > 0));
    }
    left = 0;
    double energy;
    const bool is_lost = world->cut.is_cut && world->cut.is_lost;
    if (is_lost) assert_int_equal(floc_measure(world, "kinetic_energy", &energy), FLOC_WRONG_STATE);
    floc_world_destroy(world);
  }
}

static int always(void *context)
{
  return *(int *)context;
}

/* One rank wants to stop: all stop at the same step, and can continue. */
static void test_interruption(void **state)
{
  (void)state;
  int wanted = 0;
  floc_world *shared = make_crowd(OVER_RANKS, FRICTION), *alone = make_crowd(ALONE, FRICTION);
  assert_world_ok(shared, floc_world_set_interrupt(shared, always, &wanted));
  run(shared, 10);
  wanted = ranks.number == ranks.count - 1;
  assert_int_equal(floc_world_step(shared), FLOC_INTERRUPTED);
  wanted = 0;
  run(shared, 10);
  run(alone, 20);
  assert_true(hash_of(alone) == hash_of(shared));
  floc_world_destroy(shared);
  floc_world_destroy(alone);
}

static void test_refusals(void **state)
{
  (void)state;
  if (ranks.count == 1) return;
  floc_world *world = make_crowd(OVER_RANKS, FRICTION);
  floc_discrete_element_options options;
  static const struct {
    const char *says;
    int which;
  } wrong[] = {{"trapezoidal", 0}, {"near_field_range is infinite", 1}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    floc_discrete_element_options_init(&options);
    if (wrong[k].which > 0) options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
    if (wrong[k].which == 1) options.attraction = 1.0;
    assert_world_ok(world, floc_world_set_discrete_element(world, &options));
    assert_int_equal(floc_world_step(world), FLOC_NOT_SUPPORTED);
    if (!strstr(floc_world_message(world), wrong[k].says)) fail_msg("%s", floc_world_message(world));
  }
  choose_law(world, FRICTION);
  run(world, 2);
  floc_world_destroy(world);
}

static void measure(void)
{
  const int steps = number_of("FLOC_RANKS_STEPS", 200), shuffle = number_of("FLOC_RANKS_SHUFFLE", 0);
  floc_world *shared = make_crowd(ranks.count > 1 ? OVER_RANKS : ALONE, FRICTION);
  run(shared, 2);
  ranks_traffic before = shared->cut.traffic;
  const clock_t begin = clock();
  for (int step = 2; step < steps; step++) {
    if (shuffle > 0 && step % shuffle == 0) {
      hash_of(shared);
      shared->cut.turn++;
    }
    run(shared, 1);
  }
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  const ranks_traffic after = shared->cut.traffic;
  const int64_t held = shared->table.count, renewals = shared->cut.renewals, moved = shared->cut.moved;
  const uint64_t hash = hash_of(shared);
  printf(
      "rank %d of %d, threads %d: hash %016llx, held %lld of %lld, %lld renewals, %lld moved away; per step: %.2f "
      "meetings, %.2f exchanges, %.0f bytes; %.0f ns of CPU per particle held\n",
      ranks.number, ranks.count, number_of("FLOC_RANKS_THREADS", 1), (unsigned long long)hash, (long long)held,
      (long long)shared->table.count, (long long)renewals, (long long)moved,
      (double)(after.meetings - before.meetings) / (steps - 2),
      (double)(after.exchanges - before.exchanges) / (steps - 2),
      (double)(after.bytes - before.bytes) / (steps - 2), 1e9 * seconds / (steps - 2) / (double)held);
  floc_world_destroy(shared);
}

int main(void)
{
  mpi_module mpi;
  const int refused = mpi_start(&mpi, &ranks);
  if (refused) return refused;
  int failures = 0;
  if (getenv("FLOC_RANKS_PARTICLES")) {
    measure();
  } else {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_other_owners),
                                       cmocka_unit_test(test_files),        cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_interruption), cmocka_unit_test(test_refusals)};
    failures = cmocka_run_group_tests(tests, NULL, NULL);
  }
  mpi.end(mpi.meet(failures));
  return failures;
}
