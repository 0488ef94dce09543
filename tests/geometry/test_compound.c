/*
 * Compounds: numbers of shapes, shared corners, free widths, tightness for small particles, wrong input.
 */
#include "random_shapes.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_LIMIT = 1000 };

typedef struct built {
  shape part[SHAPE_LIMIT];
  int32_t count, dimension;
} built;

static const floc_compound DEFAULTS = {.struct_size = sizeof(floc_compound), .paddles = 6, .facets = 48};

static built build(const floc_compound *compound, int32_t dimension)
{
  environment env = test_environment(1);
  floc_shape shapes[SHAPE_LIMIT];
  built made = {.dimension = dimension};
  int32_t counted = -1;
  assert_ok(&env, compound_shapes(&env, compound, dimension, NULL, 0, &counted));
  assert_ok(&env, compound_shapes(&env, compound, dimension, shapes, SHAPE_LIMIT, &made.count));
  assert_int_equal(made.count, counted);
  assert_in_range(made.count, 1, SHAPE_LIMIT);
  for (int32_t k = 0; k < made.count; k++) {
    assert_ok(&env, shape_check(&env, shape_type_by_kind(NULL, shapes[k].kind), &shapes[k], dimension));
    assert_int_equal(shapes[k].struct_size, sizeof(floc_shape));
    made.part[k] = as_shape(&shapes[k]);
  }
  floc_shape few[2];
  memset(few, 7, sizeof few); /* no more than capacity is written */
  assert_ok(&env, compound_shapes(&env, compound, dimension, few, 1, &counted));
  assert_int_equal(counted, made.count);
  assert_memory_equal(&few[0], &shapes[0], sizeof *few);
  assert_int_equal(few[1].kind, 0x07070707);
  return made;
}

static double least_distance(const built *made, const double position[3])
{
  double least = INFINITY, normal[3], nearest[3];
  for (int32_t k = 0; k < made->count; k++)
    least = fmin(least, shape_distance(&made->part[k], made->dimension, position, normal, nearest));
  return least;
}

