/*
 * See options.h.
 */
#include "draw/options.h"
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t element_size[] = {
    [OPTION_NUMBER] = sizeof(double),
    [OPTION_INTEGER] = sizeof(int32_t),
    [OPTION_INTEGER64] = sizeof(int64_t),
    [OPTION_BOOLEAN] = sizeof(bool),
};

static void set(option_kind kind, double value, void *element)
{
  if (kind == OPTION_NUMBER) *(double *)element = value;
  if (kind == OPTION_INTEGER) *(int32_t *)element = (int32_t)value;
  if (kind == OPTION_INTEGER64) *(int64_t *)element = (int64_t)value;
  if (kind == OPTION_BOOLEAN) *(bool *)element = value != 0.0;
}

static double get(option_kind kind, const void *element)
{
  if (kind == OPTION_NUMBER) return *(const double *)element;
  return kind == OPTION_INTEGER ? *(const int32_t *)element : (double)*(const int64_t *)element;
}

void options_defaults(const option_rows *self, void *options)
{
  for (const option_row *one = self->row; one < self->row + self->count; one++)
    for (int k = 0; k < one->count; k++)
      set(one->kind, one->initial, (char *)options + one->offset + (size_t)k * element_size[one->kind]);
}

static bool is_allowed(const option_row *one, double value)
{
  if ((one->flags & OPTION_ZERO) && value == 0.0) return true;
  if (one->flags & OPTION_AUTOMATIC && (one->kind == OPTION_NUMBER ? isnan(value) : value == PICTURE_AUTOMATIC))
    return true;
  bool low = one->flags & OPTION_ABOVE ? value > one->lower : value >= one->lower;
  return low && isfinite(value) && (one->flags & OPTION_BELOW ? value < one->upper : value <= one->upper);
}

floc_status options_check(const picture_report *report, const char *where, const option_rows *self,
                          const void *options)
{
  for (const option_row *one = self->row; one < self->row + self->count; one++) {
    for (int k = 0; k < one->count && one->kind != OPTION_BOOLEAN; k++) {
      double value = get(one->kind, (const char *)options + one->offset + (size_t)k * element_size[one->kind]);
      if (is_allowed(one, value)) continue;
      char index[16] = "";
      if (one->count > 1) snprintf(index, sizeof index, "[%d]", k);
      return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s%s%s is %.10g; it must be %s", where, one->name,
                            index, value, one->allowed);
    }
  }
  return FLOC_OK;
}

const option_row *options_row(const option_rows *self, const char *name)
{
  const option_row *one = self->row;
  while (strcmp(one->name, name) != 0) one++;
  return one;
}

floc_status options_check_value(const picture_report *report, const option_rows *self, const char *name,
                                double value)
{
  const option_row *one = options_row(self, name);
  if (is_allowed(one, value)) return FLOC_OK;
  return picture_refuse(report, FLOC_INVALID_ARGUMENT, "%s is %.10g; it must be %s", name, value, one->allowed);
}
