#!/bin/sh
# The engine alone: libfloc is configured and built where pkg-config finds nothing, so neither Lua nor Cairo, once with
# threads and once without; a host runs with it. Not optimised, because the compiler's time is most of this test's.
#   engine.sh SOURCE WORK COMPILER
set -eu
source=$1 work=$2 compiler=$3
rm -rf "$work"
mkdir -p "$work/nothing"
PKG_CONFIG_LIBDIR=$work/nothing PKG_CONFIG_PATH=
export PKG_CONFIG_LIBDIR PKG_CONFIG_PATH
build=$work/build # the same for both: a file or two are compiled again, and everything is linked
for threads in ON OFF; do
  cmake --preset engine -S "$source" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DFLOC_WERROR=ON \
    -DFLOC_THREADS=$threads > "$work/configure.log"
  cmake --build "$build" > "$work/build.log" || { tail -n 40 "$work/build.log"; exit 1; }
  cmake --install "$build" --prefix "$work/tree-$threads" > "$work/install.log"
  library=$(dirname "$(find "$work/tree-$threads" -name libfloc.so | head -n 1)")
  if readelf -d "$library/libfloc.so" | grep NEEDED | grep -E "gomp|libomp|lua|cairo"; then
    echo "libfloc needs what it should not"
    exit 1
  fi
  if nm -D --undefined-only "$library/libfloc.so" | grep -q pthread_create; then has=ON; else has=OFF; fi
  [ $has = $threads ] || { echo "FLOC_THREADS is $threads, and the library has threads $has"; exit 1; }
  "$compiler" "$source/examples/embed/host.c" -o "$work/host" -I "$source/include" -L "$library" -lfloc -lm
  LD_LIBRARY_PATH=$library "$work/host" > "$work/host-$threads.txt"
done
cmp "$work/host-ON.txt" "$work/host-OFF.txt"