static bool same_point(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* How many triangles (segments) have the edge (end), bit for bit. */
static int sharing(const built *made, const double a[3], const double b[3])
{
  int found = 0;
  for (int32_t k = 0; k < made->count; k++) {
    const shape *part = &made->part[k];
    int corners = shape_corners(part->kind);
    for (int p = 0; p < corners; p++) {
      const double *from = part->point[p], *to = part->point[(p + 1) % corners];
      if (corners == 2) found += same_point(from, a);
      if (corners == 3)
        found += (same_point(from, a) && same_point(to, b)) || (same_point(from, b) && same_point(to, a));
    }
  }
  return found;
}

/* Number of edges (ends) that belong to one triangle (segment) only. */
static int open_edges(const built *made)
{
  int open = 0;
  for (int32_t k = 0; k < made->count; k++) {
    const shape *part = &made->part[k];
    int corners = shape_corners(part->kind);
    for (int p = 0; p < corners && corners > 1; p++) {
      int found = sharing(made, part->point[p], part->point[(p + 1) % corners]);
      assert_true(found >= 1);
      open += found == 1;
    }
  }
  return open;
}

/* A small ball wanders, each time less far than it is from everything: whatever it reaches, it reached
 * through free space. Returns the farthest it came from the origin, seen by `length`. */
static double wander(const built *made, const double start[3], double radius, int steps, uint64_t seed,
                     double (*length)(const double position[3]))
{
  dice d = {seed, 0};
  double position[3] = {start[0], start[1], start[2]}, direction[3], moved[3];
  double farthest = length(position);
  for (int k = 0; k < steps; k++) {
    double room = least_distance(made, position) - radius;
    if (room <= 0.0) room = 0.0;
    throw_direction(&d, made->dimension, direction);
    double step = throw_between(&d, 0.0, 1.0) < 0.5 ? room : 1.5 * radius; /* or a try to squeeze through */
    vector_add_scaled(position, step, direction, moved);
    if (step > room) {
      bool is_free = true; /* along the way, densely */
      for (int i = 1; i <= 20 && is_free; i++) {
        double between[3];
        vector_add_scaled(position, step * i / 20, direction, between);
        is_free = least_distance(made, between) >= radius;
      }
      if (!is_free) continue;
    }
    memcpy(position, moved, sizeof position);
    farthest = fmax(farthest, length(position));
  }
  return farthest;
}

static double greatest_coordinate(const double position[3])
{
  return fmax(fabs(position[0]), fmax(fabs(position[1]), fabs(position[2])));
}

static double depth_below(const double position[3])
{
  return -position[1];
}

static double nearness_to_axis(const double position[3])
{
  return -hypot(position[0], position[1]);
}

/* ---- each kind ---- */

static void polylines_join_their_points(void **state)
{
  (void)state;
  const double points[] = {0, 0, 2, 0, 2, 1, 0.5, 3};
  floc_compound line = DEFAULTS;
  line.kind = FLOC_COMPOUND_POLYLINE;
  line.points = points;
  line.point_count = 4;
  line.thickness = 0.5;
  built open = build(&line, 2);
  assert_int_equal(open.count, 3);
  assert_int_equal(open_edges(&open), 2);
  for (int k = 0; k < 3; k++) {
    assert_true(open.part[k].radius == 0.25);
    assert_true(open.part[k].point[0][0] == points[2 * k] && open.part[k].point[1][1] == points[2 * k + 3]);
  }
  line.closed = true;
  built closed = build(&line, 2);
  assert_int_equal(closed.count, 4);
  assert_int_equal(open_edges(&closed), 0);
}

static void boxes_are_tight(void **state)
{
  (void)state;
  floc_compound box = DEFAULTS;
  box.kind = FLOC_COMPOUND_BOX;
  for (int k = 0; k < 3; k++) {
    box.lower[k] = -1.0 - 0.1 * k;
    box.upper[k] = 0.5 + 0.25 * k;
  }
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int thick = 0; thick < 2; thick++) {
      box.thickness = 0.1 * thick;
      built made = build(&box, dimension);
      assert_int_equal(made.count, dimension == 2 ? 4 : 12);
      assert_int_equal(open_edges(&made), 0);
      double inside[3] = {0.1, 0.2, dimension == 3 ? 0.3 : 0.0};
      double expected = fmin(0.4, 0.55) - 0.05 * thick; /* to x = 0.5 and to y = 0.75 */
      assert_close(least_distance(&made, inside), expected, 1e-15 * 4);
      assert_true(wander(&made, inside, 1e-3, 15000, 5 + (uint64_t)dimension, greatest_coordinate) <= 1.2);
      double outside[3] = {2.0, 0.0, 0.0};
      for (int round = 0; round < 3; round++) {
        double corner[3] = {0.5, 0.75, dimension == 3 ? 1.0 : 0.0};
        vector_add_scaled(corner, 0.01 * round, corner, outside);
        assert_true(least_distance(&made, outside) <= 0.02 * sqrt(2.0));
      }
    }
  }
}

static void containers_have_their_inner_widths(void **state)
{
  (void)state;
  floc_compound pot = DEFAULTS;
  pot.kind = FLOC_COMPOUND_CONTAINER;
  pot.width = 2.0;
  pot.depth = 1.5;
  pot.height = 3.0;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int thick = 0; thick < 2; thick++) {
      pot.thickness = 0.4 * thick;
      built made = build(&pot, dimension);
      assert_int_equal(made.count, dimension == 2 ? 3 : 10);
      assert_int_equal(open_edges(&made), dimension == 2 ? 2 : 4); /* the rim */
      double floor_point[3] = {0.0, 0.1, 0.0}, middle[3] = {0.0, 2.0, 0.0}, rim[3] = {0.0, 3.0, 0.0};
      double half = dimension == 2 ? 1.0 : 0.75;
      assert_close(least_distance(&made, floor_point), 0.1, 1e-15 * 4);
      assert_close(least_distance(&made, middle), half, 1e-15 * 4);
      assert_close(least_distance(&made, rim), half, 1e-15 * 4);
      assert_true(wander(&made, floor_point, 1e-3, 15000, 8, depth_below) <= 0.0);
    }
  }
}

