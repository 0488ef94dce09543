/* What the engine takes from macOS's <stdlib.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_STDLIB_H
#define MACOS_STDLIB_H

#include <stddef.h>
_Noreturn void abort(void);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *calloc(size_t, size_t);
void free(void *);
void *malloc(size_t);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *realloc(void *, size_t);
double strtod(const char *, char **);
long strtol(const char *, char **, int);

#endif
