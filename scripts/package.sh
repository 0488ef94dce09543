#!/usr/bin/env bash
# Builds a Debian package of floc; its name is printed at the end. Install it with: apt-get install ./NAME
#   ./scripts/package.sh            for this machine
#   ./scripts/package.sh aarch64    for another one, by a cross compiler (scripts/cross.sh)
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
[ $# -eq 0 ] || exec "$home/scripts/cross.sh" "$1" --package
install_missing "${build_packages[@]}" dpkg-dev=dpkg-shlibdeps
cmake -S "$home" --preset release -DFLOC_TESTS=OFF > /dev/null
cmake --build "$home/build"
cd "$home/build"
cpack -G DEB
