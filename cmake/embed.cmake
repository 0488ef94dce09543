# Writes OUTPUT, a C source that defines `const char NAME[]` (and NAME_size) with the text of INPUT.
# With STRIP_DIRECTIVES, lines that begin with '#' and the extern "C" lines between them are left out.
# Called by cmake -P, so that every build step needs nothing but CMake.
file(READ "${INPUT}" hex HEX)
if(STRIP_DIRECTIVES)
  file(READ "${INPUT}" text)
  string(REGEX REPLACE "#ifdef __cplusplus[^#]*#endif" "" text "${text}")
  string(REGEX REPLACE "(^|\n)#[^\n]*" "\\1" text "${text}")
  file(WRITE "${OUTPUT}.text" "${text}")
  file(READ "${OUTPUT}.text" hex HEX)
  file(REMOVE "${OUTPUT}.text")
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)"
       "  \\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}"
"/* Made from ${NAME_OF_INPUT} by cmake/embed.cmake. */
#include <stddef.h>
extern const char ${NAME}[];
extern const size_t ${NAME}_size;
const char ${NAME}[] = {
${bytes}0x00
};
const size_t ${NAME}_size = sizeof ${NAME} - 1;
")
