/* parts.c: the functions of lab 2, as the runner calls them. */
#include "parts.h"
#include "naive_scan.h"

#pragma weak scan_quadratic
#pragma weak scan_double_buffered
#pragma weak scan_in_place
#pragma weak scan_global
#pragma weak inclusive_to_exclusive
#pragma weak exclusive_to_inclusive

PART(scan_quadratic)
{
    scan_quadratic(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_double_buffered)
{
    scan_double_buffered(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_in_place)
{
    scan_in_place(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(scan_global)
{
    scan_global(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(inclusive_to_exclusive)
{
    inclusive_to_exclusive(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(exclusive_to_inclusive)
{
    exclusive_to_inclusive(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer);
    return 0;
}

PARTS = {
    PART_ROW(scan_quadratic, 3),
    PART_ROW(scan_double_buffered, 3),
    PART_ROW(scan_in_place, 3),
    PART_ROW(scan_global, 3),
    PART_ROW(inclusive_to_exclusive, 3),
    PART_ROW(exclusive_to_inclusive, 4),
    PARTS_END,
};
