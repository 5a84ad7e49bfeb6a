int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    return cudaStreamSynchronize(stream) != cudaErrorInvalidResourceHandle;
}
