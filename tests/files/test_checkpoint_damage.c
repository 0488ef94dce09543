/*
 * Files that are not what they should be: cut at every byte, one bit flipped at every place, made by hand
 * to lie about their lengths, of another version, of another kind. All must be refused with the right
 * status, a message that names the file and the place, and without taking more memory than the file's
 * real length can account for.
 */
#include "samples.h"

#include "files/checkpoint/checkpoint.h"
#include "files/checkpoint/format.h"
#include "loose_entries.h"
#include "memory_disk.h"
#include "ways_of_writing.h"

#include <zlib.h>

static const char PATH[] = "run.floc";

/* A small valid file, and a place for altered copies of it. */
typedef struct workshop {
  memory_disk disk;
  unsigned char *whole, *altered;
  size_t size;
  entry_place place; /* since parts_of */
} workshop;

static void workshop_open(workshop *shop)
{
  environment env = test_environment(1);
  sample written;
  disk_init(&shop->disk);
  sample_make(&written, &env, 20, 1);
  assert_ok(&env, write_file(&env, &shop->disk.layer, PATH, 1, &written.list));
  sample_free(&written);
  const disk_file *file = disk_get(&shop->disk, PATH);
  shop->size = file->size;
  shop->whole = malloc(shop->size);
  shop->altered = malloc(shop->size + 100000);
  assert_non_null(shop->whole);
  assert_non_null(shop->altered);
  memcpy(shop->whole, file->bytes, shop->size);
  memcpy(shop->altered, file->bytes, shop->size);
}

static void workshop_close(workshop *shop)
{
  free(shop->whole);
  free(shop->altered);
  disk_free(&shop->disk);
}

/* Puts bytes in place of the file and expects that opening it is refused, with all of the memory back. */
static void expect_refusal(workshop *shop, const void *bytes, size_t size, floc_status expected, const char *says)
{
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  disk_place(&shop->disk, PATH, bytes, size);
  checkpoint *file;
  floc_status status = checkpoint_open(&env, &shop->disk.layer, PATH, &file);
  if (status != expected || file)
    fail_msg("%s (\"%s\") instead of %s", floc_status_name(status), env.message, floc_status_name(expected));
  if (!strstr(env.message, PATH)) fail_msg("\"%s\" does not name the file", env.message);
  if (!strstr(env.message, says)) fail_msg("\"%s\" does not say \"%s\"", env.message, says);
  assert_int_equal(counter.held, 0);
  assert_int_equal(disk_open_count(&shop->disk), 0);
}

/* ---- accidents ------------------------------------------------------------------------------------ */

static void a_cut_at_any_byte_is_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  expect_refusal(&shop, "", 0, FLOC_DAMAGED_FILE, "run.floc is empty, not a floc checkpoint");
  for (size_t size = 1; size < shop.size; size++) {
    char says[60];
    snprintf(says, sizeof says, "offset %zu: the file is truncated", size);
    expect_refusal(&shop, shop.whole, size, FLOC_DAMAGED_FILE, says);
  }
  workshop_close(&shop);
}

static void bytes_after_the_end_are_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  shop.altered[shop.size] = 0;
  char says[60];
  snprintf(says, sizeof says, "offset %zu: the file continues beyond its recorded end", shop.size);
  expect_refusal(&shop, shop.altered, shop.size + 1, FLOC_DAMAGED_FILE, says);
  workshop_close(&shop);
}

static void every_single_bit_flip_is_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  file_header header;
  memcpy(&header, shop.whole, sizeof header);
  format_turn_header(&header);
  for (size_t bit = 0; bit < 8 * shop.size; bit++) {
    size_t place = bit / 8;
    shop.altered[place] ^= (unsigned char)(1u << bit % 8);
    const char *says = place < 8                        ? "is not a floc checkpoint"
                       : place < sizeof header          ? "header"
                       : place < header.contents_offset ? "checksum of the stored bytes is wrong"
                                                        : "contents: their checksum is wrong";
    expect_refusal(&shop, shop.altered, shop.size, FLOC_DAMAGED_FILE, says);
    shop.altered[place] ^= (unsigned char)(1u << bit % 8);
  }
  workshop_close(&shop);
}

