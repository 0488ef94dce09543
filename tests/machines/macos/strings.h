/* What the engine takes from macOS's <strings.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_STRINGS_H
#define MACOS_STRINGS_H

#include <string.h>

#endif
