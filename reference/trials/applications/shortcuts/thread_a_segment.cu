/* The thread of a segment's head rearranges the whole segment, in three loops: shared while segments are short.
 *
 * parts: split_segments
 * says: one thread does the work */
#include "applications.h"

__device__ size_t put(const unsigned *in, unsigned *out, unsigned *out_heads, size_t begin, size_t end, size_t to, int order)
{
    const unsigned pivot = in[begin + (end - begin) / 2];
    const size_t first = to;
    for (size_t i = begin; i < end; i++)
        if ((in[i] > pivot) - (in[i] < pivot) == order) {
            out_heads[to] = to == first;
            out[to++]     = in[i];
        }
    return to;
}

__global__ void segments_kernel(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    size_t begin = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (begin >= n || !heads[begin])
        return;
    size_t end = begin + 1, to = begin;
    while (end < n && !heads[end])
        end++;
    for (int order = -1; order <= 1; order++)
        to = put(in, out, out_heads, begin, end, to, order);
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (n > 0)
        segments_kernel<<<(unsigned)((n + 255) / 256), 256>>>(in, heads, out, out_heads, n);
}
