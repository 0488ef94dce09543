#!/bin/sh
# Every C file is as clang-format leaves it, but for floc.h.
#   format.sh SOURCE CLANG_FORMAT
set -eu
cd "$1"
find engine bindings tests benchmarks examples -name node_modules -prune -o \( -name '*.c' -o -name '*.h' \) ! -path 'tests/abi/floc-*.h' -print0 |
  xargs -0 "$2" --dry-run -Werror