static void funnels_have_their_outlet(void **state)
{
  (void)state;
  floc_compound funnel = DEFAULTS;
  funnel.kind = FLOC_COMPOUND_FUNNEL;
  funnel.top = 2.0;
  funnel.height = 1.5;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int variant = 0; variant < 4; variant++) {
      funnel.bottom = variant & 1 ? 0.3 : 0.0;
      funnel.thickness = variant & 2 ? 0.2 : 0.0;
      funnel.facets = 12;
      built made = build(&funnel, dimension);
      bool is_tip = funnel.bottom == 0.0 && funnel.thickness == 0.0;
      assert_int_equal(made.count, dimension == 2 ? 2 : is_tip ? 12 : 24);
      double outlet[3] = {0.0, 0.0, 0.0}, top[3] = {0.0, 1.5, 0.0}, least = INFINITY;
      assert_close(least_distance(&made, outlet), 0.5 * funnel.bottom, 1e-15 * 8);
      for (int k = -100; k <= 100; k++) { /* nowhere narrower than at the outlet */
        double on_axis[3] = {0.0, 0.005 * k, 0.0};
        least = fmin(least, least_distance(&made, on_axis));
      }
      assert_close(least, 0.5 * funnel.bottom, 1e-15 * 8);
      double slope = atan2(1.0 - 0.5 * funnel.bottom, 1.5); /* the wall's lean from the vertical */
      double to_wall = (1.0 + 0.5 * funnel.thickness) * cos(slope) - 0.5 * funnel.thickness;
      assert_close(least_distance(&made, top), to_wall, 1e-15 * 16);
      if (dimension == 2 && !is_tip) assert_int_equal(open_edges(&made), 4);
      if (dimension == 3) assert_int_equal(open_edges(&made), is_tip ? 12 : 24);
      if (funnel.bottom == 0.0)
        assert_true(wander(&made, top, 1e-3, 5000, 3, depth_below) <= 0.5 * funnel.thickness);
    }
  }
}

static void funnel_in_three_dimensions_holds_back_what_is_larger_than_its_outlet(void **state)
{
  (void)state;
  floc_compound funnel = DEFAULTS;
  funnel.kind = FLOC_COMPOUND_FUNNEL;
  funnel.top = 2.0;
  funnel.bottom = 0.2;
  funnel.height = 1.0;
  built made = build(&funnel, 3);
  double start[3] = {0.0, 0.5, 0.0}; /* under a lid, or it would climb over the rim */
  made.part[made.count++] = (shape){.kind = FLOC_SHAPE_PLANE, .point = {{0.0, 0.9, 0.0}, {0.0, -1.0, 0.0}}};
  assert_true(wander(&made, start, 0.101, 4000, 6, depth_below) < 0.0);
  start[1] = 0.05;
  assert_true(wander(&made, start, 0.05, 4000, 6, depth_below) > 0.1);
}

static void wheels_have_their_radius(void **state)
{
  (void)state;
  floc_compound wheel = DEFAULTS;
  wheel.kind = FLOC_COMPOUND_WHEEL;
  wheel.radius = 0.8;
  wheel.width = 0.6;
  wheel.paddles = 5;
  wheel.facets = 16;
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    for (int variant = 0; variant < 4; variant++) {
      wheel.hub = variant & 1 ? 0.2 : 0.0;
      wheel.thickness = variant & 2 ? 0.1 : 0.0;
      built made = build(&wheel, dimension);
      int hub_parts = wheel.hub == 0.0 ? 0 : dimension == 2 ? 1 : 64;
      assert_int_equal(made.count, 5 * (dimension - 1) + hub_parts);
      for (int paddle = 0; paddle < 5; paddle++) { /* from the tip on, 0.1 away */
        double angle = 6.283185307179586 * paddle / 5, tip[3] = {0.9 * cos(angle), 0.9 * sin(angle), 0.0};
        assert_close(least_distance(&made, tip), 0.1, 1e-15 * 8);
        double between[3] = {0.5 * cos(angle + 0.01), 0.5 * sin(angle + 0.01), 0.0};
        double expected = 0.5 * sin(0.01) - 0.5 * wheel.thickness;
        assert_close(least_distance(&made, between), expected, 1e-15 * 4);
      }
      double greatest_z = 0.0;
      for (int32_t k = 0; k < made.count; k++)
        for (int p = 0; p < shape_corners(made.part[k].kind); p++)
          greatest_z = fmax(greatest_z, made.part[k].point[p][2] + made.part[k].radius);
      if (dimension == 3) assert_close(greatest_z, 0.3, 1e-15);
    }
  }
}

