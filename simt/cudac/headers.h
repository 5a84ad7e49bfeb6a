/* headers.h: translates the program's own headers as its sources are translated. Internal to the cudac program. */
#ifndef CUDAC_HEADERS_H
#define CUDAC_HEADERS_H

#include "cudac.h"

enum { HEADER_FOLDERS = 64 };

struct header_folders {
    const char *output;                 /* an existing folder, where translations go */
    const char *folder[HEADER_FOLDERS]; /* searched in this order, after the includer's folder */
    size_t count;
    const char *
        own; /* of the device's headers, which come before those of the folders, and stay as they are; or null */
};

struct header_search;

/* Starts a search for the headers of the file `source`. Returns null when memory runs out. The folders must outlive
 * the search. */
struct header_search *headers_begin(const struct header_folders *folders, const char *source);

/* The function `find` of struct cudac_headers; `context` is the search. Translates each header, and what it
 * includes, once. */
const char *headers_find(void *context, const char *spelled, bool quoted, struct cudac_error *error);

void headers_end(struct header_search *search); /* the search may be null */

#endif
