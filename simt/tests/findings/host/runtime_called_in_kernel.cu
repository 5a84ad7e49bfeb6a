__global__ void allocate(int **data)
{
    cudaMalloc(data, 128);
}

int main()
{
    int **data;
    cudaMalloc(&data, sizeof *data);
    allocate<<<1, 1>>>(data);
    return cudaDeviceSynchronize() == cudaSuccess;
}

//= runtime_called_in_kernel.cu:3  allocate: cudaMalloc is called in a kernel
//=     try: call the runtime API in host code, before or after the launch
