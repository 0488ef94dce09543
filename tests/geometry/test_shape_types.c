/*
 * engine/geometry/shapes: types of shapes by their signed distance, those of a host. A ball and a ring (in the
 * plane) of a host are held against the engine's own sphere, and a box against a computation of its own: distances,
 * contacts, rays, drawing, checkpoints.
 */
#include "support_world.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- types of a host ---- */

enum { KIND_OF_FIRST = 1000 };

static const char *const ball_parameters[] = {"ball_radius"};
static const char *const box_parameters[] = {"a", "b", "c"};

static void ball(void *context, const double *parameters, int32_t count, const double *const *points,
                 double *distances, double *const *gradients)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    double x = points[0][k], y = points[1][k], z = points[2][k], r = sqrt(x * x + y * y + z * z);
    distances[k] = r - parameters[0];
    gradients[0][k] = r > 0.0 ? x / r : 1.0;
    gradients[1][k] = r > 0.0 ? y / r : 0.0;
    gradients[2][k] = r > 0.0 ? z / r : 0.0;
  }
}

static void inside_of_ball(void *context, const double *parameters, int32_t count, const double *const *points,
                           double *distances, double *const *gradients)
{
  ball(context, parameters, count, points, distances, gradients);
  for (int32_t k = 0; k < count; k++) {
    distances[k] = -distances[k];
    for (int axis = 0; axis < 3; axis++) gradients[axis][k] = -gradients[axis][k];
  }
}

static bool ball_bounds(void *context, const double *parameters, double *lower, double *upper)
{
  (void)context;
  for (int k = 0; k < 3; k++) {
    lower[k] = -parameters[0];
    upper[k] = parameters[0];
  }
  return parameters[0] > 0.0;
}

/* Half widths a, b, c, exact: the nearest point of the surface is on a face, an edge or a corner. */
static void box(void *context, const double *parameters, int32_t count, const double *const *points,
                double *distances, double *const *gradients)
{
  (void)context;
  for (int32_t k = 0; k < count; k++) {
    double beyond[3], squared = 0.0;
    int nearest = 0;
    for (int axis = 0; axis < 3; axis++) {
      beyond[axis] = fabs(points[axis][k]) - parameters[axis];
      if (beyond[axis] > 0.0) squared += beyond[axis] * beyond[axis];
      if (beyond[axis] > beyond[nearest]) nearest = axis;
    }
    double outside = sqrt(squared);
    distances[k] = outside > 0.0 ? outside : beyond[nearest];
    for (int axis = 0; axis < 3; axis++) {
      double share = outside > 0.0 ? fmax(beyond[axis], 0.0) / outside : axis == nearest;
      gradients[axis][k] = points[axis][k] < 0.0 ? -share : share;
    }
  }
}

static bool box_bounds(void *context, const double *parameters, double *lower, double *upper)
{
  (void)context;
  for (int k = 0; k < 3; k++) lower[k] = -(upper[k] = parameters[k]);
  return parameters[0] > 0.0 && parameters[1] > 0.0 && parameters[2] > 0.0;
}

static floc_shape_type described(const char *name, floc_distance_function distance, floc_bounds_function bounds)
{
  floc_shape_type type;
  floc_shape_type_init(&type);
  type.name = name;
  type.distance = distance;
  type.bounds = bounds;
  type.exact = true;
  type.parameters = bounds == box_bounds ? box_parameters : ball_parameters;
  type.parameter_count = bounds == box_bounds ? 3 : 1;
  type.hollow = distance == inside_of_ball;
  return type;
}

static int32_t add_type(floc_world *world, const char *name, floc_distance_function distance,
                        floc_bounds_function bounds)
{
  floc_shape_type type = described(name, distance, bounds);
  int32_t kind = 0;
  assert_world_ok(world, floc_shape_type_add(world, &type, &kind));
  return kind;
}

static int32_t add_body(floc_world *world, const floc_shape *shape, double angular_velocity)
{
  floc_body_options options;
  floc_body_options_init(&options);
  if (angular_velocity != 0.0) options.motion = FLOC_MOTION_CONSTANT;
  options.angular_velocity[2] = angular_velocity;
  int32_t number;
  assert_world_ok(world, floc_body_add(world, &options, &number));
  assert_world_ok(world, floc_body_add_shape(world, number, shape));
  return number;
}

