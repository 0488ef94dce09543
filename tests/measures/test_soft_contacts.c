/*
 * engine/measures/contacts.c on soft contacts: the fast loops that look at them (discrete_element/plain.c, wide.c)
 * against the general one (pairs.c), in the plane and in space, in open and periodic boxes, with friction and
 * without: all columns, and every number of entries that a look may be asked for, and where particles are after
 * steps. The general loop is a formula of its own for each law, so the two agree but for rounding; the two forms of
 * the fast loop agree to the bit.
 */
#include "schemes/element_support.h"

#include "measures/contacts.h"

#include <stdio.h>

enum { COUNT = 500, LIMIT = 4096, STEPS = 16 };
enum { GENERAL, ONE_BY_ONE, FOURS };
enum { OPEN, ALONG_X, PERIODIC, BOXES };

/* Hertz's springs and dashpots are per area of contact, some 1e-3 here. */
static floc_discrete_element_options grains(int32_t contact_force, bool friction, double tangential_stiffness)
{
  const double per_area = contact_force == FLOC_CONTACT_FORCE_HERTZ ? 1e3 : 1.0;
  floc_discrete_element_options options = verlet_options();
  options.contact_force = contact_force;
  options.stiffness = 1e5;
  options.young_modulus = 1e7;
  options.damping = 300.0 * per_area;
  if (!friction) return options;
  options.rotation = true;
  options.friction = FLOC_FRICTION_SPRING;
  options.friction_stiffness = tangential_stiffness * per_area;
  options.friction_damping = 5.0 * per_area;
  options.friction_static = options.friction_dynamic = 0.05;
  return options;
}

static void choose_form(element_test *test, int form)
{
  discrete_element *method = test->method.state;
  method->is_plain = form != GENERAL;
  method->narrow = form == ONE_BY_ONE;
}

/* A crowd that flies apart, of which some slide, some stick and some are held back by their damping. */
static void begin_crowd(element_test *test, int32_t dimension, int box, int form,
                        const floc_discrete_element_options *options)
{
  element_test_begin(test, 1, dimension, options);
  choose_form(test, form);
  const double side = dimension == 2 ? sqrt(COUNT * 1e-2) : cbrt(COUNT * 1.2e-3);
  add_heap(test, COUNT, side, 4.0, 11);
  for (int axis = 0; axis < dimension; axis++) {
    if (box == OPEN || (box == ALONG_X && axis > 0)) continue;
    test->box.boundary[axis] = FLOC_BOUNDARY_PERIODIC;
    test->box.lower[axis] = 0.0;
    test->box.upper[axis] = test->box.length[axis] = side;
  }
  const floc_shape ground = floor_shape(dimension - 1);
  if (box != PERIODIC) add_fixed_body(test, &ground);
  test->time_step = 5e-5;
  run_steps(test, STEPS);
}

typedef struct view {
  step_context context;
  look_function look_at;
  const void *look;
} view;

static void begin_look(element_test *test, int form, view *made)
{
  discrete_element *method = test->method.state;
  assert_true(method->is_plain); /* these options have a fast loop */
  arena_reset(&test->scratch);
  made->context = (step_context){.env = &test->env,
                                 .scratch = &test->scratch,
                                 .table = &test->table,
                                 .obstacles = &test->obstacles,
                                 .near = test->near,
                                 .forces = test->forces,
                                 .box = &test->box,
                                 .time = test->time,
                                 .time_step = test->time_step,
                                 .step = test->step,
                                 .seed = 1};
  assert_ok(&test->env, test->method.look(method, &made->context, &made->look));
  made->look_at = test->method.look_at;
  choose_form(test, form);
}

static void end_look(element_test *test)
{
  choose_form(test, FOURS);
}

/* ---- columns ---- */

typedef struct columns {
  int64_t count;
  double value[CONTACT_COLUMNS][LIMIT];
} columns;
static columns of_form[3];

