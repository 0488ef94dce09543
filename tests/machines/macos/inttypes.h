/* What the engine takes from macOS's <inttypes.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_INTTYPES_H
#define MACOS_INTTYPES_H

#include <stdint.h>
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define SCNd64 "lld"

#endif
