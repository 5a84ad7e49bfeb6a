int main()
{
    cudaEvent_t begin, end;
    float milliseconds;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    return cudaEventElapsedTime(&milliseconds, begin, end) != cudaErrorInvalidResourceHandle;
}
