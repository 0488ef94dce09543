/*
 * Event-driven flight in uniform gravity (event_driven/falling.c): event for event against the plain program,
 * closed forms, what is conserved, the same run without gravity seen from a frame that falls, checkpoints, and
 * starts that nothing can hold up.
 */
#include "plain_rigid_bodies.h"

static const double DOWN[3] = {0.3, -1.7, 0.0}, DEEP[3] = {0.2, 0.4, -1.5};

static void begin(rig *all, int32_t dimension, int32_t boundary, double side, const double gravity[3])
{
  rig_init(all, dimension, boundary, side);
  for (int axis = 0; axis < dimension; axis++) all->gravity[axis] = gravity[axis];
}

/* ---- against the plain program ---- */

static void agrees_event_for_event(void **state)
{
  (void)state;
  int compared = 0;
  for (int32_t dimension = 2; dimension <= 3; dimension++)
    for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
      for (int turns = 0; turns < 2; turns++) {
        agreement on = {.dimension = dimension,
                        .boundary = boundary,
                        .until = dimension == 2 ? 3.0 : 2.5,
                        .skin = turns ? 0.0 : 0.6,
                        .rotation = turns,
                        .seed = 21};
        memcpy(on.gravity, dimension == 2 ? DOWN : DEEP, sizeof on.gravity);
        compared += agree(on);
      }
  print_message("%d events were compared\n", compared);
  assert_true(compared > 200);
}

static void bouncing_agrees_event_for_event(void **state)
{
  (void)state;
  int compared = 0;
  for (int turns = 0; turns < 2; turns++) {
    agreement on = {.dimension = 2 + turns,
                    .boundary = FLOC_BOUNDARY_WALL,
                    .restitution = 0.8,
                    .sticking_speed = 0.6,
                    .until = 2.5,
                    .rotation = turns,
                    .seed = 22};
    memcpy(on.gravity, turns ? DEEP : DOWN, sizeof on.gravity);
    compared += agree(on);
  }
  assert_true(compared > 100);
}

/* ---- closed forms ---- */

/* A disc that is thrown up: y = v t - g t^2 / 2 from the floor, again and again; the ceiling is too high, then not.
 */
static void a_disc_bounces_on_its_parabola(void **state)
{
  (void)state;
  const double g = 2.0, v = 3.0, radius = 0.25, way = 1.3;
  for (int low = 0; low < 2; low++) {
    rig all;
    begin(&all, 2, FLOC_BOUNDARY_WALL, low ? 2.0 : 20.0, (double[3]){0, -g, 0});
    use_flight(&all, false, 0.0, 0.0, 0.0);
    rig_add(&all, (double[3]){0.3, radius, 0}, (double[3]){0, v, 0}, radius, 1.0);
    rig_add(&all, (double[3]){1.5, radius + way, 0}, (double[3]){0, 0, 0}, radius, 3.0);
    double top = 2.0 - 2.0 * radius; /* the speed that is left there */
    double period = low ? 2.0 * (v - sqrt(v * v - 2.0 * g * top)) / g : 2.0 * v / g;
    double energy = 0.5 * v * v + 3.0 * g * way;
    for (int k = 1; k <= 40; k++) {
      rig_step(&all, 0.917);
      double t = fmod(all.time, period);
      if (low) t = fmin(t, period - t);
      assert_close(rig_value(&all, COLUMN_y, 1), radius + v * t - 0.5 * g * t * t, 1e-11);
      double drop = fmod(all.time + sqrt(2.0 * way / g), 2.0 * sqrt(2.0 * way / g)) - sqrt(2.0 * way / g);
      assert_close(rig_value(&all, COLUMN_y, 2), radius + way - 0.5 * g * drop * drop, 1e-11);
      double potential =
          g * (rig_value(&all, COLUMN_y, 1) - radius + 3.0 * (rig_value(&all, COLUMN_y, 2) - radius));
      assert_close((all.report.kinetic_energy + potential) / energy, 1.0, 1e-12);
    }
    rig_free(&all);
  }
}

