/*
 * Byte planes. See byte_planes.h.
 *
 * Numbers are taken 16 at a time and turned over as a whole: 16 rows of 8 bytes are 128 bytes whose index is
 * rrrrkkk in bits; interleaving the first half with the second (one unpack instruction for 16 bytes) rotates that
 * index by a bit, and after four rounds it is kkkrrrr, planes. Three more rounds lead back to rows. With 4 bytes to
 * a number there are six bits, four rounds and two. Size and filter are constants in every inlined copy of the
 * loops.
 */
#include "files/checkpoint/byte_planes.h"

#include "base/numbers/byte_order.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 16 };

typedef uint8_t lanes __attribute__((vector_size(LANES)));

/* ---- numbers, in the file's byte order ----------------------------------------------------------- */

ALWAYS_INLINE uint64_t load(const unsigned char *bytes, size_t element)
{
  if (element == 8) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return little_endian_64(value);
  }
  if (element == 4) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return little_endian_32(value);
  }
  return *bytes;
}

ALWAYS_INLINE void store(unsigned char *bytes, size_t element, uint64_t value)
{
  if (element == 8) {
    value = little_endian_64(value);
    memcpy(bytes, &value, sizeof value);
  } else if (element == 4) {
    uint32_t narrow = little_endian_32((uint32_t)value);
    memcpy(bytes, &narrow, sizeof narrow);
  } else {
    *bytes = (unsigned char)value;
  }
}

ALWAYS_INLINE uint64_t zigzag(uint64_t value, size_t element)
{
  return element == 8 ? value << 1 ^ -(value >> 63) : (uint32_t)value << 1 ^ -((uint32_t)value >> 31);
}

/* What sign last takes off. */
ALWAYS_INLINE uint64_t exponent_offset(size_t element, column_filter filter)
{
  return filter > FILTER_SIGN_LAST && element > 1 ? (uint64_t)(filter - FILTER_SIGN_LAST) << (8 * element - 11) : 0;
}

ALWAYS_INLINE uint64_t rotated(uint64_t value, size_t element)
{
  return element == 8 ? value << 1 | value >> 63 : (uint32_t)value << 1 | (uint32_t)value >> 31;
}

ALWAYS_INLINE uint64_t rotated_back(uint64_t value, size_t element)
{
  return element == 8 ? value >> 1 | value << 63 : (uint32_t)value >> 1 | (uint32_t)value << 31;
}

/* offset: exponent_offset(). */
ALWAYS_INLINE uint64_t filtered(uint64_t value, uint64_t above, size_t element, column_filter filter,
                                uint64_t offset)
{
  if (filter == FILTER_DIFFERENCES) return value - above;
  if (filter == FILTER_ZIGZAG) return zigzag(value - above, element);
  if (filter == FILTER_SIGN_LAST) return rotated(value, element) - offset;
  return value;
}

/* The number that `filtered` made this of. The upper half of a number of 4 bytes does not matter. */
ALWAYS_INLINE uint64_t restored(uint64_t value, uint64_t above, size_t element, column_filter filter,
                                uint64_t offset)
{
  if (filter == FILTER_DIFFERENCES) return above + value;
  if (filter == FILTER_ZIGZAG) return above + (value >> 1 ^ -(value & 1));
  if (filter == FILTER_SIGN_LAST) return rotated_back(value + offset, element);
  return value;
}

/* ---- sixteen rows ------------------------------------------------------------------------------- */

