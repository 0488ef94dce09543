#!/bin/sh
# The experiments of benchmarks/granular, very small, and the tables made of their lines. A number without sense or a line that
# collect.py does not read is a failure. Usage: granular.sh FLOC PYTHON, from the root of the repository.
set -eu
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
run() {
  name=$1
  shift
  "$floc" run "benchmarks/granular/$name.lua" --quiet --out="$out" "$@" >> "$out/$name.txt"
}
floc=$1
run shear --I=0.1 --grains=60 --kappa=1000 --strain=1 --transient=0.5
for ratio in 1 2; do run collapse --ratio=$ratio --across=5; done
run drum --radius=6 --froude=0.01 --transient=0.05 --turns=0.2
for opening in 5 6 7; do run silo --width=10 --opening=$opening; done
run stream --total=5000 --present=500 --rate=10000
"$2" - "$out" << 'END'
import re, subprocess, sys
text = subprocess.run([sys.executable, "benchmarks/granular/collect.py"] + [f"{sys.argv[1]}/{n}.txt" for n in ("shear", "collapse", "drum", "silo")],
                      check=True, capture_output=True, text=True).stdout
print(text)
def number(pattern):
    return float(re.search(pattern, text, re.M).group(1))
assert 0.3 < number(r"^0\.1, 60, .*?: ([\d.]+) \+- ") < 0.5, "mu"
assert 0.7 < number(r"^0\.1, 60, .*?; ([\d.]+) \+- ") < 0.8, "phi"
assert 0.1 < number(r"^1, 5, 0\.1, 0\.5, 1: .*?; ([\d.]+) \+-") < 1.2, "run-out"
assert 10 < number(r"^0\.5, 0, 6, 0\.01, 1: ([\d.]+)") < 45, "angle"
assert 0.5 < number(r"^friction 0\.5: C = ([\d.]+)") < 3, "C"
END
grep -q "grains that came less those that left and those present *0 *0 *met" "$out/stream.txt"
