int main()
{
    int *data, n = -4;
    return cudaMalloc(&data, n * sizeof(int)) != cudaErrorMemoryAllocation;
}
