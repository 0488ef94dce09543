#!/bin/sh
# mark.sh FILE NAME: notes what the process that asked has used so far: user and system clock ticks, peak memory
# in kB, wall time. Called from a peer's input script through its own way to run a command, which may put
# shells in between.
asking=$PPID
while [ "$(cat /proc/$asking/comm)" = sh ]; do
  asking=$(awk '/^PPid:/ { print $2 }' /proc/$asking/status)
done
awk -v name="$2" -v wall="$(date +%s.%N)" '{ sub(/^.*\) /, ""); print name, $12, $13, wall }' /proc/$asking/stat >> "$1"
awk -v name="$2" '/^VmHWM:/ { print name "_peak", $2 }' /proc/$asking/status >> "$1"
