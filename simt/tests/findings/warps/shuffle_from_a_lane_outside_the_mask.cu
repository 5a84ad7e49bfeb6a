/* Lane 7 reads from lane 8, which is not in the mask: it gets junk, which must not be used. */
__global__ void shift(int *out)
{
    unsigned t = threadIdx.x;
    if (t < 8)
        out[t] = __shfl_down_sync(0x000000ffu, (int)t, 1);
    else
        out[t] = 0;
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    shift<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= shuffle_from_a_lane_outside_the_mask.cu:6  shift: warning: lane 7 takes the value of lane 8, which takes no part in __shfl_down_sync
//=     in block 0; the mask 0x000000ff does not name that lane
//=     try: name every lane that takes part: 0xffffffff for the whole warp
