/* Each block waits for its predecessor's flag; tile numbers come from a ticket, so the order of blocks is free. */
__device__ unsigned ticket;
__device__ volatile int ready[64];
__device__ int sums[64];

__global__ void chain(int *out)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(&ticket, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        if (tile > 0) {
            while (!ready[tile - 1])
                ;
            __threadfence();
            before = *(volatile int *)&sums[tile - 1];
        }
        *(volatile int *)&sums[tile] = before + 1;
        __threadfence();
        ready[tile] = 1;
        out[tile] = before + 1;
    }
}

int main()
{
    int host[64], *out;
    cudaMalloc(&out, sizeof host);
    chain<<<64, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 64; i++)
        if (host[i] != i + 1)
            return 1;
    return 0;
}

//= (nothing)
