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
