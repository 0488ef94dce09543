/*
 * Numbers in files and labels have a decimal point, whatever locale the host has set: printing and reading in the
 * locale "C", for the calling thread and as long as it takes.
 */
#ifndef FLOC_BINDINGS_PLAIN_NUMBERS_H
#define FLOC_BINDINGS_PLAIN_NUMBERS_H

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_locale {
  locale_t plain, before;
} plain_locale;

static inline plain_locale plain_locale_begin(void)
{
  plain_locale it = {newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), (locale_t)0};
  if (it.plain) it.before = uselocale(it.plain);
  return it;
}

static inline void plain_locale_end(plain_locale it)
{
  if (!it.plain) return;
  uselocale(it.before);
  freelocale(it.plain);
}

static inline int plain_print_list(char *text, size_t size, const char *format, va_list list)
{
  plain_locale it = plain_locale_begin();
  int length = vsnprintf(text, size, format, list);
  plain_locale_end(it);
  return length;
}

/* snprintf */
__attribute__((format(printf, 3, 4))) static inline int plain_print(char *text, size_t size, const char *format,
                                                                    ...)
{
  va_list list;
  va_start(list, format);
  int length = plain_print_list(text, size, format, list);
  va_end(list);
  return length;
}

/* strtod */
static inline double plain_read(const char *text, char **end)
{
  plain_locale it = plain_locale_begin();
  double value = strtod(text, end);
  plain_locale_end(it);
  return value;
}

enum { PLAIN_NUMBER_SIZE = 40 };

/* The shortest of 15, 16 or 17 digits that gives the number back; 17 digits at once if `digits` is 17. */
static inline void plain_number(double value, int digits, char text[PLAIN_NUMBER_SIZE])
{
  plain_locale it = plain_locale_begin();
  for (; digits <= 17; digits++) {
    snprintf(text, PLAIN_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  plain_locale_end(it);
}

#endif
