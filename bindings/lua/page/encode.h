/*
 * Frames of the browser page (bindings/page): datasets of VTK as small as they go, for `floc view`, or as fast as
 * they go, for `floc run --live`.
 *
 * A frame is
 *   uint32            length of the next part, little-endian, as all numbers here
 *   zlib stream       JSON { step, time, key, raw, live, arrays: [[name, kind, count, parameter, mode, length],
 * ...] } arrays            one behind the other, `length` bytes each An array is a row of 32-bit words: kind "q"
 * lengths: word times parameter; -2^31: not a number kind "f"          numbers: the upper bits of a float; word
 * times 2^parameter are the bits kind "i"          integers With raw the words follow as they are. Otherwise they
 * are taken as differences (mode 0: to nothing, 1: to the same place in the frame before, 2: to the word before),
 * folded so that small ones of both signs have high bytes of zero, laid out by bytes (all lowest bytes first), and
 * compressed by zlib. Length 0 with mode 1: as before. A frame with key has no mode 1: reading can begin there.
 */
#ifndef FLOC_LUA_PAGE_ENCODE_H
#define FLOC_LUA_PAGE_ENCODE_H

#include "output/vtp_file.h"

enum { PAGE_TRACK_LIMIT = 512, PAGE_COLUMN_LIMIT = 96 };

/* An array over all frames: its name, its last words, the least and greatest of its finite numbers so far. */
typedef struct page_track {
  char name[VTP_NAME_SIZE + 24];
  uint32_t *words;
  int64_t count, capacity;
  double low, high;
} page_track;

typedef struct page_bytes {
  unsigned char *bytes;
  size_t size, capacity;
} page_bytes;

typedef struct page_encoder {
  bool raw, key, out_of_memory;
  double length_step; /* 0: not chosen yet */
  int64_t step, particle_count;
  double time;
  page_track *tracks;
  int32_t track_count;
  char (*columns)[VTP_NAME_SIZE]; /* those of particles to keep; NULL: all */
  int32_t column_count;
  page_bytes text, arrays, frame; /* of the frame at work */
  uint32_t *words;                /* working memory */
  int64_t word_capacity;
} page_encoder;

void page_free(page_encoder *self);
void page_frame_begin(page_encoder *self, bool key);
/* group: particles, grains, bodies, contacts, bonds, rays. FLOC_OUT_OF_MEMORY is noted, and told by page_frame_end.
 * For grains, contacts and bonds, particles are those of the frame: a line between two of them needs no points of
 * its own. */
void page_add(page_encoder *self, const char *group, const vtp_dataset *dataset, const vtp_dataset *particles);
/* live: JSON of what goes along, or NULL. The frame is in self->frame. */
floc_status page_frame_end(page_encoder *self, const char *live);

/* zlib at the given level; false when out of memory. */
bool page_deflate(page_bytes *target, const void *bytes, size_t size, int level);
bool page_base64(page_bytes *target, const unsigned char *bytes, size_t size);

#endif
