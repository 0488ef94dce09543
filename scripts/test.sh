#!/usr/bin/env bash
# Installs missing packages (apt), makes four builds and runs their tests; the first failure ends it with status 1.
#   build        release, gcc, -Werror: all tests, with the structure of the sources, documents, examples, packages
#   build-clang  release, clang, -Werror, the engine alone: its tests, with fewer cases, but those of faults (clang-tidy has clang's
#                warnings of the rest)
#   build-asan   debug with asserts, address and undefined behaviour sanitizers: all tests that can run there
#   build-tsan   thread sanitizer: what threads share
#   build-cross  aarch64 under qemu-user, Windows under Wine (quickly compiled, the engine alone): golden hashes,
#                checkpoints from here to there and back
#   ./scripts/test.sh          what CI runs; it must stay below 15 minutes on 2 idle cores, compiling included
#   ./scripts/test.sh --long   also the long sweeps, the entire engine under the thread sanitizer, golden hashes of both
#                              compilers at -O0, -O1, -O2, and sixteen scripts by them, on s390x and on aarch64, where
#                              the engine's tests run too; libfloc compiled for macOS; single sweeps may take hours
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$home/scripts/install.sh"
install_missing "${build_packages[@]}" "${test_packages[@]}" "${manual_packages[@]}"
cd "$home"

configure_and_build() {
  local preset=$1
  shift
  cmake --preset "$preset" "$@" > /dev/null
  cmake --build --preset "$preset"
}

echo "== release, gcc, warnings are errors"
long_tests=OFF
[ "${1:-}" = "--long" ] && long_tests=ON
configure_and_build release -DFLOC_WERROR=ON -DFLOC_TESTS=ON -DFLOC_LONG_TESTS=$long_tests
echo "== release, clang, warnings are errors"
configure_and_build clang
echo "== debug with asserts, address and undefined behaviour sanitizers"
configure_and_build asan

echo "== tests: release"
ctest --test-dir build --output-on-failure -j4
echo "== tests: clang"
ctest --test-dir build-clang --output-on-failure -j4 -L engine -LE faults
echo "== tests: sanitizers"
ctest --test-dir build-asan --output-on-failure -j4

echo "== thread sanitizer, on what threads share"
cmake --preset tsan > /dev/null
cmake --build --preset tsan --target tsan_tests
ctest --test-dir build-tsan --output-on-failure -j4 -L tsan

for machine in aarch64 windows; do
  echo "== $machine, by a cross compiler and an emulator"
  ./scripts/cross.sh $machine || [ $? -eq 77 ]
done

if [ "${1:-}" = "--long" ]; then
  echo "== thread sanitizer, on all of the engine"
  configure_and_build tsan
  ctest --test-dir build-tsan --output-on-failure -L engine
  mkdir -p build-golden
  ./tests/machines/scripts.sh "$home/build-golden/scripts" 1 "$home/build/floc" > build-golden/reference.txt
  for compiler in gcc clang; do
    for level in 0 1 2; do
      echo "== golden hashes, and sixteen scripts: $compiler -O$level"
      cmake -S . -B "build-golden/$compiler-$level" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="-O$level" > /dev/null
      cmake --build "build-golden/$compiler-$level" --target world_test_golden floc_program
      "build-golden/$compiler-$level/tests/world_test_golden"
      ./tests/machines/scripts.sh "$home/build-golden/scripts" 1 "$home/build-golden/$compiler-$level/floc" | diff build-golden/reference.txt -
    done
  done
  echo "== macOS: compiled and linked"
  ./scripts/macos.sh || [ $? -eq 77 ]
  echo "== s390x, which is big-endian; aarch64: a package, sixteen scripts, and the tests of the engine"
  ./scripts/cross.sh s390x || [ $? -eq 77 ]
  ./scripts/cross.sh s390x --scripts || [ $? -eq 77 ]
  ./scripts/cross.sh aarch64 --scripts || [ $? -eq 77 ]
  ./scripts/cross.sh aarch64 --package || [ $? -eq 77 ]
  ./scripts/cross.sh aarch64 --all || [ $? -eq 77 ]
fi
