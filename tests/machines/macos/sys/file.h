/* What the engine takes from macOS's <sys/file.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SYS_FILE_H
#define MACOS_SYS_FILE_H

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
int flock(int, int);

#endif
