/*
 * What an attempt of a step hands on to the next one, whose contacts are others: impulses of the contacts that both
 * have, and nothing else, over several blocks of a parallel loop.
 */
#include "support.h"

#include "base/numbers/random.h"
#include "base/threads/parallel.h"
#include "contacts/assembly/assembly.h"

#include <math.h>

enum { PARTICLES = 3000, PARTNERS = 7, MOST = PARTICLES * PARTNERS };

typedef struct column_set {
  contact_set set;
  int32_t first[MOST], second[MOST], shape[MOST];
  double impulse[MOST], tangent[2][MOST];
} column_set;

/* Contacts of particle i: walls with shapes 0 and 1, then pairs with i + 1 .. i + 5; each with a chance. */
static void make_set(column_set *to, uint64_t seed, double chance, double sign)
{
  int64_t count = 0;
  for (int32_t i = 0; i < PARTICLES; i++) {
    double u[8];
    random_uniform4(seed, (uint64_t)i, 0, RANDOM_SCRIPT, 0, u);
    random_uniform4(seed, (uint64_t)i, 1, RANDOM_SCRIPT, 0, u + 4);
    for (int k = 0; k < PARTNERS; k++) {
      if (u[k] >= chance) continue;
      to->first[count] = i;
      to->second[count] = k < 2 ? -1 : i + k - 1;
      to->shape[count] = k < 2 ? k : -1;
      to->impulse[count] = sign * (i * PARTNERS + k + 1);
      for (int axis = 0; axis < 2; axis++) to->tangent[axis][count] = sign * (i * PARTNERS + k + 1) / (axis + 2);
      count++;
    }
  }
  to->set = (contact_set){.count = count,
                          .first = to->first,
                          .second = to->second,
                          .shape = to->shape,
                          .impulse = to->impulse,
                          .tangent = {to->tangent[0], to->tangent[1], NULL}};
}

static bool is_among(const column_set *all, const column_set *other, int64_t a)
{
  for (int64_t b = 0; b < all->set.count; b++)
    if (all->first[b] == other->first[a] && all->second[b] == other->second[a] && all->shape[b] == other->shape[a])
      return true;
  return false;
}

static column_set before, now;

static void check(double chance_before, double chance_now, bool warm_start, int32_t threads)
{
  environment env = test_environment(threads);
  parallel_call_team(&env);
  make_set(&before, 1, chance_before, 1.0);
  make_set(&now, 2, chance_now, -1.0);
  contact_laws chosen = {.warm_start = warm_start};
  contacts_carry_over(&env, &before.set, &chosen, &now.set);
  for (int64_t a = 0; a < now.set.count; a++) {
    double own = fabs(now.impulse[a]); /* the same number for the same contact */
    bool carried = now.impulse[a] > 0.0;
    assert_true(carried == (warm_start && is_among(&before, &now, a)));
    for (int axis = 0; axis < 2; axis++)
      assert_close(now.tangent[axis][a], (carried ? own : -own) / (axis + 2), 0.0);
  }
  parallel_dismiss_team(&env);
}

static void test_shared_contacts(void **state)
{
  (void)state;
  for (int32_t threads = 1; threads <= 3; threads++) check(0.5, 0.6, true, threads);
  check(1.0, 0.3, true, 2);
  check(0.3, 1.0, true, 2);
}

static void test_nothing_to_carry(void **state)
{
  (void)state;
  check(0.0, 0.5, true, 2);
  check(0.5, 0.0, true, 2);
  check(0.5, 0.5, false, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_contacts),
                                     cmocka_unit_test(test_nothing_to_carry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
