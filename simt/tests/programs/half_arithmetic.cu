// Half precision and bfloat16 in pairs, their functions, and a product and sum with a single rounding.
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void compute(__half2 *pairs, __half *halves, __nv_bfloat162 *brains, int *counts)
{
    __half2 a = __halves2half2(__float2half(2.25f), __float2half(-4.0f)),
            t = __half2half2(__float2half(2.0f));
    pairs[0] = __hfma2(a, t, a);
    pairs[1] = a * t - a;
    pairs[2] = __hmax2(a, t);
    pairs[3] = h2sqrt(__habs2(a));
    pairs[4] = __hlt2(a, t);
    pairs[5] = __lowhigh2highlow(a);
    a += t;
    pairs[6] = a;
    /* (1 + 2^-10)^2 - (1 + 2^-9): only the product's last bit remains, which rounding of the product would lose. */
    __half near_one = __float2half(1.0009765625f);
    halves[0] = __hfma(near_one, near_one, __float2half(-1.001953125f));
    halves[1] = hexp(__float2half(0.0f));
    halves[2] = hrsqrt(__float2half(4.0f));
    halves[3] = __int2half_rn(7);
    brains[0] = __hadd2(__bfloat162bfloat162(__float2bfloat16(3.0f)),
                        make_bfloat162(__float2bfloat16(1.0f), __float2bfloat16(2.0f)));
    brains[1] = __hneg2(brains[0]);
    counts[0] = __half2int_rn(__float2half(2.5f));
    counts[1] = __half2int_rz(__float2half(-2.75f));
    counts[2] = __hbge2(t, t) + 2 * __hne(halves[0], halves[0]) + 4 * __hisinf(__float2half(1e9f));
}

/* Reductions of a warp by shuffles, and constants. */
__global__ void reduce_halves(float *sums)
{
    __half sum = __int2half_rn(threadIdx.x), most = __hneg(CUDART_INF_FP16);
    __nv_bfloat162 pair = __floats2bfloat162_rn(threadIdx.x, 1);
    for (int distance = 16; distance > 0; distance /= 2) {
        sum = sum + __shfl_down_sync(0xffffffff, sum, distance);
        most = __hmax(most, __shfl_xor_sync(0xffffffff, sum, distance));
        pair = __hadd2(pair, __shfl_xor_sync(0xffffffff, pair, distance));
    }
    if (threadIdx.x == 0) {
        sums[0] = __half2float(sum);
        sums[1] = __half2float(most);
        sums[2] = __low2float(pair);
        sums[3] = __high2float(pair);
        sums[4] = __half2float(CUDART_ONE_FP16) + __bfloat162float(CUDART_ONE_BF16);
    }
}

int main()
{
    const int P = 7, H = 4, B = 2, C = 3;
    __half2 *d_pairs, pairs[P];
    __half *d_halves, halves[H];
    __nv_bfloat162 *d_brains, brains[B];
    int *d_counts, counts[C];
    CUDA_CHECK(cudaMalloc(&d_pairs, sizeof pairs));
    CUDA_CHECK(cudaMalloc(&d_halves, sizeof halves));
    CUDA_CHECK(cudaMalloc(&d_brains, sizeof brains));
    CUDA_CHECK(cudaMalloc(&d_counts, sizeof counts));
    compute<<<1, 1>>>(d_pairs, d_halves, d_brains, d_counts);
    CUDA_CHECK(cudaMemcpy(pairs, d_pairs, sizeof pairs, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(halves, d_halves, sizeof halves, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(brains, d_brains, sizeof brains, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
    for (const __half2 &pair : pairs)
        printf("%g %g\n", (double)__low2float(pair), (double)__high2float(pair));
    for (const __half &half : halves)
        printf("%.9g\n", (double)__half2float(half));
    for (const __nv_bfloat162 &pair : brains)
        printf("%g %g\n", (double)__low2float(pair), (double)__high2float(pair));
    printf("%d %d %d\n", counts[0], counts[1], counts[2]);
    float *d_sums, sums[5];
    CUDA_CHECK(cudaMalloc(&d_sums, sizeof sums));
    reduce_halves<<<1, 32>>>(d_sums);
    CUDA_CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g %g\n", sums[0], sums[1], sums[2], sums[3], sums[4]);
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d_pairs));
    CUDA_CHECK(cudaFree(d_halves));
    CUDA_CHECK(cudaFree(d_brains));
    CUDA_CHECK(cudaFree(d_counts));
    return program_end();
}
