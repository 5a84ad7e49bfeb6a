#include <stdlib.h>

/* Right masks: of a branch by a ballot, of a part of a warp, of the lanes that remain after an early return; and lanes
 * that work with whichever other lanes are active. */
__global__ void branches(int *out, int n)
{
    unsigned t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, t % 3 == 0);
    int value = (int)t;
    if (t % 3 == 0)
        value = __shfl_sync(mask, value, 0);
    for (unsigned half = t < 16 ? 0x0000ffffu : 0xffff0000u, distance = 8; distance > 0; distance /= 2)
        value += __shfl_xor_sync(half, value, distance, 16);
    out[t] = value;
    if (t >= n)
        return;
    __syncwarp();
    unsigned rest = (1u << n) - 1;
    value = __reduce_add_sync(rest, 1u) + __shfl_sync(rest, value, n - 1);
    if (t == 0)
        out[0] = value;
}

__global__ void count(unsigned *counter, const int *in)
{
    if (in[threadIdx.x] % 2) {
        unsigned mask = __activemask(), leader = __ffs(mask) - 1, base = 0;
        if (threadIdx.x % 32 == leader)
            base = atomicAdd(counter, __popc(mask));
        base = __shfl_sync(mask, base, leader);
        __syncwarp(mask);
    }
}

int main()
{
    setenv("SIMT_ORDER", "random", 1);
    int *out;
    unsigned *counter, counted;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMalloc(&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    branches<<<1, 32>>>(out, 20);
    cudaMemset(out, 1, 32 * sizeof *out);
    count<<<1, 32>>>(counter, out);
    cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaFree(counter);
    return counted != 32;
}

//= (nothing)
