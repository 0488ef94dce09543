/*
 * Predictions: every kind comes back bit for bit whatever the numbers are, makes files smaller where it fits and is
 * left away where it does not; files with predictions survive failing memory, and are refused when cut, flipped or
 * lying.
 */
#include "predicted_sample.h"

#include "loose_entries.h"
#include "memory_disk.h"

#include <zlib.h>

static const char PATH[] = "run.floc";

static floc_status write_sample(predicted_sample *made, environment *env, memory_disk *disk, bool predicted)
{
  return checkpoint_write_predicted(env, &disk->layer, PATH, 1, &made->list, made->prediction,
                                    predicted ? made->predictions : 0);
}

/* Writes, reads, compares; returns how many predictions the file has. */
static uint32_t write_and_compare(predicted_sample *made, int32_t threads)
{
  environment env = test_environment(threads);
  memory_disk disk;
  checkpoint *file;
  disk_init(&disk);
  assert_ok(&env, write_sample(made, &env, &disk, true));
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_true(sections_equal(checkpoint_sections(file), &made->list));
  file_header header;
  memcpy(&header, disk_get(&disk, PATH)->bytes, sizeof header);
  format_turn_header(&header);
  checkpoint_close(file);
  disk_free(&disk);
  return header.prediction_count;
}

static size_t size_of_file(predicted_sample *made, bool predicted)
{
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  assert_ok(&env, write_sample(made, &env, &disk, predicted));
  size_t size = disk_get(&disk, PATH)->size;
  disk_free(&disk);
  return size;
}

static void predicted_sections_come_back_and_are_smaller(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int32_t dimension = 2; dimension <= 3; dimension++) {
    static predicted_sample made;
    predicted_make(&made, &env, dimension, 5);
    assert_in_range(made.rows, 60, 800);
    for (int32_t threads = 1; threads <= 3; threads++)
      assert_int_equal(write_and_compare(&made, threads), 2 + dimension);
    size_t least = made.rows * 6; /* of a component of 8 bytes, two ids, and what the references have in common */
    assert_in_range(size_of_file(&made, true), 1, size_of_file(&made, false) - least);
    section_list_free(&made.list);
  }
}

/* Numbers of which no prediction can know anything. */
static void hopeless_numbers_come_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static const double strange[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0, 5e-324, -1.7e308, 1e300};
  enum { STRANGE = sizeof strange / sizeof *strange };
  static predicted_sample made;
  predicted_make(&made, &env, 3, 6);
  for (size_t k = 0; k < made.rows; k++)
    for (size_t a = 0; a < 3; a++) made.row[k * ROW + 3 + a] = strange[(k * 5 + a * 3 + k / 7) % STRANGE];
  for (size_t k = 0; k < PARTICLES; k++) {
    made.position[k % 3][k] = strange[k % STRANGE];
    made.reference[(k + 1) % 3][k] = strange[(k + 4) % STRANGE];
  }
  for (size_t a = 0; a < 3; a++) made.position[a][9] = made.position[a][11]; /* in the same place */
  assert_int_equal(write_and_compare(&made, 1), 5);
  made.order[3] = INT64_MAX; /* references then have nothing to go by, and the list is none */
  made.order[4] = INT64_MIN;
  assert_int_equal(write_and_compare(&made, 1), 4);
  for (size_t k = 0; k < made.rows; k++) made.row[k * ROW + k % 2] = strange[k % STRANGE] + 0.5;
  made.row[0] = 1e18;
  made.row[ROW] = 1.5;
  assert_int_equal(write_and_compare(&made, 1), 4);
  section_list_free(&made.list);
}

