#!/bin/sh
# Builds and installs the rock into a tree of its own, from a copy of the sources, and loads the module from there.
#   rock.sh SOURCE WORK LUA-VERSION INTERPRETER
set -eu
source=$1 work=$2 version=$3 interpreter=$4
rm -rf "$work"
mkdir -p "$work/source"
cd "$source"
cp -r CMakeLists.txt cmake engine bindings scripts include examples docs README.md CHANGELOG.md LICENSE floc-scm-1.rockspec "$work/source"
cd "$work/source"
luarocks --lua-version="$version" make --tree="$work/tree" floc-scm-1.rockspec > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
"$interpreter" -e "package.cpath = '$work/tree/lib/lua/$version/?.so'
  local floc = require 'floc'
  local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
  sim:add_particle { position = { 0, 1 }, radius = 0.1 }
  sim:run { steps = 10 }
  assert(sim.y[1] < 1)"
