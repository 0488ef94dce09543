#!/bin/sh
# No part of the engine but engine/geometry/shapes asks a shape for its kind, and nobody decides by cases: a new kind of shape is one
# file there and one line in its table. (Pictures know five kinds, of which they draw all others.)
#   kinds.sh SOURCE
set -u
cd "$1" || exit 1
found=$(grep -rn 'case FLOC_SHAPE_' engine bindings scripts --include='*.[ch]'
        grep -rnE '[!=<>]=? *FLOC_SHAPE_' engine --include='*.[ch]' | grep -vE '[.>]kind = FLOC_SHAPE_')
[ -z "$found" ] && exit 0
echo "$found"
exit 1
