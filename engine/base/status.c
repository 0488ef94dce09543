/*
 * Names of the status codes. The switch has no default, so that the compiler names any code of floc.h
 * that is missing here.
 */
#include "floc/floc.h"

const char *floc_status_name(floc_status status)
{
  switch (status) {
  case FLOC_OK:
    return "ok";
  case FLOC_INVALID_ARGUMENT:
    return "invalid argument";
  case FLOC_OUT_OF_MEMORY:
    return "out of memory";
  case FLOC_NOT_FOUND:
    return "not found";
  case FLOC_ALREADY_EXISTS:
    return "already exists";
  case FLOC_NO_ROOM:
    return "no room";
  case FLOC_OVERLAPPING:
    return "overlapping";
  case FLOC_NOT_A_NUMBER:
    return "not a number";
  case FLOC_ESCAPED:
    return "escaped";
  case FLOC_CALLBACK_FAILED:
    return "callback failed";
  case FLOC_FILE_ERROR:
    return "file error";
  case FLOC_DAMAGED_FILE:
    return "damaged file";
  case FLOC_WRONG_VERSION:
    return "wrong version";
  case FLOC_WRONG_STATE:
    return "wrong state";
  case FLOC_LIMIT_EXCEEDED:
    return "limit exceeded";
  case FLOC_NOT_SUPPORTED:
    return "not supported";
  case FLOC_STRUCTURE_MISMATCH:
    return "structure mismatch";
  case FLOC_INTERRUPTED:
    return "interrupted";
  }
  return "unknown status";
}
