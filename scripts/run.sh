#!/usr/bin/env bash
# Installs what is missing, builds, and runs a scenario: Lefebvre's sedimentation, or the file given.
#   ./scripts/run.sh                         the main job
#   ./scripts/run.sh FILE.lua [--name=value] any scenario
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"

install_missing "${build_packages[@]}"
[ -x "$home/build/floc" ] || echo "building, for a minute or more"
if ! { cmake -S "$home" --preset release -DFLOC_TESTS=OFF && cmake --build "$home/build"; } > "$home/build.log" 2>&1; then
  tail -n 40 "$home/build.log" >&2
  echo "the build failed; the whole log is in $home/build.log" >&2
  exit 1
fi
rm -f "$home/build.log"
if [ $# -eq 0 ]; then
  set -- "$home/examples/gluey/sedimentation.lua"
fi
exec "$home/build/floc" run "$@"
