__global__ void sum(int *out)
{
    int value = 1;
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x == 0)
        *out = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 24>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= shuffle_from_a_missing_lane.cu:5  sum: warning: lane 8 takes the value of lane 24, which takes no part in __shfl_down_sync
//=     in block 0; that lane's thread has returned, or the block has no such thread
//=     try: keep every thread of the warp until its last warp operation, or do not use what it gets
