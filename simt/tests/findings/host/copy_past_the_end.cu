int main()
{
    static int host[100];
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaError_t error = cudaMemcpy(data, host, 33 * sizeof(int), cudaMemcpyHostToDevice);
    cudaError_t last = cudaMemcpy(host, &data[32], sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(data);
    return error != cudaErrorInvalidValue || last != cudaErrorInvalidValue;
}

//= copy_past_the_end.cu:6  main: cudaMemcpy: dst has 128 bytes left, and 132 are asked for
//=     dst points into the allocation made at copy_past_the_end.cu:5
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: the count is in bytes: elements times sizeof(element)
//= copy_past_the_end.cu:7  main: cudaMemcpy: src has 0 bytes left, and 4 are asked for
//=     src points into the allocation made at copy_past_the_end.cu:5
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: the pointer is one past the last element: is n meant to be n - 1?