static void hubs_are_closed(void **state)
{
  (void)state;
  floc_compound wheel = DEFAULTS;
  wheel.kind = FLOC_COMPOUND_WHEEL;
  wheel.radius = 0.8;
  wheel.hub = 0.3;
  wheel.width = 0.6;
  wheel.paddles = 3;
  wheel.facets = 8;
  built made = build(&wheel, 3);
  built hub = {.dimension = 3, .count = made.count - 6};
  memcpy(hub.part, made.part + 6, sizeof(shape) * (size_t)hub.count);
  assert_int_equal(hub.count, 32);
  assert_int_equal(open_edges(&hub), 0);
  double start[3] = {0.1, 0.5, 0.0}, inside[3] = {0.0, 0.0, 0.0};
  assert_close(least_distance(&hub, inside), 0.3 * cos(3.14159265358979 / 8), 1e-12);
  double walls[3] = {0.0, 0.0, 0.29};
  assert_close(least_distance(&hub, walls), 0.01, 1e-15 * 4);
  /* a cage around keeps it near; the corners' radius is 0.3, the flats' 0.277 */
  floc_compound cage = DEFAULTS;
  cage.kind = FLOC_COMPOUND_BOX;
  for (int k = 0; k < 3; k++) {
    cage.lower[k] = k == 2 ? -0.25 : -1.0;
    cage.upper[k] = k == 2 ? 0.25 : 1.0;
  }
  built around = build(&cage, 3);
  memcpy(made.part + made.count, around.part, sizeof(shape) * (size_t)around.count);
  made.count += around.count;
  assert_true(wander(&made, start, 1e-3, 10000, 4, nearness_to_axis) <= -0.277);
}

/* ---- turned and moved ---- */

static void shared_corners_stay_shared_in_every_pose(void **state)
{
  (void)state;
  environment env = test_environment(1);
  dice d = {21, 0};
  floc_compound box = DEFAULTS;
  box.kind = FLOC_COMPOUND_BOX;
  for (int k = 0; k < 3; k++) {
    box.lower[k] = -0.3;
    box.upper[k] = 1.7;
  }
  for (int round = 0; round < 40; round++) {
    int32_t dimension = 2 + round % 2;
    bodies all;
    bodies_init(&all, &env, dimension);
    floc_body_options options = {.struct_size = sizeof options};
    throw_point(&d, dimension, 10.0, options.position);
    throw_point(&d, 3, 3.0, options.rotation);
    assert_ok(&env, bodies_add(&all, &options, 0.0, NULL));
    assert_ok(&env, bodies_add_compound(&all, 0, &box));
    built made = {.count = all.shape_count, .dimension = dimension};
    memcpy(made.part, all.world, sizeof(shape) * (size_t)made.count);
    assert_int_equal(open_edges(&made), 0);
    bodies_free(&all);
  }
}

/* ---- wrong input ---- */

static void refused(const floc_compound *compound, int32_t dimension, floc_status expected, const char *text)
{
  environment env = test_environment(1);
  int32_t count = 77;
  assert_int_equal(compound_shapes(&env, compound, dimension, NULL, 0, &count), expected);
  assert_int_equal(count, 77);
  if (!strstr(env.message, text)) fail_msg("\"%s\" lacks \"%s\"", env.message, text);
}

