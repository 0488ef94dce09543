/*
 * The queue of predicted events, in a total order: time, then kind, then numbers. Equal sets of events
 * come out in the same order however they were put in, so ties are deterministic and a queue that was
 * read from a checkpoint behaves like the one that was written.
 *
 * Events are never removed when they lose their meaning; code that takes one out checks its stamp.
 *
 * A calendar (after Paul 2007, J. Comput. Phys. 221, 615): time is cut into slices of equal width. Events
 * of a future slice lie unsorted, in chained blocks of a few; only the slice that is due is sorted ("due",
 * the next one last). Events that are put into the due slice or before go to a small heap beside it.
 * What lies behind the last slice waits in one array; when the slices are used up, new ones are made, with
 * a width that puts about sixteen events in each. So putting and taking cost O(1) on average, touch little
 * memory, and one can look a few events ahead to ask memory for what they will need.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_QUEUE_H
#define FLOC_SCHEMES_AGGREGATION_QUEUE_H

#include "base/environment.h"

/* Three kinds in two numbers:
 *   first >= 0, second >= 0: members first and second touch;
 *   first < 0,  second >= 0: members ~first and second may be about to touch: look again;
 *   first >= 0, second < 0:  something happens to cluster first alone, ~second says what. */
typedef struct event {
  double time;
  int32_t first, second;
  uint64_t stamp; /* what must still hold for the event to count */
} event;

enum { EVENTS_IN_BLOCK = 5 };

typedef struct event_block { /* fills two cache lines */
  event what[EVENTS_IN_BLOCK];
  int32_t count;
  int32_t next; /* in the slice, or of the free blocks; -1: none */
} event_block;

typedef struct event_queue {
  environment *env;
  size_t count;       /* of all events */
  event *due;         /* [due_count] sorted, the next one last */
  event *heap;        /* [heap_count] each element comes before its four children */
  event *far;         /* [far_count] behind the last slice */
  event_block *block; /* [block_count] in use or free */
  int32_t *slice;     /* [slice_count] begins of chains, or -1 */
  size_t due_count, heap_count, far_count;
  int32_t block_count, free_block;
  size_t due_capacity, heap_capacity, far_capacity, block_capacity, slice_capacity;
  double origin, slices_per_time;
  int64_t slice_count, current; /* slices up to `current` have been taken */
} event_queue;

void event_queue_init(event_queue *queue, environment *env);
void event_queue_free(event_queue *queue);
void event_queue_clear(event_queue *queue);
/* What happens at no finite time is not stored. */
floc_status event_queue_push(event_queue *queue, event added);
/* The first event, in *next; false if there is none. The queue prepares itself, which may fail. */
floc_status event_queue_first(event_queue *queue, const event **next);
/* Removes what event_queue_first gave. */
void event_queue_drop(event_queue *queue);
/* An event that will come soon, about `ahead` events later; NULL if not known. */
const event *event_queue_ahead(const event_queue *queue, size_t ahead);
/* Copies all events, in no order. */
void event_queue_copy(const event_queue *queue, event *events);
/* Sorts an array of events into that order. */
void event_queue_sort(event *events, size_t count);

#endif
