#!/bin/sh
# Compares floc.h between C, LuaJIT and Python's cffi.
#   header.sh SOURCE LIBFLOC WORK
set -eu
source=$1 library=$2 work=$3
mkdir -p "$work"
cat > "$work/text.c" << 'END'
#include "floc/floc.h"
#include <stdio.h>
int main(void) { return fputs(floc_cdef(), stdout) < 0; }
END
cc -std=gnu11 -I "$source/include" "$work/text.c" -o "$work/text" "$library" -Wl,-rpath,"$(dirname "$library")"
"$work/text" > "$work/header.txt"
luajit "$source/tests/ffi/header.lua" --c "$work/header.txt" > "$work/answers.c"
cc -std=gnu11 -I "$source/include" "$work/answers.c" -o "$work/answers" "$library" -Wl,-rpath,"$(dirname "$library")"
"$work/answers" > "$work/answers.txt"
luajit "$source/tests/ffi/header.lua" "$work/header.txt" "$work/answers.txt" "$library"
for python in python3 /usr/bin/python3; do
  "$python" -c 'import cffi' 2> /dev/null || continue
  exec "$python" "$source/tests/ffi/header.py" "$work/header.txt" "$work/answers.txt" "$library"
done
echo "no python3 has cffi (Debian: python3-cffi)"
exit 1
