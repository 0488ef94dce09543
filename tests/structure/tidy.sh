#!/bin/sh
# clang-tidy on the engine and the bindings, with the checks of .clang-tidy, which have clang's own warnings among them; or with those parts of the analyzer that pass.
#   tidy.sh SOURCE BUILD CLANG_TIDY [analyzer]
# The analyzer follows paths, which takes ten times as long. Left out of it are checks that do not see that a dimension is 2 or 3, that
# a result is read only where the status says that it was written, or that luaL_error does not come back: some 70 reports, all
# of this kind. Address and undefined behaviour sanitizers look for the same faults while the tests run.
set -eu
cd "$1"
checks=
if [ "${4:-}" = analyzer ]; then
  checks='--checks=-*,clang-analyzer-*,-clang-analyzer-core.CallAndMessage,-clang-analyzer-core.NonNullParamChecker'
  checks="$checks,-clang-analyzer-core.NullDereference,-clang-analyzer-core.UndefinedBinaryOperatorResult"
  checks="$checks,-clang-analyzer-core.uninitialized.*,-clang-analyzer-valist.Uninitialized"
  # whole numbers in doubles are exact; strcpy of texts whose sizes are known; structs are ordered for readers
  checks="$checks,-clang-analyzer-security.FloatLoopCounter,-clang-analyzer-security.insecureAPI.strcpy"
  checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-optin.performance.Padding"
fi
# What clang-tidy counts goes to standard error, together with the reason if it cannot work; exit status 123 if one has failed.
find engine bindings -name node_modules -prune -o -name '*.c' -print0 |
  xargs -0 -P "$(nproc)" -n 8 "$3" -p "$2" --quiet --extra-arg=-Wreserved-identifier --extra-arg=-Wno-reserved-macro-identifier ${checks:+"$checks"} 2> "$2/tidy.log" || {
  grep -v 'warnings\{0,1\} generated' "$2/tidy.log" || true
  exit 1
}