static void keep(void *context, const contact_block *block)
{
  columns *to = context;
  assert_true(to->count + block->count <= LIMIT);
  for (int c = 0; c < CONTACT_COLUMNS; c++)
    memcpy(&to->value[c][to->count], block->column[c], (size_t)block->count * sizeof(double));
  to->count += block->count;
}

static void read_columns(element_test *test, int form)
{
  static const rigid_assemblies none;
  view seen;
  begin_look(test, form, &seen);
  const contacts_source source = {.table = &test->table,
                                  .obstacles = &test->obstacles,
                                  .assemblies = &none,
                                  .near = test->near,
                                  .box = &test->box,
                                  .look_at = seen.look_at,
                                  .look = seen.look,
                                  .time_step = test->time_step};
  of_form[form].count = 0;
  contacts_visit(&source, CONTACT_ALL, keep, &of_form[form]);
  end_look(test);
}

static double greatest_of(const double *values, int64_t count)
{
  double greatest = 0.0;
  for (int64_t k = 0; k < count; k++) greatest = fmax(greatest, fabs(values[k]));
  return greatest;
}

/* Of each kind there are enough to be seen. */
static void expect_all_kinds(int32_t dimension, bool friction)
{
  const columns *all = &of_form[GENERAL];
  int64_t slide = 0, stick = 0, pull = 0, across = 0;
  for (int64_t k = 0; k < all->count; k++) {
    const double *const f[3] = {all->value[CONTACT_FRICTION], all->value[CONTACT_FRICTION + 1],
                                all->value[CONTACT_FRICTION + 2]};
    const double normal = all->value[CONTACT_IMPULSE][k];
    const double size = sqrt(f[0][k] * f[0][k] + f[1][k] * f[1][k] + f[2][k] * f[2][k]);
    if (all->value[CONTACT_ID_J][k] == 0.0 || normal == 0.0) continue;
    pull += normal < 0.0;
    slide += normal > 0.0 && size > 0.05 * normal * (1.0 - 1e-9);
    stick += normal > 0.0 && size > 0.0 && size < 0.05 * normal * (1.0 - 1e-9);
    across += f[2][k] != 0.0;
  }
  assert_true(pull > 10);
  assert_true(friction ? slide > 50 && stick > 50 : slide + stick == 0);
  assert_true(dimension == 3 && friction ? across > 100 : across == 0);
}

static void expect_same_columns(const char *what)
{
  const columns *general = &of_form[GENERAL], *narrow = &of_form[ONE_BY_ONE], *wide = &of_form[FOURS];
  assert_true(general->count == narrow->count && general->count == wide->count);
  const double forces[2] = {greatest_of(general->value[CONTACT_IMPULSE], general->count), 1.0};
  /* other last bits: it was another loop that looked */
  assert_memory_not_equal(general->value[CONTACT_IMPULSE], narrow->value[CONTACT_IMPULSE],
                          (size_t)general->count * sizeof(double));
  for (int c = 0; c < CONTACT_COLUMNS; c++) {
    const double scale = forces[c != CONTACT_IMPULSE && c < CONTACT_FRICTION];
    for (int64_t k = 0; k < general->count; k++)
      if (!(fabs(general->value[c][k] - narrow->value[c][k]) <= 1e-13 * scale))
        fail_msg("%s: column %d of contact %d: %.17g is %.17g in the general loop", what, c, (int)k,
                 narrow->value[c][k], general->value[c][k]);
    assert_memory_equal(narrow->value[c], wide->value[c], (size_t)general->count * sizeof(double));
  }
}

/* ---- every number of entries ---- */

static void look(element_test *test, int form, int64_t begin, int32_t count, look_block *to)
{
  view seen;
  begin_look(test, form, &seen);
  memset(to, 0xff, sizeof *to); /* numbers that are none: what is not written is seen */
  seen.look_at(seen.look, 0, begin, count, to);
  end_look(test);
  assert_false(to->turns);
}

static void expect_same_rows(const look_block *one, const look_block *other, int32_t count, double tolerance)
{
  for (int32_t row = 0; row < count; row++) {
    assert_close(one->normal[row], other->normal[row], tolerance);
    for (int axis = 0; axis < 3; axis++)
      assert_close(one->tangential[axis][row], other->tangential[axis][row], tolerance);
  }
}

