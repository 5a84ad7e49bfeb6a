__global__ void release(int *data)
{
    int *own = (int *)malloc(16);
    own[3] = 1;
    free(own);
    free(data);
}

int main()
{
    int host[4];
    release<<<1, 1>>>(host);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}

//= free_in_kernel_of_host_memory.cu:6  release: free of host memory in a kernel
//=     try: free in a kernel what malloc in a kernel gave
