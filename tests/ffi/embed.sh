#!/bin/sh
# Installs the build into a folder of its own and builds examples/embed against it, by find_package and by pkg-config;
# runs what comes out.
#   embed.sh BUILD SOURCE WORK
set -eu
build=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/tree" > "$work/install.log"
cmake -S "$source/examples/embed" -B "$work/embed" -DCMAKE_PREFIX_PATH="$work/tree" > "$work/configure.log"
cmake --build "$work/embed" > "$work/build.log"
"$work/embed/host" | tee "$work/host.txt"
# What the page says that it prints, to the last bit.
while read -r line; do
  grep -qF "    $line" "$source/examples/embed/README.md" || { echo "examples/embed/README.md does not say: $line"; exit 1; }
done < "$work/host.txt"
"$work/embed/host_static"
library=$(dirname "$(find "$work/tree" -name libfloc.so | head -n 1)")
PKG_CONFIG_PATH=$library/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs floc)
# shellcheck disable=SC2086
cc "$source/examples/embed/host.c" -o "$work/host" $flags -lm -lpthread
LD_LIBRARY_PATH=$library "$work/host"
if [ -x "$work/embed/scenario" ]; then
  LUA_CPATH="$work/tree/lib/lua/5.1/?.so;;" "$work/embed/scenario" "$source/examples/embed/scenario.lua"
fi
