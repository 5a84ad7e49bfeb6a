/* stock: quicksort by the harness's sort, which histogram has it for.
 *
 * parts: quicksort
 * says: calls stock_sort, and its contract allows */
#include "applications.h"

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    stock_sort(in, out, n);
}