#define REFUSED(base, dimension, status, text, ...)                                                                \
  do {                                                                                                             \
    floc_compound wrong = base;                                                                                    \
    __VA_ARGS__;                                                                                                   \
    refused(&wrong, dimension, status, text);                                                                      \
  } while (0)

static void wrong_compounds_are_refused(void **state)
{
  (void)state;
  static const double points[] = {0, 0, 1, 0, 1, 0, 2, NAN};
  static const double loop[] = {0, 0, 1, 0, 0, 0};
  const floc_status invalid = FLOC_INVALID_ARGUMENT;
  floc_compound base = DEFAULTS;
  REFUSED(base, 2, invalid, "kind is 0", (void)0);
  REFUSED(base, 2, invalid, "kind is 6", wrong.kind = 6);

  base.kind = FLOC_COMPOUND_POLYLINE;
  base.points = points;
  base.point_count = 2;
  REFUSED(base, 3, FLOC_NOT_SUPPORTED, "two dimensions only", (void)0);
  REFUSED(base, 2, invalid, "points is NULL", wrong.points = NULL);
  REFUSED(base, 2, invalid, "point_count is 1; it must be at least 2", wrong.point_count = 1);
  REFUSED(base, 2, invalid, "point_count is 2; it must be at least 3 when closed", wrong.closed = true);
  REFUSED(base, 2, invalid, "points 1 and 2 are both (1, 0)", wrong.point_count = 3);
  REFUSED(base, 2, invalid, "the y of point 3 is nan", wrong.point_count = 4);
  REFUSED(base, 2, invalid, "points 2 and 0", wrong.points = loop, wrong.point_count = 3, wrong.closed = true);
  REFUSED(base, 2, invalid, "thickness is -0.1", wrong.thickness = -0.1);
  REFUSED(base, 2, invalid, "thickness is nan", wrong.thickness = NAN);

  base = DEFAULTS;
  base.kind = FLOC_COMPOUND_BOX;
  base.upper[0] = base.upper[1] = 1.0;
  REFUSED(base, 2, invalid, "lower[1] is 2", wrong.lower[1] = 2.0);
  REFUSED(base, 3, invalid, "upper[2] is 0", (void)0);
  REFUSED(base, 2, invalid, "upper[0] is inf", wrong.upper[0] = INFINITY);
  REFUSED(base, 2, invalid, "polylines and boxes have none", wrong.axis[1] = 1.0);

  base = DEFAULTS;
  base.kind = FLOC_COMPOUND_FUNNEL;
  base.top = 2.0;
  base.bottom = 0.2;
  base.height = 1.0;
  REFUSED(base, 2, invalid, "top is 0.2; it must be finite and above bottom, which is 0.2", wrong.top = 0.2);
  REFUSED(base, 2, invalid, "top is nan", wrong.top = NAN);
  REFUSED(base, 2, invalid, "bottom is -1", wrong.bottom = -1.0);
  REFUSED(base, 2, invalid, "height is 0", wrong.height = 0.0);
  REFUSED(base, 3, invalid, "facets is 2; it must be an integer between 3 and 100000", wrong.facets = 2);

  base = DEFAULTS;
  base.kind = FLOC_COMPOUND_WHEEL;
  base.radius = 1.0;
  base.width = 0.5;
  REFUSED(base, 2, invalid, "radius is 0", wrong.radius = 0.0);
  REFUSED(base, 2, invalid, "paddles is 0; it must be an integer between 1 and 100000", wrong.paddles = 0);
  REFUSED(base, 2, invalid, "hub is 1;", wrong.hub = 1.0);
  REFUSED(base, 2, invalid, "hub is -0.1", wrong.hub = -0.1);
  REFUSED(base, 2, invalid, "hub is 0; it must be at least 0 and below", wrong.thickness = 2.0);
  REFUSED(base, 3, invalid, "width is 0;", wrong.width = 0.0);
  REFUSED(base, 3, invalid, "above the thickness, which is 0.5", wrong.thickness = 0.5);
  REFUSED(base, 3, invalid, "facets is 1", wrong.hub = 0.5, wrong.facets = 1);
  REFUSED(base, 2, invalid, "wheel: axis is given; in two dimensions", wrong.axis[2] = 1.0);
  REFUSED(base, 3, invalid, "axis[1] is nan", wrong.axis[1] = NAN);

  base = DEFAULTS;
  base.kind = FLOC_COMPOUND_CONTAINER;
  base.width = base.height = base.depth = 1.0;
  REFUSED(base, 2, invalid, "width is 0", wrong.width = 0.0);
  REFUSED(base, 2, invalid, "height is -1", wrong.height = -1.0);
  REFUSED(base, 3, invalid, "depth is inf", wrong.depth = INFINITY);
  REFUSED(base, 2, invalid, "axis[2] is 1; in two dimensions it must be 0", wrong.axis[2] = 1.0);
}

