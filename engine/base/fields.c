/*
 * See fields.h.
 */
#include "base/fields.h"

#include <math.h>
#include <stdio.h>

void fields_defaults(const struct_fields *self, void *options)
{
  for (int32_t k = 0; k < self->count; k++) {
    const field_row *one = &self->row[k];
    void *member = (char *)options + one->offset;
    switch (one->kind) {
    case FIELD_NUMBER:
      *(double *)member = one->initial;
      break;
    case FIELD_BOOLEAN:
      *(bool *)member = one->initial != 0.0;
      break;
    case FIELD_INTEGER:
    case FIELD_WORD:
      *(int32_t *)member = (int32_t)one->initial;
      break;
    }
  }
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

/* "a finite number of at least 0", "a whole number between 1 and 9" */
static void describe_range(const field_row *one, sentence *to)
{
  bool low = isfinite(one->lower), high = isfinite(one->upper),
       closed = !(one->flags & (FIELD_ABOVE | FIELD_BELOW));
  APPEND(to, one->kind == FIELD_INTEGER    ? "an integer"
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

floc_status fields_check(environment *env, const struct_fields *self, const void *options)
{
  for (int32_t k = 0; k < self->count; k++) {
    const field_row *one = &self->row[k];
    const void *member = (const char *)options + one->offset;
    if (one->kind == FIELD_BOOLEAN) continue;
    double value = one->kind == FIELD_NUMBER ? *(const double *)member : *(const int32_t *)member;
    if (is_in_range(one, value)) continue;
    sentence allowed = {.length = 0};
    if (one->kind == FIELD_WORD)
      describe_words(one, &allowed);
    else
      describe_range(one, &allowed);
    return refuse(env, FLOC_INVALID_ARGUMENT, "%s is %.10g; it must be %s", one->name, value, allowed.text);
  }
  return FLOC_OK;
}
