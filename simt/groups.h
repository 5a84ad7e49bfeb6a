/* groups.h: sets of threads in words. Internal. */
#ifndef SIMT_GROUPS_H
#define SIMT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* member[0 .. count - 1] by thread number: "thread 7", "threads 0-15", "threads 0-15 and 3 more". With an
 * even pattern: "threads 0, 2, 4 ... 30". */
void group_text(const bool *member, unsigned count, char *text, size_t size);

#endif
