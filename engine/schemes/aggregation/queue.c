/*
 * The calendar of events. See aggregation/queue.h.
 */
#include "schemes/aggregation/queue.h"

#include <math.h>
#include <stdlib.h>

enum { CHILDREN = 4, NOBODY = -1 };
enum { EVENTS_PER_SLICE = 16, SLICES_AT_LEAST = 16, SAMPLE = 256 };

/* ---- order ---- */

static int event_kind(const event *e)
{
  if (e->first < 0) return 0;
  return e->second >= 0 ? 1 : 2;
}

static bool tie_before(const event *a, const event *b)
{
  int kind_a = event_kind(a), kind_b = event_kind(b);
  if (kind_a != kind_b) return kind_a < kind_b;
  if (a->first != b->first) return a->first < b->first;
  if (a->second != b->second) return a->second < b->second;
  return a->stamp < b->stamp;
}

static bool event_before(const event *a, const event *b)
{
  return a->time != b->time ? a->time < b->time : tie_before(a, b);
}

static int compare_events(const void *a, const void *b)
{
  const event *p = a, *q = b;
  if (event_before(p, q)) return -1;
  return event_before(q, p) ? 1 : 0;
}

void event_queue_sort(event *events, size_t count)
{
  qsort(events, count, sizeof *events, compare_events);
}

/* ---- the heap of late comers ---- */

static floc_status heap_push(event_queue *queue, event added)
{
  floc_status status = array_reserve(queue->env, (void **)&queue->heap, &queue->heap_capacity,
                                     queue->heap_count + 1, sizeof *queue->heap);
  if (status != FLOC_OK) return status;
  size_t place = queue->heap_count++;
  while (place > 0) {
    size_t parent = (place - 1) / CHILDREN;
    if (!event_before(&added, &queue->heap[parent])) break;
    queue->heap[place] = queue->heap[parent];
    place = parent;
  }
  queue->heap[place] = added;
  return FLOC_OK;
}

static void heap_pop(event_queue *queue)
{
  event last = queue->heap[--queue->heap_count];
  size_t place = 0, count = queue->heap_count;
  for (;;) {
    size_t child = place * CHILDREN + 1, least = child;
    if (child >= count) break;
    size_t end = child + CHILDREN < count ? child + CHILDREN : count;
    for (size_t k = child + 1; k < end; k++)
      if (event_before(&queue->heap[k], &queue->heap[least])) least = k;
    if (!event_before(&queue->heap[least], &last)) break;
    queue->heap[place] = queue->heap[least];
    place = least;
  }
  if (count > 0) queue->heap[place] = last;
}

/* ---- slices ---- */

static const double MOST_SLICES_PER_TIME = 1e300; /* a number, so that the first event is in the first slice */

void event_queue_init(event_queue *queue, environment *env)
{
  *queue = (event_queue){.env = env};
  event_queue_clear(queue);
}

void event_queue_free(event_queue *queue)
{
  environment *env = queue->env;
  array_free(env, (void **)&queue->due, &queue->due_capacity, sizeof *queue->due);
  array_free(env, (void **)&queue->heap, &queue->heap_capacity, sizeof *queue->heap);
  array_free(env, (void **)&queue->far, &queue->far_capacity, sizeof *queue->far);
  array_free(env, (void **)&queue->block, &queue->block_capacity, sizeof *queue->block);
  array_free(env, (void **)&queue->slice, &queue->slice_capacity, sizeof *queue->slice);
  event_queue_clear(queue);
}

/* Without slices everything waits in `far` until the first event is asked for. */
void event_queue_clear(event_queue *queue)
{
  queue->count = queue->due_count = queue->heap_count = queue->far_count = 0;
  queue->block_count = 0;
  queue->free_block = NOBODY;
  queue->slice_count = 0;
  queue->current = -1;
  queue->origin = queue->slices_per_time = 0.0;
}

/* Non-decreasing in time, so events of a slice come before those of the next. */
static inline double slice_of(const event_queue *queue, double time)
{
  return (time - queue->origin) * queue->slices_per_time;
}

static floc_status far_push(event_queue *queue, event added)
{
  floc_status status = array_reserve(queue->env, (void **)&queue->far, &queue->far_capacity, queue->far_count + 1,
                                     sizeof *queue->far);
  if (status == FLOC_OK) queue->far[queue->far_count++] = added;
  return status;
}

/* A new block at the begin of a slice's chain. */
static floc_status block_add(event_queue *queue, int32_t *chain)
{
  int32_t number = queue->free_block;
  if (number != NOBODY) {
    queue->free_block = queue->block[number].next;
  } else {
    if (queue->block_count == INT32_MAX)
      return refuse(queue->env, FLOC_LIMIT_EXCEEDED, "more than %d blocks of events are queued",
                    queue->block_count);
    floc_status status = array_reserve(queue->env, (void **)&queue->block, &queue->block_capacity,
                                       (size_t)queue->block_count + 1, sizeof *queue->block);
    if (status != FLOC_OK) return status;
    number = queue->block_count++;
  }
  queue->block[number].count = 0;
  queue->block[number].next = *chain;
  *chain = number;
  return FLOC_OK;
}

static floc_status slice_push(event_queue *queue, int32_t *chain, event added)
{
  if (*chain == NOBODY || queue->block[*chain].count == EVENTS_IN_BLOCK) {
    floc_status status = block_add(queue, chain);
    if (status != FLOC_OK) return status;
  }
  event_block *block = &queue->block[*chain];
  block->what[block->count++] = added;
  return FLOC_OK;
}

