/* A fault ends all that runs: what host code touches after a call that returned its error is no race. */
#include <cstdio>

__global__ void store(int *to)
{
    *to = 1;
}

int main()
{
    int *flags, *nothing = nullptr;
    cudaStream_t stream;
    cudaMallocManaged(&flags, 4 * sizeof *flags);
    cudaStreamCreate(&stream);
    store<<<1, 1, 0, stream>>>(flags);
    store<<<1, 1, 0, stream>>>(nothing);
    if (cudaStreamSynchronize(stream) == cudaErrorIllegalAddress)
        flags[0] = 2;
    return 0;
}

//= host_code_after_a_fault.cu:6  store: write through a null pointer
//=     thread 0 of block 0 writes 4 bytes; the address is 0
//=     the kernel ends here
//=     try: is the pointer set? Did cudaMalloc succeed? Of 0 bytes it gives a null pointer: is a count rounded down to 0?
