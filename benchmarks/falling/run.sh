#!/usr/bin/env bash
# A crowd of spheres falls into a box and settles: memory per particle at its worst, by both schemes.
#   ./benchmarks/falling/run.sh [particles=100000] [steps=300] [more options of falling_benchmark, see its head]
# 1e7 spheres: ./benchmarks/falling/run.sh 10000000 300 fill=lattice layers=20 limit=16000
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$home/scripts/install.sh"
folder="$home/build-benchmarks"
particles=${1:-100000}
steps=${2:-300}
shift $(($# < 2 ? $# : 2))
install_missing "${build_packages[@]}"
cmake -S "$home" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFLOC_BENCHMARKS=ON -DFLOC_TESTS=OFF > /dev/null
cmake --build "$folder" --target falling_benchmark > /dev/null
for scheme in projection soft; do
  nice "$folder/benchmarks/falling_benchmark" "particles=$particles" "steps=$steps" "scheme=$scheme" "$@"
done
