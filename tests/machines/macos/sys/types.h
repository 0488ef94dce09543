/* What the engine takes from macOS's <sys/types.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SYS_TYPES_H
#define MACOS_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef int pid_t;
typedef long long off_t;
typedef long ssize_t;
typedef unsigned short mode_t;
#endif
