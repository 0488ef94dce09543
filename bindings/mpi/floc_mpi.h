/*
 * What floc_mpi.so exports, for programs that load it (dlopen) and have no mpi.h.
 */
#ifndef FLOC_MPI_H
#define FLOC_MPI_H

#include <floc/floc.h>

#define FLOC_MPI_EXPORT __attribute__((visibility("default")))

/* Starts MPI and fills *ranks, whose functions work from here to floc_mpi_end(); 0, or another number if MPI cannot
 * be started. */
FLOC_MPI_EXPORT int floc_mpi_begin(floc_ranks *ranks);
/* At the end all ranks meet, each with its exit status: returns the greatest. A rank that has failed waits for
 * three seconds; -1: the others are still at work, and would wait for it for ever. */
FLOC_MPI_EXPORT int floc_mpi_meet(int status);
/* Ends MPI; status below 0: and all other ranks. */
FLOC_MPI_EXPORT void floc_mpi_end(int status);

#endif
