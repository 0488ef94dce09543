/*
 * Writing plans of units. See units.h.
 */
#include "contacts/solvers/units.h"

enum { REST_BLOCK = 256 /* rows */ };

int64_t units_most(int64_t groups, int64_t contacts)
{
  return groups + UNIT_COLOURS + contacts / REST_BLOCK + 1;
}

bool units_allocate(arena *scratch, int64_t groups, int64_t contacts, int32_t grounds, unit_plan *plan)
{
  const size_t units = (size_t)units_most(groups, contacts), pieces = units + (size_t)groups * UNIT_COLOURS;
  plan->unit_row = arena_allocate(scratch, units + 1, sizeof *plan->unit_row);
  plan->unit_piece = arena_allocate(scratch, units + 1, sizeof *plan->unit_piece);
  plan->piece_row = arena_allocate(scratch, pieces + 1, sizeof *plan->piece_row);
  plan->first_body = arena_allocate(scratch, (size_t)grounds + 1, sizeof *plan->first_body);
  return plan->unit_row && plan->unit_piece && plan->piece_row && plan->first_body;
}

unit_writer units_begin(unit_plan *plan, int64_t width)
{
  plan->phases = 0;
  plan->phase_unit[0] = plan->unit_row[0] = plan->piece_row[0] = plan->unit_piece[0] = 0;
  return (unit_writer){.plan = plan, .width = width};
}

static void write_piece(unit_writer *to, int64_t rows)
{
  to->row += (rows + to->width - 1) / to->width * to->width;
  to->plan->piece_row[++to->pieces] = to->row;
}

static void end_unit(unit_writer *to)
{
  to->plan->unit_row[++to->units] = to->row;
  to->plan->unit_piece[to->units] = to->pieces;
}

void units_end_phase(unit_writer *to)
{
  to->plan->phase_unit[++to->plan->phases] = to->units;
}

void units_write_group(unit_writer *to, int32_t *rows)
{
  for (int32_t colour = 0; colour < UNIT_COLOURS; colour++) {
    int32_t count = rows[colour];
    rows[colour] = (int32_t)to->row;
    if (count > 0) write_piece(to, count);
  }
  end_unit(to);
}

void units_write_rest(unit_writer *to, int32_t *rows)
{
  for (int32_t colour = 0; colour < UNIT_COLOURS; colour++) {
    int32_t count = rows[colour];
    rows[colour] = (int32_t)to->row;
    for (int32_t done = 0; done < count; done += REST_BLOCK) {
      write_piece(to, count - done < REST_BLOCK ? count - done : REST_BLOCK);
      end_unit(to);
    }
    if (count > 0) units_end_phase(to);
  }
}
