/* What the engine takes from macOS's <time.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_TIME_H
#define MACOS_TIME_H
typedef long time_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6, CLOCK_PROCESS_CPUTIME_ID = 12 } clockid_t;
int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
#endif
