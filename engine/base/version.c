/*
 * Version and the header's own text, which the build embeds from include/floc/floc.h.
 */
#include "floc/floc.h"

extern const char floc_header_text[];

const char *floc_version(void)
{
  return FLOC_VERSION;
}

const char *floc_cdef(void)
{
  return floc_header_text;
}
