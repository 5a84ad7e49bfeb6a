/* Launch bounds are not just a hint for the compiler: a launch with more threads fails. */
template <unsigned WARPS> __global__ void __launch_bounds__(32 * WARPS, 2) set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 96 * sizeof(int));
    set<3><<<1, 96>>>(data);
    if (cudaGetLastError() != cudaSuccess)
        return 1;
    set<2><<<1, 96>>>(data);
    if (cudaGetLastError() != cudaErrorLaunchOutOfResources)
        return 1;
    set<3><<<1, 64>>>(data);
    return cudaDeviceSynchronize() != cudaSuccess || cudaFree(data) != cudaSuccess;
}

//= launch_beyond_its_bounds.cu:14  main: launch of set<2> refused: a block of 96 threads; its __launch_bounds__ allow 64
//=     the kernel does not run, and later results are missing
//=     try: within its bound the compiler may give a thread so many registers that a larger block has no room: raise the bound, or launch fewer threads