static void what_does_not_fit_is_not_predicted(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static predicted_sample made;
  predicted_make(&made, &env, 3, 7);
  const prediction good[3] = {made.prediction[0], made.prediction[1], made.prediction[2]};
  made.predictions = 1;
  const struct {
    int which;
    prediction wrong;
  } cases[] = {
      {0, {PREDICT_PAIRS, "nowhere", {"start", "second", "order"}, 0, {0}}},
      {0, {PREDICT_PAIRS, "rows", {"start", "nowhere", "order"}, 0, {0}}},
      {0, {PREDICT_PAIRS, "rows", {"start", "second", NULL}, 0, {0}}},
      {0, {PREDICT_PAIRS, "rows", {"order", "second", "order"}, 0, {0}}},
      {0, {PREDICT_PAIRS, "rows", {"start", "start", "order"}, 0, {0}}},
      {0, {PREDICT_PAIRS, "x", {"start", "second", "order"}, 0, {0}}},
      {1, {PREDICT_PERPENDICULAR, "rows", {"x", NULL, NULL}, 3, {0}}},
      {1, {PREDICT_PERPENDICULAR, "rows", {"x", "y", "order"}, 3, {0}}},
      {1, {PREDICT_PERPENDICULAR, "rows", {"x", "y", "z"}, 1, {0}}},
      {1, {PREDICT_PERPENDICULAR, "rows", {"x", "y", "z"}, 4, {0}}},
      {1, {PREDICT_PERPENDICULAR, "rows", {"x", "y", "z"}, UINT32_MAX, {0}}},
      {2, {PREDICT_BY_ORDER, "rx", {"x", "start"}, 0, {0}}},
      {2, {PREDICT_BY_ORDER, "rx", {"rows", "order"}, 0, {0}}},
      {2, {PREDICT_BY_ORDER, "rows", {"x", "order"}, 0, {0}}},
      {2, {PREDICT_BY_ORDER, "order", {"x", "order"}, 0, {0}}},
      {2, {PREDICT_BY_ORDER, "rx", {"rx", "order"}, 0, {0}}},
      {2, {(prediction_kind)9, "rx", {"x", "order"}, 0, {0}}},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    made.prediction[0] = good[cases[k].which];
    assert_int_equal(write_and_compare(&made, 1), 1);
    made.prediction[0] = cases[k].wrong;
    assert_int_equal(write_and_compare(&made, 1), 0);
  }
  made.prediction[0] = good[0];
  made.prediction[1] = made.prediction[0]; /* the same twice, or out of order: the second is left away */
  made.predictions = 2;
  assert_int_equal(write_and_compare(&made, 1), 1);
  section_list_free(&made.list);
}

static void lists_that_are_none_predict_nothing(void **state)
{
  (void)state;
  environment env = test_environment(1);
  for (int fault = 0; fault < 7; fault++) {
    static predicted_sample made;
    predicted_make(&made, &env, 3, 8);
    made.predictions = 1;
    switch (fault) {
    case 0:
      made.start[0] = 1;
      break;
    case 1:
      made.start[PARTICLES]--;
      break;
    case 2:
      made.start[5] = made.start[4] - 1;
      break;
    case 3:
      made.second[3] = PARTICLES;
      break;
    case 4:
      made.second[3] = -1;
      break;
    case 5:
      made.row[2 * ROW] = 1.0, made.row[2 * ROW + 1] = 1.0;
      break; /* a pair that is not in the list */
    default:
      made.order[7] = 0;
      break;
    }
    assert_int_equal(write_and_compare(&made, 1), 0);
    section_list_free(&made.list);
  }
}

/* A section of more than one chunk. */
enum { LONG = 300000 };

typedef struct long_sample {
  predicted_sample made;
  double *place, *column;
  int64_t *order;
} long_sample;

static void long_make(long_sample *all, environment *env)
{
  memset(all, 0, sizeof *all);
  double *place = all->place = malloc(LONG * sizeof *place);
  double *column = all->column = malloc(LONG * sizeof *column);
  int64_t *order = all->order = malloc(LONG * sizeof *order);
  assert_true(place && column && order);
  for (int64_t k = 0; k < LONG; k++) {
    order[k] = (k * 7919) % LONG + 1;
    column[k] = sample_uniform((uint64_t)k);
  }
  for (int64_t k = 0; k < LONG; k++) place[k] = column[order[k] - 1] + 1e-5 * sample_uniform((uint64_t)(k + LONG));
  all->made.prediction[0] = (prediction){PREDICT_BY_ORDER, "place", {"column", "order"}, 0, {0}};
  all->made.predictions = 1;
  section_list_init(&all->made.list, env);
  assert_ok(env, section_list_add(&all->made.list, "place", "f64", LONG, 1, place, true));
  assert_ok(env, section_list_add(&all->made.list, "column", "f64", LONG, 1, column, true));
  assert_ok(env, section_list_add(&all->made.list, "order", "i64", LONG, 1, order, true));
}

static void long_free(long_sample *all)
{
  section_list_free(&all->made.list);
  free(all->place);
  free(all->column);
  free(all->order);
}

static void long_sections_come_back(void **state)
{
  (void)state;
  environment env = test_environment(1);
  static long_sample all;
  long_make(&all, &env);
  for (int32_t threads = 1; threads <= 3; threads++) assert_int_equal(write_and_compare(&all.made, threads), 1);
  long_free(&all);
}

