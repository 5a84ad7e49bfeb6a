/* rows.cpp: see kinds.h. */
#include "kinds.h"

/* Functions that do n log n work, or a launch for each bit, would take too long on the longest inputs. */
const struct row rows[] = {
    {REDUCE, "reduction", "reduce", -1, 31, false},
    {SCAN, "naive_scan", "scan_global", -1, 26, false},
    {SCAN, "work_efficient_scan", "scan_global_tree", -1, 28, true},
    {SCAN, "arbitrary_length_scan", "scan_inclusive", -1, 31, false},
    {SCAN, "arbitrary_length_scan", "scan_single_pass", -1, 31, false},
    {COMPACT, "compaction", "compact", -1, 31, false},
    {COMPACT, "compaction", "compact_warp", -1, 31, false},
    {SORT, "radix_sort", "radix_sort", -1, 31, false},
    {SORT, "radix_sort", "radix_sort_digits", 8, 31, false},
    {SORT_INT, "radix_sort", "radix_sort_int", -1, 31, false},
    {SORT_FLOAT, "radix_sort", "radix_sort_float", -1, 31, false},
    {SORT_PAIRS, "radix_sort", "radix_sort_pairs", -1, 31, false},
    {SORT_LONG, "radix_sort", "radix_sort_long", -1, 31, false},
    {SCAN_ROWS, "summed_area_table", "scan_rows", -1, 31, false},
    {SCAN_COLUMNS, "summed_area_table", "scan_columns", -1, 31, false},
    {TABLE, "summed_area_table", "sat", -1, 31, false},
    {TASKS, nullptr, nullptr, -1, 0, false},
};

bool is_image(enum task task)
{
    return task >= SCAN_ROWS;
}

size_t rows_of(size_t n)
{
    size_t rows = 1;
    while (4 * rows * rows <= n)
        rows *= 2;
    return rows;
}

size_t length_of(enum task task, int log2, size_t add)
{
    const size_t n = (size_t)1 << log2;
    return n + add * (is_image(task) ? rows_of(n) : 1);
}

size_t in_bytes(enum task task)
{
    return task == SORT_PAIRS || task == SORT_LONG ? 8 : 4;
}

size_t out_bytes(enum task task)
{
    return task == TABLE ? 8 : in_bytes(task);
}

size_t result_bytes(enum task task, size_t n, uint64_t kept)
{
    return task == REDUCE ? 4 : task == COMPACT ? 4 * kept : n * out_bytes(task);
}

double least_bytes(enum task task, double n, double kept)
{
    return task == REDUCE    ? 4 * n
           : task == COMPACT ? 4 * n + 4 * kept
                             : n * (double)(in_bytes(task) + out_bytes(task));
}
