/*
 * Choosing filters and ways. See plane_choice.h.
 */
#include "files/checkpoint/plane_choice.h"

#include "base/numbers/byte_order.h"

#include <floc/floc.h>

#include <math.h>
#include <string.h>

enum {
  FILTER_ROWS = 512, /* rows that decide about the filter */
  PIECES = 8,        /* places of a plane where its entropy is taken */
  SEQUENCE = 8       /* bytes whose repetition says that matches will be found */
};

/* Bits per byte above which a plane is stored as it is. Huffman codes would take three eighths off it at most, for
 * ten times the time of copying, and more when it is read: 6.2 makes the file of 32,000 spheres one percent
 * smaller. */
static const double NOISE_BITS = 5.0;
/* Below this many bits per byte runs are long enough to be what compresses. */
static const double RUN_BITS = 1.0;
/* Fraction of repeated sequences in a sample from which on matches are searched for. Noise of 2 bits per byte has
 * 0.03. */
static const double REPEATED = 0.3;
/* Another filter must promise this fraction of the bits without one. */
static const double WORTH_IT = 0.99;

void plane_choice_init(plane_choice *choice)
{
  choice->bits[0] = 0.0f;
  for (int k = 1; k <= CHOICE_SAMPLE; k++) choice->bits[k] = (float)(k * floc_log2(k));
}

/* Four histograms in turn: a run of equal bytes would otherwise wait for its own counter. */
static void histogram(const unsigned char *bytes, size_t size, uint16_t part[4][256])
{
  memset(part, 0, 4 * sizeof *part);
  for (size_t k = 0; k < size; k++) part[k % 4][bytes[k]]++;
}

/* Bits per byte that an ideal order-0 code needs. */
static double entropy(const plane_choice *choice, const unsigned char *bytes, size_t size)
{
  uint16_t part[4][256];
  histogram(bytes, size, part);
  float bits = choice->bits[size];
  for (size_t value = 0; value < 256; value++)
    bits -= choice->bits[part[0][value] + part[1][value] + part[2][value] + part[3][value]];
  return fmax(bits, 0.0) / (double)size;
}

/* ---- filter ------------------------------------------------------------------------------------- */

/* Bits per number, counting as eight the bits of bytes that will be stored as they are. */
static double bits_with(const plane_choice *choice, const unsigned char *raw, const column_shape *shape)
{
  unsigned char planes[8 * FILTER_ROWS];
  uint64_t varies = byte_planes_split(raw, shape, planes);
  unsigned char changed[8];
  memcpy(changed, &varies, sizeof changed);
  double sum = 0.0;
  for (size_t k = 0; k < shape->element; k++) {
    double bits = changed[k] ? entropy(choice, planes + k * shape->rows, shape->rows) : 0.0;
    sum += bits > NOISE_BITS ? 8.0 : bits;
  }
  return sum;
}

/* The sign last, and so much taken off that the greatest exponent is the last of its eight: magnitudes mostly fill
 * a few exponents below the greatest. */
static column_filter aligned_sign_last(const unsigned char *raw, const column_shape *shape)
{
  if (shape->element != sizeof(uint64_t)) return FILTER_SIGN_LAST;
  uint64_t greatest = 0;
  for (size_t row = 0; row < shape->rows; row++) {
    uint64_t value;
    memcpy(&value, raw + row * shape->stride, sizeof value);
    value = little_endian_64(value);
    if (value << 1 > greatest) greatest = value << 1;
  }
  return FILTER_SIGN_LAST + (column_filter)(((greatest >> 53) + 1) % 8);
}

column_filter plane_choice_filter(plane_choice *choice, const unsigned char *raw, const column_shape *shape)
{
  if (shape->element == 1) return FILTER_NONE;
  column_shape sample = *shape;
  if (sample.rows > FILTER_ROWS) sample.rows = FILTER_ROWS;
  const unsigned char *middle = raw + (shape->rows - sample.rows) / 2 * shape->stride;
  const column_filter tried[] = {aligned_sign_last(middle, &sample), FILTER_ZIGZAG, FILTER_DIFFERENCES};
  column_filter best = sample.filter = FILTER_NONE;
  double least = bits_with(choice, middle, &sample);
  if (least == 0.0) return FILTER_NONE;
  least *= WORTH_IT;
  for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
    sample.filter = tried[k];
    double bits = bits_with(choice, middle, &sample);
    if (bits >= least) continue;
    least = bits;
    best = tried[k];
  }
  return best;
}

/* ---- way ---------------------------------------------------------------------------------------- */

bool plane_choice_repeats(plane_choice *choice, const unsigned char *plane, size_t size)
{
  if (size < SEQUENCE) return false;
  size_t repeated = 0, sample = size < REPEAT_SAMPLE ? size : REPEAT_SAMPLE, last = sample - SEQUENCE;
  const unsigned char *bytes = plane + (size - sample) / 2;
  memset(choice->seen, 0, sizeof choice->seen);
  for (size_t k = 0; k <= last; k++) {
    uint64_t sequence;
    memcpy(&sequence, bytes + k, sizeof sequence);
    uint32_t *seen = &choice->seen[little_endian_64(sequence) * 0x9e3779b97f4a7c15u >> 52];
    repeated += *seen > 0 && memcmp(bytes + *seen - 1, bytes + k, SEQUENCE) == 0;
    *seen = (uint32_t)k + 1;
  }
  return (double)repeated > REPEATED * (double)(last + 1);
}

/* Bits per byte, from pieces all over the plane. */
static double sampled_entropy(const plane_choice *choice, const unsigned char *plane, size_t size)
{
  enum { PIECE = CHOICE_SAMPLE / PIECES };
  unsigned char sample[CHOICE_SAMPLE];
  if (size <= CHOICE_SAMPLE) return entropy(choice, plane, size);
  size_t step = (size - PIECE) / (PIECES - 1);
  for (size_t k = 0; k < PIECES; k++) memcpy(sample + k * PIECE, plane + k * step, PIECE);
  return entropy(choice, sample, CHOICE_SAMPLE);
}

plane_way plane_choice_way(const plane_choice *choice, const unsigned char *plane, size_t size, bool repeats)
{
  double bits = sampled_entropy(choice, plane, size);
  if (bits < RUN_BITS) return WAY_RUNS;
  if (repeats) return WAY_MATCHES;
  return bits > NOISE_BITS ? WAY_RAW : WAY_HUFFMAN;
}
