#!/usr/bin/env bash
# The scripts of scripts.txt, run by one program: the hashes of all simulations in them, and checksums of the files that
# files.lua leaves. What this prints is the same on every machine, with every compiler, Lua and number of threads.
#   tests/machines/scripts.sh FOLDER THREADS COMMAND...    COMMAND: a program floc, an emulator before it
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1 threads=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
while read -r script options; do
  echo "$script"
  # shellcheck disable=SC2086 # options are words
  "$@" run "$home/$script" $options --quiet --hash --threads="$threads" --out=out > text 2>&1 < /dev/null || {
    cat text
    exit 1
  }
  grep -E '^simulation [0-9]+: step [0-9]+, hash [0-9a-f]+$' text
done < "$home/tests/machines/scripts.txt"
"$@" view frames > text 2>&1 || { cat text; exit 1; }
cksum run.xyz fields.vti frames/*.* frames/run/*