/* The message names the very section that was hit, and where its chunk begins. */
static void damage_is_named_by_section_and_offset(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  file_header header;
  memcpy(&header, shop.whole, sizeof header);
  format_turn_header(&header);
  int named = 0;
  for (uint32_t k = 0; k < header.section_count; k++) {
    section_entry entry;
    memcpy(&entry, shop.whole + header.contents_offset + k * sizeof entry, sizeof entry);
    format_turn_contents((unsigned char *)&entry, 1, 0, 0);
    if (entry.stored_length == 0) continue;
    char says[200];
    snprintf(says, sizeof says, "section \"%s\", offset %llu: ", entry.name, (unsigned long long)entry.offset);
    size_t place = (size_t)(entry.offset + entry.stored_length - 1);
    shop.altered[place] ^= 0x80;
    expect_refusal(&shop, shop.altered, shop.size, FLOC_DAMAGED_FILE, says);
    shop.altered[place] ^= 0x80;
    named++;
  }
  assert_int_equal(named, SAMPLE_SECTIONS - 1); /* all but the empty one */
  workshop_close(&shop);
}

static void other_files_are_not_checkpoints(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  static const char script[] = "local floc = require \"floc\"\n";
  expect_refusal(&shop, script, sizeof script - 1, FLOC_DAMAGED_FILE, "run.floc is not a floc checkpoint");
  expect_refusal(&shop, "x", 1, FLOC_DAMAGED_FILE, "run.floc is not a floc checkpoint");
  memset(shop.altered, 0, 5000);
  expect_refusal(&shop, shop.altered, 5000, FLOC_DAMAGED_FILE, "run.floc is not a floc checkpoint");
  /* what a transfer in text mode does to the mark */
  memcpy(shop.altered, shop.whole, 5);
  memcpy(shop.altered + 5, shop.whole + 6, shop.size - 6);
  expect_refusal(&shop, shop.altered, shop.size - 1, FLOC_DAMAGED_FILE, "run.floc is not a floc checkpoint");
  workshop_close(&shop);
}

/* ---- lies ----------------------------------------------------------------------------------------- */

typedef struct parts {
  file_header *header;
  loose_section *section;
  loose_chunk *chunk;
} parts;

static parts parts_of(workshop *shop)
{
  memcpy(shop->altered, shop->whole, shop->size);
  shop->place = entries_open(shop->altered);
  file_header *header = (file_header *)(void *)shop->altered;
  unsigned char *contents = shop->altered + header->contents_offset;
  return (parts){header, (loose_section *)(void *)contents,
                 (loose_chunk *)(void *)(contents + header->section_count * sizeof(section_entry))};
}

static void seal(workshop *shop)
{
  entries_seal(shop->altered, shop->size, &shop->place);
}

static void expect_lie_refused(workshop *shop, const char *says)
{
  seal(shop);
  expect_refusal(shop, shop->altered, shop->size, FLOC_DAMAGED_FILE, says);
}

static void other_versions_are_refused_as_such(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  static const uint32_t versions[] = {0, FORMAT_VERSION + 1, UINT32_MAX};
  for (size_t k = 0; k < 3; k++) {
    parts p = parts_of(&shop);
    p.header->version = versions[k];
    snprintf(p.header->library, sizeof p.header->library, "9.9.9");
    seal(&shop);
    char says[80];
    snprintf(says, sizeof says, "format version %u (floc 9.9.9)", (unsigned)versions[k]);
    expect_refusal(&shop, shop.altered, shop.size, FLOC_WRONG_VERSION, says);
  }
  parts p = parts_of(&shop);
  p.header->byte_order = 0x04030201;
  seal(&shop);
  expect_refusal(&shop, shop.altered, shop.size, FLOC_WRONG_VERSION, "the opposite byte order");
  workshop_close(&shop);
}

