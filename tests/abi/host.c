/*
 * A program of another age: compiled with each header that was ever released (FLOC_HEADER), and run with the
 * library of today. Every struct that it hands in lies between guard bytes; the library may neither read nor write
 * behind what the program knows. Options are set and what came of them is read back, reports and arrays are filled.
 * It uses nothing that 0.1.0 did not have.
 */
#include FLOC_HEADER

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 96, MARK = 0xA5 };

#define CHECK(condition)                                                                                           \
  do {                                                                                                             \
    if (!(condition)) {                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                              \
      exit(1);                                                                                                     \
    }                                                                                                              \
  } while (0)
#define OK(world, call)                                                                                            \
  do {                                                                                                             \
    floc_status status_ = (call);                                                                                  \
    if (status_ != FLOC_OK) {                                                                                      \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, floc_status_name(status_),                            \
              floc_world_message(world));                                                                          \
      exit(1);                                                                                                     \
    }                                                                                                              \
  } while (0)

/* Memory of its own for each struct, so that the address sanitizer sees its end too. */
static void *guarded(size_t size)
{
  unsigned char *all = malloc(size + 2 * GUARD);
  memset(all, MARK, size + 2 * GUARD);
  return all + GUARD;
}

static void release(void *place, size_t size)
{
  unsigned char *all = (unsigned char *)place - GUARD;
  for (int k = 0; k < GUARD; k++) CHECK(all[k] == MARK && all[GUARD + size + (size_t)k] == MARK);
  free(all);
}

