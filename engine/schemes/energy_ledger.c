/*
 * See energy_ledger.h.
 */
#include "schemes/energy_ledger.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char SECTION[] = "world.energy_ledger";

static void add(energy_ledger *ledger, ledger_part part, double work)
{
  double sum = ledger->sum[part] + work;
  bool greater = fabs(ledger->sum[part]) >= fabs(work);
  ledger->carried[part] += greater ? (ledger->sum[part] - sum) + work : (work - sum) + ledger->sum[part];
  ledger->sum[part] = sum;
  ledger->turnover += fabs(work);
}

void energy_ledger_begin(energy_ledger *ledger, double kinetic)
{
  if (ledger->begun == 0.0)
    ledger->start = kinetic;
  else
    add(ledger, LEDGER_OUTSIDE, kinetic - ledger->last);
  ledger->begun = 1.0;
  ledger->last = kinetic;
}

void energy_ledger_end(energy_ledger *ledger, const double work[LEDGER_PARTS], double kinetic)
{
  for (int part = 0; part < LEDGER_PARTS; part++) add(ledger, (ledger_part)part, work[part]);
  ledger->last = kinetic;
  ledger->steps += 1.0;
}

double energy_ledger_work(const energy_ledger *ledger, ledger_part part)
{
  return ledger->sum[part] + ledger->carried[part];
}

floc_status energy_ledger_sections(const energy_ledger *ledger, section_list *list)
{
  return section_list_add(list, SECTION, "f64", 1, LEDGER_NUMBERS, ledger, false);
}

floc_status energy_ledger_restore(energy_ledger *ledger, environment *env, const section_list *list)
{
  const section *found;
  memset(ledger, 0, sizeof *ledger);
  if (!section_find(list, SECTION)) return FLOC_OK;
  const section *stored = section_find(list, SECTION);
  const bool first = stored->columns == LEDGER_FIRST_NUMBERS;
  floc_status status =
      section_expect(list, SECTION, "f64", 1, first ? LEDGER_FIRST_NUMBERS : LEDGER_NUMBERS, &found);
  if (status == FLOC_OK) status = section_check_numbers(env, found, 0, ALL_ELEMENTS, FINITE_NUMBERS);
  if (status != FLOC_OK) return status;
  if (!first) {
    memcpy(ledger, found->data, sizeof *ledger);
    return FLOC_OK;
  }
  const char *from = found->data;
  const size_t before = offsetof(energy_ledger, sum), parts = LEDGER_FIRST_PARTS * sizeof(double);
  memcpy(ledger, from, before + parts);
  memcpy(ledger->carried, from + before + parts, parts);
  return FLOC_OK;
}
