/* Every level of the tree a launch: no shared memory, no barrier. Neighbours add up in one scratch array and in
 * another by turns. The mean goes through host memory.
 *
 * parts: reduce mean */
#include "reduction.h"

enum { THREADS = 64 };

/* to[i] = from[2i] + from[2i + 1]; an element without a neighbour is copied. */
__global__ void pairs_kernel(const elem_t *from, elem_t *to, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < count)
        to[i] = combine(from[2 * i], from[2 * i + 1]);
    else if (2 * i < count)
        to[i] = from[2 * i];
}

__global__ void nothing_kernel(elem_t *out) { *out = IDENTITY; }

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0) {
        nothing_kernel<<<1, 1>>>(out);
        return;
    }
    elem_t *scratch = nullptr;
    size_t half     = (n + 1) / 2;
    if (n > 2)
        cudaMalloc(&scratch, (half + (half + 1) / 2) * sizeof(elem_t));
    elem_t *to = scratch, *other = scratch + half;
    while (n > 2) {
        size_t pairs = (n + 1) / 2;
        pairs_kernel<<<(unsigned)((pairs + THREADS - 1) / THREADS), THREADS>>>(in, to, n);
        elem_t *next = other;
        in    = to;
        other = to;
        to    = next;
        n     = pairs;
    }
    pairs_kernel<<<1, 1>>>(in, out, n);
    cudaFree(scratch);
}

#if MONOID == MONOID_FLOAT_SUM
void mean(const float *in, float *out, size_t n)
{
    float sum;
    reduce(in, out, n);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    sum /= (float)n;
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}
#endif
