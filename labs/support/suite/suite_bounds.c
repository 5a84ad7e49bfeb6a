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

uint64_t bounds_of_buffer(size_t n)
{
    return (uint64_t)n + 64;
}
