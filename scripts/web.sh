#!/usr/bin/env bash
# libfloc for WebAssembly, in build-web: installs what is missing, gets zlib's source, builds with Emscripten and runs
# the tests in node.
#   ./scripts/web.sh                             zlib's source comes from Debian, as the system's own zlib does
#   FLOC_ZLIB_SOURCE=FOLDER ./scripts/web.sh     it is there already
# The exit status is 77 when zlib's source cannot be had.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
install_missing emscripten=emcc node-acorn=/usr/share/nodejs/acorn nodejs=node cmake=cmake ninja-build=ninja dpkg-dev=dpkg-source \
  libxxhash-dev=/usr/include/xxhash.h debian-archive-keyring=$debian_keyring
cd "$home"

if [ -z "${FLOC_ZLIB_SOURCE:-}" ]; then
  get_source zlib build-web/zlib || {
    echo "zlib's source could not be downloaded; FLOC_ZLIB_SOURCE=FOLDER ./scripts/web.sh takes another" >&2
    exit 77
  }
  FLOC_ZLIB_SOURCE=$(compgen -G "$home/build-web/zlib/zlib-*/" | head -n 1)
fi

cmake --preset web -DFLOC_WERROR=ON -DFLOC_ZLIB_SOURCE="$FLOC_ZLIB_SOURCE" > /dev/null
cmake --build --preset web
ctest --test-dir build-web --verbose
