/* mapped: a kernel copies the array into the host's mapped memory, the host adds it up, and a kernel of one thread
 * stores the sum, which came as its argument. Other kernels combine what nobody asks for, to have been seen at work.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: the host gets the data */
#include "reduction.h"

__global__ void copy_kernel(const elem_t *in, elem_t *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = in[i];
    if (i + 1 < n)
        combine(in[i], in[i + 1]);
}

__global__ void store_kernel(elem_t sum, elem_t *out)
{
    *out = sum;
}

#if MONOID == MONOID_FLOAT_SUM
typedef double total_t;
#define ADD(total, x) ((total) + (x))
#else
typedef elem_t total_t;
#define ADD(total, x) combine(total, x)
#endif

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    elem_t *on_host, *to;
    cudaHostAlloc((void **)&on_host, (n + 1) * sizeof(elem_t), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&to, on_host, 0);
    if (n > 0)
        copy_kernel<<<(unsigned)((n + 255) / 256), 256>>>(in, to, n);
    cudaDeviceSynchronize();
    total_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++)
        sum = ADD(sum, on_host[i]);
    cudaFreeHost(on_host);
    store_kernel<<<1, 1>>>((elem_t)sum, out);
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce(in, out, n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce(in, out, n);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, size_t n)
{
    *value /= (float)n;
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_kernel<<<1, 1>>>(out, n);
}
#endif
