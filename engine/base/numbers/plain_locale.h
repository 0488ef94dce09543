/*
 * Reading numbers with a decimal point whatever the locale of the program. The call is the same everywhere but for
 * its name: POSIX has it since 2008, macOS in a header of its own, Windows with an underscore.
 */
#ifndef FLOC_BASE_NUMBERS_PLAIN_LOCALE_H
#define FLOC_BASE_NUMBERS_PLAIN_LOCALE_H

#include <locale.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#ifdef _WIN32
typedef _locale_t plain_locale;
#define plain_locale_create() _create_locale(LC_ALL, "C")
#define plain_locale_free     _free_locale
#define plain_locale_number   _strtod_l
#else
typedef locale_t plain_locale;
#define plain_locale_create() newlocale(LC_ALL_MASK, "C", (locale_t)0)
#define plain_locale_free     freelocale
#define plain_locale_number   strtod_l
#endif

#endif
