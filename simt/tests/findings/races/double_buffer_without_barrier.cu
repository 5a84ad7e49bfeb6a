/* Two buffers make the second barrier of a step unnecessary, but not the first.
 * expect: race on shared buffer */
#include "pair.h"

__global__ void scan(int *out, bool faulty)
{
    __shared__ int buffer[2][96];
    unsigned t = threadIdx.x, from = 0;
    buffer[0][t] = 1;
    buffer[1][t] = 1;
    __syncthreads();
    for (unsigned stride = 1; stride < 96; stride *= 2) {
        int left = t >= stride ? buffer[from][t - stride] : 0; //! read
        buffer[1 - from][t] = left + buffer[from][t]; //! write
        from = 1 - from;
        if (!faulty)
            __syncthreads();
    }
    out[t] = buffer[from][t];
}

PAIR(double_buffer_without_barrier)
{
    scan<<<1, 96>>>(zeros<int>(96), faulty);
}
