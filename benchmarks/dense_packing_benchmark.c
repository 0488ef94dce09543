/*
 * A dense dry packing of spheres at rest in a periodic box: Hooke's spring and dashpot, accumulated Coulomb
 * friction, rotation, velocity Verlet. A packing of 2000 is made by letting spheres grow, brought to rest,
 * and repeated 1, 16 and 128 times: 2,000, 32,000 and 256,000 particles.
 *
 *   dense_packing_benchmark [threads 1] [largest tiling 128] [volume fraction 0.64] [PROGRAMS]
 *   dense_packing_benchmark write FILE       the packing alone, as a state (state_file.h), for other codes
 *
 * With PROGRAMS (made by floc run law_benchmark.lua) each packing is also run with the whole contact law as a
 * traced Lua function, three times in turn, and the median of the ratios of CPU times is printed.
 *
 * Prints million particle-steps per second of user CPU, and the most memory per particle that was asked of
 * the allocator, by module.
 */
#include "base/numbers/random.h"
#include "schemes/discrete_element/discrete_element.h"
#include "state_file.h"
#include "stored_program.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE_COUNT = 2000, ROUNDS = 3 };

static const double RADIUS = 0.5, MASS = 1.0, STIFFNESS = 2e5, STEP = 1e-4;

typedef struct counting_allocator {
  size_t present, greatest;
} counting_allocator;

static void *allocate_counting(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counting_allocator *memory = context;
  void *made = default_allocate(NULL, pointer, old_size, new_size);
  if (new_size > 0 && !made) return NULL;
  memory->present += new_size - (pointer ? old_size : 0);
  if (memory->present > memory->greatest) memory->greatest = memory->present;
  return made;
}

enum { OF_PARTICLES, OF_NEIGHBORS, OF_SCHEME, OF_SCRATCH, ROOMS };

typedef struct packing {
  counting_allocator memory[ROOMS]; /* each module has an environment of its own, to see what it takes */
  environment room[ROOMS];
  environment env;
  arena scratch;
  particles table;
  bodies obstacles;
  neighbors *near;
  laws *forces;
  domain box;
  scheme method;
  floc_step_report report;
  int64_t step;
} packing;

static void fail(const packing *p, const char *what)
{
  fprintf(stderr, "%s: %s%s%s\n", what, p->env.message, p->room[OF_NEIGHBORS].message, p->room[OF_SCRATCH].message);
  exit(1);
}

static void set_box(packing *p, const double length[3])
{
  p->box = (domain){.dimension = 3};
  for (int k = 0; k < 3; k++) {
    p->box.boundary[k] = FLOC_BOUNDARY_PERIODIC;
    p->box.upper[k] = p->box.length[k] = length[k];
  }
}

static void add_law(packing *p, const floc_program_options *code)
{
  static const char *const inputs[] = {"overlap",  "normal_velocity", "slip_x",   "slip_y",
                                       "slip_z",   "normal_x",        "normal_y", "normal_z",
                                       "spring_x", "spring_y",        "spring_z", "time_step"};
  static const char *const outputs[] = {"normal",   "tangential_x", "tangential_y", "tangential_z",
                                        "spring_x", "spring_y",     "spring_z"};
  floc_law_options law = {.struct_size = sizeof law,
                          .name = "friction",
                          .inputs = inputs,
                          .input_count = 12,
                          .outputs = outputs,
                          .output_count = 7,
                          .memory = inputs + 8,
                          .memory_count = 3,
                          .program = code};
  int32_t number;
  if (laws_add(p->forces, &p->table, p->near, FLOC_LAW_PAIR, &law, &number) != FLOC_OK) fail(p, "law");
}

/* law: the contact law, or NULL: the scheme's own. */
static void begin_packing(packing *p, int32_t threads, double damping, double friction,
                          const floc_program_options *law)
{
  memset(p, 0, sizeof *p);
  for (int k = 0; k < ROOMS; k++)
    p->room[k] =
        (environment){.allocate = allocate_counting, .allocate_context = &p->memory[k], .threads = threads};
  p->env = p->room[OF_SCHEME];
  arena_init(&p->scratch, &p->room[OF_SCRATCH]);
  particles_init(&p->table, &p->room[OF_PARTICLES]);
  bodies_init(&p->obstacles, &p->env, 3);
  if (neighbors_create(&p->room[OF_NEIGHBORS], 3, &p->near) != FLOC_OK) fail(p, "neighbors");
  if (laws_create(&p->env, 3, &p->forces) != FLOC_OK) fail(p, "laws");
  floc_discrete_element_options options;
  floc_discrete_element_options_init(&options);
  options.contact_force = FLOC_CONTACT_FORCE_HOOKE;
  options.stiffness = STIFFNESS;
  options.damping = damping;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = 2.0 / 7.0 * STIFFNESS;
  options.friction_damping = 0.5 * damping;
  options.friction_static = options.friction_dynamic = friction;
  options.rotation = true;
  options.integrator = FLOC_INTEGRATOR_VELOCITY_VERLET;
  if (law) {
    options.contact_force = FLOC_CONTACT_FORCE_NONE;
    options.friction = FLOC_FRICTION_NONE;
  }
  if (discrete_element_create(&p->env, 3, &options, &p->table, p->near, &p->method) != FLOC_OK) fail(p, "create");
  if (law) add_law(p, law);
}

