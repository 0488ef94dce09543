#!/usr/bin/env bash
# Measures floc beside its peers, in turn, and writes one table: benchmarks/results/<machine>.md.
# Installs the peers from Debian's packages, builds floc's benchmark programs in build-benchmarks.
#   ./benchmarks/run.sh --help
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
folder="$home/build-benchmarks"

peer_packages=(
  python3=/usr/bin/python3 lammps=lmp liggghts=liggghts yade=yade g++=g++
  libembree-dev=/usr/include/embree3/rtcore.h libbox2d-dev=/usr/include/box2d/box2d.h
)

# Options are checked before anything is installed or built.
have python3 || install_missing python3=/usr/bin/python3
python3 "$home/benchmarks/driver/main.py" --check "$@" || exit $?
case " $* " in *" --help "*) exit 0 ;; esac

install_missing "${build_packages[@]}"
# A peer that cannot be installed is named in the table.
install_missing "${peer_packages[@]}" || echo "some peers could not be installed; the table says which" >&2
mkdir -p "$folder"
log="$folder/build.log"
if ! { cmake -S "$home" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFLOC_BENCHMARKS=ON -DFLOC_TESTS=OFF && cmake --build "$folder"; } > "$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "the build failed; the whole log is in $log" >&2
  exit 1
fi
exec python3 "$home/benchmarks/driver/main.py" "$folder" "$@"
