/* One thread writes a byte of a word that another reads as a whole. */
#include <cuda_runtime.h>

__global__ void overlap(int *out)
{
    __shared__ int word[2];
    char *bytes = (char *)word;
    if (threadIdx.x < 2)
        word[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 32)
        bytes[6] = 1;
    if (threadIdx.x == 0)
        *out = word[1];
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    overlap<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}

//= race_byte_in_word.cu:14  overlap: race on shared word[1]
//=     thread 32 writes it at line 12, thread 0 reads it at line 14, and no barrier stands between
//=     try: __syncthreads() between the write and the read
