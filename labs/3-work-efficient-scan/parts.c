/* parts.c: the functions of lab 3, as the runner calls them. */
#include "parts.h"
#include "work_efficient_scan.h"

#pragma weak scan_blelloch
#pragma weak scan_brent_kung
#pragma weak scan_conflict_free
#pragma weak scan_coarsened
#pragma weak scan_global_tree

PART(scan_blelloch)
{
    scan_blelloch(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_brent_kung)
{
    scan_brent_kung(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_conflict_free)
{
    scan_conflict_free(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_coarsened)
{
    scan_coarsened(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_global_tree)
{
    scan_global_tree(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PARTS = {
    PART_ROW(scan_blelloch, 3),  PART_ROW(scan_brent_kung, 3),  PART_ROW(scan_conflict_free, 3),
    PART_ROW(scan_coarsened, 3), PART_ROW(scan_global_tree, 3), PARTS_END,
};
