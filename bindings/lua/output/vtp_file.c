/*
 * Writing .vtp. Offsets of the arrays stand in the text before the arrays, so these are compressed into memory
 * first. The layout of an array in the appended part is that of VTK's compressed arrays: number of blocks,
 * size of a block, size of the last block (0: a full one), compressed size of each, then the blocks; the
 * numbers before the blocks are UInt64, as header_type says. All numbers are little-endian: the arrays are turned
 * in their place before they are compressed, and turned back behind that.
 */
#include "output/vtp_file.h"

#include "../../byte_order.h"
#include "../../plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_SIZE = 1 << 20, NUMBER_SIZE = 8 };

/* Compressed arrays, one behind the other. */
typedef struct appended {
  unsigned char *bytes;
  size_t size, capacity;
  size_t offset[2 * VTP_ARRAY_LIMIT + 8];
  int32_t array_count;
} appended;

/* ---- building --------------------------------------------------------------------------------------- */

static void array_begin(vtp_array *array, const char *name, bool integer, int32_t components)
{
  memset(array, 0, sizeof *array);
  snprintf(array->name, sizeof array->name, "%s", name);
  array->integer = integer;
  array->components = components;
}

static void cells_begin(vtp_cells *cells)
{
  array_begin(&cells->connectivity, "connectivity", true, 1);
  array_begin(&cells->offsets, "offsets", true, 1);
}

void vtp_begin(vtp_dataset *dataset)
{
  memset(dataset, 0, sizeof *dataset);
  array_begin(&dataset->points, "Points", false, 3);
  cells_begin(&dataset->vertices);
  cells_begin(&dataset->lines);
  cells_begin(&dataset->polygons);
}

static void cells_free(vtp_cells *cells)
{
  free(cells->connectivity.values);
  free(cells->offsets.values);
}

void vtp_free(vtp_dataset *dataset)
{
  for (int32_t k = 0; k < dataset->point_data_count; k++) free(dataset->point_data[k].values);
  for (int32_t k = 0; k < dataset->cell_data_count; k++) free(dataset->cell_data[k].values);
  free(dataset->points.values);
  cells_free(&dataset->vertices);
  cells_free(&dataset->lines);
  cells_free(&dataset->polygons);
  vtp_begin(dataset);
}

vtp_array *vtp_point_data(vtp_dataset *dataset, const char *name, bool integer, int32_t components)
{
  if (dataset->point_data_count == VTP_ARRAY_LIMIT) return NULL;
  vtp_array *array = &dataset->point_data[dataset->point_data_count++];
  array_begin(array, name, integer, components);
  return array;
}

vtp_array *vtp_cell_data(vtp_dataset *dataset, const char *name, bool integer, int32_t components)
{
  if (dataset->cell_data_count == VTP_ARRAY_LIMIT) return NULL;
  vtp_array *array = &dataset->cell_data[dataset->cell_data_count++];
  array_begin(array, name, integer, components);
  return array;
}

static void *extend(vtp_dataset *dataset, vtp_array *array, int64_t tuples)
{
  size_t width = (size_t)array->components * NUMBER_SIZE;
  if (array->count + tuples > array->capacity || !array->values) {
    int64_t grown = array->capacity * 2 > array->count + tuples ? array->capacity * 2 : array->count + tuples;
    void *larger = realloc(array->values, (size_t)grown * width + NUMBER_SIZE);
    if (!larger) {
      dataset->out_of_memory = true;
      return NULL;
    }
    array->values = larger;
    array->capacity = grown;
  }
  void *fresh = (char *)array->values + (size_t)array->count * width;
  memset(fresh, 0, (size_t)tuples * width);
  array->count += tuples;
  return fresh;
}

double *vtp_numbers(vtp_dataset *dataset, vtp_array *array, int64_t tuples)
{
  return extend(dataset, array, tuples);
}

