#!/bin/sh
# A compiler launcher of CMake: where another build has the object of the same source already, it is copied.
#   reuse.sh BUILD SOURCE COMPILER ARGUMENT...
# BUILD has the same options, and SOURCE holds its sources. Compiled as ever is what was generated, and the sources that
# know the most of the others, so that folders of headers and definitions are tried.
set -eu
build=$1 source=$2
shift 2
object= made= from= before=
for argument; do
  case "$before" in
    -o) object=$argument ;;
    -MF) made=$argument ;;
    -c) from=$argument ;;
  esac
  before=$argument
done
name=${object##*.dir/}
case "$name" in
  engine/*/*.o | bindings/*/*/*.o)
    ready=$build/$object
    if [ -e "$ready" ] && cmp -s "$from" "$source/${name%.o}"; then
      cp "$ready" "$object"
      : > "$made"
      exit
    fi
    ;;
esac
exec "$@"
