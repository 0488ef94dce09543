/*
 * Units: how the rows of a large system are shared among threads.
 *
 * With colours alone, all threads meet after each colour, eight or nine times a sweep, and what one of them leaves
 * in a body's velocity another one fetches from its cache at the next colour. So a large island is cut into pieces
 * of space: where the world is several patches by these (patch_units.h), with friction and without; where it is one
 * patch by strips of the storage order (strips.h), without friction alone. A unit of work is the contacts within
 * one of them, its ground, or what joins it with others, or a block of one colour of what is left over. Units of
 * one phase share no body; phases follow each other, the grounds first. Rows stand in the order of phases, units,
 * and of colours within a unit, so that neighbouring rows share no body there either. In systems of rows (system.h)
 * bodies are numbered by ground: those of one are one range of the velocities.
 *
 * Memory: units of phase f are phase_unit[f] .. phase_unit[f + 1] - 1; rows of unit u are unit_row[u] ..
 * unit_row[u + 1] - 1; pieces of it (rows of one colour) unit_piece[u] .. unit_piece[u + 1] - 1, piece c the rows
 * piece_row[c] .. piece_row[c + 1] - 1. The bodies of ground g are first_body[g] .. first_body[g + 1] - 1. Where
 * rows are done several side by side (blocks/), pieces begin at multiples of that width, and rows between are
 * empty.
 */
#ifndef FLOC_CONTACTS_SOLVERS_UNITS_H
#define FLOC_CONTACTS_SOLVERS_UNITS_H

#include "base/arena.h"

enum {
  UNIT_COLOURS = 63, /* a body with more contacts in a unit: none are made */
  UNIT_PHASES = 8 + UNIT_COLOURS
};

typedef struct unit_plan {
  int32_t grounds; /* units of phase 0; 0: there is no plan, colours go through the whole system */
  int32_t phases;
  bool by_patch; /* sums over units are exact: neither their order nor their number shows */
  int64_t phase_unit[UNIT_PHASES + 1];
  int64_t *unit_row;
  int32_t *unit_piece;
  int64_t *piece_row;
  int32_t *first_body; /* [grounds + 1] */
} unit_plan;

/* Of each colour: how many rows, then where the next one goes; the last: how many found no colour. */
typedef int32_t colour_rows[UNIT_COLOURS + 1];

/* Writes a plan, unit after unit. */
typedef struct unit_writer {
  unit_plan *plan;
  int64_t row, width;
  int32_t units, pieces;
} unit_writer;

/* Units of a plan with that many groups besides blocks of contacts that are left over. */
int64_t units_most(int64_t groups, int64_t contacts);
/* Space for them, and grounds; false: out of memory. */
bool units_allocate(arena *scratch, int64_t groups, int64_t contacts, int32_t grounds, unit_plan *plan);
/* Pieces begin at multiples of `width`, which divides the blocks of what is left over. */
unit_writer units_begin(unit_plan *plan, int64_t width);
/* A group of contacts is a unit. `rows` becomes where the next row of a colour goes. */
void units_write_group(unit_writer *to, int32_t *rows);
/* What shares bodies with anything: blocks of one colour, each colour a phase. */
void units_write_rest(unit_writer *to, int32_t *rows);
void units_end_phase(unit_writer *to);

/* A colour that neither body has; UNIT_COLOURS: there is none. */
static inline int32_t units_choose_colour(uint64_t *used, int32_t first, int32_t second)
{
  uint64_t available = ~(used[first] | (second >= 0 ? used[second] : 0)) & ~(UINT64_C(1) << UNIT_COLOURS);
  int32_t colour = available ? __builtin_ctzll(available) : UNIT_COLOURS;
  used[first] |= UINT64_C(1) << colour;
  if (second >= 0) used[second] |= UINT64_C(1) << colour;
  return colour;
}

/* Rows, with empty ones; pieces. */
static inline int64_t units_rows(const unit_plan *plan)
{
  return plan->unit_row[plan->phase_unit[plan->phases]];
}

static inline int64_t units_pieces(const unit_plan *plan)
{
  return plan->unit_piece[plan->phase_unit[plan->phases]];
}

#endif