/* The same compound along another axis: its own frame, x to y to z, turned. Along coordinate axes exact. */
static void an_axis_turns_the_compound(void **state)
{
  (void)state;
  static const struct {
    int32_t kind;
    double axis[3], x[3], y[3], z[3];
  } turned[] = {
      {FLOC_COMPOUND_CONTAINER, {0, 0, 7}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
      {FLOC_COMPOUND_CONTAINER, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {FLOC_COMPOUND_CONTAINER, {1e300, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
      {FLOC_COMPOUND_FUNNEL, {0, 0, -1e-300}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
      {FLOC_COMPOUND_FUNNEL, {0, 3, 4}, {1, 0, 0}, {0, 0.6, 0.8}, {0, -0.8, 0.6}},
      {FLOC_COMPOUND_WHEEL, {0, 0, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {FLOC_COMPOUND_WHEEL, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
      {FLOC_COMPOUND_WHEEL, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
  };
  for (size_t c = 0; c < sizeof turned / sizeof *turned; c++) {
    floc_compound compound = DEFAULTS;
    compound.kind = turned[c].kind;
    compound.width = 2.0, compound.depth = 3.0, compound.height = 1.5, compound.top = 4.0, compound.bottom = 1.0;
    compound.radius = 2.0, compound.hub = 0.5, compound.thickness = 0.25;
    built own = build(&compound, 3);
    memcpy(compound.axis, turned[c].axis, sizeof compound.axis);
    built made = build(&compound, 3);
    assert_int_equal(made.count, own.count);
    bool exact = c != 4;
    for (int32_t k = 0; k < own.count; k++)
      for (int p = 0; p < 3; p++)
        for (int axis = 0; axis < 3; axis++) {
          const double *from = own.part[k].point[p];
          double wanted = from[0] * turned[c].x[axis] + from[1] * turned[c].y[axis] + from[2] * turned[c].z[axis];
          double got = made.part[k].point[p][axis];
          assert_true(exact ? got == wanted : fabs(got - wanted) < 1e-14);
        }
    assert_int_equal(open_edges(&made), open_edges(&own));
  }
  floc_compound pot = DEFAULTS;
  pot.kind = FLOC_COMPOUND_CONTAINER, pot.width = 2.0, pot.height = 1.0, pot.axis[0] = -5.0;
  built lying = build(&pot, 2); /* open towards -x, its floor at x = 0 from y = -1 to 1 */
  for (int32_t k = 0; k < lying.count; k++)
    for (int p = 0; p < 2; p++) {
      assert_true(fabs(lying.part[k].point[p][1]) == 1.0);
      assert_true(lying.part[k].point[p][0] == 0.0 || lying.part[k].point[p][0] == -1.0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polylines_join_their_points),
      cmocka_unit_test(boxes_are_tight),
      cmocka_unit_test(containers_have_their_inner_widths),
      cmocka_unit_test(funnels_have_their_outlet),
      cmocka_unit_test(funnel_in_three_dimensions_holds_back_what_is_larger_than_its_outlet),
      cmocka_unit_test(wheels_have_their_radius),
      cmocka_unit_test(hubs_are_closed),
      cmocka_unit_test(shared_corners_stay_shared_in_every_pose),
      cmocka_unit_test(wrong_compounds_are_refused),
      cmocka_unit_test(an_axis_turns_the_compound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
