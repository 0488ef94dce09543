/*
 * Impulses of an earlier set of the same step as the first guess of a later one. See assembly.h.
 */
#include "contacts/assembly/assembly.h"

#include "base/threads/parallel.h"

#include <string.h>

/* Contacts of a set are sorted by this. What contacts_keep() has copied is without shapes: `second` of a wall is
 * what stands for it in the order. */
static int32_t other_of(const contact_set *set, int64_t a)
{
  return set->second[a] >= 0 || !set->shape ? set->second[a] : set->shape[a] + INT32_MIN;
}

static int64_t order_of(const contact_set *set, int64_t a)
{
  return ((int64_t)set->first[a] << 33) + other_of(set, a);
}

typedef struct carry_call {
  const contact_set *before;
  contact_set *set;
} carry_call;

/* The first contact of a set that does not come before the order. */
static int64_t find_order(const contact_set *set, int64_t order)
{
  int64_t begin = 0, end = set->count;
  while (begin < end) {
    int64_t middle = begin + (end - begin) / 2;
    if (order_of(set, middle) < order)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/* Among the contacts of one pair, of which b is the first, the one of the same features; -1: there is none. */
static int64_t find_feature(const contact_set *before, int64_t b, int64_t order, const contact_set *set, int64_t a)
{
  if (!set->feature) return b;
  for (; b < before->count && order_of(before, b) == order; b++)
    if (before->feature[b] == set->feature[a]) return b;
  return -1;
}

static void carry_block(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  const carry_call *call = context;
  const contact_set *before = call->before;
  contact_set *set = call->set;
  int64_t b = find_order(before, order_of(set, begin));
  for (int64_t a = begin; a < end && b < before->count; a++) {
    int64_t order = order_of(set, a);
    while (b < before->count && order_of(before, b) < order) b++;
    if (b == before->count || order_of(before, b) != order) continue;
    const int64_t same = find_feature(before, b, order, set, a);
    if (same < 0) continue;
    set->impulse[a] = before->impulse[same];
    for (int axis = 0; axis < 3; axis++) {
      if (set->tangent[axis]) set->tangent[axis][a] = before->tangent[axis][same];
      if (set->moment[axis]) set->moment[axis][a] = before->moment[axis][same];
    }
  }
}

void contacts_carry_over(const environment *env, const contact_set *before, const contact_laws *laws,
                         contact_set *set)
{
  carry_call call = {before, set};
  if (laws->warm_start && before->count > 0) parallel_for(env, set->count, PARALLEL_BLOCK, carry_block, &call);
}

/* ---- kept while scratch is used again ---- */

static size_t padded(size_t size)
{
  return (size + 7) / 8 * 8;
}

/* Of a column that is there: copies it, or counts its bytes where there is no space yet. */
static void *keep_column(unsigned char *kept, size_t *at, const void *column, int64_t count, size_t size)
{
  if (!column) return NULL;
  unsigned char *to = kept ? kept + *at : NULL;
  if (to && count > 0) memcpy(to, column, (size_t)count * size);
  *at += padded((size_t)count * size);
  return to;
}

static size_t keep_columns(const contact_set *from, unsigned char *kept, contact_set *to)
{
  size_t at = 0;
  *to = (contact_set){.count = from->count};
  to->first = keep_column(kept, &at, from->first, from->count, sizeof *from->first);
  to->second = keep_column(kept, &at, from->second, from->count, sizeof *from->second);
  for (int64_t a = 0; a < from->count && kept; a++) to->second[a] = other_of(from, a);
  to->feature = keep_column(kept, &at, from->feature, from->count, sizeof *from->feature);
  to->impulse = keep_column(kept, &at, from->impulse, from->count, sizeof *from->impulse);
  for (int axis = 0; axis < 3; axis++) {
    to->tangent[axis] = keep_column(kept, &at, from->tangent[axis], from->count, sizeof(double));
    to->moment[axis] = keep_column(kept, &at, from->moment[axis], from->count, sizeof(double));
  }
  return at;
}

floc_status contacts_keep(arena *scratch, arena_mark mark, contact_set *set, void **kept, size_t *capacity)
{
  contact_set copy;
  const size_t bytes = keep_columns(set, NULL, &copy);
  void *space = arena_hold(scratch, mark, bytes);
  if (!space) {
    floc_status status = array_reserve(scratch->env, kept, capacity, bytes, 1);
    if (status != FLOC_OK) return status;
    space = *kept;
  }
  keep_columns(set, space, &copy);
  *set = copy;
  return FLOC_OK;
}
