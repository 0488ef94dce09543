# Writes OUTPUT, a C source that defines `const char NAME[]` (and NAME_size) with the text of INPUT, as a string of C with a
# line for each line: it is made, and compiled, in a fraction of the time that a list of numbers takes.
# With STRIP_DIRECTIVES, lines that begin with '#' and the extern "C" lines between them are left out.
# Called by cmake -P, so that every build step needs nothing but CMake.
file(READ "${INPUT}" text)
if(STRIP_DIRECTIVES)
  string(REGEX REPLACE "#ifdef __cplusplus[^#]*#endif" "" text "${text}")
  string(REGEX REPLACE "(^|\n)#[^\n]*" "\\1" text "${text}")
endif()
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "?" "\\?" text "${text}") # no trigraphs
string(REPLACE "\r" "\\r" text "${text}")
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE "${OUTPUT}"
"/* Made from ${NAME_OF_INPUT} by cmake/embed.cmake. */
#include <stddef.h>
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
extern const char ${NAME}[];
extern const size_t ${NAME}_size;
const char ${NAME}[] =
\"${text}\";
const size_t ${NAME}_size = sizeof ${NAME} - 1;
")
