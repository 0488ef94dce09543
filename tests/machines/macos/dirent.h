/* What the engine takes from macOS's <dirent.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_DIRENT_H
#define MACOS_DIRENT_H

#include <stdint.h>
typedef struct DIR DIR;
struct dirent {
  uint64_t d_ino;
  char d_name[1024];
};
int closedir(DIR *);
DIR *opendir(const char *);
struct dirent *readdir(DIR *);

#endif
