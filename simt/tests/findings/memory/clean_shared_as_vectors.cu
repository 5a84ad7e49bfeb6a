/* Arrays of floats, ints and structs in shared memory are read and written as vectors: with nvcc that is right,
 * whatever other variables the kernel has there. */
struct pair {
    float key, value;
};

typedef int row[4];

__global__ void only(float *out)
{
    __shared__ float s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 64)
        ((float4 *)out)[threadIdx.x] = ((float4 *)s)[threadIdx.x];
}

__global__ void integers(int *out)
{
    __shared__ int s[256];
    if (threadIdx.x < 64)
        ((int4 *)s)[threadIdx.x] = make_int4(4 * threadIdx.x, 4 * threadIdx.x + 1, 4 * threadIdx.x + 2, 4 * threadIdx.x + 3);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

template <class T> __device__ T fourth(T x)
{
    __shared__ T odd[3], s[8];
    odd[1] = x;
    *(int4 *)s = make_int4(1, 2, 3, (int)odd[1]);
    return (T)((int4 *)s)->w;
}

__global__ void several(int *out)
{
    __shared__ float one;
    __shared__ pair pairs[3];
    __shared__ char letter;
    __shared__ int plane[3][4], last;
    __shared__ row rows[2];
    __shared__ alignas(4) float small[5];
    __shared__ __align__(32) float large[5];
    __shared__ struct {
        int cells[4];
    } record;
    extern __shared__ float dynamic[];
    one = letter = last = 1;
    *(float4 *)pairs = make_float4(1, 2, 3, 4);
    *(int4 *)plane[1] = *(int4 *)rows = *(int4 *)record.cells = make_int4(1, 2, 3, 4);
    *(float4 *)small = *(float4 *)large = *(float4 *)dynamic = make_float4(1, 2, 3, 4);
    *out = pairs[1].value + plane[1][3] + rows[0][3] + record.cells[3] + small[3] + large[3] + dynamic[3] + one +
           letter + last + fourth<int>(4) + fourth<double>(4) + (size_t)large % 32;
}

int main()
{
    int *out, host[256], wrong = 0;
    float floats[256];
    cudaMalloc(&out, sizeof host);
    only<<<1, 256>>>((float *)out);
    cudaMemcpy(floats, out, sizeof floats, cudaMemcpyDeviceToHost);
    integers<<<1, 256>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        wrong += floats[i] != i || host[i] != i;
    several<<<1, 1, sizeof(float4)>>>(out);
    cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    return wrong + (host[0] != 9 * 4 + 3);
}

//= (nothing)
