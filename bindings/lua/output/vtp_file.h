/*
 * Files of the format .vtp (VTK PolyData, XML, version 1.0): points with cells (vertices, lines, polygons) and
 * arrays of numbers on both. All arrays are 8 bytes per number, cut into blocks of 1 MiB, compressed by zlib
 * and appended raw behind the text.
 *
 * A dataset is built by extending its arrays; an extension that finds no memory marks the dataset, so that a
 * caller may look once, at the end: vtp_write refuses it then.
 */
#ifndef FLOC_LUA_OUTPUT_VTP_FILE_H
#define FLOC_LUA_OUTPUT_VTP_FILE_H

#include "floc/floc.h"

enum { VTP_NAME_SIZE = 96, VTP_ARRAY_LIMIT = 96 };

/* Numbers in tuples: double, or int64_t where integer is set. */
typedef struct vtp_array {
  char name[VTP_NAME_SIZE];
  bool integer;
  int32_t components;
  int64_t count, capacity; /* tuples */
  void *values;
} vtp_array;

/* Cells of one kind: point numbers of all cells in a row, and where each cell ends in it. */
typedef struct vtp_cells {
  vtp_array connectivity, offsets;
} vtp_cells;

/* Cell data stand in the order vertices, lines, polygons. */
typedef struct vtp_dataset {
  double time;
  int64_t step;
  bool out_of_memory;
  vtp_array points;
  vtp_cells vertices, lines, polygons;
  vtp_array point_data[VTP_ARRAY_LIMIT], cell_data[VTP_ARRAY_LIMIT];
  int32_t point_data_count, cell_data_count;
} vtp_dataset;

void vtp_begin(vtp_dataset *dataset);
void vtp_free(vtp_dataset *dataset);

/* A further array; NULL when there are VTP_ARRAY_LIMIT already. */
vtp_array *vtp_point_data(vtp_dataset *dataset, const char *name, bool integer, int32_t components);
vtp_array *vtp_cell_data(vtp_dataset *dataset, const char *name, bool integer, int32_t components);

/* Space for that number of further tuples, to be filled by the caller; NULL when out of memory. */
double *vtp_numbers(vtp_dataset *dataset, vtp_array *array, int64_t tuples);
int64_t *vtp_integers(vtp_dataset *dataset, vtp_array *array, int64_t tuples);

/* Adds a cell of count points that were added last to the points. */
void vtp_cell_of_last(vtp_dataset *dataset, vtp_cells *cells, int64_t count);
/* Adds a cell of the given points; count is 1 or more. */
void vtp_cell(vtp_dataset *dataset, vtp_cells *cells, const int64_t *points, int64_t count);

/* message gets what is wrong: FLOC_OUT_OF_MEMORY, FLOC_FILE_ERROR (nothing is left at path then). */
floc_status vtp_write(const vtp_dataset *dataset, const char *path, char *message, size_t message_size);

/* Reads a file that vtp_write wrote, on any machine; dataset is one after vtp_begin, and empty
 * again on refusal. FLOC_NOT_FOUND (no such file), FLOC_FILE_ERROR, FLOC_DAMAGED_FILE, FLOC_OUT_OF_MEMORY;
 * message says what is wrong, without the file's name. */
floc_status vtp_read(vtp_dataset *dataset, const char *path, char *message, size_t message_size);

#endif
