/* An unsigned index below zero wraps to a huge one. */
__global__ void shift(int *data, size_t d)
{
    size_t i = threadIdx.x - d;
    data[i] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    shift<<<1, 32>>>(data, (size_t)1 << 60);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= wild_index.cu:5  shift: write through a wild pointer
//=     thread 0 of block 0 writes 4 bytes; the address belongs to no allocation and no variable
//=     the kernel ends here
//=     try: check the index arithmetic: an unsigned index below 0 wraps to a huge one
