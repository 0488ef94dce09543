/*
 * The calls of POSIX that file_system.c and lock.c make, on Windows. Files are opened so that they may be renamed
 * and removed while they are open, as everywhere else, and bytes are never altered. A lock is one byte far behind
 * the end of a file, because Windows would keep others from reading the bytes that are locked. What has no
 * counterpart (links that somebody planted, flushing a folder) does nothing. Included behind the system's headers.
 */
#ifndef FLOC_FILES_POSIX_WINDOWS_H
#define FLOC_FILES_POSIX_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <windows.h>

#define O_NOFOLLOW      0
#define O_NONBLOCK      0
#define O_CLOEXEC       _O_NOINHERIT
#define F_DUPFD_CLOEXEC 0
#define LOCK_SH         1
#define LOCK_EX         2
#define LOCK_NB         4

static inline int windows_error(void)
{
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
    return ENOENT;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS:
    return EEXIST;
  case ERROR_LOCK_VIOLATION:
    return EWOULDBLOCK;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL:
    return ENOSPC;
  case ERROR_DIRECTORY:
    return EISDIR;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION:
    return EACCES;
  default:
    return EIO;
  }
}

/* -1, with errno set. */
static inline int windows_failed(void)
{
  errno = windows_error();
  return -1;
}

static inline int windows_open(const char *path, int flags, ...)
{
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const DWORD how = flags & O_EXCL ? CREATE_NEW : flags & O_CREAT ? OPEN_ALWAYS : OPEN_EXISTING;
  DWORD access = GENERIC_READ;
  if (flags & O_WRONLY) access = GENERIC_WRITE;
  if (flags & O_RDWR) access = GENERIC_READ | GENERIC_WRITE;
  const DWORD attributes = GetFileAttributesA(path);
  if (!(flags & O_CREAT) && attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY)) {
    errno = EISDIR;
    return -1;
  }
  HANDLE file = CreateFileA(path, access, share, NULL, how, FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) return windows_failed();
  int handle = _open_osfhandle((intptr_t)file, (flags & (O_WRONLY | O_RDWR)) | _O_BINARY | _O_NOINHERIT);
  if (handle < 0) CloseHandle(file);
  return handle;
}

static inline int windows_flock(int handle, int how)
{
  OVERLAPPED place = {.OffsetHigh = 0x7fffffff};
  const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (how & LOCK_EX ? LOCKFILE_EXCLUSIVE_LOCK : 0);
  return LockFileEx((HANDLE)_get_osfhandle(handle), flags, 0, 1, 0, &place) ? 0 : windows_failed();
}

static inline int windows_rename(const char *from, const char *to)
{
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : windows_failed();
}

static inline int windows_unlink(const char *path)
{
  return DeleteFileA(path) ? 0 : windows_failed();
}

/* Only asked whether a process lives. */
static inline int windows_kill(pid_t process, int signal)
{
  (void)signal;
  HANDLE found = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)process);
  errno = found || GetLastError() == ERROR_ACCESS_DENIED ? EPERM : ESRCH;
  if (!found) return -1;
  CloseHandle(found);
  return 0;
}

static inline int windows_getentropy(void *bytes, size_t size)
{
  unsigned int word;
  if (size != sizeof word || rand_s(&word) != 0) return -1;
  memcpy(bytes, &word, size);
  return 0;
}

static inline int windows_host_name(char *name, size_t size)
{
  DWORD length = (DWORD)size;
  return GetComputerNameA(name, &length) ? 0 : -1;
}

static inline ssize_t windows_pread(int handle, void *bytes, size_t size, long offset)
{
  return lseek(handle, offset, SEEK_SET) < 0 ? -1 : read(handle, bytes, (unsigned)size);
}

static inline ssize_t windows_pwrite(int handle, const void *bytes, size_t size, long offset)
{
  return lseek(handle, offset, SEEK_SET) < 0 ? -1 : write(handle, bytes, (unsigned)size);
}

/* Pieces that an int can count. */
static inline ssize_t windows_read(int handle, void *bytes, size_t size)
{
  return read(handle, bytes, size < INT32_MAX ? (unsigned)size : INT32_MAX);
}

static inline ssize_t windows_write(int handle, const void *bytes, size_t size)
{
  return write(handle, bytes, size < INT32_MAX ? (unsigned)size : INT32_MAX);
}

#define open(...)          windows_open(__VA_ARGS__)
#define flock(...)         windows_flock(__VA_ARGS__)
#define rename(...)        windows_rename(__VA_ARGS__)
#define unlink(...)        windows_unlink(__VA_ARGS__)
#define kill(...)          windows_kill(__VA_ARGS__)
#define getentropy(...)    windows_getentropy(__VA_ARGS__)
#define gethostname(...)   windows_host_name(__VA_ARGS__)
#define pread(...)         windows_pread(__VA_ARGS__)
#define pwrite(...)        windows_pwrite(__VA_ARGS__)
#define read(...)          windows_read(__VA_ARGS__)
#define write(...)         windows_write(__VA_ARGS__)
#define fsync(handle)      _commit(handle)
#define lstat              stat
#define fcntl(handle, ...) dup(handle)

#endif
