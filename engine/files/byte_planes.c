/*
 * Byte planes. See byte_planes.h.
 *
 * One pass per number of the row: its element-size bytes go to as many planes. The size and whether there
 * are differences are constants in every inlined copy of the loops, so that the inner loop is unrolled.
 */
#include "files/byte_planes.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint64_t load(const unsigned char *bytes, size_t element)
{
  if (element == 8) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  if (element == 4) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  return *bytes;
}

ALWAYS_INLINE void store(unsigned char *bytes, size_t element, uint64_t value)
{
  if (element == 8) {
    memcpy(bytes, &value, sizeof value);
  } else if (element == 4) {
    uint32_t narrow = (uint32_t)value;
    memcpy(bytes, &narrow, sizeof narrow);
  } else {
    *bytes = (unsigned char)value;
  }
}

ALWAYS_INLINE void split_column(const unsigned char *raw, size_t rows, size_t stride, size_t element,
                                bool differences, unsigned char *planes)
{
  uint64_t before = 0;
  for (size_t row = 0; row < rows; row++) {
    uint64_t value = load(raw + row * stride, element);
    unsigned char bytes[8];
    store(bytes, element, differences ? value - before : value);
    before = value;
    for (size_t k = 0; k < element; k++) planes[k * rows + row] = bytes[k];
  }
}

ALWAYS_INLINE void join_column(const unsigned char *planes, size_t rows, size_t stride, size_t element,
                               bool differences, unsigned char *raw)
{
  uint64_t before = 0;
  for (size_t row = 0; row < rows; row++) {
    unsigned char bytes[8];
    for (size_t k = 0; k < element; k++) bytes[k] = planes[k * rows + row];
    uint64_t value = load(bytes, element) + (differences ? before : 0);
    before = value;
    store(raw + row * stride, element, value);
  }
}

ALWAYS_INLINE void split_all(const unsigned char *raw, const chunk_shape *shape, size_t element, bool differences,
                             unsigned char *planes)
{
  size_t rows = shape->length / shape->stride;
  for (size_t offset = 0; offset < shape->stride; offset += element)
    split_column(raw + offset, rows, shape->stride, element, differences, planes + offset * rows);
}

ALWAYS_INLINE void join_all(const unsigned char *planes, const chunk_shape *shape, size_t element, bool differences,
                            unsigned char *raw)
{
  size_t rows = shape->length / shape->stride;
  for (size_t offset = 0; offset < shape->stride; offset += element)
    join_column(planes + offset * rows, rows, shape->stride, element, differences, raw + offset);
}

void byte_planes_split(const unsigned char *raw, const chunk_shape *shape, bool differences, unsigned char *planes)
{
  if (shape->element == 8 && differences)
    split_all(raw, shape, 8, true, planes);
  else if (shape->element == 8)
    split_all(raw, shape, 8, false, planes);
  else if (shape->element == 4)
    split_all(raw, shape, 4, differences, planes);
  else
    split_all(raw, shape, 1, differences, planes);
}

void byte_planes_join(const unsigned char *planes, const chunk_shape *shape, bool differences, unsigned char *raw)
{
  if (shape->element == 8 && differences)
    join_all(planes, shape, 8, true, raw);
  else if (shape->element == 8)
    join_all(planes, shape, 8, false, raw);
  else if (shape->element == 4)
    join_all(planes, shape, 4, differences, raw);
  else
    join_all(planes, shape, 1, differences, raw);
}