int64_t *vtp_integers(vtp_dataset *dataset, vtp_array *array, int64_t tuples)
{
  return extend(dataset, array, tuples);
}

void vtp_cell(vtp_dataset *dataset, vtp_cells *cells, const int64_t *points, int64_t count)
{
  int64_t *corners = vtp_integers(dataset, &cells->connectivity, count);
  int64_t *end = vtp_integers(dataset, &cells->offsets, 1);
  if (!corners || !end) return;
  memcpy(corners, points, (size_t)count * sizeof *corners);
  *end = cells->connectivity.count;
}

void vtp_cell_of_last(vtp_dataset *dataset, vtp_cells *cells, int64_t count)
{
  int64_t *corners = vtp_integers(dataset, &cells->connectivity, count);
  int64_t *end = vtp_integers(dataset, &cells->offsets, 1);
  if (!corners || !end) return;
  for (int64_t k = 0; k < count; k++) corners[k] = dataset->points.count - count + k;
  *end = cells->connectivity.count;
}

/* ---- compressing ------------------------------------------------------------------------------------- */

static bool reserve(appended *data, size_t more)
{
  if (data->size + more <= data->capacity) return true;
  size_t grown = data->capacity * 2 > data->size + more ? data->capacity * 2 : data->size + more;
  unsigned char *larger = realloc(data->bytes, grown);
  if (!larger) return false;
  data->bytes = larger;
  data->capacity = grown;
  return true;
}

static size_t size_of(const vtp_array *array)
{
  return (size_t)array->count * (size_t)array->components * NUMBER_SIZE;
}

static bool append_numbers(appended *data, const vtp_array *array)
{
  size_t size = size_of(array);
  size_t blocks = (size + BLOCK_SIZE - 1) / BLOCK_SIZE, head = (3 + blocks) * sizeof(uint64_t);
  if (!reserve(data, head)) return false;
  size_t begin = data->size;
  data->offset[data->array_count++] = begin;
  data->size += head;
  uint64_t numbers[3] = {blocks, BLOCK_SIZE, size % BLOCK_SIZE};
  little_endian_numbers(numbers, 3);
  memcpy(data->bytes + begin, numbers, sizeof numbers);
  for (size_t k = 0; k < blocks; k++) {
    size_t raw = k + 1 < blocks || size % BLOCK_SIZE == 0 ? BLOCK_SIZE : size % BLOCK_SIZE;
    uLongf stored = compressBound(raw);
    if (!reserve(data, stored)) return false;
    const unsigned char *from = (const unsigned char *)array->values + k * BLOCK_SIZE;
    if (compress2(data->bytes + data->size, &stored, from, raw, Z_BEST_SPEED) != Z_OK) return false;
    uint64_t packed = little_endian_number(stored);
    memcpy(data->bytes + begin + (3 + k) * sizeof packed, &packed, sizeof packed);
    data->size += stored;
  }
  return true;
}

static bool append_array(appended *data, const vtp_array *array)
{
  little_endian_numbers(array->values, size_of(array) / NUMBER_SIZE);
  bool fine = append_numbers(data, array);
  little_endian_numbers(array->values, size_of(array) / NUMBER_SIZE);
  return fine;
}

static bool append_cells(appended *data, const vtp_cells *cells)
{
  return append_array(data, &cells->connectivity) && append_array(data, &cells->offsets);
}

