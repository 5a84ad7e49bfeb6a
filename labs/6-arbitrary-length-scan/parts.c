/* parts.c: the functions of lab 6, as the runner calls them. */
#include "parts.h"
#include "arbitrary_length_scan.h"

#pragma weak scan_tiles
#pragma weak add_block_sums
#pragma weak scan_inclusive
#pragma weak scan_exclusive
#pragma weak scan_single_pass

PART(scan_tiles)
{
    scan_tiles(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer);
    return 0;
}

PART(add_block_sums)
{
    add_block_sums(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer);
    return 0;
}

PART(scan_inclusive)
{
    scan_inclusive(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_exclusive)
{
    scan_exclusive(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_single_pass)
{
    scan_single_pass(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PARTS = {
    PART_ROW(scan_tiles, 4),     PART_ROW(add_block_sums, 4),   PART_ROW(scan_inclusive, 3),
    PART_ROW(scan_exclusive, 3), PART_ROW(scan_single_pass, 3), PARTS_END,
};
