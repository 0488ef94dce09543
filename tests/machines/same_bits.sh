#!/usr/bin/env bash
# The scripts of scripts.txt on this machine, by every program and as every processor that can be had here; all must print
# the same as the first program with one thread.
#   tests/machines/same_bits.sh FOLDER PROGRAM...
# 1 to 4 threads; a C library that may use neither AVX2 nor FMA (glibc's tunable); processors of 2013, with AVX2 and
# without AVX-512, and of 2008, without AVX, by qemu-x86_64 where that is installed: only there the engine takes its loops
# for these, because it asks the processor.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
shift
mkdir -p "$folder"
wrong=0
one() { # NAME THREADS COMMAND...
  "$here/scripts.sh" "$folder/$1" "${@:2}" > "$folder/$1.txt" || { echo "$1: FAILED" && cat "$folder/$1.txt" && exit 1; }
  cmp -s "$folder/reference.txt" "$folder/$1.txt" && echo "$1: equal" && return
  echo "$1: DIFFERENT"
  diff "$folder/reference.txt" "$folder/$1.txt" | head -n 20
  wrong=1
}
one reference 1 "$1"
number=0
for program in "$@"; do
  number=$((number + 1))
  name="$number-$(basename "$program")"
  for threads in 1 2 3 4; do one "$name-$threads-threads" $threads "$program"; done
  one "$name-without-fma" 2 env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F "$program"
  if command -v qemu-x86_64 > /dev/null; then
    one "$name-avx2" 1 qemu-x86_64 -cpu Haswell "$program"
    one "$name-sse2" 1 qemu-x86_64 -cpu Nehalem "$program"
  fi
done
exit $wrong
