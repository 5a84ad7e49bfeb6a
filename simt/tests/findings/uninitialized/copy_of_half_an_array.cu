/* Only half of the array was written before it was copied on the device: the copy's other half is junk.
 * expect: read of uninitialized */
#include "pair.h"

__global__ void fill(int *out)
{
    out[threadIdx.x] = 1;
}

__global__ void add(const int *in, int *out)
{
    out[threadIdx.x] += in[threadIdx.x]; //! read
}

PAIR(copy_of_half_an_array)
{
    int *half, *whole;
    must(cudaMalloc(&half, 64 * sizeof *half));
    must(cudaMalloc(&whole, 64 * sizeof *whole));
    fill<<<1, faulty ? 32 : 64>>>(half);
    must(cudaMemcpy(whole, half, 64 * sizeof *whole, cudaMemcpyDeviceToDevice));
    add<<<1, 64>>>(whole, zeros<int>(64));
}

//= copy_of_half_an_array.cu:12  add: read of uninitialized whole[32]
//=     thread 32 of block 0 reads 4 bytes that nothing has written since they were allocated at copy_of_half_an_array.cu:19
//=     written so far: elements 0-31 of the 64 of whole
//=     try: cudaMalloc does not clear memory: fill it with a kernel, cudaMemcpy or cudaMemset first; is this the array, and the index, that is meant?
