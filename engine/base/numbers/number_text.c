/*
 * Numbers as text. See number_text.h.
 */
#include "base/numbers/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The decimal point is the only part of a number that depends on the locale; it may be of several bytes. */
static size_t put_decimal_point(char *text)
{
  size_t length = 0;
  for (const char *from = text; *from;) {
    if (strchr("0123456789+-e", *from)) {
      text[length++] = *from++;
      continue;
    }
    text[length++] = '.';
    while (*from && !strchr("0123456789+-e", *from)) from++;
  }
  text[length] = '\0';
  return length;
}

size_t number_text(double value, char text[NUMBER_TEXT_SIZE])
{
  return number_text_from(15, value, text);
}

size_t number_text_from(int digits, double value, char text[NUMBER_TEXT_SIZE])
{
  if (!isfinite(value)) {
    strcpy(text, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
    return strlen(text);
  }
  for (; digits <= 17; digits++) {
    snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return put_decimal_point(text);
}
