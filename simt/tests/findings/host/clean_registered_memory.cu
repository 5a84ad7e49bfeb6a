__global__ void add(int *data)
{
    data[threadIdx.x] += 1;
}

int main()
{
    int *host = (int *)malloc(32 * sizeof(int)), *seen;
    memset(host, 0, 32 * sizeof(int));
    cudaHostRegister(host, 32 * sizeof(int), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&seen, host, 0);
    add<<<1, 32>>>(seen);
    cudaError_t error = cudaDeviceSynchronize();
    cudaHostUnregister(host);
    bool right = error == cudaSuccess && host[0] == 1 && host[31] == 1;
    free(host);
    return !right;
}

//= (nothing)
