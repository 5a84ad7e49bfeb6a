/* Half of what is copied back was never written: a warning, because the program may not use that half. */
__global__ void fill(int *out)
{
    out[threadIdx.x] = 1;
}

int main()
{
    int *out, host[64];
    cudaMalloc(&out, sizeof host);
    fill<<<1, 32>>>(out);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_part_of_a_copy.cu:12  main: warning: copy to the host of uninitialized out[32]
//=     nothing has written 128 of the 256 bytes
//=     written so far: elements 0-31 of the 64 of out
//=     try: copy only what was written, if the rest is not meant to be used
