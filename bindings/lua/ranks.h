/*
 * Several ranks (ranks.c), between the program, which begins them, and the rest of the binding.
 */
#ifndef FLOC_LUA_RANKS_H
#define FLOC_LUA_RANKS_H

#include "floc/floc.h"

#include <stdbool.h>
#include <stdio.h>

/* The number of this process among those that mpirun or srun started, and how many there are; -1: neither did. */
long launcher_rank(void);
long launcher_count(void);

/* From here on scripts run over ranks. caught: the number of the signal that this process has got, 0: none. speaks:
 * what a rank behind the first, whose streams take nothing, has to say alone; NULL on the first. */
void ranks_begin(const floc_ranks *host, int (*caught)(void), FILE *speaks);
bool ranks_are_several(void);
/* The signal that all ranks know of, and the clock of rank 0 [s], as they were at the last door. */
int ranks_signal(void);
double ranks_clock(void);
/* A new world is one of all ranks. */
floc_status ranks_share_world(floc_world *world);

#endif