/* Without walls across it gravity changes nothing but a common parabola: the same events, the same places beside
 * it. */
static void gravity_is_a_common_parabola(void **state)
{
  (void)state;
  for (int turns = 0; turns < 2; turns++)
    for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++) {
      rig fall, rest;
      rig *both[2] = {&fall, &rest};
      for (int k = 0; k < 2; k++) {
        begin(both[k], 2, boundary, 12.0, k == 0 ? DOWN : (double[3]){0, 0, 0});
        if (boundary == FLOC_BOUNDARY_WALL) both[k]->gravity[0] = both[k]->gravity[1] = 0.0;
        if (boundary == FLOC_BOUNDARY_WALL) { /* walls along gravity, which is across no wall */
          both[k]->box.boundary[1] = FLOC_BOUNDARY_OPEN;
          both[k]->gravity[1] = k == 0 ? -1.7 : 0.0;
        }
        use_flight(both[k], turns, 0.0, 0.0, 0.0);
        rig_lattice(both[k], 12, 0.25, 6);
      }
      for (int step = 0; step < 6; step++) {
        rig_step(&fall, 1.5);
        rig_step(&rest, 1.5);
        assert_int_equal(told(&fall).merges, told(&rest).merges);
        for (int slot = 0; slot < 144; slot++)
          for (int axis = 0; axis < 2; axis++) {
            double t = fall.time, gained = fall.gravity[axis] * t;
            double x = fall.table.column[COLUMN_x + axis][slot] - rest.table.column[COLUMN_x + axis][slot];
            x -= 0.5 * gained * t;
            if (boundary == FLOC_BOUNDARY_PERIODIC) x = remainder(x, 12.0);
            assert_close(x, 0.0, 1e-9);
            assert_close(fall.table.column[COLUMN_vx + axis][slot],
                         rest.table.column[COLUMN_vx + axis][slot] + gained, 1e-9);
          }
      }
      assert_true(told(&fall).merges > 60);
      rig_free(&fall);
      rig_free(&rest);
    }
}

/* Elastic grains on a floor: energy for thousands of events, through many frames; the time may be cut anywhere. */
static void energy_is_kept_however_steps_are_cut(void **state)
{
  (void)state;
  rig one, many;
  rig *both[2] = {&one, &many};
  for (int k = 0; k < 2; k++) {
    begin(both[k], 2, FLOC_BOUNDARY_WALL, 8.0, (double[3]){0, -3.0, 0});
    use_flight(both[k], false, 1.0, 0.0, 0.0);
    rig_lattice(both[k], 8, 0.15, 8);
  }
  double energy[2], height = 0.0;
  for (int slot = 0; slot < 64; slot++) height += 3.0 * one.table.column[COLUMN_y][slot];
  energy[0] = height;
  for (int slot = 0; slot < 64; slot++)
    for (int axis = 0; axis < 2; axis++) energy[0] += 0.5 * pow(one.table.column[COLUMN_vx + axis][slot], 2.0);
  rig_step(&one, 16.0);
  for (int k = 0; k < 64; k++) rig_step(&many, 0.25);
  for (int axis = 0; axis < 2; axis++)
    assert_memory_equal(one.table.column[COLUMN_x + axis], many.table.column[COLUMN_x + axis], 64 * sizeof(double));
  energy[1] = one.report.kinetic_energy;
  for (int slot = 0; slot < 64; slot++) energy[1] += 3.0 * one.table.column[COLUMN_y][slot];
  print_message("%d bounces, %d reflections: energy %.1e\n", (int)told(&one).bounces, (int)told(&one).reflections,
                fabs(energy[1] / energy[0] - 1.0));
  assert_true(told(&one).bounces > 400 && told(&one).reflections > 200);
  assert_close(energy[1] / energy[0], 1.0, 1e-12);
  assert_true(rig_worst_overlap(&one) < 1e-10);
  rig_free(&one);
  rig_free(&many);
}

/* ---- checkpoints ---- */

