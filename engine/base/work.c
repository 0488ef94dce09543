/*
 * See work.h.
 */
#include "base/work.h"

void work_begin(work_budget *work, double limit, bool strict)
{
  work->strict = strict;
  work->limit = limit < 0x1p62 ? (int64_t)limit : INT64_MAX;
  atomic_store_explicit(&work->spent, 0, memory_order_relaxed);
  atomic_store_explicit(&work->kind, WORK_NONE, memory_order_relaxed);
}

void work_add(const environment *env, work_kind kind, int64_t units)
{
  work_budget *work = env->work;
  if (!work) return;
  int64_t before = atomic_fetch_add_explicit(&work->spent, units, memory_order_relaxed);
  if (kind == WORK_SOLVER && !work->strict) return;
  if (work_exceeded(env) == WORK_NONE && units > work->limit - before)
    atomic_store_explicit(&work->kind, kind, memory_order_relaxed);
}

const char *work_name(work_kind kind)
{
  static const char *const names[WORK_KINDS] = {
      "",
      "the iterations of its contact problem",
      "the search for neighbours",
      "its events",
      "the search for overlapping clusters and the correction of their links",
      "the flights of rays"};
  return names[kind];
}

int64_t work_left(const environment *env)
{
  if (!env->work) return INT64_MAX;
  int64_t spent = work_spent(env);
  return spent < env->work->limit ? env->work->limit - spent : 0;
}

int64_t work_allowance(const environment *env)
{
  return env->work && !env->work->strict ? work_left(env) / 2 : INT64_MAX;
}
