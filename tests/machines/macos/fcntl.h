/* What the engine takes from macOS's <fcntl.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_FCNTL_H
#define MACOS_FCNTL_H

#include <sys/types.h>
#define O_RDONLY        0
#define O_WRONLY        1
#define O_RDWR          2
#define O_NONBLOCK      0x4
#define O_NOFOLLOW      0x100
#define O_CREAT         0x200
#define O_EXCL          0x800
#define O_DIRECTORY     0x100000
#define O_CLOEXEC       0x1000000
#define F_FULLFSYNC     51
#define F_DUPFD_CLOEXEC 67
int fcntl(int, int, ...);
int open(const char *, int, ...);

#endif
