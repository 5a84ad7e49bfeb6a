#include <stdlib.h>
#include <string.h>

/* malloc in a kernel does not clear memory, and memcpy copies the junk. */
__global__ void work(int *out)
{
    int *own = (int *)malloc(8 * sizeof *own), *copy = (int *)malloc(8 * sizeof *copy);
    own[0] = 1;
    memcpy(copy, own, 8 * sizeof *own);
    out[0] = copy[0];
    out[1] = copy[1];
    free(own);
    free(copy);
}

int main()
{
    int *out;
    cudaMalloc(&out, 2 * sizeof *out);
    work<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_memory_of_a_kernel.cu:11  work: read of uninitialized byte 4 of an allocation
//=     thread 0 of block 0 reads 4 bytes that nothing has written since they were allocated at uninitialized_memory_of_a_kernel.cu:7
//=     written so far: bytes 0-3 of the 32 of the allocation
//=     try: cudaMalloc does not clear memory: fill it with a kernel, cudaMemcpy or cudaMemset first; is this the array, and the index, that is meant?
