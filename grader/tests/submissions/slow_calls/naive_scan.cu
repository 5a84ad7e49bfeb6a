/* Each call takes a second or so, and executes more than a call of its length may. */
#include "naive_scan.h"

static void dawdle()
{
    for (volatile long turn = 0; turn < 400000000; turn++)
        ;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    dawdle();
    (void)in, (void)out, (void)n;
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    dawdle();
    (void)in, (void)out, (void)n;
}