/* In the order in which the text names them. */
static bool append_all(appended *data, const vtp_dataset *dataset)
{
  bool fine = true;
  for (int32_t k = 0; fine && k < dataset->point_data_count; k++)
    fine = append_array(data, &dataset->point_data[k]);
  for (int32_t k = 0; fine && k < dataset->cell_data_count; k++) fine = append_array(data, &dataset->cell_data[k]);
  return fine && append_array(data, &dataset->points) && append_cells(data, &dataset->vertices) &&
         append_cells(data, &dataset->lines) && append_cells(data, &dataset->polygons);
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void write_array(FILE *file, const vtp_array *array, const appended *data, int32_t *number)
{
  fprintf(
      file,
      "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
      array->integer ? "Int64" : "Float64", array->name, (int)array->components, data->offset[(*number)++]);
}

static void write_arrays(FILE *file, const char *element, const vtp_array *arrays, int32_t count,
                         const appended *data, int32_t *number)
{
  fprintf(file, "      <%s>\n", element);
  for (int32_t k = 0; k < count; k++) write_array(file, &arrays[k], data, number);
  fprintf(file, "      </%s>\n", element);
}

static void write_cells(FILE *file, const char *element, const vtp_cells *cells, const appended *data,
                        int32_t *number)
{
  fprintf(file, "      <%s>\n", element);
  write_array(file, &cells->connectivity, data, number);
  write_array(file, &cells->offsets, data, number);
  fprintf(file, "      </%s>\n", element);
}

static void write_text(FILE *file, const vtp_dataset *dataset, const appended *data)
{
  int32_t number = 0;
  char time[PLAIN_NUMBER_SIZE];
  plain_number(dataset->time, 17, time);
  fprintf(file,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n  <PolyData>\n    <FieldData>\n"
          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
          "format=\"ascii\">%s</DataArray>\n"
          "      <DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">%" PRId64
          "</DataArray>\n    </FieldData>\n",
          time, dataset->step);
  fprintf(file,
          "    <Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"%" PRId64 "\" NumberOfLines=\"%" PRId64
          "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64 "\">\n",
          dataset->points.count, dataset->vertices.offsets.count, dataset->lines.offsets.count,
          dataset->polygons.offsets.count);
  write_arrays(file, "PointData", dataset->point_data, dataset->point_data_count, data, &number);
  write_arrays(file, "CellData", dataset->cell_data, dataset->cell_data_count, data, &number);
  write_arrays(file, "Points", &dataset->points, 1, data, &number);
  write_cells(file, "Verts", &dataset->vertices, data, &number);
  write_cells(file, "Lines", &dataset->lines, data, &number);
  write_cells(file, "Polys", &dataset->polygons, data, &number);
  fprintf(file, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

static floc_status failed(char *message, size_t size, floc_status status, const char *path, const char *reason)
{
  snprintf(message, size, "cannot write %s: %s", path, reason);
  return status;
}

static floc_status write_file(const vtp_dataset *dataset, const appended *data, const char *path, char *message,
                              size_t message_size)
{
  floc_new_file *fresh;
  floc_status status = floc_new_file_create(path, &fresh, message, message_size);
  if (status != FLOC_OK) return status;
  int descriptor = dup(floc_new_file_descriptor(fresh));
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (!file) {
    int reason = errno;
    if (descriptor >= 0) close(descriptor);
    floc_new_file_abandon(fresh);
    return failed(message, message_size, FLOC_FILE_ERROR, path, strerror(reason));
  }
  write_text(file, dataset, data);
  (void)fwrite(data->bytes, 1, data->size, file); /* ferror below tells */
  fprintf(file, "\n  </AppendedData>\n</VTKFile>\n");
  bool fine = fflush(file) == 0 && !ferror(file);
  int reason = errno;
  if (fclose(file) != 0 && fine) {
    fine = false;
    reason = errno;
  }
  if (fine) return floc_new_file_finish(fresh, message, message_size);
  floc_new_file_abandon(fresh);
  return failed(message, message_size, FLOC_FILE_ERROR, path, strerror(reason));
}

floc_status vtp_write(const vtp_dataset *dataset, const char *path, char *message, size_t message_size)
{
  if (message_size > 0) message[0] = 0;
  appended data = {.array_count = 0};
  floc_status status;
  if (dataset->out_of_memory || !append_all(&data, dataset))
    status = failed(message, message_size, FLOC_OUT_OF_MEMORY, path, "out of memory");
  else
    status = write_file(dataset, &data, path, message, message_size);
  free(data.bytes);
  return status;
}
