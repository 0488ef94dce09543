/*
 * Names of the status codes, from scripts/floc/surface/statuses.lua. The switch has no default, so that the
 * compiler names any code of floc.h that is missing.
 */
#include "floc/floc.h"

const char *floc_status_name(floc_status status)
{
  switch (status) {
#define STATUS(code, name)                                                                                         \
  case code:                                                                                                       \
    return name;
#include "base/surface/statuses_made.h"
  }
  return "unknown status";
}
