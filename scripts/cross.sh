#!/usr/bin/env bash
# The engine on another machine: compiled by Debian's cross compiler with Debian's libraries for it, run by an emulator.
#   ./scripts/cross.sh MACHINE          compiles quickly (-O1); golden scenarios there, and checkpoints that go on there
#                                       and come back: one minute
#   ./scripts/cross.sh MACHINE --all    compiles as it is released; the tests of the engine there
#   ./scripts/cross.sh MACHINE --package  a Debian package with everything (its name is printed at the end), from which
#                                       the program runs a script there, from here to there, and from there to here
#   ./scripts/cross.sh MACHINE --scripts  compiles quickly (-O1): the program with Lua 5.4, and with LuaJIT where that
#                                       exists, runs the scripts of tests/machines/scripts.txt there: hashes and files
#                                       must be those of the program here
# MACHINE: aarch64, s390x (big-endian), riscv64 by qemu-user; i686, whose programs this kernel runs; windows (x86-64) by
# Wine: for that there are no packages of cmocka and Cairo, so it has the first way alone. For riscv64 zlib and cmocka
# are compiled from Debian's sources; it has the first two ways.
# The exit status is 77 where compiler, emulator or libraries cannot be had.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
machine=${1:-}
case "$machine" in
  aarch64) debian=arm64 ;;
  s390x) debian=s390x ;;
  i686) debian=i386 ;;
  riscv64) debian=riscv64 ;;
  windows) debian="" ;;
  *)
    echo "usage: scripts/cross.sh aarch64|s390x|riscv64|i686|windows [--all|--package|--scripts]" >&2
    exit 2
    ;;
esac
case "$machine ${2:-}" in
  windows\ --* | riscv64\ --package | riscv64\ --scripts)
    echo "scripts/cross.sh $machine takes no $2: Debian has no cmocka and no Cairo for Windows, and no Lua for riscv64" >&2
    exit 2
    ;;
esac
triple=$machine-linux-gnu
if [ -n "$debian" ]; then
  packages=("gcc-$triple=$triple-gcc" "libc6-dev-$debian-cross=/usr/$triple/include/stdio.h" "qemu-user=qemu-${machine/i686/i386}"
    dpkg-dev=dpkg-deb make=make libxxhash-dev=/usr/include/xxhash.h "debian-archive-keyring=$debian_keyring"
    pkg-config=pkg-config python3=/usr/bin/python3)
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

# Libraries, with all that they need, are unpacked into a folder, by lists of our own, so that the system stays as it is.
# The C library is the compiler's own.
get_libraries() {
  local apt=$root/apt release package link
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  : > "$apt/status"
  echo "deb [signed-by=$debian_keyring] http://deb.debian.org/debian $release main" > "$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" -o Debug::NoLocking=1
    -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o APT::Sandbox::User= -o Acquire::Languages=none)
  apt-get "${options[@]}" update || return 1
  apt-get "${options[@]}" install -y --no-install-recommends --download-only "$@" || return 1
  for package in "$apt/cache/archives"/*.deb; do
    dpkg-deb --ctrl-tarfile "$package" | tar -xO ./shlibs >> "$root/shlibs" 2> /dev/null || true
    case "${package##*/}" in libc6* | libc-dev* | linux-libc* | *python*) continue ;; esac
    dpkg-deb -x "$package" "$root" || return 1
  done
  find "$root" -type l -lname '/*' | while read -r link; do
    [ ! -e "$root$(readlink "$link")" ] || ln -sfn "$root$(readlink "$link")" "$link"
  done
  touch "$root/complete"
}

# The libraries of the engine and its tests, where Debian has none for the machine: from its sources.
compile_libraries() {
  local one source build=$root/source/build
  for one in zlib cmocka; do
    get_source $one "$root/source/$one" || not_here "the source of $one cannot be downloaded"
  done
  source=$(compgen -G "$root/source/zlib/zlib-*/" | head -n 1)
  (cd "$source" && CHOST=$triple CFLAGS="-O2 -fPIC" ./configure --static --prefix="$root/usr" && make install)
  source=$(compgen -G "$root/source/cmocka/cmocka-*/" | head -n 1)
  cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$triple-gcc" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$triple" -DWITH_EXAMPLES=OFF
  cmake --build "$build"
  DESTDIR=$root cmake --install "$build"
  cp /usr/include/xxhash.h "$root/usr/include"
  touch "$root/complete"
}

prepare_linux() {
  local library_triple=${triple/i686/i386} libraries=(zlib1g-dev libdeflate-dev libxxhash-dev libcmocka-dev)
  if [ "$1" = --package ] || [ "$1" = --scripts ]; then
    root=$folder/root-package
    mkdir -p "$root"
    libraries+=(liblua5.4-dev libcairo2-dev libmicrohttpd-dev)
    [ "$machine" = s390x ] || libraries+=(libluajit-5.1-dev)
  fi
  [ "$machine" != riscv64 ] || [ -e "$root/complete" ] || compile_libraries > "$folder/libraries.log"
  [ -e "$root/complete" ] || get_libraries "${libraries[@]}" > "$folder/libraries.log" 2>&1 || {
    cat "$folder/libraries.log" >&2
    not_here "its libraries cannot be downloaded"
  }
  options=(-DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DFLOC_MACHINE="$machine")
  [ "$machine" != riscv64 ] || options+=(-DFLOC_LIBDEFLATE=OFF)
  emulator=("qemu-${machine/i686/i386}" -L "/usr/$triple" -E "LD_LIBRARY_PATH=$root/usr/lib/$library_triple:$root/lib/$library_triple")
  if [ "$machine" = i686 ]; then # the kernel runs it; qemu-i386 7.2 hangs
    emulator=("/usr/$triple/lib/ld-linux.so.2" --library-path "/usr/$triple/lib:$root/usr/lib/$library_triple:$root/lib/$library_triple")
  fi
  there=("${emulator[@]}" "$folder/quick/tests/machines_states")
}

