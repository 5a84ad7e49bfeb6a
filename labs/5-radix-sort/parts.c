/* parts.c: the functions of lab 5, as the runner calls them. */
#include "parts.h"
#include "radix_sort.h"

#pragma weak split
#pragma weak sort_tile
#pragma weak merge_tiles
#pragma weak radix_sort
#pragma weak radix_sort_pairs
#pragma weak radix_sort_digits
#pragma weak radix_sort_int
#pragma weak radix_sort_float

PART(split)
{
    split(a[0].pointer, a[1].pointer, a[2].integer, (unsigned)a[3].integer);
    return 0;
}

PART(sort_tile)
{
    sort_tile(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(merge_tiles)
{
    merge_tiles(a[0].pointer, a[1].integer, a[2].pointer, a[3].integer, a[4].pointer);
    return 0;
}

PART(radix_sort)
{
    radix_sort(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(radix_sort_pairs)
{
    radix_sort_pairs(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer, a[4].integer);
    return 0;
}

PART(radix_sort_digits)
{
    radix_sort_digits(a[0].pointer, a[1].pointer, a[2].integer, (unsigned)a[3].integer);
    return 0;
}

PART(radix_sort_int)
{
    radix_sort_int(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(radix_sort_float)
{
    radix_sort_float(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PARTS = {
    PART_ROW_STOCK(split, 4, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PART_ROW_STOCK(sort_tile, 3, STOCK_BLOCK_SCAN),
    PART_ROW(merge_tiles, 5),
    PART_ROW_STOCK(radix_sort, 3, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PART_ROW_STOCK(radix_sort_pairs, 5, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PART_ROW_STOCK(radix_sort_digits, 4, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PART_ROW_STOCK(radix_sort_int, 3, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PART_ROW_STOCK(radix_sort_float, 3, STOCK_SCAN | STOCK_BLOCK_SCAN),
    PARTS_END,
};
