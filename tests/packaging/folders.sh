#!/bin/sh
# Builds the program in folders whose names mean something to shells, from sources that cannot be written, runs it there
# with a small stack, and where nothing can be written. Most objects are those of BUILD: reuse.sh.
#   folders.sh BUILD SOURCE WORK
set -eu
build=$1 source=$2 work=$3
fail() { echo "$*" >&2; exit 1; }

from="$work/it's a \"test\" \$HOME" to="$work/it's \$HOME (&*\`!~%^{}=+,@:?)"
[ -d "$work" ] && chmod -R u+w "$work"
rm -rf "$work"
mkdir -p "$from" "$to/page"
for part in CMakeLists.txt cmake engine bindings scripts include examples docs README.md CHANGELOG.md LICENSE; do
  cp -R "$source/$part" "$from"
done
chmod -R a-w "$from"
if [ "$(id -u)" -eq 0 ]; then chmod a+rx "$work"; fi
# Who is root may write everywhere, so what the folder holds, and when it was changed, is compared.
state() { find "$from" -printf '%p %s %m %T@ %C@\n' | sort; }
state > "$work/before"

# The packages of the browser page are those of the build, so that nothing is fetched.
if [ -e "$build/page/packages" ]; then
  ln -s "$build/page/node_modules" "$to/page/node_modules"
  cp "$build/page/packages" "$to/page"
fi
{
  cmake -G Ninja -S "$from" -B "$to" -DFLOC_TESTS=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 \
    "-DCMAKE_C_COMPILER_LAUNCHER=$source/tests/packaging/reuse.sh;$build;$source" &&
    cmake --build "$to" --target floc_program
} > "$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
state | cmp - "$work/before" || fail "the build wrote into the sources"
if [ -e "$build/page/packages" ] && [ ! -s "$to/page/page.html" ]; then fail "no page: $(grep -A9 'browser page is left out' "$work/log")"; fi

# What CMake itself cannot do is refused by name.
cmake -S "$source" -B "$work/a;b" > "$work/refused" 2>&1 && fail "a folder with ; is taken"
grep -q 'CMake cannot build in a folder with any of ;' "$work/refused" || fail "$(cat "$work/refused")"

# Sandbox, resume and output from there, with the folder of the scenario and the current folder not to be written.
mkdir "$work/out" "$work/here"
cat > "$work/here/s.lua" << 'END'
local floc = require "floc"
local number = require "number"
local args = floc.args { saves = false }
local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
sim:add_particle { position = { 0, number }, radius = 0.1 }
sim:add_field { law = function(x, y) return -x, -y end }
if args.saves then sim:checkpoint { path = floc.out .. "/run.floc", every = 5 } end
sim:run { steps = 10 }
print(sim:hash())
END
echo 'return 3' > "$work/here/number.lua"
chmod -R a-w "$work/here"
chmod a+rwx "$work/out"
user=
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then user="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi
floc() { (cd "$work/here" && HOME=/nonexistent XDG_STATE_HOME="$work/out" $user "$to/floc" "$@"); }
if ! floc --version > /dev/null 2>&1; then user=; fi # a build that others may not read
bits=$(floc run s.lua --quiet) || fail "a scenario that writes nothing needs no folder"
test "$(floc run s.lua --quiet --saves=true --out="$work/out")" = "$bits"
test "$(floc resume "$work/out/run.floc" --quiet)" = "$bits"
if [ "$user" ] || [ "$(id -u)" -ne 0 ]; then
  if floc run s.lua --quiet --saves=true > "$work/said" 2>&1; then fail "a checkpoint where nothing can be written"; fi
  grep -q '^s.lua:7: checkpoint: .*Permission denied' "$work/said" || fail "$(cat "$work/said")"
fi
chmod -R u+w "$work"
echo "$bits"
