/* lines.h: the meters' counts for each code address, which simt_line_at adds up by source line. Internal. */
#ifndef SIMT_LINES_H
#define SIMT_LINES_H

#include "simt.h"

/* Reallocates memory of a meter. Ends the process when there is none, because a meter must not lose counts. */
void *lines_grown(void *memory, size_t bytes);

/* The number of a code address in this run: 0, 1, ... in the order of the first calls. */
unsigned lines_site(const void *site);

/* The code address with this number. */
const void *lines_site_at(unsigned number);

/* The counts of the code address with this number; `where` is not filled in. Valid until the next call of
 * lines_site. */
struct simt_line *lines_at(unsigned number);

/* Removes all counts. */
void lines_begin_run(void);

#endif