# What the programs and libraries of a folder need, as Depends of a package.
depends() {
  local file name
  find "$1" -maxdepth 3 \( -name floc -o -name 'libfloc.so.*' -o -name floc.so \) -type f | while read -r file; do
    "$triple-objdump" -p "$file" 2> /dev/null | sed -n 's/^ *NEEDED *//p'
  done | sort -u | sed -E 's/^(.*)\.so\.([0-9]+)$/\1 \2/; s/^(.*)-([0-9.]+)\.so\.([0-9]+)$/\1-\2 \3/' | while read -r name; do
    grep -F -m 1 -e "$name " "$root/shlibs" | cut -d ' ' -f 3-
  done | sort -u | paste -sd , | sed 's/,/, /g'
}

make_package() {
  local build=$folder/package work=$folder/run unpacked=$folder/unpacked lua=luajit package
  [ "$machine" != s390x ] || lua=lua5.4
  cmake -S . -B "$build" -G Ninja "${options[@]}" -DFLOC_MACHINE_ROOT="$root" -DCMAKE_BUILD_TYPE=Release -DFLOC_TESTS=OFF \
    -DFLOC_LUA=$lua > /dev/null
  cmake --build "$build"
  (cd "$build" && cpack -G DEB -D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF -D "CPACK_DEBIAN_PACKAGE_ARCHITECTURE=$debian" \
    -D "CPACK_DEBIAN_PACKAGE_DEPENDS=$(depends "$build")" > "$folder/cpack.log") || cat "$folder/cpack.log"
  package=$(compgen -G "$build/floc_*_$debian.deb" | tail -n 1)
  rm -rf "$unpacked" "$work"
  mkdir -p "$work"
  dpkg-deb -x "$package" "$unpacked"
  build_here
  here=("$home/build/floc") there=("${emulator[@]}" "$unpacked/usr/bin/floc")
  cd "$work"
  run() { "$@" --quiet --hash 2>&1 | tee -a log | grep hash; }
  local script=$home/tests/machines/resumed.lua expected found
  expected=$(run "${here[@]}" run "$script")
  for direction in there-there here-there there-here; do
    rm -f run.floc
    declare -n first=${direction%-*} second=${direction#*-}
    run "${first[@]}" run "$script" --steps=80 > /dev/null
    found=$(run "${second[@]}" resume run.floc --steps=80)
    echo "$machine, $direction: $found"
    [ "$found" = "$expected" ] || { echo "expected: $expected" >&2; exit 1; }
  done
  dpkg-deb -f "$package" Package Version Architecture Depends
  echo "$package"
}

build_here() {
  [ -e build/floc ] || { cmake --preset release > /dev/null && cmake --build build --target floc_program; }
}

run_scripts() {
  local luas="lua5.4 luajit" lua
  [ "$machine" != s390x ] || luas=lua5.4
  build_here
  mkdir -p "$folder/scripts"
  "$home/tests/machines/scripts.sh" "$folder/scripts/here" 1 "$home/build/floc" > "$folder/scripts/here.txt"
  for lua in $luas; do
    cmake -S . -B "$folder/$lua" -G Ninja "${options[@]}" -DFLOC_MACHINE_ROOT="$root" -DCMAKE_BUILD_TYPE=Quick -DCMAKE_C_FLAGS_QUICK="-O1 -w" \
      -DFLOC_TESTS=OFF -DFLOC_LUA=$lua > /dev/null
    cmake --build "$folder/$lua" --target floc_program
    "$home/tests/machines/scripts.sh" "$folder/scripts/$lua" 2 "${emulator[@]}" "$folder/$lua/floc" > "$folder/scripts/$lua.txt"
    diff "$folder/scripts/here.txt" "$folder/scripts/$lua.txt"
    echo "$machine, $lua: $(wc -l < "$home/tests/machines/scripts.txt") scripts, $(grep -c ' hash ' "$folder/scripts/$lua.txt") simulations, all files equal"
  done
}

prepare_windows() {
  mkdir -p "$root/usr/include"
  cp /usr/include/xxhash.h "$root/usr/include"
  options=(-DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake -DFLOC_LIBDEFLATE=OFF)
  export WINEDEBUG=-all WINEPREFIX="$folder/wine"
  there=(wine "$folder/quick/tests/machines_states.exe")
}

# configure FOLDER OPTION...
configure() {
  cmake -S . -B "$@" -G Ninja "${options[@]}" -DFLOC_MACHINE_ROOT="$root" \
    -DFLOC_PROGRAM=OFF -DFLOC_LUA_MODULE=OFF -DFLOC_PICTURE=OFF > /dev/null
}

if [ -n "$debian" ]; then prepare_linux "${2:-}"; else prepare_windows; fi
if [ "${2:-}" = --package ]; then
  make_package
  exit
fi
if [ "${2:-}" = --scripts ]; then
  run_scripts
  exit
fi
if [ "${2:-}" = --all ]; then
  configure "$folder/release" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$folder/release"
  ctest --test-dir "$folder/release" --output-on-failure -L engine -j2 --timeout 7200
  exit
fi

configure "$folder/quick" -DCMAKE_BUILD_TYPE=Quick -DCMAKE_C_FLAGS_QUICK="-O1 -w"
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
for file in "$states"/here/*; do
  cmp "$file" "$states/there/${file##*/}"
done
echo "the checkpoints of both machines are equal, byte for byte"
