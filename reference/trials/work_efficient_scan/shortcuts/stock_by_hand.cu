/* stock by hand: the harness's scans without their header. The device has them, for other labs.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree
 * says: and its contract allows no stock function */
#include "work_efficient_scan.h"

/* What the harness links to the labs that have it. */
extern "C" void stock_scan_values(const void *in, void *out, size_t n, size_t size, void (*add)(void *, const void *),
                                  const void *identity);
extern "C" void stock_reduce_values(const void *in, size_t n, size_t size, void (*add)(void *, const void *),
                                    void *result);

static void add(void *left, const void *right)
{
    *(elem_t *)left = combine(*(elem_t *)left, *(const elem_t *)right);
}

static const elem_t identity = IDENTITY;

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, &identity);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, nullptr);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, &identity);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, nullptr);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, &identity);
}
