/*
 * engine/base/threads/pool.c and engine/world_threads.c: threads that the host lends. Every golden scenario has the
 * golden hash with a pool that does all tasks in turn, backwards, one that has threads of its own, and ones that do
 * it wrong, as far as they get.
 */
#include "support_world.h"

#include "world/scenarios.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { HELPERS = 3, MANY = 3000 };

/* ---- pools of hosts ---- */

typedef struct host {
  pthread_t thread[HELPERS];
  pthread_mutex_t lock;
  pthread_cond_t news, done;
  floc_task task;
  void *argument;
  int32_t count, next, finished, busy;
  bool over;
  long runs, tasks;
  int32_t wrong_from; /* runs before the first wrong one */
} host;

static bool take_one(host *it)
{
  if (it->next >= it->count) return false;
  int32_t index = it->next++;
  it->busy++;
  pthread_mutex_unlock(&it->lock);
  it->task(it->argument, index);
  pthread_mutex_lock(&it->lock);
  it->busy--;
  if (++it->finished == it->count || it->busy == 0) pthread_cond_signal(&it->done);
  return true;
}

static void *help(void *context)
{
  host *it = context;
  pthread_mutex_lock(&it->lock);
  while (!it->over)
    if (!take_one(it)) pthread_cond_wait(&it->news, &it->lock);
  pthread_mutex_unlock(&it->lock);
  return NULL;
}

static void run_on_threads(void *context, floc_task task, void *argument, int32_t count)
{
  host *it = context;
  pthread_mutex_lock(&it->lock);
  it->task = task;
  it->argument = argument;
  it->count = count;
  it->next = it->finished = 0;
  it->runs++;
  it->tasks += count;
  pthread_cond_broadcast(&it->news);
  while (take_one(it)) {
  }
  while (it->finished < it->count) pthread_cond_wait(&it->done, &it->lock);
  it->count = it->next = 0;
  pthread_mutex_unlock(&it->lock);
}

static void run_backwards(void *context, floc_task task, void *argument, int32_t count)
{
  host *it = context;
  it->runs++;
  for (int32_t k = count - 1; k >= 0; k--) task(argument, k);
}

static bool is_wrong_now(host *it)
{
  return it->runs++ >= it->wrong_from;
}

static void run_skipping(void *context, floc_task task, void *argument, int32_t count)
{
  int32_t skipped = is_wrong_now(context) ? count / 2 : -1;
  for (int32_t k = 0; k < count; k++)
    if (k != skipped) task(argument, k);
}

static void run_twice(void *context, floc_task task, void *argument, int32_t count)
{
  int32_t twice = is_wrong_now(context) ? count / 2 : -1;
  for (int32_t k = 0; k < count; k++) {
    task(argument, k);
    if (k == twice) task(argument, k);
  }
}

static void run_beyond(void *context, floc_task task, void *argument, int32_t count)
{
  for (int32_t k = 0; k < count; k++) task(argument, k);
  if (is_wrong_now(context)) task(argument, count);
}

/* Leaves the tasks to the helpers and returns at once. */
static void run_without_waiting(void *context, floc_task task, void *argument, int32_t count)
{
  host *it = context;
  pthread_mutex_lock(&it->lock);
  it->task = task;
  it->argument = argument;
  it->count = count;
  it->next = it->finished = 0;
  it->runs++;
  pthread_cond_broadcast(&it->news);
  pthread_mutex_unlock(&it->lock);
}

static void host_begin(host *it)
{
  memset(it, 0, sizeof *it);
  pthread_mutex_init(&it->lock, NULL);
  pthread_cond_init(&it->news, NULL);
  pthread_cond_init(&it->done, NULL);
  for (int k = 0; k < HELPERS; k++) assert_int_equal(pthread_create(&it->thread[k], NULL, help, it), 0);
}

/* Tasks that were not waited for: none begins, and those at work end. */
static void host_rest(host *it)
{
  pthread_mutex_lock(&it->lock);
  it->next = it->count;
  while (it->busy > 0) pthread_cond_wait(&it->done, &it->lock);
  pthread_mutex_unlock(&it->lock);
}

