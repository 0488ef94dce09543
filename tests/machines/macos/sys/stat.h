/* What the engine takes from macOS's <sys/stat.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SYS_STAT_H
#define MACOS_SYS_STAT_H

#include <sys/types.h>
struct stat { /* those of its members that are asked for */
  int st_dev;
  mode_t st_mode;
  unsigned short st_nlink;
  unsigned long long st_ino;
  off_t st_size;
};
#define S_ISDIR(mode) (((mode)&0170000) == 0040000)
#define S_ISREG(mode) (((mode)&0170000) == 0100000)
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int stat(const char *, struct stat *);

#endif
