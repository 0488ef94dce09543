# A Slurm of one node of its own, from Debian's slurmctld, slurmd and munge, in the folder $work; sourced. Its daemons listen on the loopback
# at ports of their own and end with the shell that sourced this. Ends with status 77 where Slurm is not installed.
PATH=$PATH:/usr/sbin
for daemon in munged slurmctld slurmd srun; do
  command -v $daemon > /dev/null || { echo "$daemon is not there (Debian packages slurmctld, slurmd, slurm-client, munge)"; exit 77; }
done

fail() {
  echo "failed: $*"
  tail -n 30 "$work"/*.log
  exit 1
}

# await SECONDS COMMAND: until the command succeeds.
await() {
  local seconds=$1 end=$((SECONDS + $1))
  shift
  while [ $SECONDS -lt $end ]; do
    ! "$@" > /dev/null 2>&1 || return 0
    sleep 0.3
  done
  fail "waited $seconds s in vain: $*"
}

# Two ports beside each other that nothing listens at.
free_port() {
  local port
  for port in $(shuf -i 20000-29000 -n 50); do
    grep -qiE "$(printf ':(%04X|%04X) ' "$port" $((port + 1)))" /proc/net/tcp /proc/net/tcp6 2> /dev/null || { echo "$port" && return; }
  done
}

# begin_slurm PROCESSORS: that many jobs of one processor at a time, however many the machine has.
begin_slurm() {
  local port node
  port=$(free_port)
  node=$(hostname -s)
  rm -rf "$work"
  mkdir -p "$work"/slurm/{state,spool}
  export SLURM_CONF=$work/slurm/slurm.conf
  cat > "$SLURM_CONF" << END
ClusterName=floc
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$work/slurm/munge.socket
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=sched_interval=2
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
NodeName=$node NodeAddr=127.0.0.1 CPUs=$1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
  head -c 1024 /dev/urandom > "$work/slurm/munge.key"
  chmod 600 "$work/slurm/munge.key"
  trap end_slurm EXIT
  munged --force --key-file="$work/slurm/munge.key" --socket="$work/slurm/munge.socket" --pid-file="$work/slurm/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/slurm/munge.seed"
  slurmctld
  slurmd
  await 60 sinfo_says idle
}

sinfo_says() { sinfo --noheader --format=%t | grep -qx "$1"; }

end_slurm() {
  scancel --quiet --signal=KILL --full --user="$(id -un)" 2> /dev/null || true
  scancel --quiet --user="$(id -un)" 2> /dev/null || true
  local name until=$((SECONDS + 60)) # what was cancelled must be gone before those who end it are
  while [ $SECONDS -lt $until ] && [ -n "$(squeue --noheader 2> /dev/null)" ]; do sleep 0.3; done
  for name in slurmctld slurmd munged; do
    [ ! -e "$work/slurm/$name.pid" ] || kill "$(cat "$work/slurm/$name.pid")" 2> /dev/null || true
  done
}

# is JOB FIELD=VALUE ...: what scontrol shows of a job, an element of an array as 7_1.
is() {
  local job=$1 shown field
  shift
  shown=" $(scontrol show job --oneliner "$job" 2> /dev/null) "
  for field in "$@"; do
    case $shown in *" $field "*) ;; *) return 1 ;; esac
  done
}
