/*
 * Contact laws of a host (floc_contact_law_add()): the list that a world keeps.
 */
#ifndef FLOC_CONTACTS_LAWS_HOST_H
#define FLOC_CONTACTS_LAWS_HOST_H

#include "base/environment.h"

#include "floc/floc.h"

enum { HOST_LAWS_MOST = 4, HOST_LAW_NAME = 16, HOST_LAW_MEMORY = 4 };

typedef struct host_law {
  floc_contact_law_type given; /* its strings are not to be used */
  char name[HOST_LAW_NAME];
  char memory[HOST_LAW_MEMORY][2 * HOST_LAW_NAME]; /* LAW.NUMBER */
} host_law;

typedef struct host_laws {
  host_law law[HOST_LAWS_MOST];
  int32_t count;
} host_laws;

floc_status host_laws_add(environment *env, host_laws *all, const floc_contact_law_type *given);

#endif