/* A ball around (x, y, z): the engine's sphere, or the host's. */
static floc_shape ball_shape(bool hosts, int32_t engines_kind, int32_t kind, double x, double y, double z, double r)
{
  floc_shape shape;
  floc_shape_init(&shape);
  shape.kind = hosts ? kind : engines_kind;
  shape.points[0][0] = x;
  shape.points[0][1] = y;
  shape.points[0][2] = z;
  if (hosts) {
    shape.parameters[0] = 0.6 * r; /* and the rest of it as the thickness that all shapes have */
    shape.radius = 0.4 * r;
  } else {
    shape.radius = r;
  }
  return shape;
}

/* ---- contacts ---- */

/* Grains fall onto a turning body of two balls, in a hollow ball: with the engine's shapes and with the host's they
 * are where they are but for rounding, as long as that has not grown. */
static floc_world *falling(int32_t dimension, bool hosts, bool discrete)
{
  floc_world *world = make_world(dimension, discrete ? 1e-4 : 1e-3, -10.0, 1);
  int32_t outer = add_type(world, "ball", ball, ball_bounds),
          drum = add_type(world, "drum", inside_of_ball, ball_bounds);
  assert_int_equal(outer, KIND_OF_FIRST);
  if (discrete) {
    floc_discrete_element_options options;
    floc_discrete_element_options_init(&options);
    options.stiffness = 1e4;
    assert_world_ok(world, floc_world_set_discrete_element(world, &options));
  }
  floc_shape shape = ball_shape(hosts, FLOC_SHAPE_SPHERE, outer, 1.0, 0.0, 0.0, 0.7);
  int32_t body = add_body(world, &shape, 0.5);
  shape = ball_shape(hosts, FLOC_SHAPE_SPHERE, outer, -1.0, 0.3, 0.0, 0.5);
  assert_world_ok(world, floc_body_add_shape(world, body, &shape));
  shape = ball_shape(hosts, FLOC_SHAPE_HOLLOW, drum, 0.0, 0.0, 0.0, 5.0);
  if (hosts) { /* a hollow one is made thicker inwards */
    shape.parameters[0] = 5.5;
    shape.radius = 0.5;
  }
  add_body(world, &shape, 0.0);
  floc_insertion_options options;
  floc_insertion_options_init(&options);
  options.count = 60;
  options.region_kind = FLOC_REGION_BALL;
  options.region_radius = 4.9;
  options.radius_lower = 0.1;
  options.radius_upper = 0.25;
  int64_t first;
  assert_world_ok(world, floc_particles_insert(world, &options, &first));
  return world;
}

static void assert_same_places(floc_world *a, floc_world *b, double tolerance)
{
  static const char *const axes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; axis++) {
    double *at_a, *at_b;
    int64_t count, other;
    assert_world_ok(a, floc_column(a, axes[axis], &at_a, &count));
    assert_world_ok(b, floc_column(b, axes[axis], &at_b, &other));
    assert_int_equal(count, other);
    for (int64_t k = 0; k < count; k++) {
      const int64_t *ids, *slots;
      assert_world_ok(a, floc_particle_ids(a, &ids, NULL, &count));
      assert_world_ok(b, floc_particle_ids(b, NULL, &slots, &count));
      assert_float_equal(at_a[k], at_b[slots[ids[k] - 1]], tolerance);
    }
  }
}

static void balls_of_a_host_act_as_spheres(void **state)
{
  (void)state;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int discrete = 0; discrete < 2; discrete++) {
      floc_world *own = falling(dimension, false, discrete), *hosts = falling(dimension, true, discrete);
      assert_same_places(own, hosts, 1e-12); /* inserted alike: clear of bodies */
      run_steps(own, discrete ? 6000 : 800);
      run_steps(hosts, discrete ? 6000 : 800);
      assert_same_places(own, hosts, 1e-6);
      int64_t touching = 0, with_bodies = 0;
      floc_contact *contacts = malloc(4000 * sizeof *contacts);
      assert_world_ok(hosts, floc_world_get_contacts(hosts, contacts, 4000, &touching));
      for (int64_t k = 0; k < touching && k < 4000; k++)
        with_bodies += contacts[k].body >= 0 && contacts[k].impulse > 0.0;
      assert_true(with_bodies > 0);
      free(contacts);
      floc_world_destroy(hosts);
      floc_world_destroy(own);
    }
  }
}

