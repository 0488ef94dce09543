/*
 * Laws in checkpoints: sections that were altered are refused or taken over as programs that are safe to run, and
 * then nothing else has changed; memory that runs out.
 */
#include "failing_allocator.h"

#include "laws/laws.h"

#include <math.h>
#include <string.h>

static const floc_instruction code[] = {{FLOC_OPERATION_SUBTRACT, 0, 2, -1},
                                        {FLOC_OPERATION_LESS, 3, 1, -1},
                                        {FLOC_OPERATION_EXPONENTIAL, 3, -1, 4},
                                        {FLOC_OPERATION_SELECT, 4, 5, 1}};
static const double constants[] = {0.5};
static const int32_t output_of_code[] = {6, 3};
static const char *const inputs[] = {"x", "k"}, *const parameters[] = {"k"};
static const double values[] = {2.0};

typedef struct law_room {
  environment *env;
  particles table;
  neighbors *near;
  laws *all;
} law_room;

static floc_status open_room(law_room *room, environment *env)
{
  memset(room, 0, sizeof *room);
  room->env = env;
  particles_init(&room->table, env);
  floc_status status = neighbors_create(env, 2, &room->near);
  if (status == FLOC_OK) status = laws_create(env, 2, &room->all);
  if (status != FLOC_OK) return status;
  floc_program_options program = {.struct_size = sizeof program,
                                  .input_count = 2,
                                  .constants = constants,
                                  .constant_count = 1,
                                  .code = code,
                                  .code_count = 4,
                                  .outputs = output_of_code,
                                  .output_count = 2};
  floc_law_options law = {.struct_size = sizeof law,
                          .inputs = inputs,
                          .input_count = 2,
                          .output_count = 2,
                          .parameters = parameters,
                          .parameter_values = values,
                          .parameter_count = 1,
                          .program = &program};
  int32_t number;
  for (int k = 0; k < 2 && status == FLOC_OK; k++)
    status = laws_add(room->all, &room->table, room->near, FLOC_LAW_FIELD, &law, &number);
  return status;
}

static void close_room(law_room *room)
{
  laws_destroy(room->all);
  neighbors_destroy(room->near);
  particles_free(&room->table);
}

static void text_of(law_room *room, int32_t number, char *text, size_t size)
{
  size_t length;
  assert_ok(room->env, laws_text(room->all, room->env, FLOC_LAW_FIELD, number, text, size, &length));
}

/* Every word of the programs, one at a time, takes numbers that lie. */
static void altered_programs_are_refused_or_safe(void **state)
{
  (void)state;
  static const int32_t wrong[] = {
      -2147483647 - 1, -5, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 33, 34, 100, 4096, 4097, 2147483647};
  environment env = test_environment(1);
  law_room room;
  assert_ok(&env, open_room(&room, &env));
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, laws_sections(room.all, &list));
  const section *words = section_find(&list, "laws.words");
  assert_non_null(words);
  int32_t copy[128];
  assert_true(words->rows <= 128);
  memcpy(copy, words->data, words->rows * sizeof *copy);
  char before[400], after[400];
  int64_t refused = 0, taken = 0;
  for (uint64_t word = 0; word < words->rows; word++)
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
      int32_t altered[128];
      memcpy(altered, copy, sizeof copy);
      altered[word] = wrong[k];
      section_list other;
      section_list_init(&other, &env);
      for (int32_t n = 0; n < list.count; n++) {
        const section *part = &list.item[n];
        const void *data = strcmp(part->name, "laws.words") == 0 ? (const void *)altered : part->data;
        assert_ok(&env, section_list_add(&other, part->name, part->type, part->rows, part->columns, data, false));
      }
      text_of(&room, 0, before, sizeof before);
      floc_status status = laws_restore(room.all, &room.table, &other);
      text_of(&room, 0, after, sizeof after);
      if (status == FLOC_OK) {
        taken++;
      } else {
        assert_int_equal(status, FLOC_DAMAGED_FILE);
        assert_string_equal(before, after);
        refused++;
      }
      section_list_free(&other);
    }
  assert_true(refused > 500 && taken > 100);
  section_list_free(&list);
  close_room(&room);
}

static void cut_programs_are_refused(void **state)
{
  (void)state;
  environment env = test_environment(1);
  law_room room;
  assert_ok(&env, open_room(&room, &env));
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, laws_sections(room.all, &list));
  for (int32_t n = 0; n < list.count; n++) {
    if (strcmp(list.item[n].name, "laws.words") != 0 && strcmp(list.item[n].name, "laws.constants") != 0) continue;
    uint64_t rows = list.item[n].rows;
    uint64_t whole = strcmp(list.item[n].name, "laws.words") == 0 ? rows / 2 : rows; /* one program of the two */
    for (uint64_t cut = 1; cut < rows; cut++) {
      list.item[n].rows = cut;
      if (cut != whole) assert_int_equal(laws_restore(room.all, &room.table, &list), FLOC_DAMAGED_FILE);
    }
    list.item[n].rows = rows;
  }
  assert_ok(&env, laws_restore(room.all, &room.table, &list));
  for (int32_t n = 0; n < list.count; n++)
    if (strcmp(list.item[n].name, "laws.names") == 0) list.item[n].rows--;
  assert_int_equal(laws_restore(room.all, &room.table, &list), FLOC_STRUCTURE_MISMATCH);
  section_list_free(&list);
  close_room(&room);
}

static void every_failing_allocation_is_an_error(void **state)
{
  (void)state;
  for (int64_t n = 1;; n++) {
    failing_allocator memory;
    environment env = failing_environment(&memory, n);
    law_room room;
    section_list list;
    section_list_init(&list, &env);
    floc_status status = open_room(&room, &env);
    if (status == FLOC_OK) status = laws_sections(room.all, &list);
    if (status == FLOC_OK) status = laws_restore(room.all, &room.table, &list);
    section_list_free(&list);
    close_room(&room);
    assert_int_equal(memory.bytes, 0);
    if (memory.calls < n) {
      assert_int_equal(status, FLOC_OK);
      assert_true(n > 20);
      return;
    }
    assert_int_equal(status, FLOC_OUT_OF_MEMORY);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(altered_programs_are_refused_or_safe),
      cmocka_unit_test(cut_programs_are_refused),
      cmocka_unit_test(every_failing_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
