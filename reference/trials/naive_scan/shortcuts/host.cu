/* host: the arrays come to the host, which loops over them, and go back.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive
 * says: the host gets the data */
#include "naive_scan.h"
#include <vector>

std::vector<elem_t> fetch(const elem_t *from, size_t n)
{
    std::vector<elem_t> all(n);
    cudaMemcpy(all.data(), from, n * sizeof(elem_t), cudaMemcpyDeviceToHost);
    return all;
}

void send(elem_t *to, const std::vector<elem_t> &all)
{
    cudaMemcpy(to, all.data(), all.size() * sizeof(elem_t), cudaMemcpyHostToDevice);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> all = fetch(in, n);
    for (size_t i = 1; i < n; i++)
        all[i] = combine(all[i - 1], all[i]);
    send(out, all);
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> all = fetch(in, n);
    for (size_t i = n; i-- > 0;)
        all[i] = i > 0 ? all[i - 1] : IDENTITY;
    send(out, all);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> all = fetch(scanned, n), own = fetch(in, n);
    for (size_t i = 0; i < n; i++)
        all[i] = combine(all[i], own[i]);
    send(out, all);
}
