/*
 * What the parts of floc_file_* share.
 */
#ifndef FLOC_FILES_FILE_API_H
#define FLOC_FILES_FILE_API_H

#include "base/section.h"

/* Section number index of an open file; NULL if there is none. */
const section *file_section(const floc_file *file, int32_t index);
const section_list *file_sections(const floc_file *file);

#endif
