/*
 * A cluster_set in a checkpoint: tables of numbers from which it is built again to the last bit. Chains of
 * members keep their order (sums run along them); cells are filled again, whose order changes no result.
 */
#ifndef FLOC_SCHEMES_AGGREGATION_SECTIONS_H
#define FLOC_SCHEMES_AGGREGATION_SECTIONS_H

#include "base/section.h"
#include "schemes/aggregation/clusters.h"

/* A table that lives in `memory` and is listed under prefix/name; NULL on failure, with *status set. Does
 * nothing if *status is a failure already. */
void *section_table(arena *memory, section_list *list, const char *prefix, const char *name, const char *type,
                    int64_t rows, int64_t columns, bool is_state, floc_status *status);
/* section_expect for prefix/name. */
floc_status section_expect_table(const section_list *list, const char *prefix, const char *name, const char *type,
                                 uint64_t rows, uint64_t columns, const section **found);

/* Lists the set; its clusters come in the order of their numbers. */
floc_status cluster_set_list(const cluster_set *set, arena *memory, section_list *list, const char *prefix);
/* Builds an empty set again; FLOC_DAMAGED_FILE if the tables contradict each other. */
floc_status cluster_set_restore(cluster_set *set, const section_list *list, const char *prefix,
                                int64_t particle_count);

/* A scheme's report as integers: the size of the struct, then its members of 8 bytes, the first of which is `first`
 * bytes from its start. A report of another size is left as it is. */
#define REPORT_WORDS(size, first) (1 + ((size) - (first)) / sizeof(int64_t))
void section_write_report(int64_t *words, const void *report, size_t size, size_t first);
void section_read_report(void *report, size_t size, size_t first, const section *words);
/* They must be counts from 0 on, and one double `number_at` bytes from the start of the struct. */
floc_status section_check_report(environment *env, const section *report, size_t first, size_t number_at);

#endif
