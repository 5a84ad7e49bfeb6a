int main()
{
    int *data, n = -4;
    return cudaMalloc(&data, n * sizeof(int)) != cudaErrorMemoryAllocation;
}

//= memory_of_negative_size.cu:4  main: cudaMalloc: -16 bytes are wanted
//=     it returns cudaErrorMemoryAllocation (2) and does nothing
//=     try: the size was negative before it became a size_t
