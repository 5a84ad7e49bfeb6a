/* stock by hand: the harness's scans without their header. The device has them, for other labs.
 *
 * parts: scan_inclusive scan_exclusive scan_single_pass
 * says: and its contract allows no stock function */
#include "arbitrary_length_scan.h"

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

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, nullptr);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, nullptr);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, add, &identity);
}
