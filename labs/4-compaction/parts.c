/* parts.c: the functions of lab 4, as the runner calls them. */
#include "parts.h"
#include "compaction.h"

#pragma weak map_to_boolean
#pragma weak scatter
#pragma weak compact
#pragma weak compact_warp

PART(map_to_boolean)
{
    map_to_boolean(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scatter)
{
    scatter(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer, a[4].integer);
    return 0;
}

PART(compact)
{
    return compact(a[0].pointer, a[1].pointer, a[2].integer);
}

PART(compact_warp)
{
    return compact_warp(a[0].pointer, a[1].pointer, a[2].integer);
}

PARTS = {
    PART_ROW(map_to_boolean, 3),
    PART_ROW(scatter, 5),
    PART_ROW_STOCK(compact, 3, STOCK_SCAN),
    PART_ROW_STOCK(compact_warp, 3, STOCK_SCAN),
    PARTS_END,
};
