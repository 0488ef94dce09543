#!/bin/sh
# What is made from the declarations in scripts/floc/surface: structs and enums of floc.h, ranges and defaults of the engine,
# the binding's tables of options. It is committed; a build needs none of this.
#   scripts/surface.sh            makes it
#   scripts/surface.sh --check    fails if it is stale
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
for lua in luajit lua5.4 lua; do
  if command -v "$lua" > /dev/null; then exec "$lua" "$root/scripts/surface/generate.lua" "$root" "$@"; fi
done
echo "neither luajit nor lua5.4 is there"
exit 1
