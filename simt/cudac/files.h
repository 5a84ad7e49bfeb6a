/* files.h: whole files. Internal to the cudac program. */
#ifndef CUDAC_FILES_H
#define CUDAC_FILES_H

#include <stddef.h>

/* Reads a whole file into *text, which the caller frees. Returns 0 or an errno. */
int read_file(const char *path, char **text, size_t *size);

/* Puts the text at `path` wholly or not at all: it is written beside it and then renamed. What is no
 * regular file, such as /dev/null, is written directly. Returns 0 or an errno. */
int write_file(const char *path, const char *text, size_t size);

#endif
