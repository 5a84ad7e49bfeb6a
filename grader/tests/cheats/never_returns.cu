/* Host code that never comes back.
 *
 * says: host code does not end */
#include "naive_scan.h"


void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    while (n > 0)
        n |= 1;
    (void)in, (void)out;
}