#define MAKE(type, name)                                                                                           \
  floc_##type *name = guarded(sizeof *name);                                                                       \
  CHECK(floc_##type##_init(name) == FLOC_OK && name->struct_size == sizeof *name)
#define RESULT(type, name)                                                                                         \
  floc_##type *name = guarded(sizeof *name);                                                                       \
  memset(name, 0, sizeof *name);                                                                                   \
  name->struct_size = sizeof *name
#define DONE(name)                                                                                                 \
  do {                                                                                                             \
    CHECK(name->struct_size == sizeof *name);                                                                      \
    release(name, sizeof *name);                                                                                   \
  } while (0)

static floc_world *make_world(int32_t dimension, double time_step)
{
  MAKE(world_options, options);
  CHECK(options->dimension == 2 && options->seed == 1 && options->threads == 0 && options->time_step == 0.0);
  floc_world *world = NULL;
  CHECK(floc_world_create(options, &world) == FLOC_INVALID_ARGUMENT && strstr(options->message, "time_step"));
  options->dimension = dimension;
  options->time_step = time_step;
  options->seed = 77;
  options->threads = 1;
  options->gravity[1] = -2.0;
  CHECK(floc_world_create(options, &world) == FLOC_OK && world);
  DONE(options);
  RESULT(world_info, info);
  OK(world, floc_world_get_info(world, info));
  CHECK(info->dimension == dimension && info->time_step == time_step && info->seed == 77 &&
        info->gravity[1] == -2.0);
  DONE(info);
  return world;
}

static int64_t add(floc_world *world, double x, double y, double z)
{
  MAKE(particle_options, options);
  CHECK(options->mass == 1.0);
  options->position[0] = x, options->position[1] = y, options->position[2] = z;
  options->radius = 0.5;
  options->mass = 3.0;
  int64_t id = 0;
  OK(world, floc_particle_add(world, options, &id));
  DONE(options);
  return id;
}

static double column(floc_world *world, const char *name, int64_t id)
{
  double *values = NULL;
  const int64_t *ids, *slots;
  int64_t count = 0;
  OK(world, floc_column(world, name, &values, &count));
  OK(world, floc_particle_ids(world, &ids, &slots, &count));
  for (int64_t k = 0; k < count; k++)
    if (ids[k] == id) return values[k];
  CHECK(false);
  return 0.0;
}

static void add_floor(floc_world *world)
{
  int32_t body = -1;
  MAKE(body_options, options);
  options->position[1] = -0.5;
  OK(world, floc_body_add(world, options, &body));
  MAKE(shape, shape);
  shape->kind = FLOC_SHAPE_PLANE;
  shape->points[1][1] = 1.0;
  OK(world, floc_body_add_shape(world, body, shape));
  memset(shape->points, 0, sizeof shape->points);
  OK(world, floc_body_get_shape(world, body, 0, shape));
  CHECK(shape->kind == FLOC_SHAPE_PLANE && shape->points[1][1] == 1.0);
  DONE(shape);
  RESULT(body_state, state);
  OK(world, floc_body_get_state(world, body, state));
  CHECK(state->shape_count == 1 && state->position[1] == -0.5);
  DONE(state);
  options->velocity[0] = 0.25;
  OK(world, floc_body_set_motion(world, body, options));
  DONE(options);
}

/* Discs on a floor under the projection: options, a report, contacts, a recorded problem, a checkpoint. */
static void projection(const char *folder)
{
  floc_world *world = make_world(2, 0.01);
  MAKE(projection_options, options);
  CHECK(options->contact_law == FLOC_CONTACT_INELASTIC && isinf(options->gamma_min));
  options->gluey_rule = 17;
  CHECK(floc_world_set_projection(world, options) == FLOC_INVALID_ARGUMENT); /* it is read */
  options->gluey_rule = 0;
  options->tolerance = 1e-9;
  OK(world, floc_world_set_projection(world, options));
  DONE(options);
  add_floor(world);
  int64_t low = add(world, 0.0, 0.0, 0.0), high = add(world, 0.0, 1.0, 0.0);
  char path[512];
  snprintf(path, sizeof path, "%s/problem.floc", folder);
  OK(world, floc_problem_record(world, path));
  OK(world, floc_world_step(world));
  CHECK(fabs(column(world, "y", low)) < 1e-6 && fabs(column(world, "y", high) - 1.0) < 1e-6);
  RESULT(step_report, report);
  OK(world, floc_world_get_report(world, report));
  CHECK(report->converged && report->contacts == 2 && report->tolerance == 1e-9 && report->stage_seconds[0] >= 0.0);
  DONE(report);
  int64_t count = 0;
  OK(world, floc_world_get_contacts(world, NULL, 0, &count));
  CHECK(count == 2);
  floc_contact *contacts = guarded(2 * sizeof *contacts);
  OK(world, floc_world_get_contacts(world, contacts, 2, &count));
  for (int k = 0; k < 2; k++) {
    CHECK(contacts[k].struct_size == sizeof *contacts && fabs(contacts[k].distance) < 1e-6);
    CHECK(fabs(contacts[k].impulse - (contacts[k].id_j == 0 ? 2 : 1) * 3.0 * 2.0 * 0.01) < 1e-6);
  }
  release(contacts, 2 * sizeof *contacts);
  MAKE(problem_options, again);
  CHECK(again->solver == -1 && again->repeat == 1 && again->warm_start);
  RESULT(problem_report, solved);
  again->tolerance = 1e-10;
  again->threads = 1;
  CHECK(floc_problem_solve(path, again, solved) == FLOC_OK);
  CHECK(solved->contacts == 2 && solved->converged && solved->tolerance == 1e-10);
  again->repeat = -5;
  CHECK(floc_problem_solve(path, again, solved) == FLOC_INVALID_ARGUMENT && strstr(again->message, "repeat"));
  DONE(again);
  DONE(solved);
  OK(world, floc_world_save(world, path, 1));
  floc_file *file = NULL;
  char message[512];
  CHECK(floc_file_open(path, &file, message, sizeof message) == FLOC_OK);
  RESULT(section_info, info);
  RESULT(section_difference, difference);
  for (int32_t k = 0; k < floc_file_section_count(file); k++) {
    CHECK(floc_file_section(file, k, info) == FLOC_OK && info->name[0]);
    CHECK(floc_file_compare(file, k, file, difference) == FLOC_OK);
    CHECK(!difference->missing && difference->differing == 0 && difference->rows_a == info->rows);
  }
  DONE(info);
  DONE(difference);
  floc_file_close(file);
  remove(path);
  floc_world_destroy(world);
}

static floc_status constant(void *context, int32_t count, const double *const *inputs, double *const *outputs)
{
  (void)inputs;
  for (int32_t k = 0; k < count; k++) outputs[0][k] = *(const double *)context, outputs[1][k] = 0.0;
  return FLOC_OK;
}

/* Laws, a flow, noise, attraction, insertion, an assembly, measures. */
static void laws(void)
{
  floc_world *world = make_world(2, 0.01);
  double strength = 6.0, gravity[3] = {0.0, 0.0, 0.0};
  OK(world, floc_world_set_gravity(world, gravity));
  int64_t lone = add(world, 50.0, 0.0, 0.0);
  MAKE(law_options, law);
  law->name = "constant";
  law->function = constant;
  law->context = &strength;
  law->output_count = 2;
  int32_t number = -1;
  OK(world, floc_field_add(world, law, &number));
  OK(world, floc_world_step(world));
  CHECK(fabs(column(world, "vx", lone) - 0.02) < 1e-15);
  strength = 0.0;
  static const floc_instruction code[1]; /* reads input 0 */
  MAKE(program_options, program);
  program->code = code;
  program->code_count = -3;
  law->function = NULL;
  law->program = program;
  CHECK(floc_field_add(world, law, &number) == FLOC_INVALID_ARGUMENT);
  DONE(program);
  DONE(law);
  double drift = 0.5;
  MAKE(flow_options, flow);
  CHECK(flow->rate == 1.0);
  flow->kind = FLOC_FLOW_FUNCTION;
  flow->relaxation_time = 1.0;
  flow->function.name = "wind";
  flow->function.function = constant;
  flow->function.context = &drift;
  flow->function.output_count = 2;
  OK(world, floc_world_set_flow(world, flow));
  OK(world, floc_world_step(world));
  CHECK(fabs(column(world, "vx", lone) - (0.02 + 0.01 * (0.5 - 0.02))) < 1e-15);
  flow->kind = FLOC_FLOW_UNIFORM;
  flow->velocity[1] = 4.0;
  OK(world, floc_world_set_flow(world, flow));
  OK(world, floc_world_step(world));
  CHECK(fabs(column(world, "vy", lone) - 0.04) < 1e-15);
  flow->kind = FLOC_FLOW_NONE;
  OK(world, floc_world_set_flow(world, flow));
  DONE(flow);
  MAKE(noise_options, noise);
  noise->sigma = -1.0;
  CHECK(floc_world_set_noise(world, noise) == FLOC_INVALID_ARGUMENT);
  noise->sigma = 0.0;
  OK(world, floc_world_set_noise(world, noise));
  DONE(noise);
  MAKE(attraction_options, attraction);
  CHECK(floc_attraction_add(world, attraction, &number) == FLOC_INVALID_ARGUMENT);
  DONE(attraction);
  MAKE(insertion_options, many);
  CHECK(many->tries == 100000 && many->mass == 1.0);
  many->count = 10;
  many->region_upper[0] = many->region_upper[1] = 9.0;
  many->radius_lower = 0.25;
  many->mass = 2.0;
  int64_t first = 0;
  OK(world, floc_particles_insert(world, many, &first));
  CHECK(first == 2 && column(world, "mass", 11) == 2.0);
  DONE(many);
  int64_t pair[2] = {add(world, 20.0, 20.0, 0.0), add(world, 21.0, 20.0, 0.0)};
  MAKE(assembly_options, rigid);
  int32_t assembly = -1;
  OK(world, floc_assembly_add(world, pair, 2, rigid, &assembly));
  DONE(rigid);
  RESULT(assembly_state, state);
  OK(world, floc_assembly_get_state(world, assembly, state));
  CHECK(state->member_count == 2 && state->mass == 6.0 && state->position[0] == 20.5);
  DONE(state);
  MAKE(selection, all);
  CHECK(all->rule == FLOC_CLUSTER_LINK);
  RESULT(gyration, gyration);
  OK(world, floc_measure_gyration(world, all, gyration));
  CHECK(gyration->count == 13);
  DONE(gyration);
  MAKE(fractal_options, boxes);
  RESULT(scaling, scaling);
  boxes->least = -1.0;
  CHECK(floc_measure_box_counting(world, all, boxes, scaling) == FLOC_INVALID_ARGUMENT);
  boxes->least = 1.0, boxes->greatest = 30.0;
  OK(world, floc_measure_box_counting(world, all, boxes, scaling));
  CHECK(scaling->count > 1);
  DONE(scaling);
  DONE(boxes);
  DONE(all);
  RESULT(cluster_summary, summary);
  OK(world, floc_clusters(world, FLOC_CLUSTER_GAP, 1e-6, NULL, summary));
  CHECK(summary->count == 12);
  DONE(summary);
  floc_world_destroy(world);
}

/* Soft spheres with a bond, rays through them. */
static void elements_and_rays(void)
{
  floc_world *world = make_world(3, 1e-4);
  MAKE(discrete_element_options, options);
  options->bond_law = 99;
  CHECK(floc_world_set_discrete_element(world, options) == FLOC_INVALID_ARGUMENT);
  options->bond_law = FLOC_BOND_PERSISTENT;
  options->bond_stiffness = 10.0;
  options->stiffness = 100.0;
  OK(world, floc_world_set_discrete_element(world, options));
  DONE(options);
  for (int k = 0; k < 3; k++) add(world, 0.999 * k, 0.0, 0.0);
  OK(world, floc_world_step(world));
  OK(world, floc_bond_add(world, 1, 2, 0.5));
  OK(world, floc_bond_add(world, 3, 2, 0.25));
  int64_t count = 0;
  floc_bond *bonds = guarded(2 * sizeof *bonds);
  OK(world, floc_world_get_bonds(world, bonds, 2, &count));
  CHECK(count == 2 && bonds[0].id_i == 1 && bonds[0].area == 0.5 && bonds[1].id_i == 2 && bonds[1].id_j == 3);
  CHECK(bonds[1].area == 0.25 && bonds[1].struct_size == sizeof *bonds);
  release(bonds, 2 * sizeof *bonds);
  RESULT(discrete_element_report, report);
  OK(world, floc_world_get_discrete_element_report(world, report));
  CHECK(report->contacts == 2 && report->bonds == 2 && report->contact_energy > 0.0);
  DONE(report);
  MAKE(media, media);
  double reflectance = 0.0;
  CHECK(floc_reflectance(media, 1.0, &reflectance, NULL) == FLOC_OK && reflectance >= 0.0);
  OK(world, floc_world_set_media(world, media));
  MAKE(ray_source_options, source);
  source->rays = 64;
  source->power = 2.0;
  source->direction[0] = 1.0;
  source->radius = 0.4;
  MAKE(trace_result, traced);
  floc_ray_segment *pieces = guarded(200 * sizeof *pieces);
  traced->segments = pieces;
  traced->segment_capacity = 200;
  OK(world, floc_trace(world, source, media, traced));
  CHECK(traced->report.rays == 64 && fabs(traced->report.incident - 2.0) < 1e-12 && traced->segment_count >= 64);
  for (int64_t k = 0; k < traced->segment_count && k < 200; k++)
    CHECK(pieces[k].ray >= 0 && pieces[k].ray < 64 && pieces[k].power <= 2.0);
  release(pieces, 200 * sizeof *pieces);
  DONE(traced);
  DONE(media);
  int32_t number = -1;
  OK(world, floc_ray_source_add(world, source, &number));
  DONE(source);
  OK(world, floc_world_step(world));
  RESULT(ray_report, power);
  OK(world, floc_world_get_ray_report(world, number, power));
  CHECK(power->rays == 64);
  DONE(power);
  floc_ray *rays = guarded(64 * sizeof *rays);
  OK(world, floc_world_get_rays(world, rays, 64, &count));
  release(rays, 64 * sizeof *rays);
  floc_world_destroy(world);
}

static void aggregation(void)
{
  floc_world *world = make_world(2, 0.01);
  double gravity[3] = {0.0, 0.0, 0.0};
  OK(world, floc_world_set_gravity(world, gravity));
  add(world, 0.0, 0.0, 0.0), add(world, 5.0, 0.0, 0.0);
  MAKE(ballistic_options, options);
  options->tolerance = -1.0;
  CHECK(floc_world_set_ballistic(world, options) == FLOC_INVALID_ARGUMENT);
  DONE(options);
  MAKE(ballistic_options, flight);
  OK(world, floc_world_set_ballistic(world, flight));
  DONE(flight);
  OK(world, floc_world_step(world));
  RESULT(ballistic_report, report);
  OK(world, floc_world_get_ballistic_report(world, report));
  DONE(report);
  floc_world_destroy(world);
  world = make_world(2, 0.01);
  OK(world, floc_world_set_gravity(world, gravity));
  add(world, 0.0, 0.0, 0.0), add(world, 5.0, 0.0, 0.0);
  MAKE(event_driven_options, exact);
  OK(world, floc_world_set_event_driven(world, exact));
  DONE(exact);
  OK(world, floc_world_step(world));
  RESULT(event_driven_report, events);
  OK(world, floc_world_get_event_driven_report(world, events));
  DONE(events);
  floc_world_destroy(world);
}

/* A compound; a mesh that is not there; structs that were never initialised. */
static void others(void)
{
  floc_world *world = make_world(3, 0.01);
  int32_t body = -1;
  MAKE(body_options, options);
  OK(world, floc_body_add(world, options, &body));
  MAKE(compound, compound);
  CHECK(compound->paddles == 6 && compound->facets == 48);
  CHECK(floc_body_add_compound(world, body, compound) == FLOC_INVALID_ARGUMENT);
  DONE(compound);
  MAKE(mesh_options, mesh);
  CHECK(mesh->scale == 1.0);
  mesh->path = "/there/is/none.stl";
  CHECK(floc_body_add_mesh(world, body, mesh, NULL) != FLOC_OK && strstr(floc_world_message(world), "none.stl"));
  DONE(mesh);
  options->struct_size = 0;
  CHECK(floc_body_add(world, options, &body) == FLOC_INVALID_ARGUMENT);
  CHECK(strstr(floc_world_message(world), "struct_size is 0") && strstr(floc_world_message(world), "_init"));
  options->struct_size = 8; /* less than the first version had */
  CHECK(floc_body_add(world, options, &body) == FLOC_INVALID_ARGUMENT);
  options->struct_size = sizeof *options;
  DONE(options);
  floc_world_destroy(world);
}

int main(int argc, char **argv)
{
  projection(argc > 1 ? argv[1] : ".");
  laws();
  elements_and_rays();
  aggregation();
  others();
  printf("a program of %s runs with the library %s\n", FLOC_HEADER, floc_version());
  return 0;
}
