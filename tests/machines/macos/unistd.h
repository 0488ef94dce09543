/* What the engine takes from macOS's <unistd.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_UNISTD_H
#define MACOS_UNISTD_H

#include <sys/types.h>
#define _SC_NPROCESSORS_ONLN 58
#ifndef SEEK_SET
#define SEEK_SET 0
#endif
int close(int);
int fsync(int);
int ftruncate(int, off_t);
int gethostname(char *, size_t);
pid_t getpid(void);
off_t lseek(int, off_t, int);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
ssize_t read(int, void *, size_t);
long sysconf(int);
int unlink(const char *);
ssize_t write(int, const void *, size_t);

#endif
