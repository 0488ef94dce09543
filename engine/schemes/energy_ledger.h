/*
 * The account of energy: the work of everything that acts on particles, by name, summed over steps. A scheme finds
 * in every step what each part did, from that part's own forces (or impulses) and the mean of the velocities before
 * and after they acted, with which force times mean velocity times time is the change of the kinetic energy
 * exactly; nothing is found as a rest. The world compares with the kinetic energy of the particles.
 *
 * Sums are compensated (A. Neumaier, ZAMM 54, 39, 1974), so that they are as good after 1e9 steps as after one.
 */
#ifndef FLOC_SCHEMES_ENERGY_LEDGER_H
#define FLOC_SCHEMES_ENERGY_LEDGER_H

#include "base/section.h"
#include "particles/particles.h"

/* In the order of floc_energy_ledger. The first LEDGER_STORED are forces that a scheme may have to keep. */
typedef enum ledger_part {
  LEDGER_GRAVITY,
  LEDGER_LAWS,
  LEDGER_FIELDS,
  LEDGER_NEAR_FIELD,
  LEDGER_DRAG,
  LEDGER_CONTACTS,
  LEDGER_DAMPING,
  LEDGER_FRICTION,
  LEDGER_ROLLING,
  LEDGER_BONDS,
  LEDGER_STORED,
  LEDGER_FLOW = LEDGER_STORED,
  LEDGER_RAYS,
  LEDGER_WALLS,
  LEDGER_CELL,
  LEDGER_OUTSIDE,
  LEDGER_FIRST_PARTS, /* that older files have */
  LEDGER_LOADS = LEDGER_FIRST_PARTS,
  LEDGER_JOINTS,
  LEDGER_MOTORS,
  LEDGER_SPRINGS,
  LEDGER_PARTS
} ledger_part;

/* Numbers alone: it is a section of checkpoints as it stands. */
typedef struct energy_ledger {
  double begun;       /* 1: `start` is known */
  double start, last; /* kinetic energy before the first step, after the last one */
  double steps, turnover;
  double sum[LEDGER_PARTS], carried[LEDGER_PARTS]; /* sum + carried is the work */
} energy_ledger;

enum {
  LEDGER_NUMBERS = sizeof(energy_ledger) / sizeof(double),
  LEDGER_FIRST_NUMBERS = LEDGER_NUMBERS - 2 * (LEDGER_PARTS - LEDGER_FIRST_PARTS)
};

/* Before a step, with the kinetic energy there: what it changed since the last one came from outside. */
void energy_ledger_begin(energy_ledger *ledger, double kinetic);
/* After a step that succeeded, with what its parts did. */
void energy_ledger_end(energy_ledger *ledger, const double work[LEDGER_PARTS], double kinetic);
double energy_ledger_work(const energy_ledger *ledger, ledger_part part);

/* One section, if the world keeps an account. */
floc_status energy_ledger_sections(const energy_ledger *ledger, section_list *list);
/* A file without it leaves an account that begins with the next step. */
floc_status energy_ledger_restore(energy_ledger *ledger, environment *env, const section_list *list);

#endif
