#!/usr/bin/env bash
# Builds the manual as HTML: build/manual/index.html. Works offline once the packages are there.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
install_missing "${manual_packages[@]}"
version=$(sed -n 's/^project(floc VERSION \([0-9.]*\).*/\1/p' "$home/CMakeLists.txt")
mkdir -p "$home/build"
/usr/bin/python3 "$home/scripts/manual/build.py" "$home" "$home/build/manual" "$version"
echo "$home/build/manual/index.html"
