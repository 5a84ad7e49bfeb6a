/* files.h: reads and writes whole files. Internal to the cudac program. */
#ifndef CUDAC_FILES_H
#define CUDAC_FILES_H

#include <stddef.h>

/* Reads a whole file into *text, which the caller frees. Returns 0 or an errno. */
int read_file(const char *path, char **text, size_t *size);

/* Writes the text to `path` completely or not at all: it is written to a temporary file in the same folder, which
 * is then renamed. A path that is not a regular file, such as /dev/null, is written directly. Returns 0 or an
 * errno. */
int write_file(const char *path, const char *text, size_t size);

#endif
