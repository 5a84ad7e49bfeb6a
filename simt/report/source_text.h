/* source_text.h: what the text of a source says that debug information does not. Internal. */
#ifndef SIMT_SOURCE_TEXT_H
#define SIMT_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The name of the array, or of the member, whose subscript ends with the `]` at this line and column, both from 1 on. False
 * when the file cannot be read, has changed after the module at `site` was built, or has no name there. */
bool source_text_indexed(const void *site, const char *file, unsigned line, unsigned column, char *name,
                         size_t size);

#endif