/* The last chunk of the predicted section has another checksum: the message says where that chunk begins. */
static void a_wrong_chunk_is_named_by_its_offset(void **state)
{
  (void)state;
  environment env = test_environment(2);
  static long_sample all;
  memory_disk disk;
  checkpoint *file;
  long_make(&all, &env);
  disk_init(&disk);
  assert_ok(&env, write_sample(&all.made, &env, &disk, true));
  size_t size = disk_get(&disk, PATH)->size;
  unsigned char *altered = malloc(size);
  assert_non_null(altered);
  memcpy(altered, disk_get(&disk, PATH)->bytes, size);
  const entry_place place = entries_open(altered);
  file_header *header = (file_header *)(void *)altered;
  loose_section *changed = (loose_section *)(void *)(altered + header->contents_offset);
  loose_chunk *chunk = (loose_chunk *)(void *)(changed + header->section_count);
  const section_entry entry = *changed;
  assert_int_equal(format_chunk_count(&entry), 3);
  chunk[2].raw_crc32 ^= 1;
  uLong crc = 0;
  uint64_t offset = entry.offset + chunk[0].stored_length + chunk[1].stored_length;
  for (uint64_t k = 0; k < 3; k++)
    crc = crc32_combine(crc, chunk[k].raw_crc32, (z_off_t)format_chunk_shape(&entry, k).length);
  changed->raw_crc32 = (uint32_t)crc;
  entries_seal(altered, size, &place);
  disk_place(&disk, PATH, altered, size);
  assert_int_equal(checkpoint_open(&env, &disk.layer, PATH, &file), FLOC_DAMAGED_FILE);
  char says[100];
  snprintf(says, sizeof says, "section \"place\", offset %llu: the checksum", (unsigned long long)offset);
  assert_non_null(strstr(env.message, says));
  free(altered);
  disk_free(&disk);
  long_free(&all);
}

static void failed_allocations_leave_nothing(void **state)
{
  (void)state;
  environment plain = test_environment(1);
  static predicted_sample made;
  predicted_make(&made, &plain, 3, 9);
  for (int reading = 0; reading < 2; reading++) {
    memory_disk disk;
    disk_init(&disk);
    assert_ok(&plain, write_sample(&made, &plain, &disk, true));
    floc_status status = FLOC_OUT_OF_MEMORY;
    int64_t n = 1;
    for (; status != FLOC_OK; n++) {
      counting_allocator counter = {.fail_at = n};
      environment env = counting_environment(&counter, 1);
      checkpoint *file = NULL;
      status = reading ? checkpoint_open(&env, &disk.layer, PATH, &file) : write_sample(&made, &env, &disk, true);
      if (status != FLOC_OK) {
        assert_int_equal(status, FLOC_OUT_OF_MEMORY);
        assert_non_null(strstr(env.message, "out of memory"));
      }
      checkpoint_close(file);
      assert_int_equal(counter.held, 0);
    }
    assert_true(n > 15);
    disk_free(&disk);
  }
  section_list_free(&made.list);
}

/* ---- damage --------------------------------------------------------------------------------------- */

typedef struct workshop {
  memory_disk disk;
  unsigned char *altered;
  size_t size;
  entry_place place; /* since parts_of */
} workshop;

static void workshop_open(workshop *shop)
{
  environment env = test_environment(1);
  static predicted_sample made;
  predicted_make(&made, &env, 2, 10);
  disk_init(&shop->disk);
  assert_ok(&env, write_sample(&made, &env, &shop->disk, true));
  section_list_free(&made.list);
  const disk_file *file = disk_get(&shop->disk, PATH);
  shop->size = file->size;
  shop->altered = malloc(shop->size);
  assert_non_null(shop->altered);
  memcpy(shop->altered, file->bytes, shop->size);
}

static void workshop_close(workshop *shop)
{
  free(shop->altered);
  disk_free(&shop->disk);
}

/* What opening the altered file gives; the message is kept. */
static floc_status try_altered(workshop *shop, size_t size, char message[MESSAGE_SIZE])
{
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  disk_place(&shop->disk, PATH, shop->altered, size);
  checkpoint *file;
  floc_status status = checkpoint_open(&env, &shop->disk.layer, PATH, &file);
  memcpy(message, env.message, MESSAGE_SIZE);
  checkpoint_close(file);
  assert_int_equal(counter.held, 0);
  return status;
}

