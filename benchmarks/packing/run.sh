#!/usr/bin/env bash
# Volume fractions of random packings by growth, for several shapes and seeds: examples/shapes/random_packing.lua.
#   ./benchmarks/packing/run.sh [seeds=3] [more options of that script: --grains=400, --growth=2e-3]
# Needs build/floc. Each line: shape, aspect, fraction of each seed. Of 200 grains a packing takes seconds of processor time, of discs and
# spheres, which use all 2,000 steps, half a minute. A run that fails is 'failed' in its place, with its message below.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seeds=${1:-3}
shift $(($# < 1 ? $# : 1))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packings=(disc:1 ellipse:1.5 sphere:1 ellipsoid:1.25 ellipsoid:1.5 ellipsoid:2 rod:1.2 rod:1.45 rod:1.7 rod:2)
for packing in "${packings[@]}"; do
  printf '%-10s %-5s' "${packing%:*}" "${packing#*:}"
  for seed in $(seq "$seeds"); do
    if nice "$home/build/floc" run --quiet --out="$folder" "$home/examples/shapes/random_packing.lua" --shape="${packing%:*}" \
      --aspect="${packing#*:}" --seed="$seed" "$@" > "$folder/log" 2>&1; then
      printf ' %s' "$(sed -n 's/^volume fraction \([0-9.]*\) after.*/\1/p' "$folder/log")"
    else
      printf ' failed'
      tail -n 1 "$folder/log" >&2
    fi
  done
  echo
done
