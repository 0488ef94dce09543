/*
 * Patches of contact problems (contacts/solvers/patch_units.h): units of a phase share no body, whatever contacts
 * reach over; what a unit holds does not depend on threads or on the order of storage; what is solved is the same.
 */
#include "support.h"

#include "base/threads/parallel.h"
#include "contacts/solvers/patch_units.h"
#include "failing_allocator.h"
#include "unit_plans.h"

#include "floc/floc.h"

enum { PARTICLES = 4000, COLUMNS = 80, SIDE = 10 /* of a patch, in rows and columns */, MOST = 64 };

static const cloud_options LATTICE = {
    .dimension = 2, .particles = PARTICLES, .seed = 3, .mass_decades = 1, .mass_unit = 1};

/* A lattice of discs, row after row, in squares of SIDE x SIDE; the last ones of all may be in no patch. */
typedef struct scene {
  environment env;
  arena scratch;
  cloud all;
  patch_place place;
  int32_t of[PARTICLES], local[MOST];
  uint8_t parity[MOST];
  uint64_t used[PARTICLES];
  int32_t *contact, *row;
  int64_t count, width;
  patch_cut cut;
  unit_plan plan;
} scene;

static void scene_begin(scene *it, int32_t dimension, bool torn, int32_t threads)
{
  memset(it, 0, sizeof *it);
  it->width = 1;
  it->env = test_environment(threads);
  parallel_call_team(&it->env);
  arena_init(&it->scratch, &it->env);
  cloud_options options = LATTICE;
  options.dimension = dimension;
  options.mass_decades = 0;
  lattice_create(&options, COLUMNS, &it->all);
  if (torn) tear(&it->all, PARTICLES);
  const int32_t along = COLUMNS / SIDE;
  for (int32_t i = 0; i < PARTICLES; i++) {
    const int32_t x = i % COLUMNS / SIDE, y = i / COLUMNS / SIDE;
    it->of[i] = y * along + x;
    it->parity[it->of[i]] = (uint8_t)((x & 1) | (y & 1) << 1);
  }
  it->place = (patch_place){
      .found = true,
      .set = {.count = it->of[PARTICLES - 1] + 1, .covered = PARTICLES, .of = it->of, .parity = it->parity}};
  assert_in_range(it->place.set.count, 30, MOST);
  it->all.problem.patches = &it->place;
  it->count = it->all.problem.contact_count;
  it->contact = must_allocate((size_t)it->count, sizeof *it->contact);
  it->row = must_allocate((size_t)it->count, sizeof *it->row);
  for (int64_t k = 0; k < it->count; k++) it->contact[k] = (int32_t)k;
}

static void scene_end(scene *it)
{
  cloud_free(&it->all);
  free(it->contact);
  free(it->row);
  parallel_dismiss_team(&it->env);
  arena_free(&it->scratch);
}

static void cut(scene *it)
{
  for (int k = 0; k < MOST; k++) it->local[k] = -1;
  it->cut = (patch_cut){&it->env,           &it->all.problem, it->contact,      it->count,
                        .width = it->width, .place = it->row, .used = it->used, .local = it->local};
  assert_ok(&it->env, patch_units_plan(&it->scratch, &it->cut, &it->plan));
  for (int64_t i = 0; i < PARTICLES; i++) assert_true(it->used[i] == 0);
  for (int k = 0; k < MOST && it->plan.grounds == 0; k++) assert_int_equal(it->local[k], -1);
}

static void check(const scene *it)
{
  check_unit_plan(&it->plan, &it->all, PARTICLES, it->count, it->row,
                  units_most(2 * (int64_t)it->cut.met + 1, it->count));
}

/* Without long contacts nothing is left over, and there are four phases; with some there is a rest. */
static void units_share_no_body(void **state)
{
  (void)state;
  for (int torn = 0; torn < 2; torn++) {
    scene it;
    scene_begin(&it, 2, torn, 1);
    cut(&it);
    assert_true(it.plan.grounds == it.place.set.count && it.plan.by_patch);
    check(&it);
    if (!torn) assert_int_equal(it.plan.phases, 4);
    assert_int_equal(it.plan.phases > 4, torn);
    assert_true(it.plan.unit_row[it.plan.phase_unit[1]] > it.count * 7 / 10);
    scene_end(&it);
  }
}

/* A disc that touches two patches of one parity, on both sides of a third one: neither contact is in their phase.
 */
static void what_reaches_over_a_patch_is_left_over(void **state)
{
  (void)state;
  scene it;
  scene_begin(&it, 2, false, 1);
  cut(&it);
  const int64_t rest_before = it.cut.start[2 * it.cut.met + 1] - it.cut.start[2 * it.cut.met];
  assert_int_equal(rest_before, 0);
  const int32_t middle = 15 * COLUMNS + 15, left = middle - 10, right = middle + 10; /* parities 3, 2, 2 */
  assert_true(it.parity[it.of[left]] == it.parity[it.of[right]] && it.of[left] != it.of[right]);
  int32_t changed[2] = {-1, -1};
  for (int64_t a = 0; a < it.count; a++) {
    if (it.all.first[a] == left && changed[0] < 0 && it.all.second[a] >= 0)
      it.all.second[changed[0] = (int32_t)a] = middle;
    if (it.all.first[a] == middle && changed[1] < 0 && it.all.second[a] >= 0)
      it.all.second[changed[1] = (int32_t)a] = right;
  }
  assert_true(changed[0] >= 0 && changed[1] >= 0);
  cut(&it);
  check(&it);
  assert_int_equal(it.cut.start[2 * it.cut.met + 1] - it.cut.start[2 * it.cut.met], 2);
  assert_int_equal(it.plan.phases, 6); /* they share the disc */
  scene_end(&it);
}

