/*
 * Programs that law_benchmark.lua has traced, read from the file that it writes.
 */
#ifndef FLOC_BENCHMARKS_STORED_PROGRAM_H
#define FLOC_BENCHMARKS_STORED_PROGRAM_H

#include "laws/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stored_program {
  floc_program_options options;
  double constants[128];
  floc_instruction code[4096];
  int32_t outputs[16];
} stored_program;

/* One line: name, input_count, then constants, code and outputs, each with its count in front. */
static inline void read_program(FILE *file, const char *wanted, stored_program *to)
{
  char name[64];
  int32_t words;
  rewind(file);
  while (fscanf(file, "%63s", name) == 1) {
    floc_program_options_init(&to->options);
    floc_program_options *o = &to->options;
    bool fits = fscanf(file, "%d %d", &o->input_count, &o->constant_count) == 2 && o->constant_count <= 128;
    for (int32_t k = 0; fits && k < o->constant_count; k++) fits = fscanf(file, "%lf", &to->constants[k]) == 1;
    fits = fits && fscanf(file, "%d", &words) == 1 && words <= 16384;
    for (int32_t k = 0; fits && k < words; k++) fits = fscanf(file, "%d", (int32_t *)(void *)to->code + k) == 1;
    fits = fits && fscanf(file, "%d", &o->output_count) == 1 && o->output_count <= 16;
    for (int32_t k = 0; fits && k < o->output_count; k++) fits = fscanf(file, "%d", &to->outputs[k]) == 1;
    if (!fits) break;
    o->code_count = words / 4;
    o->constants = to->constants;
    o->code = to->code;
    o->outputs = to->outputs;
    if (strcmp(name, wanted) == 0) return;
  }
  fprintf(stderr, "there is no program %s in the file\n", wanted);
  exit(1);
}

#endif