/* One grain comes to rest on each of a turned box's upper face, edge and corner direction: by the box's own
 * geometry. */
static void a_grain_rests_on_a_turned_box(void **state)
{
  (void)state;
  const double angle = 0.3, half = 0.5, radius = 0.2;
  floc_world *world = make_world(2, 1e-3, 0.0, 1);
  floc_shape shape;
  floc_shape_init(&shape);
  shape.kind = add_type(world, "box", box, box_bounds);
  shape.points[1][0] = 2.0 * cos(angle); /* axes need no length */
  shape.points[1][1] = 2.0 * sin(angle);
  shape.points[2][0] = -sin(angle);
  shape.points[2][1] = cos(angle) + 0.1; /* nor be quite perpendicular */
  shape.parameters[0] = 2.0;
  shape.parameters[1] = half;
  shape.parameters[2] = 9.0;
  add_body(world, &shape, 0.0);
  floc_shape found;
  floc_shape_init(&found);
  assert_world_ok(world, floc_body_get_shape(world, 0, 0, &found));
  assert_true(found.kind == shape.kind && memcmp(found.parameters, shape.parameters, sizeof found.parameters) == 0);
  assert_float_equal(found.points[1][0], cos(angle), 1e-15);
  assert_float_equal(found.points[2][1], cos(angle), 1e-15);
  double start[2] = {-sin(angle) * 2.0 + 0.7 * cos(angle), cos(angle) * 2.0 + 0.7 * sin(angle)};
  int64_t id = add_particle(world, start[0], start[1], sin(angle), -cos(angle), radius); /* against the face */
  run_steps(world, 3000);
  double x = column_value(world, "x", id), y = column_value(world, "y", id);
  assert_float_equal(-sin(angle) * x + cos(angle) * y, half + radius, 1e-6);
  assert_float_equal(cos(angle) * x + sin(angle) * y, 0.7, 1e-6);
  floc_world_destroy(world);
}

/* ---- rays ---- */

typedef struct traced {
  floc_ray_segment segment[4000];
  floc_trace_result result;
} traced;

static void trace_beam(int32_t dimension, bool hosts, traced *into)
{
  floc_world *world = make_world(dimension, 1e-3, 0.0, 1);
  int32_t outer = add_type(world, "ball", ball, ball_bounds),
          drum = add_type(world, "drum", inside_of_ball, ball_bounds);
  floc_shape shape = ball_shape(hosts, FLOC_SHAPE_SPHERE, outer, 0.0, 0.1, 0.0, 0.7);
  int32_t body = add_body(world, &shape, 0.0);
  shape = ball_shape(hosts, FLOC_SHAPE_SPHERE, outer, 1.4, 0.9, 0.0, 0.5);
  assert_world_ok(world, floc_body_add_shape(world, body, &shape));
  shape = ball_shape(hosts, FLOC_SHAPE_HOLLOW, drum, 0.0, 0.0, 0.0, 3.0);
  if (hosts) {
    shape.parameters[0] = 3.5;
    shape.radius = 0.5;
  }
  assert_world_ok(world, floc_body_add_shape(world, body, &shape));
  floc_ray_source_options source;
  floc_ray_source_options_init(&source);
  source.distance = 2.0;
  source.max_bounces = 5; /* each makes rounding some times larger */
  source.radius = 1.0;
  source.rays = 40;
  source.power = 1.0;
  memset(into, 0, sizeof *into);
  floc_trace_result_init(&into->result);
  into->result.segments = into->segment;
  into->result.segment_capacity = 4000;
  assert_world_ok(world, floc_trace(world, &source, NULL, &into->result));
  floc_world_destroy(world);
}

static void rays_meet_balls_of_a_host_where_they_meet_spheres(void **state)
{
  (void)state;
  traced *own = malloc(sizeof *own), *hosts = malloc(sizeof *hosts);
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    trace_beam(dimension, false, own);
    trace_beam(dimension, true, hosts);
    assert_true(own->result.segment_count > 100);
    int64_t compared = 0;
    for (int64_t k = 0; k < own->result.segment_count; k++) {
      const floc_ray_segment *a = &own->segment[k], *b = &hosts->segment[k];
      for (int c = 0; c < 3; c++) {
        assert_float_equal(a->from[c], b->from[c], 1e-5);
        assert_float_equal(a->to[c], b->to[c], 1e-5);
      }
      compared++;
    }
    assert_true(compared > 100);
  }
  free(hosts);
  free(own);
}

