/* What the engine takes from macOS's <xlocale.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_XLOCALE_H
#define MACOS_XLOCALE_H

typedef struct _xlocale *locale_t;
#define LC_ALL_MASK 0x3f
int freelocale(locale_t);
locale_t newlocale(int, const char *, locale_t);
double strtod_l(const char *, char **, locale_t);

#endif
