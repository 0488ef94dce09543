#!/bin/sh
# floc.h as other compilers read it: strict C11 and C++ by gcc and clang, and by clang as Microsoft's compiler does, on Windows.
#   parse.sh SOURCE WORK
# A program that uses the macros is parsed, not the header alone.
set -eu
source=$1 work=$2
mkdir -p "$work"
cat > "$work/program.c" << 'END'
#include "floc/floc.h"
int main(void);
int main(void)
{
  floc_projection_options options;
  floc_contact contact;
  int64_t count = FLOC_VERSION_MAJOR;
  if (floc_projection_options_init(&options) != FLOC_OK) return 1;
  floc_world *world = NULL;
  return floc_world_get_contacts(world, &contact, 1, &count) == FLOC_OK && floc_world_get_contacts(world, NULL, 0, &count) == FLOC_OK;
}
END
cp "$work/program.c" "$work/program.cpp"
strict="-fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror -I $source/include"
cc -std=c11 $strict "$work/program.c"
c++ -std=c++11 $strict "$work/program.cpp"
command -v clang > /dev/null || { echo "clang is not there: it stands for the other compilers"; exit 1; }
clang -std=c11 $strict "$work/program.c"
clang++ -std=c++20 $strict "$work/program.cpp"
microsoft="--target=x86_64-pc-windows-msvc -fms-extensions -fms-compatibility -fms-compatibility-version=19.30 -ffreestanding -U__GNUC__"
clang $microsoft -std=c11 $strict "$work/program.c"
clang++ $microsoft -std=c++17 $strict "$work/program.cpp"
# The guard of the pragma is needed: without GNU C no line of it may be left.
if clang $microsoft -E -I "$source/include" "$work/program.c" | grep 'pragma GCC'; then exit 1; fi
