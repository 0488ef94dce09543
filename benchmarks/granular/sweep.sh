#!/usr/bin/env bash
# Runs the experiments of this folder over their parameters and seeds, one after the other, and prints the tables of README.md.
#   benchmarks/granular/sweep.sh [FOLDER]           (default out/granular; about three hours of one processor)
#   benchmarks/granular/sweep.sh --quick [FOLDER]   (one seed of each, small and short: does all of it still run?)
set -euo pipefail
cd "$(dirname "$0")/../.."
quick=0
if [ "${1:-}" = --quick ]; then
  quick=1
  shift
fi
out=${1:-out/granular}
mkdir -p "$out"
rm -f "$out"/{shear,walls,collapse,space,drum,silo}.txt
run() { build/floc run "benchmarks/granular/$1.lua" --quiet --out="$out" "${@:2}" >> "$out/$1.txt"; }
if [ $quick = 1 ]; then
  run shear --I=0.1 --grains=100 --strain=2 --transient=1
  run walls --I=0.1 --height=15 --strain=1 --transient=0.5
  for column in channel axis; do run space --column=$column --across=5 --width=4 --stiffness=1000; done
  run drum --friction=0.3 --transient=0.02 --turns=0.02
  for ratio in 1 2; do run collapse --ratio=$ratio --across=5; done
  for opening in 6 8; do run silo --opening=$opening --width=15; done
  build/floc run benchmarks/granular/stream.lua --quiet --out="$out" --total=1e4 --present=1000
  python3 benchmarks/granular/collect.py "$out"/{shear,walls,collapse,space,drum,silo}.txt
  exit
fi
for seed in 1 2 3; do
  for ratio in 1 2 4 8; do run collapse --ratio=$ratio --across=10 --seed=$seed; done
  for ratio in 1 2 4 8; do run collapse --ratio=$ratio --across=20 --seed=$seed; done
  for ratio in 1 2 4 8; do run space --ratio=$ratio --rolling=0.25 --stiffness=5e3 --seed=$seed; done
  for ratio in 1 2 4; do run space --column=axis --across=12 --ratio=$ratio --seed=$seed; done
  for opening in 6 8 10 12; do run silo --opening=$opening --seed=$seed; done
  for friction in 0.1 0.2 0.3 0.5 0.8; do run drum --friction=$friction --transient=0.25 --turns=0.5 --seed=$seed; done
  for inertial in 0.1 0.0316 0.01; do run walls --I=$inertial --seed=$seed; done
  for inertial in 0.3 0.2 0.1 0.0316; do run shear --I=$inertial --seed=$seed; done
  run shear --I=0.01 --strain=8 --seed=$seed
  run shear --I=0.00316 --strain=5 --transient=1.5 --seed=$seed
  run shear --I=0.001 --strain=4 --transient=1 --seed=$seed
done
python3 benchmarks/granular/collect.py "$out"/{shear,walls,collapse,space,drum,silo}.txt
