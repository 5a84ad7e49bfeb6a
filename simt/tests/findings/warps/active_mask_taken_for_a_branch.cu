#include <stdlib.h>

/* __activemask() may lack some lanes that took the branch, and in random order it does. */
__global__ void sum(int *out)
{
    unsigned t = threadIdx.x;
    int value = 1;
    if (t < 16) {
        unsigned mask = __activemask();
        for (int distance = 8; distance > 0; distance /= 2)
            value += __shfl_xor_sync(mask, value, distance);
    }
    out[t] = value;
}

int main()
{
    setenv("SIMT_ORDER", "random", 1);
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    sum<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= active_mask_taken_for_a_branch.cu:11  sum: warning: lane 2 takes the value of lane 10, which takes no part in __shfl_xor_sync
//=     in block 0; the mask 0x0000f174 does not name that lane
//=     try: __activemask() tells which lanes are here by chance; compute the mask from the condition, with __ballot_sync(0xffffffff, condition), before the branch
