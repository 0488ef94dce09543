/*
 * What a benchmark program has used so far.
 */
#ifndef FLOC_BENCHMARKS_USAGE_H
#define FLOC_BENCHMARKS_USAGE_H

#include <sys/resource.h>
#include <time.h>

static inline double wall_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double user_seconds(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* User and system. */
static inline double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline long peak_kilobytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static inline long peak_megabytes(void)
{
  return peak_kilobytes() / 1024;
}

#endif
