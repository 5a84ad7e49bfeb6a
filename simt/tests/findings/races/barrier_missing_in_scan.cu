/* A naive scan in place: a thread may write its slot only when all have read theirs.
 * expect: race on shared buffer */
#include "pair.h"

__global__ void scan_in_place(int *data, bool faulty)
{
    __shared__ int buffer[96];
    unsigned t = threadIdx.x;
    buffer[t] = data[blockIdx.x * 96 + t];
    for (unsigned stride = 1; stride < 96; stride *= 2) {
        __syncthreads();
        int left = t >= stride ? buffer[t - stride] : 0; //! read
        if (!faulty)
            __syncthreads();
        buffer[t] += left; //! write
    }
    data[blockIdx.x * 96 + t] = buffer[t];
}

PAIR(barrier_missing_in_scan)
{
    scan_in_place<<<2, 96>>>(zeros<int>(192), faulty);
}

//= barrier_missing_in_scan.cu:15  scan_in_place: race on shared buffer[0]
//=     thread 1 reads it at line 12, thread 0 writes it at line 15, and no barrier stands between
//=     in block 0
//=     try: if both accesses are meant, a second __syncthreads() after every thread has read its operand
