/* parts.h: how the runner finds and calls a lab's functions.
 *
 * A lab's parts.c is linked into the shared library with the student's code. It defines the table that the
 * runner looks up by its name, `lab_parts`: one row a part, ended by a row without a name.
 *
 *     #pragma weak scan_in_place
 *     PART(scan_in_place) { scan_in_place(a[0].pointer, a[1].pointer, a[2].integer); return 0; }
 *     PARTS = {PART_ROW(scan_in_place, 3), PARTS_END};
 *
 *     PART_ROW_STOCK(compact, 3, STOCK_SCAN)    one that may call stock scans
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
    double real;      /* the same, when the part takes a float or double */
};

struct part {
    const char *name;                             /* null ends the table */
    void (*function)(void);                       /* the student's function; null when it is missing */
    uint64_t (*call)(const union part_value a[]); /* calls it; the count it returns, or 0 */
    unsigned arguments;                           /* how many values `call` reads */
    unsigned stock;                               /* enum stock_functions that it may call, or-ed */
};

#define PART(name)                static uint64_t call_##name(const union part_value a[])
#define PART_ROW(name, arguments) PART_ROW_STOCK(name, arguments, 0)
#define PART_ROW_STOCK(name, arguments, stock)                                                               \
    {                                                                                                        \
#name, (void (*)(void))name, call_##name, arguments, stock                                           \
    }
#define PARTS_END                                                                                            \
    {                                                                                                        \
        0, 0, 0, 0, 0                                                                                        \
    }
#define PARTS_SYMBOL "lab_parts"
#define PARTS                                                                                                \
    extern const struct part lab_parts[] __attribute__((visibility("default")));                             \
    const struct part lab_parts[]

#endif
