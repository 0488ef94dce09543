/*
 * Several processes that mpirun or srun started: floc_mpi.so is loaded, which is the only part of floc that knows
 * MPI, and scripts run over ranks (bindings/lua/ranks.c). Whatever is printed comes from the first rank: the
 * streams of the others take nothing, but what one of them has to say alone.
 *
 * The module is the file that FLOC_MPI_MODULE names; else floc_mpi.so beside the program (a build), or in lib/floc
 * of the place where floc is installed.
 */
#include "ranks.h"

#include "../lua/ranks.h"
#include "../mpi/floc_mpi.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  int (*begin)(floc_ranks *), (*meet)(int);
  void (*end)(int);
} mpi;

/* One of them speaks for all. */
static bool refuse_start(const char *format, const char *what)
{
  if (launcher_rank() > 0) return false;
  fputs("floc: ", stderr);
  fprintf(stderr, format, what);
  fputs("\n", stderr);
  return false;
}

/* The folder of the running program, with a slash; "" if it is unknown. */
static void own_folder(char *path, size_t size)
{
  const ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) slash[1] = '\0';
}

static void *load_module(void)
{
  const char *named = getenv("FLOC_MPI_MODULE");
  if (named && *named) return dlopen(named, RTLD_NOW | RTLD_GLOBAL);
  static const char *const places[] = {"floc_mpi.so", "../" FLOC_LIBRARY_FOLDER "/floc/floc_mpi.so",
                                       "../lib/floc/floc_mpi.so"};
  char folder[4096], path[4200];
  own_folder(folder, sizeof folder);
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    snprintf(path, sizeof path, "%s%s", folder, places[k]);
    if (access(path, F_OK) == 0) return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  }
  return dlopen("floc_mpi.so", RTLD_NOW | RTLD_GLOBAL);
}

static bool find_functions(void *module)
{
  *(void **)&mpi.begin = dlsym(module, "floc_mpi_begin");
  *(void **)&mpi.meet = dlsym(module, "floc_mpi_meet");
  *(void **)&mpi.end = dlsym(module, "floc_mpi_end");
  return mpi.begin && mpi.meet && mpi.end;
}

/* Standard output and the error stream of a rank behind the first take nothing; what the second was is returned. */
static FILE *silence(void)
{
  const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0) return NULL;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close(nothing);
  FILE *speaks = kept >= 0 ? fdopen(kept, "w") : NULL;
  if (speaks)
    setvbuf(speaks, NULL, _IONBF, 0); /* as the error stream: mpirun may end this rank as soon as another ends */
  return speaks;
}

bool command_ranks_begin(int (*caught)(void))
{
  if (launcher_count() <= 1) return true;
  void *module = load_module();
  if (!module)
    return refuse_start("%s: mpirun or srun started several processes, and for a world over ranks floc needs "
                        "floc_mpi.so (Debian package floc-mpi; FLOC_MPI_MODULE names the file). Without it use "
                        "--threads=N for the cores of one machine, and floc sweep for many runs",
                        dlerror());
  floc_ranks ranks;
  if (!find_functions(module)) return refuse_start("%s", "floc_mpi.so is of another version of floc");
  if (mpi.begin(&ranks) != 0) return refuse_start("%s", "MPI cannot be started");
  if (ranks.count != launcher_count()) {
    mpi.end(0);
    return refuse_start("%s",
                        "MPI found one process where several were started: floc_mpi.so is for another MPI than "
                        "mpirun or srun is (srun needs --mpi=pmix)");
  }
  ranks_begin(&ranks, caught, ranks.number > 0 ? silence() : NULL);
  return true;
}

int command_ranks_end(int status)
{
  if (!ranks_are_several()) return status;
  (void)fflush(stdout);
  const int met = mpi.meet(status);
  signal(SIGTERM, SIG_IGN); /* mpirun sends it to all when the first one has ended with another status than 0 */
  mpi.end(met);
  return met < 0 ? EXIT_FAILURE : met;
}