/* Bodies in no patch; one whose colours do not suffice; an island within one patch; few patches of many. */
static void what_is_in_no_patch(void **state)
{
  (void)state;
  scene it;
  scene_begin(&it, 2, false, 2);
  it.place.set.covered = PARTICLES - 200;
  cut(&it);
  check(&it);
  assert_true(it.plan.grounds > 0 && it.plan.phases > 4);
  it.place.set.covered = PARTICLES;
  const int64_t all = it.count;
  it.count = 20; /* of the first row */
  cut(&it);
  assert_int_equal(it.plan.grounds, 0);
  it.count = 600;
  cut(&it);
  check(&it);
  assert_in_range(it.plan.grounds, 8, 16);
  it.count = all;
  for (int64_t a = 0; a < all; a++)
    if (it.all.first[a] > 1600 && it.all.first[a] < 1670 && it.all.second[a] >= 0) it.all.second[a] = 1605;
  cut(&it);
  assert_int_equal(it.plan.grounds, 0);
  scene_end(&it);
}

static void threads_cut_alike(void **state)
{
  (void)state;
  scene *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  scene_begin(one, 2, true, 1);
  cut(one);
  for (int32_t threads = 2; threads <= 8; threads *= 2) {
    scene_begin(other, 2, true, threads);
    cut(other);
    assert_memory_equal(other->row, one->row, (size_t)one->count * sizeof *one->row);
    scene_end(other);
  }
  scene_end(one);
  free(one);
  free(other);
}

typedef struct solution {
  double impulse[4 * PARTICLES], velocity[3][PARTICLES];
  contact_report report;
} solution;

static void solve(int32_t dimension, bool torn, bool by_patch, int32_t threads, solution *found)
{
  scene it;
  scene_begin(&it, dimension, torn, threads);
  if (!by_patch) it.all.problem.patches = NULL;
  memset(found, 0, sizeof *found);
  assert_ok(&it.env, cloud_solve(&it.env, &it.all, FLOC_SOLVER_AUTO, 1e-5, 4000, &found->report));
  double difference, residual = cloud_audit(&it.all, &difference);
  assert_close(residual, found->report.residual, 1e-9);
  assert_true(difference < 1e-9 && found->report.converged);
  memcpy(found->impulse, it.all.impulse, (size_t)it.count * sizeof(double));
  for (int axis = 0; axis < dimension; axis++)
    memcpy(found->velocity[axis], it.all.velocity[axis], sizeof found->velocity[axis]);
  scene_end(&it);
}

/* Velocities are unique: those of another cut are the same to the tolerance over the time step. */
static void patches_solve_what_colours_solve(void **state)
{
  (void)state;
  solution *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int torn = 0; torn < 2; torn++) {
      solve(dimension, torn, true, 1, one);
      for (int32_t threads = torn ? 2 : 3; threads <= 8; threads *= torn ? 2 : 3) {
        solve(dimension, torn, true, threads, other);
        assert_memory_equal(other, one, sizeof *one);
      }
      solve(dimension, torn, false, 1, other);
      double greatest = 0.0;
      for (int axis = 0; axis < dimension; axis++)
        for (int64_t i = 0; i < PARTICLES; i++)
          greatest = fmax(greatest, fabs(one->velocity[axis][i] - other->velocity[axis][i]));
      assert_true(greatest > 0.0 && greatest < 3e-2); /* they are thrown about by 0.3 */
    }
  free(one);
  free(other);
}

static void memory_may_fail(void **state)
{
  (void)state;
  scene it;
  scene_begin(&it, 2, true, 1);
  bool refused = true;
  int64_t failures = 0;
  for (; refused; failures++) {
    failing_allocator memory;
    environment env = failing_environment(&memory, failures + 1);
    contact_report report;
    floc_status status = cloud_solve(&env, &it.all, FLOC_SOLVER_AUTO, 1e-2, 2, &report);
    refused = memory.calls > failures;
    assert_int_equal(status, refused ? FLOC_OUT_OF_MEMORY : FLOC_OK);
    assert_true(failures < 200 && memory.bytes == 0);
  }
  assert_true(failures > 3);
  scene_end(&it);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_share_no_body),
      cmocka_unit_test(what_reaches_over_a_patch_is_left_over),
      cmocka_unit_test(what_is_in_no_patch),
      cmocka_unit_test(threads_cut_alike),
      cmocka_unit_test(patches_solve_what_colours_solve),
      cmocka_unit_test(memory_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
