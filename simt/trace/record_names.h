/* record_names.h: writes the parts of a record's lines: texts, bytes, and numbers for code addresses and arrays.
 * When a number is needed for the first time, it is assigned and a line that describes it is written. Internal. */
#ifndef SIMT_RECORD_NAMES_H
#define SIMT_RECORD_NAMES_H

#include "core/observer.h"

#include <stdio.h>

enum { RECORD_MOST_BYTES = 1 << 16 /* of one access or copy; the rest of its value is not recorded */ };

extern FILE *record_file; /* null when nothing is recorded */

/* Writes a text as a JSON string. */
void record_text(const char *text);

/* Writes a comma and the bytes of a value in hexadecimal, in memory order. Of a long value, only the first bytes. */
void record_bytes(const void *bytes, size_t count);

/* The number of a code address; and the source line of that number, 0 when it is unknown. */
size_t record_site(const void *site);
int record_line(size_t site);

/* The number of the array that contains an address; and where the array with that number begins. `region` is the
 * allocation, or null. */
size_t record_array(const char *address, enum memory_space space, const struct region *region);
const char *record_begin(size_t array);

#endif