static void compare_parts(element_test *test, double greatest)
{
  static look_block general, narrow, wide;
  const int64_t entries = neighbors_pairs(test->near)->count;
  int64_t begin = 0;
  for (int32_t count = 1; count <= LOOK_BLOCK; count++) {
    if (begin + count > entries) begin = entries - count; /* the list's end too */
    look(test, GENERAL, begin, count, &general);
    look(test, ONE_BY_ONE, begin, count, &narrow);
    look(test, FOURS, begin, count, &wide);
    expect_same_rows(&narrow, &general, count, 1e-13 * greatest);
    expect_same_rows(&wide, &narrow, count, 0.0);
    begin = (begin + count) % (entries - LOOK_BLOCK);
  }
  look(test, GENERAL, entries - 5, 5, &general);
  look(test, FOURS, entries - 5, 5, &wide);
  expect_same_rows(&wide, &general, 5, 1e-13 * greatest);
}

static void compare_looks(int32_t contact_force)
{
  static const double tangential_stiffness[] = {3e4, 0.0};
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int box = 0; box < BOXES; box++)
      for (int which = 0; which < 3; which++) {
        const bool friction = which < 2;
        const floc_discrete_element_options options =
            grains(contact_force, friction, friction ? tangential_stiffness[which] : 0.0);
        element_test test;
        char what[80];
        snprintf(what, sizeof what, "%d dimensions, box %d, options %d", dimension, box, which);
        begin_crowd(&test, dimension, box, FOURS, &options);
        for (int form = 0; form < 3; form++) read_columns(&test, form);
        if (which != 1) expect_all_kinds(dimension, friction);
        expect_same_columns(what);
        compare_parts(&test, greatest_of(of_form[GENERAL].value[CONTACT_IMPULSE], of_form[GENERAL].count) /
                                 test.time_step);
        element_test_end(&test);
      }
}

/* The loops find the same forces in steps: positions after some, of a crowd of many contacts. */
static void compare_steps(int32_t contact_force, bool friction, int32_t dimension, int box)
{
  const floc_discrete_element_options options = grains(contact_force, friction, 3e4);
  element_test test[3];
  for (int form = 0; form < 3; form++) begin_crowd(&test[form], dimension, box, form, &options);
  for (int column = COLUMN_x; column < COLUMN_x + dimension; column++) {
    const double *const at[3] = {test[0].table.column[column], test[1].table.column[column],
                                 test[2].table.column[column]};
    for (int64_t i = 0; i < test[0].table.count; i++) assert_close(at[ONE_BY_ONE][i], at[GENERAL][i], 1e-12);
    assert_memory_equal(at[ONE_BY_ONE], at[FOURS], COUNT * sizeof(double));
  }
  for (int form = 0; form < 3; form++) element_test_end(&test[form]);
}

static void steps_are_the_same_in_all_loops(void **state)
{
  (void)state;
  static const int32_t forces[] = {FLOC_CONTACT_FORCE_HOOKE, FLOC_CONTACT_FORCE_HERTZ};
  for (int law = 0; law < 2; law++)
    for (int friction = 0; friction < 2; friction++)
      for (int32_t dimension = 2; dimension <= 3; dimension++) {
        compare_steps(forces[law], friction, dimension, OPEN);
        compare_steps(forces[law], friction, dimension, PERIODIC);
      }
}

static void fast_looks_see_hooke_as_the_general_one_does(void **state)
{
  (void)state;
  compare_looks(FLOC_CONTACT_FORCE_HOOKE);
}

static void fast_looks_see_hertz_as_the_general_one_does(void **state)
{
  (void)state;
  compare_looks(FLOC_CONTACT_FORCE_HERTZ);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_the_same_in_all_loops),
      cmocka_unit_test(fast_looks_see_hooke_as_the_general_one_does),
      cmocka_unit_test(fast_looks_see_hertz_as_the_general_one_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
