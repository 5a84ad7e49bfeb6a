int main()
{
    int *data, *same;
    cudaMalloc(&data, 128);
    same = data;
    cudaFree(data);
    return cudaFree(same) != cudaErrorInvalidValue;
}

//= memory_freed_twice.cu:7  main: cudaFree: this memory is already freed
//=     it was allocated at memory_freed_twice.cu:4 and freed at memory_freed_twice.cu:6
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: free each allocation once
