/*
 * Coding of runs. See run_coder.h.
 *
 * A block is made in three passes: bytes to tokens, tokens counted and given codes, codes written. A token is a
 * byte, the end of the block, or a repetition of 3 to 258 bytes; the bits of each, with the extra bits of its
 * length and the distance, are put together once for the block.
 */
#include "files/run_coder.h"

#include <stdlib.h>
#include <string.h>

enum {
  END = 256,          /* token and symbol; END + length: a repetition */
  SHORTEST_RUN = 3,   /* bytes of a repetition */
  SHORTEST_TAKEN = 8, /* where few values are frequent, fewer bytes are shorter as they are */
  LONGEST_RUN = 258,
  TOKENS = END + LONGEST_RUN + 1,
  SYMBOLS = 286,       /* of bytes, the end and lengths */
  LENGTH_SYMBOLS = 19, /* of the code that describes codes */
  LONGEST_CODE = 15,
  LONGEST_LENGTH_CODE = 7,
  SLACK = 16 /* bytes of room beyond those that are counted */
};

/* ---- bits --------------------------------------------------------------------------------------- */

static void put(bit_sink *sink, uint64_t bits, unsigned count)
{
  sink->bits |= bits << sink->waiting;
  sink->waiting += count;
  if (sink->waiting < 32) return;
  for (int k = 0; k < 4; k++) sink->next[k] = (unsigned char)(sink->bits >> 8 * k);
  sink->next += 4;
  sink->bits >>= 32;
  sink->waiting -= 32;
}

static bool has_room(const bit_sink *sink, uint64_t bits)
{
  return (bits + sink->waiting) / 8 + SLACK <= (uint64_t)(sink->end - sink->next);
}

static void put_whole_bytes(bit_sink *sink)
{
  for (; sink->waiting > 0; sink->bits >>= 8) {
    *sink->next++ = (unsigned char)sink->bits;
    sink->waiting -= sink->waiting < 8 ? sink->waiting : 8;
  }
}

bool bit_sink_align(bit_sink *sink)
{
  if (!has_room(sink, 0)) return false;
  put(sink, 0, 3); /* not the last one, stored */
  put_whole_bytes(sink);
  memcpy(sink->next, "\0\0\xff\xff", 4);
  sink->next += 4;
  return true;
}

bool bit_sink_finish(bit_sink *sink)
{
  if (!has_room(sink, 0)) return false;
  put(sink, 3, 3 + 7); /* the last one, fixed codes; the end's code is 7 zeros */
  put_whole_bytes(sink);
  return true;
}

/* ---- codes -------------------------------------------------------------------------------------- */

