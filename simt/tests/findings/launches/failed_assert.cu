#include <assert.h>

__global__ void check(int n)
{
    assert(threadIdx.x < n);
}

int main()
{
    check<<<1, 32>>>(31);
    return cudaDeviceSynchronize() != cudaErrorAssert;
}

//= failed_assert.cu:5  check: assertion failed: threadIdx.x < n
//=     for thread 31 of block 0, in check
