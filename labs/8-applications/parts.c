/* parts.c: the functions of lab 8, as the runner calls them. */
#include "parts.h"
#include "applications.h"

#pragma weak write_lines
#pragma weak tree_depths
#pragma weak histogram
#pragma weak compare_strings
#pragma weak linear_recurrence
#pragma weak polynomial_value
#pragma weak second_order
#pragma weak lex
#pragma weak split_segments
#pragma weak quicksort

PART(write_lines)
{
    return write_lines(a[0].pointer, a[1].pointer, a[2].integer);
}

PART(tree_depths)
{
    tree_depths(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PART(histogram)
{
    return histogram(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer);
}

PART(compare_strings)
{
    return compare_strings(a[0].pointer, a[1].integer, a[2].pointer, a[3].integer, a[4].pointer);
}

PART(linear_recurrence)
{
    linear_recurrence(a[0].pointer, a[1].pointer, (unsigned)a[2].integer, a[3].pointer, a[4].integer);
    return 0;
}

PART(polynomial_value)
{
    return polynomial_value(a[0].pointer, a[1].integer, (unsigned)a[2].integer);
}

PART(second_order)
{
    second_order(a[0].pointer, a[1].pointer, (unsigned)a[2].integer, (unsigned)a[3].integer, a[4].pointer,
                 a[5].integer);
    return 0;
}

PART(lex)
{
    return lex(a[0].pointer, a[1].pointer, a[2].pointer, a[3].integer);
}

PART(split_segments)
{
    split_segments(a[0].pointer, a[1].pointer, a[2].pointer, a[3].pointer, a[4].integer);
    return 0;
}

PART(quicksort)
{
    quicksort(a[0].pointer, a[1].pointer, a[2].integer);
    return 0;
}

PARTS = {
    PART_ROW_STOCK(write_lines, 3, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(tree_depths, 3, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(histogram, 4, STOCK_SCAN | STOCK_REDUCE | STOCK_SORT),
    PART_ROW_STOCK(compare_strings, 5, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(linear_recurrence, 5, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(polynomial_value, 3, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(second_order, 6, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(lex, 4, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(split_segments, 5, STOCK_SCAN | STOCK_REDUCE),
    PART_ROW_STOCK(quicksort, 3, STOCK_SCAN | STOCK_REDUCE),
    PARTS_END,
};
