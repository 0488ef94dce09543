/*
 * Is this process one of several that mpirun or srun started? Scripts run in one process, with threads; several
 * that were started side by side would all do the same, and write the same files. So all of them are refused, by
 * the one that has number 0. Environment variables are those of OpenMPI, of PMIx, and of PMI (MPICH, srun
 * --mpi=pmi2); in a job script of Slurm itself, outside of srun, none of them is set.
 */
#include "binding.h"

#include <stdlib.h>

static long number_in(const char *name)
{
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return -1;
  const long value = strtol(text, &end, 10);
  return *end == '\0' && value >= 0 ? value : -1;
}

static long greater(long a, long b)
{
  return a > b ? a : b;
}

long launcher_rank(void)
{
  return greater(greater(number_in("OMPI_COMM_WORLD_RANK"), number_in("PMIX_RANK")), number_in("PMI_RANK"));
}

/* PMIx tells no count; srun does, in a step that it started. */
static long launcher_count(void)
{
  long count = greater(number_in("OMPI_COMM_WORLD_SIZE"), number_in("PMI_SIZE"));
  if (count < 0 && launcher_rank() >= 0) count = greater(number_in("SLURM_STEP_NUM_TASKS"), launcher_rank() + 1);
  return count;
}

void refuse_ranks(lua_State *L)
{
  const long count = launcher_count();
  if (count <= 1) return;
  lua_pushfstring(
      L,
      "this is process %d of %d that mpirun or srun started side by side, and a script runs in one alone; "
      "start floc by itself, for the cores of one machine with --threads=N, and for many runs use floc "
      "sweep",
      (int)launcher_rank() + 1, (int)count);
  lua_error(L);
}