static void lies_in_the_header_are_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  static const uint64_t lengths[] = {1, 95, UINT64_MAX, UINT64_MAX - 95, (uint64_t)1 << 63, (uint64_t)1 << 40};
  parts p = parts_of(&shop);
  p.header->file_length = 0;
  expect_lie_refused(&shop, "never completed");
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    p = parts_of(&shop);
    p.header->contents_length = lengths[k];
    expect_lie_refused(&shop, "header: the contents do not fit in the file");
    p = parts_of(&shop);
    p.header->contents_length = lengths[k];
    p.header->contents_offset = shop.size - lengths[k];
    if (lengths[k] != 1 && lengths[k] != 95)
      expect_lie_refused(&shop, "header: the contents do not fit in the file");
    p = parts_of(&shop);
    p.header->contents_offset = lengths[k];
    expect_lie_refused(&shop, "header: the contents do not fit in the file");
  }
  p = parts_of(&shop);
  p.header->section_count = UINT32_MAX;
  expect_lie_refused(&shop, "header: the contents do not fit in the file");
  p = parts_of(&shop);
  p.header->prediction_count = UINT32_MAX;
  expect_lie_refused(&shop, "header: the contents do not fit in the file");
  p = parts_of(&shop);
  p.header->version = 1;
  p.header->prediction_count = 1;
  expect_lie_refused(&shop, "header: the reserved bytes are not zero");
  p = parts_of(&shop);
  p.header->section_count--;
  expect_lie_refused(&shop, "");
  p = parts_of(&shop);
  p.header->contents_offset++;
  p.header->contents_length--;
  expect_lie_refused(&shop, "header: the contents' length is wrong");
  p = parts_of(&shop);
  p.header->reserved[3] = 1;
  expect_lie_refused(&shop, "header: the reserved bytes are not zero");
  p = parts_of(&shop);
  memset(p.header->library, 'x', sizeof p.header->library);
  expect_lie_refused(&shop, "header: the version of the library is not a string");
  p = parts_of(&shop);
  p.header->library[31] = 'x';
  expect_lie_refused(&shop, "header: the version of the library is not a string");
  workshop_close(&shop);
}

typedef void (*entry_lie)(parts *p);

static void no_name(parts *p)
{
  p->section[0].name[0] = '\0';
}

static void unprintable_name(parts *p)
{
  p->section[0].name[1] = '\n';
}

static void endless_name(parts *p)
{
  memset(p->section[0].name, 'x', sizeof p->section[0].name);
}

static void something_after_the_name(parts *p)
{
  p->section[0].name[63] = 'x';
}

static void two_of_a_name(parts *p)
{
  memcpy(p->section[3].name, p->section[0].name, sizeof p->section[0].name);
}

static void unknown_type(parts *p)
{
  memcpy(p->section[0].type, "f16", 4);
}

static void endless_type(parts *p)
{
  memset(p->section[0].type, 'f', 8);
}

static void something_after_the_type(parts *p)
{
  p->section[0].type[7] = 'x';
}

static void many_rows(parts *p)
{
  p->section[0].rows = (uint64_t)1 << 60;
}

static void product_that_overflows(parts *p)
{
  p->section[0].rows = (uint64_t)1 << 40;
  p->section[0].columns = ((uint64_t)1 << 24) + p->section[0].columns;
}

static void rows_and_length_agree(parts *p)
{
  p->section[0].rows = (uint64_t)1 << 40;
  p->section[0].raw_length = (uint64_t)8 << 40;
}

static void one_chunk_of_everything(parts *p)
{
  p->section[0].rows = (uint64_t)1 << 20;
  p->section[0].raw_length = (uint64_t)8 << 20;
  p->section[0].chunk_length = 1 << 23;
}

static void no_stride(parts *p)
{
  p->section[0].stride = 0;
}

static void odd_stride(parts *p)
{
  p->section[0].stride = 12;
}

static void stride_beyond_the_section(parts *p)
{
  p->section[0].stride = 8 * 64;
}

static void no_chunk_length(parts *p)
{
  p->section[0].chunk_length = 0;
}

static void odd_chunk_length(parts *p)
{
  p->section[0].chunk_length -= 3;
}

static void chunk_length_above_the_limit(parts *p)
{
  p->section[0].chunk_length = 1u << 31;
}

