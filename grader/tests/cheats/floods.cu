/* Prints until a pipe or a disk is full, and solves nothing.
 *
 * says: scan_quadratic */
#include "naive_scan.h"
#include <stdio.h>


void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    for (int i = 0; i < 1 << 17; i++)
        printf("a hundred and twenty eight characters, more or less, of which nobody needs a single one, over and over\n");
    (void)in, (void)out, (void)n;
}
