/* Indices far past the array, where nothing is: an unsigned 32-bit index below 0 is too large by 2^32 elements. */
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

__global__ void look_back(const int *in, int *out, bool faulty)
{
    out[0] = in[faulty ? -((long)1 << 30) : 0]; //! read
}

/* expect: read through a wild pointer */
PAIR(gigabytes_before_the_first_array)
{
    int *in = zeros<int>(64);
    look_back<<<1, 1>>>(in, zeros<int>(64), faulty);
}

__global__ void clear_rows(float *image, size_t pitch, bool faulty)
{
    float *row = faulty ? image + blockIdx.x * pitch : (float *)((char *)image + blockIdx.x * pitch);
    if (blockIdx.x == gridDim.x - 1)
        row[threadIdx.x] = 0; //! write
}

/* So far that it is also past the guard of the largest pages.

   expect: write out of bounds: 391168 bytes behind an allocation */
PAIR(pitch_taken_for_elements)
{
    float *image;
    size_t pitch;
    cudaMallocPitch((void **)&image, &pitch, 4, 256);
    clear_rows<<<256, 1>>>(image, pitch, faulty);
}