static void cuts_and_flips_are_refused(void **state)
{
  (void)state;
  workshop shop;
  char message[MESSAGE_SIZE];
  workshop_open(&shop);
  for (size_t size = 0; size < shop.size; size += EMULATED ? 37 : 1)
    assert_int_equal(try_altered(&shop, size, message), FLOC_DAMAGED_FILE);
  for (size_t bit = 0; bit < 8 * shop.size; bit += EMULATED ? 37 : 1) {
    shop.altered[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_int_equal(try_altered(&shop, shop.size, message), FLOC_DAMAGED_FILE);
    shop.altered[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  assert_int_equal(try_altered(&shop, shop.size, message), FLOC_OK);
  workshop_close(&shop);
}

typedef struct parts {
  file_header *header;
  loose_section *section;
  loose_prediction *prediction;
} parts;

static parts parts_of(workshop *shop)
{
  shop->place = entries_open(shop->altered);
  file_header *header = (file_header *)(void *)shop->altered;
  loose_prediction *end = (loose_prediction *)(void *)(shop->altered + shop->size);
  return (parts){header, (loose_section *)(void *)(shop->altered + header->contents_offset),
                 end - header->prediction_count};
}

static void seal(workshop *shop)
{
  entries_seal(shop->altered, shop->size, &shop->place);
}

/* The entries: pairs, perpendicular, two by order. Sections: x y order rows rx ry start second zeros. */
static void tell(parts *p, int lie)
{
  prediction_entry swapped = p->prediction[0];
  switch (lie) {
  case 0:
    p->prediction[0].kind = 0;
    break;
  case 1:
    p->prediction[0].kind = 4;
    break;
  case 2:
    p->prediction[0].source_count = 2;
    break;
  case 3:
    p->prediction[0].section = 9;
    break;
  case 4:
    p->prediction[0].section = 2;
    break;
  case 5:
    p->prediction[0].source[1] = 9;
    break;
  case 6:
    p->prediction[2].source[0] = 5;
    break;
  case 7:
    p->prediction[1].column = 1;
    break;
  case 8:
    p->prediction[0] = p->prediction[1], p->prediction[1] = swapped;
    break;
  case 9:
    p->prediction[2].section = 5;
    break;
  case 10:
    p->prediction[0].reserved = 1;
    break;
  case 11:
    p->prediction[3].more_reserved = 1;
    break;
  case 12:
    p->section[3].flags = SECTION_IS_STATE;
    break;
  case 13:
    p->prediction[1].period[0] = 3.0;
    break;
  case 14:
    p->prediction[3].source[0] = 0;
    break;
  default:
    p->section[3].stride = 8;
    break;
  }
}

static void lies_about_predictions_are_refused(void **state)
{
  (void)state;
  static const char *const says[] = {"a prediction of an unknown kind",
                                     "a prediction of an unknown kind",
                                     "a prediction of an unknown kind",
                                     "a prediction of a section that does not exist",
                                     "is not marked as predicted",
                                     "a prediction from a section that does not exist",
                                     "a prediction from a section that is predicted itself",
                                     "does not match its sections",
                                     "a prediction out of order",
                                     "a prediction out of order",
                                     "the reserved bytes of a prediction",
                                     "the reserved bytes of a prediction",
                                     "is not marked as predicted",
                                     "section \"rows\", offset",
                                     "section \"ry\", offset",
                                     "does not match its sections"};
  for (int lie = 0; lie < (int)(sizeof says / sizeof *says); lie++) {
    workshop shop;
    char message[MESSAGE_SIZE];
    workshop_open(&shop);
    parts p = parts_of(&shop);
    tell(&p, lie);
    seal(&shop);
    assert_int_equal(try_altered(&shop, shop.size, message), FLOC_DAMAGED_FILE);
    if (!strstr(message, says[lie])) fail_msg("lie %d: \"%s\" does not say \"%s\"", lie, message, says[lie]);
    workshop_close(&shop);
  }
}

/* A list whose order is another column of the right shape. */
static void a_list_that_is_none_is_refused(void **state)
{
  (void)state;
  workshop shop;
  char message[MESSAGE_SIZE];
  workshop_open(&shop);
  parts p = parts_of(&shop);
  p.prediction[0].source[2] = 8;
  seal(&shop);
  assert_int_equal(try_altered(&shop, shop.size, message), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(message, "section \"rows\", offset"));
  assert_non_null(strstr(message, "the section that it is predicted from is no neighbour list"));
  workshop_close(&shop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(predicted_sections_come_back_and_are_smaller),
      cmocka_unit_test(hopeless_numbers_come_back),
      cmocka_unit_test(what_does_not_fit_is_not_predicted),
      cmocka_unit_test(lists_that_are_none_predict_nothing),
      cmocka_unit_test(long_sections_come_back),
      cmocka_unit_test(a_wrong_chunk_is_named_by_its_offset),
      cmocka_unit_test(failed_allocations_leave_nothing),
      cmocka_unit_test(cuts_and_flips_are_refused),
      cmocka_unit_test(lies_about_predictions_are_refused),
      cmocka_unit_test(a_list_that_is_none_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
