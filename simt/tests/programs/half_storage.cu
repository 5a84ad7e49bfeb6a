// Half precision and bfloat16 as storage: every half is converted to float and back, rounded to nearest even.
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

__global__ void there_and_back(unsigned *wrong)
{
    unsigned bits = blockIdx.x * blockDim.x + threadIdx.x;
    __half h = __ushort_as_half((unsigned short)bits);
    __half again = __float2half(__half2float(h));
    bool is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff);
    if (is_nan ? !__hisnan(again) : __half_as_ushort(again) != bits)
        atomicAdd(wrong, 1);
    __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)bits);
    __nv_bfloat16 later = __float2bfloat16(__bfloat162float(b));
    bool b_is_nan = (bits & 0x7f80) == 0x7f80 && (bits & 0x7f);
    if (b_is_nan ? !__hisnan(later) : __bfloat16_as_ushort(later) != bits)
        atomicAdd(wrong, 1);
}

__global__ void round_some(const float *in, unsigned short *halves, unsigned short *brains, unsigned n)
{
    unsigned i = threadIdx.x;
    if (i >= n)
        return;
    halves[i] = __half_as_ushort(__float2half(in[i]));
    brains[i] = __bfloat16_as_ushort(__float2bfloat16(in[i]));
}

__global__ void sum_pairs(const __half2 *in, float *out, unsigned n)
{
    float sum = 0;
    for (unsigned i = 0; i < n; i++) {
        float2 both = __half22float2(in[i]);
        sum += both.x + both.y;
    }
    *out = sum;
}

int main()
{
    unsigned *wrong = device_alloc<unsigned>(1);
    CUDA_CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    there_and_back<<<256, 256>>>(wrong);
    expect_equal("there and back", from_device(wrong, 1), std::vector<unsigned>{0});

    /* 2049 and 2051 are between two halves, and the even one is chosen. 65519 is the largest number that rounds down.
     * 2^-25 is half of the smallest number; the even choice is 0. */
    const std::vector<float> in = {1.0f,           -2.5f, 2049.0f,  2051.0f, 65504.0f,       65519.0f,
                                   65520.0f,       1e-8f, 6e-8f,    0.0f,    -0.0f,          ldexpf(1, -25),
                                   ldexpf(3, -25), 0.1f,  INFINITY, 3.4e38f, ldexpf(1, -140)};
    const std::vector<unsigned short> halves = {0x3c00, 0xc100, 0x6800, 0x6802, 0x7bff, 0x7bff,
                                                0x7c00, 0x0000, 0x0001, 0x0000, 0x8000, 0x0000,
                                                0x0002, 0x2e66, 0x7c00, 0x7c00, 0x0000};
    const std::vector<unsigned short> brains = {0x3f80, 0xc020, 0x4500, 0x4500, 0x4780, 0x4780,
                                                0x4780, 0x322c, 0x3381, 0x0000, 0x8000, 0x3300,
                                                0x33c0, 0x3dcd, 0x7f80, 0x7f80, 0x0000};
    const unsigned n = (unsigned)in.size();
    float *device_in = to_device(in);
    unsigned short *half_bits = device_alloc<unsigned short>(n),
                   *brain_bits = device_alloc<unsigned short>(n);
    round_some<<<1, 32>>>(device_in, half_bits, brain_bits, n);
    expect_equal("halves", from_device(half_bits, n), halves);
    expect_equal("bfloat16", from_device(brain_bits, n), brains);

    std::vector<__half2> pairs;
    for (int i = 0; i < 100; i++)
        pairs.push_back(__floats2half2_rn((float)i, 0.5f));
    __half2 *device_pairs = to_device(pairs);
    float *sum = device_alloc<float>(1);
    sum_pairs<<<1, 1>>>(device_pairs, sum, 100);
    expect_equal("pairs", from_device(sum, 1), std::vector<float>{5000.0f});

    CUDA_CHECK(cudaFree(wrong));
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(half_bits));
    CUDA_CHECK(cudaFree(brain_bits));
    CUDA_CHECK(cudaFree(device_pairs));
    CUDA_CHECK(cudaFree(sum));
    return program_end();
}
