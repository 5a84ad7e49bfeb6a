// Shared memory of classes whose constructors do nothing.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct point {
    int x, y;
    __host__ __device__ point() {}
    __host__ __device__ point(int x_, int y_) : x(x_), y(y_) {}
};

__global__ void reverse(float *out)
{
    __shared__ half halves[32];
    __shared__ half2 pairs[32];
    __shared__ __nv_bfloat16 brains[32];
    __shared__ point points[32];
    __shared__ bool seen[32];
    int t = threadIdx.x;
    halves[t] = __float2half(t);
    pairs[t] = __floats2half2_rn(2 * t, 3 * t);
    brains[t] = __float2bfloat16(4 * t);
    points[t] = point(t, -t);
    seen[t] = t % 3 == 0;
    __syncthreads();
    int u = 31 - t;
    out[blockIdx.x * 32 + t] = __half2float(halves[u]) + __low2float(pairs[u]) + __high2float(pairs[u]) +
                               __bfloat162float(brains[u]) + points[u].x + points[u].y + (seen[u] ? 1000 : 0);
}

int main()
{
    float *out, host[64];
    cudaMalloc(&out, sizeof host);
    reverse<<<2, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i += 7)
        printf("%g\n", host[i]);
    cudaFree(out);
    printf("PASS\n");
}