static floc_status put(event_queue *queue, event added)
{
  double place = slice_of(queue, added.time);
  if (!(place < (double)queue->slice_count)) return far_push(queue, added);
  if (place < (double)(queue->current + 1)) return heap_push(queue, added);
  return slice_push(queue, &queue->slice[(int64_t)place], added);
}

floc_status event_queue_push(event_queue *queue, event added)
{
  if (!(added.time < INFINITY)) return FLOC_OK;
  floc_status status = put(queue, added);
  if (status == FLOC_OK) queue->count++;
  return status;
}

static int compare_times(const void *a, const void *b)
{
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

/* Width and number of the next slices, from the first and the median time of what waits. */
static floc_status lay_out_slices(event_queue *queue)
{
  double sample[SAMPLE], first = queue->far[0].time;
  size_t stride = queue->far_count / SAMPLE + 1, taken = 0;
  for (size_t k = 1; k < queue->far_count; k++)
    if (queue->far[k].time < first) first = queue->far[k].time;
  for (size_t k = 0; k < queue->far_count; k += stride) sample[taken++] = queue->far[k].time;
  qsort(sample, taken, sizeof *sample, compare_times);
  double median = sample[taken / 2], last = sample[taken - 1];
  double span = median > first ? 2.0 * (median - first) : last > first ? last - first : 1.0;
  int64_t count = (int64_t)queue->far_count / EVENTS_PER_SLICE + SLICES_AT_LEAST;
  floc_status status = array_reserve(queue->env, (void **)&queue->slice, &queue->slice_capacity, (size_t)count,
                                     sizeof *queue->slice);
  if (status != FLOC_OK) return status;
  for (int64_t k = 0; k < count; k++) queue->slice[k] = NOBODY;
  queue->slice_count = count;
  queue->current = -1;
  queue->origin = first;
  queue->slices_per_time = fmin((double)count / span, MOST_SLICES_PER_TIME);
  return FLOC_OK;
}

static floc_status spread_far(event_queue *queue)
{
  floc_status status = lay_out_slices(queue);
  size_t count = queue->far_count;
  queue->far_count = 0; /* what stays behind the last slice is put back to the front of the array */
  for (size_t k = 0; k < count && status == FLOC_OK; k++) status = put(queue, queue->far[k]);
  return status;
}

static void sort_due(event *due, size_t count)
{
  if (count > 64) {
    event_queue_sort(due, count);
    for (size_t k = 0; k < count / 2; k++) {
      event other = due[k];
      due[k] = due[count - 1 - k];
      due[count - 1 - k] = other;
    }
    return;
  }
  for (size_t k = 1; k < count; k++) {
    event moved = due[k];
    size_t place = k;
    for (; place > 0 && event_before(&due[place - 1], &moved); place--) due[place] = due[place - 1];
    due[place] = moved;
  }
}

static floc_status take_slice(event_queue *queue, int64_t number)
{
  size_t count = 0;
  for (int32_t k = queue->slice[number]; k != NOBODY; k = queue->block[k].next) count += EVENTS_IN_BLOCK;
  floc_status status =
      array_reserve(queue->env, (void **)&queue->due, &queue->due_capacity, count, sizeof *queue->due);
  if (status != FLOC_OK) return status;
  queue->due_count = 0;
  for (int32_t k = queue->slice[number]; k != NOBODY;) {
    event_block *block = &queue->block[k];
    int32_t next = block->next;
    for (int32_t n = 0; n < block->count; n++) queue->due[queue->due_count++] = block->what[n];
    block->next = queue->free_block;
    queue->free_block = k;
    k = next;
  }
  queue->slice[number] = NOBODY;
  queue->current = number;
  if (number + 2 < queue->slice_count && queue->slice[number + 2] != NOBODY)
    __builtin_prefetch(&queue->block[queue->slice[number + 2]]);
  sort_due(queue->due, queue->due_count);
  return FLOC_OK;
}

static const event *earlier(const event_queue *queue)
{
  const event *due = queue->due_count > 0 ? &queue->due[queue->due_count - 1] : NULL;
  const event *late = queue->heap_count > 0 ? &queue->heap[0] : NULL;
  if (!due || !late) return due ? due : late;
  return event_before(late, due) ? late : due;
}

floc_status event_queue_first(event_queue *queue, const event **next)
{
  *next = NULL;
  while (queue->count > 0 && !(*next = earlier(queue))) {
    int64_t number = queue->current + 1;
    while (number < queue->slice_count && queue->slice[number] == NOBODY) number++;
    floc_status status = number < queue->slice_count ? take_slice(queue, number) : spread_far(queue);
    if (status != FLOC_OK) return status;
  }
  return FLOC_OK;
}

void event_queue_drop(event_queue *queue)
{
  if (queue->heap_count > 0 && earlier(queue) == &queue->heap[0])
    heap_pop(queue);
  else
    queue->due_count--;
  queue->count--;
}

const event *event_queue_ahead(const event_queue *queue, size_t ahead)
{
  return queue->due_count > ahead ? &queue->due[queue->due_count - 1 - ahead] : NULL;
}

void event_queue_copy(const event_queue *queue, event *events)
{
  size_t count = 0;
  for (size_t k = 0; k < queue->due_count; k++) events[count++] = queue->due[k];
  for (size_t k = 0; k < queue->heap_count; k++) events[count++] = queue->heap[k];
  for (size_t k = 0; k < queue->far_count; k++) events[count++] = queue->far[k];
  for (int64_t number = queue->current + 1; number < queue->slice_count; number++)
    for (int32_t b = queue->slice[number]; b != NOBODY; b = queue->block[b].next)
      for (int32_t k = 0; k < queue->block[b].count; k++) events[count++] = queue->block[b].what[k];
}
