int main()
{
    int *data;
    cudaMalloc(&data, 128);
    cudaError_t error = cudaMemset(data, 1000, 128);
    cudaFree(data);
    return error != cudaSuccess;
}

//= fill_with_more_than_a_byte.cu:5  main: warning: cudaMemset: the value 1000 does not fit a byte, and each byte becomes 232
//=     try: cudaMemset fills bytes; fill larger elements in a kernel
