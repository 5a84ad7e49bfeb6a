__global__ void share(int *out)
{
    __shared__ int *mailbox;
    int mine[2] = {(int)threadIdx.x, 1};
    if (threadIdx.x == 0)
        mailbox = mine;
    __syncthreads();
    out[threadIdx.x] = mailbox[threadIdx.x & 1];
    __syncthreads();
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    share<<<1, 32>>>(out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
