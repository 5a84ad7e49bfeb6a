/* parts.h: how the runner finds and calls a lab's functions.
 *
 * From a lab's contract and its lab.toml make writes the list of its parts, parts.def (labs/support/tools/make_parts.py).
 * From that list parts.cpp makes the table that the runner looks up by its name, `lab_parts`: one row a part, ended by a
 * row without a name. It is linked into the shared library with the student's code.
 *
 * The functions are weak: one that the student's file does not define is null, and reported as missing. */
#ifndef LABS_PARTS_H
#define LABS_PARTS_H

#include <stdint.h>

/* What the harness has for parts that are not about it: see labs/stock. */
enum stock_functions { STOCK_SCAN = 1, STOCK_REDUCE = 2, STOCK_SORT = 4, STOCK_BLOCK_SCAN = 8 };

union part_value {
    void *pointer;    /* on the device; of an array argument */
    uint64_t integer; /* of a scalar argument */
};

struct part {
    const char *name;                             /* null ends the table */
    void (*function)(void);                       /* the student's function; null when it is missing */
    uint64_t (*call)(const union part_value a[]); /* calls it; the count it returns, or 0 */
    unsigned arguments;                           /* how many values `call` reads */
    unsigned stock;                               /* enum stock_functions that it may call, or-ed */
};

#define PARTS_SYMBOL "lab_parts"

#endif
