int main()
{
    int *data;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    cudaError_t error = cudaMemcpy(data + 1, data, 99 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(data);
    return error != cudaSuccess;
}

//= copy_that_overlaps_itself.cu:6  main: cudaMemcpy: the two ranges share 392 bytes
//=     try: copy through a third buffer: on a GPU the result is not defined
