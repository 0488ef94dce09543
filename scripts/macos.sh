#!/usr/bin/env bash
# libfloc for macOS, arm64 and x86-64, compiled with all warnings as errors and linked by clang and lld as CMake does it
# there, without Apple's SDK: by declarations and lists of names of our own (tests/machines/macos), of what the engine takes
# from the system. The libraries must have the same public names as the one here. Nothing can be run.
#   ./scripts/macos.sh [arm64|x86_64]...
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
install_missing clang=clang lld=/usr/lib/llvm-*/bin/ld64.lld llvm=/usr/lib/llvm-*/bin/llvm-install-name-tool zlib1g-dev=/usr/include/zlib.h \
  libxxhash-dev=/usr/include/xxhash.h cmake=cmake ninja-build=ninja || {
  echo "macOS was NOT tried: clang and lld cannot be installed" >&2
  exit 77
}
cd "$home"
[ $# -gt 0 ] || set -- arm64 x86_64
folder=$home/build-cross/macos
mkdir -p "$folder/root/usr/include"
cp /usr/include/zlib.h /usr/include/zconf.h /usr/include/xxhash.h "$folder/root/usr/include"
nm=$(compgen -G "/usr/lib/llvm-*/bin/llvm-nm" | sort -V | tail -n 1)
[ -e build/build.ninja ] || cmake --preset release > /dev/null
cmake --build build --target floc_shared
nm -D --defined-only build/libfloc.so | awk '{print $3}' | sort > "$folder/names"
for machine in "$@"; do
  cmake -S . -B "$folder/$machine" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/macos.cmake -DFLOC_MACHINE="$machine" \
    -DFLOC_MACHINE_ROOT="$folder/root" -DCMAKE_BUILD_TYPE=Release -DFLOC_WERROR=ON -DFLOC_LIBDEFLATE=OFF -DFLOC_PROGRAM=OFF \
    -DFLOC_LUA_MODULE=OFF -DFLOC_PICTURE=OFF -DFLOC_TESTS=OFF > /dev/null
  cmake --build "$folder/$machine"
  "$nm" --defined-only --extern-only --just-symbol-name "$folder/$machine/libfloc.dylib" | sed 's/^_//' | sort | diff "$folder/names" -
  echo "macOS, $machine: $(find engine -name '*.c' | wc -l) files of the engine compiled, $(wc -l < "$folder/names") public names linked; nothing was run"
done
