/* suite_bounds.c: see suite_bounds.h. */
#include "suite_bounds.h"

uint64_t bounds_one(size_t n)
{
    (void)n;
    return 1;
}

uint64_t bounds_of_reduction(size_t n)
{
    return 2 * (uint64_t)n;
}

uint64_t bounds_of_scan(size_t n)
{
    return 3 * (uint64_t)n + 64;
}

/* A block may fill its buffer, also behind a short input. At one full tile, a second buffer is over the bound. */
uint64_t bounds_of_buffer(size_t n)
{
    (void)n;
    return suite_tile() + 64;
}
