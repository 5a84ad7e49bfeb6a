/* If template arguments are deduced, it is not known which function a launch starts, so it may use the amount of shared
 * memory that was allowed for any kernel. */
template <class T> __global__ void reverse(T *data)
{
    extern __shared__ char bytes[];
    T *tile = (T *)bytes;
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    int host[32] = {1}, *data;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(reverse<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    reverse<<<1, 32, 64 * 1024>>>(data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(data);
    return host[31] != 1 || cudaGetLastError() != cudaSuccess;
}

//= (nothing)
