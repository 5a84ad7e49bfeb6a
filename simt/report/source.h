/* source.h: maps addresses to names and lines of the source, by libdw (DWARF). Internal. */
#ifndef SIMT_SOURCE_H
#define SIMT_SOURCE_H

#include "simt.h"
#include <stdbool.h>
#include <stddef.h>

/* The location of a code address just after the instruction. Functions that are inlined from headers of the course
 * or the system are skipped: the location is the innermost line in a student's file. */
void source_location(const void *site, struct simt_location *location);

/* Do two code addresses belong to one source line? False if a line is unknown, unless the addresses are equal. */
bool source_same_line(const void *a, const void *b);

/* Do they belong to one statement of that line? */
bool source_same_statement(const void *a, const void *b);

/* Does its line change the variable by an operator that reads it first, as in count[i]++? */
bool source_changes(const void *site, const char *variable);

/* Does its line name the variable? False when the source cannot be read. */
bool source_mentions(const void *site, const char *variable);

/* Does a code address belong to a .cu or .cuh file, or to code that is inlined there? */
bool source_is_students(const void *site);

/* The name of the function that contains a code address, without parameters and return type; "?" if unknown. The
 * text lives as long as the process. */
const char *source_function(const void *address);

/* The variable at an address and its element; for allocations the nearest one. It has no name when there is none. */
struct simt_variable source_variable(const void *address);

/* The byte at an offset in the launch's dynamic shared memory, or before it. */
struct simt_variable source_dynamic_shared(long offset);

/* The variable or allocation that contains an address. */
struct source_extent {
    const char *begin;
    size_t bytes;
    size_t element;   /* bytes of one element; of the whole if it is not an array; 1 if unknown */
    int dimensions;   /* 0: not an array */
    size_t extent[4]; /* elements, outermost first; of a variable that is an array */
    char kind;        /* of an element: 'i' signed, 'u' unsigned, 'f' floating, 's' struct; 0: unknown */
    char name[64];
};

/* Returns false if the address is in none. */
bool source_extent(const void *address, struct source_extent *extent);

/* The name of the variable in scope at a code address that has this array type ("int [512]"); empty when there is
 * none or more than one. Used when the source cannot be read: see source_text.h. */
void source_array(const void *site, const char *type, char *name, size_t size);

#endif
