/* source_text.h: reads names from the text of a source that debug information does not have. Internal. */
#ifndef SIMT_SOURCE_TEXT_H
#define SIMT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The name of the array or member whose subscript ends with the `]` at this line and column, which count from 1.
 * Returns false when the file cannot be read, has changed since the module at `site` was built, or has no name
 * there. */
bool source_text_indexed(const void *site, const char *file, unsigned line, unsigned column, char *name,
                         size_t size);

/* The pointer that the only allocating call at this line sets: `values` in cudaMalloc(&values, bytes). Returns false when
 * there is no such name, and in the same cases as above. */
bool source_text_allocated(const void *site, const char *file, unsigned line, char *name, size_t size);

/* Does this line name the variable? False in the same cases as above. */
bool source_text_mentions(const void *site, const char *file, unsigned line, const char *name);

/* Does this line use the variable in one place only, and change it there by an operator that reads it first, as in
 * count[i]++ or count[i] += x? False in the same cases as above. */
bool source_text_changes(const void *site, const char *file, unsigned line, const char *name);

#endif
