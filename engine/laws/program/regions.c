/*
 * Regions of law programs: what is computed only where an `if` needs it.
 *
 * An `if` of the law became a selection between two values, which in straight-line code are both computed for
 * all elements. What only one of them uses is needed only where the selection takes it. Values that are needed
 * under the same condition make a region. If that is worth a test of the condition, the region's instructions stand
 * together, and program/run.c runs them for those groups of elements in which any needs them. For all others their
 * registers keep what was there before, which no selection takes.
 *
 * Where values are needed is found from the last instruction to the first: an instruction is needed where those are
 * that use it. The condition is that of the innermost `if` that holds all uses; the next outer one is the one under
 * which the condition itself is needed. A region that is not worth a test becomes part of the next outer one.
 */
#include "laws/program/compile.h"

enum {
  WORTH = 16, /* a region must save as much as this number of additions */
  COST_DIVISION = 8,
  COST_LIBRARY = 16 /* where it is computed for all elements; others have a test of their own */
};

static const value_need everywhere = {NEEDED_EVERYWHERE, false};

static int32_t cost_of(const floc_instruction *step)
{
  if (step->operation == FLOC_OPERATION_DIVIDE || step->operation == FLOC_OPERATION_SQUARE_ROOT)
    return COST_DIVISION;
  return program_operation_of(step->operation)->library && step->c < 0 ? COST_LIBRARY : 1;
}

/* ---- where values are needed ---- */

/* The need of the condition itself: where it is not met, nothing uses the value of the condition. */
static value_need outer_need(const compiler *work, value_need need)
{
  return need.condition >= work->first ? work->note[need.condition].need : everywhere;
}

static int32_t depth_of(const compiler *work, value_need need)
{
  int32_t depth = 0;
  for (; need.condition >= 0; need = outer_need(work, need)) depth++;
  return depth;
}

/* The innermost need that holds both. */
static value_need common_need(const compiler *work, value_need a, value_need b)
{
  int32_t above = depth_of(work, a) - depth_of(work, b);
  for (; above > 0; above--) a = outer_need(work, a);
  for (; above < 0; above++) b = outer_need(work, b);
  while (!program_same_need(a, b)) {
    a = outer_need(work, a);
    b = outer_need(work, b);
  }
  return a;
}

static void add_need(compiler *work, int32_t value, value_need more)
{
  if (value < work->first) return;
  value_need *need = &work->note[value].need;
  *need = need->condition == NEEDED_NOWHERE ? more : common_need(work, *need, more);
}

/* What an instruction that is needed in `whole` asks of its operands; of its condition first, so that no chain of
 * outer needs comes back to where it began. */
static void ask_operands(compiler *work, const floc_instruction *step, value_need whole)
{
  if (step->operation == FLOC_OPERATION_SELECT) {
    add_need(work, step->a, whole);
    add_need(work, step->b, (value_need){step->a, false});
    add_need(work, step->c, (value_need){step->a, true});
  } else {
    bool guarded = program_operation_of(step->operation)->library && step->c >= 0;
    value_need inner = guarded ? (value_need){step->c, false} : whole;
    add_need(work, step->c, whole);
    add_need(work, step->a, inner);
    add_need(work, step->b, inner);
  }
}

static void find_needs(compiler *work)
{
  for (int32_t k = work->first; k < work->count; k++)
    work->note[k].need = work->note[k].is_output ? everywhere : (value_need){NEEDED_NOWHERE, false};
  for (int32_t k = work->count - 1; k >= work->first; k--)
    if (work->note[k].uses > 0) ask_operands(work, program_maker(work, k), work->note[k].need);
}

/* ---- which regions there are ---- */

static bool may_guard(const compiler *work, int32_t condition, int32_t value)
{
  return condition >= 0 && condition < value && !work->note[condition].uniform;
}

/* From the inner to the outer: conditions are made before what they decide, and so outer ones before inner ones. */
static void find_worth(compiler *work)
{
  for (int32_t k = work->count - 1; k >= work->first; k--) {
    value_note *note = &work->note[k];
    if (note->uses == 0 || note->uniform) continue;
    while (note->need.condition >= 0 && !may_guard(work, note->need.condition, k))
      note->need = outer_need(work, note->need);
    if (note->need.condition < 0) continue;
    value_note *condition = &work->note[note->need.condition];
    *(note->need.otherwise ? &condition->cost_otherwise : &condition->cost) += cost_of(program_maker(work, k));
  }
}

static bool is_worth(const compiler *work, value_need need)
{
  const value_note *condition = &work->note[need.condition];
  return (need.otherwise ? condition->cost_otherwise : condition->cost) >= WORTH;
}

static value_need worthwhile(const compiler *work, value_need need)
{
  while (need.condition >= 0 && !is_worth(work, need)) need = outer_need(work, need);
  return need;
}

void program_find_regions(compiler *work)
{
  find_needs(work);
  find_worth(work);
  for (int32_t k = work->count - 1; k >= work->first; k--) {
    value_note *note = &work->note[k];
    if (note->uses == 0) continue;
    note->need = note->uniform ? everywhere : worthwhile(work, note->need);
    if (note->need.condition >= 0) work->note[note->need.condition].uses++;
  }
}

/* ---- the order ---- */

static bool is_ready(const compiler *work, int32_t value)
{
  plan made = program_plan(work, value);
  int32_t operand[5] = {made.x, made.y, made.z, made.w, work->note[value].need.condition};
  for (int n = 0; n < 5; n++)
    if (operand[n] >= work->first && !work->note[operand[n]].uniform && !work->note[operand[n]].ordered)
      return false;
  return true;
}

static bool is_waiting(const compiler *work, int32_t value)
{
  return program_is_emitted(work, value) && !work->note[value].uniform && !work->note[value].ordered;
}

/* Everything in this region that can be computed now. */
static void add_region(compiler *work, value_need region)
{
  for (int32_t k = work->first; k < work->count; k++) {
    if (!is_waiting(work, k) || !program_same_need(work->note[k].need, region) || !is_ready(work, k)) continue;
    work->note[k].ordered = true;
    work->order[work->order_count++] = k;
  }
}

/* What is needed everywhere as early as possible, so that as few regions as possible are cut into parts. The first
 * value that waits is always ready: it asks only for values before it. */
void program_find_order(compiler *work)
{
  for (int32_t k = work->first; k < work->count;) {
    add_region(work, everywhere);
    while (k < work->count && !is_waiting(work, k)) k++;
    if (k < work->count) add_region(work, work->note[k].need);
  }
}