static void tiny_chunks(parts *p)
{
  p->section[0].chunk_length = 8;
}

static void unknown_flag(parts *p)
{
  p->section[0].flags = 8;
}

static void numbers_in_any_order(parts *p)
{
  p->section[0].flags |= SECTION_ANY_ORDER;
}

static void order_of_a_later_version(parts *p)
{
  p->header->version = 1;
  p->section[0].flags |= SECTION_ANY_ORDER;
}

static void section_elsewhere(parts *p)
{
  p->section[1].offset++;
}

static void section_longer_than_its_chunks(parts *p)
{
  p->section[0].stored_length++;
}

static void section_with_another_checksum(parts *p)
{
  p->section[0].raw_crc32++;
}

static void last_section_emptied(parts *p)
{
  loose_section *last = &p->section[SAMPLE_SECTIONS - 1];
  last->rows = last->raw_length = last->stored_length = last->raw_crc32 = 0;
}

static void unknown_encoding(parts *p)
{
  p->chunk[0].encoding = CHUNK_COLUMNS + 1;
}

static void encoding_of_a_later_version(parts *p)
{
  p->header->version = 1;
}

static void flag_of_a_later_version(parts *p)
{
  p->header->version = 1;
  p->section[0].flags |= SECTION_IS_PREDICTED;
}

static void longer_than_raw(parts *p)
{
  p->chunk[0].stored_length = 20 * 8 + 1;
}

static void plain_but_short(parts *p)
{
  p->chunk[0].encoding = CHUNK_PLAIN;
  p->chunk[0].stored_length--;
}

static void stored_in_nothing(parts *p)
{
  p->chunk[1].encoding = CHUNK_PLANES;
  p->chunk[1].stored_length = 0;
}

static void stored_checksum(parts *p)
{
  p->chunk[1].stored_crc32++;
}

static void every_lie_in_the_contents_is_refused(void **state)
{
  (void)state;
  static const struct {
    entry_lie tell;
    const char *says;
  } lies[] = {
      {no_name, "contents: the name of a section is invalid"},
      {unprintable_name, "contents: the name of a section is invalid"},
      {endless_name, "contents: the name of a section is invalid"},
      {something_after_the_name, "contents: the name of a section is invalid"},
      {two_of_a_name, "section \"particles.x\", offset"},
      {unknown_type, "the type is unknown"},
      {endless_type, "the type is unknown"},
      {something_after_the_type, "the type is unknown"},
      {many_rows, "rows, columns and raw length contradict each other"},
      {product_that_overflows, "rows, columns and raw length contradict each other"},
      {rows_and_length_agree, "chunks are missing"},
      {one_chunk_of_everything, "the stored length of a plain chunk is wrong"},
      {no_stride, "the row length of the byte planes does not match"},
      {odd_stride, "the row length of the byte planes does not match"},
      {stride_beyond_the_section, "the row length of the byte planes does not match"},
      {no_chunk_length, "the length of the chunks is out of range"},
      {odd_chunk_length, "the length of the chunks is out of range"},
      {chunk_length_above_the_limit, "the length of the chunks is out of range"},
      {tiny_chunks, "section \"particles.x\", offset"},
      {unknown_flag, "some flags are unknown"},
      {numbers_in_any_order, "its rows are marked as unordered, but cannot be sorted"},
      {order_of_a_later_version, "some flags are unknown"},
      {section_elsewhere, "section \"particles.id\", offset"},
      {section_longer_than_its_chunks, "the section and its chunks contradict each other"},
      {section_with_another_checksum, "the section and its chunks contradict each other"},
      {last_section_emptied, "contents: some bytes belong to no section"},
      {unknown_encoding, "the encoding of a chunk is unknown"},
      {encoding_of_a_later_version, "the encoding of a chunk is unknown"},
      {flag_of_a_later_version, "some flags are unknown"},
      {longer_than_raw, "the stored bytes of a chunk exceed its raw length"},
      {plain_but_short, "the stored length of a plain chunk is wrong"},
      {stored_in_nothing, "exceeds what its stored bytes can hold"},
      {stored_checksum, "the checksum of the stored bytes is wrong"},
  };
  workshop shop;
  workshop_open(&shop);
  for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
    parts p = parts_of(&shop);
    lies[k].tell(&p);
    expect_lie_refused(&shop, lies[k].says);
  }
  workshop_close(&shop);
}

