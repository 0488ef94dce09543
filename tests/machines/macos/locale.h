/* What the engine takes from macOS's <locale.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_LOCALE_H
#define MACOS_LOCALE_H

struct lconv;
#define LC_ALL 0

#endif