static void host_end(host *it)
{
  pthread_mutex_lock(&it->lock);
  it->over = true;
  pthread_cond_broadcast(&it->news);
  pthread_mutex_unlock(&it->lock);
  for (int k = 0; k < HELPERS; k++) pthread_join(it->thread[k], NULL);
  pthread_cond_destroy(&it->done);
  pthread_cond_destroy(&it->news);
  pthread_mutex_destroy(&it->lock);
}

static void lend(floc_world *world, host *it, int32_t threads, floc_run_function run)
{
  floc_thread_pool pool;
  floc_thread_pool_init(&pool);
  pool.threads = threads;
  pool.context = it;
  pool.run = run;
  assert_world_ok(world, floc_world_set_thread_pool(world, &pool));
}

/* ---- the same bits ---- */

static void every_scenario_has_its_golden_hash(void **state)
{
  (void)state;
  static const floc_run_function run[] = {run_backwards, run_on_threads};
  host it;
  host_begin(&it);
  for (int k = 0; k < SCENARIO_COUNT; k++) {
    for (size_t r = 0; r < sizeof run / sizeof *run; r++) {
      floc_world *world;
      assert_int_equal(scenario_create(&scenarios[k], 1, NULL, NULL, &world), FLOC_OK);
      lend(world, &it, HELPERS + 1, run[r]);
      assert_world_ok(world, scenario_run(world, scenarios[k].steps));
      uint64_t hash = world_hash(world);
      if (hash != scenarios[k].golden)
        fail_msg("%s: hash 0x%016" PRIx64 ", golden 0x%016" PRIx64, scenarios[k].name, hash, scenarios[k].golden);
      floc_world_destroy(world);
    }
  }
  assert_true(it.runs > 0 && it.tasks > 0); /* they are small; a crowd follows */
  host_end(&it);
}

/* ---- pools that do it wrong ---- */

static floc_world *crowd(int32_t threads)
{
  floc_world *world = make_world(2, 0.01, -1.0, threads);
  add_segment(world, NULL, -200.0, -1.0, 200.0, -1.0);
  insert_box(world, MANY, 0.0, 0.0, 100.0, 100.0, 0.3, 0.5);
  return world;
}

static uint64_t hash_after(int steps, host *it, floc_run_function run)
{
  floc_world *world = crowd(1);
  if (run) lend(world, it, HELPERS + 1, run);
  run_steps(world, steps);
  uint64_t hash = world_hash(world);
  floc_world_destroy(world);
  return hash;
}

static void a_crowd_has_the_same_bits(void **state)
{
  (void)state;
  enum { STEPS = 30 };
  uint64_t expected = hash_after(STEPS, NULL, NULL);
  host it;
  host_begin(&it);
  assert_true(hash_after(STEPS, &it, run_backwards) == expected);
  long runs = it.runs;
  assert_true(hash_after(STEPS, &it, run_on_threads) == expected);
  assert_true(runs > 20 * STEPS && it.runs == 2 * runs && it.tasks > 2 * runs);
  host_end(&it);
}

/* ---- crowds whose loops are all cut ---- */

enum { CROWD = 20000, CROWD_STEPS = 2 };

static void fill_crowd(floc_world *world)
{
  const double side = 160.0;
  add_segment(world, NULL, 0.0, -1.0, side, -1.0);
  add_segment(world, NULL, 0.0, 0.5 * side, side, 0.6 * side);
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = CROWD;
  options.region_upper[0] = options.region_upper[1] = side;
  options.radius_lower = 0.3;
  options.radius_upper = 0.5;
  options.velocity_spread = 20.0; /* contacts at once */
  assert_world_ok(world, floc_particles_insert(world, &options, NULL));
}

/* A linear spring in the first input, for pairs and walls; a force for fields. */
static floc_status spring(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = -0.1 * inputs[0][k];
  return FLOC_OK;
}

static floc_status spring_to_middle(void *context, int32_t count, const double *const *inputs,
                                    double *const *outputs)
{
  for (int32_t k = 0; k < count; k++) outputs[1][k] = 0.0;
  return spring(context, count, inputs, outputs);
}

