/* parts.h: how the runner finds and calls a lab's functions.
 *
 * make writes the list of a lab's parts, parts.def, from its contract and its lab.toml
 * (labs/support/tools/make_parts.py). parts.cpp turns the list into the table `lab_parts`, which the runner looks
 * up by that name: one row for each part, ended by a row without a name. The table is linked into the shared
 * library with the student's code.
 *
 * The functions are weak: one that the student's file does not define is null and is reported as missing. */
#ifndef LABS_PARTS_H
#define LABS_PARTS_H

#include <stdint.h>

/* Functions that the harness provides for parts that are not about them: see labs/stock. */
enum stock_functions { STOCK_SCAN = 1, STOCK_REDUCE = 2, STOCK_SORT = 4, STOCK_BLOCK_SCAN = 8 };

union part_value {
    void *pointer;    /* device pointer of an array argument */
    uint64_t integer; /* value of a scalar argument */
};

struct part {
    const char *name;                             /* null ends the table */
    void (*function)(void);                       /* the student's function; null when it is missing */
    uint64_t (*call)(const union part_value a[]); /* calls it; returns its count, or 0 */
    unsigned arguments;                           /* number of values that `call` reads */
    unsigned stock;                               /* enum stock_functions that it may call, or-ed */
};

#define PARTS_SYMBOL "lab_parts"

#endif