static void continue_both(bool turns, int32_t boundary, double until)
{
  rig kept, resumed;
  rig *both[2] = {&kept, &resumed};
  for (int k = 0; k < 2; k++) {
    begin(both[k], 2, boundary, 16.0, DOWN);
    use_flight(both[k], turns, 0.7, 0.3, 0.0);
    rig_lattice(both[k], 16, 0.2, 9);
  }
  rig_step(&kept, until);
  section_list list;
  section_list_init(&list, &kept.env);
  assert_ok(&kept.env, kept.method.sections(kept.method.state, &list));
  assert_ok(&resumed.env, resumed.method.restore(resumed.method.state, &list, kept.table.count, 0));
  for (int k = 0; k < BUILTIN_COLUMN_COUNT; k++)
    memcpy(resumed.table.column[k], kept.table.column[k], (size_t)kept.table.count * sizeof(double));
  for (int axis = 0; axis < 3 && turns; axis++)
    if (spin_of(&kept, axis))
      memcpy(spin_of(&resumed, axis), spin_of(&kept, axis), (size_t)kept.table.count * sizeof(double));
  resumed.time = kept.time;
  for (int k = 0; k < 3; k++) {
    for (int which = 0; which < 2; which++) {
      both[which]->gravity[1] = k == 2 ? -0.5 : DOWN[1]; /* and what changes in a run */
      rig_step(both[which], 0.6 + 0.5 * k);
    }
    for (int column = 0; column < BUILTIN_COLUMN_COUNT; column++)
      assert_memory_equal(kept.table.column[column], resumed.table.column[column],
                          (size_t)kept.table.count * sizeof(double));
    assert_int_equal(told(&kept).events, told(&resumed).events);
    assert_int_equal(told(&kept).searches, told(&resumed).searches);
  }
  /* a file that says that the frame began to fall later than now */
  for (int32_t k = 0; k < list.count; k++) {
    if (strcmp(list.item[k].name, "event_driven/fall") != 0) continue;
    double number[4];
    memcpy(number, list.item[k].data, sizeof number);
    number[3] = 1e6;
    list.item[k].data = number;
    assert_int_equal(resumed.method.restore(resumed.method.state, &list, kept.table.count, 0), FLOC_DAMAGED_FILE);
  }
  section_list_free(&list);
  rig_free(&kept);
  rig_free(&resumed);
}

static void resume_is_bit_for_bit(void **state)
{
  (void)state;
  const double moments[] = {0.3, 1.9};
  for (int k = 0; k < 2; k++)
    for (int turns = 0; turns < 2; turns++)
      for (int32_t boundary = FLOC_BOUNDARY_OPEN; boundary <= FLOC_BOUNDARY_PERIODIC; boundary++)
        continue_both(turns, boundary, moments[k]);
}

/* ---- nothing is held up ---- */

static void refuses_to_hold(double y, double radius, double vy, const char *text)
{
  for (int turns = 0; turns < 2; turns++) {
    rig all;
    begin(&all, 2, FLOC_BOUNDARY_WALL, 4.0, (double[3]){0, -1, 0});
    use_flight(&all, turns, 0.0, 0.0, 0.0);
    rig_add(&all, (double[3]){2.0, y, 0}, (double[3]){0, vy, 0}, radius, 1.0);
    assert_int_equal(rig_try_step(&all, 1.0), FLOC_NOT_SUPPORTED);
    assert_non_null(strstr(all.env.message, text));
    assert_non_null(strstr(all.env.message, "particle 1"));
    rig_free(&all);
  }
}

static void what_would_rest_is_refused(void **state)
{
  (void)state;
  refuses_to_hold(0.5, 0.5, 0.0, "rests on a wall");
  refuses_to_hold(2.0, 2.0, 1.0, "is held between both walls");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_event_for_event),
      cmocka_unit_test(bouncing_agrees_event_for_event),
      cmocka_unit_test(a_disc_bounces_on_its_parabola),
      cmocka_unit_test(gravity_is_a_common_parabola),
      cmocka_unit_test(energy_is_kept_however_steps_are_cut),
      cmocka_unit_test(resume_is_bit_for_bit),
      cmocka_unit_test(what_would_rest_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
