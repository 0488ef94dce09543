/*
 * Version and the header's own text, which the build embeds from include/floc/floc.h.
 */
#include "floc/floc.h"

extern const char floc_header_text[];

const char *floc_version(void)
{
  return FLOC_VERSION;
}

int32_t floc_version_number(void)
{
  return 10000 * FLOC_VERSION_MAJOR + 100 * FLOC_VERSION_MINOR + FLOC_VERSION_PATCH;
}

const char *floc_cdef(void)
{
  return floc_header_text;
}
