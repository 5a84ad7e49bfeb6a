/* The same mistake at the end of a kernel: an operation does not wait for lanes that have returned, so nothing hangs. */
__global__ void sum(int *out)
{
    unsigned lane = threadIdx.x % 32;
    out[threadIdx.x] = 1;
    out[threadIdx.x] += __shfl_xor_sync(lane < 16 ? 0x0000ffffu : 0xffffffffu, lane, 1);
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    sum<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= masks_differ_and_lanes_return.cu:6  sum: warning: the lanes of one __shfl_xor_sync name different masks
//=     in block 0, warp 0: lane 16 waits with the mask 0xffffffff, which names lane 0; that one came with 0x0000ffff, and has returned
//=     try: compute the mask once for all, before the branch: unsigned mask = __ballot_sync(0xffffffff, condition)
