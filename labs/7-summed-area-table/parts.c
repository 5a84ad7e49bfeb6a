/* parts.c: the functions of lab 7, as the runner calls them. */
#include "parts.h"
#include "summed_area_table.h"

#pragma weak scan_rows
#pragma weak scan_columns
#pragma weak sat
#pragma weak box_filter
#pragma weak depth_of_field

PART(scan_rows)
{
    scan_rows(a[0].pointer, a[1].pointer, a[2].integer, a[3].integer);
    return 0;
}

PART(scan_columns)
{
    scan_columns(a[0].pointer, a[1].pointer, a[2].integer, a[3].integer);
    return 0;
}

PART(sat)
{
    sat(a[0].pointer, a[1].pointer, a[2].integer, a[3].integer);
    return 0;
}

PART(box_filter)
{
    box_filter(a[0].pointer, a[1].pointer, a[2].integer, a[3].integer, a[4].integer);
    return 0;
}

PART(depth_of_field)
{
    depth_of_field(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer, a[4].integer,
                   (unsigned)a[5].integer, (unsigned)a[6].integer, (unsigned)a[7].integer);
    return 0;
}

PARTS = {
    PART_ROW(scan_rows, 4),  PART_ROW(scan_columns, 4),   PART_ROW(sat, 4),
    PART_ROW(box_filter, 5), PART_ROW(depth_of_field, 8), PARTS_END,
};