/* ---- drawing ---- */

/* In the plane the length of the outline, in space the area of the surface, of a rounded box; every edge of the
 * surface belongs to two triangles. */
static void the_drawing_is_the_surface(void **state)
{
  (void)state;
  const double pi = 3.14159265358979323846, a = 0.6, b = 0.4, c = 0.3, r = 0.1;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    floc_world *world = make_world(dimension, 1e-3, 0.0, 1);
    floc_shape shape;
    floc_shape_init(&shape);
    shape.kind = add_type(world, "box", box, box_bounds);
    shape.points[0][0] = 3.0;
    shape.points[1][0] = shape.points[1][1] = 1.0; /* turned by 45 degrees */
    shape.points[2][1] = 1.0;
    shape.parameters[0] = a;
    shape.parameters[1] = b;
    shape.parameters[2] = dimension == 2 ? 9.0 : c;
    shape.radius = r;
    add_body(world, &shape, 0.0);
    int64_t count = 0, again = 0;
    assert_world_ok(world, floc_body_get_drawing(world, 0, 0, NULL, 0, &count));
    assert_true(count > 100 && count < 100000);
    floc_shape *part = calloc((size_t)count, sizeof *part);
    assert_world_ok(world, floc_body_get_drawing(world, 0, 0, part, count, &again));
    assert_int_equal(again, count);
    double size = 0.0, shared = 0.0;
    for (int64_t k = 0; k < count; k++) {
      double u[3], v[3];
      assert_int_equal(part[k].kind, dimension == 2 ? FLOC_SHAPE_SEGMENT : FLOC_SHAPE_TRIANGLE);
      for (int m = 0; m < 3; m++) {
        u[m] = part[k].points[1][m] - part[k].points[0][m];
        v[m] = part[k].points[2][m] - part[k].points[0][m];
      }
      double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
      size += dimension == 2 ? sqrt(u[0] * u[0] + u[1] * u[1])
                             : 0.5 * sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    }
    for (int64_t k = 0; k < count && k < 300; k++) { /* of some: each end, or edge, is found at another one too */
      int points = dimension;
      for (int p = 0; p < points; p++) {
        const double *one = part[k].points[p], *two = part[k].points[dimension == 2 ? p : (p + 1) % 3];
        for (int64_t m = 0; m < count; m++) {
          bool has_one = false, has_two = false;
          for (int q = 0; q < points && m != k; q++) {
            has_one |= memcmp(part[m].points[q], one, sizeof part[m].points[q]) == 0;
            has_two |= memcmp(part[m].points[q], two, sizeof part[m].points[q]) == 0;
          }
          shared += has_one && has_two;
        }
      }
    }
    double expected = dimension == 2
                          ? 4.0 * (a + b) + 2.0 * pi * r
                          : 8.0 * (a * b + b * c + c * a) + 4.0 * pi * r * (a + b + c) + 4.0 * pi * r * r;
    if (fabs(size - expected) > 0.01 * expected) fail_msg("%d-D: %.6f, but it is %.6f", dimension, size, expected);
    assert_true(shared == (double)dimension * (double)(count < 300 ? count : 300));
    free(part);
    floc_world_destroy(world);
  }
}

/* ---- checkpoints ---- */

