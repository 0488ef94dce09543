#!/usr/bin/env bash
# The engine on another machine: cross-compiled by Debian's gcc with Debian's libraries for it, run by qemu-user.
#   ./scripts/cross.sh MACHINE          compiles quickly (-O1); golden scenarios there, and checkpoints that go on there
#                                       and come back: one minute
#   ./scripts/cross.sh MACHINE --all    compiles as it is released; the tests of the engine there
# MACHINE: aarch64, s390x (big-endian), riscv64, i686.
# The exit status is 77 where compiler, emulator or libraries cannot be had.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
machine=${1:-}
case "$machine" in
  aarch64) debian=arm64 ;;
  s390x) debian=s390x ;;
  riscv64) debian=riscv64 ;;
  i686) debian=i386 ;;
  *)
    echo "usage: scripts/cross.sh aarch64|s390x|riscv64|i686 [--all]" >&2
    exit 2
    ;;
esac
triple=$machine-linux-gnu
[ "$machine" = i686 ] && library_triple=i386-linux-gnu || library_triple=$triple
emulator=qemu-${machine/i686/i386}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
not_here() {
  echo "$machine was NOT tested: $1" >&2
  exit 77
}
install_missing "gcc-$triple=$triple-gcc" "libc6-dev-$debian-cross=/usr/$triple/include/stdio.h" qemu-user="$emulator" \
  dpkg-dev=dpkg-deb debian-archive-keyring=$keyring cmake=cmake ninja-build=ninja pkg-config=pkg-config \
  python3=/usr/bin/python3 || not_here "its compiler and qemu-user cannot be installed"
cd "$home"

# Libraries are unpacked into a folder, by lists of our own, so that the system stays as it is.
get_libraries() {
  local root=$1 apt=$1/apt release suite=main
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
  : > "$apt/status"
  echo "deb [signed-by=$keyring] http://deb.debian.org/debian $release $suite" > "$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o APT::Sandbox::User= -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  (cd "$apt/packages" && apt-get "${options[@]}" download zlib1g-dev zlib1g libdeflate-dev libdeflate0 libxxhash-dev libcmocka-dev libcmocka0)
  local package
  for package in "$apt/packages"/*.deb; do dpkg-deb -x "$package" "$root"; done
  touch "$root/complete"
}

folder=build-cross/$machine
root=$home/$folder/root
mkdir -p "$root"
[ -e "$root/complete" ] || get_libraries "$root" > "$folder/libraries.log" 2>&1 || {
  cat "$folder/libraries.log" >&2
  not_here "its libraries cannot be downloaded"
}

configure() {
  cmake -S . -B "$@" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DFLOC_MACHINE="$machine" -DFLOC_MACHINE_ROOT="$root" \
    -DFLOC_PROGRAM=OFF -DFLOC_LUA_MODULE=OFF -DFLOC_PICTURE=OFF > /dev/null
}

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
libraries=$root/usr/lib/$library_triple:$root/lib/$library_triple
there=("$emulator" -L "/usr/$triple" -E "LD_LIBRARY_PATH=$libraries" "$folder/quick/tests/machines_states")
here=(build/tests/machines_states)
states=$folder/states
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
