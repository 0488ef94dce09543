/*
 * Sections for tests: every type, tables, empty ones, the longest name. Contents follow from a version
 * number, so that a checkpoint read back can be told from an older one.
 */
#ifndef FLOC_TESTS_FILES_SAMPLES_H
#define FLOC_TESTS_FILES_SAMPLES_H

#include "base/section.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_SECTIONS = 9 };

typedef struct sample {
  section_list list;
  void *data[SAMPLE_SECTIONS];
} sample;

/* Mixed bits (the finalizer of splitmix64): quick, and not part of the engine, so that golden files do not
 * depend on the engine's random numbers. */
static inline uint64_t sample_bits(uint64_t number)
{
  uint64_t bits = (number + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/* Numbers of a type. Doubles are noise in [-1, 1), integers rise in small steps, bytes are text. */
static inline void *sample_numbers(const char *type, uint64_t count, uint64_t version)
{
  size_t size = section_type_size(type);
  unsigned char *data = malloc(count * size + 1);
  assert_non_null(data);
  for (uint64_t k = 0; k < count; k++) {
    uint64_t bits = sample_bits(version << 32 | k);
    double real = (double)(bits >> 11) * 0x1p-52 - 1.0;
    int64_t whole = (int64_t)(3 * k + (bits & 1) + version);
    int32_t narrow = (int32_t)whole;
    unsigned char byte = (unsigned char)("floc "[k % 5] + (int)version);
    const void *source = type[0] == 'f' ? (void *)&real
                         : size == 8    ? (void *)&whole
                         : size == 4    ? (void *)&narrow
                                        : (void *)&byte;
    memcpy(data + k * size, source, size);
  }
  return data;
}

/* `rows` is the length of the long sections; 3 is a small file, 300,000 more than two chunks each. */
static inline void sample_make(sample *made, environment *env, uint64_t rows, uint64_t version)
{
  static const struct {
    const char *name, *type;
    uint64_t rows, columns; /* rows 0: the given number */
    bool is_state, is_empty;
  } plan[SAMPLE_SECTIONS] = {
      {"particles.x", "f64", 0, 1, true, false},
      {"particles.id", "i64", 0, 1, true, false},
      {"pairs", "i32", 0, 2, true, false},
      {"body.position", "f64", 2, 3, true, false},
      {"no rows", "f64", 0, 3, true, true},
      {"seed", "u64", 1, 1, true, false},
      {"wide", "i32", 2, 200, false, false},
      {"script", "u8", 0, 1, false, false},
      {"a name of exactly sixty-three bytes, the longest that is stored", "u8", 5, 1, false, false},
  };
  section_list_init(&made->list, env);
  for (int k = 0; k < SAMPLE_SECTIONS; k++) {
    uint64_t count = plan[k].is_empty ? 0 : plan[k].rows ? plan[k].rows : rows;
    made->data[k] = sample_numbers(plan[k].type, count * plan[k].columns, version + (uint64_t)k);
    assert_ok(env, section_list_add(&made->list, plan[k].name, plan[k].type, count, plan[k].columns, made->data[k],
                                    plan[k].is_state));
  }
}

static inline void sample_free(sample *made)
{
  for (int k = 0; k < SAMPLE_SECTIONS; k++) free(made->data[k]);
  section_list_free(&made->list);
}

static inline bool sections_equal(const section_list *a, const section_list *b)
{
  if (a->count != b->count) return false;
  for (int32_t k = 0; k < a->count; k++) {
    const section *p = &a->item[k], *q = &b->item[k];
    if (strcmp(p->name, q->name) != 0 || strcmp(p->type, q->type) != 0) return false;
    if (p->rows != q->rows || p->columns != q->columns || p->is_state != q->is_state) return false;
    if (memcmp(p->data, q->data, p->rows * p->columns * section_type_size(p->type)) != 0) return false;
  }
  return true;
}

/* ---- an allocator that fails and counts ------------------------------------------------------------ */

typedef struct counting_allocator {
  int64_t calls, fail_at; /* fail_at 0: never; the n-th call that asks for memory is refused */
  size_t held, greatest_held;
  size_t greatest_request;
} counting_allocator;

static inline void *counting_allocate(void *context, void *pointer, size_t old_size, size_t new_size)
{
  counting_allocator *counter = context;
  if (new_size > 0) {
    counter->calls++;
    if (new_size > counter->greatest_request) counter->greatest_request = new_size;
    if (counter->calls == counter->fail_at) return NULL;
  }
  void *moved = default_allocate(NULL, pointer, old_size, new_size);
  counter->held = counter->held - old_size + new_size;
  if (counter->held > counter->greatest_held) counter->greatest_held = counter->held;
  return moved;
}

static inline environment counting_environment(counting_allocator *counter, int32_t threads)
{
  environment env = {.allocate = counting_allocate, .allocate_context = counter, .threads = threads};
  return env;
}

#endif
