/*
 * Columns of pair memory for the further contacts of grains that are not round: each column of the first contact
 * has its own, laws of the host too, whatever their names.
 */
#include "support.h"

#include "contacts/laws/law.h"

#include <string.h>

static floc_status bounds(void *context, const floc_contact_rows *rows)
{
  (void)context, (void)rows;
  return FLOC_OK;
}

static void add_host_law(environment *env, host_laws *hosts, const char *name, const char *first,
                         const char *second)
{
  const char *const memory[] = {first, second};
  floc_contact_law_type type;
  floc_contact_law_type_init(&type);
  type.name = name;
  type.memory_count = 2;
  type.memory = memory;
  type.bounds = bounds;
  assert_int_equal(host_laws_add(env, hosts, &type), FLOC_OK);
}

static floc_status take(const char *name, const char *first, const char *second, environment *env)
{
  neighbors *near;
  host_laws hosts = {.count = 0};
  contact_laws laws = {.count = 0};
  assert_int_equal(neighbors_create(env, 2, &near), FLOC_OK);
  add_host_law(env, &hosts, name, first, second);
  assert_int_equal(contact_laws_create(&laws, &hosts, near, 2), FLOC_OK);
  const floc_status status = contact_laws_take_shapes(&laws, near, 2);
  bool taken[MEMORY_LIMIT] = {false};
  for (int32_t n = -1; n < 2 && status == FLOC_OK; n++) {
    const int32_t column = n < 0 ? laws.impulse : laws.law[laws.count - 1].memory[n];
    for (int part = 1; part < CONTACT_PARTS; part++) {
      const int32_t further = laws.further[column][part];
      const char *of = neighbors_memory_name(near, column), *as = neighbors_memory_name(near, further);
      assert_true(further != column && !taken[further]);
      taken[further] = true;
      assert_true(strncmp(as, of, strlen(of)) == 0);
    }
  }
  neighbors_destroy(near);
  return status;
}

static void each_column_has_its_own(void **state)
{
  (void)state;
  environment env = test_environment(1);
  assert_int_equal(take("tape", "stuck", "torn", &env), FLOC_OK);
  assert_int_equal(take("a_rather_long_1", "memory_1", "memory_2", &env), FLOC_OK); /* the same 20 letters */
  assert_int_equal(take("a_rather_long_1", "memory_memory_1", "m", &env), FLOC_INVALID_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_column_has_its_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
