/*
 * The program as one of several processes that mpirun or srun started (ranks.c).
 */
#ifndef FLOC_COMMAND_RANKS_H
#define FLOC_COMMAND_RANKS_H

#include <stdbool.h>

/* Starts MPI where there are several processes; false: it cannot be started, and one of them has said why. caught:
 * the number of the signal that this process has got. */
bool command_ranks_begin(int (*caught)(void));
/* The end: all meet. Returns the exit status, the same on all ranks. */
int command_ranks_end(int status);

#endif