static int compare_weights(const void *a, const void *b)
{
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

/* Huffman's tree over leaves in ascending order of weight; new nodes are in ascending order, too. Depths of all. */
static void find_depths(uint32_t *weight, size_t leaves, uint8_t *depth)
{
  uint16_t parent[2 * SYMBOLS];
  size_t leaf = 0, inner = leaves, last = 2 * leaves - 2;
  for (size_t made = leaves; made <= last; made++) {
    weight[made] = 0;
    for (int k = 0; k < 2; k++) {
      bool is_leaf = leaf < leaves && (inner == made || weight[leaf] <= weight[inner]);
      size_t least = is_leaf ? leaf++ : inner++;
      weight[made] += weight[least];
      parent[least] = (uint16_t)made;
    }
  }
  depth[last] = 0;
  for (size_t k = last; k-- > 0;) depth[k] = (uint8_t)(depth[parent[k]] + 1);
}

/* Lengths of a prefix code, 0 where the count is 0; at least two are not. Too long codes are shortened by making
 * the counts more alike. */
static void find_lengths(const uint32_t *count, size_t symbols, unsigned limit, uint8_t *length)
{
  enum { SYMBOL_BITS = 9 };
  for (unsigned coarser = 0;; coarser++) {
    uint32_t key[SYMBOLS], weight[2 * SYMBOLS];
    uint8_t depth[2 * SYMBOLS];
    size_t used = 0;
    for (size_t k = 0; k < symbols; k++)
      if (count[k] > 0) key[used++] = (((count[k] - 1) >> coarser) + 1) << SYMBOL_BITS | (uint32_t)k;
    qsort(key, used, sizeof *key, compare_weights);
    for (size_t k = 0; k < used; k++) weight[k] = key[k] >> SYMBOL_BITS;
    find_depths(weight, used, depth);
    if (depth[0] > limit) continue;
    memset(length, 0, symbols);
    for (size_t k = 0; k < used; k++) length[key[k] & ((1u << SYMBOL_BITS) - 1)] = depth[k];
    return;
  }
}

static uint32_t reversed(uint32_t code, unsigned length)
{
  uint32_t made = 0;
  for (unsigned k = 0; k < length; k++) made |= (code >> k & 1) << (length - 1 - k);
  return made;
}

/* The codes that follow from the lengths, first bit lowest. */
static void find_codes(const uint8_t *length, size_t symbols, uint32_t *code)
{
  uint32_t of_length[LONGEST_CODE + 1] = {0}, next[LONGEST_CODE + 1] = {0};
  for (size_t k = 0; k < symbols; k++) of_length[length[k]] += length[k] > 0;
  for (unsigned n = 1; n <= LONGEST_CODE; n++) next[n] = (next[n - 1] + of_length[n - 1]) << 1;
  for (size_t k = 0; k < symbols; k++)
    if (length[k] > 0) code[k] = reversed(next[length[k]]++, length[k]);
}

/* ---- tokens ------------------------------------------------------------------------------------- */

/* Repeats are counted from the second byte on: the first has nothing before it in its block. */
static size_t make_tokens(uint16_t *token, const unsigned char *bytes, size_t size)
{
  size_t made = 0, k = 0;
  while (k < size) {
    token[made++] = bytes[k++];
    size_t end = k, limit = size - k < LONGEST_RUN ? size : k + LONGEST_RUN;
    while (end < limit && bytes[end] == bytes[k - 1]) end++;
    if (end - k < SHORTEST_TAKEN) continue;
    token[made++] = (uint16_t)(END + end - k);
    k = end;
  }
  token[made++] = END;
  return made;
}

/* The symbol of a repetition, and the extra bits that tell lengths with the same symbol apart. */
typedef struct run_symbol {
  uint16_t symbol;
  uint8_t extra_bits, extra;
} run_symbol;

static run_symbol symbol_of(size_t token)
{
  if (token <= END) return (run_symbol){(uint16_t)token, 0, 0};
  unsigned length = (unsigned)token - END, above = length - SHORTEST_RUN, bits = 0;
  if (length == LONGEST_RUN) return (run_symbol){SYMBOLS - 1, 0, 0};
  while (above >> bits >= 8) bits++;
  return (run_symbol){(uint16_t)(END + 1 + 4 * bits + (above >> bits)), (uint8_t)bits,
                      (uint8_t)(above & ((1u << bits) - 1))};
}

/* ---- blocks ------------------------------------------------------------------------------------- */

/* The codes of a block. lengths ends with that of the one distance. */
typedef struct block_codes {
  uint32_t count[SYMBOLS], code[SYMBOLS];
  uint8_t lengths[SYMBOLS + 1];
  size_t symbols; /* up to the last that is used */
} block_codes;

/* The lengths, described by symbols 0 to 15, themselves; 16, as before, 3 to 6 times; 17 and 18, zeros, 3 to 10 and
 * 11 to 138 times. Returns how many symbols. */
typedef struct length_symbol {
  uint8_t symbol, extra_bits, extra;
} length_symbol;

static size_t describe_lengths(const uint8_t *length, size_t count, length_symbol *made)
{
  size_t symbols = 0;
  for (size_t k = 0; k < count;) {
    size_t run = 1;
    while (k + run < count && length[k + run] == length[k]) run++;
    if (length[k] == 0 && run >= 3) {
      if (run > 138) run = 138;
      made[symbols++] =
          run < 11 ? (length_symbol){17, 3, (uint8_t)(run - 3)} : (length_symbol){18, 7, (uint8_t)(run - 11)};
    } else if (k > 0 && length[k] == length[k - 1] && run >= 3) {
      if (run > 6) run = 6;
      made[symbols++] = (length_symbol){16, 2, (uint8_t)(run - 3)};
    } else {
      run = 1;
      made[symbols++] = (length_symbol){length[k], 0, 0};
    }
    k += run;
  }
  return symbols;
}

/* At most 17 + 19 * 3 + 287 * (7 + 7) bits. */
static void put_head(bit_sink *sink, const block_codes *codes)
{
  static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  length_symbol made[SYMBOLS + 1];
  size_t symbols = describe_lengths(codes->lengths, codes->symbols + 1, made), last = LENGTH_SYMBOLS;
  uint32_t count[LENGTH_SYMBOLS] = {0}, code[LENGTH_SYMBOLS];
  uint8_t length[LENGTH_SYMBOLS];
  for (size_t k = 0; k < symbols; k++) count[made[k].symbol]++;
  find_lengths(count, LENGTH_SYMBOLS, LONGEST_LENGTH_CODE, length);
  find_codes(length, LENGTH_SYMBOLS, code);
  while (last > 4 && length[order[last - 1]] == 0) last--;
  put(sink, 2 << 1, 3); /* not the last one, codes of its own */
  put(sink, codes->symbols - (END + 1), 5);
  put(sink, 0, 5); /* one distance */
  put(sink, last - 4, 4);
  for (size_t k = 0; k < last; k++) put(sink, length[order[k]], 3);
  for (size_t k = 0; k < symbols; k++) {
    put(sink, code[made[k].symbol], length[made[k].symbol]);
    put(sink, made[k].extra, made[k].extra_bits);
  }
}

/* Returns how many bits the tokens take. */
static uint64_t find_block_codes(block_codes *codes, const uint32_t *of_token)
{
  uint64_t bits = 0;
  memset(codes->count, 0, sizeof codes->count);
  for (size_t t = 0; t < TOKENS; t++)
    if (of_token[t] > 0) codes->count[symbol_of(t).symbol] += of_token[t];
  find_lengths(codes->count, SYMBOLS, LONGEST_CODE, codes->lengths);
  find_codes(codes->lengths, SYMBOLS, codes->code);
  for (codes->symbols = SYMBOLS; codes->lengths[codes->symbols - 1] == 0;) codes->symbols--;
  codes->lengths[codes->symbols] = 1; /* of the distance; its code is 0 */
  for (size_t t = 0; t < TOKENS; t++) {
    run_symbol of = symbol_of(t);
    if (of_token[t] > 0) bits += (uint64_t)of_token[t] * (codes->lengths[of.symbol] + of.extra_bits + (t > END));
  }
  return bits;
}

static void put_tokens(bit_sink *sink, const block_codes *codes, const uint32_t *of_token, const uint16_t *token,
                       size_t count)
{
  uint32_t bits[TOKENS];
  uint8_t lengths[TOKENS];
  for (size_t t = 0; t < TOKENS; t++) {
    if (of_token[t] == 0) continue;
    run_symbol of = symbol_of(t);
    unsigned length = codes->lengths[of.symbol];
    bits[t] = codes->code[of.symbol] | (uint32_t)of.extra << length;
    lengths[t] = (uint8_t)(length + of.extra_bits + (t > END));
  }
  for (size_t k = 0; k < count; k++) put(sink, bits[token[k]], lengths[token[k]]);
}

static bool write_block(run_coder *coder, bit_sink *sink, const unsigned char *bytes, size_t size)
{
  enum { HEAD_BITS = 17 + 19 * 3 + 287 * (7 + 7) };
  size_t count = make_tokens(coder->token, bytes, size);
  uint32_t of_token[TOKENS] = {0};
  for (size_t k = 0; k < count; k++) of_token[coder->token[k]]++;
  block_codes codes;
  uint64_t bits = find_block_codes(&codes, of_token);
  if (!has_room(sink, bits + HEAD_BITS)) return false;
  put_head(sink, &codes);
  put_tokens(sink, &codes, of_token, coder->token, count);
  return true;
}

bool run_coder_write(run_coder *coder, bit_sink *sink, const unsigned char *bytes, size_t size)
{
  for (size_t done = 0; done < size;) {
    size_t part = size - done < RUN_BLOCK ? size - done : RUN_BLOCK;
    if (!write_block(coder, sink, bytes + done, part)) return false;
    done += part;
  }
  return true;
}