static void checkpoints_know_names_and_parameters(void **state)
{
  (void)state;
  char path[] = "/tmp/floc-types-XXXXXX", message[512];
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  unlink(path);
  floc_world *first = falling(2, true, false), *second = falling(2, true, false);
  run_steps(first, 200);
  assert_world_ok(first, floc_world_save(first, path, 1));
  run_steps(first, 100);
  assert_world_ok(second, floc_world_load(second, path));
  run_steps(second, 100);
  assert_true(world_hash(first) == world_hash(second));

  floc_world *bare = make_world(2, 1e-3, -10.0, 1); /* without the types */
  assert_int_equal(floc_world_load(bare, path), FLOC_NOT_FOUND);
  assert_non_null(strstr(floc_world_message(bare), "\"ball\""));
  floc_world *only_shown = NULL;
  floc_file *file = NULL;
  assert_int_equal(floc_file_open(path, &file, message, sizeof message), FLOC_OK);
  assert_int_equal(floc_file_world(file, &only_shown, message, sizeof message), FLOC_NOT_FOUND);
  assert_non_null(strstr(message, "\"ball\""));
  floc_file_close(file);

  floc_world *other = make_world(2, 1e-3, -10.0, 1); /* the types in another order: known by their names */
  int32_t drum = add_type(other, "drum", inside_of_ball, ball_bounds),
          outer = add_type(other, "ball", ball, ball_bounds);
  floc_shape shape = ball_shape(true, 0, outer, 9.0, 0.0, 0.0, 0.1);
  int32_t body = add_body(other, &shape, 0.5);
  assert_world_ok(other, floc_body_add_shape(other, body, &shape));
  shape.kind = drum;
  add_body(other, &shape, 0.0);
  assert_world_ok(other, floc_world_load(other, path));
  floc_shape found;
  floc_shape_init(&found);
  assert_world_ok(other, floc_body_get_shape(other, 1, 0, &found));
  assert_true(found.kind == drum && found.parameters[0] == 5.5 && found.radius == 0.5);
  run_steps(other, 100);
  assert_same_places(first, other, 0.0);

  floc_world *swapped = make_world(2, 1e-3, -10.0, 1); /* another type where the file has a ball */
  drum = add_type(swapped, "drum", inside_of_ball, ball_bounds);
  add_type(swapped, "ball", ball, ball_bounds);
  shape.kind = drum;
  body = add_body(swapped, &shape, 0.5);
  assert_world_ok(swapped, floc_body_add_shape(swapped, body, &shape));
  add_body(swapped, &shape, 0.0);
  uint64_t before = world_hash(swapped);
  assert_int_equal(floc_world_load(swapped, path), FLOC_STRUCTURE_MISMATCH);
  assert_non_null(strstr(floc_world_message(swapped), "\"ball\", here of type \"drum\""));
  assert_true(world_hash(swapped) == before);
  unlink(path);
  floc_world_destroy(swapped);
  floc_world_destroy(other);
  floc_world_destroy(bare);
  floc_world_destroy(second);
  floc_world_destroy(first);
}

/* ---- wrong types and shapes ---- */

static void steep(void *context, const double *parameters, int32_t count, const double *const *points,
                  double *distances, double *const *gradients)
{
  ball(context, parameters, count, points, distances, gradients);
  for (int32_t k = 0; k < count; k++) distances[k] *= 2.0;
}

static void long_gradient(void *context, const double *parameters, int32_t count, const double *const *points,
                          double *distances, double *const *gradients)
{
  ball(context, parameters, count, points, distances, gradients);
  for (int32_t k = 0; k < count; k++) gradients[1][k] += 0.1;
}

static void no_number(void *context, const double *parameters, int32_t count, const double *const *points,
                      double *distances, double *const *gradients)
{
  ball(context, parameters, count, points, distances, gradients);
  for (int32_t k = 0; k < count; k++)
    if (points[0][k] > 0.5) distances[k] = NAN;
}

static void half_of_it(void *context, const double *parameters, int32_t count, const double *const *points,
                       double *distances, double *const *gradients)
{
  ball(context, parameters, count, points, distances, gradients);
  for (int32_t k = 0; k < count; k++) distances[k] *= 0.5;
}

static void refused_type(floc_world *world, floc_shape_type type, floc_status expected, const char *says)
{
  int32_t kind = -7;
  assert_int_equal(floc_shape_type_add(world, &type, &kind), expected);
  if (!strstr(floc_world_message(world), says)) fail_msg("%s lacks %s", floc_world_message(world), says);
  assert_int_equal(kind, -7);
}

