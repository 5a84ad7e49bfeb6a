/* Another block may draw after the third has read the counter. The second kernel is right: no block draws after the
 * last. */
__device__ unsigned counter;

__global__ void look_after_draw(unsigned *out)
{
    if (atomicAdd(&counter, 1u) == 2)
        out[0] = counter;
}

__global__ void last_resets(unsigned *out)
{
    if (atomicInc(&counter, 0xffffffff) == gridDim.x - 1)
        counter = 0;
    out[blockIdx.x] = 1;
}

int main()
{
    unsigned *out, zero = 0;
    cudaMalloc(&out, 4 * sizeof(unsigned));
    look_after_draw<<<4, 1>>>(out);
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    last_resets<<<4, 1>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= race_counter_read.cu:8  look_after_draw: race on __device__ counter
//=     thread 0 of block 3 writes it atomically at line 7, thread 0 of block 2 reads it at line 8, and nothing orders blocks of one launch
//=     try: make both accesses atomic, or put the second into a launch of its own
