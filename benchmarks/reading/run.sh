#!/usr/bin/env bash
# What it costs to read contacts and pairs of laws as columns of numbers: from LuaJIT (the program), Lua 5.4 and C, in
# processor time per contact, medians over rounds in which the builds take turns.
#   benchmarks/reading/run.sh [BUILD ...]     default: build; ROUNDS=3
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
builds=("$@")
[ ${#builds[@]} -gt 0 ] || builds=("$here/../../build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  for k in "${!builds[@]}"; do
    build=$(cd "${builds[$k]}" && pwd)
    [ -x "$work/$k" ] || cc -O2 -I "$here/../../include" "$here/reading.c" "$build/libfloc.so" -lm -o "$work/$k"
    "$build/floc" run "$here/reading.lua" --quiet 2> /dev/null | sed "s/^/LuaJIT\t$k\t/"
    LUA_CPATH_5_4="$build/lua/5.4/?.so" LUA_CPATH="$build/lua/5.4/?.so" lua5.4 "$here/reading.lua" 2> /dev/null | sed "s/^/Lua 5.4\t$k\t/"
    LD_LIBRARY_PATH="$build" "$work/$k" | sed "s/^/C\t$k\t/"
  done
done > "$work/times"
echo "ns of processor time per contact, medians of ${ROUNDS:-3} rounds; columns: ${builds[*]}"
sort -t $'\t' -k1,1 -k3,3 -k2,2n -k4,4n "$work/times" | awk -F '\t' '
  { key = $1 "\t" $3; if (!(key in seen)) { seen[key] = 1; order[++keys] = key } n = ++count[key, $2]; value[key, $2, n] = $4; if ($2 > last) last = $2 }
  END { for (k = 1; k <= keys; k++) { split(order[k], part, "\t"); line = sprintf("%-8s %-32s", part[1], part[2])
          for (b = 0; b <= last; b++) line = line sprintf(" %8.1f", value[order[k], b, int((count[order[k], b] + 1) / 2)])
          print line } }'
