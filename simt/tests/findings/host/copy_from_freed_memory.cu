int main()
{
    int host[32], *data;
    cudaMalloc(&data, sizeof host);
    cudaMemset(data, 0, sizeof host);
    cudaFree(data);
    return cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue;
}

//= copy_from_freed_memory.cu:7  main: cudaMemcpy: src is memory that is already freed
//=     it was allocated at copy_from_freed_memory.cu:4 and freed at copy_from_freed_memory.cu:6
//=     it returns cudaErrorInvalidValue (1) and does nothing
//=     try: free it after its last use
