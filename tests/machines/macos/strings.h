/* What the engine takes from macOS's <strings.h>, from what POSIX and the C standard say. See cmake/macos.cmake. */
#ifndef MACOS_STRINGS_H
#define MACOS_STRINGS_H

#include <string.h>

#endif
