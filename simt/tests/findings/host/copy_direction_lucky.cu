int main()
{
    int *from, *to;
    cudaMalloc(&from, 128);
    cudaMalloc(&to, 128);
    cudaMemset(from, 0, 128);
    cudaError_t error = cudaMemcpy(to, from, 128, cudaMemcpyHostToDevice);
    cudaFree(from);
    cudaFree(to);
    return error != cudaSuccess;
}

//= copy_direction_lucky.cu:7  main: warning: cudaMemcpy: src is device memory, and cudaMemcpyHostToDevice says it is host memory
//=     try: it works, because the addresses tell; say the direction that is meant
