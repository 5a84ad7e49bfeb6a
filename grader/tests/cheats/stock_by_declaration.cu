/* Declares a stock function that this lab does not have.
 *
 * says: stock_ */
#include "naive_scan.h"

extern "C" void stock_scan_inclusive(const int *in, int *out, size_t n);


void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive((const int *)in, (int *)out, n);
}