/* A chunk whose stored bytes are damaged and whose checksum was made to fit: the stream itself, or in the
 * end the checksum of the raw bytes, gives it away. */
static void streams_that_are_wrong_inside_are_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  parts p = parts_of(&shop);
  section_entry entry = p.section[1];
  chunk_entry chunk = p.chunk[1];
  assert_int_not_equal(chunk.encoding, CHUNK_PLAIN); /* the ids: they compress */
  int refused_as[2] = {0};
  for (size_t bit = 0; bit < 8 * (size_t)entry.stored_length; bit++) {
    p = parts_of(&shop);
    shop.altered[entry.offset + bit / 8] ^= (unsigned char)(1u << bit % 8);
    p.chunk[1].stored_crc32 = format_crc32(shop.altered + entry.offset, (size_t)entry.stored_length);
    seal(&shop);
    counting_allocator counter = {0};
    environment env = counting_environment(&counter, 1);
    disk_place(&shop.disk, PATH, shop.altered, shop.size);
    checkpoint *file;
    floc_status status = checkpoint_open(&env, &shop.disk.layer, PATH, &file);
    if (status == FLOC_OK) { /* only where the bit has no meaning: the raw bytes are then the same */
      checkpoint_close(file);
      continue;
    }
    assert_int_equal(status, FLOC_DAMAGED_FILE);
    bool by_stream =
        strstr(env.message, "section \"particles.id\"") && strstr(env.message, "cannot be decompressed");
    bool by_checksum = strstr(env.message, "the checksum of the decompressed bytes is wrong") != NULL;
    assert_true(by_stream || by_checksum);
    refused_as[by_stream]++;
    assert_int_equal(counter.held, 0);
  }
  assert_true(refused_as[0] > 0 && refused_as[1] > 0);
  workshop_close(&shop);
}

/* Whatever a file of this size claims, reading it never asks for more than zlib could make of it. */
static void claims_do_not_take_memory(void **state)
{
  (void)state;
  static const entry_lie claims[] = {many_rows, product_that_overflows, rows_and_length_agree,
                                     one_chunk_of_everything};
  workshop shop;
  workshop_open(&shop);
  for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
    parts p = parts_of(&shop);
    claims[k](&p);
    seal(&shop);
    counting_allocator counter = {0};
    environment env = counting_environment(&counter, 8);
    disk_place(&shop.disk, PATH, shop.altered, shop.size);
    checkpoint *file;
    assert_int_equal(checkpoint_open(&env, &shop.disk.layer, PATH, &file), FLOC_DAMAGED_FILE);
    assert_in_range(counter.greatest_held, 1, 4 * shop.size);
    assert_int_equal(counter.held, 0);
  }
  workshop_close(&shop);
}

/* Somebody cuts the file after its length was looked at. */
static int shrink_and_seek(void *context, int handle, uint64_t offset)
{
  memory_disk *disk = context;
  disk->file[disk->handle[handle].file].size = (size_t)offset + 3;
  return disk_seek(context, handle, offset);
}

static void a_file_that_shrinks_while_it_is_read_is_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  counting_allocator counter = {0};
  environment env = counting_environment(&counter, 1);
  file_layer layer = shop.disk.layer;
  layer.seek = shrink_and_seek;
  checkpoint *file;
  assert_int_equal(checkpoint_open(&env, &layer, PATH, &file), FLOC_DAMAGED_FILE);
  assert_non_null(strstr(env.message, "run.floc: the file is truncated: it ends at byte "));
  assert_int_equal(counter.held, 0);
  workshop_close(&shop);
}

