#!/usr/bin/env bash
# The engine on another machine: compiled by Debian's cross compiler with Debian's libraries for it, run by an emulator.
#   ./scripts/cross.sh MACHINE          compiles quickly (-O1); golden scenarios there, and checkpoints that go on there
#                                       and come back: one minute
#   ./scripts/cross.sh MACHINE --all    compiles as it is released; the tests of the engine there; not on windows, for
#                                       which there is no package of cmocka
# MACHINE: aarch64, s390x (big-endian), riscv64, i686 by qemu-user; windows (x86-64) by Wine.
# The exit status is 77 where compiler, emulator or libraries cannot be had.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
machine=${1:-}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
case "$machine" in
  aarch64) debian=arm64 ;;
  s390x) debian=s390x ;;
  riscv64) debian=riscv64 ;;
  i686) debian=i386 ;;
  windows) debian="" ;;
  *)
    echo "usage: scripts/cross.sh aarch64|s390x|riscv64|i686|windows [--all]" >&2
    exit 2
    ;;
esac
triple=$machine-linux-gnu
if [ -n "$debian" ]; then
  packages=("gcc-$triple=$triple-gcc" "libc6-dev-$debian-cross=/usr/$triple/include/stdio.h" "qemu-user=qemu-${machine/i686/i386}"
    dpkg-dev=dpkg-deb debian-archive-keyring=$keyring pkg-config=pkg-config python3=/usr/bin/python3)
else
  packages=(gcc-mingw-w64-x86-64-posix=x86_64-w64-mingw32-gcc-posix libz-mingw-w64-dev=/usr/x86_64-w64-mingw32/include/zlib.h
    libxxhash-dev=/usr/include/xxhash.h wine64=/usr/lib/wine/wine64 wine=wine)
fi
not_here() {
  echo "$machine was NOT tested: $1" >&2
  exit 77
}
install_missing "${packages[@]}" cmake=cmake ninja-build=ninja || not_here "its compiler and emulator cannot be installed"
cd "$home"
folder=$home/build-cross/$machine
root=$folder/root
mkdir -p "$root"

# Libraries are unpacked into a folder, by lists of our own, so that the system stays as it is.
get_libraries() {
  local apt=$root/apt release package
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
  : > "$apt/status"
  echo "deb [signed-by=$keyring] http://deb.debian.org/debian $release main" > "$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o APT::Sandbox::User= -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  (cd "$apt/packages" && apt-get "${options[@]}" download zlib1g-dev zlib1g libdeflate-dev libdeflate0 libxxhash-dev libcmocka-dev libcmocka0)
  for package in "$apt/packages"/*.deb; do dpkg-deb -x "$package" "$root"; done
  touch "$root/complete"
}

prepare_linux() {
  [ -e "$root/complete" ] || get_libraries > "$folder/libraries.log" 2>&1 || {
    cat "$folder/libraries.log" >&2
    not_here "its libraries cannot be downloaded"
  }
  options=(-DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DFLOC_MACHINE="$machine")
  local library_triple=${triple/i686/i386}
  there=("qemu-${machine/i686/i386}" -L "/usr/$triple" -E "LD_LIBRARY_PATH=$root/usr/lib/$library_triple:$root/lib/$library_triple"
    "$folder/quick/tests/machines_states")
}

prepare_windows() {
  mkdir -p "$root/usr/include"
  cp /usr/include/xxhash.h "$root/usr/include"
  options=(-DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake -DFLOC_LIBDEFLATE=OFF)
  export WINEDEBUG=-all WINEPREFIX="$folder/wine"
  there=(wine "$folder/quick/tests/machines_states.exe")
}

# Until floc has mathematical functions of its own on every machine: what the C library's rounding alters there.
export FLOC_UNSETTLED=event_driven
[ "$machine" = windows ] && FLOC_UNSETTLED="pile gluey aggregation assemblies"

# configure FOLDER OPTION...
configure() {
  cmake -S . -B "$@" -G Ninja "${options[@]}" -DFLOC_MACHINE_ROOT="$root" \
    -DFLOC_PROGRAM=OFF -DFLOC_LUA_MODULE=OFF -DFLOC_PICTURE=OFF > /dev/null
}

if [ -n "$debian" ]; then prepare_linux; else prepare_windows; fi
if [ "${2:-}" = --all ]; then
  configure "$folder/release" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$folder/release"
  ctest --test-dir "$folder/release" --output-on-failure -L engine -j2 --timeout 7200
  exit
fi

configure "$folder/quick" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -w"
cmake --build "$folder/quick" --target machines_states
[ -e build/build.ninja ] || cmake --preset release > /dev/null
cmake --build build --target machines_states
here=(build/tests/machines_states)
states=build-cross/$machine/states
rm -rf "$states"
mkdir -p "$states/here" "$states/there"
echo "== golden scenarios on $machine"
"${there[@]}" run
echo "== from here to $machine"
"${here[@]}" save "$states/here"
"${there[@]}" finish "$states/here"
echo "== from $machine to here"
"${there[@]}" save "$states/there"
"${here[@]}" finish "$states/there"
