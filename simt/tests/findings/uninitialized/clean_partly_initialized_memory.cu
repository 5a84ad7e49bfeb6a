#include <string.h>

/* Reads that look uninitialized but are right: padding, vectors past the end, copies, atomic stores, single bytes. */
struct padded {
    int number;
    char letter; /* followed by three bytes that are never written */
};
struct sparse {
    double weight;
    char letter; /* followed by seven */
};

__shared__ int limit;

__global__ void structs(padded *out, sparse *heavy)
{
    __shared__ padded tile[32];
    __shared__ sparse other[32];
    unsigned t = threadIdx.x;
    tile[t].number = (int)t;
    tile[t].letter = 'a';
    other[t].weight = 1;
    other[t].letter = 'b';
    __syncthreads();
    out[t] = tile[31 - t];
    padded mine = out[t];
    mine.number++;
    out[t] = mine;
    heavy[t] = other[31 - t];
    memcpy(&heavy[t], &other[t], sizeof *heavy);
}

__global__ void members(padded *out)
{
    out[threadIdx.x].number = 1;
    out[threadIdx.x].letter = 'c';
}

/* The last vector reaches past the n values that were copied. */
__global__ void vectors(const float4 *in, float *out, unsigned n)
{
    float4 four = in[threadIdx.x];
    const float values[] = {four.x, four.y, four.z, four.w};
    for (unsigned i = 0; i < 4; i++)
        if (4 * threadIdx.x + i < n)
            out[4 * threadIdx.x + i] = values[i];
}

/* One thread sets the value that it reads under a condition, which the compiler must not move the read out of. */
__global__ void guarded(int *out, int n)
{
    __shared__ int carry[2];
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (i > n)
            sum += carry[1];
    if (threadIdx.x == 0)
        limit = n;
    __syncthreads();
    out[threadIdx.x] = threadIdx.x > 1000 ? carry[0] : sum + limit;
}

__global__ void bytes(unsigned char *out, unsigned *flag, unsigned long long *packed)
{
    __shared__ unsigned char letters[64];
    __shared__ unsigned counter;
    unsigned t = threadIdx.x;
    letters[t] = (unsigned char)t;
    if (t == 0) {
        atomicExch(&counter, 0u);
        atomicExch(flag, 1u);
    }
    __syncthreads();
    atomicAdd(&counter, letters[63 - t]);
    ((volatile unsigned short *)packed)[t] = (unsigned short)t;
    __syncthreads();
    out[t] = (unsigned char)counter;
    if (t < 16)
        packed[t] += 1;
}

/* Copies a part that was never written over a part that was, and uses only the rest. */
__global__ void parts(int *data, int *scratch)
{
    if (threadIdx.x == 0)
        memcpy(data + 8, scratch, 8 * sizeof *data);
    __syncthreads();
    if (threadIdx.x < 8)
        data[threadIdx.x] += 1;
}

int main()
{
    padded *p, host_p[32];
    sparse *s;
    float *f, *g, host_f[13] = {0};
    int *i, *scratch, host_i[64];
    unsigned char *c;
    unsigned *flag;
    unsigned long long *packed;
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMalloc(&s, 32 * sizeof *s);
    cudaMalloc(&f, 16 * sizeof *f);
    cudaMalloc(&g, sizeof host_f);
    cudaMalloc(&i, sizeof host_i);
    cudaMalloc(&scratch, sizeof host_i);
    cudaMalloc(&c, 64);
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&packed, 16 * sizeof *packed);
    structs<<<1, 32>>>(p, s);
    members<<<1, 32>>>(p);
    cudaMemcpy(host_p, p, sizeof host_p, cudaMemcpyDeviceToHost);
    cudaMemcpy(f, host_f, sizeof host_f, cudaMemcpyHostToDevice);
    vectors<<<1, 4>>>((float4 *)f, g, 13);
    guarded<<<1, 64>>>(i, 8);
    cudaMemcpy(host_i, i, sizeof host_i, cudaMemcpyDeviceToHost);
    bytes<<<1, 64>>>(c, flag, packed);
    cudaMemset(i, 0, sizeof host_i);
    cudaMemcpy(scratch, i, sizeof host_i / 2, cudaMemcpyDeviceToDevice);
    parts<<<1, 32>>>(i, scratch + 32);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(s);
    cudaFree(f);
    cudaFree(g);
    cudaFree(i);
    cudaFree(scratch);
    cudaFree(c);
    cudaFree(flag);
    cudaFree(packed);
    return error != cudaSuccess;
}

//= (nothing)
