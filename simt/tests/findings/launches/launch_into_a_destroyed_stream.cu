__global__ void nothing()
{
}

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    nothing<<<1, 1, 0, stream>>>();
    cudaStreamDestroy(stream);
    nothing<<<1, 1, 0, stream>>>();
    return cudaGetLastError() != cudaErrorInvalidResourceHandle;
}
