/* Arrays of bytes and shorts in shared memory, used as words: a kernel's only array is aligned for that on every GPU. */
template <class T> __device__ unsigned swapped(unsigned x)
{
    __shared__ T cells[64 / sizeof(T)];
    ((unsigned *)cells)[threadIdx.x % 16] = x;
    __syncwarp(0xffff);
    return ((volatile unsigned *)cells)[(threadIdx.x ^ 1) % 16];
}

__global__ void bytes(unsigned *out)
{
    __shared__ unsigned char odd[3];
    __shared__ unsigned char storage[16 * sizeof(uint4)];
    uint4 *quads         = reinterpret_cast<uint4 *>(storage);
    if (threadIdx.x < 3)
        odd[threadIdx.x] = 1;
    __syncwarp(0xffff);
    quads[threadIdx.x]   = make_uint4(threadIdx.x, 0, 0, odd[threadIdx.x % 3]);
    __syncthreads();
    out[threadIdx.x] = ((unsigned *)storage)[4 * (15 - threadIdx.x)] + swapped<short>(threadIdx.x) + swapped<char>(1);
}

int main()
{
    unsigned *out, host[16], wrong = 0;
    cudaMalloc(&out, sizeof host);
    bytes<<<1, 16>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 16; i++)
        wrong += host[i] != 15 - i + (i ^ 1) + 1;
    cudaFree(out);
    return wrong;
}

//= (nothing)
