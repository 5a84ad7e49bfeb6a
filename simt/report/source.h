/* source.h: from addresses to the student's own words, by libdw (DWARF). Internal. */
#ifndef SIMT_SOURCE_H
#define SIMT_SOURCE_H

#include "simt.h"
#include <stdbool.h>
#include <stddef.h>

/* The location of a code address (just after the instruction meant). Inlined helpers from the device's own
 * headers are skipped: the location is the innermost line in a file that is not one of ours. */
void source_location(const void *site, struct simt_location *location);

/* Do two code addresses stem from one line? False where either's line is not known, unless they are the same. */
bool source_same_line(const void *a, const void *b);

/* And from one statement of it? */
bool source_same_statement(const void *a, const void *b);

/* Is a code address in code that came from a .cu or .cuh file? The location of one that is inlined there counts. */
bool source_is_students(const void *site);

/* The name of the function that starts at, or holds, a code address, without parameters and
 * return type; "?" when not known. The text lives as long as the process. */
const char *source_function(const void *address);

/* The variable at an address, and its element; of allocations the nearest one. It has no name when there is none. */
struct simt_variable source_variable(const void *address);

/* The byte at an offset in the dynamic shared memory of the launch, or before it. */
struct simt_variable source_dynamic_shared(long offset);

/* The variable or allocation that holds an address. */
struct source_extent {
    const char *begin;
    size_t bytes;
    size_t element;   /* bytes of one element; of the whole when it is no array, 1 when that is not known */
    int dimensions;   /* 0: no array */
    size_t extent[4]; /* elements, outermost first; of a variable that is an array */
    char kind;        /* of an element: 'i' signed, 'u' unsigned, 'f' floating, 's' struct; 0: not known */
    char name[64];
};

/* False when it is not known. */
bool source_extent(const void *address, struct source_extent *extent);

/* The name of the variable in scope at a code address whose type is this array type ("int [512]"); empty
 * when there is none, or more than one. For where the source cannot be read: see source_text.h. */
void source_array(const void *site, const char *type, char *name, size_t size);

#endif
