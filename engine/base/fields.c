/*
 * See fields.h.
 */
#include "base/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void *element_of(const field_row *one, void *options, int k)
{
  size_t size = one->kind == FIELD_BOOLEAN                              ? sizeof(bool)
                : one->kind == FIELD_INTEGER || one->kind == FIELD_WORD ? sizeof(int32_t)
                                                                        : sizeof(double);
  return (char *)options + one->offset + (size_t)k * size;
}

static void set(const field_row *one, void *element)
{
  switch (one->kind) {
  case FIELD_NUMBER:
    *(double *)element = one->initial;
    break;
  case FIELD_BOOLEAN:
    *(bool *)element = one->initial != 0.0;
    break;
  case FIELD_INTEGER64:
  case FIELD_UNSIGNED64:
    *(int64_t *)element = (int64_t)one->initial;
    break;
  case FIELD_INTEGER:
  case FIELD_WORD:
    *(int32_t *)element = (int32_t)one->initial;
    break;
  }
}

void fields_defaults(const struct_fields *self, void *options)
{
  for (const field_row *one = self->row; one < self->row + self->count; one++)
    for (int k = 0; k < one->count; k++) set(one, element_of(one, options, k));
}

static double value_of(const field_row *one, const void *options, int k)
{
  const void *element = element_of(one, (void *)options, k);
  if (one->kind == FIELD_NUMBER) return *(const double *)element;
  return one->kind == FIELD_INTEGER64 ? (double)*(const int64_t *)element : *(const int32_t *)element;
}

static bool is_checked(const field_row *one)
{
  return one->kind != FIELD_BOOLEAN && one->kind != FIELD_UNSIGNED64 && !(one->flags & FIELD_FREE);
}

/* A word that is none is refused as such, by its own row. */
static bool is_used(const field_row *one, const void *options)
{
  int32_t word;
  if (one->when == 0) return true;
  memcpy(&word, (const char *)options + one->chooser, sizeof word);
  return word >= 0 && word < 32 && (one->when >> word & 1U);
}

static bool is_word(const field_row *one, double value)
{
  for (const field_word *word = one->words; word->word; word++)
    if (value == word->value) return true;
  return false;
}

static bool is_in_range(const field_row *one, double value)
{
  if (one->kind == FIELD_WORD) return is_word(one, value);
  if (isnan(value) || (isinf(value) && !(one->flags & FIELD_INFINITE))) return false;
  bool low = one->flags & FIELD_ABOVE ? value > one->lower : value >= one->lower;
  return low && (one->flags & FIELD_BELOW ? value < one->upper : value <= one->upper);
}

typedef struct sentence {
  char text[256];
  int length;
} sentence;

#define APPEND(self, ...)                                                                                          \
  ((self)->length +=                                                                                               \
   snprintf((self)->text + (self)->length, sizeof(self)->text - (size_t)(self)->length, __VA_ARGS__))

/* "auto (0), uzawa (1) or apgd (2)" */
static void describe_words(const field_row *one, sentence *to)
{
  for (const field_word *word = one->words; word->word; word++)
    APPEND(to, "%s%s (%d)", word == one->words ? "" : word[1].word ? ", " : " or ", word->word, word->value);
}

/* "a finite number of at least 0", "an integer between 1 and 9" */
static void describe_range(const field_row *one, sentence *to)
{
  bool low = isfinite(one->lower), high = isfinite(one->upper),
       closed = !(one->flags & (FIELD_ABOVE | FIELD_BELOW));
  APPEND(to, one->kind != FIELD_NUMBER     ? "an integer"
             : one->flags & FIELD_INFINITE ? "a number"
                                           : "a finite number");
  if (low && high && closed) {
    APPEND(to, " between %g and %g", one->lower, one->upper);
    return;
  }
  if (low) APPEND(to, " %s %g", one->flags & FIELD_ABOVE ? "above" : "of at least", one->lower);
  if (low && high) APPEND(to, " and");
  if (high) APPEND(to, " %s %g", one->flags & FIELD_BELOW ? "below" : "of at most", one->upper);
}

static floc_status refuse_value(environment *env, const field_row *one, const char *name, double value)
{
  sentence allowed = {.length = 0};
  if (one->kind == FIELD_WORD)
    describe_words(one, &allowed);
  else
    describe_range(one, &allowed);
  return refuse(env, FLOC_INVALID_ARGUMENT, "%s is %.10g; it must be %s", name, value, allowed.text);
}

floc_status fields_check(environment *env, const struct_fields *self, const void *options)
{
  for (const field_row *one = self->row; one < self->row + self->count; one++) {
    if (!is_checked(one) || !is_used(one, options)) continue;
    for (int k = 0; k < one->count; k++) {
      double value = value_of(one, options, k);
      if (is_in_range(one, value)) continue;
      char name[80];
      snprintf(name, sizeof name, one->count > 1 ? "%s[%d]" : "%s", one->name, k);
      return refuse_value(env, one, name, value);
    }
  }
  return FLOC_OK;
}

floc_status fields_check_of(environment *env, const char *owner, const struct_fields *self, const void *options)
{
  floc_status status = fields_check(env, self, options);
  if (status == FLOC_OK) return FLOC_OK;
  char text[MESSAGE_SIZE];
  snprintf(text, sizeof text, "%s", env->message);
  return refuse(env, status, "%s: %s", owner, text);
}

floc_status fields_check_value(environment *env, const struct_fields *self, const char *name, double value)
{
  const field_row *one = self->row;
  while (strcmp(one->name, name) != 0) one++;
  return is_in_range(one, value) ? FLOC_OK : refuse_value(env, one, name, value);
}
