/* An input is read by kernels and by copies. After it is freed, its memory is like any other. */
extern "C" bool simt_mark_input(const void *pointer);

__global__ void negate(const int *in, int *out)
{
    out[threadIdx.x] = -in[threadIdx.x];
}

int main()
{
    int host[4] = {1, 2, 3, 4}, *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    simt_mark_input(in);
    negate<<<1, 4>>>(in, out);
    cudaMemcpy(out, in, sizeof host, cudaMemcpyDeviceToDevice);
    negate<<<1, 4>>>(out, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaMalloc(&in, sizeof host);
    negate<<<1, 4>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess || host[3] != -4;
}

//= (nothing)