static void wrong_types_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  add_type(world, "ball", ball, ball_bounds);
  static const char *const empty_name[] = {""};
  floc_shape_type type = described("ball", ball, ball_bounds);
  refused_type(world, type, FLOC_ALREADY_EXISTS, "\"ball\", of kind 1000");
  type.name = "sphere";
  refused_type(world, type, FLOC_ALREADY_EXISTS, "\"sphere\", of kind 3");
  type.name = "a ball";
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.name");
  type.name = NULL;
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.name is NULL");
  type = described("other", NULL, ball_bounds);
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.distance is NULL");
  type = described("other", ball, NULL);
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.bounds is NULL");
  type = described("other", ball, ball_bounds);
  type.dimension = 4;
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.dimension is 4");
  type.dimension = 0;
  type.parameter_count = 9;
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "0 to 8");
  type.parameter_count = 1;
  type.parameters = empty_name;
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.parameters[0]");
  type.parameters = NULL;
  refused_type(world, type, FLOC_INVALID_ARGUMENT, "type.parameters is NULL");
  int32_t kind = 0;
  assert_world_ok(world, floc_shape_type_find(world, "ball", &kind));
  assert_int_equal(kind, 1000);
  assert_world_ok(world, floc_shape_type_find(world, "hollow sphere", &kind));
  assert_int_equal(kind, FLOC_SHAPE_HOLLOW);
  assert_int_equal(floc_shape_type_find(world, "bal", &kind), FLOC_NOT_FOUND);
  assert_int_equal(floc_shape_type_find(world, NULL, &kind), FLOC_INVALID_ARGUMENT);
  floc_world_destroy(world);
}

static void refused_shape(floc_world *world, floc_shape shape, floc_status expected, const char *says)
{
  uint64_t before = world_hash(world);
  assert_int_equal(floc_body_add_shape(world, 0, &shape), expected);
  if (!strstr(floc_world_message(world), says)) fail_msg("%s lacks %s", floc_world_message(world), says);
  assert_true(world_hash(world) == before);
}

static void wrong_shapes_are_refused(void **state)
{
  (void)state;
  floc_world *world = make_world(3, 1e-3, 0.0, 1);
  int32_t kind = add_type(world, "ball", ball, ball_bounds);
  floc_shape good = ball_shape(true, 0, kind, 1.0, 2.0, 3.0, 1.0), shape = good;
  add_body(world, &good, 0.0);
  shape.parameters[0] = 0.0;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "ball: with ball_radius = 0 it is no body");
  shape.parameters[0] = NAN;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "ball: ball_radius is nan");
  shape = good;
  shape.parameters[1] = 1.0;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "it has 1 parameters");
  shape = good;
  shape.points[1][0] = 1.0;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "span no plane");
  shape = good;
  shape.radius = -1.0;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "radius is -1");
  shape = good;
  shape.kind = 1077;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "kind is 1077");
  shape = good;
  shape.kind = FLOC_SHAPE_SPHERE;
  refused_shape(world, shape, FLOC_INVALID_ARGUMENT, "sphere: parameters[0]");
  shape.kind = add_type(world, "steep", steep, ball_bounds);
  shape.parameters[0] = 1.0;
  refused_shape(world, shape, FLOC_CALLBACK_FAILED, "steep: at (");
  shape.kind = add_type(world, "long_gradient", long_gradient, ball_bounds);
  refused_shape(world, shape, FLOC_CALLBACK_FAILED, "the gradient must have length 1");
  shape.kind = add_type(world, "no_number", no_number, ball_bounds);
  refused_shape(world, shape, FLOC_CALLBACK_FAILED, "must be finite");
  shape.kind = add_type(world, "half", half_of_it, ball_bounds);
  refused_shape(world, shape, FLOC_CALLBACK_FAILED, "is it exact?");
  floc_shape_type bound = described("lower_bound", half_of_it, ball_bounds);
  bound.exact = false;
  assert_world_ok(world, floc_shape_type_add(world, &bound, &shape.kind));
  assert_world_ok(world, floc_body_add_shape(world, 0, &shape)); /* as a lower bound it is right */
  bound = described("flat", ball, ball_bounds);
  bound.dimension = 2;
  assert_world_ok(world, floc_shape_type_add(world, &bound, &shape.kind));
  refused_shape(world, shape, FLOC_NOT_SUPPORTED, "flats exist in two dimensions only");
  floc_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(balls_of_a_host_act_as_spheres),
                                     cmocka_unit_test(a_grain_rests_on_a_turned_box),
                                     cmocka_unit_test(rays_meet_balls_of_a_host_where_they_meet_spheres),
                                     cmocka_unit_test(the_drawing_is_the_surface),
                                     cmocka_unit_test(checkpoints_know_names_and_parameters),
                                     cmocka_unit_test(wrong_types_are_refused),
                                     cmocka_unit_test(wrong_shapes_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
