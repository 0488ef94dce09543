#!/usr/bin/env bash
# Large pyramid, many pyramids and tumbler (box2d_scenes.h) in floc and in Box2D 3, in turns: user CPU per frame, medians
# over rounds, and the state at the end, which is the same in each. BOX2D is a folder with its source and in build/src its library:
#   git clone https://github.com/erincatto/box2d && cd box2d
#   cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DBOX2D_SAMPLES=OFF -DBOX2D_UNIT_TESTS=OFF -DBOX2D_BENCHMARKS=OFF
#   cmake --build build --target box2d
#   BOX2D=path/to/box2d benchmarks/polygons/box2d_scenes.sh
# ROUNDS=3; PROGRAM and LIBRARY, where floc's program and Box2D's library are elsewhere.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${PROGRAM:-$here/../../build-benchmarks/benchmarks/box2d_scenes_benchmark}
[ -x "$program" ] || { echo "$program is not there: cmake -S . -B build-benchmarks -DCMAKE_BUILD_TYPE=Release -DFLOC_BENCHMARKS=ON -DFLOC_TESTS=OFF && cmake --build build-benchmarks" >&2; exit 1; }
[ -d "${BOX2D:-}" ] || { echo "BOX2D is not set to the folder of Box2D's source" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O3 -DNDEBUG -I "$BOX2D/include" "$here/box2d_scenes_peer.c" "${LIBRARY:-$BOX2D/build/src/libbox2d.a}" -lm -o "$work/peer"
for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  while read -r scene frames; do
    "$program" "$scene" "$frames" 1 0
    "$program" "$scene" "$frames" 1 0.0014 # half of what free fall meets
    "$program" "$scene" "$frames" 1 0 40
    "$work/peer" "$scene" "$frames" 4
    "$work/peer" "$scene" "$frames" 16
    "$work/peer" "$scene" "$frames" 4 4
  done <<< "large_pyramid 100
many_pyramids 60
tumbler 240"
done > "$work/runs"
sed -E 's/^(.*): ([0-9.]+) ms user CPU a frame; /\1\t\2\t/' "$work/runs" | sort -t $'\t' -k1,1 -k2,2n | awk -F '\t' '
  { if (!($1 in count)) order[++keys] = $1; value[$1, ++count[$1]] = $2; state[$1] = $3 }
  END { for (k = 1; k <= keys; k++) { key = order[k]; printf "%s: %.2f ms a frame (%.2f to %.2f); %s\n", key,
        value[key, int((count[key] + 1) / 2)], value[key, 1], value[key, count[key]], state[key] } }'
