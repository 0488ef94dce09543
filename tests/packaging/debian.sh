#!/bin/sh
# Packs the build for Debian, unpacks the package into an empty root and uses what is there: the program, the module from
# the Luas of the system, the library from C.
#   debian.sh BUILD SOURCE WORK
set -eu
build=$1 source=$2 work=$3
fail() { echo "$*" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work/root"
(cd "$build" && cpack -G DEB -B "$work") > "$work/cpack.log" 2>&1 || { cat "$work/cpack.log" >&2; exit 1; }
package=$(ls "$work"/floc_*.deb)

# What a reader of the package list sees.
version=$(sed -n 's/^project(floc VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
test "$(dpkg-deb -f "$package" Package)" = floc || fail "wrong name"
test "$(dpkg-deb -f "$package" Version)" = "$version-1" || fail "wrong version"
test "$(dpkg-deb -f "$package" Architecture)" = "$(dpkg --print-architecture)" || fail "wrong architecture"
depends=$(dpkg-deb -f "$package" Depends)
names="libc6 libcairo2 zlib1g"
if grep -q -e -ldeflate "$build/generated/floc.pc"; then names="$names libdeflate0"; fi
for name in $names; do
  case "$depends" in *"$name "*) ;; *) fail "$name is not in Depends: $depends" ;; esac
done
case "$depends" in *libluajit-5.1-2*|*liblua5.4-0*) ;; *) fail "no Lua in Depends: $depends" ;; esac
test "$(dpkg-deb -f "$package" Description | wc -l)" -gt 4 || fail "no description"

# Nothing but the package of its own needs MPI.
case "$depends" in *mpi*) fail "floc depends on MPI: $depends" ;; esac
if [ -e "$build/floc_mpi.so" ]; then
  ranks=$(ls "$work"/floc-mpi_*.deb)
  test "$(dpkg-deb -f "$ranks" Package)" = floc-mpi || fail "wrong name"
  case "$(dpkg-deb -f "$ranks" Depends)" in *libopenmpi*) ;; *) fail "no OpenMPI in Depends of floc-mpi" ;; esac
  dpkg-deb -c "$ranks" > "$work/contents"
  for file in lib/.*/floc/floc_mpi.so include/floc/floc_mpi.h share/doc/floc-mpi/copyright; do
    grep -q " \./usr/$file\$" "$work/contents" || fail "$file is not in floc-mpi"
  done
fi

# Everything is under /usr, belongs to root, and nothing of this machine is in it.
dpkg-deb -c "$package" > "$work/contents"
awk '$2 != "root/root" { print "not of root: " $0; bad = 1 } $6 !~ /^\.\/(usr\/.*)?$/ { print "outside of /usr: " $0; bad = 1 } END { exit bad }' \
  "$work/contents" || fail "see above"
machine=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for file in bin/floc include/floc/floc.h share/floc/floc.d.lua share/floc/examples/gluey/sedimentation.lua share/man/man1/floc.1.gz \
    share/doc/floc/copyright share/doc/floc/changelog.gz share/doc/floc/changelog.Debian.gz share/doc/floc/README.md \
    share/doc/floc/docs/tutorial.md; do
  grep -q " \./usr/$file\$" "$work/contents" || fail "$file is not in the package"
done
dpkg-deb -x "$package" "$work/root"
usr=$work/root/usr
if grep -rqF -e "$build" -e "$source" "$usr/include" "$usr/share" $(find "$usr" -name '*.cmake' -o -name '*.pc'); then
  fail "a path of the build is in: $(grep -rlF -e "$build" -e "$source" "$usr")"
fi

# The program, from there, with the installed examples.
cd "$work"
"$usr/bin/floc" --version | grep -q "^floc $version " || fail "the program does not say its version"
"$usr/bin/floc" run "$usr/share/floc/examples/first/new_law.lua" --quiet --strict > run.log
test -s out/new_law/clumps.png || fail "no picture"
# Each command has its place in the man page.
gzip -dc "$usr/share/man/man1/floc.1.gz" > floc.1
for command in $("$usr/bin/floc" --help | sed -n 's/^  floc \([a-z]*\).*/\1/p' | sort -u); do
  grep -q "^\.B floc $command" floc.1 || fail "the man page does not know $command"
done

# The module where Debian's Luas look for it: their own search path, with the root in front.
for pair in luajit:5.1 lua5.4:5.4; do
  interpreter=${pair%:*}
  if command -v "$interpreter" > /dev/null && grep -q "lua/${pair#*:}/floc.so" "$work/contents"; then
    "$interpreter" -e "package.cpath = package.cpath:gsub('/usr/lib/[^/;]+/lua/', '$usr/lib/$machine/lua/')
      local floc = require 'floc'
      local sim = floc.simulation { time_step = 0.01, gravity = { 0, -10 } }
      local id = sim:add_particle { position = { 0, 1 }, radius = 0.1 }
      sim:run { steps = 10 }
      assert(sim.y[id] < 1)
      assert(package.loadlib('$usr/lib/$machine/lua/${pair#*:}/floc.so', 'luaopen_floc'))" || fail "$interpreter does not find the module"
  fi
done

# The library, by pkg-config.
library=$(dirname "$(find "$usr" -name libfloc.so)")
# shellcheck disable=SC2046
cc "$source/examples/embed/host.c" -o host $(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs floc) -lm -lpthread
LD_LIBRARY_PATH=$library ./host > host.log
grep -q "as expected" host.log || fail "the host program: $(cat host.log)"
echo "$(basename "$package"): $(wc -l < "$work/contents") files and folders, $(wc -c < "$package") bytes"
