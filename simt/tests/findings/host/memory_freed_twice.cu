int main()
{
    int *data, *same;
    cudaMalloc(&data, 128);
    same = data;
    cudaFree(data);
    return cudaFree(same) != cudaErrorInvalidValue;
}