static void end_packing(packing *p)
{
  p->method.destroy(p->method.state, &p->env);
  laws_destroy(p->forces);
  neighbors_destroy(p->near);
  bodies_free(&p->obstacles);
  particles_free(&p->table);
  arena_free(&p->scratch);
}

static void sort_storage(packing *p)
{
  bool worthwhile = false;
  int32_t *order = arena_allocate(&p->scratch, (size_t)p->table.count, sizeof *order);
  if (!order || neighbors_sort_order(p->near, &p->table, &p->box, order, &worthwhile) != FLOC_OK) fail(p, "order");
  if (!worthwhile) return;
  if (particles_permute(&p->table, order) != FLOC_OK) fail(p, "permute");
  if (neighbors_permute(p->near, &p->table, order) != FLOC_OK) fail(p, "permute");
  if (p->method.permute(p->method.state, &p->table, order) != FLOC_OK) fail(p, "permute");
}

static void run_steps(packing *p, int64_t steps)
{
  for (int64_t k = 0; k < steps; k++) {
    arena_reset(&p->scratch);
    step_context context = {.env = &p->env,
                            .scratch = &p->scratch,
                            .table = &p->table,
                            .obstacles = &p->obstacles,
                            .near = p->near,
                            .forces = p->forces,
                            .box = &p->box,
                            .time = STEP * (double)p->step,
                            .time_step = STEP,
                            .step = p->step,
                            .seed = 1,
                            .report = &p->report};
    if (p->method.step(p->method.state, &context) != FLOC_OK) fail(p, "step");
    laws_finish(p->forces, p->near, true);
    p->step++;
    sort_storage(p);
  }
}

static double box_volume(const packing *p)
{
  return p->box.length[0] * p->box.length[1] * p->box.length[2];
}

static void damp_and_run(packing *p, double factor, int64_t steps)
{
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < BASE_COUNT; i++) p->table.column[COLUMN_vx + a][i] *= factor;
  run_steps(p, steps);
}

/* Random points, then the box shrinks while contacts separate the spheres. */
static void make_packing(packing *p, double fraction)
{
  double volume = BASE_COUNT * 4.0 / 3.0 * 3.14159265358979 * RADIUS * RADIUS * RADIUS;
  double side = cbrt(volume / 0.40), target = cbrt(volume / fraction);
  set_box(p, (double[3]){side, side, side});
  for (int64_t k = 0; k < BASE_COUNT; k++) {
    int64_t id;
    double u[4];
    if (particles_append(&p->table, &id) != FLOC_OK) fail(p, "append");
    random_uniform4(1, (uint64_t)k, 0, RANDOM_POSITION, 0, u);
    for (int a = 0; a < 3; a++) p->table.column[COLUMN_x + a][k] = side * u[a];
    p->table.column[COLUMN_radius][k] = RADIUS;
    p->table.column[COLUMN_mass][k] = MASS;
  }
  for (int k = 0; k < 40; k++) damp_and_run(p, 0.5, 20);
  while (side > target) {
    double next = side * 0.9995 > target ? side * 0.9995 : target;
    for (int a = 0; a < 3; a++)
      for (int64_t k = 0; k < BASE_COUNT; k++) p->table.column[COLUMN_x + a][k] *= next / side;
    side = next;
    set_box(p, (double[3]){side, side, side});
    neighbors_invalidate(p->near);
    damp_and_run(p, 0.8, 10);
  }
  for (int k = 0; k < 1000; k++) damp_and_run(p, 0.93, 40);
}

