/*
 * Contact laws: what decides the bounds of contacts' impulses, and what pairs remember of it. A law is one file
 * that fills in one of these, and one line in laws.c; a host's law
 * (floc_contact_law_add()) goes through host.c.
 *
 * After contacts are assembled each law that acts in a world fills its columns of the set: `lower`, `friction`,
 * `rolling`, `twisting`, and first guesses (contacts/problem/problem.h says what they bound). Inelastic contacts
 * need no law: lower is 0. After the solve laws may settle, which can fail and still lets the step be given up;
 * then pairs remember. Laws stand in the order of the list, so a later one sees and may change what earlier ones
 * have filled in.
 */
#ifndef FLOC_CONTACTS_LAWS_LAW_H
#define FLOC_CONTACTS_LAWS_LAW_H

#include "contacts/assembly/assembly.h"
#include "contacts/laws/host.h"

/* What a law's functions see. */
typedef struct law_input {
  const contact_source *source;
  const contact_laws *laws;
  const contact_law *law;
  contact_set *set;
} law_input;

struct contact_law_type {
  const char *name;
  /* Whether it acts in a world with these options. */
  bool (*acts)(const floc_projection_options *options);
  /* Names of the numbers that pairs remember, up to the first NULL; in the plane those from plane_first on. */
  const char *memory[LAW_MEMORY];
  int32_t plane_first;
  bool turns; /* they are a vector on the particle with the higher id, or on the prescribed body */
  bool holds; /* pairs whose first number is not 0 stay contacts at any distance; `lower` begins with it */
  floc_status (*fill)(const law_input *input);
  floc_status (*settle)(const law_input *input); /* NULL: nothing to do */
  double (*remember)(const law_input *input, int64_t contact, int32_t number);
};

/* A column of what pairs remember, turned the way the contact stands; what turns is a first guess, and 0 without
 * warm start. */
floc_status law_recall(const law_input *input, int32_t number, double **column);
/* A column of the set, in scratch memory. */
floc_status law_column(const law_input *input, double **column);

/* Those of the list that act, with their memory added to pairs. state: what their functions find in input->laws. */
floc_status contact_laws_create(contact_laws *laws, const host_laws *hosts, neighbors *near, int32_t dimension);

/* Memory for several contacts of a pair, where grains are not round. */
floc_status contact_laws_take_shapes(contact_laws *laws, neighbors *near, int32_t dimension);

extern const contact_law_type law_gluey, law_coulomb, law_rolling, law_host;

#endif
