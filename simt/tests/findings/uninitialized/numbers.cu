/* Numbers of which only some bytes are written. The program has a struct of whole words only, so a read of a word is
 * one number. */
#include "pair.h"

struct range {
    int first, last;
};

template <class T> static T *junk(size_t n)
{
    T *array = NULL;
    must(cudaMalloc((void **)&array, n * sizeof(T)));
    return array;
}

__global__ void read_filled(int *out, const int *in, const range *ranges)
{
    out[threadIdx.x] = in[threadIdx.x] + ranges[0].first; //! reads
}
/* expect: warning: read of partly uninitialized */
PAIR(number_filled_by_elements)
{
    int *in = junk<int>(4);
    must(cudaMemset(in, 0, faulty ? 13 : 16));
    read_filled<<<1, 4>>>(zeros<int>(4), in, zeros<range>(1));
}

__global__ void read_copied(int *out, const int *in, const range *ranges)
{
    out[threadIdx.x] = in[threadIdx.x] + ranges[0].first; //! reads
}
/* expect: warning: read of partly uninitialized */
PAIR(number_copied_in_part)
{
    int *in = junk<int>(4);
    const int host[4] = {1, 2, 3, 4};
    must(cudaMemcpy(in, host, faulty ? 14 : 16, cudaMemcpyHostToDevice));
    read_copied<<<1, 4>>>(zeros<int>(4), in, zeros<range>(1));
}

/* expect: warning: read of partly uninitialized */
__global__ void sum_of_bytes(unsigned *out, bool faulty)
{
    __shared__ unsigned words[4];
    unsigned char *bytes = (unsigned char *)words;
    if (threadIdx.x < (faulty ? 15 : 16))
        bytes[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = words[threadIdx.x]; //! sums
}
PAIR(number_of_shared_bytes)
{
    sum_of_bytes<<<1, 32>>>(zeros<unsigned>(4), faulty);
}

__global__ void halve(double *out, const double *in)
{
    out[threadIdx.x] = in[threadIdx.x] / 2; //! halves
}
/* expect: warning: read of partly uninitialized */
PAIR(number_of_8_bytes)
{
    double *in = junk<double>(2);
    must(cudaMemset(in, 0, faulty ? 12 : 16));
    halve<<<1, 2>>>(zeros<double>(2), in);
}

__global__ void widen(int *out, const short *in)
{
    out[threadIdx.x] = in[threadIdx.x]; //! widens
}
/* expect: warning: read of partly uninitialized */
PAIR(number_of_2_bytes)
{
    short *in = junk<short>(3);
    must(cudaMemset(in, 0, faulty ? 5 : 6));
    widen<<<1, 3>>>(zeros<int>(3), in);
}
