/*
 * Two checkpoints compared section by section: where they first differ, in how many numbers and by how much at
 * most. Bits count: 0 and -0 differ, a NaN equals itself.
 */
#include "base/numbers/float_environment.h"
#include "base/structs.h"
#include "files/checkpoint/checkpoint.h"
#include "files/file_api.h"

#include <math.h>
#include <string.h>

static double number_at(const section *part, uint64_t element)
{
  const unsigned char *bytes = (const unsigned char *)part->data + element * section_type_size(part->type);
  double real;
  int64_t whole;
  uint64_t natural;
  int32_t half;
  switch (part->type[0] == 'f'   ? 0
          : part->type[1] == '3' ? 1
          : part->type[1] == '8' ? 2
          : part->type[0] == 'u' ? 3
                                 : 4) {
  case 0:
    memcpy(&real, bytes, sizeof real);
    return real;
  case 1:
    memcpy(&half, bytes, sizeof half);
    return half;
  case 2:
    return bytes[0];
  case 3:
    memcpy(&natural, bytes, sizeof natural);
    return (double)natural;
  default:
    memcpy(&whole, bytes, sizeof whole);
    return (double)whole;
  }
}

static bool same_kind(const section *a, const section *b)
{
  return a->columns == b->columns && strcmp(a->type, b->type) == 0;
}

/* Element by element, as far as both go. */
static void compare_elements(const section *a, const section *b, floc_section_difference *found)
{
  size_t size = section_type_size(a->type);
  uint64_t rows = a->rows < b->rows ? a->rows : b->rows, count = rows * a->columns;
  const unsigned char *left = a->data, *right = b->data;
  if (count == 0 || memcmp(left, right, (size_t)count * size) == 0) return;
  for (uint64_t k = 0; k < count; k++) {
    if (memcmp(left + k * size, right + k * size, size) == 0) continue;
    double one = number_at(a, k), other = number_at(b, k), gap = fabs(one - other);
    if (found->differing++ == 0) {
      found->row = k / a->columns;
      found->column = k % a->columns;
      found->value_a = one;
      found->value_b = other;
    }
    if (gap > found->greatest || isnan(gap)) found->greatest = gap;
  }
}

floc_status floc_file_compare(const floc_file *a, int32_t index, const floc_file *b,
                              floc_section_difference *difference)
{
  if (!a || !b) return FLOC_INVALID_ARGUMENT;
  environment unheard = {0};
  FILL_RESULT(&unheard, section_difference, difference);
  FLOAT_DEFAULT;
  const section *left = file_section(a, index);
  if (!left) return FLOC_NOT_FOUND;
  const section *right = section_find(file_sections(b), left->name);
  *difference = (floc_section_difference){.struct_size = sizeof *difference, .rows_a = left->rows};
  difference->missing = !right;
  if (!right) return FLOC_OK;
  difference->rows_b = right->rows;
  difference->other_kind = !same_kind(left, right);
  if (!difference->other_kind) compare_elements(left, right, difference);
  return FLOC_OK;
}
