/* What the engine takes from macOS's <sys/random.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SYS_RANDOM_H
#define MACOS_SYS_RANDOM_H

#include <stddef.h>
int getentropy(void *, size_t);

#endif
