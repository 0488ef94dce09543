/*
 * Putting predictions back into the sections of a file that has been read. See prediction.h. The chunks of a
 * section are done in parallel, each followed by its checksum.
 */
#include "files/checkpoint/prediction.h"

#include "base/threads/parallel.h"

/* A predicted section, chunk by chunk. */
typedef struct section_undo {
  const predicted_file *file;
  const section_entry *entry;
  const chunk_entry *chunk;
  unsigned char *data;
  predictor by[PREDICT_PERPENDICULAR];
  uint32_t count;
} section_undo;

/* How many chunks are left, counting the first whose checksum is wrong; 0 if none is. */
static double undo_chunks(void *context, int64_t begin, int64_t end, int64_t block)
{
  (void)block;
  section_undo *undo = context;
  const section_entry *entry = undo->entry;
  double left = 0.0;
  for (int64_t index = begin; index < end; index++) {
    chunk_shape shape = format_chunk_shape(entry, (uint64_t)index);
    unsigned char *raw = undo->data + (uint64_t)index * entry->chunk_length;
    uint64_t first = (uint64_t)index * (entry->chunk_length / entry->stride);
    for (uint32_t k = 0; k < undo->count; k++)
      predictor_put_back(&undo->by[k], first, shape.length / shape.stride, raw);
    if (left == 0.0 && format_numbers_crc32(raw, shape.length, shape.element) != undo->chunk[index].raw_crc32)
      left = (double)((int64_t)format_chunk_count(entry) - index);
  }
  return left;
}

static floc_status init_predictors(environment *env, section_undo *undo)
{
  const predicted_file *file = undo->file;
  uint32_t number = (uint32_t)(undo->entry - file->entry);
  floc_status status = FLOC_OK;
  for (uint32_t k = 0; k < file->prediction_count && status == FLOC_OK; k++) {
    if (file->prediction[k].section != number) continue;
    predictor *by = &undo->by[undo->count++];
    status = predictor_init(by, env, &file->prediction[k], file->entry, (const void *const *)file->data);
  }
  return status;
}

static floc_status undo_section(environment *env, section_undo *undo, prediction_damage *damage)
{
  uint64_t count = format_chunk_count(undo->entry);
  *damage = (prediction_damage){undo->entry, undo->entry->offset,
                                "the section that it is predicted from is no neighbour list"};
  floc_status status = init_predictors(env, undo);
  if (status == FLOC_NOT_FOUND) status = FLOC_DAMAGED_FILE;
  if (status == FLOC_OK) {
    double left = parallel_max(env, (int64_t)count, 1, 0.0, undo_chunks, undo);
    damage->reason = "the checksum of the decompressed bytes is wrong";
    for (uint64_t k = 0; left > 0.0 && k < count - (uint64_t)left; k++)
      damage->offset += undo->chunk[k].stored_length;
    if (left > 0.0) status = FLOC_DAMAGED_FILE;
  }
  for (uint32_t k = 0; k < undo->count; k++) predictor_free(&undo->by[k], env);
  return status;
}

floc_status predictions_undo(environment *env, const predicted_file *file, prediction_damage *damage)
{
  const chunk_entry *chunk = file->chunk;
  floc_status status = FLOC_OK;
  for (uint32_t k = 0; k < file->section_count && status == FLOC_OK; k++) {
    section_undo undo = {.file = file, .entry = &file->entry[k], .chunk = chunk, .data = file->data[k]};
    if (undo.entry->flags & SECTION_IS_PREDICTED) status = undo_section(env, &undo, damage);
    chunk += format_chunk_count(undo.entry);
  }
  return status;
}
