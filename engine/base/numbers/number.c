/*
 * Ranges in words. See number.h.
 */
#include "base/numbers/number.h"

#include <stdio.h>

void range_text(number_range range, char text[RANGE_TEXT])
{
  bool below = range.greatest<FINITE_NUMBERS.greatest, over = range.least> FINITE_NUMBERS.least;
  const char *least = range.above ? "above" : "at least";
  if (over && below)
    snprintf(text, RANGE_TEXT, "%s %.10g and at most %.10g", least, range.least, range.greatest);
  else if (over)
    snprintf(text, RANGE_TEXT, "a finite number %s %.10g", least, range.least);
  else if (below)
    snprintf(text, RANGE_TEXT, "a finite number of at most %.10g", range.greatest);
  else
    snprintf(text, RANGE_TEXT, "finite");
}