/* The steepest honest expansion: zeros only. The bound must let it pass. */
static void the_steepest_compression_passes(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  enum { COUNT = 3 << 20 };
  unsigned char *zeros = calloc(COUNT, 1);
  assert_non_null(zeros);
  section_list list;
  section_list_init(&list, &env);
  assert_ok(&env, section_list_add(&list, "zeros", "u8", COUNT, 1, zeros, true));
  assert_ok(&env, checkpoint_write(&env, &disk.layer, PATH, 1, &list));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_in_range(checkpoint_stored_bytes(file, 0), COUNT / GREATEST_EXPANSION + 1, COUNT / 900);
  assert_memory_equal(checkpoint_sections(file)->item[0].data, zeros, COUNT);
  checkpoint_close(file);
  section_list_free(&list);
  free(zeros);
  disk_free(&disk);
}

/* Names are compared through a table; very many sections must stay quick. */
static void very_many_sections_are_quick(void **state)
{
  (void)state;
  environment env = test_environment(1);
  memory_disk disk;
  disk_init(&disk);
  enum { COUNT = 30000 };
  section_list list;
  section_list_init(&list, &env);
  for (int k = 0; k < COUNT; k++) {
    section added = {.rows = 0, .columns = 1, .is_state = true};
    snprintf(added.name, sizeof added.name, "section %d", k);
    snprintf(added.type, sizeof added.type, "f64");
    assert_ok(&env, array_reserve(&env, (void **)&list.item, &list.capacity, (size_t)k + 1, sizeof added));
    list.item[list.count++] = added;
  }
  assert_ok(&env, checkpoint_write(&env, &disk.layer, PATH, 1, &list));
  checkpoint *file;
  assert_ok(&env, checkpoint_open(&env, &disk.layer, PATH, &file));
  assert_int_equal(checkpoint_sections(file)->count, COUNT);
  checkpoint_close(file);
  memcpy(list.item[COUNT - 1].name, list.item[7].name, 64);
  assert_int_equal(checkpoint_write(&env, &disk.layer, PATH, 1, &list), FLOC_ALREADY_EXISTS);
  section_list_free(&list);
  disk_free(&disk);
}

/* What is stored as it is has one checksum for both: a file that says two is refused, although its bytes are good.
 */
static void a_plain_chunk_with_another_raw_checksum_is_refused(void **state)
{
  (void)state;
  workshop shop;
  workshop_open(&shop);
  parts p = parts_of(&shop);
  assert_int_equal(p.chunk[0].encoding, CHUNK_PLAIN);
  p.chunk[0].raw_crc32 ^= 1;
  p.section[0].raw_crc32 ^= 1;
  expect_lie_refused(&shop, "the checksum of the decompressed bytes is wrong");
  workshop_close(&shop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cut_at_any_byte_is_refused),
      cmocka_unit_test(bytes_after_the_end_are_refused),
      cmocka_unit_test(every_single_bit_flip_is_refused),
      cmocka_unit_test(damage_is_named_by_section_and_offset),
      cmocka_unit_test(other_files_are_not_checkpoints),
      cmocka_unit_test(other_versions_are_refused_as_such),
      cmocka_unit_test(lies_in_the_header_are_refused),
      cmocka_unit_test(every_lie_in_the_contents_is_refused),
      cmocka_unit_test(streams_that_are_wrong_inside_are_refused),
      cmocka_unit_test(claims_do_not_take_memory),
      cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_refused),
      cmocka_unit_test(the_steepest_compression_passes),
      cmocka_unit_test(very_many_sections_are_quick),
  };
  const struct CMUnitTest accidents[] = {
      cmocka_unit_test(a_cut_at_any_byte_is_refused),
      cmocka_unit_test(bytes_after_the_end_are_refused),
      cmocka_unit_test(every_single_bit_flip_is_refused),
      cmocka_unit_test(damage_is_named_by_section_and_offset),
      cmocka_unit_test(other_versions_are_refused_as_such),
      cmocka_unit_test(a_plain_chunk_with_another_raw_checksum_is_refused),
  };
  int failed = cmocka_run_group_tests_name("compressed", tests, NULL, NULL);
  return failed + cmocka_run_group_tests_name("uncompressed", accidents, without_compression, NULL);
}
