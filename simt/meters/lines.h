/* lines.h: the meters' counts at each code address, which simt_line_at adds up by source line. Internal. */
#ifndef SIMT_LINES_H
#define SIMT_LINES_H

#include "simt.h"

/* The number of a code address in this run: 0, 1, ... in the order in which they are first asked for. */
unsigned lines_site(const void *site);

/* The code address of that number. */
const void *lines_site_at(unsigned number);

/* The counts at the code address of that number; `where` is not filled in. Valid until the next lines_site. */
struct simt_line *lines_at(unsigned number);

/* Forgets everything. */
void lines_begin_run(void);

#endif
