/* Constant, device, managed and pinned memory, a constant table, and a struct passed by value. */
__constant__ int factor[2];
__device__ int offset;
static __device__ int calls;
__managed__ int total;

struct arguments {
    int *out;
    int scale[4];
};

__global__ void use(arguments a, const int *pinned)
{
    static const int table[4] = {10, 20, 30, 40};
    int local[4] = {1, 2, 3, 4};
    int i = threadIdx.x;
    local[i] += pinned[i];
    a.out[i] = local[i] * factor[1] + offset + table[i] + a.scale[i];
    atomicAdd(&total, 1);
    atomicAdd(&calls, 1);
}

int main()
{
    int host[4], factors[2] = {0, 100}, *out, *pinned, seven = 7, many;
    cudaMalloc(&out, sizeof host);
    cudaMallocHost(&pinned, sizeof host);
    for (int i = 0; i < 4; i++)
        pinned[i] = 1;
    cudaMemcpyToSymbol(factor, factors, sizeof factors);
    cudaMemcpyToSymbolAsync(offset, &seven, sizeof seven, 0, cudaMemcpyHostToDevice);
    use<<<1, 4>>>(arguments{out, {1, 1, 1, 1}}, pinned);
    cudaMemcpyFromSymbolAsync(&many, calls, sizeof many, 0, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFreeHost(pinned);
    cudaFree(out);
    return host[3] != 5 * 100 + 7 + 40 + 1 || total != 4 || many != 4;
}

//= (nothing)
