int main()
{
    int *data;
    cudaMalloc(&data, 128);
    cudaError_t error = cudaFree(data + 4);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}

//= free_within_an_allocation.cu:5  main: cudaFree: the pointer is 16 bytes past the start of an allocation
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: pass the pointer that the allocation gave