static void add_laws(floc_world *world)
{
  static const char *const overlap[] = {"overlap"}, *const x[] = {"x"};
  floc_law_options law;
  floc_law_options_init(&law);
  law.inputs = overlap;
  law.input_count = law.output_count = 1;
  law.range = 0.3;
  law.function = spring;
  law.parallel = true;
  assert_world_ok(world, floc_pair_law_add(world, &law, NULL));
  assert_world_ok(world, floc_wall_law_add(world, &law, NULL));
  law.inputs = x;
  law.output_count = 2;
  law.range = 0.0;
  law.function = spring_to_middle;
  assert_world_ok(world, floc_field_add(world, &law, NULL));
}

static void add_surroundings(floc_world *world)
{
  floc_flow_options flow;
  floc_flow_options_init(&flow);
  flow.kind = FLOC_FLOW_SHEAR;
  flow.relaxation_time = 0.2;
  flow.frequency = 3.0;
  floc_noise_options noise;
  floc_noise_options_init(&noise);
  noise.sigma = 0.02;
  assert_world_ok(world, floc_world_set_flow(world, &flow));
  assert_world_ok(world, floc_world_set_noise(world, &noise));
}

static void sticky(floc_world *world)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.contact_law = FLOC_CONTACT_GLUEY;
  options.gamma_min = -0.5;
  floc_attraction_options attraction;
  floc_attraction_options_init(&attraction);
  attraction.kappa = 0.02;
  attraction.epsilon = 0.05;
  assert_world_ok(world, floc_world_set_projection(world, &options));
  assert_world_ok(world, floc_attraction_add(world, &attraction, NULL));
  add_surroundings(world);
}

static void rough(floc_world *world)
{
  floc_projection_options options;
  floc_projection_options_init(&options);
  options.friction = 0.4;
  options.restitution = 0.3;
  assert_world_ok(world, floc_world_set_projection(world, &options));
  add_laws(world);
}

static void soft(floc_world *world)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.rotation = true;
  options.friction = FLOC_FRICTION_REGULARIZED;
  options.stiffness = 1e5;
  options.bond_law = FLOC_BOND_PERSISTENT;
  options.attraction = 0.1;
  options.near_field_range = 0.3;
  options.adaptive = false;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
}

static void soft_in_a_bath(floc_world *world)
{
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.stiffness = 1e5;
  assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  add_surroundings(world);
  add_laws(world);
}

/* With the thread sanitizer these find races: a lent pool takes every loop of more than one block. */
static void all_loops_have_the_same_bits(void **state)
{
  (void)state;
  static void (*const choose[])(floc_world *) = {sticky, rough, soft, soft_in_a_bath};
  host it;
  host_begin(&it);
  for (size_t k = 0; k < sizeof choose / sizeof *choose; k++) {
    uint64_t hash[2];
    for (int lent = 0; lent < 2; lent++) {
      bool hard = choose[k] == sticky || choose[k] == rough;
      floc_world *world = make_world(2, hard ? 0.02 : 1e-3, -10.0, 1);
      choose[k](world);
      fill_crowd(world);
      if (lent) lend(world, &it, HELPERS + 1, run_on_threads);
      run_steps(world, CROWD_STEPS);
      hash[lent] = world_hash(world);
      floc_world_destroy(world);
    }
    if (hash[0] != hash[1]) fail_msg("crowd %zu has other bits on several threads", k);
  }
  host_end(&it);
}

/* The faulty run may be any of a step's, the first, one in the middle, the last. The step is undone, or it is right
 * and the next is refused; with a good pool the run continues to the same bits. A function that does not wait is no
 * fault where the tasks are done before it returns, as they may be on a machine that is busy. */
