/* An unsigned index of 32 bits below 0: it leads 2^32 elements behind the array, where nothing is. */
#include "pair.h"

__global__ void differences(const double *in, double *out, bool faulty)
{
    unsigned i = threadIdx.x;
    out[i] = faulty || i > 0 ? in[i] - in[i - 1u] : in[i]; //! read
}

/* expect: read out of bounds: 4294967295 elements behind byte 0 of an allocation */
PAIR(index_below_the_first_array)
{
    double *in = zeros<double>(64);
    differences<<<1, 64>>>(in, zeros<double>(64), faulty);
}

__global__ void shift(int *out, bool faulty)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    if (faulty || threadIdx.x > 0)
        out[threadIdx.x] = tile[threadIdx.x - 1u]; //! read
}

/* expect: read out of bounds: 4294967295 elements behind dynamic shared memory */
PAIR(index_below_shared_memory)
{
    shift<<<1, 64, 64 * sizeof(int)>>>(zeros<int>(64), faulty);
}
