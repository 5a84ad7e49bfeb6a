/* managed: memory that both sides reach: a copy on the device, and the host works in it.
 *
 * parts: map_to_boolean scatter compact compact_warp
 * says: the host gets the data */
#include "compaction.h"

template <class T> T *shared_copy(const T *of, size_t n)
{
    T *copy;
    cudaMallocManaged((void **)&copy, (n + 1) * sizeof(T));
    cudaMemcpy(copy, of, n * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    return copy;
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    int *all = shared_copy(in, n);
    for (size_t i = 0; i < n; i++)
        all[i] = keep(all[i]);
    cudaMemcpy(flags, all, n * sizeof *flags, cudaMemcpyDeviceToDevice);
    cudaFree(all);
}

/* Returns how many were kept. */
size_t keep_flagged(int *all, const unsigned *flag, int *out, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (flag ? flag[i] != 0 : keep(all[i]))
            all[count++] = all[i];
    cudaMemcpy(out, all, count * sizeof *out, cudaMemcpyDeviceToDevice);
    cudaFree(all);
    return count;
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    unsigned *flag = shared_copy(flags, n);
    (void)slots;
    keep_flagged(shared_copy(in, n), flag, out, n);
    cudaFree(flag);
}

size_t compact(const int *in, int *out, size_t n)
{
    return keep_flagged(shared_copy(in, n), nullptr, out, n);
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
