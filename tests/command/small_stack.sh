#!/bin/sh
# What runs with the usual stack runs with one of 256 kB, to the same bits: the golden scenarios, and a scenario of each
# Lua with laws traced, called on workers and by pairs and walls, a picture and a checkpoint.
#   small_stack.sh GOLDEN-TEST SOURCE WORK PROGRAM...
set -eu
golden=$1 source=$2 work=$3
shift 3
fail() { echo "$*" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cat > s.lua << 'END'
local floc = require "floc"
local sim = floc.simulation { dimension = 3, time_step = 1e-4, scheme = floc.discrete_element {}, seed = 3, threads = 3 }
sim:add_body { shape = floc.container { width = 1.2, depth = 1.2, height = 1.5 } }
sim:add_particles { count = 5000, radius = 0.02, region = floc.box { lower = { -0.5, -0.5, 0.1 }, upper = { 0.5, 0.5, 1 } } }
sim:add_force { range = 0.02, law = function(distance, radius_i) return math.exp(-distance) * radius_i end }
sim:add_wall_force { range = 0.02, law = function(distance) return 1 / (1 + distance) end }
local weights = { 1, 2, 3 }
sim:add_field { law = function(x, y, z)
  local sum = 0
  for k = 1, #weights do sum = sum + weights[k + math.floor(0 * x)] end
  return -sum, math.sin(y), 0
end }
sim:checkpoint { path = "run.floc", every = 10 }
sim:run { steps = 20 }
sim:picture("a.png")
print(sim:hash())
END
for program in "$@"; do
  usual=$("$program" run s.lua --quiet) || fail "$program"
  small=$(ulimit -s 256; "$program" run s.lua --quiet) || fail "$program with a stack of 256 kB"
  test "$usual" = "$small" || fail "$usual, with a stack of 256 kB $small"
  again=$(ulimit -s 256; "$program" resume run.floc --quiet) || fail "resume with a stack of 256 kB"
  test "$usual" = "$again" || fail "$usual, resumed with a stack of 256 kB $again"
done
cd "$source"
ulimit -s 256
exec "$golden"
