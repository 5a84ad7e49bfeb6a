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

//= another_threads_local.cu:8  share: read of another thread's local variable
//=     thread 1 of block 0 reads 4 bytes; its address was handed from thread to thread
//=     the kernel ends here
//=     try: share data in a __shared__ array
