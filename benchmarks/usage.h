/*
 * What a benchmark program has used so far.
 */
#ifndef FLOC_BENCHMARKS_USAGE_H
#define FLOC_BENCHMARKS_USAGE_H

#include <stdio.h>
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

/* From /proc, because what getrusage says begins with the peak of the program that started this one. */
static inline long peak_kilobytes(void)
{
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long peak = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
  if (file) fclose(file);
  return peak;
}

static inline long peak_megabytes(void)
{
  return peak_kilobytes() / 1024;
}

#endif
