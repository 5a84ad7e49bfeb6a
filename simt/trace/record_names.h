/* record_names.h: what the lines of a record are made of: texts, bytes, and numbers for code addresses and arrays. A
 * number is given when it is first asked for, and then a line that describes it is written. Internal. */
#ifndef SIMT_RECORD_NAMES_H
#define SIMT_RECORD_NAMES_H

#include "core/observer.h"

#include <stdio.h>

enum { RECORD_MOST_BYTES = 1 << 16 /* of one access or copy whose value is written down */ };

extern FILE *record_file; /* null: nothing is recorded */

/* A text in quotes, as JSON has it. */
void record_text(const char *text);

/* A comma, and the bytes of a value in hexadecimal, as they lie in memory; of long ones, the first. */
void record_bytes(const void *bytes, size_t count);

/* The number of a code address, and its line in the source; 0 when that is not known. */
size_t record_site(const void *site);
int record_line(size_t site);

/* The number of the array that holds an address, and where it begins. `region` is of an allocation, or null. */
size_t record_array(const char *address, enum memory_space space, const struct region *region);
const char *record_begin(size_t array);

#endif
