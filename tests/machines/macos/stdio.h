/* What the engine takes from macOS's <stdio.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_STDIO_H
#define MACOS_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#define SEEK_SET 0
int rename(const char *, const char *);
int snprintf(char *, size_t, const char *, ...) __attribute__((format(printf, 3, 4)));
int sscanf(const char *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int vsnprintf(char *, size_t, const char *, va_list) __attribute__((format(printf, 3, 0)));

#endif
