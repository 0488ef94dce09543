/*
 * floc_mpi.so: the functions of floc_ranks (floc.h) over MPI, and the only file of floc that knows MPI. The program
 * loads it where it was started as one of several ranks; libfloc does not link it. A build is for one flavour of
 * MPI (OpenMPI, MPICH), as every program with MPI is.
 *
 * An error of MPI ends all ranks (MPI_ERRORS_ARE_FATAL, which is MPI's default), so functions here return 0.
 * Lengths are int in MPI: what is longer goes in pieces.
 */
#include "floc_mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 1 << 30, EXCHANGE_TAG = 1, PATIENCE_SECONDS = 3 };

static int piece_of(int64_t left)
{
  return left < PIECE ? (int)left : PIECE;
}

/* Numbers of 8 bytes become what MPI makes of those of all ranks. */
static void reduce(char *numbers, int64_t count, MPI_Datatype type, MPI_Op operation)
{
  for (int64_t done = 0; done < count; done += PIECE / 8)
    MPI_Allreduce(MPI_IN_PLACE, numbers + 8 * done, piece_of(8 * (count - done)) / 8, type, operation,
                  MPI_COMM_WORLD);
}

static int add(void *context, int64_t *values, int64_t count)
{
  (void)context;
  reduce((char *)values, count, MPI_INT64_T, MPI_SUM);
  return 0;
}

static int maximum(void *context, double *values, int64_t count)
{
  (void)context;
  reduce((char *)values, count, MPI_DOUBLE, MPI_MAX);
  return 0;
}

static int broadcast(void *context, void *bytes, int64_t count)
{
  (void)context;
  for (int64_t done = 0; done < count; done += PIECE)
    MPI_Bcast((char *)bytes + done, piece_of(count - done), MPI_BYTE, 0, MPI_COMM_WORLD);
  return 0;
}

/* Pieces of what goes one way. */
static int64_t pieces_of(int64_t bytes)
{
  return (bytes + PIECE - 1) / PIECE;
}

typedef struct transfers {
  MPI_Request *request;
  int count;
} transfers;

static void start(transfers *all, char *bytes, int64_t count, int rank, bool sends)
{
  for (int64_t done = 0; done < count; done += PIECE) {
    MPI_Request *request = &all->request[all->count++];
    if (sends)
      MPI_Isend(bytes + done, piece_of(count - done), MPI_BYTE, rank, EXCHANGE_TAG, MPI_COMM_WORLD, request);
    else
      MPI_Irecv(bytes + done, piece_of(count - done), MPI_BYTE, rank, EXCHANGE_TAG, MPI_COMM_WORLD, request);
  }
}

/* Ranks that have nothing to tell each other do not meet. */
static int exchange(void *context, const void *send, const int64_t *send_bytes, void *receive,
                    const int64_t *receive_bytes)
{
  (void)context;
  int ranks, own;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  int64_t needed = 1;
  for (int r = 0; r < ranks; r++)
    if (r != own) needed += pieces_of(send_bytes[r]) + pieces_of(receive_bytes[r]);
  transfers all = {malloc((size_t)needed * sizeof(MPI_Request)), 0};
  if (!all.request) return 1;
  char *to = receive, *from = (char *)(uintptr_t)send; /* older MPIs want no const */
  char *own_to = to, *own_from = from;
  for (int r = 0; r < ranks; to += receive_bytes[r++])
    if (r == own)
      own_to = to;
    else
      start(&all, to, receive_bytes[r], r, false);
  for (int r = 0; r < ranks; from += send_bytes[r++])
    if (r == own)
      own_from = from;
    else
      start(&all, from, send_bytes[r], r, true);
  if (send_bytes[own] > 0) memcpy(own_to, own_from, (size_t)send_bytes[own]);
  MPI_Waitall(all.count, all.request, MPI_STATUSES_IGNORE);
  free(all.request);
  return 0;
}

/* One after the other, where a single call could not count the bytes. */
static int gather_long(int ranks, int own, const void *part, char *all, const int64_t *bytes)
{
  for (int r = 0; r < ranks; all += bytes[r++]) {
    if (r == own && bytes[r] > 0) memcpy(all, part, (size_t)bytes[r]);
    for (int64_t done = 0; done < bytes[r]; done += PIECE)
      MPI_Bcast(all + done, piece_of(bytes[r] - done), MPI_BYTE, r, MPI_COMM_WORLD);
  }
  return 0;
}

static int gather(void *context, const void *part, void *all, const int64_t *bytes)
{
  (void)context;
  int ranks, own;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  int64_t total = 0;
  for (int r = 0; r < ranks; r++) total += bytes[r];
  if (total > INT_MAX) return gather_long(ranks, own, part, all, bytes);
  int *counts = malloc(2 * (size_t)ranks * sizeof *counts), *places = counts + ranks;
  if (!counts) return 1;
  for (int r = 0, place = 0; r < ranks; place += counts[r++]) {
    counts[r] = (int)bytes[r];
    places[r] = place;
  }
  MPI_Allgatherv(part, counts[own], MPI_BYTE, all, counts, places, MPI_BYTE, MPI_COMM_WORLD);
  free(counts);
  return 0;
}

int floc_mpi_begin(floc_ranks *ranks)
{
  int is_begun, provided;
  MPI_Initialized(&is_begun);
  if (!is_begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  *ranks = (floc_ranks){.struct_size = sizeof *ranks,
                        .add = add,
                        .maximum = maximum,
                        .exchange = exchange,
                        .gather = gather,
                        .broadcast = broadcast};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks->number);
  return 0;
}

int floc_mpi_meet(int status)
{
  MPI_Request request;
  int others = status, is_done = 0;
  time_t begin = time(NULL);
  MPI_Iallreduce(&status, &others, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  while (!is_done) {
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done) break;
    if (status != 0 && time(NULL) - begin > PATIENCE_SECONDS) return -1;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  return others;
}

void floc_mpi_end(int status)
{
  if (status < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
