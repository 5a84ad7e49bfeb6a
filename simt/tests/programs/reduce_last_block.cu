/* A whole reduction in one launch: the block that finishes last adds the partial sums of all. */
#include "program.h"

#define BLOCK 128

__device__ unsigned int blocks_done = 0;
__device__ float result_of_last;

__global__ void sum_in_one_pass(const float *in, unsigned n, volatile float *partials, float *result)
{
    __shared__ float part[BLOCK];
    __shared__ bool is_last;
    const unsigned t = threadIdx.x;

    float mine = 0.0f;
    for (unsigned i = blockIdx.x * BLOCK + t; i < n; i += BLOCK * gridDim.x)
        mine += in[i];
    part[t] = mine;
    __syncthreads();
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (t < stride)
            part[t] += part[t + stride];
        __syncthreads();
    }

    if (t == 0) {
        partials[blockIdx.x] = part[0];
        __threadfence();                                        /* the partial sum is visible before the ticket */
        unsigned ticket = atomicInc(&blocks_done, gridDim.x - 1);   /* wraps to 0 for the next launch */
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();

    if (is_last) {
        __threadfence();
        float rest = 0.0f;
        for (unsigned b = t; b < gridDim.x; b += BLOCK)
            rest += partials[b];
        part[t] = rest;
        __syncthreads();
        for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
            if (t < stride)
                part[t] += part[t + stride];
            __syncthreads();
        }
        if (t == 0) {
            *result = part[0];
            result_of_last = part[0];
        }
    }
}

static float tree(std::vector<float> part)
{
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2)
        for (unsigned t = 0; t < stride; t++)
            part[t] += part[t + stride];
    return part[0];
}

static float sum_on_cpu(const std::vector<float> &in, unsigned grid)
{
    std::vector<float> rest(BLOCK, 0.0f);
    for (unsigned b = 0; b < grid; b++) {
        std::vector<float> part(BLOCK, 0.0f);
        for (unsigned t = 0; t < BLOCK; t++)
            for (size_t i = b * BLOCK + t; i < in.size(); i += (size_t)BLOCK * grid)
                part[t] += in[i];
        rest[b % BLOCK] += tree(part);
    }
    return tree(rest);
}

int main()
{
    static const unsigned sizes[] = {1, 1000, 16384, 40001};
    static const unsigned grids[] = {1, 3, 16, 130};

    for (unsigned n : sizes) {
        std::vector<float> values = random_floats(n, n);
        float *in = to_device(values), *partials = device_alloc<float>(130), *result = device_alloc<float>(1);

        for (unsigned grid : grids) {
            sum_in_one_pass<<<grid, BLOCK>>>(in, n, partials, result);
            CUDA_CHECK(cudaGetLastError());
            float got = from_device(result, 1)[0], symbol = 0.0f;
            CUDA_CHECK(cudaMemcpyFromSymbol(&symbol, result_of_last, sizeof symbol));
            printf("n = %u, %u blocks\n", n, grid);
            expect_float("sum", got, sum_on_cpu(values, grid));
            expect_float("sum in the device variable", symbol, got);
        }
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(partials));
        CUDA_CHECK(cudaFree(result));
    }
    unsigned left_over = 77;
    CUDA_CHECK(cudaMemcpyFromSymbol(&left_over, blocks_done, sizeof left_over));
    expect_number("counter after all launches", left_over, 0);
    return program_end();
}
