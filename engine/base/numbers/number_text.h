/*
 * Numbers as text that reads back to the same bits, whatever the program's locale: the shortest of 15, 16 or
 * 17 significant digits that does, with a decimal point. Not a number is "nan", infinities are "inf" and
 * "-inf".
 */
#ifndef FLOC_BASE_NUMBERS_NUMBER_TEXT_H
#define FLOC_BASE_NUMBERS_NUMBER_TEXT_H

#include <stddef.h>

enum { NUMBER_TEXT_SIZE = 32 }; /* Space for any number and the end of the text */

/* Returns the length of the text. */
size_t number_text(double value, char text[NUMBER_TEXT_SIZE]);
/* The same, from fewer digits on: 1 to 17. */
size_t number_text_from(int digits, double value, char text[NUMBER_TEXT_SIZE]);

#endif
