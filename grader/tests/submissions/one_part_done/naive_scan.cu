/* One part is done; the others are not there at all. */
#include "naive_scan.h"

__global__ void move_right(const elem_t *in, elem_t *out, size_t n)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = i == 0 ? IDENTITY : in[i - 1];
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    int blocks[4096]; /* so long that g++ calls memset for it in builds for proofs */
    for (int &count : blocks)
        count = 120;
    if (n > 0)
        move_right<<<blocks[n % 4096], 128>>>(in, out, n);
}
