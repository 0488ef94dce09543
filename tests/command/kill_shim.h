/*
 * What the program that is to be killed and the test that kills it share: kill_shim.c, test_kills.c.
 */
#ifndef FLOC_TESTS_COMMAND_KILL_SHIM_H
#define FLOC_TESTS_COMMAND_KILL_SHIM_H

#include <stdbool.h>

typedef enum kill_call {
  KILL_OPEN,
  KILL_WRITE,
  KILL_READ,
  KILL_FSYNC,
  KILL_CLOSE,
  KILL_RENAME,
  KILL_UNLINK,
  KILL_FLOCK,
  KILL_FTRUNCATE,
  KILL_CALLS
} kill_call;

typedef struct kill_log {
  long calls; /* from the first that named run.floc */
  long whole; /* temporary files of it that were flushed */
  kill_call last;
} kill_log;

#endif