/* nx x ny x nz copies side by side. */
static void tile(packing *to, const packing *from, const int copies[3])
{
  set_box(to, (double[3]){copies[0] * from->box.length[0], copies[1] * from->box.length[1],
                          copies[2] * from->box.length[2]});
  int64_t total = (int64_t)copies[0] * copies[1] * copies[2] * BASE_COUNT;
  if (particles_reserve(&to->table, total) != FLOC_OK) fail(to, "reserve");
  for (int x = 0; x < copies[0]; x++)
    for (int y = 0; y < copies[1]; y++)
      for (int z = 0; z < copies[2]; z++)
        for (int64_t k = 0; k < BASE_COUNT; k++) {
          int64_t id, slot = to->table.count;
          if (particles_append(&to->table, &id) != FLOC_OK) fail(to, "append");
          for (int c = 0; c < from->table.column_count; c++) to->table.column[c][slot] = from->table.column[c][k];
          to->table.column[COLUMN_x][slot] += x * from->box.length[0];
          to->table.column[COLUMN_y][slot] += y * from->box.length[1];
          to->table.column[COLUMN_z][slot] += z * from->box.length[2];
        }
}

static double measure(const packing *base, int32_t threads, const int copies[3], const floc_program_options *law)
{
  packing p;
  begin_packing(&p, threads, 50.0, 0.5, law);
  tile(&p, base, copies);
  int64_t count = p.table.count, steps = 8000000 / count + 20;
  run_steps(&p, 20);
  double start = user_seconds();
  run_steps(&p, steps);
  double seconds = user_seconds() - start;
  const pair_list *pairs = neighbors_pairs(p.near);
  double part[ROOMS], sum = 0.0;
  for (int k = 0; k < ROOMS; k++) sum += part[k] = (double)p.memory[k].greatest / (double)count;
  printf("%7lld particles, %5lld steps: %6.2f million particle-steps/s; contacts %.2f, entries %.2f per particle; "
         "kinetic energy %.2g, overlap %.3g; memory %.0f B per particle (table %.0f, neighbours %.0f, scheme %.0f, "
         "scratch "
         "%.0f)\n",
         (long long)count, (long long)steps, (double)count * (double)steps / seconds * 1e-6,
         (double)p.report.contacts / (double)count, (double)pairs->count / (double)count, p.report.kinetic_energy,
         p.report.overlap, sum, part[OF_PARTICLES], part[OF_NEIGHBORS], part[OF_SCHEME], part[OF_SCRATCH]);
  end_packing(&p);
  return seconds;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void write_packing(const packing *p, const char *path)
{
  FILE *file = must_open(path, "w");
  state_header head = {.dimension = 3, .count = (long)p->table.count};
  for (int axis = 0; axis < 3; axis++) head.upper[axis] = p->box.length[axis];
  write_state_header(file, &head);
  for (int64_t k = 0; k < p->table.count; k++) {
    double row[STATE_COLUMNS] = {[6] = RADIUS, [7] = MASS};
    for (int axis = 0; axis < 3; axis++) {
      row[axis] = p->table.column[COLUMN_x + axis][k];
      row[3 + axis] = p->table.column[COLUMN_vx + axis][k];
    }
    write_state_row(file, row);
  }
  if (fclose(file) != 0) fail(p, "write");
}

int main(int argc, char **argv)
{
  if (argc > 2 && strcmp(argv[1], "write") == 0) {
    packing made;
    begin_packing(&made, 1, 200.0, 0.0, NULL);
    make_packing(&made, 0.64);
    write_packing(&made, argv[2]);
    end_packing(&made);
    return 0;
  }
  int32_t threads = argc > 1 ? atoi(argv[1]) : 1;
  int largest = argc > 2 ? atoi(argv[2]) : 128;
  double fraction = argc > 3 ? atof(argv[3]) : 0.64;
  static const int tilings[3][3] = {{1, 1, 1}, {2, 2, 4}, {4, 4, 8}};
  packing base;
  static stored_program stored; /* large */
  FILE *file = argc > 4 ? fopen(argv[4], "r") : NULL;
  if (file) read_program(file, "friction", &stored);
  begin_packing(&base, 1, 200.0, 0.0, NULL); /* without friction it becomes dense */
  make_packing(&base, fraction);
  printf("packing: volume fraction %.4f, kinetic energy %.3g\n",
         BASE_COUNT * 4.0 / 3.0 * 3.14159265358979 * RADIUS * RADIUS * RADIUS / box_volume(&base),
         base.report.kinetic_energy);
  for (int k = 0; k < 3; k++) {
    if (tilings[k][0] * tilings[k][1] * tilings[k][2] > largest) continue;
    double ratio[ROUNDS];
    for (int n = 0; n < (file ? ROUNDS : 1); n++) {
      double own = measure(&base, threads, tilings[k], NULL);
      if (file) ratio[n] = measure(&base, threads, tilings[k], &stored.options) / own;
    }
    if (!file) continue;
    qsort(ratio, ROUNDS, sizeof *ratio, ascending);
    printf("the law in Lua takes %.2f times as long (%.2f to %.2f)\n", ratio[ROUNDS / 2], ratio[0],
           ratio[ROUNDS - 1]);
  }
  end_packing(&base);
  return 0;
}
