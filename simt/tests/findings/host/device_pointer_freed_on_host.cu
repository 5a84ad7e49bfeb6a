int main()
{
    int *data;
    cudaMalloc(&data, 128);
    free(data);
    return 0;
}
