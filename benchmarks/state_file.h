/*
 * States of particles as text, for handing the same start to other codes, and the options of the benchmark
 * programs that work on them.
 *
 *   floc-state 1
 *   dimension 3
 *   lower x y z            of the periodic box; lower = upper on axes that are open
 *   upper x y z
 *   time t
 *   count N
 *   x y z vx vy vz radius mass       N lines, seventeen digits
 */
#ifndef FLOC_BENCHMARKS_STATE_FILE_H
#define FLOC_BENCHMARKS_STATE_FILE_H

#include "floc/floc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_COLUMNS = 8 };

typedef struct state_header {
  int dimension;
  double lower[3], upper[3], time;
  long count;
} state_header;

/* The value of name=value among the arguments, or `otherwise`. */
static inline const char *text_option(int count, char **text, const char *name, const char *otherwise)
{
  size_t length = strlen(name);
  for (int k = 1; k < count; k++)
    if (strncmp(text[k], name, length) == 0 && text[k][length] == '=') return text[k] + length + 1;
  return otherwise;
}

static inline double number_option(int count, char **text, const char *name, double otherwise)
{
  const char *found = text_option(count, text, name, NULL);
  return found ? atof(found) : otherwise;
}

static inline FILE *must_open(const char *path, const char *mode)
{
  FILE *file = path ? fopen(path, mode) : NULL;
  if (file) return file;
  fprintf(stderr, "%s cannot be opened\n", path ? path : "a state (state=FILE)");
  exit(1);
}

static inline void must_succeed(floc_world *world, floc_status status)
{
  if (status == FLOC_OK) return;
  fprintf(stderr, "%s: %s\n", floc_status_name(status), floc_world_message(world));
  exit(1);
}

static inline state_header read_state_header(FILE *file)
{
  state_header head;
  double *l = head.lower, *u = head.upper;
  int read = fscanf(file, "floc-state 1 dimension %d lower %lf %lf %lf upper %lf %lf %lf time %lf count %ld",
                    &head.dimension, &l[0], &l[1], &l[2], &u[0], &u[1], &u[2], &head.time, &head.count);
  if (read == 9) return head;
  fprintf(stderr, "the state's header ends at its number %d of 9\n", read + 1);
  exit(1);
}

static inline void write_state_header(FILE *file, const state_header *head)
{
  const double *l = head->lower, *u = head->upper;
  fprintf(file,
          "floc-state 1\ndimension %d\nlower %.17g %.17g %.17g\nupper %.17g %.17g %.17g\ntime %.17g\ncount %ld\n",
          head->dimension, l[0], l[1], l[2], u[0], u[1], u[2], head->time, head->count);
}

static inline bool read_state_row(FILE *file, double row[STATE_COLUMNS])
{
  for (int k = 0; k < STATE_COLUMNS; k++)
    if (fscanf(file, "%lf", &row[k]) != 1) return false;
  return true;
}

static inline void write_state_row(FILE *file, const double row[STATE_COLUMNS])
{
  for (int k = 0; k < STATE_COLUMNS; k++) fprintf(file, "%.17g%c", row[k], k + 1 < STATE_COLUMNS ? ' ' : '\n');
}

/* Adds the particles of a state whose header has been read. */
static inline void read_state_particles(FILE *file, const state_header *head, floc_world *world)
{
  floc_particle_options particle;
  floc_particle_options_init(&particle);
  for (long k = 0; k < head->count; k++) {
    double row[STATE_COLUMNS];
    if (!read_state_row(file, row)) {
      fprintf(stderr, "the state ends at particle %ld of %ld\n", k + 1, head->count);
      exit(1);
    }
    for (int axis = 0; axis < 3; axis++) {
      particle.position[axis] = row[axis];
      particle.velocity[axis] = row[3 + axis];
    }
    particle.radius = row[6];
    particle.mass = row[7];
    must_succeed(world, floc_particle_add(world, &particle, NULL));
  }
}

/* Writes a world's particles, by id, with the header's box and time. */
static inline void write_state(const char *path, state_header head, floc_world *world)
{
  static const char *const name[STATE_COLUMNS] = {"x", "y", "z", "vx", "vy", "vz", "radius", "mass"};
  double *column[STATE_COLUMNS];
  const int64_t *slot;
  int64_t count;
  FILE *file = must_open(path, "w");
  must_succeed(world, floc_particle_ids(world, NULL, &slot, &count));
  for (int c = 0; c < STATE_COLUMNS; c++) must_succeed(world, floc_column(world, name[c], &column[c], &count));
  head.count = (long)count;
  write_state_header(file, &head);
  for (int64_t id = 0; id < count; id++) {
    double row[STATE_COLUMNS];
    for (int c = 0; c < STATE_COLUMNS; c++) row[c] = column[c][slot[id]];
    write_state_row(file, row);
  }
  if (fclose(file) != 0) exit(1);
}

#endif
