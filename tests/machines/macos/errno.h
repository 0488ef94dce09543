/* What the engine takes from macOS's <errno.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_ERRNO_H
#define MACOS_ERRNO_H

extern int *__error(void);
#define errno        (*__error())
#define EPERM        1
#define ENOENT       2
#define ESRCH        3
#define EINTR        4
#define EIO          5
#define EACCES       13
#define EBUSY        16
#define EEXIST       17
#define ENOTDIR      20
#define EISDIR       21
#define EINVAL       22
#define ENOSPC       28
#define ESPIPE       29
#define ERANGE       34
#define EWOULDBLOCK  35
#define ENOTSUP      45
#define ENAMETOOLONG 63

#endif
