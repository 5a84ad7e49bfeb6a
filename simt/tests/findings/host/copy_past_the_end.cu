int main()
{
    static int host[100];
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaError_t error = cudaMemcpy(data, host, 33 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}

//= copy_past_the_end.cu:6  main: cudaMemcpy: dst has 128 bytes left, and 132 are asked for
//=     dst points into the allocation made at copy_past_the_end.cu:5
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: the count is in bytes: elements times sizeof(element)
