#!/usr/bin/env bash
# Job scripts of floc run --slurm and floc sweep --slurm in a Slurm of one node: jobs that meet their time limit, that are requeued and
# cancelled, and jobs of a sweep that meet their time limit. All come to the hash of a run that was not stopped.
#   jobs.sh PROGRAM WORK [MODULE]     MODULE: floc_mpi.so, for a job over ranks
set -euo pipefail
program=$1 work=$2
export FLOC_MPI_MODULE=${3:-}
. "$(dirname "${BASH_SOURCE[0]}")/node.sh"
begin_slurm 8
cd "$work"
export XDG_STATE_HOME=$work/home

cat > s.lua << 'END'
local floc = require "floc"
local args = floc.args { steps = 60, seed = 3, hold = "" }
local sim = floc.simulation {
  dimension = 3, time_step = 5e-4, gravity = { 0, 0, -10 }, seed = args.seed, patch_particles = 30,
  domain = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1.5 } }, boundary = { "periodic", "periodic", "wall" },
  scheme = floc.discrete_element { integrator = "velocity_verlet", rotation = true, stiffness = 1000, damping = 2 },
}
sim:add_particles { count = 150, radius = { 0.04, 0.07 }, density = 1, placement = "random",
  region = floc.box { lower = { 0, 0, 0.05 }, upper = { 1, 1, 1.4 } } }
sim:checkpoint { path = "files/" .. floc.out:gsub("/", "-") .. ".floc", every = 1000000 }
sim:every(1, function(sim)
  if sim.step == 30 and args.hold ~= "" then
    print "at step 30"
    os.execute("while [ -e '" .. args.hold .. "' ]; do sleep 0.2; done")
  end
end)
sim:run { steps = args.steps }
floc.report { claim = "height", value = sim:sum(function(z) return z end) / 150, expect = { at_least = 0 } }
END
touch hold
options="--slurm --mem=50 --time=10 --hash"
says() { grep -q "$@"; }
submit() { sbatch --parsable "$1.sh" 2>> sbatch.log || fail "$(cat sbatch.log)"; }

"$program" run s.lua --quiet --hash --out=alone > alone.txt
end=$(grep "step 60, hash" alone.txt)
for name in limit again dropped; do
  "$program" run s.lua $options --hold=hold --out=$name > $name.sh
  declare "$name=$(submit $name)"
done
"$program" sweep s.lua --seed=1..4 --hold=hold --out=swept --slurm --mem=50 --time=10 --per-job=2 --jobs=1 > swept.sh
swept=$(submit swept)
for job in "s-$limit" "s-$again" "s-$dropped"; do await 120 says "at step 30" "$job.log"; done
sets_hold() { [ "$(grep -l "at step 30" swept/*/log.txt | wc -l)" = 2 ]; }
await 120 sets_hold

echo "== the time limit is near, jobs are requeued and cancelled"
for job in "$limit" "${swept}_1" "${swept}_2"; do scontrol update JobId="$job" TimeLimit=1; done
scontrol requeue "$again"
scancel "$dropped"
await 60 is "$dropped" JobState=CANCELLED
await 60 says "interrupted after step 30" "s-$dropped.log"

if [ -n "$FLOC_MPI_MODULE" ]; then
  echo "== two ranks"
  "$program" run s.lua $options --ranks=2 --out=ranks > ranks.sh
  ranks=$(submit ranks)
  await 120 is "$ranks" JobState=COMPLETED
  says -F "$end" "s-$ranks.log" || fail "two ranks came to another end: $(cat "s-$ranks.log")"
  srun --mpi=none --overcommit --mem=50 --ntasks=2 "$program" run s.lua --out=tasks > tasks.txt 2>&1 || true
  [ "$(grep -c 'srun started 2 tasks' tasks.txt)" = 1 ] || fail "tasks without MPI are not told of: $(cat tasks.txt)"
fi

for job in "$limit" "$again" "${swept}_1" "${swept}_2"; do
  await 180 is "$job" JobState=PENDING Restarts=1
done
rm hold
for job in "$limit" "$again" "${swept}_1" "${swept}_2"; do
  scontrol update JobId="$job" TimeLimit=10 StartTime=now # Slurm lets requeued jobs wait for two minutes
done
for job in "$limit" "$again" "${swept}_1" "${swept}_2"; do await 180 is "$job" JobState=COMPLETED Restarts=1; done

echo "== what they came to"
for job in "$limit" "$again"; do
  [ "$(grep -c "interrupted after step 30" "s-$job.log")" = 1 ] || fail "job $job was not interrupted once: $(cat "s-$job.log")"
  [ "$(grep -c "resumed files/.* at step 30" "s-$job.log")" = 1 ] || fail "job $job was not resumed once: $(cat "s-$job.log")"
  says -F "$end" "s-$job.log" || fail "job $job came to another end than $end: $(cat "s-$job.log")"
done
is "$dropped" JobState=CANCELLED Restarts=0 || fail "a job that was cancelled came back: $(scontrol show job "$dropped")"
[ "$(cat s-sweep-"$swept"_*.log | grep -c "resumed, exit status 0")" = 2 ] || fail "$(cat s-sweep-*.log)"
table=$("$program" sweep s.lua --seed=1..4 --hold=hold --out=swept 2> told.txt)
says "4 sets, 0 to do" told.txt || fail "the sweep is not done: $(cat told.txt)"
[ "$(grep -c ' met ' <<< "$table")" = 4 ] || fail "$table"
height=$(grep -o "height *[0-9.]*" alone.txt | grep -o "[0-9.]*$")
grep -q "^3 *hold *$height " <<< "$table" || fail "the set with seed 3 has not the height of the run alone, $height: $table"
