__global__ void transpose(int *out, int rows)
{
    __shared__ int tile[16][17];
    for (int y = 0; y < rows; y++)
        tile[y][threadIdx.x] = y;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][0];
}

int main()
{
    int *out;
    cudaMalloc(&out, 16 * sizeof(int));
    transpose<<<1, 16>>>(out, 17);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= two_dimensional_array_overrun.cu:5  transpose: index out of bounds: tile[16]
//=     thread 0 of block 0; the array is int [16][17]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