static void faults_are_found_and_harmless(void **state)
{
  (void)state;
  static const struct {
    floc_run_function run;
    const char *says;
  } cases[] = {{run_skipping, "did not run index "},
               {run_twice, "more than once"},
               {run_beyond, "counted from 0"},
               {run_without_waiting, "the thread pool "}};
  enum { STEPS = 6 };
  uint64_t expected = hash_after(STEPS, NULL, NULL), one_more = hash_after(STEPS + 1, NULL, NULL);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    for (int32_t from = 0; from < 120; from += SLOWED ? 51 : 17) {
      host it;
      host_begin(&it);
      it.wrong_from = from;
      floc_world *world = crowd(1);
      lend(world, &it, HELPERS + 1, cases[c].run);
      floc_status status = FLOC_OK;
      int done = 0;
      while (status == FLOC_OK && done < STEPS) {
        status = floc_world_step(world);
        done += status == FLOC_OK;
      }
      if (status == FLOC_OK) { /* so few runs in a step, or the wrong one was the last */
        status = floc_world_step(world);
        done += status == FLOC_OK;
      }
      bool may_be_fine = cases[c].run == run_without_waiting;
      if (status == FLOC_OK && may_be_fine) {
        assert_true(world_hash(world) == one_more);
        host_rest(&it);
        floc_world_destroy(world);
        host_end(&it);
        continue;
      }
      if (status != FLOC_CALLBACK_FAILED || !strstr(floc_world_message(world), cases[c].says))
        fail_msg("case %zu from %d, %d steps: %s: %s", c, from, done, floc_status_name(status),
                 floc_world_message(world));
      assert_int_equal(floc_world_step(world), FLOC_CALLBACK_FAILED); /* and so it stays */
      assert_true(done < STEPS || may_be_fine);
      host_rest(&it);
      lend(world, &it, 2, run_backwards);
      run_steps(world, STEPS - done);
      assert_true(world_hash(world) == expected);
      floc_world_destroy(world);
      host_end(&it);
    }
  }
}

/* ---- what is asked of the host ---- */

static void wrong_pools_are_refused(void **state)
{
  (void)state;
  host it = {.runs = 0};
  floc_world *world = crowd(2);
  floc_thread_pool pool;
  floc_thread_pool_init(&pool);
  pool.run = run_backwards;
  pool.context = &it;
  static const int32_t threads[] = {0, -1, 257};
  for (int k = 0; k < 3; k++) {
    pool.threads = threads[k];
    assert_int_equal(floc_world_set_thread_pool(world, &pool), FLOC_INVALID_ARGUMENT);
    assert_non_null(strstr(floc_world_message(world), "between 1 and 256"));
  }
  pool.threads = 4;
  pool.run = NULL;
  assert_int_equal(floc_world_set_thread_pool(world, &pool), FLOC_INVALID_ARGUMENT);
  assert_string_equal(floc_world_message(world), "pool.run is NULL");
  assert_int_equal(floc_world_set_thread_pool(NULL, &pool), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

static int32_t threads_of(floc_world *world)
{
  floc_world_info info = {.struct_size = sizeof info};
  assert_world_ok(world, floc_world_get_info(world, &info));
  return info.threads;
}

static void own_threads_come_back(void **state)
{
  (void)state;
  host it = {.runs = 0};
  floc_world *world = crowd(2);
  assert_world_ok(world, floc_world_set_thread_pool(world, NULL)); /* there was none */
  run_steps(world, 1);
  lend(world, &it, 5, run_backwards);
  lend(world, &it, 7, run_backwards);
  assert_int_equal(threads_of(world), 7);
  assert_int_equal(floc_world_set_threads(world, 3), FLOC_WRONG_STATE);
  run_steps(world, 1);
  long runs = it.runs;
  assert_true(runs > 0);
  assert_world_ok(world, floc_world_set_thread_pool(world, NULL));
  assert_int_equal(threads_of(world), 2);
  assert_world_ok(world, floc_world_set_threads(world, 3));
  run_steps(world, 1);
  assert_int_equal(it.runs, runs);
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scenario_has_its_golden_hash),
                                     cmocka_unit_test(a_crowd_has_the_same_bits),
                                     cmocka_unit_test(all_loops_have_the_same_bits),
                                     cmocka_unit_test(faults_are_found_and_harmless),
                                     cmocka_unit_test(wrong_pools_are_refused),
                                     cmocka_unit_test(own_threads_come_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
