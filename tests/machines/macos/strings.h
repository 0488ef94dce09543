/* What the engine takes from macOS's <strings.h>, after POSIX and the manual pages. See cmake/macos.cmake. */
#ifndef MACOS_STRINGS_H
#define MACOS_STRINGS_H

#include <string.h>

#endif
