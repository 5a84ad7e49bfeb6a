/* scopes.h: the scopes of a source around a code address, by libdw. Internal. */
#ifndef SIMT_SCOPES_H
#define SIMT_SCOPES_H

#include <elfutils/libdw.h>
#include <dwarf.h>
#include <stdbool.h>

enum { MAX_SCOPES = 64 /* nested scopes; deeper ones are ignored */ };

/* Nested scopes, innermost last. */
struct scopes {
    Dwarf_Die at[MAX_SCOPES];
    int count;
};

/* Finds the compilation unit of an address. Returns `unit`, or null when there is none. */
Dwarf_Die *scopes_find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *unit);

/* Finds the scopes around an address, with each inlined call in the function into which it was inlined. */
void scopes_at(Dwarf_Die *unit, Dwarf_Addr address, struct scopes *scopes);

/* A place in a student's file: functions that are inlined from headers of the course or the system are skipped. */
struct place {
    const char *file;     /* its path; null if unknown */
    int line;             /* 0 if unknown */
    const char *function; /* null if unknown */
    bool is_students;     /* the file is one that a student wrote */
};

void scopes_place(struct scopes *scopes, Dwarf_Addr address, struct place *place);

#endif
