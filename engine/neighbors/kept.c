/*
 * The lists as they were when a step began, for steps that do not end: the host gives one up, a law fails. Which
 * lists stand decides when the next ones are made and what pairs still remember, so a step that is made again must
 * find those of before, or it has other bits than a run in which nothing happened.
 *
 * A step that makes no list changes no more than the skin (its age counts updates), which is copied each time.
 * Before the first list that a step makes, all that neighbors_sections() names and what pairs remember is copied as
 * well: some bytes for each entry, beside a search that costs far more. Only where the host may give a step up.
 *
 * bytes: the sections' numbers one behind the other, each at a multiple of eight; then the memory columns of pairs
 * and of walls, column by column.
 */
#include "neighbors/internal.h"

#include "base/interruption.h"

#include <assert.h>
#include <string.h>

static size_t padded(size_t size)
{
  return (size + 7) / 8 * 8;
}

static size_t section_size(const section *one)
{
  return padded((size_t)(one->rows * one->columns) * section_type_size(one->type));
}

static size_t column_size(const list_store *list)
{
  return (size_t)list->view.count * sizeof(double);
}

void neighbors_keep(neighbors *all)
{
  all->kept.began = all->skin;
  all->kept.may_be_asked = interruption_is_possible(all->env);
  all->kept.lists = false;
  all->kept.is_kept = true;
}

floc_status kept_take_lists(neighbors *all)
{
  kept_lists *kept = &all->kept;
  if (!kept->is_kept || !kept->may_be_asked || kept->lists) return FLOC_OK;
  skin present = all->skin;
  all->skin = kept->began;
  section_list_free(&kept->list);
  section_list_init(&kept->list, all->env);
  kept->is_taken = true;
  floc_status status = neighbors_sections(all, &kept->list);
  kept->is_taken = false;
  all->skin = present;
  if (status != FLOC_OK) return status;
  size_t size = (size_t)all->memory_count * (column_size(&all->pairs) + column_size(&all->walls));
  for (int32_t k = 0; k < kept->list.count; k++) size += section_size(&kept->list.item[k]);
  status = array_reserve(all->env, (void **)&kept->bytes, &kept->capacity, size, 1);
  if (status != FLOC_OK) return status;
  unsigned char *at = kept->bytes;
  for (int32_t k = 0; k < kept->list.count; k++) {
    section *one = &kept->list.item[k];
    size_t length = (size_t)(one->rows * one->columns) * section_type_size(one->type);
    if (length > 0) memcpy(at, one->data, length);
    one->data = at;
    at += padded(length);
  }
  for (int which = 0; which < 2; which++) {
    const list_store *list = which == 0 ? &all->pairs : &all->walls;
    for (int32_t k = 0; k < all->memory_count && list->view.count > 0; k++, at += column_size(list))
      memcpy(at, list->view.memory[k], column_size(list));
  }
  kept->particle_count = all->particle_count;
  kept->shape_count = all->shape_count;
  kept->lists = true;
  return FLOC_OK;
}

static floc_status put_back_lists(neighbors *all)
{
  kept_lists *kept = &all->kept;
  floc_status status = neighbors_restore(all, &kept->list, kept->particle_count, kept->shape_count);
  if (status != FLOC_OK) return status;
  const unsigned char *at = kept->bytes;
  for (int32_t k = 0; k < kept->list.count; k++) at += section_size(&kept->list.item[k]);
  for (int which = 0; which < 2; which++) {
    list_store *list = which == 0 ? &all->pairs : &all->walls;
    for (int32_t k = 0; k < all->memory_count && list->view.count > 0; k++, at += column_size(list))
      memcpy(list->view.memory[k], at, column_size(list));
  }
  return FLOC_OK;
}

floc_status neighbors_put_back(neighbors *all)
{
  if (!all->kept.is_kept) return FLOC_OK;
  all->kept.is_kept = false;
  if (all->kept.lists) return put_back_lists(all);
  if (all->kept.may_be_asked) all->skin = all->kept.began; /* else lists of this step may stand, with their skin */
  all->covered = all->grid_stands = false;
  return FLOC_OK;
}

void kept_free(neighbors *all)
{
  if (all->kept.list.env) section_list_free(&all->kept.list);
  array_free(all->env, (void **)&all->kept.bytes, &all->kept.capacity, 1);
}
