/*
 * Contents of a file where they stand in it, which may be at any address: tests tell lies there. In between its
 * numbers have the order of the machine, which is that of files on most.
 */
#ifndef FLOC_TESTS_FILES_LOOSE_ENTRIES_H
#define FLOC_TESTS_FILES_LOOSE_ENTRIES_H

#include "files/checkpoint/format.h"

typedef section_entry loose_section __attribute__((aligned(1)));
typedef chunk_entry loose_chunk __attribute__((aligned(1)));
typedef prediction_entry loose_prediction __attribute__((aligned(1)));

/* Where a file's entries are and how many, whatever is said of it later. */
typedef struct entry_place {
  size_t offset, sections, chunks, predictions;
} entry_place;

/* Header and contents of a good file, from its order to the machine's. */
static inline entry_place entries_open(unsigned char *file)
{
  file_header *header = (file_header *)(void *)file;
  format_turn_header(header);
  entry_place place = {header->contents_offset, header->section_count, 0, header->prediction_count};
  size_t others = place.sections * sizeof(section_entry) + place.predictions * sizeof(prediction_entry);
  place.chunks = (header->contents_length - others) / sizeof(chunk_entry);
  format_turn_contents(file + place.offset, place.sections, place.chunks, place.predictions);
  return place;
}

/* Back, with all checksums made right, so that only the lie itself is wrong. */
static inline void entries_seal(unsigned char *file, size_t size, const entry_place *place)
{
  file_header *header = (file_header *)(void *)file;
  format_turn_contents(file + place->offset, place->sections, place->chunks, place->predictions);
  if (header->contents_length <= size && header->contents_offset <= size - header->contents_length)
    header->contents_crc32 = format_crc32(file + header->contents_offset, (size_t)header->contents_length);
  header->header_crc32 = format_header_crc32(header);
  format_turn_header(header);
}

#endif
