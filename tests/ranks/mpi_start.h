/*
 * How a test program that mpirun starts gets its ranks: from floc_mpi.so at FLOC_MPI_MODULE, by dlopen.
 */
#ifndef FLOC_TESTS_MPI_START_H
#define FLOC_TESTS_MPI_START_H

#include "../bindings/mpi/floc_mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct mpi_module {
  int (*begin)(floc_ranks *), (*meet)(int);
  void (*end)(int);
} mpi_module;

/* 0; else what the program ends with, 77 where there is no MPI. */
static inline int mpi_start(mpi_module *mpi, floc_ranks *ranks)
{
  const char *path = getenv("FLOC_MPI_MODULE");
  if (!path) {
    fprintf(stderr, "FLOC_MPI_MODULE is not set: there is no MPI\n");
    return 77;
  }
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!module) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  *(void **)&mpi->begin = dlsym(module, "floc_mpi_begin");
  *(void **)&mpi->meet = dlsym(module, "floc_mpi_meet");
  *(void **)&mpi->end = dlsym(module, "floc_mpi_end");
  if (!mpi->begin || !mpi->meet || !mpi->end || mpi->begin(ranks) != 0) return 1;
  const char *wanted = getenv("FLOC_RANKS");
  return wanted && atoi(wanted) != ranks->count ? 1 : 0; /* 1: MPI started each alone */
}

#endif
