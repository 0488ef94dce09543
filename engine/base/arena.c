/*
 * Scratch memory of one step. See arena.h.
 */
#include "base/arena.h"

#include <string.h>

enum {
  ALIGNMENT = 64,
  FIRST_BLOCK = 1 << 16,
  LARGE_BLOCK = 1 << 20,
  SPARE_PART = 64,
  LARGE_PART = 32, /* of a large block: what the next one has at least */
  RESETS = 64      /* between looks at what was used */
};

struct arena_block {
  arena_block *next;
  size_t size; /* of the whole block, this head included */
  size_t used;
};

/* The head of a block, rounded up so that what follows can be aligned within it. */
static size_t head_size(void)
{
  return (sizeof(arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void arena_init(arena *scratch, environment *env)
{
  *scratch = (arena){.env = env};
}

static void drop_newest(arena *scratch)
{
  arena_block *block = scratch->blocks;
  scratch->blocks = block->next;
  if (scratch->blocks) scratch->before -= scratch->blocks->used;
  if (scratch->holder == block) arena_release(scratch);
  memory_free(scratch->env, block, block->size);
}

void arena_free(arena *scratch)
{
  while (scratch->blocks) drop_newest(scratch);
}

static arena_block *add_block(arena *scratch, size_t size)
{
  arena_block *block = memory_resize(scratch->env, NULL, 0, size);
  if (!block) return NULL;
  if (scratch->blocks) scratch->before += scratch->blocks->used;
  block->next = scratch->blocks;
  block->size = size;
  block->used = head_size();
  scratch->blocks = block;
  return block;
}

/* What one block needs to have for the same allocations, and some space to spare. */
static size_t roomy(size_t used)
{
  return used + used / SPARE_PART > FIRST_BLOCK ? used + used / SPARE_PART : FIRST_BLOCK;
}

/* The size of the one block from now on. */
static size_t choose_size(arena *scratch)
{
  size_t size = scratch->size, most = scratch->most;
  bool looks = ++scratch->resets >= RESETS;
  if (most > size || (looks && size > LARGE_BLOCK && most < size / 2)) size = roomy(most);
  if (looks) scratch->resets = 0, scratch->most = 0;
  return size;
}

void arena_reset(arena *scratch)
{
  arena_release(scratch);
  if (!scratch->blocks) return;
  size_t size = choose_size(scratch);
  scratch->size = size;
  if (!scratch->blocks->next && scratch->blocks->size == size) {
    scratch->blocks->used = head_size();
    return;
  }
  arena_free(scratch);
  add_block(scratch, size); /* if it is refused, the next allocation asks again */
}

arena_mark arena_here(const arena *scratch)
{
  const arena_block *block = scratch->blocks;
  bool is_empty = !block || (!block->next && block->used == head_size());
  return is_empty ? (arena_mark){NULL, 0} : (arena_mark){scratch->blocks, block->used};
}

void arena_return(arena *scratch, arena_mark mark)
{
  if (!mark.block) {
    arena_reset(scratch);
    return;
  }
  while (scratch->blocks != mark.block) drop_newest(scratch);
  mark.block->used = mark.used;
}

void *arena_hold(arena *scratch, arena_mark mark, size_t bytes)
{
  arena_block *block = scratch->blocks;
  const size_t held = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
  if (!mark.block || mark.block != block || block->size - block->used < held) return NULL;
  scratch->holder = block;
  scratch->held = held;
  const uintptr_t start = (uintptr_t)block + block->size - held;
  return (void *)((start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void arena_release(arena *scratch)
{
  scratch->holder = NULL;
  scratch->held = 0;
}

/* Bytes that an allocation takes, with those that may be lost to its alignment. */
static size_t taken_by(size_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

static char *first_in(const arena_block *block)
{
  return (char *)(((uintptr_t)block + head_size() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void note_used(arena *scratch)
{
  const size_t used = scratch->before + scratch->blocks->used + scratch->held;
  if (used > scratch->most) scratch->most = used;
}

static size_t room_in(const arena *scratch, const arena_block *block)
{
  return block->size - block->used - (scratch->holder == block ? scratch->held : 0);
}

void *arena_allocate(arena *scratch, size_t count, size_t element_size)
{
  if (element_size != 0 && count > (SIZE_MAX / 4) / element_size) {
    refuse(scratch->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu elements of %zu bytes", count, element_size);
    return NULL;
  }
  const size_t bytes = taken_by(count * element_size);
  arena_block *block = scratch->blocks;
  if (!block || room_in(scratch, block) < bytes) {
    size_t size = !block ? FIRST_BLOCK : block->size / (block->size > LARGE_BLOCK ? LARGE_PART : 2);
    if (size < bytes + head_size()) size = bytes + head_size();
    block = add_block(scratch, size);
    if (!block) {
      refuse(scratch->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes of scratch were refused", size);
      return NULL;
    }
  }
  uintptr_t start = (uintptr_t)block + block->used;
  uintptr_t aligned = (start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block->used += bytes;
  note_used(scratch);
  return (void *)aligned;
}

/* Of a block that has nothing else in it. */
static void *grow_with_block(arena *scratch, size_t present, size_t bytes)
{
  arena_block *block = scratch->blocks;
  const size_t size = head_size() + taken_by(bytes), at = (size_t)(first_in(block) - (char *)block);
  block = memory_resize(scratch->env, block, block->size, size);
  if (!block) {
    refuse(scratch->env, FLOC_OUT_OF_MEMORY, "out of memory: %zu bytes of scratch were refused", size);
    return NULL;
  }
  scratch->blocks = block;
  block->size = block->used = size;
  note_used(scratch);
  return memmove(first_in(block), (char *)block + at, present); /* it may be aligned in another way now */
}

void *arena_grow(arena *scratch, void *pointer, size_t present, size_t count, size_t element_size)
{
  arena_block *block = scratch->blocks;
  const size_t before = present * element_size, at = (size_t)((uintptr_t)pointer - (uintptr_t)block);
  if (count < (SIZE_MAX / 4) / element_size && at < block->size) {
    const size_t bytes = count * element_size, more = taken_by(bytes) - taken_by(before);
    const bool is_newest = block->used <= at + taken_by(before);
    if (is_newest && more <= room_in(scratch, block)) {
      block->used += more;
      note_used(scratch);
      return pointer;
    }
    if (is_newest && pointer == (void *)first_in(block) && scratch->holder != block)
      return grow_with_block(scratch, before, bytes);
  }
  void *moved = arena_allocate(scratch, count, element_size);
  return moved ? memcpy(moved, pointer, before) : NULL;
}
