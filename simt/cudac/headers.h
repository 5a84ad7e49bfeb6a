/* headers.h: the headers of a program's own, translated as its sources are. Internal to the cudac program. */
#ifndef CUDAC_HEADERS_H
#define CUDAC_HEADERS_H

#include "cudac.h"

enum { HEADER_FOLDERS = 64 };

struct header_folders {
    const char *output; /* where translations go; it exists */
    const char
        *folder[HEADER_FOLDERS]; /* searched after the folder of the file that includes, in this order */
    size_t count;
};

struct header_search;

/* `source` is the file that is translated. Null for want of memory. The folders outlive the search. */
struct header_search *headers_begin(const struct header_folders *folders, const char *source);

/* For struct cudac_headers: `context` is the search. Translates each header once, and what it includes. */
const char *headers_find(void *context, const char *spelled, struct cudac_error *error);

void headers_end(struct header_search *search); /* which may be null */

#endif
