__global__ void divide(int *data, int by)
{
    data[threadIdx.x] = 7 / by;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    divide<<<1, 32>>>(data, 0);
    return cudaDeviceSynchronize() == cudaSuccess;
}

//= division_by_zero.cu:3  divide: integer division by zero
//=     in thread 0 of block 0
