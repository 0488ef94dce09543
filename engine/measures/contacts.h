/*
 * The contacts of a configuration, read from neighbour lists, and from pair memory or from forces that were looked
 * at. They come in blocks, column by column, as those who ask for columns want them; contact_of_block() makes a
 * struct of a row.
 */
#ifndef FLOC_MEASURES_CONTACTS_H
#define FLOC_MEASURES_CONTACTS_H

#include "schemes/scheme.h"

/* What a list of contacts is made from. */
typedef struct contacts_source {
  const particles *table;
  const bodies *obstacles;
  const rigid_assemblies *assemblies;
  const neighbors *near;
  const domain *box;
  const domain *start_box; /* when particles were at `position`; NULL: the same */
  /* hard contacts: impulses in pair memory, and where particles were when they acted */
  const double *const *position; /* [3], by slot; NULL: where they are */
  int64_t position_count;
  const double *frozen; /* particles_frozen(): of two such, or one and a body, nearness makes no contact */
  /* soft contacts: the scheme's view of the present forces (scheme.look), those of laws by the entries of `near`
   * (normal[0] NULL: there are none), and the time that makes impulses of them; look NULL: the others */
  look_function look_at;
  const void *look;
  const pair_forces *laws;
  double time_step;
} contacts_source;

/* The names are those of floc_world_get_contact_columns. */
typedef enum contact_column {
  CONTACT_ID_I,
  CONTACT_ID_J, /* 0: a body */
  CONTACT_BODY, /* from 1, 0: none; as in columns of numbers everywhere */
  CONTACT_SHAPE,
  CONTACT_DISTANCE,
  CONTACT_IMPULSE,
  CONTACT_GAMMA,
  CONTACT_POINT, /* three of each */
  CONTACT_NORMAL = CONTACT_POINT + 3,
  CONTACT_FRICTION = CONTACT_NORMAL + 3,
  CONTACT_MOMENT = CONTACT_FRICTION + 3,
  CONTACT_COLUMNS = CONTACT_MOMENT + 3
} contact_column;

/* A bit per column; finding the others costs time, and they are not written. */
typedef uint32_t contact_wants;
static const contact_wants CONTACT_ALL = (1u << CONTACT_COLUMNS) - 1;

typedef struct contact_block {
  int32_t count;
  double column[CONTACT_COLUMNS][LOOK_BLOCK];
} contact_block;

/* In the order of the lists, pairs before walls. Members of one assembly are not in contact, nor hard
 * contacts that carry nothing where nothing could move. Which count: see floc_world_get_contacts. */
typedef void (*contacts_sink)(void *context, const contact_block *block);
void contacts_visit(const contacts_source *source, contact_wants wants, contacts_sink sink, void *context);
/* A row of a block in which all was wanted as a struct, and back. */
void contact_of_block(const contact_block *block, int32_t row, floc_contact *contact);
void contact_to_block(const floc_contact *contact, int32_t row, contact_block *block);

#endif