/* Interleaves the first half of `element` vectors with the second. */
ALWAYS_INLINE void interleave(lanes *part, size_t element)
{
  lanes made[8];
  for (size_t k = 0; k < element / 2; k++) {
    lanes a = part[k], b = part[k + element / 2];
    made[2 * k] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    made[2 * k + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  memcpy(part, made, element * sizeof *part);
}

ALWAYS_INLINE void rows_to_planes(const unsigned char *rows, size_t element, unsigned char *planes, size_t distance)
{
  lanes part[8];
  memcpy(part, rows, element * sizeof *part);
  for (int round = 0; round < 4; round++) interleave(part, element);
  for (size_t k = 0; k < element; k++) memcpy(planes + k * distance, &part[k], sizeof *part);
}

ALWAYS_INLINE void planes_to_rows(const plane_source *planes, size_t first_row, size_t element, unsigned char *rows)
{
  lanes part[8];
  for (size_t k = 0; k < element; k++) {
    if (planes[k].bytes)
      memcpy(&part[k], planes[k].bytes + first_row, sizeof *part);
    else
      memset(&part[k], planes[k].value, sizeof *part);
  }
  for (int round = 0; round < (element == 8 ? 3 : 2); round++) interleave(part, element);
  memcpy(rows, part, element * sizeof *part);
}

/* ---- columns ------------------------------------------------------------------------------------ */

ALWAYS_INLINE uint64_t split_column(const unsigned char *raw, size_t rows, size_t stride, size_t element,
                                    column_filter filter, uint64_t offset, unsigned char *planes)
{
  uint64_t above = 0, first = filtered(load(raw, element), 0, element, filter, offset), varies = 0;
  size_t row = 0;
  unsigned char block[LANES * 8];
  while (row < rows) {
    size_t count = rows - row < LANES ? rows - row : LANES;
    for (size_t k = 0; k < count; k++, row++) {
      uint64_t value = load(raw + row * stride, element), made = filtered(value, above, element, filter, offset);
      above = value;
      varies |= made ^ first;
      store(block + k * element, element, made);
    }
    unsigned char *place = planes + row - count;
    if (count == LANES && element > 1) {
      rows_to_planes(block, element, place, rows);
      continue;
    }
    for (size_t k = 0; k < count * element; k++) place[k % element * rows + k / element] = block[k];
  }
  return varies;
}

ALWAYS_INLINE void join_column(const plane_source *planes, size_t rows, size_t stride, size_t element,
                               column_filter filter, uint64_t offset, unsigned char *raw)
{
  uint64_t above = 0;
  unsigned char block[LANES * 8];
  for (size_t row = 0; row < rows;) {
    size_t count = rows - row < LANES ? rows - row : LANES;
    if (count == LANES && element > 1) {
      planes_to_rows(planes, row, element, block);
    } else {
      for (size_t k = 0; k < count * element; k++) {
        const plane_source *plane = &planes[k % element];
        block[k] = plane->bytes ? plane->bytes[row + k / element] : plane->value;
      }
    }
    for (size_t k = 0; k < count; k++, row++) {
      above = restored(load(block + k * element, element), above, element, filter, offset);
      store(raw + row * stride, element, above);
    }
  }
}

/* Calls with the size and the filter as constants. Of single bytes only differences are taken. */
#define FOR_FILTER(call, size)                                                                                     \
  switch (shape->filter) {                                                                                         \
  case FILTER_DIFFERENCES:                                                                                         \
    call(size, FILTER_DIFFERENCES);                                                                                \
    break;                                                                                                         \
  case FILTER_ZIGZAG:                                                                                              \
    call(size, FILTER_ZIGZAG);                                                                                     \
    break;                                                                                                         \
  case FILTER_NONE:                                                                                                \
    call(size, FILTER_NONE);                                                                                       \
    break;                                                                                                         \
  default:                                                                                                         \
    call(size, FILTER_SIGN_LAST);                                                                                  \
    break;                                                                                                         \
  }
#define FOR_SHAPE(call)                                                                                            \
  if (shape->element == 8) {                                                                                       \
    FOR_FILTER(call, 8)                                                                                            \
  } else if (shape->element == 4) {                                                                                \
    FOR_FILTER(call, 4)                                                                                            \
  } else if (shape->filter == FILTER_DIFFERENCES) {                                                                \
    call(1, FILTER_DIFFERENCES);                                                                                   \
  } else {                                                                                                         \
    call(1, FILTER_NONE);                                                                                          \
  }

uint64_t byte_planes_split(const unsigned char *raw, const column_shape *shape, unsigned char *planes)
{
  uint64_t varies = 0, offset = exponent_offset(shape->element, shape->filter);
  if (shape->rows == 0) return 0;
#define SPLIT(size, kind) varies = split_column(raw, shape->rows, shape->stride, size, kind, offset, planes)
  FOR_SHAPE(SPLIT)
  unsigned char bytes[8] = {0};
  store(bytes, shape->element, varies);
  memcpy(&varies, bytes, sizeof varies);
  return varies;
}

void byte_planes_join(const plane_source *planes, const column_shape *shape, unsigned char *raw)
{
  uint64_t offset = exponent_offset(shape->element, shape->filter);
#define JOIN(size, kind) join_column(planes, shape->rows, shape->stride, size, kind, offset, raw)
  FOR_SHAPE(JOIN)
}
