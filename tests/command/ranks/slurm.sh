#!/usr/bin/env bash
# A real Slurm of one node, from Debian's slurmctld, slurmd and munge: a script over ranks by srun, its end at the time limit, a
# resume over another number of ranks, a job that is requeued, and the table of a sweep. Exit status 77 where Slurm is not installed.
#   slurm.sh PROGRAM MODULE WORK
set -euo pipefail
program=$1 module=$2 work=$3
PATH=$PATH:/usr/sbin
for daemon in munged slurmctld slurmd srun; do
  command -v $daemon > /dev/null || { echo "$daemon is not there (Debian packages slurmctld, slurmd, slurm-client, munge)"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"/{state,spool,run}
cd "$work"
export SLURM_CONF=$work/slurm.conf FLOC_MPI_MODULE=$module XDG_STATE_HOME=$work/state
node=$(hostname -s)
port=$((20000 + $$ % 20000))
cat > slurm.conf << END
ClusterName=floc
SlurmctldHost=$node
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$work/run/munge.socket
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
NodeName=$node CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END

stop() {
  scancel --user="$(id -un)" 2> /dev/null || true
  for name in slurmctld slurmd munge; do
    [ ! -e "run/$name.pid" ] || kill "$(cat "run/$name.pid")" 2> /dev/null || true
  done
}
trap stop EXIT
fail() {
  echo "slurm.sh: $*"
  tail -n 20 ./*.log
  exit 1
}
# waits up to so many seconds for a command to succeed
await() {
  local seconds=$1
  shift
  for ((k = 0; k < 5 * seconds; k++)); do
    ! "$@" > /dev/null 2>&1 || return 0
    sleep 0.2
  done
  fail "waited $seconds s in vain: $*"
}
head -c 1024 /dev/urandom > munge.key
chmod 600 munge.key
chmod 755 .
munged --force --key-file="$work/munge.key" --socket="$work/run/munge.socket" --pid-file="$work/run/munge.pid" --log-file="$work/munge.log" \
  --seed-file="$work/run/munge.seed"
slurmctld
slurmd
idle() { sinfo --noheader --format=%t | grep -q idle; }
await 30 idle

scene='
local floc = require "floc"
local args = floc.args { steps = 40, seed = 3 }
local sim = floc.simulation {
  dimension = 3, time_step = 5e-4, gravity = { 0, 0, -10 }, seed = args.seed, patch_particles = 30,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1.5 } }, boundary = { "periodic", "periodic", "wall" },
  scheme = floc.discrete_element { integrator = "velocity_verlet", rotation = true, stiffness = 1000, damping = 2 },
}
sim:add_particles { count = 150, radius = { 0.04, 0.07 }, density = 1, placement = "random",
  region = floc.box { lower = { 0, 0, 0.05 }, upper = { 1, 1, 1.4 } } }
sim:checkpoint { path = floc.output "run.floc", every = 1000000 }
print "ready"
sim:run { steps = args.steps }
floc.report { claim = "height", value = sim:sum(function(z) return z end) / 150, expect = { at_least = 0 } }
'
echo "$scene" > s.lua

echo "== srun over 2 ranks"
alone=$("$program" run s.lua --quiet --hash --out=alone)
over=$(srun --mpi=pmix --overcommit -n 2 "$program" run s.lua --quiet --hash --out=over)
[ "$alone" = "$over" ] || fail "two ranks came to: $over; one process to: $alone"
srun --mpi=none --overcommit -n 2 "$program" run s.lua --out=tasks > tasks.txt 2>&1 || true
[ "$(grep -c 'srun started 2 tasks' tasks.txt)" = 1 ] || fail "tasks without MPI are not told of: $(cat tasks.txt)"

echo "== the time limit, and a resume over 3 ranks"
printf '#!/bin/sh\nsrun --mpi=pmix --overcommit "%s" run s.lua --steps=100000000 --quiet --out=limit\necho "status $?"\n' "$program" > limit.sh
sbatch --ntasks=2 --overcommit --time=1 --signal=TERM@50 --output=limit.log limit.sh > /dev/null
await 100 grep -q "^status" limit.log
grep -q "^status 143" limit.log && [ "$(grep -c 'interrupted after step' limit.log)" = 1 ] || fail "$(cat limit.log)"
cp limit/run.floc kept.floc
alone=$("$program" resume limit/run.floc --steps=20 --quiet --hash | grep simulation)
cp kept.floc limit/run.floc
over=$(srun --mpi=pmix --overcommit -n 3 "$program" resume limit/run.floc --steps=20 --quiet --hash | grep simulation)
[ -n "$alone" ] && [ "$alone" = "$over" ] || fail "resumed by three ranks: $over; by one process: $alone"

echo "== a job that is requeued"
cat > again.sh << END
#!/bin/sh
if [ -e again/run.floc ]; then set -- resume again/run.floc; else set -- run s.lua --steps=100000000 --out=again; fi
echo "begins: \$*"
exec srun --mpi=pmix --overcommit "$program" "\$@"
END
job=$(sbatch --parsable --requeue --open-mode=append --ntasks=2 --overcommit --output=again.log again.sh)
await 30 grep -q ready again.log
scontrol requeue "$job"
await 60 grep -q "interrupted after step" again.log
at=$(grep -o "interrupted after step [0-9]*" again.log | grep -o "[0-9]*$")
pending() { squeue --noheader --jobs="$job" --format=%T | grep -q PENDING; }
await 60 pending
scontrol update JobId="$job" StartTime=now
await 60 grep -q "resumed again/run.floc at step $at" again.log
scancel "$job"

echo "== a sweep"
"$program" sweep s.lua --seed=1,2 --out=swept --slurm > sweep.sh
sbatch --wait --output=sweep-%a.log sweep.sh > /dev/null || fail "$(cat sweep-*.log)"
table=$("$program" sweep s.lua --seed=1,2 --out=swept 2> told.txt)
grep -q "2 sets, 0 to do" told.txt || fail "the sweep is not done: $(cat told.txt)"
[ "$(grep -c ' met ' <<< "$table")" = 2 ] || fail "$table"
