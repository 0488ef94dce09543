# Writes OUTPUT, a C source with a table of the public functions of INPUT (floc.h): name and address.
# Called by cmake -P at build time, so that header and table cannot drift apart.
file(READ "${INPUT}" text)
string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" "" text "${text}")
string(REGEX REPLACE "(^|\n)#[^\n]*" "\\1" text "${text}")
string(REGEX MATCHALL "floc_[a-z0-9_]+[(]" names "${text}")
list(REMOVE_DUPLICATES names)
set(rows "")
foreach(name ${names})
  string(REPLACE "(" "" name "${name}")
  string(APPEND rows "    {\"${name}\", (void (*)(void))${name}},\n")
endforeach()
file(WRITE "${OUTPUT}"
"/* Made from ${NAME_OF_INPUT} by cmake/symbols.cmake. */
#include \"ffi/symbols.h\"

#include \"floc/floc.h\"

#include <stddef.h>

const public_symbol public_symbols[] = {
${rows}    {NULL, NULL}};
")
