/* Barriers with arrival tokens, and copies into shared memory that a barrier, a group, a pipeline or a thread waits for. */
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { THREADS = 128, BATCHES = 8 };

__global__ void rotates(const int *in, int *out)
{
    __shared__ barrier all;
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    if (t == 0)
        init(&all, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        tile[t] = in[t] + i;
        barrier::arrival_token token = all.arrive();
        out[THREADS + t] = i;
        all.wait(std::move(token));
        const int next = tile[(t + 1) % THREADS];
        all.arrive_and_wait();
        out[t] = next;
    }
}

__global__ void copies(const int *in, int *out)
{
    __shared__ barrier all;
    __shared__ alignas(16) int tile[THREADS];
    const int t = threadIdx.x;
    const cg::thread_block block = cg::this_thread_block();
    if (t == 0)
        init(&all, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, all);
    all.arrive_and_wait();
    out[t] = tile[THREADS - 1 - t];
    block.sync();
    cg::memcpy_async(block, tile, in + THREADS, sizeof tile);
    cg::wait(block);
    out[THREADS + t] = tile[THREADS - 1 - t];
    block.sync();
    __pipeline_memcpy_async(&tile[t], &in[2 * THREADS + t], sizeof *tile);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[2 * THREADS + t] = tile[THREADS - 1 - t];
}

/* One thread after the other leaves the barrier; those that stay go on without it. */
__global__ void leave(int *out)
{
    __shared__ barrier all;
    const int t = threadIdx.x;
    if (t == 0)
        init(&all, blockDim.x);
    __syncthreads();
    for (int i = 0; i < t; i++)
        all.arrive_and_wait();
    out[t] = t;
    all.arrive_and_drop();
}

template <int STAGES> __global__ void doubles(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int tile[STAGES][THREADS];
    const cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int batch = 0, fetched = 0; batch < BATCHES; batch++) {
        for (; fetched < BATCHES && fetched < batch + STAGES; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % STAGES], in + fetched * THREADS, sizeof *tile, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[batch * THREADS + threadIdx.x] = 2 * tile[batch % STAGES][threadIdx.x ^ 1];
        pipe.consumer_release();
    }
}

/* How many of out[0 .. count) are other than `wanted` says. */
template <class F> static void compare(const char *name, const int *out, int count, F wanted)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += out[i] != wanted(i);
    printf("%s: %d of %d wrong\n", name, wrong, count);
    program_failures() += wrong > 0;
}

int main()
{
    int *in, *out;
    CUDA_CHECK(cudaMallocManaged(&in, BATCHES * THREADS * sizeof *in));
    CUDA_CHECK(cudaMallocManaged(&out, BATCHES * THREADS * sizeof *out));
    for (int i = 0; i < BATCHES * THREADS; i++)
        in[i] = i * 37 % 1009;
    rotates<<<1, THREADS>>>(in, out);
    compare("rotates", out, 2 * THREADS, [=](int i) { return i < THREADS ? in[(i + 1) % THREADS] + 2 : 2; });
    copies<<<1, THREADS>>>(in, out);
    compare("copies", out, 3 * THREADS,
            [=](int i) { return in[i / THREADS * THREADS + THREADS - 1 - i % THREADS]; });
    leave<<<1, THREADS>>>(out);
    compare("leave", out, THREADS, [](int i) { return i; });
    doubles<2><<<1, THREADS>>>(in, out);
    compare("doubles", out, BATCHES * THREADS, [=](int i) { return 2 * in[i ^ 1]; });
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    return program_end();
}
