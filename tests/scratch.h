/*
 * Where tests write files of which no power is lost: a memory disk with free space, if there is one, because a disk
 * takes some milliseconds for each of the thousands of times that checkpoints are flushed to it.
 */
#ifndef FLOC_TESTS_SCRATCH_H
#define FLOC_TESTS_SCRATCH_H

#include <sys/statvfs.h>
#include <unistd.h>

static inline const char *scratch_folder(void)
{
  struct statvfs disk;
  if (statvfs("/dev/shm", &disk) != 0 || access("/dev/shm", W_OK | X_OK) != 0) return "/tmp";
  return (double)disk.f_bavail * (double)disk.f_frsize > 1e9 ? "/dev/shm" : "/tmp";
}

#endif
