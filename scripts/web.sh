#!/usr/bin/env bash
# libfloc for WebAssembly, in build-web: installs what is missing, gets zlib's source, builds with Emscripten and runs
# the tests in node.
#   ./scripts/web.sh                             zlib's source comes from Debian, as the system's own zlib does
#   FLOC_ZLIB_SOURCE=FOLDER ./scripts/web.sh     it is there already
# The exit status is 77 when zlib's source cannot be had.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
install_missing emscripten=emcc node-acorn=/usr/share/nodejs/acorn nodejs=node cmake=cmake ninja-build=ninja dpkg-dev=dpkg-source \
  libxxhash-dev=/usr/include/xxhash.h debian-archive-keyring=$keyring
cd "$home"

# With lists of its own: the system's may name no sources, and belong to root.
get_zlib() {
  local apt=$PWD/apt release
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mkdir -p "$apt/lists/partial" "$apt/cache"
  echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $release main" > "$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update && apt-get "${options[@]}" source zlib
}

if [ -z "${FLOC_ZLIB_SOURCE:-}" ]; then
  mkdir -p build-web/zlib
  if ! compgen -G "build-web/zlib/zlib-*/deflate.c" > /dev/null; then
    (cd build-web/zlib && get_zlib) > build-web/zlib/log 2>&1 || {
      cat build-web/zlib/log
      echo "zlib's source could not be downloaded; FLOC_ZLIB_SOURCE=FOLDER ./scripts/web.sh takes another" >&2
      exit 77
    }
  fi
  FLOC_ZLIB_SOURCE=$(dirname "$(compgen -G "$home/build-web/zlib/zlib-*/deflate.c" | head -n 1)")
fi

cmake --preset web -DFLOC_WERROR=ON -DFLOC_ZLIB_SOURCE="$FLOC_ZLIB_SOURCE" > /dev/null
cmake --build --preset web
ctest --test-dir build-web --verbose
