/* parts.c: the functions of lab 1, as the runner calls them. */
#include "parts.h"
#include "reduction.h"

#pragma weak reduce_tile
#pragma weak reduce_tile_packed
#pragma weak reduce

PART(reduce_tile)
{
    reduce_tile(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(reduce_tile_packed)
{
    reduce_tile_packed(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(reduce)
{
    reduce(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

#if MONOID == MONOID_FLOAT_SUM
#pragma weak mean
PART(mean)
{
    mean(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}
#endif

PARTS = {
    PART_ROW(reduce_tile, 3),
    PART_ROW(reduce_tile_packed, 3),
    PART_ROW(reduce, 3),
#if MONOID == MONOID_FLOAT_SUM
    PART_ROW(mean, 3),
#endif
    PARTS_END,
};
