/* Two buffers that swap need one barrier for each step. If they do not swap, a thread writes what others read.
 * expect: race on shared buffer */
#include "pair.h"

__global__ void scan(int *out, bool faulty)
{
    __shared__ int buffer[2][96];
    unsigned t = threadIdx.x, from = 0;
    buffer[0][t] = 1;
    buffer[1][t] = 1;
    for (unsigned stride = 1; stride < 96; stride *= 2) {
        __syncthreads();
        unsigned to = faulty ? from : 1 - from;
        int left = t >= stride ? buffer[from][t - stride] : 0; //! read
        buffer[to][t] = left + buffer[from][t]; //! write
        from = to;
    }
    out[t] = buffer[from][t];
}

PAIR(double_buffer_not_swapped)
{
    scan<<<1, 96>>>(zeros<int>(96), faulty);
}
